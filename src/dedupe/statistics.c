/* Counts the statistics by which an attribute weighs tokens: those that the records have, for a job on a part. */
#include "dedupe/statistics.h"

#include "base/ceiling.h"
#include "base/options.h"
#include "dedupe/columns.h"
#include "dedupe/tokens.h"
#include "strings/alphabet.h"
#include "strings/comparators.h"
#include "strings/token_sets.h"

static const char what[] = "the statistics of records";

static int is_by_weights(const akin_compare_options *compare)
{
    return akin_comparator_of(compare->comparator)->form == AKIN_BY_WEIGHTS;
}

static akin_status refuse_statistics(const akin_compare_options *compare, uint32_t attribute, akin_error *error)
{
    return akin_fail(error, AKIN_E_OPTION,
                     "attribute %u: statistics are of tokens that have weights, and it is compared by %s; expected %s "
                     "or %s",
                     attribute, akin_comparator_name(compare), akin_choice_name(&akin_comparators, AKIN_TFIDF),
                     akin_choice_name(&akin_comparators, AKIN_CODES));
}

akin_status akin_dedupe_statistics_check(const akin_dedupe_options *options, akin_error *error)
{
    const akin_dedupe_options *o = options;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < o->attribute_count && o->statistics && status == AKIN_OK; i++) {
        akin_compare_options compare;
        akin_corpus corpus;
        if (!o->statistics[i])
            continue;
        status = akin_compare_options_read(o->attributes[i].compare, &compare, error);
        if (status == AKIN_OK && !is_by_weights(&compare))
            status = refuse_statistics(&compare, i, error);
        if (status == AKIN_OK)
            status = akin_corpus_read(o->statistics[i], &corpus, error);
    }
    return status;
}

/* What is counted. */
typedef struct counting {
    akin_dedupe_options options; /* of the attribute alone */
    akin_compare_options compare;
    akin_account account;
    akin_records records;
    uint32_t columns; /* with combined ones */
} counting;

static akin_status read_counting(counting *c, const akin_dedupe_options *given, uint32_t attribute, akin_error *error)
{
    static const akin_dedupe_options defaults = AKIN_DEDUPE_OPTIONS_INIT;
    akin_dedupe_options *o = &c->options;
    *o = defaults;
    akin_status status = akin_options_read(given, o, sizeof *o, sizeof *o, "akin_dedupe_options", error);
    if (status != AKIN_OK)
        return status;
    if (attribute >= o->attribute_count || !o->attributes)
        return akin_fail(error, AKIN_E_OPTION, "there is no attribute %u of %u", attribute, o->attribute_count);
    status = akin_columns_count(o, c->columns, &c->columns, error);
    if (status == AKIN_OK)
        status = akin_compare_options_read(o->attributes[attribute].compare, &c->compare, error);
    if (status != AKIN_OK)
        return status;
    o->attributes += attribute;
    o->attribute_count = 1;
    o->selection_count = 0;
    if (o->attributes->column >= c->columns)
        return akin_fail(error, AKIN_E_OPTION, "attribute %u: there is no column %u of %u", attribute,
                         o->attributes->column, c->columns);
    return akin_columns_check(o, c->columns, error);
}

akin_status akin_dedupe_statistics_check_rows(const akin_records *records, uint32_t column, akin_error *error)
{
    const akin_records *r = records;
    akin_status status = AKIN_OK;
    if ((uint64_t)r->rows[0] + r->rows[1] >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "%llu records: expected fewer than %u",
                         (unsigned long long)r->rows[0] + r->rows[1], UINT32_MAX);
    for (uint32_t side = 0; side < r->tables && status == AKIN_OK; side++)
        if (r->rows[side] > 0)
            status = akin_column_check(&r->columns[side][column], side ? "right" : "left", error);
    return status;
}

/* Counts the tokens of the records, whose columns are made. */
static akin_status count_tokens(const akin_scope *scope, counting *c, akin_statistics **out, akin_error *error)
{
    const uint32_t column = c->options.attributes->column;
    akin_text_options text;
    akin_tokens_share share = {.account = NULL};
    akin_sets *sets[2] = {NULL, NULL};
    akin_dictionary *dictionary = NULL;
    uint32_t *df = NULL;
    akin_status status = akin_compare_options_text(&c->compare, &text, error);
    if (status == AKIN_OK)
        status = akin_tokens_begin(scope, &c->account, &share, error);
    if (status != AKIN_OK)
        return status;
    status = akin_tokens_name(&share.scope, &c->records, column, &text, sets, &dictionary, error);
    akin_tokens_keep(&share, sets);
    if (status == AKIN_OK) {
        df = akin_alloc_zero(&c->account, akin_dictionary_count(dictionary), sizeof *df);
        status = df ? AKIN_OK : akin_fail_memory(error, what);
    }
    if (status == AKIN_OK) {
        const int needs_tokens = akin_comparator_of(c->compare.comparator)->is_none;
        const uint32_t records = akin_tokens_count(&c->records, column, sets, needs_tokens, df);
        const akin_corpus_counts counts = akin_tokens_counts(dictionary, records, df);
        status = akin_statistics_make(scope, &counts, out, error);
    }
    akin_free(df);
    akin_sets_free(sets[0]);
    akin_sets_free(sets[1]);
    akin_dictionary_free(dictionary);
    akin_tokens_end(&share);
    return status;
}

akin_status akin_statistics_of_records(akin_context *context, const akin_column *left, uint32_t rows_left,
                                       const akin_column *right, uint32_t rows_right, uint32_t columns,
                                       const akin_dedupe_options *options, uint32_t attribute, akin_statistics **out,
                                       akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    counting c = {.columns = columns};
    akin_columns made = {.count = 0};
    akin_status status = read_counting(&c, options, attribute, error);
    *out = NULL;
    if (status != AKIN_OK || !is_by_weights(&c.compare))
        return status;
    c.records = (akin_records){.columns = {left, right},
                               .tables = right ? 2 : 1,
                               .rows = {rows_left, right ? rows_right : 0},
                               .count = rows_left + (right ? rows_right : 0)};
    akin_account_begin(&c.account, scope);
    if (c.options.attributes->column < columns)
        status = akin_dedupe_statistics_check_rows(&c.records, c.options.attributes->column, error);
    if (status == AKIN_OK)
        status = akin_columns_make(scope, &c.account, &c.options, c.columns, &c.records, &made, error);
    if (status == AKIN_OK)
        status = count_tokens(scope, &c, out, error);
    status = akin_ceiling_conclude(scope, &c.account, what, status, error);
    akin_columns_clear(&made);
    return status;
}
