/* Prepares strings: sorts them by their lengths, and counts their bytes. */
#include "search/ordered.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "table/columns.h"

#include <string.h>

#define LENGTHS      65536 /* that counting distinguishes; longer ones are sorted */
#define REPORT_ROWS  ((uint32_t)1 << 16)
#define REPORT_BYTES ((uint64_t)1 << 22) /* of a long string, or of some */
#define TASK_ROWS    ((uint64_t)1 << 14) /* whole blocks, whose bytes a task counts */

static const char what[] = "strings"; /* the memory is for */

/* Keys | length | row |, and where those of each length end; while they are placed, where the next one goes. */
typedef struct sorting {
    const akin_column *column;
    uint64_t *keys;
    uint64_t ends[LENGTHS + 1];
} sorting;

static uint64_t row_length(const akin_column *column, uint32_t row)
{
    return column->offsets[row + UINT64_C(1)] - column->offsets[row];
}

/* Sorts the strings that are there. */
static akin_status sort_strings(const akin_scope *scope, sorting *s, uint32_t rows)
{
    for (uint32_t row = 0; row < rows; row++) {
        if (akin_is_stopped(scope, row))
            return AKIN_E_CANCELLED;
        if (akin_column_has(s->column, row))
            s->ends[akin_min_u64(row_length(s->column, row), LENGTHS - 1) + 1]++;
    }
    for (int length = 0; length < LENGTHS; length++)
        s->ends[length + 1] += s->ends[length];
    for (uint32_t row = 0; row < rows; row++) {
        if (row % REPORT_ROWS == 0 && akin_scope_report(scope, "sorting strings", row, rows) != AKIN_OK)
            return AKIN_E_CANCELLED;
        const uint64_t length = row_length(s->column, row);
        if (akin_column_has(s->column, row))
            s->keys[s->ends[akin_min_u64(length, LENGTHS - 1)]++] = length << 32 | row;
    }
    akin_sort_u64(s->keys + s->ends[LENGTHS - 2], s->ends[LENGTHS - 1] - s->ends[LENGTHS - 2]);
    return AKIN_OK;
}

/* Copies the strings in the order of the keys. */
static akin_status copy_strings(const akin_scope *scope, const akin_column *column, const uint64_t *keys,
                                akin_ordered *s)
{
    uint64_t reported = 0;
    s->begins[0] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (i % REPORT_ROWS == 0 || s->begins[i] - reported > REPORT_BYTES) {
            if (akin_scope_report(scope, "copying strings", i, s->count) != AKIN_OK)
                return AKIN_E_CANCELLED;
            reported = s->begins[i];
        }
        const uint32_t row = (uint32_t)keys[i];
        const uint64_t length = row_length(column, row);
        if (length > 0)
            memcpy(s->bytes + s->begins[i], column->bytes + column->offsets[row], (size_t)length);
        s->begins[i + UINT64_C(1)] = s->begins[i] + length;
        s->rows[i] = row;
        s->longest = akin_max_u32(s->longest, (uint32_t)length);
    }
    memset(s->bytes + s->begins[s->count], 0, AKIN_ORDERED_PAD);
    return AKIN_OK;
}

/* Bytes by their frequency, which falls: 31 of them are kinds 0 to 30; then there and back, so that the frequent kinds
 * get the rare bytes. */
static akin_status set_byte_kinds(const akin_scope *scope, akin_ordered *s)
{
    uint64_t times[256] = {0};
    for (uint64_t i = 0; i < s->begins[s->count];) {
        if (akin_scope_report(scope, NULL, 0, 0) != AKIN_OK)
            return AKIN_E_CANCELLED;
        for (const uint64_t end = akin_min_u64(i + REPORT_BYTES, s->begins[s->count]); i < end; i++)
            times[s->bytes[i]]++;
    }
    for (uint32_t i = 0; i < 256; i++)
        times[i] = ((UINT64_MAX >> 8) - times[i]) << 8 | i;
    akin_sort_u64(times, 256);
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t kind = i % AKIN_ORDERED_KINDS;
        s->kinds[(uint8_t)times[i]] = (uint8_t)(i / AKIN_ORDERED_KINDS % 2 ? AKIN_ORDERED_KINDS - 1 - kind : kind);
    }
    return AKIN_OK;
}

/* Strings whose bytes are counted. */
typedef struct counting {
    akin_ordered *ordered;
    akin_cancellation *cancellations; /* of each thread */
} counting;

/* Counts the bytes of some blocks' strings. */
static akin_status count_bytes(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    akin_ordered *s = c->ordered;
    const uint64_t first = task * TASK_ROWS, last = akin_min_u64(first + TASK_ROWS, s->count);
    const uint64_t blocks = akin_ceil_div(last - first, AKIN_ORDERED_BLOCK);
    uint64_t reported = s->begins[first];
    memset(s->bags + first / AKIN_ORDERED_BLOCK * AKIN_ORDERED_BAGS, 0, (size_t)blocks * AKIN_ORDERED_BAGS);
    for (uint64_t i = first; i < last; i++) {
        if (s->begins[i] - reported > REPORT_BYTES) {
            reported = s->begins[i];
            if (!akin_goes_on(&c->cancellations[thread]))
                return AKIN_E_CANCELLED;
        }
        uint8_t *own = s->bags + i / AKIN_ORDERED_BLOCK * AKIN_ORDERED_BAGS + i % AKIN_ORDERED_BLOCK;
        const uint64_t begin = s->begins[i], end = s->begins[i + UINT64_C(1)];
        for (uint64_t at = begin; at < end; at++) {
            uint8_t *count = own + s->kinds[s->bytes[at]] * AKIN_ORDERED_BLOCK;
            *count = (uint8_t)(*count + (*count < UINT8_MAX));
        }
        own[AKIN_ORDERED_KINDS * AKIN_ORDERED_BLOCK] = (uint8_t)akin_min_u64(end - begin, UINT8_MAX);
    }
    return AKIN_OK;
}

/* Makes an array of `bytes` bytes. */
static akin_status reserve_array(const akin_scope *scope, akin_ordered *s, int array, uint64_t bytes, akin_error *error)
{
    s->arrays[array] = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_ORDERED));
    akin_status status = akin_bulk_reserve(&s->arrays[array], bytes, what, error);
    akin_bulk_trim(&s->arrays[array], bytes);
    return status;
}

/* Makes room for the strings, of `bytes` bytes in all. */
static akin_status reserve_strings(const akin_scope *scope, akin_ordered *s, uint64_t bytes, akin_error *error)
{
    const uint64_t bags = (uint64_t)akin_ordered_blocks(s) * AKIN_ORDERED_BAGS;
    akin_status status =
        reserve_array(scope, s, AKIN_ORDERED_BEGINS, ((uint64_t)s->count + 1) * sizeof *s->begins, error);
    if (status == AKIN_OK)
        status = reserve_array(scope, s, AKIN_ORDERED_ROWS, s->count * sizeof *s->rows, error);
    if (status == AKIN_OK)
        status = reserve_array(scope, s, AKIN_ORDERED_BYTES, bytes + AKIN_ORDERED_PAD, error);
    if (status == AKIN_OK)
        status = reserve_array(scope, s, AKIN_ORDERED_COUNTS, bags, error);
    if (status != AKIN_OK)
        return status;
    s->begins = s->arrays[AKIN_ORDERED_BEGINS].data;
    s->rows = s->arrays[AKIN_ORDERED_ROWS].data;
    s->bytes = s->arrays[AKIN_ORDERED_BYTES].data;
    s->bags = s->arrays[AKIN_ORDERED_COUNTS].data;
    return AKIN_OK;
}

static akin_status count_all(const akin_scope *scope, akin_ordered *s)
{
    atomic_int cancelled = 0;
    counting c = {s, akin_alloc(NULL, scope->threads, sizeof *c.cancellations)};
    if (!c.cancellations)
        return AKIN_E_NOMEM;
    for (uint32_t i = 0; i < scope->threads; i++)
        c.cancellations[i] = (akin_cancellation){scope, &cancelled, i, 0};
    akin_status status =
        akin_parallel_long(scope, NULL, akin_ceil_div(s->count, TASK_ROWS), count_bytes, &c, &cancelled);
    akin_free(c.cancellations);
    return status;
}

/* Puts the strings in order, copies and counts them; s->keys has room for all. */
static akin_status make_ordered(const akin_scope *scope, sorting *s, uint32_t rows, akin_ordered *out)
{
    akin_status status = sort_strings(scope, s, rows);
    if (status == AKIN_OK)
        status = copy_strings(scope, s->column, s->keys, out);
    if (status == AKIN_OK)
        status = set_byte_kinds(scope, out);
    return status == AKIN_OK ? count_all(scope, out) : status;
}

akin_status akin_ordered_make(const akin_scope *scope, const akin_column *column, uint32_t rows, akin_ordered *out,
                              akin_error *error)
{
    uint64_t bytes = 0;
    *out = (akin_ordered){0};
    sorting *s = akin_alloc_zero(NULL, 1, sizeof *s);
    if (!s)
        return akin_fail_memory(error, what);
    akin_bulk array = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_ORDERED_MAKING));
    akin_status status = akin_bulk_reserve(&array, rows * (uint64_t)sizeof *s->keys, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_touch(scope, &array, what, error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        const uint64_t length = row_length(column, row);
        if (!akin_column_has(column, row))
            continue;
        if (length > INT32_MAX)
            status = akin_fail_row(error, AKIN_E_LIMIT, AKIN_REASON_NONE, row, NULL, " has 2^31 bytes or more");
        out->count++;
        bytes += length;
    }
    if (status == AKIN_OK)
        status = reserve_strings(scope, out, bytes, error);
    if (status == AKIN_OK) {
        s->column = column;
        s->keys = array.data;
        status = make_ordered(scope, s, rows, out);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_bulk_clear(&array);
    akin_free(s);
    return status;
}

void akin_ordered_clear(akin_ordered *ordered)
{
    for (int array = 0; array < AKIN_ORDERED_ARRAYS; array++)
        akin_bulk_clear(&ordered->arrays[array]);
    *ordered = (akin_ordered){0};
}
