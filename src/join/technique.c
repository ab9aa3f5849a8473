/* What the techniques share: the memory of the workers, the table of overlaps needed, which sets can match. */
#include "join/technique.h"

#include "base/bits.h"

#define ROWS_A_THREAD 64

uint32_t akin_join_threads(const akin_scope *scope, const akin_sets *left, const akin_sets *right)
{
    uint64_t rows = (uint64_t)akin_sets_rows(left) + (right ? akin_sets_rows(right) : 0);
    return (uint32_t)akin_min_u64(akin_scope_threads(scope), 1 + rows / ROWS_A_THREAD);
}

akin_status akin_join_workers_make(akin_join_job *job, akin_error *error)
{
    for (uint32_t t = 0; t < job->threads; t++) {
        akin_join_worker *worker = &job->workers[t];
        worker->marks = akin_alloc_zero(job->account, akin_ceil_div(job->indexed->universe, 64), sizeof(uint64_t));
        if (!worker->marks)
            return akin_fail_memory(error, "the working memory of the threads");
    }
    return AKIN_OK;
}

#define TURNS_LEAST 6 /* that each of several GPUs has, about */

uint64_t akin_join_next(akin_join_job *job, uint64_t own, uint64_t batch, uint64_t count)
{
    uint64_t first = job->turns ? atomic_fetch_add(&job->turns->next, batch) : own;
    if (first >= count)
        return count;
    job->took_turn = 1;
    return first;
}

uint64_t akin_join_batch(const akin_join_job *job, uint64_t batch, uint64_t count)
{
    return job->turns ? akin_min_u64(batch, count / (TURNS_LEAST * (uint64_t)job->turns->gpus) + 1) : batch;
}

void akin_join_recount(akin_join_job *job)
{
    for (uint32_t t = 0; t < job->slots; t++)
        job->workers[t].candidates = job->workers[t].compared = 0;
}

uint64_t akin_join_found(const akin_join_job *job)
{
    uint64_t found = 0;
    for (uint32_t t = 0; t < job->slots; t++)
        found += job->workers[t].count;
    return found;
}

void akin_join_marks_clear(akin_join_job *job)
{
    for (uint32_t t = 0; t < job->threads; t++) {
        akin_free(job->workers[t].marks);
        job->workers[t].marks = NULL;
    }
}

akin_status akin_join_delivery_begin(akin_join_job *job, const akin_scope *scope, uint32_t any_order,
                                     akin_pair_sink sink, void *sink_user, akin_error *error)
{
    akin_status status =
        akin_delivery_begin(job->delivery, scope, job->account, job->slots, (int)any_order, sink, sink_user, error);
    for (uint32_t t = 0; t < job->slots && job->delivery->pairs; t++)
        job->workers[t].pairs = &job->delivery->pairs[t];
    return status;
}

#define NEED_MOST 65536 /* entries; sums beyond are computed */

akin_status akin_join_need_make(akin_join_job *job, akin_error *error)
{
    const akin_ranked *a = job->probes, *b = job->indexed;
    uint64_t sum = 0;
    if (a->classes && b->classes && akin_rule_divides(job->threshold.rule))
        sum = (uint64_t)a->class_size[a->classes - 1] + b->class_size[b->classes - 1] + 1;
    job->need_count = akin_min_u64(sum, NEED_MOST);
    job->need = akin_alloc(job->account, job->need_count, sizeof *job->need);
    if (!job->need)
        return akin_fail_memory(error, "the table of thresholds");
    for (uint64_t i = 0; i < job->need_count; i++)
        job->need[i] = (uint32_t)akin_threshold_overlap(&job->threshold, i, 0);
    return AKIN_OK;
}

akin_status akin_join_run(akin_join_job *job, uint64_t tasks, akin_task task, void *argument, akin_error *error)
{
    akin_status status = akin_parallel(job->scope, "joining", tasks, task, argument);
    if (status == AKIN_OK)
        return status;
    return akin_fail_stopped(error, status, "the pairs found");
}

static akin_join_range partners_of(const akin_join_job *job, uint32_t probe, uint32_t size)
{
    akin_join_range range = {akin_ranked_first(job->indexed, akin_threshold_smallest(&job->threshold, size)), probe};
    if (!job->self)
        range.end = akin_ranked_first(job->indexed, akin_threshold_largest(&job->threshold, size) + 1);
    if (range.end < range.first)
        range.end = range.first;
    return range;
}

akin_join_range akin_join_partners(const akin_join_job *job, uint32_t probe)
{
    return partners_of(job, probe, akin_ranked_size(job->probes, probe));
}

uint64_t akin_join_class_pairs(const akin_join_job *job, uint32_t c)
{
    const akin_ranked *probes = job->probes;
    uint64_t members = probes->class_first[c + 1] - probes->class_first[c], size = probes->class_size[c];
    akin_join_range range = partners_of(job, probes->class_first[c], (uint32_t)size);
    int own = job->self && akin_threshold_smallest(&job->threshold, size) <= size;
    return members * (range.end - range.first) + (own ? members * (members - 1) / 2 : 0);
}
