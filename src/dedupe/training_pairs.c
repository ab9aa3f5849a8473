/*
 * Brings the pairs of all threads into one list: they are dealt to buckets of neighbouring left rows, and each bucket,
 * which fits a cache, is sorted.
 *
 *     threads    (3, 7) (0, 9) | (3, 4) (0, 2) (1, 5)
 *     at          0 3   1 4                            of each task and bucket, here of two rows: where its pairs go
 *     list       (0, 9) (0, 2) (1, 5) | (3, 7) (3, 4)  in any order within a bucket, until it is sorted
 */
#include "dedupe/training.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

#define TASK_PAIRS   65536 /* at least, */
#define TASKS        256   /* unless there are more tasks than these, and one for each thread */
#define BUCKET_PAIRS 16384 /* about, or more, if there are more buckets */
#define BUCKETS      4096
#define ROW_SHORT    4096  /* pairs of a row that is sorted at once; a longer one can be cancelled */
#define STEP         65536 /* pairs of a bucket before the caller can cancel again */

/* What a thread sorts a bucket in. */
typedef struct sorting {
    _Alignas(64) uint64_t *keys; /* row by row: right record and place within the row */
    uint8_t *levels;
    uint64_t *next; /* of each row */
    uint64_t room_keys, room_levels;
    akin_cancellation cancellation;
} sorting;

typedef struct placing {
    akin_training *training;
    uint64_t task_pairs;
    uint32_t shift, buckets; /* row >> shift is its bucket */
    uint64_t *at;            /* [task][bucket]: how many pairs; then where they go */
    uint64_t *starts;        /* of each bucket */
    sorting *sortings;       /* of each thread */
} placing;

/* The pairs of a task: some of those of one thread. */
typedef struct some_pairs {
    const akin_found *found;
    uint64_t first, end;
} some_pairs;

static uint64_t count_tasks(const placing *p)
{
    const akin_dedupe_job *j = p->training->job;
    uint64_t tasks = 0;
    for (uint32_t t = 0; t < j->threads; t++)
        tasks += akin_ceil_div(j->workers[t].found.count, p->task_pairs);
    return tasks;
}

static some_pairs pairs_of_task(const placing *p, uint64_t task)
{
    const akin_dedupe_job *j = p->training->job;
    uint32_t thread = 0;
    for (uint64_t of; task >= (of = akin_ceil_div(j->workers[thread].found.count, p->task_pairs)); thread++)
        task -= of;
    const akin_found *found = &j->workers[thread].found;
    return (some_pairs){found, task * p->task_pairs, akin_min_u64((task + 1) * p->task_pairs, found->count)};
}

static akin_status count_buckets(void *argument, uint64_t task, uint32_t thread)
{
    const placing *p = argument;
    const some_pairs some = pairs_of_task(p, task);
    uint64_t *counts = p->at + task * p->buckets;
    (void)thread;
    for (uint64_t i = some.first; i < some.end; i++)
        counts[some.found->pairs[i].left >> p->shift]++;
    return AKIN_OK;
}

static akin_status deal_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const placing *p = argument;
    akin_level_pairs *pairs = &p->training->pairs;
    const some_pairs some = pairs_of_task(p, task);
    const uint32_t width = pairs->comparisons, border = pairs->tables == 2 ? pairs->rows[0] : 0;
    uint64_t *at = p->at + task * p->buckets;
    (void)thread;
    for (uint64_t i = some.first; i < some.end; i++) {
        const akin_scored_pair *pair = &some.found->pairs[i];
        const uint64_t to = at[pair->left >> p->shift]++;
        pairs->left[to] = pair->left;
        pairs->right[to] = pair->right + border;
        akin_levels_copy(pairs->levels + to * width, some.found->levels + i * width, width);
    }
    return AKIN_OK;
}

/* Sorts the keys of one row: if they are few, by insertion, at distances that shrink (Shell). 0: cancelled. */
static int sort_row(uint64_t *keys, uint64_t count, akin_cancellation *cancellation)
{
    uint64_t gap = 1;
    if (count > ROW_SHORT)
        return akin_sort_long_u64(keys, count, cancellation);
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint64_t i = gap; i < count; i++) {
            const uint64_t key = keys[i];
            uint64_t k = i;
            for (; k >= gap && keys[k - gap] > key; k -= gap)
                keys[k] = keys[k - gap];
            keys[k] = key;
        }
    return 1;
}

/* Makes room for the pairs of a bucket. 0: memory is short. */
static int reserve(const placing *p, sorting *s, uint64_t count)
{
    akin_account *account = &p->training->job->account;
    uint64_t *keys = akin_enlarge(account, s->keys, &s->room_keys, count, sizeof *keys);
    if (keys)
        s->keys = keys;
    const uint64_t bytes = count * p->training->pairs.comparisons;
    uint8_t *levels = akin_enlarge(account, s->levels, &s->room_levels, bytes, sizeof *levels);
    if (levels)
        s->levels = levels;
    if (!s->next)
        s->next = akin_alloc(account, ((uint64_t)1 << p->shift) + 1, sizeof *s->next);
    return keys && levels && s->next;
}

/* Whether to go on with the pairs of a bucket, of which `i` are done. */
static int goes_on(sorting *s, uint64_t i)
{
    return i % STEP != STEP - 1 || akin_goes_on(&s->cancellation);
}

/* Brings the pairs of a bucket into the order of their left rows, with their levels, in `s`; next[row] is where those
 * of a row end. `left` and `right` are theirs. 0: cancelled. */
static int sort_by_left(const akin_level_pairs *pairs, uint64_t first, uint64_t end, uint64_t row, uint64_t rows,
                        sorting *s)
{
    const uint32_t width = pairs->comparisons;
    memset(s->next, 0, (rows + 1) * sizeof *s->next);
    for (uint64_t i = first; i < end; i++) {
        s->next[pairs->left[i] - row + 1]++;
        if (!goes_on(s, i))
            return 0;
    }
    for (uint64_t r = 0; r < rows; r++)
        s->next[r + 1] += s->next[r];
    for (uint64_t i = first; i < end; i++) {
        const uint64_t to = s->next[pairs->left[i] - row]++;
        s->keys[to] = (uint64_t)pairs->right[i] << 32;
        akin_levels_copy(s->levels + to * width, pairs->levels + i * width, width);
        if (!goes_on(s, i))
            return 0;
    }
    return 1;
}

/* Sorts the pairs of a row, which are `from` to `end` - 1 of the bucket, and writes them to their places in the list,
 * whose pair `first` is the first one of the bucket. 0: cancelled. */
static int place_row(const akin_level_pairs *pairs, uint64_t first, uint64_t row, uint64_t from, uint64_t end,
                     sorting *s)
{
    const uint32_t width = pairs->comparisons;
    for (uint64_t i = from; i < end; i++)
        s->keys[i] |= i - from;
    if (!sort_row(s->keys + from, end - from, &s->cancellation))
        return 0;
    for (uint64_t i = from; i < end; i++) {
        pairs->left[first + i] = (uint32_t)row;
        pairs->right[first + i] = (uint32_t)(s->keys[i] >> 32);
        akin_levels_copy(pairs->levels + (first + i) * width, s->levels + (from + (uint32_t)s->keys[i]) * width, width);
        if (!goes_on(s, i))
            return 0;
    }
    return 1;
}

static akin_status sort_bucket(void *argument, uint64_t task, uint32_t thread)
{
    const placing *p = argument;
    akin_dedupe_job *j = p->training->job;
    const akin_level_pairs *pairs = &p->training->pairs;
    sorting *s = &p->sortings[thread];
    const uint64_t first = p->starts[task], end = p->starts[task + 1], row = task << p->shift;
    const uint64_t rows = akin_min_u64((uint64_t)1 << p->shift, pairs->rows[0] - row);
    if (!reserve(p, s, end - first))
        return AKIN_E_NOMEM;
    s->cancellation = (akin_cancellation){j->scope, &j->cancelled, thread, s->cancellation.reported_at};
    if (!sort_by_left(pairs, first, end, row, rows, s))
        return AKIN_E_CANCELLED;
    for (uint64_t r = 0, from = 0; r < rows; from = s->next[r++])
        if (!place_row(pairs, first, row + r, from, s->next[r], s))
            return AKIN_E_CANCELLED;
    return AKIN_OK;
}

/* Where the pairs of each task and bucket go, instead of how many there are. */
static void set_places(const placing *p, uint64_t tasks)
{
    uint64_t before = 0;
    for (uint32_t b = 0; b < p->buckets; b++) {
        p->starts[b] = before;
        for (uint64_t t = 0; t < tasks; t++) {
            uint64_t *at = &p->at[t * p->buckets + b];
            const uint64_t count = *at;
            *at = before;
            before += count;
        }
    }
    p->starts[p->buckets] = before;
}

/* There is memory. */
static akin_status place(const placing *p, uint64_t tasks)
{
    akin_dedupe_job *j = p->training->job;
    const akin_scope scope = akin_scope_narrow(j->scope, (akin_narrowing){.threads = akin_scope_threads(j->scope)});
    akin_status status = akin_parallel(&scope, NULL, tasks, count_buckets, (void *)p);
    set_places(p, tasks);
    if (status == AKIN_OK)
        status = akin_parallel(&scope, NULL, tasks, deal_pairs, (void *)p);
    for (uint32_t t = 0; t < j->threads; t++)
        akin_found_clear(&j->workers[t].found);
    if (status == AKIN_OK)
        status = akin_parallel_long(&scope, NULL, p->buckets, sort_bucket, (void *)p, &j->cancelled);
    return status;
}

/* Chooses how many pairs a task has, and how many rows a bucket. */
static void choose_sizes(placing *p, uint64_t pairs, uint32_t rows)
{
    const uint64_t wished = akin_min_u64(BUCKETS, pairs / BUCKET_PAIRS + 1);
    p->task_pairs = akin_max_u64(TASK_PAIRS, akin_ceil_div(pairs, TASKS));
    while (rows > 0 && (rows - 1) >> p->shift >= wished)
        p->shift++;
    p->buckets = rows > 0 ? ((rows - 1) >> p->shift) + 1 : 0;
}

static void clear_placing(placing *p)
{
    for (uint32_t t = 0; p->sortings && t < akin_scope_threads(p->training->job->scope); t++) {
        akin_free(p->sortings[t].keys);
        akin_free(p->sortings[t].levels);
        akin_free(p->sortings[t].next);
    }
    akin_free(p->at);
    akin_free(p->starts);
    akin_free(p->sortings);
}

akin_status akin_training_list(akin_training *training, akin_error *error)
{
    akin_dedupe_job *j = training->job;
    akin_account *account = &j->account;
    akin_level_pairs *pairs = &training->pairs;
    placing p = {.training = training};
    akin_status status = AKIN_OK;
    choose_sizes(&p, j->found, pairs->rows[0]);
    const uint64_t tasks = count_tasks(&p);
    p.at = akin_alloc_zero(account, tasks * p.buckets, sizeof *p.at);
    p.starts = akin_alloc(account, (uint64_t)p.buckets + 1, sizeof *p.starts);
    p.sortings = akin_alloc_zero(account, akin_scope_threads(j->scope), sizeof *p.sortings);
    pairs->count = j->found;
    pairs->left = akin_alloc(account, pairs->count, sizeof *pairs->left);
    pairs->right = akin_alloc(account, pairs->count, sizeof *pairs->right);
    pairs->levels = akin_alloc(account, pairs->count * pairs->comparisons, sizeof *pairs->levels);
    if (!p.at || !p.starts || !p.sortings || !pairs->left || !pairs->right || !pairs->levels)
        status = akin_fail_memory(error, "the pairs to learn from");
    else if ((status = place(&p, tasks)) != AKIN_OK)
        akin_fail_stopped(error, status, "the pairs to learn from");
    clear_placing(&p);
    return status;
}
