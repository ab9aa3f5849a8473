/* Finds the best partners (match_top.c): ranges of left rows, whose results have room, meet ranges of right rows. */
#include "match/best.h"

#include "base/bits.h"
#include "base/clock.h"
#include "match/ranges.h"

typedef akin_match_job match;

/* The left rows at hand stay whole: their best partners are among all right rows. */
static uint32_t place_on_right(void *user, const akin_piece_range *range)
{
    const match *m = user;
    return akin_match_is_range(&m->probes_at, range) ? 0 : akin_match_place_in_range(user, range);
}

static akin_status meet_piece(void *user, const akin_piece *piece, int *taken, akin_error *error)
{
    match *m = user;
    *taken = piece->is_self || akin_piece_rows(&piece->indexed) < 2 || akin_match_count_ranges(m, &piece->indexed) == 1;
    akin_status status = *taken ? akin_match_enter_piece(m, piece, error) : AKIN_OK;
    if (*taken && status == AKIN_OK)
        status = akin_match_top_meet(&m->best, m->met, error);
    m->report.parts += *taken != 0;
    return status;
}

/* Finds the best partners of left rows among right ones [first, end). */
static akin_status meet_top_range(match *m, const akin_piece_range *left, uint32_t first, uint32_t end,
                                  akin_error *error)
{
    const akin_piece_policy policy = {akin_match_weight, place_on_right, akin_match_keep_all, meet_piece, m};
    const akin_piece piece = {*left, akin_match_range(&m->sides[!m->self], first, end), 0};
    return first < end ? akin_pieces_walk(&policy, piece, error) : AKIN_OK;
}

/* Finds the best partners of left rows, and delivers them. In a self-join they are among the other rows. */
static akin_status top_range(match *m, const akin_piece_range *left, akin_error *error)
{
    const uint32_t rows = m->sides[!m->self].rows;
    int taken;
    m->best.probes = &m->probes;
    akin_status status = akin_match_enter_range(m, left, &m->probes, &m->probes_at, error);
    if (status == AKIN_OK)
        status = akin_match_top_begin(&m->best, left->first, left->end, m->top, error);
    if (status == AKIN_OK)
        status = meet_top_range(m, left, 0, m->self ? left->first : rows, error);
    if (status == AKIN_OK && m->self)
        status = meet_piece(m, &(akin_piece){*left, *left, 1}, &taken, error);
    if (status == AKIN_OK && m->self)
        status = meet_top_range(m, left, left->end, rows, error);
    const double met = akin_clock();
    if (status == AKIN_OK)
        status = akin_match_top_deliver(&m->best, m->sink, m->sink_user, error);
    m->report.seconds_deliver += akin_clock() - met;
    m->report.pairs_found = m->best.found;
    m->report.pairs_compatible = m->best.compatible;
    m->report.candidates = m->best.candidates;
    akin_match_top_clear(&m->best);
    return status;
}

/* Gives ranges less room, so that there are more of them. 0: they are as small as they become. */
static int make_ranges_smaller(match *m)
{
    const akin_match_side *left = &m->sides[0], *right = &m->sides[!m->self];
    const akin_piece_range lefts = akin_match_range(left, 0, left->rows),
                           rights = akin_match_range(right, 0, right->rows);
    const uint64_t before = akin_match_count_ranges(m, &lefts) + akin_match_count_ranges(m, &rights);
    m->room = akin_min_u64(m->room, akin_max_u64(akin_match_weight(&lefts), akin_match_weight(&rights)));
    while (m->room > 1) {
        m->room /= 2;
        if (akin_match_count_ranges(m, &lefts) + akin_match_count_ranges(m, &rights) > before)
            return 1;
    }
    return 0;
}

/* The left rows from `first` on that have room for their results, and for what comes with them. */
static akin_piece_range next_range(const match *m, uint32_t first)
{
    const akin_match_side *left = &m->sides[0];
    const uint32_t most = akin_best_rows(m->account, left->rows, m->top, AKIN_MATCH_TOP_RESULT, m->sink, m->sink_user);
    akin_piece_range range = akin_match_range(left, first, first + (uint32_t)akin_min_u64(left->rows - first, most));
    const uint64_t count = akin_match_count_ranges(m, &range);
    if (count > 1)
        range.end = akin_max_u32(akin_match_place_of(&range, 1, count), first + 1);
    return range;
}

/* Takes left rows range by range. A range that finds too little memory has delivered nothing: smaller ones follow. */
akin_status akin_match_best(akin_match_job *job, akin_error *error)
{
    match *m = job;
    akin_status status = AKIN_OK;
    uint32_t first = 0;
    do {
        const akin_match_report before = m->report;
        const uint64_t refusals = m->account->refused;
        const akin_piece_range range = next_range(m, first);
        status = top_range(m, &range, error);
        if (status == AKIN_OK) {
            first = range.end;
        } else if (akin_match_may_try_smaller(m, status, refusals, before.pairs_found) && make_ranges_smaller(m)) {
            status = AKIN_OK;
            m->report = before;
            m->best.compatible = before.pairs_compatible;
            m->best.candidates = before.candidates;
            akin_match_leave_ranges(m);
        }
    } while (status == AKIN_OK && first < m->sides[0].rows);
    return status;
}
