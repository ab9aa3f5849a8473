/* akin generate sets: synthetic collections, and real ones enlarged. */
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "job.h"
#include "number.h"
#include "path.h"

#define ZIPF_MAX 10 /* beyond it the weights of the tokens are too far apart for 64 bits */

/* The request of the command line. */
typedef struct generate_request {
    akin_generate_options generate;
    const char *grow; /* the file to enlarge, or NULL */
    uint32_t copies;
    const char *output, *threads;
    int quiet;
} generate_request;

/* What the sets shall look like. */
static int check_sets_shape(const akin_cli_arguments *arguments, akin_generate_options *generate)
{
    int status = akin_cli_generate_u32(arguments, GENERATE_SETS, 0, &generate->rows);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_u32(arguments, GENERATE_TOKENS, 1, &generate->universe);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_decimal(arguments, GENERATE_AVERAGE, UINT32_MAX, &generate->size_mean);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_decimal(arguments, GENERATE_SPREAD, UINT32_MAX, &generate->size_deviation);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_u32(arguments, GENERATE_SMALLEST, 1, &generate->size_smallest);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_u32(arguments, GENERATE_LARGEST, 1, &generate->size_largest);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_decimal(arguments, GENERATE_ZIPF, ZIPF_MAX, &generate->zipf);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_decimal(arguments, GENERATE_DUPLICATES, 1, &generate->duplicates);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_generate_whole(arguments, GENERATE_SEED, 0, UINT64_MAX, &generate->seed);
    generate->lognormal = arguments->value[GENERATE_LOGNORMAL][0] != NULL;
    if (status == AKIN_CLI_DONE && generate->lognormal && generate->size_mean < 1)
        return akin_cli_refuse("--lognormal: expected --average of at least 1, not %g", generate->size_mean);
    if (status == AKIN_CLI_DONE && generate->size_smallest > generate->universe)
        return akin_cli_refuse("--smallest %u: expected at most the number of tokens, %u", generate->size_smallest,
                               generate->universe);
    if (status == AKIN_CLI_DONE && generate->size_largest > 0 && generate->size_largest < generate->size_smallest)
        return akin_cli_refuse("--largest %u: expected at least --smallest, %u", generate->size_largest,
                               generate->size_smallest);
    return status;
}

static int check_grow(const akin_cli_arguments *arguments, generate_request *request)
{
    uint64_t copies = 0;
    const char *text = arguments->value[GENERATE_GROW][1];
    request->grow = arguments->value[GENERATE_GROW][0];
    if (!request->grow)
        return AKIN_CLI_DONE;
    for (int option = GENERATE_SETS; option < GENERATE_OPTIONS; option++) {
        int shapes = option < GENERATE_GROW || option == GENERATE_DUPLICATES || option == GENERATE_SEED;
        if (shapes && arguments->value[option][0])
            return akin_cli_refuse("--grow and --%s: what is enlarged keeps its shape",
                                   akin_cli_generate.options[option].name);
    }
    if (!akin_cli_read_u64(text, 1, UINT32_MAX, &copies))
        return akin_cli_refuse("--grow %s %s: expected a whole number of copies above 0 after the file", request->grow,
                               text);
    request->copies = (uint32_t)copies;
    return AKIN_CLI_DONE;
}

static int check_sets(const akin_cli_arguments *arguments, generate_request *request)
{
    request->output = arguments->value[GENERATE_OUTPUT][0] ? arguments->value[GENERATE_OUTPUT][0] : "-";
    request->threads = arguments->value[GENERATE_THREADS][0];
    request->quiet = arguments->value[GENERATE_QUIET][0] != NULL;
    int status = check_sets_shape(arguments, &request->generate);
    if (status == AKIN_CLI_DONE)
        status = check_grow(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_path_check_output("output", request->output);
    return status;
}

static akin_status make_sets(akin_cli_job *job, const generate_request *request, akin_sets **out, akin_error *error)
{
    akin_sets *original = NULL;
    if (!request->grow)
        return akin_sets_generate(job->context, &request->generate, out, error);
    akin_status status = akin_sets_read(job->context, request->grow, &original, error);
    if (status == AKIN_OK)
        status = akin_sets_grow(job->context, original, request->copies, out, error);
    akin_sets_free(original);
    return status;
}

/* Writes a collection as `ids` text. */
static akin_status write_text(const akin_sets *sets, akin_output *output, akin_error *error)
{
    char buffer[16384];
    size_t length = 0;
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens = NULL;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        for (uint32_t i = 0; i < size || i == 0; i++) {
            if (length > sizeof buffer - AKIN_CLI_NUMBER) {
                akin_status status = akin_output_write(output, buffer, length, error);
                if (status == AKIN_OK && akin_cli_job_cancelled())
                    status = error->code = AKIN_E_CANCELLED;
                if (status != AKIN_OK)
                    return status;
                length = 0;
            }
            if (i < size)
                length = (size_t)(akin_digits_integer(buffer + length, tokens[i]) - buffer);
            buffer[length++] = i + 1 < size ? ' ' : '\n';
        }
    }
    return akin_output_write(output, buffer, length, error);
}

/* Makes the collection and writes it. The output is opened first: what cannot be written is better known before the
 * work. */
static akin_status run_sets_request(akin_cli_job *job, const generate_request *request, akin_error *error)
{
    int saved = akin_cli_path_ends(request->output, ".akin");
    akin_sets *sets = NULL;
    akin_output *output = NULL;
    akin_status status = akin_output_open(job->context, request->output, &output, error);
    if (status == AKIN_OK)
        status = make_sets(job, request, &sets, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = saved ? akin_sets_write(job->context, sets, output, error) : write_text(sets, output, error);
    if (status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    if (status == AKIN_OK)
        akin_cli_job_wrote(job, request->output, akin_sets_rows(sets), "sets");
    akin_sets_free(sets);
    return status;
}

int akin_cli_generate_sets(const akin_cli_arguments *arguments)
{
    generate_request request = {.generate = AKIN_GENERATE_OPTIONS_INIT};
    int status = check_sets(arguments, &request);
    if (status != AKIN_CLI_DONE)
        return status;
    akin_cli_job job;
    akin_error error;
    akin_status done = akin_cli_job_begin(
        &job, &(akin_cli_resources){.threads = request.threads, .sync = arguments->value[GENERATE_SYNC][0] != NULL},
        request.quiet, &error);
    if (done == AKIN_OK)
        done = run_sets_request(&job, &request, &error);
    return akin_cli_job_end(&job, done, &error);
}
