/* akin corpus: cleans collections of documents. */
#define _POSIX_C_SOURCE 200809L

#include "corpus.h"

#include <stdlib.h>
#include <string.h>

#include "job_file.h"
#include "kept.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "shards.h"
#include "table.h"
#include "threshold.h"
#include "unknown.h"

enum {
    MEASURE,
    TOKENS,
    KEEP,
    WITHIN,
    ACROSS,
    IGNORE_FREQUENT,
    COMPONENTS,
    INPUT,
    TABLE,
    SQL,
    ON,
    ID,
    LOSSY,
    SKIP_BAD,
    BAD,
    KEPT,
    REMOVED,
    FORMAT,
    SAFE_CSV,
    REPLACE,
    SYNC,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    LIMITS,
    JOB,
    SAVE_JOB,
    ALLOW_PATHS,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [MEASURE] = {.heading = "Alike means (default: --jaccard 0.8)",
                 .argument = "T",
                 .choices = "measures",
                 .capabilities = AKIN_FOR_JOIN},
    [TOKENS] = {.name = "tokens",
                .argument = "KIND",
                .choices = "tokens",
                .help = "what a document is a set of: {} (default: words:5, every 5 words in a row). A document of "
                        "fewer words is one token"},
    [KEEP] = {.heading = "Documents that are compared",
              .name = "keep",
              .argument = "WHICH",
              .choices = "keeps",
              .other = "COLUMN[:desc]",
              .help = "which of two documents is kept: {} (default: first). COLUMN prefers the lesser value, "
                      "COLUMN:desc the greater one; numbers count as numbers. Ties: the lesser --id, else the first"},
    [WITHIN] = {.name = "within",
                .argument = "COLUMN",
                .may_lack = 1,
                .help = "compare only documents that have the same value in COLUMN, such as the source; without "
                        "COLUMN, only documents of one file"},
    [ACROSS] = {.name = "across",
                .argument = "COLUMN",
                .may_lack = 1,
                .help = "compare only documents that have different values in COLUMN; without COLUMN, only documents "
                        "of different files"},
    [IGNORE_FREQUENT] = {.name = "ignore-frequent",
                         .argument = "N",
                         .help = "leave out tokens that are in more than N documents, such as menus and licences "
                                 "(default: none)"},
    [COMPONENTS] = {.name = "components",
                    .help = "keep one document of each chain of documents that are alike, instead of what a kept "
                            "document is alike to. Removed documents need not be like their survivors"},
    [INPUT] = {.heading = "Input",
               .name = "input",
               .argument = "FORMAT",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "{} (default: by the ending of each name)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help = "the columns with the text, as A,B (default: text). The values of several are one text, with "
                    "blanks between"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "the column that names documents in results (default: their numbers from 0 on; of several files "
                    "FILE:NUMBER)"},
    [LOSSY] = {AKIN_CLI_READING_LOSSY},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [KEPT] = {.heading = "Output (default: the numbers of documents, kept and removed)",
              .name = "kept",
              .argument = "FILE",
              .written = 1,
              .help = "write to FILE the documents that are kept, as they stand in the input. Of several files, "
                      "FILE is a folder that gets files of the same names, and a job that was stopped goes on"},
    [REMOVED] = {.name = "removed",
                 .argument = "FILE",
                 .written = 1,
                 .help = "write to FILE a row for each removed document: its id, that of its survivor, their "
                         "similarity, and how many tokens they have in common"},
    [FORMAT] = {.name = "format",
                .argument = "FORMAT",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "the format of --removed: {} (default: as its name ends, else csv)"},
    [SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap, at least 16M (default: none). The rest goes to temporary files in "
                        "$TMPDIR. " AKIN_CLI_JOB_SIZES},
    [DEVICE] = {.name = "device", .argument = "NAME", .help = "auto or cpu (default: auto)"},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

/* ---------------------------------------------------------------------------------------------------------- options */

/* The measure and its threshold. */
static int check_measure(const akin_cli_arguments *arguments, akin_duplicates_options *find)
{
    const char *text = arguments->value[MEASURE][0], *name = arguments->value[MEASURE][1];
    const akin_choice *measure = NULL;
    akin_error error;
    if (!text)
        return AKIN_CLI_DONE;
    if (akin_choice_find("measures", name, &measure, &error) != AKIN_OK || !measure)
        return akin_cli_fail(&error);
    find->measure = (uint32_t)measure->value;
    return akin_cli_threshold_check(measure, text, &find->threshold);
}

/* Which document is kept: a row of the table, or a column. */
static int check_keep(const char *text, akin_cli_near_request *request)
{
    static const char rising[] = ":asc", falling[] = ":desc";
    const akin_choice *row = NULL;
    char names[AKIN_CLI_HELP_BYTES];
    akin_error error;
    if (!text)
        return AKIN_CLI_DONE;
    if (akin_choice_find(options[KEEP].choices, text, &row, &error) == AKIN_OK && row) {
        request->find.keep = (uint32_t)row->value;
        return AKIN_CLI_DONE;
    }
    request->words = strdup(text);
    if (!request->words) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    char *column = request->words;
    const int falls = akin_cli_path_ends(column, falling), rises = akin_cli_path_ends(column, rising);
    if (falls || rises)
        column[strlen(column) - (falls ? sizeof falling : sizeof rising) + 1] = '\0';
    if (!*column)
        return akin_cli_refuse("--keep %s: expected %s", akin_cli_word(text),
                               akin_cli_option_names(&options[KEEP], 0, names));
    request->find.keep = falls ? AKIN_KEEP_GREATEST : AKIN_KEEP_LEAST;
    request->preference = (int)request->reading.show_count;
    request->column_options[request->preference] = options[KEEP].name;
    request->columns[request->reading.show_count++] = column;
    return AKIN_CLI_DONE;
}

/* Which documents are compared. */
static int check_sources(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    const char *within = arguments->value[WITHIN][0], *across = arguments->value[ACROSS][0];
    const char *column = within ? within : across;
    if (within && across)
        return akin_cli_refuse("--within and --across: expected one of them");
    if (!column)
        return AKIN_CLI_DONE;
    request->find.comparing = within ? AKIN_COMPARE_WITHIN : AKIN_COMPARE_ACROSS;
    request->files_are_sources = column == akin_cli_lacking;
    if (request->files_are_sources)
        return AKIN_CLI_DONE;
    if (request->preference >= 0 && strcmp(column, request->columns[request->preference]) == 0) {
        request->source = request->preference;
        return AKIN_CLI_DONE;
    }
    request->source = (int)request->reading.show_count;
    request->column_options[request->source] = options[within ? WITHIN : ACROSS].name;
    request->columns[request->reading.show_count++] = column;
    return AKIN_CLI_DONE;
}

static int check_paths(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    int inputs = 0;
    request->paths = arguments->operands + 1;
    request->path_count = arguments->operand_count - 1;
    if (request->path_count == 0)
        return akin_cli_refuse("expected files: akin corpus near-duplicates FILE...");
    for (int i = 0; i < request->path_count; i++) {
        if (!request->paths[i][0])
            return akin_cli_refuse("expected the name of a file, not an empty word");
        inputs += akin_cli_path_is_stdin(request->paths[i]);
    }
    return inputs > 1 ? akin_cli_refuse("- and -: standard input can be read only once") : AKIN_CLI_DONE;
}

/* How the documents are read. What `columns` names is read, too. */
static int check_reading(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    akin_cli_reading *reading = &request->reading;
    akin_format format = AKIN_FORMAT_AUTO;
    const char *input = arguments->value[INPUT][0];
    if (input && akin_cli_option_format(&options[INPUT], input, &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    const akin_cli_reading_words words = {.input = input,
                                          .on = arguments->value[ON][0] ? arguments->value[ON][0] : "text",
                                          .id = arguments->value[ID][0],
                                          .tokens =
                                              arguments->value[TOKENS][0] ? arguments->value[TOKENS][0] : "words:5",
                                          .lossy = arguments->value[LOSSY][0],
                                          .strings = options[ON].name};
    int status = AKIN_CLI_DONE;
    for (int i = request->path_count - 1; i >= 0 && status == AKIN_CLI_DONE; i--) { /* the first one's stays */
        akin_cli_reading_clear(reading);
        status = akin_cli_reading_check(&words, request->paths[i], reading);
    }
    reading->by_name = !input && (reading->by_name || request->path_count > 1);
    reading->more = request->paths + 1;
    reading->more_count = (uint32_t)request->path_count - 1;
    reading->show = request->columns;
    reading->show_options = request->column_options;
    reading->keep_lines = 1;
    return status;
}

/* Whether a file can be written: it is a fit name, and is not read. */
static int check_target(const akin_cli_near_request *request, int option, const char *path)
{
    for (int i = 0; i < request->path_count; i++)
        if (akin_cli_path_same(request->paths[i], path))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", path);
    return akin_cli_path_check_output(options[option].name, path);
}

static int check_kept(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    const char *path = request->kept = arguments->value[KEPT][0];
    if (!path)
        return AKIN_CLI_DONE;
    request->reading.keep_records = 1;
    int status = check_target(request, KEPT, path);
    if (status == AKIN_CLI_DONE && (request->path_count > 1 || akin_path_has_files(request->paths[0]))) {
        request->options = akin_cli_shards_options(&akin_cli_corpus, arguments);
        return AKIN_CLI_DONE;
    }
    return status == AKIN_CLI_DONE ? akin_cli_kept_check(options[KEPT].name, request->reading.format, path) : status;
}

static int check_removed(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    const char *path = request->removed = arguments->value[REMOVED][0], *safe = arguments->value[SAFE_CSV][0];
    const char *format = arguments->value[FORMAT][0];
    if (!path && format)
        return akin_cli_missing(&options[REMOVED], "--format is that of the list of removed documents");
    if (safe && !path)
        return akin_cli_missing(&options[REMOVED], "--safe-csv is for the list of removed documents");
    if (!path)
        return AKIN_CLI_DONE;
    if (request->kept && akin_cli_path_equal(request->kept, path))
        return akin_cli_refuse("%s: expected two files, one for --kept and one for --removed", path);
    int status = check_target(request, REMOVED, path);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_format_check(&options[FORMAT], format, path, "documents", &request->removed_format);
    return status == AKIN_CLI_DONE ? akin_cli_safe_check(safe, path, &request->removed_format) : status;
}

static int check_frequent(const char *text, akin_duplicates_options *find)
{
    if (text && !akin_cli_read_u64(text, 1, UINT64_MAX, &find->ignore_frequent))
        return akin_cli_refuse("--ignore-frequent %s: expected a number of documents above 0", akin_cli_word(text));
    return AKIN_CLI_DONE;
}

/* What a join of all documents has no notion of. */
static int check_components(const akin_cli_near_request *request)
{
    const akin_choice *measure = akin_choice_of_value("measures", (int)request->find.measure);
    if (request->find.comparing != AKIN_COMPARE_ALL)
        return akin_cli_refuse("--components and --%s: expected one of them",
                               options[request->find.comparing == AKIN_COMPARE_WITHIN ? WITHIN : ACROSS].name);
    if (request->find.ignore_frequent > 0)
        return akin_cli_refuse("--components and --%s: expected one of them", options[IGNORE_FREQUENT].name);
    if (measure && (measure->capabilities & AKIN_IS_DIRECTED))
        return akin_cli_refuse("--components and --%s: chains have no direction", measure->name);
    return AKIN_CLI_DONE;
}

static int check_near(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    int status = check_paths(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_reading(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_measure(arguments, &request->find);
    if (status == AKIN_CLI_DONE)
        status = check_keep(arguments->value[KEEP][0], request);
    if (status == AKIN_CLI_DONE)
        status = check_sources(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_frequent(arguments->value[IGNORE_FREQUENT][0], &request->find);
    if (status == AKIN_CLI_DONE)
        status = check_kept(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_removed(arguments, request);
    request->find.components = arguments->value[COMPONENTS][0] != NULL;
    if (status == AKIN_CLI_DONE && request->find.components)
        status = check_components(request);
    request->quiet = arguments->value[QUIET][0] != NULL;
    request->resources = (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                              .memory = arguments->value[MEMORY][0],
                                              .device = arguments->value[DEVICE][0],
                                              .arguments = arguments,
                                              .limits = LIMITS,
                                              .opener = arguments->opener,
                                              .saver = arguments->saver,
                                              .replaces = arguments->value[REPLACE][0] != NULL,
                                              .skip_bad = arguments->value[SKIP_BAD][0],
                                              .bad = arguments->value[BAD][0],
                                              .safe = arguments->value[SAFE_CSV][0] != NULL,
                                              .sync = arguments->value[SYNC][0] != NULL};
    return status == AKIN_CLI_DONE ? akin_cli_bad_check(&akin_cli_corpus, arguments) : status;
}

/* ------------------------------------------------------------------------------------------------------------ verbs */

static int run_near(const akin_cli_arguments *arguments)
{
    akin_cli_near_request request = {.find = AKIN_DUPLICATES_OPTIONS_INIT, .preference = -1, .source = -1};
    akin_cli_job job;
    akin_error error;
    int status = check_near(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &request.resources, request.quiet, &error);
        if (done == AKIN_OK)
            done = akin_cli_near_run(&job, &request, &error);
        status = akin_cli_job_end(&job, done, &error);
    }
    akin_cli_near_clear(&request);
    return status == AKIN_CLI_DONE ? akin_cli_flush() : status;
}

static const struct {
    const char *name;
    int (*run)(const akin_cli_arguments *arguments);
} verbs[] = {{"near-duplicates", run_near}};

static int run_corpus(const akin_cli_arguments *arguments)
{
    const char *word = arguments->operand_count > 0 ? arguments->operands[0] : NULL;
    if (!word)
        return akin_cli_refuse("expected what to do: akin corpus near-duplicates");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(word, verbs[i].name) == 0)
            return verbs[i].run(arguments);
    return akin_cli_unknown_word(&akin_cli_corpus, word);
}

const akin_cli_command akin_cli_corpus = {
    .name = "corpus",
    .summary = "clean collections of documents: near-duplicates",
    .usage = "near-duplicates FILE... [OPTION...]",
    .about =
        "near-duplicates  Finds documents that are almost copies of others, and keeps one\n"
        "of them. Documents come in an order of preference (--keep). A document is\n"
        "removed if and only if a kept document before it is alike. The first such one\n"
        "is its survivor. So no document is removed for one that is removed itself, and\n"
        "chains of documents that are alike do not become one.\n"
        "\n"
        "The answer is exact: hashes find pairs, texts decide. Documents without a token\n"
        "are alike. FILE may also be a folder, a pattern in quotes such as\n"
        "'shards/*.jsonl.gz', or @LIST, a file with a name in each line.\n",
    .notes =
        "Examples:\n"
        "  akin corpus near-duplicates docs.jsonl\n"
        "      how many documents are almost copies of others\n"
        "  akin corpus near-duplicates shards --id url --removed removed.csv \\\n"
        "        --kept clean\n"
        "      the shards without near-duplicates, and which documents are gone\n"
        "  akin corpus near-duplicates docs.parquet --keep quality:desc --jaccard 0.7\n"
        "      of documents that are alike the one of the best quality stays\n"
        "  akin corpus near-duplicates web.jsonl books.jsonl --across\n"
        "      documents that both files have\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_corpus,
};
