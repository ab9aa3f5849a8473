/* What every job asks of its context: it reports progress, and asks whether to stop. */
#include "base/context.h"

#include <string.h>

/* What phases count. A phase that is not here counts pieces of work. */
static const char *unit_of(const char *phase)
{
    static const struct {
        const char *phase, *unit;
    } units[] = {{"reading", "bytes"},          {"tokenizing", "bytes"}, {"importing", "rows"},
                 {"numbering", "rows"},         {"writing", "pairs"},    {"ranking", "queries"},
                 {"searching", "queries"},      {"indexing", "terms"},   {"sorting strings", "strings"},
                 {"copying strings", "strings"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].phase, phase) == 0)
            return units[i].unit;
    return NULL;
}

static akin_status report(akin_context *context, const akin_progress *progress)
{
    if (progress->phase && context->progress)
        context->progress(context->user, progress);
    if (context->cancel && context->cancel(context->user) != 0)
        return AKIN_E_CANCELLED;
    return AKIN_OK;
}

akin_status akin_context_report(akin_context *context, const char *phase, uint64_t done, uint64_t total)
{
    const int wanted = phase && context->progress;
    const akin_progress progress = {
        .phase = phase, .done = done, .total = total, .unit = wanted ? unit_of(phase) : NULL};
    return report(context, &progress);
}

akin_status akin_context_report_pieces(akin_context *context, const char *phase, uint64_t done, uint64_t total)
{
    const akin_progress progress = {.phase = phase, .done = done, .total = total};
    return report(context, &progress);
}
