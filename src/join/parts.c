/*
 * The join under a memory bound. If the counts of the tokens fit the bound, all sets are ranked once, into arrays that
 * may be in temporary files (sets/ranked_store.h), and a part is a view of two ranges of them. What a technique takes
 * beside the sets is known before it runs (join/room.h). A join that no technique has room for is cut into pieces
 * (join/pieces.h), each of which is planned on its own. The screened join takes little memory for each set, so it is
 * rarely cut.
 *
 * Where the counts do not fit, or a named technique has tables of all tokens, the sets of a small piece are gathered
 * into collections, which are ranked anew and joined like any other. Their ranks differ from part to part; the pairs do
 * not. What either kind of part takes is predicted (join/part_room.h).
 *
 * The account has a limit. Where a prediction was too low, an allocation fails before any pair is found, the part is
 * cut, and the predictions that follow are higher.
 */
#include "join/parts.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/context.h"
#include "join/delivery.h"
#include "join/part.h"
#include "join/part_bound.h"
#include "join/part_room.h"
#include "join/progress.h"
#include "join/ranked_pieces.h"
#include "join/step.h"
#include "sets/gather.h"

/* What parts were predicted to take is multiplied by this. A refusal makes it larger; each part that fits makes it a
 * little smaller again. */
#define SCALE_UP   1.5
#define SCALE_DOWN 0.9

typedef struct parts {
    akin_join_job *job;
    const akin_join_options *options;
    akin_join_report *report;
    akin_part_sides sides;
    double view_scale, anew_scale;
    double needed; /* by the piece that is to be cut, for each unit of its weight */
    akin_piece_view view;
    akin_join_progress progress;
} parts;

/* ---------------------------------------------------------------------------------------------------------- one part
 */

/* Copies the sets of a range into a collection, whose row i is the one at place first + i. */
static akin_status gather_range(const parts *p, const akin_piece_range *r, akin_sets *out, akin_error *error)
{
    return akin_sets_gather(p->job->scope, p->job->account, akin_part_sides_sets(&p->sides, r),
                            akin_piece_ranked(r)->row + r->first, akin_piece_rows(r), out, error);
}

/* The ranked sets' numbers among those gathered become those of the collection. */
static void number_rows(const akin_piece_range *r, akin_ranked *ranked)
{
    for (uint32_t i = 0; i < ranked->count; i++)
        ranked->row[i] = akin_piece_ranked(r)->row[r->first + ranked->row[i]];
}

/* Gathers and ranks the sets of a piece. */
static akin_status rank_piece(const parts *p, const akin_piece *piece, akin_ranked ranked[2], akin_error *error)
{
    const akin_join_job *job = p->job;
    akin_sets sets[2] = {0};
    akin_status status = gather_range(p, &piece->probes, &sets[0], error);
    if (status == AKIN_OK && !piece->is_self)
        status = gather_range(p, &piece->indexed, &sets[1], error);
    if (status == AKIN_OK)
        status = akin_rank_sets(job->scope, job->account, &sets[0], piece->is_self ? NULL : &sets[1], &ranked[0],
                                &ranked[1], error);
    akin_gathered_clear(&sets[0]);
    akin_gathered_clear(&sets[1]);
    if (status == AKIN_OK)
        number_rows(&piece->probes, &ranked[0]);
    if (status == AKIN_OK && !piece->is_self)
        number_rows(&piece->indexed, &ranked[1]);
    return status;
}

/* Plans and joins the sides that are set in the job. */
static akin_status join_sides(parts *p, akin_join_part *part, akin_error *error)
{
    akin_join_job *job = p->job;
    p->progress.now = 0;
    for (uint32_t c = 0; c < job->probes->classes; c++)
        p->progress.now += akin_join_class_pairs(job, c);
    if (p->progress.now)
        job->times = (double)p->progress.total / (double)p->progress.now;
    job->room = (double)akin_budget_left(job->account, 0, AKIN_LEFT_ALL);
    akin_status status = akin_join_part_plan(job, p->options, NULL, part, NULL, error);
    if (status == AKIN_OK)
        status = akin_join_part_run(job, part, error);
    p->progress.done += status == AKIN_OK ? p->progress.now : 0;
    p->progress.now = 0;
    return status == AKIN_OK ? akin_join_report_add(p->report, part, error) : status;
}

/* Joins a piece of the ranked sides. */
static akin_status join_view(parts *p, const akin_piece *piece, akin_error *error)
{
    akin_join_part part = akin_join_part_begin();
    akin_piece_view_enter(&p->view, piece, p->job);
    return join_sides(p, &part, error);
}

/* Joins a piece whose sets are ranked anew. */
static akin_status join_anew(parts *p, const akin_piece *piece, akin_error *error)
{
    akin_join_job *job = p->job;
    akin_ranked ranked[2] = {0};
    akin_join_part part = akin_join_part_begin();
    double start = akin_clock();
    akin_status status = rank_piece(p, piece, ranked, error);
    part.summary.seconds_prepare = akin_clock() - start;
    job->self = piece->is_self;
    job->probes = &ranked[0];
    job->indexed = &ranked[piece->is_self ? 0 : 1];
    if (status == AKIN_OK)
        status = join_sides(p, &part, error);
    akin_ranked_clear(&ranked[0]);
    akin_ranked_clear(&ranked[1]);
    return status;
}

/* The bytes that a piece takes as a view of the ranked sides. */
static double predict_view_bytes(parts *p, const akin_piece *piece)
{
    akin_join_job *job = p->job;
    akin_piece_view_enter(&p->view, piece, job);
    job->room = (double)akin_budget_left(job->account, 0, AKIN_LEFT_ALL);
    return p->view_scale * akin_part_joined_bytes(job, p->options);
}

/* The bytes that it takes ranked anew. Its universe is not known: it has no more tokens than are there. */
static double predict_anew_bytes(parts *p, const akin_piece *piece)
{
    akin_join_job *job = p->job;
    akin_piece_view_enter(&p->view, piece, job);
    for (int s = 0; s < 2; s++) {
        p->view.sides[s].universe = akin_min_u64(p->sides.universe, akin_piece_tokens(piece));
        p->view.sides[s].once = 0;
    }
    job->room = (double)akin_budget_left(job->account, 0, AKIN_LEFT_ALL);
    return p->anew_scale * akin_part_anew_bytes(job, p->options, p->sides.bound);
}

typedef akin_status join_piece(parts *p, const akin_piece *piece, akin_error *error);

/* Joins a piece; *refused: it failed for the limit of the account, and has left nothing. */
static akin_status try_piece(parts *p, join_piece *join, const akin_piece *piece, double *scale, int *refused,
                             akin_error *error)
{
    const uint64_t refusals = p->job->account->refused;
    akin_status status = join(p, piece, error);
    *refused = akin_account_is_short(p->job->account, status, refusals) && akin_join_found(p->job) == 0;
    if (*refused)
        *scale *= SCALE_UP;
    else if (*scale > 1)
        *scale = *scale * SCALE_DOWN > 1 ? *scale * SCALE_DOWN : 1;
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- cutting
 */

/* The tokens of two sets as large as the largest. */
static uint64_t two_largest(const akin_sets *left, const akin_sets *right)
{
    uint64_t largest = 0;
    for (int s = 0; s < 2; s++) {
        const akin_sets *sets = s ? right : left;
        for (uint32_t row = 0; sets && row < sets->rows; row++)
            largest = akin_max_u64(largest, sets->offsets[row + 1] - sets->offsets[row]);
    }
    return 2 * largest;
}

/* Where to cut a range that is to become as many parts of equal weight as are small enough two by two: after half of
 * these, rounded down. */
static uint32_t place_of_part(void *user, const akin_piece_range *r)
{
    const parts *p = user;
    const double room = (double)akin_budget_left(p->job->account, 0, AKIN_LEFT_ALL);
    const double all = p->needed * (double)akin_piece_range_weight(r);
    uint64_t count = 2;
    if (!akin_wishes_of(p->job->scope)->part_tokens && all > room)
        count = room > 0 ? (uint64_t)(2 * all / room) + 1 : 2;
    const uint64_t half = count / 2;
    return akin_piece_place_of(r, (double)half, (double)count);
}

static int trim_set_piece(void *user, akin_piece *piece)
{
    const parts *p = user;
    return akin_piece_trim(&p->job->threshold, piece);
}

/* Whether a piece of more than two sets is joined as it is. */
static int piece_fits(parts *p, const akin_piece *piece, double bytes)
{
    const uint64_t wish = akin_wishes_of(p->job->scope)->part_tokens;
    if (akin_piece_is_single(piece))
        return 1;
    return wish ? akin_piece_tokens(piece) <= wish
                : bytes <= (double)akin_budget_left(p->job->account, 0, AKIN_LEFT_ALL);
}

static double weight_of_piece(const akin_piece *piece)
{
    return (double)akin_piece_range_weight(&piece->probes) +
           (piece->is_self ? 0 : (double)akin_piece_range_weight(&piece->indexed));
}

/* Takes a piece as a view of what is ranked, if there is room for that, or else ranks it anew. */
static akin_status take_set_piece(void *user, const akin_piece *piece, int *taken, akin_error *error)
{
    parts *p = user;
    akin_error own = {.code = AKIN_OK};
    const double anew = predict_anew_bytes(p, piece), view = p->sides.are_ranked ? predict_view_bytes(p, piece) : anew;
    akin_status status = AKIN_OK;
    int tried = 0, refused = 0;
    p->needed = (anew < view ? anew : view) / weight_of_piece(piece);
    if (p->sides.are_ranked && piece_fits(p, piece, view)) {
        tried = 1;
        status = try_piece(p, join_view, piece, &p->view_scale, &refused, &own);
    }
    if ((!tried || refused) && piece_fits(p, piece, anew)) {
        tried = 1;
        status = try_piece(p, join_anew, piece, &p->anew_scale, &refused, &own);
    }
    if (refused && akin_piece_is_single(piece))
        return akin_part_bound_fail(p->job, p->options, &p->sides, akin_piece_tokens(piece), error);
    *taken = tried && !refused;
    return refused || status == AKIN_OK ? AKIN_OK : akin_fail_again(error, status, &own);
}

/* -------------------------------------------------------------------------------------------------------- the whole
 */

static akin_status prepare_parts(parts *p, const akin_sets *left, const akin_sets *right, akin_error *error)
{
    akin_join_job *job = p->job;
    akin_join_summary *summary = &p->report->all.summary;
    double start = akin_clock();
    akin_status status = akin_part_sides_make(job, left, right, p->options, &p->sides, error);
    if (status != AKIN_OK)
        return status;
    summary->universe = p->sides.universe;
    summary->tokens_left = left->offsets[left->rows];
    summary->tokens_right = right ? right->offsets[right->rows] : 0;
    akin_join_part_describe(job, summary);
    akin_join_progress_begin(&p->progress, job->scope, summary->pairs_compatible);
    summary->pairs_compatible = 0; /* the parts add it up */
    summary->seconds_prepare = akin_clock() - start;
    status = akin_piece_view_make(job, &p->view, error);
    return status == AKIN_OK ? akin_join_need_make(job, error) : status;
}

static akin_status join_and_deliver(parts *p, akin_pair_sink sink, void *sink_user, akin_error *error)
{
    akin_join_job *job = p->job;
    const akin_piece whole = akin_part_sides_whole(&p->sides);
    const akin_piece_policy policy = {akin_piece_range_weight, place_of_part, trim_set_piece, take_set_piece, p};
    akin_status status =
        akin_join_delivery_begin(job, p->progress.outer, p->options->any_order, sink, sink_user, error);
    job->scope = &p->progress.inner;
    if (status == AKIN_OK)
        status = akin_pieces_walk(&policy, whole, error);
    job->scope = p->progress.outer;
    double joined = akin_clock();
    if (status == AKIN_OK)
        status = akin_delivery_finish(job->delivery, p->sides.side[0].sets->rows, error);
    p->report->all.summary.seconds_deliver = akin_clock() - joined;
    return status;
}

akin_status akin_join_in_parts(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                               const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                               akin_join_report *report, akin_error *error)
{
    parts p = {.job = job, .options = options, .report = report, .view_scale = 1, .anew_scale = 1};
    uint64_t refusals = job->account->refused;
    akin_status status = prepare_parts(&p, left, right, error);
    if (akin_account_is_short(job->account, status, refusals))
        status = akin_part_bound_fail(job, options, &p.sides, two_largest(left, right), error);
    if (status == AKIN_OK)
        status = join_and_deliver(&p, sink, sink_user, error);
    job->probes = job->indexed = NULL;
    akin_piece_view_clear(&p.view);
    akin_part_sides_clear(&p.sides);
    return status;
}
