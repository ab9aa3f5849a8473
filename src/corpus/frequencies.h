/*
 * About how often a hash is in documents: counters of 4 bits that stop at 15, which hashes share.
 *
 *     hash --> slot    a byte has two counters: [ 3 | 15 ]
 *
 * A count is never below the smaller one of 15 and the number of documents with the hash. So a hash with a count of 1
 * is in one document. Threads add at once, and the counters depend on the hashes alone, not on their order.
 *
 * Under a memory bound there are fewer counters than hashes. If all hashes shared them, hardly any count would be 1. So
 * only a part of the hashes is counted, one for each counter, and the count of all others is 15. With r hashes for a
 * counter, a part p of them leaves about p * exp(-p r) of the hashes with a count of 1: most for p = 1 / r.
 */
#ifndef AKIN_CORPUS_FREQUENCIES_H
#define AKIN_CORPUS_FREQUENCIES_H

#include "base/memory.h"
#include "corpus/hash_places.h"

#include <stdatomic.h>

typedef struct akin_frequencies {
    _Atomic uint8_t *counters;
    uint64_t slots;
    uint64_t counted; /* hashes that mix to less are counted, of 2^32 */
} akin_frequencies;

/* The bytes of counters for about that many hashes, of which there may be `most`. */
uint64_t akin_frequencies_bytes(uint64_t hashes, uint64_t most);

/* Makes counters for about that many hashes, two for each, but not more than `most` bytes of them. If there is less
 * than one for each, some hashes are not counted. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_frequencies_make(akin_account *account, uint64_t hashes, uint64_t most, akin_frequencies *out);
void akin_frequencies_clear(akin_frequencies *frequencies);

/* Sets all counts to zero. */
void akin_frequencies_forget(akin_frequencies *frequencies);

/* Counts each hash of a document; one that follows itself counts once. */
void akin_frequencies_add(akin_frequencies *frequencies, const uint64_t *hashes, uint32_t count);

/* The count of each hash: 1 to 15, if it was added; 15 if it is not counted. */
void akin_frequencies_of(const akin_frequencies *frequencies, const uint64_t *hashes, uint32_t count, uint8_t *out);

#endif
