/* Repeated passages of texts of some MB against the suffix array of Debian's libdivsufsort: generated documents, lines
 * as of code, one letter, and Fibonacci's word. Without that library there is nothing to compare with. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TEST_DIVSUFSORT
int main(void)
{
    puts("skipped: libdivsufsort was not found when the tests were configured");
    return 77;
}
#else

#include <divsufsort.h>

#include "base/context.h"
#include "base/random.h"

#define BYTES 2000000
#define MOST  3000 /* documents */

static akin_context context;
static char *text;
static uint64_t offsets[MOST + 1];
static uint32_t rows;

/* What the suffix array says of each place: the first place with the same window, and how many there are; 0: one. */
static int32_t *order, *rank, *common, *first, *times;
static uint8_t *marked;   /* windows that passages are made of */
static uint64_t compared; /* passages */

/* ------------------------------------------------------------------------------------------------------------ texts */

static void put_documents(akin_random *random)
{
    for (uint32_t at = 0; at < BYTES;) {
        const uint32_t left = BYTES - at, length = 1 + (uint32_t)akin_random_below(random, 400);
        const uint32_t count = length < left ? length : left;
        if (at > 1000 && akin_random_below(random, 3) == 0)
            memmove(text + at, text + akin_random_below(random, at - 500), count);
        else
            for (uint32_t i = 0; i < count; i++)
                text[at + i] = akin_random_below(random, 6) ? (char)('a' + akin_random_below(random, 26)) : ' ';
        at += count;
    }
}

static void put_code(akin_random *random)
{
    static const char *const lines[] = {"    return status;\n",
                                        "    if (status == OK)\n        ",
                                        "}\n\n",
                                        "static int ",
                                        "for (int i = 0; i < count; i++)\n",
                                        "free(text);\n",
                                        "count++;\n",
                                        "break;\n"};
    for (uint32_t at = 0; at < BYTES;) {
        char line[80];
        const int is_new = akin_random_below(random, 4) == 0;
        snprintf(line, sizeof line, "value_%u = %u;\n", (unsigned)akin_random_below(random, 1000),
                 (unsigned)akin_random_below(random, 100000));
        const char *own = is_new ? line : lines[akin_random_below(random, 8)];
        const size_t left = BYTES - at, length = strlen(own), count = length < left ? length : left;
        memcpy(text + at, own, count);
        at += (uint32_t)count;
    }
}

static void put_letter(akin_random *random)
{
    (void)random;
    memset(text, 'a', BYTES);
}

static void put_fibonacci(akin_random *random)
{
    uint32_t before = 1, length = 2;
    (void)random;
    memcpy(text, "ab", 2);
    while (length < BYTES) { /* each word is the one before, and the one before that */
        const uint32_t count = before < BYTES - length ? before : BYTES - length;
        memcpy(text + length, text, count);
        before = length;
        length += count;
    }
}

static void cut_documents(akin_random *random, uint64_t longest)
{
    rows = 0;
    offsets[0] = 0;
    while (offsets[rows] < BYTES) {
        const uint64_t end = rows + 1 == MOST ? BYTES : offsets[rows] + akin_random_below(random, longest + 1);
        offsets[++rows] = end < BYTES ? end : BYTES;
    }
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

/* The bytes that each suffix has in common with the one before it in the order (Kasai et al., 2001). */
static void find_common(void)
{
    int32_t length = 0;
    for (int32_t i = 0; i < BYTES; i++)
        rank[order[i]] = i;
    for (int32_t at = 0; at < BYTES; at++) {
        if (rank[at] == 0) {
            common[0] = length = 0;
            continue;
        }
        const int32_t other = order[rank[at] - 1];
        while (at + length < BYTES && other + length < BYTES && text[at + length] == text[other + length])
            length++;
        common[rank[at]] = length;
        length -= length > 0;
    }
}

/* The end of the document of each place is `ends`. A window that goes on beyond it is none. */
static void find_classes(const int32_t *ends, int32_t length)
{
    for (int32_t from = 0, to; from < BYTES; from = to) {
        int32_t count = 0, least = BYTES;
        for (to = from; to < BYTES && (to == from || common[to] >= length); to++)
            if (order[to] + length <= ends[order[to]]) {
                least = order[to] < least ? order[to] : least;
                count++;
            }
        for (int32_t i = from; i < to; i++) {
            const int is_window = order[i] + length <= ends[order[i]];
            first[order[i]] = least;
            times[order[i]] = is_window && count > 1 ? count : 0;
        }
    }
}

/* Marks later windows that no first one overlaps; or all. */
static void mark_windows(int32_t length, int keeps_none)
{
    int32_t last = -length; /* the last first window up to a place */
    for (int32_t at = 0; at < BYTES; at++) {
        const int is_first = times[at] > 0 && first[at] == at;
        last = is_first ? at : last;
        marked[at] = times[at] > 0 && (keeps_none || (!is_first && at - last >= length));
    }
    last = BYTES + length; /* and from a place on */
    for (int32_t at = BYTES - 1; at >= 0 && !keeps_none; at--) {
        last = times[at] > 0 && first[at] == at ? at : last;
        marked[at] &= last - at >= length;
    }
}

/* Compares the passages with those that marked windows make. */
static void compare(const akin_repeats *repeats, int32_t length)
{
    uint64_t index = 0;
    akin_error error;
    for (uint32_t row = 0; row < rows; row++)
        for (uint64_t at = offsets[row]; at < offsets[row + 1];) {
            if (!marked[at]) {
                at++;
                continue;
            }
            uint64_t end = at + (uint64_t)length;
            for (uint64_t next = at + 1; next < offsets[row + 1] && next <= end; next++)
                end = marked[next] ? next + (uint64_t)length : end;
            akin_repeat repeat = {.size = sizeof repeat};
            assert_int_equal(akin_repeats_at(repeats, index++, &repeat, &error), AKIN_OK);
            assert_int_equal(repeat.row, row);
            assert_int_equal(repeat.begin, at - offsets[row]);
            assert_int_equal(repeat.end, end - offsets[row]);
            assert_int_equal(offsets[repeat.source_row] + repeat.source_begin, first[at]);
            assert_int_equal(repeat.times, times[at]);
            at = end;
        }
    assert_int_equal(akin_repeats_count(repeats), index);
    compared += index;
}

static void check(int32_t length, uint32_t threads, uint64_t memory)
{
    static const akin_keep keeps[] = {AKIN_KEEP_FIRST, AKIN_KEEP_NONE};
    akin_column column = AKIN_COLUMN_INIT;
    int32_t *ends = malloc(BYTES * sizeof *ends);
    akin_error error;
    assert_non_null(ends);
    for (uint32_t row = 0; row < rows; row++)
        for (uint64_t at = offsets[row]; at < offsets[row + 1]; at++)
            ends[at] = (int32_t)offsets[row + 1];
    find_classes(ends, length);
    column.bytes = text;
    column.offsets = offsets;
    for (size_t i = 0; i < 2; i++) {
        akin_repeats_options options = AKIN_REPEATS_OPTIONS_INIT;
        akin_repeats *repeats = NULL;
        options.length = (uint64_t)length;
        options.keep = keeps[i];
        options.whole_characters = 0;
        context = (akin_context){
            .scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect(), .memory = memory}};
        assert_int_equal(akin_repeats_find(&context, &column, rows, &options, &repeats, &error), AKIN_OK);
        mark_windows(length, keeps[i] == AKIN_KEEP_NONE);
        compare(repeats, length);
        akin_repeats_free(repeats);
    }
    free(ends);
}

static void as_the_suffix_array(void **state)
{
    static void (*const makers[])(akin_random * random) = {put_documents, put_code, put_letter, put_fibonacci};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    text = calloc(1, BYTES + 64);
    order = malloc(BYTES * sizeof *order);
    rank = malloc(BYTES * sizeof *rank);
    common = malloc(BYTES * sizeof *common);
    first = malloc(BYTES * sizeof *first);
    times = malloc(BYTES * sizeof *times);
    marked = malloc(BYTES);
    assert_true(text && order && rank && common && first && times && marked);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        makers[i](&random);
        assert_int_equal(divsufsort((const sauchar_t *)text, order, BYTES), 0);
        find_common();
        cut_documents(&random, 5000);
        check(100, 2, 0);
        check(31, 1, UINT64_C(16) << 20);
        cut_documents(&random, BYTES);
        check(1000, 3, 0);
    }
    assert_true(compared > 10000);
    free(text);
    free(order);
    free(rank);
    free(common);
    free(first);
    free(times);
    free(marked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_suffix_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
