/*
 * Texts as words, and where a run of words stands in the original text, before it was normalised.
 *
 *     text     R E S U M E' : ( n o n ) ,  4 1/2       E' an E and a combining acute, 1/2 one code point
 *     words    0             1            2   4 1, 3   2
 */
#ifndef AKIN_CORPUS_WORDS_H
#define AKIN_CORPUS_WORDS_H

#include "text/tokenizer.h"

/* How text becomes folded words. */
akin_text_options akin_words_options(void);

/* Begins a tokenizer of them, without memory. */
void akin_words_begin(akin_tokenizer *tokenizer, akin_cpu cpu, akin_account *account);

typedef struct akin_word_locator {
    akin_tokenizer tokenizer;
    akin_account *account; /* charged for all of it; NULL: none */
    char *word;            /* the one that is searched */
    uint64_t capacity;
    uint32_t length;
    /* Of the last range that was found: a byte not behind it from which on the text may be searched alone, and how many
     * words are before that. */
    uint32_t piece_words;
    uint64_t piece_begin;
} akin_word_locator;

/* Begins without memory. */
void akin_word_locator_begin(akin_word_locator *locator, akin_cpu cpu, akin_account *account);
void akin_word_locator_clear(akin_word_locator *locator);

/*
 * Finds the smallest range of a text, on borders of code points, whose words are those from `first` on, `count` (at
 * least 1) of them. So marks that belong to the last word are in the range, and what is between words is not. A code
 * point that becomes several words is in the range as a whole if one of them is wanted: of "1/2", one code point, the
 * word 2 alone has no other range.
 *
 * Errors, without a message: AKIN_E_OPTION (the text has fewer words), AKIN_E_INPUT, AKIN_E_LIMIT, AKIN_E_NOMEM.
 */
akin_status akin_words_locate(akin_word_locator *locator, const char *text, uint64_t length, uint32_t first,
                              uint32_t count, uint64_t *begin, uint64_t *end);

#endif
