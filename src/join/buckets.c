/*
 * The join bucket by bucket. Small sets may want another technique than large ones: an index, or narrow signatures. So
 * a join that is predicted to take long is cut by size (join/pieces.h), and each piece is planned on its own. The
 * pieces are kept if all of them together are predicted to be cheaper, and each of them may be cut again. A piece is a
 * view of the ranked collections: nothing is gathered or ranked again.
 */
#include "join/buckets.h"

#include "base/clock.h"
#include "base/context.h"
#include "join/part.h"
#include "join/ranked_pieces.h"
#include "join/progress.h"
#include "join/step.h"

#define SECONDS_LEAST 0.1 /* a join that is predicted to be shorter is not cut: planning pieces takes milliseconds */
#define PLANS         30  /* nor is one shorter than this many times the least that a piece takes: plans cost as much */
#define CHEAPER       0.9 /* pieces are kept if they are predicted to take less than this share of the whole */
#define PROMISING     0.97 /* and are cut further, to find out, if they take less than this */
#define CUTS_MOST     4    /* of a piece of a piece of ... */

/* What a piece takes whatever is in it: tables of the universe, threads to be started. */
#define SECONDS_A_PIECE 2e-4
#define SECONDS_A_TOKEN 4e-9

/* A piece with its plan. */
typedef struct bucket {
    akin_piece piece;
    akin_join_part part;
    akin_sample sample;
} bucket;

typedef struct buckets {
    akin_join_job *job;
    const akin_join_options *options;
    bucket *list;
    uint32_t count, room;
    akin_piece_view sides; /* of the bucket that the job is set to */
} buckets;

/* Sets the job to a bucket. */
static void enter_bucket(buckets *b, const bucket *bucket)
{
    akin_piece_view_enter(&b->sides, &bucket->piece, b->job);
}

static akin_status append_bucket(buckets *b, const bucket *bucket, akin_error *error)
{
    if (b->count == b->room) {
        uint32_t room = 2 * b->room + 4;
        struct bucket *larger = akin_resize(b->job->account, b->list, room, sizeof *larger);
        if (!larger)
            return akin_fail_memory(error, "the plan");
        b->list = larger;
        b->room = room;
    }
    b->list[b->count++] = *bucket;
    return AKIN_OK;
}

/*
 * Where to cut a range of several size classes: at the size that is as many times the smallest as the largest is times
 * it. Which technique suits a set depends on its size by factors, so the sets on both sides of this cut differ most.
 */
static uint32_t place_by_size(void *user, const akin_piece_range *range)
{
    (void)user;
    const akin_ranked *side = akin_piece_ranked(range);
    const uint64_t least = akin_ranked_size(side, range->first), most = akin_ranked_size(side, range->end - 1);
    uint32_t c = akin_ranked_class(side, least) + 1, last = akin_ranked_class(side, most);
    if (c > last)
        return 0;
    while (c < last && (uint64_t)side->class_size[c] * side->class_size[c] < least * most)
        c++;
    return side->class_first[c];
}

/* ---------------------------------------------------------------------------------------------------------- planning
 */

/* Plans a bucket; it stays without a technique if no two of its sets can match. */
static akin_status plan_bucket(buckets *b, const akin_sample *whole, bucket *bucket, akin_error *error)
{
    bucket->part = akin_join_part_begin();
    if (!akin_piece_trim(&b->job->threshold, &bucket->piece))
        return AKIN_OK;
    enter_bucket(b, bucket);
    return akin_join_part_plan(b->job, b->options, whole, &bucket->part, &bucket->sample, error);
}

/* What a bucket takes whatever is in it. */
static double least_bucket_seconds(const bucket *bucket)
{
    return SECONDS_A_PIECE + SECONDS_A_TOKEN * (double)akin_piece_ranked(&bucket->piece.probes)->universe;
}

/* What a planned bucket is predicted to take. */
static double bucket_seconds(const bucket *bucket)
{
    return bucket->part.done.technique == AKIN_AUTO
               ? 0
               : bucket->part.done.predicted_seconds + least_bucket_seconds(bucket);
}

/* Whether planning three pieces would cost little beside what the bucket takes. */
static int bucket_is_long(const bucket *bucket)
{
    double seconds = bucket->part.done.predicted_seconds;
    return seconds > SECONDS_LEAST && seconds > PLANS * least_bucket_seconds(bucket);
}

/* Appends a planned bucket, or its parts if these are cheaper. *seconds becomes the predicted time. */
static akin_status cut_or_keep(buckets *b, const bucket *whole, uint32_t cuts, double *seconds, akin_error *error)
{
    const akin_scope *scope = b->job->scope;
    int may = b->options->technique == AKIN_AUTO && !b->options->bits && bucket_is_long(whole);
    uint32_t before = b->count, count = 0;
    double sum = 0;
    akin_piece pieces[3];
    bucket cut[3];
    akin_status status = AKIN_OK;
    *seconds = bucket_seconds(whole);
    if ((may || akin_wishes_of(scope)->cut_all) && cuts < CUTS_MOST)
        count = akin_piece_cut(&whole->piece, akin_piece_range_weight, place_by_size, NULL, pieces);
    for (uint32_t k = 0; k < count && status == AKIN_OK; k++) {
        cut[k] = (bucket){.piece = pieces[k]};
        status = plan_bucket(b, &whole->sample, &cut[k], error);
        sum += bucket_seconds(&cut[k]);
    }
    if (count == 0 || (!akin_wishes_of(scope)->cut_all && sum > PROMISING * *seconds))
        return status == AKIN_OK ? append_bucket(b, whole, error) : status;
    sum = 0;
    for (uint32_t k = 0; k < count && status == AKIN_OK; k++) {
        double own = 0;
        if (cut[k].part.done.technique != AKIN_AUTO)
            status = cut_or_keep(b, &cut[k], cuts + 1, &own, error);
        sum += own;
    }
    if (status != AKIN_OK)
        return status;
    if (!akin_wishes_of(scope)->cut_all && sum > CHEAPER * *seconds) {
        b->count = before;
        return append_bucket(b, whole, error);
    }
    *seconds = sum;
    return AKIN_OK;
}

static akin_status join_buckets(buckets *b, uint64_t compatible, akin_join_report *report, akin_error *error)
{
    akin_join_job *job = b->job;
    akin_join_progress progress;
    akin_status status = AKIN_OK;
    akin_join_progress_begin(&progress, job->scope, compatible);
    job->scope = &progress.inner;
    for (uint32_t k = 0; k < b->count && status == AKIN_OK; k++) {
        akin_join_part *part = &b->list[k].part;
        part->summary.seconds_plan = part->summary.seconds_join = 0; /* all planning is counted at once */
        progress.now = part->summary.pairs_compatible;
        enter_bucket(b, &b->list[k]);
        status = akin_join_part_run(job, part, error);
        if (status == AKIN_OK)
            status = akin_join_report_add(report, part, error);
        progress.done += progress.now;
    }
    job->scope = progress.outer;
    return status;
}

/* Fills in the part of the report that describes the whole join. The buckets add their pairs to it. */
static void describe_whole(const bucket *whole, double seconds_plan, akin_join_report *report)
{
    double prepare = report->all.summary.seconds_prepare;
    report->all = whole->part;
    report->all.summary.pairs_compatible = 0;
    report->all.summary.seconds_prepare = prepare;
    report->all.summary.seconds_plan = report->all.summary.seconds_join = seconds_plan;
}

akin_status akin_join_in_buckets(akin_join_job *job, const akin_join_options *options, akin_join_report *report,
                                 akin_error *error)
{
    const akin_ranked *left = job->probes, *right = job->indexed;
    buckets b = {.job = job, .options = options};
    bucket whole = {.piece = akin_piece_whole(job), .part = akin_join_part_begin()};
    double start = akin_clock(), seconds;
    akin_status status = akin_piece_view_make(job, &b.sides, error);
    if (status == AKIN_OK)
        status = akin_join_part_plan(job, options, NULL, &whole.part, &whole.sample, error);
    if (status == AKIN_OK && whole.part.done.technique != AKIN_AUTO)
        status = cut_or_keep(&b, &whole, 0, &seconds, error);
    if (status == AKIN_OK) {
        describe_whole(&whole, akin_clock() - start, report);
        status = join_buckets(&b, whole.part.summary.pairs_compatible, report, error);
    }
    job->probes = left;
    job->indexed = right;
    job->self = whole.piece.is_self;
    akin_free(b.list);
    akin_piece_view_clear(&b.sides);
    return status;
}
