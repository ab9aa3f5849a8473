/* Exact verification of candidates: the probe's tokens are marked, those of its candidates looked up. */
#include "join/technique.h"

static inline uint32_t is_marked(const uint64_t *marks, uint32_t token)
{
    return (uint32_t)(marks[token >> 6] >> (token & 63) & 1);
}

/*
 * The number of marked tokens if it is at least `need`, else 0. Tokens are counted 16 at a time; rare ones come first, so a
 * set that falls short is usually given up early.
 */
static inline uint32_t count_marked(const uint64_t *marks, const uint32_t *tokens, uint32_t size, uint64_t need)
{
    if (need > size)
        return 0;
    uint32_t misses_left = size - (uint32_t)need, i = 0, found = 0;
    for (; i + 16 <= size; i += 16) {
        for (uint32_t k = i; k < i + 16; k++)
            found += is_marked(marks, tokens[k]);
        if (i + 16 - found > misses_left)
            return 0;
    }
    for (; i < size; i++)
        found += is_marked(marks, tokens[i]);
    return found >= need ? found : 0;
}

/* Marking a probe of more tokens than this is put off until its candidates have had a first look. */
#define MARKED_AT_ONCE 256

/* Drops candidates that a look at the first tokens (at most `steps`) shows to share one before `token`: those are other lists'
 * pairs, and not worth marking the probe for. */
static uint32_t drop_repeated(const akin_join_job *job, const uint32_t *own, uint32_t *list, uint32_t count,
                              uint64_t token, uint32_t steps)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t *a = own, *b = job->indexed->tokens + job->indexed->offsets[list[k]];
        for (uint32_t step = 0; step < steps && *a != *b; step++) { /* both hold the token, so neither ends before it */
            const uint32_t *next = a + (*a < *b);
            b += *b < *a;
            a = next;
        }
        if (*a != *b || *a == token)
            list[kept++] = list[k];
    }
    return kept;
}

int akin_join_verify(const akin_join_job *job, akin_join_worker *worker, uint32_t probe, uint32_t *list, uint32_t count,
                     uint64_t token)
{
    const uint32_t *own = job->probes->tokens + job->probes->offsets[probe];
    uint32_t size = akin_ranked_size(job->probes, probe);
    if (token != AKIN_JOIN_ANY && count && size > MARKED_AT_ONCE)
        count = drop_repeated(job, own, list, count, token, size / (4 * count));
    if (!count)
        return 1;
    int done = 1;
    uint64_t *marks = worker->marks, candidates = 0;
    for (uint32_t i = 0; i < size; i++)
        marks[own[i] >> 6] |= UINT64_C(1) << (own[i] & 63);
    for (uint32_t i = 0; i < count && done; i++) {
        uint32_t set_size = akin_ranked_size(job->indexed, list[i]), skip = 0;
        const uint32_t *tokens = job->indexed->tokens + job->indexed->offsets[list[i]];
        uint64_t need = akin_join_need(job, size, set_size);
        if (token != AKIN_JOIN_ANY) {
            while (!is_marked(marks, tokens[skip]))
                skip++;
            if (tokens[skip] != token)
                continue;
        }
        candidates++;
        uint32_t found = count_marked(marks, tokens + skip, set_size - skip, need);
        if (found)
            done = akin_join_emit(job, worker, probe, list[i], found);
    }
    for (uint32_t i = 0; i < size; i++)
        marks[own[i] >> 6] = 0;
    worker->candidates += candidates;
    return done;
}
