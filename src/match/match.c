/*
 * akin_match: the similarity join of strings. Both sides are sorted by length, and joined on the CPU (strings_cpu.c) or
 * on a GPU (strings_gpu.c); in a self-join a probe meets the strings behind it. Under a memory bound rows are cut in
 * ranges, and every two of them are joined on their own.
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
#include "text/folded.h"

#define ROWS_A_PART 1024 /* at least, under a bound */
#define GPU_STARTS  0.05 /* seconds that a GPU takes whatever it joins */
#define GPU_THREADS 128  /* threads that screen as fast as a GPU */
#define ROW_SORTED  16   /* bytes of a row beside the batch, while that is made */

typedef struct side {
    const akin_column *column;
    uint32_t rows, *lengths;  /* in symbols; 0: null or empty */
    uint32_t parts, *borders; /* part p has rows borders[p] to borders[p + 1] - 1 */
    uint32_t there;           /* rows that are neither */
    uint64_t symbols, bytes;  /* bytes: of a batch, its symbols left aside */
} side;

typedef struct match {
    const akin_scope *scope;
    akin_account *account;
    akin_cutoff cutoff;
    uint32_t folds;
    akin_column columns[2]; /* the caller's, with folded text if that is wanted */
    akin_folded folded[2];
    akin_alphabet alphabet;
    side sides[2];
    int self; /* there is one side */
    int same; /* and probes meet those behind them, not strings of another part */
    akin_strings_batch probes, others;
    const akin_strings_batch *met; /* what probes meet: others, or the probes themselves */
    akin_segments segments;        /* of these */
    akin_segments_wish wish;
    akin_device *device;     /* NULL: the CPU does it */
    uint32_t threads, parts; /* the least number of strings of each side */
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
static akin_status join_on_cpu(match *m, akin_error *error)
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
static akin_status join_on_gpu(match *m, akin_error *error)
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
        return status == AKIN_OK ? join_on_cpu(m, error) : status;
    status = join_on_gpu(m, &own);
    if (status == AKIN_OK)
        return AKIN_OK;
    if ((status == AKIN_E_DEVICE || status == AKIN_E_NOMEM) && found == m->report.pairs_found &&
        m->scope->device_choice == AKIN_DEVICE_AUTO)
        return join_on_cpu(m, error);
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

/* The bytes that a symbol of a batch takes, and those that a side takes while it is made. */
static uint64_t width_of(const match *m)
{
    return akin_alphabet_is_wide(&m->alphabet) ? sizeof(uint32_t) : 1;
}

static uint64_t bytes_of_row(uint32_t length)
{
    return akin_strings_batch_bytes(length) + ROW_SORTED;
}

static uint64_t bytes_of_side(const match *m, const side *s)
{
    return s->symbols * width_of(m) + s->bytes;
}

/* Cuts the rows of a side in its parts, which take about as many bytes each. */
static akin_status cut_side(match *m, side *s, akin_error *error)
{
    uint64_t width = width_of(m), all = bytes_of_side(m, s), bytes = 0;
    akin_free(s->borders);
    s->borders = akin_alloc(m->account, (uint64_t)s->parts + 1, sizeof *s->borders);
    if (!s->borders)
        return akin_fail_memory(error, "strings");
    uint32_t part = 0;
    s->borders[0] = 0;
    for (uint32_t row = 0; row < s->rows; row++) {
        bytes += s->lengths[row] * width + bytes_of_row(s->lengths[row]);
        while (part + 1 < s->parts && (double)bytes * s->parts >= (double)all * (part + 1))
            s->borders[++part] = row + 1;
    }
    while (part < s->parts)
        s->borders[++part] = s->rows;
    return AKIN_OK;
}

static akin_status make_batch(match *m, const side *side, uint64_t part, akin_strings_batch *out, akin_error *error)
{
    uint32_t first = side->borders[part], end = side->borders[part + 1];
    double start = akin_clock();
    akin_status status = akin_strings_batch_make(m->scope, m->account, side->column, side->lengths, first, end,
                                                 &m->alphabet, out, error);
    m->report.seconds_prepare += akin_clock() - start;
    return status;
}

/* Cuts both sides in at least as many parts as there are to be. The best partners of a part of left rows have to
 * fit. */
static akin_status cut_sides(match *m, akin_error *error)
{
    side *left = &m->sides[0], *right = &m->sides[1];
    left->parts = right->parts = m->parts;
    if (m->top) {
        uint32_t rows = akin_best_rows(m->account, left->rows, m->top, AKIN_STRINGS_TOP_RESULT);
        left->parts = akin_max_u32(m->parts, (uint32_t)akin_ceil_div(left->rows, rows));
    }
    akin_status status = cut_side(m, left, error);
    return status == AKIN_OK && right->column ? cut_side(m, right, error) : status;
}

/* Joins a left part, whose batch is made, with every right one; in a self-join with itself and those behind it. */
static akin_status join_part(match *m, uint64_t left, akin_error *error)
{
    akin_status status = AKIN_OK;
    side *others = &m->sides[!m->self];
    for (uint64_t right = m->self ? left : 0; right < others->parts && status == AKIN_OK; right++) {
        m->same = m->self && left == right;
        m->met = m->same ? &m->probes : &m->others;
        if (!m->same)
            status = make_batch(m, others, right, &m->others, error);
        if (status == AKIN_OK)
            status = join_two(m, error);
        m->report.parts++;
        akin_strings_batch_clear(&m->others);
    }
    return status;
}

/* Finds the best partners of a left part, whose batch is made, among all right ones, and hands them over. */
static akin_status top_part(match *m, uint64_t left, akin_error *error)
{
    side *others = &m->sides[!m->self];
    m->best.probes = &m->probes;
    akin_status status =
        akin_strings_top_begin(&m->best, m->sides[0].borders[left], m->sides[0].borders[left + 1], m->top, error);
    for (uint64_t right = 0; right < others->parts && status == AKIN_OK; right++) {
        m->same = m->self && left == right;
        m->met = m->same ? &m->probes : &m->others;
        if (!m->same)
            status = make_batch(m, others, right, &m->others, error);
        if (status == AKIN_OK)
            status = akin_strings_top_meet(&m->best, m->met, error);
        m->report.parts++;
        akin_strings_batch_clear(&m->others);
    }
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

static akin_status join_parts(match *m, akin_error *error)
{
    akin_status status = cut_sides(m, error);
    for (uint64_t left = 0; left < m->sides[0].parts && status == AKIN_OK; left++) {
        status = make_batch(m, &m->sides[0], left, &m->probes, error);
        if (status == AKIN_OK)
            status = (m->top ? top_part : join_part)(m, left, error);
        akin_strings_batch_clear(&m->probes);
    }
    return status;
}

/* The bytes of GPU memory that there are; 0: any number. */
static uint64_t limit_of_gpu(const match *m)
{
    if (m->scope->device_choice == AKIN_DEVICE_CPU)
        return 0;
    const akin_device *device = akin_device_opened(m->scope);
    return device ? akin_device_limit(device) : m->scope->context->device_memory;
}

/* Under a bound: in how many parts rows are cut, so that two of them, and what comes with them, have room. */
static uint32_t count_parts(const match *m)
{
    uint64_t rows = akin_max_u32(m->sides[0].rows, m->sides[1].rows), bytes = 0, bytes_gpu = 0;
    uint64_t limit = m->account->limit, held = m->account->held, limit_gpu = limit_of_gpu(m);
    if (akin_wishes_of(m->scope)->part_tokens) /* as tests wish, of rows here */
        return (uint32_t)akin_max_u64(1, akin_ceil_div(rows, akin_wishes_of(m->scope)->part_tokens));
    if (!limit && !limit_gpu)
        return 1;
    for (int s = 0; s < 2; s++) {
        const side *side = &m->sides[s];
        bytes = akin_max_u64(bytes, bytes_of_side(m, side));
        bytes_gpu = akin_max_u64(bytes_gpu, side->symbols * AKIN_STRINGS_GPU_SYMBOL +
                                                (uint64_t)side->rows * AKIN_STRINGS_GPU_STRING);
    }
    uint64_t scanners = m->threads * ((uint64_t)(sizeof(akin_scan_hit) + 64) * AKIN_SCAN_CANDIDATES + AKIN_LANES_ROOM);
    uint64_t room = limit > held + scanners ? (limit - held - scanners) / 3 : 0;
    uint64_t parts = limit ? akin_ceil_div(bytes, akin_max_u64(1, room)) : 1;
    if (limit_gpu)
        parts = akin_max_u64(parts, akin_ceil_div(bytes_gpu, akin_max_u64(1, limit_gpu / 4)));
    return (uint32_t)akin_max_u64(1, akin_min_u64(parts, akin_ceil_div(rows, ROWS_A_PART)));
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
            m->sides[s].symbols += lengths[s][row];
            m->sides[s].bytes += bytes_of_row(lengths[s][row]);
        }
    return status;
}

/* Whether what had too little memory under a bound may be tried in smaller parts: it has found nothing so far. */
static int may_cut(const match *m)
{
    return m->account->limit && m->report.pairs_found == 0 && !m->failed &&
           m->parts < akin_max_u32(m->sides[0].rows, m->sides[1].rows);
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
    m->parts = count_parts(m);
    uint64_t refusals = m->account->refused;
    status = join_parts(m, error);
    while (status == AKIN_E_NOMEM && m->account->refused != refusals && may_cut(m)) {
        refusals = m->account->refused;
        m->parts *= 2;
        report->parts = 0;
        report->pairs_compatible = report->pairs_looked_up = report->candidates = 0;
        m->best.compatible = m->best.candidates = 0;
        status = join_parts(m, error);
    }
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
    m->sides[which] = (side){.column = &m->columns[which], .rows = rows};
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
        status = akin_device_of(scope, &m.device, error); /* what is not there is better known at once */
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
        akin_free(m.sides[s].borders);
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
