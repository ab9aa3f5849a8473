/* Repeated passages by bytes and by words: of words against brute force over the words that texts were made of; after
 * cutting, every run that was repeated is still there. */
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

#define ROWS  24
#define WORDS 600
#define BYTES (WORDS * 24)

/* Forms of one word each. */
static const char *const forms[][3] = {{"mill", "Mill", "MILL"},
                                       {"stra\xc3\x9f"
                                        "e",
                                        "STRASSE", "strasse"},
                                       {"\xc3\xa9", "e\xcc\x81", "\xc3\x89"},
                                       {"\xe6\xb0\xb4", "\xe6\xb0\xb4", "\xe6\xb0\xb4"},
                                       {"9", "\xef\xbc\x99", "9"},
                                       {"a", "A", "a"},
                                       {"town", "town", "TOWN"},
                                       {"x7", "X7", "x7"}};
static const char *const gaps[] = {" ", ", ", "\n", " \xe2\x80\x94 ", "\xe3\x80\x82", ". \"", "-"};

static akin_context context;

/* Documents, and the words that they were made of. */
static struct {
    char bytes[BYTES];
    uint64_t offsets[ROWS + 1];
    uint32_t rows, words;
    uint32_t ids[WORDS], row_of[WORDS];
    uint64_t begins[WORDS], ends[WORDS]; /* of words, in `bytes` */
    akin_column column;
} made;

static uint64_t put(uint64_t at, const char *text)
{
    memcpy(made.bytes + at, text, strlen(text));
    return at + strlen(text);
}

/* Draws documents of an alphabet of words; some are copied from before. */
static void draw_documents(akin_random *random, uint32_t alphabet)
{
    uint64_t at = 0;
    made.rows = 1 + (uint32_t)akin_random_below(random, ROWS);
    made.words = 0;
    for (uint32_t row = 0; row < made.rows; row++) {
        const uint64_t words = akin_random_below(random, WORDS / made.rows);
        uint32_t from = made.words;
        made.offsets[row] = at;
        at = akin_random_below(random, 3) ? at : put(at, "- ");
        for (uint64_t i = 0; i < words; i++) {
            if (akin_random_below(random, 12) == 0)
                from = (uint32_t)akin_random_below(random, made.words + 1);
            const uint32_t word = from < made.words ? made.ids[from++] : (uint32_t)akin_random_below(random, alphabet);
            at = i > 0 ? put(at, gaps[akin_random_below(random, 7)]) : at;
            made.begins[made.words] = at;
            at = put(at, forms[word][akin_random_below(random, 3)]);
            made.ends[made.words] = at;
            made.row_of[made.words] = row;
            made.ids[made.words++] = word;
        }
        at = akin_random_below(random, 3) ? at : put(at, "!");
    }
    made.offsets[made.rows] = at;
    made.column = (akin_column){.size = sizeof made.column, .offsets = made.offsets, .bytes = made.bytes};
}

static void begin_context(uint64_t seed)
{
    context = (akin_context){.scope = {.context = &context,
                                       .threads = 1 + (uint32_t)(seed % 3),
                                       .memory = seed % 7 == 6 ? UINT64_C(16) << 20 : 0,
                                       .cpu = akin_cpu_detect()}};
}

static akin_repeats *find(uint32_t unit, uint64_t length, uint32_t keep)
{
    akin_repeats_options options = AKIN_REPEATS_OPTIONS_INIT;
    akin_repeats *repeats = NULL;
    akin_error error;
    options.unit = unit;
    options.length = length;
    options.keep = keep;
    if (akin_repeats_find(&context, &made.column, made.rows, &options, &repeats, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    return repeats;
}

/* ------------------------------------------------------------------------------------------------------------ words */

static int is_window(uint32_t at, uint64_t length)
{
    return at + length <= made.words && made.row_of[at] == made.row_of[at + length - 1];
}

/* How many windows are like one, and which is the first. */
static uint32_t count_windows(uint32_t at, uint64_t length, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t i = made.words; i-- > 0;) {
        if (!is_window(i, length) || memcmp(made.ids + i, made.ids + at, length * sizeof *made.ids) != 0)
            continue;
        *first = i;
        count++;
    }
    return count;
}

static uint32_t firsts[WORDS], times[WORDS];

static int is_taken(uint32_t at, uint64_t length, uint32_t keep)
{
    if (times[at] < 2 || (keep == AKIN_KEEP_FIRST && firsts[at] == at))
        return 0;
    for (uint32_t i = 0; i < made.words && keep == AKIN_KEEP_FIRST; i++)
        if (times[i] > 1 && firsts[i] == i && made.row_of[i] == made.row_of[at] && i < at + length && at < i + length)
            return 0;
    return 1;
}

/* The passage from a word on, which a taken window begins with; returns the word behind it. */
static uint32_t end_of_passage(uint32_t at, uint64_t length, uint32_t keep)
{
    uint64_t end = at + length;
    for (uint32_t i = at; i < made.words && i <= end; i++)
        if (made.row_of[i] == made.row_of[at] && is_taken(i, length, keep))
            end = i + length;
    return (uint32_t)end;
}

static void assert_passage(const akin_repeat *found, uint32_t begin, uint32_t end)
{
    const uint32_t row = made.row_of[begin], source = firsts[begin], source_row = made.row_of[source];
    const int is_whole = (begin == 0 || made.row_of[begin - 1] < row) && (end == made.words || made.row_of[end] > row);
    assert_int_equal(found->row, row);
    assert_int_equal(found->begin, is_whole ? 0 : made.begins[begin] - made.offsets[row]);
    assert_int_equal(found->end, (is_whole ? made.offsets[row + 1] : made.ends[end - 1]) - made.offsets[row]);
    assert_int_equal(found->source_row, source_row);
    assert_int_equal(found->source_begin, made.begins[source] - made.offsets[source_row]);
    assert_int_equal(found->times, times[begin]);
}

static uint64_t check_words(uint64_t length, uint32_t keep)
{
    akin_repeats *repeats = find(AKIN_REPEATS_WORDS, length, keep);
    uint64_t count = 0;
    for (uint32_t i = 0; i < made.words; i++)
        times[i] = is_window(i, length) ? count_windows(i, length, &firsts[i]) : 0;
    for (uint32_t at = 0; at < made.words;) {
        akin_repeat found = {.size = sizeof found};
        if (!is_taken(at, length, keep)) {
            at++;
            continue;
        }
        const uint32_t end = end_of_passage(at, length, keep);
        assert_int_equal(akin_repeats_at(repeats, count++, &found, NULL), AKIN_OK);
        assert_passage(&found, at, end);
        at = end;
    }
    assert_int_equal(akin_repeats_count(repeats), count);
    akin_repeats_free(repeats);
    return count;
}

static void words_as_brute_force(void **state)
{
    static const uint64_t lengths[] = {1, 2, 3, 5, 8, 20};
    uint64_t passages = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        akin_random random;
        akin_random_seed(&random, seed);
        begin_context(seed);
        draw_documents(&random, seed % 4 == 0 ? 1 : seed % 4 == 1 ? 2 : 8);
        passages += check_words(lengths[seed % 6], seed % 5 == 4 ? AKIN_KEEP_NONE : AKIN_KEEP_FIRST);
    }
    assert_true(passages > 600);
}

/* ---------------------------------------------------------------------------------------------------------- cutting */

static char left[BYTES];
static uint64_t left_offsets[ROWS + 1];

/* Cuts all documents, and asserts that the rest is what stands beside the passages. */
static uint64_t cut_all(const akin_repeats *repeats)
{
    uint64_t at = 0, next = 0;
    for (uint32_t row = 0; row < made.rows; row++) {
        char expected[BYTES];
        uint64_t length = 0, from = 0;
        const uint64_t begin = made.offsets[row], bytes = made.offsets[row + 1] - begin;
        akin_repeat r = {.size = sizeof r};
        for (;
             next < akin_repeats_count(repeats) && akin_repeats_at(repeats, next, &r, NULL) == AKIN_OK && r.row == row;
             next++, from = r.end) {
            memcpy(expected + length, made.bytes + begin + from, r.begin - from);
            length += r.begin - from;
        }
        memcpy(expected + length, made.bytes + begin + from, bytes - from);
        length += bytes - from;
        left_offsets[row] = at;
        const uint64_t got = akin_repeats_cut(repeats, &made.column, row, left + at);
        if (got == 0) /* only blanks */
            assert_true(length == 0 || (length < bytes && strspn(expected, " \n") >= length));
        else
            assert_memory_equal(left + at, expected, length);
        at += got;
    }
    left_offsets[made.rows] = at;
    return at;
}

/* Whether bytes stand in a document that was cut. */
static int is_left(const char *window, uint64_t length)
{
    for (uint32_t row = 0; row < made.rows; row++)
        for (uint64_t at = left_offsets[row]; at + length <= left_offsets[row + 1]; at++)
            if (memcmp(left + at, window, length) == 0)
                return 1;
    return 0;
}

static int is_repeated(uint32_t row, uint64_t place, uint64_t length)
{
    for (uint32_t r = row; r < made.rows; r++)
        for (uint64_t at = r == row ? place + 1 : made.offsets[r]; at + length <= made.offsets[r + 1]; at++)
            if (memcmp(made.bytes + at, made.bytes + place, length) == 0)
                return 1;
    return 0;
}

/* Each run of bytes that is there twice is there after cutting. */
static void bytes_stay(void **state)
{
    uint64_t cut = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        const uint64_t length = 8 + seed % 30;
        akin_random random;
        akin_random_seed(&random, seed);
        begin_context(seed);
        draw_documents(&random, seed % 4 == 0 ? 1 : seed % 4 == 1 ? 2 : 8);
        akin_repeats *repeats = find(AKIN_REPEATS_BYTES, length, AKIN_KEEP_FIRST);
        cut += made.offsets[made.rows] - cut_all(repeats);
        for (uint32_t row = 0; row < made.rows; row++)
            for (uint64_t at = made.offsets[row]; at + length <= made.offsets[row + 1]; at++)
                if (is_repeated(row, at, length) && !is_left(made.bytes + at, length))
                    fail_msg("%d bytes at %d of row %u are gone", (int)length, (int)(at - made.offsets[row]), row);
        akin_repeats_free(repeats);
    }
    assert_true(cut > 10000);
}

/* The same of words: what is repeated in the documents, by their own words, is found again in what is left, with all
 * documents together. */
static void words_stay(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        const uint64_t length = 1 + seed % 7;
        akin_random random;
        akin_random_seed(&random, seed);
        begin_context(seed);
        draw_documents(&random, seed % 4 == 0 ? 2 : 8);
        akin_repeats *repeats = find(AKIN_REPEATS_WORDS, length, AKIN_KEEP_FIRST);
        const uint64_t bytes = cut_all(repeats);
        akin_overlap_options options = AKIN_OVERLAP_OPTIONS_INIT;
        akin_overlap *overlap = NULL;
        const akin_column rest = {.size = sizeof rest, .offsets = left_offsets, .bytes = left};
        options.words = (uint32_t)length;
        assert_true(bytes <= made.offsets[made.rows]);
        assert_int_equal(akin_overlap_create(&context, &made.column, 1, made.rows, &options, &overlap, NULL), AKIN_OK);
        assert_int_equal(akin_overlap_add(&context, overlap, &rest, made.rows, NULL, NULL), AKIN_OK);
        for (uint32_t row = 0; row < made.rows; row++) {
            akin_overlap_found found = {.size = sizeof found};
            uint64_t repeated = 0;
            assert_int_equal(akin_overlap_item(overlap, row, &found, NULL), AKIN_OK);
            for (uint32_t i = 0; i < made.words; i++) {
                uint32_t first;
                if (made.row_of[i] == row && is_window(i, length) && count_windows(i, length, &first) > 1)
                    repeated++;
            }
            assert_true(found.covered >= repeated);
        }
        akin_overlap_free(overlap);
        akin_repeats_free(repeats);
    }
}

/* A code point that is several words stays where one of them does. */
static void shared_code_points(void **state)
{
    static const char text[] = "8 1\xc2\xbd a b c. z 2 a b c";
    akin_repeat found = {.size = sizeof found};
    (void)state;
    begin_context(0);
    memcpy(made.bytes, text, sizeof text);
    made.rows = 1;
    made.offsets[0] = 0;
    made.offsets[1] = sizeof text - 1;
    made.column = (akin_column){.size = sizeof made.column, .offsets = made.offsets, .bytes = made.bytes};
    akin_repeats *repeats = find(AKIN_REPEATS_WORDS, 4, AKIN_KEEP_NONE);
    assert_int_equal(akin_repeats_count(repeats), 2);
    assert_int_equal(akin_repeats_at(repeats, 0, &found, NULL), AKIN_OK);
    assert_int_equal(found.begin, strchr(text, 'a') - text);
    assert_int_equal(akin_repeats_at(repeats, 1, &found, NULL), AKIN_OK);
    assert_int_equal(found.begin, strrchr(text, '2') - text);
    akin_repeats_free(repeats);
}

static void refused(void **state)
{
    akin_repeats_options options = AKIN_REPEATS_OPTIONS_INIT;
    akin_repeats *repeats = NULL;
    akin_repeat found = {.size = 3};
    akin_error error;
    (void)state;
    shared_code_points(NULL);
    options.unit = 2;
    assert_int_equal(akin_repeats_find(&context, &made.column, 1, &options, &repeats, &error), AKIN_E_OPTION);
    options.unit = AKIN_REPEATS_WORDS;
    options.length = 0;
    assert_int_equal(akin_repeats_find(&context, &made.column, 1, &options, &repeats, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "length is 0; expected 1 to 65536 words");
    options.length = 4;
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    assert_int_equal(akin_repeats_find(&context, &made.column, 1, &options, &repeats, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "passages are found on the CPU alone: use the device cpu or auto");
    context.scope.device_choice = AKIN_DEVICE_CPU;
    assert_int_equal(akin_repeats_find(&context, &made.column, 1, &options, &repeats, &error), AKIN_OK);
    assert_int_equal(akin_repeats_at(repeats, 9, &found, &error), AKIN_E_OPTION);
    assert_int_equal(akin_repeats_at(repeats, 0, &found, &error), AKIN_E_OPTION);
    akin_repeats_free(repeats);
    made.bytes[0] = '\xff';
    assert_int_equal(akin_repeats_find(&context, &made.column, 1, &options, &repeats, &error), AKIN_E_INPUT);
    assert_int_equal(error.row, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_as_brute_force), cmocka_unit_test(bytes_stay),
                                       cmocka_unit_test(words_stay), cmocka_unit_test(shared_code_points),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
