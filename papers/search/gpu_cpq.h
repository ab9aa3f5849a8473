/*
 * c-PQ, the count priority queue (GENIE, section III-C): what a thread of a GPU does when an object counts more, and to
 * select the best of what was counted. It is compiled into kernels, and into the GPU that the host plays in tests.
 *
 *     bitmap counter   a counter for each object, of as few bits as the largest count needs, packed in words of 32
 *     gate             the count that k objects have reached, which is the paper's AuditThreshold - 1. An object whose
 *                      count rises beyond it passes, and raises the ZipperArray for each count that it passes; where k
 *                      objects have reached a count, the gate rises to it
 *     hash table       what passed:   | object: 32 | count: 16 | age: 16 |     0 is an empty slot: no count is 0
 *
 * The table is probed by Robin Hood's rule: an entry takes the slot of one that is younger, less far from where it
 * belongs, which goes on instead. One below the gate can be among the best no more, unless it counts again, and is
 * taken as an empty slot. Threads change a slot by comparing and swapping it, so that no entry is lost; but an object
 * may have older entries beside its last one, which are known by their counts: the bitmap counter has the last. An
 * entry that finds no slot sets the query's `overflow`.
 *
 * A thread looks at the gate only if an object comes beyond what it has seen of it: all threads of a query would wait
 * for that one word, as it is nowhere but in the second cache. Of a bitmap's objects those that share a word of the
 * counter are one atomic addition. What passes is rare, and the threads of a warp wait for it: going on apart, 4 to 6
 * of 32 were at work, and all of it took 5 times as long.
 *
 * When all is counted, objects above the gate are fewer than k, and in the table. Those at the gate may have been left
 * out of it, when the gate had risen before they came; the bitmap counter has them all, in the order of objects.
 */
#ifndef AKIN_PAPERS_SEARCH_GPU_CPQ_H
#define AKIN_PAPERS_SEARCH_GPU_CPQ_H

#include "search/gpu_ranges.h"
#include "papers/search/kernels.h"

#define AKIN_CPQ_PROBES 1024u /* slots that are looked at for an entry, at most */
#define AKIN_CPQ_OWN    4u    /* words that a thread looks at for ties, of a tile */
#define AKIN_CPQ_TILE   (AKIN_PAPER_THREADS * AKIN_CPQ_OWN)

#ifdef __CUDACC__
AKIN_GPU_FUNCTION uint32_t akin_cpq_load32(const uint32_t *from)
{
    return *(const volatile uint32_t *)from;
}

AKIN_GPU_FUNCTION uint64_t akin_cpq_load64(const uint64_t *from)
{
    return *(const volatile uint64_t *)from;
}

AKIN_GPU_FUNCTION void akin_cpq_raise32(uint32_t *to, uint32_t value)
{
    atomicMax(to, value);
}
#else
AKIN_GPU_FUNCTION uint32_t akin_cpq_load32(const uint32_t *from)
{
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

AKIN_GPU_FUNCTION uint64_t akin_cpq_load64(const uint64_t *from)
{
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

AKIN_GPU_FUNCTION void akin_cpq_raise32(uint32_t *to, uint32_t value)
{
    uint32_t before = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (before < value && !__atomic_compare_exchange_n(to, &before, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}
#endif

/* ---------------------------------------------------------------------------------------------------------- a query */

typedef struct akin_cpq {
    uint32_t *counters;
    uint64_t *table;
    uint32_t *reached, *gate, *overflow;
    uint32_t bits, each, slots, shift, most, k;
    /* The gate as the thread has seen it last. The gate only rises, so a count that is not beyond this one is not
     * compared with it again. */
    uint32_t known;
} akin_cpq;

AKIN_GPU_FUNCTION akin_cpq akin_cpq_of(const akin_paper_batch *b, uint32_t query)
{
    akin_cpq q;
    q.counters = b->counters + query * b->words;
    q.table = b->tables + (uint64_t)query * b->slots;
    q.reached = b->reached + query * ((uint64_t)b->most + 2);
    q.gate = b->gates + query;
    q.overflow = b->overflows + query;
    q.bits = b->bits;
    q.each = b->each;
    q.slots = b->slots;
    q.shift = b->shift;
    q.most = b->most;
    q.k = b->k;
    q.known = 0;
    return q;
}

AKIN_GPU_FUNCTION uint32_t akin_cpq_mask(const akin_cpq *q)
{
    return ((uint32_t)1 << q->bits) - 1;
}

AKIN_GPU_FUNCTION uint32_t akin_cpq_counter(const akin_cpq *q, uint32_t object)
{
    return q->counters[object / q->each] >> object % q->each * q->bits & akin_cpq_mask(q);
}

/* ---------------------------------------------------------------------------------------------------------- entries */

AKIN_GPU_FUNCTION uint64_t akin_cpq_entry(uint32_t object, uint32_t count)
{
    return (uint64_t)object << 32 | (uint64_t)count << 16;
}

AKIN_GPU_FUNCTION uint32_t akin_cpq_object(uint64_t entry)
{
    return (uint32_t)(entry >> 32);
}

AKIN_GPU_FUNCTION uint32_t akin_cpq_count(uint64_t entry)
{
    return (uint32_t)entry >> 16;
}

AKIN_GPU_FUNCTION uint32_t akin_cpq_age(uint64_t entry)
{
    return (uint32_t)entry & 0xffff;
}

/* Where an object belongs. */
AKIN_GPU_FUNCTION uint32_t akin_cpq_home(const akin_cpq *q, uint32_t object)
{
    uint32_t hash = (object ^ object >> 15) * 0x2c1b3c6du;
    hash = (hash ^ hash >> 12) * 0x9e3779b1u;
    return hash >> q->shift;
}

/* What becomes of an entry at a slot. */
typedef enum akin_cpq_turn {
    AKIN_CPQ_PASS,  /* it goes on */
    AKIN_CPQ_TAKE,  /* it takes the slot, whose entry is dropped */
    AKIN_CPQ_EVICT, /* it takes the slot, whose entry goes on */
    AKIN_CPQ_DROP   /* the slot has a later entry of the object */
} akin_cpq_turn;

AKIN_GPU_FUNCTION akin_cpq_turn akin_cpq_meet(uint64_t entry, uint64_t there, uint32_t gate)
{
    if (akin_cpq_count(there) < gate || there == 0)
        return AKIN_CPQ_TAKE;
    if (akin_cpq_object(there) == akin_cpq_object(entry))
        return akin_cpq_count(there) < akin_cpq_count(entry) ? AKIN_CPQ_TAKE : AKIN_CPQ_DROP;
    return akin_cpq_age(there) < akin_cpq_age(entry) ? AKIN_CPQ_EVICT : AKIN_CPQ_PASS;
}

/* Puts an entry into the table. */
AKIN_GPU_FUNCTION void akin_cpq_insert(const akin_cpq *q, uint32_t object, uint32_t count, uint32_t gate)
{
    uint64_t entry = akin_cpq_entry(object, count);
    uint32_t at = akin_cpq_home(q, object);
    for (uint32_t probe = 0; probe < AKIN_CPQ_PROBES && probe < q->slots; probe++) {
        uint64_t there = akin_cpq_load64(&q->table[at]);
        akin_cpq_turn turn = akin_cpq_meet(entry, there, gate);
        while (turn == AKIN_CPQ_TAKE || turn == AKIN_CPQ_EVICT) {
            const uint64_t before = akin_gpu_exchange(&q->table[at], there, entry);
            if (before == there)
                break;
            there = before;
            turn = akin_cpq_meet(entry, there, gate);
        }
        if (turn == AKIN_CPQ_TAKE || turn == AKIN_CPQ_DROP)
            return;
        entry = turn == AKIN_CPQ_EVICT ? there : entry;
        if (akin_cpq_age(entry) == UINT16_MAX)
            break;
        entry++; /* a slot older */
        at = (at + 1) & (q->slots - 1);
    }
    akin_cpq_raise32(q->overflow, 1);
}

/* --------------------------------------------------------------------------------------------------------- the gate */

/* Raises the gate as far as k objects have come. */
AKIN_GPU_FUNCTION void akin_cpq_raise(const akin_cpq *q)
{
    for (uint32_t at = akin_cpq_load32(q->gate); at < q->most && akin_cpq_load32(&q->reached[at + 1]) >= q->k; at++)
        akin_cpq_raise32(q->gate, at + 1);
}

/* Adds `weight` to an object that counted `before`: the paper's algorithm 1 from line 2 on, for any weight. */
AKIN_GPU_FUNCTION void akin_cpq_pass(akin_cpq *q, uint32_t object, uint32_t before, uint32_t weight)
{
    const uint32_t count = before + weight < q->most ? before + weight : q->most; /* whatever a file says */
    if (count <= q->known)
        return;
    const uint32_t gate = q->known = akin_cpq_load32(q->gate);
    if (count <= gate || akin_cpq_load32(q->overflow))
        return;
    akin_cpq_insert(q, object, count, gate);
    for (uint32_t passed = (before > gate ? before : gate) + 1; passed <= count; passed++)
        akin_gpu_add32(&q->reached[passed], 1);
    akin_cpq_raise(q);
}

AKIN_GPU_FUNCTION void akin_cpq_add(akin_cpq *q, uint32_t object, uint32_t weight)
{
    const uint32_t shift = object % q->each * q->bits;
    const uint32_t word = akin_gpu_add32(&q->counters[object / q->each], weight << shift);
    akin_cpq_pass(q, object, word >> shift & akin_cpq_mask(q), weight);
}

/* The counters of a word whose bits are set: the sum of a weight in each. */
AKIN_GPU_FUNCTION uint32_t akin_cpq_spread(const akin_cpq *q, uint32_t bits, uint32_t weight)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < q->each; i++)
        sum |= (bits >> i & 1 ? weight : 0) << i * q->bits;
    return sum;
}

/* The bits of those that go beyond the gate as it is known, if the word was `word` before. */
AKIN_GPU_FUNCTION uint32_t akin_cpq_beyond(const akin_cpq *q, uint32_t word, uint32_t bits, uint32_t weight)
{
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < q->each; i++)
        beyond |= (uint32_t)((word >> i * q->bits & akin_cpq_mask(q)) + weight > q->known) << i;
    return beyond & bits;
}

/*
 * The same of 16 objects from `first` on, of those whose bits are set: those of a word at once. All threads of a warp
 * go through all counters of a word, whichever bits are set, so that they stay together; those beyond the gate are few.
 */
AKIN_GPU_FUNCTION void akin_cpq_add_bits(akin_cpq *q, uint32_t first, uint32_t bits, uint32_t weight)
{
    uint32_t at = first / q->each;
    const uint32_t all = q->each == 32 ? UINT32_MAX : ((uint32_t)1 << q->each) - 1;
    for (uint64_t left = (uint64_t)bits << first % q->each; left; left >>= q->each, at++) {
        const uint32_t own = (uint32_t)left & all;
        if (own == 0)
            continue;
        const uint32_t word = akin_gpu_add32(&q->counters[at], akin_cpq_spread(q, own, weight));
        for (uint32_t beyond = akin_cpq_beyond(q, word, own, weight); beyond; beyond &= beyond - 1) {
            const uint32_t i = akin_gpu_lowest(beyond);
            akin_cpq_pass(q, at * q->each + i, word >> i * q->bits & akin_cpq_mask(q), weight);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------- best */

/* Writes the keys of the thread's slots that are above the gate. */
AKIN_GPU_FUNCTION void akin_cpq_take(const akin_cpq *q, uint32_t gate, uint64_t *keys, uint32_t *taken, uint32_t thread)
{
    for (uint32_t slot = thread; slot < q->slots; slot += AKIN_PAPER_THREADS) {
        const uint64_t entry = q->table[slot];
        const uint32_t object = akin_cpq_object(entry), count = akin_cpq_count(entry);
        if (count <= gate || count != akin_cpq_counter(q, object))
            continue;
        const uint32_t at = akin_gpu_add32(taken, 1);
        if (at < q->k) /* there are fewer */
            keys[at] = AKIN_TOP_KEY(count, object);
    }
}

/* How many counters of the thread's words of a tile are at the gate. */
AKIN_GPU_FUNCTION uint32_t akin_cpq_ties(const akin_cpq *q, uint64_t words, uint64_t tile, uint32_t gate,
                                         uint32_t thread)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < AKIN_CPQ_OWN; i++) {
        const uint64_t at = tile * AKIN_CPQ_TILE + thread * AKIN_CPQ_OWN + i;
        uint32_t word = at < words ? q->counters[at] : 0;
        for (uint32_t j = 0; j < q->each && word; j++, word >>= q->bits)
            found += (word & akin_cpq_mask(q)) == gate;
    }
    return found;
}

/* Writes the keys of these, from place `at` on, as far as there is room. */
AKIN_GPU_FUNCTION void akin_cpq_fill(const akin_cpq *q, uint64_t words, uint64_t tile, uint32_t gate, uint64_t *keys,
                                     uint64_t at, uint32_t thread)
{
    for (uint32_t i = 0; i < AKIN_CPQ_OWN; i++) {
        const uint64_t from = tile * AKIN_CPQ_TILE + thread * AKIN_CPQ_OWN + i;
        uint32_t word = from < words ? q->counters[from] : 0;
        for (uint32_t j = 0; j < q->each && word; j++, word >>= q->bits)
            if ((word & akin_cpq_mask(q)) == gate && at < q->k)
                keys[at++] = AKIN_TOP_KEY(gate, (uint32_t)from * q->each + j);
    }
}

#endif
