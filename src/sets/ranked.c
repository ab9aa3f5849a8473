/* Ranks the tokens of one or two collections by rising frequency and sorts the sets by size and content. */
#include "sets/ranked.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ token -> frequency rank */

/*
 * Tokens are arbitrary 32-bit numbers. Where they are dense the table is indexed by the token itself; where they are sparse
 * (hashes, say) it is an open-addressed hash table of token keys, so that memory follows the data and not the largest id.
 */
typedef struct ranking {
    akin_account *account;
    int dense;
    uint64_t slots;  /* table length: largest token + 1, or a power of two */
    uint32_t *keys;  /* sparse only: the token in a slot whose value is not 0 */
    uint32_t *value; /* first the frequency (0: no such token, capped), then the rank */
    uint64_t universe;
} ranking;

static void ranking_clear(ranking *table)
{
    akin_free(table->keys);
    akin_free(table->value);
    table->keys = NULL;
    table->value = NULL;
}

/* The slot of a token: where it is, or the empty one where it belongs. */
static inline uint64_t ranking_slot(const ranking *table, uint32_t token)
{
    if (table->dense)
        return token;
    uint64_t mask = table->slots - 1;
    uint64_t slot = (token * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (table->value[slot] && table->keys[slot] != token)
        slot = (slot + 1) & mask;
    return slot;
}

/* Makes room for `more` further tokens at a load of at most one half. */
static int ranking_grow(ranking *table, uint64_t slots, uint64_t more)
{
    while (table->universe + more > slots / 2)
        slots *= 2;
    ranking bigger = *table;
    bigger.slots = slots;
    bigger.keys = akin_alloc(table->account, slots, sizeof(uint32_t));
    bigger.value = akin_alloc_zero(table->account, slots, sizeof(uint32_t));
    if (!bigger.keys || !bigger.value) {
        ranking_clear(&bigger);
        return 0;
    }
    for (uint64_t i = 0; i < table->slots; i++) {
        if (!table->value[i])
            continue;
        uint64_t slot = ranking_slot(&bigger, table->keys[i]);
        bigger.keys[slot] = table->keys[i];
        bigger.value[slot] = table->value[i];
    }
    ranking_clear(table);
    *table = bigger;
    return 1;
}

static int ranking_count(ranking *table, const akin_sets *sets)
{
    uint32_t rows = akin_sets_rows(sets);
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        if (!table->dense && table->universe + size > table->slots / 2 && !ranking_grow(table, table->slots, size))
            return 0;
        for (uint32_t i = 0; i < size; i++) {
            uint64_t slot = ranking_slot(table, tokens[i]);
            if (table->value[slot] == 0) {
                table->universe++;
                if (!table->dense)
                    table->keys[slot] = tokens[i];
            }
            table->value[slot] += table->value[slot] != UINT32_MAX;
        }
    }
    return 1;
}

static uint64_t token_bound(const akin_sets *sets, uint64_t bound, uint64_t *total)
{
    uint32_t rows = akin_sets_rows(sets);
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        *total += size;
        if (size && tokens[size - 1] >= bound)
            bound = (uint64_t)tokens[size - 1] + 1;
    }
    return bound;
}

/* Turns frequencies into ranks: tokens sorted by (frequency, token). */
static int ranking_order(ranking *table)
{
    uint64_t *order = akin_alloc(table->account, table->universe, sizeof(uint64_t));
    uint64_t *scratch = akin_alloc(table->account, table->universe, sizeof(uint64_t));
    int done = order && scratch;
    if (done) {
        uint64_t n = 0;
        for (uint64_t i = 0; i < table->slots; i++)
            if (table->value[i])
                order[n++] = (uint64_t)table->value[i] << 32 | (table->dense ? (uint32_t)i : table->keys[i]);
        akin_radix_sort_u64(order, scratch, n);
        /* A sparse table is searched by "value is not 0", so ranks are written only after all slots are known. */
        for (uint64_t i = 0; i < n; i++)
            scratch[i] = ranking_slot(table, (uint32_t)order[i]);
        for (uint64_t i = 0; i < n; i++)
            table->value[scratch[i]] = (uint32_t)i;
    }
    akin_free(order);
    akin_free(scratch);
    return done;
}

/* The rank of a token that was counted. Ranks may be 0, so a sparse table is searched by key alone. */
static inline uint32_t ranking_rank(const ranking *table, uint32_t token)
{
    if (table->dense)
        return table->value[token];
    uint64_t mask = table->slots - 1;
    uint64_t slot = (token * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (table->keys[slot] != token)
        slot = (slot + 1) & mask;
    return table->value[slot];
}

/* ---------------------------------------------------------------------------------------------------------- sorting sets */

/* What a set is sorted by inside its size class: its two rarest tokens at once, and the rest only where those are equal. */
typedef struct entry {
    uint64_t key;
    const uint32_t *tokens;
    uint32_t row;
} entry;

static inline int entry_before(const entry *a, const entry *b, uint32_t size)
{
    if (a->key != b->key)
        return a->key < b->key;
    for (uint32_t i = 2; i < size; i++)
        if (a->tokens[i] != b->tokens[i])
            return a->tokens[i] < b->tokens[i];
    return a->row < b->row;
}

/* Bottom-up merge sort; the result ends in `entries`. */
static void entries_sort(entry *entries, entry *scratch, uint64_t count, uint32_t size)
{
    entry *from = entries, *to = scratch;
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t start = 0; start < count; start += 2 * width) {
            uint64_t i = start, middle = akin_min_u64(start + width, count);
            uint64_t j = middle, end = akin_min_u64(start + 2 * width, count);
            for (uint64_t k = start; k < end; k++)
                to[k] = i < middle && (j == end || !entry_before(&from[j], &from[i], size)) ? from[i++] : from[j++];
        }
        entry *swap = from;
        from = to;
        to = swap;
    }
    if (from != entries)
        memcpy(entries, from, count * sizeof *entries);
}

typedef struct sorter {
    const akin_sets *sets;
    const ranking *table;
    akin_ranked *ranked;
    uint32_t *unsorted; /* ranks in the order of the rows, then those of the sorted sets take their place */
    uint64_t *start;    /* where a row's ranks begin in unsorted */
    entry *entries, *scratch;
} sorter;

#define ROWS_A_TASK 1024

static akin_status rank_rows(void *argument, uint64_t task, uint32_t thread)
{
    sorter *job = argument;
    (void)thread;
    uint32_t rows = akin_sets_rows(job->sets);
    uint64_t end = akin_min_u64((task + 1) * ROWS_A_TASK, rows);
    for (uint64_t row = task * ROWS_A_TASK; row < end; row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(job->sets, (uint32_t)row, &tokens);
        uint32_t *ranks = job->unsorted + job->start[row];
        for (uint32_t i = 0; i < size; i++)
            ranks[i] = ranking_rank(job->table, tokens[i]);
        akin_sort_u32(ranks, size);
    }
    return AKIN_OK;
}

static akin_status sort_class(void *argument, uint64_t task, uint32_t thread)
{
    sorter *job = argument;
    (void)thread;
    akin_ranked *ranked = job->ranked;
    uint32_t size = ranked->class_size[task];
    uint32_t first = ranked->class_first[task], end = ranked->class_first[task + 1];
    for (uint32_t i = first; i < end; i++) {
        const uint32_t *ranks = job->unsorted + job->start[ranked->row[i]];
        job->entries[i].key = (uint64_t)ranks[0] << 32 | (size > 1 ? ranks[1] : 0);
        job->entries[i].tokens = ranks;
        job->entries[i].row = ranked->row[i];
    }
    entries_sort(job->entries + first, job->scratch + first, end - first, size);
    uint64_t offset = ranked->offsets[first];
    for (uint32_t i = first; i < end; i++, offset += size) {
        ranked->row[i] = job->entries[i].row;
        ranked->offsets[i] = offset;
        memcpy(ranked->tokens + offset, job->entries[i].tokens, size * sizeof(uint32_t));
    }
    return AKIN_OK;
}

/* Finds the classes and puts every row into its class (counting sort by size); offsets[first] of each class is set. */
static int classify(akin_account *account, const akin_sets *sets, akin_ranked *ranked)
{
    uint32_t rows = akin_sets_rows(sets), largest = 0;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t size = akin_sets_row(sets, row, NULL);
        largest = size > largest ? size : largest;
        ranked->count += size != 0;
    }
    uint64_t *next = akin_alloc_zero(account, (uint64_t)largest + 1, sizeof(uint64_t));
    ranked->row = akin_alloc(account, ranked->count, sizeof(uint32_t));
    ranked->offsets = akin_alloc_zero(account, (uint64_t)ranked->count + 1, sizeof(uint64_t));
    if (!next || !ranked->row || !ranked->offsets) {
        akin_free(next);
        return 0;
    }
    for (uint32_t row = 0; row < rows; row++)
        next[akin_sets_row(sets, row, NULL)]++;
    for (uint64_t size = 1; size <= largest; size++)
        ranked->classes += next[size] != 0;
    ranked->class_size = akin_alloc(account, ranked->classes, sizeof(uint32_t));
    ranked->class_first = akin_alloc(account, (uint64_t)ranked->classes + 1, sizeof(uint32_t));
    int done = ranked->class_size && ranked->class_first;
    if (done) {
        uint32_t c = 0, first = 0;
        uint64_t offset = 0;
        for (uint64_t size = 1; size <= largest; size++) {
            uint32_t count = (uint32_t)next[size];
            next[size] = first;
            if (!count)
                continue;
            ranked->class_size[c] = (uint32_t)size;
            ranked->class_first[c++] = first;
            ranked->offsets[first] = offset;
            first += count;
            offset += count * size;
        }
        ranked->class_first[c] = ranked->count;
        ranked->offsets[ranked->count] = offset;
        for (uint32_t row = 0; row < rows; row++) {
            uint32_t size = akin_sets_row(sets, row, NULL);
            if (size)
                ranked->row[next[size]++] = row;
        }
    }
    akin_free(next);
    return done;
}

static akin_status rank_side(akin_context *context, akin_account *account, const akin_sets *sets, const ranking *table,
                             akin_ranked *ranked, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint32_t rows = akin_sets_rows(sets);
    sorter job = {.sets = sets, .table = table, .ranked = ranked};
    ranked->universe = table->universe;
    if (!classify(account, sets, ranked)) {
        status = akin_fail_memory(error, "sorting the sets");
        goto done;
    }
    job.start = akin_alloc(account, rows, sizeof(uint64_t));
    job.unsorted = akin_alloc(account, ranked->offsets[ranked->count], sizeof(uint32_t));
    if (!job.start || !job.unsorted) {
        status = akin_fail_memory(error, "ranking the tokens");
        goto done;
    }
    uint64_t offset = 0;
    for (uint32_t row = 0; row < rows; row++) {
        job.start[row] = offset;
        offset += akin_sets_row(sets, row, NULL);
    }
    status = akin_parallel(context, "ranking", akin_ceil_div(rows, ROWS_A_TASK), rank_rows, &job);
    if (status != AKIN_OK)
        goto cancelled;
    ranked->tokens = akin_alloc(account, ranked->offsets[ranked->count], sizeof(uint32_t));
    job.entries = akin_alloc(account, ranked->count, sizeof(entry));
    job.scratch = akin_alloc(account, ranked->count, sizeof(entry));
    if (!ranked->tokens || !job.entries || !job.scratch) {
        status = akin_fail_memory(error, "sorting the sets");
        goto done;
    }
    status = akin_parallel(context, "sorting", ranked->classes, sort_class, &job);
cancelled:
    if (status != AKIN_OK)
        akin_fail_stopped(error, status, "ranking the tokens");
done:
    akin_free(job.start);
    akin_free(job.unsorted);
    akin_free(job.entries);
    akin_free(job.scratch);
    return status;
}

akin_status akin_rank_sets(akin_context *context, akin_account *account, const akin_sets *left, const akin_sets *right,
                           akin_ranked *out_left, akin_ranked *out_right, akin_error *error)
{
    akin_status status;
    akin_ranked ranked[2] = {0};
    ranking table = {.account = account};
    uint64_t total = 0, bound = token_bound(left, 0, &total);
    if (right)
        bound = token_bound(right, bound, &total);
    table.dense = bound / 4 <= total + 65536;
    table.slots = table.dense ? bound : 1024;
    table.value = akin_alloc_zero(account, table.slots, sizeof(uint32_t));
    table.keys = table.dense ? NULL : akin_alloc(account, table.slots, sizeof(uint32_t));
    int ready = table.value && (table.dense || table.keys) && ranking_count(&table, left) &&
                (!right || ranking_count(&table, right)) && ranking_order(&table);
    status = ready ? AKIN_OK : akin_fail_memory(error, "ranking the tokens by frequency");
    if (status == AKIN_OK)
        status = rank_side(context, account, left, &table, &ranked[0], error);
    if (status == AKIN_OK && right)
        status = rank_side(context, account, right, &table, &ranked[1], error);
    ranking_clear(&table);
    if (status != AKIN_OK) {
        akin_ranked_clear(&ranked[0]);
        akin_ranked_clear(&ranked[1]);
        memset(ranked, 0, sizeof ranked);
    }
    *out_left = ranked[0];
    if (right)
        *out_right = ranked[1];
    return status;
}

void akin_ranked_clear(akin_ranked *ranked)
{
    akin_free(ranked->row);
    akin_free(ranked->offsets);
    akin_free(ranked->tokens);
    akin_free(ranked->class_size);
    akin_free(ranked->class_first);
    memset(ranked, 0, sizeof *ranked);
}

uint32_t akin_ranked_class(const akin_ranked *ranked, uint64_t size)
{
    uint32_t low = 0, high = ranked->classes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranked->class_size[middle] < size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t akin_ranked_first(const akin_ranked *ranked, uint64_t size)
{
    return ranked->class_first ? ranked->class_first[akin_ranked_class(ranked, size)] : 0;
}
