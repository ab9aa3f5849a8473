/*
 * The k most similar sets of each set, exactly. Both sides are ranked and indexed at once, or under a memory bound part
 * by part; then partners are kept from part to part. A way (top.h) finds the partners, and is chosen by its predicted
 * cost.
 */
#include "join/sets_top.h"

#include "base/context.h"
#include "base/budget.h"
#include "base/bits.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "join/best.h"
#include "join/marks.h"
#include "join/progress.h"
#include "join/top.h"

#define ROWS_A_TASK 16
#define NONE        UINT32_MAX
#define RESULT      sizeof(uint64_t)
#define SIZE_MOST   INT32_MAX

/* The sets of some rows: a collection whose arrays are borrowed, but for the offsets of a part. */
typedef struct part {
    uint32_t first, end; /* rows */
    akin_sets sets;
    uint64_t *offsets; /* its own, from 0 on */
} part;

/* The job at work. */
typedef struct top {
    const akin_sets *left;
    uint32_t threads, parts;
    akin_join_progress progress;
    /* the parts at hand, and what is made of them */
    uint32_t left_part, right_part; /* NONE: nothing is */
    part sides[2];
    akin_ranked ranked[2];
    akin_top all;
    uint32_t *set_of; /* of each left row of the part; NONE: it is empty */
    akin_top_prober *probers;
    akin_best best;
    int marks_ties;
    uint64_t found;
} top;

/* ---------------------------------------------------------------------------------------------------------- options */

akin_status akin_sets_top_check(const akin_join_options *options, akin_threshold *least, akin_error *error)
{
    const akin_ratio one = {1, 1};
    if (options->technique != AKIN_AUTO || options->bits || options->annex)
        return akin_fail(
            error, AKIN_E_OPTION,
            "the best partners of a row are found by a technique of their own: use the technique auto, and "
            "no bits, block, filter or sharing");
    if (options->threshold.num > 0)
        return akin_threshold_make(options->measure, options->threshold, least, error);
    akin_status status = akin_threshold_make(options->measure, one, least, error); /* is there such a measure? */
    return status == AKIN_OK ? akin_threshold_make(AKIN_OVERLAP, one, least, error) : status;
}

/* ---------------------------------------------------------------------------------------------------------- a probe */

/* Finds the partners of a left row among the sets of the part at hand. */
static void search_row(const top *t, akin_top_prober *w, uint32_t row)
{
    const akin_top *all = &t->all;
    const uint32_t set = t->set_of[row - t->sides[0].first], at = row - t->best.first;
    if (set == NONE)
        return;
    akin_top_probe p = {.all = all,
                        .worker = w,
                        .tokens = all->probes->tokens + all->probes->offsets[set],
                        .size = akin_ranked_size(all->probes, set),
                        .row = row,
                        .bar = all->least,
                        .heap = {akin_best_keys(&t->best, row), t->best.held[at], all->k, akin_top_is_worse, NULL}};
    p.heap.user = &p;
    akin_top_raise_bar(&p);
    all->way->search(&p);
    if (p.has_marks)
        akin_unmark(w->marks, p.tokens, p.size);
    t->best.held[at] = p.heap.held;
}

static akin_status search_rows(void *argument, uint64_t task, uint32_t thread)
{
    const top *t = argument;
    const uint64_t first = t->best.first + task * ROWS_A_TASK, end = akin_min_u64(first + ROWS_A_TASK, t->best.end);
    for (uint64_t row = first; row < end; row++)
        search_row(t, &t->probers[thread], (uint32_t)row);
    return AKIN_OK;
}

/* Marks the partners that tie, from the last one on: so keys are compared before they are marked. */
static void mark_ties(const akin_top_probe *p, uint64_t *keys, uint32_t held)
{
    for (uint32_t i = held; i-- > 1;)
        if (akin_top_is_tie(p, keys[i - 1], keys[i]))
            keys[i] |= (uint64_t)AKIN_BEST_TIES << 32;
}

static akin_status sort_top_rows(void *argument, uint64_t task, uint32_t thread)
{
    const top *t = argument;
    const uint64_t first = t->best.first + task * ROWS_A_TASK, end = akin_min_u64(first + ROWS_A_TASK, t->best.end);
    (void)thread;
    for (uint64_t row = first; row < end; row++) {
        akin_top_probe p = {.all = &t->all, .size = akin_top_row_size(t->left, (uint32_t)row)};
        akin_heap heap = {akin_best_keys(&t->best, (uint32_t)row), t->best.held[row - t->best.first], t->all.k,
                          akin_top_is_worse, &p};
        akin_heap_sort(&heap);
        if (t->marks_ties)
            mark_ties(&p, heap.keys, heap.held);
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ parts */

static void clear_part(top *t)
{
    for (int s = 0; s < 2; s++) {
        akin_ranked_clear(&t->ranked[s]);
        akin_free(t->sides[s].offsets);
        t->sides[s] = (part){0};
    }
    for (uint32_t i = 0; i < t->threads && t->probers; i++) {
        akin_free(t->probers[i].marks);
        if (t->all.way)
            t->all.way->end(&t->probers[i]);
    }
    akin_free(t->probers);
    akin_free(t->set_of);
    if (t->all.way)
        t->all.way->clear(&t->all);
    t->all.way = NULL;
    akin_parity_clear(&t->all.parity);
    t->probers = NULL;
    t->set_of = NULL;
    t->left_part = t->right_part = NONE;
}

/* Where part `number` of a collection begins: parts have about as many tokens and rows. */
static uint32_t top_border(const akin_sets *sets, uint32_t number, uint32_t parts)
{
    const uint64_t all = sets->offsets[sets->rows] + 4 * (uint64_t)sets->rows;
    const double wanted = (double)all * number / parts;
    uint32_t low = 0, high = sets->rows;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)(sets->offsets[middle] + 4 * (uint64_t)middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return number == parts ? sets->rows : low;
}

static akin_status take_top_part(const top *t, const akin_sets *sets, uint32_t number, part *out, akin_error *error)
{
    *out = (part){.first = top_border(sets, number, t->parts), .end = top_border(sets, number + 1, t->parts)};
    out->sets = (akin_sets){.rows = out->end - out->first, .offsets = sets->offsets, .tokens = sets->tokens};
    if (t->parts == 1)
        return AKIN_OK;
    out->offsets = akin_alloc(t->all.account, (uint64_t)out->sets.rows + 1, sizeof *out->offsets);
    if (!out->offsets)
        return akin_fail_memory(error, "a part of the sets");
    for (uint64_t i = 0; i <= out->sets.rows; i++)
        out->offsets[i] = sets->offsets[out->first + i] - sets->offsets[out->first];
    out->sets.offsets = out->offsets;
    out->sets.tokens = sets->tokens + sets->offsets[out->first];
    return AKIN_OK;
}

/* How wide signatures are: so that a set fills about a third of one. */
static uint32_t width_of_top(const akin_ranked *ranked)
{
    const uint64_t mean = akin_ranked_tokens(ranked) / akin_max_u64(1, ranked->count);
    uint32_t bits = AKIN_PARITY_BITS_LEAST;
    while (bits < 64 * AKIN_TOP_STRIDE_MOST && bits < 3 * mean)
        bits *= 2;
    return bits;
}

static akin_status make_top_probers(top *t, akin_error *error)
{
    t->set_of = akin_alloc(t->all.account, t->sides[0].end - t->sides[0].first, sizeof *t->set_of);
    t->probers = akin_alloc_zero(t->all.account, t->threads, sizeof *t->probers);
    int made = t->set_of && t->probers;
    for (uint32_t i = 0; made && i < t->threads; i++) {
        akin_top_prober *p = &t->probers[i];
        p->marks = akin_alloc_zero(t->all.account, t->all.indexed->universe / 64 + 1, sizeof *p->marks);
        made = t->all.way->begin(&t->all, p) && p->marks;
    }
    if (!made)
        return akin_fail_memory(error, "the search for partners");
    for (uint32_t row = t->sides[0].first; row < t->sides[0].end; row++)
        t->set_of[row - t->sides[0].first] = NONE;
    for (uint32_t set = 0; set < t->all.probes->count; set++)
        t->set_of[t->all.probes->row[set]] = set;
    for (uint32_t set = 0; set < t->all.indexed->count && t->all.indexed != t->all.probes; set++)
        t->ranked[1].row[set] += t->sides[1].first;
    return AKIN_OK;
}

static akin_status check_top_sizes(const akin_ranked *ranked, akin_error *error)
{
    if (akin_ranked_largest(ranked) <= SIZE_MOST)
        return AKIN_OK;
    return akin_fail_row(error, AKIN_E_LIMIT, AKIN_REASON_NONE, ranked->row[ranked->count - 1], NULL,
                         ": a set of more than %d tokens is too large for its best partners to be found", SIZE_MOST);
}

/* Ranks the sets of two parts and indexes those of the right one, unless these are at hand. */
static akin_status prepare_top(top *t, uint32_t left_part, uint32_t right_part, akin_error *error)
{
    const int same =
        t->all.self && t->parts == 1; /* of several parts even the same one is ranked twice, which is simpler */
    if (t->left_part == left_part && t->right_part == right_part)
        return AKIN_OK;
    clear_part(t);
    akin_status status = take_top_part(t, t->left, left_part, &t->sides[0], error);
    if (status == AKIN_OK && !same)
        status = take_top_part(t, t->all.right, right_part, &t->sides[1], error);
    if (status == AKIN_OK)
        status = akin_rank_sets(t->all.scope, t->all.account, &t->sides[0].sets, same ? NULL : &t->sides[1].sets,
                                &t->ranked[0], &t->ranked[1], error);
    t->ranked[0].once = t->ranked[1].once = 0; /* a set that stands for equal rows may be its own partner */
    t->all.probes = &t->ranked[0];
    t->all.indexed = &t->ranked[!same];
    if (status == AKIN_OK)
        status = check_top_sizes(t->all.probes, error);
    if (status == AKIN_OK)
        status = check_top_sizes(t->all.indexed, error);
    if (status == AKIN_OK)
        status = akin_parity_build(t->all.scope, t->all.account, t->all.indexed, width_of_top(t->all.indexed),
                                   &t->all.parity, error);
    if (status == AKIN_OK)
        status = akin_top_choose(&t->all, error);
    if (status == AKIN_OK)
        status = t->all.way->build(&t->all, error);
    if (status == AKIN_OK)
        status = make_top_probers(t, error);
    if (status == AKIN_OK) {
        t->left_part = left_part;
        t->right_part = right_part;
    }
    return status;
}

static akin_status search_block(top *t, akin_error *error)
{
    const uint32_t rows = t->best.end - t->best.first;
    t->progress.now = rows;
    akin_status status = akin_parallel(&t->progress.inner, "joining", akin_ceil_div(rows, ROWS_A_TASK), search_rows, t);
    t->progress.done += rows;
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "the search for partners");
}

static void pair_of_key(const void *user, uint32_t row, uint64_t key, akin_pair *out)
{
    (void)user;
    *out = (akin_pair){row, (uint32_t)key, (uint32_t)(key >> 32)};
}

/* Finds and delivers the partners of some left rows, which are of one part. */
static akin_status join_top_block(top *t, uint32_t left_part, uint32_t first, uint32_t end, akin_pair_sink sink,
                                  void *user, akin_join_summary *summary, akin_error *error)
{
    akin_status status = akin_best_begin(t->all.account, first, end, t->all.k, &t->best, error);
    for (uint32_t part = 0; part < t->parts && status == AKIN_OK; part++) {
        const double begun = akin_clock();
        status = prepare_top(t, left_part, part, error);
        summary->seconds_prepare += akin_clock() - begun;
        if (status == AKIN_OK)
            status = search_block(t, error);
    }
    const double joined = akin_clock();
    if (status == AKIN_OK) {
        status = akin_parallel(t->all.scope, NULL, akin_ceil_div(end - first, ROWS_A_TASK), sort_top_rows, t);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "sorting the partners");
    }
    if (status == AKIN_OK)
        status = akin_best_deliver(&t->best, pair_of_key, t, sink, user, &t->found, error);
    summary->seconds_deliver += akin_clock() - joined;
    akin_best_clear(&t->best);
    return status;
}

static akin_status join_parts(top *t, akin_pair_sink sink, void *user, akin_join_summary *summary, akin_error *error)
{
    akin_status status = AKIN_OK;
    akin_join_progress_begin(&t->progress, t->all.scope, (uint64_t)t->left->rows * t->parts);
    for (uint32_t part = 0; part < t->parts && status == AKIN_OK; part++) {
        const uint32_t end = top_border(t->left, part + 1, t->parts);
        for (uint32_t row = top_border(t->left, part, t->parts), next; row < end && status == AKIN_OK; row = next) {
            next = row + akin_best_rows(t->all.account, end - row, t->all.k, RESULT, sink, user);
            status = join_top_block(t, part, row, next, sink, user, summary, error);
        }
    }
    clear_part(t);
    return status;
}

/* In how many parts each side is cut, so that two of them are ranked and indexed within a bound. */
static uint32_t count_parts(const top *t)
{
    const uint64_t tokens = t->left->offsets[t->left->rows] + t->all.right->offsets[t->all.right->rows];
    const uint64_t rows = (uint64_t)t->left->rows + t->all.right->rows, limit = t->all.account->limit;
    const uint64_t most = akin_max_u64(1, akin_max_u32(t->left->rows, t->all.right->rows));
    if (akin_wishes_of(t->all.scope)->part_tokens) /* as tests wish */
        return (uint32_t)akin_min_u64(most, 1 + tokens / akin_wishes_of(t->all.scope)->part_tokens);
    return limit ? (uint32_t)akin_min_u64(most,
                                          1 + (12 * tokens + 40 * rows) / akin_budget_part(limit, AKIN_JOB_TOP_PARTS))
                 : 1;
}

/* Joins in as many parts as the bound is predicted to permit. Where that was too few, an allocation is refused before
 * any pair is found, and there are twice as many. */
static akin_status join_top_sets(top *t, akin_pair_sink sink, void *user, akin_join_summary *summary, akin_error *error)
{
    const uint32_t most = akin_max_u32(t->left->rows, t->all.right->rows);
    t->parts = count_parts(t);
    for (;; t->parts = (uint32_t)akin_min_u64(most, 2 * (uint64_t)t->parts)) {
        const uint64_t refused = t->all.account->refused;
        const akin_status status = join_parts(t, sink, user, summary, error);
        if (status != AKIN_E_NOMEM || t->all.account->refused == refused || t->found > 0 || t->parts >= most)
            return status;
    }
}

static void sum_up(const top *t, akin_join_summary *summary)
{
    const uint64_t left = t->left->rows, right = t->all.right->rows;
    for (uint32_t row = 0; row < left; row++)
        summary->rows_left += akin_top_row_size(t->left, row) > 0;
    for (uint32_t row = 0; row < right && !t->all.self; row++)
        summary->rows_right += akin_top_row_size(t->all.right, row) > 0;
    const uint64_t rows = summary->rows_left;
    summary->tokens_left = t->left->offsets[left];
    summary->tokens_right = t->all.self ? 0 : t->all.right->offsets[right];
    summary->pairs_all = t->all.self ? rows * (rows - (rows > 0)) : rows * summary->rows_right;
    summary->pairs_compatible = summary->pairs_all;
    summary->pairs_found = t->found;
    summary->threads = t->threads;
}

akin_status akin_sets_top(const akin_scope *scope, akin_account *account, const akin_sets *left, const akin_sets *right,
                          const akin_join_options *options, int of_groups, akin_pair_sink sink, void *sink_user,
                          akin_join_summary *summary, akin_error *error)
{
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    top t = {.left = left,
             .all = {.scope = &few, .account = account, .right = right ? right : left, .self = right == NULL},
             .marks_ties = of_groups};
    akin_status status = akin_sets_top_check(options, &t.all.least, error);
    if (status == AKIN_OK)
        status = akin_best_check_device(scope->device_choice, error);
    if (status != AKIN_OK)
        return status;
    const double begun = akin_clock();
    t.all.is_own = of_groups;
    t.all.form = akin_measure_of(options->measure)->form;
    t.all.k = (uint32_t)akin_min_u64(options->top, akin_max_u32(t.all.right->rows, 1));
    t.threads = few.threads;
    t.left_part = t.right_part = NONE;
    status = join_top_sets(&t, sink, sink_user, summary, error);
    summary->seconds_join = akin_clock() - begun - summary->seconds_prepare - summary->seconds_deliver;
    sum_up(&t, summary);
    return status;
}
