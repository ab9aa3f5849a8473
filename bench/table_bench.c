/*
 * Times akin_table_read:
 *
 *     table_bench [--cpu LEVEL,...] [--threads N,...] [--repeats N] [--columns NAME,...] FILE...
 *
 * One line a file, CPU level (scalar, avx2, avx512; by default what the machine offers) and number of threads (1): the
 * best and the median of N (9) runs, and the bytes of the file per second of the best; files should not be compressed,
 * and have a name that names their format. Reading the file into memory is part of the time.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, setenv, strtok_r */

#include "timing.h"

#include <sys/stat.h>

/* Reads a file `repeats` times at the level that AKIN_CPU says. */
static akin_status bench(const char *path, const akin_table_options *options, uint32_t threads, int repeats,
                         akin_error *error)
{
    static double seconds[REPEATS_MOST];
    struct stat about = {0};
    akin_context *context = NULL;
    akin_info info;
    uint32_t rows = 0, columns = 0;
    akin_status status = open_context(threads, &context, &info, error);
    for (int i = 0; i < repeats && status == AKIN_OK; i++) {
        akin_table *table = NULL;
        double start = now();
        status = akin_table_read(context, path, options, &table, error);
        seconds[i] = now() - start;
        if (status == AKIN_OK) {
            rows = akin_table_rows(table);
            columns = akin_table_columns(table);
        }
        akin_table_free(table);
    }
    if (status == AKIN_OK && stat(path, &about) == 0) {
        print_runs(path, info.cpu, seconds, repeats, (double)about.st_size);
        printf(", %u rows of %u columns, threads %u\n", rows, columns, threads);
        fflush(stdout);
    }
    akin_context_free(context);
    return status;
}

int main(int argc, char **argv)
{
    timing_options timing = {.threads = {"1"}, .thread_count = 1, .repeats = 9};
    int at = read_options(argc, argv, "--cpu --threads --columns --repeats", &timing);
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    if (!at) {
        fprintf(stderr,
                "usage: table_bench [--cpu LEVEL,...] [--threads N,...] [--repeats N] [--columns NAME,...] FILE...\n");
        return 2;
    }
    akin_status status = AKIN_OK;
    akin_error error;
    options.columns = timing.columns;
    options.column_count = timing.column_count;
    for (; at < argc && status == AKIN_OK; at++) {
        for (uint32_t i = 0; i < (timing.level_count ? timing.level_count : 1) && status == AKIN_OK; i++) {
            if (timing.levels[i])
                setenv("AKIN_CPU", timing.levels[i], 1);
            for (uint32_t k = 0; k < timing.thread_count && status == AKIN_OK; k++)
                status = bench(argv[at], &options, (uint32_t)atoi(timing.threads[k]), timing.repeats, &error);
        }
    }
    if (status != AKIN_OK)
        fprintf(stderr, "table_bench: %s\n", error.message);
    return status != AKIN_OK;
}
