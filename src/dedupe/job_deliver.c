/* Hands over what threads found, sorted by rows. */
#include "base/bits.h"
#include "base/sort_parallel.h"
#include "dedupe/job.h"
#include "dedupe/matching.h"

#include <string.h>

#define PAIRS_AT_ONCE 16384 /* that a sink receives: many at once serve many threads */

typedef akin_dedupe_job job;

akin_found_place akin_dedupe_place(const akin_dedupe_job *job, uint64_t number)
{
    uint32_t thread = 0;
    while (number >= job->workers[thread].found.count)
        number -= job->workers[thread++].found.count;
    return (akin_found_place){thread, number};
}

/* Room for what is handed over. */
typedef struct parcel {
    akin_u128 *keys; /* of all pairs, sorted: left, right, and the number of it */
    akin_scored_pair *pairs;
    double *each;
} parcel;

static akin_status sort_keys(job *j, akin_u128 *keys, akin_error *error)
{
    uint64_t number = 0;
    for (uint32_t t = 0; t < j->threads; t++)
        for (uint64_t i = 0; i < j->workers[t].found.count; i++) {
            const akin_scored_pair *p = &j->workers[t].found.pairs[i];
            keys[number] = (akin_u128)((uint64_t)p->left << 32 | p->right) << 64 | number;
            number++;
        }
    const akin_status status = akin_sort_parallel_u128(j->scope, &j->account, keys, j->found);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the pairs found");
}

/* Hands pairs first to first + count - 1 over. */
static akin_status hand_over(const job *j, const parcel *parcel, uint64_t first, uint64_t count, akin_scored_sink sink,
                             void *user, akin_error *error)
{
    /* Where a record has one partner, as learnt, each pair is a cluster, however probable. */
    const double sure = 1;
    uint64_t attributes = j->options.attribute_count;
    for (uint64_t i = 0; i < count; i++) {
        akin_found_place p = akin_dedupe_place(j, (uint64_t)parcel->keys[first + i]);
        const akin_found *f = &j->workers[p.thread].found;
        parcel->pairs[i] = f->pairs[p.at];
        if (f->each)
            memcpy(parcel->each + i * attributes, f->each + p.at * attributes, attributes * sizeof *parcel->each);
    }
    akin_status status = akin_records_check_cancelled(j->scope, 0, error);
    if (status == AKIN_OK && j->options.clusters && !j->are_clusters_made)
        status = akin_scored_cluster(parcel->pairs, count, j->report.partners == AKIN_PARTNERS_ONE ? &sure : NULL,
                                     j->options.clusters, error);
    if (status == AKIN_OK && sink && sink(user, parcel->pairs, parcel->each, count) != 0)
        status = akin_fail(error, AKIN_E_CANCELLED, "cancelled by the receiver of pairs");
    return status;
}

/* Leaves of the pairs, whose keys are sorted, those that stay where a record may be in one alone. */
static akin_status choose_pairs(job *j, akin_u128 *keys, akin_error *error)
{
    akin_scored_pair *pairs = akin_alloc(&j->account, j->found, sizeof *pairs);
    uint64_t *numbers = akin_alloc(&j->account, j->found, sizeof *numbers);
    uint32_t *averages = akin_alloc(&j->account, j->found, sizeof *averages);
    const uint32_t attributes = j->options.attribute_count;
    int done = pairs && numbers && averages;
    for (uint64_t i = 0; done && i < j->found; i++) {
        akin_found_place p = akin_dedupe_place(j, numbers[i] = (uint64_t)keys[i]);
        const akin_found *found = &j->workers[p.thread].found;
        pairs[i] = found->pairs[p.at];
        averages[i] = akin_matching_average(j->options.attributes, attributes, found->each + p.at * attributes);
    }
    done = done && akin_matching_choose(&j->account, pairs, averages, numbers, &j->found, j->records.rows[0],
                                        j->records.rows[1]);
    for (uint64_t i = 0; done && i < j->found; i++)
        keys[i] = numbers[i];
    j->report.pairs_found = j->found;
    akin_free(pairs);
    akin_free(numbers);
    akin_free(averages);
    return done ? AKIN_OK : akin_fail_memory(error, "the pairs found");
}

/* Hands the pairs over, sorted. Without a sink they are only counted. */
akin_status akin_dedupe_deliver(akin_dedupe_job *job, akin_scored_sink sink, void *user, akin_error *error)
{
    akin_dedupe_job *j = job;
    uint64_t at_once = akin_min_u64(PAIRS_AT_ONCE, j->found);
    parcel p = {akin_alloc(&j->account, j->found, sizeof *p.keys), akin_alloc(&j->account, at_once, sizeof *p.pairs),
                akin_alloc(&j->account, at_once * j->options.attribute_count, sizeof *p.each)};
    akin_status status = AKIN_E_NOMEM;
    if (p.keys && p.pairs && p.each)
        status = sort_keys(j, p.keys, error);
    else
        akin_fail_memory(error, "the pairs found");
    if (status == AKIN_OK && j->options.one_to_one && j->options.weights == AKIN_WEIGHTS_GIVEN)
        status = choose_pairs(j, p.keys, error);
    for (uint64_t first = 0; (sink || j->options.clusters) && first < j->found && status == AKIN_OK; first += at_once)
        status = hand_over(j, &p, first, akin_min_u64(at_once, j->found - first), sink, user, error);
    akin_free(p.keys);
    akin_free(p.pairs);
    akin_free(p.each);
    return status;
}
