/* Models of learnt weights: what they hold, against plain counting; that they find what learning found, bit by bit; and
 * what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "dedupe/model.h"
#include "unit/test_dedupe_learn.h"
#include "unit/test_json_values.h"
#include "unit/test_sanitizers.h"

#define FOUND_MOST 300000

/* What a job comes to. */
typedef struct answer {
    akin_scored_pair *pairs;
    uint64_t count;
    uint32_t labels[2 * PEOPLE]; /* of each record: its cluster */
    akin_dedupe_report report;
    akin_dedupe_model *model; /* that was learnt; NULL: one was applied */
} answer;

static people one, two;
static answer first, second;

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    answer *a = user;
    (void)each;
    assert_true(a->count + count <= FOUND_MOST);
    memcpy(a->pairs + a->count, pairs, count * sizeof *pairs);
    a->count += count;
    return 0;
}

/* Answers a question, by a model unless that is NULL. */
static void find(uint32_t threads, const people *left, const people *right, const question *q,
                 const akin_dedupe_model *model, answer *out)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    const uint32_t rows = right ? right->rows : 0;
    akin_clusters_options clustering = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_dedupe_options options = q->options;
    akin_error error = {.message = ""};
    if (!out->pairs)
        assert_non_null(out->pairs = malloc(FOUND_MOST * sizeof *out->pairs));
    akin_dedupe_model_free(out->model);
    *out = (answer){.pairs = out->pairs, .report = {.size = sizeof out->report}};
    clustering.clustering = AKIN_CLUSTERING_AVERAGE;
    clustering.parameter = (akin_ratio)AKIN_LEARNT_AVERAGE;
    options.titles = &people_titles;
    options.model = model;
    options.learnt_model = model ? NULL : &out->model;
    akin_status status = akin_clusters_create_by(&context, left->rows, rows, &clustering, &options.clusters, &error);
    if (status == AKIN_OK)
        status = akin_dedupe(&context, left->columns, left->rows, right ? right->columns : NULL, rows, FIELDS, &options,
                             take, out, NULL, &out->report, &error);
    if (status == AKIN_OK)
        status = akin_clusters_close(&context, options.clusters, &error);
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
    for (uint32_t r = 0; r < left->rows + rows; r++)
        out->labels[r] = akin_clusters_row(options.clusters, r);
    akin_clusters_free(options.clusters);
}

static void clear(void)
{
    answer *const all[] = {&first, &second};
    for (int i = 0; i < 2; i++) {
        akin_dedupe_model_free(all[i]->model);
        free(all[i]->pairs);
        *all[i] = (answer){.pairs = NULL};
    }
}

/* A model from a text. */
static akin_status read_text(const char *text, akin_dedupe_model **out, akin_error *error)
{
    akin_json *json;
    akin_status status = akin_json_parse("a text", text, strlen(text), &json, error);
    if (status != AKIN_OK)
        return status;
    status = akin_dedupe_model_read(json, "a text", out, error);
    akin_json_free(json);
    return status;
}

static akin_dedupe_model *read_again(const akin_dedupe_model *model)
{
    akin_dedupe_model *again = NULL;
    akin_error error = {.message = ""};
    assert_int_equal(read_text(akin_dedupe_model_text(model), &again, &error), AKIN_OK);
    assert_string_equal(akin_dedupe_model_text(again), akin_dedupe_model_text(model));
    return again;
}

/* ------------------------------------------------------------------------------------------------------- same bytes */

static void expect_same_names(const akin_model_names *a, const akin_model_names *b)
{
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++)
        assert_string_equal(a->names[i], b->names[i]);
}

/* A model and what its text says are the same bits. */
static void expect_same_content(const akin_model_content *a, const akin_model_content *b)
{
    assert_true(a->count == b->count && a->learnt == b->learnt && a->partners == b->partners);
    assert_true(a->tables == b->tables && a->rows[0] == b->rows[0] && a->rows[1] == b->rows[1]);
    assert_true(a->expected == b->expected && a->tempering == b->tempering && a->threshold == b->threshold);
    for (uint32_t c = 0; c < a->count; c++) {
        const akin_model_comparison *x = &a->comparisons[c], *y = &b->comparisons[c];
        const akin_level_model *l = &x->levels, *k = &y->levels;
        const size_t bytes = l->levels * sizeof *l->m;
        assert_string_equal(x->column, y->column);
        expect_same_names(&x->comparators, &y->comparators);
        expect_same_names(&x->parts, &y->parts);
        assert_true(x->folds == y->folds && l->levels == k->levels && l->is_idle == k->is_idle);
        assert_memory_equal(x->from, y->from, bytes);
        assert_memory_equal(l->m, k->m, bytes);
        assert_memory_equal(l->u, k->u, bytes);
        assert_memory_equal(l->weights, k->weights, bytes);
        assert_int_equal(l->is_dependent, k->is_dependent);
        if (!l->is_dependent)
            continue;
        assert_true(l->parent == k->parent && l->agreeing == k->agreeing);
        assert_memory_equal(l->shares, k->shares, bytes);
        assert_memory_equal(l->u_given, k->u_given, bytes);
        assert_memory_equal(l->weights_given, k->weights_given, bytes);
    }
}

/* Learns, keeps the model as a text, and finds the same with it. */
static void check_kept(const people *left, const people *right, const question *q)
{
    find(2, left, right, q, NULL, &first);
    assert_true(first.model != NULL && first.report.applied == 0);
    akin_dedupe_model *model = read_again(first.model);
    expect_same_content(&first.model->content, &model->content);
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        find(threads, left, right, q, model, &second);
        assert_int_equal(second.report.applied, 1);
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.pairs, second.pairs, first.count * sizeof *first.pairs);
        assert_memory_equal(first.labels, second.labels, (left->rows + (right ? right->rows : 0)) * sizeof(uint32_t));
        assert_true(first.report.threshold == second.report.threshold);
        assert_true(first.report.partners == second.report.partners && first.report.learnt == second.report.learnt);
        assert_true(fabs(first.report.expected_matches - second.report.expected_matches) < 1e-9);
    }
    akin_dedupe_model_free(model);
}

/* Persons of one street live in one town. */
static void make_dependent(people *p)
{
    for (uint32_t r = 0; r < p->rows; r++) {
        spell(p->texts[r][2], p->of[r] * 7919 % 20, 6);
        spell(p->texts[r][3], p->of[r] * 7919 % 60, 9);
    }
    finish_people(p);
}

/* Two tables of the same persons, once each, with other errors. */
static void make_linked(uint64_t seed, uint32_t persons)
{
    make_people(&one, seed, persons, 1, 1);
    make_people(&two, seed, persons, 1, 1);
    for (uint32_t r = 0; r < two.rows; r++)
        two.texts[r][r % FIELDS][0] = (char)('a' + r % 20);
    finish_people(&two);
}

static void same_as_learnt(void **state)
{
    uint32_t dependent = 0;
    question q;
    (void)state;
    make_people(&one, 1, 100, 2, 5);
    check_kept(&one, NULL, ask(&q));
    assert_int_equal(first.report.partners, AKIN_PARTNERS_MANY);
    q.options.threshold = (akin_ratio){1, 3};
    check_kept(&one, NULL, &q);
    q.options.threshold = (akin_ratio){0, 1};
    q.options.one_to_one = 1;
    check_kept(&one, NULL, &q);
    make_people(&one, 2, 200, 1, 2);
    make_dependent(&one);
    check_kept(&one, NULL, ask(&q));
    assert_int_equal(first.report.partners, AKIN_PARTNERS_ONE);
    for (uint32_t c = 0; c < FIELDS; c++)
        dependent += first.model->content.comparisons[c].levels.is_dependent != 0;
    assert_true(dependent > 0);
    make_linked(2, 200);
    make_dependent(&one);
    make_dependent(&two);
    check_kept(&one, &two, ask(&q));
    q.options.attribute_count = 2; /* nothing is learnt */
    check_kept(&one, NULL, &q);
    assert_int_equal(first.report.learnt, 0);
    clear();
}

/* The order of comparisons changes the last bits alone. */
static void any_order(void **state)
{
    static const char *const turned_comparators[] = {"levenshtein", "jaro-winkler", "jaro-winkler", "jaro-winkler",
                                                     "jaro-winkler"};
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    akin_dedupe_titles titles = people_titles;
    question q;
    (void)state;
    make_people(&one, 3, 200, 1, 2);
    make_dependent(&one);
    find(2, &one, NULL, ask(&q), NULL, &first);
    for (uint32_t f = 0; f < FIELDS / 2; f++) {
        const akin_attribute held = q.attributes[f];
        q.attributes[f] = q.attributes[FIELDS - 1 - f];
        q.attributes[FIELDS - 1 - f] = held;
    }
    titles.comparators = turned_comparators;
    q.options.titles = &titles;
    q.options.model = first.model;
    find(2, &one, NULL, ask_of_all(&(question){0}), first.model, &second); /* has its pairs array */
    second.count = 0;
    assert_int_equal(
        akin_dedupe(&context, one.columns, one.rows, NULL, 0, FIELDS, &q.options, take, &second, NULL, NULL, NULL),
        AKIN_OK);
    assert_true(first.count > 50 && first.count == second.count);
    for (uint64_t i = 0; i < first.count; i++) {
        assert_true(first.pairs[i].left == second.pairs[i].left && first.pairs[i].right == second.pairs[i].right);
        assert_true(fabs(first.pairs[i].similarity - second.pairs[i].similarity) < 1e-9);
    }
    clear();
}

/* ------------------------------------------------------------------------------------------------------- other rows */

static void expects_by_record(void **state)
{
    const uint32_t rows[][2] = {{1000, 0}, {500, 0}, {0, 0}, {500, 2000}, {2000, 500}};
    const uint32_t tables[] = {1, 1, 1, 2, 2};
    const double expected[] = {300, 150, 0.3, 300, 300}; /* of 1000 records in 300 pairs, 0.6 have a partner */
    const akin_model_content content = {.tables = 1, .rows = {1000, 0}, .expected = 300};
    const akin_model_content link = {.tables = 2, .rows = {300, 100}, .expected = 50};
    (void)state;
    for (uint32_t i = 0; i < 5; i++)
        assert_true(fabs(akin_model_expected(&content, tables[i], rows[i]) - expected[i]) < 1e-9);
    assert_true(akin_model_expected(&link, 2, link.rows) == 50);
    assert_true(akin_model_expected(&link, 2, rows[3]) == 250 && akin_model_expected(&link, 1, rows[0]) == 250);
}

/* What was learnt of some people finds others, even few. */
static void finds_others(void **state)
{
    uint64_t right = 0, all = 0;
    question q;
    (void)state;
    make_people(&one, 4, 250, 1, 4);
    find(2, &one, NULL, ask(&q), NULL, &first);
    make_people(&two, 5, 30, 1, 4);
    find(2, &two, NULL, &q, first.model, &second);
    for (uint64_t i = 0; i < second.count; i++)
        right += two.of[second.pairs[i].left] == two.of[second.pairs[i].right];
    for (uint32_t a = 0; a < two.rows; a++)
        for (uint32_t b = a + 1; b < two.rows; b++)
            all += two.of[a] == two.of[b];
    assert_true(all > 20 && right > 0.9 * (double)all && right > 0.9 * (double)second.count);
    assert_true(fabs(second.report.expected_matches - (double)all) < 0.2 * (double)all);
    clear();
}

/* --------------------------------------------------------------------------------------------------- plain counting */

static const char *value_of(uint32_t record, uint32_t field)
{
    return one.texts[record][field];
}

/* The level of two values; -1: one is missing. */
static int level_of(const question *q, const akin_model_comparison *c, uint32_t a, uint32_t b, uint32_t field)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_compared compared;
    const char *x = value_of(a, field), *y = value_of(b, field);
    if (!*x || !*y)
        return -1;
    assert_int_equal(akin_compare(&context, &q->compare[field], x, strlen(x), y, strlen(y), &compared, NULL), AKIN_OK);
    int level = (int)c->levels.levels - 1;
    while (compared.similarity < c->from[level])
        level--;
    return level;
}

/* u counts levels of all pairs. Equal values are as frequent as they are. */
static void check_u(const question *q, const akin_model_comparison *c, uint32_t field)
{
    double counts[AKIN_LEVELS_MOST] = {0}, pairs = 0, equal = 0;
    const uint32_t levels = c->levels.levels, top = levels - 1;
    for (uint32_t a = 0; a < one.rows; a++)
        for (uint32_t b = a + 1; b < one.rows; b++) {
            const int level = level_of(q, c, a, b, field);
            if (level < 0)
                continue;
            counts[level]++;
            pairs++;
            equal += strcmp(value_of(a, field), value_of(b, field)) == 0;
        }
    const double of_top = (counts[top] + 0.5) / (pairs + 0.5 * levels), share = equal / pairs;
    const double factor = share > of_top ? (1 - share) / (1 - of_top) : 1;
    for (uint32_t l = 0; l < levels; l++) {
        const double u = (counts[l] + 0.5) / (pairs + 0.5 * levels) * factor;
        assert_true(fabs(c->levels.u[l] - (l == top && share > of_top ? share : u)) < 1e-12);
    }
}

/* m counts levels of matches, with two pairs more. `first` has all pairs of some probability. */
static void check_m(const question *q, const akin_model_comparison *c, uint32_t field)
{
    double top = 1.3, all = 2, sum = 0;
    for (uint64_t i = 0; i < first.count; i++) {
        const int level = level_of(q, c, first.pairs[i].left, first.pairs[i].right, field);
        all += level >= 0 ? first.pairs[i].similarity : 0;
        top += level + 1 == (int)c->levels.levels ? first.pairs[i].similarity : 0;
    }
    for (uint32_t l = 0; l < c->levels.levels; l++) {
        sum += c->levels.m[l];
        assert_true(fabs(c->levels.weights[l] - log(c->levels.m[l] / c->levels.u[l])) < 1e-9);
        assert_true(l == 0 || c->levels.weights[l] >= c->levels.weights[l - 1] - 1e-12);
    }
    assert_true(fabs(sum - 1) < 1e-9);
    assert_true(fabs(c->levels.m[c->levels.levels - 1] - top / all) < 0.01);
}

static void plain_counting(void **state)
{
    question q;
    (void)state;
    make_people(&one, 6, 60, 3, 5);
    ask_of_all(&q)->options.threshold = (akin_ratio){1, 1000000000};
    find(2, &one, NULL, &q, NULL, &first);
    const akin_model_content *content = &first.model->content;
    assert_true(content->count == FIELDS && content->rows[0] == one.rows && content->partners == AKIN_PARTNERS_MANY);
    for (uint32_t f = 0; f < FIELDS; f++) {
        assert_string_equal(content->comparisons[f].column, people_columns[f]);
        check_u(&q, &content->comparisons[f], f);
        check_m(&q, &content->comparisons[f], f);
    }
    clear();
}

/* -------------------------------------------------------------------------------------------------------- precision */

/* The pairs found have the precision that is expected of them, with pairs that no selection has, too; and a pair more
 * than these would be less precise. */
static void check_precision(const people *left, const people *right, question *q)
{
    static const akin_ratio precisions[] = {{1, 4}, {9, 10}, {99, 100}, {1, 1}};
    double last = 0;
    for (uint32_t p = 0; p < 4; p++) {
        const double wanted = (double)precisions[p].num / precisions[p].den;
        double sum = 0;
        q->options.precision = precisions[p];
        find(2, left, right, q, NULL, &first);
        for (uint64_t i = 0; i < first.count; i++) {
            assert_true(first.pairs[i].similarity >= first.report.threshold);
            sum += first.pairs[i].similarity;
        }
        assert_true(sum >= wanted * (double)first.count * (1 - 1e-12));
        assert_true(first.report.threshold >= last);
        assert_true(first.count == 0 || fabs(first.report.expected_precision - sum / (double)first.count) < 1e-9);
        last = first.report.threshold;
        q->options.precision = (akin_ratio){0, 1};
        find(3, left, right, q, first.model, &second); /* the threshold is kept */
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.pairs, second.pairs, first.count * sizeof *first.pairs);
        assert_true(p > 1 || first.count > 50);
    }
}

static void precise(void **state)
{
    question q;
    (void)state;
    make_people(&one, 7, 100, 3, 6);
    ask(&q);
    for (uint32_t s = 0; s < FIELDS; s++)
        q.selections[s].window = 2;
    check_precision(&one, NULL, &q);
    check_precision(&one, NULL, ask_of_all(&q));
    make_people(&one, 8, 200, 1, 2);
    check_precision(&one, NULL, ask(&q));
    make_linked(8, 200);
    check_precision(&one, &two, ask(&q));
    clear();
}

/* ---------------------------------------------------------------------------------------------------------- refused */

static void expect_refused(const akin_dedupe_options *options, akin_reason reason, const char *part)
{
    akin_error error = {.message = ""};
    assert_int_equal(akin_dedupe_check("cpu", FIELDS, options, &error), AKIN_E_OPTION);
    assert_int_equal(error.reason, reason);
    if (!strstr(error.message, part))
        fail_msg("'%s' does not say '%s'", error.message, part);
}

static void other_rules(void **state)
{
    static const uint32_t of_town[] = {2, 3};
    static const char *const more_columns[] = {"given", "family", "town", "street", "number", "place"};
    static const akin_combined combined = {.columns = of_town, .count = 2};
    akin_dedupe_titles titles = people_titles;
    akin_dedupe_model *model = NULL;
    uint32_t folds[FIELDS + 1] = {0};
    question q;
    (void)state;
    make_people(&one, 9, 100, 1, 3);
    find(2, &one, NULL, ask(&q), NULL, &first);
    akin_dedupe_options asked = q.options;
    asked.model = first.model;
    expect_refused(&asked, AKIN_REASON_NONE, "titles");
    asked.titles = &titles;
    assert_int_equal(akin_dedupe_check("cpu", FIELDS, &asked, NULL), AKIN_OK);
    asked.attribute_count = 4;
    expect_refused(&asked, AKIN_REASON_OTHER_RULES, "the model compares column 'number', and this job does not");
    asked.attribute_count = FIELDS;
    titles.comparators = (const char *const[]){"jaro-winkler", "osa", "jaro-winkler", "jaro-winkler", "levenshtein"};
    expect_refused(&asked, AKIN_REASON_OTHER_RULES,
                   "the model compares column 'family' by jaro-winkler, and this job by osa");
    titles.comparators = people_comparators;
    asked.folds = folds;
    assert_int_equal(akin_dedupe_check("cpu", FIELDS, &asked, NULL), AKIN_OK);
    folds[2] = AKIN_FOLD_CASE;
    expect_refused(&asked, AKIN_REASON_OTHER_RULES, "the model folds column 'town' by none, and this job by case");
    asked.folds = NULL;
    titles.columns = (const char *const[]){"given", "family", "city", "street", "number"};
    expect_refused(&asked, AKIN_REASON_OTHER_RULES, "this job compares column 'city', and the model does not");
    titles.columns = more_columns;
    asked.combined = &combined;
    asked.combined_count = 1;
    q.attributes[4].column = FIELDS;
    expect_refused(&asked, AKIN_REASON_OTHER_RULES, "this job compares column 'place'");
    titles.columns = (const char *const[]){"given", "family", "town", "street", "other", "number"};
    expect_refused(&asked, AKIN_REASON_OTHER_RULES,
                   "the model combines column 'number' of nothing, and this job of town, street");
    asked.weights = AKIN_WEIGHTS_GIVEN;
    asked.threshold = (akin_ratio){1, 2};
    expect_refused(&asked, AKIN_REASON_NONE, "a model is of learnt weights");
    asked.model = NULL;
    asked.learnt_model = &model;
    expect_refused(&asked, AKIN_REASON_NONE, "a model is of learnt weights");
    clear();
}

static void other_precisions(void **state)
{
    question q;
    (void)state;
    ask(&q)->options.precision = (akin_ratio){9, 10};
    assert_int_equal(akin_dedupe_check("cpu", FIELDS, &q.options, NULL), AKIN_OK);
    q.options.attribute_count = 2;
    expect_refused(&q.options, AKIN_REASON_NONE, "of a reference table, and there are 2");
    q.options.attribute_count = FIELDS;
    q.options.threshold = (akin_ratio){1, 2};
    expect_refused(&q.options, AKIN_REASON_NONE, "precision 9/10");
    q.options.weights = AKIN_WEIGHTS_GIVEN;
    expect_refused(&q.options, AKIN_REASON_NONE, "precision 9/10");
    ask(&q)->options.precision = (akin_ratio){3, 2};
    expect_refused(&q.options, AKIN_REASON_NONE, "precision 3/2");
}

#define LEVELS_OF(more)                                                                                                \
    "\"levels\": [{\"from\": 0, \"m\": 0.1, \"u\": 0.9, \"weight\": -2}, {\"from\": 0.5, \"m\": 0.9, \"u\": 0.1, "     \
    "\"weight\": 2" more "}]"
#define COMPARISON_OF(name, more) "{\"column\": \"" name "\", \"comparators\": [\"osa\"], \"fold\": \"all\", " more "}"
#define GIVEN_OF(name, parent)                                                                                         \
    COMPARISON_OF(name, "\"given\": \"" parent                                                                         \
                        "\", \"given_pairs\": 1, "                                                                     \
                        "\"levels\": [{\"from\": 0, \"m\": 0.1, \"u\": 0.9, \"weight\": -2, \"given_share\": 0.5, "    \
                        "\"given_u\": 0.5, \"given_weight\": 0}, {\"from\": 0.5, \"m\": 0.9, \"u\": 0.1, \"weight\": " \
                        "2, \"given_share\": 0.5, \"given_u\": 0.5, \"given_weight\": 0}]")
#define MODEL_OF(before, after) MODEL_OF_ROWS("5", before, after)
#define MODEL_OF_ROWS(rows, before, after)                                                                             \
    "{\"akin\": \"model\", \"version\": 1, \"partners\": \"one\", \"records\": [" rows "], " before                    \
    "\"threshold\": 0.5, \"tempering\": 1, \"learnt\": 0, \"comparisons\": [" after "]}"
#define WITH(after)     MODEL_OF("\"matches\": 2, ", after)
#define WITH_CAPS(caps) MODEL_OF("\"matches\": 2, \"caps\": " caps ", ", COMPARISON_OF("a", LEVELS_OF("")))

static void other_texts(void **state)
{
    static const char *const texts[] = {
        "[]",
        "{}",
        MODEL_OF("", COMPARISON_OF("a", LEVELS_OF(""))),
        MODEL_OF("\"matches\": 0, ", COMPARISON_OF("a", LEVELS_OF(""))),
        MODEL_OF("\"matches\": \"2\", ", COMPARISON_OF("a", LEVELS_OF(""))),
        MODEL_OF("\"matches\": 2, \"matches\": 2, ", COMPARISON_OF("a", LEVELS_OF(""))),
        MODEL_OF("\"matches\": 2, \"more\": 2, ", COMPARISON_OF("a", LEVELS_OF(""))),
        WITH(""),
        WITH("1"),
        WITH("{}"),
        WITH(COMPARISON_OF("", LEVELS_OF(""))),
        WITH(COMPARISON_OF("a", "\"levels\": []")),
        WITH(COMPARISON_OF("a", "\"levels\": [{\"from\": 0, \"m\": 1, \"u\": 1, \"weight\": 0}]")),
        WITH(COMPARISON_OF("a", LEVELS_OF(", \"given_u\": 1"))),
        WITH(COMPARISON_OF("a", "\"idle\": false, " LEVELS_OF(""))),
        WITH(COMPARISON_OF("a", "\"combined_of\": [], " LEVELS_OF(""))),
        WITH(COMPARISON_OF("a", "\"combined_of\": [1], " LEVELS_OF(""))),
        WITH(COMPARISON_OF("a", "\"given\": \"b\", " LEVELS_OF(""))),
        WITH(COMPARISON_OF("a", "\"given\": \"a\", \"given_pairs\": 1, " LEVELS_OF(""))),
        WITH(COMPARISON_OF("a", "\"given\": \"b\", \"given_pairs\": 1, " LEVELS_OF(""))),
        WITH(COMPARISON_OF("a", LEVELS_OF("")) ", " COMPARISON_OF("a", LEVELS_OF(""))),
        WITH(GIVEN_OF("a", "b") ", " GIVEN_OF("b", "a")),
        WITH(GIVEN_OF("a", "b") ", " GIVEN_OF("b", "c") ", " GIVEN_OF("c", "b")),
        WITH_CAPS("1"),
        WITH_CAPS("null"),
        WITH_CAPS("{}"),
        WITH_CAPS("[1, 2]"),
        WITH_CAPS("[[]]"),
        WITH_CAPS("[[1]]"),
        WITH_CAPS("[[1, 2, 3]]"),
        WITH_CAPS("[[1, [0]]]"),
        WITH_CAPS("[{\"a\": 1, \"b\": 0}]"),
        WITH_CAPS("[[1, \"0\"]]"),
        WITH_CAPS("[[1, 1.5]]"),
        WITH_CAPS("[[1, -0.5]]"),
        WITH_CAPS("[[1000001, 0]]"),
        WITH_CAPS("[[1, 0], [1, 0.5]]"),
        WITH_CAPS("[[1, 0], 2]"),
        MODEL_OF_ROWS("5, 2", "\"matches\": 10.5, ", COMPARISON_OF("a", LEVELS_OF(""))),
        MODEL_OF_ROWS("5, 2", "\"matches\": 1e18, ", COMPARISON_OF("a", LEVELS_OF(""))),
        "{\"akin\": \"dedupe\", \"version\": 1, \"partners\": \"one\", \"records\": [5], \"matches\": 2, "
        "\"threshold\": 0.5, "
        "\"tempering\": 1, \"learnt\": 0, \"comparisons\": [" COMPARISON_OF("a", LEVELS_OF("")) "]}",
        "{\"akin\": \"model\", \"version\": 1, \"partners\": \"one\", \"records\": [5], \"matches\": 2, "
        "\"threshold\": 0, "
        "\"tempering\": 1, \"learnt\": 0, \"comparisons\": [" COMPARISON_OF("a", LEVELS_OF("")) "]}",
    };
    akin_dedupe_model *model = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(read_text(WITH(COMPARISON_OF("a", LEVELS_OF(""))), &model, &error), AKIN_OK);
    akin_dedupe_model_free(model);
    static const char chain[] = MODEL_OF(
        "\"matches\": 10, ", GIVEN_OF("a", "b") ", " GIVEN_OF("b", "c") ", " COMPARISON_OF("c", LEVELS_OF("")));
    assert_int_equal(read_text(chain, &model, &error), AKIN_OK);
    akin_dedupe_model_free(model);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        error = (akin_error){.message = ""};
        if (read_text(texts[i], &model, &error) != AKIN_E_INPUT || strncmp(error.message, "a text:1: ", 10) != 0)
            fail_msg("%s: %s", texts[i], error.message);
    }
}

/* A text is refused with its name, or it is a model that is the same once more. */
static int use_model(const char *text)
{
    akin_dedupe_model *model = NULL, *again = NULL;
    akin_error error = {.message = ""};
    const akin_status status = read_text(text, &model, &error);
    if (status != AKIN_OK) {
        assert_int_equal(status, AKIN_E_INPUT);
        assert_non_null(strstr(error.message, "a text"));
        assert_null(model);
        return 0;
    }
    again = read_again(model);
    akin_dedupe_model_free(again);
    akin_dedupe_model_free(model);
    return 1;
}

static void any_value(void **state)
{
    question q;
    (void)state;
    make_people(&one, 1, 60, 2, 3);
    find(1, &one, NULL, ask(&q), NULL, &first);
    const char *text = akin_dedupe_model_text(first.model);
    assert_true(use_model(text));
    const uint64_t accepted = json_replace_each(text, use_model);
    assert_true(accepted > 0 && accepted < strlen(text));
    assert_true(use_model(MODEL_OF("\"matches\": 15, ", COMPARISON_OF("a", LEVELS_OF("")))));
    assert_true(use_model(WITH_CAPS("[]")) && use_model(WITH_CAPS("[[-2.5, 0]]")));
    assert_true(json_replace_each(WITH_CAPS("[[-2.5, 0], [3, 0.5], [1e6, 1]]"), use_model) > 0);
    clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_learnt), cmocka_unit_test(any_order),        cmocka_unit_test(precise),
        cmocka_unit_test(finds_others),   cmocka_unit_test(plain_counting),   cmocka_unit_test(expects_by_record),
        cmocka_unit_test(other_rules),    cmocka_unit_test(other_precisions), cmocka_unit_test(other_texts),
        cmocka_unit_test(any_value),
    };
    return RUN_TESTS(tests, 3, NULL, NULL);
}
