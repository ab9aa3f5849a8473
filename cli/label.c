/* akin label: a person's answers teach weights. */
#include "label.h"

#include "command.h"
#include "dedupe_options.h"
#include "number.h"
#include "path.h"

#define LIMIT_DEFAULT 100
#define LIMIT_MOST    10000

int akin_cli_label_asks(const akin_cli_dedupe_request *request)
{
    return request->limit > 0;
}

int akin_cli_label_limit(const char *text, akin_cli_dedupe_request *request)
{
    uint64_t number = LIMIT_DEFAULT;
    if (request->command != &akin_cli_label)
        return AKIN_CLI_DONE;
    if (text && !akin_cli_read_u64(text, 1, LIMIT_MOST, &number))
        return akin_cli_refuse("--limit %s: expected a whole number from 1 to %d", akin_cli_word(text), LIMIT_MOST);
    request->limit = number;
    return AKIN_CLI_DONE;
}

int akin_cli_label_goes_on(const akin_cli_dedupe_request *request)
{
    int is_wanted = request->gold != NULL;
    for (int file = 0; file < AKIN_CLI_DEDUPE_FILES; file++)
        is_wanted |= file != AKIN_CLI_JOB_FILE && file != AKIN_CLI_QUESTIONS_FILE && request->outputs[file];
    return is_wanted;
}

/* Refuses to read a file from standard input, which has the answers. NULL: there is no file. */
static int check_input(const char *path)
{
    return path && akin_cli_path_is_stdin(path)
               ? akin_cli_refuse("%s: answers are read from standard input: name a file", path)
               : AKIN_CLI_DONE;
}

int akin_cli_label_check(const akin_cli_arguments *arguments)
{
    const char *answers = arguments->value[ANSWERS][0];
    akin_format format;
    int status = check_input(arguments->value[GOLD][0]);
    for (int i = 0; i < arguments->operand_count && status == AKIN_CLI_DONE; i++)
        status = check_input(arguments->operands[i]);
    if (status != AKIN_CLI_DONE || arguments->operand_count == 0)
        return status;
    if (!answers && !arguments->value[PAGE][0])
        return akin_cli_missing(&akin_cli_label.options[ANSWERS], "the file that gets the answers");
    if (answers && (akin_format_of_name(answers, &format, NULL) != AKIN_OK || format != AKIN_FORMAT_CSV ||
                    akin_cli_path_is_stdin(answers)))
        return akin_cli_refuse("--answers %s: answers are added to a CSV file: expected a name such as answers.csv",
                               answers);
    for (int i = 0; i < arguments->operand_count && answers; i++)
        if (akin_cli_path_same(arguments->operands[i], answers))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", answers);
    if (arguments->value[DEDUPLICATED][0] && akin_path_has_files(arguments->operands[0]))
        return akin_cli_refuse("--deduplicated: expected one file: of several files 'akin dedupe --answers' does it");
    if (!answers)
        return AKIN_CLI_DONE;
    status = akin_cli_path_check_output(akin_cli_label.options[ANSWERS].name, answers);
    return status == AKIN_CLI_DONE ? akin_cli_path_check_regular(akin_cli_label.options[ANSWERS].name, answers)
                                   : status;
}

static int run_label(const akin_cli_arguments *arguments)
{
    const char *job = arguments->value[JOB][0];
    const int status = check_input(job);
    return status == AKIN_CLI_DONE ? akin_cli_dedupe_command(&akin_cli_label, arguments) : status;
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
        "q to quit, and Enter. What differs is marked with *.\n"
        "\n"
        "The options are those of 'akin dedupe' and 'akin link'. After the last question\n"
        "akin writes the results that they ask for, such as --output FILE. Without any,\n"
        "only the answers are kept. Rules that are not given akin finds. Weights are\n"
        "always learnt, so --threshold is a probability.\n",
    .notes = AKIN_CLI_DEDUPE_RULES
    "Examples:\n"
    "  akin label people.csv --id id --answers answers.csv -o clusters.csv\n"
    "  akin label people.csv --id id --answers answers.csv\n"
    "  akin dedupe people.csv --id id --answers answers.csv -o clusters.csv\n"
    "  akin label people.csv --id id --block zip --compare name:jaro-winkler \\\n"
    "        --compare city:levenshtein --answers answers.csv --pairs pairs.csv\n"
    "  akin label shop.csv supplier.csv --one-to-one --answers answers.csv \\\n"
    "        --pairs links.csv --report report.html\n"
    "  akin label --job people.json --answers answers.csv --model model.json\n"
    "  akin label people.csv --id id --page questions.html --limit 50\n",
    .options = akin_cli_dedupe_options,
    .option_count = LABEL_OPTION_COUNT,
    .run = run_label,
    .has_plan = 1,
    .jobs = "dedupe link",
};
