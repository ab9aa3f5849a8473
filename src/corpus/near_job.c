/* Passes over documents. */
#include "corpus/near_job.h"

#include "base/bits.h"
#include "base/counted.h"

#include <string.h>

#define PIECES (64 << 10) /* bytes of buffers for pieces of a text, of a thread */

const char akin_near_what[] = "near-duplicates";

void akin_near_release(const akin_near_job *j)
{
    if (j->options.own.table)
        akin_table_release(j->options.own.table);
}

akin_status akin_near_pass(akin_near_job *j, const char *phase, uint64_t bytes, akin_task task,
                           akin_status (*after)(akin_near_job *j, uint32_t end))
{
    const uint64_t *offsets = j->column->offsets;
    akin_status status = AKIN_OK;
    while (j->first < j->rows && status == AKIN_OK) {
        uint64_t tasks = 0, end = j->first;
        for (; end < j->rows && offsets[end] - offsets[j->first] < bytes; tasks++)
            end = akin_min_u64(end + AKIN_NEAR_TASK, j->rows);
        status = akin_parallel(j->scope, NULL, tasks, task, j);
        if (status == AKIN_OK && after)
            status = after(j, (uint32_t)end);
        j->first = (uint32_t)end;
        akin_near_release(j);
        if (status == AKIN_OK)
            status = akin_scope_report(j->scope, phase, end, j->rows);
    }
    j->first = 0;
    return status;
}

#define GROWTH 8 /* bytes that the bags of a thread take for a byte of text, about */

akin_status akin_near_fail(const akin_near_job *j, akin_status status, akin_error *error)
{
    const uint64_t *offsets = j->column->offsets;
    const uint64_t most = j->account.limit ? j->account.limit : j->account.ceiling;
    uint32_t longest = 0;
    akin_counted bytes;
    if (status != AKIN_E_NOMEM || most == 0 || j->rows == 0)
        return akin_fail_stopped(error, status, akin_near_what);
    for (uint32_t row = 1; row < j->rows; row++)
        if (offsets[row + UINT64_C(1)] - offsets[row] > offsets[longest + UINT64_C(1)] - offsets[longest])
            longest = row;
    const uint64_t length = offsets[longest + UINT64_C(1)] - offsets[longest];
    return length < most / (2 * GROWTH)
               ? akin_fail_memory(error, akin_near_what)
               : akin_fail_row(error, status, AKIN_REASON_MEMORY, longest, NULL,
                               " has %s, the longest text: there is not enough memory for its tokens",
                               akin_count(&bytes, length, "byte"));
}

akin_status akin_near_put_bag(akin_near_job *j, akin_near_worker *w)
{
    const akin_shingler *own = &w->own;
    uint64_t *hashes = akin_enlarge(&j->account, w->hashes, &w->capacity, w->count + own->size, sizeof *hashes);
    if (!hashes)
        return AKIN_E_NOMEM;
    w->hashes = hashes;
    if (own->size > 0)
        memcpy(hashes + w->count, own->hashes, own->size * sizeof *hashes);
    w->count += own->size;
    return AKIN_OK;
}

/* Arrays grow by half: of two shinglers with 40 bytes a token, and of the bags of a batch with what comes of them. */
uint64_t akin_near_beside(uint32_t threads, uint64_t rows, uint64_t bytes, uint64_t longest, double each)
{
    const uint64_t batch = akin_min_u64(rows, (uint64_t)AKIN_NEAR_BATCH * threads);
    const double shinglers = threads * each * (double)longest * 2 * 40,
                 bags = each * (double)bytes * 2 * sizeof(uint64_t);
    const uint64_t a_row = sizeof(uint32_t) + sizeof(akin_near_room) + sizeof(akin_bag) + sizeof(akin_verdict);
    const uint64_t a_thread = sizeof(akin_near_worker) + PIECES;
    return threads * a_thread + (uint64_t)((shinglers + bags) * 1.5) + batch * a_row +
           rows * (sizeof(akin_duplicate) + 2 * sizeof(uint32_t));
}
