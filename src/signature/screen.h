/*
 * The bitmap filter at speed: which of many signature pairs are close enough to be candidates. One interface, one
 * version for each SIMD level; all give the same bits.
 *
 * A block is a few dozen probe signatures against a strip of up to 512 transposed ones:
 *
 *                 strip: groups of 8 sets
 *               +----+----+----+----+----+
 *     probe 0   | 8 bits hit | ...       |      bit set % 64 of hits[probe * 8 + set / 64] is 1 when
 *     probe 1   |    |    |    |    |    |          hamming(probe, set) < limits[probe] + slack[set]
 *       ...     +----+----+----+----+----+
 */
#ifndef AKIN_SIGNATURE_SCREEN_H
#define AKIN_SIGNATURE_SCREEN_H

#include "base/scope.h"

#define AKIN_SCREEN_GROUP  8  /* sets in a transposed group */
#define AKIN_SCREEN_STRIP  64 /* groups in a strip at most */
#define AKIN_SCREEN_WORDS  8  /* 64-bit words of hits for each probe */
#define AKIN_SCREEN_PROBES 64 /* probes in a block at most */

typedef struct akin_screen_block {
    const uint64_t *probes; /* probe_count signatures of `stride` words, contiguous */
    uint32_t probe_count;
    const uint64_t *strip; /* groups * stride * 8 words */
    uint32_t groups;
    const int64_t *limits; /* probe_count of them */
    const int64_t *slack;  /* groups * 8 of them, 64-byte aligned; NULL: all 0 */
    uint64_t *hits;        /* probe_count * 8 words, 64-byte aligned; bits beyond the groups are cleared */
} akin_screen_block;

typedef void (*akin_screen)(const akin_screen_block *block);

/* The screen for signatures of `bits` bits (a power of two, 64 to 2048) at a SIMD level. */
akin_screen akin_screen_choose(akin_cpu cpu, uint32_t bits);

/* Takes back those hits of a block that do not pass with signatures of `bits` bits, which probes and strip now hold.
 * Fast where hits are few. */
akin_screen akin_refine_choose(akin_cpu cpu, uint32_t bits);

/* The Hamming distance of two signatures of `stride` words. */
typedef uint32_t (*akin_hamming)(const uint64_t *a, const uint64_t *b, uint32_t stride);
akin_hamming akin_hamming_choose(akin_cpu cpu);

/* The widths that there are versions for: 64, 128, ... 2048 bits, and the place of one among them. */
#define AKIN_SCREEN_WIDTHS 6

static inline uint32_t akin_screen_width(uint32_t bits)
{
    uint32_t index = 0;
    while (index < AKIN_SCREEN_WIDTHS - 1 && 64u << index < bits)
        index++;
    return index;
}

/* Makes a version for each width of name_words(block, stride), with a constant stride, and the table name_versions. */
#define AKIN_SCREEN_VERSION(attributes, name, bits)                                                                    \
    attributes static void name##_##bits(const akin_screen_block *block)                                               \
    {                                                                                                                  \
        name##_words(block, (bits) / 64);                                                                              \
    }
#define AKIN_SCREEN_VERSIONS(attributes, name)                                                                         \
    AKIN_SCREEN_VERSION(attributes, name, 64)                                                                          \
    AKIN_SCREEN_VERSION(attributes, name, 128)                                                                         \
    AKIN_SCREEN_VERSION(attributes, name, 256)                                                                         \
    AKIN_SCREEN_VERSION(attributes, name, 512)                                                                         \
    AKIN_SCREEN_VERSION(attributes, name, 1024)                                                                        \
    AKIN_SCREEN_VERSION(attributes, name, 2048)                                                                        \
    static const akin_screen name##_versions[AKIN_SCREEN_WIDTHS] = {name##_64,  name##_128,  name##_256,               \
                                                                    name##_512, name##_1024, name##_2048};

/* The versions for each level, for the choices alone. */
akin_screen akin_screen_neon(uint32_t bits);
akin_screen akin_screen_avx2(uint32_t bits);
akin_screen akin_screen_avx512(uint32_t bits);
akin_screen akin_refine_neon(uint32_t bits);
akin_screen akin_refine_avx512(uint32_t bits);
uint32_t akin_hamming_neon(const uint64_t *a, const uint64_t *b, uint32_t stride);
uint32_t akin_hamming_avx2(const uint64_t *a, const uint64_t *b, uint32_t stride);
uint32_t akin_hamming_avx512(const uint64_t *a, const uint64_t *b, uint32_t stride);

#endif
