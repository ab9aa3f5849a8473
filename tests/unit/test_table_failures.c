/*
 * Tables while memory runs out: every allocation of every reading fails once, alone and with all that follow. Leaks
 * show under the address sanitizer.
 */
#define _GNU_SOURCE

#include "base/budget.h"
#include "base/context.h"
#include "test_arrow_support.h"
#include "test_base_failing.h"
#include "test_table_support.h"

static void fail_each(const char *path, const akin_table_options *options, int once)
{
    for (unsigned n = 0;; n++) {
        akin_table *table = NULL;
        akin_error error;
        begin_failing(n, once);
        akin_status status = akin_table_read(&context, path, options, &table, &error);
        armed = 0;
        akin_table_free(status == AKIN_OK ? table : NULL);
        if (status != AKIN_OK) {
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_int_equal(error.code, AKIN_E_NOMEM);
            assert_non_null(strstr(error.message, "memory"));
            assert_int_equal(error.reason, AKIN_REASON_MEMORY);
            assert_null(table);
            assert_true(failed > 0);
        }
        if (failed == 0) {
            assert_int_equal(status, AKIN_OK);
            assert_true(n > 3);
            return;
        }
    }
}

/* Read as it is, and with all options; without a bound of memory, and within that one. */
static void fail_file_within(uint64_t bound, const char *name, const char *text, size_t length, const char *column)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    const char *path = scratch_write(name, text, length);
    for (int once = 0; once < 4; once++) {
        context.scope.memory = once < 2 ? 0 : bound;
        context.temporary = scratch;
        fail_each(path, NULL, once % 2);
        options = (akin_table_options){sizeof options, AKIN_FORMAT_AUTO, 1, &column, 1, 1, 1, 0, 0, NULL, 0, 0};
        fail_each(path, &options, once % 2);
        options.column_count = 0;
        fail_each(path, &options, once % 2);
    }
}

/* With a bound that small, columns are in temporary files. */
static void fail_file(const char *name, const char *text, size_t length, const char *column)
{
    fail_file_within(1 << 14, name, text, length, column);
}

/* The same by three threads, in small blocks. A piece that finds no memory is parsed again, so it may succeed. */
static void fail_threads(const char *name, const char *text, size_t length)
{
    static const akin_wishes wishes = {.block_bytes = 200};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    const char *path = scratch_write(name, text, length);
    options.keep_lines = options.keep_records = 1;
    context.scope.threads = 3;
    context.wishes = &wishes;
    for (int once = 0; once < 4; once++) {
        context.scope.memory = once < 2 ? 0 : AKIN_MEMORY_LEAST; /* a piece is in temporary files then */
        fail_each(path, &options, once % 2);
    }
    context.scope.threads = 1;
    context.wishes = NULL;
}

/* Rows that fill more than the first blocks: strings short and long, quoted, over several lines, and nulls. */
static void test_delimited(void **state)
{
    (void)state;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fputs("a,\"b \"\"c\"\"\",d,e,f,g,h,i,j\n", out);
    for (int row = 0; row < 100; row++)
        fprintf(out, "%d,\"x\n%040d\"\"\",,,,,,,\"end\"\r\n", row, row);
    fclose(out);
    fail_file("a.csv", text, length, "b \"c\"");
    fail_threads("a.csv", text, length);
    free(text);
}

/* A field over more than a block of the reader. */
static void test_long_field(void **state)
{
    (void)state;
    const size_t size = (size_t)5 << 19;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    for (size_t i = 50; i < size; i += 100)
        text[i] = '\n';
    memcpy(text, "a,b\n1,\"", 7);
    memcpy(text + size - 2, "\"\n", 2);
    fail_file_within(0, "a.csv", text, size, "b"); /* a small bound has no room for such a field */
    free(text);
}

static void test_jsonl(void **state)
{
    (void)state;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int row = 0; row < 100; row++)
        fprintf(out, "{\"key \\u00e9 %d\":\"\\n%040d\",\"row\":%d}\n", row % 30, row, row);
    fputs("{\"row\":null}", out);
    fclose(out);
    fail_file("a.jsonl", text, length, "row");
    fail_threads("a.jsonl", text, length);
    free(text);
}

static void test_lines(void **state)
{
    (void)state;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int row = 0; row < 100; row++)
        fprintf(out, "line %d\n\n", row);
    fputs("last", out);
    fclose(out);
    fail_file("a.txt", text, length, "text");
    free(text);
}

/* Several files, with bad records that are left out. */
static void test_several(void **state)
{
    static const akin_wishes wishes = {.block_bytes = 64};
    static const char csv[] = "a,b\n1,\"x\ny\"\n2\n3,\"4\"5\n6,7\n8,9\n10,11\n12,\"13\n\n14\"\n15,16\n17,18\n19,20\n";
    static const char jsonl[] = "{\"b\":\"x\",\"a\":1}\n{\n{\"a\":\"\\u00e9\"}\n";
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    (void)state;
    assert_int_equal(mkdir(scratch_path("several"), 0700), 0);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "several/%d.csv", i);
        scratch_write(name, csv, sizeof csv - 1);
    }
    scratch_write("several/x.jsonl", jsonl, sizeof jsonl - 1);
    options.keep_lines = options.keep_records = 1;
    options.skip_bad = 9;
    context.scope.memory = 0;
    context.wishes = &wishes;
    for (int once = 0; once < 4; once++) {
        context.scope.threads = once < 2 ? 1 : 3;
        fail_each(scratch_path("several"), &options, once % 2);
    }
    context.scope.threads = 1;
    context.wishes = NULL;
}

/* A text that is read from a file, of more nodes than there is room for at first. */
static void test_json(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":[1,2,3,4,5,6,7,8,9],\"b\":\"\\u00e9\"}";
    const char *path = scratch_write("a.json", text, strlen(text));
    context.scope.memory = 0;
    for (int once = 0; once < 2; once++)
        for (unsigned n = 0;; n++) {
            akin_json *json = NULL;
            akin_error error;
            begin_failing(n, once);
            akin_status status = akin_json_read(&context, path, &json, &error);
            armed = 0;
            akin_json_free(json);
            assert_int_equal(status, failed > 0 ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(status == AKIN_OK || strstr(error.message, "memory"));
            if (failed == 0)
                break;
        }
}

/* A text column and one of integers, which a file beside has as text. What the opener itself takes does not fail. */
static akin_status open_made(void *user, const akin_opening *opening, struct ArrowArrayStream *out, akin_error *error)
{
    static const int64_t sizes[] = {7, 8};
    static const char *const names[] = {"Ulm", NULL};
    const int was_armed = armed, is_number = strstr(opening->path, "/i") != NULL;
    (void)user, (void)error;
    armed = 0;
    struct ArrowSchema schema = schema_of("+s", "");
    struct ArrowArray chunk = struct_array(2, 0);
    add_child_schema(&schema, schema_of("u", "name"));
    add_child_schema(&schema, schema_of(is_number ? "l" : "u", "size"));
    add_child(&chunk, text_array(0, names, 2, 0, ""));
    add_child(&chunk, is_number ? number_array(sizes, sizeof *sizes, 2) : text_array(0, names, 2, 0, ""));
    *out = stream_of(schema);
    chunks_add(out, chunk);
    armed = was_armed;
    return AKIN_OK;
}

static void test_opened(void **state)
{
    static const akin_opener opener = {.size = sizeof opener, .open = open_made};
    static const char *const columns[] = {"size", "none"};
    const akin_table_options some = {.size = sizeof some, .columns = columns, .column_count = 2, .optional = 1};
    char names[1024], path[512];
    (void)state;
    snprintf(names, sizeof names, "%s/i.arrow\n%s/t.arrow\n%s/i.arrow\n", scratch, scratch, scratch);
    snprintf(path, sizeof path, "@%s", scratch_write("list", names, strlen(names)));
    context.opener = &opener;
    context.scope.memory = 0;
    for (int once = 0; once < 2; once++) {
        fail_each(path, NULL, once);
        fail_each(path, &some, once);
    }
    context.opener = NULL;
    assert_int_equal(alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several), cmocka_unit_test(test_delimited), cmocka_unit_test(test_long_field),
        cmocka_unit_test(test_jsonl),   cmocka_unit_test(test_lines),     cmocka_unit_test(test_json),
        cmocka_unit_test(test_opened),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
