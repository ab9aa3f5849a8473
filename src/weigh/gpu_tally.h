/*
 * What threads of a GPU do to count the tokens of a document, step by step: between two steps those that share the document
 * wait for each other. It is compiled into kernels, and into the GPU that the host plays in tests.
 *
 *     few       32 threads, a token each: how many others are the same, and how many terms are smaller
 *     table     a block: a hash table of terms in shared memory, what it has sorted by term
 *     sorted    keys of all tokens of some documents, sorted in device memory
 */
#ifndef AKIN_WEIGH_GPU_TALLY_H
#define AKIN_WEIGH_GPU_TALLY_H

#include "weigh/gpu_look.h"

#define AKIN_GPU_FEW 32 /* tokens of a document, at most */

/* Terms that the tables of a list have room for: a power of two, half of the slots, and no fewer than there are threads. A
 * document is first tried with the one that has room for half of its tokens, as words repeat. */
#define AKIN_GPU_TERMS_0   512
#define AKIN_GPU_TERMS_1   2048
#define AKIN_GPU_TERMS_2   4096
#define AKIN_GPU_THREADS_0 128
#define AKIN_GPU_THREADS_1 256
#define AKIN_GPU_THREADS_2 512

#ifdef __CUDACC__
AKIN_GPU_FUNCTION uint32_t akin_gpu_add32(uint32_t *to, uint32_t value)
{
    return atomicAdd(to, value);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_exchange32(uint32_t *to, uint32_t before, uint32_t after)
{
    return atomicCAS(to, before, after);
}
#else
AKIN_GPU_FUNCTION uint32_t akin_gpu_add32(uint32_t *to, uint32_t value)
{
    uint32_t before = *to;
    *to += value;
    return before;
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_exchange32(uint32_t *to, uint32_t before, uint32_t after)
{
    uint32_t found = *to;
    if (found == before)
        *to = after;
    return found;
}
#endif

/* The term of a token: that of a new word is known by now. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_term(const akin_gpu_counts *counts, uint64_t token)
{
    const uint32_t value = counts->tokens[token];
    if (!(value & AKIN_GPU_FRESH))
        return value;
    return counts->words[counts->slots[value & ~AKIN_GPU_FRESH] & AKIN_GPU_BELOW].term;
}

/* Which list a document of so many tokens goes to; it has more than a few. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_list_of(uint64_t tokens)
{
    return tokens <= 2 * AKIN_GPU_TERMS_0   ? 0
           : tokens <= 2 * AKIN_GPU_TERMS_1 ? 1
           : tokens <= AKIN_GPU_SORTED      ? 2
                                            : AKIN_GPU_TABLES;
}

AKIN_GPU_FUNCTION void akin_gpu_put_off(const akin_gpu_counts *counts, uint32_t list, uint32_t document)
{
    counts->lists[list][akin_gpu_add32(&counts->waiting->count[list], 1)] = document;
}

/* ------------------------------------------------------------------------------------------------------------- few */

/* The tokens of a short document, and of each its term if it is the first of them, else AKIN_GPU_SPARE. */
typedef struct akin_gpu_few {
    uint32_t terms[AKIN_GPU_FEW], heads[AKIN_GPU_FEW];
} akin_gpu_few;

AKIN_GPU_FUNCTION void akin_gpu_few_read(const akin_gpu_counts *counts, uint32_t document, akin_gpu_few *few,
                                         uint32_t lane)
{
    const uint64_t first = counts->firsts[document], count = counts->firsts[document + (uint64_t)1] - first;
    few->terms[lane] = lane < count ? akin_gpu_term(counts, first + lane) : AKIN_GPU_SPARE;
}

AKIN_GPU_FUNCTION void akin_gpu_few_find_heads(akin_gpu_few *few, uint32_t count, uint32_t lane)
{
    const uint32_t own = few->terms[lane];
    int is_head = 1;
    for (uint32_t i = 0; i < count; i++)
        is_head = is_head && (few->terms[i] != own || i >= lane);
    few->heads[lane] = is_head ? own : AKIN_GPU_SPARE;
}

AKIN_GPU_FUNCTION void akin_gpu_few_write(const akin_gpu_counts *counts, uint32_t document, const akin_gpu_few *few,
                                          uint32_t count, uint32_t lane)
{
    const uint64_t first = counts->firsts[document];
    const uint32_t own = few->heads[lane];
    uint32_t rank = 0, tf = 0, size = 0, length = 0;
    for (uint32_t i = 0; i < count; i++) {
        rank += few->heads[i] < own;
        tf += few->terms[i] == own;
        size += few->heads[i] != AKIN_GPU_SPARE;
        length += few->terms[i] != AKIN_GPU_SPARE;
    }
    if (lane < count && own != AKIN_GPU_SPARE) {
        counts->terms[first + rank] = own;
        counts->tf[first + rank] = tf;
    }
    if (lane == 0) {
        counts->sizes[document] = size;
        counts->lengths[document] = length;
    }
}

/* ----------------------------------------------------------------------------------------------------------- table */

/* In shared memory: `room` terms at most, twice as many slots. */
typedef struct akin_gpu_tally {
    uint64_t *items; /* `room`: places of terms in the slots; then terms with their numbers below */
    uint32_t *terms, *times;
    uint32_t room;
    uint32_t *distinct, *spared, *full;
} akin_gpu_tally;

AKIN_GPU_FUNCTION void akin_gpu_tally_clear(const akin_gpu_tally *tally, uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < 2 * tally->room; i += threads) {
        tally->terms[i] = AKIN_GPU_SPARE;
        tally->times[i] = 0;
    }
    if (thread == 0)
        *tally->distinct = *tally->spared = *tally->full = 0;
}

/* Counts a term; 0: there is no room. A thread that has learnt that goes no further, so no more terms than there are
 * threads come beyond the room, and some slots always stay empty. */
AKIN_GPU_FUNCTION int akin_gpu_tally_count(const akin_gpu_tally *tally, uint32_t term)
{
    const uint32_t mask = 2 * tally->room - 1;
    for (uint32_t at = (term * 0x9e3779b1u >> 15) & mask;; at = (at + 1) & mask) {
        uint32_t seen = tally->terms[at];
        if (seen == AKIN_GPU_SPARE) {
            seen = akin_gpu_exchange32(&tally->terms[at], AKIN_GPU_SPARE, term);
            if (seen == AKIN_GPU_SPARE) {
                uint32_t number = akin_gpu_add32(tally->distinct, 1);
                if (number >= tally->room)
                    return 0;
                tally->items[number] = at;
                seen = term;
            }
        }
        if (seen == term) {
            akin_gpu_add32(&tally->times[at], 1);
            return 1;
        }
    }
}

/* Others read `full` while it is written: an early glance that spares them work, whatever it sees, as all look again once they
 * have waited for each other. The write is atomic, so that this is no race by the rules of memory, either. */
AKIN_GPU_FUNCTION void akin_gpu_tally_fill(const akin_gpu_counts *counts, uint32_t document,
                                           const akin_gpu_tally *tally, uint32_t thread, uint32_t threads)
{
    const uint64_t end = counts->firsts[document + (uint64_t)1];
    volatile uint32_t *full = tally->full;
    uint32_t spared = 0;
    for (uint64_t token = counts->firsts[document] + thread; token < end && !*full; token += threads) {
        const uint32_t term = akin_gpu_term(counts, token);
        if (term == AKIN_GPU_SPARE)
            spared++;
        else if (!akin_gpu_tally_count(tally, term))
            akin_gpu_add32(tally->full, 1);
    }
    if (spared > 0)
        akin_gpu_add32(tally->spared, spared);
}

/* The number of items that are sorted: a power of two. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_tally_items(uint32_t distinct)
{
    uint32_t items = 2;
    while (items < distinct)
        items *= 2;
    return items;
}

AKIN_GPU_FUNCTION void akin_gpu_tally_list(const akin_gpu_tally *tally, uint32_t thread, uint32_t threads)
{
    const uint32_t distinct = *tally->distinct, items = akin_gpu_tally_items(distinct);
    for (uint32_t i = thread; i < items; i += threads) {
        const uint32_t at = i < distinct ? (uint32_t)tally->items[i] : 0;
        tally->items[i] = i < distinct ? (uint64_t)tally->terms[at] << 32 | tally->times[at] : ~(uint64_t)0;
    }
}

/* A step of a bitonic sort: runs of `run` items, every other one falling, items `stride` apart. */
AKIN_GPU_FUNCTION void akin_gpu_tally_order(const akin_gpu_tally *tally, uint32_t items, uint32_t run, uint32_t stride,
                                            uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < items / 2; i += threads) {
        const uint32_t low = 2 * i - (i & (stride - 1)), high = low + stride;
        const uint64_t a = tally->items[low], b = tally->items[high];
        if ((a > b) == ((low & run) == 0)) {
            tally->items[low] = b;
            tally->items[high] = a;
        }
    }
}

AKIN_GPU_FUNCTION void akin_gpu_tally_write(const akin_gpu_counts *counts, uint32_t document,
                                            const akin_gpu_tally *tally, uint32_t thread, uint32_t threads)
{
    const uint64_t first = counts->firsts[document], tokens = counts->firsts[document + (uint64_t)1] - first;
    const uint32_t distinct = *tally->distinct;
    for (uint32_t i = thread; i < distinct; i += threads) {
        counts->terms[first + i] = (uint32_t)(tally->items[i] >> 32);
        counts->tf[first + i] = (uint32_t)tally->items[i];
    }
    if (thread == 0) {
        counts->sizes[document] = distinct;
        counts->lengths[document] = (uint32_t)tokens - *tally->spared;
    }
}

/* ---------------------------------------------------------------------------------------------------------- search */

/* The last of `count` rising numbers, from `low` on, that is not above `value`; the first one is not. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_last(const uint64_t *numbers, uint64_t low, uint64_t count, uint64_t value)
{
    while (count > 1) {
        const uint64_t half = count / 2;
        const int is_beyond = numbers[low + half] > value;
        low += is_beyond ? 0 : half;
        count = is_beyond ? half : count - half;
    }
    return low;
}

/* How many of `count` rising numbers are below `value`. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_below(const uint64_t *numbers, uint64_t count, uint64_t value)
{
    uint64_t low = 0;
    while (count > 0) {
        const uint64_t half = count / 2;
        const int is_below = numbers[low + half] < value;
        low += is_below ? half + 1 : 0;
        count = is_below ? count - half - 1 : half;
    }
    return low;
}

/* ---------------------------------------------------------------------------------------------------------- sorted */

/* The key of a token of a group; those left out come behind all documents. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_group_key(const akin_gpu_counts *counts, const akin_gpu_group *group,
                                              uint64_t token)
{
    const uint64_t i = akin_gpu_last(group->starts, 0, group->count, token);
    const uint32_t term = akin_gpu_term(counts, counts->firsts[group->documents[i]] + (token - group->starts[i]));
    return term == AKIN_GPU_SPARE ? (uint64_t)group->count << group->term_bits : i << group->term_bits | term;
}

/* Where the distinct keys of document `i` of the group begin, of `found` in all; its size comes of that. */
AKIN_GPU_FUNCTION void akin_gpu_group_bound(const akin_gpu_counts *counts, const akin_gpu_group *group,
                                            const uint64_t *keys, uint64_t found, uint64_t *at, uint64_t i)
{
    at[i] = akin_gpu_below(keys, found, i << group->term_bits);
    if (i == group->count)
        return;
    const uint64_t end = akin_gpu_below(keys, found, (i + 1) << group->term_bits);
    counts->sizes[group->documents[i]] = (uint32_t)(end - at[i]);
    counts->lengths[group->documents[i]] = 0;
}

/* Puts distinct key `i` where it belongs. */
AKIN_GPU_FUNCTION void akin_gpu_group_spread(const akin_gpu_counts *counts, const akin_gpu_group *group, uint64_t key,
                                             uint32_t times, const uint64_t *at, uint64_t i)
{
    const uint64_t number = key >> group->term_bits;
    if (number >= group->count)
        return;
    const uint32_t document = group->documents[number];
    const uint64_t to = counts->firsts[document] + (i - at[number]);
    counts->terms[to] = (uint32_t)(key & (((uint64_t)1 << group->term_bits) - 1));
    counts->tf[to] = times;
    akin_gpu_add32(&counts->lengths[document], times);
}

/* ----------------------------------------------------------------------------------------------------------- pairs */

/* Moves pair `i`, of a document from `low` on, `count` of which may have it, to where it stays. */
AKIN_GPU_FUNCTION void akin_gpu_move(const akin_gpu_counts *counts, const akin_gpu_pairs *pairs, uint32_t *df,
                                     uint64_t low, uint64_t count, uint64_t i)
{
    const uint64_t document = akin_gpu_last(pairs->offsets, low, count, i);
    const uint64_t from = counts->firsts[document] + (i - pairs->offsets[document]);
    const uint32_t term = counts->terms[from];
    pairs->ids[i] = term;
    pairs->tf[i] = counts->tf[from];
    akin_gpu_add32(&df[term], 1);
}

/* Finds what term `i` weighs. */
AKIN_GPU_FUNCTION void akin_gpu_find_idf(const akin_gpu_idf *idf, uint64_t i)
{
    const uint32_t df = idf->df[i];
    uint32_t low = 0, count = idf->found;
    while (count > 1) {
        const uint32_t half = count / 2;
        const int is_beyond = idf->distinct[low + half] > df;
        low += is_beyond ? 0 : half;
        count = is_beyond ? half : count - half;
    }
    idf->values[i] = idf->logs[low];
}

/* What pair `i` weighs. */
AKIN_GPU_FUNCTION double akin_gpu_weigh(const akin_formula_terms *formula, double mean, const akin_gpu_pairs *pairs,
                                        const uint32_t *lengths, const double *idf, uint64_t low, uint64_t count,
                                        uint64_t i)
{
    const uint64_t document = akin_gpu_last(pairs->offsets, low, count, i);
    return idf[pairs->ids[i]] *
           akin_formula_factor(formula, akin_formula_norm(formula, lengths[document], mean), pairs->tf[i]);
}

#endif
