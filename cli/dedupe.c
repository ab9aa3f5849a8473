/* akin dedupe: which records of a table are of the same thing, or which of two tables belong together. */
#include "dedupe.h"

#include <stdlib.h>
#include <string.h>

#include "clusters.h"
#include "command.h"
#include "id_pairs.h"
#include "job_file.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "shards.h"
#include "sides.h"
#include "suggested.h"

enum {
    SELECTIONS,
    MAX_BLOCK,
    COMPARE,
    COMBINE,
    FOLD,
    MISSING,
    EVIDENCE,
    WEIGHTS,
    IGNORE,
    THRESHOLD,
    ONE_TO_ONE,
    CLUSTER,
    INPUT,
    TABLE,
    SQL,
    ID,
    LEFT_ID,
    RIGHT_ID,
    LOSSY,
    SKIP_BAD,
    BAD,
    OUTPUT,
    PAIRS,
    DEDUPLICATED,
    MERGED,
    MERGE,
    MERGED_SOURCES,
    CLUSTERS_OF,
    FORMAT,
    REPLACE,
    SHOW,
    DIGITS,
    GOLD,
    REPORT,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    JOB,
    SAVE_JOB,
    SUGGEST,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [SELECTIONS] = {.heading = "Pairs to compare (default: akin finds selections)",
                    .repeated = 1,
                    .choices = "selections"},
    [MAX_BLOCK] = {.name = "max-block",
                   .argument = "N",
                   .help = "leave out blocks of more than N records (default:\n"
                           "1000)"},
    [COMPARE] = {.heading = "Comparison",
                 .name = "compare",
                 .argument = "COMPARE",
                 .repeated = 1,
                 .help = "COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]]: compare\n"
                         "COLUMN. A similarity below THRESHOLD (default: 0)\n"
                         "counts as 0. WEIGHT (default: 1) is the weight of\n"
                         "COLUMN in the average. COMPARATOR is {comparators:dedupe}; 'akin help comparators' "
                         "explains them. Give one --compare for each column"},
    [COMBINE] = {.name = "combine",
                 .argument = "COMBINE",
                 .repeated = 1,
                 .help = "NAME=COLUMN+COLUMN...: make a column NAME of the\n"
                         "values of these columns, with blanks between them"},
    [FOLD] = {.name = "fold",
              .argument = "FOLD",
              .repeated = 1,
              .help = "COLUMN[:WHAT[+WHAT...]]: clean the values of COLUMN\n"
                      "before anything else. COLUMN all means every column.\n"
                      "WHAT is {folds} (default: all). Numbers and dates keep their punctuation.\n"
                      "Without --fold case counts, except in comparisons of words"},
    [MISSING] = {.name = "missing",
                 .argument = "WAY",
                 .help = "how a missing value counts: {} (default: zero); see\n"
                         "below",
                 .choices = "missing"},
    [EVIDENCE] = {.name = "evidence",
                  .argument = "E",
                  .help = "with --missing skip: keep a pair only if the columns\n"
                          "that count have at least the share E of all weights\n"
                          "(default: 0.5)"},
    [WEIGHTS] = {.name = "weights",
                 .argument = "WAY",
                 .help = "where the weights of comparisons come from: {}\n"
                         "(default: given); see below",
                 .choices = "weights"},
    [IGNORE] = {.name = "ignore",
                .argument = "COLUMN",
                .repeated = 1,
                .key = "",
                .help = "without --compare: leave COLUMN out of the rules that\n"
                        "akin finds"},
    [THRESHOLD] = {.name = "threshold",
                   .argument = "T",
                   .help = "keep a pair if the weighted average of its\n"
                           "similarities is at least T. With --weights learn T\n"
                           "is a probability, or auto (default there): that of\n"
                           "the largest expected F1"},
    [ONE_TO_ONE] = {.name = "one-to-one",
                    .help = "keep at most one pair of each record, the most similar\n"
                            "pairs first"},
    [CLUSTER] = {.name = "cluster",
                 .argument = "METHOD",
                 .help = "the method of clustering: {} (default: components; with "
                         "--weights learn average:0.25); see below",
                 .choices = "clusterings"},
    [INPUT] = {.heading = "Input",
               .name = "input",
               .argument = "TABLE",
               .choices = "table-formats",
               .capabilities = AKIN_HAS_COLUMNS,
               .help = "{} (default: by the ending of the file name)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "name rows in the output by the values of COLUMN, or\n"
                    "LEFT=RIGHT (default: by their numbers, from 0)"},
    [LEFT_ID] = {.name = "left-id", .argument = "COLUMN", .key = "", .help = AKIN_CLI_LEFT_ID_HELP},
    [RIGHT_ID] = {.name = "right-id", .argument = "COLUMN", .key = "", .help = AKIN_CLI_RIGHT_ID_HELP},
    [LOSSY] = {.name = "lossy", .help = "replace bytes that are not UTF-8 by U+FFFD, instead of refusing them"},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [OUTPUT] = {.heading = "Output",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "for each row the number of its cluster, the size of\n"
                        "the cluster, and the first row of the cluster, its\n"
                        "representative (default: -, standard output)"},
    [CLUSTERS_OF] = {.name = "clusters-of", .argument = "N", .help = AKIN_CLI_CLUSTERS_OF_HELP},
    [PAIRS] = {.name = "pairs",
               .argument = "FILE",
               .help = "the found pairs, with the weighted average and the\n"
                       "similarity of each column"},
    [DEDUPLICATED] = {.name = "deduplicated",
                      .argument = "FILE",
                      .help = "the first record of each cluster, as it stands in the\n"
                              "input, with the header line. If the input is a folder,\n"
                              "a pattern or @LIST, FILE is a folder that gets its\n"
                              "files, and a job that was stopped goes on"},
    [MERGED] = {.name = "merged",
                .argument = "FILE",
                .help = "one record for each cluster, whose values --merge\n"
                        "chooses from its records, as a table with the columns\n"
                        "of the input"},
    [MERGE] = {.name = "merge",
               .argument = "MERGE",
               .repeated = 1,
               .help = "COLUMN:RULE: for --merged, how the value of COLUMN is\n"
                       "chosen. COLUMN all means every column without a rule.\n"
                       "RULE is {merge-rules} (default: frequent); see below. Missing values are passed over"},
    [MERGED_SOURCES] = {.name = "merged-sources",
                        .help = "for --merged: for each column NAME a column\n"
                                "NAME_source, with the row that the value is from"},
    [FORMAT] = {.name = "format",
                .argument = "FORMAT",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "the format of clusters, pairs and merged records: {} (default: by the ending of each name, "
                        "else csv)"},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SHOW] = {.name = "show", .argument = "COLUMNS", .help = AKIN_CLI_SHOW_HELP},
    [DIGITS] = {.name = "digits", .argument = "N", .help = AKIN_CLI_DIGITS_HELP},
    [GOLD] = {.name = "gold",
              .argument = "FILE",
              .help = "the pairs that are known to be right: the first two\n"
                      "columns of FILE are ids. The summary and the report\n"
                      "show precision, recall and F1, as 'akin evaluate'\n"
                      "does. Closed precision, recall and F1 are those after\n"
                      "closure to clusters: any two records of a cluster are\n"
                      "a pair, in the result and in FILE"},
    [REPORT] = {.name = "report",
                .argument = "FILE",
                .help = "a page of HTML for a browser, which needs no network:\n"
                        "the pairs nearest to the threshold, the similarities\n"
                        "of the columns, the clusters, and with --gold the\n"
                        "quality at each threshold"},
    [QUIET] = {.heading = "Resources", .name = "quiet", .letter = 'q', .help = "show no progress and no summary"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use (default: one for each CPU)"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the memory, such as 2G; at least 16M\n"
                        "(default: no limit)"},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "auto, cpu, cuda, or cuda:N for GPU N, counted from 0\n"
                        "(default: auto). akin uses only the first of several GPUs"},
    [DEVICE_MEMORY] = {.name = "device-memory",
                       .argument = "SIZE",
                       .help = "a limit on the memory of the GPU; at least 16M\n"
                               "(default: 15/16 of the free memory)"},
    [JOB] = {AKIN_CLI_JOB_OPTION(". A selection of pairs replaces all\n"
                                 "selections of the job")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [SUGGEST] = {.name = "suggest",
                 .argument = "FILE",
                 .key = "",
                 .help = "the same as --save-job: the rules that akin finds, as a\n"
                         "job to look at, to change and to run again"},
};

static const int of_files[AKIN_CLI_DEDUPE_FILES] = {OUTPUT, PAIRS, DEDUPLICATED, MERGED, REPORT, SAVE_JOB};
static const char *const whats[AKIN_CLI_DEDUPE_FILES] = {"clusters",       "pairs",  "records",
                                                         "merged records", "report", "job"};

/* ---------------------------------------------------------------------------------------------------------- options */

/* Refuses a file that is no table by its name; near-duplicate lines of text are what people look for in one. */
static int refuse_kind(const char *path)
{
    akin_format format;
    akin_cli_listed names;
    if (akin_format_of_name(path, &format, NULL) != AKIN_OK || format != AKIN_FORMAT_TEXT)
        return akin_cli_reading_refuse_unknown(path);
    return akin_cli_refuse(
        "%s: lines of text have no columns: for lines that are alike write akin join %s --tokens words "
        "--jaccard 0.8 --deduplicated OUT; for a table add --input %s",
        akin_cli_path_name(path), path, akin_cli_names_of("table-formats", AKIN_HAS_COLUMNS, &names));
}

static int check_inputs(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    const char *input = arguments->value[INPUT][0];
    if (request->command == &akin_cli_link && arguments->operand_count != 2)
        return akin_cli_refuse("expected two files, not %d: akin link FILE FILE2%s", arguments->operand_count,
                               arguments->operand_count > 2 ? AKIN_CLI_SEVERAL : "");
    if (arguments->operand_count < 1 || arguments->operand_count > 2)
        return akin_cli_refuse("expected one file or two, not %d: akin dedupe FILE [FILE2]%s", arguments->operand_count,
                               arguments->operand_count > 2 ? AKIN_CLI_SEVERAL : "");
    for (int i = 0; i < arguments->operand_count; i++) {
        if (!*arguments->operands[i])
            return akin_cli_refuse("expected the name of a file, not an empty word");
        request->inputs[i] = arguments->operands[i];
    }
    if (request->inputs[1] && akin_cli_path_is_stdin(request->inputs[0]) && akin_cli_path_is_stdin(request->inputs[1]))
        return akin_cli_refuse("- and -: standard input can be read only once");
    if (input && akin_cli_option_format(&options[INPUT], input, &request->format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (int i = 0; i < 2 && request->inputs[i] && !input; i++) {
        akin_format told;
        if (akin_cli_path_check_foreign(request->inputs[i]) != AKIN_CLI_DONE)
            return AKIN_CLI_USAGE;
        if (akin_format_of_name(request->inputs[i], &told, NULL) != AKIN_OK || !akin_cli_has_columns(told))
            return refuse_kind(request->inputs[i]);
    }
    return AKIN_CLI_DONE;
}

/* The option that an output was given to: --suggest is the same as --save-job. */
static const char *name_of_output(const akin_cli_arguments *arguments, int file)
{
    return options[file == AKIN_CLI_JOB_FILE && arguments->value[SUGGEST][0] ? SUGGEST : of_files[file]].name;
}

static int check_dedupe_output(const akin_cli_arguments *arguments, const akin_cli_dedupe_request *request, int file)
{
    const char *path = request->outputs[file];
    const char *option = name_of_output(arguments, file);
    const char *job = arguments->value[JOB][0];
    if (!path)
        return AKIN_CLI_DONE;
    for (int i = 0; i < 2; i++)
        if (request->inputs[i] && akin_cli_path_same(request->inputs[i], path))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", path);
    if (file != AKIN_CLI_JOB_FILE && job && akin_cli_path_same(job, path))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", path);
    for (int other = 0; other < file; other++) {
        if (!request->outputs[other] || !akin_cli_path_equal(request->outputs[other], path))
            continue;
        if (strcmp(path, "-") == 0)
            return akin_cli_refuse("--%s -: standard output gets the %s: give --%s another file", option, whats[other],
                                   options[of_files[other]].name);
        return akin_cli_refuse("%s: expected two files, one for --%s and one for --%s", path,
                               options[of_files[other]].name, option);
    }
    return akin_cli_path_check_output(option, path);
}

/* How the file is read: as --input says, or its name. */
static akin_format format_of_input(const akin_cli_dedupe_request *request)
{
    akin_format format = request->format;
    if (format == AKIN_FORMAT_AUTO)
        akin_format_of_name(request->inputs[0], &format, NULL);
    return format;
}

/* A page by the name of a table is not what was meant. */
static int check_report(const char *path)
{
    static const char *const others[] = {".json", ".akin", ".pdf"};
    akin_format told;
    akin_error error = {.code = AKIN_OK};
    if (!path)
        return AKIN_CLI_DONE;
    int is_other = akin_format_of_name(path, &told, &error) == AKIN_OK || error.reason == AKIN_REASON_FOREIGN_FORMAT;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_other = is_other || akin_cli_path_ends(path, others[i]);
    return is_other
               ? akin_cli_refuse("--report %s: the report is a page of HTML: expected a name such as report.html", path)
               : AKIN_CLI_DONE;
}

static int check_outputs(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    int status = AKIN_CLI_DONE;
    request->shown = -1;
    if (request->inputs[1] && arguments->value[DEDUPLICATED][0])
        return akin_cli_refuse("--deduplicated: expected one file, whose duplicates are to be left out, not two");
    for (int file = 0; file < AKIN_CLI_DEDUPE_FILES && status == AKIN_CLI_DONE; file++) {
        request->outputs[file] = arguments->value[of_files[file]][0];
        if (file == AKIN_CLI_JOB_FILE && !request->outputs[file])
            request->outputs[file] = arguments->value[SUGGEST][0];
        if (file == AKIN_CLI_CLUSTERS_FILE && !request->outputs[file]) {
            request->outputs[file] = "-";
            request->shown = arguments->value[FORMAT][0] ? -1 : file;
        }
        status = check_dedupe_output(arguments, request, file);
        const int is_formatted =
            file == AKIN_CLI_CLUSTERS_FILE || file == AKIN_CLI_PAIRS_FILE || file == AKIN_CLI_MERGED_FILE;
        if (status == AKIN_CLI_DONE && is_formatted)
            status = akin_cli_format_check(&options[FORMAT], arguments->value[FORMAT][0], request->outputs[file],
                                           whats[file], &request->formats[file]);
    }
    const char *records = request->outputs[AKIN_CLI_RECORDS_FILE];
    request->input_format = format_of_input(request);
    if (records && akin_path_has_files(request->inputs[0]))
        request->options = akin_cli_shards_options(request->command, arguments);
    if (status == AKIN_CLI_DONE && records && !akin_path_has_files(request->inputs[0]))
        status = akin_cli_deduplicated_check(request->input_format, records);
    return status == AKIN_CLI_DONE ? check_report(request->outputs[AKIN_CLI_REPORT_FILE]) : status;
}

/* Rules are for merged records, and these are of one table. */
static int check_merge(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    const int is_wanted = arguments->value[MERGED][0] != NULL;
    request->merged_sources = arguments->value[MERGED_SOURCES][0] != NULL;
    if (!is_wanted && (arguments->value[MERGE][0] || request->merged_sources))
        return akin_cli_missing(&options[MERGED], "--%s is for merged records",
                                options[request->merged_sources ? MERGED_SOURCES : MERGE].name);
    if (is_wanted && request->inputs[1])
        return akin_cli_refuse("--merged: expected one file, whose duplicates are to be merged, not two");
    return akin_cli_merge_rules_check(arguments, MERGE, &options[MERGE], &request->merge);
}

/* --pairs once selected pairs: a value of that grammar is no file's name. */
static int check_pairs(const char *path)
{
    const akin_choice *row;
    for (uint32_t i = 0; path && (row = akin_choices("selections", i)); i++) {
        size_t length = strcspn(row->name, "-"); /* "all" of "all-pairs" */
        int is_flag = row->arguments[0] == '\0';
        if (strncmp(path, row->name, length) != 0 || path[length] != (is_flag ? '\0' : ':'))
            continue;
        return akin_cli_refuse(
            "--pairs %s: expected the file that pairs are written to; to select pairs write --%s%s%s", path, row->name,
            is_flag ? "" : " ", is_flag ? "" : path + length + 1);
    }
    return AKIN_CLI_DONE;
}

/* The file of pairs that are known to be right. */
static int check_gold(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    const char *gold = request->gold = arguments->value[GOLD][0];
    if (!gold)
        return AKIN_CLI_DONE;
    if (arguments->value[QUIET][0] && !arguments->value[REPORT][0])
        return akin_cli_refuse(
            "--gold and --quiet: --quiet leaves out the summary, which has the quality: drop --quiet, or add --report "
            "FILE");
    for (int i = 0; i < 2; i++)
        if (request->inputs[i] && akin_cli_path_is_stdin(request->inputs[i]) && akin_cli_path_is_stdin(gold))
            return akin_cli_refuse("--gold %s: standard input can be read only once", gold);
    for (int file = 0; file < AKIN_CLI_DEDUPE_FILES; file++)
        if (request->outputs[file] && akin_cli_path_same(gold, request->outputs[file]))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->outputs[file]);
    if (akin_format_of_name(gold, &request->gold_format, NULL) == AKIN_OK &&
        !akin_cli_has_columns(request->gold_format))
        return akin_cli_refuse("--gold %s: is plain text by its name: expected the name of a table, such as gold.csv",
                               gold); /* --input is of the tables */
    return akin_cli_id_pairs_format(AKIN_FORMAT_AUTO, gold, &request->gold_format);
}

/* Standard input, from which the job has come, is not anything else. */
static int check_job(const akin_cli_arguments *arguments, const akin_cli_dedupe_request *request)
{
    const char *job = arguments->value[JOB][0];
    const char *const others[] = {request->inputs[0], request->inputs[1], request->gold};
    for (int i = 0; job && i < 3; i++)
        if (others[i] && akin_cli_path_is_stdin(others[i]) && akin_cli_path_is_stdin(job))
            return akin_cli_refuse("--job %s: standard input can be read only once", job);
    return AKIN_CLI_DONE;
}

/* What the device lacks is refused before it is opened, so that the answer is the same where it is not there. */
static int check_dedupe_device(const akin_cli_dedupe_request *request)
{
    akin_error error;
    akin_status status =
        akin_dedupe_check(request->resources.device, akin_dedupe_plan_titles(request->plan)->column_count,
                          akin_dedupe_plan_options(request->plan), &error);
    return status == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

/* Adds what was given of an option on the command line to the plan, in the place of what a job says: of one that stands
 * for several, of all of them. */
static akin_status plan_option(const akin_cli_arguments *arguments, int at, akin_dedupe_plan *plan, akin_error *error)
{
    akin_status status = AKIN_OK;
    akin_cli_option option;
    for (uint32_t row = 0; status == AKIN_OK && akin_cli_option_at(&akin_cli_dedupe, at, row, &option); row++)
        status = akin_dedupe_plan_drop(plan, option.name, error);
    if (status == AKIN_OK && !options[at].repeated)
        return akin_dedupe_plan_add(plan, option.name, arguments->value[at][0], error);
    for (int i = 0; i < arguments->repeated_count && status == AKIN_OK; i++) {
        const struct akin_cli_repeated *given = &arguments->repeated[i];
        if (given->option == at)
            status = akin_dedupe_plan_add(plan, given->row ? given->row : options[at].name, given->value, error);
    }
    return status;
}

/* Writes a name in quotes, or nothing if there is none. */
static char *put_quoted(char *to, const char *name)
{
    if (!name)
        return to;
    *to++ = '"';
    for (; *name; *to++ = *name++)
        if (*name == '"')
            *to++ = '"';
    *to++ = '"';
    return to;
}

/* Adds what --left-id and --right-id say to the plan, as LEFT=RIGHT, in the place of what a job says. A side without
 * the option is empty there. */
static int plan_ids(const akin_cli_arguments *arguments, int two, akin_dedupe_plan *plan)
{
    const akin_cli_sides given = {.id = arguments->value[ID][0],
                                  .left_id = arguments->value[LEFT_ID][0],
                                  .right_id = arguments->value[RIGHT_ID][0]};
    akin_cli_reading_words words[2] = {{0}, {0}};
    akin_error error;
    int status = akin_cli_sides_check(&given, two, words);
    const char *const names[2] = {given.left_id, given.right_id};
    size_t length = sizeof "''=''";
    if (status != AKIN_CLI_DONE || (!names[0] && !names[1]))
        return status;
    for (int side = 0; side < 2; side++) {
        if (names[side] && !*names[side])
            return akin_cli_refuse("--%s '': expected the name of a column", side ? "right-id" : "left-id");
        length += names[side] ? 2 * strlen(names[side]) : 0;
    }
    char *word = malloc(length);
    if (!word) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    char *end = put_quoted(word, names[0]);
    *end++ = '=';
    *put_quoted(end, names[1]) = '\0';
    akin_status done = akin_dedupe_plan_add(plan, options[ID].name, word, &error);
    free(word);
    return done == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

/* Whether the plan reads an option of the table, or those that it stands for. */
static int is_planned(int at)
{
    akin_cli_option option;
    return akin_cli_option_at(&akin_cli_dedupe, at, 0, &option) && akin_cli_job_file_is_planned(option.name);
}

/* Adds the rules of the command line to those of the job that has been read, if any. */
static int take_rules(const akin_cli_arguments *arguments, int two, akin_dedupe_plan *plan)
{
    akin_error error;
    akin_status status = AKIN_OK;
    int said = plan_ids(arguments, two, plan);
    if (said != AKIN_CLI_DONE)
        return said;
    for (int i = 0; i < OPTION_COUNT && status == AKIN_OK; i++)
        if (arguments->value[i][0] && is_planned(i))
            status = plan_option(arguments, i, plan, &error);
    if (status == AKIN_E_OPTION)
        return akin_cli_refuse("--%s", error.message);
    return status == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

/* Adds rules that nobody has given. */
static int find_rules(const akin_cli_arguments *arguments, const akin_cli_dedupe_request *request)
{
    if (arguments->value[SUGGEST][0] && arguments->value[SAVE_JOB][0])
        return akin_cli_refuse("--suggest and --save-job: both save the job: give one of them");
    if (!akin_dedupe_plan_is_partial(request->plan))
        return arguments->value[IGNORE][0]
                   ? akin_cli_refuse("--ignore is for rules that akin finds: leave out --compare, or the selection")
                   : AKIN_CLI_DONE;
    size_t count = 0;
    const char **ignored = malloc(((size_t)arguments->repeated_count + 1) * sizeof *ignored);
    if (!ignored) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    for (int i = 0; i < arguments->repeated_count; i++)
        if (arguments->repeated[i].option == IGNORE)
            ignored[count++] = arguments->repeated[i].value;
    const int status = akin_cli_suggest(request, ignored, count);
    free(ignored);
    return status;
}

/* The rules by which records are alike. */
static int check_plan(akin_dedupe_plan *plan)
{
    akin_error error;
    const akin_status status = akin_dedupe_plan_finish(plan, &error);
    for (int i = 0; i < OPTION_COUNT && status == AKIN_E_OPTION && error.reason == AKIN_REASON_MISSING; i++) {
        akin_cli_option first;
        if (akin_cli_option_expand(&options[i], 0, &first) && strcmp(first.name, error.option) == 0)
            return akin_cli_missing(&options[i], "%s", error.message + error.rest);
    }
    if (status == AKIN_E_OPTION) /* the message begins with the name of the option */
        return akin_cli_refuse("--%s", error.message);
    return status == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

/* Columns that two tables call differently are those of two tables. */
static int check_sides(const akin_cli_dedupe_request *request)
{
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(request->plan);
    if (request->inputs[1])
        return AKIN_CLI_DONE;
    for (uint32_t c = 0; c < titles->column_count; c++)
        if (strcmp(titles->left_columns[c], titles->right_columns[c]) != 0)
            return akin_cli_refuse(
                "%s: LEFT=RIGHT names a column of two tables, and there is one: a name with = in it "
                "stands in quotes",
                titles->columns[c]);
    const char *left = titles->id ? titles->id : "", *right = titles->right_id ? titles->right_id : "";
    if (strcmp(left, right) != 0)
        return akin_cli_refuse(
            "--id %s=%s: LEFT=RIGHT names a column of two tables, and there is one: a name with = in it "
            "stands in quotes",
            left, right);
    return AKIN_CLI_DONE;
}

static void take_resources(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    request->lossy = arguments->value[LOSSY][0] != NULL;
    request->quiet = arguments->value[QUIET][0] != NULL;
    request->resources = (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                              .skip_bad = arguments->value[SKIP_BAD][0],
                                              .bad = arguments->value[BAD][0],
                                              .memory = arguments->value[MEMORY][0],
                                              .device = arguments->value[DEVICE][0],
                                              .device_memory = arguments->value[DEVICE_MEMORY][0],
                                              .opener = arguments->opener,
                                              .saver = arguments->saver,
                                              .replaces = arguments->value[REPLACE][0] != NULL};
}

static int check_dedupe(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    take_resources(arguments, request);
    int status = check_inputs(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_pairs(arguments->value[PAIRS][0]);
    if (status == AKIN_CLI_DONE)
        status = take_rules(arguments, request->inputs[1] != NULL, request->plan);
    if (status == AKIN_CLI_DONE)
        status = find_rules(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_plan(request->plan);
    if (status == AKIN_CLI_DONE)
        status = check_sides(request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_clusters_of(arguments->value[CLUSTERS_OF][0], &request->clusters_of);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_show_check(arguments->value[SHOW][0], request->inputs[1] != NULL, &request->show);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_check_digits(arguments->value[DIGITS][0], 0, &request->digits);
    if (status == AKIN_CLI_DONE)
        status = check_outputs(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_merge(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_gold(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_job(arguments, request);
    return status == AKIN_CLI_DONE ? check_dedupe_device(request) : status;
}

/* Checks the request, by the file `from` too unless that is NULL, and runs it. */
static int run_dedupe_request(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request, const char *from)
{
    akin_cli_job job;
    akin_error error;
    int status = check_dedupe(arguments, request);
    if (status != AKIN_CLI_DONE)
        return akin_cli_job_file_tell(from, status);
    if (request->outputs[AKIN_CLI_JOB_FILE] &&
        akin_cli_job_file_write(request->command, arguments, request->plan, &request->job, &request->job_length,
                                &error) != AKIN_OK)
        return akin_cli_fail(&error);
    akin_status done = akin_cli_job_begin(&job, &request->resources, request->quiet, &error);
    if (done == AKIN_OK)
        done = akin_cli_dedupe_run(&job, request, &error);
    status = akin_cli_job_end(&job, done, &error);
    return done == AKIN_E_OPTION ? akin_cli_job_file_tell(from, status) : status;
}

static int run_dedupe_command(const akin_cli_command *command, const akin_cli_arguments *given)
{
    akin_cli_arguments arguments = *given;
    akin_cli_dedupe_request *request = calloc(1, sizeof *request);
    akin_cli_job_file file = {0};
    int status = AKIN_CLI_DONE;
    if (!request) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    akin_error error;
    request->command = command;
    if (akin_dedupe_plan_create(akin_papers(), &request->plan, &error) != AKIN_OK)
        status = akin_cli_fail(&error);
    if (status == AKIN_CLI_DONE && given->value[JOB][0])
        status = akin_cli_job_file_read(command, given->value[JOB][0], &arguments, request->plan, &file);
    if (status == AKIN_CLI_DONE)
        status = run_dedupe_request(&arguments, request, given->value[JOB][0]);
    akin_dedupe_plan_free(request->plan);
    akin_cli_job_file_clear(&file);
    free(request->job);
    free(request->options);
    akin_cli_show_clear(&request->show);
    akin_cli_merge_rules_clear(&request->merge);
    free(request);
    return status;
}

static int run_dedupe(const akin_cli_arguments *arguments)
{
    return run_dedupe_command(&akin_cli_dedupe, arguments);
}

static int run_link(const akin_cli_arguments *arguments)
{
    return run_dedupe_command(&akin_cli_link, arguments);
}

/* What help says of a command line without rules, of either command. */
#define FOUND_RULES                                                                                                    \
    "Without --compare or without a selection, akin looks at the columns and finds\n"                                  \
    "rules itself. It learns weights and threshold, unless --compare and --threshold\n"                                \
    "give them: FILE alone is enough. akin shows the rules on stderr, and --suggest\n"                                 \
    "FILE saves them as a job to change. --id names the column with ids, and --ignore\n"                               \
    "leaves out a column.\n"

/* What help says of rules, in either command. */
#define RULES                                                                                                          \
    "If a column has different names in the two tables, write LEFT=RIGHT for COLUMN.\n"                                \
    "Put a name with a colon, a plus or an equals sign in double quotes.\n"                                            \
    "\n"                                                                                                               \
    "--window W without a column makes a window for each column of --compare, and\n"                                   \
    "--nearest K does likewise.\n"                                                                                     \
    "\n"                                                                                                               \
    "Keys of windows and blocks (default: value):\n"                                                                   \
    "{keys}\n"                                                                                                         \
    "\n"                                                                                                               \
    "Measures of --similar:\n"                                                                                         \
    "{measures:dedupe}\n"                                                                                              \
    "\n"                                                                                                               \
    "Tokens of --similar (default: words) and --nearest (default: qgrams:3):\n"                                        \
    "{tokens:dedupe}\n"                                                                                                \
    "\n"                                                                                                               \
    "Missing values:\n"                                                                                                \
    "{missing}\n"                                                                                                      \
    "\n"                                                                                                               \
    "Weights:\n"                                                                                                       \
    "{weights}\n"                                                                                                      \
    "\n"                                                                                                               \
    "Methods of clustering:\n"                                                                                         \
    "{clusterings}\n"                                                                                                  \
    "\n"                                                                                                               \
    "Rules of --merge:\n"                                                                                              \
    "{merge-rules}\n"                                                                                                  \
    "\n"

const akin_cli_command akin_cli_dedupe = {
    .name = "dedupe",
    .summary = "find the duplicate records of a table",
    .usage = "FILE [FILE2] [SELECTION --compare C] [OPTION...]",
    .about =
        "Finds the records of FILE that are duplicates. akin compares pairs of records\n"
        "column by column, and keeps a pair if the weighted average of its similarities\n"
        "reaches a threshold. Records that pairs connect, directly or through others,\n"
        "form a cluster. With FILE2 this command does the same as 'akin link'. FILE may\n"
        "also be a folder, a pattern in quotes such as 'shards/*.csv', or @LIST, a file\n"
        "with a name in each line.\n"
        "\n" FOUND_RULES,
    .notes = RULES
    "Examples:\n"
    "  akin dedupe people.csv -o clusters.csv\n"
    "  akin dedupe people.csv --id id --suggest people.json -o clusters.csv\n"
    "  akin dedupe people.csv --id id --window 20 --threshold 0.8 \\\n"
    "        --compare name:jaro-winkler:0.8:2 --compare city:levenshtein:0.7 \\\n"
    "        -o clusters.csv --pairs pairs.csv\n"
    "  akin dedupe shop.csv supplier.csv --block name:soundex+zip \\\n"
    "        --compare name:jaccard/3:0.5 --threshold 0.5 --pairs links.csv\n"
    "  akin dedupe people.csv --id id --window 20 --compare name:jaro-winkler \\\n"
    "        --threshold 0.9 --gold known.csv -o clusters.csv --report report.html\n"
    "  akin dedupe people.csv --id id --block zip --compare name:jaro-winkler \\\n"
    "        --threshold 0.9 --merged golden.csv --merge name:longest \\\n"
    "        --merge address:newest:updated\n"
    "  akin dedupe --job people.json --threshold 0.85\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_dedupe,
    .has_plan = 1,
};

const akin_cli_command akin_cli_link = {
    .name = "link",
    .summary = "find the records of two tables that belong together",
    .usage = "FILE FILE2 [SELECTION --compare C] [OPTION...]",
    .about =
        "Finds the records of FILE and FILE2 that belong together. akin compares pairs of\n"
        "a record of FILE and one of FILE2, column by column, and keeps a pair if the\n"
        "weighted average of its similarities reaches a threshold. Records that pairs\n"
        "connect, directly or through others, are a cluster.\n"
        "\n" FOUND_RULES,
    .notes = RULES
    "Examples:\n"
    "  akin link shop.csv supplier.csv --id sku=number -o clusters.csv --pairs links.csv\n"
    "  akin link shop.csv supplier.csv --block name=title:soundex+zip \\\n"
    "        --compare name=title:jaccard/3:0.5 --id sku=number --threshold 0.5 \\\n"
    "        --one-to-one -o clusters.csv --pairs links.csv\n"
    "  akin link left.csv right.csv --id id --window 20:name --compare name:jaro-winkler \\\n"
    "        --threshold 0.9 --gold known.csv -o clusters.csv --report report.html\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_link,
    .has_plan = 1,
};
