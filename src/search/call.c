/* What was found, on the way to the caller. */
#include "search/call.h"

akin_status akin_call_reserve(akin_search_call *call, uint64_t count, akin_error *error)
{
    akin_search_hit *hits = akin_enlarge(NULL, call->hits, &call->hits_room, count, sizeof *hits);
    if (!hits)
        return akin_fail_memory(error, "a search");
    call->hits = hits;
    return AKIN_OK;
}

akin_status akin_call_hand_on(akin_search_call *call, uint64_t count, akin_error *error)
{
    call->report.found += count;
    return count == 0 || call->sink(call->user, call->hits, count) == 0
               ? AKIN_OK
               : akin_fail(error, AKIN_E_CANCELLED, "cancelled by the sink of a search");
}
