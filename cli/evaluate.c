/* akin evaluate: how good pairs are, against those that are known to be right. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "id_pairs.h"
#include "job_file.h"
#include "number.h"
#include "path.h"
#include "reading.h"

enum {
    LINKED,
    CLOSED,
    BOOTSTRAP,
    SEED,
    CURVE,
    SIMILARITY,
    TREC,
    INPUT,
    TABLE,
    SQL,
    QUIET,
    MEMORY,
    LIMITS,
    JOB,
    SAVE_JOB,
    ALLOW_PATHS,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [LINKED] = {.heading = "Pairs",
                .name = "linked",
                .help = "left and right ids are of two tables: 1,2 is not 2,1,\n"
                        "and 1,1 is a pair. Clusters with a column side do\n"
                        "not need it"},
    [CLOSED] = {.name = "closed",
                .help = "compare the closures of both files: two ids are a\n"
                        "pair if a chain of pairs connects them, that is, if\n"
                        "they are in one cluster. 'akin dedupe --gold' calls\n"
                        "the results closed precision, recall and F1"},
    [BOOTSTRAP] = {.name = "bootstrap",
                   .argument = "N",
                   .help = "print the ends of a 95 % interval after each result\n"
                           "of pairs and of B-cubed, from N resamples of the\n"
                           "clusters of GOLD-FILE: at least 40, such as 1000"},
    [SEED] = {.name = "seed",
              .argument = "N",
              .help = "for --bootstrap: the same seed draws the same clusters\n"
                      "(default: 1)"},
    [CURVE] = {.name = "curve",
               .help = "print a table, as CSV, of the results at each\n"
                       "threshold 0, 0.01, ... 1"},
    [SIMILARITY] = {.name = "similarity",
                    .argument = "COLUMN",
                    .help = "for --curve: the column of PAIRS-FILE with the\n"
                            "similarities (default: similarity)"},
    [TREC] = {.heading = "Rankings",
              .name = "trec",
              .help = "the files are a ranking and relevance judgements, in\n"
                      "TREC's formats for runs and qrels"},
    [INPUT] = {.heading = "Files",
               .name = "input",
               .argument = "TABLE",
               .choices = "table-formats",
               .capabilities = AKIN_HAS_COLUMNS,
               .help = "{} (default: as each file's name\n"
                       "ends, else csv)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [QUIET] = {.name = "quiet", .letter = 'q', .help = "show no progress"},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the memory, such as 2G; at least 16M (default: no limit). " AKIN_CLI_JOB_SIZES},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

enum { PAIRS, GOLD };

#define TIMES_MOST 1000000 /* resamples */

/* The request of the command line. */
typedef struct evaluate_request {
    const char *paths[2];
    akin_format formats[2];
    const char *similarity;
    akin_cli_resources resources;
    int curve, trec, quiet;
    akin_evaluate_options how;
} evaluate_request;

/* ---------------------------------------------------------------------------------------------------------- options */

/* Rankings have none of the options of pairs. */
static int check_trec(const akin_cli_arguments *arguments)
{
    for (int option = 0; option < OPTION_COUNT; option++)
        if (option != TREC && option != QUIET && option != MEMORY && option != LIMITS && arguments->value[option][0])
            return akin_cli_refuse("--trec and --%s: that is of pairs, not of rankings", options[option].name);
    return AKIN_CLI_DONE;
}

/* What a file of TREC's formats holds. */
typedef enum trec { TREC_NONE, TREC_RUN, TREC_JUDGEMENTS } trec;

/* Recognises the kind of file by its first line: of a run, "1 Q0 d7 1 9.5 akin", or of judgements, "1 0 d7 1". A pipe
 * cannot be read twice, so its kind stays unknown. */
static trec trec_of(const char *path)
{
    char line[1024], fields[6][256], more[2];
    FILE *file = akin_cli_path_is_regular(path) ? fopen(path, "r") : NULL;
    if (!file)
        return TREC_NONE;
    const int has_line = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    const int count = has_line ? sscanf(line, "%255s %255s %255s %255s %255s %255s %1s", fields[0], fields[1],
                                        fields[2], fields[3], fields[4], fields[5], more)
                               : 0;
    double number;
    if (count == 6 && strcmp(fields[1], "Q0") == 0)
        return TREC_RUN;
    return count == 4 && !strchr(line, ',') && akin_cli_read_double(fields[1], &number) &&
                   akin_cli_read_double(fields[3], &number)
               ? TREC_JUDGEMENTS
               : TREC_NONE;
}

/* Refuses files of TREC's formats that were not announced as such, or that stand in the wrong order. */
static int check_kinds(const evaluate_request *request, int is_told)
{
    const char *pairs = request->paths[PAIRS], *gold = request->paths[GOLD];
    const trec kinds[2] = {trec_of(pairs), trec_of(gold)};
    const int swapped = kinds[PAIRS] == TREC_JUDGEMENTS && kinds[GOLD] == TREC_RUN;
    if (swapped)
        return akin_cli_refuse("%s holds judgements and %s a run: write akin evaluate --trec %s %s", pairs, gold, gold,
                               pairs);
    for (int which = PAIRS; which <= GOLD && !request->trec && !is_told; which++)
        if (kinds[which] != TREC_NONE)
            return akin_cli_refuse("%s: is of TREC's format, a run or judgements: write akin evaluate --trec %s %s",
                                   request->paths[which], pairs, gold);
    return AKIN_CLI_DONE;
}

static int check_bootstrap(const akin_cli_arguments *arguments, evaluate_request *request)
{
    const char *times = arguments->value[BOOTSTRAP][0], *seed = arguments->value[SEED][0];
    uint64_t number = 0;
    if (times && arguments->value[CURVE][0])
        return akin_cli_refuse("--bootstrap and --curve: a curve has no intervals");
    if (times && !akin_cli_read_u64(times, AKIN_BOOTSTRAP_LEAST, TIMES_MOST, &number))
        return akin_cli_refuse("--bootstrap %s: expected a whole number from %d to %d", times, AKIN_BOOTSTRAP_LEAST,
                               TIMES_MOST);
    if (seed && !times)
        return akin_cli_missing(&options[BOOTSTRAP], "--seed is for --bootstrap");
    if (seed && !akin_cli_read_u64(seed, 0, UINT64_MAX, &request->how.seed))
        return akin_cli_refuse("--seed %s: expected a whole number from 0 to %" PRIu64, seed, UINT64_MAX);
    request->how.bootstrap = (uint32_t)number;
    return AKIN_CLI_DONE;
}

static int check_evaluate(const akin_cli_arguments *arguments, evaluate_request *request)
{
    const char *input = arguments->value[INPUT][0];
    akin_format format = AKIN_FORMAT_AUTO;
    request->trec = arguments->value[TREC][0] != NULL;
    if (request->trec && check_trec(arguments) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (input && akin_cli_option_format(&options[INPUT], input, &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (check_bootstrap(arguments, request) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (arguments->value[SIMILARITY][0] && !arguments->value[CURVE][0])
        return akin_cli_missing(&options[CURVE], "--similarity is for a curve");
    if (arguments->operand_count != 2)
        return akin_cli_refuse("expected two files, not %d: akin evaluate PAIRS-FILE GOLD-FILE",
                               arguments->operand_count);
    request->paths[PAIRS] = arguments->operands[PAIRS];
    request->paths[GOLD] = arguments->operands[GOLD];
    if (check_kinds(request, input != NULL) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (int which = PAIRS; which <= GOLD; which++) {
        int status = request->trec ? AKIN_CLI_DONE
                                   : akin_cli_id_pairs_format(format, request->paths[which], &request->formats[which]);
        if (status != AKIN_CLI_DONE)
            return status;
    }
    if (akin_cli_path_is_stdin(request->paths[PAIRS]) && akin_cli_path_is_stdin(request->paths[GOLD]))
        return akin_cli_refuse("%s and %s: standard input can be read only once", request->paths[PAIRS],
                               request->paths[GOLD]);
    request->how.linked = arguments->value[LINKED][0] != NULL;
    request->how.related = 1;
    request->how.closed = arguments->value[CLOSED][0] != NULL;
    request->curve = arguments->value[CURVE][0] != NULL;
    request->similarity = arguments->value[SIMILARITY][0] ? arguments->value[SIMILARITY][0] : "similarity";
    request->quiet = arguments->value[QUIET][0] != NULL;
    request->resources = (akin_cli_resources){
        .memory = arguments->value[MEMORY][0], .arguments = arguments, .limits = LIMITS, .opener = arguments->opener};
    return AKIN_CLI_DONE;
}

/* ---------------------------------------------------------------------------------------------------------- results */

/* Prints precision, recall and F1, each with the ends of its interval, if there are any. */
static void print_quality(const char *prefix, const akin_quality *quality, const akin_quality *low,
                          const akin_quality *high)
{
    const double ratios[] = {quality->precision, quality->recall, quality->f1};
    const double lows[] = {low ? low->precision : 0, low ? low->recall : 0, low ? low->f1 : 0};
    const double highs[] = {low ? high->precision : 0, low ? high->recall : 0, low ? high->f1 : 0};
    static const char *const names[] = {"precision", "recall", "f1"};
    char text[AKIN_CLI_PLAIN];
    for (int i = 0; i < 3; i++) {
        printf("%s%s %s", prefix, names[i], akin_cli_format_plain(text, ratios[i]));
        if (low)
            printf(" %s", akin_cli_format_plain(text, lows[i]));
        if (low)
            printf(" %s", akin_cli_format_plain(text, highs[i]));
        putchar('\n');
    }
}

static void print_evaluation(const akin_cluster_evaluation *found, int with_intervals)
{
    const akin_evaluation *pairs = &found->pairs;
    const akin_quality quality = {pairs->precision, pairs->recall, pairs->f1};
    print_quality("", &quality, with_intervals ? &found->pairs_low : NULL, &found->pairs_high);
    printf("pairs %" PRIu64 "\ngold %" PRIu64 "\nboth %" PRIu64 "\n", pairs->pairs, pairs->gold, pairs->both);
    print_quality("bcubed-", &found->bcubed, with_intervals ? &found->bcubed_low : NULL, &found->bcubed_high);
    printf("records %" PRIu64 "\n", found->records);
    print_quality("cluster-", &found->clusters, NULL, NULL);
    printf("found-clusters %" PRIu64 "\ngold-clusters %" PRIu64 "\nboth-clusters %" PRIu64 "\n", found->found_clusters,
           found->gold_clusters, found->both_clusters);
}

static void print_curve(const akin_evaluation curve[AKIN_CURVE_POINTS])
{
    puts("threshold,pairs,both,precision,recall,f1");
    for (int point = 0; point < AKIN_CURVE_POINTS; point++) {
        const akin_evaluation *found = &curve[point];
        const double ratios[] = {found->precision, found->recall, found->f1};
        char text[AKIN_CLI_PLAIN];
        printf("%s,%" PRIu64 ",%" PRIu64, akin_cli_format_plain(text, point / 100.0), found->pairs, found->both);
        for (int i = 0; i < 3; i++)
            printf(",%s", akin_cli_format_plain(text, ratios[i]));
        putchar('\n');
    }
}

static akin_status evaluate_trec(akin_cli_job *job, const evaluate_request *request, akin_error *error)
{
    akin_trec_evaluation found = {.size = sizeof found};
    akin_status status = akin_evaluate_trec(job->context, request->paths[PAIRS], request->paths[GOLD], &found, error);
    akin_cli_progress_clear(&job->progress);
    if (status != AKIN_OK)
        return status;
    const double ratios[] = {found.ndcg_10, found.map, found.p_10, found.r_100, found.mrr};
    static const char *const names[] = {"ndcg@10", "map", "p@10", "r@100", "mrr"};
    char text[AKIN_CLI_PLAIN];
    for (int i = 0; i < 5; i++)
        printf("%s %s\n", names[i], akin_cli_format_plain(text, ratios[i]));
    printf("queries %" PRIu32 "\nanswered %" PRIu32 "\nfound %" PRIu64 "\nrelevant %" PRIu64 "\n", found.queries,
           found.answered, found.found, found.relevant);
    return AKIN_OK;
}

static int is_whole(const char *name)
{
    return *name && strspn(name, "0123456789") == strlen(name);
}

/* Warns of a file without pairs, or whose header looks like a pair. */
static void warn_of_file(const akin_cli_id_pairs *file)
{
    const char *const names[2] = {file->ids[0].name, file->ids[1].name};
    const int has_header = names[0] && names[1] && !file->are_clusters;
    if (file->rows == 0)
        akin_cli_warn("%s: has no pairs%s", akin_cli_path_name(file->path),
                      has_header ? "; its first line is taken for a header" : "");
    else if (has_header && is_whole(names[0]) && is_whole(names[1]))
        akin_cli_warn("%s: its first line, '%s' and '%s', is taken for a header: write one, such as left,right",
                      akin_cli_path_name(file->path), names[0], names[1]);
}

/* Receives what akin_evaluate_warn says. */
static void warn_of_equal(void *user, const char *text)
{
    (void)user;
    akin_cli_warn("%s: if left and right ids are of two tables, add --linked", text);
}

/* Receives what akin_evaluate_warn_swapped says, and what akin_evaluate_warn_apart says: the columns may be others than
 * ids. */
static void warn_of_swapped(void *user, const char *text)
{
    *(int *)user = 1;
    akin_cli_warn("%s", text);
}

static void warn_of_apart(void *user, const char *text)
{
    (void)user;
    akin_cli_warn("%s: ids are in the first two columns, and a table of clusters needs a column 'cluster'", text);
}

/* Warns of files whose evaluation says little. */
static akin_status warn_of_pairs(akin_cli_job *job, const akin_cli_id_pairs files[2], const akin_evaluate_options *how,
                                 const akin_evaluation *found, akin_error *error)
{
    const akin_cli_id_pairs *pairs = &files[PAIRS], *gold = &files[GOLD];
    int are_swapped = 0;
    for (int which = PAIRS; which <= GOLD; which++)
        warn_of_file(&files[which]);
    akin_evaluate_warn(pairs->ids, pairs->rows, gold->ids, gold->rows, how, warn_of_equal, NULL);
    akin_status status = akin_evaluate_warn_swapped(job->context, pairs->ids, pairs->rows, gold->ids, gold->rows, how,
                                                    found, warn_of_swapped, &are_swapped, error);
    if (status == AKIN_OK && !are_swapped)
        akin_evaluate_warn_apart(pairs->ids, pairs->rows, gold->ids, gold->rows, found, warn_of_apart, NULL);
    return status;
}

/* Reads both files. Clusters of two tables make the pairs those of two tables, too. */
static akin_status read_files(akin_cli_job *job, const evaluate_request *request, akin_cli_id_pairs files[2],
                              akin_evaluate_options *how, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int which = PAIRS; which <= GOLD && status == AKIN_OK; which++)
        status =
            akin_cli_id_pairs_read(job, request->paths[which], request->formats[which],
                                   which == PAIRS && request->curve ? request->similarity : NULL, &files[which], error);
    how->linked |= (uint32_t)(files[PAIRS].have_sides || files[GOLD].have_sides);
    for (int which = PAIRS; which <= GOLD && status == AKIN_OK && how->linked; which++)
        status = akin_cli_id_pairs_check_sides(&files[which], error);
    return status;
}

/* Evaluates the pairs of both files, and what they have of clusters. */
static akin_status evaluate_clusters(akin_cli_job *job, const akin_cli_id_pairs files[2],
                                     const akin_evaluate_options *how, akin_cluster_evaluation *out, akin_error *error)
{
    const akin_cli_id_pairs *pairs = &files[PAIRS], *gold = &files[GOLD];
    akin_evaluate_options options = *how;
    akin_column records[2] = {{0}, {0}};
    akin_status status = akin_cli_id_pairs_records(files, records, options.record_rows, error);
    for (int side = 0; side < 2; side++)
        options.records[side] = &records[side];
    if (status == AKIN_OK)
        status =
            akin_evaluate_clusters(job->context, pairs->ids, pairs->rows, gold->ids, gold->rows, &options, out, error);
    for (int side = 0; side < 2; side++) {
        free((void *)records[side].offsets);
        free((void *)records[side].bytes);
    }
    return status;
}

static akin_status evaluate_files(akin_cli_job *job, const evaluate_request *request, akin_error *error)
{
    akin_cli_id_pairs files[2] = {{0}, {0}};
    const akin_cli_id_pairs *pairs = &files[PAIRS], *gold = &files[GOLD];
    akin_evaluate_options how = request->how;
    akin_cluster_evaluation found = {.size = sizeof found};
    akin_evaluation curve[AKIN_CURVE_POINTS];
    akin_status status = read_files(job, request, files, &how, error);
    if (status == AKIN_OK && request->curve)
        status = akin_evaluate_curve(job->context, pairs->ids, pairs->similarities, pairs->rows, gold->ids, gold->rows,
                                     &how, curve, error);
    else if (status == AKIN_OK)
        status = evaluate_clusters(job, files, &how, &found, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = warn_of_pairs(job, files, &how, request->curve ? &curve[0] : &found.pairs, error);
    if (status == AKIN_OK && request->curve)
        print_curve(curve);
    else if (status == AKIN_OK)
        print_evaluation(&found, how.bootstrap > 0);
    akin_cli_id_pairs_clear(&files[PAIRS]);
    akin_cli_id_pairs_clear(&files[GOLD]);
    return status;
}

static int run_evaluate(const akin_cli_arguments *arguments)
{
    evaluate_request request = {.how = AKIN_EVALUATE_OPTIONS_INIT};
    akin_cli_job job;
    akin_error error;
    int status = check_evaluate(arguments, &request);
    if (status != AKIN_CLI_DONE)
        return status;
    akin_status done = akin_cli_job_begin(&job, &request.resources, request.quiet, &error);
    if (done == AKIN_OK)
        done = request.trec ? evaluate_trec(&job, &request, &error) : evaluate_files(&job, &request, &error);
    status = akin_cli_job_end(&job, done, &error);
    return status == AKIN_CLI_DONE ? akin_cli_flush() : status;
}

const akin_cli_command akin_cli_evaluate = {
    .name = "evaluate",
    .summary = "measure the quality of pairs or of a ranking",
    .usage = "PAIRS-FILE GOLD-FILE [OPTION...]",
    .about =
        "Compares the pairs of PAIRS-FILE with the pairs of GOLD-FILE, which are known to\n"
        "be right, and prints precision, recall and F1: of pairs, of records by B-cubed,\n"
        "and of clusters. Both files are tables whose first two columns are ids, such as\n"
        "the output of akin join. Ids are compared byte by byte. Either id of a pair may\n"
        "come first. A repeated pair counts once. A pair of an id with itself does not\n"
        "count, and is reported (see --linked).\n"
        "\n"
        "A file with the columns id,cluster has clusters, such as the output of akin\n"
        "dedupe. Every two rows of a cluster are a pair. In the output of akin link, with\n"
        "side,id,cluster, every left row and right row of a cluster are a pair.\n",
    .notes =
        "Results:\n"
        "  precision   both / pairs: the share of the pairs found that are right\n"
        "  recall      both / gold: the share of the right pairs that are found\n"
        "  f1          2 both / (pairs + gold)\n"
        "  pairs       distinct pairs of PAIRS-FILE, or with --closed of its closure\n"
        "  gold        distinct pairs of GOLD-FILE, or with --closed of its closure\n"
        "  both        pairs that are in both\n"
        "\n"
        "Results of clusters, which are ids that chains of pairs connect:\n"
        "  bcubed-precision   the mean over all ids: the share of the ids in its found\n"
        "                     cluster that are in its gold cluster\n"
        "  bcubed-recall      the mean over all ids: the share of the ids in its gold\n"
        "                     cluster that are in its found cluster\n"
        "  bcubed-f1          their harmonic mean\n"
        "  records            distinct ids of both files. An id without a pair is a\n"
        "                     cluster of one\n"
        "  cluster-precision  both-clusters / found-clusters\n"
        "  cluster-recall     both-clusters / gold-clusters\n"
        "  cluster-f1         their harmonic mean\n"
        "  found-clusters     clusters of two ids and more in PAIRS-FILE\n"
        "  gold-clusters      the same in GOLD-FILE\n"
        "  both-clusters      clusters that both files have, with the same ids\n"
        "\n"
        "Results of --trec, means over the queries that have a relevant document:\n"
        "  ndcg@10     discounted gain of the first ten / the largest possible one\n"
        "  map         average precision\n"
        "  p@10        relevant documents among the first ten / 10\n"
        "  r@100       relevant documents among the first 100 / all relevant ones\n"
        "  mrr         1 / the rank of the first relevant document\n"
        "  queries     the queries that have a relevant document\n"
        "  answered    the queries that also have a line in the ranking\n"
        "  found       lines of the ranking for these queries\n"
        "  relevant    relevant documents of these queries\n"
        "\n"
        "Examples:\n"
        "  akin evaluate pairs.csv gold.csv\n"
        "  akin evaluate pairs.csv gold.csv --closed\n"
        "      evaluate clusters: GOLD-FILE need not have every pair of a cluster\n"
        "  akin evaluate clusters.csv gold.csv --closed --bootstrap 1000\n"
        "      see how far the results depend on the records at hand\n"
        "  akin evaluate links.csv gold.csv --linked --curve >curve.csv\n"
        "      find the best threshold for links of two tables\n"
        "  akin evaluate --trec run.trec qrels.txt\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_evaluate,
};
