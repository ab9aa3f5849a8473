/* How many records have each value, and what equal values add to the weights of pairs: they are rare or frequent. */
#include "dedupe/training.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "dedupe/population.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define RANGES       4      /* of a comparison with many values: a task counts those of one */
#define FEW_VALUES   65536  /* whose counts fit a cache: one task counts them all */
#define COUNTS_KNOWN 65536u /* of values in fewer records what they add is in a table */

static const char what[] = "the frequencies of values";

/* -------------------------------------------------------------------------------------------------------- counting */

typedef struct counting {
    akin_training *training;
    uint64_t *valued; /* [comparison][range]: records with such a value */
} counting;

/* Counts the values of a range: a task reads all records, but few of the places where values are counted. */
static akin_status count_range(void *argument, uint64_t task, uint32_t thread)
{
    const counting *n = argument;
    const akin_training *e = n->training;
    const akin_records *records = &e->job->records;
    const uint32_t comparison = (uint32_t)(task / RANGES), range = task % RANGES;
    const akin_training_comparison *c = &e->comparisons[comparison];
    const uint32_t values = akin_training_values(e, comparison);
    const uint64_t ranges = values > FEW_VALUES ? RANGES : 1;
    const uint32_t first = (uint32_t)akin_min_u64(values, values * (uint64_t)range / ranges);
    const uint32_t width = range < ranges ? (uint32_t)(values * (range + (uint64_t)1) / ranges) - first : 0;
    uint64_t valued = 0;
    (void)thread;
    for (uint32_t r = 0; r < records->count && width > 0; r++) {
        const uint32_t value = c->of[r];
        if (value - first >= width) /* none, too */
            continue;
        c->counts[value]++;
        valued++;
        if (c->lefts)
            c->lefts[value] += r < records->rows[0];
    }
    n->valued[task] = valued;
    return AKIN_OK;
}

static akin_status allocate_counts(akin_training *e, akin_error *error)
{
    for (uint32_t i = 0; i < e->pairs.comparisons; i++) {
        akin_training_comparison *c = &e->comparisons[i];
        const uint32_t values = akin_training_values(e, i);
        c->counts = akin_alloc_zero(&e->job->account, values, sizeof *c->counts);
        if (e->pairs.tables == 2)
            c->lefts = akin_alloc_zero(&e->job->account, values, sizeof *c->lefts);
        if (!c->counts || (e->pairs.tables == 2 && !c->lefts))
            return akin_fail_memory(error, what);
    }
    return AKIN_OK;
}

static const char *text_of_value(const void *values, uint32_t value, uint64_t *length)
{
    return akin_values_text(values, value, length);
}

/* Takes the counts of the whole tables: the job has a part of them. */
static akin_status count_population(akin_training *e, akin_error *error)
{
    const akin_population *population = e->job->options.population;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < e->pairs.comparisons && status == AKIN_OK; i++) {
        akin_training_comparison *c = &e->comparisons[i];
        const uint32_t attribute = akin_training_attribute(e, i, 0);
        const akin_population_texts texts = {akin_training_values(e, i), text_of_value,
                                             e->job->scoring.attributes[attribute].values};
        const akin_corpus *whole = population->values[attribute];
        status = akin_population_find(e->job->scope, &e->job->account, whole, &texts, 1, c->counts, error);
        c->valued = whole->words;
    }
    return status;
}

/* Counts the records of the job. */
static akin_status count_records(akin_training *e, akin_error *error)
{
    const uint64_t tasks = e->pairs.comparisons * (uint64_t)RANGES;
    counting n = {e, akin_alloc_zero(&e->job->account, tasks, sizeof *n.valued)};
    if (!n.valued)
        return akin_fail_memory(error, what);
    const akin_status status = akin_parallel(e->job->scope, NULL, tasks, count_range, &n);
    for (uint64_t t = 0; t < tasks; t++)
        e->comparisons[t / RANGES].valued += n.valued[t];
    akin_free(n.valued);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_training_count(akin_training *training, akin_error *error)
{
    akin_training *e = training;
    uint32_t rows[2];
    if (e->pairs.comparisons == 0 || e->comparisons[0].counts)
        return AKIN_OK;
    akin_status status = allocate_counts(e, error);
    if (status == AKIN_OK)
        status = e->job->options.population ? count_population(e, error) : count_records(e, error);
    akin_population_rows(&e->job->options, &e->job->records, rows);
    for (uint32_t c = 0; c < e->pairs.comparisons; c++)
        e->comparisons[c].present = (double)e->comparisons[c].valued / ((double)rows[0] + rows[1] + 0.5);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- values */

/*
 * What a value in n of N records adds. Where two records have the same value, the frequency of that value stands for u:
 * (n - 1.5) / N, because one record is that of the pair, and half a record may be a partner.
 */
static double rarity_of_count(const akin_training_comparison *c, uint32_t n)
{
    const double others = n > AKIN_RARE_RECORDS ? n - 1.5 : 0.5;
    return c->log_u - akin_logarithm_of(others / (double)c->valued);
}

static double rarity_of_value(const akin_training_comparison *c, uint32_t value)
{
    const uint32_t n = c->counts[value];
    return n < c->rarities ? c->rarity[n] : rarity_of_count(c, n);
}

static akin_status set_rarity(void *argument, uint64_t task, uint32_t thread)
{
    akin_training *e = argument;
    akin_training_comparison *c = &e->comparisons[task];
    const uint32_t values = akin_training_values(e, (uint32_t)task);
    uint32_t most = 0;
    (void)thread;
    for (uint32_t v = 0; v < values; v++)
        most = c->counts[v] > most ? c->counts[v] : most;
    c->rarities = most < COUNTS_KNOWN ? most + 1 : COUNTS_KNOWN;
    c->rarity = akin_alloc(&e->job->account, c->rarities, sizeof *c->rarity);
    if (!c->rarity)
        return AKIN_E_NOMEM;
    c->log_u = akin_logarithm_of(e->models[task].u[c->leveled.levels - 1]);
    for (uint32_t n = 0; n < c->rarities && c->valued > 0; n++)
        c->rarity[n] = rarity_of_count(c, n);
    return AKIN_OK;
}

akin_status akin_training_make(akin_training *training, akin_error *error)
{
    akin_training *e = training;
    akin_status status = akin_training_count(e, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(e->job->scope, NULL, e->pairs.comparisons, set_rarity, e);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ----------------------------------------------------------------------------------------------------------- pairs */

/* Whether equal values add to the weight of a pair in a comparison: at the highest level. Where a pair agrees in the
 * parent, its weights are of such pairs, whatever the value. */
static int counts(const akin_training *e, uint32_t comparison, const uint8_t *levels)
{
    return akin_level_is_top(levels[comparison], e->comparisons[comparison].leveled.levels) &&
           !akin_level_is_given(&e->model, comparison, levels);
}

/* What equal values add to the weights of a pair: the float that a list of pairs has. */
static double rarity_of_pair(const akin_training *e, const uint8_t *levels, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (uint32_t c = 0; c < e->pairs.comparisons; c++) {
        if (e->models[c].is_idle || !counts(e, c, levels))
            continue;
        const uint32_t value = e->comparisons[c].of[a];
        if (value == e->comparisons[c].of[b])
            sum += rarity_of_value(&e->comparisons[c], value);
    }
    return (float)((1 + e->model.rareness) * sum);
}

double akin_training_weigh(const akin_training *training, uint32_t a, uint32_t b, const double *each, uint8_t *levels)
{
    akin_training_levels(training, each, levels);
    return training->model.tempering *
           (akin_level_weights(&training->model, levels) + rarity_of_pair(training, levels, a, b));
}

double akin_training_rarity(const akin_training *training, uint32_t a, uint32_t b, const double *each, uint8_t *levels)
{
    akin_training_levels(training, each, levels);
    return rarity_of_pair(training, levels, a, b);
}

/* Some pairs of a list, in three steps, so that many reads of memory are under way at once: which pairs count, which
 * of these have equal values, and what these values add. */
static void add_of_comparison(const akin_training *e, uint32_t comparison, const akin_level_pairs *pairs,
                              uint64_t first, uint64_t count, double *sums)
{
    const akin_training_comparison *c = &e->comparisons[comparison];
    const uint32_t *left = pairs->left + first, *right = pairs->right + first;
    uint32_t places[AKIN_RARITIES] = {0}, values[AKIN_RARITIES], some = 0, equal = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!counts(e, comparison, pairs->levels + (first + i) * pairs->comparisons))
            continue;
        __builtin_prefetch(&c->of[right[i]]);
        places[some++] = i;
    }
    for (uint32_t k = 0; k < some; k++) {
        const uint32_t i = places[k], value = c->of[left[i]];
        if (value != c->of[right[i]])
            continue;
        __builtin_prefetch(&c->counts[value]);
        places[equal] = i;
        values[equal++] = value;
    }
    double rarity = 0;
    for (uint32_t k = 0; k < equal; k++) {
        if (k == 0 || values[k] != values[k - 1])
            rarity = rarity_of_value(c, values[k]);
        sums[places[k]] += rarity;
    }
}

void akin_training_rarities(const void *training, const akin_level_pairs *pairs, uint64_t first, uint64_t count,
                            float *rarity)
{
    const akin_training *e = training;
    double sums[AKIN_RARITIES] = {0};
    for (uint32_t c = 0; c < pairs->comparisons; c++)
        if (!e->models[c].is_idle)
            add_of_comparison(e, c, pairs, first, count, sums);
    for (uint64_t i = 0; i < count; i++)
        rarity[i] = (float)((1 + e->model.rareness) * sums[i]);
}

/* Pairs whose rarity is set. */
typedef struct setting {
    const akin_training *training;
    akin_level_pairs *pairs;
} setting;

static akin_status set_rarities(void *argument, uint64_t task, uint32_t thread)
{
    const setting *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, s->pairs->count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS, now; i < end; i += now) {
        now = akin_min_u64(AKIN_RARITIES, end - i);
        akin_training_rarities(s->training, s->pairs, i, now, s->pairs->rarity + i);
    }
    return AKIN_OK;
}

akin_status akin_training_find_rare(const akin_training *training, akin_level_pairs *pairs, akin_error *error)
{
    setting s = {training, pairs};
    const akin_dedupe_job *j = training->job;
    if (!pairs->rarity)
        pairs->rarity = akin_alloc(&training->job->account, pairs->count, sizeof *pairs->rarity);
    if (!pairs->rarity)
        return akin_fail_memory(error, "the levels of pairs");
    const uint64_t tasks = akin_ceil_div(pairs->count, AKIN_LEVEL_PAIRS);
    const akin_status status = akin_parallel(j->scope, NULL, tasks, set_rarities, &s);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the levels of pairs");
}
