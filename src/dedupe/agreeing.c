/* Draws numbers of pairs, and looks up their records. */
#include "dedupe/agreeing.h"

#include "base/bits.h"
#include "base/random.h"
#include "base/sort.h"
#include "dedupe/values.h"

#define GROUP 64 /* values whose pairs are counted together; the bits of a word */

/* Records that are wanted: of a value the one with that rank among its records. */
typedef struct wanted {
    akin_u128 *keys; /* value, rank, and where the record goes; sorted */
    uint32_t count;
    uint64_t *marks;            /* a bit for each value: whether one of its records is wanted, */
    uint32_t *ordinals;         /* and how many such values are before each word */
    uint32_t *next, *end;       /* of each such value: its keys that are left, */
    uint32_t *seen;             /* and how many of its records have been passed */
    uint32_t groups, *receiver; /* words; where records go */
} wanted;

static uint64_t pairs_of_value(const akin_agreeing *a, uint32_t value)
{
    const uint64_t n = a->counts[value], left = a->lefts ? a->lefts[value] : n;
    return a->lefts ? left * (n - left) : n * (n - (n > 0)) / 2;
}

uint64_t akin_agreeing_pairs(const akin_agreeing *agreeing)
{
    uint64_t sum = 0;
    for (uint32_t v = 0; v < agreeing->values; v++)
        sum += pairs_of_value(agreeing, v);
    return sum;
}

/* Pairs of all groups before each. */
static void count_groups(const akin_agreeing *a, uint32_t groups, uint64_t *before)
{
    before[0] = 0;
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t end = (uint32_t)akin_min_u64((g + (uint64_t)1) * GROUP, a->values);
        before[g + (uint64_t)1] = before[g];
        for (uint32_t v = g * GROUP; v < end; v++)
            before[g + (uint64_t)1] += pairs_of_value(a, v);
    }
}

/* Pair `number` of all that agree: its value, and the ranks of its records. */
static uint32_t pair_of_number(const akin_agreeing *a, const uint64_t *before, uint32_t groups, uint64_t number,
                               uint64_t ranks[2])
{
    const uint64_t group = akin_lower_bound_u64(before, (uint64_t)groups + 1, number + 1) - 1;
    uint32_t value = (uint32_t)(group * GROUP);
    number -= before[group];
    for (uint64_t of; number >= (of = pairs_of_value(a, value)); value++)
        number -= of;
    if (a->lefts) {
        const uint64_t rights = a->counts[value] - (uint64_t)a->lefts[value];
        ranks[0] = number / rights;
        ranks[1] = a->lefts[value] + number % rights;
    } else {
        akin_pair_of_number(number, &ranks[0], &ranks[1]);
    }
    return value;
}

/* Draws pairs. What is wanted has its memory. */
static void draw_numbers(const akin_agreeing *a, const uint64_t *before, uint64_t seed, uint32_t count,
                         uint32_t at_once, wanted *w)
{
    akin_random random;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t ranks[2];
        if (i % at_once == 0)
            akin_random_seed(&random, seed + i / at_once);
        const uint64_t number = akin_random_below(&random, before[w->groups]);
        const uint32_t value = pair_of_number(a, before, w->groups, number, ranks);
        for (uint32_t side = 0; side < 2; side++)
            w->keys[w->count++] = (akin_u128)value << 64 | ranks[side] << 32 | (2 * i + side);
        w->marks[value / GROUP] |= UINT64_C(1) << value % GROUP;
    }
    akin_sort_u128(w->keys, w->count);
}

static uint32_t value_of_key(akin_u128 key)
{
    return (uint32_t)(key >> 64);
}

/* Numbers the values that are marked. */
static void number_marks(wanted *w)
{
    uint32_t values = 0;
    for (uint32_t g = 0; g < w->groups; g++) {
        w->ordinals[g] = values;
        values += akin_popcount64(w->marks[g]);
    }
    values = 0;
    for (uint32_t k = 0; k < w->count; k++) {
        if (k == 0 || value_of_key(w->keys[k]) != value_of_key(w->keys[k - 1]))
            w->next[values++] = k;
        w->end[values - 1] = k + 1;
    }
}

/* Takes a record that has a marked value, if it is wanted: perhaps by several pairs. */
static void take(wanted *w, uint32_t value, uint32_t record)
{
    const uint64_t below = w->marks[value / GROUP] & ((UINT64_C(1) << value % GROUP) - 1);
    const uint32_t at = w->ordinals[value / GROUP] + akin_popcount64(below), rank = w->seen[at]++;
    for (; w->next[at] < w->end[at] && (uint32_t)(w->keys[w->next[at]] >> 32) == rank; w->next[at]++)
        w->receiver[(uint32_t)w->keys[w->next[at]]] = record;
}

static void look_up(const akin_agreeing *a, wanted *w)
{
    for (uint32_t r = 0; r < a->records; r++) {
        const uint32_t value = a->of[r];
        if (value != AKIN_VALUE_NONE && w->marks[value / GROUP] >> value % GROUP & 1)
            take(w, value, r);
    }
}

akin_status akin_agreeing_draw(const akin_agreeing *agreeing, akin_account *account, uint64_t seed, uint32_t count,
                               uint32_t at_once, uint32_t *pairs)
{
    const akin_agreeing *a = agreeing;
    const uint64_t most = 2 * (uint64_t)count;
    wanted w = {.receiver = pairs, .groups = (uint32_t)akin_ceil_div(a->values, GROUP)};
    uint64_t *before = akin_alloc(account, (uint64_t)w.groups + 1, sizeof *before);
    w.keys = akin_alloc(account, most, sizeof *w.keys);
    w.marks = akin_alloc_zero(account, w.groups, sizeof *w.marks);
    w.ordinals = akin_alloc(account, w.groups, sizeof *w.ordinals);
    w.next = akin_alloc(account, most, sizeof *w.next);
    w.end = akin_alloc(account, most, sizeof *w.end);
    w.seen = akin_alloc_zero(account, most, sizeof *w.seen);
    const int done = before && w.keys && w.marks && w.ordinals && w.next && w.end && w.seen;
    if (done) {
        count_groups(a, w.groups, before);
        draw_numbers(a, before, seed, before[w.groups] > 0 ? count : 0, at_once, &w);
        number_marks(&w);
        look_up(a, &w);
    }
    akin_free(before);
    akin_free(w.keys);
    akin_free(w.marks);
    akin_free(w.ordinals);
    akin_free(w.next);
    akin_free(w.end);
    akin_free(w.seen);
    return done ? AKIN_OK : AKIN_E_NOMEM;
}
