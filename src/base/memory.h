/* Checked, accounted allocation: every block of the library is 64-byte aligned and knows its size and its account. */
#ifndef AKIN_BASE_MEMORY_H
#define AKIN_BASE_MEMORY_H

#include "akin.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes that a job holds now and held at most, as requested (the system may spend more on them). Zero-initialised,
 * except for the limit. It must outlive the blocks charged to it. */
typedef struct akin_account {
    _Atomic uint64_t held;
    _Atomic uint64_t peak;
    uint64_t limit;           /* what it may hold: an allocation that would take it beyond fails; 0: any number */
    uint64_t ceiling;         /* the same where there is no limit, but jobs do not plan by it; 0: any number */
    _Atomic uint64_t refused; /* how often one did */
} akin_account;

/*
 * Allocates count * size bytes, 64-byte aligned, charged to account (NULL: to none). Returns NULL when memory is
 * short, the account's limit is reached, or the product overflows. A count or size of 0 gives a valid block of no
 * bytes. akin_alloc_zero clears the block.
 *
 *     | size, account (64 bytes) | the block ...
 */
void *akin_alloc(akin_account *account, uint64_t count, size_t size);
void *akin_alloc_zero(akin_account *account, uint64_t count, size_t size);

/* Resizes a block to count * size bytes, keeping what fits and its account; block NULL allocates. On failure returns
 * NULL and the old block stays. */
void *akin_resize(akin_account *account, void *block, uint64_t count, size_t size);

/* Frees a block; NULL is allowed. */
void akin_free(void *block);

/* Reserves bytes of an account, for what another account is charged with: 0 if that is beyond the limit. They are not a
 * part of the peak. The caller releases them. */
int akin_account_reserve(akin_account *account, uint64_t bytes);
void akin_account_release(akin_account *account, uint64_t bytes);

/* Whether an account's limit was the reason of a failure, since it had refused that often. */
static inline int akin_account_is_short(const akin_account *account, akin_status status, uint64_t refusals)
{
    return status == AKIN_E_NOMEM && account->refused != refusals;
}

/* Makes room for `needed` entries of `size` bytes each in a block with room for *capacity of them (NULL: none). Returns
 * the block, which is larger by half at least if it had to grow, and sets *capacity. On failure it returns NULL, and
 * the old block stays. */
static inline void *akin_enlarge(akin_account *account, void *block, uint64_t *capacity, uint64_t needed, size_t size)
{
    if (block && needed <= *capacity)
        return block;
    uint64_t larger = *capacity + *capacity / 2;
    larger = larger < needed ? needed : larger;
    void *moved = akin_resize(account, block, larger, size);
    if (moved)
        *capacity = larger;
    return moved;
}

#endif
