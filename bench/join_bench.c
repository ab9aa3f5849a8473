/* Times joins of one collection in memory: join_bench FILE THRESHOLD TECHNIQUE[:BITS] [THREADS [REPEATS]]; Jaccard, counted. */
#include "akin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const akin_error *error)
{
    fprintf(stderr, "join_bench: %s\n", error->message);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: join_bench FILE THRESHOLD TECHNIQUE[:BITS] [THREADS [REPEATS]]\n");
        return 2;
    }
    akin_error error;
    akin_context *context = NULL;
    akin_sets *sets = NULL;
    akin_context_options context_options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_report best = {0};
    context_options.threads = argc > 4 ? (uint32_t)atoi(argv[4]) : 1;
    int repeats = argc > 5 ? atoi(argv[5]) : 5, failed;
    char *bits = strchr(argv[3], ':');
    if (bits) {
        *bits = 0;
        options.bits = (uint32_t)atoi(bits + 1);
    }
    failed = akin_context_create(&context_options, &context, &error) ||
             akin_sets_read(context, argv[1], &sets, &error) || akin_ratio_parse(argv[2], &options.threshold, &error) ||
             akin_technique_parse(argv[3], &options.technique, &error);
    for (int i = 0; i < repeats && !failed; i++) {
        akin_join_report report = {.size = sizeof report};
        failed = akin_join(context, sets, NULL, &options, NULL, NULL, NULL, &report, &error);
        if (i == 0 || report.seconds_join < best.seconds_join)
            best = report;
    }
    if (failed)
        return fail(&error);
    printf(
        "%s %s %s:%u/%u threads %u: join %.4f s (plan %.4f), prepare %.4f s, compared %.3g, candidates %llu, pairs "
        "%llu\n",
        argv[1], argv[2], akin_technique_name(best.done.technique), best.done.bits, best.done.bits_screen, best.threads,
        best.seconds_join, best.seconds_plan, best.seconds_prepare, (double)best.done.compared,
        (unsigned long long)best.done.candidates, (unsigned long long)best.pairs_found);
    akin_sets_free(sets);
    akin_context_free(context);
    return 0;
}
