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

#define CANCELLED_AT 60 /* questions of a job, spread evenly, at most */

/* Cancels a job at questions, one in each trial. `trial` is the expression that does the job, and fills `error`. How
 * often a job asks depends on time: a trial with too few questions is not cancelled, and succeeds. */
#define CANCEL_EACH(context, error, trial)                                                                             \
    do {                                                                                                               \
        asking each = {0};                                                                                             \
        (context)->scope.reporter = (akin_reporter){.cancel = asking_answer, .user = &each};                           \
        assert_int_equal((trial), AKIN_OK);                                                                            \
        const unsigned all = each.asked;                                                                               \
        assert_true(all > 0);                                                                                          \
        for (unsigned at = 1; at <= all; at += all / CANCELLED_AT + 1) {                                               \
            each.asked = 0;                                                                                            \
            each.stop_at = at;                                                                                         \
            const akin_status cancelled_at = (trial);                                                                  \
            assert_int_equal(cancelled_at, each.asked >= at ? AKIN_E_CANCELLED : AKIN_OK);                             \
            assert_true(cancelled_at == AKIN_OK || (error).code == AKIN_E_CANCELLED);                                  \
        }                                                                                                              \
        (context)->scope.reporter = (akin_reporter){0};                                                                \
    } while (0)

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
