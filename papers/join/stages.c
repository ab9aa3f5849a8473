/* Queues of items between the stages of a job, under one lock: an item is so much work that few are ever taken. */
#include "papers/join/stages.h"

#include "base/clock.h"
#include "base/thread.h"

#define REPORT_SECONDS 0.01 /* between two questions whether to cancel */

akin_status akin_stages_make(akin_stages *stages, akin_account *account, uint32_t items, akin_error *error)
{
    static const char what[] = "the stages";
    *stages = (akin_stages){.next = akin_alloc(account, items, sizeof *stages->next)};
    if (!stages->next)
        return akin_fail_memory(error, what);
    if (!akin_condition_make(&stages->changed)) {
        akin_free(stages->next);
        return akin_fail_memory(error, what);
    }
    if (pthread_mutex_init(&stages->lock, NULL) != 0) {
        pthread_cond_destroy(&stages->changed);
        akin_free(stages->next);
        return akin_fail_memory(error, what);
    }
    for (size_t queue = 0; queue < sizeof stages->queue / sizeof *stages->queue; queue++)
        stages->queue[queue].first = stages->queue[queue].last = AKIN_STAGE_NONE;
    for (uint32_t item = 0; item < items; item++)
        akin_stages_give(stages, AKIN_STAGE_FREE, item);
    return AKIN_OK;
}

void akin_stages_clear(akin_stages *stages)
{
    pthread_mutex_destroy(&stages->lock);
    pthread_cond_destroy(&stages->changed);
    akin_free(stages->next);
}

/* With the lock held: takes the first item, if there is one and all is well. */
static uint32_t take_first(akin_stages *stages, akin_stage queue)
{
    uint32_t item = stages->queue[queue].first;
    if (item == AKIN_STAGE_NONE || stages->error.code != AKIN_OK)
        return AKIN_STAGE_NONE;
    stages->queue[queue].first = stages->next[item];
    return item;
}

uint32_t akin_stages_poll(akin_stages *stages, akin_stage queue)
{
    pthread_mutex_lock(&stages->lock);
    uint32_t item = take_first(stages, queue);
    pthread_mutex_unlock(&stages->lock);
    return item;
}

uint32_t akin_stages_take(akin_stages *stages, akin_stage queue, const akin_scope *scope)
{
    uint32_t item;
    double reported_at = akin_clock();
    pthread_mutex_lock(&stages->lock);
    while ((item = take_first(stages, queue)) == AKIN_STAGE_NONE) {
        if (stages->error.code != AKIN_OK || stages->queue[queue].ended)
            break;
        akin_condition_wait(&stages->changed, &stages->lock);
        if (!scope || akin_clock() - reported_at < REPORT_SECONDS)
            continue;
        pthread_mutex_unlock(&stages->lock);
        akin_error error;
        if (akin_scope_report(scope, NULL, 0, 0) != AKIN_OK) {
            akin_fail(&error, AKIN_E_CANCELLED, "cancelled");
            akin_stages_fail(stages, &error);
        }
        reported_at = akin_clock();
        pthread_mutex_lock(&stages->lock);
    }
    pthread_mutex_unlock(&stages->lock);
    return item;
}

void akin_stages_give(akin_stages *stages, akin_stage queue, uint32_t item)
{
    pthread_mutex_lock(&stages->lock);
    stages->next[item] = AKIN_STAGE_NONE;
    if (stages->queue[queue].first == AKIN_STAGE_NONE)
        stages->queue[queue].first = item;
    else
        stages->next[stages->queue[queue].last] = item;
    stages->queue[queue].last = item;
    pthread_cond_broadcast(&stages->changed);
    pthread_mutex_unlock(&stages->lock);
}

void akin_stages_end(akin_stages *stages, akin_stage queue)
{
    pthread_mutex_lock(&stages->lock);
    stages->queue[queue].ended = 1;
    pthread_cond_broadcast(&stages->changed);
    pthread_mutex_unlock(&stages->lock);
}

void akin_stages_fail(akin_stages *stages, const akin_error *error)
{
    pthread_mutex_lock(&stages->lock);
    if (stages->error.code == AKIN_OK)
        stages->error = *error;
    pthread_cond_broadcast(&stages->changed);
    pthread_mutex_unlock(&stages->lock);
}
