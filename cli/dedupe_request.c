/* The request of akin dedupe: what its command line says, checked. */
#include "dedupe.h"

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "clusters.h"
#include "command.h"
#include "dedupe_options.h"
#include "given.h"
#include "id_pairs.h"
#include "job_file.h"
#include "label.h"
#include "model.h"
#include "path.h"
#include "reading.h"
#include "shards.h"
#include "sides.h"
#include "suggested.h"

static const int of_files[AKIN_CLI_DEDUPE_FILES] = {OUTPUT, PAIRS, DEDUPLICATED, MERGED, REPORT, SAVE_JOB, MODEL, PAGE};
static const char *const whats[AKIN_CLI_DEDUPE_FILES] = {"clusters", "pairs", "records", "merged records",
                                                         "report",   "job",   "model",   "questions"};

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
        return akin_cli_refuse("expected one file or two, not %d: akin %s FILE [FILE2]%s", arguments->operand_count,
                               request->command->name, arguments->operand_count > 2 ? AKIN_CLI_SEVERAL : "");
    for (int i = 0; i < arguments->operand_count; i++) {
        if (!*arguments->operands[i])
            return akin_cli_refuse("expected the name of a file, not an empty word");
        request->inputs[i] = arguments->operands[i];
    }
    if (request->inputs[1] && akin_cli_path_is_stdin(request->inputs[0]) && akin_cli_path_is_stdin(request->inputs[1]))
        return akin_cli_refuse("- and -: standard input can be read only once");
    if (input && akin_cli_option_format(&akin_cli_dedupe.options[INPUT], input, &request->format) != AKIN_CLI_DONE)
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
    return akin_cli_dedupe.options[file == AKIN_CLI_JOB_FILE && arguments->value[SUGGEST][0] ? SUGGEST : of_files[file]]
        .name;
}

static int check_dedupe_output(const akin_cli_arguments *arguments, const akin_cli_dedupe_request *request, int file)
{
    const char *path = request->outputs[file];
    const char *option = name_of_output(arguments, file);
    const char *job = arguments->value[JOB][0];
    if (!path)
        return AKIN_CLI_DONE;
    if (akin_cli_label_asks(request) && strcmp(path, "-") == 0)
        return akin_cli_refuse("--%s -: standard output has the questions: name a file", option);
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
                                   akin_cli_dedupe.options[of_files[other]].name);
        return akin_cli_refuse("%s: expected two files, one for --%s and one for --%s", path,
                               akin_cli_dedupe.options[of_files[other]].name, option);
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

static int check_report(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    const char *path = request->outputs[AKIN_CLI_REPORT_FILE];
    request->reproducible = arguments->value[REPRODUCIBLE][0] != NULL;
    if (!path && request->reproducible)
        return akin_cli_missing(&akin_cli_dedupe.options[REPORT], "--reproducible is for the report");
    return path ? akin_cli_path_check_page(path) : AKIN_CLI_DONE;
}

static int check_outputs(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    int status = AKIN_CLI_DONE;
    request->shown = -1;
    if (request->inputs[1] && arguments->value[DEDUPLICATED][0])
        return akin_cli_refuse("--deduplicated: expected one file, whose duplicates are to be left out, not two");
    if (arguments->value[SAFE_CSV][0] && akin_cli_label_asks(request))
        return akin_cli_refuse(
            "--safe-csv: changes ids, and the file of answers has them as they are: give it to 'akin "
            "dedupe --answers' or 'akin link --answers'");
    if (arguments->value[SAFE_CSV][0] && arguments->value[DEDUPLICATED][0])
        return akin_cli_refuse(AKIN_CLI_SAFE_RECORDS);
    for (int file = 0; file < AKIN_CLI_DEDUPE_FILES && status == AKIN_CLI_DONE; file++) {
        request->outputs[file] = arguments->value[of_files[file]][0];
        if (file == AKIN_CLI_JOB_FILE && !request->outputs[file])
            request->outputs[file] = arguments->value[SUGGEST][0];
        if (file == AKIN_CLI_CLUSTERS_FILE && !request->outputs[file] && !akin_cli_label_asks(request)) {
            request->outputs[file] = "-";
            request->shown = arguments->value[FORMAT][0] ? -1 : file;
        }
        status = check_dedupe_output(arguments, request, file);
        const int is_formatted =
            file == AKIN_CLI_CLUSTERS_FILE || file == AKIN_CLI_PAIRS_FILE || file == AKIN_CLI_MERGED_FILE;
        if (status == AKIN_CLI_DONE && is_formatted)
            status = akin_cli_format_check(&akin_cli_dedupe.options[FORMAT], arguments->value[FORMAT][0],
                                           request->outputs[file], whats[file], &request->formats[file]);
        if (status == AKIN_CLI_DONE && is_formatted && request->outputs[file])
            status =
                akin_cli_safe_check(arguments->value[SAFE_CSV][0], request->outputs[file], &request->formats[file]);
    }
    const char *records = request->outputs[AKIN_CLI_RECORDS_FILE];
    request->input_format = format_of_input(request);
    if (records && akin_path_has_files(request->inputs[0])) {
        if (status == AKIN_CLI_DONE)
            status = akin_cli_shards_options(request->command, arguments, 0, &request->options);
        status = status == AKIN_CLI_DONE ? akin_cli_shards_check(request->command, arguments, DEDUPLICATED) : status;
    }
    if (status == AKIN_CLI_DONE && records && !akin_path_has_files(request->inputs[0]))
        status = akin_cli_kept_check("deduplicated", request->input_format, records);
    return status == AKIN_CLI_DONE ? check_report(arguments, request) : status;
}

/* Rules are for merged records, and these are of one table. */
static int check_merge(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    const int is_wanted = arguments->value[MERGED][0] != NULL;
    request->merged_sources = arguments->value[MERGED_SOURCES][0] != NULL;
    if (!is_wanted && (arguments->value[MERGE][0] || request->merged_sources))
        return akin_cli_missing(&akin_cli_dedupe.options[MERGED], "--%s is for merged records",
                                akin_cli_dedupe.options[request->merged_sources ? MERGED_SOURCES : MERGE].name);
    if (is_wanted && request->inputs[1])
        return akin_cli_refuse("--merged: expected one file, whose duplicates are to be merged, not two");
    return akin_cli_merge_rules_check(arguments, MERGE, &akin_cli_dedupe.options[MERGE], &request->merge);
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

/* The model of learnt weights, which is read if it is there, and else written. With questions it is written. */
static int take_model(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    request->model_path = arguments->value[MODEL][0];
    if (!request->model_path || akin_cli_label_asks(request))
        return AKIN_CLI_DONE;
    const int status = akin_cli_model_read(request->model_path, &request->model);
    if (request->model)
        request->outputs[AKIN_CLI_MODEL_FILE] = NULL;
    return status;
}

static int check_model(const akin_cli_dedupe_request *request)
{
    if (!request->model_path || akin_cli_label_asks(request) ||
        akin_dedupe_plan_options(request->plan)->weights == AKIN_WEIGHTS_LEARN)
        return AKIN_CLI_DONE;
    return akin_cli_missing(&akin_cli_dedupe.options[WEIGHTS], "--model is of weights that are learnt");
}

/* Answers teach weights. */
static int check_answers(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    request->answers = arguments->value[ANSWERS][0];
    if (!request->answers && !akin_cli_label_asks(request))
        return AKIN_CLI_DONE;
    if (akin_dedupe_plan_options(request->plan)->weights != AKIN_WEIGHTS_LEARN)
        return akin_cli_missing(&akin_cli_dedupe.options[WEIGHTS], "--answers teach weights: write --weights learn");
    if (request->model)
        return akin_cli_refuse(
            "--answers teach weights, and --model %s has weights: name a model that is not there, "
            "or leave one of the two out",
            request->model_path);
    for (int file = 0; file < AKIN_CLI_DEDUPE_FILES && request->answers; file++)
        if (request->outputs[file] && akin_cli_path_equal(request->answers, request->outputs[file]))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->outputs[file]);
    return akin_cli_label_asks(request) ? AKIN_CLI_DONE : akin_cli_answers_check(request->answers);
}

/* What the device lacks is refused before it is opened, so that the answer is the same where it is not there. */
static int check_dedupe_device(const akin_cli_dedupe_request *request)
{
    akin_error error;
    akin_dedupe_options asked = *akin_dedupe_plan_options(request->plan);
    asked.model = request->model;
    akin_status status = akin_dedupe_check(request->resources.device,
                                           akin_dedupe_plan_titles(request->plan)->column_count, &asked, &error);
    if (status == AKIN_E_OPTION && error.reason == AKIN_REASON_OTHER_RULES)
        return akin_cli_refuse("--model %s: %s%s", request->model_path, error.message,
                               request->is_suggested ? "; rules that akin finds depend on the table: --suggest FILE "
                                                       "keeps those of a model, and --job FILE takes them"
                                                     : "");
    return status == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

/* Adds what was given of an option on the command line to the plan, in the place of what a job says: of one that stands
 * for several, of all of them. --add-selections leaves the selections of the job there. */
static akin_status plan_option(const akin_cli_arguments *arguments, int at, akin_dedupe_plan *plan, akin_error *error)
{
    akin_status status = AKIN_OK;
    akin_cli_option option;
    const int is_added = at == SELECTIONS && arguments->value[ADD_SELECTIONS][0];
    for (uint32_t row = 0; status == AKIN_OK && akin_cli_option_at(&akin_cli_dedupe, at, row, &option) && !is_added;
         row++)
        status = akin_dedupe_plan_drop(plan, option.name, error);
    if (status == AKIN_OK && !akin_cli_dedupe.options[at].repeated)
        return akin_dedupe_plan_add(plan, option.name, arguments->value[at][0], error);
    for (int i = 0; i < arguments->repeated_count && status == AKIN_OK; i++) {
        const struct akin_cli_repeated *given = &arguments->repeated[i];
        if (given->option == at)
            status = akin_dedupe_plan_add(plan, given->row ? given->row : akin_cli_dedupe.options[at].name,
                                          given->value, error);
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
    akin_status done = akin_dedupe_plan_add(plan, akin_cli_dedupe.options[ID].name, word, &error);
    free(word);
    return done == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

/* Whether the plan reads an option of the table, or those that it stands for. */
static int is_planned(int at)
{
    akin_cli_option option;
    return akin_cli_option_at(&akin_cli_dedupe, at, 0, &option) && akin_cli_job_file_is_planned(option.name);
}

/* A threshold and a precision exclude each other: one that is given takes the place of the other one of a job. */
static akin_status drop_excluded(const akin_cli_arguments *arguments, akin_dedupe_plan *plan, akin_error *error)
{
    const int has_threshold = arguments->value[THRESHOLD][0] != NULL,
              has_precision = arguments->value[PRECISION][0] != NULL;
    if (has_threshold == has_precision)
        return AKIN_OK;
    return akin_dedupe_plan_drop(plan, akin_cli_dedupe.options[has_threshold ? PRECISION : THRESHOLD].name, error);
}

/* Selections are added to those of a job. */
static int check_added(const akin_cli_arguments *arguments)
{
    if (!arguments->value[ADD_SELECTIONS][0])
        return AKIN_CLI_DONE;
    if (!arguments->value[JOB][0])
        return akin_cli_missing(&akin_cli_dedupe.options[JOB], "--add-selections adds to the selections of a job");
    return arguments->value[SELECTIONS][0]
               ? AKIN_CLI_DONE
               : akin_cli_missing(&akin_cli_dedupe.options[SELECTIONS], "--add-selections adds it to those of the job");
}

/* Adds the rules of the command line to those of the job that has been read, if any. */
static int take_rules(const akin_cli_arguments *arguments, int two, akin_dedupe_plan *plan)
{
    akin_error error;
    int said = check_added(arguments);
    if (said == AKIN_CLI_DONE)
        said = plan_ids(arguments, two, plan);
    if (said != AKIN_CLI_DONE)
        return said;
    akin_status status = drop_excluded(arguments, plan, &error);
    for (int i = 0; i < OPTION_COUNT && status == AKIN_OK; i++)
        if (arguments->value[i][0] && is_planned(i))
            status = plan_option(arguments, i, plan, &error);
    if (status == AKIN_E_OPTION)
        return akin_cli_refuse("--%s", error.message);
    return status == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

/* Adds rules that nobody has given. */
static int find_rules(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
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
    request->is_suggested = 1;
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
        if (akin_cli_option_expand(&akin_cli_dedupe.options[i], 0, &first) && strcmp(first.name, error.option) == 0)
            return akin_cli_missing(&akin_cli_dedupe.options[i], "%s", error.message + error.rest);
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

/* Questions teach weights: without a job, which says itself where weights come from, they are learnt. */
static int take_weights(const akin_cli_arguments *arguments, const akin_cli_dedupe_request *request)
{
    const char *weights = akin_cli_dedupe.options[WEIGHTS].name;
    akin_error error;
    if (!akin_cli_label_asks(request) || arguments->value[JOB][0] || arguments->value[WEIGHTS][0] ||
        !akin_dedupe_plan_word(request->plan, akin_cli_dedupe.options[COMPARE].name, 0))
        return AKIN_CLI_DONE;
    const akin_choice *learn = akin_choice_of_value("weights", AKIN_WEIGHTS_LEARN);
    const akin_status status = akin_dedupe_plan_add(request->plan, weights, learn->name, &error);
    return status == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

static void take_resources(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    request->lossy = arguments->value[LOSSY][0] != NULL;
    request->quiet = arguments->value[QUIET][0] != NULL;
    request->resources = (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                              .skip_bad = arguments->value[SKIP_BAD][0],
                                              .bad = arguments->value[BAD][0],
                                              .safe = arguments->value[SAFE_CSV][0] != NULL,
                                              .memory = arguments->value[MEMORY][0],
                                              .device = arguments->value[DEVICE][0],
                                              .device_memory = arguments->value[DEVICE_MEMORY][0],
                                              .arguments = arguments,
                                              .limits = LIMITS,
                                              .writes_pairs = arguments->value[PAIRS][0] != NULL,
                                              .opener = arguments->opener,
                                              .saver = arguments->saver,
                                              .replaces = arguments->value[REPLACE][0] != NULL,
                                              .sync = arguments->value[SYNC][0] != NULL};
}

/* What needs no rules: it is checked before rules are found, and shown. */
static int check_beside_rules(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    int status = akin_cli_clusters_of(arguments->value[CLUSTERS_OF][0], &request->clusters_of);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_show_check(arguments->value[SHOW][0], request->inputs[1] != NULL, &request->show);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_check_digits(arguments->value[DIGITS][0], 0, &request->digits);
    if (status == AKIN_CLI_DONE)
        status = check_outputs(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = take_model(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_merge(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_gold(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_given_check(request, arguments->value[JOB][0]);
    return status == AKIN_CLI_DONE ? check_job(arguments, request) : status;
}

int akin_cli_dedupe_check(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request)
{
    take_resources(arguments, request);
    int status = akin_cli_label_limit(arguments->value[LIMIT][0], request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_label_asks(request) ? akin_cli_label_check(arguments) : AKIN_CLI_DONE;
    if (status == AKIN_CLI_DONE)
        status = check_inputs(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_pairs(arguments->value[PAIRS][0]);
    if (status == AKIN_CLI_DONE)
        status = take_rules(arguments, request->inputs[1] != NULL, request->plan);
    if (status == AKIN_CLI_DONE)
        status = take_weights(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_beside_rules(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = find_rules(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_plan(request->plan);
    if (status == AKIN_CLI_DONE)
        status = check_sides(request);
    if (status == AKIN_CLI_DONE)
        status = check_model(request);
    if (status == AKIN_CLI_DONE)
        status = check_answers(arguments, request);
    return status == AKIN_CLI_DONE ? check_dedupe_device(request) : status;
}
