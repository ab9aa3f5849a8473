/*
 * Puts the tokens of sets in order. Of a few tokens each is counted against all: how many are less is its place. That
 * is quadratic, and yet nothing beats it up to some dozens, as a vector compares 16 of them with one at once and there
 * is no branch to mispredict. More of them are sorted by radix.
 */
#include "sets/order.h"

#include <string.h>

#define LANES      16
#define DIGIT_BITS 8
#define BUCKETS    (1u << DIGIT_BITS)

_Static_assert(LANES <= AKIN_ORDER_PADDING, "what is behind the tokens may be read as a vector");

/* Compilers make of this what the CPU has: one vector, or two or four. */
typedef int32_t lanes __attribute__((vector_size(LANES * sizeof(int32_t))));

/* For tokens below 2^31, as there are only signed comparisons of vectors. */
__attribute__((always_inline)) static inline void order_few(const uint32_t *from, uint32_t *to, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += LANES) {
        lanes some, less = {0};
        int32_t places[LANES];
        memcpy(&some, from + first, sizeof some);
        for (uint32_t i = 0; i < count; i++)
            less -= some > (int32_t)from[i]; /* true is -1 */
        memcpy(places, &less, sizeof less);
        for (uint32_t i = 0; i < LANES && first + i < count; i++)
            to[places[i]] = from[first + i];
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

/* All sets, those of up to `few` tokens by counting. */
__attribute__((always_inline)) static inline void order_all(const uint32_t *numbers, const uint32_t *sizes,
                                                            uint32_t sets, const uint32_t *tokens, int bits,
                                                            uint32_t *scratch, uint32_t *to, uint32_t few)
{
    for (uint32_t set = 0; set < sets; set++) {
        uint32_t size = sizes[set];
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

/* How many are few was measured: where counting and radix take the same time. */
static void order_plain(const uint32_t *numbers, const uint32_t *sizes, uint32_t sets, const uint32_t *tokens, int bits,
                        uint32_t *scratch, uint32_t *to)
{
    order_all(numbers, sizes, sets, tokens, bits, scratch, to, bits < 32 ? 48 : 0);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void order_avx2(const uint32_t *numbers, const uint32_t *sizes, uint32_t sets,
                                                       const uint32_t *tokens, int bits, uint32_t *scratch,
                                                       uint32_t *to)
{
    order_all(numbers, sizes, sets, tokens, bits, scratch, to, bits < 32 ? 96 : 0);
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) static void
order_avx512(const uint32_t *numbers, const uint32_t *sizes, uint32_t sets, const uint32_t *tokens, int bits,
             uint32_t *scratch, uint32_t *to)
{
    order_all(numbers, sizes, sets, tokens, bits, scratch, to, bits < 32 ? 128 : 0);
}
#endif

void akin_order_sets(akin_cpu cpu, const uint32_t *numbers, const uint32_t *sizes, uint32_t sets,
                     const uint32_t *tokens, int bits, uint32_t *scratch, uint32_t *to)
{
#if defined(__x86_64__)
    if (cpu >= AKIN_CPU_AVX512) {
        order_avx512(numbers, sizes, sets, tokens, bits, scratch, to);
        return;
    }
    if (cpu >= AKIN_CPU_AVX2) {
        order_avx2(numbers, sizes, sets, tokens, bits, scratch, to);
        return;
    }
#endif
    (void)cpu;
    order_plain(numbers, sizes, sets, tokens, bits, scratch, to);
}
