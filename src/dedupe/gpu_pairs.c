/* Lists the pairs of a selection in launches that fill the lists, and scores what passes the screen. */
#include "dedupe/gpu_pairs.h"

#include "base/bits.h"
#include "strings/alphabet.h"

akin_status akin_gpu_tell(akin_gpu_run *run, akin_gpu_told *out, akin_error *error)
{
    akin_gpu_launch *l = &run->launch;
    akin_status status = akin_device_read(run->records.stream, l->told.data, l->tally.data, sizeof *out, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(run->records.stream, error);
    if (status == AKIN_OK)
        *out = *(const akin_gpu_told *)l->told.data;
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- scoring */

/* Brings pairs that were found from the device. */
static akin_status keep_pairs(akin_gpu_run *run, uint64_t count, akin_error *error)
{
    akin_gpu_launch *l = &run->launch;
    akin_found *f = run->job->found;
    const uint32_t comparisons = run->screen.scoring.gathering.count;
    const uint32_t attributes = comparisons ? 0 : run->screen.scoring.count;
    if (count == 0)
        return AKIN_OK;
    if (!akin_found_enlarge(f, run->job->account, count, attributes, comparisons))
        return akin_fail_memory(error, "the pairs found");
    void *kept = comparisons ? (void *)(f->levels + f->count * comparisons) : f->each + f->count * attributes;
    akin_status status =
        akin_device_download(run->records.stream, f->pairs + f->count, l->pairs.data, count * sizeof *f->pairs, error);
    if (status == AKIN_OK)
        status = akin_device_download(run->records.stream, kept, l->kept.data,
                                      count * akin_gpu_kept(&run->screen.scoring), error);
    f->count += status == AKIN_OK ? count : 0;
    return status;
}

akin_status akin_gpu_score_listed(akin_gpu_run *run, uint64_t count, akin_error *error)
{
    akin_gpu_launch *l = &run->launch;
    akin_gpu_told tally;
    akin_status status = AKIN_OK;
    run->job->figures.candidates += count;
    for (uint64_t first = 0; first < count && status == AKIN_OK; first += l->scored) {
        const akin_gpu_candidate *list = (const akin_gpu_candidate *)l->list.data + first;
        status = akin_device_fill(run->records.stream, l->tally.data, 0, sizeof tally, error);
        if (status == AKIN_OK)
            status = akin_kernels(run->records.stream)
                         ->dedupe_scores->score(run->records.stream, &run->screen.scoring, list,
                                                akin_min_u64(l->scored, count - first), run->screen.border,
                                                l->pairs.data, l->kept.data, l->tally.data, error);
        if (status == AKIN_OK)
            status = akin_gpu_tell(run, &tally, error);
        if (status == AKIN_OK)
            status = keep_pairs(run, tally.found, error);
        if (status == AKIN_OK)
            status = akin_records_check_cancelled(run->job->scope, 0, error);
        run->job->figures.compared += status == AKIN_OK ? tally.compared : 0;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* How many places have lists. */
static uint32_t places_with_lists(const akin_gpu_run *run)
{
    const akin_selector *s = &run->job->selectors[run->screen.at];
    uint32_t all = s->pairing->places(s);
    return run->job->given && run->job->lists < all ? run->job->lists : all;
}

/* How long the list of a place is. */
static uint64_t list_of(const akin_gpu_run *run, uint32_t at)
{
    const akin_selector *s = &run->job->selectors[run->screen.at];
    uint64_t count;
    s->pairing->partners(s, at, &count);
    return count;
}

/* Launches some lists, or a part of one, and scores what passes. */
static akin_status launch_lists(akin_gpu_run *run, uint32_t first, uint32_t end, uint64_t from, uint64_t to,
                                akin_selected *selected, akin_error *error)
{
    akin_gpu_told tally;
    akin_status status = akin_device_fill(run->records.stream, run->launch.tally.data, 0, sizeof tally, error);
    if (status == AKIN_OK)
        status = akin_kernels(run->records.stream)
                     ->dedupe_screens->screen_lists(run->records.stream, &run->screen, first, end, from, to, error);
    if (status == AKIN_OK)
        status = akin_gpu_tell(run, &tally, error);
    if (status != AKIN_OK)
        return status;
    selected->pairs += tally.pairs;
    selected->fresh += tally.fresh;
    if (akin_scope_report(run->job->scope, "comparing", end, places_with_lists(run)) != AKIN_OK)
        return akin_fail(error, AKIN_E_CANCELLED, "cancelled");
    return akin_gpu_score_listed(run, tally.candidates, error);
}

akin_status akin_gpu_list_pairs(akin_gpu_run *run, akin_selected *selected, akin_error *error)
{
    const akin_selector *s = &run->job->selectors[run->screen.at];
    uint32_t count = places_with_lists(run);
    uint64_t room = run->launch.room, most = s->pairing->most(s);
    akin_status status = AKIN_OK;
    for (uint32_t at = 0, end; at < count && status == AKIN_OK; at = end) {
        uint64_t listed = list_of(run, at), longest = listed;
        if (most <= room / (count - at)) { /* all that are left, without a look at each */
            end = count;
            longest = most;
        } else {
            end = at + 1;
            for (uint64_t next; end < count && listed + (next = list_of(run, end)) <= room; end++) {
                longest = akin_max_u64(longest, next);
                listed += next;
            }
        }
        if (end > at + 1)
            status = launch_lists(run, at, end, 0, longest, selected, error);
        for (uint64_t from = 0; end == at + 1 && from < listed && status == AKIN_OK; from += room)
            status = launch_lists(run, at, end, from, akin_min_u64(from + room, listed), selected, error);
    }
    return status;
}
