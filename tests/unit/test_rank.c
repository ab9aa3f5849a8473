/* Indexes and ranking, against an oracle that adds up all weights of every document: saved, opened, damaged. */
#define _GNU_SOURCE

#include "base/context.h"
#include "unit/test_rank_support.h"

#include "base/memory.h"
#include "unit/test_sanitizers.h"

#include <unistd.h>

/* ----------------------------------------------------------------------------------------------------------- oracle */

typedef struct expected {
    double score;
    uint32_t document;
} expected;

static int by_score(const void *a, const void *b)
{
    const expected *left = a, *right = b;
    if (left->score != right->score)
        return left->score < right->score ? 1 : -1;
    return left->document < right->document ? -1 : left->document > right->document;
}

/* The id of a word, that of unknown ones if there is one, or AKIN_WEIGHTS_NONE. */
static uint32_t find_term(const akin_weights *weights, const char *word, size_t length)
{
    akin_weights_statistics s = {.size = sizeof s};
    const char *bytes;
    size_t size;
    assert_int_equal(akin_weights_describe(weights, &s, NULL), AKIN_OK);
    for (uint32_t i = 0; i < s.ids; i++) {
        akin_weights_term(weights, i, &bytes, &size);
        if (size == length && memcmp(bytes, word, length) == 0)
            return i;
    }
    return weights->shared;
}

/* The scores of all documents that have a token of the query; returns how many there are, best first. */
static uint32_t expect(const akin_weights *weights, uint32_t documents, const char *query, size_t length, expected *out)
{
    double *scores = calloc(documents + 1, sizeof *scores);
    uint8_t *found = calloc(documents + 1, 1);
    uint32_t count = 0;
    assert_non_null(scores);
    assert_non_null(found);
    for (size_t i = 0; i < length; i++) {
        size_t begin = i;
        while (i < length && query[i] != ' ')
            i++;
        uint32_t term = find_term(weights, query + begin, i - begin);
        const uint32_t *ids = NULL;
        const double *values = NULL;
        uint32_t entries = term == AKIN_WEIGHTS_NONE ? 0 : akin_weights_list(weights, term, &ids, NULL, &values);
        for (uint32_t e = 0; e < entries; e++) {
            scores[ids[e]] += values[e];
            found[ids[e]] = 1;
        }
    }
    for (uint32_t i = 0; i < documents; i++)
        if (found[i])
            out[count++] = (expected){scores[i], i};
    qsort(out, count, sizeof *out, by_score);
    free(scores);
    free(found);
    return count;
}

/* ---------------------------------------------------------------------------------------------------------- ranking */

static hits rank(akin_context *context, const akin_rank_index *index, const akin_column *queries, uint32_t rows,
                 uint32_t k)
{
    akin_rank_options options = AKIN_RANK_OPTIONS_INIT;
    hits h = {0};
    akin_error error;
    options.k = k;
    akin_status status = akin_rank(context, index, queries, 1, rows, &options, take, &h, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    return h;
}

static void assert_hits(const hits *h, const akin_weights *weights, uint32_t documents, const akin_column *queries,
                        uint32_t rows, uint32_t k)
{
    expected *want = calloc(documents + 1, sizeof *want);
    size_t at = 0;
    assert_non_null(want);
    for (uint32_t q = 0; q < rows; q++) {
        uint64_t begin = queries->offsets[q];
        uint32_t count =
            expect(weights, documents, queries->bytes + begin, (size_t)(queries->offsets[q + 1] - begin), want);
        for (uint32_t i = 0; i < count && i < k; i++, at++) {
            assert_true(at < h->count);
            assert_int_equal(h->list[at].query, q);
            assert_int_equal(h->list[at].document, want[i].document);
            assert_memory_equal(&h->list[at].score, &want[i].score, sizeof(double)); /* to the last bit */
        }
    }
    assert_int_equal(at, h->count);
    free(want);
}

/* All of it for a collection: several k, numbers of threads, and after it was saved and opened. */
static void check(uint64_t seed, uint32_t documents, uint32_t longest, uint32_t vocabulary, akin_formula formula)
{
    static const uint32_t ks[] = {1, 3, 10, 1000, UINT32_MAX};
    enum { QUERIES = 25 };
    akin_context one = {.scope = {.context = &one, .threads = 1}}, three = {.scope = {.context = &three, .threads = 3}};
    lines texts, asked;
    make_rows(&texts, seed, documents, longest, vocabulary);
    make_rows(&asked, seed + 1, QUERIES, 9, vocabulary + vocabulary / 4);
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    akin_weights *weights = weigh(&one, &column, documents, formula);
    akin_rank_index *index = NULL, *again = NULL;
    char path[] = "/tmp/akin-test-rank-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(akin_rank_index_create(&three, weights, NULL, &index, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_save(&one, index, path, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_open(&three, path, &again, NULL), AKIN_OK);
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        hits found[3] = {rank(&one, index, &queries, QUERIES, ks[i]), rank(&three, index, &queries, QUERIES, ks[i]),
                         rank(&three, again, &queries, QUERIES, ks[i])};
        for (int way = 0; way < 3; way++) {
            assert_hits(&found[way], weights, documents, &queries, QUERIES, ks[i]);
            free(found[way].list);
        }
    }
    akin_rank_index_statistics s = {.size = sizeof s};
    akin_weights_statistics w = {.size = sizeof w};
    assert_int_equal(akin_rank_index_describe(again, &s, NULL), AKIN_OK);
    assert_int_equal(akin_weights_describe(weights, &w, NULL), AKIN_OK);
    assert_int_equal(s.documents, documents);
    assert_int_equal(s.pairs, w.pairs);
    assert_int_equal(s.terms, w.terms);
    assert_int_equal(s.words, w.words);
    unlink(path);
    akin_rank_index_free(index);
    akin_rank_index_free(again);
    akin_weights_free(weights);
    lines_clear(&texts);
    lines_clear(&asked);
}

static void every_formula(void **state)
{
    const akin_choice *row;
    (void)state;
    for (uint32_t i = 0; (row = akin_choices("formulas", i)); i++)
        check(i, 3000, 30, 60, (akin_formula)row->value);
}

static void all_sizes(void **state)
{
    static const uint32_t sizes[] = {0, 1, 2, 127, 128, 129, 700};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check(7 * i, sizes[i], 5, 4, AKIN_FORMULA_PAPER);
        check(7 * i + 1, sizes[i], 40, 2000, AKIN_FORMULA_LUCENE);
    }
}

/* More documents than a window has, lists of many blocks and of few. */
static void many_windows(void **state)
{
    (void)state;
    if (!UNDER_TSAN)
        check(11, 100000, 6, 300, AKIN_FORMULA_PAPER);
    check(12, 90000, 3, 8, AKIN_FORMULA_ROBERTSON);
}

/* Documents that are all alike: ties, by number. */
static void ties(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    lines texts, asked;
    lines_begin(&texts, 50000);
    lines_begin(&asked, 2);
    for (uint32_t i = 0; i < 50000; i++) {
        fprintf(texts.out, i % 3 == 1 ? "red green" : "red blue");
        lines_end_row(&texts);
    }
    fprintf(asked.out, "blue red");
    lines_end_row(&asked);
    fprintf(asked.out, "red");
    lines_end_row(&asked);
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    akin_weights *weights = weigh(&context, &column, 50000, AKIN_FORMULA_PAPER);
    akin_rank_index *index = NULL;
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    for (uint32_t k = 1; k < 100; k += 7) {
        hits h = rank(&context, index, &queries, 2, k);
        assert_hits(&h, weights, 50000, &queries, 2, k);
        free(h.list);
    }
    akin_rank_index_free(index);
    akin_weights_free(weights);
    lines_clear(&texts);
    lines_clear(&asked);
}

/* A long query with one word a thousand times; nulls; and a vocabulary in which all unknown words are one. */
static void unusual_queries(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    static const char *const known[] = {"w1", "w2", "w3"};
    static const uint64_t offsets[] = {0, 2, 4, 6};
    akin_column words = {.size = sizeof words, .offsets = offsets, .bytes = "w1w2w3"};
    lines texts, asked;
    make_rows(&texts, 5, 2000, 20, 40);
    lines_begin(&asked, 3);
    for (int i = 0; i < 3000; i++)
        fprintf(asked.out, i % 3 ? "w%d " : "w2 ", i % 50);
    lines_end_row(&asked);
    fprintf(asked.out, "%s of no document", known[0]);
    lines_end_row(&asked);
    lines_end_row(&asked);
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    akin_weights *weights = weigh(&context, &column, 2000, AKIN_FORMULA_PAPER);
    akin_rank_index *index = NULL;
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    hits h = rank(&context, index, &queries, 3, 20);
    assert_hits(&h, weights, 2000, &queries, 3, 20);
    free(h.list);
    const uint8_t validity = 5;
    queries.validity = &validity;
    h = rank(&context, index, &queries, 3, 20);
    for (size_t i = 0; i < h.count; i++)
        assert_int_equal(h.list[i].query, 0);
    free(h.list);
    akin_rank_index_free(index);
    akin_weights_free(weights);
    akin_trie *trie = NULL;
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    assert_int_equal(akin_trie_build(&context, &words, 3, NULL, &trie, NULL), AKIN_OK);
    options.dictionary = trie;
    options.order = AKIN_WEIGHTS_BY_TERM;
    assert_int_equal(akin_weigh(&context, &column, 1, 2000, &options, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    queries.validity = NULL;
    assert_true(akin_weights_list(weights, find_term(weights, "document", 8), NULL, NULL, NULL) > 1000);
    h = rank(&context, index, &queries, 3, UINT32_MAX);
    assert_hits(&h, weights, 2000, &queries, 3, UINT32_MAX);
    free(h.list);
    akin_rank_index_free(index);
    akin_weights_free(weights);
    akin_trie_free(trie);
    lines_clear(&texts);
    lines_clear(&asked);
}

static void names_come_along(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    static const uint64_t offsets[] = {3, 6, 9}, texts[] = {0, 4, 9};
    akin_column names = {.size = sizeof names, .offsets = offsets, .bytes = "...onetwo"};
    akin_column column = {.size = sizeof column, .offsets = texts, .bytes = "blue green"};
    akin_weights *weights = weigh(&context, &column, 2, AKIN_FORMULA_PAPER);
    akin_rank_index *index = NULL;
    const char *name;
    size_t length;
    assert_int_equal(akin_rank_index_create(&context, weights, &names, &index, NULL), AKIN_OK);
    assert_true(akin_rank_index_name(index, 1, &name, &length) && length == 3 && memcmp(name, "two", 3) == 0);
    assert_false(akin_rank_index_name(index, 2, &name, &length));
    akin_rank_index_free(index);
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    assert_false(akin_rank_index_name(index, 0, &name, &length));
    akin_rank_index_free(index);
    akin_weights_free(weights);
}

/* ---------------------------------------------------------------------------------------------------------- refused */

static akin_rank_index *small_index(akin_context *context)
{
    lines texts;
    make_rows(&texts, 3, 400, 12, 30);
    akin_column column = lines_column(&texts);
    akin_weights *weights = weigh(context, &column, 400, AKIN_FORMULA_PAPER);
    akin_rank_index *index = NULL;
    assert_int_equal(akin_rank_index_create(context, weights, NULL, &index, NULL), AKIN_OK);
    akin_weights_free(weights);
    lines_clear(&texts);
    return index;
}

/* Of queries that are not UTF-8 the first one is named, by any number of threads. */
static void first_query_named(void **state)
{
    (void)state;
    enum { ROWS = 60 };
    akin_context context = {.scope = {.context = &context, .threads = 3}};
    akin_rank_index *index = small_index(&context);
    uint64_t offsets[ROWS + 1];
    char bytes[ROWS];
    const akin_column query = {.size = sizeof query, .name = "q", .offsets = offsets, .bytes = bytes};
    hits h = {0};
    akin_error error;
    for (uint32_t i = 0; i <= ROWS; i++)
        offsets[i] = i;
    memset(bytes, 0xff, ROWS);
    memset(bytes, 'w', 11);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(akin_rank(&context, index, &query, 1, ROWS, NULL, take, &h, &error), AKIN_E_INPUT);
        assert_string_equal(error.message, "query 11, column q: is not UTF-8");
    }
    akin_rank_index_free(index);
}

static void what_is_refused(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_rank_index *index = small_index(&context), *none = NULL;
    static const uint64_t offsets[] = {0, 2};
    akin_column query = {.size = sizeof query, .name = "q", .offsets = offsets, .bytes = "w1"};
    akin_rank_options options = AKIN_RANK_OPTIONS_INIT;
    akin_weigh_options by_document = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights *weights = NULL;
    hits h = {0};
    akin_error error;
    options.k = 0;
    assert_int_equal(akin_rank(&context, index, &query, 1, 1, &options, take, &h, &error), AKIN_E_OPTION);
    query.bytes = "\xff\xfe";
    assert_int_equal(akin_rank(&context, index, &query, 1, 1, NULL, take, &h, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "UTF-8"));
    query.bytes = "w1";
    h.stop = 1;
    assert_int_equal(akin_rank(&context, index, &query, 1, 1, NULL, take, &h, &error), AKIN_E_CANCELLED);
    assert_int_equal(h.count, 0);
    assert_int_equal(akin_weigh(&context, &query, 1, 1, &by_document, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &none, &error), AKIN_E_OPTION);
    assert_null(none);
    akin_weights_free(weights);
    akin_rank_index_free(index);
}

/* A column of a later version, which has more behind what is known of it. */
typedef struct later {
    akin_column column;
    uint64_t more[2];
} later;

/* Columns whose structs are longer are found all the same. */
static void later_columns(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    static const uint64_t texts[] = {0, 4, 9}, first[] = {0, 4}, second[] = {0, 5};
    akin_column column = {.size = sizeof column, .offsets = texts, .bytes = "bluegreen"};
    later queries[2] = {{{.size = sizeof(later), .offsets = first, .bytes = "pink"}, {7, 7}},
                        {{.size = sizeof(later), .offsets = second, .bytes = "green"}, {7, 7}}};
    akin_weights *weights = weigh(&context, &column, 2, AKIN_FORMULA_PAPER);
    akin_rank_index *index = NULL;
    hits h = {0};
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    assert_int_equal(akin_rank(&context, index, &queries[0].column, 2, 1, NULL, take, &h, NULL), AKIN_OK);
    assert_int_equal(h.count, 1);
    assert_int_equal(h.list[0].document, 1);
    free(h.list);
    akin_rank_index_free(index);
    akin_weights_free(weights);
}

/* No columns, columns of another size, and such as are cut wrongly. */
static void columns_refused(void **state)
{
    (void)state;
    static const char falls[] = "column 0, row 1: its offset 4 is above the next one, 3",
                      small[] = "column 0: its size is 56, expected 64, as in all of them";
    static const uint64_t offsets[] = {0, 4, 9}, wrong[] = {0, 4, 3};
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = "bluegreen"}, bad = column, old = column;
    akin_weights *weights = weigh(&context, &column, 2, AKIN_FORMULA_PAPER);
    akin_rank_index *index = NULL, *none = NULL;
    akin_output *output = NULL;
    hits h = {0};
    akin_error error;
    bad.offsets = wrong;
    old.size -= 8;
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    assert_int_equal(akin_rank(&context, index, &column, 0, 2, NULL, take, &h, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "no columns to rank by; expected at least 1");
    assert_int_equal(akin_output_open(&context, "-", &output, NULL), AKIN_OK);
    for (int i = 0; i < 2; i++) {
        const akin_column *given = i == 0 ? &bad : &old;
        const char *why = i == 0 ? falls : small;
        assert_int_equal(akin_rank(&context, index, given, 1, 2, NULL, take, &h, &error), AKIN_E_OPTION);
        assert_string_equal(error.message, why);
        assert_int_equal(akin_rank_index_create(&context, weights, given, &none, &error), AKIN_E_OPTION);
        assert_string_equal(error.message, why);
        assert_int_equal(akin_weights_write(&context, weights, given, AKIN_WEIGHTS_TSV, output, &error), AKIN_E_OPTION);
        assert_string_equal(error.message, why);
    }
    assert_null(none);
    assert_int_equal(h.calls, 0);
    akin_output_discard(output);
    akin_rank_index_free(index);
    akin_weights_free(weights);
}

/* Every bit of a saved index that is flipped is found out, if all is checked. */
static void flipped_bits(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 1}, .verify = 1};
    akin_rank_index *index = small_index(&context), *again = NULL;
    char path[] = "/tmp/akin-test-rank-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(akin_rank_index_save(&context, index, path, NULL), AKIN_OK);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *image = akin_alloc(NULL, 1 << 20, 1);
    assert_non_null(image);
    size_t length = fread(image, 1, 1 << 20, in);
    fclose(in);
    unlink(path);
    assert_true(length > 1000 && length < 1 << 20);
    for (size_t i = 0; i < length; i++) {
        image[i] ^= (char)(1 << i % 8);
        assert_int_equal(akin_rank_index_parse(akin_scope_of(&context), "image", image, length, &again, NULL),
                         AKIN_E_INPUT);
        image[i] ^= (char)(1 << i % 8);
    }
    for (size_t cut = 0; cut < length; cut += 97)
        assert_int_equal(akin_rank_index_parse(akin_scope_of(&context), "image", image, cut, &again, NULL),
                         AKIN_E_INPUT);
    assert_int_equal(akin_rank_index_parse(akin_scope_of(&context), "image", image, length, &again, NULL), AKIN_OK);
    akin_rank_index_free(again);
    akin_free(image);
    akin_rank_index_free(index);
}

/* Words that a document says very often, and others a little less so: each count has its factor. */
static void large_counts(void **state)
{
    static const uint32_t counts[] = {1, 2, 31, 32, 33, 34, 100, 255, 256, 1000, 70000};
    enum { ROWS = 60 };
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 3}};
    akin_random random;
    lines texts, asked;
    lines_begin(&texts, ROWS);
    make_rows(&asked, 4, 20, 5, 12);
    akin_random_seed(&random, 9);
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t word = 0; word < 10; word++)
            for (uint32_t n = counts[akin_random_below(&random, i == 0 ? 11 : 10)]; n > 0; n--)
                fprintf(texts.out, "w%u ", word);
        lines_end_row(&texts);
    }
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    akin_weights *weights = weigh(&context, &column, ROWS, AKIN_FORMULA_LUCENE);
    akin_rank_index *index = NULL;
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    for (uint32_t k = 1; k <= ROWS; k += 20) {
        hits h = rank(&context, index, &queries, 20, k);
        assert_hits(&h, weights, ROWS, &queries, 20, k);
        free(h.list);
    }
    const akin_lists *lists = &index->lists; /* as many factors as counts, or a few more */
    assert_in_range(lists->parts[AKIN_LISTS_FACTORS].length / sizeof(double), 10 * ROWS / 2, (32 + 8) * ROWS);
    akin_rank_index_free(index);
    akin_weights_free(weights);
    lines_clear(&texts);
    lines_clear(&asked);
}

/* A query of thousands of words, many of them several times. */
static void long_queries(void **state)
{
    enum { ROWS = 300, VOCABULARY = 900 };
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_random random;
    lines texts, asked;
    make_rows(&texts, 21, ROWS, 60, VOCABULARY);
    lines_begin(&asked, 3);
    akin_random_seed(&random, 22);
    for (uint32_t count = 31; count < 10000; count = count == 31 ? 70 : 9000 + count)
        add_words(&asked, &random, count, VOCABULARY);
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    akin_weights *weights = weigh(&context, &column, ROWS, AKIN_FORMULA_BM25_PLUS);
    akin_rank_index *index = NULL;
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    for (uint32_t k = 1; k <= ROWS; k += 60) {
        hits h = rank(&context, index, &queries, asked.rows, k);
        assert_hits(&h, weights, ROWS, &queries, asked.rows, k);
        free(h.list);
    }
    akin_rank_index_free(index);
    akin_weights_free(weights);
    lines_clear(&texts);
    lines_clear(&asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_formula),     cmocka_unit_test(all_sizes),
        cmocka_unit_test(many_windows),      cmocka_unit_test(ties),
        cmocka_unit_test(unusual_queries),   cmocka_unit_test(names_come_along),
        cmocka_unit_test(first_query_named), cmocka_unit_test(what_is_refused),
        cmocka_unit_test(later_columns),     cmocka_unit_test(columns_refused),
        cmocka_unit_test(flipped_bits),      cmocka_unit_test(large_counts),
        cmocka_unit_test(long_queries),
    };
    return RUN_TESTS(tests, 2, NULL, NULL);
}
