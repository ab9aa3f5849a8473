/*
 * A sample sort (Frazer, McKellar, Samplesort, 1970): keys that were drawn at even distances split all others into
 * buckets, each of which one thread sorts within its cache.
 *
 *     keys     task 0 | task 1 | ...          each counts its keys of each bucket, and then moves them
 *     moved    bucket 0 | bucket 1 | ...      each is sorted, and copied back
 */
#include "base/sort_parallel.h"

#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

#define LEAST        65536 /* fewer keys are sorted by the calling thread */
#define TASK_KEYS    65536
#define BUCKET_KEYS  16384 /* about */
#define BUCKETS_MOST 1024
#define SAMPLES      16 /* that are drawn for a bucket */

typedef struct sorting {
    akin_u128 *keys, *moved;
    uint64_t count, tasks;
    uint32_t buckets;    /* a power of two */
    akin_u128 *splits;   /* buckets - 1: the least keys of all buckets but the first */
    uint16_t *bucket_of; /* of each key */
    uint64_t *places;    /* of each task and bucket: keys; then where the task's next one goes */
    uint64_t *starts;    /* of buckets, one more than there are */
} sorting;

/* How many splits are at most the key. Each step halves what is left, without a branch to mispredict. */
static uint16_t bucket_of(const sorting *s, akin_u128 key)
{
    uint32_t bucket = 0;
    for (uint32_t step = s->buckets / 2; step > 0; step /= 2)
        bucket += s->splits[bucket + step - 1] <= key ? step : 0;
    return (uint16_t)bucket;
}

static akin_status count_keys(void *argument, uint64_t task, uint32_t thread)
{
    sorting *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_KEYS, s->count);
    uint64_t *counts = s->places + task * s->buckets;
    (void)thread;
    for (uint64_t i = task * TASK_KEYS; i < end; i++) {
        s->bucket_of[i] = bucket_of(s, s->keys[i]);
        counts[s->bucket_of[i]]++;
    }
    return AKIN_OK;
}

static void set_places(sorting *s)
{
    uint64_t at = 0;
    for (uint32_t bucket = 0; bucket < s->buckets; bucket++) {
        s->starts[bucket] = at;
        for (uint64_t task = 0; task < s->tasks; task++) {
            uint64_t *place = &s->places[task * s->buckets + bucket], own = *place;
            *place = at;
            at += own;
        }
    }
    s->starts[s->buckets] = at;
}

static akin_status move_keys(void *argument, uint64_t task, uint32_t thread)
{
    sorting *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_KEYS, s->count);
    uint64_t *places = s->places + task * s->buckets;
    (void)thread;
    for (uint64_t i = task * TASK_KEYS; i < end; i++)
        s->moved[places[s->bucket_of[i]]++] = s->keys[i];
    return AKIN_OK;
}

static akin_status sort_bucket(void *argument, uint64_t bucket, uint32_t thread)
{
    sorting *s = argument;
    const uint64_t start = s->starts[bucket], count = s->starts[bucket + 1] - start;
    (void)thread;
    akin_sort_u128(s->moved + start, count);
    memcpy(s->keys + start, s->moved + start, count * sizeof *s->keys);
    return AKIN_OK;
}

/* Draws the splits; s->moved has room for the samples. */
static void draw_splits(sorting *s)
{
    const uint64_t samples = (uint64_t)s->buckets * SAMPLES;
    for (uint64_t i = 0; i < samples; i++)
        s->moved[i] = s->keys[(uint64_t)((akin_u128)i * s->count / samples)];
    akin_sort_u128(s->moved, samples);
    for (uint32_t bucket = 1; bucket < s->buckets; bucket++)
        s->splits[bucket - 1] = s->moved[(uint64_t)bucket * SAMPLES];
}

static akin_status sort_buckets(const akin_scope *scope, sorting *s)
{
    draw_splits(s);
    akin_status status = akin_parallel(scope, NULL, s->tasks, count_keys, s);
    if (status != AKIN_OK)
        return status;
    set_places(s);
    status = akin_parallel(scope, NULL, s->tasks, move_keys, s);
    return status == AKIN_OK ? akin_parallel(scope, NULL, s->buckets, sort_bucket, s) : status;
}

akin_status akin_sort_parallel_u128(const akin_scope *scope, akin_account *account, akin_u128 *keys, uint64_t count)
{
    sorting s = {.keys = keys, .count = count, .tasks = akin_ceil_div(count, TASK_KEYS), .buckets = 1};
    akin_status status = AKIN_E_NOMEM;
    while (s.buckets < BUCKETS_MOST && (uint64_t)s.buckets * BUCKET_KEYS < count)
        s.buckets *= 2;
    if (count >= LEAST) {
        s.moved = akin_alloc(account, count, sizeof *s.moved);
        s.bucket_of = akin_alloc(account, count, sizeof *s.bucket_of);
        s.splits = akin_alloc(account, s.buckets, sizeof *s.splits);
        s.places = akin_alloc_zero(account, s.tasks * s.buckets, sizeof *s.places);
        s.starts = akin_alloc(account, s.buckets + UINT64_C(1), sizeof *s.starts);
    }
    if (s.moved && s.bucket_of && s.splits && s.places && s.starts)
        status = sort_buckets(scope, &s);
    akin_free(s.moved);
    akin_free(s.bucket_of);
    akin_free(s.splits);
    akin_free(s.places);
    akin_free(s.starts);
    if (status == AKIN_E_NOMEM) {
        atomic_int cancelled = 0;
        akin_cancellation cancellation = {.scope = scope, .cancelled = &cancelled};
        status = akin_sort_long_u128(keys, count, &cancellation) ? AKIN_OK : AKIN_E_CANCELLED;
    }
    return status;
}
