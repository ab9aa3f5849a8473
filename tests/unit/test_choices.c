/* Tables of choices: every row of every table is complete, found by its name, and distinct from the others. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "akin_generate.h"
#include "akin_papers.h"

/* Row `index` of a table, of the annex or (NULL) of the library. */
static const akin_choice *row_of(const akin_annex *annex, const char *what, uint32_t index)
{
    return annex ? akin_annex_choices(annex, what, index) : akin_choices(what, index);
}

typedef void check_function(const akin_annex *annex, const char *what, const akin_choice *row, uint32_t index);

/* Calls `check` for each row of a table that an annex has. */
static uint32_t check_table(const akin_annex *annex, const akin_choice *table, check_function *check)
{
    const akin_choice *row;
    uint32_t count = 0;
    for (; (row = row_of(annex, table->name, count)); count++)
        check(annex, table->name, row, count);
    return count;
}

/* Calls `check` for each row of each table, of the library and of the libraries beside it. */
static void for_each(check_function *check)
{
    const akin_annex *const annexes[] = {NULL, akin_generators(), akin_papers()};
    const akin_choice *table;
    for (size_t a = 0; a < sizeof annexes / sizeof *annexes; a++) {
        uint32_t rows = 0;
        for (uint32_t t = 0; (table = akin_choices("choices", t)); t++)
            rows += check_table(annexes[a], table, check);
        for (uint32_t t = 0; annexes[a] && (table = akin_annex_choices(annexes[a], "choices", t)); t++)
            rows += check_table(annexes[a], table, check);
        assert_true(rows > 0);
    }
}

static void check_row(const akin_annex *annex, const char *what, const akin_choice *row, uint32_t index)
{
    size_t length = strlen(row->help);
    assert_true(row->name[0] && row->arguments);
    assert_true(length > 0 && length <= 72);
    assert_false(ispunct((unsigned char)row->help[length - 1]) && row->help[length - 1] == '.');
    assert_null(strchr(row->help, '\n'));
    for (const char *c = row->name; *c; c++)
        assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-' || *c == '+');
    for (uint32_t i = 0; i < index; i++)
        assert_string_not_equal(row_of(annex, what, i)->name, row->name);
}

static void test_rows_are_complete(void **state)
{
    (void)state;
    for_each(check_row);
}

static void check_found(const akin_annex *annex, const char *what, const akin_choice *row, uint32_t index)
{
    const akin_choice *found = NULL;
    assert_int_equal(akin_annex_choice_find(annex, what, row->name, &found, NULL), AKIN_OK);
    assert_ptr_equal(found, row_of(annex, what, index));
}

static void test_rows_are_found_by_name(void **state)
{
    (void)state;
    for_each(check_found);
}

static void test_a_former_name_is_refused_with_the_new_one(void **state)
{
    const akin_choice *found = NULL;
    akin_error error;
    (void)state;
    assert_string_equal(akin_choice_renamed("tokens", "blanks"), "whitespace");
    assert_null(akin_choice_renamed("tokens", "whitespace"));
    assert_null(akin_choice_renamed("tokens", "blank"));
    assert_null(akin_choice_renamed("folds", "blanks"));
    assert_null(akin_choice_renamed("nothing", "blanks"));
    assert_int_equal(akin_choice_find("tokens", "blanks", &found, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the kind of tokens 'blanks' is now called 'whitespace'");
    assert_string_equal(error.meant, "whitespace");
    assert_string_equal(error.word, "blanks");
    assert_int_equal(error.reason, AKIN_REASON_UNKNOWN_CHOICE);
}

static void test_the_nearest_name_is_suggested(void **state)
{
    const akin_choice *found = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_choice_find("techniques", "ppjion", &found, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "unknown technique 'ppjion' (did you mean 'ppjoin'?): expected auto, "));
    assert_int_equal(akin_choice_find("techniques", "zzz", &found, &error), AKIN_E_OPTION);
    assert_null(strstr(error.message, "did you mean"));
    assert_non_null(strstr(error.message, " or prefix"));
    assert_null(found);
}

/* The tables of generated data are those of akin_generators alone. */
static void test_tables_of_generators(void **state)
{
    static const char *const tables[] = {"copies", "distributions", "modifications", "record-kinds"};
    const akin_choice *table;
    uint32_t count = 0;
    (void)state;
    for (; (table = akin_annex_choices(akin_generators(), "choices", count)); count++) {
        assert_true(count < sizeof tables / sizeof *tables);
        assert_string_equal(table->name, tables[count]);
        assert_null(akin_choices(tables[count], 0));
        assert_null(akin_annex_choices(akin_papers(), tables[count], 0));
        assert_non_null(akin_annex_choices(akin_generators(), tables[count], 1));
    }
    assert_int_equal(count, sizeof tables / sizeof *tables);
    assert_null(akin_annex_choices(akin_generators(), "measures", 0));
}

static void test_unknown_tables(void **state)
{
    const akin_choice *found = NULL;
    akin_error error;
    (void)state;
    assert_null(akin_choices("technique", 0));
    assert_int_equal(akin_choice_find("technique", "ppjoin", &found, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "(did you mean 'techniques'?)"));
}

static void test_guesses(void **state)
{
    akin_guess guess = {.word = "levenstein"};
    (void)state;
    akin_guess_offer(&guess, "jaro");
    assert_null(guess.best);
    akin_guess_offer(&guess, "levenshtein");
    akin_guess_offer(&guess, "osa");
    assert_string_equal(guess.best, "levenshtein");
    guess = (akin_guess){.word = "BM25plus"};
    akin_guess_offer(&guess, "bm25l");
    akin_guess_offer(&guess, "bm25+");
    assert_string_equal(guess.best, "bm25+");
    for (int turned = 0; turned < 2; turned++) {
        guess = (akin_guess){.word = "jaro-winkler:0.9"};
        akin_guess_offer(&guess, turned ? "jaro-winkler" : "jaro");
        akin_guess_offer(&guess, turned ? "jaro" : "jaro-winkler");
        assert_string_equal(guess.best, "jaro-winkler");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_rows_are_found_by_name),
        cmocka_unit_test(test_a_former_name_is_refused_with_the_new_one),
        cmocka_unit_test(test_the_nearest_name_is_suggested),
        cmocka_unit_test(test_tables_of_generators),
        cmocka_unit_test(test_unknown_tables),
        cmocka_unit_test(test_guesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
