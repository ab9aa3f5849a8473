/* Frames: what goes in comes out as Arrow arrays, which live as long as anybody holds them. */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_table_support.h"

#define COLUMNS 7

static const akin_type types[COLUMNS] = {AKIN_TYPE_U32,  AKIN_TYPE_U64, AKIN_TYPE_F64, AKIN_TYPE_BOOL,
                                         AKIN_TYPE_TEXT, AKIN_TYPE_I32, AKIN_TYPE_I64};
static const char *const names[COLUMNS] = {"u32", "u64", "f64", "bool", "text", "i32", "i64"};

/* Rows 0 .. rows-1 in steps of 1, 2, 3 ...; each seventh number and third text null, the last two texts missing. */
static akin_frame *make(uint64_t rows)
{
    akin_frame *frame = NULL;
    assert_int_equal(akin_frame_create(&context, COLUMNS, types, names, &frame, NULL), AKIN_OK);
    for (uint64_t row = 0, step = 1; row < rows; row += step++) {
        void *data[COLUMNS];
        if (step > rows - row)
            step = rows - row;
        assert_int_equal(akin_frame_extend(frame, step, data, NULL), AKIN_OK);
        assert_null(data[4]);
        for (uint64_t i = 0; i < step; i++) {
            ((uint32_t *)data[0])[i] = (uint32_t)(row + i);
            ((uint64_t *)data[1])[i] = (row + i) << 33;
            ((double *)data[2])[i] = (double)(row + i) / 2;
            ((unsigned char *)data[3])[i] = (row + i) % 5 < 2;
            ((int32_t *)data[5])[i] = -(int32_t)(row + i);
            ((int64_t *)data[6])[i] = -(int64_t)((row + i) << 33);
        }
        for (uint64_t i = row; i < row + step && i + 2 < rows; i++) {
            char text[32];
            int length = snprintf(text, sizeof text, "text %llu", (unsigned long long)i);
            assert_int_equal(akin_frame_add_text(frame, 4, i % 3 ? text : NULL, (uint64_t)length, NULL), AKIN_OK);
        }
        for (uint64_t i = row; i < row + step; i++)
            if (i % 7 == 6)
                assert_int_equal(akin_frame_set_null(frame, (uint32_t)(i / 7 % 4), i, NULL), AKIN_OK);
    }
    assert_int_equal(akin_frame_rows(frame), rows);
    return frame;
}

/* As a table, by our own importer: the text of row i. */
static void expect_row(const akin_table *table, uint64_t rows, uint32_t row)
{
    char expected[COLUMNS][40];
    snprintf(expected[0], 40, "%u", row);
    snprintf(expected[1], 40, "%llu", (unsigned long long)row << 33);
    snprintf(expected[2], 40, "%u%s", row / 2, row % 2 ? ".5" : "");
    snprintf(expected[3], 40, "%s", row % 5 < 2 ? "true" : "false");
    snprintf(expected[4], 40, "text %u", row);
    snprintf(expected[5], 40, "%d", -(int32_t)row);
    snprintf(expected[6], 40, "%lld", -(long long)((unsigned long long)row << 33));
    for (uint32_t i = 0; i < COLUMNS; i++) {
        akin_column c = {.size = sizeof c};
        assert_int_equal(akin_table_column(table, i, &c, NULL), AKIN_OK);
        assert_string_equal(c.name, names[i]);
        int is_null = c.validity && !(c.validity[row / 8] >> row % 8 & 1);
        int null = i == 4 ? row % 3 == 0 || row + 2 >= rows : row % 7 == 6 && row / 7 % 4 == i;
        assert_int_equal(is_null, null);
        if (!null) {
            assert_int_equal(c.offsets[row + 1] - c.offsets[row], strlen(expected[i]));
            assert_memory_equal(c.bytes + c.offsets[row], expected[i], strlen(expected[i]));
        }
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    const uint64_t sizes[] = {0, 1, 7, 8, 9, 64, 100, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int bounded = 0; bounded < 2; bounded++) {
            struct ArrowArrayStream stream;
            akin_table *table = NULL;
            context.scope.memory = bounded ? 1 << 14 : 0;
            akin_frame *frame = make(sizes[i]);
            assert_int_equal(akin_frame_export(frame, &stream, NULL), AKIN_OK);
            akin_frame_free(frame); /* the stream lives on */
            assert_int_equal(akin_table_import(&context, &stream, NULL, &table, NULL), AKIN_OK);
            assert_int_equal(akin_table_rows(table), sizes[i]);
            assert_table_valid(table);
            for (uint32_t column = 0; column < COLUMNS; column++)
                assert_int_equal(akin_table_column_type(table, column), types[column]);
            assert_int_equal(akin_table_column_type(table, COLUMNS), AKIN_TYPE_TEXT);
            for (uint32_t row = 0; row < sizes[i]; row++)
                expect_row(table, sizes[i], row);
            akin_table_free(table);
        }
    context.scope.memory = 0;
}

/* A consumer moves a child out of its parent and releases the parent. The frame is freed. The child stays. */
static void test_moved_child(void **state)
{
    (void)state;
    struct ArrowSchema schema, schema_child;
    struct ArrowArray array, child;
    akin_frame *frame = make(20);
    assert_int_equal(akin_frame_export_array(frame, &schema, &array, NULL), AKIN_OK);
    akin_frame_free(frame);
    assert_string_equal(schema.format, "+s");
    assert_int_equal(array.n_children, COLUMNS);
    child = *array.children[1];
    array.children[1]->release = NULL;
    schema_child = *schema.children[1];
    schema.children[1]->release = NULL;
    array.release(&array);
    schema.release(&schema);
    assert_null(array.release);
    assert_null(schema.release);
    assert_string_equal(schema_child.format, "L");
    assert_string_equal(schema_child.name, "u64");
    assert_int_equal(child.length, 20);
    assert_int_equal(child.null_count, 1); /* row 13 */
    assert_int_equal(((const uint64_t *)child.buffers[1])[12], (uint64_t)12 << 33);
    assert_int_equal(((const uint8_t *)child.buffers[0])[1], 0xdf);
    child.release(&child);
    schema_child.release(&schema_child);
    assert_null(child.release);
}

/* A stream gives its one array once, and a frame any number of streams. */
static void test_stream(void **state)
{
    (void)state;
    struct ArrowArrayStream streams[2];
    akin_frame *frame = make(3);
    for (int i = 0; i < 2; i++)
        assert_int_equal(akin_frame_export(frame, &streams[i], NULL), AKIN_OK);
    akin_frame_free(frame);
    for (int i = 0; i < 2; i++) {
        struct ArrowArray array;
        assert_int_equal(streams[i].get_next(&streams[i], &array), 0);
        assert_int_equal(array.length, 3);
        array.release(&array);
        assert_int_equal(streams[i].get_next(&streams[i], &array), 0);
        assert_null(array.release);
        assert_null(streams[i].get_last_error(&streams[i]));
        streams[i].release(&streams[i]);
        assert_null(streams[i].release);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    akin_frame *frame = NULL;
    akin_error error;
    struct ArrowArrayStream stream;
    assert_int_equal(akin_frame_create(&context, 1, (akin_type[]){9}, names, &frame, &error), AKIN_E_OPTION);
    frame = make(2);
    assert_int_equal(akin_frame_add_text(frame, 0, "x", 1, &error), AKIN_E_OPTION);
    assert_int_equal(akin_frame_set_null(frame, 4, 0, &error), AKIN_E_OPTION);
    assert_int_equal(akin_frame_set_null(frame, 0, 2, &error), AKIN_E_OPTION);
    assert_int_equal(akin_frame_extend(frame, UINT64_MAX, NULL, &error), AKIN_E_NOMEM);
    for (int i = 0; i < 2; i++)
        assert_int_equal(akin_frame_add_text(frame, 4, "x", 1, &error), AKIN_OK);
    assert_int_equal(akin_frame_add_text(frame, 4, "x", 1, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "column 4 has as many texts as there are rows");
    assert_int_equal(akin_frame_export(frame, &stream, NULL), AKIN_OK);
    stream.release(&stream);
    assert_int_equal(akin_frame_extend(frame, 1, NULL, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the frame has been exported, and does not change any more");
    akin_frame_free(frame);
    akin_frame_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_moved_child),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
