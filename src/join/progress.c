/* Turns what the steps of a join report into the progress of the whole. */
#include "join/progress.h"

#include <string.h>

static void forward_progress(void *user, const akin_progress *progress)
{
    akin_join_progress *p = user;
    akin_progress own = {.phase = "joining", .done = p->done, .total = p->total};
    if (progress->total && strcmp(progress->phase, "joining") == 0)
        own.done += (uint64_t)((double)p->now * (double)progress->done / (double)progress->total);
    p->outer->progress(p->outer->user, &own);
}

static int forward_cancel(void *user)
{
    const akin_join_progress *p = user;
    return p->outer->cancel ? p->outer->cancel(p->outer->user) : 0;
}

void akin_join_progress_begin(akin_join_progress *p, akin_context *outer, uint64_t total)
{
    *p = (akin_join_progress){.outer = outer, .inner = *outer, .total = total};
    p->inner.progress = outer->progress ? forward_progress : NULL;
    p->inner.cancel = outer->cancel ? forward_cancel : NULL;
    p->inner.user = p;
}
