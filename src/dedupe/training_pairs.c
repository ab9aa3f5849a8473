/*
 * Brings the pairs of all threads into one list: pairs are counted by their left rows, placed, and sorted within a row.
 *
 *     threads    (3, 7) (0, 9) | (3, 4) (0, 2)
 *     next        0 2 2 2 4                        where the pairs of a row begin; then where they end
 *     list       (0, 9) (0, 2) | (3, 4) (3, 7)     in any order within a row, until it is sorted
 */
#include "dedupe/training.h"

#include "base/bits.h"

#include <string.h>

#define TASK_PAIRS 65536
#define TASK_ROWS  4096

typedef struct placing {
    akin_training *training;
    _Atomic uint64_t *next; /* of each left row */
} placing;

/* The pairs of a task: some of those of one thread. */
typedef struct some_pairs {
    const akin_found *found;
    uint64_t first, end;
} some_pairs;

static uint64_t count_tasks(const akin_dedupe_job *j)
{
    uint64_t tasks = 0;
    for (uint32_t t = 0; t < j->threads; t++)
        tasks += akin_ceil_div(j->workers[t].found.count, TASK_PAIRS);
    return tasks;
}

static some_pairs pairs_of_task(const akin_dedupe_job *j, uint64_t task)
{
    uint32_t thread = 0;
    for (uint64_t of; task >= (of = akin_ceil_div(j->workers[thread].found.count, TASK_PAIRS)); thread++)
        task -= of;
    const akin_found *found = &j->workers[thread].found;
    return (some_pairs){found, task * TASK_PAIRS, akin_min_u64((task + 1) * TASK_PAIRS, found->count)};
}

static akin_status count_rows(void *argument, uint64_t task, uint32_t thread)
{
    const placing *p = argument;
    const some_pairs some = pairs_of_task(p->training->job, task);
    (void)thread;
    for (uint64_t i = some.first; i < some.end; i++)
        atomic_fetch_add_explicit(&p->next[some.found->pairs[i].left], 1, memory_order_relaxed);
    return AKIN_OK;
}

static akin_status place_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const placing *p = argument;
    akin_level_pairs *pairs = &p->training->pairs;
    const some_pairs some = pairs_of_task(p->training->job, task);
    const uint32_t width = pairs->comparisons, border = pairs->tables == 2 ? pairs->rows[0] : 0;
    (void)thread;
    for (uint64_t i = some.first; i < some.end; i++) {
        const akin_scored_pair *pair = &some.found->pairs[i];
        const uint64_t to = atomic_fetch_add_explicit(&p->next[pair->left], 1, memory_order_relaxed);
        pairs->left[to] = pair->left;
        pairs->right[to] = pair->right + border;
        memcpy(pairs->levels + to * width, some.found->levels + i * width, width);
    }
    return AKIN_OK;
}

static void swap_pairs(akin_level_pairs *pairs, uint64_t a, uint64_t b)
{
    const uint32_t right = pairs->right[a], width = pairs->comparisons;
    pairs->right[a] = pairs->right[b];
    pairs->right[b] = right;
    for (uint32_t c = 0; c < width; c++) {
        const uint8_t level = pairs->levels[a * width + c];
        pairs->levels[a * width + c] = pairs->levels[b * width + c];
        pairs->levels[b * width + c] = level;
    }
}

/* Sorts the pairs of one row by their right records: by insertion, at distances that shrink (Shell). */
static void sort_row(akin_level_pairs *pairs, uint64_t first, uint64_t end)
{
    uint64_t gap = 1;
    while (gap < (end - first) / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint64_t i = first + gap; i < end; i++)
            for (uint64_t k = i; k >= first + gap && pairs->right[k - gap] > pairs->right[k]; k -= gap)
                swap_pairs(pairs, k - gap, k);
}

static akin_status sort_rows(void *argument, uint64_t task, uint32_t thread)
{
    const placing *p = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, p->training->pairs.rows[0]);
    (void)thread;
    for (uint64_t r = task * TASK_ROWS; r < end; r++)
        sort_row(&p->training->pairs, r > 0 ? p->next[r - 1] : 0, p->next[r]);
    return AKIN_OK;
}

/* There is memory. */
static akin_status place(placing *p)
{
    const akin_dedupe_job *j = p->training->job;
    const uint64_t tasks = count_tasks(j), rows = p->training->pairs.rows[0];
    akin_status status = akin_parallel(j->scope, NULL, tasks, count_rows, p);
    uint64_t before = 0;
    for (uint64_t r = 0; r < rows; r++) {
        const uint64_t count = p->next[r];
        p->next[r] = before;
        before += count;
    }
    if (status == AKIN_OK)
        status = akin_parallel(j->scope, NULL, tasks, place_pairs, p);
    for (uint32_t t = 0; t < j->threads; t++)
        akin_found_clear(&j->workers[t].found);
    return status == AKIN_OK ? akin_parallel(j->scope, NULL, akin_ceil_div(rows, TASK_ROWS), sort_rows, p) : status;
}

akin_status akin_training_list(akin_training *training, akin_error *error)
{
    akin_dedupe_job *j = training->job;
    akin_level_pairs *pairs = &training->pairs;
    placing p = {training, akin_alloc_zero(&j->account, pairs->rows[0], sizeof *p.next)};
    akin_status status = AKIN_OK;
    pairs->count = j->found;
    pairs->left = akin_alloc(&j->account, pairs->count, sizeof *pairs->left);
    pairs->right = akin_alloc(&j->account, pairs->count, sizeof *pairs->right);
    pairs->levels = akin_alloc(&j->account, pairs->count * pairs->comparisons, sizeof *pairs->levels);
    if (!p.next || !pairs->left || !pairs->right || !pairs->levels)
        status = akin_fail_memory(error, "the pairs to learn from");
    else if ((status = place(&p)) != AKIN_OK)
        akin_fail_stopped(error, status, "the pairs to learn from");
    akin_free((void *)p.next);
    return status;
}
