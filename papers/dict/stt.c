/* Fills, checks and selects in state-transition tables. */
#include "papers/dict/stt.h"

#include <string.h>

void akin_stt_fill(uint32_t *next, uint32_t columns, uint32_t symbol, const uint32_t *ones, uint64_t count,
                   uint32_t first)
{
    for (uint64_t i = 0; i < count; i++)
        next[(uint64_t)ones[i] * columns + symbol] = (uint32_t)(first + i);
}

const char *akin_stt_check(akin_stt stt, uint64_t nodes, const uint32_t *first, const uint32_t *counts)
{
    uint32_t seen[256] = {0};
    for (uint64_t node = 0; node < nodes; node++)
        for (uint32_t symbol = 0; symbol < stt.columns; symbol++) {
            uint32_t next = stt.next[node * stt.columns + symbol];
            if (next == AKIN_STT_NONE)
                continue;
            if (seen[symbol] == counts[symbol] || next != first[symbol] + seen[symbol])
                return "a transition is not the one that comes next";
            seen[symbol]++;
        }
    return memcmp(seen, counts, stt.columns * sizeof *seen) == 0 ? NULL : "there are fewer transitions than it says";
}

/* In a column, the entries other than AKIN_STT_NONE rise. */
uint32_t akin_stt_select(akin_stt stt, uint64_t nodes, uint32_t symbol, uint32_t next)
{
    uint64_t low = 0, high = nodes;
    for (;;) {
        const uint64_t middle = low + (high - low) / 2;
        uint64_t at = middle;
        while (at < high && stt.next[at * stt.columns + symbol] == AKIN_STT_NONE)
            at++;
        uint32_t found = at < high ? stt.next[at * stt.columns + symbol] : AKIN_STT_NONE;
        if (found == next || high - low <= 1)
            return (uint32_t)at;
        if (found > next)
            high = middle;
        else
            low = at + 1;
    }
}
