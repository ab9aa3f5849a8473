/*
 * The distinct texts of items, as words. Equal texts have equal words. A text has at least one word.
 *
 *     items     "To be, or"   "not"   "TO BE OR!"   "?"
 *     bytes     t o b e o r n o t
 *     begins    0   2   4   6     9       where each word begins, and the last one ends
 *     firsts    0           3     4       the first word of each text, and the number of words
 *     texts of the items    0, 1, 0, none
 */
#ifndef AKIN_CORPUS_ITEM_TEXTS_H
#define AKIN_CORPUS_ITEM_TEXTS_H

#include "base/memory.h"
#include "dict/slots.h"
#include "text/tokenizer.h"

#define AKIN_TEXT_NONE UINT32_MAX /* an item has no word */

typedef struct akin_item_texts {
    akin_account *account; /* charged for all of it; NULL: none */
    uint64_t mask;         /* the bits of hashes that count: all, but for tests */
    akin_slots known;      /* texts by their hashes, until all are added */
    char *bytes;
    uint32_t *begins, *firsts;
    uint64_t byte_capacity, begin_capacity, first_capacity;
    uint32_t byte_count, word_count, count;
} akin_item_texts;

/* Begins without memory. */
void akin_item_texts_begin(akin_item_texts *texts, akin_account *account, uint64_t mask);
void akin_item_texts_clear(akin_item_texts *texts);

/* Adds the text that a tokenizer of words has taken; *text: its number. Errors, without a message: AKIN_E_LIMIT (words
 * of 2^32 - 1 bytes), AKIN_E_NOMEM. */
akin_status akin_item_texts_add(akin_item_texts *texts, akin_tokenizer *tokenizer, uint32_t *text);

/* Ends adding, and gives back memory. */
void akin_item_texts_end(akin_item_texts *texts);

/* How many words a text has. */
static inline uint32_t akin_item_texts_size(const akin_item_texts *texts, uint32_t text)
{
    return texts->firsts[text + 1] - texts->firsts[text];
}

#endif
