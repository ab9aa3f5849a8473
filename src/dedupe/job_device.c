/* Chooses between CPU and GPU, and has the GPU compare. */
#include "base/clock.h"
#include "device/worth.h"
#include "dedupe/gpu_parts.h"
#include "dedupe/job.h"
#include "dedupe/selections.h"
#include "device/devices.h"

#define PAIRS_A_SECOND 1e7 /* compared by a thread, about, */
#define SECONDS_ON_GPU 0.2 /* and what a GPU takes until it has the values and has made their bags */

typedef akin_dedupe_job job;

/* Pairs that selections may select, about. */
static double pairs_expected(const job *j)
{
    double pairs = 0;
    for (uint32_t i = 0; i < j->options.selection_count; i++) {
        const akin_selection *s = &j->options.selections[i];
        pairs += akin_selection_row_of(s->kind)->expected(&j->options, s, &j->records);
    }
    return pairs;
}

akin_status akin_dedupe_check_device(akin_device_choice device, const akin_dedupe_options *options, akin_error *error)
{
    return device == AKIN_DEVICE_CUDA ? akin_gpu_check(options, error) : AKIN_OK;
}

/* Opens a GPU if one is required or worth it. */
akin_status akin_dedupe_choose_device(akin_dedupe_job *job, akin_error *error)
{
    akin_dedupe_job *j = job;
    int can = akin_gpu_check(&j->options, NULL) == AKIN_OK;
    akin_status status = akin_dedupe_check_device(j->scope->device_choice, &j->options, error);
    j->device = NULL;
    if (status != AKIN_OK || !can)
        return status;
    const double scale = akin_calibrated_scale(j->scope, AKIN_CALIBRATED_SCREENED);
    const akin_device_estimate e = {.here = scale * pairs_expected(j) / (PAIRS_A_SECOND * j->scope->threads),
                                    .there = SECONDS_ON_GPU};
    if (!akin_device_is_worth(j->scope, &e))
        return AKIN_OK;
    status = akin_device_of(j->scope, &j->device, error);
    if (j->report.pairs_all == 0)
        j->device = NULL;
    return status;
}

/* A value that the GPU does not take: either it is refused here, too, or it is too long. */
static akin_status explain_unfit(job *j, uint32_t column, akin_error *error)
{
    akin_values values = {0};
    akin_status status = akin_values_make(j->scope, &j->account, &j->records, column, &values, error);
    akin_values_clear(&values);
    if (status != AKIN_OK)
        return status;
    const char *name = j->records.columns[0][column].name;
    return akin_fail(error, AKIN_E_OPTION,
                     "%s%srecords cannot be compared on a GPU where values have more than 512 symbols; use the device "
                     "cpu or auto",
                     name ? name : "", name && *name ? ": " : "");
}

/* What a GPU is to do. */
static akin_gpu_job job_of_gpu(job *j)
{
    return (akin_gpu_job){.scope = j->scope,
                          .account = &j->account,
                          .device = j->device,
                          .options = &j->options,
                          .records = &j->records,
                          .columns = j->columns,
                          .gathering = &j->gathering,
                          .selectors = j->selectors};
}

int akin_dedupe_device_fits(akin_dedupe_job *job)
{
    const akin_gpu_job gpu = job_of_gpu(job);
    return akin_gpu_fits(&gpu);
}

akin_status akin_dedupe_compare_on_gpu(akin_dedupe_job *job, akin_error *error)
{
    akin_dedupe_job *j = job;
    double start = akin_clock();
    akin_gpu_job gpu = job_of_gpu(j);
    j->threads = 1;
    j->workers = akin_alloc_zero(&j->account, 1, sizeof *j->workers);
    if (!j->workers)
        return akin_fail_memory(error, "comparing records");
    gpu.found = &j->workers->found;
    akin_status status = (j->in_parts ? akin_gpu_compare_parts : akin_gpu_compare)(&gpu, error);
    if (status == AKIN_E_INPUT && gpu.unfit)
        status = explain_unfit(j, gpu.unfit - 1, error);
    j->found = gpu.found->count;
    j->report.seconds_values += gpu.seconds_values;
    j->report.seconds_select += gpu.seconds_select;
    j->report.seconds_compare = akin_clock() - start - gpu.seconds_values - gpu.seconds_select;
    j->report.pairs_selected = gpu.selected;
    j->report.values_compared = gpu.figures.compared;
    j->report.pairs_met = gpu.figures.met;
    j->report.pairs_near = gpu.figures.near;
    j->report.candidates = gpu.figures.candidates;
    j->report.pairs_found = j->found;
    j->report.device = akin_device_number(j->device) + 1;
    return status;
}

/* A GPU that is not required, and has failed, leaves the job to the CPU. */
int akin_dedupe_may_go_on_here(const akin_dedupe_job *job, akin_status status)
{
    return !akin_device_is_required(job->scope) &&
           (status == AKIN_E_DEVICE || status == AKIN_E_NOMEM || status == AKIN_E_OPTION || status == AKIN_E_LIMIT);
}
