/*
 * Puts the tokens of a set in order. Of a few tokens each is counted against all: how many are less is its place.
 * That is quadratic, and yet nothing beats it up to some dozens, as a vector compares 16 of them with one at once and
 * there is no branch to mispredict. More of them are sorted by radix.
 */
#include "sets/order.h"

#include <string.h>

#define LANES      16
#define DIGIT_BITS 8
#define BUCKETS    (1u << DIGIT_BITS)

_Static_assert(LANES <= AKIN_ORDER_PADDING, "what is behind the tokens may be read as a vector");

/* Compilers make of this what the CPU has: one vector, or two or four. */
typedef int32_t lanes __attribute__((vector_size(LANES * sizeof(int32_t))));

/* There are signed comparisons of vectors only: the sign bit is turned over on the way in and out. */
__attribute__((always_inline)) static inline void order_few(uint32_t *from, uint32_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        from[i] ^= UINT32_C(0x80000000);
    memset(from + count, 0, LANES * sizeof *from);
    for (uint32_t first = 0; first < count; first += LANES) {
        lanes some, less = {0};
        int32_t places[LANES];
        memcpy(&some, from + first, sizeof some);
        for (uint32_t i = 0; i < count; i++)
            less -= some > (int32_t)from[i]; /* true is -1 */
        memcpy(places, &less, sizeof less);
        for (uint32_t i = 0; i < LANES && first + i < count; i++)
            to[places[i]] = from[first + i] ^ UINT32_C(0x80000000);
    }
}

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

static void order_few_plain(uint32_t *from, uint32_t *to, uint32_t count)
{
    order_few(from, to, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void order_few_avx2(uint32_t *from, uint32_t *to, uint32_t count)
{
    order_few(from, to, count);
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) static void order_few_avx512(uint32_t *from, uint32_t *to,
                                                                                           uint32_t count)
{
    order_few(from, to, count);
}
#endif

void akin_order_tokens(akin_cpu cpu, uint32_t *from, uint32_t *to, uint32_t count, int bits)
{
#if defined(__x86_64__)
    if (cpu >= AKIN_CPU_AVX512 && count <= 128)
        order_few_avx512(from, to, count);
    else if (cpu >= AKIN_CPU_AVX2 && count <= 96)
        order_few_avx2(from, to, count);
    else
#endif
        if (count <= 48)
        order_few_plain(from, to, count);
    else
        order_many(from, to, count, bits);
}
