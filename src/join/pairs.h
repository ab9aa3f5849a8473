/* The pairs that a join finds: gathered by each thread in chunks, then sorted and handed to the caller's sink. */
#ifndef AKIN_JOIN_PAIRS_H
#define AKIN_JOIN_PAIRS_H

#include "base/pair_limit.h"
#include "join/runs.h"

#define AKIN_PAIRS_CHUNK 16384

typedef struct akin_pairs_chunk {
    struct akin_pairs_chunk *next;
    uint32_t count;
    akin_pair pairs[AKIN_PAIRS_CHUNK];
} akin_pairs_chunk;

/* A sink that takes pairs in any order, from one thread at a time. */
typedef struct akin_pairs_drain {
    pthread_mutex_t lock;
    akin_pair_sink sink;
    void *user;
    int stopped; /* it asked to stop */
} akin_pairs_drain;

/* The pairs of one thread. They are in any number of chunks; or, under a memory bound, in an array that is written to a
 * run when it is full; or, if any order will do, in one chunk that goes to the drain. All fields are zero at first but
 * the account or, under a bound, the runs. */
typedef struct akin_pairs {
    _Alignas(64) akin_account *account; /* so that threads have no line of the cache in common */
    akin_pairs_drain *drain;
    akin_pair_limit *limit;  /* of pairs that are kept, or NULL */
    akin_pairs_chunk *first; /* the chunk being filled */
    akin_runs *runs;         /* where arrays are put aside; NULL: pairs are kept in chunks */
    akin_runs_rest rest;     /* the array: room for runs->length pairs */
} akin_pairs;

/* Takes a further chunk to the front, or empties the one there into the drain. Returns 0 if memory is short, or if the
 * drain wants to stop. */
int akin_pairs_grow(akin_pairs *pairs);

/* Gives the content of the chunk to the drain. Returns 0 if the drain wants to stop, or already did. */
int akin_pairs_flush(akin_pairs *pairs);

/* 0 when memory is short, or the pairs cannot be put aside. */
static inline int akin_pairs_add(akin_pairs *pairs, uint32_t left, uint32_t right, uint32_t overlap)
{
    if (pairs->runs) {
        akin_runs_rest *rest = &pairs->rest;
        if (rest->count == pairs->runs->length) {
            if (!akin_pair_limit_wait(pairs->limit, rest->count) || !akin_runs_put_aside(pairs->runs, rest->pairs))
                return 0;
            rest->count = 0;
        }
        rest->pairs[rest->count++] = akin_runs_pack(left, right, overlap);
        return 1;
    }
    if ((!pairs->first || pairs->first->count == AKIN_PAIRS_CHUNK) && !akin_pairs_grow(pairs))
        return 0;
    pairs->first->pairs[pairs->first->count++] = (akin_pair){left, right, overlap};
    return 1;
}

void akin_pairs_clear(akin_pairs *pairs);

/*
 * Sorts all pairs of `threads` threads by (left, right) and gives them to the sink in batches; rows is the number of
 * left rows. The chunks are freed on the way. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED (also when the sink stops).
 */
akin_status akin_pairs_deliver(const akin_scope *scope, akin_account *account, akin_pairs *pairs, uint32_t threads,
                               uint32_t rows, akin_pair_sink sink, void *sink_user, akin_error *error);

#endif
