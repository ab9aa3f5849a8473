/* akin weigh: how much each term of each document weighs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "job_file.h"
#include "path.h"
#include "weighing.h"
#include "writer.h"

enum {
    INPUT,
    TABLE,
    SQL,
    DOCUMENTS,
    ON,
    ID,
    TOKENS,
    IGNORE_CASE,
    STEM,
    STOP_WORDS,
    LOSSY,
    SKIP_BAD,
    BAD,
    DICTIONARY,
    UNKNOWN,
    FORMULA,
    K1,
    B,
    DELTA,
    STATISTICS,
    ORDER,
    OUTPUT,
    FORMAT,
    SAFE_CSV,
    REPLACE,
    SYNC,
    VOCABULARY,
    SAVE_STATISTICS,
    SUM,
    TECHNIQUE,
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

static const akin_cli_option options[OPTION_COUNT] = {
    [INPUT] = {.heading = "Documents",
               .name = "input",
               .argument = "FORMAT",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "{} (default: by the name of the file, else text)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [DOCUMENTS] = {AKIN_CLI_WEIGHED_DOCUMENTS},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help = "the columns of tables with the text, as A,B; each row\n"
                    "is a document"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "the column of tables with the ids of the documents\n"
                    "(default: numbers from 0)"},
    [TOKENS] = {AKIN_CLI_WEIGHED_TOKENS},
    [IGNORE_CASE] = {AKIN_CLI_WEIGHED_IGNORE_CASE},
    [STEM] = {AKIN_CLI_WEIGHED_STEM},
    [STOP_WORDS] = {AKIN_CLI_WEIGHED_STOP_WORDS},
    [LOSSY] = {AKIN_CLI_READING_LOSSY},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [DICTIONARY] = {AKIN_CLI_WEIGHED_DICTIONARY},
    [UNKNOWN] = {AKIN_CLI_WEIGHED_UNKNOWN},
    [FORMULA] = {.heading = "Weights", AKIN_CLI_WEIGHED_FORMULA},
    [K1] = {AKIN_CLI_WEIGHED_K1},
    [B] = {AKIN_CLI_WEIGHED_B},
    [DELTA] = {AKIN_CLI_WEIGHED_DELTA},
    [STATISTICS] = {.name = "statistics",
                    .argument = "FILE",
                    .help = "weigh by the statistics of a larger corpus that contains the documents: a table "
                            "with the columns term, documents and tokens"},
    [ORDER] = {.name = "order",
               .argument = "ORDER",
               .choices = "weight-orders",
               .help = "list by {} (default: document)"},
    [OUTPUT] =
        {.heading = "Results",
         .name = "output",
         .letter = 'o',
         .argument = "FILE",
         .written = 1,
         .help =
             "write the weights to FILE, which appears whole or not at all (default: -, standard output; nothing with "
             "--sum, --vocabulary or --save-statistics)"},
    [FORMAT] = {.name = "format",
                .argument = "MATRIX",
                .choices = "weights-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "{} (default: by the name of FILE, else tsv). SciPy reads npz"},
    [SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [VOCABULARY] =
        {.name = "vocabulary",
         .argument = "FILE",
         .written = 1,
         .help = "write the terms and the number of documents with each, as CSV if FILE ends in .csv, else as TSV "
                 "(default for matrices: NAME.vocabulary.tsv)"},
    [SAVE_STATISTICS] =
        {.name = "save-statistics",
         .argument = "FILE",
         .written = 1,
         .help = "write the statistics of the documents for --statistics, as CSV: the number of documents and of "
                 "tokens, and the number of documents with each term"},
    [SUM] = {.name = "sum", .help = "print totals, and the sum of all weights"},
    [TECHNIQUE] = {.heading = "Other options",
                   .name = "technique",
                   .argument = "HOW",
                   .choices = "weigh-techniques",
                   .help = "{} (default: auto, which is hash). "
                           "The last two reproduce a paper, on a GPU"},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [DEVICE] = {.name = "device", .argument = "NAME", .help = "auto, cpu, cuda or cuda:N (default: auto, the CPU)"},
    [DEVICE_MEMORY] = {AKIN_CLI_JOB_DEVICE_MEMORY},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap, at least 16M (default: none). " AKIN_CLI_JOB_SIZES},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

/* ---------------------------------------------------------------------------------------------------------- options */

static int check_weigh_options(const akin_cli_arguments *arguments, akin_cli_weighed *request)
{
    akin_weigh_options *weigh = &request->weigh;
    int order = (int)weigh->order, technique = (int)weigh->technique;
    if (akin_cli_option_take(&options[ORDER], arguments->value[ORDER][0], &order) != AKIN_CLI_DONE ||
        akin_cli_option_take(&options[TECHNIQUE], arguments->value[TECHNIQUE][0], &technique) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    weigh->order = (akin_weights_order)order;
    weigh->technique = (akin_weigh_technique)technique;
    return AKIN_CLI_DONE;
}

/* The name of a file beside another: its ending replaced by `ending`. */
static char *beside(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    for (size_t i = length; i > 0 && path[i - 1] != '/'; i--)
        if (path[i - 1] == '.') {
            length = i - 1;
            break;
        }
    char *name = malloc(length + tail + 1);
    if (name) {
        memcpy(name, path, length);
        memcpy(name + length, ending, tail + 1);
    }
    return name;
}

/* Names the files beside a matrix, which itself names nothing. */
static int check_beside(akin_cli_weighed *request)
{
    static const char *const endings[] = {".vocabulary.tsv", ".documents.tsv"};
    const akin_cli_reading *reading = &request->readings[0];
    const int is_named = reading->id || reading->format == AKIN_FORMAT_WHOLE;
    const int wanted[] = {!request->vocabulary, is_named};
    int status = AKIN_CLI_DONE;
    if (!request->output || strcmp(request->output, "-") == 0 ||
        (akin_choice_of_value("weights-formats", (int)request->format)->capabilities & AKIN_HAS_NAMES))
        return status;
    for (int i = 0; i < 2 && status == AKIN_CLI_DONE; i++) {
        if (!wanted[i])
            continue;
        request->beside[i] = beside(request->output, endings[i]);
        if (!request->beside[i]) {
            akin_cli_refuse("not enough memory for the command line");
            return AKIN_CLI_FAILED;
        }
        status = akin_cli_weighing_check_output("output", request->beside[i], request);
    }
    if (status == AKIN_CLI_DONE && request->vocabulary && request->beside[1] &&
        akin_cli_path_equal(request->vocabulary, request->beside[1]))
        return akin_cli_refuse("%s: the names of the documents are written there: expected another name",
                               request->vocabulary);
    return status;
}

/* Whether two outputs are one file, which may be standard output; NULL is none. */
static int is_one_file(const char *a, const char *b)
{
    return a && b && akin_cli_path_equal(a, b);
}

/* Statistics are written as CSV, to a file of their own; weights by statistics are in no .akin file. */
static int check_statistics(const akin_cli_weighed *request)
{
    const char *path = request->save_statistics;
    akin_format format = AKIN_FORMAT_CSV;
    if (request->statistics && request->output && request->format == AKIN_WEIGHTS_AKIN)
        return akin_cli_refuse(
            "--statistics: weights by the statistics of a corpus are not written to an .akin file: "
            "expected another format");
    if (!path)
        return AKIN_CLI_DONE;
    if (akin_format_of_name(path, &format, NULL) == AKIN_OK && format != AKIN_FORMAT_CSV)
        return akin_cli_refuse("--save-statistics %s: statistics are written as CSV: expected a name that ends in .csv",
                               path);
    if (request->sum && strcmp(path, "-") == 0)
        return akin_cli_refuse("--save-statistics -: standard output is that of --sum: expected the name of a file");
    if (is_one_file(path, request->output) || is_one_file(path, request->vocabulary))
        return akin_cli_refuse("%s: statistics need a file of their own", path);
    return akin_cli_weighing_check_output("save-statistics", path, request);
}

static int check_weigh_output(const akin_cli_arguments *arguments, akin_cli_weighed *request)
{
    const akin_choice *row;
    char ending[16];
    const char *output = arguments->value[OUTPUT][0], *format = arguments->value[FORMAT][0];
    request->sum = arguments->value[SUM][0] != NULL;
    request->vocabulary = arguments->value[VOCABULARY][0];
    request->save_statistics = arguments->value[SAVE_STATISTICS][0];
    request->output = output ? output : request->sum || request->vocabulary || request->save_statistics ? NULL : "-";
    request->format = AKIN_WEIGHTS_TSV;
    if (format && !request->output)
        return akin_cli_missing(&options[OUTPUT], "the file to write as %s", format);
    const akin_choice *saved = akin_cli_saved_of(output);
    if (saved && format)
        return akin_cli_refuse("--format %s and %s: that is %s: leave out --format, or name another file", format,
                               output, saved->name);
    int value = (int)(saved ? AKIN_WEIGHTS_CSV : request->format);
    if (akin_cli_option_take(&options[FORMAT], arguments->value[FORMAT][0], &value) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (uint32_t i = 0; !format && output && (row = akin_cli_option_row(&options[FORMAT], i)); i++) {
        snprintf(ending, sizeof ending, ".%s", row->name);
        if (akin_cli_path_ends(output, ending))
            value = row->value;
    }
    request->format = (akin_weights_format)value;
    request->safe = arguments->value[SAFE_CSV][0] != NULL;
    if (request->safe && !(request->output && value == AKIN_WEIGHTS_CSV && !saved) &&
        !(request->vocabulary && akin_cli_path_ends(request->vocabulary, ".csv")))
        return akin_cli_refuse(
            "--safe-csv: neither weights nor vocabulary are written as CSV: leave the option out, or "
            "write CSV");
    if (request->output && request->format == AKIN_WEIGHTS_AKIN && request->weigh.order == AKIN_WEIGHTS_BY_TERM)
        return akin_cli_refuse(
            "--order term: is not written to an .akin file; 'akin index --kind bm25' makes an index for rankings");
    if (request->sum && request->output && strcmp(request->output, "-") == 0)
        return akin_cli_missing(&options[OUTPUT], "--sum prints to standard output, where the weights are written");
    if (request->sum && request->vocabulary && strcmp(request->vocabulary, "-") == 0)
        return akin_cli_refuse("--vocabulary -: standard output is that of --sum: expected the name of a file");
    int status = request->output ? akin_cli_weighing_check_output("output", request->output, request) : AKIN_CLI_DONE;
    if (status == AKIN_CLI_DONE && request->vocabulary)
        status = akin_cli_weighing_check_output("vocabulary", request->vocabulary, request);
    if (status == AKIN_CLI_DONE && request->vocabulary && request->output &&
        akin_cli_path_equal(request->vocabulary, request->output))
        return akin_cli_refuse("%s: weights and vocabulary cannot be one file", request->output);
    if (status == AKIN_CLI_DONE)
        status = check_statistics(request);
    return status == AKIN_CLI_DONE ? check_beside(request) : status;
}

static int check_weigh(const akin_cli_arguments *arguments, akin_cli_weighed *request)
{
    const akin_cli_weighing_words words = akin_cli_weighing_words_of(&akin_cli_weigh, arguments, "weighed");
    request->paths = arguments->operands;
    request->path_count = arguments->operand_count;
    request->statistics = arguments->value[STATISTICS][0];
    int status = akin_cli_weighing_check(&words, request);
    if (status == AKIN_CLI_DONE)
        status = check_weigh_options(arguments, request);
    return status == AKIN_CLI_DONE ? check_weigh_output(arguments, request) : status;
}

static int run_weigh(const akin_cli_arguments *arguments)
{
    akin_cli_weighed request = {.weigh = AKIN_WEIGH_OPTIONS_INIT};
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
                                          .sync = arguments->value[SYNC][0] != NULL};
    akin_cli_job job;
    akin_error error;
    int status = check_weigh(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = akin_cli_weighed_run(&job, &request, &error);
        status = akin_cli_job_end(&job, done, &error);
    }
    akin_cli_weighing_clear(&request);
    free(request.beside[0]);
    free(request.beside[1]);
    return status == AKIN_CLI_DONE ? akin_cli_flush() : status;
}

const akin_cli_command akin_cli_weigh = {
    .name = "weigh",
    .summary = "compute the weights of the terms of documents",
    .usage = "FILE... [OPTION...]",
    .about =
        "Computes the weight of every term in every document by BM25. A term weighs more\n"
        "if it occurs more often in the document, and if fewer documents have it. The\n"
        "result is a sparse matrix of documents and terms.\n"
        "\n"
        "Documents of several files follow one another. To rank documents for queries,\n"
        "make an index with 'akin index --kind bm25'.\n",
    .notes =
        "Formulas:\n"
        "  paper          log(N / df) * (k1 + 1) * tf / (norm + tf)\n"
        "  robertson      log((N - df + 0.5) / (df + 0.5)) * tf / (norm + tf)\n"
        "  lucene         log(1 + (N - df + 0.5) / (df + 0.5)) * tf / (norm + tf)\n"
        "  atire          the same as paper\n"
        "  bm25+          log((N + 1) / df) * (delta + (k1 + 1) * tf / (norm + tf))\n"
        "  bm25l          log((N + 1) / (df + 0.5)) * (k1 + 1) * c / (k1 + c), where c is\n"
        "                 delta + tf / ((1 - b) + b * length / mean length)\n"
        "\n"
        "tf is the number of times that the term occurs in the document. N is the number\n"
        "of documents, and df the number of documents with the term. norm is\n"
        "k1 * ((1 - b) + b * length / mean length).\n"
        "\n"
        "What --sum prints:\n"
        "  documents      the number of documents\n"
        "  words          the number of tokens in all of them, without stop words\n"
        "  pairs          the number of pairs of a document and a term in it\n"
        "  terms          the number of distinct terms\n"
        "  weight         the sum of the weights of all pairs\n"
        "\n"
        "Examples:\n"
        "  akin weigh articles.txt --documents blank-line -o weights.npz\n"
        "      scipy.sparse.load_npz reads it\n"
        "  akin weigh mails.jsonl --on subject,body --id id -o weights.tsv\n"
        "  akin weigh books/*.txt --documents file --stem english -o books.npz\n"
        "  akin weigh titles.txt.zst --formula bm25+ --sum\n"
        "  akin weigh all.txt --save-statistics all.csv\n"
        "  akin weigh part.txt --statistics all.csv -o part.tsv\n"
        "      the weights that part.txt has in all.txt\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_weigh,
};
