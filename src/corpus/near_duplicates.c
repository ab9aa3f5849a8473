/* Near-duplicates of a column: passes over its documents. */
#include "corpus/near_duplicates.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/bulk.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/parallel.h"
#include "corpus/bad_row.h"
#include "corpus/chained.h"
#include "corpus/duplicates.h"
#include "corpus/near_options.h"
#include "corpus/preference.h"
#include "corpus/shingles.h"
#include "corpus/sources.h"
#include "corpus/survivors.h"
#include "sets/from_columns.h"

#include <string.h>

#define TASK        64         /* rows of a task */
#define PORTION     (1 << 28)  /* bytes of text between two looks at what a pass has left behind */
#define BATCH       4096       /* rows of a batch for each thread, at most, */
#define BATCH_BYTES (16 << 20) /* and bytes of their text */
#define GUESSED     256        /* rows that the number of all hashes is guessed from */
#define WORD        7          /* bytes of text for a hash, in a guess without such rows */

static const char what[] = "near-duplicates"; /* the memory is for */

/* What a thread has: for the row at hand, and for the one that it is compared with. */
typedef struct worker {
    _Alignas(64) akin_shingler own;
    akin_shingler other;
    uint64_t own_row; /* that `own` has taken last */
    uint64_t *hashes; /* of the bags of the batch that the thread made */
    uint64_t count, capacity;
} worker;

/* Where the hashes of a bag are: they may move until all bags of the batch are made. */
typedef struct room {
    uint64_t begin;
    uint32_t thread;
} room;

typedef struct job {
    const akin_scope *scope;
    akin_account account;
    akin_near_options options;
    uint64_t mask;
    const akin_column *column;
    uint32_t rows, first; /* first: of the portion at hand */
    akin_bulk order;      /* rows, the preferred ones first; empty: as they are */
    akin_bulk sources;    /* of rows; empty: there are none */
    uint32_t source_count;
    akin_frequencies frequencies;
    akin_frequent *frequent; /* tokens that are left out; NULL: none are */
    uint64_t ignored;        /* their number */
    worker *workers;
    uint32_t *places; /* of the batch at hand, in the order */
    uint32_t count, most;
    room *rooms; /* of its rows */
    akin_bag *bags;
    akin_verdict *verdicts;
    akin_duplicate *found;
    akin_bad_row bad;
    _Atomic uint64_t empty;
    uint64_t emptied; /* documents whose tokens are all left out */
} job;

/* The row at a place of the order. */
static uint32_t row_at(const job *j, uint64_t place)
{
    return j->order.data ? ((const uint32_t *)j->order.data)[place] : (uint32_t)place;
}

static akin_status take_row(const job *j, akin_shingler *shingler, uint32_t row)
{
    return akin_shingler_take_row(shingler, j->column, j->rows, row);
}

/* Lets go of documents that have been looked at. */
static void release(const job *j)
{
    if (j->options.own.table)
        akin_table_release(j->options.own.table);
}

/* Runs a task for each stretch of TASK rows, in portions of some bytes of text. */
static akin_status pass(job *j, const char *phase, akin_task task)
{
    const uint64_t *offsets = j->column->offsets;
    akin_status status = AKIN_OK;
    while (j->first < j->rows && status == AKIN_OK) {
        uint64_t tasks = 0, end = j->first;
        for (; end < j->rows && offsets[end] - offsets[j->first] < PORTION; tasks++)
            end = akin_min_u64(end + TASK, j->rows);
        status = akin_parallel(j->scope, NULL, tasks, task, j);
        j->first = (uint32_t)end;
        release(j);
        if (status == AKIN_OK)
            status = akin_scope_report(j->scope, phase, end, j->rows);
    }
    j->first = 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------------ frequencies */

static akin_status count_rows(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    akin_shingler *own = &j->workers[thread].own;
    const uint64_t begin = j->first + task * TASK, end = akin_min_u64(begin + TASK, j->rows);
    uint64_t empty = 0, tokens;
    for (uint64_t row = begin; row < end; row++) {
        const akin_status status =
            akin_shingler_count_row(own, j->column, j->rows, (uint32_t)row, &j->frequencies, &tokens);
        if (status != AKIN_OK) {
            akin_bad_row_note(&j->bad, row);
            return status;
        }
        empty += tokens == 0;
    }
    j->empty += empty;
    return AKIN_OK;
}

/* About how many hashes all documents have, by rows from all over. A row that cannot be cut is left to the pass. */
static akin_status guess_hashes(const job *j, uint64_t *out)
{
    const uint64_t *offsets = j->column->offsets;
    const uint64_t bytes = offsets[j->rows] - offsets[0], rows = akin_min_u64(j->rows, GUESSED);
    uint64_t seen = 0, hashes = 0;
    for (uint64_t i = 0; i < rows; i++) {
        const uint64_t row = (uint64_t)((akin_u128)i * j->rows / rows);
        const akin_status status = take_row(j, &j->workers[0].own, (uint32_t)row);
        if (status == AKIN_E_NOMEM)
            return status;
        seen += status == AKIN_OK ? offsets[row + 1] - offsets[row] : 0;
        hashes += status == AKIN_OK ? j->workers[0].own.size : 0;
    }
    *out = seen > 0 ? (uint64_t)((akin_u128)hashes * bytes / seen) : bytes / WORD;
    return AKIN_OK;
}

/* Counts in how many documents each hash is. */
static akin_status count_frequencies(job *j, akin_error *error)
{
    const uint64_t most = j->account.limit ? akin_budget_left(&j->account, 0, AKIN_LEFT_FREQUENCIES) : UINT64_MAX;
    uint64_t hashes = 0;
    akin_status status = guess_hashes(j, &hashes);
    if (status == AKIN_OK)
        status = akin_frequencies_make(&j->account, hashes, most, &j->frequencies);
    if (status == AKIN_OK)
        status = pass(j, "counting", count_rows);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT)
        return akin_sets_fail_text(j->column, 1, 0, (uint32_t)j->bad, status, error);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* --------------------------------------------------------------------------------------------------------- frequent */

/* A token that may be in too many documents is counted exactly. */
static akin_status count_token(void *user, const char *bytes, uint32_t length, uint64_t hash)
{
    job *j = user;
    uint8_t frequency;
    akin_frequencies_of(&j->frequencies, &hash, 1, &frequency);
    return frequency > akin_min_u64(j->options.own.ignore_frequent, AKIN_FREQUENCY_MOST - 1)
               ? akin_frequent_add(j->frequent, bytes, length, hash)
               : AKIN_OK;
}

static akin_status count_tokens(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    akin_shingler *own = &j->workers[thread].own;
    const uint64_t begin = j->first + task * TASK, end = akin_min_u64(begin + TASK, j->rows);
    akin_status status = AKIN_OK;
    for (uint64_t row = begin; row < end && status == AKIN_OK; row++) {
        status = take_row(j, own, (uint32_t)row);
        if (status == AKIN_OK)
            status = akin_shingler_visit(own, count_token, j);
    }
    return status;
}

/* Finds the tokens that are in too many documents. From then on no document has them. */
static akin_status find_frequent(job *j, akin_error *error)
{
    akin_status status = akin_frequent_create(&j->account, j->options.own.ignore_frequent, &j->frequent);
    if (status == AKIN_OK)
        status = pass(j, "counting frequent", count_tokens);
    if (status == AKIN_OK)
        status = akin_frequent_finish(j->frequent, &j->ignored);
    for (uint32_t i = 0; i < j->scope->threads && status == AKIN_OK; i++)
        j->workers[i].own.left_out = j->workers[i].other.left_out = j->frequent;
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ------------------------------------------------------------------------------------------------------------ batch */

/* Makes the bag of a row of the batch. */
static akin_status make_bag(job *j, uint32_t thread, uint32_t at)
{
    worker *w = &j->workers[thread];
    const uint32_t place = j->places[at], row = row_at(j, place);
    const akin_shingler *own = &w->own;
    akin_status status = take_row(j, &w->own, row);
    w->own_row = row;
    if (status != AKIN_OK)
        return status;
    uint64_t *hashes = akin_enlarge(&j->account, w->hashes, &w->capacity, w->count + own->size, sizeof *hashes);
    if (!hashes)
        return AKIN_E_NOMEM;
    w->hashes = hashes;
    if (own->size > 0)
        memcpy(hashes + w->count, own->hashes, own->size * sizeof *hashes);
    j->rooms[at] = (room){w->count, thread};
    j->bags[at] = (akin_bag){.size = own->size,
                             .group = j->sources.data ? ((const uint32_t *)j->sources.data)[row] : 0,
                             .is_alone = own->is_emptied,
                             .document = place};
    w->count += own->size;
    return AKIN_OK;
}

static akin_status make_some_bags(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, j->count);
    akin_status status = AKIN_OK;
    for (uint64_t at = task * TASK; at < end && status == AKIN_OK; at++)
        status = make_bag(j, thread, (uint32_t)at);
    return status;
}

/* Makes the bags of the batch. */
static akin_status make_bags(job *j)
{
    for (uint32_t i = 0; i < j->scope->threads; i++)
        j->workers[i].count = 0;
    const akin_status status = akin_parallel(j->scope, NULL, akin_ceil_div(j->count, TASK), make_some_bags, j);
    for (uint32_t at = 0; at < j->count && status == AKIN_OK; at++)
        j->bags[at].hashes = j->workers[j->rooms[at].thread].hashes + j->rooms[at].begin;
    return status;
}

/* Documents are places of the order. */
static akin_status count_common(void *user, uint32_t thread, uint64_t document, uint64_t kept, uint32_t *common)
{
    const job *j = user;
    worker *w = &j->workers[thread];
    const uint32_t row = row_at(j, document);
    akin_status status = w->own_row == row ? AKIN_OK : take_row(j, &w->own, row);
    w->own_row = row;
    if (status == AKIN_OK)
        status = take_row(j, &w->other, row_at(j, kept));
    if (status == AKIN_OK)
        *common = akin_shingler_common(&w->own, &w->other);
    return status;
}

/* Gathers places for the next batch from *place on, those that are undecided. */
static void gather_batch(job *j, uint64_t *place, uint64_t bytes_most)
{
    uint64_t bytes = 0;
    for (j->count = 0; *place < j->rows && j->count < j->most && bytes < bytes_most; ++*place) {
        const uint32_t row = row_at(j, *place);
        if (j->found[row].common == AKIN_DUPLICATE_UNDECIDED) {
            j->places[j->count++] = (uint32_t)*place;
            bytes += j->column->offsets[row + UINT64_C(1)] - j->column->offsets[row];
        }
    }
}

/* Takes the batch; returns in *undecided how many rows of it are left to the next round. */
static akin_status take_batch(job *j, akin_survivors *survivors, uint64_t *undecided, akin_error *error)
{
    akin_status status = make_bags(j);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = akin_survivors_add(j->scope, survivors, j->bags, j->count, j->verdicts, error);
    for (uint32_t i = 0; i < j->count && status == AKIN_OK; i++) {
        const akin_verdict *v = &j->verdicts[i];
        const int is_removed = v->survivor < AKIN_UNDECIDED, is_undecided = v->survivor == AKIN_UNDECIDED;
        *undecided += is_undecided ? 1 : 0;
        j->emptied += j->bags[i].is_alone ? 1 : 0;
        j->found[row_at(j, j->places[i])] = (akin_duplicate){is_removed ? row_at(j, v->survivor) : AKIN_NO_ROW,
                                                             is_undecided ? AKIN_DUPLICATE_UNDECIDED : v->common,
                                                             {j->bags[i].size, v->size}};
    }
    return status;
}

/* Takes all batches of a round. */
static akin_status take_round(job *j, akin_survivors *survivors, uint64_t *undecided, akin_error *error)
{
    const uint64_t bytes_most = j->account.limit ? akin_budget_left(&j->account, 0, AKIN_LEFT_BATCH)
                                                 : (uint64_t)BATCH_BYTES * j->scope->threads;
    akin_status status = AKIN_OK;
    uint64_t looked = 0; /* bytes since documents were let go of */
    *undecided = 0;
    for (uint64_t place = 0; place < j->rows && status == AKIN_OK;) {
        gather_batch(j, &place, bytes_most);
        status = take_batch(j, survivors, undecided, error);
        looked += bytes_most;
        if (looked > PORTION) {
            release(j);
            looked = 0;
        }
        if (status == AKIN_OK && akin_scope_report(j->scope, "comparing", place, j->rows) != AKIN_OK)
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    return status;
}

static akin_status find_survivors(job *j, akin_survivors_report *report, akin_error *error)
{
    const akin_survivors_options options = {.threshold = j->options.threshold,
                                            .frequencies = &j->frequencies,
                                            .common = count_common,
                                            .user = j,
                                            .comparing = (akin_comparing)j->options.own.comparing,
                                            .cpu = j->scope->cpu,
                                            .groups = j->source_count};
    akin_survivors *survivors = NULL;
    uint64_t undecided = 0;
    j->most = (uint32_t)akin_min_u64((uint64_t)BATCH * j->scope->threads, j->rows);
    j->places = akin_alloc(&j->account, j->most, sizeof *j->places);
    j->rooms = akin_alloc(&j->account, j->most, sizeof *j->rooms);
    j->bags = akin_alloc(&j->account, j->most, sizeof *j->bags);
    j->verdicts = akin_alloc(&j->account, j->most, sizeof *j->verdicts);
    if (!j->places || !j->rooms || !j->bags || !j->verdicts)
        return akin_fail_memory(error, what);
    akin_status status = akin_survivors_create(&j->account, &options, &survivors, error);
    if (status == AKIN_OK)
        status = take_round(j, survivors, &undecided, error);
    while (status == AKIN_OK && undecided > 0) {
        akin_survivors_begin_round(survivors);
        status = take_round(j, survivors, &undecided, error);
    }
    if (status == AKIN_OK)
        akin_survivors_describe(survivors, report);
    akin_survivors_free(survivors);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

static akin_status begin_workers(job *j)
{
    j->workers = akin_alloc_zero(&j->account, j->scope->threads, sizeof *j->workers);
    for (uint32_t i = 0; i < j->scope->threads && j->workers; i++) {
        akin_shingler *both[] = {&j->workers[i].own, &j->workers[i].other};
        for (int side = 0; side < 2; side++) {
            akin_shingler_begin(both[side], j->scope->cpu, &j->account, &j->options.text);
            both[side]->mask = j->mask;
        }
        j->workers[i].own_row = AKIN_NO_ROW;
    }
    return j->workers ? AKIN_OK : AKIN_E_NOMEM;
}

static void clear(job *j)
{
    for (uint32_t i = 0; i < j->scope->threads && j->workers; i++) {
        akin_shingler_clear(&j->workers[i].own);
        akin_shingler_clear(&j->workers[i].other);
        akin_free(j->workers[i].hashes);
    }
    akin_free(j->workers);
    akin_free(j->places);
    akin_free(j->rooms);
    akin_free(j->bags);
    akin_free(j->verdicts);
    akin_frequencies_clear(&j->frequencies);
    akin_frequent_free(j->frequent);
    akin_bulk_clear(&j->order);
    akin_bulk_clear(&j->sources);
}

static akin_status run(job *j, akin_duplicates_report *out, akin_error *error)
{
    akin_survivors_report report = {0};
    const double begun = akin_clock();
    akin_status status = AKIN_OK;
    if (j->options.own.comparing != AKIN_COMPARE_ALL)
        status = akin_sources_number(j->scope, &j->options.own, j->rows, &j->sources, &j->source_count, error);
    if (status == AKIN_OK && begin_workers(j) != AKIN_OK)
        status = akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = count_frequencies(j, error);
    if (status == AKIN_OK && j->options.own.ignore_frequent > 0)
        status = find_frequent(j, error);
    const double counted = akin_clock();
    if (status == AKIN_OK)
        status = find_survivors(j, &report, error);
    *out = (akin_duplicates_report){.size = sizeof *out,
                                    .documents = j->rows,
                                    .kept = report.kept,
                                    .empty = j->empty,
                                    .ignored = j->ignored,
                                    .emptied = j->emptied,
                                    .candidates = report.candidates,
                                    .compared = report.compared,
                                    .refuted = report.refuted,
                                    .rounds = report.rounds,
                                    .memory_peak = j->account.peak,
                                    .seconds_frequency = counted - begun,
                                    .seconds_survivors = akin_clock() - counted};
    return status;
}

akin_status akin_duplicates_find_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_options *options, uint64_t mask, akin_duplicates **out,
                                        akin_error *error)
{
    akin_scope narrow = *scope;
    narrow.threads = akin_scope_threads(scope);
    job j = {
        .scope = &narrow, .mask = mask, .column = documents, .rows = rows, .source_count = 1, .bad = AKIN_BAD_ROW_NONE};
    akin_duplicates *duplicates = NULL;
    akin_account_begin(&j.account, scope);
    j.order = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    j.sources = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    akin_status status = akin_near_options_read(scope, documents, rows, options, &j.options, error);
    if (status == AKIN_OK)
        status = akin_duplicates_make(scope, rows, &duplicates, error);
    if (status == AKIN_OK) {
        j.found = duplicates->found.data;
        duplicates->measure = (akin_measure)j.options.own.measure;
        status = akin_preference_order(scope, &j.account, &j.options.own, documents, rows, &j.order, error);
    }
    if (status == AKIN_OK && j.options.own.components)
        status = akin_chained_find(scope, documents, rows, &j.options, j.order.data, duplicates, error);
    else if (status == AKIN_OK)
        status = run(&j, &duplicates->report, error);
    clear(&j);
    if (status != AKIN_OK) {
        akin_duplicates_free(duplicates);
        return status;
    }
    *out = duplicates;
    return AKIN_OK;
}

akin_status akin_duplicates_find(akin_context *context, const akin_column *documents, uint32_t rows,
                                 const akin_duplicates_options *options, akin_duplicates **out, akin_error *error)
{
    return akin_duplicates_find_within(akin_scope_of(context), documents, rows, options, UINT64_MAX, out, error);
}
