/* Joins of many equal rows: the distinct rows are joined, and the pairs are those of a join that does not do so. */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/budget.h"
#include "base/context.h"
#include "base/memory.h"
#include "base/random.h"
#include "property/rows.h"
#include "property/setting.h"
#include "unit/test_base_cancel.h"
#include "unit/test_sanitizers.h"

#include <stdlib.h>
#include <string.h>

static akin_wishes wishes; /* of the context at hand */
static akin_cpu cpu;       /* of this machine: it takes a virtual machine longer to say than to join some rows */

static akin_context context_of(akin_context *self, uint32_t threads, int is_bounded)
{
    wishes = (akin_wishes){.part_tokens = is_bounded ? 60 : 0, .pairs_a_run = is_bounded ? 7 : 0};
    return (akin_context){.scope = {.context = self,
                                    .threads = threads_at_most(threads),
                                    .cpu = cpu,
                                    .memory = is_bounded ? AKIN_MEMORY_LEAST : 0},
                          .cpu_best = cpu,
                          .wishes = &wishes};
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

typedef struct received {
    akin_pair *pairs;
    size_t count;
} received;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    received *r = user;
    akin_pair *larger = realloc(r->pairs, (r->count + count + 1) * sizeof *larger);
    assert_non_null(larger);
    memcpy(larger + r->count, pairs, count * sizeof *pairs);
    r->pairs = larger;
    r->count += count;
    return 0;
}

static int compare_pairs(const void *a, const void *b)
{
    const akin_pair *x = a, *y = b;
    return x->left != y->left ? (x->left < y->left ? -1 : 1) : (x->right > y->right) - (x->right < y->right);
}

static void sort_received(received *r)
{
    if (r->count > 0)
        qsort(r->pairs, r->count, sizeof *r->pairs, compare_pairs);
}

static void assert_same_pairs(const received *a, const received *b)
{
    assert_int_equal(a->count, b->count);
    if (a->count > 0)
        assert_memory_equal(a->pairs, b->pairs, a->count * sizeof *a->pairs);
}

/* The clusters that pairs make, as the label of each row. */
static akin_clusters *clusters_of(const received *r, uint32_t left, uint32_t right)
{
    akin_context context = context_of(&context, 1, 0);
    akin_clusters *clusters = NULL;
    assert_int_equal(akin_clusters_create(&context, left, right, &clusters, NULL), AKIN_OK);
    assert_int_equal(akin_clusters_sink(clusters, r->pairs, r->count), 0);
    akin_clusters_finish(clusters);
    return clusters;
}

static void assert_same_clusters(const received *a, const received *b, uint32_t left, uint32_t right)
{
    akin_clusters *x = clusters_of(a, left, right), *y = clusters_of(b, left, right);
    for (uint32_t row = 0; row < left + right; row++)
        assert_int_equal(akin_clusters_row(x, row), akin_clusters_row(y, row));
    akin_clusters_free(x);
    akin_clusters_free(y);
}

/* What `connecting` gives is a part of all pairs. */
static void assert_part(const received *some, const received *all)
{
    for (size_t i = 0; i < some->count; i++) {
        const akin_pair *found =
            all->count ? bsearch(&some->pairs[i], all->pairs, all->count, sizeof *all->pairs, compare_pairs) : NULL;
        assert_true(found && found->overlap == some->pairs[i].overlap);
    }
}

/* ------------------------------------------------------------------------------------------------------------- sets */

/* Rows of a few kinds, some of them empty: so many are equal. */
static rows make_rows(uint64_t seed, uint32_t count, uint32_t kinds)
{
    rows all = {0};
    akin_random random;
    akin_random_seed(&random, seed);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = (uint32_t)akin_random_below(&random, kinds);
        uint32_t tokens[8], size = kind % 5 == 4 ? 0 : kind % 8 + 1;
        for (uint32_t t = 0; t < size; t++)
            tokens[t] = t + (t + 1 == size ? kind / 8 : 0);
        rows_add(&all, tokens, size);
    }
    return all;
}

typedef struct set_case {
    const akin_sets *left, *right;
    akin_join_options options;
    uint32_t threads;
    int is_bounded;
} set_case;

/* Joins; `equal` as in akin_wishes. */
static received join_sets(const set_case *c, int equal, int is_counted, akin_join_summary *summary)
{
    akin_context context = context_of(&context, c->threads, c->is_bounded);
    akin_join_report *report = NULL;
    akin_error error;
    received r = {NULL, 0};
    uint64_t count;
    wishes.equal_rows = equal;
    if (akin_join(&context, c->left, c->right, &c->options, is_counted ? NULL : receive, &r, &count, &report, &error) !=
        AKIN_OK)
        fail_msg("%s", error.message);
    summary->size = sizeof *summary;
    assert_int_equal(akin_join_report_summary(report, summary, NULL), AKIN_OK);
    akin_join_report_free(report);
    assert_int_equal(summary->pairs_found, count);
    assert_true(is_counted || c->options.connecting || r.count == count);
    return r;
}

static void assert_same_figures(const akin_join_summary *a, const akin_join_summary *b)
{
    assert_int_equal(a->rows_left, b->rows_left);
    assert_int_equal(a->rows_right, b->rows_right);
    assert_int_equal(a->tokens_left, b->tokens_left);
    assert_int_equal(a->tokens_right, b->tokens_right);
    assert_int_equal(a->universe, b->universe);
    assert_int_equal(a->smallest, b->smallest);
    assert_int_equal(a->largest, b->largest);
    assert_int_equal(a->pairs_all, b->pairs_all);
    assert_int_equal(a->pairs_found, b->pairs_found);
}

/* Sorted, in any order, connecting, and only counted. */
static void check_case(set_case c)
{
    const uint32_t rights = c.right ? akin_sets_rows(c.right) : 0;
    akin_join_summary plain, grouped;
    received expected = join_sets(&c, -1, 0, &plain), got = join_sets(&c, 1, 0, &grouped);
    assert_same_pairs(&expected, &got);
    assert_same_figures(&plain, &grouped);
    free(got.pairs);
    got = join_sets(&c, 1, 1, &grouped);
    assert_same_figures(&plain, &grouped);
    c.options.any_order = 1;
    got = join_sets(&c, 1, 0, &grouped);
    sort_received(&got);
    assert_same_pairs(&expected, &got);
    free(got.pairs);
    for (int equal = -1; equal <= 1; equal += 2) {
        c.options.connecting = 1;
        got = join_sets(&c, equal, 0, &grouped);
        assert_same_figures(&plain, &grouped);
        assert_part(&got, &expected);
        assert_same_clusters(&got, &expected, akin_sets_rows(c.left), rights);
        free(got.pairs);
    }
    free(expected.pairs);
}

/* The best partners of each row, whose order counts. */
static void check_top(set_case c)
{
    static const uint32_t tops[] = {1, 4, 1000};
    c.options.technique = AKIN_AUTO;
    for (uint32_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        akin_join_summary plain, grouped;
        c.options.top = tops[i];
        received expected = join_sets(&c, -1, 0, &plain), got = join_sets(&c, 1, 0, &grouped);
        assert_same_pairs(&expected, &got);
        assert_int_equal(plain.rows_left, grouped.rows_left);
        assert_int_equal(plain.rows_right, grouped.rows_right);
        assert_int_equal(plain.pairs_all, grouped.pairs_all);
        assert_int_equal(plain.pairs_compatible, grouped.pairs_compatible);
        free(got.pairs);
        join_sets(&c, 1, 1, &grouped);
        assert_int_equal(plain.pairs_found, grouped.pairs_found);
        free(expected.pairs);
    }
}

static void check_measures(const akin_sets *left, const akin_sets *right, akin_technique technique)
{
    static const akin_ratio ratios[] = {{1, 10}, {1, 2}, {8, 10}, {1, 1}}, counts[] = {{1, 1}, {3, 1}, {6, 1}};
    const akin_choice *measure;
    for (uint32_t m = 0; (measure = akin_choices("measures", m)) != NULL; m++) {
        const int takes_count = (measure->capabilities & AKIN_TAKES_COUNT) != 0;
        if (!(measure->capabilities & AKIN_FOR_JOIN))
            continue;
        if (!right && (measure->capabilities & AKIN_IS_DIRECTED)) {
            set_case c = {left, right, AKIN_JOIN_OPTIONS_INIT, 2, 0};
            c.options.measure = (akin_measure)measure->value;
            check_top(c);
            continue;
        }
        for (uint32_t t = 0; t < (takes_count ? 3 : 4); t++) {
            set_case c = {left, right, AKIN_JOIN_OPTIONS_INIT, t % 2 ? 3 : 1, (m + t / 2) % 2 != 0};
            c.options.measure = (akin_measure)measure->value;
            c.options.threshold = takes_count ? counts[t] : ratios[t];
            c.options.technique = technique;
            check_case(c);
            check_top(c);
            if (t < 2) {
                c.options.threshold.num = 0; /* any similarity */
                check_top(c);
            }
        }
    }
}

static void equal_sets(void **state)
{
    static const akin_technique techniques[] = {AKIN_AUTO,      AKIN_ALLPAIRS, AKIN_PPJOIN,
                                                AKIN_GROUPJOIN, AKIN_BITMAP,   AKIN_SCREENED};
    (void)state;
    for (uint32_t i = 0; i < sizeof techniques / sizeof *techniques; i++) {
        rows a = make_rows(i, 40 + 10 * i, 3 + 4 * i), b = make_rows(100 + i, 30, 20);
        akin_sets *left = rows_to_sets(&a), *right = rows_to_sets(&b);
        check_measures(left, NULL, techniques[i]);
        check_measures(left, right, techniques[i]);
        akin_sets_free(left);
        akin_sets_free(right);
        rows_clear(&a);
        rows_clear(&b);
    }
}

/* One value alone, no value at all, and two rows. */
static void few_kinds(void **state)
{
    (void)state;
    for (uint32_t rows_count = 0; rows_count < 4; rows_count++) {
        rows a = make_rows(1, rows_count, 1), b = {0}, c = make_rows(5, 300, 1);
        for (uint32_t i = 0; i < rows_count; i++)
            rows_add(&b, NULL, 0);
        akin_sets *ones = rows_to_sets(&a), *empty = rows_to_sets(&b), *many = rows_to_sets(&c);
        check_measures(ones, NULL, AKIN_AUTO);
        check_measures(empty, NULL, AKIN_AUTO);
        check_measures(many, ones, AKIN_AUTO);
        check_measures(empty, many, AKIN_AUTO);
        akin_sets_free(ones);
        akin_sets_free(empty);
        akin_sets_free(many);
        rows_clear(&a);
        rows_clear(&b);
        rows_clear(&c);
    }
}

/* ---------------------------------------------------------------------------------------------------------- strings */

#define STRINGS 60

typedef struct texts {
    uint64_t offsets[STRINGS + 1];
    char bytes[STRINGS * 8];
    uint8_t validity[STRINGS / 8 + 1];
    akin_column column;
} texts;

/* Strings of a few kinds; some are empty, some null, and folding makes more of them equal. */
static void make_texts(uint64_t seed, uint32_t kinds, texts *out)
{
    akin_random random;
    akin_random_seed(&random, seed);
    out->offsets[0] = 0;
    memset(out->validity, 255, sizeof out->validity);
    for (uint32_t i = 0; i < STRINGS; i++) {
        const uint32_t kind = (uint32_t)akin_random_below(&random, kinds), length = kind % 6 == 5 ? 0 : 3 + kind % 4;
        for (uint32_t k = 0; k < length; k++)
            out->bytes[out->offsets[i] + k] =
                (char)((akin_random_below(&random, 9) == 0 ? 'A' : 'a') + (k == 1 ? kind % 7 : k));
        out->offsets[i + 1] = out->offsets[i] + length;
        if (kind % 11 == 10)
            out->validity[i / 8] &= (uint8_t) ~(1u << i % 8);
    }
    out->column = (akin_column)AKIN_COLUMN_INIT;
    out->column.offsets = out->offsets;
    out->column.bytes = out->bytes;
    out->column.validity = out->validity;
}

typedef struct string_case {
    const texts *left, *right;
    akin_match_options options;
    uint32_t threads;
    int is_bounded;
} string_case;

static received match_strings(const string_case *c, int equal, int is_counted, akin_match_report *report)
{
    akin_context context = context_of(&context, c->threads, c->is_bounded);
    akin_error error;
    received r = {NULL, 0};
    uint64_t count;
    wishes.equal_rows = equal;
    wishes.part_tokens = c->is_bounded ? 20 : 0; /* of rows here */
    report->size = sizeof *report;
    if (akin_match(&context, &c->left->column, STRINGS, c->right ? &c->right->column : NULL, STRINGS, &c->options,
                   is_counted ? NULL : receive, &r, &count, report, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(report->pairs_found, count);
    assert_true(is_counted || c->options.connecting || r.count == count);
    return r;
}

static void check_strings(string_case c)
{
    akin_match_report plain, grouped;
    received expected = match_strings(&c, -1, 0, &plain), got = match_strings(&c, 1, 0, &grouped);
    assert_same_pairs(&expected, &got);
    assert_int_equal(plain.pairs_all, grouped.pairs_all);
    assert_int_equal(plain.rows_left, grouped.rows_left);
    assert_int_equal(plain.rows_right, grouped.rows_right);
    free(got.pairs);
    match_strings(&c, 1, 1, &grouped);
    assert_int_equal(plain.pairs_found, grouped.pairs_found);
    c.options.any_order = 1;
    got = match_strings(&c, 1, 0, &grouped);
    sort_received(&got);
    assert_same_pairs(&expected, &got);
    free(got.pairs);
    c.options.connecting = 1;
    got = match_strings(&c, 1, 0, &grouped);
    assert_int_equal(plain.pairs_found, grouped.pairs_found);
    assert_part(&got, &expected);
    assert_same_clusters(&got, &expected, STRINGS, c.right ? STRINGS : 0);
    free(got.pairs);
    free(expected.pairs);
}

/* The best partners of each string, whose order counts. */
static void check_string_top(string_case c)
{
    static const uint32_t tops[] = {1, 3, 100};
    c.options.technique = AKIN_MATCH_AUTO;
    for (uint32_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        akin_match_report plain, grouped;
        c.options.top = tops[i];
        received expected = match_strings(&c, -1, 0, &plain), got = match_strings(&c, 1, 0, &grouped);
        assert_same_pairs(&expected, &got);
        assert_int_equal(plain.pairs_all, grouped.pairs_all);
        assert_int_equal(plain.rows_left, grouped.rows_left);
        free(got.pairs);
        match_strings(&c, 1, 1, &grouped);
        assert_int_equal(plain.pairs_found, grouped.pairs_found);
        free(expected.pairs);
    }
}

static void equal_strings(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 16; i++) {
        static texts left, right;
        akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
        make_texts(i, 2 + 3 * i, &left);
        make_texts(50 + i, 12, &right);
        for (uint32_t way = 0; way < 12; way++) {
            string_case c = {&left, way % 2 ? &right : NULL, AKIN_MATCH_OPTIONS_INIT, i % 2 ? 3 : 1, i / 2 % 2};
            compare.comparator = way < 6 ? AKIN_LEVENSHTEIN : AKIN_JARO_WINKLER;
            compare.folds = i % 3 == 0 ? AKIN_FOLD_CASE : 0;
            c.options.compare = &compare;
            c.options.technique = way < 6 && way / 2 == 2 ? AKIN_MATCH_SEGMENTS : AKIN_MATCH_AUTO;
            c.options.cutoff = way < 6 ? (akin_ratio){0, 1} : (akin_ratio){5 + way / 2, 10};
            c.options.most = way < 6 ? way / 2 : 0;
            check_strings(c);
            check_string_top(c);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- choices */

/* Joins very many equal rows: only the connecting pairs are made, or those of the best partners, and there are few; and
 * under the least memory bound pairs are counted by groups, too. Pair by pair each of these would take a minute. */
static void many_equal_rows(void **state)
{
    enum { ROWS = 300000 };
    (void)state;
    rows one = {0};
    const uint32_t tokens[3] = {1, 2, 3};
    for (uint32_t i = 0; i < ROWS; i++)
        rows_add(&one, tokens, 3);
    akin_sets *sets = rows_to_sets(&one);
    akin_join_summary summary;
    set_case c = {sets, NULL, AKIN_JOIN_OPTIONS_INIT, 2, 0};
    c.options.connecting = 1;
    received r = join_sets(&c, 0, 0, &summary);
    assert_int_equal(r.count, ROWS - 1);
    assert_int_equal(summary.pairs_found, (uint64_t)ROWS * (ROWS - 1) / 2);
    assert_true(summary.memory_peak < ROWS * UINT64_C(64));
    free(r.pairs);
    c.options.connecting = 0;
    c.options.top = 2;
    r = join_sets(&c, 0, 0, &summary);
    assert_int_equal(r.count, 2 * ROWS);
    assert_int_equal(r.pairs[2 * ROWS - 1].left, ROWS - 1);
    assert_int_equal(r.pairs[2 * ROWS - 1].right, 1);
    free(r.pairs);
    c.is_bounded = 1; /* one part: the distinct row is small enough */
    c.options.top = 0;
    r = join_sets(&c, 0, 1, &summary);
    assert_int_equal(summary.pairs_found, (uint64_t)ROWS * (ROWS - 1) / 2);
    free(r.pairs);
    akin_sets_free(sets);
    rows_clear(&one);
}

/* A receiver that stops the join when it is given pairs for the nth time; 0: never. */
typedef struct stopping {
    uint64_t pairs, calls, stop_at;
} stopping;

static int receive_some(void *user, const akin_pair *pairs, size_t count)
{
    stopping *s = user;
    assert_true(pairs && count > 0);
    s->pairs += count;
    return ++s->calls == s->stop_at;
}

static akin_status join_stopping(const set_case *c, stopping *s, asking *a, akin_error *error)
{
    akin_context context = context_of(&context, 1, 0);
    wishes.equal_rows = 1;
    if (a)
        context.scope.reporter = (akin_reporter){.cancel = asking_answer, .user = a};
    return akin_join(&context, c->left, c->right, &c->options, receive_some, s, NULL, NULL, error);
}

/* The receiver stops the join at any time, and so does the caller: in a group, between groups, and at the end. */
static void stopped(void **state)
{
    rows few = make_rows(5, 900, 3), others = make_rows(6, 500, 3);
    akin_sets *sets[2] = {rows_to_sets(&few), rows_to_sets(&others)};
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        set_case c = {sets[0], kind % 2 ? sets[1] : NULL, AKIN_JOIN_OPTIONS_INIT, 1, 0};
        stopping all = {0};
        asking never = {0};
        c.options.any_order = kind / 2 == 1;
        c.options.connecting = kind / 2 == 2;
        assert_int_equal(join_stopping(&c, &all, &never, NULL), AKIN_OK);
        assert_true(all.pairs > 500 && never.asked > 1);
        for (uint64_t n = 1; n <= all.calls; n++) {
            stopping s = {.stop_at = n};
            akin_error error;
            assert_int_equal(join_stopping(&c, &s, NULL, &error), AKIN_E_CANCELLED);
            assert_string_equal(error.message, "stopped by the receiver of the pairs");
            assert_int_equal(s.calls, n);
            assert_true(s.pairs <= all.pairs);
        }
        for (unsigned at = 1; at <= never.asked; at++) {
            stopping s = {0};
            asking a = {.stop_at = at};
            assert_int_equal(join_stopping(&c, &s, &a, NULL), AKIN_E_CANCELLED);
        }
    }
    for (int s = 0; s < 2; s++)
        akin_sets_free(sets[s]);
    rows_clear(&few);
    rows_clear(&others);
}

static void wrong_options(void **state)
{
    (void)state;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.connecting = 2;
    assert_int_equal(akin_join_check(NULL, NULL, &options, 1, NULL), AKIN_E_OPTION);
    options.connecting = 1;
    assert_int_equal(akin_join_check(NULL, NULL, &options, 1, NULL), AKIN_OK);
    options.top = 1;
    assert_int_equal(akin_join_check(NULL, NULL, &options, 1, NULL), AKIN_E_OPTION);
    akin_match_options match = AKIN_MATCH_OPTIONS_INIT;
    match.connecting = 2;
    assert_int_equal(akin_match_check(NULL, &match, NULL), AKIN_E_OPTION);
}

int main(void)
{
    cpu = akin_cpu_detect();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_sets), cmocka_unit_test(equal_strings), cmocka_unit_test(many_equal_rows),
        cmocka_unit_test(few_kinds),  cmocka_unit_test(stopped),       cmocka_unit_test(wrong_options),
    };
    return RUN_TESTS(tests, 3, NULL, NULL);
}
