/* Ranks a collection into arrays that may be in temporary files, stretch by stretch. */
#include "sets/ranked_store.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "sets/gather.h"

#include <string.h>

/* What ranking a stretch takes, with the copy that is ranked: for each token, and for each set. */
#define BYTES_A_TOKEN (AKIN_GATHER_TOKEN + AKIN_RANK_TOKEN)
#define BYTES_A_SET   (AKIN_GATHER_SET + AKIN_RANK_SET)

#define SETS_A_TASK 8192

/* Sets [first, end) of a store, of `tokens` tokens, whose first one is the offset-th of the store. */
typedef struct stretch {
    uint32_t first, end;
    uint64_t offset, tokens;
    uint64_t bytes; /* that ranking it takes */
} stretch;

double akin_ranked_store_least(uint64_t largest)
{
    return (double)(BYTES_A_TOKEN * largest + BYTES_A_SET + AKIN_RANK_BESIDE);
}

akin_status akin_ranked_store_begin(const akin_scope *scope, akin_account *account, const akin_sets *sets,
                                    akin_ranked_store *store, akin_error *error)
{
    *store = (akin_ranked_store){.rows = akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_PART_ROWS)),
                                 .offsets = akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_PART_ROWS)),
                                 .tokens = akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_PART_SETS))};
    return akin_rank_classes(scope, account, sets, &store->rows, &store->ranked, error);
}

void akin_ranked_store_clear(akin_ranked_store *store)
{
    store->ranked.row = store->ranked.tokens = NULL;
    store->ranked.offsets = NULL;
    akin_ranked_clear(&store->ranked);
    akin_bulk_clear(&store->rows);
    akin_bulk_clear(&store->offsets);
    akin_bulk_clear(&store->tokens);
}

/* The stretch after another one: at least a set, and as many as `most` tokens and `room` bytes permit. */
static stretch next_stretch(const akin_ranked *ranked, const stretch *before, uint64_t most, uint64_t room)
{
    stretch s = {before->end, before->end, before->offset + before->tokens, 0, 0};
    uint32_t class = akin_ranked_class_of(ranked, s.first);
    for (; class < ranked->classes; class ++) {
        const uint64_t size = ranked->class_size[class], each = BYTES_A_TOKEN * size + BYTES_A_SET;
        uint64_t sets = akin_min_u64((room - akin_min_u64(room, s.bytes)) / each, (most - s.tokens) / size);
        sets = akin_min_u64(ranked->class_first[class + 1] - s.end, s.end == s.first ? akin_max_u64(1, sets) : sets);
        s.end += (uint32_t)sets;
        s.tokens += sets * size;
        s.bytes += sets * each;
        if (s.end < ranked->class_first[class + 1] || s.tokens >= most)
            break;
    }
    return s;
}

/* What the tasks that put a ranked stretch in its place share. */
typedef struct copying {
    const stretch *stretch;
    akin_ranked *whole;
    akin_ranked part;
} copying;

/* Puts some of the ranked sets in their places. Their rows are those of the stretch's collection until then. */
static akin_status place_some(void *argument, uint64_t task, uint32_t thread)
{
    copying *c = argument;
    const stretch *s = c->stretch;
    const uint32_t *rows = c->whole->row + s->first;
    const uint64_t first = task * SETS_A_TASK, end = akin_min_u64(first + SETS_A_TASK, c->part.count);
    const uint64_t from = c->part.offsets[first];
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        c->part.row[i] = rows[c->part.row[i]];
        c->whole->offsets[s->first + i] = s->offset + c->part.offsets[i];
    }
    memcpy(c->whole->tokens + s->offset + from, c->part.tokens + from,
           (c->part.offsets[end] - from) * sizeof *c->part.tokens);
    return AKIN_OK;
}

static akin_status place_stretch(const akin_scope *scope, copying *c, akin_error *error)
{
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(c->part.count, SETS_A_TASK), place_some, c);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "a stretch of the sets");
    memcpy(c->whole->row + c->stretch->first, c->part.row, c->part.count * sizeof *c->part.row);
    return AKIN_OK;
}

static akin_status rank_stretch(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                                const akin_sets *sets, const stretch *s, akin_ranked *whole, akin_error *error)
{
    copying c = {.stretch = s, .whole = whole};
    akin_sets own;
    akin_status status = akin_sets_gather(scope, account, sets, whole->row + s->first, s->end - s->first, &own, error);
    if (status == AKIN_OK)
        status = akin_rank_by(scope, account, ranking, &own, &c.part, error);
    akin_gathered_clear(&own);
    if (status == AKIN_OK)
        status = place_stretch(scope, &c, error);
    akin_ranked_clear(&c.part);
    return status;
}

/* Ranks stretch by stretch. One that the account's limit refuses is as it was, and is tried again with half of the
 * sets, as are those that follow. */
static akin_status rank_stretches(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                                  const akin_sets *sets, uint64_t most, akin_ranked *whole, akin_error *error)
{
    uint64_t room = account->limit ? akin_budget_left(account, AKIN_RANK_BESIDE, AKIN_LEFT_ALL) : UINT64_MAX;
    akin_error own = {.code = AKIN_OK};
    akin_status status = AKIN_OK;
    stretch done = {.end = 0};
    while (done.end < whole->count && status == AKIN_OK) {
        const stretch s = next_stretch(whole, &done, most, room);
        const uint64_t refusals = account->refused;
        status = rank_stretch(scope, account, ranking, sets, &s, whole, &own);
        if (status == AKIN_OK)
            done = s;
        else if (akin_account_is_short(account, status, refusals) && s.end - s.first > 1) {
            room = s.bytes / 2;
            status = AKIN_OK;
        }
    }
    return status == AKIN_OK ? status : akin_fail_again(error, status, &own);
}

/* Ranks all sets where they are, and keeps the arrays. If the account's limit refuses that, the store is as it was
 * begun, and *is_refused. */
static akin_status fill_at_once(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                                const akin_sets *sets, akin_ranked_store *store, int *is_refused, akin_error *error)
{
    const uint64_t refusals = account->refused;
    akin_error own = {.code = AKIN_OK};
    akin_ranked_store_clear(store);
    akin_status status = akin_rank_by(scope, account, ranking, sets, &store->ranked, &own);
    *is_refused = akin_account_is_short(account, status, refusals);
    if (*is_refused)
        return akin_ranked_store_begin(scope, account, sets, store, error);
    store->rows = akin_bulk_adopt(store->ranked.row);
    store->offsets = akin_bulk_adopt(store->ranked.offsets);
    store->tokens = akin_bulk_adopt(store->ranked.tokens);
    return status == AKIN_OK ? status : akin_fail_again(error, status, &own);
}

akin_status akin_ranked_store_fill(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                                   const akin_sets *sets, uint64_t most, int stay, akin_ranked_store *store,
                                   akin_error *error)
{
    static const char what[] = "the ranked sets";
    akin_ranked *ranked = &store->ranked;
    const uint64_t total = sets->offsets[sets->rows], limit = most ? most : UINT64_MAX;
    akin_status status = AKIN_OK;
    int is_refused = 0;
    if (stay && total <= limit) {
        status = fill_at_once(scope, account, ranking, sets, store, &is_refused, error);
        if (!is_refused)
            return status;
    }
    if (status == AKIN_OK)
        status =
            akin_bulk_reserve(&store->offsets, ((uint64_t)ranked->count + 1) * sizeof *ranked->offsets, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&store->tokens, total * sizeof *ranked->tokens, what, error);
    if (status != AKIN_OK)
        return status;
    ranked->offsets = store->offsets.data;
    ranked->tokens = store->tokens.data;
    ranked->universe = ranking->universe;
    ranked->once = ranking->once;
    ranked->offsets[ranked->count] = total;
    return rank_stretches(scope, account, ranking, sets, limit, ranked, error);
}
