/*
 * About how often a hash is in documents: counters of 4 bits that stop at 15, of which hashes share some.
 *
 *     hash --> slot    a byte has two counters: [ 3 | 15 ]
 *
 * A count is never below the smaller one of 15 and the number of documents with the hash. So a hash with a count of 1
 * is in one document. Threads add at once, and the counters depend on the hashes alone, not on their order.
 */
#ifndef AKIN_CORPUS_FREQUENCIES_H
#define AKIN_CORPUS_FREQUENCIES_H

#include "base/memory.h"

#include <stdatomic.h>

#define AKIN_FREQUENCY_MOST 15

typedef struct akin_frequencies {
    _Atomic uint8_t *counters;
    uint64_t slots;
} akin_frequencies;

/* Makes counters for about that many hashes, one for each, but not more than `most` bytes of them. Errors, without a
 * message: AKIN_E_NOMEM. */
akin_status akin_frequencies_make(akin_account *account, uint64_t hashes, uint64_t most, akin_frequencies *out);
void akin_frequencies_clear(akin_frequencies *frequencies);

/* Counts each hash of a document; one that follows itself counts once. */
void akin_frequencies_add(akin_frequencies *frequencies, const uint64_t *hashes, uint32_t count);

/* The count of each hash: 1 to 15, if it was added. */
void akin_frequencies_of(const akin_frequencies *frequencies, const uint64_t *hashes, uint32_t count, uint8_t *out);

#endif
