/* The selection of all pairs. */
#include "base/bits.h"
#include "dedupe/select_all.h"

akin_status akin_select_all(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    selector->order = akin_alloc(job->account, selector->count, sizeof *selector->order);
    if (!selector->order)
        return akin_fail_memory(error, "the pairs to compare");
    for (uint32_t record = 0; record < selector->count; record++)
        selector->order[record] = record;
    return AKIN_OK;
}

double akin_select_all_expected(const akin_dedupe_options *options, const akin_selection *selection,
                                const akin_records *records)
{
    (void)options, (void)selection;
    return (double)akin_records_pairs(records);
}

/* Of two tables the left records have partners: the right ones. */
static uint32_t all_places(const akin_selector *s)
{
    return s->records->tables == 2 ? s->records->rows[0] : s->count;
}

static uint64_t all_partners(const akin_selector *s, uint32_t at, uint64_t *count)
{
    uint64_t begin = s->records->tables == 2 ? s->records->rows[0] : at + (uint64_t)1;
    *count = s->count - begin;
    return begin;
}

static uint64_t most(const akin_selector *s)
{
    return akin_max_u64(1, s->count);
}

static akin_status fill_all_urn(akin_pair_urn *urn, akin_account *account, akin_error *error)
{
    const akin_records *records = urn->selector->records;
    uint64_t count = records->count;
    (void)account, (void)error;
    urn->numbers = records->tables == 2 ? (uint64_t)records->rows[0] * records->rows[1] : count * count;
    return AKIN_OK;
}

static int draw_any_pair(const akin_pair_urn *urn, uint64_t number, uint32_t *a, uint32_t *b)
{
    const akin_records *records = urn->selector->records;
    uint32_t columns = records->tables == 2 ? records->rows[1] : records->count;
    *a = (uint32_t)(number / columns);
    *b = (uint32_t)(number % columns) + (records->tables == 2 ? records->rows[0] : 0);
    return *a < *b;
}

const akin_pairing akin_pairing_all = {AKIN_PAIRS_ALL, 1, 0, all_places, all_partners, most, NULL, fill_all_urn,
                                       draw_any_pair};
