/* Sorts records by keys, for windows and blocks, and visits the pairs that these select. */
#include "dedupe/selection.h"

#include "base/bits.h"
#include "base/sort.h"
#include "strings/soundex.h"
#include "text/utf8.h"

#include <string.h>

#define TASK_PAIRS 65536
#define AHEAD      16 /* records that are expected so far ahead */

/* ------------------------------------------------------------------------------------------------------------- keys */

/* The paper's simple key: sorts by length, and by the first symbol where that is the same. */
static uint64_t simple_key(const akin_values *values, uint32_t value)
{
    uint64_t length;
    size_t size;
    const char *text = akin_values_text(values, value, &length);
    return 1000 * (uint64_t)values->shapes[value].length + akin_utf8_decode(text, length, &size);
}

static uint64_t soundex_key(const akin_values *values, uint32_t value)
{
    char code[AKIN_SOUNDEX_CODE];
    uint64_t length, key = 0;
    const char *text = akin_values_text(values, value, &length);
    if (!akin_soundex(text, (uint32_t)length, code))
        return 0;
    for (uint32_t i = 0; i < AKIN_SOUNDEX_CODE; i++)
        key = key << 8 | (unsigned char)code[i];
    return key;
}

/* The keys of a column's values, above 0 where there is one; NULL: memory is short. Where keys are not sorted by, the value
 * itself needs no rank. */
static uint64_t *keys_of_values(const akin_values *values, akin_key key, int sorted, akin_account *account)
{
    int ranked = sorted && key == AKIN_KEY_VALUE;
    uint64_t *keys = akin_alloc(account, values->count, sizeof *keys);
    uint32_t *ranks = ranked ? akin_alloc(account, values->count, sizeof *ranks) : NULL;
    if (!keys || (ranked && (!ranks || !akin_values_rank(values, account, ranks)))) {
        akin_free(ranks);
        akin_free(keys);
        return NULL;
    }
    for (uint32_t v = 0; v < values->count; v++)
        keys[v] = key == AKIN_KEY_SOUNDEX  ? soundex_key(values, v)
                  : key == AKIN_KEY_SIMPLE ? simple_key(values, v)
                                           : (uint64_t)(ranks ? ranks[v] : v) + 1;
    akin_free(ranks);
    return keys;
}

/* The keys of records: 0 where the value is missing, or has none. */
static uint64_t *keys_of_records(const akin_values *values, akin_key key, int sorted, akin_account *account)
{
    uint32_t count = values->records->count;
    uint64_t *of_values = keys_of_values(values, key, sorted, account);
    uint64_t *keys = of_values ? akin_alloc(account, count, sizeof *keys) : NULL;
    for (uint32_t record = 0; keys && record < count; record++)
        keys[record] = values->of[record] == AKIN_VALUE_NONE ? 0 : of_values[values->of[record]];
    akin_free(of_values);
    return keys;
}

/* ---------------------------------------------------------------------------------------------------------- windows */

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

static int make_window(akin_selector *selector, const akin_values *values, akin_key key, akin_account *account)
{
    uint32_t count = selector->records->count;
    uint64_t *keys = keys_of_records(values, key, 1, account);
    int done = keys && sort_records(keys, count, selector->order, account);
    for (uint32_t i = 0; done && i < count; i++)
        selector->places[selector->order[i]] = i;
    selector->count = count;
    akin_free(keys);
    return done;
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

/* Numbers records by all parts of their keys, one part after the other: the block so far and the next key are a new
 * block. */
static akin_status number_blocks(akin_context *context, akin_selector *selector, const uint64_t *keys,
                                 akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_dictionary_create(context, &dictionary, error);
    for (uint32_t record = 0; record < selector->records->count && status == AKIN_OK; record++) {
        uint32_t *block = &selector->places[record];
        uint64_t both[2] = {*block, keys[record]};
        status = akin_records_ask(context, record, error);
        if (*block == AKIN_BLOCK_NONE || keys[record] == 0)
            *block = AKIN_BLOCK_NONE;
        else if (status == AKIN_OK)
            status = akin_dictionary_add(dictionary, (const char *)both, sizeof both, block, error);
    }
    if (status == AKIN_OK)
        selector->count = akin_dictionary_count(dictionary);
    akin_dictionary_free(dictionary);
    return status;
}

/* Puts the members of each block side by side, by counting; those that are too large are in none. 0: memory is short. */
static int order_blocks(akin_selector *selector, uint64_t max_block, akin_account *account)
{
    uint32_t records = selector->records->count, blocks = selector->count;
    uint64_t *starts = akin_alloc(account, (uint64_t)blocks + 1, sizeof *starts);
    uint32_t *sizes = akin_alloc_zero(account, blocks, sizeof *sizes); /* then where the next member goes */
    selector->starts = starts;
    if (!starts || !sizes) {
        akin_free(sizes);
        return 0;
    }
    for (uint32_t record = 0; record < records; record++)
        if (selector->places[record] != AKIN_BLOCK_NONE)
            sizes[selector->places[record]]++;
    starts[0] = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        int kept = sizes[block] <= max_block;
        selector->oversized += !kept;
        selector->oversized_records += kept ? 0 : sizes[block];
        starts[block + 1] = starts[block] + (kept ? sizes[block] : 0);
        sizes[block] = kept ? (uint32_t)starts[block] : AKIN_BLOCK_NONE;
    }
    for (uint32_t record = 0; record < records; record++) {
        uint32_t *block = &selector->places[record];
        if (*block != AKIN_BLOCK_NONE && sizes[*block] == AKIN_BLOCK_NONE)
            *block = AKIN_BLOCK_NONE;
        if (*block != AKIN_BLOCK_NONE)
            selector->order[sizes[*block]++] = record;
    }
    akin_free(sizes);
    return 1;
}

static akin_status make_blocks(akin_context *context, akin_account *account, akin_selector *selector,
                               const akin_selection *selection, const akin_values *const *values, uint64_t max_block,
                               akin_error *error)
{
    akin_status status = AKIN_OK;
    memset(selector->places, 0, selector->records->count * sizeof *selector->places);
    for (uint32_t part = 0; part < selection->part_count && status == AKIN_OK; part++) {
        const akin_key_part *of = &selection->parts[part];
        uint64_t *keys = keys_of_records(values[of->column], of->key, 0, account);
        status = keys ? number_blocks(context, selector, keys, error) : akin_fail_memory(error, "the blocks");
        akin_free(keys);
    }
    if (status == AKIN_OK && !order_blocks(selector, max_block, account))
        status = akin_fail_memory(error, "the blocks");
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- pairs */

akin_status akin_selector_make(akin_context *context, akin_account *account, const akin_selection *selection,
                               const akin_values *const *values, uint64_t max_block, const akin_records *records,
                               akin_selector *out, akin_error *error)
{
    akin_selector *s = out;
    *s = (akin_selector){.kind = selection->kind, .records = records, .window = selection->window};
    if (s->kind == AKIN_SELECT_SIMILAR)
        return akin_selector_join(context, account, selection, s, error);
    s->order = akin_alloc(account, records->count, sizeof *s->order);
    s->places = akin_alloc(account, records->count, sizeof *s->places);
    if (!s->order || !s->places)
        return akin_fail_memory(error, "the pairs to compare");
    if (s->kind == AKIN_SELECT_BLOCK)
        return make_blocks(context, account, s, selection, values, max_block, error);
    if (s->kind == AKIN_SELECT_WINDOW)
        return make_window(s, values[selection->parts[0].column], selection->parts[0].key, account)
                   ? AKIN_OK
                   : akin_fail_memory(error, "the pairs to compare");
    for (uint32_t record = 0; record < records->count; record++)
        s->order[record] = record;
    s->count = records->count;
    return AKIN_OK;
}

void akin_selector_clear(akin_selector *selector)
{
    akin_free(selector->order);
    akin_free(selector->places);
    akin_free(selector->starts);
    *selector = (akin_selector){0};
}

/* The records that have partners: as they are in order, or of a selector by similarity as they are. */
static uint32_t ordered(const akin_selector *s)
{
    return s->kind == AKIN_SELECT_BLOCK ? (uint32_t)s->starts[s->count] : s->count;
}

/* The partners of the record at a place of the order: they are behind it there; where of two tables all pairs are wanted
 * they are the other table; by similarity they have a list of their own. */
static const uint32_t *partners_of(const akin_selector *s, uint32_t at, uint64_t *count)
{
    uint64_t begin = (uint64_t)at + 1, end = s->count;
    if (s->kind == AKIN_SELECT_SIMILAR)
        begin = s->starts[at], end = s->starts[at + 1];
    else if (s->kind == AKIN_SELECT_BLOCK)
        end = s->starts[s->places[s->order[at]] + 1];
    else if (s->kind == AKIN_SELECT_WINDOW)
        end = akin_min_u64((uint64_t)at + s->window, s->count);
    else if (s->records->tables == 2)
        begin = at < s->records->rows[0] ? s->records->rows[0] : s->count;
    *count = end - begin;
    return s->order + begin;
}

/* The most partners that a record has. */
static uint64_t most_partners(const akin_selector *s)
{
    uint64_t most = 1;
    if (s->kind == AKIN_SELECT_WINDOW)
        return s->window;
    if (s->kind == AKIN_SELECT_ALL)
        return akin_max_u64(1, s->count);
    for (uint32_t i = 0; i < s->count; i++)
        most = akin_max_u64(most, s->starts[i + 1] - s->starts[i]);
    return most;
}

akin_visits akin_selector_visits(const akin_selector *selector)
{
    akin_visits visits = {.records = (uint32_t)akin_max_u64(1, TASK_PAIRS / most_partners(selector))};
    visits.tasks = akin_ceil_div(ordered(selector), visits.records);
    return visits;
}

/* In a window one record comes in with each step, from anywhere in memory. */
static void look_ahead(const akin_selector *s, uint64_t at, akin_selector_expect expect, void *user)
{
    for (int sooner = 0; sooner < 2; sooner++) {
        uint64_t ahead = at + s->window + (sooner ? AHEAD / 2 : AHEAD);
        if (ahead < s->count)
            expect(user, s->order[ahead], sooner);
    }
}

int akin_selector_visit(const akin_selector *s, const akin_visits *visits, uint64_t task, akin_selector_take take,
                        akin_selector_expect expect, void *user)
{
    uint64_t first = task * visits->records, last = akin_min_u64(first + visits->records, ordered(s));
    for (uint64_t at = first; at < last; at++) {
        uint64_t count;
        const uint32_t *partners = partners_of(s, (uint32_t)at, &count);
        uint32_t record = s->kind == AKIN_SELECT_SIMILAR ? (uint32_t)at : s->order[at];
        if (s->kind == AKIN_SELECT_WINDOW)
            look_ahead(s, at, expect, user);
        for (uint64_t i = 0; i < count; i += AKIN_PARTNERS)
            if (!take(user, record, partners + i, (uint32_t)akin_min_u64(AKIN_PARTNERS, count - i)))
                return 0;
    }
    return 1;
}
