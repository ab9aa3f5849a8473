/* The callbacks and settings of the context that a job uses through its scope. */
#include "base/context.h"

const akin_wishes *akin_wishes_of(const akin_scope *scope)
{
    static const akin_wishes none = {0};
    return scope->context->wishes ? scope->context->wishes : &none;
}

const char *akin_context_temporary(const akin_scope *scope)
{
    return scope->context->temporary ? scope->context->temporary : "/tmp";
}
