/* akin rank: the best documents for each query, of an index or weighed at once. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "indexed.h"
#include "job_file.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "shown.h"
#include "typed.h"
#include "weighing.h"
#include "writer.h"

enum {
    TOP,
    QUERY,
    ON,
    ID,
    QUERY_ON,
    QUERY_ID,
    INPUT,
    TABLE,
    SQL,
    LOSSY,
    SKIP_BAD,
    BAD,
    DOCUMENTS,
    TOKENS,
    IGNORE_CASE,
    STEM,
    STOP_WORDS,
    FORMULA,
    K1,
    B,
    DELTA,
    OUTPUT,
    FORMAT,
    SAFE_CSV,
    REPLACE,
    SYNC,
    SHOW,
    INDEXED,
    DIGITS,
    TAG,
    VERIFY,
    QUIET,
    THREADS,
    DEVICE,
    DEVICE_MEMORY,
    MEMORY,
    LIMITS,
    JOB,
    SAVE_JOB,
    ALLOW_PATHS,
    OPTION_COUNT
};

#define TREC "trec" /* lines of rankings, which are no table */

static const akin_cli_option options[OPTION_COUNT] = {
    [TOP] = {.heading = "What is found",
             .name = "top",
             .letter = 'k',
             .argument = "K",
             .help = "find at most K documents for each query (default: 10)"},
    [QUERY] = {.heading = "Queries", .name = "query", .argument = "TEXT", .help = AKIN_CLI_QUERY_HELP, .repeated = 1},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help = "the columns of the queries and of the documents in tables, as A,B"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "the column with the ids of queries, and of documents\n"
                    "(default: row numbers)"},
    [QUERY_ON] = {.name = "query-on",
                  .argument = "COLUMNS",
                  .help = "the columns of QUERIES, if those of DOCUMENTS have other names"},
    [QUERY_ID] = {.name = "query-id",
                  .argument = "COLUMN",
                  .help = "the id column of QUERIES, if that of DOCUMENTS has another name"},
    [INPUT] =
        {.name = "input",
         .argument = "FORMAT",
         .choices = "table-formats",
         .capabilities = AKIN_CAN_READ,
         .help =
             "the format of the input: {} (default: by the name of the file, else text, with a query in each line)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [LOSSY] = {AKIN_CLI_READING_LOSSY},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [DOCUMENTS] = {.heading = "Documents in place of an index", AKIN_CLI_WEIGHED_DOCUMENTS},
    [TOKENS] = {AKIN_CLI_WEIGHED_TOKENS},
    [IGNORE_CASE] = {AKIN_CLI_WEIGHED_IGNORE_CASE},
    [STEM] = {AKIN_CLI_WEIGHED_STEM},
    [STOP_WORDS] = {AKIN_CLI_WEIGHED_STOP_WORDS},
    [FORMULA] = {AKIN_CLI_WEIGHED_FORMULA},
    [K1] = {AKIN_CLI_WEIGHED_K1},
    [B] = {AKIN_CLI_WEIGHED_B},
    [DELTA] = {AKIN_CLI_WEIGHED_DELTA},
    [OUTPUT] = {.heading = "Results",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .written = 1,
                .help = "write to FILE, which appears whole or not at all\n"
                        "(default: -, standard output)"},
    [FORMAT] = {.name = "format",
                .argument = "RANKING",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .other = TREC,
                .help = "{} (default: by the name of FILE, else trec)"},
    [SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [SHOW] = {.name = "show", .argument = "COLUMNS", .help = AKIN_CLI_SHOW_QUERIES_HELP},
    [INDEXED] = {AKIN_CLI_INDEXED_OPTION},
    [DIGITS] = {.name = "digits", .argument = "N", .help = AKIN_CLI_DIGITS_HELP},
    [TAG] = {.name = "tag", .argument = "NAME", .help = "the name of the run in TREC's format (default: akin)"},
    [VERIFY] = {.heading = "Running", AKIN_CLI_JOB_VERIFY},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "auto, cpu, cuda or cuda:N (default: auto, a GPU for very many queries)"},
    [DEVICE_MEMORY] = {AKIN_CLI_JOB_DEVICE_MEMORY},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap, at least 16M (default: none). The index is mapped, and only its tables "
                        "count. " AKIN_CLI_JOB_SIZES},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

/* The request of the command line. */
typedef struct rank_request {
    const akin_cli_arguments *arguments; /* for their queries */
    const char *index;                   /* NULL: documents are weighed */
    akin_cli_weighed weighed;
    const char *queries; /* NULL: they are typed */
    const char *output, *tag;
    const char *shown[2]; /* output and format as they were given, for akin_cli_job_open */
    akin_cli_reading reading;
    akin_rank_options rank;
    const char *show[AKIN_CLI_COLUMNS]; /* columns that results show, in `show_words` */
    char *show_words;
    akin_cli_indexed indexed; /* files with those of the documents */
    int digits;               /* of scores, behind the point; below 0: as few as read back */
    int trec;                 /* or else: */
    akin_cli_format format;
} rank_request;

/* ---------------------------------------------------------------------------------------------------------- options */

/* Whether a file is a table with columns, as its name or --input says. */
static int has_columns(const char *path, const char *input)
{
    akin_format format = AKIN_FORMAT_TEXT;
    if (input)
        akin_cli_table_format_parse(input, &format);
    else if (akin_format_of_name(path, &format, NULL) != AKIN_OK)
        return 0;
    return akin_cli_has_columns(format);
}

/* Checks documents in place of an index, and how they are weighed. */
static int check_documents(const akin_cli_arguments *arguments, rank_request *request)
{
    const char *path = arguments->operands[0], *input = arguments->value[INPUT][0];
    /* --on and --id belong to the file that is a table. If neither is one, the documents refuse them. */
    const int is_table = has_columns(path, input) || !request->queries || !has_columns(request->queries, input);
    akin_cli_weighing_words words = akin_cli_weighing_words_of(&akin_cli_rank, arguments, "ranked");
    if (!is_table)
        words.on = words.id = NULL;
    if (arguments->value[VERIFY][0])
        return akin_cli_refuse("--verify: is for an index, and the documents are at hand: leave it out");
    request->weighed.paths = arguments->operands;
    request->weighed.path_count = 1;
    request->weighed.weigh.order = AKIN_WEIGHTS_BY_TERM;
    return akin_cli_weighing_check(&words, &request->weighed);
}

/* An index says itself what is said of documents. */
static int check_index(const akin_cli_arguments *arguments, rank_request *request)
{
    static const int of_documents[] = {DOCUMENTS, TOKENS, IGNORE_CASE, STEM, STOP_WORDS, FORMULA, K1, B, DELTA};
    static const int of_queries[] = {QUERY_ON, QUERY_ID};
    request->index = arguments->operands[0];
    for (size_t i = 0; i < sizeof of_documents / sizeof *of_documents; i++)
        if (arguments->value[of_documents[i]][0])
            return akin_cli_refuse("--%s: is for documents, and the index %s says that itself",
                                   options[of_documents[i]].name, akin_cli_path_name(request->index));
    for (size_t i = 0; i < sizeof of_queries / sizeof *of_queries; i++)
        if (arguments->value[of_queries[i]][0])
            return akin_cli_refuse("--%s: is for queries beside documents; with an index, --%s is that of the queries",
                                   options[of_queries[i]].name, options[of_queries[i]].name + strlen("query-"));
    return AKIN_CLI_DONE;
}

static int check_queries(const akin_cli_arguments *arguments, rank_request *request)
{
    const char *input = arguments->value[INPUT][0], *on = arguments->value[ON][0], *id = arguments->value[ID][0];
    const char *const given[] = {on && request->index ? "on" : NULL,
                                 id && request->index ? "id" : NULL,
                                 input && request->index ? "input" : NULL,
                                 arguments->value[LOSSY][0] && request->index ? "lossy" : NULL,
                                 arguments->value[QUERY_ON][0] ? "query-on" : NULL,
                                 arguments->value[QUERY_ID][0] ? "query-id" : NULL};
    akin_format format;
    if (!request->queries)
        return akin_cli_typed_check(given, sizeof given / sizeof *given);
    if (akin_cli_path_is_saved(request->queries))
        return akin_cli_refuse("%s: is a file saved by akin; expected queries: akin rank INDEX QUERIES",
                               request->queries);
    const int is_table = request->index || has_columns(request->queries, input);
    const akin_cli_reading_words words = {.input = input,
                                          .on = arguments->value[QUERY_ON][0] ? arguments->value[QUERY_ON][0]
                                                : is_table                    ? on
                                                                              : NULL,
                                          .id = arguments->value[QUERY_ID][0] ? arguments->value[QUERY_ID][0]
                                                : is_table                    ? id
                                                                              : NULL,
                                          .tokens = "words", /* text, and not sets of ids */
                                          .lossy = arguments->value[LOSSY][0],
                                          .purpose = "ranked by"};
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

/* Where the documents are that results show columns of. Those in place of an index are at hand, and read again, but for
 * a pipe. */
static int check_indexed(const akin_cli_arguments *arguments, rank_request *request)
{
    akin_cli_indexed *indexed = &request->indexed;
    const char *documents = request->index ? NULL : arguments->operands[0];
    int status = akin_cli_indexed_check(arguments, INDEXED, request->queries, request->output, indexed);
    if (status == AKIN_CLI_DONE && indexed->count > 0 && documents)
        return akin_cli_refuse("--indexed: is for an index, and the documents are at hand: leave it out");
    if (status == AKIN_CLI_DONE && indexed->count > 0 && request->reading.show_count == 0)
        return akin_cli_missing(&options[SHOW], "the columns of the --indexed file that results show");
    if (status == AKIN_CLI_DONE && documents && !akin_cli_path_is_stdin(documents)) {
        status = akin_cli_indexed_take(documents, indexed);
        indexed->format = request->weighed.readings[0].format;
    }
    indexed->lossy = arguments->value[LOSSY][0] != NULL;
    request->reading.show_optional = indexed->count > 0 ? UINT64_MAX : 0;
    if (status == AKIN_CLI_DONE && !request->queries && request->reading.show_count > 0 && indexed->count == 0)
        return documents ? akin_cli_refuse(
                               "--show: queries of the command line have no columns; to show columns of the "
                               "documents expected a file of them")
                         : akin_cli_indexed_missing("queries of the command line");
    return status;
}

static int check_rank_output(const akin_cli_arguments *arguments, rank_request *request)
{
    const char *format = arguments->value[FORMAT][0];
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : "-";
    request->shown[0] = arguments->value[OUTPUT][0];
    request->shown[1] = format;
    if (akin_cli_check_digits(arguments->value[DIGITS][0], akin_cli_screen_wanted(request->shown[0], request->shown[1]),
                              &request->digits) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    int status = AKIN_CLI_DONE;
    if (akin_cli_path_same(arguments->operands[0], request->output) ||
        (request->queries && akin_cli_path_same(request->queries, request->output)))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    if (!format || strcmp(format, TREC) != 0 || akin_cli_saved_of(request->output))
        status = akin_cli_format_check(&options[FORMAT], format, request->output, "results", &request->format);
    if (akin_cli_screen_wanted(request->shown[0], request->shown[1]))
        request->format = AKIN_FORMAT_CSV;
    request->trec = request->format == AKIN_FORMAT_AUTO;
    if (request->trec && arguments->value[SAFE_CSV][0])
        return akin_cli_refuse("--safe-csv: rankings are written as trec: leave the option out, or write CSV");
    if (status == AKIN_CLI_DONE)
        status = akin_cli_safe_check(arguments->value[SAFE_CSV][0], request->output, &request->format);
    if (arguments->value[SHOW][0] &&
        akin_cli_split_columns("show", arguments->value[SHOW][0], &request->show_words, request->show,
                               &request->reading.show_count) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (request->trec && arguments->value[SHOW][0])
        return akin_cli_refuse("--show: TREC's format has no room for values: choose another --format, such as csv");
    request->reading.show = request->show;
    if (status == AKIN_CLI_DONE)
        status = check_indexed(arguments, request);
    if (status != AKIN_CLI_DONE)
        return status;
    if (!is_field(request->tag, strlen(request->tag)))
        return akin_cli_refuse("--tag %s: expected a word without blanks and control characters",
                               akin_cli_word(request->tag));
    if (arguments->value[TAG][0] && !request->trec)
        return akin_cli_refuse("--tag %s: only TREC's format has one", request->tag);
    return akin_cli_path_check_output("output", request->output);
}

static int check_rank(const akin_cli_arguments *arguments, rank_request *request)
{
    uint64_t k = request->rank.k;
    int status = akin_cli_typed_operands(arguments, QUERY, "rank", "INDEX", &request->queries);
    if (status != AKIN_CLI_DONE)
        return status;
    request->arguments = arguments;
    request->tag = arguments->value[TAG][0] ? arguments->value[TAG][0] : "akin";
    if (arguments->value[TOP][0] && !akin_cli_read_u64(arguments->value[TOP][0], 1, UINT32_MAX, &k))
        return akin_cli_refuse("--top %s: expected a whole number from 1 to 4294967295",
                               akin_cli_word(arguments->value[TOP][0]));
    request->rank.k = (uint32_t)k;
    status = akin_cli_path_holds_saved(arguments->operands[0]) ? check_index(arguments, request)
                                                               : check_documents(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_queries(arguments, request);
    return status == AKIN_CLI_DONE ? check_rank_output(arguments, request) : status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

#define AROUND 256 /* bytes of a line beside its names, at most */

typedef struct ranking {
    const rank_request *request;
    const akin_rank_index *index;
    akin_cli_names names;   /* of queries */
    akin_cli_beside beside; /* the columns that are shown */
    akin_cli_shown shown;
    akin_output *output;
    uint64_t count;                /* of the lines so far */
    const akin_ranking_hit *found; /* those at hand */
    akin_error error;
} ranking;

/* A name in TREC's format, which is fields between blanks, or in TSV, where these are tabs. */
static akin_status check_name(const ranking *r, const char *what, const char *name, size_t length, akin_error *error)
{
    const int is_trec = r->request->trec;
    if (is_trec ? is_field(name, length) : akin_cli_name_fits(name, length, r->request->format))
        return AKIN_OK;
    if (!is_trec)
        return akin_error_set(
            error, AKIN_E_INPUT, AKIN_REASON_NONE,
            "%s '%.*s' has a tab or a line end, which TSV cannot hold: write to a .csv or .jsonl file", what,
            (int)(length < 200 ? length : 200), name);
    return akin_error_set(
        error, AKIN_E_INPUT, AKIN_REASON_NONE,
        "%s '%.*s' has a blank, or nothing, which TREC's format cannot hold: write to a .csv, .tsv or .jsonl file",
        what, (int)(length < 200 ? length : 200), name);
}

static const char *name_document(const ranking *r, uint32_t document, char number[16], size_t *length)
{
    const char *name;
    if (akin_rank_index_name(r->index, document, &name, length))
        return name;
    *length = (size_t)snprintf(number, 16, "%" PRIu32, document);
    return number;
}

static char *put_text(char *to, const char *text)
{
    return akin_cli_put_bytes(to, text, strlen(text));
}

/* Puts a name: as it is where it is a number, was written before or stands in TREC's format. */
static char *put_name(char *to, const ranking *r, int is_bare, const char *name, size_t length)
{
    return is_bare ? akin_cli_put_bytes(to, name, length)
                   : to + akin_cli_name_write(to, name, length, r->request->format);
}

/* Puts a line behind what the lines have, as far as its score. */
static akin_status put_line(const ranking *r, const akin_ranking_hit *found, uint32_t rank, akin_lines *lines,
                            akin_error *error)
{
    char numbers[2][16], score[AKIN_CLI_NUMBER];
    size_t query_length, document_length;
    const char *query = akin_cli_names_row(&r->names, found->query, numbers[0], &query_length);
    const char *document = name_document(r, found->document, numbers[1], &document_length);
    akin_status status = check_name(r, "query", query, query_length, error);
    if (status == AKIN_OK)
        status = check_name(r, "document", document, document_length, error);
    if (status != AKIN_OK)
        return status;
    char *to = akin_lines_reserve(lines, 6 * (query_length + document_length) + AROUND);
    if (!to)
        return AKIN_E_NOMEM;
    const akin_cli_writer *w = akin_cli_writer_of(r->request->format);
    const int is_trec = r->request->trec, is_json = !is_trec && !w->separator;
    const char *gap = is_trec ? " " : akin_cli_between(w, "");
    to = put_text(to, is_json ? "{\"query\":" : "");
    to = put_name(to, r, is_trec || !r->names.written, query, query_length);
    to = put_text(to, is_json ? ",\"document\":" : is_trec ? " Q0 " : gap);
    to = put_name(to, r, is_trec || document == numbers[1], document, document_length);
    to = akin_digits_integer(put_text(to, is_json ? ",\"rank\":" : gap), rank);
    to = put_text(to, is_json ? ",\"score\":" : gap);
    const size_t length = akin_cli_format_rounded(score, found->score, r->request->digits);
    to = akin_cli_put_bytes(to, score, length);
    lines->length = (size_t)(to - lines->text);
    return AKIN_OK;
}

/* The rank of what was found: its place among all that was found for its query, which is at hand. */
static uint32_t rank_of(const akin_ranking_hit *found, uint64_t at)
{
    uint32_t rank = 1;
    for (; at > 0 && found[at - 1].query == found[at].query; at--)
        rank++;
    return rank;
}

/* Puts the end of a line, behind the values that are shown. */
static akin_status end_line(const ranking *r, akin_cli_shown *shown, const akin_ranking_hit *found, akin_lines *lines,
                            akin_error *error)
{
    const int is_trec = r->request->trec, is_json = !is_trec && !akin_cli_writer_of(r->request->format)->separator;
    const char *tag = is_trec ? r->request->tag : "";
    akin_status status = AKIN_OK;
    if (shown->count > 0) {
        const uint32_t rows[2] = {found->query, akin_cli_beside_row(&r->beside, found->document, shown)};
        status = akin_cli_shown_put(shown, rows, lines, AROUND, error);
    }
    char *to = status == AKIN_OK ? akin_lines_reserve(lines, strlen(tag) + AROUND) : NULL;
    if (!to)
        return status == AKIN_OK ? AKIN_E_NOMEM : status;
    to = put_text(put_text(to, is_trec ? " " : is_json ? "}" : ""), tag);
    *to++ = '\n';
    lines->length = (size_t)(to - lines->text);
    return AKIN_OK;
}

/* An akin_lines_format, whose user is a ranking. */
static akin_status format_ranked(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const ranking *r = user;
    akin_cli_shown shown = r->shown; /* with a line of its own */
    akin_status status = AKIN_OK;
    shown.line = (akin_cli_line){0};
    for (uint64_t i = begin, rank = rank_of(r->found, begin); i < end && status == AKIN_OK; i++) {
        const akin_ranking_hit *found = &r->found[i];
        rank = i == begin ? rank : found->query == found[-1].query ? rank + 1 : 1;
        status = put_line(r, found, (uint32_t)rank, lines, error);
        if (status == AKIN_OK)
            status = end_line(r, &shown, found, lines, error);
    }
    akin_cli_shown_clear(&shown);
    return status;
}

static int take_ranked(void *user, const akin_ranking_hit *found, size_t count)
{
    ranking *r = user;
    r->found = found;
    r->count += count;
    r->error.code = akin_output_write_rows(r->output, count, format_ranked, r, &r->error);
    return r->error.code != AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- work */

static akin_status rank_rows(akin_cli_job *job, const akin_column *texts, uint32_t columns, uint32_t rows, ranking *r,
                             akin_error *error)
{
    akin_status status =
        akin_rank(job->context, r->index, texts, columns, rows, &r->request->rank, take_ranked, r, error);
    if (status == AKIN_E_CANCELLED && r->error.code != AKIN_OK) {
        *error = r->error; /* writing failed */
        status = error->code;
    }
    return status;
}

/* The input of a request, which the caller clears. */
typedef struct rank_input {
    akin_rank_index *index;
    akin_table *table;
    akin_cli_typed typed;
    akin_column texts[AKIN_CLI_COLUMNS]; /* of queries */
    uint32_t columns, rows;
} rank_input;

/* Finds the columns that results show. */
static akin_status begin_shown(akin_cli_job *job, ranking *r, const rank_input *in, akin_error *error)
{
    const rank_request *request = r->request;
    const char *path = request->index ? request->index : request->weighed.paths[0];
    akin_rank_index_statistics about = {.size = sizeof about};
    r->beside.path = request->queries;
    r->beside.queries = (akin_cli_source){.rows = in->rows, .table = in->table};
    r->shown = (akin_cli_shown){
        .format = request->format, .count = request->reading.show_count, .names = request->reading.show};
    akin_status status = akin_rank_index_describe(in->index, &about, error);
    return status == AKIN_OK
               ? akin_cli_beside_read(job, &request->indexed, path, about.documents, &r->beside, &r->shown, error)
               : status;
}

/* Writes the names of the columns, if the format has them. */
static akin_status write_header(ranking *r, akin_error *error)
{
    akin_cli_header header = {0};
    const char *name;
    size_t length;
    const int is_named = akin_rank_index_name(r->index, 0, &name, &length);
    akin_cli_header_add(&header, "", "query", akin_cli_names_type(&r->names));
    akin_cli_header_add(&header, "", "document", is_named ? AKIN_CLI_TEXT : AKIN_CLI_INTEGER);
    akin_cli_header_add(&header, "", "rank", AKIN_CLI_INTEGER);
    akin_cli_header_add(&header, "", "score", AKIN_CLI_DOUBLE);
    akin_cli_shown_columns(&r->shown, NULL, &header);
    return akin_cli_header_write(&header, r->request->format, r->output, error);
}

static akin_status read_queries(akin_cli_job *job, const rank_request *request, ranking *r, rank_input *in,
                                akin_error *error)
{
    uint32_t id = 0;
    if (!request->queries) {
        akin_status status = akin_cli_typed_make(request->arguments, QUERY, &in->typed, error);
        in->texts[0] = in->typed.column;
        in->rows = in->typed.rows;
        in->columns = 1;
        return status;
    }
    akin_status status =
        akin_cli_source_table(job, &request->reading, request->queries, &in->table, &in->columns, &id, error);
    if (status == AKIN_E_INPUT)
        akin_cli_source_advise_lossy(error);
    if (status != AKIN_OK)
        akin_cli_typed_advise(error);
    if (status != AKIN_OK && request->index && !request->reading.show_optional)
        akin_cli_indexed_advise(request->show, request->reading.show_count, error);
    in->rows = status == AKIN_OK ? akin_table_rows(in->table) : 0;
    for (uint32_t i = 0; i < in->columns && in->rows > 0 && status == AKIN_OK; i++) {
        in->texts[i].size = sizeof in->texts[i];
        status = akin_table_column(in->table, i, &in->texts[i], error);
    }
    if (status == AKIN_OK && request->reading.id && in->rows > 0)
        status = akin_cli_names_add(job->context, request->queries, in->table, id, AKIN_FORMAT_TEXT, &r->names, error);
    return status;
}

/* The caller clears `r` and `in`. */
static akin_status run_rank_request(akin_cli_job *job, const rank_request *request, ranking *r, rank_input *in,
                                    akin_error *error)
{
    akin_status status = akin_cli_job_open(job, request->shown[0], request->shown[1], &r->output, error);
    if (status == AKIN_OK && request->index)
        status = akin_rank_index_open(job->context, request->index, &in->index, error);
    else if (status == AKIN_OK)
        status = akin_cli_weighed_index(job, &request->weighed, &in->index, error);
    r->index = in->index;
    if (status == AKIN_OK)
        status = read_queries(job, request, r, in, error);
    if (status == AKIN_OK)
        status = begin_shown(job, r, in, error);
    if (status == AKIN_OK && !request->trec)
        status = write_header(r, error);
    if (status == AKIN_OK && in->rows > 0)
        status = rank_rows(job, in->texts, in->columns, in->rows, r, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = akin_cli_job_commit(&r->output, 1, error);
    else
        akin_output_discard(r->output);
    if (status == AKIN_OK)
        status = akin_cli_job_show(job, error);
    if (status == AKIN_OK)
        akin_cli_job_wrote(job, request->output, r->count, "results");
    return status;
}

static int run_rank(const akin_cli_arguments *arguments)
{
    rank_request request = {.rank = AKIN_RANK_OPTIONS_INIT, .weighed = {.weigh = AKIN_WEIGH_OPTIONS_INIT}};
    const akin_cli_resources resources = {.threads = arguments->value[THREADS][0],
                                          .skip_bad = arguments->value[SKIP_BAD][0],
                                          .bad = arguments->value[BAD][0],
                                          .safe = arguments->value[SAFE_CSV][0] != NULL,
                                          .memory = arguments->value[MEMORY][0],
                                          .device = arguments->value[DEVICE][0],
                                          .device_memory = arguments->value[DEVICE_MEMORY][0],
                                          .arguments = arguments,
                                          .limits = LIMITS,
                                          .opener = arguments->opener,
                                          .saver = arguments->saver,
                                          .replaces = arguments->value[REPLACE][0] != NULL,
                                          .sync = arguments->value[SYNC][0] != NULL,
                                          .verify = arguments->value[VERIFY][0] != NULL};
    akin_cli_job job;
    akin_error error;
    int status = check_rank(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        ranking r = {.request = &request};
        rank_input in = {0};
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = run_rank_request(&job, &request, &r, &in, &error);
        akin_rank_index_free(in.index);
        akin_table_free(in.table);
        akin_cli_typed_clear(&in.typed);
        akin_cli_names_clear(&r.names);
        akin_cli_beside_clear(&r.beside);
        akin_cli_shown_clear(&r.shown);
        status = akin_cli_job_end(&job, done, &error);
    }
    free(request.show_words);
    akin_cli_indexed_clear(&request.indexed);
    akin_cli_reading_clear(&request.reading);
    akin_cli_weighing_clear(&request.weighed);
    return status;
}

const akin_cli_command akin_cli_rank = {
    .name = "rank",
    .summary = "find the best documents for queries, by term weights",
    .usage =
        "INDEX QUERIES [OPTION...]\n"
        "       akin rank INDEX --query TEXT [OPTION...]\n"
        "       akin rank DOCUMENTS QUERIES [OPTION...]",
    .about =
        "Finds the K documents with the highest scores for each query of QUERIES. 'akin\n"
        "index --kind bm25' makes INDEX. The score is the sum of the weights of the\n"
        "query's words in the document. The best documents come first, equal documents in\n"
        "the order of their rows. The answer is exact.\n"
        "\n"
        "With DOCUMENTS in place of INDEX, akin computes the weights first, and keeps no\n"
        "index. A file is an index if its name ends in .akin, if it begins like an index,\n"
        "or if it is a pipe. INDEX must not change meanwhile: if it does, akin ends with\n"
        "an error, and a file of -o keeps its old content.\n",
    .notes =
        "Formats of results:\n"
        "  trec           lines of: query Q0 document rank score tag, for trec_eval\n"
        "  csv, tsv       columns query, document, rank and score\n"
        "  jsonl          JSON objects with these keys, one a line\n"
        "\n"
        "Examples:\n"
        "  akin index books.jsonl --kind bm25 --on title,text --id isbn \\\n"
        "        --stem english -o books.akin\n"
        "  akin rank books.akin questions.txt -k 3\n"
        "  akin rank books.akin --query 'whales at sea'\n"
        "  akin rank books.jsonl questions.txt --on title,text --stem english\n"
        "  akin rank books.akin topics.tsv --on title --id number -k 1000 -o run.trec\n"
        "  akin evaluate --trec run.trec qrels.txt\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_rank,
};
