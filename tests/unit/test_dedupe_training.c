/* The pairs to learn from, as one sorted list of those of all threads, and what equal values add to them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/elementary.h"
#include "dedupe/training.h"
#include "unit/test_learn_support.h"

#define THREADS  3
#define LEVELS   4
#define VALUES   300
#define FREQUENT 70000 /* records that have one value: more than there is a table for */

/* ------------------------------------------------------------------------------------------------------------- list */

/* A job whose threads have found pairs. */
typedef struct gathered {
    akin_dedupe_worker workers[THREADS];
    akin_training training;
    akin_context context;
    akin_dedupe_job job;
} gathered;

/* The levels of a pair, which follow from its records. */
static uint8_t level_of(uint32_t left, uint32_t right, uint32_t comparison)
{
    return (uint8_t)((left * 7 + right * 3 + comparison * 5) % 32);
}

static void begin(gathered *g, uint32_t comparisons, uint32_t tables, uint32_t left, uint32_t right)
{
    *g = (gathered){.training = {.job = &g->job}};
    g->context = context_of(&g->context, THREADS);
    g->job.scope = &g->context.scope;
    g->job.workers = g->workers;
    g->job.threads = THREADS;
    g->training.pairs = (akin_level_pairs){.comparisons = comparisons, .tables = tables, .rows = {left, right}};
}

static void add_pair(gathered *g, uint32_t thread, uint32_t left, uint32_t right)
{
    const akin_level_pairs *pairs = &g->training.pairs;
    const uint32_t border = pairs->tables == 2 ? pairs->rows[0] : 0;
    akin_found *f = &g->workers[thread].found;
    assert_true(akin_found_enlarge(f, &g->job.account, 1, 0, pairs->comparisons));
    f->pairs[f->count] = (akin_scored_pair){left, right, 0.5};
    for (uint32_t c = 0; c < pairs->comparisons; c++)
        f->levels[f->count * pairs->comparisons + c] = level_of(left, right + border, c);
    f->count++;
    g->job.found++;
}

static void check_list(gathered *g)
{
    akin_level_pairs *pairs = &g->training.pairs;
    akin_error error;
    assert_int_equal(akin_training_list(&g->training, &error), AKIN_OK);
    assert_int_equal(pairs->count, g->job.found);
    for (uint64_t i = 0; i < pairs->count; i++) {
        assert_true(i == 0 || pairs->left[i - 1] < pairs->left[i] ||
                    (pairs->left[i - 1] == pairs->left[i] && pairs->right[i - 1] < pairs->right[i]));
        for (uint32_t c = 0; c < pairs->comparisons; c++)
            if (pairs->levels[i * pairs->comparisons + c] != level_of(pairs->left[i], pairs->right[i], c))
                fail_msg("pair %llu, comparison %u: another level", (unsigned long long)i, c);
    }
    akin_training_clear(&g->training);
    assert_int_equal(g->job.account.held, 0);
}

/* Rows with a few pairs each, some without, and one with many; any number of comparisons. */
static void lists_pairs(void **state)
{
    static const uint32_t widths[] = {1, 3, 4, 7, 8, 13, 17};
    (void)state;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (uint32_t tables = 1; tables <= 2; tables++) {
            gathered g;
            akin_random random;
            begin(&g, widths[w], tables, 9000, tables == 2 ? 9000 : 0);
            akin_random_seed(&random, w);
            for (uint32_t left = 9000; left-- > 0;) {
                const uint32_t partners = left == 4321 ? 4000 : (uint32_t)akin_random_below(&random, 12);
                for (uint32_t right = left + 1; right < 9000 && right <= left + partners; right++)
                    add_pair(&g, (uint32_t)akin_random_below(&random, THREADS), left, right);
            }
            check_list(&g);
        }
}

/* No pair, and a pair of two records. */
static void lists_few(void **state)
{
    gathered g;
    (void)state;
    begin(&g, 2, 1, 0, 0);
    check_list(&g);
    begin(&g, 2, 1, 2, 0);
    add_pair(&g, 1, 0, 1);
    check_list(&g);
}

/* ----------------------------------------------------------------------------------------------------------- rarity */

/* Two comparisons of records with values; the second one depends on the first. */
typedef struct valued {
    uint32_t of[2][1000], counts[2][VALUES];
    double rarity[2][100];
    akin_training_comparison comparisons[2];
    akin_level_model models[2];
    akin_training training;
} valued;

static void make_valued(valued *v)
{
    akin_random random;
    *v = (valued){.training = {.comparisons = v->comparisons, .models = v->models}};
    v->training.model = (akin_fellegi_sunter){.count = 2, .comparisons = v->models, .rareness = 0.25};
    akin_random_seed(&random, 4);
    for (uint32_t c = 0; c < 2; c++) {
        akin_training_comparison *own = &v->comparisons[c];
        *own = (akin_training_comparison){
            .leveled = {.levels = LEVELS}, .of = v->of[c], .counts = v->counts[c], .valued = 100000};
        own->rarity = v->rarity[c];
        own->rarities = 100;
        own->log_u = akin_logarithm_of(0.01);
        v->models[c].levels = LEVELS;
        for (uint32_t n = 0; n < VALUES; n++)
            v->counts[c][n] = n == 0 ? FREQUENT : n;
        for (uint32_t n = 0; n < own->rarities; n++)
            own->rarity[n] = own->log_u - akin_logarithm_of((n > 2 ? n - 1.5 : 0.5) / 100000);
        for (uint32_t r = 0; r < 1000; r++)
            v->of[c][r] = akin_random_below(&random, 2) ? 0 : (uint32_t)akin_random_below(&random, VALUES);
    }
    v->models[1].is_dependent = 1;
}

/* What a pair's equal values add, by the formula. */
static double expected_rarity(const valued *v, const uint8_t *levels, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (uint32_t c = 0; c < 2; c++) {
        const uint32_t n = v->counts[c][v->of[c][a]];
        const int is_given = c == 1 && levels[0] == LEVELS - 1;
        if (levels[c] == LEVELS - 1 && v->of[c][a] == v->of[c][b] && !is_given)
            sum += akin_logarithm_of(0.01) - akin_logarithm_of((n > 2 ? n - 1.5 : 0.5) / 100000);
    }
    return 1.25 * sum;
}

static void equal_values_add(void **state)
{
    static valued v;
    const uint64_t count = 40000;
    akin_level_pairs pairs = make_level_pairs(count, 2, 1000, 0);
    akin_dedupe_job job = {.found = 0};
    akin_context context = context_of(&context, THREADS);
    akin_random random;
    akin_error error;
    uint64_t adding = 0;
    (void)state;
    make_valued(&v);
    job.scope = &context.scope;
    v.training.job = &job;
    akin_random_seed(&random, 5);
    for (pairs.count = 0; pairs.count < count; pairs.count++) {
        pairs.left[pairs.count] = (uint32_t)(pairs.count / 50);
        pairs.right[pairs.count] = (uint32_t)akin_random_below(&random, 1000);
        for (uint32_t c = 0; c < 2; c++)
            pairs.levels[2 * pairs.count + c] = (uint8_t)akin_random_below(&random, LEVELS);
    }
    assert_int_equal(akin_training_find_rare(&v.training, &pairs, &error), AKIN_OK);
    for (uint64_t i = 0; i < count; i++) {
        assert_true(pairs.rarity[i] == (float)expected_rarity(&v, pairs.levels + 2 * i, pairs.left[i], pairs.right[i]));
        adding += pairs.rarity[i] != 0;
    }
    assert_true(adding > count / 20 && adding < count / 2);
    v.models[0].is_idle = v.models[1].is_idle = 1;
    assert_int_equal(akin_training_find_rare(&v.training, &pairs, &error), AKIN_OK);
    for (uint64_t i = 0; i < count; i++)
        assert_true(pairs.rarity[i] == 0);
    clear_level_pairs(&pairs);
}

/* ---------------------------------------------------------------------------------------------------------- answers */

/* What an answer of rows 1 and 2 says of records a and b: -1: nothing. Nothing else says anything of them. */
static double said_of(uint32_t tables, int is_match, uint32_t a, uint32_t b)
{
    akin_context context = context_of(&context, 1);
    akin_dedupe_job job = {.scope = &context.scope};
    uint64_t pair = akin_settled_key(1, 2);
    akin_training training = {.job = &job, .pairs = {.all = 10, .tables = tables, .rows = {5, tables == 2 ? 5 : 0}}};
    akin_training_scorers scorers;
    akin_error error;
    double probability;
    job.scoring.account = &job.account;
    training.model = (akin_fellegi_sunter){.expected = 5, .tempering = 1};
    training.settled[is_match] = (akin_settled){&pair, 1};
    assert_int_equal(akin_training_scorers_make(&training, &scorers, &error), AKIN_OK);
    assert_int_equal(akin_training_score(&scorers, 0, a, b, &probability), AKIN_OK);
    akin_training_scorers_clear(&scorers);
    return probability == 0.5 ? -1 : probability;
}

/* Of two tables the right record 2 has the number 7. Pairs of one table have no answer, whatever their rows. */
static void answers_say(void **state)
{
    (void)state;
    for (int is_match = 0; is_match < 2; is_match++)
        for (uint32_t a = 0; a < 10; a++)
            for (uint32_t b = 0; b < 10; b++) {
                const int is_one = (a == 1 && b == 2) || (a == 2 && b == 1);
                const int is_two = (a == 1 && b == 7) || (a == 7 && b == 1);
                assert_true(a >= 5 || b >= 5 || said_of(1, is_match, a, b) == (is_one ? is_match : -1));
                assert_true(said_of(2, is_match, a, b) == (is_two ? is_match : -1));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_pairs),
        cmocka_unit_test(lists_few),
        cmocka_unit_test(equal_values_add),
        cmocka_unit_test(answers_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
