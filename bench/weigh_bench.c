/*
 * Times akin_weigh:
 *
 *     weigh_bench FILE [THREADS [REPEATS [FORMULA [DEVICE [ORDER]]]]]
 *
 * FILE is text, its documents separated by blank lines, such as `akin generate text` makes; THREADS is 1, REPEATS is 5,
 * DEVICE is cpu, or cuda: what a user gets there, while weigh_gpu_bench looks closer. ORDER is document, or term. Timed
 * is what lies between text in memory and weights in memory: finding the documents, and akin_weigh. One line: best and
 * median seconds, bytes per second of the best, processor time of the best, what there was, and the sum of the weights.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "collection.h"
#include "timing.h"

#include <inttypes.h>

static double processor(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static akin_status run(akin_context *context, collection *c, const akin_weigh_options *options, double *seconds,
                       double *busy, akin_weights **weights, akin_error *error)
{
    double start = now(), start_busy = processor();
    find_documents(c);
    akin_column column = {sizeof column, "text", c->offsets, c->bytes, NULL, 0, NULL, 0, 0};
    akin_status status = akin_weigh(context, &column, 1, c->documents, options, weights, error);
    *seconds = now() - start;
    *busy = processor() - start_busy;
    return status;
}

static akin_status time_runs(akin_context *context, const char *path, collection *c, const akin_weigh_options *options,
                             int repeats, akin_error *error)
{
    double seconds[REPEATS_MOST] = {0}, least = 0, busy, sum = 0;
    akin_weights_statistics about = {.size = sizeof about};
    akin_status status = AKIN_OK;
    for (int i = 0; i < repeats && status == AKIN_OK; i++) {
        akin_weights *weights = NULL;
        status = run(context, c, options, &seconds[i], &busy, &weights, error);
        least = i == 0 || busy < least ? busy : least;
        if (status == AKIN_OK && i + 1 == repeats) {
            status = akin_weights_describe(weights, &about, error);
            if (status == AKIN_OK)
                status = akin_weights_sum(context, weights, &sum, error);
        }
        akin_weights_free(weights);
    }
    if (status != AKIN_OK)
        return status;
    print_runs(path, akin_formula_name(options->formula), seconds, repeats, (double)c->length);
    printf("  processor %.4f s  %" PRIu32 " documents  %" PRIu64 " words  %" PRIu64 " pairs  %" PRIu32
           " terms  weight %.17g\n",
           least, about.documents, about.words, about.pairs, about.terms, sum);
    return AKIN_OK;
}

int main(int argc, char **argv)
{
    akin_context_options about = AKIN_CONTEXT_OPTIONS_INIT;
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error = {0};
    collection c = {0};
    int repeats = argc > 3 ? atoi(argv[3]) : 5;
    about.threads = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    about.device = argc > 5 ? argv[5] : "cpu";
    if (argc > 6 && strcmp(argv[6], "term") == 0)
        options.order = AKIN_WEIGHTS_BY_TERM;
    if (argc < 2 || argc > 7 || repeats < 1 || repeats > REPEATS_MOST) {
        fprintf(stderr, "usage: weigh_bench FILE [THREADS [REPEATS [FORMULA [DEVICE [ORDER]]]]]\n");
        return 2;
    }
    if (!read_text(argv[1], &c)) {
        fprintf(stderr, "weigh_bench: %s cannot be read\n", argv[1]);
        return 2;
    }
    akin_status status = argc > 4 ? akin_formula_parse(argv[4], &options.formula, &error) : AKIN_OK;
    if (status == AKIN_OK)
        status = akin_context_create(&about, &context, &error);
    if (status == AKIN_OK)
        status = time_runs(context, argv[1], &c, &options, repeats, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "weigh_bench: %s\n", error.message);
    akin_context_free(context);
    free(c.bytes);
    free(c.offsets);
    return status == AKIN_OK ? 0 : 1;
}
