/* The threshold of the largest expected F1. */
#include "learn/expected.h"

#include <string.h>

#include "base/sort_parallel.h"

akin_status akin_expected_choose(const akin_scope *scope, akin_account *account, const double *probabilities,
                                 uint64_t count, double matches, akin_expected *out, akin_error *error)
{
    /* The bits of doubles from 0 on are in the order of their values. */
    uint64_t *keys = akin_alloc(account, count, sizeof *keys);
    double right = 0, best = -1;
    *out = (akin_expected){.threshold = 1, .matches = matches};
    if (!keys)
        return akin_fail_memory(error, "the threshold");
    if (count > 0)
        memcpy(keys, probabilities, count * sizeof *keys);
    akin_status status = akin_sort_parallel_u64(scope, account, keys, count);
    for (uint64_t i = count; i > 0 && status == AKIN_OK; i--) {
        double p;
        memcpy(&p, &keys[i - 1], sizeof p);
        right += p;
        if (i > 1 && keys[i - 2] == keys[i - 1])
            continue; /* pairs of one probability are accepted together */
        const double accepted = (double)(count - i + 1);
        const double value = right / (accepted + matches); /* half of the expected F1 */
        if (value > best) {
            best = value;
            out->threshold = p;
            out->right = right;
            out->accepted = count - i + 1;
        }
    }
    akin_free(keys);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the threshold");
}
