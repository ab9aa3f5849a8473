/* Copies sets by all threads. */
#include "sets/gather.h"

#include "base/bits.h"
#include "base/parallel.h"

#include <string.h>

#define SETS_A_TASK 8192

typedef struct gathering {
    const akin_sets *sets;
    const uint32_t *rows;
    uint32_t count;
    const uint64_t *offsets;
    uint32_t *tokens;
} gathering;

static akin_status gather_some(void *argument, uint64_t task, uint32_t thread)
{
    const gathering *g = argument;
    const uint64_t end = akin_min_u64((task + 1) * SETS_A_TASK, g->count);
    (void)thread;
    for (uint64_t i = task * SETS_A_TASK; i < end; i++)
        memcpy(g->tokens + g->offsets[i], g->sets->tokens + g->sets->offsets[g->rows[i]],
               (g->offsets[i + 1] - g->offsets[i]) * sizeof *g->tokens);
    return AKIN_OK;
}

akin_status akin_sets_gather(const akin_scope *scope, akin_account *account, const akin_sets *sets,
                             const uint32_t *rows, uint32_t count, akin_sets *out, akin_error *error)
{
    static const char what[] = "a part of the sets";
    uint64_t *offsets = akin_alloc(account, (uint64_t)count + 1, sizeof *offsets);
    *out = (akin_sets){.rows = count, .offsets = offsets};
    if (!offsets)
        return akin_fail_memory(error, what);
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++)
        offsets[i + 1] = offsets[i] + (sets->offsets[rows[i] + 1] - sets->offsets[rows[i]]);
    gathering g = {sets, rows, count, offsets, akin_alloc(account, offsets[count], sizeof *g.tokens)};
    out->tokens = g.tokens;
    if (!g.tokens)
        return akin_fail_memory(error, what);
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(count, SETS_A_TASK), gather_some, &g);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

void akin_gathered_clear(akin_sets *sets)
{
    akin_free((void *)sets->offsets);
    akin_free((void *)sets->tokens);
    *sets = (akin_sets){.rows = 0};
}
