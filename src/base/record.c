/* How many bytes a record of a text may have, and the error of one that has more. */
#include "base/record.h"

#include "base/budget.h"
#include "base/limits.h"

#include <stdio.h>

akin_record_most akin_record_most_of(const akin_scope *scope, uint64_t block)
{
    const uint64_t limit = akin_limit_of(scope, AKIN_LIMIT_RECORD);
    const uint64_t most = limit ? akin_max_u64(limit, block) : 0;
    const uint64_t bound = akin_budget_record(scope);
    return bound && (!most || bound < most) ? (akin_record_most){bound, 1} : (akin_record_most){most, 0};
}

akin_status akin_fail_record(akin_error *error, akin_record_most most, const char *name, uint64_t line,
                             const char *format, ...)
{
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const akin_status status = most.by_memory ? AKIN_E_NOMEM : AKIN_E_LIMIT;
    const akin_reason reason = most.by_memory ? AKIN_REASON_MEMORY : AKIN_REASON_LIMIT;
    const char *why = most.by_memory ? "not enough memory: " : "";
    if (line)
        akin_fail_line(error, status, reason, name, line, "%s%s", why, text);
    else
        akin_error_set(error, status, reason, "%s: %s%s", name, why, text);
    return most.by_memory ? status : akin_note_limit(error, AKIN_LIMIT_RECORD);
}
