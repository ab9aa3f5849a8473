/* Strings as the tables of this room keep them: a short string as two words, a long one as its hash and its place. */
#ifndef AKIN_DICT_TERM_H
#define AKIN_DICT_TERM_H

#include <stdint.h>
#include <string.h>

#define AKIN_TERM_SHORT 16

/*
 * A string of 0 to 2^32 - 1 bytes:
 *
 *     up to 16 bytes    word   its bytes, then zeros
 *     more              word   its hash, and the place of its bytes in the buffer of the term's owner
 */
typedef struct akin_term {
    uint64_t word[2];
    uint32_t length;
    uint32_t number; /* a number of the owner's choice */
} akin_term;

__extension__ typedef unsigned __int128 akin_term_product;

/* The random numbers that the hashes of a dictionary, or of sets of strings, depend on, drawn for each. They prevent
 * strings that are made to collide. */
typedef struct akin_salt {
    uint64_t word[2];
} akin_salt;

/* Draws a salt from the time and the address of what it is for. Nobody who prepares a text knows these. */
akin_salt akin_salt_draw(const void *of);

static inline uint64_t akin_term_hash(akin_term term, akin_salt salt)
{
    if (term.length > AKIN_TERM_SHORT)
        return term.word[0];
    uint64_t a = term.word[0] ^ salt.word[0], b = (term.word[1] ^ salt.word[1]) - term.length;
    akin_term_product product = (akin_term_product)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Returns the term of `length` bytes, at most 16. 16 bytes can be read from `bytes`. */
static inline akin_term akin_term_load(const char *bytes, uint32_t length)
{
    static const unsigned char masks[2 * AKIN_TERM_SHORT] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                             255, 255, 255, 255, 255, 255, 255, 255};
    uint64_t mask[2];
    akin_term term;
    memcpy(mask, masks + AKIN_TERM_SHORT - length, sizeof mask);
    memcpy(term.word, bytes, sizeof term.word);
    term.word[0] &= mask[0];
    term.word[1] &= mask[1];
    term.length = length;
    term.number = 0;
    return term;
}

/* The same for any length, if only `length` bytes can be read. */
akin_term akin_term_copy(const char *bytes, uint32_t length, akin_salt salt);

/* Returns the term of more than 16 bytes, with place 0. */
akin_term akin_term_long(const char *bytes, uint32_t length, akin_salt salt);

/* Whether a kept term is the string `bytes`, whose term is `term`. `kept_bytes` has the bytes of long kept terms. */
static inline int akin_term_equal(const akin_term *kept, const char *kept_bytes, const akin_term *term,
                                  const char *bytes)
{
    if (kept->word[0] != term->word[0] || kept->length != term->length)
        return 0;
    if (term->length <= AKIN_TERM_SHORT)
        return kept->word[1] == term->word[1];
    return memcmp(kept_bytes + kept->word[1], bytes, term->length) == 0;
}

/* Returns the bytes of a kept term. */
static inline const char *akin_term_bytes(const akin_term *kept, const char *kept_bytes)
{
    return kept->length <= AKIN_TERM_SHORT ? (const char *)kept->word : kept_bytes + kept->word[1];
}

#endif
