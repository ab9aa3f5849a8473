/* Reports of joins: gathered by the join, read by the caller. */
#include "join/report.h"

#include "base/memory.h"
#include "base/options.h"

#include <string.h>

AKIN_OPTIONS_END(akin_join_summary, device_failure);
AKIN_OPTIONS_END(akin_join_step, parts_cpu);

akin_join_part akin_join_part_begin(void)
{
    return (akin_join_part){.summary = {.size = sizeof(akin_join_summary)},
                            .done = akin_join_step_of(AKIN_AUTO, 0, 0),
                            .on_cpu = akin_join_step_of(AKIN_AUTO, 0, 0)};
}

akin_status akin_join_report_make(akin_join_report **out, akin_error *error)
{
    akin_join_report *report = akin_alloc_zero(NULL, 1, sizeof *report);
    if (!report)
        return akin_fail_memory(error, "the report of a join");
    report->all = akin_join_part_begin();
    *out = report;
    return AKIN_OK;
}

akin_join_step akin_join_step_of(akin_technique technique, uint32_t bits_screen, uint32_t bits)
{
    return (akin_join_step){.size = sizeof(akin_join_step),
                            .technique = technique,
                            .bits = bits,
                            .bits_screen = bits_screen,
                            .predicted_candidates = -1,
                            .predicted_seconds = -1};
}

void akin_join_part_weigh(akin_join_part *part, const akin_join_step *step)
{
    akin_join_step *weighed = part->weighed, *on_cpu = &part->on_cpu;
    uint32_t at = part->weighed_count;
    if (!step->device && (on_cpu->technique == AKIN_AUTO || step->predicted_seconds < on_cpu->predicted_seconds))
        *on_cpu = *step;
    if (at == AKIN_REPORT_WEIGHED && weighed[at - 1].predicted_seconds <= step->predicted_seconds)
        return;
    at -= at == AKIN_REPORT_WEIGHED;
    for (; at && weighed[at - 1].predicted_seconds > step->predicted_seconds; at--)
        weighed[at] = weighed[at - 1];
    weighed[at] = *step;
    part->weighed_count += part->weighed_count < AKIN_REPORT_WEIGHED;
}

/* Adds to a step what a further one of the same kind did. */
static void add_report_step(akin_join_step *sum, const akin_join_step *step)
{
    sum->predicted_candidates += step->predicted_candidates;
    sum->predicted_seconds += step->predicted_seconds;
    sum->candidates += step->candidates;
    sum->compared += step->compared;
    sum->seconds += step->seconds;
    sum->parts += step->parts;
    sum->parts_cpu += step->parts_cpu;
    sum->gpus = step->gpus > sum->gpus ? step->gpus : sum->gpus;
    for (size_t i = 0; i < AKIN_JOIN_FIGURES; i++)
        sum->annex_figures[i] += step->annex_figures[i];
    sum->probes += step->probes;
    sum->indexed += step->indexed;
    sum->probes_smallest = step->probes_smallest < sum->probes_smallest ? step->probes_smallest : sum->probes_smallest;
    sum->probes_largest = step->probes_largest > sum->probes_largest ? step->probes_largest : sum->probes_largest;
    sum->indexed_smallest =
        step->indexed_smallest < sum->indexed_smallest ? step->indexed_smallest : sum->indexed_smallest;
    sum->indexed_largest = step->indexed_largest > sum->indexed_largest ? step->indexed_largest : sum->indexed_largest;
    sum->instead += step->instead;
}

static akin_status append_step(akin_join_report *report, const akin_join_step *step, akin_error *error)
{
    uint32_t count = report->done_count, at = 0;
    if (count == AKIN_REPORT_DONE) {
        while (at < count - 1 &&
               (report->done[at].technique != step->technique || report->done[at].bits_screen != step->bits_screen ||
                report->done[at].bits != step->bits || report->done[at].device != step->device))
            at++;
        add_report_step(&report->done[at], step);
        return AKIN_OK;
    }
    if (count == report->done_room) {
        uint32_t room = 2 * count + 1 < AKIN_REPORT_DONE ? 2 * count + 1 : AKIN_REPORT_DONE;
        akin_join_step *larger = akin_resize(NULL, report->done, room, sizeof *larger);
        if (!larger)
            return akin_fail_memory(error, "the report of a join");
        report->done = larger;
        report->done_room = room;
    }
    report->done[report->done_count++] = *step;
    return AKIN_OK;
}

akin_status akin_join_report_add(akin_join_report *report, const akin_join_part *part, akin_error *error)
{
    akin_join_part *all = &report->all;
    all->summary.pairs_compatible += part->summary.pairs_compatible;
    all->summary.pairs_found += part->summary.pairs_found;
    all->summary.seconds_prepare += part->summary.seconds_prepare;
    all->summary.seconds_plan += part->summary.seconds_plan;
    all->summary.seconds_join += part->summary.seconds_join;
    if (part->device_failure[0])
        memcpy(all->device_failure, part->device_failure, sizeof all->device_failure);
    if (part->done.technique == AKIN_AUTO)
        return AKIN_OK;
    if (part->done.predicted_seconds > all->done.predicted_seconds) {
        memcpy(all->weighed, part->weighed, sizeof all->weighed);
        all->weighed_count = part->weighed_count;
        all->done = part->done;
    }
    return append_step(report, &part->done, error);
}

void akin_join_report_free(akin_join_report *report)
{
    if (report)
        akin_free(report->done);
    akin_free(report);
}

akin_status akin_join_report_summary(const akin_join_report *report, akin_join_summary *summary, akin_error *error)
{
    akin_join_summary own = report->all.summary;
    own.device_failure = report->all.device_failure[0] ? report->all.device_failure : NULL;
    return akin_options_write(&own, sizeof own, summary, "akin_join_summary", error);
}

uint32_t akin_join_report_steps(const akin_join_report *report, akin_join_step_kind which)
{
    if (which == AKIN_JOIN_STEPS_DONE)
        return report->done_count;
    return which == AKIN_JOIN_STEPS_WEIGHED ? report->all.weighed_count : 0;
}

akin_status akin_join_report_step(const akin_join_report *report, akin_join_step_kind which, uint32_t index,
                                  akin_join_step *step, akin_error *error)
{
    uint32_t count = akin_join_report_steps(report, which);
    if (index >= count)
        return akin_fail(error, AKIN_E_OPTION, "a report's step %u was asked for; it has %u of that kind", index,
                         count);
    const akin_join_step *own = which == AKIN_JOIN_STEPS_DONE ? &report->done[index] : &report->all.weighed[index];
    return akin_options_write(own, sizeof *own, step, "akin_join_step", error);
}
