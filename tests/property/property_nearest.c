/*
 * Nearest strings against the textbook: all distances by the whole matrix, sorted; random strings, and many of them
 * begin alike, or are the same, short and long, of few bytes and of all; queries of any length, or made from the
 * strings by a few edits; every SIMD level, several threads.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 60 if not given
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/bits.h"
#include "base/random.h"
#include "property/setting.h"
#include "search/nearest.h"

#define ROWS 400
#define MANY                                                                                                           \
    70000 /* more than a chunk has at the level without SIMD: at first a sample of them shows what is too far */
#define MOST    270000 /* more than one has at any level */
#define QUERIES 70
#define CROWD   300 /* queries of several tasks, by bags and by subsequences */
#define BYTES   (1 << 19)

typedef struct strings {
    char bytes[BYTES];
    uint64_t offsets[MOST + 1];
    uint8_t validity[MOST / 8 + 1];
    uint32_t rows;
    akin_column column;
} strings;

/* Strings. One in two begins like the one before, or is nearly that. */
static void draw(akin_random *random, strings *s, uint32_t rows, uint32_t longest, uint32_t kinds)
{
    s->rows = rows;
    memset(s->validity, 255, sizeof s->validity);
    for (uint32_t i = 0; i < rows; i++) {
        const uint64_t begin = s->offsets[i], before = i > 0 ? begin - s->offsets[i - 1] : 0;
        uint64_t length = akin_random_below(random, longest + 1), kept = akin_random_below(random, before + 1);
        if (akin_random_below(random, 30) == 0)
            s->validity[i / 8] = (uint8_t)(s->validity[i / 8] & ~(1u << i % 8));
        assert_true(begin + length <= BYTES);
        for (uint64_t j = 0; j < length; j++)
            s->bytes[begin + j] = (char)('a' + akin_random_below(random, kinds) * 7); /* of 256 kinds: any byte */
        if (akin_random_below(random, 2) && kept > 0)
            memcpy(s->bytes + begin, s->bytes + begin - before, akin_min_u64(kept, length));
        s->offsets[i + 1] = begin + length;
    }
    s->column = (akin_column){sizeof s->column, "text", s->offsets, s->bytes, s->validity, 0, NULL, 0, 0};
}

/* Makes queries from strings by a few edits each. */
static void spoil(akin_random *random, const strings *s, strings *queries, uint32_t count, uint32_t edits)
{
    memset(queries->validity, 255, sizeof queries->validity);
    queries->rows = s->rows > 0 ? count : 0;
    for (uint32_t i = 0; i < queries->rows; i++) {
        const uint32_t from = (uint32_t)akin_random_below(random, s->rows);
        uint64_t length = s->offsets[from + 1] - s->offsets[from];
        char *to = queries->bytes + queries->offsets[i];
        assert_true(queries->offsets[i] + length + edits <= BYTES);
        memcpy(to, s->bytes + s->offsets[from], length);
        for (uint32_t j = 0; j < edits; j++) {
            const uint64_t at = akin_random_below(random, length + 1), kind = akin_random_below(random, 3);
            if (kind > 0 && at < length)
                to[at] = (char)akin_random_below(random, 256);
            else if (kind == 0 && length > 0)
                memmove(to + at - (at == length), to + at, length - at), length--;
            else
                to[length++] = 'x';
        }
        queries->offsets[i + 1] = queries->offsets[i] + length;
    }
    queries->column =
        (akin_column){sizeof queries->column, "text", queries->offsets, queries->bytes, NULL, 0, NULL, 0, 0};
}

static int has(const strings *s, uint32_t row)
{
    return s->validity[row / 8] >> row % 8 & 1;
}

static uint32_t distance(const strings *a, uint32_t i, const strings *b, uint32_t j)
{
    static uint32_t row[4096];
    const char *x = a->bytes + a->offsets[i], *y = b->bytes + b->offsets[j];
    const uint64_t m = a->offsets[i + 1] - a->offsets[i], n = b->offsets[j + 1] - b->offsets[j];
    assert_true(n < 4096);
    for (uint32_t c = 0; c <= n; c++)
        row[c] = c;
    for (uint32_t r = 1; r <= m; r++) {
        uint32_t corner = row[0];
        row[0] = r;
        for (uint32_t c = 1; c <= n; c++) {
            uint32_t best = corner + (x[r - 1] != y[c - 1]), up = row[c] + 1, left = row[c - 1] + 1;
            corner = row[c];
            best = best < up ? best : up;
            row[c] = best < left ? best : left;
        }
    }
    return row[n];
}

static int rising(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint32_t expect(const strings *s, const strings *queries, uint32_t query, uint64_t *keys)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->rows && has(queries, query); i++)
        if (has(s, i))
            keys[found++] = (uint64_t)distance(queries, query, s, i) << 32 | i;
    qsort(keys, found, sizeof *keys, rising);
    return found;
}

/* keys[q * room] on are those of query q. */
static void search(akin_context *context, const akin_ordered *ordered, const strings *queries, uint32_t k,
                   const uint64_t *expected, uint64_t room, const uint32_t *counts)
{
    uint64_t *keys;
    uint32_t *found, wanted = k;
    assert_int_equal(akin_nearest_search(akin_scope_of(context), ordered, &queries->column, NULL, queries->rows,
                                         &wanted, &keys, &found, NULL),
                     AKIN_OK);
    assert_int_equal(wanted, akin_min_u64(k, akin_max_u32(ordered->count, 1)));
    for (uint32_t q = 0; q < queries->rows; q++) {
        assert_int_equal(found[q], akin_min_u64(counts[q], wanted));
        assert_memory_equal(keys + (uint64_t)q * wanted, expected + q * room, found[q] * sizeof *keys);
    }
    akin_free(keys);
    akin_free(found);
}

/* Any level, one thread and several. */
static void search_always(akin_context *context, const strings *s, const strings *queries, const uint32_t *ks,
                          uint32_t k_count)
{
    const uint64_t room = akin_max_u32(s->rows, 1);
    uint64_t *expected = malloc((queries->rows + 1) * room * sizeof *expected);
    uint32_t counts[CROWD] = {0};
    akin_ordered ordered;
    assert_non_null(expected);
    assert_int_equal(akin_ordered_make(akin_scope_of(context), &s->column, s->rows, &ordered, NULL), AKIN_OK);
    for (uint32_t q = 0; q < queries->rows; q++)
        counts[q] = expect(s, queries, q, expected + q * room);
    for (uint32_t i = 0; i < k_count; i++)
        for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= context->cpu_best; cpu++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                context->scope.cpu = cpu;
                context->scope.threads = threads;
                search(context, &ordered, queries, ks[i], expected, room, counts);
            }
    akin_ordered_clear(&ordered);
    free(expected);
}

static void every_case(void **state)
{
    static strings s, queries;
    static const uint32_t ks[] = {1, 2, 8, 10, 100, UINT32_MAX}, kinds[] = {1, 2, 4, 24, 256};
    static const uint32_t longest[] = {8,   31,  33,  64, 66,
                                       100, 130, 270, 600}; /* of strings, and of queries, some too long for places */
    akin_context *context = NULL;
    uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        akin_random_seed(&random, seed * 1000003 + i);
        const uint32_t length = longest[i % (sizeof longest / sizeof *longest)], most = length > 100 ? 30 : ROWS;
        const uint32_t kind = kinds[akin_random_below(&random, sizeof kinds / sizeof *kinds)];
        const uint32_t k = ks[akin_random_below(&random, sizeof ks / sizeof *ks)];
        draw(&random, &s, (uint32_t)akin_random_below(&random, most + 1), length, kind);
        const uint32_t count = (uint32_t)akin_random_below(&random, (length > 100 ? 12 : QUERIES) + 1);
        if (akin_random_below(&random, 2))
            spoil(&random, &s, &queries, count, (uint32_t)akin_random_below(&random, 12));
        else
            draw(&random, &queries, count, longest[akin_random_below(&random, sizeof longest / sizeof *longest)], kind);
        printf("seed %llu case %llu: %u strings of %u at most, %u queries, k %u\n", (unsigned long long)seed,
               (unsigned long long)i, s.rows, length, queries.rows, k);
        search_always(context, &s, &queries, &k, 1);
    }
    akin_context_free(context);
}

/* Strings for several chunks: most of them near enough, where they are very short, few bytes, and k is large; enough
 * equal ones that the bounds of all are equal; and enough that are nearly near enough that lists are full. */
static void many_strings(void **state)
{
    static strings s, queries;
    static const uint32_t ks[] = {1, 20, 600, MANY / 2}, hundreds[] = {50, 100, 300};
    akin_context *context = NULL;
    akin_random random;
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    akin_random_seed(&random, 7);
    draw(&random, &s, MANY, 7, 2);
    draw(&random, &queries, 4, 9, 3);
    search_always(context, &s, &queries, ks, sizeof ks / sizeof *ks);
    draw(&random, &s, MANY, 1, 1);
    draw(&random, &queries, 2, 1, 1);
    search_always(context, &s, &queries, ks, sizeof ks / sizeof *ks);
    draw(&random, &s, MANY, 12, 4);
    draw(&random, &queries, 5, 14, 4);
    search_always(context, &s, &queries, hundreds, sizeof hundreds / sizeof *hundreds);
    draw(&random, &s, MOST, 3, 3);
    draw(&random, &queries, 2, 4, 3);
    search_always(context, &s, &queries, hundreds, 1);
    akin_context_free(context);
}

/* Queries of several tasks, and some that are too long for places, among strings of several units. */
static void many_queries(void **state)
{
    static strings s, queries;
    static const uint32_t ks[] = {1, 8, 30}, short_or_long[] = {12, 600};
    akin_context *context = NULL;
    akin_random random;
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    akin_random_seed(&random, 9);
    draw(&random, &s, 1300, 12, 4);
    for (int is_long = 0; is_long < 2; is_long++) {
        draw(&random, &queries, is_long ? QUERIES : CROWD, short_or_long[is_long], 4);
        search_always(context, &s, &queries, ks, sizeof ks / sizeof *ks);
    }
    akin_context_free(context);
}

/* Strings of 2,000 bytes, nearly all of them alike, with some of the last bytes cut off; beside short ones. */
static void long_strings(void **state)
{
    static strings s, queries;
    static const uint32_t ks[] = {5, 20};
    akin_context *context = NULL;
    akin_random random;
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    akin_random_seed(&random, 5);
    s.rows = 20;
    for (uint32_t i = 0; i < s.rows; i++) {
        memset(s.bytes + s.offsets[i], 'x', 2000);
        s.bytes[s.offsets[i] + akin_random_below(&random, 900) + 1100] = 'y';
        s.offsets[i + 1] = s.offsets[i] + (i % 3 ? 1900 : 200) + akin_random_below(&random, 100);
    }
    s.column = (akin_column){sizeof s.column, "text", s.offsets, s.bytes, NULL, 0, NULL, 0, 0};
    memset(s.validity, 255, sizeof s.validity);
    draw(&random, &queries, 10, 150, 24);
    search_always(context, &s, &queries, ks, sizeof ks / sizeof *ks);
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case), cmocka_unit_test(many_strings),
                                       cmocka_unit_test(many_queries), cmocka_unit_test(long_strings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
