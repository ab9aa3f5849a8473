/* Hashes that several documents have: two bits for each slot. */
#include "corpus/shared_hashes.h"

#include "base/bits.h"

#define SLOTS 16 /* for each hash, at least */
#define LEAST 64 /* words */

void akin_shared_hashes_clear(akin_shared_hashes *shared)
{
    akin_free((void *)shared->words);
    *shared = (akin_shared_hashes){.account = shared->account};
}

akin_status akin_shared_hashes_begin(akin_shared_hashes *shared, uint64_t count)
{
    uint64_t words = LEAST;
    while (words * 32 < count * SLOTS)
        words *= 2;
    if (words > shared->capacity) {
        akin_shared_hashes_clear(shared);
        shared->words = akin_alloc(shared->account, words, sizeof *shared->words);
        if (!shared->words)
            return AKIN_E_NOMEM;
        shared->capacity = words;
    }
    shared->word_count = words;
    for (uint64_t i = 0; i < words; i++)
        atomic_init(&shared->words[i], 0);
    return AKIN_OK;
}

/* Where the bits of a hash are. Hashes of few bits, as tests have them, are spread, too. */
static uint64_t slot_of(const akin_shared_hashes *s, uint64_t hash)
{
    return (uint64_t)((akin_u128)(hash * UINT64_C(0xbf58476d1ce4e5b9)) * (s->word_count * 32) >> 64);
}

void akin_shared_hashes_add(akin_shared_hashes *shared, const uint64_t *hashes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t slot = slot_of(shared, hashes[i]), one = UINT64_C(1) << slot % 32 * 2;
        _Atomic uint64_t *word = &shared->words[slot / 32];
        if (atomic_fetch_or_explicit(word, one, memory_order_relaxed) & one)
            atomic_fetch_or_explicit(word, one << 1, memory_order_relaxed);
    }
}

int akin_shared_hashes_has(const akin_shared_hashes *shared, uint64_t hash)
{
    const uint64_t slot = slot_of(shared, hash);
    return atomic_load_explicit(&shared->words[slot / 32], memory_order_relaxed) >> (slot % 32 * 2 + 1) & 1;
}
