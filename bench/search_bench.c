/* How fast an index is searched: search_bench [-k K] [-t THREADS] [-r REPEATS] [-T TOLERANCE] [-n CANDIDATES] [-w TECHNIQUE] INDEX QUERIES
 * prints the seconds of all queries in one call, median and best of so many runs, and what was predicted; the index is open and the queries are
 * in memory, of a file whose name tells its format, else lines of text; answers are counted only. The number in hexadecimal is the same for
 * the same answers. */
#define _GNU_SOURCE

#include <inttypes.h>
#include <unistd.h>

#include "timing.h"

#define COLUMNS 256

/* What was found, as a number that does not depend on how fast. */
typedef struct tally {
    uint64_t count, mix;
} tally;

static int take(void *user, const akin_search_hit *found, size_t count)
{
    tally *t = user;
    for (size_t i = 0; i < count; i++)
        t->mix = (t->mix * 31 + found[i].object) * 31 + found[i].count;
    t->count += count;
    return 0;
}

/* The queries. */
typedef struct asked {
    akin_sets *sets;
    akin_table *table;
    akin_column columns[COLUMNS];
    uint32_t count, rows;
} asked;

static akin_status read_queries(akin_context *context, akin_search_kind kind, const char *path, asked *out,
                                akin_error *error)
{
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    if (kind == AKIN_KIND_SETS)
        return akin_sets_read(context, path, &out->sets, error);
    if (akin_format_of_name(path, &how.format, NULL) != AKIN_OK)
        how.format = AKIN_FORMAT_TEXT;
    akin_status status = akin_table_read(context, path, &how, &out->table, error);
    out->rows = status == AKIN_OK ? akin_table_rows(out->table) : 0;
    for (; status == AKIN_OK && out->count < COLUMNS && out->count < akin_table_columns(out->table); out->count++) {
        out->columns[out->count].size = sizeof *out->columns;
        status = akin_table_column(out->table, out->count, &out->columns[out->count], error);
    }
    return status;
}

static akin_status ask(akin_context *context, const akin_search_index *index, const asked *queries,
                       const akin_search_options *options, tally *t, akin_search_report *report, akin_error *error)
{
    *t = (tally){0};
    return queries->sets ? akin_search_sets(context, index, queries->sets, options, take, t, report, error)
                         : akin_search(context, index, queries->columns, queries->count, queries->rows, options, take,
                                       t, report, error);
}

static akin_status measure(akin_context *context, const char *const paths[2], const akin_search_options *options,
                           int runs, akin_error *error)
{
    akin_search_statistics about = {.size = sizeof about};
    akin_search_report report = {.size = sizeof report};
    akin_search_index *index = NULL;
    double seconds[REPEATS_MOST] = {0}, begun = now();
    asked queries = {0};
    tally t = {0};
    akin_status status = akin_search_index_open(context, paths[0], &index, error);
    printf("opened in %.3f s\n", now() - begun);
    if (status == AKIN_OK)
        status = akin_search_index_describe(index, &about, error);
    if (status == AKIN_OK)
        status = read_queries(context, about.kind, paths[1], &queries, error);
    for (int run = 0; run < runs && status == AKIN_OK; run++) {
        begun = now();
        status = ask(context, index, &queries, options, &t, &report, error);
        seconds[run] = now() - begun;
    }
    if (status == AKIN_OK) {
        qsort(seconds, (size_t)runs, sizeof *seconds, rising);
        printf("%" PRIu32 " queries in %" PRIu32 " %s, %" PRIu64 " found, %016" PRIx64 "\n", report.queries,
               about.objects, akin_search_kind_name(about.kind), t.count, t.mix);
        if (about.kind != AKIN_KIND_SEQUENCES)
            printf("%s; predicted for one thread: lists %.3f s, scan %.3f s\n",
                   akin_search_technique_name(report.technique), report.seconds_lists, report.seconds_scan);
        else
            printf("certified: %" PRIu32 " by count, %" PRIu32 " by scan, %" PRIu32 " not\n", report.by_count,
                   report.by_scan, report.uncertified);
        printf("seconds: median %.4f, best %.4f\n", seconds[runs / 2], seconds[0]);
    }
    akin_sets_free(queries.sets);
    akin_table_free(queries.table);
    akin_search_index_free(index);
    return status;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: search_bench [-k K] [-t THREADS] [-r REPEATS] [-T TOLERANCE] [-n CANDIDATES] [-w TECHNIQUE] "
            "INDEX QUERIES\n");
    return 2;
}

int main(int argc, char **argv)
{
    akin_context_options how = AKIN_CONTEXT_OPTIONS_INIT;
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    int runs = 5;
    how.threads = 1;
    how.device = "cpu";
    for (int option; (option = getopt(argc, argv, "k:t:r:T:n:w:")) != -1;) {
        const unsigned long value = optarg ? strtoul(optarg, NULL, 10) : 0;
        if (option == 'k')
            options.k = (uint32_t)value;
        else if (option == 't')
            how.threads = (uint32_t)value;
        else if (option == 'T')
            options.tolerance = (uint32_t)value;
        else if (option == 'n')
            options.candidates = (uint32_t)value;
        else if (option == 'w' && akin_search_technique_parse(optarg, &options.technique, NULL) != AKIN_OK)
            return usage();
        else if (option != 'w')
            runs = option == 'r' && value > 0 && value <= REPEATS_MOST ? (int)value : 0;
    }
    if (argc - optind != 2 || runs == 0)
        return usage();
    const char *const paths[2] = {argv[optind], argv[optind + 1]};
    akin_context *context;
    akin_error error;
    akin_status status = akin_context_create(&how, &context, &error);
    if (status == AKIN_OK) {
        status = measure(context, paths, &options, runs, &error);
        akin_context_free(context);
    }
    if (status != AKIN_OK)
        fprintf(stderr, "search_bench: %s\n", error.message);
    return status != AKIN_OK;
}
