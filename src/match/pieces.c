/* Joins strings piece by piece, each on the CPU (match_cpu.c) or on a GPU (match_gpu.c). A piece that finds too little
 * memory is cut again. */
#include "match/pieces.h"

#include "device/devices.h"
#include "device/worth.h"
#include "match/match_cpu.h"
#include "match/match_gpu.h"
#include "match/ranges.h"

#define GPU_STARTS  0.05 /* seconds that a GPU takes for any join */
#define GPU_THREADS 128  /* threads that screen as fast as a GPU */

typedef akin_match_job match;

/* ------------------------------------------------------------------------------------------------------- one piece */

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
    akin_match_cpu_job job = {.scope = m->scope,
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
        status = akin_match_cpu_join(&job, error);
    m->report.pairs_found += job.found;
    m->report.pairs_compatible += job.compatible;
    m->report.pairs_looked_up += job.looked_up;
    m->report.candidates += job.candidates;
    return job.refused ? explain_refusal(m, error) : status;
}

/* The same on the GPU. */
static akin_status match_on_gpu(match *m, akin_error *error)
{
    akin_match_gpu_job job = {.scope = m->scope, .account = m->account, .device = m->device, .cutoff = &m->cutoff};
    job.probes = &m->probes;
    job.others = m->met;
    job.take = m->delivery.pairs ? keep_from_gpu : NULL;
    job.user = m;
    akin_status status = akin_match_gpu_join(&job, error);
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

/* Opens a GPU if one is required or worth it. A GPU that is opened serves all pieces of the join. */
static akin_status choose_device(match *m, akin_error *error)
{
    const char *why, *why_met;
    const int can = akin_match_gpu_can(&m->probes, &why) & akin_match_gpu_can(m->met, &why_met);
    const double scale = akin_calibrated_scale(m->scope, AKIN_CALIBRATED_SCREENED);
    const akin_device_estimate e = {.here = scale * m->segments.seconds / m->threads,
                                    .there = m->segments.seconds_screened / GPU_THREADS + GPU_STARTS,
                                    .times = m->times};
    m->device = NULL;
    if (akin_device_is_required(m->scope) && !can)
        return akin_fail(error, AKIN_E_OPTION, "strings cannot be joined on a GPU where %s; use the device cpu or auto",
                         why ? why : why_met);
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
        !akin_device_is_required(m->scope))
        return match_on_cpu(m, error);
    return akin_fail_again(error, status, &own);
}

/* The same, once it is chosen what is looked up rather than screened. */
static akin_status join_two(match *m, akin_error *error)
{
    akin_status status = AKIN_OK;
    const int may_have_tables = !m->cutoff.is_jaro && m->wish != AKIN_SEGMENTS_NONE;
    if (akin_device_is_optional(m->scope) || (!akin_device_is_required(m->scope) && may_have_tables))
        status = akin_segments_choose(m->scope, m->account, &m->cutoff, &m->probes, m->met, m->same, m->wish,
                                      &m->segments, error);
    if (status == AKIN_OK)
        status = join_batches(m, error);
    akin_segments_clear(&m->segments);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- pieces */

static int can_be_cut(const akin_piece *piece)
{
    return akin_piece_rows(&piece->probes) > 1 || (!piece->is_self && akin_piece_rows(&piece->indexed) > 1);
}

/* The pairs of rows of a piece; at least 1. */
static double count_pairs_in(const akin_piece *piece)
{
    const double left = akin_piece_rows(&piece->probes), right = akin_piece_rows(&piece->indexed);
    const double pairs = piece->is_self ? left * (left - 1) / 2 : left * right;
    return pairs > 1 ? pairs : 1;
}

/* Joins a piece that has room, or that cannot be cut. */
static akin_status match_piece(void *user, const akin_piece *piece, int *taken, akin_error *error)
{
    match *m = user;
    const akin_match_report before = m->report;
    m->times = count_pairs_in(&m->whole) / count_pairs_in(piece);
    const uint64_t refusals = m->account->refused;
    *taken = !can_be_cut(piece) ||
             (akin_match_count_ranges(m, &piece->probes) == 1 && akin_match_count_ranges(m, &piece->indexed) == 1);
    if (!*taken)
        return AKIN_OK;
    akin_status status = akin_match_enter_piece(m, piece, error);
    if (status == AKIN_OK)
        status = join_two(m, error);
    if (status == AKIN_OK || !can_be_cut(piece) ||
        !akin_match_may_try_smaller(m, status, refusals, before.pairs_found)) {
        m->report.parts++;
        return status;
    }
    *taken = 0;
    akin_match_leave_ranges(m);
    m->room = akin_max_u64(akin_match_weight(&piece->probes), akin_match_weight(&piece->indexed)) / 2;
    const double prepared = m->report.seconds_prepare;
    m->report = before;
    m->report.seconds_prepare = prepared;
    return AKIN_OK;
}

akin_status akin_match_pieces(akin_match_job *job, akin_error *error)
{
    const akin_match_side *left = &job->sides[0], *right = &job->sides[!job->self];
    job->whole =
        (akin_piece){akin_match_range(left, 0, left->rows), akin_match_range(right, 0, right->rows), job->self};
    const akin_piece_policy policy = {akin_match_weight, akin_match_place_in_range, akin_match_keep_all, match_piece,
                                      job};
    return akin_pieces_walk(&policy, job->whole, error);
}
