/*
 * The best partners of each row, of sets and of strings, against every pair of rows compared by the book and sorted, in
 * exact arithmetic: for every measure and comparator, in one collection and between two, with few partners and many,
 * with and without a threshold, at each SIMD level, with one thread and more, whole and in parts.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases of each kind, 60 if not given
 */
#include "property/oracle.h"
#include "property/setting.h"
#include "property/shapes.h"
#include "unit/test_strings_support.h"
#include "unit/test_sanitizers.h"

#include "akin.h"
#include "base/context.h"
#include "join/top.h"
#include "sets/measure.h"

#include <stdio.h>

static akin_wishes wishes; /* of the tests below */

#define ROWS_MOST   420   /* of a shape of sets */
#define SETS_MANY   70000 /* more than are counted together */
#define SETS_ASKED  12
#define TOKENS_MOST 700 /* more than a byte counts */

__extension__ typedef unsigned __int128 wide;

/* What the job found, or should have. */
typedef struct list {
    akin_pair *pairs;
    size_t count, room;
} list;

static int add(void *user, const akin_pair *pairs, size_t count)
{
    list *l = user;
    while (l->room < l->count + count) {
        l->room = 2 * l->room + 1000;
        l->pairs = realloc(l->pairs, l->room * sizeof *l->pairs);
        assert_non_null(l->pairs);
    }
    memcpy(l->pairs + l->count, pairs, count * sizeof *pairs);
    l->count += count;
    return 0;
}

static int stop(void *user, const akin_pair *pairs, size_t count)
{
    (void)user, (void)pairs, (void)count;
    return 1;
}

/* A partner, and how alike it is: num / den. */
typedef struct partner {
    wide num, den;
    akin_pair pair;
} partner;

static int by_rank(const void *a, const void *b)
{
    const partner *x = a, *y = b;
    const wide left = x->num * y->den, right = y->num * x->den;
    if (left != right)
        return left < right ? 1 : -1;
    return (x->pair.right > y->pair.right) - (x->pair.right < y->pair.right);
}

/* Sorts the partners of a row, and adds the best of them. */
static void add_best(partner *partners, size_t count, uint32_t top, list *out)
{
    qsort(partners, count, sizeof *partners, by_rank);
    for (size_t i = 0; i < count && i < top; i++)
        add(out, &partners[i].pair, 1);
}

static uint32_t draw_top(akin_random *random)
{
    static const uint32_t tops[] = {1, 1, 2, 3, 7, 50, 100000};
    return tops[akin_random_below(random, sizeof tops / sizeof *tops)];
}

static void assert_same(const list *found, const list *expected)
{
    assert_int_equal(found->count, expected->count);
    for (size_t i = 0; i < expected->count; i++) {
        const akin_pair *a = &found->pairs[i], *b = &expected->pairs[i];
        if (a->left != b->left || a->right != b->right || a->overlap != b->overlap)
            fail_msg("result %zu is (%u, %u, %u), expected (%u, %u, %u)", i, a->left, a->right, a->overlap, b->left,
                     b->right, b->overlap);
    }
}

/* One way to do a job on rows of `tokens` tokens, drawn. */
static void draw_way(akin_random *random, uint64_t tokens, akin_context *context)
{
    static const uint64_t parts[] = {30, 100, 700, 5000};
    const int bound = akin_random_below(random, 2) == 0;
    context->scope.cpu = (akin_cpu)akin_random_below(random, (uint64_t)context->cpu_best + 1);
    context->scope.threads = threads_at_most(1 + (uint32_t)akin_random_below(random, 3));
    context->scope.memory = bound ? (uint64_t)64 << 20 : 0;
    context->wishes = &wishes;
    wishes.part_tokens = bound ? akin_max_u64(parts[akin_random_below(random, 4)], tokens / 8) : 0;
    wishes.top_way = NULL;
}

static akin_context *make_context(void)
{
    akin_context *context = NULL;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.device = "cpu";
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    return context;
}

/* ------------------------------------------------------------------------------------------------------------- sets */

/* The measure of a row of the table. */
static akin_measure measure_at(uint64_t row)
{
    return (akin_measure)akin_choice_at(&akin_measures, (uint32_t)row)->value;
}

static partner partner_of(akin_measure measure, wide r, wide s, wide n)
{
    switch (measure) {
    case AKIN_JACCARD:
        return (partner){.num = n, .den = r + s - n};
    case AKIN_COSINE:
        return (partner){.num = n * n, .den = r * s};
    case AKIN_DICE:
        return (partner){.num = 2 * n, .den = r + s};
    case AKIN_OVERLAP:
        return (partner){.num = n, .den = 1};
    case AKIN_OVERLAP_COEFFICIENT:
        return (partner){.num = n, .den = r < s ? r : s};
    case AKIN_CONTAINMENT:
        return (partner){.num = n, .den = r};
    }
    fail_msg("measure %d: nothing says how it ranks", (int)measure);
    abort();
}

static void expect_sets(const rows *left, const rows *right, const akin_join_options *options, list *out)
{
    const rows *other = right ? right : left;
    partner *partners = malloc((other->count + (size_t)1) * sizeof *partners);
    assert_non_null(partners);
    out->count = 0;
    for (uint32_t i = 0; i < left->count; i++) {
        size_t count = 0;
        for (uint32_t j = 0; j < other->count; j++) {
            const uint32_t r = rows_size(left, i), s = rows_size(other, j);
            const uint32_t n = oracle_overlap(rows_tokens(left, i), r, rows_tokens(other, j), s);
            if (n == 0 || (!right && i == j) ||
                (options->threshold.num && !oracle_qualifies(options->measure, options->threshold, r, s, n)))
                continue;
            partners[count] = partner_of(options->measure, r, s, n);
            partners[count++].pair = (akin_pair){i, j, n};
        }
        add_best(partners, count, options->top, out);
    }
    free(partners);
}

static akin_join_options draw_join(akin_measure measure, akin_random *random)
{
    static const akin_ratio shares[] = {{0, 1}, {0, 1}, {1, 10}, {1, 2}, {2, 3}, {4, 5}, {9, 10}, {1, 1}};
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.measure = measure;
    options.threshold = shares[akin_random_below(random, sizeof shares / sizeof *shares)];
    if (options.measure == AKIN_OVERLAP)
        options.threshold = (akin_ratio){(uint32_t)akin_random_below(random, 4), 1};
    options.top = draw_top(random);
    options.any_order = (uint32_t)akin_random_below(random, 2);
    return options;
}

/* Joins some rows with themselves or others: by each way to find partners, and by the one that is chosen. */
static void try_sets(akin_context *context, akin_measure measure, akin_random *random, const rows *left,
                     const rows *right)
{
    static const akin_top_way *const ways[] = {&akin_top_counted, &akin_top_prefix, &akin_top_prefix, NULL};
    static list expected, found;
    const rows *other = right ? right : left;
    const akin_join_options options = draw_join(measure, random);
    akin_sets *sets[2] = {rows_to_sets(left), right ? rows_to_sets(right) : NULL};
    akin_join_summary summary = {.size = sizeof summary};
    expect_sets(left, right, &options, &expected);
    for (uint32_t way = 0; way < 4; way++) {
        akin_join_report *report = NULL;
        akin_error error = {.code = AKIN_OK};
        uint64_t count = 0;
        found.count = 0;
        draw_way(random, other->count ? other->offsets[other->count] : 0, context);
        wishes.top_way = ways[way];
        akin_join(context, sets[0], sets[1], &options, way < 3 ? add : NULL, &found, &count, &report, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(count, expected.count);
        if (way < 3)
            assert_same(&found, &expected);
        assert_int_equal(akin_join_report_summary(report, &summary, NULL), AKIN_OK);
        assert_int_equal(summary.pairs_found, expected.count);
        akin_join_report_free(report);
    }
    assert_int_equal(akin_join(context, sets[0], sets[1], &options, stop, NULL, NULL, NULL, NULL),
                     expected.count ? AKIN_E_CANCELLED : AKIN_OK);
    akin_sets_free(sets[0]);
    akin_sets_free(sets[1]);
}

/* Tokens at random, low ones far more often; or those of a row, with one in eight replaced. */
static void add_row(akin_random *random, const rows *known, uint32_t universe, uint32_t size, rows *out)
{
    uint32_t tokens[TOKENS_MOST];
    const uint32_t row = known ? (uint32_t)akin_random_below(random, known->count) : 0;
    if (known)
        size = rows_size(known, row);
    for (uint32_t i = 0; i < size; i++) {
        tokens[i] = (uint32_t)akin_random_below(random, 1 + akin_random_below(random, universe));
        if (known && akin_random_below(random, 8) > 0)
            tokens[i] = rows_tokens(known, row)[i];
    }
    rows_add(out, tokens, size);
}

static uint32_t draw_size(akin_random *random)
{
    static const uint32_t sizes[] = {6, 6, 6, 6, 6, 6, 6, 12, 12, 12, 12, 12, 12, 12, 30, 30};
    return akin_random_below(random, 1000) == 0
               ? (uint32_t)akin_random_below(random, TOKENS_MOST + 1)
               : (uint32_t)akin_random_below(random, sizes[akin_random_below(random, 16)]);
}

/* Many sets: several ranges of them are counted, whole or by their rarest tokens. */
static void many_sets(void **state)
{
    akin_context *context = make_context();
    akin_random random;
    (void)state;
    akin_random_seed(&random, setting("AKIN_PROPERTY_SEED", 1));
    for (uint32_t i = 0; i < (UNDER_TSAN ? 1 : 4); i++) {
        const uint32_t universe = i % 2 == 0 ? 100000 : 1500;
        rows left = {0}, right = {0};
        for (uint32_t row = 0; row < SETS_MANY; row++)
            add_row(&random, NULL, universe, draw_size(&random), &right);
        for (uint32_t row = 0; row < SETS_ASKED; row++)
            add_row(&random, row % 3 == 0 ? NULL : &right, universe, row == 0 ? TOKENS_MOST : draw_size(&random),
                    &left);
        try_sets(context, measure_at(akin_random_below(&random, akin_measures.count)), &random, &left, &right);
        rows_clear(&left);
        rows_clear(&right);
    }
    akin_context_free(context);
}

/* ---------------------------------------------------------------------------------------------------------- strings */

#define STRINGS_MOST 200
#define STRINGS_MANY 4000

typedef struct side {
    string *strings;
    uint32_t count;
    uint64_t *offsets;
    char *bytes;
    uint8_t validity[STRINGS_MANY / 8 + 1];
    akin_column column;
} side;

/* Strings at random. Half of them are others with some edits: of this side, or of the other one. */
static void make_side(akin_random *random, const side *other, uint32_t count, uint32_t kinds, uint32_t longest, side *s)
{
    s->count = count;
    s->strings = calloc(count + (size_t)1, sizeof *s->strings);
    s->offsets = calloc(count + (size_t)1, sizeof *s->offsets);
    s->bytes = malloc((count + (size_t)1) * sizeof s->strings->text);
    assert_true(s->strings && s->offsets && s->bytes);
    memset(s->validity, 0xff, sizeof s->validity);
    for (uint32_t i = 0; i < count; i++) {
        const side *of = other && akin_random_below(random, 2) ? other : s;
        const uint32_t known = of == s ? i : of->count;
        if (known > 0 && akin_random_below(random, 2))
            edit_string(random, kinds, &of->strings[akin_random_below(random, known)],
                        (uint32_t)akin_random_below(random, longest / 4 + 1), &s->strings[i]);
        else
            draw_string(random, kinds, (uint32_t)akin_random_below(random, longest + 1), &s->strings[i]);
        if (akin_random_below(random, 12) == 0)
            s->validity[i / 8] &= (uint8_t) ~(1u << i % 8);
        memcpy(s->bytes + s->offsets[i], s->strings[i].text, s->strings[i].bytes);
        s->offsets[i + 1] = s->offsets[i] + s->strings[i].bytes;
    }
    s->column = (akin_column){sizeof s->column, "made up", s->offsets, s->bytes, s->validity, 0, NULL, 0, 0};
}

static void clear_side(side *s)
{
    free(s->strings);
    free(s->offsets);
    free(s->bytes);
    *s = (side){.count = 0};
}

static int is_there(const side *s, uint32_t i)
{
    return (s->validity[i / 8] >> i % 8 & 1) && s->strings[i].length > 0;
}

/* Jaro's similarity as a fraction, then Winkler's. */
static partner by_matches(const akin_compare_options *compare, const string *a, const string *b)
{
    const akin_jaro jaro = jaro_by_windows(a->symbols, a->length, b->symbols, b->length);
    const wide m = jaro.matched, h = compare->floored ? jaro.apart / 2 * 2 : jaro.apart, la = a->length, lb = b->length;
    wide num = 2 * m * m * la + 2 * m * m * lb + (2 * m - h) * la * lb, den = 6 * m * la * lb, prefix = 0;
    const akin_ratio scale = compare->prefix_scale, boost = compare->boost_threshold;
    if (m == 0)
        return (partner){.num = 0, .den = 1};
    while (prefix < 4 && prefix < la && prefix < lb && a->symbols[prefix] == b->symbols[prefix])
        prefix++;
    if (compare->comparator == AKIN_JARO_WINKLER) {
        const int grows = num * boost.den > boost.num * den;
        num = num * (scale.den - (grows ? prefix * scale.num : 0)) + (grows ? prefix * scale.num * den : 0);
        den *= scale.den;
    }
    return (partner){.num = num, .den = den};
}

/* The similarity; or of a distance d one that falls with it, 1 / (d + 1). */
static partner by_comparator(const akin_match_options *options, const string *a, const string *b)
{
    const akin_comparator comparator = options->compare->comparator;
    if (comparator == AKIN_JARO || comparator == AKIN_JARO_WINKLER)
        return by_matches(options->compare, a, b);
    const uint32_t longer = a->length > b->length ? a->length : b->length;
    const uint32_t distance = distance_by_matrix(a->symbols, a->length, b->symbols, b->length, comparator == AKIN_OSA);
    partner p = {.num = longer - distance, .den = longer, .pair = {0, 0, distance}};
    if (options->cutoff.num == 0)
        p = (partner){.num = distance <= options->most, .den = (wide)distance + 1, .pair = {0, 0, distance}};
    return p;
}

static void expect_strings(const side *left, const side *right, const akin_match_options *options, list *out)
{
    const side *other = right ? right : left;
    partner *partners = malloc((other->count + (size_t)1) * sizeof *partners);
    const akin_ratio least = options->cutoff;
    assert_non_null(partners);
    out->count = 0;
    for (uint32_t i = 0; i < left->count; i++) {
        size_t count = 0;
        for (uint32_t j = 0; j < other->count; j++) {
            if (!is_there(left, i) || !is_there(other, j) || (!right && i == j))
                continue;
            partner p = by_comparator(options, &left->strings[i], &other->strings[j]);
            p.pair.left = i;
            p.pair.right = j;
            if (p.num > 0 && p.num * least.den >= p.den * least.num)
                partners[count++] = p;
        }
        add_best(partners, count, options->top, out);
    }
    free(partners);
}

static akin_match_options draw_match(akin_random *random, akin_compare_options *compare)
{
    static const akin_comparator comparators[] = {AKIN_LEVENSHTEIN, AKIN_OSA, AKIN_JARO, AKIN_JARO_WINKLER};
    static const akin_ratio cutoffs[] = {{1, 3}, {6, 10}, {2, 3}, {8, 10}, {1, 1}};
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    *compare = (akin_compare_options)AKIN_COMPARE_OPTIONS_INIT;
    compare->comparator = comparators[akin_random_below(random, 4)];
    compare->floored = (uint32_t)akin_random_below(random, 2);
    if (akin_random_below(random, 2))
        compare->boost_threshold = (akin_ratio){7, 10};
    if (akin_random_below(random, 3) == 0)
        compare->prefix_scale = (akin_ratio){1, 4};
    options.compare = compare;
    options.cutoff = AKIN_CUTOFF_ANY;
    options.top = draw_top(random);
    if (akin_random_below(random, 2))
        options.cutoff = cutoffs[akin_random_below(random, sizeof cutoffs / sizeof *cutoffs)];
    const akin_choice *row = akin_choice_of_value("comparators", (int)compare->comparator);
    assert_non_null(row);
    if ((row->capabilities & AKIN_HAS_DISTANCE) && akin_random_below(random, 2)) {
        options.cutoff = (akin_ratio){0, 1};
        options.most = akin_random_below(random, 2) ? UINT32_MAX : (uint32_t)akin_random_below(random, 12);
    }
    return options;
}

static void try_strings(akin_context *context, akin_random *random, const side *left, const side *right)
{
    static list expected, found;
    akin_compare_options compare;
    const akin_match_options options = draw_match(random, &compare);
    const akin_column *column = right ? &right->column : NULL;
    const uint32_t rows = right ? right->count : 0;
    expect_strings(left, right, &options, &expected);
    for (uint32_t way = 0; way < 4; way++) {
        akin_match_report report = {.size = sizeof report};
        akin_error error = {.code = AKIN_OK};
        uint64_t count = 0;
        found.count = 0;
        draw_way(random, 0, context);
        akin_match(context, &left->column, left->count, column, rows, &options, way < 3 ? add : NULL, &found, &count,
                   &report, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(count, expected.count);
        if (way < 3)
            assert_same(&found, &expected);
        assert_int_equal(report.pairs_found, expected.count);
        assert_true(!report.rows_right == !right || rows == 0 || report.rows_right == 0);
    }
    assert_int_equal(
        akin_match(context, &left->column, left->count, column, rows, &options, stop, NULL, NULL, NULL, NULL),
        expected.count ? AKIN_E_CANCELLED : AKIN_OK);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void sets(void **state)
{
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    akin_context *context = make_context();
    (void)state;
    for (uint64_t i = 0, tried = 0; tried < cases; i++) {
        const shape *shape = &shapes[i % shapes_count];
        rows both[2] = {{0}, {0}};
        akin_random random;
        if (shape->rows > ROWS_MOST)
            continue;
        tried++;
        akin_random_seed(&random, seed * 1000003 + i);
        shape_make(shape, &random, &both[0], &both[1]);
        for (uint32_t side = 0; side < 2 && both[1].count <= 2 * ROWS_MOST; side++)
            try_sets(context, measure_at((tried + side) % akin_measures.count), &random, &both[0],
                     side ? &both[1] : NULL);
        rows_clear(&both[0]);
        rows_clear(&both[1]);
    }
    akin_context_free(context);
}

static void strings(void **state)
{
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    static const uint32_t kinds[] = {1, 3, 6, 20, 90}, counts[] = {0, 1, 30, 120, STRINGS_MOST};
    static const uint32_t lengths[] = {4, 12, 30, 80};
    akin_context *context = make_context();
    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        side left, right = {.count = 0};
        akin_random_seed(&random, seed * 1000033 + i);
        const uint32_t kind = kinds[akin_random_below(&random, 5)], longest = lengths[akin_random_below(&random, 4)];
        make_side(&random, NULL, counts[akin_random_below(&random, longest > 30 ? 4 : 5)], kind, longest, &left);
        const int two = akin_random_below(&random, 2) == 0;
        if (two)
            make_side(&random, &left, counts[akin_random_below(&random, longest > 30 ? 4 : 5)], kind, longest, &right);
        try_strings(context, &random, &left, two ? &right : NULL);
        clear_side(&left);
        clear_side(&right);
    }
    akin_context_free(context);
}

/* Many strings of nearly one length: there are seeds, and several bands and strips. */
static void many_strings(void **state)
{
    akin_context *context = make_context();
    akin_random random;
    side left, right;
    (void)state;
    akin_random_seed(&random, setting("AKIN_PROPERTY_SEED", 1));
    for (uint32_t i = 0; i < (UNDER_TSAN ? 2 : 6); i++) {
        make_side(&random, NULL, STRINGS_MANY, i % 3 == 0 ? 90 : 6, 10, &right);
        make_side(&random, &right, 10, 6, 10, &left);
        try_strings(context, &random, &left, &right);
        clear_side(&left);
        clear_side(&right);
    }
    akin_context_free(context);
}

/* Strings of one length that differ in an exchange of neighbours, at every place: it is one edit, or two. */
static void exchanges(void **state)
{
    enum { LENGTH = 26 };
    uint64_t offsets[LENGTH + 1] = {0};
    char bytes[LENGTH * LENGTH];
    akin_context *context = make_context();
    (void)state;
    for (uint32_t row = 0; row < LENGTH; row++) {
        char *text = bytes + row * LENGTH;
        for (uint32_t i = 0; i < LENGTH; i++)
            text[i] = (char)('a' + i);
        if (row > 0) { /* row 0 is as it was */
            text[row - 1] = (char)('a' + row);
            text[row] = (char)('a' + row - 1);
        }
        offsets[row + 1] = offsets[row] + LENGTH;
    }
    const akin_column column = {sizeof column, "made up", offsets, bytes, NULL, 0, NULL, 0, 0};
    for (uint32_t most = 1; most <= 2; most++) {
        akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
        akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
        uint64_t count = 0;
        compare.comparator = AKIN_OSA;
        options.compare = &compare;
        options.cutoff = (akin_ratio){0, 1};
        options.most = most;
        options.top = LENGTH;
        assert_int_equal(akin_match(context, &column, LENGTH, NULL, 0, &options, NULL, NULL, &count, NULL, NULL),
                         AKIN_OK);
        /* one edit leads from row 0 to any other row, and two edits lead from any row to any other: also where$
         * overlap, as a symbol goes and comes again */
        assert_int_equal(count, most == 1 ? 2 * (LENGTH - 1) : LENGTH * (LENGTH - 1));
    }
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets), cmocka_unit_test(many_sets), cmocka_unit_test(strings),
                                       cmocka_unit_test(many_strings), cmocka_unit_test(exchanges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
