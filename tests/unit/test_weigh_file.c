/* Saved term weights: opened as they were, and refused when a bit of them is another. */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include "test_weigh_support.h"

#include "base/memory.h"
#include "test_base_files.h"
#include "weigh/weights.h"

#include <xxhash.h>

static akin_context context = {.threads = 2, .temporary = scratch};

static akin_weights *weigh(akin_weights_order order)
{
    static const char *const strings[] = {"to be or not to be", NULL, "to do is to be", ""};
    static const char *const stops[] = {"or"};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_text_options how = AKIN_TEXT_OPTIONS_INIT;
    akin_weights *weights = NULL;
    akin_error error;
    builder b = builder_of(strings, 4);
    akin_column column = builder_column(&b, "text");
    how.stop_words = stops;
    how.stop_word_count = 1;
    options.text = &how;
    options.stem = "english";
    options.order = order;
    context.cpu = akin_cpu_detect();
    assert_int_equal(akin_weigh(&context, &column, 1, 4, &options, &weights, &error), AKIN_OK);
    builder_clear(&b);
    return weights;
}

static void save(const akin_weights *weights, const akin_column *names, akin_weights_format format, const char *path)
{
    akin_output *output;
    akin_error error;
    assert_int_equal(akin_output_open(&context, path, &output, &error), AKIN_OK);
    if (akin_weights_write(&context, weights, names, format, output, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
}

static void assert_same(const akin_weights *a, const akin_weights *b)
{
    akin_weights_statistics s = {.size = sizeof s}, t = s;
    assert_int_equal(akin_weights_describe(a, &s, NULL), AKIN_OK);
    assert_int_equal(akin_weights_describe(b, &t, NULL), AKIN_OK);
    assert_memory_equal(&s, &t, sizeof s);
    for (uint32_t i = 0; i < s.ids; i++) {
        const char *bytes, *others;
        size_t length, other;
        akin_weights_term(a, i, &bytes, &length);
        akin_weights_term(b, i, &others, &other);
        assert_int_equal(length, other);
        assert_memory_equal(bytes, others, length);
        assert_int_equal(akin_weights_df(a, i), akin_weights_df(b, i));
    }
    for (uint32_t i = 0; i < akin_weights_lists(a); i++) {
        const uint32_t *ids[2], *tf[2];
        const double *values[2];
        uint32_t count = akin_weights_list(a, i, &ids[0], &tf[0], &values[0]);
        assert_int_equal(akin_weights_list(b, i, &ids[1], &tf[1], &values[1]), count);
        assert_memory_equal(ids[0], ids[1], count * sizeof *ids[0]);
        assert_memory_equal(tf[0], tf[1], count * sizeof *tf[0]);
        assert_memory_equal(values[0], values[1], count * sizeof *values[0]);
    }
    for (uint32_t i = 0; i < s.documents; i++)
        assert_int_equal(akin_weights_length(a, i), akin_weights_length(b, i));
    assert_string_equal(a->analysis->stem, b->analysis->stem);
    assert_int_equal(a->analysis->stop_count, b->analysis->stop_count);
}

static void test_saved(void **state)
{
    static const char *const called[] = {"first", "none", "second", "last"};
    builder b = builder_of(called, 4);
    akin_column names = builder_column(&b, "id");
    (void)state;
    for (int order = AKIN_WEIGHTS_BY_DOCUMENT; order <= AKIN_WEIGHTS_BY_TERM; order++) {
        akin_weights *weights = weigh((akin_weights_order)order), *opened = NULL;
        akin_error error;
        const char *bytes;
        size_t length;
        save(weights, order == AKIN_WEIGHTS_BY_TERM ? &names : NULL, AKIN_WEIGHTS_AKIN, scratch_path("w.akin"));
        if (akin_weights_open(&context, scratch_path("w.akin"), &opened, &error) != AKIN_OK)
            fail_msg("%s", error.message);
        assert_same(weights, opened);
        akin_weights_name(opened, 2, &bytes, &length);
        assert_int_equal(length, order == AKIN_WEIGHTS_BY_TERM ? 6 : 0);
        assert_memory_equal(bytes, "second", length);
        /* What was opened is written as the same bytes. */
        save(opened, order == AKIN_WEIGHTS_BY_TERM ? &names : NULL, AKIN_WEIGHTS_AKIN, scratch_path("again.akin"));
        akin_weights_free(opened);
        assert_int_equal(akin_weights_open(&context, scratch_path("again.akin"), &opened, &error), AKIN_OK);
        assert_same(weights, opened);
        akin_weights_free(opened);
        akin_weights_free(weights);
    }
    builder_clear(&b);
}

static text read_file(const char *path)
{
    text t = {0};
    char some[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(some, 1, sizeof some, file)) > 0;)
        text_add(&t, some, got);
    fclose(file);
    return t;
}

/* Every bit of a file: what is not as it was written is refused. */
static void test_flipped(void **state)
{
    akin_weights *weights = weigh(AKIN_WEIGHTS_BY_DOCUMENT);
    (void)state;
    save(weights, NULL, AKIN_WEIGHTS_AKIN, scratch_path("w.akin"));
    akin_weights_free(weights);
    text t = read_file(scratch_path("w.akin"));
    for (size_t bit = 0; bit < t.length * 8; bit++) {
        akin_weights *opened = NULL;
        akin_error error;
        char *image = akin_alloc(NULL, t.length, 1);
        assert_non_null(image);
        memcpy(image, t.bytes, t.length);
        image[bit / 8] = (char)(image[bit / 8] ^ (1 << bit % 8));
        akin_bulk bulk = akin_bulk_adopt(image);
        assert_int_equal(akin_weights_parse(&context, "w", &bulk, t.length, &opened, &error), AKIN_E_INPUT);
        akin_bulk_clear(&bulk);
    }
    text_clear(&t);
}

/* Matrix Market and TSV, byte by byte. */
static void test_text(void **state)
{
    static const char *const called[] = {"first", "none", "second", "last"};
    builder b = builder_of(called, 4);
    akin_column names = builder_column(&b, "id");
    akin_weights *weights = weigh(AKIN_WEIGHTS_BY_DOCUMENT);
    (void)state;
    save(weights, NULL, AKIN_WEIGHTS_MTX, scratch_path("w.mtx"));
    text t = read_file(scratch_path("w.mtx"));
    assert_true(t.bytes && strstr(t.bytes, "%%MatrixMarket matrix coordinate real general\n4 5 7\n1 1 "));
    text_clear(&t);
    save(weights, &names, AKIN_WEIGHTS_TSV, scratch_path("w.tsv"));
    t = read_file(scratch_path("w.tsv"));
    assert_true(t.bytes && strstr(t.bytes, "document\tterm\ttf\tweight\nfirst\tto\t2\t"));
    assert_true(t.bytes && strstr(t.bytes, "\nsecond\tis\t1\t"));
    text_clear(&t);
    akin_weights_free(weights);
    builder_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
