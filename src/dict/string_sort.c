/*
 * Sorts strings by 11 bytes at a time, as numbers that also have the row. Longer strings that are equal in these bytes
 * form a range. The next pass sorts each range by the next 11 bytes, until no range is left.
 *
 *     entry    | 11 bytes of the string, the first one uppermost, then zeros | their number; 12: more follow | row |
 */
#include "dict/string_sort.h"

#include "base/bits.h"
#include "base/sort.h"
#include "dict/ranges.h"

#define PIECE 11 /* bytes of the string in an entry */
#define STEP  ((uint32_t)1 << 16)

typedef struct sorting {
    const akin_column *column;
    akin_u128 *entries;
    akin_bulk bulk;
    akin_ranges now, next;
    uint64_t work; /* entries that were sorted since the last question whether to stop */
    akin_cancellation *cancellation;
    const char *what;
    akin_error *error;
} sorting;

static akin_status stop_sorting(const sorting *s)
{
    return akin_fail_stopped(s->error, AKIN_E_CANCELLED, NULL);
}

/* Makes the entry of a row from its bytes from `depth` on. */
static akin_u128 entry_of(const akin_column *column, uint32_t row, uint64_t depth)
{
    const uint64_t begin = column->offsets[row] + depth, left = column->offsets[row + UINT64_C(1)] - begin;
    unsigned char piece[16] = {0};
    uint64_t upper = 0, lower = 0;
    if (left > 0)
        memcpy(piece, column->bytes + begin, (size_t)akin_min_u64(PIECE, left));
    for (int i = 0; i < 8; i++)
        upper = upper << 8 | piece[i];
    for (int i = 8; i < PIECE; i++)
        lower = lower << 8 | piece[i];
    lower = lower << 8 | akin_min_u64(PIECE + 1, left);
    return (akin_u128)upper << 64 | lower << 32 | row;
}

/* Adds to the list `next` the ranges of longer strings of a sorted range that are equal so far. */
static akin_status split_range(sorting *s, akin_range sorted)
{
    const uint32_t end = sorted.first + sorted.count;
    uint32_t reported = sorted.first;
    for (uint32_t i = sorted.first, next; i < end; i = next) {
        for (next = i + 1; next < end && s->entries[next] >> 32 == s->entries[i] >> 32;)
            next++;
        if (next - reported > STEP) {
            reported = next;
            if (!akin_goes_on(s->cancellation))
                return stop_sorting(s);
        }
        if (next == i + 1 || (s->entries[i] >> 32 & 255) <= PIECE)
            continue;
        akin_status status = akin_ranges_add(&s->next, i, next - i, s->what, s->error);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

static akin_status sort_range(sorting *s, akin_range r, uint64_t depth)
{
    s->work += r.count;
    if (s->work > STEP) {
        s->work = 0;
        if (!akin_goes_on(s->cancellation))
            return stop_sorting(s);
    }
    for (uint32_t i = 0; i < r.count; i++) {
        akin_u128 *entry = &s->entries[r.first + i];
        *entry = entry_of(s->column, (uint32_t)*entry, depth);
        if (i % STEP == STEP - 1 && !akin_goes_on(s->cancellation))
            return stop_sorting(s);
    }
    if (!akin_sort_long_u128(s->entries + r.first, r.count, s->cancellation))
        return stop_sorting(s);
    return split_range(s, r);
}

static akin_status sort_pieces(sorting *s, uint32_t count)
{
    if (!akin_goes_on(s->cancellation))
        return stop_sorting(s);
    akin_status status = count > 0 ? sort_range(s, (akin_range){0, count}, 0) : AKIN_OK;
    for (uint64_t depth = PIECE; s->next.count > 0 && status == AKIN_OK; depth += PIECE) {
        akin_ranges_turn(&s->now, &s->next);
        for (uint64_t i = 0; i < s->now.count && status == AKIN_OK; i++)
            status = sort_range(s, akin_ranges_at(&s->now, i), depth);
    }
    return status;
}

akin_status akin_strings_sort(const akin_column *column, uint32_t *rows, uint32_t count, akin_store *store,
                              akin_cancellation *cancellation, const char *what, akin_error *error)
{
    sorting s = {.column = column, .cancellation = cancellation, .what = what, .error = error};
    s.bulk = s.now.bulk = s.next.bulk = akin_bulk_in(store);
    akin_status status = akin_bulk_reserve(&s.bulk, (uint64_t)count * sizeof *s.entries, what, error);
    if (status == AKIN_OK) {
        s.entries = s.bulk.data;
        for (uint32_t i = 0; i < count; i++)
            s.entries[i] = rows[i];
        status = sort_pieces(&s, count);
        for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
            rows[i] = (uint32_t)s.entries[i];
    }
    akin_bulk_clear(&s.bulk);
    akin_bulk_clear(&s.now.bulk);
    akin_bulk_clear(&s.next.bulk);
    return status;
}
