/*
 * What a thread does with the text of a record, on a GPU and on the host that plays one: counts its symbols, makes its
 * shape, and keys of that. It says of UTF-8, bags and Soundex what text/utf8.h, strings/bag.h and strings/soundex.c
 * say.
 */
#ifndef AKIN_DEDUPE_GPU_TEXTS_H
#define AKIN_DEDUPE_GPU_TEXTS_H

#include "dedupe/gpu_kernels.h"
#include "device/gpu_step.h"
#include "text/utf8.h"

#define AKIN_GPU_SAMPLED 16 /* one value in this many has its symbols counted */

/* ---------------------------------------------------------------------------------------------------------- lengths */

/* Decodes one symbol; AKIN_NO_POINT: it is none. See text/utf8.h. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_decode(const unsigned char *at, uint64_t left, uint32_t *size)
{
    uint32_t first = at[0], point;
    *size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0x80)
        return first;
    if (first < 0xc2 || first > 0xf4 || left < *size)
        return AKIN_NO_POINT;
    point = first & 0x7fu >> *size;
    for (uint32_t i = 1; i < *size; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return AKIN_NO_POINT;
        point = point << 6 | (at[i] & 0x3fu);
    }
    if (*size == 3)
        return point >= 0x800 && (point < 0xd800 || point > 0xdfff) ? point : AKIN_NO_POINT;
    return *size == 2 || (point >= 0x10000 && point <= 0x10ffff) ? point : AKIN_NO_POINT;
}

/* The bytes of a row; none: it is missing. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_bytes_of(const akin_gpu_texts *texts, uint32_t row, const unsigned char **out)
{
    uint64_t begin = texts->offsets[row], end = texts->offsets[row + (uint64_t)1];
    int is_there = !texts->validity || (texts->validity[row / 8] >> row % 8 & 1);
    *out = (const unsigned char *)texts->bytes + (begin - texts->offsets[0]);
    return is_there ? end - begin : 0;
}

/* What a block of threads counts. */
typedef struct akin_gpu_counted {
    uint32_t lengths[AKIN_GPU_LONGEST + 1], bins[AKIN_GPU_BINS];
} akin_gpu_counted;

AKIN_GPU_FUNCTION void akin_gpu_clear_counted(akin_gpu_counted *counts, uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < sizeof *counts / sizeof(uint32_t); i += threads)
        ((uint32_t *)counts)[i] = 0;
}

AKIN_GPU_FUNCTION void akin_gpu_add_counted(const akin_gpu_counted *counts, akin_gpu_survey *survey, uint32_t thread,
                                            uint32_t threads)
{
    for (uint32_t i = thread; i <= AKIN_GPU_LONGEST; i += threads)
        if (counts->lengths[i])
            akin_gpu_add32(&survey->lengths[i], counts->lengths[i]);
    for (uint32_t i = thread; i < AKIN_GPU_BINS; i += threads)
        if (counts->bins[i])
            akin_gpu_add32(&survey->bins[i], counts->bins[i]);
}

AKIN_GPU_FUNCTION void akin_gpu_measure_row(const akin_gpu_texts *texts, uint32_t row, uint32_t *lengths,
                                            akin_gpu_counted *counts, akin_gpu_survey *survey)
{
    uint32_t length = 0, highest = 0, size;
    const unsigned char *text;
    uint64_t bytes = akin_gpu_bytes_of(texts, row, &text);
    int unfit = bytes > 4 * AKIN_GPU_LONGEST;
    for (uint64_t i = 0; i < bytes && !unfit; i += size, length++) {
        uint32_t point = akin_gpu_decode(text + i, bytes - i, &size);
        unfit = point == AKIN_NO_POINT || length == AKIN_GPU_LONGEST;
        highest = unfit || highest > point ? highest : point;
        if (row % AKIN_GPU_SAMPLED == 0 && !unfit)
            akin_gpu_add32(&counts->bins[AKIN_GPU_BIN(point)], 1);
    }
    if (unfit) {
        akin_gpu_add32(&survey->unfit, 1);
        length = 0;
    }
    lengths[texts->first + row] = length;
    akin_gpu_add32(&counts->lengths[length], 1);
    if (length > survey->longest)
        akin_gpu_max32(&survey->longest, length);
    if (highest > survey->point)
        akin_gpu_max32(&survey->point, highest);
}

/* ----------------------------------------------------------------------------------------------------------- shapes */

AKIN_GPU_FUNCTION void akin_gpu_put_symbol(const akin_gpu_column *column, uint64_t at, uint32_t point)
{
    if (column->width == 1)
        ((uint8_t *)column->symbols)[at] = (uint8_t)point;
    else if (column->width == 2)
        ((uint16_t *)column->symbols)[at] = (uint16_t)point;
    else
        ((uint32_t *)column->symbols)[at] = point;
}

/* The symbol at a place, where symbols have `width` bytes. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_symbol(const void *symbols, uint32_t width, uint64_t at)
{
    if (width == 1)
        return ((const uint8_t *)symbols)[at];
    return width == 2 ? ((const uint16_t *)symbols)[at] : ((const uint32_t *)symbols)[at];
}

/* Counts a symbol of a kind: see strings/bag.h. */
AKIN_GPU_FUNCTION void akin_gpu_count_symbol(uint64_t words[4], uint32_t kind, int deep)
{
    uint32_t shift = kind % 16 * 4, at = kind / 16;
    AKIN_GPU_UNROLL
    for (uint32_t w = 0; w < 4; w++) {
        int is_full = (words[w] >> shift & 15) == 15, here = w == at;
        if (here && deep && is_full && w < 2)
            at = w + 2;
        else if (here)
            words[w] |= ((words[w] >> shift & 15) << 1 | 1) << shift & (uint64_t)15 << shift;
    }
}

AKIN_GPU_FUNCTION void akin_gpu_shape_row(const akin_gpu_texts *texts, uint32_t row, const uint32_t *lengths,
                                          const uint64_t *starts, const uint8_t *kinds, int deep,
                                          const akin_gpu_column *column)
{
    uint32_t record = texts->first + row, size;
    akin_gpu_shape made = {{0, 0, 0, 0}, starts[record], 0, lengths[record]};
    const unsigned char *text;
    uint64_t bytes = akin_gpu_bytes_of(texts, row, &text), at = 0;
    for (uint32_t i = 0; i < made.length; i++, at += size) {
        uint32_t point = akin_gpu_decode(text + at, bytes - at, &size);
        akin_gpu_put_symbol(column, made.at + i, point);
        akin_gpu_count_symbol(made.words, kinds[AKIN_GPU_BIN(point)], deep);
        made.head |= i < 4 ? (point & 255) << (24 - 8 * i) : 0;
    }
    for (uint32_t i = made.length; i < 4; i++)
        made.head |= 255u << (24 - 8 * i);
    column->shapes[record] = made;
}

/* ------------------------------------------------------------------------------------------------------------- keys */

/* See strings/soundex.c; 0: there is no letter. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_soundex(const akin_gpu_column *column, const akin_gpu_shape *shape)
{
    const char *digits = "01230120022455012623010202";
    uint32_t code = 0, count = 0;
    uint8_t last = 0;
    for (uint32_t i = 0; i < shape->length && count < 4; i++) {
        uint32_t point = akin_gpu_symbol(column->symbols, column->width, shape->at + i), letter = (point | 0x20u) - 'a';
        if (point >= 128 || letter > 'z' - 'a')
            continue;
        const uint8_t digit = (uint8_t)digits[letter];
        int is_silent = letter == 'h' - 'a' || letter == 'w' - 'a';
        if (count > 0 && is_silent)
            continue;
        if (count == 0 || (digit != '0' && digit != last)) {
            code = code << 8 | (count == 0 ? 'A' + letter : digit);
            count++;
        }
        last = digit;
    }
    for (; count > 0 && count < 4; count++)
        code = code << 8 | '0';
    return code;
}

/* The key of a record: its Soundex code, or its length and first symbol. A code that is to be compared is 1 where there
 * is none. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_key_of(const akin_gpu_column *column, uint32_t record, int soundex, int coded)
{
    const akin_gpu_shape shape = column->shapes[record];
    if (soundex) {
        const uint32_t key = akin_gpu_soundex(column, &shape);
        return coded && shape.length > 0 && key == 0 ? 1 : key;
    }
    return shape.length > 0 ? 1000 * shape.length + akin_gpu_symbol(column->symbols, column->width, shape.at) : 0;
}

#endif
