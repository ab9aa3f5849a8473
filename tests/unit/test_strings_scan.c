/* The bags that pass a screen, and the candidates among their strings: each SIMD level against a plain loop. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "base/random.h"
#include "strings/scan.h"

#include <string.h>

#define STRINGS 4096
#define ROOM    (STRINGS + 16)

/* What is passed in, and what comes out. */
typedef struct passing {
    uint32_t places[STRINGS], apart[STRINGS], heads[2 * STRINGS];
    akin_scan_limits limits;
    uint32_t place[ROOM], runs[ROOM], lengths[ROOM], bound[ROOM];
    uint64_t at[ROOM];
    uint8_t prefix[ROOM];
    float rest[ROOM];
} passing;

static passing drawn, expected;

/* Strings at rising places, whose heads have some first symbols in common with that of the query. */
static void draw(akin_random *random, uint32_t count, uint32_t head)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < count; i++) {
        place += i > 0;
        place += place + 1 < 2 * STRINGS - (count - i) ? (uint32_t)akin_random_below(random, 2) : 0;
        drawn.places[i] = place;
        drawn.apart[i] = (uint32_t)akin_random_below(random, 12);
    }
    for (uint32_t i = 0; i < 2 * STRINGS; i++) {
        const uint32_t equal = (uint32_t)akin_random_below(random, 5);
        const uint32_t other = head ^ (equal < 4 ? UINT32_C(0x81) << (24 - 8 * equal) : 0);
        drawn.heads[i] = other;
    }
    for (uint32_t p = 0; p < AKIN_PREFIXES; p++) {
        drawn.limits.apart[p] = akin_random_below(random, 4) == 0 ? -1 : (int64_t)akin_random_below(random, 12);
        drawn.limits.bound[p] = (uint32_t)akin_random_below(random, 1000);
        drawn.limits.rest[p] = (double)akin_random_below(random, 1000) / 7;
    }
    if (akin_random_below(random, 3) == 0)
        drawn.limits.apart[0] = INT32_MAX;
}

/* How many first bytes, from the upper one on, two heads have in common. */
static uint32_t equal_bytes(uint32_t a, uint32_t b)
{
    uint32_t equal = 0;
    while (equal < 4 && a >> (24 - 8 * equal) == b >> (24 - 8 * equal))
        equal++;
    return equal;
}

static uint32_t sift_plainly(const akin_scan_passed *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t prefix = p->by_prefix ? equal_bytes(p->heads[p->places[i]], p->head) : 0;
        if (p->apart && (int64_t)p->apart[i] > p->limits->apart[prefix])
            continue;
        expected.place[count] = p->first + p->places[i];
        expected.prefix[count] = (uint8_t)prefix;
        expected.bound[count] = p->limits->bound[prefix];
        expected.rest[count] = (float)p->limits->rest[prefix];
        expected.at[count] = p->origin + (uint64_t)(p->first + p->places[i]) * p->length;
        count++;
    }
    return count;
}

static void check_sift(akin_scan_sift sift, const akin_scan_passed *p)
{
    const uint32_t count = sift_plainly(p);
    assert_int_equal(sift(p), count);
    assert_memory_equal(p->place, expected.place, count * sizeof *p->place);
    assert_memory_equal(p->prefix, expected.prefix, count);
    assert_memory_equal(p->bound, expected.bound, count * sizeof *p->bound);
    assert_memory_equal(p->rest, expected.rest, count * sizeof *p->rest);
    assert_memory_equal(p->at, expected.at, count * sizeof *p->at);
    for (uint32_t i = 0; i < count; i++)
        assert_true(p->runs[i] == p->run && p->lengths[i] == p->length);
}

static void candidates_are_those_of_a_loop(void **state)
{
    static const uint32_t counts[] = {0, 1, 15, 16, 17, 31, 100, STRINGS};
    akin_random random;
    uint64_t kept = 0;
    (void)state;
    akin_random_seed(&random, 21);
    for (int round = 0; round < 40; round++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int way = 0; way < 4; way++) {
                const uint32_t head = UINT32_C(0x61626364) + (uint32_t)akin_random_below(&random, 5);
                draw(&random, counts[c], head);
                const akin_scan_passed passed = {.places = drawn.places,
                                                 .apart = way & 1 ? drawn.apart : NULL,
                                                 .heads = drawn.heads,
                                                 .count = counts[c],
                                                 .first =
                                                     round % 2 ? (uint32_t)akin_random_below(&random, 1u << 31) : 0,
                                                 .head = head,
                                                 .by_prefix = way >> 1,
                                                 .limits = &drawn.limits,
                                                 .run = (uint32_t)round,
                                                 .length = (uint32_t)akin_random_below(&random, 70000),
                                                 .origin = 0 - akin_random_below(&random, UINT64_C(1) << 40),
                                                 .place = drawn.place,
                                                 .runs = drawn.runs,
                                                 .lengths = drawn.lengths,
                                                 .bound = drawn.bound,
                                                 .at = drawn.at,
                                                 .prefix = drawn.prefix,
                                                 .rest = drawn.rest};
                for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++)
                    check_sift(akin_scan_sift_choose(cpu), &passed);
                kept += sift_plainly(&passed);
            }
    assert_true(kept > 1000);
}

#define BAGS 300

typedef struct bags {
    uint64_t words[AKIN_BAG_WORDS][BAGS];
    uint32_t heads[BAGS], passed[BAGS + 16];
    akin_bag_strip strip;
    akin_bag_query query;
} bags;

/* A word with few bits, many, none or all. */
static uint64_t draw_word(akin_random *random, uint32_t kind)
{
    const uint64_t word = akin_random_below(random, UINT64_MAX), other = akin_random_below(random, UINT64_MAX);
    return kind == 0 ? word & other : kind == 1 ? word | other : kind == 2 ? 0 : ~UINT64_C(0);
}

/* Bags like that of the query, and others; limits of all sizes, the largest ones too. */
static void draw_bags(akin_random *random, bags *b)
{
    const uint32_t kind = (uint32_t)akin_random_below(random, 4);
    const int64_t limit = (int64_t)akin_random_below(random, AKIN_BAG_BITS + 2) - 1;
    b->strip = (akin_bag_strip){.heads = b->heads, .count = (uint32_t)akin_random_below(random, BAGS + 1)};
    b->query.head = UINT32_C(0x61626364);
    b->query.by_prefix = akin_random_below(random, 2) != 0;
    for (uint32_t p = 0; p < AKIN_PREFIXES; p++) {
        const int64_t more = limit + (b->query.by_prefix ? (int64_t)akin_random_below(random, 9) - 4 : 0);
        b->query.limit[p] = more < -1 ? -1 : more > AKIN_BAG_BITS ? AKIN_BAG_BITS : more;
    }
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++) {
        b->strip.bags[w] = b->words[w];
        b->query.bag.words[w] = draw_word(random, kind);
    }
    for (uint32_t i = 0; i < b->strip.count; i++) {
        const uint32_t own = (uint32_t)akin_random_below(random, 6), equal = (uint32_t)akin_random_below(random, 5);
        b->heads[i] = b->query.head ^ (equal < 4 ? UINT32_C(0x81) << (24 - 8 * equal) : 0);
        for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
            b->words[w][i] = own < 4
                                 ? draw_word(random, own)
                                 : b->query.bag.words[w] ^ (draw_word(random, 0) & draw_word(random, own == 4 ? 0 : 3));
    }
}

static void bags_are_those_of_a_loop(void **state)
{
    static bags b;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 22);
    for (uint32_t round = 0; round < 2000; round++) {
        draw_bags(&random, &b);
        for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++) {
            const uint32_t count = akin_bag_screen_choose(cpu)(&b.strip, &b.query, b.passed);
            uint32_t at = 0;
            for (uint32_t i = 0; i < b.strip.count; i++) {
                uint32_t apart = 0;
                for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
                    apart += (uint32_t)__builtin_popcountll(b.words[w][i] ^ b.query.bag.words[w]);
                const uint32_t prefix = b.query.by_prefix ? equal_bytes(b.heads[i], b.query.head) : 0;
                if ((int64_t)apart > b.query.limit[prefix])
                    continue;
                assert_true(at < count && b.passed[at] == i);
                at++;
            }
            assert_int_equal(at, count);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(candidates_are_those_of_a_loop),
                                       cmocka_unit_test(bags_are_those_of_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
