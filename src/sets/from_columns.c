/*
 * Makes a collection of columns of text, a batch of rows at a time:
 *
 *     gather      each chunk of rows by one thread: texts to tokens, these to a vocabulary of the chunk and lists of it
 *     merge       the vocabularies into the dictionary: every entry gets its id
 *     arrange     each chunk by one thread: the lists as ids, ascending, or as they are for sequences
 *
 * Under a memory bound the account of a batch has a limit. A batch that it refuses leaves nothing behind but strings in
 * the dictionary. They wait there for the next attempt, or have the ids that this would give them, since ids follow the
 * rows. The next attempt takes at most half of the bytes.
 */
#include "sets/from_columns.h"
#include "base/bits.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "dict/dictionary.h"
#include "dict/gatherer.h"
#include "sets/order.h"
#include "sets/sets.h"
#include "sets/stops.h"
#include "table/columns.h"
#include "text/tokenizer.h"

#define CHUNKS      16
#define CHUNKS_EACH 4
#define CHUNK_ROWS  65536                /* at most */
#define BATCH_BYTES (UINT64_C(64) << 20) /* bytes, beyond which a batch takes no further chunk */
/* Bytes in a chunk, unless one row has more. What a thread works on is to stay in its second-level cache, but the fewer
 * bytes, the more often a token is merged. A q-gram begins at every byte, a word at every sixth or so. */
#define CHUNK_WORDS  (UINT64_C(1) << 20)
#define CHUNK_QGRAMS (UINT64_C(1) << 18)
/* The memory that a batch is expected to take, for a byte. Words take 4, q-grams that repeat 10, those that do not 130;
 * and what a row alone takes at most, but for the bytes of long q-grams. */
#define BATCH_GROWTH 32
#define WORD_GROWTH  32.0
#define QGRAM_GROWTH 130.0
#define MIB          1048576.0

static const char what[] = "sets from text"; /* the memory is for */
enum { OFFSETS, TOKENS };

/* Some rows, and what became of them. */
typedef struct chunk {
    _Alignas(64) uint32_t first; /* the rows; one thread's writes are not to slow down what another reads beside */
    uint32_t end;
    akin_vocabulary vocabulary;
    uint64_t sizes_capacity;
    uint32_t *sizes; /* of the rows */
    akin_text_counts counts;
    uint64_t place; /* of its first token in the collection */
    uint32_t row;   /* where gathering failed, the column likewise, and how */
    uint32_t column;
    akin_status status;
} chunk;

/* What a thread has for itself. */
typedef struct worker {
    _Alignas(64) akin_tokenizer tokenizer;
    akin_gatherer gatherer;
    uint64_t ids_capacity;
    uint32_t *ids; /* of a row */
} worker;

typedef struct job {
    akin_account account; /* of chunks and workers */
    const akin_column *columns;
    uint32_t column_count;
    uint32_t rows;
    akin_text_options options;
    int in_order; /* rows are sequences, as the text has them, and not sets */
    akin_dictionary *dictionary;
    akin_stops stops;
    akin_cpu cpu;
    akin_text_counts counts;          /* of the batches that are done */
    int id_bits;                      /* of the ids so far */
    uint64_t batch_bytes, batch_most; /* of the next batch, and of any */
    uint64_t chunk_bytes;             /* at most */
    uint32_t chunk_count;             /* of the batch at hand */
    uint32_t chunk_most;
    chunk *chunks;
    akin_vocabulary **vocabularies;
    uint32_t worker_count;
    worker *workers;
    uint64_t *offsets;
    uint32_t *tokens;
    akin_bulk bulks[2]; /* what offsets and tokens are in */
} job;

static const akin_column *column_of_row(const job *j, uint32_t column)
{
    return akin_columns_at(j->columns, column);
}

/* ----------------------------------------------------------------------------------------------------------- gather */

static akin_status add_text(const job *j, worker *w, const akin_column *column, uint32_t row)
{
    const uint64_t *offsets = column->offsets;
    akin_spans spans;
    if (offsets[row + 1] == offsets[row] || !akin_column_has(column, row))
        return AKIN_OK;
    akin_status status = akin_tokenizer_take(&w->tokenizer, column->bytes + offsets[row],
                                             offsets[row + 1] - offsets[row], offsets[j->rows] - offsets[row]);
    while (status == AKIN_OK && akin_tokenizer_next(&w->tokenizer, &spans))
        status = akin_gatherer_add(&w->gatherer, &spans);
    return status;
}

static akin_status gather_rows(job *j, chunk *c, worker *w)
{
    w->tokenizer.counts = &c->counts;
    const akin_row_form form = j->in_order ? AKIN_ROW_SEQUENCE : j->options.multiset ? AKIN_ROW_MULTISET : AKIN_ROW_SET;
    akin_status status =
        akin_gatherer_begin(&w->gatherer, j->dictionary->salt, j->stops.list, j->stops.count, form, &c->vocabulary);
    uint64_t before = 0;
    for (c->row = c->first; c->row < c->end && status == AKIN_OK; c->row++) {
        akin_gatherer_row(&w->gatherer);
        for (c->column = 0; c->column < j->column_count; c->column++) {
            status = add_text(j, w, column_of_row(j, c->column), c->row);
            if (status != AKIN_OK)
                return status;
        }
        if (c->vocabulary.listed - before > UINT32_MAX)
            return AKIN_E_LIMIT;
        c->sizes[c->row - c->first] = (uint32_t)(c->vocabulary.listed - before);
        before = c->vocabulary.listed;
    }
    return status == AKIN_OK ? akin_gatherer_seal(&w->gatherer) : status;
}

static akin_status gather_chunk(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    chunk *c = &j->chunks[task];
    c->row = c->first;
    c->column = j->column_count;
    c->counts = (akin_text_counts){0, 0};
    uint32_t *sizes = akin_enlarge(&j->account, c->sizes, &c->sizes_capacity, c->end - c->first, sizeof *sizes);
    c->sizes = sizes ? sizes : c->sizes;
    c->status = sizes ? gather_rows(j, c, &j->workers[thread]) : AKIN_E_NOMEM;
    return c->status;
}

akin_status akin_sets_fail_text(const akin_column *columns, uint32_t count, uint32_t column, uint32_t row,
                                akin_status status, akin_error *error)
{
    if (column == count)
        return akin_fail_row(error, status, AKIN_REASON_NONE, row, NULL, ": a set of more than 4294967295 tokens");
    const char *why = status == AKIN_E_INPUT ? "is not valid UTF-8" : "is longer than 4 GB, or has as many tokens";
    return akin_columns_fail(columns, column, row, status, why, error);
}

/* Says what the first chunk that failed has failed of. */
static akin_status fail_gathering(const job *j, akin_status status, akin_error *error)
{
    const chunk *c = j->chunks;
    while (c < j->chunks + j->chunk_count && c->status != status)
        c++;
    if ((status != AKIN_E_INPUT && status != AKIN_E_LIMIT) || c == j->chunks + j->chunk_count)
        return akin_fail_stopped(error, status, what);
    return akin_sets_fail_text(j->columns, j->column_count, c->column, c->row, status, error);
}

/* ---------------------------------------------------------------------------------------------------------- arrange */

static akin_status arrange_rows(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const chunk *c = &j->chunks[task];
    worker *w = &j->workers[thread];
    uint32_t rows = c->end - c->first, largest = 0;
    uint64_t place = c->place;
    for (uint32_t row = 0; row < rows; row++) {
        place += c->sizes[row];
        j->offsets[c->first + row + 1] = place;
        largest = c->sizes[row] > largest ? c->sizes[row] : largest;
    }
    for (uint64_t i = 0; j->in_order && i < c->vocabulary.listed; i++)
        j->tokens[c->place + i] = c->vocabulary.ids[c->vocabulary.list[i]];
    if (j->in_order)
        return AKIN_OK;
    uint64_t before = w->ids_capacity, needed = (uint64_t)largest + AKIN_ORDER_PADDING;
    uint32_t *ids = akin_enlarge(&j->account, w->ids, &w->ids_capacity, needed, sizeof *ids);
    if (!ids)
        return AKIN_E_NOMEM;
    w->ids = ids;
    if (w->ids_capacity > before)
        memset(ids + before, 0, (size_t)(w->ids_capacity - before) * sizeof *ids);
    akin_order_sets(j->cpu, c->vocabulary.list, c->sizes, rows, c->vocabulary.ids, j->id_bits, ids,
                    j->tokens + c->place);
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- batches */

/* Cuts the next rows into chunks, from `row` on; returns where they end, and their bytes in *bytes. */
static uint32_t cut_row(job *j, uint32_t row, uint64_t *bytes)
{
    uint64_t chunk_bytes =
        akin_min_u64(j->chunk_bytes, akin_ceil_div(j->batch_bytes, j->worker_count)); /* one a thread */
    *bytes = 0;
    for (j->chunk_count = 0; j->chunk_count < j->chunk_most && row < j->rows && *bytes < j->batch_bytes;
         j->chunk_count++) {
        chunk *c = &j->chunks[j->chunk_count];
        uint64_t have;
        c->first = row;
        c->end = row = akin_columns_cut(j->columns, j->column_count, row, j->rows, CHUNK_ROWS, chunk_bytes, &have);
        c->status = AKIN_OK;
        *bytes += have;
    }
    return row;
}

/* Readies what chunks and threads have, in arrays that are charged to the account. */
static void begin_cutting(job *j)
{
    for (uint32_t i = 0; i < j->chunk_most; i++) {
        j->chunks[i].vocabulary.account = &j->account;
        j->vocabularies[i] = &j->chunks[i].vocabulary;
    }
    for (uint32_t i = 0; i < j->worker_count; i++) {
        j->workers[i].gatherer.account = &j->account;
        akin_tokenizer_begin(&j->workers[i].tokenizer, j->cpu, &j->account, &j->options);
    }
}

/* Frees these arrays. */
static void clear_cutting(job *j)
{
    for (uint32_t i = 0; i < j->chunk_most; i++) {
        chunk *c = &j->chunks[i];
        akin_vocabulary_clear(&c->vocabulary);
        akin_free(c->sizes);
        *c = (chunk){0};
    }
    for (uint32_t i = 0; i < j->worker_count; i++) {
        worker *w = &j->workers[i];
        akin_tokenizer_clear(&w->tokenizer);
        akin_gatherer_clear(&w->gatherer);
        akin_free(w->ids);
        *w = (worker){0};
    }
}

static akin_status cut_batch(const akin_scope *scope, job *j, akin_error *error)
{
    akin_bulk *bulk = &j->bulks[TOKENS];
    akin_status status = akin_parallel(scope, NULL, j->chunk_count, gather_chunk, j);
    if (status != AKIN_OK)
        return fail_gathering(j, status, error);
    status = akin_dictionary_merge(scope, j->dictionary, j->vocabularies, j->chunk_count, error);
    if (status != AKIN_OK)
        return status;
    for (j->id_bits = 1; j->dictionary->count >> j->id_bits > 0; j->id_bits++) {
    }
    uint64_t place = j->offsets[j->chunks->first];
    for (uint32_t i = 0; i < j->chunk_count; i++) {
        j->chunks[i].place = place;
        place += j->chunks[i].vocabulary.listed;
    }
    status = akin_bulk_grow(bulk, place * sizeof *j->tokens, what, error);
    if (status != AKIN_OK)
        return status;
    j->tokens = bulk->data;
    status = akin_parallel(scope, NULL, j->chunk_count, arrange_rows, j);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* Says that one row alone takes too much memory, and names a bound that is enough even if all its tokens are distinct.
 * A word begins every few bytes, a q-gram at each byte. The bytes of a q-gram of more than 16 bytes are kept, too, and
 * so are those of the q words of each shingle. */
static akin_status fail_row(const akin_scope *scope, const job *j, uint32_t row, uint64_t bytes, akin_error *error)
{
    int qgrams = j->options.tokens == AKIN_TOKENS_QGRAMS;
    double each = !qgrams ? WORD_GROWTH : QGRAM_GROWTH + (j->options.q > 4 ? 1.5 * j->options.q : 0);
    if (j->options.tokens == AKIN_TOKENS_SHINGLES)
        each += 1.5 * j->options.q;
    double needed = akin_budget_for_job(each * (double)bytes) + MIB;
    return akin_fail_row(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY_BOUND, row, NULL,
                         ": a memory bound of %.0f MiB is too small for a text of %llu bytes: about %.0f MiB would do "
                         "for any of that length",
                         (double)scope->memory / MIB, (unsigned long long)bytes, needed / MIB + 1);
}

/* Makes the next batch smaller than the one of `bytes` bytes that was refused; fails where a row alone is too much. */
static akin_status shrink_sets(const akin_scope *scope, job *j, uint32_t row, uint32_t end, uint64_t bytes,
                               akin_error *error)
{
    const uint32_t longest = akin_columns_longest(j->columns, j->column_count, row, end);
    const uint64_t alone = akin_columns_bytes(j->columns, j->column_count, longest, longest + 1);
    if (alone == bytes)
        return fail_row(scope, j, longest, alone, error);
    j->batch_bytes = akin_min_u64(bytes - alone, bytes / 2);
    j->batch_most = j->batch_bytes; /* what was refused once would be refused again */
    clear_cutting(j);               /* so that the next attempt has all of the memory */
    begin_cutting(j);
    return AKIN_OK;
}

/* Adds the texts of chunks to others. */
static void count_texts(const chunk *chunks, uint32_t count, akin_text_counts *counts)
{
    for (uint32_t i = 0; i < count; i++)
        akin_text_counts_add(counts, &chunks[i].counts);
}

static akin_status do_batches(const akin_scope *scope, job *j, akin_error *error)
{
    const uint64_t total = akin_columns_bytes(j->columns, j->column_count, 0, j->rows);
    uint64_t done = 0, bytes;
    j->offsets[0] = 0;
    for (uint32_t row = 0, end; row < j->rows;) {
        if (akin_scope_report(scope, "tokenizing", done, total) != AKIN_OK)
            return akin_fail(error, AKIN_E_CANCELLED, "cancelled while making sets from text");
        end = cut_row(j, row, &bytes);
        uint64_t refused = j->account.refused;
        akin_status status = cut_batch(scope, j, error);
        if (status == AKIN_OK) {
            row = end;
            done += bytes;
            count_texts(j->chunks, j->chunk_count, &j->counts);
            j->batch_bytes = akin_min_u64(2 * j->batch_bytes, j->batch_most);
        } else if (status == AKIN_E_NOMEM && j->account.refused != refused) {
            status = shrink_sets(scope, j, row, end, bytes, error);
        }
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------ preparation */

static akin_status prepare_columns(const akin_scope *scope, job *j, akin_error *error)
{
    for (int i = 0; i < 2; i++)
        j->bulks[i] = akin_bulk_of(scope, NULL, akin_sets_share(scope));
    akin_status status =
        akin_bulk_reserve(&j->bulks[OFFSETS], ((uint64_t)j->rows + 1) * sizeof *j->offsets, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&j->bulks[TOKENS], 0, what, error);
    if (status != AKIN_OK)
        return status;
    j->offsets = j->bulks[OFFSETS].data;
    j->tokens = j->bulks[TOKENS].data;
    j->account.limit = akin_budget_job(scope);
    j->batch_most =
        j->account.limit ? akin_min_u64(BATCH_BYTES, akin_budget_batch(j->account.limit, BATCH_GROWTH)) : BATCH_BYTES;
    j->chunk_bytes = j->options.tokens == AKIN_TOKENS_QGRAMS ? CHUNK_QGRAMS : CHUNK_WORDS;
    if (j->options.tokens == AKIN_TOKENS_SHINGLES) { /* which repeat each word q times */
        j->batch_most = akin_max_u64(j->batch_most / j->options.q, 1);
        j->chunk_bytes /= j->options.q;
    }
    j->batch_bytes = j->batch_most;
    uint32_t chunks = scope->threads > CHUNKS / CHUNKS_EACH ? scope->threads * CHUNKS_EACH : CHUNKS;
    j->chunks = akin_alloc_zero(NULL, chunks, sizeof *j->chunks);
    j->vocabularies = akin_alloc(NULL, chunks, sizeof(akin_vocabulary *));
    j->workers = akin_alloc_zero(NULL, scope->threads, sizeof *j->workers);
    if (!j->chunks || !j->vocabularies || !j->workers)
        return akin_fail_memory(error, what);
    j->chunk_most = chunks;
    j->worker_count = scope->threads;
    begin_cutting(j);
    return akin_stops_read(&j->stops, &j->workers->tokenizer, &j->options, error);
}

static void clear_columns(job *j)
{
    clear_cutting(j);
    akin_free(j->chunks);
    akin_free(j->vocabularies);
    akin_free(j->workers);
    akin_stops_clear(&j->stops);
    akin_bulk_clear(&j->bulks[OFFSETS]);
    akin_bulk_clear(&j->bulks[TOKENS]);
}

static akin_status make_collection(const akin_scope *scope, const akin_column *columns, uint32_t count, uint32_t rows,
                                   const akin_text_options *options, int in_order, akin_dictionary *dictionary,
                                   akin_sets **out, akin_error *error)
{
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    job j = {.columns = columns,
             .column_count = count,
             .rows = rows,
             .in_order = in_order,
             .dictionary = dictionary,
             .cpu = scope->cpu};
    uint32_t before = dictionary ? akin_dictionary_count(dictionary) : 0;
    akin_status status = akin_text_options_read(options, &j.options, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(columns, count, rows, "make sets from", error);
    if (status != AKIN_OK)
        return status;
    if (!dictionary)
        status = akin_dictionary_create_within(scope, &j.dictionary, error);
    if (status == AKIN_OK)
        status = prepare_columns(&few, &j, error);
    if (status == AKIN_OK)
        status = do_batches(&few, &j, error);
    if (status == AKIN_OK)
        status = akin_sets_adopt_bulks(rows, &j.bulks[OFFSETS], &j.bulks[TOKENS], out, error);
    if (status == AKIN_OK) {
        j.bulks[OFFSETS] = j.bulks[TOKENS] = (akin_bulk){0};
        akin_text_counts_add(j.options.counts, &j.counts);
    } else if (dictionary) {
        akin_dictionary_cut(dictionary, before);
    }
    clear_columns(&j);
    if (!dictionary)
        akin_dictionary_free(j.dictionary);
    return status;
}

akin_status akin_sets_from_columns_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                          uint32_t rows, const akin_text_options *options, akin_dictionary *dictionary,
                                          akin_sets **out, akin_error *error)
{
    return make_collection(scope, columns, count, rows, options, 0, dictionary, out, error);
}

akin_status akin_sequences_from_column(const akin_scope *scope, const akin_column *column, uint32_t rows,
                                       const akin_text_options *options, akin_sets **out, akin_error *error)
{
    return make_collection(scope, column, 1, rows, options, 1, NULL, out, error);
}

akin_status akin_sets_from_columns(akin_context *context, const akin_column *columns, uint32_t count, uint32_t rows,
                                   const akin_text_options *options, akin_dictionary *dictionary, akin_sets **out,
                                   akin_error *error)
{
    return akin_sets_from_columns_within(akin_scope_of(context), columns, count, rows, options, dictionary, out, error);
}
