/* The sorted neighbourhood: records sorted by a key, each with those next to it. */
#include "base/bits.h"
#include "base/sort.h"
#include "dedupe/keys.h"
#include "dedupe/select_window.h"

static const char what[] = "the pairs to compare";

/* ---------------------------------------------------------------------------------------------------------- options */

akin_status akin_select_window_check(const akin_selection *selection, uint32_t at, akin_error *error)
{
    if (selection->window >= AKIN_WINDOW_LEAST && selection->window <= AKIN_WINDOW_MOST)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION, "selection %u: a window of %u: expected %d to %d", at, selection->window,
                     AKIN_WINDOW_LEAST, AKIN_WINDOW_MOST);
}

double akin_select_window_expected(const akin_selection *selection, const akin_records *records)
{
    return (double)records->count * ((double)akin_min_u64(selection->window, records->count) - 1);
}

/* ---------------------------------------------------------------------------------------------------------- sorting */

/* Sorts records by keys below 2^32, as most are; those of one key stay in their order. 0: memory is short. */
static int sort_by_short_keys(const uint64_t *keys, uint32_t count, uint32_t *order, akin_account *account)
{
    uint64_t *entries = akin_alloc(account, count, sizeof *entries);
    uint64_t *scratch = akin_alloc(account, count, sizeof *scratch);
    int done = entries && scratch;
    for (uint32_t record = 0; done && record < count; record++)
        entries[record] = keys[record] << 32 | record;
    if (done)
        akin_radix_sort_upper_u64(entries, scratch, count, 32);
    for (uint32_t i = 0; done && i < count; i++)
        order[i] = (uint32_t)entries[i];
    akin_free(entries);
    akin_free(scratch);
    return done;
}

/* The same by any keys. */
static int sort_records(const uint64_t *keys, uint32_t count, uint32_t *order, akin_account *account)
{
    uint64_t highest = 0;
    for (uint32_t record = 0; record < count; record++)
        highest = akin_max_u64(highest, keys[record]);
    if (highest <= UINT32_MAX)
        return sort_by_short_keys(keys, count, order, account);
    akin_u128 *entries = akin_alloc(account, count, sizeof *entries);
    if (!entries)
        return 0;
    for (uint32_t record = 0; record < count; record++)
        entries[record] = (akin_u128)keys[record] << 32 | record;
    akin_sort_u128(entries, count);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (uint32_t)entries[i];
    akin_free(entries);
    return 1;
}

int akin_selected_is_narrow(const akin_selected *selected)
{
    return selected->key_pairs_selected < akin_ceil_div(selected->key_pairs, AKIN_WINDOW_SHARE);
}

static uint64_t key_at(const akin_sorted_keys *keys, uint64_t place)
{
    return keys->sorted ? keys->sorted[place] : keys->of_records[keys->order[place]];
}

/* Adds the pairs of a run of records that have one key. Of one table: with n records, n - d pairs are d apart. */
static void count_run(uint64_t records, uint64_t window, akin_selected *known)
{
    uint64_t near = akin_min_u64(window, records) - 1;
    known->key_pairs += records * (records - 1) / 2;
    known->key_pairs_selected += near * records - near * (near + 1) / 2;
}

/* The same of two tables, whose records meet those of the other one. */
static void count_run_of_two(const akin_records *records, const uint32_t *run, uint64_t count, uint64_t window,
                             akin_selected *known)
{
    uint64_t before[2] = {0, 0}, near[2] = {0, 0}; /* of each table, and those less than the window behind */
    for (uint64_t i = 0; i < count; i++) {
        int side = run[i] >= records->rows[0];
        if (i >= window)
            near[run[i - window] >= records->rows[0]]--;
        known->key_pairs += before[!side];
        known->key_pairs_selected += near[!side];
        before[side]++;
        near[side]++;
    }
}

void akin_window_count(const akin_records *records, uint32_t window, const akin_sorted_keys *keys, akin_selected *known)
{
    for (uint64_t begin = 0, end; begin < records->count; begin = end) {
        uint64_t key = key_at(keys, begin);
        for (end = begin + 1; end < records->count && key_at(keys, end) == key;)
            end++;
        if (key == 0)
            continue;
        if (records->tables == 1)
            count_run(end - begin, window, known);
        else
            count_run_of_two(records, keys->order + begin, end - begin, window, known);
    }
}

/* The keys of records, to be freed. */
static akin_status keys_of_records(const akin_selecting *job, uint32_t count, uint64_t **out, akin_error *error)
{
    const akin_key_part *part = job->selection->parts;
    const akin_values *values = job->values[part->column];
    uint64_t *of_values;
    akin_status status = akin_keys_of_values(job->scope, values, part, 1, job->account, &of_values, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *keys = *out = akin_alloc(job->account, count, sizeof *keys);
    for (uint32_t record = 0; keys && record < count; record++)
        keys[record] = akin_key_of_record(values, of_values, record);
    akin_free(of_values);
    if (keys)
        return AKIN_OK;
    akin_fail_memory(error, what);
    return AKIN_E_NOMEM;
}

akin_status akin_select_window(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    uint32_t count = selector->count;
    uint64_t *keys = NULL;
    selector->order = akin_alloc(job->account, count, sizeof *selector->order);
    selector->places = akin_alloc(job->account, count, sizeof *selector->places);
    if (!selector->order || !selector->places)
        return akin_fail_memory(error, what);
    akin_status status = keys_of_records(job, count, &keys, error);
    if (status == AKIN_OK && !sort_records(keys, count, selector->order, job->account))
        status = akin_fail_memory(error, what);
    for (uint32_t i = 0; status == AKIN_OK && i < count; i++)
        selector->places[selector->order[i]] = i;
    if (status == AKIN_OK)
        akin_window_count(selector->records, selector->window,
                          &(akin_sorted_keys){.order = selector->order, .of_records = keys}, &selector->known);
    akin_free(keys);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

static uint32_t window_places(const akin_selector *s)
{
    return s->count;
}

static uint64_t window_partners(const akin_selector *s, uint32_t at, uint64_t *count)
{
    uint64_t begin = at + (uint64_t)1;
    *count = akin_min_u64(at + (uint64_t)s->window, s->count) - begin;
    return begin;
}

static uint64_t most(const akin_selector *s)
{
    return s->window;
}

/* One record comes in with each step. */
static uint64_t entering(const akin_selector *s, uint64_t at, uint64_t ahead)
{
    return at + s->window + ahead;
}

static akin_status fill_window_urn(akin_pair_urn *urn, akin_account *account, akin_error *error)
{
    const akin_selector *s = urn->selector;
    uint64_t records = s->records->count;
    (void)account, (void)error;
    urn->span = akin_min_u64(s->window - 1, akin_max_u64(records, 1));
    urn->numbers = records * urn->span;
    return AKIN_OK;
}

static int draw_window_pair(const akin_pair_urn *urn, uint64_t number, uint32_t *a, uint32_t *b)
{
    const akin_selector *s = urn->selector;
    uint64_t x = number / urn->span, y = x + number % urn->span + 1;
    if (y >= s->count)
        return 0;
    *a = s->order[x];
    *b = s->order[y];
    return akin_records_meet(s->records, *a, *b);
}

const akin_pairing akin_pairing_near = {
    AKIN_PAIRS_NEAR, 0, 0, window_places, window_partners, most, entering, fill_window_urn, draw_window_pair};
