/*
 * Times akin_sets_read:
 *
 *     read_bench [--cpu LEVEL,...] [--repeats N] FILE...
 *
 * One line a file and CPU level (scalar, avx2, avx512; by default what the machine offers): the best and the median
 * of N (9) runs on one thread, and the bytes per second of the best. The bytes are those that the collection takes as
 * plain text, also where the file is compressed or a saved one.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, setenv, strtok_r */

#include "timing.h"

/* The bytes of a collection as plain text: its tokens' digits, and a separator behind each or a line's end. */
static uint64_t text_bytes(const akin_sets *sets)
{
    uint64_t bytes = 0;
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        bytes += size ? 0 : 1;
        for (uint32_t i = 0; i < size; i++) {
            bytes += 2;
            for (uint32_t token = tokens[i]; token >= 10; token /= 10)
                bytes++;
        }
    }
    return bytes;
}

/* Reads a file `repeats` times at the level that AKIN_CPU says. */
static akin_status bench(const char *path, int repeats, akin_error *error)
{
    static double seconds[REPEATS_MOST];
    akin_context *context = NULL;
    akin_info info;
    akin_status status = open_context(1, &context, &info, error);
    uint64_t bytes = 0;
    for (int i = 0; i < repeats && status == AKIN_OK; i++) {
        akin_sets *sets = NULL;
        double start = now();
        status = akin_sets_read(context, path, &sets, error);
        seconds[i] = now() - start;
        if (i == 0 && status == AKIN_OK)
            bytes = text_bytes(sets);
        akin_sets_free(sets);
    }
    if (status == AKIN_OK) {
        print_runs(path, info.cpu, seconds, repeats, (double)bytes);
        putchar('\n');
        fflush(stdout);
    }
    akin_context_free(context);
    return status;
}

int main(int argc, char **argv)
{
    timing_options options = {.repeats = 9};
    int at = read_options(argc, argv, "--cpu --repeats", &options);
    if (!at) {
        fprintf(stderr, "usage: read_bench [--cpu LEVEL,...] [--repeats N] FILE...\n");
        return 2;
    }
    akin_status status = AKIN_OK;
    akin_error error;
    for (; at < argc && status == AKIN_OK; at++) {
        for (uint32_t i = 0; i < (options.level_count ? options.level_count : 1) && status == AKIN_OK; i++) {
            if (options.levels[i])
                setenv("AKIN_CPU", options.levels[i], 1);
            status = bench(argv[at], options.repeats, &error);
        }
    }
    if (status != AKIN_OK)
        fprintf(stderr, "read_bench: %s\n", error.message);
    return status != AKIN_OK;
}
