/* A searcher: objects are counted by the CPU, or by a GPU that has them, for as many calls as there are. */
#include "search/searcher.h"

#include "device/devices.h"
#include "device/worth.h"
#include "search/similar_gpu.h"

#define SECONDS_TO_USE  2e-3  /* that a call of a GPU takes whatever it counts, */
#define PARTS_A_SECOND  1.5e9 /* bytes that each thread brings, where objects are brought in parts for each call */
#define SIMILAR_TIMES   10.   /* as long as to count takes to find the most similar, or longer */
#define PAIR_SECONDS    4e-9  /* of a thread with AVX-512, for a query and a string of titles' length, */
#define WALKED_A_SECOND 7e11  /* and bytes of strings that a GPU compares */

static const char what[] = "a search"; /* the memory is for */

static void leave_gpu(akin_searcher *s)
{
    if (s->ranges)
        akin_ranges_clear(s->ranges);
    if (s->strings)
        akin_comparisons_clear(s->strings);
    akin_free(s->ranges);
    akin_free(s->strings);
    s->ranges = NULL;
    s->strings = NULL;
}

/* Brings the objects to a GPU. If no GPU works and none is required, it returns AKIN_OK without one. */
static akin_status bring_objects(akin_searcher *s, akin_error *error)
{
    akin_device *device = NULL;
    akin_status status = akin_device_of(s->scope, &device, error);
    if (status != AKIN_OK || !device)
        return status;
    s->ranges = akin_alloc_zero(NULL, 1, sizeof *s->ranges);
    if (!s->ranges)
        return akin_fail_memory(error, what);
    status = akin_ranges_begin(s->scope, device, &s->index->objects, akin_wishes_of(s->scope)->gpu_objects, s->ranges,
                               error);
    if (status != AKIN_OK)
        leave_gpu(s);
    return status;
}

akin_status akin_searcher_bring(akin_searcher *searcher, akin_error *error)
{
    akin_searcher *s = searcher;
    akin_status status = s->ranges ? AKIN_OK : bring_objects(s, error);
    if (status != AKIN_OK || !s->ranges)
        return status;
    s->device = akin_device_number(s->ranges->device) + 1;
    s->parts = s->ranges->residents.parts.count;
    return AKIN_OK;
}

/* Whether a GPU that is not required may be taken for the k best. */
static int may_take_gpu(const akin_searcher *s, uint32_t k)
{
    return akin_device_is_optional(s->scope) && !s->gpu_failed && k <= AKIN_RANGES_K &&
           s->index->objects.head.count > 0;
}

/* Adds up what a GPU is predicted to take for each of the calls to come, and says whether it is worth it. */
static int is_gpu_better(akin_searcher *s, const akin_device_estimate *e)
{
    s->seconds_device += akin_device_seconds(s->scope, e);
    return akin_device_is_worth(s->scope, e);
}

/* Whether a GPU is predicted to save enough time: one thread searches in `here` seconds of that kind of work, and a GPU
 * that has the objects in `there`. */
static int is_gpu_faster(akin_searcher *s, akin_calibrated kind, double here, double there)
{
    const uint32_t threads = s->scope->threads;
    const double bytes = (double)akin_residents_bytes(&s->index->objects);
    const double each =
        s->ranges && s->ranges->residents.parts.count > 1
            ? akin_calibrated_scale(s->scope, AKIN_CALIBRATED_TRANSFER) * bytes / (PARTS_A_SECOND * threads)
            : 0;
    const akin_device_estimate e = {.here = akin_calibrated_scale(s->scope, kind) * here / threads,
                                    .there = there + SECONDS_TO_USE + each,
                                    .bring = s->ranges ? 0 : akin_device_bringing(s->scope, bytes),
                                    .times = s->times};
    return is_gpu_better(s, &e);
}

/* The same of a batch. What the CPU would take for that, and by which technique, is `weighed` and `chosen` afterwards,
 * if it had to be known. */
static int is_worth_counting(akin_searcher *s, const akin_queries *queries, akin_search_technique technique, uint32_t k,
                             akin_search_prices *weighed, akin_search_technique *chosen)
{
    const akin_objects *o = &s->index->objects;
    if (!may_take_gpu(s, k))
        return 0;
    const akin_search_technique best = akin_search_choose(s->scope->cpu, o, queries, weighed);
    *chosen = technique == AKIN_SEARCH_AUTO ? best : technique;
    const double there = akin_ranges_seconds(o, queries, technique);
    return *chosen == AKIN_SEARCH_SCAN ? is_gpu_faster(s, AKIN_CALIBRATED_BITMAP, weighed->scan, there)
                                       : is_gpu_faster(s, AKIN_CALIBRATED_LISTS, weighed->lists, there);
}

/* Leaves a GPU that has failed and is not required. */
static void give_up_gpu(akin_searcher *s)
{
    const akin_device *device = akin_device_opened(s->scope);
    s->given_up = device ? akin_device_number(device) + 1 : 0;
    s->gpu_failed = 1;
    s->seconds_device = 0;
    leave_gpu(s);
}

/* Whether the outcome on a GPU stands: the GPU has searched or is required, or the caller has cancelled. If not, the
 * GPU is given up, and the CPU searches. */
static int does_outcome_stand(akin_searcher *s, akin_status status, int has_searched)
{
    if (has_searched || status == AKIN_E_CANCELLED || akin_device_is_required(s->scope))
        return 1;
    if (status == AKIN_OK || status == AKIN_E_DEVICE || status == AKIN_E_NOMEM)
        give_up_gpu(s);
    return 0;
}

akin_status akin_searcher_count(akin_searcher *searcher, const akin_queries *queries,
                                const akin_search_technique_row *row, akin_search_results *out, akin_error *error)
{
    akin_searcher *s = searcher;
    const akin_search_technique technique = (akin_search_technique)row->choice.value;
    akin_search_prices weighed = {0, 0};
    akin_search_technique chosen = technique;
    if (akin_device_is_required(s->scope) || is_worth_counting(s, queries, technique, out->k, &weighed, &chosen)) {
        const uint32_t k = out->k;
        akin_status status = akin_searcher_bring(s, error);
        if (status == AKIN_OK && s->ranges)
            status = akin_ranges_search(s->scope, s->ranges, queries, technique, out, error);
        out->prices = weighed;
        if (does_outcome_stand(s, status, status == AKIN_OK && s->ranges))
            return status;
        akin_search_clear(out);
        out->k = k;
    }
    s->device = 0;
    akin_status status = akin_search_batch(s->scope, &s->index->objects, queries, chosen, out, error);
    if (chosen != technique)
        out->prices = weighed;
    return status;
}

static int is_similar_worth_it(akin_searcher *s, const akin_similar *similar)
{
    const akin_objects *o = &s->index->objects;
    akin_search_prices weighed;
    if (!may_take_gpu(s, similar->k))
        return 0;
    akin_search_choose(s->scope->cpu, o, similar->queries, &weighed);
    return is_gpu_faster(s, AKIN_CALIBRATED_LISTS, SIMILAR_TIMES * weighed.lists,
                         akin_ranges_seconds_similar(o, similar->queries));
}

akin_status akin_searcher_similar(akin_searcher *searcher, const akin_similar *similar, akin_similar_found *out,
                                  akin_error *error)
{
    akin_searcher *s = searcher;
    *out = (akin_similar_found){0};
    if (akin_device_is_required(s->scope) || is_similar_worth_it(s, similar)) {
        akin_status status = akin_searcher_bring(s, error);
        if (status == AKIN_OK && s->ranges)
            status = akin_similar_search_gpu(s->scope, s->ranges, similar, out, error);
        if (does_outcome_stand(s, status, status == AKIN_OK && s->ranges))
            return status;
        akin_similar_clear(out);
    }
    s->device = 0;
    return akin_similar_search(s->scope, similar, out, error);
}

/* ---------------------------------------------------------------------------------------------------------- strings */

int akin_searcher_compares(const akin_searcher *searcher, uint32_t k)
{
    return searcher->index->ordered.longest <= AKIN_COMPARE_LONGEST && !searcher->index->ordered.numbers &&
           akin_min_u64(k, searcher->index->head.rows) <= AKIN_RANGES_K;
}

/* Whether a GPU that is not required is predicted to save enough time. */
static int is_worth_comparing(akin_searcher *s, uint32_t count)
{
    const akin_ordered *strings = &s->index->ordered;
    const akin_column column = akin_search_strings(s->index);
    if (!akin_device_is_optional(s->scope) || s->gpu_failed || strings->count == 0)
        return 0;
    const double bytes = (double)akin_comparisons_bytes(&column, s->index->head.rows);
    const double scale = akin_calibrated_scale(s->scope, AKIN_CALIBRATED_BITMAP);
    const akin_device_estimate e = {.here = scale * count * strings->count * PAIR_SECONDS / s->scope->threads,
                                    .there = SECONDS_TO_USE +
                                             (double)count * (double)strings->begins[strings->count] / WALKED_A_SECOND,
                                    .bring = s->strings ? 0 : akin_device_bringing(s->scope, bytes),
                                    .times = s->times};
    return is_gpu_better(s, &e);
}

/* Brings the strings to a GPU. If no GPU works and none is required, it returns AKIN_OK without them. */
static akin_status bring_strings(akin_searcher *s, akin_error *error)
{
    const akin_column strings = akin_search_strings(s->index);
    akin_device *device = NULL;
    akin_status status = akin_device_of(s->scope, &device, error);
    if (status != AKIN_OK || !device)
        return status;
    s->strings = akin_alloc_zero(NULL, 1, sizeof *s->strings);
    if (!s->strings)
        return akin_fail_memory(error, what);
    status = akin_comparisons_begin(s->scope, device, &strings, s->index->head.rows, s->strings, error);
    if (status != AKIN_OK)
        leave_gpu(s);
    return status;
}

akin_status akin_searcher_compare(akin_searcher *searcher, const akin_column *queries, uint32_t count, uint32_t k,
                                  uint64_t *keys, uint32_t *found, uint8_t *is_left, int *is_done, akin_error *error)
{
    akin_searcher *s = searcher;
    *is_done = 0;
    s->device = 0;
    if (!akin_searcher_compares(s, k) || (!akin_device_is_required(s->scope) && !is_worth_comparing(s, count)))
        return AKIN_OK;
    akin_status status = s->strings ? AKIN_OK : bring_strings(s, error);
    if (status == AKIN_OK && s->strings)
        status = akin_comparisons_search(s->scope, s->strings, queries, count, k, keys, found, is_left, error);
    *is_done = status == AKIN_OK && s->strings;
    if (*is_done) {
        s->device = akin_device_number(s->strings->device) + 1;
        s->parts = 1;
    }
    return does_outcome_stand(s, status, *is_done) ? status : AKIN_OK;
}

/* --------------------------------------------------------------------------------------------------------- searcher */

akin_status akin_searcher_create(akin_context *context, const akin_search_index *index, akin_searcher **out,
                                 akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_searcher *searcher = akin_alloc_zero(NULL, 1, sizeof *searcher);
    if (!searcher)
        return akin_fail_memory(error, what);
    searcher->scope = scope;
    searcher->index = index;
    *out = searcher;
    return AKIN_OK;
}

void akin_searcher_free(akin_searcher *searcher)
{
    if (!searcher)
        return;
    leave_gpu(searcher);
    akin_ranking_free(searcher->ranking);
    akin_free(searcher);
}
