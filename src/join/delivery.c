/* Begins and ends the keeping of pairs in one of its three ways. */
#include "join/delivery.h"

#include "base/context.h"
#include "base/budget.h"
#include "base/bits.h"

#define PAIRS_MOST ((uint64_t)256 << 20) /* bytes for the pairs of all threads under a bound: more would not serve */

static akin_status make_delivery_runs(akin_delivery *d, akin_error *error)
{
    uint64_t length = akin_wishes_of(d->scope)->pairs_a_run;
    if (!length)
        length = akin_min_u64(akin_budget_part(d->account->limit, AKIN_JOB_PAIRS), PAIRS_MOST) / sizeof(akin_u128) /
                 d->threads;
    length = akin_max_u64(1, length);
    akin_status status = akin_runs_make(d->scope, length, &d->runs, error);
    for (uint32_t t = 0; t < d->threads && status == AKIN_OK; t++) {
        d->pairs[t].runs = &d->runs;
        d->pairs[t].rest.pairs = akin_alloc(d->account, length, sizeof(akin_u128));
        if (!d->pairs[t].rest.pairs)
            status = akin_fail_memory(error, "the pairs found");
    }
    return status;
}

akin_status akin_delivery_begin(akin_delivery *delivery, const akin_scope *scope, akin_account *account,
                                uint32_t threads, int any_order, akin_pair_sink sink, void *user, akin_error *error)
{
    akin_delivery *d = delivery;
    akin_status status = AKIN_OK;
    *d = (akin_delivery){.scope = scope, .account = account, .threads = threads, .any_order = any_order};
    d->sink = sink;
    d->user = user;
    d->limit = akin_pair_limit_of(sink, user);
    pthread_mutex_init(&d->drain.lock, NULL);
    d->drain.sink = sink;
    d->drain.user = user;
    d->is_ready = 1;
    if (!sink)
        return AKIN_OK;
    d->pairs = akin_alloc_zero(account, threads, sizeof *d->pairs);
    if (!d->pairs)
        return akin_fail_memory(error, "the pairs found");
    for (uint32_t t = 0; t < threads; t++) {
        d->pairs[t].account = account;
        d->pairs[t].limit = any_order ? NULL : d->limit;
    }
    if (scope->memory && !any_order)
        return make_delivery_runs(d, error);
    for (uint32_t t = 0; t < threads && any_order && status == AKIN_OK; t++) {
        if (!akin_pairs_grow(&d->pairs[t]))
            status = akin_fail_memory(error, "the pairs found");
        d->pairs[t].drain = &d->drain;
    }
    return status;
}

int akin_delivery_failed(const akin_delivery *delivery)
{
    return delivery->drain.stopped || akin_pair_limit_is_passed(delivery->limit) ||
           delivery->runs.error.code != AKIN_OK;
}

akin_status akin_delivery_failure(akin_delivery *delivery, akin_error *error)
{
    if (delivery->drain.stopped || akin_pair_limit_is_passed(delivery->limit))
        return akin_fail(error, AKIN_E_CANCELLED, "stopped by the receiver of the pairs");
    if (delivery->runs.error.code != AKIN_OK)
        return akin_fail_again(error, delivery->runs.error.code, &delivery->runs.error);
    return akin_fail_memory(error, "the pairs found");
}

static akin_status deliver_runs(akin_delivery *d, akin_error *error)
{
    akin_runs_rest *rests = akin_alloc(d->account, d->threads, sizeof *rests);
    if (!rests)
        return akin_fail_memory(error, "merging the pairs");
    for (uint32_t t = 0; t < d->threads; t++)
        rests[t] = d->pairs[t].rest;
    uint64_t room = akin_budget_left(d->account, 0, AKIN_LEFT_DELIVERY);
    akin_status status =
        akin_runs_deliver(d->scope, d->account, &d->runs, rests, d->threads, room, d->sink, d->user, error);
    akin_free(rests);
    return status;
}

akin_status akin_delivery_finish(akin_delivery *delivery, uint32_t rows, akin_error *error)
{
    akin_delivery *d = delivery;
    if (!d->pairs)
        return AKIN_OK;
    if (!d->any_order && d->scope->memory)
        return deliver_runs(d, error);
    if (!d->any_order)
        return akin_pairs_deliver(d->scope, d->account, d->pairs, d->threads, rows, d->sink, d->user, error);
    for (uint32_t t = 0; t < d->threads; t++)
        if (!akin_pairs_flush(&d->pairs[t]))
            return akin_delivery_failure(d, error);
    return AKIN_OK;
}

void akin_delivery_clear(akin_delivery *delivery)
{
    akin_delivery *d = delivery;
    if (!d->is_ready)
        return;
    for (uint32_t t = 0; t < d->threads && d->pairs; t++)
        akin_pairs_clear(&d->pairs[t]);
    akin_free(d->pairs);
    akin_runs_clear(&d->runs);
    pthread_mutex_destroy(&d->drain.lock);
    d->is_ready = 0;
}
