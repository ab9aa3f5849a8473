/* Counts tokens in a table that may be in a file. */
#include "sets/bounded_ranking.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "sets/sets.h"

#include <string.h>

#define TASK ((uint64_t)1 << 16) /* tokens, or entries of the table */

void akin_bounded_ranking_clear(akin_bounded_ranking *ranking)
{
    if (ranking->table.data)
        ranking->ranking.table = NULL;
    akin_ranking_clear(&ranking->ranking);
    akin_bulk_clear(&ranking->table);
}

/* ---------------------------------------------------------------------------------------------------------- counting
 */

/* What the tasks of counting share. Threads share the table, too, as there is no room for tables of their own. */
typedef struct counting {
    const akin_sets *sets;
    uint32_t *table;
    uint64_t bound;
    int is_alone; /* one thread counts */
    _Atomic uint64_t universe;
} counting;

/* Counts are capped: two sides may hold a token in more than UINT32_MAX rows. */
static void count_shared(_Atomic uint32_t *count)
{
    uint32_t before = atomic_load_explicit(count, memory_order_relaxed);
    while (before != UINT32_MAX && !atomic_compare_exchange_weak_explicit(count, &before, before + 1,
                                                                          memory_order_relaxed, memory_order_relaxed)) {
    }
}

static akin_status count_some(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    const uint32_t *tokens = c->sets->tokens;
    const uint64_t end = akin_min_u64((task + 1) * TASK, c->sets->offsets[c->sets->rows]);
    (void)thread;
    if (c->is_alone)
        for (uint64_t i = task * TASK; i < end; i++)
            c->table[tokens[i]] += c->table[tokens[i]] != UINT32_MAX;
    else
        for (uint64_t i = task * TASK; i < end; i++)
            count_shared((_Atomic uint32_t *)&c->table[tokens[i]]);
    return AKIN_OK;
}

/* Adds the distinct tokens of a part of the table to the universe. */
static akin_status count_distinct(void *argument, uint64_t task, uint32_t thread)
{
    counting *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, c->bound);
    uint64_t distinct = 0;
    (void)thread;
    for (uint64_t token = task * TASK; token < end; token++)
        distinct += c->table[token] != 0;
    atomic_fetch_add_explicit(&c->universe, distinct, memory_order_relaxed);
    return AKIN_OK;
}

/* Counts dense tokens in the bulk. */
static akin_status count_in_bulk(const akin_scope *scope, const akin_sets *const sides[2], akin_bounded_ranking *out,
                                 akin_error *error)
{
    static const char what[] = "counting the tokens";
    akin_ranking *ranking = &out->ranking;
    akin_status status = akin_bulk_reserve_zeros(&out->table, ranking->bound * sizeof(uint32_t), what, error);
    if (status != AKIN_OK)
        return status;
    ranking->table = out->table.data;
    counting c = {.table = ranking->table, .bound = ranking->bound, .is_alone = scope->threads == 1};
    for (int side = 0; side < 2 && sides[side] && status == AKIN_OK; side++) {
        c.sets = sides[side];
        status = akin_parallel(scope, "counting", akin_ceil_div(c.sets->offsets[c.sets->rows], TASK), count_some, &c);
    }
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, akin_ceil_div(c.bound, TASK), count_distinct, &c);
    ranking->universe = c.universe;
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* Moves a dense table that takes more than its share of the heap into its file. */
static akin_status move_table(const akin_scope *scope, akin_bounded_ranking *out, akin_error *error)
{
    akin_ranking *ranking = &out->ranking;
    const uint64_t bytes = ranking->bound * sizeof *ranking->table;
    if (!ranking->table || !scope->memory || bytes <= akin_budget(scope, AKIN_BUDGET_PART_TOKENS))
        return AKIN_OK;
    akin_status status = akin_bulk_reserve(&out->table, bytes, "counting the tokens", error);
    if (status != AKIN_OK)
        return status;
    memcpy(out->table.data, ranking->table, bytes);
    akin_free(ranking->table);
    ranking->table = out->table.data;
    return AKIN_OK;
}

akin_status akin_bounded_ranking_count(const akin_scope *scope, akin_account *account, const akin_sets *left,
                                       const akin_sets *right, akin_bounded_ranking *out, akin_error *error)
{
    const akin_sets *const sides[2] = {left, right};
    const uint64_t refusals = account->refused,
                   total = left->offsets[left->rows] + (right ? right->offsets[right->rows] : 0);
    *out = (akin_bounded_ranking){.table = akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_PART_TOKENS))};
    akin_status status = akin_ranking_count(scope, account, left, right, &out->ranking, error);
    const uint64_t bound = out->ranking.bound;
    if (status == AKIN_OK)
        return move_table(scope, out, error);
    if (!akin_account_is_short(account, status, refusals))
        return status;
    akin_ranking_clear(&out->ranking);
    out->ranking = (akin_ranking){.account = account, .bound = bound};
    return akin_ranking_is_dense(bound, total) ? count_in_bulk(scope, sides, out, error) : status;
}
