/*
 * The grams of items, to be looked up by those of documents. A gram is N words in a row. A text of fewer words is one
 * gram as a whole.
 *
 *     hash --> filter --> slot       | 32 bits of the hash | place + 1 |     0: free
 *                          |
 *                          v
 *                         place      the word of an item's text where the gram begins
 *                          |
 *                          v
 *                         next       the same gram in another text, and so on
 *
 * The hash of a gram comes from sums (word_sums.h).
 * Most places of a document end at the filter: a word of 64 bits, of which a gram has set three. Grams are equal if
 * their words are. Of grams that a text has several times, only the first place is found; gram_automaton.h has the
 * others.
 */
#ifndef AKIN_CORPUS_GRAMS_H
#define AKIN_CORPUS_GRAMS_H

#include "base/bits.h"
#include "base/scope.h"
#include "corpus/item_texts.h"
#include "corpus/gram_automaton.h"
#include "corpus/word_sums.h"

#define AKIN_GRAM_WORDS_MOST 255
#define AKIN_GRAM_NONE       UINT32_MAX /* no place */

typedef struct akin_text_repeats {
    uint32_t text;
    akin_gram_automaton repeats;
} akin_text_repeats;

typedef struct akin_grams {
    akin_account *account; /* charged for all of it; NULL: none */
    const akin_item_texts *texts;
    uint64_t mask;  /* the bits of hashes that count: all, but for tests */
    uint32_t words; /* N */
    int has_long;   /* a text has N words or more; has_short: one has fewer */
    int has_short;
    uint64_t *slots, *filter;
    uint64_t *lengths; /* by a gram's first word: bit (n - 1) % 64 if such a text of n < N words may be there */
    uint64_t slot_count, filter_count, length_count, repeat_capacity;
    uint32_t *next;             /* for each place */
    uint32_t *blocks;           /* the text of every 16th place */
    akin_text_repeats *repeats; /* of texts with grams that they have several times; texts ascend */
    uint32_t repeat_count;
    uint64_t powers[AKIN_GRAM_WORDS_MOST + 1]; /* of B */
} akin_grams;

/* Makes the grams of texts, which stay the caller's. words: 1 to 255. Errors, without a message: AKIN_E_NOMEM,
 * AKIN_E_LIMIT (a text has 2^30 words), AKIN_E_CANCELLED. */
akin_status akin_grams_make(const akin_scope *scope, akin_account *account, const akin_item_texts *texts,
                            uint32_t words, uint64_t mask, akin_grams *out);
void akin_grams_clear(akin_grams *grams);

/* The first place of a gram: of `words` words of a document; AKIN_GRAM_NONE: no text has it. likely: the place behind
 * that of the gram one word before; AKIN_GRAM_NONE: that is nowhere, or not known. */
uint32_t akin_grams_find(const akin_grams *grams, uint64_t hash, const char *text, const uint32_t *bounds,
                         uint32_t words, uint32_t likely);

/* Brings to the cache what finding a gram reads: its slot, and later, when that is there, where its words are. */
void akin_grams_bring(const akin_grams *grams, uint64_t hash);
void akin_grams_bring_words(const akin_grams *grams, uint64_t hash);

/* The text of a place. */
uint32_t akin_grams_text(const akin_grams *grams, uint32_t place);

/* The automaton of a text; NULL: it has no gram twice. */
const akin_gram_automaton *akin_grams_repeats(const akin_grams *grams, uint32_t text);

/* How many words a gram of a text has. */
static inline uint32_t akin_grams_words(const akin_grams *grams, uint32_t text)
{
    return akin_min_u32(grams->words, akin_item_texts_size(grams->texts, text));
}

/* The hash of `words` words, of the sums at both ends. */
static inline uint64_t akin_grams_hash(const akin_grams *grams, uint64_t before, uint64_t after, uint32_t words)
{
    return akin_word_run_hash(before, after, grams->powers[words], words) & grams->mask;
}

static inline uint64_t akin_grams_filter_bits(uint64_t hash)
{
    return UINT64_C(1) << (hash & 63) | UINT64_C(1) << (hash >> 6 & 63) | UINT64_C(1) << (hash >> 12 & 63);
}

/* The word of the filter that a hash has its bits in. */
static inline const uint64_t *akin_grams_filter_word(const akin_grams *grams, uint64_t hash)
{
    return &grams->filter[(uint64_t)((akin_u128)hash * grams->filter_count >> 64)];
}

/* Whether a text may have a gram of that hash. */
static inline int akin_grams_may_have(const akin_grams *grams, uint64_t hash)
{
    return (~*akin_grams_filter_word(grams, hash) & akin_grams_filter_bits(hash)) == 0;
}

/* Of `lengths` the word for grams whose first word has that hash, as a gram of one word. */
static inline uint64_t *akin_grams_lengths(const akin_grams *grams, uint64_t hash)
{
    return &grams->lengths[(uint64_t)((akin_u128)hash * grams->length_count >> 64)];
}

#endif
