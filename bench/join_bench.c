/*
 * Times Jaccard self-joins of one collection, from ranked and sorted sets in memory to the number of pairs:
 *
 *     join_bench FILE THRESHOLD[,THRESHOLD...] TECHNIQUE[:BITS|FILTER|SHARING...][,...] [THREADS [REPEATS]]
 *
 * as in bitmap:256, and on a GPU bitmap:64:one, hybrid:ppjoin:many.
 * Prints one line a threshold and technique: the best of REPEATS (5) runs and their median, and the time of preparing
 * (ranking and sorting) apart. With JOIN_BENCH_PLAN in the environment it also prints what the planner weighed.
 * JOIN_BENCH_DEVICE there names the device.
 *
 *     join_bench FILE - LIMIT [PATIENCE]
 *
 * follows the lines of its input. It reads the collection once, and opens each device once, before it measures anything
 * there. A line of its input is
 *
 *     THRESHOLD TECHNIQUE[:BITS] DEVICE THREADS count|sorted|unsorted
 *
 * where the last word says what becomes of the pairs: they are counted; or kept, sorted and handed over; or handed over
 * as they are found. It answers each with a line: the figures as above; or "stopped", when joining takes over LIMIT
 * seconds, or will take far more, by what was done after a sixth of that; or "refused" or "failed" and the reason. What
 * takes less than 0.3 s is repeated 5 times, what takes less than 1 s 3 times, and the first run does not count; but no
 * run begins beyond PATIENCE seconds, preparing included.
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r, clock_gettime */

#include "akin_papers.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CONTEXTS 16
#define EARLY         (1.0 / 6) /* of the limit: then it is looked whether there is hope */
#define HOPELESS      2.5       /* times the limit: a join that will take longer is stopped at once */

/* What became of a run's pairs; the sum is the same in any order. */
typedef struct pair_sum {
    uint64_t count, sum;
} pair_sum;

/* What is kept of the best run, and the seconds in the middle of all runs. */
typedef struct figures {
    akin_join_summary summary;
    akin_join_step done;
    akin_join_report *report;
    pair_sum pairs;
    double median;
    uint32_t runs;
} figures;

/* What is measured. */
typedef struct cell {
    const char *file, *threshold, *technique; /* as text, for the line */
    akin_join_options options;
    akin_papers_join_options papers; /* options.annex points here, if it is needed */
    int keep;                        /* pairs are handed over */
} cell;

/* How a join is stopped. */
typedef struct watch {
    double limit; /* seconds; 0: none */
    double begun; /* when joining began; 0: not yet */
    double part;  /* of it that is done, 0 to 1 */
} watch;

/* Sets are ranked and sorted in these phases, and joined in all others. */
static int is_preparing(const char *phase)
{
    static const char *const names[] = {"reading", "counting", "ranking", "sorting", "merging"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(phase, names[i]) == 0)
            return 1;
    return 0;
}

static void see_progress(void *user, const akin_progress *progress)
{
    watch *w = user;
    if (is_preparing(progress->phase))
        return;
    if (w->begun == 0)
        w->begun = now();
    if (strcmp(progress->phase, "joining") == 0 && progress->total)
        w->part = (double)progress->done / (double)progress->total;
}

static int is_enough(void *user)
{
    const watch *w = user;
    if (w->limit <= 0 || w->begun == 0)
        return 0;
    double seconds = now() - w->begun;
    return seconds > w->limit || (seconds > w->limit * EARLY && w->part > 0 && seconds / w->part > w->limit * HOPELESS);
}

static int add_pairs(void *user, const akin_pair *pairs, size_t count)
{
    pair_sum *s = user;
    s->count += count;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = ((uint64_t)pairs[i].left << 32 | pairs[i].right) * 0x9e3779b97f4a7c15u + pairs[i].overlap;
        s->sum += (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    }
    return 0;
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
        printf("    %s:%u/%u predicted %.4f s, %.3g candidates\n", akin_technique_name(akin_papers(), step.technique),
               step.bits, step.bits_screen, step.predicted_seconds, step.predicted_candidates);
    }
}

static void print_figures(const cell *cell, const figures *best)
{
    const akin_join_summary *summary = &best->summary;
    const akin_join_step *done = &best->done;
    akin_papers_join_step papers = {.size = sizeof papers};
    akin_papers_join_step_read(done, &papers, NULL);
    printf(
        "%-22s %-4s %-14s join %9.4f s  plan %7.4f  predicted %9.4f  prepare %7.4f  %s:%u/%u  compared %.3g  "
        "candidates %llu (%.3g)  pairs %llu  pieces %llu  median %.6f s  peak %.1f MB  sets %u  tokens %llu  universe "
        "%llu",
        file_name(cell->file), cell->threshold, cell->technique, summary->seconds_join, summary->seconds_plan,
        done->predicted_seconds, summary->seconds_prepare, akin_technique_name(akin_papers(), done->technique),
        done->bits, done->bits_screen, (double)done->compared, (unsigned long long)done->candidates,
        done->predicted_candidates, (unsigned long long)summary->pairs_found, (unsigned long long)done->parts,
        best->median, (double)summary->memory_peak / 1e6, summary->rows_left, (unsigned long long)summary->tokens_left,
        (unsigned long long)summary->universe);
    printf("  runs %u  blocks %llu  cleared %llu  clearing %.6f", best->runs, (unsigned long long)papers.block_pairs,
           (unsigned long long)papers.cleared, papers.seconds_clearing);
    if (cell->keep)
        printf("  deliver %.6f  sum %016llx", summary->seconds_deliver, (unsigned long long)best->pairs.sum);
    putchar('\n');
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
        for (size_t f = 0; f < sizeof sum->annex_figures / sizeof *sum->annex_figures; f++)
            sum->annex_figures[f] += step.annex_figures[f];
    }
    return status;
}

/* What to join with: a technique and, behind colons, a width, a filter or a sharing. */
static akin_status read_technique(const char *text, akin_join_options *options, akin_papers_join_options *papers,
                                  akin_error *error)
{
    char name[64], *outer = NULL;
    snprintf(name, sizeof name, "%s", text);
    const char *word = strtok_r(name, ":", &outer);
    akin_status status = akin_technique_parse(akin_papers(), word ? word : "", &options->technique, error);
    while (status == AKIN_OK && (word = strtok_r(NULL, ":", &outer)) != NULL) {
        char *end;
        unsigned long bits = strtoul(word, &end, 10);
        if (*end == 0)
            options->bits = (uint32_t)bits;
        else if (akin_sharing_parse(word, &papers->sharing, NULL) != AKIN_OK)
            status = akin_technique_parse(akin_papers(), word, &papers->filter, error);
    }
    if (papers->filter != AKIN_AUTO || papers->sharing != AKIN_SHARING_AUTO)
        options->annex = papers;
    return status;
}

/* Fills the cell's options from its text. */
static akin_status parse_cell(cell *cell, akin_error *error)
{
    akin_status status = akin_ratio_parse(cell->threshold, &cell->options.threshold, error);
    return status == AKIN_OK ? read_technique(cell->technique, &cell->options, &cell->papers, error) : status;
}

/* One join. */
static akin_status run(akin_context *context, const akin_sets *sets, const cell *cell, figures *out, akin_error *error)
{
    *out = (figures){.summary.size = sizeof out->summary, .done.size = sizeof out->done};
    akin_status status = akin_join(context, sets, NULL, &cell->options, cell->keep ? add_pairs : NULL, &out->pairs,
                                   NULL, &out->report, error);
    if (status == AKIN_OK)
        status = akin_join_report_summary(out->report, &out->summary, error);
    return status == AKIN_OK ? add_up(out->report, &out->done, error) : status;
}

/* Runs a cell `repeats` times, but once if that takes beyond the end, and leaves the best run in *best, which may hold
 * one already. */
static akin_status repeat(akin_context *context, const akin_sets *sets, const cell *cell, uint32_t repeats, double end,
                          figures *best, akin_error *error)
{
    double seconds[REPEATS_MOST];
    uint32_t runs = 0;
    akin_status status = AKIN_OK;
    do {
        figures found;
        status = run(context, sets, cell, &found, error);
        seconds[runs++] = found.summary.seconds_join;
        if (runs == 1 || found.summary.seconds_join < best->summary.seconds_join) {
            akin_join_report_free(best->report);
            *best = found;
        } else {
            akin_join_report_free(found.report);
        }
    } while (status == AKIN_OK && runs < repeats && (end <= 0 || now() < end));
    if (status == AKIN_OK) {
        best->median = median(seconds, runs);
        best->runs = runs;
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------- line by line */

/* A collection, and the contexts that its joins have run in. */
typedef struct server {
    const char *file;
    akin_sets *sets;
    watch watch;
    double patience; /* seconds; 0: endless */
    struct {
        char device[32];
        uint32_t threads;
        akin_context *context;
    } open[MOST_CONTEXTS];
    uint32_t count;
} server;

/* Opens the GPU of a context that may use one, by a join of two sets: that is no part of what is measured, nor is how a
 * program that joins once weighs opening it. Without a GPU nothing happens. */
static void warm(akin_context *context)
{
    const uint64_t offsets[] = {0, 2, 4};
    const uint32_t tokens[] = {1, 2, 1, 2};
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    options.technique = AKIN_TENSOR;
    akin_sets *sets = NULL;
    akin_error error;
    if (akin_sets_from_arrays(context, 2, offsets, tokens, &sets, &error) == AKIN_OK)
        akin_join(context, sets, NULL, &options, NULL, NULL, NULL, NULL, &error);
    akin_sets_free(sets);
}

/* The context of a device and `threads` threads (0: all), which is kept open. */
static akin_status context_of(server *s, const char *device, uint32_t threads, akin_context **out, akin_error *error)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->open[i].threads == threads && strcmp(s->open[i].device, device) == 0) {
            *out = s->open[i].context;
            return AKIN_OK;
        }
    if (s->count == MOST_CONTEXTS) /* the first one has read the sets, and stays */
        akin_context_free(s->open[--s->count].context);
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.device = device;
    options.threads = threads;
    options.progress = see_progress;
    options.cancel = is_enough;
    options.user = &s->watch;
    akin_status status = akin_context_create(&options, out, error);
    if (status == AKIN_OK)
        status = akin_context_use(*out, akin_papers(), error);
    if (status != AKIN_OK)
        return status;
    snprintf(s->open[s->count].device, sizeof s->open->device, "%s", device);
    s->open[s->count].threads = threads;
    s->open[s->count++].context = *out;
    s->watch.begun = s->watch.part = 0;
    if (strcmp(device, "cpu") != 0)
        warm(*out);
    return AKIN_OK;
}

/* Measures a cell: the first run decides how often it is repeated. */
static akin_status serve_cell(server *s, akin_context *context, const cell *cell, akin_error *error)
{
    figures best = {0};
    double end = s->patience > 0 ? now() + s->patience : 0;
    s->watch.begun = s->watch.part = 0;
    akin_status status = repeat(context, s->sets, cell, 1, 0, &best, error);
    double seconds = best.summary.seconds_join;
    s->watch.begun = 0;
    if (status == AKIN_OK && seconds > s->watch.limit) {
        status = AKIN_E_CANCELLED;
    } else if (status == AKIN_OK && seconds < 1 && (end <= 0 || now() < end)) {
        double limit = s->watch.limit;
        s->watch.limit = 0; /* it was fast enough once */
        status = repeat(context, s->sets, cell, seconds < 0.3 ? 5 : 3, end, &best, error);
        s->watch.limit = limit;
    }
    if (status == AKIN_OK)
        print_figures(cell, &best);
    akin_join_report_free(best.report);
    return status;
}

/* Does what a line says, and answers. */
static void serve_line(server *s, char *line)
{
    char *words[5], *rest = NULL;
    for (int i = 0; i < 5; i++)
        words[i] = strtok_r(i ? NULL : line, " \n", &rest);
    if (!words[4]) {
        printf("failed expected 5 words: THRESHOLD TECHNIQUE DEVICE THREADS count|sorted|unsorted\n");
        fflush(stdout);
        return;
    }
    cell cell = {.file = s->file,
                 .threshold = words[0],
                 .technique = words[1],
                 .options = AKIN_JOIN_OPTIONS_INIT,
                 .papers = AKIN_PAPERS_JOIN_OPTIONS_INIT};
    cell.keep = strcmp(words[4], "count") != 0;
    cell.options.any_order = strcmp(words[4], "unsorted") == 0;
    akin_error error;
    akin_context *context = NULL;
    int asked = 0;
    akin_status status = parse_cell(&cell, &error);
    if (status == AKIN_OK)
        status = context_of(s, words[2], (uint32_t)strtoul(words[3], NULL, 10), &context, &error);
    if (status == AKIN_OK) {
        asked = 1;
        status = serve_cell(s, context, &cell, &error);
    }
    if (status == AKIN_E_CANCELLED)
        printf("stopped\n");
    else if (status != AKIN_OK)
        printf("%s %s\n", asked && status != AKIN_E_OPTION ? "failed" : "refused", error.message);
    fflush(stdout);
}

static akin_status serve(server *s, akin_error *error)
{
    akin_context *context = NULL;
    char line[256];
    akin_status status = context_of(s, "cpu", 0, &context, error);
    if (status == AKIN_OK)
        status = akin_sets_read(context, s->file, &s->sets, error);
    while (status == AKIN_OK && fgets(line, sizeof line, stdin))
        serve_line(s, line);
    akin_sets_free(s->sets);
    while (s->count)
        akin_context_free(s->open[--s->count].context);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- at once */

/* Measures all thresholds with all techniques. */
static akin_status measure(char **words, uint32_t threads, uint32_t repeats, akin_error *error)
{
    akin_context *context = NULL;
    akin_sets *sets = NULL;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.threads = threads;
    options.device = getenv("JOIN_BENCH_DEVICE");
    akin_status status = akin_context_create(&options, &context, error);
    if (status == AKIN_OK)
        status = akin_context_use(context, akin_papers(), error);
    if (status == AKIN_OK)
        status = akin_sets_read(context, words[0], &sets, error);
    const char *thresholds[NAMES_MOST], *techniques[NAMES_MOST];
    uint32_t rows = cut(words[1], thresholds), columns = cut(words[2], techniques);
    for (uint32_t i = 0; i < rows * columns && status == AKIN_OK; i++) {
        cell cell = {.file = words[0], .threshold = thresholds[i / columns], .technique = techniques[i % columns]};
        cell.options = (akin_join_options)AKIN_JOIN_OPTIONS_INIT;
        cell.papers = (akin_papers_join_options)AKIN_PAPERS_JOIN_OPTIONS_INIT;
        figures best = {0};
        status = parse_cell(&cell, error);
        if (status == AKIN_OK)
            status = repeat(context, sets, &cell, repeats, 0, &best, error);
        if (status == AKIN_OK)
            print_figures(&cell, &best);
        akin_join_report_free(best.report);
    }
    akin_sets_free(sets);
    akin_context_free(context);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr,
                "usage: join_bench FILE THRESHOLD[,...] TECHNIQUE[:BITS|FILTER|SHARING...][,...] [THREADS "
                "[REPEATS]]\n"
                "       join_bench FILE - LIMIT [PATIENCE]\n");
        return 2;
    }
    akin_error error;
    akin_status status;
    if (strcmp(argv[2], "-") == 0) {
        server server = {.file = argv[1], .watch.limit = strtod(argv[3], NULL)};
        server.patience = argc > 4 ? strtod(argv[4], NULL) : 0;
        status = serve(&server, &error);
    } else {
        unsigned long threads = argc > 4 ? strtoul(argv[4], NULL, 10) : 1;
        unsigned long repeats = argc > 5 ? strtoul(argv[5], NULL, 10) : 5;
        if (repeats < 1 || repeats > REPEATS_MOST) {
            fprintf(stderr, "join_bench: expected 1 to %d repeats\n", REPEATS_MOST);
            return 2;
        }
        status = measure(argv + 1, (uint32_t)threads, (uint32_t)repeats, &error);
    }
    if (status != AKIN_OK)
        fprintf(stderr, "join_bench: %s\n", error.message);
    return status != AKIN_OK;
}
