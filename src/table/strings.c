/* Strings in Arrow's layout, growing. */
#include "table/strings.h"

#include "base/memory.h"
#include "table/utf8.h"

#define ROWS_FIRST  32
#define BYTES_FIRST 256

static uint64_t bitmap_bytes(uint64_t rows)
{
    return rows / 8 + (rows % 8 != 0);
}

static akin_status grow_bytes(akin_strings *s, uint64_t length)
{
    uint64_t larger = s->capacity + s->capacity / 2 + BYTES_FIRST;
    if (length > UINT64_MAX / 4 || s->length > UINT64_MAX / 4)
        return AKIN_E_NOMEM;
    if (larger < s->length + length + AKIN_STRINGS_PIECE)
        larger = s->length + length + AKIN_STRINGS_PIECE;
    char *bytes = akin_resize(NULL, s->bytes, larger, 1);
    if (!bytes)
        return AKIN_E_NOMEM;
    s->bytes = bytes;
    s->capacity = larger;
    return AKIN_OK;
}

static akin_status grow_rows(akin_strings *s)
{
    uint64_t larger = s->rows_capacity + s->rows_capacity / 2 + ROWS_FIRST;
    uint64_t *offsets = akin_resize(NULL, s->offsets, larger + 1, sizeof *offsets);
    if (!offsets)
        return AKIN_E_NOMEM;
    s->offsets = offsets;
    offsets[0] = 0;
    if (s->validity) {
        uint8_t *validity = akin_resize(NULL, s->validity, bitmap_bytes(larger), 1);
        if (!validity)
            return AKIN_E_NOMEM; /* the offsets have more room than is known */
        s->validity = validity;
    }
    s->rows_capacity = larger;
    return AKIN_OK;
}

akin_status akin_strings_grow(akin_strings *strings, uint64_t length)
{
    akin_status status = AKIN_OK;
    if (strings->rows == strings->rows_capacity)
        status = grow_rows(strings);
    if (status == AKIN_OK && strings->capacity - strings->length < length + AKIN_STRINGS_PIECE)
        status = grow_bytes(strings, length);
    return status;
}

akin_status akin_strings_append(akin_strings *strings, const char *bytes, size_t length)
{
    akin_status status = akin_strings_grow(strings, length);
    if (status != AKIN_OK)
        return status;
    memcpy(strings->bytes + strings->length, bytes, length);
    strings->length += length;
    return AKIN_OK;
}

akin_status akin_strings_append_repaired(akin_strings *strings, const char *bytes, size_t length)
{
    size_t valid = akin_utf8_check(bytes, length);
    akin_status status = akin_strings_append(strings, bytes, valid);
    if (status != AKIN_OK || valid == length)
        return status;
    if (length - valid > SIZE_MAX / 4)
        return AKIN_E_NOMEM;
    status = akin_strings_grow(strings, 3 * (uint64_t)(length - valid));
    if (status != AKIN_OK)
        return status;
    strings->length += akin_utf8_repair(bytes + valid, length - valid, strings->bytes + strings->length);
    return AKIN_OK;
}

akin_status akin_strings_end(akin_strings *strings)
{
    akin_status status = akin_strings_grow(strings, 0);
    if (status != AKIN_OK)
        return status;
    if (strings->validity) {
        uint8_t bit = (uint8_t)(1u << strings->rows % 8), *byte = &strings->validity[strings->rows / 8];
        *byte = strings->rows % 8 == 0 ? bit : *byte | bit;
    }
    strings->offsets[++strings->rows] = strings->length;
    return AKIN_OK;
}

akin_status akin_strings_add_nulls(akin_strings *strings, uint64_t rows)
{
    while (strings->rows < rows) {
        akin_status status = akin_strings_grow(strings, 0);
        if (status != AKIN_OK)
            return status;
        if (!strings->validity) {
            strings->validity = akin_alloc(NULL, bitmap_bytes(strings->rows_capacity), 1);
            if (!strings->validity)
                return AKIN_E_NOMEM;
            memset(strings->validity, 0xff, bitmap_bytes(strings->rows));
            if (strings->rows % 8 != 0) /* bits beyond the rows are 0 */
                strings->validity[strings->rows / 8] = (uint8_t)((1u << strings->rows % 8) - 1);
        }
        if (strings->rows % 8 == 0)
            strings->validity[strings->rows / 8] = 0;
        strings->nulls++;
        strings->offsets[++strings->rows] = strings->length;
    }
    return AKIN_OK;
}

akin_status akin_strings_fit(akin_strings *strings)
{
    uint64_t *offsets = akin_resize(NULL, strings->offsets, strings->rows + 1, sizeof *offsets);
    if (!offsets)
        return AKIN_E_NOMEM;
    if (strings->rows == 0)
        offsets[0] = 0;
    strings->offsets = offsets;
    strings->rows_capacity = strings->rows;
    char *bytes = akin_resize(NULL, strings->bytes, strings->length, 1);
    if (!bytes)
        return AKIN_E_NOMEM;
    strings->bytes = bytes;
    strings->capacity = strings->length;
    if (strings->validity) {
        uint8_t *validity = akin_resize(NULL, strings->validity, bitmap_bytes(strings->rows), 1);
        if (!validity)
            return AKIN_E_NOMEM;
        strings->validity = validity;
    }
    return AKIN_OK;
}

void akin_strings_clear(akin_strings *strings)
{
    akin_free(strings->offsets);
    akin_free(strings->bytes);
    akin_free(strings->validity);
    *strings = (akin_strings){0};
}
