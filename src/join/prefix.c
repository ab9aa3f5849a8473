/* Builds prefix indexes: one pass counts the postings of every token, one puts them into place. */
#include "join/prefix.h"

#include <string.h>

uint32_t akin_prefix_length(const akin_join_job *job, uint32_t size, akin_prefix_side side)
{
    const akin_threshold threshold =
        side == AKIN_PREFIX_INDEXED ? akin_threshold_turn(&job->threshold) : job->threshold;
    uint64_t least = akin_threshold_smallest(&threshold, size);
    if (least > size)
        return 0;
    uint64_t partner = side == AKIN_PREFIX_INDEXED && job->same ? size : least;
    uint64_t need = akin_threshold_overlap(&threshold, size, partner);
    return need > size ? 0 : (uint32_t)(size - need + 1);
}

#define ENTRIES_A_REPORT 65536

/* A walk over all entries of an index to be: the set and the prefix length of each. */
typedef struct walk {
    const akin_join_job *job;
    const akin_ranked *sets;
    const akin_prefix_groups *groups;
    akin_prefix_side side;
    uint32_t size, length; /* of the entry at hand */
} walk;

static inline const uint32_t *walk_postings_to(walk *walk, uint32_t entry)
{
    uint32_t set = walk->groups->first ? walk->groups->first[entry] : entry;
    uint32_t size = akin_ranked_size(walk->sets, set);
    if (size != walk->size) {
        walk->size = size;
        walk->length = akin_prefix_length(walk->job, size, walk->side);
    }
    return walk->sets->tokens + walk->sets->offsets[set];
}

akin_status akin_prefix_build(const akin_join_job *job, const akin_ranked *sets, akin_prefix_side side,
                              const akin_prefix_groups *groups, int positions, akin_prefix_index *out,
                              akin_error *error)
{
    akin_prefix_index index = {0};
    akin_status status = AKIN_OK;
    walk count = {job, sets, groups, side, 0, 0}, fill = count;
    index.start = akin_alloc_zero(job->account, sets->universe + 2, sizeof *index.start);
    if (!index.start)
        goto short_of_memory;
    /* Counts are kept two places on and starts one place on: filling moves each start to its end, the next one's start.
     */
    uint64_t *next = index.start + 1, total = 0;
    for (uint32_t entry = 0; entry < groups->count; entry++) {
        if (entry % ENTRIES_A_REPORT == 0 && (status = akin_scope_report(job->scope, NULL, 0, 0)) != AKIN_OK)
            goto stopped;
        const uint32_t *tokens = walk_postings_to(&count, entry);
        for (uint32_t i = 0; i < count.length; i++)
            next[(uint64_t)tokens[i] + 1]++;
        total += count.length;
    }
    for (uint64_t t = 1; t <= sets->universe; t++)
        next[t] += next[t - 1];
    index.entry = akin_alloc(job->account, total, sizeof *index.entry);
    index.position = positions ? akin_alloc(job->account, total, sizeof *index.position) : NULL;
    if (!index.entry || (positions && !index.position))
        goto short_of_memory;
    for (uint32_t entry = 0; entry < groups->count; entry++) {
        if (entry % ENTRIES_A_REPORT == 0 && (status = akin_scope_report(job->scope, NULL, 0, 0)) != AKIN_OK)
            goto stopped;
        const uint32_t *tokens = walk_postings_to(&fill, entry);
        for (uint32_t i = 0; i < fill.length; i++) {
            uint64_t at = next[tokens[i]]++;
            index.entry[at] = entry;
            if (positions)
                index.position[at] = i;
        }
    }
    *out = index;
    return AKIN_OK;
short_of_memory:
    status = AKIN_E_NOMEM;
stopped:
    akin_prefix_clear(&index);
    return akin_fail_stopped(error, status, "the prefix index");
}

void akin_prefix_clear(akin_prefix_index *index)
{
    akin_free(index->start);
    akin_free(index->entry);
    akin_free(index->position);
    memset(index, 0, sizeof *index);
}
