/* akin search: the objects of an index that have the most in common with queries, or are nearest to them. */
#include "search.h"
#include "shown.h"

#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "path.h"
#include "truth.h"

enum {
    TOP,
    MEASURE,
    LEAST,
    CANDIDATES,
    ONE_ROUND,
    RERANK,
    ON,
    ID,
    INPUT,
    LOSSY,
    QUERY,
    TOLERANCE,
    WEIGHT,
    OUTPUT,
    FORMAT,
    SHOW,
    DIGITS,
    TRUTH,
    TECHNIQUE,
    LOAD_BALANCE,
    EXPLAIN,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    OPTION_COUNT
};

#define COUNT "count" /* what no measure says */

static const akin_cli_option options[OPTION_COUNT] = {
    [TOP] = {.heading = "What is found",
             .name = "top",
             .letter = 'k',
             .argument = "K",
             .help = "find at most K objects for each query (default: 10)"},
    [MEASURE] = {.name = "measure",
                 .argument = "MEASURE",
                 .help = "of sets and documents: {}; count is the default",
                 .choices = "measures",
                 .capabilities = AKIN_FOR_SEARCH,
                 .other = COUNT},
    [LEAST] = {.name = "least",
               .argument = "N",
               .help = "leave out what counts less; 0 if not given, so that\n"
                       "there are K objects if the index has as many"},
    [CANDIDATES] = {.name = "candidates",
                    .argument = "K",
                    .help = "of strings with n-grams: compare those K first that\n"
                            "have the most in common, and others where it is not\n"
                            "proven that these are the nearest"},
    [ONE_ROUND] = {.name = "one-round",
                   .help = "compare no others: what is not proven may be wrong,\n"
                           "and the results say so"},
    [RERANK] = {.name = "rerank",
                .argument = "N",
                .help = "of vectors: compare those N, or K if that is more, on\n"
                        "which most hash functions agree, and find the nearest\n"
                        "of them"},
    [TOLERANCE] = {.name = "tolerance",
                   .argument = "BINS",
                   .help = "of rows: intervals on either side of a number's that\n"
                           "count as well (50)"},
    [WEIGHT] = {.name = "weight",
                .argument = "COLUMN=N",
                .help = "of rows: how much a column counts, 1 if not given; it\n"
                        "may be given for several columns",
                .repeated = 1},
    [QUERY] = {.heading = "Queries",
               .name = "query",
               .argument = "TEXT",
               .help = AKIN_CLI_QUERY_HELP "; not of rows, vectors and\nsignatures",
               .repeated = 1},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help = "columns of a table that are the query, as A,B; of\n"
                    "rows all if not given, told by their names"},
    [ID] = {.name = "id", .argument = "COLUMN", .help = "the column that names queries; else they are rows"},
    [INPUT] = {.name = "input",
               .argument = "LAYOUT",
               .choices = "table-formats matrix-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "{table-formats:read}; of matrices {matrix-formats:read}; if not given,\n"
                       "what the name of QUERIES ends in, else text, a query a\n"
                       "line"},
    [LOSSY] = {.name = "lossy", .help = "read what is not UTF-8 as U+FFFD"},
    [OUTPUT] = {.heading = "Results",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .help = "write to FILE, which appears whole or not at all;\n"
                        "standard output if it is - or not given"},
    [FORMAT] = {.name = "format",
                .argument = "FORMAT",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "{}; if not given, what the name of FILE\n"
                        "ends in, else csv"},
    [SHOW] = {.name = "show", .argument = "COLUMNS", .help = AKIN_CLI_SHOW_QUERIES_HELP},
    [DIGITS] = {.name = "digits", .argument = "N", .help = AKIN_CLI_DIGITS_HELP},
    [TRUTH] = {.name = "truth",
               .argument = "FILE",
               .help = "the nearest that are known, by their rows: tell on\n"
                       "stderr the share of them that was found, and how much\n"
                       "farther away the others are"},
    [TECHNIQUE] = {.heading = "Running",
                   .name = "technique",
                   .argument = "HOW",
                   .help = "{} (default: auto).\n"
                           "{search-techniques:paper} are there to be compared with.\n"
                           "See 'akin help search-techniques'",
                   .choices = "search-techniques"},
    [LOAD_BALANCE] = {.name = "load-balance", .help = "split long lists on a GPU, as in the paper"},
    [EXPLAIN] = {.name = "explain", .help = "tell on stderr what was chosen and done"},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "show no progress"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "threads to use; as many as there are if not given"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "bound of what reading takes of the heap, at least 16M;\n"
                        "the index is mapped and not in it"},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "cpu, cuda, cuda:N, or auto (the default): a GPU\n"
                        "where that is predicted to be faster"},
    [DEVICE_MEMORY] = {.name = "device-memory",
                       .argument = "SIZE",
                       .help = "the most that a GPU may hold, at least 16M; if not\n"
                               "given, 15/16 of what is free there"},
};

static int check_output(const akin_cli_arguments *arguments, akin_cli_search_request *request)
{
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : "-";
    if (arguments->value[SHOW][0] && akin_cli_split_columns("show", arguments->value[SHOW][0], &request->show_words,
                                                            request->show, &request->show_count) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (akin_cli_check_digits(arguments->value[DIGITS][0], &request->digits) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    request->shown[0] = arguments->value[OUTPUT][0];
    request->shown[1] = arguments->value[FORMAT][0];
    if (akin_cli_path_same(request->index, request->output) ||
        (request->queries && akin_cli_path_same(request->queries, request->output)))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    if (akin_cli_format_check(&options[FORMAT], arguments->value[FORMAT][0], request->output, "results",
                              &request->format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    request->truth = arguments->value[TRUTH][0];
    if (request->truth && akin_cli_path_same(request->truth, request->output))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    if (request->truth && akin_cli_truth_check(request->truth) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    return akin_cli_path_check_output("output", request->output);
}

static int check_measure(const char *measure, akin_cli_search_request *request)
{
    const akin_choice *row;
    if (strcmp(measure, COUNT) == 0)
        return AKIN_CLI_DONE;
    int status = akin_cli_option_choose(&options[MEASURE], measure, &row);
    if (status == AKIN_CLI_DONE)
        request->search.measure = (akin_measure)row->value;
    return status;
}

static int take_weights(const akin_cli_arguments *arguments, akin_cli_search_request *request)
{
    const char *weight;
    for (int at = 0; (weight = akin_cli_repeated_next(arguments, WEIGHT, NULL, &at)); request->weight_count++) {
        if (request->weight_count == AKIN_CLI_WEIGHTS)
            return akin_cli_refuse("option --weight is given too often: expected it at most %d times",
                                   AKIN_CLI_WEIGHTS);
        request->weights[request->weight_count] = weight;
    }
    return AKIN_CLI_DONE;
}

static int check_search(const akin_cli_arguments *arguments, akin_cli_search_request *request)
{
    const char *top = arguments->value[TOP][0], *tolerance = arguments->value[TOLERANCE][0];
    const char *technique = arguments->value[TECHNIQUE][0], *least = arguments->value[LEAST][0];
    const char *candidates = arguments->value[CANDIDATES][0], *rerank = arguments->value[RERANK][0];
    const akin_choice *row = NULL;
    uint64_t count = 0, compared = 0, reranked = 0, k = request->search.k, bins = request->search.tolerance;
    if (top && !akin_cli_read_u64(top, 1, UINT32_MAX, &k))
        return akin_cli_refuse("--top %s: expected a whole number from 1 to 4294967295", akin_cli_word(top));
    if (tolerance && !akin_cli_read_u64(tolerance, 0, UINT32_MAX, &bins))
        return akin_cli_refuse("--tolerance %s: expected a whole number from 0 to 4294967295",
                               akin_cli_word(tolerance));
    if (technique && akin_cli_option_choose(&options[TECHNIQUE], technique, &row) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (technique)
        request->search.technique = (akin_search_technique)row->value;
    if (least && !akin_cli_read_u64(least, 0, UINT32_MAX, &count))
        return akin_cli_refuse("--least %s: expected a whole number from 0 to 4294967295", akin_cli_word(least));
    if (candidates && !akin_cli_read_u64(candidates, 1, UINT32_MAX, &compared))
        return akin_cli_refuse("--candidates %s: expected a whole number from 1 to 4294967295",
                               akin_cli_word(candidates));
    if (rerank && !akin_cli_read_u64(rerank, 1, UINT32_MAX, &reranked))
        return akin_cli_refuse("--rerank %s: expected a whole number from 1 to 4294967295", akin_cli_word(rerank));
    if (arguments->value[ONE_ROUND][0] && !candidates)
        return akin_cli_refuse("--one-round: is of candidates: expected --candidates K");
    request->search.load_balance = arguments->value[LOAD_BALANCE][0] != NULL;
    request->search.least = (uint32_t)count;
    request->search.candidates = (uint32_t)compared;
    request->search.rerank = (uint32_t)reranked;
    request->search.one_round = arguments->value[ONE_ROUND][0] != NULL;
    request->search.k = (uint32_t)k;
    request->search.tolerance = (uint32_t)bins;
    request->tolerance = tolerance != NULL;
    request->explain = arguments->value[EXPLAIN][0] != NULL;
    return take_weights(arguments, request);
}

static int check(const akin_cli_arguments *arguments, akin_cli_search_request *request)
{
    const char *input = arguments->value[INPUT][0];
    const akin_choice *row;
    static const int of_files[] = {ON, ID, INPUT, LOSSY};
    const char *given[sizeof of_files / sizeof *of_files];
    if (akin_cli_typed_operands(arguments, QUERY, "search", "INDEX", &request->queries) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    request->index = arguments->operands[0];
    request->arguments = arguments;
    request->query_option = QUERY;
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
        given[i] = arguments->value[of_files[i]][0] && !request->queries ? options[of_files[i]].name : NULL;
    if (akin_cli_typed_check(given, sizeof given / sizeof *given) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (input && akin_cli_option_choose(&options[INPUT], input, &row) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    request->words = (akin_cli_searched_words){.input = input,
                                               .on = arguments->value[ON][0],
                                               .id = arguments->value[ID][0],
                                               .lossy = arguments->value[LOSSY][0],
                                               .purpose = "searched for"};
    int status = check_search(arguments, request);
    if (status == AKIN_CLI_DONE && arguments->value[MEASURE][0])
        status = check_measure(arguments->value[MEASURE][0], request);
    return status == AKIN_CLI_DONE ? check_output(arguments, request) : status;
}

static int run(const akin_cli_arguments *arguments)
{
    akin_cli_search_request request = {.search = AKIN_SEARCH_OPTIONS_INIT};
    const akin_cli_resources resources = {.threads = arguments->value[THREADS][0],
                                          .memory = arguments->value[MEMORY][0],
                                          .device = arguments->value[DEVICE][0],
                                          .device_memory = arguments->value[DEVICE_MEMORY][0]};
    akin_cli_job job;
    akin_error error;
    int refused = AKIN_CLI_DONE, status = check(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = akin_cli_search_run(&job, &request, &refused, &error);
        status = akin_cli_job_end(&job, done, &error);
    }
    free(request.show_words);
    return refused != AKIN_CLI_DONE ? refused : status;
}

const akin_cli_command akin_cli_search = {
    .name = "search",
    .summary = "find the objects of an index that are most like queries",
    .usage =
        "INDEX QUERIES [OPTION...]\n"
        "       akin search INDEX --query TEXT [OPTION...]",
    .about =
        "Finds, for each query of QUERIES, the objects of INDEX, made by 'akin index',\n"
        "that have the most keywords in common with it, or of strings the nearest by\n"
        "edit distance, or of bm25 the documents of the highest score: best first, ties\n"
        "by row. Exact, unless --one-round is given; but that vectors have the most hash\n"
        "functions in common tells only approximately that they are the nearest.\n",
    .notes =
        "Queries:\n"
        "  of sets       lines of token ids\n"
        "  of documents  texts, cut as those of the index were\n"
        "  of rows       rows of a table: a value, or of a column with numbers a number,\n"
        "                which stands for its interval and --tolerance intervals on either\n"
        "                side, or a range, as [20,30], [20,] or [,30]. An empty field asks\n"
        "                for nothing\n"
        "  of strings    strings\n"
        "  of bm25       texts, cut as those of the index were\n"
        "  of vectors    a matrix of as many columns; of signatures likewise\n"
        "\n"
        "Formats of results:\n"
        "  csv, tsv      columns query, rank, id and count, or similarity if --measure is\n"
        "                given; of bm25 query, rank, id and score; of strings query, rank,\n"
        "                id, distance and certificate; of vectors and sets by MinHash query,\n"
        "                rank, id, count, similarity, the share of functions that agree, and\n"
        "                distance, which that tells of, or with --rerank the true one; of\n"
        "                signatures all of these but that\n"
        "  jsonl         lines of JSON objects with these keys\n"
        "\n"
        "Neighbours that are known (--truth):\n"
        "  .ivecs, .npy  a row for each query: the rows of its neighbours, the nearest\n"
        "                first, K at least\n"
        "  .tsv, .csv, .jsonl\n"
        "                a table with columns query, rank and row, or id, numbers from 0 on,\n"
        "                and of strings distance; as akin search writes it\n"
        "\n"
        "Certificates of strings:\n"
        "  by scan       every string was compared, or ruled out by a bound\n"
        "  by count      no other one has n-grams enough in common to be as near\n"
        "  none          neither: there may be nearer ones\n"
        "\n"
        "Examples:\n"
        "  akin index titles.txt --kind documents -o titles.akin\n"
        "  akin search titles.akin questions.txt -k 5\n"
        "  akin search titles.akin questions.txt --measure jaccard -k 5\n"
        "  akin search titles.akin --query 'red boats' --query 'green boats'\n"
        "  akin search images.akin asked.fvecs --rerank 100 --truth nearest.ivecs\n"
        "  akin search people.akin asked.csv --id number --tolerance 20 -o alike.csv\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
