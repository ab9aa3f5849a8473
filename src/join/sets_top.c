/*
 * The k most similar sets of each set, exactly: what it has in common with others is counted, range by range of their sizes, and a
 * threshold rises while partners are found.
 *
 *     smaller  | range 2 |  range 0, of the size of the probe  | range 1 |  larger
 *
 * The first range is counted whole, and the sets with most tokens in common are taken first, so that there is a threshold for all
 * others: the worst of the k best so far. By then a range is counted whole, by lists and bitmaps of all tokens of the probe, or,
 * where that is less work, only by its rarest tokens, as many as every partner must have one of, and what that meets is
 * verified. A side is done when no size further out can reach the threshold.
 *
 * Both sides are ranked and inverted at once, or under a memory bound part by part; partners are kept from part to part.
 */
#include "join/sets_top.h"

#include "base/context.h"
#include "base/budget.h"
#include "base/bits.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "join/best.h"
#include "join/marks.h"
#include "join/overlaps.h"
#include "join/progress.h"
#include "signature/parity.h"

#include <math.h>

#define ROWS_A_TASK 16
#define NONE        UINT32_MAX
#define RESULT      sizeof(uint64_t)
#define SIZE_MOST   INT32_MAX
#define STRIDE_MOST 8   /* words of a signature */
#define SOME        512 /* sets in which what is enough is looked for by one threshold */
#define VERIFIED    4   /* what it takes to verify a set that is met, in counts by a list; */
#define SWEPT       256 /* so many sets of a bitmap take a count, */
#define FOUND       16  /* and so many sets of a range take one */

/* The sets of some rows: a collection whose arrays are borrowed, but for the offsets of a part. */
typedef struct part {
    uint32_t first, end; /* rows */
    akin_sets sets;
    uint64_t *offsets; /* its own, from 0 on */
} part;

/* What a thread has. */
typedef struct prober {
    _Alignas(64) uint64_t *marks; /* the tokens of the probe */
    akin_overlap_counter counter;
} prober;

typedef struct top {
    const akin_scope *scope;
    akin_account *account;
    const akin_sets *left, *right;
    int self;
    akin_measure_form form;
    akin_threshold least; /* that every partner reaches */
    uint32_t k, threads, parts;
    akin_join_progress progress;
    /* the parts at hand, and what is made of them */
    uint32_t left_part, right_part; /* NONE: nothing is */
    part sides[2];
    akin_ranked ranked[2];
    const akin_ranked *probes, *indexed;
    akin_overlaps overlaps; /* of the indexed sets */
    akin_parity parity;     /* likewise */
    uint32_t *set_of;       /* of each left row of the part; NONE: it is empty */
    prober *probers;
    akin_best best;
    uint64_t found;
} top;

/* ----------------------------------------------------------------------------------------------------------- options */

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

/* ------------------------------------------------------------------------------------------------------------- a probe */

/* A probe at work: its best partners, and what a further one must reach. */
typedef struct probe {
    const top *all;
    prober *worker;
    const uint32_t *tokens;
    uint32_t size, row; /* its left row */
    akin_threshold bar;
    uint32_t
        worst; /* the right row of the worst partner where there are k; one that ties is better if its row is less */
    int is_full;
    akin_heap heap;
    int has_marks; /* and the signature */
    uint64_t signature[STRIDE_MOST];
} probe;

static uint32_t size_of_row(const akin_sets *sets, uint32_t row)
{
    return (uint32_t)(sets->offsets[row + (uint64_t)1] - sets->offsets[row]);
}

/* A key is | overlap | right row |. */
static akin_fraction rank_of(const probe *p, uint64_t key)
{
    return akin_rule_rank(p->all->form, key >> 32, p->size, size_of_row(p->all->right, (uint32_t)key));
}

static int is_worse(const void *user, uint64_t a, uint64_t b)
{
    const akin_fraction x = rank_of(user, a), y = rank_of(user, b);
    const akin_u128 left = (akin_u128)x.above * y.below, right = (akin_u128)y.above * x.below;
    return left != right ? left < right : (uint32_t)a > (uint32_t)b;
}

/* Sets what a further partner must reach. */
static void raise_bar(probe *p)
{
    p->is_full = akin_heap_is_full(&p->heap);
    if (!p->is_full)
        return;
    const akin_fraction worst = rank_of(p, p->heap.keys[0]);
    p->bar.rule = (akin_measure_rule){p->all->form, worst.below, worst.above};
    p->worst = (uint32_t)p->heap.keys[0];
}

/* Whether a set of `size` tokens that shares n of them cannot become a partner. Sizes are below 2^31. */
static inline int is_out(const probe *p, uint64_t n, uint64_t size, uint32_t set)
{
    const akin_measure_rule rule = p->bar.rule;
    const akin_u128 has = (akin_u128)(akin_form_is_squared(rule.form) ? n * n : n) * rule.have;
    const akin_u128 wanted = (akin_u128)akin_rule_size(rule.form, p->size, size) * rule.want;
    return has < wanted || (has == wanted && p->is_full && p->all->indexed->row[set] > p->worst);
}

/* No overlap that is less can be enough. */
static uint64_t need_of(const probe *p, uint64_t size)
{
    const akin_measure_rule rule = p->bar.rule;
    if (akin_form_is_squared(rule.form)) {
        const double root = sqrt((double)p->size * (double)size * ((double)rule.want / (double)rule.have));
        return root > 2 ? (uint64_t)(root * (1 - 1e-9)) - 1 : 1; /* a little less, as it is rounded */
    }
    return akin_max_u64(1, akin_ceil_div(rule.want * akin_rule_size(rule.form, p->size, size), rule.have));
}

/* Takes a set that shares so many tokens if that is enough. */
static void offer(probe *p, uint32_t set, uint32_t size, uint32_t shared)
{
    const uint32_t row = p->all->indexed->row[set];
    uint64_t dropped;
    if (shared == 0 || (p->all->self && row == p->row) || is_out(p, shared, size, set))
        return;
    if (akin_heap_offer(&p->heap, (uint64_t)shared << 32 | row, 0, &dropped))
        raise_bar(p);
}

/* Takes the k sets that share most, and those that share as much, but none that shares less than `need`: the k best of
 * them are a first threshold. Returns whether these are all that share so much. */
static int take_seeds(probe *p, uint32_t first, uint32_t end, uint32_t need)
{
    akin_overlap_counter *counter = &p->worker->counter;
    uint32_t least = need, most = p->size;
    while (least < most) {
        const uint32_t middle = least + (most - least + 1) / 2;
        if (akin_overlaps_find(counter, first, end, middle) > p->all->k) /* the probe itself may be one */
            least = middle;
        else
            most = middle - 1;
    }
    const uint32_t found = akin_overlaps_find(counter, first, end, least);
    for (uint32_t i = 0; i < found; i++) {
        const uint32_t set = first + counter->found[i];
        offer(p, set, akin_ranked_size(p->all->indexed, set), akin_overlaps_of(counter, set));
        akin_overlaps_drop(counter, set);
    }
    return least == need;
}

/* Counts all tokens of the probe, and takes the sets that share enough. A larger set needs no less. */
static void count_range(probe *p, uint32_t first, uint32_t end)
{
    const akin_ranked *indexed = p->all->indexed;
    akin_overlap_counter *counter = &p->worker->counter;
    const uint32_t need = (uint32_t)need_of(p, akin_ranked_size(indexed, first)); /* at most all: see search_range */
    akin_overlaps_count(counter);
    const int is_done = !p->is_full && take_seeds(p, first, end, need);
    for (uint32_t set = is_done ? end : first, stop; set < end; set = stop) {
        stop = (uint32_t)akin_min_u64(end, (uint64_t)set + SOME);
        const uint32_t found = akin_overlaps_find(counter, set, stop, need_of(p, akin_ranked_size(indexed, set)));
        for (uint32_t i = 0; i < found; i++) {
            const uint32_t at = set + counter->found[i];
            offer(p, at, akin_ranked_size(indexed, at), akin_overlaps_of(counter, at));
        }
    }
    akin_overlaps_reset(counter);
}

/* Marks the tokens of the probe, to verify sets by. */
static void set_marks(probe *p)
{
    if (p->has_marks)
        return;
    akin_mark(p->worker->marks, p->tokens, p->size);
    memset(p->signature, 0, sizeof p->signature);
    akin_parity_add(p->signature, p->all->parity.stride, p->tokens, p->size);
    p->has_marks = 1;
}

/* In how many tokens a set differs from the probe, at least. */
static uint32_t apart_of(const probe *p, uint32_t set)
{
    const uint32_t stride = p->all->parity.stride;
    const uint64_t *signature = p->all->parity.words + (uint64_t)set * stride;
    uint32_t apart = 0;
    for (uint32_t word = 0; word < stride; word++)
        apart += akin_popcount64(signature[word] ^ p->signature[word]);
    return apart;
}

/* Meets the sets that have one of the `some` rarest tokens of the probe, and verifies those that can share enough. */
static void meet_range(probe *p, uint32_t some)
{
    const akin_ranked *indexed = p->all->indexed;
    akin_overlap_counter *counter = &p->worker->counter;
    uint32_t needed_by = 0; /* sets of this size share so much, at least, as the threshold was when the size was met */
    uint64_t need = 0;
    set_marks(p);
    const uint32_t met = akin_overlaps_meet(counter, some);
    for (uint32_t i = 0; i < met; i++) {
        const uint32_t place = counter->found[i], set = counter->first + place, size = akin_ranked_size(indexed, set);
        const uint64_t most = akin_min_u64(size, (uint64_t)counter->bytes[place] + p->size - some);
        counter->bytes[place] = 0;
        if (size != needed_by) {
            needed_by = size;
            need = need_of(p, size);
        }
        if (most < need || ((uint64_t)p->size + size - apart_of(p, set)) / 2 < need || is_out(p, most, size, set))
            continue;
        const uint32_t *tokens = indexed->tokens + indexed->offsets[set];
        offer(p, set, size, akin_count_marked(p->worker->marks, tokens, size, need));
    }
}

/* Whether it is less work to meet sets by the `some` rarest tokens of the probe than to count all in a range of so many sets. */
static int is_worth_meeting(const probe *p, uint32_t some, uint32_t sets)
{
    akin_overlap_counter *counter = &p->worker->counter;
    if (some > counter->listed || some > UINT8_MAX)
        return 0;
    const uint64_t met = akin_overlaps_postings(counter, some) * VERIFIED;
    const uint64_t swept = (uint64_t)(p->size - counter->listed) * sets / SWEPT + sets / FOUND;
    return met < swept || met < swept + akin_overlaps_postings(counter, counter->listed);
}

/* Looks for partners among some sets, a range. Returns whether sets of these sizes can be any. */
static int search_range(probe *p, uint32_t first, uint32_t end)
{
    const akin_ranked *indexed = p->all->indexed;
    akin_overlap_counter *counter = &p->worker->counter;
    const uint64_t smallest = akin_threshold_smallest(&p->bar, p->size),
                   largest = akin_threshold_largest(&p->bar, p->size);
    if (smallest > largest)
        return 0;
    first = akin_max_u32(first, akin_ranked_first(indexed, smallest));
    end = (uint32_t)akin_min_u64(end, akin_ranked_first(indexed, largest + 1));
    if (first >= end)
        return 0;
    const uint64_t need = need_of(p, akin_ranked_size(indexed, first));
    if (need > p->size)
        return 1;
    akin_overlaps_take(counter, p->tokens, p->size, first / AKIN_SWEEP_PLACES * AKIN_SWEEP_PLACES, end);
    if (is_worth_meeting(p, p->size - (uint32_t)need + 1, end - first))
        meet_range(p, p->size - (uint32_t)need + 1);
    else
        count_range(p, first, end);
    return 1;
}

/* Looks for partners among the sets of the part at hand. */
static void search_part(probe *p)
{
    const uint32_t sets = p->all->indexed->count;
    const uint32_t ranges = (uint32_t)akin_ceil_div(sets, AKIN_OVERLAPS_RANGE);
    uint32_t low = akin_ranked_first(p->all->indexed, p->size) / AKIN_OVERLAPS_RANGE, high = low;
    int upwards = high < ranges;
    while (low > 0 || high < ranges) {
        const uint32_t range = upwards ? high : low - 1, first = range * AKIN_OVERLAPS_RANGE;
        const uint32_t end = (uint32_t)akin_min_u64((uint64_t)first + AKIN_OVERLAPS_RANGE, sets);
        const int any = search_range(p, first, end);
        if (upwards)
            high = any ? high + 1 : ranges;
        else
            low = any ? low - 1 : 0;
        upwards = high < ranges && (!upwards || low == 0);
    }
}

/* Finds the partners of a left row among the sets of the part at hand. */
static void search_row(const top *all, prober *w, uint32_t row)
{
    const uint32_t set = all->set_of[row - all->sides[0].first], at = row - all->best.first;
    if (set == NONE)
        return;
    probe p = {.all = all,
               .worker = w,
               .tokens = all->probes->tokens + all->probes->offsets[set],
               .size = akin_ranked_size(all->probes, set),
               .row = row,
               .bar = all->least,
               .heap = {akin_best_keys(&all->best, row), all->best.held[at], all->k, is_worse, NULL}};
    p.heap.user = &p;
    raise_bar(&p);
    search_part(&p);
    if (p.has_marks)
        akin_unmark(w->marks, p.tokens, p.size);
    all->best.held[at] = p.heap.held;
}

static akin_status search_rows(void *argument, uint64_t task, uint32_t thread)
{
    const top *all = argument;
    const uint64_t first = all->best.first + task * ROWS_A_TASK, end = akin_min_u64(first + ROWS_A_TASK, all->best.end);
    for (uint64_t row = first; row < end; row++)
        search_row(all, &all->probers[thread], (uint32_t)row);
    return AKIN_OK;
}

static akin_status sort_rows(void *argument, uint64_t task, uint32_t thread)
{
    const top *all = argument;
    const uint64_t first = all->best.first + task * ROWS_A_TASK, end = akin_min_u64(first + ROWS_A_TASK, all->best.end);
    (void)thread;
    for (uint64_t row = first; row < end; row++) {
        probe p = {.all = all, .size = size_of_row(all->left, (uint32_t)row)};
        akin_heap heap = {akin_best_keys(&all->best, (uint32_t)row), all->best.held[row - all->best.first], all->k,
                          is_worse, &p};
        akin_heap_sort(&heap);
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- parts */

static void clear_part(top *t)
{
    for (int s = 0; s < 2; s++) {
        akin_ranked_clear(&t->ranked[s]);
        akin_free(t->sides[s].offsets);
        t->sides[s] = (part){0};
    }
    for (uint32_t i = 0; i < t->threads && t->probers; i++) {
        akin_free(t->probers[i].marks);
        akin_overlaps_end(&t->probers[i].counter);
    }
    akin_free(t->probers);
    akin_free(t->set_of);
    akin_overlaps_clear(&t->overlaps);
    akin_parity_clear(&t->parity);
    t->probers = NULL;
    t->set_of = NULL;
    t->left_part = t->right_part = NONE;
}

/* Where part `number` of a collection begins: parts have about as many tokens and rows. */
static uint32_t border(const akin_sets *sets, uint32_t number, uint32_t parts)
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

static akin_status take_part(const top *t, const akin_sets *sets, uint32_t number, part *out, akin_error *error)
{
    *out = (part){.first = border(sets, number, t->parts), .end = border(sets, number + 1, t->parts)};
    out->sets = (akin_sets){.rows = out->end - out->first, .offsets = sets->offsets, .tokens = sets->tokens};
    if (t->parts == 1)
        return AKIN_OK;
    out->offsets = akin_alloc(t->account, (uint64_t)out->sets.rows + 1, sizeof *out->offsets);
    if (!out->offsets)
        return akin_fail_memory(error, "a part of the sets");
    for (uint64_t i = 0; i <= out->sets.rows; i++)
        out->offsets[i] = sets->offsets[out->first + i] - sets->offsets[out->first];
    out->sets.offsets = out->offsets;
    out->sets.tokens = sets->tokens + sets->offsets[out->first];
    return AKIN_OK;
}

/* How wide signatures are: so that a set fills about a third of one. */
static uint32_t width_of(const akin_ranked *ranked)
{
    const uint64_t mean = akin_ranked_tokens(ranked) / akin_max_u64(1, ranked->count);
    uint32_t bits = AKIN_PARITY_BITS_LEAST;
    while (bits < 64 * STRIDE_MOST && bits < 3 * mean)
        bits *= 2;
    return bits;
}

static uint32_t largest_of(const akin_ranked *ranked)
{
    return ranked->classes ? ranked->class_size[ranked->classes - 1] : 0;
}

static akin_status make_probers(top *t, akin_error *error)
{
    t->set_of = akin_alloc(t->account, t->sides[0].end - t->sides[0].first, sizeof *t->set_of);
    t->probers = akin_alloc_zero(t->account, t->threads, sizeof *t->probers);
    int made = t->set_of && t->probers;
    for (uint32_t i = 0; made && i < t->threads; i++) {
        prober *p = &t->probers[i];
        p->marks = akin_alloc_zero(t->account, t->indexed->universe / 64 + 1, sizeof *p->marks);
        made = akin_overlaps_begin(&p->counter, t->account, &t->overlaps, largest_of(t->probes)) && p->marks;
    }
    if (!made)
        return akin_fail_memory(error, "the search for partners");
    for (uint32_t row = t->sides[0].first; row < t->sides[0].end; row++)
        t->set_of[row - t->sides[0].first] = NONE;
    for (uint32_t set = 0; set < t->probes->count; set++)
        t->set_of[t->probes->row[set]] = set;
    for (uint32_t set = 0; set < t->indexed->count && t->indexed != t->probes; set++)
        t->ranked[1].row[set] += t->sides[1].first;
    return AKIN_OK;
}

static akin_status check_sizes(const akin_ranked *ranked, akin_error *error)
{
    if (largest_of(ranked) <= SIZE_MOST)
        return AKIN_OK;
    return akin_fail_row(error, AKIN_E_LIMIT, AKIN_REASON_NONE, ranked->row[ranked->count - 1], NULL,
                         ": a set of more than %d tokens is too large for its best partners to be found", SIZE_MOST);
}

/* Ranks the sets of two parts and indexes those of the right one, unless these are at hand. */
static akin_status prepare(top *t, uint32_t left_part, uint32_t right_part, akin_error *error)
{
    const int same =
        t->self && t->parts == 1; /* of several parts even the same one is ranked twice, which is simpler */
    if (t->left_part == left_part && t->right_part == right_part)
        return AKIN_OK;
    clear_part(t);
    akin_status status = take_part(t, t->left, left_part, &t->sides[0], error);
    if (status == AKIN_OK && !same)
        status = take_part(t, t->right, right_part, &t->sides[1], error);
    if (status == AKIN_OK)
        status = akin_rank_sets(t->scope, t->account, &t->sides[0].sets, same ? NULL : &t->sides[1].sets, &t->ranked[0],
                                &t->ranked[1], error);
    t->probes = &t->ranked[0];
    t->indexed = &t->ranked[!same];
    if (status == AKIN_OK)
        status = check_sizes(t->probes, error);
    if (status == AKIN_OK)
        status = check_sizes(t->indexed, error);
    if (status == AKIN_OK)
        status = akin_overlaps_build(t->scope, t->account, t->indexed, &t->overlaps, error);
    if (status == AKIN_OK)
        status = akin_parity_build(t->scope, t->account, t->indexed, width_of(t->indexed), &t->parity, error);
    if (status == AKIN_OK)
        status = make_probers(t, error);
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

static void pair_of(const void *user, uint32_t row, uint64_t key, akin_pair *out)
{
    (void)user;
    *out = (akin_pair){row, (uint32_t)key, (uint32_t)(key >> 32)};
}

/* Finds and delivers the partners of some left rows, which are of one part. */
static akin_status join_block(top *t, uint32_t left_part, uint32_t first, uint32_t end, akin_pair_sink sink, void *user,
                              akin_join_summary *summary, akin_error *error)
{
    akin_status status = akin_best_begin(t->account, first, end, t->k, &t->best, error);
    for (uint32_t part = 0; part < t->parts && status == AKIN_OK; part++) {
        const double begun = akin_clock();
        status = prepare(t, left_part, part, error);
        summary->seconds_prepare += akin_clock() - begun;
        if (status == AKIN_OK)
            status = search_block(t, error);
    }
    const double joined = akin_clock();
    if (status == AKIN_OK) {
        status = akin_parallel(t->scope, NULL, akin_ceil_div(end - first, ROWS_A_TASK), sort_rows, t);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "sorting the partners");
    }
    if (status == AKIN_OK)
        status = akin_best_deliver(&t->best, pair_of, t, sink, user, &t->found, error);
    summary->seconds_deliver += akin_clock() - joined;
    akin_best_clear(&t->best);
    return status;
}

static akin_status join_parts(top *t, akin_pair_sink sink, void *user, akin_join_summary *summary, akin_error *error)
{
    akin_status status = AKIN_OK;
    akin_join_progress_begin(&t->progress, t->scope, (uint64_t)t->left->rows * t->parts);
    for (uint32_t part = 0; part < t->parts && status == AKIN_OK; part++) {
        const uint32_t end = border(t->left, part + 1, t->parts);
        for (uint32_t row = border(t->left, part, t->parts), next; row < end && status == AKIN_OK; row = next) {
            next = row + akin_best_rows(t->account, end - row, t->k, RESULT);
            status = join_block(t, part, row, next, sink, user, summary, error);
        }
    }
    clear_part(t);
    return status;
}

/* In how many parts each side is cut, so that two of them are ranked and indexed within a bound. */
static uint32_t count_parts(const top *t)
{
    const uint64_t tokens = t->left->offsets[t->left->rows] + t->right->offsets[t->right->rows];
    const uint64_t rows = (uint64_t)t->left->rows + t->right->rows, limit = t->account->limit;
    const uint64_t most = akin_max_u64(1, akin_max_u32(t->left->rows, t->right->rows));
    if (akin_wishes_of(t->scope)->part_tokens) /* as tests wish */
        return (uint32_t)akin_min_u64(most, 1 + tokens / akin_wishes_of(t->scope)->part_tokens);
    return limit ? (uint32_t)akin_min_u64(most,
                                          1 + (12 * tokens + 40 * rows) / akin_budget_part(limit, AKIN_JOB_TOP_PARTS))
                 : 1;
}

/* Joins in as many parts as the bound is predicted to permit. Where that was too few, an allocation is refused before
 * any pair is found, and there are twice as many. */
static akin_status join(top *t, akin_pair_sink sink, void *user, akin_join_summary *summary, akin_error *error)
{
    const uint32_t most = akin_max_u32(t->left->rows, t->right->rows);
    t->parts = count_parts(t);
    for (;; t->parts = (uint32_t)akin_min_u64(most, 2 * (uint64_t)t->parts)) {
        const uint64_t refused = t->account->refused;
        const akin_status status = join_parts(t, sink, user, summary, error);
        if (status != AKIN_E_NOMEM || t->account->refused == refused || t->found > 0 || t->parts >= most)
            return status;
    }
}

static void sum_up(const top *t, akin_join_summary *summary)
{
    const uint64_t left = t->left->rows, right = t->right->rows;
    for (uint32_t row = 0; row < left; row++)
        summary->rows_left += size_of_row(t->left, row) > 0;
    for (uint32_t row = 0; row < right && !t->self; row++)
        summary->rows_right += size_of_row(t->right, row) > 0;
    const uint64_t rows = summary->rows_left;
    summary->tokens_left = t->left->offsets[left];
    summary->tokens_right = t->self ? 0 : t->right->offsets[right];
    summary->pairs_all = t->self ? rows * (rows - (rows > 0)) : rows * summary->rows_right;
    summary->pairs_compatible = summary->pairs_all;
    summary->pairs_found = t->found;
    summary->threads = t->threads;
}

akin_status akin_sets_top(const akin_scope *scope, akin_account *account, const akin_sets *left, const akin_sets *right,
                          const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                          akin_join_summary *summary, akin_error *error)
{
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    top t = {.scope = &few, .account = account, .left = left, .right = right ? right : left, .self = right == NULL};
    akin_status status = akin_sets_top_check(options, &t.least, error);
    if (status == AKIN_OK)
        status = akin_best_check_device(scope->device_choice, error);
    if (status != AKIN_OK)
        return status;
    const double begun = akin_clock();
    t.form = akin_measure_of(options->measure)->form;
    t.k = (uint32_t)akin_min_u64(options->top, akin_max_u32(t.right->rows, 1));
    t.threads = few.threads;
    t.left_part = t.right_part = NONE;
    status = join(&t, sink, sink_user, summary, error);
    summary->seconds_join = akin_clock() - begun - summary->seconds_prepare - summary->seconds_deliver;
    sum_up(&t, summary);
    return status;
}
