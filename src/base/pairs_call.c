/* A call for pairs: they are foreseen and limited, and the job begins again where memory is short. */
#include "base/pairs_call.h"

#include "base/ceiling.h"

akin_status akin_pairs_call_make(const akin_pairs_call *call, const akin_scope *scope, akin_pair_sink sink,
                                 void *sink_user, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    akin_pair_limit limit;
    akin_pair_limit_begin(&limit, scope, sink, NULL, sink_user);
    if (sink)
        call->foresee(call->user, scope);
    akin_status status = call->run(call->user, scope, &limit, &own);
    if (akin_ceiling_is_met(status, &own) && limit.count == 0) {
        const akin_scope bounded = akin_ceiling_bound(scope, &own);
        akin_pair_limit_begin(&limit, scope, sink, NULL, sink_user);
        status = call->run(call->user, &bounded, &limit, &own);
    }
    if (status != AKIN_OK)
        akin_fail_again(error, status, &own);
    return akin_pair_limit_end(&limit, status, error);
}
