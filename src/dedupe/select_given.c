/* The selection of pairs that the caller gives, in any order. */
#include "dedupe/select_given.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "dedupe/listed.h"

#include <inttypes.h>

#define TASK_PAIRS 65536

static const char what[] = "the given pairs";

/* The rows of a table in pairs. */
typedef struct checking {
    const akin_dedupe_options *options;
    const akin_records *records;
    uint64_t *wrong; /* of each task: its first pair with a row that a table lacks; given_count: it has none */
} checking;

static uint32_t rights_of(const akin_records *records)
{
    return records->rows[records->tables - 1];
}

static akin_status check_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const checking *c = argument;
    const akin_dedupe_options *o = c->options;
    const uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, o->given_count);
    const uint32_t lefts = c->records->rows[0], rights = rights_of(c->records);
    uint64_t at = task * TASK_PAIRS;
    (void)thread;
    while (at < end && o->given_left[at] < lefts && o->given_right[at] < rights)
        at++;
    c->wrong[task] = at < end ? at : o->given_count;
    return AKIN_OK;
}

static akin_status fail_row(const checking *c, uint64_t at, akin_error *error)
{
    const akin_dedupe_options *o = c->options;
    const int is_left = o->given_left[at] >= c->records->rows[0];
    const char *side = c->records->tables == 1 ? "" : is_left ? "left " : "right ";
    return akin_fail(error, AKIN_E_INPUT,
                     "given pair %" PRIu64 ", of rows %" PRIu32 " and %" PRIu32 ": the %stable has %" PRIu32
                     " rows, numbered from 0",
                     at, o->given_left[at], o->given_right[at], side,
                     is_left ? c->records->rows[0] : rights_of(c->records));
}

akin_status akin_given_check(const akin_scope *scope, const akin_dedupe_options *options, const akin_records *records,
                             akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(options->given_count, TASK_PAIRS);
    checking c = {options, records, NULL};
    if (tasks == 0)
        return AKIN_OK;
    if (!(c.wrong = akin_alloc(NULL, tasks, sizeof *c.wrong)))
        return akin_fail_memory(error, what);
    akin_status status = akin_parallel(scope, NULL, tasks, check_pairs, &c);
    if (status != AKIN_OK)
        akin_fail_stopped(error, status, what);
    for (uint64_t task = 0; task < tasks && status == AKIN_OK; task++)
        if (c.wrong[task] < options->given_count)
            status = fail_row(&c, c.wrong[task], error);
    akin_free(c.wrong);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* What makes pairs of records of pairs of rows. */
typedef struct numbering {
    const akin_given *given;
    uint32_t border; /* the first record of the right table */
    uint64_t *pairs;
} numbering;

static akin_status number_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const numbering *n = argument;
    const akin_given *given = n->given;
    const uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, given->count);
    (void)thread;
    for (uint64_t i = task * TASK_PAIRS; i < end; i++) {
        uint32_t left = given->rows[0][i], right = given->rows[1][i] + n->border;
        if (given->places) {
            left = given->places[left];
            right = given->places[right];
        }
        n->pairs[i] = left == right ? AKIN_LISTED_NONE : akin_listed_pair(left, right);
    }
    return AKIN_OK;
}

akin_status akin_select_given(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    const akin_records *records = selector->records;
    numbering n = {.given = &job->given, .border = records->tables == 2 ? records->rows[0] : 0};
    n.pairs = akin_alloc(job->account, job->given.count, sizeof *n.pairs);
    if (!n.pairs)
        return akin_fail_memory(error, what);
    akin_status status = akin_parallel(job->scope, NULL, akin_ceil_div(job->given.count, TASK_PAIRS), number_pairs, &n);
    status = status == AKIN_OK ? akin_listed_make(job, n.pairs, job->given.count, selector, error)
                               : akin_fail_stopped(error, status, what);
    akin_free(n.pairs);
    return status;
}

double akin_select_given_expected(const akin_dedupe_options *options, const akin_selection *selection,
                                  const akin_records *records)
{
    (void)selection, (void)records;
    return (double)options->given_count;
}
