/*
 * The oracle of term weights: every document cut by the oracle of text, terms found by going through all of them,
 * weights by the formulas as they stand in akin.h. And random documents.
 */
#ifndef AKIN_TEST_WEIGH_SUPPORT_H
#define AKIN_TEST_WEIGH_SUPPORT_H

#include "test_text_columns.h"

#include "base/random.h"

#include <math.h>

typedef struct expected {
    uint32_t terms, documents;
    text *names;       /* of terms, as they first appear */
    uint32_t *tf;      /* of term t in document d: tf[d * room + t] */
    uint32_t *lengths; /* of documents */
    uint32_t *df;
    size_t room;
    uint64_t words, pairs;
} expected;

static inline uint32_t expected_term(expected *e, const char *bytes, size_t length)
{
    uint32_t t = 0;
    while (t < e->terms && (e->names[t].length != length || memcmp(e->names[t].bytes, bytes, length) != 0))
        t++;
    assert_true(t < e->room);
    if (t == e->terms)
        text_add(&e->names[e->terms++], bytes, length);
    return t;
}

/* Document d is texts[d * columns] .. texts[d * columns + columns - 1]; at most `room` terms are in all of them. */
static inline expected expect(const text *texts, uint32_t documents, uint32_t columns, size_t room, akin_tokens tokens,
                              uint32_t q)
{
    expected e = {.documents = documents, .room = room};
    e.names = calloc(room, sizeof *e.names);
    e.tf = calloc(documents * room + 1, sizeof *e.tf);
    e.lengths = calloc((size_t)documents + 1, sizeof *e.lengths);
    e.df = calloc(room, sizeof *e.df);
    assert_true(e.names && e.tf && e.lengths && e.df);
    for (uint32_t i = 0; i < documents * columns; i++) {
        uint32_t d = i / columns;
        oracle o = oracle_of(texts[i].bytes, texts[i].length, tokens, q, (int)akin_tokens_facts_of(tokens)->is_folded);
        for (size_t j = 0; j < o.count; j++) {
            uint32_t t = expected_term(&e, o.text + o.starts[j], o.ends[j] - o.starts[j]);
            uint32_t before = e.tf[d * room + t]++;
            e.pairs += before == 0;
            e.df[t] += before == 0;
        }
        e.lengths[d] += (uint32_t)o.count;
        e.words += o.count;
        oracle_clear(&o);
    }
    return e;
}

static inline void expected_clear(expected *e)
{
    for (uint32_t t = 0; t < e->terms; t++)
        text_clear(&e->names[t]);
    free(e->names);
    free(e->tf);
    free(e->lengths);
    free(e->df);
    *e = (expected){0};
}

static inline double expected_weight(const expected *e, uint32_t d, uint32_t t, akin_formula formula, double k1,
                                     double b, double delta)
{
    double all = e->documents, df = e->df[t], tf = e->tf[d * e->room + t];
    double mean = (double)e->words / all, share = (1 - b) + b * (e->lengths[d] / mean), norm = k1 * share, c;
    switch (formula) {
    case AKIN_FORMULA_ROBERTSON:
        return log((all - df + 0.5) / (df + 0.5)) * (tf / (norm + tf));
    case AKIN_FORMULA_LUCENE:
        return log(1 + (all - df + 0.5) / (df + 0.5)) * (tf / (norm + tf));
    case AKIN_FORMULA_BM25_PLUS:
        return log((all + 1) / df) * (delta + ((k1 + 1) * tf) / (norm + tf));
    case AKIN_FORMULA_BM25_L:
        c = tf / share + delta;
        return log((all + 1) / (df + 0.5)) * (((k1 + 1) * c) / (k1 + c));
    case AKIN_FORMULA_PAPER:
    case AKIN_FORMULA_ATIRE:
        break;
    }
    return log(all / df) * (((k1 + 1) * tf) / (norm + tf));
}

/* The texts as columns, which the builders hold. */
static inline void columns_of(const text *texts, uint32_t documents, uint32_t columns, builder *builders,
                              akin_column *out)
{
    for (uint32_t c = 0; c < columns; c++) {
        builders[c] = (builder){0};
        for (uint32_t d = 0; d < documents; d++)
            builder_add(&builders[c], texts[d * columns + c].bytes, texts[d * columns + c].length);
        out[c] = builder_column(&builders[c], NULL);
        if (!out[c].offsets) {
            static const uint64_t none;
            out[c].offsets = &none;
            out[c].bytes = "";
        }
    }
}

/* Asserts that the weights are the expected ones, to the last bit. */
static inline void assert_weights(const akin_weights *weights, const expected *e, const akin_weigh_options *options)
{
    akin_weights_statistics s = {.size = sizeof s};
    assert_int_equal(akin_weights_describe(weights, &s, NULL), AKIN_OK);
    assert_int_equal(s.documents, e->documents);
    assert_int_equal(s.terms, e->terms);
    assert_int_equal(s.ids, e->terms);
    assert_int_equal(s.words, e->words);
    assert_int_equal(s.pairs, e->pairs);
    for (uint32_t t = 0; t < s.ids; t++) {
        const char *bytes;
        size_t length;
        akin_weights_term(weights, t, &bytes, &length);
        assert_int_equal(length, e->names[t].length);
        assert_memory_equal(bytes, e->names[t].bytes, length);
        assert_int_equal(akin_weights_df(weights, t), e->df[t]);
    }
    for (uint32_t d = 0; d < s.documents; d++)
        assert_int_equal(akin_weights_length(weights, d), e->lengths[d]);
    int by_term = s.order == AKIN_WEIGHTS_BY_TERM;
    for (uint32_t i = 0; i < (by_term ? s.ids : s.documents); i++) {
        const uint32_t *ids, *tf;
        const double *values;
        uint32_t count = akin_weights_list(weights, i, &ids, &tf, &values), n = 0;
        for (uint32_t j = 0; j < (by_term ? s.documents : s.ids); j++) {
            uint32_t d = by_term ? j : i, t = by_term ? i : j;
            if (e->tf[d * e->room + t] == 0)
                continue;
            assert_true(n < count);
            assert_int_equal(ids[n], j);
            assert_int_equal(tf[n], e->tf[d * e->room + t]);
            double want = expected_weight(e, d, t, options->formula, options->k1, options->b,
                                          options->formula == AKIN_FORMULA_BM25_L && options->delta < 0 ? 0.5
                                          : options->delta < 0                                          ? 1
                                                               : options->delta);
            assert_memory_equal(&values[n], &want, sizeof want);
            n++;
        }
        assert_int_equal(n, count);
    }
}

/* A random text of `words` words out of about `vocabulary`, few of them frequent, mostly in small letters. */
static inline text random_words(akin_random *random, uint64_t words, uint64_t vocabulary)
{
    static const char *const separators[] = {" ", " ", " ", "\n", ", ", "-", "\r\n", "\t\t", "! "};
    text t = {0};
    text_add(&t, "", 0);
    for (uint64_t i = 0; i < words; i++) {
        uint64_t word = akin_random_below(random, akin_random_below(random, vocabulary) + 1);
        text_add_string(&t, akin_random_below(random, 9) ? "w" : "W");
        text_add_number(&t, word);
        if (word % 13 == 0)
            text_add_string(&t, "averylongwordindeed");
        if (word % 17 == 0)
            text_add_string(&t, "\xc3\xa9");
        text_add_string(&t, separators[akin_random_below(random, sizeof separators / sizeof *separators)]);
    }
    return t;
}

#endif
