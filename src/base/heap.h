/*
 * The k best of many keys: a heap whose root is the worst of its keys. So one comparison decides whether a further key
 * is among the best. The caller decides which of two keys is worse.
 */
#ifndef AKIN_BASE_HEAP_H
#define AKIN_BASE_HEAP_H

#include <stdint.h>

/* Whether key a is worse than key b. No two keys are equally good. */
typedef int (*akin_heap_worse)(const void *user, uint64_t a, uint64_t b);

typedef struct akin_heap {
    uint64_t *keys; /* room for k; a heap from the moment there are k */
    uint32_t held, k;
    akin_heap_worse is_worse;
    const void *user;
} akin_heap;

static inline int akin_heap_is_full(const akin_heap *heap)
{
    return heap->held == heap->k;
}

/* Lets the key at `at` sink to where it belongs, among the first `count`. */
static inline void akin_heap_sink(const akin_heap *heap, uint32_t at, uint32_t count)
{
    const uint64_t key = heap->keys[at];
    for (uint64_t child; (child = 2 * (uint64_t)at + 1) < count; at = (uint32_t)child) {
        if (child + 1 < count && heap->is_worse(heap->user, heap->keys[child + 1], heap->keys[child]))
            child++;
        if (!heap->is_worse(heap->user, heap->keys[child], key))
            break;
        heap->keys[at] = heap->keys[child];
    }
    heap->keys[at] = key;
}

/* Offers a key to a heap of k at least 1. Returns whether it is held; *out is the key that is not held any more, and
 * `none` if there is none. */
static inline int akin_heap_offer(akin_heap *heap, uint64_t key, uint64_t none, uint64_t *out)
{
    *out = none;
    if (heap->held < heap->k) {
        heap->keys[heap->held++] = key;
        for (uint32_t at = heap->held / 2; heap->held == heap->k && at-- > 0;)
            akin_heap_sink(heap, at, heap->held);
        return 1;
    }
    if (!heap->is_worse(heap->user, heap->keys[0], key))
        return 0;
    *out = heap->keys[0];
    heap->keys[0] = key;
    akin_heap_sink(heap, 0, heap->held);
    return 1;
}

/* Sorts the keys, the best first. Afterwards it is a heap no more. */
static inline void akin_heap_sort(akin_heap *heap)
{
    for (uint32_t at = heap->held / 2; at-- > 0;)
        akin_heap_sink(heap, at, heap->held);
    for (uint32_t count = heap->held; count > 1; count--) {
        const uint64_t worst = heap->keys[0];
        heap->keys[0] = heap->keys[count - 1];
        akin_heap_sink(heap, 0, count - 1);
        heap->keys[count - 1] = worst;
    }
}

#endif
