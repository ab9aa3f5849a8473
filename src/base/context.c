/* What every job asks of its context: telling progress and asking whether to stop. */
#include "base/context.h"

akin_status akin_context_report(akin_context *context, const char *phase, uint64_t done, uint64_t total)
{
    if (phase && context->progress) {
        akin_progress progress = {.phase = phase, .done = done, .total = total};
        context->progress(context->user, &progress);
    }
    if (context->cancel && context->cancel(context->user) != 0)
        return AKIN_E_CANCELLED;
    return AKIN_OK;
}
