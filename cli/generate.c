/* akin generate: synthetic collections, and real ones enlarged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "job.h"
#include "number.h"
#include "path.h"

#define ZIPF_MAX 10 /* beyond it the weights of the tokens are too far apart for 64 bits */

enum {
    SETS,
    TOKENS,
    AVERAGE,
    SPREAD,
    SMALLEST,
    LARGEST,
    ZIPF,
    DUPLICATES,
    SEED,
    GROW,
    OUTPUT,
    QUIET,
    THREADS,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [SETS] = {.heading = "What the sets look like",
              .name = "sets",
              .argument = "N",
              .help = "number of sets (100000 if not given)"},
    [TOKENS] = {.name = "tokens", .argument = "N", .help = "number of tokens to choose from (50000)"},
    [AVERAGE] = {.name = "average", .argument = "X", .help = "average size of a set (10), normally distributed"},
    [SPREAD] = {.name = "spread", .argument = "X", .help = "standard deviation of the sizes (3)"},
    [SMALLEST] = {.name = "smallest", .argument = "N", .help = "size of the smallest set (1)"},
    [LARGEST] = {.name = "largest", .argument = "N", .help = "size of the largest set (no bound)"},
    [ZIPF] = {.name = "zipf",
              .argument = "X",
              .help = "exponent of the token distribution (1): token k is\n"
                      "drawn with weight 1 / (k + 1)^X; 0 for equal weights"},
    [DUPLICATES] = {.name = "duplicates",
                    .argument = "X",
                    .help = "rate of sets that are near-duplicates of an earlier\n"
                            "one (0.05): a tenth of the tokens is changed"},
    [SEED] = {.name = "seed", .argument = "N", .help = "the same seed gives the same sets everywhere (1)"},
    [GROW] = {.heading = "Or an enlarged collection",
              .name = "grow",
              .argument = "FILE N",
              .help = "N copies of the sets in FILE, one after the other;\n"
                      "the first is the original, and in every next copy\n"
                      "each token is replaced by the next more frequent one,\n"
                      "the most frequent by the rarest"},
    [OUTPUT] = {.heading = "Other options",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "write to FILE, which appears whole or not at all;\n"
                        "standard output if it is - or not given. A name that\n"
                        "ends in .akin gets a binary, checked file that join\n"
                        "reads faster than text"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "show no progress"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use; as many as there are if not given"},
};

/* What was asked for. */
typedef struct generate_request {
    akin_generate_options generate;
    const char *grow; /* the file to enlarge, or NULL */
    uint32_t copies;
    const char *output, *threads;
    int quiet;
} generate_request;

static int check_whole(const akin_cli_arguments *arguments, int option, uint64_t low, uint64_t high, uint64_t *out)
{
    const char *text = arguments->value[option][0];
    if (text && !akin_cli_read_u64(text, low, high, out))
        return akin_cli_refuse("--%s %s: expected a whole number from %llu to %llu", options[option].name, text,
                               (unsigned long long)low, (unsigned long long)high);
    return AKIN_CLI_DONE;
}

static int check_u32(const akin_cli_arguments *arguments, int option, uint32_t low, uint32_t *out)
{
    uint64_t value = *out;
    int status = check_whole(arguments, option, low, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return status;
}

static int check_decimal(const akin_cli_arguments *arguments, int option, double high, double *out)
{
    const char *text = arguments->value[option][0];
    if (text && (!akin_cli_read_double(text, out) || *out > high))
        return akin_cli_refuse("--%s %s: expected a decimal number from 0 to %.0f", options[option].name, text, high);
    return AKIN_CLI_DONE;
}

/* What the sets shall look like. */
static int check_shape(const akin_cli_arguments *arguments, akin_generate_options *generate)
{
    int status = check_u32(arguments, SETS, 0, &generate->rows);
    if (status == AKIN_CLI_DONE)
        status = check_u32(arguments, TOKENS, 1, &generate->universe);
    if (status == AKIN_CLI_DONE)
        status = check_decimal(arguments, AVERAGE, UINT32_MAX, &generate->size_mean);
    if (status == AKIN_CLI_DONE)
        status = check_decimal(arguments, SPREAD, UINT32_MAX, &generate->size_deviation);
    if (status == AKIN_CLI_DONE)
        status = check_u32(arguments, SMALLEST, 1, &generate->size_smallest);
    if (status == AKIN_CLI_DONE)
        status = check_u32(arguments, LARGEST, 1, &generate->size_largest);
    if (status == AKIN_CLI_DONE)
        status = check_decimal(arguments, ZIPF, ZIPF_MAX, &generate->zipf);
    if (status == AKIN_CLI_DONE)
        status = check_decimal(arguments, DUPLICATES, 1, &generate->duplicates);
    if (status == AKIN_CLI_DONE)
        status = check_whole(arguments, SEED, 0, UINT64_MAX, &generate->seed);
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
    const char *text = arguments->value[GROW][1];
    request->grow = arguments->value[GROW][0];
    if (!request->grow)
        return AKIN_CLI_DONE;
    for (int option = SETS; option < GROW; option++) {
        if (arguments->value[option][0])
            return akin_cli_refuse("--grow and --%s: what is enlarged keeps its shape", options[option].name);
    }
    if (!akin_cli_read_u64(text, 1, UINT32_MAX, &copies))
        return akin_cli_refuse("--grow %s %s: expected a whole number of copies above 0 after the file", request->grow,
                               text);
    request->copies = (uint32_t)copies;
    return AKIN_CLI_DONE;
}

static int check(const akin_cli_arguments *arguments, generate_request *request)
{
    if (arguments->operand_count == 0)
        return akin_cli_refuse("expected what to generate: akin generate sets");
    if (strcmp(arguments->operands[0], "sets") != 0)
        return akin_cli_refuse("generate %s: expected 'sets', which is all that can be generated",
                               arguments->operands[0]);
    if (arguments->operand_count > 1)
        return akin_cli_refuse("%s: generate sets takes no operand", arguments->operands[1]);
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : "-";
    request->threads = arguments->value[THREADS][0];
    request->quiet = arguments->value[QUIET][0] != NULL;
    int status = check_shape(arguments, &request->generate);
    if (status == AKIN_CLI_DONE)
        status = check_grow(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_path_check_output("output", request->output);
    return status;
}

static akin_status make(akin_cli_job *job, const generate_request *request, akin_sets **out, akin_error *error)
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
                length = (size_t)(akin_cli_put_u32(buffer + length, tokens[i]) - buffer);
            buffer[length++] = i + 1 < size ? ' ' : '\n';
        }
    }
    return akin_output_write(output, buffer, length, error);
}

/* Makes the collection and writes it. The output is opened first: what cannot be written is better known before the
 * work. */
static akin_status run_request(akin_cli_job *job, const generate_request *request, akin_error *error)
{
    int saved = akin_cli_path_ends(request->output, ".akin");
    akin_sets *sets = NULL;
    akin_output *output = NULL;
    akin_status status = akin_output_open(job->context, request->output, &output, error);
    if (status == AKIN_OK)
        status = make(job, request, &sets, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = saved ? akin_sets_write(job->context, sets, output, error) : write_text(sets, output, error);
    if (status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    akin_sets_free(sets);
    return status;
}

static int run(const akin_cli_arguments *arguments)
{
    generate_request request = {.generate = AKIN_GENERATE_OPTIONS_INIT};
    int status = check(arguments, &request);
    if (status != AKIN_CLI_DONE)
        return status;
    akin_cli_job job;
    akin_error error;
    akin_status done =
        akin_cli_job_begin(&job, &(akin_cli_resources){.threads = request.threads}, request.quiet, &error);
    if (done == AKIN_OK)
        done = run_request(&job, &request, &error);
    return akin_cli_job_end(&job, done, &error);
}

const akin_cli_command akin_cli_generate = {
    .name = "generate",
    .summary = "make a collection of sets to try things on",
    .usage = "sets [OPTION...]",
    .about =
        "Makes a collection of sets, one a line, as 'akin join' reads it: synthetic ones,\n"
        "whose shape the options describe, or an existing collection enlarged.\n",
    .notes =
        "Examples:\n"
        "  akin generate sets --sets 1000000 --average 50 --spread 10 -o sets.txt\n"
        "  akin generate sets --sets 5000 --duplicates 0.3 | akin join - --jaccard 0.7\n"
        "  akin generate sets --grow baskets.txt 5 -o five-times.akin\n"
        "\n"
        "The shapes are those of A. Bellas and A. Gounaris, An Empirical Evaluation of\n"
        "Exact Set Similarity Join Techniques Using GPUs, Table 8 and section 4.4.1.\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
