/*
 * Parity signatures: bit b of a set's signature is the parity of its tokens that fall on b (Bellas and Gounaris,
 * section 3.2.3). Tokens are dealt to the bits in turn by frequency rank, b = rank mod width: that spreads the
 * frequent tokens evenly, makes half a width the XOR of the two halves, and makes the signature the set itself when
 * the universe fits the width.
 *
 * Two sets that differ in d tokens have signatures at a Hamming distance of at most d.
 */
#ifndef AKIN_SIGNATURE_PARITY_H
#define AKIN_SIGNATURE_PARITY_H

#include "sets/ranked.h"

#define AKIN_PARITY_BITS_LEAST 64
#define AKIN_PARITY_BITS_MOST  2048

/* Signatures, contiguous: set i has words[i * stride] .. words[i * stride + stride - 1]; bits = 64 * stride. */
typedef struct akin_parity {
    uint32_t bits;
    uint32_t stride;
    uint32_t count;
    uint64_t *words;
} akin_parity;

/* The signature of one set: adds its ranks into words[0 .. stride-1], which the caller has cleared. */
static inline void akin_parity_add(uint64_t *words, uint32_t stride, const uint32_t *ranks, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        words[(ranks[i] >> 6) & (stride - 1)] ^= UINT64_C(1) << (ranks[i] & 63);
}

/* The signature of half the width or less that wide (stride words) folds to. */
static inline void akin_parity_fold(const uint64_t *wide, uint32_t stride, uint64_t *narrow, uint32_t narrow_stride)
{
    for (uint32_t w = 0; w < narrow_stride; w++) {
        uint64_t x = wide[w];
        for (uint32_t i = w + narrow_stride; i < stride; i += narrow_stride)
            x ^= wide[i];
        narrow[w] = x;
    }
}

/* Signatures of all sets; bits is a power of two within the bounds above. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_parity_build(const akin_scope *scope, akin_account *account, const akin_ranked *ranked, uint32_t bits,
                              akin_parity *out, akin_error *error);
void akin_parity_clear(akin_parity *parity);

/*
 * Signatures of the `count` sets listed, folded to `narrow` words: in contiguous rows, or transposed in groups of 8 for
 * SIMD:
 *
 *     group 0: word 0 of sets 0..7 (64 bytes), word 1 of sets 0..7, ... ; group 1: sets 8..15; ...
 *
 * The last group is filled up with zeros, so `out` has room for ceil(count / 8) * 8 * narrow words.
 */
void akin_parity_rows(const akin_parity *parity, const uint32_t *sets, uint64_t count, uint32_t narrow, uint64_t *out);
void akin_parity_strips(const akin_parity *parity, const uint32_t *sets, uint64_t count, uint32_t narrow,
                        uint64_t *out);

#endif
