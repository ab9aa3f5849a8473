/* Records with one partner: weights that jobs find in parts of tables become the pairs and the bits of one job on the
 * whole tables, also while memory runs out; what is refused; and caps of models. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "unit/test_dedupe_parts.h"

#define PAIRS (MOST * MOST)

static people right;
static akin_scored_pair pairs[PAIRS];
static uint64_t numbers[PAIRS];

/* A pair is there with weight 0, too. */
static int receive_weights(void *user, const akin_scored_pair *received, const double *each, size_t count)
{
    outcome *o = user;
    (void)each;
    for (size_t i = 0; i < count; i++)
        o->of[o->left + received[i].left][o->right + received[i].right] = received[i].similarity;
    o->count += count;
    return 0;
}

static void clear(outcome *o)
{
    o->left = o->right = 0;
    o->count = 0;
    for (uint32_t a = 0; a < MOST; a++)
        for (uint32_t b = 0; b < MOST; b++)
            o->of[a][b] = NAN;
}

/* The weights of rows first to end - 1 with rows from to `to` - 1 of the right table, or of the same one. */
static void find_part(const question *q, uint32_t first, uint32_t end, uint32_t from, uint32_t to, int are_two)
{
    akin_column rows[2][FIELDS];
    const people *other = are_two ? &right : &whole;
    const int is_same = !are_two && first == from;
    part_of(&whole, first, rows[0]);
    part_of(other, from, rows[1]);
    found.left = first;
    found.right = from;
    assert_int_equal(akin_dedupe(&context, rows[0], end - first, is_same ? NULL : rows[1], is_same ? 0 : to - from,
                                 FIELDS, &q->options, receive_weights, &found, NULL, NULL, NULL),
                     AKIN_OK);
}

/* The weights of all pairs, by tiles of blocks; they come to `pairs`, sorted. Returns how many there are. */
static uint64_t find_weights(const question *q, uint32_t blocks, int are_two)
{
    const uint32_t rows = whole.rows, others = are_two ? right.rows : rows;
    uint64_t count = 0;
    clear(&found);
    for (uint32_t a = 0; a < blocks; a++)
        for (uint32_t b = are_two ? 0 : a; b < blocks; b++)
            find_part(q, a * rows / blocks, (a + 1) * rows / blocks, b * others / blocks, (b + 1) * others / blocks,
                      are_two);
    for (uint32_t a = 0; a < rows; a++)
        for (uint32_t b = 0; b < others; b++)
            if (!isnan(found.of[a][b]))
                pairs[count++] = (akin_scored_pair){a, b, found.of[a][b]};
    assert_int_equal(count, found.count);
    return count;
}

/* Learns with one partner, and asks for all pairs by the model. */
static akin_dedupe_model *learn_one(question *q, int are_two)
{
    akin_dedupe_model *model = NULL;
    ask_of_all(q);
    q->options.titles = &people_titles;
    q->options.learnt_model = &model;
    q->options.one_to_one = 1;
    assert_int_equal(
        run(q, whole.columns, whole.rows, are_two ? right.columns : NULL, are_two ? right.rows : 0, &expected, NULL),
        AKIN_OK);
    q->options.learnt_model = NULL;
    q->options.model = model;
    assert_int_equal(akin_dedupe_model_partners(model), AKIN_PARTNERS_ONE);
    return model;
}

/* One table, or two: records of the left one are of households, and the right one lacks some of their members. */
static void make_tables(uint64_t seed, int are_two)
{
    make_people(&whole, seed, are_two ? 180 : 90, are_two ? 1 : 2, are_two ? 1 : 2);
    for (uint32_t r = 1; r < whole.rows && are_two; r += 2)
        for (uint32_t f = 1; f < FIELDS; f++)
            memcpy(whole.texts[r][f], whole.texts[r - 1][f], sizeof whole.texts[r][f]);
    finish_people(&whole);
    right.rows = 0;
    for (uint32_t r = 0; r < whole.rows && are_two; r++) {
        if (r % 3 == seed % 3)
            continue;
        memcpy(right.texts[right.rows], whole.texts[r], sizeof right.texts[0]);
        spell(right.texts[right.rows][r % FIELDS], r, 6);
        right.rows++;
    }
    finish_people(&right);
}

static void check(const question *q, const akin_dedupe_model *model, const counted *all, akin_ratio threshold,
                  uint32_t blocks, int are_two)
{
    question part = *q;
    const uint32_t rows[2] = {whole.rows, are_two ? right.rows : 0};
    uint64_t last = 0;
    for (uint32_t i = 0; i < FIELDS; i++)
        part.attributes[i].compare = &part.compare[i];
    part.options.attributes = part.attributes;
    part.options.selections = part.selections;
    part.options.threshold = threshold;
    part.options.population = NULL;
    clear(&expected);
    assert_int_equal(run(&part, whole.columns, whole.rows, are_two ? right.columns : NULL, rows[1], &expected, NULL),
                     AKIN_OK);
    part.options.population = &all->population;
    uint64_t count = find_weights(&part, blocks, are_two);
    const uint64_t weighed = count;
    assert_int_equal(akin_dedupe_model_match(&context, model, rows, threshold, pairs, numbers, &count, NULL), AKIN_OK);
    assert_int_equal(count, expected.count);
    for (uint64_t i = 0; i < count; i++) {
        assert_memory_equal(&pairs[i].similarity, &expected.of[pairs[i].left][pairs[i].right], sizeof(double));
        assert_true(numbers[i] < weighed && (i == 0 || numbers[i] > last));
        last = numbers[i];
    }
    assert_true(count > 20 && weighed > count);
}

static void of_tables(int are_two)
{
    question q;
    counted all;
    uint32_t capped = 0;
    for (uint32_t seed = 0; seed < 6; seed++) {
        begin_context(1 + seed % 3);
        make_tables(seed, are_two);
        akin_dedupe_model *model = learn_one(&q, are_two);
        capped += model->content.caps.count > 1;
        assert_int_equal(model->content.has_caps, are_two);
        if (seed % 2)
            make_tables(seed + 100, are_two);
        assert_int_equal(
            count_all(&q, whole.columns, whole.rows, are_two ? right.columns : NULL, right.rows, &all, NULL), AKIN_OK);
        for (uint32_t blocks = 1; blocks <= 7; blocks += 3)
            check(&q, model, &all, (akin_ratio){0, 1}, blocks, are_two);
        check(&q, model, &all, (akin_ratio){1, 1000000000}, 2, are_two);
        check(&q, model, &all, (akin_ratio){1, 2}, 3, are_two);
        free_counted(&all);
        akin_dedupe_model_free(model);
    }
    assert_true(!are_two || capped > 2);
}

static void one_table(void **state)
{
    (void)state;
    of_tables(0);
}

static void two_tables(void **state)
{
    (void)state;
    of_tables(1);
}

/* A model that was learnt on a link gives the same pairs again: its caps are those that the decoys gave. */
static void caps_are_kept(void **state)
{
    question q;
    akin_json *json = NULL;
    (void)state;
    begin_context(2);
    make_tables(3, 1);
    clear(&expected);
    akin_dedupe_model *model = learn_one(&q, 1), *again = NULL;
    assert_true(model->content.caps.count > 1);
    const char *text = akin_dedupe_model_text(model);
    assert_int_equal(akin_json_parse("m", text, strlen(text), &json, NULL), AKIN_OK);
    assert_int_equal(akin_dedupe_model_read(json, "m", &again, NULL), AKIN_OK);
    assert_string_equal(akin_dedupe_model_text(again), text);
    q.options.model = again;
    clear(&found);
    assert_int_equal(run(&q, whole.columns, whole.rows, right.columns, right.rows, &found, NULL), AKIN_OK);
    assert_memory_equal(found.of, expected.of, sizeof found.of);
    /* Without caps, as of an older file, the decoys are found again. */
    akin_dedupe_model_free(again);
    akin_model_content content = model->content;
    content.has_caps = 0;
    content.caps = (akin_caps){NULL, 0};
    assert_int_equal(akin_model_create(&content, &again, NULL), AKIN_OK);
    assert_null(strstr(akin_dedupe_model_text(again), "caps"));
    q.options.model = again;
    clear(&found);
    assert_int_equal(run(&q, whole.columns, whole.rows, right.columns, right.rows, &found, NULL), AKIN_OK);
    assert_memory_equal(found.of, expected.of, sizeof found.of);
    /* With caps that allow nothing, nothing is found. */
    akin_dedupe_model_free(again);
    akin_cap nothing = {0, 0};
    content.has_caps = 1;
    content.caps = (akin_caps){&nothing, 1};
    assert_int_equal(akin_model_create(&content, &again, NULL), AKIN_OK);
    q.options.model = again;
    clear(&found);
    assert_int_equal(run(&q, whole.columns, whole.rows, right.columns, right.rows, &found, NULL), AKIN_OK);
    assert_int_equal(found.count, 0);
    akin_dedupe_model_free(again);
    akin_dedupe_model_free(model);
    akin_json_free(json);
}

/* ---------------------------------------------------------------------------------------------------------- refused */

static void expect_refused(const akin_dedupe_model *model, uint32_t left, uint32_t other, akin_ratio threshold,
                           uint64_t count, akin_status status, const char *said)
{
    const uint32_t rows[2] = {left, other};
    akin_error error;
    assert_int_equal(akin_dedupe_model_match(&context, model, rows, threshold, pairs, numbers, &count, &error), status);
    if (!strstr(error.message, said))
        fail_msg("%s", error.message);
}

static void refused(void **state)
{
    const akin_ratio none = {0, 1};
    question q;
    counted all;
    akin_error error;
    (void)state;
    begin_context(1);
    make_tables(1, 1);
    akin_dedupe_model *model = learn_one(&q, 1), *older = NULL;
    pairs[0] = (akin_scored_pair){1, 3, 0};
    pairs[1] = (akin_scored_pair){1, 3, 0};
    expect_refused(model, 9, 9, none, 2, AKIN_E_OPTION, "pair 1: expected pairs that are sorted");
    pairs[1] = (akin_scored_pair){1, 2, 0};
    expect_refused(model, 9, 9, none, 2, AKIN_E_OPTION, "pair 1: expected pairs that are sorted");
    pairs[1] = (akin_scored_pair){2, 9, 0};
    expect_refused(model, 9, 9, none, 2, AKIN_E_OPTION, "pair 1 is 2 and 9: expected rows of tables of 9 and 9");
    pairs[1] = (akin_scored_pair){2, 2, 0};
    expect_refused(model, 9, 0, none, 2, AKIN_E_OPTION, "the lower one first");
    pairs[1] = (akin_scored_pair){2, 8, NAN};
    expect_refused(model, 9, 9, none, 2, AKIN_E_OPTION, "pair 1 weighs nan");
    pairs[1] = (akin_scored_pair){2, 8, -INFINITY};
    expect_refused(model, 9, 9, none, 2, AKIN_E_OPTION, "pair 1 weighs -inf");
    pairs[1] = (akin_scored_pair){2, 8, 0};
    expect_refused(model, 9, 9, (akin_ratio){3, 2}, 2, AKIN_E_OPTION, "threshold 3/2");
    expect_refused(model, UINT32_MAX - 1, 9, none, 2, AKIN_E_LIMIT, "records");
    expect_refused(model, 9, 9, none, UINT32_MAX, AKIN_E_LIMIT, "fewer than 4294967295 pairs");
    akin_model_content content = model->content;
    content.has_caps = 0;
    content.caps = (akin_caps){NULL, 0};
    assert_int_equal(akin_model_create(&content, &older, NULL), AKIN_OK);
    assert_int_equal(count_all(&q, whole.columns, whole.rows, right.columns, right.rows, &all, NULL), AKIN_OK);
    q.options.population = &all.population;
    q.options.model = older;
    assert_int_equal(run(&q, whole.columns, 5, right.columns, 5, &found, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "the model has no \"caps\""));
    expect_refused(older, 9, 9, none, 2, AKIN_E_OPTION, "the model has no \"caps\"");
    free_counted(&all);
    akin_dedupe_model_free(older);
    akin_dedupe_model_free(model);
}

/* --------------------------------------------------------------------------------------------------------- failures */

/* Each allocation fails once. */
static void failing_allocations(void **state)
{
    question q;
    counted all;
    akin_error error;
    akin_status status = AKIN_E_NOMEM;
    uint64_t refusals = 0;
    (void)state;
    begin_context(1);
    make_tables(2, 1);
    akin_dedupe_model *model = learn_one(&q, 1);
    assert_int_equal(count_all(&q, whole.columns, whole.rows, right.columns, right.rows, &all, NULL), AKIN_OK);
    q.options.population = &all.population;
    const uint32_t rows[2] = {whole.rows, right.rows};
    for (unsigned n = 0; status != AKIN_OK; n++) {
        uint64_t count = find_weights(&q, 1, 1);
        begin_failing(n, (int)(n % 2));
        status = akin_dedupe_model_match(&context, model, rows, (akin_ratio){0, 1}, pairs, numbers, &count, &error);
        armed = 0;
        assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && failed && strstr(error.message, "memory")));
        refusals += status != AKIN_OK;
    }
    assert_true(refusals > 10);
    free_counted(&all);
    akin_dedupe_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_table), cmocka_unit_test(two_tables),
                                       cmocka_unit_test(caps_are_kept), cmocka_unit_test(refused),
                                       cmocka_unit_test(failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
