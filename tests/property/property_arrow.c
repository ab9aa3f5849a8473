/*
 * Tables of Arrow arrays against a plain list of texts: random columns of every layout, nulls with and without bytes,
 * offsets of arrays and of the structs that they are in, chunks, empty ones among them, and text that is no UTF-8,
 * repaired or refused.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 600 if not given
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "unit/test_arrow_support.h"
#include "unit/test_table_support.h"

#include "base/random.h"
#include "property/setting.h"
#include "table/utf8.h"

#define MOST    120 /* rows of a chunk */
#define COLUMNS 4

enum { NARROW, WIDE, VIEW, DICTIONARY, KINDS };

static akin_random random_state;

static uint64_t draw(uint64_t below)
{
    return akin_random_next(&random_state) % below;
}

/* The pieces that texts are made of; the last one is no UTF-8. */
static const char *const pieces[] = {"a",          "bc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                     "0123456789", " ",  "\xe2\x82"};

static char *draw_text(int any_bytes)
{
    char text[200];
    size_t length = 0;
    uint64_t count = draw(8) == 0 ? draw(14) : draw(4);
    for (uint64_t i = 0; i < count; i++) {
        const char *piece = pieces[draw(sizeof pieces / sizeof *pieces - !any_bytes)];
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    return strndup(text, length);
}

typedef struct expectation {
    char *texts[COLUMNS][CHUNKS * MOST];
    uint32_t rows;
    int any_bytes;
    int broken; /* some text is no UTF-8 */
} expectation;

static struct ArrowSchema draw_schema(const int *kinds, int columns)
{
    static const char *const formats[] = {"u", "U", "vu"};
    struct ArrowSchema schema = schema_of("+s", "");
    for (int i = 0; i < columns; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        add_child_schema(&schema, kinds[i] == DICTIONARY ? dictionary_schema("s", "u", name)
                                                         : schema_of(formats[kinds[i]], name));
    }
    return schema;
}

/* A chunk whose rows are added to what is expected; `lead` entries of each child are before the struct's offset. */
static struct ArrowArray draw_chunk(expectation *e, const int *kinds, int columns)
{
    const int64_t rows = (int64_t)(draw(5) == 0 ? 0 : draw(MOST)), offset = (int64_t)draw(12);
    const int has_nulls = draw(2) == 0, full_nulls = draw(3) == 0;
    struct ArrowArray chunk = struct_array(rows, offset);
    for (int i = 0; i < columns; i++) {
        const int64_t own = (int64_t)draw(10), entries = own + offset + rows + (int64_t)draw(3);
        const char *texts[MOST + 30];
        char *drawn[MOST + 30];
        for (int64_t k = 0; k < entries; k++) {
            int null = has_nulls && draw(3) == 0;
            texts[k] = drawn[k] = null ? NULL : draw_text(e->any_bytes);
            int64_t row = k - own - offset;
            if (row < 0 || row >= rows)
                continue;
            e->texts[i][e->rows + row] = drawn[k] ? strdup(drawn[k]) : NULL;
            if (drawn[k] && akin_utf8_check(drawn[k], strlen(drawn[k])) < strlen(drawn[k]))
                e->broken = 1;
        }
        struct ArrowArray child = kinds[i] == VIEW ? view_array(texts, entries, own)
                                  : kinds[i] == DICTIONARY
                                      ? dictionary_array(texts, entries, own)
                                      : text_array(kinds[i] == WIDE, texts, entries, own, full_nulls ? "\xe2" : "");
        add_child(&chunk, child);
        for (int64_t k = 0; k < entries; k++)
            free(drawn[k]);
    }
    e->rows += (uint32_t)rows;
    return chunk;
}

static void expect_text(const expectation *e, const akin_table *table, uint32_t column, uint32_t row)
{
    akin_column c = {.size = sizeof c};
    char repaired[700];
    const char *text = e->texts[column][row];
    assert_int_equal(akin_table_column(table, column, &c, NULL), AKIN_OK);
    assert_int_equal(!c.validity || (c.validity[row / 8] >> row % 8 & 1), text != NULL);
    if (!text)
        return;
    size_t length = akin_utf8_repair(text, strlen(text), repaired);
    assert_int_equal(c.offsets[row + 1] - c.offsets[row], length);
    assert_memory_equal(c.bytes + c.offsets[row], repaired, length);
}

static void run_case(void)
{
    static expectation e;
    int kinds[COLUMNS];
    const int columns = (int)draw(COLUMNS + 1);
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    akin_error error;
    memset(&e, 0, sizeof e);
    e.any_bytes = draw(3) == 0;
    options.lossy = e.any_bytes && draw(2) == 0;
    for (int i = 0; i < columns; i++)
        kinds[i] = (int)draw(KINDS);
    struct ArrowArrayStream stream = stream_of(draw_schema(kinds, columns));
    for (uint64_t chunk = draw(3) ? 1 : draw(CHUNKS); chunk > 0; chunk--)
        chunks_add(&stream, draw_chunk(&e, kinds, columns));
    context.scope.cpu = (akin_cpu)draw((uint64_t)akin_cpu_detect() + 1);
    context.scope.memory = draw(4) ? 0 : 1 << 14;
    akin_status status = akin_table_import(&context, &stream, &options, &table, &error);
    if (e.broken && !options.lossy) {
        assert_int_equal(status, AKIN_E_INPUT);
        assert_non_null(strstr(error.message, "the text is not valid UTF-8"));
    } else {
        if (status != AKIN_OK)
            fail_msg("%s", error.message);
        assert_int_equal(akin_table_rows(table), e.rows);
        assert_table_valid(table);
        for (uint32_t i = 0; i < (uint32_t)columns; i++)
            for (uint32_t row = 0; row < e.rows; row++)
                expect_text(&e, table, i, row);
        akin_table_free(table);
    }
    assert_int_equal(alive, 0);
    for (int i = 0; i < columns; i++)
        for (uint32_t row = 0; row < e.rows; row++)
            free(e.texts[i][row]);
}

static void test_imports(void **state)
{
    (void)state;
    const uint64_t cases = setting("AKIN_PROPERTY_CASES", 600);
    for (uint64_t i = 0; i < cases; i++) {
        akin_random_seed(&random_state, setting("AKIN_PROPERTY_SEED", 1) + i);
        run_case();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_imports)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
