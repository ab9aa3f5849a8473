/*
 * Times Jaccard self-joins of one collection, from ranked and sorted sets in memory to the number of pairs:
 *
 *     join_bench FILE THRESHOLD[,THRESHOLD...] TECHNIQUE[:BITS|FILTER|SHARING...][,...] [THREADS [REPEATS]]
 *
 * as in bitmap:256, and on a GPU bitmap:64:one, hybrid:ppjoin:many.
 * One line a threshold and technique, the best of REPEATS (5) runs and their median; preparing (ranking and sorting) is
 * told apart. With JOIN_BENCH_PLAN set in the environment also what the planner weighed. JOIN_BENCH_DEVICE there names
 * the device.
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r */

#include "akin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REPEATS 1000

/* What is kept of the best run, and the seconds in the middle of all runs. */
typedef struct figures {
    akin_join_summary summary;
    akin_join_step done;
    akin_join_report *report;
    double median;
} figures;

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds, uint32_t count)
{
    qsort(seconds, count, sizeof *seconds, rising);
    return (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
}

static void print_plan(const akin_join_report *report)
{
    for (uint32_t i = 0; i < akin_join_report_steps(report, AKIN_JOIN_STEPS_WEIGHED); i++) {
        akin_join_step step = {.size = sizeof step};
        akin_join_report_step(report, AKIN_JOIN_STEPS_WEIGHED, i, &step, NULL);
        printf("    %s:%u/%u predicted %.4f s, %.3g candidates\n", akin_technique_name(step.technique), step.bits,
               step.bits_screen, step.predicted_seconds, step.predicted_candidates);
    }
}

static void print_figures(const char *file, const char *threshold, const char *technique, const figures *best)
{
    const char *name = strrchr(file, '/');
    const akin_join_summary *summary = &best->summary;
    const akin_join_step *done = &best->done;
    printf(
        "%-22s %-4s %-14s join %9.4f s  plan %7.4f  predicted %9.4f  prepare %7.4f  %s:%u/%u  compared %.3g  "
        "candidates %llu (%.3g)  pairs %llu  pieces %llu  median %.6f s  peak %.1f MB  sets %u  tokens %llu  universe "
        "%llu\n",
        name ? name + 1 : file, threshold, technique, summary->seconds_join, summary->seconds_plan,
        done->predicted_seconds, summary->seconds_prepare, akin_technique_name(done->technique), done->bits,
        done->bits_screen, (double)done->compared, (unsigned long long)done->candidates, done->predicted_candidates,
        (unsigned long long)summary->pairs_found, (unsigned long long)done->parts, best->median,
        (double)summary->memory_peak / 1e6, summary->rows_left, (unsigned long long)summary->tokens_left,
        (unsigned long long)summary->universe);
    if (getenv("JOIN_BENCH_PLAN"))
        print_plan(best->report);
    fflush(stdout);
}

/* What the steps of a join did together; technique and widths are those of the longest one. */
static akin_status add_up(const akin_join_report *report, akin_join_step *sum, akin_error *error)
{
    akin_status status = AKIN_OK;
    double longest = -1;
    for (uint32_t i = 0; i < akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE) && status == AKIN_OK; i++) {
        akin_join_step step = {.size = sizeof step};
        status = akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, error);
        if (step.seconds > longest) {
            longest = step.seconds;
            sum->technique = step.technique;
            sum->bits = step.bits;
            sum->bits_screen = step.bits_screen;
        }
        sum->parts += step.parts;
        sum->compared += step.compared;
        sum->candidates += step.candidates;
        sum->predicted_candidates += step.predicted_candidates;
        sum->predicted_seconds += step.predicted_seconds;
    }
    return status;
}

/* What to join with: a technique and, behind colons, a width, a filter or a sharing. */
static akin_status read_technique(const char *text, akin_join_options *options, akin_error *error)
{
    char name[64], *outer = NULL;
    snprintf(name, sizeof name, "%s", text);
    const char *word = strtok_r(name, ":", &outer);
    akin_status status = akin_technique_parse(word ? word : "", &options->technique, error);
    while (status == AKIN_OK && (word = strtok_r(NULL, ":", &outer)) != NULL) {
        char *end;
        unsigned long bits = strtoul(word, &end, 10);
        if (*end == 0)
            options->bits = (uint32_t)bits;
        else if (akin_sharing_parse(word, &options->sharing, NULL) != AKIN_OK)
            status = akin_technique_parse(word, &options->filter, error);
    }
    return status;
}

/* Runs one threshold and technique, given as text. */
static akin_status bench(akin_context *context, const akin_sets *sets, const char *file, const char *threshold,
                         const char *technique, uint32_t repeats, akin_error *error)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    figures best = {0};
    double seconds[MOST_REPEATS];
    akin_status status = akin_ratio_parse(threshold, &options.threshold, error);
    if (status == AKIN_OK)
        status = read_technique(technique, &options, error);
    for (uint32_t i = 0; i < repeats && status == AKIN_OK; i++) {
        figures run = {.summary.size = sizeof run.summary, .done.size = sizeof run.done};
        status = akin_join(context, sets, NULL, &options, NULL, NULL, NULL, &run.report, error);
        if (status == AKIN_OK)
            status = akin_join_report_summary(run.report, &run.summary, error);
        if (status == AKIN_OK)
            status = add_up(run.report, &run.done, error);
        seconds[i] = run.summary.seconds_join;
        if (i == 0 || run.summary.seconds_join < best.summary.seconds_join) {
            akin_join_report_free(best.report);
            best = run;
        } else {
            akin_join_report_free(run.report);
        }
    }
    if (status == AKIN_OK) {
        best.median = median(seconds, repeats);
        print_figures(file, threshold, technique, &best);
    }
    akin_join_report_free(best.report);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(
            stderr,
            "usage: join_bench FILE THRESHOLD[,...] TECHNIQUE[:BITS|FILTER|SHARING...][,...] [THREADS [REPEATS]]\n");
        return 2;
    }
    akin_error error;
    akin_context *context = NULL;
    akin_sets *sets = NULL;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.threads = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 1;
    options.device = getenv("JOIN_BENCH_DEVICE");
    unsigned long repeats = argc > 5 ? strtoul(argv[5], NULL, 10) : 5;
    if (repeats < 1 || repeats > MOST_REPEATS) {
        fprintf(stderr, "join_bench: expected 1 to %d repeats\n", MOST_REPEATS);
        return 2;
    }
    akin_status status = akin_context_create(&options, &context, &error);
    if (status == AKIN_OK)
        status = akin_sets_read(context, argv[1], &sets, &error);
    char thresholds[256], techniques[1024], *outer = NULL, *inner = NULL;
    snprintf(thresholds, sizeof thresholds, "%s", argv[2]);
    for (char *t = strtok_r(thresholds, ",", &outer); t && status == AKIN_OK; t = strtok_r(NULL, ",", &outer)) {
        snprintf(techniques, sizeof techniques, "%s", argv[3]);
        for (char *k = strtok_r(techniques, ",", &inner); k && status == AKIN_OK; k = strtok_r(NULL, ",", &inner))
            status = bench(context, sets, argv[1], t, k, (uint32_t)repeats, &error);
    }
    if (status != AKIN_OK)
        fprintf(stderr, "join_bench: %s\n", error.message);
    akin_sets_free(sets);
    akin_context_free(context);
    return status != AKIN_OK;
}
