/* The best partners of each left row, block by block. */
#include "join/best.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/pair_limit.h"

#define RESULTS       ((uint64_t)1 << 22) /* of a block, about, where memory has no bound, */
#define RESULTS_LEAST 4096                /* and where few pairs are taken */
#define BATCH         1024                /* pairs that the sink gets at once: on the stack, which may be small */

uint32_t akin_best_rows(const akin_account *account, uint32_t rows, uint32_t k, uint64_t bytes, akin_pair_sink sink,
                        void *sink_user)
{
    uint64_t results = account->limit ? akin_budget_part(account->limit, AKIN_JOB_PAIRS) / bytes : RESULTS;
    const uint64_t taken = akin_pair_limit_left(akin_pair_limit_of(sink, sink_user));
    results = akin_min_u64(results, akin_max_u64(taken, RESULTS_LEAST));
    return (uint32_t)akin_max_u64(1, akin_min_u64(rows, results / akin_max_u32(k, 1)));
}

akin_status akin_best_begin(akin_account *account, uint32_t first, uint32_t end, uint32_t k, akin_best *out,
                            akin_error *error)
{
    *out = (akin_best){.first = first, .end = end, .k = k};
    out->held = akin_alloc_zero(account, end - first, sizeof *out->held);
    out->keys = akin_alloc(account, (uint64_t)(end - first) * k, sizeof *out->keys);
    return out->held && out->keys ? AKIN_OK : akin_fail_memory(error, "the best partners");
}

void akin_best_clear(akin_best *best)
{
    akin_free(best->held);
    akin_free(best->keys);
    *best = (akin_best){0};
}

akin_status akin_best_deliver(const akin_best *best, akin_best_pair pair_of, const void *user, akin_pair_sink sink,
                              void *sink_user, uint64_t *count, akin_error *error)
{
    akin_pair batch[BATCH];
    uint32_t filled = 0;
    for (uint32_t row = best->first; row < best->end; row++) {
        const uint64_t *keys = akin_best_keys(best, row);
        const uint32_t held = best->held[row - best->first];
        *count += held;
        for (uint32_t i = 0; i < held && sink; i++) {
            pair_of(user, row, keys[i], &batch[filled++]);
            if (filled == BATCH && sink(sink_user, batch, filled) != 0)
                return akin_fail(error, AKIN_E_CANCELLED, "the receiver of the pairs asked to stop");
            filled %= BATCH;
        }
    }
    if (filled > 0 && sink(sink_user, batch, filled) != 0)
        return akin_fail(error, AKIN_E_CANCELLED, "the receiver of the pairs asked to stop");
    return AKIN_OK;
}

akin_status akin_best_check_device(akin_device_choice device, akin_error *error)
{
    if (device != AKIN_DEVICE_CUDA)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     "the best partners of a row are found on the CPU: use the device cpu or auto");
}
