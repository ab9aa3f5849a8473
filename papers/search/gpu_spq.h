/*
 * SPQ (GENIE, appendix): how the threads of a GPU select the k largest counts of a table, step by step. The threads of
 * a block wait for each other between two steps. This code is compiled into kernels, and into the GPU that the host
 * plays in tests.
 *
 *     begin      the objects that count anything: how many, and the largest count
 *     fill       candidates are dealt to buckets by their counts
 *     choose     the bucket that has the k-th
 *     weigh      those of the buckets above are among the best; those of it are the candidates
 *     keep       of the next round, in the order of objects
 *     emit       of the candidates that are left, all of one count or no more than are wanted, the first ones
 *
 * Fill, choose, weigh and keep are a round. Rounds end when no more candidates are left than are wanted, or when all
 * candidates have the same count.
 *
 * Candidates of the first round are all objects, but for those that count nothing. In later rounds they are `ids`, and
 * each list takes the place of the one before. That is safe: a block reads a tile before it writes one, and never
 * writes beyond what it has read.
 */
#ifndef AKIN_PAPERS_SEARCH_GPU_SPQ_H
#define AKIN_PAPERS_SEARCH_GPU_SPQ_H

#include "search/gpu_ranges.h"
#include "papers/search/kernels.h"

#define AKIN_SPQ_BUCKETS 256u
#define AKIN_SPQ_OWN     4u /* candidates of a thread, of a tile */
#define AKIN_SPQ_TILE    (AKIN_PAPER_THREADS * AKIN_SPQ_OWN)

#ifdef __CUDACC__
AKIN_GPU_FUNCTION void akin_spq_raise(uint32_t *to, uint32_t value)
{
    atomicMax(to, value);
}

AKIN_GPU_FUNCTION void akin_spq_lower(uint32_t *to, uint32_t value)
{
    atomicMin(to, value);
}
#else
AKIN_GPU_FUNCTION void akin_spq_raise(uint32_t *to, uint32_t value)
{
    *to = *to > value ? *to : value;
}

AKIN_GPU_FUNCTION void akin_spq_lower(uint32_t *to, uint32_t value)
{
    *to = *to < value ? *to : value;
}
#endif

/* What a block shares. */
typedef struct akin_spq {
    uint32_t buckets[AKIN_SPQ_BUCKETS]; /* candidates of each */
    uint32_t low, high;                 /* counts that candidates have, from the least to the largest */
    uint32_t next_low, next_high;       /* of the round to come */
    uint32_t candidates;
    uint32_t items; /* that are gone through to find them */
    uint32_t is_first;
    uint32_t taken;  /* keys */
    uint32_t bucket; /* that was chosen */
} akin_spq;

/* The candidates of a thread's share of a tile that go on. */
typedef struct akin_spq_share {
    uint32_t objects[AKIN_SPQ_OWN], count;
} akin_spq_share;

AKIN_GPU_FUNCTION void akin_spq_clear(akin_spq *s, uint32_t objects)
{
    s->low = 1;
    s->high = 1;
    s->candidates = 0;
    s->items = objects;
    s->is_first = 1;
    s->taken = 0;
}

AKIN_GPU_FUNCTION void akin_spq_begin(akin_spq *s, const uint32_t *counts, uint32_t thread)
{
    uint32_t found = 0, most = 1;
    for (uint64_t i = thread; i < s->items; i += AKIN_PAPER_THREADS) {
        found += counts[i] > 0;
        most = counts[i] > most ? counts[i] : most;
    }
    akin_gpu_add32(&s->candidates, found);
    akin_spq_raise(&s->high, most);
}

/* Whether there is to be a round. */
AKIN_GPU_FUNCTION int akin_spq_goes_on(const akin_spq *s, uint32_t k)
{
    return s->candidates > k - s->taken && s->low < s->high;
}

/* Counts of a bucket. */
AKIN_GPU_FUNCTION uint32_t akin_spq_width(const akin_spq *s)
{
    return (s->high - s->low) / AKIN_SPQ_BUCKETS + 1;
}

AKIN_GPU_FUNCTION uint32_t akin_spq_object(const akin_spq *s, const uint32_t *ids, uint64_t item)
{
    return s->is_first ? (uint32_t)item : ids[item];
}

/* Makes the buckets empty; the first thread says what is known of the round to come. */
AKIN_GPU_FUNCTION void akin_spq_empty(akin_spq *s, uint32_t thread)
{
    for (uint32_t i = thread; i < AKIN_SPQ_BUCKETS; i += AKIN_PAPER_THREADS)
        s->buckets[i] = 0;
    if (thread == 0) {
        s->next_low = UINT32_MAX;
        s->next_high = 0;
    }
}

AKIN_GPU_FUNCTION void akin_spq_fill(akin_spq *s, const uint32_t *counts, const uint32_t *ids, uint32_t thread)
{
    const uint32_t width = akin_spq_width(s);
    for (uint64_t i = thread; i < s->items; i += AKIN_PAPER_THREADS) {
        const uint32_t count = counts[akin_spq_object(s, ids, i)];
        if (count >= s->low)
            akin_gpu_add32(&s->buckets[(count - s->low) / width], 1);
    }
}

/* By one thread. */
AKIN_GPU_FUNCTION void akin_spq_choose(akin_spq *s, uint32_t k)
{
    const uint32_t wanted = k - s->taken;
    uint32_t above = 0;
    for (s->bucket = AKIN_SPQ_BUCKETS - 1; above + s->buckets[s->bucket] < wanted; s->bucket--)
        above += s->buckets[s->bucket];
    s->candidates = s->buckets[s->bucket];
}

/* Writes the keys of the thread's candidates of a tile that are above the bucket; returns those in it. */
AKIN_GPU_FUNCTION akin_spq_share akin_spq_weigh(akin_spq *s, const uint32_t *counts, const uint32_t *ids, uint64_t tile,
                                                uint64_t *keys, uint32_t thread)
{
    const uint32_t width = akin_spq_width(s);
    akin_spq_share share = {{0}, 0};
    for (uint32_t i = 0; i < AKIN_SPQ_OWN; i++) {
        const uint64_t item = tile * AKIN_SPQ_TILE + thread * AKIN_SPQ_OWN + i;
        const uint32_t object = item < s->items ? akin_spq_object(s, ids, item) : 0;
        const uint32_t count = item < s->items ? counts[object] : 0;
        if (count < s->low)
            continue;
        const uint32_t bucket = (count - s->low) / width;
        if (bucket > s->bucket) {
            keys[akin_gpu_add32(&s->taken, 1)] = AKIN_TOP_KEY(count, object);
        } else if (bucket == s->bucket) {
            share.objects[share.count++] = object;
            akin_spq_lower(&s->next_low, count);
            akin_spq_raise(&s->next_high, count);
        }
    }
    return share;
}

AKIN_GPU_FUNCTION void akin_spq_keep(uint32_t *ids, const akin_spq_share *share, uint64_t at)
{
    for (uint32_t i = 0; i < share->count; i++)
        ids[at + i] = share->objects[i];
}

/* The round is over; by one thread. */
AKIN_GPU_FUNCTION void akin_spq_turn(akin_spq *s)
{
    s->low = s->next_low;
    s->high = s->next_high;
    s->items = s->candidates;
    s->is_first = 0;
}

/* All of the thread's candidates in a tile, */
AKIN_GPU_FUNCTION akin_spq_share akin_spq_rest(const akin_spq *s, const uint32_t *counts, const uint32_t *ids,
                                               uint64_t tile, uint32_t thread)
{
    akin_spq_share share = {{0}, 0};
    for (uint32_t i = 0; i < AKIN_SPQ_OWN; i++) {
        const uint64_t item = tile * AKIN_SPQ_TILE + thread * AKIN_SPQ_OWN + i;
        const uint32_t object = item < s->items ? akin_spq_object(s, ids, item) : 0;
        if (item < s->items && counts[object] >= s->low)
            share.objects[share.count++] = object;
    }
    return share;
}

/* and their keys, from place `at` on, as far as there is room. */
AKIN_GPU_FUNCTION void akin_spq_emit(const uint32_t *counts, const akin_spq_share *share, uint64_t *keys, uint64_t at,
                                     uint32_t k)
{
    for (uint32_t i = 0; i < share->count && at + i < k; i++)
        keys[at + i] = AKIN_TOP_KEY(counts[share->objects[i]], share->objects[i]);
}

/* ------------------------------------------------------------------------------------------------------------- scan */

/* Returns four bytes, 1 or 0: whether the codes of the 4 objects from `object` on, a multiple of 4, pass a test. */
AKIN_GPU_FUNCTION uint32_t akin_spq_test(const uint8_t *codes, const akin_gpu_test *test, uint64_t object)
{
    const uint32_t *from = (const uint32_t *)(const void *)(codes + test->begin + object * test->width);
    const uint32_t low = akin_unit_all(test->low, test->width), span = akin_unit_all(test->span, test->width);
    return test->width == 1 ? akin_unit_test_narrow(from[0], low, span)
                            : akin_unit_test_wide(from[0], from[1], low, span);
}

/* Counts the four objects from `object` on, a multiple of 4, by the tests of a query. */
AKIN_GPU_FUNCTION void akin_spq_scan(const akin_gpu_objects *o, const akin_paper_batch *b, uint32_t query,
                                     uint64_t object)
{
    const uint64_t first = query > 0 ? b->ends[query - 1] : 0;
    uint32_t counts[4] = {0, 0, 0, 0};
    for (uint64_t t = first; t < b->ends[query]; t++) {
        const uint32_t hits = akin_spq_test(o->codes, &b->tests[t], object);
        for (uint32_t i = 0; i < 4; i++)
            counts[i] += (hits >> 8 * i & 1) * b->tests[t].weight;
    }
    for (uint32_t i = 0; i < 4 && object + i < b->objects; i++)
        b->counts[(uint64_t)query * b->objects + object + i] = counts[i];
}

#endif
