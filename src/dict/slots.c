/* Hash tables of numbers: makes room, and grows. */
#include "dict/slots.h"

/* Returns an empty array with the limit, account and directory of another one. */
static akin_bulk bulk_like(const akin_bulk *bulk)
{
    return (akin_bulk){
        .limit = bulk->limit, .account = bulk->account, .directory = bulk->directory, .reason = bulk->reason};
}

void akin_slots_clear(akin_slots *slots)
{
    akin_bulk empty = bulk_like(&slots->bulk);
    akin_bulk_clear(&slots->bulk);
    *slots = (akin_slots){.bulk = empty};
}

akin_status akin_slots_reserve(akin_slots *slots, uint64_t count)
{
    if (count <= slots->limit)
        return AKIN_OK;
    int bits = AKIN_SLOTS_LEAST;
    while (bits < AKIN_SLOTS_MOST && (UINT64_C(1) << bits) / 3 * 2 < count)
        bits++;
    akin_slots grown = {.bulk = bulk_like(&slots->bulk),
                        .mask = (UINT64_C(1) << bits) - 1,
                        .limit = (UINT64_C(1) << bits) / 3 * 2,
                        .shift = 64 - bits};
    if (grown.limit < count)
        return AKIN_E_NOMEM;
    akin_status status = akin_bulk_reserve_zeros(&grown.bulk, (grown.mask + 1) * sizeof *grown.slots, NULL, NULL);
    if (status != AKIN_OK)
        return status;
    grown.slots = grown.bulk.data;
    for (uint64_t i = 0; slots->slots && i <= slots->mask; i++) {
        uint64_t slot = slots->slots[i], at = akin_slots_home(&grown, slot);
        if (slot == 0)
            continue;
        while (grown.slots[at] != 0)
            at = akin_slots_next(&grown, at);
        grown.slots[at] = slot;
    }
    akin_bulk_clear(&slots->bulk);
    *slots = grown;
    return AKIN_OK;
}
