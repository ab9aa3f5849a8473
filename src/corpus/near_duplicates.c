/* Near-duplicates of a column, in two passes. */
#include "corpus/near_duplicates.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/bulk.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/options.h"
#include "base/parallel.h"
#include "corpus/preference.h"
#include "corpus/shingles.h"
#include "corpus/sources.h"
#include "corpus/survivors.h"
#include "sets/from_columns.h"
#include "table/columns.h"
#include "text/options.h"

#include <stddef.h>
#include <string.h>

#define TASK        64         /* rows of a task */
#define BATCH       4096       /* rows of a batch for each thread, at most, */
#define BATCH_BYTES (16 << 20) /* and bytes of their text */
#define TOKEN       4          /* bytes of text for each hash, at least, in a guess */
#define SLOTS       (1 << 30)  /* bytes of counters, at most, where memory has no bound */
#define BAD_NONE    UINT64_MAX
#define STATUS_BITS 8          /* of `bad`, behind the row */
#define UNDECIDED   UINT32_MAX /* `common` of a row that the next round decides */

AKIN_OPTIONS_END(akin_duplicates_options, ignore_frequent);

static const char what[] = "near-duplicates"; /* the memory is for */

struct akin_duplicates {
    akin_store store;
    akin_bulk found; /* an akin_duplicate for each row */
    akin_duplicates_report report;
};

/* What a thread has: for the row at hand, and for the one that it is compared with. */
typedef struct worker {
    _Alignas(64) akin_shingler own;
    akin_shingler other;
    uint64_t own_row; /* that `own` has taken last */
} worker;

/* Room for the bag of a row of the batch, which is used again by the next batch. */
typedef struct room {
    uint64_t *hashes;
    uint64_t capacity;
} room;

typedef struct job {
    const akin_scope *scope;
    akin_account account;
    const akin_duplicates_options *options;
    akin_text_options text;
    akin_threshold threshold;
    uint64_t mask;
    const akin_column *column;
    uint32_t rows;
    akin_bulk order;   /* rows, the preferred ones first; empty: as they are */
    akin_bulk sources; /* of rows; empty: there are none */
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
    _Atomic uint64_t bad; /* the lowest row whose text cannot be taken, and behind it the status; BAD_NONE: none */
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
    uint64_t empty = 0;
    for (uint64_t row = task * TASK; row < end; row++) {
        const akin_status status = take_row(j, own, (uint32_t)row);
        if (status != AKIN_OK) {
            note_bad(j, row, status);
            return status;
        }
        empty += own->size == 0;
        akin_frequencies_add(&j->frequencies, own->hashes, own->size);
    }
    j->empty += empty;
    return AKIN_OK;
}

/* Counts in how many documents each hash is. */
static akin_status count_frequencies(job *j, akin_error *error)
{
    const uint64_t bytes = j->column->offsets[j->rows] - j->column->offsets[0];
    const uint64_t most =
        j->account.limit ? akin_budget_left(&j->account, 0, AKIN_LEFT_FREQUENCIES) : (uint64_t)SLOTS;
    akin_status status = akin_frequencies_make(&j->account, bytes / TOKEN, most, &j->frequencies);
    if (status == AKIN_OK)
        status = akin_parallel(j->scope, "counting", akin_ceil_div(j->rows, TASK), count_rows, j);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT)
        return akin_sets_fail_text(j->column, 1, 0, (uint32_t)(j->bad >> STATUS_BITS), status, error);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* --------------------------------------------------------------------------------------------------------- frequent */

/* A token that may be in too many documents is counted exactly. */
static akin_status count_token(void *user, const char *bytes, uint32_t length, uint64_t hash)
{
    job *j = user;
    uint8_t frequency;
    akin_frequencies_of(&j->frequencies, &hash, 1, &frequency);
    return frequency > akin_min_u64(j->options->ignore_frequent, AKIN_FREQUENCY_MOST - 1)
               ? akin_frequent_add(j->frequent, bytes, length, hash)
               : AKIN_OK;
}

static akin_status count_tokens(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    akin_shingler *own = &j->workers[thread].own;
    const uint64_t end = akin_min_u64((task + 1) * TASK, j->rows);
    akin_status status = AKIN_OK;
    for (uint64_t row = task * TASK; row < end && status == AKIN_OK; row++) {
        status = take_row(j, own, (uint32_t)row);
        if (status == AKIN_OK)
            status = akin_shingler_visit(own, count_token, j);
    }
    return status;
}

/* Finds the tokens that are in too many documents. From then on no document has them. */
static akin_status find_frequent(job *j, akin_error *error)
{
    akin_status status = akin_frequent_create(&j->account, j->options->ignore_frequent, &j->frequent);
    if (status == AKIN_OK)
        status = akin_parallel(j->scope, "counting frequent", akin_ceil_div(j->rows, TASK), count_tokens, j);
    if (status == AKIN_OK)
        status = akin_frequent_finish(j->frequent, &j->ignored);
    for (uint32_t i = 0; i < j->scope->threads && status == AKIN_OK; i++)
        j->workers[i].own.left_out = j->workers[i].other.left_out = j->frequent;
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ------------------------------------------------------------------------------------------------------------ batch */

/* Makes the bag of a row of the batch. */
static akin_status make_bag(job *j, worker *w, uint32_t at)
{
    const uint32_t place = j->places[at], row = row_at(j, place);
    const akin_shingler *own = &w->own;
    room *own_room = &j->rooms[at];
    akin_status status = take_row(j, &w->own, row);
    w->own_row = row;
    if (status != AKIN_OK)
        return status;
    uint64_t *hashes = akin_enlarge(&j->account, own_room->hashes, &own_room->capacity, own->size, sizeof *hashes);
    if (!hashes)
        return AKIN_E_NOMEM;
    own_room->hashes = hashes;
    if (own->size > 0)
        memcpy(hashes, own->hashes, own->size * sizeof *hashes);
    j->bags[at] = (akin_bag){.hashes = hashes,
                             .size = own->size,
                             .group = j->sources.data ? ((const uint32_t *)j->sources.data)[row] : 0,
                             .is_alone = own->is_emptied,
                             .document = place};
    return AKIN_OK;
}

static akin_status make_bags(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, j->count);
    akin_status status = AKIN_OK;
    for (uint64_t at = task * TASK; at < end && status == AKIN_OK; at++)
        status = make_bag(j, &j->workers[thread], (uint32_t)at);
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
        if (j->found[row].common == UNDECIDED) {
            j->places[j->count++] = (uint32_t)*place;
            bytes += j->column->offsets[row + UINT64_C(1)] - j->column->offsets[row];
        }
    }
}

/* Takes the batch; returns in *undecided how many rows of it are left to the next round. */
static akin_status take_batch(job *j, akin_survivors *survivors, uint64_t *undecided, akin_error *error)
{
    akin_status status = akin_parallel(j->scope, NULL, akin_ceil_div(j->count, TASK), make_bags, j);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = akin_survivors_add(j->scope, survivors, j->bags, j->count, j->verdicts, error);
    for (uint32_t i = 0; i < j->count && status == AKIN_OK; i++) {
        const akin_verdict *v = &j->verdicts[i];
        const int is_removed = v->survivor < AKIN_UNDECIDED, is_undecided = v->survivor == AKIN_UNDECIDED;
        *undecided += is_undecided ? 1 : 0;
        j->emptied += j->bags[i].is_alone ? 1 : 0;
        j->found[row_at(j, j->places[i])] = (akin_duplicate){is_removed ? row_at(j, v->survivor) : AKIN_NO_ROW,
                                                             is_undecided ? UNDECIDED : v->common,
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
    *undecided = 0;
    for (uint64_t place = 0; place < j->rows && status == AKIN_OK;) {
        gather_batch(j, &place, bytes_most);
        status = take_batch(j, survivors, undecided, error);
        if (status == AKIN_OK && akin_scope_report(j->scope, "comparing", place, j->rows) != AKIN_OK)
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    return status;
}

static akin_status find_survivors(job *j, akin_survivors_report *report, akin_error *error)
{
    const akin_survivors_options options = {.threshold = j->threshold,
                                            .frequencies = &j->frequencies,
                                            .common = count_common,
                                            .user = j,
                                            .comparing = (akin_comparing)j->options->comparing,
                                            .groups = j->source_count};
    akin_survivors *survivors = NULL;
    uint64_t undecided = 0;
    j->most = (uint32_t)akin_min_u64((uint64_t)BATCH * j->scope->threads, j->rows);
    j->places = akin_alloc(&j->account, j->most, sizeof *j->places);
    j->rooms = akin_alloc_zero(&j->account, j->most, sizeof *j->rooms);
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
            akin_shingler_begin(both[side], j->scope->cpu, &j->account, &j->text);
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
    }
    for (uint32_t i = 0; i < j->most && j->rooms; i++)
        akin_free(j->rooms[i].hashes);
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

/* Checks the columns beside the documents. */
static akin_status check_columns(const akin_duplicates_options *o, uint32_t rows, akin_error *error)
{
    const int has_preference = o->keep == AKIN_KEEP_LEAST || o->keep == AKIN_KEEP_GREATEST;
    akin_status status = AKIN_OK;
    if (has_preference && !o->preference)
        return akin_fail(error, AKIN_E_OPTION, "preference is NULL; expected the values by which documents are kept");
    if (o->comparing != AKIN_COMPARE_ALL && !o->sources)
        return akin_fail(error, AKIN_E_OPTION, "sources is NULL; expected the source of each document");
    if (o->preference)
        status = akin_table_columns_check(o->preference, 1, rows, "prefer documents by", error);
    if (status == AKIN_OK && o->ids)
        status = akin_table_columns_check(o->ids, 1, rows, "name documents by", error);
    if (status == AKIN_OK && o->sources)
        status = akin_table_columns_check(o->sources, 1, rows, "take sources from", error);
    return status;
}

/* Reads and checks the options. */
static akin_status check_options(const akin_column *documents, uint32_t rows, const akin_duplicates_options *given,
                                 akin_duplicates_options *own, job *j, akin_error *error)
{
    akin_text_options usual = AKIN_TEXT_OPTIONS_INIT;
    usual.tokens = AKIN_TOKENS_SHINGLES;
    usual.q = 5;
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_duplicates_options", error);
    if (status == AKIN_OK)
        status = akin_text_options_read(own->text ? own->text : &usual, &j->text, error);
    if (status == AKIN_OK)
        status = akin_threshold_make((akin_measure)own->measure, own->threshold, &j->threshold, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(documents, 1, rows, "find duplicates in", error);
    if (status != AKIN_OK)
        return status;
    if (j->text.stop_word_count > 0 || j->text.multiset)
        return akin_fail(error, AKIN_E_OPTION, "documents are sets of all their tokens: %s is not taken",
                         j->text.multiset ? "multiset" : "stop_words");
    if (own->keep > AKIN_KEEP_GREATEST)
        return akin_fail(error, AKIN_E_OPTION, "keep is %u; expected first (0), longest (1), least (2) or greatest (3)",
                         own->keep);
    if (own->comparing > AKIN_COMPARE_ACROSS)
        return akin_fail(error, AKIN_E_OPTION, "comparing is %u; expected all (0), within (1) or across (2)",
                         own->comparing);
    if (own->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_duplicates_options: reserved is %u; expected 0", own->reserved);
    return check_columns(own, rows, error);
}

static akin_status run(job *j, akin_duplicates_report *out, akin_error *error)
{
    akin_survivors_report report = {0};
    const double begun = akin_clock();
    akin_status status = akin_preference_order(j->scope, &j->account, j->options, j->column, j->rows, &j->order, error);
    if (status == AKIN_OK && j->options->comparing != AKIN_COMPARE_ALL)
        status = akin_sources_number(j->scope, j->options->sources, j->rows, &j->sources, &j->source_count, error);
    if (status == AKIN_OK && begin_workers(j) != AKIN_OK)
        status = akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = count_frequencies(j, error);
    if (status == AKIN_OK && j->options->ignore_frequent > 0)
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

/* Makes room for the results, all of them undecided. */
static akin_status make_duplicates(const akin_scope *scope, uint32_t rows, akin_duplicates **out, akin_error *error)
{
    akin_duplicates *d = akin_alloc_zero(NULL, 1, sizeof *d);
    *out = d;
    if (!d)
        return akin_fail_memory(error, what);
    akin_status status = akin_store_begin(&d->store, scope, AKIN_BUDGET_DUPLICATES, what, error);
    d->found = akin_bulk_in(&d->store);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&d->found, (uint64_t)rows * sizeof(akin_duplicate), what, error);
    akin_duplicate *found = d->found.data;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++)
        found[row] = (akin_duplicate){AKIN_NO_ROW, UNDECIDED, {0, 0}};
    return status;
}

akin_status akin_duplicates_find_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_options *options, uint64_t mask, akin_duplicates **out,
                                        akin_error *error)
{
    akin_duplicates_options own = AKIN_DUPLICATES_OPTIONS_INIT;
    akin_scope narrow = *scope;
    narrow.threads = akin_scope_threads(scope);
    job j = {.scope = &narrow,
             .options = &own,
             .mask = mask,
             .column = documents,
             .rows = rows,
             .source_count = 1,
             .bad = BAD_NONE};
    akin_duplicates *duplicates = NULL;
    akin_account_begin(&j.account, scope);
    j.order = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    j.sources = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    akin_status status = check_options(documents, rows, options, &own, &j, error);
    if (status == AKIN_OK && scope->device_choice == AKIN_DEVICE_CUDA)
        status = akin_fail(error, AKIN_E_OPTION,
                           "near-duplicates are found on the CPU alone: use the device cpu or auto");
    if (status == AKIN_OK)
        status = make_duplicates(scope, rows, &duplicates, error);
    if (status == AKIN_OK)
        j.found = duplicates->found.data;
    if (status == AKIN_OK)
        status = run(&j, &duplicates->report, error);
    clear(&j);
    if (status != AKIN_OK) {
        akin_duplicates_free(duplicates);
        return status;
    }
    *out = duplicates;
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- results */

akin_status akin_duplicates_find(akin_context *context, const akin_column *documents, uint32_t rows,
                                 const akin_duplicates_options *options, akin_duplicates **out, akin_error *error)
{
    return akin_duplicates_find_within(akin_scope_of(context), documents, rows, options, UINT64_MAX, out, error);
}

void akin_duplicates_free(akin_duplicates *duplicates)
{
    if (!duplicates)
        return;
    akin_bulk_clear(&duplicates->found);
    akin_store_clear(&duplicates->store);
    akin_free(duplicates);
}

void akin_duplicates_row(const akin_duplicates *duplicates, uint32_t row, akin_duplicate *out)
{
    *out = ((const akin_duplicate *)duplicates->found.data)[row];
}

akin_status akin_duplicates_describe(const akin_duplicates *duplicates, akin_duplicates_report *out, akin_error *error)
{
    return akin_options_write(&duplicates->report, sizeof duplicates->report, out, "akin_duplicates_report", error);
}
