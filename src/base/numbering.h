/* Numbers items by what they have: equal ones have one number, in the order of the first item of each. */
#ifndef AKIN_BASE_NUMBERING_H
#define AKIN_BASE_NUMBERING_H

#include "base/memory.h"
#include "base/scope.h"

#include <string.h>

#define AKIN_NUMBER_NONE UINT32_MAX

/* The bit of a hash that is exact: items that have equal hashes with this bit are equal. No look at the items is needed
 * then, which would bring them from memory. */
#define AKIN_HASH_EXACT (UINT64_C(1) << 32)

/* An exact hash of a number below 2^63: its 63 other bits are a one-to-one function of the number, which the seed
 * chooses. */
static inline uint64_t akin_hash_exact_number(uint64_t x, uint64_t seed)
{
    const uint64_t all = ~UINT64_C(0) >> 1;
    x = ((x ^ seed) & all) * UINT64_C(0x9e3779b97f4a7c15) & all;
    x = ((x ^ x >> 31) * UINT64_C(0xd6e8feb86659fd93) + seed) & all;
    x = ((x ^ x >> 32) * UINT64_C(0xff51afd7ed558ccd)) & all;
    x ^= x >> 29;
    return x >> 32 << 33 | AKIN_HASH_EXACT | (uint32_t)x;
}

/* An exact hash of the 0 to 7 bytes of a string: bytes and length fit 59 bits. */
static inline uint64_t akin_hash_exact(const char *bytes, uint64_t length, uint64_t seed)
{
    uint64_t x = 0;
    if (length > 0)
        memcpy(&x, bytes, length);
    return akin_hash_exact_number(x ^ length << 56, seed);
}
#define AKIN_HASH_EXACT_MOST 7 /* bytes */

/* Items 0 to count - 1. Threads call the functions at once. */
typedef struct akin_numbered {
    const void *items;
    uint32_t count;

    /* Makes the hashes of items first to end - 1, with AKIN_HASH_EXACT where that holds. of[item] becomes
     * AKIN_NUMBER_NONE if an item has nothing, else 0. */
    void (*hash)(const void *items, uint64_t seed, uint32_t first, uint32_t end, uint64_t *hashes, uint32_t *of);

    /* Whether two items, whose hashes are equal, are equal. */
    int (*same)(const void *items, uint32_t a, uint32_t b);

    /* Prefetches what `same` will read of an item: first where it is, and then, with `is_near`, the item itself. NULL:
     * it reads little. */
    void (*fetch)(const void *items, uint32_t item, int is_near);
} akin_numbered;

/* The numbers of items. */
typedef struct akin_numbers {
    uint32_t *of;    /* of each item its number, or AKIN_NUMBER_NONE; room of the caller */
    uint32_t *first; /* of each number the first item that has it; to be freed */
    uint32_t count;
} akin_numbers;

/* Fills `numbers`, by all threads. `what` is for messages. Errors: AKIN_E_NOMEM, AKIN_E_IO (a
 * temporary file, under a memory bound), AKIN_E_CANCELLED. */
akin_status akin_number_items(const akin_scope *scope, akin_account *account, const akin_numbered *numbered,
                              const char *what, akin_numbers *numbers, akin_error *error);

#endif
