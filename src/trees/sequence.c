/* The edit distance of two sequences by the furthest places that each diagonal reaches with so many edits. */
#include "trees/sequence.h"

#include "base/bits.h"

#define NOWHERE (INT32_MIN / 2)

uint32_t akin_sequence_edits(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count, uint32_t most,
                             int32_t *reach)
{
    const int64_t last = (int64_t)b_count - a_count, width = 2 * (int64_t)most + 3;
    int32_t *now = reach, *before = reach + width;
    if (last > most || -last > most)
        return most + 1;
    for (int64_t i = 0; i < 2 * width; i++)
        reach[i] = NOWHERE;
    for (int64_t edits = 0; edits <= most; edits++) {
        /* diagonals from which the last one is not too far */
        const int64_t slack = most - edits, from = last - slack > -edits ? last - slack : -edits,
                      to = last + slack < edits ? last + slack : edits;
        for (int64_t d = from; d <= to; d++) {
            const int64_t at = d + most + 1;
            int64_t x = edits == 0 ? 0 : before[at] + 1;
            x = before[at - 1] > x ? before[at - 1] : x;
            x = before[at + 1] + 1 > x ? before[at + 1] + 1 : x;
            x = x > a_count ? a_count : x;
            x = x + d > b_count ? b_count - d : x;
            if (x < 0 || x + d < 0) {
                now[at] = NOWHERE;
                continue;
            }
            x += akin_sequence_common(a + x, b + x + d,
                                      (uint32_t)(a_count - x < b_count - x - d ? a_count - x : b_count - x - d));
            now[at] = (int32_t)x;
            if (d == last && x == a_count)
                return (uint32_t)edits;
        }
        now[from + most] = now[to + most + 2] = NOWHERE;
        int32_t *other = now;
        now = before;
        before = other;
    }
    return most + 1;
}
