/* What thresholds would remove, estimated from a sample: its documents are indexed, and all others pass by. */
#include "corpus/near_sample.h"

#include "base/bits.h"
#include "base/bulk.h"
#include "base/context.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "corpus/bad_row.h"
#include "corpus/kept_index.h"
#include "corpus/near_options.h"
#include "corpus/preference.h"
#include "corpus/rows_draw.h"
#include "corpus/bag_prefix.h"
#include "corpus/shingles.h"
#include "corpus/sources.h"
#include "device/devices.h"
#include "sets/from_columns.h"

#include <stddef.h>
#include <string.h>

#define LOWEST  10                     /* twentieths: the first threshold */
#define POINTS  AKIN_SAMPLE_THRESHOLDS /* they end at 20 twentieths */
#define TASK    64                     /* documents of a task */
#define PORTION (1 << 26)              /* bytes of text between two looks at what a pass has left behind */
#define TOKEN   4                      /* bytes of text for each hash, at least, in a guess */
#define SLOTS   (1 << 28)              /* bytes of counters, at most */
#define SHARED  1                      /* the least frequency of a hash that a drawn document has */

AKIN_OPTIONS_END(akin_duplicates_sample_options, reserved);

static const char what[] = "the sample of documents"; /* the memory is for */

/* What a thread has: for the document that passes by, and for the drawn one that it is compared with. */
typedef struct worker {
    _Alignas(64) akin_shingler own;
    akin_shingler other;
    uint64_t *hashes; /* of the bags of the drawn documents that the thread took, one after another */
    uint8_t *frequencies;
    uint64_t *sorted, *signature;
    uint64_t count, capacity, frequency_capacity, sorted_capacity, signature_capacity;
    akin_entries entries;
} worker;

/* A drawn document. */
typedef struct drawn {
    uint64_t begin; /* of its bag among the hashes of a thread */
    uint32_t thread, size, place, source;
} drawn;

typedef struct job {
    const akin_scope *scope;
    akin_account account;
    akin_near_options options;
    akin_threshold levels[POINTS], turned; /* turned: the lowest one, with the document before as the first set */
    uint64_t mask;
    const akin_column *column;
    uint32_t rows, source_count, count, first; /* count: of drawn documents; first: place of the portion at hand */
    akin_bulk order, sources;
    drawn *drawn;             /* by place */
    uint32_t *entries;        /* the drawn document of each entry of the index */
    _Atomic uint8_t *reached; /* by each entry: how many thresholds */
    _Atomic uint32_t *empty;  /* the first place of a document without tokens, of each source; AKIN_NO_ROW: none */
    akin_frequencies frequencies;
    akin_kept_index index;
    worker *workers;
    akin_bad_row bad; /* the place of a text that cannot be taken */
} job;

static uint32_t row_at(const job *j, uint64_t place)
{
    return j->order.data ? ((const uint32_t *)j->order.data)[place] : (uint32_t)place;
}

static uint32_t source_of(const job *j, uint32_t row)
{
    return j->sources.data ? ((const uint32_t *)j->sources.data)[row] : 0;
}

/* Takes the document at a place. */
static akin_status take(job *j, akin_shingler *shingler, uint32_t place)
{
    const akin_status status = akin_shingler_take_row(shingler, j->column, j->rows, row_at(j, place));
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT)
        akin_bad_row_note(&j->bad, place);
    return status;
}

static akin_status fail(const job *j, akin_status status, akin_error *error)
{
    if ((status == AKIN_E_INPUT || status == AKIN_E_LIMIT) && j->bad != AKIN_BAD_ROW_NONE)
        return akin_sets_fail_text(j->column, 1, 0, row_at(j, j->bad), status, error);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ---------------------------------------------------------------------------------------------------------- drawing */

/* Lists the drawn documents by their places. */
static akin_status draw(job *j)
{
    uint64_t *marks = akin_alloc_zero(&j->account, j->rows / 64 + 1, sizeof *marks);
    akin_status status = AKIN_E_NOMEM;
    uint32_t at = 0;
    j->drawn = akin_alloc_zero(&j->account, j->count, sizeof *j->drawn);
    if (marks && j->drawn)
        status = akin_rows_draw(&j->account, j->rows, j->count, marks);
    for (uint32_t place = 0; place < j->rows && status == AKIN_OK; place++) {
        const uint32_t row = row_at(j, place);
        if (marks[row / 64] >> row % 64 & 1)
            j->drawn[at++] = (drawn){.place = place, .source = source_of(j, row)};
    }
    akin_free(marks);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ index */

/* Makes the bags of drawn documents, and counts their hashes. */
static akin_status take_drawn(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    worker *w = &j->workers[thread];
    const uint64_t end = akin_min_u64((task + 1) * TASK, j->count);
    for (uint64_t i = task * TASK; i < end; i++) {
        drawn *d = &j->drawn[i];
        const akin_status status = take(j, &w->own, d->place);
        if (status != AKIN_OK)
            return status;
        uint64_t *hashes = akin_enlarge(&j->account, w->hashes, &w->capacity, w->count + w->own.size, sizeof *hashes);
        if (!hashes)
            return AKIN_E_NOMEM;
        w->hashes = hashes;
        if (w->own.size > 0)
            memcpy(hashes + w->count, w->own.hashes, w->own.size * sizeof *hashes);
        akin_sort_u64(hashes + w->count, w->own.size);
        d->begin = w->count;
        d->thread = thread;
        d->size = w->own.size;
        w->count += d->size;
        akin_frequencies_add(&j->frequencies, w->own.hashes, w->own.size);
    }
    return AKIN_OK;
}

/* Puts the prefix of a bag, each hash once, at the start of w->sorted; returns its length. `seen` has the bag as the
 * first set. */
static akin_status make_prefix(job *j, worker *w, const uint64_t *hashes, uint32_t size, const akin_threshold *seen,
                               uint32_t *length)
{
    const uint32_t longest = akin_bag_prefix_length(seen, size);
    uint8_t *frequencies = akin_enlarge(&j->account, w->frequencies, &w->frequency_capacity, size, sizeof *frequencies);
    if (frequencies)
        w->frequencies = frequencies;
    uint64_t *sorted = akin_enlarge(&j->account, w->sorted, &w->sorted_capacity, size, sizeof *sorted);
    if (sorted)
        w->sorted = sorted;
    if (!frequencies || !sorted)
        return AKIN_E_NOMEM;
    const uint32_t absent = akin_bag_prefix_sort(&j->frequencies, hashes, size, SHARED,
                                                 (const uint32_t[]){longest, longest}, frequencies, sorted);
    *length = 0;
    for (uint32_t i = absent; i < longest; i++)
        if (*length == 0 || sorted[i] != sorted[*length - 1])
            sorted[(*length)++] = sorted[i];
    return AKIN_OK;
}

static akin_status make_signature(job *j, worker *w, const uint64_t *hashes, uint32_t size)
{
    uint64_t *words =
        akin_enlarge(&j->account, w->signature, &w->signature_capacity, akin_signature_words(size), sizeof *words);
    if (!words)
        return AKIN_E_NOMEM;
    w->signature = words;
    akin_signature_make(hashes, size, words);
    return AKIN_OK;
}

/* Indexes the drawn documents that have tokens. */
static akin_status index_drawn(job *j)
{
    worker *w = &j->workers[0];
    uint64_t hashes_most = 0;
    for (uint32_t i = 0; i < j->scope->threads; i++)
        hashes_most += j->workers[i].count;
    akin_status status = akin_kept_index_expect(j->scope, &j->index, hashes_most);
    for (uint32_t i = 0; i < j->count && status == AKIN_OK; i++) {
        const drawn *d = &j->drawn[i];
        if (d->size == 0)
            continue;
        const uint64_t *hashes = j->workers[d->thread].hashes + d->begin;
        uint32_t length;
        status = make_prefix(j, w, hashes, d->size, &j->levels[0], &length);
        if (status == AKIN_OK)
            status = make_signature(j, w, hashes, d->size);
        if (status != AKIN_OK)
            break;
        const akin_indexable own = {w->sorted, w->signature, d->place, length, d->size, d->source};
        akin_index_place place;
        j->entries[j->index.entry_count] = i;
        status = akin_kept_index_add(&j->index, &own, &place);
        if (status == AKIN_OK)
            akin_kept_index_link(&j->index, &own, &place);
    }
    return status;
}

static akin_status make_index(job *j)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < j->count; i++) {
        const uint64_t *at = j->column->offsets + row_at(j, j->drawn[i].place);
        bytes += at[1] - at[0];
    }
    j->entries = akin_alloc(&j->account, j->count, sizeof *j->entries);
    j->reached = akin_alloc_zero(&j->account, j->count, sizeof *j->reached);
    akin_status status = j->entries && j->reached ? AKIN_OK : AKIN_E_NOMEM;
    if (status == AKIN_OK)
        status = akin_frequencies_make(&j->account, bytes / TOKEN, SLOTS, &j->frequencies);
    if (status == AKIN_OK)
        status = akin_parallel(j->scope, NULL, akin_ceil_div(j->count, TASK), take_drawn, j);
    return status == AKIN_OK ? index_drawn(j) : status;
}

/* ------------------------------------------------------------------------------------------------------- comparison */

/* How many hashes two bags, which ascend, have in common, each as often as both have it. */
static uint32_t common_hashes(const uint64_t *a, uint32_t a_size, const uint64_t *b, uint32_t b_size)
{
    uint32_t common = 0;
    for (uint32_t i = 0, k = 0; i < a_size && k < b_size;) {
        const uint64_t x = a[i], y = b[k];
        common += x == y;
        i += x <= y;
        k += y <= x;
    }
    return common;
}

static void raise(_Atomic uint8_t *held, uint8_t level)
{
    uint8_t at = *held;
    while (at < level && !atomic_compare_exchange_weak(held, &at, level))
        ;
}

/* Whether the bags of a drawn document and of w->own may reach a threshold. */
static int may_reach(const job *j, const worker *w, uint32_t entry, const akin_threshold *level)
{
    const drawn *d = &j->drawn[j->entries[entry]];
    const int64_t most = akin_threshold_distance(level, d->size, w->own.size);
    return most >= 0 && akin_kept_index_distance(&j->index, w->signature, w->own.size, entry) <= (uint64_t)most &&
           common_hashes(j->workers[d->thread].hashes + d->begin, d->size, w->own.hashes, w->own.size) >=
               akin_threshold_overlap(level, d->size, w->own.size);
}

/* Compares the document of w->own with a drawn one, if that may reach more thresholds. */
static akin_status compare(job *j, worker *w, uint32_t entry)
{
    const drawn *d = &j->drawn[j->entries[entry]];
    uint8_t level = j->reached[entry];
    if (level == POINTS || !may_reach(j, w, entry, &j->levels[level]))
        return AKIN_OK;
    const akin_status status = take(j, &w->other, d->place);
    if (status != AKIN_OK)
        return status;
    const uint32_t common = akin_shingler_common(&w->own, &w->other);
    while (level < POINTS && common >= akin_threshold_overlap(&j->levels[level], d->size, w->own.size))
        level++;
    raise(&j->reached[entry], level);
    return AKIN_OK;
}

/* The first entry behind a place. */
static uint32_t entry_behind(const job *j, uint32_t place)
{
    uint64_t begin = 0, end = j->index.entry_count;
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        if (j->index.entries[middle].document > place)
            end = middle;
        else
            begin = middle + 1;
    }
    return (uint32_t)begin;
}

/* A document that passes by, of a source. */
typedef struct passer {
    const job *job;
    uint32_t source;
} passer;

static int is_compared(void *user, uint32_t entry)
{
    const passer *p = user;
    return akin_sources_are_compared((akin_comparing)p->job->options.own.comparing, p->source,
                                     p->job->index.entries[entry].group);
}

/* Compares a document with the drawn ones behind it. */
static akin_status pass_by(job *j, worker *w, uint32_t place)
{
    const uint32_t source = source_of(j, row_at(j, place));
    const akin_shingler *own = &w->own;
    uint32_t length;
    akin_status status = take(j, &w->own, place);
    if (status != AKIN_OK)
        return status;
    if (own->size == 0) {
        uint32_t held = j->empty[source];
        while (place < held && !atomic_compare_exchange_weak(&j->empty[source], &held, place))
            ;
        return AKIN_OK;
    }
    passer passer = {j, source};
    const akin_entries_wanted wanted = {entry_behind(j, place), akin_threshold_smallest(&j->turned, own->size),
                                        akin_threshold_largest(&j->turned, own->size), is_compared, &passer};
    status = make_prefix(j, w, own->hashes, own->size, &j->turned, &length);
    if (status == AKIN_OK)
        status = akin_kept_index_find(&j->index, w->sorted, length, &wanted, &j->account, &w->entries);
    if (status == AKIN_OK && w->entries.count > 0) {
        status = make_signature(j, w, own->hashes, own->size);
        akin_sort_u64(own->hashes, own->size);
    }
    for (uint64_t i = 0; i < w->entries.count && status == AKIN_OK; i++)
        status = compare(j, w, w->entries.list[i]);
    return status;
}

/* Behind the last drawn document there is nothing to compare. */
static uint32_t places_of(const job *j)
{
    return j->count > 0 ? j->drawn[j->count - 1].place : 0;
}

static akin_status pass_task(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const uint64_t begin = j->first + task * TASK, end = akin_min_u64(begin + TASK, places_of(j));
    akin_status status = AKIN_OK;
    for (uint64_t place = begin; place < end && status == AKIN_OK; place++)
        status = pass_by(j, &j->workers[thread], (uint32_t)place);
    return status;
}

/* Lets all documents pass by, in portions of some bytes of text. */
static akin_status pass_all(job *j)
{
    const uint64_t places = places_of(j);
    akin_status status = AKIN_OK;
    while (j->first < places && status == AKIN_OK) {
        uint64_t bytes = 0, end = j->first;
        for (; end < places && bytes < PORTION; end++) {
            const uint64_t *at = j->column->offsets + row_at(j, end);
            bytes += at[1] - at[0];
        }
        status = akin_parallel(j->scope, NULL, akin_ceil_div(end - j->first, TASK), pass_task, j);
        j->first = (uint32_t)end;
        if (j->options.own.table)
            akin_table_release(j->options.own.table);
        if (status == AKIN_OK)
            status = akin_scope_report(j->scope, "comparing", end, places);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

/* Documents without tokens are like one another: whether a drawn one has one before it. */
static int has_empty_before(const job *j, const drawn *d, uint32_t first, uint32_t other)
{
    switch ((akin_comparing)j->options.own.comparing) {
    case AKIN_COMPARE_ALL:
    case AKIN_COMPARE_WITHIN:
        break;
    case AKIN_COMPARE_ACROSS: /* the first one of all, or of all other sources */
        return (d->source == first ? other : j->empty[first]) < d->place;
    }
    return j->empty[d->source] < d->place;
}

/* How many drawn documents reach each threshold. */
static void count_alike(const job *j, uint64_t alike[POINTS])
{
    uint64_t of[POINTS + 1] = {0}, more = 0;
    uint32_t first = 0, other = AKIN_NO_ROW; /* the source of the first empty document, and a place of another source */
    for (uint32_t s = 1; s < j->source_count; s++)
        first = j->empty[s] < j->empty[first] ? s : first;
    for (uint32_t s = 0; s < j->source_count; s++)
        other = s != first ? akin_min_u32(other, j->empty[s]) : other;
    for (uint64_t i = 0; i < j->index.entry_count; i++)
        of[j->reached[i]]++;
    for (uint32_t i = 0; i < j->count; i++)
        if (j->drawn[i].size == 0 && has_empty_before(j, &j->drawn[i], first, other))
            of[POINTS]++;
    for (int level = POINTS; level > 0; level--)
        alike[level - 1] = more += of[level];
}

static void estimate(const job *j, uint64_t alike, akin_threshold_estimate *out)
{
    const akin_share share = akin_share_estimate(alike, j->count, j->rows);
    out->alike = alike;
    out->share = share.share;
    out->low = share.low;
    out->high = share.high;
    out->documents = (uint64_t)(share.share * j->rows + 0.5);
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* What cannot be estimated so. */
static akin_status check(const akin_near_options *o, akin_error *error)
{
    const akin_measure_row *measure = akin_measure_of((akin_measure)o->own.measure);
    if (measure->choice.capabilities & AKIN_TAKES_COUNT)
        return akin_fail(error, AKIN_E_OPTION,
                         "the measure %s counts tokens: expected one from 0 to 1, whose thresholds are 0.5 to 1",
                         measure->choice.name);
    if (o->own.components || o->own.ignore_frequent > 0)
        return akin_fail(error, AKIN_E_OPTION, "a sample and %s are wanted: expected one of the two",
                         o->own.components ? "components" : "ignore_frequent");
    return AKIN_OK;
}

/* Reads the caller's options. */
static akin_status read_options(job *j, const akin_duplicates_sample_options *given, akin_error *error)
{
    akin_duplicates_sample_options own = AKIN_DUPLICATES_SAMPLE_OPTIONS_INIT;
    akin_duplicates_options find = AKIN_DUPLICATES_OPTIONS_INIT;
    akin_status status =
        akin_options_read(given, &own, sizeof own, sizeof own, "akin_duplicates_sample_options", error);
    if (status == AKIN_OK && (own.documents == 0 || own.reserved))
        return akin_fail(error, AKIN_E_OPTION,
                         own.reserved ? "reserved is not 0" : "documents is 0; expected 1 or more");
    if (status == AKIN_OK)
        status = akin_near_options_read(j->scope, j->column, j->rows, own.find ? own.find : &find, &j->options, error);
    if (status == AKIN_OK && akin_device_is_required(j->scope))
        status = akin_fail(error, AKIN_E_OPTION, "a sample is compared on the CPU alone: use the device cpu or auto");
    if (status == AKIN_OK)
        status = check(&j->options, error);
    for (uint32_t i = 0; i < POINTS && status == AKIN_OK; i++)
        status = akin_threshold_make((akin_measure)j->options.own.measure, (akin_ratio){LOWEST + i, 20}, &j->levels[i],
                                     error);
    j->turned = akin_threshold_turn(&j->levels[0]);
    j->count = akin_min_u32(own.documents, j->rows);
    return status;
}

static akin_status begin(job *j)
{
    j->workers = akin_alloc_zero(&j->account, j->scope->threads, sizeof *j->workers);
    j->empty = akin_alloc(&j->account, j->source_count, sizeof *j->empty);
    for (uint32_t i = 0; i < j->scope->threads && j->workers; i++) {
        akin_shingler *both[] = {&j->workers[i].own, &j->workers[i].other};
        for (int side = 0; side < 2; side++) {
            akin_shingler_begin(both[side], j->scope->cpu, &j->account, &j->options.text);
            both[side]->mask = j->mask;
        }
    }
    for (uint32_t s = 0; s < j->source_count && j->empty; s++)
        j->empty[s] = AKIN_NO_ROW;
    return j->workers && j->empty ? AKIN_OK : AKIN_E_NOMEM;
}

static void clear(job *j)
{
    for (uint32_t i = 0; i < j->scope->threads && j->workers; i++) {
        worker *w = &j->workers[i];
        akin_shingler_clear(&w->own);
        akin_shingler_clear(&w->other);
        akin_free(w->hashes);
        akin_free(w->frequencies);
        akin_free(w->sorted);
        akin_free(w->signature);
        akin_entries_clear(&w->entries);
    }
    akin_free(j->workers);
    akin_free(j->drawn);
    akin_free(j->entries);
    akin_free((void *)j->reached);
    akin_free((void *)j->empty);
    akin_frequencies_clear(&j->frequencies);
    akin_kept_index_clear(&j->index);
    akin_bulk_clear(&j->order);
    akin_bulk_clear(&j->sources);
}

static akin_status run(job *j, akin_error *error)
{
    akin_status status =
        akin_preference_order(j->scope, &j->account, &j->options.own, j->column, j->rows, &j->order, error);
    if (status == AKIN_OK && j->options.own.comparing != AKIN_COMPARE_ALL)
        status = akin_sources_number(j->scope, &j->options.own, j->rows, &j->sources, &j->source_count, error);
    if (status != AKIN_OK)
        return status;
    status = begin(j);
    if (status == AKIN_OK)
        status = draw(j);
    if (status == AKIN_OK)
        status = make_index(j);
    if (status == AKIN_OK)
        status = pass_all(j);
    return fail(j, status, error);
}

akin_status akin_duplicates_sample_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                          const akin_duplicates_sample_options *options, uint64_t mask,
                                          akin_duplicates_estimate *out, akin_error *error)
{
    static const char type[] = "akin_duplicates_estimate";
    akin_scope narrow = *scope;
    akin_duplicates_estimate made = {.size = sizeof made, .documents = rows};
    uint64_t alike[POINTS] = {0};
    narrow.threads = akin_scope_threads(scope);
    job j = {
        .scope = &narrow, .mask = mask, .column = documents, .rows = rows, .source_count = 1, .bad = AKIN_BAD_ROW_NONE};
    akin_account_begin(&j.account, scope);
    j.index.account = &j.account;
    j.index.hamming = akin_hamming_choose(scope->cpu);
    j.order = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    j.sources = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_DOCUMENTS));
    akin_status status = akin_options_check(out, sizeof *out, type, error);
    if (status == AKIN_OK)
        status = read_options(&j, options, error);
    if (status == AKIN_OK && j.count > 0) {
        status = run(&j, error);
        if (status == AKIN_OK)
            count_alike(&j, alike);
    }
    made.drawn = j.count;
    for (uint32_t i = 0; i < POINTS && status == AKIN_OK; i++) {
        made.at[i].threshold = (akin_ratio){LOWEST + i, 20};
        if (j.count > 0)
            estimate(&j, alike[i], &made.at[i]);
    }
    clear(&j);
    return status == AKIN_OK ? akin_options_write(&made, sizeof made, out, type, error) : status;
}

akin_status akin_duplicates_sample(akin_context *context, const akin_column *documents, uint32_t rows,
                                   const akin_duplicates_sample_options *options, akin_duplicates_estimate *out,
                                   akin_error *error)
{
    return akin_duplicates_sample_within(akin_scope_of(context), documents, rows, options, UINT64_MAX, out, error);
}
