/* Tables of Arrow arrays made by hand: the result of each type, copies, refusals, and releases. */
#define _GNU_SOURCE

#include "base/context.h"
#include "base/random.h"
#include "table/arrow.h"
#include "test_arrow_support.h"
#include "test_table_support.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <time.h>

#define TEXTS(...) (const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *)

static int nothing_is_left(void **state)
{
    (void)state;
    return alive == 0 ? 0 : -1;
}

/* The table of one column, a stream of one array. */
static akin_table *import_one(struct ArrowSchema schema, struct ArrowArray array)
{
    akin_table *table = NULL;
    akin_error error;
    struct ArrowArrayStream stream = stream_of(schema);
    chunks_add(&stream, array);
    if (akin_table_import(&context, &stream, NULL, &table, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_null(stream.release);
    return table;
}

static void expect_one(struct ArrowSchema schema, struct ArrowArray array, const char *expected)
{
    akin_table *table = import_one(schema, array);
    assert_table_valid(table);
    assert_table_text(table, expected);
    akin_table_free(table);
    assert_int_equal(alive, 0);
}

/* What such an array fails with, and all is released. */
static void expect_refusal(struct ArrowSchema schema, struct ArrowArray array, akin_status status, const char *message)
{
    akin_table *table = NULL;
    akin_error error;
    struct ArrowArrayStream stream = stream_of(schema);
    chunks_add(&stream, array);
    assert_int_equal(akin_table_import(&context, &stream, NULL, &table, &error), status);
    assert_string_equal(error.message, message);
    assert_null(table);
    assert_null(stream.release);
    assert_int_equal(alive, 0);
}

static akin_column column_of(const akin_table *table, uint32_t index)
{
    akin_column column = {.size = sizeof column};
    assert_int_equal(akin_table_column(table, index, &column, NULL), AKIN_OK);
    return column;
}

static void test_text(void **state)
{
    (void)state;
    for (int64_t offset = 0; offset < 3; offset++) {
        const char *expected[] = {"x\n[a]\n-\n[]\n[\xc3\xa9t\xc3\xa9]\n-\n[thirteen bytes]",
                                  "x\n-\n[]\n[\xc3\xa9t\xc3\xa9]\n-\n[thirteen bytes]",
                                  "x\n[]\n[\xc3\xa9t\xc3\xa9]\n-\n[thirteen bytes]"};
        const char *const texts[] = {"a", NULL, "", "\xc3\xa9t\xc3\xa9", NULL, "thirteen bytes"};
        expect_one(schema_of("u", "x"), text_array(0, texts, 6, offset, ""), expected[offset]);
        expect_one(schema_of("U", "x"), text_array(1, texts, 6, offset, ""), expected[offset]);
        expect_one(schema_of("u", "x"), text_array(0, texts, 6, offset, "\xff under"), expected[offset]);
        expect_one(schema_of("vu", "x"), view_array(texts, 6, offset), expected[offset]);
        expect_one(dictionary_schema("s", "u", "x"), dictionary_array(texts, 6, offset), expected[offset]);
    }
    expect_one(schema_of("u", NULL), text_array(0, TEXTS("alone"), 0, ""), "text\n[alone]");
}

/* Bytes stay where they are; offsets, too, where they are as ours. */
static void test_borrowed(void **state)
{
    (void)state;
    const char *const texts[] = {"one", "two", "three"};
    struct ArrowArray array = text_array(1, texts, 3, 0, "");
    const void *offsets = array.buffers[1], *bytes = array.buffers[2];
    akin_table *table = import_one(schema_of("U", "x"), array);
    assert_ptr_equal(column_of(table, 0).offsets, offsets);
    assert_ptr_equal(column_of(table, 0).bytes, bytes);
    assert_int_equal(alive, 1); /* the array */
    akin_table_free(table);
    assert_int_equal(alive, 0);

    array = text_array(0, texts, 3, 1, "");
    bytes = (const char *)array.buffers[2] + 3;
    table = import_one(schema_of("u", "x"), array);
    assert_ptr_equal(column_of(table, 0).bytes, bytes);
    assert_int_equal(column_of(table, 0).offsets[2], 8);
    akin_table_free(table);
    assert_int_equal(alive, 0);
}

/* Text that stays where it is is known to be ASCII, or not. */
static void test_known_ascii(void **state)
{
    (void)state;
    for (int is_foreign = 0; is_foreign < 2; is_foreign++) {
        akin_table *table =
            import_one(schema_of("u", "x"), text_array(0, TEXTS("one", NULL, is_foreign ? "\xc3\xa9" : "e"), 0, ""));
        assert_int_equal(column_of(table, 0).ascii, !is_foreign);
        akin_table_free(table);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    expect_one(schema_of("c", "x"), number_array((int8_t[]){-128, 0, 127}, 1, 3), "x\n[-128]\n[0]\n[127]");
    expect_one(schema_of("C", "x"), number_array((uint8_t[]){0, 255}, 1, 2), "x\n[0]\n[255]");
    expect_one(schema_of("s", "x"), number_array((int16_t[]){-32768}, 2, 1), "x\n[-32768]");
    expect_one(schema_of("S", "x"), number_array((uint16_t[]){65535}, 2, 1), "x\n[65535]");
    expect_one(schema_of("i", "x"), number_array((int32_t[]){INT32_MIN}, 4, 1), "x\n[-2147483648]");
    expect_one(schema_of("I", "x"), number_array((uint32_t[]){UINT32_MAX}, 4, 1), "x\n[4294967295]");
    expect_one(schema_of("l", "x"), number_array((int64_t[]){INT64_MIN}, 8, 1), "x\n[-9223372036854775808]");
    expect_one(schema_of("L", "x"), number_array((uint64_t[]){UINT64_MAX}, 8, 1), "x\n[18446744073709551615]");
    expect_one(schema_of("f", "x"), number_array((float[]){0.1f, 1, 16777217.0f, NAN}, 4, 4),
               "x\n[0.1]\n[1]\n[16777216]\n-");
    expect_one(schema_of("g", "x"), number_array((double[]){0.1, -2, 0.1 + 0.2, 1e300, INFINITY, NAN}, 8, 6),
               "x\n[0.1]\n[-2]\n[0.30000000000000004]\n[1e+300]\n[inf]\n-");
    expect_one(schema_of("b", "x"), number_array((uint8_t[]){5}, 1, 1), "x\n[true]");
    struct ArrowArray bits = number_array((uint8_t[]){5}, 1, 1);
    bits.length = 3;
    expect_one(schema_of("b", "x"), bits, "x\n[true]\n[false]\n[true]");
    struct ArrowArray nothing = array_of(2, 0, 2, 0, NULL);
    expect_one(schema_of("n", "x"), nothing, "x\n-\n-");
    nothing = array_of(2, 0, 2, 1, (void *[]){NULL}); /* as Polars has it */
    expect_one(schema_of("n", "x"), nothing, "x\n-\n-");
}

static void test_times(void **state)
{
    (void)state;
    expect_one(schema_of("tdD", "x"), number_array((int32_t[]){0, -1, 19782, -719162, 2932896}, 4, 5),
               "x\n[1970-01-01]\n[1969-12-31]\n[2024-02-29]\n[0001-01-01]\n[9999-12-31]");
    expect_one(schema_of("tdm", "x"), number_array((int64_t[]){86400000, -1}, 8, 2), "x\n[1970-01-02]\n[1969-12-31]");
    expect_one(schema_of("tss:", "x"), number_array((int64_t[]){1, -1}, 8, 2),
               "x\n[1970-01-01T00:00:01]\n[1969-12-31T23:59:59]");
    expect_one(schema_of("tsm:UTC", "x"), number_array((int64_t[]){1500, -1}, 8, 2),
               "x\n[1970-01-01T00:00:01.5Z]\n[1969-12-31T23:59:59.999Z]");
    expect_one(schema_of("tsu:", "x"), number_array((int64_t[]){INT64_C(1700000000000001)}, 8, 1),
               "x\n[2023-11-14T22:13:20.000001]");
    expect_one(schema_of("tsn:", "x"), number_array((int64_t[]){INT64_MIN + 1, INT64_MAX}, 8, 2),
               "x\n[1677-09-21T00:12:43.145224193]\n[2262-04-11T23:47:16.854775807]");
    akin_table_free(import_one(schema_of("tss:", "x"), number_array((int64_t[]){INT64_MIN, INT64_MAX}, 8, 2)));
    assert_int_equal(alive, 0);
}

static void test_clocks(void **state)
{
    (void)state;
    expect_one(schema_of("tts", "x"), number_array((int32_t[]){0, 86399, 86400, 360000, -1}, 4, 5),
               "x\n[00:00:00]\n[23:59:59]\n[24:00:00]\n[100:00:00]\n[-00:00:01]");
    expect_one(schema_of("ttm", "x"), number_array((int32_t[]){1, 43200500, -1500}, 4, 3),
               "x\n[00:00:00.001]\n[12:00:00.5]\n[-00:00:01.5]");
    expect_one(schema_of("ttu", "x"), number_array((int64_t[]){1, INT64_C(3723000000)}, 8, 2),
               "x\n[00:00:00.000001]\n[01:02:03]");
    expect_one(schema_of("ttn", "x"), number_array((int64_t[]){INT64_C(86399999999999), INT64_MIN}, 8, 2),
               "x\n[23:59:59.999999999]\n[-2562047:47:16.854775808]");
}

static void test_decimals(void **state)
{
    (void)state;
    expect_one(schema_of("d:9,2,32", "x"), number_array((int32_t[]){150, -5, 0, 100, INT32_MIN}, 4, 5),
               "x\n[1.5]\n[-0.05]\n[0]\n[1]\n[-21474836.48]");
    expect_one(schema_of("d:18,-3,64", "x"), number_array((int64_t[]){12, 0, -40}, 8, 3), "x\n[12000]\n[0]\n[-40000]");
    expect_one(schema_of("d:38,0", "x"), number_array((uint64_t[]){0, 1, UINT64_MAX, UINT64_MAX, 0, 1U << 31}, 16, 3),
               "x\n[18446744073709551616]\n[-1]\n[39614081257132168796771975168]");
    expect_one(
        schema_of("d:76,76,256", "x"),
        number_array((uint64_t[]){0, 0, 0, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX >> 1}, 32,
                     2),
        "x\n[-5.7896044618658097711785492504343953926634992332820282019728792003956564819968]\n"
        "[5.7896044618658097711785492504343953926634992332820282019728792003956564819967]");
    expect_one(schema_of("d:3,76,32", "x"), number_array((int32_t[]){7}, 4, 1),
               "x\n[0.0000000000000000000000000000000000000000000000000000000000000000000000000007]");
}

/* Decimals of 128 bits are what the same digits say as integers and as doubles. */
static void test_decimals_drawn(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 2);
    for (int i = 0; i < 100000; i++) {
        const int64_t drawn = (int64_t)(akin_random_next(&random) >> akin_random_below(&random, 64)),
                      wide[2] = {i % 2 ? -drawn : drawn, (i % 2 ? -drawn : drawn) < 0 ? -1 : 0};
        const int scale = (int)akin_random_below(&random, 30);
        char expected[96], text[AKIN_ARROW_TEXT];
        const uint64_t length = akin_arrow_format_decimal((const char *)wide, 16, scale, text);
        int end = snprintf(expected, sizeof expected, "%s%0*" PRIu64, wide[0] < 0 ? "-" : "", scale + 1,
                           wide[0] < 0 ? 0 - (uint64_t)wide[0] : (uint64_t)wide[0]);
        if (scale > 0) {
            memmove(expected + end - scale + 1, expected + end - scale, (size_t)scale + 1);
            expected[end++ - scale] = '.';
            while (expected[end - 1] == '0')
                end--;
            end -= expected[end - 1] == '.';
        }
        if (length != (uint64_t)end || memcmp(text, expected, length) != 0)
            fail_msg("%.*s, expected %.*s", (int)length, text, end, expected);
    }
}

/* A count of a kind as the C library writes it; 0: its years end before. */
static int write_count(akin_arrow_kind kind, int is_zoned, int64_t count, char *text, size_t room)
{
    const struct {
        int64_t unit; /* of a second */
        akin_arrow_kind kind;
        int places;
    } units[] = {{1, AKIN_ARROW_TIME_S, 0},
                 {1000, AKIN_ARROW_TIME_MS, 3},
                 {1000000, AKIN_ARROW_TIME_US, 6},
                 {1000000000, AKIN_ARROW_TIME_NS, 9},
                 {1000, AKIN_ARROW_MILLISECONDS, 0}};
    size_t i = 0;
    while (i < 5 && units[i].kind != kind)
        i++;
    if (i == 5 && kind != AKIN_ARROW_DAYS)
        return snprintf(text, room, kind == AKIN_ARROW_U64 ? "%llu" : "%lld", (long long)count);
    const int64_t unit = i < 5 ? units[i].unit : 1, part = (count % unit + unit) % unit;
    const time_t seconds = i < 5 ? count / unit - (count % unit < 0) : count * 86400;
    struct tm tm;
    if (!gmtime_r(&seconds, &tm))
        return 0;
    int length = snprintf(text, room, "%04lld-%02d-%02d", tm.tm_year + 1900LL, tm.tm_mon + 1, tm.tm_mday);
    if (i > 3)
        return length;
    length += snprintf(text + length, room - (size_t)length, "T%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
    if (part > 0)
        length += snprintf(text + length, room - (size_t)length, ".%0*lld", units[i].places, (long long)part);
    while (part > 0 && text[length - 1] == '0')
        length--;
    return length + snprintf(text + length, room - (size_t)length, "%s", is_zoned ? "Z" : "");
}

/* Integers, dates and time stamps of all sizes, years before 0 and beyond 9999 among them. */
static void test_digits(void **state)
{
    (void)state;
    const int64_t edges[] = {INT64_MIN, INT64_MAX, 0, -719469, -719529, -1084794, 2932897, -62167219201, 253402300800};
    akin_random random;
    akin_random_seed(&random, 1);
    for (int i = 0; i < 300000; i++) {
        const akin_arrow_kind kind = AKIN_ARROW_I8 + (akin_arrow_kind)(i % (AKIN_ARROW_TIME_NS - AKIN_ARROW_I8 + 1));
        const uint64_t drawn = akin_random_next(&random) >> akin_random_below(&random, 64);
        int64_t value = i < 9 * 16 ? edges[i / 16] : (int64_t)(i % 2 ? 0 - drawn : drawn);
        char expected[64], text[AKIN_ARROW_TEXT];
        const int is_zoned = i % 3 == 0;
        if (kind == AKIN_ARROW_F32 || kind == AKIN_ARROW_F64)
            continue;
        const uint64_t length = akin_arrow_format(kind, is_zoned, (const char *)&value, text);
        const int known =
            write_count(kind, is_zoned, akin_arrow_integer(kind, (const char *)&value), expected, sizeof expected);
        if (known && (length != (uint64_t)known || memcmp(text, expected, length) != 0))
            fail_msg("kind %d: %.*s, expected %.*s", (int)kind, (int)length, text, known, expected);
    }
    expect_one(schema_of("tss:", "x"), number_array((int64_t[]){INT64_MIN, INT64_MAX}, 8, 2),
               "x\n[-292277022657-01-27T08:29:52]\n[292277026596-12-04T15:30:07]");
}

/* A struct of columns with offsets of their own and of the struct, in several chunks, empty ones among them. */
static struct ArrowArrayStream people(int count)
{
    struct ArrowSchema schema = schema_of("+s", "");
    add_child_schema(&schema, schema_of("+l", "friends")); /* as long as nobody wants it */
    add_child_schema(&schema, schema_of("u", "name"));
    add_child_schema(&schema, schema_of("i", "age"));
    struct ArrowArrayStream stream = stream_of(schema);
    for (int i = 0; i < count; i++) {
        struct ArrowArray chunk = struct_array(i == 1 ? 0 : 2, 1);
        add_child(&chunk, array_of(3, 0, 0, 0, NULL));
        add_child(&chunk, text_array(0, TEXTS("junk", "junk", "Ann", i == 2 ? NULL : "Bob"), 1, ""));
        add_child(&chunk, number_array((int32_t[]){7, 30 + i, 40 + i}, 4, 3));
        chunks_add(&stream, chunk);
    }
    return stream;
}

static void test_chunks(void **state)
{
    (void)state;
    const char *wanted[] = {"age", "name"};
    const char *expected[] = {"age name", "age name\n[30] [Ann]\n[40] [Bob]", "age name\n[30] [Ann]\n[40] [Bob]",
                              "age name\n[30] [Ann]\n[40] [Bob]\n[32] [Ann]\n[42] -",
                              "age name\n[30] [Ann]\n[40] [Bob]\n[32] [Ann]\n[42] -\n[33] [Ann]\n[43] [Bob]"};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.columns = wanted;
    options.column_count = 2;
    for (int count = 0; count < 5; count++)
        for (int bounded = 0; bounded < 2; bounded++) {
            akin_table *table = NULL;
            struct ArrowArrayStream stream = people(count);
            context.scope.memory = bounded ? 1 << 14 : 0;
            assert_int_equal(akin_table_import(&context, &stream, &options, &table, NULL), AKIN_OK);
            assert_table_valid(table);
            assert_table_text(table, expected[count]);
            assert_int_equal(alive, count == 1 || count == 2 ? 4 : 0); /* the struct, and its children */
            akin_table_free(table);
            assert_int_equal(alive, 0);
        }
    context.scope.memory = 0;
}

static void test_array(void **state)
{
    (void)state;
    akin_table *table = NULL;
    struct ArrowSchema schema = schema_of("u", "x");
    struct ArrowArray array = text_array(0, TEXTS("a", "b"), 0, "");
    assert_int_equal(akin_table_import_array(&context, &schema, &array, NULL, &table, NULL), AKIN_OK);
    assert_true(!schema.release && !array.release);
    assert_int_equal(alive, 1);
    assert_table_text(table, "x\n[a]\n[b]");
    akin_table_free(table);
    assert_int_equal(alive, 0);
    assert_int_equal(akin_table_import_array(&context, &schema, &array, NULL, &table, NULL), AKIN_E_OPTION);
}

static void test_utf8(void **state)
{
    (void)state;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    expect_refusal(schema_of("u", "x"), text_array(0, TEXTS("fine", "\xff"), 0, ""), AKIN_E_INPUT,
                   "row 1, column 'x': the text is not valid UTF-8");
    /* All of it is, and two rows share a character. */
    expect_refusal(schema_of("U", "x"), text_array(1, TEXTS("\xc3", "\xa9"), 0, ""), AKIN_E_INPUT,
                   "row 0, column 'x': the text is not valid UTF-8");
    expect_refusal(schema_of("vu", "x"), view_array(TEXTS("fine", "a long text, and \xff"), 0), AKIN_E_INPUT,
                   "row 1, column 'x': the text is not valid UTF-8");
    expect_refusal(dictionary_schema("s", "u", "x"), dictionary_array(TEXTS("fine", "\xff"), 0), AKIN_E_INPUT,
                   "row 1, column 'x': the text is not valid UTF-8");
    struct ArrowArray array = text_array(0, TEXTS("a-b"), 0, "");
    ((char *)(uintptr_t)array.buffers[2])[1] = '\0';
    expect_refusal(schema_of("u", "x"), array, AKIN_E_INPUT, "row 0, column 'x': the text has a NUL byte");

    options.lossy = 1;
    akin_table *table = NULL;
    struct ArrowArrayStream stream = stream_of(schema_of("u", "x"));
    chunks_add(&stream, text_array(0, TEXTS("fine", "\xff!"), 0, ""));
    assert_int_equal(akin_table_import(&context, &stream, &options, &table, NULL), AKIN_OK);
    assert_table_text(table, "x\n[fine]\n[\xef\xbf\xbd!]");
    akin_table_free(table);
}

/* ------------------------------------------------------------------------------------------------------------ codes */

/* Rows of numbers of a dictionary; a number of -1 is a null. */
static struct ArrowArray coded_array(const int8_t *numbers, int64_t rows, struct ArrowArray dictionary)
{
    uint8_t *bits = arrow_block((size_t)rows / 8 + 1);
    for (int64_t i = 0; i < rows; i++)
        bits[i / 8] |= (uint8_t)((numbers[i] >= 0) << i % 8);
    void *buffers[2] = {bits, arrow_block((size_t)rows)};
    memcpy(buffers[1], numbers, (size_t)rows);
    struct ArrowArray array = array_of(rows, 0, -1, 2, buffers);
    array.dictionary = arrow_block(sizeof array);
    *array.dictionary = dictionary;
    return array;
}

#define NUMBERS(...)                                                                                                   \
    (const int8_t[]){__VA_ARGS__}, sizeof(int8_t[])                                                                    \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define CODES(...)                                                                                                     \
    (const uint32_t[])                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* The codes of a column, `count` in all; NULL: it has none. */
static void expect_codes(struct ArrowArrayStream *stream, int lossy, const char *text, const uint32_t *codes,
                         uint32_t count)
{
    akin_table *table = NULL;
    akin_error error;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.lossy = lossy;
    if (akin_table_import(&context, stream, &options, &table, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_table_valid(table);
    assert_table_text(table, text);
    const akin_column column = column_of(table, 0);
    assert_int_equal(column.code_count, count);
    assert_true(!column.codes == !codes);
    for (uint32_t row = 0; codes && column.codes && row < akin_table_rows(table); row++)
        assert_int_equal(column.codes[row], codes[row]);
    akin_table_free(table);
    assert_int_equal(alive, 0);
}

/* The dictionaries of chunks: the same, longer, shorter, another one; entries that are null, empty or there twice. */
static void test_codes(void **state)
{
    (void)state;
    const uint32_t none = AKIN_CODE_NONE;
    struct ArrowArrayStream stream = stream_of(dictionary_schema("c", "u", "x"));
    chunks_add(&stream, coded_array(NUMBERS(1, 0, -1), text_array(0, TEXTS("a", "b"), 0, "")));
    chunks_add(&stream, coded_array(NUMBERS(0, 1, 1), text_array(0, TEXTS("a", "b"), 0, "")));
    expect_codes(&stream, 0, "x\n[b]\n[a]\n-\n[a]\n[b]\n[b]", CODES(1, 0, none, 0, 1, 1), 2);

    stream = stream_of(dictionary_schema("c", "vu", "x"));
    chunks_add(&stream, coded_array(NUMBERS(1, 0, 1), view_array(TEXTS("a", "b"), 0)));
    chunks_add(&stream, coded_array(NUMBERS(2, 1, 2), view_array(TEXTS("a", "b", ""), 0)));
    chunks_add(&stream, coded_array(NUMBERS(0, -1, 0), view_array(TEXTS("a"), 0)));
    chunks_add(&stream, coded_array(NUMBERS(0, 1, 0), view_array(TEXTS("b", "a"), 0)));
    expect_codes(&stream, 0, "x\n[b]\n[a]\n[b]\n[]\n[b]\n[]\n[a]\n-\n[a]\n[b]\n[a]\n[b]",
                 CODES(1, 0, 1, 2, 1, 2, 0, none, 0, 3, 4, 3), 5);

    stream = stream_of(dictionary_schema("C", "U", "x"));
    chunks_add(&stream, coded_array(NUMBERS(0, 1, 2, 2), text_array(1, TEXTS("a", NULL, "a"), 0, "")));
    chunks_add(&stream, coded_array(NUMBERS(0, 1, 1, 0), text_array(1, TEXTS("a", NULL), 0, "")));
    expect_codes(&stream, 0, "x\n[a]\n-\n[a]\n[a]\n[a]\n-\n-\n[a]", CODES(0, none, 2, 2, 0, none, none, 0), 3);

    stream = stream_of(dictionary_schema("c", "tdD", "x")); /* a date is written once */
    chunks_add(&stream, coded_array(NUMBERS(1, 0, 1), number_array((int32_t[]){0, 19782}, 4, 2)));
    expect_codes(&stream, 0, "x\n[2024-02-29]\n[1970-01-01]\n[2024-02-29]", CODES(1, 0, 1), 2);
}

/* No codes: more of them than rows, a bad entry that no row has, columns that have no dictionary. */
static void test_no_codes(void **state)
{
    (void)state;
    struct ArrowArrayStream stream = stream_of(dictionary_schema("c", "u", "x"));
    chunks_add(&stream, coded_array(NUMBERS(1, 0), text_array(0, TEXTS("a", "b", "c"), 0, "")));
    expect_codes(&stream, 0, "x\n[b]\n[a]", NULL, 0);
    for (int lossy = 0; lossy < 2; lossy++) {
        stream = stream_of(dictionary_schema("c", "u", "x"));
        chunks_add(&stream, coded_array(NUMBERS(0, 0), text_array(0, TEXTS("a"), 0, "")));
        chunks_add(&stream, coded_array(NUMBERS(0, 0), text_array(0, TEXTS("a", "\xff"), 0, "")));
        chunks_add(&stream, coded_array(NUMBERS(0, -1), text_array(0, TEXTS("b", "\xff"), 0, "")));
        expect_codes(&stream, lossy, "x\n[a]\n[a]\n[a]\n[a]\n[b]\n-",
                     lossy ? CODES(0, 0, 0, 0, 2, AKIN_CODE_NONE) : NULL, lossy ? 4 : 0);
    }
    stream = stream_of(schema_of("u", "x"));
    chunks_add(&stream, text_array(0, TEXTS("a", "a"), 0, ""));
    expect_codes(&stream, 0, "x\n[a]\n[a]", NULL, 0);
}

/* Many chunks, each of a few entries of a large dictionary: to look at that again and again would take long. */
static void test_large_dictionary(void **state)
{
    (void)state;
    enum { ENTRIES = 30000, PARTS = 8 };
    int64_t *entries = arrow_block(ENTRIES * sizeof *entries);
    struct ArrowArrayStream stream = stream_of(dictionary_schema("s", "l", "x"));
    for (int64_t i = 0; i < ENTRIES; i++)
        entries[i] = i % 100;
    for (int part = 0; part < PARTS; part++) {
        struct ArrowArray array = number_array((int16_t[]){7, 8}, 2, 2);
        array.dictionary = arrow_block(sizeof array);
        *array.dictionary = number_array(entries, sizeof *entries, ENTRIES);
        chunks_add(&stream, array);
    }
    free(entries);
    expect_codes(&stream, 0, "x\n[7]\n[8]\n[7]\n[8]\n[7]\n[8]\n[7]\n[8]\n[7]\n[8]\n[7]\n[8]\n[7]\n[8]\n[7]\n[8]", NULL,
                 0);
}

/* Numbers and dates of more rows than a piece has: the same with any number of threads. */
static void test_threads(void **state)
{
    (void)state;
    enum { ROWS = 100000 };
    static const char *const formats[] = {"l", "tsu:", "g"};
    int64_t *numbers = arrow_block(ROWS * sizeof *numbers);
    akin_random random;
    akin_random_seed(&random, 9);
    for (int64_t i = 0; i < ROWS; i++)
        numbers[i] = (int64_t)(akin_random_next(&random) >> akin_random_below(&random, 60));
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        akin_table *tables[3];
        for (uint32_t t = 0; t < 3; t++) {
            struct ArrowArray array = number_array(numbers, sizeof *numbers, ROWS);
            uint8_t *bits = arrow_block(ROWS / 8 + 1);
            memset(bits, 0xf7, ROWS / 8 + 1);
            array.buffers[0] = bits;
            array.null_count = -1;
            context.scope.threads = 1 + 2 * t;
            tables[t] = import_one(schema_of(formats[f], "x"), array);
            const akin_column own = column_of(tables[t], 0), first = column_of(tables[0], 0);
            assert_table_valid(tables[t]);
            assert_int_equal(own.nulls, first.nulls);
            assert_memory_equal(own.offsets, first.offsets, (ROWS + 1) * sizeof *own.offsets);
            assert_memory_equal(own.bytes, first.bytes, own.offsets[ROWS]);
            assert_memory_equal(own.validity, first.validity, ROWS / 8);
        }
        for (uint32_t t = 0; t < 3; t++)
            akin_table_free(tables[t]);
    }
    context.scope.threads = 1;
    free(numbers);
}

#define CANNOT(what) "column 'x': an Arrow array that cannot be: " what

static void test_hostile(void **state)
{
    (void)state;
    const char *const texts[] = {"a long text of 20 by", "b", "c"};
    const struct {
        int64_t length, offset, nulls, buffers;
        const char *message;
    } shapes[] = {
        {-1, 0, 0, 3, "an Arrow array that cannot be: its length or its offset is negative, or larger than any memory"},
        {3, -1, 0, 3, "an Arrow array that cannot be: its length or its offset is negative, or larger than any memory"},
        {INT64_MAX, 1, 0, 3,
         "an Arrow array that cannot be: its length or its offset is negative, or larger than any memory"},
        {3, 0, 4, 3, CANNOT("its number of nulls is not one of its rows")},
        {3, 0, -2, 3, CANNOT("its number of nulls is not one of its rows")},
        {3, 0, 1, 3, CANNOT("it has nulls, but no buffer that marks them")},
        {3, 0, 0, 2, CANNOT("it has a number of buffers that its type does not have")},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct ArrowArray array = text_array(0, texts, 3, 0, "");
        void *third = (void *)(uintptr_t)array.buffers[2];
        array.length = shapes[i].length;
        array.offset = shapes[i].offset;
        array.null_count = shapes[i].nulls;
        array.n_buffers = shapes[i].buffers;
        if (array.n_buffers < 3)
            free(third);
        expect_refusal(schema_of("u", "x"), array, AKIN_E_INPUT, shapes[i].message);
    }
    struct ArrowArray array = text_array(0, texts, 3, 0, "");
    ((int32_t *)(uintptr_t)array.buffers[1])[2] = 5;
    expect_refusal(schema_of("u", "x"), array, AKIN_E_INPUT,
                   "row 1, column 'x': an Arrow array that cannot be: its offset is above the next one");
    array = text_array(1, texts, 3, 0, "");
    ((int64_t *)(uintptr_t)array.buffers[1])[0] = -5;
    expect_refusal(schema_of("U", "x"), array, AKIN_E_INPUT,
                   "row 0, column 'x': an Arrow array that cannot be: its offset is negative");
    array = text_array(0, texts, 3, 0, "");
    free((void *)(uintptr_t)array.buffers[1]);
    array.buffers[1] = NULL;
    expect_refusal(schema_of("u", "x"), array, AKIN_E_INPUT, CANNOT("the buffer of its values is missing"));
    array = text_array(0, texts, 3, 0, "");
    free((void *)(uintptr_t)array.buffers[2]);
    array.buffers[2] = NULL;
    expect_refusal(schema_of("u", "x"), array, AKIN_E_INPUT, CANNOT("the buffer of its text is missing"));
    const int32_t views[][4] = {{-1, 0, 0, 0}, {20, 0, 2, 0}, {20, 0, -1, 0}, {20, 0, 0, 1}, {20, 0, 0, -1}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        array = view_array(texts, 3, 0);
        memcpy((void *)(uintptr_t)array.buffers[1], views[i], sizeof *views);
        expect_refusal(schema_of("vu", "x"), array, AKIN_E_INPUT,
                       "row 0, column 'x': an Arrow array that cannot be: its view is beyond the buffers");
    }
    for (int16_t number = -1; number <= 3; number += 4) {
        array = dictionary_array(texts, 3, 0);
        ((int16_t *)(uintptr_t)array.buffers[1])[2] = number;
        expect_refusal(dictionary_schema("s", "u", "x"), array, AKIN_E_INPUT,
                       "row 2, column 'x': an Arrow array that cannot be: its number is beyond the dictionary");
    }
    expect_refusal(dictionary_schema("s", "u", "x"), number_array((int16_t[]){0}, 2, 1), AKIN_E_INPUT,
                   CANNOT("it has children or a dictionary where its type has none, or lacks the dictionary"));
}

/* Structs that do not hold what their schema says. */
static void test_structs(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct ArrowSchema schema = schema_of("+s", NULL);
        add_child_schema(&schema, schema_of("u", "x"));
        if (i == 3)
            add_child_schema(&schema, schema_of("u", "x"));
        struct ArrowArray chunk = struct_array(2, 0);
        if (i > 0)
            add_child(&chunk, text_array(0, TEXTS("a"), 0, ""));
        if (i == 2) {
            chunk.buffers[0] = arrow_block(1);
            chunk.null_count = 2;
        }
        const char *messages[] = {"an Arrow array that cannot be: it has fewer children than its schema",
                                  CANNOT("it is shorter than the chunk that it is part of"),
                                  "row 0 is null as a whole; expected nulls in columns alone",
                                  "two columns are named 'x'; expected each name once"};
        expect_refusal(schema, chunk, AKIN_E_INPUT, messages[i]);
    }
}

static void test_types(void **state)
{
    (void)state;
#define TAKEN                                                                                                          \
    "; expected text (utf8, large_utf8, utf8_view), integers, float, double, decimals, bool, dates, times, "           \
    "timestamps or null, or a dictionary of one of these: cast it to text"
    const char *const decimals[] = {"d:",          "d:12",   "d:12,",   "d:12,2,",  "d:12,2,20", "d:12,2,512",
                                    "d:12,2,128,", "d:0,2",  "d:77,2",  "d: 12,2",  "d:12,+2",   "d:10,2,32",
                                    "d:19,2,64",   "d:39,2", "d:12,77", "d:12,-77", "d:x,2",     "d:12 2"};
    for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++) {
        char message[300];
        snprintf(message, sizeof message, "column 'x': its type is decimal ('%s' in Arrow's notation)" TAKEN,
                 decimals[i]);
        expect_refusal(schema_of(decimals[i], "x"), number_array((int64_t[]){1}, 8, 1), AKIN_E_INPUT, message);
    }
    expect_refusal(schema_of("+l", "x"), number_array((int64_t[]){1}, 8, 1), AKIN_E_INPUT,
                   "column 'x': its type is list ('+l' in Arrow's notation)" TAKEN);
    const char *const nested[][2] = {{"+s", "struct"}, {"+L", "large_list"}, {"+w:3", "fixed_size_list"},
                                     {"+m", "map"},    {"+ud:0,1", "union"}, {"+r", "run_end_encoded"}};
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
        struct ArrowSchema schema = schema_of("+s", NULL);
        char message[300];
        snprintf(message, sizeof message, "column 'x': its type is %s ('%s' in Arrow's notation)" TAKEN, nested[i][1],
                 nested[i][0]);
        add_child_schema(&schema, schema_of(nested[i][0], "x"));
        expect_refusal(schema, struct_array(1, 0), AKIN_E_INPUT, message);
    }
    expect_refusal(schema_of("?", "x"), number_array((int64_t[]){1}, 8, 1), AKIN_E_INPUT,
                   "column 'x': its type is one that is not known ('?' in Arrow's notation)" TAKEN);
    expect_refusal(dictionary_schema("u", "u", "x"), number_array((int64_t[]){1}, 8, 1), AKIN_E_INPUT,
                   "column 'x': a dictionary by 'u'; expected one by integers");
}

static void test_options(void **state)
{
    (void)state;
    const char *missing[] = {"Name"}, *twice[] = {"name", "name"};
    akin_table *table = NULL;
    akin_error error;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.columns = missing;
    options.column_count = 1;
    struct ArrowArrayStream stream = people(1);
    assert_int_equal(akin_table_import(&context, &stream, &options, &table, &error), AKIN_E_OPTION);
    assert_string_equal(error.message,
                        "there is no column 'Name' (did you mean 'name'?); the columns are: 'friends', 'name', 'age'");
    assert_int_equal(akin_table_import(&context, &stream, &options, &table, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the Arrow stream has been read before, or released");
    options.columns = twice;
    options.column_count = 2;
    stream = people(1);
    assert_int_equal(akin_table_import(&context, &stream, &options, &table, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the column 'name' is asked for twice");
    options = (akin_table_options)AKIN_TABLE_OPTIONS_INIT;
    options.keep_lines = 1;
    stream = people(1);
    assert_int_equal(akin_table_import(&context, &stream, &options, &table, &error), AKIN_E_OPTION);
    assert_int_equal(alive, 0);
}

/* A stream that fails: its words, and its code; nothing of it is left. */
static void test_failing_stream(void **state)
{
    (void)state;
    const int codes[] = {EIO, ENOMEM, EINVAL};
    const akin_status statuses[] = {AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_INPUT};
    const char *wanted[] = {"name"};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.columns = wanted;
    options.column_count = 1;
    for (int i = 0; i < 3; i++)
        for (int at = -1; at <= 4; at++) {
            akin_table *table = NULL;
            akin_error error;
            if (at == 0)
                continue;
            struct ArrowArrayStream stream = people(3);
            chunks_fail(&stream, at, codes[i]);
            assert_int_equal(akin_table_import(&context, &stream, &options, &table, &error), statuses[i]);
            assert_non_null(strstr(error.message, at < 0 ? "its schema: the cable was pulled"
                                                         : "its next array: the cable was pulled"));
            assert_null(strstr(error.message, "Detail"));
            assert_null(table);
            assert_int_equal(alive, 0);
        }
}

static int stop(void *user)
{
    (void)user;
    return 1;
}

static void test_cancel(void **state)
{
    (void)state;
    akin_error error;
    akin_table *table = NULL;
    struct ArrowArrayStream stream = stream_of(schema_of("vu", "x"));
    chunks_add(&stream, view_array(TEXTS("a", "b"), 0));
    context.scope.reporter.cancel = stop;
    assert_int_equal(akin_table_import(&context, &stream, NULL, &table, &error), AKIN_E_CANCELLED);
    context.scope.reporter.cancel = NULL;
    assert_int_equal(alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_text, nothing_is_left),
        cmocka_unit_test_teardown(test_borrowed, nothing_is_left),
        cmocka_unit_test_teardown(test_known_ascii, nothing_is_left),
        cmocka_unit_test_teardown(test_numbers, nothing_is_left),
        cmocka_unit_test_teardown(test_times, nothing_is_left),
        cmocka_unit_test_teardown(test_clocks, nothing_is_left),
        cmocka_unit_test_teardown(test_decimals, nothing_is_left),
        cmocka_unit_test_teardown(test_decimals_drawn, nothing_is_left),
        cmocka_unit_test_teardown(test_digits, nothing_is_left),
        cmocka_unit_test_teardown(test_chunks, nothing_is_left),
        cmocka_unit_test_teardown(test_array, nothing_is_left),
        cmocka_unit_test_teardown(test_utf8, nothing_is_left),
        cmocka_unit_test_teardown(test_codes, nothing_is_left),
        cmocka_unit_test_teardown(test_no_codes, nothing_is_left),
        cmocka_unit_test_teardown(test_large_dictionary, nothing_is_left),
        cmocka_unit_test_teardown(test_threads, nothing_is_left),
        cmocka_unit_test_teardown(test_hostile, nothing_is_left),
        cmocka_unit_test_teardown(test_structs, nothing_is_left),
        cmocka_unit_test_teardown(test_types, nothing_is_left),
        cmocka_unit_test_teardown(test_options, nothing_is_left),
        cmocka_unit_test_teardown(test_failing_stream, nothing_is_left),
        cmocka_unit_test_teardown(test_cancel, nothing_is_left),
    };
    context.temporary = strdup("/tmp");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(context.temporary);
    return failed;
}
