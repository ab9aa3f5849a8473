/* akin join: the pairs of similar sets or strings of one collection, or of two. */
#include <stdlib.h>
#include <string.h>

#include "calibration.h"
#include "command.h"
#include "comparator.h"
#include "explain.h"
#include "folding.h"
#include "job.h"
#include "job_file.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "results.h"
#include "sides.h"

enum {
    MEASURE,
    LEVENSHTEIN,
    SIMILARITY,
    FLOORED,
    PREFIX_SCALE,
    BOOST_THRESHOLD,
    TOP,
    INPUT,
    TABLE,
    SQL,
    ON,
    LEFT_ON,
    RIGHT_ON,
    ID,
    LEFT_ID,
    RIGHT_ID,
    LOSSY,
    SKIP_BAD,
    BAD,
    TOKENS,
    MULTISET,
    IGNORE_CASE,
    FOLD,
    STOP_WORDS,
    OUTPUT,
    FORMAT,
    REPLACE,
    SHOW,
    DIGITS,
    COUNT,
    CLUSTERS,
    CLUSTERS_OF,
    DEDUPLICATED,
    EXPLAIN,
    QUIET,
    TECHNIQUE,
    BITS,
    BLOCK,
    FILTER,
    SHARING,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    JOB,
    SAVE_JOB,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [MEASURE] = {.heading = "Measure (one of them)",
                 .argument = "T",
                 .may_lack = 1,
                 .choices = "measures",
                 .capabilities = AKIN_FOR_JOIN},
    [LEVENSHTEIN] = {.name = "levenshtein",
                     .argument = "D",
                     .may_lack = 1,
                     .help = "strings at most D edits apart. An edit inserts, deletes or replaces a character"},
    [SIMILARITY] = {.name = "similarity",
                    .argument = "NAME:T",
                    .choices = "comparators",
                    .capabilities = AKIN_FOR_MATCH,
                    .help = "strings whose similarity is at least T: {}. 'akin help comparators' explains them"},
    [FLOORED] = {.heading = "Similarities of Jaro", .name = "floored", .help = AKIN_CLI_JARO_FLOORED("match")},
    [PREFIX_SCALE] = {.name = "prefix-scale", .argument = "S", .help = AKIN_CLI_JARO_PREFIX_SCALE("match")},
    [BOOST_THRESHOLD] = {.name = "boost-threshold", .argument = "T", .help = AKIN_CLI_JARO_BOOST_THRESHOLD("match")},
    [TOP] = {.heading = "Best partners",
             .name = "top",
             .letter = 'k',
             .argument = "K",
             .help =
                 "only the K best partners of each left row, the best first. Partners that are equally good come in "
                 "the order of their rows. In one file, the partners of a row are all other rows. You may leave out "
                 "T or D: --jaccard --top 3"},
    [INPUT] = {.heading = "Input",
               .name = "input",
               .argument = "KIND",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .other = "ids",
               .help =
                   "what the files hold: {} (default: {table-formats:columns} by the ending of the name; other files "
                   "are text if an option for text or strings is given, else ids). A row is a record, a line of text, "
                   "or a line of token ids below 2^32"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help =
                "the columns to compare, as A,B. LEFT=RIGHT: a column that the two files call differently. The column "
                "of a file of plain text is called text. Quote a name that has a comma or an equals sign, as in CSV. "
                "The tokens of several columns form one set. The values of several columns form one string, with "
                "blanks between"},
    [LEFT_ON] = {.name = "left-on",
                 .argument = "COLUMNS",
                 .help = "the columns of FILE, if those of FILE2 have other names"},
    [RIGHT_ON] = {.name = "right-on", .argument = "COLUMNS", .help = "the columns of FILE2"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "the column with the names of the rows, or LEFT=RIGHT (default: row numbers)"},
    [LEFT_ID] = {.name = "left-id", .argument = "COLUMN", .help = AKIN_CLI_LEFT_ID_HELP},
    [RIGHT_ID] = {.name = "right-id", .argument = "COLUMN", .help = AKIN_CLI_RIGHT_ID_HELP},
    [LOSSY] = {AKIN_CLI_READING_LOSSY},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [TOKENS] = {.name = "tokens",
                .argument = "KIND",
                .choices = "tokens",
                .help = "how text is cut into tokens: {} (default: words). Words and codes ignore case. N: runs of N "
                        "words or characters"},
    [MULTISET] = {.name = "multiset", .help = "count a token as often as it occurs (default: once)"},
    [IGNORE_CASE] = {AKIN_CLI_IGNORE_CASE("ignore case, in strings and in every kind of tokens (words always do)")},
    [FOLD] = {AKIN_CLI_FOLD},
    [STOP_WORDS] = {.name = "stop-words",
                    .argument = "LIST",
                    .choices = "stop-words",
                    .help = "leave out the words of a language, {}, or of a file with one word a line"},
    [OUTPUT] = {.heading = "Output",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "write to FILE, which appears whole or not at all (default: standard output)"},
    [FORMAT] = {.name = "format",
                .argument = "FORMAT",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "{} (default: by the ending of the output's name, else csv)"},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SHOW] = {.name = "show", .argument = "COLUMNS", .help = AKIN_CLI_SHOW_HELP},
    [DIGITS] = {.name = "digits", .argument = "N", .help = AKIN_CLI_DIGITS_HELP},
    [COUNT] = {.name = "count", .help = "write only the number of pairs"},
    [CLUSTERS] = {.name = "clusters",
                  .help =
                      "write clusters in place of pairs: for each row the number and the size of its cluster, and the "
                      "first row of the cluster. With two files also the side of each row"},
    [CLUSTERS_OF] = {.name = "clusters-of", .argument = "N", .help = AKIN_CLI_CLUSTERS_OF_HELP},
    [DEDUPLICATED] =
        {.name = "deduplicated",
         .argument = "FILE",
         .help = "also write to FILE the first record of each cluster, as it stands in the input. If the input "
                 "is a folder, a pattern or @LIST, FILE is a folder that gets its files, and a job that was "
                 "stopped goes on"},
    [EXPLAIN] = {.name = "explain",
                 .help = "print to standard error how akin found the pairs, and the time of each step"},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [TECHNIQUE] = {.heading = "Technique and resources (they never change the pairs)",
                   .name = "technique",
                   .argument = "NAME",
                   .choices = "techniques string-techniques",
                   .help =
                       "how akin finds candidates: {} (default: auto). Strings take {string-techniques}. 'akin help "
                       "techniques' explains them"},
    [BITS] = {.name = "bits",
              .argument = "N",
              .help =
                  "the width of signatures, for techniques with signatures: a power of two from 64 to 2048 (default: "
                  "akin chooses)"},
    [BLOCK] =
        {.name = "block",
         .argument = "N",
         .help = "the number of sets in a block, from 1 to 65536 (default: 15000), for {techniques:block}, and bitmap "
                 "with --device cuda"},
    [FILTER] = {.name = "filter",
                .argument = "NAME",
                .choices = "techniques",
                .capabilities = AKIN_IS_FILTER,
                .other = "auto",
                .help = "the technique that finds the candidates of hybrid: {} (default: auto, the one with the "
                        "shortest predicted time)"},
    [SHARING] = {.name = "sharing",
                 .argument = "HOW",
                 .choices = "sharings",
                 .help = "how the threads of a GPU share candidates, for hybrid, and bitmap with --device cuda: {} "
                         "(default: auto, by the size of the sets)"},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap, at least 16M (default: none). The rest goes to temporary files in "
                        "$TMPDIR. " AKIN_CLI_JOB_SIZES},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "auto, cpu, cuda, or cuda:N for GPU N, counted from 0 (default: auto). Several GPUs share the "
                        "work: cuda:0,1, or cuda:all, which also uses the CPU"},
    [DEVICE_MEMORY] = {AKIN_CLI_JOB_DEVICE_MEMORY},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
};

/* The request of the command line. */
typedef struct join_request {
    const char *left, *right; /* right is NULL in a self-join */
    akin_cli_resources resources;
    char *options; /* for the manifest of a folder of records */
    akin_cli_reading reading[2];
    akin_cli_wanted wanted;
    uint32_t folds;         /* that strings are cleaned of */
    const char *token_fold; /* the option by which tokens ignore case, or NULL */
    int explain, quiet;
} join_request;

/* The option for which strings are wanted, or NULL. */
static const char *string_option(const akin_cli_arguments *arguments)
{
    return arguments->value[LEVENSHTEIN][0]  ? options[LEVENSHTEIN].name
           : arguments->value[SIMILARITY][0] ? options[SIMILARITY].name
                                             : NULL;
}

/* How Jaro's similarities are computed, which sets and edits have nothing of. */
static int check_jaro(const akin_cli_arguments *arguments, akin_cli_strings *strings)
{
    const akin_cli_jaro said = {.floored = arguments->value[FLOORED][0],
                                .prefix_scale = arguments->value[PREFIX_SCALE][0],
                                .boost_threshold = arguments->value[BOOST_THRESHOLD][0]};
    return akin_cli_jaro_check(&said, strings->wanted ? akin_cli_strings_name(strings) : "a join of sets",
                               &options[SIMILARITY], &strings->compare);
}

static int check_threshold(const akin_choice *measure, const char *text, akin_join_options *join)
{
    akin_ratio ratio;
    join->measure = (akin_measure)measure->value;
    join->threshold = (akin_ratio){0, 1};
    if (text == akin_cli_lacking)
        return AKIN_CLI_DONE;
    int valid = akin_ratio_parse(text, &ratio, NULL) == AKIN_OK && ratio.num > 0;
    int counts = (measure->capabilities & AKIN_TAKES_COUNT) != 0;
    if (counts && !(valid && ratio.num % ratio.den == 0))
        return akin_cli_refuse("--%s %s: expected a whole number above 0 of at most 9 digits", measure->name,
                               akin_cli_word(text));
    if (!counts && !(valid && ratio.num <= ratio.den))
        return akin_cli_refuse(
            "--%s %s: expected a number above 0 and at most 1, such as 0.8 or 2/3 (at most 9 digits)", measure->name,
            akin_cli_word(text));
    join->threshold = ratio;
    return AKIN_CLI_DONE;
}

/* How many of the best partners are wanted. Without it a measure has its threshold. */
static int check_top(const akin_cli_arguments *arguments, akin_cli_wanted *wanted)
{
    const char *text = arguments->value[TOP][0];
    uint64_t top = 0;
    if (text && !akin_cli_read_u64(text, 1, UINT32_MAX, &top))
        return akin_cli_refuse("--top %s: expected a whole number from 1 to 4294967295", akin_cli_word(text));
    wanted->sets.top = (uint32_t)top;
    if (!text && arguments->value[MEASURE][0] == akin_cli_lacking)
        return akin_cli_refuse("option --%s needs an argument: --%s T, or beside it --top K",
                               arguments->value[MEASURE][1], arguments->value[MEASURE][1]);
    if (!text && arguments->value[LEVENSHTEIN][0] == akin_cli_lacking)
        return akin_cli_refuse("option --levenshtein needs an argument: --levenshtein D, or beside it --top K");
    return AKIN_CLI_DONE;
}

/* The measure and its threshold. */
static int check_measure(const akin_cli_arguments *arguments, akin_cli_wanted *wanted)
{
    const int given[] = {MEASURE, LEVENSHTEIN, SIMILARITY};
    const akin_cli_option *const measures[] = {&options[MEASURE], &options[LEVENSHTEIN], &options[SIMILARITY], NULL};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const char *const *value = arguments->value[given[i]], *own = options[given[i]].name;
        if (!value[0])
            continue;
        if (name)
            return akin_cli_refuse("--%s and --%s: expected only one of them", name, own);
        name = own ? own : value[1];
    }
    if (!name)
        return akin_cli_missing_all(measures,
                                    "what alike means, such as --jaccard 0.8 for sets or --levenshtein 2 for strings");
    if (string_option(arguments))
        return akin_cli_strings_check(arguments->value[LEVENSHTEIN][0], &options[SIMILARITY],
                                      arguments->value[SIMILARITY][0], wanted->sets.top, &wanted->strings);
    const akin_choice *measure = NULL;
    akin_error error;
    if (akin_choice_find("measures", name, &measure, &error) != AKIN_OK || !measure)
        return akin_cli_fail(&error);
    return check_threshold(measure, arguments->value[MEASURE][0], &wanted->sets);
}

/* What strings are cleaned of, or whether tokens ignore case. */
static int check_folding(const akin_cli_arguments *arguments, join_request *request)
{
    const akin_cli_folding folding = {arguments->value[IGNORE_CASE][0], arguments->value[FOLD][0]};
    return string_option(arguments) ? akin_cli_folds_check(&folding, &request->folds)
                                    : akin_cli_folds_check_tokens(&folding, &request->token_fold);
}

/* Options that mean nothing to strings. */
static int check_strings(const akin_cli_arguments *arguments)
{
    static const char no_tokens[] = "strings are compared whole, and not made into tokens";
    static const char no_technique[] = "that is of techniques that join sets";
    static const struct {
        int option;
        const char *why;
    } refused[] = {{TOKENS, no_tokens},   {MULTISET, no_tokens},  {STOP_WORDS, no_tokens}, {BITS, no_technique},
                   {BLOCK, no_technique}, {FILTER, no_technique}, {SHARING, no_technique}};
    const char *name = string_option(arguments);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0] && name; i++)
        if (arguments->value[refused[i].option][0])
            return akin_cli_refuse("--%s and --%s: %s: leave out one of the two", name, options[refused[i].option].name,
                                   refused[i].why);
    return AKIN_CLI_DONE;
}

static int check_files(const akin_cli_arguments *arguments, join_request *request)
{
    if (arguments->operand_count == 0)
        return akin_cli_refuse("expected a file: akin join FILE [FILE2]");
    if (arguments->operand_count > 2)
        return akin_cli_refuse("%s: expected one file or two, not a third" AKIN_CLI_SEVERAL, arguments->operands[2]);
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

static int check_reading(const akin_cli_arguments *arguments, join_request *request)
{
    const akin_cli_sides sides = {arguments->value[ON][0], arguments->value[LEFT_ON][0], arguments->value[RIGHT_ON][0],
                                  arguments->value[ID][0], arguments->value[LEFT_ID][0], arguments->value[RIGHT_ID][0]};
    const akin_cli_reading_words both = {
        .input = arguments->value[INPUT][0],
        .tokens = arguments->value[TOKENS][0],
        .multiset = arguments->value[MULTISET][0],
        .fold = request->token_fold,
        .stop_words = arguments->value[STOP_WORDS][0],
        .lossy = arguments->value[LOSSY][0],
        .strings = string_option(arguments),
    };
    akin_cli_reading_words words[2] = {both, both};
    int status = akin_cli_sides_check(&sides, request->right != NULL, words);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_reading_check(&words[0], request->left, &request->reading[0]);
    if (status == AKIN_CLI_DONE && request->right)
        status = akin_cli_reading_check(&words[1], request->right, &request->reading[1]);
    const char *stop_words = request->reading[0].stop_words;
    if (status == AKIN_CLI_DONE)
        status = akin_cli_stop_words_check(stop_words);
    if (status == AKIN_CLI_DONE && stop_words && akin_cli_path_is_stdin(stop_words) &&
        (akin_cli_path_is_stdin(request->left) || (request->right && akin_cli_path_is_stdin(request->right))))
        return akin_cli_refuse("--stop-words %s: standard input can be read only once", stop_words);
    if (status == AKIN_CLI_DONE && request->right && request->reading[0].ids != request->reading[1].ids)
        return akin_cli_refuse("%s holds token ids and %s text: expected two of a kind, or --input",
                               akin_cli_path_name(request->reading[0].ids ? request->left : request->right),
                               akin_cli_path_name(request->reading[0].ids ? request->right : request->left));
    return status;
}

/* Whether a file can be written: it is a fit name, and neither is read nor the other output. */
static int check_target(const join_request *request, const char *option, const char *path, const char *what)
{
    const char *const inputs[] = {request->left, request->right, request->reading[0].stop_words};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        if (inputs[i] && akin_cli_path_same(inputs[i], path))
            return akin_cli_refuse("%s: is read and would be replaced: write the %s to another file", path, what);
    }
    return akin_cli_path_check_output(option, path);
}

/* What is written to the output. */
static const char *written(const akin_cli_wanted *wanted)
{
    return wanted->count ? "number" : wanted->clusters ? "clusters" : "pairs";
}

/* The format of the output, which an option gives or the name of the file decides. */
static int check_format(const char *format, akin_cli_wanted *wanted)
{
    const akin_choice *saved = akin_cli_saved_of(wanted->output);
    if (format && wanted->count)
        return akin_cli_refuse("--count and --format: a number has no format");
    if (wanted->count && akin_cli_path_ends(wanted->output, ".akin"))
        return akin_cli_refuse("%s: a number is written as text, not as an .akin file", wanted->output);
    if (wanted->count)
        return saved ? akin_cli_refuse("%s: a number is written as text, not as %s", wanted->output, saved->name)
                     : AKIN_CLI_DONE;
    return akin_cli_format_check(&options[FORMAT], format, wanted->output, written(wanted), &wanted->format);
}

/* The columns that results show. */
static int check_show(const char *text, join_request *request)
{
    akin_cli_wanted *wanted = &request->wanted;
    if (!text)
        return AKIN_CLI_DONE;
    if (request->reading[0].ids)
        return akin_cli_refuse("--show: sets of token ids have no columns: for text add --tokens words");
    int status = akin_cli_show_check(text, request->right != NULL, &wanted->show);
    for (int i = 0; i < 2; i++) {
        request->reading[i].show = wanted->show.names[i];
        request->reading[i].show_count = wanted->show.count;
    }
    request->reading[0].show_optional = akin_cli_show_optional(&wanted->show, request->right != NULL, NULL);
    return status;
}

static int check_join_output(const akin_cli_arguments *arguments, join_request *request)
{
    akin_cli_wanted *wanted = &request->wanted;
    akin_cli_listed names;
    wanted->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : "-";
    if (arguments->value[SHOW][0] && arguments->value[COUNT][0])
        return akin_cli_refuse("--count and --show: a number shows no rows");
    if (check_show(arguments->value[SHOW][0], request) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    wanted->shown[0] = arguments->value[OUTPUT][0];
    wanted->shown[1] = arguments->value[FORMAT][0];
    if (akin_cli_check_digits(arguments->value[DIGITS][0], akin_cli_screen_wanted(wanted->shown[0], wanted->shown[1]),
                              &wanted->digits) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    wanted->deduplicated = arguments->value[DEDUPLICATED][0];
    wanted->count = arguments->value[COUNT][0] != NULL;
    wanted->clusters = arguments->value[CLUSTERS][0] != NULL || arguments->value[CLUSTERS_OF][0] != NULL;
    request->explain = arguments->value[EXPLAIN][0] != NULL;
    request->quiet = arguments->value[QUIET][0] != NULL;
    if (wanted->count && wanted->clusters)
        return akin_cli_refuse("--count and --%s: expected one of them",
                               options[arguments->value[CLUSTERS][0] ? CLUSTERS : CLUSTERS_OF].name);
    if (akin_cli_clusters_of(arguments->value[CLUSTERS_OF][0], &wanted->clusters_of) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (wanted->sets.top && (wanted->clusters || wanted->deduplicated))
        return akin_cli_refuse(
            "--top and --%s: every row has best partners, which need not be alike: leave out one of the two",
            options[arguments->value[CLUSTERS][0] ? CLUSTERS
                    : wanted->clusters            ? CLUSTERS_OF
                                                  : DEDUPLICATED]
                .name);
    if (request->right && wanted->deduplicated)
        return akin_cli_refuse("--deduplicated: expected one file, whose duplicates are to be left out, not two");
    if (wanted->deduplicated && request->reading[0].ids)
        return akin_cli_refuse(
            "--deduplicated: sets of token ids have no records: for lines of text add --tokens words, or --input %s",
            akin_cli_names_of("table-formats", AKIN_CAN_READ, &names));
    if (wanted->deduplicated && strcmp(wanted->deduplicated, "-") == 0 && strcmp(wanted->output, "-") == 0)
        return akin_cli_refuse("--deduplicated -: standard output gets the %s: give --output another file",
                               written(wanted));
    if (wanted->deduplicated && akin_cli_path_equal(wanted->deduplicated, wanted->output))
        return akin_cli_refuse("%s: expected two files, one for --output and one for --deduplicated", wanted->output);
    request->reading[0].keep_records = wanted->deduplicated != NULL;
    wanted->input = request->left;
    wanted->input_format = request->reading[0].format;
    request->reading[0].nameless = request->reading[1].nameless = wanted->count;
    int status = check_target(request, options[OUTPUT].name, wanted->output, written(wanted));
    if (status == AKIN_CLI_DONE && wanted->deduplicated)
        status = check_target(request, options[DEDUPLICATED].name, wanted->deduplicated, "records");
    if (wanted->deduplicated && akin_path_has_files(request->left)) {
        wanted->sharded = request->left;
        wanted->options = request->options = akin_cli_shards_options(&akin_cli_join, arguments);
    }
    if (status == AKIN_CLI_DONE && wanted->deduplicated && !wanted->sharded)
        status = akin_cli_deduplicated_check(request->reading[0].format, wanted->deduplicated);
    return status == AKIN_CLI_DONE ? check_format(arguments->value[FORMAT][0], wanted) : status;
}

static int check_strings_technique(const akin_cli_arguments *arguments, akin_cli_strings *strings)
{
    const char *technique = arguments->value[TECHNIQUE][0];
    akin_error error;
    if (technique && akin_match_technique_parse(technique, &strings->technique, &error) != AKIN_OK)
        return akin_cli_fail(&error);
    return AKIN_CLI_DONE;
}

static int check_technique(const akin_cli_arguments *arguments, akin_cli_wanted *wanted)
{
    akin_join_options *join = &wanted->sets;
    akin_papers_join_options *papers = &wanted->papers;
    const char *technique = arguments->value[TECHNIQUE][0], *text = arguments->value[BITS][0];
    const char *block = arguments->value[BLOCK][0];
    const char *filter = arguments->value[FILTER][0], *sharing = arguments->value[SHARING][0];
    int filtering = AKIN_AUTO, shared = AKIN_SHARING_AUTO;
    uint64_t bits = 0, sets = 0;
    akin_error error;
    akin_match_technique of_strings;
    if (technique && akin_technique_parse(akin_papers(), technique, &join->technique, &error) != AKIN_OK)
        return akin_match_technique_parse(technique, &of_strings, NULL) == AKIN_OK
                   ? akin_cli_refuse(
                         "--technique %s joins strings: leave it out, or ask for --levenshtein or --similarity",
                         technique)
                   : akin_cli_fail(&error);
    if (text && (!akin_cli_read_u64(text, 64, 2048, &bits) || (bits & (bits - 1)) != 0))
        return akin_cli_refuse("--bits %s: expected 64, 128, 256, 512, 1024 or 2048", akin_cli_word(text));
    if (block && !akin_cli_read_u64(block, 1, 65536, &sets))
        return akin_cli_refuse("--block %s: expected a whole number from 1 to 65536", akin_cli_word(block));
    if (filter && strcmp(filter, options[FILTER].other) == 0)
        filter = NULL;
    if (akin_cli_option_take(&options[FILTER], filter, &filtering) != AKIN_CLI_DONE ||
        akin_cli_option_take(&options[SHARING], sharing, &shared) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    *papers = (akin_papers_join_options)AKIN_PAPERS_JOIN_OPTIONS_INIT;
    papers->filter = (akin_technique)filtering;
    papers->sharing = (akin_sharing)shared;
    papers->block = (uint32_t)sets;
    join->bits = (uint32_t)bits;
    join->annex = block || filtering != AKIN_AUTO || shared != AKIN_SHARING_AUTO ? papers : NULL;
    return AKIN_CLI_DONE;
}

/* What the device lacks, or one collection, is refused before anything is opened, so that the answer is the same where
 * it is not there. */
static int check_join_device(const akin_cli_wanted *wanted, int is_self, const char *device)
{
    akin_error error;
    akin_status status = wanted->strings.wanted
                             ? akin_cli_strings_check_device(&wanted->strings, device, &error)
                             : akin_join_check(akin_papers(), device, &wanted->sets, is_self, &error);
    return status == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

static void take_resources(const akin_cli_arguments *arguments, join_request *request)
{
    request->resources = (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                              .skip_bad = arguments->value[SKIP_BAD][0],
                                              .bad = arguments->value[BAD][0],
                                              .memory = arguments->value[MEMORY][0],
                                              .device = arguments->value[DEVICE][0],
                                              .device_memory = arguments->value[DEVICE_MEMORY][0],
                                              .opener = arguments->opener,
                                              .saver = arguments->saver,
                                              .replaces = arguments->value[REPLACE][0] != NULL};
    request->reading[0].keep_lines = request->reading[1].keep_lines =
        request->resources.memory != NULL; /* a row may not fit */
}

/* Reads the right table, which must have what the left one lacks of the columns that are shown. */
static akin_status read_right(akin_cli_job *job, const join_request *request, const akin_cli_stop_words *words,
                              akin_dictionary *dictionary, const akin_cli_source *left, akin_cli_source *right,
                              akin_error *error)
{
    akin_cli_reading reading = request->reading[1];
    reading.show_optional = akin_cli_show_optional(&request->wanted.show, 1, left);
    akin_status status =
        akin_cli_source_read(job, &reading, request->right, request->wanted.format, words, dictionary, right, error);
    if (status == AKIN_E_OPTION && akin_cli_place_of(reading.on, reading.on_count, error->column) == reading.on_count &&
        (!reading.id || strcmp(reading.id, error->column) != 0))
        akin_cli_show_advise(&request->wanted.show, request->left, error);
    return status;
}

/* Reads, joins and writes. */
static akin_status run_join_request(akin_cli_job *job, const join_request *request, akin_cli_report *report,
                                    double *seconds_read, akin_error *error)
{
    akin_cli_source left = {0}, right = {0};
    akin_cli_results results;
    akin_cli_stop_words words = {0};
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_cli_results_open(job, &request->wanted, &results, error);
    if (status != AKIN_OK)
        return status;
    double begun = akin_cli_clock();
    if (!request->wanted.strings.wanted)
        status = akin_dictionary_create(job->context, &dictionary, error);
    if (status == AKIN_OK)
        status =
            akin_cli_stop_words_read(job, request->reading[0].stop_words, request->reading[0].lossy, &words, error);
    if (status == AKIN_OK)
        status = akin_cli_source_read(job, &request->reading[0], request->left, request->wanted.format, &words,
                                      dictionary, &left, error);
    if (status == AKIN_OK && request->right)
        status = read_right(job, request, &words, dictionary, &left, &right, error);
    akin_cli_stop_words_clear(&words);
    akin_dictionary_free(dictionary);
    *seconds_read = akin_cli_clock() - begun;
    if (status == AKIN_OK)
        status = akin_cli_results_join(&results, job, &left, request->right ? &right : NULL, report, error);
    akin_cli_progress_clear(&job->progress);
    status = akin_cli_results_close(&results, job, status, error);
    if (status == AKIN_OK)
        akin_cli_source_warn(&request->reading[0], request->left, &left);
    if (status == AKIN_OK && request->right)
        akin_cli_source_warn(&request->reading[1], request->right, &right);
    akin_cli_source_clear(&left);
    akin_cli_source_clear(&right);
    return status;
}

static int check_join(const akin_cli_arguments *arguments, join_request *request)
{
    int status = check_files(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_strings(arguments);
    if (status == AKIN_CLI_DONE)
        status = check_folding(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_reading(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_top(arguments, &request->wanted);
    if (status == AKIN_CLI_DONE)
        status = check_measure(arguments, &request->wanted);
    if (status == AKIN_CLI_DONE)
        status = check_jaro(arguments, &request->wanted.strings);
    request->wanted.strings.compare.folds = request->folds;
    if (status == AKIN_CLI_DONE)
        status = check_join_output(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = request->wanted.strings.wanted ? check_strings_technique(arguments, &request->wanted.strings)
                                                : check_technique(arguments, &request->wanted);
    take_resources(arguments, request);
    return status == AKIN_CLI_DONE
               ? check_join_device(&request->wanted, request->right == NULL, request->resources.device)
               : status;
}

static int run_join(const akin_cli_arguments *arguments)
{
    join_request request = {.wanted.sets = AKIN_JOIN_OPTIONS_INIT};
    akin_cli_job job;
    akin_error error;
    akin_cli_report report = {.strings.size = sizeof report.strings};
    double seconds_read = 0;
    int status = check_join(arguments, &request), strings = request.wanted.strings.wanted;
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &request.resources, request.quiet, &error);
        if (done == AKIN_OK && !strings)
            akin_cli_calibration_use(job.context);
        if (done == AKIN_OK)
            done = run_join_request(&job, &request, &report, &seconds_read, &error);
        status = akin_cli_job_end(&job, done, &error);
        if (status == AKIN_CLI_DONE && request.explain && strings)
            akin_cli_explain_strings(&request.wanted.strings, &report.strings, seconds_read);
        else if (status == AKIN_CLI_DONE && request.explain)
            akin_cli_explain(report.sets, request.wanted.sets.top, seconds_read);
    }
    akin_join_report_free(report.sets);
    akin_cli_show_clear(&request.wanted.show);
    free(request.options);
    akin_cli_reading_clear(&request.reading[0]);
    akin_cli_reading_clear(&request.reading[1]);
    return status;
}

const akin_cli_command akin_cli_join = {
    .name = "join",
    .summary = "find the pairs of similar rows, in one file or between two",
    .usage = "FILE [FILE2] MEASURE [OPTION...]",
    .about =
        "Finds every pair of similar rows in FILE, or with FILE2 every pair of a row of\n"
        "FILE (left) and a row of FILE2 (right). FILE may also be a folder, a pattern in\n"
        "quotes such as 'shards/*.csv', or @LIST, a file with a name in each line.\n"
        "\n"
        "A row is a set of tokens: words or parts of words of a text, or token ids. With\n"
        "--levenshtein or --similarity a row is a string, compared character by\n"
        "character: a column, several columns with blanks between, or a line of text.\n"
        "Case and accents count, unless you give --ignore-case or --fold. The output\n"
        "shows strings as they are in the input.\n"
        "\n"
        "The answer is exact. akin writes a pair if and only if the pair reaches the\n"
        "threshold. It compares integers, so it also writes a pair exactly on the\n"
        "threshold. An empty row and a null have no partners. Rows are numbered from 0.\n"
        "Pairs are sorted by left row, then by right row. Within one file, each pair\n"
        "appears once, and the left row number is smaller than the right one.\n"
        "\n"
        "T is a number above 0 and at most 1, such as 0.8 or 2/3. N is a whole number\n"
        "above 0. D is a whole number of 0 or more.\n",
    .notes =
        "Examples:\n"
        "  akin join notes.txt --tokens words --jaccard 0.8 -o pairs.csv\n"
        "      the pairs of lines that share 80 % of their words\n"
        "  akin join corpus.jsonl.zst --on text --jaccard 0.8 --deduplicated one.jsonl\n"
        "      the pairs, and one document of each cluster of near-duplicates\n"
        "  akin join corpus.jsonl.zst --on text --jaccard 0.8 --clusters -o clusters.csv\n"
        "      each document with its cluster of near-duplicates\n"
        "  akin join products.csv --on name,maker --id sku --tokens qgrams:3 --cosine 0.9\n"
        "      products whose names and makers are written alike, by their sku\n"
        "  akin join names.txt --levenshtein 2\n"
        "      the lines that are at most two edits apart\n"
        "  akin join left.csv right.csv --on name --similarity jaro-winkler:0.92\n"
        "      similar names of two files\n"
        "  akin join names.txt --levenshtein 1 --fold all\n"
        "      the lines that are at most one edit apart, once they are folded\n"
        "  akin join names.csv list.txt --on name=text --similarity jaro-winkler \\\n"
        "        --top 3 --show name=text --digits 3\n"
        "      for each name the three most similar lines of the list, with their values\n"
        "  akin join staff.csv payroll.csv --left-on name --right-on employee --jaccard 0.8\n"
        "      two files whose columns have different names\n"
        "  zcat baskets.txt.gz | akin join - --dice 0.9 --count --explain\n"
        "      the number of pairs of similar sets of ids, and how akin found them\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_join,
};
