/*
 * How fast this machine joins, compared with the machines whose prices the planner has. Each figure is the measured
 * time of small joins of generated sets, divided by their predicted time. Joins measure the CPU for each way to spend
 * time: walking lists, comparing signatures list by list, and comparing those of all pairs. Some have what they look at
 * in caches, and others do not. Three joins by AKIN_TENSOR measure a GPU; in them the transfer of the sets, the
 * comparison and the verification weigh most.
 */
#include "base/annex.h"
#include "base/clock.h"
#include "base/elementary.h"
#include "join/join.h"
#include "base/context.h"
#include "base/memory.h"
#include "base/options.h"
#include "device/devices.h"
#include "device/worth.h"
#include "join/plan.h"
#include "join/price.h"
#include "join/technique_rows.h"
#include "join/weigh.h"
#include "sets/generate.h"

AKIN_OPTIONS_END(akin_calibration, gpu_verify);

#define RUNS      5
#define SCALE_LOW 0.02
#define SCALE_TOP 50

/* A join that is timed. */
typedef struct probe {
    akin_technique technique;
    uint32_t bits;
    akin_ratio threshold;
    uint32_t rows, universe;
    double mean;
} probe;

/* Prices are off by a third for some joins, so a probe's ratio has an error of its own. A kind of work differs from all
 * of them together by this share, as an exponent, of what its probes say. */
#define OWN_SHARE 0.25

#define CPU_KINDS  3
#define CPU_PROBES 3

static const probe cpu_probes[CPU_KINDS][CPU_PROBES] = {
    {{AKIN_PPJOIN, 0, {6, 10}, 40000, 20000, 10},
     {AKIN_PPJOIN, 0, {8, 10}, 100000, 200000, 12},
     {AKIN_PPJOIN, 0, {8, 10}, 20000, 50000, 60}},
    {{AKIN_SCREENED, 128, {6, 10}, 40000, 20000, 10},
     {AKIN_SCREENED, 64, {8, 10}, 100000, 200000, 12},
     {AKIN_SCREENED, 256, {8, 10}, 20000, 50000, 60}},
    {{AKIN_BITMAP, 256, {7, 10}, 8000, 4000, 90},
     {AKIN_BITMAP, 128, {9, 10}, 30000, 20000, 10},
     {AKIN_BITMAP, 256, {8, 10}, 20000, 50000, 60}},
};

/* What weighs most: bringing sets, comparing signatures, verifying candidates. */
static const probe gpu_probes[] = {
    {AKIN_TENSOR, 256, {1, 1}, 60000, 50000, 60},
    {AKIN_TENSOR, 256, {5, 10}, 300000, 20000, 10},
    {AKIN_TENSOR, 256, {2, 10}, 20000, 2000, 40},
};

/* What a probe did. */
typedef struct outcome {
    double seconds; /* the median; of the CPU's joins without the time that other programs had the processor */
    akin_join_step done;
    akin_join_summary summary;
} outcome;

static akin_status run_once(const akin_scope *scope, const probe *probe, const akin_sets *sets, outcome *out,
                            akin_error *error)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_report *report = NULL;
    options.technique = probe->technique;
    options.bits = probe->bits;
    options.threshold = probe->threshold;
    *out = (outcome){.done.size = sizeof out->done, .summary.size = sizeof out->summary};
    double start = akin_clock(), used = akin_clock_of_thread();
    akin_status status = akin_join_within(scope, sets, NULL, &options, NULL, NULL, NULL, &report, error);
    if (status == AKIN_OK)
        status = akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &out->done, error);
    if (status == AKIN_OK)
        status = akin_join_report_summary(report, &out->summary, error);
    akin_join_report_free(report);
    double share = (akin_clock_of_thread() - used) / (akin_clock() - start);
    out->seconds = out->done.seconds * (!out->done.device && share > 0 && share < 1 ? share : 1);
    return status;
}

static akin_status run_probe(const akin_scope *scope, const probe *probe, outcome *out, akin_error *error)
{
    akin_generate_options generate = AKIN_GENERATE_OPTIONS_INIT;
    akin_sets *sets = NULL;
    double taken[RUNS];
    generate.rows = probe->rows;
    generate.universe = probe->universe;
    generate.size_mean = probe->mean;
    generate.size_deviation = probe->mean / 4;
    generate.zipf = 0.8;
    akin_status status = akin_sets_generate_within(scope, &generate, &sets, error);
    for (int run = 0; run < RUNS && status == AKIN_OK; run++) {
        status = run_once(scope, probe, sets, out, error);
        int at = run;
        for (; at && taken[at - 1] > out->seconds; at--)
            taken[at] = taken[at - 1];
        taken[at] = out->seconds;
    }
    akin_sets_free(sets);
    if (status == AKIN_OK)
        out->seconds = taken[RUNS / 2];
    return status;
}

static double limit_rate(double scale)
{
    return scale < SCALE_LOW ? SCALE_LOW : scale > SCALE_TOP ? SCALE_TOP : scale;
}

/* How many times as long as predicted the join within a probe took. The rest of the probe took `rest` seconds. This is
 * known only roughly, so the join counts as at least a tenth of the probe. */
static double time_join(const outcome *took, double rest, double predicted)
{
    double share = took->seconds - rest;
    if (!(predicted > 0))
        return 1;
    return limit_rate((share > 0.1 * took->seconds ? share : 0.1 * took->seconds) / predicted);
}

/* What a step was predicted to take before any calibration. */
static double predicted_plainly(const akin_scope *scope, const akin_join_step *step)
{
    const akin_technique_row *row = akin_technique_of(akin_annex_of(scope), step->technique);
    return step->predicted_seconds / akin_calibrated_scale(scope, row->kind);
}

static akin_status measure_cpu(const akin_scope *scope, akin_calibration *out, akin_error *error)
{
    double *const scales[] = {&out->index, &out->screened, &out->bitmap};
    double logarithms[CPU_KINDS], all = 0;
    /* prices are those of one thread */
    const akin_scope alone = akin_scope_narrow(scope, (akin_narrowing){.threads = 1, .on_cpu = 1});
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < CPU_KINDS && status == AKIN_OK; i++) {
        double sum = 0;
        for (size_t k = 0; k < CPU_PROBES && status == AKIN_OK; k++) {
            outcome took = {0};
            status = run_probe(&alone, &cpu_probes[i][k], &took, error);
            sum += akin_logarithm_of(limit_rate(took.seconds / predicted_plainly(&alone, &took.done)));
        }
        logarithms[i] = sum / CPU_PROBES;
        all += logarithms[i] / CPU_KINDS;
    }
    for (size_t i = 0; i < CPU_KINDS && status == AKIN_OK; i++)
        *scales[i] = limit_rate(akin_exponential(all + OWN_SHARE * (logarithms[i] - all)));
    return status;
}

/* Opens the GPU, if there is one. *scale is the time that this took, divided by the predicted time; 0: it was open. */
static akin_device *open_calibrated_gpu(const akin_scope *scope, double *scale)
{
    akin_device *device = NULL;
    int opened = !akin_device_opened(scope);
    double start = akin_clock();
    if (akin_device_of(scope, &device, NULL) != AKIN_OK)
        return NULL;
    *scale = device && opened ? limit_rate((akin_clock() - start) / AKIN_DEVICE_OPENS) : 0;
    return device;
}

/* Measures a GPU; *out keeps zeros for one that is not there or that fails. */
static akin_status measure_gpu(const akin_scope *scope, akin_calibration *out, akin_error *error)
{
    outcome took[3] = {{0}};
    akin_tensor_seconds seconds[3];
    akin_calibration own = *out;
    akin_status status = AKIN_OK;
    const akin_gpu_prices price = akin_gpu_prices_plain(scope);
    if (!open_calibrated_gpu(scope, &own.gpu_open))
        return AKIN_OK;
    for (int i = 0; i < 3 && status == AKIN_OK; i++) {
        status = run_probe(scope, &gpu_probes[i], &took[i], error);
        const akin_join_summary *summary = &took[i].summary;
        const akin_tensor_work work = {.tokens = (double)summary->tokens_left,
                                       .tokens_a_set = (double)summary->tokens_left / summary->rows_left,
                                       .compatible = (double)summary->pairs_compatible,
                                       .universe = summary->universe,
                                       .bits = gpu_probes[i].bits,
                                       .exact = took[i].done.exact,
                                       .candidates = (double)took[i].done.candidates};
        seconds[i] = akin_tensor_predict(&price, &work);
    }
    if (status != AKIN_OK)
        return status == AKIN_E_CANCELLED ? status : AKIN_OK;
    own.gpu_transfer = time_join(&took[0], seconds[0].compare + seconds[0].verify, seconds[0].bring);
    own.gpu_compare = time_join(&took[1], own.gpu_transfer * seconds[1].bring + seconds[1].verify, seconds[1].compare);
    own.gpu_verify = time_join(&took[2], own.gpu_transfer * seconds[2].bring + own.gpu_compare * seconds[2].compare,
                               seconds[2].verify);
    *out = own;
    return AKIN_OK;
}

akin_status akin_context_measure(akin_context *context, akin_calibration *out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_calibration own = {.size = sizeof own};
    akin_status status = akin_options_check(out, sizeof own, "akin_calibration", error);
    if (status == AKIN_OK)
        status = measure_cpu(scope, &own, error);
    if (status == AKIN_OK)
        status = measure_gpu(scope, &own, error);
    return status == AKIN_OK ? akin_options_write(&own, sizeof own, out, "akin_calibration", error) : status;
}

akin_status akin_context_calibrate(akin_context *context, const akin_calibration *calibration, akin_error *error)
{
    akin_calibration own = {.size = sizeof own, .index = 1, .screened = 1, .bitmap = 1};
    akin_status status = akin_options_read(calibration, &own, sizeof own, sizeof own, "akin_calibration", error);
    if (status != AKIN_OK)
        return status;
    const struct {
        double scale;
        int may_be_unknown; /* where there is no GPU */
    } given[AKIN_CALIBRATED_KINDS] = {
        [AKIN_CALIBRATED_LISTS] = {own.index, 0},           [AKIN_CALIBRATED_SCREENED] = {own.screened, 0},
        [AKIN_CALIBRATED_BITMAP] = {own.bitmap, 0},         [AKIN_CALIBRATED_OPENING] = {own.gpu_open, 1},
        [AKIN_CALIBRATED_TRANSFER] = {own.gpu_transfer, 1}, [AKIN_CALIBRATED_COMPARE] = {own.gpu_compare, 1},
        [AKIN_CALIBRATED_VERIFY] = {own.gpu_verify, 1}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (!(given[i].scale >= SCALE_LOW && given[i].scale <= SCALE_TOP) &&
            !(given[i].may_be_unknown && given[i].scale == 0))
            return akin_fail(error, AKIN_E_OPTION, "a calibration of %g: expected %g to %d%s", given[i].scale,
                             SCALE_LOW, SCALE_TOP, given[i].may_be_unknown ? ", or 0 where it is not known" : "");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        context->scale[i] = given[i].scale;
    return AKIN_OK;
}
