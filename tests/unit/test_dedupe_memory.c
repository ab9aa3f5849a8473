/* Records compared under a memory bound, where a job within the job makes sets of tokens and joins them: the same
 * pairs, and the heap stays within the share of the job. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/budget.h"
#include "base/random.h"
#include "unit/test_base_files.h"
#include "unit/test_base_heap.h"
#include "unit/test_lines.h"
#include "unit/test_ratio.h"

#define MIB     ((uint64_t)1 << 20)
#define ROWS    120000
#define ALIKE   30 /* records that share most words */
#define WORDS   12
#define WITHOUT (MIB / 2) /* bytes that no account has: stacks, buffers of files */

typedef struct outcome {
    uint64_t pairs, count, selected; /* pairs: a hash */
    int64_t peak;
} outcome;

static lines titles, numbers;

static void make_records(void)
{
    akin_random random;
    uint32_t words[WORDS];
    akin_random_seed(&random, 5);
    lines_begin(&titles, ROWS);
    lines_begin(&numbers, ROWS);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (int i = 0; i < WORDS - 2 && row % ALIKE == 0; i++)
            words[i] = (uint32_t)akin_random_below(&random, 30000);
        if (row % 50 > 0 || row % ALIKE == 0) { /* else it is the record before again */
            words[WORDS - 2] = (uint32_t)akin_random_below(&random, 30000);
            words[WORDS - 1] = 100000 + row;
        }
        for (int i = 0; i < WORDS; i++)
            fprintf(titles.out, "%sword%u", i ? " " : "", words[i]);
        lines_end_row(&titles);
        fprintf(numbers.out, "%u", (uint32_t)akin_random_below(&random, 40));
        lines_end_row(&numbers);
    }
}

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    outcome *o = user;
    (void)each;
    for (size_t i = 0; i < count; i++)
        o->pairs = (o->pairs ^ pairs[i].left ^ (uint64_t)pairs[i].right << 32) * UINT64_C(0x100000001b3);
    return 0;
}

/* Pairs of titles that are alike, of which those are found that have the same number, or alike titles by weight. */
static outcome run(uint64_t memory, const char *comparator, uint32_t column)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = akin_cpu_detect(), .memory = memory},
                            .cpu_best = akin_cpu_detect(),
                            .temporary = scratch};
    const akin_column columns[] = {lines_column(&titles), lines_column(&numbers)};
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    assert_int_equal(akin_compare_options_parse(comparator, &compare, NULL), AKIN_OK);
    const akin_attribute attribute = {
        .column = column, .compare = &compare, .threshold = ratio_of(0.9), .weight = ratio_of(1)};
    const akin_key_part part = {.column = 0};
    const akin_selection selection = {
        .kind = AKIN_SELECT_SIMILAR, .parts = &part, .part_count = 1, .measure = AKIN_JACCARD, .cutoff = {1, 2}};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    akin_dedupe_report report = {.size = sizeof report};
    akin_error error;
    outcome o = {0};
    options.attributes = &attribute;
    options.attribute_count = options.selection_count = 1;
    options.selections = &selection;
    options.threshold = ratio_of(0.9);
    atomic_store(&held, 0);
    atomic_store(&peak, 0);
    if (akin_dedupe(&context, columns, ROWS, NULL, 0, 2, &options, take, &o, &o.count, &report, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    o.selected = report.pairs_selected;
    o.peak = atomic_load(&peak);
    assert_int_equal(atomic_load(&held), 0);
    return o;
}

static void check_bounds(const char *comparator, uint32_t column)
{
    const outcome whole = run(0, comparator, column);
    assert_true(whole.count > 1000 && whole.selected > 1000000);
    for (uint64_t memory = 40 * MIB; memory <= 56 * MIB; memory += 16 * MIB) {
        const outcome bounded = run(memory, comparator, column);
        assert_int_equal(bounded.count, whole.count);
        assert_int_equal(bounded.pairs, whole.pairs);
        assert_int_equal(bounded.selected, whole.selected);
        if (bounded.peak > (int64_t)(memory / 8 * 5 + WITHOUT))
            fail_msg("%lld bytes of heap with a bound of %llu", (long long)bounded.peak, (unsigned long long)memory);
    }
}

static void selected_by_similarity(void **state)
{
    (void)state;
    check_bounds("exact", 1);
}

static void weighed_tokens(void **state)
{
    (void)state;
    check_bounds("tfidf", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(selected_by_similarity), cmocka_unit_test(weighed_tokens)};
    make_records();
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
