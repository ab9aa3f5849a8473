/* akin weigh: how much each term of each document weighs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "weighed.h"

enum {
    INPUT,
    DOCUMENTS,
    ON,
    ID,
    TOKENS,
    FOLD,
    STEM,
    STOP_WORDS,
    LOSSY,
    DICTIONARY,
    UNKNOWN,
    FORMULA,
    K1,
    B,
    DELTA,
    ORDER,
    OUTPUT,
    FORMAT,
    VOCABULARY,
    SUM,
    TECHNIQUE,
    QUIET,
    THREADS,
    DEVICE,
    DEVICE_MEMORY,
    MEMORY,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [INPUT] = {.heading = "Documents",
               .name = "input",
               .argument = "FORMAT",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "{}; if not given, what names of\n"
                       "files end in, else text"},
    [DOCUMENTS] = {.name = "documents",
                   .argument = "WHAT",
                   .choices = "documents",
                   .help = "what a document of text is, or ends at: {}; line is the default"},
    [ON] = {.name = "on", .argument = "COLUMNS", .help = "columns of tables that have the documents, a row each"},
    [ID] = {.name = "id", .argument = "COLUMN", .help = "the column of tables that names documents"},
    [TOKENS] = {.name = "tokens",
                .argument = "KIND",
                .choices = "tokens",
                .help = "words (letters and digits, folded; the default),\n"
                        "whitespace (runs of anything but white space),\n"
                        "qgrams:N or words:N"},
    [FOLD] = {.name = "fold", .help = "upper and lower case are one in every kind of tokens"},
    [STEM] = {.name = "stem",
              .argument = "LANGUAGE",
              .help = "words are stemmed by the rules of a language, such as\nenglish"},
    [STOP_WORDS] = {.name = "stop-words",
                    .argument = "LIST",
                    .choices = "stop-words",
                    .help = "words that are left out: those of a language, {}, or of a file, one a line"},
    [LOSSY] = {.name = "lossy", .help = "what is not UTF-8 is replaced, not refused"},
    [DICTIONARY] = {.name = "dictionary", .argument = "FILE", .help = "a fixed vocabulary, of akin dictionary build"},
    [UNKNOWN] = {.name = "unknown",
                 .argument = "WAY",
                 .choices = "unknown-terms",
                 .help = "terms that it lacks share one id (share, the default)\n"
                         "or are added to it (add)"},
    [FORMULA] = {.heading = "Weights",
                 .name = "formula",
                 .argument = "NAME",
                 .choices = "formulas",
                 .help = "{} (default: lucene)"},
    [K1] = {.name = "k1",
            .argument = "NUMBER",
            .help = "how soon a term has been said often enough, from 0 to\n1000000; 1.2"},
    [B] = {.name = "b", .argument = "NUMBER", .help = "how much long documents are held back, 0 to 1; 0.75"},
    [DELTA] = {.name = "delta", .argument = "NUMBER", .help = "of bm25+ (1 if not given) and bm25l (0.5)"},
    [ORDER] = {.name = "order",
               .argument = "ORDER",
               .choices = "weight-orders",
               .help = "document (the default): the terms of each document;\n"
                       "term: the documents of each, which akin rank needs"},
    [OUTPUT] = {.heading = "Results",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "write the weights to FILE, which appears whole or not\n"
                        "at all; - is standard output, also if neither this,\n"
                        "--sum nor --vocabulary is given"},
    [FORMAT] = {.name = "format",
                .argument = "MATRIX",
                .choices = "weights-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "{}; npz is SciPy's, mtx Matrix Market's;\n"
                        "if not given, what FILE ends in, else tsv"},
    [VOCABULARY] = {.name = "vocabulary",
                    .argument = "FILE",
                    .help = "write the terms, and in how many documents each is,\n"
                            "as CSV if FILE ends in .csv, else as TSV; beside\n"
                            "NAME.npz and NAME.mtx NAME.vocabulary.tsv has them if\n"
                            "this is not given"},
    [SUM] = {.name = "sum", .help = "print how much there is, and the sum of all weights"},
    [TECHNIQUE] = {.heading = "Other options",
                   .name = "technique",
                   .argument = "WAY",
                   .choices = "weigh-techniques",
                   .help = "{}; auto is the default, and hash; the others are a\n"
                           "paper's, on a GPU, to be compared with"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "show no progress"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use; as many as there are if not given"},
    [DEVICE] = {.name = "device", .argument = "NAME", .help = "cpu, cuda, cuda:N, or auto (the default): the CPU"},
    [DEVICE_MEMORY] = {.name = "device-memory",
                       .argument = "SIZE",
                       .help = "the most that a GPU may hold, at least 16M; if not\n"
                               "given, 15/16 of what is free there"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "bound of the heap, at least 16M. K, M, G, T are\n"
                        "powers of 1024 (512M is 512MiB), KB, MB, GB of 1000.\n"
                        "No bound if not given"},
};

/* ----------------------------------------------------------------------------------------------------------- options */

static int check_number(const char *option, const char *text, double *out)
{
    if (!text || akin_cli_read_double(text, out))
        return AKIN_CLI_DONE;
    return akin_cli_refuse("--%s %s: expected a number such as 1.2", option, akin_cli_word(text));
}

static int check_weights(const akin_cli_arguments *arguments, akin_cli_weighed *request)
{
    akin_weigh_options *weigh = &request->weigh;
    const char *delta = arguments->value[DELTA][0];
    char names[AKIN_CLI_HELP_BYTES];
    int formula = (int)weigh->formula, order = (int)weigh->order, unknown = (int)weigh->unknown;
    int technique = (int)weigh->technique;
    if (akin_cli_option_take(&options[FORMULA], arguments->value[FORMULA][0], &formula) != AKIN_CLI_DONE ||
        akin_cli_option_take(&options[ORDER], arguments->value[ORDER][0], &order) != AKIN_CLI_DONE ||
        akin_cli_option_take(&options[UNKNOWN], arguments->value[UNKNOWN][0], &unknown) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (arguments->value[UNKNOWN][0] && !request->dictionary)
        return akin_cli_refuse("--unknown %s: without --dictionary no term is unknown", arguments->value[UNKNOWN][0]);
    if (akin_cli_option_take(&options[TECHNIQUE], arguments->value[TECHNIQUE][0], &technique) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    weigh->formula = (akin_formula)formula;
    weigh->order = (akin_weights_order)order;
    weigh->unknown = (akin_unknown)unknown;
    weigh->technique = (akin_weigh_technique)technique;
    if (delta && !(akin_choice_of_value("formulas", formula)->capabilities & AKIN_TAKES_DELTA))
        return akin_cli_refuse("--delta %s: is for --formula %s", delta,
                               akin_cli_option_names(&options[FORMULA], AKIN_TAKES_DELTA, names));
    int status = check_number("k1", arguments->value[K1][0], &weigh->k1);
    if (status == AKIN_CLI_DONE)
        status = check_number("b", arguments->value[B][0], &weigh->b);
    return status == AKIN_CLI_DONE ? check_number("delta", arguments->value[DELTA][0], &weigh->delta) : status;
}

/* What a document is; of plain text only there is a choice. */
static int check_documents(const akin_cli_arguments *arguments, akin_cli_weighed *request)
{
    const char *documents = arguments->value[DOCUMENTS][0];
    const akin_choice *row = NULL;
    if (documents && akin_cli_option_choose(&options[DOCUMENTS], documents, &row) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (int i = 0; i < request->path_count; i++) {
        akin_cli_reading *reading = &request->readings[i];
        if (documents && reading->format != AKIN_FORMAT_TEXT)
            return akin_cli_refuse("--documents %s: %s is a table, each row of which is a document", documents,
                                   akin_cli_path_name(request->paths[i]));
        if (row)
            reading->format = (akin_format)row->value;
    }
    return AKIN_CLI_DONE;
}

static int check_reading(const akin_cli_arguments *arguments, akin_cli_weighed *request)
{
    const char *tokens = arguments->value[TOKENS][0];
    const akin_cli_reading_words words = {.input = arguments->value[INPUT][0],
                                          .on = arguments->value[ON][0],
                                          .id = arguments->value[ID][0],
                                          .tokens = tokens ? tokens : "words",
                                          .fold = arguments->value[FOLD][0],
                                          .lossy = arguments->value[LOSSY][0],
                                          .purpose = "weighed"};
    akin_cli_listed names;
    akin_format format;
    if (words.input && strcmp(words.input, "ids") == 0)
        return akin_cli_refuse("--input ids: token ids have no text: expected %s",
                               akin_cli_names_of("table-formats", AKIN_CAN_READ, &names));
    if (request->path_count == 0)
        return akin_cli_refuse("expected a file of documents, or - for standard input");
    if (words.input && akin_cli_option_format(&options[INPUT], words.input, &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (int i = 0; i < request->path_count; i++) {
        const char *path = request->paths[i];
        if (!*path)
            return akin_cli_refuse("expected the name of a file, not an empty word");
        int status = akin_cli_reading_check(&words, path, &request->readings[i]);
        if (status != AKIN_CLI_DONE)
            return status;
    }
    request->text = request->readings[0].text;
    if (request->weigh.stem && !akin_tokens_facts_of(request->text.tokens)->has_stems)
        return akin_cli_refuse("--stem %s: %s have no stems", request->weigh.stem,
                               akin_tokens_facts_of(request->text.tokens)->noun);
    return check_documents(arguments, request);
}

static int check_stem(const char *stem, akin_cli_weighed *request)
{
    char list[512] = "";
    size_t length = 0;
    request->weigh.stem = stem;
    for (const char *const *name = akin_stemmers(); stem && *name; name++) {
        if (strcmp(stem, *name) == 0)
            return AKIN_CLI_DONE;
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? " " : "", *name);
    }
    return stem ? akin_cli_refuse("--stem %s: expected one of these: %s", akin_cli_word(stem), list) : AKIN_CLI_DONE;
}

/* An output must replace nothing that is read. */
static int check_file(const char *option, const char *path, const akin_cli_weighed *request)
{
    const char *const others[] = {request->dictionary, request->stop_words};
    int status = akin_cli_path_check_output(option, path), read = 0;
    for (int i = 0; i < request->path_count; i++)
        read |= akin_cli_path_same(request->paths[i], path);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        read |= others[i] && akin_cli_path_same(others[i], path);
    return status == AKIN_CLI_DONE && read
               ? akin_cli_refuse("%s: is read and would be replaced: write to another file", path)
               : status;
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
        status = check_file("output", request->beside[i], request);
    }
    if (status == AKIN_CLI_DONE && request->vocabulary && request->beside[1] &&
        akin_cli_path_equal(request->vocabulary, request->beside[1]))
        return akin_cli_refuse("%s: the names of the documents are written there: expected another name",
                               request->vocabulary);
    return status;
}

/* Standard input is read once. */
static int check_standard(const akin_cli_weighed *request)
{
    const char *const others[] = {request->dictionary, request->stop_words};
    int count = 0;
    for (int i = 0; i < request->path_count; i++)
        if (akin_cli_path_is_stdin(request->paths[i]) && count++)
            return akin_cli_refuse("%s: standard input can be read only once", request->paths[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] && akin_cli_path_is_stdin(others[i]) && count++)
            return akin_cli_refuse("--%s %s: standard input can be read only once", i ? "stop-words" : "dictionary",
                                   others[i]);
    return AKIN_CLI_DONE;
}

static int check_output(const akin_cli_arguments *arguments, akin_cli_weighed *request)
{
    const akin_choice *row;
    char ending[16];
    const char *output = arguments->value[OUTPUT][0], *format = arguments->value[FORMAT][0];
    request->sum = arguments->value[SUM][0] != NULL;
    request->vocabulary = arguments->value[VOCABULARY][0];
    request->output = output ? output : request->sum || request->vocabulary ? NULL : "-";
    request->format = AKIN_WEIGHTS_TSV;
    if (format && !request->output)
        return akin_cli_refuse("--format %s: nothing is written: expected -o FILE", format);
    int value = (int)request->format;
    if (akin_cli_option_take(&options[FORMAT], arguments->value[FORMAT][0], &value) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (uint32_t i = 0; !format && output && (row = akin_cli_option_row(&options[FORMAT], i)); i++) {
        snprintf(ending, sizeof ending, ".%s", row->name);
        if (akin_cli_path_ends(output, ending))
            value = row->value;
    }
    request->format = (akin_weights_format)value;
    if (request->sum && request->output && strcmp(request->output, "-") == 0)
        return akin_cli_refuse("--sum: standard output is that of the weights: expected -o FILE");
    if (request->sum && request->vocabulary && strcmp(request->vocabulary, "-") == 0)
        return akin_cli_refuse("--vocabulary -: standard output is that of --sum: expected the name of a file");
    int status = request->output ? check_file("output", request->output, request) : AKIN_CLI_DONE;
    if (status == AKIN_CLI_DONE && request->vocabulary)
        status = check_file("vocabulary", request->vocabulary, request);
    if (status == AKIN_CLI_DONE && request->vocabulary && request->output &&
        akin_cli_path_equal(request->vocabulary, request->output))
        return akin_cli_refuse("%s: weights and vocabulary cannot be one file", request->output);
    return status == AKIN_CLI_DONE ? check_beside(request) : status;
}

static int check(const akin_cli_arguments *arguments, akin_cli_weighed *request)
{
    request->paths = arguments->operands;
    request->path_count = arguments->operand_count;
    request->dictionary = arguments->value[DICTIONARY][0];
    request->stop_words = arguments->value[STOP_WORDS][0];
    request->readings = calloc((size_t)request->path_count + 1, sizeof *request->readings);
    if (!request->readings) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    if (request->stop_words && !*request->stop_words)
        return akin_cli_refuse("--stop-words '': expected a language, such as english, or a file");
    int status = check_stem(arguments->value[STEM][0], request);
    if (status == AKIN_CLI_DONE)
        status = check_standard(request);
    if (status == AKIN_CLI_DONE)
        status = check_reading(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_weights(arguments, request);
    return status == AKIN_CLI_DONE ? check_output(arguments, request) : status;
}

static int run(const akin_cli_arguments *arguments)
{
    akin_cli_weighed request = {.weigh = AKIN_WEIGH_OPTIONS_INIT};
    const akin_cli_resources resources = {.threads = arguments->value[THREADS][0],
                                          .memory = arguments->value[MEMORY][0],
                                          .device = arguments->value[DEVICE][0],
                                          .device_memory = arguments->value[DEVICE_MEMORY][0]};
    akin_cli_job job;
    akin_error error;
    int status = check(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = akin_cli_weighed_run(&job, &request, &error);
        status = akin_cli_job_end(&job, done, &error);
    }
    for (int i = 0; i < request.path_count && request.readings; i++)
        akin_cli_reading_clear(&request.readings[i]);
    free(request.readings);
    free(request.beside[0]);
    free(request.beside[1]);
    return status == AKIN_CLI_DONE ? akin_cli_flush() : status;
}

const akin_cli_command akin_cli_weigh = {
    .name = "weigh",
    .summary = "weigh the terms of documents, as search engines do",
    .usage = "FILE... [OPTION...]",
    .about =
        "Weighs every term of every document: the more often it is there, and the fewer\n"
        "documents have it, the more (BM25). What comes of it is a sparse matrix of\n"
        "documents and terms, which ranks documents, finds their topics, or is learnt\n"
        "from. Documents of several files follow one another.\n",
    .notes =
        "Formulas:\n"
        "  paper      log(N / df) * (k1 + 1) * tf / (norm + tf)\n"
        "  robertson  log((N - df + 0.5) / (df + 0.5)) * tf / (norm + tf)\n"
        "  lucene     log(1 + (N - df + 0.5) / (df + 0.5)) * tf / (norm + tf)\n"
        "  atire      the same as paper\n"
        "  bm25+      log((N + 1) / df) * (delta + (k1 + 1) * tf / (norm + tf))\n"
        "  bm25l      log((N + 1) / (df + 0.5)) * (k1 + 1) * c / (k1 + c), where c is\n"
        "             delta + tf / ((1 - b) + b * length / mean length)\n"
        "\n"
        "There tf is how often the term is in the document, df in how many of the N\n"
        "documents it is, and norm = k1 * ((1 - b) + b * length / mean length).\n"
        "\n"
        "What --sum prints:\n"
        "  documents  how many there are\n"
        "  words      tokens of all of them, without stop words\n"
        "  pairs      of a document and a term that is in it\n"
        "  terms      distinct ones\n"
        "  weight     the sum of the weights of all pairs\n"
        "\n"
        "Examples:\n"
        "  akin weigh articles.txt --documents blank-line -o weights.npz\n"
        "      scipy.sparse.load_npz reads it\n"
        "  akin weigh mails.jsonl --on subject,body --id id -o weights.tsv\n"
        "  akin weigh books/*.txt --documents file --stem english --order term \\\n"
        "      -o books.akin --stop-words english\n"
        "  akin weigh titles.txt.zst --formula lucene --sum\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
