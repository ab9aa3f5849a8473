/* Term weights: against the oracle, and what is special. */
#include "annex.h"
#include "base/context.h"
#include "test_sanitizers.h"
#include "test_weigh_support.h"
#include "weigh/weighing.h"

static akin_context *create_context(uint32_t threads, uint64_t memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error;
    options.threads = threads;
    options.device = "cpu";
    options.memory = memory;
    assert_int_equal(akin_context_create(&options, &context, &error), AKIN_OK);
    return context;
}

static akin_weights *weigh(akin_context *context, const text *texts, uint32_t documents, uint32_t columns,
                           const akin_weigh_options *options)
{
    builder builders[4];
    akin_column list[4];
    akin_weights *weights = NULL;
    akin_error error = {0};
    assert_true(columns <= 4);
    memset(builders, 0, sizeof builders);
    columns_of(texts, documents, columns, builders, list);
    akin_status status = akin_weigh(context, list, columns, documents, options, &weights, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    for (int c = 0; c < 4; c++)
        builder_clear(&builders[c]);
    return weights;
}

/* Weighs in both orders, by each formula, and compares. */
static void check(const text *texts, uint32_t documents, uint32_t columns, uint32_t threads, size_t room)
{
    akin_context *context = create_context(threads, 0);
    expected e = expect(texts, documents, columns, room, AKIN_TOKENS_WORDS, 0);
    const akin_choice *order, *formula;
    for (uint32_t i = 0; (order = akin_choices("weight-orders", i)); i++)
        for (uint32_t f = 0; (formula = akin_choices("formulas", f)); f++) {
            akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
            options.order = (akin_weights_order)order->value;
            options.formula = (akin_formula)formula->value;
            if (f % 2) {
                options.k1 = 0.9;
                options.b = 0.4;
                options.delta = 0.25;
            }
            akin_weights *weights = weigh(context, texts, documents, columns, &options);
            assert_weights(weights, &e, &options);
            akin_weights_free(weights);
        }
    expected_clear(&e);
    akin_context_free(context);
}

/* The same of strings. */
static void check_strings(const char *const *strings, uint32_t documents, uint32_t columns, uint32_t threads)
{
    text texts[16] = {{0}};
    assert_true(documents * columns <= 16);
    for (uint32_t i = 0; i < documents * columns; i++)
        text_add_string(&texts[i], strings[i]);
    check(texts, documents, columns, threads, 1000);
    for (int i = 0; i < 16; i++)
        text_clear(&texts[i]);
}

static void test_two(void **state)
{
    static const char *const strings[] = {"to be or not to be", "to do is to be"};
    text texts[2] = {{0}};
    (void)state;
    check_strings(strings, 2, 1, 1);
    for (int i = 0; i < 2; i++)
        text_add_string(&texts[i], strings[i]);
    akin_context *context = create_context(1, 0);
    akin_weights *weights = weigh(context, texts, 2, 1, NULL);
    double sum = 0, want = 0;
    const double norms[] = {1.2 * (0.25 + 0.75 * (6 / 5.5)), 1.2 * (0.25 + 0.75 * (5 / 5.5))};
    assert_int_equal(akin_weights_sum(context, weights, &sum, NULL), AKIN_OK);
    /* the idf of what one has is log(1 + 1.5 / 1.5), of what both have log(1 + 0.5 / 2.5) */
    want += 2 * log(1.2) * 2 / (norms[0] + 2) + 2 * log(2) / (norms[0] + 1);
    want += log(1.2) * 2 / (norms[1] + 2) + log(1.2) / (norms[1] + 1) + 2 * log(2) / (norms[1] + 1);
    assert_true(fabs(sum - want) < 1e-14);
    akin_weights_free(weights);
    akin_context_free(context);
    for (int i = 0; i < 2; i++)
        text_clear(&texts[i]);
}

/* The statistics of some documents: their own, as the caller of akin_weigh has them. */
typedef struct counted {
    akin_corpus corpus;
    akin_column terms;
    builder names;
    uint32_t *df;
} counted;

static void count(const akin_weights *weights, counted *out)
{
    akin_weights_statistics s = {.size = sizeof s};
    assert_int_equal(akin_weights_describe(weights, &s, NULL), AKIN_OK);
    *out = (counted){.df = calloc((size_t)s.ids + 1, sizeof *out->df)};
    assert_non_null(out->df);
    for (uint32_t id = 0; id < s.ids; id++) {
        const char *bytes;
        size_t length;
        akin_weights_term(weights, id, &bytes, &length);
        builder_add(&out->names, bytes, length);
        out->df[id] = akin_weights_df(weights, id);
    }
    out->terms = builder_column(&out->names, NULL);
    out->corpus = (akin_corpus){sizeof out->corpus, s.words, s.documents, s.ids, &out->terms, out->df};
}

static void counted_clear(counted *c)
{
    builder_clear(&c->names);
    free(c->df);
}

/* The id of a term; the number of ids: there is none. */
static uint32_t id_of(const akin_weights *weights, uint32_t ids, const char *bytes, size_t length)
{
    const char *term;
    size_t size;
    uint32_t id = 0;
    for (; id < ids; id++) {
        akin_weights_term(weights, id, &term, &size);
        if (size == length && memcmp(term, bytes, length) == 0)
            break;
    }
    return id;
}

/* Asserts that the documents of a part, from `first` on, have the bits that they have in the whole. */
static void assert_part(const akin_weights *part, const akin_weights *whole, uint32_t first)
{
    akin_weights_statistics s = {.size = sizeof s}, all = {.size = sizeof all};
    assert_int_equal(akin_weights_describe(part, &s, NULL), AKIN_OK);
    assert_int_equal(akin_weights_describe(whole, &all, NULL), AKIN_OK);
    for (uint32_t d = 0; d < s.documents; d++) {
        const uint32_t *ids, *expected_ids;
        const double *values, *expected;
        const uint32_t terms = akin_weights_list(part, d, &ids, NULL, &values);
        assert_int_equal(akin_weights_list(whole, first + d, &expected_ids, NULL, &expected), terms);
        for (uint32_t i = 0; i < terms; i++) {
            const char *bytes;
            size_t length;
            uint32_t at = 0;
            akin_weights_term(part, ids[i], &bytes, &length);
            const uint32_t id = id_of(whole, all.ids, bytes, length);
            while (at < terms && expected_ids[at] != id)
                at++;
            assert_true(at < terms);
            assert_memory_equal(&values[i], &expected[at], sizeof *values);
        }
    }
}

/* Statistics, sorted, against those of weights. */
static void assert_counted(akin_statistics *statistics, const counted *expected)
{
    const akin_corpus *c = akin_statistics_corpus(statistics), *e = &expected->corpus;
    uint32_t terms = 0;
    assert_int_equal(c->documents, e->documents);
    assert_int_equal(c->words, e->words);
    for (uint32_t id = 0; id < e->count; id++) {
        const uint64_t *at = e->terms->offsets + id;
        uint32_t i = 0;
        while (i < c->count &&
               (c->terms->offsets[i + 1] - c->terms->offsets[i] != at[1] - at[0] ||
                memcmp(c->terms->bytes + c->terms->offsets[i], e->terms->bytes + at[0], (size_t)(at[1] - at[0])) != 0))
            i++;
        assert_true(i < c->count ? c->df[i] == e->df[id] : e->df[id] == 0);
        terms += e->df[id] > 0;
    }
    assert_int_equal(c->count, terms);
    for (uint32_t i = 1; i < terms; i++) {
        const uint64_t *at = c->terms->offsets + i - 1;
        const uint64_t shorter = at[1] - at[0] < at[2] - at[1] ? at[1] - at[0] : at[2] - at[1];
        const int order = memcmp(c->terms->bytes + at[0], c->terms->bytes + at[1], (size_t)shorter);
        assert_true(order < 0 || (order == 0 && at[1] - at[0] < at[2] - at[1]));
    }
    akin_statistics_free(statistics);
}

/* What is counted without weights is what weights have: of words and stems, of some and of shared terms. */
static void test_statistics(void **state)
{
    enum { TEXTS = 40 };
    static const char *const known[] = {"w1", "w2", "a", "b"};
    akin_random random;
    text texts[TEXTS];
    builder words = builder_of(known, 4), all = {0};
    const akin_column column = builder_column(&words, NULL);
    akin_trie *trie = NULL;
    (void)state;
    akin_random_seed(&random, 8);
    for (int i = 0; i < TEXTS; i++) {
        texts[i] = random_words(&random, (uint64_t)(i % 5) * 9, 30);
        builder_add(&all, texts[i].bytes ? texts[i].bytes : "", texts[i].length);
    }
    const akin_column documents = builder_column(&all, NULL);
    for (uint32_t round = 0; round < 12; round++) {
        akin_context *context = create_context(1 + round % 3, round >= 6 ? 16u << 20 : 0);
        akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
        akin_statistics *of[2] = {NULL, NULL};
        akin_weights *weights = NULL;
        counted expected;
        options.order = round % 2 ? AKIN_WEIGHTS_BY_TERM : AKIN_WEIGHTS_BY_DOCUMENT;
        options.stem = round % 3 == 1 ? "english" : NULL;
        if (round % 3 == 2 && !trie)
            assert_int_equal(akin_trie_build(context, &column, 4, NULL, &trie, NULL), AKIN_OK);
        options.dictionary = round % 3 == 2 ? trie : NULL;
        assert_int_equal(akin_weigh(context, &documents, 1, TEXTS, &options, &weights, NULL), AKIN_OK);
        assert_int_equal(akin_statistics_of_weights(context, weights, &of[0], NULL), AKIN_OK);
        assert_int_equal(akin_statistics_of_documents(context, &documents, 1, TEXTS, &options, &of[1], NULL), AKIN_OK);
        count(weights, &expected);
        for (int i = 0; i < 2; i++)
            assert_counted(of[i], &expected);
        counted_clear(&expected);
        akin_weights_free(weights);
        akin_context_free(context);
    }
    akin_trie_free(trie);
    builder_clear(&words);
    builder_clear(&all);
    for (int i = 0; i < TEXTS; i++)
        text_clear(&texts[i]);
}

/* Documents cut in two at each place, weighed by the statistics of both. */
static void test_corpus(void **state)
{
    enum { TEXTS = 12 };
    const akin_choice *formula;
    akin_random random;
    text texts[TEXTS];
    (void)state;
    akin_random_seed(&random, 5);
    for (int i = 0; i < TEXTS; i++)
        texts[i] = random_words(&random, (uint64_t)(i % 5) * 9, 30);
    akin_context *context = create_context(2, 0);
    for (uint32_t f = 0; (formula = akin_choices("formulas", f)); f++) {
        akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
        counted c;
        options.formula = (akin_formula)formula->value;
        akin_weights *whole = weigh(context, texts, TEXTS, 1, &options);
        count(whole, &c);
        options.corpus = &c.corpus;
        for (uint32_t at = 0; at <= TEXTS; at++)
            for (int half = 0; half < 2; half++) {
                const uint32_t first = half ? at : 0, end = half ? TEXTS : at;
                akin_weights *part = weigh(context, texts + first, end - first, 1, &options);
                assert_part(part, whole, first);
                akin_weights_free(part);
            }
        counted_clear(&c);
        akin_weights_free(whole);
    }
    akin_context_free(context);
    for (int i = 0; i < TEXTS; i++)
        text_clear(&texts[i]);
}

/* A file of weights does not say by which statistics they are. */
static void refuse_file(akin_context *context, const akin_column *column, const akin_weigh_options *options)
{
    akin_weights *weights = NULL;
    akin_output *output = NULL;
    akin_error error;
    assert_int_equal(akin_weigh(context, column, 1, 2, options, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_output_open(context, "/dev/null", &output, NULL), AKIN_OK);
    assert_int_equal(akin_weights_write(context, weights, NULL, AKIN_WEIGHTS_AKIN, output, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "statistics of a corpus"));
    akin_output_discard(output);
    akin_weights_free(weights);
}

/* Statistics of which the documents are no part. */
static void test_corpus_refused(void **state)
{
    static const char *const documents[] = {"a b", "a"}, *const names[] = {"b", "a"}, *const twice[] = {"a", "a"};
    static const uint32_t df[] = {2, 2};
    builder own = builder_of(documents, 2), both[2] = {builder_of(names, 2), builder_of(twice, 2)};
    const akin_column column = builder_column(&own, NULL);
    const akin_column terms = builder_column(&both[0], NULL), again = builder_column(&both[1], NULL);
    const struct {
        akin_corpus corpus;
        akin_status status;
        const char *message;
    } cases[] = {
        {{sizeof(akin_corpus), 9, 2, 1, &terms, df}, AKIN_E_INPUT, "term 'a' of the documents is not there"},
        {{sizeof(akin_corpus), 2, 2, 2, &terms, df}, AKIN_E_INPUT, "are no part of them"},
        {{sizeof(akin_corpus), 9, 1, 0, NULL, NULL}, AKIN_E_INPUT, "are no part of them"},
        {{sizeof(akin_corpus), 9, 1, 2, &terms, df}, AKIN_E_INPUT, "is in 2 of 1 documents"},
        {{sizeof(akin_corpus), 9, 2, 2, &again, df}, AKIN_E_INPUT, "term 'a' is there twice"},
        {{sizeof(akin_corpus), 9, 2, 2, &terms, (const uint32_t[2]){1, 1}},
         AKIN_E_INPUT,
         "'a' is in 1 documents, and in 2"},
        {{sizeof(akin_corpus), 9, 2, 2, &terms, NULL}, AKIN_E_OPTION, "no terms where terms and df point"},
        {{1, 9, 2, 2, &terms, df}, AKIN_E_OPTION, "akin_corpus: its size"},
    };
    akin_context *context = create_context(1, 0);
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_weights *weights = NULL;
        akin_error error;
        options.corpus = &cases[i].corpus;
        assert_int_equal(akin_weigh(context, &column, 1, 2, &options, &weights, &error), cases[i].status);
        assert_non_null(strstr(error.message, cases[i].message));
    }
    options.corpus = &(akin_corpus){sizeof(akin_corpus), 9, 2, 2, &terms, df};
    refuse_file(context, &column, &options);
    akin_context_free(context);
    builder_clear(&own);
    builder_clear(&both[0]);
    builder_clear(&both[1]);
}

static void test_empty(void **state)
{
    static const char *const strings[] = {"", "a", " ,;\n", "", "", "b a", "...", ""};
    (void)state;
    check_strings(strings, 8, 1, 2);
    check_strings(strings, 4, 2, 2);
    check_strings(strings, 1, 1, 1); /* no term at all */
    check_strings(strings, 0, 1, 1); /* no document */
}

static void test_random(void **state)
{
    enum { TEXTS = 60 };
    akin_random random;
    (void)state;
    akin_random_seed(&random, 7);
    for (int round = 0; round < 12; round++) {
        text texts[TEXTS];
        for (int i = 0; i < TEXTS; i++)
            texts[i] = round % 4 == 3 ? random_text(&random, 60)
                                      : random_words(&random, akin_random_below(&random, round % 3 ? 30 : 600),
                                                     round % 2 ? 40 : 1000);
        uint32_t columns = 1 + (uint32_t)round % 3;
        check(texts, TEXTS / columns, columns, 1 + (uint32_t)round % 4, 3000);
        for (int i = 0; i < TEXTS; i++)
            text_clear(&texts[i]);
    }
}

/* --------------------------------------------------------------------------------------------------------- extremes */

/* One document of one word of 1 MB, between others. */
static void test_long_word(void **state)
{
    text texts[3] = {{0}};
    (void)state;
    text_add_string(&texts[0], "short");
    for (int i = 0; i < 1 << 20; i++)
        text_add(&texts[1], i % 1000 == 7 ? "Z" : "x", 1);
    text_add_string(&texts[2], "short words");
    check(texts, 3, 1, 2, 10);
    for (int i = 0; i < 3; i++)
        text_clear(&texts[i]);
}

/* A million documents of one word, with a thousand distinct words: the result is known. */
static void test_many_documents(void **state)
{
    enum { DOCUMENTS = 1000000, WORDS = 1000 };
    builder b = {0};
    char word[16];
    (void)state;
    for (int i = 0; i < DOCUMENTS; i++)
        builder_add(&b, word, (size_t)snprintf(word, sizeof word, "w%d", i % WORDS));
    akin_column column = builder_column(&b, "text");
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        akin_context *context = create_context(threads, 0);
        akin_weights *weights = NULL;
        akin_weights_statistics s = {.size = sizeof s};
        double sum, each = (double)DOCUMENTS / WORDS,
                    weight = log(1 + (DOCUMENTS - each + 0.5) / (each + 0.5)) / (1.2 + 1);
        assert_int_equal(akin_weigh(context, &column, 1, DOCUMENTS, NULL, &weights, NULL), AKIN_OK);
        assert_int_equal(akin_weights_describe(weights, &s, NULL), AKIN_OK);
        assert_int_equal(s.documents, DOCUMENTS);
        assert_int_equal(s.terms, WORDS);
        assert_int_equal(s.pairs, DOCUMENTS);
        assert_int_equal(akin_weights_sum(context, weights, &sum, NULL), AKIN_OK);
        assert_true(fabs(sum / DOCUMENTS - weight) < 1e-12);
        for (uint32_t i = 0; i < WORDS; i++) {
            const char *bytes;
            size_t length;
            akin_weights_term(weights, i, &bytes, &length);
            assert_int_equal(length, snprintf(word, sizeof word, "w%u", i));
            assert_memory_equal(bytes, word, length);
            assert_int_equal(akin_weights_df(weights, i), DOCUMENTS / WORDS);
        }
        akin_weights_free(weights);
        akin_context_free(context);
    }
    builder_clear(&b);
}

/* All that there is of weights, as bytes. */
static text image_of(akin_context *context, const akin_weights *weights)
{
    text t = {0};
    akin_weights_statistics s = {.size = sizeof s};
    double sum;
    assert_int_equal(akin_weights_describe(weights, &s, NULL), AKIN_OK);
    assert_int_equal(akin_weights_sum(context, weights, &sum, NULL), AKIN_OK);
    text_add(&t, (const char *)&sum, sizeof sum);
    text_add(&t, (const char *)&s.words, sizeof s.words);
    for (uint32_t i = 0; i < s.ids; i++) {
        const char *bytes;
        size_t length;
        uint32_t df = akin_weights_df(weights, i);
        akin_weights_term(weights, i, &bytes, &length);
        text_add(&t, bytes, length);
        text_add(&t, (const char *)&df, sizeof df);
    }
    for (uint32_t i = 0; i < (s.order == AKIN_WEIGHTS_BY_TERM ? s.ids : s.documents); i++) {
        const uint32_t *ids, *tf;
        const double *values;
        uint32_t count = akin_weights_list(weights, i, &ids, &tf, &values);
        text_add(&t, (const char *)&count, sizeof count);
        text_add(&t, (const char *)ids, count * sizeof *ids);
        text_add(&t, (const char *)tf, count * sizeof *tf);
        text_add(&t, (const char *)values, count * sizeof *values);
    }
    return t;
}

/* Several MB, so that there are many chunks and, under a bound, batches: the same bytes with any number of threads, any
 * bound, any instructions, and if the documents come in parts. */
static void test_same(void **state)
{
    enum { DOCUMENTS = UNDER_SANITIZER ? 3000 : 9000 };
    builder b = {0};
    akin_random random;
    text first[2] = {{0}};
    (void)state;
    akin_random_seed(&random, 11);
    for (int i = 0; i < DOCUMENTS; i++) {
        text t = random_words(&random, akin_random_below(&random, i % 500 == 0 ? 20000 : 200), 60000);
        builder_add(&b, t.bytes, t.length);
        text_clear(&t);
    }
    akin_column column = builder_column(&b, "text");
    static const struct {
        uint32_t threads, parts;
        uint64_t memory;
        int level; /* at most */
    } ways[] = {{1, 1, 0, 2},        {2, 1, 0, 2},        {5, 1, 0, 0}, {1, 1, 0, 1},
                {1, 1, 16 << 20, 0}, {3, 1, 24 << 20, 2}, {2, 7, 0, 1}, {1, 30, 16 << 20, 2}};
    const akin_choice *order;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (uint32_t o = 0; (order = akin_choices("weight-orders", o)); o++) {
            if (UNDER_TSAN && i > 0 && ways[i].threads == 1)
                continue;
            akin_context *context = create_context(ways[i].threads, ways[i].memory);
            akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
            akin_weigher *weigher = NULL;
            akin_weights *weights = NULL;
            akin_error error = {0};
            options.order = (akin_weights_order)order->value;
            context->scope.cpu = ways[i].level < (int)context->cpu_best ? (akin_cpu)ways[i].level : context->cpu_best;
            assert_int_equal(akin_weigher_create(context, &options, &weigher, &error), AKIN_OK);
            for (uint32_t p = 0; p < ways[i].parts; p++) {
                uint32_t begin = DOCUMENTS * p / ways[i].parts, end = DOCUMENTS * (p + 1) / ways[i].parts;
                akin_column part = column;
                part.offsets += begin;
                if (akin_weigher_add(weigher, &part, 1, end - begin, &error) != AKIN_OK)
                    fail_msg("%s", error.message);
            }
            assert_int_equal(akin_weigher_finish(weigher, &weights, &error), AKIN_OK);
            assert_true(weigher->account.refused < 64); /* batches that were too large are halved */
            akin_weigher_free(weigher);
            text image = image_of(context, weights), *of = &first[order->value == AKIN_WEIGHTS_BY_TERM];
            if (i == 0) {
                *of = image;
            } else {
                assert_int_equal(image.length, of->length);
                assert_memory_equal(image.bytes, of->bytes, of->length);
                text_clear(&image);
            }
            akin_weights_free(weights);
            akin_context_free(context);
        }
    assert_memory_equal(first[0].bytes, first[1].bytes, sizeof(double)); /* the sum */
    text_clear(&first[0]);
    text_clear(&first[1]);
    builder_clear(&b);
}

/* ------------------------------------------------------------------------------------------------------ brief texts */

enum { BRIEF_DOCUMENTS = 3000, BRIEF_COLUMNS = 2 };

/* Texts of a few words or none; nulls; and some long texts, so that batches under a bound are refused. */
static void fill_brief(builder *builders)
{
    akin_random random;
    akin_random_seed(&random, 3);
    for (int c = 0; c < BRIEF_COLUMNS; c++)
        for (int i = 0; i < BRIEF_DOCUMENTS; i++) {
            text t = random_words(&random, akin_random_below(&random, i % 8 == 0 ? 900 : 6), 60000);
            if (i % 11 == c)
                builder_null(&builders[c]);
            else
                builder_add(&builders[c], t.bytes, t.length);
            text_clear(&t);
        }
}

/* The counts of the texts of rows. */
static akin_text_counts expected_counts(const akin_column *columns, akin_tokens tokens, uint32_t q)
{
    const int in_words = tokens == AKIN_TOKENS_SHINGLES;
    akin_text_counts counts = {0, 0};
    for (uint32_t i = 0; i < BRIEF_DOCUMENTS * BRIEF_COLUMNS; i++) {
        const akin_column *column = &columns[i % BRIEF_COLUMNS];
        const uint32_t row = i / BRIEF_COLUMNS;
        if (column->validity && !(column->validity[row / 8] >> row % 8 & 1))
            continue;
        oracle o = oracle_of(column->bytes + column->offsets[row], column->offsets[row + 1] - column->offsets[row],
                             in_words ? AKIN_TOKENS_WORDS : AKIN_TOKENS_QGRAMS, 1, in_words);
        counts.texts += o.count > 0;
        counts.brief += o.count > 0 && o.count < q;
        oracle_clear(&o);
    }
    return counts;
}

/* A text is counted once, whatever the threads, the parts, and the batches that a bound refuses. */
static void test_brief(void **state)
{
    static const struct {
        uint32_t threads, parts;
        uint64_t memory;
    } ways[] = {{1, 1, 0}, {2, 1, 0}, {2, 3, 0}, {5, 1, 0}, {1, 1, 16 << 20}, {3, 1, 24 << 20}};
    builder builders[BRIEF_COLUMNS] = {{.rows = 0}};
    akin_column columns[BRIEF_COLUMNS];
    uint64_t refused = 0;
    (void)state;
    fill_brief(builders);
    for (int c = 0; c < BRIEF_COLUMNS; c++)
        columns[c] = builder_column(&builders[c], NULL);
    for (int kind = AKIN_TOKENS_WORDS; akin_tokens_facts_of((akin_tokens)kind); kind++) {
        const int has_length = akin_tokens_facts_of((akin_tokens)kind)->takes_length != 0;
        const uint32_t q = kind == AKIN_TOKENS_SHINGLES ? 4 : 12;
        const akin_text_counts none = {0, 0}, want = has_length ? expected_counts(columns, (akin_tokens)kind, q) : none;
        assert_true(!has_length || (want.brief > 100 && want.brief < want.texts - 100));
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i += UNDER_SANITIZER ? 2 : 1) {
            akin_context *context = create_context(ways[i].threads, ways[i].memory);
            akin_text_counts counts = {7, 5}; /* to which they are added */
            akin_text_options how = {sizeof how, (akin_tokens)kind, q, 0, -1, NULL, 0, 0, &counts};
            akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
            akin_weigher *weigher = NULL;
            akin_error error = {0};
            options.text = &how;
            assert_int_equal(akin_weigher_create(context, &options, &weigher, NULL), AKIN_OK);
            for (uint32_t part = 0; part < ways[i].parts; part++) {
                const uint32_t first = BRIEF_DOCUMENTS / ways[i].parts * part / 8 * 8; /* validity is in bytes */
                const uint32_t end =
                    part + 1 == ways[i].parts ? BRIEF_DOCUMENTS : BRIEF_DOCUMENTS / ways[i].parts * (part + 1) / 8 * 8;
                akin_column of[BRIEF_COLUMNS];
                for (int c = 0; c < BRIEF_COLUMNS; c++) {
                    of[c] = columns[c];
                    of[c].offsets += first;
                    of[c].validity += first / 8;
                }
                if (akin_weigher_add(weigher, of, BRIEF_COLUMNS, end - first, &error) != AKIN_OK)
                    fail_msg("%s", error.message);
            }
            assert_int_equal(counts.texts, 7 + want.texts);
            assert_int_equal(counts.brief, 5 + want.brief);
            refused += weigher->account.refused;
            akin_weigher_free(weigher);
            akin_context_free(context);
        }
    }
    assert_true(refused > 0);
    for (int c = 0; c < BRIEF_COLUMNS; c++)
        builder_clear(&builders[c]);
}

/* A call that fails adds nothing, and the counts of those before it stay. */
static void test_brief_refused(void **state)
{
    static const char *const strings[] = {"ab", "abcd", "caf\xe9"};
    builder b = builder_of(strings, 3);
    const akin_column column = builder_column(&b, NULL);
    akin_context *context = create_context(1, 0);
    akin_text_counts counts = {0, 0};
    const akin_text_options how = {sizeof how, AKIN_TOKENS_QGRAMS, 3, 0, -1, NULL, 0, 0, &counts};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_weigher *weigher = NULL;
    (void)state;
    options.text = &how;
    assert_int_equal(akin_weigher_create(context, &options, &weigher, NULL), AKIN_OK);
    assert_int_equal(akin_weigher_add(weigher, &column, 1, 2, NULL), AKIN_OK);
    assert_int_equal(akin_weigher_add(weigher, &column, 1, 3, NULL), AKIN_E_INPUT);
    assert_int_equal(counts.texts, 2);
    assert_int_equal(counts.brief, 1);
    akin_weigher_free(weigher);
    akin_context_free(context);
    builder_clear(&b);
}

/* What has failed, or is finished, takes no more. */
static void test_over(void **state)
{
    static const uint64_t offsets[] = {0, 3, 4}, none[] = {0};
    const akin_column good = {.size = sizeof good, .offsets = offsets, .bytes = "one2"};
    const akin_column bad = {.size = sizeof bad,
                             .offsets = offsets,
                             .bytes =
                                 "on\xff"
                                 "2"};
    const akin_column empty = {.size = sizeof empty, .offsets = none, .bytes = ""};
    akin_context *context = create_context(1, 0);
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
        akin_weigher *weigher = NULL;
        akin_weights *weights = NULL, *again = NULL;
        akin_error error = {0};
        assert_int_equal(akin_weigher_create(context, &options, &weigher, &error), AKIN_OK);
        assert_int_equal(akin_weigher_add(weigher, fails ? &bad : &good, 1, 2, &error), fails ? AKIN_E_INPUT : AKIN_OK);
        if (!fails)
            assert_int_equal(akin_weigher_finish(weigher, &weights, &error), AKIN_OK);
        assert_int_equal(akin_weigher_add(weigher, &empty, 1, 0, &error), AKIN_E_OPTION);
        assert_non_null(strstr(error.message, "can only be freed"));
        assert_int_equal(akin_weigher_finish(weigher, &again, &error), AKIN_E_OPTION);
        assert_null(again);
        akin_weigher_free(weigher);
        akin_weights_free(weights);
    }
    akin_context_free(context);
}

/* ----------------------------------------------------------------------------------------------- terms of one's own */

/* The terms of weights, each with its df and a blank. */
static void assert_terms(const akin_weights *weights, const char *want)
{
    akin_weights_statistics s = {.size = sizeof s};
    text t = {0};
    assert_int_equal(akin_weights_describe(weights, &s, NULL), AKIN_OK);
    text_add(&t, "", 0);
    for (uint32_t i = 0; i < s.ids; i++) {
        const char *bytes;
        size_t length;
        akin_weights_term(weights, i, &bytes, &length);
        text_add(&t, bytes, length);
        text_add_string(&t, ":");
        text_add_number(&t, akin_weights_df(weights, i));
        text_add_string(&t, " ");
    }
    assert_string_equal(t.bytes, want);
    text_clear(&t);
}

static akin_weights *weigh_strings(akin_context *context, const char *const *strings, uint32_t count,
                                   const akin_weigh_options *options)
{
    text texts[8] = {{0}};
    assert_true(count <= 8);
    for (uint32_t i = 0; i < count; i++)
        text_add_string(&texts[i], strings[i]);
    akin_weights *weights = weigh(context, texts, count, 1, options);
    for (int i = 0; i < 8; i++)
        text_clear(&texts[i]);
    return weights;
}

/* Words that have a stem in common are one term, and stop words are none, not even in the length of a document. */
static void test_stems(void **state)
{
    static const char *const strings[] = {"The Runner runs, running; they ran", "univers universe universal Universes",
                                          "the of and"};
    static const char *const stops[] = {"the", "They", "of and"};
    (void)state;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        akin_context *context = create_context(threads, 0);
        akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
        akin_text_options how = AKIN_TEXT_OPTIONS_INIT;
        const uint32_t *ids, *tf;
        how.stop_words = stops;
        how.stop_word_count = 3;
        options.text = &how;
        options.stem = "english";
        akin_weights *weights = weigh_strings(context, strings, 3, &options);
        assert_terms(weights, "runner:1 run:1 ran:1 univ:1 univers:1 ");
        assert_int_equal(akin_weights_length(weights, 0), 4);
        assert_int_equal(akin_weights_length(weights, 1), 4);
        assert_int_equal(akin_weights_length(weights, 2), 0);
        assert_int_equal(akin_weights_list(weights, 0, &ids, &tf, NULL), 3);
        assert_int_equal(tf[1], 2);
        assert_int_equal(akin_weights_list(weights, 1, &ids, &tf, NULL), 2); /* "univers" is a word, and a stem */
        assert_int_equal(tf[0], 1);
        assert_int_equal(tf[1], 3);
        akin_weights_free(weights);
        akin_context_free(context);
    }
}

static void test_dictionary(void **state)
{
    static const char *const words[] = {"b", "never", "a"};
    static const char *const strings[] = {"x a y", "y b b z", "a"};
    builder b = builder_of(words, 3);
    akin_column column = builder_column(&b, NULL);
    akin_context *context = create_context(2, 0);
    akin_trie *trie = NULL;
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights_statistics s = {.size = sizeof s};
    const uint32_t *ids, *tf;
    (void)state;
    assert_int_equal(akin_trie_build(context, &column, 3, NULL, &trie, NULL), AKIN_OK);
    akin_weights *plain = weigh_strings(context, strings, 3, &options);
    options.dictionary = trie;
    akin_weights *shared = weigh_strings(context, strings, 3, &options);
    assert_terms(shared, "a:2 b:1 never:0 :2 ");
    assert_int_equal(akin_weights_describe(shared, &s, NULL), AKIN_OK);
    assert_int_equal(s.terms, 3);
    assert_int_equal(s.pairs, 5);
    assert_int_equal(akin_weights_list(shared, 0, &ids, &tf, NULL), 2);
    assert_int_equal(ids[1], 3);
    assert_int_equal(tf[1], 2);
    options.unknown = AKIN_UNKNOWN_ADD;
    akin_weights *added = weigh_strings(context, strings, 3, &options);
    assert_terms(added, "a:2 b:1 never:0 x:1 y:2 z:1 ");
    double sum, plain_sum;
    assert_int_equal(akin_weights_sum(context, added, &sum, NULL), AKIN_OK);
    assert_int_equal(akin_weights_sum(context, plain, &plain_sum, NULL), AKIN_OK);
    assert_memory_equal(&sum, &plain_sum, sizeof sum); /* no term loses its weight */
    akin_weights_free(plain);
    akin_weights_free(shared);
    akin_weights_free(added);
    akin_trie_free(trie);
    akin_context_free(context);
    builder_clear(&b);
}

/* Tokens of every kind, against the oracle. */
static void test_tokens(void **state)
{
    enum { TEXTS = 40 };
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (int kind = AKIN_TOKENS_WORDS; akin_tokens_facts_of((akin_tokens)kind); kind++) {
        akin_context *context = create_context(2, 0);
        akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
        akin_text_options how = AKIN_TEXT_OPTIONS_INIT;
        text texts[TEXTS];
        for (int i = 0; i < TEXTS; i++)
            texts[i] = random_text(&random, 50);
        how.tokens = (akin_tokens)kind;
        how.q = 2;
        options.text = &how;
        expected e = expect(texts, TEXTS, 1, 4000, how.tokens, 2);
        akin_weights *weights = weigh(context, texts, TEXTS, 1, &options);
        assert_weights(weights, &e, &options);
        akin_weights_free(weights);
        expected_clear(&e);
        for (int i = 0; i < TEXTS; i++)
            text_clear(&texts[i]);
        akin_context_free(context);
    }
}

/* --------------------------------------------------------------------------------------------------------- refusals */

static void assert_refused_with(const akin_annex *annex, const akin_weigh_options *options, const char *string,
                                akin_status status, const char *message)
{
    akin_context *context = create_context(1, 0);
    akin_weights *weights = NULL;
    akin_error error = {0};
    builder b = builder_of(&string, 1);
    akin_column column = builder_column(&b, "text");
    assert_int_equal(akin_context_use(context, annex, NULL), AKIN_OK);
    assert_int_equal(akin_weigh(context, &column, 1, 1, options, &weights, &error), status);
    assert_int_equal(error.code, status);
    assert_string_equal(error.message, message);
    assert_null(weights);
    builder_clear(&b);
    akin_context_free(context);
}

static void assert_refused(const akin_weigh_options *options, const char *string, akin_status status,
                           const char *message)
{
    assert_refused_with(NULL, options, string, status, message);
}

static void test_refused(void **state)
{
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_text_options how = AKIN_TEXT_OPTIONS_INIT;
    (void)state;
    assert_refused(NULL, "caf\xe9", AKIN_E_INPUT, "row 0, column 'text': the text is not valid UTF-8");
    options.formula = (akin_formula)9;
    assert_refused(&options, "a", AKIN_E_OPTION, "formula 9 is none of those there are");
    options.formula = AKIN_FORMULA_PAPER;
    options.k1 = -1;
    assert_refused(&options, "a", AKIN_E_OPTION, "k1 is -1; expected 0 to 1000000");
    options.k1 = 1.2;
    options.b = NAN;
    assert_refused(&options, "a", AKIN_E_OPTION, "b is nan; expected 0 to 1");
    options.b = 1;
    options.technique = (akin_weigh_technique)2;
    assert_refused(&options, "a", AKIN_E_OPTION, "akin_weigh_options: there is no technique 2");
    options.technique = AKIN_WEIGH_PRIMITIVES;
    assert_refused(&options, "a", AKIN_E_OPTION,
                   "akin_weigh_options: the technique 1024 is not in libakin: link libakin_papers, and call "
                   "akin_context_use(context, akin_papers(), error) first");
    assert_refused_with(akin_papers(), &options, "a", AKIN_E_OPTION,
                        "the technique primitives is one of a GPU: expected the device cuda, or hash");
    options.technique = AKIN_WEIGH_DICTIONARY;
    assert_refused_with(akin_papers(), &options, "a", AKIN_E_OPTION,
                        "the technique dictionary is one of a GPU: expected the device cuda, or hash");
    options.technique = AKIN_WEIGH_HASH;
    options.stem = "klingon";
    akin_context *context = create_context(1, 0);
    akin_weigher *weigher = NULL;
    akin_error error;
    assert_int_equal(akin_weigher_create(context, &options, &weigher, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "there is no stemmer 'klingon': expected one of "));
    akin_context_free(context);
    options.stem = "english";
    how.tokens = AKIN_TOKENS_QGRAMS;
    options.text = &how;
    assert_refused(&options, "a", AKIN_E_OPTION, "q-grams have no stems: expected words, or no stemmer");
    how.tokens = AKIN_TOKENS_WORDS;
    how.multiset = 1;
    assert_refused(&options, "a", AKIN_E_OPTION, "multiset is 1; expected 0: terms are counted");
}

/* A bound that is too small for a document says which would do. */
static void test_too_long(void **state)
{
    text t = {0};
    (void)state;
    for (int i = 0; i < 600000; i++) {
        text_add_number(&t, (uint64_t)i * 7919);
        text_add_string(&t, " ");
    }
    akin_context *context = create_context(1, 16 << 20);
    akin_weights *weights = NULL;
    akin_error error = {0};
    const uint64_t offsets[] = {0, t.length};
    akin_column column = {sizeof column, NULL, offsets, t.bytes, NULL, 0, NULL, 0, 0};
    assert_int_equal(akin_weigh(context, &column, 1, 1, NULL, &weights, &error), AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "row 0: a memory bound of 16 MiB is too small for a document of "));
    akin_context_free(context);
    text_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),      cmocka_unit_test(test_random),         cmocka_unit_test(test_same),
        cmocka_unit_test(test_two),        cmocka_unit_test(test_long_word),      cmocka_unit_test(test_many_documents),
        cmocka_unit_test(test_over),       cmocka_unit_test(test_stems),          cmocka_unit_test(test_dictionary),
        cmocka_unit_test(test_tokens),     cmocka_unit_test(test_refused),        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_brief),      cmocka_unit_test(test_brief_refused),  cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_statistics), cmocka_unit_test(test_corpus_refused),
    };
    return RUN_TESTS(tests, 3, NULL, NULL);
}
