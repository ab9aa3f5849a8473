/*
 * Jaro's matches of a pattern of up to 128 symbols in AVX-512: 16 texts side by side, the places of the pattern in words
 * of 32 bits.
 *
 *     matches    for each symbol of the texts, the lowest place that has it, in the window, and is free:
 *
 *                    open = places & window & ~taken,   taken |= open & -open
 *
 *     order      of a text with enough matches, the symbols that matched and the places taken become bit masks, by which
 *                both strings are packed; then all bytes are compared at once
 *
 *                    text     a b c d e f    packed    b c e
 *                    pattern  c b x e        packed    c b e    two are apart
 *
 * Windows depend on the lengths alone. They are listed once for texts of equal lengths, which stand together.
 */
#include "strings/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define TARGET                                                                                                         \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi,bmi2,"        \
                          "popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define LANES         16
#define BITS          32                          /* of a lane */
#define WORDS         4                           /* of the pattern, at most */
#define CHUNKS        (AKIN_LANES_LONGEST / BITS) /* of a text, at most */
#define SLOTS         64                          /* of distinct symbols of the pattern, and slot 0 for none */
#define STEP          4                           /* symbols that one gather brings */
#define LOOK          16                          /* symbols between two looks at the bounds */
#define ALL(n)        _mm512_set1_epi32((int)(n))
#define A_AND_B_NOT_C 0x40 /* tables of the ternary operation */
#define A_OR_B_AND_C  0xf8

/* A pattern: slots of all symbols, and the places of each slot. */
typedef struct pattern {
    _Alignas(64) uint8_t slots[256];
    _Alignas(64) uint32_t places[WORDS][SLOTS];
    uint32_t count; /* of slots */
    int is_low;     /* no symbol is above 127 */
} pattern;

/* What is in registers of it. */
typedef struct table {
    __m512i slots[4], places[WORDS][SLOTS / LANES];
    int is_low;
} table;

/* 16 texts. */
typedef struct group {
    const uint8_t *base;
    __m512i at, length, bound;
    uint32_t shortest, longest;
} group;

/* The windows of texts of these lengths. */
typedef struct windows {
    __m512i of; /* how far a match may be away, for each lane */
    uint32_t steps;
    __m512i *bits; /* word w for symbol j of the texts in bits[j * words + w] */
} windows;

/* What matched: bits of the places of the pattern, and of the symbols of the texts. */
typedef struct matches {
    _Alignas(64) uint32_t taken[WORDS][LANES], hits[CHUNKS][LANES];
} matches;

/* Gives each symbol of the pattern a slot, and notes its places; 0: there are too many symbols. */
static int set_pattern(const akin_lanes_job *job, pattern *p)
{
    memset(p, 0, sizeof *p);
    p->count = 1;
    p->is_low = 1;
    for (uint32_t i = 0; i < job->length; i++) {
        const uint8_t symbol = job->pattern[i];
        if (p->slots[symbol] == 0 && p->count == SLOTS)
            return 0;
        if (p->slots[symbol] == 0)
            p->slots[symbol] = (uint8_t)p->count++;
        p->is_low &= symbol < 128;
        p->places[i / BITS][p->slots[symbol]] |= UINT32_C(1) << i % BITS;
    }
    return 1;
}

INLINE table load_table(const pattern *p, uint32_t words, int is_few)
{
    table t = {.is_low = p->is_low};
    for (int i = 0; i < 4; i++)
        t.slots[i] = _mm512_load_si512(p->slots + 64 * i);
    for (uint32_t w = 0; w < words; w++)
        for (int i = 0; i < (is_few ? 2 : 4); i++)
            t.places[w][i] = _mm512_load_si512(p->places[w] + LANES * i);
    return t;
}

INLINE __m512i slots_of(const table *t, __m512i symbols)
{
    const __mmask64 is_high = _mm512_movepi8_mask(symbols);
    if (t->is_low)
        return _mm512_maskz_permutex2var_epi8(~is_high, t->slots[0], symbols, t->slots[1]);
    const __m512i low = _mm512_permutex2var_epi8(t->slots[0], symbols, t->slots[1]);
    return _mm512_mask_mov_epi8(low, is_high, _mm512_permutex2var_epi8(t->slots[2], symbols, t->slots[3]));
}

/* Word w of the places of the slots in the lowest bytes; is_upper: slots of the upper half. */
INLINE __m512i look_up(const table *t, __m512i slots, __mmask16 is_upper, uint32_t w, int is_few)
{
    const __m512i low = _mm512_permutex2var_epi32(t->places[w][0], slots, t->places[w][1]);
    if (is_few)
        return low;
    return _mm512_mask_mov_epi32(low, is_upper, _mm512_permutex2var_epi32(t->places[w][2], slots, t->places[w][3]));
}

INLINE group group_of(const akin_lanes_job *job, uint32_t first)
{
    const __m512i from = _mm512_set1_epi64((long long)job->at[first]);
    const __m512i low = _mm512_sub_epi64(_mm512_loadu_si512(job->at + first), from);
    const __m512i high = _mm512_sub_epi64(_mm512_loadu_si512(job->at + first + LANES / 2), from);
    return (group){
        .base = job->symbols + job->at[first],
        .at = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)), _mm512_cvtepi64_epi32(high), 1),
        .length = _mm512_loadu_si512(job->lengths + first),
        .bound = _mm512_loadu_si512(job->bound + first),
        .shortest = job->lengths[first],
        .longest = job->lengths[first + LANES - 1]};
}

/* ---------------------------------------------------------------------------------------------------------- windows */

/* Lists the windows of a group, unless they are those of the last one. */
INLINE void list_windows(const group *g, uint32_t rows, uint32_t words, windows *out)
{
    const __m512i half = _mm512_srli_epi32(_mm512_max_epu32(g->length, ALL(rows)), 1);
    const __m512i window = _mm512_subs_epu16(half, ALL(1)); /* below 2^16 */
    const uint32_t steps = (g->longest + STEP - 1) / STEP * STEP;
    if (steps <= out->steps && _mm512_cmpneq_epi32_mask(window, out->of) == 0)
        return;
    __m512i within[WORDS];
    for (uint32_t w = 0; w < words; w++) { /* of the first symbol: places 0 to window */
        const __m512i end = _mm512_add_epi32(window, ALL(1));
        const __m512i here = _mm512_min_epu32(_mm512_subs_epu16(end, ALL(w * BITS)), ALL(BITS));
        within[w] = _mm512_sub_epi32(_mm512_sllv_epi32(ALL(1), here), ALL(1)); /* a shift by 32 gives 0 */
    }
    for (uint32_t j = 0; j < steps; j++) {
        __m512i in = _mm512_maskz_mov_epi32(_mm512_cmpgt_epu32_mask(window, ALL(j)), ALL(1));
        for (uint32_t w = 0; w < words; w++) {
            const __m512i top = _mm512_srli_epi32(within[w], BITS - 1);
            _mm512_store_si512(out->bits + j * words + w, within[w]);
            within[w] = _mm512_or_si512(_mm512_slli_epi32(within[w], 1), in);
            in = top;
        }
    }
    out->of = window;
    out->steps = steps;
}

/* ---------------------------------------------------------------------------------------------------------- matches */

/* The next symbols of each text, with 255, which stands nowhere, for those behind its end. */
INLINE __m512i symbols_at(const group *g, uint32_t j)
{
    const __m512i symbols = _mm512_i32gather_epi32(g->at, g->base + j, 1);
    if (j + STEP <= g->shortest)
        return symbols;
    const __m512i left = _mm512_min_epu32(_mm512_subs_epu16(g->length, ALL(j)), ALL(STEP));
    return _mm512_or_si512(symbols, _mm512_sllv_epi32(ALL(-1), _mm512_slli_epi32(left, 3)));
}

/* Matches one symbol of each text. Returns the lanes where it has no match. */
INLINE __mmask16 match_symbol(const table *t, __m512i slots, const __m512i *window, uint32_t words, int is_few,
                              __m512i *taken)
{
    const __mmask16 is_upper = is_few ? 0 : _mm512_test_epi32_mask(slots, ALL(SLOTS / 2));
    __mmask16 missed = 0xffff;
#pragma GCC unroll 4
    for (uint32_t w = 0; w < words; w++) {
        const __m512i at = look_up(t, slots, is_upper, w, is_few);
        const __m512i open = _mm512_ternarylogic_epi32(at, window[w], taken[w], A_AND_B_NOT_C);
        const __m512i minus = w == 0 ? _mm512_sub_epi32(ALL(0), open) : _mm512_maskz_sub_epi32(missed, ALL(0), open);
        missed = w == 0 ? _mm512_testn_epi32_mask(open, open) : _mm512_mask_testn_epi32_mask(missed, open, open);
        taken[w] = _mm512_ternarylogic_epi32(taken[w], open, minus, A_OR_B_AND_C);
    }
    return missed;
}

INLINE __m512i count_taken(const __m512i *taken, uint32_t words)
{
    __m512i count = _mm512_popcnt_epi32(taken[0]);
    for (uint32_t w = 1; w < words; w++)
        count = _mm512_add_epi32(count, _mm512_popcnt_epi32(taken[w]));
    return count;
}

/* Whether any text may still have enough matches, if all of its other symbols match. */
INLINE int is_hopeful(const group *g, __m512i matched, uint32_t j)
{
    const __m512i most = _mm512_add_epi32(matched, _mm512_subs_epu16(g->length, ALL(j)));
    return _mm512_cmpge_epu32_mask(most, g->bound) != 0;
}

/* Matches the symbols of all texts of a group. Returns their numbers, or less where all are below their bounds. */
INLINE __m512i match_group(const group *g, const table *t, const windows *windows, uint32_t words, int is_few,
                           matches *out)
{
    __m512i taken[WORDS];
    for (uint32_t w = 0; w < words; w++)
        taken[w] = ALL(0);
    for (uint32_t begin = 0; begin < g->longest; begin += BITS) {
        const uint32_t end = begin + BITS < g->longest ? begin + BITS : g->longest;
        __m512i hits = ALL(-1), bit = ALL(1);
        for (uint32_t j = begin; j < end; j += STEP) {
            __m512i slots = slots_of(t, symbols_at(g, j));
            if (j % LOOK == 0 && j > 0 && !is_hopeful(g, count_taken(taken, words), j))
                return count_taken(taken, words);
#pragma GCC unroll 4
            for (uint32_t i = 0; i < STEP; i++) {
                const __mmask16 missed = match_symbol(t, slots, windows->bits + (j + i) * words, words, is_few, taken);
                hits = _mm512_mask_andnot_epi32(hits, missed, bit, hits);
                bit = _mm512_slli_epi32(bit, 1);
                slots = _mm512_srli_epi32(slots, 8);
            }
        }
        _mm512_store_si512(out->hits[begin / BITS], hits);
    }
    for (uint32_t w = 0; w < words; w++)
        _mm512_store_si512(out->taken[w], taken[w]);
    return count_taken(taken, words);
}

/* ------------------------------------------------------------------------------------------------------------ order */

/* 64 bits of a lane, of up to `length`, from word `word` on. */
static inline uint64_t bits_of(const uint32_t (*words)[LANES], uint32_t lane, uint32_t word, uint32_t length)
{
    const uint32_t left = length - word * BITS;
    uint64_t bits = words[word][lane];
    if (left > BITS)
        bits |= (uint64_t)words[word + 1][lane] << BITS;
    return left < 64 ? bits & ((UINT64_C(1) << left) - 1) : bits;
}

/* Writes the symbols of a string that have their bits; up to 64 bytes more are written. */
INLINE void pack(const uint8_t *symbols, const uint32_t (*words)[LANES], uint32_t lane, uint32_t length, uint8_t *out)
{
    for (uint32_t j = 0; j < length; j += 64) {
        const uint64_t bits = bits_of(words, lane, j / BITS, length);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(bits, _mm512_maskz_loadu_epi8(bits, symbols + j)));
        out += _mm_popcnt_u64(bits);
    }
}

/* How many matches of a lane are out of order. */
INLINE uint32_t count_apart(const akin_lanes_job *job, const matches *found, uint32_t lane, const uint8_t *text,
                            uint32_t length, uint32_t matched)
{
    if (job->length <= 64 && length <= 64) {
        const uint64_t taken = bits_of(found->taken, lane, 0, job->length),
                       hits = bits_of(found->hits, lane, 0, length);
        const __m512i left = _mm512_maskz_compress_epi8(taken, _mm512_maskz_loadu_epi8(taken, job->pattern));
        const __m512i right = _mm512_maskz_compress_epi8(hits, _mm512_maskz_loadu_epi8(hits, text));
        return (uint32_t)_mm_popcnt_u64(_mm512_cmpneq_epi8_mask(left, right));
    }
    uint8_t left[WORDS * BITS + 64], right[AKIN_LANES_LONGEST + 64];
    uint32_t apart = 0;
    pack(job->pattern, found->taken, lane, job->length, left);
    pack(text, found->hits, lane, length, right);
    for (uint32_t i = 0; i < matched; i += 64) {
        const __mmask64 there = matched - i < 64 ? (UINT64_C(1) << (matched - i)) - 1 : ~UINT64_C(0);
        apart += (uint32_t)_mm_popcnt_u64(
            _mm512_mask_cmpneq_epi8_mask(there, _mm512_loadu_si512(left + i), _mm512_loadu_si512(right + i)));
    }
    return apart;
}

INLINE void order_group(const akin_lanes_job *job, const group *g, uint32_t first, const matches *found,
                        __m512i matched, akin_jaro *out)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    _Alignas(64) uint32_t apart[LANES] = {0}, counts[LANES];
    _mm512_store_si512(counts, matched);
    const __mmask16 some = _mm512_test_epi32_mask(matched, matched);
    for (uint32_t lanes = some & _mm512_cmpge_epu32_mask(matched, g->bound); lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        apart[lane] = count_apart(job, found, lane, job->symbols + job->at[first + lane], job->lengths[first + lane],
                                  counts[lane]);
    }
    const __m512i second = _mm512_load_si512(apart);
    _mm512_storeu_si512(out + first, _mm512_permutex2var_epi32(matched, low, second));
    _mm512_storeu_si512(out + first + LANES / 2,
                        _mm512_permutex2var_epi32(matched, _mm512_add_epi32(low, ALL(LANES / 2)), second));
}

/* ------------------------------------------------------------------------------------------------------------- jobs */

INLINE void match_job(const akin_lanes_job *job, const pattern *p, uint32_t words, int is_few, akin_jaro *out)
{
    const table t = load_table(p, words, is_few);
    windows windows = {.bits = job->room};
    matches found;
    for (uint32_t first = 0; first < job->count; first += LANES) {
        const group g = group_of(job, first);
        list_windows(&g, job->length, words, &windows);
        order_group(job, &g, first, &found, match_group(&g, &t, &windows, words, is_few, &found), out);
    }
}

TARGET int akin_lanes_jaro_avx512(const akin_lanes_job *job, akin_jaro *out)
{
    pattern p;
    const uint32_t words = (job->length + BITS - 1) / BITS;
    if (words > WORDS || job->at[job->count - 1] - job->at[0] >= INT32_MAX - AKIN_LANES_LONGEST ||
        !set_pattern(job, &p))
        return 0;
    const int is_few = p.count <= SLOTS / 2;
    if (words == 1 && is_few)
        match_job(job, &p, 1, 1, out);
    else if (words <= 2 && is_few)
        match_job(job, &p, 2, 1, out);
    else if (words == 3 && is_few)
        match_job(job, &p, 3, 1, out);
    else if (is_few)
        match_job(job, &p, 4, 1, out);
    else if (words <= 2)
        match_job(job, &p, 2, 0, out);
    else
        match_job(job, &p, 4, 0, out);
    return 1;
}
#endif
