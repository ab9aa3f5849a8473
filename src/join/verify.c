/* Exact verification of candidates: the probe's tokens are marked, those of its candidates looked up. */
#include "join/verify.h"

#include "base/bits.h"
#include "join/marks.h"
#include "join/technique.h"

/*
 * Whether two sets share no token before positions i of a and j of b. It looks backwards: of sets that are alike the
 * token before is most likely shared as well, however many are.
 */
static inline int none_before(const uint32_t *a, uint32_t i, const uint32_t *b, uint32_t j)
{
    while (i && j) {
        uint32_t x = a[i - 1], y = b[j - 1];
        if (x == y)
            return 0;
        i -= x > y;
        j -= y > x;
    }
    return 1;
}

/* Marking a probe of more tokens than this is put off until a candidate is known to be worth it. */
#define MARKED_AT_ONCE 256

int akin_join_verify(const akin_join_job *job, akin_join_worker *worker, uint32_t probe, const uint32_t *list,
                     uint32_t count, uint64_t token)
{
    const uint32_t *own = job->probes->tokens + job->probes->offsets[probe];
    uint32_t size = akin_ranked_size(job->probes, probe), at = 0;
    int any = token == AKIN_JOIN_ANY, later = !any && size > MARKED_AT_ONCE, marked = !later, done = 1;
    if (count == 0)
        return 1;
    if (later)
        at = (uint32_t)akin_lower_bound_u32(own, size, token);
    else
        akin_mark(worker->marks, own, size);
    for (uint32_t i = 0; i < count && done; i++) {
        uint32_t set_size = akin_ranked_size(job->indexed, list[i]), skip = 0;
        const uint32_t *tokens = job->indexed->tokens + job->indexed->offsets[list[i]];
        uint64_t need = akin_join_need(job, size, set_size);
        if (need > set_size || need > size) /* signatures do not tell sizes apart where bits have many tokens */
            continue;
        if (later) {
            skip = (uint32_t)akin_lower_bound_u32(tokens, set_size, token);
            if (!none_before(own, at, tokens, skip))
                continue;
            if (!marked)
                akin_mark(worker->marks, own, size);
            marked = 1;
        } else if (!any) {
            while (!akin_is_marked(worker->marks, tokens[skip]))
                skip++;
            if (tokens[skip] != token)
                continue;
        }
        worker->candidates++;
        uint32_t found = akin_count_marked(worker->marks, tokens + skip, set_size - skip, need);
        if (found)
            done = akin_join_emit(job, worker, probe, list[i], found);
    }
    if (marked)
        akin_unmark(worker->marks, own, size);
    return done;
}
