/* Builds parity signatures, folds them and lays them out for the screens. */
#include "signature/parity.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "signature/screen.h"

#include <string.h>

#define SETS_A_TASK 2048

typedef struct build {
    const akin_ranked *ranked;
    akin_parity *parity;
} build;

static akin_status build_some(void *argument, uint64_t task, uint32_t thread)
{
    build *job = argument;
    (void)thread;
    const akin_ranked *ranked = job->ranked;
    uint32_t stride = job->parity->stride;
    uint64_t end = akin_min_u64((task + 1) * SETS_A_TASK, ranked->count);
    uint64_t *words = job->parity->words + task * SETS_A_TASK * stride;
    memset(words, 0, (end - task * SETS_A_TASK) * stride * sizeof *words);
    for (uint64_t set = task * SETS_A_TASK; set < end; set++, words += stride)
        akin_parity_add(words, stride, ranked->tokens + ranked->offsets[set], akin_ranked_size(ranked, (uint32_t)set));
    return AKIN_OK;
}

akin_status akin_parity_build(const akin_scope *scope, akin_account *account, const akin_ranked *ranked, uint32_t bits,
                              akin_parity *out, akin_error *error)
{
    akin_parity parity = {bits, bits / 64, ranked->count, NULL};
    parity.words = akin_alloc(account, (uint64_t)ranked->count * parity.stride, sizeof(uint64_t));
    if (!parity.words)
        return akin_fail_memory(error, "the signatures");
    build job = {ranked, &parity};
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(ranked->count, SETS_A_TASK), build_some, &job);
    if (status != AKIN_OK) {
        akin_parity_clear(&parity);
        return akin_fail_stopped(error, status, "the signatures");
    }
    *out = parity;
    return AKIN_OK;
}

void akin_parity_clear(akin_parity *parity)
{
    akin_free(parity->words);
    memset(parity, 0, sizeof *parity);
}

void akin_parity_rows(const akin_parity *parity, const uint32_t *sets, uint64_t count, uint32_t narrow, uint64_t *out)
{
    for (uint64_t i = 0; i < count; i++, out += narrow)
        akin_parity_fold(parity->words + (uint64_t)sets[i] * parity->stride, parity->stride, out, narrow);
}

void akin_parity_strips(const akin_parity *parity, const uint32_t *sets, uint64_t count, uint32_t narrow, uint64_t *out)
{
    for (uint64_t i = 0; i < count; i += AKIN_SCREEN_GROUP, out += narrow * AKIN_SCREEN_GROUP)
        for (uint32_t lane = 0; lane < AKIN_SCREEN_GROUP; lane++) {
            const uint64_t *wide = parity->words + (uint64_t)sets[i + lane < count ? i + lane : i] * parity->stride;
            uint64_t some = i + lane < count ? UINT64_MAX : 0;
            for (uint32_t w = 0; w < narrow; w++) {
                uint64_t x = 0;
                for (uint32_t k = w; k < parity->stride; k += narrow)
                    x ^= wide[k];
                out[w * AKIN_SCREEN_GROUP + lane] = x & some;
            }
        }
}
