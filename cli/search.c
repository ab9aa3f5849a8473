/* akin search: the objects of an index that have the most in common with queries, or are nearest to them. */
#include "search.h"
#include "shown.h"

#include <stdlib.h>
#include <string.h>

#include "job_file.h"
#include "number.h"
#include "path.h"
#include "truth.h"
#include "writer.h"

#define ALL_VECTORS "all" /* of --rerank */

enum {
    TOP,
    MEASURE,
    LEAST,
    CANDIDATES,
    ONE_ROUND,
    WITHIN,
    RERANK,
    TOLERANCE,
    WEIGHT,
    QUERY,
    ON,
    ID,
    INPUT,
    TABLE,
    SQL,
    LOSSY,
    SKIP_BAD,
    BAD,
    OUTPUT,
    FORMAT,
    SAFE_CSV,
    REPLACE,
    SYNC,
    SHOW,
    INDEXED,
    DIGITS,
    TRUTH,
    TECHNIQUE,
    LOAD_BALANCE,
    EXPLAIN,
    VERIFY,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    LIMITS,
    JOB,
    SAVE_JOB,
    ALLOW_PATHS,
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
                 .help = "sets and documents: rank by {} (default: count)",
                 .choices = "measures",
                 .capabilities = AKIN_FOR_SEARCH,
                 .other = COUNT},
    [LEAST] = {.name = "least",
               .argument = "N",
               .help = "leave out objects with a count below N (default: 0,\n"
                       "which gives K objects if the index has as many)"},
    [CANDIDATES] = {.name = "candidates",
                    .argument = "K",
                    .help = "strings with n-grams: first compare the K strings\n"
                            "that have the most n-grams in common with the query.\n"
                            "If this does not prove the answer, compare others.\n"
                            "Trees: with --one-round, compare at most K"},
    [ONE_ROUND] =
        {.name = "one-round",
         .help = "strings and trees: compare only the first K. An answer without a proof has the certificate none, and "
                 "may be wrong"},
    [WITHIN] = {.name = "within",
                .argument = "N",
                .help = "trees: find only those at most N edits away (default: any). Up to 16 is fast"},
    [RERANK] =
        {.name = "rerank",
         .argument = "N",
         .help =
             "vectors: take the N vectors on which the most hash functions agree, compare them with the query, "
             "and find the nearest; at least the K of --top. all, or as many as the index has: the answer is exact"},
    [TOLERANCE] =
        {.name = "tolerance",
         .argument = "N",
         .help = "rows: a number matches numbers in its own interval and in the N intervals on either side (default: "
                 "50)"},
    [WEIGHT] = {.name = "weight",
                .argument = "COLUMN=N",
                .help = "rows: how much a column counts (default: 1); may be\n"
                        "given for several columns",
                .repeated = 1},
    [QUERY] = {.heading = "Queries",
               .name = "query",
               .argument = "TEXT",
               .help = AKIN_CLI_QUERY_HELP ". Not for rows, vectors and signatures",
               .repeated = 1},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help = "the columns of the query in a table, as A,B. For rows: the columns of the index with these names "
                    "(default: all)"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "the column with the ids of the queries (default: row\n"
                    "numbers)"},
    [INPUT] = {.name = "input",
               .argument = "LAYOUT",
               .choices = "table-formats matrix-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "the format of QUERIES: {table-formats:read}; for matrices "
                       "{matrix-formats:read} (default: by the name of QUERIES, else text, with a query in each line)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [LOSSY] = {AKIN_CLI_READING_LOSSY},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [OUTPUT] = {.heading = "Results",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .written = 1,
                .help = "write to FILE, which appears whole or not at all\n"
                        "(default: -, standard output)"},
    [FORMAT] = {.name = "format",
                .argument = "FORMAT",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "{} (default: by the name of FILE, "
                        "else csv)"},
    [SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [SHOW] = {.name = "show", .argument = "COLUMNS", .help = AKIN_CLI_SHOW_QUERIES_HELP},
    [INDEXED] = {AKIN_CLI_INDEXED_OPTION},
    [DIGITS] = {.name = "digits", .argument = "N", .help = AKIN_CLI_DIGITS_HELP},
    [TRUTH] = {.name = "truth",
               .argument = "FILE",
               .help =
                   "the known nearest objects of each query. akin prints on standard error the share of them that it "
                   "found, and how much farther away its answers are"},
    [TECHNIQUE] = {.heading = "Running",
                   .name = "technique",
                   .argument = "HOW",
                   .help = "{} (default: auto). "
                           "Only to reproduce a paper: {search-techniques:paper}. See 'akin help search-techniques'",
                   .choices = "search-techniques"},
    [LOAD_BALANCE] = {.name = "load-balance", .help = "split long lists on a GPU, as in the paper"},
    [EXPLAIN] = {.name = "explain", .help = "print on standard error what akin chose and did"},
    [VERIFY] = {AKIN_CLI_JOB_VERIFY},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap for reading, at least 16M (default: none). The index is mapped, and only "
                        "its tables count. " AKIN_CLI_JOB_SIZES},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "auto, cpu, cuda or cuda:N (default: auto, a GPU if akin predicts that it is faster)"},
    [DEVICE_MEMORY] = {AKIN_CLI_JOB_DEVICE_MEMORY},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

static int check_search_output(const akin_cli_arguments *arguments, akin_cli_search_request *request)
{
    request->output = arguments->value[OUTPUT][0] ? arguments->value[OUTPUT][0] : "-";
    if (arguments->value[SHOW][0] && akin_cli_split_columns("show", arguments->value[SHOW][0], &request->show_words,
                                                            request->show, &request->show_count) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    int status = akin_cli_indexed_check(arguments, INDEXED, request->queries, request->output, &request->indexed);
    if (status != AKIN_CLI_DONE)
        return status;
    if (request->indexed.count > 0 && request->show_count == 0)
        return akin_cli_missing(&options[SHOW], "the columns of the --indexed file that results show");
    request->indexed.lossy = arguments->value[LOSSY][0] != NULL;
    request->shown[0] = arguments->value[OUTPUT][0];
    request->shown[1] = arguments->value[FORMAT][0];
    if (akin_cli_check_digits(arguments->value[DIGITS][0], akin_cli_screen_wanted(request->shown[0], request->shown[1]),
                              &request->digits) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (akin_cli_path_same(request->index, request->output) ||
        (request->queries && akin_cli_path_same(request->queries, request->output)))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    if (akin_cli_format_check(&options[FORMAT], arguments->value[FORMAT][0], request->output, "results",
                              &request->format) != AKIN_CLI_DONE ||
        akin_cli_safe_check(arguments->value[SAFE_CSV][0], request->output, &request->format) != AKIN_CLI_DONE)
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
    const char *within = arguments->value[WITHIN][0];
    const akin_choice *row = NULL;
    uint64_t count = 0, compared = 0, reranked = 0, edits = UINT32_MAX, k = request->search.k,
             bins = request->search.tolerance;
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
    if (within && !akin_cli_read_u64(within, 0, UINT32_MAX - 1, &edits))
        return akin_cli_refuse("--within %s: expected a whole number from 0 to 4294967294", akin_cli_word(within));
    if (rerank && strcmp(rerank, ALL_VECTORS) == 0)
        reranked = UINT32_MAX;
    else if (rerank && !akin_cli_read_u64(rerank, 1, UINT32_MAX, &reranked))
        return akin_cli_refuse("--rerank %s: expected a whole number from 1 to 4294967295, or the word all",
                               akin_cli_word(rerank));
    if (arguments->value[ONE_ROUND][0] && !candidates)
        return akin_cli_missing(&options[CANDIDATES], "--one-round is for candidates");
    request->papers.load_balance = arguments->value[LOAD_BALANCE][0] != NULL;
    request->search.annex = request->papers.load_balance ? &request->papers : NULL;
    request->search.least = (uint32_t)count;
    request->search.candidates = (uint32_t)compared;
    request->search.within = (uint32_t)edits;
    request->search.rerank = (uint32_t)reranked;
    request->search.one_round = arguments->value[ONE_ROUND][0] != NULL;
    request->search.k = (uint32_t)k;
    request->search.tolerance = (uint32_t)bins;
    request->tolerance = tolerance != NULL;
    request->explain = arguments->value[EXPLAIN][0] != NULL;
    return take_weights(arguments, request);
}

static int check_search_request(const akin_cli_arguments *arguments, akin_cli_search_request *request)
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
    if (arguments->value[INDEXED][0]) /* is read by --lossy, too */
        given[sizeof given / sizeof *given - 1] = NULL;
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
    return status == AKIN_CLI_DONE ? check_search_output(arguments, request) : status;
}

static int run_search(const akin_cli_arguments *arguments)
{
    akin_cli_search_request request = {.search = AKIN_SEARCH_OPTIONS_INIT, .papers = AKIN_PAPERS_SEARCH_OPTIONS_INIT};
    const akin_cli_resources resources = {.threads = arguments->value[THREADS][0],
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
                                          .sync = arguments->value[SYNC][0] != NULL,
                                          .verify = arguments->value[VERIFY][0] != NULL};
    akin_cli_job job;
    akin_error error;
    int refused = AKIN_CLI_DONE, status = check_search_request(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = akin_cli_search_run(&job, &request, &refused, &error);
        status = akin_cli_job_end(&job, done, &error);
    }
    free(request.show_words);
    akin_cli_indexed_clear(&request.indexed);
    return refused != AKIN_CLI_DONE ? refused : status;
}

const akin_cli_command akin_cli_search = {
    .name = "search",
    .summary = "find the objects of an index that are most similar to queries",
    .usage =
        "INDEX QUERIES [OPTION...]\n"
        "       akin search INDEX --query TEXT [OPTION...]",
    .about =
        "Finds the K best objects of INDEX for each query of QUERIES. 'akin index' makes\n"
        "INDEX. The best objects have the most keywords in common with the query. The\n"
        "best strings and trees are the nearest by edit distance. The best documents by\n"
        "bm25 have the highest scores. The best objects come first, and equal objects in\n"
        "the order of their rows.\n"
        "\n"
        "The answer is exact, with two exceptions. Hash functions find vectors, so the\n"
        "vectors found are only probably the nearest, unless --rerank all compares all of\n"
        "them. With --one-round, answers for strings and trees may be wrong. The column\n"
        "certificate shows which answers are proven.\n"
        "\n"
        "INDEX must not change meanwhile: if it does, the search ends with an error and\n"
        "a file of -o keeps its old content.\n",
    .notes =
        "Queries:\n"
        "  of sets        lines of token ids\n"
        "  of documents, of bm25\n"
        "                 texts, cut into tokens in the same way as the index\n"
        "  of rows        rows of a table. A field is a value; in a column of numbers a\n"
        "                 number, which matches within --tolerance, or a range such as\n"
        "                 [20,30], [20,] or [,30]. An empty field matches nothing\n"
        "  of strings     strings\n"
        "  of trees       trees, in the format of the index\n"
        "  of vectors, of signatures\n"
        "                 a matrix with as many columns as the index\n"
        "\n"
        "Columns of results, after query, rank and id:\n"
        "  sets, documents, rows\n"
        "                 count, or similarity with --measure\n"
        "  bm25           score\n"
        "  strings, trees distance, certificate\n"
        "  vectors, sets by MinHash\n"
        "                 count, similarity, distance\n"
        "  signatures     count, similarity\n"
        "\n"
        "In jsonl each line is an object with these keys. The similarity of vectors is\n"
        "the share of the functions that agree. The distance is an estimate from this\n"
        "share, or with --rerank the true distance.\n"
        "\n"
        "Known nearest objects (--truth):\n"
        "  .ivecs, .npy   a row for each query: the rows of its neighbours, the nearest\n"
        "                 first, at least K\n"
        "  .tsv, .csv, .jsonl\n"
        "                 a table with the columns query, rank, and row or id, numbered\n"
        "                 from 0, and for strings distance, as akin search writes it\n"
        "\n"
        "Certificates of strings and trees:\n"
        "  by scan        akin compared every object, or ruled it out by a bound\n"
        "  by count       no other string has enough n-grams in common to be as near, or\n"
        "                 no other tree shares a rare node as it would have to\n"
        "  none           no proof: there may be nearer objects\n"
        "\n"
        "Examples:\n"
        "  akin index titles.txt --kind documents -o titles.akin\n"
        "  akin search titles.akin questions.txt -k 5\n"
        "  akin search titles.akin questions.txt --measure jaccard -k 5\n"
        "  akin search titles.akin --query 'red boats' --query 'green boats'\n"
        "  akin search images.akin asked.fvecs --rerank 100 --truth nearest.ivecs\n"
        "  akin search pages.akin asked.txt --within 10\n"
        "  akin search people.akin asked.csv --id number --tolerance 20 -o alike.csv\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_search,
};
