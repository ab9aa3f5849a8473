/*
 * Times the writing of results:
 *
 *     write_bench [--threads N,...] [--repeats N] clusters|pairs|weights FILE OUTPUT
 *
 *     clusters  of a CSV file with a column id: two of three rows are one cluster
 *     pairs     of a file of sets: each row and the 10 rows behind it, with Jaccard similarities
 *     weights   of the words of a text, its documents separated by blank lines, as TSV
 *
 * One line for each number of threads (1): the best and the median of N (5) runs, bytes per second of the best, and the
 * processor time of the best. Timed is what lies between results in memory and the file with its name. The results are
 * written by the functions of the command.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, strtok_r */

#include "cli/clusters.h"
#include "cli/pairs.h"
#include "cli/scores.h"
#include "collection.h"
#include "timing.h"

#include <sys/stat.h>

#define PARTNERS 10
#define BATCH    8192 /* pairs that a join hands over at once */

/* What is written. */
typedef struct results {
    akin_cli_source source;
    akin_clusters *clusters;
    akin_weights *weights;
} results;

static double processor(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* --------------------------------------------------------------------------------------------------------- clusters */

static akin_status make_clusters(akin_context *context, const char *path, results *r, akin_error *error)
{
    const char *id = "id";
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.columns = &id;
    options.column_count = 1;
    options.keep_lines = 1;
    akin_status status = akin_table_read(context, path, &options, &r->source.table, error);
    if (status != AKIN_OK)
        return status;
    r->source.rows = akin_table_rows(r->source.table);
    status = akin_cli_names_make(context, path, r->source.table, 0, AKIN_FORMAT_CSV, &r->source.names, error);
    if (status == AKIN_OK)
        status = akin_clusters_create(context, r->source.rows, 0, &r->clusters, error);
    for (uint32_t row = 0; row + 1 < r->source.rows && status == AKIN_OK; row += 3) {
        const akin_pair pair = {.left = row, .right = row + 1};
        status = akin_clusters_add(r->clusters, &pair, NULL, 1, error);
    }
    if (status == AKIN_OK)
        akin_clusters_finish(r->clusters);
    return status;
}

static akin_status write_clusters(akin_context *context, results *r, akin_output *output, akin_error *error)
{
    const akin_cli_clusters_form form = {.format = AKIN_FORMAT_CSV, .least = 1};
    (void)context;
    return akin_cli_clusters_write(r->clusters, &r->source, NULL, &form, output, error);
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

static akin_status read_sets(akin_context *context, const char *path, results *r, akin_error *error)
{
    akin_status status = akin_sets_read(context, path, &r->source.sets, error);
    if (status == AKIN_OK)
        r->source.rows = akin_sets_rows(r->source.sets);
    return status;
}

static akin_status hand_over(const akin_sets *sets, akin_cli_pairs *pairs)
{
    static akin_pair batch[BATCH];
    const uint32_t rows = akin_sets_rows(sets);
    size_t count = 0;
    for (uint32_t left = 0; left < rows; left++)
        for (uint32_t right = left + 1; right < rows && right <= left + PARTNERS; right++) {
            const uint32_t a = akin_sets_row(sets, left, NULL), b = akin_sets_row(sets, right, NULL);
            batch[count++] = (akin_pair){left, right, (a < b ? a : b) / 2 + 1};
            if (count == BATCH && akin_cli_pairs_sink(pairs, batch, count) != 0)
                return AKIN_E_CANCELLED;
            count %= BATCH;
        }
    return akin_cli_pairs_sink(pairs, batch, count) == 0 ? AKIN_OK : AKIN_E_CANCELLED;
}

static akin_status write_pairs(akin_context *context, results *r, akin_output *output, akin_error *error)
{
    akin_cli_job job = {.context = context};
    const akin_cli_strings strings = {0};
    akin_cli_scores *scores = NULL;
    akin_cli_pairs *pairs = NULL;
    akin_status status =
        akin_cli_scores_create(&job, AKIN_JACCARD, &strings, -1, &r->source, &r->source, &scores, error);
    if (status == AKIN_OK)
        status = akin_cli_pairs_begin(output, AKIN_FORMAT_CSV, scores, &r->source.names, &r->source.names, NULL, &pairs,
                                      error);
    if (status == AKIN_OK)
        status = akin_cli_pairs_finish(pairs, hand_over(r->source.sets, pairs), error);
    akin_cli_pairs_free(pairs);
    akin_cli_scores_free(scores);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- weights */

static akin_status weigh(akin_context *context, const char *path, results *r, akin_error *error)
{
    collection c = {0};
    if (!read_text(path, &c)) {
        fprintf(stderr, "write_bench: %s cannot be read\n", path);
        exit(1);
    }
    find_documents(&c);
    const akin_column column = {sizeof column, "text", c.offsets, c.bytes, NULL, 0, NULL, 0, 0};
    akin_status status = akin_weigh(context, &column, 1, c.documents, NULL, &r->weights, error);
    free(c.bytes);
    free(c.offsets);
    return status;
}

static akin_status write_weights(akin_context *context, results *r, akin_output *output, akin_error *error)
{
    return akin_weights_write(context, r->weights, NULL, AKIN_WEIGHTS_TSV, output, error);
}

/* ------------------------------------------------------------------------------------------------------------- runs */

typedef struct kind {
    const char *name;
    akin_status (*make)(akin_context *context, const char *path, results *r, akin_error *error);
    akin_status (*write)(akin_context *context, results *r, akin_output *output, akin_error *error);
} kind;

static const kind kinds[] = {
    {"clusters", make_clusters, write_clusters}, {"pairs", read_sets, write_pairs}, {"weights", weigh, write_weights}};

static const kind *kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

static akin_status write_once(akin_context *context, const kind *k, results *r, const char *path, akin_error *error)
{
    akin_output *output = NULL;
    akin_status status = akin_output_open(context, path, &output, error);
    if (status != AKIN_OK)
        return status;
    status = k->write(context, r, output, error);
    if (status == AKIN_OK)
        return akin_output_commit(output, error);
    akin_output_discard(output);
    return status;
}

static akin_status bench(const kind *k, const char *file, const char *path, uint32_t threads, int repeats,
                         akin_error *error)
{
    static double seconds[REPEATS_MOST];
    akin_context *context = NULL;
    akin_info info;
    results r = {.source = {.rows = 0}};
    struct stat about = {.st_size = 0};
    char name[32];
    double least = 0;
    akin_status status = open_context(threads, &context, &info, error);
    if (status == AKIN_OK)
        status = k->make(context, file, &r, error);
    for (int i = 0; i < repeats && status == AKIN_OK; i++) {
        const double start = now(), start_busy = processor();
        status = write_once(context, k, &r, path, error);
        seconds[i] = now() - start;
        const double busy = processor() - start_busy;
        least = i == 0 || busy < least ? busy : least;
    }
    if (status == AKIN_OK && stat(path, &about) == 0) {
        snprintf(name, sizeof name, "%s", k->name);
        print_runs(name,
                   threads == 1   ? "1 thr."
                   : threads == 2 ? "2 thr."
                                  : "threads",
                   seconds, repeats, (double)about.st_size);
        printf("  processor %.4f s\n", least);
        fflush(stdout);
    }
    akin_weights_free(r.weights);
    akin_clusters_free(r.clusters);
    akin_cli_source_clear(&r.source);
    akin_context_free(context);
    return status;
}

int main(int argc, char **argv)
{
    timing_options options = {.threads = {"1"}, .thread_count = 1, .repeats = 5};
    const int at = read_options(argc, argv, "--threads --repeats", &options);
    const kind *k = at > 0 && at + 3 == argc ? kind_of(argv[at]) : NULL;
    if (!k) {
        fprintf(stderr, "usage: write_bench [--threads N,...] [--repeats N] clusters|pairs|weights FILE OUTPUT\n");
        return 2;
    }
    akin_status status = AKIN_OK;
    akin_error error;
    for (uint32_t i = 0; i < options.thread_count && status == AKIN_OK; i++)
        status = bench(k, argv[at + 1], argv[at + 2], (uint32_t)atoi(options.threads[i]), options.repeats, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "write_bench: %s\n", error.message);
    return status != AKIN_OK;
}
