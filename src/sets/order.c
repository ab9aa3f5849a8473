/*
 * Puts the tokens of sets in order. Of a few tokens each is counted against all: how many are less is its place. That
 * is quadratic, and yet nothing beats it up to some dozens, as a vector compares many of them with one at once and
 * there is no branch to mispredict; where registers hold them all, a network takes fewer instructions. More of them are
 * sorted by radix.
 */
#include "sets/order.h"

#include <string.h>

#define LANES   4
#define NAME(x) x##_4
#include "sets/order_few.h"
#undef LANES
#undef NAME

#if defined(__x86_64__)
#define LANES   8
#define NAME(x) x##_8
#include "sets/order_few.h"
#undef LANES
#undef NAME
#include "sets/order_avx512.h"
#endif

/* Beyond these radix is faster, as measured. Counting with vectors of 16 gains nothing over those of 8. */
#define FEW_4 48
#define FEW_8 AKIN_ORDER_FEW

#define DIGIT_BITS 8
#define BUCKETS    (1u << DIGIT_BITS)

static void order_many(uint32_t *from, uint32_t *to, uint32_t count, int bits)
{
    if ((bits + DIGIT_BITS - 1) / DIGIT_BITS % 2 == 0) { /* so that the last pass ends in `to` */
        memcpy(to, from, count * sizeof *to);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t places[BUCKETS] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; i++)
            places[from[i] >> shift & (BUCKETS - 1)]++;
        for (uint32_t b = 0; b < BUCKETS; b++) {
            uint32_t here = places[b];
            places[b] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++)
            to[places[from[i] >> shift & (BUCKETS - 1)]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
}

typedef void (*sorter)(const uint32_t *from, uint32_t *to, uint32_t count);

/* Sets of up to `few` tokens by `order_few`, the others by radix. Compiled once for each, so that it is part of the
 * loop. */
__attribute__((always_inline)) static inline void order_all(const uint32_t *numbers, const uint32_t *sizes,
                                                            uint32_t sets, const uint32_t *tokens, int bits,
                                                            uint32_t *scratch, uint32_t *to, uint32_t few,
                                                            sorter order_few)
{
    few = bits < 32 ? few : 0;
    for (uint32_t set = 0; set < sets; set++) {
        uint32_t size = sizes[set];
        if (size == 0)
            continue; /* where all sets are empty there are no arrays */
        for (uint32_t i = 0; i < size; i++)
            scratch[i] = tokens[numbers[i]];
        if (size <= few)
            order_few(scratch, to, size);
        else
            order_many(scratch, to, size, bits);
        numbers += size;
        to += size;
    }
}

static int rise(const uint32_t *from, uint32_t count)
{
    uint32_t i = 1;
    while (i < count && from[i - 1] < from[i])
        i++;
    return i >= count;
}

/* The same for sets of one size. Large ones that are in order already, which is soon seen, are copied. */
__attribute__((always_inline)) static inline void order_equal(uint32_t *from, uint32_t sets, uint32_t size, int bits,
                                                              uint32_t *to, uint32_t few, sorter order_few)
{
    few = bits < 32 ? few : 0;
    for (uint32_t set = 0; set < sets; set++, from += size, to += size)
        if (size <= few)
            order_few(from, to, size);
        else if (rise(from, size))
            memcpy(to, from, size * sizeof *to);
        else
            order_many(from, to, size, bits);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void order_avx2(const uint32_t *numbers, const uint32_t *sizes, uint32_t sets,
                                                       const uint32_t *tokens, int bits, uint32_t *scratch,
                                                       uint32_t *to)
{
    order_all(numbers, sizes, sets, tokens, bits, scratch, to, FEW_8, order_few_8);
}

__attribute__((target("avx2"))) static void order_equal_avx2(uint32_t *from, uint32_t sets, uint32_t size, int bits,
                                                             uint32_t *to)
{
    order_equal(from, sets, size, bits, to, FEW_8, order_few_8);
}

#define TARGET __attribute__((target("avx2,avx512f")))

TARGET static void order_avx512(const uint32_t *numbers, const uint32_t *sizes, uint32_t sets, const uint32_t *tokens,
                                int bits, uint32_t *scratch, uint32_t *to)
{
    order_all(numbers, sizes, sets, tokens, bits, scratch, to, FEW_8, order_few_16);
}

TARGET static void order_equal_avx512(uint32_t *from, uint32_t sets, uint32_t size, int bits, uint32_t *to)
{
    order_equal(from, sets, size, bits, to, FEW_8, order_few_16);
}
#endif

/* On 64-bit ARM vectors of 4 are those of NEON. */
static void order_plain(const uint32_t *numbers, const uint32_t *sizes, uint32_t sets, const uint32_t *tokens, int bits,
                        uint32_t *scratch, uint32_t *to)
{
    order_all(numbers, sizes, sets, tokens, bits, scratch, to, FEW_4, order_few_4);
}

static void order_equal_plain(uint32_t *from, uint32_t sets, uint32_t size, int bits, uint32_t *to)
{
    order_equal(from, sets, size, bits, to, FEW_4, order_few_4);
}

void akin_order_sets(akin_cpu cpu, const uint32_t *numbers, const uint32_t *sizes, uint32_t sets,
                     const uint32_t *tokens, int bits, uint32_t *scratch, uint32_t *to)
{
    static void (*const by_level[])(const uint32_t *, const uint32_t *, uint32_t, const uint32_t *, int, uint32_t *,
                                    uint32_t *) = AKIN_CPU_ROW(order_plain, order_plain, order_avx2, order_avx512);
    by_level[cpu](numbers, sizes, sets, tokens, bits, scratch, to);
}

void akin_order_alike(akin_cpu cpu, uint32_t *from, uint32_t sets, uint32_t size, int bits, uint32_t *to)
{
    static void (*const by_level[])(uint32_t *, uint32_t, uint32_t, int, uint32_t *) =
        AKIN_CPU_ROW(order_equal_plain, order_equal_plain, order_equal_avx2, order_equal_avx512);
    by_level[cpu](from, sets, size, bits, to);
}
