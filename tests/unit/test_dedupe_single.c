/*
 * The weights of a single column: the probabilities of levels are the fixed ones where strangers are never so alike,
 * and less where they are, whether or not duplicates are counted as strangers.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "dedupe/single.h"
#include "unit/test_learn_support.h"

#define LEVELS 9

/* Pairs of each level among all pairs: of strangers, which become a tenth with each level, and of duplicates. */
static const uint32_t dense[LEVELS] = {900000, 90000, 9000, 900, 90, 9, 1, 0, 0};
static const uint32_t sparse[LEVELS] = {999000, 999, 1, 0, 0, 0, 0, 0, 0};
static const uint32_t duplicates[LEVELS] = {0, 0, 0, 0, 10, 100, 100, 50, 50};
static const uint32_t none[LEVELS] = {0};
static const double fixed[LEVELS] = {0.001, 0.001, 0.001, 0.05, 0.2, 0.9, 0.97, 0.99, 0.999};

typedef struct column {
    akin_training_comparison comparisons[2];
    akin_level_model models[2];
    akin_training training;
} column;

/* The pairs of level 3 and above are selected; u is that of all pairs, so duplicates are in it, too. */
static void make_column(column *c, const uint32_t *strangers, const uint32_t *matches)
{
    uint64_t at = 0, all = 0;
    *c = (column){.training = {.comparisons = c->comparisons, .models = c->models}};
    c->training.model = (akin_fellegi_sunter){.count = 1, .comparisons = c->models};
    c->comparisons[0] = (akin_training_comparison){.leveled.levels = LEVELS, .cuts = akin_level_cuts, .present = 1};
    c->models[0].levels = LEVELS;
    c->training.pairs = make_level_pairs(2000, 1, 1500, 0);
    for (uint32_t l = 0; l < LEVELS; l++)
        all += strangers[l] + matches[l];
    for (uint32_t l = 0; l < LEVELS; l++) {
        c->models[0].u[l] = (strangers[l] + matches[l] + 0.5) / ((double)all + LEVELS * 0.5);
        for (uint32_t i = 0; l >= 3 && i < strangers[l] + matches[l]; i++)
            c->training.pairs.levels[at++] = (uint8_t)l;
    }
    c->training.pairs.count = at;
    c->training.pairs.all = all;
}

static double probability_of(const column *c, uint32_t level)
{
    const double odds =
        akin_fellegi_sunter_prior(&c->training.model, c->training.pairs.all) * exp(c->models[0].weights[level]);
    return odds / (1 + odds);
}

static void duplicates_among_sparse_texts(void **state)
{
    column c;
    double expected = 7;
    (void)state;
    make_column(&c, sparse, duplicates);
    akin_training_weigh_single(&c.training, 7);
    for (uint32_t l = 4; l < LEVELS; l++) {
        assert_true(fabs(probability_of(&c, l) - fixed[l]) < 0.02);
        expected += fixed[l] * duplicates[l];
    }
    assert_true(probability_of(&c, 0) <= 0.0011);
    assert_true(fabs(c.training.model.expected / expected - 1) < 0.02);
    assert_true(c.training.model.tempering == 1);
    clear_level_pairs(&c.training.pairs);
}

/* Of the pairs of level 5, nine in 109 are strangers, as those below show; of level 4, nine in ten. */
static void duplicates_among_dense_texts(void **state)
{
    column c;
    (void)state;
    make_column(&c, dense, duplicates);
    akin_training_weigh_single(&c.training, 0);
    assert_true(fabs(probability_of(&c, 4) - 0.2 * 0.1) < 0.02);
    assert_true(fabs(probability_of(&c, 5) - 0.9 * 100 / 109) < 0.05);
    assert_true(fabs(probability_of(&c, 8) - 0.999) < 0.01);
    clear_level_pairs(&c.training.pairs);
}

static void no_duplicates(void **state)
{
    column c;
    (void)state;
    make_column(&c, dense, none);
    akin_training_weigh_single(&c.training, 0);
    for (uint32_t l = 4; l < 6; l++)
        assert_true(probability_of(&c, l) < 0.25);
    assert_true(c.training.model.expected < 10);
    clear_level_pairs(&c.training.pairs);
}

static void single_or_not(void **state)
{
    column c;
    (void)state;
    make_column(&c, sparse, none);
    assert_true(akin_training_is_single(&c.training));
    c.training.pairs.tables = 2;
    assert_false(akin_training_is_single(&c.training));
    c.training.pairs.tables = 1;
    c.comparisons[0].leveled.levels = 14; /* numbers */
    assert_false(akin_training_is_single(&c.training));
    c.comparisons[0].leveled.levels = LEVELS;
    c.comparisons[1] = c.comparisons[0];
    c.training.model.count = 2;
    assert_false(akin_training_is_single(&c.training));
    clear_level_pairs(&c.training.pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duplicates_among_sparse_texts),
        cmocka_unit_test(duplicates_among_dense_texts),
        cmocka_unit_test(no_duplicates),
        cmocka_unit_test(single_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
