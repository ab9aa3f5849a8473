/* akin join: the pairs of similar sets of one collection, or of two. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "explain.h"
#include "job.h"
#include "number.h"
#include "pairs.h"
#include "path.h"

enum {
    JACCARD,
    COSINE,
    DICE,
    OVERLAP,
    INPUT,
    OUTPUT,
    OUTPUT_FORMAT,
    COUNT,
    EXPLAIN,
    QUIET,
    TECHNIQUE,
    BITS,
    THREADS,
    MEMORY,
    DEVICE,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [JACCARD] = {.heading = "Measure (one of them)",
                 .name = "jaccard",
                 .argument = "T",
                 .help = "tokens in common / tokens in either set"},
    [COSINE] = {.name = "cosine", .argument = "T", .help = "tokens in common / square root of (size x size)"},
    [DICE] = {.name = "dice", .argument = "T", .help = "2 x tokens in common / (size + size)"},
    [OVERLAP] = {.name = "overlap",
                 .argument = "N",
                 .help = "tokens in common\n"
                         "T is a decimal number above 0 and at most 1, such as\n"
                         "0.8; N a whole number above 0. A pair that sits\n"
                         "exactly on the threshold qualifies."},
    [INPUT] = {.heading = "Input and output",
               .name = "input",
               .argument = "KIND",
               .help = "what the files hold: 'ids' (the default), one set a\n"
                       "line, its tokens being whole numbers below 2^32\n"
                       "separated by blanks; an empty line is an empty set,\n"
                       "which is similar to nothing"},
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "write to FILE, which appears whole or not at all;\n"
                        "standard output if it is - or not given"},
    [OUTPUT_FORMAT] = {.name = "output-format",
                       .argument = "FORMAT",
                       .help = "csv, tsv or jsonl; if not given, what the name of the\n"
                               "output ends in, else csv"},
    [COUNT] = {.name = "count", .help = "write only the number of pairs"},
    [EXPLAIN] = {.name = "explain", .help = "tell on standard error how the pairs were found, and\nwhat it took"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "show no progress"},
    [TECHNIQUE] = {.heading = "Technique and resources (which do not change the pairs)",
                   .name = "technique",
                   .argument = "NAME",
                   .help = "auto (the default: what is predicted to be fastest),\n"
                           "allpairs, ppjoin, groupjoin, bitmap or screened"},
    [BITS] = {.name = "bits",
              .argument = "N",
              .help = "width of the signatures of bitmap and screened: a\n"
                      "power of two from 64 to 2048; chosen if not given"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use; as many as there are if not given"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "bound of the heap, at least 16M; a join of any size is\n"
                        "cut in parts that fit, and what does not goes to\n"
                        "temporary files in $TMPDIR, or /tmp. K, M, G, T are\n"
                        "powers of 1024 (512M is 512MiB), KB, MB, GB of 1000.\n"
                        "No bound if not given"},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "auto (the default), cpu, cuda, or cuda:N for the Nth\nGPU, counted from 0"},
};

/* What was asked for. */
typedef struct join_request {
    const char *left, *right; /* right is NULL in a self-join */
    const char *output, *threads, *device, *memory;
    akin_cli_format format;
    akin_join_options join;
    int count, explain, quiet;
} join_request;

static const struct {
    int option;
    akin_measure measure;
} measures[] = {{JACCARD, AKIN_JACCARD}, {COSINE, AKIN_COSINE}, {DICE, AKIN_DICE}, {OVERLAP, AKIN_OVERLAP}};

/* The measure and its threshold. */
static int check_measure(const akin_cli_arguments *arguments, akin_join_options *join)
{
    const char *name = NULL, *text = NULL;
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        int option = measures[i].option;
        if (!arguments->value[option][0])
            continue;
        if (name)
            return akin_cli_refuse("--%s and --%s: expected only one measure", name, options[option].name);
        name = options[option].name;
        text = arguments->value[option][0];
        join->measure = measures[i].measure;
    }
    if (!name)
        return akin_cli_refuse("expected a measure: --jaccard T, --cosine T, --dice T or --overlap N");
    akin_ratio ratio;
    int valid = akin_ratio_parse(text, &ratio, NULL) == AKIN_OK && ratio.num > 0;
    if (join->measure == AKIN_OVERLAP && !(valid && ratio.num % ratio.den == 0))
        return akin_cli_refuse("--overlap %s: expected a whole number above 0 of at most 9 digits", text);
    if (join->measure != AKIN_OVERLAP && !(valid && ratio.num <= ratio.den))
        return akin_cli_refuse(
            "--%s %s: expected a decimal number above 0 and at most 1, such as 0.8 (at most 9 digits)", name, text);
    join->threshold = ratio;
    return AKIN_CLI_DONE;
}

static int check_files(const akin_cli_arguments *arguments, join_request *request)
{
    const char *kind = arguments->value[INPUT][0];
    if (kind && strcmp(kind, "ids") != 0)
        return akin_cli_refuse("--input %s: expected 'ids', the only kind of input there is", kind);
    if (arguments->operand_count == 0)
        return akin_cli_refuse("expected a file: akin join FILE [FILE2]");
    if (arguments->operand_count > 2)
        return akin_cli_refuse("%s: expected one file or two, not a third", arguments->operands[2]);
    for (int i = 0; i < arguments->operand_count; i++) {
        if (!arguments->operands[i][0])
            return akin_cli_refuse("expected the name of a file, not an empty word");
    }
    request->left = arguments->operands[0];
    request->right = arguments->operand_count == 2 ? arguments->operands[1] : NULL;
    if (request->right && akin_cli_path_is_stdin(request->left) && akin_cli_path_is_stdin(request->right))
        return akin_cli_refuse("- and -: standard input can be read only once");
    return AKIN_CLI_DONE;
}

static int check_output(const akin_cli_arguments *arguments, join_request *request)
{
    const char *format = arguments->value[OUTPUT_FORMAT][0];
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : "-";
    request->count = arguments->value[COUNT][0] != NULL;
    request->explain = arguments->value[EXPLAIN][0] != NULL;
    request->quiet = arguments->value[QUIET][0] != NULL;
    if (format && request->count)
        return akin_cli_refuse("--count and --output-format: a number has no format");
    for (int i = 0; i < 2; i++) {
        const char *input = i == 0 ? request->left : request->right;
        if (input && akin_cli_path_same(input, request->output))
            return akin_cli_refuse("%s: is read and would be replaced: write the %s to another file", request->output,
                                   request->count ? "number" : "pairs");
    }
    if (akin_cli_path_ends(request->output, ".json") && !format && !request->count)
        return akin_cli_refuse(
            "%s: a join writes JSON lines, whose files are named .jsonl: name it so, or give "
            "--output-format",
            request->output);
    if (akin_cli_path_ends(request->output, ".akin") && !format)
        return akin_cli_refuse("%s: a join writes %s, not an .akin file%s", request->output,
                               request->count ? "a number with --count" : "csv, tsv or jsonl",
                               request->count ? "" : ": give --output-format to write it there all the same");
    if (!format)
        akin_cli_format_guess(request->output, &request->format);
    else if (!akin_cli_format_parse(format, &request->format))
        return akin_cli_refuse("--output-format %s: expected csv, tsv or jsonl", format);
    return akin_cli_path_check_output(request->output);
}

static int check_technique(const akin_cli_arguments *arguments, join_request *request)
{
    const char *technique = arguments->value[TECHNIQUE][0], *text = arguments->value[BITS][0];
    uint64_t bits = 0;
    akin_error error;
    if (technique && akin_technique_parse(technique, &request->join.technique, &error) != AKIN_OK)
        return akin_cli_fail(&error);
    if (text && (!akin_cli_read_u64(text, 64, 2048, &bits) || (bits & (bits - 1)) != 0))
        return akin_cli_refuse("--bits %s: expected 64, 128, 256, 512, 1024 or 2048", text);
    request->join.bits = (uint32_t)bits;
    request->threads = arguments->value[THREADS][0];
    request->device = arguments->value[DEVICE][0];
    request->memory = arguments->value[MEMORY][0];
    return AKIN_CLI_DONE;
}

/* Joins what was read into `output`. */
static akin_status join(akin_cli_job *job, const join_request *request, const akin_sets *left, const akin_sets *right,
                        akin_output *output, akin_join_report **report, akin_error *error)
{
    akin_cli_pairs *pairs = NULL;
    uint64_t count = 0;
    akin_status status = AKIN_OK;
    if (!request->count)
        status = akin_cli_pairs_begin(output, request->format, request->join.measure, left, right, &pairs, error);
    if (status == AKIN_OK)
        status = akin_join(job->context, left, right, &request->join, pairs ? akin_cli_pairs_sink : NULL, pairs, &count,
                           report, error);
    if (pairs)
        status = akin_cli_pairs_finish(pairs, status, error);
    akin_cli_pairs_free(pairs);
    if (status == AKIN_OK && request->count) {
        char text[AKIN_CLI_NUMBER];
        int length = snprintf(text, sizeof text, "%" PRIu64 "\n", count);
        status = akin_output_write(output, text, (size_t)length, error);
    }
    return status;
}

/* Reads, joins and writes. The output is opened first: what cannot be written is better known before the work. */
static akin_status run_request(akin_cli_job *job, const join_request *request, akin_join_report **report,
                               double *seconds_read, akin_error *error)
{
    akin_sets *left = NULL, *right = NULL;
    akin_output *output = NULL;
    akin_status status = akin_output_open(job->context, request->output, &output, error);
    double begun = akin_cli_clock();
    if (status == AKIN_OK)
        status = akin_sets_read(job->context, request->left, &left, error);
    if (status == AKIN_OK && request->right)
        status = akin_sets_read(job->context, request->right, &right, error);
    *seconds_read = akin_cli_clock() - begun;
    if (status == AKIN_OK)
        status = join(job, request, left, right, output, report, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    akin_sets_free(left);
    akin_sets_free(right);
    return status;
}

static int run(const akin_cli_arguments *arguments)
{
    join_request request = {.join = AKIN_JOIN_OPTIONS_INIT};
    int status = check_files(arguments, &request);
    if (status == AKIN_CLI_DONE)
        status = check_measure(arguments, &request.join);
    if (status == AKIN_CLI_DONE)
        status = check_output(arguments, &request);
    if (status == AKIN_CLI_DONE)
        status = check_technique(arguments, &request);
    if (status != AKIN_CLI_DONE)
        return status;

    akin_cli_job job;
    akin_error error;
    akin_join_report *report = NULL;
    double seconds_read = 0;
    akin_status done = akin_cli_job_begin(&job, request.threads, request.device, request.memory, request.quiet, &error);
    if (done == AKIN_OK)
        done = run_request(&job, &request, &report, &seconds_read, &error);
    status = akin_cli_job_end(&job, done, &error);
    if (status == AKIN_CLI_DONE && request.explain)
        akin_cli_explain(report, seconds_read);
    akin_join_report_free(report);
    return status;
}

const akin_cli_command akin_cli_join = {
    .name = "join",
    .summary = "find the pairs of similar sets, in one file or between two",
    .usage = "FILE [FILE2] MEASURE [OPTION...]",
    .about =
        "Finds every pair of similar sets: two sets of FILE, or with FILE2 a set of FILE\n"
        "(left) and a set of FILE2 (right). Rows are numbered from 0, pairs are sorted by\n"
        "left and right row; within one file, left is below right. The answer is exact: a\n"
        "pair is given if and only if it reaches the threshold, compared in integers.\n",
    .notes =
        "Examples:\n"
        "  akin join baskets.txt --jaccard 0.8 -o pairs.csv\n"
        "      the pairs of baskets that share 80 % of what is in either\n"
        "  akin join old.txt.gz new.txt.zst --overlap 5 --output-format jsonl\n"
        "      for every new set, the old ones with at least 5 of its tokens\n"
        "  zcat baskets.txt.gz | akin join - --dice 0.9 --count --explain\n"
        "      how many pairs there are, and how they were found\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
