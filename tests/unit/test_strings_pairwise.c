/* Pairs of strings in lanes, each with a pattern of its own: every SIMD level finds what the books define. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "strings/pairwise.h"

#include "unit/test_lines.h"
#include "strings/comparators.h"
#include "unit/test_strings_support.h"

#include "base/context.h"

#define PAIRS 700

typedef struct pairs {
    string left[PAIRS], right[PAIRS];
} pairs;

/* Pairs of all lengths: most of them short, some as long as lanes take, or longer; some are far from one another. */
static void draw_pairs(uint64_t seed, uint32_t kinds, pairs *out)
{
    static const uint32_t longest[] = {3, 20, 33, 64, 66, 130, 260, SYMBOLS_MOST};
    akin_random random;
    akin_random_seed(&random, seed);
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint32_t most = longest[akin_random_below(&random, i % 8 == 7 ? 8 : 5)];
        draw_string(&random, kinds, (uint32_t)akin_random_below(&random, most + 1), &out->left[i]);
        if (i % 3 == 0)
            draw_string(&random, kinds, (uint32_t)akin_random_below(&random, most + 1), &out->right[i]);
        else
            edit_string(&random, kinds, &out->left[i], (uint32_t)akin_random_below(&random, 9), &out->right[i]);
    }
}

/* ------------------------------------------------------------------------------------------------------------ books */

typedef struct expectation {
    const pairs *given;
    const akin_cutoff *cutoff;
    uint32_t seen;
    uint8_t is_seen[PAIRS];
} expectation;

static void expect_pair(expectation *e, const akin_pairwise_found *found)
{
    const string *a = &e->given->left[found->number], *b = &e->given->right[found->number];
    uint32_t prefix = 0;
    e->seen++;
    assert_int_equal(e->is_seen[found->number]++, 0);
    assert_int_equal(found->a, a->length);
    assert_int_equal(found->b, b->length);
    while (prefix < AKIN_WINKLER_PREFIX && prefix < a->length && prefix < b->length &&
           a->symbols[prefix] == b->symbols[prefix])
        prefix++;
    assert_int_equal(found->prefix, e->cutoff->is_jaro ? prefix : 0);
    if (e->cutoff->is_jaro) {
        const akin_jaro jaro = jaro_by_windows(a->symbols, a->length, b->symbols, b->length);
        if (e->cutoff->ratio.num > 0 && found->jaro.matched == 0)
            return; /* the lengths alone may show that they are not alike: see `compared` */
        assert_int_equal(found->jaro.matched, jaro.matched);
        assert_int_equal(found->jaro.apart, jaro.apart);
        return;
    }
    const uint32_t edits = distance_by_matrix(a->symbols, a->length, b->symbols, b->length, e->cutoff->swaps);
    const int is_permitted = akin_cutoff_permits_edits(e->cutoff, edits, a->length, b->length);
    assert_int_equal(found->edits, is_permitted ? edits : AKIN_CUTOFF_NONE);
}

static void expect_found(void *user, const akin_pairwise_found *found, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        expect_pair(user, &found[i]);
}

/* Whether the pair serves: what akin_pairwise_take says of it. */
static int is_short(const string *s)
{
    return s->length > 0 && s->length <= AKIN_LANES_LONGEST;
}

static void compare_given(akin_pairwise *p, expectation *e)
{
    akin_points points[2] = {{.data = NULL}, {.data = NULL}};
    uint32_t taken = 0;
    memset(e->is_seen, 0, sizeof e->is_seen);
    e->seen = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        const string *s[] = {&e->given->left[i], &e->given->right[i]};
        akin_symbols symbols[2];
        for (int side = 0; side < 2; side++)
            assert_int_equal(akin_symbols_take(s[side]->text, s[side]->bytes, &points[side], &symbols[side]), AKIN_OK);
        const int is_taken = akin_pairwise_take(p, &symbols[0], &symbols[1], i % 2, i);
        assert_int_equal(is_taken, is_short(s[0]) && is_short(s[1]));
        taken += is_taken != 0;
        if (i == PAIRS / 3)
            akin_pairwise_compare(p, expect_found, e); /* what comes later begins anew */
    }
    akin_pairwise_compare(p, expect_found, e);
    assert_int_equal(e->seen, taken);
    akin_points_clear(&points[0]);
    akin_points_clear(&points[1]);
}

static void by_the_book(void **state)
{
    static const akin_comparator comparators[] = {AKIN_LEVENSHTEIN, AKIN_OSA, AKIN_JARO, AKIN_JARO_WINKLER};
    static const akin_ratio ratios[] = {{0, 1}, {1, 2}, {9, 10}, {1, 1}};
    static pairs given;
    (void)state;
    for (uint32_t round = 0; round < 6; round++) {
        draw_pairs(round, round % 3 == 0 ? 3 : round % 3 == 1 ? 6 : 12, &given);
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++)
            for (uint32_t way = 0; way < 16; way++) {
                akin_compare_options options = AKIN_COMPARE_OPTIONS_INIT;
                akin_pairwise p;
                options.comparator = comparators[way / 4];
                const akin_cutoff cutoff = akin_cutoff_of(akin_comparator_of(options.comparator), &options,
                                                          ratios[way % 4], AKIN_CUTOFF_NONE - 1);
                expectation e = {.given = &given, .cutoff = &cutoff};
                akin_pairwise_begin(&p, (akin_cpu)cpu, NULL, &cutoff);
                assert_int_equal(p.lanes != NULL, cpu != AKIN_CPU_SCALAR);
                if (p.lanes)
                    compare_given(&p, &e);
                akin_pairwise_clear(&p);
            }
    }
}

/* -------------------------------------------------------------------------------------------------- one by one */

static akin_column column_of(const string *strings, lines *made)
{
    lines_begin(made, PAIRS);
    for (uint32_t i = 0; i < PAIRS; i++) {
        assert_int_equal(fwrite(strings[i].text, 1, strings[i].bytes, made->out), strings[i].bytes);
        lines_end_row(made);
    }
    return lines_column(made);
}

/* akin_compare_pairs gives the same bits with lanes and without, with folds and cutoffs, and as akin_compare does. */
static void compared(void **state)
{
    static const char *const names[] = {"levenshtein", "osa", "jaro", "jaro-winkler"};
    static const akin_ratio ratios[] = {{0, 1}, {3, 10}, {8, 10}, {1, 1}};
    static akin_compared plain[PAIRS], got[PAIRS];
    static pairs given;
    (void)state;
    for (uint32_t round = 0; round < 24; round++) {
        lines made[2];
        draw_pairs(100 + round, 3 + 4 * (round % 3), &given);
        const akin_column columns[] = {column_of(given.left, &made[0]), column_of(given.right, &made[1])};
        akin_compare_options options = AKIN_COMPARE_OPTIONS_INIT;
        assert_int_equal(akin_compare_options_parse(names[round % 4], &options, NULL), AKIN_OK);
        options.folds = round % 5 == 4 ? AKIN_FOLD_CASE | AKIN_FOLD_ACCENTS : 0;
        options.floored = round % 7 == 6;
        const akin_ratio *cutoff = round % 3 == 0 ? NULL : &ratios[round / 4 % 4];
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
            akin_context context = {.scope = {.context = &context, .threads = round % 2 ? 3 : 1, .cpu = (akin_cpu)cpu}};
            akin_compared *out = cpu == AKIN_CPU_SCALAR ? plain : got;
            assert_int_equal(akin_compare_pairs(&context, &options, &columns[0], PAIRS, &columns[1], PAIRS, NULL, NULL,
                                                PAIRS, cutoff, out, NULL),
                             AKIN_OK);
            assert_memory_equal(out, plain, sizeof plain);
        }
        for (uint32_t i = 0; i < PAIRS && !cutoff; i++) {
            akin_compared one;
            akin_context context = {.scope = {.context = &context, .threads = 1}};
            assert_int_equal(akin_compare(&context, &options, given.left[i].text, given.left[i].bytes,
                                          given.right[i].text, given.right[i].bytes, &one, NULL),
                             AKIN_OK);
            assert_memory_equal(&one, &plain[i], sizeof one);
        }
        lines_clear(&made[0]);
        lines_clear(&made[1]);
    }
}

/* A pattern with more different symbols beyond ASCII than lanes tell apart is compared by itself. */
static void many_symbols(void **state)
{
    uint32_t points[300];
    (void)state;
    const akin_cutoff cutoff = {.ratio = {0, 1}, .most = AKIN_CUTOFF_NONE - 1};
    akin_pairwise p;
    akin_pairwise_begin(&p, akin_cpu_detect(), NULL, &cutoff);
    for (uint32_t i = 0; i < 300; i++)
        points[i] = 0x4e00 + i;
    for (uint32_t length = 126; length <= 129; length++) {
        const akin_symbols few = {.points = points, .length = length}, text = {.points = points, .length = 300};
        assert_int_equal(akin_pairwise_take(&p, &text, &few, 0, length), length <= 127);
    }
    akin_pairwise_clear(&p);
}

/* ------------------------------------------------------------------------------------------------------------ rows */

#define LENGTHS 67 /* 0 to 66: around what one word, and one register, holds */
#define ROWS    (LENGTHS * LENGTHS)

typedef struct grid {
    lines made[2];
    uint8_t validity[2][(ROWS + 7) / 8];
    uint32_t rows[2][ROWS];
    akin_column columns[2];
} grid;

/* A string of some kinds of bytes of ASCII, the first and the last one included; now and then another character. */
static void print_string(akin_random *random, uint32_t length, int is_mixed, FILE *out)
{
    static const char kinds[] = {'a', 'b', 'e', ' ', '\0', '\x7f'};
    for (uint32_t i = 0; i < length; i++)
        if (is_mixed && akin_random_below(random, 40) == 0)
            fputs(akin_random_below(random, 2) ? "\xc3\xa9" : "\xe6\x97\xa5", out);
        else
            fputc(kinds[akin_random_below(random, sizeof kinds)], out);
}

/* All lengths of both strings; some rows are null, some strings are equal. */
static void make_grid(uint64_t seed, int is_mixed, grid *g)
{
    akin_random random;
    akin_random_seed(&random, seed);
    memset(g->validity, 0xff, sizeof g->validity);
    for (int side = 0; side < 2; side++)
        lines_begin(&g->made[side], ROWS);
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t lengths[] = {row % LENGTHS, row / LENGTHS};
        const uint64_t string = akin_random_next(&random);
        for (int side = 0; side < 2; side++) {
            akin_random own;
            akin_random_seed(&own, row % 5 ? akin_random_next(&random) : string);
            print_string(&own, lengths[side], is_mixed, g->made[side].out);
            lines_end_row(&g->made[side]);
            if (akin_random_below(&random, 50) == 0)
                g->validity[side][row / 8] &= (uint8_t) ~(1u << row % 8);
            g->rows[side][row] = (uint32_t)akin_random_below(&random, ROWS);
        }
    }
    for (int side = 0; side < 2; side++) {
        g->columns[side] = lines_column(&g->made[side]);
        g->columns[side].validity = g->validity[side];
        g->columns[side].ascii = !is_mixed && seed % 2;
    }
}

static akin_status compare_grid(const grid *g, akin_cpu cpu, uint32_t threads, const char *name,
                                const akin_ratio *cutoff, int is_listed, akin_compared *out, akin_error *error)
{
    akin_context context = {.scope = {.context = &context, .threads = threads, .cpu = cpu}};
    akin_compare_options options = AKIN_COMPARE_OPTIONS_INIT;
    assert_int_equal(akin_compare_options_parse(name, &options, NULL), AKIN_OK);
    return akin_compare_pairs(&context, &options, &g->columns[0], ROWS, &g->columns[1], ROWS,
                              is_listed ? g->rows[0] : NULL, is_listed ? g->rows[1] : NULL, ROWS, cutoff, out, error);
}

/* Rows of all lengths give the same bits at every level: plain and mixed with other characters, in their order and
 * listed, with nulls, with cutoffs and without. */
static void rows_of_all_lengths(void **state)
{
    static const char *const names[] = {"levenshtein", "osa", "jaro", "jaro-winkler"};
    static const akin_ratio ratios[] = {{0, 1}, {1, 2}, {9, 10}};
    static akin_compared plain[ROWS], got[ROWS];
    static grid g;
    (void)state;
    for (uint32_t round = 0; round < 24; round++) {
        const akin_ratio *cutoff = round / 4 % 3 ? &ratios[round / 4 % 3] : NULL;
        make_grid(round, round / 4 % 2, &g);
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
            akin_compared *out = cpu == AKIN_CPU_SCALAR ? plain : got;
            assert_int_equal(
                compare_grid(&g, (akin_cpu)cpu, 1 + round % 3, names[round % 4], cutoff, round >= 12, out, NULL),
                AKIN_OK);
            assert_memory_equal(out, plain, sizeof plain);
        }
        lines_clear(&g.made[0]);
        lines_clear(&g.made[1]);
    }
}

/* What is not UTF-8 fails for the first row that has it, whatever is ASCII around it. */
static void rows_that_are_not_utf8(void **state)
{
    static akin_compared out[ROWS];
    static grid g;
    (void)state;
    make_grid(1, 1, &g);
    memset(g.validity, 0xff, sizeof g.validity);
    for (uint32_t wrong = ROWS - 1; wrong > 487; wrong -= 487) {
        const int side = wrong % 2;
        g.made[side].bytes[g.made[side].offsets[wrong]] = (char)0xff; /* rows before have none, rows behind may */
        if (g.made[side].offsets[wrong] == g.made[side].offsets[wrong + 1])
            continue;
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
            akin_error error;
            assert_int_equal(compare_grid(&g, (akin_cpu)cpu, 1, "levenshtein", NULL, 0, out, &error), AKIN_E_INPUT);
            assert_int_equal(error.row, wrong);
            assert_int_equal(error.reason, AKIN_REASON_NOT_UTF8);
        }
    }
    lines_clear(&g.made[0]);
    lines_clear(&g.made[1]);
}

/* Strings of a text are ASCII where they are, in whatever order, and however far the text is known. */
static void ascii_strings(void **state)
{
    static char text[20000];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (uint32_t round = 0; round < 200; round++) {
        akin_ascii_span span = {.begin = NULL};
        const uint64_t each = UINT64_C(1) << round % 14, first = akin_random_below(&random, 50);
        const uint64_t most = sizeof text - akin_random_below(&random, 50);
        for (uint64_t i = 0; i < sizeof text; i++)
            text[i] = akin_random_below(&random, each) ? 'x' : (char)0x80;
        uint64_t at = first;
        for (uint32_t step = 0; step < 500; step++) {
            const uint64_t length = akin_min_u64(akin_random_below(&random, 100), most - at);
            int is_ascii = 1;
            for (uint64_t i = at; i < at + length; i++)
                is_ascii &= (unsigned char)text[i] < 0x80;
            assert_int_equal(akin_ascii_has(&span, text + at, length, round % 3 ? text + most : NULL), is_ascii);
            assert_true(span.end <= text + most);
            at += round % 5 ? length : akin_min_u64(akin_random_below(&random, 700), most - at);
            if (akin_random_below(&random, 20) == 0 || at == most)
                at = akin_random_below(&random, most);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_book),
        cmocka_unit_test(compared),
        cmocka_unit_test(many_symbols),
        cmocka_unit_test(rows_of_all_lengths),
        cmocka_unit_test(rows_that_are_not_utf8),
        cmocka_unit_test(ascii_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
