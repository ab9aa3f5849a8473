/* Counts tokens in a table that may be in a file, and ranks them there. */
#include "sets/bounded_ranking.h"

#include "base/bits.h"
#include "base/sort.h"
#include "sets/sets.h"

#include <string.h>

#define FEW    32768               /* frequencies below this have a counter each; few tokens are more frequent */
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

/* ---------------------------------------------------------------------------------------------------------- ordering
 */

/* Tokens by frequency: how many there are of each that is less than FEW, and the others one by one. */
typedef struct frequencies {
    uint64_t *counts;   /* by frequency; then the rank of the next token of each */
    uint64_t *frequent; /* frequency << 32 | token */
    uint64_t frequent_count;
} frequencies;

static akin_status count_frequencies(const akin_scope *scope, const akin_ranking *ranking, frequencies *f)
{
    akin_status status = AKIN_OK;
    f->counts = akin_alloc_zero(ranking->account, FEW, sizeof *f->counts);
    if (!f->counts)
        return AKIN_E_NOMEM;
    for (uint64_t token = 0; token < ranking->bound && status == AKIN_OK; token++) {
        const uint32_t count = ranking->table[token];
        f->counts[count < FEW ? count : 0]++;
        f->frequent_count += count >= FEW;
        status = token % REPORT == 0 ? akin_scope_report(scope, NULL, 0, 0) : AKIN_OK;
    }
    return status;
}

/* Lists the frequent tokens, and sorts them. */
static akin_status sort_frequent(const akin_ranking *ranking, frequencies *f)
{
    uint64_t n = 0;
    f->frequent = akin_alloc(ranking->account, f->frequent_count, sizeof *f->frequent);
    if (!f->frequent)
        return AKIN_E_NOMEM;
    for (uint64_t token = 0; token < ranking->bound && n < f->frequent_count; token++)
        if (ranking->table[token] >= FEW)
            f->frequent[n++] = (uint64_t)ranking->table[token] << 32 | token;
    akin_sort_u64(f->frequent, (size_t)n);
    return AKIN_OK;
}

/* Writes the rank of each token over its frequency: tokens come in their order, so those of one frequency get ranks in
 * turn. */
static akin_status rank_in_place(const akin_scope *scope, akin_ranking *ranking, frequencies *f)
{
    akin_status status = AKIN_OK;
    uint64_t next = 0;
    ranking->once = f->counts[1];
    for (uint32_t count = 1; count < FEW; count++) {
        const uint64_t tokens = f->counts[count];
        f->counts[count] = next;
        next += tokens;
    }
    for (uint64_t token = 0; token < ranking->bound && status == AKIN_OK; token++) {
        const uint32_t count = ranking->table[token];
        if (count < FEW)
            ranking->table[token] = (uint32_t)f->counts[count]++;
        status = token % REPORT == 0 ? akin_scope_report(scope, NULL, 0, 0) : AKIN_OK;
    }
    for (uint64_t i = 0; i < f->frequent_count && status == AKIN_OK; i++)
        ranking->table[(uint32_t)f->frequent[i]] = (uint32_t)(next + i);
    return status;
}

akin_status akin_bounded_ranking_order(const akin_scope *scope, akin_bounded_ranking *ranking, akin_error *error)
{
    akin_ranking *own = &ranking->ranking;
    frequencies f = {.counts = NULL};
    if (!own->table) {
        akin_status status = akin_ranking_order(scope, own, error);
        akin_free(own->tokens);
        own->tokens = NULL;
        return status;
    }
    akin_status status = count_frequencies(scope, own, &f);
    if (status == AKIN_OK)
        status = sort_frequent(own, &f);
    if (status == AKIN_OK)
        status = rank_in_place(scope, own, &f);
    akin_free(f.counts);
    akin_free(f.frequent);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "ranking the tokens by frequency");
}
