/* Contamination: items of several columns, and where runs stand. */
#include "corpus/overlap.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/context.h"
#include "base/options.h"
#include "base/parallel.h"
#include "corpus/gram_search.h"
#include "corpus/words.h"
#include "device/devices.h"
#include "table/columns.h"
#include "table/combine.h"

#include <stddef.h>
#include <string.h>

#define TASK 64 /* items whose runs a task locates */

AKIN_OPTIONS_END(akin_overlap_options, reserved);

static const char what[] = "the items"; /* the memory is for */

/* Where the run of an item stands. */
typedef struct place {
    uint32_t row; /* of the document; AKIN_NO_ROW: there is no run */
    uint64_t item_begin, item_end, document_begin, document_end;
} place;

struct akin_overlap {
    akin_account account;
    akin_column items; /* all of them, one column; its arrays are below, if they are its own */
    uint32_t count;
    uint64_t *offsets;
    char *bytes;
    uint8_t *validity;
    akin_gram_search *search;
    place *places; /* of the runs */
    uint32_t rows; /* of the documents so far */
};

/* ------------------------------------------------------------------------------------------------------------ items */

/* Copies a column behind the items so far. */
static void append_column(akin_overlap *o, const akin_column *column, uint32_t rows)
{
    for (uint32_t row = 0; row < rows; row++) {
        const uint64_t *at = column->offsets + row, length = at[1] - at[0];
        const uint64_t to = o->offsets[o->count];
        if (akin_column_has(column, row)) {
            memcpy(o->bytes + to, column->bytes + at[0], length);
            o->validity[o->count / 8] |= (uint8_t)(1u << o->count % 8);
        }
        o->offsets[++o->count] = to + (akin_column_has(column, row) ? length : 0);
    }
}

/* Makes one column of several, and of all of them together. */
static akin_status gather_items(akin_overlap *o, const akin_column *columns, uint32_t count, const akin_column *all,
                                uint32_t rows, akin_error *error)
{
    uint64_t bytes = all->offsets[rows] - all->offsets[0];
    const uint64_t items = (count + UINT64_C(1)) * rows;
    for (uint32_t i = 0; i < count; i++)
        bytes += columns[i].offsets[rows] - columns[i].offsets[0];
    if (items >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "there are 2^32 - 1 items or more");
    o->offsets = akin_alloc(&o->account, items + 1, sizeof *o->offsets);
    o->bytes = akin_alloc(&o->account, bytes + 1, 1);
    o->validity = akin_alloc_zero(&o->account, items / 8 + 1, 1);
    if (!o->offsets || !o->bytes || !o->validity)
        return akin_fail_memory(error, what);
    o->offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++)
        append_column(o, &columns[i], rows);
    append_column(o, all, rows);
    o->items = (akin_column){.size = sizeof o->items,
                             .name = columns->name,
                             .offsets = o->offsets,
                             .bytes = o->bytes,
                             .validity = o->validity,
                             .nulls = 1};
    return AKIN_OK;
}

/* The items: the rows of one column, or of several and of all of them together. */
static akin_status take_items(const akin_scope *scope, akin_overlap *o, const akin_column *columns, uint32_t count,
                              uint32_t rows, akin_error *error)
{
    akin_table *combined = NULL;
    akin_column all = AKIN_COLUMN_INIT;
    if (count == 1) {
        o->items = *columns;
        o->count = rows;
        return AKIN_OK;
    }
    akin_status status = akin_table_combine_within(scope, columns, count, rows, &combined, error);
    if (status == AKIN_OK)
        status = akin_table_column(combined, 0, &all, error);
    if (status == AKIN_OK)
        status = gather_items(o, columns, count, &all, rows, error);
    akin_table_free(combined);
    return status;
}

static akin_status read_overlap_options(const akin_overlap_options *given, akin_overlap_options *own, akin_error *error)
{
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_overlap_options", error);
    if (status == AKIN_OK && own->reserved != 0)
        status = akin_fail(error, AKIN_E_OPTION, "akin_overlap_options: reserved is %u; expected 0", own->reserved);
    return status;
}

akin_status akin_overlap_create_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                       uint32_t rows, const akin_overlap_options *options, uint64_t mask,
                                       akin_overlap **out, akin_error *error)
{
    akin_overlap_options own = AKIN_OVERLAP_OPTIONS_INIT;
    akin_status status = read_overlap_options(options, &own, error);
    if (status == AKIN_OK && akin_device_is_required(scope))
        status = akin_fail(error, AKIN_E_OPTION, "items are looked for on the CPU alone: use the device cpu or auto");
    if (status == AKIN_OK)
        status = akin_table_columns_check(columns, count, rows, "take items from", error);
    if (status != AKIN_OK)
        return status;
    akin_overlap *o = akin_alloc_zero(NULL, 1, sizeof *o);
    if (!o)
        return akin_fail_memory(error, what);
    akin_account_begin(&o->account, scope);
    const akin_gram_search_options search = {.words = own.words, .mask = mask};
    status = take_items(scope, o, columns, count, rows, error);
    if (status == AKIN_OK)
        status = akin_gram_search_create(scope, &o->account, &o->items, o->count, &search, &o->search, error);
    if (status == AKIN_OK && !(o->places = akin_alloc(&o->account, o->count, sizeof *o->places)))
        status = akin_fail_memory(error, what);
    for (uint32_t item = 0; item < o->count && o->places; item++)
        o->places[item] = (place){.row = AKIN_NO_ROW};
    if (status != AKIN_OK) {
        akin_overlap_free(o);
        return status;
    }
    *out = o;
    return AKIN_OK;
}

void akin_overlap_free(akin_overlap *overlap)
{
    if (!overlap)
        return;
    akin_gram_search_free(overlap->search);
    akin_free(overlap->offsets);
    akin_free(overlap->bytes);
    akin_free(overlap->validity);
    akin_free(overlap->places);
    akin_free(overlap);
}

/* -------------------------------------------------------------------------------------------------------- documents */

/* Runs that are located by threads. */
typedef struct locating {
    akin_overlap *overlap;
    const akin_column *documents;
    const uint32_t *items; /* whose runs are new */
    uint32_t item_count;
    akin_word_locator *locators;
    uint32_t locator_count;
} locating;

/* Finds a run of words in a row of a column. */
static akin_status locate(akin_word_locator *locator, const akin_column *column, uint32_t row, uint32_t word,
                          uint32_t words, uint64_t *begin, uint64_t *end)
{
    const uint64_t *at = column->offsets + row;
    return akin_words_locate(locator, column->bytes + at[0], at[1] - at[0], word, words, begin, end);
}

static akin_status locate_runs(void *argument, uint64_t task, uint32_t thread)
{
    const locating *l = argument;
    akin_overlap *o = l->overlap;
    akin_word_locator *locator = &l->locators[thread];
    const uint64_t end = akin_min_u64((task + 1) * TASK, l->item_count);
    akin_status status = AKIN_OK;
    for (uint64_t i = task * TASK; i < end && status == AKIN_OK; i++) {
        const uint32_t item = l->items[i];
        place *p = &o->places[item];
        akin_gram_found found;
        akin_gram_search_run(o->search, item, &found);
        p->row = found.run_row;
        status = locate(locator, &o->items, item, found.run_item, found.run_words, &p->item_begin, &p->item_end);
        if (status == AKIN_OK)
            status = locate(locator, l->documents, found.run_row - o->rows, found.run_document, found.run_words,
                            &p->document_begin, &p->document_end);
    }
    return status;
}

/* Locates the runs that are in documents which have just been scanned. */
static akin_status locate_all(const akin_scope *scope, akin_overlap *o, const akin_column *documents, akin_error *error)
{
    locating l = {.overlap = o, .documents = documents};
    l.items = akin_gram_search_changed(o->search, &l.item_count);
    l.locators = akin_alloc(&o->account, scope->threads, sizeof *l.locators);
    for (; l.locators && l.locator_count < scope->threads; l.locator_count++)
        akin_word_locator_begin(&l.locators[l.locator_count], scope->cpu, &o->account);
    akin_status status = l.locators
                             ? akin_parallel(scope, "locating", akin_ceil_div(l.item_count, TASK), locate_runs, &l)
                             : AKIN_E_NOMEM;
    for (uint32_t i = 0; i < l.locator_count; i++)
        akin_word_locator_clear(&l.locators[i]);
    akin_free(l.locators);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "where words stand");
}

akin_status akin_overlap_add_within(const akin_scope *scope, akin_overlap *overlap, const akin_column *documents,
                                    uint32_t rows, uint8_t *hit, akin_error *error)
{
    const akin_scope narrow = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    akin_status status = akin_gram_search_add(&narrow, overlap->search, documents, rows, hit, error);
    if (status == AKIN_OK)
        status = locate_all(&narrow, overlap, documents, error);
    overlap->rows += status == AKIN_OK ? rows : 0;
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

akin_status akin_overlap_create(akin_context *context, const akin_column *columns, uint32_t count, uint32_t rows,
                                const akin_overlap_options *options, akin_overlap **out, akin_error *error)
{
    return akin_overlap_create_within(akin_scope_of(context), columns, count, rows, options, UINT64_MAX, out, error);
}

akin_status akin_overlap_add(akin_context *context, akin_overlap *overlap, const akin_column *documents, uint32_t rows,
                             uint8_t *hit, akin_error *error)
{
    return akin_overlap_add_within(akin_scope_of(context), overlap, documents, rows, hit, error);
}

uint32_t akin_overlap_items(const akin_overlap *overlap)
{
    return overlap->count;
}

const uint32_t *akin_overlap_changed(const akin_overlap *overlap, uint32_t *count)
{
    return akin_gram_search_changed(overlap->search, count);
}

uint32_t akin_overlap_run_row(const akin_overlap *overlap, uint32_t item)
{
    return overlap->places[item].row;
}

akin_status akin_overlap_item(const akin_overlap *overlap, uint32_t item, akin_overlap_found *out, akin_error *error)
{
    akin_gram_found found;
    if (item >= overlap->count)
        return akin_fail(error, AKIN_E_OPTION, "there is no item %u: their number is %u", item, overlap->count);
    const place *p = &overlap->places[item];
    akin_gram_search_item(overlap->search, item, &found);
    const akin_overlap_found own = {.size = sizeof own,
                                    .grams = found.positions,
                                    .covered = found.covered,
                                    .documents = found.documents,
                                    .first_row = found.first_row,
                                    .run_row = found.run_row,
                                    .run_words = found.run_words,
                                    .item_begin = p->item_begin,
                                    .item_end = p->item_end,
                                    .document_begin = p->document_begin,
                                    .document_end = p->document_end};
    return akin_options_write(&own, sizeof own, out, "akin_overlap_found", error);
}
