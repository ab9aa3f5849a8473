/* Keeps pairs in arrays that grow. */
#include "dedupe/found.h"

int akin_found_enlarge(akin_found *found, akin_account *account, uint64_t count, uint32_t attributes)
{
    akin_found *f = found;
    uint64_t most = UINT64_MAX / sizeof(double) / (attributes + (uint64_t)1);
    if (count > most - f->count)
        return 0;
    akin_scored_pair *pairs = akin_enlarge(account, f->pairs, &f->room_pairs, f->count + count, sizeof *pairs);
    if (pairs)
        f->pairs = pairs;
    double *each = akin_enlarge(account, f->each, &f->room_each, (f->count + count) * attributes, sizeof *each);
    if (each)
        f->each = each;
    return pairs && each;
}

void akin_found_clear(akin_found *found)
{
    akin_free(found->pairs);
    akin_free(found->each);
    *found = (akin_found){0};
}
