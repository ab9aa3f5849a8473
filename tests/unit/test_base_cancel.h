/* A context that counts the checks for cancellation, and cancels at a given one. */
#ifndef AKIN_TEST_BASE_CANCEL_H
#define AKIN_TEST_BASE_CANCEL_H

#include "base/context.h"

#include <stdatomic.h>
#include <time.h>

typedef struct asking {
    atomic_uint asked;
    unsigned stop_at; /* the question that is answered with stop; 0: none */
} asking;

static inline int asking_answer(void *user)
{
    asking *a = user;
    return atomic_fetch_add(&a->asked, 1) + 1 == a->stop_at;
}

static inline akin_context asking_context(akin_context *self, asking *a)
{
    return (akin_context){.scope = {.context = self, .threads = 1, .reporter = {.cancel = asking_answer, .user = a}}};
}

static inline void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Waits until the context has had that number of checks. */
static inline void asking_wait(asking *a, unsigned often)
{
    while (atomic_load(&a->asked) < often)
        nap();
}

#endif
