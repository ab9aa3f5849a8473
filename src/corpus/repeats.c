/* Repeated text of a column: seen keys, parts of the runs, marks, spans. */
#include "corpus/repeats.h"

#include "base/budget.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/sort_parallel.h"
#include "corpus/marks.h"
#include "corpus/window_classes.h"
#include "corpus/window_runs.h"
#include "table/columns.h"

#include <inttypes.h>
#include <string.h>

#define SLOTS_RUN       8                   /* of what has been seen, for each run */
#define SEEN            4                   /* places for a byte of slots, at least */
#define RUN_BYTES       34                  /* that a run takes while it is sorted */
#define RUNS_TEXT       32                  /* places for a run of a part, where memory has no bound */
#define RUNS_TEXT_SHORT 72                  /* the same for short windows, of which there are many runs, */
#define RUNS_WORDS      16                  /* and for words, each of which is several bytes of text */
#define SHORT           32                  /* shorter than this */
#define RUNS_LEAST      ((uint64_t)1 << 16) /* runs of a part that are always allowed there */
#define CLASS_TEXT      64                  /* places for a class that the threads have at once, and */
#define CLASSES_LEAST   ((uint64_t)1 << 18) /* classes that each of them may have at least */
#define AHEAD           16                  /* runs behind a group whose text is brought to the cache */
#define TASK            1024                /* runs of a task, each of which may bring */
#define PAGE            4096                /* bytes of text to memory */
#define PORTION         ((uint64_t)1 << 28) /* bytes of text between two times that it is let go of */

static const char what[] = "repeated text"; /* the memory is for */

typedef struct job {
    const akin_scope *scope;
    akin_account account;
    const akin_repeats_wanted *wanted;
    akin_windows windows;
    akin_seen seen;
    akin_run_list *lists;  /* of threads */
    akin_classes *classes; /* of threads */
    akin_error *errors;    /* of threads, the last ones */
    akin_bulk mark_words[2];
    akin_marks later, first; /* of windows. Then of those that spans are made of, and of those that spans begin with */
    akin_bulk runs;          /* of the part at hand */
    _Atomic uint64_t run_count;
    uint32_t bucket, bucket_end; /* the part */
    _Atomic uint64_t all_runs;
    atomic_int cancelled;
    akin_bulk heads;
    uint64_t head_count;
} job;

/* ------------------------------------------------------------------------------------------------------------- seen */

/* Lets go of text that has been looked at, after every `many` tasks, which look at PORTION bytes. */
static void release(const job *j, uint64_t task, uint64_t many)
{
    if (j->wanted->table && task % akin_max_u64(1, many) == 0)
        akin_table_release(j->wanted->table);
}

/* The same after a piece. */
static void release_piece(const job *j, uint64_t piece)
{
    release(j, piece + 1, PORTION / j->windows.piece);
}

static akin_status see_piece(void *argument, uint64_t piece, uint32_t thread)
{
    job *j = argument;
    akin_run_list *list = &j->lists[thread];
    akin_run_list_fill(list, &j->windows, piece);
    for (uint64_t i = 0; i < list->count; i++)
        akin_seen_add(&j->seen, list->runs[i]);
    j->all_runs += list->count;
    release_piece(j, piece);
    return AKIN_OK;
}

/* Finds which keys occur twice. */
static akin_status see_all(job *j, akin_error *error)
{
    const uint64_t runs = j->windows.places / j->windows.length * 4 + 1;
    const uint64_t most =
        j->account.limit ? akin_budget_left(&j->account, 0, AKIN_LEFT_FREQUENCIES) : j->windows.places / SEEN;
    akin_status status = akin_seen_make(&j->account, runs * SLOTS_RUN, most, &j->seen);
    j->lists = akin_alloc_zero(&j->account, j->scope->threads, sizeof *j->lists);
    if (!j->lists)
        status = AKIN_E_NOMEM;
    for (uint32_t i = 0; i < j->scope->threads && status == AKIN_OK; i++)
        status = akin_run_list_make(&j->account, &j->windows, &j->lists[i]);
    if (status == AKIN_OK)
        status = akin_parallel(j->scope, "counting", akin_windows_pieces(&j->windows), see_piece, j);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

/* Appends the runs of the part at hand. There is room for all of them. */
static akin_status gather_piece(void *argument, uint64_t piece, uint32_t thread)
{
    job *j = argument;
    akin_run_list *list = &j->lists[thread];
    uint64_t kept = 0;
    akin_run_list_fill(list, &j->windows, piece);
    for (uint64_t i = 0; i < list->count; i++) {
        const uint64_t key = akin_run_key(list->runs[i]);
        const uint32_t bucket = akin_seen_bucket(key);
        if (bucket >= j->bucket && bucket < j->bucket_end && akin_seen_twice(&j->seen, key))
            list->runs[kept++] = list->runs[i];
    }
    const uint64_t at = atomic_fetch_add_explicit(&j->run_count, kept, memory_order_relaxed);
    if (kept > 0)
        memcpy((akin_run *)j->runs.data + at, list->runs, kept * sizeof *list->runs);
    release_piece(j, piece);
    return AKIN_OK;
}

/* Takes the groups of runs, each with a key of its own, that begin in a task. */
static akin_status take_groups(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const akin_run *runs = j->runs.data;
    const uint64_t count = j->run_count, end = akin_min_u64((task + 1) * TASK, count);
    akin_cancellation cancellation = {.scope = j->scope, .cancelled = &j->cancelled, .thread = thread};
    akin_status status = AKIN_OK;
    uint64_t at = task * TASK, ahead = at;
    while (at < end && at > 0 && akin_run_key(runs[at]) == akin_run_key(runs[at - 1]))
        at++;
    while (at < end && status == AKIN_OK) {
        const uint64_t first = at++;
        while (at < count && akin_run_key(runs[at]) == akin_run_key(runs[first]))
            at++;
        for (ahead = akin_max_u64(ahead, at); ahead < count && ahead < at + AHEAD; ahead++)
            akin_classes_prefetch(&j->classes[thread], runs[ahead]);
        if (at - first > 1 || akin_run_is_again(runs[first]))
            status =
                akin_classes_find(&j->classes[thread], runs + first, at - first, &cancellation, &j->errors[thread]);
    }
    release(j, task + 1, PORTION / (TASK * PAGE));
    return status;
}

/* Says what went wrong in a task. */
static akin_status fail_groups(const job *j, akin_status status, akin_error *error)
{
    for (uint32_t i = 0; i < j->scope->threads; i++)
        if (status != AKIN_E_CANCELLED && j->errors[i].code == status)
            return akin_fail_again(error, status, &j->errors[i]);
    return akin_fail_stopped(error, status, what);
}

/* How many classes each thread may have at once. */
static void set_class_limits(job *j)
{
    const uint32_t threads = j->scope->threads;
    const uint64_t most = j->account.limit
                              ? akin_budget_left(&j->account, 0, AKIN_LEFT_CLASSES) / threads / AKIN_CLASS_BYTES
                              : akin_max_u64(CLASSES_LEAST, j->windows.places / CLASS_TEXT / threads);
    for (uint32_t i = 0; i < threads; i++)
        j->classes[i].most = akin_min_u64(akin_max_u64(1, most), INT32_MAX);
}

/* How many runs a part may have, unless a bucket alone has more. */
static uint64_t runs_most(const job *j)
{
    if (j->account.limit)
        return akin_budget_left(&j->account, 0, AKIN_LEFT_RUNS) / RUN_BYTES;
    const uint64_t places = j->windows.symbol == AKIN_SYMBOL_WORD ? RUNS_WORDS
                            : j->windows.length < SHORT           ? RUNS_TEXT_SHORT
                                                                  : RUNS_TEXT;
    return akin_max_u64(RUNS_LEAST, j->windows.places / places);
}

/* Sorts the runs of the part. Many runs of one bucket are sorted where they are. */
static akin_status sort_runs(job *j, uint64_t most)
{
    akin_cancellation cancellation = {.scope = j->scope, .cancelled = &j->cancelled};
    if (j->run_count <= most)
        return akin_sort_parallel_u128(j->scope, &j->account, j->runs.data, j->run_count);
    return akin_sort_long_u128(j->runs.data, j->run_count, &cancellation) ? AKIN_OK : AKIN_E_CANCELLED;
}

static akin_status take_part(job *j, uint64_t most, akin_error *error)
{
    j->run_count = 0;
    akin_status status = akin_parallel(j->scope, NULL, akin_windows_pieces(&j->windows), gather_piece, j);
    if (status == AKIN_OK)
        status = sort_runs(j, most);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    set_class_limits(j);
    status =
        akin_parallel_long(j->scope, "comparing", akin_ceil_div(j->run_count, TASK), take_groups, j, &j->cancelled);
    for (uint32_t i = 0; i < j->scope->threads && status == AKIN_OK; i++)
        akin_classes_release(&j->classes[i]);
    return status == AKIN_OK ? AKIN_OK : fail_groups(j, status, error);
}

static akin_status begin_parts(job *j, akin_error *error)
{
    const uint64_t places = j->windows.places, share = akin_budget(j->scope, AKIN_BUDGET_HEADS);
    akin_marks *marks[2] = {&j->later, &j->first};
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < 2 && status == AKIN_OK; i++) {
        status = akin_bulk_reserve_zeros(&j->mark_words[i], akin_ceil_div(places, 64) * 8, what, error);
        *marks[i] = (akin_marks){j->mark_words[i].data, places};
    }
    j->classes = akin_alloc_zero(&j->account, j->scope->threads, sizeof *j->classes);
    j->errors = akin_alloc_zero(&j->account, j->scope->threads, sizeof *j->errors);
    for (uint32_t i = 0; i < j->scope->threads && j->classes; i++) {
        akin_classes *c = &j->classes[i];
        *c = (akin_classes){.windows = &j->windows, .later = &j->later, .first = &j->first};
        akin_classes_begin(c, j->scope, &j->account, share / j->scope->threads);
    }
    if (status == AKIN_OK && (!j->classes || !j->errors))
        return akin_fail_memory(error, what);
    return status;
}

/* Takes parts of consecutive buckets, as many as there is memory for, but one at least. */
static akin_status take_parts(job *j, akin_repeats_report *report, akin_error *error)
{
    akin_status status = AKIN_OK;
    const uint64_t most = runs_most(j);
    for (j->bucket = 0; j->bucket < AKIN_SEEN_BUCKETS && status == AKIN_OK; j->bucket = j->bucket_end) {
        uint64_t count = j->seen.counts[j->bucket];
        j->bucket_end = j->bucket + 1;
        while (j->bucket_end < AKIN_SEEN_BUCKETS && count + j->seen.counts[j->bucket_end] <= most)
            count += j->seen.counts[j->bucket_end++];
        if (count == 0)
            continue;
        status = akin_bulk_reserve(&j->runs, count * sizeof(akin_run), what, error);
        if (status == AKIN_OK)
            status = take_part(j, most, error);
        report->paired += j->run_count;
        report->parts++;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ marks */

/* Leaves the marks of later windows that overlap no marked first one. */
static void protect_firsts(job *j)
{
    const uint64_t places = j->windows.places, before = j->windows.length - 1;
    uint64_t done = 0;
    for (uint64_t to, from = akin_marks_next(&j->first, 0, places); from < places;
         from = akin_marks_next(&j->first, to, places)) {
        to = akin_marks_next_free(&j->first, from, places);
        const uint64_t end = akin_min_u64(places, to + before);
        akin_marks_unset(&j->later, akin_max_u64(done, from - akin_min_u64(from, before)), end);
        done = end;
    }
}

/* Adds the marks of first windows to those of later ones. */
static void add_firsts(job *j)
{
    for (uint64_t i = 0; i < akin_ceil_div(j->windows.places, 64); i++)
        j->later.words[i] |= j->first.words[i];
}

/* The next span from a place on, in *begin and *end: marked windows that touch in their row. *place becomes where to go
 * on. Returns 0 if there is no span. */
static int next_span(const job *j, uint64_t *place, uint64_t *begin, uint64_t *end)
{
    const akin_windows *windows = &j->windows;
    const uint64_t places = windows->places;
    uint64_t from = akin_marks_next(&j->later, *place, places);
    if (from == places)
        return 0;
    const uint64_t row_end = akin_windows_begin(windows, akin_windows_row(windows, from) + 1);
    *begin = from;
    do {
        *place = akin_marks_next_free(&j->later, from, row_end);
        *end = *place - 1 + windows->length;
        from = akin_marks_next(&j->later, *place, akin_min_u64(row_end, *end + 1));
    } while (from < row_end && from <= *end);
    return 1;
}

/* Marks the windows that spans begin with, in place of first windows, and notes their keys. Returns their number. */
static uint64_t mark_begins(job *j)
{
    uint64_t count = 0, at = 0, begin, end;
    memset(j->mark_words[1].data, 0, akin_ceil_div(j->windows.places, 64) * 8);
    akin_seen_forget(&j->seen);
    while (next_span(j, &at, &begin, &end)) {
        akin_marks_set(&j->first, begin, begin + 1);
        akin_seen_mark(&j->seen, akin_run_list_key(j->lists, &j->windows, begin));
        count++;
    }
    return count;
}

/* Marks the windows that spans are made of, and finds the heads of spans: by the same parts as before, but for keys
 * that none of them has. */
static akin_status mark_all(job *j, akin_repeats_report *report, akin_error *error)
{
    akin_status status = begin_parts(j, error);
    if (status == AKIN_OK)
        status = take_parts(j, report, error);
    if (status != AKIN_OK)
        return status;
    if (j->wanted->keep_none)
        add_firsts(j);
    else
        protect_firsts(j);
    if (mark_begins(j) == 0)
        return AKIN_OK;
    for (uint32_t i = 0; i < j->scope->threads; i++)
        j->classes[i].begins = &j->first;
    return take_parts(j, report, error);
}

/* ------------------------------------------------------------------------------------------------------------ spans */

/* Brings the heads of all threads together, and sorts them. */
static akin_status gather_heads(job *j, akin_error *error)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < j->scope->threads; i++)
        count += j->classes[i].head_count;
    akin_status status = akin_bulk_reserve(&j->heads, count * sizeof(akin_head), what, error);
    for (uint32_t i = 0; i < j->scope->threads && status == AKIN_OK; i++) {
        const akin_classes *c = &j->classes[i];
        if (c->head_count > 0)
            memcpy((akin_head *)j->heads.data + j->head_count, c->heads.data, c->head_count * sizeof(akin_head));
        j->head_count += c->head_count;
    }
    if (status == AKIN_OK && akin_sort_parallel_u128(j->scope, &j->account, j->heads.data, j->head_count) != AKIN_OK)
        status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    return status;
}

/* Whether a byte goes on with a character. */
static int is_inside(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* A span of the text as one of its row. Returns 0 if nothing is left of it. */
static int finish_span(const job *j, uint64_t begin, uint64_t end, akin_head head, akin_span *out)
{
    const akin_windows *windows = &j->windows;
    const uint32_t row = akin_windows_row(windows, begin);
    const uint32_t source_row = akin_windows_row(windows, akin_head_source(head));
    const uint64_t row_begin = akin_windows_begin(windows, row), row_end = akin_windows_begin(windows, row + 1);
    uint64_t from = begin;
    while (j->wanted->whole_characters && from < end && is_inside(windows->text[from]))
        from++;
    while (j->wanted->whole_characters && end > from && end < row_end && is_inside(windows->text[end]))
        end--;
    *out = (akin_span){.row = row,
                       .source_row = source_row,
                       .begin = from - row_begin,
                       .end = end - row_begin,
                       .source_begin = akin_head_source(head) + from - begin - akin_windows_begin(windows, source_row),
                       .times = akin_head_times(head)};
    return from < end;
}

/* Lists spans, one for each head. */
static akin_status list_spans(job *j, akin_bulk *spans, uint64_t *count, akin_error *error)
{
    akin_status status = gather_heads(j, error);
    uint64_t begin = 0, end = 0, at = 0;
    if (status == AKIN_OK)
        status = akin_bulk_reserve(spans, j->head_count * sizeof(akin_span), what, error);
    for (uint64_t i = 0; i < j->head_count && status == AKIN_OK && next_span(j, &at, &begin, &end); i++) {
        *count += (uint64_t)finish_span(j, begin, end, ((const akin_head *)j->heads.data)[i],
                                        (akin_span *)spans->data + *count);
        if (akin_is_stopped(j->scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

akin_status akin_repeats_check(const akin_repeats_wanted *wanted, akin_error *error)
{
    const int is_byte = wanted->symbol == AKIN_SYMBOL_BYTE, least = is_byte ? AKIN_WINDOW_LEAST : 1;
    if (wanted->length >= (uint64_t)least && wanted->length <= AKIN_WINDOW_MOST)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION, "length is %" PRIu64 "; expected %d to %d %s", wanted->length, least,
                     AKIN_WINDOW_MOST, is_byte ? "bytes" : "words");
}

static akin_status check(const akin_column *column, uint32_t rows, const akin_repeats_wanted *wanted, akin_error *error)
{
    akin_status status = akin_repeats_check(wanted, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(column, 1, rows, "find repeated text in", error);
    if (status == AKIN_OK && (column->offsets[rows] - column->offsets[0]) >> AKIN_PLACE_BITS)
        status = akin_fail(error, AKIN_E_LIMIT, "the text has 2^%d %s or more", AKIN_PLACE_BITS,
                           wanted->symbol == AKIN_SYMBOL_BYTE ? "bytes" : "words");
    return status;
}

static void clear(job *j)
{
    for (uint32_t i = 0; i < j->scope->threads && j->lists; i++)
        akin_run_list_clear(&j->lists[i]);
    for (uint32_t i = 0; i < j->scope->threads && j->classes; i++)
        akin_classes_clear(&j->classes[i]);
    akin_free(j->lists);
    akin_free(j->classes);
    akin_free(j->errors);
    akin_seen_clear(&j->seen);
    akin_bulk_clear(&j->mark_words[0]);
    akin_bulk_clear(&j->mark_words[1]);
    akin_bulk_clear(&j->runs);
    akin_bulk_clear(&j->heads);
}

static void describe(const job *j, akin_repeats_report *report)
{
    for (uint32_t i = 0; i < j->scope->threads && j->classes; i++) {
        report->slices += j->classes[i].report.slices;
        report->walked += j->classes[i].report.walked;
        report->compared += j->classes[i].report.compared;
    }
    report->runs = j->all_runs;
    report->memory_peak = j->account.peak;
}

akin_status akin_repeats_find_within(const akin_scope *scope, const akin_column *column, uint32_t rows,
                                     const akin_repeats_wanted *wanted, akin_bulk *spans, uint64_t *count,
                                     akin_repeats_report *report, akin_error *error)
{
    akin_scope narrow = *scope;
    akin_repeats_report own = {0};
    job j = {.scope = &narrow, .wanted = wanted};
    narrow.threads = akin_scope_threads(scope);
    *count = 0;
    akin_status status = check(column, rows, wanted, error);
    if (status != AKIN_OK)
        return status;
    akin_account_begin(&j.account, scope);
    j.windows = akin_windows_of(column, rows, wanted->symbol, wanted->length, wanted->mask, wanted->piece);
    for (uint32_t i = 0; i < 2; i++)
        j.mark_words[i] = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_MARKS));
    j.runs = akin_bulk_of(scope, &j.account, scope->memory);
    j.heads = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_HEADS));
    status = see_all(&j, error);
    if (status == AKIN_OK)
        status = mark_all(&j, &own, error);
    if (status == AKIN_OK)
        status = list_spans(&j, spans, count, error);
    release(&j, 0, 1);
    describe(&j, &own);
    clear(&j);
    if (report)
        *report = own;
    return status;
}
