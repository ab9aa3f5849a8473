/* Term weights while memory runs out: every allocation of weighing, saving and opening fails once, alone and with all
 * that follow. Leaks show under the address sanitizer. */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_base_cancel.h"
#include "test_base_failing.h"
#include "test_base_files.h"
#include "test_weigh_support.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* Weighs, saves and opens again. */
static akin_status weigh(const akin_column *column, uint32_t rows, const akin_weigh_options *options, akin_error *error)
{
    akin_weights *weights = NULL, *opened = NULL;
    akin_output *output = NULL;
    double sum;
    akin_status status = akin_weigh(&context, column, 1, rows, options, &weights, error);
    if (status == AKIN_OK)
        status = akin_weights_sum(&context, weights, &sum, error);
    if (options->corpus) { /* such weights have no file */
        akin_weights_free(weights);
        return status;
    }
    if (status == AKIN_OK)
        status = akin_output_open(&context, scratch_path("w.akin"), &output, error);
    if (status == AKIN_OK)
        status = akin_weights_write(&context, weights, NULL, AKIN_WEIGHTS_AKIN, output, error);
    if (status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    if (status == AKIN_OK)
        status = akin_weights_open(&context, scratch_path("w.akin"), &opened, error);
    akin_weights_free(opened);
    akin_weights_free(weights);
    return status;
}

static void fail_all(const akin_column *column, uint32_t rows, const akin_weigh_options *options)
{
    akin_error cancelled;
    context.scope.memory = 0;
    CANCEL_EACH(&context, cancelled, weigh(column, rows, options, &cancelled));
    for (int once = 0; once < 4; once++) {
        context.scope.memory = once < 2 ? 0 : 1 << 17; /* with a bound that small, arrays are in temporary files */
        context.temporary = scratch;
        for (unsigned n = 0;; n++) {
            akin_error error;
            begin_failing(n, once % 2);
            akin_status status = weigh(column, rows, options, &error);
            armed = 0;
            if (failed == 0) {
                assert_true(status == AKIN_OK || (context.scope.memory && status == AKIN_E_NOMEM));
                assert_true(n > 10);
                break;
            }
            if (status != AKIN_OK) {
                assert_int_equal(status, AKIN_E_NOMEM);
                assert_int_equal(error.code, AKIN_E_NOMEM);
                assert_non_null(strstr(error.message, "memory"));
                assert_int_equal(error.reason, AKIN_REASON_MEMORY);
            }
        }
    }
}

static void test_weigh(void **state)
{
    enum { TEXTS = 30 };
    akin_random random;
    builder b = {0};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_text_options how = AKIN_TEXT_OPTIONS_INIT;
    static const char *const stops[] = {"w0", "w1", "w2"};
    static const char *const words[] = {"w1", "w5", "w7", "w9"};
    akin_trie *trie = NULL;
    (void)state;
    akin_random_seed(&random, 3);
    for (int i = 0; i < TEXTS; i++) {
        text t = random_words(&random, 40, 3000);
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    akin_column column = builder_column(&b, "text");
    fail_all(&column, TEXTS, &options);
    how.stop_words = stops;
    how.stop_word_count = 3;
    options.text = &how;
    options.stem = "english";
    options.order = AKIN_WEIGHTS_BY_TERM;
    fail_all(&column, TEXTS, &options);
    builder own = builder_of(words, 4);
    akin_column list = builder_column(&own, NULL);
    context.scope.memory = 0;
    assert_int_equal(akin_trie_build(&context, &list, 4, NULL, &trie, NULL), AKIN_OK);
    options.dictionary = trie;
    fail_all(&column, TEXTS, &options);
    const uint32_t df[] = {TEXTS, TEXTS, TEXTS, TEXTS, TEXTS};
    builder_add(&own, "", 0); /* all other words */
    const akin_column terms = builder_column(&own, NULL);
    options.corpus = &(akin_corpus){sizeof(akin_corpus), UINT64_MAX, TEXTS, 5, &terms, df};
    fail_all(&column, TEXTS, &options);
    akin_trie_free(trie);
    builder_clear(&own);
    builder_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weigh)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
