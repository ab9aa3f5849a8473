/*
 * akin_weigh on a GPU, by all of its techniques, against akin_weigh on the CPU, which tests/unit/test_weigh.c holds
 * against an oracle: everything that there is of the weights, byte for byte. Built with PROPERTY_HOST_GPU on one that
 * the host plays, with PROPERTY_DEVICE on a real one.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 60 if not given
 */
#define _GNU_SOURCE

#include "annex.h"
#include "unit/test_base_files.h"
#include "unit/test_weigh_support.h"

#include "base/context.h"
#include "device/devices.h"
#include "property/setting.h"
#include "weigh/weights.h"

#include <stdio.h>

#ifdef PROPERTY_HOST_GPU
#include "property/host_trie.h"
#include "property/host_weigh.h"
#else
#define HOST_DEVICE_FAILED ""
#endif

#define COLUMNS 3

/* --------------------------------------------------------------------------------------------------------- contexts */

static uint64_t bound; /* of the heap, for a GPU's job; 0: none */

#ifdef PROPERTY_HOST_GPU
static akin_context *create(uint32_t threads, int gpu, uint64_t limit)
{
    akin_context *context = calloc(1, sizeof *context);
    assert_non_null(context);
    *context = (akin_context){.scope = {.context = context,
                                        .threads = threads,
                                        .memory = gpu ? bound : 0,
                                        .device_choice = gpu ? AKIN_DEVICE_CUDA : AKIN_DEVICE_CPU},
                              .temporary = scratch,
                              .annex = akin_papers(),
                              .backend = &host_backend};
    host_device_set(.limit = gpu ? limit : 0);
    return context;
}

static void destroy(akin_context *context)
{
    assert_int_equal(host_device_holds(), 0);
    akin_devices_close(context);
    free(context);
}
#else
static akin_context *create(uint32_t threads, int gpu, uint64_t limit)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = threads;
    options.memory = gpu ? bound : 0;
    options.temporary = scratch;
    options.device = gpu ? PROPERTY_DEVICE : "cpu";
    options.device_memory = gpu ? limit : 0;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    assert_int_equal(akin_context_use(context, akin_papers(), NULL), AKIN_OK);
    return context;
}

static void destroy(akin_context *context)
{
    akin_context_free(context);
}
#endif

/* -------------------------------------------------------------------------------------------------------- questions */

typedef struct question {
    akin_column columns[COLUMNS];
    uint32_t column_count, rows;
    uint32_t parts; /* in which the rows come */
    akin_weigh_options options;
    akin_text_options text;
} question;

typedef struct answer {
    akin_status status;
    akin_error error;
    akin_text_counts counts;
    akin_weights *weights;
} answer;

static answer ask(akin_context *context, const question *q)
{
    answer a = {.status = AKIN_OK};
    akin_weigher *weigher = NULL;
    akin_column columns[COLUMNS];
    akin_weigh_options options = q->options;
    akin_text_options text = q->text;
    text.counts = &a.counts;
    options.text = options.text ? &text : NULL;
    a.status = akin_weigher_create(context, &options, &weigher, &a.error);
    for (uint32_t part = 0; part < q->parts && a.status == AKIN_OK; part++) {
        const uint32_t first = q->rows / q->parts * part / 8 * 8; /* validity is in bytes */
        const uint32_t end = part + 1 == q->parts ? q->rows : q->rows / q->parts * (part + 1) / 8 * 8;
        for (uint32_t c = 0; c < q->column_count; c++) {
            columns[c] = q->columns[c];
            columns[c].offsets += first;
            columns[c].validity = columns[c].validity ? columns[c].validity + first / 8 : NULL;
        }
        a.status = akin_weigher_add(weigher, columns, q->column_count, end - first, &a.error);
    }
    if (a.status == AKIN_OK)
        a.status = akin_weigher_finish(weigher, &a.weights, &a.error);
    akin_weigher_free(weigher);
    return a;
}

static void assert_bytes(const void *got, const void *expected, uint64_t bytes)
{
    if (bytes > 0)
        assert_memory_equal(got, expected, bytes);
}

static void assert_same(const answer *got, const answer *expected)
{
    assert_string_equal(got->status == AKIN_OK ? "" : got->error.message,
                        expected->status == AKIN_OK ? "" : expected->error.message);
    assert_int_equal(got->status, expected->status);
    if (expected->status != AKIN_OK)
        return;
    const akin_weights *g = got->weights, *e = expected->weights;
    assert_int_equal(got->counts.texts, expected->counts.texts);
    assert_int_equal(got->counts.brief, expected->counts.brief);
    assert_int_equal(g->documents, e->documents);
    assert_int_equal(g->ids_count, e->ids_count);
    assert_int_equal(g->words, e->words);
    assert_int_equal(g->pairs, e->pairs);
    assert_int_equal(g->terms, e->terms);
    assert_int_equal(g->shared, e->shared);
    for (uint32_t i = 0; i < e->ids_count; i++) {
        const char *bytes[2];
        size_t length[2];
        akin_weights_term(g, i, &bytes[0], &length[0]);
        akin_weights_term(e, i, &bytes[1], &length[1]);
        assert_int_equal(length[0], length[1]);
        assert_bytes(bytes[0], bytes[1], length[1]);
    }
    assert_bytes(g->offsets, e->offsets, ((uint64_t)akin_weights_lists(e) + 1) * sizeof *e->offsets);
    assert_bytes(g->lengths, e->lengths, e->documents * sizeof *e->lengths);
    assert_bytes(g->ids, e->ids, e->pairs * sizeof *e->ids);
    assert_bytes(g->tf, e->tf, e->pairs * sizeof *e->tf);
    assert_bytes(g->df, e->df, e->ids_count * sizeof *e->df);
    assert_bytes(g->values, e->values, e->pairs * sizeof *e->values);
}

/* What a dictionary cannot do is refused. */
static int is_refused(const question *q)
{
    const akin_weigh_options *o = &q->options;
    return o->technique == AKIN_WEIGH_DICTIONARY &&
           (o->stem || q->text.stop_word_count > 0 || (o->dictionary && o->unknown == AKIN_UNKNOWN_ADD));
}

/* Whether a term has a NUL byte. */
static int has_nul(const answer *a)
{
    int has = 0;
    for (uint32_t i = 0; a->status == AKIN_OK && i < a->weights->ids_count; i++) {
        const char *bytes;
        size_t length;
        akin_weights_term(a->weights, i, &bytes, &length);
        has |= length > 0 && memchr(bytes, 0, length);
    }
    return has;
}

/* Weighs on a GPU with that much memory (0: all that there is) and that many threads, by a technique. */
static void check_against(const answer *expected, const question *asked, akin_weigh_technique technique, uint64_t limit,
                          uint32_t threads)
{
    question q = *asked;
    q.options.technique = technique;
    q.options.text = asked->options.text ? &q.text : NULL;
    akin_context *gpu = create(threads, 1, limit);
    answer got = ask(gpu, &q);
    destroy(gpu);
    if (is_refused(&q)) {
        assert_int_equal(got.status, AKIN_E_OPTION);
        assert_non_null(strstr(got.error.message, "the technique dictionary"));
    } else if (technique == AKIN_WEIGH_DICTIONARY && !q.options.dictionary && has_nul(expected)) {
        assert_int_equal(got.status, AKIN_E_INPUT);
        assert_non_null(strstr(got.error.message, "NUL"));
    } else {
        assert_same(&got, expected);
    }
    akin_weights_free(got.weights);
}

static answer ask_cpu(const question *q)
{
    akin_context *cpu = create(2, 0, 0);
    const answer expected = ask(cpu, q);
    destroy(cpu);
    return expected;
}

/* Whether a technique is one of a GPU's own. */
static int runs_there(const akin_choice *technique)
{
    return (technique->capabilities & AKIN_ON_GPU) && !(technique->capabilities & AKIN_IS_DEFAULT);
}

/* Weighs on the CPU, and on a GPU by one technique; by all of them. */
static void check_by(akin_weigh_technique technique, const question *q, uint64_t limit, uint32_t threads)
{
    answer expected = ask_cpu(q);
    check_against(&expected, q, technique, limit, threads);
    akin_weights_free(expected.weights);
}

static void check(const question *q, uint64_t limit, uint32_t threads)
{
    answer expected = ask_cpu(q);
    const akin_choice *row;
    for (uint32_t i = 0; (row = choice_of_both("weigh-techniques", i)); i++)
        if (runs_there(row))
            check_against(&expected, q, (akin_weigh_technique)row->value, limit, threads);
    akin_weights_free(expected.weights);
}

/* ------------------------------------------------------------------------------------------------------------ texts */

/* Words of ASCII alone, which go to the device as they stand, unless they are longer than it takes. */
static text plain_words(akin_random *random, uint64_t words)
{
    text t = {0};
    text_add(&t, "", 0);
    for (uint64_t i = 0; i < words; i++) {
        text_add_string(&t, akin_random_below(random, 5) ? "w" : "Word");
        text_add_number(&t, akin_random_below(random, akin_random_below(random, 900) + 1));
        for (uint64_t more = akin_random_below(random, 50)   ? 0
                             : akin_random_below(random, 50) ? 30
                                                             : 1100;
             more > 0; more--)
            text_add(&t, "m", 1);
        text_add(&t, " \n\t-;" + akin_random_below(random, 5), 1);
    }
    return t;
}

/* A text of one of several kinds. */
static text draw_text(akin_random *random, int kind)
{
    text t = {0};
    switch (kind) {
    case 0: /* short, of few words */
        return random_words(random, akin_random_below(random, 40), 30);
    case 1: /* of many words */
        return random_words(random, akin_random_below(random, 700), 5000);
    case 2: /* of anything that is UTF-8 */
        return random_text(random, 200);
    case 6:
        return plain_words(random, akin_random_below(random, 300));
    case 3: /* separators, or nothing */
        text_add_string(&t, akin_random_below(random, 2) ? "" : "\r\n \t,;");
        break;
    case 4: /* a word, with no separator at its ends */
        text_add(&t, "", 0);
        for (uint64_t i = akin_random_below(random, akin_random_below(random, 9) ? 20 : 3000) + 1; i > 0; i--)
            text_add(&t, i % 100 == 99 ? "Q" : "x", 1);
        text_add_number(&t, akin_random_below(random, 9));
        break;
    default: /* ends of the SIMD's and the kernels' pieces */
        text_add(&t, "", 0);
        for (uint64_t i = akin_random_below(random, 20000); t.length < i;) {
            text_add(&t, "word", akin_random_below(random, 4) + 1);
            text_add(&t, " ", akin_random_below(random, 5) > 0);
        }
        break;
    }
    return t;
}

/* Columns of random texts, some of them null. */
static void fill(akin_random *random, question *q, builder *builders)
{
    const int kind = (int)akin_random_below(random, 10), nulls = akin_random_below(random, 3) == 0;
    q->column_count = akin_random_below(random, 2) ? 1 : 1 + (uint32_t)akin_random_below(random, COLUMNS);
    q->rows = (uint32_t)akin_random_below(random, akin_random_below(random, 2) ? 200 : 20);
    for (uint32_t c = 0; c < q->column_count; c++) {
        builders[c] = (builder){0};
        for (uint32_t row = 0; row < q->rows; row++) {
            const int own = kind >= 7 ? 6 : akin_random_below(random, 4) ? kind : (int)akin_random_below(random, 7);
            text t = draw_text(random, own);
            if (nulls && akin_random_below(random, 5) == 0)
                builder_null(&builders[c]);
            else
                builder_add(&builders[c], t.bytes ? t.bytes : "", t.length);
            text_clear(&t);
        }
        q->columns[c] = builder_column(&builders[c], "text");
        if (!q->columns[c].offsets) {
            static const uint64_t none;
            q->columns[c].offsets = &none;
            q->columns[c].bytes = "";
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static const char *const stops[] = {"w0", "w1", "w2", "word"};

static akin_trie *make_dictionary(void)
{
    static const char *const words[] = {"w1", "w5", "w7", "w9", "xq1", "zebra", "wor"};
    builder b = builder_of(words, 7);
    akin_column column = builder_column(&b, "word");
    akin_context *context = create(1, 0, 0);
    akin_trie *trie = NULL;
    assert_int_equal(akin_trie_build(context, &column, 7, NULL, &trie, NULL), AKIN_OK);
    destroy(context);
    builder_clear(&b);
    return trie;
}

static void draw_options(akin_random *random, question *q, const akin_trie *trie)
{
    q->options = (akin_weigh_options)AKIN_WEIGH_OPTIONS_INIT;
    q->text = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    q->options.text = &q->text;
    q->options.formula = (akin_formula)(1 + akin_random_below(random, 6));
    q->options.order = akin_random_below(random, 4) ? AKIN_WEIGHTS_BY_DOCUMENT : AKIN_WEIGHTS_BY_TERM;
    q->parts = 1 + (uint32_t)akin_random_below(random, 3);
    if (akin_random_below(random, 3) == 0)
        q->text.tokens = (akin_tokens)(AKIN_TOKENS_WHITESPACE + akin_random_below(random, 3));
    q->text.q = 1 + (uint32_t)akin_random_below(random, 4);
    q->text.fold = (int)akin_random_below(random, 3) - 1;
    if (akin_random_below(random, 3) == 0 && q->text.tokens == AKIN_TOKENS_WORDS)
        q->options.stem = "english";
    if (akin_random_below(random, 3) == 0) {
        q->text.stop_words = stops;
        q->text.stop_word_count = 4;
    }
    if (akin_random_below(random, 3) == 0) {
        q->options.dictionary = trie;
        q->options.unknown = akin_random_below(random, 2) ? AKIN_UNKNOWN_SHARE : AKIN_UNKNOWN_ADD;
    }
}

static void test_random(void **state)
{
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    akin_trie *trie = make_dictionary();
    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        builder builders[COLUMNS] = {{.rows = 0}};
        question q;
        akin_random_seed(&random, seed * 1000003 + i);
        fill(&random, &q, builders);
        draw_options(&random, &q, trie);
        check(&q, 0, i % 2 ? 3 : 1);
        check(&q, (uint64_t)(i % 3 ? 32 : 64) << 20, 1);
        bound = AKIN_MEMORY_LEAST;
        check(&q, 0, 2);
        bound = 0;
        for (uint32_t c = 0; c < q.column_count; c++)
            builder_clear(&builders[c]);
    }
    akin_trie_free(trie);
}

static question plain(const builder *b)
{
    return (question){.columns = {builder_column(b, "text")},
                      .column_count = 1,
                      .rows = b->rows,
                      .parts = 1,
                      .options = AKIN_WEIGH_OPTIONS_INIT};
}

static void test_no_documents(void **state)
{
    static const uint64_t none;
    question q = {.columns = {{.size = sizeof *q.columns, .name = "text", .offsets = &none, .bytes = ""}},
                  .column_count = 1,
                  .parts = 1,
                  .options = AKIN_WEIGH_OPTIONS_INIT};
    (void)state;
    check(&q, 0, 1);
}

/* Documents that no table has room for, one whose tokens are more than are tried, and one of a word of 1 MB. */
static void test_large_documents(void **state)
{
    builder b = {0};
    char word[32];
    (void)state;
    for (uint32_t size = 400; size <= 40000; size = size * 3 / 2) {
        text t = {0};
        const uint32_t words = b.rows % 2 ? size : size / 2;
        for (uint32_t i = 0; i < size; i++)
            text_add(&t, word, (size_t)snprintf(word, sizeof word, "%s%u ", i % 7 ? "w" : "W", i * 7919u % words));
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    text many = {0}, long_word = {0};
    for (uint32_t i = 0; i < 300000; i++)
        text_add(&many, i % 3 ? "a " : i % 2 ? "w3 " : "b\n", i % 3 ? 2 : i % 2 ? 3 : 2);
    for (uint32_t i = 0; i < 1 << 20; i++)
        text_add(&long_word, i % 1000 == 7 ? "Z" : "x", 1);
    for (int i = 0; i < 2; i++) {
        builder_add(&b, many.bytes, many.length);
        builder_add(&b, long_word.bytes, long_word.length);
        builder_add(&b, "short words, and w3", 19);
    }
    text_clear(&many);
    text_clear(&long_word);
    question q = plain(&b);
#ifdef PROPERTY_HOST_GPU
    host_weigh = (host_weigh_state){0};
#endif
    check_by(AKIN_WEIGH_HASH, &q, 0, 1);
#ifdef PROPERTY_HOST_GPU
    for (int i = 0; i < 4; i++)
        assert_true(host_weigh.tables[i] > 0);
    assert_true(host_weigh.sorted >= 3 && host_weigh.longs == 2 && host_weigh.weighed > 0);
#endif
    check_by(AKIN_WEIGH_PRIMITIVES, &q, 0, 1);
    check_by(AKIN_WEIGH_DICTIONARY, &q, 0, 1);
    check(&q, (uint64_t)96 << 20, 1); /* in parts: some have no long word, and then one has */
    check_by(AKIN_WEIGH_HASH, &q, (uint64_t)32 << 20, 1);
    q.options.stem = "english";
    check(&q, 0, 1);
    builder_clear(&b);
}

static void test_many_documents(void **state)
{
    enum { DOCUMENTS = 1000000, WORDS = 1000 };
    builder b = {0};
    char word[16];
    (void)state;
    for (int i = 0; i < DOCUMENTS; i++)
        builder_add(&b, word, (size_t)snprintf(word, sizeof word, "w%d", i % WORDS));
    question q = plain(&b);
    check(&q, 0, 2);
    builder_clear(&b);
}

/* Words that are all new, and so short that there are more than the first table has room for: it grows. */
static void test_growth(void **state)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    builder b = {0};
    (void)state;
    for (uint32_t i = 0; i < 40000; i++) {
        const char word[] = {letters[i % 36], letters[i / 36 % 36], letters[i / (36 * 36) % 36]};
        builder_add(&b, word, sizeof word);
    }
    question q = plain(&b);
#ifdef PROPERTY_HOST_GPU
    host_weigh = (host_weigh_state){0};
#endif
    check_by(AKIN_WEIGH_HASH, &q, 0, 2);
#ifdef PROPERTY_HOST_GPU
    assert_true(host_weigh.batches > 1);
    host_weigh = (host_weigh_state){0};
#endif
    q.parts = 3; /* where some words are known */
    check_by(AKIN_WEIGH_HASH, &q, 0, 1);
#ifdef PROPERTY_HOST_GPU
    assert_true(host_weigh.batches > 4);
#endif
    builder_clear(&b);
}

/* Words that agree in their first pieces, to the last byte or but for NUL bytes, and words that are begun by others:
 * the last piece, too, distinguishes strings. */
static void test_strings(void **state)
{
    builder b = {0};
    char word[90];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 3);
    for (int row = 0; row < 60; row++) {
        text t = {0};
        text_add(&t, "", 0);
        for (int i = 0; i < 100; i++) {
            const size_t length =
                1 + (size_t)akin_random_below(&random, akin_random_below(&random, 4) ? 30 : sizeof word);
            memset(word, 'a', sizeof word);
            word[length - 1] = (char)('a' + akin_random_below(&random, 2));
            if (akin_random_below(&random, 8) == 0)
                word[akin_random_below(&random, length)] = row % 2 ? 'b' : '\0';
            text_add(&t, word, length);
            text_add(&t, " ", 1);
        }
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    question q = plain(&b);
#ifdef PROPERTY_HOST_GPU
    host_trie = (host_trie_state){0};
    host_weigh = (host_weigh_state){0};
    check_by(AKIN_WEIGH_PRIMITIVES, &q, 0, 1);
    assert_true(host_weigh.rounds >= 10 && host_weigh.grouped == 1 && host_trie.words == 0);
    check_by(AKIN_WEIGH_DICTIONARY, &q, 0, 1);
    assert_true(host_trie.words >= 6000);
#endif
    q.parts = 3;
    check(&q, 0, 1);
    q.text = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    q.text.tokens = AKIN_TOKENS_WHITESPACE; /* NUL bytes are of words */
    q.options.text = &q.text;
    for (q.parts = 1; q.parts < 3; q.parts++)
        check(&q, 0, 1);
    builder_clear(&b);
}

/* A vocabulary that has none of the words, or all of them. */
static void test_vocabularies(void **state)
{
    static const char *const texts[] = {"one two two", "three TWO", "", "one, one; four"};
    static const char *const none[] = {"five"}, *const all[] = {"two", "four", "one", "three", "zero"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        builder words = builder_of(i ? all : none, i == 0 ? 1 : i == 1 ? 5 : 0), b = builder_of(texts, 4);
        akin_column column = builder_column(&words, "word");
        akin_context *context = create(1, 0, 0);
        question q = plain(&b);
        akin_trie *trie = NULL;
        const akin_trie_kind kinds[] = {AKIN_TRIE_CHUNKS, AKIN_TRIE_RRR, AKIN_TRIE_STT};
        akin_trie_options about = AKIN_TRIE_OPTIONS_INIT;
        about.kind = kinds[i];
        static const uint64_t nothing;
        column.offsets = column.offsets ? column.offsets : &nothing;
        column.bytes = column.bytes ? column.bytes : "";
        assert_int_equal(akin_trie_build(context, &column, words.rows, &about, &trie, NULL), AKIN_OK);
        destroy(context);
        q.options.dictionary = trie;
        q.options.unknown = AKIN_UNKNOWN_SHARE;
#ifdef PROPERTY_HOST_GPU
        host_trie = (host_trie_state){0};
        check_by(AKIN_WEIGH_DICTIONARY, &q, 0, 1);
        assert_int_equal(host_trie.words, 8);
#endif
        check(&q, 0, 1);
        q.options.unknown = AKIN_UNKNOWN_ADD;
        check(&q, 0, 1);
        akin_trie_free(trie);
        builder_clear(&words);
        builder_clear(&b);
    }
}

/* Both refuse the same input, with the same message. */
static void test_refused(void **state)
{
    static const char *const strings[] = {"fine", "caf\xc3\xa9", "not \xff fine", "fine"};
    builder b = builder_of(strings, 4);
    question q = plain(&b);
    (void)state;
    check(&q, 0, 1);
    builder_clear(&b);
}

/* A GPU with too little memory says so; with a little more it does the same in parts. */
static void test_short_memory(void **state)
{
    builder b = {0};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (int i = 0; i < 3000; i++) {
        text t = random_words(&random, 300, 20000);
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    question q = plain(&b);
    check(&q, (uint64_t)32 << 20, 1);
    for (uint64_t limit = (uint64_t)64 << 20; limit <= (uint64_t)256 << 20; limit *= 2)
        check_by(AKIN_WEIGH_HASH, &q, limit, 1);
#ifdef PROPERTY_HOST_GPU
    host_weigh = (host_weigh_state){0};
    check_by(AKIN_WEIGH_HASH, &q, (uint64_t)256 << 20, 1);
    assert_true(host_weigh.weighed > 0 && host_weigh.distinct > 20);
    host_weigh = (host_weigh_state){0};
    check_by(AKIN_WEIGH_HASH, &q, (uint64_t)12 << 20, 1);
    assert_true(host_weigh.weighed == 0 && host_weigh.batches > 9); /* it cannot keep the pairs: the host weighs them */
    const akin_choice *row;
    for (uint32_t i = 0; (row = choice_of_both("weigh-techniques", i)); i++)
        for (uint64_t limit = 1 << 14; runs_there(row) && limit < (uint64_t)8 << 20;
             limit *= row->value == AKIN_WEIGH_HASH ? 2 : 8) {
            akin_context *gpu = create(1, 1, limit);
            q.options.technique = (akin_weigh_technique)row->value;
            answer got = ask(gpu, &q);
            destroy(gpu);
            q.options.technique = AKIN_WEIGH_HASH;
            if (got.status == AKIN_OK) {
                answer expected = ask_cpu(&q);
                assert_same(&got, &expected);
                akin_weights_free(expected.weights);
            } else {
                assert_int_equal(got.status, AKIN_E_NOMEM);
                assert_non_null(strstr(got.error.message, "memory"));
            }
            akin_weights_free(got.weights);
        }
#endif
    builder_clear(&b);
}

int main(void)
{
#ifndef PROPERTY_HOST_GPU
    if (akin_device_find().devices == 0) {
        printf("skipped: %s\n", akin_device_find().state);
        return 77;
    }
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_documents),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_random),          cmocka_unit_test(test_growth),
        cmocka_unit_test(test_large_documents), cmocka_unit_test(test_many_documents),
        cmocka_unit_test(test_short_memory),    cmocka_unit_test(test_strings),
        cmocka_unit_test(test_vocabularies),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
