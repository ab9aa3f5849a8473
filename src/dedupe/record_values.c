/* Counts how many records of a part of tables have each value, for a population. */
#include "base/ceiling.h"
#include "dedupe/job.h"
#include "dedupe/statistics.h"
#include "dict/corpus.h"

static const char what[] = "the values of records";

/* What is counted: the values of the column of some attributes. */
typedef struct counting {
    akin_dedupe_job job; /* of these attributes alone */
    akin_attribute *attributes;
    uint32_t column;
    akin_values values;
    const akin_values **of_columns;
} counting;

/* Keeps the attributes of the column of one of them. */
static akin_status keep_attributes(counting *c, uint32_t attribute, akin_error *error)
{
    akin_dedupe_options *o = &c->job.options;
    if (attribute >= o->attribute_count)
        return akin_fail(error, AKIN_E_OPTION, "there is no attribute %u of %u", attribute, o->attribute_count);
    c->column = o->attributes[attribute].column;
    c->attributes = akin_alloc(&c->job.account, o->attribute_count, sizeof *c->attributes);
    if (!c->attributes)
        return akin_fail_memory(error, what);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < o->attribute_count; i++)
        if (o->attributes[i].column == c->column)
            c->attributes[kept++] = o->attributes[i];
    o->attributes = c->attributes;
    o->attribute_count = kept;
    o->statistics = NULL;
    return AKIN_OK;
}

static void value_term(const void *values, uint32_t value, const char **bytes, size_t *length)
{
    uint64_t long_length;
    *bytes = akin_values_text(values, value, &long_length);
    *length = (size_t)long_length;
}

/* Counts the values of all records. */
static akin_status count_values(counting *c, akin_statistics **out, akin_error *error)
{
    akin_dedupe_job *j = &c->job;
    const akin_scoring *scoring = &j->scoring;
    akin_corpus_counts counts = {.count = c->values.count, .term = value_term, .of = &c->values};
    uint32_t *df = akin_alloc_zero(&j->account, c->values.count, sizeof *df);
    if (!df)
        return akin_fail_memory(error, what);
    for (uint32_t record = 0; record < j->records.count; record++) {
        const uint32_t value = c->values.of[record];
        if (value == AKIN_VALUE_NONE)
            continue;
        df[value]++;
        counts.documents++;
        uint32_t at = 0;
        while (at < scoring->count && scoring->attributes[at].of[record] == AKIN_VALUE_NONE)
            at++;
        counts.words += at < scoring->count;
    }
    counts.df = df;
    akin_status status = akin_statistics_make(j->scope, &counts, out, error);
    akin_free(df);
    return status;
}

/* Makes the values, as comparators read them, and counts them. */
static akin_status run(counting *c, akin_statistics **out, akin_error *error)
{
    akin_dedupe_job *j = &c->job;
    akin_status status = AKIN_OK;
    if (c->column < j->columns - (uint32_t)j->options.combined_count)
        status = akin_dedupe_statistics_check_rows(&j->records, c->column, error);
    if (status == AKIN_OK)
        status = akin_columns_make(j->scope, &j->account, &j->options, j->columns, &j->records, &j->made, error);
    if (status == AKIN_OK)
        status = akin_values_make(j->scope, &j->account, &j->records, c->column, &c->values, error);
    c->of_columns = status == AKIN_OK ? akin_alloc_zero(&j->account, j->columns, sizeof *c->of_columns) : NULL;
    if (status == AKIN_OK && !c->of_columns)
        status = akin_fail_memory(error, what);
    if (status == AKIN_OK && c->of_columns) {
        c->of_columns[c->column] = &c->values;
        status = akin_scoring_make(j->scope, &j->account, &j->options, c->of_columns, &j->scoring, error);
    }
    return status == AKIN_OK ? count_values(c, out, error) : status;
}

akin_status akin_statistics_of_values(akin_context *context, const akin_column *left, uint32_t rows_left,
                                      const akin_column *right, uint32_t rows_right, uint32_t columns,
                                      const akin_dedupe_options *options, uint32_t attribute, akin_statistics **out,
                                      akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    counting c = {.job = {.scope = scope, .columns = columns}};
    *out = NULL;
    akin_status status = akin_dedupe_read_options(&c.job, options, error);
    if (status != AKIN_OK)
        return status;
    c.job.records = (akin_records){.columns = {left, right},
                                   .tables = right ? 2 : 1,
                                   .rows = {rows_left, right ? rows_right : 0},
                                   .count = rows_left + (right ? rows_right : 0)};
    akin_account_begin(&c.job.account, scope);
    status = keep_attributes(&c, attribute, error);
    if (status == AKIN_OK)
        status = run(&c, out, error);
    akin_scoring_clear(&c.job.scoring);
    akin_values_clear(&c.values);
    akin_columns_clear(&c.job.made);
    akin_free(c.of_columns);
    akin_free(c.attributes);
    return akin_ceiling_conclude(scope, &c.job.account, what, status, error);
}
