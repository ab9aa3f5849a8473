/*
 * Scores pairs on the CPU: threads take lists of partners, or parts of the batches that a join hands over, screen them
 * and score what is left.
 */
#include "dedupe/job.h"
#include "base/bits.h"
#include "base/budget.h"
#include "base/clock.h"

#include <string.h>

typedef akin_dedupe_job job;
typedef akin_dedupe_worker worker;

/* Keeps a pair. 0: memory is short. */
static int keep_pair(job *j, akin_found *f, akin_scored_pair pair, const double *each)
{
    const uint32_t comparisons = j->gathering.count, attributes = comparisons ? 0 : j->options.attribute_count;
    if (!akin_found_enlarge(f, &j->account, 1, attributes, comparisons))
        return 0;
    f->pairs[f->count] = pair;
    if (comparisons)
        akin_gathering_levels(&j->gathering, each, f->levels + f->count * comparisons);
    else
        memcpy(f->each + f->count * attributes, each, attributes * sizeof *each);
    f->count++;
    return 1;
}

/* Scores a pair, and keeps it if it reaches the threshold. */
static akin_status score_pair(worker *w, uint32_t a, uint32_t b)
{
    const akin_records *records = &w->job->records;
    uint32_t border = records->tables == 2 ? records->rows[0] : 0;
    double similarity = -1;
    akin_status status = akin_scorer_score(w->scorer, a, b, &similarity, w->each);
    if (status != AKIN_OK || similarity < 0)
        return status;
    akin_scored_pair pair = {a < b ? a : b, (a < b ? b : a) - border, similarity};
    return keep_pair(w->job, &w->found, pair, w->each) ? AKIN_OK : AKIN_E_NOMEM;
}

/* Scores a record with its partners, those that are new. */
static int score_list(void *user, uint32_t record, const uint32_t *partners, uint32_t count)
{
    worker *w = user;
    const job *j = w->job;
    uint32_t *fresh = w->fresh_partners, left = 0;
    uint64_t stood_for = 0; /* pairs of equal records beside those here */
    if (!akin_goes_on(&w->cancellation)) {
        w->status = AKIN_E_CANCELLED;
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        int meet = akin_records_meet(&j->records, record, partners[i]);
        w->pairs += (uint64_t)meet;
        fresh[left] = partners[i];
        const int is_fresh = meet && !akin_selectors_have(j->selectors, j->at, record, partners[i]);
        left += (uint32_t)is_fresh;
        if (j->groups) {
            const uint64_t more = akin_dedupe_stands_for(j, record, partners[i]) - 1;
            w->pairs += more;
            stood_for += is_fresh ? more : 0;
        }
    }
    w->fresh += left + stood_for;
    left = akin_scorer_screen(w->scorer, record, fresh, left, fresh);
    for (uint32_t i = 0; i < left && w->status == AKIN_OK; i++)
        w->status = score_pair(w, record, fresh[i]);
    return w->status == AKIN_OK;
}

/* Brings from memory what is known of a record, and where it stands in the selections before this one. */
static void expect_record(void *user, uint32_t record, int sooner)
{
    const worker *w = user;
    for (uint32_t i = 0; i < w->job->at && !sooner; i++)
        if (w->job->selectors[i].places)
            __builtin_prefetch(&w->job->selectors[i].places[record]);
    akin_scorer_expect(w->scorer, record, sooner);
}

static akin_status score_task(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    worker *w = &j->workers[thread];
    akin_selector_visit(&j->selectors[j->at], &j->visits, task, score_list, expect_record, w);
    return w->status;
}

static akin_status fail_comparing(akin_status status, akin_error *error)
{
    return status == AKIN_E_LIMIT ? akin_fail(error, status, "a value has 2^32 tokens or more: expected fewer")
                                  : akin_fail_stopped(error, status, "comparing records");
}

static akin_status make_workers(job *j, akin_error *error)
{
    int done = 1;
    j->threads = akin_scope_threads(j->scope);
    j->workers = akin_alloc_zero(&j->account, j->threads, sizeof *j->workers);
    for (uint32_t t = 0; j->workers && t < j->threads; t++) {
        worker *w = &j->workers[t];
        w->job = j;
        w->cancellation = (akin_cancellation){.scope = j->scope, .cancelled = &j->cancelled, .thread = t};
        w->scorer = akin_scorer_create(&j->scoring, &w->cancellation);
        w->each = akin_alloc(&j->account, j->options.attribute_count, sizeof *w->each);
        done = done && w->scorer && w->each;
    }
    return j->workers && done ? AKIN_OK : akin_fail_memory(error, "comparing records");
}

/* ------------------------------------------------------------------------------------------------ pairs of a join */

#define TASK_PAIRS 8192

/* A batch of pairs that a join found. */
typedef struct batch {
    job *j;
    const akin_scope *scope;
    uint32_t *lower, *higher, count;
    double seconds; /* that all batches took */
} batch;

/* Counts some pairs, and leaves those of them that are new. */
static uint32_t leave_fresh(worker *w, uint32_t *lower, uint32_t *higher, uint32_t count)
{
    const job *j = w->job;
    uint32_t left = 0;
    w->pairs += count;
    if (j->at == 0 && !j->groups) {
        w->fresh += count;
        return count;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t a = lower[i], b = higher[i];
        const int is_fresh = !akin_selectors_have(j->selectors, j->at, a, b);
        const uint64_t stood_for = akin_dedupe_stands_for(j, a, b);
        w->pairs += stood_for - 1;
        w->fresh += is_fresh ? stood_for : 0;
        lower[left] = a;
        higher[left] = b;
        left += (uint32_t)is_fresh;
    }
    return left;
}

/* Scores some pairs, those that are new. */
static akin_status score_some(worker *w, uint32_t *lower, uint32_t *higher, uint32_t count)
{
    uint32_t passed[AKIN_SCREENED];
    akin_status status = akin_goes_on(&w->cancellation) ? AKIN_OK : AKIN_E_CANCELLED;
    count = leave_fresh(w, lower, higher, count);
    count = akin_scorer_screen_pairs(w->scorer, lower, higher, count, passed);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = score_pair(w, lower[passed[i]], higher[passed[i]]);
    return status;
}

static akin_status score_batch_part(void *argument, uint64_t task, uint32_t thread)
{
    const batch *b = argument;
    worker *w = &b->j->workers[thread];
    const uint32_t first = (uint32_t)task * TASK_PAIRS, end = (uint32_t)akin_min_u64(first + TASK_PAIRS, b->count);
    for (uint32_t at = first; at < end && w->status == AKIN_OK; at += AKIN_SCREENED)
        w->status = score_some(w, b->lower + at, b->higher + at, (uint32_t)akin_min_u64(AKIN_SCREENED, end - at));
    return w->status;
}

static akin_status score_batch(void *user, uint32_t *lower, uint32_t *higher, uint32_t count)
{
    batch *b = user;
    const double start = akin_clock();
    b->lower = lower;
    b->higher = higher;
    b->count = count;
    const akin_status status =
        akin_parallel_long(b->scope, NULL, akin_ceil_div(count, TASK_PAIRS), score_batch_part, b, &b->j->cancelled);
    b->seconds += akin_clock() - start;
    return status;
}

/* Scores the pairs of a join as it finds them. The time of the join is that of selecting. */
static akin_status score_joined(job *j, const akin_scope *scope, const akin_selector *s, akin_error *error)
{
    batch b = {.j = j, .scope = scope};
    akin_status taken;
    const double start = akin_clock();
    const akin_status status = akin_joined_stream(s->joined, scope, &j->account, score_batch, &b, &taken, error);
    const double joining = akin_clock() - start - b.seconds;
    j->report.seconds_select += joining;
    j->report.seconds_compare -= joining; /* of all that follows */
    return taken == AKIN_OK ? status : fail_comparing(taken, error);
}

static akin_status score_visited(job *j, const akin_scope *scope, const akin_selector *s, akin_error *error)
{
    j->visits = akin_selector_visits(s);
    const akin_status status = akin_parallel_long(scope, "comparing", j->visits.tasks, score_task, j, &j->cancelled);
    return status == AKIN_OK ? AKIN_OK : fail_comparing(status, error);
}

/* Scores the pairs of one selection after the other. */
akin_status akin_dedupe_compare(akin_dedupe_job *job, akin_error *error)
{
    akin_dedupe_job *j = job;
    akin_status status = make_workers(j, error);
    const akin_scope few = akin_scope_narrow(j->scope, (akin_narrowing){.threads = j->threads});
    for (j->at = 0; j->at < j->options.selection_count && status == AKIN_OK; j->at++) {
        const akin_selector *s = &j->selectors[j->at];
        akin_selected selected = s->known;
        if (s->joined)
            status = score_joined(j, &few, s, error);
        else
            status = score_visited(j, &few, s, error);
        for (uint32_t t = 0; t < j->threads; t++) {
            selected.pairs += j->workers[t].pairs;
            selected.fresh += j->workers[t].fresh;
            j->workers[t].pairs = j->workers[t].fresh = 0;
        }
        j->report.pairs_selected += selected.fresh;
        if (j->options.selected)
            j->options.selected[j->at] = selected;
    }
    for (uint32_t t = 0; t < j->threads && status == AKIN_OK; t++) {
        j->found += j->workers[t].found.count;
        j->report.values_compared += akin_scorer_compared(j->workers[t].scorer);
    }
    j->report.pairs_found = j->found;
    return status;
}
