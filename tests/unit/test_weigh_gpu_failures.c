/*
 * akin_weigh on a GPU that the host plays, while it fails. The test lets each call of the device and each allocation
 * fail, of its memory as of the heap, alone and with all that follow, and it cancels at each check. The job returns an
 * error of that kind, or the same weights where there was another way. Nothing of the device's memory is left, which
 * every job looks at. Leaks of the heap show under the address sanitizer.
 */
#define _POSIX_C_SOURCE 200809L

#include "annex.h"
#include "unit/test_base_failing.h"
#include "unit/test_base_cancel.h"
#include "unit/test_weigh_support.h"

#include "base/context.h"
#include "device/devices.h"
#include "property/host_weigh.h"

/* What is weighed. */
typedef struct subject {
    const char *name, *stem;
    uint64_t limit; /* of the device's memory */
    double sum;     /* of the weights */
    uint64_t pairs;
    akin_text_counts counts;
    int texts, words, longs, sorted;
    akin_tokens tokens; /* 0: words */
    akin_weigh_technique technique;
} subject;

static subject subjects[] = {
    {.name = "plain", .texts = 20, .words = 60},
    {.name = "stemmed", .texts = 20, .words = 60, .stem = "english"},
    {.name = "long words", .texts = 4, .words = 10, .longs = 2},
    {.name = "parts", .texts = 40, .words = 60, .limit = 160 << 10},
    {.name = "q-grams", .texts = 20, .words = 3, .tokens = AKIN_TOKENS_QGRAMS},
    {.name = "q-grams, parts", .texts = 200, .words = 3, .tokens = AKIN_TOKENS_QGRAMS, .limit = 160 << 10},
    {.name = "a document that is sorted", .texts = 2, .words = 40, .sorted = 1},
    {.name = "primitives", .texts = 20, .words = 60, .technique = AKIN_WEIGH_PRIMITIVES},
    {.name = "primitives, stemmed", .texts = 9, .words = 40, .stem = "english", .technique = AKIN_WEIGH_PRIMITIVES},
    {.name = "primitives, long words", .texts = 4, .words = 9, .longs = 2, .technique = AKIN_WEIGH_PRIMITIVES},
    {.name = "primitives, parts", .texts = 20, .words = 60, .limit = 104 << 10, .technique = AKIN_WEIGH_PRIMITIVES},
    {.name = "dictionary", .texts = 20, .words = 60, .technique = AKIN_WEIGH_DICTIONARY},
    {.name = "dictionary, long words", .texts = 4, .words = 9, .longs = 2, .technique = AKIN_WEIGH_DICTIONARY},
    {.name = "dictionary, parts", .texts = 20, .words = 60, .limit = 128 << 10, .technique = AKIN_WEIGH_DICTIONARY},
};
#define SUBJECTS (sizeof subjects / sizeof *subjects)

static builder make_texts(const subject *s)
{
    akin_random random;
    builder b = {0};
    akin_random_seed(&random, 11);
    for (int i = 0; i < s->texts; i++) {
        text t = random_words(&random, s->tokens && i % 3 ? 1 : (uint64_t)s->words, 500);
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    for (int i = 0; i < s->longs; i++) {
        char word[2000];
        memset(word, 'a' + i, sizeof word);
        builder_add(&b, word, sizeof word);
        builder_add(&b, "short", 5);
    }
    for (int i = 0; i < s->sorted; i++) {
        text t = {0};
        for (uint64_t word = 0; word < 13000; word++) {
            text_add_string(&t, " v");
            text_add_number(&t, word);
        }
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    return b;
}

/* Long q-grams, so that some of the texts have less than one. */
static akin_text_options text_of(const subject *s, akin_text_counts *counts)
{
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    text.tokens = s->tokens ? s->tokens : AKIN_TOKENS_WORDS;
    text.q = 10;
    text.counts = counts;
    return text;
}

static akin_status weigh(const subject *s, const akin_column *column, uint32_t rows, asking *a, akin_error *error)
{
    akin_context context = {.scope = {.context = &context,
                                      .threads = 1,
                                      .device_choice = AKIN_DEVICE_CUDA,
                                      .reporter = {.cancel = a ? asking_answer : NULL, .user = a}},
                            .annex = akin_papers(),
                            .backend = &host_backend};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights *weights = NULL;
    akin_weights_statistics about = {.size = sizeof about};
    double sum = 0;
    akin_text_counts counts = {0, 0};
    const akin_text_options text = text_of(s, &counts);
    options.text = &text;
    options.stem = s->stem;
    options.technique = s->technique;
    host_device_give(0, s->limit);
    akin_status status = akin_weigh(&context, column, 1, rows, &options, &weights, error);
    if (status == AKIN_OK)
        status = akin_weights_describe(weights, &about, error);
    if (status == AKIN_OK)
        status = akin_weights_sum(&context, weights, &sum, error);
    akin_weights_free(weights);
    assert_int_equal(host_device_holds(), 0);
    armed = 0;
    akin_devices_close(&context);
    if (status == AKIN_OK) {
        assert_memory_equal(&sum, &s->sum, sizeof sum);
        assert_int_equal(about.pairs, s->pairs);
        assert_int_equal(counts.texts, s->counts.texts);
        assert_int_equal(counts.brief, s->counts.brief);
    }
    return status;
}

/* What is expected, of the CPU. */
static void expect_sum(subject *s, const akin_column *column, uint32_t rows)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CPU}};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights *weights = NULL;
    akin_weights_statistics about = {.size = sizeof about};
    const akin_text_options text = text_of(s, &s->counts);
    options.text = &text;
    options.stem = s->stem;
    assert_int_equal(akin_weigh(&context, column, 1, rows, &options, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_weights_describe(weights, &about, NULL), AKIN_OK);
    assert_int_equal(akin_weights_sum(&context, weights, &s->sum, NULL), AKIN_OK);
    s->pairs = about.pairs;
    assert_true(s->tokens ? s->counts.brief > 0 && s->counts.brief < s->counts.texts : s->counts.texts == 0);
    akin_weights_free(weights);
}

static void fail_calls(const subject *s, const akin_column *column, uint32_t rows, akin_status status, int alone)
{
    for (uint64_t n = 1;; n += FAILING_STEP) {
        akin_error error = {.code = AKIN_OK};
        host_device_set(.failing = n, .status = status, .alone = alone);
        akin_status got = weigh(s, column, rows, NULL, &error);
        if (host_device.calls < n) {
            assert_int_equal(got, AKIN_OK);
            assert_true(n > 30);
            return;
        }
        if (got == AKIN_OK) /* memory was short for a part, and it was done in smaller ones, or by the host */
            assert_int_equal(status, AKIN_E_NOMEM);
        else {
            assert_int_equal(got, status);
            assert_string_equal(error.message, HOST_DEVICE_FAILED);
        }
    }
}

static void fail_allocations(const subject *s, const akin_column *column, uint32_t rows, int alone)
{
    for (unsigned n = 0;; n += FAILING_STEP) {
        akin_error error = {.code = AKIN_OK};
        host_device_set(.failing = 0);
        begin_failing(n, alone);
        akin_status status = weigh(s, column, rows, NULL, &error);
        armed = 0;
        if (failed == 0) {
            assert_int_equal(status, AKIN_OK);
            assert_true(n > 30);
            return;
        }
        if (status != AKIN_OK) {
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_non_null(strstr(error.message, "memory"));
        }
    }
}

static void cancel_always(const subject *s, const akin_column *column, uint32_t rows)
{
    host_device_set(.failing = 0);
    for (unsigned n = 1;; n++) {
        akin_error error = {.code = AKIN_OK};
        asking a = {.stop_at = n};
        akin_status status = weigh(s, column, rows, &a, &error);
        if (atomic_load(&a.asked) < n) {
            assert_int_equal(status, AKIN_OK);
            return;
        }
        assert_int_equal(status, AKIN_E_CANCELLED);
    }
}

static void test_failures(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUBJECTS; i++) {
        builder b = make_texts(&subjects[i]);
        const akin_column column = builder_column(&b, "text");
        expect_sum(&subjects[i], &column, b.rows);
        host_weigh = (host_weigh_state){0};
        host_device_set(.failing = 0);
        assert_int_equal(weigh(&subjects[i], &column, b.rows, NULL, NULL), AKIN_OK);
        assert_true(host_weigh.batches >= (subjects[i].limit ? 3 : 1)); /* it is done in parts where it should be */
        assert_int_equal(host_weigh.sorted, subjects[i].sorted);
        assert_int_equal(host_weigh.longs,
                         subjects[i].longs * (subjects[i].technique == AKIN_WEIGH_DICTIONARY ? 2 : 1));
        for (int alone = 0; alone < 2; alone++) {
            fail_calls(&subjects[i], &column, b.rows, AKIN_E_DEVICE, alone);
            fail_calls(&subjects[i], &column, b.rows, AKIN_E_NOMEM, alone);
            fail_allocations(&subjects[i], &column, b.rows, alone);
        }
        cancel_always(&subjects[i], &column, b.rows);
        builder_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
