/* The order of preference of documents, chunk by chunk. */
#include "corpus/preference.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/sort_parallel.h"
#include "strings/number.h"
#include "table/columns.h"

#include <math.h>
#include <string.h>

#define TASK     65536 /* rows whose keys a task makes */
#define CHUNK    7     /* bytes of text */
#define CLASS    62    /* the class of a value is in the bits from here on */
#define NO_VALUE UINT64_C(2)
#define EXACT    9007199254740992.0 /* 2^53: integers up to here are doubles */

static const char what[] = "the order of preference"; /* the memory is for */

static const akin_choice keeps[] = {
    {"first", "", "the first one, in the order of the files", AKIN_KEEP_FIRST, AKIN_IS_DEFAULT},
    {"longest", "", "the one whose text has more bytes", AKIN_KEEP_LONGEST, 0},
    {"none", "", "no copy of a passage, of repeats alone", AKIN_KEEP_NONE, 0},
};
const akin_choice_table akin_keeps = AKIN_CHOICE_TABLE("keep", keeps);

/* What rows are sorted by, one after another. */
typedef enum stage { BY_PREFERENCE, BY_ID, BY_ROW } stage;

/* Rows that are equal in all chunks before this one. */
typedef struct run {
    uint64_t begin, count;
    stage stage;
    uint64_t chunk;
} run;

typedef struct job {
    const akin_scope *scope;
    akin_account *account;
    const akin_duplicates_options *options;
    const akin_column *documents;
    akin_u128 *keys; /* a chunk, and the row */
    run at;          /* whose keys are made */
    run *runs;       /* that are left */
    uint64_t run_count, run_capacity;
} job;

/* ----------------------------------------------------------------------------------------------------------- chunks */

/* The bits of a double, so that they rise with its value. */
static uint64_t ordered_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint64_t text_chunk(const char *text, uint64_t length, uint64_t chunk)
{
    const uint64_t begin = chunk * CHUNK, left = length > begin ? length - begin : 0;
    uint64_t key = 0;
    for (uint64_t i = 0; i < CHUNK; i++)
        key = key << 8 | (i < left ? (uint8_t)text[begin + i] : 0);
    return key << 8 | akin_min_u64(left, CHUNK + 1);
}

/* An integer: where its digits begin, without zeros before them. */
typedef struct integer {
    const char *digits;
    uint64_t count;
    int is_negative;
} integer;

/* Whether a number is written as an integer. */
static int take_integer(const char *text, uint64_t length, integer *out)
{
    uint64_t at = length > 0 && (text[0] == '-' || text[0] == '+');
    out->is_negative = length > 0 && text[0] == '-';
    while (at < length && text[at] == '0')
        at++;
    out->digits = text + at;
    out->count = length - at;
    for (; at < length; at++)
        if (text[at] < '0' || text[at] > '9')
            return 0;
    return 1;
}

/* A chunk of a number, whose double has the first two. Doubles from 2^53 on stand for several integers each: these have
 * the number of their digits, and the digits; other numbers come before them. */
static uint64_t number_chunk(const char *text, uint64_t length, double number, uint64_t chunk, int *ended)
{
    const uint64_t bits = ordered_bits(number == 0 ? 0 : number); /* -0 is 0 */
    integer own;
    if (chunk < 2) {
        *ended = chunk == 1 && fabs(number) < EXACT;
        return chunk == 0 ? bits >> 2 : bits & 3;
    }
    if (!take_integer(text, length, &own)) {
        *ended = 1;
        return 0;
    }
    *ended = chunk > 2 && (chunk - 2) * CHUNK >= own.count;
    const uint64_t key = chunk == 2 ? own.count : text_chunk(own.digits, own.count, chunk - 3);
    return own.is_negative ? UINT64_MAX - key : 1 + key;
}

/* Chunk `chunk` of a value. *ended: it has no other. */
static uint64_t value_chunk(const akin_column *column, uint32_t row, uint64_t chunk, int *ended)
{
    const uint64_t *at = column->offsets + row;
    const char *text = column->bytes + at[0];
    const uint64_t length = at[1] - at[0];
    double number;
    *ended = 1;
    if (!akin_column_has(column, row) || length == 0)
        return NO_VALUE << CLASS;
    if (length <= UINT32_MAX && akin_number_parse(text, (uint32_t)length, &number))
        return number_chunk(text, length, number, chunk, ended);
    const uint64_t key = chunk == 0 ? UINT64_C(1) << CLASS : text_chunk(text, length, chunk - 1);
    *ended = chunk > 0 && (key & 0xff) <= CHUNK;
    return key;
}

/* The same, so that greater numbers come first, and greater texts behind them. */
static uint64_t falling_chunk(uint64_t key, uint64_t chunk)
{
    const uint64_t texts = UINT64_C(1) << CLASS;
    return chunk > 0 ? ~key : key < texts ? texts - 1 - key : key;
}

static uint64_t chunk_of(const job *j, const run *r, uint32_t row, int *ended)
{
    const uint64_t *at = j->documents->offsets + row;
    if (r->stage == BY_ID)
        return value_chunk(j->options->ids, row, r->chunk, ended);
    if (j->options->keep == AKIN_KEEP_LONGEST) {
        *ended = 1;
        return ~(akin_column_has(j->documents, row) ? at[1] - at[0] : 0);
    }
    const uint64_t key = value_chunk(j->options->preference, row, r->chunk, ended);
    return j->options->keep == AKIN_KEEP_GREATEST ? falling_chunk(key, r->chunk) : key;
}

/* ------------------------------------------------------------------------------------------------------------- runs */

static akin_status make_keys(void *argument, uint64_t task, uint32_t thread)
{
    const job *j = argument;
    akin_u128 *keys = j->keys + j->at.begin;
    const uint64_t end = akin_min_u64((task + 1) * TASK, j->at.count);
    int ended;
    (void)thread;
    for (uint64_t i = task * TASK; i < end; i++) {
        const uint32_t row = (uint32_t)keys[i];
        keys[i] = (akin_u128)chunk_of(j, &j->at, row, &ended) << 64 | row;
    }
    return AKIN_OK;
}

/* Leaves a run to be sorted by what follows the chunk that its rows are equal in. */
static akin_status push(job *j, uint64_t begin, uint64_t count)
{
    run next = {begin, count, j->at.stage, j->at.chunk + 1};
    int ended;
    (void)chunk_of(j, &j->at, (uint32_t)j->keys[begin], &ended);
    if (ended)
        next = (run){begin, count, next.stage == BY_PREFERENCE && j->options->ids ? BY_ID : BY_ROW, 0};
    if (next.stage == BY_ROW) /* keys that are equal stand in the order of their rows */
        return AKIN_OK;
    run *runs = akin_enlarge(j->account, j->runs, &j->run_capacity, j->run_count + 1, sizeof *runs);
    if (!runs)
        return AKIN_E_NOMEM;
    j->runs = runs;
    runs[j->run_count++] = next;
    return AKIN_OK;
}

/* Sorts the run at hand by its chunk. */
static akin_status sort_run(job *j)
{
    akin_u128 *keys = j->keys + j->at.begin;
    akin_status status = AKIN_OK;
    if (j->at.count > TASK) {
        status = akin_parallel(j->scope, NULL, akin_ceil_div(j->at.count, TASK), make_keys, j);
        if (status == AKIN_OK)
            status = akin_sort_parallel_u128(j->scope, j->account, keys, j->at.count);
    } else {
        status = make_keys(j, 0, 0);
        akin_sort_u128(keys, j->at.count);
    }
    for (uint64_t i = 0, end; i < j->at.count && status == AKIN_OK; i = end) {
        for (end = i + 1; end < j->at.count && keys[end] >> 64 == keys[i] >> 64;)
            end++;
        if (end - i > 1)
            status = push(j, j->at.begin + i, end - i);
    }
    return status;
}

static akin_status sort_runs(job *j, uint32_t rows)
{
    akin_status status = AKIN_OK;
    j->at = (run){0, rows, BY_PREFERENCE, 0};
    for (uint64_t done = 0; status == AKIN_OK; done++) {
        status = akin_is_stopped(j->scope, done) ? AKIN_E_CANCELLED : sort_run(j);
        if (j->run_count == 0)
            break;
        j->at = j->runs[--j->run_count];
    }
    return status;
}

akin_status akin_preference_order(const akin_scope *scope, akin_account *account,
                                  const akin_duplicates_options *options, const akin_column *documents, uint32_t rows,
                                  akin_bulk *order, akin_error *error)
{
    job j = {.scope = scope, .account = account, .options = options, .documents = documents};
    akin_bulk keys = akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_ORDERED_MAKING));
    if (options->keep == AKIN_KEEP_FIRST)
        return AKIN_OK;
    akin_status status = akin_bulk_reserve(&keys, (uint64_t)rows * sizeof *j.keys, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(order, (uint64_t)rows * sizeof(uint32_t), what, error);
    if (status != AKIN_OK) {
        akin_bulk_clear(&keys);
        return status;
    }
    j.keys = keys.data;
    for (uint32_t row = 0; row < rows; row++)
        j.keys[row] = row;
    status = sort_runs(&j, rows);
    for (uint32_t i = 0; i < rows && status == AKIN_OK; i++)
        ((uint32_t *)order->data)[i] = (uint32_t)j.keys[i];
    akin_free(j.runs);
    akin_bulk_clear(&keys);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}
