/*
 * Jaro's matches of a pattern of up to 128 symbols in AVX-512: 16 texts side by side, the places of the pattern in
 * words of 32 bits.
 *
 *     matches    for each symbol of the texts, the lowest place that has it, in the window, and is free:
 *
 *                    open = places & window & ~taken,   taken |= open & -open
 *
 *     order      of a text with enough matches, the symbols that matched and the places taken become bit masks, by
 *                which both strings are packed; then all bytes are compared at once
 *
 *                    text     a b c d e f    packed    b c e
 *                    pattern  c b x e        packed    c b e    two are apart
 *
 * The texts of a group have one window, which their lengths give: it is the same for all lanes. Where patterns are
 * short, there are few texts of about one length; then each lane may have a window of its own.
 */
#include "strings/lanes.h"

#include <immintrin.h>
#include <string.h>

#define TARGET                                                                                                         \
    __attribute__((                                                                                                    \
        target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi,bmi2,"                   \
               "popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define LANES         16
#define BITS          32                           /* of a lane */
#define WORDS         4                            /* of the pattern, at most */
#define CHUNK         64                           /* symbols that are packed at once */
#define CHUNKS        (AKIN_LANES_LONGEST / CHUNK) /* of a text, at most */
#define SLOTS         64                           /* of distinct symbols of the pattern, and slot 0 for none */
#define STEP          4                            /* symbols in a lane */
#define STRIDE        (AKIN_LANES_LONGEST + LANES)
#define ALL(n)        _mm512_set1_epi32((int)(n))
#define A_AND_B_NOT_C 0x40 /* tables of the ternary operation */
#define A_OR_B_AND_C  0xf8
#define SLACK         1.01f /* symbols out of order: one may not count, and far more than single precision errs */

/* A pattern: slots of all symbols, and the places of each slot. */
typedef struct pattern {
    _Alignas(64) uint8_t slots[256];
    _Alignas(64) uint32_t places[WORDS][SLOTS];
    uint32_t count; /* of slots */
    int is_low;     /* no symbol is above 127 */
} pattern;

/* What is in registers of it, and its first symbols. */
typedef struct table {
    __m512i slots[4], places[WORDS][SLOTS / LANES], symbols;
    int is_low;
} table;

/* Up to 16 texts, of one window unless is_mixed; further lanes are of no meaning. */
typedef struct group {
    __m512i at[2], length, bound, windows;
    const uint8_t *base;
    uint32_t shortest, longest, window;
    __mmask16 lanes;
    int is_mixed;
} group;

/* The places in word w of the pattern that symbol j of a text may match, in bits[w * STRIDE + j]. */
typedef struct windows {
    uint32_t of, steps;
    uint32_t *bits;
} windows;

/* The windows of a group: for all lanes; or, in the one word of the pattern, those of each, which move on. */
typedef struct reach {
    int is_mixed;
    const uint32_t *bits;
    __m512i windows, within;
} reach;

/* What matched, in chunks: bits of the places of the pattern, and of the symbols of the texts. */
typedef struct matches {
    _Alignas(64) uint64_t taken[WORDS / 2][LANES];
    _Alignas(64) uint64_t hits[CHUNKS][LANES];
} matches;

/* Gives each symbol of the pattern a slot, and notes its places; 0: there are too many symbols. */
static int set_pattern(const akin_lanes_job *job, pattern *p)
{
    memset(p->slots, 0, sizeof p->slots);
    memset(p->places, 0, (job->length + 2 * BITS - 1) / (2 * BITS) * 2 * sizeof p->places[0]); /* of an even number */
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

/* The first symbols of so many, up to 64, with zeros behind them. */
INLINE __m512i load_symbols(const uint8_t *symbols, uint32_t count)
{
    return _mm512_maskz_loadu_epi8(count < CHUNK ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0), symbols);
}

INLINE table load_table(const akin_lanes_job *job, const pattern *p, uint32_t words, int is_few)
{
    table t = {.is_low = p->is_low, .symbols = load_symbols(job->pattern, job->length)};
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

/* The texts from text `first` on; unless windows may be mixed, as far as they have one. */
INLINE group group_of(const akin_lanes_job *job, uint32_t first, int may_mix)
{
    const __m512i from = _mm512_set1_epi64((long long)job->at[first]);
    const __m512i length = _mm512_loadu_si512(job->lengths + first);
    const __m512i half = _mm512_srli_epi32(_mm512_max_epu32(length, ALL(job->length)), 1);
    const uint32_t longer = job->lengths[first] > job->length ? job->lengths[first] : job->length;
    const uint32_t left = job->count - first;
    const __mmask16 all = (__mmask16)(left < LANES ? (1u << left) - 1 : 0xffff);
    const __mmask16 same = all & _mm512_cmpeq_epi32_mask(half, ALL(longer / 2));
    group g = {.base = job->symbols + job->at[first], .length = length, .shortest = job->lengths[first]};
    for (uint32_t i = 0; i < 2; i++)
        g.at[i] = _mm512_sub_epi64(_mm512_loadu_si512(job->at + first + i * LANES / 2), from);
    g.bound = _mm512_loadu_si512(job->bound + first);
    g.windows = _mm512_subs_epu16(half, ALL(1)); /* below 2^16 */
    g.window = longer / 2 > 0 ? longer / 2 - 1 : 0;
    g.is_mixed = may_mix && same != all;
    g.lanes = may_mix ? all : same;
    g.longest = job->lengths[first + (uint32_t)__builtin_popcount(g.lanes) - 1];
    return g;
}

/* ---------------------------------------------------------------------------------------------------------- windows */

/* 2 to the power of each lane, which is 0 to 32 or is taken to be the nearest of them. */
INLINE __m512i power_of(__m512i lanes)
{
    return _mm512_sllv_epi32(ALL(1), _mm512_max_epi32(_mm512_min_epi32(lanes, ALL(BITS)), ALL(0)));
}

/* Lists the windows of a group, unless they are those of the last one. */
INLINE void list_windows(const group *g, uint32_t words, windows *out)
{
    if (g->is_mixed || (out->of == g->window && g->longest <= out->steps))
        return;
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (uint32_t w = 0; w < words; w++)
        for (uint32_t j = 0; j < g->longest; j += LANES) {
            const __m512i at = _mm512_sub_epi32(_mm512_add_epi32(lanes, ALL(j)), ALL(w * BITS));
            const __m512i end = power_of(_mm512_add_epi32(at, ALL(g->window + 1)));
            const __m512i begin = power_of(_mm512_sub_epi32(at, ALL(g->window)));
            _mm512_storeu_si512(out->bits + w * STRIDE + j, _mm512_sub_epi32(end, begin));
        }
    out->of = g->window;
    out->steps = g->longest;
}

/* ---------------------------------------------------------------------------------------------------------- matches */

/* With 255, which stands nowhere, for symbols behind the end of a text. */
INLINE __m512i end_symbols(const group *g, __m512i symbols, uint32_t j)
{
    if (j + STEP <= g->shortest)
        return symbols;
    const __m512i left = _mm512_min_epu32(_mm512_subs_epu16(g->length, ALL(j)), ALL(STEP));
    return _mm512_or_si512(symbols, _mm512_sllv_epi32(ALL(-1), _mm512_slli_epi32(left, 3)));
}

/* Matches one symbol of each text, symbol j. Returns the lanes where it has no match. */
INLINE __mmask16 match_symbol(const table *t, __m512i slots, const reach *r, uint32_t j, uint32_t words, int is_few,
                              __m512i *taken)
{
    const __mmask16 is_upper = is_few ? 0 : _mm512_test_epi32_mask(slots, ALL(SLOTS / 2));
    __mmask16 missed = 0xffff;
#pragma GCC unroll 4
    for (uint32_t w = 0; w < words; w++) {
        const __m512i at = look_up(t, slots, is_upper, w, is_few);
        const __m512i window = r->is_mixed ? r->within : ALL(r->bits[w * STRIDE + j]);
        const __m512i open = _mm512_ternarylogic_epi32(at, window, taken[w], A_AND_B_NOT_C);
        const __m512i minus = w == 0 ? _mm512_sub_epi32(ALL(0), open) : _mm512_maskz_sub_epi32(missed, ALL(0), open);
        missed = w == 0 ? _mm512_testn_epi32_mask(open, open) : _mm512_mask_testn_epi32_mask(missed, open, open);
        taken[w] = _mm512_ternarylogic_epi32(taken[w], open, minus, A_OR_B_AND_C);
    }
    return missed;
}

/* Moves the windows of lanes from symbol j to the next one. */
INLINE void move_windows(reach *r, uint32_t j)
{
    const __m512i next = _mm512_slli_epi32(r->within, 1);
    r->within = _mm512_mask_or_epi32(next, _mm512_cmpgt_epu32_mask(r->windows, ALL(j)), next, ALL(1));
}

/* Matches four symbols of each text, from symbol j on; clears the bits in `hits` of those that do not match. */
INLINE __m512i match_four(const table *t, __m512i slots, reach *r, uint32_t j, uint32_t words, int is_few,
                          __m512i *taken, __m512i hits)
{
    static const uint32_t others[BITS] = {
        ~(1u << 0),  ~(1u << 1),  ~(1u << 2),  ~(1u << 3),  ~(1u << 4),  ~(1u << 5),  ~(1u << 6),  ~(1u << 7),
        ~(1u << 8),  ~(1u << 9),  ~(1u << 10), ~(1u << 11), ~(1u << 12), ~(1u << 13), ~(1u << 14), ~(1u << 15),
        ~(1u << 16), ~(1u << 17), ~(1u << 18), ~(1u << 19), ~(1u << 20), ~(1u << 21), ~(1u << 22), ~(1u << 23),
        ~(1u << 24), ~(1u << 25), ~(1u << 26), ~(1u << 27), ~(1u << 28), ~(1u << 29), ~(1u << 30), ~(1u << 31)};
#pragma GCC unroll 4
    for (uint32_t i = 0; i < STEP; i++) {
        const __mmask16 missed = match_symbol(t, slots, r, j + i, words, is_few, taken);
        hits = _mm512_mask_and_epi32(hits, missed, hits, ALL(others[j % BITS + i]));
        slots = _mm512_srli_epi32(slots, 8);
        if (r->is_mixed)
            move_windows(r, j + i);
    }
    return hits;
}

/* Matches up to 32 symbols of each text, from symbol `begin` on. Returns the bits of those that match. */
INLINE __m512i match_some(const group *g, const table *t, reach *r, uint32_t begin, uint32_t words, int is_few,
                          __m512i *taken)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const uint32_t left = g->longest - begin, count = left < BITS ? left : BITS;
    __m512i hits = ALL(count < BITS ? (1u << count) - 1 : ~0u);
    for (uint32_t j = begin; j < begin + count; j += 2 * STEP) {
        const __m512i low = _mm512_i64gather_epi64(g->at[0], g->base + j, 1);
        const __m512i high = _mm512_i64gather_epi64(g->at[1], g->base + j, 1);
        const __m512i first = _mm512_permutex2var_epi32(low, even, high);
        const __m512i next = _mm512_permutex2var_epi32(low, _mm512_add_epi32(even, ALL(1)), high);
        hits = match_four(t, slots_of(t, end_symbols(g, first, j)), r, j, words, is_few, taken, hits);
        if (j + STEP < begin + count)
            hits = match_four(t, slots_of(t, end_symbols(g, next, j + STEP)), r, j + STEP, words, is_few, taken, hits);
    }
    return hits;
}

INLINE __m512i count_taken(const __m512i *taken, uint32_t words)
{
    __m512i count = _mm512_popcnt_epi32(taken[0]);
    for (uint32_t w = 1; w < words; w++)
        count = _mm512_add_epi32(count, _mm512_popcnt_epi32(taken[w]));
    return count;
}

/* Whether any text may still have enough matches, if all of its symbols from j on match. */
INLINE int is_hopeful(const group *g, __m512i matched, uint32_t j)
{
    const __m512i most = _mm512_add_epi32(matched, _mm512_subs_epu16(g->length, ALL(j)));
    return (_mm512_cmpge_epu32_mask(most, g->bound) & g->lanes) != 0;
}

/* Stores a pair of 32 bits of each lane. */
INLINE void store_pairs(__m512i first, __m512i second, void *out)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(first, low, second));
    _mm512_storeu_si512((char *)out + 64, _mm512_permutex2var_epi32(first, _mm512_add_epi32(low, ALL(8)), second));
}

/* Matches the symbols of all texts of a group. Returns their numbers, or less where all are below their bounds. */
INLINE __m512i match_group(const group *g, const table *t, reach r, uint32_t words, int is_few, matches *out)
{
    __m512i taken[WORDS];
    for (uint32_t w = 0; w < WORDS; w++)
        taken[w] = ALL(0);
    for (uint32_t begin = 0; begin < g->longest; begin += CHUNK) {
        __m512i hits[2] = {ALL(0), ALL(0)};
        if (begin > 0 && !is_hopeful(g, count_taken(taken, words), begin))
            break;
        hits[0] = match_some(g, t, &r, begin, words, is_few, taken);
        if (begin + BITS < g->longest)
            hits[1] = match_some(g, t, &r, begin + BITS, words, is_few, taken);
        store_pairs(hits[0], hits[1], out->hits[begin / CHUNK]);
    }
    for (uint32_t w = 0; w < words; w += 2)
        store_pairs(taken[w], taken[w + 1], out->taken[w / 2]);
    return count_taken(taken, words);
}

/* ------------------------------------------------------------------------------------------------------------ order */

/* Writes the symbols of a string that have their bits; up to 64 bytes more are written. */
INLINE void pack(const uint8_t *symbols, const uint64_t (*bits)[LANES], uint32_t lane, uint32_t length, uint8_t *out)
{
    for (uint32_t j = 0; j < length; j += CHUNK) {
        const uint64_t here = bits[j / CHUNK][lane];
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(here, load_symbols(symbols + j, length - j)));
        out += _mm_popcnt_u64(here);
    }
}

/* How many matches of a lane are out of order. */
INLINE uint32_t count_apart(const akin_lanes_job *job, const matches *found, uint32_t lane, const uint8_t *text,
                            uint32_t length, uint32_t matched)
{
    uint8_t left[WORDS * BITS + CHUNK], right[AKIN_LANES_LONGEST + CHUNK];
    uint32_t apart = 0;
    pack(job->pattern, found->taken, lane, job->length, left);
    pack(text, found->hits, lane, length, right);
    for (uint32_t i = 0; i < matched; i += CHUNK)
        apart += (uint32_t)_mm_popcnt_u64(
            _mm512_cmpneq_epi8_mask(load_symbols(left + i, matched - i), load_symbols(right + i, matched - i)));
    return apart;
}

/* The same where both strings have one chunk. */
INLINE uint32_t count_apart_short(const table *t, const matches *found, uint32_t lane, const uint8_t *text)
{
    const __m512i left = _mm512_maskz_compress_epi8(found->taken[0][lane], t->symbols);
    const __m512i right = _mm512_maskz_compress_epi8(found->hits[0][lane], _mm512_loadu_si512(text));
    return (uint32_t)_mm_popcnt_u64(_mm512_cmpneq_epi8_mask(left, right));
}

/* The texts that may be alike enough: up to 2 m (m (1 / a + 1 / b) + rest) of m matches may be out of order. */
INLINE __mmask16 are_alike(const akin_lanes_job *job, const group *g, uint32_t first, __m512i matched, __m512i apart)
{
    const __m512 m = _mm512_cvtepi32_ps(matched), length = _mm512_cvtepi32_ps(g->length);
    const __m512 each = _mm512_add_ps(_mm512_div_ps(_mm512_set1_ps(1), length), _mm512_set1_ps(1 / (float)job->length));
    const __m512 sum = _mm512_add_ps(_mm512_mul_ps(m, each), _mm512_loadu_ps(job->rest + first));
    const __m512 most = _mm512_add_ps(_mm512_mul_ps(_mm512_add_ps(m, m), sum), _mm512_set1_ps(SLACK));
    return _mm512_cmp_ps_mask(_mm512_cvtepi32_ps(apart), most, _CMP_LE_OQ);
}

/* Notes the lanes, which are those of texts from text `first` on, behind those that are noted. */
INLINE void note_lanes(const akin_lanes_job *job, uint32_t first, __mmask16 lanes)
{
    const __m512i all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_storeu_si512(job->kept + *job->kept_count,
                        _mm512_maskz_compress_epi32(lanes, _mm512_add_epi32(all, ALL(first))));
    *job->kept_count += (uint32_t)__builtin_popcount(lanes);
}

INLINE void order_group(const akin_lanes_job *job, const table *t, const group *g, uint32_t first, const matches *found,
                        __m512i matched, akin_jaro *out)
{
    _Alignas(64) uint32_t apart[LANES] = {0}, counts[LANES];
    __mmask16 enough = g->lanes & _mm512_cmpge_epu32_mask(matched, g->bound);
    uint32_t lanes = enough & _mm512_test_epi32_mask(matched, matched);
    if (job->length <= CHUNK && g->longest <= CHUNK) {
        for (; lanes; lanes &= lanes - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            apart[lane] = count_apart_short(t, found, lane, job->symbols + job->at[first + lane]);
        }
    } else {
        _mm512_store_si512(counts, matched);
        for (; lanes; lanes &= lanes - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            apart[lane] = count_apart(job, found, lane, job->symbols + job->at[first + lane],
                                      job->lengths[first + lane], counts[lane]);
        }
    }
    const __m512i second = _mm512_load_si512(apart);
    if (job->rest)
        enough &= are_alike(job, g, first, matched, second);
    if (job->kept)
        note_lanes(job, first, enough);
    store_pairs(matched, second, out + first);
}

/* ------------------------------------------------------------------------------------------------------------- jobs */

INLINE void match_job(const akin_lanes_job *job, const pattern *p, uint32_t words, int is_few, akin_jaro *out)
{
    const table t = load_table(job, p, words, is_few);
    windows windows = {.bits = job->room};
    matches found;
    for (uint32_t first = 0; first < job->count;) {
        const group g = group_of(job, first, words == 1);
        list_windows(&g, words, &windows);
        reach r = {.is_mixed = 0, .bits = windows.bits, .windows = g.windows};
        __m512i matched;
        if (words == 1 && g.is_mixed) {
            r.is_mixed = 1;
            r.within = _mm512_sub_epi32(power_of(_mm512_add_epi32(g.windows, ALL(1))), ALL(1));
            matched = match_group(&g, &t, r, words, is_few, &found);
        } else {
            matched = match_group(&g, &t, r, words, is_few, &found);
        }
        order_group(job, &t, &g, first, &found, matched, out);
        first += (uint32_t)__builtin_popcount(g.lanes); /* results beyond are written again */
    }
}

/* Whether texts of long patterns, which have one window a group, are too few to fill half of the lanes. */
static int are_sparse(const akin_lanes_job *job, uint32_t words)
{
    const uint32_t shortest = job->lengths[0], longest = job->lengths[job->count - 1], own = job->length;
    const uint32_t first = (shortest > own ? shortest : own) / 2, last = (longest > own ? longest : own) / 2;
    return words > 1 && job->count / (LANES / 2) < last - first + 1;
}

TARGET int akin_lanes_jaro_avx512(const akin_lanes_job *job, akin_jaro *matches)
{
    pattern p;
    const uint32_t words = (job->length + BITS - 1) / BITS;
    if (words > WORDS || job->count == 0 || are_sparse(job, words) || !set_pattern(job, &p))
        return 0;
    const int is_few = p.count <= SLOTS / 2;
    if (words == 1 && is_few)
        match_job(job, &p, 1, 1, matches);
    else if (words <= 2 && is_few)
        match_job(job, &p, 2, 1, matches);
    else if (words == 3 && is_few)
        match_job(job, &p, 3, 1, matches);
    else if (is_few)
        match_job(job, &p, 4, 1, matches);
    else if (words <= 2)
        match_job(job, &p, 2, 0, matches);
    else
        match_job(job, &p, 4, 0, matches);
    return 1;
}
