/*
 * Arrow arrays in and out while memory runs out: every allocation fails once, alone and with all that follow; whatever
 * was given is released all the same. Leaks show under the address sanitizer.
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_arrow_support.h"
#include "test_base_failing.h"
#include "test_table_support.h"

#include <errno.h>

#define ROWS 100

static const char *const texts[ROWS] = {"one", NULL, "a text that is longer than twelve", "\xc3\xa9"};

/* Columns of every kind, of one array or two. */
static struct ArrowArrayStream make_stream(int count)
{
    struct ArrowSchema schema = schema_of("+s", "");
    add_child_schema(&schema, schema_of("u", "a"));
    add_child_schema(&schema, schema_of("U", "b"));
    add_child_schema(&schema, schema_of("vu", "c"));
    add_child_schema(&schema, dictionary_schema("s", "u", "d"));
    struct ArrowArrayStream stream = stream_of(schema);
    for (int i = 0; i < count; i++) {
        struct ArrowArray chunk = struct_array(ROWS, 0);
        add_child(&chunk, text_array(0, texts, ROWS, 0, ""));
        add_child(&chunk, text_array(1, texts, ROWS, 0, i ? "x" : ""));
        add_child(&chunk, view_array(texts, ROWS, 0));
        add_child(&chunk, dictionary_array(texts, ROWS, 0));
        chunks_add(&stream, chunk);
    }
    return stream;
}

static void test_import(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind++)
        for (unsigned n = 0;; n++) {
            akin_table *table = NULL;
            akin_error error;
            struct ArrowArrayStream stream = make_stream(1 + kind / 2 % 2);
            context.scope.memory = kind < 4 ? 0 : 1 << 14;
            begin_failing(n, kind % 2);
            akin_status status = akin_table_import(&context, &stream, NULL, &table, &error);
            armed = 0;
            akin_table_free(status == AKIN_OK ? table : NULL);
            assert_null(stream.release);
            assert_int_equal(alive, 0);
            if (status != AKIN_OK) { /* where a block could only not be cut to size it is not missed */
                assert_true(failed > 0);
                assert_int_equal(status, AKIN_E_NOMEM);
                assert_non_null(strstr(error.message, "memory"));
                assert_int_equal(error.reason, AKIN_REASON_MEMORY);
                assert_null(table);
            }
            if (failed == 0) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 3);
                break;
            }
        }
    context.scope.memory = 0;
}

/* A frame that is made, exported, and read by whom it is exported to. */
static akin_status make_frame(akin_error *error)
{
    static const akin_type types[] = {AKIN_TYPE_BOOL, AKIN_TYPE_F64, AKIN_TYPE_TEXT};
    static const char *const names[] = {"a", "b", "c"};
    akin_frame *frame;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
    akin_status status = akin_frame_create(&context, 3, types, names, &frame, error);
    if (status != AKIN_OK)
        return status;
    for (int i = 0; i < 3 && status == AKIN_OK; i++)
        status = akin_frame_extend(frame, ROWS, NULL, error);
    for (int i = 0; i < ROWS && status == AKIN_OK; i++)
        status = akin_frame_add_text(frame, 2, texts[i], texts[i] ? strlen(texts[i]) : 0, error);
    if (status == AKIN_OK)
        status = akin_frame_set_null(frame, 1, 7, error);
    if (status == AKIN_OK)
        status = akin_frame_export_array(frame, &schema, &array, error);
    if (status == AKIN_OK) {
        schema.release(&schema);
        array.release(&array);
        status = akin_frame_export(frame, &stream, error);
    }
    akin_frame_free(frame);
    if (status != AKIN_OK)
        return status;
    int code = stream.get_schema(&stream, &schema);
    if (!code) {
        schema.release(&schema);
        code = stream.get_next(&stream, &array);
    }
    if (!code)
        array.release(&array);
    stream.release(&stream);
    assert_true(code == 0 || code == ENOMEM);
    if (code)
        strcpy(error->message, "memory");
    return code ? AKIN_E_NOMEM : AKIN_OK;
}

static void test_frame(void **state)
{
    (void)state;
    for (int once = 0; once < 2; once++)
        for (unsigned n = 0;; n++) {
            akin_error error;
            begin_failing(n, once);
            akin_status status = make_frame(&error);
            armed = 0;
            if (status != AKIN_OK) {
                assert_true(failed > 0);
                assert_int_equal(status, AKIN_E_NOMEM);
                assert_non_null(strstr(error.message, "memory"));
                assert_int_equal(error.reason, AKIN_REASON_MEMORY);
            }
            if (failed == 0) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 3);
                break;
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_import), cmocka_unit_test(test_frame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
