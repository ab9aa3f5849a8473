/* Searches an index of strings: those nearest to queries, among candidates or among all. */
#include "search/call_strings.h"

#include "base/clock.h"
#include "device/devices.h"
#include "search/rounds.h"

#define CANDIDATES 32 /* as in the paper, or twice the number wanted */

/* Hands on the nearest. */
static akin_status deliver_nearest(akin_search_call *call, uint32_t first, uint32_t count,
                                   const akin_nearest_found *nearest, akin_error *error)
{
    uint64_t at = 0;
    akin_status status = akin_call_reserve(call, (uint64_t)count * nearest->k, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t q = 0; q < count; q++) {
        const akin_certificate certificate =
            nearest->certificates ? (akin_certificate)nearest->certificates[q] : AKIN_CERTIFIED_BY_SCAN;
        for (uint32_t i = 0; i < nearest->found[q]; i++) {
            const uint64_t key = nearest->keys[(uint64_t)q * nearest->k + i];
            call->hits[at++] = (akin_search_hit){first + q, (uint32_t)key, (uint32_t)(key >> 32), certificate, 0, 0};
        }
        call->report.by_count += certificate == AKIN_CERTIFIED_BY_COUNT;
        call->report.by_scan += certificate == AKIN_CERTIFIED_BY_SCAN;
        call->report.uncertified += certificate == AKIN_CERTIFICATE_NONE;
    }
    return akin_call_hand_on(call, at, error);
}

/* How many candidates auto takes; 0: a scan, without candidates. A required GPU counts candidates if it cannot compare
 * all strings. */
static akin_status choose_candidates(akin_search_call *call, const akin_lettered *queries, uint32_t count,
                                     uint32_t *candidates, akin_error *error)
{
    const uint32_t most = (uint32_t)akin_min_u64(akin_max_u64(CANDIDATES, 2 * (uint64_t)call->options.k), UINT32_MAX);
    const int requires_gpu = akin_device_is_required(call->searcher->scope);
    int worth = requires_gpu && !akin_searcher_compares(call->searcher, call->options.k);
    akin_status status = AKIN_OK;
    if (!requires_gpu && call->index->head.ngram > 0 && call->options.technique == AKIN_SEARCH_AUTO)
        status = akin_candidates_probe(call->searcher, queries, count, most, call->options.k, &worth, error);
    *candidates = worth ? most : 0;
    return status;
}

akin_status akin_call_nearest(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error)
{
    const double begun = akin_clock();
    akin_nearest_found nearest = {.k = call->options.k};
    akin_lettered queries;
    uint32_t candidates = call->options.candidates;
    akin_status status = akin_lettered_make(call->index->head.letters ? &call->index->letters : NULL,
                                            call->source.columns, first, count, &queries, error);
    if (status == AKIN_OK && candidates == 0)
        status = choose_candidates(call, &queries, count, &candidates, error);
    if (status == AKIN_OK && candidates > 0)
        status = akin_candidates_search(call->searcher, &queries, count, candidates, (int)call->options.one_round,
                                        &nearest, error);
    else if (status == AKIN_OK)
        status = akin_nearest_scan(call->searcher, &queries, count, &nearest, error);
    call->report.seconds_search += akin_clock() - begun;
    call->report.technique =
        candidates > 0 ? (akin_search_technique)call->searcher->counts_by->choice.value : AKIN_SEARCH_SCAN;
    if (status == AKIN_OK)
        status = deliver_nearest(call, first, count, &nearest, error);
    akin_nearest_clear(&nearest);
    akin_lettered_clear(&queries);
    return status;
}

/* Refuses what a required GPU lacks, whether the GPU is there or not. */
static akin_status check_strings_gpu(const akin_search_call *call, akin_error *error)
{
    const akin_search_options *o = &call->options;
    if (akin_searcher_compares(call->searcher, o->k) ||
        (call->index->head.ngram > 0 && o->technique != AKIN_SEARCH_SCAN))
        return AKIN_OK;
    return akin_fail(
        error, AKIN_E_OPTION,
        "a GPU compares strings of up to %u symbols, 254 different ones, for the %u nearest, and of others counts "
        "n-grams: make the index with --ngram 3, without the technique scan, or let the CPU do it "
        "(device cpu)",
        AKIN_COMPARE_LONGEST, AKIN_RANGES_K);
}

/* Options of strings. */
static akin_status check_string_options(const akin_search_call *call, akin_error *error)
{
    const akin_search_options *o = &call->options;
    if (o->least > 0)
        return akin_fail(error, AKIN_E_OPTION, "a least count of %u; strings have distances", o->least);
    if (o->candidates > 0 && call->index->head.ngram == 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "candidates need n-grams, and this index has none: make it with --ngram 3");
    if (o->one_round > 0 && o->candidates == 0)
        return akin_fail(error, AKIN_E_OPTION, "one round of candidates; expected to be told how many these are");
    if (o->technique == (o->candidates > 0 ? AKIN_SEARCH_SCAN : AKIN_SEARCH_LISTS))
        return akin_fail(error, AKIN_E_OPTION, "the technique %s is for a search %s candidates",
                         call->technique->choice.name, o->candidates > 0 ? "without" : "with");
    return AKIN_OK;
}

akin_status akin_call_admits_strings(const akin_search_call *call, akin_error *error)
{
    akin_status status = check_string_options(call, error);
    return status == AKIN_OK && akin_device_is_required(call->searcher->scope) ? check_strings_gpu(call, error)
                                                                               : status;
}
