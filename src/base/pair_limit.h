/* A sink that hands on pairs up to a limit. */
#ifndef AKIN_BASE_PAIR_LIMIT_H
#define AKIN_BASE_PAIR_LIMIT_H

#include "base/limits.h"

#include <stdatomic.h>

/* Between a job and the sink of its caller, of whichever kind that is. */
typedef struct akin_pair_limit {
    uint64_t most;  /* pairs that may be handed on; 0: any number */
    uint64_t count; /* pairs that were */
    int is_passed;  /* one more was to be */
    akin_pair_sink sink;
    akin_scored_sink scored;
    void *user;
    atomic_uint_fast64_t waiting; /* pairs that were found, and are to be handed on later, in their order */
} akin_pair_limit;

/* Begins, with the limit of a scope's context. One of the sinks is the caller's. */
void akin_pair_limit_begin(akin_pair_limit *limit, const akin_scope *scope, akin_pair_sink sink,
                           akin_scored_sink scored, void *user);

/* The sinks, whose user is an akin_pair_limit. They stop the job at the first pair beyond the limit. */
int akin_pair_limit_sink(void *user, const akin_pair *pairs, size_t count);
int akin_pair_limit_scored(void *user, const akin_scored_pair *pairs, const double *each, size_t count);

/* Returns `user` if the sink is akin_pair_limit_sink, else NULL. */
akin_pair_limit *akin_pair_limit_of(akin_pair_sink sink, void *user);

/* Notes that `count` more pairs wait to be handed on. Returns 0 if more wait than may be handed on: the job need not
 * find the rest. Thread-safe. limit NULL: any number may wait. */
int akin_pair_limit_wait(akin_pair_limit *limit, uint64_t count);

/* Takes back `count` noted pairs, because the job finds them again. limit NULL: nothing. */
void akin_pair_limit_unwait(akin_pair_limit *limit, uint64_t count);

/* Whether more pairs wait than may be handed on. limit NULL: they do not. */
int akin_pair_limit_is_passed(const akin_pair_limit *limit);

/* How many more pairs may be handed on: any number without a limit, or if it is NULL. */
uint64_t akin_pair_limit_left(const akin_pair_limit *limit);

/* The status of the job, or that it has met the limit. */
akin_status akin_pair_limit_end(const akin_pair_limit *limit, akin_status status, akin_error *error);

#endif
