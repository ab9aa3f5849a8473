/* akin_dedupe with a reference table: what is joined, against all pairs of texts, and how often it is right. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "dedupe/likeness.h"
#include "learn/decoys.h"
#include "unit/test_dedupe_reference.h"
#include "unit/test_sanitizers.h"

#define MEASURES 7
#define FEW      11 /* reference texts, so that all of them are near */

typedef struct answer {
    akin_scored_pair pairs[TITLES];
    double each[TITLES];
    uint64_t count;
    akin_dedupe_report report;
} answer;

static titles left, right;
static answer first, second;

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    answer *a = user;
    assert_true(a->count + count <= TITLES);
    memcpy(a->pairs + a->count, pairs, count * sizeof *pairs);
    memcpy(a->each + a->count, each, count * sizeof *each);
    a->count += count;
    return 0;
}

static akin_status find(uint32_t threads, const question *q, const titles *other, answer *out, akin_error *error)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    uint64_t count = 0;
    memset(out, 0, sizeof *out);
    out->report.size = sizeof out->report;
    const akin_status status =
        akin_dedupe(&context, &left.column, left.rows, other ? &other->column : NULL, other ? other->rows : 0, 1,
                    &q->options, take, out, &count, &out->report, error);
    assert_true(status != AKIN_OK || (count == out->count && out->report.pairs_found == count));
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

typedef struct best {
    akin_likeness likeness;
    double second;
    uint32_t of; /* a left record; TITLES: none */
} best;

/* The left text that is most like a record's, among all that have a token in common with it. */
static best choose(akin_likeness_reader *reader, const akin_values *values, uint32_t record)
{
    best b = {.of = TITLES};
    for (uint32_t l = 0; l < left.rows; l++) {
        akin_likeness found;
        if (l == record)
            continue;
        assert_int_equal(akin_likeness_compare(reader, values->of[record], values->of[l], record < left.rows, &found),
                         AKIN_OK);
        if (record < left.rows && found.cosine == 0)
            continue; /* it is no neighbour */
        if (b.of == TITLES || found.similarity > b.likeness.similarity) {
            b.second = b.of == TITLES ? 0 : b.likeness.similarity;
            b.likeness = found;
            b.of = l;
        } else if (found.similarity > b.second)
            b.second = found.similarity;
    }
    return b;
}

static void measure(const best *of, const best *decoys, double *out)
{
    const akin_likeness *l = &of->likeness;
    const double measures[MEASURES] = {l->similarity,
                                       l->similarity - of->second,
                                       decoys[of->of].of == TITLES ? 0 : decoys[of->of].likeness.similarity,
                                       l->cosine,
                                       l->words,
                                       l->contrary,
                                       l->numbers};
    memcpy(out, measures, sizeof measures);
}

/* The differences between all left texts. */
static void find_differences(akin_likeness_texts *t)
{
    t->contrary = malloc((uint64_t)left.rows * left.rows * sizeof *t->contrary);
    assert_non_null(t->contrary);
    for (uint32_t a = 0; a < left.rows; a++)
        for (uint32_t b = a + 1; b < left.rows; b++) {
            uint64_t at = t->contrary_count;
            const uint64_t difference = akin_likeness_difference(t, t->values->of[a], t->values->of[b]);
            if (difference == 0)
                continue;
            for (; at > 0 && t->contrary[at - 1] > difference; at--)
                t->contrary[at] = t->contrary[at - 1];
            t->contrary[at] = difference;
            t->contrary_count++;
        }
}

/* Of each right record its left one and the probability, of texts that all differ. */
static void join(akin_likeness_reader *reader, const akin_likeness_texts *t, uint32_t *of, double *probabilities)
{
    static best decoys[TITLES], items[TITLES];
    static double measures[2][TITLES * MEASURES];
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_decoys given = {MEASURES, measures[0], right.rows, measures[1], 0};
    for (uint32_t l = 0; l < left.rows; l++)
        decoys[l] = choose(reader, t->values, l);
    for (uint32_t l = 0; l < left.rows; l++)
        if (decoys[l].of < TITLES)
            measure(&decoys[l], decoys, measures[1] + given.decoy_count++ * MEASURES);
    for (uint32_t r = 0; r < right.rows; r++) {
        items[r] = choose(reader, t->values, left.rows + r);
        measure(&items[r], decoys, measures[0] + r * MEASURES);
        of[r] = items[r].of;
    }
    assert_int_equal(akin_decoys_run(&context.scope, NULL, &given, probabilities, NULL), AKIN_OK);
}

/* The threshold of a precision: the lowest probability from which on the mean is that high, and no lower than 1/2. */
static double threshold_of(const double *probabilities, double precision)
{
    double best = 2;
    for (uint32_t i = 0; i < right.rows; i++) {
        double sum = 0, count = 0;
        for (uint32_t j = 0; j < right.rows; j++)
            if (probabilities[j] >= probabilities[i]) {
                sum += probabilities[j];
                count += 1;
            }
        if (probabilities[i] >= 0.5 && probabilities[i] < best && sum >= precision * count)
            best = probabilities[i];
    }
    return best;
}

static void check_answer(const answer *found)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    const akin_records records = {
        {&left.column, &right.column}, 2, {left.rows, right.rows}, left.rows + right.rows, NULL};
    static double probabilities[TITLES];
    static uint32_t of[TITLES];
    akin_values values;
    akin_likeness_texts t;
    akin_account account = {0};
    akin_likeness_reader *reader = malloc(sizeof *reader);
    uint64_t count = 0;
    assert_non_null(reader);
    assert_int_equal(akin_values_make(&context.scope, &account, &records, 0, &values, NULL), AKIN_OK);
    assert_int_equal(akin_likeness_texts_make(&context.scope, &account, &values, &t, NULL), AKIN_OK);
    akin_likeness_reader_begin(&t, AKIN_CPU_SCALAR, NULL, reader);
    find_differences(&t);
    join(reader, &t, of, probabilities);
    const double threshold = threshold_of(probabilities, 0.9);
    for (uint32_t r = 0; r < right.rows; r++)
        count += probabilities[r] >= threshold;
    assert_int_equal(found->count, count);
    for (uint64_t i = 0; i < count; i++) {
        const akin_scored_pair *p = &found->pairs[i];
        assert_true(of[p->right] == p->left && fabs(probabilities[p->right] - p->similarity) < 1e-9);
        assert_true(p->similarity >= threshold - 1e-9);
    }
    free(t.contrary);
    t.contrary = NULL;
    akin_likeness_reader_clear(reader);
    akin_likeness_texts_clear(&t);
    akin_values_clear(&values);
    free(reader);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

/* Of equal texts there is one. */
static void drop_repeated(titles *t)
{
    uint32_t kept = 0;
    for (uint32_t r = 0; r < t->rows; r++) {
        uint32_t other = 0;
        while (other < kept && strcmp(t->texts[other], t->texts[r]) != 0)
            other++;
        if (other == kept && r > kept)
            memmove(t->texts[kept], t->texts[r], LONGEST);
        kept += other == kept;
    }
    t->rows = kept;
    finish_titles(t);
}

static void as_all_pairs_say(void **state)
{
    question q;
    uint64_t joined = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        make_titles(&left, seed, FEW);
        make_others(&right, &left, seed, 60);
        drop_repeated(&right);
        assert_int_equal(find(2, ask(&q, (akin_ratio){9, 10}), &right, &first, NULL), AKIN_OK);
        check_answer(&first);
        joined += first.count;
    }
    assert_true(joined > 100);
}

/* How many of the pairs are right. */
static double right_ones(const answer *a)
{
    double count = 0;
    for (uint64_t i = 0; i < a->count; i++)
        count += right.of[a->pairs[i].right] == a->pairs[i].left;
    return count;
}

static void as_precise_as_wanted(void **state)
{
    question q;
    (void)state;
    for (uint64_t seed = 20; seed < 24; seed++) {
        double all = 0;
        make_titles(&left, seed, 600);
        make_others(&right, &left, seed, 400);
        for (uint32_t r = 0; r < right.rows; r++)
            all += right.of[r] < TITLES;
        assert_int_equal(find(3, ask(&q, (akin_ratio){95, 100}), &right, &first, NULL), AKIN_OK);
        assert_true(right_ones(&first) > 0.93 * (double)first.count && right_ones(&first) > 0.7 * all);
        assert_true(first.report.expected_precision >= 0.95 && first.report.threshold >= 0.5);
        assert_true(first.report.decoys > 500 && first.report.expected_recall <= 1);
        for (uint64_t i = 0; i < first.count; i++)
            for (uint64_t j = 0; j < i; j++)
                assert_true(first.pairs[i].right != first.pairs[j].right);
        q.options.precision = (akin_ratio){1, 2};
        assert_int_equal(find(3, &q, &right, &second, NULL), AKIN_OK);
        assert_true(second.count >= first.count);
    }
}

static void same_for_any_threads(void **state)
{
    question q;
    (void)state;
    make_titles(&left, 40, 500);
    make_others(&right, &left, 40, 300);
    assert_int_equal(find(1, ask(&q, (akin_ratio){9, 10}), &right, &first, NULL), AKIN_OK);
    assert_int_equal(find(4, &q, &right, &second, NULL), AKIN_OK);
    assert_true(first.count == second.count && first.count > 100);
    assert_memory_equal(first.pairs, second.pairs, first.count * sizeof *first.pairs);
    assert_memory_equal(first.each, second.each, first.count * sizeof *first.each);
}

/* Tables without records, values or anything alike; left texts that there are twice. */
static void strange_tables(void **state)
{
    question q;
    (void)state;
    ask(&q, (akin_ratio){9, 10});
    make_titles(&left, 41, 0);
    make_others(&right, &left, 41, 0);
    assert_int_equal(find(2, &q, &right, &first, NULL), AKIN_OK);
    assert_int_equal(first.count, 0);
    make_titles(&left, 41, 1);
    make_others(&right, &left, 41, 3);
    assert_int_equal(find(2, &q, &right, &first, NULL), AKIN_OK);
    assert_int_equal(first.count, 0);
    make_titles(&left, 42, 100);
    make_others(&right, &left, 42, 100);
    strcpy(left.texts[0], "");
    strcpy(right.texts[0], "");
    strcpy(right.texts[1], "!!!");
    memcpy(left.texts[2], left.texts[1], LONGEST);
    memcpy(right.texts[2], left.texts[1], LONGEST);
    finish_titles(&left);
    finish_titles(&right);
    assert_int_equal(find(2, &q, &right, &first, NULL), AKIN_OK);
    for (uint64_t i = 0; i < first.count; i++)
        assert_true(first.pairs[i].left > 0 && first.pairs[i].left != 2 && first.pairs[i].right > 1);
}

static void refusals(void **state)
{
    question q;
    akin_error error;
    (void)state;
    make_titles(&left, 43, 10);
    assert_int_equal(find(1, ask(&q, (akin_ratio){9, 10}), NULL, &first, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "of two tables"));
    akin_attribute two[2] = {q.attribute, q.attribute};
    two[1].column = 1;
    q.options.attributes = two;
    q.options.attribute_count = 2;
    assert_int_equal(akin_dedupe_check("cpu", 2, &q.options, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "combines them"));
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_report *report;
    assert_int_equal(akin_report_create(&context, NULL, &report, &error), AKIN_OK);
    ask(&q, (akin_ratio){9, 10})->options.report = report;
    assert_int_equal(akin_dedupe_check("cpu", 2, &q.options, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "has no report"));
    akin_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_for_any_threads), cmocka_unit_test(as_all_pairs_say),
                                       cmocka_unit_test(as_precise_as_wanted), cmocka_unit_test(strange_tables),
                                       cmocka_unit_test(refusals)};
    return RUN_TESTS(tests, 1, NULL, NULL);
}
