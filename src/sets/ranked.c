/*
 * Ranks the tokens of one or two collections by rising frequency and sorts the sets by size and content.
 *
 * Rows are put into their size classes first. Then the classes go through a block of memory, one batch of them after
 * another, so that what is not a result takes the memory of the largest class and little more:
 *
 *     rows     | 3 9 14 20 ...                   of each class in rising order, out of the caller's collection
 *     block    | ranks of 3 | ranks of 9 | ...   and a key for each set, see sets/keys.h
 *     ranked   | the sets in the order of their keys ...
 *
 * The unit of work is a piece of a class. Threads share a class, and none is long at it when asked to stop.
 */
#include "sets/ranked.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "sets/classes.h"
#include "sets/keys.h"
#include "sets/order.h"
#include "sets/ranking.h"
#include "sets/sets.h"

#include <string.h>

#define PIECE_SETS   65536
#define PIECE_TOKENS ((uint64_t)1 << 19)
#define BATCH_TOKENS ((uint64_t)1 << 18) /* a thread: fresh memory costs more than to begin another batch, */
#define BATCHES      32                  /* but there are no more batches of several classes than about that many */
#define SMALL        1024
#define DIGIT_BITS   12   /* at most */
#define FEW          1024 /* ranks that are sorted in a function's own frame, which caches keep */
#define AHEAD        16   /* sets whose tokens are asked for before they are needed */
#define STRIDE       8    /* tokens that are copied at once, in sets of up to LOOSE tokens */
#define LOOSE        64

/* At most PIECE_SETS sets of a class, and PIECE_TOKENS tokens unless it is one set; or the rest of the class. */
typedef struct piece {
    uint32_t class;
    uint32_t first;
    uint32_t end;
    uint32_t slot;   /* of its places, if its class is not small */
    uint64_t offset; /* of its tokens, once sorted */
} piece;

typedef struct sorter {
    const akin_scope *scope;
    akin_account *account;
    const akin_sets *sets;
    const akin_ranking *ranking;
    akin_ranked *ranked;
    uint32_t bits; /* of a rank */
    piece *pieces; /* and one more that ends them */
    uint64_t piece_count;
    /* the batch at hand: the pieces of some classes */
    const piece *batch;
    uint64_t batch_count;
    uint32_t *block;   /* ranks, in the order in which classes list rows, */
    uint32_t *rows;    /* and these rows */
    uint64_t *keys[2]; /* each pass takes them from the one to the other; the last one does not end in the offsets */
    uint64_t *sorted;  /* that array: the other one is where the offsets of the batch will be */
    uint32_t *places;  /* of each piece and digit: keys; then where the next one goes */
    uint32_t pass, passes, digit_bits;
} sorter;

/* ------------------------------------------------------------------------------------------------------------ pieces
 */

static inline uint64_t sets_of_piece(uint32_t size)
{
    return akin_max_u64(1, akin_min_u64(PIECE_SETS, PIECE_TOKENS / size));
}

static inline uint32_t sets_of_class(const akin_ranked *ranked, uint32_t class)
{
    return ranked->class_first[class + 1] - ranked->class_first[class];
}

static int cut_classes(sorter *s)
{
    const akin_ranked *ranked = s->ranked;
    uint64_t offset = 0;
    for (uint32_t c = 0; c < ranked->classes; c++)
        s->piece_count += akin_ceil_div(sets_of_class(ranked, c), sets_of_piece(ranked->class_size[c]));
    s->pieces = akin_alloc(s->account, s->piece_count + 1, sizeof *s->pieces);
    if (!s->pieces)
        return 0;
    piece *p = s->pieces;
    for (uint32_t c = 0; c < ranked->classes; c++)
        for (uint64_t first = ranked->class_first[c], end; first < ranked->class_first[c + 1]; first = end) {
            end = akin_min_u64(first + sets_of_piece(ranked->class_size[c]), ranked->class_first[c + 1]);
            *p++ = (piece){.class = c, .first = (uint32_t)first, .end = (uint32_t)end, .offset = offset};
            offset += (end - first) * ranked->class_size[c];
        }
    *p = (piece){.class = ranked->classes, .first = ranked->count, .offset = offset};
    return 1;
}

/* How many pieces make the batch that begins with `first`: those of one class, and of more while they are small. */
static uint64_t pieces_of_batch(const sorter *s, const piece *first)
{
    const piece *end = first, *last = s->pieces + s->piece_count;
    const uint64_t most = akin_max_u64(BATCH_TOKENS * s->scope->threads, last->offset / BATCHES);
    while (end < last) {
        const piece *next = end;
        while (next->class == end->class)
            next++;
        if (end > first && next->offset - first->offset > most)
            break;
        end = next;
    }
    return (uint64_t)(end - first);
}

/* Small classes are of one piece, whose keys are sorted by comparison; those of the others are sorted by radix, all
 * pieces of a class together. */
static inline int is_small(const sorter *s, uint32_t class)
{
    return sets_of_class(s->ranked, class) <= akin_min_u64(SMALL, sets_of_piece(s->ranked->class_size[class]));
}

/* The first set of a piece's class, among those of the batch. */
static inline uint32_t place_of_class(const sorter *s, const piece *p)
{
    return s->ranked->class_first[p->class] - s->batch->first;
}

/* The keys of a piece's class. */
static akin_set_keys keys_of_class(const sorter *s, const piece *p)
{
    const uint32_t size = s->ranked->class_size[p->class];
    const uint64_t offset = p->offset - (uint64_t)(p->first - s->ranked->class_first[p->class]) * size;
    return akin_set_keys_of(s->block + (offset - s->batch->offset), size, sets_of_class(s->ranked, p->class), s->bits);
}

/* ----------------------------------------------------------------------------------------------------------- ranking
 */

/* Writes the ranks of the tokens of `count` rows of one size to `to`, one row after another. These lie far apart, so
 * those that follow, of `more` in all, are asked for early. */
static void map_rows(const sorter *s, const uint64_t *offsets, uint32_t count, uint32_t more, uint32_t size,
                     uint32_t *to)
{
    const uint32_t *table = s->ranking->table;
    for (uint32_t i = 0; i < count; i++, to += size) {
        const uint32_t *tokens = s->sets->tokens + offsets[i];
        if (i + AHEAD < more) {
            const uint32_t *next = s->sets->tokens + offsets[i + AHEAD];
            __builtin_prefetch(next);
            __builtin_prefetch(next + size - 1);
        }
        if (table)
            for (uint32_t j = 0; j < size; j++)
                to[j] = table[tokens[j]];
        else
            akin_ranking_map(s->ranking, tokens, size, to);
    }
}

/* Ranks the sets of a piece, and makes their keys. */
static akin_status rank_piece(void *argument, uint64_t task, uint32_t thread)
{
    const sorter *s = argument;
    const piece *p = &s->batch[task];
    const uint32_t at = p->first - s->batch->first, index = at - place_of_class(s, p), count = p->end - p->first;
    const akin_set_keys keys = keys_of_class(s, p);
    uint32_t few[FEW + AKIN_ORDER_PADDING] = {0}, *block = s->block + (p->offset - s->batch->offset);
    uint64_t *list = s->keys[is_small(s, p->class) ? s->passes % 2 : 0] + at;
    const uint32_t step = (uint32_t)akin_max_u64(1, FEW / keys.size);
    (void)thread;
    memcpy(s->rows + at, s->ranked->row + p->first, count * sizeof *s->rows);
    for (uint32_t i = 0, sets; i < count; i += sets) {
        const uint64_t offset = (uint64_t)i * keys.size;
        uint32_t *ranks = keys.size > FEW ? s->ranked->tokens + p->offset + offset : few; /* where no set is yet */
        sets = akin_min_u32(step, count - i);
        map_rows(s, s->ranked->offsets + p->first + i, sets, count - i, keys.size, ranks);
        akin_order_alike(s->scope->cpu, ranks, sets, keys.size, (int)s->bits, block + offset);
        for (uint32_t j = i; j < i + sets; j++)
            list[j] = akin_set_key(&keys, index + j, 0);
    }
    if (is_small(s, p->class))
        akin_sort_u64(list, count);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------ sorting keys
 */

/* The digit of the first rank by which a pass sorts. */
static inline uint32_t digit_of_key(const sorter *s, const akin_set_keys *keys, uint64_t key)
{
    const uint32_t shift = keys->index_bits + keys->second_bits + (uint32_t)s->pass * s->digit_bits;
    return (uint32_t)(key >> shift) & ((1u << s->digit_bits) - 1);
}

static inline uint32_t *places_of_piece(const sorter *s, uint64_t piece)
{
    return s->places + ((uint64_t)s->batch[piece].slot << s->digit_bits);
}

static akin_status count_digits(void *argument, uint64_t task, uint32_t thread)
{
    const sorter *s = argument;
    const piece *p = &s->batch[task];
    const akin_set_keys keys = keys_of_class(s, p);
    const uint64_t *from = s->keys[s->pass % 2] + (p->first - s->batch->first);
    uint32_t *counts = places_of_piece(s, task);
    (void)thread;
    if (is_small(s, p->class))
        return AKIN_OK;
    memset(counts, 0, sizeof *counts << s->digit_bits);
    for (uint32_t i = 0; i < p->end - p->first; i++)
        counts[digit_of_key(s, &keys, from[i])]++;
    return AKIN_OK;
}

/* Turns the counts of the pieces of a class into places: by digit, and then by piece. */
static void place_class(const sorter *s, uint64_t first, uint64_t end)
{
    uint32_t place = place_of_class(s, &s->batch[first]);
    for (uint32_t digit = 0; digit < 1u << s->digit_bits; digit++)
        for (uint64_t piece = first; piece < end; piece++) {
            uint32_t *count = &places_of_piece(s, piece)[digit], own = *count;
            *count = place;
            place += own;
        }
}

static akin_status move_keys(void *argument, uint64_t task, uint32_t thread)
{
    const sorter *s = argument;
    const piece *p = &s->batch[task];
    const akin_set_keys keys = keys_of_class(s, p);
    const uint64_t *from = s->keys[s->pass % 2] + (p->first - s->batch->first);
    uint64_t *to = s->keys[(s->pass + 1) % 2];
    uint32_t *places = places_of_piece(s, task);
    (void)thread;
    if (is_small(s, p->class))
        return AKIN_OK;
    for (uint32_t i = 0; i < p->end - p->first; i++)
        to[places[digit_of_key(s, &keys, from[i])]++] = from[i];
    return AKIN_OK;
}

static void place_classes(const sorter *s)
{
    for (uint64_t first = 0, end; first < s->batch_count; first = end) {
        for (end = first + 1; s->batch[end].class == s->batch[first].class; end++) {
        }
        if (!is_small(s, s->batch[first].class))
            place_class(s, first, end);
    }
}

/* Sorts the keys of all classes that are not small by their first ranks. */
static akin_status sort_keys(sorter *s)
{
    akin_status status = AKIN_OK;
    for (s->pass = 0; s->pass < s->passes && status == AKIN_OK; s->pass++) {
        status = akin_parallel(s->scope, NULL, s->batch_count, count_digits, s);
        if (status != AKIN_OK)
            return status;
        place_classes(s);
        status = akin_parallel(s->scope, NULL, s->batch_count, move_keys, s);
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- placing
 */

/* The first key from `at` on whose first rank is another than that of the key before; first ranks ascend. */
static uint32_t next_rank(const akin_set_keys *keys, const uint64_t *list, uint32_t at, uint32_t count)
{
    uint32_t low = at, high = count;
    while (at > 0 && low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (akin_first_rank_of_key(keys, list[middle]) == akin_first_rank_of_key(keys, list[at - 1]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Copies a set. There is room for a stride more than it has. */
static inline void copy_loosely(uint32_t *to, const uint32_t *from, uint32_t size)
{
    for (uint32_t i = 0; i < size; i += STRIDE)
        memcpy(to + i, from + i, STRIDE * sizeof *to);
}

/*
 * Copies the sets of one piece to where they belong; of sets with the same first rank, all that begin in the piece, as
 * other pieces leave out those that begin before them.
 */
static akin_status place_piece(void *argument, uint64_t task, uint32_t thread)
{
    const sorter *s = argument;
    akin_ranked *ranked = s->ranked;
    const piece *p = &s->batch[task];
    const akin_set_keys keys = keys_of_class(s, p);
    const uint32_t size = keys.size, class_first = ranked->class_first[p->class], place = place_of_class(s, p);
    const uint32_t count = sets_of_class(ranked, p->class);
    const uint64_t *sorted = s->keys[s->passes % 2] + place;
    const uint32_t first = next_rank(&keys, sorted, p->first - class_first, count);
    const uint32_t end = next_rank(&keys, sorted, p->end - class_first, count);
    (void)thread;
    if (first >= end)
        return AKIN_OK;
    uint64_t *own = ranked->offsets + class_first; /* an offset takes the place of the key that is done with */
    memcpy(own + first, sorted + first, (end - first) * sizeof *own);
    akin_set_keys_settle(&keys, own + first, end - first);
    uint64_t offset = p->offset + (uint64_t)(first - (p->first - class_first)) * size;
    const uint64_t loose = size <= LOOSE && end - first > STRIDE ? offset + (uint64_t)(end - first - STRIDE) * size : 0;
    for (uint32_t i = first; i < end; i++, offset += size) {
        const uint32_t set = akin_set_of_key(&keys, own[i]);
        const uint32_t *ranks = keys.tokens + (uint64_t)set * size;
        if (i + AHEAD < end) {
            const uint32_t *next = keys.tokens + (uint64_t)akin_set_of_key(&keys, own[i + AHEAD]) * size;
            __builtin_prefetch(next);
            __builtin_prefetch(next + size - 1);
            __builtin_prefetch(&s->rows[place + akin_set_of_key(&keys, own[i + AHEAD])]);
        }
        ranked->row[class_first + i] = s->rows[place + set];
        ranked->offsets[class_first + i] = offset;
        if (offset < loose)
            copy_loosely(ranked->tokens + offset, ranks, size);
        else
            memcpy(ranked->tokens + offset, ranks, size * sizeof *ranks);
    }
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- batches
 */

static akin_status sort_batch(sorter *s)
{
    akin_status status = akin_parallel(s->scope, NULL, s->batch_count, rank_piece, s);
    if (status == AKIN_OK)
        status = sort_keys(s);
    return status == AKIN_OK ? akin_parallel(s->scope, NULL, s->batch_count, place_piece, s) : status;
}

/* Makes the arrays of a batch, as large as the largest one needs them. */
static int make_block(sorter *s)
{
    uint64_t sets = 0, tokens = 0;
    uint32_t slots = 0; /* small classes need none */
    s->passes = (uint32_t)akin_ceil_div(akin_max_u64(s->bits, 1), DIGIT_BITS);
    s->digit_bits = (uint32_t)akin_ceil_div(s->bits, s->passes);
    for (piece *p = s->pieces, *next; p < s->pieces + s->piece_count; p = next) {
        uint32_t slot = 0;
        next = p + pieces_of_batch(s, p);
        sets = akin_max_u64(sets, next->first - p->first);
        tokens = akin_max_u64(tokens, next->offset - p->offset);
        for (piece *own = p; own < next; own++)
            own->slot = is_small(s, own->class) ? 0 : slot++;
        slots = akin_max_u32(slots, slot);
    }
    s->block = akin_alloc(s->account, tokens + STRIDE, sizeof *s->block);
    s->rows = akin_alloc(s->account, sets, sizeof *s->rows);
    s->sorted = akin_alloc(s->account, sets, sizeof *s->sorted);
    s->places = akin_alloc(s->account, (uint64_t)slots << s->digit_bits, sizeof *s->places);
    if (!s->block || !s->rows || !s->sorted || !s->places)
        return 0;
    memset(s->block + tokens, 0, STRIDE * sizeof *s->block);
    return 1;
}

static akin_status find_classes(const akin_scope *scope, akin_account *account, const akin_sets *sets, akin_bulk *rows,
                                int with_offsets, akin_ranked *out, akin_error *error)
{
    akin_set_classes found;
    akin_status status = akin_set_classes_make(scope, account, sets, rows, with_offsets, &found, error);
    *out = (akin_ranked){.count = found.count,
                         .row = found.row,
                         .offsets = found.offsets,
                         .classes = found.classes,
                         .class_size = found.class_size,
                         .class_first = found.class_first};
    return status;
}

akin_status akin_rank_classes(const akin_scope *scope, akin_account *account, const akin_sets *sets, akin_bulk *rows,
                              akin_ranked *out, akin_error *error)
{
    return find_classes(scope, account, sets, rows, 0, out, error);
}

static akin_status rank_side(sorter *s)
{
    akin_ranked *ranked = s->ranked;
    const uint64_t total = s->sets->offsets[s->sets->rows];
    akin_bulk rows = {.account = s->account, .limit = UINT64_MAX};
    akin_status status = find_classes(s->scope, s->account, s->sets, &rows, 1, ranked, NULL);
    ranked->row = rows.data;
    ranked->universe = s->ranking->universe;
    ranked->once = s->ranking->once;
    if (status != AKIN_OK)
        return status;
    ranked->tokens = akin_alloc(s->account, total, sizeof *ranked->tokens);
    if (!ranked->tokens || !cut_classes(s) || !make_block(s))
        return AKIN_E_NOMEM;
    ranked->offsets[ranked->count] = total;
    for (s->batch = s->pieces; status == AKIN_OK && s->batch < s->pieces + s->piece_count; s->batch += s->batch_count) {
        s->batch_count = pieces_of_batch(s, s->batch);
        s->keys[s->passes % 2] = s->sorted;
        s->keys[1 - s->passes % 2] = ranked->offsets + s->batch->first;
        status = akin_scope_report(s->scope, "sorting", s->batch->offset, total);
        if (status == AKIN_OK)
            status = sort_batch(s);
    }
    return status;
}

akin_status akin_rank_by(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                         const akin_sets *sets, akin_ranked *out, akin_error *error)
{
    sorter s = {.scope = scope,
                .account = account,
                .sets = sets,
                .ranking = ranking,
                .ranked = out,
                .bits = ranking->universe ? akin_bits_of(ranking->universe - 1) : 0};
    *out = (akin_ranked){0};
    akin_status status = rank_side(&s);
    akin_free(s.pieces);
    akin_free(s.block);
    akin_free(s.rows);
    akin_free(s.sorted);
    akin_free(s.places);
    if (status == AKIN_OK)
        return status;
    akin_ranked_clear(out);
    return akin_fail_stopped(error, status, "ranking the tokens and sorting the sets");
}

akin_status akin_rank_sets(const akin_scope *scope, akin_account *account, const akin_sets *left,
                           const akin_sets *right, akin_ranked *out_left, akin_ranked *out_right, akin_error *error)
{
    akin_ranking ranking;
    *out_left = (akin_ranked){0};
    if (right)
        *out_right = (akin_ranked){0};
    akin_status status = akin_ranking_count(scope, account, left, right, &ranking, error);
    if (status == AKIN_OK)
        status = akin_ranking_number(scope, &ranking, error);
    if (status == AKIN_OK)
        status = akin_rank_by(scope, account, &ranking, left, out_left, error);
    if (status == AKIN_OK && right)
        status = akin_rank_by(scope, account, &ranking, right, out_right, error);
    akin_ranking_clear(&ranking);
    if (status != AKIN_OK)
        akin_ranked_clear(out_left);
    return status;
}

void akin_ranked_clear(akin_ranked *ranked)
{
    akin_free(ranked->row);
    akin_free(ranked->offsets);
    akin_free(ranked->tokens);
    akin_free(ranked->class_size);
    akin_free(ranked->class_first);
    memset(ranked, 0, sizeof *ranked);
}

uint32_t akin_ranked_class_of(const akin_ranked *ranked, uint32_t set)
{
    return (uint32_t)akin_lower_bound_u32(ranked->class_first + 1, ranked->classes, (uint64_t)set + 1);
}

akin_ranked akin_ranked_range(const akin_ranked *whole, uint32_t first, uint32_t end, uint32_t *class_first)
{
    uint32_t class = akin_ranked_class_of(whole, first), classes = akin_ranked_class_of(whole, end - 1) - class + 1;
    class_first[0] = 0;
    for (uint32_t c = 1; c < classes; c++)
        class_first[c] = whole->class_first[class + c] - first;
    class_first[classes] = end - first;
    return (akin_ranked){.count = end - first,
                         .row = whole->row + first,
                         .offsets = whole->offsets ? whole->offsets + first : NULL, /* only classes may be known */
                         .tokens = whole->tokens,
                         .classes = classes,
                         .class_size = whole->class_size + class,
                         .class_first = class_first,
                         .universe = whole->universe,
                         .once = whole->once};
}

uint32_t akin_ranked_class(const akin_ranked *ranked, uint64_t size)
{
    return (uint32_t)akin_lower_bound_u32(ranked->class_size, ranked->classes, size);
}

uint32_t akin_ranked_first(const akin_ranked *ranked, uint64_t size)
{
    return ranked->class_first ? ranked->class_first[akin_ranked_class(ranked, size)] : 0;
}
