/* akin dedupe: which records of a table are of the same thing, or which of two tables belong together. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clusters.h"
#include "command.h"
#include "gold.h"
#include "path.h"
#include "reading.h"
#include "scored.h"
#include "summary.h"

enum {
    PAIRS,
    MAX_BLOCK,
    COMPARE,
    MISSING,
    THRESHOLD,
    INPUT,
    ID,
    LOSSY,
    OUTPUT,
    PAIRS_OUT,
    DEDUPLICATED,
    OUTPUT_FORMAT,
    GOLD,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [PAIRS] = {.heading = "Which pairs of records are compared",
               .name = "pairs",
               .argument = "PAIRS",
               .repeated = 1,
               .help = "all; or window:W:COLUMN[:KEY], records sorted by a\n"
                       "key of that column, each with the W - 1 next ones,\n"
                       "and window:W that for each column that is compared;\n"
                       "or block:COLUMN[:KEY][+COLUMN[:KEY]...], records\n"
                       "whose keys are equal; or similar:COLUMN:jaccard:T,\n"
                       "records that have so similar words there (cosine and\n"
                       "dice, too), or with :qgrams:N behind it runs of N\n"
                       "characters. KEY is value, the value itself (of\n"
                       "blocks, if not given), simple, its length and first\n"
                       "character (of windows), or soundex. Given several\n"
                       "times: what any of them selects"},
    [MAX_BLOCK] = {.name = "max-block", .argument = "N", .help = "leave out blocks of more than N records (1000)"},
    [COMPARE] = {.heading = "How they are compared",
                 .name = "compare",
                 .argument = "COMPARE",
                 .repeated = 1,
                 .help = "COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]]: compare that\n"
                         "column; similarities below THRESHOLD (0) count as 0,\n"
                         "and WEIGHT (1) is what they count for. Comparators\n"
                         "are those of 'akin compare': jaro-winkler,\n"
                         "levenshtein, jaccard/3, exact, ... To be given for\n"
                         "each column; a name with a colon in it in quotes"},
    [MISSING] = {.name = "missing",
                 .argument = "WAY",
                 .help = "a value that is missing in one record or both: zero,\n"
                         "similarity 0; skip, the column does not count; equal,\n"
                         "1 if it is missing in both, else 0 (zero)"},
    [THRESHOLD] = {.name = "threshold",
                   .argument = "T",
                   .help = "records whose weighted average of similarities is at\n"
                           "least T belong together"},
    [INPUT] = {.heading = "What is read",
               .name = "input",
               .argument = "TABLE",
               .help = "csv, tsv or jsonl; if not given, what the name of the\n"
                       "file ends in"},
    [ID] = {.name = "id", .argument = "COLUMN", .help = "what to call rows in the output, instead of numbers"},
    [LOSSY] = {.name = "lossy", .help = "replace what is not UTF-8 by U+FFFD"},
    [OUTPUT] = {.heading = "What is written",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "for every row its cluster, a number, and the row that\n"
                        "represents it, the first one; to standard output if\n"
                        "it is - or not given"},
    [PAIRS_OUT] = {.name = "pairs-out",
                   .argument = "FILE",
                   .help = "the pairs of records that belong together, with the\n"
                           "weighted average and each column's similarity"},
    [DEDUPLICATED] = {.name = "deduplicated",
                      .argument = "FILE",
                      .help = "the first record of every cluster, as it stands in\n"
                              "the input, with the header line"},
    [OUTPUT_FORMAT] = {.name = "output-format",
                       .argument = "FORMAT",
                       .help = "of clusters and pairs: csv, tsv or jsonl; if not\n"
                               "given, what each name ends in, else csv"},
    [GOLD] = {.name = "gold",
              .argument = "FILE",
              .help = "tell how good the pairs are, as 'akin evaluate' does:\n"
                      "FILE's first two columns are the ids of those that\n"
                      "are known to be right"},
    [QUIET] = {.heading = "Resources", .name = "quiet", .letter = 'q', .help = "show no progress, and no summary"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use; as many as there are if not given"},
    [MEMORY] = {.name = "memory", .argument = "SIZE", .help = "use at most so much memory, such as 2G; 16M or more"},
    [DEVICE] = {.name = "device", .argument = "DEVICE", .help = "auto or cpu: records are compared on the CPU"},
};

/* The files that are written: clusters, pairs, and records without duplicates. */
enum { CLUSTERS_FILE, PAIRS_FILE, RECORDS_FILE, FILES };

static const int of_files[FILES] = {OUTPUT, PAIRS_OUT, DEDUPLICATED};
static const char *const whats[FILES] = {"clusters", "pairs", "records"};

typedef struct dedupe_request {
    const char *inputs[2]; /* the second one NULL: there is one file */
    const char *outputs[FILES];
    akin_cli_format formats[FILES];
    akin_format format;
    akin_cli_rules rules;
    const char *id, *gold; /* NULL: none */
    akin_format gold_format;
    int lossy, quiet;
    akin_cli_resources resources;
} dedupe_request;

/* ---------------------------------------------------------------------------------------------------------- options */

static int check_inputs(const akin_cli_arguments *arguments, dedupe_request *request)
{
    const char *input = arguments->value[INPUT][0];
    if (arguments->operand_count < 1 || arguments->operand_count > 2)
        return akin_cli_refuse("expected one file or two, not %d: akin dedupe FILE [FILE2]", arguments->operand_count);
    for (int i = 0; i < arguments->operand_count; i++) {
        if (!*arguments->operands[i])
            return akin_cli_refuse("expected the name of a file, not an empty word");
        request->inputs[i] = arguments->operands[i];
    }
    if (request->inputs[1] && akin_cli_path_is_stdin(request->inputs[0]) && akin_cli_path_is_stdin(request->inputs[1]))
        return akin_cli_refuse("- and -: standard input can be read only once");
    if (input && (!akin_cli_table_format_parse(input, &request->format) || request->format == AKIN_FORMAT_TEXT))
        return akin_cli_refuse("--input %s: expected csv, tsv or jsonl", akin_cli_word(input));
    for (int i = 0; i < 2 && request->inputs[i] && !input; i++) {
        akin_format told;
        if (akin_format_of_name(request->inputs[i], &told, NULL) != AKIN_OK || told == AKIN_FORMAT_TEXT)
            return akin_cli_refuse("%s: what kind of table is it? say so by --input csv, tsv or jsonl",
                                   akin_cli_path_name(request->inputs[i]));
    }
    return AKIN_CLI_DONE;
}

static int check_output(const dedupe_request *request, int file, const char *option)
{
    const char *path = request->outputs[file];
    if (!path)
        return AKIN_CLI_DONE;
    for (int i = 0; i < 2; i++)
        if (request->inputs[i] && akin_cli_path_same(request->inputs[i], path))
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

/* The format of clusters or pairs, given or told by the name of the file. */
static int check_format(const char *format, const dedupe_request *request, int file, akin_cli_format *out)
{
    const char *path = request->outputs[file];
    if (format && !akin_cli_format_parse(format, out))
        return akin_cli_refuse("--output-format %s: expected csv, tsv or jsonl", akin_cli_word(format));
    if (format || !path)
        return AKIN_CLI_DONE;
    if (akin_cli_path_ends(path, ".json") || akin_cli_path_ends(path, ".akin"))
        return akin_cli_refuse(
            "%s: %s are written as csv, tsv or jsonl: name it so, or give --output-format to write "
            "it there all the same",
            path, whats[file]);
    akin_cli_format_guess(path, out);
    return AKIN_CLI_DONE;
}

/* How the file is read: as --input says, or its name. */
static akin_format format_of_input(const dedupe_request *request)
{
    akin_format format = request->format;
    if (format == AKIN_FORMAT_AUTO)
        akin_format_of_name(request->inputs[0], &format, NULL);
    return format;
}

static int check_outputs(const akin_cli_arguments *arguments, dedupe_request *request)
{
    const char *format = arguments->value[OUTPUT_FORMAT][0];
    int status = AKIN_CLI_DONE;
    if (request->inputs[1] && arguments->value[DEDUPLICATED][0])
        return akin_cli_refuse("--deduplicated: expected one file, whose duplicates are to be left out, not two");
    for (int file = 0; file < FILES && status == AKIN_CLI_DONE; file++) {
        request->outputs[file] = arguments->value[of_files[file]][0];
        if (file == CLUSTERS_FILE && !request->outputs[file])
            request->outputs[file] = "-";
        status = check_output(request, file, options[of_files[file]].name);
        if (status == AKIN_CLI_DONE && file != RECORDS_FILE)
            status = check_format(format, request, file, &request->formats[file]);
    }
    if (status == AKIN_CLI_DONE && request->outputs[RECORDS_FILE])
        status = akin_cli_deduplicated_check(format_of_input(request), request->outputs[RECORDS_FILE]);
    return status;
}

/* The file of pairs that are known to be right. */
static int check_gold(const akin_cli_arguments *arguments, dedupe_request *request)
{
    const char *gold = request->gold = arguments->value[GOLD][0];
    if (!gold)
        return AKIN_CLI_DONE;
    if (arguments->value[QUIET][0])
        return akin_cli_refuse("--gold and --quiet: it is the summary that tells how good pairs are");
    for (int i = 0; i < 2; i++)
        if (request->inputs[i] && akin_cli_path_is_stdin(request->inputs[i]) && akin_cli_path_is_stdin(gold))
            return akin_cli_refuse("--gold %s: standard input can be read only once", gold);
    for (int file = 0; file < FILES; file++)
        if (request->outputs[file] && akin_cli_path_same(gold, request->outputs[file]))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->outputs[file]);
    if (akin_format_of_name(gold, &request->gold_format, NULL) == AKIN_OK && request->gold_format == AKIN_FORMAT_TEXT)
        return akin_cli_refuse("--gold %s: is plain text by its name: expected one that ends in .csv, .tsv or .jsonl",
                               gold); /* --input is of the tables */
    return akin_cli_id_pairs_format(AKIN_FORMAT_AUTO, gold, &request->gold_format);
}

static int check(const akin_cli_arguments *arguments, dedupe_request *request)
{
    const char *pairs[AKIN_CLI_REPEATED], *compare[AKIN_CLI_REPEATED], *device = arguments->value[DEVICE][0];
    akin_cli_rules_words words = {.pairs = pairs, .compare = compare};
    words.pairs_count = akin_cli_repeated_values(arguments, PAIRS, pairs);
    words.compare_count = akin_cli_repeated_values(arguments, COMPARE, compare);
    words.threshold = arguments->value[THRESHOLD][0];
    words.missing = arguments->value[MISSING][0];
    words.max_block = arguments->value[MAX_BLOCK][0];
    int status = check_inputs(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_rules_check(&words, &request->rules);
    if (status == AKIN_CLI_DONE)
        status = check_outputs(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_gold(arguments, request);
    if (status == AKIN_CLI_DONE && device && strcmp(device, "auto") != 0 && strcmp(device, "cpu") != 0)
        return akin_cli_refuse("--device %s: records are compared on the CPU alone: expected auto or cpu",
                               akin_cli_word(device));
    request->id = arguments->value[ID][0];
    request->lossy = arguments->value[LOSSY][0] != NULL;
    request->quiet = arguments->value[QUIET][0] != NULL;
    request->resources = (akin_cli_resources){
        .threads = arguments->value[THREADS][0], .memory = arguments->value[MEMORY][0], .device = "cpu"};
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- tables */

/* A file: its table, its names, and the columns that the rules name. */
typedef struct side {
    akin_cli_source source;
    akin_cli_names pairs_names;                 /* as the file of pairs has them, if that is of another format */
    akin_column columns[AKIN_CLI_COLUMNS], ids; /* ids: size 0 if rows have numbers */
} side;

static int is_of_other_format(const dedupe_request *request)
{
    return request->outputs[PAIRS_FILE] && request->formats[PAIRS_FILE] != request->formats[CLUSTERS_FILE];
}

static const akin_cli_names *names_of_pairs(const dedupe_request *request, const side *s)
{
    return is_of_other_format(request) ? &s->pairs_names : &s->source.names;
}

/* Takes what rows are called from a column, as each file that is written has it. */
static akin_status take_names(akin_cli_job *job, const dedupe_request *request, int which, uint32_t column, side *out,
                              akin_error *error)
{
    const char *path = request->inputs[which];
    const akin_table *table = out->source.table;
    out->ids.size = sizeof out->ids;
    akin_status status = akin_cli_names_make(job->context, path, table, column, request->formats[CLUSTERS_FILE],
                                             &out->source.names, error);
    if (status == AKIN_OK)
        status = akin_table_column(table, column, &out->ids, error);
    if (status == AKIN_OK && is_of_other_format(request))
        status = akin_cli_names_make(job->context, path, table, column, request->formats[PAIRS_FILE], &out->pairs_names,
                                     error);
    return status;
}

static akin_status read_side(akin_cli_job *job, const dedupe_request *request, int which, side *out, akin_error *error)
{
    const akin_cli_rules *rules = &request->rules;
    static const uint64_t nothing[1] = {0};
    const char *columns[AKIN_CLI_COLUMNS + 1];
    akin_table_options wanted = AKIN_TABLE_OPTIONS_INIT;
    uint32_t count = 0, id = 0;
    for (; count < rules->column_count; count++)
        columns[count] = rules->columns[count];
    for (; request->id && id < count && strcmp(columns[id], request->id) != 0; id++)
        ;
    if (request->id && id == count)
        columns[count++] = request->id;
    wanted.format = request->format;
    wanted.columns = columns;
    wanted.column_count = count;
    wanted.lossy = request->lossy;
    wanted.keep_records = request->outputs[RECORDS_FILE] != NULL;
    wanted.keep_lines = request->id != NULL;
    akin_status status = akin_table_read(job->context, request->inputs[which], &wanted, &out->source.table, error);
    if (status == AKIN_E_INPUT)
        akin_cli_source_advise_lossy(error);
    if (status != AKIN_OK)
        return status;
    out->source.rows = akin_table_rows(out->source.table);
    for (uint32_t c = 0; c < rules->column_count && status == AKIN_OK; c++) {
        out->columns[c] = (akin_column){.size = sizeof out->columns[c], .offsets = nothing};
        if (out->source.rows > 0) /* of lines of JSON without a line there is no column */
            status = akin_table_column(out->source.table, c, &out->columns[c], error);
    }
    if (status == AKIN_OK && request->id && out->source.rows > 0)
        status = take_names(job, request, which, id, out, error);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* What comes of it. */
typedef struct results {
    akin_output *outputs[FILES]; /* NULL: not wanted */
    akin_cli_scored scored;
    akin_clusters *clusters;
    int is_evaluated; /* there is a gold standard */
    akin_cli_gold gold;
} results;

static akin_status open_outputs(akin_cli_job *job, const dedupe_request *request, results *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int file = 0; file < FILES && status == AKIN_OK; file++)
        if (request->outputs[file])
            status = akin_output_open(job->context, request->outputs[file], &out->outputs[file], error);
    return status;
}

/* Commits the outputs if status is AKIN_OK, else discards them. */
static akin_status close_outputs(results *r, akin_status status, akin_error *error)
{
    akin_output *wanted[FILES];
    size_t count = 0;
    for (int file = 0; file < FILES; file++)
        if (r->outputs[file])
            wanted[count++] = r->outputs[file];
    if (status == AKIN_OK)
        return akin_output_commit_all(wanted, count, error);
    for (size_t i = 0; i < count; i++)
        akin_output_discard(wanted[i]);
    return status;
}

/* Hands pairs on to whom they concern. */
static int sink(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    results *r = user;
    for (size_t i = 0; i < count; i++) {
        akin_pair pair = {.left = pairs[i].left, .right = pairs[i].right};
        if (akin_clusters_sink(r->clusters, &pair, 1) != 0)
            return 1;
    }
    if (r->is_evaluated && !akin_cli_gold_add(&r->gold, pairs, count))
        return 1;
    return r->outputs[PAIRS_FILE] ? akin_cli_scored_sink(&r->scored, pairs, each, count) : 0;
}

/* Finds the pairs, and writes them as they come. */
static akin_status find(akin_cli_job *job, const dedupe_request *request, const side sides[2], results *r,
                        akin_dedupe_report *report, akin_error *error)
{
    int two = request->inputs[1] != NULL;
    const side *right = &sides[two];
    akin_status status =
        akin_clusters_create(job->context, sides[0].source.rows, two ? right->source.rows : 0, &r->clusters, error);
    r->scored = (akin_cli_scored){r->outputs[PAIRS_FILE],
                                  request->formats[PAIRS_FILE],
                                  &request->rules,
                                  names_of_pairs(request, &sides[0]),
                                  names_of_pairs(request, right),
                                  {.code = AKIN_OK}};
    if (status == AKIN_OK && r->outputs[PAIRS_FILE])
        status = akin_cli_scored_begin(&r->scored, error);
    if (status == AKIN_OK)
        status = akin_dedupe(job->context, sides[0].columns, sides[0].source.rows, two ? right->columns : NULL,
                             two ? right->source.rows : 0, request->rules.column_count, &request->rules.options, sink,
                             r, NULL, report, error);
    if (status == AKIN_E_CANCELLED && r->gold.failed)
        status = akin_cli_gold_fail(error);
    else if (status == AKIN_E_CANCELLED && r->scored.error.code != AKIN_OK) {
        *error = r->scored.error; /* writing failed */
        status = error->code;
    }
    return status;
}

static akin_status write_results(const dedupe_request *request, const side sides[2], results *r, akin_error *error)
{
    akin_clusters_finish(r->clusters);
    akin_status status =
        akin_cli_clusters_write(r->clusters, &sides[0].source, request->inputs[1] ? &sides[1].source : NULL,
                                request->formats[CLUSTERS_FILE], 1, r->outputs[CLUSTERS_FILE], error);
    if (status == AKIN_OK && r->outputs[RECORDS_FILE])
        status = akin_cli_clusters_deduplicate(r->clusters, sides[0].source.table, r->outputs[RECORDS_FILE], error);
    return status;
}

/* The outputs are opened first: what cannot be written is better known before the work. */
static akin_status run_request(akin_cli_job *job, const dedupe_request *request, akin_error *error)
{
    akin_dedupe_report report = {.size = sizeof report};
    static const side none;
    side sides[2] = {none, none};
    results r = {.is_evaluated = request->gold != NULL};
    double begun = akin_cli_clock(), seconds_read = 0;
    akin_status status = open_outputs(job, request, &r, error);
    for (int i = 0; i < 2 && request->inputs[i] && status == AKIN_OK; i++)
        status = read_side(job, request, i, &sides[i], error);
    if (status == AKIN_OK && request->gold)
        status = akin_cli_id_pairs_read(job, request->gold, request->gold_format, NULL, &r.gold.known, error);
    seconds_read = akin_cli_clock() - begun;
    if (status == AKIN_OK)
        status = find(job, request, sides, &r, &report, error);
    if (status == AKIN_OK)
        status = write_results(request, sides, &r, error);
    if (status == AKIN_OK && request->gold) {
        const side *right = &sides[request->inputs[1] != NULL];
        const akin_column *const ids[2] = {sides[0].ids.size ? &sides[0].ids : NULL,
                                           right->ids.size ? &right->ids : NULL};
        status = akin_cli_gold_evaluate(job, &r.gold, ids, request->inputs[1] != NULL, error);
    }
    akin_cli_progress_clear(&job->progress);
    status = close_outputs(&r, status, error);
    if (status == AKIN_OK && !request->quiet)
        akin_cli_summary_print(&(akin_cli_summary){.rules = &request->rules,
                                                   .tables = request->inputs[1] ? 2 : 1,
                                                   .rows = {sides[0].source.rows, sides[1].source.rows},
                                                   .report = &report,
                                                   .clusters = r.clusters,
                                                   .evaluation = request->gold ? &r.gold.evaluation : NULL,
                                                   .seconds_read = seconds_read});
    akin_clusters_free(r.clusters);
    akin_cli_gold_clear(&r.gold);
    for (int i = 0; i < 2; i++) {
        akin_cli_names_clear(&sides[i].pairs_names);
        akin_cli_source_clear(&sides[i].source);
    }
    return status;
}

static int run(const akin_cli_arguments *arguments)
{
    dedupe_request *request = calloc(1, sizeof *request);
    akin_cli_job job;
    akin_error error;
    if (!request) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    int status = check(arguments, request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &request->resources, request->quiet, &error);
        if (done == AKIN_OK)
            done = run_request(&job, request, &error);
        status = akin_cli_job_end(&job, done, &error);
    }
    akin_cli_rules_clear(&request->rules);
    free(request);
    return status;
}

const akin_cli_command akin_cli_dedupe = {
    .name = "dedupe",
    .summary = "find duplicate records of a table, or link two tables",
    .usage = "FILE [FILE2] --pairs P --compare C --threshold T [OPTION...]",
    .about =
        "Compares records, column by column, and tells which are of the same thing: the\n"
        "duplicates in one table, or with two, which records belong together. Records\n"
        "that belong together, directly or by way of others, are a cluster.\n",
    .notes =
        "Examples:\n"
        "  akin dedupe people.csv --id id --pairs window:20 --threshold 0.8 \\\n"
        "        --compare name:jaro-winkler:0.8:2 --compare city:levenshtein:0.7 \\\n"
        "        -o clusters.csv --pairs-out pairs.csv\n"
        "  akin dedupe shop.csv supplier.csv --pairs block:name:soundex+zip \\\n"
        "        --compare name:jaccard/3:0.5 --threshold 0.5 --pairs-out links.csv\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
