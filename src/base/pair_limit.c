/* A sink that hands on pairs up to a limit. */
#include "base/counted.h"
#include "base/pair_limit.h"

void akin_pair_limit_begin(akin_pair_limit *limit, const akin_scope *scope, akin_pair_sink sink,
                           akin_scored_sink scored, void *user)
{
    limit->most = akin_limit_of(scope, AKIN_LIMIT_PAIRS);
    limit->count = 0;
    limit->is_met = 0;
    limit->sink = sink;
    limit->scored = scored;
    limit->user = user;
    atomic_init(&limit->kept, 0);
}

akin_pair_limit *akin_pair_limit_of(akin_pair_sink sink, void *user)
{
    return sink == akin_pair_limit_sink ? user : NULL;
}

int akin_pair_limit_keep(akin_pair_limit *limit, uint64_t count)
{
    return !limit || !limit->most || atomic_fetch_add(&limit->kept, count) + count <= limit->most;
}

void akin_pair_limit_forget(akin_pair_limit *limit, uint64_t count)
{
    if (limit && limit->most)
        atomic_fetch_sub(&limit->kept, count);
}

int akin_pair_limit_is_met(const akin_pair_limit *limit)
{
    return limit && limit->most && atomic_load(&limit->kept) > limit->most;
}

/* How many of `count` pairs are still handed on. */
static size_t take_pairs(akin_pair_limit *limit, size_t count)
{
    const uint64_t left = limit->most ? limit->most - limit->count : UINT64_MAX;
    const size_t taken = count <= left ? count : (size_t)left;
    limit->is_met |= taken < count;
    limit->count += taken;
    return taken;
}

int akin_pair_limit_sink(void *user, const akin_pair *pairs, size_t count)
{
    akin_pair_limit *limit = user;
    const size_t taken = take_pairs(limit, count);
    return (taken > 0 && limit->sink(limit->user, pairs, taken)) || limit->is_met;
}

int akin_pair_limit_scored(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    akin_pair_limit *limit = user;
    const size_t taken = take_pairs(limit, count);
    return (taken > 0 && limit->scored(limit->user, pairs, each, taken)) || limit->is_met;
}

akin_status akin_pair_limit_end(const akin_pair_limit *limit, akin_status status, akin_error *error)
{
    if (status != AKIN_E_CANCELLED || (!limit->is_met && !akin_pair_limit_is_met(limit)))
        return status;
    akin_counted room;
    return akin_fail_limit(error, AKIN_LIMIT_PAIRS, "stopped after %s, and there are more",
                           akin_count(&room, limit->most, "pair"));
}
