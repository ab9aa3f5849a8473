/* Watches the progress of a join that is done in several steps: it goes on, and is that of one. */
#ifndef AKIN_TEST_JOIN_WATCH_H
#define AKIN_TEST_JOIN_WATCH_H

#include "akin.h"

#include <string.h>

typedef struct watcher {
    uint64_t calls, last, total;
} watcher;

static inline void watch(void *user, const akin_progress *progress)
{
    watcher *w = user;
    if (strcmp(progress->phase, "joining") != 0)
        return;
    assert_true(w->calls == 0 || (progress->done >= w->last && progress->total == w->total));
    assert_true(progress->done <= progress->total);
    w->last = progress->done;
    w->total = progress->total;
    w->calls++;
}

#endif
