/*
 * Contamination: which items of a test stand in a corpus. A gram is N words in a row. Words are normalised and folded;
 * equal grams have equal words.
 *
 *     item        a b c d e f             N = 3: its grams are abc, bcd, cde and def
 *     document    x b c d e y a b c
 *     covered     abc, bcd, cde           3 of 4 positions
 *     run         b c d e                 the longest one that both have: item word 1, document word 1, 4 words
 *
 * An item of fewer than N words is searched as a whole: all its words are one gram, and the run. An item without a word
 * is nowhere. Runs are never shorter than a gram.
 *
 * Items are held: their words, and about 20 bytes for each gram. Documents are scanned and not kept. What is found does
 * not depend on the number of threads, nor on the columns in which documents come.
 */
#ifndef AKIN_CORPUS_GRAM_SEARCH_H
#define AKIN_CORPUS_GRAM_SEARCH_H

#include "base/memory.h"
#include "base/scope.h"

#define AKIN_GRAM_SEARCH_WORDS 13 /* the usual N */

typedef struct akin_gram_search_options {
    uint32_t words; /* N, 1 to 255 */
    uint64_t mask;  /* the bits of hashes that count: all, but for tests */
} akin_gram_search_options;

#define AKIN_GRAM_SEARCH_OPTIONS_INIT                                                                                  \
    {                                                                                                                  \
        AKIN_GRAM_SEARCH_WORDS, UINT64_MAX                                                                             \
    }

/* What was found of an item. The run is the longest one; of several the one of the lowest row, of these the one that
 * begins first in the document, and then in the item. */
typedef struct akin_gram_found {
    uint64_t positions; /* of grams; of an item of fewer than N words 1, without a word 0 */
    uint64_t covered;   /* those whose gram is in a document */
    uint32_t documents; /* that have a gram of the item */
    uint32_t first_row; /* the first of them; AKIN_NO_ROW: there is none, and no run */
    uint32_t run_row;
    uint32_t run_item, run_document; /* the first word of the run, in the item and in the document */
    uint32_t run_words;
} akin_gram_found;

typedef struct akin_gram_search akin_gram_search;

/* Reads `count` items; nulls have no word. Memory is charged to the account, for this and what follows; the account
 * must outlive the search. options NULL: the usual ones. Errors: AKIN_E_OPTION, AKIN_E_INPUT (not UTF-8), AKIN_E_LIMIT
 * (items of 4 GiB), AKIN_E_NOMEM (the items do not fit), AKIN_E_CANCELLED. */
akin_status akin_gram_search_create(const akin_scope *scope, akin_account *account, const akin_column *items,
                                    uint32_t count, const akin_gram_search_options *options, akin_gram_search **out,
                                    akin_error *error);
void akin_gram_search_free(akin_gram_search *search);

/* Scans the next documents; nulls have no word. Their rows go on where those of the call before ended. hit (NULL: not
 * wanted) receives a bit for each of `rows` rows: whether it has a gram of an item. Errors: AKIN_E_OPTION,
 * AKIN_E_INPUT, AKIN_E_LIMIT (a text of 4 GiB, or 2^32 - 1 rows in all), AKIN_E_NOMEM, AKIN_E_CANCELLED; after one
 * only akin_gram_search_free may follow. */
akin_status akin_gram_search_add(const akin_scope *scope, akin_gram_search *search, const akin_column *documents,
                                 uint32_t rows, uint8_t *hit, akin_error *error);

/* The items whose run the last call of akin_gram_search_add has changed, *count of them, ascending. */
const uint32_t *akin_gram_search_changed(const akin_gram_search *search, uint32_t *count);

/* The run and the documents of an item so far, as below, without positions. */
void akin_gram_search_run(const akin_gram_search *search, uint32_t item, akin_gram_found *out);

/* What was found of an item so far. */
void akin_gram_search_item(const akin_gram_search *search, uint32_t item, akin_gram_found *out);

/* Whether a position of an item, below its number of positions, is covered. */
int akin_gram_search_covers(const akin_gram_search *search, uint32_t item, uint32_t position);

#endif
