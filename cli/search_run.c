/* What akin search does: opens the index, reads queries as it is of them, searches, and writes what is found. */
#include "command.h"
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hits.h"
#include "number.h"
#include "path.h"
#include "truth.h"

/* ---------------------------------------------------------------------------------------------------------- weights */

static akin_status fail_weights(akin_status status, akin_error *error, const char *message, const char *word)
{
    return akin_error_set(error, status, status == AKIN_E_NOMEM ? AKIN_REASON_MEMORY : AKIN_REASON_NONE, "%s%.200s%s",
                          word ? "--weight " : "", word ? word : "", message);
}

/* Reads the weight of a column, as age=2, into its place. */
static akin_status read_weight(const char *word, const akin_cli_searched *queries, uint32_t *weights, akin_error *error)
{
    const char *equals = strrchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : 0;
    uint64_t weight = 0;
    if (!equals || !akin_cli_read_u64(equals + 1, 1, UINT32_MAX, &weight))
        return fail_weights(AKIN_E_OPTION, error, ": expected a column and a whole number above 0, as age=2", word);
    for (uint32_t i = 0; i < queries->column_count; i++)
        if (strlen(queries->columns[i].name) == length && memcmp(queries->columns[i].name, word, length) == 0) {
            if (weights[i] > 0)
                return fail_weights(AKIN_E_OPTION, error, ": the column has been given a weight before", word);
            weights[i] = (uint32_t)weight;
            return AKIN_OK;
        }
    fail_weights(AKIN_E_OPTION, error, ": the queries have no such column; theirs are: ", word);
    for (uint32_t i = 0; i < queries->column_count; i++) {
        akin_cli_append(error, "%s%.60s", i > 0 ? ", " : "", queries->columns[i].name);
    }
    return AKIN_E_OPTION;
}

/* Weights of all columns, to be freed; NULL: there are none. */
static akin_status read_weights(const akin_cli_search_request *request, const akin_cli_searched *queries,
                                uint32_t **weights, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (request->weight_count == 0)
        return status;
    *weights = calloc((size_t)queries->column_count + 1, sizeof **weights);
    if (!*weights)
        return fail_weights(AKIN_E_NOMEM, error, "not enough memory for the weights", NULL);
    for (uint32_t i = 0; i < request->weight_count && status == AKIN_OK; i++)
        status = read_weight(request->weights[i], queries, *weights, error);
    for (uint32_t i = 0; i < queries->column_count; i++)
        (*weights)[i] += (*weights)[i] == 0;
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static const akin_search_facts *facts_of(const akin_search_statistics *about)
{
    return akin_search_facts_of(about->kind, about->functions > 0);
}

/* Options that only some kinds of indexes have a use for. Returns an exit status. */
static int check_index_kind_options(const akin_cli_search_request *request, const akin_search_statistics *about)
{
    const akin_search_options *o = &request->search;
    const struct {
        const char *shown, *name;
        int given;
    } checks[] = {
        {"tolerance", "tolerance", request->tolerance},
        {"weight", "weight", request->weight_count > 0},
        {"candidates", "candidates", o->candidates > 0},
        {"within", "within", o->within != UINT32_MAX},
        {"least", "least", o->least > 0},
        {"measure", "measure", o->measure != AKIN_OVERLAP},
        {"rerank", "rerank", o->rerank > 0},
        {"truth", "truth", request->truth != NULL},
        {"technique scan", "scan", o->technique == AKIN_SEARCH_SCAN},
    };
    char kinds[AKIN_CLI_KINDS];
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].given && !akin_search_facts_take(facts_of(about), checks[i].name))
            return akin_cli_refuse("--%s: is for an index of %s, and %s is one of %s", checks[i].shown,
                                   akin_cli_kinds_with(checks[i].name, kinds), akin_cli_path_name(request->index),
                                   facts_of(about)->title);
    return AKIN_CLI_DONE;
}

/* What candidates of strings take. */
static int check_candidates(const akin_cli_search_request *request, const akin_search_statistics *about)
{
    const akin_search_options *o = &request->search;
    if (!akin_search_facts_take(facts_of(about), "ngram"))
        return AKIN_CLI_DONE;
    if (o->candidates > 0 && about->ngram == 0)
        return akin_cli_refuse("--candidates: %s has no n-grams to choose candidates by: make it with --ngram 3",
                               akin_cli_path_name(request->index));
    if (o->candidates > 0 && o->technique == AKIN_SEARCH_SCAN)
        return akin_cli_refuse("--technique scan: compares all strings, and --candidates only some");
    if (o->candidates == 0 && o->technique == AKIN_SEARCH_LISTS)
        return akin_cli_missing(&(akin_cli_option){.name = "candidates", .argument = "K"},
                                "--technique lists is for candidates of strings");
    return AKIN_CLI_DONE;
}

/* How queries are read depends on the index. Returns an exit status. */
static int check_queries(const akin_cli_search_request *request, const akin_search_statistics *about,
                         akin_cli_reading *reading)
{
    int status = check_index_kind_options(request, about);
    if (status == AKIN_CLI_DONE)
        status = check_candidates(request, about);
    if (status != AKIN_CLI_DONE)
        return status;
    const int is_query_shown = request->show_count > 0 && request->indexed.count == 0;
    if (!request->queries && is_query_shown)
        return akin_cli_indexed_missing("queries of the command line");
    if (!request->queries)
        return akin_cli_searched_check_typed(about->kind);
    status = akin_cli_searched_check(&request->words, about->kind, request->queries, reading);
    if (status == AKIN_CLI_DONE && is_query_shown && (reading->ids || reading->is_matrix))
        return akin_cli_indexed_missing(reading->ids ? "queries of token ids" : "queries of a matrix");
    reading->show = request->show;
    reading->show_count = request->show_count;
    reading->show_optional = request->indexed.count > 0 ? UINT64_MAX : 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- work */

static akin_status search_batches(akin_cli_job *job, const akin_cli_search_request *request, const akin_cli_searched *q,
                                  akin_cli_hits *hits, akin_search_report *report, akin_error *error)
{
    akin_search_options o = request->search;
    uint32_t *weights = NULL;
    akin_status status = read_weights(request, q, &weights, error);
    o.weights = weights;
    if (status == AKIN_OK) {
        const akin_search_index *index = hits->index;
        const akin_search_sink sink = akin_cli_hits_sink;
        status = q->sets     ? akin_search_sets(job->context, index, q->sets, &o, sink, hits, report, error)
                 : q->matrix ? akin_search_vectors(job->context, index, q->matrix, &o, sink, hits, report, error)
                             : akin_search(job->context, index, q->columns, q->column_count, q->rows, &o, sink, hits,
                                           report, error);
        if (status == AKIN_E_CANCELLED && hits->error.code != AKIN_OK) {
            *error = hits->error; /* writing failed */
            status = error->code;
        } else if (status != AKIN_OK && q->table) {
            akin_cli_source_locate(q->table, request->queries, error);
        }
    }
    free(weights);
    return status;
}

/* Reads queries, or takes those of the command line. */
static akin_status read_queries(akin_cli_job *job, const akin_cli_search_request *request,
                                const akin_cli_reading *reading, akin_search_kind kind, akin_cli_typed *typed,
                                akin_cli_searched *queries, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (request->queries) {
        status = akin_cli_searched_read(job, reading, request->queries, request->format, queries, error);
        if (status != AKIN_OK && !reading->is_matrix && !reading->all)
            akin_cli_typed_advise(error);
        if (status != AKIN_OK && !reading->show_optional)
            akin_cli_indexed_advise(request->show, request->show_count, error);
        return status;
    }
    status = akin_cli_typed_make(request->arguments, request->query_option, typed, error);
    return status == AKIN_OK ? akin_cli_searched_type(job->context, typed, kind, queries, error) : status;
}

/* Reads queries, which the caller clears, searches for them, and writes the file. */
static akin_status read_and_search(akin_cli_job *job, const akin_cli_search_request *request,
                                   const akin_cli_reading *reading, const akin_search_statistics *about,
                                   akin_cli_searched *queries, akin_cli_hits *hits, akin_search_report *report,
                                   akin_error *error)
{
    akin_cli_typed typed = {0};
    akin_status status = akin_cli_job_open(job, request->shown[0], request->shown[1], &hits->output, error);
    if (status == AKIN_OK)
        status = read_queries(job, request, reading, about->kind, &typed, queries, error);
    if (status == AKIN_OK && request->truth)
        status = akin_cli_truth_read(job, request->truth, hits->index, queries, request->search.k, hits->truth, error);
    hits->shown = (akin_cli_shown){.format = request->format, .count = request->show_count, .names = request->show};
    hits->beside.path = request->queries;
    hits->beside.queries = (akin_cli_source){.rows = queries->rows, .table = queries->table};
    if (status == AKIN_OK)
        status = akin_cli_beside_read(job, &request->indexed, request->index, about->objects, &hits->beside,
                                      &hits->shown, error);
    if (status == AKIN_OK)
        status = akin_cli_hits_begin(hits, error);
    if (status == AKIN_OK)
        status = search_batches(job, request, queries, hits, report, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = akin_cli_job_commit(&hits->output, 1, error);
    else
        akin_output_discard(hits->output);
    if (status == AKIN_OK)
        status = akin_cli_job_show(job, error);
    if (status == AKIN_OK)
        akin_cli_job_wrote(job, request->output, hits->count, "results");
    akin_cli_hits_clear(hits);
    akin_cli_typed_clear(&typed);
    return status;
}

akin_status akin_cli_search_run(akin_cli_job *job, const akin_cli_search_request *request, int *refused,
                                akin_error *error)
{
    akin_search_statistics about = {.size = sizeof about};
    akin_search_report report = {.size = sizeof report};
    akin_cli_reading reading = {0};
    akin_cli_searched queries = {0};
    akin_cli_truth truth = {0};
    akin_search_index *index = NULL;
    akin_status status = akin_search_index_open(job->context, request->index, &index, error);
    if (status == AKIN_OK)
        status = akin_search_index_describe(index, &about, error);
    if (status == AKIN_OK)
        *refused = check_queries(request, &about, &reading);
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE) {
        akin_cli_hits hits = {.index = index,
                              .format = request->format,
                              .digits = request->digits,
                              .values = request->search.measure != AKIN_OVERLAP ? AKIN_HIT_SIMILARITY
                                                                                : facts_of(&about)->values,
                              .queries = &queries.names,
                              .truth = request->truth ? &truth : NULL};
        status = read_and_search(job, request, &reading, &about, &queries, &hits, &report, error);
        if (status == AKIN_OK && request->explain)
            akin_cli_search_explain(job->context, &about, &report);
        if (status == AKIN_OK && request->truth)
            akin_cli_truth_print(&truth);
    }
    akin_cli_truth_clear(&truth);
    akin_cli_searched_clear(&queries);
    akin_cli_reading_clear(&reading);
    akin_search_index_free(index);
    return status;
}
