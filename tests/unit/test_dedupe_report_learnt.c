/*
 * What a report gathers of a job that learns its weights, against plain counting of the pairs that the same job hands
 * over with a tiny threshold; the evidence of pairs; bridges and missing pairs of clusters; and that it changes nothing
 * of what is handed over.
 */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/context.h"
#include "report/report.h"
#include "unit/test_base_files.h"
#include "unit/test_dedupe_learn.h"
#include "unit/test_sanitizers.h"

#define MOST 300  /* records of all tables */
#define TINY 1e-9 /* pairs that are less probable do not count */
#define FEW  1e-3 /* and come to less than this */

static people one, two;

/* The probability of each pair, as handed over; -1: it was not. And who selects it. */
typedef struct answer {
    double found[MOST][MOST];
    uint64_t count;
    akin_dedupe_report report;
    uint32_t labels[MOST];
} answer;

static akin_clustering kind = AKIN_CLUSTERING_AVERAGE; /* of clusters */
static answer plain, all, shown;
static uint8_t selected[MOST][MOST]; /* a bit for each selection */

typedef struct sides {
    const people *left, *right;
    uint32_t border, records;
} sides;

static sides sides_of(const people *left, const people *right)
{
    return (sides){left, right, right ? left->rows : 0, left->rows + (right ? right->rows : 0)};
}

typedef struct taking {
    const sides *s;
    answer *to;
} taking;

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    const taking *t = user;
    (void)each;
    for (size_t i = 0; i < count; i++)
        t->to->found[pairs[i].left][pairs[i].right + t->s->border] = pairs[i].similarity;
    t->to->count += count;
    return 0;
}

static void find(const sides *s, const question *q, akin_report *report, uint32_t threads, int has_clusters,
                 answer *out)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    akin_clusters_options clustering = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_dedupe_options options = q->options;
    akin_error error = {.message = ""};
    taking to = {s, out};
    for (uint32_t a = 0; a < s->records; a++)
        for (uint32_t b = 0; b < s->records; b++)
            out->found[a][b] = -1;
    out->count = 0;
    out->report = (akin_dedupe_report){.size = sizeof out->report};
    options.report = report;
    clustering.clustering = kind;
    if (kind == AKIN_CLUSTERING_AVERAGE)
        clustering.parameter = (akin_ratio)AKIN_LEARNT_AVERAGE;
    const uint32_t rights = s->records - s->left->rows;
    if (has_clusters)
        assert_int_equal(
            akin_clusters_create_by(&context, s->left->rows, rights, &clustering, &options.clusters, &error), AKIN_OK);
    akin_status status = akin_dedupe(&context, s->left->columns, s->left->rows, s->right ? s->right->columns : NULL,
                                     rights, FIELDS, &options, take, &to, NULL, &out->report, &error);
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
    if (has_clusters)
        assert_int_equal(akin_clusters_close(&context, options.clusters, &error), AKIN_OK);
    for (uint32_t r = 0; r < s->records && has_clusters; r++)
        out->labels[r] = akin_clusters_row(options.clusters, r);
    akin_clusters_free(options.clusters);
}

static int mark(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    const uint32_t *at = user;
    (void)each;
    for (size_t i = 0; i < count; i++)
        selected[pairs[i].left][pairs[i].right + at[1]] |= (uint8_t)(1 << at[0]);
    return 0;
}

/* Pairs of a selection are those found by a comparison that all pairs reach. */
static void mark_selected(const sides *s, const question *q)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    memset(selected, 0, sizeof selected);
    for (uint32_t i = 0; i < q->options.selection_count; i++) {
        akin_compare_options any = AKIN_COMPARE_OPTIONS_INIT;
        akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
        static uint64_t offsets[MOST + 1];
        static char bytes[MOST];
        const uint32_t rights = s->records - s->left->rows, at[2] = {i, s->border};
        any.comparator = AKIN_EXACT;
        const akin_attribute attribute = {.column = FIELDS, .compare = &any, .threshold = {0, 1}, .weight = {1, 1}};
        akin_column columns[2][FIELDS + 1];
        memset(bytes, 'a', sizeof bytes);
        for (uint32_t r = 0; r <= MOST; r++)
            offsets[r] = r;
        for (int side = 0; side < 2; side++) {
            const people *p = side && s->right ? s->right : s->left;
            memcpy(columns[side], p->columns, sizeof p->columns);
            columns[side][FIELDS] =
                (akin_column){.size = sizeof columns[0][0], .name = "same", .offsets = offsets, .bytes = bytes};
        }
        options.attributes = &attribute;
        options.attribute_count = 1;
        options.selections = &q->options.selections[i];
        options.selection_count = 1;
        options.threshold = (akin_ratio){1, 1};
        assert_int_equal(akin_dedupe(&context, columns[0], s->left->rows, s->right ? columns[1] : NULL, rights,
                                     FIELDS + 1, &options, mark, (void *)at, NULL, NULL, NULL),
                         AKIN_OK);
    }
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static uint32_t bin_of(double similarity)
{
    uint32_t k = 100;
    while (k > 0 && similarity < k / 100.0 - 0.5e-9)
        k--;
    return k;
}

/* Pairs by probability, and what is expected of each threshold. */
static void check_figures(const sides *s, const akin_report *r)
{
    akin_bins found = {0};
    uint64_t near = 0;
    double sums[AKIN_CURVE_POINTS] = {0}, precision[AKIN_CURVE_POINTS], recall[AKIN_CURVE_POINTS],
           f1[AKIN_CURVE_POINTS];
    uint64_t kept[AKIN_CURVE_POINTS] = {0}, pairs[AKIN_CURVE_POINTS];
    for (uint32_t a = 0; a < s->records; a++)
        for (uint32_t b = a + 1; b < s->records; b++) {
            const double p = all.found[a][b];
            if (plain.found[a][b] >= 0)
                found[bin_of(plain.found[a][b])]++;
            /* With a tiny threshold many more pairs connect records, and those that no selection has are found, too. */
            if (p < 0 || (!selected[a][b] && plain.found[a][b] < 0))
                continue;
            sums[bin_of(p)] += p;
            kept[bin_of(p)]++;
        }
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++)
        near += r->near_bins[k];
    assert_memory_equal(r->found_bins, found, sizeof found);
    assert_int_equal(near + plain.count - r->learnt.completed_count, r->figures.pairs_selected);
    akin_report_expect(r, precision, recall, f1, pairs);
    double right = 0;
    uint64_t count = 0;
    for (uint32_t k = 100; k > 0; k--) {
        assert_true(fabs(r->learnt.sums[k] - sums[k]) < TINY);
        assert_int_equal(r->kept_bins[k], kept[k]);
        right += sums[k];
        count += kept[k];
        assert_int_equal(pairs[k], count);
        if (count == 0)
            continue;
        assert_true(fabs(precision[k] - right / (double)count) < TINY);
        assert_true(fabs(recall[k] - right / plain.report.expected_matches) < TINY);
        assert_true(fabs(f1[k] - 2 * precision[k] * recall[k] / (precision[k] + recall[k])) < TINY);
    }
    assert_true(fabs(right + r->learnt.sums[0] - plain.report.expected_matches) < FEW ||
                plain.report.partners == AKIN_PARTNERS_ONE);
}

/* What selections have, where each selected pair stands for itself. */
static void check_selections(const sides *s, const question *q, const akin_report *r)
{
    double matches[FIELDS] = {0}, soles[FIELDS] = {0}, sure[FIELDS] = {0}, caught[3] = {0}, sure_by_two = 0,
           products = 0;
    uint64_t alone[FIELDS] = {0};
    for (uint32_t a = 0; a < s->records; a++)
        for (uint32_t b = a + 1; b < s->records; b++) {
            const double p = all.found[a][b] > 0 ? all.found[a][b] : 0;
            const int count = __builtin_popcount(selected[a][b]);
            for (uint32_t i = 0; i < q->options.selection_count; i++) {
                const int has = selected[a][b] >> i & 1;
                matches[i] += has ? p : 0;
                soles[i] += has && count == 1 ? p : 0;
                sure[i] += has && count == 1 && p >= AKIN_REPORT_SURE ? p : 0;
                alone[i] += (uint64_t)(has && count == 1);
            }
            if (count > 0)
                caught[count > 3 ? 2 : count - 1] += p;
            sure_by_two += count == 2 && p >= AKIN_REPORT_SURE ? p : 0;
        }
    for (uint32_t i = 0; i < q->options.selection_count; i++) {
        assert_int_equal(r->learnt.shares[i].sole_pairs, alone[i]);
        assert_true(fabs(r->learnt.shares[i].matches - matches[i]) < FEW);
        assert_true(fabs(r->learnt.shares[i].sole_matches - soles[i]) < FEW);
    }
    for (uint32_t i = 0; i < q->options.selection_count; i++)
        for (uint32_t j = i + 1; j < q->options.selection_count; j++)
            products += sure[i] * sure[j];
    assert_true(fabs(r->learnt.caught.by_one - caught[0]) < FEW);
    assert_true(fabs(r->learnt.caught.by_two - caught[1]) < FEW);
    assert_true(fabs(r->learnt.caught.by_more - caught[2]) < FEW);
    assert_true(fabs(akin_report_caught_matches(r) - (caught[0] + caught[1] + caught[2])) < FEW);
    assert_true(fabs(akin_report_missed_least(r) - products / (sure_by_two + 1)) < FEW);
}

/* The evidence of each listed pair adds up to its probability, and each is what became of it. */
static void check_pairs(const akin_report *r)
{
    const uint32_t width = akin_report_parts(r);
    uint64_t found = 0, near = 0;
    for (uint64_t i = 0; i < r->pair_count; i++) {
        const akin_report_pair *pair = &r->pairs[i];
        const uint32_t a = (uint32_t)(pair->records >> 32), b = (uint32_t)pair->records;
        const double p = pair->average;
        double sum = 0;
        for (uint32_t k = 0; k < width; k++) {
            const double part = r->learnt.parts[i * width + k];
            sum += isnan(part) ? 0 : part;
        }
        if (p > TINY && p < 1 - TINY)
            assert_true(fabs(sum - log2(p / (1 - p))) < 1e-6);
        assert_int_equal(pair->kind == AKIN_REPORT_FOUND, plain.found[a][b] >= 0);
        if (pair->kind == AKIN_REPORT_FOUND)
            assert_true(p == plain.found[a][b] && p >= plain.report.threshold);
        if (pair->kind == AKIN_REPORT_NEAR || pair->kind == AKIN_REPORT_BELOW)
            assert_true(p < plain.report.threshold);
        if (pair->kind == AKIN_REPORT_BEATEN)
            assert_true(p >= plain.report.threshold && plain.report.partners == AKIN_PARTNERS_ONE);
        found += pair->kind == AKIN_REPORT_FOUND;
        near += pair->kind != AKIN_REPORT_FOUND;
    }
    assert_true(found > 0 && near > 0);
}

static int reached[MOST];
static struct {
    uint64_t bridges, missing, completed; /* of all clusters, so that the tests are of something */
} seen;

/* Marks what found pairs connect with a record, without one of them. */
static void reach(const sides *s, uint32_t from, uint32_t a, uint32_t b, const uint32_t *labels)
{
    reached[from] = 1;
    for (uint32_t to = 0; to < s->records; to++) {
        const uint32_t low = from < to ? from : to, high = from < to ? to : from;
        if (!reached[to] && labels[from] == labels[to] && plain.found[low][high] >= 0 && !(low == a && high == b))
            reach(s, to, a, b, labels);
    }
}

static void check_cluster(const sides *s, const akin_report_cluster *c, const uint32_t *labels)
{
    uint64_t pairs = 0, possible = 0, bridges = 0, missing = 0;
    double weakest = 2;
    for (uint32_t a = 0; a < s->records; a++)
        for (uint32_t b = a + 1; b < s->records; b++) {
            const double p = plain.found[a][b];
            if (labels[a] != c->first || labels[b] != c->first)
                continue;
            possible += !s->border || (a < s->border && b >= s->border);
            missing += selected[a][b] && p < 0;
            if (p < 0)
                continue;
            pairs++;
            weakest = p < weakest ? p : weakest;
            memset(reached, 0, sizeof reached);
            reach(s, a, a, b, labels);
            bridges += c->size > 2 && !reached[b];
        }
    assert_int_equal(c->pairs, pairs);
    assert_int_equal(c->possible, possible);
    assert_int_equal(c->bridges, bridges);
    assert_int_equal(c->missing, missing);
    assert_true(c->weakest == weakest);
    seen.bridges += bridges;
    seen.missing += missing;
    assert_int_equal(c->bridges_listed, bridges < AKIN_REPORT_EXAMPLES ? bridges : AKIN_REPORT_EXAMPLES);
    for (uint32_t i = 0; i < c->missed_listed; i++)
        assert_true(i == 0 || c->missed[i - 1].similarity <= c->missed[i].similarity);
}

/* Records that no pair could link: one without any value is the first of them. */
static void check_unlinkable(const sides *s, const akin_report *r)
{
    const akin_report_learnt *l = &r->learnt;
    uint64_t counted = 0;
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++)
        counted += l->best[k];
    assert_int_equal(counted, s->records);
    assert_true(l->unlinkable > 0 && l->example_count == (l->unlinkable < 8 ? l->unlinkable : 8));
    assert_int_equal(l->examples[0].records, 0);
    assert_true(fabs(l->examples[0].similarity - l->prior / (1 + l->prior)) < TINY);
    for (uint32_t i = 0; i < l->example_count; i++)
        assert_true(l->examples[i].similarity < l->threshold &&
                    (i == 0 || l->examples[i].similarity >= l->examples[i - 1].similarity));
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static akin_report *make_report(const sides *s, const question *q, uint32_t threads, int has_clusters)
{
    static akin_context context = {.scope = {.context = &context, .threads = 3}};
    akin_clusters_options clustering = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_report_options options = AKIN_REPORT_OPTIONS_INIT;
    akin_report *report = NULL;
    clustering.clustering = kind;
    if (kind == AKIN_CLUSTERING_AVERAGE)
        clustering.parameter = (akin_ratio)AKIN_LEARNT_AVERAGE;
    options.clustering = &clustering;
    assert_int_equal(akin_report_create(&context, &options, &report, NULL), AKIN_OK);
    find(s, q, report, threads, has_clusters, &shown);
    return report;
}

/* Everything, of a job whose answers are those without a report. */
static void check(const people *left, const people *right, question *q)
{
    const sides s = sides_of(left, right);
    const akin_ratio threshold = q->options.threshold;
    assert_true(s.records <= MOST);
    find(&s, q, NULL, 2, 1, &plain);
    q->options.threshold = (akin_ratio){1, 1000000000};
    find(&s, q, NULL, 2, 1, &all);
    q->options.threshold = threshold;
    mark_selected(&s, q);
    for (int has_clusters = 0; has_clusters < 2; has_clusters++) {
        akin_report *report = make_report(&s, q, 1 + (uint32_t)has_clusters, has_clusters);
        assert_memory_equal(shown.found, plain.found, sizeof plain.found);
        assert_int_equal(shown.report.pairs_found, plain.count);
        for (uint32_t r = 0; r < s.records; r++)
            assert_int_equal(akin_clusters_row(report->clusters, r), plain.labels[r]);
        assert_true(!has_clusters || memcmp(shown.labels, plain.labels, s.records * sizeof *plain.labels) == 0);
        check_figures(&s, report);
        if (plain.report.partners == AKIN_PARTNERS_MANY)
            check_selections(&s, q, report);
        check_pairs(report);
        check_unlinkable(&s, report);
        seen.completed += report->learnt.completed_count;
        assert_true(report->largest_count > 0);
        for (uint32_t i = 0; i < report->largest_count; i++)
            check_cluster(&s, &report->largest[i], plain.labels);
        akin_report_free(report);
    }
}

/* The first record has no values. */
static void empty_first(people *p)
{
    for (uint32_t f = 0; f < FIELDS; f++)
        p->texts[0][f][0] = 0;
    finish_people(p);
}

/* Few pairs are selected, so that others are found within components; and few are found, so that some are bridges. */
static void many_partners(void **state)
{
    question q;
    (void)state;
    for (uint64_t seed = 1; seed < 5; seed++) {
        kind = seed % 2 ? AKIN_CLUSTERING_AVERAGE : AKIN_CLUSTERING_COMPONENTS;
        make_people(&one, seed, 60, 1, 5);
        empty_first(&one);
        ask(&q)->options.selection_count = 3;
        if (seed % 2 == 0)
            q.options.threshold = (akin_ratio){9999, 10000};
        for (uint32_t f = 0; f < FIELDS && seed < 3; f++)
            q.selections[f].window = 3;
        check(&one, NULL, &q);
        assert_int_equal(plain.report.partners, AKIN_PARTNERS_MANY);
    }
    kind = AKIN_CLUSTERING_AVERAGE;
    if (!(seen.bridges > 0 && seen.missing > 0 && seen.completed > 0))
        fail_msg("%lu bridges, %lu missing, %lu completed", seen.bridges, seen.missing, seen.completed);
}

static void one_partner(void **state)
{
    question q;
    (void)state;
    make_people(&one, 4, 130, 1, 2);
    empty_first(&one);
    ask(&q)->options.one_to_one = 1;
    check(&one, NULL, &q);
    assert_int_equal(plain.report.partners, AKIN_PARTNERS_ONE);
}

static void two_tables(void **state)
{
    question q;
    (void)state;
    make_people(&one, 7, 60, 1, 1);
    make_people(&two, 7, 60, 1, 3);
    empty_first(&one);
    check(&one, &two, ask(&q));
}

/* The page has the parts of such a job, and no others. */
static void page(void **state)
{
    static akin_context context = {.scope = {.context = &context, .threads = 1}};
    static const char *const there[] = {"id=\"weights\"", "id=\"expected\"", "data-bits=", "expected-precision",
                                        "class=\"learnt\""};
    const char *path = scratch_path("page.html");
    static char text[4 << 20];
    akin_output *output = NULL;
    question q;
    (void)state;
    make_people(&one, 9, 40, 1, 3);
    const sides s = sides_of(&one, NULL);
    akin_report *report = make_report(&s, ask(&q), 1, 0);
    assert_int_equal(akin_output_open(&context, path, &output, NULL), AKIN_OK);
    assert_int_equal(akin_report_write(report, output, NULL), AKIN_OK);
    assert_int_equal(akin_output_commit(output, NULL), AKIN_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        assert_non_null(strstr(text, there[i]));
    assert_null(strstr(text, "data-counts="));
    assert_null(strstr(text, "{{"));
    assert_null(strstr(text, ">nan<"));
    akin_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_partners), cmocka_unit_test(one_partner),
                                       cmocka_unit_test(two_tables),
                                       cmocka_unit_test_setup_teardown(page, scratch_make, scratch_remove)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
