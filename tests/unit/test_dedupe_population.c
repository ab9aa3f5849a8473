/* Parts of tables whose weights are those of a model: by the population of the whole tables pairs have the bits that
 * they have there, also while memory runs out; and the groups of equal records of parts. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "unit/test_dedupe_parts.h"

/* Learns from the whole table, whose records have many partners, and asks for all pairs by the model. */
static akin_dedupe_model *learn(question *q)
{
    akin_dedupe_model *model = NULL;
    ask_of_all(q);
    q->options.titles = &people_titles;
    q->options.learnt_model = &model;
    assert_int_equal(run(q, whole.columns, whole.rows, NULL, 0, &found, NULL), AKIN_OK);
    assert_int_equal(model->content.partners, AKIN_PARTNERS_MANY);
    q->options.learnt_model = NULL;
    q->options.model = model;
    return model;
}

/* The same, with the pairs of the whole table, in `expected`, and what was counted there. */
static akin_dedupe_model *learn_and_count(question *q, counted *all)
{
    akin_dedupe_model *model = learn(q);
    memset(&expected, 0, sizeof expected);
    assert_int_equal(run(q, whole.columns, whole.rows, NULL, 0, &expected, NULL), AKIN_OK);
    assert_int_equal(count_all(q, whole.columns, whole.rows, NULL, 0, all, NULL), AKIN_OK);
    return model;
}

/* Without the pairs that completion adds, what the whole has of pairs between rows first..end - 1 and from..to - 1. */
static void assert_same(uint32_t first, uint32_t end, uint32_t from, uint32_t to)
{
    for (uint32_t a = first; a < end; a++)
        for (uint32_t b = from > first ? from : a + 1; b < to; b++)
            assert_memory_equal(&expected.of[a][b], &found.of[a][b], sizeof(double));
}

static void parts_of_one_table(void **state)
{
    akin_column rows[FIELDS];
    counted all;
    question q;
    uint32_t apart = 0;
    (void)state;
    for (uint32_t seed = 0; seed < 6; seed++) {
        begin_context(1 + seed % 3);
        make_people(&whole, seed, 100, 2, 4);
        akin_dedupe_model *model = learn_and_count(&q, &all);
        assert_true(expected.count > 100);
        for (int given = 0; given < 2; given++) {
            const uint32_t first = seed * 7, end = first + 60 + seed;
            part_of(&whole, first, rows);
            memset(&found, 0, sizeof found);
            found.left = found.right = first;
            q.options.population = given ? &all.population : NULL;
            assert_int_equal(run(&q, rows, end - first, NULL, 0, &found, NULL), AKIN_OK);
            if (given)
                assert_same(first, end, first, end);
            for (uint32_t a = first; a < end && !given; a++)
                for (uint32_t b = a + 1; b < end; b++)
                    apart += expected.of[a][b] != found.of[a][b];
        }
        free_counted(&all);
        akin_dedupe_model_free(model);
    }
    assert_true(apart > 100); /* without a population a part has probabilities of its own */
}

/* Two parts of one table, as two tables. */
static void two_parts_of_one_table(void **state)
{
    akin_column rows[2][FIELDS];
    counted all;
    question q;
    (void)state;
    begin_context(2);
    make_people(&whole, 2, 100, 2, 4);
    akin_dedupe_model *model = learn_and_count(&q, &all);
    q.options.population = &all.population;
    part_of(&whole, 10, rows[0]);
    part_of(&whole, 51, rows[1]);
    memset(&found, 0, sizeof found);
    found.left = 10;
    found.right = 51;
    assert_int_equal(run(&q, rows[0], 41, rows[1], 90, &found, NULL), AKIN_OK);
    for (uint32_t a = 10; a < 51; a++)
        for (uint32_t b = 51; b < 141; b++)
            assert_memory_equal(&expected.of[a][b], &found.of[a][b], sizeof(double));
    assert_true(found.count > 0);
    free_counted(&all);
    akin_dedupe_model_free(model);
}

static void parts_of_two_tables(void **state)
{
    static people right;
    akin_column rows[2][FIELDS];
    counted all;
    question q;
    (void)state;
    begin_context(2);
    make_people(&whole, 3, 120, 2, 3);
    akin_dedupe_model *model = learn(&q);
    right.rows = whole.rows / 2;
    for (uint32_t r = 0; r < right.rows; r++) {
        memcpy(right.texts[r], whole.texts[2 * r], sizeof right.texts[0]);
        spell(right.texts[r][r % FIELDS], r, 8);
    }
    finish_people(&right);
    memset(&expected, 0, sizeof expected);
    assert_int_equal(run(&q, whole.columns, whole.rows, right.columns, right.rows, &expected, NULL), AKIN_OK);
    assert_true(expected.count > 20);
    assert_int_equal(count_all(&q, whole.columns, whole.rows, right.columns, right.rows, &all, NULL), AKIN_OK);
    q.options.population = &all.population;
    part_of(&whole, 10, rows[0]);
    part_of(&right, 5, rows[1]);
    memset(&found, 0, sizeof found);
    found.left = 10;
    found.right = 5;
    assert_int_equal(run(&q, rows[0], 100, rows[1], 50, &found, NULL), AKIN_OK);
    for (uint32_t a = 10; a < 110; a++)
        for (uint32_t b = 5; b < 55; b++)
            assert_memory_equal(&expected.of[a][b], &found.of[a][b], sizeof(double));
    assert_true(found.count > 5);
    free_counted(&all);
    akin_dedupe_model_free(model);
}

/* Values in one or two records need not be there, and the order of terms does not matter. */
static void rare_values_left_out(void **state)
{
    static uint64_t offsets[FIELDS][MOST + 1];
    static char bytes[FIELDS][MOST * LETTERS];
    static uint32_t df[FIELDS][MOST];
    akin_column terms[FIELDS], rows[FIELDS];
    akin_corpus kept[FIELDS];
    counted all;
    question q;
    (void)state;
    begin_context(1);
    make_people(&whole, 5, 90, 2, 4);
    akin_dedupe_model *model = learn_and_count(&q, &all);
    for (uint32_t f = 0; f < FIELDS; f++) {
        const akin_corpus *c = all.values[f];
        uint32_t count = 0;
        uint64_t at = 0;
        for (uint32_t i = c->count; i-- > 0;) {
            const uint64_t begin = c->terms->offsets[i], length = c->terms->offsets[i + 1] - begin;
            if (c->df[i] < 3)
                continue;
            memcpy(bytes[f] + at, c->terms->bytes + begin, length);
            offsets[f][count] = at;
            df[f][count++] = c->df[i];
            offsets[f][count] = at += length;
        }
        terms[f] = (akin_column){.size = sizeof terms[f], .offsets = offsets[f], .bytes = bytes[f]};
        kept[f] = (akin_corpus){sizeof kept[f], c->words, c->documents, count, &terms[f], df[f]};
        all.values[f] = &kept[f];
    }
    q.options.population = &all.population;
    part_of(&whole, 20, rows);
    memset(&found, 0, sizeof found);
    found.left = found.right = 20;
    assert_int_equal(run(&q, rows, 150, NULL, 0, &found, NULL), AKIN_OK);
    assert_same(20, 170, 20, 170);
    assert_true(found.count > 50);
    free_counted(&all);
    akin_dedupe_model_free(model);
}

/* ----------------------------------------------------------------------------------------------------------- counts */

/* Values against plain counting. */
static void counts(void **state)
{
    counted all;
    question q;
    (void)state;
    begin_context(2);
    make_people(&whole, 8, 80, 1, 5);
    ask_of_all(&q);
    assert_int_equal(count_all(&q, whole.columns, whole.rows, NULL, 0, &all, NULL), AKIN_OK);
    for (uint32_t f = 0; f < FIELDS; f++) {
        const akin_corpus *c = all.values[f];
        uint32_t documents = 0, terms = 0;
        for (uint32_t r = 0; r < whole.rows; r++) {
            const char *text = whole.texts[r][f];
            uint32_t records = 0, is_first = 1, at = 0;
            documents += text[0] != 0;
            for (uint32_t k = 0; k < whole.rows; k++) {
                records += strcmp(whole.texts[k][f], text) == 0;
                is_first &= k >= r || strcmp(whole.texts[k][f], text) != 0;
            }
            if (text[0] == 0)
                continue;
            terms += is_first;
            while (at < c->count && (c->terms->offsets[at + 1] - c->terms->offsets[at] != strlen(text) ||
                                     memcmp(c->terms->bytes + c->terms->offsets[at], text, strlen(text)) != 0))
                at++;
            assert_true(at < c->count);
            assert_int_equal(c->df[at], records);
        }
        assert_int_equal(c->count, terms);
        assert_int_equal(c->documents, documents);
        assert_int_equal(c->words, documents);
    }
    free_counted(&all);
}

/* A comparator that finds nothing in a text: the text counts, and the value does not. */
static void counts_of_dates(void **state)
{
    counted all;
    question q;
    (void)state;
    begin_context(1);
    make_people(&whole, 8, 40, 2, 2);
    for (uint32_t r = 0; r < whole.rows; r++)
        snprintf(whole.texts[r][4], LETTERS + 1, r % 4 ? "2020-01-%02u" : "never", 1 + r % 20);
    finish_people(&whole);
    ask_of_all(&q);
    q.compare[4].comparator = AKIN_DATE;
    q.compare[4].scale = (akin_ratio){365, 1};
    assert_int_equal(count_all(&q, whole.columns, whole.rows, NULL, 0, &all, NULL), AKIN_OK);
    assert_int_equal(all.values[4]->documents, whole.rows);
    assert_int_equal(all.values[4]->words, whole.rows - (whole.rows + 3) / 4);
    free_counted(&all);
}

/* ----------------------------------------------------------------------------------------------------------- equals */

/* The groups of a table as pairs; returns how many pairs there are. */
static uint64_t find_equals(const question *q, const akin_column *columns, uint32_t rows, uint32_t first[MOST],
                            uint32_t row[MOST], int is_left_out[MOST])
{
    akin_frame *frame = NULL;
    struct ArrowSchema schema;
    struct ArrowArray array;
    assert_int_equal(akin_dedupe_equals(&context, columns, rows, FIELDS, &q->options, &frame, NULL), AKIN_OK);
    const uint64_t count = akin_frame_rows(frame);
    assert_true(count <= MOST);
    assert_int_equal(akin_frame_export_array(frame, &schema, &array, NULL), AKIN_OK);
    assert_int_equal(array.n_children, 3 + q->options.attribute_count);
    for (uint64_t i = 0; i < count; i++) {
        first[i] = ((const uint32_t *)array.children[0]->buffers[1])[i];
        row[i] = ((const uint32_t *)array.children[1]->buffers[1])[i];
        is_left_out[i] = ((const uint8_t *)array.children[2]->buffers[1])[i / 8] >> i % 8 & 1;
    }
    array.release(&array);
    schema.release(&schema);
    akin_frame_free(frame);
    return count;
}

/* Groups by the definition: three columns or more, so there are five records or more, and four are kept. */
static void equal_records(void **state)
{
    uint32_t first[MOST], row[MOST];
    int is_left_out[MOST];
    question q;
    (void)state;
    begin_context(2);
    make_people(&whole, 9, 80, 1, 2);
    for (uint32_t r = 0; r < 9; r++)
        memcpy(whole.texts[20 + 3 * r], whole.texts[20], sizeof whole.texts[0]);
    for (uint32_t r = 0; r < 3; r++)
        memcpy(whole.texts[60 + r], whole.texts[11], sizeof whole.texts[0]);
    finish_people(&whole);
    ask_of_all(&q);
    assert_int_equal(akin_dedupe_equals_kept(&q.options, FIELDS), 4);
    assert_int_equal(find_equals(&q, whole.columns, whole.rows, first, row, is_left_out), 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(first[i], 20);
        assert_int_equal(row[i], 23 + 3 * i);
        assert_int_equal(is_left_out[i], i >= 3);
    }
    q.options.attribute_count = 2;
    assert_int_equal(akin_dedupe_equals_kept(&q.options, FIELDS), 1);
    assert_true(find_equals(&q, whole.columns, whole.rows, first, row, is_left_out) >= 8 + 3);
    q.options.weights = AKIN_WEIGHTS_GIVEN;
    assert_int_equal(akin_dedupe_equals_kept(&q.options, FIELDS), 0);
}

/* Chance explains the groups of the whole table. A part that is one group shows it only by the population. */
static void equal_by_chance(void **state)
{
    uint32_t first[MOST], row[MOST], members = 0;
    int is_left_out[MOST];
    akin_random random;
    counted all;
    question q;
    (void)state;
    begin_context(1);
    make_people(&whole, 9, 100, 2, 2);
    akin_random_seed(&random, 1);
    for (uint32_t r = 0; r < whole.rows; r++)
        for (uint32_t f = 0; f < FIELDS; f++)
            snprintf(whole.texts[r][f], LETTERS + 1, "%s", f < 2 && akin_random_below(&random, 2) ? "ab" : "cd");
    finish_people(&whole);
    ask_of_all(&q);
    assert_int_equal(find_equals(&q, whole.columns, whole.rows, first, row, is_left_out), 0);
    assert_int_equal(count_all(&q, whole.columns, whole.rows, NULL, 0, &all, NULL), AKIN_OK);
    for (uint32_t r = 0; r < whole.rows; r++)
        if (strcmp(whole.texts[r][0], "ab") == 0 && strcmp(whole.texts[r][1], "cd") == 0)
            memcpy(whole.texts[members++], whole.texts[r], sizeof whole.texts[0]);
    finish_people(&whole);
    assert_true(members > 20);
    assert_int_equal(find_equals(&q, whole.columns, members, first, row, is_left_out), members - 1);
    q.options.population = &all.population;
    assert_int_equal(find_equals(&q, whole.columns, members, first, row, is_left_out), 0);
    free_counted(&all);
}

/* Records have one key exactly if they are equal, and none if they lack too many values. */
static void keys_of_equals(void **state)
{
    akin_frame *frame = NULL;
    struct ArrowSchema schema;
    struct ArrowArray array;
    question q;
    (void)state;
    begin_context(1);
    make_people(&whole, 4, 60, 1, 1);
    for (uint32_t r = 0; r + 5 < whole.rows; r += 5) {
        memcpy(whole.texts[r + 1], whole.texts[r], sizeof whole.texts[0]);
        whole.texts[r + 2][0][0] = whole.texts[r + 2][1][0] = whole.texts[r + 2][2][0] = 0; /* two of five are left */
    }
    finish_people(&whole);
    ask_of_all(&q);
    assert_int_equal(
        akin_dedupe_keys(&context, whole.columns, whole.rows, FIELDS, &q.options, AKIN_KEYS_OF_EQUALS, &frame, NULL),
        AKIN_OK);
    assert_int_equal(akin_frame_export_array(frame, &schema, &array, NULL), AKIN_OK);
    const struct ArrowArray *keys = array.children[0];
    const int64_t *offsets = keys->buffers[1];
    const char *bytes = keys->buffers[2];
    for (uint32_t a = 0; a < whole.rows; a++) {
        uint32_t present = 0;
        for (uint32_t f = 0; f < FIELDS; f++)
            present += whole.texts[a][f][0] != 0;
        assert_int_equal(((const uint8_t *)keys->buffers[0])[a / 8] >> a % 8 & 1, present > 2);
        for (uint32_t b = 0; b < a && present > 2; b++) {
            const int64_t length = offsets[a + 1] - offsets[a];
            int are_equal = 1;
            for (uint32_t f = 0; f < FIELDS; f++)
                are_equal &= strcmp(whole.texts[a][f], whole.texts[b][f]) == 0;
            assert_int_equal(offsets[b + 1] - offsets[b] == length &&
                                 memcmp(bytes + offsets[a], bytes + offsets[b], (size_t)length) == 0,
                             are_equal);
        }
    }
    array.release(&array);
    schema.release(&schema);
    akin_frame_free(frame);
}

/* ---------------------------------------------------------------------------------------------------------- refused */

static void expect_refused(const question *q, akin_status status, const char *said)
{
    akin_error error = {.message = ""};
    assert_int_equal(run(q, whole.columns, whole.rows, NULL, 0, &found, &error), status);
    assert_non_null(strstr(error.message, said));
}

static void refused(void **state)
{
    akin_dedupe_model *learnt = NULL;
    akin_error error = {.message = ""};
    akin_statistics *out = NULL;
    counted all;
    question q;
    (void)state;
    begin_context(1);
    make_people(&whole, 5, 90, 2, 4);
    akin_dedupe_model *model = learn(&q);
    assert_int_equal(count_all(&q, whole.columns, whole.rows, NULL, 0, &all, NULL), AKIN_OK);
    q.options.population = &all.population;
    all.population.rows[0]--; /* not all of them have a value */
    expect_refused(&q, AKIN_E_INPUT, "are no part of it");
    all.population.rows[0]++;
    all.population.rows[1] = 7; /* the job has one table */
    expect_refused(&q, AKIN_E_INPUT, "are no part of it");
    all.population.rows[1] = 0;
    all.population.rows[0] = 9;
    expect_refused(&q, AKIN_E_INPUT, "have a value of attribute 0");
    all.population.rows[0] = whole.rows;
    all.population.values = NULL;
    expect_refused(&q, AKIN_E_OPTION, "no values");
    all.population.values = all.values;
    all.values[3] = NULL;
    expect_refused(&q, AKIN_E_OPTION, "attribute 3 has no values");
    all.values[3] = akin_statistics_corpus(all.statistics[3]);
    q.options.model = NULL;
    q.options.learnt_model = &learnt;
    expect_refused(&q, AKIN_E_OPTION, "learning a model needs whole tables");
    q.options.learnt_model = NULL;
    expect_refused(&q, AKIN_E_OPTION, "a population is for the weights of a model");
    q.options.weights = AKIN_WEIGHTS_GIVEN;
    q.options.threshold = (akin_ratio){1, 2};
    expect_refused(&q, AKIN_E_OPTION, "a population is for learnt weights");
    q.options.weights = AKIN_WEIGHTS_LEARN;
    q.options.threshold = (akin_ratio){0, 1};
    q.options.model = model;
    assert_int_equal(akin_statistics_of_values(&context, whole.columns, whole.rows, NULL, 0, FIELDS, &q.options, FIELDS,
                                               &out, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "there is no attribute 5 of 5"));
    akin_dedupe_model_free(model);
    free_counted(&all);
}

/* --------------------------------------------------------------------------------------------------------- failures */

static void every_allocation(void **state)
{
    akin_dedupe_model *model;
    akin_error error;
    question q;
    unsigned n = 0;
    (void)state;
    begin_context(1);
    make_people(&whole, 6, 25, 2, 4);
    for (uint32_t r = 0; r < 7; r++)
        memcpy(whole.texts[10 + r], whole.texts[9], sizeof whole.texts[0]);
    finish_people(&whole);
    model = learn(&q);
    memset(&expected, 0, sizeof expected);
    do {
        counted all = {.population = {.size = 0}};
        akin_frame *frame = NULL;
        memset(&found, 0, sizeof found);
        begin_failing(n, (int)(n / FAILING_STEP % 2));
        n += FAILING_STEP;
        akin_status status = count_all(&q, whole.columns, whole.rows, NULL, 0, &all, &error);
        question with = q;
        with.options.population = &all.population;
        if (status == AKIN_OK)
            status = run(&with, whole.columns, 40, NULL, 0, &found, &error);
        if (status == AKIN_OK)
            status = akin_dedupe_equals(&context, whole.columns, whole.rows, FIELDS, &with.options, &frame, &error);
        armed = 0;
        assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && failed && strstr(error.message, "memory")));
        if (status == AKIN_OK && expected.count == 0)
            expected = found;
        if (status == AKIN_OK) {
            assert_memory_equal(&expected, &found, sizeof found);
            assert_int_equal(akin_frame_rows(frame), 7);
        }
        akin_frame_free(frame);
        free_counted(&all);
    } while (failed);
    assert_true(expected.count > 0);
    akin_dedupe_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_of_one_table),
                                       cmocka_unit_test(two_parts_of_one_table),
                                       cmocka_unit_test(parts_of_two_tables),
                                       cmocka_unit_test(rare_values_left_out),
                                       cmocka_unit_test(counts),
                                       cmocka_unit_test(counts_of_dates),
                                       cmocka_unit_test(equal_records),
                                       cmocka_unit_test(equal_by_chance),
                                       cmocka_unit_test(keys_of_equals),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
