/* Shares of right items by isotonic regression. */
#include "learn/right_share.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define ROUNDS    30
#define UNCHANGED 1e-4 /* a change of the share of records with a partner that ends the search */

/* Neighbouring items with one share. */
typedef struct pool {
    double right; /* the mean */
    uint64_t items;
} pool;

/* Counts the decoys of each item: those that weigh as much as it, and less than the next one. */
static void count_decoys(const double *weights, uint64_t count, const akin_weighed_decoys *decoys, double *counts)
{
    uint64_t item = 0;
    for (uint64_t i = 0; i < count; i++)
        counts[i] = 0;
    for (uint64_t d = 0; d < decoys->count; d++) {
        while (item < count && weights[item] <= decoys->weights[d])
            item++;
        if (item > 0)
            counts[item - 1] += decoys->scale;
    }
}

static double within(double share)
{
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* The shares, of records of which `without` have no partner. Returns their sum. */
static double regress(const double *counts, uint64_t count, double without, pool *pools, double *shares)
{
    uint64_t made = 0, item = 0;
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        pools[made++] = (pool){1 - without * counts[i], 1};
        for (; made > 1 && pools[made - 2].right > pools[made - 1].right; made--) {
            pool *into = &pools[made - 2];
            const double a = (double)into->items, b = (double)pools[made - 1].items;
            *into =
                (pool){(into->right * a + pools[made - 1].right * b) / (a + b), into->items + pools[made - 1].items};
        }
    }
    for (uint64_t p = 0; p < made; p++)
        for (uint64_t i = 0; i < pools[p].items; i++)
            sum += shares[item++] = within(pools[p].right);
    return sum;
}

akin_status akin_right_share_find(akin_account *account, const double *weights, uint64_t count,
                                  const akin_weighed_decoys *decoys, double *shares)
{
    pool *pools = akin_alloc(account, count, sizeof *pools);
    double *counts = akin_alloc(account, count, sizeof *counts);
    const int done = pools && counts;
    if (done) {
        double with = 0, before;
        uint32_t rounds = 0;
        count_decoys(weights, count, decoys, counts);
        do {
            before = with;
            with = within(regress(counts, count, 1 - before, pools, shares) / decoys->records);
        } while (++rounds < ROUNDS && (with - before > UNCHANGED || before - with > UNCHANGED));
    }
    akin_free(pools);
    akin_free(counts);
    return done ? AKIN_OK : AKIN_E_NOMEM;
}
