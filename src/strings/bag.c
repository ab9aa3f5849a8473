/* Counts the symbols of a string by kinds. */
#include "strings/bag.h"

akin_bag akin_bag_of(const akin_symbols *text, uint32_t kinds)
{
    akin_bag bag = {{0}};
    for (uint32_t i = 0; i < text->length; i++) {
        uint32_t kind = akin_bag_kind(akin_symbol(text, i), kinds), shift = kind % 16 * 4;
        uint64_t *word = &bag.words[kind / 16];
        if (kinds == AKIN_BAG_DEEP && (*word >> shift & 15) == 15)
            word += 2;
        *word |= ((*word >> shift & 15) << 1 | 1) << shift & UINT64_C(15) << shift;
    }
    return bag;
}
