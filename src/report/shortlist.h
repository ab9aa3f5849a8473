/* The lowest few of many keys, whatever their order: a heap whose root is the highest key that is kept. */
#ifndef AKIN_REPORT_SHORTLIST_H
#define AKIN_REPORT_SHORTLIST_H

#include "base/memory.h"
#include "base/sort.h"

/* No two keys are equal; the lower half of a key is its pair. */
typedef struct akin_shortlist {
    akin_u128 *keys;
    uint64_t count, most;
} akin_shortlist;

/* For `most` keys, above 0. 0: memory is short. */
int akin_shortlist_make(akin_shortlist *list, akin_account *account, uint64_t most);
void akin_shortlist_clear(akin_shortlist *list);

void akin_shortlist_offer(akin_shortlist *list, akin_u128 key);

/* A key that rises with `distance`, which is not negative. */
static inline akin_u128 akin_shortlist_key(double distance, uint64_t of)
{
    union {
        double value;
        uint64_t bits;
    } d = {distance > 0 ? distance : 0};
    return (akin_u128)d.bits << 64 | of;
}

#endif
