/* Counters of hashes, added to by threads at once. */
#include "corpus/frequencies.h"

#include "base/bits.h"

#include <string.h>

#define LEAST 64                  /* bytes of counters */
#define AHEAD 16                  /* hashes whose counters are brought to the cache before they are looked at */
#define ROOM  2                   /* counters for each hash, if there is memory for them */
#define ALL   (UINT64_C(1) << 32) /* hashes are counted */

uint64_t akin_frequencies_bytes(uint64_t hashes, uint64_t most)
{
    return akin_max_u64(LEAST, akin_min_u64(akin_ceil_div(hashes * ROOM, 2), most));
}

akin_status akin_frequencies_make(akin_account *account, uint64_t hashes, uint64_t most, akin_frequencies *out)
{
    const uint64_t bytes = akin_frequencies_bytes(hashes, most);
    const uint64_t counted = hashes > 2 * bytes ? (uint64_t)((akin_u128)(2 * bytes) * ALL / hashes) : ALL;
    *out = (akin_frequencies){akin_alloc_zero(account, bytes, 1), 2 * bytes, counted};
    return out->counters ? AKIN_OK : AKIN_E_NOMEM;
}

void akin_frequencies_clear(akin_frequencies *frequencies)
{
    akin_free((void *)frequencies->counters);
    *frequencies = (akin_frequencies){.counters = NULL};
}

void akin_frequencies_forget(akin_frequencies *frequencies)
{
    memset((void *)frequencies->counters, 0, frequencies->slots / 2);
}

static int is_counted(const akin_frequencies *f, uint64_t hash)
{
    return hash * AKIN_FREQUENCY_CHOOSE >> 32 < f->counted;
}

/* The high bits of a product say where a hash is: neighbours in order are far apart. */
static uint64_t slot_of(const akin_frequencies *f, uint64_t hash)
{
    return (uint64_t)((akin_u128)(hash * AKIN_FREQUENCY_SPREAD) * f->slots >> 64);
}

static void add(akin_frequencies *f, uint64_t hash)
{
    const uint64_t slot = slot_of(f, hash);
    const unsigned shift = slot % 2 * 4;
    _Atomic uint8_t *at = &f->counters[slot / 2];
    uint8_t held = atomic_load_explicit(at, memory_order_relaxed);
    while ((held >> shift & AKIN_FREQUENCY_MOST) < AKIN_FREQUENCY_MOST &&
           !atomic_compare_exchange_weak_explicit(at, &held, (uint8_t)(held + (1u << shift)), memory_order_relaxed,
                                                  memory_order_relaxed))
        ;
}

static uint8_t count_of(const akin_frequencies *f, uint64_t hash)
{
    const uint64_t slot = slot_of(f, hash);
    const uint8_t both = atomic_load_explicit(&f->counters[slot / 2], memory_order_relaxed);
    return both >> slot % 2 * 4 & AKIN_FREQUENCY_MOST;
}

void akin_frequencies_add(akin_frequencies *frequencies, const uint64_t *hashes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (count - i > AHEAD && is_counted(frequencies, hashes[i + AHEAD]))
            __builtin_prefetch((const void *)&frequencies->counters[slot_of(frequencies, hashes[i + AHEAD]) / 2], 1);
        if ((i == 0 || hashes[i] != hashes[i - 1]) && is_counted(frequencies, hashes[i]))
            add(frequencies, hashes[i]);
    }
}

void akin_frequencies_of(const akin_frequencies *frequencies, const uint64_t *hashes, uint32_t count, uint8_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (count - i > AHEAD && is_counted(frequencies, hashes[i + AHEAD]))
            __builtin_prefetch((const void *)&frequencies->counters[slot_of(frequencies, hashes[i + AHEAD]) / 2], 0);
        out[i] = is_counted(frequencies, hashes[i]) ? count_of(frequencies, hashes[i]) : AKIN_FREQUENCY_MOST;
    }
}
