/*
 * Pairs found under a memory bound: when a thread has as many pairs as it may keep, it sorts them and writes them to a
 * temporary file, as a run. At the end the runs, and the pairs that the threads still hold, are merged.
 *
 *     file   | run 0 | run 1 | run 2 | ...      all of `length` pairs, sorted; a merge of k runs is a run of k * length
 *     pair   | left 32 bits | right 32 bits | overlap 32 bits |      as one number, in 128 bits
 */
#ifndef AKIN_JOIN_RUNS_H
#define AKIN_JOIN_RUNS_H

#include "base/scope.h"
#include "base/memory.h"
#include "base/sort.h"

#include <pthread.h>

/* What all threads put aside. */
typedef struct akin_runs {
    uint64_t length;       /* pairs of a run; above 0 */
    const char *directory; /* for the file; borrowed */
    pthread_mutex_t lock;  /* of what follows */
    int file;              /* its descriptor + 1; 0 while there is none */
    uint64_t count;        /* runs in it */
    akin_error error;      /* of what failed first; code AKIN_OK so far */
} akin_runs;

static inline akin_u128 akin_runs_pack(uint32_t left, uint32_t right, uint32_t overlap)
{
    return (akin_u128)((uint64_t)left << 32 | right) << 32 | overlap;
}

/* Errors: AKIN_E_NOMEM. */
akin_status akin_runs_make(const akin_scope *scope, uint64_t length, akin_runs *out, akin_error *error);
/* One that was not made, or in vain, is allowed. */
void akin_runs_clear(akin_runs *runs);

/* Sorts runs->length pairs and puts them aside; 0 if that fails, and runs->error says why. Any thread may. */
int akin_runs_put_aside(akin_runs *runs, akin_u128 *pairs);

/* What a thread holds at the end. */
typedef struct akin_runs_rest {
    akin_u128 *pairs;
    uint64_t count;
} akin_runs_rest;

/*
 * Merges all runs and the `count` rests, which it sorts first, and gives the pairs to the sink in batches. `room` is
 * the memory for it in bytes, charged to account. It merges at once as many runs as have a buffer there (or the number
 * that the context sets). So there may be several passes, and each of them writes the file anew. Errors: AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_CANCELLED (also when the sink stops).
 */
akin_status akin_runs_deliver(const akin_scope *scope, akin_account *account, akin_runs *runs,
                              const akin_runs_rest *rests, uint32_t count, uint64_t room, akin_pair_sink sink,
                              void *sink_user, akin_error *error);

#endif
