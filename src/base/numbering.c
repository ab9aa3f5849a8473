/*
 * Numbers items in five steps, which threads share:
 *
 *     hash       each item; those that have nothing are left out
 *     deal       items into partitions, by the upper bits of the hash: each is small enough for a cache
 *     meet       within a partition, in the order of items: an item is the first of its kind, or learns which one was
 *     number     the first ones, in the order of items
 *     look up    the numbers of the others
 *
 * So numbers depend neither on threads nor on the hash, and nothing is copied.
 */
#include "base/numbering.h"

#include "base/bits.h"
#include "base/bulk.h"
#include "base/parallel.h"
#include "base/random.h"

#include <string.h>

#define TASK_ITEMS      65536
#define PARTITION_ITEMS 8192 /* about */
#define PARTITIONS_MOST 8192
#define FIRSTS          (2 * PARTITION_ITEMS) /* of a partition; a table grows beyond that */

typedef struct numbering {
    const akin_numbered *numbered;
    akin_numbers *numbers;
    akin_account *account;
    uint64_t seed;     /* drawn anew each time: so nobody can make items that collide */
    uint64_t *hashes;  /* of items */
    uint32_t *dealt;   /* items by partition, rising in each; later the numbers of the first ones */
    akin_bulk room[2]; /* of both */
    uint64_t *starts;  /* of partitions in `dealt`, one more than there are */
    uint32_t *counts;  /* of each task and partition: items; then where the task's next one goes */
    uint32_t *firsts;  /* of each task: first items; then the number of its first one */
    uint64_t tasks, partitions;
    uint32_t shift; /* of a hash, to get the partition */
} numbering;

typedef struct span {
    uint32_t first, end;
} span;

static span items_of(const numbering *n, uint64_t task)
{
    return (span){(uint32_t)(task * TASK_ITEMS), (uint32_t)akin_min_u64((task + 1) * TASK_ITEMS, n->numbered->count)};
}

static inline uint64_t partition_of(const numbering *n, uint32_t item)
{
    return n->partitions > 1 ? n->hashes[item] >> n->shift : 0;
}

static akin_status hash_items(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    const span s = items_of(n, task);
    uint32_t *counts = n->counts + task * n->partitions;
    (void)thread;
    n->numbered->hash(n->numbered->items, n->seed, s.first, s.end, n->hashes, n->numbers->of);
    for (uint32_t item = s.first; item < s.end; item++)
        if (n->numbers->of[item] != AKIN_NUMBER_NONE)
            counts[partition_of(n, item)]++;
    return AKIN_OK;
}

/* Sees where each task's items of each partition go. The counts are read row by row, as they lie in memory. */
static void set_starts(numbering *n)
{
    uint64_t *next = n->starts, before = 0;
    memset(next, 0, (n->partitions + 1) * sizeof *next);
    for (uint64_t task = 0; task < n->tasks; task++)
        for (uint64_t partition = 0; partition < n->partitions; partition++)
            next[partition] += n->counts[task * n->partitions + partition];
    for (uint64_t partition = 0; partition < n->partitions; partition++) {
        const uint64_t own = next[partition];
        next[partition] = before;
        before += own;
    }
    for (uint64_t task = 0; task < n->tasks; task++)
        for (uint64_t partition = 0; partition < n->partitions; partition++) {
            uint32_t *count = &n->counts[task * n->partitions + partition], own = *count;
            *count = (uint32_t)next[partition];
            next[partition] += own;
        }
    memmove(next + 1, next, n->partitions * sizeof *next); /* where one ends, the next one begins */
    next[0] = 0;
}

static akin_status deal_items(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    const span s = items_of(n, task);
    uint32_t *next = n->counts + task * n->partitions;
    (void)thread;
    for (uint32_t item = s.first; item < s.end; item++)
        if (n->numbers->of[item] != AKIN_NUMBER_NONE)
            n->dealt[next[partition_of(n, item)]++] = item;
    return AKIN_OK;
}

static inline int is_same(const numbering *n, uint32_t a, uint32_t b)
{
    return n->hashes[a] == n->hashes[b] &&
           ((n->hashes[a] & AKIN_HASH_EXACT) || n->numbered->same(n->numbered->items, a, b));
}

#define AHEAD 8 /* items between the prefetches of a hash, of a place, of an item, and their use */

/* Prefetches what items of a partition need that come soon after item i. */
static inline void fetch_ahead(const numbering *n, const uint32_t *items, uint64_t count, uint64_t i)
{
    if (i + 3 * AHEAD < count)
        __builtin_prefetch(&n->hashes[items[i + 3 * AHEAD]]);
    for (uint64_t steps = 1; n->numbered->fetch && steps <= 2 && i + steps * AHEAD < count; steps++) {
        const uint32_t item = items[i + steps * AHEAD];
        if (!(n->hashes[item] & AKIN_HASH_EXACT))
            n->numbered->fetch(n->numbered->items, item, steps == 1);
    }
}

/* The first items of a partition, by their hashes. Its size follows their number, not that of all items: these may be
 * equal, all of them. */
typedef struct first_table {
    uint32_t *slots; /* items, or AKIN_NUMBER_NONE */
    uint64_t size, held;
} first_table;

/* The slot of an item: its first one's, or an empty one. */
static inline uint32_t *slot_of(const numbering *n, const first_table *table, uint32_t item)
{
    uint64_t at = n->hashes[item] & (table->size - 1);
    while (table->slots[at] != AKIN_NUMBER_NONE && !is_same(n, table->slots[at], item))
        at = (at + 1) & (table->size - 1);
    return &table->slots[at];
}

static akin_status enlarge_table(const numbering *n, first_table *table, uint64_t size)
{
    const first_table before = *table;
    uint32_t *slots = akin_alloc(n->account, size, sizeof *slots);
    if (!slots)
        return AKIN_E_NOMEM;
    memset(slots, 255, size * sizeof *slots);
    table->slots = slots;
    table->size = size;
    for (uint64_t i = 0; i < before.size; i++)
        if (before.slots[i] != AKIN_NUMBER_NONE) {
            uint64_t at = n->hashes[before.slots[i]] & (size - 1);
            while (slots[at] != AKIN_NUMBER_NONE) /* first items differ from one another */
                at = (at + 1) & (size - 1);
            slots[at] = before.slots[i];
        }
    akin_free(before.slots);
    return AKIN_OK;
}

/* Meanwhile of[item] is the first item of its kind. */
static akin_status meet_items(void *argument, uint64_t partition, uint32_t thread)
{
    const numbering *n = argument;
    const uint32_t *items = n->dealt + n->starts[partition];
    const uint64_t count = n->starts[partition + 1] - n->starts[partition];
    first_table table = {NULL, 0, 0};
    uint64_t size = 2;
    (void)thread;
    while (size < 2 * akin_min_u64(count, FIRSTS))
        size *= 2;
    akin_status status = enlarge_table(n, &table, size);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        fetch_ahead(n, items, count, i);
        uint32_t *slot = slot_of(n, &table, items[i]);
        if (*slot == AKIN_NUMBER_NONE) {
            *slot = items[i];
            table.held++;
        }
        n->numbers->of[items[i]] = *slot;
        if (2 * table.held > table.size)
            status = enlarge_table(n, &table, 2 * table.size);
    }
    akin_free(table.slots);
    return status;
}

/* A first item has itself. */
static akin_status count_firsts(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    const span s = items_of(n, task);
    uint32_t count = 0;
    (void)thread;
    for (uint32_t item = s.first; item < s.end; item++)
        count += n->numbers->of[item] == item;
    n->firsts[task] = count;
    return AKIN_OK;
}

static akin_status set_first_numbers(numbering *n, const char *what, akin_error *error)
{
    uint32_t count = 0;
    for (uint64_t task = 0; task < n->tasks; task++) {
        const uint32_t own = n->firsts[task];
        n->firsts[task] = count;
        count += own;
    }
    n->numbers->count = count;
    n->numbers->first = akin_alloc(n->account, count, sizeof *n->numbers->first);
    return n->numbers->first ? AKIN_OK : akin_fail_memory(error, what);
}

static akin_status number_firsts(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    const span s = items_of(n, task);
    uint32_t next = n->firsts[task];
    (void)thread;
    for (uint32_t item = s.first; item < s.end; item++)
        if (n->numbers->of[item] == item) {
            n->numbers->first[next] = item;
            n->dealt[item] = next++;
        }
    return AKIN_OK;
}

static akin_status look_up_numbers(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    const span s = items_of(n, task);
    (void)thread;
    for (uint32_t item = s.first; item < s.end; item++)
        if (n->numbers->of[item] != AKIN_NUMBER_NONE)
            n->numbers->of[item] = n->dealt[n->numbers->of[item]];
    return AKIN_OK;
}

static akin_status do_tasks(const akin_scope *scope, numbering *n, const char *what, akin_error *error)
{
    akin_status status = akin_parallel(scope, NULL, n->tasks, hash_items, n);
    if (status == AKIN_OK) {
        set_starts(n);
        status = akin_parallel(scope, NULL, n->tasks, deal_items, n);
    }
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, n->partitions, meet_items, n);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, n->tasks, count_firsts, n);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = set_first_numbers(n, what, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(scope, NULL, n->tasks, number_firsts, n);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, n->tasks, look_up_numbers, n);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* Makes room for what items have each, which under a memory bound may be in files, and for what tasks have. */
static akin_status make_room(const akin_scope *scope, numbering *n, const char *what, akin_error *error)
{
    const uint64_t count = n->numbered->count;
    n->room[0] = n->room[1] = akin_bulk_of(scope, n->account, akin_budget(scope, AKIN_BUDGET_ITEMS_MAKING));
    akin_status status = akin_bulk_reserve(&n->room[0], count * sizeof *n->hashes, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&n->room[1], count * sizeof *n->dealt, what, error);
    n->hashes = n->room[0].data;
    n->dealt = n->room[1].data;
    n->starts = akin_alloc(n->account, n->partitions + 1, sizeof *n->starts);
    n->counts = akin_alloc_zero(n->account, n->tasks * n->partitions, sizeof *n->counts);
    n->firsts = akin_alloc(n->account, n->tasks, sizeof *n->firsts);
    if (status == AKIN_OK && (!n->starts || !n->counts || !n->firsts))
        status = akin_fail_memory(error, what);
    return status;
}

akin_status akin_number_items(const akin_scope *scope, akin_account *account, const akin_numbered *numbered,
                              const char *what, akin_numbers *numbers, akin_error *error)
{
    const uint64_t count = numbered->count;
    numbering n = {.numbered = numbered, .numbers = numbers, .account = account, .partitions = 1, .shift = 64};
    akin_random random;
    akin_random_seed_anew(&random, &n);
    n.seed = akin_random_next(&random);
    while (n.partitions < PARTITIONS_MOST && n.partitions * PARTITION_ITEMS < count) {
        n.partitions *= 2;
        n.shift--;
    }
    n.tasks = akin_ceil_div(count, TASK_ITEMS);
    akin_status status = make_room(scope, &n, what, error);
    if (status == AKIN_OK)
        status = do_tasks(scope, &n, what, error);
    akin_bulk_clear(&n.room[0]);
    akin_bulk_clear(&n.room[1]);
    akin_free(n.starts);
    akin_free(n.counts);
    akin_free(n.firsts);
    return status;
}
