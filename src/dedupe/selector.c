/* Visits the pairs that a selector selects. */
#include "dedupe/selector.h"

#include "base/bits.h"

#define TASK_PAIRS 65536
#define AHEAD      16 /* records that are expected so far ahead */

void akin_selector_clear(akin_selector *selector)
{
    akin_free(selector->order);
    akin_free(selector->places);
    akin_free(selector->starts);
    if (selector->joined)
        akin_joined_clear(selector->joined);
    akin_free(selector->joined);
    *selector = (akin_selector){0};
}

akin_status akin_selector_stream(akin_selector *selector, akin_account *account, akin_joined *joined, akin_error *error)
{
    selector->joined = akin_alloc(account, 1, sizeof *selector->joined);
    if (!selector->joined)
        return akin_fail_memory(error, "the pairs to compare");
    *selector->joined = *joined;
    *joined = (akin_joined){.border = 0};
    selector->form = AKIN_PAIRS_JOINED;
    return AKIN_OK;
}

int akin_selector_lists(const akin_selector *selector, uint32_t lower, uint32_t higher)
{
    uint64_t begin = selector->starts[lower], count = selector->starts[lower + 1] - begin;
    uint64_t at = count ? akin_lower_bound_u32(selector->order + begin, count, higher) : 0;
    return at < count && selector->order[begin + at] == higher;
}

uint64_t akin_selector_longest(const akin_selector *selector)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < selector->count; i++)
        most = akin_max_u64(most, selector->starts[i + 1] - selector->starts[i]);
    return most;
}

uint64_t akin_pair_urn_place(const uint64_t *values, uint64_t count, uint64_t number)
{
    return akin_lower_bound_u64(values, count, number + 1) - 1;
}

akin_visits akin_selector_visits(const akin_selector *selector)
{
    uint64_t most = selector->pairing->most(selector);
    akin_visits visits = {.records = (uint32_t)akin_max_u64(1, TASK_PAIRS / most)};
    visits.tasks = akin_ceil_div(selector->pairing->places(selector), visits.records);
    return visits;
}

/* Announces to `expect` the records that come in soon, which may be anywhere in memory. */
static void look_ahead(const akin_selector *s, uint64_t at, akin_selector_expect expect, void *user)
{
    for (int sooner = 0; sooner < 2; sooner++) {
        uint64_t place = s->pairing->entering(s, at, sooner ? AHEAD / 2 : AHEAD);
        if (place < s->count)
            expect(user, s->order[place], sooner);
    }
}

int akin_selector_visit(const akin_selector *s, const akin_visits *visits, uint64_t task, akin_selector_take take,
                        akin_selector_expect expect, void *user)
{
    const akin_pairing *pairing = s->pairing;
    uint64_t first = task * visits->records, last = akin_min_u64(first + visits->records, pairing->places(s));
    for (uint64_t at = first; at < last; at++) {
        uint64_t count, begin = pairing->partners(s, (uint32_t)at, &count);
        uint32_t record = pairing->has_lists ? (uint32_t)at : s->order[at];
        if (pairing->entering)
            look_ahead(s, at, expect, user);
        for (uint64_t i = 0; i < count; i += AKIN_PARTNERS)
            if (!take(user, record, s->order + begin + i, (uint32_t)akin_min_u64(AKIN_PARTNERS, count - i)))
                return 0;
    }
    return 1;
}
