/*
 * Blocks of a file through all threads: read in order, worked on by any thread, joined in order.
 *
 *     calling thread   | read 0 | read 1 | read 2 | join 0 | read 3 | ...
 *     thread 1         |        | work 0 | work 2 | copy 0 | join 1 | copy 1 | ...
 *     thread 2         |                 | work 1          | work 3          | ...
 *
 * A block has a slot, which is free again once the block has been copied; the slot that was used last is taken first,
 * because it is in a cache. The calling thread reads, because only it may report; it reads ahead as long as slots are
 * free. A thread without anything to read joins the next block if that has been worked on, else works on the first
 * block that nobody has taken.
 */
#ifndef AKIN_BASE_PIPELINE_H
#define AKIN_BASE_PIPELINE_H

#include "base/budget.h"
#include "base/scope.h"

/* The steps of a job. */
typedef struct akin_pipeline {
    void *job;
    const char *name; /* of the file, for messages */
    uint32_t slots;   /* at least 2 */

    /* Reads the next block into a free slot. Sets *waits if that block can be worked on only when the next one has been
     * read; *ended if there is no more block. */
    akin_status (*read)(void *job, uint32_t slot, int *waits, int *ended, akin_error *error);

    /* Works on the block of a slot. It cannot fail: the slot remembers what went wrong, and join says so. */
    void (*work)(void *job, uint32_t slot);

    /* Whether the block can be joined while blocks before it are being copied. */
    int (*fits)(void *job, uint32_t slot);

    /* Finds the place of what the block has become, in the order of the blocks. */
    akin_status (*join)(void *job, uint32_t slot, akin_error *error);

    /* Copies it there, while other blocks are worked on, joined or copied. */
    void (*copy)(void *job, uint32_t slot);

    int writes; /* the file is written: only the calling thread joins */
} akin_pipeline;

/* How many slots the threads of a scope need for blocks of `bytes` bytes, each of which becomes something that has that
 * share of a bound. 0: there is one thread, or too little memory for several. */
uint32_t akin_pipeline_slots(const akin_scope *scope, uint64_t bytes, akin_budget_share share);

/*
 * Runs the steps on all blocks of the file. If reading fails, the blocks before are still joined. Returns the status of
 * the first step that failed, in the order of the blocks: the same with any number of threads. Errors: those of the
 * steps; AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_pipeline_run(const akin_scope *scope, const akin_pipeline *pipeline, akin_error *error);

#endif
