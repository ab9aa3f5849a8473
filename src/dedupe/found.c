/* Keeps pairs in arrays that grow. */
#include "dedupe/found.h"

#include "base/bits.h"

#define AT_ONCE 1024 /* pairs that are added to clusters */

int akin_found_enlarge(akin_found *found, akin_account *account, uint64_t count, uint32_t attributes,
                       uint32_t comparisons)
{
    akin_found *f = found;
    const uint64_t most = UINT64_MAX / sizeof(double) / (attributes + (uint64_t)comparisons + 1);
    if (count > most - f->count)
        return 0;
    count += f->count;
    akin_scored_pair *pairs = akin_enlarge(account, f->pairs, &f->room_pairs, count, sizeof *pairs);
    if (pairs)
        f->pairs = pairs;
    double *each = attributes ? akin_enlarge(account, f->each, &f->room_each, count * attributes, sizeof *each) : NULL;
    if (each)
        f->each = each;
    uint8_t *levels =
        comparisons ? akin_enlarge(account, f->levels, &f->room_levels, count * comparisons, sizeof *levels) : NULL;
    if (levels)
        f->levels = levels;
    return pairs && (each || !attributes) && (levels || !comparisons);
}

void akin_found_clear(akin_found *found)
{
    akin_free(found->pairs);
    akin_free(found->each);
    akin_free(found->levels);
    *found = (akin_found){0};
}

akin_status akin_scored_cluster(const akin_scored_pair *pairs, uint64_t count, const double *similarity,
                                akin_clusters *clusters, akin_error *error)
{
    akin_pair some[AT_ONCE];
    double similarities[AT_ONCE];
    akin_status status = AKIN_OK;
    for (uint64_t i = 0, now; i < count && status == AKIN_OK; i += now) {
        now = akin_min_u64(AT_ONCE, count - i);
        for (uint64_t k = 0; k < now; k++) {
            some[k] = (akin_pair){.left = pairs[i + k].left, .right = pairs[i + k].right};
            similarities[k] = similarity ? *similarity : pairs[i + k].similarity;
        }
        status = akin_clusters_add(clusters, some, similarities, now, error);
    }
    return status;
}
