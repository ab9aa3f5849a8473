/*
 * The join under a memory bound. If the counts of the tokens fit the bound, all sets are ranked once, into arrays that
 * may be in temporary files (sets/ranked_store.h), and a part is a view of two ranges of them. What a technique takes
 * beside the sets is known before it runs (join/room.h). A join that no technique has room for is cut into pieces
 * (join/pieces.h), each of which is planned on its own. The screened join takes little memory for each set, so it is
 * rarely cut.
 *
 * Where the counts do not fit, or a named technique has tables of all tokens, the sets of a small piece are gathered
 * into collections, which are ranked anew and joined like any other. Their ranks differ from part to part; the pairs do
 * not. The memory of such a part is predicted from its tokens and rows, and from the memory of the part before.
 *
 * The account has a limit. Where a prediction was too low, an allocation fails before any pair is found, and the part
 * is cut.
 */
#include "join/parts.h"

#include "base/annex.h"
#include "base/bits.h"
#include "base/context.h"
#include "base/budget.h"
#include "base/bulk.h"
#include "base/clock.h"
#include "join/delivery.h"
#include "join/part.h"
#include "join/ranked_pieces.h"
#include "join/progress.h"
#include "join/room.h"
#include "join/step.h"
#include "join/technique_rows.h"
#include "sets/bounded_ranking.h"
#include "sets/ranked_store.h"
#include "sets/sets.h"
#include "signature/parity.h"

#include <string.h>

#define MIB    1048576.0
#define REPORT (1u << 20) /* tokens, or words, between two questions whether to stop */

/* One side of the join: its sets by size, ranked if there is room for that. */
typedef struct side {
    const akin_sets *sets;
    akin_ranked_store store;
    uint64_t *before; /* by class, and at the end: the tokens of the sets in smaller classes */
} side;

typedef struct parts {
    akin_join_job *job;
    const akin_join_options *options;
    akin_join_report *report;
    side sides[2];  /* the second one is empty in a self-join */
    int ranked;     /* the sides are, and parts are views of them */
    uint64_t bound; /* the largest token of both + 1 */
    double scale;   /* what the last part that was ranked anew took of what the formula says */
    double needed;  /* by the piece that is to be cut, for each unit of its weight */
    akin_piece_view view;
    akin_join_progress progress;
} parts;

/* -------------------------------------------------------------------------------------------------------------- sides
 */

static void clear_part_side(side *side)
{
    akin_ranked_store_clear(&side->store);
    akin_free(side->before);
    *side = (struct side){.sets = NULL};
}

static akin_status make_part_side(const akin_join_job *job, const akin_sets *sets, side *out, akin_error *error)
{
    const akin_ranked *classes = &out->store.ranked;
    out->sets = sets;
    akin_status status = akin_ranked_store_begin(job->scope, job->account, sets, &out->store, error);
    if (status != AKIN_OK)
        return status;
    out->before = akin_alloc(job->account, (uint64_t)classes->classes + 1, sizeof *out->before);
    if (!out->before)
        return akin_fail_memory(error, "the sizes of the sets");
    out->before[0] = 0;
    for (uint32_t c = 0; c < classes->classes; c++)
        out->before[c + 1] =
            out->before[c] + (uint64_t)(classes->class_first[c + 1] - classes->class_first[c]) * classes->class_size[c];
    return AKIN_OK;
}

/* All sets of a side. */
static akin_piece_range range_of(const side *side)
{
    return (akin_piece_range){&side->store.ranked, side->before, 0, side->store.ranked.count};
}

/* The collection that a range is of. */
static const akin_sets *sets_of(const parts *p, const akin_piece_range *r)
{
    return p->sides[r->side == &p->sides[1].store.ranked].sets;
}

/* Marks the tokens of a side in a bitmap. */
static akin_status mark_side_tokens(const akin_scope *scope, const akin_sets *sets, uint64_t *bits)
{
    uint64_t total = sets->offsets[sets->rows];
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < total && status == AKIN_OK; i++) {
        uint32_t token = sets->tokens[i];
        bits[token >> 6] |= UINT64_C(1) << (token & 63);
        if (i % REPORT == 0)
            status = akin_scope_report(scope, "counting", i, total);
    }
    return status;
}

/* Counts the distinct tokens of both sides in a bitmap, which need not be in memory. */
static akin_status count_in_bitmap(const parts *p, uint64_t *universe, akin_error *error)
{
    static const char what[] = "counting the tokens";
    const akin_scope *scope = p->job->scope;
    akin_bulk seen = akin_bulk_of(scope, p->job->account, akin_budget(scope, AKIN_BUDGET_PART_TOKENS));
    uint64_t words = akin_ceil_div(p->bound, 64);
    akin_status status = akin_bulk_reserve(&seen, words * sizeof(uint64_t), what, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *bits = seen.data;
    if (!seen.mapped)
        memset(bits, 0, words * sizeof *bits);
    for (int s = 0; s < 2 && p->sides[s].sets && status == AKIN_OK; s++)
        status = mark_side_tokens(scope, p->sides[s].sets, bits);
    *universe = 0;
    for (uint64_t w = 0; w < words && status == AKIN_OK; w++) {
        *universe += akin_popcount64(bits[w]);
        if (w % REPORT == 0)
            status = akin_scope_report(scope, NULL, 0, 0);
    }
    akin_bulk_clear(&seen);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* ---------------------------------------------------------------------------------------------------------- one part
 */

/* Copies the sets of a range into a collection, whose row i is the one at place first + i. */
static akin_status gather_sets(const parts *p, const akin_piece_range *r, akin_sets *out, akin_error *error)
{
    const akin_sets *sets = sets_of(p, r);
    const uint32_t *rows = akin_piece_ranked(r)->row + r->first;
    uint32_t count = akin_piece_rows(r);
    uint64_t *offsets = akin_alloc(p->job->account, (uint64_t)count + 1, sizeof *offsets);
    uint32_t *tokens = akin_alloc(p->job->account, akin_piece_range_tokens(r), sizeof *tokens);
    *out = (akin_sets){.rows = count, .offsets = offsets, .tokens = tokens};
    if (!offsets || !tokens)
        return akin_fail_memory(error, "a part of the sets");
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t from = sets->offsets[rows[i]], size = sets->offsets[rows[i] + 1] - from;
        memcpy(tokens + offsets[i], sets->tokens + from, size * sizeof *tokens);
        offsets[i + 1] = offsets[i] + size;
    }
    return AKIN_OK;
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
    akin_status status = gather_sets(p, &piece->probes, &sets[0], error);
    if (status == AKIN_OK && !piece->is_self)
        status = gather_sets(p, &piece->indexed, &sets[1], error);
    if (status == AKIN_OK)
        status = akin_rank_sets(job->scope, job->account, &sets[0], piece->is_self ? NULL : &sets[1], &ranked[0],
                                &ranked[1], error);
    for (int s = 0; s < 2; s++) {
        akin_free((void *)sets[s].offsets);
        akin_free((void *)sets[s].tokens);
    }
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

/*
 * About how many bytes a part that is ranked anew takes at most, of `tokens` tokens and `rows` rows on both sides, when
 * it is ranked and when it is joined; see sets/ranking.h and sets/ranked.c for the former.
 */
static double predict_part_bytes(const parts *p, double tokens, double rows)
{
    const akin_join_job *job = p->job;
    double bound = (double)p->bound, universe = bound < tokens ? bound : tokens, threads = job->threads;
    int dense = bound <= 4 * tokens + 65536;
    double table = dense ? 4 * bound + (threads > 1 ? 4 * tokens : 0) : AKIN_RANKING_BYTES * universe + MIB;
    double order = 20 * universe, sort = 4 * universe + 6 * tokens + 40 * rows;
    double ranked = 4 * tokens + 8 * rows + table + (order > sort ? order : sort);
    double joined = 12 * tokens + (16 + 9 * threads) * universe + (48 + 8 * threads + 0.375 * p->options->bits) * rows;
    return p->scale * (ranked > joined ? ranked : joined);
}

static double predict_piece_bytes(const parts *p, const akin_piece *piece)
{
    return predict_part_bytes(p, (double)akin_piece_tokens(piece), (double)akin_piece_sets(piece));
}

/* The bytes that a view of a piece takes by the technique that was named, or by the one that takes the least. */
static double predict_view_bytes(parts *p, const akin_piece *piece)
{
    akin_join_job *job = p->job;
    const akin_technique asked = p->options->technique;
    const uint32_t bits = p->options->bits ? p->options->bits : AKIN_PARITY_BITS_LEAST;
    const akin_technique named = asked == AKIN_AUTO && job->place != AKIN_JOIN_ON_GPU ? AKIN_SCREENED : asked;
    const akin_technique_row *row = akin_technique_of(akin_annex_of(job->scope), named);
    const akin_join_step step = akin_join_step_of(named, bits, bits);
    if (!row || !row->bytes_on_cpu)
        return predict_piece_bytes(p, piece);
    akin_piece_view_enter(&p->view, piece, job);
    job->room = (double)akin_budget_left(job->account, 0, AKIN_LEFT_ALL);
    return row->bytes_on_cpu(job, &step);
}

typedef akin_status join_piece(parts *p, const akin_piece *piece, akin_error *error);

/* Joins a piece; *refused: it failed for the limit of the account, and has left nothing. */
static akin_status try_piece(parts *p, join_piece *join, const akin_piece *piece, int *refused, akin_error *error)
{
    akin_account *account = p->job->account;
    uint64_t held = account->held, peak = account->peak, refusals = account->refused;
    account->peak = held;
    akin_status status = join(p, piece, error);
    if (status == AKIN_OK && join == join_anew)
        p->scale *= 1.1 * (double)(account->peak - held) / predict_piece_bytes(p, piece);
    *refused = status == AKIN_E_NOMEM && account->refused != refusals && akin_join_found(p->job) == 0;
    account->peak = akin_max_u64(peak, account->peak);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- cutting
 */

/* The distinct tokens of two sets of `tokens` tokens together, at most. */
static double universe_of_two(const parts *p, double tokens)
{
    const double counted = (double)p->report->all.summary.universe;
    return counted > 0 && counted < tokens ? counted : tokens;
}

/* The bound under which two sets of `tokens` tokens together are ranked anew, which takes more than joining them; see
 * sets/ranking.h. */
static double bound_for_anew(const parts *p, double tokens)
{
    double universe = universe_of_two(p, tokens), bound = p->bound ? (double)p->bound : UINT32_MAX;
    double slots = AKIN_RANKING_PARTS;
    while (slots < 2.04 * universe) /* each part has twice its share, rounded up */
        slots *= 2;
    double table = bound <= 4 * tokens + 65536 ? 4 * bound + 4 * tokens : sizeof(akin_ranking_slot) * slots;
    /* beside it are the table of thresholds and the like */
    return akin_budget_beside_part(1.1 * (4 * tokens + table + 20 * universe) + 2 * MIB, AKIN_JOB_PAIRS);
}

/* The bound under which all sets are ranked, one by one at least, and two of them are joined as a view. */
static double bound_for_view(const parts *p, double tokens)
{
    const akin_technique_row *row = akin_technique_of(akin_annex_of(p->job->scope), p->options->technique);
    const double tables = row && row->bytes_on_cpu == akin_room_prefix ? 8 + 8.0 * p->job->threads : 0;
    const double joined = tables * universe_of_two(p, tokens), ranked = AKIN_RANKED_STORE_TOKEN * tokens / 2;
    return akin_budget_beside_parts(1.1 * (ranked > joined ? ranked : joined) + 2 * MIB);
}

static akin_status fail_bound(const parts *p, uint64_t tokens, akin_error *error)
{
    uint64_t all = 0;
    for (int s = 0; s < 2 && p->sides[s].sets; s++)
        all += p->sides[s].sets->offsets[p->sides[s].sets->rows];
    const double anew = bound_for_anew(p, (double)tokens), view = bound_for_view(p, (double)tokens);
    const int is_dense = p->bound && akin_ranking_is_dense(p->bound, all);
    const double needed = is_dense && view < anew ? view : anew;
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY_BOUND,
                          "a memory bound of %.0f MiB is too small for sets of %llu tokens: about %.0f MiB would do",
                          (double)p->job->scope->memory / MIB, (unsigned long long)tokens, needed / MIB + 1);
}

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
        count = (uint64_t)(2 * all / room) + 1;
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
    const double anew = predict_piece_bytes(p, piece), view = p->ranked ? predict_view_bytes(p, piece) : anew;
    akin_status status = AKIN_OK;
    int tried = 0, refused = 0;
    p->needed = (anew < view ? anew : view) / weight_of_piece(piece);
    if (p->ranked && piece_fits(p, piece, view)) {
        tried = 1;
        status = try_piece(p, join_view, piece, &refused, &own);
    }
    if ((!tried || refused) && piece_fits(p, piece, anew)) {
        tried = 1;
        status = try_piece(p, join_anew, piece, &refused, &own);
        p->scale *= refused ? 1.5 : 1;
    }
    if (refused && akin_piece_is_single(piece))
        return fail_bound(p, akin_piece_tokens(piece), error);
    *taken = tried && !refused;
    return refused || status == AKIN_OK ? AKIN_OK : akin_fail_again(error, status, &own);
}

/* -------------------------------------------------------------------------------------------------------- the whole
 */

/* Whether an account's limit was the reason of a failure, since it had refused that often. */
static int is_refused(const akin_account *account, akin_status status, uint64_t refusals)
{
    return status == AKIN_E_NOMEM && account->refused != refusals;
}

/* Ranks the sides by a ranking that has counted their tokens. */
static akin_status fill_sides(parts *p, akin_bounded_ranking *ranking, akin_error *error)
{
    const akin_join_job *job = p->job;
    const uint64_t wish = akin_wishes_of(job->scope)->part_tokens;
    double tokens = 0, rows = 0;
    akin_status status = akin_ranking_number(job->scope, &ranking->ranking, error);
    for (int s = 0; s < 2 && p->sides[s].sets; s++) {
        tokens += (double)p->sides[s].sets->offsets[p->sides[s].sets->rows];
        rows += p->sides[s].store.ranked.count;
    }
    const int stay =
        wish ? tokens <= (double)wish
             : predict_part_bytes(p, tokens, rows) <= (double)akin_budget_left(job->account, 0, AKIN_LEFT_ALL);
    for (int s = 0; s < 2 && p->sides[s].sets && status == AKIN_OK; s++)
        status = akin_ranked_store_fill(job->scope, job->account, &ranking->ranking, p->sides[s].sets, wish, stay,
                                        &p->sides[s].store, error);
    return status;
}

/* Counts the distinct tokens of both sides, and ranks the sides if there is room for that. */
static akin_status rank_sides(parts *p, uint64_t *universe, akin_error *error)
{
    akin_join_job *job = p->job;
    const uint64_t refusals = job->account->refused;
    akin_bounded_ranking ranking;
    akin_status status =
        akin_bounded_ranking_count(job->scope, job->account, p->sides[0].sets, p->sides[1].sets, &ranking, error);
    const int counted = status == AKIN_OK;
    p->bound = ranking.ranking.bound;
    *universe = ranking.ranking.universe;
    if (counted && akin_wishes_of(job->scope)->parts_anew <= 0) {
        status = fill_sides(p, &ranking, error);
        p->ranked = status == AKIN_OK;
    }
    akin_bounded_ranking_clear(&ranking);
    if (!is_refused(job->account, status, refusals))
        return status;
    status = counted ? AKIN_OK : count_in_bitmap(p, universe, error);
    for (int s = 0; s < 2 && p->sides[s].sets && status == AKIN_OK; s++) {
        const akin_sets *sets = p->sides[s].sets;
        clear_part_side(&p->sides[s]);
        status = make_part_side(job, sets, &p->sides[s], error);
    }
    return status;
}

static akin_status prepare_parts(parts *p, const akin_sets *left, const akin_sets *right, akin_error *error)
{
    akin_join_job *job = p->job;
    akin_join_summary *summary = &p->report->all.summary;
    double start = akin_clock();
    akin_status status = make_part_side(job, left, &p->sides[0], error);
    if (status == AKIN_OK && right)
        status = make_part_side(job, right, &p->sides[1], error);
    if (status == AKIN_OK)
        status = rank_sides(p, &summary->universe, error);
    if (status != AKIN_OK)
        return status;
    job->probes = &p->sides[0].store.ranked;
    job->indexed = &p->sides[right ? 1 : 0].store.ranked;
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
    const akin_piece whole = {range_of(&p->sides[0]), range_of(&p->sides[job->self ? 0 : 1]), job->self};
    const akin_piece_policy policy = {akin_piece_range_weight, place_of_part, trim_set_piece, take_set_piece, p};
    akin_status status =
        akin_join_delivery_begin(job, p->progress.outer, p->options->any_order, sink, sink_user, error);
    job->scope = &p->progress.inner;
    if (status == AKIN_OK)
        status = akin_pieces_walk(&policy, whole, error);
    job->scope = p->progress.outer;
    double joined = akin_clock();
    if (status == AKIN_OK)
        status = akin_delivery_finish(job->delivery, p->sides[0].sets->rows, error);
    p->report->all.summary.seconds_deliver = akin_clock() - joined;
    return status;
}

akin_status akin_join_in_parts(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                               const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                               akin_join_report *report, akin_error *error)
{
    parts p = {.job = job, .options = options, .report = report, .scale = 1};
    uint64_t refusals = job->account->refused;
    akin_status status = prepare_parts(&p, left, right, error);
    if (is_refused(job->account, status, refusals))
        status = fail_bound(&p, two_largest(left, right), error);
    if (status == AKIN_OK)
        status = join_and_deliver(&p, sink, sink_user, error);
    job->probes = job->indexed = NULL;
    akin_piece_view_clear(&p.view);
    clear_part_side(&p.sides[0]);
    clear_part_side(&p.sides[1]);
    return status;
}
