/* Ordered n-grams: of strings, of an index, and of queries. */
#include "search/grams.h"

#include "base/parallel.h"
#include "base/sort.h"
#include "table/columns.h"

#define OCCURRENCES ((uint64_t)1 << 24)
#define BUCKET_BITS 14 /* of keys that are sorted */
#define BUCKETS     (1 << BUCKET_BITS)
#define REPORT_KEYS ((uint64_t)1 << 20)
#define RADIX_FROM  4096 /* keys it pays */

static const char what[] = "n-grams"; /* the memory is for */

int akin_grams_of(const uint8_t *bytes, uint64_t length, uint32_t n, uint64_t *keys)
{
    const uint64_t count = akin_grams_count(length, n), mask = (UINT64_C(1) << 8 * n) - 1;
    uint64_t gram = 0, occurrence = 0;
    for (uint64_t i = 0; i < length; i++) {
        gram = (gram << 8 | bytes[i]) & mask;
        if (i + 1 >= n)
            keys[i + 1 - n] = gram << 24;
    }
    akin_sort_u64(keys, count);
    for (uint64_t i = 1; i < count; i++) {
        occurrence = keys[i] == keys[i - 1] - occurrence ? occurrence + 1 : 0;
        if (occurrence == OCCURRENCES)
            return 0;
        keys[i] += occurrence;
    }
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ build */

enum { OFFSETS, KEYS, KEYWORDS, ALL, SCRATCH, ARRAYS }; /* that building takes */

typedef struct building {
    akin_search_index *index;
    akin_column strings;
    akin_bulk arrays[ARRAYS];
    uint64_t *offsets;  /* of the keys of each string */
    uint64_t *keys;     /* of all */
    uint32_t *keywords; /* of them */
    const uint64_t *distinct;
    uint64_t distinct_count;
} building;

/* What strings weigh as tasks: see akin_weighed_tasks. */
static uint64_t gram_bytes_before(const void *of, uint32_t row)
{
    const building *b = of;
    return b->offsets[row] * sizeof *b->keys + row * sizeof *b->offsets;
}

static akin_status make_keys(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    const uint64_t end = akin_weighed_begin(gram_bytes_before, b, b->index->head.rows, task + 1);
    (void)thread;
    for (uint64_t row = akin_weighed_begin(gram_bytes_before, b, b->index->head.rows, task); row < end; row++) {
        const uint64_t at = b->strings.offsets[row], length = b->strings.offsets[row + 1] - at;
        if (b->offsets[row + 1] > b->offsets[row] && !akin_grams_of((const uint8_t *)b->strings.bytes + at, length,
                                                                    b->index->head.ngram, b->keys + b->offsets[row]))
            return AKIN_E_LIMIT;
    }
    return AKIN_OK;
}

/* The first key that is not below one, from `low` on. */
static uint64_t lower_bound_of_gram(const uint64_t *keys, uint64_t low, uint64_t high, uint64_t key)
{
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static akin_status look_up_keys(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    const uint64_t end = akin_weighed_begin(gram_bytes_before, b, b->index->head.rows, task + 1);
    (void)thread;
    for (uint64_t row = akin_weighed_begin(gram_bytes_before, b, b->index->head.rows, task); row < end; row++)
        for (uint64_t i = b->offsets[row], low = 0; i < b->offsets[row + 1]; i++) {
            low = lower_bound_of_gram(b->distinct, low, b->distinct_count, b->keys[i]); /* keys of a string rise */
            b->keywords[i] = (uint32_t)low;
        }
    return AKIN_OK;
}

/* Keys are sorted bucket by bucket: those of a bucket have their highest bits in common. */
typedef struct buckets {
    uint64_t *keys, *scratch;
    uint64_t ends[BUCKETS + 1]; /* of each bucket; while they are counted those before it end there */
    uint64_t left[BUCKETS];     /* distinct keys of a bucket */
    int shift;
} buckets;

/* Parts `from` into buckets, in b->keys. */
static akin_status part_in_buckets(const akin_scope *scope, const uint64_t *from, uint64_t total, buckets *b)
{
    for (uint64_t i = 0; i < total; i++) {
        if (i % REPORT_KEYS == 0 && akin_scope_report(scope, "sorting n-grams", i, 2 * total) != AKIN_OK)
            return AKIN_E_CANCELLED;
        b->ends[(from[i] >> b->shift) + 1]++;
    }
    for (int bucket = 0; bucket < BUCKETS; bucket++)
        b->ends[bucket + 1] += b->ends[bucket];
    for (uint64_t i = 0; i < total; i++) {
        if (i % REPORT_KEYS == 0 && akin_scope_report(scope, "sorting n-grams", total + i, 2 * total) != AKIN_OK)
            return AKIN_E_CANCELLED;
        b->keys[b->ends[from[i] >> b->shift]++] = from[i];
    }
    return AKIN_OK; /* each end is now where the bucket itself ends */
}

/* Leaves each key of a bucket once, rising. */
static akin_status sift_grams(void *argument, uint64_t task, uint32_t thread)
{
    buckets *b = argument;
    const uint64_t begin = task > 0 ? b->ends[task - 1] : 0, count = b->ends[task] - begin;
    uint64_t *keys = b->keys + begin, left = 0;
    (void)thread;
    if (count < RADIX_FROM)
        akin_sort_u64(keys, count);
    else
        akin_radix_sort_u64(keys, b->scratch + begin, count);
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || keys[i] != keys[i - 1])
            keys[left++] = keys[i];
    b->left[task] = left;
    return AKIN_OK;
}

static akin_status keep_distinct_grams(const akin_scope *scope, building *b, akin_error *error)
{
    const uint64_t *all = b->arrays[ALL].data;
    if (b->distinct_count >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "strings have 2^32 - 1 distinct n-grams or more");
    akin_status status = akin_search_section(scope, b->index, AKIN_SEARCH_GRAMS, b->distinct_count, sizeof *all, error);
    if (status == AKIN_OK && b->distinct_count > 0) {
        status = akin_copy_long(scope, b->index->own[AKIN_SEARCH_GRAMS].data, all, b->distinct_count * sizeof *all);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_bulk_clear(&b->arrays[ALL]);
    b->distinct = b->index->own[AKIN_SEARCH_GRAMS].data;
    return status;
}

/* Lists the keys that there are, each once. */
static akin_status list_distinct(const akin_scope *scope, building *b, uint64_t total, akin_error *error)
{
    const int bits = 24 + 8 * (int)b->index->head.ngram, most = bits - BUCKET_BITS;
    akin_status status = akin_search_scratch(scope, &b->arrays[ALL], total, sizeof *b->keys, error);
    if (status == AKIN_OK)
        status = akin_search_scratch(scope, &b->arrays[SCRATCH], total, sizeof *b->keys, error);
    if (status == AKIN_OK)
        status = akin_bulk_touch(scope, &b->arrays[ALL], what, error);
    if (status != AKIN_OK)
        return status;
    buckets *sorted = akin_alloc_zero(NULL, 1, sizeof *sorted);
    if (!sorted)
        return akin_fail_memory(error, what);
    sorted->keys = b->arrays[ALL].data;
    sorted->scratch = b->arrays[SCRATCH].data;
    sorted->shift = most > 24 ? most : 24;
    status = part_in_buckets(scope, b->keys, total, sorted);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, BUCKETS, sift_grams, sorted);
    for (int bucket = 0; bucket < BUCKETS && status == AKIN_OK; bucket++) {
        const uint64_t begin = bucket > 0 ? sorted->ends[bucket - 1] : 0;
        if (bucket % 64 == 0)
            status = akin_scope_report(scope, NULL, 0, 0);
        if (sorted->left[bucket] > 0)
            memmove(sorted->keys + b->distinct_count, sorted->keys + begin,
                    (size_t)sorted->left[bucket] * sizeof *sorted->keys);
        b->distinct_count += sorted->left[bucket];
    }
    akin_free(sorted);
    akin_bulk_clear(&b->arrays[SCRATCH]);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    return keep_distinct_grams(scope, b, error);
}

/* Counts the keys of each string, and makes room for all. */
static akin_status count_keys(const akin_scope *scope, building *b, akin_error *error)
{
    const uint32_t rows = b->index->head.rows;
    b->strings = akin_search_strings(b->index);
    akin_status status = akin_search_scratch(scope, &b->arrays[OFFSETS], (uint64_t)rows + 1, sizeof *b->offsets, error);
    if (status != AKIN_OK)
        return status;
    b->offsets = b->arrays[OFFSETS].data;
    b->offsets[0] = 0;
    for (uint32_t row = 0; row < rows; row++) {
        if (akin_is_stopped(scope, row))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        const uint64_t length = b->strings.offsets[row + UINT64_C(1)] - b->strings.offsets[row];
        const uint64_t count = akin_column_has(&b->strings, row) ? akin_grams_count(length, b->index->head.ngram) : 0;
        b->offsets[row + UINT64_C(1)] = b->offsets[row] + count;
    }
    status = akin_search_scratch(scope, &b->arrays[KEYS], b->offsets[rows], sizeof *b->keys, error);
    if (status == AKIN_OK)
        status = akin_search_scratch(scope, &b->arrays[KEYWORDS], b->offsets[rows], sizeof *b->keywords, error);
    b->keys = b->arrays[KEYS].data;
    b->keywords = b->arrays[KEYWORDS].data;
    return status;
}

static akin_status build_grams(const akin_scope *scope, building *b, akin_error *error)
{
    const uint32_t rows = b->index->head.rows;
    akin_status status = count_keys(scope, b, error);
    if (status != AKIN_OK)
        return status;
    const uint64_t tasks = akin_weighed_tasks(gram_bytes_before, b, rows);
    status = akin_parallel(scope, "listing n-grams", tasks, make_keys, b);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "a string has an n-gram 2^24 times");
    if (status == AKIN_OK) {
        status = list_distinct(scope, b, b->offsets[rows], error);
        if (status != AKIN_OK)
            return status;
        status = akin_parallel(scope, NULL, tasks, look_up_keys, b);
    }
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    akin_bulk_clear(&b->arrays[KEYS]);
    const akin_objects_source source = {
        .objects = rows, .keywords = (uint32_t)b->distinct_count, .offsets = b->offsets, .tokens = b->keywords};
    return akin_objects_build(scope, &source, &b->index->objects, error);
}

akin_status akin_grams_build(const akin_scope *scope, akin_search_index *index, akin_error *error)
{
    building b = {.index = index};
    akin_status status = build_grams(scope, &b, error);
    for (int array = 0; array < ARRAYS; array++)
        akin_bulk_clear(&b.arrays[array]);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- queries */

akin_status akin_build_string_query(akin_query_source *source, uint32_t row, akin_query_batch *batch, akin_error *error)
{
    const akin_search_index *index = source->index;
    const akin_column *column = source->columns;
    const uint64_t *keys = index->sections[AKIN_SEARCH_GRAMS].data, keywords = index->objects.head.keywords;
    const uint64_t at = column->offsets[row], length = column->offsets[row + UINT64_C(1)] - at;
    const uint64_t count = akin_column_has(column, row) ? akin_grams_count(length, index->head.ngram) : 0;
    if (count == 0)
        return AKIN_OK;
    uint64_t *own = akin_enlarge(NULL, source->found, &source->found_room, count, sizeof *own);
    if (!own)
        return akin_fail_memory(error, what);
    source->found = own;
    if (!akin_grams_of((const uint8_t *)column->bytes + at, length, index->head.ngram, own))
        return akin_fail_row(error, AKIN_E_LIMIT, AKIN_REASON_NONE, row, NULL, ": an n-gram is there 2^24 times");
    for (uint64_t i = 0, low = 0; i < count; i++) {
        low = lower_bound_of_gram(keys, low, keywords, own[i]);
        if (low < keywords && keys[low] == own[i] && !akin_query_batch_add(batch, (uint32_t)low, (uint32_t)low, 1))
            return akin_fail_memory(error, what);
    }
    return AKIN_OK;
}
