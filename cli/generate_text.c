/* akin generate text: documents of words that are as frequent as they are said to be. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "job.h"
#include "number.h"
#include "path.h"

#define DOCUMENTS  1000 /* unless something else is said */
#define MU_MOST    16
#define SIGMA_MOST 4

/* The request of the command line. */
typedef struct text_request {
    akin_documents_options options;
    const char *words; /* the file that has them, or NULL */
    uint32_t most;     /* of its words; 0: all */
    const char *output, *threads;
    const akin_opener *opener;
    int quiet;
} text_request;

/* The words of a file, and how frequent they are. */
typedef struct word_list {
    akin_table *table; /* of lines */
    char *bytes;
    uint64_t *offsets;
    double *weights;
    akin_column column;
} word_list;

/* ---------------------------------------------------------------------------------------------------------- options */

static int check_length(const akin_cli_arguments *arguments, akin_documents_options *options)
{
    const char *const *text = arguments->value[GENERATE_LENGTH];
    if (!text[0])
        return AKIN_CLI_DONE;
    if (!akin_cli_read_double(text[0], &options->length_mu) || options->length_mu > MU_MOST ||
        !akin_cli_read_double(text[1], &options->length_sigma) || options->length_sigma > SIGMA_MOST)
        return akin_cli_refuse("--length %s %s: expected two decimal numbers, from 0 to %d and from 0 to %d", text[0],
                               text[1], MU_MOST, SIGMA_MOST);
    return AKIN_CLI_DONE;
}

static int check_amount(const akin_cli_arguments *arguments, akin_documents_options *options)
{
    const char *bytes = arguments->value[GENERATE_BYTES][0];
    akin_error error;
    if (bytes && akin_cli_read_size("bytes", bytes, 1, "1", &options->bytes, &error) != AKIN_OK)
        return akin_cli_fail(&error);
    if (!bytes)
        options->documents = DOCUMENTS;
    return akin_cli_generate_whole(arguments, GENERATE_DOCUMENTS, 1, UINT32_MAX, &options->documents);
}

static int check_text(const akin_cli_arguments *arguments, text_request *request)
{
    const char *how = arguments->value[GENERATE_DISTRIBUTION][0];
    request->words = arguments->value[GENERATE_WORDS][0];
    request->output = arguments->value[GENERATE_OUTPUT][0] ? arguments->value[GENERATE_OUTPUT][0] : "-";
    request->threads = arguments->value[GENERATE_THREADS][0];
    request->opener = arguments->opener;
    request->quiet = arguments->value[GENERATE_QUIET][0] != NULL;
    int status = check_amount(arguments, &request->options);
    if (status == AKIN_CLI_DONE)
        status = check_length(arguments, &request->options);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_whole(arguments, GENERATE_SEED, 0, UINT64_MAX, &request->options.seed);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_u32(arguments, GENERATE_VOCABULARY, 1,
                                       request->words ? &request->most : &request->options.vocabulary);
    int is_uniform = 0;
    if (status == AKIN_CLI_DONE)
        status = akin_cli_option_take(&akin_cli_generate.options[GENERATE_DISTRIBUTION], how, &is_uniform);
    request->options.uniform = (uint32_t)is_uniform;
    if (status == AKIN_CLI_DONE && akin_cli_path_ends(request->output, ".akin"))
        return akin_cli_refuse("%s: documents are written as text: name it so", request->output);
    if (status == AKIN_CLI_DONE && request->words && akin_cli_path_same(request->words, request->output))
        return akin_cli_refuse("%s: the words would be overwritten", request->output);
    return status == AKIN_CLI_DONE ? akin_cli_path_check_output("output", request->output) : status;
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* A whole or decimal number, with an exponent if need be. */
static int read_frequency(const char *bytes, uint64_t length, double *out)
{
    char text[64], *end = text;
    if (length == 0 || length >= sizeof text)
        return 0;
    memcpy(text, bytes, (size_t)length);
    text[length] = '\0';
    if (strspn(text, "0123456789+-.eE") != length || text[0] == '-')
        return 0;
    *out = strtod(text, &end);
    return *end == '\0' && *out <= 1e300;
}

static akin_status refuse_line(const char *path, uint32_t row, const char *expected, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "%.600s:%" PRIu64 ": expected %s",
                          akin_cli_path_name(path), (uint64_t)row + 1, expected);
}

static akin_status take_line(word_list *list, const char *path, const akin_column *lines, uint32_t row,
                             akin_error *error)
{
    const char *line = lines->bytes + lines->offsets[row];
    uint64_t length = lines->offsets[row + 1] - lines->offsets[row];
    const char *tab = length > 0 ? memchr(line, '\t', length) : NULL;
    uint64_t word = tab ? (uint64_t)(tab - line) : length;
    if (word == 0 || memchr(line, ' ', word))
        return refuse_line(path, row, "a word, a tab and how frequent it is", error);
    if (!tab || !read_frequency(tab + 1, length - word - 1, &list->weights[row]))
        return refuse_line(path, row, "a number from 0 on behind the word and a tab", error);
    memcpy(list->bytes + list->offsets[row], line, word);
    list->offsets[row + 1] = list->offsets[row] + word;
    return AKIN_OK;
}

/* A word that nobody has counted is taken to be half as frequent as the rarest that somebody has. */
static akin_status settle_zeros(const char *path, double *weights, uint32_t count, akin_error *error)
{
    double least = 0;
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] > 0 && (least == 0 || weights[i] < least))
            least = weights[i];
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] == 0)
            weights[i] = least / 2;
    if (least > 0)
        return AKIN_OK;
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "%.600s: expected a word that is more frequent than 0",
                          akin_cli_path_name(path));
}

static akin_status read_words(akin_cli_job *job, text_request *request, word_list *list, akin_error *error)
{
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    akin_column lines = AKIN_COLUMN_INIT;
    how.format = AKIN_FORMAT_TEXT;
    akin_status status = akin_table_read(job->context, request->words, &how, &list->table, error);
    if (status == AKIN_OK)
        status = akin_table_column(list->table, 0, &lines, error);
    if (status != AKIN_OK)
        return status;
    uint32_t count = akin_table_rows(list->table);
    count = request->most > 0 && request->most < count ? request->most : count;
    list->bytes = malloc(lines.offsets[count] + 1);
    list->offsets = calloc((size_t)count + 1, sizeof *list->offsets);
    list->weights = calloc((size_t)count + 1, sizeof *list->weights);
    if (!list->bytes || !list->offsets || !list->weights)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the words");
    for (uint32_t row = 0; row < count && status == AKIN_OK; row++)
        status = take_line(list, request->words, &lines, row, error);
    if (status == AKIN_OK)
        status = settle_zeros(request->words, list->weights, count, error);
    list->column = (akin_column){.size = sizeof list->column, .offsets = list->offsets, .bytes = list->bytes};
    request->options.words = &list->column;
    request->options.weights = list->weights;
    request->options.word_count = count;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- text */

typedef struct writing {
    akin_output *output;
    uint64_t bytes; /* that were written */
    akin_error error;
} writing;

static int write_text(void *user, const char *bytes, uint64_t length)
{
    writing *w = user;
    w->bytes += length;
    return akin_output_write(w->output, bytes, (size_t)length, &w->error) != AKIN_OK;
}

/* The caller clears `list`. */
static akin_status run_text_request(akin_cli_job *job, text_request *request, word_list *list, akin_error *error)
{
    writing w = {0};
    akin_status status = akin_output_open(job->context, request->output, &w.output, error);
    if (status == AKIN_OK && request->words)
        status = read_words(job, request, list, error);
    if (status == AKIN_OK)
        status = akin_documents_generate(job->context, &request->options, write_text, &w, error);
    if (status == AKIN_E_CANCELLED && w.error.code != AKIN_OK) {
        *error = w.error; /* writing failed */
        status = error->code;
    }
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = akin_output_commit(w.output, error);
    else
        akin_output_discard(w.output);
    if (status == AKIN_OK)
        akin_cli_job_wrote(job, request->output, w.bytes, "bytes");
    return status;
}

int akin_cli_generate_text(const akin_cli_arguments *arguments)
{
    word_list list = {0};
    text_request request = {.options = AKIN_DOCUMENTS_OPTIONS_INIT};
    int status = check_text(arguments, &request);
    if (status != AKIN_CLI_DONE)
        return status;
    akin_cli_job job;
    akin_error error;
    akin_status done = akin_cli_job_begin(&job,
                                          &(akin_cli_resources){.threads = request.threads,
                                                                .sync = arguments->value[GENERATE_SYNC][0] != NULL,
                                                                .opener = request.opener},
                                          request.quiet, &error);
    if (done == AKIN_OK)
        done = run_text_request(&job, &request, &list, &error);
    akin_table_free(list.table);
    free(list.bytes);
    free(list.offsets);
    free(list.weights);
    return akin_cli_job_end(&job, done, &error);
}
