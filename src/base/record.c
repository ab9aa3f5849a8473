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
    if (most.by_memory && line)
        return akin_fail_line(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, name, line, "not enough memory: %s", text);
    if (most.by_memory)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "%s: not enough memory: %s", name, text);
    return line ? akin_fail_limit_at(error, AKIN_LIMIT_RECORD, name, line, "%s", text)
                : akin_fail_limit(error, AKIN_LIMIT_RECORD, "%s: %s", name, text);
}
