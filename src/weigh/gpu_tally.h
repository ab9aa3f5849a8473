/*
 * What threads of a GPU do to count the tokens of a document, step by step: between two steps those that share the
 * document wait for each other. It is compiled into kernels, and into the GPU that the host plays in tests.
 *
 *     few       32 threads, a token each: how many others are the same, and how many terms are smaller
 *     table     a block: a hash table of terms in shared memory, and the terms, sorted
 *     sorted    keys of all tokens of some documents, sorted in device memory
 */
#ifndef AKIN_WEIGH_GPU_TALLY_H
#define AKIN_WEIGH_GPU_TALLY_H

#include "weigh/gpu_look.h"

#define AKIN_GPU_FEW 32 /* tokens of a document, at most */

/*
 * The tables of each list: slots, a power of two, the terms that they have room for, and the threads that share one. As
 * words repeat, a document is first tried with a table that has fewer slots than twice its tokens; the last one is as
 * full as tables of this kind may be, since what does not fit there costs far more.
 */
#define AKIN_GPU_SLOTS_0   1024
#define AKIN_GPU_SLOTS_1   4096
#define AKIN_GPU_SLOTS_2   8192
#define AKIN_GPU_SLOTS_3   16384
#define AKIN_GPU_TERMS_0   512
#define AKIN_GPU_TERMS_1   2048
#define AKIN_GPU_TERMS_2   4096
#define AKIN_GPU_TERMS_3   12288
#define AKIN_GPU_THREADS_0 128
#define AKIN_GPU_THREADS_1 256
#define AKIN_GPU_THREADS_2 512
#define AKIN_GPU_THREADS_3 1024
#define AKIN_GPU_AHEAD     4 /* tokens that a thread reads at once */

#define AKIN_GPU_OWN   8 /* keys that a lane has when a warp sorts them, */
#define AKIN_GPU_CHUNK (32 * AKIN_GPU_OWN)

#ifdef __CUDACC__
AKIN_GPU_FUNCTION uint32_t akin_gpu_exchange32(uint32_t *to, uint32_t before, uint32_t after)
{
    return atomicCAS(to, before, after);
}
#else
AKIN_GPU_FUNCTION uint32_t akin_gpu_exchange32(uint32_t *to, uint32_t before, uint32_t after)
{
    uint32_t found = *to;
    if (found == before)
        *to = after;
    return found;
}
#endif

/* The term of what a token came to: that of a new word is known by now. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_term_of(const akin_gpu_counts *counts, uint32_t value)
{
    if (!(value & AKIN_GPU_FRESH))
        return value;
    return counts->words[counts->slots[value & ~AKIN_GPU_FRESH] & AKIN_GPU_BELOW].term;
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_term(const akin_gpu_counts *counts, uint64_t token)
{
    return akin_gpu_term_of(counts, counts->tokens[token]);
}

/* The list for a document of `tokens` tokens, which are more than a few. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_list_of(uint64_t tokens)
{
    return tokens <= 3 * AKIN_GPU_TERMS_0 / 2   ? 0
           : tokens <= 3 * AKIN_GPU_TERMS_1 / 2 ? 1
           : tokens <= 2 * AKIN_GPU_TERMS_2     ? 2
           : tokens <= AKIN_GPU_SORTED          ? 3
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

/*
 * In shared memory. Terms are sorted, not what is counted of them: that is found again by the term.
 *
 *     keys      terms in the order in which they came, then sorted: as many as the power of two that is not below
 *               `room`
 *     terms     slots: a term, or AKIN_GPU_SPARE,
 *     times     and how often it is there
 */
typedef struct akin_gpu_tally {
    uint32_t *keys, *terms, *times;
    uint32_t room, slots; /* slots of this document: a part of the table is enough for a short one */
    uint32_t *distinct, *spared, *full;
} akin_gpu_tally;

/* How many of `most` slots a document of `tokens` tokens takes: all of them, or at least twice its tokens. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_tally_slots(uint64_t tokens, uint32_t most)
{
    uint32_t slots = 4 * AKIN_GPU_FEW;
    while (slots < 2 * tokens && slots < most)
        slots *= 2;
    return slots;
}

AKIN_GPU_FUNCTION void akin_gpu_tally_clear(const akin_gpu_tally *tally, uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < tally->slots; i += threads) {
        tally->terms[i] = AKIN_GPU_SPARE;
        tally->times[i] = 0;
    }
    if (thread == 0)
        *tally->distinct = *tally->spared = *tally->full = 0;
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_tally_home(const akin_gpu_tally *tally, uint32_t term)
{
    return (term * 0x9e3779b1u >> 15) & (tally->slots - 1);
}

/* The slot of a term, which it has or gets now; *is_new says which. No thread goes on once it has learnt that there is
 * no room, but until then there may be terms beyond it, and at last no slot: `slots` says so. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_tally_find(const akin_gpu_tally *tally, uint32_t term, int *is_new)
{
    const uint32_t mask = tally->slots - 1;
    uint32_t at = akin_gpu_tally_home(tally, term);
    *is_new = 0;
    for (uint32_t probe = 0; probe < tally->slots; probe++, at = (at + 1) & mask) {
        uint32_t seen = tally->terms[at];
        while (seen != term && seen != AKIN_GPU_SPARE && ++probe < tally->slots) {
            at = (at + 1) & mask;
            seen = tally->terms[at];
        }
        if (seen == AKIN_GPU_SPARE) {
            seen = akin_gpu_exchange32(&tally->terms[at], AKIN_GPU_SPARE, term);
            *is_new = seen == AKIN_GPU_SPARE;
        }
        if (seen == term || *is_new)
            return at;
    }
    return tally->slots;
}

/* Counts a term; 0: there is no room. */
AKIN_GPU_FUNCTION int akin_gpu_tally_count(const akin_gpu_tally *tally, uint32_t term)
{
    int is_new;
    const uint32_t at = akin_gpu_tally_find(tally, term, &is_new);
    if (at == tally->slots)
        return 0;
    if (is_new) {
        const uint32_t number = akin_gpu_add32(tally->distinct, 1);
        if (number >= tally->room)
            return 0;
        tally->keys[number] = term;
    }
    akin_gpu_add32(&tally->times[at], 1);
    return 1;
}

/* Others read `full` while it is written: an early glance that spares them work, whatever it sees, as all look again
 * once they have waited for each other. The write is atomic, so that this is no race by the rules of memory, either. */
AKIN_GPU_FUNCTION void akin_gpu_tally_fill(const akin_gpu_counts *counts, uint32_t document,
                                           const akin_gpu_tally *tally, uint32_t thread, uint32_t threads)
{
    const uint64_t end = counts->firsts[document + (uint64_t)1];
    volatile uint32_t *full = tally->full;
    uint32_t spared = 0;
    for (uint64_t token = counts->firsts[document] + thread; token < end && !*full; token += AKIN_GPU_AHEAD * threads) {
        uint32_t values[AKIN_GPU_AHEAD];
        for (uint32_t i = 0; i < AKIN_GPU_AHEAD; i++) /* all of them under way, before one is looked at */
            values[i] = token + i * threads < end ? counts->tokens[token + i * threads] : AKIN_GPU_SPARE;
        for (uint32_t i = 0; i < AKIN_GPU_AHEAD; i++) {
            const uint32_t term = akin_gpu_term_of(counts, values[i]);
            if (term == AKIN_GPU_SPARE)
                spared += token + i * threads < end;
            else if (!akin_gpu_tally_count(tally, term))
                akin_gpu_add32(tally->full, 1);
        }
    }
    if (spared > 0)
        akin_gpu_add32(tally->spared, spared);
}

/* The number of keys that are sorted: whole chunks, and a power of two. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_tally_keys(uint32_t distinct)
{
    uint32_t keys = AKIN_GPU_CHUNK;
    while (keys < distinct)
        keys *= 2;
    return keys;
}

AKIN_GPU_FUNCTION void akin_gpu_tally_pad(const akin_gpu_tally *tally, uint32_t keys, uint32_t thread, uint32_t threads)
{
    for (uint32_t i = *tally->distinct + thread; i < keys; i += threads)
        tally->keys[i] = ~(uint32_t)0;
}

AKIN_GPU_FUNCTION void akin_gpu_tally_write(const akin_gpu_counts *counts, uint32_t document,
                                            const akin_gpu_tally *tally, uint32_t thread, uint32_t threads)
{
    const uint64_t first = counts->firsts[document], tokens = counts->firsts[document + (uint64_t)1] - first;
    const uint32_t distinct = *tally->distinct;
    for (uint32_t i = thread; i < distinct; i += threads) {
        const uint32_t term = tally->keys[i];
        uint32_t at = akin_gpu_tally_home(tally, term);
        while (tally->terms[at] != term)
            at = (at + 1) & (tally->slots - 1);
        counts->terms[first + i] = term;
        counts->tf[first + i] = tally->times[at];
    }
    if (thread == 0) {
        counts->sizes[document] = distinct;
        counts->lengths[document] = (uint32_t)tokens - *tally->spared;
    }
}

/* ----------------------------------------------------------------------------------------------------------- order */

/*
 * A step of a bitonic sort in which all runs rise: two runs of `top` keys each become one of 2 top. First the keys of
 * the one are held against those of the other from its end, then keys half as far apart, and so on:
 *
 *     key i against key i ^ mask:    mask = 2 top - 1, then top / 2, top / 4 .. 1
 *     the lower one of the two:      that in whose number the bit `top` is 0, which is halved likewise
 *
 * A warp sorts chunks, AKIN_GPU_OWN keys beside each other being a lane's own; steps from chunk to chunk are those of a
 * block.
 */

/* A step of a block: as many pairs as there are half as many keys. */
AKIN_GPU_FUNCTION void akin_gpu_order_pairs(uint32_t *keys, uint32_t pairs, uint32_t mask, uint32_t top,
                                            uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < pairs; i += threads) {
        const uint32_t low = 2 * i - (i & (top - 1)), high = low ^ mask;
        const uint32_t a = keys[low], b = keys[high];
        keys[low] = a < b ? a : b;
        keys[high] = a < b ? b : a;
    }
}

/* A step of a lane with its own keys and, unless they are as near, with those of lane ^ (mask / AKIN_GPU_OWN). */
AKIN_GPU_FUNCTION void akin_gpu_order_lane(uint32_t *keys, const uint32_t *others, uint32_t mask, uint32_t top,
                                           uint32_t lane)
{
    const int is_upper = (lane & top / AKIN_GPU_OWN) != 0;
    for (uint32_t i = 0; i < AKIN_GPU_OWN; i++) {
        const uint32_t a = keys[i];
        if (top >= AKIN_GPU_OWN) {
            const uint32_t b = others[i ^ (mask % AKIN_GPU_OWN)];
            keys[i] = (a < b) != is_upper ? a : b;
        } else if (!(i & top)) {
            const uint32_t b = keys[i ^ mask];
            keys[i] = a < b ? a : b;
            keys[i ^ mask] = a < b ? b : a;
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- search */

/* The last of `count` rising numbers, from `low` on, that is not above `value`; the first one is not. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_last(const uint64_t *numbers, uint64_t low, uint64_t count, uint64_t value)
{
    return low + akin_gpu_last64(numbers + low, sizeof *numbers, count, value);
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

/* Moves pair `i`, which belongs to one of `count` documents from `low` on, to its final place. */
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
