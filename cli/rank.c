/* akin rank: the best documents of an index for each query. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "path.h"
#include "reading.h"

enum { TOP, ON, ID, INPUT, LOSSY, OUTPUT, FORMAT, TAG, QUIET, THREADS, DEVICE, DEVICE_MEMORY, MEMORY, OPTION_COUNT };

#define TREC "trec" /* lines of rankings, which are no table */

static const akin_cli_option options[OPTION_COUNT] = {
    [TOP] = {.heading = "What is found",
             .name = "top",
             .letter = 'k',
             .argument = "K",
             .help = "find at most K documents for each query (default: 10)"},
    [ON] = {.heading = "Queries",
            .name = "on",
            .argument = "COLUMNS",
            .help = "columns of a table that are the query, as A,B"},
    [ID] = {.name = "id", .argument = "COLUMN", .help = "the column that names queries; else they are rows"},
    [INPUT] = {.name = "input",
               .argument = "FORMAT",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "{}; if not given, what the name\n"
                       "of QUERIES ends in, else text, a query a line"},
    [LOSSY] = {.name = "lossy", .help = "read what is not UTF-8 as U+FFFD"},
    [OUTPUT] = {.heading = "Results",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "write to FILE, which appears whole or not at all;\n"
                        "standard output if it is - or not given"},
    [FORMAT] = {.name = "format",
                .argument = "RANKING",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .other = TREC,
                .help = "{}; if not given, what the name\n"
                        "of FILE ends in, else trec"},
    [TAG] = {.name = "tag", .argument = "NAME", .help = "what TREC's format calls the run (akin)"},
    [QUIET] = {.heading = "Running", .name = "quiet", .letter = 'q', .help = "show no progress"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use; as many as there are if not given"},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "cpu, cuda, cuda:N, or auto (the default): a GPU for\n"
                        "very many queries"},
    [DEVICE_MEMORY] = {.name = "device-memory",
                       .argument = "SIZE",
                       .help = "the most that a GPU may hold, at least 16M; if not\n"
                               "given, 15/16 of what is free there"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "bound of the heap, at least 16M; the index is mapped\n"
                        "and not in it"},
};

/* What was asked for. */
typedef struct rank_request {
    const char *index, *queries, *output, *tag;
    const char *shown[2]; /* output and format as they were given, for akin_cli_job_open */
    akin_cli_reading reading;
    akin_rank_options rank;
    int trec; /* or else: */
    akin_cli_format format;
} rank_request;

/* ---------------------------------------------------------------------------------------------------------- options */

static int check_reading(const akin_cli_arguments *arguments, rank_request *request)
{
    const akin_cli_reading_words words = {.input = arguments->value[INPUT][0],
                                          .on = arguments->value[ON][0],
                                          .id = arguments->value[ID][0],
                                          .tokens = "words", /* text, and not sets of ids */
                                          .lossy = arguments->value[LOSSY][0],
                                          .purpose = "ranked by"};
    akin_format format;
    if (words.input && akin_cli_option_format(&options[INPUT], words.input, &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    return akin_cli_reading_check(&words, request->queries, &request->reading);
}

/* Whether a name can be a field of TREC's format, which are between blanks. */
static int is_field(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] <= ' ')
            return 0;
    return length > 0;
}

static int check_output(const akin_cli_arguments *arguments, rank_request *request)
{
    const char *format = arguments->value[FORMAT][0];
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : "-";
    request->shown[0] = arguments->value[OUTPUT][0];
    request->shown[1] = format;
    int status = AKIN_CLI_DONE;
    if (akin_cli_path_same(request->index, request->output) || akin_cli_path_same(request->queries, request->output))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    if (!format || strcmp(format, TREC) != 0)
        status = akin_cli_format_check(&options[FORMAT], format, request->output, "results", &request->format);
    if (akin_cli_screen_wanted(request->shown[0], request->shown[1]))
        request->format = AKIN_FORMAT_CSV;
    request->trec = request->format == AKIN_FORMAT_AUTO;
    if (status != AKIN_CLI_DONE)
        return status;
    if (!is_field(request->tag, strlen(request->tag)))
        return akin_cli_refuse("--tag %s: expected a word without blanks and control characters",
                               akin_cli_word(request->tag));
    if (arguments->value[TAG][0] && !request->trec)
        return akin_cli_refuse("--tag %s: only TREC's format has one", request->tag);
    return akin_cli_path_check_output("output", request->output);
}

static int check(const akin_cli_arguments *arguments, rank_request *request)
{
    uint64_t k = request->rank.k;
    if (arguments->operand_count != 2)
        return akin_cli_refuse("expected an index and a file of queries, not %d files: akin rank INDEX QUERIES",
                               arguments->operand_count);
    request->index = arguments->operands[0];
    request->queries = arguments->operands[1];
    request->tag = arguments->value[TAG][0] ? arguments->value[TAG][0] : "akin";
    if (!*request->index || !*request->queries)
        return akin_cli_refuse("expected the name of a file, not an empty word");
    if (akin_cli_path_is_stdin(request->index) && akin_cli_path_is_stdin(request->queries))
        return akin_cli_refuse("%s and %s: standard input can be read only once", request->index, request->queries);
    if (arguments->value[TOP][0] && !akin_cli_read_u64(arguments->value[TOP][0], 1, UINT32_MAX, &k))
        return akin_cli_refuse("--top %s: expected a whole number from 1 to 4294967295",
                               akin_cli_word(arguments->value[TOP][0]));
    request->rank.k = (uint32_t)k;
    int status = check_reading(arguments, request);
    return status == AKIN_CLI_DONE ? check_output(arguments, request) : status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

typedef struct ranking {
    const rank_request *request;
    const akin_index *index;
    akin_cli_names names; /* of queries */
    akin_output *output;
    uint64_t count;       /* of the lines so far */
    uint32_t query, rank; /* of the line before */
    akin_cli_line line;
    akin_error error;
} ranking;

/* A name in TREC's format, which is fields between blanks, or in TSV, where these are tabs. */
static akin_status check_name(ranking *r, const char *what, const char *name, size_t length)
{
    const int is_trec = r->request->trec;
    if (is_trec ? is_field(name, length) : akin_cli_name_fits(name, length, r->request->format))
        return AKIN_OK;
    if (!is_trec)
        return akin_error_set(
            &r->error, AKIN_E_INPUT, AKIN_REASON_NONE,
            "%s '%.*s' has a tab or a line end, which TSV cannot hold: write to a .csv or .jsonl file", what,
            (int)(length < 200 ? length : 200), name);
    return akin_error_set(
        &r->error, AKIN_E_INPUT, AKIN_REASON_NONE,
        "%s '%.*s' has a blank, or nothing, which TREC's format cannot hold: write to a .csv, .tsv or .jsonl file",
        what, (int)(length < 200 ? length : 200), name);
}

static const char *name_document(const ranking *r, uint32_t document, char number[16], size_t *length)
{
    const char *name;
    if (akin_index_name(r->index, document, &name, length))
        return name;
    *length = (size_t)snprintf(number, 16, "%" PRIu32, document);
    return number;
}

static size_t put_text(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return length;
}

static akin_status write_line(ranking *r, const akin_ranking_hit *found)
{
    char numbers[2][16], rank[16], score[AKIN_CLI_NUMBER];
    size_t query_length, document_length, length = 0;
    const char *query = akin_cli_names_row(&r->names, found->query, numbers[0], &query_length);
    const char *document = name_document(r, found->document, numbers[1], &document_length);
    akin_status status = akin_cli_line_reserve(&r->line, query_length + document_length, strlen(r->request->tag) + 256,
                                               "a line", &r->error);
    if (status == AKIN_OK)
        status = check_name(r, "query", query, query_length);
    if (status == AKIN_OK)
        status = check_name(r, "document", document, document_length);
    if (status != AKIN_OK)
        return status;
    char *const line = r->line.text;
    const akin_cli_format format = r->request->format;
    const akin_cli_writer *w = akin_cli_writer_of(format);
    const int is_json = !r->request->trec && !w->separator;
    const char *gap = r->request->trec ? " " : akin_cli_between(w, "");
    const int bare_query = r->request->trec || !r->names.written,
              bare_document = r->request->trec || document == numbers[1];
    snprintf(rank, sizeof rank, "%" PRIu32, r->rank);
    akin_cli_format_double(score, found->score);
    length += put_text(line + length, is_json ? "{\"query\":" : "");
    if (bare_query) {
        memcpy(line + length, query, query_length);
        length += query_length;
    } else {
        length += akin_cli_name_write(line + length, query, query_length, format);
    }
    length += put_text(line + length, is_json ? ",\"document\":" : r->request->trec ? " Q0 " : gap);
    if (bare_document) {
        memcpy(line + length, document, document_length);
        length += document_length;
    } else {
        length += akin_cli_name_write(line + length, document, document_length, format);
    }
    length += put_text(line + length, is_json ? ",\"rank\":" : gap);
    length += put_text(line + length, rank);
    length += put_text(line + length, is_json ? ",\"score\":" : gap);
    length += put_text(line + length, score);
    length += put_text(line + length, r->request->trec ? " " : "");
    length += put_text(line + length, r->request->trec ? r->request->tag : is_json ? "}" : "");
    line[length++] = '\n';
    return akin_output_write(r->output, line, length, &r->error);
}

static int sink(void *user, const akin_ranking_hit *found, size_t count)
{
    ranking *r = user;
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < count && status == AKIN_OK; i++) {
        r->rank = i > 0 && found[i].query == found[i - 1].query ? r->rank + 1 : 1; /* a query is not cut in two */
        status = write_line(r, &found[i]);
    }
    r->count += count;
    return status != AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- work */

static akin_status rank_rows(akin_cli_job *job, const akin_table *table, uint32_t columns, ranking *r,
                             akin_error *error)
{
    akin_column texts[AKIN_CLI_COLUMNS];
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < columns && status == AKIN_OK; i++) {
        texts[i].size = sizeof texts[i];
        status = akin_table_column(table, i, &texts[i], error);
    }
    if (status == AKIN_OK)
        status = akin_rank(job->context, r->index, texts, columns, akin_table_rows(table), &r->request->rank, sink, r,
                           error);
    if (status == AKIN_E_CANCELLED && r->error.code != AKIN_OK) {
        *error = r->error; /* writing failed */
        status = error->code;
    }
    return status;
}

/* `r` and `*table` are to be cleared. */
static akin_status run_request(akin_cli_job *job, const rank_request *request, ranking *r, akin_index **index,
                               akin_table **table, akin_error *error)
{
    uint32_t columns = 0, id = 0;
    akin_status status = akin_cli_job_open(job, request->shown[0], request->shown[1], &r->output, error);
    if (status == AKIN_OK)
        status = akin_index_open(job->context, request->index, index, error);
    r->index = *index;
    if (status == AKIN_OK)
        status = akin_cli_source_table(job, &request->reading, request->queries, table, &columns, &id, error);
    if (status == AKIN_E_INPUT && *index)
        akin_cli_source_advise_lossy(error);
    if (status == AKIN_OK && request->reading.id && akin_table_rows(*table) > 0)
        status = akin_cli_names_add(job->context, request->queries, *table, id, AKIN_FORMAT_TEXT, &r->names, error);
    if (status == AKIN_OK && !request->trec) {
        char header[64];
        const char *end = akin_cli_put_header(header, akin_cli_writer_of(request->format), "query,document,rank,score");
        status = akin_output_write(r->output, header, (size_t)(end - header), error);
    }
    if (status == AKIN_OK && akin_table_rows(*table) > 0)
        status = rank_rows(job, *table, columns, r, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = akin_output_commit(r->output, error);
    else
        akin_output_discard(r->output);
    if (status == AKIN_OK)
        status = akin_cli_job_show(job, error);
    if (status == AKIN_OK)
        akin_cli_job_wrote(job, request->output, r->count, "results");
    return status;
}

static int run(const akin_cli_arguments *arguments)
{
    rank_request request = {.rank = AKIN_RANK_OPTIONS_INIT};
    const akin_cli_resources resources = {.threads = arguments->value[THREADS][0],
                                          .memory = arguments->value[MEMORY][0],
                                          .device = arguments->value[DEVICE][0],
                                          .device_memory = arguments->value[DEVICE_MEMORY][0]};
    akin_cli_job job;
    akin_error error;
    int status = check(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        ranking r = {.request = &request};
        akin_index *index = NULL;
        akin_table *table = NULL;
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = run_request(&job, &request, &r, &index, &table, &error);
        akin_index_free(index);
        akin_table_free(table);
        akin_cli_names_clear(&r.names);
        free(r.line.text);
        status = akin_cli_job_end(&job, done, &error);
    }
    akin_cli_reading_clear(&request.reading);
    return status;
}

const akin_cli_command akin_cli_rank = {
    .name = "rank",
    .summary = "find the best documents for queries, by term weights",
    .usage = "INDEX QUERIES [OPTION...]",
    .about =
        "Ranks the documents of INDEX, made by 'akin weigh --order term -o INDEX.akin',\n"
        "for each query of QUERIES: those of the highest score, the sum of what the\n"
        "query's words weigh in the document, are written, best first, ties by row. Words\n"
        "are made of queries as they were of documents. Exact: what is passed over could\n"
        "not have been among the best.\n",
    .notes =
        "Formats of results:\n"
        "  trec     lines of: query Q0 document rank score tag, for trec_eval\n"
        "  csv, tsv columns query, document, rank and score\n"
        "  jsonl    lines of JSON objects with these keys\n"
        "\n"
        "Examples:\n"
        "  akin weigh books.jsonl --on title,text --id isbn --stem english \\\n"
        "        --order term -o books.akin\n"
        "  akin rank books.akin questions.txt -k 3\n"
        "  akin rank books.akin topics.tsv --on title --id number -k 1000 -o run.trec\n"
        "  akin evaluate --trec run.trec qrels.txt\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
