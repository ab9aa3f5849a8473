/* Slices of strings: the portable level, the choice of one, and the places of symbols. */
#include "strings/slices.h"

#include "base/bits.h"

#include <string.h>

/* On 64-bit ARM the compiler makes NEON of this: a cell takes a load and the four operations below, for 128 strings. */
#define TARGET
#define INLINE   static inline __attribute__((always_inline))
#define REGISTER 16

typedef uint64_t vector_64 __attribute__((vector_size(REGISTER)));

#define differs(a, b, same) (((a) | (same)) & ~(b))
#define parity(a, b, c)     ((a) ^ (b) ^ (c))
#define majority(a, b, c)   (((a) & (b)) | ((c) & ((a) ^ (b))))

#include "strings/slices_body.h"

const akin_slices *akin_slices_choose(akin_cpu cpu)
{
    static const akin_slices portable = {REGISTER * 8, subsequences, find};
    static const akin_slices *const by_level[] =
        AKIN_CPU_ROW(&portable, &portable, &akin_slices_avx2, &akin_slices_avx512);
    return by_level[cpu];
}

/* ----------------------------------------------------------------------------------------------------------- places */

void akin_slice_kinds_begin(akin_slice_kinds *kinds, const akin_slices *slices)
{
    kinds->slices = slices;
    kinds->count = 1;
    memset(kinds->of, 255, sizeof kinds->of);
}

void akin_slice_kinds_add(akin_slice_kinds *kinds, const uint8_t *query, uint32_t length, uint8_t *of)
{
    for (uint32_t i = 0; i < length; i++) {
        uint16_t *kind = &kinds->of[query[i]];
        if (*kind == UINT16_MAX)
            *kind = (uint16_t)(kinds->count++ - 1);
        of[i] = (uint8_t)*kind;
    }
}

void akin_slice_begin(akin_slice_kinds *kinds, uint64_t *places, uint64_t columns)
{
    const uint32_t words = kinds->slices->strings / 64;
    memset(places, 0, akin_slice_words(kinds, columns) * sizeof *places);
    for (uint32_t symbol = 0; symbol < 256; symbol++)
        kinds->word[symbol] = (uint32_t)akin_min_u64(kinds->of[symbol], kinds->count - 1) * TILE * words;
}

void akin_slice_put(const akin_slice_kinds *kinds, uint64_t *places, uint32_t i, const uint8_t *symbols,
                    uint64_t length)
{
    const uint32_t words = kinds->slices->strings / 64;
    const size_t of_tile = (size_t)kinds->count * TILE * words;
    const uint64_t bit = (uint64_t)1 << i % 64;
    uint64_t *tile = places + i / 64;
    for (uint64_t at = 0; at < length; tile += of_tile) {
        uint64_t *column = tile;
        for (const uint64_t end = akin_min_u64(at + TILE, length); at < end; at++, column += words)
            column[kinds->word[symbols[at]]] |= bit;
    }
}
