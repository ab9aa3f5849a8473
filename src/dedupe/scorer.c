/* Scores pairs of records, attribute by attribute. */
#include "dedupe/scorer.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/random.h"
#include "dedupe/missing.h"
#include "strings/batch.h"
#include "strings/comparators.h"
#include "strings/scan.h"

#include <math.h>
#include <string.h>

#define DRAWN       2048  /* pairs of a sample that shows which attribute leaves the fewest */
#define TASK_VALUES 16384 /* or records */
#define KEPT        4096  /* value pairs of an attribute, a power of two */
#define ROUNDED     1e-9  /* more than what doubles lose */
#define OPEN        (-1.) /* a similarity that is not known yet */

#define INLINE   static inline __attribute__((always_inline))
#define COUNTING __attribute__((target("popcnt")))

/* ----------------------------------------------------------------------------------------------------------- limits */

int akin_scored_limit(akin_scored *scored, const uint8_t occurs[AKIN_SCORED_LONGEST + 1], uint32_t longest,
                      akin_account *account)
{
    akin_scored *a = scored;
    a->longest = longest < AKIN_SCORED_LONGEST ? longest : AKIN_SCORED_LONGEST;
    uint64_t side = (uint64_t)a->longest + 1;
    a->limits = akin_alloc(account, side * side * AKIN_PREFIXES, sizeof *a->limits);
    for (uint32_t i = 1; a->limits && i <= a->longest; i++)
        for (uint32_t j = 1; j <= i && occurs[i]; j++) {
            if (!occurs[j])
                continue;
            akin_scan_limits limits = akin_scan_limits_of(&a->cutoff, i, j, a->by_prefix);
            for (uint32_t p = 0; p < AKIN_PREFIXES; p++) {
                int64_t apart = a->by_prefix ? limits.apart[p] : limits.apart[0];
                int16_t most = (int16_t)(apart > AKIN_BAG_BITS ? AKIN_BAG_BITS : apart);
                a->limits[(i * side + j) * AKIN_PREFIXES + p] = a->limits[(j * side + i) * AKIN_PREFIXES + p] = most;
            }
        }
    return a->limits != NULL;
}

/* The same for the lengths of its values. */
static int make_limits(akin_scored *a, akin_account *account)
{
    uint8_t occurs[AKIN_SCORED_LONGEST + 1] = {0};
    uint32_t longest = 0;
    for (uint32_t v = 0; v < a->values->count; v++) {
        uint32_t length = a->values->shapes[v].length;
        longest = akin_max_u32(longest, length);
        occurs[length <= AKIN_SCORED_LONGEST ? length : 0] = 1;
    }
    return akin_scored_limit(a, occurs, longest, account);
}

/* Whether two values, which are not the same, may reach what is needed of the attribute. */
static inline int may_reach(const akin_scored *a, uint32_t x, uint32_t y)
{
    const akin_shape *left = &a->values->shapes[x], *right = &a->values->shapes[y];
    if (a->row->form == AKIN_BY_BYTES)
        return 0;
    if (!a->limits || left->length > a->longest || right->length > a->longest)
        return 1;
    uint64_t side = (uint64_t)a->longest + 1;
    const int16_t *limits = a->limits + (left->length * side + right->length) * AKIN_PREFIXES;
    int limit = limits[a->by_prefix ? akin_head_prefix(left->head, right->head) : 0];
    return (int)akin_bag_apart(&left->bag, &right->bag) <= limit;
}

/* ---------------------------------------------------------------------------------------------------------- scoring */

typedef struct reading {
    akin_scored *scored;
    int (*number)(const char *text, uint32_t length, double *out);
} reading;

static akin_status read_numbers(void *argument, uint64_t task, uint32_t thread)
{
    const reading *r = argument;
    const akin_values *values = r->scored->values;
    const uint64_t end = akin_min_u64((task + 1) * TASK_VALUES, values->count);
    (void)thread;
    for (uint64_t v = task * TASK_VALUES; v < end; v++) {
        uint64_t length;
        const char *text = akin_values_text(values, (uint32_t)v, &length);
        if (!r->number(text, (uint32_t)length, &r->scored->numbers[v]))
            r->scored->numbers[v] = NAN;
    }
    return AKIN_OK;
}

/* Whether a comparator finds nothing in a value. */
static int is_none(const akin_scored *a, uint32_t value)
{
    return a->numbers ? isnan(a->numbers[value]) != 0 : a->weighted.lengths[value] == 0;
}

/* Treats a record as missing if its value is none. */
static akin_status leave_out(void *argument, uint64_t task, uint32_t thread)
{
    const reading *r = argument;
    akin_scored *a = r->scored;
    const uint64_t end = akin_min_u64((task + 1) * TASK_VALUES, a->values->records->count);
    (void)thread;
    for (uint64_t record = task * TASK_VALUES; record < end; record++) {
        const uint32_t value = a->values->of[record];
        a->own[record] = value != AKIN_VALUE_NONE && is_none(a, value) ? AKIN_VALUE_NONE : value;
    }
    return AKIN_OK;
}

/* Has records whose value is none count as missing. */
static akin_status leave_out_records(const akin_scope *scope, const akin_scoring *scoring, akin_scored *a,
                                     akin_error *error)
{
    const uint32_t records = a->values->records->count;
    reading r = {.scored = a};
    a->own = akin_alloc(scoring->account, records, sizeof *a->own);
    if (!a->own)
        return akin_fail_memory(error, "the attributes");
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(records, TASK_VALUES), leave_out, &r);
    a->of = a->own;
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the attributes");
}

/* Reads the number of each value, once for all pairs. */
static akin_status read_values(const akin_scope *scope, const akin_scoring *scoring, akin_scored *a, akin_error *error)
{
    reading r = {a, a->row->functions->number};
    a->numbers = akin_alloc(scoring->account, a->values->count, sizeof *a->numbers);
    if (!a->numbers)
        return akin_fail_memory(error, "the attributes");
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(a->values->count, TASK_VALUES), read_numbers, &r);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the attributes");
}

akin_status akin_scored_read(const akin_attribute *given, akin_scored *out, akin_error *error)
{
    akin_status status = akin_compare_options_read(given->compare, &out->compare, error);
    if (status != AKIN_OK)
        return status;
    const akin_comparator_row *row = akin_comparator_of(out->compare.comparator);
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "unknown comparator %d", (int)out->compare.comparator);
    if (out->compare.folds)
        return akin_fail(error, AKIN_E_OPTION, "a comparison has folds of its own: set those of its column instead");
    out->row = row;
    out->threshold = out->least = given->threshold.num ? given->threshold : (akin_ratio){0, 1};
    out->weight = akin_ratio_value(given->weight);
    out->units = akin_weight_of(given->weight);
    out->is_same_equal = row->is_same_equal;
    out->is_screened = row->is_screened && out->threshold.num > 0;
    out->cutoff = akin_cutoff_of(row, &out->compare, out->threshold, AKIN_CUTOFF_NONE - 1);
    out->by_prefix = out->is_screened && akin_cutoff_by_prefix(&out->cutoff);
    return AKIN_OK;
}

akin_ratio akin_scored_least(const akin_scored *scored, uint32_t attributes, akin_ratio threshold)
{
    return attributes == 1 && akin_ratio_below(scored->threshold, threshold) ? threshold : scored->threshold;
}

/* What value pairs of one of several attributes must reach if all others are equal, rounded down. Attributes that do
 * not count, as a value is missing, leave less for the others. */
static akin_ratio least_beside_equals(const akin_scoring *scoring, const akin_scored *a)
{
    const double least = 1 - scoring->weights * (1 - scoring->bound) / a->weight - ROUNDED;
    return (akin_ratio){least > 0 ? (uint32_t)(least * AKIN_BILLION) : 0, AKIN_BILLION};
}

/* Sets what value pairs of an attribute must reach, with the limits that follow from it. 0: memory is short. */
static int need_of_attribute(const akin_scoring *scoring, akin_scored *a, akin_ratio threshold)
{
    const akin_ratio beside = least_beside_equals(scoring, a);
    a->least = akin_scored_least(a, scoring->count, threshold);
    a->is_needed = scoring->count == 1 || beside.num > 0;
    if (scoring->count > 1 && akin_ratio_below(a->least, beside))
        a->least = beside;
    akin_free(a->limits);
    a->limits = NULL;
    if (!a->row->is_screened || a->least.num == 0)
        return 1;
    a->cutoff = akin_cutoff_of(a->row, &a->compare, a->least, AKIN_CUTOFF_NONE - 1);
    a->by_prefix = akin_cutoff_by_prefix(&a->cutoff);
    return make_limits(a, scoring->account);
}

akin_status akin_scoring_find_from(akin_scoring *scoring, akin_ratio threshold, akin_error *error)
{
    int done = 1;
    scoring->threshold = akin_billionths_of_ratio(threshold);
    scoring->bound = akin_ratio_value(threshold) - AKIN_BOUND_SLACK;
    for (uint32_t i = 0; i < scoring->count && done; i++)
        done = need_of_attribute(scoring, &scoring->attributes[i], threshold);
    return done ? AKIN_OK : akin_fail_memory(error, "the bounds of similarities");
}

/* Weighs the tokens of the values. */
static akin_status weigh_value_tokens(const akin_scope *scope, const akin_scoring *scoring, const akin_corpus *corpus,
                                      akin_scored *a, akin_error *error)
{
    akin_text_options text;
    const akin_token_weighing how = {&text, a->row->is_none, corpus};
    akin_status status = akin_compare_options_text(&a->compare, &text, error);
    return status == AKIN_OK ? akin_weighted_make(scope, scoring->account, a->values, &how, &a->weighted, error)
                             : status;
}

/* `corpus`: by which its tokens are weighed, or NULL. */
static akin_status read_attribute(const akin_scope *scope, const akin_scoring *scoring, const akin_attribute *given,
                                  const akin_corpus *corpus, const akin_values *const *values, akin_scored *out,
                                  akin_error *error)
{
    akin_status status = akin_scored_read(given, out, error);
    if (status != AKIN_OK)
        return status;
    out->values = values[given->column];
    out->of = out->values->of;
    if (out->row->form == AKIN_BY_WEIGHTS)
        status = weigh_value_tokens(scope, scoring, corpus, out, error);
    else if (out->row->is_none)
        status = read_values(scope, scoring, out, error);
    return status == AKIN_OK && out->row->is_none ? leave_out_records(scope, scoring, out, error) : status;
}

/* How much of the weight an attribute is expected to rule out by its screen. */
static double ruled_out(const akin_scored *a, akin_random *random)
{
    uint32_t records = a->values->records->count, apart = 0;
    for (uint32_t i = 0; i < DRAWN && records > 0; i++) {
        uint32_t x = a->of[akin_random_below(random, records)], y = a->of[akin_random_below(random, records)];
        apart += x != AKIN_VALUE_NONE && y != AKIN_VALUE_NONE && x != y && !may_reach(a, x, y);
    }
    return apart * a->weight;
}

/* Sorts attributes by it, those of the same in their order. */
static int order_attributes(akin_scoring *scoring)
{
    double *gains = akin_alloc(scoring->account, scoring->count, sizeof *gains);
    akin_random random;
    akin_random_seed(&random, 1);
    for (uint32_t i = 0; gains && i < scoring->count; i++) {
        uint32_t at = i;
        gains[i] = ruled_out(&scoring->attributes[i], &random);
        for (; at > 0 && gains[scoring->order[at - 1]] < gains[i]; at--)
            scoring->order[at] = scoring->order[at - 1];
        scoring->order[at] = i;
    }
    akin_free(gains);
    return gains != NULL;
}

akin_status akin_scoring_make(const akin_scope *scope, akin_account *account, const akin_dedupe_options *options,
                              const akin_values *const *values, akin_scoring *out, akin_error *error)
{
    akin_scoring *s = out;
    akin_status status = AKIN_OK;
    uint64_t units = 0;
    *s = (akin_scoring){.account = account,
                        .cpu = scope->cpu,
                        .missing = options->missing,
                        .count = options->attribute_count,
                        .gathers = options->weights == AKIN_WEIGHTS_LEARN};
    s->attributes = akin_alloc_zero(account, s->count, sizeof *s->attributes);
    s->order = akin_alloc(account, s->count, sizeof *s->order);
    if (!s->attributes || !s->order)
        return akin_fail_memory(error, "the attributes");
    for (uint32_t i = 0; i < s->count && status == AKIN_OK; i++) {
        akin_attribute given = options->attributes[i];
        if (s->gathers)
            given.threshold = (akin_ratio){0, 1};
        const akin_corpus *corpus = options->statistics ? options->statistics[i] : NULL;
        status = read_attribute(scope, s, &given, corpus, values, &s->attributes[i], error);
        s->weights += s->attributes[i].weight;
        units += s->attributes[i].units;
    }
    s->evidence = akin_missing_skips(s->missing) && !s->gathers ? akin_evidence_of(options->evidence, units) : 0;
    if (status == AKIN_OK)
        status = akin_scoring_find_from(s, s->gathers ? (akin_ratio){0, 1} : options->threshold, error);
    if (status == AKIN_OK && !order_attributes(s))
        status = akin_fail_memory(error, "the attributes");
    return status;
}

void akin_scoring_clear(akin_scoring *scoring)
{
    for (uint32_t i = 0; scoring->attributes && i < scoring->count; i++) {
        akin_free(scoring->attributes[i].limits);
        akin_free(scoring->attributes[i].own);
        akin_free(scoring->attributes[i].numbers);
        akin_weighted_clear(&scoring->attributes[i].weighted);
    }
    akin_free(scoring->attributes);
    akin_free(scoring->order);
    *scoring = (akin_scoring){0};
}

/* ------------------------------------------------------------------------------------------------------ value pairs */

typedef struct kept_pair {
    uint64_t values;   /* the lower one + 1 and the higher one, or the left one + 1 and the right one; 0: none yet */
    double similarity; /* 0 if it is below what is needed */
} kept_pair;

typedef struct taker {
    akin_comparer comparer;
    uint32_t taken; /* the value that it has as its left string */
    uint64_t least; /* what is needed, in units of 2^-40 */
    kept_pair kept[KEPT];
} taker;

struct akin_scorer {
    const akin_scoring *scoring;
    akin_cancellation cancellation;
    uint64_t compared;
    taker *takers; /* of each attribute */
    double *each;  /* for the screen */
};

akin_scorer *akin_scorer_create(const akin_scoring *scoring, const akin_cancellation *cancellation)
{
    akin_scorer *s = akin_alloc_zero(scoring->account, 1, sizeof *s);
    taker *takers = s ? akin_alloc_zero(scoring->account, scoring->count, sizeof *takers) : NULL;
    double *each = takers ? akin_alloc(scoring->account, scoring->count, sizeof *each) : NULL;
    if (!each) {
        akin_free(takers);
        akin_free(s);
        return NULL;
    }
    *s = (akin_scorer){.scoring = scoring, .cancellation = *cancellation, .takers = takers, .each = each};
    for (uint32_t i = 0; i < scoring->count; i++) {
        const akin_scored *a = &scoring->attributes[i];
        akin_comparer_begin(&takers[i].comparer, scoring->cpu, scoring->account, &a->compare, &a->least);
        takers[i].comparer.pattern.go_on = akin_goes_on;
        takers[i].comparer.pattern.user = &s->cancellation;
        takers[i].taken = AKIN_VALUE_NONE;
        takers[i].least = akin_alike_of_ratio(a->least);
    }
    return s;
}

void akin_scorer_free(akin_scorer *scorer)
{
    if (!scorer)
        return;
    for (uint32_t i = 0; i < scorer->scoring->count; i++)
        akin_comparer_clear(&scorer->takers[i].comparer);
    akin_free(scorer->each);
    akin_free(scorer->takers);
    akin_free(scorer);
}

uint64_t akin_scorer_compared(const akin_scorer *scorer)
{
    return scorer->compared;
}

/* Compares the texts of two values. */
static akin_status compare_texts(akin_scorer *s, uint32_t attribute, uint32_t x, uint32_t y, double *out)
{
    const akin_values *values = s->scoring->attributes[attribute].values;
    taker *t = &s->takers[attribute];
    akin_status status = AKIN_OK;
    akin_compared compared;
    uint64_t length;
    if (t->taken != x) {
        t->taken = AKIN_VALUE_NONE;
        const char *text = akin_values_text(values, x, &length);
        status = akin_comparer_take(&t->comparer, text, length);
        if (status != AKIN_OK)
            return status;
        t->taken = x;
    }
    const char *text = akin_values_text(values, y, &length);
    status = akin_comparer_compare(&t->comparer, text, length, &compared);
    if (status == AKIN_OK)
        *out = compared.similarity;
    return status;
}

/* The similarity of two values by their tokens' weights. */
static double compare_weighted(const akin_scorer *s, uint32_t attribute, uint32_t x, uint32_t y)
{
    double similarity = akin_weighted_cosine(&s->scoring->attributes[attribute].weighted, x, y);
    return akin_alike_of(similarity) >= s->takers[attribute].least ? similarity : 0;
}

/* The similarity of two values, 0 if it is below what is needed; NAN: there is none. */
static akin_status compare_values(akin_scorer *s, uint32_t attribute, uint32_t x, uint32_t y, double *out)
{
    const akin_scored *a = &s->scoring->attributes[attribute];
    const int is_turned = y < x && !akin_scored_is_directed(a);
    uint64_t both = (uint64_t)((is_turned ? y : x) + 1) << 32 | (is_turned ? x : y);
    kept_pair *kept = &s->takers[attribute].kept[(both * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (KEPT - 1)];
    akin_status status = AKIN_OK;
    if (kept->values == both) {
        *out = kept->similarity;
        return AKIN_OK;
    }
    if (a->row->form == AKIN_BY_WEIGHTS)
        *out = compare_weighted(s, attribute, x, y);
    else if (a->numbers)
        *out = akin_comparer_compare_numbers(&s->takers[attribute].comparer, a->numbers[x], a->numbers[y]).similarity;
    else
        status = compare_texts(s, attribute, x, y, out);
    if (status != AKIN_OK)
        return status;
    s->compared++;
    *kept = (kept_pair){both, *out};
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* A similarity that is known without a comparison, or OPEN. */
static inline double look_for_known(const akin_scored *a, akin_missing missing, uint32_t x, uint32_t y)
{
    if (x == AKIN_VALUE_NONE || y == AKIN_VALUE_NONE)
        return akin_missing_similarity(missing, x == y);
    if (x == y && a->is_same_equal)
        return 1.0;
    return may_reach(a, x, y) ? OPEN : 0.0;
}

/* What an attribute adds to the sum, of its similarity, which is 0 if it is below the threshold. */
static inline double contribution(const akin_scored *a, double similarity)
{
    return similarity > 0 ? a->weight * similarity : 0.0; /* NAN is not, either */
}

/* The weights of the attributes that count for a pair; 0 if they are too few. */
static inline double weights_of(const akin_scoring *g, uint32_t a, uint32_t b)
{
    double weights = 0;
    uint64_t units = 0;
    if (!akin_missing_skips(g->missing))
        return g->weights;
    for (uint32_t i = 0; i < g->count; i++) {
        const akin_scored *attribute = &g->attributes[i];
        const int is_missing = attribute->of[a] == AKIN_VALUE_NONE || attribute->of[b] == AKIN_VALUE_NONE;
        weights += is_missing ? 0 : attribute->weight;
        units += is_missing ? 0 : attribute->units;
    }
    return units >= g->evidence ? weights : 0;
}

/* Looks at all attributes, as long as the pair may still come to `least`. Returns what it may. */
static inline double look_at_all(const akin_scoring *g, uint32_t a, uint32_t b, double most, double least, double *each)
{
    for (uint32_t k = 0; k < g->count && most >= least; k++) {
        const akin_scored *attribute = &g->attributes[g->order[k]];
        double similarity = look_for_known(attribute, g->missing, attribute->of[a], attribute->of[b]);
        each[g->order[k]] = similarity;
        if (similarity >= 0)
            most -= attribute->weight - contribution(attribute, similarity);
    }
    return most;
}

/* What a pair must come to. A pair without weights comes to nothing. */
static inline double least_of(const akin_scoring *g, double weights)
{
    if (g->gathers)
        return -1;
    return weights > 0 ? g->bound * weights : INFINITY;
}

/* The same, with those that are open, which are compared. */
static akin_status compare_open(akin_scorer *s, uint32_t a, uint32_t b, double *most, double least, double *each)
{
    const akin_scoring *g = s->scoring;
    akin_status status = AKIN_OK;
    for (uint32_t k = 0; k < g->count && status == AKIN_OK && *most >= least; k++) {
        const akin_scored *attribute = &g->attributes[g->order[k]];
        double *similarity = &each[g->order[k]];
        if (!(*similarity < 0))
            continue;
        const int is_turned = b < a && akin_scored_is_directed(attribute); /* left records come first */
        status = compare_values(s, g->order[k], attribute->of[is_turned ? b : a], attribute->of[is_turned ? a : b],
                                similarity);
        *most -= attribute->weight - contribution(attribute, *similarity);
    }
    return status;
}

INLINE uint32_t screen(const akin_scoring *g, uint32_t record, const uint32_t *partners, uint32_t count, double *each,
                       uint32_t *passed)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        double weights = weights_of(g, record, partners[i]), least = least_of(g, weights);
        passed[left] = partners[i];
        left += look_at_all(g, record, partners[i], weights, least, each) >= least;
    }
    return left;
}

static uint32_t screen_plain(const akin_scoring *g, uint32_t record, const uint32_t *partners, uint32_t count,
                             double *each, uint32_t *passed)
{
    return screen(g, record, partners, count, each, passed);
}

/* The same where the CPU counts bits in an instruction, which only x86-64 has to be asked for. */
#if defined(__x86_64__)
COUNTING static uint32_t screen_counting(const akin_scoring *g, uint32_t record, const uint32_t *partners,
                                         uint32_t count, double *each, uint32_t *passed)
{
    return screen(g, record, partners, count, each, passed);
}
#endif

/* Whether different values may be ruled out without a comparison. */
static int is_sieve(const akin_scored *a)
{
    return a->limits || a->row->form == AKIN_BY_BYTES;
}

/* The attribute that rules out the most pairs by itself; NULL: none does. */
static const akin_scored *sieve_of(const akin_scoring *g)
{
    for (uint32_t k = 0; k < g->count; k++)
        if (g->attributes[g->order[k]].is_needed && is_sieve(&g->attributes[g->order[k]]))
            return &g->attributes[g->order[k]];
    return NULL;
}

/* Values are looked up for many pairs at once, so that reads of memory overlap; most pairs end at one attribute. */
INLINE uint32_t sieve(const akin_scored *a, const uint32_t *lower, const uint32_t *higher, uint32_t count,
                      uint32_t *passed)
{
    uint32_t x[AKIN_SCREENED], y[AKIN_SCREENED], left = 0;
    for (uint32_t i = 0; i < count; i++) {
        x[i] = a->of[lower[i]];
        y[i] = a->of[higher[i]];
    }
    for (uint32_t i = 0; i < count; i++) {
        const int is_known = x[i] == AKIN_VALUE_NONE || y[i] == AKIN_VALUE_NONE || x[i] == y[i];
        passed[left] = i;
        left += (uint32_t)(is_known || may_reach(a, x[i], y[i]));
    }
    return left;
}

INLINE uint32_t screen_pairs(const akin_scoring *g, const uint32_t *lower, const uint32_t *higher, uint32_t count,
                             double *each, uint32_t *passed)
{
    const akin_scored *a = sieve_of(g);
    uint32_t left = 0;
    if (a)
        count = sieve(a, lower, higher, count, passed);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = a ? passed[i] : i;
        const double weights = weights_of(g, lower[at], higher[at]), least = least_of(g, weights);
        passed[left] = at;
        left += look_at_all(g, lower[at], higher[at], weights, least, each) >= least;
    }
    return left;
}

static uint32_t screen_pairs_plain(const akin_scoring *g, const uint32_t *lower, const uint32_t *higher, uint32_t count,
                                   double *each, uint32_t *passed)
{
    return screen_pairs(g, lower, higher, count, each, passed);
}

#if defined(__x86_64__)
COUNTING static uint32_t screen_pairs_counting(const akin_scoring *g, const uint32_t *lower, const uint32_t *higher,
                                               uint32_t count, double *each, uint32_t *passed)
{
    return screen_pairs(g, lower, higher, count, each, passed);
}
#endif

uint32_t akin_scorer_screen_pairs(akin_scorer *scorer, const uint32_t *lower, const uint32_t *higher, uint32_t count,
                                  uint32_t *passed)
{
    static uint32_t (*const by_level[])(const akin_scoring *, const uint32_t *, const uint32_t *, uint32_t, double *,
                                        uint32_t *) =
        AKIN_CPU_ROW(screen_pairs_plain, screen_pairs_plain, screen_pairs_counting, screen_pairs_counting);
    const akin_scoring *g = scorer->scoring;
    return by_level[g->cpu](g, lower, higher, count, scorer->each, passed);
}

void akin_scorer_expect(const akin_scorer *scorer, uint32_t record, int sooner)
{
    const akin_scoring *g = scorer->scoring;
    for (uint32_t i = 0; i < g->count; i++) {
        const akin_scored *a = &g->attributes[i];
        if (!sooner)
            __builtin_prefetch(&a->of[record]);
        else if (a->limits && a->of[record] != AKIN_VALUE_NONE)
            __builtin_prefetch(&a->values->shapes[a->of[record]]);
    }
}

/* The steps to a text: each reads what the one before has brought. */
enum { TO_VALUE, TO_FIRST, TO_OFFSET, TO_BYTES, STEPS };

static void fetch_text(const akin_values *values, uint32_t value, int step)
{
    if (step == TO_FIRST) {
        __builtin_prefetch(&values->first[value]);
        return;
    }
    const akin_records *records = values->records;
    const uint32_t record = values->first[value], right = record >= records->rows[0];
    const akin_column *column = &records->columns[right][values->column];
    const uint64_t *offset = &column->offsets[right ? record - records->rows[0] : record];
    if (step == TO_OFFSET)
        __builtin_prefetch(offset);
    else
        __builtin_prefetch(column->bytes + *offset);
}

static void fetch_value(const akin_scored *a, uint32_t value, int step)
{
    if (a->row->form != AKIN_BY_WEIGHTS && !a->numbers)
        fetch_text(a->values, value, step);
    else if (a->numbers && step == TO_FIRST)
        __builtin_prefetch(&a->numbers[value]);
}

void akin_scorer_fetch(const akin_scorer *scorer, const akin_pair *pairs, uint32_t count)
{
    const akin_scoring *g = scorer->scoring;
    for (int step = 0; step < STEPS; step++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < g->count; k++) {
                const akin_scored *a = &g->attributes[k];
                const uint32_t *x = &a->of[pairs[i].left], *y = &a->of[pairs[i].right];
                if (step == TO_VALUE) {
                    __builtin_prefetch(x);
                    __builtin_prefetch(y);
                } else if (*x != *y && *x != AKIN_VALUE_NONE && *y != AKIN_VALUE_NONE) {
                    fetch_value(a, *x, step);
                    fetch_value(a, *y, step);
                }
            }
}

uint32_t akin_scorer_screen(akin_scorer *scorer, uint32_t record, const uint32_t *partners, uint32_t count,
                            uint32_t *passed)
{
    static uint32_t (*const by_level[])(const akin_scoring *, uint32_t, const uint32_t *, uint32_t, double *,
                                        uint32_t *) =
        AKIN_CPU_ROW(screen_plain, screen_plain, screen_counting, screen_counting);
    const akin_scoring *g = scorer->scoring;
    return by_level[g->cpu](g, record, partners, count, scorer->each, passed);
}

int akin_scoring_reaches(const akin_scoring *scoring, const double *each, uint32_t threshold)
{
    akin_average average = {0};
    for (uint32_t i = 0; i < scoring->count; i++)
        if (!isnan(each[i]))
            akin_average_add(&average, each[i], scoring->attributes[i].units);
    return akin_average_reaches(average, threshold);
}

akin_status akin_scorer_score(akin_scorer *scorer, uint32_t a, uint32_t b, double *similarity, double *each)
{
    const akin_scoring *g = scorer->scoring;
    double weights = weights_of(g, a, b), least = least_of(g, weights), sum = 0;
    *similarity = -1;
    double most = look_at_all(g, a, b, weights, least, each);
    akin_status status = most >= least ? compare_open(scorer, a, b, &most, least, each) : AKIN_OK;
    if (status != AKIN_OK || !(most >= least))
        return status;
    for (uint32_t i = 0; i < g->count; i++) /* in the order given, so that the sum is the same everywhere */
        sum += contribution(&g->attributes[i], each[i]);
    if (g->gathers)
        *similarity = weights > 0 ? sum / weights : 0;
    else if (g->count == 1 ? each[0] > 0 : akin_scoring_reaches(g, each, g->threshold))
        *similarity = sum / weights;
    return AKIN_OK;
}
