/*
 * akin_match: the similarity join of strings. Both sides are sorted by length, and joined on the CPU (match_cpu.c) or
 * on a GPU (match_gpu.c); in a self-join a probe meets the strings behind it. Under a memory bound the join is cut into
 * pieces (join/pieces.h), and each is joined on its own. A piece that runs out of memory is cut again.
 */
#include "base/context.h"
#include "base/budget.h"
#include "base/bits.h"
#include "base/clock.h"
#include "base/options.h"
#include "device/devices.h"
#include "device/worth.h"
#include "join/delivery.h"
#include "match/match_cpu.h"
#include "match/match_gpu.h"
#include "match/match_top.h"
#include "match/options.h"
#include "match/side.h"
#include "text/folded.h"

#define ROWS_A_PART 1024 /* at least, under a bound */
#define GPU_STARTS  0.05 /* seconds that a GPU takes for any join */
#define GPU_THREADS 128  /* threads that screen as fast as a GPU */

typedef struct match {
    const akin_scope *scope;
    akin_account *account;
    akin_cutoff cutoff;
    uint32_t folds;
    akin_column columns[2]; /* the caller's, with folded text if that is wanted */
    akin_folded folded[2];
    akin_alphabet alphabet;
    akin_match_side sides[2];
    int self; /* there is one side */
    int same; /* probes meet those behind them, not strings of another range */
    akin_strings_batch probes, others;
    akin_piece_range probes_at, others_at; /* the rows of these batches; no side: there is no batch */
    const akin_strings_batch *met;         /* what probes meet: others, or the probes themselves */
    akin_segments segments;                /* of these */
    akin_segments_wish wish;
    akin_device *device;     /* NULL: the CPU does it */
    uint32_t threads;        /* the least number of strings of each side, at most */
    uint64_t room, room_gpu; /* bytes that a range may take, here and on a GPU */
    uint64_t rows_most;      /* and its rows, where a test wishes it */
    int failed;              /* a pair could not be kept */
    uint32_t top;            /* how many of the best partners of each left row; 0: all pairs */
    akin_strings_top best;
    akin_pair_sink sink; /* the caller's */
    void *sink_user;
    akin_delivery delivery;
    akin_match_report report;
} match;

AKIN_OPTIONS_END(akin_match_report, reserved);

/* -------------------------------------------------------------------------------------------------------------- parts
 */

/* Keeps a pair of a probe and what it met. */
static int keep_match(void *user, uint32_t thread, uint32_t probe, uint32_t other, uint32_t distance)
{
    match *m = user;
    uint32_t row = m->probes.rows[probe], met = m->met->rows[other];
    int swap = m->self && row > met;
    return akin_pairs_add(&m->delivery.pairs[thread], swap ? met : row, swap ? row : met, distance);
}

static int keep_from_gpu(void *user, uint32_t probe, uint32_t other, uint32_t distance)
{
    return keep_match(user, 0, probe, other, distance);
}

/* Why a join failed that did not keep all pairs. */
static akin_status explain_refusal(match *m, akin_error *error)
{
    m->failed = 1;
    return akin_delivery_failure(&m->delivery, error);
}

/* Joins the probes with what they meet, on the CPU. */
static akin_status match_on_cpu(match *m, akin_error *error)
{
    akin_strings_cpu_job job = {.scope = m->scope,
                                .account = m->account,
                                .cutoff = &m->cutoff,
                                .probes = &m->probes,
                                .others = m->met,
                                .segments = &m->segments,
                                .threads = m->threads,
                                .take = m->delivery.pairs ? keep_match : NULL,
                                .user = m};
    akin_status status = akin_segments_make(m->scope, &m->segments, error);
    if (status == AKIN_OK)
        status = akin_strings_cpu_join(&job, error);
    m->report.pairs_found += job.found;
    m->report.pairs_compatible += job.compatible;
    m->report.pairs_looked_up += job.looked_up;
    m->report.candidates += job.candidates;
    return job.refused ? explain_refusal(m, error) : status;
}

/* The same on the GPU. */
static akin_status match_on_gpu(match *m, akin_error *error)
{
    akin_strings_gpu_job job = {.scope = m->scope, .account = m->account, .device = m->device, .cutoff = &m->cutoff};
    job.probes = &m->probes;
    job.others = m->met;
    job.take = m->delivery.pairs ? keep_from_gpu : NULL;
    job.user = m;
    akin_status status = akin_strings_gpu_join(&job, error);
    m->report.pairs_found += job.found;
    if (job.refused)
        return explain_refusal(m, error);
    if (status != AKIN_OK)
        return status;
    m->report.pairs_compatible += job.compatible;
    m->report.candidates += job.candidates;
    m->report.device = akin_device_number(m->device) + 1;
    return AKIN_OK;
}

/* Opens a GPU if one is required or worth it. */
static akin_status choose_device(match *m, akin_error *error)
{
    const char *why, *why_met;
    int can = akin_strings_gpu_can(&m->probes, &why) & akin_strings_gpu_can(m->met, &why_met);
    m->device = NULL;
    if (m->scope->device_choice == AKIN_DEVICE_CPU)
        return AKIN_OK;
    if (m->scope->device_choice == AKIN_DEVICE_CUDA && !can)
        return akin_fail(error, AKIN_E_OPTION, "strings cannot be joined on a GPU where %s; use the device cpu or auto",
                         why ? why : why_met);
    if (m->scope->device_choice == AKIN_DEVICE_CUDA)
        return akin_device_of(m->scope, &m->device, error);
    const akin_device_estimate e = {.here = m->segments.seconds / m->threads,
                                    .there = m->segments.seconds_screened / GPU_THREADS + GPU_STARTS};
    if (!can || m->wish == AKIN_SEGMENTS_ALL || !akin_device_is_worth(m->scope, &e))
        return AKIN_OK;
    return akin_device_of(m->scope, &m->device, error);
}

/* Joins the probes with the strings that they meet. A GPU that is not required and fails leaves the join to the CPU, if
 * it has found nothing so far. */
static akin_status join_batches(match *m, akin_error *error)
{
    uint64_t found = m->report.pairs_found;
    akin_error own = {.code = AKIN_OK};
    akin_status status = choose_device(m, error);
    if (status != AKIN_OK || !m->device)
        return status == AKIN_OK ? match_on_cpu(m, error) : status;
    status = match_on_gpu(m, &own);
    if (status == AKIN_OK)
        return AKIN_OK;
    if ((status == AKIN_E_DEVICE || status == AKIN_E_NOMEM) && found == m->report.pairs_found &&
        m->scope->device_choice == AKIN_DEVICE_AUTO)
        return match_on_cpu(m, error);
    return akin_fail_again(error, status, &own);
}

/* The same, once it is chosen what is looked up rather than screened. */
static akin_status join_two(match *m, akin_error *error)
{
    akin_status status = AKIN_OK;
    int may_have_tables = !m->cutoff.is_jaro && m->wish != AKIN_SEGMENTS_NONE;
    akin_device_choice device = m->scope->device_choice;
    if (device == AKIN_DEVICE_AUTO || (device == AKIN_DEVICE_CPU && may_have_tables))
        status = akin_segments_choose(m->scope, m->account, &m->cutoff, &m->probes, m->met, m->same, m->wish,
                                      &m->segments, error);
    if (status == AKIN_OK)
        status = join_batches(m, error);
    akin_segments_clear(&m->segments);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- pieces
 */

static void clear_range_batch(akin_strings_batch *batch, akin_piece_range *at)
{
    akin_strings_batch_clear(batch);
    at->side = NULL;
}

/* Whether a batch is that of a range. */
static int is_range(const akin_piece_range *at, const akin_piece_range *range)
{
    return at->side && at->side == range->side && at->first == range->first && at->end == range->end;
}

/* Makes the batch of a range, unless it is there. */
static akin_status make_range_batch(match *m, const akin_piece_range *range, akin_strings_batch *out,
                                    akin_piece_range *at, akin_error *error)
{
    const akin_match_side *side = range->side;
    if (is_range(at, range))
        return AKIN_OK;
    clear_range_batch(out, at);
    double start = akin_clock();
    akin_status status = akin_strings_batch_make(m->scope, m->account, side->column, side->lengths, range->first,
                                                 range->end, &m->alphabet, out, error);
    m->report.seconds_prepare += akin_clock() - start;
    if (status == AKIN_OK)
        *at = *range;
    return status;
}

/* Makes the batches of a piece. */
static akin_status enter_piece(match *m, const akin_piece *piece, akin_error *error)
{
    m->same = piece->is_self;
    m->met = m->same ? &m->probes : &m->others;
    if (m->same || !is_range(&m->others_at, &piece->indexed))
        clear_range_batch(&m->others, &m->others_at); /* its memory is needed */
    akin_status status = make_range_batch(m, &piece->probes, &m->probes, &m->probes_at, error);
    return status == AKIN_OK && !m->same ? make_range_batch(m, &piece->indexed, &m->others, &m->others_at, error)
                                         : status;
}

/* The bytes of GPU memory that there are; 0: any number. */
static uint64_t limit_of_gpu(const match *m)
{
    if (m->scope->device_choice == AKIN_DEVICE_CPU)
        return 0;
    const akin_device *device = akin_device_opened(m->scope);
    return device ? akin_device_limit(device) : m->scope->context->device_memory;
}

/* What ranges may take, so that two of them, and what comes with them, have room. */
static void set_room(match *m)
{
    const uint64_t limit = m->account->limit, held = m->account->held, limit_gpu = limit_of_gpu(m);
    const uint64_t scanners =
        m->threads * ((uint64_t)(sizeof(akin_scan_hit) + 64) * AKIN_SCAN_CANDIDATES + AKIN_LANES_ROOM);
    m->room = limit == 0 ? UINT64_MAX : limit > held + scanners ? (limit - held - scanners) / 3 : 0;
    m->room_gpu = limit_gpu ? limit_gpu / 4 : UINT64_MAX;
    m->rows_most = akin_wishes_of(m->scope)->part_tokens; /* of rows here */
}

/* How many ranges with room of their own a range makes. */
static uint64_t count_ranges(const match *m, const akin_piece_range *range)
{
    if (!m->rows_most && m->room == UINT64_MAX && m->room_gpu == UINT64_MAX)
        return 1;
    const akin_match_extent e = akin_match_extent_of(range);
    if (m->rows_most)
        return akin_max_u64(1, akin_ceil_div(e.rows, m->rows_most));
    const uint64_t gpu = e.symbols * AKIN_STRINGS_GPU_SYMBOL + e.rows * AKIN_STRINGS_GPU_STRING;
    const uint64_t count =
        akin_max_u64(m->room == UINT64_MAX ? 1 : akin_ceil_div(e.bytes, akin_max_u64(1, m->room)),
                     m->room_gpu == UINT64_MAX ? 1 : akin_ceil_div(gpu, akin_max_u64(1, m->room_gpu)));
    return akin_max_u64(1, akin_min_u64(count, akin_ceil_div(e.rows, ROWS_A_PART)));
}

/* Cuts a range so that its ranges, cut again, have about as many bytes each as have room. */
static uint32_t place_of_range(void *user, const akin_piece_range *range)
{
    const uint64_t count = akin_max_u64(2, count_ranges(user, range));
    return akin_match_place_of(range, count / 2, count);
}

/* No string is left out: a range of rows has strings of all lengths. */
static int keep_all(void *user, akin_piece *piece)
{
    (void)user;
    (void)piece;
    return 1;
}

static int can_be_cut(const akin_piece *piece)
{
    return akin_piece_rows(&piece->probes) > 1 || (!piece->is_self && akin_piece_rows(&piece->indexed) > 1);
}

/* Whether what had too little memory under a bound may be tried in smaller pieces: it has found nothing. */
static int may_try_smaller(const match *m, akin_status status, uint64_t refusals, uint64_t found)
{
    return status == AKIN_E_NOMEM && m->account->limit && m->account->refused != refusals && !m->failed &&
           m->report.pairs_found == found;
}

/* Joins a piece that has room, or that cannot be cut. */
static akin_status match_piece(void *user, const akin_piece *piece, int *taken, akin_error *error)
{
    match *m = user;
    const akin_match_report before = m->report;
    const uint64_t refusals = m->account->refused;
    *taken = !can_be_cut(piece) || (count_ranges(m, &piece->probes) == 1 && count_ranges(m, &piece->indexed) == 1);
    if (!*taken)
        return AKIN_OK;
    akin_status status = enter_piece(m, piece, error);
    if (status == AKIN_OK)
        status = join_two(m, error);
    if (status == AKIN_OK || !can_be_cut(piece) || !may_try_smaller(m, status, refusals, before.pairs_found)) {
        m->report.parts++;
        return status;
    }
    *taken = 0;
    clear_range_batch(&m->others, &m->others_at);
    clear_range_batch(&m->probes, &m->probes_at);
    m->room = akin_max_u64(akin_match_weight(&piece->probes), akin_match_weight(&piece->indexed)) / 2;
    const double prepared = m->report.seconds_prepare;
    m->report = before;
    m->report.seconds_prepare = prepared;
    return AKIN_OK;
}

static akin_status join_pieces(match *m, akin_error *error)
{
    const akin_match_side *left = &m->sides[0], *right = &m->sides[!m->self];
    const akin_piece whole = {akin_match_range(left, 0, left->rows), akin_match_range(right, 0, right->rows), m->self};
    const akin_piece_policy policy = {akin_match_weight, place_of_range, keep_all, match_piece, m};
    return akin_pieces_walk(&policy, whole, error);
}

/* ----------------------------------------------------------------------------------------------------- best partners
 */

/* The left rows at hand stay whole: their best partners are among all right rows. */
static uint32_t place_on_right(void *user, const akin_piece_range *range)
{
    const match *m = user;
    return is_range(&m->probes_at, range) ? 0 : place_of_range(user, range);
}

static akin_status meet_piece(void *user, const akin_piece *piece, int *taken, akin_error *error)
{
    match *m = user;
    *taken = piece->is_self || akin_piece_rows(&piece->indexed) < 2 || count_ranges(m, &piece->indexed) == 1;
    akin_status status = *taken ? enter_piece(m, piece, error) : AKIN_OK;
    if (*taken && status == AKIN_OK)
        status = akin_strings_top_meet(&m->best, m->met, error);
    m->report.parts += *taken != 0;
    return status;
}

/* Finds the best partners of left rows among right ones [first, end). */
static akin_status meet_top_range(match *m, const akin_piece_range *left, uint32_t first, uint32_t end,
                                  akin_error *error)
{
    const akin_piece_policy policy = {akin_match_weight, place_on_right, keep_all, meet_piece, m};
    const akin_piece piece = {*left, akin_match_range(&m->sides[!m->self], first, end), 0};
    return first < end ? akin_pieces_walk(&policy, piece, error) : AKIN_OK;
}

/* Finds the best partners of left rows, and delivers them. In a self-join they are among the other rows. */
static akin_status top_range(match *m, const akin_piece_range *left, akin_error *error)
{
    const uint32_t rows = m->sides[!m->self].rows;
    int taken;
    m->best.probes = &m->probes;
    akin_status status = make_range_batch(m, left, &m->probes, &m->probes_at, error);
    if (status == AKIN_OK)
        status = akin_strings_top_begin(&m->best, left->first, left->end, m->top, error);
    if (status == AKIN_OK)
        status = meet_top_range(m, left, 0, m->self ? left->first : rows, error);
    if (status == AKIN_OK && m->self)
        status = meet_piece(m, &(akin_piece){*left, *left, 1}, &taken, error);
    if (status == AKIN_OK && m->self)
        status = meet_top_range(m, left, left->end, rows, error);
    const double met = akin_clock();
    if (status == AKIN_OK)
        status = akin_strings_top_deliver(&m->best, m->sink, m->sink_user, error);
    m->report.seconds_deliver += akin_clock() - met;
    m->report.pairs_found = m->best.found;
    m->report.pairs_compatible = m->best.compatible;
    m->report.candidates = m->best.candidates;
    akin_strings_top_clear(&m->best);
    return status;
}

static akin_status top_ranges(match *m, akin_error *error)
{
    const akin_match_side *left = &m->sides[0];
    const uint32_t most = akin_best_rows(m->account, left->rows, m->top, AKIN_STRINGS_TOP_RESULT);
    akin_status status = AKIN_OK;
    akin_piece_range range = akin_match_range(left, 0, 0);
    do {
        range.end = range.first + (uint32_t)akin_min_u64(left->rows - range.first, most);
        const uint64_t count = count_ranges(m, &range);
        if (count > 1)
            range.end = akin_max_u32(akin_match_place_of(&range, 1, count), range.first + 1);
        status = top_range(m, &range, error);
        range.first = range.end;
    } while (status == AKIN_OK && range.first < left->rows);
    return status;
}

/* Tries smaller ranges while memory is short and nothing was found. */
static akin_status join_top(match *m, akin_error *error)
{
    uint64_t refusals = m->account->refused;
    akin_status status = top_ranges(m, error);
    while (may_try_smaller(m, status, refusals, 0) && m->room > 1) {
        const akin_piece_range all = akin_match_range(&m->sides[0], 0, m->sides[0].rows);
        refusals = m->account->refused;
        m->room = akin_min_u64(m->room, akin_match_weight(&all)) / 2;
        m->report.parts = 0;
        m->best.compatible = m->best.candidates = 0;
        clear_range_batch(&m->others, &m->others_at);
        clear_range_batch(&m->probes, &m->probes_at);
        status = top_ranges(m, error);
    }
    return status;
}

static akin_status fail_long(const akin_column *column, uint32_t row, akin_error *error)
{
    return akin_fail_row(error, AKIN_E_LIMIT, AKIN_REASON_NONE, row, column->name,
                         ": a string of more than %d characters is too long for its best partners to be found",
                         AKIN_ORDER_LONGEST);
}

/* Puts folded text in the place of the caller's. */
static akin_status fold_sides(match *m, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int s = 0; s < 2 && m->folds && status == AKIN_OK; s++)
        if (m->sides[s].column)
            status = akin_folded_make(m->scope, m->account, akin_budget(m->scope, AKIN_BUDGET_FOLDED), m->folds,
                                      m->sides[s].rows, &m->columns[s], &m->folded[s], error);
    return status;
}

static akin_status read_sides(match *m, akin_error *error)
{
    akin_column columns[2];
    uint32_t rows[2], *lengths[2], count = m->sides[1].column ? 2 : 1;
    for (uint32_t s = 0; s < count; s++) {
        m->sides[s].lengths = akin_alloc(m->account, m->sides[s].rows, sizeof(uint32_t));
        if (!m->sides[s].lengths)
            return akin_fail_memory(error, "strings");
        columns[s] = *m->sides[s].column;
        rows[s] = m->sides[s].rows;
        lengths[s] = m->sides[s].lengths;
    }
    akin_status status = akin_alphabet_make(m->scope, m->account, columns, rows, lengths, count, &m->alphabet, error);
    for (uint32_t s = 0; s < count && status == AKIN_OK; s++)
        for (uint32_t row = 0; row < rows[s]; row++) {
            if (m->top && lengths[s][row] > AKIN_ORDER_LONGEST)
                return fail_long(&columns[s], row, error);
            m->sides[s].there += lengths[s][row] > 0;
        }
    for (uint32_t s = 0; s < count; s++)
        m->sides[s].width = akin_alphabet_is_wide(&m->alphabet) ? sizeof(uint32_t) : 1;
    return status;
}

/* What makes batches adds its seconds to those of preparing, and takes them from those of joining. */
static akin_status join_sides(match *m, uint32_t any_order, akin_pair_sink sink, void *user, akin_error *error)
{
    akin_match_report *report = &m->report;
    double start = akin_clock();
    akin_status status = fold_sides(m, error);
    if (status == AKIN_OK)
        status = read_sides(m, error);
    if (status == AKIN_OK && !m->top) /* the best partners are delivered part by part */
        status = akin_delivery_begin(&m->delivery, m->scope, m->account, m->threads, (int)any_order, sink, user, error);
    m->sink = sink;
    m->sink_user = user;
    double read = akin_clock();
    if (status != AKIN_OK)
        return status;
    set_room(m);
    status = m->top ? join_top(m, error) : join_pieces(m, error);
    double joined = akin_clock();
    report->seconds_join = joined - read - report->seconds_prepare - report->seconds_deliver;
    report->seconds_prepare += read - start;
    if (status == AKIN_OK && !m->top)
        status = akin_delivery_finish(&m->delivery, m->sides[0].rows, error);
    report->seconds_deliver += akin_clock() - joined;
    return status;
}

static void add_up(match *m)
{
    akin_match_report *report = &m->report;
    uint64_t left = m->sides[0].there, right = m->sides[1].there;
    report->rows_left = (uint32_t)left;
    report->rows_right = (uint32_t)right;
    report->threads = m->threads;
    report->pairs_all =
        m->self ? left * (left - (left > 0)) / (m->top ? 1 : 2) : left * right; /* top: both orders of a pair */
    report->memory_peak = m->account->peak;
}

/* What the device lacks is refused, whether the device is there or not. */
static akin_status check_match_device(akin_device_choice device, const akin_match_options *options, akin_error *error)
{
    if (device == AKIN_DEVICE_CUDA && options->technique == AKIN_MATCH_SEGMENTS)
        return akin_fail(error, AKIN_E_OPTION,
                         "segments are looked up on the CPU alone: use the device cpu or auto, or on a GPU bags");
    return options->top > 0 ? akin_best_check_device(device, error) : AKIN_OK;
}

akin_status akin_match_check(const char *device, const akin_match_options *options, akin_error *error)
{
    akin_device_wish wish;
    akin_match_options own = AKIN_MATCH_OPTIONS_INIT;
    akin_cutoff cutoff;
    uint32_t folds;
    akin_status status = akin_device_wish_read(device, &wish, error);
    if (status == AKIN_OK)
        status = akin_match_options_read(options, &own, &cutoff, &folds, error);
    return status == AKIN_OK ? check_match_device(wish.choice, &own, error) : status;
}

static akin_status take_side(match *m, int which, const akin_column *column, uint32_t rows, akin_error *error)
{
    akin_status status = akin_column_check(column, which ? "right" : "left", error);
    if (status != AKIN_OK)
        return status;
    m->columns[which] = *column;
    m->sides[which] = (akin_match_side){.column = &m->columns[which], .rows = rows};
    return AKIN_OK;
}

/* The best partners of each left row are wanted; of one side, among all other rows of it. */
static void want_best(match *m, uint32_t top)
{
    m->best = (akin_strings_top){.scope = m->scope,
                                 .account = m->account,
                                 .cutoff = &m->cutoff,
                                 .by_distance = m->cutoff.ratio.num == 0,
                                 .self = m->self,
                                 .threads = m->threads};
    m->top = (uint32_t)akin_min_u64(top, akin_max_u32(m->sides[!m->self].rows, 1));
}

akin_status akin_match(akin_context *context, const akin_column *left, uint32_t rows_left, const akin_column *right,
                       uint32_t rows_right, const akin_match_options *options, akin_pair_sink sink, void *sink_user,
                       uint64_t *count, akin_match_report *report, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_account account = {.limit = akin_budget_job(scope)};
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    match m = {.scope = &few, .account = &account, .self = right == NULL, .report = {.size = sizeof m.report}};
    akin_match_options own = AKIN_MATCH_OPTIONS_INIT;
    akin_status status = akin_match_options_read(options, &own, &m.cutoff, &m.folds, error);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof *report, "akin_match_report", error);
    if (status == AKIN_OK)
        status = check_match_device(scope->device_choice, &own, error);
    if (status == AKIN_OK && scope->device_choice == AKIN_DEVICE_CUDA)
        status = akin_device_of(scope, &m.device, error); /* a missing GPU is reported at once */
    m.wish = own.technique == AKIN_MATCH_BAGS       ? AKIN_SEGMENTS_NONE
             : own.technique == AKIN_MATCH_SEGMENTS ? AKIN_SEGMENTS_ALL
                                                    : AKIN_SEGMENTS_WORTH;
    m.threads = few.threads;
    if (status == AKIN_OK)
        status = take_side(&m, 0, left, rows_left, error);
    if (status == AKIN_OK && right)
        status = take_side(&m, 1, right, rows_right, error);
    if (own.top > 0)
        want_best(&m, own.top);
    if (status == AKIN_OK)
        status = join_sides(&m, own.any_order, sink, sink_user, error);
    if (status == AKIN_OK)
        add_up(&m);
    akin_delivery_clear(&m.delivery);
    akin_strings_batch_clear(&m.probes);
    akin_strings_batch_clear(&m.others);
    akin_alphabet_clear(&m.alphabet);
    for (int s = 0; s < 2; s++) {
        akin_folded_clear(&m.folded[s]);
        akin_free(m.sides[s].lengths);
    }
    if (status == AKIN_E_NOMEM && scope->memory && account.refused)
        akin_fail(error, status, "%.0f MiB of memory are too little to join strings as long as these: allow more",
                  (double)scope->memory / (1 << 20));
    if (status == AKIN_OK && count)
        *count = m.report.pairs_found;
    return status == AKIN_OK && report
               ? akin_options_write(&m.report, sizeof m.report, report, "akin_match_report", error)
               : status;
}
