/* Repeated text, compared as words: words become numbers, and spans of numbers spans of the text. */
#include "corpus/repeated_words.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "base/sort_parallel.h"
#include "corpus/words.h"
#include "sets/from_columns.h"
#include "sets/sets.h"

#define TASK  256 /* spans, or sources, that a task locates, at least */
#define TASKS 8   /* of each thread, at most: each may read a long text from its beginning */

static const char what[] = "repeated words"; /* the memory is for */

/* Where a span comes from: | row: 32 bits from bit 96 on | word: 32 | number of the span: 64 |. In ascending order,
 * those of a row are together. */
typedef akin_u128 source;

static source source_of(const akin_span *span, uint64_t number)
{
    return (akin_u128)span->source_row << 96 | (akin_u128)(uint32_t)span->source_begin << 64 | number;
}

typedef struct job {
    const akin_scope *scope;
    akin_account account;
    const akin_column *column;
    akin_span *spans;
    uint64_t count;
    uint64_t task; /* spans, or sources, of a task */
    akin_bulk source_bulk;
    akin_word_locator *locators; /* of threads */
} job;

/* --------------------------------------------------------------------------------------------------------- locating */

/* A way through the words of rows. */
typedef struct cursor {
    akin_word_locator *locator;
    const char *text; /* of the row; NULL: there is none yet */
    uint64_t length;
    uint32_t row, words; /* words before a byte, */
    uint64_t bytes;      /* from which on words can be counted */
} cursor;

/* Goes on to a row, unless the cursor is in it. */
static void enter_row(const job *j, cursor *c, uint32_t row)
{
    const uint64_t *at = j->column->offsets + row;
    if (c->text && c->row == row)
        return;
    *c = (cursor){.locator = c->locator, .text = j->column->bytes + at[0], .length = at[1] - at[0], .row = row};
}

/* Finds words that the cursor has not passed. */
static akin_status find_words(const cursor *c, uint32_t first, uint32_t count, uint64_t *begin, uint64_t *end)
{
    const akin_status status =
        akin_words_locate(c->locator, c->text + c->bytes, c->length - c->bytes, first - c->words, count, begin, end);
    *begin += c->bytes;
    *end += c->bytes;
    return status;
}

/* The same, and the cursor goes on to them. */
static akin_status go_to_words(cursor *c, uint32_t first, uint32_t count, uint64_t *begin, uint64_t *end)
{
    const akin_status status = find_words(c, first, count, begin, end);
    if (status == AKIN_OK) {
        c->bytes += c->locator->piece_begin;
        c->words += c->locator->piece_words;
    }
    return status;
}

static int is_ascii(char byte)
{
    return (unsigned char)byte < 0x80;
}

/* Whether the code point at which a word begins is one of the word before, too. */
static akin_status shares_begin(const cursor *c, uint32_t first, uint64_t begin, int *shares)
{
    uint64_t other, other_end = 0;
    akin_status status = AKIN_OK;
    if (!is_ascii(c->text[begin]) && first > c->words)
        status = find_words(c, first - 1, 1, &other, &other_end);
    *shares = status == AKIN_OK && other_end > begin;
    return status;
}

/* Whether the code point at which a word ends is one of the next word, too, if there is one. */
static akin_status shares_end(const cursor *c, uint32_t last, uint64_t end, int *shares)
{
    uint64_t other = end, other_end;
    akin_status status = AKIN_OK;
    if (!is_ascii(c->text[end - 1]))
        status = find_words(c, last + 1, 1, &other, &other_end);
    *shares = status == AKIN_OK && other < end;
    return status == AKIN_E_OPTION ? AKIN_OK : status; /* there is no such word */
}

/* Notes spans that have all words of their rows. */
static void note_whole(const akin_sets *words, akin_span *spans, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *at = words->offsets + spans[i].row;
        spans[i].is_whole = spans[i].end - spans[i].begin == at[1] - at[0];
    }
}

/* Places a span in the text. It loses words that share a code point with a word beside it. */
static akin_status locate_span(const job *j, cursor *c, akin_span *span)
{
    uint32_t first = (uint32_t)span->begin, count = (uint32_t)(span->end - span->begin);
    uint64_t begin = 0, end = 0;
    enter_row(j, c, span->row);
    if (span->is_whole) {
        span->begin = 0;
        span->end = c->length;
        return AKIN_OK;
    }
    akin_status status = go_to_words(c, first, count, &begin, &end);
    int shares = 1;
    while (status == AKIN_OK && count > 0 && shares) {
        status = shares_begin(c, first, begin, &shares);
        if (status == AKIN_OK && shares) {
            span->source_begin++;
            first++;
            status = --count > 0 ? find_words(c, first, count, &begin, &end) : AKIN_OK;
        }
    }
    shares = 1;
    while (status == AKIN_OK && count > 0 && shares) {
        status = shares_end(c, first + count - 1, end, &shares);
        if (status == AKIN_OK && shares)
            status = --count > 0 ? find_words(c, first, count, &begin, &end) : AKIN_OK;
    }
    span->begin = begin;
    span->end = count > 0 ? end : begin;
    return status;
}

static akin_status locate_spans(void *argument, uint64_t task, uint32_t thread)
{
    const job *j = argument;
    cursor c = {.locator = &j->locators[thread]};
    const uint64_t end = akin_min_u64((task + 1) * j->task, j->count);
    akin_status status = AKIN_OK;
    for (uint64_t i = task * j->task; i < end && status == AKIN_OK; i++)
        status = locate_span(j, &c, &j->spans[i]);
    return status;
}

static akin_status locate_sources(void *argument, uint64_t task, uint32_t thread)
{
    const job *j = argument;
    const source *sources = j->source_bulk.data;
    cursor c = {.locator = &j->locators[thread]};
    const uint64_t end = akin_min_u64((task + 1) * j->task, j->count);
    akin_status status = AKIN_OK;
    for (uint64_t i = task * j->task; i < end && status == AKIN_OK; i++) {
        uint64_t ignored;
        enter_row(j, &c, (uint32_t)(sources[i] >> 96));
        status =
            go_to_words(&c, (uint32_t)(sources[i] >> 64), 1, &j->spans[(uint64_t)sources[i]].source_begin, &ignored);
    }
    return status;
}

/* Drops spans that have no word left. */
static void drop_empty(job *j)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < j->count; i++)
        if (j->spans[i].begin < j->spans[i].end)
            j->spans[kept++] = j->spans[i];
    j->count = kept;
}

/* Locates the sources of spans, those of a row one after another. */
static akin_status locate_all_sources(job *j, akin_error *error)
{
    akin_status status = akin_bulk_reserve(&j->source_bulk, j->count * sizeof(source), what, error);
    if (status != AKIN_OK)
        return status;
    source *sources = j->source_bulk.data;
    for (uint64_t i = 0; i < j->count; i++)
        sources[i] = source_of(&j->spans[i], i);
    status = akin_sort_parallel_u128(j->scope, &j->account, sources, j->count);
    if (status == AKIN_OK)
        status = akin_parallel(j->scope, NULL, akin_ceil_div(j->count, j->task), locate_sources, j);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status locate_all(const akin_scope *scope, const akin_column *column, akin_bulk *spans, uint64_t *count,
                              akin_error *error)
{
    job j = {.scope = scope, .column = column, .spans = spans->data, .count = *count};
    uint32_t begun = 0;
    akin_account_begin(&j.account, scope);
    j.task = akin_max_u64(TASK, akin_ceil_div(j.count, (uint64_t)TASKS * scope->threads));
    j.source_bulk = akin_bulk_of(scope, &j.account, akin_budget(scope, AKIN_BUDGET_HEADS));
    j.locators = akin_alloc(&j.account, scope->threads, sizeof *j.locators);
    for (; j.locators && begun < scope->threads; begun++)
        akin_word_locator_begin(&j.locators[begun], scope->cpu, &j.account);
    akin_status status =
        j.locators ? akin_parallel(scope, "locating", akin_ceil_div(j.count, j.task), locate_spans, &j) : AKIN_E_NOMEM;
    if (status != AKIN_OK)
        status = akin_fail_stopped(error, status, what);
    else {
        drop_empty(&j);
        status = locate_all_sources(&j, error);
    }
    *count = j.count;
    for (uint32_t i = 0; i < begun; i++)
        akin_word_locator_clear(&j.locators[i]);
    akin_free(j.locators);
    akin_bulk_clear(&j.source_bulk);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

akin_status akin_repeated_words_find(const akin_scope *scope, const akin_column *column, uint32_t rows,
                                     const akin_repeats_wanted *wanted, akin_bulk *spans, uint64_t *count,
                                     akin_repeats_report *report, akin_error *error)
{
    const akin_scope narrow = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    const akin_text_options options = akin_words_options();
    akin_repeats_wanted own = *wanted;
    akin_sets *words = NULL;
    own.symbol = AKIN_SYMBOL_WORD;
    own.whole_characters = 0;
    *count = 0;
    akin_status status = akin_sequences_from_column(&narrow, column, rows, &options, &words, error);
    if (status != AKIN_OK)
        return status;
    if (wanted->table)
        akin_table_release(wanted->table);
    own.table = NULL; /* numbers are in no table */
    const akin_column numbers = {
        .size = sizeof numbers, .offsets = words->offsets, .bytes = (const char *)(const void *)words->tokens};
    status = akin_repeats_find_within(&narrow, &numbers, rows, &own, spans, count, report, error);
    if (status == AKIN_OK)
        note_whole(words, spans->data, *count);
    akin_sets_free(words);
    return status == AKIN_OK ? locate_all(&narrow, column, spans, count, error) : status;
}
