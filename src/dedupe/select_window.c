/* The sorted neighbourhood: records sorted by a key, each with those next to it. */
#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort_parallel.h"
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

double akin_select_window_expected(const akin_dedupe_options *options, const akin_selection *selection,
                                   const akin_records *records)
{
    (void)options;
    return (double)records->count * ((double)akin_min_u64(selection->window, records->count) - 1);
}

/* ---------------------------------------------------------------------------------------------------------- sorting */

#define TASK_RECORDS 65536
#define AHEAD        16 /* places are prefetched for 16 records ahead */

/* What threads sort together. */
typedef struct sorting {
    const akin_values *values;
    const uint64_t *of_values; /* the keys of values, and */
    uint64_t *keys;            /* of records */
    uint64_t *entries;         /* key << 32 | record, where all keys are short, as most are */
    uint32_t *order, *places;
    uint32_t count;
    atomic_int is_long; /* a key does not fit 32 bits */
} sorting;

static uint32_t end_of_task(const sorting *s, uint64_t task)
{
    return (uint32_t)akin_min_u64((task + 1) * TASK_RECORDS, s->count);
}

/* Makes the keys of records. */
static akin_status make_keys(void *argument, uint64_t task, uint32_t thread)
{
    sorting *s = argument;
    uint64_t bits = 0;
    (void)thread;
    for (uint32_t record = (uint32_t)(task * TASK_RECORDS); record < end_of_task(s, task); record++) {
        const uint64_t key = akin_key_of_record(s->values, s->of_values, record);
        s->keys[record] = key;
        s->entries[record] = key << 32 | record;
        bits |= key;
    }
    if (bits > UINT32_MAX)
        atomic_store(&s->is_long, 1);
    return AKIN_OK;
}

/* Takes the records of sorted entries. */
static akin_status take_order(void *argument, uint64_t task, uint32_t thread)
{
    const sorting *s = argument;
    const uint32_t end = end_of_task(s, task);
    (void)thread;
    for (uint32_t i = (uint32_t)(task * TASK_RECORDS); i < end; i++) {
        if (end - i > AHEAD)
            __builtin_prefetch(&s->places[(uint32_t)s->entries[i + AHEAD]], 1);
        s->order[i] = (uint32_t)s->entries[i];
        s->places[s->order[i]] = i;
    }
    return AKIN_OK;
}

/* Sorts records by long keys; those of one key stay in their order. */
static akin_status sort_by_long_keys(const akin_selecting *job, const sorting *s)
{
    akin_u128 *entries = akin_alloc(job->account, s->count, sizeof *entries);
    if (!entries)
        return AKIN_E_NOMEM;
    for (uint32_t record = 0; record < s->count; record++)
        entries[record] = (akin_u128)s->keys[record] << 32 | record;
    const akin_status status = akin_sort_parallel_u128(job->scope, job->account, entries, s->count);
    for (uint32_t i = 0; i < s->count; i++)
        s->entries[i] = (uint32_t)entries[i];
    akin_free(entries);
    return status;
}

static akin_status sort_records(const akin_selecting *job, sorting *s)
{
    const uint64_t tasks = akin_ceil_div(s->count, TASK_RECORDS);
    akin_status status = akin_parallel(job->scope, NULL, tasks, make_keys, s);
    if (status == AKIN_OK)
        status = atomic_load(&s->is_long) ? sort_by_long_keys(job, s)
                                          : akin_sort_parallel_u64(job->scope, job->account, s->entries, s->count);
    return status == AKIN_OK ? akin_parallel(job->scope, NULL, tasks, take_order, s) : status;
}

/* --------------------------------------------------------------------------------------------------------- counting */

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

/* What threads count together. */
typedef struct counting {
    const akin_records *records;
    uint32_t window;
    const akin_sorted_keys *keys;
    _Atomic uint64_t key_pairs, key_pairs_selected;
} counting;

/* Counts the runs of equal keys that begin among the records of a task. */
static akin_status count_runs(void *argument, uint64_t task, uint32_t thread)
{
    counting *c = argument;
    const uint64_t records = c->records->count, last = akin_min_u64((task + 1) * TASK_RECORDS, records);
    uint64_t begin = task * TASK_RECORDS;
    akin_selected known = {0};
    (void)thread;
    while (begin > 0 && begin < last && key_at(c->keys, begin) == key_at(c->keys, begin - 1))
        begin++;
    for (uint64_t end; begin < last; begin = end) {
        const uint64_t key = key_at(c->keys, begin);
        for (end = begin + 1; end < records && key_at(c->keys, end) == key;)
            end++;
        if (key == 0)
            continue;
        if (c->records->tables == 1)
            count_run(end - begin, c->window, &known);
        else
            count_run_of_two(c->records, c->keys->order + begin, end - begin, c->window, &known);
    }
    c->key_pairs += known.key_pairs;
    c->key_pairs_selected += known.key_pairs_selected;
    return AKIN_OK;
}

akin_status akin_window_count(const akin_scope *scope, const akin_records *records, uint32_t window,
                              const akin_sorted_keys *keys, akin_selected *known, akin_error *error)
{
    counting c = {.records = records, .window = window, .keys = keys};
    const akin_status status = akin_parallel(scope, NULL, akin_ceil_div(records->count, TASK_RECORDS), count_runs, &c);
    known->key_pairs += c.key_pairs;
    known->key_pairs_selected += c.key_pairs_selected;
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_select_window(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    const uint32_t count = selector->count;
    const akin_key_part *part = job->selection->parts;
    uint64_t *of_values = NULL;
    sorting s = {.values = job->values[part->column], .count = count};
    akin_status status = akin_keys_of_values(job->scope, s.values, part, 1, job->account, &of_values, error);
    if (status != AKIN_OK)
        return status;
    s.of_values = of_values;
    s.order = selector->order = akin_alloc(job->account, count, sizeof *selector->order);
    s.places = selector->places = akin_alloc(job->account, count, sizeof *selector->places);
    s.keys = akin_alloc(job->account, count, sizeof *s.keys);
    s.entries = akin_alloc(job->account, count, sizeof *s.entries);
    status = s.order && s.places && s.keys && s.entries ? sort_records(job, &s) : AKIN_E_NOMEM;
    akin_free(of_values);
    akin_free(s.entries);
    if (status != AKIN_OK)
        akin_fail_stopped(error, status, what);
    else
        status =
            akin_window_count(job->scope, selector->records, selector->window,
                              &(akin_sorted_keys){.order = s.order, .of_records = s.keys}, &selector->known, error);
    akin_free(s.keys);
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
