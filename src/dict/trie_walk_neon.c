/* The walker of chunks for NEON: a register and a half have the 24 counts of a record, or one the 16 places of a cell.
 */
#include "dict/chunks.h"
#include "dict/trie_walk.h"

#include "base/neon.h"

#define WALKER walk_chunks_neon
#define TARGET
#define INLINE AKIN_NEON_INLINE

_Static_assert(AKIN_CHUNKS == 24 && AKIN_CHUNK_PLACES == 16, "as the registers are");

/* The counts of the chunks before one, and the bytes of their cells. */
INLINE akin_chunk look(const akin_chunk_record *record, uint32_t bit)
{
    static const uint8_t before[2 * AKIN_CHUNKS] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                                    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    const uint32_t chunk = bit / AKIN_CHUNK;
    const uint8_t *mask = before + AKIN_CHUNKS - chunk;
    const uint8x8_t few = vand_u8(vld1_u8(record->counts), vld1_u8(mask));
    const uint8x16_t more = vandq_u8(vld1q_u8(record->counts + 8), vld1q_u8(mask + 8));
    const uint8x8_t few_bytes = vmin_u8(few, vdup_n_u8(AKIN_CHUNK_PLACES));
    const uint8x16_t more_bytes = vminq_u8(more, vdupq_n_u8(AKIN_CHUNK_PLACES));
    akin_chunk found;
    found.number = record->number + vaddlv_u8(few) + vaddlvq_u8(more);
    found.count = record->counts[chunk];
    found.bit = bit % AKIN_CHUNK;
    found.cell = record->cells + vaddlv_u8(few_bytes) + vaddlvq_u8(more_bytes);
    return found;
}

INLINE int settle(akin_chunk chunk, const uint8_t *cell, uint32_t *number)
{
    static const uint8_t order[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8x16_t places = vld1q_u8(cell), bit = vdupq_n_u8((uint8_t)chunk.bit);
    const uint8x16_t some = vandq_u8(vcltq_u8(vld1q_u8(order), vdupq_n_u8((uint8_t)chunk.count)), vdupq_n_u8(1));
    /* A chunk as places. */
    const uint32_t rank = vaddvq_u8(vandq_u8(vcltq_u8(places, bit), some));
    const uint32_t there = vmaxvq_u8(vandq_u8(vceqq_u8(places, bit), some));
    /* A chunk as bits: all of the bytes below that of the bit, and some of that. */
    const uint8x16_t byte = vdupq_n_u8((uint8_t)(chunk.bit / 8)),
                     part = vdupq_n_u8((uint8_t)((1u << chunk.bit % 8) - 1));
    const uint8x16_t whole = vcltq_u8(vld1q_u8(order), byte);
    const uint8x16_t below = vorrq_u8(whole, vandq_u8(vceqq_u8(vld1q_u8(order), byte), part));
    const uint32_t bits = vaddvq_u8(vcntq_u8(vandq_u8(places, below)));
    const uint32_t set = cell[chunk.bit / 8], one = set >> chunk.bit % 8 & (uint32_t)(bits < chunk.count);
    const uint32_t dense = 0 - (uint32_t)(chunk.count > AKIN_CHUNK_PLACES);
    *number = chunk.number + (rank ^ ((rank ^ bits) & dense));
    return (int)(there ^ ((there ^ one) & dense));
}

#include "dict/trie_walk_chunks.h"

void akin_trie_walk_neon(const akin_trie *trie, const akin_trie_batch *batch)
{
    walk_chunks_neon(trie, batch);
}
