/*
 * What threads of a GPU do to count a unit for a query, step by step: between two steps those of the block wait for
 * each other. It is compiled into kernels, and into the GPU that the host plays in tests.
 *
 *     clear      counters := 0
 *     find       for each keyword of the items: its segment of the range, if it has one, into a queue  (rounds of as
 *     add        places and bitmaps of the queue are counted                                           many as threads)
 *     scan       or, in place of find and add: codes of all objects are tested
 *     at least   how many counters reach a count: by halving, the largest count that k of them reach
 *     emit       those above it, and of those that have it the first ones, as keys
 *
 * Counters are packed in words of 32 bits, 4, 2 or 1 of them; arithmetic is that of all of a word at once, in which no
 * counter overflows into the next one, as none counts more than it holds.
 */
#ifndef AKIN_SEARCH_GPU_RANGES_H
#define AKIN_SEARCH_GPU_RANGES_H

#include "device/gpu_step.h"
#include "search/kernels.h"

#ifndef __cplusplus
#include <stdalign.h>
#endif

/* A segment that a query counts. */
typedef struct akin_unit_entry {
    uint64_t cell; /* the first */
    uint32_t size, weight;
} akin_unit_entry;

/* Segments that are to be counted: those of places from the first entry on, bitmaps from the last one back. */
typedef struct akin_unit_queue {
    akin_unit_entry entries[AKIN_UNIT_THREADS];
    unsigned long long reach; /* the sum of all weights so far: no object counts more */
    uint32_t places, bitmaps;
} akin_unit_queue;

/* Four words are read and written at once. */
typedef struct akin_unit_four {
    alignas(16) uint32_t words[4];
} akin_unit_four;

#define AKIN_UNIT_FOURS (AKIN_UNIT_WORDS / 4)

/* What a block shares. */
typedef struct akin_unit {
    uint32_t *words; /* AKIN_UNIT_WORDS, of counters, in fours */
    akin_unit_queue *queue;
    uint32_t range, counter; /* bytes of one, which the kernel knows when it is compiled: so nothing is divided by it */
    uint32_t first, size;    /* places of the range */
} akin_unit;

/* Finds the part and the range of unit `number`, for objects that begin with range `first`. */
AKIN_GPU_FUNCTION void akin_unit_set(akin_unit *u, uint32_t first, uint32_t counter, uint32_t number)
{
    u->counter = counter;
    u->range = first + number / counter;
    u->size = AKIN_RANGE / counter;
    u->first = number % counter * u->size;
}

AKIN_GPU_FUNCTION void akin_unit_clear_words(const akin_unit *u, uint32_t thread)
{
    const akin_unit_four none = {{0, 0, 0, 0}};
    akin_unit_four *fours = (akin_unit_four *)(void *)u->words;
    for (uint32_t t = thread; t < AKIN_UNIT_FOURS; t += AKIN_UNIT_THREADS)
        fours[t] = none;
}

AKIN_GPU_FUNCTION void akin_unit_clear(const akin_unit *u, uint32_t thread)
{
    akin_unit_clear_words(u, thread);
    if (thread == 0) {
        u->queue->reach = 0;
        u->queue->places = u->queue->bitmaps = 0;
    }
}

/* What an object of the unit must count, as far as other units have shown: as much as k objects of one of them, or
 * more, if these come first. */
AKIN_GPU_FUNCTION uint32_t akin_unit_least(uint64_t shown, uint32_t number)
{
    return (uint32_t)(shown >> 32) + (UINT32_MAX - (uint32_t)shown < number);
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* The segment of the range among those of a keyword; 0: it has none. */
AKIN_GPU_FUNCTION int akin_unit_segment(const akin_gpu_objects *o, uint32_t keyword, uint32_t range,
                                        akin_unit_entry *out)
{
    const uint64_t begin = o->lists[keyword].segment, end = o->lists[keyword + (uint64_t)1].segment;
    const uint64_t low = begin + akin_gpu_below32(&o->segments[begin].range, sizeof *o->segments, end - begin, range);
    if (low == end || o->segments[low].range != range)
        return 0;
    const uint32_t from = low > begin ? o->segments[low - 1].end : 0;
    out->cell = o->lists[keyword].cell + from;
    out->size = o->segments[low].end - from;
    return 1;
}

/* Puts the segment of keyword number `index` of the query, if there is one, into the queue. */
AKIN_GPU_FUNCTION void akin_unit_find(const akin_unit *u, const akin_gpu_objects *o, const akin_gpu_batch *batch,
                                      const akin_gpu_query *query, uint64_t index)
{
    const akin_gpu_item *items = batch->items + query->part;
    const akin_gpu_item *item = items + akin_gpu_last64(&items->begin, sizeof *items, query->parts, index);
    const uint32_t keyword = item->first + (uint32_t)(index - item->begin);
    akin_unit_entry entry;
    if (!akin_unit_segment(o, keyword, u->range, &entry))
        return;
    entry.weight = item->weight;
    akin_gpu_add(&u->queue->reach, entry.weight);
    if (entry.size == AKIN_RANGE_CELLS)
        u->queue->entries[AKIN_UNIT_THREADS - 1 - akin_gpu_add32(&u->queue->bitmaps, 1)] = entry;
    else
        u->queue->entries[akin_gpu_add32(&u->queue->places, 1)] = entry;
}

AKIN_GPU_FUNCTION void akin_unit_add_place(const akin_unit *u, uint32_t cell, uint32_t weight)
{
    const uint32_t each = 4 / u->counter, bits = 8 * u->counter,
                   place = cell - u->first; /* far beyond if it is before */
    if (place < u->size)
        akin_gpu_add32(&u->words[place / each], weight << place % each * bits);
}

/* Counts the places of an entry, by the lanes of a warp, which read four cells each: at the ends of the entry there may
 * be others' ones. */
AKIN_GPU_FUNCTION void akin_unit_add_places(const akin_unit *u, const akin_gpu_objects *o, const akin_unit_entry *entry,
                                            uint32_t lane)
{
    const uint32_t from = (uint32_t)(entry->cell % 4), to = from + entry->size, weight = entry->weight;
    const uint64_t *cells = (const uint64_t *)(const void *)(o->cells + (entry->cell - from));
    for (uint32_t c = 4 * lane; c < to; c += 4 * 32) {
        const uint64_t four = cells[c / 4];
        for (uint32_t i = 0; i < 4; i++)
            if (c + i >= from && c + i < to)
                akin_unit_add_place(u, (uint32_t)(four >> 16 * i) & 0xffff, weight);
    }
}

/* Spreads bits over the counters of a word, the lowest bit first. */
AKIN_GPU_FUNCTION uint32_t akin_unit_spread(uint32_t bits, uint32_t counter)
{
    return counter == 1   ? ((bits & 15) * 0x00204081u) & 0x01010101u
           : counter == 2 ? (bits & 1) | (bits & 2) << 15
                          : bits & 1;
}

/* Adds all bitmaps of the queue: a thread has words of its own, so nothing else may be counted meanwhile. */
AKIN_GPU_FUNCTION void akin_unit_add_bits(const akin_unit *u, const akin_gpu_objects *o, uint32_t thread)
{
    const uint32_t bitmaps = u->queue->bitmaps, each = 4 / u->counter;
    const uint16_t *cells = o->cells + u->first / 16;
    akin_unit_four *fours = (akin_unit_four *)(void *)u->words;
    for (uint32_t t = thread; t < AKIN_UNIT_FOURS && bitmaps > 0; t += AKIN_UNIT_THREADS) {
        akin_unit_four sum = fours[t];
        for (uint32_t b = 0; b < bitmaps; b++) {
            const akin_unit_entry *entry = &u->queue->entries[AKIN_UNIT_THREADS - 1 - b];
            const uint32_t bits = (uint32_t)cells[entry->cell + t / u->counter] >> t % u->counter * 4 * each;
            for (uint32_t w = 0; w < 4; w++)
                sum.words[w] += akin_unit_spread(bits >> w * each, u->counter) * entry->weight;
        }
        fours[t] = sum;
    }
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* The highest bit of each counter in a word. */
AKIN_GPU_FUNCTION uint32_t akin_unit_tops(uint32_t counter)
{
    return counter == 1 ? 0x80808080u : counter == 2 ? 0x80008000u : 0x80000000u;
}

/* A value in each counter. */
AKIN_GPU_FUNCTION uint32_t akin_unit_all(uint32_t value, uint32_t counter)
{
    return counter == 1 ? value * 0x01010101u : counter == 2 ? value * 0x00010001u : value;
}

/* The top bits of those counters for which a <= b. */
AKIN_GPU_FUNCTION uint32_t akin_unit_not_above(uint32_t a, uint32_t b, uint32_t tops)
{
    const uint32_t apart = (b | tops) - (a & ~tops); /* its top bit says whether the lower bits suffice */
    return ((b & ~a) | (~(a ^ b) & apart)) & tops;
}

/* a - b, counter by counter. */
AKIN_GPU_FUNCTION uint32_t akin_unit_minus(uint32_t a, uint32_t b, uint32_t tops)
{
    return ((a | tops) - (b & ~tops)) ^ ((a ^ ~b) & tops);
}

/* ------------------------------------------------------------------------------------------------------------ scans */

/* Four ones or zeros, a byte each: whether codes, of one byte or of two, are within the test, all of whose numbers are
 * in each of them. */
AKIN_GPU_FUNCTION uint32_t akin_unit_test_narrow(uint32_t codes, uint32_t low, uint32_t span)
{
    const uint32_t tops = akin_unit_tops(1);
    return akin_unit_not_above(akin_unit_minus(codes, low, tops), span, tops) >> 7;
}

AKIN_GPU_FUNCTION uint32_t akin_unit_test_wide(uint32_t codes, uint32_t more, uint32_t low, uint32_t span)
{
    const uint32_t tops = akin_unit_tops(2);
    const uint32_t a = akin_unit_not_above(akin_unit_minus(codes, low, tops), span, tops);
    const uint32_t b = akin_unit_not_above(akin_unit_minus(more, low, tops), span, tops);
    return (a >> 15 & 1) | (a >> 31) << 8 | (b >> 15 & 1) << 16 | (b >> 31) << 24;
}

/* Adds what a test says of 16 objects, whose codes begin at `from`. */
AKIN_GPU_FUNCTION void akin_unit_test_more(akin_unit_four *sum, const uint8_t *from, const akin_gpu_test *test)
{
    const akin_unit_four *fours = (const akin_unit_four *)(const void *)from;
    const akin_unit_four codes = fours[0];
    if (test->width == 1) {
        for (uint32_t w = 0; w < 4; w++)
            sum->words[w] += akin_unit_test_narrow(codes.words[w], test->low, test->span) * test->weight;
    } else {
        const akin_unit_four more = fours[1];
        for (uint32_t w = 0; w < 2; w++) {
            sum->words[w] +=
                akin_unit_test_wide(codes.words[2 * w], codes.words[2 * w + 1], test->low, test->span) * test->weight;
            sum->words[2 + w] +=
                akin_unit_test_wide(more.words[2 * w], more.words[2 * w + 1], test->low, test->span) * test->weight;
        }
    }
}

/* What a thread has of a unit that is scanned: so often 16 objects side by side, whose counters are as many fours as
 * one has bytes. */
#define AKIN_UNIT_SOMES(counter) (AKIN_UNIT_FOURS / AKIN_UNIT_THREADS / (counter))

/* Adds bytes `scale` times to the counters of the same 16 objects, and clears them. */
AKIN_GPU_FUNCTION void akin_unit_widen(akin_unit_four *bytes, uint32_t scale, uint32_t counter, akin_unit_four *fours)
{
    for (uint32_t w = 0; w < 4 * counter; w++) {
        const uint32_t some = bytes->words[w / counter] >> w % counter * (32 / counter);
        const uint32_t spread = counter == 1 ? some : counter == 2 ? (some & 0xff) | (some & 0xff00) << 8 : some & 0xff;
        fours[w / 4].words[w % 4] += spread * scale;
    }
    for (uint32_t w = 0; w < 4; w++)
        bytes->words[w] = 0;
}

/* The same of all that the thread has. */
AKIN_GPU_FUNCTION void akin_unit_flush(const akin_unit *u, akin_unit_four *bytes, uint32_t scale, uint32_t thread)
{
    akin_unit_four *fours = (akin_unit_four *)(void *)u->words;
    for (uint32_t i = 0; i < AKIN_UNIT_SOMES(u->counter); i++)
        akin_unit_widen(&bytes[i], scale, u->counter, &fours[(thread + i * AKIN_UNIT_THREADS) * u->counter]);
}

/* Clears the counters of those of the 16 objects from `first` on that are not below `count`. */
AKIN_GPU_FUNCTION void akin_unit_leave_out(akin_unit_four *fours, uint32_t counter, uint64_t first, uint64_t count)
{
    const uint32_t each = 4 / counter;
    for (uint32_t w = 0; w < 4 * counter; w++) {
        const uint64_t object = first + (uint64_t)w * each;
        if (object + each > count) {
            const uint32_t left = count > object ? (uint32_t)(count - object) : 0;
            fours[w / 4].words[w % 4] &= ((uint32_t)1 << 8 * counter * left) - 1;
        }
    }
}

/*
 * Counts all objects of the unit by the tests. Counts stay in registers, as bytes: where counters are wider, bytes are
 * added to them before they could overflow, and a test of a larger weight is a byte that says whether it counts. Beyond
 * the last object codes of what lies behind are tested, and not counted.
 */
AKIN_GPU_FUNCTION void akin_unit_scan(const akin_unit *u, const akin_gpu_objects *o, const akin_gpu_batch *batch,
                                      const akin_gpu_query *query, uint32_t thread)
{
    const akin_gpu_test *tests = batch->tests + query->part;
    const uint64_t begin = (uint64_t)u->range * AKIN_RANGE + u->first, before = (uint64_t)o->first * AKIN_RANGE;
    akin_unit_four bytes[AKIN_UNIT_SOMES(1)] = {{{0, 0, 0, 0}}}, *fours = (akin_unit_four *)(void *)u->words;
    uint32_t most = 0; /* that a byte can be */
    for (uint32_t t = 0; t < query->parts; t++) {
        akin_gpu_test test = tests[t];
        const uint32_t scale = u->counter > 1 && test.weight > 255 ? test.weight : 1;
        test.weight = scale > 1 ? 1 : test.weight;
        test.low = akin_unit_all(test.low, test.width);
        test.span = akin_unit_all(test.span, test.width);
        if (u->counter > 1 && (scale > 1 || most + test.weight > 255)) {
            akin_unit_flush(u, bytes, 1, thread);
            most = 0;
        }
        for (uint32_t i = 0; i < AKIN_UNIT_SOMES(u->counter); i++) {
            const uint64_t object = begin + 16 * (uint64_t)(thread + i * AKIN_UNIT_THREADS);
            if (object < o->count)
                akin_unit_test_more(&bytes[i], o->codes + test.begin + (object - before) * test.width, &test);
        }
        most += test.weight;
        if (scale > 1) {
            akin_unit_flush(u, bytes, scale, thread);
            most = 0;
        }
    }
    akin_unit_flush(u, bytes, 1, thread);
    for (uint32_t i = 0; i < AKIN_UNIT_SOMES(u->counter); i++) {
        const uint32_t some = thread + i * AKIN_UNIT_THREADS;
        akin_unit_leave_out(&fours[some * u->counter], u->counter, begin + 16 * (uint64_t)some, o->count);
    }
}

/* ------------------------------------------------------------------------------------------------------------- best */

/* Of the thread's counters, those that are `count` or more. */
AKIN_GPU_FUNCTION uint32_t akin_unit_at_least(const akin_unit *u, uint32_t count, uint32_t thread)
{
    const uint32_t tops = akin_unit_tops(u->counter), all = akin_unit_all(count, u->counter);
    uint32_t found = 0;
    for (uint32_t w = thread; w < AKIN_UNIT_WORDS; w += AKIN_UNIT_THREADS)
        found += akin_gpu_ones(akin_unit_not_above(all, u->words[w], tops));
    return found;
}

/* Where a thread's keys go: it has AKIN_UNIT_OWN words side by side here, so that objects of one count come in their
 * order. */
typedef struct akin_unit_share {
    uint32_t above, equal; /* counters above the count, and of it: of the thread, and then of those before it */
    uint32_t words;        /* of its own, those that have any: a bit each */
} akin_unit_share;

#define AKIN_UNIT_OWN (AKIN_UNIT_WORDS / AKIN_UNIT_THREADS)

/* Threads begin at different ones of their words, so that those of a warp are in different banks. */
AKIN_GPU_FUNCTION akin_unit_share akin_unit_weigh(const akin_unit *u, uint32_t count, uint32_t thread)
{
    const uint32_t tops = akin_unit_tops(u->counter), all = akin_unit_all(count, u->counter);
    akin_unit_share share = {0, 0, 0};
    for (uint32_t i = 0; i < AKIN_UNIT_OWN; i++) {
        const uint32_t w = (i + thread / 2) % AKIN_UNIT_OWN, word = u->words[thread * AKIN_UNIT_OWN + w];
        const uint32_t reached = akin_unit_not_above(all, word, tops);
        const uint32_t above = tops & ~akin_unit_not_above(word, all, tops);
        share.above += akin_gpu_ones(above);
        share.equal += akin_gpu_ones(reached & ~above);
        share.words |= (uint32_t)(reached != 0) << w;
    }
    return share;
}

/* Writes the thread's keys: first those above the count, `above` of all threads; behind them those that have the count,
 * while there is room. `before` has the thread's own `words`. */
AKIN_GPU_FUNCTION void akin_unit_emit(const akin_unit *u, uint32_t count, akin_unit_share before, uint32_t above,
                                      uint32_t room, uint64_t *keys, uint32_t thread)
{
    const uint32_t each = 4 / u->counter, bits = 8 * u->counter;
    const uint32_t mask = u->counter == 4 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
    uint32_t at = before.above, equal = above + before.equal;
    for (uint32_t words = before.words; words; words &= words - 1) {
        const uint32_t w = thread * AKIN_UNIT_OWN + akin_gpu_lowest(words);
        for (uint32_t i = 0; i < each; i++) {
            const uint32_t value = u->words[w] >> i * bits & mask;
            const uint32_t object = u->range * AKIN_RANGE + u->first + w * each + i;
            if (value > count && at < room)
                keys[at++] = AKIN_TOP_KEY(value, object);
            else if (value == count && equal < room)
                keys[equal++] = AKIN_TOP_KEY(value, object);
        }
    }
}

#endif
