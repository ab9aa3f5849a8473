/* Blocks: records whose keys are equal. */
#include "base/bits.h"
#include "dict/dictionary.h"
#include "dedupe/keys.h"
#include "dedupe/select_block.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- blocks */

/* Numbers records by all parts of their keys, one part after the other: the block so far and the next key are a new
 * block. */
static akin_status number_blocks(const akin_scope *scope, akin_selector *selector, const uint64_t *keys,
                                 akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_dictionary_create_within(scope, &dictionary, error);
    for (uint32_t record = 0; record < selector->records->count && status == AKIN_OK; record++) {
        uint32_t *block = &selector->places[record];
        uint64_t both[2] = {*block, keys[record]};
        status = akin_records_check_cancelled(scope, record, error);
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

/* Puts the members of each block side by side, by counting; those that are too large are in none. 0: memory is
 * short. */
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
        selector->known.oversized += !kept;
        selector->known.oversized_records += kept ? 0 : sizes[block];
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

akin_status akin_select_block(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    const akin_selection *selection = job->selection;
    uint32_t records = selector->records->count;
    akin_status status = AKIN_OK;
    selector->order = akin_alloc(job->account, records, sizeof *selector->order);
    selector->places = akin_alloc_zero(job->account, records, sizeof *selector->places);
    if (!selector->order || !selector->places)
        return akin_fail_memory(error, "the pairs to compare");
    for (uint32_t i = 0; i < selection->part_count && status == AKIN_OK; i++) {
        const akin_key_part *part = &selection->parts[i];
        uint64_t *keys = akin_keys_of_records(job->values[part->column], part, 0, job->account);
        status = keys ? number_blocks(job->scope, selector, keys, error) : akin_fail_memory(error, "the blocks");
        akin_free(keys);
    }
    if (status == AKIN_OK && !order_blocks(selector, job->max_block, job->account))
        status = akin_fail_memory(error, "the blocks");
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

static uint32_t block_places(const akin_selector *s)
{
    return (uint32_t)s->starts[s->count];
}

static uint64_t block_partners(const akin_selector *s, uint32_t at, uint64_t *count)
{
    uint64_t begin = at + (uint64_t)1;
    *count = s->starts[s->places[s->order[at]] + (uint64_t)1] - begin;
    return begin;
}

/* The members of a block, by table: the left ones are order[left], .. order[left + lefts - 1]. Of one table they are
 * both. */
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

static akin_status fill_block_urn(akin_pair_urn *urn, akin_account *account, akin_error *error)
{
    const akin_selector *s = urn->selector;
    urn->numbers_before = akin_alloc(account, (uint64_t)s->count + 1, sizeof *urn->numbers_before);
    if (!urn->numbers_before)
        return akin_fail_memory(error, "the report");
    for (uint32_t block = 0; block < s->count; block++) {
        members m = members_of(s, block);
        urn->numbers_before[block] = urn->numbers;
        urn->numbers += m.lefts * m.rights;
    }
    urn->numbers_before[s->count] = urn->numbers;
    return AKIN_OK;
}

static int draw_block_pair(const akin_pair_urn *urn, uint64_t number, uint32_t *a, uint32_t *b)
{
    const akin_selector *s = urn->selector;
    uint64_t block = akin_pair_urn_place(urn->numbers_before, (uint64_t)s->count + 1, number);
    members m = members_of(s, block);
    uint64_t x = m.left + (number - urn->numbers_before[block]) / m.rights;
    uint64_t y = m.right + (number - urn->numbers_before[block]) % m.rights;
    if (x >= y || y >= s->starts[s->count])
        return 0;
    *a = s->order[x];
    *b = s->order[y];
    return akin_records_meet(s->records, *a, *b);
}

const akin_pairing akin_pairing_same = {
    AKIN_PAIRS_SAME, 0, 0, block_places, block_partners, akin_selector_longest, NULL, fill_block_urn, draw_block_pair};
