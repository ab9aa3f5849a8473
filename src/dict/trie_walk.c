/* The lookup of many words: the portable walker, the choice of a walker, and the threads. */
#include "dict/trie_walk.h"

#include "base/parallel.h"
#include "dict/chunks.h"

#define WALKER walk_chunks
#define TARGET
#define INLINE static inline __attribute__((always_inline))

INLINE akin_chunk look(const akin_chunk_record *record, uint32_t bit)
{
    return akin_chunks_look(record, bit);
}

INLINE int settle(akin_chunk chunk, const uint8_t *cell, uint32_t *number)
{
    return akin_chunk_settle(chunk, cell, number);
}

#include "dict/trie_walk_chunks.h"

akin_trie_walker akin_trie_walker_choose(akin_cpu cpu)
{
    static const akin_trie_walker by_level[] =
        AKIN_CPU_ROW(walk_chunks, akin_trie_walk_neon, akin_trie_walk_avx2, akin_trie_walk_avx2);
    return by_level[cpu];
}

typedef struct walking {
    const akin_trie *trie;
    const akin_trie_batch *batch;
    akin_trie_walker walker;
} walking;

static akin_status walk_task(void *argument, uint64_t task, uint32_t thread)
{
    const walking *w = argument;
    akin_trie_batch part = *w->batch;
    const uint64_t first = task * AKIN_TRIE_BATCH;
    (void)thread;
    part.begins += first;
    part.ends += first;
    part.ids += first;
    part.count = akin_min_u64(AKIN_TRIE_BATCH, part.count - first);
    w->walker(w->trie, &part);
    return AKIN_OK;
}

akin_status akin_trie_walk(const akin_scope *scope, const akin_trie *trie, const akin_trie_batch *batch,
                           akin_error *error)
{
    walking w = {trie, batch, trie->form->walker(scope->cpu)};
    akin_status status =
        akin_parallel(scope, "looking up", akin_ceil_div(batch->count, AKIN_TRIE_BATCH), walk_task, &w);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "a trie");
}
