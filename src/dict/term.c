/* Makes terms: strings as the tables of this room keep them. */
#include "dict/term.h"

#include "base/random.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

akin_salt akin_salt_draw(const void *of)
{
    akin_random random;
    akin_salt salt;
    akin_random_seed_anew(&random, of);
    salt.word[0] = akin_random_next(&random);
    salt.word[1] = akin_random_next(&random);
    return salt;
}

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
