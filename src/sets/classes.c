/*
 * Puts the rows of a collection into classes by size: a counting sort by all threads, each of which counts, and then
 * places, the rows of some chunks.
 *
 *     counts   chunk 0: | of size 0 | of size 1 | ... | chunk 1: | ...        then the place of the chunk's next row
 */
#include "sets/classes.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "sets/sets.h"

#define ROWS_A_CHUNK 65536

typedef struct classing {
    const akin_sets *sets;
    uint64_t chunk_rows;
    uint64_t chunks;
    uint64_t sizes;   /* the largest + 1 */
    uint32_t *counts; /* chunks times sizes */
    uint32_t *row;
    uint64_t *offsets; /* may be NULL */
    _Atomic uint64_t largest;
} classing;

static inline uint64_t size_of_row(const akin_sets *sets, uint64_t row)
{
    return sets->offsets[row + 1] - sets->offsets[row];
}

static akin_status find_largest(void *argument, uint64_t task, uint32_t thread)
{
    classing *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * ROWS_A_CHUNK, c->sets->rows);
    uint64_t largest = 0, before = atomic_load_explicit(&c->largest, memory_order_relaxed);
    (void)thread;
    for (uint64_t row = task * ROWS_A_CHUNK; row < end; row++)
        largest = akin_max_u64(largest, size_of_row(c->sets, row));
    while (largest > before && !atomic_compare_exchange_weak_explicit(&c->largest, &before, largest,
                                                                      memory_order_relaxed, memory_order_relaxed)) {
    }
    return AKIN_OK;
}

static akin_status count_sizes(void *argument, uint64_t task, uint32_t thread)
{
    const classing *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * c->chunk_rows, c->sets->rows);
    uint32_t *counts = c->counts + task * c->sizes;
    (void)thread;
    for (uint64_t row = task * c->chunk_rows; row < end; row++)
        counts[size_of_row(c->sets, row)]++;
    return AKIN_OK;
}

static akin_status place_rows(void *argument, uint64_t task, uint32_t thread)
{
    const classing *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * c->chunk_rows, c->sets->rows);
    uint32_t *places = c->counts + task * c->sizes;
    (void)thread;
    for (uint64_t row = task * c->chunk_rows; row < end; row++) {
        const uint64_t size = size_of_row(c->sets, row);
        if (size == 0)
            continue;
        const uint32_t place = places[size]++;
        c->row[place] = (uint32_t)row;
        if (c->offsets)
            c->offsets[place] = c->sets->offsets[row];
    }
    return AKIN_OK;
}

/* Turns the numbers of rows of one size into places from `first` on, and returns where they end. */
static uint32_t place_size(const classing *c, uint64_t size, uint32_t first)
{
    for (uint64_t chunk = 0; chunk < c->chunks; chunk++) {
        uint32_t *count = &c->counts[chunk * c->sizes + size], own = *count;
        *count = first;
        first += own;
    }
    return first;
}

/* Lists the classes, and sets out->count. */
static int list_classes(const classing *c, akin_account *account, akin_set_classes *out)
{
    for (uint64_t size = 1; size < c->sizes; size++) {
        int is_there = 0;
        for (uint64_t chunk = 0; chunk < c->chunks && !is_there; chunk++)
            is_there = c->counts[chunk * c->sizes + size] != 0;
        out->classes += (uint32_t)is_there;
    }
    out->class_size = akin_alloc(account, out->classes, sizeof *out->class_size);
    out->class_first = akin_alloc(account, (uint64_t)out->classes + 1, sizeof *out->class_first);
    if (!out->class_size || !out->class_first)
        return 0;
    uint32_t class = 0;
    for (uint64_t size = 1; size < c->sizes; size++) {
        const uint32_t first = out->count;
        out->count = place_size(c, size, first);
        if (out->count == first)
            continue;
        out->class_size[class] = (uint32_t)size;
        out->class_first[class ++] = first;
    }
    out->class_first[class] = out->count;
    return 1;
}

/* Counts rows by size, and lists the classes. Chunks are as many as their counts are worth: these are no more than the
 * rows. */
static akin_status count_classes(const akin_scope *scope, akin_account *account, classing *c, akin_set_classes *out)
{
    const uint64_t rows = c->sets->rows;
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(rows, ROWS_A_CHUNK), find_largest, c);
    if (status != AKIN_OK)
        return status;
    c->sizes = c->largest + 1;
    c->chunk_rows = akin_max_u64(ROWS_A_CHUNK, c->sizes);
    c->chunks = akin_ceil_div(rows, c->chunk_rows);
    c->counts = akin_alloc_zero(account, c->chunks * c->sizes, sizeof *c->counts);
    if (!c->counts)
        return AKIN_E_NOMEM;
    status = akin_parallel(scope, NULL, c->chunks, count_sizes, c);
    return status == AKIN_OK && !list_classes(c, account, out) ? AKIN_E_NOMEM : status;
}

akin_status akin_set_classes_make(const akin_scope *scope, akin_account *account, const akin_sets *sets,
                                  akin_bulk *rows, int with_offsets, akin_set_classes *out, akin_error *error)
{
    static const char what[] = "sorting the sets by size";
    classing c = {.sets = sets};
    *out = (akin_set_classes){0};
    akin_status status = count_classes(scope, account, &c, out);
    if (status == AKIN_OK && with_offsets) {
        out->offsets = c.offsets = akin_alloc(account, (uint64_t)out->count + 1, sizeof *out->offsets);
        status = out->offsets ? AKIN_OK : AKIN_E_NOMEM;
    }
    if (status != AKIN_OK)
        akin_fail_stopped(error, status, what);
    else
        status = akin_bulk_reserve(rows, (uint64_t)out->count * sizeof *out->row, what, error);
    if (status == AKIN_OK) {
        out->row = c.row = rows->data;
        status = akin_parallel(scope, NULL, c.chunks, place_rows, &c);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_free(c.counts);
    return status;
}
