/* How strong the filters of joins are: the postings that they visit, and the candidates that they leave, are as many as
 * a plain loop over all pairs counts. A filter that lets more through would find the same pairs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "join/threshold.h"

#include <stdlib.h>

#define ROWS    150
#define TOKENS  100
#define LARGEST 12

/* Rows of tokens, by rank: the least frequent first. */
typedef struct rows {
    uint32_t size[ROWS], tokens[ROWS][LARGEST];
} rows;

static const akin_wishes all_rows = {.equal_rows = -1}; /* equal ones are joined one by one */

static void draw(akin_random *random, rows *out, uint32_t frequency[TOKENS])
{
    for (uint32_t row = 0; row < ROWS; row++) {
        uint32_t chosen[TOKENS] = {0}, size = 1 + (uint32_t)akin_random_below(random, LARGEST);
        out->size[row] = 0;
        while (out->size[row] < size) {
            const uint32_t below = 1 + (uint32_t)akin_random_below(random, TOKENS);
            const uint32_t token = (uint32_t)akin_random_below(random, below);
            if (!chosen[token]++) {
                out->tokens[row][out->size[row]++] = token;
                frequency[token]++;
            }
        }
    }
}

/* Sorts each row by the frequency of its tokens in both collections, ties by token. */
static void sort_rows(rows *all, const uint32_t frequency[TOKENS])
{
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 1; i < all->size[row]; i++)
            for (uint32_t k = i; k > 0; k--) {
                uint32_t *a = &all->tokens[row][k - 1], *b = &all->tokens[row][k], kept = *a;
                if (frequency[*a] < frequency[*b] || (frequency[*a] == frequency[*b] && *a < *b))
                    continue;
                *a = *b;
                *b = kept;
            }
}

static akin_sets *sets_of(akin_context *context, const rows *all)
{
    uint64_t offsets[ROWS + 1] = {0};
    uint32_t tokens[ROWS * LARGEST];
    akin_sets *sets = NULL;
    for (uint32_t row = 0; row < ROWS; row++) {
        offsets[row + 1] = offsets[row];
        for (uint32_t i = 0; i < all->size[row]; i++)
            tokens[offsets[row + 1]++] = all->tokens[row][i];
    }
    assert_int_equal(akin_sets_from_arrays(context, ROWS, offsets, tokens, &sets, NULL), AKIN_OK);
    return sets;
}

typedef struct counts {
    uint64_t candidates, visited;
} counts;

/* How many of its first tokens a set of r shows: with one less, a partner of the least size could share all others. */
static uint32_t prefix_of(const akin_threshold *threshold, uint32_t r)
{
    uint32_t least = 1;
    while (least <= r && akin_threshold_overlap(threshold, r, least) > least)
        least++;
    const uint64_t need = akin_threshold_overlap(threshold, r, least);
    return least > r || need > r ? 0 : (uint32_t)(r - need + 1);
}

/* Whether sets of these sizes may be partners. */
static int can_reach(const akin_threshold *threshold, uint32_t r, uint32_t s)
{
    return akin_threshold_overlap(threshold, r, s) <= (r < s ? r : s);
}

/* Whether two sets are. */
static int reaches(const akin_threshold *threshold, const rows *left, uint32_t a, const rows *right, uint32_t b)
{
    uint32_t shared = 0;
    for (uint32_t i = 0; i < left->size[a]; i++)
        for (uint32_t k = 0; k < right->size[b]; k++)
            shared += left->tokens[a][i] == right->tokens[b][k];
    return shared >= akin_threshold_overlap(threshold, left->size[a], right->size[b]);
}

/* The pair as the probe meets it: token by token of its prefix. */
static void meet(const akin_threshold *threshold, const rows *left, uint32_t a, const rows *right, uint32_t b,
                 int positional, counts *found)
{
    const uint32_t r = left->size[a], s = right->size[b], shorter = r < s ? r : s;
    const uint64_t need = akin_threshold_overlap(threshold, r, s);
    uint32_t matches = 0;
    int pruned = 0;
    if (need > shorter)
        return;
    for (uint32_t i = 0; i < prefix_of(threshold, r); i++)
        for (uint32_t k = 0; k < prefix_of(threshold, s); k++) {
            const uint32_t left_over = r - i - 1 < s - k - 1 ? r - i - 1 : s - k - 1;
            if (left->tokens[a][i] != right->tokens[b][k])
                continue;
            found->visited++;
            matches++;
            pruned |= positional && matches + left_over < need;
        }
    found->candidates += matches > 0 && !pruned;
}

/* Of a technique, with signatures of so many bits if it is on signatures. */
static counts counts_of(akin_context *context, const akin_sets *left, const akin_sets *right,
                        const akin_threshold *threshold, akin_technique technique, uint32_t bits)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_report *report = NULL;
    counts found = {0};
    options.measure = threshold->measure;
    options.threshold = (akin_ratio){threshold->num, threshold->den};
    options.technique = technique;
    options.bits = bits;
    assert_int_equal(akin_join(context, left, right, &options, NULL, NULL, NULL, &report, NULL), AKIN_OK);
    for (uint32_t i = 0; i < akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE); i++) {
        akin_join_step step = {.size = sizeof step};
        assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, NULL), AKIN_OK);
        found.candidates += step.candidates;
        found.visited += step.compared;
    }
    akin_join_report_free(report);
    return found;
}

static void filters_leave_what_they_should(void **state)
{
    (void)state;
    static const akin_ratio ratios[] = {{1, 2}, {3, 5}, {2, 3}, {3, 4}, {4, 5}, {9, 10}, {1, 1}};
    static const akin_measure measures[] = {AKIN_JACCARD, AKIN_DICE, AKIN_COSINE};
    static rows left, right;
    akin_random random;
    akin_random_seed(&random, 1);
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
            uint32_t frequency[TOKENS] = {0};
            akin_context context = {.scope = {.context = &context, .threads = 2}, .wishes = &all_rows};
            akin_threshold threshold;
            counts every = {0}, kept = {0};
            uint64_t compatible = 0, alike = 0;
            draw(&random, &left, frequency);
            draw(&random, &right, frequency);
            sort_rows(&left, frequency);
            sort_rows(&right, frequency);
            akin_sets *first = sets_of(&context, &left), *second = sets_of(&context, &right);
            assert_int_equal(akin_threshold_make(measures[m], ratios[i], &threshold, NULL), AKIN_OK);
            for (uint32_t a = 0; a < ROWS; a++)
                for (uint32_t b = 0; b < ROWS; b++) {
                    meet(&threshold, &left, a, &right, b, 0, &every);
                    meet(&threshold, &left, a, &right, b, 1, &kept);
                    alike += (uint64_t)reaches(&threshold, &left, a, &right, b);
                    compatible += (uint64_t)can_reach(&threshold, left.size[a], right.size[b]);
                }
            assert_true(every.candidates > kept.candidates || ratios[i].num * 4 > ratios[i].den * 3);
            const counts allpairs = counts_of(&context, first, second, &threshold, AKIN_ALLPAIRS, 0);
            const counts ppjoin = counts_of(&context, first, second, &threshold, AKIN_PPJOIN, 0);
            const counts groupjoin = counts_of(&context, first, second, &threshold, AKIN_GROUPJOIN, 0);
            assert_int_equal(allpairs.visited, every.visited);
            assert_int_equal(allpairs.candidates, every.candidates);
            assert_int_equal(ppjoin.visited, every.visited);
            assert_int_equal(ppjoin.candidates, kept.candidates);
            assert_int_equal(groupjoin.candidates, kept.candidates);
            assert_true(groupjoin.visited <= every.visited); /* those of a group at once */
            /* Signatures of 128 bits hold all tokens: what they leave is found. */
            const counts bitmap = counts_of(&context, first, second, &threshold, AKIN_BITMAP, 128);
            const counts screened = counts_of(&context, first, second, &threshold, AKIN_SCREENED, 128);
            assert_int_equal(bitmap.candidates, alike);
            assert_int_equal(screened.candidates, alike);
            assert_true(bitmap.visited >= compatible && screened.visited >= alike); /* in groups of 8 */
            akin_sets_free(first);
            akin_sets_free(second);
        }
}

#define MANY 2200 /* so many that the list of a token in all of them becomes several tasks of a screened join */

/* Each set has a token of its own and one that all have, so any two of them qualify. */
static void no_part_of_a_long_list_is_lost(void **state)
{
    (void)state;
    static uint64_t offsets[MANY + 1];
    static uint32_t tokens[2 * MANY];
    akin_context context = {.scope = {.context = &context, .threads = 2}, .wishes = &all_rows};
    akin_sets *sets = NULL;
    for (uint32_t row = 0; row < MANY; row++) {
        offsets[row + 1] = offsets[row] + 2;
        tokens[2 * row] = row;
        tokens[2 * row + 1] = MANY;
    }
    assert_int_equal(akin_sets_from_arrays(&context, MANY, offsets, tokens, &sets, NULL), AKIN_OK);
    const akin_technique techniques[] = {AKIN_ALLPAIRS, AKIN_PPJOIN, AKIN_GROUPJOIN, AKIN_BITMAP, AKIN_SCREENED};
    for (size_t i = 0; i < sizeof techniques / sizeof *techniques; i++) {
        akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
        uint64_t count = 0;
        options.measure = AKIN_JACCARD;
        options.threshold = (akin_ratio){1, 3};
        options.technique = techniques[i];
        assert_int_equal(akin_join(&context, sets, NULL, &options, NULL, NULL, &count, NULL, NULL), AKIN_OK);
        assert_int_equal(count, MANY * (MANY - 1) / 2);
        assert_int_equal(akin_join(&context, sets, sets, &options, NULL, NULL, &count, NULL, NULL), AKIN_OK);
        assert_int_equal(count, MANY * MANY);
    }
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_leave_what_they_should),
        cmocka_unit_test(no_part_of_a_long_list_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
