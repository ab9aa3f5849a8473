/* Measures pairs of records to the end. */
#include "dedupe/measure.h"

#include "base/bits.h"

#include <math.h>

#define TASK_PAIRS 64
#define CELLS_MOST ((uint64_t)1 << 24) /* of two values that are compared to the end */

/* What a thread has: for each attribute a comparer, and one that gives up below the threshold. */
typedef struct measurer {
    _Alignas(64) akin_comparer *whole;
    akin_comparer *cut;
    akin_asking asking;
} measurer;

typedef struct measuring {
    const akin_scoring *scoring;
    const uint64_t *pairs;
    uint64_t count;
    double *each, *averages;
    measurer *measurers;
    atomic_int cancelled;
} measuring;

static uint64_t cells_of(const akin_scored *a, uint32_t x, uint32_t y)
{
    if (x == AKIN_VALUE_NONE || y == AKIN_VALUE_NONE || (x == y && a->is_same_equal))
        return 0;
    return (uint64_t)a->values->shapes[x].length * a->values->shapes[y].length;
}

uint64_t akin_measure_cells(const akin_scoring *scoring, uint64_t pair)
{
    uint64_t cells = 0;
    for (uint32_t i = 0; i < scoring->count; i++) {
        const akin_scored *a = &scoring->attributes[i];
        uint64_t more = cells_of(a, a->of[pair >> 32], a->of[(uint32_t)pair]);
        cells += akin_min_u64(more, a->is_screened ? CELLS_MOST : more);
    }
    return cells;
}

/* ------------------------------------------------------------------------------------------------------------ values */

/* The similarity of two values as it is. */
static akin_status compare_values(measurer *m, const akin_scored *a, uint32_t attribute, uint32_t x, uint32_t y,
                                  double *out)
{
    int is_long = a->is_screened && cells_of(a, x, y) > CELLS_MOST;
    akin_comparer *comparer = is_long ? &m->cut[attribute] : &m->whole[attribute];
    akin_compared compared = {0};
    uint64_t length;
    if (a->compare.comparator == AKIN_TFIDF) {
        *out = akin_weighted_cosine(&a->weighted, x, y);
        return AKIN_OK;
    }
    const char *text = akin_values_text(a->values, x, &length);
    akin_status status = akin_comparer_take(comparer, text, length);
    if (status != AKIN_OK)
        return status;
    text = akin_values_text(a->values, y, &length);
    status = akin_comparer_compare(comparer, text, length, &compared);
    *out = is_long && compared.similarity < a->threshold ? AKIN_MEASURED_LOW : compared.similarity;
    return status;
}

double akin_measured_contribution(const akin_scoring *scoring, uint32_t attribute, uint64_t pair, double similarity)
{
    const akin_scored *a = &scoring->attributes[attribute];
    if (isnan(similarity)) {
        int equal = a->of[pair >> 32] == AKIN_VALUE_NONE && a->of[(uint32_t)pair] == AKIN_VALUE_NONE;
        return scoring->missing == AKIN_MISSING_EQUAL && equal ? a->weight : 0.0;
    }
    return similarity >= a->threshold ? a->weight * similarity : 0.0;
}

/* The sums are those of the scorer, in its order. */
static double average_of(const akin_scoring *scoring, uint64_t pair, const double *each)
{
    double sum = 0, weights = 0;
    int skips = scoring->missing == AKIN_MISSING_SKIP;
    for (uint32_t i = 0; i < scoring->count; i++) {
        sum += akin_measured_contribution(scoring, i, pair, each[i]);
        weights += skips && !isnan(each[i]) ? scoring->attributes[i].weight : 0;
    }
    weights = skips ? weights : scoring->weights;
    return weights > 0 ? sum / weights : 0;
}

static akin_status measure_task(void *argument, uint64_t task, uint32_t thread)
{
    measuring *m = argument;
    const akin_scoring *scoring = m->scoring;
    uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, m->count);
    akin_status status = AKIN_OK;
    for (uint64_t p = task * TASK_PAIRS; p < end && status == AKIN_OK; p++) {
        double *each = m->each + p * scoring->count;
        for (uint32_t i = 0; i < scoring->count && status == AKIN_OK; i++) {
            const akin_scored *a = &scoring->attributes[i];
            uint32_t x = a->of[m->pairs[p] >> 32], y = a->of[(uint32_t)m->pairs[p]];
            if (x == AKIN_VALUE_NONE || y == AKIN_VALUE_NONE)
                each[i] = NAN;
            else if (x == y && a->is_same_equal)
                each[i] = 1;
            else
                status = compare_values(&m->measurers[thread], a, i, x, y, &each[i]);
        }
        if (status == AKIN_OK)
            m->averages[p] = average_of(scoring, m->pairs[p], each);
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

static int make_comparers(measurer *m, const akin_scoring *scoring)
{
    m->whole = akin_alloc_zero(scoring->account, scoring->count, sizeof *m->whole);
    m->cut = m->whole ? akin_alloc_zero(scoring->account, scoring->count, sizeof *m->cut) : NULL;
    for (uint32_t i = 0; m->cut && i < scoring->count; i++) {
        const akin_scored *a = &scoring->attributes[i];
        akin_comparer_begin(&m->whole[i], scoring->cpu, scoring->account, &a->compare, NULL);
        akin_comparer_begin(&m->cut[i], scoring->cpu, scoring->account, &a->compare,
                            a->is_screened ? &a->cutoff.ratio : NULL);
        m->whole[i].pattern.go_on = m->cut[i].pattern.go_on = akin_goes_on;
        m->whole[i].pattern.user = m->cut[i].pattern.user = &m->asking;
    }
    return m->cut != NULL;
}

static void free_comparers(measurer *m, const akin_scoring *scoring)
{
    for (uint32_t i = 0; m->cut && i < scoring->count; i++) {
        akin_comparer_clear(&m->whole[i]);
        akin_comparer_clear(&m->cut[i]);
    }
    akin_free(m->whole);
    akin_free(m->cut);
}

akin_status akin_measure_pairs(akin_context *context, const akin_scoring *scoring, const uint64_t *pairs,
                               uint64_t count, double *each, double *averages, akin_error *error)
{
    uint32_t threads = akin_memory_threads(context);
    akin_context few = *context;
    measuring m = {.scoring = scoring, .pairs = pairs, .count = count, .each = each, .averages = averages};
    akin_status status = AKIN_OK;
    m.measurers = akin_alloc_zero(scoring->account, threads, sizeof *m.measurers);
    for (uint32_t t = 0; t < threads && m.measurers && status == AKIN_OK; t++) {
        m.measurers[t].asking = (akin_asking){.context = context, .cancelled = &m.cancelled, .thread = t};
        status = make_comparers(&m.measurers[t], scoring) ? AKIN_OK : AKIN_E_NOMEM;
    }
    few.threads = threads;
    if (m.measurers && status == AKIN_OK)
        status =
            akin_parallel_long(&few, "reporting", akin_ceil_div(count, TASK_PAIRS), measure_task, &m, &m.cancelled);
    for (uint32_t t = 0; m.measurers && t < threads; t++)
        free_comparers(&m.measurers[t], scoring);
    status = m.measurers ? status : AKIN_E_NOMEM;
    akin_free(m.measurers);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "a value has 2^32 tokens or more: expected fewer");
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the report");
}
