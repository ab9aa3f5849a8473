/* Scopes: how they are narrowed, how a job reports progress, and how it learns that it should stop. */
#include "base/scope.h"

#include "base/clock.h"

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

int akin_scope_is_late(const akin_scope *scope)
{
    return scope->until > 0 && akin_clock() >= scope->until;
}

static akin_status report(const akin_scope *scope, const akin_progress *progress)
{
    const akin_reporter *reporter = &scope->reporter;
    if (progress->phase && reporter->progress)
        reporter->progress(reporter->user, progress);
    if (akin_scope_is_late(scope) || (reporter->cancel && reporter->cancel(reporter->user) != 0))
        return AKIN_E_CANCELLED;
    return AKIN_OK;
}

akin_status akin_scope_report(const akin_scope *scope, const char *phase, uint64_t done, uint64_t total)
{
    const int wanted = phase && scope->reporter.progress;
    const akin_progress progress = {
        .phase = phase, .done = done, .total = total, .unit = wanted ? unit_of(phase) : NULL};
    return report(scope, &progress);
}

akin_status akin_scope_report_pieces(const akin_scope *scope, const char *phase, uint64_t done, uint64_t total)
{
    const akin_progress progress = {.phase = phase, .done = done, .total = total};
    return report(scope, &progress);
}

const akin_scope *akin_scope_of(akin_context *context)
{
    return (const akin_scope *)(const void *)context; /* its first member, see base/context.h */
}

akin_scope akin_scope_narrow(const akin_scope *scope, akin_narrowing narrowing)
{
    akin_scope own = *scope;
    if (narrowing.threads)
        own.threads = narrowing.threads;
    if (narrowing.memory && own.memory)
        own.memory = narrowing.memory;
    if (narrowing.ceiling && own.ceiling)
        own.ceiling = narrowing.ceiling;
    if (narrowing.on_cpu)
        own.device_choice = AKIN_DEVICE_CPU;
    if (narrowing.reporter)
        own.reporter = *narrowing.reporter;
    return own;
}
