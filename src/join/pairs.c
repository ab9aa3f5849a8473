/* Gathers pairs in chunks and sorts them: by left row with one counting pass, then the few of each row by themselves.
 */
#include "join/pairs.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"

int akin_pairs_flush(akin_pairs *pairs)
{
    akin_pairs_drain *drain = pairs->drain;
    akin_pairs_chunk *chunk = pairs->first;
    pthread_mutex_lock(&drain->lock);
    if (!drain->stopped && chunk->count > 0 && drain->sink(drain->user, chunk->pairs, chunk->count))
        drain->stopped = 1;
    int going_on = !drain->stopped;
    pthread_mutex_unlock(&drain->lock);
    chunk->count = 0;
    return going_on;
}

int akin_pairs_grow(akin_pairs *pairs)
{
    if (pairs->drain && pairs->first)
        return akin_pairs_flush(pairs);
    if (pairs->first && !akin_pair_limit_wait(pairs->limit, pairs->first->count))
        return 0;
    akin_pairs_chunk *chunk = akin_alloc(pairs->account, 1, sizeof *chunk);
    if (!chunk)
        return 0;
    chunk->next = pairs->first;
    chunk->count = 0;
    pairs->first = chunk;
    return 1;
}

void akin_pairs_clear(akin_pairs *pairs)
{
    while (pairs->first) {
        akin_pairs_chunk *next = pairs->first->next;
        akin_free(pairs->first);
        pairs->first = next;
    }
    akin_free(pairs->rest.pairs);
    pairs->rest = (akin_runs_rest){NULL, 0};
}

/* Pairs grouped by left row: those of row l are packed[start[l]] .. packed[start[l + 1] - 1], as right << 32 | overlap.
 */
typedef struct sorted {
    uint64_t *start;
    uint64_t *packed;
    uint32_t rows;
    akin_pair *batch; /* pairs on their way to the sink: on the heap, as stacks may be small */
} sorted;

#define ROWS_A_TASK 4096
#define BATCH       8192

static akin_status sort_pair_rows(void *argument, uint64_t task, uint32_t thread)
{
    const sorted *job = argument;
    (void)thread;
    uint64_t end = akin_min_u64((task + 1) * ROWS_A_TASK, job->rows);
    for (uint64_t row = task * ROWS_A_TASK; row < end; row++)
        akin_sort_u64(job->packed + job->start[row], (size_t)(job->start[row + 1] - job->start[row]));
    return AKIN_OK;
}

static akin_status hand_over_pairs(const akin_scope *scope, const sorted *job, akin_pair_sink sink, void *sink_user,
                                   akin_error *error)
{
    akin_pair *batch = job->batch;
    uint64_t total = job->start[job->rows], row = 0, at = 0;
    while (at < total) {
        size_t count = 0;
        for (; count < BATCH && at < total; at++) {
            while (at >= job->start[row + 1])
                row++;
            batch[count++] = (akin_pair){(uint32_t)row, (uint32_t)(job->packed[at] >> 32), (uint32_t)job->packed[at]};
        }
        if (sink(sink_user, batch, count))
            return akin_fail(error, AKIN_E_CANCELLED, "stopped by the receiver of the pairs");
        if (akin_scope_report(scope, "writing", at, total) != AKIN_OK)
            return akin_fail(error, AKIN_E_CANCELLED, "cancelled");
    }
    return AKIN_OK;
}

/* Moves the chunks' pairs to their places; start[l + 2] counts row l, then start[l + 1] runs from its first place to
 * its end. */
static void scatter_pairs(sorted *job, akin_pairs *pairs, uint32_t threads)
{
    for (uint32_t t = 0; t < threads; t++)
        for (const akin_pairs_chunk *chunk = pairs[t].first; chunk; chunk = chunk->next)
            for (uint32_t i = 0; i < chunk->count; i++)
                job->start[(uint64_t)chunk->pairs[i].left + 2]++;
    for (uint64_t row = 0; row < job->rows; row++)
        job->start[row + 2] += job->start[row + 1];
    for (uint32_t t = 0; t < threads; t++)
        while (pairs[t].first) {
            akin_pairs_chunk *chunk = pairs[t].first;
            for (uint32_t i = 0; i < chunk->count; i++) {
                const akin_pair *pair = &chunk->pairs[i];
                job->packed[job->start[(uint64_t)pair->left + 1]++] = (uint64_t)pair->right << 32 | pair->overlap;
            }
            pairs[t].first = chunk->next;
            akin_free(chunk);
        }
}

akin_status akin_pairs_deliver(const akin_scope *scope, akin_account *account, akin_pairs *pairs, uint32_t threads,
                               uint32_t rows, akin_pair_sink sink, void *sink_user, akin_error *error)
{
    akin_status status;
    uint64_t total = 0;
    for (uint32_t t = 0; t < threads; t++)
        for (const akin_pairs_chunk *chunk = pairs[t].first; chunk; chunk = chunk->next)
            total += chunk->count;
    sorted job = {akin_alloc_zero(account, (uint64_t)rows + 2, sizeof(uint64_t)),
                  akin_alloc(account, total, sizeof(uint64_t)), rows,
                  akin_alloc(NULL, akin_min_u64(BATCH, total), sizeof(akin_pair))};
    if (!job.start || !job.packed || !job.batch) {
        status = akin_fail_memory(error, "sorting the pairs");
        goto done;
    }
    scatter_pairs(&job, pairs, threads);
    status = akin_parallel(scope, "sorting pairs", akin_ceil_div(rows, ROWS_A_TASK), sort_pair_rows, &job);
    if (status != AKIN_OK)
        akin_fail_stopped(error, status, "sorting the pairs");
    else
        status = hand_over_pairs(scope, &job, sink, sink_user, error);
done:
    akin_free(job.start);
    akin_free(job.packed);
    akin_free(job.batch);
    return status;
}
