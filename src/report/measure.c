/* Measures pairs of records to the end. */
#include "report/measure.h"

#include "base/budget.h"
#include "base/bits.h"
#include "dedupe/missing.h"

#include <math.h>

#define TASK_PAIRS 64
#define CELLS_MOST ((uint64_t)1 << 24) /* of two values that are compared to the end */

/* What a thread has: for each attribute a comparer, and one that gives up below the threshold. */
typedef struct measurer {
    _Alignas(64) akin_comparer *whole;
    akin_comparer *cut;
    akin_cancellation cancellation;
} measurer;

typedef struct measuring {
    const akin_scoring *scoring;
    const uint64_t *pairs;
    uint64_t count;
    const akin_measured *out;
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

/* ----------------------------------------------------------------------------------------------------------- values */

/* How alike two values are. `counts`: they reach the threshold of their attribute; `reached`: the number of requested
 * thresholds that they reach, if no other column is compared. */
typedef struct alike {
    double similarity;
    int counts;
    uint8_t reached;
} alike;

/* Whether values with that similarity reach a ratio; `comparer` is what compared them, NULL: none did. */
static int is_reached(const akin_comparer *comparer, double similarity, akin_ratio ratio)
{
    return comparer ? akin_comparer_reaches(comparer, similarity, ratio)
                    : akin_alike_of(similarity) >= akin_alike_of_ratio(ratio);
}

static alike judge(const measuring *m, const akin_scored *a, const akin_comparer *comparer, double similarity)
{
    alike out = {.similarity = similarity, .counts = is_reached(comparer, similarity, a->threshold)};
    for (int t = 0; t < 2 && m->out->reached; t++)
        out.reached += (uint8_t)(out.counts && is_reached(comparer, similarity, m->out->thresholds[t]));
    return out;
}

/* Values that are too long are compared only as far as the threshold needs. */
static akin_status compare_values(const measuring *m, measurer *by, uint32_t attribute, uint32_t x, uint32_t y,
                                  alike *out)
{
    const akin_scored *a = &m->scoring->attributes[attribute];
    int is_long = a->is_screened && cells_of(a, x, y) > CELLS_MOST;
    akin_comparer *comparer = is_long ? &by->cut[attribute] : &by->whole[attribute];
    akin_compared compared = {0};
    uint64_t length;
    if (a->row->form == AKIN_BY_WEIGHTS) {
        *out = judge(m, a, NULL, akin_weighted_cosine(&a->weighted, x, y));
        return AKIN_OK;
    }
    const char *text = akin_values_text(a->values, x, &length);
    akin_status status = akin_comparer_take(comparer, text, length);
    if (status != AKIN_OK)
        return status;
    text = akin_values_text(a->values, y, &length);
    status = akin_comparer_compare(comparer, text, length, &compared);
    if (status == AKIN_OK && is_long && !(compared.similarity > 0))
        *out = (alike){.similarity = AKIN_MEASURED_LOW};
    else if (status == AKIN_OK)
        *out = judge(m, a, comparer, compared.similarity);
    return status;
}

static akin_status measure_values(const measuring *m, measurer *by, uint32_t attribute, uint64_t pair, alike *out)
{
    const akin_scored *a = &m->scoring->attributes[attribute];
    uint32_t first = (uint32_t)(pair >> 32), second = (uint32_t)pair;
    const int is_turned = second < first && akin_scored_is_directed(a); /* left records come first */
    uint32_t x = a->of[is_turned ? second : first], y = a->of[is_turned ? first : second];
    int is_missing = x == AKIN_VALUE_NONE || y == AKIN_VALUE_NONE;
    if (!is_missing && !(x == y && a->is_same_equal))
        return compare_values(m, by, attribute, x, y, out);
    *out = (alike){.similarity = is_missing ? NAN : 1, .counts = 1, .reached = 2};
    if (is_missing && !(akin_missing_similarity(m->scoring->missing, x == y) > 0))
        out->counts = out->reached = 0;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* The sums are those of the scorer, in its order. */
static akin_status measure_pair(const measuring *m, measurer *by, uint64_t at)
{
    const akin_scoring *scoring = m->scoring;
    const akin_measured *out = m->out;
    int skips = akin_missing_skips(scoring->missing);
    double sum = 0, weights = 0;
    uint64_t units = 0;
    akin_average average = {0};
    alike is = {0};
    for (uint32_t i = 0; i < scoring->count; i++) {
        const akin_scored *a = &scoring->attributes[i];
        akin_status status = measure_values(m, by, i, m->pairs[at], &is);
        if (status != AKIN_OK)
            return status;
        int is_none = isnan(is.similarity) != 0;
        double similarity = is_none ? is.counts : is.similarity, adds = is.counts ? a->weight * similarity : 0;
        sum += adds;
        weights += skips && !is_none ? a->weight : 0;
        units += skips && !is_none ? a->units : 0;
        if (!skips || !is_none)
            akin_average_add(&average, is.counts ? similarity : 0, a->units);
        out->each[at * scoring->count + i] = is.similarity;
        if (out->counts)
            out->counts[at * scoring->count + i] = adds;
    }
    if (units < scoring->evidence) { /* the pair comes to nothing */
        weights = 0;
        average = (akin_average){0};
        for (uint32_t i = 0; i < scoring->count && out->counts; i++)
            out->counts[at * scoring->count + i] = 0;
    }
    weights = skips ? weights : scoring->weights;
    out->averages[at] = weights > 0 ? sum / weights : 0;
    for (int t = 0; t < 2 && scoring->count > 1 && out->reached; t++)
        is.reached = (uint8_t)((t ? is.reached : 0) +
                               akin_average_reaches(average, akin_billionths_of_ratio(out->thresholds[t])));
    if (out->reached)
        out->reached[at] = is.reached;
    return AKIN_OK;
}

static akin_status measure_task(void *argument, uint64_t task, uint32_t thread)
{
    measuring *m = argument;
    uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, m->count);
    akin_status status = AKIN_OK;
    for (uint64_t at = task * TASK_PAIRS; at < end && status == AKIN_OK; at++)
        status = measure_pair(m, &m->measurers[thread], at);
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
                            a->is_screened ? &a->threshold : NULL);
        m->whole[i].pattern.go_on = m->cut[i].pattern.go_on = akin_goes_on;
        m->whole[i].pattern.user = m->cut[i].pattern.user = &m->cancellation;
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

akin_status akin_measure_pairs(const akin_scope *scope, const akin_scoring *scoring, const uint64_t *pairs,
                               uint64_t count, const akin_measured *out, akin_error *error)
{
    uint32_t threads = akin_scope_threads(scope);
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = threads});
    measuring m = {.scoring = scoring, .pairs = pairs, .count = count, .out = out};
    akin_status status = AKIN_OK;
    m.measurers = akin_alloc_zero(scoring->account, threads, sizeof *m.measurers);
    for (uint32_t t = 0; t < threads && m.measurers && status == AKIN_OK; t++) {
        m.measurers[t].cancellation = (akin_cancellation){.scope = scope, .cancelled = &m.cancelled, .thread = t};
        status = make_comparers(&m.measurers[t], scoring) ? AKIN_OK : AKIN_E_NOMEM;
    }
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
