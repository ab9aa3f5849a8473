/* The facts about saved files of each kind, and files of other kinds. */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include "base/context.h"
#include "test_text_columns.h"

#include "akin.h"
#include "device/device.h"
#include "test_base_files.h"

static akin_context context = {.scope = {.context = &context, .threads = 2}};

static const char *const texts[] = {"red boats", "blue boats at sea", "the sea"};

static akin_saved *describe(const char *name, akin_saved_kind kind)
{
    akin_saved *saved = NULL;
    assert_int_equal(akin_saved_describe(&context, scratch_path(name), &saved, NULL), AKIN_OK);
    assert_int_equal(akin_saved_kind_of(saved), kind);
    return saved;
}

/* The fact of that name; NULL: there is none. Names are not given twice. */
static const akin_fact *fact_of(const akin_saved *saved, const char *name)
{
    const akin_fact *fact, *found = NULL;
    for (uint32_t i = 0; (fact = akin_saved_fact(saved, i)); i++)
        if (strcmp(fact->name, name) == 0) {
            assert_null(found);
            found = fact;
        }
    return found;
}

static void has_text(const akin_saved *saved, const char *name, const char *text)
{
    const akin_fact *fact = fact_of(saved, name);
    assert_non_null(fact);
    assert_int_equal(fact->form, AKIN_FACT_TEXT);
    if (text)
        assert_string_equal(fact->text, text);
    else
        assert_null(fact->text);
}

static void has_count(const akin_saved *saved, const char *name, uint64_t count)
{
    const akin_fact *fact = fact_of(saved, name);
    assert_non_null(fact);
    assert_true(fact->form == AKIN_FACT_COUNT || fact->form == AKIN_FACT_FLAG);
    assert_int_equal(fact->count, count);
}

static void has_number(const akin_saved *saved, const char *name, double number)
{
    const akin_fact *fact = fact_of(saved, name);
    assert_non_null(fact);
    assert_int_equal(fact->form, AKIN_FACT_NUMBER);
    assert_true(fact->number == number);
}

static void sets_and_words(void **state)
{
    static const uint64_t ends[] = {0, 3, 3, 5};
    static const uint32_t tokens[] = {1, 2, 3, 2, 9};
    builder b = builder_of(texts, 3);
    const akin_column column = builder_column(&b, "text");
    akin_sets *sets = NULL;
    akin_trie *trie = NULL;
    (void)state;
    assert_int_equal(akin_sets_from_arrays(&context, 3, ends, tokens, &sets, NULL), AKIN_OK);
    assert_int_equal(akin_sets_save(&context, sets, scratch_path("sets"), NULL), AKIN_OK);
    akin_saved *saved = describe("sets", AKIN_SAVED_SETS);
    has_text(saved, "kind", "sets");
    has_count(saved, "version", 1);
    has_count(saved, "sets", 3);
    has_count(saved, "empty", 1);
    has_count(saved, "tokens", 5);
    has_count(saved, "universe", 4);
    has_text(saved, "used-by", "akin join and akin index");
    akin_saved_free(saved);
    assert_int_equal(akin_trie_build(&context, &column, 3, NULL, &trie, NULL), AKIN_OK);
    assert_int_equal(akin_trie_save(&context, trie, scratch_path("trie"), NULL), AKIN_OK);
    saved = describe("trie", AKIN_SAVED_TRIE);
    has_text(saved, "kind", "dictionary");
    has_count(saved, "words", 3);
    has_count(saved, "longest", 17);
    akin_saved_free(saved);
    akin_trie_free(trie);
    akin_sets_free(sets);
    builder_clear(&b);
}

static void weights_and_bm25(void **state)
{
    static const char *const stops[] = {"the", "at", "at"};
    builder b = builder_of(texts, 3);
    const akin_column column = builder_column(&b, "text");
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights *weights = NULL;
    akin_rank_index *index = NULL;
    akin_output *output = NULL;
    (void)state;
    text.stop_words = stops;
    text.stop_word_count = 3;
    options.formula = AKIN_FORMULA_BM25_PLUS;
    options.order = AKIN_WEIGHTS_BY_TERM;
    options.text = &text;
    options.stem = "english";
    assert_int_equal(akin_weigh(&context, &column, 1, 3, &options, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_output_open(&context, scratch_path("weights"), &output, NULL), AKIN_OK);
    assert_int_equal(akin_weights_write(&context, weights, NULL, AKIN_WEIGHTS_AKIN, output, NULL), AKIN_OK);
    assert_int_equal(akin_output_commit(output, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_create(&context, weights, &column, &index, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_save(&context, index, scratch_path("bm25"), NULL), AKIN_OK);
    static const char *const names[] = {"weights", "bm25"};
    for (int i = 0; i < 2; i++) {
        akin_saved *saved = describe(names[i], i ? AKIN_SAVED_RANK_INDEX : AKIN_SAVED_WEIGHTS);
        has_text(saved, "kind", names[i]);
        has_count(saved, "documents", 3);
        has_count(saved, "terms", 4);
        has_count(saved, "words", 6);
        has_count(saved, "pairs", 6);
        has_text(saved, "formula", "bm25+");
        has_number(saved, "k1", 1.2);
        has_number(saved, "delta", 1);
        has_text(saved, "tokens", "words");
        has_text(saved, "stem", "english");
        has_count(saved, "fold", 1);
        has_count(saved, "stop-words", 2);
        has_count(saved, "named", (uint64_t)i);
        akin_saved_free(saved);
    }
    akin_weights_free(weights);
    akin_rank_index_free(index);
    builder_clear(&b);
}

/* Each kind that is made of columns: it says its name, and how many objects there are. */
static void search_kinds(void **state)
{
    builder b = builder_of(texts, 3), n = builder_of((const char *const[]){"17", "18", "40"}, 3);
    builder t = builder_of((const char *const[]){"{a{b}}", NULL, "{a}"}, 3);
    const akin_column columns[] = {builder_column(&b, "text"), builder_column(&n, "age")},
                      tree = builder_column(&t, "t");
    static const char *const numeric[] = {"age"};
    const akin_rows_options rows = {sizeof rows, numeric, 1, 4};
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    akin_search_index_options options = AKIN_SEARCH_INDEX_OPTIONS_INIT;
    const akin_choice *row;
    int count = 0;
    (void)state;
    text.tokens = AKIN_TOKENS_QGRAMS;
    text.q = 4;
    options.text = &text;
    options.table = &rows;
    for (uint32_t i = 0; (row = akin_choices("search-kinds", i)); i++) {
        const akin_search_facts *facts = akin_search_facts_of((akin_search_kind)row->value, 0);
        if (!facts || facts->objects == AKIN_GIVEN_SETS)
            continue;
        const int is_tree = akin_search_facts_take(facts, "tree-format");
        const akin_search_objects objects = {
            .size = sizeof objects, .columns = is_tree ? &tree : columns, .column_count = is_tree ? 1 : 2, .rows = 3};
        akin_search_index *index = NULL;
        assert_int_equal(akin_search_index_make(&context, (akin_search_kind)row->value, &objects, &options, &columns[1],
                                                &index, NULL),
                         AKIN_OK);
        assert_int_equal(akin_search_index_save(&context, index, scratch_path("x"), NULL), AKIN_OK);
        akin_search_index_free(index);
        const int is_ranked = (facts->values & AKIN_HIT_SCORE) != 0;
        akin_saved *saved = describe("x", is_ranked ? AKIN_SAVED_RANK_INDEX : AKIN_SAVED_SEARCH);
        has_text(saved, "kind", row->name);
        has_count(saved, is_ranked ? "documents" : row->name, 3);
        has_count(saved, "named", 1);
        if (is_tree)
            has_count(saved, "labels", 2);
        if (akin_search_facts_take(facts, "tokens"))
            has_text(saved, "tokens", "qgrams:4");
        if (akin_search_facts_take(facts, "numeric")) {
            has_text(saved, "columns", "text, age");
            has_text(saved, "numeric", "age");
        }
        akin_saved_free(saved);
        count++;
    }
    assert_int_equal(count, 5);
    builder_clear(&t);
    builder_clear(&b);
    builder_clear(&n);
}

static void model(void **state)
{
    static const char text[] =
        "{\"akin\": \"model\", \"version\": 1, \"partners\": \"one\", \"records\": [5, 7], \"matches\": 2,\n"
        "\"threshold\": 0.5, \"tempering\": 1, \"learnt\": 1, \"comparisons\": [{\"column\": \"a\", \"comparators\": "
        "[\"osa\", \"jaro\"], \"fold\": \"all\", \"combined_of\": [\"b\", \"c\"], \"levels\": [{\"from\": 0, \"m\": "
        "0.1, "
        "\"u\": 0.9, \"weight\": -2}, {\"from\": 0.5, \"m\": 0.9, \"u\": 0.1, \"weight\": 2.5}]}]}";
    (void)state;
    FILE *file = fopen(scratch_path("model"), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    akin_saved *saved = describe("model", AKIN_SAVED_MODEL);
    has_text(saved, "kind", "model");
    has_count(saved, "bytes", sizeof text - 1);
    has_count(saved, "right-records", 7);
    has_number(saved, "threshold", 0.5);
    has_text(saved, "comparison-1", "a of b+c: osa, jaro; fold all; weights from -2 to 2.5 on 2 levels");
    akin_saved_free(saved);
}

static void refused(void **state)
{
    akin_saved *saved = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_saved_describe(&context, scratch_path("missing"), &saved, &error), AKIN_E_INPUT);
    assert_int_equal(error.reason, AKIN_REASON_NO_FILE);
    FILE *file = fopen(scratch_path("text"), "w");
    assert_non_null(file);
    fputs("red boats at sea, and so on and on and on\n", file);
    fclose(file);
    assert_int_equal(akin_saved_describe(&context, scratch_path("text"), &saved, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "not a file saved by akin"));
    file = fopen(scratch_path("later"), "w");
    assert_non_null(file);
    fwrite("AKIN\r\n\x1a\nlater\0\0\0\1\0\0\0\0\0\0\0", 1, 24, file);
    fclose(file);
    assert_int_equal(akin_saved_describe(&context, scratch_path("later"), &saved, &error), AKIN_E_INPUT);
    assert_null(saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_and_words), cmocka_unit_test(weights_and_bm25),
                                       cmocka_unit_test(search_kinds), cmocka_unit_test(refused),
                                       cmocka_unit_test(model)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
