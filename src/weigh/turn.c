/*
 * Puts weights in order by term. Documents are cut into parts, one for each thread, and where the entries of a part go
 * is known before they are moved: a list has those of the first part, then those of the second, and so on.
 *
 *     count    of each part but the last: how often each term is there
 *     place    of each term: where its entries of each part begin
 *     fill     of each part: the entries, document by document
 */
#include "weigh/turn.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/parallel.h"

static const char what[] = "term weights by term"; /* the memory is for */

#define TERMS 65536 /* that a task places */
#define LONG  65536 /* entries of a part between two checks for cancellation */

typedef struct turning {
    const akin_weights *from;
    uint64_t *offsets, *places; /* of lists; of what comes next in each, in one part after the other */
    uint32_t *ids, *tf;
    double *values;
    uint64_t parts;
    akin_cancellation *cancellations; /* of each thread */
    akin_bulk bulk;                   /* what the places are in */
} turning;

/* The first document of a part: parts have about as many pairs each. */
static uint32_t first_document(const turning *t, uint64_t part)
{
    const akin_weights *from = t->from;
    const uint64_t pairs = from->pairs / t->parts * part;
    return part == t->parts ? from->documents : (uint32_t)akin_lower_bound_u64(from->offsets, from->documents, pairs);
}

static akin_status count_part(void *argument, uint64_t part, uint32_t thread)
{
    const turning *t = argument;
    const akin_weights *from = t->from;
    uint64_t *counts = t->places + part * from->ids_count;
    const uint64_t end = from->offsets[first_document(t, part + 1)];
    memset(counts, 0, from->ids_count * sizeof *counts);
    for (uint64_t i = from->offsets[first_document(t, part)]; i < end; i++) {
        if (i % LONG == 0 && !akin_goes_on(&t->cancellations[thread]))
            return AKIN_E_CANCELLED;
        counts[from->ids[i]]++;
    }
    return AKIN_OK;
}

static akin_status place_postings(void *argument, uint64_t task, uint32_t thread)
{
    const turning *t = argument;
    const uint64_t terms = t->from->ids_count, end = akin_min_u64((task + 1) * TERMS, terms);
    (void)thread;
    for (uint64_t term = task * TERMS; term < end; term++) {
        uint64_t at = t->offsets[term], *begin = t->places + term;
        for (uint64_t part = 0; part + 1 < t->parts; part++, begin += terms) {
            const uint64_t here = *begin;
            *begin = at;
            at += here;
        }
        *begin = at;
    }
    return AKIN_OK;
}

static akin_status fill_part(void *argument, uint64_t part, uint32_t thread)
{
    const turning *t = argument;
    const akin_weights *from = t->from;
    uint64_t *places = t->places + part * from->ids_count;
    const uint32_t end = first_document(t, part + 1);
    for (uint32_t d = first_document(t, part); d < end; d++)
        for (uint64_t i = from->offsets[d]; i < from->offsets[d + UINT64_C(1)]; i++) {
            if (i % LONG == 0 && !akin_goes_on(&t->cancellations[thread]))
                return AKIN_E_CANCELLED;
            const uint64_t to = places[from->ids[i]]++;
            t->ids[to] = d;
            t->tf[to] = from->tf[i];
            t->values[to] = from->values[i];
        }
    return AKIN_OK;
}

/* The arrays that the lists by term are in, in place of those by document. */
static akin_status lay_out_by_term(const akin_scope *scope, turning *t, akin_bulk *arrays, akin_error *error)
{
    static const size_t sizes[] = {[AKIN_WEIGHTS_OFFSETS] = sizeof(uint64_t),
                                   [AKIN_WEIGHTS_IDS] = sizeof(uint32_t),
                                   [AKIN_WEIGHTS_TF] = sizeof(uint32_t),
                                   [AKIN_WEIGHTS_VALUES] = sizeof(double)};
    const uint32_t terms = t->from->ids_count;
    for (int i = AKIN_WEIGHTS_OFFSETS; i <= AKIN_WEIGHTS_VALUES; i++) {
        uint64_t count = i == AKIN_WEIGHTS_OFFSETS ? (uint64_t)terms + 1 : t->from->pairs;
        arrays[i] = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_WEIGHTS));
        akin_status status = akin_bulk_reserve(&arrays[i], count * sizes[i], what, error);
        if (status == AKIN_OK && i != AKIN_WEIGHTS_OFFSETS) /* the others are written to at random places */
            status = akin_bulk_touch(scope, &arrays[i], what, error);
        if (status != AKIN_OK)
            return status;
    }
    t->bulk = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_WEIGHTS));
    akin_status status = akin_bulk_reserve(&t->bulk, t->parts * terms * sizeof *t->places, what, error);
    if (status != AKIN_OK)
        return status;
    t->places = t->bulk.data;
    t->offsets = arrays[AKIN_WEIGHTS_OFFSETS].data;
    t->ids = arrays[AKIN_WEIGHTS_IDS].data;
    t->tf = arrays[AKIN_WEIGHTS_TF].data;
    t->values = arrays[AKIN_WEIGHTS_VALUES].data;
    t->offsets[0] = 0;
    for (uint32_t i = 0; i < terms; i++)
        t->offsets[i + UINT64_C(1)] = t->offsets[i] + t->from->df[i];
    return AKIN_OK;
}

static akin_status move(const akin_scope *scope, turning *t, akin_error *error)
{
    const uint64_t terms = t->from->ids_count;
    atomic_int cancelled = 0;
    t->cancellations = akin_alloc_zero(NULL, scope->threads, sizeof *t->cancellations);
    if (!t->cancellations)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < scope->threads; i++)
        t->cancellations[i] = (akin_cancellation){scope, &cancelled, i, 0};
    akin_status status = akin_parallel_long(scope, NULL, t->parts - 1, count_part, t, &cancelled);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, akin_ceil_div(terms, TERMS), place_postings, t);
    if (status == AKIN_OK)
        status = akin_parallel_long(scope, "turning", t->parts, fill_part, t, &cancelled);
    akin_free(t->cancellations);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

akin_status akin_weights_turn(const akin_scope *scope, akin_weights *weights, akin_error *error)
{
    akin_bulk arrays[AKIN_WEIGHTS_ARRAYS] = {{0}};
    /* as many parts as there are threads, as long as the places take no more than the weights */
    const uint64_t most = 2 * weights->pairs / akin_max_u32(weights->ids_count, 1);
    turning t = {.from = weights, .parts = akin_max_u64(akin_min_u64(scope->threads, most), 1)};
    akin_status status = lay_out_by_term(scope, &t, arrays, error);
    if (status == AKIN_OK)
        status = move(scope, &t, error);
    akin_bulk_clear(&t.bulk);
    if (status == AKIN_OK) {
        for (int i = AKIN_WEIGHTS_OFFSETS; i <= AKIN_WEIGHTS_VALUES; i++) {
            akin_bulk before = weights->arrays[i];
            weights->arrays[i] = arrays[i];
            arrays[i] = before;
        }
        weights->order = AKIN_WEIGHTS_BY_TERM;
        weights->offsets = t.offsets;
        weights->ids = t.ids;
        weights->tf = t.tf;
        weights->values = t.values;
    }
    for (int i = AKIN_WEIGHTS_OFFSETS; i <= AKIN_WEIGHTS_VALUES; i++)
        akin_bulk_clear(&arrays[i]);
    return status;
}
