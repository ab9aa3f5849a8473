/* Ranks a collection into arrays that may be in temporary files, stretch by stretch. */
#include "sets/ranked_store.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "sets/sets.h"

#include <string.h>

/* What ranking a stretch takes, with the copy that is ranked: for each token, and for each set. */
#define BYTES_A_TOKEN 12
#define BYTES_A_SET   64
#define BYTES_A_SIZE  8 /* and for each size up to the largest */
#define BYTES_BESIDE  65536

#define SETS_A_TASK 8192

/* Sets [first, end) of a store, of `tokens` tokens, whose first one is the offset-th of the store. */
typedef struct stretch {
    uint32_t first, end;
    uint64_t offset, tokens;
} stretch;

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
    stretch s = {before->end, before->end, before->offset + before->tokens, 0};
    uint32_t class = akin_ranked_class_of(ranked, s.first);
    uint64_t bytes = 0;
    for (; class < ranked->classes; class ++) {
        const uint64_t size = ranked->class_size[class], each = BYTES_A_TOKEN * size + BYTES_A_SET;
        uint64_t sets = akin_min_u64((room - akin_min_u64(room, bytes)) / each, (most - s.tokens) / size);
        sets = akin_min_u64(ranked->class_first[class + 1] - s.end, s.end == s.first ? akin_max_u64(1, sets) : sets);
        s.end += (uint32_t)sets;
        s.tokens += sets * size;
        bytes += sets * each;
        if (s.end < ranked->class_first[class + 1] || s.tokens >= most)
            break;
    }
    return s;
}

/* What the tasks of a stretch share: it is copied from the rows into `own`, and from `part` to its place. */
typedef struct copying {
    const stretch *stretch;
    const akin_sets *sets;
    akin_ranked *whole;
    uint64_t *offsets; /* of `own` */
    uint32_t *tokens;
    akin_ranked part;
} copying;

static akin_status gather_some(void *argument, uint64_t task, uint32_t thread)
{
    const copying *c = argument;
    const uint32_t *rows = c->whole->row + c->stretch->first;
    const uint64_t end = akin_min_u64((task + 1) * SETS_A_TASK, c->stretch->end - c->stretch->first);
    (void)thread;
    for (uint64_t i = task * SETS_A_TASK; i < end; i++)
        memcpy(c->tokens + c->offsets[i], c->sets->tokens + c->sets->offsets[rows[i]],
               (c->offsets[i + 1] - c->offsets[i]) * sizeof *c->tokens);
    return AKIN_OK;
}

/* Copies the sets of a stretch into a collection of their own, which the caller clears in any case. */
static akin_status gather_stretch(const akin_scope *scope, akin_account *account, copying *c, akin_error *error)
{
    const uint32_t *rows = c->whole->row + c->stretch->first, count = c->stretch->end - c->stretch->first;
    c->offsets = akin_alloc(account, (uint64_t)count + 1, sizeof *c->offsets);
    c->tokens = akin_alloc(account, c->stretch->tokens, sizeof *c->tokens);
    if (!c->offsets || !c->tokens)
        return akin_fail_memory(error, "a stretch of the sets");
    c->offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++)
        c->offsets[i + 1] = c->offsets[i] + (c->sets->offsets[rows[i] + 1] - c->sets->offsets[rows[i]]);
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(count, SETS_A_TASK), gather_some, c);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "a stretch of the sets");
}

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
    copying c = {.stretch = s, .sets = sets, .whole = whole};
    akin_status status = gather_stretch(scope, account, &c, error);
    const akin_sets own = {.rows = s->end - s->first, .offsets = c.offsets, .tokens = c.tokens};
    if (status == AKIN_OK)
        status = akin_rank_by(scope, account, ranking, &own, &c.part, error);
    akin_free(c.offsets);
    akin_free(c.tokens);
    if (status == AKIN_OK)
        status = place_stretch(scope, &c, error);
    akin_ranked_clear(&c.part);
    return status;
}

/* Ranks all sets where they are, and keeps the arrays. */
static akin_status fill_at_once(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                                const akin_sets *sets, akin_ranked_store *store, akin_error *error)
{
    akin_ranked_store_clear(store);
    akin_status status = akin_rank_by(scope, account, ranking, sets, &store->ranked, error);
    store->rows = akin_bulk_adopt(store->ranked.row);
    store->offsets = akin_bulk_adopt(store->ranked.offsets);
    store->tokens = akin_bulk_adopt(store->ranked.tokens);
    return status;
}

akin_status akin_ranked_store_fill(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                                   const akin_sets *sets, uint64_t most, int stay, akin_ranked_store *store,
                                   akin_error *error)
{
    static const char what[] = "the ranked sets";
    akin_ranked *ranked = &store->ranked;
    const uint64_t total = sets->offsets[sets->rows], limit = most ? most : UINT64_MAX;
    if (stay && total <= limit)
        return fill_at_once(scope, account, ranking, sets, store, error);
    akin_status status =
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
    const uint64_t beside = BYTES_A_SIZE * (uint64_t)akin_ranked_largest(ranked) + BYTES_BESIDE;
    const uint64_t room = account->limit ? akin_budget_left(account, beside, AKIN_LEFT_ALL) : UINT64_MAX;
    for (stretch s = next_stretch(ranked, &(stretch){0}, limit, room); s.first < ranked->count && status == AKIN_OK;
         s = next_stretch(ranked, &s, limit, room))
        status = rank_stretch(scope, account, ranking, sets, &s, ranked, error);
    return status;
}
