/*
 * Counts documents, a batch of them at a time:
 *
 *     count       each chunk of documents by one thread, with its table: lists of the thread's numbers, a vocabulary of
 *                 those that are new
 *     merge       the vocabularies into the dictionary: every number gets its id
 *     arrange     each chunk by one thread: lists of ids, ascending
 *
 * One thread alone meets terms in the order of their ids: the list of a document is arranged when it is counted.
 *
 * Under a memory bound the account of all this has a limit. A batch that it refuses has left nothing behind but strings
 * in the dictionary, which have the ids that it will give them, since those follow the documents; the threads forget
 * what they have gathered, and at most half of its bytes are tried then.
 */
#include "weigh/count.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "dict/gatherer.h"
#include "table/columns.h"

#include <string.h>

#define CHUNKS_EACH 16                  /* chunks of a batch, for each thread */
#define CHUNK_ROWS  65536               /* at most */
#define CHUNK_BYTES (UINT64_C(1) << 20) /* at most, unless one document has more */
#define BATCH_BYTES (UINT64_C(1) << 24) /* for each thread */
#define GROWTH      48                  /* bytes that a batch is expected to take for each of its own */
#define ROW_GROWTH  160.0               /* and that a document takes at most */
#define MIB         1048576.0

static const char what[] = "term weights"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------ count */

static akin_status count_text(const akin_weigher *w, akin_weigh_worker *worker, const akin_column *column, uint32_t row,
                              uint64_t *tokens)
{
    const uint64_t *offsets = column->offsets;
    akin_spans spans;
    if (offsets[row + 1] == offsets[row] || !akin_column_has(column, row))
        return AKIN_OK;
    akin_status status = akin_tokenizer_take(&worker->analyser.tokenizer, column->bytes + offsets[row],
                                             offsets[row + 1] - offsets[row], offsets[w->rows] - offsets[row]);
    while (status == AKIN_OK && akin_tokenizer_next(&worker->analyser.tokenizer, &spans)) {
        *tokens += spans.count;
        status = *tokens > UINT32_MAX ? AKIN_E_LIMIT : akin_counter_add(&worker->counter, &spans);
    }
    return status;
}

/* Ends a document: its terms go to the chunk, as they come. If only counts are wanted, they overwrite those of the
 * document before. */
static akin_status keep_terms(akin_weigh_chunk *c, akin_counter *counter, uint32_t *size, uint32_t *stops)
{
    uint64_t most = c->pairs + counter->listed;
    uint32_t *numbers = akin_enlarge(c->vocabulary.account, c->numbers, &c->numbers_capacity, most, sizeof *numbers);
    c->numbers = numbers ? numbers : c->numbers;
    uint32_t *tf = akin_enlarge(c->vocabulary.account, c->tf, &c->tf_capacity, most, sizeof *tf);
    c->tf = tf ? tf : c->tf;
    if (!numbers || !tf)
        return AKIN_E_NOMEM;
    *size = akin_counter_end(counter, numbers + c->pairs, tf + c->pairs, stops);
    return AKIN_OK;
}

/* The same where numbers are ids: they go where they belong. */
static akin_status shelve_terms(akin_weigher *w, const akin_weigh_chunk *c, akin_weigh_worker *worker, uint32_t *size,
                                uint32_t *stops)
{
    akin_shelf *shelf = &worker->shelf;
    uint64_t place = c->place + c->pairs;
    akin_status status = akin_shelf_reserve(shelf, worker->counter.count, worker->counter.listed);
    if (status == AKIN_OK)
        status = akin_weigher_make_room(w, w->weights->documents, place + worker->counter.listed, NULL);
    if (status != AKIN_OK)
        return status;
    *size = akin_counter_end(&worker->counter, shelf->own, shelf->own_tf, stops);
    for (uint32_t i = 0; i < *size; i++)
        shelf->own[i] -= AKIN_NUMBER_FIRST;
    akin_shelf_arrange(shelf, shelf->own, shelf->own_tf, *size, w->ids + place, w->tf + place);
    return AKIN_OK;
}

/* Counts the chunk's next document. */
static akin_status count_document(akin_weigher *w, akin_weigh_chunk *c, akin_weigh_worker *worker)
{
    uint64_t tokens = 0;
    uint32_t stops = 0, document = c->row - c->first;
    for (c->column = 0; c->column < w->column_count; c->column++) {
        akin_status status = count_text(w, worker, akin_columns_at(w->columns, c->column), c->row, &tokens);
        if (status != AKIN_OK)
            return status;
    }
    akin_status status = w->straight ? shelve_terms(w, c, worker, &c->sizes[document], &stops)
                                     : keep_terms(c, &worker->counter, &c->sizes[document], &stops);
    if (status != AKIN_OK)
        return status;
    c->lengths[document] = (uint32_t)tokens - stops;
    c->pairs += w->counts_only ? 0 : c->sizes[document];
    c->longest = akin_max_u32(c->longest, c->sizes[document]);
    return AKIN_OK;
}

static akin_status count_chunk(akin_weigher *w, akin_weigh_chunk *c, uint32_t thread)
{
    akin_weigh_worker *worker = &w->workers[thread];
    akin_account *account = &w->account;
    uint64_t rows = c->end - c->first;
    c->counts = (akin_text_counts){0, 0};
    worker->analyser.tokenizer.counts = w->counted ? &c->counts : NULL;
    uint32_t *sizes = akin_enlarge(account, c->sizes, &c->sizes_capacity, rows, sizeof *sizes);
    c->sizes = sizes ? sizes : c->sizes;
    uint32_t *lengths = akin_enlarge(account, c->lengths, &c->lengths_capacity, rows, sizeof *lengths);
    c->lengths = lengths ? lengths : c->lengths;
    akin_status status = sizes && lengths ? akin_counter_begin(&worker->counter, &c->vocabulary) : AKIN_E_NOMEM;
    c->thread = thread;
    c->number = worker->counter.first;
    c->longest = 0;
    c->pairs = 0;
    if (w->straight)
        c->place = c == w->chunks ? w->weights->pairs : c[-1].place + c[-1].pairs;
    for (; c->row < c->end && status == AKIN_OK; c->row += status == AKIN_OK)
        status = count_document(w, c, worker);
    return status == AKIN_OK ? akin_counter_seal(&worker->counter) : status;
}

static akin_status count_piece(void *argument, uint64_t task, uint32_t thread)
{
    akin_weigher *w = argument;
    akin_weigh_chunk *c = &w->chunks[task];
    c->row = c->first;
    c->column = w->column_count;
    c->status = count_chunk(w, c, thread);
    return c->status;
}

/* Says what the first chunk that failed has failed of. */
static akin_status fail_counting(const akin_weigher *w, akin_status status, akin_error *error)
{
    const akin_weigh_chunk *c = w->chunks;
    while (c < w->chunks + w->chunk_count && c->status != status)
        c++;
    if ((status != AKIN_E_INPUT && status != AKIN_E_LIMIT) || c == w->chunks + w->chunk_count)
        return akin_fail_stopped(error, status, what);
    if (c->column == w->column_count)
        return akin_fail_row(error, status, AKIN_REASON_NONE, c->row, NULL, ": more than 4294967293 distinct terms");
    const char *why = status == AKIN_E_INPUT ? "is not valid UTF-8"
                                             : "is longer than 4 GB, or has too many tokens, or terms that are new";
    return akin_columns_fail(w->columns, c->column, c->row, status, why, error);
}

/* ------------------------------------------------------------------------------------------------------------ merge */

static akin_status merge_counters(akin_weigher *w, akin_error *error)
{
    akin_status status = akin_dictionary_merge(&w->few, w->weights->dictionary, w->vocabularies, w->chunk_count, error);
    for (uint32_t i = 0; i < w->chunk_count && status == AKIN_OK; i++) {
        const akin_weigh_chunk *c = &w->chunks[i];
        akin_counter *counter = &w->workers[c->thread].counter;
        status = akin_counter_learn(counter, &c->vocabulary, c->number);
        if (status != AKIN_OK)
            return akin_fail_memory(error, what);
        counter->ids[AKIN_NUMBER_SHARED] = w->weights->shared;
    }
    return status;
}

/* The number of ids that there are. */
static uint32_t id_count(const akin_weigher *w)
{
    return akin_dictionary_count(w->weights->dictionary) + (w->weights->shared != AKIN_WEIGHTS_NONE);
}

static akin_status settle_piece(void *argument, uint64_t task, uint32_t thread)
{
    akin_weigher *w = argument;
    (void)thread;
    akin_counter_settle(&w->workers[task].counter, w->weights->arrays[AKIN_WEIGHTS_DF].data);
    return AKIN_OK;
}

/* In how many documents each term has been goes from the threads to df. */
static akin_status settle_df(akin_weigher *w, akin_error *error)
{
    akin_bulk *bulk = &w->weights->arrays[AKIN_WEIGHTS_DF];
    const uint32_t ids = id_count(w);
    akin_status status = akin_bulk_grow(bulk, (uint64_t)ids * sizeof *w->df, what, error);
    if (status != AKIN_OK)
        return status;
    w->df = bulk->data;
    if (ids > w->df_count)
        memset(w->df + w->df_count, 0, (ids - w->df_count) * sizeof *w->df);
    w->df_count = ids;
    status = akin_parallel(&w->few, NULL, w->few.threads, settle_piece, w);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* ---------------------------------------------------------------------------------------------------------- arrange */

/* Puts a document's terms in order, by their ids. */
static void arrange_terms(akin_shelf *shelf, const uint32_t *map, const uint32_t *numbers, const uint32_t *from_tf,
                          uint32_t count, uint32_t *ids, uint32_t *tf)
{
    for (uint32_t i = 0; i < count; i++)
        shelf->own[i] = map[numbers[i]];
    akin_shelf_arrange(shelf, shelf->own, from_tf, count, ids, tf);
}

static akin_status arrange_piece(void *argument, uint64_t task, uint32_t thread)
{
    akin_weigher *w = argument;
    const akin_weigh_chunk *c = &w->chunks[task];
    const uint32_t *map = w->workers[c->thread].counter.ids;
    akin_shelf *shelf = &w->workers[thread].shelf;
    uint64_t done = 0, document = w->weights->documents + (c->first - w->chunks->first);
    akin_status status = w->straight ? AKIN_OK : akin_shelf_reserve(shelf, id_count(w), c->longest);
    for (uint32_t i = 0; i < c->end - c->first && status == AKIN_OK; i++, document++) {
        const uint64_t place = c->place + done;
        if (!w->straight)
            arrange_terms(shelf, map, c->numbers + done, c->tf + done, c->sizes[i], w->ids + place, w->tf + place);
        done += c->sizes[i];
        w->lengths[document] = c->lengths[i];
        w->offsets[document + 1] = c->place + done;
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- batches */

/* Cuts the next rows into chunks, from `row` on; returns where they end, and their bytes in *bytes. */
static uint32_t cut_rows(akin_weigher *w, uint32_t row, uint64_t *bytes)
{
    const uint64_t chunk_bytes = akin_min_u64(CHUNK_BYTES, akin_ceil_div(w->batch_bytes, w->few.threads));
    *bytes = 0;
    for (w->chunk_count = 0; w->chunk_count < w->chunk_most && row < w->rows && *bytes < w->batch_bytes;
         w->chunk_count++) {
        akin_weigh_chunk *c = &w->chunks[w->chunk_count];
        uint64_t have;
        c->first = row;
        c->end = row = akin_columns_cut(w->columns, w->column_count, row, w->rows, CHUNK_ROWS,
                                        akin_min_u64(chunk_bytes, w->batch_bytes - *bytes), &have);
        c->status = AKIN_OK;
        *bytes += have;
    }
    return row;
}

static akin_status do_batch(akin_weigher *w, uint32_t row, uint32_t end, akin_error *error)
{
    akin_weights *m = w->weights;
    uint64_t place = m->pairs, words = 0;
    akin_status status = akin_parallel(&w->few, NULL, w->chunk_count, count_piece, w);
    if (status != AKIN_OK)
        return fail_counting(w, status, error);
    status = merge_counters(w, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < w->chunk_count; i++) {
        akin_weigh_chunk *c = &w->chunks[i];
        c->place = place;
        place += c->pairs;
        for (uint32_t j = 0; j < c->end - c->first; j++)
            words += c->lengths[j];
    }
    if (!w->counts_only)
        status = akin_weigher_make_room(w, (uint64_t)m->documents + (end - row), place, error);
    if (status == AKIN_OK && !w->counts_only) {
        status = akin_parallel(&w->few, NULL, w->chunk_count, arrange_piece, w);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, what);
    }
    if (status == AKIN_OK && w->account.limit)
        status = settle_df(w, error); /* what the threads have gathered may be forgotten with the next batch */
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < w->chunk_count; i++)
        akin_text_counts_add(&w->counts, &w->chunks[i].counts);
    m->pairs = place;
    m->words += words;
    m->documents += end - row;
    return AKIN_OK;
}

static akin_status begin_work(akin_weigher *w)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < w->chunk_most; i++) {
        w->chunks[i].vocabulary.account = &w->account;
        w->vocabularies[i] = &w->chunks[i].vocabulary;
    }
    for (uint32_t i = 0; i < w->few.threads && status == AKIN_OK; i++) {
        akin_weigh_worker *worker = &w->workers[i];
        worker->counter = (akin_counter){.account = &w->account,
                                         .analyser = &worker->analyser,
                                         .dictionary = w->weights->dictionary,
                                         .fixed = w->weights->shared != AKIN_WEIGHTS_NONE};
        worker->shelf = (akin_shelf){.account = &w->account, .cpu = w->few.cpu};
        status = akin_analyser_begin(&worker->analyser, w->weights->analysis, w->few.cpu, &w->account);
    }
    return status;
}

/* Frees what chunks and threads have. */
static void clear_work(akin_weigher *w)
{
    for (uint32_t i = 0; i < w->chunk_most && w->chunks; i++) {
        akin_weigh_chunk *c = &w->chunks[i];
        akin_vocabulary_clear(&c->vocabulary);
        akin_free(c->sizes);
        akin_free(c->lengths);
        akin_free(c->numbers);
        akin_free(c->tf);
        *c = (akin_weigh_chunk){0};
    }
    for (uint32_t i = 0; i < w->few.threads && w->workers; i++) {
        akin_weigh_worker *worker = &w->workers[i];
        akin_analyser_clear(&worker->analyser);
        akin_counter_clear(&worker->counter);
        akin_shelf_clear(&worker->shelf);
    }
}

/* Says that a document alone is too much, and which bound is enough for one all of whose tokens are new. */
static akin_status fail_document(const akin_weigher *w, uint32_t row, uint64_t bytes, akin_error *error)
{
    double needed = akin_budget_for_job(ROW_GROWTH * (double)bytes) + 2 * MIB;
    return akin_fail_row(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY_BOUND, row, NULL,
                         ": a memory bound of %.0f MiB is too small for a document of %llu bytes: about %.0f MiB "
                         "would do, or a text cut into "
                         "shorter documents",
                         (double)w->few.memory / MIB, (unsigned long long)bytes, needed / MIB + 1);
}

/* Makes the next batch smaller than the one of `bytes` bytes that was refused; fails where a document alone, for which
 * there was all of the memory, is too much. */
static akin_status shrink_batch(akin_weigher *w, uint32_t row, uint32_t end, uint64_t bytes, int forgotten,
                                akin_error *error)
{
    const uint32_t longest = akin_columns_longest(w->columns, w->column_count, row, end);
    const uint64_t alone = akin_columns_bytes(w->columns, w->column_count, longest, longest + 1);
    if (alone == bytes && forgotten)
        return fail_document(w, longest, alone, error);
    if (alone < bytes)
        w->batch_bytes = akin_min_u64(bytes - alone, akin_min_u64(bytes, w->batch_bytes) / 2);
    clear_work(w); /* so that the next attempt has all of the memory */
    return begin_work(w) == AKIN_OK ? AKIN_OK : akin_fail_memory(error, what);
}

akin_status akin_weigher_count_rows(akin_weigher *weigher, akin_error *error)
{
    akin_weigher *w = weigher;
    uint64_t done = 0, bytes;
    int forgotten = 0;
    akin_status status = AKIN_OK;
    const uint64_t total = akin_columns_bytes(w->columns, w->column_count, 0, w->rows);
    for (uint32_t row = 0, end; row < w->rows && status == AKIN_OK;) {
        if (akin_scope_report(&w->few, "counting", done, total) != AKIN_OK)
            return akin_fail(error, AKIN_E_CANCELLED, "cancelled while counting terms");
        end = cut_rows(w, row, &bytes);
        uint64_t refused = w->account.refused;
        status = do_batch(w, row, end, error);
        if (status == AKIN_OK) {
            row = end;
            done += bytes;
            forgotten = 0;
            w->batch_bytes = akin_min_u64(2 * w->batch_bytes, w->batch_most);
        } else if (status == AKIN_E_NOMEM && w->account.refused != refused) {
            status = shrink_batch(w, row, end, bytes, forgotten, error);
            forgotten = 1;
        }
    }
    return status;
}

akin_status akin_weigher_count_begin(akin_weigher *weigher, akin_error *error)
{
    akin_weigher *w = weigher;
    const uint32_t threads = w->few.threads;
    w->account.limit = akin_budget_job(&w->few);
    w->straight = threads == 1 && !w->account.limit && !w->options.dictionary && !w->counts_only;
    w->batch_most = BATCH_BYTES * threads;
    if (w->account.limit)
        w->batch_most = akin_min_u64(w->batch_most, akin_budget_batch(w->account.limit, GROWTH));
    w->batch_bytes = w->batch_most;
    w->chunk_most = threads * CHUNKS_EACH;
    w->chunks = akin_alloc_zero(NULL, w->chunk_most, sizeof *w->chunks);
    w->vocabularies = akin_alloc(NULL, w->chunk_most, sizeof(akin_vocabulary *));
    w->workers = akin_alloc_zero(NULL, threads, sizeof *w->workers);
    if (!w->chunks || !w->vocabularies || !w->workers || begin_work(w) != AKIN_OK)
        return akin_fail_memory(error, what);
    akin_status status = akin_weigher_make_room(w, 0, 0, error);
    if (status == AKIN_OK)
        w->offsets[0] = 0;
    return status;
}

akin_status akin_weigher_count_end(akin_weigher *weigher, akin_error *error)
{
    akin_weigher *w = weigher;
    akin_weights *m = w->weights;
    akin_status status = settle_df(w, error);
    m->ids_count = id_count(w);
    m->offsets = w->offsets;
    m->ids = w->ids;
    m->tf = w->tf;
    m->lengths = w->lengths;
    m->df = w->df;
    clear_work(w);
    return status;
}

void akin_weigher_count_clear(akin_weigher *weigher)
{
    clear_work(weigher);
    akin_free(weigher->chunks);
    akin_free(weigher->vocabularies);
    akin_free(weigher->workers);
}
