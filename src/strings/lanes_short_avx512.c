/*
 * Pairs of strings of up to 64 symbols in AVX-512, sixteen side by side: each pattern in a register, a byte a symbol,
 * and the places of a symbol in a word of 64 bits.
 *
 *     texts    are spread: each symbol in all bytes of a word of 32 bits, which a load takes into all of a register
 *     places   of symbol j of all texts are sixteen comparisons, whose masks make two lines of the cache:
 *
 *                  | lane 0 | lane 1 | ... | lane 7 |    | lane 8 | lane 9 | ... | lane 15 |
 *
 *     steps    read these AHEAD symbols later. A load of 64 bytes would wait for eight stores that are on their way.
 *              The two halves go on together, because each step waits for the one before.
 *
 * The bound is the port of comparisons: one a symbol and pair. The steps, some ten operations for eight pairs, mostly
 * find room on the other port.
 */
#include "strings/lanes.h"

#include <immintrin.h>
#include <string.h>

#define TARGET                                                                                                         \
    __attribute__((                                                                                                    \
        target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi,bmi2,"                   \
               "popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define HALVES      2
#define WIDTH       8 /* of a half: words in a register */
#define LANES       (HALVES * WIDTH)
#define MOST        64 /* symbols of a string */
#define AHEAD       8  /* symbols */
#define RING        16 /* symbols whose places are kept, a power of two */
#define LOOK        16 /* columns between two looks at the bounds */
#define ALL(n)      _mm512_set1_epi64((long long)(n))
#define XOR_OR      0xbe /* tables of the ternary operation: (a ^ b) | c, */
#define OR_AND      0xf8 /* a | (b & c), */
#define OR_AND_NOT  0xf2 /* a | (~b & c), */
#define NOT_AND_OR  0x0e /* ~a & (b | c), */
#define AND_AND_NOT 0x40 /* a & b & ~c */

typedef struct room {
    _Alignas(AKIN_LANES_ALIGN) uint32_t spread[LANES][MOST];
    uint64_t places[RING][HALVES][WIDTH];
    uint8_t hits[HALVES][MOST]; /* of Jaro's matches: the lanes of a half whose symbol j matched */
} room;

_Static_assert(sizeof(room) <= AKIN_LANES_ROOM && AHEAD < RING, "places are kept until they are read");

typedef struct group {
    __m512i patterns[LANES];
    __m512i rows[HALVES], length[HALVES]; /* symbols of patterns and of texts */
    const akin_lanes_pair *of[LANES];
    uint32_t first, shortest, longest;
} group;

/* The bits of so many symbols. */
INLINE uint64_t bits_of(uint32_t count)
{
    return _bzhi_u64(~UINT64_C(0), count);
}

INLINE __m512i low_bits(__m512i count)
{
    return _mm512_srlv_epi64(ALL(-1), _mm512_sub_epi64(ALL(64), count));
}

/* Spreads a text; behind its end stands 255. */
INLINE void spread_text(const akin_lanes_pair *pair, uint32_t *out)
{
    const __m512i four =
        _mm512_set_epi32(0x0f0f0f0f, 0x0e0e0e0e, 0x0d0d0d0d, 0x0c0c0c0c, 0x0b0b0b0b, 0x0a0a0a0a, 0x09090909, 0x08080808,
                         0x07070707, 0x06060606, 0x05050505, 0x04040404, 0x03030303, 0x02020202, 0x01010101, 0);
    const __m512i text = _mm512_mask_loadu_epi8(ALL(-1), bits_of(pair->length), pair->text);
#pragma GCC unroll 4
    for (int part = 0; part < 4; part++)
        _mm512_store_si512(out + 16 * part,
                           _mm512_permutexvar_epi8(_mm512_or_si512(four, _mm512_set1_epi8((char)(16 * part))), text));
}

INLINE group group_of(const akin_lanes_pairs *pairs, uint32_t first, room *r)
{
    uint64_t rows[LANES], length[LANES];
    group g;
#pragma GCC unroll 16
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const akin_lanes_pair *pair = akin_lanes_pair_at(pairs, first + lane);
        g.of[lane] = pair;
        g.patterns[lane] = _mm512_maskz_loadu_epi8(bits_of(pair->rows), pair->pattern);
        rows[lane] = pair->rows;
        length[lane] = pair->length;
        spread_text(pair, r->spread[lane]);
    }
    for (uint32_t half = 0; half < HALVES; half++) {
        g.rows[half] = _mm512_loadu_si512(rows + half * WIDTH);
        g.length[half] = _mm512_loadu_si512(length + half * WIDTH);
    }
    g.first = first;
    g.shortest = g.of[0]->length;
    g.longest = g.of[LANES - 1]->length;
    return g;
}

/* Lists where symbol j of each text stands in its pattern. */
INLINE void list_places(const group *g, room *r, uint32_t j)
{
    uint64_t *places = r->places[j % RING][0];
#pragma GCC unroll 16
    for (uint32_t lane = 0; lane < LANES; lane++)
        places[lane] = _mm512_cmpeq_epi8_mask(g->patterns[lane], _mm512_set1_epi32((int)r->spread[lane][j]));
}

INLINE __m512i places_at(const room *r, uint32_t j, uint32_t half)
{
    return _mm512_load_si512(r->places[j % RING][half]);
}

/* Lists the places of the first symbols; returns how many these are. */
INLINE uint32_t list_first(const group *g, room *r)
{
    const uint32_t ahead = g->longest < AHEAD ? g->longest : AHEAD;
    for (uint32_t j = 0; j < ahead; j++)
        list_places(g, r, j);
    return ahead;
}

/* ------------------------------------------------------------------------------------------------------------ edits */

/* A column of the matrix. See edit.c for the names; `at` is of swaps alone. */
typedef struct column {
    __m512i up, down, diagonal, at;
} column;

/* One column further. That the first row is one more is a zero that is shifted into what is not. */
INLINE column next_column(column c, __m512i at, int swaps)
{
    const __m512i sum = _mm512_add_epi64(_mm512_and_si512(at, c.up), c.up);
    __m512i diagonal = _mm512_ternarylogic_epi64(sum, c.up, _mm512_or_si512(at, c.down), XOR_OR);
    if (swaps) {
        const __m512i apart = _mm512_andnot_si512(c.diagonal, at);
        diagonal = _mm512_ternarylogic_epi64(diagonal, _mm512_add_epi64(apart, apart), c.at, OR_AND);
    }
    const __m512i not_more = _mm512_ternarylogic_epi64(c.down, diagonal, c.up, NOT_AND_OR);
    const __m512i less = _mm512_and_si512(diagonal, c.up);
    const __m512i not_below = _mm512_add_epi64(not_more, not_more), less_below = _mm512_add_epi64(less, less);
    return (column){_mm512_ternarylogic_epi64(less_below, diagonal, not_below, OR_AND_NOT),
                    _mm512_andnot_si512(not_below, diagonal), diagonal, at};
}

/* The distances of a half after `columns` columns, or at the ends of texts. */
INLINE __m512i count_edits(const group *g, uint32_t half, column c, uint32_t columns)
{
    const __m512i here = low_bits(g->rows[half]);
    const __m512i up = _mm512_popcnt_epi64(_mm512_and_si512(c.up, here));
    const __m512i down = _mm512_popcnt_epi64(_mm512_and_si512(c.down, here));
    return _mm512_add_epi64(_mm512_min_epu64(g->length[half], ALL(columns)), _mm512_sub_epi64(up, down));
}

/* Whether no lane of a half can keep to its bound any more: no distance falls by more than there are symbols left. */
INLINE int is_hopeless(const akin_lanes_pairs *pairs, const group *g, uint32_t half, column c, uint32_t columns)
{
    uint64_t bound[WIDTH];
    for (uint32_t lane = 0; lane < WIDTH; lane++)
        bound[lane] = akin_lanes_bound_at(pairs, g->first + half * WIDTH + lane);
    const __m512i left = _mm512_sub_epi64(g->length[half], _mm512_min_epu64(g->length[half], ALL(columns)));
    const __m512i most = _mm512_add_epi64(_mm512_loadu_si512(bound), left);
    return _mm512_cmple_epu64_mask(count_edits(g, half, c, columns), most) == 0;
}

/* One column further where texts go on. */
INLINE column go_on(const group *g, uint32_t half, column c, const room *r, uint32_t j, int swaps)
{
    const __mmask8 goes_on = _mm512_cmpgt_epu64_mask(g->length[half], ALL(j));
    column next = next_column(c, places_at(r, j, half), swaps);
    next.up = _mm512_mask_mov_epi64(c.up, goes_on, next.up);
    next.down = _mm512_mask_mov_epi64(c.down, goes_on, next.down);
    return next;
}

INLINE void compare_edits(const akin_lanes_pairs *pairs, const group *g, room *r, int swaps, uint32_t *distances)
{
    column low = {ALL(-1), ALL(0), ALL(0), ALL(0)}, high = low;
    const uint32_t ahead = list_first(g, r), all = g->longest - ahead;
    const uint32_t whole = g->shortest < all ? g->shortest : all;
    uint32_t j = 0;
    while (j < whole) { /* all texts go on, and places are listed */
        const uint32_t end = !pairs->bound || whole - j < LOOK ? whole : j + LOOK;
        for (; j < end; j++) {
            list_places(g, r, j + AHEAD);
            low = next_column(low, places_at(r, j, 0), swaps);
            high = next_column(high, places_at(r, j, 1), swaps);
        }
        if (pairs->bound && is_hopeless(pairs, g, 0, low, j) && is_hopeless(pairs, g, 1, high, j))
            break;
    }
    for (; j < g->longest && j >= whole; j++) {
        if (j < all)
            list_places(g, r, j + AHEAD);
        low = go_on(g, 0, low, r, j, swaps);
        high = go_on(g, 1, high, r, j, swaps);
    }
    const __m256i found[HALVES] = {_mm512_cvtepi64_epi32(count_edits(g, 0, low, j)),
                                   _mm512_cvtepi64_epi32(count_edits(g, 1, high, j))};
    memcpy(distances + g->first, found, sizeof found);
}

/* ------------------------------------------------------------------------------------------------------------- jaro */

/* What matched: places of patterns that are taken, or are behind their ends, and those in the window of a symbol. The
 * highest bits of `coming` are the next ones of that. */
typedef struct matching {
    __m512i taken, within, coming;
} matching;

INLINE matching first_matching(__m512i rows, __m512i length)
{
    const __m512i window = _mm512_subs_epu16(_mm512_srli_epi64(_mm512_max_epu64(rows, length), 1), ALL(1));
    return (matching){_mm512_andnot_si512(low_bits(rows), ALL(-1)), low_bits(_mm512_add_epi64(window, ALL(1))),
                      _mm512_sllv_epi64(ALL(-1), _mm512_sub_epi64(ALL(64), window))};
}

/* Symbol j of each text takes the lowest free place in its window. See jaro.c. */
INLINE matching match_symbols(matching m, room *r, uint32_t j, uint32_t half)
{
    const __m512i open = _mm512_ternarylogic_epi64(places_at(r, j, half), m.within, m.taken, AND_AND_NOT);
    r->hits[half][j] = (uint8_t)_mm512_test_epi64_mask(open, open);
    return (matching){_mm512_ternarylogic_epi64(m.taken, open, _mm512_sub_epi64(ALL(0), open), OR_AND),
                      _mm512_shldi_epi64(m.within, m.coming, 1), _mm512_slli_epi64(m.coming, 1)};
}

/* The matches of a pair: both strings are packed by what matched, and differ where matches are out of order. */
INLINE akin_jaro count_apart(const akin_lanes_pair *pair, uint64_t taken, uint64_t hits)
{
    const __m512i pattern = _mm512_maskz_loadu_epi8(bits_of(pair->rows), pair->pattern);
    const __m512i text = _mm512_maskz_loadu_epi8(bits_of(pair->length), pair->text);
    const uint64_t apart =
        _mm512_cmpneq_epi8_mask(_mm512_maskz_compress_epi8(taken, pattern), _mm512_maskz_compress_epi8(hits, text));
    return (akin_jaro){(uint32_t)_mm_popcnt_u64(hits), (uint32_t)_mm_popcnt_u64(apart)};
}

INLINE void put_matches(const group *g, uint32_t half, matching m, const room *r, akin_jaro *out)
{
    uint64_t taken[WIDTH];
    _mm512_storeu_si512(taken, _mm512_and_si512(m.taken, low_bits(g->rows[half])));
    const __m512i hits = _mm512_maskz_loadu_epi8(bits_of(g->longest), r->hits[half]);
#pragma GCC unroll 8
    for (uint32_t lane = 0; lane < WIDTH; lane++)
        out[lane] = count_apart(g->of[half * WIDTH + lane], taken[lane],
                                _mm512_test_epi8_mask(hits, _mm512_set1_epi8((char)(1 << lane))));
}

INLINE void compare_matches(const group *g, room *r, akin_jaro *matches)
{
    matching low = first_matching(g->rows[0], g->length[0]), high = first_matching(g->rows[1], g->length[1]);
    const uint32_t ahead = list_first(g, r), all = g->longest - ahead;
    uint32_t j = 0;
    for (; j < all; j++) {
        list_places(g, r, j + AHEAD);
        low = match_symbols(low, r, j, 0);
        high = match_symbols(high, r, j, 1);
    }
    for (; j < g->longest; j++) {
        low = match_symbols(low, r, j, 0);
        high = match_symbols(high, r, j, 1);
    }
    put_matches(g, 0, low, r, matches + g->first);
    put_matches(g, 1, high, r, matches + g->first + WIDTH);
}

/* -------------------------------------------------------------------------------------------------------- all pairs */

INLINE void compare(const akin_lanes_pairs *pairs, int is_jaro, int swaps, void *results)
{
    room *r = pairs->room;
    for (uint32_t first = 0; first < pairs->count; first += LANES) {
        const group g = group_of(pairs, first, r);
        if (is_jaro)
            compare_matches(&g, r, results);
        else
            compare_edits(pairs, &g, r, swaps, results);
    }
}

TARGET static void levenshtein(const akin_lanes_pairs *pairs, void *results)
{
    compare(pairs, 0, 0, results);
}

TARGET static void osa(const akin_lanes_pairs *pairs, void *results)
{
    compare(pairs, 0, 1, results);
}

TARGET static void jaro(const akin_lanes_pairs *pairs, void *results)
{
    compare(pairs, 1, 0, results);
}

int akin_lanes_short_avx512(const akin_lanes_pairs *pairs, int is_jaro, int swaps, void *results)
{
    if (pairs->rows > MOST || akin_lanes_pair_at(pairs, pairs->count - 1)->length > MOST)
        return 0;
    (is_jaro ? jaro : swaps ? osa : levenshtein)(pairs, results);
    return 1;
}
