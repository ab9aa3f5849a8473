/* The request of akin join: what its command line says, checked. */
#include "join.h"

#include <stdlib.h>
#include <string.h>

#include "comparator.h"
#include "folding.h"
#include "join_options.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "sides.h"
#include "threshold.h"

/* The option for which strings are wanted, or NULL. */
static const char *string_option(const akin_cli_arguments *arguments)
{
    return arguments->value[LEVENSHTEIN][0]   ? akin_cli_join.options[LEVENSHTEIN].name
           : arguments->value[SIMILARITY][0]  ? akin_cli_join.options[SIMILARITY].name
           : arguments->value[TREE_EDITS][0]  ? akin_cli_join.options[TREE_EDITS].name
           : arguments->value[GRAPH_EDITS][0] ? akin_cli_join.options[GRAPH_EDITS].name
                                              : NULL;
}

/* How Jaro's similarities are computed, which sets and edits have nothing of. */
static int check_jaro(const akin_cli_arguments *arguments, akin_cli_strings *strings)
{
    const akin_cli_jaro said = {.floored = arguments->value[FLOORED][0],
                                .prefix_scale = arguments->value[PREFIX_SCALE][0],
                                .boost_threshold = arguments->value[BOOST_THRESHOLD][0]};
    return akin_cli_jaro_check(&said,
                               strings->trees    ? "a join of trees"
                               : strings->graphs ? "a join of graphs"
                               : strings->wanted ? akin_cli_strings_name(strings)
                                                 : "a join of sets",
                               &akin_cli_join.options[SIMILARITY], &strings->compare);
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
    if (!text && arguments->value[TREE_EDITS][0] == akin_cli_lacking)
        return akin_cli_refuse("option --tree-edits needs an argument: --tree-edits K, or beside it --top N");
    return AKIN_CLI_DONE;
}

/* The measure and its threshold. */
static int check_measure(const akin_cli_arguments *arguments, akin_cli_wanted *wanted)
{
    const int given[] = {MEASURE, LEVENSHTEIN, SIMILARITY, TREE_EDITS, GRAPH_EDITS};
    const akin_cli_option *const measures[] = {&akin_cli_join.options[MEASURE],     &akin_cli_join.options[LEVENSHTEIN],
                                               &akin_cli_join.options[SIMILARITY],  &akin_cli_join.options[TREE_EDITS],
                                               &akin_cli_join.options[GRAPH_EDITS], NULL};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const char *const *value = arguments->value[given[i]], *own = akin_cli_join.options[given[i]].name;
        if (!value[0])
            continue;
        if (name)
            return akin_cli_refuse("--%s and --%s: expected only one of them", name, own);
        name = own ? own : value[1];
    }
    if (!name)
        return akin_cli_missing_all(measures,
                                    "what alike means, such as --jaccard 0.8 for sets or --levenshtein 2 for strings");
    if (arguments->value[TREE_EDITS][0])
        return akin_cli_strings_check_trees(arguments->value[TREE_EDITS][0], &akin_cli_join.options[TREE_FORMAT],
                                            arguments->value[TREE_FORMAT][0], wanted->sets.top, &wanted->strings);
    if (arguments->value[GRAPH_EDITS][0])
        return akin_cli_strings_check_graphs(arguments->value[GRAPH_EDITS][0], arguments->value[BUDGET][0],
                                             arguments->value[UNDECIDED][0] != NULL, &wanted->strings);
    if (string_option(arguments))
        return akin_cli_strings_check(arguments->value[LEVENSHTEIN][0], &akin_cli_join.options[SIMILARITY],
                                      arguments->value[SIMILARITY][0], wanted->sets.top, &wanted->strings);
    const akin_choice *measure = NULL;
    akin_error error;
    if (akin_choice_find("measures", name, &measure, &error) != AKIN_OK || !measure)
        return akin_cli_fail(&error);
    wanted->sets.measure = (akin_measure)measure->value;
    wanted->sets.threshold = (akin_ratio){0, 1};
    return arguments->value[MEASURE][0] == akin_cli_lacking
               ? AKIN_CLI_DONE
               : akin_cli_threshold_check(measure, arguments->value[MEASURE][0], &wanted->sets.threshold);
}

/* What strings are cleaned of, or whether tokens ignore case. */
static int check_folding(const akin_cli_arguments *arguments, akin_cli_join_request *request)
{
    const akin_cli_folding folding = {arguments->value[IGNORE_CASE][0], arguments->value[FOLD][0]};
    return string_option(arguments) ? akin_cli_folds_check(&folding, &request->folds)
                                    : akin_cli_folds_check_tokens(&folding, &request->token_fold);
}

/* Options that are for trees alone, or for graphs alone. */
static int check_structures(const akin_cli_arguments *arguments)
{
    static const struct {
        int option, measure;
        const char *what;
    } owned[] = {
        {TREE_FORMAT, TREE_EDITS, "trees"}, {BUDGET, GRAPH_EDITS, "graphs"}, {UNDECIDED, GRAPH_EDITS, "graphs"}};
    const akin_cli_option *options = akin_cli_join.options;
    int format;
    if (akin_cli_option_take(&options[TREE_FORMAT], arguments->value[TREE_FORMAT][0], &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        if (arguments->value[owned[i].option][0] && !arguments->value[owned[i].measure][0])
            return akin_cli_refuse("--%s: is for %s alone: expected --%s beside it", options[owned[i].option].name,
                                   owned[i].what, options[owned[i].measure].name);
    return AKIN_CLI_DONE;
}

/* Options that mean nothing to trees or graphs. */
static int check_others(const akin_cli_arguments *arguments)
{
    static const struct {
        int option, for_trees;
    } refused[] = {{IGNORE_CASE, 0}, {FOLD, 0}, {TECHNIQUE, 0}, {TOP, 1}};
    static const int pairs_alone[] = {COUNT, CLUSTERS, CLUSTERS_OF, DEDUPLICATED};
    const akin_cli_option *options = akin_cli_join.options;
    const int trees = arguments->value[TREE_EDITS][0] != NULL, graphs = arguments->value[GRAPH_EDITS][0] != NULL;
    for (size_t i = 0; i < sizeof refused / sizeof *refused && (trees || graphs); i++)
        if (arguments->value[refused[i].option][0] && (graphs || !refused[i].for_trees))
            return akin_cli_refuse("--%s and --%s: that is not for %s: leave out one of the two",
                                   options[trees ? TREE_EDITS : GRAPH_EDITS].name, options[refused[i].option].name,
                                   trees ? "trees" : "graphs");
    for (size_t i = 0; i < sizeof pairs_alone / sizeof *pairs_alone; i++)
        if (arguments->value[UNDECIDED][0] && arguments->value[pairs_alone[i]][0])
            return akin_cli_refuse(
                "--%s and --%s: undecided pairs are for lists of pairs alone: leave out one of the two",
                options[UNDECIDED].name, options[pairs_alone[i]].name);
    return AKIN_CLI_DONE;
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
            return akin_cli_refuse("--%s and --%s: %s: leave out one of the two", name,
                                   akin_cli_join.options[refused[i].option].name, refused[i].why);
    return AKIN_CLI_DONE;
}

static int check_files(const akin_cli_arguments *arguments, akin_cli_join_request *request)
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

static int check_reading(const akin_cli_arguments *arguments, akin_cli_join_request *request)
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
static int check_target(const akin_cli_join_request *request, const char *option, const char *path, const char *what)
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
static int check_format(const char *format, const char *safe, akin_cli_wanted *wanted)
{
    const akin_choice *saved = akin_cli_saved_of(wanted->output);
    if (format && wanted->count)
        return akin_cli_refuse("--count and --format: a number has no format");
    if (safe && (wanted->count || wanted->deduplicated))
        return wanted->count ? akin_cli_refuse("--count and --safe-csv: a number has no format")
                             : akin_cli_refuse(AKIN_CLI_SAFE_RECORDS);
    if (wanted->count && akin_cli_path_ends(wanted->output, ".akin"))
        return akin_cli_refuse("%s: a number is written as text, not as an .akin file", wanted->output);
    if (wanted->count)
        return saved ? akin_cli_refuse("%s: a number is written as text, not as %s", wanted->output, saved->name)
                     : AKIN_CLI_DONE;
    const int status =
        akin_cli_format_check(&akin_cli_join.options[FORMAT], format, wanted->output, written(wanted), &wanted->format);
    return status == AKIN_CLI_DONE ? akin_cli_safe_check(safe, wanted->output, &wanted->format) : status;
}

/* The columns that results show. */
static int check_show(const char *text, akin_cli_join_request *request)
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

static int check_join_output(const akin_cli_arguments *arguments, akin_cli_join_request *request)
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
                               akin_cli_join.options[arguments->value[CLUSTERS][0] ? CLUSTERS : CLUSTERS_OF].name);
    if (akin_cli_clusters_of(arguments->value[CLUSTERS_OF][0], &wanted->clusters_of) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (wanted->sets.top && (wanted->clusters || wanted->deduplicated))
        return akin_cli_refuse(
            "--top and --%s: every row has best partners, which need not be alike: leave out one of the two",
            akin_cli_join
                .options[arguments->value[CLUSTERS][0] ? CLUSTERS
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
    int status = check_target(request, akin_cli_join.options[OUTPUT].name, wanted->output, written(wanted));
    if (status == AKIN_CLI_DONE && wanted->deduplicated)
        status = check_target(request, akin_cli_join.options[DEDUPLICATED].name, wanted->deduplicated, "records");
    if (wanted->deduplicated && akin_path_has_files(request->left)) {
        wanted->sharded = request->left;
        if (status == AKIN_CLI_DONE)
            status = akin_cli_shards_options(&akin_cli_join, arguments, 0, &request->options);
        wanted->options = request->options;
        status = status == AKIN_CLI_DONE ? akin_cli_shards_check(&akin_cli_join, arguments, DEDUPLICATED) : status;
    }
    if (status == AKIN_CLI_DONE && wanted->deduplicated && !wanted->sharded)
        status = akin_cli_kept_check("deduplicated", request->reading[0].format, wanted->deduplicated);
    return status == AKIN_CLI_DONE ? check_format(arguments->value[FORMAT][0], arguments->value[SAFE_CSV][0], wanted)
                                   : status;
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
    if (filter && strcmp(filter, akin_cli_join.options[FILTER].other) == 0)
        filter = NULL;
    if (akin_cli_option_take(&akin_cli_join.options[FILTER], filter, &filtering) != AKIN_CLI_DONE ||
        akin_cli_option_take(&akin_cli_join.options[SHARING], sharing, &shared) != AKIN_CLI_DONE)
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

static void take_resources(const akin_cli_arguments *arguments, akin_cli_join_request *request)
{
    request->resources = (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                              .skip_bad = arguments->value[SKIP_BAD][0],
                                              .bad = arguments->value[BAD][0],
                                              .safe = arguments->value[SAFE_CSV][0] != NULL,
                                              .memory = arguments->value[MEMORY][0],
                                              .device = arguments->value[DEVICE][0],
                                              .device_memory = arguments->value[DEVICE_MEMORY][0],
                                              .arguments = arguments,
                                              .limits = LIMITS,
                                              .opener = arguments->opener,
                                              .saver = arguments->saver,
                                              .replaces = arguments->value[REPLACE][0] != NULL,
                                              .sync = arguments->value[SYNC][0] != NULL};
    request->resources.writes_pairs = !arguments->value[COUNT][0] && !arguments->value[CLUSTERS][0];
    /* a row may not fit, or be no tree, or no graph */
    request->reading[0].keep_lines = request->reading[1].keep_lines =
        request->resources.memory != NULL || request->wanted.strings.trees || request->wanted.strings.graphs;
}

/* A tree is one column, and so is a graph, where strings may be several. */
static int check_one_column(const akin_cli_join_request *request)
{
    const int trees = request->wanted.strings.trees, graphs = request->wanted.strings.graphs;
    for (int side = 0; side < 2 && (trees || graphs); side++)
        if (request->reading[side].on_count > 1)
            return akin_cli_refuse("--%s: expected one column, which has the %s, not %u",
                                   akin_cli_join.options[trees ? TREE_EDITS : GRAPH_EDITS].name,
                                   trees ? "trees" : "graphs", request->reading[side].on_count);
    return AKIN_CLI_DONE;
}

int akin_cli_join_check(const akin_cli_arguments *arguments, akin_cli_join_request *request)
{
    int status = check_files(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_strings(arguments);
    if (status == AKIN_CLI_DONE)
        status = check_structures(arguments);
    if (status == AKIN_CLI_DONE)
        status = check_others(arguments);
    if (status == AKIN_CLI_DONE)
        status = check_folding(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_reading(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_top(arguments, &request->wanted);
    if (status == AKIN_CLI_DONE)
        status = check_measure(arguments, &request->wanted);
    if (status == AKIN_CLI_DONE)
        status = check_one_column(request);
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

void akin_cli_join_request_clear(akin_cli_join_request *request)
{
    akin_cli_show_clear(&request->wanted.show);
    free(request->options);
    akin_cli_reading_clear(&request->reading[0]);
    akin_cli_reading_clear(&request->reading[1]);
}
