/* akin index: makes an index for akin search. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "functions.h"
#include "job_file.h"
#include "number.h"
#include "path.h"
#include "searched.h"
#include "weighing.h"

enum {
    KIND,
    APPEND,
    INPUT,
    TABLE,
    SQL,
    ON,
    ID,
    IGNORE_CASE,
    FOLD,
    TOKENS,
    STOP_WORDS,
    FORMULA,
    K1,
    B,
    STEM,
    DOCUMENTS,
    DICTIONARY,
    UNKNOWN,
    NUMERIC,
    BINS,
    NGRAM,
    BYTES,
    TREE_FORMAT,
    FAMILY,
    FUNCTIONS,
    EPSILON,
    DELTA,
    WIDTH,
    SIGMA,
    BUCKETS,
    SEED,
    SIGNATURES_ONLY,
    LOSSY,
    SKIP_BAD,
    BAD,
    OUTPUT,
    SYNC,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    LIMITS,
    JOB,
    SAVE_JOB,
    ALLOW_PATHS,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [KIND] = {.heading = "Objects",
              .name = "kind",
              .argument = "OBJECTS",
              .help = "the kind of the objects: {}",
              .choices = "search-kinds"},
    [APPEND] = {.name = "append",
                .argument = "FILE",
                .written = 1,
                .help = "add the objects of DATA to the index FILE. The longer\n"
                        "index replaces FILE, unless -o names another file.\n"
                        "Not for bm25 and trees. With --kind rows, numbers go to the\n"
                        "intervals that the index has"},
    [INPUT] = {.name = "input",
               .argument = "LAYOUT",
               .choices = "table-formats matrix-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "the format of DATA: {table-formats:read}; for matrices "
                       "{matrix-formats:read} (default: by the name of DATA, else text)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help = "the columns of a table to index, as A,B (default for\n"
                    "rows: all). Strings of several columns have blanks between"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "the column with the ids of the objects (default: row\n"
                    "numbers)"},
    [IGNORE_CASE] = {.heading = "Text",
                     AKIN_CLI_IGNORE_CASE("ignore case, in strings and in every kind of tokens (words always do). The "
                                          "index does the same to queries")},
    [FOLD] = {AKIN_CLI_FOLD},
    [TOKENS] = {.heading = "Documents and bm25", AKIN_CLI_WEIGHED_TOKENS},
    [STOP_WORDS] = {AKIN_CLI_WEIGHED_STOP_WORDS},
    [FORMULA] = {.heading = "Documents by bm25", AKIN_CLI_WEIGHED_FORMULA},
    [K1] = {AKIN_CLI_WEIGHED_K1},
    [B] = {AKIN_CLI_WEIGHED_B},
    [STEM] = {AKIN_CLI_WEIGHED_STEM},
    [DOCUMENTS] = {AKIN_CLI_WEIGHED_DOCUMENTS},
    [DICTIONARY] = {AKIN_CLI_WEIGHED_DICTIONARY},
    [UNKNOWN] = {AKIN_CLI_WEIGHED_UNKNOWN},
    [NUMERIC] = {.heading = "Rows",
                 .name = "numeric",
                 .argument = "COLUMNS",
                 .help = "columns that hold numbers, as A,B"},
    [BINS] = {.name = "bins",
              .argument = "N",
              .help = "divide each numeric column into N intervals of equal\n"
                      "width (default: 1024)"},
    [NGRAM] = {.heading = "Strings",
               .name = "ngram",
               .argument = "N",
               .help = "keep the n-grams of N symbols, 1 to 5. They make a\n"
                       "search faster if the nearest strings are near"},
    [BYTES] = {.name = "bytes", .help = "compare byte by byte (default: by code points)"},
    [TREE_FORMAT] = {.heading = "Trees",
                     .name = "tree-format",
                     .argument = "FORMAT",
                     .choices = "tree-formats",
                     .help = "how a text is a tree: {} (default: brackets). 'akin help tree-formats' explains them"},
    [FAMILY] = {.heading = "Vectors, and sets by MinHash",
                .name = "family",
                .argument = "FAMILY",
                .help = "the hash functions: {} (default for vectors: e2lsh-l2). Sets take minhash only",
                .choices = "families"},
    [FUNCTIONS] = {.name = "functions", .argument = "N", .help = "the number of hash functions (default: 237)"},
    [EPSILON] = {.name = "epsilon",
                 .argument = "X",
                 .help = "in place of --functions: choose N so that the error\n"
                         "of an estimated similarity is at most X, 0.02 or\n"
                         "more, with probability 1 - DELTA"},
    [DELTA] = {.name = "delta",
               .argument = "X",
               .help = "see --epsilon. For bm25: the "
                       "parameter of {formulas:delta} (default: 1 for bm25+, 0.5 for bm25l)"},
    [WIDTH] = {.name = "width",
               .argument = "X",
               .help = "e2lsh: the width of a bucket (default: the mean\n"
                       "distance of the pairs of a sample; with --buckets,\n"
                       "the values of the sample span all buckets)"},
    [SIGMA] = {.name = "sigma",
               .argument = "X",
               .help = "random-binning: the width of the kernel (default: the\n"
                       "mean distance of the pairs of a sample)"},
    [BUCKETS] = {.name = "buckets",
                 .argument = "N",
                 .help = "the number of values of a function (default: 67 for\n"
                         "e2lsh, else 8192). Signatures are hashed into N\n"
                         "values (default: they stay as they are)"},
    [SEED] = {.name = "seed", .argument = "N", .help = "the same seed draws the same functions (default: 1)"},
    [SIGNATURES_ONLY] = {.name = "signatures-only",
                         .help = "do not keep the vectors. The index is smaller, but a search refuses --rerank"},
    [LOSSY] = {.heading = "Other options", AKIN_CLI_READING_LOSSY},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .argument = "FILE",
                .written = 1,
                .help = "write the index to FILE, which appears whole or not\n"
                        "at all, and replaces an older file"},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap, at least 16M (default: none). The rest goes to temporary files in "
                        "$TMPDIR. " AKIN_CLI_JOB_SIZES},
    [DEVICE] =
        {.name = "device",
         .argument = "NAME",
         .help = "auto, cpu, cuda or cuda:N (default: auto, a GPU makes the lists if akin predicts that it is faster)"},
    [DEVICE_MEMORY] = {AKIN_CLI_JOB_DEVICE_MEMORY},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

/* The request of the command line. */
typedef struct index_request {
    const char *path, *append, *output, *stop_words;
    akin_search_kind kind;
    akin_cli_searched_words reading_words;
    akin_cli_reading reading;
    char *words; /* of what follows */
    const char *numeric[AKIN_CLI_COLUMNS];
    uint32_t numeric_count;
    uint64_t bins, ngram;
    int bytes;
    int tree_format;                /* an akin_tree_format */
    uint32_t folds;                 /* that strings are cleaned of */
    const akin_search_facts *facts; /* of an index that is made */
    int is_hashed;
    akin_vectors_options functions;
    akin_cli_weighed weighed; /* documents by bm25, and how they are weighed */
} index_request;

/* ---------------------------------------------------------------------------------------------------------- options */

/* Whether it is made of weights of terms. */
static int is_weighed(const index_request *request)
{
    return akin_search_facts_take(request->facts, "formula");
}

/* Options that only some kinds have. */
static int check_index_kind(const akin_cli_arguments *arguments, const index_request *request)
{
    char kinds[AKIN_CLI_KINDS];
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *name = options[i].name;
        if (name && arguments->value[i][0] && *akin_cli_kinds_with(name, kinds) &&
            !akin_search_facts_take(request->facts, name))
            return akin_cli_refuse("--%s: is for %s, not for %s", name, kinds, request->facts->title);
    }
    return AKIN_CLI_DONE;
}

static int is_among(const char *name, const char *const *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return 1;
    return 0;
}

static int check_numbers(const akin_cli_arguments *arguments, index_request *request)
{
    const char *bins = arguments->value[BINS][0], *numeric = arguments->value[NUMERIC][0];
    const char *ngram = arguments->value[NGRAM][0];
    request->bytes = arguments->value[BYTES][0] != NULL;
    request->bins = 1024;
    if (bins && !akin_cli_read_u64(bins, 1, AKIN_ROWS_BINS_MOST, &request->bins))
        return akin_cli_refuse("--bins %s: expected a whole number from 1 to %d", akin_cli_word(bins),
                               AKIN_ROWS_BINS_MOST);
    if (ngram && !akin_cli_read_u64(ngram, 1, AKIN_NGRAM_MOST, &request->ngram))
        return akin_cli_refuse("--ngram %s: expected a whole number from 1 to %d", akin_cli_word(ngram),
                               AKIN_NGRAM_MOST);
    if (akin_cli_option_take(&options[TREE_FORMAT], arguments->value[TREE_FORMAT][0], &request->tree_format) !=
        AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    int status =
        numeric ? akin_cli_split_columns("numeric", numeric, &request->words, request->numeric, &request->numeric_count)
                : AKIN_CLI_DONE;
    for (uint32_t i = 0; i < request->numeric_count && status == AKIN_CLI_DONE && !request->reading.all; i++)
        if (!is_among(request->numeric[i], request->reading.on, request->reading.on_count))
            return akin_cli_refuse("--numeric %s: is not among the columns that --on names: %s", request->numeric[i],
                                   arguments->value[ON][0]);
    return status;
}

static int check_functions(const akin_cli_arguments *arguments, index_request *request)
{
    const akin_cli_functions_words words = {.family = arguments->value[FAMILY][0],
                                            .functions = arguments->value[FUNCTIONS][0],
                                            .epsilon = arguments->value[EPSILON][0],
                                            .delta = arguments->value[DELTA][0],
                                            .width = arguments->value[WIDTH][0],
                                            .buckets = arguments->value[BUCKETS][0],
                                            .sigma = arguments->value[SIGMA][0],
                                            .seed = arguments->value[SEED][0],
                                            .signatures_only = arguments->value[SIGNATURES_ONLY][0]};
    return request->is_hashed ? akin_cli_functions_check(&words, request->kind, &request->functions) : AKIN_CLI_DONE;
}

static int check_index_output(const akin_cli_arguments *arguments, index_request *request)
{
    const char *named = arguments->value[OUTPUT][0];
    akin_format table;
    if (named && akin_format_of_name(named, &table, NULL) == AKIN_OK && akin_cli_has_columns(table))
        return akin_cli_refuse("-o %s: is named as a table, and an index is none: expected -o FILE.akin", named);
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : request->append;
    if (!request->output || (!arguments->value[OUTPUT][0] && akin_cli_path_is_stdin(request->output)))
        return akin_cli_missing(&options[OUTPUT], "the file of the index, such as index.akin");
    if (request->weighed.readings)
        return akin_cli_weighing_check_output("output", request->output, &request->weighed);
    if (akin_cli_path_same(request->path, request->output) ||
        (request->stop_words && akin_cli_path_same(request->stop_words, request->output)))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    return akin_cli_path_check_output("output", request->output);
}

/* Refuses the options that the extended index has set already. */
static int check_append(const akin_cli_arguments *arguments, const index_request *request)
{
    static const int told[] = {
        KIND,    TOKENS,  IGNORE_CASE, FOLD,    STOP_WORDS,      FORMULA,    K1,         B,     STEM,
        NUMERIC, BINS,    NGRAM,       FAMILY,  FUNCTIONS,       EPSILON,    DELTA,      WIDTH, SIGMA,
        SEED,    BUCKETS, DOCUMENTS,   UNKNOWN, SIGNATURES_ONLY, DICTIONARY, TREE_FORMAT};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (arguments->value[told[i]][0])
            return akin_cli_refuse("--%s: the index that is extended says that itself", options[told[i]].name);
    if (!*request->append)
        return akin_cli_refuse("--append '': expected an index, a file");
    if (akin_cli_path_is_stdin(request->append) && akin_cli_path_is_stdin(request->path))
        return akin_cli_refuse("--append %s: standard input can be read only once", request->append);
    return AKIN_CLI_DONE;
}

/* What strings are cleaned of, or whether tokens ignore case. */
static int check_folding(const akin_cli_arguments *arguments, index_request *request)
{
    const akin_cli_folding folding = {arguments->value[IGNORE_CASE][0], arguments->value[FOLD][0]};
    return akin_search_facts_take(request->facts, "tokens")
               ? akin_cli_folds_check_tokens(&folding, &request->reading_words.fold)
               : akin_cli_folds_check(&folding, &request->folds);
}

/* Documents that are weighed, which may be of several files. */
static int check_weighed(const akin_cli_arguments *arguments, index_request *request)
{
    const akin_cli_weighing_words words = akin_cli_weighing_words_of(&akin_cli_index, arguments, "indexed");
    request->weighed.paths = arguments->operands;
    request->weighed.path_count = arguments->operand_count;
    request->weighed.weigh.order = AKIN_WEIGHTS_BY_TERM;
    return akin_cli_weighing_check(&words, &request->weighed);
}

/* What is made, if nothing is extended. */
static int check_new(const akin_cli_arguments *arguments, index_request *request)
{
    const char *kind = arguments->value[KIND][0];
    const akin_choice *row;
    char names[AKIN_CLI_HELP_BYTES];
    request->stop_words = arguments->value[STOP_WORDS][0];
    if (!kind)
        return akin_cli_missing(&options[KIND], "%s", akin_cli_option_names(&options[KIND], 0, names));
    int status = akin_cli_option_choose(&options[KIND], kind, &row);
    if (status != AKIN_CLI_DONE)
        return status;
    request->kind = (akin_search_kind)row->value;
    request->facts = akin_cli_kind_facts(request->kind, arguments->value[FAMILY][0] != NULL);
    if (!request->facts) /* what has no hash functions has no family */
        request->facts = akin_cli_kind_facts(request->kind, 0);
    request->is_hashed = request->facts == akin_search_facts_of(request->kind, 1);
    if (arguments->value[INPUT][0] &&
        akin_cli_option_choose(&options[INPUT], arguments->value[INPUT][0], &row) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    status = check_index_kind(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_folding(arguments, request);
    if (status == AKIN_CLI_DONE && arguments->operand_count > 1 && !is_weighed(request))
        return akin_cli_refuse("expected one file, not %d: an index of %s is made of one", arguments->operand_count,
                               request->facts->title);
    if (status != AKIN_CLI_DONE || is_weighed(request))
        return status == AKIN_CLI_DONE ? check_weighed(arguments, request) : status;
    status = akin_cli_stop_words_check(request->stop_words);
    if (status == AKIN_CLI_DONE && request->stop_words && akin_cli_path_is_stdin(request->stop_words) &&
        akin_cli_path_is_stdin(request->path))
        return akin_cli_refuse("--stop-words %s: standard input can be read only once", request->stop_words);
    if (status == AKIN_CLI_DONE)
        status = check_functions(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_searched_check(&request->reading_words, request->kind, request->path, &request->reading);
    return status == AKIN_CLI_DONE ? check_numbers(arguments, request) : status;
}

static int check_index(const akin_cli_arguments *arguments, index_request *request)
{
    if (arguments->operand_count == 0 || (arguments->value[APPEND][0] && arguments->operand_count > 1))
        return akin_cli_refuse("expected one file, not %d: akin index DATA --kind OBJECTS -o FILE.akin",
                               arguments->operand_count);
    if (!*arguments->operands[0])
        return akin_cli_refuse("expected the name of a file, not an empty word");
    request->path = arguments->operands[0];
    request->append = arguments->value[APPEND][0];
    request->reading_words = (akin_cli_searched_words){.input = arguments->value[INPUT][0],
                                                       .on = arguments->value[ON][0],
                                                       .id = arguments->value[ID][0],
                                                       .tokens = arguments->value[TOKENS][0],
                                                       .lossy = arguments->value[LOSSY][0],
                                                       .purpose = "indexed"};
    int status = request->append ? check_append(arguments, request) : check_new(arguments, request);
    return status == AKIN_CLI_DONE ? check_index_output(arguments, request) : status;
}

/* ------------------------------------------------------------------------------------------------------------- work */

/* `text` is how documents are cut. */
static akin_status make_index(akin_cli_job *job, const index_request *request, const akin_cli_searched *data,
                              const akin_text_options *text, akin_search_index **out, akin_error *error)
{
    akin_rows_options rows = AKIN_ROWS_OPTIONS_INIT;
    akin_strings_options strings = AKIN_STRINGS_OPTIONS_INIT;
    akin_signatures_options signatures = AKIN_SIGNATURES_OPTIONS_INIT;
    akin_trees_options trees = AKIN_TREES_OPTIONS_INIT;
    const akin_search_objects objects = {sizeof objects, data->columns, data->column_count,
                                         data->rows,     data->sets,    data->matrix};
    const akin_search_index_options all = {
        sizeof all, text, &rows, &strings, request->is_hashed ? &request->functions : NULL, &signatures, NULL, &trees};
    trees.format = (akin_tree_format)request->tree_format;
    rows.numeric = request->numeric;
    rows.numeric_count = request->numeric_count;
    rows.bins = (uint32_t)request->bins;
    strings.ngram = (uint32_t)request->ngram;
    strings.bytes = (uint32_t)request->bytes;
    strings.folds = request->folds;
    signatures.buckets = request->functions.buckets;
    signatures.seed = request->functions.seed;
    return akin_search_index_make(job->context, request->kind, &objects, &all, request->reading.id ? &data->id : NULL,
                                  out, error);
}

/* Whether the command line fits the index that is extended. Returns an exit status. */
static int check_extended(index_request *request, const akin_search_index *index, const akin_search_statistics *about)
{
    const char *name = akin_cli_path_name(request->append), *bytes;
    const akin_cli_searched_words *words = &request->reading_words;
    size_t length;
    const int named = akin_search_index_name(index, 0, &bytes, &length);
    const int is_matrix = akin_search_facts_of(about->kind, about->functions > 0)->objects == AKIN_GIVEN_MATRIX;
    request->kind = about->kind;
    request->facts = akin_search_facts_of(about->kind, about->functions > 0);
    if (is_weighed(request))
        return akin_cli_refuse(
            "--append %s: each document changes the weights of all in an index of bm25: make the "
            "index of all documents anew",
            name);
    if (about->kind == AKIN_KIND_TREES)
        return akin_cli_refuse(
            "--append %s: each tree changes how rare the labels of all are: make the index of all "
            "trees anew",
            name);
    if (named && is_matrix)
        return akin_cli_refuse("%s: has names for its objects, and rows of a matrix have none", name);
    if (named && !words->id)
        return akin_cli_missing(&options[ID], "%s has names for its objects, and those that are added need names",
                                name);
    if (words->id && !named && !is_matrix && about->objects > 0)
        return akin_cli_refuse("--id %s: the objects of %s have no names", words->id, name);
    return akin_cli_searched_check(words, request->kind, request->path, &request->reading);
}

/* Reads what is added to an index, and makes a longer one. Adds to the counts of texts. */
static akin_status extend(akin_cli_job *job, const index_request *request, const akin_search_index *index,
                          akin_cli_searched *data, akin_text_counts *counts, akin_search_index **out, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (request->reading.id)
        status = akin_cli_names_of_index(job->context, index, AKIN_FORMAT_JSONL, &data->names, error);
    if (status == AKIN_OK)
        status = akin_cli_searched_read(job, &request->reading, request->path, AKIN_FORMAT_JSONL, data, error);
    if (status != AKIN_OK)
        return status;
    if (data->matrix)
        return akin_search_index_append_vectors(job->context, index, data->matrix, NULL, out, error);
    return data->sets ? akin_search_index_append_sets(job->context, index, data->sets, NULL, out, error)
                      : akin_search_index_append(job->context, index, data->columns, data->column_count, data->rows,
                                                 request->reading.id ? &data->id : NULL, counts, out, error);
}

/* Opens the index that is there, and extends it; *refused becomes an exit status if the command line does not fit
 * it. */
static akin_status append_to_index(akin_cli_job *job, index_request *request, akin_cli_searched *data,
                                   akin_search_index **out, int *refused, akin_error *error)
{
    akin_search_statistics about = {.size = sizeof about};
    akin_search_index *index = NULL;
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    akin_text_counts counts = {0, 0};
    akin_status status = akin_search_index_open(job->context, request->append, &index, error);
    if (status == AKIN_OK)
        status = akin_search_index_describe(index, &about, error);
    if (status == AKIN_OK)
        *refused = check_extended(request, index, &about);
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE)
        status = extend(job, request, index, data, &counts, out, error);
    text.tokens = about.tokens;
    text.q = about.q;
    text.counts = &counts;
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        akin_text_warn(&text, akin_cli_path_name(request->path), akin_cli_warn_of, NULL);
    akin_search_index_free(index);
    return status;
}

/* Reads data, and makes an index of them. */
static akin_status read_and_make(akin_cli_job *job, const index_request *request, akin_cli_searched *data,
                                 akin_search_index **out, akin_error *error)
{
    akin_cli_stop_words words = {0};
    akin_text_options text = request->reading.text;
    akin_text_counts counts = {0, 0};
    akin_status status = akin_cli_stop_words_read(job, request->stop_words, request->reading.lossy, &words, error);
    text.stop_words = words.list;
    text.stop_word_count = words.count;
    text.counts = &counts;
    if (status == AKIN_OK)
        status = akin_cli_searched_read(job, &request->reading, request->path, AKIN_FORMAT_JSONL, data, error);
    if (status == AKIN_OK)
        status = make_index(job, request, data, &text, out, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        akin_text_warn(&text, akin_cli_path_name(request->path), akin_cli_warn_of, NULL);
    akin_cli_stop_words_clear(&words);
    return status;
}

/* Weighs documents, and writes an index to rank them by. */
static akin_status weigh_and_write(akin_cli_job *job, const index_request *request, akin_error *error)
{
    akin_rank_index_statistics about = {.size = sizeof about};
    akin_rank_index *index = NULL;
    akin_output *output = NULL;
    akin_status status = akin_output_open(job->context, request->output, &output, error);
    if (status == AKIN_OK)
        status = akin_cli_weighed_index(job, &request->weighed, &index, error);
    if (status == AKIN_OK)
        status = akin_rank_index_write(job->context, index, output, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = akin_rank_index_describe(index, &about, error);
    if (status == AKIN_OK)
        status = akin_cli_job_commit(&output, 1, error);
    else
        akin_output_discard(output);
    if (status == AKIN_OK)
        akin_cli_job_wrote(job, request->output, about.documents, "documents");
    akin_rank_index_free(index);
    return status;
}

static akin_status run_index_request(akin_cli_job *job, index_request *request, int *refused, akin_error *error)
{
    akin_search_statistics about = {.size = sizeof about};
    akin_cli_searched data = {0};
    akin_search_index *index = NULL;
    akin_output *output = NULL;
    akin_status status = akin_output_open(job->context, request->output, &output, error);
    if (status == AKIN_OK) {
        status = request->append ? append_to_index(job, request, &data, &index, refused, error)
                                 : read_and_make(job, request, &data, &index, error);
        if (status != AKIN_OK && data.table)
            akin_cli_source_locate(data.table, request->path, error);
    }
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE)
        status = akin_search_index_write(job->context, index, output, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE)
        status = akin_search_index_describe(index, &about, error);
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE)
        status = akin_cli_job_commit(&output, 1, error);
    else
        akin_output_discard(output);
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE)
        akin_cli_job_wrote(job, request->output, about.objects, "objects");
    akin_search_index_free(index);
    akin_cli_searched_clear(&data);
    return status;
}

static int run_index(const akin_cli_arguments *arguments)
{
    index_request request = {.functions = AKIN_VECTORS_OPTIONS_INIT, .weighed = {.weigh = AKIN_WEIGH_OPTIONS_INIT}};
    const akin_cli_resources resources = {.threads = arguments->value[THREADS][0],
                                          .skip_bad = arguments->value[SKIP_BAD][0],
                                          .bad = arguments->value[BAD][0],
                                          .memory = arguments->value[MEMORY][0],
                                          .device = arguments->value[DEVICE][0],
                                          .device_memory = arguments->value[DEVICE_MEMORY][0],
                                          .arguments = arguments,
                                          .limits = LIMITS,
                                          .opener = arguments->opener,
                                          .sync = arguments->value[SYNC][0] != NULL};
    akin_cli_job job;
    akin_error error;
    int refused = AKIN_CLI_DONE, status = check_index(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = request.weighed.readings ? weigh_and_write(&job, &request, &error)
                                            : run_index_request(&job, &request, &refused, &error);
        status = akin_cli_job_end(&job, done, &error);
        status = refused != AKIN_CLI_DONE ? refused : status;
    }
    akin_cli_reading_clear(&request.reading);
    akin_cli_weighing_clear(&request.weighed);
    free(request.words);
    return status;
}

const akin_cli_command akin_cli_index = {
    .name = "index",
    .summary = "make an index of sets, texts, rows, strings, trees or vectors",
    .usage =
        "DATA --kind OBJECTS -o FILE.akin [OPTION...]\n"
        "       akin index FILE... --kind bm25 -o FILE.akin [OPTION...]\n"
        "       akin index DATA --append FILE.akin [-o FILE.akin] [OPTION...]",
    .about =
        "Makes an index of the objects in DATA for 'akin search'. With --append it adds\n"
        "the objects to an index.\n"
        "\n"
        "A search finds the sets, documents or rows that have the most keywords in common\n"
        "with a query. It finds the nearest strings and trees by edit distance, and the\n"
        "documents with the highest scores by bm25. It finds the vectors or signatures on\n"
        "which the most hash functions agree (LSH).\n",
    .notes =
        "Kinds of objects:\n"
        "{search-kinds}\n"
        "\n"
        "A file of text has an object in each line. A table or a matrix has an object in\n"
        "each row.\n"
        "\n"
        "Keywords of an object:\n"
        "  sets           the token ids in the line\n"
        "  documents      the distinct tokens of the text\n"
        "  rows           the values of the columns. A numeric column gives the interval\n"
        "                 of its number. An empty field gives no keyword\n"
        "  vectors        the values of hash functions\n"
        "\n"
        "Families of hash functions (--kind vectors, or sets):\n"
        "{families}\n"
        "\n"
        "Examples:\n"
        "  akin index titles.txt --kind documents --stop-words english -o titles.akin\n"
        "  akin search titles.akin questions.txt -k 5\n"
        "  akin index more.txt --append titles.akin\n"
        "  akin index mails.jsonl --kind bm25 --on subject,body --id id -o mails.akin\n"
        "  akin index books/*.txt --kind bm25 --documents file -o books.akin\n"
        "  akin index people.csv --kind rows --id key --numeric age,income -o people.akin\n"
        "  akin search people.akin asked.csv --tolerance 20 -o alike.csv\n"
        "  akin index words.txt --kind strings -o words.akin\n"
        "  akin index pages.txt --kind trees --tree-format xml -o pages.akin\n"
        "  akin index base.fvecs --kind vectors --functions 128 -o base.akin\n"
        "  akin search base.akin asked.fvecs --rerank 100 -k 10\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_index,
};
