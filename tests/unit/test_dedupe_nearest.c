/* The nearest records as a selection of pairs, against a search that measures all pairs: random tables, ties, empty
 * values, one table and two, several threads, memory bounds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/context.h"
#include "base/random.h"
#include "unit/test_ratio.h"

#define ROWS   6000
#define LENGTH 16                 /* letters of a value, at most */
#define CODES  (32 * 32 * 32 * 2) /* of tokens */
#define MIB    ((uint64_t)1 << 20)
#define Q      3

/* Records: a value of letters each, which the tables share among them, and a letter that all have. */
typedef struct table {
    uint32_t rows, left; /* left: of the left table; all, if there is one */
    char bytes[ROWS * LENGTH], letters[ROWS];
    uint64_t offsets[ROWS + 1], letter_offsets[ROWS + 1];
    uint32_t tokens[ROWS][LENGTH], counts[ROWS]; /* of each record */
    uint32_t weights[CODES];
    uint64_t lengths[ROWS];
} table;

static table t;

/* ---------------------------------------------------------------------------------------------------------- records */

/* The tokens of a value: its runs of three letters, each once; or a shorter value. */
static void cut(uint32_t row)
{
    const uint64_t begin = t.offsets[row], length = t.offsets[row + 1] - begin;
    t.counts[row] = 0;
    for (uint64_t i = 0; length > 0 && (i == 0 || i + Q <= length); i++) {
        uint32_t code = 0, at = 0;
        for (uint64_t k = i; k < i + Q && k < length; k++)
            code = code * 32 + (uint32_t)(t.bytes[begin + k] - 'a' + 1);
        while (at < t.counts[row] && t.tokens[row][at] != code)
            at++;
        t.tokens[row][at] = code;
        t.counts[row] += at == t.counts[row];
    }
}

static void weigh(void)
{
    double records = 0;
    memset(t.weights, 0, sizeof t.weights);
    for (uint32_t row = 0; row < t.rows; row++) {
        records += t.counts[row] > 0;
        for (uint32_t i = 0; i < t.counts[row]; i++)
            t.weights[t.tokens[row][i]]++;
    }
    for (uint32_t code = 0; code < CODES; code++)
        if (t.weights[code] > 0) {
            const uint32_t weight = (uint32_t)llround(1024 * log(1 + records / t.weights[code]));
            t.weights[code] = weight * weight;
        }
    for (uint32_t row = 0; row < t.rows; row++) {
        t.lengths[row] = 0;
        for (uint32_t i = 0; i < t.counts[row]; i++)
            t.lengths[row] += t.weights[t.tokens[row][i]];
    }
}

/* Draws values of up to `most` of `letters` letters; some are missing, some those of another record. */
static void draw(akin_random *random, uint32_t rows, uint32_t left, uint32_t letters, uint32_t most)
{
    uint64_t at = 0;
    t.rows = rows;
    t.left = left;
    memset(t.letters, 'x', sizeof t.letters);
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t length = akin_random_below(random, most + 1);
        t.offsets[row] = at;
        t.letter_offsets[row] = row;
        for (uint64_t i = 0; i < length; i++)
            t.bytes[at + i] = (char)('a' + akin_random_below(random, letters));
        if (row > 0 && akin_random_below(random, 5) == 0) {
            const uint64_t other = akin_random_below(random, row);
            length = t.offsets[other + 1] - t.offsets[other];
            memmove(t.bytes + at, t.bytes + t.offsets[other], length);
        }
        at += length;
        t.offsets[row + 1] = at;
        t.letter_offsets[row + 1] = row + 1;
        cut(row);
    }
    weigh();
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

static uint8_t *selected; /* of each pair, a record with another */

static uint32_t has_token[CODES]; /* the last record + 1 that has it */

/* The nearest of a record, by comparing it with all. */
static void mark_nearest(uint32_t a, uint32_t k)
{
    static uint64_t common[ROWS];
    const int is_right = a >= t.left;
    const uint32_t first = t.left == t.rows || is_right ? 0 : t.left;
    const uint32_t end = t.left == t.rows || !is_right ? t.rows : t.left;
    for (uint32_t i = 0; i < t.counts[a]; i++)
        has_token[t.tokens[a][i]] = a + 1;
    for (uint32_t b = first; b < end; b++) {
        common[b] = 0;
        for (uint32_t i = 0; i < t.counts[b] && a != b; i++)
            common[b] += has_token[t.tokens[b][i]] == a + 1 ? t.weights[t.tokens[b][i]] : 0;
    }
    for (uint32_t found = 0; found < k; found++) {
        uint32_t best = end;
        for (uint32_t b = first; b < end; b++)
            if (common[b] > 0 && (best == end || (akin_u128)common[b] * common[b] * t.lengths[best] >
                                                     (akin_u128)common[best] * common[best] * t.lengths[b]))
                best = b;
        if (best == end)
            return;
        selected[(size_t)(a < best ? a : best) * t.rows + (a < best ? best : a)] = 1;
        common[best] = 0;
    }
}

static void mark(uint32_t k)
{
    selected = calloc((size_t)t.rows * t.rows + 1, 1);
    assert_non_null(selected);
    memset(has_token, 0, sizeof has_token);
    for (uint32_t a = 0; a < t.rows; a++)
        mark_nearest(a, k);
}

/* ----------------------------------------------------------------------------------------------------------- search */

static uint64_t found;

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    const uint32_t border = t.left < t.rows ? t.left : 0;
    (void)user, (void)each;
    for (size_t i = 0; i < count; i++, found++)
        if (!selected[(size_t)pairs[i].left * t.rows + pairs[i].right + border])
            fail_msg("the pair %u, %u is none", pairs[i].left, pairs[i].right);
    return 0;
}

/* Columns of the rows from `first` on. */
static void set_columns(akin_column columns[2], uint32_t first)
{
    columns[0] = (akin_column){.size = sizeof(akin_column), .offsets = t.offsets + first, .bytes = t.bytes};
    columns[1] = (akin_column){.size = sizeof(akin_column), .offsets = t.letter_offsets + first, .bytes = t.letters};
}

static void search(uint32_t k, uint32_t threads, uint64_t memory)
{
    akin_context context = {.scope = {.context = &context, .threads = threads, .memory = memory}};
    const akin_key_part part = {.column = 0};
    const akin_selection selection = {.kind = AKIN_SELECT_NEAREST, .nearest = k, .parts = &part, .part_count = 1};
    const akin_attribute attribute = {.column = 1, .weight = ratio_of(1)};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    akin_column left[2], right[2];
    akin_compare_options exact = AKIN_COMPARE_OPTIONS_INIT;
    akin_attribute by = attribute;
    akin_error error;
    uint64_t count;
    assert_int_equal(akin_compare_options_parse("exact", &exact, NULL), AKIN_OK);
    by.compare = &exact;
    options.selections = &selection;
    options.attributes = &by;
    options.selection_count = options.attribute_count = 1;
    set_columns(left, 0);
    set_columns(right, t.left);
    found = 0;
    if (akin_dedupe(&context, left, t.left, t.left < t.rows ? right : NULL, t.rows - t.left, 2, &options, take, NULL,
                    &count, NULL, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(count, found);
}

static void check(uint32_t k, const uint64_t *memory)
{
    uint64_t expected = 0;
    mark(k);
    for (size_t i = 0; i < (size_t)t.rows * t.rows; i++)
        expected += selected[i];
    for (uint32_t threads = 1; threads <= 4; threads += 3)
        for (int way = 0; way < 2; way++) {
            search(k, threads, memory[way]);
            assert_int_equal(found, expected);
        }
    free(selected);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static const uint64_t bounds[] = {0, 64 * MIB};

static void small_tables(void **state)
{
    static const uint32_t ks[] = {1, 2, 5, 1000};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 7);
    for (int round = 0; round < 400; round++) {
        const uint32_t rows = 1 + (uint32_t)akin_random_below(&random, 80);
        const uint32_t left = round % 2 ? (uint32_t)akin_random_below(&random, rows) : rows;
        draw(&random, rows, left, 1 + (uint32_t)akin_random_below(&random, 4),
             1 + (uint32_t)akin_random_below(&random, LENGTH));
        check(ks[akin_random_below(&random, 4)], bounds);
    }
}

/* Several tiles. */
static void large_tables(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 8);
    draw(&random, ROWS, ROWS, 5, LENGTH);
    check(3, bounds);
    draw(&random, ROWS, ROWS / 3, 12, LENGTH);
    check(10, bounds);
}

/* All values are the same: the nearest are the first ones. */
static void one_value(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 9);
    draw(&random, 50, 50, 1, 1);
    check(4, bounds);
}

static void no_records(void **state)
{
    (void)state;
    t.rows = t.left = 0;
    check(3, bounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_tables), cmocka_unit_test(large_tables),
                                       cmocka_unit_test(one_value), cmocka_unit_test(no_records)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
