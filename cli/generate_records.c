/* akin generate records: people or CDs with duplicates, and which records are of one original. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "header.h"
#include "job.h"
#include "names.h"
#include "number.h"
#include "path.h"

/* The files that are written, which are tables of the library's: records, duplicates if they stand apart, pairs. */
enum { RECORDS_FILE, LINKED_FILE, GOLD_FILE, FILES };

static const int of_files[FILES] = {GENERATE_OUTPUT, GENERATE_LINKED, GENERATE_GOLD};

/* The request of the command line. */
typedef struct records_request {
    akin_records_options options;
    uint32_t weights[AKIN_MODIFICATIONS];
    const char *paths[FILES]; /* NULL: not wanted */
    akin_cli_format formats[FILES];
    akin_cli_resources resources;
    int quiet;
} records_request;

/* ---------------------------------------------------------------------------------------------------------- options */

static const char *option_name_of(int option)
{
    return akin_cli_generate.options[option].name;
}

static int check_modification(const char *word, uint32_t weights[AKIN_MODIFICATIONS])
{
    const akin_cli_option *option = &akin_cli_generate.options[GENERATE_MODIFY];
    const akin_choice *row = NULL;
    size_t length = strcspn(word, ":"), all = strlen(option->other);
    uint64_t weight = 0;
    int is_all = length == all && word[length] && memcmp(word, option->other, all) == 0;
    int status = is_all ? AKIN_CLI_DONE : akin_cli_option_choose(option, word, &row);
    if (status == AKIN_CLI_DONE && !akin_cli_read_u64(word + length + 1, 0, 1000000, &weight))
        return akin_cli_refuse("--modify %s: expected a whole number up to 1000000 behind the colon", word);
    for (int i = 0; i < AKIN_MODIFICATIONS && status == AKIN_CLI_DONE; i++)
        if (is_all || row->value == i)
            weights[i] = (uint32_t)weight;
    return status;
}

static int check_modifications(const akin_cli_arguments *arguments, records_request *request)
{
    static const uint32_t usual[AKIN_MODIFICATIONS] = AKIN_MODIFICATIONS_INIT;
    const char *word;
    uint32_t sum = 0;
    int at = 0;
    memcpy(request->weights, usual, sizeof usual);
    while ((word = akin_cli_repeated_next(arguments, GENERATE_MODIFY, NULL, &at))) {
        int status = check_modification(word, request->weights);
        if (status != AKIN_CLI_DONE)
            return status;
    }
    for (int i = 0; i < AKIN_MODIFICATIONS; i++)
        sum += request->weights[i];
    request->options.weights = request->weights;
    request->options.weight_count = AKIN_MODIFICATIONS;
    return sum > 0 ? AKIN_CLI_DONE : akin_cli_refuse("--modify: expected one kind of error above 0");
}

static int check_column_names(const akin_cli_arguments *arguments, akin_records_options *options)
{
    const char *kind = arguments->value[GENERATE_KIND][0], *how = arguments->value[GENERATE_COPIES][0];
    int of = (int)options->kind, copies = (int)options->copies;
    if (akin_cli_option_take(&akin_cli_generate.options[GENERATE_KIND], kind, &of) != AKIN_CLI_DONE ||
        akin_cli_option_take(&akin_cli_generate.options[GENERATE_COPIES], how, &copies) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    options->kind = (akin_records_kind)of;
    options->copies = (akin_copies)copies;
    if (arguments->value[GENERATE_TRACKS][0] && options->kind != AKIN_RECORDS_CD)
        return akin_cli_refuse("--tracks: people have none: expected --kind cd");
    return AKIN_CLI_DONE;
}

/* A number from `low` to `high`. */
static int check_number(const akin_cli_arguments *arguments, int option, uint64_t low, uint64_t high, uint32_t *out)
{
    uint64_t value = *out;
    int status = akin_cli_generate_whole(arguments, option, low, high, &value);
    *out = (uint32_t)value;
    return status;
}

static int check_records_shape(const akin_cli_arguments *arguments, akin_records_options *options)
{
    int status = check_column_names(arguments, options);
    if (status == AKIN_CLI_DONE)
        status = check_number(arguments, GENERATE_RECORDS, 0, UINT32_MAX, &options->rows);
    if (status == AKIN_CLI_DONE)
        status = check_number(arguments, GENERATE_TRACKS, 0, 44, &options->tracks);
    if (status == AKIN_CLI_DONE)
        status = check_number(arguments, GENERATE_MOST_COPIES, 1, 1000, &options->most_copies);
    if (status == AKIN_CLI_DONE)
        status = check_number(arguments, GENERATE_FIELD_MODIFICATIONS, 1, 1000, &options->field_modifications);
    if (status == AKIN_CLI_DONE)
        status = check_number(arguments, GENERATE_RECORD_MODIFICATIONS, 1, 1000, &options->record_modifications);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_decimal(arguments, GENERATE_DUPLICATES, 1, &options->duplicates);
    if (status == AKIN_CLI_DONE && options->duplicates == 1)
        return akin_cli_refuse("--duplicates 1: expected less, as there must be originals");
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_whole(arguments, GENERATE_SEED, 0, UINT64_MAX, &options->seed);
    return status;
}

static int check_file(const akin_cli_arguments *arguments, records_request *request, int file)
{
    const char *option = option_name_of(of_files[file]), *path = arguments->value[of_files[file]][0];
    if (file == RECORDS_FILE && !path)
        path = "-";
    if (akin_cli_format_check(&akin_cli_generate.options[GENERATE_FORMAT], arguments->value[GENERATE_FORMAT][0], path,
                              "records", &request->formats[file]) != AKIN_CLI_DONE ||
        akin_cli_safe_check(arguments->value[GENERATE_SAFE_CSV][0], path, &request->formats[file]) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (!path)
        return AKIN_CLI_DONE;
    for (int other = 0; other < file; other++)
        if (request->paths[other] && akin_cli_path_equal(request->paths[other], path))
            return akin_cli_refuse("%s: expected two files, one for --%s and one for --%s", path,
                                   option_name_of(of_files[other]), option);
    request->paths[file] = path;
    return akin_cli_path_check_output(option, path);
}

static int check_records(const akin_cli_arguments *arguments, records_request *request)
{
    int status = check_records_shape(arguments, &request->options);
    if (status == AKIN_CLI_DONE)
        status = check_modifications(arguments, request);
    for (int file = 0; file < FILES && status == AKIN_CLI_DONE; file++)
        status = check_file(arguments, request, file);
    request->options.linked = request->paths[LINKED_FILE] != NULL;
    request->resources = (akin_cli_resources){.threads = arguments->value[GENERATE_THREADS][0],
                                              .saver = arguments->saver,
                                              .replaces = arguments->value[GENERATE_REPLACE][0] != NULL,
                                              .sync = arguments->value[GENERATE_SYNC][0] != NULL};
    request->quiet = arguments->value[GENERATE_QUIET][0] != NULL;
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- tables */

/* A file that is written. */
typedef struct writer {
    akin_output *output; /* NULL: it is not wanted */
    akin_cli_format format;
    uint64_t rows; /* that were written */
    size_t length;
    char buffer[65536];
} writer;

typedef struct writing {
    writer writers[FILES];
    akin_error error;
} writing;

static akin_status flush_records(writer *w, akin_error *error)
{
    akin_status status = akin_output_write(w->output, w->buffer, w->length, error);
    w->length = 0;
    return status;
}

/* Makes room for a value, which takes 6 bytes for each of its own at most, and what is around it. */
static akin_status reserve_value(writer *w, size_t length, akin_error *error)
{
    return 6 * length + 8 > sizeof w->buffer - w->length ? flush_records(w, error) : AKIN_OK;
}

static void put_character(writer *w, char c)
{
    w->buffer[w->length++] = c;
}

static void put_csv_value(writer *w, const char *value, size_t length)
{
    w->length += akin_cli_name_write(w->buffer + w->length, value, length, w->format);
}

static akin_status write_header(writer *w, const akin_records_batch *batch, akin_error *error)
{
    akin_cli_header header = {0};
    for (uint32_t i = 0; i < batch->column_count; i++)
        akin_cli_header_add(&header, "", batch->columns[i].name, AKIN_CLI_TEXT);
    return akin_cli_header_write(&header, w->format, w->output, error);
}

/* A value of a line of JSON, with its key; a missing value is null. */
static void put_member(writer *w, const akin_column *column, const char *value, size_t length)
{
    put_csv_value(w, column->name, strlen(column->name));
    put_character(w, ':');
    if (length > 0) {
        put_csv_value(w, value, length);
        return;
    }
    const char *none = akin_cli_writer_of(w->format)->none;
    memcpy(w->buffer + w->length, none, strlen(none));
    w->length += strlen(none);
}

static akin_status write_row(writer *w, const akin_records_batch *batch, uint32_t row, akin_error *error)
{
    int is_json = !akin_cli_writer_of(w->format)->separator;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < batch->column_count && status == AKIN_OK; i++) {
        const akin_column *column = &batch->columns[i];
        const char *value = column->bytes + column->offsets[row];
        size_t length = (size_t)(column->offsets[row + 1] - column->offsets[row]);
        status = reserve_value(w, length + strlen(column->name) + 4, error);
        if (is_json) {
            put_character(w, i == 0 ? '{' : ',');
            put_member(w, column, value, length);
        } else {
            if (i > 0)
                put_character(w, akin_cli_writer_of(w->format)->separator[0]);
            if (length > 0) /* else it is missing */
                put_csv_value(w, value, length);
        }
    }
    if (is_json)
        put_character(w, '}');
    put_character(w, '\n');
    return status;
}

static int write_records_batch(void *user, const akin_records_batch *batch)
{
    writing *all = user;
    writer *w = &all->writers[(int)batch->table - AKIN_RECORDS_TABLE];
    akin_status status = AKIN_OK;
    if (!w->output)
        return 0;
    if (batch->first == 0)
        status = write_header(w, batch, &all->error);
    for (uint32_t row = 0; row < batch->rows && status == AKIN_OK; row++)
        status = write_row(w, batch, row, &all->error);
    w->rows += batch->rows;
    return status != AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* Opens the files first: what cannot be written is better known before the work. All of them appear, or none. */
static akin_status run_records_request(akin_cli_job *job, const records_request *request, writing *all,
                                       akin_error *error)
{
    akin_output *outputs[FILES];
    size_t count = 0;
    akin_status status = AKIN_OK;
    for (int file = 0; file < FILES && status == AKIN_OK; file++) {
        writer *w = &all->writers[file];
        w->format = request->formats[file];
        if (request->paths[file])
            status = akin_cli_job_open(job, request->paths[file], "", &w->output, error);
        if (status == AKIN_OK && w->output)
            outputs[count++] = w->output;
    }
    if (status == AKIN_OK)
        status = akin_records_generate(job->context, &request->options, write_records_batch, all, error);
    if (status == AKIN_E_CANCELLED && all->error.code != AKIN_OK) {
        *error = all->error; /* writing failed */
        status = error->code;
    }
    akin_cli_progress_clear(&job->progress);
    for (int file = 0; file < FILES && status == AKIN_OK; file++)
        if (all->writers[file].output)
            status = flush_records(&all->writers[file], error);
    if (status == AKIN_OK)
        status = akin_output_commit_all(outputs, count, error);
    else
        while (count > 0)
            akin_output_discard(outputs[--count]);
    for (int file = 0; file < FILES && status == AKIN_OK; file++)
        akin_cli_job_wrote(job, request->paths[file], all->writers[file].rows, file == GOLD_FILE ? "pairs" : "records");
    return status;
}

int akin_cli_generate_records(const akin_cli_arguments *arguments)
{
    records_request request = {.options = AKIN_RECORDS_OPTIONS_INIT};
    int status = check_records(arguments, &request);
    if (status != AKIN_CLI_DONE)
        return status;
    writing *all = calloc(1, sizeof *all);
    if (!all) {
        akin_cli_refuse("not enough memory for records");
        return AKIN_CLI_FAILED;
    }
    akin_cli_job job;
    akin_error error;
    akin_status done = akin_cli_job_begin(&job, &request.resources, request.quiet, &error);
    if (done == AKIN_OK)
        done = run_records_request(&job, &request, all, &error);
    free(all);
    return akin_cli_job_end(&job, done, &error);
}
