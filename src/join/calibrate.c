/*
 * How fast this machine joins, compared with the one whose prices the planner has: three small joins of generated
 * sets, one for each way to spend time (walking lists, comparing signatures list by list, comparing those of all
 * pairs).
 */
#include "base/memory.h"
#include "base/options.h"
#include "base/random.h"
#include "join/plan.h"

AKIN_OPTIONS_END(akin_calibration, bitmap);

#define RUNS      5
#define SCALE_LOW 0.02
#define SCALE_TOP 50

static const struct probe {
    akin_technique technique;
    uint32_t bits;
    akin_ratio threshold;
    uint32_t rows, universe;
    double mean;
    double seconds[3]; /* by SIMD level, where the prices were measured (docs/benchmarks.md) */
} probes[] = {
    {AKIN_PPJOIN, 0, {6, 10}, 40000, 20000, 10, {0.01463, 0.01455, 0.01463}},
    {AKIN_SCREENED, 128, {6, 10}, 40000, 20000, 10, {0.01045, 0.00733, 0.00702}},
    {AKIN_BITMAP, 256, {7, 10}, 8000, 4000, 90, {0.0923, 0.0159, 0.0088}},
};

/* The median of the seconds that a probe takes. */
static akin_status time_probe(akin_context *context, const struct probe *probe, double *seconds, akin_error *error)
{
    akin_generate_options generate = AKIN_GENERATE_OPTIONS_INIT;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_sets *sets = NULL;
    double taken[RUNS];
    generate.rows = probe->rows;
    generate.universe = probe->universe;
    generate.size_mean = probe->mean;
    generate.size_deviation = probe->mean / 4;
    generate.zipf = 0.8;
    options.technique = probe->technique;
    options.bits = probe->bits;
    options.threshold = probe->threshold;
    akin_status status = akin_sets_generate(context, &generate, &sets, error);
    for (int run = 0; run < RUNS && status == AKIN_OK; run++) {
        akin_join_report *report = NULL;
        akin_join_step done = {.size = sizeof done};
        status = akin_join(context, sets, NULL, &options, NULL, NULL, NULL, &report, error);
        if (status == AKIN_OK)
            status = akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &done, error);
        akin_join_report_free(report);
        int at = run;
        for (; at && taken[at - 1] > done.seconds; at--)
            taken[at] = taken[at - 1];
        taken[at] = done.seconds;
    }
    akin_sets_free(sets);
    if (status == AKIN_OK)
        *seconds = taken[RUNS / 2];
    return status;
}

static double limit(double scale)
{
    return scale < SCALE_LOW ? SCALE_LOW : scale > SCALE_TOP ? SCALE_TOP : scale;
}

akin_status akin_context_measure(akin_context *context, akin_calibration *out, akin_error *error)
{
    akin_calibration own = {.size = sizeof own};
    double *const scales[] = {&own.index, &own.screened, &own.bitmap};
    akin_context alone = *context; /* prices are those of one thread */
    akin_status status = akin_options_check(out, sizeof own, "akin_calibration", error);
    alone.threads = 1;
    for (size_t i = 0; i < sizeof probes / sizeof *probes && status == AKIN_OK; i++) {
        double seconds = 0;
        status = time_probe(&alone, &probes[i], &seconds, error);
        *scales[i] = limit(seconds / probes[i].seconds[context->cpu]);
    }
    return status == AKIN_OK ? akin_options_write(&own, sizeof own, out, "akin_calibration", error) : status;
}

akin_status akin_context_calibrate(akin_context *context, const akin_calibration *calibration, akin_error *error)
{
    akin_calibration own = {.size = sizeof own, .index = 1, .screened = 1, .bitmap = 1};
    akin_status status = akin_options_read(calibration, &own, sizeof own, sizeof own, "akin_calibration", error);
    if (status != AKIN_OK)
        return status;
    const double scales[] = {own.index, own.screened, own.bitmap};
    for (int i = 0; i < 3; i++)
        if (!(scales[i] >= SCALE_LOW && scales[i] <= SCALE_TOP))
            return akin_fail(error, AKIN_E_OPTION, "a calibration of %g: expected %g to %d", scales[i], SCALE_LOW,
                             SCALE_TOP);
    for (int i = 0; i < 3; i++)
        context->scale[i] = scales[i];
    return AKIN_OK;
}
