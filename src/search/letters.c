/* Numbers the code points of strings, and writes strings by these numbers. */
#include "search/letters.h"

#include "base/bits.h"
#include "strings/alphabet.h"
#include "text/utf8.h"

#include <string.h>

#define POINTS       0x110000 /* of Unicode */
#define REPORT_ROWS  ((uint32_t)1 << 12)
#define REPORT_BYTES ((uint64_t)1 << 20)

static const char what[] = "the alphabet of strings"; /* the memory is for */

akin_status akin_letters_take(const uint32_t *points, uint64_t count, akin_letters *out, int *is_valid)
{
    *out = (akin_letters){.points = points};
    *is_valid = count <= POINTS;
    for (uint64_t i = 0; i < count && *is_valid; i++) {
        *is_valid = points[i] < POINTS;
        out->limit = akin_max_u32(out->limit, points[i] + 1);
    }
    if (!*is_valid)
        return AKIN_OK;
    out->count = (uint32_t)count;
    out->numbers = akin_alloc(NULL, out->limit, sizeof *out->numbers);
    if (!out->numbers)
        return AKIN_E_NOMEM;
    memset(out->numbers, 0xff, out->limit * sizeof *out->numbers);
    for (uint32_t i = 0; i < out->count; i++) {
        *is_valid = *is_valid && out->numbers[points[i]] == UINT32_MAX;
        out->numbers[points[i]] = i;
    }
    return AKIN_OK;
}

void akin_letters_clear(akin_letters *letters)
{
    akin_free(letters->numbers);
    *letters = (akin_letters){0};
}

static uint32_t letter_number_of(const akin_letters *letters, uint32_t point)
{
    const uint32_t number = point < letters->limit ? letters->numbers[point] : UINT32_MAX;
    return number < letters->count ? number : letters->count;
}

/* Code points in the making. */
typedef struct learning {
    uint32_t *points;
    uint64_t count, room;
    uint8_t *seen; /* of each code point */
} learning;

static int number_point(learning *l, uint32_t point)
{
    uint32_t *points = akin_enlarge(NULL, l->points, &l->room, l->count + 1, sizeof *points);
    if (!points)
        return 0;
    l->points = points;
    l->points[l->count++] = point;
    l->seen[point] = 1;
    return 1;
}

/* Adds the code points of a string that were not there, and counts all in *length. Errors, without a message:
 * AKIN_E_INPUT, AKIN_E_NOMEM. */
static akin_status learn_string(learning *l, const char *text, uint64_t size, uint32_t *length)
{
    *length = 0;
    for (size_t at = 0, step; at < size; at += step, ++*length) {
        const uint32_t point = akin_utf8_decode(text + at, size - at, &step);
        if (point == AKIN_NO_POINT)
            return AKIN_E_INPUT;
        if (!l->seen[point] && !number_point(l, point))
            return AKIN_E_NOMEM;
    }
    return AKIN_OK;
}

akin_status akin_letters_report(const akin_scope *scope, const char *phase, const akin_column *column, uint32_t row,
                                uint32_t rows, uint64_t *due, akin_error *error)
{
    const uint64_t at = column->offsets[row];
    if (row % REPORT_ROWS != 0 && at < *due)
        return AKIN_OK;
    *due = at + REPORT_BYTES;
    return akin_scope_report(scope, phase, row, rows) == AKIN_OK ? AKIN_OK
                                                                 : akin_fail_stopped(error, AKIN_E_CANCELLED, what);
}

static akin_status learn_rows(const akin_scope *scope, learning *l, const akin_column *column, uint32_t rows,
                              uint32_t *lengths, akin_error *error)
{
    uint64_t due = 0;
    for (uint32_t row = 0; row < rows; row++) {
        const uint64_t at = column->offsets[row], size = column->offsets[row + UINT64_C(1)] - at;
        akin_status status = akin_letters_report(scope, "reading strings", column, row, rows, &due, error);
        if (status != AKIN_OK)
            return status;
        lengths[row] = 0;
        if (akin_column_has_text(column, row))
            status = size < UINT32_MAX ? learn_string(l, column->bytes + at, size, &lengths[row]) : AKIN_E_INPUT;
        if (status == AKIN_E_INPUT)
            return akin_strings_refuse(column, row, error);
        if (status != AKIN_OK)
            return akin_fail_memory(error, what);
    }
    return AKIN_OK;
}

akin_status akin_letters_learn(const akin_scope *scope, const akin_column *column, uint32_t rows,
                               const akin_letters *base, uint32_t *lengths, uint32_t **points, uint64_t *count,
                               akin_error *error)
{
    learning l = {.seen = akin_alloc_zero(NULL, POINTS, 1)};
    akin_status status = AKIN_OK;
    int is_there = l.seen != NULL;
    for (uint32_t i = 0; base && i < base->count && is_there; i++)
        is_there = number_point(&l, base->points[i]);
    status = is_there ? learn_rows(scope, &l, column, rows, lengths, error) : akin_fail_memory(error, what);
    akin_free(l.seen);
    *points = l.points; /* the caller's in any case */
    *count = l.count;
    return status;
}

uint64_t akin_letters_write(const akin_letters *letters, const char *text, uint64_t length, uint8_t *bytes,
                            uint32_t *numbers)
{
    uint64_t count = 0;
    for (size_t at = 0, size; at < length; at += size, count++) {
        const uint32_t point = akin_utf8_decode(text + at, length - at, &size);
        if (point == AKIN_NO_POINT)
            return UINT64_MAX;
        const uint32_t number = letter_number_of(letters, point);
        bytes[count] = (uint8_t)(number < letters->count ? number % AKIN_LETTERS_BYTES : AKIN_LETTERS_BYTES);
        if (numbers)
            numbers[count] = number;
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------------------- queries */

static akin_status write_lettered_rows(const akin_letters *letters, const akin_column *column, uint32_t first,
                                       uint32_t count, akin_lettered *out, akin_error *error)
{
    uint64_t *offsets = (uint64_t *)out->column.offsets;
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = first + i;
        const uint64_t at = column->offsets[row],
                       end = akin_column_has_text(column, row) ? column->offsets[row + UINT64_C(1)] : at;
        const uint64_t length =
            akin_letters_write(letters, column->bytes + at, end - at, (uint8_t *)out->column.bytes + offsets[i],
                               out->numbers ? out->numbers + offsets[i] : NULL);
        if (length == UINT64_MAX)
            return akin_strings_refuse(column, row, error);
        offsets[i + UINT64_C(1)] = offsets[i] + length;
    }
    return AKIN_OK;
}

akin_status akin_lettered_make(const akin_letters *letters, const akin_column *column, uint32_t first, uint32_t count,
                               akin_lettered *out, akin_error *error)
{
    *out = (akin_lettered){.column = *column};
    out->column.offsets += first;
    out->column.validity = column->validity ? column->validity + first / 8 : NULL;
    if (!letters)
        return AKIN_OK;
    out->is_own = 1;
    const uint64_t room = column->offsets[first + (uint64_t)count] - column->offsets[first];
    out->column.offsets = akin_alloc(NULL, (uint64_t)count + 1, sizeof *out->column.offsets);
    out->column.bytes = akin_alloc(NULL, room, 1);
    if (akin_letters_are_wide(letters))
        out->numbers = akin_alloc(NULL, room, sizeof *out->numbers);
    if (!out->column.offsets || !out->column.bytes || (akin_letters_are_wide(letters) && !out->numbers))
        return akin_fail_memory(error, "queries");
    return write_lettered_rows(letters, column, first, count, out, error);
}

void akin_lettered_clear(akin_lettered *lettered)
{
    if (lettered->is_own) {
        akin_free((void *)lettered->column.offsets);
        akin_free((void *)lettered->column.bytes);
        akin_free(lettered->numbers);
    }
    *lettered = (akin_lettered){.is_own = 0};
}
