/* Sorting of integers: introsort by comparison, and radix sort for many keys. */
#include "base/sort.h"

#include "base/parallel.h"

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

/* ------------------------------------------------------------------------------------------------------- many keys */

#define STEP ((size_t)1 << 17) /* keys that are gone through, or sorted, before the caller is asked */

/* Whether to go on; nobody to be asked: yes. */
static int goes_on(struct akin_cancellation *cancellation)
{
    return !cancellation || akin_goes_on(cancellation);
}

#define KEY     uint64_t
#define NAME(x) x##_u64
#include "base/sort_long.h"
#undef KEY
#undef NAME

#define KEY     akin_u128
#define NAME(x) x##_u128
#include "base/sort_long.h"
#undef KEY
#undef NAME

int akin_sort_long_u64(uint64_t *keys, size_t count, struct akin_cancellation *cancellation)
{
    return sort_long_u64(keys, count, cancellation);
}

int akin_sort_long_u128(akin_u128 *keys, size_t count, struct akin_cancellation *cancellation)
{
    return sort_long_u128(keys, count, cancellation);
}

/* ------------------------------------------------------------------------------------------------------------ radix */

#define DIGIT_BITS  11
#define BUCKETS     ((size_t)1 << DIGIT_BITS)
#define RADIX_LEAST 2048 /* fewer keys are sorted faster by comparison */

/* Sorts by the digit that begins at bit `shift`; keys with the same digit keep their order. */
static int scatter(const uint64_t *from, uint64_t *to, size_t count, int shift, struct akin_cancellation *cancellation)
{
    size_t places[BUCKETS] = {0}, sum = 0;
    for (size_t i = 0; i < count;) {
        if (!goes_on(cancellation))
            return 0;
        for (const size_t end = count - i < STEP ? count : i + STEP; i < end; i++)
            places[from[i] >> shift & (BUCKETS - 1)]++;
    }
    for (size_t b = 0; b < BUCKETS; b++) {
        size_t here = places[b];
        places[b] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count;) {
        if (!goes_on(cancellation))
            return 0;
        for (const size_t end = count - i < STEP ? count : i + STEP; i < end; i++)
            to[places[from[i] >> shift & (BUCKETS - 1)]++] = from[i];
    }
    return 1;
}

int akin_radix_sort_long_u64(uint64_t *keys, uint64_t *scratch, size_t count, int low,
                             struct akin_cancellation *cancellation)
{
    uint64_t differing = 0, *from = keys, *to = scratch;
    for (size_t i = 1; i < count; i++)
        differing |= keys[i] ^ keys[0];
    for (int shift = low; shift < 64 && differing >> shift;) {
        if ((differing >> shift & 1) == 0) { /* a digit begins at a bit that matters */
            shift++;
            continue;
        }
        if (!scatter(from, to, count, shift, cancellation))
            return 0;
        shift += DIGIT_BITS;
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < count && from != keys; i += STEP) {
        if (!goes_on(cancellation))
            return 0;
        memcpy(keys + i, from + i, (count - i < STEP ? count - i : STEP) * sizeof *keys);
    }
    return 1;
}

void akin_radix_sort_upper_u64(uint64_t *keys, uint64_t *scratch, size_t count, int low)
{
    akin_radix_sort_long_u64(keys, scratch, count, low, NULL);
}

void akin_radix_sort_u64(uint64_t *keys, uint64_t *scratch, size_t count)
{
    if (count < RADIX_LEAST)
        sort_u64(keys, count);
    else
        akin_radix_sort_upper_u64(keys, scratch, count, 0);
}
