/* Makes sets of a column's tokens, and weighs them. */
#include "dedupe/tokens.h"

#include "sets/from_columns.h"
#include "base/budget.h"
#include "dict/dictionary.h"
#include "sets/sets.h"
#include "strings/alphabet.h"

#include <math.h>

#define UNIT 1024 /* of weights: the square of the largest has 30 bits */

akin_status akin_tokens_begin(const akin_scope *scope, akin_account *account, akin_tokens_share *out, akin_error *error)
{
    const uint64_t bytes = akin_budget_within(account);
    *out = (akin_tokens_share){.account = account};
    out->scope = akin_scope_narrow(
        scope, (akin_narrowing){.on_cpu = 1, .memory = bytes, .ceiling = akin_budget_ceiling_within(account)});
    if (!akin_account_reserve(account, bytes))
        return akin_fail_memory(error, "the tokens of the records");
    out->reserved = bytes;
    return AKIN_OK;
}

void akin_tokens_keep(akin_tokens_share *share, akin_sets *const sets[2])
{
    uint64_t bytes = 0;
    for (int side = 0; side < 2 && share->reserved; side++)
        bytes += sets[side] ? akin_sets_heap(sets[side]) : 0;
    bytes = akin_min_u64(bytes, share->reserved);
    akin_account_release(share->account, share->reserved - bytes);
    share->reserved = bytes;
}

void akin_tokens_end(akin_tokens_share *share)
{
    akin_account_release(share->account, share->reserved);
    share->reserved = 0;
}

akin_status akin_tokens_name(const akin_scope *scope, const akin_records *records, uint32_t column,
                             const akin_text_options *text, akin_sets *sets[2], akin_dictionary **dictionary,
                             akin_error *error)
{
    akin_status status = akin_dictionary_create_within(scope, dictionary, error);
    for (uint32_t side = 0; side < records->tables && status == AKIN_OK; side++)
        status = akin_sets_from_columns_within(scope, &records->columns[side][column], 1, records->rows[side], text,
                                               *dictionary, &sets[side], error);
    return status;
}

akin_status akin_tokens_make(const akin_scope *scope, const akin_records *records, uint32_t column,
                             const akin_text_options *text, akin_sets *sets[2], uint32_t *count, akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_tokens_name(scope, records, column, text, sets, &dictionary, error);
    if (status == AKIN_OK && count)
        *count = akin_dictionary_count(dictionary);
    akin_dictionary_free(dictionary);
    return status;
}

/* The tokens of a record. */
static const uint32_t *tokens_of_record(const akin_records *records, akin_sets *const sets[2], uint32_t record,
                                        uint64_t *count)
{
    const uint32_t right = record >= records->rows[0], row = right ? record - records->rows[0] : record;
    *count = sets[right]->offsets[row + (uint64_t)1] - sets[right]->offsets[row];
    return sets[right]->tokens + sets[right]->offsets[row];
}

/* Whether a record has a value. */
static int has_value(const akin_records *records, uint32_t column, uint32_t record)
{
    const uint32_t right = record >= records->rows[0];
    return akin_column_has_text(&records->columns[right][column], right ? record - records->rows[0] : record);
}

uint32_t akin_tokens_count(const akin_records *records, uint32_t column, akin_sets *const sets[2], int needs_tokens,
                           uint32_t *df)
{
    uint32_t having = 0;
    for (uint32_t record = 0; record < records->count; record++) {
        const uint32_t stands_for = akin_records_stands_for(records, record);
        uint64_t count;
        const uint32_t *tokens = tokens_of_record(records, sets, record, &count);
        for (uint64_t i = 0; i < count; i++)
            df[tokens[i]] += stands_for;
        having += (needs_tokens ? count > 0 : has_value(records, column, record)) ? stands_for : 0;
    }
    return having;
}

akin_corpus_counts akin_tokens_counts(const akin_dictionary *dictionary, uint32_t records, const uint32_t *df)
{
    akin_corpus_counts counts = {.documents = records,
                                 .count = akin_dictionary_count(dictionary),
                                 .df = df,
                                 .term = akin_corpus_term_of_dictionary,
                                 .of = dictionary};
    for (uint32_t token = 0; token < counts.count; token++)
        counts.words += df[token];
    return counts;
}

/* ---------------------------------------------------------------------------------------------------------- weights */

const uint32_t *akin_weighted_tokens(const akin_weighted *weighted, uint32_t value, uint64_t *count)
{
    const akin_weighted *w = weighted;
    return tokens_of_record(w->values->records, w->sets, w->values->first[value], count);
}

/* Sets the weights of tokens, by how many of the records have them. */
static void set_weights(akin_weighted *w, double records)
{
    const akin_values *values = w->values;
    for (uint32_t token = 0; token < w->tokens; token++) {
        uint32_t having = w->squares[token];
        uint32_t weight = having ? (uint32_t)llround(UNIT * log(1 + records / having)) : 0;
        w->squares[token] = weight * weight;
    }
    for (uint32_t v = 0; v < values->count; v++) {
        uint64_t count, sum = 0;
        const uint32_t *of = akin_weighted_tokens(w, v, &count);
        for (uint64_t i = 0; i < count; i++)
            sum += w->squares[of[i]];
        w->lengths[v] = sum;
    }
}

/* Takes from a corpus in how many records tokens are; `records` of these records have a value. */
static akin_status take_corpus(const akin_scope *scope, akin_account *account, const akin_corpus *corpus,
                               uint32_t records, akin_weighted *w, akin_error *error)
{
    uint32_t *df = akin_alloc_zero(account, w->tokens, sizeof *df);
    akin_error own = {.code = AKIN_OK};
    if (!df)
        return akin_fail_memory(error, "the weights of tokens");
    const akin_corpus_counts counts = akin_tokens_counts(w->dictionary, records, w->squares);
    akin_status status = akin_corpus_find(scope, corpus, &counts, w->dictionary, AKIN_ID_NONE, df, &own);
    akin_free(w->squares);
    w->squares = df;
    const char *name = w->values->records->columns[0][w->values->column].name;
    if (status == AKIN_E_INPUT)
        return akin_fail_column(error, status, AKIN_REASON_NONE, name, "column '%.100s': %s", name ? name : "",
                                own.message);
    return status == AKIN_OK ? AKIN_OK : akin_fail_again(error, status, &own);
}

static void drop_dictionary(akin_weighted *w)
{
    akin_dictionary_free(w->dictionary);
    w->dictionary = NULL;
}

/* Weighs the tokens of the sets. */
static akin_status weigh(akin_weighted *w, const akin_scope *scope, akin_account *account,
                         const akin_token_weighing *how, akin_error *error)
{
    akin_corpus corpus;
    akin_status status = akin_corpus_read(how->corpus, &corpus, error);
    if (status != AKIN_OK)
        return status;
    akin_tokens_keep(&w->share, w->sets);
    w->squares = akin_alloc_zero(account, w->tokens, sizeof *w->squares);
    w->lengths = akin_alloc(account, w->values->count, sizeof *w->lengths);
    if (!w->squares || !w->lengths)
        return akin_fail_memory(error, "the weights of tokens");
    uint32_t records = akin_tokens_count(w->values->records, w->values->column, w->sets, how->needs_tokens, w->squares);
    if (corpus.size > 0) {
        status = take_corpus(scope, account, &corpus, records, w, error);
        records = corpus.documents;
    }
    if (status == AKIN_OK)
        set_weights(w, records);
    return status;
}

static akin_status make_weighted(const akin_scope *scope, akin_account *account, const akin_values *values,
                                 const akin_token_weighing *how, int keeps, akin_weighted *w, akin_error *error)
{
    *w = (akin_weighted){.values = values};
    akin_status status = akin_tokens_begin(scope, account, &w->share, error);
    if (status == AKIN_OK)
        status = akin_tokens_name(&w->share.scope, values->records, values->column, how->text, w->sets, &w->dictionary,
                                  error);
    if (status != AKIN_OK)
        return status;
    w->tokens = akin_dictionary_count(w->dictionary);
    if (!keeps && !how->corpus)
        drop_dictionary(w);
    status = weigh(w, scope, account, how, error);
    if (!keeps)
        drop_dictionary(w);
    return status;
}

akin_status akin_weighted_make(const akin_scope *scope, akin_account *account, const akin_values *values,
                               const akin_token_weighing *how, akin_weighted *out, akin_error *error)
{
    return make_weighted(scope, account, values, how, 0, out, error);
}

akin_status akin_weighted_name(const akin_scope *scope, akin_account *account, const akin_values *values,
                               const akin_token_weighing *how, akin_weighted *out, akin_error *error)
{
    return make_weighted(scope, account, values, how, 1, out, error);
}

void akin_weighted_clear(akin_weighted *weighted)
{
    for (int side = 0; side < 2; side++)
        akin_sets_free(weighted->sets[side]);
    akin_dictionary_free(weighted->dictionary);
    akin_tokens_end(&weighted->share);
    akin_free(weighted->squares);
    akin_free(weighted->lengths);
    *weighted = (akin_weighted){0};
}

double akin_weighted_cosine(const akin_weighted *weighted, uint32_t x, uint32_t y)
{
    const akin_weighted *w = weighted;
    uint64_t counts[2], i = 0, j = 0, common = 0;
    const uint32_t *a = akin_weighted_tokens(w, x, &counts[0]);
    const uint32_t *b = akin_weighted_tokens(w, y, &counts[1]);
    if (counts[0] == 0 || counts[1] == 0)
        return counts[0] == counts[1];
    while (i < counts[0] && j < counts[1]) {
        uint32_t left = a[i], right = b[j];
        if (left == right)
            common += w->squares[left];
        i += left <= right;
        j += right <= left;
    }
    return (double)common / sqrt((double)w->lengths[x] * (double)w->lengths[y]);
}
