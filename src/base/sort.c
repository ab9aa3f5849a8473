/* Sorting of integers: introsort by comparison, and radix sort for many keys. */
#include "base/sort.h"

#include <string.h>

#define INSERTION_MOST 16

#define KEY     uint32_t
#define NAME(x) x##_u32
#include "base/sort_keys.h"
#undef KEY
#undef NAME

#define KEY     uint64_t
#define NAME(x) x##_u64
#include "base/sort_keys.h"
#undef KEY
#undef NAME

#define KEY     akin_u128
#define NAME(x) x##_u128
#include "base/sort_keys.h"
#undef KEY
#undef NAME

void akin_sort_u32(uint32_t *keys, size_t count)
{
    sort_u32(keys, count);
}

void akin_sort_u64(uint64_t *keys, size_t count)
{
    sort_u64(keys, count);
}

void akin_sort_u128(akin_u128 *keys, size_t count)
{
    sort_u128(keys, count);
}

#define DIGIT_BITS  11
#define BUCKETS     ((size_t)1 << DIGIT_BITS)
#define RADIX_LEAST 2048 /* fewer keys are sorted faster by comparison */

/* Sorts by the digit that begins at bit `shift`; keys with the same digit keep their order. */
static void scatter(const uint64_t *from, uint64_t *to, size_t count, int shift)
{
    size_t places[BUCKETS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        places[from[i] >> shift & (BUCKETS - 1)]++;
    for (size_t b = 0; b < BUCKETS; b++) {
        size_t here = places[b];
        places[b] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[places[from[i] >> shift & (BUCKETS - 1)]++] = from[i];
}

void akin_radix_sort_upper_u64(uint64_t *keys, uint64_t *scratch, size_t count, int low)
{
    uint64_t differing = 0, *from = keys, *to = scratch;
    for (size_t i = 1; i < count; i++)
        differing |= keys[i] ^ keys[0];
    for (int shift = low; shift < 64 && differing >> shift;) {
        if ((differing >> shift & 1) == 0) { /* a digit begins at a bit that matters */
            shift++;
            continue;
        }
        scatter(from, to, count, shift);
        shift += DIGIT_BITS;
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
}

void akin_radix_sort_u64(uint64_t *keys, uint64_t *scratch, size_t count)
{
    if (count < RADIX_LEAST)
        sort_u64(keys, count);
    else
        akin_radix_sort_upper_u64(keys, scratch, count, 0);
}
