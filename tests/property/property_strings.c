/*
 * Joins and searches of strings against every pair compared by the book, in exact arithmetic: on random strings of
 * several scripts and lengths, at every SIMD level, with one thread and more, whole and in parts. Built with
 * PROPERTY_DEVICE the joins are done on a GPU, with room for few pairs or many; PROPERTY_HOST_GPU: a played one.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 60 if not given
 */
#include "property/setting.h"
#include "unit/test_strings_support.h"

#include "akin.h"
#include "base/context.h"
#include "device/device.h"
#include "strings/comparators.h"
#include "match/options.h"

#include <math.h>
#include <stdio.h>

static akin_wishes wishes; /* of the tests below */

#ifdef PROPERTY_HOST_GPU
#define ON_GPU          1
#define HOST_GPU        1
#define PROPERTY_DEVICE "cpu" /* there is none to be opened: the context says that there is one */
#include "property/host_device.h"
extern uint64_t host_launches;
#elif defined(PROPERTY_DEVICE)
#define ON_GPU 1
#else
#define ON_GPU          0
#define PROPERTY_DEVICE "cpu"
#endif

#define STRINGS_MOST 160
#define KINDS_MANY   45 /* symbols of each script: more than have a place of their own where places are looked up */
#define KINDS_WIDE   90 /* symbols of each script: more than a GPU takes, which then refuses them */

/* A column that is made up. */
typedef struct side {
    string strings[STRINGS_MOST];
    uint8_t is_null[STRINGS_MOST];
    uint32_t count;
    uint64_t offsets[STRINGS_MOST + 1];
    char *bytes;
    uint8_t validity[STRINGS_MOST / 8 + 1];
    akin_column column;
} side;

typedef struct shape {
    uint32_t kinds, count, longest;
} shape;

static void lay_out(side *s)
{
    uint64_t length = 0;
    memset(s->validity, 0, sizeof s->validity);
    s->offsets[0] = 0;
    for (uint32_t i = 0; i < s->count; i++)
        length += s->strings[i].bytes;
    free(s->bytes);
    s->bytes = malloc(length + 1);
    assert_non_null(s->bytes);
    length = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        memcpy(s->bytes + length, s->strings[i].text, s->strings[i].bytes);
        length += s->strings[i].bytes;
        s->offsets[i + 1] = length;
        if (!s->is_null[i])
            s->validity[i / 8] |= (uint8_t)(1u << i % 8);
    }
    s->column = (akin_column){sizeof s->column, "made up", s->offsets, s->bytes, s->validity, 0, NULL, 0, 0};
}

/* Strings at random. Half of them are others with some edits. */
static void make_side(akin_random *random, const shape *shape, const side *other, side *s)
{
    s->count = shape->count;
    for (uint32_t i = 0; i < s->count; i++) {
        const side *of = other && akin_random_below(random, 2) ? other : s;
        uint32_t known = of == s ? i : of->count, most = shape->longest / 4 + 1;
        if (known > 0 && akin_random_below(random, 2))
            edit_string(random, shape->kinds, &of->strings[akin_random_below(random, known)],
                        (uint32_t)akin_random_below(random, most), &s->strings[i]);
        else
            draw_string(random, shape->kinds, (uint32_t)akin_random_below(random, shape->longest + 1), &s->strings[i]);
        s->is_null[i] = akin_random_below(random, 12) == 0;
    }
    lay_out(s);
}

static int is_there(const side *s, uint32_t i)
{
    return !s->is_null[i] && s->strings[i].length > 0;
}

/* ------------------------------------------------------------------------------------------------------------- oracle
 */

__extension__ typedef __int128 i128;

/* The options of a question. A similarity is num / den of theirs. */
typedef struct question {
    akin_compare_options compare;
    akin_match_options match;
} question;

/* Jaro's similarity as a fraction, then Winkler's. */
static int reaches(const question *q, const string *a, const string *b, double *similarity)
{
    akin_jaro jaro = jaro_by_windows(a->symbols, a->length, b->symbols, b->length);
    i128 m = jaro.matched, h = q->compare.floored ? jaro.apart / 2 * 2 : jaro.apart, la = a->length, lb = b->length;
    *similarity = 0;
    if (m == 0)
        return 0;
    i128 over = 2 * m * m * la + 2 * m * m * lb + (2 * m - h) * la * lb, under = 6 * m * la * lb, prefix = 0;
    *similarity = (double)over / (double)under;
    while (prefix < 4 && prefix < la && prefix < lb && a->symbols[prefix] == b->symbols[prefix])
        prefix++;
    akin_ratio scale = q->compare.prefix_scale, boost = q->compare.boost_threshold;
    if (q->compare.comparator == AKIN_JARO_WINKLER && over * boost.den > boost.num * under) {
        over = over * (scale.den - prefix * scale.num) + prefix * scale.num * under;
        under *= scale.den;
        *similarity = (double)over / (double)under;
    }
    return over * q->match.cutoff.den >= under * q->match.cutoff.num;
}

/* Whether two strings qualify, and by what. */
static int qualifies(const question *q, const string *a, const string *b, akin_compared *by, uint32_t *distance)
{
    akin_comparator comparator = q->compare.comparator;
    *distance = 0;
    if (comparator == AKIN_JARO || comparator == AKIN_JARO_WINKLER) {
        int enough = reaches(q, a, b, &by->similarity);
        by->distance = 1 - by->similarity;
        return enough;
    }
    uint64_t longer = a->length > b->length ? a->length : b->length;
    *distance = distance_by_matrix(a->symbols, a->length, b->symbols, b->length, comparator == AKIN_OSA);
    by->distance = *distance;
    by->similarity = 1 - by->distance / (double)longer;
    if (q->match.cutoff.num == 0)
        return *distance <= q->match.most;
    return (longer - *distance) * q->match.cutoff.den >= longer * q->match.cutoff.num;
}

/* One of the comparators by which strings are joined. */
static const akin_choice *draw_comparator(akin_random *random)
{
    const akin_choice *row;
    do
        row = akin_choice_at(&akin_comparators, (uint32_t)akin_random_below(random, akin_comparators.count));
    while (!row || !(row->capabilities & AKIN_FOR_MATCH));
    return row;
}

static int is_by_edits(akin_comparator comparator)
{
    return akin_comparator_of(comparator)->form == AKIN_BY_EDITS;
}

static question draw_question(akin_random *random)
{
    static const akin_ratio cutoffs[] = {{1, 2},  {6, 10}, {66, 100}, {2, 3},  {75, 100}, {8, 10},
                                         {9, 10}, {1, 1},  {1, 100},  {7, 10}, {3, 10}};
    question q = {.compare = AKIN_COMPARE_OPTIONS_INIT, .match = AKIN_MATCH_OPTIONS_INIT};
    const akin_choice *row = draw_comparator(random);
    q.compare.comparator = (akin_comparator)row->value;
    q.match.cutoff = cutoffs[akin_random_below(random, sizeof cutoffs / sizeof *cutoffs)];
    if ((row->capabilities & AKIN_HAS_DISTANCE) && akin_random_below(random, 2)) {
        q.match.cutoff = (akin_ratio){0, 1};
        q.match.most = (uint32_t)akin_random_below(random, 7);
        if (akin_random_below(random, 8) == 0)
            q.match.most = UINT32_MAX - (uint32_t)akin_random_below(random, 300); /* all pairs */
    }
    q.compare.floored = (uint32_t)akin_random_below(random, 2);
    if (akin_random_below(random, 2))
        q.compare.boost_threshold = (akin_ratio){7, 10};
    if (akin_random_below(random, 3) == 0)
        q.compare.prefix_scale = (akin_ratio){1, 4};
    return q;
}

/* -------------------------------------------------------------------------------------------------------------- joins
 */

typedef struct list {
    akin_pair pairs[STRINGS_MOST * STRINGS_MOST];
    size_t count;
} list;

static int add(void *user, const akin_pair *pairs, size_t count)
{
    list *l = user;
    assert_true(l->count + count <= STRINGS_MOST * STRINGS_MOST);
    memcpy(l->pairs + l->count, pairs, count * sizeof *pairs);
    l->count += count;
    return 0;
}

static int by_rows(const void *a, const void *b)
{
    const akin_pair *x = a, *y = b;
    return x->left != y->left ? (x->left > y->left) - (x->left < y->left)
                              : (x->right > y->right) - (x->right < y->right);
}

static void expect(const question *q, const side *left, const side *right, list *l)
{
    akin_compared by;
    uint32_t distance;
    l->count = 0;
    for (uint32_t i = 0; i < left->count; i++)
        for (uint32_t j = right ? 0 : i + 1; j < (right ? right : left)->count; j++) {
            const side *other = right ? right : left;
            if (is_there(left, i) && is_there(other, j) &&
                qualifies(q, &left->strings[i], &other->strings[j], &by, &distance))
                l->pairs[l->count++] = (akin_pair){i, j, distance};
        }
}

/* One way to do a join: SIMD level, threads, and whether there is a memory bound. */
typedef struct way {
    akin_cpu cpu;
    uint32_t threads;
    int bound;
} way;

static void join_in_one_way(akin_context *context, akin_random *random, const question *q, const way *w,
                            const side *left, const side *right, const list *expected, uint64_t *compatible)
{
    static list found;
    static const uint64_t parts[] = {0, 1, 13, 64};
    akin_match_options options = q->match;
    akin_match_report report = {.size = sizeof report};
    akin_error error;
    uint64_t count = 0;
    int listed = !ON_GPU || akin_random_below(random, 4) > 0;
    options.compare = &q->compare;
    options.any_order = (uint32_t)akin_random_below(random, 2);
    if (!ON_GPU && is_by_edits(q->compare.comparator))
        options.technique =
            (akin_match_technique)akin_choice_at(&akin_match_techniques,
                                                 (uint32_t)akin_random_below(random, akin_match_techniques.count))
                ->value;
    context->scope.cpu = w->cpu;
    context->scope.threads = w->threads;
    context->scope.memory = w->bound ? (uint64_t)64 << 20 : 0;
    context->wishes = &wishes;
    wishes.equal_rows = -1; /* figures are those of all rows; test_join_equal.c has equal ones */
    wishes.part_tokens = w->bound ? parts[akin_random_below(random, 4)] : 0;
    wishes.pairs_a_run = akin_random_below(random, 2) ? 10 : 0;
    wishes.candidates = ON_GPU && akin_random_below(random, 2) ? 1 : 0;
    found.count = 0;
    akin_status status =
        akin_match(context, &left->column, left->count, right ? &right->column : NULL, right ? right->count : 0,
                   &options, listed ? add : NULL, &found, &count, &report, &error);
    if (ON_GPU && status == AKIN_E_OPTION && strstr(error.message, "distinct symbols"))
        return;
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
    if (options.any_order)
        qsort(found.pairs, found.count, sizeof *found.pairs, by_rows);
    assert_int_equal(count, expected->count);
    assert_int_equal(found.count, listed ? expected->count : 0);
    assert_memory_equal(found.pairs, expected->pairs, found.count * sizeof *expected->pairs);
    assert_int_equal(report.pairs_found, expected->count);
    assert_true(report.candidates >= expected->count && report.pairs_compatible >= report.candidates);
    assert_true(report.pairs_all >= report.pairs_compatible && report.pairs_compatible >= report.pairs_looked_up);
    assert_true(!ON_GPU || report.device == 1 || report.candidates == 0);
    if (*compatible == UINT64_MAX)
        *compatible = report.pairs_compatible;
    assert_int_equal(report.pairs_compatible, *compatible); /* none is counted twice, however the join was cut */
}

static int stop(void *user, const akin_pair *pairs, size_t count)
{
    (void)user, (void)pairs, (void)count;
    return 1;
}

/* A receiver that stops the job gets that status, in whatever way pairs are kept. */
static void join_stopped(akin_context *context, const question *q, const side *left, const list *expected)
{
    akin_match_options options = q->match;
    akin_error error;
    options.compare = &q->compare;
    for (uint32_t way = 0; way < 4; way++) {
        options.any_order = way % 2;
        context->scope.memory = way / 2 ? (uint64_t)64 << 20 : 0;
        akin_status status =
            akin_match(context, &left->column, left->count, NULL, 0, &options, stop, NULL, NULL, NULL, &error);
        if (ON_GPU && status == AKIN_E_OPTION && strstr(error.message, "distinct symbols"))
            return;
        assert_int_equal(status, expected->count ? AKIN_E_CANCELLED : AKIN_OK);
        assert_true(status == AKIN_OK || error.code == status);
    }
    context->scope.memory = 0;
}

/* Of a callback that cancels a job: how often it was called, and when it cancels. */
typedef struct canceller {
    uint64_t asked, at, launches;
} canceller;

static int cancel(void *user)
{
    canceller *c = user;
#ifdef HOST_GPU
    assert_true(host_launches - c->launches <= 1); /* each launch is followed by a question, even if it was given up */
    c->launches = host_launches;
#endif
    return c->asked++ >= c->at;
}

/* A job that is cancelled ends so, whenever it is. */
static void join_cancelled(akin_context *context, akin_random *random, const question *q, const side *left,
                           const list *expected)
{
    akin_match_options options = q->match;
    akin_error error;
    uint64_t count = 0, times = 1;
    options.compare = &q->compare;
    context->scope.threads = 1;
    for (uint32_t i = 0; i < 4; i++) {
        canceller c = {.at = i == 0 ? UINT64_MAX : akin_random_below(random, times)};
#ifdef HOST_GPU
        c.launches = host_launches;
#endif
        context->scope.reporter.cancel = cancel;
        context->scope.reporter.user = &c;
        akin_status status =
            akin_match(context, &left->column, left->count, NULL, 0, &options, NULL, NULL, &count, NULL, &error);
        context->scope.reporter.cancel = NULL;
        if (ON_GPU && status == AKIN_E_OPTION && strstr(error.message, "distinct symbols"))
            return;
        assert_int_equal(status, c.asked > c.at ? AKIN_E_CANCELLED : AKIN_OK);
        assert_true(status != AKIN_OK || count == expected->count);
        times = i == 0 ? c.asked + !c.asked : times;
    }
}

/* No GPU looks segments up, and that is said. */
static void segments_on_a_gpu(akin_context *context, const side *s)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    akin_error error;
    options.technique = AKIN_MATCH_SEGMENTS;
    assert_int_equal(akin_match(context, &s->column, s->count, NULL, 0, &options, NULL, NULL, NULL, NULL, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "on the CPU alone"));
}

static void join_in_every_way(akin_context *context, akin_random *random, const question *q, const side *left,
                              const side *right)
{
    static list expected;
    uint64_t compatible = UINT64_MAX;
    expect(q, left, right, &expected);
    for (uint32_t cpu = ON_GPU ? context->cpu_best : AKIN_CPU_SCALAR; cpu <= context->cpu_best; cpu++)
        for (uint32_t threads = 1; threads <= 3; threads += 2)
            for (int bound = 0; bound < 2; bound++)
                join_in_one_way(context, random, q, &(way){(akin_cpu)cpu, threads, bound}, left, right, &expected,
                                &compatible);
    context->scope.memory = 0;
    context->wishes = &wishes;
    wishes.part_tokens = 0;
    if (!right) {
        join_stopped(context, q, left, &expected);
        join_cancelled(context, random, q, left, &expected);
    }
}

/* ----------------------------------------------------------------------------------------------------------- searches
 */

static void search(akin_context *context, akin_random *random, const shape *shape, const question *q, const side *s)
{
    static string query;
    static akin_hit hits[STRINGS_MOST];
    akin_match_options options = q->match;
    akin_batch *batch = NULL;
    akin_error error;
    options.compare = &q->compare;
    context->scope.cpu = context->cpu_best;
    assert_int_equal(akin_batch_create(context, &s->column, s->count, 0, &batch, &error), AKIN_OK);
    for (uint32_t i = 0; i < 12; i++) {
        uint64_t count = 0, at = 0, room = i % 3 == 2 ? 2 : STRINGS_MOST;
        akin_compared by;
        uint32_t distance, kinds = i % 4 == 3 ? shape->kinds + 100 : shape->kinds; /* then some are not in the batch */
        context->scope.cpu = (akin_cpu)(i % ((uint32_t)context->cpu_best + 1));
        if (s->count > 0 && i % 2)
            edit_string(random, kinds, &s->strings[akin_random_below(random, s->count)], i, &query);
        else
            draw_string(random, kinds, (uint32_t)akin_random_below(random, shape->longest + 1), &query);
        assert_int_equal(
            akin_batch_search(context, batch, &options, query.text, query.bytes, hits, room, &count, &error), AKIN_OK);
        for (uint32_t row = 0; row < s->count; row++) {
            if (query.length == 0 || !is_there(s, row) || !qualifies(q, &query, &s->strings[row], &by, &distance))
                continue;
            if (at < room) {
                assert_true(at < count && hits[at].row == row);
                assert_true(fabs(hits[at].compared.similarity - by.similarity) < 1e-12);
                assert_true(fabs(hits[at].compared.distance - by.distance) < 1e-12);
            }
            at++;
        }
        assert_int_equal(count, at);
    }
    akin_batch_free(batch);
}

static void every_case(void **state)
{
    static const uint32_t kinds[] = {2, 4, 7, 26, KINDS_MANY, KINDS_WIDE}, longest[] = {6, 20, 45, 110, 290, 500};
    static side sides[2];
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_random random;
    uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    (void)state;
    options.device = PROPERTY_DEVICE;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
#ifdef HOST_GPU
    context->backend = &host_backend;
    context->scope.device_choice = AKIN_DEVICE_CUDA;
#endif
    for (uint64_t i = 0; i < cases; i++) {
        akin_random_seed(&random, seed * 1000003 + i);
        shape shape = {.kinds = kinds[akin_random_below(&random, 6)],
                       .longest = longest[akin_random_below(&random, 6)]};
        uint32_t most = shape.longest > 100 ? 30 : STRINGS_MOST;
        shape.count = i % 10 == 0 ? (uint32_t)i / 10 % 3 : (uint32_t)akin_random_below(&random, most + 1);
        question q = draw_question(&random);
        make_side(&random, &shape, NULL, &sides[0]);
        make_side(&random, &shape, &sides[0], &sides[1]);
        printf("seed %llu case %llu: comparator %d, cutoff %u/%u or %u, %u strings of %u kinds up to %u\n",
               (unsigned long long)seed, (unsigned long long)i, (int)q.compare.comparator, q.match.cutoff.num,
               q.match.cutoff.den, q.match.most, shape.count, shape.kinds, shape.longest);
        join_in_every_way(context, &random, &q, &sides[0], NULL);
        join_in_every_way(context, &random, &q, &sides[0], &sides[1]);
        search(context, &random, &shape, &q, &sides[1]);
    }
    if (ON_GPU && cases > 0)
        segments_on_a_gpu(context, &sides[0]);
    free(sides[0].bytes);
    free(sides[1].bytes);
    akin_context_free(context);
}

int main(void)
{
#ifndef HOST_GPU
    if (ON_GPU && akin_device_find().devices == 0) {
        printf("skipped: there is no GPU\n");
        return 77;
    }
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
