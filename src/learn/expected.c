/* The threshold of the largest expected F1, and that of an expected precision. */
#include "learn/expected.h"

#include <string.h>

#include "base/parallel.h"
#include "base/sort_parallel.h"

/* How good it is that `accepted` pairs are accepted, of which `right` are expected to be right; the better of two
 * thresholds is that of the larger value, and of equal ones the higher threshold. */
typedef double (*rating)(const akin_expected *accepted, double wanted);

/* Half of the expected F1. */
static double rate_f1(const akin_expected *accepted, double wanted)
{
    (void)wanted;
    return accepted->right / ((double)accepted->accepted + accepted->matches);
}

/* As many pairs as possible of that precision. */
static double rate_precise(const akin_expected *accepted, double wanted)
{
    const double count = (double)accepted->accepted;
    return accepted->right >= wanted * count ? count : -1;
}

static akin_status choose(const akin_scope *scope, akin_account *account, const double *probabilities, uint64_t count,
                          double matches, rating rate, double wanted, akin_expected *out, akin_error *error)
{
    /* The bits of doubles from 0 on are in the order of their values. */
    uint64_t *keys = akin_alloc(account, count, sizeof *keys);
    akin_expected at = {.matches = matches};
    double best = -1;
    *out = (akin_expected){.threshold = 1, .matches = matches};
    if (!keys)
        return akin_fail_memory(error, "the threshold");
    akin_status status = akin_copy_long(scope, keys, probabilities, count * sizeof *keys);
    if (status == AKIN_OK)
        status = akin_sort_parallel_u64(scope, account, keys, count);
    for (uint64_t i = count; i > 0 && status == AKIN_OK; i--) {
        memcpy(&at.threshold, &keys[i - 1], sizeof at.threshold);
        at.right += at.threshold;
        at.accepted++;
        if (i > 1 && keys[i - 2] == keys[i - 1])
            continue; /* pairs of one probability are accepted together */
        const double value = rate(&at, wanted);
        if (value > best) {
            best = value;
            *out = at;
        }
    }
    akin_free(keys);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the threshold");
}

akin_status akin_expected_choose(const akin_scope *scope, akin_account *account, const double *probabilities,
                                 uint64_t count, double matches, akin_expected *out, akin_error *error)
{
    return choose(scope, account, probabilities, count, matches, rate_f1, 0, out, error);
}

akin_status akin_expected_choose_precise(const akin_scope *scope, akin_account *account, const double *probabilities,
                                         uint64_t count, double matches, double precision, akin_expected *out,
                                         akin_error *error)
{
    return choose(scope, account, probabilities, count, matches, rate_precise, precision, out, error);
}
