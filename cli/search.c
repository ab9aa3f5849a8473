/* akin search: the objects of an index that have the most in common with queries, or are nearest to them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "path.h"
#include "searched.h"
#include "truth.h"

enum {
    BEST,
    MEASURE,
    LEAST,
    CANDIDATES,
    ONE_ROUND,
    RERANK,
    ON,
    ID,
    INPUT,
    LOSSY,
    TOLERANCE,
    WEIGHT,
    OUTPUT,
    OUTPUT_FORMAT,
    TRUTH,
    TECHNIQUE,
    LOAD_BALANCE,
    EXPLAIN,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [BEST] = {.heading = "What is found",
              .name = "best",
              .letter = 'k',
              .argument = "K",
              .help = "how many objects for each query, at most (10)"},
    [MEASURE] = {.name = "measure",
                 .argument = "MEASURE",
                 .help = "of sets and documents: count (the default), jaccard,\n"
                         "cosine or dice"},
    [LEAST] = {.name = "least",
               .argument = "N",
               .help = "leave out what counts less; 0 if not given, so that\n"
                       "there are K objects if the index has as many"},
    [CANDIDATES] = {.name = "candidates",
                    .argument = "K",
                    .help = "of sequences with n-grams: compare those K first that\n"
                            "have the most in common, and others where it is not\n"
                            "proven that these are the nearest"},
    [ONE_ROUND] = {.name = "one-round",
                   .help = "compare no others: what is not proven may be wrong,\n"
                           "and the results say so"},
    [RERANK] = {.name = "rerank",
                .argument = "N",
                .help = "of vectors: compare those N, or K if that is more, on\n"
                        "which most hash functions agree, and find the nearest\n"
                        "of them"},
    [TOLERANCE] = {.name = "tolerance",
                   .argument = "BINS",
                   .help = "of rows: intervals on either side of a number's that\n"
                           "count as well (50)"},
    [WEIGHT] = {.name = "weight",
                .argument = "COLUMN=N",
                .help = "of rows: how much a column counts, 1 if not given; it\n"
                        "may be given for several columns",
                .repeated = 1},
    [ON] = {.heading = "Queries",
            .name = "on",
            .argument = "COLUMNS",
            .help = "columns of a table that are the query, as A,B; of\n"
                    "rows all if not given, told by their names"},
    [ID] = {.name = "id", .argument = "COLUMN", .help = "the column that names queries; else they are rows"},
    [INPUT] = {.name = "input",
               .argument = "LAYOUT",
               .help = "text, csv, tsv or jsonl; of vectors and signatures u8,\n"
                       "f32, i32, npy, bvecs, fvecs or ivecs; if not given,\n"
                       "what the name of QUERIES ends in, else text, a query a\n"
                       "line"},
    [LOSSY] = {.name = "lossy", .help = "read what is not UTF-8 as U+FFFD"},
    [OUTPUT] = {.heading = "Results",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "write to FILE, which appears whole or not at all;\n"
                        "standard output if it is - or not given"},
    [OUTPUT_FORMAT] = {.name = "output-format",
                       .argument = "FORMAT",
                       .help = "csv, tsv or jsonl; if not given, what the name of FILE\n"
                               "ends in, else csv"},
    [TRUTH] = {.name = "truth",
               .argument = "FILE",
               .help = "the nearest that are known, by their rows: tell on\n"
                       "stderr the share of them that was found, and how much\n"
                       "farther away the others are"},
    [TECHNIQUE] = {.heading = "Running",
                   .name = "technique",
                   .argument = "HOW",
                   .help = "auto (the default), lists or scan: all find the same;\n"
                           "cpu-idx, and on a GPU cpq, spq and spq-scan, are a\n"
                           "paper's, and there to be compared with"},
    [LOAD_BALANCE] = {.name = "load-balance", .help = "cpq and spq split long lists, as in the paper"},
    [EXPLAIN] = {.name = "explain", .help = "tell on stderr what was chosen and done"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "show no progress"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use; as many as there are if not given"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "bound of what reading takes of the heap, at least 16M;\n"
                        "the index is mapped and not in it"},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "cpu, cuda, cuda:N, or auto (the default): a GPU\n"
                        "where that is predicted to be faster"},
    [DEVICE_MEMORY] = {.name = "device-memory",
                       .argument = "SIZE",
                       .help = "the most that a GPU may hold, at least 16M; if not\n"
                               "given, 15/16 of what is free there"},
};

/* What was asked for. */
typedef struct search_request {
    const char *index, *queries, *output, *truth;
    akin_cli_searched_words words;
    akin_search_options search;
    akin_cli_format format;
    int explain, tolerance;
    const char *weights[AKIN_CLI_REPEATED]; /* as given */
    uint32_t weight_count;
} search_request;

/* ---------------------------------------------------------------------------------------------------------- options */

static int check_output(const akin_cli_arguments *arguments, search_request *request)
{
    const char *format = arguments->value[OUTPUT_FORMAT][0];
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : "-";
    request->format = AKIN_CLI_CSV;
    if (format && !akin_cli_format_parse(format, &request->format))
        return akin_cli_refuse("--output-format %s: expected csv, tsv or jsonl", akin_cli_word(format));
    if (!format)
        akin_cli_format_guess(request->output, &request->format);
    if (akin_cli_path_same(request->index, request->output) || akin_cli_path_same(request->queries, request->output))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    request->truth = arguments->value[TRUTH][0];
    if (request->truth && akin_cli_path_same(request->truth, request->output))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    if (request->truth && akin_cli_truth_check(request->truth) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    return akin_cli_path_check_output("output", request->output);
}

static int check_measure(const char *measure, search_request *request)
{
    static const struct {
        const char *name;
        akin_measure measure;
    } measures[] = {{"count", AKIN_OVERLAP}, {"jaccard", AKIN_JACCARD}, {"cosine", AKIN_COSINE}, {"dice", AKIN_DICE}};
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (strcmp(measure, measures[i].name) == 0) {
            request->search.measure = measures[i].measure;
            return AKIN_CLI_DONE;
        }
    return akin_cli_refuse("--measure %s: expected count, jaccard, cosine or dice", akin_cli_word(measure));
}

static int check_search(const akin_cli_arguments *arguments, search_request *request)
{
    const char *best = arguments->value[BEST][0], *tolerance = arguments->value[TOLERANCE][0];
    const char *technique = arguments->value[TECHNIQUE][0], *least = arguments->value[LEAST][0];
    const char *candidates = arguments->value[CANDIDATES][0], *rerank = arguments->value[RERANK][0];
    uint64_t count = 0, compared = 0, reranked = 0, k = request->search.k, bins = request->search.tolerance;
    if (best && !akin_cli_read_u64(best, 1, UINT32_MAX, &k))
        return akin_cli_refuse("-k %s: expected a whole number from 1 to 4294967295", akin_cli_word(best));
    if (tolerance && !akin_cli_read_u64(tolerance, 0, UINT32_MAX, &bins))
        return akin_cli_refuse("--tolerance %s: expected a whole number from 0 to 4294967295",
                               akin_cli_word(tolerance));
    if (technique && akin_search_technique_parse(technique, &request->search.technique, NULL) != AKIN_OK)
        return akin_cli_refuse("--technique %s: expected auto, lists, scan, cpu-idx, cpq, spq or spq-scan",
                               akin_cli_word(technique));
    if (least && !akin_cli_read_u64(least, 0, UINT32_MAX, &count))
        return akin_cli_refuse("--least %s: expected a whole number from 0 to 4294967295", akin_cli_word(least));
    if (candidates && !akin_cli_read_u64(candidates, 1, UINT32_MAX, &compared))
        return akin_cli_refuse("--candidates %s: expected a whole number from 1 to 4294967295",
                               akin_cli_word(candidates));
    if (rerank && !akin_cli_read_u64(rerank, 1, UINT32_MAX, &reranked))
        return akin_cli_refuse("--rerank %s: expected a whole number from 1 to 4294967295", akin_cli_word(rerank));
    if (arguments->value[ONE_ROUND][0] && !candidates)
        return akin_cli_refuse("--one-round: is of candidates: expected --candidates K");
    request->search.load_balance = arguments->value[LOAD_BALANCE][0] != NULL;
    request->search.least = (uint32_t)count;
    request->search.candidates = (uint32_t)compared;
    request->search.rerank = (uint32_t)reranked;
    request->search.one_round = arguments->value[ONE_ROUND][0] != NULL;
    request->search.k = (uint32_t)k;
    request->search.tolerance = (uint32_t)bins;
    request->tolerance = tolerance != NULL;
    request->weight_count = akin_cli_repeated_values(arguments, WEIGHT, request->weights);
    request->explain = arguments->value[EXPLAIN][0] != NULL;
    return AKIN_CLI_DONE;
}

static int check(const akin_cli_arguments *arguments, search_request *request)
{
    const char *input = arguments->value[INPUT][0];
    if (arguments->operand_count != 2)
        return akin_cli_refuse("expected an index and a file of queries, not %d files: akin search INDEX QUERIES",
                               arguments->operand_count);
    request->index = arguments->operands[0];
    request->queries = arguments->operands[1];
    if (!*request->index || !*request->queries)
        return akin_cli_refuse("expected the name of a file, not an empty word");
    if (akin_cli_path_is_stdin(request->index) && akin_cli_path_is_stdin(request->queries))
        return akin_cli_refuse("%s and %s: standard input can be read only once", request->index, request->queries);
    if (akin_cli_searched_input(input) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    request->words = (akin_cli_searched_words){.input = input,
                                               .on = arguments->value[ON][0],
                                               .id = arguments->value[ID][0],
                                               .lossy = arguments->value[LOSSY][0],
                                               .purpose = "searched for"};
    int status = check_search(arguments, request);
    if (status == AKIN_CLI_DONE && arguments->value[MEASURE][0])
        status = check_measure(arguments->value[MEASURE][0], request);
    return status == AKIN_CLI_DONE ? check_output(arguments, request) : status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

typedef struct results {
    const search_request *request;
    const akin_search_index *index;
    enum {
        COUNTS,
        DISTANCES, /* with what proves them */
        SIMILARITIES,
        SHARES,    /* of functions that agree, */
        NEIGHBOURS /* and the distance that they tell of, or the true one */
    } values;
    akin_cli_searched queries; /* with their names */
    akin_cli_truth truth;      /* if it is known */
    akin_output *output;
    uint32_t rank; /* of the line before */
    char *line;
    size_t capacity;
    akin_error error;
} results;

static const char *certificate_name(akin_certificate certificate)
{
    return certificate == AKIN_CERTIFIED_BY_SCAN    ? "by scan"
           : certificate == AKIN_CERTIFIED_BY_COUNT ? "by count"
                                                    : "none";
}

static akin_status make_room(results *r, size_t names)
{
    const size_t needed = 6 * names + 256;
    char *moved = needed > r->capacity ? realloc(r->line, needed) : r->line;
    if (!moved) {
        snprintf(r->error.message, sizeof r->error.message, "not enough memory for a line");
        return r->error.code = AKIN_E_NOMEM;
    }
    r->capacity = needed > r->capacity ? needed : r->capacity;
    r->line = moved;
    return AKIN_OK;
}

static char *put_text(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

/* What stands before a value: what separates it from the one before, or its key. */
static char *put_before(const results *r, char *to, const char *key)
{
    const char *text = r->request->format == AKIN_CLI_CSV ? "," : r->request->format == AKIN_CLI_TSV ? "\t" : key;
    return put_text(to, text, strlen(text));
}

/* Puts a number, or if it is infinite nothing. */
static char *put_double(const results *r, char *to, const char *key, double value)
{
    char number[AKIN_CLI_NUMBER];
    to = put_before(r, to, key);
    if (!isfinite(value))
        return r->request->format == AKIN_CLI_JSONL ? put_text(to, "null", 4) : to;
    const size_t length = akin_cli_format_double(number, value);
    return put_text(to, number, length);
}

/* Puts what an object is found for. */
static char *put_value(const results *r, char *to, const akin_search_hit *hit)
{
    switch (r->values) {
    case COUNTS:
        return akin_cli_put_u32(put_before(r, to, ",\"count\":"), hit->count);
    case SIMILARITIES:
        return put_double(r, to, ",\"similarity\":", hit->similarity);
    case SHARES:
    case NEIGHBOURS:
        to = akin_cli_put_u32(put_before(r, to, ",\"count\":"), hit->count);
        to = put_double(r, to, ",\"similarity\":", hit->similarity);
        return r->values == SHARES ? to : put_double(r, to, ",\"distance\":", hit->distance);
    case DISTANCES:
        break;
    }
    const char *proof = certificate_name(hit->certificate);
    to = akin_cli_put_u32(put_before(r, to, ",\"distance\":"), hit->count);
    to = put_before(r, to, ",\"certificate\":");
    return to + akin_cli_name_write(to, proof, strlen(proof), r->request->format);
}

static akin_status write_line(results *r, const akin_search_hit *hit)
{
    const akin_cli_format format = r->request->format;
    char query_number[16];
    const char *object = NULL;
    size_t query_length, object_length = 0;
    const char *query = akin_cli_names_row(&r->queries.names, hit->query, query_number, &query_length);
    const int is_named = akin_search_index_name(r->index, hit->object, &object, &object_length);
    if (make_room(r, query_length + object_length) != AKIN_OK)
        return r->error.code;
    if (is_named && !akin_cli_name_fits(object, object_length, format)) {
        snprintf(r->error.message, sizeof r->error.message,
                 "object '%.*s' has a tab or a line end, which TSV cannot hold: write CSV or JSON lines",
                 (int)(object_length < 200 ? object_length : 200), object);
        return r->error.code = AKIN_E_INPUT;
    }
    char *to = r->line;
    if (format == AKIN_CLI_JSONL)
        to = put_text(to, "{\"query\":", 9);
    to = put_text(to, query, query_length); /* as the format has it */
    to = put_before(r, to, ",\"rank\":");
    to = akin_cli_put_u32(to, r->rank);
    to = put_before(r, to, ",\"id\":");
    if (is_named)
        to += akin_cli_name_write(to, object, object_length, format);
    else
        to = akin_cli_put_u32(to, hit->object);
    to = put_value(r, to, hit);
    if (format == AKIN_CLI_JSONL)
        *to++ = '}';
    *to++ = '\n';
    return akin_output_write(r->output, r->line, (size_t)(to - r->line), &r->error);
}

static int sink(void *user, const akin_search_hit *found, size_t count)
{
    results *r = user;
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < count && status == AKIN_OK; i++) {
        r->rank = i > 0 && found[i].query == found[i - 1].query ? r->rank + 1 : 1; /* a query is not cut in two */
        status = write_line(r, &found[i]);
    }
    if (status == AKIN_OK && r->request->truth)
        status = r->error.code = akin_cli_truth_add(&r->truth, found, count, &r->error);
    return status != AKIN_OK;
}

static akin_status write_header(results *r, akin_error *error)
{
    static const char *const headers[][2] = {
        [COUNTS] = {"query,rank,id,count\n", "query\trank\tid\tcount\n"},
        [DISTANCES] = {"query,rank,id,distance,certificate\n", "query\trank\tid\tdistance\tcertificate\n"},
        [SIMILARITIES] = {"query,rank,id,similarity\n", "query\trank\tid\tsimilarity\n"},
        [SHARES] = {"query,rank,id,count,similarity\n", "query\trank\tid\tcount\tsimilarity\n"},
        [NEIGHBOURS] = {"query,rank,id,count,similarity,distance\n", "query\trank\tid\tcount\tsimilarity\tdistance\n"}};
    if (r->request->format == AKIN_CLI_JSONL)
        return AKIN_OK;
    const char *header = headers[r->values][r->request->format == AKIN_CLI_TSV];
    return akin_output_write(r->output, header, strlen(header), error);
}

/* ---------------------------------------------------------------------------------------------------------- explain */

/* What was done, and where. */
static void explain_done(const akin_search_statistics *index, const akin_search_report *report)
{
    if (report->queries == 0) {
        fprintf(stderr, "%-11s nothing: there are no queries\n", "done");
        return;
    }
    fprintf(stderr, "%-11s %s, on ", "done", akin_search_technique_name(report->technique));
    if (report->device)
        fprintf(stderr, "GPU %" PRIu32, report->device - 1);
    else
        fprintf(stderr, "the CPU");
    if (report->parts > 1)
        fprintf(stderr, ", in %" PRIu32 " parts", report->parts);
    if (report->given_up)
        fprintf(stderr, ", as GPU %" PRIu32 " could not", report->given_up - 1);
    fprintf(stderr, "%s\n",
            report->device && index->kind == AKIN_KIND_SEQUENCES && report->technique != AKIN_SEARCH_SCAN
                ? "; candidates compared on the CPU"
                : "");
}

static void explain_functions(const akin_search_statistics *index)
{
    char number[AKIN_CLI_NUMBER];
    fprintf(stderr, " of %" PRIu32 " functions", index->functions);
    if (index->kind == AKIN_KIND_SIGNATURES)
        return;
    fprintf(stderr, " by %s", akin_family_name(index->family));
    if (index->width > 0 || index->sigma > 0) {
        const double value = index->width > 0 ? index->width : index->sigma;
        akin_cli_format_double(number, value);
        fprintf(stderr, ", %s %s", index->width > 0 ? "width" : "sigma", number);
    }
    if (index->kind == AKIN_KIND_VECTORS)
        fprintf(stderr, ", vectors %s", index->vectors > 0 ? "kept" : "not kept");
}

static void explain(const akin_search_statistics *index, const akin_search_report *report)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], c[AKIN_CLI_NUMBER];
    fprintf(stderr, "%-11s %s %s", "index", akin_cli_format_grouped(a, index->objects),
            akin_search_kind_name(index->kind));
    if (index->kind == AKIN_KIND_SEQUENCES)
        fprintf(stderr, ", of %s bytes at most", akin_cli_format_grouped(b, index->longest));
    else
        fprintf(stderr, ", %s keywords", akin_cli_format_grouped(b, index->keywords));
    if (index->functions > 0)
        explain_functions(index);
    else if (index->columns > 0)
        fprintf(stderr, " of %" PRIu32 " columns", index->columns);
    fprintf(stderr, ", %s\n", akin_cli_format_amount(c, (double)index->bytes, "B"));
    fprintf(stderr, "%-11s %s", "queries", akin_cli_format_grouped(a, report->queries));
    if (index->kind != AKIN_KIND_SEQUENCES)
        fprintf(stderr, ", %s items that objects may have", akin_cli_format_grouped(b, report->items));
    fprintf(stderr, "\n");
    if (report->seconds_lists > 0)
        fprintf(stderr, "%-11s for one thread: lists %.3f s", "weighed", report->seconds_lists);
    if (report->seconds_scan > 0)
        fprintf(stderr, ", scan %.3f s", report->seconds_scan);
    if (report->seconds_lists > 0)
        fprintf(stderr, "%s", report->seconds_scan > 0 || index->columns == 0 ? "" : "; a scan cannot count that");
    if (report->seconds_lists > 0 && report->seconds_device > 0)
        fprintf(stderr, "; a GPU %.3f s", report->seconds_device);
    if (report->seconds_lists > 0)
        fprintf(stderr, "\n");
    explain_done(index, report);
    if (index->kind == AKIN_KIND_SEQUENCES)
        fprintf(stderr, "%-11s %" PRIu32 " by count, %" PRIu32 " by scan, %" PRIu32 " not\n", "certified",
                report->by_count, report->by_scan, report->uncertified);
    fprintf(stderr, "%-11s %s\n", "found", akin_cli_format_grouped(a, report->found));
    if (report->query_bytes > 0) {
        fprintf(stderr, "%-11s %s on the GPU; %s counted again\n", "a query",
                akin_cli_format_amount(c, (double)report->query_bytes, "B"), akin_cli_format_grouped(a, report->again));
        fprintf(stderr, "%-11s transfer %.4f, match %.4f, select %.4f\n", "stages", report->seconds_transfer,
                report->seconds_match, report->seconds_select);
    }
    fprintf(stderr, "%-11s queries %.3f, search %.3f\n", "seconds", report->seconds_queries, report->seconds_search);
}

/* ------------------------------------------------------------------------------------------------------------- work */

static akin_status fail(akin_status status, akin_error *error, const char *message, const char *word)
{
    snprintf(error->message, sizeof error->message, "%s%.200s%s", word ? "--weight " : "", word ? word : "", message);
    return error->code = status;
}

/* Reads the weight of a column, as age=2, into its place. */
static akin_status read_weight(const char *word, const akin_cli_searched *queries, uint32_t *weights, akin_error *error)
{
    const char *equals = strrchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : 0;
    uint64_t weight = 0;
    if (!equals || !akin_cli_read_u64(equals + 1, 1, UINT32_MAX, &weight))
        return fail(AKIN_E_OPTION, error, ": expected a column and a whole number above 0, as age=2", word);
    for (uint32_t i = 0; i < queries->column_count; i++)
        if (strlen(queries->columns[i].name) == length && memcmp(queries->columns[i].name, word, length) == 0) {
            if (weights[i] > 0)
                return fail(AKIN_E_OPTION, error, ": the column has been given a weight before", word);
            weights[i] = (uint32_t)weight;
            return AKIN_OK;
        }
    fail(AKIN_E_OPTION, error, ": the queries have no such column; theirs are: ", word);
    for (uint32_t i = 0; i < queries->column_count; i++) {
        const size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used, "%s%.60s", i > 0 ? ", " : "",
                 queries->columns[i].name);
    }
    return AKIN_E_OPTION;
}

/* Weights of all columns, to be freed; NULL: there are none. */
static akin_status read_weights(const search_request *request, const akin_cli_searched *queries, uint32_t **weights,
                                akin_error *error)
{
    akin_status status = AKIN_OK;
    if (request->weight_count == 0)
        return status;
    *weights = calloc((size_t)queries->column_count + 1, sizeof **weights);
    if (!*weights)
        return fail(AKIN_E_NOMEM, error, "not enough memory for the weights", NULL);
    for (uint32_t i = 0; i < request->weight_count && status == AKIN_OK; i++)
        status = read_weight(request->weights[i], queries, *weights, error);
    for (uint32_t i = 0; i < queries->column_count; i++)
        (*weights)[i] += (*weights)[i] == 0;
    return status;
}

static akin_status search(akin_cli_job *job, results *r, akin_search_report *report, akin_error *error)
{
    const akin_cli_searched *q = &r->queries;
    akin_search_options o = r->request->search;
    uint32_t *weights = NULL;
    akin_status status = read_weights(r->request, q, &weights, error);
    o.weights = weights;
    if (status == AKIN_OK) {
        status = q->sets     ? akin_search_sets(job->context, r->index, q->sets, &o, sink, r, report, error)
                 : q->matrix ? akin_search_vectors(job->context, r->index, q->matrix, &o, sink, r, report, error)
                             : akin_search(job->context, r->index, q->columns, q->column_count, q->rows, &o, sink, r,
                                           report, error);
        if (status == AKIN_E_CANCELLED && r->error.code != AKIN_OK) {
            *error = r->error; /* writing failed */
            status = error->code;
        } else if (status != AKIN_OK && q->table) {
            akin_cli_source_locate(q->table, r->request->queries, error);
        }
    }
    free(weights);
    return status;
}

/* Options that only some kinds of indexes have a use for. Returns an exit status. */
static int check_kind(const search_request *request, const akin_search_statistics *about)
{
    const akin_search_kind kind = about->kind;
    const akin_search_options *o = &request->search;
    const int rows = kind == AKIN_KIND_ROWS, sequences = kind == AKIN_KIND_SEQUENCES;
    const int vectors = kind == AKIN_KIND_VECTORS, hashed = about->functions > 0;
    const struct {
        const char *option;
        int given, fits;
        const char *kinds;
    } checks[] = {
        {"tolerance", request->tolerance, rows, "rows"},
        {"weight", request->weight_count > 0, rows, "rows"},
        {"candidates", o->candidates > 0, sequences, "sequences"},
        {"least", o->least > 0, !sequences, "sets, documents, rows or vectors, which are counted"},
        {"measure", o->measure != AKIN_OVERLAP, kind == AKIN_KIND_SETS || kind == AKIN_KIND_DOCUMENTS,
         "sets or documents"},
        {"rerank", o->rerank > 0, vectors, "vectors"},
        {"truth", request->truth != NULL, sequences || hashed, "vectors, signatures, sets by MinHash or sequences"},
        {"technique scan", o->technique == AKIN_SEARCH_SCAN, rows || sequences || hashed, "rows, sequences or vectors"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].given && !checks[i].fits)
            return akin_cli_refuse("--%s: is for an index of %s, and %s is one of %s", checks[i].option,
                                   checks[i].kinds, akin_cli_path_name(request->index), akin_search_kind_name(kind));
    return AKIN_CLI_DONE;
}

/* What candidates of sequences take. */
static int check_candidates(const search_request *request, const akin_search_statistics *about)
{
    const akin_search_options *o = &request->search;
    if (about->kind != AKIN_KIND_SEQUENCES)
        return AKIN_CLI_DONE;
    if (o->candidates > 0 && about->ngram == 0)
        return akin_cli_refuse("--candidates: are told by n-grams, which %s has none of: make it with --ngram 3",
                               akin_cli_path_name(request->index));
    if (o->candidates > 0 && o->technique == AKIN_SEARCH_SCAN)
        return akin_cli_refuse("--technique scan: compares all sequences, and --candidates only some");
    if (o->candidates == 0 && o->technique == AKIN_SEARCH_LISTS)
        return akin_cli_refuse("--technique lists: is for candidates of sequences: expected --candidates K, too");
    return AKIN_CLI_DONE;
}

/* How queries are read depends on the index. Returns an exit status. */
static int check_queries(const search_request *request, const akin_search_statistics *about, akin_cli_reading *reading)
{
    int status = check_kind(request, about);
    if (status == AKIN_CLI_DONE)
        status = check_candidates(request, about);
    if (status != AKIN_CLI_DONE)
        return status;
    if (about->kind == AKIN_KIND_SETS && (request->words.on || request->words.id || request->words.lossy))
        return akin_cli_refuse("--%s: %s is an index of sets, and queries are lines of token ids",
                               request->words.on   ? "on"
                               : request->words.id ? "id"
                                                   : "lossy",
                               akin_cli_path_name(request->index));
    return akin_cli_searched_check(&request->words, about->kind, request->queries, reading);
}

/* Searches; *refused becomes an exit status if the command line does not fit the index. `r` and `*index` are to be cleared. */
static akin_status run_request(akin_cli_job *job, results *r, akin_search_index **index, int *refused,
                               akin_error *error)
{
    const search_request *request = r->request;
    akin_search_statistics about = {.size = sizeof about};
    akin_search_report report = {.size = sizeof report};
    akin_cli_reading reading = {0};
    akin_status status = akin_search_index_open(job->context, request->index, index, error);
    if (status == AKIN_OK)
        status = akin_search_index_describe(*index, &about, error);
    if (status != AKIN_OK)
        return status;
    r->index = *index;
    r->values = about.kind == AKIN_KIND_SEQUENCES         ? DISTANCES
                : about.kind == AKIN_KIND_SIGNATURES      ? SHARES
                : about.functions > 0                     ? NEIGHBOURS
                : request->search.measure != AKIN_OVERLAP ? SIMILARITIES
                                                          : COUNTS;
    *refused = check_queries(request, &about, &reading);
    if (*refused == AKIN_CLI_DONE) {
        status = akin_output_open(job->context, request->output, &r->output, error);
        if (status == AKIN_OK)
            status = akin_cli_searched_read(job, &reading, request->queries, request->format, &r->queries, error);
        if (status == AKIN_OK && request->truth)
            status = akin_cli_truth_read(job, request->truth, *index, &r->queries, request->search.k, &r->truth, error);
        if (status == AKIN_OK)
            status = write_header(r, error);
        if (status == AKIN_OK)
            status = search(job, r, &report, error);
        akin_cli_progress_clear(&job->progress);
        if (status == AKIN_OK)
            status = akin_output_commit(r->output, error);
        else
            akin_output_discard(r->output);
    }
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE && request->explain)
        explain(&about, &report);
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE && request->truth)
        akin_cli_truth_print(&r->truth);
    akin_cli_reading_clear(&reading);
    return status;
}

static int run(const akin_cli_arguments *arguments)
{
    search_request request = {.search = AKIN_SEARCH_OPTIONS_INIT};
    const akin_cli_resources resources = {.threads = arguments->value[THREADS][0],
                                          .memory = arguments->value[MEMORY][0],
                                          .device = arguments->value[DEVICE][0],
                                          .device_memory = arguments->value[DEVICE_MEMORY][0]};
    akin_cli_job job;
    akin_error error;
    int status = check(arguments, &request);
    if (status != AKIN_CLI_DONE)
        return status;
    results r = {.request = &request};
    akin_search_index *index = NULL;
    int refused = AKIN_CLI_DONE;
    akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
    if (done == AKIN_OK)
        done = run_request(&job, &r, &index, &refused, &error);
    akin_search_index_free(index);
    akin_cli_searched_clear(&r.queries);
    akin_cli_truth_clear(&r.truth);
    free(r.line);
    status = akin_cli_job_end(&job, done, &error);
    return refused != AKIN_CLI_DONE ? refused : status;
}

const akin_cli_command akin_cli_search = {
    .name = "search",
    .summary = "find the objects of an index that are most like queries",
    .usage = "INDEX QUERIES [OPTION...]",
    .about =
        "Finds, for each query of QUERIES, the objects of INDEX, made by 'akin index',\n"
        "that have the most keywords in common with it, or of sequences the nearest by\n"
        "edit distance: best first, ties by row. Exact, unless --one-round is given; but\n"
        "that vectors have the most hash functions in common tells only approximately\n"
        "that they are the nearest.\n",
    .notes =
        "Queries:\n"
        "  of sets       lines of token ids\n"
        "  of documents  texts, cut as those of the index were\n"
        "  of rows       rows of a table: a value, or of a column with numbers a number,\n"
        "                which stands for its interval and --tolerance intervals on either\n"
        "                side, or a range, as [20,30], [20,] or [,30]. An empty field asks\n"
        "                for nothing\n"
        "  of sequences  strings\n"
        "  of vectors    a matrix of as many columns; of signatures likewise\n"
        "\n"
        "Formats of results:\n"
        "  csv, tsv      columns query, rank, id and count, or similarity if --measure is\n"
        "                given; of sequences query, rank, id, distance and certificate; of\n"
        "                vectors and sets by MinHash query, rank, id, count, similarity, the\n"
        "                share of functions that agree, and distance, which that tells of,\n"
        "                or with --rerank the true one; of signatures all of these but that\n"
        "  jsonl         lines of JSON objects with these keys\n"
        "\n"
        "Neighbours that are known (--truth):\n"
        "  .ivecs, .npy  a row for each query: the rows of its neighbours, the nearest\n"
        "                first, K at least\n"
        "  .tsv, .csv, .jsonl\n"
        "                a table with columns query, rank and row, or id, numbers from 0 on,\n"
        "                and of sequences distance; as akin search writes it\n"
        "\n"
        "Certificates of sequences:\n"
        "  by scan       every sequence was compared, or ruled out by a bound\n"
        "  by count      no other one has n-grams enough in common to be as near\n"
        "  none          neither: there may be nearer ones\n"
        "\n"
        "Examples:\n"
        "  akin index titles.txt --kind documents -o titles.akin\n"
        "  akin search titles.akin questions.txt -k 5\n"
        "  akin search titles.akin questions.txt --measure jaccard -k 5\n"
        "  akin search images.akin asked.fvecs --rerank 100 --truth nearest.ivecs\n"
        "  akin search people.akin asked.csv --id number --tolerance 20 -o alike.csv\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
