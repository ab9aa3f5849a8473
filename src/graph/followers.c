/* Counts the rows behind the first ones task by task, and then lists them. */
#include "graph/followers.h"

#include "base/bits.h"
#include "base/parallel.h"

#define TASK 65536

typedef struct listing {
    const uint32_t *labels;
    uint32_t rows;
    uint64_t *starts; /* of each task: its first place in the list */
    uint64_t *followers;
} listing;

static akin_status count_task(void *argument, uint64_t task, uint32_t thread)
{
    const listing *l = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, l->rows);
    uint64_t count = 0;
    (void)thread;
    for (uint64_t row = task * TASK; row < end; row++)
        count += l->labels[row] != row;
    l->starts[task + 1] = count;
    return AKIN_OK;
}

static akin_status list_task(void *argument, uint64_t task, uint32_t thread)
{
    const listing *l = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, l->rows);
    uint64_t at = l->starts[task];
    (void)thread;
    for (uint64_t row = task * TASK; row < end; row++)
        if (l->labels[row] != row)
            l->followers[at++] = (uint64_t)l->labels[row] << 32 | row;
    return AKIN_OK;
}

akin_status akin_followers_list(const akin_scope *scope, akin_account *account, const uint32_t *labels, uint32_t rows,
                                uint64_t **followers, uint64_t *count, akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(rows, TASK);
    listing l = {labels, rows, akin_alloc_zero(account, tasks + 1, sizeof *l.starts), NULL};
    akin_status status = l.starts ? akin_parallel(scope, NULL, tasks, count_task, &l) : AKIN_E_NOMEM;
    for (uint64_t t = 0; t < tasks && status == AKIN_OK; t++)
        l.starts[t + 1] += l.starts[t];
    *count = status == AKIN_OK ? l.starts[tasks] : 0;
    l.followers = status == AKIN_OK ? akin_alloc(account, *count, sizeof *l.followers) : NULL;
    if (status == AKIN_OK)
        status = l.followers ? akin_parallel(scope, NULL, tasks, list_task, &l) : AKIN_E_NOMEM;
    *followers = l.followers;
    akin_free(l.starts);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the clusters");
}
