/* Steps of the largest probability, made and looked up. */
#include "learn/caps.h"

#include <math.h>

/* Goes through the items that make steps. Returns how many there are, and writes them unless `steps` is NULL. */
static uint64_t list_steps(const double *weights, const double *shares, uint64_t count, akin_cap *steps)
{
    uint64_t made = 0;
    double last = -1;
    for (uint64_t i = 0; i < count; i++) {
        if ((i + 1 < count && weights[i + 1] == weights[i]) || shares[i] == last)
            continue;
        last = shares[i];
        if (steps)
            steps[made] = (akin_cap){fmin(fmax(weights[i], -AKIN_CAPS_WEIGHT), AKIN_CAPS_WEIGHT), last};
        made++;
    }
    return made;
}

int akin_caps_make(akin_account *account, const double *weights, const double *shares, uint64_t count, akin_caps *out)
{
    const uint64_t steps = list_steps(weights, shares, count, NULL);
    *out = (akin_caps){.count = 0};
    if (steps >= UINT32_MAX)
        return 0;
    out->steps = akin_alloc(account, steps, sizeof *out->steps);
    if (!out->steps)
        return 0;
    out->count = (uint32_t)list_steps(weights, shares, count, out->steps);
    return 1;
}

int akin_caps_copy(akin_account *account, const akin_caps *caps, akin_caps *out)
{
    *out = (akin_caps){akin_alloc(account, caps->count, sizeof *out->steps), caps->count};
    for (uint32_t i = 0; i < caps->count && out->steps; i++)
        out->steps[i] = caps->steps[i];
    return out->steps != NULL;
}

double akin_caps_of(const akin_caps *caps, double weight)
{
    uint32_t low = 0, high = caps->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (caps->steps[middle].weight <= weight)
            low = middle + 1;
        else
            high = middle;
    }
    return caps->steps[low > 0 ? low - 1 : 0].share;
}
