/* What the benchmarks of readers share: repeated runs, CPU levels, and a line for each. To be included with
 * _POSIX_C_SOURCE 200809L defined. */
#ifndef AKIN_BENCH_TIMING_H
#define AKIN_BENCH_TIMING_H

#include "akin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPEATS_MOST 1000
#define NAMES_MOST   64

static inline double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static inline int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The last part of a path. */
static inline const char *file_name(const char *path)
{
    const char *name = strrchr(path, '/');
    return name ? name + 1 : path;
}

/* Prints the best and the median of the runs, which are sorted for it, and the bytes per second of the best; the line
 * goes on. */
static inline void print_runs(const char *path, const char *kind, double *seconds, int repeats, double bytes)
{
    qsort(seconds, (size_t)repeats, sizeof *seconds, rising);
    printf("%-22s %-8s best %8.4f s  median %8.4f  %7.0f MB/s of %.1f MB", file_name(path), kind, seconds[0],
           seconds[repeats / 2], bytes / seconds[0] / 1e6, bytes / 1e6);
}

/* A context of that many threads, at the level that AKIN_CPU says, and what it is. */
static inline akin_status open_context(uint32_t threads, akin_context **context, akin_info *info, akin_error *error)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.threads = threads;
    info->size = sizeof *info;
    akin_status status = akin_context_create(&options, context, error);
    return status == AKIN_OK ? akin_context_info(*context, info, error) : status;
}

/* Cuts text at commas into at most NAMES_MOST names. */
static inline uint32_t cut(char *text, const char **names)
{
    uint32_t count = 0;
    char *rest = NULL;
    for (char *name = strtok_r(text, ",", &rest); name && count < NAMES_MOST; name = strtok_r(NULL, ",", &rest))
        names[count++] = name;
    return count;
}

/* Options of a benchmark: names after --cpu, --threads and --columns, and how often it runs. */
typedef struct timing_options {
    const char *levels[NAMES_MOST], *threads[NAMES_MOST], *columns[NAMES_MOST];
    uint32_t level_count, thread_count, column_count;
    int repeats;
} timing_options;

/* Reads the options, of which `known` lists those that the benchmark has, such as "--cpu --repeats". Returns the place
 * of the first operand; 0: an option is wrong, or there is no operand. */
static inline int read_options(int argc, char **argv, const char *known, timing_options *out)
{
    int at = 1;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0 && strstr(known, argv[at]); at += 2) {
        if (strcmp(argv[at], "--cpu") == 0)
            out->level_count = cut(argv[at + 1], out->levels);
        else if (strcmp(argv[at], "--threads") == 0)
            out->thread_count = cut(argv[at + 1], out->threads);
        else if (strcmp(argv[at], "--columns") == 0)
            out->column_count = cut(argv[at + 1], out->columns);
        else if (strcmp(argv[at], "--repeats") == 0)
            out->repeats = atoi(argv[at + 1]);
        else
            return 0;
    }
    const int is_wrong =
        at >= argc || strncmp(argv[at], "--", 2) == 0 || out->repeats < 1 || out->repeats > REPEATS_MOST;
    return is_wrong ? 0 : at;
}

#endif
