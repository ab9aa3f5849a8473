/*
 * Scores candidates on the GPU, a thread for each: the attributes one after the other, until the threshold is out of
 * reach, with the operations of strings/edit.c, jaro.c and scorer.c in their order, so that the doubles are the same
 * bits, and with the decisions of strings/decision.h and strings/average.h, which are those of the CPU. Where a symbol
 * stands in the pattern is found by comparing it with all of them: candidates are few, and tables would be as large.
 */
#include "dedupe/look.cuh"
#include "device/kernel.h"
#include "strings/similarity.h"

#define THREADS 128

/* ---------------------------------------------------------------------------------------------------------- strings */

/* Two strings of symbols. */
template <typename Symbol> struct both {
    const Symbol *a, *b;
    uint32_t a_length, b_length;
};

/* The places first to end - 1 of word w at which a symbol stands in a. */
template <typename Symbol>
static __device__ __forceinline__ uint64_t places_of(const Symbol *a, Symbol symbol, uint32_t first, uint32_t end)
{
    uint64_t places = 0;
    for (uint32_t i = first; i < end; i++)
        places |= (uint64_t)(a[i] == symbol) << i % 64;
    return places;
}

template <typename Symbol, int WORDS> static __device__ akin_jaro jaro_of(const both<Symbol> &s)
{
    uint64_t taken[WORDS] = {}, matched[WORDS] = {};
    uint32_t window = max(s.a_length, s.b_length) / 2, apart = 0, count = 0;
    window -= window > 0;
    for (uint32_t j = 0; j < s.b_length; j++) {
        uint32_t first = j > window ? j - window : 0, end = min(j + window + 1, s.a_length);
        for (uint32_t i = first; i < end; i++) {
            uint64_t bit = 1ull << i % 64;
            if (s.a[i] == s.b[j] && !(taken[WORDS == 1 ? 0 : i / 64] & bit)) {
                taken[WORDS == 1 ? 0 : i / 64] |= bit;
                matched[WORDS == 1 ? 0 : j / 64] |= 1ull << j % 64;
                count++;
                break;
            }
        }
    }
    uint32_t i = 0;
    for (uint32_t j = 0; j < s.b_length && count > 0; j++) {
        if (!(matched[WORDS == 1 ? 0 : j / 64] >> j % 64 & 1))
            continue;
        while (!(taken[WORDS == 1 ? 0 : i / 64] >> i % 64 & 1))
            i++;
        apart += s.a[i++] != s.b[j];
    }
    return akin_jaro{count, apart};
}

/* The distance; see strings/edit.c for the names. */
template <typename Symbol, int WORDS> static __device__ uint32_t distance_of(const both<Symbol> &s, bool swaps)
{
    uint64_t up[WORDS], down[WORDS], last_diagonal[WORDS], last_at[WORDS];
    uint32_t distance = s.a_length, words = (s.a_length + 63) / 64;
    for (int w = 0; w < WORDS; w++) {
        up[w] = ~0ull;
        down[w] = last_diagonal[w] = last_at[w] = 0;
    }
    for (uint32_t j = 0; j < s.b_length; j++) {
        uint64_t right = 1, left = 0, swapped_in = 0;
        for (uint32_t w = 0; w < (WORDS == 1 ? 1 : words); w++) {
            uint64_t at = places_of(s.a, s.b[j], 64 * w, min(64 * w + 64, s.a_length));
            uint64_t same = at | left, swapped = 0;
            if (swaps) {
                uint64_t apart = ~last_diagonal[w] & at;
                swapped = (apart << 1 | swapped_in) & last_at[w];
                swapped_in = apart >> 63;
            }
            uint64_t diagonal = (((same & up[w]) + up[w]) ^ up[w]) | same | down[w] | swapped;
            uint64_t more = down[w] | ~(diagonal | up[w]), less = diagonal & up[w];
            uint32_t last = s.a_length - 1;
            if (last / 64 == w)
                distance += (uint32_t)(more >> last % 64 & 1) - (uint32_t)(less >> last % 64 & 1);
            uint64_t more_below = more >> 63, less_below = less >> 63;
            more = more << 1 | right;
            less = less << 1 | left;
            up[w] = less | ~(diagonal | more);
            down[w] = more & diagonal;
            right = more_below;
            left = less_below;
            last_diagonal[w] = diagonal;
            last_at[w] = at;
        }
    }
    return distance;
}

/* These two are 0 where that is below what counts. */
template <typename Symbol> static __device__ double jaro_similarity(const akin_gpu_attribute &a, const both<Symbol> &s)
{
    bool is_short = s.a_length <= 64 && s.b_length <= 64;
    akin_jaro jaro = is_short ? jaro_of<Symbol, 1>(s) : jaro_of<Symbol, AKIN_GPU_LONGEST / 64>(s);
    uint32_t prefix = 0;
    while (prefix < AKIN_WINKLER_PREFIX && prefix < s.a_length && prefix < s.b_length && s.a[prefix] == s.b[prefix])
        prefix++;
    if (a.least > 0 && !akin_cutoff_reached(&a.cutoff, jaro, s.a_length, s.b_length, prefix))
        return 0.0;
    return akin_jaro_similarity(jaro, s.a_length, s.b_length, prefix, &a.cutoff.winkler);
}

template <typename Symbol> static __device__ double edit_similarity(const akin_gpu_attribute &a, const both<Symbol> &s)
{
    uint32_t distance = s.a_length <= 64 ? distance_of<Symbol, 1>(s, a.cutoff.swaps)
                                         : distance_of<Symbol, AKIN_GPU_LONGEST / 64>(s, a.cutoff.swaps);
    if (a.least > 0 && !akin_cutoff_permits_edits(&a.cutoff, distance, s.a_length, s.b_length))
        return 0.0;
    return akin_edit_similarity(distance, s.a_length, s.b_length);
}

/* The similarity of two values by their symbols. */
template <typename Symbol>
static __device__ double compare_symbols(const akin_gpu_attribute &a, const akin_gpu_shape &x, const akin_gpu_shape &y)
{
    const both<Symbol> s = {(const Symbol *)a.symbols + x.at, (const Symbol *)a.symbols + y.at, x.length, y.length};
    if (a.form == AKIN_BY_BYTES) {
        uint32_t i = 0;
        while (i < s.a_length && i < s.b_length && s.a[i] == s.b[i])
            i++;
        return i == s.a_length && i == s.b_length ? 1.0 : 0.0;
    }
    return a.cutoff.is_jaro ? jaro_similarity(a, s) : edit_similarity(a, s);
}

static __device__ double compare_values(const akin_gpu_attribute &a, uint32_t i, uint32_t j)
{
    const akin_gpu_shape &x = a.shapes[i], &y = a.shapes[j];
    if (a.width == 1)
        return compare_symbols<uint8_t>(a, x, y);
    return a.width == 2 ? compare_symbols<uint16_t>(a, x, y) : compare_symbols<uint32_t>(a, x, y);
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* Scores a pair: its similarity, or a negative number; `each` as akin_scorer_score gives it. */
static __device__ double score_pair(const akin_gpu_scoring &s, uint32_t i, uint32_t j, double *each, uint32_t *compared)
{
    double weights = akin_gpu_weights(s, i, j), most = weights, least = akin_gpu_least(s, weights), sum = 0;
    for (uint32_t k = 0; k < s.count && most >= least; k++) {
        const akin_gpu_attribute &a = s.attributes[s.order[k]];
        double similarity = akin_gpu_look(a, s.missing, i, j);
        if (similarity < 0) {
            similarity = compare_values(a, i, j);
            ++*compared;
        }
        each[s.order[k]] = similarity;
        if (similarity >= 0)
            most -= a.weight - akin_gpu_contribution(a, similarity);
    }
    if (!(most >= least))
        return -1;
    akin_average average = {};
    for (uint32_t k = 0; k < s.count; k++) { /* in the order given, so that the sum is the same everywhere */
        sum += akin_gpu_contribution(s.attributes[k], each[k]);
        if (!isnan(each[k]))
            akin_average_add(&average, each[k], s.attributes[k].units);
    }
    bool reaches = s.count == 1 ? each[0] > 0 : akin_average_reaches(average, s.threshold);
    return reaches ? sum / weights : -1;
}

static __global__ void __launch_bounds__(THREADS)
    score(const __grid_constant__ akin_gpu_scoring scoring, const akin_gpu_candidate *candidates, uint64_t count,
          uint32_t border, akin_scored_pair *pairs, double *each, akin_gpu_told *tally)
{
    uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;
    uint32_t compared = 0;
    if (i < count) {
        double own[AKIN_GPU_ATTRIBUTES];
        const akin_gpu_candidate c = candidates[i];
        double similarity = score_pair(scoring, c.a, c.b, own, &compared);
        if (similarity >= 0) {
            unsigned long long to = atomicAdd(&tally->found, 1ull);
            pairs[to] = akin_scored_pair{min(c.a, c.b), max(c.a, c.b) - border, similarity};
            for (uint32_t k = 0; k < scoring.count; k++)
                each[to * scoring.count + k] = own[k];
        }
    }
    for (int step = 16; step > 0; step /= 2)
        compared += __shfl_down_sync(0xffffffffu, compared, step);
    if (threadIdx.x % 32 == 0 && compared > 0)
        atomicAdd(&tally->compared, (unsigned long long)compared);
}

static akin_status gpu_score(akin_device_stream *stream, const akin_gpu_scoring *scoring,
                             const akin_gpu_candidate *candidates, uint64_t count, uint32_t border,
                             akin_scored_pair *pairs, double *each, akin_gpu_told *tally, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    score<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS, 0, akin_device_stream_cuda(stream)>>>(
        *scoring, candidates, count, border, pairs, each, tally);
    return akin_device_launched(stream, "score", error);
}

const akin_dedupe_score_kernels akin_cuda_dedupe_score = {gpu_score};
