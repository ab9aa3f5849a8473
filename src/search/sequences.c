/* Prepares strings: sorts them by their first bytes, which is all that sharing asks for. */
#include "search/sequences.h"

#include "base/bits.h"
#include "base/sort.h"
#include "table/columns.h"

#include <string.h>

#define PIECE 12 /* bytes that are compared at once */
#define DEPTH 24 /* that strings are sorted by */

static const char what[] = "sequences"; /* the memory is for */

/* The bytes from `depth` on as a number, the first one uppermost, zeros behind the end; and the row. */
static akin_u128 key_of(const akin_column *column, uint32_t row, uint64_t depth)
{
    const uint64_t begin = column->offsets[row], length = column->offsets[row + UINT64_C(1)] - begin;
    akin_u128 key = 0;
    for (uint64_t i = depth; i < depth + PIECE; i++)
        key = key << 8 | (i < length ? (uint8_t)column->bytes[begin + i] : 0);
    return key << 32 | row;
}

/* Sorts keys, and those that are equal by the bytes that follow. */
static void sort_keys(const akin_column *column, akin_u128 *keys, uint64_t count)
{
    akin_sort_u128(keys, count);
    for (uint64_t depth = PIECE; depth < DEPTH; depth += PIECE)
        for (uint64_t i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && keys[end] >> 32 == keys[i] >> 32;)
                end++;
            for (uint64_t j = i; j < end && end > i + 1; j++)
                keys[j] = key_of(column, (uint32_t)keys[j], depth);
            akin_sort_u128(keys + i, end - i);
        }
}

static uint32_t common(const uint8_t *a, uint64_t a_length, const uint8_t *b, uint64_t b_length)
{
    const uint64_t most = akin_min_u64(a_length, b_length);
    uint64_t at = 0;
    while (at < most && a[at] == b[at])
        at++;
    return (uint32_t)at;
}

/* Copies the strings in the order of the keys. */
static void copy(const akin_column *column, const akin_u128 *keys, akin_sequences *s)
{
    s->begins[0] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t row = (uint32_t)keys[i];
        const uint64_t begin = column->offsets[row], length = column->offsets[row + UINT64_C(1)] - begin;
        uint8_t *to = s->bytes + s->begins[i];
        if (length > 0)
            memcpy(to, column->bytes + begin, (size_t)length);
        s->begins[i + UINT64_C(1)] = s->begins[i] + length;
        s->rows[i] = row;
        s->shared[i] = i > 0 ? common(to, length, s->bytes + s->begins[i - 1], s->begins[i] - s->begins[i - 1]) : 0;
        s->most_shared = akin_max_u32(s->most_shared, s->shared[i]);
        s->longest = akin_max_u32(s->longest, (uint32_t)length);
    }
}

akin_status akin_sequences_make(const akin_column *column, uint32_t rows, akin_sequences *out, akin_error *error)
{
    uint64_t bytes = 0;
    *out = (akin_sequences){0};
    akin_u128 *keys = akin_alloc(NULL, rows, sizeof *keys);
    for (uint32_t row = 0; keys && row < rows; row++) {
        const uint64_t length = column->offsets[row + UINT64_C(1)] - column->offsets[row];
        if (!akin_column_has(column, row))
            continue;
        if (length > INT32_MAX) {
            akin_free(keys);
            return akin_fail(error, AKIN_E_LIMIT, "row %lu has 2^31 bytes or more", (unsigned long)row);
        }
        keys[out->count++] = key_of(column, row, 0);
        bytes += length;
    }
    out->begins = akin_alloc(NULL, (uint64_t)out->count + 1, sizeof *out->begins);
    out->shared = akin_alloc(NULL, out->count, sizeof *out->shared);
    out->rows = akin_alloc(NULL, out->count, sizeof *out->rows);
    out->bytes = akin_alloc(NULL, bytes, 1);
    const int made = keys && out->begins && out->shared && out->rows && out->bytes;
    if (made) {
        sort_keys(column, keys, out->count);
        copy(column, keys, out);
    }
    akin_free(keys);
    return made ? AKIN_OK : akin_fail_memory(error, what);
}

void akin_sequences_clear(akin_sequences *sequences)
{
    akin_free(sequences->begins);
    akin_free(sequences->shared);
    akin_free(sequences->rows);
    akin_free(sequences->bytes);
    *sequences = (akin_sequences){0};
}
