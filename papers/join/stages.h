/*
 * Items that go round through the stages of a job. Each stage has threads of its own, so it works on one item while the
 * next stage works on the item before. The number of items is fixed, so no stage runs far ahead of another.
 *
 *     queue 0 --> the caller's threads --> queue 1 --> a thread --> queue 2 --> a thread --> queue 0
 *     (free)       fill an item            (filled)                 (found)                  (free)
 *
 * The first failure of any stage stops all stages: after it, no stage can take anything.
 */
#ifndef AKIN_PAPERS_JOIN_STAGES_H
#define AKIN_PAPERS_JOIN_STAGES_H

#include "base/scope.h"
#include "base/memory.h"

#include <pthread.h>

/* The queues; nothing is ever put into the last, which is ended when all is done. */
typedef enum akin_stage { AKIN_STAGE_FREE, AKIN_STAGE_FILLED, AKIN_STAGE_FOUND, AKIN_STAGE_DONE } akin_stage;

#define AKIN_STAGE_NONE UINT32_MAX /* no item */

typedef struct akin_stages {
    pthread_mutex_t lock;   /* of what follows */
    pthread_cond_t changed; /* any queue has, or a stage failed */
    uint32_t *next;         /* by item: the one behind it in its queue */
    struct {
        uint32_t first, last;
        int ended; /* nothing more will come */
    } queue[AKIN_STAGE_DONE + 1];
    akin_error error; /* the first; its code is AKIN_OK unless a stage failed */
} akin_stages;

/* Items 0 .. items-1, all of them free. Errors: AKIN_E_NOMEM, and then there is nothing to clear. */
akin_status akin_stages_make(akin_stages *stages, akin_account *account, uint32_t items, akin_error *error);
void akin_stages_clear(akin_stages *stages);

/* The first item of a queue; waits for one. AKIN_STAGE_NONE: there is none and none will come, or a stage failed. With
 * a context it checks for cancellation meanwhile, which is a failure like any other: on the job's own thread only. */
uint32_t akin_stages_take(akin_stages *stages, akin_stage queue, const akin_scope *scope);
/* The same without waiting: AKIN_STAGE_NONE also if there is none now. */
uint32_t akin_stages_poll(akin_stages *stages, akin_stage queue);
/* Puts an item, which the caller has taken, at the end of a queue. */
void akin_stages_give(akin_stages *stages, akin_stage queue, uint32_t item);
/* Nothing more will be put into that queue. */
void akin_stages_end(akin_stages *stages, akin_stage queue);

/* A stage failed, for that reason, unless another did before. */
void akin_stages_fail(akin_stages *stages, const akin_error *error);

#endif
