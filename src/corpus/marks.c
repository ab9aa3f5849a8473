/* Marks of places, a word at a time. */
#include "corpus/marks.h"

#include "base/bits.h"

#define WORD 64 /* places of a word */

void akin_marks_set(akin_marks *marks, uint64_t begin, uint64_t end)
{
    while (begin < end) {
        const uint64_t bit = begin % WORD, count = akin_min_u64(WORD - bit, end - begin);
        const uint64_t ones = UINT64_MAX >> (WORD - count) << bit;
        atomic_fetch_or_explicit(&marks->words[begin / WORD], ones, memory_order_relaxed);
        begin += count;
    }
}

void akin_marks_unset(akin_marks *marks, uint64_t begin, uint64_t end)
{
    while (begin < end) {
        const uint64_t bit = begin % WORD, count = akin_min_u64(WORD - bit, end - begin);
        const uint64_t ones = UINT64_MAX >> (WORD - count) << bit;
        atomic_fetch_and_explicit(&marks->words[begin / WORD], ~ones, memory_order_relaxed);
        begin += count;
    }
}

/* The same whether marked places are looked for (turn 0) or free ones (all bits). */
static uint64_t next_place(const akin_marks *marks, uint64_t place, uint64_t end, uint64_t turn)
{
    while (place < end) {
        const uint64_t word = atomic_load_explicit(&marks->words[place / WORD], memory_order_relaxed) ^ turn;
        const uint64_t left = word >> place % WORD;
        if (left)
            return akin_min_u64(end, place + (uint64_t)__builtin_ctzll(left));
        place = (place / WORD + 1) * WORD;
    }
    return end;
}

uint64_t akin_marks_next(const akin_marks *marks, uint64_t place, uint64_t end)
{
    return next_place(marks, place, end, 0);
}

uint64_t akin_marks_next_free(const akin_marks *marks, uint64_t place, uint64_t end)
{
    return next_place(marks, place, end, UINT64_MAX);
}
