/*
 * Nearest strings on a GPU: the strings of each 32,768 rows are put in the order of their lengths, so that the threads
 * of a warp have strings that are about as long, and brought there once. Queries follow some at a time, as their keys
 * have room and a launch is to end soon.
 */
#include "search/nearest_gpu.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "device/bring.h"
#include "search/gather.h"
#include "search/gpu_nearest.h"
#include "search/top.h"
#include "table/columns.h"

#include <string.h>

#define ALIGNED 256                   /* bytes to which arrays are aligned there */
#define BEHIND  32u                   /* words behind the last one, which are read */
#define QUERIES 8192u                 /* of a chunk, at most */
#define KEYS    ((uint64_t)256 << 20) /* bytes that the keys of a chunk take, unless one query takes more */
#define WORK    ((uint64_t)1 << 34)   /* of a launch, in bytes that a thread walks through, some 20 ms */

static const char what[] = "a search on a GPU"; /* the memory is for */

/* -------------------------------------------------------------------------------------------------------- residents */

/* What strings become on their way. */
typedef struct layout {
    const akin_column *strings;
    uint32_t rows, units;
    uint64_t *begins; /* of each unit's words; and their end */
    akin_gpu_group *groups;
    akin_gpu_slot *slots;
    uint32_t *words;
} layout;

static uint32_t string_units(uint32_t rows)
{
    return (uint32_t)akin_ceil_div(rows, AKIN_RANGE);
}

static uint32_t string_length(const akin_column *strings, uint32_t row)
{
    return (uint32_t)(strings->offsets[row + UINT64_C(1)] - strings->offsets[row]);
}

/* Puts the rows of a unit in order, and cuts them into groups, whose words are counted from 0 on. */
static akin_status order_unit(void *argument, uint64_t unit, uint32_t thread)
{
    const layout *l = argument;
    const uint32_t first = (uint32_t)unit * AKIN_RANGE,
                   end = (uint32_t)akin_min_u64(first + (uint64_t)AKIN_RANGE, l->rows);
    uint32_t starts[AKIN_COMPARE_LONGEST + 2] = {0}, total = 0;
    akin_gpu_slot *slots = l->slots + unit * AKIN_RANGE;
    uint64_t words = 0;
    (void)thread;
    for (uint32_t row = first; row < end; row++)
        if (akin_column_has(l->strings, row))
            starts[string_length(l->strings, row) + 1]++;
    for (uint32_t i = 0; i <= AKIN_COMPARE_LONGEST; i++)
        starts[i + 1] += starts[i];
    total = starts[AKIN_COMPARE_LONGEST + 1];
    for (uint32_t row = first; row < end; row++)
        if (akin_column_has(l->strings, row)) {
            const uint32_t length = string_length(l->strings, row);
            slots[starts[length]++] = (akin_gpu_slot){(uint16_t)(row - first), (uint16_t)length};
        }
    for (uint32_t i = total; i < AKIN_RANGE; i++)
        slots[i] = (akin_gpu_slot){AKIN_COMPARE_NONE, 0};
    for (uint32_t g = 0; g < AKIN_COMPARE_GROUPS; g++) {
        const uint32_t held = total > 32 * g ? (uint32_t)akin_min_u64(total - 32 * g, 32) : 0;
        akin_gpu_group *group = &l->groups[unit * AKIN_COMPARE_GROUPS + g];
        *group = (akin_gpu_group){words, 1, 0};
        if (held > 0) {
            group->shortest = slots[32 * g].length;
            group->longest = slots[32 * g + held - 1].length;
        }
        words += 32 * akin_ceil_div(group->longest, 4);
    }
    l->begins[unit + 1] = words;
    return AKIN_OK;
}

/* Copies the strings of a unit. */
static akin_status copy_unit(void *argument, uint64_t unit, uint32_t thread)
{
    const layout *l = argument;
    (void)thread;
    for (uint32_t g = 0; g < AKIN_COMPARE_GROUPS; g++) {
        akin_gpu_group *group = &l->groups[unit * AKIN_COMPARE_GROUPS + g];
        group->word += l->begins[unit];
        for (uint32_t lane = 0; lane < 32; lane++) {
            const akin_gpu_slot slot = l->slots[unit * AKIN_RANGE + 32 * g + lane];
            const uint32_t row = (uint32_t)unit * AKIN_RANGE + slot.place;
            for (uint32_t at = 0; at < slot.length; at += 4) {
                uint32_t word = 0;
                memcpy(&word, l->strings->bytes + l->strings->offsets[row] + at,
                       (uint32_t)akin_min_u64(slot.length - at, 4));
                l->words[group->word + at / 4 * 32 + lane] = word;
            }
        }
    }
    return AKIN_OK;
}

static akin_status lay_out_strings(const akin_scope *scope, layout *l)
{
    l->begins = akin_alloc_zero(NULL, (uint64_t)l->units + 1, sizeof *l->begins);
    l->groups = akin_alloc(NULL, (uint64_t)l->units * AKIN_COMPARE_GROUPS, sizeof *l->groups);
    l->slots = akin_alloc(NULL, (uint64_t)l->units * AKIN_RANGE, sizeof *l->slots);
    if (!l->begins || !l->groups || !l->slots)
        return AKIN_E_NOMEM;
    akin_status status = akin_parallel(scope, NULL, l->units, order_unit, l);
    for (uint32_t i = 0; i < l->units; i++)
        l->begins[i + UINT64_C(1)] += l->begins[i];
    l->words = akin_alloc_zero(NULL, l->begins[l->units] + BEHIND, sizeof *l->words);
    if (!l->words)
        return AKIN_E_NOMEM;
    return status == AKIN_OK ? akin_parallel(scope, NULL, l->units, copy_unit, l) : status;
}

static uint64_t align_bytes(uint64_t bytes)
{
    return akin_ceil_div(bytes, ALIGNED) * ALIGNED;
}

static akin_status upload_strings(const akin_scope *scope, akin_comparisons *c, const layout *l, akin_error *error)
{
    const struct {
        const void *data;
        uint64_t bytes;
    } pieces[] = {{l->words, (l->begins[l->units] + BEHIND) * sizeof *l->words},
                  {l->groups, (uint64_t)l->units * AKIN_COMPARE_GROUPS * sizeof *l->groups},
                  {l->slots, (uint64_t)l->units * AKIN_RANGE * sizeof *l->slots}};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    char *there[PIECES];
    uint64_t bytes = ALIGNED;
    for (int i = 0; i < PIECES; i++)
        bytes += align_bytes(pieces[i].bytes);
    akin_status status = akin_device_reserve(c->device, &c->resident, bytes, 1, what, error);
    char *at = c->resident.data;
    for (int i = 0; i < PIECES && status == AKIN_OK; i++) {
        there[i] = at;
        at += align_bytes(pieces[i].bytes);
        if (pieces[i].bytes > 0)
            status = akin_device_send(scope, c->stream, there[i], pieces[i].data, pieces[i].bytes, what, error);
    }
    if (status == AKIN_OK)
        c->there =
            (akin_gpu_strings){(const void *)there[0], (const void *)there[1], (const void *)there[2], NULL, 1, 0};
    return status;
}

uint64_t akin_comparisons_bytes(const akin_column *strings, uint32_t rows)
{
    const uint64_t slots = (uint64_t)string_units(rows) * AKIN_RANGE;
    return strings->offsets[rows] - strings->offsets[0] + slots * (sizeof(akin_gpu_slot) + 4) +
           slots / 32 * sizeof(akin_gpu_group);
}

akin_status akin_comparisons_begin(const akin_scope *scope, akin_device *device, const akin_column *strings,
                                   uint32_t rows, akin_comparisons *out, akin_error *error)
{
    layout l = {.strings = strings, .rows = rows, .units = string_units(rows)};
    *out = (akin_comparisons){.device = device, .rows = rows};
    for (uint32_t row = 0; row < rows; row++)
        out->count += (uint32_t)akin_column_has(strings, row);
    akin_status status = akin_device_stream_create(device, &out->stream, error);
    if (status == AKIN_OK) {
        status = lay_out_strings(scope, &l);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    if (status == AKIN_OK)
        status = upload_strings(scope, out, &l, error);
    if (status == AKIN_OK)
        out->bytes = akin_max_u64(l.begins[l.units] * sizeof *l.words, 1);
    akin_free(l.begins);
    akin_free(l.groups);
    akin_free(l.slots);
    akin_free(l.words);
    return status;
}

void akin_comparisons_clear(akin_comparisons *comparisons)
{
    akin_comparisons *c = comparisons;
    if (!c->device)
        return;
    akin_device_stream_free(c->stream);
    akin_device_buffer *const buffers[] = {&c->resident,      &c->queries,      &c->texts,   &c->shown,
                                           &c->keys,          &c->found,        &c->best[0], &c->best[1],
                                           &c->best_found[0], &c->best_found[1]};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        akin_device_release(c->device, buffers[i]);
    *c = (akin_comparisons){0};
}

/* ---------------------------------------------------------------------------------------------------------- queries */

typedef struct comparison {
    const akin_scope *scope;
    akin_comparisons *c;
    const akin_column *queries;
    uint32_t k;
    uint64_t *keys;
    uint32_t *found;
    uint32_t *order; /* of the queries for the GPU, those of few words first */
    uint32_t count;
    akin_gpu_query *heads; /* of a chunk, */
    uint8_t *texts;        /* and their bytes */
    uint64_t *shown;
    uint64_t *best; /* what is found of a chunk */
    uint32_t *best_found;
    akin_gpu_batch batch;
    akin_error *error;
} comparison;

/* The words of 64 bits that a query takes. */
static uint32_t blocks_of(const comparison *a, uint32_t query)
{
    const uint32_t length = string_length(a->queries, query);
    return length <= 64 ? 1 : length <= 128 ? 2 : 4;
}

/* The number of queries in a chunk, one at least. */
static uint32_t queries_at_once(const comparison *a)
{
    const uint64_t size = (uint64_t)a->batch.units * a->batch.room * sizeof *a->batch.keys;
    const uint64_t most = akin_min_u64(KEYS, akin_device_room(a->c->device) / 4);
    const uint64_t queries = akin_min_u64(akin_min_u64(most / size, WORK / a->c->bytes), QUERIES);
    return (uint32_t)akin_max_u64(akin_min_u64(queries, a->count), 1);
}

/* Takes a chunk: at most `most` queries from `first` on, all of the same number of words. Returns their bytes. */
static uint64_t take_strings_chunk(comparison *a, uint32_t first, uint32_t most)
{
    uint64_t bytes = 0;
    uint32_t count = 0;
    a->c->there.blocks = blocks_of(a, a->order[first]);
    for (; count < most && first + count < a->count; count++) {
        const uint32_t query = a->order[first + count], length = string_length(a->queries, query);
        if (blocks_of(a, query) != a->c->there.blocks)
            break;
        a->heads[count] = (akin_gpu_query){.part = bytes, .parts = length, .most = AKIN_COMPARE_FAR};
        if (length > 0)
            memcpy(a->texts + bytes, a->queries->bytes + a->queries->offsets[query], length);
        bytes += length;
    }
    a->batch.count = count;
    return bytes;
}

/* Makes room for what a chunk takes there, and brings its queries. */
static akin_status bring_strings_chunk(comparison *a, uint64_t bytes)
{
    akin_comparisons *c = a->c;
    akin_gpu_batch *b = &a->batch;
    const uint64_t slots = (uint64_t)b->count * b->units;
    const struct {
        akin_device_buffer *buffer;
        uint64_t count;
        size_t size;
    } rooms[] = {{&c->queries, b->count, sizeof *a->heads},
                 {&c->texts, bytes + 1, 1},
                 {&c->shown, b->count, sizeof *b->shown},
                 {&c->keys, slots * b->room, sizeof *b->keys},
                 {&c->found, slots, sizeof *b->found}};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms && status == AKIN_OK; i++)
        status = akin_device_reserve(c->device, rooms[i].buffer, rooms[i].count, rooms[i].size, what, a->error);
    if (status == AKIN_OK)
        status = akin_device_upload(c->stream, c->queries.data, a->heads, b->count * sizeof *a->heads, a->error);
    if (status == AKIN_OK && bytes > 0)
        status = akin_device_upload(c->stream, c->texts.data, a->texts, bytes, a->error);
    if (status == AKIN_OK)
        status = akin_device_upload(c->stream, c->shown.data, a->shown, b->count * sizeof *a->shown, a->error);
    b->queries = c->queries.data;
    b->shown = c->shown.data;
    b->keys = c->keys.data;
    b->found = c->found.data;
    c->there.queries = c->texts.data;
    return status;
}

/* Compares a chunk, in as many launches as its work is worth. */
static akin_status compare_chunk(comparison *a)
{
    akin_comparisons *c = a->c;
    const akin_gpu_batch *b = &a->batch;
    const uint64_t launches =
        akin_max_u64(akin_min_u64(akin_ceil_div(c->bytes * b->count * c->there.blocks, WORK), b->units), 1);
    const uint64_t step = akin_ceil_div(b->units, launches);
    akin_status status = AKIN_OK;
    for (uint64_t first = 0; first < b->units && status == AKIN_OK; first += step) {
        const uint64_t count = akin_min_u64(step, b->units - first);
        status = akin_kernels(c->stream)->nearest->compare(c->stream, &c->there, b, (uint32_t)first, (uint32_t)count,
                                                           a->error);
        if (status == AKIN_OK && launches > 1)
            status = akin_device_stream_finish(c->stream, a->error);
        if (status == AKIN_OK && akin_scope_report(a->scope, NULL, 0, 0) != AKIN_OK)
            return akin_fail_stopped(a->error, AKIN_E_CANCELLED, what);
    }
    return status;
}

/* Brings the best of a chunk, and writes them as distances. */
static akin_status take_nearest(comparison *a, uint32_t first)
{
    akin_comparisons *c = a->c;
    const akin_gpu_batch *b = &a->batch;
    akin_gathering gathering = {.scope = a->scope,
                                .device = c->device,
                                .stream = c->stream,
                                .best = c->best,
                                .best_found = c->best_found,
                                .what = what};
    akin_gpu_groups best;
    akin_status status = akin_gather_keys(&gathering, b, AKIN_COMPARE_FAR, c->rows, &best, a->error);
    if (status == AKIN_OK)
        status = akin_gather_take(&gathering, &best, a->best, a->best_found, a->error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t row = a->order[first + i];
        uint64_t *to = a->keys + (uint64_t)row * a->k, *from = a->best + (uint64_t)i * a->k;
        if (a->k > AKIN_RANGES_SORTED)
            akin_sort_u64(from, a->best_found[i]);
        for (uint32_t j = 0; j < a->best_found[i]; j++)
            to[j] = from[j] - ((uint64_t)(UINT32_MAX - AKIN_COMPARE_FAR) << 32);
        a->found[row] = a->best_found[i];
    }
    return AKIN_OK;
}

static akin_status compare_chunks(comparison *a)
{
    akin_status status = AKIN_OK;
    const uint32_t each = queries_at_once(a);
    a->heads = akin_alloc(NULL, each, sizeof *a->heads);
    a->texts = akin_alloc(NULL, each, AKIN_COMPARE_ROWS);
    a->shown = akin_alloc(NULL, each, sizeof *a->shown);
    a->best = akin_alloc(NULL, (uint64_t)each * a->k, sizeof *a->best);
    a->best_found = akin_alloc(NULL, each, sizeof *a->best_found);
    if (!a->heads || !a->texts || !a->shown || !a->best || !a->best_found)
        return akin_fail_memory(a->error, what);
    for (uint32_t i = 0; i < each; i++)
        a->shown[i] = AKIN_SHOWN_NONE;
    for (uint32_t first = 0; first < a->count && status == AKIN_OK; first += a->batch.count) {
        status = bring_strings_chunk(a, take_strings_chunk(a, first, each));
        if (status == AKIN_OK)
            status = compare_chunk(a);
        if (status == AKIN_OK)
            status = take_nearest(a, first);
        if (status == AKIN_OK &&
            akin_scope_report(a->scope, "searching", (uint64_t)first + a->batch.count, a->count) != AKIN_OK)
            return akin_fail_stopped(a->error, AKIN_E_CANCELLED, what);
    }
    return status;
}

akin_status akin_comparisons_search(const akin_scope *scope, akin_comparisons *comparisons, const akin_column *queries,
                                    uint32_t count, uint32_t k, uint64_t *keys, uint32_t *found, uint8_t *is_left,
                                    akin_error *error)
{
    const uint32_t all = (uint32_t)akin_min_u64(k, comparisons->count);
    comparison a = {.scope = scope,
                    .c = comparisons,
                    .queries = queries,
                    .k = k,
                    .keys = keys,
                    .found = found,
                    .order = akin_alloc(NULL, count, sizeof *a.order),
                    .batch = {.k = k,
                              .room = (uint32_t)akin_min_u64(k, AKIN_RANGE),
                              .units = akin_max_u32(string_units(comparisons->rows), 1),
                              .counter_bytes = 1},
                    .error = error};
    akin_status status = AKIN_OK;
    if (!a.order)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < count; i++) {
        found[i] = 0;
        is_left[i] =
            akin_column_has(queries, i) && queries->offsets[i + UINT64_C(1)] - queries->offsets[i] > AKIN_COMPARE_ROWS;
    }
    for (uint32_t blocks = 1; blocks <= AKIN_COMPARE_BLOCKS; blocks *= 2)
        for (uint32_t i = 0; i < count; i++)
            if (akin_column_has(queries, i) && !is_left[i] && blocks_of(&a, i) == blocks)
                a.order[a.count++] = i;
    if (a.count > 0 && comparisons->count > 0)
        status = compare_chunks(&a);
    for (uint32_t i = 0; i < a.count && status == AKIN_OK; i++)
        if (found[a.order[i]] < all) {
            found[a.order[i]] = 0;
            is_left[a.order[i]] = 1;
        }
    akin_free(a.order);
    akin_free(a.heads);
    akin_free(a.texts);
    akin_free(a.shown);
    akin_free(a.best);
    akin_free(a.best_found);
    return status;
}
