/* Items in a corpus against brute force: grams that come again, short and equal items, nulls, hashes of few bits,
 * threads, documents in several calls; planted items; and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/context.h"
#include "base/random.h"
#include "corpus/gram_search.h"

#define MOST       40 /* texts of a side */
#define WORDS_MOST 3000

static akin_context context;

/* A column, and the words of each row as numbers. */
typedef struct side {
    uint8_t words[MOST][WORDS_MOST];
    uint32_t counts[MOST], rows;
    char bytes[MOST * WORDS_MOST * 8 + 64];
    uint64_t offsets[MOST + 1];
    uint8_t validity[MOST / 8 + 1];
    akin_column column;
} side;

static side items, documents;

/* The account of the next search. The one before has freed all that it held. */
static akin_account *account(void)
{
    static akin_account held;
    assert_int_equal(held.held, 0);
    akin_account_begin(&held, &context.scope);
    return &held;
}

static void begin_context(uint32_t threads)
{
    context = (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()}};
}

/* How texts of a side are drawn. */
typedef struct shape {
    uint32_t rows, words, vocabulary;
    const side *from; /* half of the texts have a part of one of its texts; NULL: none */
} shape;

static void draw_words(side *s, akin_random *random, uint32_t row, const shape *h)
{
    uint32_t count = (uint32_t)akin_random_below(random, h->words + 1);
    const int is_plain = row % 5 == 4; /* one word again and again */
    for (uint32_t i = 0; i < count; i++)
        s->words[row][i] = (uint8_t)(is_plain ? 1 : akin_random_below(random, h->vocabulary));
    if (h->from && h->from->rows > 0 && akin_random_below(random, 2)) {
        const uint32_t other = (uint32_t)akin_random_below(random, h->from->rows), size = h->from->counts[other];
        const uint32_t begin = (uint32_t)akin_random_below(random, size + 1);
        const uint32_t length = (uint32_t)akin_random_below(random, size - begin + 1);
        const uint32_t at = (uint32_t)akin_random_below(random, count + 1);
        memcpy(s->words[row] + at, h->from->words[other] + begin, length);
        count = at + length > count ? at + length : count;
    }
    s->counts[row] = count;
}

/* Words in any case, with blanks and punctuation between. */
static uint64_t write_words(side *s, akin_random *random, uint32_t row, uint64_t at)
{
    static const char *const between[] = {" ", ", ", "\n", " -- ", ".\t"};
    for (uint32_t i = 0; i < s->counts[row]; i++) {
        const char first = akin_random_below(random, 2) ? 'W' : 'w';
        at += (uint64_t)snprintf(s->bytes + at, sizeof s->bytes - at, "%s%c%x",
                                 i ? between[akin_random_below(random, 5)] : "", first, s->words[row][i]);
    }
    return at;
}

static void make_side(side *s, akin_random *random, const shape *h)
{
    uint64_t at = 0;
    s->rows = h->rows;
    memset(s->validity, 0xff, sizeof s->validity);
    for (uint32_t row = 0; row < h->rows; row++) {
        s->offsets[row] = at;
        draw_words(s, random, row, h);
        at = write_words(s, random, row, at);
        if (row % 11 == 7) { /* a null may have bytes */
            s->counts[row] = 0;
            s->validity[row / 8] &= (uint8_t) ~(1u << row % 8);
        } else if (row % 11 == 8) {
            s->counts[row] = 0;
            at = s->offsets[row];
            s->bytes[at++] = '?';
        }
    }
    s->offsets[h->rows] = at;
    s->column = (akin_column){.size = sizeof s->column,
                              .offsets = s->offsets,
                              .bytes = s->bytes,
                              .validity = s->validity,
                              .nulls = h->rows / 11 + (h->rows % 11 > 7)};
}

/* Some items are others again. */
static void make_sides(uint64_t seed, const shape *of_items, const shape *of_documents)
{
    akin_random random;
    akin_random_seed(&random, seed);
    make_side(&items, &random, of_items);
    for (uint32_t row = 1; row < items.rows; row++)
        if (row % 7 == 3 && row % 11 != 8 && row % 11 != 7) {
            items.counts[row] = items.counts[row - 1];
            memcpy(items.words[row], items.words[row - 1], items.counts[row]);
        }
    uint64_t at = 0;
    for (uint32_t row = 0; row < items.rows; row++) {
        items.offsets[row] = at;
        at = write_words(&items, &random, row, at);
    }
    items.offsets[items.rows] = at;
    make_side(&documents, &random, of_documents);
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

/* How many words an item and a document have in common, from these words on. */
static uint32_t common_at(uint32_t item, uint32_t p, uint32_t row, uint32_t d)
{
    uint32_t count = 0;
    while (p + count < items.counts[item] && d + count < documents.counts[row] &&
           items.words[item][p + count] == documents.words[row][d + count])
        count++;
    return count;
}

static void look_in_document(uint32_t item, uint32_t words, uint32_t row, uint8_t *covered, akin_gram_found *f)
{
    int has = 0;
    for (uint32_t d = 0; d < documents.counts[row]; d++)
        for (uint32_t p = 0; p < f->positions; p++) {
            const uint32_t common = common_at(item, p, row, d);
            if (common < words)
                continue;
            has = covered[p] = 1;
            if (common > f->run_words) {
                f->run_row = row;
                f->run_item = p;
                f->run_document = d;
                f->run_words = common;
            }
        }
    f->documents += (uint32_t)has;
    f->first_row = has && f->first_row == AKIN_NO_ROW ? row : f->first_row;
}

static void brute_force(uint32_t item, uint32_t n, uint8_t *covered, akin_gram_found *f)
{
    const uint32_t size = items.counts[item], words = size < n ? size : n;
    *f = (akin_gram_found){.first_row = AKIN_NO_ROW, .run_row = AKIN_NO_ROW};
    memset(covered, 0, WORDS_MOST);
    f->positions = size > 0 ? size - words + 1 : 0;
    for (uint32_t row = 0; row < documents.rows && size > 0; row++)
        look_in_document(item, words, row, covered, f);
    for (uint32_t p = 0; p < f->positions; p++)
        f->covered += covered[p];
}

/* Checks all of what was found, and counts items that were. */
static uint32_t assert_found(const akin_gram_search *overlap, uint32_t n)
{
    static uint8_t covered[WORDS_MOST];
    uint32_t count = 0;
    for (uint32_t item = 0; item < items.rows; item++) {
        akin_gram_found own, expected;
        brute_force(item, n, covered, &expected);
        akin_gram_search_item(overlap, item, &own);
        if (memcmp(&own, &expected, sizeof own) != 0)
            fail_msg(
                "item %u, %u words: %u/%u covered, %u documents from %u on, %u words at %u, %u, %u; "
                "expected %u/%u, %u from %u on, %u at %u, %u, %u",
                item, items.counts[item], (unsigned)own.covered, (unsigned)own.positions, own.documents, own.first_row,
                own.run_words, own.run_row, own.run_document, own.run_item, (unsigned)expected.covered,
                (unsigned)expected.positions, expected.documents, expected.first_row, expected.run_words,
                expected.run_row, expected.run_document, expected.run_item);
        for (uint32_t p = 0; p < own.positions; p++)
            assert_int_equal(akin_gram_search_covers(overlap, item, p), covered[p]);
        count += own.documents > 0;
    }
    return count;
}

/* Whether a document has a gram of an item. */
static int has_hit(uint32_t row, uint32_t n)
{
    for (uint32_t item = 0; item < items.rows; item++) {
        const uint32_t size = items.counts[item], words = size < n ? size : n;
        for (uint32_t p = 0; size > 0 && p + words <= size; p++)
            for (uint32_t d = 0; d < documents.counts[row]; d++)
                if (common_at(item, p, row, d) >= words)
                    return 1;
    }
    return 0;
}

/* Checks the list of items whose run has changed since there were `begin` rows. */
static void assert_changed(const akin_gram_search *overlap, uint32_t begin)
{
    uint32_t count, at = 0;
    const uint32_t *changed = akin_gram_search_changed(overlap, &count);
    for (uint32_t item = 0; item < items.rows; item++) {
        akin_gram_found found;
        akin_gram_search_run(overlap, item, &found);
        if (found.run_row == AKIN_NO_ROW || found.run_row < begin)
            continue;
        assert_true(at < count);
        assert_int_equal(changed[at++], item);
    }
    assert_int_equal(at, count);
}

/* Adds documents from `begin` on, before `end`. Rows of a column begin with a whole byte of its validity. */
static akin_status add(akin_gram_search *overlap, uint32_t begin, uint32_t end, uint32_t n, akin_error *error)
{
    uint8_t hit[MOST / 8 + 1];
    akin_column column = documents.column;
    column.offsets += begin;
    column.validity += begin / 8;
    memset(hit, 0xff, sizeof hit);
    const akin_status status = akin_gram_search_add(&context.scope, overlap, &column, end - begin, hit, error);
    for (uint32_t row = begin; row < end && status == AKIN_OK; row++)
        assert_int_equal(hit[(row - begin) / 8] >> (row - begin) % 8 & 1, has_hit(row, n));
    if (status == AKIN_OK)
        assert_changed(overlap, begin);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void as_brute_force(void **state)
{
    static const uint64_t masks[] = {UINT64_MAX, 0xff, 0};
    static const uint32_t cuts[][2] = {{0, 0}, {8, 8}, {8, 24}, {16, 16}};
    uint32_t found = 0, all = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 480; seed++) {
        const uint32_t n = seed % 40 == 39 ? 70 : 1 + (uint32_t)(seed % 5), cut = (uint32_t)(seed / 5 % 4);
        const shape of_items = {(uint32_t)(seed % 31), seed % 40 == 39 ? 90 : 30, 1 + (uint32_t)(seed % 6), NULL};
        const shape of_documents = {24 + (uint32_t)(seed % 16), 50, 1 + (uint32_t)(seed / 2 % 7), &items};
        const akin_gram_search_options options = {n, masks[seed / 3 % 3]};
        akin_gram_search *overlap = NULL;
        begin_context(1 + (uint32_t)(seed % 4));
        make_sides(seed, &of_items, &of_documents);
        assert_int_equal(
            akin_gram_search_create(&context.scope, account(), &items.column, items.rows, &options, &overlap, NULL),
            AKIN_OK);
        assert_int_equal(add(overlap, 0, cuts[cut][0], n, NULL), AKIN_OK);
        assert_int_equal(add(overlap, cuts[cut][0], cuts[cut][1], n, NULL), AKIN_OK);
        assert_int_equal(add(overlap, cuts[cut][1], documents.rows, n, NULL), AKIN_OK);
        found += assert_found(overlap, n);
        all += items.rows;
        akin_gram_search_free(overlap);
    }
    assert_true(found > all / 4 && found < all);
}

/* Documents of several windows, and runs across their borders. */
static void long_documents(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        const uint32_t n = seed % 3 ? 13 : 255;
        const shape of_items = {8, 600, seed % 2 ? 250 : 2, NULL};
        const shape of_documents = {7, 2300, seed % 4 < 2 ? 250 : 2, &items};
        const akin_gram_search_options options = {n, UINT64_MAX};
        akin_gram_search *overlap = NULL;
        begin_context(1 + (uint32_t)(seed % 4));
        make_sides(seed, &of_items, &of_documents);
        assert_int_equal(
            akin_gram_search_create(&context.scope, account(), &items.column, items.rows, &options, &overlap, NULL),
            AKIN_OK);
        assert_int_equal(add(overlap, 0, documents.rows, n, NULL), AKIN_OK);
        assert_true(assert_found(overlap, n) > 0);
        akin_gram_search_free(overlap);
    }
}

/* An item and a document of one word each, again and again: this ends soon. */
static void one_word_again(void **state)
{
    enum { ITEM = 20000, DOCUMENT = 400000 };
    static char item[2 * ITEM], document[2 * DOCUMENT];
    const uint64_t item_offsets[] = {0, sizeof item}, offsets[] = {0, sizeof document};
    const akin_column one = {.size = sizeof one, .offsets = item_offsets, .bytes = item};
    const akin_column other = {.size = sizeof other, .offsets = offsets, .bytes = document};
    akin_gram_search *overlap = NULL;
    akin_gram_found found;
    (void)state;
    begin_context(2);
    for (uint32_t i = 0; i < ITEM; i++)
        memcpy(item + UINT64_C(2) * i, "a ", 2);
    for (uint32_t i = 0; i < DOCUMENT; i++)
        memcpy(document + UINT64_C(2) * i, i == DOCUMENT / 2 ? "b " : "a ", 2);
    assert_int_equal(akin_gram_search_create(&context.scope, account(), &one, 1, NULL, &overlap, NULL), AKIN_OK);
    assert_int_equal(akin_gram_search_add(&context.scope, overlap, &other, 1, NULL, NULL), AKIN_OK);
    akin_gram_search_item(overlap, 0, &found);
    assert_int_equal(found.positions, ITEM - AKIN_GRAM_SEARCH_WORDS + 1);
    assert_int_equal(found.covered, found.positions);
    assert_int_equal(found.run_words, ITEM);
    assert_int_equal(found.run_document, 0);
    akin_gram_search_free(overlap);
}

/* Writes one of 100 items, in one of three ways that differ in what does not count. */
static int write_changed(char *out, size_t room, uint32_t row, uint32_t way)
{
    static const char *const forms[][6] = {
        {"caf\xc3\xa9", "na\xc3\xafve", "gro\xc3\x9f", "\xef\xac\x81n", "its", "\xe4\xb8\xad"},
        {"CAFE\xcc\x81", "Nai\xcc\x88VE", "GROSS", "FIn", "\xef\xbd\x89\xef\xbd\x94s", "\xe4\xb8\xad"},
        {"Cafe\xcc\x81", "NA\xc3\x8fVE", "Gross", "fIn", "ITS", "\xe4\xb8\xad"}};
    static const char *const between[] = {" ", " -- ", "\xe3\x80\x80"};
    size_t at = 0;
    for (uint32_t i = 0; i < 16; i++)
        at += (size_t)snprintf(out + at, room - at, "%s%s%s%u", forms[way][(row + i * i) % 6], between[way],
                               way ? "X" : "x", (unsigned)(row * 31 + i) % 97);
    return (int)at;
}

static void planted(void **state)
{
    static char bytes[2][64 * 1024];
    static uint64_t offsets[2][101];
    akin_gram_search *overlap = NULL;
    (void)state;
    begin_context(3);
    uint64_t at[2] = {0, 0};
    for (uint32_t row = 0; row < 100; row++) {
        offsets[0][row] = at[0];
        at[0] += (uint64_t)write_changed(bytes[0] + at[0], sizeof bytes[0] - at[0], row, 0);
        offsets[1][row] = at[1];
        at[1] += (uint64_t)snprintf(bytes[1] + at[1], sizeof bytes[1] - at[1], "Before (%u), ", row);
        at[1] += (uint64_t)write_changed(bytes[1] + at[1], sizeof bytes[1] - at[1], row, 1 + row % 2);
        at[1] += (uint64_t)snprintf(bytes[1] + at[1], sizeof bytes[1] - at[1], "! after");
    }
    offsets[0][100] = at[0];
    offsets[1][100] = at[1];
    const akin_column one = {.size = sizeof one, .offsets = offsets[0], .bytes = bytes[0]};
    const akin_column other = {.size = sizeof other, .offsets = offsets[1], .bytes = bytes[1]};
    assert_int_equal(akin_gram_search_create(&context.scope, account(), &one, 100, NULL, &overlap, NULL), AKIN_OK);
    assert_int_equal(akin_gram_search_add(&context.scope, overlap, &other, 100, NULL, NULL), AKIN_OK);
    for (uint32_t item = 0; item < 100; item++) {
        akin_gram_found found;
        akin_gram_search_item(overlap, item, &found);
        assert_int_equal(found.covered, found.positions);
        assert_int_equal(found.run_row, item);
        assert_int_equal(found.run_document, 2);
        assert_int_equal(found.run_words, found.positions + AKIN_GRAM_SEARCH_WORDS - 1);
    }
    akin_gram_search_free(overlap);
}

/* ---------------------------------------------------------------------------------------------------------- failing */

static void short_of_memory(void **state)
{
    const shape of_items = {30, 30, 3, NULL}, of_documents = {39, 50, 3, &items};
    const akin_gram_search_options options = {4, UINT64_MAX};
    uint64_t refusals = 0, late = 0;
    akin_status status = AKIN_E_NOMEM;
    akin_error error;
    (void)state;
    begin_context(1);
    make_sides(3, &of_items, &of_documents);
    for (uint64_t limit = 64; status != AKIN_OK; limit += limit / 64 + 8) {
        akin_gram_search *overlap = NULL;
        context.scope.memory = limit;
        status =
            akin_gram_search_create(&context.scope, account(), &items.column, items.rows, &options, &overlap, &error);
        if (status == AKIN_OK) {
            status = add(overlap, 0, documents.rows, options.words, &error);
            late += status != AKIN_OK;
            if (status == AKIN_OK)
                assert_found(overlap, options.words);
        }
        assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && strstr(error.message, "memory")));
        refusals += status != AKIN_OK;
        akin_gram_search_free(overlap);
    }
    assert_true(refusals > 30 && late > 5);
}

static void refused(void **state)
{
    const shape of_items = {30, 30, 9, NULL}, of_documents = {39, 50, 9, &items};
    akin_gram_search_options options = {256, UINT64_MAX};
    akin_gram_search *overlap = NULL;
    akin_overlap *items_of_all = NULL;
    akin_error error;
    (void)state;
    begin_context(4);
    make_sides(8, &of_items, &of_documents);
    assert_int_equal(
        akin_gram_search_create(&context.scope, account(), &items.column, items.rows, &options, &overlap, &error),
        AKIN_E_OPTION);
    assert_string_equal(error.message, "words is 256; expected 1 to 255");
    options.words = 0;
    assert_int_equal(
        akin_gram_search_create(&context.scope, account(), &items.column, items.rows, &options, &overlap, &error),
        AKIN_E_OPTION);
    assert_null(overlap);
    options.words = 4;
    assert_int_equal(
        akin_gram_search_create(&context.scope, account(), &items.column, items.rows, &options, &overlap, &error),
        AKIN_OK);
    documents.bytes[documents.offsets[21]] = documents.bytes[documents.offsets[33]] = '\xff';
    assert_int_equal(akin_gram_search_add(&context.scope, overlap, &documents.column, documents.rows, NULL, &error),
                     AKIN_E_INPUT);
    assert_string_equal(error.message, "row 21, column 0: the text is not valid UTF-8");
    akin_gram_search_free(overlap);
    overlap = NULL;
    items.bytes[items.offsets[5]] = '\xff';
    assert_int_equal(
        akin_gram_search_create(&context.scope, account(), &items.column, items.rows, &options, &overlap, &error),
        AKIN_E_INPUT);
    assert_string_equal(error.message, "row 5, column 0: the text is not valid UTF-8");
    assert_null(overlap);
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    assert_int_equal(akin_overlap_create(&context, &items.column, 1, items.rows, NULL, &items_of_all, &error),
                     AKIN_E_OPTION);
    assert_string_equal(error.message, "items are looked for on the CPU alone: use the device cpu or auto");
    assert_null(items_of_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_brute_force),  cmocka_unit_test(long_documents),
                                       cmocka_unit_test(one_word_again),  cmocka_unit_test(planted),
                                       cmocka_unit_test(short_of_memory), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
