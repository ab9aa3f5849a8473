/* Draws pairs at random out of those that selections select. */
#include "report/draw.h"

#include "base/bits.h"
#include "base/random.h"
#include "base/sort.h"
#include "report/measure.h"

#define NUMBERS_MORE 4  /* numbers that are looked at one by one, for each pair that is wanted */
#define TRIES_MORE   64 /* and the most that are drawn */

typedef struct drawing {
    const akin_scope *scope;
    const akin_selector *selectors;
    akin_pair_urn *urns;
    uint32_t count;
    double numbers; /* of all of them */
    akin_random random;
    uint64_t wanted;
    akin_drawn *out;
} drawing;

/* Takes the pair of a number, if it has one that no urn before this one has. */
static void take_pair_of(drawing *d, uint32_t at, uint64_t number)
{
    uint32_t a, b;
    if (!d->selectors[at].pairing->draw(&d->urns[at], number, &a, &b))
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
            akin_status status = akin_records_check_cancelled(d->scope, (uint32_t)(number % 65536), error);
            if (status != AKIN_OK)
                return status;
            take_pair_of(d, i, number);
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
        akin_status status = akin_records_check_cancelled(d->scope, (uint32_t)(tries % 65536), error);
        if (status != AKIN_OK)
            return status;
        uint32_t at = draw_urn(d);
        take_pair_of(d, at, akin_random_below(&d->random, d->urns[at].numbers));
    }
    d->out->pairs_all = (double)d->out->count / (double)tries * d->numbers;
    akin_sort_u64(d->out->pairs, d->out->count);
    for (uint64_t i = 0; i < d->out->count; i++)
        if (i == 0 || d->out->pairs[i] != d->out->pairs[kept - 1])
            d->out->pairs[kept++] = d->out->pairs[i];
    d->out->count = kept;
    return AKIN_OK;
}

akin_status akin_draw(const akin_scope *scope, akin_account *account, const akin_selector *selectors, uint32_t count,
                      uint64_t wanted, akin_drawn *out, akin_error *error)
{
    drawing d = {.scope = scope, .selectors = selectors, .count = count, .wanted = wanted, .out = out};
    akin_status status = AKIN_OK;
    *out = (akin_drawn){0};
    d.urns = akin_alloc_zero(account, count, sizeof *d.urns);
    if (!d.urns)
        return akin_fail_memory(error, "the report");
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        d.urns[i].selector = &selectors[i];
        status = selectors[i].pairing->fill(&d.urns[i], account, error);
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
