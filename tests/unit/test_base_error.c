/* Tests of errors and of structs that begin with their own size. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void message_is_formatted(void **state)
{
    (void)state;
    akin_error error;
    assert_int_equal(akin_fail(&error, AKIN_E_INPUT, "%s: line %d: expected %s", "a.txt", 7, "a token"), AKIN_E_INPUT);
    assert_int_equal(error.code, AKIN_E_INPUT);
    assert_string_equal(error.message, "a.txt: line 7: expected a token");
    assert_int_equal(akin_fail_memory(&error, "the index"), AKIN_E_NOMEM);
    assert_string_equal(error.message, "not enough memory for the index");
}

static void system_reason_is_added(void **state)
{
    (void)state;
    akin_error error;
    assert_int_equal(akin_fail_system(&error, AKIN_E_IO, AKIN_REASON_FILE, ENOSPC, "%s: cannot be written", "b"),
                     AKIN_E_IO);
    assert_string_equal(error.message, "b: cannot be written: No space left on device");
    akin_fail_system(&error, AKIN_E_IO, AKIN_REASON_FILE, 98765, "b");
    assert_non_null(strstr(error.message, "98765"));
}

static void error_may_be_absent(void **state)
{
    (void)state;
    assert_int_equal(akin_fail(NULL, AKIN_E_LIMIT, "%d", 1), AKIN_E_LIMIT);
    assert_int_equal(akin_fail_system(NULL, AKIN_E_IO, AKIN_REASON_FILE, EIO, "%d", 1), AKIN_E_IO);
    assert_int_equal(akin_fail_memory(NULL, "x"), AKIN_E_NOMEM);
}

static void long_message_is_cut(void **state)
{
    (void)state;
    char text[5000];
    akin_error error;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    akin_fail(&error, AKIN_E_IO, "%s", text);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    akin_fail_system(&error, AKIN_E_IO, AKIN_REASON_FILE, ENOSPC, "%s", text);
    assert_true(strlen(error.message) < sizeof error.message);
    assert_non_null(strstr(error.message, "x: No space left on device"));
}

/* "é" is two bytes: a message is cut before one that has no room, and a name in it likewise. */
static void characters_are_whole(void **state)
{
    (void)state;
    enum { ROOM = sizeof((akin_error *)NULL)->message - 1 };
    char text[2 * ROOM + 2] = "", printed[ROOM + 1];
    akin_error error;
    for (int shift = 0; shift < 2; shift++) {
        memset(text, 'x', (size_t)shift);
        for (size_t at = (size_t)shift; at < sizeof text - 3; at += 2)
            memcpy(text + at, "\xc3\xa9", 3);
        akin_fail(&error, AKIN_E_IO, "%s", text);
        const size_t length = strlen(error.message);
        assert_int_equal(length, ROOM - (size_t)(ROOM % 2 != shift));
        assert_memory_equal(error.message, text, length);
        akin_fail(&error, AKIN_E_IO, "'%.60s' is unknown", text);
        snprintf(printed, sizeof printed, "'%.*s' is unknown", 60 - shift, text);
        assert_string_equal(error.message, printed);
    }
    akin_fail(&error, AKIN_E_IO, "%s%.3s|%.3s|%.2s|%s", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\xe2\x82\xac",
              "\xe2\x82\xac", "a\nb");
    assert_string_equal(error.message, "\xf0\x9f\x98\x80|\xe2\x82\xac||a?b");
    akin_fail(&error, AKIN_E_IO, "%s", "\xff\x80"); /* no part of a character: as it is */
    assert_string_equal(error.message, "??");
    akin_fail_line(&error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, "\xc3.csv", 12, "bad"); /* `rest` is where that is */
    assert_string_equal(error.message, ".csv:12: bad");
    assert_string_equal(error.message + error.rest, "bad");
}

static void missing_options_are_named(void **state)
{
    (void)state;
    akin_error error;
    assert_int_equal(akin_fail_missing(&error, "all, window W or block B", "which pairs"), AKIN_E_OPTION);
    assert_string_equal(error.message, "all, window W or block B is missing: which pairs");
    assert_string_equal(error.message + error.rest, "which pairs");
    assert_string_equal(error.option, "all");
    assert_int_equal(error.reason, AKIN_REASON_MISSING);
    assert_int_equal(akin_fail_missing(NULL, "a", "b"), AKIN_E_OPTION);
}

/* Whether nothing but code and message is known. */
static void assert_bare(const akin_error *error)
{
    assert_int_equal(error->reason, AKIN_REASON_NONE);
    assert_int_equal(error->system, 0);
    assert_int_equal(error->row, AKIN_NO_ROW);
    assert_int_equal(error->line, 0);
    assert_int_equal(error->rest, 0);
    assert_true(!error->column[0] && !error->word[0] && !error->meant[0] && !error->option[0]);
}

/* An error all of whose fields are set. */
static akin_error full(void)
{
    akin_error error;
    akin_fail_line(&error, AKIN_E_INPUT, AKIN_REASON_REPEATED, "a.csv", 7, "two");
    akin_note_place(AKIN_E_INPUT, 5, "name", &error);
    akin_note_word(AKIN_E_INPUT, "wodr", 4, &error);
    akin_note_meant(AKIN_E_INPUT, "word", &error);
    error.system = EIO;
    snprintf(error.option, sizeof error.option, "fold");
    return error;
}

static void assert_full(const akin_error *error)
{
    assert_int_equal(error->reason, AKIN_REASON_REPEATED);
    assert_int_equal(error->system, EIO);
    assert_int_equal(error->row, 5);
    assert_int_equal(error->line, 7);
    assert_string_equal(error->column, "name");
    assert_string_equal(error->word, "wodr");
    assert_string_equal(error->meant, "word");
}

static void fields_of_the_last_failure_are_reset(void **state)
{
    (void)state;
    akin_error error = full();
    assert_full(&error);
    akin_fail(&error, AKIN_E_LIMIT, "%s", "more");
    assert_bare(&error);
    error = full();
    akin_error_set(&error, AKIN_E_OPTION, AKIN_REASON_NONE, "other");
    assert_bare(&error);
    error = full();
    akin_fail_stopped(&error, AKIN_E_CANCELLED, "x");
    assert_bare(&error);
    error = full();
    assert_int_equal(akin_fail_memory(&error, "x"), AKIN_E_NOMEM);
    assert_int_equal(error.reason, AKIN_REASON_MEMORY);
    error.reason = AKIN_REASON_NONE;
    assert_bare(&error);
    error = full();
    akin_fail_system(&error, AKIN_E_IO, AKIN_REASON_FILE, ENOENT, "a");
    assert_int_equal(error.reason, AKIN_REASON_NO_FILE);
    assert_int_equal(error.system, ENOENT);
    error.reason = AKIN_REASON_NONE;
    error.system = 0;
    assert_bare(&error);
    akin_fail_system(&error, AKIN_E_IO, AKIN_REASON_TEMPORARY, ENOENT, "a");
    assert_int_equal(error.reason, AKIN_REASON_TEMPORARY);
}

static void places_are_before_the_message(void **state)
{
    (void)state;
    akin_error error = full();
    assert_int_equal(akin_fail_line(&error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, "a.csv", 12, "has %d", 3),
                     AKIN_E_INPUT);
    assert_string_equal(error.message, "a.csv:12: has 3");
    assert_string_equal(error.message + error.rest, "has 3");
    assert_int_equal(error.line, 12);
    assert_int_equal(error.row, AKIN_NO_ROW);
    assert_string_equal(error.column, "");
    assert_int_equal(akin_fail_row(&error, AKIN_E_LIMIT, AKIN_REASON_NUL, 3, "b", ", column '%s': bad", "b"),
                     AKIN_E_LIMIT);
    assert_string_equal(error.message, "row 3, column 'b': bad");
    assert_string_equal(error.message + error.rest, "column 'b': bad");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.row, 3);
    assert_string_equal(error.column, "b");
    assert_int_equal(error.reason, AKIN_REASON_NUL);
    akin_fail_row(&error, AKIN_E_LIMIT, AKIN_REASON_NONE, UINT64_C(5000000000), NULL, " has bytes");
    assert_string_equal(error.message, "row 5000000000 has bytes");
    assert_string_equal(error.message + error.rest, "has bytes");
    assert_int_equal(error.row, AKIN_NO_ROW); /* it does not fit */
    assert_string_equal(error.column, "");
    akin_fail_column(&error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, "c", "no column %s", "c");
    assert_string_equal(error.message, "no column c");
    assert_int_equal(error.rest, 0);
    assert_int_equal(error.row, AKIN_NO_ROW);
    assert_string_equal(error.column, "c");
}

static void errors_are_handed_on(void **state)
{
    (void)state;
    akin_error from = full(), error;
    assert_int_equal(akin_fail_again(&error, AKIN_E_IO, &from), AKIN_E_IO);
    assert_full(&error);
    assert_string_equal(error.message, "a.csv:7: two");
    assert_int_equal(error.rest, 9);
    akin_fail(&error, AKIN_E_OPTION, "compare x: %s", from.message);
    assert_int_equal(akin_note_from(AKIN_E_OPTION, &from, &error), AKIN_E_OPTION);
    assert_full(&error);
    assert_string_equal(error.message, "compare x: a.csv:7: two");
    assert_int_equal(error.rest, 0);
    assert_int_equal(akin_note_from(AKIN_E_OPTION, &from, NULL), AKIN_E_OPTION);
    assert_int_equal(akin_note_place(AKIN_E_OPTION, 1, "a", NULL), AKIN_E_OPTION);
    assert_int_equal(akin_note_word(AKIN_E_OPTION, "a", 1, NULL), AKIN_E_OPTION);
    assert_int_equal(akin_note_meant(AKIN_E_OPTION, "a", NULL), AKIN_E_OPTION);
    assert_int_equal(akin_fail_line(NULL, AKIN_E_INPUT, AKIN_REASON_NUL, "a", 1, "b"), AKIN_E_INPUT);
    assert_int_equal(akin_fail_row(NULL, AKIN_E_INPUT, AKIN_REASON_NUL, 1, "a", "b"), AKIN_E_INPUT);
}

static void long_names_are_cut_at_a_character(void **state)
{
    (void)state;
    akin_error error;
    char name[1000], file[3000];
    for (size_t i = 0; i + 2 < sizeof name; i += 2)
        memcpy(name + i, "\xc3\xa9", 3);
    memmove(name + 1, name, strlen(name) + 1);
    name[0] = 'x'; /* so that all characters begin at odd places */
    akin_fail_column(&error, AKIN_E_INPUT, AKIN_REASON_NO_COLUMN, name, "no");
    assert_int_equal(strlen(error.column), sizeof error.column - 1);
    akin_fail_column(&error, AKIN_E_INPUT, AKIN_REASON_NO_COLUMN, name + 1, "no");
    assert_int_equal(strlen(error.column), sizeof error.column - 2);
    assert_memory_equal(error.column, name + 1, sizeof error.column - 2);
    akin_note_word(AKIN_E_INPUT, name + 1, sizeof error.word, &error);
    assert_int_equal(strlen(error.word), sizeof error.word - 2);
    akin_note_meant(AKIN_E_INPUT, NULL, &error);
    assert_string_equal(error.meant, "");
    memset(file, 'f', sizeof file - 1);
    file[sizeof file - 1] = '\0';
    akin_fail_line(&error, AKIN_E_INPUT, AKIN_REASON_NONE, file, 1, "what");
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(error.rest, sizeof error.message - 1);
}

typedef struct first_version {
    size_t size;
    uint64_t a;
} first_version;

typedef struct second_version {
    size_t size;
    uint64_t a;
    uint64_t b;
} second_version;

typedef struct third_version {
    size_t size;
    uint64_t a;
    uint64_t b;
    uint64_t c;
} third_version;

static akin_status read_second(const void *given, second_version *own, akin_error *error)
{
    *own = (second_version){sizeof *own, 10, 20};
    return akin_options_read(given, own, sizeof *own, sizeof(first_version), "options", error);
}

static void options_take_what_is_given(void **state)
{
    (void)state;
    second_version own;
    first_version older = {sizeof older, 1};
    second_version same = {sizeof same, 2, 3};
    third_version later = {sizeof later, 4, 5, 0};

    assert_int_equal(read_second(NULL, &own, NULL), AKIN_OK);
    assert_true(own.size == sizeof own && own.a == 10 && own.b == 20);
    assert_int_equal(read_second(&older, &own, NULL), AKIN_OK);
    assert_true(own.size == sizeof own && own.a == 1 && own.b == 20);
    assert_int_equal(read_second(&same, &own, NULL), AKIN_OK);
    assert_true(own.size == sizeof own && own.a == 2 && own.b == 3);
    assert_int_equal(read_second(&later, &own, NULL), AKIN_OK);
    assert_true(own.size == sizeof own && own.a == 4 && own.b == 5);
}

static void options_refuse_what_they_do_not_know(void **state)
{
    (void)state;
    akin_error error;
    second_version own;
    third_version later = {sizeof later, 4, 5, 6};
    assert_int_equal(read_second(&later, &own, &error), AKIN_E_OPTION);
    assert_int_equal(error.code, AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "byte 24"));
    assert_int_equal(own.a, 10);

    const size_t wrong[] = {0, 1, sizeof(first_version) - 1, SIZE_MAX, sizeof own + 5000};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        second_version given = {wrong[i], 1, 2};
        assert_int_equal(read_second(&given, &own, &error), AKIN_E_OPTION);
        assert_non_null(strstr(error.message, "size"));
        assert_int_equal(own.a, 10);
    }
}

static void answers_fit_the_struct_of_the_caller(void **state)
{
    (void)state;
    const second_version own = {sizeof own, 7, 8};
    second_version short_one = {sizeof(first_version), 0, 99};
    third_version later = {sizeof later, 0, 0, 99};
    assert_int_equal(akin_options_write(&own, sizeof own, &short_one, "answer", NULL), AKIN_OK);
    assert_true(short_one.size == sizeof(first_version) && short_one.a == 7 && short_one.b == 99);
    assert_int_equal(akin_options_write(&own, sizeof own, &later, "answer", NULL), AKIN_OK);
    assert_true(later.size == sizeof later && later.a == 7 && later.b == 8 && later.c == 0);

    akin_error error;
    second_version unset = {0, 1, 2};
    assert_int_equal(akin_options_write(&own, sizeof own, &unset, "answer", &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "answer"));
    assert_true(unset.a == 1 && unset.b == 2);
}

static void message_is_one_line_of_text(void **state)
{
    (void)state;
    akin_error error;
    akin_fail(&error, AKIN_E_INPUT, "%s", "a\nb\x1b[31mc\x7f\td \xc3\xa9");
    assert_string_equal(error.message, "a?b?[31mc??d \xc3\xa9");
    akin_fail(&error, AKIN_E_INPUT, "%s",
              "a\xc2\x9b"
              "b\xe2\x80\xae"
              "c\xe2\x81\xa6"
              "d\xd8\x9c"
              "e\xe2\x80\xa8"
              "f");
    assert_string_equal(error.message, "a?b?c?d?e?f");
    akin_fail(&error, AKIN_E_INPUT, "%s",
              "a\x9b"
              "31m\x80"
              "b\xe0\x82\x9b"
              "c\xed\xa0\x80"
              "d\xe9"
              "e");
    assert_string_equal(error.message, "a?31m?b???c???de");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_is_formatted),
        cmocka_unit_test(system_reason_is_added),
        cmocka_unit_test(error_may_be_absent),
        cmocka_unit_test(long_message_is_cut),
        cmocka_unit_test(characters_are_whole),
        cmocka_unit_test(missing_options_are_named),
        cmocka_unit_test(message_is_one_line_of_text),
        cmocka_unit_test(fields_of_the_last_failure_are_reset),
        cmocka_unit_test(places_are_before_the_message),
        cmocka_unit_test(errors_are_handed_on),
        cmocka_unit_test(long_names_are_cut_at_a_character),
        cmocka_unit_test(options_take_what_is_given),
        cmocka_unit_test(options_refuse_what_they_do_not_know),
        cmocka_unit_test(answers_fit_the_struct_of_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
