/* Chooses pairs that have no record in common, the most similar ones first. */
#include "dedupe/matching.h"

#include <math.h>

uint32_t akin_matching_average(const akin_attribute *attributes, uint32_t count, const double *each)
{
    akin_average average = {0};
    for (uint32_t i = 0; i < count; i++)
        if (!isnan(each[i]))
            akin_average_add(&average, each[i], akin_weight_of(attributes[i].weight));
    return akin_average_billionths(average);
}

int akin_matching_choose(akin_account *account, akin_scored_pair *pairs, const uint32_t *averages, uint64_t *numbers,
                         uint64_t *count, uint32_t rows_left, uint32_t rows_right)
{
    uint64_t left = 0;
    akin_u128 *ranks = akin_alloc(account, *count, sizeof *ranks);
    uint8_t *taken = akin_alloc_zero(account, (uint64_t)rows_left + rows_right, sizeof *taken);
    uint8_t *stays = akin_alloc_zero(account, *count, sizeof *stays);
    int done = ranks && taken && stays;
    for (uint64_t i = 0; done && i < *count; i++)
        ranks[i] = akin_matching_rank(averages[i], i);
    if (done)
        akin_sort_u128(ranks, *count);
    for (uint64_t i = 0; done && i < *count; i++) {
        const akin_scored_pair *pair = &pairs[(uint64_t)ranks[i]];
        uint8_t *a = &taken[pair->left], *b = &taken[pair->right + (uint64_t)(rows_right ? rows_left : 0)];
        if (!*a && !*b)
            *a = *b = stays[(uint64_t)ranks[i]] = 1;
    }
    for (uint64_t i = 0; done && i < *count; i++)
        if (stays[i]) {
            pairs[left] = pairs[i];
            numbers[left++] = numbers[i];
        }
    *count = done ? left : *count;
    akin_free(ranks);
    akin_free(taken);
    akin_free(stays);
    return done;
}
