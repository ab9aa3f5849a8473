/* Counts the symbols of a string by kinds. */
#include "strings/bag.h"

akin_bag akin_bag_of(const akin_symbols *text)
{
    akin_bag bag = {{0, 0}};
    for (uint32_t i = 0; i < text->length; i++) {
        uint32_t kind = akin_bag_kind(akin_symbol(text, i)), shift = kind % 16 * AKIN_BAG_MOST;
        uint64_t *word = &bag.words[kind / 16], count = *word >> shift & 15;
        *word |= (count << 1 | 1) << shift & UINT64_C(15) << shift;
    }
    return bag;
}
