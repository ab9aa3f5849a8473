/* The best partners of each tree, blocks of left rows by all threads. */
#include "trees/best.h"

#include "base/bits.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "join/best.h"

#define NO_PLACE UINT32_MAX
#define NO_KEY   UINT64_MAX

typedef struct searching {
    akin_tree_job *job;
    uint32_t *places; /* of left rows; NO_PLACE: the row has no tree */
    akin_best best;
} searching;

/* A key has the distance above the right row. */
static int is_worse_key(const void *unused, uint64_t a, uint64_t b)
{
    (void)unused;
    return a > b;
}

static void pair_of_key(const void *unused, uint32_t row, uint64_t key, akin_pair *out)
{
    (void)unused;
    *out = (akin_pair){row, (uint32_t)key, (uint32_t)(key >> 32)};
}

/* Sorts the candidates of a probe by their bounds, as keys with the bound above the place. Returns their number. */
static uint32_t order_candidates(const akin_tree_job *job, akin_tree_worker *w, uint32_t probe)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->lookup.count; i++) {
        const uint32_t other = w->lookup.found[i];
        const uint32_t bound = akin_tree_job_bound(job, probe, other);
        if (bound <= job->options.most && (!job->self || other != probe))
            w->order[count++] = (uint64_t)bound << 32 | other;
    }
    akin_sort_u64(w->order, count);
    return count;
}

/* Finds the best partners of a left row. */
static akin_status search_row(const searching *s, akin_tree_worker *w, uint32_t row)
{
    const akin_tree_job *job = s->job;
    const uint32_t probe = s->places[row];
    akin_heap heap = {akin_best_keys(&s->best, row), 0, s->best.k, is_worse_key, NULL};
    uint32_t most = job->options.most;
    uint64_t dropped;
    if (probe == NO_PLACE)
        return AKIN_OK;
    akin_tree_index_look_up(&job->index, &job->sides[0], probe, job->index.side->count, job->options.most, &w->lookup);
    w->candidates += w->lookup.count;
    const uint32_t count = order_candidates(job, w, probe);
    for (uint32_t i = 0; i < count && w->order[i] >> 32 <= most; i++) {
        uint32_t distance = 0;
        if (!akin_tree_job_compare(job, w, probe, (uint32_t)w->order[i], most, &distance))
            return akin_tree_verifier_failure(&w->verifier);
        if (distance == AKIN_BAND_FAR)
            continue;
        akin_heap_offer(&heap, (uint64_t)distance << 32 | job->index.side->rows[(uint32_t)w->order[i]], NO_KEY,
                        &dropped);
        if (akin_heap_is_full(&heap)) /* an equal distance may be that of a row before */
            most = (uint32_t)(heap.keys[0] >> 32);
    }
    akin_heap_sort(&heap);
    s->best.held[row - s->best.first] = heap.held;
    return AKIN_OK;
}

static akin_status search_task(void *argument, uint64_t task, uint32_t thread)
{
    const searching *s = argument;
    return search_row(s, &s->job->workers[thread], s->best.first + (uint32_t)task);
}

/* Finds and delivers the partners of rows `first` to end - 1. */
static akin_status search_block(searching *s, uint32_t first, uint32_t end, akin_pair_sink sink, void *user,
                                uint64_t *found, akin_error *error)
{
    akin_tree_job *job = s->job;
    const uint32_t k = akin_min_u32(job->options.top, akin_max_u32(job->index.side->count, 1));
    akin_status status = akin_best_begin(job->account, first, end, k, &s->best, error);
    if (status == AKIN_OK) {
        status = akin_parallel_long(job->scope, "joining", end - first, search_task, s, &job->cancelled);
        if (status == AKIN_OK)
            status = akin_best_deliver(&s->best, pair_of_key, NULL, sink, user, found, error);
        else
            akin_fail_stopped(error, status, "a join of trees");
    }
    akin_best_clear(&s->best);
    return status;
}

akin_status akin_trees_best(akin_tree_job *job, akin_pair_sink sink, void *user, akin_error *error)
{
    const uint32_t rows = job->sides[0].trees.rows;
    searching s = {.job = job};
    uint64_t found = 0;
    akin_status status = AKIN_OK;
    s.places = akin_alloc(job->account, rows, sizeof *s.places);
    if (!s.places)
        return akin_fail_memory(error, "a join of trees");
    for (uint32_t row = 0; row < rows; row++)
        s.places[row] = NO_PLACE;
    for (uint32_t place = 0; place < job->sides[0].count; place++)
        s.places[job->sides[0].rows[place]] = place;
    for (uint32_t first = 0, end; first < rows && status == AKIN_OK; first = end) {
        end = first + akin_best_rows(job->account, rows - first, job->options.top, sizeof(uint64_t), sink, user);
        status = search_block(&s, first, end, sink, user, &found, error);
    }
    job->report.pairs_found += found;
    akin_free(s.places);
    return status;
}
