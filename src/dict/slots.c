/* Hash tables of numbers: which of a list of things has that hash. */
#include "dict/slots.h"

#include "base/memory.h"

void akin_slots_clear(akin_slots *slots)
{
    akin_free(slots->slots);
    *slots = (akin_slots){0};
}

akin_status akin_slots_reserve(akin_slots *slots, uint64_t count)
{
    if (count <= slots->limit)
        return AKIN_OK;
    int bits = AKIN_SLOTS_LEAST;
    while (bits < AKIN_SLOTS_MOST && (UINT64_C(1) << bits) / 3 * 2 < count)
        bits++;
    akin_slots grown = {.mask = (UINT64_C(1) << bits) - 1, .limit = (UINT64_C(1) << bits) / 3 * 2, .shift = 64 - bits};
    if (grown.limit < count)
        return AKIN_E_NOMEM;
    grown.slots = akin_alloc_zero(NULL, grown.mask + 1, sizeof *grown.slots);
    if (!grown.slots)
        return AKIN_E_NOMEM;
    for (uint64_t i = 0; slots->slots && i <= slots->mask; i++) {
        uint64_t slot = slots->slots[i], at = akin_slots_home(&grown, slot);
        if (slot == 0)
            continue;
        while (grown.slots[at] != 0)
            at = akin_slots_next(&grown, at);
        grown.slots[at] = slot;
    }
    akin_free(slots->slots);
    *slots = grown;
    return AKIN_OK;
}
