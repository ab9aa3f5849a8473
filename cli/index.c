/* akin index: makes an index that akin search asks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "functions.h"
#include "number.h"
#include "path.h"
#include "searched.h"
#include "weighing.h"

enum {
    KIND,
    APPEND,
    INPUT,
    ON,
    ID,
    TOKENS,
    FOLD,
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
    OUTPUT,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [KIND] = {.heading = "Objects",
              .name = "kind",
              .argument = "OBJECTS",
              .help = "what is indexed: {}",
              .choices = "search-kinds"},
    [APPEND] = {.name = "append",
                .argument = "FILE",
                .help = "add the objects of DATA to the index in FILE, as it was\n"
                        "made; it is replaced, unless -o names another file"},
    [INPUT] = {.name = "input",
               .argument = "LAYOUT",
               .choices = "table-formats matrix-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "{table-formats:read}; of matrices {matrix-formats:read}; if not given,\n"
                       "what the name of DATA ends in, else text. Sets are\n"
                       "lines of ids"},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help = "columns of a table, as A,B; rows have all of them if\n"
                    "not given"},
    [ID] = {.name = "id", .argument = "COLUMN", .help = "the column that names objects; else they are rows"},
    [TOKENS] = {.heading = "Documents, also by bm25",
                .name = "tokens",
                .argument = "KIND",
                .choices = "tokens",
                .help = "what a token is: {} (default: words, letters and digits, folded); N: runs of N"},
    [FOLD] = {.name = "fold", .help = "upper and lower case are one in every kind of tokens"},
    [STOP_WORDS] = {.name = "stop-words",
                    .argument = "LIST",
                    .choices = "stop-words",
                    .help = "words that are left out: those of a language, {}, or of a file, one a line"},
    [FORMULA] = {.heading = "Documents by bm25",
                 .name = "formula",
                 .argument = "NAME",
                 .choices = "formulas",
                 .help = "what a term weighs in a document: {}\n(default: lucene); see 'akin help weigh'"},
    [K1] = {.name = "k1",
            .argument = "NUMBER",
            .help = "how soon a term has been said often enough, from 0 to\n1000000 (default: 1.2)"},
    [B] = {.name = "b",
           .argument = "NUMBER",
           .help = "how much long documents are held back, from 0 to 1\n(default: 0.75)"},
    [STEM] = {.name = "stem",
              .argument = "LANGUAGE",
              .help = "words are stemmed by the rules of a language, such as\nenglish"},
    [DOCUMENTS] = {.name = "documents",
                   .argument = "WHAT",
                   .choices = "documents",
                   .help = "what a document of text is, or ends at: {}; line is the default"},
    [DICTIONARY] = {.name = "dictionary", .argument = "FILE", .help = "a fixed vocabulary, of akin dictionary build"},
    [UNKNOWN] = {.name = "unknown",
                 .argument = "WAY",
                 .choices = "unknown-terms",
                 .help = "terms that it lacks share one id (share, the default)\n"
                         "or are added to it (add)"},
    [NUMERIC] = {.heading = "Rows",
                 .name = "numeric",
                 .argument = "COLUMNS",
                 .help = "columns that hold numbers, as A,B"},
    [BINS] = {.name = "bins", .argument = "N", .help = "intervals that each is cut into, of equal width (1024)"},
    [NGRAM] = {.heading = "Strings",
               .name = "ngram",
               .argument = "N",
               .help = "keep the n-grams of each, of N symbols, 1 to 5: by them\n"
                       "akin search chooses candidates, which is faster where\n"
                       "neighbours are near"},
    [BYTES] = {.name = "bytes", .help = "compare strings byte by byte (default: by code points)"},
    [FAMILY] = {.heading = "Vectors, and sets by MinHash",
                .name = "family",
                .argument = "FAMILY",
                .help = "hash functions: {} (default: e2lsh-l2 of vectors; sets have minhash alone)",
                .choices = "families"},
    [FUNCTIONS] = {.name = "functions", .argument = "M", .help = "how many (237)"},
    [EPSILON] = {.name = "epsilon",
                 .argument = "E",
                 .help = "or as many as it takes to estimate a similarity to\n"
                         "within E, 0.02 or more,"},
    [DELTA] = {.name = "delta",
               .argument = "D",
               .help = "by a probability of 1 - D. Of bm25: the delta of\n"
                       "{formulas:delta} (default: 1, and 0.5 of bm25l)"},
    [WIDTH] = {.name = "width",
               .argument = "W",
               .help = "of e2lsh: the width of a bucket; if not given, the\n"
                       "mean distance of a sample's pairs; with --buckets, so\n"
                       "that the values of a sample span all of them"},
    [SIGMA] = {.name = "sigma",
               .argument = "S",
               .help = "of random-binning: the width of the kernel; if not\n"
                       "given, the mean distance of a sample's pairs"},
    [BUCKETS] = {.name = "buckets",
                 .argument = "N",
                 .help = "values of a function: 67 of e2lsh, else 8192, if not\n"
                         "given. Signatures are hashed into so many, or kept as\n"
                         "they are"},
    [SEED] = {.name = "seed", .argument = "N", .help = "the same seed draws the same functions (1)"},
    [SIGNATURES_ONLY] = {.name = "signatures-only",
                         .help = "do not keep the vectors: the index is smaller, and a\n"
                                 "search cannot --rerank"},
    [LOSSY] = {.heading = "Other options", .name = "lossy", .help = "what is not UTF-8 is replaced, not refused"},
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "write the index to FILE, which appears whole or not\nat all"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "show no progress"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use; as many as there are if not given"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "bound of what is taken of the heap, at least 16M; what\n"
                        "is beyond is in temporary files, in $TMPDIR"},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "cpu, cuda, cuda:N, or auto (the default): a GPU makes\n"
                        "the lists where that is predicted to be faster"},
    [DEVICE_MEMORY] = {.name = "device-memory",
                       .argument = "SIZE",
                       .help = "bound of the GPU's memory that is used, at least 16M;\n"
                               "lists are made in parts where they do not fit"},
};

/* What was asked for. */
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
static int check_kind(const akin_cli_arguments *arguments, const index_request *request)
{
    char kinds[AKIN_CLI_KINDS];
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *name = options[i].name;
        if (arguments->value[i][0] && *akin_cli_kinds_with(name, kinds) &&
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

static int check_output(const akin_cli_arguments *arguments, index_request *request)
{
    const char *named = arguments->value[OUTPUT][0];
    akin_format table;
    if (named && akin_format_of_name(named, &table, NULL) == AKIN_OK &&
        (akin_choice_of_value("table-formats", (int)table)->capabilities & AKIN_HAS_COLUMNS))
        return akin_cli_refuse("-o %s: is named as a table, and an index is none: expected -o FILE.akin", named);
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : request->append;
    if (!request->output || (!arguments->value[OUTPUT][0] && akin_cli_path_is_stdin(request->output)))
        return akin_cli_refuse("expected -o FILE.akin, for the index");
    if (request->weighed.readings)
        return akin_cli_weighing_check_output("output", request->output, &request->weighed);
    if (akin_cli_path_same(request->path, request->output) ||
        (request->stop_words && akin_cli_path_same(request->stop_words, request->output)))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    return akin_cli_path_check_output("output", request->output);
}

/* What an index that is extended tells by itself. */
static int check_append(const akin_cli_arguments *arguments, const index_request *request)
{
    static const int told[] = {KIND,    TOKENS,    FOLD,    STOP_WORDS,      FORMULA,   K1,    B,     STEM,  NUMERIC,
                               BINS,    NGRAM,     FAMILY,  FUNCTIONS,       EPSILON,   DELTA, WIDTH, SIGMA, SEED,
                               BUCKETS, DOCUMENTS, UNKNOWN, SIGNATURES_ONLY, DICTIONARY};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (arguments->value[told[i]][0])
            return akin_cli_refuse("--%s: the index that is extended says that itself", options[told[i]].name);
    if (!*request->append)
        return akin_cli_refuse("--append '': expected an index, a file");
    if (akin_cli_path_is_stdin(request->append) && akin_cli_path_is_stdin(request->path))
        return akin_cli_refuse("--append %s: standard input can be read only once", request->append);
    return AKIN_CLI_DONE;
}

/* Documents that are weighed, which may be of several files. */
static int check_weighed(const akin_cli_arguments *arguments, index_request *request)
{
    const akin_cli_weighing_words words = {.input = arguments->value[INPUT][0],
                                           .on = arguments->value[ON][0],
                                           .id = arguments->value[ID][0],
                                           .lossy = arguments->value[LOSSY][0],
                                           .documents = arguments->value[DOCUMENTS][0],
                                           .tokens = arguments->value[TOKENS][0],
                                           .fold = arguments->value[FOLD][0],
                                           .stem = arguments->value[STEM][0],
                                           .stop_words = arguments->value[STOP_WORDS][0],
                                           .dictionary = arguments->value[DICTIONARY][0],
                                           .unknown = arguments->value[UNKNOWN][0],
                                           .formula = arguments->value[FORMULA][0],
                                           .k1 = arguments->value[K1][0],
                                           .b = arguments->value[B][0],
                                           .delta = arguments->value[DELTA][0],
                                           .purpose = "indexed"};
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
        return akin_cli_refuse("expected --kind OBJECTS: %s", akin_cli_option_names(&options[KIND], 0, names));
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
    status = check_kind(arguments, request);
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

static int check(const akin_cli_arguments *arguments, index_request *request)
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
                                                       .fold = arguments->value[FOLD][0],
                                                       .lossy = arguments->value[LOSSY][0],
                                                       .purpose = "indexed"};
    int status = request->append ? check_append(arguments, request) : check_new(arguments, request);
    return status == AKIN_CLI_DONE ? check_output(arguments, request) : status;
}

/* ------------------------------------------------------------------------------------------------------------- work */

/* `text` is how documents are cut. */
static akin_status make(akin_cli_job *job, const index_request *request, const akin_cli_searched *data,
                        const akin_text_options *text, akin_search_index **out, akin_error *error)
{
    akin_rows_options rows = AKIN_ROWS_OPTIONS_INIT;
    akin_strings_options strings = AKIN_STRINGS_OPTIONS_INIT;
    akin_signatures_options signatures = AKIN_SIGNATURES_OPTIONS_INIT;
    const akin_search_objects objects = {sizeof objects, data->columns, data->column_count,
                                         data->rows,     data->sets,    data->matrix};
    const akin_search_index_options all = {
        sizeof all, text, &rows, &strings, request->is_hashed ? &request->functions : NULL, &signatures, NULL};
    rows.numeric = request->numeric;
    rows.numeric_count = request->numeric_count;
    rows.bins = (uint32_t)request->bins;
    strings.ngram = (uint32_t)request->ngram;
    strings.bytes = (uint32_t)request->bytes;
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
    if (named && is_matrix)
        return akin_cli_refuse("%s: has names for its objects, and rows of a matrix have none", name);
    if (named && !words->id)
        return akin_cli_refuse("%s: has names for its objects: expected --id COLUMN, for those that are added", name);
    if (words->id && !named && !is_matrix && about->objects > 0)
        return akin_cli_refuse("--id %s: the objects of %s have no names", words->id, name);
    return akin_cli_searched_check(words, request->kind, request->path, &request->reading);
}

/* Reads what is added to an index, and makes a longer one. */
static akin_status extend(akin_cli_job *job, const index_request *request, const akin_search_index *index,
                          akin_cli_searched *data, akin_search_index **out, akin_error *error)
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
                                                 request->reading.id ? &data->id : NULL, out, error);
}

/* Opens the index that is there, and extends it; *refused becomes an exit status if the command line does not fit it. */
static akin_status append(akin_cli_job *job, index_request *request, akin_cli_searched *data, akin_search_index **out,
                          int *refused, akin_error *error)
{
    akin_search_statistics about = {.size = sizeof about};
    akin_search_index *index = NULL;
    akin_status status = akin_search_index_open(job->context, request->append, &index, error);
    if (status == AKIN_OK)
        status = akin_search_index_describe(index, &about, error);
    if (status == AKIN_OK)
        *refused = check_extended(request, index, &about);
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE)
        status = extend(job, request, index, data, out, error);
    akin_search_index_free(index);
    return status;
}

/* Reads data, and makes an index of them. */
static akin_status read_and_make(akin_cli_job *job, const index_request *request, akin_cli_searched *data,
                                 akin_search_index **out, akin_error *error)
{
    akin_cli_stop_words words = {0};
    akin_text_options text = request->reading.text;
    akin_status status = akin_cli_stop_words_read(job, request->stop_words, request->reading.lossy, &words, error);
    text.stop_words = words.list;
    text.stop_word_count = words.count;
    if (status == AKIN_OK)
        status = akin_cli_searched_read(job, &request->reading, request->path, AKIN_FORMAT_JSONL, data, error);
    if (status == AKIN_OK)
        status = make(job, request, data, &text, out, error);
    akin_cli_stop_words_clear(&words);
    return status;
}

/* Weighs documents, and writes an index to rank them by. */
static akin_status weigh_and_write(akin_cli_job *job, const index_request *request, akin_error *error)
{
    akin_index *index = NULL;
    akin_output *output = NULL;
    akin_status status = akin_output_open(job->context, request->output, &output, error);
    if (status == AKIN_OK)
        status = akin_cli_weighed_index(job, &request->weighed, &index, error);
    if (status == AKIN_OK)
        status = akin_index_write(job->context, index, output, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    akin_index_free(index);
    return status;
}

static akin_status run_request(akin_cli_job *job, index_request *request, int *refused, akin_error *error)
{
    akin_cli_searched data = {0};
    akin_search_index *index = NULL;
    akin_output *output = NULL;
    akin_status status = akin_output_open(job->context, request->output, &output, error);
    if (status == AKIN_OK) {
        status = request->append ? append(job, request, &data, &index, refused, error)
                                 : read_and_make(job, request, &data, &index, error);
        if (status != AKIN_OK && data.table)
            akin_cli_source_locate(data.table, request->path, error);
    }
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE)
        status = akin_search_index_write(job->context, index, output, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK && *refused == AKIN_CLI_DONE)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    akin_search_index_free(index);
    akin_cli_searched_clear(&data);
    return status;
}

static int run(const akin_cli_arguments *arguments)
{
    index_request request = {.functions = AKIN_VECTORS_OPTIONS_INIT, .weighed = {.weigh = AKIN_WEIGH_OPTIONS_INIT}};
    const akin_cli_resources resources = {.threads = arguments->value[THREADS][0],
                                          .memory = arguments->value[MEMORY][0],
                                          .device = arguments->value[DEVICE][0],
                                          .device_memory = arguments->value[DEVICE_MEMORY][0]};
    akin_cli_job job;
    akin_error error;
    int refused = AKIN_CLI_DONE, status = check(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = request.weighed.readings ? weigh_and_write(&job, &request, &error)
                                            : run_request(&job, &request, &refused, &error);
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
    .summary = "make an index of sets, texts, rows, strings or vectors to search",
    .usage =
        "DATA --kind OBJECTS -o FILE.akin [OPTION...]\n"
        "       akin index FILE... --kind bm25 -o FILE.akin [OPTION...]\n"
        "       akin index DATA --append FILE.akin [-o FILE.akin] [OPTION...]",
    .about =
        "Makes an index of the objects in DATA, for 'akin search', or adds them to one.\n"
        "An object is a set of keywords, and a search finds those that have the most in\n"
        "common with a query; of strings it finds the nearest by edit distance. Documents\n"
        "by bm25 are ranked by what the query's words weigh in them, as search engines\n"
        "do. Vectors have hash functions whose values are keywords (LSH), so that what is\n"
        "found is approximately what is nearest.\n",
    .notes =
        "Kinds of objects:\n"
        "{search-kinds}\n"
        "\n"
        "A file of text, or of sets, has an object a line; a table or a matrix has an\n"
        "object a row. The keywords of a set are its ids, of a document its distinct\n"
        "tokens. The keywords of a row are the values of its columns, of columns with\n"
        "numbers the intervals that these are in; an empty field is none. Vectors are\n"
        "kept, for --rerank of a search, unless --signatures-only is given.\n"
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
        "  akin index base.fvecs --kind vectors --functions 128 -o base.akin\n"
        "  akin search base.akin asked.fvecs --rerank 100 -k 10\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
