/* A pattern and many texts in lanes, Jaro's matches and distances: every SIMD level finds what the books define. */
#include "strings/lanes.h"

#include "strings/counts.h"
#include "unit/test_strings_support.h"

#include "base/cpu.h"

#define TEXTS  90
#define ROUNDS 500

/* Texts in the order of their lengths, as bytes, with room for what lanes read beyond them. */
typedef struct job {
    uint32_t pattern[SYMBOLS_MOST], length;
    uint8_t pattern_bytes[SYMBOLS_MOST];
    uint32_t texts[TEXTS][SYMBOLS_MOST];
    uint8_t bytes[TEXTS * SYMBOLS_MOST + 64];
    uint64_t at[TEXTS + AKIN_LANES];
    uint32_t lengths[TEXTS + AKIN_LANES], bound[TEXTS + AKIN_LANES], count;
    float rest[TEXTS + AKIN_LANES];
    akin_jaro found[TEXTS + AKIN_LANES];
    uint32_t kept[TEXTS + AKIN_LANES], kept_count;
} job;

/* A length up to `most`; the edges of words are as frequent as all others. */
static uint32_t draw_length(akin_random *random, uint32_t most)
{
    static const uint32_t edges[] = {1,  2,  3,  4,  5,  7,  8,   9,   31,  32,  33,
                                     63, 64, 65, 95, 96, 97, 127, 128, 129, 511, 512};
    const uint32_t edge = edges[akin_random_below(random, sizeof edges / sizeof *edges)];
    return edge <= most && akin_random_below(random, 2) ? edge : 1 + (uint32_t)akin_random_below(random, most);
}

static int by_length(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A text of its own, or the pattern with some symbols changed. */
static void draw_text(akin_random *random, uint32_t kinds, uint32_t base, const job *j, uint32_t length, uint32_t *out)
{
    const uint32_t shift = (uint32_t)akin_random_below(random, 4), rate = 1 + (uint32_t)akin_random_below(random, 9);
    const int is_own = akin_random_below(random, 3) == 0;
    for (uint32_t i = 0; i < length; i++) {
        const int is_same = !is_own && i + shift < j->length && akin_random_below(random, 10) >= rate;
        out[i] = is_same ? j->pattern[i + shift] : base + (uint32_t)akin_random_below(random, kinds);
    }
}

static void draw_job(akin_random *random, job *j)
{
    static const uint32_t longest[] = {8, 32, 64, 130, 130, SYMBOLS_MOST};
    static const uint32_t most_kinds[] = {2, 8, 26, 40, 80, 250};
    const uint32_t most = longest[akin_random_below(random, 6)], kinds = most_kinds[akin_random_below(random, 6)];
    const uint32_t base = (uint32_t)akin_random_below(random, 254 - kinds); /* numbers above 127, or not */
    uint64_t at = 0;
    j->length = draw_length(random, most);
    for (uint32_t i = 0; i < j->length; i++)
        j->pattern[i] = j->pattern_bytes[i] = (uint8_t)(base + akin_random_below(random, kinds));
    j->count = 1 + (uint32_t)akin_random_below(random, TEXTS);
    for (uint32_t i = 0; i < j->count; i++)
        j->lengths[i] = akin_random_below(random, 3) ? j->length : draw_length(random, most);
    qsort(j->lengths, j->count, sizeof *j->lengths, by_length);
    for (uint32_t i = 0; i < j->count; i++) {
        draw_text(random, kinds, base, j, j->lengths[i], j->texts[i]);
        j->at[i] = at;
        for (uint32_t k = 0; k < j->lengths[i]; k++)
            j->bytes[at++] = (uint8_t)j->texts[i][k];
        const uint32_t shorter = j->lengths[i] < j->length ? j->lengths[i] : j->length;
        j->bound[i] = (uint32_t)akin_random_below(random, shorter + 2);
        j->rest[i] = 1 - 3 * (float)akin_random_below(random, 101) / 100;
    }
    memset(j->bytes + at, 0xff, 64);
    for (uint32_t i = j->count; i < j->count + AKIN_LANES; i++) {
        j->at[i] = j->at[j->count - 1];
        j->lengths[i] = j->lengths[j->count - 1];
        j->bound[i] = j->bound[j->count - 1];
        j->rest[i] = j->rest[j->count - 1];
    }
}

/* Whether a text must be kept: it has enough matches, and with `rest` not too many are out of order, of which an odd
 * one may not count. */
static int must_be_kept(const job *j, uint32_t i, akin_jaro expected, int with_rest)
{
    const double m = expected.matched, each = 1.0 / j->length + 1.0 / j->lengths[i];
    return expected.matched >= j->bound[i] &&
           (!with_rest || (expected.apart & ~1u) <= 2 * m * (m * each + (double)j->rest[i]));
}

static void check_job(const job *j, const akin_jaro *expected, int with_rest)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < j->count; i++) {
        const int is_enough = expected[i].matched >= j->bound[i], is_kept = k < j->kept_count && j->kept[k] == i;
        k += (uint32_t)is_kept;
        assert_true(is_kept ? is_enough : !must_be_kept(j, i, expected[i], with_rest));
        assert_int_equal(j->found[i].matched >= j->bound[i], is_enough);
        if (!is_enough)
            continue;
        assert_int_equal(j->found[i].matched, expected[i].matched);
        assert_int_equal(j->found[i].apart, expected[i].apart);
    }
    assert_int_equal(k, j->kept_count);
}

static void matches_of_many_texts(void **state)
{
    static job j;
    static _Alignas(AKIN_LANES_ALIGN) uint8_t room[AKIN_LANES_ROOM];
    static akin_jaro expected[TEXTS];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 11);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        draw_job(&random, &j);
        for (uint32_t i = 0; i < j.count; i++)
            expected[i] = jaro_by_windows(j.pattern, j.length, j.texts[i], j.lengths[i]);
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
            const akin_lanes *lanes = akin_lanes_choose((akin_cpu)cpu);
            assert_int_equal(lanes != NULL, cpu != AKIN_CPU_SCALAR);
            for (int with_rest = 0; lanes && with_rest < 2; with_rest++) {
                const akin_lanes_job job = {.symbols = j.bytes,
                                            .at = j.at,
                                            .lengths = j.lengths,
                                            .count = j.count,
                                            .pattern = j.pattern_bytes,
                                            .length = j.length,
                                            .bound = j.bound,
                                            .rest = with_rest ? j.rest : NULL,
                                            .kept = j.kept,
                                            .kept_count = &j.kept_count,
                                            .room = room};
                lanes->jaro(&job, j.found);
                check_job(&j, expected, with_rest);
            }
        }
    }
}

/* The most edits of each text, not descending: about as many as the texts have, or so many that there is no bound. */
static void draw_bounds(akin_random *random, job *j)
{
    const uint32_t kind = (uint32_t)akin_random_below(random, 3);
    uint32_t bound = kind == 0 ? 2 * SYMBOLS_MOST : (uint32_t)akin_random_below(random, j->length / 2 + 1);
    for (uint32_t i = 0; i < j->count + AKIN_LANES; i++) {
        bound += kind == 1 && i < j->count ? (uint32_t)akin_random_below(random, 2) : 0;
        j->bound[i] = bound;
    }
}

static void distances_of_many_texts(void **state)
{
    static job j;
    static _Alignas(AKIN_LANES_ALIGN) uint8_t room[AKIN_LANES_ROOM];
    static uint32_t expected[TEXTS], found[TEXTS + AKIN_LANES];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 14);
    for (uint32_t round = 0; round < ROUNDS / 4; round++) {
        draw_job(&random, &j);
        draw_bounds(&random, &j);
        const int swaps = round % 2;
        for (uint32_t i = 0; i < j.count; i++)
            expected[i] = distance_by_matrix(j.pattern, j.length, j.texts[i], j.lengths[i], swaps);
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
            const akin_lanes *lanes = akin_lanes_choose((akin_cpu)cpu);
            const akin_lanes_job job = {.symbols = j.bytes,
                                        .at = j.at,
                                        .lengths = j.lengths,
                                        .count = j.count,
                                        .pattern = j.pattern_bytes,
                                        .length = j.length,
                                        .bound = j.bound,
                                        .room = room};
            if (!lanes)
                continue;
            (swaps ? lanes->osa : lanes->levenshtein)(&job, found);
            for (uint32_t i = 0; i < j.count; i++)
                assert_true(expected[i] <= j.bound[i] ? found[i] == expected[i] : found[i] > j.bound[i]);
        }
    }
}

#define LONG_TEXTS  19
#define LONG_LENGTH 1400

/* Texts as long as patterns of several segments, for those and for short ones. They are the pattern with changes, with
 * neighbours that change places, and others. */
typedef struct long_job {
    uint32_t pattern[LONG_LENGTH], texts[LONG_TEXTS][LONG_LENGTH], lengths[LONG_TEXTS + AKIN_LANES];
    uint64_t at[LONG_TEXTS + AKIN_LANES];
    uint32_t bound[LONG_TEXTS + AKIN_LANES], found[LONG_TEXTS + AKIN_LANES];
    uint8_t pattern_bytes[LONG_LENGTH], bytes[LONG_TEXTS * LONG_LENGTH + 64];
} long_job;

static void draw_long_job(akin_random *random, uint32_t length, long_job *j)
{
    const uint32_t kinds = akin_random_below(random, 2) ? 2 : 250;
    uint64_t at = 0;
    for (uint32_t k = 0; k < LONG_LENGTH; k++) /* the texts may be longer than the pattern */
        j->pattern[k] = (uint32_t)akin_random_below(random, kinds);
    for (uint32_t k = 0; k < length; k++)
        j->pattern_bytes[k] = (uint8_t)j->pattern[k];
    for (uint32_t i = 0; i < LONG_TEXTS; i++)
        j->lengths[i] = 1 + (uint32_t)akin_random_below(random, akin_random_below(random, 3) ? LONG_LENGTH : 60);
    qsort(j->lengths, LONG_TEXTS, sizeof *j->lengths, by_length);
    for (uint32_t i = 0; i < LONG_TEXTS + AKIN_LANES; i++) {
        if (i >= LONG_TEXTS) {
            j->at[i] = j->at[LONG_TEXTS - 1];
            j->lengths[i] = j->lengths[LONG_TEXTS - 1];
            j->bound[i] = LONG_LENGTH;
            continue;
        }
        uint32_t *text = j->texts[i], rate = 1 + (uint32_t)akin_random_below(random, 10);
        for (uint32_t k = 0; k < j->lengths[i]; k++)
            text[k] = akin_random_below(random, 10) < rate ? j->pattern[k] : (uint32_t)akin_random_below(random, kinds);
        for (uint32_t k = 1; k < j->lengths[i]; k += 1 + (uint32_t)akin_random_below(random, 40)) {
            const uint32_t other = text[k - 1];
            text[k - 1] = text[k];
            text[k] = other;
        }
        j->at[i] = at;
        j->bound[i] = LONG_LENGTH;
        for (uint32_t k = 0; k < j->lengths[i]; k++)
            j->bytes[at++] = (uint8_t)text[k];
    }
}

static void distances_of_long_texts(void **state)
{
    static const uint32_t lengths[] = {9,   30,  60,  513,  575,  576,  577,        640,
                                       641, 768, 769, 1023, 1024, 1025, LONG_LENGTH};
    static long_job j;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 13);
    void *room = aligned_alloc(AKIN_LANES_ALIGN, akin_lanes_room(LONG_LENGTH, LONG_LENGTH));
    for (uint32_t round = 0; round < sizeof lengths / sizeof *lengths; round++) {
        draw_long_job(&random, lengths[round], &j);
        const akin_lanes_job job = {.symbols = j.bytes,
                                    .at = j.at,
                                    .lengths = j.lengths,
                                    .count = LONG_TEXTS,
                                    .pattern = j.pattern_bytes,
                                    .length = lengths[round],
                                    .bound = j.bound,
                                    .room = room};
        for (int swaps = 0; swaps < 2; swaps++) {
            uint32_t expected[LONG_TEXTS];
            for (uint32_t i = 0; i < LONG_TEXTS; i++)
                expected[i] = distance_by_matrix(j.pattern, lengths[round], j.texts[i], j.lengths[i], swaps);
            for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
                const akin_lanes *lanes = akin_lanes_choose((akin_cpu)cpu);
                if (!lanes)
                    continue;
                (swaps ? lanes->osa : lanes->levenshtein)(&job, j.found);
                for (uint32_t i = 0; i < LONG_TEXTS; i++)
                    assert_int_equal(j.found[i], expected[i]);
            }
        }
    }
    free(room);
}

/* Counts of symbols compared by each SIMD level, at places out of order, up to the largest sums. */
static void counts_of_many_strings(void **state)
{
    enum { STRINGS = 40 };
    akin_counts counts[STRINGS], query;
    uint32_t places[STRINGS], apart[STRINGS + 8];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 12);
    for (uint32_t round = 0; round < 200; round++) {
        const uint32_t count = (uint32_t)akin_random_below(&random, STRINGS + 1);
        memset(&query, 0, sizeof query);
        memset(counts, 0, sizeof counts);
        query.of[akin_random_below(&random, AKIN_COUNTS_KINDS)] = AKIN_COUNTS_BYTE - 1;
        for (uint32_t i = 0; i < STRINGS; i++) {
            uint32_t left = AKIN_COUNTS_BYTE - 1;
            places[i] = (uint32_t)akin_random_below(&random, STRINGS);
            for (uint32_t more; left > 0; left -= more) {
                more = round % 2 ? left : 1 + (uint32_t)akin_random_below(&random, left);
                counts[i].of[akin_random_below(&random, AKIN_COUNTS_KINDS)] += (uint16_t)more;
            }
        }
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
            akin_counts_compare_choose((akin_cpu)cpu)(counts, &query, places, count, apart);
            for (uint32_t i = 0; i < count; i++)
                assert_int_equal(apart[i], akin_counts_apart(&counts[places[i]], &query));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_of_many_texts),
        cmocka_unit_test(distances_of_many_texts),
        cmocka_unit_test(distances_of_long_texts),
        cmocka_unit_test(counts_of_many_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
