/* Finding duplicates while memory runs out: every allocation fails once, alone and with all that follow. Leaks show
 * under the address sanitizer. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/context.h"
#include "unit/test_ratio.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static const char names[] = "mary annmary anna\xce\xb1\xce\xb2jonathan";
static const char numbers[] = "12no1314";
static const uint64_t at_names[] = {0, 8, 17, 17, 21, 29}, at_numbers[] = {0, 2, 4, 4, 6, 8};
static const akin_column columns[] = {{sizeof(akin_column), "name", at_names, names, NULL, 0, NULL, 0, 0},
                                      {sizeof(akin_column), "number", at_numbers, numbers, NULL, 0, NULL, 0, 0}};

static int count_pairs(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)pairs, (void)each;
    *(size_t *)user += count;
    return 0;
}

static const akin_synonyms *synonyms[3]; /* of the same columns as folds */

static akin_status find(const uint32_t *folds, size_t *found, akin_error *error)
{
    static akin_compare_options by[] = {AKIN_COMPARE_OPTIONS_INIT, AKIN_COMPARE_OPTIONS_INIT, AKIN_COMPARE_OPTIONS_INIT,
                                        AKIN_COMPARE_OPTIONS_INIT, AKIN_COMPARE_OPTIONS_INIT};
    by[0].comparator = AKIN_JARO_WINKLER;
    by[1].comparator = AKIN_NUMBER;
    by[2].comparator = AKIN_TOKEN_SETS;
    by[3].comparator = AKIN_TFIDF;
    by[4].comparator = AKIN_CODES;
    static const uint32_t both[] = {0, 1};
    const akin_combined combined = {both, 2, 0};
    const akin_attribute attributes[] = {
        {0, 0, &by[0], {1, 2}, {1, 1}},  {1, 0, &by[1], {0, 1}, {1, 2}},  {2, 0, &by[2], {0, 1}, {1, 10}},
        {0, 0, &by[3], {0, 1}, {1, 10}}, {1, 0, &by[4], {0, 1}, {1, 10}},
    };
    const akin_key_part parts[] = {{.column = 0, .key = AKIN_KEY_VALUE},
                                   {.column = 0, .key = AKIN_KEY_SOUNDEX},
                                   {.column = 1, .key = AKIN_KEY_SIMPLE}};
    const akin_selection selections[] = {
        {.kind = AKIN_SELECT_WINDOW, .window = 2, .parts = parts, .part_count = 1},
        {.kind = AKIN_SELECT_BLOCK, .parts = parts + 1, .part_count = 2},
        {.kind = AKIN_SELECT_SIMILAR, .parts = parts, .part_count = 1, .measure = AKIN_DICE, .cutoff = {1, 2}},
        {.kind = AKIN_SELECT_NEAREST, .nearest = 2, .parts = parts, .part_count = 1},
        {.kind = AKIN_SELECT_GIVEN},
        {.kind = AKIN_SELECT_ALL}};
    static const uint32_t lefts[] = {4, 0, 2}, rights[] = {0, 4, 1};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    options.given_left = lefts;
    options.given_right = rights;
    options.given_count = 3;
    options.selections = selections;
    options.selection_count = sizeof selections / sizeof *selections;
    options.attributes = attributes;
    options.attribute_count = 5;
    options.threshold = ratio_of(0.5);
    options.missing = AKIN_MISSING_SKIP;
    options.folds = folds;
    options.synonyms = folds ? synonyms : NULL;
    options.one_to_one = folds != NULL;
    options.combined = &combined;
    options.combined_count = 1;
    *found = 0;
    return akin_dedupe(&context, columns, 5, NULL, 0, 2, &options, count_pairs, found, NULL, NULL, error);
}

static void fail_each(const uint32_t *folds)
{
    akin_error error;
    size_t expected, found;
    assert_int_equal(find(folds, &expected, &error), AKIN_OK);
    assert_true(expected > 0);
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0;; n++) {
            begin_failing(n, alone);
            akin_status status = find(folds, &found, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
            if (failed)
                continue;
            assert_int_equal(found, expected);
            assert_true(n > 20);
            break;
        }
}

static void every_allocation(void **state)
{
    static const uint32_t folds[] = {AKIN_FOLD_ALL, AKIN_FOLD_BLANKS, AKIN_FOLD_CASE};
    static const char text[] = "anna,ann\nsmith,smyth,black smith";
    akin_synonyms *equal = NULL;
    (void)state;
    assert_int_equal(akin_synonyms_create(&equal, NULL), AKIN_OK);
    assert_int_equal(akin_synonyms_add(equal, "text", text, sizeof text - 1, NULL), AKIN_OK);
    synonyms[0] = synonyms[2] = equal;
    fail_each(NULL);
    fail_each(folds);
    akin_synonyms_free(equal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
