/* Repeated text of a column against windows that are sorted and compared: alphabets, periods, planted repeats, nulls,
 * hashes of few bits, threads, memory; work that grows with the text alone; and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "corpus/repeats.h"

#define MOST  200000 /* bytes */
#define ROWS  300
#define LARGE 1000000

static akin_context context;

typedef struct corpus {
    char *bytes; /* a block of just as many, so that reading beyond them is found */
    uint64_t offsets[ROWS + 1];
    uint8_t validity[ROWS / 8 + 1];
    uint32_t rows;
    akin_column column;
} corpus;

static corpus made;
static char drawn[MOST];

static void begin_context(uint32_t threads)
{
    context = (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()}};
}

/* A column of `bytes` bytes of `text`, whose rows have been cut. The first row begins at an offset above 0. */
static void make_column(const char *text, uint64_t bytes)
{
    free(made.bytes);
    made.bytes = malloc(bytes + 3);
    assert_non_null(made.bytes);
    memcpy(made.bytes, "???", 3);
    memcpy(made.bytes + 3, text, bytes);
    for (uint32_t row = 0; row <= made.rows; row++)
        made.offsets[row] += 3;
    made.column = (akin_column){.size = sizeof made.column,
                                .offsets = made.offsets,
                                .bytes = made.bytes,
                                .validity = made.validity,
                                .nulls = 1};
}

/* ------------------------------------------------------------------------------------------------------------ texts */

/* Letters of an alphabet; two in three characters have several bytes where `wide` is set. */
static uint64_t draw_letters(akin_random *random, uint64_t bytes, uint32_t alphabet, int wide)
{
    static const char *const characters[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "b", "\xe2\x82\xad"};
    uint64_t at = 0;
    while (at + 4 <= bytes) {
        const uint64_t letter = akin_random_below(random, alphabet);
        if (!wide)
            drawn[at++] = (char)('a' + letter);
        else
            at += (uint64_t)snprintf(drawn + at, 5, "%s", characters[letter % 6]);
    }
    return at;
}

/* The next letter is that of a period before, but for some. */
static void make_periodic(akin_random *random, uint64_t bytes)
{
    const uint64_t period = 1 + akin_random_below(random, 40), errors = akin_random_below(random, 3);
    for (uint64_t i = period; i < bytes; i++)
        drawn[i] = errors && akin_random_below(random, 200) == 0 ? 'x' : drawn[i - period];
}

static void make_fibonacci(char *text, uint64_t bytes)
{
    uint64_t before = 1, count = 2;
    text[0] = 'a';
    text[1] = 'b';
    while (count < bytes) {
        const uint64_t more = bytes - count < before ? bytes - count : before;
        memmove(text + count, text, more);
        before = count;
        count += more;
    }
}

static void plant(akin_random *random, uint64_t bytes, uint64_t length)
{
    for (uint64_t i = 0; i < 12 && length * 2 < bytes; i++) {
        const uint64_t most = 1 + akin_random_below(random, length * 2);
        memmove(drawn + akin_random_below(random, bytes - most), drawn + akin_random_below(random, bytes - most), most);
    }
}

/* Cuts a text into rows at characters: empty ones, short ones, nulls. */
static void cut(akin_random *random, uint64_t bytes, uint32_t most_rows)
{
    uint64_t at = 0;
    memset(made.validity, 0xff, sizeof made.validity);
    made.offsets[0] = 0;
    for (made.rows = 0; made.rows < most_rows - 1 && at < bytes; made.rows++) {
        const uint64_t kind = akin_random_below(random, 8);
        const uint64_t most = 2 * bytes / most_rows + 2;
        at += kind == 0 ? 0 : kind == 1 ? akin_random_below(random, 20) : akin_random_below(random, most);
        at = at < bytes ? at : bytes;
        while (at < bytes && ((unsigned char)drawn[at] & 0xc0) == 0x80)
            at++;
        if (akin_random_below(random, 10) == 0)
            made.validity[made.rows / 8] &= (uint8_t) ~(1u << made.rows % 8);
        made.offsets[made.rows + 1] = at;
    }
    if (at < bytes)
        made.offsets[++made.rows] = bytes;
    make_column(drawn, bytes);
}

static void make_corpus(uint64_t seed, uint64_t most, uint64_t length)
{
    static const uint32_t alphabets[] = {1, 2, 4, 26, 6};
    akin_random random;
    akin_random_seed(&random, seed);
    const uint32_t kind = (uint32_t)(seed % 8), wide = seed % 5 == 4;
    uint64_t bytes = draw_letters(&random, akin_random_below(&random, most), alphabets[seed % 5], wide ? 1 : 0);
    if (kind == 5 && !wide)
        make_periodic(&random, bytes);
    else if (kind == 6 && bytes > 2)
        make_fibonacci(drawn, bytes);
    else if (!wide)
        plant(&random, bytes, length);
    cut(&random, bytes, 1 + (uint32_t)akin_random_below(&random, seed % 3 ? 12 : ROWS - 1));
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

static uint32_t windows[MOST], firsts[MOST], times[MOST];
static akin_span expected[MOST];
static size_t window_length;

static int compare(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const int order = memcmp(made.bytes + left, made.bytes + right, window_length);
    return order ? order : (left > right) - (left < right);
}

static int is_null(uint32_t row)
{
    return !(made.validity[row / 8] >> row % 8 & 1);
}

static uint32_t row_of(uint64_t place)
{
    uint32_t row = 0;
    while (made.offsets[row + 1] <= place)
        row++;
    return row;
}

/* For each window where the first one like it is, and how many there are; times 0: there is no window. */
static void sort_windows(uint64_t length)
{
    uint64_t count = 0;
    window_length = (size_t)length;
    memset(times, 0, sizeof times);
    for (uint32_t row = 0; row < made.rows; row++)
        for (uint64_t at = made.offsets[row]; !is_null(row) && at + length <= made.offsets[row + 1]; at++)
            windows[count++] = (uint32_t)at;
    if (count > 0)
        qsort(windows, count, sizeof *windows, compare);
    for (uint64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && memcmp(made.bytes + windows[i], made.bytes + windows[end], length) == 0;)
            end++;
        for (uint64_t k = i; k < end; k++) {
            firsts[windows[k]] = windows[i];
            times[windows[k]] = (uint32_t)(end - i);
        }
    }
}

static int is_inside(uint64_t at)
{
    return ((unsigned char)made.bytes[at] & 0xc0) == 0x80;
}

/* Whether a window is the first of several, */
static int is_first(uint64_t at)
{
    return times[at] > 1 && firsts[at] == at;
}

/* and whether one belongs to a span of the row from `begin` on, before `end`. */
static int is_taken(const akin_repeats_wanted *wanted, uint64_t at, uint64_t begin, uint64_t end)
{
    if (times[at] < 2 || (firsts[at] == at && !wanted->keep_none))
        return 0;
    const uint64_t near = wanted->length - 1;
    for (uint64_t i = at - begin > near ? at - near : begin; i < end && i <= at + near && !wanted->keep_none; i++)
        if (is_first(i))
            return 0;
    return 1;
}

static uint64_t list_expected(const akin_repeats_wanted *wanted)
{
    uint64_t count = 0;
    sort_windows(wanted->length);
    for (uint32_t row = 0; row < made.rows; row++) {
        const uint64_t begin = made.offsets[row], end = made.offsets[row + 1];
        for (uint64_t at = begin; at < end;) {
            const uint64_t head = at;
            uint64_t covered = at;
            for (; at < end && at <= covered; at++)
                if (is_taken(wanted, at, begin, end))
                    covered = at + wanted->length;
            if (covered == head)
                continue;
            at = covered;
            uint64_t from = head, to = covered;
            while (wanted->whole_characters && from < to && is_inside(from))
                from++;
            while (wanted->whole_characters && to > from && to < end && is_inside(to))
                to--;
            const uint32_t source = row_of(firsts[head]);
            if (from < to)
                expected[count++] = (akin_span){
                    row,         source, from - begin, to - begin, firsts[head] + from - head - made.offsets[source],
                    times[head], 0};
        }
    }
    return count;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void assert_found(const akin_bulk *spans, uint64_t count, uint64_t wanted)
{
    const akin_span *found = spans->data;
    for (uint64_t i = 0; i < count && i < wanted; i++)
        if (memcmp(&found[i], &expected[i], sizeof *found) != 0)
            fail_msg("span %d: row %u, %d to %d, from row %u, %d, %u times; expected row %u, %d to %d, row %u, %d, %u",
                     (int)i, found[i].row, (int)found[i].begin, (int)found[i].end, found[i].source_row,
                     (int)found[i].source_begin, found[i].times, expected[i].row, (int)expected[i].begin,
                     (int)expected[i].end, expected[i].source_row, (int)expected[i].source_begin, expected[i].times);
    assert_int_equal(count, wanted);
}

static akin_status find(const akin_repeats_wanted *wanted, akin_bulk *spans, uint64_t *count,
                        akin_repeats_report *report, akin_error *error)
{
    *spans = akin_bulk_of(&context.scope, NULL, UINT64_MAX);
    return akin_repeats_find_within(&context.scope, &made.column, made.rows, wanted, spans, count, report, error);
}

static uint64_t check(const akin_repeats_wanted *wanted)
{
    const uint64_t right = list_expected(wanted);
    uint64_t count = 0;
    akin_bulk spans;
    akin_error error;
    if (find(wanted, &spans, &count, NULL, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_found(&spans, count, right);
    akin_bulk_clear(&spans);
    return count;
}

static akin_repeats_wanted draw_wanted(uint64_t seed)
{
    static const uint64_t masks[] = {UINT64_MAX, 0, 15, 255, UINT64_MAX};
    static const uint64_t lengths[] = {8, 9, 15, 16, 31, 33, 50, 64, 100};
    return (akin_repeats_wanted){.symbol = AKIN_SYMBOL_BYTE,
                                 .length = lengths[seed / 2 % 9],
                                 .keep_none = seed % 2 ? 1 : 0,
                                 .whole_characters = seed / 3 % 2 ? 1 : 0,
                                 .mask = masks[seed / 7 % 5],
                                 .piece = seed % 4 == 3 ? 0 : 1 + seed % 97};
}

static void as_sorted(void **state)
{
    uint64_t spans = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        const akin_repeats_wanted wanted = draw_wanted(seed);
        begin_context(1 + (uint32_t)(seed / 5 % 4));
        make_corpus(seed, 2000, wanted.length);
        spans += check(&wanted);
    }
    assert_true(spans > 1500);
}

/* Several pieces of the usual size, and groups that several threads share. */
static void larger(void **state)
{
    uint64_t spans = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        akin_repeats_wanted wanted = draw_wanted(seed);
        wanted.mask = UINT64_MAX;
        wanted.piece = 0;
        begin_context(1 + (uint32_t)(seed % 4));
        make_corpus(seed, seed % 5 == 0 || seed % 8 > 4 ? 20000 : MOST, wanted.length);
        spans += check(&wanted);
    }
    assert_true(spans > 24);
}

/* With little memory hashes are divided, and the result is the same. */
static void short_of_memory(void **state)
{
    akin_repeats_wanted wanted = {.symbol = AKIN_SYMBOL_BYTE, .length = 8, .whole_characters = 1, .mask = UINT64_MAX};
    uint64_t refusals = 0, divided = 0, slices = 1, parts = 0;
    akin_status status = AKIN_E_NOMEM;
    (void)state;
    begin_context(1);
    make_corpus(2, 20000, 50);
    for (uint64_t limit = 256; status != AKIN_OK || slices > 0 || parts > 2; limit += limit / 16 + 8) {
        akin_repeats_report report;
        akin_bulk spans;
        akin_error error;
        uint64_t count = 0;
        wanted.keep_none = (int)(limit % 2);
        const uint64_t right = list_expected(&wanted);
        context.scope.memory = limit;
        status = find(&wanted, &spans, &count, &report, &error);
        assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && strstr(error.message, "memory")));
        if (status == AKIN_OK)
            assert_found(&spans, count, right);
        akin_bulk_clear(&spans);
        refusals += status != AKIN_OK;
        slices = report.slices;
        parts = report.parts;
        divided += status == AKIN_OK && slices > 0;
        assert_true(report.memory_peak <= limit);
    }
    assert_true(refusals > 10 && divided > 2);
}

/* One row of many bytes. */
static char *make_large(const char *template, uint64_t bytes)
{
    const uint64_t period = strlen(template);
    char *text = malloc(bytes);
    assert_non_null(text);
    for (uint64_t i = 0; i < bytes; i++)
        text[i] = template[i % period];
    return text;
}

/* Finds the spans of a large text, and asserts that the work grows with the text, not with its repeats. */
static void find_linear(const char *text, uint64_t bytes, uint64_t length, akin_span *first)
{
    const akin_repeats_wanted wanted = {.symbol = AKIN_SYMBOL_BYTE, .length = length, .mask = UINT64_MAX};
    akin_repeats_report report;
    akin_bulk spans;
    uint64_t count = 0;
    begin_context(2);
    made.rows = 1;
    made.offsets[0] = 0;
    made.offsets[1] = bytes;
    memset(made.validity, 0xff, sizeof made.validity);
    make_column(text, bytes);
    assert_int_equal(find(&wanted, &spans, &count, &report, NULL), AKIN_OK);
    assert_true(report.walked <= 2 * bytes);
    assert_true(report.compared <= 8 * bytes);
    assert_true(report.runs <= bytes / 2);
    assert_int_equal(report.slices, 0);
    if (count > 0)
        *first = *(const akin_span *)spans.data;
    akin_bulk_clear(&spans);
}

static void is_linear(void **state)
{
    static const char *const templates[] = {"a", "ab", "aab", "The same line, ten times ten thousand. \n"};
    static const uint64_t lengths[] = {8, 50, 100, 5000};
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t period = strlen(templates[i]), bytes = i == 3 ? 100000 * period : LARGE;
        char *text = make_large(templates[i], bytes);
        for (uint32_t k = 0; k < 4; k++) {
            akin_span span = {0};
            find_linear(text, bytes, lengths[k], &span);
            const uint64_t begin = period + lengths[k] - 1; /* behind the first copies */
            assert_int_equal(span.begin, begin);
            assert_int_equal(span.end, bytes);
            assert_int_equal(span.source_begin, begin % period);
            assert_int_equal(span.times, (bytes - lengths[k] - begin % period) / period + 1);
        }
        free(text);
    }
}

static void is_linear_without_period(void **state)
{
    akin_span span = {0};
    akin_random random;
    char *text = make_large("a", LARGE);
    (void)state;
    make_fibonacci(text, LARGE);
    for (uint64_t length = 8; length < 10000; length = length * 3 + 1)
        find_linear(text, LARGE, length, &span);
    akin_random_seed(&random, 5);
    for (uint64_t i = 0; i < LARGE; i++)
        text[i] = (char)('a' + akin_random_below(&random, 2));
    for (uint64_t length = 32; length < 10000; length = length * 3 + 1)
        find_linear(text, LARGE, length, &span);
    free(text);
}

static void longest_windows(void **state)
{
    akin_span span = {0};
    akin_random random;
    char *text = make_large("a", LARGE);
    (void)state;
    akin_random_seed(&random, 6);
    for (uint64_t i = 0; i < LARGE; i++)
        text[i] = (char)('a' + akin_random_below(&random, 26));
    memcpy(text + 900000, text + 1000, 70000);
    find_linear(text, LARGE, 65536, &span);
    assert_int_equal(span.begin, 900000);
    assert_int_equal(span.end, 970000);
    assert_int_equal(span.source_begin, 1000);
    assert_int_equal(span.times, 2);
    free(text);
}

static int stop(void *user)
{
    ++*(int *)user;
    return 1;
}

static void refused(void **state)
{
    akin_repeats_wanted wanted = {.symbol = AKIN_SYMBOL_BYTE, .length = 7, .mask = UINT64_MAX};
    akin_error error;
    akin_bulk spans;
    uint64_t count = 0;
    int asked = 0;
    (void)state;
    begin_context(3);
    make_corpus(3, 2000, 50);
    assert_int_equal(find(&wanted, &spans, &count, NULL, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "length is 7; expected 8 to 65536 bytes");
    wanted.length = 65537;
    assert_int_equal(find(&wanted, &spans, &count, NULL, &error), AKIN_E_OPTION);
    wanted.length = 50;
    context.scope.reporter = (akin_reporter){.cancel = stop, .user = &asked};
    assert_int_equal(find(&wanted, &spans, &count, NULL, &error), AKIN_E_CANCELLED);
    assert_true(asked > 0);
    assert_null(spans.data);
}

static int end(void **state)
{
    (void)state;
    free(made.bytes);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_sorted),
                                       cmocka_unit_test(larger),
                                       cmocka_unit_test(short_of_memory),
                                       cmocka_unit_test(is_linear),
                                       cmocka_unit_test(is_linear_without_period),
                                       cmocka_unit_test(longest_windows),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, end);
}
