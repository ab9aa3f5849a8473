/* How fast an index ranks: rank_bench [-g] [-k K] [-t THREADS] [-r REPEATS] [-b BATCH] INDEX QUERIES prints the queries
 * of each second, the best of REPEATS runs and the median. The index is open, with -g on the first GPU, and the queries
 * are in memory. A call takes BATCH of them (all). Results are counted only. The number in hexadecimal is the same for
 * the same results. */
#define _GNU_SOURCE

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "akin.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What was found, as a number that does not depend on how fast. */
typedef struct tally {
    uint64_t count, mix;
} tally;

static int take(void *user, const akin_ranking_hit *found, size_t count)
{
    tally *t = user;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &found[i].score, sizeof bits);
        t->mix = (t->mix * 31 + found[i].document) * 31 + bits;
    }
    t->count += count;
    return 0;
}

/* Ranks all queries, a batch at a time. */
static akin_status rank(akin_ranking *ranking, const akin_column *queries, uint32_t rows, uint32_t batch, tally *t,
                        akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row += batch) {
        akin_column some = *queries;
        some.offsets += row;
        batch = batch < rows - row ? batch : rows - row;
        status = akin_ranking_run(ranking, &some, 1, batch, take, t, error);
    }
    return status;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static akin_status measure(akin_context *context, const char *const paths[2], const akin_rank_options *options,
                           uint32_t batch, int runs, akin_error *error)
{
    akin_ranking *ranking = NULL;
    akin_rank_index *index = NULL;
    akin_table *queries = NULL;
    akin_column column = {.size = sizeof column};
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    double rates[100] = {0}, begun = now();
    how.format = AKIN_FORMAT_TEXT;
    akin_status status = akin_rank_index_open(context, paths[0], &index, error);
    printf("opened in %.3f s\n", now() - begun);
    if (status == AKIN_OK)
        status = akin_table_read(context, paths[1], &how, &queries, error);
    if (status == AKIN_OK)
        status = akin_table_column(queries, 0, &column, error);
    begun = now();
    if (status == AKIN_OK)
        status = akin_ranking_create(context, index, options, &ranking, error);
    printf("made ready in %.3f s\n", now() - begun);
    for (int run = 0; run < runs && status == AKIN_OK; run++) {
        tally t = {0};
        begun = now();
        status = rank(ranking, &column, akin_table_rows(queries), batch, &t, error);
        rates[run] = akin_table_rows(queries) / (now() - begun);
        if (run == 0)
            printf("%" PRIu32 " queries, %" PRIu64 " documents found, %016" PRIx64 "\n", akin_table_rows(queries),
                   t.count, t.mix);
    }
    if (status == AKIN_OK) {
        qsort(rates, (size_t)runs, sizeof *rates, by_size);
        printf("queries/s: median %.0f, best %.0f\n", rates[runs / 2], rates[runs - 1]);
    }
    akin_ranking_free(ranking);
    akin_table_free(queries);
    akin_rank_index_free(index);
    return status;
}

int main(int argc, char **argv)
{
    akin_context_options how = AKIN_CONTEXT_OPTIONS_INIT;
    akin_rank_options options = AKIN_RANK_OPTIONS_INIT;
    uint32_t batch = UINT32_MAX;
    int runs = 5;
    how.threads = 1;
    how.device = "cpu";
    for (int option; (option = getopt(argc, argv, "gk:t:r:b:")) != -1;) {
        unsigned long value = optarg ? strtoul(optarg, NULL, 10) : 0;
        if (option == 'g')
            how.device = "cuda";
        else if (option == 'b' && value > 0 && value <= UINT32_MAX)
            batch = (uint32_t)value;
        else if (option == 'k')
            options.k = (uint32_t)value;
        else if (option == 't')
            how.threads = (uint32_t)value;
        else
            runs = option == 'r' && value > 0 && value <= 100 ? (int)value : 0;
    }
    if (argc - optind != 2 || runs == 0) {
        fprintf(stderr, "usage: rank_bench [-g] [-k K] [-t THREADS] [-r REPEATS] [-b BATCH] INDEX QUERIES\n");
        return 2;
    }
    const char *const paths[2] = {argv[optind], argv[optind + 1]};
    akin_context *context;
    akin_error error;
    akin_status status = akin_context_create(&how, &context, &error);
    if (status == AKIN_OK) {
        status = measure(context, paths, &options, batch, runs, &error);
        akin_context_free(context);
    }
    if (status != AKIN_OK)
        fprintf(stderr, "rank_bench: %s\n", error.message);
    return status != AKIN_OK;
}
