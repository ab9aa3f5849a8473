/*
 * Compares what the planner chooses and predicts with what joins take: Jaccard self-joins of one collection, on one
 * thread, or on a GPU with all threads beside it.
 *
 *     plan_bench FILE THRESHOLD[,THRESHOLD...] TECHNIQUE[,TECHNIQUE...] [ROUNDS [SECONDS [CALIBRATION]]]
 *
 * A round runs each technique once, in turn, so that what else the machine does befalls all of them alike. A threshold
 * has ROUNDS (7) rounds, but none begins after SECONDS (5). From the second round on, techniques that took over 4 times
 * as long as the fastest are left out. In the first, a run that takes over 1 s and over 8 times as long as the fastest
 * is stopped, and has no line. Each run on the CPU is a process of its own, whose memory is as fresh as that of a
 * command. With CALIBRATION, such as 1.2,1.1,0.9, the prices of lists, screens and bitmaps are multiplied by these
 * factors; `measure` measures them first.
 * PLAN_BENCH_DEVICE in the environment names the device; on a GPU all runs are in one process, and the first, which
 * opens it, does not count. PLAN_BENCH_THREADS is the number of threads.
 *
 * A line for each threshold and technique has these columns, with tabs between. Seconds are medians, of processor time
 * where the join runs on the CPU.
 *
 *     file threshold technique     what was asked
 *     chosen                       technique:bits/narrow bits of the longest step, and the number of steps
 *     runs step plan whole         how many runs; seconds of the steps, of planning, and of the whole call
 *     predicted                    seconds of the steps
 *     compared candidates          and of the candidates the predicted number
 *     predicted_candidates pairs
 *     sets tokens universe compatible
 *     least                        seconds of the steps of the fastest run
 */
#define _POSIX_C_SOURCE 200809L

#include "akin.h"
#include "timing.h"

#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS_MOST 25
#define HOPELESS    4
#define PATIENT     1.0 /* seconds */
#define STOPPED     8

/* What a run did. It goes through a pipe from the process that ran it. */
typedef struct outcome {
    int status;
    uint32_t steps;
    double step, plan, whole, predicted, predicted_candidates;
    akin_join_step longest;
    uint64_t compared, candidates;
    akin_join_summary summary;
} outcome;

/* When a run is stopped: the processor's seconds; 0: never. */
static double stops_at;

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int is_enough(void *user)
{
    (void)user;
    return stops_at > 0 && processor_seconds() > stops_at;
}

static akin_status add_steps(const akin_join_report *report, outcome *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    double longest = -1;
    out->steps = akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE);
    for (uint32_t i = 0; i < out->steps && status == AKIN_OK; i++) {
        akin_join_step step = {.size = sizeof step};
        status = akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, error);
        if (step.seconds > longest)
            out->longest = step;
        longest = out->longest.seconds;
        out->step += step.seconds;
        out->predicted += step.predicted_seconds;
        out->predicted_candidates += step.predicted_candidates;
        out->compared += step.compared;
        out->candidates += step.candidates;
    }
    return status;
}

/* Joins once. Where the processor was shared with others, the seconds of the clock shrink by its share. */
static void run(akin_context *context, const akin_sets *sets, const akin_join_options *options, int on_gpu,
                outcome *out)
{
    akin_error error = {.code = AKIN_OK};
    akin_join_report *report = NULL;
    memset(out, 0, sizeof *out);
    out->summary.size = sizeof out->summary;
    double start = now(), used = processor_seconds();
    akin_status status = akin_join(context, sets, NULL, options, NULL, NULL, NULL, &report, &error);
    out->whole = now() - start;
    used = processor_seconds() - used;
    double share = !on_gpu && used < out->whole ? used / out->whole : 1;
    if (status == AKIN_OK)
        status = akin_join_report_summary(report, &out->summary, &error);
    if (status == AKIN_OK)
        status = add_steps(report, out, &error);
    akin_join_report_free(report);
    out->whole *= share;
    out->step *= share;
    out->plan = out->summary.seconds_plan * share;
    out->status = (int)status;
    if (status != AKIN_OK && status != AKIN_E_CANCELLED)
        fprintf(stderr, "plan_bench: %s\n", error.message);
}

/* The same in a process of its own. */
static int run_apart(akin_context *context, const akin_sets *sets, const akin_join_options *options, double limit,
                     outcome *out)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0) {
        stops_at = limit > 0 ? processor_seconds() + limit : 0;
        run(context, sets, options, 0, out);
        ssize_t written = write(ends[1], out, sizeof *out);
        _exit(written != (ssize_t)sizeof *out);
    }
    close(ends[1]);
    size_t had = 0;
    for (ssize_t some = 1; child > 0 && had < sizeof *out && some > 0; had += some > 0 ? (size_t)some : 0)
        some = read(ends[0], (char *)out + had, sizeof *out - had);
    close(ends[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    return child > 0 && had == sizeof *out && status == 0;
}

static double median(double *seconds, uint32_t count)
{
    qsort(seconds, count, sizeof *seconds, rising);
    return (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
}

/* The runs of a technique at a threshold. */
typedef struct series {
    outcome last;
    uint32_t runs;
    double step[ROUNDS_MOST], plan[ROUNDS_MOST], whole[ROUNDS_MOST];
} series;

static void print_series(const char *file, const char *threshold, const char *technique, series *s)
{
    const outcome *o = &s->last;
    const akin_join_summary *summary = &o->summary;
    const double step = median(s->step, s->runs); /* which sorts them */
    printf("%s\t%s\t%s\t%s:%u/%u*%u\t%u\t%.6f\t%.6f\t%.6f\t%.6f\t%llu\t%llu\t%.0f\t%llu\t%u\t%llu\t%llu\t%llu\t%.6f\n",
           file_name(file), threshold, technique, akin_technique_name(NULL, o->longest.technique), o->longest.bits,
           o->longest.bits_screen, o->steps, s->runs, step, median(s->plan, s->runs), median(s->whole, s->runs),
           o->predicted, (unsigned long long)o->compared, (unsigned long long)o->candidates, o->predicted_candidates,
           (unsigned long long)summary->pairs_found, summary->rows_left, (unsigned long long)summary->tokens_left,
           (unsigned long long)summary->universe, (unsigned long long)summary->pairs_compatible, s->step[0]);
    fflush(stdout);
}

/* What is measured, and how. */
typedef struct bench {
    akin_context *context;
    akin_sets *sets;
    const char *file, *techniques[NAMES_MOST];
    uint32_t technique_count, rounds;
    double seconds;
    int on_gpu;
} bench;

/* Runs one technique once more, for at most `limit` seconds unless that is 0. The first run on a GPU does not count. */
static int add_run(const bench *b, const akin_join_options *options, double limit, series *s)
{
    if (b->on_gpu) {
        if (s->runs == 0)
            run(b->context, b->sets, options, 1, &s->last);
        run(b->context, b->sets, options, 1, &s->last);
    } else if (!run_apart(b->context, b->sets, options, limit, &s->last)) {
        fprintf(stderr, "plan_bench: a process failed\n");
        return 0;
    }
    if (s->last.status == (int)AKIN_E_CANCELLED)
        return 1;
    s->step[s->runs] = s->last.step;
    s->plan[s->runs] = s->last.plan;
    s->whole[s->runs++] = s->last.whole;
    return s->last.status == (int)AKIN_OK;
}

/* The seconds of a series' fastest run. */
static double least_of(const series *s)
{
    double least = s->step[0];
    for (uint32_t i = 1; i < s->runs; i++)
        least = s->step[i] < least ? s->step[i] : least;
    return least;
}

static int measure_threshold(const bench *b, const char *threshold)
{
    static series all[NAMES_MOST];
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    double start = now(), best = 0;
    if (akin_ratio_parse(threshold, &options.threshold, NULL) != AKIN_OK)
        return 0;
    memset(all, 0, sizeof all);
    for (uint32_t round = 0; round < b->rounds && (round == 0 || now() - start < b->seconds); round++)
        for (uint32_t t = 0; t < b->technique_count; t++) {
            series *s = &all[t];
            if (round > 0 && (s->runs == 0 || least_of(s) > HOPELESS * best))
                continue;
            double limit = round > 0 || best == 0 ? 0 : best * STOPPED > PATIENT ? best * STOPPED : PATIENT;
            if (akin_technique_parse(NULL, b->techniques[t], &options.technique, NULL) != AKIN_OK ||
                !add_run(b, &options, limit, s))
                return 0;
            if (s->runs > 0)
                best = best > 0 && best < least_of(s) ? best : least_of(s);
        }
    for (uint32_t t = 0; t < b->technique_count; t++)
        if (all[t].runs > 0)
            print_series(b->file, threshold, b->techniques[t], &all[t]);
    return 1;
}

/* Multiplies prices by the factors in `text`, or by those that are measured. */
static akin_status calibrate(akin_context *context, const char *text, akin_error *error)
{
    akin_calibration factors = {.size = sizeof factors, .index = 1, .screened = 1, .bitmap = 1};
    if (strcmp(text, "measure") == 0) {
        akin_status status = akin_context_measure(context, &factors, error);
        if (status != AKIN_OK)
            return status;
    } else {
        sscanf(text, "%lf,%lf,%lf", &factors.index, &factors.screened, &factors.bitmap);
    }
    fprintf(stderr, "calibrated: %.3f,%.3f,%.3f\n", factors.index, factors.screened, factors.bitmap);
    return akin_context_calibrate(context, &factors, error);
}

/* Of the environment, or one on the CPU, and all (0) beside a GPU. */
static uint32_t threads_wished(int on_gpu)
{
    const char *text = getenv("PLAN_BENCH_THREADS");
    return text ? (uint32_t)strtoul(text, NULL, 10) : !on_gpu;
}

int main(int argc, char **argv)
{
    bench b = {.rounds = 7, .seconds = 5};
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    const char *thresholds[NAMES_MOST];
    akin_error error;
    if (argc < 4) {
        fprintf(stderr, "usage: plan_bench FILE THRESHOLD[,...] TECHNIQUE[,...] [ROUNDS [SECONDS [CALIBRATION]]]\n");
        return 2;
    }
    if (argc > 4)
        b.rounds = (uint32_t)strtoul(argv[4], NULL, 10);
    if (argc > 5)
        b.seconds = strtod(argv[5], NULL);
    b.rounds = b.rounds < 1 ? 1 : b.rounds > ROUNDS_MOST ? ROUNDS_MOST : b.rounds;
    b.file = argv[1];
    options.cancel = is_enough;
    options.device = getenv("PLAN_BENCH_DEVICE");
    b.on_gpu = options.device && strcmp(options.device, "cpu") != 0;
    options.threads = threads_wished(b.on_gpu);
    if (!b.on_gpu)
        options.device = "cpu";
    akin_status status = akin_context_create(&options, &b.context, &error);
    if (status == AKIN_OK && argc > 6)
        status = calibrate(b.context, argv[6], &error);
    if (status == AKIN_OK)
        status = akin_sets_read(b.context, b.file, &b.sets, &error);
    if (status != AKIN_OK) {
        fprintf(stderr, "plan_bench: %s\n", error.message);
        return 1;
    }
    uint32_t rows = cut(argv[2], thresholds);
    b.technique_count = cut(argv[3], b.techniques);
    int done = 1;
    for (uint32_t i = 0; i < rows && done; i++)
        done = measure_threshold(&b, thresholds[i]);
    akin_sets_free(b.sets);
    akin_context_free(b.context);
    return !done;
}
