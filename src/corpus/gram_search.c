/* Items in a corpus: their texts and grams, documents by all threads, and what was found of each text. */
#include "corpus/gram_search.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "corpus/bad_row.h"
#include "corpus/gram_scanner.h"
#include "corpus/words.h"
#include "sets/from_columns.h"
#include "table/columns.h"

#include <pthread.h>
#include <string.h>

#define LOCKS      64
#define ROW_WEIGHT 8 /* of a row, beside its bytes */

static const char what[] = "the words and grams of items"; /* the memory is for */
static const char what_scanned[] = "scanning documents";

/*
 * What was found of a text. The items of a text are a list, and so are the texts whose run the last call has changed,
 * one for each lock: numbers, the last one AKIN_NO_ROW.
 */
typedef struct found_text {
    uint32_t documents, first_row, run_row;
    akin_gram_run run;
    uint32_t first_item, next_changed;
} found_text;

struct akin_gram_search {
    akin_account *account;
    akin_item_texts texts;
    akin_grams grams;
    uint32_t *item_texts;      /* the text of each item, */
    uint32_t *next_items;      /* and the next item of that text */
    _Atomic uint64_t *covered; /* a bit for each word that begins a gram */
    found_text *found;
    uint32_t rows;     /* of the documents so far */
    uint32_t *changed; /* items whose run the last call has changed */
    uint64_t changed_capacity;
    uint32_t changed_count, lock_count;
    pthread_mutex_t locks[LOCKS];  /* of `found`, by texts, */
    uint32_t changed_texts[LOCKS]; /* likewise: the first one of each list */
};

/* ------------------------------------------------------------------------------------------------------------ items */

static akin_status add_item(akin_gram_search *o, akin_tokenizer *tokenizer, const akin_column *items, uint32_t count,
                            uint32_t item)
{
    const uint64_t *at = items->offsets + item;
    o->item_texts[item] = AKIN_TEXT_NONE;
    if (at[0] == at[1] || !akin_column_has(items, item))
        return AKIN_OK;
    akin_status status =
        akin_tokenizer_take(tokenizer, items->bytes + at[0], at[1] - at[0], items->offsets[count] - at[0]);
    if (status == AKIN_OK)
        status = akin_item_texts_add(&o->texts, tokenizer, &o->item_texts[item]);
    return status;
}

static akin_status fail_items(akin_status status, const akin_column *items, uint32_t item, akin_error *error)
{
    if (status == AKIN_E_INPUT)
        return akin_sets_fail_text(items, 1, 0, item, status, error);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "the words of the items take 4 GiB or more");
    return akin_fail_stopped(error, status, what);
}

/* Reads the words of all items. */
static akin_status read_items(const akin_scope *scope, akin_gram_search *o, const akin_column *items, uint32_t count,
                              akin_error *error)
{
    akin_tokenizer *tokenizer = akin_alloc(o->account, 1, sizeof *tokenizer);
    akin_status status = AKIN_OK;
    uint32_t item = 0;
    o->item_texts = akin_alloc(o->account, count, sizeof *o->item_texts);
    if (!tokenizer || !o->item_texts) {
        akin_free(tokenizer);
        return akin_fail_memory(error, what);
    }
    akin_words_begin(tokenizer, scope->cpu, o->account);
    for (; item < count && status == AKIN_OK; item++) {
        status = add_item(o, tokenizer, items, count, item);
        if (status == AKIN_OK && akin_is_stopped(scope, item))
            status = AKIN_E_CANCELLED;
    }
    akin_tokenizer_clear(tokenizer);
    akin_free(tokenizer);
    akin_item_texts_end(&o->texts);
    return status == AKIN_OK ? AKIN_OK : fail_items(status, items, item - 1, error);
}

/* Makes the list of the items of each text. */
static void list_items(akin_gram_search *o, uint32_t count)
{
    for (uint32_t item = count; item-- > 0;) {
        const uint32_t text = o->item_texts[item];
        o->next_items[item] = AKIN_NO_ROW;
        if (text != AKIN_TEXT_NONE) {
            o->next_items[item] = o->found[text].first_item;
            o->found[text].first_item = item;
        }
    }
}

/* Makes room for what is found of the texts. */
static akin_status begin_found(akin_gram_search *o, uint32_t items)
{
    const uint64_t words = akin_ceil_div(o->texts.word_count, 64);
    o->covered = akin_alloc_zero(o->account, words, sizeof *o->covered);
    o->found = akin_alloc(o->account, o->texts.count, sizeof *o->found);
    o->next_items = akin_alloc(o->account, items, sizeof *o->next_items);
    for (uint32_t text = 0; text < o->texts.count && o->found; text++)
        o->found[text] = (found_text){.first_row = AKIN_NO_ROW, .run_row = AKIN_NO_ROW, .first_item = AKIN_NO_ROW};
    if (o->found && o->next_items)
        list_items(o, items);
    while (o->lock_count < LOCKS && pthread_mutex_init(&o->locks[o->lock_count], NULL) == 0)
        o->lock_count++;
    return o->covered && o->found && o->next_items && o->lock_count == LOCKS ? AKIN_OK : AKIN_E_NOMEM;
}

void akin_gram_search_free(akin_gram_search *search)
{
    akin_gram_search *o = search;
    if (!o)
        return;
    while (o->lock_count > 0)
        pthread_mutex_destroy(&o->locks[--o->lock_count]);
    akin_grams_clear(&o->grams);
    akin_item_texts_clear(&o->texts);
    akin_free(o->item_texts);
    akin_free(o->next_items);
    akin_free(o->changed);
    akin_free((void *)o->covered);
    akin_free(o->found);
    akin_free(o);
}

akin_status akin_gram_search_create(const akin_scope *scope, akin_account *account, const akin_column *items,
                                    uint32_t count, const akin_gram_search_options *options, akin_gram_search **out,
                                    akin_error *error)
{
    const akin_gram_search_options usual = AKIN_GRAM_SEARCH_OPTIONS_INIT, *own = options ? options : &usual;
    akin_status status = akin_table_columns_check(items, 1, count, "take items from", error);
    if (status != AKIN_OK)
        return status;
    if (own->words < 1 || own->words > AKIN_GRAM_WORDS_MOST)
        return akin_fail(error, AKIN_E_OPTION, "words is %u; expected 1 to %d", own->words, AKIN_GRAM_WORDS_MOST);
    akin_gram_search *o = akin_alloc_zero(NULL, 1, sizeof *o);
    if (!o)
        return akin_fail_memory(error, what);
    o->account = account;
    akin_item_texts_begin(&o->texts, o->account, own->mask);
    status = read_items(scope, o, items, count, error);
    if (status == AKIN_OK) {
        status = akin_grams_make(scope, o->account, &o->texts, own->words, own->mask, &o->grams);
        if (status == AKIN_OK)
            status = begin_found(o, count);
        if (status == AKIN_E_LIMIT)
            akin_fail(error, status, "an item has 2^30 words or more");
        else if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    if (status != AKIN_OK) {
        akin_gram_search_free(o);
        return status;
    }
    *out = o;
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------- documents */

/* What a call that adds documents has. */
typedef struct job {
    akin_gram_search *search;
    const akin_column *column;
    uint32_t rows;
    uint8_t *hit; /* or NULL */
    akin_gram_scanner *scanners;
    akin_cancellation *cancellations; /* of these */
    atomic_int cancelled;
    uint32_t scanner_count;
    akin_bad_row bad;
} job;

static uint64_t weight_before(const void *of, uint32_t i)
{
    const job *j = of;
    return akin_columns_bytes(j->column, 1, 0, i) + (uint64_t)ROW_WEIGHT * i;
}

/* Adds what a document has of a text. The order of documents does not matter. */
static void add_trace(akin_gram_search *o, const akin_gram_trace *t, uint32_t row)
{
    found_text *f = &o->found[t->text];
    pthread_mutex_t *lock = &o->locks[t->text % LOCKS];
    pthread_mutex_lock(lock);
    f->documents++;
    f->first_row = akin_min_u32(f->first_row, row);
    if (t->longest.words > f->run.words || (t->longest.words == f->run.words && row < f->run_row)) {
        if (f->run_row == AKIN_NO_ROW || f->run_row < o->rows) { /* the first change of this call */
            f->next_changed = o->changed_texts[t->text % LOCKS];
            o->changed_texts[t->text % LOCKS] = t->text;
        }
        f->run = t->longest;
        f->run_row = row;
    }
    pthread_mutex_unlock(lock);
}

static akin_status scan_row(job *j, akin_gram_scanner *scanner, uint32_t row)
{
    const uint64_t *at = j->column->offsets + row;
    if (!akin_column_has(j->column, row))
        return AKIN_OK;
    const akin_status status =
        akin_gram_scanner_take(scanner, j->column->bytes + at[0], at[1] - at[0], j->column->offsets[j->rows] - at[0]);
    if (status != AKIN_OK) {
        akin_bad_row_note(&j->bad, row);
        return status;
    }
    for (uint64_t i = 0; i < scanner->trace_count; i++)
        add_trace(j->search, &scanner->traces[i], j->search->rows + row);
    if (scanner->trace_count > 0 && j->hit)
        __atomic_fetch_or(&j->hit[row / 8], (uint8_t)(1u << row % 8), __ATOMIC_RELAXED);
    return AKIN_OK;
}

static akin_status scan_rows(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const uint32_t end = akin_weighed_begin(weight_before, j, j->rows, task + 1);
    akin_status status = AKIN_OK;
    for (uint32_t row = akin_weighed_begin(weight_before, j, j->rows, task); row < end && status == AKIN_OK; row++)
        status = scan_row(j, &j->scanners[thread], row);
    return status;
}

static akin_status begin_scanners(const akin_scope *scope, job *j)
{
    akin_gram_search *o = j->search;
    j->scanners = akin_alloc(o->account, scope->threads, sizeof *j->scanners);
    j->cancellations = akin_alloc(o->account, scope->threads, sizeof *j->cancellations);
    if (!j->scanners || !j->cancellations)
        return AKIN_E_NOMEM;
    for (uint32_t i = 0; i < scope->threads; i++) {
        j->cancellations[i] = (akin_cancellation){scope, &j->cancelled, i, 0};
        akin_gram_scanner_begin(&j->scanners[i], scope->cpu, o->account, &o->grams, o->covered, &j->cancellations[i]);
    }
    j->scanner_count = scope->threads;
    return AKIN_OK;
}

static void clear_scanners(job *j)
{
    for (uint32_t i = 0; i < j->scanner_count; i++)
        akin_gram_scanner_clear(&j->scanners[i]);
    akin_free(j->scanners);
    akin_free(j->cancellations);
}

/* Gathers the items of the texts whose run has changed. */
static akin_status gather_changed(akin_gram_search *o)
{
    o->changed_count = 0;
    for (uint32_t list = 0; list < LOCKS; list++)
        for (uint32_t text = o->changed_texts[list]; text != AKIN_NO_ROW; text = o->found[text].next_changed)
            for (uint32_t item = o->found[text].first_item; item != AKIN_NO_ROW; item = o->next_items[item]) {
                uint32_t *changed = akin_enlarge(o->account, o->changed, &o->changed_capacity,
                                                 o->changed_count + UINT64_C(1), sizeof *changed);
                if (!changed)
                    return AKIN_E_NOMEM;
                o->changed = changed;
                changed[o->changed_count++] = item;
            }
    akin_sort_u32(o->changed, o->changed_count); /* threads have made the lists */
    return AKIN_OK;
}

akin_status akin_gram_search_add(const akin_scope *scope, akin_gram_search *search, const akin_column *documents,
                                 uint32_t rows, uint8_t *hit, akin_error *error)
{
    const akin_scope narrow = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    job j = {.search = search, .column = documents, .rows = rows, .hit = hit, .bad = AKIN_BAD_ROW_NONE};
    akin_status status = akin_table_columns_check(documents, 1, rows, "scan documents of", error);
    if (status != AKIN_OK)
        return status;
    if (rows >= AKIN_NO_ROW - search->rows)
        return akin_fail(error, AKIN_E_LIMIT, "there are 2^32 - 1 documents or more");
    if (hit)
        memset(hit, 0, akin_ceil_div(rows, 8));
    for (uint32_t list = 0; list < LOCKS; list++)
        search->changed_texts[list] = AKIN_NO_ROW;
    status = begin_scanners(&narrow, &j);
    if (status == AKIN_OK)
        status = akin_parallel_long(&narrow, "scanning", akin_weighed_tasks(weight_before, &j, rows), scan_rows, &j,
                                    &j.cancelled);
    clear_scanners(&j);
    if (status == AKIN_OK)
        status = gather_changed(search);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT)
        return akin_sets_fail_text(documents, 1, 0, (uint32_t)j.bad, status, error);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what_scanned);
    search->rows += rows;
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- results */

const uint32_t *akin_gram_search_changed(const akin_gram_search *search, uint32_t *count)
{
    *count = search->changed_count;
    return search->changed;
}

/* Whether a position of a text is covered. That of a gram that comes again is covered where the first one is. */
static int covers(const akin_gram_search *o, uint32_t text, const akin_gram_automaton *repeats, uint32_t position)
{
    const uint64_t at = o->texts.firsts[text] + (repeats ? repeats->firsts[position] : position);
    return atomic_load_explicit(&o->covered[at / 64], memory_order_relaxed) >> (at & 63) & 1;
}

int akin_gram_search_covers(const akin_gram_search *search, uint32_t item, uint32_t position)
{
    const uint32_t text = search->item_texts[item];
    return covers(search, text, akin_grams_repeats(&search->grams, text), position);
}

void akin_gram_search_run(const akin_gram_search *search, uint32_t item, akin_gram_found *out)
{
    const uint32_t text = search->item_texts[item];
    *out = (akin_gram_found){.first_row = AKIN_NO_ROW, .run_row = AKIN_NO_ROW};
    if (text == AKIN_TEXT_NONE)
        return;
    const found_text *f = &search->found[text];
    out->documents = f->documents;
    out->first_row = f->first_row;
    out->run_row = f->run_row;
    out->run_item = f->run.item;
    out->run_document = f->run.document;
    out->run_words = f->run.words;
}

void akin_gram_search_item(const akin_gram_search *search, uint32_t item, akin_gram_found *out)
{
    const uint32_t text = search->item_texts[item];
    akin_gram_search_run(search, item, out);
    if (text == AKIN_TEXT_NONE)
        return;
    const akin_gram_automaton *repeats = akin_grams_repeats(&search->grams, text);
    out->positions = akin_item_texts_size(&search->texts, text) - akin_grams_words(&search->grams, text) + 1;
    for (uint32_t position = 0; position < out->positions && out->documents > 0; position++)
        out->covered += (uint64_t)covers(search, text, repeats, position);
}
