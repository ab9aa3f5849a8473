/* Makes batches of ranges of rows, and decides how large ranges are. */
#include "match/ranges.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/context.h"
#include "device/devices.h"
#include "device/worth.h"
#include "match/match_gpu.h"

#define ROWS_A_PART 1024 /* at least, under a bound */

static void leave_range(akin_strings_batch *batch, akin_piece_range *at)
{
    akin_strings_batch_clear(batch);
    at->side = NULL;
}

void akin_match_leave_ranges(akin_match_job *job)
{
    leave_range(&job->others, &job->others_at);
    leave_range(&job->probes, &job->probes_at);
}

int akin_match_is_range(const akin_piece_range *at, const akin_piece_range *range)
{
    return at->side && at->side == range->side && at->first == range->first && at->end == range->end;
}

akin_status akin_match_enter_range(akin_match_job *job, const akin_piece_range *range, akin_strings_batch *out,
                                   akin_piece_range *at, akin_error *error)
{
    const akin_match_side *side = range->side;
    if (akin_match_is_range(at, range))
        return AKIN_OK;
    leave_range(out, at);
    double start = akin_clock();
    akin_status status = akin_strings_batch_make(job->scope, job->account, side->column, side->lengths, range->first,
                                                 range->end, &job->alphabet, out, error);
    job->report.seconds_prepare += akin_clock() - start;
    if (status == AKIN_OK)
        *at = *range;
    return status;
}

akin_status akin_match_enter_piece(akin_match_job *job, const akin_piece *piece, akin_error *error)
{
    job->same = piece->is_self;
    job->met = job->same ? &job->probes : &job->others;
    if (job->same || !akin_match_is_range(&job->others_at, &piece->indexed))
        leave_range(&job->others, &job->others_at); /* its memory is needed */
    akin_status status = akin_match_enter_range(job, &piece->probes, &job->probes, &job->probes_at, error);
    return status == AKIN_OK && !job->same
               ? akin_match_enter_range(job, &piece->indexed, &job->others, &job->others_at, error)
               : status;
}

/* The bytes of GPU memory that there are; 0: any number. */
static uint64_t limit_of_gpu(const akin_match_job *job)
{
    if (!akin_device_is_optional(job->scope) && !akin_device_is_required(job->scope))
        return 0;
    const akin_device *device = akin_device_opened(job->scope);
    return device ? akin_device_limit(device) : job->scope->context->device_memory;
}

void akin_match_set_room(akin_match_job *job)
{
    const uint64_t limit_gpu = limit_of_gpu(job);
    const uint64_t scanners =
        job->threads * ((uint64_t)(sizeof(akin_scan_hit) + 64) * AKIN_SCAN_CANDIDATES + AKIN_LANES_ROOM);
    job->room = job->account->limit ? akin_budget_left(job->account, scanners, AKIN_LEFT_RANGES) : UINT64_MAX;
    job->room_gpu = limit_gpu ? limit_gpu / 4 : UINT64_MAX;
    job->rows_most = akin_wishes_of(job->scope)->part_tokens; /* of rows here */
}

uint64_t akin_match_count_ranges(const akin_match_job *job, const akin_piece_range *range)
{
    if (!job->rows_most && job->room == UINT64_MAX && job->room_gpu == UINT64_MAX)
        return 1;
    const akin_match_extent e = akin_match_extent_of(range);
    if (job->rows_most)
        return akin_max_u64(1, akin_ceil_div(e.rows, job->rows_most));
    const uint64_t gpu = e.symbols * AKIN_STRINGS_GPU_SYMBOL + e.rows * AKIN_STRINGS_GPU_STRING;
    const uint64_t count =
        akin_max_u64(job->room == UINT64_MAX ? 1 : akin_ceil_div(e.bytes, akin_max_u64(1, job->room)),
                     job->room_gpu == UINT64_MAX ? 1 : akin_ceil_div(gpu, akin_max_u64(1, job->room_gpu)));
    return akin_max_u64(1, akin_min_u64(count, akin_ceil_div(e.rows, ROWS_A_PART)));
}

uint32_t akin_match_place_in_range(void *user, const akin_piece_range *range)
{
    const uint64_t count = akin_max_u64(2, akin_match_count_ranges(user, range));
    return akin_match_place_of(range, count / 2, count);
}

int akin_match_keep_all(void *user, akin_piece *piece)
{
    (void)user;
    (void)piece;
    return 1;
}

int akin_match_may_try_smaller(const akin_match_job *job, akin_status status, uint64_t refusals, uint64_t found)
{
    return status == AKIN_E_NOMEM && job->account->limit && job->account->refused != refusals && !job->failed &&
           job->report.pairs_found == found;
}
