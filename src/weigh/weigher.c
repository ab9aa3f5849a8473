/* Weighs the terms of documents: what is asked, and the steps. */
#include "weigh/weigher.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "device/devices.h"
#include "table/columns.h"
#include "weigh/corpus.h"
#include "weigh/count.h"
#include "weigh/gpu_hashing.h"
#include "weigh/gpu_weigher.h"
#include "weigh/turn.h"

#include <string.h>

AKIN_OPTIONS_END(akin_weigh_options, corpus);

static const char what[] = "term weights"; /* the memory is for */

static const akin_weigh_technique_row technique_rows[] = {
    {{"auto", "", "the same as hash", AKIN_WEIGH_AUTO, AKIN_ON_CPU | AKIN_ON_GPU | AKIN_IS_DEFAULT},
     .way = &akin_gpu_hashing,
     .add = akin_gpu_weigher_count},
    {{"hash", "", "a hash table of words", AKIN_WEIGH_HASH, AKIN_ON_CPU | AKIN_ON_GPU | AKIN_BY_AUTO},
     .way = &akin_gpu_hashing,
     .add = akin_gpu_weigher_count},
};
const akin_choice_table akin_weigh_techniques = AKIN_CHOICE_TABLE("technique", technique_rows);

static const akin_choice orders[] = {
    {"document", "", "the terms of each document", AKIN_WEIGHTS_BY_DOCUMENT, AKIN_IS_DEFAULT},
    {"term", "", "the documents of each term, which an index needs", AKIN_WEIGHTS_BY_TERM, 0},
};
const akin_choice_table akin_weights_orders = AKIN_CHOICE_TABLE("order", orders);

static const akin_choice unknown_ways[] = {
    {"share", "", "unknown terms share one id", AKIN_UNKNOWN_SHARE, AKIN_IS_DEFAULT},
    {"add", "", "unknown terms are added to the vocabulary", AKIN_UNKNOWN_ADD, 0},
};
const akin_choice_table akin_unknown_ways = AKIN_CHOICE_TABLE("way to deal with unknown terms", unknown_ways);

akin_status akin_weigh_technique_parse(const akin_annex *annex, const char *name, akin_weigh_technique *out,
                                       akin_error *error)
{
    int value;
    const akin_choice_table techniques = akin_annex_table(annex, &akin_weigh_techniques);
    akin_status status = akin_choice_value(&techniques, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_weigh_technique)value;
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- options */

static akin_status read_weigh_options(const akin_annex *annex, const akin_weigh_options *given, akin_weigh_options *own,
                                      akin_formula_terms *formula, const akin_weigh_technique_row **technique,
                                      akin_error *error)
{
    const akin_choice *row;
    *own = (akin_weigh_options)AKIN_WEIGH_OPTIONS_INIT;
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_weigh_options", error);
    if (status == AKIN_OK)
        status = akin_formula_read(own->formula, own->k1, own->b, own->delta, formula, error);
    if (status != AKIN_OK)
        return status;
    if (!akin_choice_of(&akin_weights_orders, (int)own->order))
        return akin_fail(error, AKIN_E_OPTION, "order is %d; expected by document (1) or by term (2)", (int)own->order);
    if (!akin_choice_of(&akin_unknown_ways, (int)own->unknown))
        return akin_fail(error, AKIN_E_OPTION, "unknown is %d; expected share (1) or add (2)", (int)own->unknown);
    status = akin_annex_row(annex, &akin_weigh_techniques, (int)own->technique, "akin_weigh_options", &row, error);
    if (status == AKIN_OK)
        *technique = (const akin_weigh_technique_row *)row;
    return status;
}

/* Where the caller wants the counts of texts; NULL: nowhere, or the tokens have no length. */
static akin_text_counts *counts_wanted(const akin_text_options *given)
{
    akin_text_options text;
    const akin_status status = akin_text_options_read(given, &text, NULL);
    return status == AKIN_OK && akin_tokens_facts_of(text.tokens)->takes_length ? text.counts : NULL;
}

/* Lets a GPU count and weigh, if one is required. */
static akin_status open_gpu(akin_weigher *w, const akin_scope *scope, akin_error *error)
{
    akin_device *device = NULL;
    if (!akin_device_is_required(scope))
        return AKIN_OK;
    akin_status status = akin_device_of(scope, &device, error);
    return status == AKIN_OK && device ? akin_gpu_weigher_create(w, device, &w->gpu, error) : status;
}

/* `counts_only`: as of the weigher. */
static akin_status create_weigher(const akin_scope *scope, const akin_weigh_options *options, int counts_only,
                                  akin_weigher **out, akin_error *error)
{
    akin_weigh_options own;
    akin_formula_terms formula;
    const akin_weigh_technique_row *technique = NULL;
    akin_status status = read_weigh_options(akin_annex_of(scope), options, &own, &formula, &technique, error);
    if (status != AKIN_OK)
        return status;
    akin_weigher *w = akin_alloc_zero(NULL, 1, sizeof *w);
    akin_weights *weights = akin_alloc_zero(NULL, 1, sizeof *weights);
    if (!w || !weights) {
        akin_free(w);
        akin_free(weights);
        return akin_fail_memory(error, what);
    }
    w->few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    w->options = own;
    w->counts_only = counts_only && !akin_device_is_required(scope);
    w->technique = technique;
    w->weights = weights;
    weights->formula = formula;
    weights->order = AKIN_WEIGHTS_BY_DOCUMENT;
    weights->shared = AKIN_WEIGHTS_NONE;
    for (int i = 0; i < AKIN_WEIGHTS_ARRAYS; i++)
        weights->arrays[i] = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_WEIGHTS));
    weights->corpus = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_WEIGHTS));
    w->counted = counts_wanted(own.text);
    status = akin_corpus_read(own.corpus, &w->corpus, error);
    if (status == AKIN_OK)
        status = akin_analysis_create(own.text, own.stem, scope->cpu, &weights->analysis, error);
    if (status == AKIN_OK && technique->check)
        status = technique->check(scope, &own, weights->analysis, error);
    if (status == AKIN_OK)
        status = akin_dictionary_create_within(scope, &weights->dictionary, error);
    if (status == AKIN_OK && own.dictionary)
        status = akin_dictionary_add_trie(&w->few, weights->dictionary, own.dictionary, error);
    if (status == AKIN_OK && own.dictionary && own.unknown == AKIN_UNKNOWN_SHARE)
        weights->shared = akin_trie_count(own.dictionary); /* the words have the ids that they have there */
    if (status == AKIN_OK)
        status = akin_weigher_count_begin(w, error);
    if (status == AKIN_OK)
        status = open_gpu(w, scope, error);
    w->options.corpus = NULL;
    w->options.text = NULL;
    w->options.stem = NULL;
    w->options.dictionary = NULL;
    if (status == AKIN_OK)
        *out = w;
    else
        akin_weigher_free(w);
    return status;
}

akin_status akin_weigher_create_within(const akin_scope *scope, const akin_weigh_options *options, akin_weigher **out,
                                       akin_error *error)
{
    return create_weigher(scope, options, 0, out, error);
}

akin_status akin_weigher_create(akin_context *context, const akin_weigh_options *options, akin_weigher **out,
                                akin_error *error)
{
    return akin_weigher_create_within(akin_scope_of(context), options, out, error);
}

void akin_weigher_free(akin_weigher *weigher)
{
    if (!weigher)
        return;
    akin_gpu_weigher_free(weigher->gpu);
    akin_weigher_count_clear(weigher);
    akin_weights_free(weigher->weights);
    akin_free(weigher);
}

/* ------------------------------------------------------------------------------------------------------------ count */

#define OVER "a weigher that has failed, or is finished, can only be freed"

/* Counts documents, on the GPU if there is one. */
static akin_status count_documents(akin_weigher *w, const akin_column *documents, uint32_t columns, uint32_t rows,
                                   akin_error *error)
{
    akin_status status = akin_table_columns_check(documents, columns, rows, "weigh", error);
    if (status != AKIN_OK)
        return status;
    if (rows > UINT32_MAX - w->weights->documents)
        return akin_fail(error, AKIN_E_LIMIT, "more than %u documents", UINT32_MAX);
    w->columns = documents;
    w->column_count = columns;
    w->rows = rows;
    w->counts = (akin_text_counts){0, 0};
    return w->gpu ? akin_gpu_weigher_add(w->gpu, error) : akin_weigher_count_rows(w, error);
}

akin_status akin_weigher_add(akin_weigher *weigher, const akin_column *documents, uint32_t columns, uint32_t rows,
                             akin_error *error)
{
    if (weigher->is_over)
        return akin_fail(error, AKIN_E_OPTION, OVER);
    akin_status status = count_documents(weigher, documents, columns, rows, error);
    if (status == AKIN_OK)
        akin_text_counts_add(weigher->counted, &weigher->counts);
    weigher->is_over = status != AKIN_OK;
    return status;
}

/* Ends the counting: the dictionary is complete, and the weights lack nothing but the values. */
static akin_status end_counting(akin_weigher *w, akin_error *error)
{
    akin_status status = w->gpu ? akin_gpu_weigher_tell(w->gpu, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = akin_weigher_count_end(w, error);
    if (status == AKIN_OK && w->gpu)
        status = akin_gpu_weigher_df(w->gpu, w->df, error);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ weigh */

#define WEIGHED (UINT64_C(1) << 17) /* pairs that a task weighs, about */
#define KNOWN   65536               /* documents in which a term may be, up to which logarithms are kept */

typedef struct weighing {
    const akin_weights *weights;
    const double *idf;
    double *values;
} weighing;

/* The first document of a task. */
static uint32_t first_document(const weighing *w, uint64_t task)
{
    const akin_weights *m = w->weights;
    return task * WEIGHED >= m->pairs ? m->documents
                                      : (uint32_t)akin_lower_bound_u64(m->offsets, m->documents, task * WEIGHED);
}

static akin_status weigh_documents(void *argument, uint64_t task, uint32_t thread)
{
    const weighing *w = argument;
    const akin_weights *m = w->weights;
    const double mean = akin_weights_mean(m);
    (void)thread;
    for (uint32_t d = first_document(w, task), end = first_document(w, task + 1); d < end; d++) {
        uint64_t begin = m->offsets[d];
        akin_formula_weigh(&m->formula, akin_formula_norm(&m->formula, m->lengths[d], mean), w->idf, m->ids + begin,
                           m->tf + begin, m->offsets[d + 1] - begin, w->values + begin);
    }
    return AKIN_OK;
}

/* What each term weighs, its logarithm being taken once for each df but the largest. */
static akin_status weigh_terms(const akin_weights *m, double *idf, akin_error *error)
{
    const uint32_t *frequencies = akin_weights_frequencies(m), all = akin_weights_all(m);
    double *known = akin_alloc_zero(NULL, KNOWN, sizeof *known);
    uint8_t *is_known = akin_alloc_zero(NULL, KNOWN, 1);
    if (!known || !is_known) {
        akin_free(known);
        akin_free(is_known);
        return akin_fail_memory(error, what);
    }
    for (uint32_t i = 0; i < m->ids_count; i++) {
        uint32_t df = frequencies[i];
        if (df > 0 && df < KNOWN && !is_known[df]) {
            known[df] = akin_formula_idf(&m->formula, all, df);
            is_known[df] = 1;
        }
        idf[i] = df < KNOWN ? known[df] : akin_formula_idf(&m->formula, all, df);
    }
    akin_free(known);
    akin_free(is_known);
    return AKIN_OK;
}

/* Weighs the pairs of documents, or turns them to be by term, and weighs them there. */
static akin_status weigh_here(akin_weigher *w, akin_error *error)
{
    akin_weights *m = w->weights;
    akin_bulk bulk = akin_bulk_of(&w->few, NULL, akin_budget(&w->few, AKIN_BUDGET_WEIGHTS));
    akin_status status = akin_bulk_reserve(&bulk, m->ids_count * sizeof(double), what, error);
    if (status != AKIN_OK)
        return status;
    weighing weighing = {m, bulk.data, m->arrays[AKIN_WEIGHTS_VALUES].data};
    status = weigh_terms(m, bulk.data, error);
    if (status == AKIN_OK && w->options.order == AKIN_WEIGHTS_BY_TERM) {
        status = akin_weights_turn(&w->few, m, bulk.data, error);
    } else if (status == AKIN_OK) {
        status = akin_parallel(&w->few, "weighing", akin_ceil_div(m->pairs, WEIGHED), weigh_documents, &weighing);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_bulk_clear(&bulk);
    return status;
}

static akin_status weigh_counts(akin_weigher *w, akin_error *error)
{
    akin_weights *m = w->weights;
    akin_bulk *bulk = &m->arrays[AKIN_WEIGHTS_VALUES];
    int is_done = 0;
    akin_status status = akin_bulk_reserve(bulk, m->pairs * sizeof *m->values, what, error);
    if (status != AKIN_OK)
        return status;
    m->values = bulk->data;
    for (uint32_t i = 0; i < m->ids_count; i++)
        m->terms += m->df[i] > 0;
    if (w->gpu && w->options.order == AKIN_WEIGHTS_BY_DOCUMENT && !m->is_part)
        status = akin_gpu_weigher_weigh(w->gpu, bulk->data, &is_done, error);
    return status == AKIN_OK && !is_done ? weigh_here(w, error) : status;
}

/* What will grow no more is cut to size. */
static void trim_weights(akin_weights *m)
{
    const uint64_t sizes[AKIN_WEIGHTS_ARRAYS] = {[AKIN_WEIGHTS_OFFSETS] =
                                                     ((uint64_t)akin_weights_lists(m) + 1) * sizeof *m->offsets,
                                                 [AKIN_WEIGHTS_IDS] = m->pairs * sizeof *m->ids,
                                                 [AKIN_WEIGHTS_TF] = m->pairs * sizeof *m->tf,
                                                 [AKIN_WEIGHTS_VALUES] = m->pairs * sizeof *m->values,
                                                 [AKIN_WEIGHTS_LENGTHS] = (uint64_t)m->documents * sizeof *m->lengths,
                                                 [AKIN_WEIGHTS_DF] = (uint64_t)m->ids_count * sizeof *m->df};
    for (int i = 0; i < AKIN_WEIGHTS_ARRAYS; i++)
        akin_bulk_trim(&m->arrays[i], sizes[i]);
    m->offsets = m->arrays[AKIN_WEIGHTS_OFFSETS].data;
    m->ids = m->arrays[AKIN_WEIGHTS_IDS].data;
    m->tf = m->arrays[AKIN_WEIGHTS_TF].data;
    m->values = m->arrays[AKIN_WEIGHTS_VALUES].data;
    m->lengths = m->arrays[AKIN_WEIGHTS_LENGTHS].data;
    m->df = m->arrays[AKIN_WEIGHTS_DF].data;
}

akin_status akin_weigher_finish(akin_weigher *weigher, akin_weights **out, akin_error *error)
{
    akin_weights *m = weigher->weights;
    if (weigher->is_over)
        return akin_fail(error, AKIN_E_OPTION, OVER);
    weigher->is_over = 1;
    akin_status status = end_counting(weigher, error);
    if (status == AKIN_OK)
        status = akin_corpus_take(&weigher->few, &weigher->corpus, m, error);
    if (status == AKIN_OK)
        status = weigh_counts(weigher, error);
    if (status != AKIN_OK)
        return status;
    akin_gpu_weigher_free(weigher->gpu);
    weigher->gpu = NULL;
    trim_weights(m);
    *out = m;
    weigher->weights = NULL;
    return AKIN_OK;
}

akin_status akin_weigh_within(const akin_scope *scope, const akin_column *documents, uint32_t columns, uint32_t rows,
                              const akin_weigh_options *options, akin_weights **out, akin_error *error)
{
    akin_weigher *weigher = NULL;
    akin_status status = akin_weigher_create_within(scope, options, &weigher, error);
    if (status != AKIN_OK || !weigher)
        return status;
    status = akin_weigher_add(weigher, documents, columns, rows, error);
    if (status == AKIN_OK)
        status = akin_weigher_finish(weigher, out, error);
    akin_weigher_free(weigher);
    return status;
}

akin_status akin_weigh(akin_context *context, const akin_column *documents, uint32_t columns, uint32_t rows,
                       const akin_weigh_options *options, akin_weights **out, akin_error *error)
{
    return akin_weigh_within(akin_scope_of(context), documents, columns, rows, options, out, error);
}

/* ------------------------------------------------------------------------------------------------------- statistics */

akin_status akin_statistics_of_weights(akin_context *context, const akin_weights *weights, akin_statistics **out,
                                       akin_error *error)
{
    const akin_corpus_counts counts = akin_corpus_counts_of(weights);
    return akin_statistics_make(akin_scope_of(context), &counts, out, error);
}

akin_status akin_statistics_of_documents(akin_context *context, const akin_column *documents, uint32_t columns,
                                         uint32_t rows, const akin_weigh_options *options, akin_statistics **out,
                                         akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_weigher *weigher = NULL;
    akin_status status = create_weigher(scope, options, 1, &weigher, error);
    if (status != AKIN_OK || !weigher)
        return status;
    status = akin_weigher_add(weigher, documents, columns, rows, error);
    if (status == AKIN_OK)
        status = end_counting(weigher, error);
    if (status == AKIN_OK) {
        const akin_corpus_counts counts = akin_corpus_counts_of(weigher->weights);
        status = akin_statistics_make(scope, &counts, out, error);
    }
    akin_weigher_free(weigher);
    return status;
}
