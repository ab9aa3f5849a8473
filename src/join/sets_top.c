/*
 * The k most similar sets of each set, exactly: a prefix index whose threshold rises while partners are found.
 *
 *     tokens of a probe    | rarest | next | ... | most frequent |
 *     their lists          sets that hold it, by size: only sizes that can still be among the best are read
 *
 * A set that is met in list i for the first time shares none of the tokens before it, so it shares at most as many as are
 * left in either set from there on. What that bound, and then the bound of parity signatures, leave is counted. Once there
 * are k partners the worst of them is the threshold: it shortens the lists, and ends the search when no set that was not met
 * can reach it (Xiao, Wang, Lin, Shang: Top-k set similarity joins, ICDE 2009, for one probe at a time).
 *
 * Both sides are ranked and indexed at once, or under a memory bound part by part; partners are kept from part to part.
 */
#include "join/sets_top.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/heap.h"
#include "join/best.h"
#include "join/marks.h"
#include "join/prefix.h"
#include "join/progress.h"
#include "signature/parity.h"

#include <math.h>

#define ROWS_A_TASK 16
#define NONE        UINT32_MAX
#define STRIDE_MOST 8 /* words of a signature */
#define RESULT      sizeof(uint64_t)
#define SIZE_MOST   INT32_MAX

/* The sets of some rows: a collection whose arrays are borrowed, but for the offsets of a part. */
typedef struct part {
    uint32_t first, end; /* rows */
    akin_sets sets;
    uint64_t *offsets; /* its own, from 0 on */
} part;

/* What a thread has. */
typedef struct prober {
    _Alignas(64) uint64_t *marks; /* the tokens of the probe */
    uint32_t *seen;               /* of each indexed set: the last probe that met it */
    uint32_t stamp;
    uint64_t compared, candidates;
} prober;

typedef struct top {
    akin_context *context;
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
    akin_join_job job; /* what the prefix index asks for */
    akin_prefix_index index;
    akin_parity parity;
    uint32_t *set_of; /* of each left row of the part; NONE: it is empty */
    prober *probers;
    akin_best best;
    uint64_t found, compared, candidates;
} top;

/* ----------------------------------------------------------------------------------------------------------- options */

akin_status akin_sets_top_check(const akin_join_options *options, akin_threshold *least, akin_error *error)
{
    const akin_ratio one = {1, 1};
    if (options->technique != AKIN_AUTO || options->bits || options->block || options->filter != AKIN_AUTO ||
        options->sharing != AKIN_SHARING_AUTO)
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

/* The sets of a list that may be among the best when it is the first one in which they are met: those of some sizes. */
static void range_of(const probe *p, uint32_t i, uint64_t *low, uint64_t *high)
{
    const top *all = p->all;
    const uint64_t start = all->index.start[p->tokens[i]], count = all->index.start[p->tokens[i] + (uint64_t)1] - start;
    const uint64_t least = akin_threshold_smallest(&p->bar, p->size);
    const uint64_t most = akin_min_u64(akin_threshold_largest(&p->bar, p->size),
                                       akin_threshold_largest_within(&p->bar, p->size, p->size - i));
    *low = *high = start;
    if (least > most)
        return;
    const uint32_t first = akin_ranked_first(all->indexed, least), end = akin_ranked_first(all->indexed, most + 1);
    *low += akin_lower_bound_u32(all->index.entry + start, count, first);
    *high += akin_lower_bound_u32(all->index.entry + start, count, end);
}

/* Counts what a set shares with the probe, of which there is nothing before place j, and takes it if that is enough. */
static void count_set(probe *p, uint32_t set, uint32_t size, uint32_t j)
{
    const akin_ranked *indexed = p->all->indexed;
    const uint32_t *tokens = indexed->tokens + indexed->offsets[set];
    p->worker->candidates++;
    const uint32_t shared = akin_count_marked(p->worker->marks, tokens + j, size - j, need_of(p, size));
    if (shared == 0 || is_out(p, shared, size, set))
        return;
    const uint64_t key = (uint64_t)shared << 32 | indexed->row[set];
    uint64_t dropped;
    if (akin_heap_offer(&p->heap, key, 0, &dropped))
        raise_bar(p);
}

/* Meets the sets of list i. With `fast` the CPU counts bits. */
static inline __attribute__((always_inline)) void meet(probe *p, uint32_t i, int fast)
{
    const top *all = p->all;
    const akin_ranked *indexed = all->indexed;
    const uint32_t stride = all->parity.stride, self = all->self ? p->row : NONE;
    prober *w = p->worker;
    uint64_t at, high;
    range_of(p, i, &at, &high);
    if (at == high)
        return;
    w->compared += high - at;
    uint32_t c =
        (uint32_t)akin_lower_bound_u32(indexed->class_first + 1, indexed->classes, (uint64_t)all->index.entry[at] + 1);
    for (; at < high; at++) {
        const uint32_t set = all->index.entry[at], j = all->index.position[at];
        while (set >= indexed->class_first[c + 1])
            c++;
        if (w->seen[set] == w->stamp)
            continue;
        w->seen[set] = w->stamp;
        const uint32_t size = indexed->class_size[c];
        uint64_t most = akin_min_u64(p->size - i, size - j);
        if (is_out(p, most, size, set))
            continue;
        const uint64_t *signature = all->parity.words + (uint64_t)set * stride;
        uint32_t apart = 0;
        for (uint32_t word = 0; word < stride; word++) {
            const uint64_t differ = signature[word] ^ p->signature[word];
            apart += fast ? (uint32_t)__builtin_popcountll(differ) : akin_popcount64(differ);
        }
        most = akin_min_u64(most, ((uint64_t)p->size + size - apart) / 2);
        if (!is_out(p, most, size, set) && indexed->row[set] != self)
            count_set(p, set, size, j);
    }
}

static void meet_plainly(probe *p, uint32_t i)
{
    meet(p, i, 0);
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static void meet_fast(probe *p, uint32_t i)
{
    meet(p, i, 1);
}
#else
#define meet_fast meet_plainly
#endif

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
    const uint32_t prefix = akin_prefix_length(&all->job, p.size, AKIN_PREFIX_PROBING);
    p.heap.user = &p;
    w->stamp++;
    raise_bar(&p);
    akin_parity_add(p.signature, all->parity.stride, p.tokens, p.size);
    akin_mark(w->marks, p.tokens, p.size);
    for (uint32_t i = 0; i < prefix && akin_threshold_largest_within(&p.bar, p.size, p.size - i) > 0; i++)
        (all->context->cpu >= AKIN_CPU_AVX2 ? meet_fast : meet_plainly)(&p, i);
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
        t->compared += t->probers[i].compared;
        t->candidates += t->probers[i].candidates;
        akin_free(t->probers[i].marks);
        akin_free(t->probers[i].seen);
    }
    akin_free(t->probers);
    akin_free(t->set_of);
    akin_prefix_clear(&t->index);
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

static akin_status make_probers(top *t, akin_error *error)
{
    t->set_of = akin_alloc(t->account, t->sides[0].end - t->sides[0].first, sizeof *t->set_of);
    t->probers = akin_alloc_zero(t->account, t->threads, sizeof *t->probers);
    int made = t->set_of && t->probers;
    for (uint32_t i = 0; made && i < t->threads; i++) {
        prober *p = &t->probers[i];
        p->marks = akin_alloc_zero(t->account, t->indexed->universe / 64 + 1, sizeof *p->marks);
        p->seen = akin_alloc_zero(t->account, t->indexed->count, sizeof *p->seen);
        made = p->marks && p->seen;
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
    if (ranked->classes == 0 || ranked->class_size[ranked->classes - 1] <= SIZE_MOST)
        return AKIN_OK;
    return akin_fail_row(error, AKIN_E_LIMIT, AKIN_REASON_NONE, ranked->row[ranked->count - 1], NULL,
                         ": a set of more than %d tokens is too large for its best partners to be found", SIZE_MOST);
}

/* Ranks the sets of two parts and indexes those of the right one, unless these are at hand. */
static akin_status prepare(top *t, uint32_t left_part, uint32_t right_part, akin_error *error)
{
    const int same =
        t->self && t->parts == 1; /* of several parts even the same one is ranked twice, which is simpler */
    akin_prefix_groups each = {0};
    if (t->left_part == left_part && t->right_part == right_part)
        return AKIN_OK;
    clear_part(t);
    akin_status status = take_part(t, t->left, left_part, &t->sides[0], error);
    if (status == AKIN_OK && !same)
        status = take_part(t, t->right, right_part, &t->sides[1], error);
    if (status == AKIN_OK)
        status = akin_rank_sets(t->context, t->account, &t->sides[0].sets, same ? NULL : &t->sides[1].sets,
                                &t->ranked[0], &t->ranked[1], error);
    t->probes = &t->ranked[0];
    t->indexed = &t->ranked[!same];
    t->job =
        (akin_join_job){.context = t->context, .account = t->account, .threshold = t->least, .threads = t->threads};
    t->job.probes = t->probes;
    t->job.indexed = t->indexed;
    each.count = t->indexed->count;
    if (status == AKIN_OK)
        status = check_sizes(t->probes, error);
    if (status == AKIN_OK)
        status = check_sizes(t->indexed, error);
    if (status == AKIN_OK)
        status = akin_prefix_build(&t->job, t->indexed, AKIN_PREFIX_INDEXED, &each, 1, &t->index, error);
    if (status == AKIN_OK)
        status = akin_parity_build(t->context, t->account, t->indexed, width_of(t->indexed), &t->parity, error);
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
        status = akin_parallel(t->context, NULL, akin_ceil_div(end - first, ROWS_A_TASK), sort_rows, t);
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
    akin_join_progress_begin(&t->progress, t->context, (uint64_t)t->left->rows * t->parts);
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
    if (t->context->part_tokens) /* as tests wish */
        return (uint32_t)akin_min_u64(most, 1 + tokens / t->context->part_tokens);
    return limit ? (uint32_t)akin_min_u64(most, 1 + (12 * tokens + 40 * rows) / (limit / 2)) : 1;
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

akin_status akin_sets_top(akin_context *context, akin_account *account, const akin_sets *left, const akin_sets *right,
                          const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                          akin_join_summary *summary, akin_error *error)
{
    akin_context few = *context;
    top t = {.context = &few, .account = account, .left = left, .right = right ? right : left, .self = right == NULL};
    akin_status status = akin_sets_top_check(options, &t.least, error);
    if (status == AKIN_OK)
        status = akin_best_check_device(context, error);
    if (status != AKIN_OK)
        return status;
    const double begun = akin_clock();
    t.form = akin_measure_of(options->measure)->form;
    t.k = (uint32_t)akin_min_u64(options->top, akin_max_u32(t.right->rows, 1));
    t.threads = few.threads = akin_memory_threads(context);
    t.left_part = t.right_part = NONE;
    t.parts = count_parts(&t);
    uint64_t refused = account->refused;
    status = join_parts(&t, sink, sink_user, summary, error);
    while (status == AKIN_E_NOMEM && account->refused != refused && t.found == 0 &&
           t.parts < akin_max_u32(t.left->rows, t.right->rows)) {
        refused = account->refused;
        t.parts *= 2;
        status = join_parts(&t, sink, sink_user, summary, error);
    }
    summary->seconds_join = akin_clock() - begun - summary->seconds_prepare - summary->seconds_deliver;
    sum_up(&t, summary);
    return status;
}
