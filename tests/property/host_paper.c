/*
 * The kernels of the paper's techniques for match counts on the GPU that the host plays (property/host_device.h). What
 * each thread does (papers/search/gpu_*.h) is the very same code. Three threads play the blocks that count at once,
 * so that they get into each other's way. The threads of a block run in turn, the last one first.
 */
#include "property/host_search.h"

#include "property/host_kernel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "papers/search/gpu_lists.h"
#include "papers/search/gpu_spq.h"

#define THREADS AKIN_PAPER_THREADS

/* --------------------------------------------------------------------------------------------------------- counting */

typedef struct counting {
    const akin_gpu_objects *objects;
    const akin_paper_batch *batch;
    const akin_paper_list *lists;
    uint32_t count, each, next;
} counting;

static void *count_blocks(void *argument)
{
    counting *c = argument;
    for (;;) {
        const uint32_t block = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED);
        if ((uint64_t)block * c->each >= c->count)
            return NULL;
        for (uint32_t i = block * c->each; i < (block + 1) * c->each && i < c->count; i++)
            for (uint32_t thread = THREADS; thread-- > 0;)
                akin_paper_walk(c->objects, c->batch, &c->lists[i], thread);
    }
}

static akin_status paper_count(akin_device_stream *stream, const akin_gpu_objects *objects,
                               const akin_paper_batch *batch, const akin_paper_list *lists, uint32_t count,
                               uint32_t each, akin_error *error)
{
    pthread_t others[2];
    int started[2];
    counting c = {objects, batch, lists, count, each, 0};
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    for (int i = 0; i < 2; i++)
        started[i] = pthread_create(&others[i], NULL, count_blocks, &c) == 0;
    count_blocks(&c);
    for (int i = 0; i < 2; i++)
        if (started[i])
            pthread_join(others[i], NULL);
    return AKIN_OK;
}

static akin_status paper_scan(akin_device_stream *stream, const akin_gpu_objects *objects,
                              const akin_paper_batch *batch, uint32_t first, uint32_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    must(count <= 65535 && first + count <= batch->count);
    for (uint32_t query = first; query < first + count && status == AKIN_OK; query++)
        for (uint64_t object = 0; object < batch->objects; object += 4)
            akin_spq_scan(objects, batch, query, object);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- selecting */

static uint32_t select_cpq(const akin_paper_batch *batch, uint32_t query)
{
    const akin_cpq q = akin_cpq_of(batch, query);
    uint64_t *keys = batch->keys + (uint64_t)query * batch->k, found;
    uint32_t taken = 0;
    akin_cpq_raise(&q);
    const uint32_t gate = *q.gate;
    for (uint32_t thread = THREADS; thread-- > 0;)
        akin_cpq_take(&q, gate, keys, &taken, thread);
    must(*q.overflow || (taken < batch->k || gate == 0));
    found = taken;
    for (uint64_t tile = 0; gate > 0 && found < batch->k && tile * AKIN_CPQ_TILE < batch->words; tile++) {
        uint32_t before[THREADS], total = 0;
        for (uint32_t thread = 0; thread < THREADS; thread++) {
            before[thread] = total;
            total += akin_cpq_ties(&q, batch->words, tile, gate, thread);
        }
        for (uint32_t thread = THREADS; thread-- > 0;)
            akin_cpq_fill(&q, batch->words, tile, gate, keys, found + before[thread], thread);
        found += total;
    }
    host_search.filled += gate > 0 && found > taken;
    host_search.overflows += *q.overflow;
    return found < batch->k ? (uint32_t)found : batch->k;
}

static akin_status cpq_select(akin_device_stream *stream, const akin_paper_batch *batch, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t query = 0; query < batch->count && status == AKIN_OK; query++)
        batch->found[query] = select_cpq(batch, query);
    return status;
}

static void play_round(akin_spq *s, const akin_paper_batch *batch, const uint32_t *counts, uint32_t *ids,
                       uint64_t *keys)
{
    uint64_t found = 0;
    for (uint32_t thread = THREADS; thread-- > 0;)
        akin_spq_empty(s, thread);
    for (uint32_t thread = THREADS; thread-- > 0;)
        akin_spq_fill(s, counts, ids, thread);
    akin_spq_choose(s, batch->k);
    for (uint64_t tile = 0; tile * AKIN_SPQ_TILE < s->items; tile++) {
        akin_spq_share shares[THREADS];
        for (uint32_t thread = 0; thread < THREADS; thread++)
            shares[thread] = akin_spq_weigh(s, counts, ids, tile, keys, thread);
        for (uint32_t thread = 0; thread < THREADS; thread++) {
            akin_spq_keep(ids, &shares[thread], found);
            found += shares[thread].count;
        }
    }
    must(found == s->candidates && s->taken < batch->k);
    akin_spq_turn(s);
    host_search.rounds++;
}

static uint32_t select_spq(const akin_paper_batch *batch, uint32_t query)
{
    static akin_spq s;
    const uint32_t *counts = batch->counts + (uint64_t)query * batch->objects;
    uint32_t *ids = batch->ids + (uint64_t)query * batch->objects;
    uint64_t *keys = batch->keys + (uint64_t)query * batch->k, found;
    memset(&s, 0xa5, sizeof s);
    akin_spq_clear(&s, batch->objects);
    for (uint32_t thread = THREADS; thread-- > 0;)
        akin_spq_begin(&s, counts, thread);
    while (akin_spq_goes_on(&s, batch->k))
        play_round(&s, batch, counts, ids, keys);
    found = s.taken;
    for (uint64_t tile = 0; found < batch->k && tile * AKIN_SPQ_TILE < s.items; tile++)
        for (uint32_t thread = 0; thread < THREADS; thread++) {
            const akin_spq_share share = akin_spq_rest(&s, counts, ids, tile, thread);
            akin_spq_emit(counts, &share, keys, found, batch->k);
            found += share.count;
        }
    return found < batch->k ? (uint32_t)found : batch->k;
}

static akin_status spq_select(akin_device_stream *stream, const akin_paper_batch *batch, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t query = 0; query < batch->count && status == AKIN_OK; query++)
        batch->found[query] = select_spq(batch, query);
    return status;
}

const akin_match_count_kernels host_match_count_kernels = {paper_count, paper_scan, cpq_select, spq_select};
