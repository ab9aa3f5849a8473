/*
 * What threads of a GPU do to count a unit for a query, step by step: between two steps those of the block wait for each other. It is
 * compiled into kernels, and into the GPU that the host plays in tests.
 *
 *     clear      counters := 0
 *     find       for each keyword of the items: its segment of the range, if it has one, into a queue       (rounds of as many
 *     add        places and bitmaps of the queue are counted                                                as there are threads)
 *     scan       or, in place of find and add: codes of all objects are tested
 *     at least   how many counters reach a count: by halving, the largest count that k of them reach
 *     emit       those above it, and of those that have it the first ones, as keys
 *
 * Counters are packed in words of 32 bits, 4, 2 or 1 of them; arithmetic is that of all of a word at once, in which no counter
 * overflows into the next one, as none counts more than it holds.
 */
#ifndef AKIN_SEARCH_GPU_RANGES_H
#define AKIN_SEARCH_GPU_RANGES_H

#include "search/kernels.h"

#ifdef __CUDACC__
#define AKIN_UNIT_STEP static __device__ __forceinline__
#else
#define AKIN_UNIT_STEP static inline
#endif

#ifdef __CUDACC__
AKIN_UNIT_STEP uint32_t akin_unit_add32(uint32_t *to, uint32_t value)
{
    return atomicAdd(to, value);
}

AKIN_UNIT_STEP uint32_t akin_unit_ones(uint32_t word)
{
    return (uint32_t)__popc(word);
}
#else
AKIN_UNIT_STEP uint32_t akin_unit_add32(uint32_t *to, uint32_t value)
{
    return __atomic_fetch_add(to, value, __ATOMIC_RELAXED); /* blocks may be played by threads */
}

AKIN_UNIT_STEP uint32_t akin_unit_ones(uint32_t word)
{
    return (uint32_t)__builtin_popcount(word);
}
#endif

/* A segment that a query counts. */
typedef struct akin_unit_entry {
    uint64_t cell; /* the first */
    uint32_t size, weight;
} akin_unit_entry;

/* What a block shares. */
typedef struct akin_unit {
    uint32_t *words;         /* AKIN_UNIT_WORDS, of counters */
    akin_unit_entry *queue;  /* AKIN_UNIT_THREADS */
    uint32_t *queued;        /* entries of it */
    uint32_t range, counter; /* bytes of one */
    uint32_t first, size;    /* places of the range */
} akin_unit;

/* Which part of which range unit `number` is. */
AKIN_UNIT_STEP void akin_unit_set(akin_unit *u, const akin_gpu_batch *batch, uint32_t number)
{
    u->counter = batch->counter_bytes;
    u->range = number / u->counter;
    u->size = AKIN_RANGE / u->counter;
    u->first = number % u->counter * u->size;
}

AKIN_UNIT_STEP void akin_unit_clear(const akin_unit *u, uint32_t thread)
{
    for (uint32_t w = thread; w < AKIN_UNIT_WORDS; w += AKIN_UNIT_THREADS)
        u->words[w] = 0;
    if (thread == 0)
        *u->queued = 0;
}

/* -------------------------------------------------------------------------------------------------------------- lists */

/* The segment of the range among those of a keyword; 0: it has none. */
AKIN_UNIT_STEP int akin_unit_segment(const akin_gpu_objects *o, uint32_t keyword, uint32_t range, akin_unit_entry *out)
{
    const uint64_t begin = o->lists[keyword].segment, end = o->lists[keyword + (uint64_t)1].segment;
    uint64_t low = begin, count = end - begin;
    while (count > 0) {
        const uint64_t half = count / 2;
        const int is_before = o->segments[low + half].range < range;
        low += is_before ? half + 1 : 0;
        count = is_before ? count - half - 1 : half;
    }
    if (low == end || o->segments[low].range != range)
        return 0;
    const uint32_t from = low > begin ? o->segments[low - 1].end : 0;
    out->cell = o->lists[keyword].cell + from;
    out->size = o->segments[low].end - from;
    return 1;
}

/* Puts the segment of keyword number `index` of the query, if there is one, into the queue. */
AKIN_UNIT_STEP void akin_unit_find(const akin_unit *u, const akin_gpu_objects *o, const akin_gpu_batch *batch,
                                   const akin_gpu_query *query, uint64_t index)
{
    const akin_gpu_item *items = batch->items + query->part;
    uint32_t low = 0, count = query->parts;
    akin_unit_entry entry;
    while (count > 1) { /* the last item that begins no later */
        const uint32_t half = count / 2;
        const int is_later = items[low + half].begin > index;
        low += is_later ? 0 : half;
        count = is_later ? half : count - half;
    }
    const uint32_t keyword = items[low].first + (uint32_t)(index - items[low].begin);
    if (!akin_unit_segment(o, keyword, u->range, &entry))
        return;
    entry.weight = items[low].weight;
    u->queue[akin_unit_add32(u->queued, 1)] = entry;
}

/* Counts the places of an entry, by the lanes of a warp. */
AKIN_UNIT_STEP void akin_unit_add_places(const akin_unit *u, const akin_gpu_objects *o, const akin_unit_entry *entry,
                                         uint32_t lane)
{
    const uint32_t each = 4 / u->counter, bits = 8 * u->counter;
    const uint16_t *cells = o->cells + entry->cell;
    for (uint32_t c = lane; c < entry->size; c += 32) {
        const uint32_t place = cells[c] - u->first; /* far beyond if it is before */
        if (place < u->size)
            akin_unit_add32(&u->words[place / each], entry->weight << place % each * bits);
    }
}

/* The counters that a word of them gets of so many bits, the lowest first. */
AKIN_UNIT_STEP uint32_t akin_unit_spread(uint32_t bits, uint32_t counter)
{
    return counter == 1   ? ((bits & 15) * 0x00204081u) & 0x01010101u
           : counter == 2 ? (bits & 1) | (bits & 2) << 15
                          : bits & 1;
}

/* Adds a bitmap: a thread has words of its own, so nothing else may be counted meanwhile. */
AKIN_UNIT_STEP void akin_unit_add_bits(const akin_unit *u, const akin_gpu_objects *o, const akin_unit_entry *entry,
                                       uint32_t thread)
{
    const uint32_t each = 4 / u->counter, words = 16 / each;
    const uint16_t *cells = o->cells + entry->cell + u->first / 16;
    for (uint32_t g = thread; g < u->size / 16; g += AKIN_UNIT_THREADS) {
        const uint32_t cell = cells[g];
        for (uint32_t w = 0; w < words && cell; w++)
            u->words[g * words + w] += akin_unit_spread(cell >> w * each, u->counter) * entry->weight;
    }
}

/* --------------------------------------------------------------------------------------------------------------- words */

/* The highest bit of each counter in a word. */
AKIN_UNIT_STEP uint32_t akin_unit_tops(uint32_t counter)
{
    return counter == 1 ? 0x80808080u : counter == 2 ? 0x80008000u : 0x80000000u;
}

/* A value in each counter. */
AKIN_UNIT_STEP uint32_t akin_unit_all(uint32_t value, uint32_t counter)
{
    return counter == 1 ? value * 0x01010101u : counter == 2 ? value * 0x00010001u : value;
}

/* The top bits of those counters for which a <= b. */
AKIN_UNIT_STEP uint32_t akin_unit_not_above(uint32_t a, uint32_t b, uint32_t tops)
{
    const uint32_t apart = (b | tops) - (a & ~tops); /* its top bit says whether the lower bits suffice */
    return ((b & ~a) | (~(a ^ b) & apart)) & tops;
}

/* a - b, counter by counter. */
AKIN_UNIT_STEP uint32_t akin_unit_minus(uint32_t a, uint32_t b, uint32_t tops)
{
    return ((a | tops) - (b & ~tops)) ^ ((a ^ ~b) & tops);
}

/* --------------------------------------------------------------------------------------------------------------- scans */

/* Four ones or zeros, a byte each: whether codes of 4 objects from `object` on, a multiple of 4, are within the test. */
AKIN_UNIT_STEP uint32_t akin_unit_test(const uint8_t *codes, const akin_gpu_test *test, uint64_t object)
{
    const uint32_t *from = (const uint32_t *)(const void *)(codes + test->begin + object * test->width);
    const uint32_t counter = test->width, tops = akin_unit_tops(counter);
    const uint32_t low = akin_unit_all(test->low, counter), span = akin_unit_all(test->span, counter);
    const uint32_t hits = akin_unit_not_above(akin_unit_minus(from[0], low, tops), span, tops);
    if (counter == 1)
        return hits >> 7;
    const uint32_t more = akin_unit_not_above(akin_unit_minus(from[1], low, tops), span, tops);
    return (hits >> 15 & 1) | (hits >> 31) << 8 | (more >> 15 & 1) << 16 | (more >> 31) << 24;
}

/* Counts all objects of the unit by the tests; counters are of one byte. */
AKIN_UNIT_STEP void akin_unit_scan(const akin_unit *u, const akin_gpu_objects *o, const akin_gpu_batch *batch,
                                   const akin_gpu_query *query, uint32_t thread)
{
    const akin_gpu_test *tests = batch->tests + query->part;
    const uint64_t begin = (uint64_t)u->range * AKIN_RANGE;
    for (uint32_t w = thread; w < AKIN_UNIT_WORDS && begin + 4 * (uint64_t)w < o->count; w += AKIN_UNIT_THREADS) {
        const uint64_t object = begin + 4 * (uint64_t)w, left = o->count - object;
        uint32_t counts = 0;
        for (uint32_t t = 0; t < query->parts; t++)
            counts += akin_unit_test(o->codes, &tests[t], object) * tests[t].weight;
        u->words[w] = left >= 4 ? counts : counts & (((uint32_t)1 << 8 * (uint32_t)left) - 1);
    }
}

/* ---------------------------------------------------------------------------------------------------------------- best */

/* Of the thread's counters, those that are `count` or more. */
AKIN_UNIT_STEP uint32_t akin_unit_at_least(const akin_unit *u, uint32_t count, uint32_t thread)
{
    const uint32_t tops = akin_unit_tops(u->counter), all = akin_unit_all(count, u->counter);
    uint32_t found = 0;
    for (uint32_t w = thread; w < AKIN_UNIT_WORDS; w += AKIN_UNIT_THREADS)
        found += akin_unit_ones(akin_unit_not_above(all, u->words[w], tops));
    return found;
}

/* Where a thread's keys go: it has AKIN_UNIT_WORDS / AKIN_UNIT_THREADS words side by side here, so that objects of one count come in
 * their order. */
typedef struct akin_unit_share {
    uint32_t above, equal; /* counters above the count, and of it: of the thread, and then of those before it */
} akin_unit_share;

AKIN_UNIT_STEP akin_unit_share akin_unit_weigh(const akin_unit *u, uint32_t count, uint32_t thread)
{
    const uint32_t own = AKIN_UNIT_WORDS / AKIN_UNIT_THREADS, tops = akin_unit_tops(u->counter);
    const uint32_t all = akin_unit_all(count, u->counter);
    akin_unit_share share = {0, 0};
    for (uint32_t w = thread * own; w < (thread + 1) * own; w++) {
        const uint32_t reached = akin_unit_ones(akin_unit_not_above(all, u->words[w], tops));
        const uint32_t below = akin_unit_ones(akin_unit_not_above(u->words[w], all, tops));
        const uint32_t above = 4 / u->counter - below;
        share.above += above;
        share.equal += reached - above;
    }
    return share;
}

/* Writes the thread's keys: those above the count, of which there are `above` in all, and of those that have it as many as there is room
 * for behind them. */
AKIN_UNIT_STEP void akin_unit_emit(const akin_unit *u, uint32_t count, akin_unit_share before, uint32_t above,
                                   uint32_t room, uint64_t *keys, uint32_t thread)
{
    const uint32_t own = AKIN_UNIT_WORDS / AKIN_UNIT_THREADS, each = 4 / u->counter, bits = 8 * u->counter;
    const uint32_t mask = u->counter == 4 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
    uint32_t at = before.above, equal = above + before.equal;
    for (uint32_t w = thread * own; w < (thread + 1) * own; w++)
        for (uint32_t i = 0; i < each; i++) {
            const uint32_t value = u->words[w] >> i * bits & mask;
            const uint32_t object = u->range * AKIN_RANGE + u->first + w * each + i;
            if (value > count && at < room)
                keys[at++] = AKIN_TOP_KEY(value, object);
            else if (value == count && equal < room)
                keys[equal++] = AKIN_TOP_KEY(value, object);
        }
}

#endif
