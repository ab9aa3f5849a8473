/* A sink that hands on pairs up to a limit. */
#include "base/counted.h"
#include "base/pair_limit.h"

#include "base/bits.h"

void akin_pair_limit_begin(akin_pair_limit *limit, const akin_scope *scope, akin_pair_sink sink,
                           akin_scored_sink scored, void *user)
{
    limit->most = akin_limit_of(scope, AKIN_LIMIT_PAIRS);
    limit->count = 0;
    limit->is_passed = 0;
    limit->sink = sink;
    limit->scored = scored;
    limit->user = user;
    atomic_init(&limit->waiting, 0);
}

akin_pair_limit *akin_pair_limit_of(akin_pair_sink sink, void *user)
{
    return sink == akin_pair_limit_sink ? user : NULL;
}

int akin_pair_limit_wait(akin_pair_limit *limit, uint64_t count)
{
    return !limit || !limit->most || atomic_fetch_add(&limit->waiting, count) + count <= limit->most;
}

void akin_pair_limit_unwait(akin_pair_limit *limit, uint64_t count)
{
    if (limit && limit->most)
        atomic_fetch_sub(&limit->waiting, count);
}

int akin_pair_limit_is_passed(const akin_pair_limit *limit)
{
    return limit && limit->most && atomic_load(&limit->waiting) > limit->most;
}

uint64_t akin_pair_limit_left(const akin_pair_limit *limit)
{
    return limit && limit->most ? limit->most - limit->count : UINT64_MAX;
}

/* How many of `count` pairs are still handed on. */
static size_t take_pairs(akin_pair_limit *limit, size_t count)
{
    const size_t taken = (size_t)akin_min_u64(count, akin_pair_limit_left(limit));
    limit->is_passed |= taken < count;
    limit->count += taken;
    return taken;
}

int akin_pair_limit_sink(void *user, const akin_pair *pairs, size_t count)
{
    akin_pair_limit *limit = user;
    const size_t taken = take_pairs(limit, count);
    return (taken > 0 && limit->sink(limit->user, pairs, taken)) || limit->is_passed;
}

int akin_pair_limit_scored(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    akin_pair_limit *limit = user;
    const size_t taken = take_pairs(limit, count);
    return (taken > 0 && limit->scored(limit->user, pairs, each, taken)) || limit->is_passed;
}

akin_status akin_pair_limit_end(const akin_pair_limit *limit, akin_status status, akin_error *error)
{
    if (status != AKIN_E_CANCELLED || (!limit->is_passed && !akin_pair_limit_is_passed(limit)))
        return status;
    akin_counted room;
    akin_error_set(error, AKIN_E_LIMIT, AKIN_REASON_LIMIT, "stopped after %s, and there are more",
                   akin_count(&room, limit->most, "pair"));
    return akin_note_limit(error, AKIN_LIMIT_PAIRS);
}
