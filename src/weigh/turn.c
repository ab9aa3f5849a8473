/*
 * Puts counts in order by term, and weighs them. Documents are cut into parts, one for each thread, and where the pairs
 * of a part go is known before they are moved: a list has those of the first part, then those of the second, and so on.
 *
 *     count    of each part but the last: how often each term is there
 *     place    of each term: where its pairs of each part begin
 *     fill     of each part: the pairs, document by document, each as one number: document << 32 | tf
 *     settle   of some lists: the pairs in order, as ids, tf and weights
 *
 * Pairs are moved to random places, so they are moved as one number, and to where the weights will be. Ids and tf by
 * term take the place of those by document. So nothing is there twice.
 */
#include "weigh/turn.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/parallel.h"

static const char what[] = "term weights by term"; /* the memory is for */

#define TERMS   65536               /* that a task places */
#define LONG    65536               /* pairs of a part between two checks for cancellation */
#define SETTLED (UINT64_C(1) << 17) /* pairs that a task settles, about */
#define AHEAD   8                   /* pairs */
#define SOME    256                 /* of them at a time */

typedef struct turning {
    const akin_weights *from;
    const double *idf;
    uint64_t *offsets, *places; /* of lists; of what comes next in each, in one part after the other */
    double *norms;              /* of documents */
    uint64_t *moved;            /* pairs, where their weights will be */
    uint32_t *ids, *tf;
    double *values;
    uint64_t parts;
    akin_cancellation *cancellations; /* of each thread */
    akin_bulk bulks[2];               /* what places and norms are in */
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
    const uint32_t *ids = from->ids, *tf = from->tf;
    const double mean = akin_weights_mean(from);
    uint64_t *places = t->places + part * from->ids_count, *moved = t->moved;
    const uint32_t end = first_document(t, part + 1);
    const uint64_t ahead = from->pairs > 2 * AHEAD ? from->pairs - 2 * AHEAD : 0;
    for (uint32_t d = first_document(t, part); d < end; d++) {
        t->norms[d] = akin_formula_norm(&from->formula, from->lengths[d], mean);
        for (uint64_t i = from->offsets[d]; i < from->offsets[d + UINT64_C(1)]; i++) {
            if (i % LONG == 0 && !akin_goes_on(&t->cancellations[thread]))
                return AKIN_E_CANCELLED;
            if (i < ahead) {
                __builtin_prefetch(&places[ids[i + 2 * AHEAD]], 1);
                __builtin_prefetch(&moved[places[ids[i + AHEAD]]], 1);
            }
            moved[places[ids[i]]++] = (uint64_t)d << 32 | tf[i];
        }
    }
    return AKIN_OK;
}

/* The first list of a task: tasks have about as many pairs each, but a long list is one alone. */
static uint32_t first_list(const turning *t, uint64_t task)
{
    const akin_weights *from = t->from;
    return task * SETTLED >= from->pairs ? from->ids_count
                                         : (uint32_t)akin_lower_bound_u64(t->offsets, from->ids_count, task * SETTLED);
}

static akin_status settle_lists(void *argument, uint64_t task, uint32_t thread)
{
    const turning *t = argument;
    const uint32_t end = first_list(t, task + 1);
    (void)thread;
    for (uint32_t list = first_list(t, task); list < end; list++)
        for (uint64_t at = t->offsets[list], left = t->offsets[list + UINT64_C(1)] - at, some; left > 0;
             at += some, left -= some) {
            uint64_t moved[SOME];
            some = akin_min_u64(left, SOME);
            memcpy(moved, t->moved + at, some * sizeof *moved);
            for (uint64_t i = 0; i < some; i++) {
                t->ids[at + i] = (uint32_t)(moved[i] >> 32);
                t->tf[at + i] = (uint32_t)moved[i];
            }
            akin_formula_weigh_list(&t->from->formula, t->idf[list], t->norms, t->ids + at, t->tf + at, some,
                                    t->values + at);
        }
    return AKIN_OK;
}

/* Makes room for offsets by term, and for what is needed on the way. */
static akin_status lay_out_by_term(const akin_scope *scope, turning *t, akin_bulk *offsets, akin_error *error)
{
    const akin_weights *from = t->from;
    const uint32_t terms = from->ids_count;
    *offsets = t->bulks[0] = t->bulks[1] = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_WEIGHTS));
    akin_status status = akin_bulk_reserve(offsets, ((uint64_t)terms + 1) * sizeof *t->offsets, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&t->bulks[0], t->parts * terms * sizeof *t->places, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&t->bulks[1], (uint64_t)from->documents * sizeof *t->norms, what, error);
    if (status != AKIN_OK)
        return status;
    t->offsets = offsets->data;
    t->places = t->bulks[0].data;
    t->norms = t->bulks[1].data;
    t->offsets[0] = 0;
    for (uint32_t i = 0; i < terms; i++)
        t->offsets[i + UINT64_C(1)] = t->offsets[i] + from->df[i];
    return AKIN_OK;
}

static akin_status move(const akin_scope *scope, turning *t, akin_error *error)
{
    const akin_weights *from = t->from;
    atomic_int cancelled = 0;
    t->cancellations = akin_alloc_zero(NULL, scope->threads, sizeof *t->cancellations);
    if (!t->cancellations)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < scope->threads; i++)
        t->cancellations[i] = (akin_cancellation){scope, &cancelled, i, 0};
    akin_status status = akin_parallel_long(scope, NULL, t->parts - 1, count_part, t, &cancelled);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, akin_ceil_div(from->ids_count, TERMS), place_postings, t);
    if (status == AKIN_OK)
        status = akin_parallel_long(scope, "turning", t->parts, fill_part, t, &cancelled);
    if (status == AKIN_OK)
        status = akin_parallel(scope, "weighing", akin_ceil_div(from->pairs, SETTLED), settle_lists, t);
    akin_free(t->cancellations);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

akin_status akin_weights_turn(const akin_scope *scope, akin_weights *weights, const double *idf, akin_error *error)
{
    akin_bulk *arrays = weights->arrays, offsets = {0};
    /* as many parts as there are threads, as long as the places take no more than the weights */
    const uint64_t most = 2 * weights->pairs / akin_max_u32(weights->ids_count, 1);
    turning t = {.from = weights, .idf = idf, .parts = akin_max_u64(akin_min_u64(scope->threads, most), 1)};
    t.ids = arrays[AKIN_WEIGHTS_IDS].data;
    t.tf = arrays[AKIN_WEIGHTS_TF].data;
    t.values = arrays[AKIN_WEIGHTS_VALUES].data;
    t.moved = arrays[AKIN_WEIGHTS_VALUES].data;
    /* pairs are moved to random places */
    akin_status status = akin_bulk_touch(scope, &arrays[AKIN_WEIGHTS_VALUES], what, error);
    if (status == AKIN_OK)
        status = lay_out_by_term(scope, &t, &offsets, error);
    if (status == AKIN_OK)
        status = move(scope, &t, error);
    for (int i = 0; i < 2; i++)
        akin_bulk_clear(&t.bulks[i]);
    if (status == AKIN_OK) {
        const akin_bulk before = arrays[AKIN_WEIGHTS_OFFSETS];
        arrays[AKIN_WEIGHTS_OFFSETS] = offsets;
        offsets = before;
        weights->order = AKIN_WEIGHTS_BY_TERM;
        weights->offsets = t.offsets;
    }
    akin_bulk_clear(&offsets);
    return status;
}
