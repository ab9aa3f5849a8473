/* Runs the step that was planned for a part: on the CPU or on GPUs, or on the CPU instead of a GPU that cannot do it.
 * Adds up what its threads did. */
#include "join/step.h"

#include "base/annex.h"
#include "base/clock.h"
#include "join/devices.h"
#include "join/gpu.h"
#include "join/part.h"
#include "join/plan.h"
#include "join/technique_rows.h"

#include <stdio.h>
#include <string.h>

/* Adds the workers' counters up, and leaves them at zero. */
static void collect_step(const akin_join_job *job, akin_join_part *part)
{
    for (uint32_t t = 0; t < job->slots; t++) {
        akin_join_worker *worker = &job->workers[t];
        part->summary.pairs_found += worker->count;
        part->done.candidates += worker->candidates;
        part->done.compared += worker->compared;
        for (size_t i = 0; i < AKIN_JOIN_FIGURES; i++)
            part->done.annex_figures[i] += worker->figures[i];
        worker->count = worker->candidates = worker->compared = 0;
        memset(worker->figures, 0, sizeof worker->figures);
    }
}

/* Runs the chosen step. A technique that cannot keep a pair fails with AKIN_E_NOMEM; the delivery knows the reason. */
static akin_status join_step(akin_join_job *job, akin_join_step *step, akin_error *error)
{
    akin_status status = job->device ? akin_join_on_devices(job, step, error) : akin_join_by_technique(job, error);
    akin_join_marks_clear(job);
    return status == AKIN_E_NOMEM && akin_delivery_failed(job->delivery) ? akin_delivery_failure(job->delivery, error)
                                                                         : status;
}

/* Sets the job to a step and runs it. */
static akin_status run_step(akin_join_job *job, akin_join_step *step, akin_error *error)
{
    job->technique =
        (step->device ? akin_technique_on_gpu : akin_technique_of)(akin_annex_of(job->scope), step->technique);
    job->chosen = step->annex_chosen;
    job->bits = step->bits;
    job->bits_screen = step->bits_screen;
    job->device = step->device ? job->gpu : NULL;
    akin_status status = join_step(job, step, error);
    job->device = NULL;
    return status;
}

/* Whether the CPU may do the work of a GPU that was free to choose and failed. It may if nothing was found yet, and if
 * memory under the host's bound was not the reason; in that case the join is cut. */
static int may_do_instead(const akin_join_job *job, const akin_join_part *part, akin_status status, uint64_t refused)
{
    if (!part->done.device || job->place != AKIN_JOIN_ON_EITHER || job->account->refused != refused)
        return 0;
    return akin_join_found(job) == 0 && (status == AKIN_E_NOMEM || status == AKIN_E_DEVICE);
}

/* Has the CPU do what a GPU was to do, by what is the cheapest there. */
static akin_status do_instead(akin_join_job *job, akin_join_part *part, const char *why, akin_error *error)
{
    akin_join_recount(job);
    snprintf(part->device_failure, sizeof part->device_failure, "%.*s", AKIN_REPORT_REASON - 1, why);
    if (part->on_cpu.technique == AKIN_AUTO) { /* the CPU was not weighed, as the GPU was chosen at once */
        akin_join_options any = AKIN_JOIN_OPTIONS_INIT;
        akin_join_part own = akin_join_part_begin();
        any.bits = part->bits_asked;
        job->place = AKIN_JOIN_ON_CPU;
        akin_status status = akin_join_part_plan(job, &any, NULL, &own, NULL, error);
        job->place = AKIN_JOIN_ON_EITHER;
        if (status != AKIN_OK)
            return status;
        part->on_cpu = own.done;
    }
    part->done = part->on_cpu;
    part->done.instead = 1;
    akin_join_step_describe(job, &part->done);
    return run_step(job, &part->done, error);
}

akin_status akin_join_part_run(akin_join_job *job, akin_join_part *part, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    uint64_t refused = job->account->refused;
    if (part->done.technique == AKIN_AUTO)
        return AKIN_OK;
    double start = akin_clock();
    akin_status status = run_step(job, &part->done, &own);
    if (status != AKIN_OK && may_do_instead(job, part, status, refused))
        status = do_instead(job, part, own.message, error);
    else if (status != AKIN_OK)
        status = akin_fail_again(error, status, &own);
    part->done.seconds = akin_clock() - start;
    part->summary.seconds_join += part->done.seconds;
    if (status == AKIN_OK)
        collect_step(job, part);
    return status;
}
