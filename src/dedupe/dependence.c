/* Which comparisons depend on one another. */
#include "dedupe/dependence.h"

#include <math.h>

#include "base/bits.h"
#include "base/elementary.h"
#include "dedupe/agreeing.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define DRAWN      8192 /* pairs that agree in a comparison */
#define TASK_DRAWN 512
#define LIFT       3.0  /* comparisons are dependent if they agree together that many times as often as by chance */
#define WITNESSES  3    /* comparisons that show how many matches there are, at least, */
#define RARE       0.05 /* which agree in that share of pairs at random, at most */
#define PRESENT    0.5  /* where both values are there in that share, at least */
#define AGREEING   0.5  /* and of matches in one of them that share agrees, at least */
#define SEEN       100  /* pairs that they are seen in, at least */

typedef struct dependence {
    akin_training *training;
    akin_training_scorers scorers;
    uint64_t *equal; /* of each comparison: how many pairs agree in it, */
    uint32_t *pairs; /* and DRAWN of them */
    uint8_t *levels; /* [comparison][DRAWN][comparison]: of pairs that agree in the first one */
    double *joint;   /* [comparison][comparison]: pairs that agree in both, about */
    double *scores;  /* [parent][child]: what it tells that they depend on one another */
} dependence;

/* Draws some of the pairs that agree in a comparison. */
static akin_status draw_agreeing(void *argument, uint64_t task, uint32_t thread)
{
    const dependence *d = argument;
    const akin_training *e = d->training;
    const akin_training_comparison *c = &e->comparisons[task];
    const akin_agreeing a = {c->of, c->counts, c->lefts, e->job->records.count,
                             akin_training_values(e, (uint32_t)task)};
    (void)thread;
    d->equal[task] = akin_agreeing_pairs(&a);
    return akin_agreeing_draw(&a, &e->job->account, task * (DRAWN / TASK_DRAWN), DRAWN, TASK_DRAWN,
                              d->pairs + 2 * task * DRAWN);
}

/* Finds the levels of pairs that were drawn. */
static akin_status compare_agreeing(void *argument, uint64_t task, uint32_t thread)
{
    const dependence *d = argument;
    const akin_training *e = d->training;
    const uint32_t count = e->pairs.comparisons;
    const uint64_t first = task * TASK_DRAWN;
    akin_status status = AKIN_OK;
    for (uint64_t i = first; i < first + TASK_DRAWN && status == AKIN_OK && d->equal[first / DRAWN] > 0; i++) {
        double similarity;
        status = akin_scorer_score(d->scorers.scorers[thread], d->pairs[2 * i], d->pairs[2 * i + 1], &similarity,
                                   d->scorers.each[thread]);
        if (status == AKIN_OK)
            akin_training_levels(e, d->scorers.each[thread], d->levels + i * count);
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
    return (double)d->equal[comparison];
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

/* The share of matches among the pairs that agree in two comparisons, at most: matches agree in others, too. 1: there
 * are too few others, or pairs. */
static double most_matches(const dependence *d, uint32_t a, uint32_t b)
{
    const akin_training *e = d->training;
    const uint32_t count = e->pairs.comparisons;
    uint32_t witnesses = 0;
    double most = 0;
    for (uint32_t c = 0; c < count; c++) {
        const double chance = equal_pairs(d, c) / (double)e->pairs.all;
        double agreeing = 0, present = 0, both = 0;
        if (c == a || c == b || e->comparisons[c].is_overlapping || chance == 0 || chance > RARE)
            continue;
        for (uint64_t i = 0; i < DRAWN; i++) {
            const uint8_t *levels = d->levels + ((uint64_t)a * DRAWN + i) * count;
            if (levels[b] == AKIN_LEVEL_MISSING || levels[b] + 1u != e->comparisons[b].leveled.levels)
                continue;
            both++;
            present += levels[c] != AKIN_LEVEL_MISSING;
            agreeing += levels[c] != AKIN_LEVEL_MISSING && levels[c] + 1u == e->comparisons[c].leveled.levels;
        }
        if (both < SEEN || present < PRESENT * both)
            continue;
        witnesses++;
        most = fmax(most, agreeing / present - chance);
    }
    return witnesses < WITNESSES || most >= AGREEING ? 1 : most / AGREEING;
}

/* How much it tells, beyond a match for each record, that two comparisons depend on one another; 0: they do not. */
static double score_of(const dependence *d, uint32_t a, uint32_t b)
{
    const uint32_t count = d->training->pairs.comparisons;
    const double found = (d->joint[a * count + b] + d->joint[b * count + a]) / 2;
    const double chance = equal_pairs(d, a) * equal_pairs(d, b) / (double)d->training->pairs.all;
    if (found < LIFT * chance || found <= 0)
        return 0; /* with fewer pairs, the more */
    const double matches = fmin(d->training->job->records.count / 2.0, found * most_matches(d, a, b));
    const double both = found - matches;
    return both > 0 && chance > 0 && both >= LIFT * chance ? both * akin_logarithm_of(both / chance) : 0;
}

static void set_scores(dependence *d)
{
    const akin_training_comparison *comparisons = d->training->comparisons;
    const uint32_t count = d->training->pairs.comparisons;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t c = 0; c < count; c++)
            d->scores[p * count + c] =
                c == p || comparisons[p].is_overlapping || comparisons[c].is_overlapping ? 0 : score_of(d, p, c);
}

static void set_parent(const dependence *d, uint32_t child, uint32_t parent)
{
    akin_level_model *model = &d->training->models[child];
    const double present = count_drawn(d, parent, child, model->shares);
    model->is_dependent = present > 0;
    model->parent = parent;
    model->agreeing = equal_pairs(d, parent) * present;
    model->strange = 1 - most_matches(d, parent, child);
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
                const double score = is_in[p] ? d->scores[p * count + c] : 0;
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
                    .equal = akin_alloc(account, count, sizeof *d.equal),
                    .pairs = akin_alloc(account, 2 * count * DRAWN, sizeof *d.pairs),
                    .levels = akin_alloc(account, count * count * DRAWN, sizeof *d.levels),
                    .joint = akin_alloc(account, count * count, sizeof *d.joint),
                    .scores = akin_alloc(account, count * count, sizeof *d.scores)};
    uint8_t *is_in = akin_alloc_zero(account, count, sizeof *is_in);
    const int done = d.equal && d.pairs && d.levels && d.joint && d.scores && is_in;
    akin_status status = done ? akin_training_scorers_make(e, &d.scorers, error)
                              : akin_fail_memory(error, "the dependence of comparisons");
    for (uint64_t i = 0; done && i < count * count * DRAWN; i++)
        d.levels[i] = AKIN_LEVEL_MISSING;
    if (done && status == AKIN_OK) {
        status = akin_parallel(e->job->scope, NULL, count, draw_agreeing, &d);
        if (status == AKIN_OK)
            status = akin_parallel_long(&d.scorers.scope, NULL, count * (DRAWN / TASK_DRAWN), compare_agreeing, &d,
                                        &e->job->cancelled);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "the dependence of comparisons");
    }
    if (done && status == AKIN_OK) {
        estimate_joint(&d);
        set_scores(&d);
        grow_trees(&d, is_in);
    }
    akin_training_scorers_clear(&d.scorers);
    akin_free(d.equal);
    akin_free(d.pairs);
    akin_free(d.levels);
    akin_free(d.joint);
    akin_free(d.scores);
    akin_free(is_in);
    return status;
}
