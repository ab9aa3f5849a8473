/*
 * Times akin_table_read:
 *
 *     table_bench [--cpu LEVEL,...] [--repeats N] [--columns NAME,...] FILE...
 *
 * One line a file and CPU level (scalar, avx2, avx512; by default what the machine offers): the best and the median of
 * N (9) runs on one thread, and the bytes of the file per second of the best; files should not be compressed, and have
 * a name that tells their format. Reading the file into memory is part of the time.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, setenv, strtok_r */

#include "akin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define REPEATS_MOST 1000
#define COLUMNS_MOST 64

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Reads a file `repeats` times at the level that AKIN_CPU says. */
static akin_status bench(const char *path, const akin_table_options *options, int repeats, akin_error *error)
{
    static double seconds[REPEATS_MOST];
    struct stat about = {0};
    akin_context *context = NULL;
    akin_context_options context_options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_info info = {.size = sizeof info};
    uint32_t rows = 0, columns = 0;
    context_options.threads = 1;
    akin_status status = akin_context_create(&context_options, &context, error);
    if (status == AKIN_OK)
        status = akin_context_info(context, &info, error);
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
        const char *name = strrchr(path, '/');
        double bytes = (double)about.st_size;
        qsort(seconds, (size_t)repeats, sizeof *seconds, rising);
        printf("%-22s %-8s best %8.4f s  median %8.4f  %7.0f MB/s of %.1f MB, %u rows of %u columns\n",
               name ? name + 1 : path, info.cpu, seconds[0], seconds[repeats / 2], bytes / seconds[0] / 1e6,
               bytes / 1e6, rows, columns);
        fflush(stdout);
    }
    akin_context_free(context);
    return status;
}

/* Cuts text at commas into at most COLUMNS_MOST names. */
static uint32_t cut(char *text, const char **names)
{
    uint32_t count = 0;
    char *rest = NULL;
    for (char *name = strtok_r(text, ",", &rest); name && count < COLUMNS_MOST; name = strtok_r(NULL, ",", &rest))
        names[count++] = name;
    return count;
}

int main(int argc, char **argv)
{
    const char *levels[COLUMNS_MOST] = {NULL}, *columns[COLUMNS_MOST];
    uint32_t level_count = 0;
    int repeats = 9, at = 1;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--cpu") == 0)
            level_count = cut(argv[at + 1], levels);
        else if (strcmp(argv[at], "--columns") == 0)
            options.column_count = cut(argv[at + 1], columns);
        else if (strcmp(argv[at], "--repeats") == 0)
            repeats = atoi(argv[at + 1]);
        else
            break;
    }
    if (at == argc || strncmp(argv[at], "--", 2) == 0 || repeats < 1 || repeats > REPEATS_MOST) {
        fprintf(stderr, "usage: table_bench [--cpu LEVEL,...] [--repeats N] [--columns NAME,...] FILE...\n");
        return 2;
    }
    akin_status status = AKIN_OK;
    akin_error error;
    options.columns = columns;
    for (; at < argc && status == AKIN_OK; at++) {
        for (uint32_t i = 0; i < (level_count ? level_count : 1) && status == AKIN_OK; i++) {
            if (levels[i])
                setenv("AKIN_CPU", levels[i], 1);
            status = bench(argv[at], &options, repeats, &error);
        }
    }
    if (status != AKIN_OK)
        fprintf(stderr, "table_bench: %s\n", error.message);
    return status != AKIN_OK;
}
