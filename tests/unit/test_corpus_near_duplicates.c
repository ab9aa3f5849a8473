/* Near-duplicates of a column of text against brute force: orders of preference, nulls, empty documents, hashes of few
 * bits, threads; and what is refused. */
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
#include "corpus/near_duplicates.h"

#define MOST  300 /* rows */
#define WORDS 40
#define Q     3

static akin_context context;

/* A column, and the words of each row. */
typedef struct corpus {
    char words[MOST][WORDS][4];
    uint32_t counts[MOST], rows;
    char bytes[MOST * WORDS * 6 + 64];
    uint64_t offsets[MOST + 1];
    uint8_t validity[MOST / 8 + 1];
    akin_column column;
} corpus;

static corpus made;

static void begin_context(uint32_t threads)
{
    context = (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()}};
}

/* Half of the rows are others with some words changed. Every ninth row is null or empty, or has punctuation alone. */
static void draw_words(corpus *c, akin_random *random, uint32_t row)
{
    const uint32_t from = row > 0 ? (uint32_t)akin_random_below(random, row) : 0;
    const int is_copy = row > 0 && akin_random_below(random, 2);
    c->counts[row] = row % 9 == 8 ? 0 : is_copy ? c->counts[from] : (uint32_t)akin_random_below(random, WORDS + 1);
    for (uint32_t i = 0; i < c->counts[row]; i++) {
        if (is_copy && akin_random_below(random, 20))
            memcpy(c->words[row][i], c->words[from][i], sizeof c->words[row][i]);
        else
            snprintf(c->words[row][i], sizeof c->words[row][i], "%c%u", 'a' + (int)akin_random_below(random, 6),
                     (unsigned)akin_random_below(random, 10));
    }
}

static void make_corpus(uint64_t seed, uint32_t rows)
{
    corpus *c = &made;
    akin_random random;
    uint64_t at = 0;
    akin_random_seed(&random, seed);
    memset(c->validity, 0xff, sizeof c->validity);
    c->rows = rows;
    for (uint32_t row = 0; row < rows; row++) {
        draw_words(c, &random, row);
        c->offsets[row] = at;
        for (uint32_t i = 0; i < c->counts[row]; i++)
            at += (uint64_t)snprintf(c->bytes + at, sizeof c->bytes - at, "%s%s", i % 3 ? " " : ", ", c->words[row][i]);
        if (row % 27 == 8)
            c->validity[row / 8] &= (uint8_t) ~(1u << row % 8);
        else if (row % 27 == 17)
            c->bytes[at++] = '!';
    }
    c->offsets[rows] = at;
    c->column = (akin_column){.size = sizeof c->column,
                              .offsets = c->offsets,
                              .bytes = c->bytes,
                              .validity = c->validity,
                              .nulls = rows / 27 + (rows % 27 > 8)};
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

/* Shingle i of a row as text; fewer words are one shingle. */
static int shingle(uint32_t row, uint32_t i, char out[5 * Q + 1])
{
    const uint32_t words = made.counts[row], gap = words < Q ? words : Q;
    size_t at = 0;
    out[0] = 0;
    if (gap == 0 || i + gap > words)
        return 0;
    for (uint32_t k = 0; k < gap; k++)
        at += (size_t)snprintf(out + at, 5 * Q + 1 - at, " %s", made.words[row][i + k]);
    return 1;
}

static int has_shingle(uint32_t row, uint32_t end, const char *wanted)
{
    char own[5 * Q + 1];
    for (uint32_t i = 0; i < end && shingle(row, i, own); i++)
        if (strcmp(own, wanted) == 0)
            return 1;
    return 0;
}

/* Distinct shingles of a row that another row has; of all, if they are one row. */
static uint32_t common_of(uint32_t row, uint32_t other)
{
    char own[5 * Q + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; shingle(row, i, own); i++)
        count += !has_shingle(row, i, own) && has_shingle(other, WORDS, own);
    return count;
}

static void brute_force(akin_measure measure, akin_ratio t, const uint32_t *order, akin_duplicate *out)
{
    for (uint32_t place = 0; place < made.rows; place++) {
        const uint32_t row = order[place], size = common_of(row, row);
        out[row] = (akin_duplicate){AKIN_NO_ROW, 0, {size, 0}};
        for (uint32_t before = 0; before < place && out[row].survivor == AKIN_NO_ROW; before++) {
            const uint32_t kept = order[before];
            if (out[kept].survivor != AKIN_NO_ROW)
                continue;
            const uint64_t common = common_of(row, kept), other = out[kept].sizes[0];
            const uint64_t all = measure == AKIN_JACCARD ? size + other - common : size;
            if (size == 0 || other == 0 ? size == other : common * t.den >= all * t.num)
                out[row] = (akin_duplicate){kept, (uint32_t)common, {size, (uint32_t)other}};
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static akin_text_options text_of_test(void)
{
    akin_text_options own, given = AKIN_TEXT_OPTIONS_INIT;
    given.tokens = AKIN_TOKENS_SHINGLES;
    given.q = Q;
    assert_int_equal(akin_text_options_read(&given, &own, NULL), AKIN_OK);
    return own;
}

static akin_status find(akin_account *account, akin_measure measure, akin_ratio t, const uint32_t *order, uint64_t mask,
                        akin_duplicate *out, akin_error *error)
{
    const akin_text_options text = text_of_test();
    akin_near_duplicates wanted = {.text = &text, .order = order, .mask = mask};
    akin_survivors_report report = {0};
    assert_int_equal(akin_threshold_make(measure, t, &wanted.threshold, NULL), AKIN_OK);
    const akin_status status =
        akin_near_duplicates_find(&context.scope, account, &wanted, &made.column, made.rows, out, &report, error);
    assert_true(status != AKIN_OK || report.documents == made.rows);
    return status;
}

static void as_brute_force(void **state)
{
    static const akin_ratio ratios[] = {{1, 2}, {4, 5}, {1, 1}, {1, 4}};
    static const uint64_t masks[] = {0, 0xff, 0xffff};
    static akin_duplicate expected[MOST], out[MOST];
    uint32_t order[MOST] = {0}, removed = 0;
    akin_random random;
    (void)state;
    for (uint64_t seed = 0; seed < 36; seed++) {
        const akin_measure measure = seed % 2 ? AKIN_CONTAINMENT : AKIN_JACCARD;
        const akin_ratio t = ratios[seed / 2 % 4];
        begin_context(1 + (uint32_t)(seed % 4));
        make_corpus(seed, (uint32_t)(seed * 37 % MOST));
        akin_random_seed(&random, seed);
        for (uint32_t i = 0; i < made.rows; i++) {
            const uint32_t to = seed % 3 ? (uint32_t)akin_random_below(&random, i + 1) : i;
            order[i] = order[to];
            order[to] = i;
        }
        brute_force(measure, t, order, expected);
        assert_int_equal(find(NULL, measure, t, seed % 3 ? order : NULL, masks[seed / 4 % 3], out, NULL), AKIN_OK);
        for (uint32_t i = 0; i < made.rows; i++) {
            if (memcmp(&expected[i], &out[i], sizeof out[i]) != 0)
                fail_msg("seed %u, row %u: survivor %u, %u in common, instead of %u, %u", (unsigned)seed, i,
                         out[i].survivor, out[i].common, expected[i].survivor, expected[i].common);
            removed += out[i].survivor != AKIN_NO_ROW;
        }
    }
    assert_true(removed > 1000);
}

static void refused(void **state)
{
    static akin_duplicate out[MOST];
    akin_status status = AKIN_E_NOMEM;
    akin_error error;
    uint32_t refusals = 0, bad = 40;
    char said[80];
    (void)state;
    begin_context(3);
    make_corpus(4, 250);
    for (uint64_t limit = 64; status != AKIN_OK; limit += limit / 8 + 8) {
        akin_account account = {.limit = limit};
        status = find(&account, AKIN_JACCARD, (akin_ratio){1, 2}, NULL, 0, out, &error);
        assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && strstr(error.message, "memory")));
        assert_int_equal(account.held, 0);
        refusals += status != AKIN_OK;
    }
    assert_true(refusals > 10);
    while (made.counts[bad] == 0)
        bad++;
    made.bytes[made.offsets[bad]] = made.bytes[made.offsets[bad + 100]] = '\xff';
    snprintf(said, sizeof said, "row %u, column 0: the text is not valid UTF-8", bad);
    assert_int_equal(find(NULL, AKIN_JACCARD, (akin_ratio){1, 2}, NULL, 0, out, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_brute_force), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
