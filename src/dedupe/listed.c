/* Pairs of lists: of each record its partners behind it. */
#include "dedupe/listed.h"

static uint32_t listed_places(const akin_selector *s)
{
    return s->count;
}

static uint64_t listed_partners(const akin_selector *s, uint32_t at, uint64_t *count)
{
    *count = s->starts[at + (uint64_t)1] - s->starts[at];
    return s->starts[at];
}

static akin_status fill_listed_urn(akin_pair_urn *urn, akin_account *account, akin_error *error)
{
    (void)account, (void)error;
    urn->numbers = urn->selector->starts[urn->selector->count];
    return AKIN_OK;
}

static int draw_listed_pair(const akin_pair_urn *urn, uint64_t number, uint32_t *a, uint32_t *b)
{
    const akin_selector *s = urn->selector;
    *a = (uint32_t)akin_pair_urn_place(s->starts, (uint64_t)s->count + 1, number);
    *b = s->order[number];
    return 1;
}

const akin_pairing akin_pairing_listed = {
    AKIN_PAIRS_LISTED, 0, 1, listed_places, listed_partners, akin_selector_longest, NULL, fill_listed_urn,
    draw_listed_pair};
