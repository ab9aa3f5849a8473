/* The hashes of runs of words. */
#include "corpus/word_sums.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t akin_word_hash_long(const char *word, uint32_t length)
{
    return XXH3_64bits(word, length);
}

void akin_word_sums(const char *text, const uint32_t *bounds, uint32_t count, uint64_t mask, uint64_t *sums)
{
    uint64_t sum = sums[0];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t begin = bounds[2 * i], end = bounds[2 * i + 1];
        sum = sum * AKIN_WORD_BASE + (akin_word_hash(text + begin, end - begin) & mask);
        sums[i + 1] = sum;
    }
}

uint64_t akin_word_power(uint32_t n)
{
    uint64_t power = 1;
    while (n-- > 0)
        power *= AKIN_WORD_BASE;
    return power;
}
