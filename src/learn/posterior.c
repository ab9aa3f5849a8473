/* Probabilities of pairs from their odds. */
#include "learn/posterior.h"

#include "base/bits.h"
#include "base/parallel.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define ROUNDS       8 /* of belief propagation */
#define TASK_RECORDS 4096

/* -------------------------------------------------------------------------------------------------------- structure */

static void count_ends(const akin_level_pairs *pairs, uint32_t records, akin_posterior *p)
{
    for (uint64_t i = 0; i < pairs->count; i++) {
        p->left_starts[pairs->left[i] + (uint64_t)1]++;
        p->right_starts[pairs->right[i] + (uint64_t)1]++;
    }
    for (uint32_t r = 0; r < records; r++) {
        p->left_starts[r + (uint64_t)1] += p->left_starts[r];
        p->right_starts[r + (uint64_t)1] += p->right_starts[r];
    }
}

/* Sorts pairs by their right record: they stay in order within it. */
static void sort_by_right(const akin_level_pairs *pairs, uint32_t records, akin_posterior *p)
{
    for (uint64_t i = 0; i < pairs->count; i++)
        p->by_right[p->right_starts[pairs->right[i]]++] = (uint32_t)i;
    for (uint32_t r = records; r > 0; r--)
        p->right_starts[r] = p->right_starts[r - 1];
    p->right_starts[0] = 0;
}

akin_status akin_posterior_make(const akin_scope *scope, akin_account *account, akin_posterior_way way,
                                const akin_level_pairs *pairs, akin_posterior *out, akin_error *error)
{
    akin_posterior *p = out;
    const uint32_t records = pairs->rows[0] + pairs->rows[1];
    *p = (akin_posterior){.scope = scope, .way = way, .pairs = pairs, .rounds = ROUNDS};
    if (way == AKIN_POSTERIOR_FREE)
        return AKIN_OK;
    if (pairs->count >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "%llu pairs to learn from: expected fewer than %u",
                         (unsigned long long)pairs->count, UINT32_MAX);
    p->left_starts = akin_alloc_zero(account, (uint64_t)records + 1, sizeof *p->left_starts);
    p->right_starts = akin_alloc_zero(account, (uint64_t)records + 1, sizeof *p->right_starts);
    p->by_right = akin_alloc(account, pairs->count, sizeof *p->by_right);
    p->sums = akin_alloc(account, records, sizeof *p->sums);
    int done = p->left_starts && p->right_starts && p->by_right && p->sums;
    if (way == AKIN_POSTERIOR_MATCHING) {
        p->to_left = akin_alloc(account, pairs->count, sizeof *p->to_left);
        p->to_right = akin_alloc(account, pairs->count, sizeof *p->to_right);
        p->left_list = akin_alloc(account, pairs->count, sizeof *p->left_list);
        p->right_list = akin_alloc(account, pairs->count, sizeof *p->right_list);
        p->counts = akin_alloc(account, records, sizeof *p->counts);
        done = done && p->to_left && p->to_right && p->left_list && p->right_list && p->counts;
        for (uint64_t i = 0; done && i < pairs->count; i++)
            p->to_left[i] = p->to_right[i] = 1;
    }
    if (!done)
        return akin_fail_memory(error, "the probabilities of pairs");
    count_ends(pairs, records, p);
    sort_by_right(pairs, records, p);
    return AKIN_OK;
}

void akin_posterior_clear(akin_posterior *posterior)
{
    akin_free(posterior->left_starts);
    akin_free(posterior->right_starts);
    akin_free(posterior->by_right);
    akin_free(posterior->sums);
    akin_free(posterior->to_left);
    akin_free(posterior->to_right);
    akin_free(posterior->left_list);
    akin_free(posterior->right_list);
    akin_free(posterior->counts);
    *posterior = (akin_posterior){0};
}

/* ------------------------------------------------------------------------------------------------------------ steps */

typedef struct step {
    akin_posterior *posterior;
    double *odds;
} step;

/* The pairs of a task. */
static uint64_t task_end(const step *s, uint64_t task)
{
    return akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, s->posterior->pairs->count);
}

static akin_status free_odds(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const uint64_t end = task_end(s, task);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++)
        s->odds[i] = akin_posterior_free(s->odds[i]);
    return AKIN_OK;
}

/* What odds add to a sum. */
static double audible(double odds)
{
    return odds >= AKIN_ODDS_FAINT ? odds : 0;
}

/* Sums of odds, of each record. */
static akin_status sum_odds(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const akin_posterior *p = s->posterior;
    const uint32_t records = p->pairs->rows[0] + p->pairs->rows[1];
    const uint64_t end = akin_min_u64((task + 1) * TASK_RECORDS, records);
    (void)thread;
    for (uint64_t r = task * TASK_RECORDS; r < end; r++) {
        double sum = 0;
        for (uint64_t i = p->left_starts[r]; i < p->left_starts[r + 1]; i++)
            sum += audible(s->odds[i]);
        for (uint64_t i = p->right_starts[r]; i < p->right_starts[r + 1]; i++)
            sum += audible(s->odds[p->by_right[i]]);
        p->sums[r] = sum;
    }
    return AKIN_OK;
}

static akin_status compete(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const akin_posterior *p = s->posterior;
    const uint64_t end = task_end(s, task);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const double o = s->odds[i], a = p->sums[p->pairs->left[i]], b = p->sums[p->pairs->right[i]];
        s->odds[i] = o / (1 + (a - audible(o)) + b);
    }
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------- belief propagation */

/*
 * The message of a pair to a record is how probable it is that the record at its other end has no other partner:
 *
 *     message = 1 / (1 + sum over the other pairs of that record: odds * message of that pair to it)
 *
 * It is damped: the mean of the old message and of the new one. The messages to right records are computed from those
 * to left records, and then the other way round.
 */
static double damped(double old, double others)
{
    return 0.5 * old + 0.5 / (1 + others);
}

/* The numbers of a record's pairs: the largest one, and the sum of the others. Beside a number that is 10^16 times as
 * large, a sum of all would lose the others, which are the message of its pair. */
typedef struct total {
    double largest, rest;
    uint64_t at; /* where the largest one is */
} total;

static void add_number(total *t, double number, uint64_t at)
{
    const int is_larger = number > t->largest;
    t->rest += is_larger ? t->largest : number;
    t->largest = is_larger ? number : t->largest;
    t->at = is_larger ? at : t->at;
}

/* The sum without the number that is at that place. */
static double sum_of_others(const total *t, double number, uint64_t at)
{
    return at == t->at ? t->rest : t->largest + (t->rest - number);
}

/* Lists the pairs of records that are not faint. Of most pairs the odds are tiny. */
static akin_status list_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const akin_posterior *p = s->posterior;
    const uint32_t lefts = p->pairs->rows[0];
    const uint64_t end = akin_min_u64((task + 1) * TASK_RECORDS, lefts + (uint64_t)p->pairs->rows[1]);
    (void)thread;
    for (uint64_t r = task * TASK_RECORDS; r < end; r++) {
        const uint64_t *starts = r < lefts ? p->left_starts : p->right_starts;
        uint32_t *list = (r < lefts ? p->left_list : p->right_list) + starts[r], count = 0;
        for (uint64_t i = starts[r]; i < starts[r + 1]; i++) {
            const uint32_t pair = r < lefts ? (uint32_t)i : p->by_right[i];
            list[count] = pair;
            count += s->odds[pair] >= AKIN_ODDS_FAINT;
        }
        p->counts[r] = count;
    }
    return AKIN_OK;
}

static akin_status tell_right(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const akin_posterior *p = s->posterior;
    const uint64_t end = akin_min_u64((task + 1) * TASK_RECORDS, p->pairs->rows[0]);
    (void)thread;
    for (uint64_t r = task * TASK_RECORDS; r < end; r++) {
        const uint32_t *list = p->left_list + p->left_starts[r];
        total sum = {0, 0, UINT64_MAX};
        for (uint32_t i = 0; i < p->counts[r]; i++)
            add_number(&sum, s->odds[list[i]] * p->to_left[list[i]], i);
        for (uint32_t i = 0; i < p->counts[r]; i++) {
            const uint32_t pair = list[i];
            p->to_right[pair] = damped(p->to_right[pair], sum_of_others(&sum, s->odds[pair] * p->to_left[pair], i));
        }
    }
    return AKIN_OK;
}

static akin_status tell_left(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const akin_posterior *p = s->posterior;
    const uint64_t first = p->pairs->rows[0];
    const uint64_t end = akin_min_u64((task + 1) * TASK_RECORDS, p->pairs->rows[1]);
    (void)thread;
    for (uint64_t r = first + task * TASK_RECORDS; r < first + end; r++) {
        const uint32_t *list = p->right_list + p->right_starts[r];
        total sum = {0, 0, UINT64_MAX};
        for (uint32_t i = 0; i < p->counts[r]; i++)
            add_number(&sum, s->odds[list[i]] * p->to_right[list[i]], i);
        for (uint32_t i = 0; i < p->counts[r]; i++) {
            const uint32_t pair = list[i];
            p->to_left[pair] = damped(p->to_left[pair], sum_of_others(&sum, s->odds[pair] * p->to_right[pair], i));
        }
    }
    return AKIN_OK;
}

static akin_status marry(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const akin_posterior *p = s->posterior;
    const uint64_t end = task_end(s, task);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const double joint = s->odds[i] * p->to_left[i] * p->to_right[i];
        s->odds[i] = joint / (1 + joint);
    }
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- run */

static akin_status bound_odds(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const uint64_t end = task_end(s, task);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++)
        s->odds[i] = s->odds[i] < AKIN_ODDS_MOST ? s->odds[i] : AKIN_ODDS_MOST;
    return AKIN_OK;
}

static akin_status propagate(const akin_scope *scope, step *s)
{
    const akin_level_pairs *pairs = s->posterior->pairs;
    const uint64_t records = pairs->rows[0] + (uint64_t)pairs->rows[1];
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(records, TASK_RECORDS), list_pairs, s);
    for (uint32_t round = 0; round < s->posterior->rounds && status == AKIN_OK; round++) {
        status = akin_parallel(scope, NULL, akin_ceil_div(pairs->rows[0], TASK_RECORDS), tell_right, s);
        if (status == AKIN_OK)
            status = akin_parallel(scope, NULL, akin_ceil_div(pairs->rows[1], TASK_RECORDS), tell_left, s);
    }
    return status;
}

akin_status akin_posterior_run(akin_posterior *posterior, double *odds, akin_error *error)
{
    const akin_scope *scope = posterior->scope;
    const akin_level_pairs *pairs = posterior->pairs;
    const uint64_t tasks = akin_ceil_div(pairs->count, AKIN_LEVEL_PAIRS);
    const uint32_t records = pairs->rows[0] + pairs->rows[1];
    step s = {posterior, odds};
    akin_status status = akin_parallel(scope, NULL, tasks, bound_odds, &s);
    akin_task last = free_odds;
    if (posterior->way == AKIN_POSTERIOR_COMPETITION) {
        last = compete;
        if (status == AKIN_OK)
            status = akin_parallel(scope, NULL, akin_ceil_div(records, TASK_RECORDS), sum_odds, &s);
    } else if (posterior->way == AKIN_POSTERIOR_MATCHING) {
        last = marry;
        if (status == AKIN_OK)
            status = propagate(scope, &s);
    }
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, tasks, last, &s);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the probabilities of pairs");
}
