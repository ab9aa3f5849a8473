/* Checks a population, and finds in it how many records have some texts. */
#include "dedupe/population.h"

#include "base/options.h"
#include "base/parallel.h"
#include "dict/corpus.h"

AKIN_OPTIONS_END(akin_population, values);

static const char what[] = "the values of records";

/* ----------------------------------------------------------------------------------------------------------- checks */

static akin_status read_population(const akin_population *given, akin_population *out, akin_error *error)
{
    *out = (akin_population){.size = 0};
    return akin_options_read(given, out, sizeof *out, sizeof *out, "akin_population", error);
}

/* What needs all pairs of the whole tables at once. */
static const char *whole_of(const akin_dedupe_options *o)
{
    return o->report          ? "a report"
           : o->precision.num ? "a precision"
           : o->labelling     ? "answers"
           : o->learnt_model  ? "learning a model"
                              : NULL;
}

/* The values of an attribute. */
static akin_status check_values(const akin_population *p, uint32_t attribute, akin_error *error)
{
    akin_corpus corpus;
    if (!p->values[attribute])
        return akin_fail(error, AKIN_E_OPTION, "akin_population: attribute %u has no values", attribute);
    const akin_status status = akin_corpus_read(p->values[attribute], &corpus, error);
    if (status != AKIN_OK || corpus.documents <= (uint64_t)p->rows[0] + p->rows[1])
        return status;
    return akin_fail(error, AKIN_E_INPUT, "a population of %u and %u records, but %u have a value of attribute %u",
                     p->rows[0], p->rows[1], corpus.documents, attribute);
}

akin_status akin_population_check(const akin_dedupe_options *options, akin_error *error)
{
    const akin_dedupe_options *o = options;
    akin_population population;
    if (!o->population)
        return AKIN_OK;
    akin_status status = read_population(o->population, &population, error);
    if (status != AKIN_OK)
        return status;
    if (!population.values)
        return akin_fail(error, AKIN_E_OPTION, "akin_population: there are no values of attributes");
    if (o->weights != AKIN_WEIGHTS_LEARN)
        return akin_fail(error, AKIN_E_OPTION, "a population is for learnt weights, and the weights are given");
    if (whole_of(o))
        return akin_fail(error, AKIN_E_OPTION, "%s needs whole tables, and there is a population", whole_of(o));
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++)
        status = check_values(&population, i, error);
    return status;
}

akin_status akin_population_check_records(const akin_dedupe_options *options, const akin_records *records,
                                          akin_error *error)
{
    const akin_records *r = records;
    uint32_t rows[2];
    const uint32_t tables = akin_population_rows(options, r, rows);
    if (tables == 1 ? r->count <= rows[0] : r->tables == 2 && r->rows[0] <= rows[0] && r->rows[1] <= rows[1])
        return AKIN_OK;
    return akin_fail(error, AKIN_E_INPUT, "a population of %u and %u records; %u and %u records are no part of it",
                     rows[0], rows[1], r->rows[0], r->rows[1]);
}

uint32_t akin_population_rows(const akin_dedupe_options *options, const akin_records *records, uint32_t rows[2])
{
    const akin_population *population = options->population;
    for (uint32_t side = 0; side < 2; side++)
        rows[side] = population ? population->rows[side] : records->rows[side];
    return population ? 1u + (rows[1] > 0) : records->tables;
}

uint64_t akin_population_pairs(const akin_dedupe_options *options, const akin_records *records)
{
    akin_records whole = {.columns = {NULL}};
    whole.tables = akin_population_rows(options, records, whole.rows);
    whole.count = whole.rows[0];
    return akin_records_pairs(options->population ? &whole : records);
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* Gives texts their ids in a dictionary, AKIN_ID_NONE to an empty one. */
static akin_status name_texts(const akin_scope *scope, const akin_population_texts *texts, akin_dictionary *dictionary,
                              uint32_t *ids, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < texts->count && status == AKIN_OK; i++) {
        uint64_t length;
        const char *text = texts->text(texts->of, i, &length);
        ids[i] = AKIN_ID_NONE;
        if (akin_is_stopped(scope, i))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        else if (length > 0)
            status = akin_dictionary_add(dictionary, text, length, &ids[i], error);
    }
    return status;
}

akin_status akin_population_find(const akin_scope *scope, akin_account *account, const akin_corpus *values,
                                 const akin_population_texts *texts, uint32_t empty, uint32_t *records,
                                 akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    uint32_t *df = akin_alloc_zero(account, texts->count, sizeof *df);
    akin_status status = df ? akin_dictionary_create_within(scope, &dictionary, error) : akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = name_texts(scope, texts, dictionary, records, error);
    if (status == AKIN_OK)
        status = akin_corpus_find_some(scope, values, dictionary, df, error);
    for (uint32_t i = 0; i < texts->count && status == AKIN_OK && df; i++)
        records[i] = records[i] == AKIN_ID_NONE ? empty : df[records[i]] > 0 ? df[records[i]] : 1;
    akin_dictionary_free(dictionary);
    akin_free(df);
    return status;
}
