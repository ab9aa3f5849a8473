/*
 * akin_match: the similarity join of strings. Both sides are sorted by length; a block of probes meets one strip of the
 * other side after the other:
 *
 *                strip 0      strip 1                the bags of a strip stay in the cache while all probes of the block
 *     block 0    | screen ... | screen ...           meet it; what the screen leaves of a probe and a strip is compared
 *     block 1    |            |                      at once, in lanes where there is enough of it
 *
 * In a self-join a probe meets the strings behind it. Under a memory bound rows are cut in ranges, and every two of them
 * are joined on their own. A GPU does the same by kernels of its own (strings_gpu.c).
 */
#include "base/bits.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/parallel.h"
#include "join/delivery.h"
#include "join/strings_gpu.h"
#include "strings/match.h"
#include "strings/scan.h"

#define STRIP        16384 /* strings, whose bags and heads take 576 KB */
#define BLOCK_MOST   64    /* probes */
#define BLOCK_LEAST  8
#define POLL_SECONDS 0.02
#define BLOCK_PAIRS  ((uint64_t)1 << 26) /* screened by a task, about: some 20 ms */
#define ROWS_A_PART  1024                /* at least, under a bound */
#define TABLES       8
#define CPU_RATE     4e9  /* pairs that a thread screens in a second, about */
#define GPU_WORTH    0.05 /* seconds of the CPU's that are worth a GPU, and those that are worth opening one */
#define GPU_OPENING  1.0
#define ROW_BYTES    (AKIN_BATCH_STRING + 16) /* while a batch is made */

typedef struct side {
    const akin_column *column;
    uint32_t rows, *lengths; /* in symbols; 0: null or empty */
    uint32_t *borders;       /* of parts: part p has rows borders[p] to borders[p + 1] - 1 */
    uint32_t there;          /* rows that are neither */
    uint64_t symbols;
} side;

typedef struct match match;

typedef struct worker {
    akin_scanner scanner;
    match *match;
    akin_pairs *pairs; /* NULL: they are only counted */
    uint32_t row;      /* of the probe at hand */
    int failed;        /* pairs could not be taken */
    int is_leader;     /* it has the caller's thread, which may ask whether to stop */
    double asked;      /* when it did */
    uint64_t found, compatible, candidates;
} worker;

struct match {
    akin_context *context, *owner; /* the second one is the caller's, whose devices are opened */
    akin_account *account;
    akin_cutoff cutoff;
    akin_alphabet alphabet;
    side sides[2];
    int self; /* there is one side */
    int same; /* and probes meet those behind them, not strings of another part */
    akin_strings_batch probes, others;
    const akin_strings_batch *met; /* what probes meet: others, or the probes themselves */
    uint32_t block;                /* probes of a task */
    akin_device *device;           /* NULL: the CPU does it */
    uint32_t threads, parts;
    atomic_int stopped; /* somebody asked to */
    worker *workers;
    akin_delivery delivery;
    akin_match_report report;
};

AKIN_OPTIONS_END(akin_match_report, reserved);

/* -------------------------------------------------------------------------------------------------------------- tasks
 */

/* Keeps a pair of rows. */
static int keep(worker *w, uint32_t row, uint32_t other, uint32_t distance)
{
    int swap = w->match->self && row > other;
    int kept = akin_pairs_add(w->pairs, swap ? other : row, swap ? row : other, distance);
    w->failed |= !kept;
    return kept;
}

/* Whether to go on, which is asked between strips, and between strings that are long. */
static int poll(void *user)
{
    worker *w = user;
    match *m = w->match;
    if (w->is_leader && akin_clock() - w->asked > POLL_SECONDS) {
        if (akin_context_report(m->context, NULL, 0, 0) != AKIN_OK)
            atomic_store(&m->stopped, 1);
        w->asked = akin_clock();
    }
    return !atomic_load_explicit(&m->stopped, memory_order_relaxed);
}

static int take(void *user, const akin_scan_hit *hits, uint32_t count)
{
    worker *w = user;
    w->found += count;
    for (uint32_t i = 0; i < count && w->pairs; i++)
        if (!keep(w, w->row, w->match->met->rows[hits[i].at], hits[i].distance))
            return 0;
    return 1;
}

static int take_from_gpu(void *user, uint32_t probe, uint32_t other, uint32_t distance)
{
    worker *w = user;
    return keep(w, w->match->probes.rows[probe], w->match->met->rows[other], distance);
}

/* A probe meets strings first to end - 1, of runs from `run` on. */
static int meet(worker *w, uint32_t run, uint32_t first, uint32_t end)
{
    const akin_strings_batch *met = w->match->met;
    for (; first < end; run++) {
        uint32_t stop = (uint32_t)akin_min_u64(end, met->starts[run + 1]);
        if (!akin_scanner_screen(&w->scanner, run, first, stop))
            return 0;
        first = stop;
    }
    return akin_scanner_finish(&w->scanner);
}

/* Sets a probe as the query of a worker. */
static int set_probe(worker *w, uint32_t run, uint32_t i)
{
    const akin_strings_batch *probes = &w->match->probes;
    akin_symbols symbols = akin_strings_batch_at(probes, run, i);
    w->row = probes->rows[i];
    return akin_scanner_query(&w->scanner, &symbols, akin_strings_batch_bag(probes, i),
                              akin_strings_batch_head(&symbols, AKIN_HEAD_QUERY));
}

/* The strings that any probe of the block may be similar to: *first to *end - 1. 0: memory is short. */
static int reach_of(worker *w, uint32_t begin, uint32_t stop, uint32_t *first, uint32_t *end)
{
    const akin_strings_batch *probes = &w->match->probes, *met = w->match->met;
    *first = met->count;
    *end = 0;
    for (uint32_t run = akin_strings_batch_run(probes, begin); run < probes->runs && probes->starts[run] < stop;
         run++) {
        if (!set_probe(w, run, probes->starts[run]))
            return 0;
        for (uint32_t r = 0; r < met->runs; r++)
            if (w->scanner.limits[r].any) {
                *first = (uint32_t)akin_min_u64(*first, met->starts[r]);
                *end = akin_max_u32(*end, met->starts[r + 1]);
            }
    }
    if (w->match->same)
        *first = akin_max_u32(*first, begin + 1);
    return 1;
}

static akin_status join_block(void *argument, uint64_t task, uint32_t thread)
{
    match *m = argument;
    worker *w = &m->workers[thread];
    const akin_strings_batch *probes = &m->probes;
    uint32_t begin = (uint32_t)(task * m->block), first, end;
    uint32_t stop = (uint32_t)akin_min_u64((uint64_t)begin + m->block, probes->count);
    if (!reach_of(w, begin, stop, &first, &end))
        return AKIN_E_NOMEM;
    for (uint32_t at = first, next; at < end; at = next) {
        uint32_t run = akin_strings_batch_run(m->met, at), probe_run = akin_strings_batch_run(probes, begin);
        next = (uint32_t)akin_min_u64(end, (uint64_t)at + STRIP);
        for (uint32_t i = begin; i < stop; i++) {
            probe_run += i == probes->starts[probe_run + 1];
            uint32_t from = m->same ? akin_max_u32(at, i + 1) : at;
            if (from >= next)
                continue;
            uint32_t from_run = from < m->met->starts[run + 1] ? run : akin_strings_batch_run(m->met, from);
            if (!poll(w))
                return AKIN_E_CANCELLED;
            if (!set_probe(w, probe_run, i) || !meet(w, from_run, from, next))
                return atomic_load(&m->stopped) ? AKIN_E_CANCELLED : AKIN_E_NOMEM;
        }
    }
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- parts
 */

/* Why a batch of tasks failed. */
static akin_status explain(match *m, akin_status status, akin_error *error)
{
    int failed = 0;
    for (uint32_t t = 0; t < m->threads; t++)
        failed |= m->workers[t].failed;
    return failed ? akin_delivery_failure(&m->delivery, error) : akin_fail_stopped(error, status, "comparing strings");
}

/* Joins the probes with what they meet, on the CPU. */
static akin_status join_on_cpu(match *m, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint64_t block = BLOCK_PAIRS / akin_max_u64(1, m->met->count);
    m->block = (uint32_t)akin_max_u64(BLOCK_LEAST, akin_min_u64(block, BLOCK_MOST));
    if (m->probes.runs && m->probes.lengths[m->probes.runs - 1] >= AKIN_SCAN_LONG)
        m->block = 1; /* what takes long is shared out one by one */
    for (uint32_t t = 0; t < m->threads && status == AKIN_OK; t++) {
        worker *w = &m->workers[t];
        if (!akin_scanner_begin(&w->scanner, m->account, m->context->cpu, &m->cutoff, m->met, TABLES, take, w))
            status = akin_fail_memory(error, "comparing strings");
        w->scanner.poll = poll;
        w->is_leader = t == 0;
    }
    if (status == AKIN_OK && m->met->count > 0) {
        status = akin_parallel(m->context, "comparing", akin_ceil_div(m->probes.count, m->block), join_block, m);
        if (status != AKIN_OK)
            status = explain(m, status, error);
    }
    for (uint32_t t = 0; t < m->threads; t++) {
        worker *w = &m->workers[t];
        w->compatible += w->scanner.screened;
        w->candidates += w->scanner.compared;
        akin_scanner_clear(&w->scanner);
    }
    return status;
}

/* The same on the GPU. */
static akin_status join_on_gpu(match *m, uint64_t *found, akin_error *error)
{
    worker *w = &m->workers[0];
    akin_strings_gpu_job job = {
        .context = m->context, .account = m->account, .device = m->device, .cutoff = &m->cutoff};
    job.probes = &m->probes;
    job.others = m->met;
    job.take = w->pairs ? take_from_gpu : NULL;
    job.user = w;
    akin_status status = akin_strings_gpu_join(&job, error);
    *found = job.found;
    if (job.refused)
        return explain(m, AKIN_E_NOMEM, error);
    if (status != AKIN_OK)
        return status;
    w->found += job.found;
    w->compatible += job.compatible;
    w->candidates += job.candidates;
    m->report.device = akin_device_number(m->device) + 1;
    return AKIN_OK;
}

/* Seconds that a thread would take to screen the pairs whose lengths permit it. */
static double predict(const match *m)
{
    double pairs = 0;
    for (uint32_t a = 0; a < m->probes.runs; a++)
        for (uint32_t b = 0; b < m->met->runs; b++)
            if (akin_cutoff_permits(&m->cutoff, m->probes.lengths[a], m->met->lengths[b]))
                pairs += (double)(m->probes.starts[a + 1] - m->probes.starts[a]) *
                         (m->met->starts[b + 1] - m->met->starts[b]);
    return (m->same ? 0.5 : 1) * pairs / CPU_RATE;
}

/* Finds a GPU if one was asked for, or would be worth it. */
static akin_status choose_device(match *m, akin_error *error)
{
    const char *why, *why_met;
    int can = akin_strings_gpu_can(&m->probes, &why) & akin_strings_gpu_can(m->met, &why_met);
    m->device = NULL;
    if (m->context->device_choice == AKIN_DEVICE_CPU)
        return AKIN_OK;
    if (m->context->device_choice == AKIN_DEVICE_CUDA && !can)
        return akin_fail(error, AKIN_E_OPTION, "strings cannot be joined on a GPU where %s; use the device cpu or auto",
                         why ? why : why_met);
    if (m->context->device_choice == AKIN_DEVICE_CUDA)
        return akin_device_of(m->owner, &m->device, error);
    double seconds = can && (uint64_t)m->probes.runs * m->met->runs <= 1u << 20 ? predict(m) / m->threads : 0;
    if (seconds < (m->owner->device ? GPU_WORTH : GPU_OPENING))
        return AKIN_OK;
    return akin_device_of(m->owner, &m->device, error);
}

/* Joins the probes with what they meet. A GPU that was not asked for and fails leaves it to the CPU, if it found nothing
 * so far. */
static akin_status join_batches(match *m, akin_error *error)
{
    uint64_t found = 0;
    akin_error own = {.code = AKIN_OK};
    akin_status status = choose_device(m, error);
    if (status != AKIN_OK || !m->device)
        return status == AKIN_OK ? join_on_cpu(m, error) : status;
    status = join_on_gpu(m, &found, &own);
    if (status == AKIN_OK)
        return AKIN_OK;
    if ((status == AKIN_E_DEVICE || status == AKIN_E_NOMEM) && found == 0 &&
        m->context->device_choice == AKIN_DEVICE_AUTO)
        return join_on_cpu(m, error);
    return akin_fail(error, status, "%s", own.message);
}

/* The bytes that a symbol of a batch takes, and those that a side takes while it is made. */
static uint64_t width_of(const match *m)
{
    return akin_alphabet_is_wide(&m->alphabet) ? sizeof(uint32_t) : 1;
}

static uint64_t bytes_of(const match *m, const side *s)
{
    return s->symbols * width_of(m) + (uint64_t)s->rows * ROW_BYTES;
}

/* Cuts the rows of a side in parts that take about as many bytes each. */
static akin_status cut_side(match *m, side *s, akin_error *error)
{
    uint64_t width = width_of(m), all = bytes_of(m, s), bytes = 0;
    akin_free(s->borders);
    s->borders = akin_alloc(m->account, (uint64_t)m->parts + 1, sizeof *s->borders);
    if (!s->borders)
        return akin_fail_memory(error, "strings");
    uint32_t part = 0;
    s->borders[0] = 0;
    for (uint32_t row = 0; row < s->rows; row++) {
        bytes += s->lengths[row] * width + ROW_BYTES;
        while (part + 1 < m->parts && (double)bytes * m->parts >= (double)all * (part + 1))
            s->borders[++part] = row + 1;
    }
    while (part < m->parts)
        s->borders[++part] = s->rows;
    return AKIN_OK;
}

static akin_status make_batch(match *m, const side *side, uint64_t part, akin_strings_batch *out, akin_error *error)
{
    uint32_t first = side->borders[part], end = side->borders[part + 1];
    double start = akin_clock();
    akin_status status = akin_strings_batch_make(m->context, m->account, side->column, side->lengths, first, end,
                                                 &m->alphabet, out, error);
    m->report.seconds_prepare += akin_clock() - start;
    return status;
}

/* Joins every part of the left side with every one of the right; in a self-join with itself and those behind it. */
static akin_status join_parts(match *m, akin_error *error)
{
    akin_status status = cut_side(m, &m->sides[0], error);
    if (status == AKIN_OK && !m->self)
        status = cut_side(m, &m->sides[1], error);
    for (uint64_t left = 0; left < m->parts && status == AKIN_OK; left++) {
        status = make_batch(m, &m->sides[0], left, &m->probes, error);
        for (uint64_t right = m->self ? left : 0; right < m->parts && status == AKIN_OK; right++) {
            m->same = m->self && left == right;
            m->met = m->same ? &m->probes : &m->others;
            if (!m->same)
                status = make_batch(m, &m->sides[!m->self], right, &m->others, error);
            if (status == AKIN_OK)
                status = join_batches(m, error);
            m->report.parts++;
            akin_strings_batch_clear(&m->others);
        }
        akin_strings_batch_clear(&m->probes);
    }
    return status;
}

/* The bytes of GPU memory that there are; 0: any number. */
static uint64_t limit_of_gpu(const match *m)
{
    if (m->context->device_choice == AKIN_DEVICE_CPU)
        return 0;
    return m->owner->device ? akin_device_limit(m->owner->device) : m->context->device_memory;
}

/* Under a bound: in how many parts rows are cut, so that two of them, and what comes with them, have room. */
static uint32_t count_parts(const match *m)
{
    uint64_t rows = akin_max_u32(m->sides[0].rows, m->sides[1].rows), bytes = 0, bytes_gpu = 0;
    uint64_t limit = m->account->limit, held = m->account->held, limit_gpu = limit_of_gpu(m);
    if (m->context->part_tokens) /* as tests wish, of rows here */
        return (uint32_t)akin_max_u64(1, akin_ceil_div(rows, m->context->part_tokens));
    if (!limit && !limit_gpu)
        return 1;
    for (int s = 0; s < 2; s++) {
        const side *side = &m->sides[s];
        bytes = akin_max_u64(bytes, bytes_of(m, side));
        bytes_gpu = akin_max_u64(bytes_gpu, side->symbols * AKIN_STRINGS_GPU_SYMBOL +
                                                (uint64_t)side->rows * AKIN_STRINGS_GPU_STRING);
    }
    uint64_t scanners = m->threads * (uint64_t)(sizeof(akin_scan_hit) + 64) * AKIN_SCAN_CANDIDATES;
    uint64_t room = limit > held + scanners ? (limit - held - scanners) / 3 : 0;
    uint64_t parts = limit ? akin_ceil_div(bytes, akin_max_u64(1, room)) : 1;
    if (limit_gpu)
        parts = akin_max_u64(parts, akin_ceil_div(bytes_gpu, akin_max_u64(1, limit_gpu / 4)));
    return (uint32_t)akin_max_u64(1, akin_min_u64(parts, akin_ceil_div(rows, ROWS_A_PART)));
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
    akin_status status = akin_alphabet_make(m->context, m->account, columns, rows, lengths, count, &m->alphabet, error);
    for (uint32_t s = 0; s < count && status == AKIN_OK; s++)
        for (uint32_t row = 0; row < rows[s]; row++) {
            m->sides[s].there += lengths[s][row] > 0;
            m->sides[s].symbols += lengths[s][row];
        }
    return status;
}

/* Gives each thread what it works with. */
static akin_status make_workers(match *m, akin_error *error)
{
    m->workers = akin_alloc_zero(m->account, m->threads, sizeof *m->workers);
    if (!m->workers)
        return akin_fail_memory(error, "the threads");
    for (uint32_t t = 0; t < m->threads; t++) {
        m->workers[t].match = m;
        m->workers[t].pairs = m->delivery.pairs ? &m->delivery.pairs[t] : NULL;
    }
    return AKIN_OK;
}

/* Whether what had too little memory under a bound may be tried in smaller parts: it has found nothing so far. */
static int may_cut(const match *m)
{
    uint64_t found = 0;
    for (uint32_t t = 0; t < m->threads; t++)
        found += m->workers[t].found + (uint64_t)m->workers[t].failed;
    return m->account->limit && found == 0 && m->parts < akin_max_u32(m->sides[0].rows, m->sides[1].rows);
}

/* What makes batches adds its seconds to those of preparing, and takes them from those of joining. */
static akin_status join_sides(match *m, uint32_t any_order, akin_pair_sink sink, void *user, akin_error *error)
{
    akin_match_report *report = &m->report;
    double start = akin_clock();
    akin_status status = read_sides(m, error);
    if (status == AKIN_OK)
        status =
            akin_delivery_begin(&m->delivery, m->context, m->account, m->threads, (int)any_order, sink, user, error);
    if (status == AKIN_OK)
        status = make_workers(m, error);
    double read = akin_clock();
    if (status != AKIN_OK)
        return status;
    m->parts = count_parts(m);
    uint64_t refusals = m->account->refused;
    status = join_parts(m, error);
    while (status == AKIN_E_NOMEM && m->account->refused != refusals && may_cut(m)) {
        refusals = m->account->refused;
        m->parts *= 2;
        m->report.parts = 0;
        for (uint32_t t = 0; t < m->threads; t++)
            m->workers[t].compatible = m->workers[t].candidates = 0;
        status = join_parts(m, error);
    }
    double joined = akin_clock();
    report->seconds_join = joined - read - report->seconds_prepare;
    report->seconds_prepare += read - start;
    if (status == AKIN_OK)
        status = akin_delivery_finish(&m->delivery, m->sides[0].rows, error);
    report->seconds_deliver = akin_clock() - joined;
    return status;
}

static void add_up(match *m)
{
    akin_match_report *report = &m->report;
    uint64_t left = m->sides[0].there, right = m->sides[1].there;
    report->rows_left = (uint32_t)left;
    report->rows_right = (uint32_t)right;
    report->threads = m->threads;
    report->pairs_all = m->self ? left * (left - (left > 0)) / 2 : left * right;
    report->memory_peak = m->account->peak;
    for (uint32_t t = 0; t < m->threads; t++) {
        report->pairs_compatible += m->workers[t].compatible;
        report->candidates += m->workers[t].candidates;
        report->pairs_found += m->workers[t].found;
    }
}

akin_status akin_match(akin_context *context, const akin_column *left, uint32_t rows_left, const akin_column *right,
                       uint32_t rows_right, const akin_match_options *options, akin_pair_sink sink, void *sink_user,
                       uint64_t *count, akin_match_report *report, akin_error *error)
{
    akin_account account = {.limit = akin_memory_job(context->memory)};
    akin_context few = *context;
    match m = {.context = &few,
               .owner = context,
               .account = &account,
               .self = right == NULL,
               .report = {.size = sizeof m.report}};
    uint32_t any_order = 0;
    akin_status status = akin_match_options_read(options, &m.cutoff, &any_order, error);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof *report, "akin_match_report", error);
    if (status == AKIN_OK && context->device_choice == AKIN_DEVICE_CUDA)
        status = akin_device_of(context, &m.device, error); /* what is not there is better known at once */
    m.threads = few.threads = akin_memory_threads(context);
    m.sides[0] = (side){.column = left, .rows = rows_left};
    m.sides[1] = (side){.column = right, .rows = right ? rows_right : 0};
    if (status == AKIN_OK)
        status = akin_column_check(left, "left", error);
    if (status == AKIN_OK && right)
        status = akin_column_check(right, "right", error);
    if (status == AKIN_OK)
        status = join_sides(&m, any_order, sink, sink_user, error);
    if (status == AKIN_OK)
        add_up(&m);
    akin_delivery_clear(&m.delivery);
    akin_strings_batch_clear(&m.probes);
    akin_strings_batch_clear(&m.others);
    akin_alphabet_clear(&m.alphabet);
    for (int s = 0; s < 2; s++) {
        akin_free(m.sides[s].lengths);
        akin_free(m.sides[s].borders);
    }
    akin_free(m.workers);
    if (status == AKIN_E_NOMEM && context->memory && account.refused)
        akin_fail(error, status, "%.0f MiB of memory are too little to join strings as long as these: allow more",
                  (double)context->memory / (1 << 20));
    if (status == AKIN_OK && count)
        *count = m.report.pairs_found;
    return status == AKIN_OK && report
               ? akin_options_write(&m.report, sizeof m.report, report, "akin_match_report", error)
               : status;
}
