/* Indexes of kind bm25: what akin_search finds by one against what akin_rank finds, and what is refused. */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include "base/context.h"
#include "test_text_columns.h"

#include "akin.h"
#include "device/device.h"
#include "test_base_files.h"

#define DOCUMENTS 300
#define QUERIES   40
#define WORDS     50

static akin_context context = {.scope = {.context = &context, .threads = 2}};

typedef struct ranked {
    akin_search_hit hits[QUERIES * DOCUMENTS];
    size_t count;
} ranked;

static int keep_hits(void *user, const akin_search_hit *found, size_t count)
{
    ranked *r = user;
    assert_true(r->count + count <= sizeof r->hits / sizeof *r->hits);
    memcpy(r->hits + r->count, found, count * sizeof *found);
    r->count += count;
    return 0;
}

static int keep_ranked(void *user, const akin_ranking_hit *found, size_t count)
{
    ranked *r = user;
    for (size_t i = 0; i < count; i++)
        r->hits[r->count++] =
            (akin_search_hit){.query = found[i].query, .object = found[i].document, .similarity = found[i].score};
    return 0;
}

static int refuse(void *user, const akin_search_hit *found, size_t count)
{
    (void)user, (void)found;
    return count > 0;
}

/* Texts of up to 12 words of a small vocabulary, to be cleared. */
static builder draw_texts(uint32_t seed, uint32_t rows)
{
    static char texts[DOCUMENTS][12 * 4 + 1];
    static const char *list[DOCUMENTS];
    for (uint32_t i = 0; i < rows; i++) {
        char *at = texts[i];
        *at = '\0';
        for (uint32_t left = (seed = 1664525 * seed + 1013904223) >> 28; left > 4; left--) {
            seed = 1664525 * seed + 1013904223;
            at += sprintf(at, "w%u ", (seed >> 16) % WORDS * ((seed >> 8) % 2));
        }
        list[i] = i % 31 == 7 ? NULL : texts[i];
    }
    return builder_of(list, rows);
}

static akin_search_index *make(const akin_column *text, const akin_column *names, const akin_weigh_options *weigh)
{
    const akin_search_objects objects = {.size = sizeof objects, .columns = text, .column_count = 1, .rows = DOCUMENTS};
    akin_search_index_options options = AKIN_SEARCH_INDEX_OPTIONS_INIT;
    akin_search_index *index = NULL;
    options.weigh = weigh;
    assert_int_equal(akin_search_index_make(&context, AKIN_KIND_BM25, &objects, &options, names, &index, NULL),
                     AKIN_OK);
    return index;
}

static akin_rank_index *make_ranking(const akin_column *text, const akin_weigh_options *given)
{
    akin_weigh_options options = *given;
    akin_weights *weights = NULL;
    akin_rank_index *index = NULL;
    options.order = AKIN_WEIGHTS_BY_TERM;
    assert_int_equal(akin_weigh(&context, text, 1, DOCUMENTS, &options, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_create(&context, weights, NULL, &index, NULL), AKIN_OK);
    akin_weights_free(weights);
    return index;
}

static void compare(const ranked *found, const ranked *expected)
{
    assert_int_equal(found->count, expected->count);
    for (size_t i = 0; i < found->count; i++) {
        assert_int_equal(found->hits[i].query, expected->hits[i].query);
        assert_int_equal(found->hits[i].object, expected->hits[i].object);
        assert_true(found->hits[i].similarity == expected->hits[i].similarity);
    }
}

/* One searcher, with several k, finds what rankings find. */
static void found_as_ranked(void **state)
{
    static const akin_formula formulas[] = {AKIN_FORMULA_PAPER, AKIN_FORMULA_LUCENE, AKIN_FORMULA_BM25_PLUS};
    static const uint32_t ks[] = {1, 10, 3, 1000};
    static ranked found, expected;
    (void)state;
    for (size_t f = 0; f < sizeof formulas / sizeof *formulas; f++) {
        akin_weigh_options weigh = AKIN_WEIGH_OPTIONS_INIT;
        weigh.formula = formulas[f];
        builder documents = draw_texts(7 + (uint32_t)f, DOCUMENTS);
        const akin_column text = builder_column(&documents, "text");
        akin_search_index *index = make(&text, NULL, &weigh);
        akin_rank_index *ranking = make_ranking(&text, &weigh);
        builder asked = draw_texts(99, QUERIES);
        const akin_column queries = builder_column(&asked, "any");
        akin_searcher *searcher = NULL;
        assert_int_equal(akin_searcher_create(&context, index, &searcher, NULL), AKIN_OK);
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
            akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
            const akin_rank_options as_ranked = {sizeof as_ranked, ks[i], 0};
            akin_search_report report = {.size = sizeof report};
            options.k = ks[i];
            found.count = expected.count = 0;
            assert_int_equal(
                akin_searcher_run(searcher, &queries, 1, QUERIES, &options, keep_hits, &found, &report, NULL), AKIN_OK);
            assert_int_equal(
                akin_rank(&context, ranking, &queries, 1, QUERIES, &as_ranked, keep_ranked, &expected, NULL), AKIN_OK);
            compare(&found, &expected);
            assert_true(found.count > 0 && report.found == found.count && report.queries == QUERIES);
            assert_int_equal(report.device, 0);
        }
        akin_searcher_free(searcher);
        akin_rank_index_free(ranking);
        akin_search_index_free(index);
        builder_clear(&documents);
        builder_clear(&asked);
    }
}

/* A file of either kind of index is opened as the other. */
static void saved_as_an_index(void **state)
{
    akin_weigh_options weigh = AKIN_WEIGH_OPTIONS_INIT;
    akin_search_statistics about = {.size = sizeof about};
    akin_rank_index_statistics ranked_about = {.size = sizeof ranked_about};
    akin_search_index *opened = NULL;
    akin_rank_index *ranking = NULL;
    const char *bytes;
    size_t length;
    (void)state;
    weigh.formula = AKIN_FORMULA_BM25_L;
    weigh.k1 = 2;
    builder documents = draw_texts(3, DOCUMENTS);
    const akin_column text = builder_column(&documents, "text");
    akin_search_index *index = make(&text, &text, &weigh);
    assert_int_equal(akin_search_index_save(&context, index, scratch_path("x.akin"), NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_open(&context, scratch_path("x.akin"), &ranking, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_describe(ranking, &ranked_about, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_open(&context, scratch_path("x.akin"), &opened, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_describe(opened, &about, NULL), AKIN_OK);
    assert_int_equal(about.kind, AKIN_KIND_BM25);
    assert_int_equal(about.objects, DOCUMENTS);
    assert_int_equal(about.keywords, ranked_about.terms);
    assert_int_equal(about.pairs, ranked_about.pairs);
    assert_int_equal(about.words, ranked_about.words);
    assert_int_equal(about.formula, AKIN_FORMULA_BM25_L);
    assert_true(about.k1 == 2 && about.b == .75 && about.delta == .5 && about.named == 1 && about.bytes > 1000);
    assert_true(akin_search_index_name(opened, 1, &bytes, &length));
    assert_int_equal(length, text.offsets[2] - text.offsets[1]);
    assert_memory_equal(bytes, text.bytes + text.offsets[1], length);
    assert_false(akin_search_index_name(opened, DOCUMENTS, &bytes, &length));
    akin_search_index_free(index);
    akin_search_index_free(opened);
    akin_rank_index_free(ranking);
    builder_clear(&documents);
}

static void refused(void **state)
{
    akin_weigh_options weigh = AKIN_WEIGH_OPTIONS_INIT;
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_index *longer = NULL;
    akin_error error;
    static ranked found;
    (void)state;
    builder documents = draw_texts(3, DOCUMENTS);
    const akin_column text = builder_column(&documents, "text");
    akin_search_index *index = make(&text, NULL, &weigh);
    assert_int_equal(akin_search_index_append(&context, index, &text, 1, DOCUMENTS, NULL, NULL, &longer, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "make it anew of all"));
    options.technique = AKIN_SEARCH_SCAN;
    assert_int_equal(akin_search(&context, index, &text, 1, 3, &options, keep_hits, &found, NULL, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "the technique scan counts matches"));
    options = (akin_search_options)AKIN_SEARCH_OPTIONS_INIT;
    options.least = 1;
    assert_int_equal(akin_search(&context, index, &text, 1, 3, &options, keep_hits, &found, NULL, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "least is a count of matches"));
    options = (akin_search_options)AKIN_SEARCH_OPTIONS_INIT;
    options.measure = AKIN_JACCARD;
    assert_int_equal(akin_search(&context, index, &text, 1, 3, &options, keep_hits, &found, NULL, &error),
                     AKIN_E_OPTION);
    assert_int_equal(akin_search(&context, index, &text, 1, DOCUMENTS, NULL, refuse, NULL, NULL, &error),
                     AKIN_E_CANCELLED);
    weigh.k1 = -1;
    const akin_search_objects objects = {
        .size = sizeof objects, .columns = &text, .column_count = 1, .rows = DOCUMENTS};
    akin_search_index_options of_index = AKIN_SEARCH_INDEX_OPTIONS_INIT;
    of_index.weigh = &weigh;
    assert_int_equal(akin_search_index_make(&context, AKIN_KIND_BM25, &objects, &of_index, NULL, &longer, &error),
                     AKIN_E_OPTION);
    assert_null(longer);
    akin_search_index_free(index);
    builder_clear(&documents);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(found_as_ranked), cmocka_unit_test(saved_as_an_index),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
