/*
 * Learning from anchored pairs of papers: it finds the levels of pairs of one paper, where expectation maximization
 * over all pairs finds the pairs of one issue.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "dedupe/anchors.h"
#include "dedupe/partners.h"
#include "unit/test_learn_support.h"

#define COMPARISONS 6 /* title, author, pages; year, volume, number */
#define TELLING     3
#define AUTHOR      1
#define LEVELS      9
#define MATCHES     800
#define ISSUES      12000 /* pairs of one issue */
#define STRANGERS   60000

static const double match_m[COMPARISONS] = {0.8, 0.6, 0.7, 0.95, 0.9, 0.9}; /* of the highest level */
static const double stranger_u[COMPARISONS] = {0.0004, 0.0005, 0.0006, 0.12, 0.03, 0.04};

typedef struct papers {
    akin_context context;
    akin_dedupe_job job;
    akin_training_comparison comparisons[COMPARISONS];
    akin_level_model models[COMPARISONS];
    akin_training training;
    akin_estimate how;
    double *probabilities;
} papers;

/* The highest level with that probability, or else a low one. */
static uint8_t draw_level(akin_random *random, double top)
{
    return (uint8_t)(akin_random_unit(random) < top ? LEVELS - 1 : akin_random_below(random, 3));
}

static void add_pairs(akin_random *random, akin_level_pairs *pairs, uint32_t count, const double *top)
{
    for (uint32_t i = 0; i < count; i++, pairs->count++)
        for (uint32_t c = 0; c < COMPARISONS; c++)
            pairs->levels[pairs->count * COMPARISONS + c] =
                akin_random_below(random, 30) == 0 ? AKIN_LEVEL_MISSING : draw_level(random, top[c]);
}

/* Pairs of one issue have one author with the probability `issue_author`. */
static void make_papers(papers *p, uint32_t threads, double issue_author)
{
    double issue_top[COMPARISONS], counts[AKIN_LEVELS_MOST] = {0};
    akin_random random;
    *p = (papers){.job = {.options = {.attribute_count = COMPARISONS}}};
    p->context = context_of(&p->context, threads);
    p->job.scope = &p->context.scope;
    akin_random_seed(&random, 1);
    p->training = (akin_training){.job = &p->job, .comparisons = p->comparisons, .models = p->models};
    p->training.pairs = make_level_pairs(MATCHES + ISSUES + STRANGERS, COMPARISONS, 5000, 0);
    p->probabilities = calloc(MATCHES + ISSUES + STRANGERS, sizeof *p->probabilities);
    assert_non_null(p->probabilities);
    for (uint32_t c = 0; c < COMPARISONS; c++) {
        issue_top[c] = c == AUTHOR ? issue_author : c < TELLING ? stranger_u[c] : 0.99;
        p->comparisons[c] =
            (akin_training_comparison){.leveled.levels = LEVELS, .cuts = akin_level_cuts, .present = 0.97};
        p->models[c].levels = LEVELS;
        for (uint32_t l = 0; l < LEVELS; l++)
            counts[l] = l < 3 ? 1e6 * (1 - stranger_u[c]) / 3 : l + 1 == LEVELS ? 1e6 * stranger_u[c] : 0;
        akin_level_model_set_u(&p->models[c], counts, 0.5);
    }
    add_pairs(&random, &p->training.pairs, MATCHES, match_m);
    add_pairs(&random, &p->training.pairs, ISSUES, issue_top);
    add_pairs(&random, &p->training.pairs, STRANGERS, stranger_u);
    p->training.model = (akin_fellegi_sunter){.count = COMPARISONS, .comparisons = p->models, .tempering = 1};
    p->how = (akin_estimate){
        .scope = p->job.scope, .account = &p->job.account, .way = AKIN_POSTERIOR_FREE, .pairs = &p->training.pairs};
}

static void clear_papers(papers *p)
{
    assert_int_equal(p->job.account.held, 0);
    clear_level_pairs(&p->training.pairs);
    free(p->probabilities);
}

static double top_of(const papers *p, uint32_t comparison)
{
    return p->models[comparison].m[LEVELS - 1];
}

/* Matches that are found, and others. */
static void count_found(const papers *p, uint32_t *right, uint32_t *wrong)
{
    *right = *wrong = 0;
    for (uint32_t i = 0; i < p->training.pairs.count; i++)
        *(i < MATCHES ? right : wrong) += p->probabilities[i] > 0.5;
}

/* Expectation maximization over all pairs finds issues, and sessions find the levels of papers. */
static void expect_levels(papers *p)
{
    uint32_t right, wrong;
    int are_set = 0;
    akin_error error;
    assert_int_equal(akin_estimate_run(&p->how, &p->training.model, p->probabilities, &error), AKIN_OK);
    count_found(p, &right, &wrong);
    assert_true(wrong > ISSUES / 2 && !akin_training_is_of_entities(&p->training));
    assert_int_equal(akin_training_anchor(&p->training, &p->how, &are_set, &error), AKIN_OK);
    assert_true(are_set && akin_training_is_of_entities(&p->training));
    for (uint32_t c = 0; c < COMPARISONS; c++) {
        assert_true(fabs(top_of(p, c) - match_m[c]) < 0.07);
        assert_false(p->models[c].is_idle);
    }
}

static void papers_of_issues(void **state)
{
    static papers p;
    uint32_t right, wrong;
    akin_error error;
    (void)state;
    make_papers(&p, 2, stranger_u[AUTHOR]);
    expect_levels(&p);
    p.how.is_fixed = p.how.has_m = 1;
    assert_int_equal(akin_estimate_run(&p.how, &p.training.model, p.probabilities, &error), AKIN_OK);
    count_found(&p, &right, &wrong);
    assert_true(right > 0.9 * MATCHES && wrong < 0.1 * MATCHES);
    clear_papers(&p);
}

/* One author writes most papers of an issue. Among pairs with one author, those of one issue are a larger class than
 * those of one paper, so this session must not count. */
static void anchor_of_another_class(void **state)
{
    static papers p;
    (void)state;
    make_papers(&p, 2, 0.95);
    expect_levels(&p);
    clear_papers(&p);
}

static void same_for_any_threads(void **state)
{
    static papers p;
    akin_level_model first[COMPARISONS];
    int are_set = 0;
    akin_error error;
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads++) {
        make_papers(&p, threads, 0.3);
        assert_int_equal(akin_training_anchor(&p.training, &p.how, &are_set, &error), AKIN_OK);
        for (uint32_t c = 0; c < COMPARISONS; c++) {
            if (threads > 1)
                assert_memory_equal(first[c].m, p.models[c].m, sizeof first[c].m);
            first[c] = p.models[c];
        }
        clear_papers(&p);
    }
}

/* No pairs with one title teach how often titles agree: that has the default probability. */
static void one_anchor(void **state)
{
    static papers p;
    akin_level_model fresh = {.levels = LEVELS};
    const double none[AKIN_LEVELS_MOST] = {0};
    int are_set = 0;
    akin_error error;
    (void)state;
    make_papers(&p, 1, stranger_u[AUTHOR]);
    for (uint32_t c = 1; c < TELLING; c++)
        p.comparisons[c].present = 0.1;
    assert_int_equal(akin_training_anchor(&p.training, &p.how, &are_set, &error), AKIN_OK);
    assert_true(are_set);
    memcpy(fresh.u, p.models[0].u, sizeof fresh.u);
    akin_level_model_set_m(&fresh, none);
    assert_memory_equal(fresh.m, p.models[0].m, sizeof fresh.m);
    for (uint32_t c = 1; c < COMPARISONS; c++)
        assert_true(fabs(top_of(&p, c) - match_m[c]) < 0.07);
    clear_papers(&p);
}

/* Without a telling column the models stay. */
static void no_anchor(void **state)
{
    static papers p;
    akin_level_model before[COMPARISONS];
    int are_set = 1;
    akin_error error;
    (void)state;
    make_papers(&p, 1, stranger_u[AUTHOR]);
    assert_int_equal(akin_estimate_run(&p.how, &p.training.model, p.probabilities, &error), AKIN_OK);
    for (uint32_t c = 0; c < TELLING; c++)
        p.comparisons[c].present = 0.1;
    memcpy(before, p.models, sizeof before);
    assert_int_equal(akin_training_anchor(&p.training, &p.how, &are_set, &error), AKIN_OK);
    assert_false(are_set);
    assert_memory_equal(before, p.models, sizeof before);
    clear_papers(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(papers_of_issues),
        cmocka_unit_test(anchor_of_another_class),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(one_anchor),
        cmocka_unit_test(no_anchor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
