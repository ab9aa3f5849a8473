/* Blocks: records whose keys are equal. */
#include "base/bits.h"
#include "base/parallel.h"
#include "dedupe/keys.h"
#include "dedupe/select_block.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define TASK_RECORDS 65536

static const char what[] = "the blocks";

/* ---------------------------------------------------------------------------------------------------------- blocks */

/* A part of the keys of records. */
typedef struct key_part {
    const akin_values *values;
    uint64_t *keys; /* of values */
} key_part;

typedef struct blocking {
    key_part *parts;
    uint32_t part_count;
} blocking;

/* A record that lacks a part of its key is in no block. */
static void hash_keys(const void *items, uint64_t seed, uint32_t first, uint32_t end, uint64_t *hashes, uint32_t *of)
{
    const blocking *b = items;
    for (uint32_t record = first; record < end; record++) {
        uint64_t hash = seed, key = 1;
        for (uint32_t i = 0; i < b->part_count && key != 0; i++) {
            key = akin_key_of_record(b->parts[i].values, b->parts[i].keys, record);
            hash = XXH3_64bits_withSeed(&key, sizeof key, hash);
        }
        of[record] = key == 0 ? AKIN_BLOCK_NONE : 0;
        hashes[record] = hash & ~AKIN_HASH_EXACT;
    }
}

static int is_same(const void *items, uint32_t x, uint32_t y)
{
    const blocking *b = items;
    for (uint32_t i = 0; i < b->part_count; i++) {
        const key_part *part = &b->parts[i];
        if (akin_key_of_record(part->values, part->keys, x) != akin_key_of_record(part->values, part->keys, y))
            return 0;
    }
    return 1;
}

/* Numbers records by all parts of their keys. */
static akin_status number_blocks(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    const akin_selection *selection = job->selection;
    blocking b = {.part_count = selection->part_count};
    akin_numbers blocks = {.of = selector->places};
    const akin_numbered records = {&b, selector->records->count, hash_keys, is_same, NULL};
    b.parts = akin_alloc_zero(job->account, b.part_count, sizeof *b.parts);
    if (!b.parts)
        return akin_fail_memory(error, what);
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < b.part_count && status == AKIN_OK; i++) {
        const akin_key_part *part = &selection->parts[i];
        b.parts[i].values = job->values[part->column];
        status = akin_keys_of_values(job->scope, b.parts[i].values, part, 0, job->account, &b.parts[i].keys, error);
    }
    if (status == AKIN_OK)
        status = akin_number_items(job->scope, job->account, &records, what, &blocks, error);
    selector->count = blocks.count;
    akin_free(blocks.first);
    for (uint32_t i = 0; i < b.part_count; i++)
        akin_free(b.parts[i].keys);
    akin_free(b.parts);
    return status;
}

/* What puts the members of blocks side by side. Each task has a range of blocks. It scans all records, so each block
 * gets its members in ascending order, and no two tasks write to the same place. */
typedef struct ordering {
    akin_selector *selector;
    uint64_t max_block;
    uint32_t range;    /* blocks of a task */
    uint32_t *sizes;   /* of blocks; then where the next member goes */
    uint32_t *records; /* of blocks: the records that their members stand for; NULL: their members */
    struct block_sums {
        uint64_t members; /* of blocks that are not too large; then of those in the ranges before */
        uint64_t oversized, oversized_records;
    } * sums; /* of tasks */
} ordering;

/* The blocks of a task. */
typedef struct block_range {
    uint32_t first, count;
} block_range;

static block_range range_of(const ordering *o, uint64_t task)
{
    const uint32_t first = (uint32_t)task * o->range;
    return (block_range){first, (uint32_t)akin_min_u64(o->range, o->selector->count - first)};
}

/* Whether a range has the block; AKIN_BLOCK_NONE is in no range. */
static int has_block(block_range range, uint32_t block)
{
    return block - range.first < range.count;
}

/* The records of a block, before it has its place: those that its members stand for. */
static uint32_t records_of(const ordering *o, uint32_t block)
{
    return o->records ? o->records[block] : o->sizes[block];
}

static akin_status count_members(void *argument, uint64_t task, uint32_t thread)
{
    const ordering *o = argument;
    const akin_selector *selector = o->selector;
    const block_range range = range_of(o, task);
    struct block_sums sums = {0};
    (void)thread;
    for (uint32_t record = 0; record < selector->records->count; record++)
        if (has_block(range, selector->places[record]))
            o->sizes[selector->places[record]]++;
    for (uint32_t record = 0; record < selector->records->count && o->records; record++)
        if (has_block(range, selector->places[record]))
            o->records[selector->places[record]] += selector->records->stand_for[record];
    for (uint32_t block = range.first; block < range.first + range.count; block++) {
        const int is_kept = records_of(o, block) <= o->max_block;
        sums.members += is_kept ? o->sizes[block] : 0;
        sums.oversized += !is_kept;
        sums.oversized_records += is_kept ? 0 : records_of(o, block);
    }
    o->sums[task] = sums;
    return AKIN_OK;
}

/* Blocks that are too large get no members. */
static akin_status place_members(void *argument, uint64_t task, uint32_t thread)
{
    const ordering *o = argument;
    akin_selector *selector = o->selector;
    const block_range range = range_of(o, task);
    uint64_t start = o->sums[task].members;
    (void)thread;
    for (uint32_t block = range.first; block < range.first + range.count; block++) {
        const uint32_t size = o->sizes[block];
        const int is_kept = records_of(o, block) <= o->max_block;
        selector->starts[block] = start;
        o->sizes[block] = is_kept ? (uint32_t)start : AKIN_BLOCK_NONE;
        start += is_kept ? size : 0;
    }
    for (uint32_t record = 0; record < selector->records->count; record++) {
        const uint32_t block = selector->places[record];
        if (has_block(range, block) && o->sizes[block] != AKIN_BLOCK_NONE)
            selector->order[o->sizes[block]++] = record;
    }
    return AKIN_OK;
}

/* Records of blocks that are too large are in none. */
static akin_status leave_oversized(void *argument, uint64_t task, uint32_t thread)
{
    const ordering *o = argument;
    const akin_selector *selector = o->selector;
    const uint64_t first = task * TASK_RECORDS, end = akin_min_u64(first + TASK_RECORDS, selector->records->count);
    (void)thread;
    for (uint64_t record = first; record < end; record++) {
        uint32_t *block = &selector->places[record];
        if (*block != AKIN_BLOCK_NONE && selector->starts[*block] == selector->starts[*block + (uint64_t)1])
            *block = AKIN_BLOCK_NONE;
    }
    return AKIN_OK;
}

static akin_status run_ordering(const akin_scope *scope, ordering *o, uint64_t tasks)
{
    akin_selector *selector = o->selector;
    uint64_t before = 0;
    akin_status status = akin_parallel(scope, NULL, tasks, count_members, o);
    for (uint64_t task = 0; task < tasks && status == AKIN_OK; task++) {
        struct block_sums *sums = &o->sums[task];
        const uint64_t own = sums->members;
        selector->known.oversized += sums->oversized;
        selector->known.oversized_records += sums->oversized_records;
        sums->members = before;
        before += own;
    }
    selector->starts[selector->count] = before;
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, tasks, place_members, o);
    if (status == AKIN_OK && selector->known.oversized > 0)
        status = akin_parallel(scope, NULL, akin_ceil_div(selector->records->count, TASK_RECORDS), leave_oversized, o);
    return status;
}

/* Puts the members of each block side by side, by counting; those that are too large are in none. */
static akin_status order_blocks(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    const uint32_t blocks = selector->count;
    ordering o = {selector, job->max_block,
                  .range = akin_max_u32(1, (uint32_t)akin_ceil_div(blocks, job->scope->threads))};
    const uint64_t tasks = akin_ceil_div(blocks, o.range);
    selector->starts = akin_alloc(job->account, (uint64_t)blocks + 1, sizeof *selector->starts);
    o.sizes = akin_alloc_zero(job->account, blocks, sizeof *o.sizes);
    o.sums = akin_alloc_zero(job->account, tasks, sizeof *o.sums);
    if (selector->records->stand_for)
        o.records = akin_alloc_zero(job->account, blocks, sizeof *o.records);
    akin_status status = AKIN_E_NOMEM;
    if (selector->starts && o.sizes && o.sums && (o.records || !selector->records->stand_for))
        status = run_ordering(job->scope, &o, tasks);
    akin_free(o.sizes);
    akin_free(o.records);
    akin_free(o.sums);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_select_block(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    uint32_t records = selector->records->count;
    selector->order = akin_alloc(job->account, records, sizeof *selector->order);
    selector->places = akin_alloc(job->account, records, sizeof *selector->places);
    if (!selector->order || !selector->places)
        return akin_fail_memory(error, "the pairs to compare");
    akin_status status = number_blocks(job, selector, error);
    return status == AKIN_OK ? order_blocks(job, selector, error) : status;
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
