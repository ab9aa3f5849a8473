/*
 * Distances where the pattern has more than AKIN_LANES_LONGEST rows: to be included by lanes_body.h. The rows are cut
 * into segments that registers and the nearest cache hold. Each segment passes over all symbols of the texts, and of
 * each column notes what goes on to the next segment.
 *
 *                  texts ->  j
 *     segment 0  | columns |    |      carries[j]: from its last row to the first one of the segment below
 *     segment 1  |         |    |
 *     ...
 */
#define SEGMENT_PLACES (AKIN_LANES_WORDS * 256) /* of the symbols in the rows of a segment */

/* One segment, of `rows` rows in up to `words` words; distance: NULL, or those of the last row of all. */
INLINE void NAME(tall_segment)(const NAME(group) * group, const WORD *places, uint32_t rows, uint32_t words, int swaps,
                               NAME(carry) * carries, VECTOR *distance)
{
    const NAME(group) g = *group;
    const NAME(table) table = NAME(table_of)(NULL, places, words, 0);
    const uint32_t top = (rows - 1) % BITS, last = (rows - 1) / BITS;
    NAME(column) columns[AKIN_LANES_WORDS];
    VECTOR slots = ALL(0), sum = ALL(0), more, less;
    for (uint32_t w = 0; w < words; w++)
        columns[w] = (NAME(column))FIRST_COLUMN;
    for (uint32_t j = 0; j < g.longest; j++) {
        if (j % sizeof(WORD) == 0)
            slots = NAME(slots_of)(&table, NAME(gather)(g.base + j, g.at), 0);
        const VECTOR live = WHERE(g.length > ALL(j));
        NAME(carry) carry = carries[j];
#pragma GCC unroll 8
        for (uint32_t w = 0; w < words; w++) {
            NAME(edit_step)(&columns[w], NAME(look_up)(&table, slots, w, 0), &carry, swaps, &more, &less);
            if (w == last)
                sum += live & (((more >> top) & ALL(1)) - ((less >> top) & ALL(1)));
        }
        carries[j] = carry;
        slots >>= 8;
    }
    if (distance)
        *distance += sum;
}

INLINE void NAME(compare_tall)(const akin_lanes_job *job, int swaps, uint32_t *distances)
{
    const uint32_t segments = (job->length + AKIN_LANES_LONGEST - 1) / AKIN_LANES_LONGEST;
    WORD *places = job->room;
    NAME(carry) *carries = (NAME(carry) *)(places + (size_t)segments * SEGMENT_PLACES);
    memset(places, 0, segments * SEGMENT_PLACES * sizeof *places);
    for (uint32_t i = 0; i < job->length; i++)
        places[i / BITS * 256 + job->pattern[i]] |= (WORD)1 << i % BITS;
    for (uint32_t first = 0; first < job->count; first += LANES) {
        const NAME(group) g = NAME(group_of)(job, first);
        VECTOR distance = ALL(job->length);
        WORD result[LANES];
        for (uint32_t j = 0; j < g.longest; j++)
            carries[j] = (NAME(carry))FIRST_CARRY;
        for (uint32_t s = 0; s + 1 < segments; s++)
            NAME(tall_segment)(&g, places + s * SEGMENT_PLACES, AKIN_LANES_LONGEST, 8, swaps, carries, NULL);
        const uint32_t rows = job->length - (segments - 1) * AKIN_LANES_LONGEST;
        const WORD *rest = places + (size_t)(segments - 1) * SEGMENT_PLACES;
        if (rows <= 2 * BITS)
            NAME(tall_segment)(&g, rest, rows, 2, swaps, carries, &distance);
        else if (rows <= 4 * BITS)
            NAME(tall_segment)(&g, rest, rows, 4, swaps, carries, &distance);
        else
            NAME(tall_segment)(&g, rest, rows, 8, swaps, carries, &distance);
        memcpy(result, &distance, sizeof result);
        for (uint32_t lane = 0; lane < LANES; lane++)
            distances[first + lane] = (uint32_t)result[lane];
    }
}

#undef SEGMENT_PLACES
