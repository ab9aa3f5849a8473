/* akin_batch: one string with many, the hits in the order of their rows. */
#include "base/sort.h"
#include "base/budget.h"
#include "match/options.h"
#include "strings/scan.h"
#include "text/folded.h"

struct akin_batch {
    akin_account account;
    akin_alphabet alphabet;
    akin_strings_batch strings;
    akin_scanner scanner; /* for the cutoff of the last search */
    akin_cutoff cutoff;
    akin_cpu cpu;
    uint32_t folds;
    akin_folder folder; /* of queries */
    int has_scanner;
    void *query; /* its symbols */
    uint64_t query_room;
    akin_scan_hit *hits;
    uint64_t *keys;
    uint64_t count, hits_room, keys_room;
};

void akin_batch_free(akin_batch *batch)
{
    if (!batch)
        return;
    if (batch->has_scanner)
        akin_scanner_clear(&batch->scanner);
    akin_folder_clear(&batch->folder);
    akin_alphabet_clear(&batch->alphabet);
    akin_strings_batch_clear(&batch->strings);
    akin_free(batch->query);
    akin_free(batch->hits);
    akin_free(batch->keys);
    akin_free(batch);
}

/* Prepares the strings of a column, which are folded already. */
static akin_status prepare_strings(const akin_scope *scope, akin_batch *batch, const akin_column *column, uint32_t rows,
                                   akin_error *error)
{
    uint32_t *lengths = akin_alloc(&batch->account, rows, sizeof *lengths);
    akin_status status = lengths ? AKIN_OK : akin_fail_memory(error, "strings");
    if (status == AKIN_OK)
        status = akin_alphabet_make(scope, &batch->account, column, &rows, &lengths, 1, &batch->alphabet, error);
    if (status == AKIN_OK)
        status = akin_strings_batch_make(scope, &batch->account, column, lengths, 0, rows, &batch->alphabet,
                                         &batch->strings, error);
    akin_free(lengths);
    return status;
}

akin_status akin_batch_create(akin_context *context, const akin_column *column, uint32_t rows, uint32_t folds,
                              akin_batch **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_folded folded = {{0}, {0}};
    akin_status status = akin_column_check(column, "strings", error);
    if (status == AKIN_OK)
        status = akin_folds_check(folds, error);
    if (status != AKIN_OK)
        return status;
    akin_batch *batch = akin_alloc_zero(NULL, 1, sizeof *batch);
    if (!batch)
        return akin_fail_memory(error, "strings");
    akin_column strings = *column;
    batch->account.limit = akin_budget_job(scope);
    batch->folds = folds;
    akin_folder_begin(&batch->folder, &batch->account, folds);
    if (folds)
        status = akin_folded_make(scope, &batch->account, akin_budget(scope, AKIN_BUDGET_FOLDED), folds, rows, &strings,
                                  &folded, error);
    if (status == AKIN_OK)
        status = prepare_strings(scope, batch, &strings, rows, error);
    akin_folded_clear(&folded);
    if (status == AKIN_OK)
        *out = batch;
    else
        akin_batch_free(batch);
    return status;
}

/* Keeps hits until all are there. */
static int keep_hits(void *user, const akin_scan_hit *hits, uint32_t count)
{
    akin_batch *batch = user;
    akin_scan_hit *larger =
        akin_enlarge(&batch->account, batch->hits, &batch->hits_room, batch->count + count, sizeof *larger);
    if (!larger)
        return 0;
    batch->hits = larger;
    memcpy(larger + batch->count, hits, count * sizeof *hits);
    batch->count += count;
    return 1;
}

static int is_same_query(const akin_cutoff *a, const akin_cutoff *b)
{
    return a->is_jaro == b->is_jaro && a->swaps == b->swaps && a->ratio.num == b->ratio.num &&
           a->ratio.den == b->ratio.den && a->most == b->most && a->scale.num == b->scale.num &&
           a->scale.den == b->scale.den && a->winkler.floored == b->winkler.floored &&
           a->winkler.boost.num == b->winkler.boost.num && a->winkler.boost.den == b->winkler.boost.den;
}

/* Makes the scanner ready for a cutoff. */
static int prepare_scanner(akin_batch *batch, akin_cpu cpu, const akin_cutoff *cutoff)
{
    if (batch->has_scanner && cpu == batch->cpu && is_same_query(cutoff, &batch->cutoff))
        return 1;
    if (batch->has_scanner)
        akin_scanner_clear(&batch->scanner);
    batch->cutoff = *cutoff;
    batch->cpu = cpu;
    batch->has_scanner = akin_scanner_begin(&batch->scanner, &batch->account, cpu, &batch->cutoff, &batch->strings,
                                            AKIN_SCAN_TABLES, keep_hits, batch);
    return batch->has_scanner;
}

/* Puts the folded query in the place of one. What is not UTF-8 stays, to be refused. */
static akin_status fold_query(akin_batch *batch, const char **text, size_t *length, akin_error *error)
{
    if (!batch->folds)
        return AKIN_OK;
    akin_status status = akin_folder_take(&batch->folder, *text, *length);
    if (status == AKIN_E_NOMEM)
        return akin_fail_memory(error, "a string");
    if (status == AKIN_OK) {
        *text = batch->folder.length > 0 ? batch->folder.text : "";
        *length = (size_t)batch->folder.length;
    }
    return AKIN_OK;
}

/* Takes the query's symbols from UTF-8. */
static akin_status read_query(akin_batch *batch, const char *text, size_t length, akin_symbols *out, akin_error *error)
{
    akin_points points = {.account = &batch->account};
    uint32_t fault;
    if (length >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "a string of %zu bytes is too long: 4 GiB is the limit", length);
    akin_symbols_status read = akin_symbols_of(text, (uint32_t)length, &points, out, &fault);
    akin_points_clear(&points);
    if (read == AKIN_SYMBOLS_NOT_UTF8)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NOT_UTF8, "the string is not UTF-8 at byte %u", fault);
    if (read != AKIN_SYMBOLS_OK)
        return akin_fail_memory(error, "a string");
    void *query =
        akin_enlarge(&batch->account, batch->query, &batch->query_room, (uint64_t)out->length + 1, sizeof(uint32_t));
    if (!query)
        return akin_fail_memory(error, "a string");
    batch->query = query;
    akin_strings_batch_write(&batch->alphabet, text, length, query);
    out->bytes = batch->strings.wide ? NULL : query;
    out->points = batch->strings.wide ? query : NULL;
    return AKIN_OK;
}

/* Finds the hits, in the order of lengths; 0: memory is short. */
static int scan_batch(akin_batch *batch, const akin_symbols *query)
{
    akin_scanner *scanner = &batch->scanner;
    const akin_strings_batch *strings = &batch->strings;
    uint32_t head = akin_strings_batch_head(query, AKIN_HEAD_QUERY);
    batch->count = 0;
    if (query->length == 0)
        return 1;
    if (!akin_scanner_query(scanner, query, akin_bag_of(query, batch->alphabet.kinds), head))
        return 0;
    for (uint32_t run = 0; run < strings->runs; run++)
        if (!akin_scanner_screen(scanner, run, strings->starts[run], strings->starts[run + 1]))
            return 0;
    return akin_scanner_finish(scanner);
}

static akin_compared compared_of(const akin_batch *batch, const akin_scan_hit *hit, uint32_t length)
{
    uint32_t other = batch->strings.lengths[hit->run];
    if (!batch->cutoff.is_jaro)
        return (akin_compared){akin_edit_similarity(hit->distance, length, other), hit->distance};
    double similarity = akin_jaro_similarity(hit->jaro, length, other, hit->prefix, &batch->cutoff.winkler);
    return (akin_compared){similarity, 1.0 - similarity};
}

/* Hands the hits over by row. */
static akin_status order_queries(akin_batch *batch, uint32_t length, akin_hit *hits, uint64_t room, akin_error *error)
{
    uint64_t *keys = akin_enlarge(&batch->account, batch->keys, &batch->keys_room, batch->count, sizeof *keys);
    if (!keys)
        return akin_fail_memory(error, "the hits");
    batch->keys = keys;
    for (uint64_t i = 0; i < batch->count; i++)
        keys[i] = (uint64_t)batch->strings.rows[batch->hits[i].at] << 32 | i;
    akin_sort_u64(keys, batch->count);
    for (uint64_t i = 0; i < batch->count && i < room; i++)
        hits[i] = (akin_hit){(uint32_t)(keys[i] >> 32), compared_of(batch, &batch->hits[(uint32_t)keys[i]], length)};
    return AKIN_OK;
}

akin_status akin_batch_search(akin_context *context, akin_batch *batch, const akin_match_options *options,
                              const char *text, size_t length, akin_hit *hits, uint64_t room, uint64_t *count,
                              akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_cutoff cutoff = {.is_jaro = 0};
    akin_symbols query = {.length = 0};
    uint32_t folds = 0;
    akin_status status = akin_match_options_read(options, NULL, &cutoff, &folds, error);
    if (status == AKIN_OK && folds)
        status = akin_fail(error, AKIN_E_OPTION,
                           "a batch is folded when it is created, and its queries with it: set no folds here");
    if (status == AKIN_OK)
        status = fold_query(batch, &text, &length, error);
    if (status == AKIN_OK)
        status = read_query(batch, text, length, &query, error);
    if (status != AKIN_OK)
        return status;
    if (!prepare_scanner(batch, scope->cpu, &cutoff) || !scan_batch(batch, &query))
        return akin_fail_memory(error, "comparing strings");
    status = order_queries(batch, query.length, hits, room, error);
    if (status == AKIN_OK)
        *count = batch->count;
    return status;
}
