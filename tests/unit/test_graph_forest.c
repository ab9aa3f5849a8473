/* Forests over ids, against the plainest way to find components: smallest ids that go from end to end of a pair. */
#include "base/context.h"
#include "test_graph_forest.h"

#include "base/random.h"

#include <stdio.h>

enum { PAIRS = 400, WIDTH = 40 };

typedef struct example {
    uint64_t count;
    int64_t ids[2][PAIRS];
    char texts[2][PAIRS][WIDTH];
} example;

/* The smallest id of the component of each end, as an index of an end: 2 * pair + side. */
static void find_smallest(const example *e, int (*compare)(const example *, uint64_t, uint64_t), uint64_t *smallest)
{
    int goes_on = 1;
    for (uint64_t i = 0; i < 2 * e->count; i++)
        smallest[i] = i;
    while (goes_on) {
        goes_on = 0;
        for (uint64_t i = 0; i < 2 * e->count; i++)
            for (uint64_t k = 0; k < 2 * e->count; k++)
                if ((k == (i ^ 1) || compare(e, i, k) == 0) && compare(e, smallest[k], smallest[i]) < 0) {
                    smallest[i] = smallest[k];
                    goes_on = 1;
                }
    }
}

static int64_t id_of(const example *e, uint64_t end)
{
    return e->ids[end % 2][end / 2];
}

static const char *text_of(const example *e, uint64_t end)
{
    return e->texts[end % 2][end / 2];
}

static int compare_signed(const example *e, uint64_t a, uint64_t b)
{
    return (id_of(e, a) > id_of(e, b)) - (id_of(e, a) < id_of(e, b));
}

static int compare_unsigned(const example *e, uint64_t a, uint64_t b)
{
    return ((uint64_t)id_of(e, a) > (uint64_t)id_of(e, b)) - ((uint64_t)id_of(e, a) < (uint64_t)id_of(e, b));
}

static int compare_texts(const example *e, uint64_t a, uint64_t b)
{
    return strcmp(text_of(e, a), text_of(e, b)); /* as unsigned bytes */
}

/* The ends of the expected rows, sorted by insertion. */
static uint64_t expected_rows(const example *e, int (*compare)(const example *, uint64_t, uint64_t),
                              const uint64_t *smallest, uint64_t *rows)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < 2 * e->count; i++) {
        uint64_t at = count;
        while (at > 0 && compare(e, rows[at - 1], i) > 0)
            at--;
        if (compare(e, smallest[i], i) == 0 || (at > 0 && compare(e, rows[at - 1], i) == 0))
            continue;
        memmove(rows + at + 1, rows + at, (count - at) * sizeof *rows);
        rows[at] = i;
        count++;
    }
    return count;
}

static int64_t number_at(akin_type type, const void *numbers, uint64_t row)
{
    if (type == AKIN_TYPE_U32)
        return ((const uint32_t *)numbers)[row];
    return type == AKIN_TYPE_I32 ? ((const int32_t *)numbers)[row] : ((const int64_t *)numbers)[row];
}

static void expect_id(const example *e, akin_type type, const forest *f, int side, uint64_t row, uint64_t end)
{
    if (type == AKIN_TYPE_TEXT) {
        const uint64_t *at = f->text[side].offsets + row;
        assert_int_equal(at[1] - at[0], strlen(text_of(e, end)));
        assert_memory_equal(f->text[side].bytes + at[0], text_of(e, end), at[1] - at[0]);
        return;
    }
    assert_true(number_at(type, f->numbers[side], row) == id_of(e, end));
}

/* The pairs as a side of a job; the caller frees `numbers`, and `text` has room for offsets and bytes. */
typedef struct side {
    akin_pair_ids ids;
    akin_column column;
    uint64_t offsets[PAIRS + 1];
    char bytes[PAIRS * WIDTH];
    int64_t wide[PAIRS];
    int32_t narrow[PAIRS];
} side;

static void take_side(const example *e, akin_type type, int which, side *s)
{
    s->ids = (akin_pair_ids)AKIN_PAIR_IDS_INIT;
    s->ids.type = type;
    s->column = (akin_column)AKIN_COLUMN_INIT;
    s->column.offsets = s->offsets;
    s->column.bytes = s->bytes;
    s->offsets[0] = 0;
    for (uint64_t i = 0; i < e->count; i++) {
        const size_t length = strlen(e->texts[which][i]);
        memcpy(s->bytes + s->offsets[i], e->texts[which][i], length);
        s->offsets[i + 1] = s->offsets[i] + length;
        s->wide[i] = e->ids[which][i];
        s->narrow[i] = (int32_t)e->ids[which][i];
    }
    if (type == AKIN_TYPE_TEXT)
        s->ids.text = &s->column;
    else
        s->ids.numbers = type == AKIN_TYPE_U32 || type == AKIN_TYPE_I32 ? (void *)s->narrow : (void *)s->wide;
}

static akin_frame *forest_with(uint32_t threads, const akin_pair_ids *left, const akin_pair_ids *right, uint64_t count)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    akin_error error = {0};
    akin_frame *frame = NULL;
    if (akin_forest(&context, left, right, count, &frame, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    return frame;
}

/* The forest is as expected, with any number of threads, and its own forest. */
static void check(const example *e, akin_type type)
{
    static side sides[2];
    static uint64_t smallest[2 * PAIRS], rows[2 * PAIRS + 1];
    int (*compare)(const example *, uint64_t, uint64_t) = type == AKIN_TYPE_TEXT  ? compare_texts
                                                          : type == AKIN_TYPE_U64 ? compare_unsigned
                                                                                  : compare_signed;
    find_smallest(e, compare, smallest);
    const uint64_t count = expected_rows(e, compare, smallest, rows);
    for (int which = 0; which < 2; which++)
        take_side(e, type, which, &sides[which]);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        forest f = forest_of(forest_with(threads, &sides[0].ids, &sides[1].ids, e->count));
        for (int again = 0; again < 2; again++) {
            assert_int_equal(f.rows, count);
            assert_string_equal(f.schema.children[0]->name, "left");
            for (uint64_t row = 0; row < count; row++) {
                expect_id(e, type, &f, 0, row, smallest[rows[row]]);
                expect_id(e, type, &f, 1, row, rows[row]);
            }
            akin_pair_ids ids[2] = {sides[0].ids, sides[1].ids};
            for (int which = 0; which < 2; which++) {
                ids[which].numbers = type == AKIN_TYPE_TEXT ? NULL : f.numbers[which];
                ids[which].text = type == AKIN_TYPE_TEXT ? &f.text[which] : NULL;
            }
            akin_frame *next = forest_with(threads, &ids[0], &ids[1], f.rows);
            forest_clear(&f);
            f = forest_of(next);
        }
        forest_clear(&f);
    }
}

static void draw(akin_random *random, example *e, uint64_t count, uint64_t kinds, int64_t base, int64_t factor)
{
    e->count = count;
    for (uint64_t i = 0; i < 2 * count; i++) {
        const uint64_t kind = akin_random_below(random, kinds);
        e->ids[i % 2][i / 2] = (int64_t)((uint64_t)base + (uint64_t)factor * kind);
        snprintf(e->texts[i % 2][i / 2], WIDTH, kind % 3 ? "%s%.*s" : "%s\xc3\xa9%.*s", factor > 1 ? "beginning " : "",
                 (int)(kind % 23), "aaaaaaaaaaaaaaaaaaaaaaaa");
        if (kind % 5 == 0)
            snprintf(e->texts[i % 2][i / 2], WIDTH, "%llu", (unsigned long long)kind);
    }
}

static void test_random(void **state)
{
    static const akin_type types[] = {AKIN_TYPE_U32, AKIN_TYPE_U64, AKIN_TYPE_I32, AKIN_TYPE_I64, AKIN_TYPE_TEXT};
    static example e;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (uint64_t count = 0; count <= PAIRS / 4; count = 2 * count + 1)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            const int is_narrow = types[t] == AKIN_TYPE_U32 || types[t] == AKIN_TYPE_I32;
            draw(&random, &e, count, count + 2, 0, 1);
            check(&e, types[t]);
            draw(&random, &e, count, 3 * count + 1, types[t] == AKIN_TYPE_I32 ? -100 : 0, 3);
            check(&e, types[t]);
            if (is_narrow)
                continue;
            draw(&random, &e, count, count + 2, INT64_MIN, (int64_t)1 << 55); /* of both signs, and far apart */
            check(&e, types[t]);
            draw(&random, &e, count, 2, 0, INT64_MIN); /* which differ in one bit */
            check(&e, types[t]);
        }
}

/* A chain and a star of many texts, which are sorted by more than their first bytes, under a memory bound. */
static void test_large(void **state)
{
    enum { LARGE = 100000 };
    const uint64_t bounds[] = {0, UINT64_C(16) << 20};
    uint64_t *offsets = calloc(LARGE + 1, sizeof *offsets);
    char *bytes = calloc(LARGE, WIDTH);
    assert_true(offsets && bytes);
    (void)state;
    for (uint64_t i = 0; i < LARGE; i++) {
        const int length = snprintf(bytes + offsets[i], WIDTH, "%s id of a length %06u", i % 7 ? "one" : "an",
                                    (unsigned)(i * 7919 % LARGE));
        offsets[i + 1] = offsets[i] + (uint64_t)length;
    }
    akin_column left = {.size = sizeof left, .offsets = offsets, .bytes = bytes}, right = left;
    right.offsets++;
    akin_pair_ids ids[2] = {AKIN_PAIR_IDS_INIT, AKIN_PAIR_IDS_INIT};
    ids[0].type = ids[1].type = AKIN_TYPE_TEXT;
    ids[0].text = &left;
    ids[1].text = &right;
    for (int b = 0; b < 2; b++) {
        akin_context context = {.scope = {.context = &context, .threads = 2, .memory = bounds[b]}, .temporary = "/tmp"};
        akin_frame *frame = NULL;
        assert_int_equal(akin_forest(&context, &ids[0], &ids[1], LARGE - 1, &frame, NULL), AKIN_OK);
        forest f = forest_of(frame);
        assert_int_equal(f.rows, LARGE - 1);
        const uint64_t first = f.text[0].offsets[1];
        for (uint64_t row = 0; row < f.rows; row++) {
            const uint64_t *at = f.text[1].offsets + row;
            assert_memory_equal(f.text[0].bytes + f.text[0].offsets[row], "an id of a length 000000", first);
            const uint64_t own = at[1] - at[0];
            if (row > 0) {
                const uint64_t before = at[0] - at[-1], least = before < own ? before : own;
                assert_true(memcmp(f.text[1].bytes + at[-1], f.text[1].bytes + at[0], least) < 0);
            }
        }
        forest_clear(&f);
    }
    free(offsets);
    free(bytes);
}

static int stop_at(void *user)
{
    return (*(int *)user)-- <= 0;
}

static void test_refusals(void **state)
{
    static const int64_t numbers[] = {1, 2};
    static const uint64_t offsets[] = {0, 1, 2};
    static const uint8_t validity[] = {1};
    akin_column text = {.size = sizeof text, .offsets = offsets, .bytes = "ab", .validity = validity, .nulls = 1};
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_pair_ids left = AKIN_PAIR_IDS_INIT, right = AKIN_PAIR_IDS_INIT;
    akin_frame *frame = NULL;
    akin_error error;
    (void)state;
    left.numbers = numbers;
    assert_int_equal(akin_forest(&context, &left, &right, 2, &frame, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "column 'right': its numbers are NULL, expected 2");
    assert_int_equal(akin_forest(&context, &left, &left, UINT64_C(1) << 31, &frame, &error), AKIN_E_LIMIT);
    assert_non_null(strstr(error.message, "2147483648 pairs; expected at most 2147483647: the forests of parts"));
    right.type = AKIN_TYPE_TEXT;
    right.text = &text;
    right.name = "b";
    assert_int_equal(akin_forest(&context, &left, &right, 2, &frame, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "row 1, column 'b': there is no id");
    assert_int_equal(error.row, 1);
    text.validity = NULL;
    assert_int_equal(akin_forest(&context, &left, &right, 2, &frame, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "left and right ids are of types 2 and 5; expected one type");
    right.type = AKIN_TYPE_F64;
    assert_int_equal(akin_forest(&context, &left, &right, 2, &frame, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "column 'b': its type is 3; expected integers or text");
    assert_null(frame);
    int done = 0;
    for (int n = 0; !done; n++) {
        int left_over = n;
        context.scope.reporter.cancel = stop_at;
        context.scope.reporter.user = &left_over;
        const akin_status status = akin_forest(&context, &left, &left, 2, &frame, &error);
        done = status == AKIN_OK;
        assert_true(done || status == AKIN_E_CANCELLED);
        assert_true(n < 1000);
    }
    akin_frame_free(frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
