/* Plans of deduplication: words and JSON become the same options and each other; impossible plans are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "akin_papers.h"
#include "base/context.h"
#include "base/random.h"
#include "dedupe/keys.h"
#include "text/synonyms.h"
#include "unit/test_json_values.h"

/* Adds words: option, word, ..., NULL. */
static akin_dedupe_plan *make(const char *const *words)
{
    akin_dedupe_plan *plan;
    assert_int_equal(akin_dedupe_plan_create(akin_papers(), &plan, NULL), AKIN_OK);
    for (; *words; words += 2)
        assert_int_equal(akin_dedupe_plan_add(plan, words[0], words[1], NULL), AKIN_OK);
    return plan;
}

static akin_dedupe_plan *finish(const char *const *words)
{
    akin_error error = {.message = ""};
    akin_dedupe_plan *plan = make(words);
    akin_status status = akin_dedupe_plan_finish(plan, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, AKIN_OK);
    return plan;
}

static void test_words_become_options(void **state)
{
    static const char *const words[] = {"compare",    "name:jaro-winkler:0.5:2",
                                        "compare",    "\"a:b\":exact",
                                        "compare",    "name:exact",
                                        "compare",    "both:jaccard/3",
                                        "block",      "name:soundex+zip",
                                        "similar",    "zip:dice:.25:qgrams:2",
                                        "window",     "7:both",
                                        "block",      "zip",
                                        "all-pairs",  "",
                                        "combine",    "both=name+zip",
                                        "fold",       "all",
                                        "fold",       "zip:case+blanks",
                                        "threshold",  "0.75",
                                        "missing",    "skip",
                                        "evidence",   "2/3",
                                        "max-block",  "50",
                                        "one-to-one", "",
                                        NULL};
    (void)state;
    akin_dedupe_plan *plan = finish(words);
    const akin_dedupe_options *o = akin_dedupe_plan_options(plan);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    assert_int_equal(titles->column_count, 3);
    assert_string_equal(titles->columns[0], "name");
    assert_string_equal(titles->columns[1], "zip");
    assert_string_equal(titles->columns[2], "a:b");
    assert_string_equal(titles->columns[3], "both");
    assert_int_equal(o->attribute_count, 4);
    assert_true(o->attributes[0].column == 0 && o->attributes[1].column == 2 && o->attributes[3].column == 3);
    assert_int_equal(o->attributes[0].compare->comparator, AKIN_JARO_WINKLER);
    assert_true(o->attributes[3].compare->q == 3 && o->attributes[3].compare->measure == AKIN_JACCARD);
    assert_string_equal(titles->attributes[0], "name:jaro-winkler");
    assert_string_equal(titles->attributes[1], "a:b");
    assert_string_equal(titles->comparators[2], "exact");
    assert_int_equal(o->selection_count, 5); /* in the order of their table, and then as they were added */
    assert_int_equal(o->selections[0].kind, AKIN_SELECT_ALL);
    assert_true(o->selections[1].window == 7 && o->selections[1].parts->column == 3);
    assert_int_equal(o->selections[1].parts->key, AKIN_KEY_VALUE);
    assert_true(o->selections[2].kind == AKIN_SELECT_BLOCK && o->selections[2].part_count == 2);
    assert_true(o->selections[2].parts[0].column == 0 && o->selections[2].parts[0].key == AKIN_KEY_SOUNDEX);
    assert_true(o->selections[2].parts[1].column == 1 && o->selections[2].parts[1].key == AKIN_KEY_VALUE);
    assert_true(o->selections[3].kind == AKIN_SELECT_BLOCK && o->selections[3].part_count == 1);
    assert_true(o->selections[4].measure == AKIN_DICE && o->selections[4].text->tokens == AKIN_TOKENS_QGRAMS);
    assert_true(o->selections[4].cutoff.num * 4 == o->selections[4].cutoff.den && o->selections[4].text->q == 2);
    assert_string_equal(titles->selections[0], "all-pairs");
    assert_string_equal(titles->selections[1], "window 7:both");
    assert_true(o->combined_count == 1 && o->combined[0].count == 2 && o->combined[0].columns[1] == 1);
    assert_int_equal(o->folds[0], AKIN_FOLD_ALL);
    assert_int_equal(o->folds[1], AKIN_FOLD_CASE | AKIN_FOLD_BLANKS);
    assert_true(o->missing == AKIN_MISSING_SKIP && o->max_block == 50 && o->one_to_one == 1);
    assert_true(o->evidence.num == 2 && o->evidence.den == 3);
    assert_int_equal(akin_dedupe_check("cpu", titles->column_count, o, NULL), AKIN_OK);
    akin_dedupe_plan_free(plan);
}

/* The entries of a column, with a mark before each that is the first of its group. */
static const char *entries_of(const akin_dedupe_plan *plan, uint32_t column)
{
    static char text[200];
    const akin_synonyms *s = akin_dedupe_plan_options(plan)->synonyms[column];
    size_t length = 0;
    text[0] = '\0';
    for (uint64_t i = 0; s && i < s->count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.*s", s->entries[i].is_first ? "/" : ",",
                                   (int)s->entries[i].length, s->text + s->entries[i].begin);
    return s ? text : "none";
}

/* Which synonyms a column has: those of all columns and its own in their order, and none where there are no words. */
static void test_synonyms(void **state)
{
    static akin_context context = {.scope = {.context = &context, .threads = 1}};
    static const char *const words[] = {
        "compare",  "a:exact", "compare",  "b:exact", "compare",   "n:number", "compare",  "c:jaro",
        "combine",  "e=f+b",   "block",    "e",       "synonyms",  "all::x,y", "synonyms", "b::z+\"p=q,r\"",
        "synonyms", "all::v",  "synonyms", "c::w",    "threshold", "1",        NULL};
    static const char *const missing[] = {"compare",  "a:exact",         "all-pairs", "",  "synonyms", "a::x,y",
                                          "synonyms", "/nobody/is/here", "threshold", "1", NULL};
    akin_error error;
    (void)state;
    akin_dedupe_plan *plan = make(words);
    assert_int_equal(akin_dedupe_plan_load(&context, plan, NULL), AKIN_E_OPTION); /* it is not finished */
    akin_dedupe_plan_free(plan);
    plan = finish(words);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    const akin_column column = {.size = sizeof column};
    const akin_column columns[] = {column, column, column, column, column};
    assert_int_equal(titles->column_count, 5); /* f, b, a, n, c, and e behind them */
    assert_int_equal(
        akin_dedupe(&context, columns, 0, NULL, 0, 5, akin_dedupe_plan_options(plan), NULL, NULL, NULL, NULL, &error),
        AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "its synonyms were not read"));
    for (int again = 0; again < 2; again++) /* which changes nothing */
        assert_int_equal(akin_dedupe_plan_load(&context, plan, NULL), AKIN_OK);
    assert_string_equal(entries_of(plan, 0), "none"); /* nothing compares it */
    assert_string_equal(entries_of(plan, 1), "/x,y/z/p=q,r/v");
    assert_string_equal(entries_of(plan, 2), "/x,y/v");
    assert_string_equal(entries_of(plan, 3), "none");
    assert_string_equal(entries_of(plan, 4), "/x,y/v/w");
    assert_string_equal(entries_of(plan, 5), "/x,y/v");
    akin_dedupe_plan_free(plan);
    plan = finish(missing);
    assert_int_equal(akin_dedupe_plan_load(&context, plan, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "/nobody/is/here: "));
    assert_string_equal(entries_of(plan, 0), "");
    assert_int_equal(akin_dedupe_plan_load(&context, plan, NULL), AKIN_E_INPUT);
    akin_dedupe_plan_free(plan);
}

/* Ids of one table alone. */
static void test_ids_of_one_table(void **state)
{
    static const char *const left[] = {"compare", "name:exact", "all-pairs", "", "id", "key=", "threshold", "1", NULL};
    static const char *const right[] = {"compare", "name:exact", "all-pairs", "",  "id",
                                        "=\"k=\"", "threshold",  "1",         NULL};
    (void)state;
    akin_dedupe_plan *plan = finish(left);
    assert_string_equal(akin_dedupe_plan_titles(plan)->id, "key");
    assert_null(akin_dedupe_plan_titles(plan)->right_id);
    assert_non_null(strstr(akin_dedupe_plan_members(plan), "\"id\": {\"column\": \"key\", \"right\": \"\"}"));
    akin_dedupe_plan_free(plan);
    plan = finish(right);
    assert_null(akin_dedupe_plan_titles(plan)->id);
    assert_string_equal(akin_dedupe_plan_titles(plan)->right_id, "k=");
    akin_dedupe_plan_free(plan);
}

/* Of columns that two tables call differently: LEFT=RIGHT, once each pair of names. */
static void test_columns_of_two_tables(void **state)
{
    static const char *const words[] = {
        "compare", "name=\"a=b\":exact",  "compare",   "name:jaro",
        "compare", "\"a=b\"=alias:exact", "block",     "name=\"a=b\":soundex+zip=postcode",
        "window",  "3:zip=postcode",      "similar",   "name=alias:jaccard:0.5",
        "combine", "both=name=alias+zip", "fold",      "zip=postcode:case",
        "id",      "key=\"x:y\"",         "threshold", "1",
        NULL};
    static const char *const lefts[] = {"name", "zip", "name", "name", "a=b", "zip"};
    static const char *const rights[] = {"alias", "zip", "a=b", "name", "alias", "postcode"};
    (void)state;
    akin_dedupe_plan *plan = finish(words);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    const akin_dedupe_options *o = akin_dedupe_plan_options(plan);
    assert_int_equal(titles->column_count, 6);
    for (uint32_t c = 0; c < 6; c++) {
        assert_string_equal(titles->left_columns[c], lefts[c]);
        assert_string_equal(titles->right_columns[c], rights[c]);
    }
    assert_string_equal(titles->columns[0], "name=alias");
    assert_string_equal(titles->columns[3], "name");
    assert_string_equal(titles->columns[6], "both");
    assert_string_equal(titles->attributes[0], "name=a=b");
    assert_string_equal(titles->id, "key");
    assert_string_equal(titles->right_id, "x:y");
    assert_true(o->selections[0].parts->column == 5 && o->selections[1].parts[0].column == 2);
    assert_true(o->selections[2].parts->column == 0 && o->combined->columns[0] == 0 && o->combined->columns[1] == 1);
    assert_true(o->folds[5] == AKIN_FOLD_CASE && o->folds[1] == 0);
    assert_string_equal(
        akin_dedupe_plan_members(plan),
        "  \"window\": [\n    {\"size\": 3, \"column\": \"zip\", \"right\": \"postcode\"}\n  ],\n"
        "  \"block\": [\n    {\"columns\": [{\"column\": \"name\", \"right\": \"a=b\", \"key\": \"soundex\"}, "
        "{\"column\": \"zip\", \"right\": \"postcode\"}]}\n  ],\n"
        "  \"similar\": [\n    {\"column\": \"name\", \"right\": \"alias\", \"measure\": \"jaccard\", "
        "\"threshold\": 0.5}\n  ],\n"
        "  \"compare\": [\n    {\"column\": \"name\", \"right\": \"a=b\", \"comparator\": \"exact\"},\n"
        "    {\"column\": \"name\", \"comparator\": \"jaro\"},\n"
        "    {\"column\": \"a=b\", \"right\": \"alias\", \"comparator\": \"exact\"}\n  ],\n"
        "  \"combine\": [\n    {\"name\": \"both\", \"columns\": [{\"column\": \"name\", \"right\": \"alias\"}, "
        "\"zip\"]}\n"
        "  ],\n"
        "  \"fold\": [\n    {\"column\": \"zip\", \"right\": \"postcode\", \"fold\": [\"case\"]}\n  ],\n"
        "  \"threshold\": 1,\n"
        "  \"id\": {\"column\": \"key\", \"right\": \"x:y\"}");
    akin_dedupe_plan_free(plan);
}

static void test_a_window_of_all_columns_is_one_of_each(void **state)
{
    static const char *const words[] = {"compare", "a:exact", "compare",   "b:jaro", "compare", "a:jaro",
                                        "window",  "5",       "threshold", "1",      NULL};
    (void)state;
    akin_dedupe_plan *plan = finish(words);
    const akin_dedupe_options *o = akin_dedupe_plan_options(plan);
    assert_int_equal(o->selection_count, 2);
    assert_true(o->selections[0].parts->column == 0 && o->selections[1].parts->column == 1);
    assert_string_equal(akin_dedupe_plan_titles(plan)->selections[1], "window 5 of b");
    akin_dedupe_plan_free(plan);
}

static void test_tokens_are_those_of_the_table(void **state)
{
    static const struct {
        const char *text;
        akin_tokens tokens;
        uint32_t q;
    } all[] = {{"", AKIN_TOKENS_WORDS, 0},
               {":words", AKIN_TOKENS_WORDS, 0},
               {":words:2", AKIN_TOKENS_SHINGLES, 2},
               {":qgrams:4", AKIN_TOKENS_QGRAMS, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char word[64];
        const char *const words[] = {"compare", "a:exact", "similar", word, "threshold", "1", NULL};
        snprintf(word, sizeof word, "a:jaccard:0.5%s", all[i].text);
        akin_dedupe_plan *plan = finish(words);
        const akin_text_options *text = akin_dedupe_plan_options(plan)->selections->text;
        assert_int_equal(text->tokens, all[i].tokens);
        if (all[i].q)
            assert_int_equal(text->q, all[i].q);
        akin_dedupe_plan_free(plan);
    }
}

/* As many rules, columns and keys as one likes. */
static void test_there_is_no_limit(void **state)
{
    char word[32];
    (void)state;
    static const char *const words[] = {"window", "3", "threshold", "0.5", NULL};
    akin_dedupe_plan *plan = make(words);
    for (int i = 0; i < 1000; i++) {
        snprintf(word, sizeof word, "c%d:exact", i);
        assert_int_equal(akin_dedupe_plan_add(plan, "compare", word, NULL), AKIN_OK);
        snprintf(word, sizeof word, "c%d+d%d", i, i);
        assert_int_equal(akin_dedupe_plan_add(plan, "block", word, NULL), AKIN_OK);
    }
    assert_int_equal(akin_dedupe_plan_finish(plan, NULL), AKIN_OK);
    const akin_dedupe_options *o = akin_dedupe_plan_options(plan);
    assert_true(o->attribute_count == 1000 && o->selection_count == 2000);
    assert_int_equal(akin_dedupe_plan_titles(plan)->column_count, 2000);
    assert_int_equal(o->selections[1999].parts[1].column, 1999);
    assert_int_equal(akin_dedupe_check("cpu", 2000, o, NULL), AKIN_OK);
    akin_dedupe_plan_free(plan);
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

/* What was said as one object of JSON. */
static void write_plan(const akin_dedupe_plan *plan, char *text, size_t room)
{
    const int length = snprintf(text, room, "{\n%s\n}", akin_dedupe_plan_members(plan));
    assert_true(length > 0 && (size_t)length < room);
}

/* The plan of such an object; NULL: it is refused. */
static akin_dedupe_plan *read_plan(const char *text, akin_error *error)
{
    static const char *const others[] = {"akin", "version", NULL};
    akin_json *json;
    akin_dedupe_plan *plan;
    assert_int_equal(akin_json_parse("text", text, strlen(text), &json, NULL), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_create(akin_papers(), &plan, NULL), AKIN_OK);
    akin_status status = akin_dedupe_plan_read(plan, json, 0, "text", others, error);
    akin_json_free(json);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_finish(plan, error);
    if (status == AKIN_OK)
        return plan;
    akin_dedupe_plan_free(plan);
    return NULL;
}

static const char every_kind[] =
    "{\"compare\": [{\"column\": \"a:b\", \"comparator\": \"jaro\", \"weight\": 3}, \"c:exact\"],\n"
    " \"all-pairs\": true, \"window\": [{\"size\": 9, \"column\": \"c\", \"key\": \"soundex\"}, \"3\"],\n"
    " \"block\": [{\"columns\": [{\"column\": \"c\"}, {\"column\": \"x+y\", \"key\": \"simple\"}]}],\n"
    " \"similar\": [{\"column\": \"c\", \"measure\": \"cosine\", \"threshold\": \"0.5\", \"tokens\": "
    "\"words:2\"}],\n"
    " \"one-to-one\": false, \"threshold\": 0.5, \"max-block\": \"9\", \"missing\": \"equal\", \"akin\": 1,\n"
    " \"evidence\": 0.25, \"combine\": [{\"name\": \"all\", \"columns\": [\"c\", \"x+y\", {\"column\": \"d\", "
    "\"right\": \"e:f\"}]}, "
    "\"n=c+d\"],\n"
    " \"fold\": [\"c\", {\"column\": \"a:b\", \"fold\": [\"case\", \"blanks\"]}, {\"fold\": \"case+accents\"}],\n"
    " \"synonyms\": [\"n.txt\", {\"file\": \"a:b\"}, {\"column\": \"c\", \"groups\": [\"x,y\", "
    "\"\\\"v,w\\\",z\"]}],\n"
    " \"id\": {\"column\": \"a=b\"}, \"cluster\": \"warshall\"}";

/* A text is refused with its name, or it is a plan that is the same once more. */
static int use_plan(const char *text)
{
    akin_error error = {.message = ""};
    char again[4096];
    akin_dedupe_plan *plan = read_plan(text, &error);
    if (!plan) {
        assert_true(error.code == AKIN_E_INPUT || error.code == AKIN_E_OPTION);
        assert_true(error.message[0]);
        return 0;
    }
    write_plan(plan, again, sizeof again);
    akin_dedupe_plan_free(plan);
    plan = read_plan(again, &error);
    if (!plan)
        fail_msg("%s: %s", again, error.message);
    akin_dedupe_plan_free(plan);
    return 1;
}

static void test_any_value(void **state)
{
    (void)state;
    assert_true(use_plan(every_kind));
    const uint64_t accepted = json_replace_each(every_kind, use_plan);
    assert_true(accepted > 0 && accepted < sizeof every_kind);
}

static void test_json_becomes_words(void **state)
{
    akin_error error = {.message = ""};
    (void)state;
    akin_dedupe_plan *plan = read_plan(every_kind, &error);
    assert_string_equal(error.message, "");
    assert_string_equal(akin_dedupe_plan_word(plan, "compare", 0), "\"a:b\":jaro:0:3");
    assert_string_equal(akin_dedupe_plan_word(plan, "all-pairs", 0), "");
    assert_string_equal(akin_dedupe_plan_word(plan, "window", 0), "9:c:soundex");
    assert_string_equal(akin_dedupe_plan_word(plan, "window", 1), "3");
    assert_string_equal(akin_dedupe_plan_word(plan, "block", 0), "c+\"x+y\":simple");
    assert_string_equal(akin_dedupe_plan_word(plan, "similar", 0), "c:cosine:0.5:words:2");
    assert_null(akin_dedupe_plan_word(plan, "similar", 1));
    assert_null(akin_dedupe_plan_word(plan, "one-to-one", 0));
    assert_string_equal(akin_dedupe_plan_word(plan, "combine", 0), "all=c+\"x+y\"+d=\"e:f\"");
    assert_string_equal(akin_dedupe_plan_word(plan, "combine", 1), "n=c+d");
    assert_string_equal(akin_dedupe_plan_word(plan, "fold", 1), "\"a:b\":case+blanks");
    assert_string_equal(akin_dedupe_plan_word(plan, "fold", 2), "all:case+accents");
    assert_string_equal(akin_dedupe_plan_word(plan, "synonyms", 0), "n.txt");
    assert_string_equal(akin_dedupe_plan_word(plan, "synonyms", 1), "all:\"a:b\"");
    assert_string_equal(akin_dedupe_plan_word(plan, "synonyms", 2), "c::x,y+\"\"\"v,w\"\",z\"");
    assert_string_equal(akin_dedupe_plan_word(plan, "id", 0), "\"a=b\"");
    assert_int_equal(akin_dedupe_plan_clusters(plan)->clustering, AKIN_CLUSTERING_WARSHALL);
    assert_int_equal(akin_dedupe_plan_options(plan)->missing, AKIN_MISSING_EQUAL);
    assert_int_equal(akin_dedupe_plan_options(plan)->evidence.den / akin_dedupe_plan_options(plan)->evidence.num, 4);
    assert_int_equal(akin_dedupe_plan_options(plan)->max_block, 9);
    akin_dedupe_plan_free(plan);
}

/* A column named all is not all columns; and what stands anyway is not said. */
static void test_all_columns_are_no_column(void **state)
{
    static const char text[] =
        "{\"compare\": [\"all:exact\", \"a:jaro:0:1\"], \"all-pairs\": true, \"threshold\": \"00.50\",\n"
        " \"fold\": [{\"column\": \"all\", \"fold\": [\"case\"]}, {\"fold\": [\"blanks\"]}]}";
    akin_error error = {.message = ""};
    (void)state;
    akin_dedupe_plan *plan = read_plan(text, &error);
    assert_string_equal(error.message, "");
    assert_string_equal(akin_dedupe_plan_word(plan, "fold", 0), "\"all\":case");
    assert_string_equal(akin_dedupe_plan_word(plan, "fold", 1), "all:blanks");
    assert_true(akin_dedupe_plan_options(plan)->folds[0] == AKIN_FOLD_CASE);
    assert_true(akin_dedupe_plan_options(plan)->folds[1] == AKIN_FOLD_BLANKS);
    assert_string_equal(
        akin_dedupe_plan_members(plan),
        "  \"all-pairs\": true,\n"
        "  \"compare\": [\n    {\"column\": \"all\", \"comparator\": \"exact\"},\n"
        "    {\"column\": \"a\", \"comparator\": \"jaro\", \"weight\": 1}\n  ],\n"
        "  \"fold\": [\n    {\"column\": \"all\", \"fold\": [\"case\"]},\n    {\"fold\": [\"blanks\"]}\n  ],\n"
        "  \"threshold\": 0.5");
    akin_dedupe_plan_free(plan);
}

/* Names may have underscores for dashes, in words and in objects. */
static void test_names_as_python_has_them(void **state)
{
    static const char text[] =
        "{\"compare\": [\"a:jaro_winkler\", {\"column\": \"b_c\", \"comparator\": \"monge_elkan\"}],\n"
        " \"all-pairs\": true, \"threshold\": 1}";
    static const char *const words[] = {
        "compare", "a:jaro_winkler", "compare", "a:jaro-winkler", "all-pairs", "", "threshold", "1", NULL};
    akin_error error = {.message = ""};
    (void)state;
    akin_dedupe_plan *plan = read_plan(text, &error);
    assert_string_equal(error.message, "");
    assert_string_equal(akin_dedupe_plan_titles(plan)->comparators[0], "jaro-winkler");
    assert_string_equal(akin_dedupe_plan_titles(plan)->comparators[1], "monge-elkan");
    assert_string_equal(akin_dedupe_plan_titles(plan)->columns[1], "b_c");
    assert_non_null(strstr(akin_dedupe_plan_members(plan), "\"column\": \"b_c\", \"comparator\": \"monge-elkan\""));
    akin_dedupe_plan_free(plan);
    plan = make(words);
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "a is compared by jaro-winkler already"));
    akin_dedupe_plan_free(plan);
}

/* No two columns of results are called alike. */
static void test_results_have_columns_of_different_names(void **state)
{
    static const char *const words[] = {"compare",   "left:exact", "compare",   "similarity:jaro",
                                        "compare",   "a:exact",    "all-pairs", "",
                                        "threshold", "1",          NULL};
    static const char *const twice[] = {"compare",   "a:exact", "compare",   "a:jaro", "compare", "\"a:jaro\":exact",
                                        "all-pairs", "",        "threshold", "1",      NULL};
    akin_error error;
    (void)state;
    akin_dedupe_plan *plan = finish(words);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    assert_string_equal(titles->attributes[0], "left:exact");
    assert_string_equal(titles->attributes[1], "similarity:jaro");
    assert_string_equal(titles->attributes[2], "a");
    akin_dedupe_plan_free(plan);
    plan = make(twice);
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "compare a:jaro: results would have two columns of that name");
    akin_dedupe_plan_free(plan);
}

static void test_json_that_cannot_be_is_refused(void **state)
{
    static const char *const all[][2] = {
        {"{\"window\": 1}", "text:1: \"window\": expected an array"},
        {"{\"window\":\n [1]}", "text:2: expected an object or a string"},
        {"{\"all-pairs\": [1]}", "\"all-pairs\": expected true or false"},
        {"{\"all\": true}", "unknown option of a plan 'all'"},
        {"{\"pairs\": []}", "unknown option of a plan 'pairs'"},
        {"{\"window\": [{\"siz\": 1}]}", "did you mean \"size\"?"},
        {"{\"window\": [{}]}", "expected an object with \"size\""},
        {"{\"window\": [{\"size\": []}]}", "\"size\": expected a number"},
        {"{\"block\": [{\"columns\": []}]}", "expected an array of strings or objects"},
        {"{\"block\": [{\"columns\": [1]}]}", "expected a string or an object: {\"column\": ..., \"key\": ...}"},
        {"{\"combine\": [{\"name\": \"n\", \"columns\": [{\"column\": \"a\", \"key\": \"value\"}]}]}",
         "\"key\": is unknown here: expected \"column\", \"right\""},
        {"{\"fold\": [{}]}", "text:1: expected an object with at least one of \"column\", \"right\", \"fold\""},
        {"{\"fold\": [{\"name\": \"case\"}]}", "\"name\": is unknown here: expected \"column\", \"right\", \"fold\""},
        {"{\"fold\": [{\"right\": \"b\"}]}", "\"right\": expected \"column\" with it"},
        {"{\"combine\": [{\"columns\": [\"a\"]}]}", "expected an object with \"name\""},
        {"{\"fold\": [{\"column\": \"a\", \"fold\": [1]}]}", "expected a string"},
        {"{\"fold\": [{\"column\": \"a\", \"fold\": []}]}", "\"fold\": expected an array of strings"},
        {"{\"threshold\": 1, \"threshold\": 1}", "\"threshold\": is there twice"},
        {"[1]", "expected an object"},
        {"{\"compare\": [{\"column\": \"a\"}]}", "expected an object with \"comparator\""},
        {"{\"compare\": [{\"column\": \"a\", \"column\": \"a\"}]}", "\"column\": is there twice"},
        {"{\"one-to-one\": 1}", "expected true or false"},
        {"{\"missing\": 1}", "expected a string"},
        {"{\"threshold\": true}", "expected a number"},
        {"{\"threshhold\": 1}", "did you mean 'threshold'?"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        akin_error error = {.message = ""};
        assert_null(read_plan(all[i][0], &error));
        if (!strstr(error.message, all[i][1]))
            fail_msg("%s: %s", all[i][0], error.message);
        assert_int_equal(error.code, AKIN_E_OPTION);
    }
}

/* -------------------------------------------------------------------------------------------------- what is refused */

static void test_malformed_words_are_refused(void **state)
{
    static const char *const all[][3] = {
        {"compare", "", "compare '': expected COLUMN:COMPARATOR"},
        {"compare", "a", "compare a: expected COLUMN:COMPARATOR"},
        {"compare", "\"a:exact", "compare \"a:exact: a quote is not closed"},
        {"compare", "a:exakt", "compare a:exakt: "},
        {"compare", "a:exact:2", "threshold '2': expected a number from 0 to 1, such as 0.8 or 2/3"},
        {"compare", "a:exact:0.1234567891", "threshold '0.1234567891'"},
        {"compare", "a:exact:1:0", "weight '0': expected a decimal number above 0"},
        {"compare", "a:exact:1:1:1", "expected COLUMN:COMPARATOR"},
        {"compare", "x:exact", "compare x:exact: x is compared by exact already"},
        {"window", "", "window '': expected W[:COLUMN[:KEY]], W from 2 to 1000000"},
        {"window", "1", "window 1: expected W[:COLUMN[:KEY]], W from 2 to 1000000"},
        {"window", "2000000:x", "window 2000000:x: expected W[:COLUMN[:KEY]], W from 2 to 1000000"},
        {"window", "2:x+y", "window 2:x+y: expected W[:COLUMN[:KEY]]; a name with a colon, plus or = stands in quotes"},
        {"block", "", "block '': expected COLUMN[:KEY][+COLUMN[:KEY]...]"},
        {"block", "x+", "block x+: expected COLUMN[:KEY]"},
        {"block", "\"x", "block \"x: a quote is not closed"},
        {"id", "\"x\"y", "id \"x\"y: a quote is not closed, or something follows it"},
        {"id", "=", "id =: expected COLUMN, or LEFT=RIGHT"},
        {"combine", "\"n=a", "combine \"n=a: a quote is not closed"},
        {"combine", "n=a+\"b", "combine n=a+\"b: a quote is not closed"},
        {"fold", "x=\"y", "fold x=\"y: a quote is not closed"},
        {"block", "x:sondex", "unknown key 'sondex' (did you mean 'soundex'?): expected value, simple"},
        {"block", "x:soundex:2", "block x:soundex:2: key 'soundex:2': nothing follows soundex"},
        {"similar", "", "similar '': expected COLUMN:MEASURE:T"},
        {"similar", "x:jaccard", "similar x:jaccard: expected COLUMN:MEASURE:T"},
        {"similar", "x:overlap:0.5", "unknown measure 'overlap': expected jaccard, cosine or dice"},
        {"similar", "x:jacard:0.5", "unknown measure 'jacard' (did you mean 'jaccard'?)"},
        {"similar", "x:y:jaccard:0.5", "a name with a colon, plus or = stands in quotes"},
        {"similar", "x:jaccard:0", "'0': expected a number above 0, to 1"},
        {"similar", "x:jaccard:0.5:blanks", "unknown kind of tokens 'blanks': expected words[:N], qgrams:N or codes"},
        {"similar", "x:jaccard:0.5:qgram:3", "unknown kind of tokens 'qgram' (did you mean 'qgrams'?)"},
        {"similar", "x:jaccard:0.5:qgrams", "tokens 'qgrams': expected qgrams:N, N from 1 to 255"},
        {"similar", "x:jaccard:0.5:qgrams:256", "N from 1 to 255"},
        {"nearest", "", "nearest '': expected K[:COLUMN[:TOKENS]], K from 1 to 1000"},
        {"nearest", "x",
         "nearest x: expected K[:COLUMN[:TOKENS]], K from 1 to 1000, TOKENS being words[:N], qgrams:N or codes"},
        {"nearest", "0:x", "nearest 0:x: expected K[:COLUMN[:TOKENS]], K from 1 to 1000"},
        {"nearest", "1001", "nearest 1001: expected K[:COLUMN[:TOKENS]], K from 1 to 1000"},
        {"nearest", "5:", "nearest 5:: expected K[:COLUMN[:TOKENS]]"},
        {"nearest", "5:\"x", "nearest 5:\"x: a quote is not closed"},
        {"nearest", "5:x:blanks", "unknown kind of tokens 'blanks': expected words[:N], qgrams:N or codes"},
        {"nearest", "5:x:qgrams:256", "N from 1 to 255"},
        {"combine", "x", "combine x: expected NAME=COLUMN+COLUMN"},
        {"combine", "n=a+", "combine n=a+: expected NAME=COLUMN+COLUMN"},
        {"combine", "n=n", "combine n=n: 'n' is combined itself"},
        {"fold", "", "fold '': expected COLUMN, all"},
        {"fold", "nobody", "fold nobody: 'nobody' is no column that a comparison or a selection names"},
        {"fold", "x:caes", "fold x:caes: unknown fold 'caes' (did you mean 'case'?)"},
        {"fold", "n:punctuation", "n is compared by number"},
        {"synonyms", "", "synonyms '': expected FILE, or COLUMN:FILE"},
        {"synonyms", "::a,b", "synonyms ::a,b: expected FILE, or COLUMN:FILE"},
        {"synonyms", "x:", "synonyms x:: expected FILE, or COLUMN:FILE"},
        {"synonyms", "all:a:b", "expected FILE, or COLUMN:FILE"}, /* groups and a file */
        {"synonyms", "\"a", "synonyms \"a: a quote is not closed"},
        {"synonyms", "x:\"a", "synonyms x:\"a: a quote is not closed"},
        {"synonyms", "x::a,b+\"c", "a quote is not closed"},
        {"synonyms", "c:/x.txt", "'c' is no column that a comparison or a selection names (a file with a colon"},
        {"synonyms", "n:x.txt", "n is compared by number, which reads no words"},
        {"synonyms", "-", "synonyms -: expected the name of a file, not standard input"},
        {"threshold", "0", "threshold 0: expected a number"},
        {"threshold", "", "threshold '': expected a number"},
        {"threshold", "1.1", "threshold 1.1: expected a number"},
        {"max-block", "1", "max-block 1: expected a whole number from 2 to 4294967295"},
        {"cluster", "magic",
         "cluster magic: unknown clustering 'magic': expected components, average[:T], center, merge-center, "
         "correlation[:T] or warshall"},
        {"cluster", "components:1", "cluster components:1: clustering 'components:1': expected components"},
        {"missing", "non", "missing non: unknown way to deal with missing values 'non'"},
        {"evidence", "1.1", "evidence 1.1: expected a number from 0 to 1"},
        {"evidence", "half", "evidence half: expected a number from 0 to 1"},
        {"weights", "lern", "unknown way to weigh comparisons 'lern' (did you mean 'learn'?): expected given or learn"},
        {"weights", "1,2", "; COLUMN:COMPARATOR:THRESHOLD:WEIGHT gives a weight"},
        {"threshold", "auto", "threshold auto: auto is for learnt weights"},
        {"precision", "0", "precision 0: expected a number above 0"},
        {"precision", "1.1", "precision 1.1: expected a number above 0"},
        {"precision", "0.9", "precision 0.9: the threshold follows from the precision"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *const words[] = {"threshold", "1", "compare", "x:exact", "compare", "n:number",
                                     "all-pairs", "",  all[i][0], all[i][1], NULL};
        akin_error error = {.message = ""};
        akin_dedupe_plan *plan = make(words);
        assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_E_OPTION);
        if (!strstr(error.message, all[i][2]))
            fail_msg("%s %s: %s", all[i][0], all[i][1], error.message);
        assert_string_equal(error.option, all[i][0]);
        assert_null(akin_dedupe_plan_options(plan));
        assert_null(akin_dedupe_plan_titles(plan));
        akin_dedupe_plan_free(plan);
    }
}

/* With learnt weights no threshold is required, and clusters have another method. */
static void test_learnt_weights(void **state)
{
    const char *words[] = {"weights", "learn", "compare", "x:exact", "all-pairs", "", NULL, NULL, NULL, NULL, NULL};
    static const akin_ratio average = AKIN_LEARNT_AVERAGE;
    akin_error error = {.message = ""};
    (void)state;
    for (uint32_t n = 0; n < 3; n++) {
        words[6] = n > 0 ? "threshold" : NULL;
        words[7] = n == 1 ? "auto" : "2/3";
        words[8] = n == 2 ? "cluster" : NULL;
        words[9] = "average";
        akin_dedupe_plan *plan = make(words);
        assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_OK);
        const akin_dedupe_options *options = akin_dedupe_plan_options(plan);
        const akin_clusters_options *clusters = akin_dedupe_plan_clusters(plan);
        assert_int_equal(options->weights, AKIN_WEIGHTS_LEARN);
        assert_int_equal(options->threshold.num, n == 2 ? 2 : 0);
        assert_int_equal(clusters->clustering, AKIN_CLUSTERING_AVERAGE);
        assert_int_equal(clusters->parameter.num, n == 2 ? 0 : average.num);
        assert_int_equal(n == 1, strstr(akin_dedupe_plan_members(plan), "\"threshold\": \"auto\"") != NULL);
        akin_dedupe_plan_free(plan);
    }
    akin_dedupe_plan *plan =
        make((const char *const[]){"weights", "lern", "compare", "x:exact", "all-pairs", "", NULL});
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_E_OPTION);
    assert_string_equal(error.option, "weights"); /* and not that the threshold is missing */
    akin_dedupe_plan_free(plan);
}

/* With learnt weights a precision takes the place of the threshold. */
static void test_precision(void **state)
{
    static const char *const words[] = {"precision", "0.95", "compare", "x:exact", "all-pairs", "", NULL};
    akin_error error = {.message = ""};
    akin_dedupe_plan *plan = make(words);
    (void)state;
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_E_OPTION);
    assert_string_equal(error.option, "precision");
    assert_non_null(strstr(error.message, "learnt weights"));
    assert_int_equal(akin_dedupe_plan_add(plan, "weights", "learn", NULL), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_OK);
    const akin_dedupe_options *options = akin_dedupe_plan_options(plan);
    assert_true(options->precision.num * 20 == options->precision.den * 19 && options->threshold.num == 0);
    assert_ptr_equal(options->titles, akin_dedupe_plan_titles(plan));
    assert_non_null(strstr(akin_dedupe_plan_members(plan), "\"precision\": 0.95"));
    akin_dedupe_plan_free(plan);
}

static void test_what_is_dropped_was_never_said(void **state)
{
    static const char *const words[] = {"threshold", "1", "compare", "x:foo", "all-pairs", "", NULL};
    akin_error error;
    (void)state;
    akin_dedupe_plan *plan = make(words);
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_E_OPTION);
    assert_int_equal(akin_dedupe_plan_drop(plan, "compare", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "compare is missing: which columns are compared and how, as COLUMN:COMPARATOR");
    assert_string_equal(error.message + error.rest, "which columns are compared and how, as COLUMN:COMPARATOR");
    assert_string_equal(error.option, "compare");
    assert_int_equal(error.reason, AKIN_REASON_MISSING);
    assert_int_equal(akin_dedupe_plan_add(plan, "compare", "x:exact", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_OK);
    assert_non_null(akin_dedupe_plan_options(plan));
    assert_int_equal(akin_dedupe_plan_add(plan, "window", "9:x", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_add(plan, "block", "x", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_add(plan, "window", "2", &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_drop(plan, "window", &error), AKIN_OK); /* and of no other selection */
    assert_null(akin_dedupe_plan_word(plan, "window", 0));
    assert_string_equal(akin_dedupe_plan_word(plan, "block", 0), "x");
    assert_int_equal(akin_dedupe_plan_add(plan, "all-pairs", "", &error), AKIN_OK); /* once more says it once */
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_OK);
    assert_int_equal(akin_dedupe_plan_options(plan)->selection_count, 2);
    assert_int_equal(akin_dedupe_plan_drop(plan, "thing", &error), AKIN_E_OPTION);
    akin_dedupe_plan_free(plan);
}

/* ----------------------------------------------------------------------------------------------------- random plans */

static const char *draw(akin_random *random, const char *const *of, uint64_t count)
{
    return of[akin_random_below(random, count)];
}

#define DRAW(random, ...)                                                                                              \
    draw(random, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const char *draw_column(akin_random *random)
{
    return DRAW(random, "name", "\"a:b\"", "\"x+\"\"y\"\"\"", "caf\xc3\xa9", "tab\t", "all", "q\"q", "name=\"a:b\"",
                "\"=\"=tab\t");
}

static void add(akin_dedupe_plan *plan, const char *option, const char *word)
{
    assert_int_equal(akin_dedupe_plan_add(plan, option, word, NULL), AKIN_OK);
}

static void draw_plan(akin_random *random, akin_dedupe_plan *plan)
{
    static const char *const keys[] = {"", ":value", ":simple", ":soundex"};
    char word[200];
    int length;
    add(plan, "threshold", DRAW(random, "1", "0.5", ".25", "00.125"));
    for (uint64_t i = akin_random_below(random, 4) + 1; i > 0; i--) {
        snprintf(word, sizeof word, "%s:%s%s", draw_column(random), DRAW(random, "exact", "jaro", "number", "tfidf/2"),
                 DRAW(random, "", ":0", ":.5", ":0.5:3", ":1:.25"));
        add(plan, "compare", word);
    }
    for (uint64_t i = akin_random_below(random, 4) + 1; i > 0; i--) {
        const char *option;
        switch (akin_random_below(random, 4)) {
        case 0:
            option = "all-pairs";
            word[0] = '\0';
            break;
        case 1:
            option = "window";
            length = snprintf(word, sizeof word, "%s", DRAW(random, "2", "20", "007"));
            if (akin_random_below(random, 2))
                snprintf(word + length, sizeof word - (size_t)length, ":%s%s", draw_column(random),
                         draw(random, keys, 4));
            break;
        case 2:
            option = "block";
            length = snprintf(word, sizeof word, "%s%s", draw_column(random), draw(random, keys, 4));
            if (akin_random_below(random, 2))
                snprintf(word + length, sizeof word - (size_t)length, "+%s%s", draw_column(random),
                         draw(random, keys, 4));
            break;
        default:
            option = "similar";
            snprintf(word, sizeof word, "%s:%s:%s%s", draw_column(random), DRAW(random, "jaccard", "cosine", "dice"),
                     DRAW(random, "1", ".5", "0.25"), DRAW(random, "", ":words", ":words:3", ":qgrams:2"));
        }
        add(plan, option, word);
    }
    if (akin_random_below(random, 2))
        add(plan, "combine", DRAW(random, "both=all+name=\"a:b\"", "both=name+\"a:b\"", "\"n=m\"=name", "name=tab\t"));
    if (akin_random_below(random, 2))
        add(plan, "fold", DRAW(random, "all", "all:case", "all:case+blanks", "all:none"));
    if (akin_random_below(random, 2))
        add(plan, "synonyms", DRAW(random, "n.txt", "all:n=m", "all::a,b+\"c:d,e\"", "a=b"));
    if (akin_random_below(random, 2))
        add(plan, "id", DRAW(random, "id", "\"a:b\"", "id=key", "caf\xc3\xa9=\"=\"", "key=", "=\"k=\""));
    if (akin_random_below(random, 2))
        add(plan, "cluster", DRAW(random, "components", "warshall", "average:0.7"));
    if (akin_random_below(random, 2))
        add(plan, "missing", DRAW(random, "zero", "skip", "equal"));
    if (akin_random_below(random, 2))
        add(plan, "evidence", DRAW(random, "0", "0.25", "2/3", "1"));
    if (akin_random_below(random, 2))
        add(plan, "weights", "given");
    else if (akin_random_below(random, 2)) {
        add(plan, "weights", "learn");
        add(plan, "threshold", DRAW(random, "auto", "0.9"));
        if (akin_random_below(random, 2)) {
            assert_int_equal(akin_dedupe_plan_drop(plan, "threshold", NULL), AKIN_OK);
            add(plan, "precision", DRAW(random, "1", ".990"));
        }
    }
    if (akin_random_below(random, 2))
        add(plan, "max-block", DRAW(random, "2", "0099"));
    if (akin_random_below(random, 2))
        add(plan, "one-to-one", "");
}

static void require_same(const akin_dedupe_plan *a, const akin_dedupe_plan *b)
{
    const akin_dedupe_options *p = akin_dedupe_plan_options(a), *q = akin_dedupe_plan_options(b);
    const akin_dedupe_titles *s = akin_dedupe_plan_titles(a), *t = akin_dedupe_plan_titles(b);
    assert_true(p->attribute_count == q->attribute_count && p->selection_count == q->selection_count);
    assert_true(p->missing == q->missing && p->max_block == q->max_block && p->one_to_one == q->one_to_one);
    assert_true(p->weights == q->weights);
    assert_memory_equal(&p->threshold, &q->threshold, sizeof p->threshold);
    assert_memory_equal(&p->precision, &q->precision, sizeof p->precision);
    assert_memory_equal(&p->evidence, &q->evidence, sizeof p->evidence);
    assert_true(!s->id == !t->id);
    assert_true(!s->right_id == !t->right_id);
    if (s->id && t->id)
        assert_string_equal(s->id, t->id);
    if (s->right_id && t->right_id)
        assert_string_equal(s->right_id, t->right_id);
    assert_int_equal(akin_dedupe_plan_clusters(a)->clustering, akin_dedupe_plan_clusters(b)->clustering);
    assert_true(s->column_count == t->column_count && p->combined_count == q->combined_count);
    uint64_t columns = s->column_count + p->combined_count;
    for (uint64_t i = 0; i < columns; i++)
        assert_string_equal(s->columns[i], t->columns[i]);
    for (uint32_t i = 0; i < s->column_count; i++) {
        assert_string_equal(s->left_columns[i], t->left_columns[i]);
        assert_string_equal(s->right_columns[i], t->right_columns[i]);
    }
    assert_true((p->folds == NULL) == (q->folds == NULL));
    if (p->folds)
        assert_memory_equal(p->folds, q->folds, columns * sizeof *p->folds);
    assert_true((p->synonyms == NULL) == (q->synonyms == NULL));
    for (uint64_t c = 0; p->synonyms && c < columns; c++)
        assert_true((p->synonyms[c] == NULL) == (q->synonyms[c] == NULL));
    for (uint32_t i = 0; i < p->attribute_count; i++) {
        assert_int_equal(p->attributes[i].column, q->attributes[i].column);
        assert_memory_equal(&p->attributes[i].threshold, &q->attributes[i].threshold, sizeof p->attributes->threshold);
        assert_memory_equal(&p->attributes[i].weight, &q->attributes[i].weight, sizeof p->attributes->weight);
        assert_memory_equal(p->attributes[i].compare, q->attributes[i].compare, sizeof *p->attributes->compare);
        assert_string_equal(s->attributes[i], t->attributes[i]);
    }
    for (uint32_t i = 0; i < p->selection_count; i++) {
        const akin_selection *x = &p->selections[i], *y = &q->selections[i];
        assert_true(x->kind == y->kind && x->window == y->window && x->part_count == y->part_count);
        assert_true(x->measure == y->measure && x->cutoff.num == y->cutoff.num && x->cutoff.den == y->cutoff.den);
        assert_true(!x->text == !y->text);
        if (x->text && y->text)
            assert_true(x->text->tokens == y->text->tokens && x->text->q == y->text->q);
        for (uint32_t part = 0; part < x->part_count; part++)
            assert_memory_equal(&x->parts[part], &y->parts[part], sizeof *x->parts);
    }
}

static void test_a_plan_is_the_same_after_json(void **state)
{
    static char text[2][1 << 16];
    akin_random random;
    int good = 0;
    (void)state;
    akin_random_seed(&random, 5);
    for (int round = 0; round < 2000; round++) {
        akin_error error = {.message = ""};
        akin_dedupe_plan *plan = make((const char *const[]){NULL});
        draw_plan(&random, plan);
        if (akin_dedupe_plan_finish(plan, &error) == AKIN_OK) {
            write_plan(plan, text[0], sizeof text[0]);
            akin_dedupe_plan *again = read_plan(text[0], &error);
            if (!again)
                fail_msg("%s: %s", text[0], error.message);
            require_same(plan, again);
            write_plan(again, text[1], sizeof text[1]);
            assert_string_equal(text[0], text[1]);
            akin_dedupe_plan_free(again);
            good++;
        } else {
            assert_non_null(strstr(error.message, "compare")); /* one column twice by one comparator, by chance */
            assert_true(strstr(error.message, "already") != NULL);
        }
        akin_dedupe_plan_free(plan);
    }
    assert_true(good > 500);
}

/* What comes of a block with a number behind a key, or with nothing if there is none; *argument is the key's. */
static akin_status try_key(const char *name, const char *colon, uint32_t number, uint32_t *argument)
{
    char block[80];
    snprintf(block, sizeof block, *colon ? "x:%s:%u" : "x:%s", name, number);
    const char *const words[] = {"threshold", "1", "compare", "x:exact", "block", block, NULL};
    akin_dedupe_plan *plan = make(words);
    akin_status status = akin_dedupe_plan_finish(plan, NULL);
    if (status == AKIN_OK)
        *argument = akin_dedupe_plan_options(plan)->selections[0].parts[0].argument;
    akin_dedupe_plan_free(plan);
    return status;
}

/* A key that has a number has one from 1 to its most; others have none. */
static void test_numbers_of_keys(void **state)
{
    const akin_choice *choice;
    (void)state;
    for (uint32_t i = 0; (choice = akin_choices("keys", i)); i++) {
        uint32_t most = ((const akin_key_row *)choice)->most, argument = 77;
        if (((const akin_key_row *)choice)->has_scale)
            continue;
        assert_int_equal(choice->arguments[0] == ':', most > 0);
        assert_int_equal(try_key(choice->name, "", 0, &argument), most > 0 ? AKIN_E_OPTION : AKIN_OK);
        assert_int_equal(try_key(choice->name, ":", 1, &argument), most > 0 ? AKIN_OK : AKIN_E_OPTION);
        assert_int_equal(argument, most > 0);
        if (most == 0)
            continue;
        assert_int_equal(try_key(choice->name, ":", most, &argument), AKIN_OK);
        assert_int_equal(argument, most);
        assert_int_equal(try_key(choice->name, ":", 0, &argument), AKIN_E_OPTION);
        assert_int_equal(try_key(choice->name, ":", most + 1, &argument), AKIN_E_OPTION);
    }
}

/* A block of keys that are buckets is a selection for each way to pair their neighbours; a window is one. */
static void test_buckets(void **state)
{
    static const struct {
        const char *block, *said;
    } bad[] = {
        {"x:round", "block x:round: key 'round': expected round:X, X a decimal number above 0"},
        {"x:round:0", "block x:round:0: key 'round:0': expected round:X, X a decimal number above 0"},
        {"x:week:2", "block x:week:2: key 'week:2': nothing follows week"},
        {"a:week+b:week+c:week+d:year+e:month", "5 keys are buckets; expected at most 4"},
    };
    const char *const words[] = {"threshold", "1",         "compare", "x:exact", "block", "x:round:2.5+y+z:week",
                                 "window",    "3:z:month", NULL};
    static const char *const titles[] = {
        "window 3:z:month", "block x:round:2.5+y+z:week, pass 1 of 4", "block x:round:2.5+y+z:week, pass 2 of 4",
        "block x:round:2.5+y+z:week, pass 3 of 4", "block x:round:2.5+y+z:week, pass 4 of 4"};
    akin_dedupe_plan *plan = make(words);
    akin_error error;
    (void)state;
    assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_OK);
    const akin_dedupe_options *options = akin_dedupe_plan_options(plan);
    assert_int_equal(options->selection_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const akin_key_part *parts = options->selections[i].parts;
        assert_string_equal(akin_dedupe_plan_titles(plan)->selections[i], titles[i]);
        assert_int_equal(options->selections[i].part_count, i > 0 ? 3 : 1);
        if (i == 0) {
            assert_true(parts[0].key == AKIN_KEY_MONTH && parts[0].buckets == AKIN_BUCKETS_ALONE);
            continue;
        }
        assert_true(parts[0].key == AKIN_KEY_ROUND && 2 * parts[0].scale.num == 5 * parts[0].scale.den);
        assert_int_equal(parts[0].buckets, i % 2 ? AKIN_BUCKETS_EVEN : AKIN_BUCKETS_ODD);
        assert_true(parts[1].key == AKIN_KEY_VALUE && parts[1].buckets == AKIN_BUCKETS_ALONE);
        assert_true(parts[2].key == AKIN_KEY_WEEK);
        assert_int_equal(parts[2].buckets, i > 2 ? AKIN_BUCKETS_ODD : AKIN_BUCKETS_EVEN);
    }
    akin_dedupe_plan_free(plan);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(akin_dedupe_plan_create(NULL, &plan, &error), AKIN_OK);
        assert_int_equal(akin_dedupe_plan_add(plan, "block", bad[i].block, &error), AKIN_OK);
        assert_int_equal(akin_dedupe_plan_add(plan, "compare", "x:exact", &error), AKIN_OK);
        assert_int_equal(akin_dedupe_plan_add(plan, "threshold", "1", &error), AKIN_OK);
        assert_int_equal(akin_dedupe_plan_finish(plan, &error), AKIN_E_OPTION);
        assert_non_null(strstr(error.message, bad[i].said));
        akin_dedupe_plan_free(plan);
    }
}

/* K alone is for each column that is compared. */
static void test_nearest(void **state)
{
    static const char *const words[] = {"compare",   "a:exact", "compare", "a:jaro",  "compare",
                                        "b:exact",   "nearest", "7",       "nearest", "9:a=x:words:2",
                                        "threshold", "1",       NULL};
    (void)state;
    akin_dedupe_plan *plan = finish(words);
    const akin_dedupe_options *o = akin_dedupe_plan_options(plan);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    assert_int_equal(o->selection_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const akin_selection *s = &o->selections[i];
        assert_true(s->kind == AKIN_SELECT_NEAREST && s->part_count == 1 && s->parts->column == i);
        assert_int_equal(s->nearest, i < 2 ? 7 : 9);
        assert_int_equal(s->text->tokens, i < 2 ? AKIN_TOKENS_QGRAMS : AKIN_TOKENS_SHINGLES);
        assert_int_equal(s->text->q, i < 2 ? 3 : 2);
    }
    assert_string_equal(titles->selections[1], "nearest 7 of b");
    assert_string_equal(titles->selections[2], "nearest 9:a=x:words:2");
    akin_dedupe_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_words_become_options),
        cmocka_unit_test(test_synonyms),
        cmocka_unit_test(test_columns_of_two_tables),
        cmocka_unit_test(test_ids_of_one_table),
        cmocka_unit_test(test_a_window_of_all_columns_is_one_of_each),
        cmocka_unit_test(test_tokens_are_those_of_the_table),
        cmocka_unit_test(test_there_is_no_limit),
        cmocka_unit_test(test_json_becomes_words),
        cmocka_unit_test(test_any_value),
        cmocka_unit_test(test_all_columns_are_no_column),
        cmocka_unit_test(test_names_as_python_has_them),
        cmocka_unit_test(test_results_have_columns_of_different_names),
        cmocka_unit_test(test_json_that_cannot_be_is_refused),
        cmocka_unit_test(test_malformed_words_are_refused),
        cmocka_unit_test(test_numbers_of_keys),
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_learnt_weights),
        cmocka_unit_test(test_precision),
        cmocka_unit_test(test_what_is_dropped_was_never_said),
        cmocka_unit_test(test_a_plan_is_the_same_after_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
