/* Counts tokens in a table that may be in a file. */
#include "sets/bounded_ranking.h"

#include "base/bits.h"
#include "sets/sets.h"

#include <string.h>

#define REPORT ((uint64_t)1 << 20) /* tokens between two questions whether to stop */

void akin_bounded_ranking_clear(akin_bounded_ranking *ranking)
{
    if (ranking->table.data)
        ranking->ranking.table = NULL;
    akin_ranking_clear(&ranking->ranking);
    akin_bulk_clear(&ranking->table);
}

/* ---------------------------------------------------------------------------------------------------------- counting
 */

static akin_status count_side(const akin_scope *scope, const akin_sets *sets, uint32_t *table)
{
    const uint64_t total = sets->offsets[sets->rows];
    akin_status status = AKIN_OK;
    for (uint64_t at = 0; at < total && status == AKIN_OK;) {
        status = akin_scope_report(scope, "counting", at, total);
        for (const uint64_t end = akin_min_u64(at + REPORT, total); at < end; at++)
            table[sets->tokens[at]] += table[sets->tokens[at]] != UINT32_MAX;
    }
    return status;
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
    for (int side = 0; side < 2 && sides[side] && status == AKIN_OK; side++)
        status = count_side(scope, sides[side], ranking->table);
    for (uint64_t token = 0; token < ranking->bound && status == AKIN_OK; token++) {
        ranking->universe += ranking->table[token] != 0;
        status = token % REPORT == 0 ? akin_scope_report(scope, NULL, 0, 0) : AKIN_OK;
    }
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
    if (status != AKIN_E_NOMEM || account->refused == refusals)
        return status;
    akin_ranking_clear(&out->ranking);
    out->ranking = (akin_ranking){.account = account, .bound = bound};
    return akin_ranking_is_dense(bound, total) ? count_in_bulk(scope, sides, out, error) : status;
}
