/*
 * Puts weights in order by term: the lists of terms are laid out by their lengths, which are known, and filled in the order of
 * the documents. A thread fills those of a range of terms, finding its part of each document.
 */
#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "weigh/weights.h"

static const char what[] = "term weights by term"; /* the memory is for */

#define TASKS_EACH 4 /* ranges of terms, for each thread */

typedef struct turning {
    const akin_weights *from;
    uint64_t *offsets, *places; /* of lists; of what comes next in each */
    uint32_t *ids, *tf;
    double *values;
    uint64_t tasks;
} turning;

/* The first term of a task: tasks have about as many pairs each. */
static uint32_t first_term(const turning *t, uint64_t task)
{
    uint64_t pairs = t->from->pairs / t->tasks * task;
    return task == t->tasks ? t->from->ids_count
                            : (uint32_t)akin_lower_bound_u64(t->offsets, t->from->ids_count, pairs);
}

static akin_status fill(void *argument, uint64_t task, uint32_t thread)
{
    const turning *t = argument;
    const akin_weights *from = t->from;
    uint32_t first = first_term(t, task), end = first_term(t, task + 1);
    (void)thread;
    for (uint32_t d = 0; d < from->documents && first < end; d++) {
        uint64_t begin = from->offsets[d], count = from->offsets[d + 1] - begin;
        uint64_t i = begin + akin_lower_bound_u32(from->ids + begin, count, first);
        for (; i < begin + count && from->ids[i] < end; i++) {
            uint64_t place = t->places[from->ids[i]]++;
            t->ids[place] = d;
            t->tf[place] = from->tf[i];
            t->values[place] = from->values[i];
        }
    }
    return AKIN_OK;
}

/* The arrays that the lists by term are in, in place of those by document. */
static akin_status lay_out(akin_context *context, turning *t, akin_bulk *arrays, akin_error *error)
{
    static const size_t sizes[] = {[AKIN_WEIGHTS_OFFSETS] = sizeof(uint64_t),
                                   [AKIN_WEIGHTS_IDS] = sizeof(uint32_t),
                                   [AKIN_WEIGHTS_TF] = sizeof(uint32_t),
                                   [AKIN_WEIGHTS_VALUES] = sizeof(double)};
    const uint32_t terms = t->from->ids_count;
    for (int i = AKIN_WEIGHTS_OFFSETS; i <= AKIN_WEIGHTS_VALUES; i++) {
        uint64_t count = i == AKIN_WEIGHTS_OFFSETS ? (uint64_t)terms + 1 : t->from->pairs;
        arrays[i] = akin_bulk_of(context, NULL, context->memory / 64);
        akin_status status = akin_bulk_reserve(&arrays[i], count * sizes[i], what, error);
        if (status != AKIN_OK)
            return status;
    }
    t->places = akin_alloc(NULL, terms, sizeof *t->places);
    if (!t->places)
        return akin_fail_memory(error, what);
    t->offsets = arrays[AKIN_WEIGHTS_OFFSETS].data;
    t->ids = arrays[AKIN_WEIGHTS_IDS].data;
    t->tf = arrays[AKIN_WEIGHTS_TF].data;
    t->values = arrays[AKIN_WEIGHTS_VALUES].data;
    t->offsets[0] = 0;
    for (uint32_t i = 0; i < terms; i++) {
        t->places[i] = t->offsets[i];
        t->offsets[i + 1] = t->offsets[i] + t->from->df[i];
    }
    return AKIN_OK;
}

akin_status akin_weights_turn(akin_context *context, akin_weights *weights, akin_error *error)
{
    akin_bulk arrays[AKIN_WEIGHTS_ARRAYS] = {{0}};
    turning t = {.from = weights, .tasks = context->threads > 1 ? (uint64_t)context->threads * TASKS_EACH : 1};
    akin_status status = lay_out(context, &t, arrays, error);
    if (status == AKIN_OK) {
        status = akin_parallel(context, "turning", t.tasks, fill, &t);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_free(t.places);
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
