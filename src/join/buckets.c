/*
 * The join bucket by bucket. Sets are sorted by size, and what serves small ones (an index, narrow signatures) need not
 * serve large ones. So a join whose plan promises to take long is cut by size, as parts.c cuts for memory, the pieces
 * are planned on their own, and they are kept if all of them together are predicted to be cheaper:
 *
 *     self [a, c)  =  self [a, b)  +  self [b, c)  +  [b, c) with [a, b)
 *
 * and so on with each piece. A piece is a view of the ranked collection: nothing is gathered or ranked again.
 */
#include "base/clock.h"
#include "base/context.h"
#include "join/part.h"
#include "join/progress.h"

#define SECONDS_LEAST 0.1 /* what is predicted to be shorter is not cut: planning pieces takes milliseconds */
#define PLANS         30 /* nor what is shorter than that many times the least that a piece takes: plans cost as much */
#define CHEAPER       0.9  /* pieces are kept if they are predicted to take less than this share of the whole */
#define PROMISING     0.97 /* and are cut further, to find out, if they take less than this */
#define CUTS_MOST     4    /* of a piece of a piece of ... */

/* What a piece takes whatever is in it: tables of the universe, threads to be started. */
#define SECONDS_A_PIECE 2e-4
#define SECONDS_A_TOKEN 4e-9

/* Size classes [first, end) of a side. */
typedef struct range {
    const akin_ranked *side;
    uint32_t first, end;
} range;

/* A range to be joined with itself (indexed is the same then), or with another one. */
typedef struct piece {
    range probes, indexed;
    int self;
    akin_join_part part;
    akin_sample sample;
} piece;

typedef struct buckets {
    akin_join_job *job;
    const akin_join_options *options;
    piece *pieces;
    uint32_t count, room;
    akin_ranked views[2]; /* of the piece that the job is set to */
    uint32_t *class_first[2];
} buckets;

/* Sets the job to a piece. */
static void enter(buckets *b, const piece *piece)
{
    const range *p = &piece->probes, *i = &piece->indexed;
    b->views[0] = akin_ranked_some(p->side, p->first, p->end, b->class_first[0]);
    if (!piece->self)
        b->views[1] = akin_ranked_some(i->side, i->first, i->end, b->class_first[1]);
    b->job->self = piece->self;
    b->job->probes = &b->views[0];
    b->job->indexed = &b->views[piece->self ? 0 : 1];
}

static akin_status append(buckets *b, const piece *piece, akin_error *error)
{
    if (b->count == b->room) {
        uint32_t room = 2 * b->room + 4;
        struct piece *larger = akin_resize(b->job->account, b->pieces, room, sizeof *larger);
        if (!larger)
            return akin_fail_memory(error, "the plan");
        b->pieces = larger;
        b->room = room;
    }
    b->pieces[b->count++] = *piece;
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- cutting
 */

static uint64_t tokens_before(const range *r, uint32_t class)
{
    return r->side->offsets[r->side->class_first[class]] - r->side->offsets[r->side->class_first[r->first]];
}

/* Where to cut a range of several classes: at the size that is as many times the smallest as the largest is times it.
 * What suits a set depends on its size by factors, so a cut there tells apart what is most unlike. */
static uint32_t middle_of(const range *r)
{
    const uint32_t *size = r->side->class_size;
    uint64_t product = (uint64_t)size[r->first] * size[r->end - 1];
    uint32_t c = r->first + 1;
    while (c + 1 < r->end && (uint64_t)size[c] * size[c] < product)
        c++;
    return c;
}

/* Of a range, the classes whose sizes those of the other one permit. */
static void trim(const akin_threshold *threshold, range *r, const range *other)
{
    const uint32_t *sizes = other->side->class_size;
    uint64_t least, most;
    if (r->first >= r->end || other->first >= other->end)
        return;
    akin_threshold_partners(threshold, sizes[other->first], sizes[other->end - 1], &least, &most);
    uint32_t first = akin_ranked_class(r->side, least), end = akin_ranked_class(r->side, most + 1);
    r->first = first > r->first ? first : r->first;
    r->end = end < r->end ? end : r->end;
}

/* Cuts a piece into the two or three that make it up; 0 if it has nowhere to be cut. */
static uint32_t cut(const piece *whole, piece out[3])
{
    const range *p = &whole->probes, *i = &whole->indexed;
    int probes = tokens_before(p, p->end) >= tokens_before(i, i->end);
    probes = i->end - i->first == 1 || (probes && p->end - p->first > 1);
    const range *r = probes ? p : i;
    if (r->end - r->first < 2)
        return 0;
    range low = {r->side, r->first, middle_of(r)}, high = {r->side, low.end, r->end};
    if (whole->self) {
        out[0] = (piece){.probes = low, .indexed = low, .self = 1};
        out[1] = (piece){.probes = high, .indexed = high, .self = 1};
        out[2] = (piece){.probes = high, .indexed = low};
        return 3;
    }
    out[0] = (piece){.probes = probes ? low : *p, .indexed = probes ? *i : low};
    out[1] = (piece){.probes = probes ? high : *p, .indexed = probes ? *i : high};
    return 2;
}

/* ---------------------------------------------------------------------------------------------------------- planning
 */

/* Plans a piece; it stays without a technique if no two of its sets can match. */
static akin_status plan(buckets *b, const akin_sample *whole, piece *piece, akin_error *error)
{
    const akin_threshold *threshold = &b->job->threshold;
    piece->part = akin_join_part_begin();
    trim(threshold, &piece->indexed, &piece->probes);
    const akin_threshold turned = akin_threshold_turn(threshold);
    trim(&turned, &piece->probes, &piece->indexed);
    if (piece->probes.first >= piece->probes.end || piece->indexed.first >= piece->indexed.end)
        return AKIN_OK;
    enter(b, piece);
    return akin_join_part_plan(b->job, b->options, whole, &piece->part, &piece->sample, error);
}

/* What a piece takes whatever is in it. */
static double least_seconds(const piece *piece)
{
    return SECONDS_A_PIECE + SECONDS_A_TOKEN * (double)piece->probes.side->universe;
}

/* What a planned piece is predicted to take. */
static double seconds_of(const piece *piece)
{
    return piece->part.done.technique == AKIN_AUTO ? 0 : piece->part.done.predicted_seconds + least_seconds(piece);
}

/* Whether planning three pieces would cost little beside what the piece takes. */
static int is_long(const piece *piece)
{
    double seconds = piece->part.done.predicted_seconds;
    return seconds > SECONDS_LEAST && seconds > PLANS * least_seconds(piece);
}

/* Appends a planned piece, or what it can be cut into if that is cheaper. *seconds: what is then predicted. */
static akin_status cut_or_keep(buckets *b, const piece *whole, uint32_t cuts, double *seconds, akin_error *error)
{
    const akin_scope *scope = b->job->scope;
    int may = b->options->technique == AKIN_AUTO && !b->options->bits && is_long(whole);
    uint32_t before = b->count, count = 0;
    double sum = 0;
    piece pieces[3];
    akin_status status = AKIN_OK;
    *seconds = seconds_of(whole);
    if ((may || akin_wishes_of(scope)->cut_all) && cuts < CUTS_MOST)
        count = cut(whole, pieces);
    for (uint32_t k = 0; k < count && status == AKIN_OK; k++) {
        status = plan(b, &whole->sample, &pieces[k], error);
        sum += seconds_of(&pieces[k]);
    }
    if (count == 0 || (!akin_wishes_of(scope)->cut_all && sum > PROMISING * *seconds))
        return status == AKIN_OK ? append(b, whole, error) : status;
    sum = 0;
    for (uint32_t k = 0; k < count && status == AKIN_OK; k++) {
        double own = 0;
        if (pieces[k].part.done.technique != AKIN_AUTO)
            status = cut_or_keep(b, &pieces[k], cuts + 1, &own, error);
        sum += own;
    }
    if (status != AKIN_OK)
        return status;
    if (!akin_wishes_of(scope)->cut_all && sum > CHEAPER * *seconds) {
        b->count = before;
        return append(b, whole, error);
    }
    *seconds = sum;
    return AKIN_OK;
}

static akin_status join_pieces(buckets *b, uint64_t compatible, akin_join_report *report, akin_error *error)
{
    akin_join_job *job = b->job;
    akin_join_progress progress;
    akin_status status = AKIN_OK;
    akin_join_progress_begin(&progress, job->scope, compatible);
    job->scope = &progress.inner;
    for (uint32_t k = 0; k < b->count && status == AKIN_OK; k++) {
        akin_join_part *part = &b->pieces[k].part;
        part->summary.seconds_plan = part->summary.seconds_join = 0; /* all planning is counted at once */
        progress.now = part->summary.pairs_compatible;
        enter(b, &b->pieces[k]);
        status = akin_join_part_run(job, part, error);
        if (status == AKIN_OK)
            status = akin_join_report_add(report, part, error);
        progress.done += progress.now;
    }
    job->scope = progress.outer;
    return status;
}

/* What is told of the join as a whole; its pieces add the pairs. */
static void describe_whole(const piece *whole, double seconds_plan, akin_join_report *report)
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
    akin_account *account = job->account;
    buckets b = {.job = job, .options = options};
    piece whole = {.probes = {left, 0, left->classes},
                   .indexed = {right, 0, right->classes},
                   .self = job->self,
                   .part = akin_join_part_begin()};
    double start = akin_clock(), seconds;
    akin_status status = akin_join_part_plan(job, options, NULL, &whole.part, &whole.sample, error);
    b.class_first[0] = akin_alloc(account, (uint64_t)left->classes + 1, sizeof(uint32_t));
    b.class_first[1] = akin_alloc(account, (uint64_t)right->classes + 1, sizeof(uint32_t));
    if (status == AKIN_OK && !(b.class_first[0] && b.class_first[1]))
        status = akin_fail_memory(error, "the plan");
    if (status == AKIN_OK && whole.part.done.technique != AKIN_AUTO)
        status = cut_or_keep(&b, &whole, 0, &seconds, error);
    if (status == AKIN_OK) {
        describe_whole(&whole, akin_clock() - start, report);
        status = join_pieces(&b, whole.part.summary.pairs_compatible, report, error);
    }
    job->probes = left;
    job->indexed = right;
    job->self = whole.self;
    akin_free(b.pieces);
    akin_free(b.class_first[0]);
    akin_free(b.class_first[1]);
    return status;
}
