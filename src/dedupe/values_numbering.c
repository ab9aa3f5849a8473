/*
 * Numbers values in four steps. Threads share the first three:
 *
 *     hash       of each record's value; missing ones are left out
 *     deal       records into partitions, by the upper bits of the hash: each is small enough for a cache
 *     meet       within a partition, in the order of records: a record is the first with its value, or learns which one
 *                was
 *     number     the first ones, in the order of records, and the others by theirs
 *
 * So numbers depend neither on threads nor on the hash, and no text is copied.
 */
#include "dedupe/values.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/random.h"
#include "strings/alphabet.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define TASK_ROWS       65536
#define PARTITION_ROWS  8192 /* about */
#define PARTITIONS_MOST 8192

static const char what[] = "the values";

typedef struct numbering {
    akin_values *values;
    akin_account *account;
    uint64_t seed;    /* drawn anew each time: so nobody can make values that collide */
    uint64_t *hashes; /* of records */
    uint32_t *dealt;  /* records by partition, rising in each */
    uint64_t *starts; /* of partitions in `dealt`, one more than there are */
    uint32_t *counts; /* of each task and partition: records; then where the task's next one goes */
    uint64_t tasks, partitions;
    uint32_t shift; /* of a hash, to get the partition */
} numbering;

/* The bytes of a record's value; NULL: it is missing. */
static inline const char *text_of_record(const akin_values *values, uint32_t record, uint64_t *length)
{
    const akin_records *records = values->records;
    uint32_t right = record >= records->rows[0];
    const akin_column *column = &records->columns[right][values->column];
    uint32_t row = right ? record - records->rows[0] : record;
    *length = column->offsets[row + (uint64_t)1] - column->offsets[row];
    return akin_column_has(column, row) ? column->bytes + column->offsets[row] : NULL;
}

static inline uint64_t partition_of(const numbering *n, uint32_t record)
{
    return n->partitions > 1 ? n->hashes[record] >> n->shift : 0;
}

static akin_status hash_records(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, n->values->records->count), length;
    uint32_t *counts = n->counts + task * n->partitions;
    (void)thread;
    for (uint64_t record = task * TASK_ROWS; record < end; record++) {
        const char *text = text_of_record(n->values, (uint32_t)record, &length);
        n->values->of[record] = text ? 0 : AKIN_VALUE_NONE;
        if (!text)
            continue;
        n->hashes[record] = XXH3_64bits_withSeed(text, length, n->seed);
        counts[partition_of(n, (uint32_t)record)]++;
    }
    return AKIN_OK;
}

/* Sees where each task's records of each partition go. */
static void set_starts(numbering *n)
{
    uint64_t at = 0;
    for (uint64_t partition = 0; partition < n->partitions; partition++) {
        n->starts[partition] = at;
        for (uint64_t task = 0; task < n->tasks; task++) {
            uint32_t *count = &n->counts[task * n->partitions + partition], own = *count;
            *count = (uint32_t)at;
            at += own;
        }
    }
    n->starts[n->partitions] = at;
}

static akin_status deal_records(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    uint64_t end = akin_min_u64((task + 1) * TASK_ROWS, n->values->records->count);
    uint32_t *next = n->counts + task * n->partitions;
    (void)thread;
    for (uint64_t record = task * TASK_ROWS; record < end; record++)
        if (n->values->of[record] != AKIN_VALUE_NONE)
            n->dealt[next[partition_of(n, (uint32_t)record)]++] = (uint32_t)record;
    return AKIN_OK;
}

static int is_same(const numbering *n, uint32_t a, uint32_t b)
{
    uint64_t lengths[2];
    if (n->hashes[a] != n->hashes[b])
        return 0;
    const char *x = text_of_record(n->values, a, &lengths[0]), *y = text_of_record(n->values, b, &lengths[1]);
    return lengths[0] == lengths[1] && memcmp(x, y, lengths[0]) == 0;
}

/* Meanwhile of[record] is the first record with its value. */
static akin_status meet_records(void *argument, uint64_t partition, uint32_t thread)
{
    const numbering *n = argument;
    const uint32_t *records = n->dealt + n->starts[partition];
    uint64_t count = n->starts[partition + 1] - n->starts[partition], size = 2;
    (void)thread;
    while (size < 2 * count)
        size *= 2;
    uint32_t *table = akin_alloc(n->account, size, sizeof *table); /* records, or AKIN_VALUE_NONE */
    if (!table)
        return AKIN_E_NOMEM;
    memset(table, 255, size * sizeof *table);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = n->hashes[records[i]] & (size - 1);
        while (table[at] != AKIN_VALUE_NONE && !is_same(n, table[at], records[i]))
            at = (at + 1) & (size - 1);
        if (table[at] == AKIN_VALUE_NONE)
            table[at] = records[i];
        n->values->of[records[i]] = table[at];
    }
    akin_free(table);
    return AKIN_OK;
}

/* A first record has itself. Numbers stand before those that look them up, as these come later. */
static akin_status number_records(const akin_scope *scope, numbering *n, akin_error *error)
{
    akin_values *values = n->values;
    uint32_t count = values->records->count, *of = values->of;
    akin_status status = AKIN_OK;
    values->count = 0;
    for (uint32_t record = 0; record < count; record++)
        values->count += of[record] == record;
    values->first = akin_alloc(n->account, values->count, sizeof *values->first);
    if (!values->first)
        return akin_fail_memory(error, what);
    for (uint32_t record = 0, next = 0; record < count && status == AKIN_OK; record++) {
        status = akin_records_check_cancelled(scope, record, error);
        if (of[record] == record) {
            values->first[next] = record;
            of[record] = next++;
        } else if (of[record] != AKIN_VALUE_NONE) {
            of[record] = of[of[record]];
        }
    }
    return status;
}

static akin_status do_tasks(const akin_scope *scope, numbering *n, akin_error *error)
{
    akin_status status = akin_parallel(scope, NULL, n->tasks, hash_records, n);
    if (status == AKIN_OK) {
        set_starts(n);
        status = akin_parallel(scope, NULL, n->tasks, deal_records, n);
    }
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, n->partitions, meet_records, n);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    return number_records(scope, n, error);
}

akin_status akin_values_number(const akin_scope *scope, akin_account *account, akin_values *values, akin_error *error)
{
    uint64_t count = values->records->count;
    numbering n = {.values = values, .account = account, .partitions = 1, .shift = 64};
    akin_random random;
    akin_random_seed_anew(&random, &n);
    n.seed = akin_random_next(&random);
    while (n.partitions < PARTITIONS_MOST && n.partitions * PARTITION_ROWS < count) {
        n.partitions *= 2;
        n.shift--;
    }
    n.tasks = akin_ceil_div(count, TASK_ROWS);
    n.hashes = akin_alloc(account, count, sizeof *n.hashes);
    n.dealt = akin_alloc(account, count, sizeof *n.dealt);
    n.starts = akin_alloc(account, n.partitions + 1, sizeof *n.starts);
    n.counts = akin_alloc_zero(account, n.tasks * n.partitions, sizeof *n.counts);
    akin_status status = AKIN_E_NOMEM;
    if (n.hashes && n.dealt && n.starts && n.counts)
        status = do_tasks(scope, &n, error);
    else
        akin_fail_memory(error, what);
    akin_free(n.hashes);
    akin_free(n.dealt);
    akin_free(n.starts);
    akin_free(n.counts);
    return status;
}
