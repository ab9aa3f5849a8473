/* akin label: a person's answers teach weights. */
#include "label.h"

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "command.h"
#include "job_file.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "suggested.h"

#define LIMIT_DEFAULT 100
#define LIMIT_MOST    10000

enum { ANSWERS, MODEL, LIMIT, PAGE, RULES, IGNORE, INPUT, ID, LOSSY, QUIET, THREADS, MEMORY, OPTION_COUNT };

static const akin_cli_option options[OPTION_COUNT] = {
    [ANSWERS] = {.heading = "Answers",
                 .name = "answers",
                 .argument = "FILE",
                 .help = "a CSV file with the columns left, right and answer.\n"
                         "Each answer is added at once. The answers that are\n"
                         "there already count, too"},
    [MODEL] = {.name = "model",
               .argument = "FILE",
               .help = "write the weights that were learnt to FILE, for\n"
                       "'akin dedupe --model'"},
    [LIMIT] = {.name = "limit", .argument = "N", .help = "ask N questions at most (default: 100)"},
    [PAGE] = {.name = "page",
              .argument = "FILE",
              .help = "ask nothing here. Write a page of HTML with the\n"
                      "questions, which needs no network and exports the\n"
                      "answers"},
    [RULES] = {.heading = "Rules (default: akin finds them)",
               .name = "rules",
               .argument = "FILE",
               .help = "take the rules of a job, which 'akin dedupe --save-job'\n"
                       "wrote"},
    [IGNORE] = {.name = "ignore",
                .argument = "COLUMN",
                .repeated = 1,
                .help = "leave COLUMN out of the rules that akin finds"},
    [INPUT] = {.heading = "Input",
               .name = "input",
               .argument = "TABLE",
               .choices = "table-formats",
               .capabilities = AKIN_HAS_COLUMNS,
               .help = "{} (default: by the ending of the file name)"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "name rows by the values of COLUMN, or LEFT=RIGHT\n"
                    "(default: by their numbers, from 0)"},
    [LOSSY] = {AKIN_CLI_READING_LOSSY},
    [QUIET] = {.heading = "Resources", .name = "quiet", .letter = 'q', .help = "show no progress and no rules"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use (default: one for each CPU)"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the memory, such as 2G; at least 16M\n"
                        "(default: no limit)"},
};

static int check_inputs(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    const char *input = arguments->value[INPUT][0];
    if (arguments->operand_count < 1 || arguments->operand_count > 2)
        return akin_cli_refuse("expected one file or two, not %d: akin label FILE [FILE2]", arguments->operand_count);
    for (int i = 0; i < arguments->operand_count; i++) {
        akin_format told;
        request->inputs[i] = arguments->operands[i];
        if (akin_cli_path_is_stdin(request->inputs[i]))
            return akin_cli_refuse("%s: answers are read from standard input: name a file", request->inputs[i]);
        if (!input && (akin_format_of_name(request->inputs[i], &told, NULL) != AKIN_OK || !akin_cli_has_columns(told)))
            return akin_cli_reading_refuse_unknown(request->inputs[i]);
    }
    return input ? akin_cli_option_format(&options[INPUT], input, &request->format) : AKIN_CLI_DONE;
}

/* Refuses to write a file that is read, or one file twice. */
static int check_output(const akin_cli_label_request *request, const char *option, const char *path, const char *other)
{
    if (!path)
        return AKIN_CLI_DONE;
    for (int i = 0; i < 2; i++)
        if (request->dedupe.inputs[i] && akin_cli_path_same(request->dedupe.inputs[i], path))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", path);
    if (other && akin_cli_path_equal(other, path))
        return akin_cli_refuse("%s: expected different files for the answers, the page and the model", path);
    return akin_cli_path_check_output(option, path);
}

static int check_files(const akin_cli_arguments *arguments, akin_cli_label_request *request)
{
    const char *answers = request->dedupe.answers = arguments->value[ANSWERS][0];
    akin_format format;
    request->model = arguments->value[MODEL][0];
    request->page = arguments->value[PAGE][0];
    if (!answers && !request->page)
        return akin_cli_missing(&options[ANSWERS], "the file that gets the answers");
    if (answers && (akin_format_of_name(answers, &format, NULL) != AKIN_OK || format != AKIN_FORMAT_CSV ||
                    akin_cli_path_is_stdin(answers)))
        return akin_cli_refuse("--answers %s: answers are added to a CSV file: expected a name such as answers.csv",
                               answers);
    int status = check_output(request, options[ANSWERS].name, answers, request->page);
    if (status == AKIN_CLI_DONE)
        status = check_output(request, options[PAGE].name, request->page, request->model);
    if (status == AKIN_CLI_DONE)
        status = check_output(request, options[MODEL].name, request->model, answers);
    return status;
}

static int check_limit(const char *text, uint64_t *limit)
{
    uint64_t number = LIMIT_DEFAULT;
    if (text && !akin_cli_read_u64(text, 1, LIMIT_MOST, &number))
        return akin_cli_refuse("--limit %s: expected a whole number from 1 to %d", akin_cli_word(text), LIMIT_MOST);
    *limit = number;
    return AKIN_CLI_DONE;
}

/* Finds the rules that nobody has given. */
static int find_rules(const akin_cli_arguments *arguments, const akin_cli_dedupe_request *request)
{
    size_t count = 0;
    if (!akin_dedupe_plan_is_partial(request->plan))
        return arguments->value[IGNORE][0]
                   ? akin_cli_refuse("--ignore is for rules that akin finds, and --rules has all")
                   : AKIN_CLI_DONE;
    const char **ignored = malloc(((size_t)arguments->repeated_count + 1) * sizeof *ignored);
    if (!ignored) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    for (int i = 0; i < arguments->repeated_count; i++)
        ignored[count++] = arguments->repeated[i].value;
    const int status = akin_cli_suggest(request, ignored, count);
    free(ignored);
    return status;
}

static int check_rules(const akin_cli_arguments *arguments, const akin_cli_dedupe_request *request)
{
    const char *id = arguments->value[ID][0];
    akin_error error;
    akin_status status = id ? akin_dedupe_plan_add(request->plan, options[ID].name, id, &error) : AKIN_OK;
    if (status != AKIN_OK)
        return akin_cli_fail(&error);
    const int found = find_rules(arguments, request);
    if (found != AKIN_CLI_DONE)
        return found;
    status = akin_dedupe_plan_finish(request->plan, &error);
    if (status == AKIN_E_OPTION)
        return akin_cli_refuse("--%s", error.message);
    if (status != AKIN_OK)
        return akin_cli_fail(&error);
    if (akin_dedupe_plan_options(request->plan)->weights != AKIN_WEIGHTS_LEARN)
        return akin_cli_refuse(
            "--rules %s: gives the weights, and answers teach weights: expected a job with --weights "
            "learn",
            arguments->value[RULES][0]);
    return AKIN_CLI_DONE;
}

static int check_label(const akin_cli_arguments *arguments, akin_cli_label_request *request)
{
    akin_cli_dedupe_request *dedupe = &request->dedupe;
    dedupe->command = &akin_cli_label;
    dedupe->quiet = arguments->value[QUIET][0] != NULL;
    dedupe->lossy = arguments->value[LOSSY][0] != NULL;
    dedupe->resources = (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                             .memory = arguments->value[MEMORY][0],
                                             .opener = arguments->opener,
                                             .saver = arguments->saver};
    int status = check_inputs(arguments, dedupe);
    if (status == AKIN_CLI_DONE)
        status = check_limit(arguments->value[LIMIT][0], &request->limit);
    if (status == AKIN_CLI_DONE)
        status = check_files(arguments, request);
    return status == AKIN_CLI_DONE ? check_rules(arguments, dedupe) : status;
}

static int run_request(const akin_cli_arguments *arguments, akin_cli_label_request *request)
{
    akin_cli_job job;
    akin_error error;
    const int status = check_label(arguments, request);
    if (status != AKIN_CLI_DONE)
        return status;
    akin_status done = akin_cli_job_begin(&job, &request->dedupe.resources, request->dedupe.quiet, &error);
    if (done == AKIN_OK)
        done = akin_cli_label_run(&job, request, &error);
    return akin_cli_job_end(&job, done, &error);
}

/* The rules are those of a job of akin dedupe: what else it says is left aside. */
static int run_label(const akin_cli_arguments *arguments)
{
    akin_cli_arguments of_job = {.operands = arguments->operands, .operand_count = arguments->operand_count};
    akin_cli_label_request *request = calloc(1, sizeof *request);
    akin_cli_job_file file = {0};
    akin_error error;
    int status = AKIN_CLI_DONE;
    if (!request) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    if (akin_dedupe_plan_create(akin_papers(), &request->dedupe.plan, &error) != AKIN_OK)
        status = akin_cli_fail(&error);
    if (status == AKIN_CLI_DONE && arguments->value[RULES][0])
        status = akin_cli_job_file_read(arguments->operand_count == 2 ? &akin_cli_link : &akin_cli_dedupe,
                                        arguments->value[RULES][0], &of_job, request->dedupe.plan, &file);
    if (status == AKIN_CLI_DONE)
        status = run_request(arguments, request);
    akin_dedupe_plan_free(request->dedupe.plan);
    akin_cli_job_file_clear(&file);
    free(request);
    return status;
}

const akin_cli_command akin_cli_label = {
    .name = "label",
    .summary = "ask which records are the same, and learn from the answers",
    .usage = "FILE [FILE2] --answers ANSWERS [OPTION...]",
    .about =
        "Shows pairs of records of FILE, or of a record of FILE and one of FILE2, and asks\n"
        "whether both are the same. akin chooses the pairs whose answers teach most. It\n"
        "begins with the weights that it learns without answers, and fits them to the\n"
        "answers. A hundred answers are enough for most tables.\n"
        "\n"
        "Type y for yes, n for no, u for unsure, b to go back to the question before, or\n"
        "q to quit, and Enter. What differs is marked with *.\n",
    .notes =
        "Examples:\n"
        "  akin label people.csv --id id --answers answers.csv\n"
        "  akin dedupe people.csv --id id --answers answers.csv -o clusters.csv\n"
        "  akin label people.csv --id id --answers answers.csv --model model.json\n"
        "  akin dedupe people.csv --id id --model model.json -o clusters.csv\n"
        "  akin label people.csv --id id --page questions.html --limit 50\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_label,
};
