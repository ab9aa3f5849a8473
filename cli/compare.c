/* akin compare: how alike two strings are, or the rows of two columns. */
#include "compare.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "comparator.h"
#include "compare_graphs.h"
#include "compare_trees.h"
#include "compared.h"
#include "folding.h"
#include "job_file.h"
#include "number.h"
#include "path.h"
#include "sides.h"

enum {
    SCORER,
    DISTANCE,
    DIGITS,
    IGNORE_CASE,
    FOLD,
    FLOORED,
    PREFIX_SCALE,
    BOOST_THRESHOLD,
    TREE_FORMAT,
    MAPPING,
    BUDGET,
    FILES,
    MATRIX,
    INPUT,
    TABLE,
    SQL,
    ON,
    LEFT_ON,
    RIGHT_ON,
    CUTOFF,
    OUTPUT,
    FORMAT,
    SAFE_CSV,
    REPLACE,
    SYNC,
    QUIET,
    THREADS,
    LIMITS,
    JOB,
    SAVE_JOB,
    ALLOW_PATHS,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [SCORER] = {.heading = "Comparator",
                .name = "scorer",
                .argument = "COMPARATOR",
                .choices = "comparators",
                .capabilities = AKIN_FOR_COMPARE,
                .other = AKIN_CLI_TREE_EDITS " " AKIN_CLI_GRAPH_EDITS,
                .help = "{}; see below. N: runs of N characters in place of words. " AKIN_CLI_TREE_EDITS
                        ", " AKIN_CLI_GRAPH_EDITS ": the distance of two trees, or of two graphs"},
    [DISTANCE] = {.name = "distance",
                  .help =
                      "print the distance in place of the similarity: edits, the difference of numbers, days, or else "
                      "1 minus the similarity"},
    [DIGITS] = {.name = "digits", .argument = "N", .help = AKIN_CLI_DIGITS_HELP},
    [IGNORE_CASE] = {AKIN_CLI_IGNORE_CASE("ignore case")},
    [FOLD] = {AKIN_CLI_FOLD},
    [FLOORED] = {.name = "floored", .help = AKIN_CLI_JARO_FLOORED("compare")},
    [PREFIX_SCALE] = {.name = "prefix-scale", .argument = "S", .help = AKIN_CLI_JARO_PREFIX_SCALE("compare")},
    [BOOST_THRESHOLD] = {.name = "boost-threshold", .argument = "T", .help = AKIN_CLI_JARO_BOOST_THRESHOLD("compare")},
    [TREE_FORMAT] = {.heading = "Trees and graphs",
                     .name = "tree-format",
                     .argument = "FORMAT",
                     .choices = "tree-formats",
                     .help = "how a text is a tree: {} (default: brackets). 'akin help tree-formats' explains them"},
    [MAPPING] = {.name = "mapping",
                 .help = "also print the nodes of both trees, or the nodes and edges of both graphs, in a cheapest "
                         "mapping: - what is deleted, + what is inserted, ~ what is renamed"},
    [BUDGET] = {.name = "budget",
                .argument = "N",
                .help = "graphs: the most states of the search (default: 1000000). More are an error"},
    [FILES] = {.heading = "Files",
               .name = "files",
               .help = "compare the rows of two columns, of two files or of one",
               .files = 1},
    [MATRIX] = {.name = "matrix",
                .help =
                    "the same, but each row of the left column with each row of the right one. Needs --output "
                    "FILE.npy: an array of NumPy, 32-bit floats with a row for each row of the left column. Not with "
                    "--cutoff, --digits, --format or --safe-csv"},
    [INPUT] = {.name = "input",
               .argument = "FORMAT",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "{} (default: by the ending of the name, else text)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [ON] = {.name = "on",
            .argument = "COLUMN",
            .help = "the column to compare, or LEFT=RIGHT. Quote a name that has a comma or an equals sign, as in CSV"},
    [LEFT_ON] = {.name = "left-on", .argument = "COLUMN", .help = "the left column, if the right one has another name"},
    [RIGHT_ON] = {.name = "right-on", .argument = "COLUMN", .help = "the right column: of FILE2, or else of FILE"},
    [CUTOFF] = {.name = "cutoff",
                .argument = "T",
                .help = "write 0 for a similarity below T, and no distance. This is faster"},
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .argument = "FILE",
                .written = 1,
                .help = "write to FILE, which appears whole or not at all (default: standard output)"},
    [FORMAT] = {.name = "format",
                .argument = "FORMAT",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "{} (default: by the ending of the output's name, else csv)"},
    [SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

/* ---------------------------------------------------------------------------------------------------------- options */

static int check_comparator(const akin_cli_arguments *arguments, akin_cli_compare_request *request)
{
    akin_compare_options *compare = &request->compare;
    const char *name = arguments->value[SCORER][0];
    const akin_choice *row = NULL;
    akin_error error;
    if (!name)
        return akin_cli_missing(&options[SCORER],
                                "how the values are compared, such as levenshtein; see 'akin compare --help'");
    compare->size = sizeof *compare;
    if (akin_compare_options_parse(name, compare, &error) != AKIN_OK)
        return error.reason == AKIN_REASON_UNKNOWN_CHOICE ? akin_cli_option_choose(&options[SCORER], name, &row)
                                                          : akin_cli_fail(&error);
    request->distance = arguments->value[DISTANCE][0] != NULL;
    if (akin_cli_check_digits(arguments->value[DIGITS][0], 0, &request->digits) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    const akin_cli_folding folding = {arguments->value[IGNORE_CASE][0], arguments->value[FOLD][0]};
    if (akin_cli_folds_check(&folding, &compare->folds) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    const akin_cli_jaro said = {.floored = arguments->value[FLOORED][0],
                                .prefix_scale = arguments->value[PREFIX_SCALE][0],
                                .boost_threshold = arguments->value[BOOST_THRESHOLD][0]};
    return akin_cli_jaro_check(&said, name, &options[SCORER], compare);
}

/* Whether an option is one of two trees, or of two graphs. */
static int is_of_structures(int option, int trees, int graphs)
{
    return (option == TREE_FORMAT && trees) || (option == MAPPING && (trees || graphs)) || (option == BUDGET && graphs);
}

/* Two trees, or two graphs: how they are read, and whether their mapping is printed. */
static int check_structures(const akin_cli_arguments *arguments, akin_cli_compare_request *request)
{
    int format = AKIN_TREE_BRACKETS;
    const char *name = arguments->value[SCORER][0], *budget = arguments->value[BUDGET][0];
    request->trees = name && strcmp(name, AKIN_CLI_TREE_EDITS) == 0;
    request->graphs = name && strcmp(name, AKIN_CLI_GRAPH_EDITS) == 0;
    request->budget = AKIN_GRAPHS_BUDGET;
    request->mapping = arguments->value[MAPPING][0] != NULL;
    if (akin_cli_option_take(&options[TREE_FORMAT], arguments->value[TREE_FORMAT][0], &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (int option = SCORER + 1; option < OPTION_COUNT; option++) {
        const int is_own = is_of_structures(option, 1, 1), structures = request->trees || request->graphs,
                  is_any = option == LIMITS || option == JOB || option == SAVE_JOB || option == ALLOW_PATHS;
        if (!arguments->value[option][0] || is_any || (!is_own && !structures) ||
            is_of_structures(option, request->trees, request->graphs))
            continue;
        if (structures)
            return akin_cli_refuse("--%s is not for %s: leave it out", options[option].name,
                                   request->trees ? "trees" : "graphs");
        return akin_cli_refuse("--%s is for %s", options[option].name,
                               option == BUDGET        ? "graphs: expected --scorer " AKIN_CLI_GRAPH_EDITS
                               : option == TREE_FORMAT ? "trees: expected --scorer " AKIN_CLI_TREE_EDITS
                                                       : "trees and graphs: expected --scorer " AKIN_CLI_TREE_EDITS
                                                         " or --scorer " AKIN_CLI_GRAPH_EDITS);
    }
    if (budget && !akin_cli_read_u64(budget, 1, UINT64_MAX, &request->budget))
        return akin_cli_refuse("--budget %s: expected a whole number above 0, of states", akin_cli_word(budget));
    request->tree_format = (akin_tree_format)format;
    return AKIN_CLI_DONE;
}

static int check_operands(const akin_cli_arguments *arguments, akin_cli_compare_request *request)
{
    request->matrix = arguments->value[MATRIX][0] != NULL;
    request->files = request->matrix || arguments->value[FILES][0] != NULL;
    const int least = request->files ? 1 : 2;
    if (arguments->operand_count < least || arguments->operand_count > 2)
        return akin_cli_refuse("expected %s, not %d: akin compare %s",
                               request->files ? "one file or two" : "two strings", arguments->operand_count,
                               request->files ? "--files FILE [FILE2]" : "A B");
    for (int option = FILES + 1; option < OPTION_COUNT && !request->files; option++)
        if (option != LIMITS && arguments->value[option][0])
            return akin_cli_missing(&options[FILES], "--%s is for files", options[option].name);
    const char *const *sides = arguments->operands;
    if (!request->files && !arguments->dashes && access(sides[0], R_OK) == 0 && access(sides[1], R_OK) == 0)
        return akin_cli_refuse(
            "%s and %s are files: --files compares what is in them, line by line; to compare the two names "
            "write -- before them",
            sides[0], sides[1]);
    for (int side = 0; side < 2; side++) {
        request->sides[side] = sides[side < arguments->operand_count ? side : 0];
        if (request->files && !*request->sides[side])
            return akin_cli_refuse("expected the name of a file, not an empty word");
    }
    request->once = request->files && strcmp(request->sides[0], request->sides[1]) == 0;
    return AKIN_CLI_DONE;
}

/* Whether a file is text, one way or the other: -1: nobody says. */
static int is_text(const char *input, const char *path)
{
    akin_format told;
    if (input)
        return akin_cli_table_format_parse(input, &told) && !akin_cli_has_columns(told);
    return akin_format_of_name(path, &told, NULL) == AKIN_OK ? !akin_cli_has_columns(told) : -1;
}

/* How each file is to be read. Of plain text, the other file being a table, --on says nothing. */
static int check_reading(const akin_cli_arguments *arguments, akin_cli_compare_request *request)
{
    const akin_cli_sides sides = {.on = arguments->value[ON][0],
                                  .left_on = arguments->value[LEFT_ON][0],
                                  .right_on = arguments->value[RIGHT_ON][0]};
    const char *input = arguments->value[INPUT][0];
    akin_cli_reading_words both[2] = {{.input = input, .single = 1}, {.input = input, .single = 1}};
    akin_format told;
    int status = input ? akin_cli_option_format(&options[INPUT], input, &told) : AKIN_CLI_DONE;
    if (status == AKIN_CLI_DONE)
        status = akin_cli_sides_check(&sides, 1, both);
    for (int side = 0; side < 2 && status == AKIN_CLI_DONE; side++) {
        int text = is_text(input, request->sides[side]);
        akin_cli_reading *reading = &request->reading[side];
        akin_cli_reading_words words = both[side];
        if (sides.on && text == 1 && is_text(input, request->sides[!side]) == 0)
            words.on = NULL;
        if (text != 0 && !words.on)
            words.input = input ? input : "text";
        status = akin_cli_reading_check(&words, request->sides[side], reading);
        if (status == AKIN_CLI_DONE && reading->on_count > 1)
            return akin_cli_refuse("--%s %s: expected one column, or LEFT=RIGHT", words.on_option, words.on);
    }
    if (status == AKIN_CLI_DONE && arguments->operand_count == 1 && !request->matrix &&
        akin_cli_compare_is_same(request))
        return akin_cli_refuse(
            "%s: each value would be compared with itself: name two columns, as in --on a=b, or two files",
            request->sides[0]);
    return status;
}

/* A matrix is an array of NumPy, and nothing else. */
static int check_matrix(const akin_cli_arguments *arguments, akin_cli_compare_request *request)
{
    static const int others[] = {CUTOFF, DIGITS, FORMAT, SAFE_CSV};
    const char *output = arguments->value[OUTPUT][0], *ending = output ? strrchr(output, '.') : NULL;
    if (!request->matrix)
        return AKIN_CLI_DONE;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (arguments->value[others[i]][0])
            return akin_cli_refuse("--%s is not for --matrix: leave it out", options[others[i]].name);
    if (!output)
        return akin_cli_missing(&options[OUTPUT], "a .npy file for the matrix");
    if (!akin_cli_path_is_stdin(output) && (!ending || strcmp(ending, ".npy") != 0))
        return akin_cli_refuse("--matrix writes an array of NumPy: expected --output FILE.npy, not %s", output);
    return AKIN_CLI_DONE;
}

static int check_compare_output(const akin_cli_arguments *arguments, akin_cli_compare_request *request)
{
    const char *output = arguments->value[OUTPUT][0];
    request->output = output ? output : "-";
    for (int side = 0; side < 2; side++)
        if (akin_cli_path_same(request->sides[side], request->output))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    int status = akin_cli_path_check_output("output", request->output);
    if (status != AKIN_CLI_DONE || request->matrix)
        return status;
    status = akin_cli_format_check(&options[FORMAT], arguments->value[FORMAT][0], request->output, "scores",
                                   &request->format);
    return status == AKIN_CLI_DONE
               ? akin_cli_safe_check(arguments->value[SAFE_CSV][0], request->output, &request->format)
               : status;
}

static int check_compare(const akin_cli_arguments *arguments, akin_cli_compare_request *request)
{
    int status = check_structures(arguments, request);
    if (status == AKIN_CLI_DONE && !request->trees && !request->graphs)
        status = check_comparator(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_operands(arguments, request);
    if (status != AKIN_CLI_DONE || !request->files)
        return status;
    request->quiet = arguments->value[QUIET][0] != NULL;
    request->resources = (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                              .arguments = arguments,
                                              .limits = LIMITS,
                                              .opener = arguments->opener,
                                              .saver = arguments->saver,
                                              .replaces = arguments->value[REPLACE][0] != NULL,
                                              .sync = arguments->value[SYNC][0] != NULL};
    request->has_cutoff = arguments->value[CUTOFF][0] != NULL;
    status = akin_cli_ratio_check("cutoff", arguments->value[CUTOFF][0], (akin_ratio){1, 1}, "1", &request->cutoff);
    if (status == AKIN_CLI_DONE)
        status = check_reading(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_matrix(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_compare_output(arguments, request);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- strings */

static akin_status warn_of_strings(akin_context *context, const akin_cli_compare_request *request, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        const uint64_t offsets[2] = {0, strlen(request->sides[side])};
        const akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = request->sides[side]};
        status = akin_cli_compare_warn(context, request, &column, 1, NULL, error);
    }
    return status;
}

static akin_status compare_strings(const akin_cli_compare_request *request, akin_error *error)
{
    const akin_context_options single = {.size = sizeof single, .threads = 1, .device = "cpu"};
    const char *a = request->sides[0], *b = request->sides[1];
    akin_context *context = NULL;
    akin_compared compared;
    char text[AKIN_CLI_NUMBER];
    akin_status status = akin_cli_context_create(&single, &context, error);
    if (status == AKIN_OK)
        status = akin_compare(context, &request->compare, a, strlen(a), b, strlen(b), &compared, error);
    if (status == AKIN_OK) {
        akin_cli_compared_format(text, &compared, request->distance, request->digits);
        puts(text);
        status = warn_of_strings(context, request, error);
    }
    akin_context_free(context);
    return status;
}

static akin_status compare_two(const akin_cli_compare_request *request, akin_error *error)
{
    return request->trees    ? akin_cli_compare_trees(request->sides, request->tree_format, request->mapping, error)
           : request->graphs ? akin_cli_compare_graphs(request->sides, request->budget, request->mapping, error)
                             : compare_strings(request, error);
}

static int run_compare(const akin_cli_arguments *arguments)
{
    akin_cli_compare_request request = {.sides = {"", ""}};
    akin_error error;
    int status = check_compare(arguments, &request);
    if (status == AKIN_CLI_DONE && request.files)
        status = akin_cli_compare_files(&request);
    else if (status == AKIN_CLI_DONE)
        status = compare_two(&request, &error) == AKIN_OK ? akin_cli_flush() : akin_cli_fail(&error);
    akin_cli_reading_clear(&request.reading[0]);
    akin_cli_reading_clear(&request.reading[1]);
    return status;
}

const akin_cli_command akin_cli_compare = {
    .name = "compare",
    .summary = "print how alike two strings are, or the rows of two columns",
    .usage = "--scorer COMPARATOR (A B | --files|--matrix FILE [FILE2]) [OPTION...]",
    .about =
        "Prints the similarity of A and B, from 0 to 1. With --files it compares the\n"
        "first row of FILE with the first row of FILE2, and so on, and writes the number\n"
        "and the similarity of each row. With --matrix it compares all rows of FILE with\n"
        "all rows of FILE2. To find the pairs that are alike, akin join is faster.\n"
        "Without FILE2 both columns are of FILE, which is read once.\n"
        "\n"
        "A character is a code point of Unicode. Strings are compared as they stand,\n"
        "unless --ignore-case or --fold is given. Words and runs of characters are always\n"
        "normalised. For a value that cannot be compared, such as text where a number is\n"
        "expected, akin writes an empty line or field, or null in JSON.\n",
    .notes =
        "Comparators:\n"
        "{comparators:compare}\n"
        "Dates are YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD.\n"
        "\n"
        "Examples:\n"
        "  akin compare MARTHA MARHTA --scorer jaro-winkler\n"
        "  akin compare --scorer levenshtein --distance kitten sitting\n"
        "  akin compare --scorer number/10 -- -5 -7\n"
        "      put operands that begin with a dash after --\n"
        "  akin compare --scorer tree-edits --mapping '{a{b}{c}}' '{a{c{d}}}'\n"
        "      the distance of two trees, and what becomes of each node\n"
        "  akin compare --scorer graph-edits --mapping 'C C O; 0-1 1-2' 'C C N; 0-1 1-2'\n"
        "      the distance of two graphs, and what becomes of each node and edge\n"
        "  akin compare --files a.csv b.csv --on name --scorer jaro-winkler -o alike.csv\n"
        "  akin compare --files ab.csv --left-on a --right-on b --scorer osa --cutoff 0.8\n"
        "      two columns of one file\n"
        "  akin compare --matrix a.csv b.csv --on name --scorer jaro-winkler -o alike.npy\n"
        "      all pairs of rows, for numpy.load\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_compare,
};
