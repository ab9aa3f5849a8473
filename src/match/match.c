/*
 * The similarity join of strings. Both sides are sorted by length, and joined piece by piece (pieces.c); in
 * a self-join a probe meets the strings behind it. Or each left row gets its best partners (best.c).
 */
#include "base/budget.h"
#include "base/ceiling.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/options.h"
#include "base/pair_limit.h"
#include "device/devices.h"
#include "match/best.h"
#include "match/distinct_strings.h"
#include "match/match.h"
#include "match/options.h"
#include "match/pieces.h"
#include "match/ranges.h"

#include <string.h>

typedef akin_match_job match;

AKIN_OPTIONS_END(akin_match_report, reserved);

/* ------------------------------------------------------------------------------------------------------------ sides */

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

/* Joins the sides that are set in the job. What makes batches adds its seconds to those of preparing, and takes them
 * from those of joining. */
static akin_status join_read_sides(match *m, int any_order, akin_pair_sink sink, void *user, akin_error *error)
{
    akin_match_report *report = &m->report;
    const double prepared = report->seconds_prepare;
    akin_status status = AKIN_OK;
    if (!m->top) /* the best partners are delivered part by part */
        status = akin_delivery_begin(&m->delivery, m->scope, m->account, m->threads, any_order, sink, user, error);
    m->sink = sink;
    m->sink_user = user;
    double read = akin_clock();
    if (status != AKIN_OK)
        return status;
    akin_match_set_room(m);
    status = m->top ? akin_match_best(m, error) : akin_match_pieces(m, error);
    double joined = akin_clock();
    report->seconds_join = joined - read - (report->seconds_prepare - prepared) - report->seconds_deliver;
    if (status == AKIN_OK && !m->top)
        status = akin_delivery_finish(&m->delivery, m->sides[0].rows, error);
    report->seconds_deliver += akin_clock() - joined;
    return status;
}

/* Strings that are equal make a pair, at distance 0. */
static int is_string_paired(const void *rows, uint32_t row, uint32_t *overlap)
{
    (void)rows;
    (void)row;
    *overlap = 0;
    return 1;
}

static void leave_join(match *m)
{
    akin_delivery_clear(&m->delivery);
    akin_match_leave_ranges(m);
}

/* The best partners of each left row are wanted; of one side, among all other rows of it. */
static void want_best(match *m, uint32_t top)
{
    m->best = (akin_match_top){.scope = m->scope,
                               .account = m->account,
                               .cutoff = &m->cutoff,
                               .by_distance = m->cutoff.ratio.num == 0,
                               .self = m->self,
                               .threads = m->threads};
    m->top = (uint32_t)akin_min_u64(top, akin_max_u32(m->sides[!m->self].rows, 1));
}

/* The same of groups of equal strings, of the sides at hand. Of one side a group may be a partner of itself, which has
 * no other string. */
static void want_best_groups(match *m)
{
    m->best.self = 0;
    m->best.marks_ties = 1;
    m->top = (uint32_t)akin_min_u64(m->top + (uint64_t)m->self, akin_max_u32(m->sides[!m->self].rows, 1));
}

/* Joins the distinct strings. *gives_up: there was too little memory for that, and nothing has come of it. */
static akin_status join_distinct_strings(match *m, const akin_expanded *wanted, int *gives_up, akin_error *error)
{
    const akin_match_side given[2] = {m->sides[0], m->sides[1]};
    const akin_match_top best = m->best;
    const uint32_t top = m->top;
    akin_distinct_strings d;
    akin_status status = akin_distinct_strings_make(m->scope, m->account, given, wanted, &d, error);
    if (status == AKIN_OK) {
        m->sides[0] = d.sides[0];
        m->sides[1] = d.sides[1];
        if (m->top)
            want_best_groups(m);
        status = join_read_sides(m, 1, akin_expansion_take, &d.expansion, error);
    }
    const double joined = akin_clock();
    if (status == AKIN_OK)
        status = akin_expansion_finish(&d.expansion, error);
    m->report.seconds_deliver += akin_clock() - joined;
    m->report.pairs_found = d.expansion.found;
    leave_join(m);
    m->sides[0] = given[0];
    m->sides[1] = given[1];
    m->best = best;
    m->top = top;
    *gives_up = status != AKIN_OK && akin_expansion_gives_up(&d.expansion, status);
    akin_distinct_strings_clear(&d);
    return status;
}

static akin_status join_sides(match *m, const akin_expanded *wanted, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    const double start = akin_clock();
    int is_distinct = 0;
    akin_status status = fold_sides(m, error);
    if (status == AKIN_OK)
        status = read_sides(m, error);
    if (status == AKIN_OK)
        status = akin_distinct_strings_pay(m->scope, m->sides, &is_distinct, error);
    if (status != AKIN_OK)
        return status;
    m->report.seconds_prepare = akin_clock() - start;
    if (is_distinct) {
        const akin_match_report before = m->report;
        int gives_up;
        status = join_distinct_strings(m, wanted, &gives_up, &own);
        if (!gives_up)
            return status == AKIN_OK ? status : akin_fail_again(error, status, &own);
        m->report = before;
    }
    return join_read_sides(m, wanted->any_order, wanted->sink, wanted->user, error);
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

akin_status akin_match_within(const akin_scope *scope, const akin_match_strings *both,
                              const akin_match_options *options, akin_pair_limit *limit, uint64_t *count,
                              akin_match_report *report, akin_error *error)
{
    akin_account account = {0};
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    match m = {.scope = &few, .account = &account, .self = !both->right, .report = {.size = sizeof m.report}};
    akin_match_options own = AKIN_MATCH_OPTIONS_INIT;
    akin_account_begin(&account, scope);
    akin_status status = akin_match_options_read(options, &own, &m.cutoff, &m.folds, error);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof *report, "akin_match_report", error);
    if (status == AKIN_OK)
        status = check_match_device(scope->device_choice, &own, error);
    if (status == AKIN_OK && akin_device_is_required(scope))
        status = akin_device_of(scope, &m.device, error); /* a missing GPU is reported at once */
    m.wish = own.technique == AKIN_MATCH_BAGS       ? AKIN_SEGMENTS_NONE
             : own.technique == AKIN_MATCH_SEGMENTS ? AKIN_SEGMENTS_ALL
                                                    : AKIN_SEGMENTS_WORTH;
    m.threads = few.threads;
    if (status == AKIN_OK)
        status = take_side(&m, 0, both->left, both->rows_left, error);
    if (status == AKIN_OK && both->right)
        status = take_side(&m, 1, both->right, both->rows_right, error);
    if (own.top > 0)
        want_best(&m, own.top);
    const akin_expanded wanted = {.sink = limit->sink ? akin_pair_limit_sink : NULL,
                                  .user = limit,
                                  .any_order = own.any_order || own.connecting,
                                  .connecting = (int)own.connecting,
                                  .best = m.top,
                                  .is_pair = is_string_paired};
    if (status == AKIN_OK)
        status = join_sides(&m, &wanted, error);
    if (status == AKIN_OK)
        add_up(&m);
    leave_join(&m);
    akin_alphabet_clear(&m.alphabet);
    for (int s = 0; s < 2; s++) {
        akin_folded_clear(&m.folded[s]);
        akin_free(m.sides[s].lengths);
    }
    if (status == AKIN_E_NOMEM && scope->memory && account.refused)
        akin_fail(error, status, "%.0f MiB of memory are too little to join strings as long as these: allow more",
                  (double)scope->memory / (1 << 20));
    status = akin_ceiling_conclude(scope, &account, "the join of strings", status, error);
    if (status == AKIN_OK && count)
        *count = m.report.pairs_found;
    return status == AKIN_OK && report
               ? akin_options_write(&m.report, sizeof m.report, report, "akin_match_report", error)
               : status;
}
