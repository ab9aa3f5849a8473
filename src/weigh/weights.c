/* Term weights in memory: looked at, described, freed. */
#include "weigh/weights.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "weigh/sum.h"

AKIN_OPTIONS_END(akin_weights_statistics, delta);

void akin_weights_free(akin_weights *weights)
{
    if (!weights)
        return;
    for (int i = 0; i < AKIN_WEIGHTS_ARRAYS; i++)
        akin_bulk_clear(&weights->arrays[i]);
    for (int i = 0; i < AKIN_WEIGHTS_SECTIONS; i++)
        akin_bulk_clear(&weights->kept[i]);
    akin_bulk_clear(&weights->corpus);
    akin_dictionary_free(weights->dictionary);
    if (weights->container)
        akin_container_close(weights->container);
    akin_bulk_clear(&weights->image);
    akin_analysis_free(weights->analysis);
    akin_free(weights);
}

akin_status akin_weights_describe(const akin_weights *weights, akin_weights_statistics *statistics, akin_error *error)
{
    const akin_weights_statistics own = {.documents = weights->documents,
                                         .terms = weights->terms,
                                         .ids = weights->ids_count,
                                         .order = weights->order,
                                         .words = weights->words,
                                         .pairs = weights->pairs,
                                         .formula = weights->formula.formula,
                                         .k1 = weights->formula.k1,
                                         .b = weights->formula.b,
                                         .delta = weights->formula.delta};
    return akin_options_write(&own, sizeof own, statistics, "akin_weights_statistics", error);
}

uint32_t akin_weights_list(const akin_weights *weights, uint32_t i, const uint32_t **ids, const uint32_t **tf,
                           const double **values)
{
    const int is_there = i < akin_weights_lists(weights);
    uint64_t begin = is_there ? weights->offsets[i] : weights->pairs;
    if (ids)
        *ids = weights->ids + begin;
    if (tf)
        *tf = weights->tf + begin;
    if (values)
        *values = weights->values + begin;
    return is_there ? (uint32_t)(weights->offsets[i + UINT64_C(1)] - begin) : 0;
}

void akin_weights_term(const akin_weights *weights, uint32_t id, const char **bytes, size_t *length)
{
    *bytes = "";
    *length = 0;
    if (id == weights->shared || id >= weights->ids_count)
        return;
    if (weights->dictionary) {
        akin_dictionary_string(weights->dictionary, id, bytes, length, NULL);
        return;
    }
    *bytes = weights->term_bytes + weights->term_offsets[id];
    *length = (size_t)(weights->term_offsets[id + UINT64_C(1)] - weights->term_offsets[id]);
}

void akin_weights_name(const akin_weights *weights, uint32_t document, const char **bytes, size_t *length)
{
    *bytes = "";
    *length = 0;
    if (!weights->name_offsets || document >= weights->documents)
        return;
    *bytes = weights->name_bytes + weights->name_offsets[document];
    *length = (size_t)(weights->name_offsets[document + UINT64_C(1)] - weights->name_offsets[document]);
}

uint32_t akin_weights_df(const akin_weights *weights, uint32_t id)
{
    return id < weights->ids_count ? weights->df[id] : 0;
}

uint32_t akin_weights_length(const akin_weights *weights, uint32_t document)
{
    return document < weights->documents ? weights->lengths[document] : 0;
}

/* -------------------------------------------------------------------------------------------------------------- sum */

#define SUMMED (UINT64_C(1) << 18) /* weights that a task adds up */

typedef struct summing {
    const akin_weights *weights;
    akin_sum *sums; /* of each thread */
} summing;

static akin_status add_values(void *argument, uint64_t task, uint32_t thread)
{
    const summing *s = argument;
    const double *values = s->weights->values;
    uint64_t begin = task * SUMMED, end = s->weights->pairs - begin > SUMMED ? begin + SUMMED : s->weights->pairs;
    for (uint64_t i = begin; i < end; i++)
        akin_sum_add(&s->sums[thread], values[i]);
    return AKIN_OK;
}

akin_status akin_weights_sum(akin_context *context, const akin_weights *weights, double *out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    summing s = {weights, akin_alloc_zero(NULL, scope->threads, sizeof *s.sums)};
    if (!s.sums)
        return akin_fail_memory(error, "a sum");
    akin_status status = akin_parallel(scope, "adding", akin_ceil_div(weights->pairs, SUMMED), add_values, &s);
    if (status == AKIN_OK) {
        for (uint32_t i = 1; i < scope->threads; i++)
            akin_sum_merge(&s.sums[0], &s.sums[i]);
        *out = akin_sum_value(&s.sums[0]);
    } else {
        akin_fail_stopped(error, status, "a sum");
    }
    akin_free(s.sums);
    return status;
}
