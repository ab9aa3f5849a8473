/* Makes sets of a column's tokens, and weighs them. */
#include "dedupe/tokens.h"

#include "sets/from_columns.h"
#include "base/budget.h"
#include "dict/dictionary.h"
#include "sets/sets.h"

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

/* ---------------------------------------------------------------------------------------------------------- weights */

const uint32_t *akin_weighted_tokens(const akin_weighted *weighted, uint32_t value, uint64_t *count)
{
    const akin_weighted *w = weighted;
    uint32_t record = w->values->first[value], border = w->values->records->rows[0], right = record >= border;
    const akin_sets *sets = w->sets[right];
    uint32_t row = right ? record - border : record;
    *count = sets->offsets[row + (uint64_t)1] - sets->offsets[row];
    return sets->tokens + sets->offsets[row];
}

/* The records that have a value, or a token. */
static double records_having(const akin_weighted *w, int needs_tokens)
{
    const akin_values *values = w->values;
    double records = 0;
    for (uint32_t record = 0; record < values->records->count; record++) {
        const uint32_t value = values->of[record];
        uint64_t count = value != AKIN_VALUE_NONE;
        if (count > 0 && needs_tokens)
            akin_weighted_tokens(w, value, &count);
        records += count > 0 ? akin_records_stands_for(values->records, record) : 0;
    }
    return records;
}

/* Counts in squares the records that have a token. */
static void count_records(akin_weighted *w)
{
    const akin_records *records = w->values->records;
    for (uint32_t record = 0; record < records->count; record++) {
        const uint32_t right = record >= records->rows[0], row = right ? record - records->rows[0] : record;
        const akin_sets *sets = w->sets[right];
        for (uint64_t i = sets->offsets[row]; i < sets->offsets[row + (uint64_t)1]; i++)
            w->squares[sets->tokens[i]] += akin_records_stands_for(records, record);
    }
}

/* Weighs tokens by the records that have them. */
static void weigh_by_records(akin_weighted *w, int needs_tokens)
{
    const akin_values *values = w->values;
    const double records = records_having(w, needs_tokens);
    count_records(w);
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

/* Weighs the tokens of the sets. */
static akin_status weigh(akin_weighted *w, akin_account *account, int needs_tokens, akin_error *error)
{
    akin_tokens_keep(&w->share, w->sets);
    w->squares = akin_alloc_zero(account, w->tokens, sizeof *w->squares);
    w->lengths = akin_alloc(account, w->values->count, sizeof *w->lengths);
    if (!w->squares || !w->lengths)
        return akin_fail_memory(error, "the weights of tokens");
    weigh_by_records(w, needs_tokens);
    return AKIN_OK;
}

akin_status akin_weighted_make(const akin_scope *scope, akin_account *account, const akin_values *values,
                               const akin_text_options *text, int needs_tokens, akin_weighted *out, akin_error *error)
{
    akin_weighted *w = out;
    *w = (akin_weighted){.values = values};
    akin_status status = akin_tokens_begin(scope, account, &w->share, error);
    if (status == AKIN_OK)
        status = akin_tokens_make(&w->share.scope, values->records, values->column, text, w->sets, &w->tokens, error);
    return status == AKIN_OK ? weigh(w, account, needs_tokens, error) : status;
}

akin_status akin_weighted_name(const akin_scope *scope, akin_account *account, const akin_values *values,
                               const akin_text_options *text, akin_weighted *out, akin_error *error)
{
    akin_weighted *w = out;
    *w = (akin_weighted){.values = values};
    akin_status status = akin_tokens_begin(scope, account, &w->share, error);
    if (status == AKIN_OK)
        status =
            akin_tokens_name(&w->share.scope, values->records, values->column, text, w->sets, &w->dictionary, error);
    if (status != AKIN_OK)
        return status;
    w->tokens = akin_dictionary_count(w->dictionary);
    return weigh(w, account, 0, error);
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
