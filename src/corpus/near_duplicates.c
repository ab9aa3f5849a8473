/* Near-duplicates of a column, in two passes. */
#include "corpus/near_duplicates.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "corpus/shingles.h"
#include "sets/from_columns.h"
#include "table/columns.h"

#include <string.h>

#define TASK        64        /* rows of a task */
#define BATCH       1024      /* rows of a batch for each thread */
#define TOKEN       4         /* bytes of text for each hash, at least, in a guess */
#define SLOTS       (1 << 28) /* bytes of counters, at most, where memory has no bound */
#define BAD_NONE    UINT64_MAX
#define STATUS_BITS 8 /* of `bad`, behind the row */

static const char what[] = "near-duplicates"; /* the memory is for */

/* What a thread has: for the row at hand, and for the one that it is compared with. */
typedef struct worker {
    _Alignas(64) akin_shingler own;
    akin_shingler other;
} worker;

/* Room for the bag of a row of the batch, which is used again by the next batch. */
typedef struct room {
    uint64_t *hashes;
    uint64_t capacity;
} room;

typedef struct job {
    const akin_scope *scope;
    akin_account *account;
    const akin_near_duplicates *wanted;
    const akin_column *column;
    uint32_t rows;
    akin_frequencies frequencies;
    worker *workers;
    uint32_t first, count; /* of the batch at hand */
    room *rooms;           /* of its rows */
    akin_bag *bags;
    akin_verdict *verdicts;
    _Atomic uint64_t bad; /* the lowest row whose text cannot be taken, and behind it the status; BAD_NONE: none */
} job;

/* The row at a place of the order. */
static uint32_t row_at(const job *j, uint64_t place)
{
    return j->wanted->order ? j->wanted->order[place] : (uint32_t)place;
}

static akin_status take_row(const job *j, akin_shingler *shingler, uint32_t row)
{
    const uint64_t *at = j->column->offsets + row;
    if (!akin_column_has(j->column, row))
        return akin_shingler_take(shingler, "", 0, 0);
    return akin_shingler_take(shingler, j->column->bytes + at[0], at[1] - at[0], j->column->offsets[j->rows] - at[0]);
}

/* ------------------------------------------------------------------------------------------------------ frequencies */

/* Tasks before the first one that fails are all done, so the lowest row is found with any number of threads. */
static void note_bad(job *j, uint64_t row, akin_status status)
{
    const uint64_t bad = row << STATUS_BITS | (uint64_t)status;
    uint64_t held = j->bad;
    while (bad < held && !atomic_compare_exchange_weak(&j->bad, &held, bad))
        ;
}

static akin_status count_rows(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    akin_shingler *own = &j->workers[thread].own;
    const uint64_t end = akin_min_u64((task + 1) * TASK, j->rows);
    for (uint64_t row = task * TASK; row < end; row++) {
        const akin_status status = take_row(j, own, (uint32_t)row);
        if (status != AKIN_OK) {
            note_bad(j, row, status);
            return status;
        }
        akin_frequencies_add(&j->frequencies, own->hashes, own->size);
    }
    return AKIN_OK;
}

/* About how many hashes there are, and how many bytes of counters they may have. */
static akin_status make_frequencies(job *j)
{
    const uint64_t bytes = j->column->offsets[j->rows] - j->column->offsets[0];
    const uint64_t most = j->account && j->account->limit ? akin_budget_within(j->account) : SLOTS;
    return akin_frequencies_make(j->account, bytes / TOKEN, most, &j->frequencies);
}

/* -------------------------------------------------------------------------------------------------------- survivors */

/* Makes the bag of a row of the batch. */
static akin_status make_bag(job *j, akin_shingler *own, uint32_t at)
{
    const uint32_t place = j->first + at;
    room *own_room = &j->rooms[at];
    akin_status status = take_row(j, own, row_at(j, place));
    if (status != AKIN_OK)
        return status;
    uint64_t *hashes = akin_enlarge(j->account, own_room->hashes, &own_room->capacity, own->size, sizeof *hashes);
    if (!hashes)
        return AKIN_E_NOMEM;
    own_room->hashes = hashes;
    if (own->size > 0)
        memcpy(hashes, own->hashes, own->size * sizeof *hashes);
    j->bags[at] = (akin_bag){hashes, own->size, place};
    return AKIN_OK;
}

static akin_status make_bags(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, j->count);
    akin_status status = AKIN_OK;
    for (uint64_t at = task * TASK; at < end && status == AKIN_OK; at++)
        status = make_bag(j, &j->workers[thread].own, (uint32_t)at);
    return status;
}

/* Documents are places of the order. */
static akin_status count_common(void *user, uint32_t thread, uint64_t document, uint64_t kept, uint32_t *common)
{
    const job *j = user;
    worker *w = &j->workers[thread];
    akin_status status = take_row(j, &w->own, row_at(j, document));
    if (status == AKIN_OK)
        status = take_row(j, &w->other, row_at(j, kept));
    if (status == AKIN_OK)
        *common = akin_shingler_common(&w->own, &w->other);
    return status;
}

static akin_status take_batch(job *j, akin_survivors *survivors, akin_duplicate *out, akin_error *error)
{
    akin_status status = akin_parallel(j->scope, NULL, akin_ceil_div(j->count, TASK), make_bags, j);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = akin_survivors_add(j->scope, survivors, j->bags, j->count, j->verdicts, error);
    for (uint32_t i = 0; i < j->count && status == AKIN_OK; i++) {
        const akin_verdict *v = &j->verdicts[i];
        const int is_kept = v->survivor == AKIN_NO_SURVIVOR;
        out[row_at(j, j->first + (uint64_t)i)] =
            (akin_duplicate){is_kept ? AKIN_NO_ROW : row_at(j, v->survivor), v->common, {j->bags[i].size, v->size}};
    }
    return status;
}

static akin_status find_survivors(job *j, akin_duplicate *out, akin_survivors_report *report, akin_error *error)
{
    akin_survivors *survivors = NULL;
    const uint64_t most = akin_min_u64((uint64_t)BATCH * j->scope->threads, j->rows);
    j->rooms = akin_alloc_zero(j->account, most, sizeof *j->rooms);
    j->bags = akin_alloc(j->account, most, sizeof *j->bags);
    j->verdicts = akin_alloc(j->account, most, sizeof *j->verdicts);
    if (!j->rooms || !j->bags || !j->verdicts)
        return akin_fail_memory(error, what);
    akin_status status =
        akin_survivors_create(j->account, &j->wanted->threshold, &j->frequencies, count_common, j, &survivors, error);
    for (uint64_t at = 0; at < j->rows && status == AKIN_OK; at += most) {
        j->first = (uint32_t)at;
        j->count = (uint32_t)akin_min_u64(most, j->rows - at);
        status = take_batch(j, survivors, out, error);
    }
    if (status == AKIN_OK && report)
        akin_survivors_describe(survivors, report);
    akin_survivors_free(survivors);
    for (uint64_t i = 0; i < most; i++)
        akin_free(j->rooms[i].hashes);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

static akin_status begin_workers(job *j)
{
    j->workers = akin_alloc_zero(j->account, j->scope->threads, sizeof *j->workers);
    for (uint32_t i = 0; i < j->scope->threads && j->workers; i++) {
        akin_shingler *both[] = {&j->workers[i].own, &j->workers[i].other};
        for (int side = 0; side < 2; side++) {
            akin_shingler_begin(both[side], j->scope->cpu, j->account, j->wanted->text);
            if (j->wanted->mask)
                both[side]->mask = j->wanted->mask;
        }
    }
    return j->workers ? AKIN_OK : AKIN_E_NOMEM;
}

static void clear(job *j)
{
    for (uint32_t i = 0; i < j->scope->threads && j->workers; i++) {
        akin_shingler_clear(&j->workers[i].own);
        akin_shingler_clear(&j->workers[i].other);
    }
    akin_free(j->workers);
    akin_free(j->rooms);
    akin_free(j->bags);
    akin_free(j->verdicts);
    akin_frequencies_clear(&j->frequencies);
}

akin_status akin_near_duplicates_find(const akin_scope *scope, akin_account *account,
                                      const akin_near_duplicates *wanted, const akin_column *column, uint32_t rows,
                                      akin_duplicate *out, akin_survivors_report *report, akin_error *error)
{
    job j = {.scope = scope, .account = account, .wanted = wanted, .column = column, .rows = rows, .bad = BAD_NONE};
    akin_status status = begin_workers(&j);
    if (status == AKIN_OK)
        status = make_frequencies(&j);
    if (status == AKIN_OK)
        status = akin_parallel(scope, what, akin_ceil_div(rows, TASK), count_rows, &j);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT)
        akin_sets_fail_text(column, 1, 0, (uint32_t)(j.bad >> STATUS_BITS), status, error);
    else if (status != AKIN_OK)
        akin_fail_stopped(error, status, what);
    if (status == AKIN_OK)
        status = find_survivors(&j, out, report, error);
    clear(&j);
    return status;
}
