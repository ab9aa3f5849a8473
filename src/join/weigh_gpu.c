/* What the techniques of a GPU are predicted to take there, transfers included. */
#include "base/bits.h"
#include "base/context.h"
#include "device/devices.h"
#include "device/worth.h"
#include "device/primitives.h"
#include "join/kernels.h"
#include "join/price.h"
#include "join/weigh.h"
#include "signature/parity.h"

#include <math.h>

/* Those of an H200 with 16 threads of its host; measured with bench/join_bench and bench/device_bench
 * (docs/benchmarks.md). */
static const akin_gpu_prices built_in = {
    .quick = 4e-3,
    .start = 6e-4,
    .arrange = 2e-4,
    .bytes = 1.8e10,
    .staged = 6e9,
    .tokens = 5e10,
    .compare = {1.35e13, 8.2e12, 3.9e12, 1.05e12},
    .decide = {7e12, 4.4e12, 2.2e12, 8.4e11},
    .candidates = 1e10,
    .verified = 3e11,
    .fetched = 5e8,
    .drained = 1e8,
    .bounds = 1.5e8,
    .postings = 6.5e9,
    .visits = 1.17e11,
    .merged = 9e11,
};

akin_gpu_prices akin_gpu_prices_plain(const akin_scope *scope)
{
    const akin_gpu_prices *wished = akin_wishes_of(scope)->gpu_prices;
    akin_gpu_prices price = wished ? *wished : built_in;
    price.bytes = fmin(price.bytes, price.staged * akin_scope_threads(scope));
    return price;
}

akin_gpu_prices akin_gpu_prices_of(const akin_scope *scope)
{
    akin_gpu_prices price = akin_gpu_prices_plain(scope);
    const double transfer = akin_calibrated_scale(scope, AKIN_CALIBRATED_TRANSFER),
                 compare = akin_calibrated_scale(scope, AKIN_CALIBRATED_COMPARE),
                 verify = akin_calibrated_scale(scope, AKIN_CALIBRATED_VERIFY);
    price.start *= transfer;
    price.arrange *= transfer;
    price.bytes /= transfer;
    price.tokens /= transfer;
    price.fetched /= transfer;
    for (int width = 0; width < AKIN_GPU_WIDTHS; width++)
        price.compare[width] /= compare, price.decide[width] /= compare;
    price.postings /= compare;
    price.candidates /= verify;
    price.verified /= verify;
    price.merged /= verify;
    price.visits /= verify;
    return price;
}

#define LIST_BYTES 2e11 /* bytes of lists, one for each distinct token, that are cleared in a second */

/* The positions that are bounded on a side: each position of a prefix, once for all sets of a size. */
static double count_bounds(const akin_join_job *job, const akin_ranked *sets, akin_prefix_side side)
{
    double bounds = 0;
    for (uint32_t c = 0; c < sets->classes; c++)
        bounds += akin_prefix_length(job, sets->class_size[c], side);
    return bounds;
}

/* Seconds until an index of all postings, on both sides, is made and looked up. */
static double seconds_to_sort_postings(const akin_gpu_prices *price, const akin_join_job *job, double postings)
{
    const double bounds = count_bounds(job, job->probes, AKIN_PREFIX_PROBING) +
                          count_bounds(job, job->indexed, AKIN_PREFIX_INDEXED),
                 lists = sizeof(akin_posting_list) * (double)job->indexed->universe;
    return bounds / price->bounds + postings / price->postings + lists / LIST_BYTES;
}

/* Seconds until the signatures of all tokens are arranged. */
static double seconds_to_arrange(const akin_gpu_prices *price, double tokens)
{
    return price->arrange + tokens / price->tokens;
}

double akin_weigh_bring(const akin_gpu_prices *price, double tokens, uint64_t universe)
{
    return price->start + (double)akin_gpu_token_bytes(universe) * tokens / price->bytes;
}

akin_gpu_alone akin_plan_gpu_alone(const akin_join_job *job)
{
    const akin_gpu_prices price = akin_gpu_prices_of(job->scope);
    uint64_t universe = job->indexed->universe;
    double tokens = (double)(akin_ranked_tokens(job->probes) + (job->self ? 0 : akin_ranked_tokens(job->indexed)));
    akin_gpu_alone alone = {.bring = akin_weigh_bring(&price, tokens, universe)};
    if (!(job->technique->choice.capabilities & AKIN_TAKES_BITS))
        alone.prepare = seconds_to_sort_postings(&price, job,
                                                 akin_sample_postings(job, job->probes, AKIN_PREFIX_PROBING) +
                                                     akin_sample_postings(job, job->indexed, AKIN_PREFIX_INDEXED));
    else
        alone.prepare = seconds_to_arrange(&price, tokens);
    return alone;
}

double akin_weigh_verify(const akin_gpu_prices *price, double candidates, double tokens_a_set)
{
    return candidates / price->candidates + candidates * tokens_a_set / price->verified;
}

akin_tensor_seconds akin_tensor_predict(const akin_gpu_prices *price, const akin_tensor_work *work)
{
    uint32_t width = 0;
    for (uint32_t bits = AKIN_TENSOR_BITS_LEAST; bits < work->bits && width + 1 < AKIN_GPU_WIDTHS; bits *= 2)
        width++;
    return (akin_tensor_seconds){
        .bring = akin_weigh_bring(price, work->tokens, work->universe) + seconds_to_arrange(price, work->tokens),
        .compare = work->compatible / (work->exact ? price->decide[width] : price->compare[width]),
        .verify = akin_weigh_verify(price, work->candidates, work->tokens_a_set)};
}

akin_join_step akin_weigh_step(const akin_plan_facts *facts, const akin_technique_row *technique, uint32_t bits)
{
    akin_join_step step = akin_join_step_of((akin_technique)technique->choice.value, bits, bits);
    step.device = akin_device_first(facts->job->scope) + 1;
    return step;
}

/* Seconds until the pairs found are here. About as many are found as the widest signatures leave. */
static double seconds_to_fetch(const akin_plan_facts *facts, const akin_gpu_prices *price, double candidates)
{
    const akin_join_job *job = facts->job;
    const double found = fmin(akin_plan_left(facts, AKIN_PARITY_BITS_MOST), candidates);
    return job->keep ? found / (job->delivery && job->delivery->any_order ? price->drained : price->fetched) : 0;
}

/* Where the universe fits the width the signature is the set itself, and what it leaves are the pairs that qualify. */
void akin_weigh_tensor(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    const akin_gpu_prices *price = facts->gpu;
    uint32_t asked = facts->options->bits;
    for (uint32_t bits = AKIN_TENSOR_BITS_LEAST; bits <= AKIN_PARITY_BITS_MOST; bits *= 2) {
        if (asked && asked != bits)
            continue;
        akin_join_step step = akin_weigh_step(facts, technique, bits);
        step.exact = facts->job->indexed->universe <= bits;
        step.predicted_candidates = akin_plan_left(facts, bits);
        const akin_tensor_work work = {
            .tokens = facts->tokens,
            .tokens_a_set = facts->tokens_a_set,
            .compatible = facts->compatible,
            .universe = facts->job->indexed->universe,
            .bits = bits,
            .exact = step.exact,
            .candidates = step.exact ? 0 : step.predicted_candidates,
        };
        akin_tensor_seconds seconds = akin_tensor_predict(price, &work);
        step.predicted_seconds = seconds.bring + seconds.compare + seconds.verify +
                                 seconds_to_fetch(facts, price, step.predicted_candidates);
        akin_join_part_weigh(part, &step);
    }
}

#define HUGE_SET 65536 /* tokens: a lane that merges two such sets takes long */

/* Seconds that visits take, a thread each. Pairs that are alike but large are left to be verified: until then a thread
 * takes all its steps, and the others of its warp, which are done long before, wait for it. */
static double seconds_to_visit(const akin_plan_facts *facts, const akin_gpu_prices *price)
{
    const akin_sample *sample = &facts->sample;
    double large = sample->met * sample->large;
    return sample->visits / price->visits +
           (sample->visits * sample->apart + large * 32 * AKIN_POSTING_STEPS) / price->merged +
           akin_weigh_verify(price, large, facts->tokens_a_set);
}

/* The index of a GPU has at most the postings that one call sorts. With more postings, or without sampled visits, there
 * is nothing to weigh, unless the caller named the technique. */
void akin_weigh_prefix_on_gpu(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    const akin_gpu_prices *price = facts->gpu;
    const akin_sample *sample = &facts->sample;
    akin_join_step step = akin_weigh_step(facts, technique, 0);
    const akin_ranked *sets = facts->job->indexed;
    double most = (double)AKIN_DEVICE_ITEMS;
    int huge = sets->class_size[sets->classes - 1] > HUGE_SET;
    uint64_t universe = facts->job->indexed->universe;
    if (facts->options->technique == AKIN_AUTO && (facts->options->bits || huge || sample->visits <= 0 ||
                                                   sample->postings_probing > most || sample->postings_indexed > most))
        return;
    step.predicted_candidates = sample->met;
    step.predicted_seconds =
        akin_weigh_bring(price, facts->tokens, universe) +
        seconds_to_sort_postings(price, facts->job, sample->postings_probing + sample->postings_indexed) +
        seconds_to_visit(facts, price) + seconds_to_fetch(facts, price, sample->met);
    akin_join_part_weigh(part, &step);
}
