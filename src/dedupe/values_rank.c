/*
 * Ranks values by their bytes. An entry has eight of a value's bytes, those that follow what all values begin with:
 *
 *     entry    | 8 bytes of the value, the first one uppermost, then zeros | the value |
 *
 * Once entries are sorted, runs that are equal in these bytes are merged by whole texts.
 */
#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort_parallel.h"
#include "dedupe/values.h"

#include <string.h>

#define TASK_VALUES 32768
#define PIECE       8 /* bytes of a value in an entry */

static const char what[] = "the order of values";

typedef struct ranking {
    const akin_values *values;
    akin_account *account;
    akin_values_cut cut;
    uint32_t argument;
    uint64_t shared; /* bytes that all values begin with */
    akin_u128 *entries;
    uint32_t *ranks;
    uint64_t *begins; /* of each task: where its first run begins; one more than there are */
    uint32_t *steps;  /* of each task: values of another rank than the one before; then the rank before its first one */
} ranking;

static const char *text_of_value(const ranking *r, uint32_t value, uint64_t *length)
{
    return akin_values_text(r->values, value, length);
}

static int is_before(const ranking *r, uint32_t a, uint32_t b)
{
    uint64_t lengths[2];
    const char *x = text_of_value(r, a, &lengths[0]), *y = text_of_value(r, b, &lengths[1]);
    int order = memcmp(x, y, akin_min_u64(lengths[0], lengths[1]));
    return order != 0 ? order < 0 : lengths[0] < lengths[1];
}

/* Whether two values differ in what is wanted of them. */
static int is_apart(const ranking *r, uint32_t a, uint32_t b)
{
    if (!r->cut)
        return 1; /* values are distinct */
    uint64_t lengths[2];
    const char *x = text_of_value(r, a, &lengths[0]), *y = text_of_value(r, b, &lengths[1]);
    for (int i = 0; i < 2; i++)
        lengths[i] = r->cut(i ? y : x, lengths[i], r->argument);
    return lengths[0] != lengths[1] || memcmp(x, y, lengths[0]) != 0;
}

/* How many bytes all values begin with. */
static uint64_t shared_bytes(const ranking *r)
{
    uint64_t shared, length;
    const char *first = r->values->count > 0 ? text_of_value(r, 0, &shared) : NULL;
    if (!first)
        return 0;
    for (uint32_t v = 1; v < r->values->count && shared > 0; v++) {
        const char *text = text_of_value(r, v, &length);
        uint64_t same = 0, most = akin_min_u64(shared, length);
        while (same < most && text[same] == first[same])
            same++;
        shared = same;
    }
    return shared;
}

static akin_status make_entries(void *argument, uint64_t task, uint32_t thread)
{
    ranking *r = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_VALUES, r->values->count);
    (void)thread;
    for (uint64_t v = task * TASK_VALUES; v < end; v++) {
        uint64_t length, upper = 0;
        unsigned char piece[PIECE] = {0};
        const char *text = text_of_value(r, (uint32_t)v, &length);
        memcpy(piece, text + r->shared, (size_t)akin_min_u64(PIECE, length - r->shared));
        for (int i = 0; i < PIECE; i++)
            upper = upper << 8 | piece[i];
        r->entries[v] = (akin_u128)upper << 64 | v;
    }
    return AKIN_OK;
}

/* Merges two runs that are in order, first to middle - 1 and middle to end - 1. */
static void merge_runs(const ranking *r, const akin_u128 *from, akin_u128 *to, uint64_t first, uint64_t middle,
                       uint64_t end)
{
    uint64_t a = first, b = middle;
    for (uint64_t i = first; i < end; i++) {
        int left = b >= end || (a < middle && !is_before(r, (uint32_t)from[b], (uint32_t)from[a]));
        to[i] = left ? from[a++] : from[b++];
    }
}

/* Sorts entries by whole texts. */
static akin_status sort_texts(const ranking *r, akin_u128 *entries, uint64_t count)
{
    akin_u128 *scratch = akin_alloc(r->account, count, sizeof *scratch), *from = entries, *to = scratch;
    if (!scratch)
        return AKIN_E_NOMEM;
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * width)
            merge_runs(r, from, to, first, akin_min_u64(first + width, count), akin_min_u64(first + 2 * width, count));
        akin_u128 *merged = to;
        to = from;
        from = merged;
    }
    if (from != entries)
        memcpy(entries, from, count * sizeof *entries);
    akin_free(scratch);
    return AKIN_OK;
}

static uint64_t piece_at(const ranking *r, uint64_t i)
{
    return (uint64_t)(r->entries[i] >> 64);
}

/* Finds where the first run begins that does so in a task's part, or behind it. */
static void set_begins(ranking *r, uint64_t tasks)
{
    for (uint64_t task = 0; task <= tasks; task++) {
        uint64_t begin = akin_min_u64(task * TASK_VALUES, r->values->count);
        while (begin > 0 && begin < r->values->count && piece_at(r, begin) == piece_at(r, begin - 1))
            begin++;
        r->begins[task] = begin;
    }
}

/* Sorts the runs of equal bytes that begin in a task's part. */
static akin_status sort_runs(void *argument, uint64_t task, uint32_t thread)
{
    const ranking *r = argument;
    const uint64_t last = r->begins[task + 1];
    akin_status status = AKIN_OK;
    (void)thread;
    for (uint64_t begin = r->begins[task], end; begin < last && status == AKIN_OK; begin = end) {
        for (end = begin + 1; end < last && piece_at(r, end) == piece_at(r, begin);)
            end++;
        if (end - begin > 1)
            status = sort_texts(r, r->entries + begin, end - begin);
    }
    return status;
}

static int is_step(const ranking *r, uint64_t i)
{
    return i > 0 && is_apart(r, (uint32_t)r->entries[i - 1], (uint32_t)r->entries[i]);
}

static akin_status count_steps(void *argument, uint64_t task, uint32_t thread)
{
    ranking *r = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_VALUES, r->values->count);
    (void)thread;
    for (uint64_t i = task * TASK_VALUES; i < end; i++)
        r->steps[task] += (uint32_t)is_step(r, i);
    return AKIN_OK;
}

static akin_status set_ranks(void *argument, uint64_t task, uint32_t thread)
{
    ranking *r = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_VALUES, r->values->count);
    uint32_t rank = r->steps[task];
    (void)thread;
    for (uint64_t i = task * TASK_VALUES; i < end; i++) {
        rank += (uint32_t)is_step(r, i);
        r->ranks[(uint32_t)r->entries[i]] = rank;
    }
    return AKIN_OK;
}

static akin_status do_tasks(const akin_scope *scope, ranking *r, uint64_t tasks)
{
    r->shared = shared_bytes(r);
    akin_status status = akin_parallel(scope, NULL, tasks, make_entries, r);
    if (status == AKIN_OK)
        status = akin_sort_parallel_u128(scope, r->account, r->entries, r->values->count);
    if (status == AKIN_OK) {
        set_begins(r, tasks);
        status = akin_parallel(scope, NULL, tasks, sort_runs, r);
    }
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, tasks, count_steps, r);
    uint32_t rank = 0;
    for (uint64_t task = 0; task < tasks; task++) {
        const uint32_t own = r->steps[task];
        r->steps[task] = rank;
        rank += own;
    }
    return status == AKIN_OK ? akin_parallel(scope, NULL, tasks, set_ranks, r) : status;
}

akin_status akin_values_rank(const akin_scope *scope, const akin_values *values, akin_account *account,
                             akin_values_cut cut, uint32_t argument, uint32_t *ranks, akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(values->count, TASK_VALUES);
    ranking r = {.values = values, .account = account, .cut = cut, .argument = argument, .ranks = ranks};
    r.entries = akin_alloc(account, values->count, sizeof *r.entries);
    r.begins = akin_alloc(account, tasks + 1, sizeof *r.begins);
    r.steps = akin_alloc_zero(account, tasks, sizeof *r.steps);
    akin_status status = r.entries && r.begins && r.steps ? do_tasks(scope, &r, tasks) : AKIN_E_NOMEM;
    akin_free(r.entries);
    akin_free(r.begins);
    akin_free(r.steps);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}
