/* Strings in Arrow's layout, growing. */
#include "table/strings.h"

#include "base/bits.h"
#include "base/reader.h"
#include "table/utf8.h"

#define ROWS_FIRST  32
#define BYTES_FIRST 256

enum { OFFSETS, BYTES, VALIDITY };

static uint64_t bitmap_bytes(uint64_t rows)
{
    return rows / 8 + (rows % 8 != 0);
}

akin_strings akin_strings_in(akin_store *store)
{
    return (akin_strings){.bulks = {akin_bulk_in(store), akin_bulk_in(store), akin_bulk_in(store)}};
}

/* What the arrays are, once a bulk has grown. */
static void refresh_views(akin_strings *s)
{
    s->offsets = s->bulks[OFFSETS].data;
    s->bytes = s->bulks[BYTES].data;
    s->validity = s->bulks[VALIDITY].data;
}

static akin_status grow_bytes(akin_strings *s, uint64_t length)
{
    akin_bulk *bulk = &s->bulks[BYTES];
    if (length > UINT64_MAX / 4 || s->length > UINT64_MAX / 4)
        return AKIN_E_NOMEM;
    uint64_t needed = akin_max_u64(s->length + length + AKIN_STRINGS_PIECE, BYTES_FIRST);
    akin_status status = akin_bulk_grow(bulk, needed, NULL, NULL);
    refresh_views(s);
    s->capacity = bulk->capacity;
    return status;
}

/* Makes room for the bits of `rows` rows. */
static akin_status grow_validity(akin_strings *s, uint64_t rows)
{
    akin_status status = akin_bulk_grow(&s->bulks[VALIDITY], bitmap_bytes(rows), NULL, NULL);
    refresh_views(s);
    return status;
}

/* Makes room for `rows` rows, and some more. */
static akin_status grow_rows(akin_strings *s, uint64_t rows)
{
    akin_bulk *bulk = &s->bulks[OFFSETS];
    uint64_t entries = rows + ROWS_FIRST;
    akin_status status = akin_bulk_grow(bulk, entries * sizeof *s->offsets, NULL, NULL);
    refresh_views(s);
    if (status != AKIN_OK)
        return status;
    s->offsets[0] = 0;
    uint64_t room = bulk->capacity / sizeof *s->offsets - 1;
    if (s->validity)
        status = grow_validity(s, room);
    if (status == AKIN_OK) /* else the offsets have more room than is known */
        s->rows_capacity = room;
    return status;
}

akin_status akin_strings_grow(akin_strings *strings, uint64_t length)
{
    akin_status status = AKIN_OK;
    if (strings->rows == strings->rows_capacity)
        status = grow_rows(strings, strings->rows + 1);
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

/* Makes a validity of strings that have had no nulls. */
static akin_status begin_validity(akin_strings *s)
{
    akin_status status = grow_validity(s, s->rows_capacity);
    if (status != AKIN_OK)
        return status;
    memset(s->validity, 0xff, bitmap_bytes(s->rows));
    if (s->rows % 8 != 0) /* bits beyond the rows are 0 */
        s->validity[s->rows / 8] = (uint8_t)((1u << s->rows % 8) - 1);
    return AKIN_OK;
}

akin_status akin_strings_add_nulls(akin_strings *strings, uint64_t rows)
{
    while (strings->rows < rows) {
        akin_status status = akin_strings_grow(strings, 0);
        if (status == AKIN_OK && !strings->validity)
            status = begin_validity(strings);
        if (status != AKIN_OK)
            return status;
        if (strings->rows % 8 == 0)
            strings->validity[strings->rows / 8] = 0;
        strings->nulls++;
        strings->offsets[++strings->rows] = strings->length;
    }
    return AKIN_OK;
}

/* Appends `count` bits, or as many ones if `from` is NULL, behind `at` others; those beyond are 0. */
static void append_bits(uint8_t *to, uint64_t at, const uint8_t *from, uint64_t count)
{
    const unsigned shift = at % 8;
    for (uint64_t i = 0; i < count; i += 8) {
        const unsigned some = count - i < 8 ? (unsigned)(count - i) : 8;
        const unsigned bits = ((from ? from[i / 8] : 0xffu) & ((1u << some) - 1)) << shift;
        uint8_t *byte = &to[(at + i) / 8];
        *byte = (uint8_t)(shift ? *byte | bits : bits);
        if (shift + some > 8)
            byte[1] = (uint8_t)(bits >> 8);
    }
}

akin_status akin_strings_place_piece(akin_strings *strings, uint64_t rows, const akin_strings *piece,
                                     akin_strings_place *place)
{
    akin_strings *s = strings;
    akin_status status = AKIN_OK;
    if (rows + piece->rows > s->rows_capacity)
        status = grow_rows(s, rows + piece->rows);
    if (status == AKIN_OK && s->capacity - s->length < piece->length + AKIN_STRINGS_PIECE)
        status = grow_bytes(s, piece->length);
    if (status == AKIN_OK)
        status = akin_strings_add_nulls(s, rows);
    if (status == AKIN_OK && piece->validity && !s->validity)
        status = begin_validity(s);
    if (status != AKIN_OK)
        return status;
    if (s->validity)
        append_bits(s->validity, s->rows, piece->validity, piece->rows);
    *place = (akin_strings_place){piece, s->bytes + s->length, s->offsets + s->rows + 1, s->length};
    s->rows += piece->rows;
    s->length += piece->length;
    s->nulls += piece->nulls;
    return AKIN_OK;
}

void akin_strings_copy_piece(const akin_strings_place *place)
{
    const akin_strings *piece = place->piece;
    if (piece->length > 0)
        memcpy(place->bytes, piece->bytes, piece->length);
    for (uint64_t i = 0; i < piece->rows; i++)
        place->offsets[i] = place->base + piece->offsets[i + 1];
}

void akin_strings_expect(akin_strings *strings, double times)
{
    const uint64_t rows = akin_expected(strings->rows, times), length = akin_expected(strings->length, times);
    if (rows > strings->rows_capacity)
        (void)grow_rows(strings, rows);
    if (length > strings->capacity - strings->length)
        (void)grow_bytes(strings, length);
}

void akin_strings_empty(akin_strings *strings)
{
    akin_bulk_empty(&strings->bulks[VALIDITY]);
    strings->validity = NULL;
    strings->rows = strings->length = strings->nulls = 0;
}

/* Cuts an array to size, and makes one of no bytes of what is NULL. */
static akin_status fit(akin_bulk *bulk, uint64_t bytes)
{
    akin_status status = akin_bulk_reserve(bulk, bytes, NULL, NULL);
    if (status == AKIN_OK)
        akin_bulk_trim(bulk, bytes);
    return status;
}

akin_status akin_strings_fit(akin_strings *strings)
{
    akin_status status = fit(&strings->bulks[OFFSETS], (strings->rows + 1) * sizeof *strings->offsets);
    if (status == AKIN_OK)
        status = fit(&strings->bulks[BYTES], strings->length);
    if (status == AKIN_OK && strings->validity)
        status = fit(&strings->bulks[VALIDITY], bitmap_bytes(strings->rows));
    refresh_views(strings);
    if (strings->offsets && strings->rows == 0)
        strings->offsets[0] = 0;
    strings->rows_capacity = strings->rows;
    strings->capacity = strings->length;
    return status;
}

akin_status akin_strings_borrow(akin_strings *strings, uint64_t rows, const char *bytes, const uint64_t *offsets,
                                uint64_t nulls)
{
    akin_status status = AKIN_OK;
    if (!offsets)
        status = fit(&strings->bulks[OFFSETS], (rows + 1) * sizeof *offsets);
    if (status == AKIN_OK && nulls > 0)
        status = akin_bulk_reserve_zeros(&strings->bulks[VALIDITY], bitmap_bytes(rows), NULL, NULL);
    if (status != AKIN_OK)
        return status;
    akin_bulk_trim(&strings->bulks[VALIDITY], bitmap_bytes(rows));
    refresh_views(strings);
    if (offsets) /* nobody writes to the rows of strings that do not grow */
        strings->offsets = (uint64_t *)offsets;
    strings->bytes = (char *)bytes;
    strings->rows = rows;
    strings->nulls = nulls;
    return AKIN_OK;
}

void akin_strings_clear(akin_strings *strings)
{
    for (int i = 0; i < 3; i++)
        akin_bulk_clear(&strings->bulks[i]);
    *strings = (akin_strings){0};
}

void akin_strings_release(const akin_strings *strings)
{
    for (int i = 0; i < 3; i++)
        akin_bulk_release(&strings->bulks[i]);
}
