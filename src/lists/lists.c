/* Reading an inverted index: blocks, entry by entry or searched. */
#include "lists/lists.h"

/* Whether documents rise, and none is below `base`. A difference of 2^31 or more counts as a fall; mending changes
 * nothing then. Compilers turn the loop into four vector instructions for each vector. */
static int do_rise(const uint32_t documents[AKIN_BLOCK], uint32_t count, uint32_t base)
{
    uint32_t falls = documents[0] - base;
    for (uint32_t i = 1; i < count; i++)
        falls |= documents[i] - documents[i - 1];
    return falls >> 31 == 0;
}

/* Others have changed the words of a block: its documents become such as it could have. */
static void mend_documents(const akin_block_view *view, uint32_t documents[AKIN_BLOCK], uint32_t count)
{
    uint32_t least = view->base;
    for (uint32_t i = 0; i < count; i++) {
        documents[i] = documents[i] < least ? least : documents[i];
        documents[i] = documents[i] > view->block->last ? view->block->last : documents[i];
        least = documents[i];
    }
}

uint32_t akin_block_documents(const akin_block_view *view, uint32_t documents[AKIN_BLOCK])
{
    const uint32_t others = view->block->entries_less_1, low = view->block->low, base = view->base;
    const uint64_t mask = (UINT64_C(1) << low) - 1, *upper = view->upper;
    const char *lower = (const char *)view->lower;
    uint64_t at = 0, place = 0; /* less the entries before */
    uint32_t i = 0;
    for (; i < others && upper < view->lower; upper++, place += 64)
        for (uint64_t ones = *upper; ones && i < others; ones &= ones - 1, i++, at += low) {
            uint64_t half = place + (uint64_t)__builtin_ctzll(ones) - i;
            documents[i] = base + (uint32_t)(half << low | (akin_load_word(lower + at / 8) >> at % 8 & mask));
        }
    for (; i <= others; i++)
        documents[i] = view->block->last;
    if (!do_rise(documents, others + 1, base))
        mend_documents(view, documents, others + 1);
    return others + 1;
}

/* The place behind zero number `zero`, counted from 0, or the end of the words. */
static uint64_t behind_zero(const uint64_t *words, const uint64_t *end, uint64_t zero)
{
    uint64_t word = 0, zeros = 0;
    for (;; word++) {
        if (words + word == end)
            return word * 64;
        zeros = ~words[word];
        uint32_t count = akin_popcount64(zeros);
        if (zero < count)
            break;
        zero -= count;
    }
    for (; zero > 0; zero--)
        zeros &= zeros - 1;
    return word * 64 + (uint64_t)__builtin_ctzll(zeros) + 1;
}

uint32_t akin_block_seek(const akin_block_view *view, uint32_t document, uint32_t *entry)
{
    const uint32_t others = view->block->entries_less_1, low = view->block->low;
    const uint64_t bound = document <= view->base ? 0 : document - view->base, half = bound >> low;
    const uint64_t bits = akin_block_upper(view->block, view->base);
    uint64_t place = half > 0 && others > 0 ? behind_zero(view->upper, view->lower, half - 1) : 0;
    uint32_t i = (uint32_t)(place - half);
    for (; i < others && place < bits; place++) {
        if (!(view->upper[place / 64] >> place % 64 & 1))
            continue;
        uint64_t value = (place - i) << low | akin_packed(view->lower, i, low);
        if (value >= bound) {
            *entry = i;
            return view->base + (uint32_t)value;
        }
        i++;
    }
    *entry = others;
    return view->block->last;
}

uint32_t akin_list_seek(const akin_lists *lists, const akin_list *list, uint32_t from, uint32_t document)
{
    const akin_block *blocks = lists->blocks + list->block;
    uint32_t count = akin_list_blocks(list), step = 1, low = from;
    if (low >= count || blocks[low].last >= document)
        return low;
    while (step < count - low && blocks[low + step].last < document) { /* blocks[low] is before it */
        low += step;
        step *= 2;
    }
    uint32_t high = step < count - low ? low + step : count; /* blocks[high] is not, or there is none */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (blocks[middle].last < document)
            low = middle;
        else
            high = middle;
    }
    return high;
}
