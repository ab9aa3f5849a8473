/*
 * Probabilities that decoys lower, against an oracle that follows the definition. What two records weigh is made up
 * here: the linker puts the function below in the place of the one that compares records.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "dedupe/link_decoys.h"
#include "learn/right_share.h"
#include "unit/test_learn_support.h"

#define RECORDS   10000
#define PAIRS     60000
#define PARTNERS  64 /* of a record, at most */
#define NEAREST   10
#define SAMPLE    4096
#define TEMPERING 0.5

akin_status __wrap_akin_training_weigh_records(const akin_training_scorers *scorers, uint32_t thread, uint32_t a,
                                               uint32_t b, double *weight);

/* Many pairs weigh the same. */
static double weight_of(uint32_t a, uint32_t b)
{
    return (double)(akin_random_mixed((uint64_t)a << 32 | b) % 24) / 4 - 2;
}

akin_status __wrap_akin_training_weigh_records(const akin_training_scorers *scorers, uint32_t thread, uint32_t a,
                                               uint32_t b, double *weight)
{
    assert_true(thread < scorers->threads);
    *weight = weight_of(a, b);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- link */

typedef struct partner {
    double weight;
    uint32_t record;
} partner;

typedef struct link {
    akin_level_pairs pairs;
    double given[PAIRS]; /* probabilities */
    uint64_t matched[RECORDS], matched_count;
    partner partners[RECORDS][PARTNERS]; /* the nearest first */
    uint32_t counts[RECORDS];
} link;

static link one;

/* Before those that weigh less, and behind those that weigh as much and came before. */
static void note_partner(link *l, uint32_t record, partner other)
{
    uint32_t at = l->counts[record]++;
    assert_true(at < PARTNERS);
    for (; at > 0 && l->partners[record][at - 1].weight < other.weight; at--)
        l->partners[record][at] = l->partners[record][at - 1];
    l->partners[record][at] = other;
}

static void add_pair(link *l, akin_random *random, uint32_t a, uint32_t b, int is_matched)
{
    const uint64_t at = l->pairs.count++;
    assert_true(at < PAIRS);
    l->pairs.left[at] = a;
    l->pairs.right[at] = b;
    l->pairs.rarity[at] = (float)akin_random_below(random, 24) / 2 - (is_matched ? 0 : 4);
    l->given[at] = akin_random_unit(random);
    note_partner(l, a, (partner){TEMPERING * (double)l->pairs.rarity[at], b});
    note_partner(l, b, (partner){TEMPERING * (double)l->pairs.rarity[at], a});
}

/* Each left record has up to `most` partners, which are near its own place. Some have none. The matched pairs weigh
 * more than others. */
static void make_link(link *l, uint64_t seed, uint32_t left, uint32_t right, uint32_t most)
{
    static uint8_t taken[RECORDS];
    akin_random random;
    akin_random_seed(&random, seed);
    memset(taken, 0, sizeof taken);
    memset(l->counts, 0, sizeof l->counts);
    l->pairs = make_level_pairs(PAIRS, 0, left, right);
    l->pairs.count = l->matched_count = 0;
    for (uint32_t a = 0; a < left; a++) {
        const uint32_t partners = (uint32_t)akin_random_below(&random, most + 1);
        const uint32_t from = (uint32_t)((uint64_t)a * right / left), first = from > 4 ? from - 4 : 0;
        int has_matched = 0;
        for (uint32_t b = first; b < right && b < first + partners; b++) {
            const int is_matched = !has_matched && !taken[b] && akin_random_below(&random, 2);
            add_pair(l, &random, a, left + b, is_matched);
            if (!is_matched)
                continue;
            has_matched = taken[b] = 1;
            l->matched[l->matched_count++] = l->pairs.count - 1;
        }
    }
}

static akin_status heed(const link *l, uint32_t threads, uint64_t limit, double *probabilities, akin_error *error)
{
    akin_context context = context_of(&context, threads);
    akin_dedupe_job job = {.scope = &context.scope, .account = {.limit = limit}};
    akin_training training = {.job = &job, .pairs = l->pairs, .model = {.tempering = TEMPERING}};
    job.scoring.account = &job.account;
    static double weights[PAIRS];
    akin_caps caps;
    for (uint64_t i = 0; i < l->pairs.count; i++)
        weights[i] = TEMPERING * (double)l->pairs.rarity[i];
    const akin_status status = akin_training_find_caps(&training, weights, l->matched, l->matched_count, &caps, error);
    for (uint64_t i = 0; i < l->pairs.count; i++)
        probabilities[i] = akin_caps_lower(&caps, weights[i], l->given[i]);
    akin_free(caps.steps);
    assert_int_equal(job.account.held, 0);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

typedef struct decoy {
    double weight;
    uint32_t left, right;
} decoy;

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The heaviest first, and then by rows. */
static int compare_decoys(const void *a, const void *b)
{
    const decoy *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    if (x->left != y->left)
        return x->left > y->left ? 1 : -1;
    return (x->right > y->right) - (x->right < y->right);
}

static uint32_t nearest_of(const link *l, uint32_t record)
{
    return l->counts[record] < NEAREST ? l->counts[record] : NEAREST;
}

/* Adds the decoys of a record: the nearest partners of its nearest partners, each once. */
static uint64_t add_decoys(const link *l, uint32_t record, decoy *out)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < nearest_of(l, record); i++) {
        const uint32_t other = l->partners[record][i].record;
        for (uint32_t k = 0; k < nearest_of(l, other); k++) {
            const uint32_t second = l->partners[other][k].record;
            int is_there = second == record;
            for (uint64_t d = 0; d < count; d++)
                is_there |= out[d].right == second;
            if (!is_there)
                out[count++] = (decoy){weight_of(record, second), record, second};
        }
    }
    return count;
}

/* The weights, ascending, of the decoys of a side that stay if a record is in one of each kind at most. */
static uint64_t match_decoys(const link *l, uint32_t side, uint32_t step, double *weights)
{
    static uint8_t are_left[RECORDS], are_right[RECORDS];
    const uint32_t begin = side ? l->pairs.rows[0] : 0;
    decoy *decoys = calloc((size_t)RECORDS * NEAREST * NEAREST, sizeof *decoys);
    uint64_t count = 0, kept = 0;
    assert_non_null(decoys);
    memset(are_left, 0, sizeof are_left);
    memset(are_right, 0, sizeof are_right);
    for (uint32_t r = 0; r < l->pairs.rows[side]; r += step)
        count += add_decoys(l, begin + r, decoys + count);
    qsort(decoys, count, sizeof *decoys, compare_decoys);
    for (uint64_t i = 0; i < count; i++) {
        if (are_left[decoys[i].left] || are_right[decoys[i].right])
            continue;
        are_left[decoys[i].left] = are_right[decoys[i].right] = 1;
        weights[kept++] = decoys[i].weight;
    }
    qsort(weights, kept, sizeof *weights, compare_doubles);
    free(decoys);
    return kept;
}

static void lower_by_definition(const link *l, double *probabilities, uint64_t found[2])
{
    static double items[RECORDS], weights[RECORDS], shares[2][RECORDS];
    const uint32_t *rows = l->pairs.rows;
    const double least = rows[0] < rows[1] ? rows[0] : rows[1];
    for (uint64_t i = 0; i < l->matched_count; i++)
        items[i] = TEMPERING * (double)l->pairs.rarity[l->matched[i]];
    qsort(items, l->matched_count, sizeof *items, compare_doubles);
    for (uint32_t side = 0; side < 2; side++) {
        const uint32_t step = rows[side] / SAMPLE > 1 ? rows[side] / SAMPLE : 1;
        found[side] = match_decoys(l, side, step, weights);
        const akin_weighed_decoys decoys = {weights, found[side], least, step * least / rows[side]};
        assert_int_equal(akin_right_share_find(NULL, items, l->matched_count, &decoys, shares[side]), AKIN_OK);
    }
    for (uint64_t i = 0; i < l->pairs.count; i++) {
        uint64_t item = 0;
        while (item + 1 < l->matched_count && items[item + 1] <= TEMPERING * (double)l->pairs.rarity[i])
            item++;
        const double most = fmax(shares[0][item], shares[1][item]);
        probabilities[i] = fmin(l->given[i], most);
    }
}

/* ------------------------------------------------------------------------------------------------------------ tests */

/* Expects some probabilities to be lowered, if `is_telling`. */
static void expect(uint64_t seed, uint32_t left, uint32_t right, uint32_t most, int is_telling, uint64_t found[2])
{
    static double expected[PAIRS], probabilities[PAIRS];
    akin_error error = {.message = ""};
    uint64_t lowered = 0;
    make_link(&one, seed, left, right, most);
    lower_by_definition(&one, expected, found);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        assert_int_equal(heed(&one, threads, 0, probabilities, &error), AKIN_OK);
        for (uint64_t i = 0; i < one.pairs.count; i++)
            if (probabilities[i] != expected[i])
                fail_msg("%u and %u records, pair %llu: %.17g instead of %.17g", left, right, (unsigned long long)i,
                         probabilities[i], expected[i]);
    }
    for (uint64_t i = 0; i < one.pairs.count; i++)
        lowered += expected[i] < one.given[i];
    assert_true(!is_telling || (lowered > 0 && lowered < one.pairs.count));
    clear_level_pairs(&one.pairs);
}

/* All records of a small table are drawn, and every second one of a table with twice 4096. */
static void as_the_definition(void **state)
{
    uint64_t found[2];
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++)
        expect(seed, 300, 250, 14, 1, found);
    expect(20, 5000, 4900, 8, 1, found);
    expect(21, 9000, 900, 4, 1, found);
    expect(22, 900, 9000, 14, 1, found);
    assert_true(found[0] > 0 && found[1] > 0);
}

/* One right record is a partner of each left one, so only the left table has decoys; and the other way round. */
static void decoys_of_one_table(void **state)
{
    uint64_t found[2];
    (void)state;
    expect(1, 40, 1, 1, 0, found);
    assert_true(found[0] > 0 && found[1] == 0);
    expect(2, 1, 40, 30, 0, found);
    assert_true(found[0] == 0 && found[1] > 0);
    expect(3, 60, 60, 0, 0, found);
    assert_true(found[0] == 0 && found[1] == 0);
}

/* Some records have more partners than lead to decoys, of which many weigh the same. */
static void many_partners(void **state)
{
    uint64_t found[2];
    (void)state;
    expect(5, 120, 60, 40, 1, found);
}

static void short_of_memory(void **state)
{
    static double probabilities[PAIRS];
    akin_error error;
    uint64_t refused = 0;
    akin_status status = AKIN_E_NOMEM;
    (void)state;
    make_link(&one, 7, 120, 90, 8);
    for (uint64_t limit = 64; status != AKIN_OK; limit += limit / 64 + 8) {
        status = heed(&one, 2, limit, probabilities, &error);
        if (status == AKIN_OK)
            break;
        assert_int_equal(status, AKIN_E_NOMEM);
        assert_true(error.code == AKIN_E_NOMEM && strstr(error.message, "memory"));
        refused++;
    }
    assert_true(refused > 20);
    clear_level_pairs(&one.pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_definition),
        cmocka_unit_test(decoys_of_one_table),
        cmocka_unit_test(many_partners),
        cmocka_unit_test(short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
