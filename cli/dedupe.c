/* akin dedupe and akin link: which records of a table are of the same thing, or which of two tables belong together. */
#include "dedupe.h"

#include <stdlib.h>

#include "answers.h"
#include "clusters.h"
#include "command.h"
#include "dedupe_options.h"
#include "job_file.h"
#include "label.h"
#include "model.h"
#include "number.h"
#include "sides.h"
#include "writer.h"

const akin_cli_option akin_cli_dedupe_options[LABEL_OPTION_COUNT] = {
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
    [SYNONYMS] = {.name = "synonyms",
                  .argument = "FILE",
                  .repeated = 1,
                  .help = "[COLUMN:]FILE: words of COLUMN (default: of every\n"
                          "column) that count as equal. Each line of FILE has a\n"
                          "group: the full form, and others behind commas, such\n"
                          "as william,bill,will"},
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
                         "(default: learn if akin finds the comparisons, else\n"
                         "given); see below",
                 .choices = "weights"},
    [MODEL] = {.name = "model",
               .argument = "FILE",
               .written = 1,
               .help = "if weights are learnt: if FILE is there, take the\n"
                       "weights and the threshold from it, and learn nothing.\n"
                       "Else write to FILE what was learnt, as JSON. 'akin\n"
                       "label' always learns, and writes"},
    [ANSWERS] = {.name = "answers",
                 .argument = "FILE",
                 .written = 1, /* by akin label */
                 .help = "if weights are learnt: learn also from the answers in\n"
                         "FILE, CSV with the columns left, right and answer.\n"
                         "'akin label' adds each answer at once"},
    [IGNORE] = {.name = "ignore",
                .argument = "COLUMN",
                .repeated = 1,
                .key = "",
                .help = "without --compare: leave COLUMN out of the rules that\n"
                        "akin finds. Give one --ignore for each column"},
    [THRESHOLD] = {.name = "threshold",
                   .argument = "T",
                   .help = "keep a pair if the weighted average of its\n"
                           "similarities is at least T. With --weights learn T\n"
                           "is a probability, or auto (default: auto): that of\n"
                           "the largest expected F1. A T that is given also\n"
                           "decides which records a cluster can have, unless\n"
                           "--cluster has a parameter"},
    [PRECISION] = {.name = "precision",
                   .argument = "P",
                   .help = "if weights are learnt, in place of --threshold: choose\n"
                           "the least threshold at which the expected precision\n"
                           "of the found pairs is P or more. It decides about\n"
                           "clusters as --threshold does. It takes three\n"
                           "compared columns or more. With one or two it takes two\n"
                           "tables, and the left one has no duplicates"},
    [ONE_TO_ONE] = {.name = "one-to-one",
                    .help = "keep at most one pair of each record, the most similar\n"
                            "pairs first"},
    [ONE_PER_SOURCE] = {.name = "one-per-source",
                        .argument = "COLUMN",
                        .help = "COLUMN says where a record is from. Records of one\n"
                                "source are never put into one cluster; a record\n"
                                "without a value may be in any. If two tables are the\n"
                                "sources, --one-to-one says so"},
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
                .written = 1,
                .help = "for each row the number of its cluster, the size of\n"
                        "the cluster, and the first row of the cluster, its\n"
                        "representative (default: -, standard output; of 'akin\n"
                        "label' none)"},
    [CLUSTERS_OF] = {.name = "clusters-of",
                     .argument = "N",
                     .help = AKIN_CLI_CLUSTERS_OF_HELP ". --deduplicated and --merged have every cluster in any case"},
    [PAIRS] = {.name = "pairs",
               .argument = "FILE",
               .written = 1,
               .help = "the found pairs, which show why two records are\n"
                       "together: the weighted average, or the probability if\n"
                       "weights are learnt, and the similarity of each column"},
    [DEDUPLICATED] = {.name = "deduplicated",
                      .argument = "FILE",
                      .written = 1,
                      .help = "the first record of each cluster, as it stands in the\n"
                              "input, with the header line. If the input is a folder,\n"
                              "a pattern or @LIST, FILE is a folder that gets its\n"
                              "files, and a job that was stopped goes on"},
    [MERGED] = {.name = "merged",
                .argument = "FILE",
                .written = 1,
                .help = "golden records: one record for each cluster, whose\n"
                        "values --merge chooses from its records, as a table\n"
                        "with the columns of the input"},
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
    [SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
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
                .written = 1,
                .help = "a page of HTML for a browser, which needs no network:\n"
                        "the pairs nearest to the threshold, the similarities\n"
                        "of the columns, the clusters, and with --gold the\n"
                        "quality at each threshold. With learnt weights also\n"
                        "the weights, and what is expected at each threshold"},
    [REPRODUCIBLE] = {.name = "reproducible",
                      .help = "for --report: leave out seconds and memory, so that two\n"
                              "runs write the same bytes"},
    [QUIET] = {.heading = "Resources", .name = "quiet", .letter = 'q', .help = "show no progress and no summary"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use (default: one for each CPU)"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the memory, such as 2G; at least 16M; 0: none (default: 3/4 of the memory of the "
                        "system, or of the limit of the cgroup). " AKIN_CLI_JOB_SIZES},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "auto, cpu, cuda, or cuda:N for GPU N, counted from 0\n"
                        "(default: auto). akin uses only the first of several GPUs"},
    [DEVICE_MEMORY] = {.name = "device-memory",
                       .argument = "SIZE",
                       .help = "a limit on the memory of the GPU; at least 16M\n"
                               "(default: 15/16 of the free memory)"},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(AKIN_FOR_DEDUPE)},
    [JOB] = {AKIN_CLI_JOB_OPTION(". A selection of pairs replaces all\n"
                                 "selections of the job")},
    [ADD_SELECTIONS] = {.name = "add-selections",
                        .key = "",
                        .help = "with --job: a selection of pairs adds to the selections\n"
                                "of the job, in place of replacing them"},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
    [SUGGEST] = {.name = "suggest",
                 .argument = "FILE",
                 .key = "",
                 .help = "the same as --save-job: the rules that akin finds, as a\n"
                         "job to look at, to change and to run again"},
    [LIMIT] = {.heading = "Questions",
               .name = "limit",
               .argument = "N",
               .key = "",
               .help = "ask N questions at most (default: 100)"},
    [PAGE] = {.name = "page",
              .argument = "FILE",
              .key = "",
              .help = "ask nothing here. Write a page of HTML with the\n"
                      "questions, which needs no network and exports the\n"
                      "answers"},
};

/* Makes the job that is to be saved. Of a request with questions it is that of the command that finds the same without
 * questions: by the model that is written, or else by learning from the answers. */
static akin_status make_job(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request, akin_error *error)
{
    akin_cli_arguments kept = *arguments;
    const akin_cli_command *command = request->command;
    if (akin_cli_label_asks(request)) {
        if (kept.value[MODEL][0])
            kept.value[ANSWERS][0] = NULL;
        command = request->inputs[1] ? &akin_cli_link : &akin_cli_dedupe;
    }
    return akin_cli_job_file_write(command, &kept, request->plan, &request->job, &request->job_length, error);
}

/* Checks the request, by the file `from` too unless that is NULL, and runs it. */
static int run_dedupe_request(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request,
                              const akin_cli_job_file *file)
{
    akin_cli_job job;
    akin_error error;
    int status = akin_cli_dedupe_check(arguments, request);
    if (status != AKIN_CLI_DONE)
        return akin_cli_job_file_tell(file, status);
    if (request->outputs[AKIN_CLI_JOB_FILE] && make_job(arguments, request, &error) != AKIN_OK)
        return akin_cli_fail(&error);
    akin_status done = akin_cli_job_begin(&job, &request->resources, request->quiet, &error);
    if (done == AKIN_OK)
        done = akin_cli_dedupe_run(&job, request, &error);
    status = akin_cli_job_end(&job, done, &error);
    return done == AKIN_E_OPTION ? akin_cli_job_file_tell(file, status) : status;
}

int akin_cli_dedupe_command(const akin_cli_command *command, const akin_cli_arguments *given)
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
        status = run_dedupe_request(&arguments, request, &file);
    akin_dedupe_plan_free(request->plan);
    akin_dedupe_model_free(request->model);
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
    return akin_cli_dedupe_command(&akin_cli_dedupe, arguments);
}

static int run_link(const akin_cli_arguments *arguments)
{
    return akin_cli_dedupe_command(&akin_cli_link, arguments);
}

/* What help says of a command line without rules, of either command. */
#define FOUND_RULES                                                                                                    \
    "Without --compare or without a selection, akin looks at the columns and finds\n"                                  \
    "rules itself. It learns weights and threshold, unless --compare and --threshold\n"                                \
    "give them: the tables alone are enough. akin shows the rules on stderr, and\n"                                    \
    "--suggest FILE saves them as a job to change. --id names the column with ids,\n"                                  \
    "and --ignore leaves out a column.\n"

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
    .notes = AKIN_CLI_DEDUPE_RULES
    "Examples:\n"
    "  akin dedupe people.csv -o clusters.csv\n"
    "  akin dedupe people.csv --id id --suggest people.json -o clusters.csv\n"
    "  akin dedupe people.csv --id id --window 20 --threshold 0.8 \\\n"
    "        --compare name:jaro-winkler:0.8:2 --compare city:levenshtein:0.7 \\\n"
    "        -o clusters.csv --pairs pairs.csv\n"
    "  akin dedupe shop.csv supplier.csv --block name:soundex+zip \\\n"
    "        --compare name:jaccard/3:0.5 --threshold 0.5 --pairs links.csv\n"
    "  akin dedupe people.csv --id id --similar address:jaccard:0.6:qgrams:3 \\\n"
    "        --compare name:jaro-winkler --threshold 0.9 -o clusters.csv\n"
    "  akin dedupe people.csv --id id --window 20 --compare name:jaro-winkler \\\n"
    "        --threshold 0.9 --gold known.csv -o clusters.csv --report report.html\n"
    "  akin dedupe people.csv --id id --block zip --compare name:jaro-winkler \\\n"
    "        --threshold 0.9 --merged golden.csv --merge name:longest \\\n"
    "        --merge address:newest:updated\n"
    "  akin dedupe --job people.json --threshold 0.85\n",
    .options = akin_cli_dedupe_options,
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
    .notes = AKIN_CLI_DEDUPE_RULES
    "Examples:\n"
    "  akin link shop.csv supplier.csv --id sku=number -o clusters.csv --pairs links.csv\n"
    "  akin link reference.csv titles.csv --id id --precision 0.9 --pairs links.csv\n"
    "  akin link shop.csv supplier.csv --block name=title:soundex+zip \\\n"
    "        --compare name=title:jaccard/3:0.5 --id sku=number --threshold 0.5 \\\n"
    "        --one-to-one -o clusters.csv --pairs links.csv\n"
    "  akin link left.csv right.csv --id id --window 20:name --compare name:jaro-winkler \\\n"
    "        --threshold 0.9 --gold known.csv -o clusters.csv --report report.html\n",
    .options = akin_cli_dedupe_options,
    .option_count = OPTION_COUNT,
    .run = run_link,
    .has_plan = 1,
};
