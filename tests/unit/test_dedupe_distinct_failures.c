/* Jobs with given weights on many equal records: on the distinct ones they give the same pairs, clusters and figures,
 * also while memory runs out. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"

#define RECORDS 60

static akin_wishes wishes;
static akin_context context = {.wishes = &wishes};

/* Two columns of a few values, some of them missing. */
typedef struct table {
    uint64_t offsets[2][RECORDS + 1];
    char bytes[2][RECORDS * 8];
    akin_column columns[2];
} table;

static void make_table(uint64_t seed, uint32_t kinds, table *out)
{
    akin_random random;
    akin_random_seed(&random, seed);
    for (int c = 0; c < 2; c++) {
        out->offsets[c][0] = 0;
        for (uint32_t i = 0; i < RECORDS; i++) {
            const uint32_t kind = (uint32_t)akin_random_below(&random, kinds), length = kind % 5 == 4 ? 0 : 4;
            for (uint32_t k = 0; k < length; k++)
                out->bytes[c][out->offsets[c][i] + k] = (char)('a' + (k == kind % 4 ? kind / 4 : k));
            out->offsets[c][i + 1] = out->offsets[c][i] + length;
        }
        out->columns[c] = (akin_column)AKIN_COLUMN_INIT;
        out->columns[c].offsets = out->offsets[c];
        out->columns[c].bytes = out->bytes[c];
    }
}

typedef struct outcome {
    akin_scored_pair pairs[RECORDS * RECORDS / 2];
    double each[RECORDS * RECORDS]; /* of all pairs, `attributes` each */
    uint64_t attributes, count, pairs_found, pairs_selected;
    uint32_t labels[RECORDS];
    akin_selected selected[2];
} outcome;

static int receive(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    outcome *o = user;
    memcpy(o->pairs + o->count, pairs, count * sizeof *pairs);
    memcpy(o->each + o->count * o->attributes, each, count * o->attributes * sizeof *each);
    o->count += count;
    return 0;
}

/* What a job does. */
typedef struct question {
    table records;
    akin_attribute attributes[2];
    akin_compare_options compare;
    akin_key_part parts[2];
    akin_selection selections[2];
    akin_dedupe_options options;
} question;

static void ask(uint32_t seed, question *q)
{
    make_table(seed, 4 + seed % 9, &q->records);
    q->compare = (akin_compare_options)AKIN_COMPARE_OPTIONS_INIT;
    if (seed % 4 == 1) { /* weighed by all records */
        q->compare.comparator = AKIN_TFIDF;
        q->compare.tokens = AKIN_TOKENS_QGRAMS;
        q->compare.q = 2;
    }
    q->options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    q->options.attribute_count = 1 + seed % 2;
    for (uint32_t i = 0; i < 2; i++) {
        q->parts[i] = (akin_key_part){.column = i, .key = AKIN_KEY_VALUE};
        q->attributes[i] = (akin_attribute){.column = i, .compare = &q->compare, .weight = {1, 1}};
        q->selections[i] = (akin_selection){.kind = AKIN_SELECT_BLOCK, .parts = &q->parts[i], .part_count = 1};
    }
    if (seed % 5 == 0)
        q->selections[1] = (akin_selection){.kind = AKIN_SELECT_ALL};
    q->options.attributes = q->attributes;
    q->options.selections = q->selections;
    q->options.selection_count = 2 - seed % 3 / 2;
    q->options.missing = (akin_missing)(1 + seed % 3);
    q->options.threshold = (akin_ratio){6 + seed % 5, 10};
    q->options.max_block = seed % 4 == 3 ? 14 : 1000;
}

/* Runs a job; way 0: for pairs and clusters, 1: for pairs, 2: for clusters, 3: only to count. */
static akin_status answer(const question *q, uint32_t way, int equal, outcome *out, akin_error *error)
{
    akin_dedupe_options options = q->options;
    akin_dedupe_report report = {.size = sizeof report};
    akin_clusters *clusters = NULL;
    const int fails_now = armed;
    uint64_t count = 0;
    memset(out, 0, sizeof *out);
    out->attributes = q->options.attribute_count;
    wishes.equal_rows = equal;
    armed = 0;
    if (way % 2 == 0)
        assert_int_equal(akin_clusters_create(&context, RECORDS, 0, &clusters, NULL), AKIN_OK);
    armed = fails_now;
    options.clusters = clusters;
    options.selected = out->selected;
    akin_status status = akin_dedupe(&context, q->records.columns, RECORDS, NULL, 0, 2, &options,
                                     way < 2 ? receive : NULL, out, &count, &report, error);
    armed = 0;
    if (status == AKIN_OK && clusters) {
        assert_int_equal(akin_clusters_close(&context, clusters, NULL), AKIN_OK);
        for (uint32_t row = 0; row < RECORDS; row++)
            out->labels[row] = akin_clusters_row(clusters, row);
    }
    akin_clusters_free(clusters);
    assert_true(status != AKIN_OK || (count == report.pairs_found && (way >= 2 || count == out->count)));
    out->pairs_found = report.pairs_found;
    out->pairs_selected = report.pairs_selected;
    return status;
}

static void assert_same(const outcome *a, const outcome *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->pairs_found, b->pairs_found);
    assert_int_equal(a->pairs_selected, b->pairs_selected);
    assert_memory_equal(a->labels, b->labels, sizeof a->labels);
    assert_memory_equal(a->selected, b->selected, sizeof a->selected);
    for (uint64_t i = 0; i < a->count; i++) {
        assert_int_equal(a->pairs[i].left, b->pairs[i].left);
        assert_int_equal(a->pairs[i].right, b->pairs[i].right);
        assert_true(a->pairs[i].similarity == b->pairs[i].similarity);
    }
    assert_memory_equal(a->each, b->each, sizeof a->each);
}

static void same_answers(void **state)
{
    static question q;
    static outcome plain, distinct;
    uint64_t found = 0;
    akin_error error;
    (void)state;
    for (uint32_t seed = 0; seed < 120; seed++)
        for (uint32_t way = 0; way < 4; way++) {
            context.scope = (akin_scope){.context = &context, .threads = 1 + seed % 3, .cpu = akin_cpu_detect()};
            ask(seed, &q);
            if (answer(&q, way, -1, &plain, &error) != AKIN_OK)
                fail_msg("%s", error.message);
            assert_int_equal(answer(&q, way, 1, &distinct, &error), AKIN_OK);
            assert_same(&plain, &distinct);
            found += plain.pairs_found;
        }
    assert_true(found > 10000);
}

/* Without memory for the distinct records the job sees all of them. */
static void every_allocation(void **state)
{
    static question q;
    static outcome plain, distinct;
    akin_error error;
    (void)state;
    context.scope = (akin_scope){.context = &context, .threads = 1, .cpu = akin_cpu_detect()};
    ask(7, &q);
    for (uint32_t way = 0; way < 8; way++) {
        unsigned n = 0;
        assert_int_equal(answer(&q, way % 4, -1, &plain, &error), AKIN_OK);
        do {
            begin_failing(n, (int)way / 4);
            n += FAILING_STEP;
            akin_status status = answer(&q, way % 4, 1, &distinct, &error);
            assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && failed));
            assert_true(status == AKIN_OK || strstr(error.message, "memory"));
            if (status == AKIN_OK)
                assert_same(&plain, &distinct);
        } while (failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_answers), cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
