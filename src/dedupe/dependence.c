/* Which comparisons depend on one another. */
#include "dedupe/dependence.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "base/random.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define DRAWN      8192 /* pairs that agree in a comparison */
#define TASK_DRAWN 512
#define LIFT       3.0 /* comparisons are dependent if they agree together that many times as often as by chance */

/* Records by their values in a comparison, and the pairs of those that agree. */
typedef struct agreeing {
    uint32_t *records; /* value by value, those of the left table first */
    uint64_t *starts;  /* of each value */
    uint64_t *pairs;   /* of each value: pairs of all values before it; at the end, of all */
    uint32_t *lefts;   /* of each value: its records of the left table */
    uint32_t values;
} agreeing;

typedef struct dependence {
    akin_training *training;
    akin_training_scorers scorers;
    agreeing *agreeing; /* of each comparison */
    uint8_t *levels;    /* [comparison][DRAWN][comparison]: of pairs that agree in the first one */
    double *joint;      /* [comparison][comparison]: pairs that agree in both, about */
} dependence;

static void clear_agreeing(agreeing *a)
{
    akin_free(a->records);
    akin_free(a->starts);
    akin_free(a->pairs);
    akin_free(a->lefts);
}

static akin_status sort_by_value(void *argument, uint64_t task, uint32_t thread)
{
    const dependence *d = argument;
    const akin_training *e = d->training;
    const uint32_t comparison = (uint32_t)task;
    agreeing *a = &d->agreeing[comparison];
    akin_account *account = &e->job->account;
    const akin_records *records = &e->job->records;
    const uint32_t values = a->values = akin_training_values(e, comparison);
    a->records = akin_alloc(account, records->count, sizeof *a->records);
    a->starts = akin_alloc_zero(account, (uint64_t)values + 2, sizeof *a->starts);
    a->pairs = akin_alloc_zero(account, (uint64_t)values + 1, sizeof *a->pairs);
    a->lefts = akin_alloc_zero(account, values, sizeof *a->lefts);
    if (!a->records || !a->starts || !a->pairs || !a->lefts)
        return AKIN_E_NOMEM;
    (void)thread;
    for (uint32_t r = 0; r < records->count; r++) {
        const uint32_t value = akin_training_value(e, comparison, r);
        if (value == AKIN_VALUE_NONE)
            continue;
        a->starts[value + (uint64_t)2]++;
        a->lefts[value] += r < records->rows[0];
    }
    for (uint32_t v = 0; v < values; v++) {
        const uint64_t n = a->starts[v + (uint64_t)2], l = a->lefts[v];
        a->pairs[v + (uint64_t)1] = a->pairs[v] + (records->tables == 2 ? l * (n - l) : n * (n - (n > 0)) / 2);
        a->starts[v + (uint64_t)2] += a->starts[v + (uint64_t)1];
    }
    for (uint32_t r = 0; r < records->count; r++) {
        const uint32_t value = akin_training_value(e, comparison, r);
        if (value != AKIN_VALUE_NONE)
            a->records[a->starts[value + (uint64_t)1]++] = r;
    }
    return AKIN_OK;
}

/* Pair `number` of those that agree. */
static void pair_of_number(const akin_records *records, const agreeing *a, uint64_t number, uint32_t *x, uint32_t *y)
{
    const uint64_t value = akin_lower_bound_u64(a->pairs, (uint64_t)a->values + 1, number + 1) - 1;
    const uint32_t *of = a->records + a->starts[value];
    number -= a->pairs[value];
    if (records->tables == 2) {
        const uint64_t rights = a->starts[value + 1] - a->starts[value] - a->lefts[value];
        *x = of[number / rights];
        *y = of[a->lefts[value] + number % rights];
        return;
    }
    uint64_t smaller, larger;
    akin_pair_of_number(number, &smaller, &larger);
    *x = of[smaller];
    *y = of[larger];
}

/* Draws some of the pairs that agree in a comparison. */
static akin_status draw_agreeing(void *argument, uint64_t task, uint32_t thread)
{
    const dependence *d = argument;
    const akin_training *e = d->training;
    const uint32_t count = e->pairs.comparisons;
    const uint64_t comparison = task / (DRAWN / TASK_DRAWN), first = task % (DRAWN / TASK_DRAWN) * TASK_DRAWN;
    const agreeing *a = &d->agreeing[comparison];
    akin_random random;
    akin_status status = AKIN_OK;
    akin_random_seed(&random, task);
    for (uint64_t i = first; i < first + TASK_DRAWN && status == AKIN_OK && a->pairs[a->values] > 0; i++) {
        uint32_t x, y;
        double similarity;
        pair_of_number(&e->job->records, a, akin_random_below(&random, a->pairs[a->values]), &x, &y);
        status = akin_scorer_score(d->scorers.scorers[thread], x, y, &similarity, d->scorers.each[thread]);
        if (status == AKIN_OK)
            akin_training_levels(e, d->scorers.each[thread], d->levels + (comparison * DRAWN + i) * count);
    }
    return status;
}

/* Counts levels of `child` among pairs that agree in `parent`. Returns the share of pairs with a value. */
static double count_drawn(const dependence *d, uint32_t parent, uint32_t child, double *counts)
{
    const uint32_t count = d->training->pairs.comparisons;
    double present = 0;
    for (uint32_t l = 0; l < AKIN_LEVELS_MOST; l++)
        counts[l] = 0;
    for (uint64_t i = 0; i < DRAWN; i++) {
        const uint8_t level = d->levels[((uint64_t)parent * DRAWN + i) * count + child];
        if (level == AKIN_LEVEL_MISSING)
            continue;
        counts[level]++;
        present++;
    }
    return present / DRAWN;
}

static double equal_pairs(const dependence *d, uint32_t comparison)
{
    const agreeing *a = &d->agreeing[comparison];
    return (double)a->pairs[a->values];
}

/* The pairs that agree in both comparisons, about, as pairs that agree in the first one show. */
static void estimate_joint(dependence *d)
{
    const uint32_t count = d->training->pairs.comparisons;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t c = 0; c < count; c++) {
            double counts[AKIN_LEVELS_MOST];
            count_drawn(d, p, c, counts);
            d->joint[p * count + c] =
                equal_pairs(d, p) * counts[d->training->comparisons[c].leveled.levels - 1] / DRAWN;
        }
}

/* How much it tells, beyond a match for each record, that two comparisons depend on one another; 0: they do not. */
static double score_of(const dependence *d, uint32_t a, uint32_t b)
{
    const uint32_t count = d->training->pairs.comparisons;
    const double found = (d->joint[a * count + b] + d->joint[b * count + a]) / 2;
    const double both = found - d->training->job->records.count / 2.0;
    const double chance = equal_pairs(d, a) * equal_pairs(d, b) / (double)d->training->pairs.all;
    return both > 0 && chance > 0 && both >= LIFT * chance ? both * akin_logarithm_of(both / chance) : 0;
}

static void set_parent(const dependence *d, uint32_t child, uint32_t parent)
{
    akin_level_model *model = &d->training->models[child];
    const double present = count_drawn(d, parent, child, model->shares);
    model->is_dependent = present > 0;
    model->parent = parent;
    model->agreeing = equal_pairs(d, parent) * present;
    for (uint32_t l = 0; l < model->levels && present > 0; l++)
        model->shares[l] /= present * DRAWN;
}

/* Grows trees from the comparisons in which most pairs agree: the most telling edge first (Prim). */
static void grow_trees(const dependence *d, uint8_t *is_in)
{
    const uint32_t count = d->training->pairs.comparisons;
    for (uint32_t grown = 0; grown < count; grown++) {
        uint32_t child = count, parent = count;
        double best = 0;
        for (uint32_t c = 0; c < count; c++)
            for (uint32_t p = 0; p < count && !is_in[c]; p++) {
                const double score = is_in[p] && !d->training->comparisons[c].is_overlapping &&
                                             !d->training->comparisons[p].is_overlapping
                                         ? score_of(d, p, c)
                                         : 0;
                if (score > best) {
                    best = score;
                    child = c;
                    parent = p;
                }
            }
        for (uint32_t c = 0; c < count && parent == count; c++) /* a new tree */
            if (!is_in[c] && (child == count || equal_pairs(d, c) > equal_pairs(d, child)))
                child = c;
        is_in[child] = 1;
        if (parent < count)
            set_parent(d, child, parent);
    }
}

akin_status akin_training_find_dependence(akin_training *training, akin_error *error)
{
    akin_training *e = training;
    akin_account *account = &e->job->account;
    const uint64_t count = e->pairs.comparisons;
    dependence d = {.training = e,
                    .agreeing = akin_alloc_zero(account, count, sizeof *d.agreeing),
                    .levels = akin_alloc(account, count * count * DRAWN, sizeof *d.levels),
                    .joint = akin_alloc(account, count * count, sizeof *d.joint)};
    uint8_t *is_in = akin_alloc_zero(account, count, sizeof *is_in);
    const int done = d.agreeing && d.levels && d.joint && is_in;
    akin_status status = done ? akin_training_scorers_make(e, &d.scorers, error)
                              : akin_fail_memory(error, "the dependence of comparisons");
    for (uint64_t i = 0; done && i < count * count * DRAWN; i++)
        d.levels[i] = AKIN_LEVEL_MISSING;
    if (done && status == AKIN_OK) {
        status = akin_parallel(e->job->scope, NULL, count, sort_by_value, &d);
        if (status == AKIN_OK)
            status = akin_parallel_long(&d.scorers.scope, NULL, count * (DRAWN / TASK_DRAWN), draw_agreeing, &d,
                                        &e->job->cancelled);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "the dependence of comparisons");
    }
    if (done && status == AKIN_OK) {
        estimate_joint(&d);
        grow_trees(&d, is_in);
    }
    for (uint32_t c = 0; d.agreeing && c < count; c++)
        clear_agreeing(&d.agreeing[c]);
    akin_training_scorers_clear(&d.scorers);
    akin_free(d.agreeing);
    akin_free(d.levels);
    akin_free(d.joint);
    akin_free(is_in);
    return status;
}
