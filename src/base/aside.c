/* A thread beside the caller's. */
#include "base/aside.h"

#include "base/thread.h"

static void *work_aside(void *argument)
{
    akin_aside *aside = argument;
    aside->status = aside->work(aside->argument, &aside->error);
    return NULL;
}

void akin_aside_begin(akin_aside *aside, akin_aside_work work, void *argument)
{
    *aside = (akin_aside){.work = work, .argument = argument, .has_begun = 1, .status = AKIN_OK};
    aside->has_thread = akin_thread_start(&aside->thread, work_aside, aside);
    if (!aside->has_thread)
        (void)work_aside(aside);
}

akin_status akin_aside_end(akin_aside *aside, akin_error *error)
{
    if (!aside->has_begun)
        return AKIN_OK;
    if (aside->has_thread)
        pthread_join(aside->thread, NULL);
    aside->has_begun = 0;
    if (aside->status != AKIN_OK && error)
        *error = aside->error;
    return aside->status;
}
