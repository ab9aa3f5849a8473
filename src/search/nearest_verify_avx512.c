/*
 * Edit distances of a query of at most 64 bytes, at most 31 of them distinct, and some strings, in AVX-512: 16 strings
 * at once in the lanes of two registers, as a step waits for the one before. Myers' bit vectors as in strings/edit.c,
 * with `more` and what comes of it turned round, so that the bit that is shifted in is 0. Where a byte stands in the
 * query is looked up in registers.
 */
#include "search/nearest_verify.h"

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { LANES = 8, GROUPS = 2, FEW = 32 };

/* What the query's bytes are: their slots, 64 in a register, and of each slot the places, 8 in a register. */
typedef struct table {
    __m512i slots[4], places[4];
} table;

/* Of 8 strings: how long they are, the slots of 64 bytes, 8 of each string in a register, and the differences of a
 * column. */
typedef struct group {
    __m512i lengths, slots[LANES], up, down;
} group;

/* 0: there are too many distinct bytes. */
INLINE int set_table(const akin_symbols *query, table *t)
{
    uint8_t slots[256] = {0}, next = 1;
    uint64_t places[FEW] = {0};
    for (uint32_t i = 0; i < query->length; i++) {
        uint8_t *slot = &slots[query->bytes[i]];
        if (*slot == 0 && next == FEW)
            return 0;
        if (*slot == 0)
            *slot = next++;
        places[*slot] |= (uint64_t)1 << i;
    }
    for (int i = 0; i < 4; i++) {
        t->slots[i] = _mm512_loadu_si512(slots + 64 * i);
        t->places[i] = _mm512_loadu_si512(places + LANES * i);
    }
    return 1;
}

INLINE __m512i slots_of(const table *t, const uint8_t *bytes)
{
    const __m512i symbols = _mm512_loadu_si512(bytes);
    const __m512i low = _mm512_permutex2var_epi8(t->slots[0], symbols, t->slots[1]);
    const __m512i high = _mm512_permutex2var_epi8(t->slots[2], symbols, t->slots[3]);
    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(symbols), high);
}

/* Sets the slots of 64 bytes from j on: a register of each string becomes a register of 8 bytes of all, in three rounds
 * of halves. */
INLINE void set_slots(const table *t, group *g, const uint8_t *const *at, uint64_t j)
{
    __m512i rows[LANES], pairs[LANES];
    for (int i = 0; i < LANES; i++)
        rows[i] = slots_of(t, at[i] + j);
    for (int i = 0; i < LANES; i += 2) {
        pairs[i] = _mm512_unpacklo_epi64(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi64(rows[i], rows[i + 1]);
    }
    for (int i = 0; i < 2; i++) { /* quarter q of pairs[2 * n + i]: bytes 16 q + 8 i on of strings 2 n and 2 n + 1 */
        const __m512i a = _mm512_shuffle_i64x2(pairs[i], pairs[i + 2], 0x88);
        const __m512i b = _mm512_shuffle_i64x2(pairs[i + 4], pairs[i + 6], 0x88);
        const __m512i c = _mm512_shuffle_i64x2(pairs[i], pairs[i + 2], 0xdd);
        const __m512i d = _mm512_shuffle_i64x2(pairs[i + 4], pairs[i + 6], 0xdd);
        g->slots[i] = _mm512_shuffle_i64x2(a, b, 0x88);
        g->slots[i + 4] = _mm512_shuffle_i64x2(a, b, 0xdd);
        g->slots[i + 2] = _mm512_shuffle_i64x2(c, d, 0x88);
        g->slots[i + 6] = _mm512_shuffle_i64x2(c, d, 0xdd);
    }
}

/* A column further in the lanes of a mask. */
INLINE void step(const table *t, group *g, __m512i slots, int is_masked, __mmask8 mask)
{
    const __m512i low = _mm512_permutex2var_epi64(t->places[0], slots, t->places[1]); /* the lowest four bits count */
    const __m512i high = _mm512_permutex2var_epi64(t->places[2], slots, t->places[3]);
    const __m512i same = _mm512_mask_mov_epi64(low, _mm512_test_epi64_mask(slots, _mm512_set1_epi64(16)), high);
    const __m512i sum = _mm512_add_epi64(_mm512_and_si512(same, g->up), g->up);
    const __m512i level = _mm512_ternarylogic_epi64(sum, g->up, same, 0xbe); /* (sum ^ up) | same */
    const __m512i diagonal = _mm512_or_si512(level, g->down);
    const __m512i not_more = _mm512_ternarylogic_epi64(g->down, level, g->up, 0x0e); /* ~down & (level | up) */
    const __m512i less = _mm512_and_si512(level, g->up);
    const __m512i above = _mm512_add_epi64(not_more, not_more), less_above = _mm512_add_epi64(less, less);
    const __m512i up = _mm512_ternarylogic_epi64(less_above, diagonal, above, 0xf2); /* or (~diagonal & above) */
    const __m512i down = _mm512_andnot_si512(above, diagonal);
    g->up = is_masked ? _mm512_mask_mov_epi64(g->up, mask, up) : up;
    g->down = is_masked ? _mm512_mask_mov_epi64(g->down, mask, down) : down;
}

/* The distances of LANES * GROUPS strings, whose lengths do not fall. */
INLINE void compare(const table *t, const uint8_t *const *at, const uint64_t *lengths, uint32_t length,
                    uint64_t *distances)
{
    const uint64_t shortest = lengths[0], longest = lengths[LANES * GROUPS - 1];
    group g[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
        g[i].lengths = _mm512_loadu_si512(lengths + i * LANES);
        g[i].down = _mm512_setzero_si512();
        g[i].up = _mm512_set1_epi64(-1);
    }
    for (uint64_t j = 0; j < longest;) {
        __m512i slots[GROUPS];
        for (int i = 0; i < GROUPS && j % 64 == 0; i++)
            set_slots(t, &g[i], at + i * LANES, j);
        for (int i = 0; i < GROUPS; i++)
            slots[i] = g[i].slots[j / 8 % 8];
        for (uint64_t end = j + 8 < longest ? j + 8 : longest; j < end; j++)
            for (int i = 0; i < GROUPS; i++) {
                if (j < shortest)
                    step(t, &g[i], slots[i], 0, 0);
                else
                    step(t, &g[i], slots[i], 1, _mm512_cmpgt_epu64_mask(g[i].lengths, _mm512_set1_epi64((int64_t)j)));
                slots[i] = _mm512_srli_epi64(slots[i], 8);
            }
    }
    const __m512i rows = _mm512_set1_epi64((int64_t)(length < 64 ? ((uint64_t)1 << length) - 1 : ~(uint64_t)0));
    for (int i = 0; i < GROUPS; i++) {
        const __m512i more = _mm512_popcnt_epi64(_mm512_and_si512(g[i].up, rows));
        const __m512i less = _mm512_popcnt_epi64(_mm512_and_si512(g[i].down, rows));
        _mm512_storeu_si512(distances + i * LANES, _mm512_sub_epi64(_mm512_add_epi64(g[i].lengths, more), less));
    }
}

TARGET int akin_verify_avx512(const akin_ordered *ordered, const akin_symbols *query, const uint32_t *strings,
                              uint32_t count, uint32_t *distances)
{
    table t;
    if (!set_table(query, &t))
        return 0;
    for (uint32_t first = 0; first < count; first += LANES * GROUPS) {
        const uint8_t *at[LANES * GROUPS];
        uint64_t lengths[LANES * GROUPS], found[LANES * GROUPS];
        const uint32_t left = count - first;
        for (uint32_t i = 0; i < LANES * GROUPS; i++) {
            const uint32_t string = strings[first + (i < left ? i : left - 1)];
            at[i] = ordered->bytes + ordered->begins[string];
            lengths[i] = ordered->begins[string + UINT64_C(1)] - ordered->begins[string];
        }
        compare(&t, at, lengths, query->length, found);
        for (uint32_t i = 0; i < LANES * GROUPS && i < left; i++)
            distances[first + i] = (uint32_t)found[i];
    }
    return 1;
}
