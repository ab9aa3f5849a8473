/* Counts what reaches a probability task by task, and then lists it. */
#include "learn/reaching.h"

#include "base/bits.h"
#include "base/parallel.h"

#define TASK 65536

typedef struct search {
    const double *probabilities;
    uint64_t count;
    double least;
    uint64_t *starts; /* of each task: its first number in the list, */
    double *sums;     /* and the sum of its probabilities */
    uint64_t *numbers;
} search;

static akin_status count_task(void *argument, uint64_t task, uint32_t thread)
{
    const search *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, s->count);
    uint64_t found = 0;
    double sum = 0;
    (void)thread;
    for (uint64_t i = task * TASK; i < end; i++) {
        found += s->probabilities[i] >= s->least;
        sum += s->probabilities[i];
    }
    s->starts[task + 1] = found;
    s->sums[task] = sum;
    return AKIN_OK;
}

static akin_status list_task(void *argument, uint64_t task, uint32_t thread)
{
    const search *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, s->count);
    uint64_t at = s->starts[task];
    (void)thread;
    for (uint64_t i = task * TASK; i < end; i++)
        if (s->probabilities[i] >= s->least)
            s->numbers[at++] = i;
    return AKIN_OK;
}

akin_status akin_reaching_list(const akin_scope *scope, akin_account *account, const double *probabilities,
                               uint64_t count, double least, uint64_t **numbers, uint64_t *found, double *sum,
                               akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(count, TASK);
    search s = {probabilities,
                count,
                least,
                akin_alloc_zero(account, tasks + 1, sizeof *s.starts),
                akin_alloc(account, tasks, sizeof *s.sums),
                NULL};
    akin_status status = s.starts && s.sums ? akin_parallel(scope, NULL, tasks, count_task, &s) : AKIN_E_NOMEM;
    for (uint64_t t = 0; t < tasks && status == AKIN_OK; t++)
        s.starts[t + 1] += s.starts[t];
    *found = status == AKIN_OK ? s.starts[tasks] : 0;
    s.numbers = status == AKIN_OK ? akin_alloc(account, *found, sizeof *s.numbers) : NULL;
    if (status == AKIN_OK)
        status = s.numbers ? akin_parallel(scope, NULL, tasks, list_task, &s) : AKIN_E_NOMEM;
    if (sum)
        *sum = 0;
    for (uint64_t t = 0; t < tasks && status == AKIN_OK && sum; t++)
        *sum += s.sums[t];
    *numbers = s.numbers;
    akin_free(s.starts);
    akin_free(s.sums);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the probable pairs");
}
