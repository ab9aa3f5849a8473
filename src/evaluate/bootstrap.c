/*
 * Bootstrap intervals of an evaluation.
 *
 * Most entities are of few kinds, such as single records that were found right. So entities are not drawn one by one:
 * a draw says how many of each kind there are. The kinds are halved again and again, by weight, and of the entities of
 * a range of kinds a binomial number falls into its first half:
 *
 *     all kinds             10,000,000 entities
 *     first, second half     5,000,812  4,999,188
 *     ...                    down to single kinds
 *
 * A binomial number comes from coin tosses for all entities at once. An entity is in the first half if a random number
 * of endless bits is below the share of that half. One bit decides about every second entity, the next one about every
 * second of the rest, and so on; 64 tosses are one random word. That is exact, and takes no logarithm.
 *
 * Sources: Efron, Bootstrap Methods: Another Look at the Jackknife, 1979; Efron and Tibshirani, An Introduction to the
 * Bootstrap, 1993, section 13.3 (percentile intervals); Binette, York, Hickerson, Baek, Madhavan and Jones, Estimating
 * the Performance of Entity Resolution Algorithms: Lessons Learned Through PatentsView.org, 2022 (clusters as units).
 */
#include "evaluate/bootstrap.h"

#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"
#include "dict/dictionary.h"

#include <string.h>

#define QUOTIENT   64 /* bits */
#define LEAVES_OUT 40 /* one in so many ratios, at either end */
#define DEPTH      72 /* of two halvings in a row one halves the weight, which is below 2^32 */

static const char what[] = "the bootstrap intervals"; /* the memory is for */

/* In the order of `ratios`. */
enum { PRECISION, RECALL, F1, BCUBED_PRECISION, BCUBED_RECALL, BCUBED_F1, RATIOS };

struct akin_entities {
    const akin_scope *scope;
    akin_account *account;
    akin_dictionary *numbers; /* of kinds, by their bytes */
    akin_entity *kinds;
    uint64_t *before; /* entities of each kind; when all are there, those of the kinds before */
    uint64_t kind_room, before_room, count;
    uint32_t times;
    uint64_t seed;
    uint64_t *ratios[RATIOS]; /* of each draw; the bits of doubles, which are not negative */
};

/* --------------------------------------------------------------------------------------------------------- entities */

akin_status akin_entities_create(const akin_scope *scope, akin_account *account, akin_entities **out, akin_error *error)
{
    akin_entities *made = akin_alloc_zero(account, 1, sizeof *made);
    if (!made)
        return akin_fail_memory(error, what);
    made->scope = scope;
    made->account = account;
    *out = made;
    return akin_dictionary_create_within(scope, &made->numbers, error);
}

akin_status akin_entities_add(akin_entities *entities, const akin_entity *entity, akin_error *error)
{
    const uint32_t kinds = akin_dictionary_count(entities->numbers);
    uint32_t kind;
    akin_status status = akin_dictionary_add(entities->numbers, (const char *)entity, sizeof *entity, &kind, error);
    if (status == AKIN_OK && kind == kinds) {
        akin_entity *all =
            akin_enlarge(entities->account, entities->kinds, &entities->kind_room, kinds + UINT64_C(1), sizeof *all);
        entities->kinds = all ? all : entities->kinds;
        uint64_t *before = akin_enlarge(entities->account, entities->before, &entities->before_room,
                                        kinds + UINT64_C(2), sizeof *before);
        entities->before = before ? before : entities->before;
        if (!all || !before)
            return akin_fail_memory(error, what);
        all[kind] = *entity;
        before[kind] = 0;
    }
    if (status == AKIN_OK)
        entities->before[kind]++;
    entities->count += status == AKIN_OK;
    return status;
}

void akin_entities_free(akin_entities *entities)
{
    if (!entities)
        return;
    for (int i = 0; i < RATIOS; i++)
        akin_free(entities->ratios[i]);
    akin_dictionary_free(entities->numbers);
    akin_free(entities->kinds);
    akin_free(entities->before);
    akin_free(entities);
}

/* ------------------------------------------------------------------------------------------------------------ draws */

/* What the drawn entities add. */
typedef struct sums {
    akin_u128 records, precision, recall, found, both, gold;
} sums;

/* A range of kinds, and how many entities of them are drawn. */
typedef struct range {
    uint64_t begin, end, count;
} range;

static uint64_t toss_coins(akin_random *random, uint64_t count)
{
    uint64_t heads = 0;
    for (; count >= 64; count -= 64)
        heads += akin_popcount64(akin_random_next(random));
    return count ? heads + akin_popcount64(akin_random_next(random) >> (64 - count)) : heads;
}

/* How many of `count` random numbers in [0, 1) are below part / whole, which is below 1. A bit of the share that is 1
 * decides about the numbers whose bit is 0, and a 0 about those whose bit is 1. */
static uint64_t draw_below(akin_random *random, uint64_t count, uint64_t part, uint64_t whole)
{
    uint64_t below = 0;
    while (count > 0 && part > 0) { /* part / whole: the bits that are left */
        const uint64_t ones = toss_coins(random, count);
        part *= 2;
        if (part >= whole) {
            part -= whole;
            below += count - ones;
            count = ones;
        } else {
            count -= ones;
        }
    }
    return below;
}

static void add_kind(sums *s, const akin_entity *kind, uint64_t count)
{
    s->records += (akin_u128)kind->records * count;
    s->precision += kind->precision * count;
    s->recall += kind->recall * count;
    s->found += (akin_u128)kind->found * count;
    s->both += (akin_u128)kind->both * count;
    s->gold += (akin_u128)kind->gold * count;
}

/* Where a range of two and more kinds is divided: about half of its entities are before. */
static uint64_t middle_of(const akin_entities *entities, range r)
{
    const uint64_t *before = entities->before, half = (before[r.begin] + before[r.end] + 1) / 2;
    const uint64_t middle = r.begin + akin_lower_bound_u64(before + r.begin, r.end - r.begin, half);
    return middle == r.begin ? middle + 1 : akin_min_u64(middle, r.end - 1);
}

static sums draw(const akin_entities *entities, akin_random *random)
{
    const uint64_t *before = entities->before;
    range waiting[DEPTH];
    uint32_t depth = 0;
    sums s = {0};
    waiting[depth++] = (range){0, akin_dictionary_count(entities->numbers), entities->count};
    while (depth > 0) {
        const range r = waiting[--depth];
        if (r.end - r.begin == 1) {
            add_kind(&s, &entities->kinds[r.begin], r.count);
        } else if (r.count > 0) {
            const uint64_t middle = middle_of(entities, r),
                           first = draw_below(random, r.count, before[middle] - before[r.begin],
                                              before[r.end] - before[r.begin]);
            waiting[depth++] = (range){middle, r.end, r.count - first};
            waiting[depth++] = (range){r.begin, middle, first};
        }
    }
    return s;
}

/* Ratios are doubles of 0 and more, whose bits have their order. */
static uint64_t ratio(akin_u128 part, akin_u128 whole)
{
    const double value = whole == 0 ? 0 : (double)part / (double)whole;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static akin_status draw_once(void *argument, uint64_t task, uint32_t thread)
{
    akin_entities *entities = argument;
    akin_random random;
    (void)thread;
    akin_random_seed(&random, entities->seed + task);
    const sums s = draw(entities, &random);
    entities->ratios[PRECISION][task] = ratio(2 * s.both, s.found);
    entities->ratios[RECALL][task] = ratio(s.both, s.gold);
    entities->ratios[F1][task] = ratio(4 * s.both, s.found + 2 * s.gold);
    entities->ratios[BCUBED_PRECISION][task] = ratio(s.precision, s.records << QUOTIENT);
    entities->ratios[BCUBED_RECALL][task] = ratio(s.recall, s.records << QUOTIENT);
    /* the harmonic mean of two quotients of one divisor */
    const double a = (double)s.precision, b = (double)s.recall;
    const double f1 = a + b > 0 ? 2 * (a / (a + b)) * (b / (double)(s.records << QUOTIENT)) : 0;
    memcpy(&entities->ratios[BCUBED_F1][task], &f1, sizeof f1);
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------- intervals */

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sorts the three ratios from `first` on, and leaves out the outermost. */
static void write_interval(akin_entities *entities, int first, akin_quality *low, akin_quality *high)
{
    const uint32_t out = entities->times / LEAVES_OUT, last = entities->times - 1 - out;
    uint64_t *const *ratios = entities->ratios + first;
    for (int i = 0; i < 3; i++)
        akin_sort_u64(ratios[i], entities->times);
    *low = (akin_quality){double_of(ratios[0][out]), double_of(ratios[1][out]), double_of(ratios[2][out])};
    *high = (akin_quality){double_of(ratios[0][last]), double_of(ratios[1][last]), double_of(ratios[2][last])};
}

/* Of each kind how many entities there are becomes how many there are of those before. */
static void sum_before(akin_entities *entities)
{
    const uint32_t kinds = akin_dictionary_count(entities->numbers);
    uint64_t sum = 0;
    for (uint32_t kind = 0; kind < kinds; kind++) {
        const uint64_t count = entities->before[kind];
        entities->before[kind] = sum;
        sum += count;
    }
    entities->before[kinds] = sum;
}

akin_status akin_entities_draw(akin_entities *entities, uint32_t times, uint64_t seed, akin_cluster_evaluation *out,
                               akin_error *error)
{
    akin_random random;
    if (entities->count == 0)
        return AKIN_OK;
    for (int i = 0; i < RATIOS; i++) {
        entities->ratios[i] = akin_alloc(entities->account, times, sizeof *entities->ratios[i]);
        if (!entities->ratios[i])
            return akin_fail_memory(error, what);
    }
    akin_random_seed(&random, seed); /* draws of neighbouring seeds are to have nothing in common */
    entities->seed = akin_random_next(&random);
    entities->times = times;
    sum_before(entities);
    akin_status status = akin_parallel(entities->scope, "drawing", times, draw_once, entities);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    write_interval(entities, PRECISION, &out->pairs_low, &out->pairs_high);
    write_interval(entities, BCUBED_PRECISION, &out->bcubed_low, &out->bcubed_high);
    return AKIN_OK;
}
