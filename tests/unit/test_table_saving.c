/* Outputs that a saver takes: what it is handed, in which order, and what is left where a step fails. */
#define _GNU_SOURCE

#include "test_table_support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum step { NO_STEP, OPEN, BEGIN, WRITE, COPY, FINISH, COMMIT };

/* What savers have done, a word for each call, and the step that fails. Each table has a letter. */
static char calls[1000], bytes[400];
static enum step failing;
static char fails_of; /* 0: of any */
static int alive, next_letter;

typedef struct saved_table {
    char letter;
    int descriptor;
} saved_table;

static void note(const char *text)
{
    const size_t used = strlen(calls);
    assert_true(used + strlen(text) + 1 < sizeof calls);
    memcpy(calls + used, text, strlen(text) + 1);
}

static akin_status take_step(enum step step, const char *word, const saved_table *table, akin_error *error)
{
    char text[40];
    snprintf(text, sizeof text, "%s:%c ", word, table->letter);
    note(text);
    if (step != failing || (fails_of && fails_of != table->letter))
        return AKIN_OK;
    return akin_error_set(error, AKIN_E_IO, AKIN_REASON_NONE, "%s failed", word);
}

static akin_status open_saved(void *user, const akin_saving *saving, void **saved, akin_error *error)
{
    saved_table *table = malloc(sizeof *table);
    assert_non_null(table);
    assert_int_equal(saving->size, sizeof *saving);
    assert_string_equal(user, "user");
    *table = (saved_table){(char)('a' + next_letter++), saving->descriptor};
    char text[100];
    snprintf(text, sizeof text, "%d%s%s ", (int)saving->format, saving->descriptor >= 0 ? "file" : "",
             saving->replaces ? "replaces" : "");
    note(text);
    akin_status status = take_step(OPEN, "open", table, error);
    if (status == AKIN_OK) {
        *saved = table;
        alive++;
    } else {
        free(table);
    }
    return status;
}

static akin_status begin_saved(void *saved, const akin_output_column *columns, uint32_t count, akin_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        note(columns[i].name);
        note("=");
        note(columns[i].type);
        note(",");
    }
    return take_step(BEGIN, "begin", saved, error);
}

static akin_status write_saved(void *saved, const char *data, size_t length, akin_error *error)
{
    saved_table *table = saved;
    akin_status status = take_step(WRITE, "write", table, error);
    if (status != AKIN_OK)
        return status;
    if (table->descriptor >= 0)
        assert_int_equal(write(table->descriptor, data, length), length);
    else
        strncat(bytes, data, length);
    return AKIN_OK;
}

static akin_status copy_saved(void *saved, const akin_opening *from, const uint8_t *kept, uint32_t rows,
                              akin_error *error)
{
    char text[100];
    snprintf(text, sizeof text, "%d:%s:%u:%x ", (int)from->format, from->path, rows, kept[0]);
    note(text);
    assert_int_equal(from->keeps_records, 1);
    return take_step(COPY, "copy", saved, error);
}

static akin_status finish_saved(void *saved, akin_error *error)
{
    return take_step(FINISH, "finish", saved, error);
}

static akin_status commit_saved(void *saved, akin_error *error)
{
    return take_step(COMMIT, "commit", saved, error);
}

static void discard_saved(void *saved)
{
    take_step(NO_STEP, "discard", saved, NULL);
    free(saved);
    alive--;
}

static const akin_saver saver = {.size = sizeof saver,
                                 .open = open_saved,
                                 .begin = begin_saved,
                                 .write = write_saved,
                                 .copy = copy_saved,
                                 .finish = finish_saved,
                                 .commit = commit_saved,
                                 .discard = discard_saved,
                                 .user = "user"};

static const akin_output_column columns[] = {{"id", "l"}, {"name", "u"}};

static int begin_test(void **state)
{
    (void)state;
    calls[0] = bytes[0] = fails_of = '\0';
    failing = NO_STEP;
    next_letter = 0;
    context.saver = &saver;
    return 0;
}

static int nothing_is_left(void **state)
{
    (void)state;
    return alive == 0 ? 0 : -1;
}

/* A table of two rows, as far as that goes. */
static akin_status write_table(const char *path, akin_output **out, akin_error *error)
{
    *out = NULL;
    akin_status status = akin_output_open_table(&context, path, 0, out, error);
    if (status == AKIN_OK)
        status = akin_output_columns(*out, columns, 2, error);
    if (status == AKIN_OK)
        status = akin_output_write(*out, "1,\"a\"\n", 6, error);
    return status == AKIN_OK ? akin_output_write(*out, "2,\n", 3, error) : status;
}

static void test_a_file(void **state)
{
    const char *path = scratch_path("towns.parquet");
    akin_output *output;
    akin_error error;
    (void)state;
    if (write_table(path, &output, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
    assert_string_equal(calls, "7file open:a id=l,name=u,begin:a write:a finish:a discard:a ");
    char *content = scratch_read(path, NULL);
    assert_string_equal(content, "1,\"a\"\n2,\n");
    free(content);
    unlink(path);
}

static void test_a_database(void **state)
{
    akin_output *output;
    akin_error error;
    (void)state;
    assert_int_equal(write_table("sqlite:x?table=t", &output, &error), AKIN_OK);
    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
    assert_string_equal(calls, "10 open:a id=l,name=u,begin:a write:a finish:a commit:a discard:a ");
    assert_string_equal(bytes, "1,\"a\"\n2,\n");
    begin_test(NULL);
    assert_int_equal(akin_output_open_table(&context, "postgres://h/d?table=t", 1, &output, &error), AKIN_OK);
    akin_output_discard(output);
    assert_string_equal(calls, "11replaces open:a discard:a ");
}

/* Whichever step fails, its message is that of the commit, and nothing has the name. */
static void test_failures(void **state)
{
    static const char *const messages[] = {"", "open failed", "begin failed", "write failed", "", "finish failed"};
    const char *path = scratch_path("towns.arrow");
    (void)state;
    for (enum step step = OPEN; step <= FINISH; step++) {
        akin_output *output;
        akin_error error, again;
        if (step == COPY)
            continue;
        begin_test(NULL);
        failing = step;
        akin_status status = write_table(path, &output, &error);
        assert_int_equal(status, step >= WRITE ? AKIN_OK : AKIN_E_IO); /* bytes are gathered */
        if (output && status != AKIN_OK) {
            failing = NO_STEP;
            assert_int_equal(akin_output_write(output, "3,\n", 3, NULL), AKIN_OK);
            assert_int_equal(akin_output_commit(output, &again), AKIN_E_IO);
            assert_string_equal(again.message, error.message);
        } else if (output) {
            assert_int_equal(akin_output_commit(output, &error), AKIN_E_IO);
        }
        assert_string_equal(error.message, messages[step]);
        assert_int_equal(access(path, F_OK), -1);
        assert_int_equal(alive, 0);
    }
    begin_test(NULL);
    failing = COMMIT;
    akin_output *output;
    akin_error error;
    assert_int_equal(write_table("duckdb:x?table=t", &output, &error), AKIN_OK);
    assert_int_equal(akin_output_commit(output, &error), AKIN_E_IO);
    assert_string_equal(error.message, "commit failed");
}

/* All are finished before the first is committed, and files have their names before that. */
static void test_commit_all(void **state)
{
    const char *path = scratch_path("one.parquet"), *plain = scratch_path("two.csv");
    for (int fails = 0; fails < 3; fails++) {
        akin_output *outputs[4];
        akin_error error;
        begin_test(state);
        assert_int_equal(write_table("sqlite:x?table=t", &outputs[0], &error), AKIN_OK);
        assert_int_equal(write_table(path, &outputs[1], &error), AKIN_OK);
        assert_int_equal(write_table("sqlite:x?table=u", &outputs[2], &error), AKIN_OK);
        assert_int_equal(akin_output_open_table(&context, plain, 0, &outputs[3], &error), AKIN_OK);
        assert_int_equal(akin_output_columns(outputs[3], columns, 2, &error), AKIN_OK);
        assert_int_equal(akin_output_write(outputs[3], "id,name\n", 8, &error), AKIN_OK);
        calls[0] = '\0';
        failing = fails ? COMMIT : NO_STEP;
        fails_of = fails == 1 ? 'a' : 'c';
        assert_int_equal(akin_output_commit_all(outputs, 4, &error), fails ? AKIN_E_IO : AKIN_OK);
        assert_int_equal(access(path, F_OK), fails ? -1 : 0);
        assert_int_equal(access(plain, F_OK), fails ? -1 : 0);
        if (fails == 2) /* the other table cannot be taken back */
            assert_string_equal(error.message, "commit failed; sqlite:x?table=t has been written all the same");
        else if (fails)
            assert_string_equal(error.message, "commit failed");
        assert_non_null(strstr(calls, "finish:c commit:a "));
        unlink(path);
        unlink(plain);
    }
}

/* A file that has not got its name yet does not take away the one of that name. */
static void test_what_was_there_stays(void **state)
{
    const char *path = scratch_write("there.parquet", "old", 3);
    akin_output *outputs[2];
    akin_error error;
    (void)state;
    assert_int_equal(write_table(path, &outputs[0], &error), AKIN_OK);
    assert_int_equal(write_table("sqlite:x?table=t", &outputs[1], &error), AKIN_OK);
    failing = FINISH;
    assert_int_equal(akin_output_commit_all(outputs, 2, &error), AKIN_E_IO);
    char *content = scratch_read(path, NULL);
    assert_string_equal(content, "old");
    free(content);
    unlink(path);
}

static void test_copies(void **state)
{
    const uint8_t kept[1] = {5};
    akin_output *output;
    akin_error error;
    (void)state;
    assert_int_equal(akin_output_open_table(&context, "duckdb:x?table=t", 0, &output, &error), AKIN_OK);
    assert_int_equal(akin_output_copy(output, AKIN_FORMAT_PARQUET, "a.parquet", kept, 3, &error), AKIN_OK);
    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
    assert_string_equal(calls, "9 open:a 7:a.parquet:3:5 copy:a finish:a commit:a discard:a ");
    begin_test(NULL);
    failing = COPY;
    assert_int_equal(akin_output_open_table(&context, "duckdb:x?table=t", 0, &output, &error), AKIN_OK);
    assert_int_equal(akin_output_copy(output, AKIN_FORMAT_PARQUET, "a.parquet", kept, 3, &error), AKIN_E_IO);
    assert_int_equal(akin_output_commit(output, &error), AKIN_E_IO);
    const char *path = scratch_path("plain.csv");
    assert_int_equal(akin_output_open_table(&context, path, 0, &output, &error), AKIN_OK);
    assert_int_equal(akin_output_copy(output, AKIN_FORMAT_PARQUET, "a.parquet", kept, 3, &error), AKIN_E_OPTION);
    akin_output_discard(output);
}

/* Adds what comes of the other texts. */
static akin_status copy_texts_saved(void *saved, const akin_opening *from, const uint8_t *kept, uint32_t rows,
                                    const akin_other_texts *texts, akin_error *error)
{
    const char *text;
    uint64_t length;
    note(texts->column);
    note(" ");
    for (uint32_t row = 0; row < rows; row++) {
        const akin_status status = texts->of(texts->user, row, &text, &length, error);
        if (status != AKIN_OK)
            return status;
        note(text ? text : "own");
        note(" ");
    }
    return copy_saved(saved, from, kept, rows, error);
}

/* The second row has another text, and the fourth none that can be had. */
static akin_status other_text(void *user, uint32_t row, const char **text, uint64_t *length, akin_error *error)
{
    *text = row == 1 ? user : NULL;
    *length = row == 1 ? strlen(user) : 0;
    return row == 3 ? akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "no text") : AKIN_OK;
}

static void test_copies_with_texts(void **state)
{
    static char text[] = "other";
    const uint8_t kept[1] = {7};
    const akin_other_texts texts = {.size = sizeof texts, .column = "name", .of = other_text, .user = text};
    akin_saver own = saver;
    akin_output *output;
    akin_error error;
    (void)state;
    context.saver = &own;
    assert_int_equal(akin_output_open_table(&context, "duckdb:x?table=t", 0, &output, &error), AKIN_OK);
    assert_int_equal(akin_output_copy_texts(output, AKIN_FORMAT_PARQUET, "a.parquet", kept, 3, &texts, &error),
                     AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "rows are not copied there with other texts"));
    akin_output_discard(output);
    begin_test(NULL);
    own.copy_texts = copy_texts_saved;
    own.size = offsetof(akin_saver, copy_texts); /* of an earlier version */
    context.saver = &own;
    assert_int_equal(akin_output_open_table(&context, "duckdb:x?table=t", 0, &output, &error), AKIN_OK);
    assert_int_equal(akin_output_copy_texts(output, AKIN_FORMAT_PARQUET, "a.parquet", kept, 3, &texts, &error),
                     AKIN_E_OPTION);
    akin_output_discard(output);
    begin_test(NULL);
    own.size = sizeof own;
    context.saver = &own;
    assert_int_equal(akin_output_open_table(&context, "duckdb:x?table=t", 0, &output, &error), AKIN_OK);
    assert_int_equal(akin_output_copy_texts(output, AKIN_FORMAT_PARQUET, "a.parquet", kept, 3, &texts, &error),
                     AKIN_OK);
    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
    assert_non_null(strstr(calls, "name own other own 7:a.parquet:3:7 copy:"));
    begin_test(NULL);
    context.saver = &own;
    assert_int_equal(akin_output_open_table(&context, "duckdb:x?table=t", 0, &output, &error), AKIN_OK);
    assert_int_equal(akin_output_copy_texts(output, AKIN_FORMAT_PARQUET, "a.parquet", kept, 4, &texts, &error),
                     AKIN_E_NOMEM);
    assert_int_equal(akin_output_commit(output, &error), AKIN_E_NOMEM);
    context.saver = &saver;
}

static void test_refusals(void **state)
{
    akin_output *output = NULL, *both[2];
    akin_error error;
    (void)state;
    assert_int_equal(akin_output_open_table(&context, "sqlite:x?table=t", 0, &output, &error), AKIN_OK);
    akin_output_write(output, "no table", 8, NULL);
    assert_int_equal(akin_output_commit(output, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "sqlite:x?table=t: holds tables, and this is none: expected another name");
    const char *path = scratch_path("pipe.parquet");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_int_equal(akin_output_open_table(&context, path, 0, &output, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "is a pipe or a device"));
    close(reader);
    unlink(path);
    for (int i = 0; i < 2; i++)
        assert_int_equal(write_table("postgresql://me:secret@h/d?table=t", &both[i], &error), AKIN_OK);
    assert_int_equal(akin_output_commit_all(both, 2, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "postgresql://me@h/d?table=t: would be written twice; nothing has been");
    context.saver = NULL;
    assert_int_equal(akin_output_open_table(&context, "x.parquet", 0, &output, &error), AKIN_E_OPTION);
    assert_int_equal(error.reason, AKIN_REASON_FOREIGN_FORMAT);
    assert_non_null(
        strstr(error.message, "x.parquet: libakin does not write parquet, which is for the Python package"));
    assert_non_null(strstr(error.message, "; or pipe CSV: akin ... | duckdb -c "));
    assert_int_equal(access("x.parquet", F_OK), -1);
}

static void test_context(void **state)
{
    akin_saver own = saver;
    akin_context_options options = {.size = sizeof options, .device = "cpu", .saver = &own};
    akin_context *made = NULL;
    akin_output *output;
    (void)state;
    assert_int_equal(akin_context_create(&options, &made, NULL), AKIN_OK);
    assert_int_equal(akin_output_open_table(made, "sqlite:x?table=t", 0, &output, NULL), AKIN_OK);
    akin_output_discard(output);
    akin_context_free(made);
    own.size = 1;
    assert_int_equal(akin_context_create(&options, &made, NULL), AKIN_E_OPTION);
}

static int cancel(void *user)
{
    (void)user;
    return 1;
}

static void test_cancel(void **state)
{
    akin_output *output;
    akin_error error;
    (void)state;
    assert_int_equal(write_table("sqlite:x?table=t", &output, &error), AKIN_OK);
    context.scope.reporter.cancel = cancel;
    assert_int_equal(akin_output_commit(output, &error), AKIN_E_CANCELLED);
    context.scope.reporter.cancel = NULL;
    assert_null(strstr(calls, "write"));
    assert_null(strstr(calls, "commit"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, nothing_is_left)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_file),     TEST(test_a_database), TEST(test_failures),
        TEST(test_commit_all), TEST(test_copies),     TEST(test_copies_with_texts),
        TEST(test_refusals),   TEST(test_context),    TEST(test_what_was_there_stays),
        TEST(test_cancel),
    };
    context.temporary = strdup("/tmp");
    int failed = cmocka_run_group_tests(tests, scratch_make, scratch_remove);
    free(context.temporary);
    return failed;
}
