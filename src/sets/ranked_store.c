/* Ranks a collection into arrays that may be in temporary files, stretch by stretch. */
#include "sets/ranked_store.h"

#include "base/bits.h"
#include "base/budget.h"
#include "sets/sets.h"

#include <string.h>

/* What ranking a stretch takes, with the copy that is ranked: for each token, and for each set. */
#define BYTES_A_TOKEN 12
#define BYTES_A_SET   64
#define BYTES_A_SIZE  8 /* and for each size up to the largest */
#define BYTES_BESIDE  65536

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
    uint32_t class = (uint32_t)akin_lower_bound_u32(ranked->class_first + 1, ranked->classes, (uint64_t)s.first + 1);
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

/* Copies the sets of a stretch into a collection of their own. */
static akin_status gather_stretch(akin_account *account, const akin_sets *sets, const uint32_t *rows, const stretch *s,
                                  akin_sets *out, akin_error *error)
{
    const uint32_t count = s->end - s->first;
    uint64_t *offsets = akin_alloc(account, (uint64_t)count + 1, sizeof *offsets), at = 0;
    uint32_t *tokens = akin_alloc(account, s->tokens, sizeof *tokens);
    *out = (akin_sets){.rows = count, .offsets = offsets, .tokens = tokens};
    if (!offsets || !tokens)
        return akin_fail_memory(error, "a stretch of the sets");
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t from = sets->offsets[rows[i]], size = sets->offsets[rows[i] + 1] - from;
        offsets[i] = at;
        memcpy(tokens + at, sets->tokens + from, size * sizeof *tokens);
        at += size;
    }
    offsets[count] = at;
    return AKIN_OK;
}

/* Puts the ranked sets of a stretch in their places. Their rows are those of the stretch's collection. */
static void place_stretch(const stretch *s, akin_ranked *part, akin_ranked *whole)
{
    uint32_t *rows = whole->row + s->first;
    for (uint32_t i = 0; i < part->count; i++) {
        part->row[i] = rows[part->row[i]];
        whole->offsets[s->first + i] = s->offset + part->offsets[i];
    }
    memcpy(rows, part->row, part->count * sizeof *rows);
    memcpy(whole->tokens + s->offset, part->tokens, s->tokens * sizeof *whole->tokens);
}

static akin_status rank_stretch(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                                const akin_sets *sets, const stretch *s, akin_ranked *whole, akin_error *error)
{
    akin_sets own = {0};
    akin_ranked part = {0};
    akin_status status = gather_stretch(account, sets, whole->row + s->first, s, &own, error);
    if (status == AKIN_OK)
        status = akin_rank_by(scope, account, ranking, &own, &part, error);
    akin_free((void *)own.offsets);
    akin_free((void *)own.tokens);
    if (status == AKIN_OK)
        place_stretch(s, &part, whole);
    akin_ranked_clear(&part);
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
