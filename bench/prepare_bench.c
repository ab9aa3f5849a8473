/*
 * Times the preparation of a join of sets: tokens are counted and ranked, sets are sorted by size and ranks.
 *
 *     prepare_bench [--cpu LEVELS] [--threads NUMBERS] [--repeats TIMES] FILE...
 *
 * prints one line a file, level and number of threads: the best of the runs (5) and their median by the clock, the
 * least time of all threads' processors, the most memory that the account was charged with, and a checksum of what was
 * made, which is the same for each level and number of threads.
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r, clock_gettime */

#include "base/context.h"
#include "sets/ranked.h"
#include "sets/sets.h"
#include "timing.h"

/* The processor time of all threads of the process, those that have ended among them. */
static double worked(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t mix(uint64_t sum, uint64_t number)
{
    sum = (sum ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

/* A number that any difference in order changes. */
static uint64_t sum_of(const akin_ranked *ranked)
{
    uint64_t sum = mix(mix(mix(1, ranked->count), ranked->universe), ranked->once);
    for (uint32_t set = 0; set < ranked->count; set++)
        sum = mix(mix(sum, ranked->row[set]), ranked->offsets[set + 1]);
    for (uint64_t i = 0; i < akin_ranked_tokens(ranked); i++)
        sum = mix(sum, ranked->tokens[i]);
    for (uint32_t class = 0; class < ranked->classes; class ++)
        sum = mix(mix(sum, ranked->class_size[class]), ranked->class_first[class + 1]);
    return sum;
}

static akin_status measure(const char *path, uint32_t threads, int repeats, akin_error *error)
{
    akin_context *context = NULL;
    akin_info info;
    akin_sets *sets = NULL;
    akin_account account = {0};
    double seconds[REPEATS_MOST], least = 1e9;
    uint64_t sum = 0;
    akin_status status = open_context(threads, &context, &info, error);
    if (status == AKIN_OK)
        status = akin_sets_read(context, path, &sets, error);
    for (int run = 0; run < repeats && status == AKIN_OK; run++) {
        akin_ranked ranked;
        double begun = now(), before = worked();
        status = akin_rank_sets(akin_scope_of(context), &account, sets, NULL, &ranked, NULL, error);
        double spent = worked() - before;
        seconds[run] = now() - begun;
        least = spent < least ? spent : least;
        if (run == 0 && status == AKIN_OK)
            sum = sum_of(&ranked);
        akin_ranked_clear(&ranked);
    }
    if (status == AKIN_OK) {
        char kind[32];
        snprintf(kind, sizeof kind, "%s x%u", info.cpu, threads);
        print_runs(path, kind, seconds, repeats, (double)sets->offsets[sets->rows] * sizeof(uint32_t));
        printf("  processors %8.4f s  peak %.1f MB  sum %016llx\n", least, (double)account.peak / 1e6,
               (unsigned long long)sum);
    }
    akin_sets_free(sets);
    akin_context_free(context);
    return status;
}

int main(int argc, char **argv)
{
    timing_options options = {.levels = {NULL}, .threads = {"1"}, .thread_count = 1, .repeats = 5};
    akin_error error;
    akin_status status = AKIN_OK;
    int at = read_options(argc, argv, "--cpu --threads --repeats", &options);
    if (!at) {
        fprintf(stderr, "usage: prepare_bench [--cpu LEVELS] [--threads NUMBERS] [--repeats TIMES] FILE...\n");
        return 2;
    }
    for (; at < argc && status == AKIN_OK; at++)
        for (uint32_t level = 0; level == 0 || level < options.level_count; level++)
            for (uint32_t t = 0; t < options.thread_count && status == AKIN_OK; t++) {
                if (options.level_count)
                    setenv("AKIN_CPU", options.levels[level], 1);
                status = measure(argv[at], (uint32_t)strtoul(options.threads[t], NULL, 10), options.repeats, &error);
                fflush(stdout);
            }
    if (status != AKIN_OK)
        fprintf(stderr, "prepare_bench: %s\n", error.message);
    return status != AKIN_OK;
}
