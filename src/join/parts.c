/*
 * The join under a memory bound. Sets are sorted by size; if the join of a range of them with itself is too large, the
 * range is cut in two, and there are three joins instead, each of which may be cut again:
 *
 *     self [a, c)  =  self [a, b)  +  self [b, c)  +  [b, c) with [a, b)      a <= b <= c: no probe of the last one is
 *                                                                              smaller than a set that it meets
 *
 * So every pair is met in one place. Of two ranges only the sets stay whose sizes the other one's permit, which with a
 * high threshold soon leaves nothing. What is small enough is gathered into collections of its own, ranked and joined
 * like any other; ranks differ from part to part, the pairs do not.
 *
 * What a part takes is predicted (from its tokens and rows, and from what the part before took), and the account has a
 * limit: a prediction that was too low ends in an allocation that fails before any pair is found, and in a cut.
 */
#include "base/bits.h"
#include "base/context.h"
#include "base/budget.h"
#include "base/bulk.h"
#include "base/clock.h"
#include "join/part.h"
#include "join/progress.h"
#include "sets/ranking.h"
#include "sets/sets.h"

#include <string.h>

#define MIB    1048576.0
#define REPORT (1u << 20) /* tokens, or words, between two questions whether to stop */

/* One side of the join: its rows by size. */
typedef struct side {
    const akin_sets *sets;
    akin_bulk rows;
    akin_ranked classes; /* of all sets; row is what `rows` holds, there are no tokens */
    uint64_t *before;    /* by class, and at the end: the tokens of the sets in smaller classes */
} side;

/* Some sets of a side: places `first` to end - 1 of its rows. */
typedef struct range {
    const side *side;
    uint32_t first, end;
} range;

typedef struct parts {
    akin_join_job *job;
    const akin_join_options *options;
    akin_join_report *report;
    side sides[2];  /* the second one is empty in a self-join */
    uint64_t bound; /* the largest token of both + 1 */
    double scale;   /* what the last part took of what the formula says */
    akin_join_progress progress;
} parts;

/* -------------------------------------------------------------------------------------------------------------- sides
 */

static void side_clear(side *side)
{
    side->classes.row = NULL;
    akin_ranked_clear(&side->classes);
    akin_bulk_clear(&side->rows);
    akin_free(side->before);
}

static akin_status side_make(const akin_join_job *job, const akin_sets *sets, side *out, akin_error *error)
{
    akin_ranked *classes = &out->classes;
    out->sets = sets;
    out->rows = akin_bulk_of(job->scope, job->account, akin_budget(job->scope, AKIN_BUDGET_PART_ROWS));
    akin_status status = akin_rank_classes(job->scope, job->account, sets, &out->rows, classes, error);
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

/* The class of the set at a place. */
static uint32_t class_at(const side *side, uint32_t place)
{
    const akin_ranked *classes = &side->classes;
    return (uint32_t)akin_lower_bound_u32(classes->class_first + 1, classes->classes, (uint64_t)place + 1);
}

static uint32_t size_at(const side *side, uint32_t place)
{
    return side->classes.class_size[class_at(side, place)];
}

/* The tokens of all sets before a place. */
static uint64_t tokens_before(const side *side, uint32_t place)
{
    const akin_ranked *classes = &side->classes;
    if (place == classes->count)
        return side->before[classes->classes];
    uint32_t c = class_at(side, place);
    return side->before[c] + (uint64_t)(place - classes->class_first[c]) * classes->class_size[c];
}

static uint64_t range_tokens(const range *r)
{
    return tokens_before(r->side, r->end) - tokens_before(r->side, r->first);
}

static uint32_t range_rows(const range *r)
{
    return r->end - r->first;
}

/* Marks the tokens of a side in a bitmap. */
static akin_status mark_tokens(const akin_scope *scope, const akin_sets *sets, uint64_t *bits)
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
        status = mark_tokens(scope, p->sides[s].sets, bits);
    *universe = 0;
    for (uint64_t w = 0; w < words && status == AKIN_OK; w++) {
        *universe += akin_popcount64(bits[w]);
        if (w % REPORT == 0)
            status = akin_scope_report(scope, NULL, 0, 0);
    }
    akin_bulk_clear(&seen);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* Counts the distinct tokens of both sides, and finds the largest. */
static akin_status count_tokens(parts *p, uint64_t *universe, akin_error *error)
{
    const akin_join_job *job = p->job;
    uint64_t total = 0;
    for (int s = 0; s < 2 && p->sides[s].sets; s++) {
        const akin_sets *sets = p->sides[s].sets;
        total += sets->offsets[sets->rows];
        for (uint32_t row = 0; row < sets->rows; row++)
            if (sets->offsets[row + 1] > sets->offsets[row])
                p->bound = akin_max_u64(p->bound, (uint64_t)sets->tokens[sets->offsets[row + 1] - 1] + 1);
    }
    if (total > (job->account->limit - job->account->held) / (2 * AKIN_RANKING_BYTES))
        return count_in_bitmap(p, universe, error);
    akin_ranking ranking;
    akin_status status =
        akin_ranking_count(job->scope, job->account, p->sides[0].sets, p->sides[1].sets, &ranking, error);
    *universe = ranking.universe;
    akin_ranking_clear(&ranking);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- one part
 */

/* Copies the sets of a range into a collection, whose row i is the one at place first + i. */
static akin_status gather(const akin_join_job *job, const range *r, akin_sets *out, akin_error *error)
{
    const akin_sets *sets = r->side->sets;
    const uint32_t *rows = r->side->classes.row + r->first;
    uint32_t count = range_rows(r);
    uint64_t *offsets = akin_alloc(job->account, (uint64_t)count + 1, sizeof *offsets);
    uint32_t *tokens = akin_alloc(job->account, range_tokens(r), sizeof *tokens);
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
static void number_rows(const range *r, akin_ranked *ranked)
{
    for (uint32_t i = 0; i < ranked->count; i++)
        ranked->row[i] = r->side->classes.row[r->first + ranked->row[i]];
}

/* Gathers and ranks the sets of one range, or of two. */
static akin_status rank(const akin_join_job *job, const range *probes, const range *indexed, akin_ranked ranked[2],
                        akin_error *error)
{
    akin_sets sets[2] = {0};
    akin_status status = gather(job, probes, &sets[0], error);
    if (status == AKIN_OK && indexed)
        status = gather(job, indexed, &sets[1], error);
    if (status == AKIN_OK)
        status = akin_rank_sets(job->scope, job->account, &sets[0], indexed ? &sets[1] : NULL, &ranked[0], &ranked[1],
                                error);
    for (int s = 0; s < 2; s++) {
        akin_free((void *)sets[s].offsets);
        akin_free((void *)sets[s].tokens);
    }
    if (status == AKIN_OK)
        number_rows(probes, &ranked[0]);
    if (status == AKIN_OK && indexed)
        number_rows(indexed, &ranked[1]);
    return status;
}

static akin_status join_ranked(parts *p, const range *probes, const range *indexed, akin_error *error)
{
    akin_join_job *job = p->job;
    akin_ranked ranked[2] = {0};
    akin_join_part part = akin_join_part_begin();
    double start = akin_clock();
    akin_status status = rank(job, probes, indexed, ranked, error);
    part.summary.seconds_prepare = akin_clock() - start;
    if (status == AKIN_OK) {
        job->self = !indexed;
        job->probes = &ranked[0];
        job->indexed = &ranked[indexed ? 1 : 0];
        p->progress.now = 0;
        for (uint32_t c = 0; c < ranked[0].classes; c++)
            p->progress.now += akin_join_class_pairs(job, c);
        if (p->progress.now)
            job->times = (double)p->progress.total / (double)p->progress.now;
        status = akin_join_part_plan(job, p->options, NULL, &part, NULL, error);
        if (status == AKIN_OK)
            status = akin_join_part_run(job, &part, error);
        p->progress.done += status == AKIN_OK ? p->progress.now : 0;
        p->progress.now = 0;
    }
    if (status == AKIN_OK)
        status = akin_join_report_add(p->report, &part, error);
    akin_ranked_clear(&ranked[0]);
    akin_ranked_clear(&ranked[1]);
    return status;
}

/*
 * About how many bytes a part takes at most, of `tokens` tokens and `rows` rows on both sides, when it is ranked and
 * when it is joined; see sets/ranking.h and sets/ranked.c for the former.
 */
static double predict(const parts *p, double tokens, double rows)
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

/* Whether one range, or two, are joined as they are. */
static int is_small(const parts *p, const range *probes, const range *indexed)
{
    const akin_join_job *job = p->job;
    double tokens = (double)range_tokens(probes) + (indexed ? (double)range_tokens(indexed) : 0);
    double rows = range_rows(probes) + (indexed ? (double)range_rows(indexed) : 0);
    if (akin_wishes_of(job->scope)->part_tokens)
        return tokens <= (double)akin_wishes_of(job->scope)->part_tokens;
    return predict(p, tokens, rows) <= (double)(job->account->limit - job->account->held);
}

/* Joins one range, or two; *refused tells that it failed for the limit of the account, and has left nothing. */
static akin_status join_part(parts *p, const range *probes, const range *indexed, int *refused, akin_error *error)
{
    akin_account *account = p->job->account;
    double tokens = (double)range_tokens(probes) + (indexed ? (double)range_tokens(indexed) : 0);
    double rows = range_rows(probes) + (indexed ? (double)range_rows(indexed) : 0);
    uint64_t held = account->held, peak = account->peak, refusals = account->refused;
    account->peak = held;
    akin_status status = join_ranked(p, probes, indexed, error);
    if (status == AKIN_OK)
        p->scale *= 1.1 * (double)(account->peak - held) / predict(p, tokens, rows);
    *refused = status == AKIN_E_NOMEM && account->refused != refusals && akin_join_found(p->job) == 0;
    account->peak = akin_max_u64(peak, account->peak);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- cutting
 */

/* What ranking takes of two sets of so many tokens together, more than joining them does; see sets/ranking.h. */
static double least(const parts *p, double tokens)
{
    double counted = (double)p->report->all.summary.universe, bound = p->bound ? (double)p->bound : UINT32_MAX;
    double universe = counted > 0 && counted < tokens ? counted : tokens, slots = AKIN_RANKING_PARTS;
    while (slots < 2.04 * universe) /* each part has twice its share, rounded up */
        slots *= 2;
    double table = bound <= 4 * tokens + 65536 ? 4 * bound + 4 * tokens : sizeof(akin_ranking_slot) * slots;
    return 4 * tokens + table + 20 * universe;
}

static akin_status fail_bound(const parts *p, uint64_t tokens, akin_error *error)
{
    /* beside it are the table of thresholds and the like, and an eighth of the join's share is for pairs */
    double needed = akin_budget_for_job((1.1 * least(p, (double)tokens) + 2 * MIB) * 8 / 7);
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

/* What the sets at places `first` to end - 1 weigh when a range is cut. */
static uint64_t weight(const side *side, uint32_t first, uint32_t end)
{
    return tokens_before(side, end) - tokens_before(side, first) + (uint64_t)3 * (end - first);
}

/* Where to cut a range of several sets that is to become `count` parts of equal weight: after half of these, rounded
 * down. */
static uint32_t cut_at(const range *r, uint64_t count)
{
    uint64_t all = weight(r->side, r->first, r->end);
    uint64_t half = count / 2;
    uint64_t wanted = (uint64_t)((double)all * (double)half / (double)count);
    uint32_t low = r->first + 1, high = r->end - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (weight(r->side, r->first, middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* In how many parts a range would have to be cut so that two of them are small enough, at least 2. */
static uint64_t parts_of(const parts *p, const range *r)
{
    const akin_join_job *job = p->job;
    double room = (double)(job->account->limit - job->account->held);
    double all = predict(p, (double)range_tokens(r), range_rows(r));
    if (akin_wishes_of(job->scope)->part_tokens || !(all > room))
        return 2;
    return (uint64_t)(2 * all / room) + 1;
}

/* Of a range, the sets whose sizes those of the other one permit, whose sets the threshold takes for the first. */
static void trim(const akin_threshold *threshold, range *r, const range *other)
{
    uint64_t least, most;
    if (r->first >= r->end || other->first >= other->end)
        return;
    akin_threshold_partners(threshold, size_at(other->side, other->first), size_at(other->side, other->end - 1), &least,
                            &most);
    uint32_t first = akin_ranked_first(&r->side->classes, least);
    uint32_t end = akin_ranked_first(&r->side->classes, most + 1);
    r->first = first > r->first ? first : r->first;
    r->end = end < r->end ? end : r->end;
    if (r->end < r->first)
        r->end = r->first;
}

static akin_status join_two(parts *p, range probes, range indexed, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    int refused = 0;
    const akin_threshold turned = akin_threshold_turn(&p->job->threshold);
    trim(&p->job->threshold, &indexed, &probes);
    trim(&turned, &probes, &indexed);
    if (range_rows(&probes) == 0 || range_rows(&indexed) == 0)
        return AKIN_OK;
    int single = range_rows(&probes) == 1 && range_rows(&indexed) == 1;
    if (single || is_small(p, &probes, &indexed)) {
        akin_status status = join_part(p, &probes, &indexed, &refused, &own);
        if (refused && single)
            return fail_bound(p, range_tokens(&probes) + range_tokens(&indexed), error);
        if (!refused)
            return status == AKIN_OK ? status : akin_fail_again(error, status, &own);
        p->scale *= 1.5;
    }
    int larger = weight(probes.side, probes.first, probes.end) >= weight(indexed.side, indexed.first, indexed.end);
    int cut_probes = range_rows(&indexed) == 1 || (larger && range_rows(&probes) > 1);
    range lower = cut_probes ? probes : indexed, upper = lower;
    lower.end = upper.first = cut_at(&lower, parts_of(p, &lower));
    akin_status status = join_two(p, cut_probes ? lower : probes, cut_probes ? indexed : lower, error);
    if (status == AKIN_OK)
        status = join_two(p, cut_probes ? upper : probes, cut_probes ? indexed : upper, error);
    return status;
}

static akin_status join_self(parts *p, range all, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    int refused = 0;
    if (range_rows(&all) < 2)
        return AKIN_OK;
    if (is_small(p, &all, NULL)) {
        akin_status status = join_part(p, &all, NULL, &refused, &own);
        if (!refused)
            return status == AKIN_OK ? status : akin_fail_again(error, status, &own);
        p->scale *= 1.5;
    }
    range lower = all, upper = all;
    lower.end = upper.first = cut_at(&all, parts_of(p, &all));
    akin_status status = join_self(p, lower, error);
    if (status == AKIN_OK)
        status = join_self(p, upper, error);
    if (status == AKIN_OK)
        status = join_two(p, upper, lower, error);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- the whole
 */

static akin_status prepare(parts *p, const akin_sets *left, const akin_sets *right, akin_error *error)
{
    akin_join_job *job = p->job;
    akin_join_summary *summary = &p->report->all.summary;
    double start = akin_clock();
    akin_status status = side_make(job, left, &p->sides[0], error);
    if (status == AKIN_OK && right)
        status = side_make(job, right, &p->sides[1], error);
    if (status == AKIN_OK)
        status = count_tokens(p, &summary->universe, error);
    if (status != AKIN_OK)
        return status;
    job->probes = &p->sides[0].classes;
    job->indexed = &p->sides[right ? 1 : 0].classes;
    summary->tokens_left = left->offsets[left->rows];
    summary->tokens_right = right ? right->offsets[right->rows] : 0;
    akin_join_part_describe(job, summary);
    akin_join_progress_begin(&p->progress, job->scope, summary->pairs_compatible);
    summary->pairs_compatible = 0; /* the parts add it up */
    summary->seconds_prepare = akin_clock() - start;
    return akin_join_need_make(job, error);
}

#define PAIRS_MOST ((uint64_t)256 << 20) /* bytes for the pairs of all threads, which more would not serve */

/* Gives each thread an array for its pairs. */
static akin_status make_runs(const akin_join_job *job, akin_runs *runs, akin_error *error)
{
    uint64_t bytes = akin_min_u64(akin_budget_part(job->account->limit, AKIN_JOB_PAIRS), PAIRS_MOST);
    uint64_t length = akin_wishes_of(job->scope)->pairs_a_run;
    if (!length)
        length = akin_max_u64(1, bytes / sizeof(akin_u128) / job->slots);
    akin_status status = akin_runs_make(job->scope, length, runs, error);
    for (uint32_t t = 0; t < job->slots && status == AKIN_OK; t++) {
        akin_pairs *pairs = &job->workers[t].pairs;
        pairs->runs = runs;
        pairs->rest.pairs = akin_alloc(job->account, length, sizeof *pairs->rest.pairs);
        if (!pairs->rest.pairs)
            status = akin_fail_memory(error, "the pairs found");
    }
    return status;
}

static akin_status deliver(const parts *p, akin_runs *runs, akin_pair_sink sink, void *sink_user, akin_error *error)
{
    const akin_join_job *job = p->job;
    akin_account *account = job->account;
    akin_runs_rest *rests = akin_alloc(account, job->slots, sizeof *rests);
    if (!rests)
        return akin_fail_memory(error, "merging the pairs");
    for (uint32_t t = 0; t < job->slots; t++)
        rests[t] = job->workers[t].pairs.rest;
    uint64_t room = (account->limit - account->held) / 2;
    akin_status status =
        akin_runs_deliver(p->progress.outer, account, runs, rests, job->slots, room, sink, sink_user, error);
    akin_free(rests);
    return status;
}

static akin_status join_and_deliver(parts *p, akin_pair_sink sink, void *sink_user, akin_error *error)
{
    akin_join_job *job = p->job;
    akin_runs runs = {0};
    akin_status status = AKIN_OK;
    int self = job->self;
    range left = {&p->sides[0], 0, p->sides[0].classes.count}, right = {&p->sides[1], 0, p->sides[1].classes.count};
    if (job->keep && !p->options->any_order)
        status = make_runs(job, &runs, error);
    if (status == AKIN_OK)
        status = self ? join_self(p, left, error) : join_two(p, left, right, error);
    double joined = akin_clock();
    if (status == AKIN_OK && job->keep && p->options->any_order)
        status = akin_join_drain_end(job, error);
    else if (status == AKIN_OK && job->keep)
        status = deliver(p, &runs, sink, sink_user, error);
    p->report->all.summary.seconds_deliver = akin_clock() - joined;
    akin_runs_clear(&runs);
    return status;
}

akin_status akin_join_in_parts(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                               const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                               akin_join_report *report, akin_error *error)
{
    parts p = {.job = job, .options = options, .report = report, .scale = 1};
    uint64_t refusals = job->account->refused;
    akin_status status = prepare(&p, left, right, error);
    if (status == AKIN_E_NOMEM && job->account->refused != refusals)
        status = fail_bound(&p, two_largest(left, right), error);
    if (status == AKIN_OK) {
        job->scope = &p.progress.inner;
        status = join_and_deliver(&p, sink, sink_user, error);
        job->scope = p.progress.outer;
    }
    job->probes = job->indexed = NULL;
    side_clear(&p.sides[0]);
    side_clear(&p.sides[1]);
    return status;
}
