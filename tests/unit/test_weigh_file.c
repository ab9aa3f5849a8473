/* Saved term weights: opened as they were, and refused when a bit of them is another, or what they say is not so. */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include "base/context.h"
#include "test_weigh_support.h"

#include "base/memory.h"
#include "test_base_saved.h"
#include "weigh/file.h"

#include <xxhash.h>

static akin_context context = {.scope = {.context = &context, .threads = 2}, .temporary = scratch};

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
    context.scope.cpu = akin_cpu_detect();
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

/* Beyond the last of each there is nothing. */
static void assert_ends(const akin_weights *w, const akin_weights_statistics *s)
{
    const uint32_t beyond[][2] = {{s->documents, s->ids}, {s->documents + 100, s->ids + 100}, {UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        const uint32_t document = beyond[i][0], id = beyond[i][1];
        const uint32_t *ids;
        const char *bytes;
        size_t length;
        assert_int_equal(akin_weights_list(w, s->order == AKIN_WEIGHTS_BY_TERM ? id : document, &ids, NULL, NULL), 0);
        akin_weights_term(w, id, &bytes, &length);
        assert_int_equal(length, 0);
        akin_weights_name(w, document, &bytes, &length);
        assert_int_equal(length, 0);
        assert_int_equal(akin_weights_df(w, id), 0);
        assert_int_equal(akin_weights_length(w, document), 0);
    }
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
    assert_ends(a, &s);
    assert_ends(b, &s);
    assert_string_equal(a->analysis->stem, b->analysis->stem);
    assert_int_equal(a->analysis->stop_count, b->analysis->stop_count);
}

static void test_saved(void **state)
{
    static const char *const called[] = {"first", "none", "second", "last"};
    builder b = builder_of(called, 4);
    akin_column names = builder_column(&b, "id");
    const akin_choice *row;
    (void)state;
    for (uint32_t o = 0; (row = akin_choices("weight-orders", o)); o++) {
        const akin_weights_order order = (akin_weights_order)row->value;
        akin_weights *weights = weigh(order), *opened = NULL;
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

/* Every bit of a file: a file with a change is refused. */
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
        assert_int_equal(akin_weights_parse(akin_scope_of(&context), "w", &bulk, t.length, &opened, &error),
                         AKIN_E_INPUT);
        akin_bulk_clear(&bulk);
    }
    text_clear(&t);
}

/* ----------------------------------------------------------------------------- what no checksum finds out */

/* The sections, and where the numbers of the first one are: docs/container.md. */
enum {
    NUMBERS,
    OFFSETS,
    IDS,
    TF,
    VALUES,
    LENGTHS,
    DF,
    TERM_OFFSETS,
    TERM_BYTES,
    ANALYSIS,
    NAME_OFFSETS,
    SECTIONS = 12
};
enum { ORDER = 0, FORMULA = 4, TERMS = 16, SHARED = 20, WORDS = 24, PAIRS = 32, K1 = 40, DELTA = 56 };

/* A number in place of what is at a byte of a section, or, with `length`, another length of it. */
typedef struct change {
    uint32_t section;
    uint32_t at;
    enum { IS_32, IS_64, IS_DOUBLE, IS_LENGTH } kind;
    double number;
    const char *why;
} change;

static void apply(saved *s, const change *c)
{
    const uint32_t small = c->kind == IS_32 ? (uint32_t)c->number : 0;
    const uint64_t large = c->kind == IS_64 ? (uint64_t)c->number : 0;
    char *at = (char *)s->data[c->section] + c->at;
    if (c->kind == IS_32)
        memcpy(at, &small, sizeof small);
    else if (c->kind == IS_64)
        memcpy(at, &large, sizeof large);
    else if (c->kind == IS_DOUBLE)
        memcpy(at, &c->number, sizeof c->number);
    else
        saved_resize(s, c->section, (uint64_t)((int64_t)s->lengths[c->section] + (int64_t)c->number));
}

/* Both orders: 4 documents, 5 terms, 7 pairs, 3 of them in the first list. */
static void test_altered(void **state)
{
    static const char numbers[] = "its numbers are not those of term weights",
                      sizes[] = "the sizes of its parts are not those of term weights",
                      lists[] = "its lists are not those of term weights",
                      counts[] = "its counts are not those of term weights",
                      names[] = "its terms or names are not those of term weights",
                      unknown[] = "how its text was cut is nothing that this version of akin knows",
                      stops[] = "its stop words are damaged";
    static const change changes[] = {
        {NUMBERS, 0, IS_LENGTH, 8, numbers},
        {NUMBERS, ORDER, IS_32, 3, numbers},
        {NUMBERS, FORMULA, IS_32, 99, numbers},
        {NUMBERS, TERMS, IS_32, 6, numbers},
        {NUMBERS, SHARED, IS_32, 5, numbers},
        {NUMBERS, PAIRS, IS_64, 0x1p62, numbers},
        {NUMBERS, K1, IS_DOUBLE, NAN, numbers},
        {NUMBERS, DELTA, IS_DOUBLE, -1, numbers},
        {NUMBERS, PAIRS, IS_64, 6, sizes},
        {OFFSETS, 0, IS_LENGTH, 8, sizes},
        {IDS, 0, IS_LENGTH, 4, sizes},
        {TF, 0, IS_LENGTH, -4, sizes},
        {VALUES, 0, IS_LENGTH, 4, sizes},
        {LENGTHS, 0, IS_LENGTH, -1, sizes},
        {DF, 0, IS_LENGTH, 4, sizes},
        {TERM_OFFSETS, 0, IS_LENGTH, -8, sizes},
        {NAME_OFFSETS, 0, IS_LENGTH, 8, sizes},
        {OFFSETS, 0, IS_64, 1, lists},
        {OFFSETS, 8, IS_64, 8, lists},
        {IDS, 0, IS_32, 9, lists},
        {IDS, 6 * sizeof(uint32_t), IS_32, 9, lists},
        {TF, 0, IS_32, 0, counts},
        {TF, 0, IS_32, 3, counts},
        {VALUES, 0, IS_DOUBLE, INFINITY, counts},
        {LENGTHS, 0, IS_32, 9, counts},
        {DF, 0, IS_32, 4, counts},
        {NUMBERS, WORDS, IS_64, 9, counts},
        {NUMBERS, TERMS, IS_32, 4, counts},
        {TERM_OFFSETS, 0, IS_64, 1, names},
        {TERM_OFFSETS, 8, IS_64, 8, names},
        {TERM_BYTES, 0, IS_LENGTH, 1, names},
        {NAME_OFFSETS, 8, IS_64, 12, names},
        {NAME_OFFSETS, 32, IS_64, 99, names},
        {ANALYSIS, 0, IS_LENGTH, -40, "how its text was cut takes 14 bytes; expected 48 or more"},
        {ANALYSIS, 0, IS_32, 99, unknown},
        {ANALYSIS, 4, IS_32, 0, unknown},
        {ANALYSIS, 8, IS_32, 2, unknown},
        {ANALYSIS, 16, IS_32, 'q', "its words were stemmed by 'q', which this build of akin has not"},
        {ANALYSIS, 12, IS_32, 2, stops},
        {ANALYSIS, 48, IS_32, 3, stops},
        {ANALYSIS, 0, IS_LENGTH, 1, stops},
    };
    static const char *const called[] = {"first", "none", "second", "last"};
    builder b = builder_of(called, 4);
    akin_column column = builder_column(&b, "id");
    const akin_choice *row;
    (void)state;
    for (uint32_t o = 0; (row = akin_choices("weight-orders", o)); o++) {
        akin_weights *weights = weigh((akin_weights_order)row->value);
        save(weights, &column, AKIN_WEIGHTS_AKIN, scratch_path("good.akin"));
        akin_weights_free(weights);
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            const char *path = scratch_path("altered.akin");
            char expected[PATH_BYTES + 200];
            saved s = saved_read(&context, scratch_path("good.akin"), "weights", SECTIONS);
            akin_weights *opened = NULL;
            akin_error error;
            apply(&s, &changes[i]);
            saved_write(&context, &s, path);
            snprintf(expected, sizeof expected, "%s: %s", path, changes[i].why);
            assert_int_equal(akin_weights_open(&context, path, &opened, &error), AKIN_E_INPUT);
            assert_string_equal(error.message, expected);
            assert_null(opened);
        }
    }
    builder_clear(&b);
}

/* Opens weights, and looks at all that they say. */
static akin_status use_weights(akin_context *own, const char *path, akin_error *error)
{
    akin_weights_statistics about = {.size = sizeof about};
    akin_weights *weights = NULL;
    const char *text;
    size_t length;
    uint64_t bytes = 0;
    double sum;
    akin_status status = akin_weights_open(own, path, &weights, error);
    if (status != AKIN_OK)
        return status;
    assert_int_equal(akin_weights_describe(weights, &about, NULL), AKIN_OK);
    assert_true(about.terms <= about.ids && about.documents <= 9);
    for (uint32_t id = 0; id < about.ids; id++) {
        akin_weights_term(weights, id, &text, &length);
        bytes += length + akin_weights_df(weights, id);
    }
    for (uint32_t document = 0; document < about.documents; document++) {
        akin_weights_name(weights, document, &text, &length);
        bytes += length + akin_weights_length(weights, document);
    }
    assert_true(bytes > 0);
    status = akin_weights_sum(own, weights, &sum, NULL);
    assert_true(status == AKIN_OK || status == AKIN_E_INPUT);
    akin_weights_free(weights);
    return AKIN_OK;
}

static void test_changed(void **state)
{
    static const char *const called[] = {"first", "none", "second", "last"};
    builder b = builder_of(called, 4);
    akin_column column = builder_column(&b, "id");
    const akin_choice *row;
    (void)state;
    for (uint32_t o = 0; (row = akin_choices("weight-orders", o)); o++) {
        akin_weights *weights = weigh((akin_weights_order)row->value);
        save(weights, &column, AKIN_WEIGHTS_AKIN, scratch_path("good.akin"));
        akin_weights_free(weights);
        saved_change(&context, scratch_path("good.akin"), "weights", SECTIONS, use_weights);
    }
    builder_clear(&b);
}

/* Standard input is called by that name. */
static void test_standard_input(void **state)
{
    akin_weights *weights = weigh(AKIN_WEIGHTS_BY_TERM), *none = NULL;
    akin_error error;
    (void)state;
    save(weights, NULL, AKIN_WEIGHTS_AKIN, scratch_path("good.akin"));
    akin_weights_free(weights);
    saved s = saved_read(&context, scratch_path("good.akin"), "weights", SECTIONS);
    saved_resize(&s, DF, 0);
    saved_write(&context, &s, scratch_path("altered.akin"));
    assert_non_null(freopen(scratch_path("altered.akin"), "rb", stdin));
    assert_int_equal(akin_weights_open(&context, "-", &none, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "standard input: the sizes of its parts are not those of term weights");
    assert_null(none);
}

/* Weights in which two terms are the same can be looked at, but are no index. */
static void test_term_twice(void **state)
{
    akin_weights *weights = weigh(AKIN_WEIGHTS_BY_TERM);
    akin_rank_index *index = NULL;
    akin_error error;
    (void)state;
    save(weights, NULL, AKIN_WEIGHTS_AKIN, scratch_path("good.akin"));
    akin_weights_free(weights);
    saved s = saved_read(&context, scratch_path("good.akin"), "weights", SECTIONS);
    char *terms = s.data[TERM_BYTES];
    assert_memory_equal(terms, "tobe", 4);
    memcpy(terms, "bebe", 4);
    saved_write(&context, &s, scratch_path("twice.akin"));
    assert_int_equal(akin_weights_open(&context, scratch_path("twice.akin"), &weights, &error), AKIN_OK);
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "a term is there twice"));
    assert_null(index);
    akin_weights_free(weights);
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

/* What TSV cannot hold is refused before anything is written; CSV quotes it. */
static void test_quoted(void **state)
{
    static const char *const texts[] = {"a\tb", "\"x\",\n"}, *const called[] = {"one\n", "two"};
    builder b = builder_of(texts, 2), n = builder_of(called, 2);
    akin_column column = builder_column(&b, "text"), names = builder_column(&n, "id");
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_text_options text_options = AKIN_TEXT_OPTIONS_INIT;
    akin_weights *weights = NULL;
    akin_error error;
    (void)state;
    text_options.tokens = AKIN_TOKENS_QGRAMS;
    text_options.q = 9;
    options.text = &text_options;
    assert_int_equal(akin_weigh(&context, &column, 1, 2, &options, &weights, NULL), AKIN_OK);
    for (int way = 0; way < 3; way++) {
        akin_output *output = NULL;
        assert_int_equal(akin_output_open(&context, scratch_path("refused"), &output, NULL), AKIN_OK);
        akin_status status = way == 0 ? akin_weights_write(&context, weights, NULL, AKIN_WEIGHTS_TSV, output, &error)
                             : way == 1
                                 ? akin_weights_write_vocabulary(&context, weights, AKIN_WEIGHTS_TSV, output, &error)
                                 : akin_weights_write_vocabulary(&context, weights, AKIN_WEIGHTS_NPZ, output, &error);
        assert_int_equal(status, way == 2 ? AKIN_E_OPTION : AKIN_E_INPUT);
        assert_string_equal(error.message, way == 2
                                               ? "format 2 of a vocabulary: expected TSV or CSV"
                                               : "term 0 has a tab or a line end, which TSV cannot hold: expected CSV");
        akin_output_discard(output);
    }
    save(weights, &names, AKIN_WEIGHTS_CSV, scratch_path("w.csv"));
    text t = read_file(scratch_path("w.csv"));
    assert_true(t.bytes && strstr(t.bytes, "document,term,tf,weight\n\"one\n\",a\tb,1,0."));
    assert_true(t.bytes && strstr(t.bytes, "\ntwo,\"\"\"x\"\",\n\",1,0."));
    text_clear(&t);
    akin_weights_free(weights);
    builder_clear(&b);
    builder_clear(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saved),          cmocka_unit_test(test_flipped),    cmocka_unit_test(test_altered),
        cmocka_unit_test(test_standard_input), cmocka_unit_test(test_term_twice), cmocka_unit_test(test_text),
        cmocka_unit_test(test_quoted),         cmocka_unit_test(test_changed),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
