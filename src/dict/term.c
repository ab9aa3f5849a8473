/* Makes terms: strings as the tables of this room keep them. */
#include "dict/term.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

akin_term akin_term_copy(const char *bytes, uint32_t length, akin_salt salt)
{
    akin_term term = {.length = length};
    if (length > AKIN_TERM_SHORT)
        return akin_term_long(bytes, length, salt);
    if (length > 0)
        memcpy(term.word, bytes, length);
    return term;
}

akin_term akin_term_long(const char *bytes, uint32_t length, akin_salt salt)
{
    return (akin_term){.word = {XXH3_64bits_withSeed(bytes, length, salt.word[0]), 0}, .length = length};
}
