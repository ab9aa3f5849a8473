/* All cells of two columns: with lanes and without, each cell has what akin_compare_pairs gives for its pair. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "strings/cross.h"

#include "unit/test_lines.h"
#include "unit/test_strings_support.h"

#include "base/context.h"

#include <math.h>

#define LEFT  24   /* more than a block */
#define RIGHT 2300 /* more than a strip */

typedef struct side {
    lines made;
    akin_column column;
    uint8_t validity[RIGHT / 8 + 1];
    uint32_t rows;
} side;

/* Strings of all lengths, some of them empty, some null, and some with more symbols than lanes take. */
static void draw_side(uint64_t seed, uint32_t kinds, uint32_t rows, side *out)
{
    static const uint32_t longest[] = {3, 20, 33, 64, 66, 130, 260, SYMBOLS_MOST};
    static string s;
    akin_random random;
    akin_random_seed(&random, seed);
    lines_begin(&out->made, rows);
    memset(out->validity, 0xff, sizeof out->validity);
    out->rows = rows;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t most = longest[akin_random_below(&random, row % 16 == 7 ? 8 : 4)];
        draw_string(&random, kinds, (uint32_t)akin_random_below(&random, most + 1), &s);
        for (uint32_t times = row % 40 == 39 ? 1 + 2000 / (s.bytes + 1) : 1; times > 0; times--)
            assert_int_equal(fwrite(s.text, 1, s.bytes, out->made.out), s.bytes);
        lines_end_row(&out->made);
        if (row % 23 == 22)
            out->validity[row / 8] &= (uint8_t) ~(1u << row % 8);
    }
    out->column = lines_column(&out->made);
    out->column.validity = out->validity;
}

static akin_context context_of(akin_context *at, uint32_t threads, akin_cpu cpu)
{
    return (akin_context){.scope = {.context = at, .threads = threads, .cpu = cpu}};
}

/* What akin_compare_pairs gives for all cells. */
static akin_compared *expect_cells(const akin_compare_options *options, const side *left, const side *right)
{
    const uint64_t count = (uint64_t)left->rows * right->rows;
    uint32_t *rows[] = {calloc(count, sizeof **rows), calloc(count, sizeof **rows)};
    akin_compared *expected = calloc(count, sizeof *expected);
    akin_context context = context_of(&context, 1, AKIN_CPU_SCALAR);
    assert_true(rows[0] && rows[1] && expected);
    for (uint64_t i = 0; i < count; i++) {
        rows[0][i] = (uint32_t)(i / right->rows);
        rows[1][i] = (uint32_t)(i % right->rows);
    }
    assert_int_equal(akin_compare_pairs(&context, options, &left->column, left->rows, &right->column, right->rows,
                                        rows[0], rows[1], count, NULL, expected, NULL),
                     AKIN_OK);
    free(rows[0]);
    free(rows[1]);
    return expected;
}

static int is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void expect_matrix(const akin_compare_options *options, const side *left, const side *right,
                          const akin_compared *expected, akin_cpu cpu, uint32_t threads)
{
    const uint64_t count = (uint64_t)left->rows * right->rows;
    float *floats = calloc(count, sizeof *floats);
    double *doubles = calloc(count, sizeof *doubles);
    akin_context context = context_of(&context, threads, cpu);
    assert_true(floats && doubles);
    for (uint32_t way = 0; way < 4; way++) {
        akin_cells cells = AKIN_CELLS_INIT;
        cells.distances = way % 2;
        cells.floats = way < 2 ? floats : NULL;
        cells.doubles = way < 2 ? NULL : doubles;
        assert_int_equal(akin_compare_matrix(&context, options, &left->column, left->rows, &right->column, right->rows,
                                             &cells, NULL),
                         AKIN_OK);
        for (uint64_t i = 0; i < count; i++) {
            const double value = cells.distances ? expected[i].distance : expected[i].similarity;
            assert_true(cells.floats ? is_same(cells.floats[i], (float)value) : is_same(cells.doubles[i], value));
        }
    }
    free(floats);
    free(doubles);
}

static void every_cell(void **state)
{
    static const char *const names[] = {"levenshtein", "osa",       "jaro",   "jaro-winkler",
                                        "levenshtein", "jaccard/2", "number", "exact"};
    (void)state;
    for (uint32_t round = 0; round < 16; round++) {
        static side left, right;
        akin_compare_options options = AKIN_COMPARE_OPTIONS_INIT;
        /* up to 6 kinds are few symbols, 12 are five times as many, and 80 too many for bytes */
        const uint32_t kinds = round % 4 == 0 ? 3 : round % 4 == 1 ? 12 : 80;
        draw_side(round, kinds, LEFT, &left);
        draw_side(100 + round, kinds, round % 3 == 0 ? RIGHT : 300, &right);
        assert_int_equal(akin_compare_options_parse(names[round % 8], &options, NULL), AKIN_OK);
        options.folds = round % 5 == 4 ? AKIN_FOLD_CASE | AKIN_FOLD_ACCENTS : 0;
        options.floored = round % 7 == 3;
        akin_compared *expected = expect_cells(&options, &left, &right);
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++)
            expect_matrix(&options, &left, &right, expected, (akin_cpu)cpu, 1 + 2 * (round % 2));
        free(expected);
        lines_clear(&left.made);
        lines_clear(&right.made);
    }
}

/* A pattern with more symbols than bytes can number is in no block, and the strings about it are in blocks all the
 * same. */
static void many_symbols(void **state)
{
    static string s;
    static side left;
    (void)state;
    lines_begin(&left.made, 8);
    for (uint32_t row = 0; row < 8; row++) {
        s.length = row == 0 || row == 4 ? 300 : 200; /* 16 blocks of symbols: two strings do not fit into a block */
        for (uint32_t i = 0; i < s.length; i++)
            s.symbols[i] = 0x4e00 + row * 100 + i;
        encode(&s);
        assert_int_equal(fwrite(s.text, 1, s.bytes, left.made.out), s.bytes);
        lines_end_row(&left.made);
    }
    left.rows = 8;
    left.column = lines_column(&left.made);
    akin_compare_options options = AKIN_COMPARE_OPTIONS_INIT;
    akin_compared *expected = expect_cells(&options, &left, &left);
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++)
        expect_matrix(&options, &left, &left, expected, (akin_cpu)cpu, 2);
    free(expected);
    lines_clear(&left.made);
}

/* Strings up to the longest that lanes take, and longer ones, on both sides. With 3 kinds they are ASCII, with 200 an
 * alphabet of bytes has no room for all symbols of both sides. */
static void long_strings(void **state)
{
    static const uint32_t lengths[] = {513,  600, AKIN_LANES_TALLEST, AKIN_LANES_TALLEST + 1, 1025, 20, 0, 64,
                                       3000, 512};
    enum { ROWS = sizeof lengths / sizeof *lengths };
    static const char *const names[] = {"levenshtein", "osa", "jaro-winkler"};
    (void)state;
    for (uint32_t round = 0; round < 6; round++) {
        static side sides[2];
        akin_compare_options options = AKIN_COMPARE_OPTIONS_INIT;
        akin_random random;
        akin_random_seed(&random, round);
        for (int s = 0; s < 2; s++) {
            lines_begin(&sides[s].made, ROWS);
            memset(sides[s].validity, 0xff, sizeof sides[s].validity);
            for (uint32_t row = 0; row < ROWS; row++) {
                for (uint32_t i = 0; i < lengths[row]; i++) {
                    const uint32_t symbol = (uint32_t)akin_random_below(&random, round < 3 ? 3 : 200);
                    if (round < 3)
                        fputc('a' + (int)symbol, sides[s].made.out);
                    else /* two bytes each; the sides have some symbols in common */
                        fprintf(sides[s].made.out, "%c%c", 0xc4 + s + (int)symbol / 64, 0x80 + (int)symbol % 64);
                }
                lines_end_row(&sides[s].made);
            }
            sides[s].rows = ROWS;
            sides[s].column = lines_column(&sides[s].made);
        }
        assert_int_equal(akin_compare_options_parse(names[round % 3], &options, NULL), AKIN_OK);
        akin_compared *expected = expect_cells(&options, &sides[0], &sides[1]);
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++)
            expect_matrix(&options, &sides[0], &sides[1], expected, (akin_cpu)cpu, 4);
        free(expected);
        for (int s = 0; s < 2; s++)
            lines_clear(&sides[s].made);
    }
}

/* With one long string on either side the rooms of many threads fit into the least bound. */
static void long_strings_in_little_memory(void **state)
{
    enum { ROWS = 60 };
    static side both;
    (void)state;
    lines_begin(&both.made, ROWS);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t i = 0; i < (row == 7 ? AKIN_LANES_TALLEST : row); i++)
            fputc('a' + (int)(i * row % 26), both.made.out);
        lines_end_row(&both.made);
    }
    both.rows = ROWS;
    both.column = lines_column(&both.made);
    static float cells_of[2][ROWS * ROWS];
    for (int is_bound = 0; is_bound < 2; is_bound++) {
        akin_cells cells = AKIN_CELLS_INIT;
        akin_context context = context_of(&context, 4, akin_cpu_detect());
        context.scope.memory = is_bound ? (uint64_t)16 << 20 : 0;
        cells.floats = cells_of[is_bound];
        assert_int_equal(akin_compare_matrix(&context, NULL, &both.column, ROWS, &both.column, ROWS, &cells, NULL),
                         AKIN_OK);
    }
    assert_memory_equal(cells_of[0], cells_of[1], sizeof cells_of[0]);
    lines_clear(&both.made);
}

static void refused(void **state)
{
    (void)state;
    const uint64_t offsets[] = {0, 1, 2, 4};
    const akin_column good = {.size = sizeof good, .name = "good", .offsets = offsets, .bytes = "abcd"};
    const akin_column bad = {.size = sizeof bad,
                             .name = "bad",
                             .offsets = offsets,
                             .bytes =
                                 "a\xff"
                                 "cd"};
    const akin_compare_options plain = AKIN_COMPARE_OPTIONS_INIT;
    akin_compare_options words = AKIN_COMPARE_OPTIONS_INIT;
    double doubles[9];
    akin_cells cells = AKIN_CELLS_INIT;
    akin_error error;
    akin_context context = context_of(&context, 1, akin_cpu_detect());
    assert_int_equal(akin_compare_matrix(&context, NULL, &good, 3, &good, 3, &cells, &error), AKIN_E_OPTION);
    cells.doubles = doubles;
    words.comparator = AKIN_TOKEN_SETS;
    for (int by_words = 0; by_words < 2; by_words++) {
        const akin_compare_options *options = by_words ? &words : &plain;
        assert_int_equal(akin_compare_matrix(&context, options, &good, 3, &bad, 3, &cells, &error), AKIN_E_INPUT);
        assert_int_equal(error.reason, AKIN_REASON_NOT_UTF8);
        assert_int_equal(error.row, 1);
        assert_string_equal(error.column, "bad");
        assert_int_equal(akin_compare_matrix(&context, options, &bad, 3, &good, 3, &cells, &error), AKIN_E_INPUT);
        assert_int_equal(error.row, 1);
        assert_int_equal(akin_compare_matrix(&context, options, &good, 0, &bad, 3, &cells, &error), AKIN_OK);
    }
    cells.reserved = 1;
    assert_int_equal(akin_compare_matrix(&context, NULL, &good, 3, &good, 3, &cells, &error), AKIN_E_OPTION);
}

/* A value whose partners are all null is not looked at. The first refused value is the same, with the same message, at
 * every level. */
static void refused_alike(void **state)
{
    (void)state;
    const uint64_t offsets[] = {0, 1, 2, 4};
    const uint8_t none = 0, first = 1;
    akin_column good = {.size = sizeof good, .name = "good", .offsets = offsets, .bytes = "abcd"}, bad = good;
    const akin_compare_options plain = AKIN_COMPARE_OPTIONS_INIT;
    bad.name = "bad";
    bad.bytes =
        "ab\xff"
        "d";
    akin_column empty = bad, hidden = bad;
    empty.validity = &none;
    hidden.validity = &first; /* the bad value is null */
    char messages[2][sizeof(akin_error)];
    for (int level = AKIN_CPU_SCALAR; level <= (int)akin_cpu_detect(); level++) {
        double doubles[9];
        akin_cells cells = AKIN_CELLS_INIT;
        akin_error error;
        akin_context context = context_of(&context, 2, (akin_cpu)level);
        cells.doubles = doubles;
        assert_int_equal(akin_compare_matrix(&context, &plain, &empty, 3, &bad, 3, &cells, &error), AKIN_OK);
        assert_int_equal(akin_compare_matrix(&context, &plain, &bad, 3, &empty, 3, &cells, &error), AKIN_OK);
        for (int i = 0; i < 9; i++)
            assert_true(isnan(doubles[i]));
        assert_int_equal(akin_compare_matrix(&context, &plain, &good, 3, &hidden, 3, &cells, &error), AKIN_OK);
        assert_true(doubles[3] < 1 && isnan(doubles[4]));
        for (int turned = 0; turned < 2; turned++) {
            assert_int_equal(akin_compare_matrix(&context, &plain, turned ? &bad : &good, 3, turned ? &good : &bad, 3,
                                                 &cells, &error),
                             AKIN_E_INPUT);
            assert_int_equal(error.row, 2);
            if (level == AKIN_CPU_SCALAR)
                snprintf(messages[turned], sizeof messages[turned], "%s", error.message);
            assert_string_equal(error.message, messages[turned]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell),   cmocka_unit_test(many_symbols),
        cmocka_unit_test(long_strings), cmocka_unit_test(long_strings_in_little_memory),
        cmocka_unit_test(refused),      cmocka_unit_test(refused_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
