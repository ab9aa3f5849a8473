/* Lists the pairs of a selection in launches that fill the lists, and scores what passes the screen. */
#include "dedupe/gpu_pairs.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "strings/alphabet.h"

#define PAGE        4096
#define TASK_BYTES  ((uint64_t)1 << 22)
#define TASK_PLACES 65536

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

typedef struct fresh_memory {
    char *bytes;
    uint64_t count;
} fresh_memory;

/* Writes to each page. */
static akin_status touch_pages(void *argument, uint64_t task, uint32_t thread)
{
    const fresh_memory *m = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_BYTES, m->count);
    (void)thread;
    for (uint64_t at = task * TASK_BYTES; at < end; at += PAGE)
        m->bytes[at] = 0;
    return AKIN_OK;
}

/* Brings bytes from the device to memory that has not been used. The system clears such memory page by page when it is
 * first written, which takes one thread as long as the copy does: so all threads do that before. */
static akin_status download_to_fresh(const akin_gpu_run *run, void *to, const void *from, uint64_t count,
                                     akin_error *error)
{
    fresh_memory m = {to, count};
    const akin_status status = akin_parallel(run->job->scope, NULL, akin_ceil_div(count, TASK_BYTES), touch_pages, &m);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the pairs found");
    return akin_device_download(run->records.stream, to, from, count, error);
}

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
    akin_status status = download_to_fresh(run, f->pairs + f->count, l->pairs.data, count * sizeof *f->pairs, error);
    if (status == AKIN_OK)
        status = download_to_fresh(run, kept, l->kept.data, count * akin_gpu_kept(&run->screen.scoring), error);
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

/* Sums of the lists of a selection, by runs of places. */
typedef struct list_sums {
    const akin_gpu_run *run;
    uint32_t places;
    uint64_t *listed, *longest; /* of each run */
} list_sums;

static akin_status sum_lists(void *argument, uint64_t task, uint32_t thread)
{
    const list_sums *sums = argument;
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * TASK_PLACES, sums->places);
    uint64_t listed = 0, longest = 0;
    (void)thread;
    for (uint32_t at = (uint32_t)(task * TASK_PLACES); at < end; at++) {
        const uint64_t next = list_of(sums->run, at);
        listed += next;
        longest = akin_max_u64(longest, next);
    }
    sums->listed[task] = listed;
    sums->longest[task] = longest;
    return AKIN_OK;
}

/* The lists from `at` on that have `room` pairs at most, or one list: where they end, how many pairs they have, and how
 * long the longest one is. */
static uint32_t take_lists(const list_sums *sums, uint32_t at, uint64_t room, uint64_t *listed, uint64_t *longest)
{
    uint32_t end = at + 1;
    *listed = *longest = list_of(sums->run, at);
    while (end < sums->places && *listed <= room) {
        const uint32_t run = end / TASK_PLACES;
        if (end % TASK_PLACES == 0 && sums->places - end >= TASK_PLACES && sums->listed[run] <= room - *listed) {
            *listed += sums->listed[run];
            *longest = akin_max_u64(*longest, sums->longest[run]);
            end += TASK_PLACES;
            continue;
        }
        const uint64_t next = list_of(sums->run, end);
        if (next > room - *listed)
            break;
        *listed += next;
        *longest = akin_max_u64(*longest, next);
        end++;
    }
    return end;
}

/* `sums` has room. */
static akin_status launch_all(akin_gpu_run *run, list_sums *sums, akin_selected *selected, akin_error *error)
{
    const uint64_t room = run->launch.room;
    akin_status status =
        akin_parallel(run->job->scope, NULL, akin_ceil_div(sums->places, TASK_PLACES), sum_lists, sums);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the pairs to compare");
    for (uint32_t at = 0, end; at < sums->places && status == AKIN_OK; at = end) {
        uint64_t listed, longest;
        end = take_lists(sums, at, room, &listed, &longest);
        if (end > at + 1)
            status = launch_lists(run, at, end, 0, longest, selected, error);
        for (uint64_t from = 0; end == at + 1 && from < listed && status == AKIN_OK; from += room)
            status = launch_lists(run, at, end, from, akin_min_u64(from + room, listed), selected, error);
    }
    return status;
}

akin_status akin_gpu_list_pairs(akin_gpu_run *run, akin_selected *selected, akin_error *error)
{
    const akin_selector *s = &run->job->selectors[run->screen.at];
    const uint32_t places = places_with_lists(run);
    const uint64_t most = s->pairing->most(s), runs = akin_ceil_div(places, TASK_PLACES);
    if (places > 1 && most <= run->launch.room / places) /* without a look at each */
        return launch_lists(run, 0, places, 0, most, selected, error);
    list_sums sums = {.run = run,
                      .places = places,
                      .listed = akin_alloc(run->job->account, runs, sizeof *sums.listed),
                      .longest = akin_alloc(run->job->account, runs, sizeof *sums.longest)};
    const akin_status status = sums.listed && sums.longest ? launch_all(run, &sums, selected, error)
                                                           : akin_fail_memory(error, "the pairs to compare");
    akin_free(sums.listed);
    akin_free(sums.longest);
    return status;
}
