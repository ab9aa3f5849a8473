/*
 * Times the comparison of strings, a line of plain text each:
 *
 *     strings_bench search FILE COMPARATOR CUTOFF [REPEATS]            each of up to 2000 lines with all of them
 *     strings_bench join FILE COMPARATOR CUTOFF [THREADS [REPEATS [TECHNIQUE]]]    all pairs of two lines
 *     strings_bench pairs FILE COMPARATOR CUTOFF [THREADS [REPEATS]]    each line with the one half of all lines
 *                                                                      behind it; CUTOFF 0: none
 *     strings_bench grow FILE COPIES                                   writes COPIES of each line, the second and
 *                                                                      further ones with a tenth of their bytes changed
 *
 * COMPARATOR is levenshtein, osa, jaro or jaro-winkler, CUTOFF a similarity, or, if a whole number, a distance above
 * 1. Prints pairs per second, what was found and, of a join, what the screen left; the median of REPEATS (5) runs. A
 * search is timed from the text of the queries to the hits in order, on one thread, the preparing of the lines apart; a
 * join from columns in memory to the number of pairs, on the device that STRINGS_BENCH_DEVICE in the environment names
 * (the CPU if it names none), in a first run that does not count and REPEATS others.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, strtok_r */

#include "timing.h"

#define QUERIES 2000

typedef struct input {
    akin_context *context;
    akin_table *table;
    akin_column column;
    uint32_t rows;
    akin_compare_options compare;
    akin_match_options match;
    int repeats;
} input;

static double median(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, rising);
    return seconds[count / 2];
}

static akin_status search(input *in, const char *name, akin_error *error)
{
    static double seconds[REPEATS_MOST];
    akin_batch *batch = NULL;
    akin_hit *hits = malloc((size_t)in->rows * sizeof *hits);
    uint64_t found = 0, pairs = 0, count;
    double start = now();
    akin_status status = akin_batch_create(in->context, &in->column, in->rows, 0, &batch, error);
    double prepared = now() - start;
    uint32_t step = in->rows / QUERIES + 1;
    for (int i = 0; i < in->repeats && status == AKIN_OK; i++) {
        start = now();
        found = pairs = 0;
        for (uint32_t row = 0; row < in->rows && status == AKIN_OK; row += step) {
            uint64_t at = in->column.offsets[row], length = in->column.offsets[row + 1] - at;
            status = akin_batch_search(in->context, batch, &in->match, in->column.bytes + at, length, hits,
                                       hits ? in->rows : 0, &count, error);
            found += status == AKIN_OK ? count : 0;
            pairs += in->rows;
        }
        seconds[i] = now() - start;
    }
    if (status == AKIN_OK) {
        double middle = median(seconds, in->repeats);
        printf("%-14s search  %10.1f M pairs/s  best %.1f  found %llu of %llu  prepared in %.4f s\n", name,
               (double)pairs / middle / 1e6, (double)pairs / seconds[0] / 1e6, (unsigned long long)found,
               (unsigned long long)pairs, prepared);
    }
    akin_batch_free(batch);
    free(hits);
    return status;
}

static akin_status join(input *in, const char *name, akin_error *error)
{
    static double seconds[REPEATS_MOST];
    akin_match_report report = {.size = sizeof report};
    uint64_t count = 0;
    akin_status status = AKIN_OK;
    for (int i = 0; i < in->repeats && status == AKIN_OK; i++) {
        double start = now();
        status =
            akin_match(in->context, &in->column, in->rows, NULL, 0, &in->match, NULL, NULL, &count, &report, error);
        seconds[i] = now() - start;
    }
    if (status == AKIN_OK)
        printf(
            "%-14s join    %10.3f s  prepare %.3f  pairs %.4g  compatible %.4g  looked up %.4g  candidates %.4g  found "
            "%llu  "
            "threads %u  peak %.1f MB\n",
            name, median(seconds, in->repeats), report.seconds_prepare, (double)report.pairs_all,
            (double)report.pairs_compatible, (double)report.pairs_looked_up, (double)report.candidates,
            (unsigned long long)count, report.threads, (double)report.memory_peak / 1e6);
    return status;
}

/* Each line with the one half of all lines behind it. */
static akin_status pairs(input *in, const char *name, akin_error *error)
{
    static double seconds[REPEATS_MOST];
    uint32_t *others = malloc((in->rows + (size_t)1) * sizeof *others);
    akin_compared *compared = calloc(in->rows + (size_t)1, sizeof *compared);
    double sum = 0;
    akin_status status = others && compared ? AKIN_OK : AKIN_E_NOMEM;
    for (uint32_t row = 0; row < in->rows && others; row++)
        others[row] = (row + in->rows / 2) % in->rows;
    for (int i = 0; i < in->repeats && status == AKIN_OK; i++) {
        double start = now();
        status =
            akin_compare_pairs(in->context, &in->compare, &in->column, in->rows, &in->column, in->rows, NULL, others,
                               in->rows, in->match.cutoff.num > 0 ? &in->match.cutoff : NULL, compared, error);
        seconds[i] = now() - start;
    }
    for (uint32_t row = 0; row < in->rows && status == AKIN_OK; row++)
        sum += compared[row].similarity;
    if (status == AKIN_OK)
        printf("%-14s pairs   %10.2f M pairs/s  %u pairs, mean similarity %.6f\n", name,
               in->rows / median(seconds, in->repeats) / 1e6, in->rows, sum / in->rows);
    free(others);
    free(compared);
    return status;
}

/* Reads the comparator and the cutoff. */
static akin_status read_match(input *in, const char *comparator, const char *cutoff, akin_error *error)
{
    akin_ratio ratio;
    akin_status status = akin_compare_options_parse(comparator, &in->compare, error);
    if (status == AKIN_OK)
        status = akin_ratio_parse(cutoff, &ratio, error);
    if (status != AKIN_OK)
        return status;
    int is_distance = ratio.num > ratio.den || ratio.num == 0;
    in->match.compare = &in->compare;
    in->match.cutoff = is_distance ? (akin_ratio){0, 1} : ratio;
    in->match.most = is_distance ? ratio.num / ratio.den : 0;
    return status;
}

static akin_status run(input *in, int argc, char **argv, akin_error *error)
{
    akin_table_options table = AKIN_TABLE_OPTIONS_INIT;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    int joins = strcmp(argv[1], "join") == 0, by_pairs = strcmp(argv[1], "pairs") == 0;
    options.device = getenv("STRINGS_BENCH_DEVICE");
    options.device = joins && options.device ? options.device : "cpu";
    options.threads = (joins || by_pairs) && argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : 1;
    table.format = AKIN_FORMAT_TEXT;
    akin_status status = akin_context_create(&options, &in->context, error);
    if (status == AKIN_OK)
        status = read_match(in, argv[3], argv[4], error);
    if (status == AKIN_OK)
        status = akin_table_read(in->context, argv[2], &table, &in->table, error);
    if (status == AKIN_OK && joins && argc > 7)
        status = akin_match_technique_parse(argv[7], &in->match.technique, error);
    in->column.size = sizeof in->column;
    if (status == AKIN_OK)
        status = akin_table_column(in->table, 0, &in->column, error);
    if (status != AKIN_OK)
        return status;
    in->rows = akin_table_rows(in->table);
    return (joins ? join : by_pairs ? pairs : search)(in, file_name(argv[2]), error);
}

/* Writes each line COPIES times. */
static akin_status grow(const char *path, int copies, akin_error *error)
{
    akin_context *context = NULL;
    akin_table *table = NULL;
    akin_column column = {.size = sizeof column};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.format = AKIN_FORMAT_TEXT;
    uint64_t state = 1;
    akin_status status = akin_context_create(NULL, &context, error);
    if (status == AKIN_OK)
        status = akin_table_read(context, path, &options, &table, error);
    if (status == AKIN_OK)
        status = akin_table_column(table, 0, &column, error);
    for (int copy = 0; copy < copies && status == AKIN_OK; copy++)
        for (uint32_t row = 0; row < akin_table_rows(table); row++) {
            for (uint64_t at = column.offsets[row]; at < column.offsets[row + 1]; at++) {
                char byte = column.bytes[at];
                state = state * 6364136223846793005u + 1442695040888963407u;
                int change = copy > 0 && (unsigned char)byte < 128 && (state >> 40) % 10 == 0;
                putchar(change ? 'a' + (int)((state >> 33) % 26) : byte);
            }
            putchar('\n');
        }
    akin_table_free(table);
    akin_context_free(context);
    return status;
}

int main(int argc, char **argv)
{
    akin_error error;
    input in = {.compare = AKIN_COMPARE_OPTIONS_INIT, .match = AKIN_MATCH_OPTIONS_INIT};
    const char *what = argc > 1 ? argv[1] : "";
    int searches = strcmp(what, "search") == 0, repeats = searches ? 5 : 6;
    if (argc == 4 && strcmp(argv[1], "grow") == 0) {
        if (grow(argv[2], atoi(argv[3]), &error) == AKIN_OK)
            return 0;
        fprintf(stderr, "strings_bench: %s\n", error.message);
        return 1;
    }
    in.repeats = argc > repeats ? atoi(argv[repeats]) : 5;
    if (argc < 5 || (!searches && strcmp(what, "join") != 0 && strcmp(what, "pairs") != 0) || in.repeats < 1 ||
        in.repeats > REPEATS_MOST) {
        fprintf(stderr,
                "usage: strings_bench search FILE COMPARATOR CUTOFF [REPEATS]\n"
                "       strings_bench join FILE COMPARATOR CUTOFF [THREADS [REPEATS [TECHNIQUE]]]\n"
                "       strings_bench pairs FILE COMPARATOR CUTOFF [THREADS [REPEATS]]\n"
                "       strings_bench grow FILE COPIES\n");
        return 2;
    }
    akin_status status = run(&in, argc, argv, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "strings_bench: %s\n", error.message);
    akin_table_free(in.table);
    akin_context_free(in.context);
    return status != AKIN_OK;
}
