/* Turns what the steps of a join report into the progress of the whole. */
#include "join/progress.h"

#include <string.h>

static void forward_progress(void *user, const akin_progress *progress)
{
    akin_join_progress *p = user;
    akin_progress own = {.phase = "joining", .done = p->done, .total = p->total};
    if (progress->total && strcmp(progress->phase, "joining") == 0)
        own.done += (uint64_t)((double)p->now * (double)progress->done / (double)progress->total);
    p->outer->reporter.progress(p->outer->reporter.user, &own);
}

static int forward_cancel(void *user)
{
    const akin_join_progress *p = user;
    return p->outer->reporter.cancel ? p->outer->reporter.cancel(p->outer->reporter.user) : 0;
}

void akin_join_progress_begin(akin_join_progress *p, const akin_scope *outer, uint64_t total)
{
    const akin_reporter reporter = {outer->reporter.progress ? forward_progress : NULL,
                                    outer->reporter.cancel ? forward_cancel : NULL, p};
    *p = (akin_join_progress){.outer = outer, .total = total};
    p->inner = akin_scope_narrow(outer, (akin_narrowing){.reporter = &reporter});
}
