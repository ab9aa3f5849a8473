/* Tables that an opener opens: what it is asked for, and what is made of its streams and its errors. */
#define _GNU_SOURCE

#include "test_arrow_support.h"
#include "test_table_support.h"

#define TEXTS(...) (const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *)

/* What an opener was asked for, and does. */
typedef struct asked {
    akin_format format;
    char path[64], columns[64];
    uint32_t optional;
    int fails, chunks, keeps_records;
} asked;

/* Two columns, and a row in each chunk. */
static struct ArrowArrayStream towns(int chunks)
{
    struct ArrowSchema schema = schema_of("+s", "");
    add_child_schema(&schema, schema_of("u", "name"));
    add_child_schema(&schema, schema_of("u", "river"));
    struct ArrowArrayStream stream = stream_of(schema);
    for (int i = 0; i < chunks; i++) {
        struct ArrowArray chunk = struct_array(1, 0);
        add_child(&chunk, text_array(0, TEXTS(i == 2 ? "\xff" : "Ulm"), 0, ""));
        add_child(&chunk, text_array(0, TEXTS("Danube"), 0, ""));
        chunks_add(&stream, chunk);
    }
    return stream;
}

static akin_status open_towns(void *user, const akin_opening *opening, struct ArrowArrayStream *out, akin_error *error)
{
    asked *a = user;
    assert_int_equal(opening->size, sizeof *opening);
    a->format = opening->format;
    a->optional = opening->optional;
    a->keeps_records = opening->keeps_records;
    snprintf(a->path, sizeof a->path, "%s", opening->path);
    a->columns[0] = '\0';
    for (size_t i = 0, at = 0; i < opening->column_count; i++, at = strlen(a->columns))
        snprintf(a->columns + at, sizeof a->columns - at, "%s ", opening->columns[i]);
    if (a->fails)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NO_FILE, "%s: is not there", opening->path);
    *out = towns(a->chunks);
    return AKIN_OK;
}

static akin_status read_with(const akin_opener *opener, const char *path, const akin_table_options *options,
                             akin_table **out, akin_error *error)
{
    context.opener = opener;
    akin_status status = akin_table_read(&context, path, options, out, error);
    context.opener = NULL;
    return status;
}

static void test_read(void **state)
{
    const char *wanted[] = {"river", "lake"};
    asked a = {.chunks = 2};
    const akin_opener opener = {.size = sizeof opener, .open = open_towns, .user = &a};
    akin_table_options options = {.size = sizeof options, .columns = wanted, .column_count = 2, .optional = 1};
    akin_table *table = NULL;
    akin_error error;
    (void)state;
    for (a.chunks = 1; a.chunks <= 2; a.chunks++) { /* one is borrowed */
        options.keep_lines = 1;
        if (read_with(&opener, "of/Towns.PARQUET", &options, &table, &error) != AKIN_OK)
            fail_msg("%s", error.message);
        assert_int_equal(a.format, AKIN_FORMAT_PARQUET);
        assert_string_equal(a.path, "of/Towns.PARQUET");
        assert_string_equal(a.columns, "river lake ");
        assert_int_equal(a.optional, 1);
        assert_table_valid(table);
        assert_table_text(table, a.chunks == 1 ? "river lake\n[Danube] -" : "river lake\n[Danube] -\n[Danube] -");
        assert_int_equal(akin_table_column_type(table, 1), AKIN_TYPE_TEXT);
        assert_int_equal(akin_table_line(table, 0, &(uint64_t){0}, NULL), AKIN_E_OPTION);
        akin_table_free(table);
    }
    a.chunks = 0;
    assert_int_equal(read_with(&opener, "towns.ipc", NULL, &table, &error), AKIN_OK);
    assert_int_equal(a.format, AKIN_FORMAT_ARROW);
    assert_string_equal(a.columns, "");
    akin_table_free(table);
    static const struct {
        const char *path;
        akin_format format;
    } addresses[] = {{"duckdb:a.csv", AKIN_FORMAT_DUCKDB},
                     {"sqlite:a?table=b.parquet", AKIN_FORMAT_SQLITE},
                     {"postgresql://h/d", AKIN_FORMAT_POSTGRESQL},
                     {"postgres://h/d?query=select 1", AKIN_FORMAT_POSTGRESQL}};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        assert_int_equal(read_with(&opener, addresses[i].path, NULL, &table, &error), AKIN_OK);
        assert_int_equal(a.format, addresses[i].format);
        assert_string_equal(a.path, addresses[i].path);
        akin_table_free(table);
    }
    assert_int_equal(a.keeps_records, 0);
    options = (akin_table_options){.size = sizeof options, .format = AKIN_FORMAT_ARROW, .keep_records = 1};
    assert_int_equal(read_with(&opener, "towns", &options, &table, &error), AKIN_OK);
    assert_int_equal(a.keeps_records, 1);
    akin_table_free(table);
}

/* Any message names the file. */
static void test_errors(void **state)
{
    const char *wanted[] = {"Name"};
    asked a = {.chunks = 3};
    const akin_opener opener = {.size = sizeof opener, .open = open_towns, .user = &a};
    akin_table_options options = {.size = sizeof options, .columns = wanted, .column_count = 1};
    akin_table *table = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(read_with(&opener, "a.arrow", &options, &table, &error), AKIN_E_OPTION);
    assert_string_equal(error.message,
                        "a.arrow: there is no column 'Name' (did you mean 'name'?); the columns are: 'name', 'river'");
    assert_int_equal(error.reason, AKIN_REASON_NO_COLUMN);
    assert_string_equal(error.column, "Name");
    assert_int_equal(read_with(&opener, "a.arrow", NULL, &table, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "a.arrow: row 2, column 'name': the text is not valid UTF-8");
    assert_int_equal(error.row, 2);
    a.fails = 1;
    assert_int_equal(read_with(&opener, "a.arrow", NULL, &table, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "a.arrow: is not there");
    assert_int_equal(read_with(NULL, "a.arrow", NULL, &table, &error), AKIN_E_OPTION);
    assert_int_equal(error.reason, AKIN_REASON_FOREIGN_FORMAT);
    assert_non_null(strstr(error.message, "a.arrow: libakin does not read arrow, which is "));
    assert_int_equal(read_with(NULL, "postgresql://me:secret@host:1/d?table=t", NULL, &table, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "postgresql://me@host:1/d?table=t: libakin does not read postgresql, "));
    assert_null(table);
}

/* A file in a store of objects, whose bytes come in pieces. */
typedef struct stored {
    const char *text;
    size_t at, piece, fails_at; /* fails_at 0: never */
    int open;
} stored;

static akin_status open_stored(void *user, const char *path, void **file, uint64_t *size, akin_error *error)
{
    stored *s = user;
    if (!s->text)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NO_FILE, "%s: is not there", path);
    s->at = 0;
    s->open++;
    *file = s;
    *size = strlen(s->text);
    return AKIN_OK;
}

static akin_status read_stored(void *file, void *to, size_t room, size_t *got, akin_error *error)
{
    stored *s = file;
    const size_t rest = strlen(s->text) - s->at;
    if (s->fails_at > 0 && s->at >= s->fails_at)
        return akin_error_set(error, AKIN_E_IO, AKIN_REASON_FILE, "the network is gone");
    *got = rest < room ? rest : room;
    if (s->piece < *got)
        *got = s->piece;
    memcpy(to, s->text + s->at, *got);
    s->at += *got;
    return AKIN_OK;
}

static void close_stored(void *file)
{
    stored *s = file;
    s->open--;
}

static void test_context(void **state)
{
    asked a = {.chunks = 1};
    akin_opener opener = {.size = sizeof opener, .open = open_towns, .user = &a};
    akin_context_options options = {.size = sizeof options, .device = "cpu", .opener = &opener};
    akin_context *made = NULL;
    akin_table *table = NULL;
    (void)state;
    assert_int_equal(akin_context_create(&options, &made, NULL), AKIN_OK);
    assert_int_equal(akin_table_read(made, "a.feather", NULL, &table, NULL), AKIN_OK);
    assert_table_text(table, "name river\n[Ulm] [Danube]");
    akin_table_free(table);
    akin_context_free(made);
    opener.size = 1;
    assert_int_equal(akin_context_create(&options, &made, NULL), AKIN_E_OPTION);
    opener.size = sizeof opener;
    opener.open_bytes = open_stored; /* without what reads them */
    assert_int_equal(akin_context_create(&options, &made, NULL), AKIN_E_OPTION);
    opener.size = offsetof(akin_opener, open_bytes); /* of a version that had no stores: what follows is not its own */
    assert_int_equal(akin_context_create(&options, &made, NULL), AKIN_OK);
    assert_int_equal(akin_table_read(made, "s3://shop/a.csv", NULL, &table, NULL), AKIN_E_OPTION);
    akin_context_free(made);
}

static void test_stores(void **state)
{
    stored s = {.text = "river,lake\nDanube,\nRhine,Bodensee\n"};
    const akin_opener opener = {.size = sizeof opener,
                                .user = &s,
                                .open_bytes = open_stored,
                                .read_bytes = read_stored,
                                .close_bytes = close_stored};
    akin_table *table = NULL;
    akin_output *output = NULL;
    akin_error error;
    (void)state;
    for (s.piece = 1; s.piece < 40; s.piece++) {
        if (read_with(&opener, "s3://shop/rivers.csv?region=eu", NULL, &table, &error) != AKIN_OK)
            fail_msg("%s", error.message);
        assert_table_text(table, "river lake\n[Danube] []\n[Rhine] [Bodensee]");
        assert_int_equal(s.open, 0);
        akin_table_free(table);
    }
    s.fails_at = 20;
    s.piece = 10;
    assert_int_equal(read_with(&opener, "gs://shop/rivers.csv", NULL, &table, &error), AKIN_E_IO);
    assert_string_equal(error.message, "the network is gone");
    assert_int_equal(s.open, 0);
    s.text = NULL;
    assert_int_equal(read_with(&opener, "abfs://shop/rivers.csv", NULL, &table, &error), AKIN_E_INPUT);
    assert_int_equal(read_with(&opener, "s3://shop/rivers.parquet", NULL, &table, &error), AKIN_E_OPTION);
    assert_int_equal(read_with(NULL, "s3://shop/rivers.csv", NULL, &table, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "aws s3 cp ADDRESS -"));
    assert_int_equal(read_with(NULL, "gcs://shop/rivers.csv", NULL, &table, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "gcloud storage cat gs://"));
    assert_int_equal(akin_output_open(NULL, "s3://me:secret@shop/rivers.csv", &output, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "s3://me@shop/rivers.csv: only Parquet"));
    s.text = "river\nDanube,\n";
    s.fails_at = 0;
    assert_int_equal(read_with(&opener, "s3://me:secret@shop/rivers.csv", NULL, &table, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "s3://me@shop/rivers.csv:2: "));
    assert_int_equal(read_with(&opener, "s3://me:secret@shop/rivers.xlsx", NULL, &table, &error), AKIN_E_OPTION);
    assert_null(strstr(error.message, "secret"));
}

/* Files of a list: by the first letter of a name of text columns, of an integer beside them, of an integer in place of
 * text, or without a value. */
static akin_status open_parts(void *user, const akin_opening *opening, struct ArrowArrayStream *out, akin_error *error)
{
    static const int64_t sizes[] = {7, 8};
    const char *name = strrchr(opening->path, '/') + 1;
    (void)user;
    if (*name == 'x')
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NO_FILE, "%s: is not there", opening->path);
    if (*name == 't') {
        *out = towns(1);
        return AKIN_OK;
    }
    struct ArrowSchema schema = schema_of("+s", "");
    struct ArrowArray chunk = struct_array(2, 0);
    add_child_schema(&schema, schema_of(*name == 'i' ? "l" : *name == 'n' ? "n" : "u", "name"));
    if (*name == 'i')
        add_child(&chunk, number_array(sizes, sizeof *sizes, 2));
    else if (*name == 'n')
        add_child(&chunk, array_of(2, 0, 2, 0, NULL));
    else
        add_child(&chunk, text_array(0, TEXTS("Ulm", "Bonn"), 0, ""));
    if (*name == 's') {
        add_child_schema(&schema, schema_of("l", "size"));
        add_child(&chunk, number_array(sizes, sizeof *sizes, 2));
    }
    *out = stream_of(schema);
    chunks_add(out, chunk);
    return AKIN_OK;
}

/* Reads a list of files, one for each letter; p is a text. */
static akin_status read_list(const char *letters, akin_table_options options, akin_table **out, akin_error *error)
{
    const akin_opener opener = {.size = sizeof opener, .open = open_parts};
    char names[1024] = "", path[512];
    for (size_t at = 0; *letters; letters++, at = strlen(names))
        snprintf(names + at, sizeof names - at, "%s/%c.%s\n", scratch, *letters, *letters == 'p' ? "csv" : "arrow");
    snprintf(path, sizeof path, "@%s", scratch_write("list", names, strlen(names)));
    options.size = sizeof options;
    return read_with(&opener, path, &options, out, error);
}

static void check_list(const char *letters, const char *expected, const char *formats)
{
    static const char *const columns[] = {"name", "size"};
    const akin_table_options some = {.columns = columns, .column_count = 2, .optional = 1};
    akin_table *table = NULL;
    akin_error error = {.message = ""};
    char found[64] = "";
    if (read_list(letters, some, &table, &error) != AKIN_OK)
        fail_msg("%s: %s", letters, error.message);
    assert_table_valid(table);
    assert_table_text(table, expected);
    for (uint32_t i = 0; i < akin_table_columns(table); i++) {
        const size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s", akin_table_column_format(table, i));
    }
    assert_string_equal(found, formats);
    akin_table_free(table);
}

/* Their columns come together by name. A column keeps its type where all files agree, or have no values. */
static void test_files(void **state)
{
    akin_table *table = NULL;
    akin_error error;
    (void)state;
    scratch_write("p.csv", "name,lake\nBern,\n", 16);
    assert_int_equal(read_list("tt", (akin_table_options){0}, &table, &error), AKIN_OK);
    assert_table_text(table, "name river\n[Ulm] [Danube]\n[Ulm] [Danube]");
    akin_table_free(table);
    check_list("tt", "name size\n[Ulm] -\n[Ulm] -", "un");
    check_list("ts", "name size\n[Ulm] -\n[Ulm] [7]\n[Bonn] [8]", "ul");
    check_list("ii", "name size\n[7] -\n[8] -\n[7] -\n[8] -", "ln");
    check_list("iu", "name size\n[7] -\n[8] -\n[Ulm] -\n[Bonn] -", "un");
    check_list("ni", "name size\n- -\n- -\n[7] -\n[8] -", "ln");
    check_list("in", "name size\n[7] -\n[8] -\n- -\n- -", "ln");
    check_list("ps", "name size\n[Bern] -\n[Ulm] [7]\n[Bonn] [8]", "uu");
    check_list("sp", "name size\n[Ulm] [7]\n[Bonn] [8]\n[Bern] -", "uu");
    assert_int_equal(read_list("tx", (akin_table_options){0}, &table, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "/x.arrow: is not there"));
    assert_int_equal(read_list("ts", (akin_table_options){0}, &table, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "/s.arrow"));
}

static int nothing_is_left(void **state)
{
    (void)state;
    return alive == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_read, nothing_is_left),
        cmocka_unit_test_teardown(test_errors, nothing_is_left),
        cmocka_unit_test_teardown(test_context, nothing_is_left),
        cmocka_unit_test_teardown(test_stores, nothing_is_left),
        cmocka_unit_test_teardown(test_files, nothing_is_left),
    };
    context.temporary = strdup("/tmp");
    int failed = cmocka_run_group_tests(tests, scratch_make, scratch_remove);
    free(context.temporary);
    return failed;
}
