/*
 * Ranks the tokens of one or two collections by rising frequency and sorts the sets by size and content.
 *
 * Rows are put into their size classes by counting. Each class is cut into pieces of PIECE sets, which are sorted one
 * by one; then the classes of more than one piece are merged, level by level. The unit of work stays a piece, of what
 * goes in or of what comes out, so threads share a class, and none is long at it when asked to stop.
 */
#include "sets/ranked.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "sets/ranking.h"
#include "sets/sets.h"

#include <string.h>

#define ROWS_A_TASK   1024
#define ROWS_A_REPORT ((uint32_t)1 << 20)
#define PIECE         4096
#define RUN           8 /* sets in the runs that are sorted by insertion */

/* What a set is sorted by inside its size class: its two rarest tokens at once, and the rest only where those are
 * equal. */
typedef struct entry {
    uint64_t key;
    uint32_t row;
} entry;

/* PIECE sets of a class, or the rest of it. */
typedef struct piece {
    uint32_t class;
    uint32_t first;
    uint32_t end;
    uint64_t offset; /* of its tokens, once sorted */
} piece;

typedef struct sorter {
    const akin_scope *scope;
    akin_account *account;
    const akin_sets *sets;
    const akin_ranking *ranking;
    akin_ranked *ranked;
    uint32_t *unsorted; /* ranks in the order of the rows */
    entry *entries[2];  /* each level of merging takes them from the one to the other */
    piece *pieces;
    uint64_t piece_count;
    int level; /* of merging */
} sorter;

/* --------------------------------------------------------------------------------------------------------- comparing
 */

/* The order of sets of one size whose keys are equal. */
static int tie_before(const sorter *s, const entry *a, const entry *b, uint32_t size)
{
    const uint32_t *x = s->unsorted + s->sets->offsets[a->row], *y = s->unsorted + s->sets->offsets[b->row];
    for (uint32_t i = 2; i < size; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return a->row < b->row;
}

static inline int is_before_set(const sorter *s, const entry *a, const entry *b, uint32_t size)
{
    return a->key != b->key ? a->key < b->key : tie_before(s, a, b, size);
}

/* Merges `first` .. and `second` .. into `to`. Which of two is taken moves no branch. */
static void merge_classes(const sorter *s, const entry *first, const entry *first_end, const entry *second,
                          const entry *second_end, entry *to, uint32_t size)
{
    while (first < first_end && second < second_end) {
        int other = is_before_set(s, second, first, size);
        *to++ = *(other ? second : first);
        second += other;
        first += !other;
    }
    memcpy(to, first, (size_t)(first_end - first) * sizeof *to);
    to += first_end - first;
    memcpy(to, second, (size_t)(second_end - second) * sizeof *to);
}

/* How many of the first `count` sets of a merger come from `first`; the others come from `second`. */
static uint64_t split_classes(const sorter *s, const entry *first, uint64_t first_count, const entry *second,
                              uint64_t second_count, uint64_t count, uint32_t size)
{
    uint64_t low = count > second_count ? count - second_count : 0, high = akin_min_u64(count, first_count);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (is_before_set(s, &first[middle], &second[count - middle - 1], size))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ------------------------------------------------------------------------------------------------------------- tasks
 */

static akin_status rank_set_rows(void *argument, uint64_t task, uint32_t thread)
{
    sorter *s = argument;
    const uint64_t *offsets = s->sets->offsets;
    uint64_t first = task * ROWS_A_TASK, end = akin_min_u64(first + ROWS_A_TASK, s->sets->rows);
    (void)thread;
    akin_ranking_map(s->ranking, s->sets->tokens + offsets[first], offsets[end] - offsets[first],
                     s->unsorted + offsets[first]);
    for (uint64_t row = first; row < end; row++)
        akin_sort_u32(s->unsorted + offsets[row], (size_t)(offsets[row + 1] - offsets[row]));
    return AKIN_OK;
}

/* Sorts one piece: short runs by insertion, then merged. */
static akin_status sort_piece(void *argument, uint64_t task, uint32_t thread)
{
    sorter *s = argument;
    const piece *p = &s->pieces[task];
    uint32_t size = s->ranked->class_size[p->class], count = p->end - p->first;
    entry *from = s->entries[0] + p->first, *to = s->entries[1] + p->first;
    (void)thread;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = s->ranked->row[p->first + i], j = i;
        const uint32_t *ranks = s->unsorted + s->sets->offsets[row];
        entry own = {.key = (uint64_t)ranks[0] << 32 | (size > 1 ? ranks[1] : 0), .row = row};
        for (; j % RUN > 0 && is_before_set(s, &own, &from[j - 1], size); j--)
            from[j] = from[j - 1];
        from[j] = own;
    }
    for (uint32_t width = RUN; width < count; width *= 2) {
        for (uint32_t start = 0; start < count; start += 2 * width) {
            const entry *middle = from + akin_min_u64(start + width, count);
            merge_classes(s, from + start, middle, middle, from + akin_min_u64(start + 2 * width, count), to + start,
                          size);
        }
        entry *swap = from;
        from = to;
        to = swap;
    }
    if (from != s->entries[0] + p->first)
        memcpy(to, from, count * sizeof *to);
    return AKIN_OK;
}

/* The number of sets in a sorted stretch that a level merges, except at the end of a class. */
static inline uint64_t width_of_ranks(int level)
{
    return (uint64_t)PIECE << level;
}

/*
 * Makes one piece of what comes out of a merger:
 *
 *     from   |  width sets, sorted    |  width sets, sorted    |
 *     to     | piece | piece | piece | piece | ...
 */
static akin_status merge_piece(void *argument, uint64_t task, uint32_t thread)
{
    sorter *s = argument;
    const piece *p = &s->pieces[task];
    uint32_t size = s->ranked->class_size[p->class];
    (void)thread;
    uint64_t class_first = s->ranked->class_first[p->class], class_end = s->ranked->class_first[p->class + 1];
    uint64_t width = width_of_ranks(s->level);
    if (class_end - class_first <= width) /* done at a lower level */
        return AKIN_OK;
    uint64_t start = p->first - (p->first - class_first) % (2 * width);
    uint64_t middle = akin_min_u64(start + width, class_end), end = akin_min_u64(middle + width, class_end);
    const entry *from = s->entries[s->level % 2], *first = from + start, *second = from + middle;
    uint64_t i = split_classes(s, first, middle - start, second, end - middle, p->first - start, size);
    uint64_t j = split_classes(s, first, middle - start, second, end - middle, p->end - start, size);
    merge_classes(s, first + i, first + j, second + (p->first - start - i), second + (p->end - start - j),
                  s->entries[(s->level + 1) % 2] + p->first, size);
    return AKIN_OK;
}

/* Copies the sets of one piece to where they belong. Their class was done at the first level at which it was no longer
 * than what is merged there, and lies where the level before put it. */
static akin_status place_piece(void *argument, uint64_t task, uint32_t thread)
{
    sorter *s = argument;
    akin_ranked *ranked = s->ranked;
    const piece *p = &s->pieces[task];
    uint64_t size = ranked->class_size[p->class], offset = p->offset;
    int level = 0;
    (void)thread;
    while (ranked->class_first[p->class + 1] - ranked->class_first[p->class] > width_of_ranks(level))
        level++;
    const entry *entries = s->entries[level % 2];
    for (uint32_t i = p->first; i < p->end; i++, offset += size) {
        ranked->row[i] = entries[i].row;
        ranked->offsets[i] = offset;
        memcpy(ranked->tokens + offset, s->unsorted + s->sets->offsets[entries[i].row], size * sizeof(uint32_t));
    }
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- classes
 */

/* Checks now and then whether to stop, for the loops over all rows. */
static inline akin_status check_ranking_cancelled(const akin_scope *scope, uint32_t row)
{
    return row % ROWS_A_REPORT == 0 ? akin_scope_report(scope, NULL, 0, 0) : AKIN_OK;
}

static inline uint32_t size_of_row(const akin_sets *sets, uint32_t row)
{
    return (uint32_t)(sets->offsets[row + 1] - sets->offsets[row]);
}

/* Lists the classes, given how many sets of each size there are, and turns these numbers into the classes' first sets.
 */
static int list_classes(akin_account *account, uint64_t *sizes, uint32_t largest, akin_ranked *ranked)
{
    for (uint64_t size = 1; size <= largest; size++)
        ranked->classes += sizes[size] != 0;
    ranked->class_size = akin_alloc(account, ranked->classes, sizeof(uint32_t));
    ranked->class_first = akin_alloc(account, (uint64_t)ranked->classes + 1, sizeof(uint32_t));
    if (!ranked->class_size || !ranked->class_first)
        return 0;
    uint32_t class = 0, first = 0;
    for (uint64_t size = 1; size <= largest; size++) {
        uint32_t count = (uint32_t)sizes[size];
        sizes[size] = first;
        if (!count)
            continue;
        ranked->class_size[class] = (uint32_t)size;
        ranked->class_first[class ++] = first;
        first += count;
    }
    ranked->class_first[class] = first;
    return 1;
}

/* Puts every row into its class: a counting sort by size. */
static akin_status classify_rows(const akin_scope *scope, akin_account *account, const akin_sets *sets, uint64_t *sizes,
                                 uint32_t largest, akin_ranked *out)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; status == AKIN_OK && row < sets->rows; row++) {
        sizes[size_of_row(sets, row)]++;
        status = check_ranking_cancelled(scope, row);
    }
    if (status == AKIN_OK && !list_classes(account, sizes, largest, out))
        status = AKIN_E_NOMEM;
    for (uint32_t row = 0; status == AKIN_OK && row < sets->rows; row++) {
        if (size_of_row(sets, row))
            out->row[sizes[size_of_row(sets, row)]++] = row;
        status = check_ranking_cancelled(scope, row);
    }
    return status;
}

akin_status akin_rank_classes(const akin_scope *scope, akin_account *account, const akin_sets *sets, akin_bulk *rows,
                              akin_ranked *out, akin_error *error)
{
    static const char what[] = "sorting the sets by size";
    akin_status status = AKIN_OK;
    uint32_t largest = 0;
    *out = (akin_ranked){0};
    for (uint32_t row = 0; row < sets->rows && (status = check_ranking_cancelled(scope, row)) == AKIN_OK; row++) {
        largest = size_of_row(sets, row) > largest ? size_of_row(sets, row) : largest;
        out->count += size_of_row(sets, row) != 0;
    }
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = akin_bulk_reserve(rows, (uint64_t)out->count * sizeof *out->row, what, error);
    if (status != AKIN_OK)
        return status;
    out->row = rows->data;
    uint64_t *sizes = akin_alloc_zero(account, (uint64_t)largest + 1, sizeof *sizes);
    status = sizes ? classify_rows(scope, account, sets, sizes, largest, out) : AKIN_E_NOMEM;
    akin_free(sizes);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

static int cut_classes(sorter *s)
{
    const akin_ranked *ranked = s->ranked;
    uint64_t offset = 0;
    for (uint32_t c = 0; c < ranked->classes; c++)
        s->piece_count += akin_ceil_div(ranked->class_first[c + 1] - ranked->class_first[c], PIECE);
    s->pieces = akin_alloc(s->account, s->piece_count, sizeof *s->pieces);
    if (!s->pieces)
        return 0;
    piece *p = s->pieces;
    for (uint32_t c = 0; c < ranked->classes; c++)
        for (uint64_t first = ranked->class_first[c], end; first < ranked->class_first[c + 1]; first = end) {
            end = akin_min_u64(first + PIECE, ranked->class_first[c + 1]);
            *p++ = (piece){.class = c, .first = (uint32_t)first, .end = (uint32_t)end, .offset = offset};
            offset += (end - first) * ranked->class_size[c];
        }
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- sorting
 */

static akin_status sort_pieces(sorter *s)
{
    uint64_t longest = 0;
    for (uint32_t c = 0; c < s->ranked->classes; c++)
        longest = akin_max_u64(longest, s->ranked->class_first[c + 1] - s->ranked->class_first[c]);
    akin_status status = akin_parallel(s->scope, "sorting", s->piece_count, sort_piece, s);
    for (; status == AKIN_OK && width_of_ranks(s->level) < longest; s->level++)
        status = akin_parallel(s->scope, "merging", s->piece_count, merge_piece, s);
    if (status == AKIN_OK)
        status = akin_parallel(s->scope, NULL, s->piece_count, place_piece, s);
    return status;
}

static akin_status rank_side(sorter *s)
{
    akin_ranked *ranked = s->ranked;
    uint64_t total = s->sets->offsets[s->sets->rows];
    akin_bulk rows = {.account = s->account, .limit = UINT64_MAX};
    akin_status status = akin_rank_classes(s->scope, s->account, s->sets, &rows, ranked, NULL);
    ranked->row = rows.data;
    ranked->universe = s->ranking->universe;
    ranked->once = s->ranking->once;
    if (status != AKIN_OK)
        return status;
    s->unsorted = akin_alloc(s->account, total, sizeof *s->unsorted);
    if (!s->unsorted || !cut_classes(s))
        return AKIN_E_NOMEM;
    status = akin_parallel(s->scope, "ranking", akin_ceil_div(s->sets->rows, ROWS_A_TASK), rank_set_rows, s);
    if (status != AKIN_OK)
        return status;
    ranked->offsets = akin_alloc(s->account, (uint64_t)ranked->count + 1, sizeof *ranked->offsets);
    ranked->tokens = akin_alloc(s->account, total, sizeof *ranked->tokens);
    s->entries[0] = akin_alloc(s->account, ranked->count, sizeof(entry));
    s->entries[1] = akin_alloc(s->account, ranked->count, sizeof(entry));
    if (!ranked->offsets || !ranked->tokens || !s->entries[0] || !s->entries[1])
        return AKIN_E_NOMEM;
    ranked->offsets[ranked->count] = total;
    return sort_pieces(s);
}

akin_status akin_rank_by(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                         const akin_sets *sets, akin_ranked *out, akin_error *error)
{
    sorter s = {.scope = scope, .account = account, .sets = sets, .ranking = ranking, .ranked = out};
    *out = (akin_ranked){0};
    akin_status status = rank_side(&s);
    akin_free(s.unsorted);
    akin_free(s.pieces);
    akin_free(s.entries[0]);
    akin_free(s.entries[1]);
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
        status = akin_ranking_order(scope, &ranking, error);
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

/* The class of a set. */
static uint32_t class_of_size(const akin_ranked *ranked, uint32_t set)
{
    return (uint32_t)akin_lower_bound_u32(ranked->class_first + 1, ranked->classes, (uint64_t)set + 1);
}

akin_ranked akin_ranked_range(const akin_ranked *whole, uint32_t first, uint32_t end, uint32_t *class_first)
{
    uint32_t class = class_of_size(whole, first), classes = class_of_size(whole, end - 1) - class + 1;
    class_first[0] = 0;
    for (uint32_t c = 1; c < classes; c++)
        class_first[c] = whole->class_first[class + c] - first;
    class_first[classes] = end - first;
    return (akin_ranked){.count = end - first,
                         .row = whole->row + first,
                         .offsets = whole->offsets + first,
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
