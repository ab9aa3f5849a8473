/* Reports of joins: gathered by the join, read by the caller. */
#include "join/report.h"

#include "base/memory.h"
#include "base/options.h"

AKIN_OPTIONS_END(akin_join_summary, reserved);
AKIN_OPTIONS_END(akin_join_step, seconds);

akin_status akin_join_report_make(akin_join_report **out, akin_error *error)
{
    akin_join_report *report = akin_alloc_zero(NULL, 1, sizeof *report);
    if (!report)
        return akin_fail_memory(error, "the report of a join");
    report->summary.size = sizeof report->summary;
    report->done = akin_join_step_of(AKIN_AUTO, 0, 0);
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

void akin_join_report_weigh(akin_join_report *report, const akin_join_step *step)
{
    akin_join_step *weighed = report->weighed;
    uint32_t at = report->weighed_count;
    if (at == AKIN_REPORT_WEIGHED && weighed[at - 1].predicted_seconds <= step->predicted_seconds)
        return;
    at -= at == AKIN_REPORT_WEIGHED;
    for (; at && weighed[at - 1].predicted_seconds > step->predicted_seconds; at--)
        weighed[at] = weighed[at - 1];
    weighed[at] = *step;
    report->weighed_count += report->weighed_count < AKIN_REPORT_WEIGHED;
}

void akin_join_report_free(akin_join_report *report)
{
    akin_free(report);
}

akin_status akin_join_report_summary(const akin_join_report *report, akin_join_summary *summary, akin_error *error)
{
    return akin_options_write(&report->summary, sizeof report->summary, summary, "akin_join_summary", error);
}

uint32_t akin_join_report_steps(const akin_join_report *report, akin_join_step_kind which)
{
    if (which == AKIN_JOIN_STEPS_DONE)
        return report->done.technique != AKIN_AUTO;
    return which == AKIN_JOIN_STEPS_WEIGHED ? report->weighed_count : 0;
}

akin_status akin_join_report_step(const akin_join_report *report, akin_join_step_kind which, uint32_t index,
                                  akin_join_step *step, akin_error *error)
{
    uint32_t count = akin_join_report_steps(report, which);
    if (index >= count)
        return akin_fail(error, AKIN_E_OPTION, "a report's step %u was asked for; it has %u of that kind", index,
                         count);
    const akin_join_step *own = which == AKIN_JOIN_STEPS_DONE ? &report->done : &report->weighed[index];
    return akin_options_write(own, sizeof *own, step, "akin_join_step", error);
}
