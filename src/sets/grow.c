/* Enlarges a collection by copies in which every token is replaced by the next more frequent one. */
#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "sets/ranking.h"
#include "sets/sets.h"

#include <string.h>

#define BLOCK 4096 /* rows a task */

typedef struct growth {
    const akin_sets *sets;
    uint64_t blocks; /* of rows, in one copy */
    akin_ranking ranking;
    uint32_t *ranks; /* of all tokens of the collection, row after row */
    uint64_t *offsets;
    uint32_t *tokens;
} growth;

static akin_status rank_block(void *argument, uint64_t task, uint32_t thread)
{
    growth *g = argument;
    const uint64_t *offsets = g->sets->offsets;
    uint64_t first = offsets[task * BLOCK], end = offsets[akin_min_u64((task + 1) * BLOCK, g->sets->rows)];
    (void)thread;
    akin_ranking_map(&g->ranking, g->sets->tokens + first, end - first, g->ranks + first);
    return AKIN_OK;
}

/* One block of rows of one copy: ranks that have risen by the copy's number, as tokens again. */
static akin_status copy_block(void *argument, uint64_t task, uint32_t thread)
{
    growth *g = argument;
    uint64_t copy = task / g->blocks, rows = g->sets->rows, total = g->sets->offsets[rows];
    uint64_t first = task % g->blocks * BLOCK, end = akin_min_u64(first + BLOCK, rows);
    (void)thread;
    for (uint64_t row = first; row < end; row++) {
        uint64_t start = g->sets->offsets[row], size = g->sets->offsets[row + 1] - start;
        uint32_t *to = g->tokens + copy * total + start;
        g->offsets[copy * rows + row + 1] = copy * total + start + size;
        for (uint64_t i = 0; i < size; i++)
            to[i] = g->ranking.tokens[(g->ranks[start + i] + copy) % g->ranking.universe];
        akin_sort_u32(to, (size_t)size);
    }
    return AKIN_OK;
}

static akin_status grow_array(const akin_scope *scope, growth *g, uint32_t copies, akin_error *error)
{
    uint64_t rows = g->sets->rows, total = g->sets->offsets[rows];
    akin_status status = akin_ranking_count(scope, NULL, g->sets, NULL, &g->ranking, error);
    if (status == AKIN_OK)
        status = akin_ranking_order(scope, &g->ranking, error);
    if (status != AKIN_OK)
        return status;
    g->ranks = akin_alloc(NULL, total, sizeof *g->ranks);
    g->offsets = akin_alloc(NULL, rows * copies + 1, sizeof *g->offsets);
    g->tokens = total > UINT64_MAX / copies ? NULL : akin_alloc(NULL, total * copies, sizeof *g->tokens);
    if (!g->ranks || !g->offsets || !g->tokens)
        return akin_fail_memory(error, "the enlarged collection");
    g->offsets[0] = 0;
    g->blocks = akin_ceil_div(rows, BLOCK);
    status = akin_parallel(scope, NULL, g->blocks, rank_block, g);
    if (status == AKIN_OK)
        status = akin_parallel(scope, "growing", g->blocks * copies, copy_block, g);
    if (status == AKIN_E_CANCELLED)
        return akin_fail(error, status, "cancelled while enlarging a collection");
    return status == AKIN_OK ? status : akin_fail_memory(error, "the enlarged collection");
}

akin_status akin_sets_grow(akin_context *context, const akin_sets *sets, uint32_t copies, akin_sets **out,
                           akin_error *error)
{
    growth g = {.sets = sets};
    if (copies == 0)
        return akin_fail_option(error, AKIN_REASON_NONE, "copies", " is 0; expected at least 1");
    if ((uint64_t)sets->rows * copies > UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "%u copies of %u rows are more than 4294967295 rows", copies, sets->rows);
    akin_status status = grow_array(akin_scope_of(context), &g, copies, error);
    if (status == AKIN_OK)
        status = akin_sets_adopt(sets->rows * copies, g.offsets, g.tokens, out, error);
    if (status != AKIN_OK) {
        akin_free(g.offsets);
        akin_free(g.tokens);
    }
    akin_ranking_clear(&g.ranking);
    akin_free(g.ranks);
    return status;
}
