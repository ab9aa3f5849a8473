/*
 * Times the search for duplicates, from a parsed table to clusters, with the paper's settings for CDs (Forchhammer et
 * al., Table 1): columns artist, title, track01 and track02.
 *
 *     dedupe_bench [-d DEVICE] [-j snm-jw|snm-l|cp-jw|cp-l] [-w WINDOW] [-t THREADS] [-n RUNS] [-m DEVICE-MEMORY-MB]
 *                  [-r ROWS] FILE
 *
 * A line, tab-separated: file, job, records, window, device, threads; the median seconds of all, of values, selection,
 * comparison, and of sorting and clustering what was found; pairs selected, met, near and
 * scored (see akin_dedupe_report), found; clusters. Missing in both records
 * counts as equal.
 */
#define _POSIX_C_SOURCE 200809L

#include "akin.h"
#include "timing.h"

#include <unistd.h>

#define COLUMNS 4
#define STEPS   5

typedef struct arguments {
    const char *path, *device, *job;
    uint32_t window, threads, runs, rows;
    uint64_t memory;
} arguments;

/* Thresholds and weights of a row of the table. */
typedef struct setting {
    const char *name, *comparator;
    akin_ratio threshold, each[COLUMNS];
} setting;

static const setting settings[] = {
    {"snm-l", "levenshtein", {60, 100}, {{60, 100}, {60, 100}, {50, 100}, {50, 100}}},
    {"snm-jw", "jaro-winkler", {66, 100}, {{60, 100}, {67, 100}, {87, 100}, {87, 100}}},
    {"cp-jw", "jaro-winkler", {66, 100}, {{78, 100}, {75, 100}, {87, 100}, {87, 100}}},
    {"cp-l", "levenshtein", {60, 100}, {{60, 100}, {60, 100}, {50, 100}, {50, 100}}},
};
static const akin_ratio weights[COLUMNS] = {{20, 100}, {30, 100}, {25, 100}, {25, 100}};
static const char *const names[COLUMNS] = {"artist", "title", "track01", "track02"};

/* NULL: there is none of that name. */
static const setting *setting_of(const char *name)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (name && strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

static int fail(const akin_error *error)
{
    fprintf(stderr, "dedupe_bench: %s\n", error->message);
    return 1;
}

static int add_pairs(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)each;
    for (size_t i = 0; i < count; i++) {
        akin_pair pair = {.left = pairs[i].left, .right = pairs[i].right};
        if (akin_clusters_add(user, &pair, &pairs[i].similarity, 1, NULL) != AKIN_OK)
            return 1;
    }
    return 0;
}

/* Runs a job once; seconds: of all, values, selection, comparison, and of sorting and clustering what was found. */
static int run(akin_context *context, const arguments *a, const akin_column *columns, uint32_t rows, double *seconds,
               akin_dedupe_report *report, uint32_t *clustered, akin_error *error)
{
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    akin_attribute attributes[COLUMNS] = {{0}};
    akin_selection selections[COLUMNS] = {{0}};
    akin_key_part parts[COLUMNS] = {{0}};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    const setting *s = setting_of(a->job);
    if (akin_compare_options_parse(s->comparator, &compare, error) != AKIN_OK)
        return fail(error);
    int all = strncmp(s->name, "cp", 2) == 0;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        attributes[c] =
            (akin_attribute){.column = c, .compare = &compare, .threshold = s->each[c], .weight = weights[c]};
        parts[c] = (akin_key_part){.column = c, .key = AKIN_KEY_SIMPLE};
        selections[c] = (akin_selection){.kind = all ? AKIN_SELECT_ALL : AKIN_SELECT_WINDOW, .window = a->window};
        selections[c].parts = all ? NULL : &parts[c];
        selections[c].part_count = all ? 0 : 1;
    }
    options.attributes = attributes;
    options.attribute_count = COLUMNS;
    options.selections = selections;
    options.selection_count = all ? 1 : COLUMNS;
    options.threshold = s->threshold;
    options.missing = AKIN_MISSING_EQUAL;
    double start = now();
    akin_status status = akin_clusters_create(context, rows, 0, &clusters, error);
    if (status == AKIN_OK)
        status =
            akin_dedupe(context, columns, rows, NULL, 0, COLUMNS, &options, add_pairs, clusters, NULL, report, error);
    if (status == AKIN_OK) {
        akin_clusters_finish(clusters);
        *clustered = akin_clusters_count(clusters);
    }
    seconds[0] = now() - start;
    seconds[1] = report->seconds_values;
    seconds[2] = report->seconds_select;
    seconds[3] = report->seconds_compare;
    seconds[4] = seconds[0] - seconds[1] - seconds[2] - seconds[3];
    akin_clusters_free(clusters);
    return status == AKIN_OK ? 0 : fail(error);
}

static int measure(akin_context *context, const arguments *a, const akin_table *table, akin_error *error)
{
    akin_column columns[COLUMNS] = {{0}};
    akin_dedupe_report report = {.size = sizeof report};
    static double seconds[STEPS][REPEATS_MOST];
    uint32_t clusters = 0, rows = akin_table_rows(table);
    rows = a->rows && a->rows < rows ? a->rows : rows;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        uint32_t index;
        columns[c].size = sizeof columns[c];
        if (akin_table_find(table, names[c], &index, error) != AKIN_OK ||
            akin_table_column(table, index, &columns[c], error) != AKIN_OK)
            return fail(error);
    }
    for (uint32_t i = 0; i < a->runs; i++) {
        double each[STEPS];
        if (run(context, a, columns, rows, each, &report, &clusters, error) != 0)
            return 1;
        fprintf(stderr, "  run %u: %.3f s\n", i + 1, each[0]);
        for (uint32_t k = 0; k < STEPS; k++)
            seconds[k][i] = each[k];
    }
    for (uint32_t k = 0; k < STEPS; k++)
        qsort(seconds[k], a->runs, sizeof seconds[k][0], rising);
    printf("%s\t%s\t%u\t%u\t%s\t%u", file_name(a->path), a->job, rows, a->window, report.device ? "gpu" : "cpu",
           a->threads);
    for (uint32_t k = 0; k < STEPS; k++)
        printf("\t%.4f", seconds[k][a->runs / 2]);
    printf("\t%llu\t%llu\t%llu\t%llu\t%llu\t%u\n", (unsigned long long)report.pairs_selected,
           (unsigned long long)report.pairs_met, (unsigned long long)report.pairs_near,
           (unsigned long long)report.candidates, (unsigned long long)report.pairs_found, clusters);
    return 0;
}

static int read_arguments(int argc, char **argv, arguments *a)
{
    int option;
    *a = (arguments){.device = "cpu", .job = "snm-jw", .window = 20, .threads = 1, .runs = 5};
    while ((option = getopt(argc, argv, "d:j:w:t:n:m:r:")) != -1) {
        uint32_t number = optarg ? (uint32_t)strtoul(optarg, NULL, 10) : 0;
        if (option == 'd')
            a->device = optarg;
        else if (option == 'j')
            a->job = optarg;
        else if (option == 'w')
            a->window = number;
        else if (option == 't')
            a->threads = number;
        else if (option == 'n')
            a->runs = number < REPEATS_MOST ? number : REPEATS_MOST;
        else if (option == 'm')
            a->memory = (uint64_t)number << 20;
        else if (option == 'r')
            a->rows = number;
        else
            return 0;
    }
    a->path = argv[optind];
    return argc == optind + 1 && a->runs > 0 && setting_of(a->job) != NULL;
}

int main(int argc, char **argv)
{
    arguments a;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_table *table = NULL;
    akin_error error = {.code = AKIN_OK};
    if (!read_arguments(argc, argv, &a)) {
        fprintf(stderr,
                "usage: dedupe_bench [-d DEVICE] [-j JOB] [-w WINDOW] [-t THREADS] [-n RUNS] [-m MB] [-r ROWS] FILE\n");
        return 2;
    }
    options.threads = a.threads;
    options.device = a.device;
    options.device_memory = a.memory;
    int failed = akin_context_create(&options, &context, &error) != AKIN_OK ||
                 akin_table_read(context, a.path, NULL, &table, &error) != AKIN_OK;
    failed = failed ? fail(&error) : measure(context, &a, table, &error);
    akin_table_free(table);
    akin_context_free(context);
    return failed;
}
