/* Pairs of lists: of each record its partners behind it. */
#include "dedupe/listed.h"

#include "base/sort_parallel.h"

/* Whether pairs ascend already, as those of a join do. */
static int are_sorted(const uint64_t *pairs, uint64_t count)
{
    uint64_t i = 1;
    while (i < count && pairs[i - 1] <= pairs[i])
        i++;
    return i >= count;
}

/* Leaves out what is there before, or is none, of sorted pairs. Returns how many are left. */
static uint64_t keep_once(uint64_t *pairs, uint64_t count)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count && pairs[i] != AKIN_LISTED_NONE; i++)
        if (i == 0 || pairs[i] != pairs[i - 1])
            pairs[kept++] = pairs[i];
    return kept;
}

akin_status akin_listed_make(const akin_selecting *job, uint64_t *pairs, uint64_t count, akin_selector *selector,
                             akin_error *error)
{
    static const char what[] = "the pairs to compare";
    const akin_status status =
        are_sorted(pairs, count) ? AKIN_OK : akin_sort_parallel_u64(job->scope, job->account, pairs, count);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    const uint64_t kept = keep_once(pairs, count);
    selector->order = akin_alloc(job->account, kept, sizeof *selector->order);
    selector->starts = akin_alloc(job->account, (uint64_t)selector->count + 1, sizeof *selector->starts);
    if (!selector->order || !selector->starts)
        return akin_fail_memory(error, what);
    for (uint64_t i = 0, record = 0; record <= selector->count; record++) {
        selector->starts[record] = i;
        for (; i < kept && pairs[i] >> 32 == record; i++)
            selector->order[i] = (uint32_t)pairs[i];
    }
    return AKIN_OK;
}

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
