/* Enlarges a collection by copies in which every token is replaced by the next more frequent one. */
#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "sets/sets.h"

#include <string.h>

#define BLOCK 4096 /* rows a task */

/* A token's rank is its place among the distinct tokens by rising frequency, equal frequencies by token. */
typedef struct growth {
    const akin_sets *sets;
    uint64_t blocks; /* of rows, in one copy */
    uint64_t distinct;
    uint32_t *by_token; /* the distinct tokens, ascending */
    uint32_t *rank;     /* of by_token's */
    uint32_t *by_rank;  /* the tokens by rank */
    uint32_t *ranks;    /* of all tokens of the collection, row after row */
    uint64_t *offsets;
    uint32_t *tokens;
} growth;

static akin_status rank_tokens(growth *g, akin_error *error)
{
    akin_census census;
    akin_status status = akin_census_take(g->sets, &census, error);
    if (status != AKIN_OK)
        return status;
    g->distinct = census.distinct;
    g->by_token = census.tokens;
    census.tokens = NULL;
    uint64_t *order = akin_alloc(NULL, g->distinct, sizeof *order);
    uint64_t *scratch = akin_alloc(NULL, g->distinct, sizeof *scratch);
    g->rank = akin_alloc(NULL, g->distinct, sizeof *g->rank);
    g->by_rank = akin_alloc(NULL, g->distinct, sizeof *g->by_rank);
    if (order && scratch && g->rank && g->by_rank) {
        for (uint64_t i = 0; i < g->distinct; i++)
            order[i] = (uint64_t)census.counts[i] << 32 | i;
        akin_radix_sort_u64(order, scratch, (size_t)g->distinct);
        for (uint64_t i = 0; i < g->distinct; i++) {
            uint32_t place = (uint32_t)order[i];
            g->rank[place] = (uint32_t)i;
            g->by_rank[i] = g->by_token[place];
        }
    } else {
        status = akin_fail_memory(error, "ranking the tokens by frequency");
    }
    akin_free(order);
    akin_free(scratch);
    akin_census_clear(&census);
    return status;
}

static uint32_t rank_of(const growth *g, uint32_t token)
{
    uint64_t low = 0, high = g->distinct - 1;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (g->by_token[middle] < token)
            low = middle + 1;
        else
            high = middle;
    }
    return g->rank[low];
}

static akin_status rank_block(void *argument, uint64_t task, uint32_t thread)
{
    growth *g = argument;
    const uint64_t *offsets = g->sets->offsets;
    uint64_t end = offsets[akin_min_u64((task + 1) * BLOCK, g->sets->rows)];
    (void)thread;
    for (uint64_t i = offsets[task * BLOCK]; i < end; i++)
        g->ranks[i] = rank_of(g, g->sets->tokens[i]);
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
            to[i] = g->by_rank[(g->ranks[start + i] + copy) % g->distinct];
        akin_sort_u32(to, (size_t)size);
    }
    return AKIN_OK;
}

static akin_status grow(akin_context *context, growth *g, uint32_t copies, akin_error *error)
{
    uint64_t rows = g->sets->rows, total = g->sets->offsets[rows];
    akin_status status = rank_tokens(g, error);
    if (status != AKIN_OK)
        return status;
    g->ranks = akin_alloc(NULL, total, sizeof *g->ranks);
    g->offsets = akin_alloc(NULL, rows * copies + 1, sizeof *g->offsets);
    g->tokens = total > UINT64_MAX / copies ? NULL : akin_alloc(NULL, total * copies, sizeof *g->tokens);
    if (!g->ranks || !g->offsets || !g->tokens)
        return akin_fail_memory(error, "the enlarged collection");
    g->offsets[0] = 0;
    g->blocks = akin_ceil_div(rows, BLOCK);
    status = akin_parallel(context, NULL, g->blocks, rank_block, g);
    if (status == AKIN_OK)
        status = akin_parallel(context, "growing", g->blocks * copies, copy_block, g);
    if (status == AKIN_E_CANCELLED)
        return akin_fail(error, status, "cancelled while enlarging a collection");
    return status == AKIN_OK ? status : akin_fail_memory(error, "the enlarged collection");
}

akin_status akin_sets_grow(akin_context *context, const akin_sets *sets, uint32_t copies, akin_sets **out,
                           akin_error *error)
{
    growth g = {.sets = sets};
    if (copies == 0)
        return akin_fail(error, AKIN_E_OPTION, "copies is 0; expected at least 1");
    if ((uint64_t)sets->rows * copies > UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "%u copies of %u rows are more than 4294967295 rows", copies, sets->rows);
    akin_status status = grow(context, &g, copies, error);
    if (status == AKIN_OK)
        status = akin_sets_adopt(sets->rows * copies, g.offsets, g.tokens, out, error);
    if (status != AKIN_OK) {
        akin_free(g.offsets);
        akin_free(g.tokens);
    }
    akin_free(g.by_token);
    akin_free(g.rank);
    akin_free(g.by_rank);
    akin_free(g.ranks);
    return status;
}
