/* How many partners a record has. */
#include "dedupe/partners.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "base/parallel.h"
#include "learn/reaching.h"

#define SURE     0.9  /* the probability of a sure partner */
#define SAMPLE   2000 /* records whose partners are compared with one another */
#define PARTNERS 4    /* of a record, that are compared */
#define MANY     0.4  /* M * T from which records have many partners, */
#define SOME     0.1  /* or M, if T is at least */
#define ALL_SURE 0.85

#define TELLING 0.001 /* u of equal values: a column tells entities apart if it is less */
#define COMMON  0.5   /* if that share of the records has a value, at least */
#define KNOWN   0.4   /* of the information of all comparisons they agree in that share, at least */
#define SAID    0.3   /* of the information of all columns, those that say something have that share, at least */
#define ALIKE   0.85  /* the similarity of values that agree */
#define SHOWN   3.0   /* matches that agree in a column, at least, if it says something, */
#define LIFT    2.0   /* and how much more often than strangers, */
#define BELIEF  6.0   /* with odds of that logarithm against chance */
#define SOMEHOW 0.05  /* the least share of matches that agree in a column which both tables write in one way */
#define MOSTLY  0.5   /* of pairs of one entity that share, at least, are more alike than strangers are */

/* The share of pairs that agree in a comparison, given the shares of its levels: m or u. */
static double agreeing(const akin_training *e, uint32_t comparison, const double *shares)
{
    double sum = 0;
    for (uint32_t l = 1; l < e->models[comparison].levels; l++)
        sum += e->comparisons[comparison].cuts[l - 1] >= ALIKE ? shares[l] : 0;
    return sum;
}

/* The share of pairs that the model takes for matches that are more alike in a comparison than strangers are. */
static double resembling(const akin_training *e, uint32_t comparison)
{
    const akin_level_model *model = &e->models[comparison];
    double sum = 0;
    for (uint32_t l = 0; l < model->levels; l++)
        sum += model->weights[l] > 0 ? model->m[l] : 0;
    return sum;
}

/* Whether the tables write the values of a column in two ways, such as 1999 and 1999.0: matches are alike in it, and
 * not equal. */
static int is_written_apart(const akin_training *e, uint32_t comparison)
{
    return resembling(e, comparison) >= MOSTLY && agreeing(e, comparison, e->models[comparison].m) < SOMEHOW;
}

/* Whether some pairs that the model takes for matches agree in a comparison, and more often than strangers. A hash of
 * the row, a time of entry or a number at random says nothing of entities, so it does not show that the class is none
 * of entities. If records of one city were taken for entities, those of one person would still agree. The count of
 * those that agree by chance follows Poisson: the ratio of likelihoods excludes it. */
static int says_something(const akin_training *e, uint32_t comparison)
{
    const akin_level_model *model = &e->models[comparison];
    const double present = e->model.expected * e->comparisons[comparison].present;
    const double seen = present * agreeing(e, comparison, model->m) - AKIN_LEARN_PRIOR * AKIN_LEARN_PRIOR_TOP;
    const double chance = present * agreeing(e, comparison, model->u);
    return seen >= SHOWN && seen >= LIFT * chance &&
           seen * akin_logarithm_of(seen / chance) - (seen - chance) >= BELIEF;
}

int akin_training_is_telling(const akin_training *training, uint32_t comparison)
{
    const akin_level_model *model = &training->models[comparison];
    return !model->is_idle && model->u[model->levels - 1] < TELLING &&
           training->comparisons[comparison].present >= COMMON;
}

int akin_training_is_of_entities(const akin_training *training)
{
    double known = 0, possible = 0, said = 0, all = 0;
    for (uint32_t c = 0; c < training->model.count; c++) {
        const akin_level_model *model = &training->models[c];
        const double u = model->u[model->levels - 1], present = training->comparisons[c].present;
        if (model->is_idle)
            continue;
        all -= present * akin_logarithm_of(u);
        if (!says_something(training, c))
            continue;
        said -= present * akin_logarithm_of(u);
        if (akin_training_is_telling(training, c) && resembling(training, c) < MOSTLY)
            return 0;
        if (is_written_apart(training, c))
            continue;
        possible -= present * akin_logarithm_of(u);
        known -= present * akin_logarithm_of(u) * agreeing(training, c, model->m);
    }
    return possible > 0 && known >= KNOWN * possible && said >= SAID * all;
}

/* The partners of some records. */
typedef struct sample {
    const akin_training_scorers *scorers;
    _Atomic uint32_t *counts; /* of each record: its sure partners */
    uint64_t *marks;          /* a bit for each record: whether it is in the sample */
    uint32_t *records;        /* of each place its record, ascending */
    uint32_t *partners;       /* [place][PARTNERS] */
    uint32_t *filled;         /* of each place: how many there are */
    double *sums;             /* of each place: probabilities of pairs of its partners */
    uint32_t count;
} sample;

static void add_partner(sample *s, uint32_t record, uint32_t partner)
{
    if (!(s->marks[record / 64] >> record % 64 & 1))
        return;
    const uint64_t at = akin_lower_bound_u32(s->records, s->count, record);
    if (s->filled[at] < PARTNERS)
        s->partners[at * PARTNERS + s->filled[at]++] = partner;
}

/* Sure pairs, whose records' partners are counted. */
typedef struct counting {
    const sample *sample;
    const akin_level_pairs *pairs;
    const uint64_t *sure;
    uint64_t count;
} counting;

static akin_status count_partners(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, c->count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        atomic_fetch_add_explicit(&c->sample->counts[c->pairs->left[c->sure[i]]], 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&c->sample->counts[c->pairs->right[c->sure[i]]], 1, memory_order_relaxed);
    }
    return AKIN_OK;
}

static uint32_t partners_of(const sample *s, uint32_t record)
{
    return atomic_load_explicit(&s->counts[record], memory_order_relaxed);
}

/* Chooses every n-th record with two sure partners or more, so that there are SAMPLE at most. */
static akin_status draw_records(sample *s, const akin_scope *scope, uint32_t records, uint32_t *one, uint32_t *more)
{
    *one = *more = 0;
    for (uint32_t r = 0; r < records; r++) {
        *one += partners_of(s, r) >= 1;
        *more += partners_of(s, r) >= 2;
        if (akin_is_stopped(scope, r))
            return AKIN_E_CANCELLED;
    }
    const uint32_t each = *more / SAMPLE + 1;
    for (uint32_t r = 0, at = 0; r < records; r++) {
        if (partners_of(s, r) >= 2 && at++ % each == 0) {
            s->marks[r / 64] |= UINT64_C(1) << r % 64;
            s->records[s->count++] = r;
        }
        if (akin_is_stopped(scope, r))
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

/* Notes the sure partners, which have been counted, of the records of the sample. */
static akin_status draw_sample(sample *s, const akin_training *e, const uint64_t *sure, uint64_t count, uint32_t *one,
                               uint32_t *more)
{
    const akin_level_pairs *pairs = &e->pairs;
    const akin_scope *scope = e->job->scope;
    akin_status status = draw_records(s, scope, pairs->rows[0] + pairs->rows[1], one, more);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        add_partner(s, pairs->left[sure[i]], pairs->right[sure[i]]);
        add_partner(s, pairs->right[sure[i]], pairs->left[sure[i]]);
        status = akin_is_stopped(scope, i) ? AKIN_E_CANCELLED : AKIN_OK;
    }
    return status;
}

static akin_status compare_partners(void *argument, uint64_t task, uint32_t thread)
{
    const sample *s = argument;
    const uint32_t *partners = s->partners + task * PARTNERS;
    akin_status status = AKIN_OK;
    s->sums[task] = 0;
    for (uint32_t i = 0; i < s->filled[task]; i++)
        for (uint32_t k = i + 1; k < s->filled[task] && status == AKIN_OK; k++) {
            double probability = 0;
            status = akin_training_score(s->scorers, thread, partners[i], partners[k], &probability);
            s->sums[task] += probability;
        }
    return status;
}

/* The mean probability of pairs of partners. */
static double mean_of_sample(const sample *s)
{
    double sum = 0;
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        sum += s->sums[i];
        pairs += (uint64_t)s->filled[i] * (s->filled[i] - 1) / 2;
    }
    return pairs > 0 ? sum / (double)pairs : 0;
}

/* The sample has its memory. */
static akin_status fill_sample(sample *s, akin_training *e, akin_training_scorers *scorers, const double *probabilities,
                               uint32_t *one, uint32_t *more, akin_error *error)
{
    uint64_t *sure = NULL, count = 0;
    akin_status status = akin_training_scorers_make(e, scorers, error);
    if (status == AKIN_OK)
        status = akin_reaching_list(e->job->scope, &e->job->account, probabilities, e->pairs.count, SURE, &sure, &count,
                                    NULL, error);
    counting c = {s, &e->pairs, sure, count};
    if (status != AKIN_OK) {
        akin_free(sure);
        return status;
    }
    status = akin_parallel(e->job->scope, NULL, akin_ceil_div(count, AKIN_LEVEL_PAIRS), count_partners, &c);
    if (status == AKIN_OK)
        status = draw_sample(s, e, sure, count, one, more);
    akin_free(sure);
    if (status == AKIN_OK)
        status = akin_parallel_long(&scorers->scope, NULL, s->count, compare_partners, s, &e->job->cancelled);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the partners of records");
}

static int are_many(double m, double t)
{
    return m * t >= MANY || (m >= SOME && t >= ALL_SURE);
}

akin_status akin_training_find_partners(akin_training *training, const double *probabilities, akin_partners *out,
                                        akin_error *error)
{
    akin_training *e = training;
    akin_account *account = &e->job->account;
    const uint32_t records = e->pairs.rows[0] + e->pairs.rows[1];
    akin_training_scorers scorers = {0};
    uint32_t one = 0, more = 0;
    sample s = {&scorers,
                akin_alloc_zero(account, records, sizeof *s.counts),
                akin_alloc_zero(account, records / 64 + (uint64_t)1, sizeof *s.marks),
                akin_alloc(account, SAMPLE, sizeof *s.records),
                akin_alloc(account, (uint64_t)SAMPLE * PARTNERS, sizeof *s.partners),
                akin_alloc_zero(account, SAMPLE, sizeof *s.filled),
                akin_alloc(account, SAMPLE, sizeof *s.sums),
                0};
    akin_status status = AKIN_OK;
    *out = AKIN_PARTNERS_ONE;
    if (!s.counts || !s.marks || !s.records || !s.partners || !s.filled || !s.sums)
        status = akin_fail_memory(error, "the partners of records");
    else
        status = fill_sample(&s, e, &scorers, probabilities, &one, &more, error);
    if (status == AKIN_OK && one > 0 && akin_training_is_of_entities(e) &&
        are_many((double)more / one, mean_of_sample(&s)))
        *out = AKIN_PARTNERS_MANY;
    akin_training_scorers_clear(&scorers);
    akin_free((void *)s.counts);
    akin_free(s.marks);
    akin_free(s.records);
    akin_free(s.partners);
    akin_free(s.filled);
    akin_free(s.sums);
    return status;
}
