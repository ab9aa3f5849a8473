/*
 * The kernels of the tensor join on the GPU that the host plays (property/host_device.h): signatures, and the filter by
 * its definition, a warp and a step of columns after the other. It does not show how matrix instructions count.
 */
#include "property/host_kernel.h"

#include "base/bits.h"
#include "join/kernels.h"

static uint32_t token_of(const akin_gpu_sets *sets, uint64_t at)
{
    return sets->narrow ? ((const uint16_t *)sets->tokens)[at] : ((const uint32_t *)sets->tokens)[at];
}

static uint32_t popcount_of(const uint32_t *words, uint32_t count)
{
    uint32_t bits = 0;
    for (uint32_t w = 0; w < count; w++)
        bits += (uint32_t)__builtin_popcount(words[w]);
    return bits;
}

/* --------------------------------------------------------------------------------------------------------- sides */

static akin_status tensor_sign(akin_device_stream *stream, const akin_gpu_sets *sets, uint32_t bits,
                               const uint32_t *class_first, uint32_t classes, uint32_t *signatures, uint32_t *keys,
                               uint32_t *numbers, akin_error *error)
{
    akin_status status = host_enter(error);
    const uint32_t words = bits / 32;
    for (uint32_t set = 0, own = 0; set < sets->count && status == AKIN_OK; set++) {
        uint32_t *signature = signatures + (uint64_t)set * words;
        while (own + 1 < classes && class_first[own + 1] <= set)
            own++;
        for (uint32_t w = 0; w < words; w++)
            signature[w] = 0;
        for (uint64_t i = sets->offsets[set]; i < sets->offsets[set + 1]; i++) {
            const uint32_t bit = token_of(sets, i) % bits;
            signature[bit / 32] ^= UINT32_C(1) << bit % 32;
        }
        keys[set] = own << AKIN_TENSOR_KEY | popcount_of(signature, words);
        numbers[set] = set;
    }
    return status;
}

static akin_status tensor_arrange(akin_device_stream *stream, const akin_gpu_sets *sets, akin_measure_rule rule,
                                  akin_tensor_rule decides, uint32_t bits, const uint32_t *signatures,
                                  const akin_tensor_side *side, akin_error *error)
{
    akin_status status = host_enter(error);
    const uint32_t words = bits / 32;
    for (uint32_t at = 0; at < side->count && status == AKIN_OK; at++) {
        const uint32_t set = side->set[at];
        must(set < sets->count);
        const uint32_t size = (uint32_t)(sets->offsets[set + 1] - sets->offsets[set]);
        for (uint32_t w = 0; w < words; w++)
            side->signatures[(uint64_t)at * words + w] = signatures[(uint64_t)set * words + w];
        side->slack[at] =
            (int32_t)popcount_of(signatures + (uint64_t)set * words, words) - (int32_t)akin_rule_share(rule, size);
        if (decides.exact)
            side->term[at] = (int32_t)(decides.squared ? size : decides.share * size);
        if (at % AKIN_TENSOR_STEP == 0 || side->slack[at] < side->low[at / AKIN_TENSOR_STEP])
            side->low[at / AKIN_TENSOR_STEP] = side->slack[at];
    }
    return status;
}

extern const akin_tensor_side_kernels host_tensor_side_kernels;
const akin_tensor_side_kernels host_tensor_side_kernels = {tensor_sign, tensor_arrange};

/* -------------------------------------------------------------------------------------------------------- filter */

static akin_status tensor_kernel_of(akin_device *device, uint32_t bits, akin_tensor_kernel wanted,
                                    akin_tensor_kernel *out, akin_error *error)
{
    (void)device;
    must(bits >= AKIN_TENSOR_BITS_LEAST);
    *out = wanted == AKIN_TENSOR_BEST ? AKIN_TENSOR_WGMMA : wanted;
    return host_enter(error);
}

typedef struct filter {
    const akin_tensor_side *probes, *indexed;
    akin_tensor_rule rule;
    int self;
    uint32_t words;
    const akin_tensor_taken *out;
} filter;

/* Whether the pair at these positions is taken; how many bits they share. */
static int takes(const filter *f, uint32_t row, uint32_t column, int32_t extra, uint32_t *shared)
{
    const uint32_t *a = f->probes->signatures + (uint64_t)row * f->words,
                   *b = f->indexed->signatures + (uint64_t)column * f->words;
    const uint64_t r = (uint64_t)(int64_t)f->probes->term[row], s = (uint64_t)(int64_t)f->indexed->term[column];
    uint64_t n = 0;
    for (uint32_t w = 0; w < f->words; w++)
        n += (uint64_t)__builtin_popcount(a[w] & b[w]);
    *shared = (uint32_t)n;
    if (!f->rule.exact)
        return 2 * (int64_t)n >= (int64_t)f->probes->slack[row] + f->indexed->slack[column] + extra;
    if (f->rule.squared)
        return f->rule.factor * n * n >= f->rule.share * r * s;
    return (int64_t)(f->rule.factor * n) >= (int64_t)(r + s) + f->rule.extra;
}

/* A step of a warp: its rows, and columns [column, end). All that it finds is written, or nothing. */
static int take_step(const filter *f, uint32_t row, uint32_t last, uint32_t column, uint32_t end, int32_t extra)
{
    const akin_tensor_taken *out = f->out;
    for (int writes = 0; writes < 2; writes++) {
        uint64_t found = 0;
        const uint64_t at = out->tally->count;
        for (uint32_t i = row; i < last; i++)
            for (uint32_t k = column; k < end && !(f->self && k >= i); k++) {
                uint32_t shared;
                if (!takes(f, i, k, extra, &shared))
                    continue;
                if (writes)
                    out->pairs[at + found] = (akin_gpu_pair)f->probes->set[i] << 32 | f->indexed->set[k];
                if (writes && out->overlaps)
                    out->overlaps[at + found] = shared;
                found++;
            }
        if (!out->pairs) {
            out->tally->found += found;
            return 1;
        }
        if (!writes && at + found > out->room) {
            out->tally->count += found;
            out->tally->valid = akin_min_u64(out->tally->valid, at);
            return 0;
        }
        out->tally->count += writes ? found : 0;
    }
    return 1;
}

static akin_status tensor_filter(akin_device_stream *stream, const akin_tensor_side *probes,
                                 const akin_tensor_side *indexed, akin_tensor_rule rule, int self, uint32_t bits,
                                 const akin_tensor_task *tasks, uint32_t count, const akin_tensor_taken *taken,
                                 akin_error *error)
{
    akin_status status = host_enter(error);
    const filter f = {probes, indexed, rule, self, bits / 32, taken};
    must(count > 0 && taken->kernel != AKIN_TENSOR_BEST);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        const akin_tensor_task task = tasks[i];
        must(task.column % AKIN_TENSOR_STEP == 0 && !(task.alone && taken->kernel == AKIN_TENSOR_WGMMA));
        for (uint32_t warp = 0; warp < (task.alone ? 1 : AKIN_TENSOR_WARPS); warp++) {
            const uint32_t row = task.row + warp * AKIN_TENSOR_WARP_ROWS(bits);
            const uint32_t last = (uint32_t)akin_min_u64(row + AKIN_TENSOR_WARP_ROWS(bits), probes->count);
            const uint32_t end = (uint32_t)akin_min_u64(task.end, indexed->count);
            for (uint32_t column = task.column; row < last && column < end; column += AKIN_TENSOR_STEP)
                if (!take_step(&f, row, last, column, (uint32_t)akin_min_u64(end, column + AKIN_TENSOR_STEP),
                               task.extra)) {
                    taken->resume[taken->tally->resumed++] = (akin_tensor_task){row, column, task.end, task.extra, 1};
                    break;
                }
        }
    }
    return status;
}

extern const akin_tensor_kernels host_tensor_kernels;
const akin_tensor_kernels host_tensor_kernels = {tensor_kernel_of, tensor_filter};
