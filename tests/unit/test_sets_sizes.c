/* Sizes of sets and lengths of strings alone: against the sets themselves, and against code points one by one. */
#include "base/context.h"
#include "test_text_columns.h"

#include "text/fold.h"

#define SUMS 16 /* of folds */

/* A column of random strings, with nulls. */
static builder random_column(akin_random *random, uint32_t rows)
{
    builder b = {0};
    for (uint32_t row = 0; row < rows; row++) {
        text t = random_text(random, 40);
        if (akin_random_below(random, 9) == 0)
            builder_null(&b);
        else
            builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    return b;
}

/* The same strings, each folded alone. */
static builder fold_each(const builder *from, uint32_t folds)
{
    akin_folder folder;
    builder b = {0};
    akin_folder_begin(&folder, NULL, folds);
    for (uint32_t row = 0; row < from->rows; row++) {
        if (!(from->validity[row / 8] >> row % 8 & 1)) {
            builder_null(&b);
            continue;
        }
        assert_int_equal(akin_folder_take(&folder, from->bytes.bytes + from->offsets[row],
                                          from->offsets[row + 1] - from->offsets[row]),
                         AKIN_OK);
        builder_add(&b, folder.text, folder.length);
    }
    akin_folder_clear(&folder);
    return b;
}

static uint32_t points_of(const builder *b, uint32_t row)
{
    uint32_t count = 0;
    if (!(b->validity[row / 8] >> row % 8 & 1))
        return 0;
    for (uint64_t at = b->offsets[row]; at < b->offsets[row + 1]; count++) {
        int32_t point;
        at += (uint64_t)utf8proc_iterate((const utf8proc_uint8_t *)b->bytes.bytes + at,
                                         (utf8proc_ssize_t)(b->offsets[row + 1] - at), &point);
    }
    return count;
}

/* With every sum of folds: the lengths of the folded strings, and the numbers of their characters as tokens. */
static void test_folds(void **state)
{
    akin_random random;
    uint32_t sizes[200], lengths[200];
    (void)state;
    akin_random_seed(&random, 3);
    for (uint32_t folds = 0; folds < SUMS; folds++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            akin_context context = context_of(&context, threads);
            akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
            akin_error error;
            builder b = random_column(&random, 200), folded = folds ? fold_each(&b, folds) : b;
            const akin_column column = builder_column(&b, "text"), folded_column = builder_column(&folded, "text");
            akin_sets *sets = NULL;
            assert_int_equal(akin_strings_lengths(&context, &column, 200, folds, lengths, &error), AKIN_OK);
            for (uint32_t row = 0; row < 200; row++)
                assert_int_equal(lengths[row], points_of(&folded, row));
            options.tokens = AKIN_TOKENS_QGRAMS;
            options.q = 1;
            for (options.multiset = 0; options.multiset <= 1; options.multiset++) {
                assert_int_equal(akin_sets_sizes(&context, &column, 1, 200, &options, folds, sizes, &error), AKIN_OK);
                assert_int_equal(
                    akin_sets_from_columns(&context, &folded_column, 1, 200, &options, NULL, &sets, &error), AKIN_OK);
                for (uint32_t row = 0; row < 200; row++) {
                    assert_int_equal(sizes[row], akin_sets_row(sets, row, NULL));
                    if (folds && options.multiset) /* which makes the normal form C */
                        assert_int_equal(sizes[row], lengths[row]);
                }
                akin_sets_free(sets);
            }
            if (folds)
                builder_clear(&folded);
            builder_clear(&b);
        }
}

/* Stop words of any length are left out, of sets and of multisets, in rows with few tokens and with many. */
static void test_stop_words(void **state)
{
    static const char *const stops[] = {"w1", "averyveryverylongword", "w77"};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 4);
    for (int multiset = 0; multiset <= 1; multiset++) {
        akin_context context = context_of(&context, 2);
        akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
        akin_error error;
        akin_sets *sets = NULL;
        builder b = {0};
        for (uint32_t row = 0; row < 300; row++) {
            text t = {0};
            text_add(&t, "", 0);
            for (uint64_t words = row % 50 ? row % 7 : 5000; words > 0; words--) {
                text_add_string(&t, words % 5 ? "w" : "averyveryverylongword averyveryverylongword");
                text_add_number(&t, akin_random_below(&random, row % 50 ? 3 : 3000));
                text_add_string(&t, " ");
            }
            builder_add(&b, t.bytes, t.length);
            text_clear(&t);
        }
        const akin_column column = builder_column(&b, "text");
        uint32_t sizes[300];
        options.multiset = multiset;
        options.stop_words = stops;
        options.stop_word_count = 3;
        assert_int_equal(akin_sets_sizes(&context, &column, 1, 300, &options, 0, sizes, &error), AKIN_OK);
        assert_int_equal(akin_sets_from_columns(&context, &column, 1, 300, &options, NULL, &sets, &error), AKIN_OK);
        for (uint32_t row = 0; row < 300; row++)
            assert_int_equal(sizes[row], akin_sets_row(sets, row, NULL));
        akin_sets_free(sets);
        builder_clear(&b);
    }
}

/* Long rows that do not fit under the bound for all threads at once, but one by one; and one that does not. */
static void test_memory(void **state)
{
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    akin_context context = context_of(&context, 4);
    akin_error error;
    uint32_t sizes[8];
    builder b = {0};
    (void)state;
    for (uint32_t row = 0; row < 8; row++) {
        text t = {0};
        for (uint32_t i = 0; i < (row == 7 ? 900000 : 100000); i++) {
            text_add_number(&t, row * UINT64_C(1000000) + i);
            text_add_string(&t, " ");
        }
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    const akin_column column = builder_column(&b, "text");
    context.scope.memory = UINT64_C(16) << 20;
    assert_int_equal(akin_sets_sizes(&context, &column, 1, 7, &options, 0, sizes, &error), AKIN_OK);
    for (uint32_t row = 0; row < 7; row++)
        assert_int_equal(sizes[row], 100000);
    assert_int_equal(akin_sets_sizes(&context, &column, 1, 8, &options, 0, sizes, &error), AKIN_E_NOMEM);
    assert_int_equal(error.reason, AKIN_REASON_MEMORY_BOUND);
    assert_int_equal(error.row, 7);
    assert_string_equal(error.message, "row 7: a memory bound of 16 MiB is too small for the tokens of 7200000 bytes");
    builder_clear(&b);
}

static int stop_at(void *user)
{
    return (*(int *)user)-- <= 0;
}

static void test_refusals(void **state)
{
    static const char *const strings[] = {"fine", NULL, "\xc3\xa9 caf\xe9", "never", "\xff"};
    builder b = builder_of(strings, 5);
    const akin_column column = builder_column(&b, "text");
    akin_context context = context_of(&context, 2);
    akin_error error;
    uint32_t lengths[5];
    int left = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        const uint32_t folds = i ? AKIN_FOLD_ACCENTS : 0;
        assert_int_equal(akin_strings_lengths(&context, &column, 5, folds, lengths, &error), AKIN_E_INPUT);
        assert_string_equal(error.message, "text: row 2 is not UTF-8");
        assert_int_equal(akin_sets_sizes(&context, &column, 1, 5, NULL, folds, lengths, &error), AKIN_E_INPUT);
        assert_string_equal(error.message, "row 2, column 'text': the text is not valid UTF-8");
    }
    assert_int_equal(akin_strings_lengths(&context, &column, 2, 16, lengths, &error), AKIN_E_OPTION);
    assert_int_equal(akin_sets_sizes(&context, &column, 1, 2, NULL, 16, lengths, &error), AKIN_E_OPTION);
    assert_int_equal(akin_strings_lengths(&context, &column, 0, 0, lengths, &error), AKIN_OK);
    assert_int_equal(akin_sets_sizes(&context, &column, 1, 0, NULL, 0, lengths, &error), AKIN_OK);
    context.scope.reporter.cancel = stop_at;
    context.scope.reporter.user = &left;
    assert_int_equal(akin_strings_lengths(&context, &column, 2, 0, lengths, &error), AKIN_E_CANCELLED);
    assert_int_equal(akin_sets_sizes(&context, &column, 1, 2, NULL, 0, lengths, &error), AKIN_E_CANCELLED);
    builder_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folds), cmocka_unit_test(test_stop_words),
                                       cmocka_unit_test(test_memory), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
