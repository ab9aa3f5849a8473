/*
 * Which hashes several documents of a few have, about: two bits for each slot, which hashes may share.
 *
 *     hash --> slot    00: no document has it     01: one has     11: several have, or hashes of one slot
 *
 * Threads add at once.
 */
#ifndef AKIN_CORPUS_SHARED_HASHES_H
#define AKIN_CORPUS_SHARED_HASHES_H

#include "base/memory.h"

#include <stdatomic.h>

typedef struct akin_shared_hashes {
    akin_account *account; /* charged for all of it; NULL: none */
    _Atomic uint64_t *words;
    uint64_t capacity, word_count; /* a power of two */
} akin_shared_hashes;

/* Zeros, and perhaps an account, are an empty one, which begin makes ready for that many hashes: none is there. Errors,
 * without a message: AKIN_E_NOMEM. */
akin_status akin_shared_hashes_begin(akin_shared_hashes *shared, uint64_t count);
void akin_shared_hashes_clear(akin_shared_hashes *shared);

/* Adds the hashes of a document, each once. */
void akin_shared_hashes_add(akin_shared_hashes *shared, const uint64_t *hashes, uint32_t count);

/* Whether several documents may have a hash. */
int akin_shared_hashes_has(const akin_shared_hashes *shared, uint64_t hash);

#endif
