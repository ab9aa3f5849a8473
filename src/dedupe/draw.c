/* Draws pairs at random out of those that selections select. */
#include "dedupe/draw.h"

#include "base/bits.h"
#include "base/random.h"
#include "base/sort.h"
#include "dedupe/measure.h"

#define NUMBERS_MORE 4  /* so many numbers for each pair that is wanted are looked at one by one */
#define TRIES_MORE   64 /* and so many are drawn at most */

/* A selection, and how many numbers it has. */
typedef struct urn {
    const akin_selector *selector;
    uint64_t numbers;
    uint64_t span;            /* of a window: W - 1, but no more than there are */
    uint64_t *numbers_before; /* of blocks */
} urn;

typedef struct drawing {
    akin_context *context;
    const akin_selector *selectors;
    urn *urns;
    uint32_t count;
    double numbers; /* of all of them */
    akin_random random;
    uint64_t wanted;
    akin_drawn *out;
} drawing;

/* ------------------------------------------------------------------------------------------------------------ urns */

/* The members of a block, by table: the left ones are order[left], .. order[left + lefts - 1]. Of one table they are both. */
typedef struct members {
    uint64_t left, lefts, right, rights;
} members;

static members members_of(const akin_selector *s, uint64_t block)
{
    uint64_t begin = s->starts[block], end = s->starts[block + 1];
    if (s->records->tables == 1)
        return (members){begin, end - begin, begin, end - begin};
    /* They are ascending, those of the right table the last ones. */
    uint64_t lefts = akin_lower_bound_u32(s->order + begin, end - begin, s->records->rows[0]);
    return (members){begin, lefts, begin + lefts, end - begin - lefts};
}

static akin_status fill(urn *u, const akin_selector *s, akin_account *account, akin_error *error)
{
    uint64_t records = s->records->count;
    u->selector = s;
    if (s->kind == AKIN_SELECT_ALL)
        u->numbers = s->records->tables == 2 ? (uint64_t)s->records->rows[0] * s->records->rows[1] : records * records;
    else if (s->kind == AKIN_SELECT_WINDOW)
        u->numbers = records * (u->span = akin_min_u64(s->window - 1, akin_max_u64(records, 1)));
    else if (s->kind == AKIN_SELECT_SIMILAR)
        u->numbers = s->starts[s->count];
    else {
        u->numbers_before = akin_alloc(account, (uint64_t)s->count + 1, sizeof *u->numbers_before);
        if (!u->numbers_before)
            return akin_fail_memory(error, "the report");
        for (uint32_t block = 0; block < s->count; block++) {
            members m = members_of(s, block);
            u->numbers_before[block] = u->numbers;
            u->numbers += m.lefts * m.rights;
        }
        u->numbers_before[s->count] = u->numbers;
    }
    return AKIN_OK;
}

/* The last place whose value is not above `number`, of values that never decrease, from 0 on. */
static uint64_t find_place(const uint64_t *values, uint64_t count, uint64_t number)
{
    return akin_lower_bound_u64(values, count, number + 1) - 1;
}

/* The pair of a number; 0: there is none. */
static int pair_of(const urn *u, uint64_t number, uint32_t *a, uint32_t *b)
{
    const akin_selector *s = u->selector;
    const akin_records *records = s->records;
    uint64_t x, y;
    if (s->kind == AKIN_SELECT_ALL) {
        uint32_t columns = records->tables == 2 ? records->rows[1] : records->count;
        *a = (uint32_t)(number / columns);
        *b = (uint32_t)(number % columns) + (records->tables == 2 ? records->rows[0] : 0);
        return *a < *b;
    }
    if (s->kind == AKIN_SELECT_SIMILAR) {
        *a = (uint32_t)find_place(s->starts, (uint64_t)s->count + 1, number);
        *b = s->order[number];
        return 1;
    }
    if (s->kind == AKIN_SELECT_WINDOW) {
        x = number / u->span;
        y = x + number % u->span + 1;
    } else {
        uint64_t block = find_place(u->numbers_before, (uint64_t)s->count + 1, number);
        members m = members_of(s, block);
        x = m.left + (number - u->numbers_before[block]) / m.rights;
        y = m.right + (number - u->numbers_before[block]) % m.rights;
    }
    if (x >= y || y >= (s->kind == AKIN_SELECT_BLOCK ? s->starts[s->count] : s->count))
        return 0;
    *a = s->order[x];
    *b = s->order[y];
    return akin_records_meet(records, *a, *b);
}

/* Takes the pair of a number, if it has one that no urn before this one has. */
static void take(drawing *d, uint32_t at, uint64_t number)
{
    uint32_t a, b;
    if (!pair_of(&d->urns[at], number, &a, &b))
        return;
    for (uint32_t i = 0; i < at; i++)
        if (akin_selector_has(&d->selectors[i], a, b))
            return;
    d->out->pairs[d->out->count++] = akin_two_records(a, b);
}

/* ---------------------------------------------------------------------------------------------------------- drawing */

static akin_status take_all(drawing *d, akin_error *error)
{
    d->out->is_all = 1;
    for (uint32_t i = 0; i < d->count; i++)
        for (uint64_t number = 0; number < d->urns[i].numbers; number++) {
            akin_status status = akin_records_ask(d->context, (uint32_t)(number % 65536), error);
            if (status != AKIN_OK)
                return status;
            take(d, i, number);
        }
    d->out->pairs_all = (double)d->out->count;
    return AKIN_OK;
}

/* Where the next number comes from. */
static uint32_t draw_urn(drawing *d)
{
    double at = akin_random_unit(&d->random) * d->numbers;
    uint32_t i = 0;
    for (; i + 1 < d->count && at >= (double)d->urns[i].numbers; i++)
        at -= (double)d->urns[i].numbers;
    while (d->urns[i].numbers == 0) /* rounding went beyond the last one that has any */
        i = i > 0 ? i - 1 : d->count - 1;
    return i;
}

static akin_status draw_some(drawing *d, akin_error *error)
{
    uint64_t tries = 0, kept = 0;
    for (; tries < TRIES_MORE * d->wanted && d->out->count < d->wanted; tries++) {
        akin_status status = akin_records_ask(d->context, (uint32_t)(tries % 65536), error);
        if (status != AKIN_OK)
            return status;
        uint32_t at = draw_urn(d);
        take(d, at, akin_random_below(&d->random, d->urns[at].numbers));
    }
    d->out->pairs_all = (double)d->out->count / (double)tries * d->numbers;
    akin_sort_u64(d->out->pairs, d->out->count);
    for (uint64_t i = 0; i < d->out->count; i++)
        if (i == 0 || d->out->pairs[i] != d->out->pairs[kept - 1])
            d->out->pairs[kept++] = d->out->pairs[i];
    d->out->count = kept;
    return AKIN_OK;
}

akin_status akin_draw(akin_context *context, akin_account *account, const akin_selector *selectors, uint32_t count,
                      uint64_t wanted, akin_drawn *out, akin_error *error)
{
    drawing d = {.context = context, .selectors = selectors, .count = count, .wanted = wanted, .out = out};
    akin_status status = AKIN_OK;
    *out = (akin_drawn){0};
    d.urns = akin_alloc_zero(account, count, sizeof *d.urns);
    if (!d.urns)
        return akin_fail_memory(error, "the report");
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        status = fill(&d.urns[i], &selectors[i], account, error);
        d.numbers += (double)d.urns[i].numbers;
    }
    int all = d.numbers <= (double)(NUMBERS_MORE * wanted);
    out->pairs = akin_alloc(account, all ? (uint64_t)d.numbers : wanted, sizeof *out->pairs);
    if (status == AKIN_OK && !out->pairs)
        status = akin_fail_memory(error, "the report");
    akin_random_seed(&d.random, 1);
    if (status == AKIN_OK)
        status = all ? take_all(&d, error) : draw_some(&d, error);
    if (status == AKIN_OK && all)
        akin_sort_u64(out->pairs, out->count);
    for (uint32_t i = 0; i < count; i++)
        akin_free(d.urns[i].numbers_before);
    akin_free(d.urns);
    return status;
}

void akin_drawn_clear(akin_drawn *drawn)
{
    akin_free(drawn->pairs);
    *drawn = (akin_drawn){0};
}
