/* The screens and refinements of every SIMD level against a plain loop, bit for bit, and the Hamming distances. */
#include "test_sets_support.h"

#include "base/memory.h"
#include "signature/screen.h"

#define WORDS_MOST 32
#define SETS_MOST  (AKIN_SCREEN_STRIP * AKIN_SCREEN_GROUP)
#define HITS       (AKIN_SCREEN_PROBES * AKIN_SCREEN_WORDS)

static akin_random source;

static uint64_t below(uint64_t bound)
{
    return akin_random_below(&source, bound);
}

static int count_bits(uint64_t word)
{
    int count = 0;
    for (int bit = 0; bit < 64; bit++)
        count += (int)(word >> bit & 1);
    return count;
}

/* Probes, sets and all their distances, for one width. */
typedef struct subject {
    uint32_t bits, stride;
    uint64_t *probes; /* row after row */
    uint64_t *strip;  /* transposed */
    int64_t *limits, *slack;
    uint64_t *hits; /* and a probe more, which is nobody's */
    int distance[AKIN_SCREEN_PROBES][SETS_MOST];
} subject;

/* Signatures around a few centres, so that there are pairs at any distance; some are a probe, or what it is not. */
static void fill(subject *s)
{
    uint64_t centre[WORDS_MOST], set[WORDS_MOST];
    for (uint32_t w = 0; w < s->stride; w++)
        centre[w] = akin_random_next(&source);
    for (uint32_t p = 0; p < AKIN_SCREEN_PROBES; p++) {
        memcpy(s->probes + p * s->stride, centre, s->stride * sizeof *centre);
        for (uint64_t flips = below(s->bits); flips; flips--) {
            uint64_t bit = below(s->bits);
            s->probes[p * s->stride + bit / 64] ^= UINT64_C(1) << bit % 64;
        }
    }
    for (uint32_t i = 0; i < SETS_MOST; i++) {
        uint32_t kind = i % 5, p = (uint32_t)below(AKIN_SCREEN_PROBES);
        memcpy(set, kind == 2 ? centre : s->probes + p * s->stride, s->stride * sizeof *set);
        for (uint32_t w = 0; kind == 1 && w < s->stride; w++)
            set[w] = ~set[w];
        for (uint64_t flips = kind < 2 ? 0 : below(s->bits); flips; flips--) {
            uint64_t bit = below(s->bits);
            set[bit / 64] ^= UINT64_C(1) << bit % 64;
        }
        for (uint32_t w = 0; w < s->stride; w++)
            s->strip[(i / 8 * s->stride + w) * 8 + i % 8] = set[w];
        for (p = 0; p < AKIN_SCREEN_PROBES; p++) {
            s->distance[p][i] = 0;
            for (uint32_t w = 0; w < s->stride; w++)
                s->distance[p][i] += count_bits(s->probes[p * s->stride + w] ^ set[w]);
        }
    }
}

static subject *make(uint32_t bits)
{
    subject *s = akin_alloc_zero(NULL, 1, sizeof *s);
    assert_non_null(s);
    s->bits = bits;
    s->stride = bits / 64;
    s->probes = akin_alloc(NULL, AKIN_SCREEN_PROBES * s->stride, sizeof *s->probes);
    s->strip = akin_alloc(NULL, SETS_MOST * s->stride, sizeof *s->strip);
    s->limits = akin_alloc(NULL, AKIN_SCREEN_PROBES, sizeof *s->limits);
    s->slack = akin_alloc(NULL, SETS_MOST, sizeof *s->slack);
    s->hits = akin_alloc(NULL, HITS + AKIN_SCREEN_WORDS, sizeof *s->hits);
    assert_true(s->probes && s->strip && s->limits && s->slack && s->hits);
    fill(s);
    return s;
}

static void unmake(subject *s)
{
    akin_free(s->probes);
    akin_free(s->strip);
    akin_free(s->limits);
    akin_free(s->slack);
    akin_free(s->hits);
    akin_free(s);
}

/* Limits and slack whose sums are on the edge for some pair or far off to either side, and never overflow. */
static void draw_limits(subject *s)
{
    static const int64_t odd[] = {0,
                                  -1,
                                  1,
                                  -5000,
                                  INT64_C(1) << 31,
                                  INT64_C(1) << 33,
                                  INT64_MIN / 2,
                                  INT64_MAX / 2,
                                  INT32_MIN,
                                  INT32_MAX,
                                  -(INT64_C(1) << 33)};
    for (uint32_t i = 0; i < SETS_MOST; i++)
        s->slack[i] = below(16) ? (int64_t)below(400) - 200 : odd[below(sizeof odd / sizeof *odd)];
    for (uint32_t p = 0; p < AKIN_SCREEN_PROBES; p++)
        s->limits[p] =
            below(8) ? s->distance[p][below(SETS_MOST)] + (int64_t)below(3) - 1 : odd[below(sizeof odd / sizeof *odd)];
}

/* The hits of a word's 64 sets, as far as there are such. */
static uint64_t plain_hits(const subject *s, uint32_t p, uint32_t word, uint32_t groups, int with_slack)
{
    uint64_t hits = 0;
    for (uint32_t i = word * 64; i < word * 64 + 64 && i < groups * AKIN_SCREEN_GROUP; i++)
        if (s->distance[p][i] < s->limits[p] + (with_slack ? s->slack[i] : 0))
            hits |= UINT64_C(1) << i % 64;
    return hits;
}

/* Runs a screen, or (given the hits before) a refinement, and compares its hits with plain ones. */
static void check(subject *s, akin_screen screen, uint32_t probes, uint32_t groups, int with_slack,
                  const uint64_t *before)
{
    akin_screen_block block = {s->probes, probes, s->strip, groups, s->limits, with_slack ? s->slack : NULL, s->hits};
    memset(s->hits, 0xff, (HITS + AKIN_SCREEN_WORDS) * sizeof *s->hits);
    if (before)
        memcpy(s->hits, before, probes * AKIN_SCREEN_WORDS * sizeof *s->hits);
    screen(&block);
    for (uint32_t p = 0; p < probes; p++)
        for (uint32_t word = 0; word < AKIN_SCREEN_WORDS; word++) {
            uint32_t at = p * AKIN_SCREEN_WORDS + word;
            if (s->hits[at] != (plain_hits(s, p, word, groups, with_slack) & (before ? before[at] : UINT64_MAX)))
                fail_msg("%u bits, %u probes, %u groups, %s slack: word %u of probe %u", s->bits, probes, groups,
                         with_slack ? "with" : "without", word, p);
        }
    for (uint32_t i = probes * AKIN_SCREEN_WORDS; i < HITS + AKIN_SCREEN_WORDS; i++)
        assert_true(s->hits[i] == UINT64_MAX);
}

/* Hits of a narrower screen: from none through a few to all, within the groups. */
static void draw_hits(uint64_t *hits, uint32_t groups)
{
    uint64_t kind = below(4);
    for (uint32_t i = 0; i < HITS; i++) {
        uint32_t word = i % AKIN_SCREEN_WORDS, sets = groups * AKIN_SCREEN_GROUP;
        uint64_t some = akin_random_next(&source), there = 0;
        if (sets > word * 64)
            there = sets - word * 64 < 64 ? (UINT64_C(1) << (sets - word * 64)) - 1 : UINT64_MAX;
        if (kind == 0)
            some &= akin_random_next(&source) & akin_random_next(&source) & akin_random_next(&source);
        hits[i] = kind == 1 ? there : kind == 2 && below(4) ? 0 : some & there;
    }
}

static void every_level_and_width(void **state)
{
    (void)state;
    static const uint32_t probe_counts[] = {0, 1, 2, 3, 8, 17, AKIN_SCREEN_PROBES - 1, AKIN_SCREEN_PROBES};
    static const uint32_t group_counts[] = {0, 1, 2, 3, 4, 7, 8, 9, 33, AKIN_SCREEN_STRIP - 1, AKIN_SCREEN_STRIP};
    for (uint32_t bits = 64; bits <= 2048; bits *= 2) {
        subject *s = make(bits);
        for (int level = AKIN_CPU_SCALAR; level <= (int)akin_cpu_detect(); level++) {
            akin_screen screen = akin_screen_choose((akin_cpu)level, bits);
            akin_screen refine = akin_refine_choose((akin_cpu)level, bits);
            uint64_t before[HITS];
            assert_true(screen && refine);
            for (size_t p = 0; p < sizeof probe_counts / sizeof *probe_counts; p++)
                for (size_t g = 0; g < sizeof group_counts / sizeof *group_counts; g++) {
                    draw_limits(s);
                    draw_hits(before, group_counts[g]);
                    for (int with_slack = 0; with_slack < 2; with_slack++) {
                        check(s, screen, probe_counts[p], group_counts[g], with_slack, NULL);
                        check(s, refine, probe_counts[p], group_counts[g], with_slack, before);
                    }
                }
        }
        unmake(s);
    }
}

/* All pairs hit, or none, whatever the distances. */
static void limits_beyond_all_distances(void **state)
{
    (void)state;
    static const int64_t limits[] = {INT64_MIN, INT64_MIN / 2, -1, 0, 2049, INT64_MAX / 2, INT64_MAX};
    for (uint32_t bits = 64; bits <= 2048; bits *= 2) {
        subject *s = make(bits);
        for (int level = AKIN_CPU_SCALAR; level <= (int)akin_cpu_detect(); level++)
            for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
                for (uint32_t p = 0; p < AKIN_SCREEN_PROBES; p++)
                    s->limits[p] = limits[k];
                check(s, akin_screen_choose((akin_cpu)level, bits), 9, AKIN_SCREEN_STRIP, 0, NULL);
                for (uint32_t w = 0; w < 9 * AKIN_SCREEN_WORDS; w++)
                    assert_true(s->hits[w] == (limits[k] > 0 ? UINT64_MAX : 0));
            }
        unmake(s);
    }
}

static void hamming_distances(void **state)
{
    (void)state;
    uint64_t a[WORDS_MOST + 1], b[WORDS_MOST + 1];
    for (int level = AKIN_CPU_SCALAR; level <= (int)akin_cpu_detect(); level++) {
        akin_hamming hamming = akin_hamming_choose((akin_cpu)level);
        assert_non_null(hamming);
        for (uint32_t stride = 1; stride <= WORDS_MOST; stride *= 2)
            for (int round = 0; round < 100; round++) {
                uint32_t at = (uint32_t)below(2); /* rows of signatures need not begin at a multiple of 64 bytes */
                uint32_t expected = 0;
                for (uint32_t w = 0; w < stride; w++) {
                    a[at + w] = akin_random_next(&source);
                    b[w] = round == 0 ? a[at + w] : round == 1 ? ~a[at + w] : akin_random_next(&source);
                    expected += (uint32_t)count_bits(a[at + w] ^ b[w]);
                }
                assert_int_equal(hamming(a + at, b, stride), expected);
                assert_int_equal(hamming(b, a + at, stride), expected);
                assert_true(round > 1 || expected == (round == 0 ? 0 : 64 * stride));
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_and_width),
        cmocka_unit_test(limits_beyond_all_distances),
        cmocka_unit_test(hamming_distances),
    };
    akin_random_seed(&source, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
