/* Comparators as books have them: the whole matrix, the whole window; and random strings to try them on. */
#ifndef AKIN_TEST_STRINGS_SUPPORT_H
#define AKIN_TEST_STRINGS_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "strings/bag.h"
#include "strings/edit.h"
#include "strings/jaro.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOLS_MOST 512 /* the most that a GPU takes */

#define COLUMNS_MOST 2048 /* of a matrix */

/* The distance by the matrix of all prefixes, of which three rows are kept; swaps: neighbours may change places. */
static inline uint32_t distance_by_matrix(const uint32_t *a, uint32_t rows, const uint32_t *b, uint32_t columns,
                                          int swaps)
{
    static uint32_t matrix[3][COLUMNS_MOST + 1];
    for (uint32_t i = 0; i <= rows; i++) {
        uint32_t *row = matrix[i % 3], *above = matrix[(i + 2) % 3], *before = matrix[(i + 1) % 3];
        for (uint32_t j = 0; j <= columns; j++) {
            uint32_t least = i == 0 ? j : i;
            if (i > 0 && j > 0) {
                least = above[j - 1] + (a[i - 1] != b[j - 1]);
                least = above[j] + 1 < least ? above[j] + 1 : least;
                least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
                if (swaps && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                    before[j - 2] + 1 < least)
                    least = before[j - 2] + 1;
            }
            row[j] = least;
        }
    }
    return matrix[rows % 3][columns];
}

/* Jaro's matches by looking at every place of the window. */
static inline akin_jaro jaro_by_windows(const uint32_t *a, uint32_t length_a, const uint32_t *b, uint32_t length_b)
{
    static uint32_t in_a[SYMBOLS_MOST];
    uint8_t taken[SYMBOLS_MOST] = {0};
    int32_t longer = (int32_t)(length_a > length_b ? length_a : length_b), window = longer / 2 - 1;
    akin_jaro jaro = {0, 0};
    window = window < 0 ? 0 : window;
    for (int32_t i = 0; i < (int32_t)length_a; i++)
        for (int32_t j = i - window; j <= i + window; j++)
            if (j >= 0 && j < (int32_t)length_b && !taken[j] && a[i] == b[j]) {
                taken[j] = 1;
                in_a[jaro.matched++] = a[i];
                break;
            }
    for (uint32_t j = 0, at = 0; j < length_b; j++)
        if (taken[j])
            jaro.apart += in_a[at++] != b[j];
    return jaro;
}

/* Symbols, and the same as UTF-8. */
typedef struct string {
    uint32_t symbols[SYMBOLS_MOST], length;
    char text[4 * SYMBOLS_MOST];
    uint32_t bytes;
} string;

static inline void encode(string *s)
{
    s->bytes = 0;
    for (uint32_t i = 0; i < s->length; i++) {
        uint32_t point = s->symbols[i], size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        static const uint32_t marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
        for (uint32_t k = size; k-- > 1; point >>= 6)
            s->text[s->bytes + k] = (char)(0x80 | (point & 0x3f));
        s->text[s->bytes] = (char)(point | marks[size]);
        s->bytes += size;
    }
}

static inline uint32_t draw_symbol(akin_random *random, uint32_t kinds)
{
    static const uint32_t starts[] = {'a', 0xe0, 0x3b1, 0x4e00, 0x1f600};
    uint32_t of = (uint32_t)akin_random_below(random, kinds > 6 ? 5 : 1);
    return starts[of] + (uint32_t)akin_random_below(random, kinds);
}

static inline void draw_string(akin_random *random, uint32_t kinds, uint32_t length, string *out)
{
    out->length = length;
    for (uint32_t i = 0; i < length; i++)
        out->symbols[i] = draw_symbol(random, kinds);
    encode(out);
}

/* Some edits of a string: symbols inserted, deleted, replaced, swapped. */
static inline void edit_string(akin_random *random, uint32_t kinds, const string *from, uint32_t edits, string *out)
{
    *out = *from;
    while (edits-- > 0) {
        uint32_t kind = (uint32_t)akin_random_below(random, 4), n = out->length;
        uint32_t at = (uint32_t)akin_random_below(random, n + 1);
        if (kind == 0 && n < SYMBOLS_MOST) {
            memmove(out->symbols + at + 1, out->symbols + at, (n - at) * sizeof *out->symbols);
            out->symbols[at] = draw_symbol(random, kinds);
            out->length++;
        } else if (kind == 1 && at < n) {
            memmove(out->symbols + at, out->symbols + at + 1, (n - at - 1) * sizeof *out->symbols);
            out->length--;
        } else if (kind == 2 && at < n) {
            out->symbols[at] = draw_symbol(random, kinds);
        } else if (kind == 3 && at + 1 < n) {
            uint32_t symbol = out->symbols[at];
            out->symbols[at] = out->symbols[at + 1];
            out->symbols[at + 1] = symbol;
        }
    }
    encode(out);
}

#endif
