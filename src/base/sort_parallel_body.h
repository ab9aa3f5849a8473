/*
 * The parallel sort of one type of keys: to be included by sort_parallel.c, which has defined KEY, the type; NAME(x), a
 * name of its own; SORT(keys, count); SORT_BUCKET(keys, scratch, count), for keys that fit a cache; and
 * SORT_LONG(keys, count, cancellation), in place.
 */
typedef struct NAME(sorting) {
    KEY *keys, *moved;
    uint64_t count, tasks;
    uint32_t buckets;    /* a power of two */
    KEY *splits;         /* buckets - 1: the least keys of all buckets but the first */
    uint16_t *bucket_of; /* of each key */
    uint64_t *places;    /* of each task and bucket: keys; then where the task's next one goes */
    uint64_t *starts;    /* of buckets, one more than there are */
} NAME(sorting);

/* How many splits are at most the key. Each step halves what is left, without a branch to mispredict. */
static uint16_t NAME(bucket_of)(const NAME(sorting) * s, KEY key)
{
    uint32_t bucket = 0;
    for (uint32_t step = s->buckets / 2; step > 0; step /= 2)
        bucket += s->splits[bucket + step - 1] <= key ? step : 0;
    return (uint16_t)bucket;
}

static akin_status NAME(count_keys)(void *argument, uint64_t task, uint32_t thread)
{
    NAME(sorting) *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_KEYS, s->count);
    uint64_t *counts = s->places + task * s->buckets;
    (void)thread;
    for (uint64_t i = task * TASK_KEYS; i < end; i++) {
        s->bucket_of[i] = NAME(bucket_of)(s, s->keys[i]);
        counts[s->bucket_of[i]]++;
    }
    return AKIN_OK;
}

static void NAME(set_places)(NAME(sorting) * s)
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

static akin_status NAME(move_keys)(void *argument, uint64_t task, uint32_t thread)
{
    NAME(sorting) *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_KEYS, s->count);
    uint64_t *places = s->places + task * s->buckets;
    (void)thread;
    for (uint64_t i = task * TASK_KEYS; i < end; i++)
        s->moved[places[s->bucket_of[i]]++] = s->keys[i];
    return AKIN_OK;
}

static akin_status NAME(sort_bucket)(void *argument, uint64_t bucket, uint32_t thread)
{
    NAME(sorting) *s = argument;
    const uint64_t start = s->starts[bucket], count = s->starts[bucket + 1] - start;
    (void)thread;
    SORT_BUCKET(s->moved + start, s->keys + start, count);
    memcpy(s->keys + start, s->moved + start, count * sizeof *s->keys);
    return AKIN_OK;
}

/* Draws the splits; s->moved has room for the samples. */
static void NAME(draw_splits)(NAME(sorting) * s)
{
    const uint64_t samples = (uint64_t)s->buckets * SAMPLES;
    for (uint64_t i = 0; i < samples; i++)
        s->moved[i] = s->keys[(uint64_t)((akin_u128)i * s->count / samples)];
    SORT(s->moved, samples);
    for (uint32_t bucket = 1; bucket < s->buckets; bucket++)
        s->splits[bucket - 1] = s->moved[(uint64_t)bucket * SAMPLES];
}

static akin_status NAME(sort_buckets)(const akin_scope *scope, NAME(sorting) * s)
{
    NAME(draw_splits)(s);
    akin_status status = akin_parallel(scope, NULL, s->tasks, NAME(count_keys), s);
    if (status != AKIN_OK)
        return status;
    NAME(set_places)(s);
    status = akin_parallel(scope, NULL, s->tasks, NAME(move_keys), s);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(scope, NULL, s->buckets, NAME(sort_bucket), s);
    /* Some buckets may not have come back. All keys are in s->moved, as a bucket that was begun is completed. */
    if (status != AKIN_OK)
        memcpy(s->keys, s->moved, s->count * sizeof *s->keys);
    return status;
}

akin_status NAME(akin_sort_parallel)(const akin_scope *scope, akin_account *account, KEY *keys, uint64_t count)
{
    NAME(sorting) s = {.keys = keys, .count = count, .tasks = akin_ceil_div(count, TASK_KEYS), .buckets = 1};
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
        status = NAME(sort_buckets)(scope, &s);
    akin_free(s.moved);
    akin_free(s.bucket_of);
    akin_free(s.splits);
    akin_free(s.places);
    akin_free(s.starts);
    if (status == AKIN_E_NOMEM) {
        atomic_int cancelled = 0;
        akin_cancellation cancellation = {.scope = scope, .cancelled = &cancelled};
        status = SORT_LONG(keys, count, &cancellation) ? AKIN_OK : AKIN_E_CANCELLED;
    }
    return status;
}
