/* The words of a trie before it is built: rows of a column, sorted by their bytes, without duplicates. */
#ifndef AKIN_DICT_TRIE_WORDS_H
#define AKIN_DICT_TRIE_WORDS_H

#include "base/bulk.h"

typedef struct akin_trie_words {
    const akin_column *column; /* borrowed */
    uint32_t count;
    uint32_t *rows;
    akin_bulk bulk; /* the memory of the rows */
} akin_trie_words;

/* Gives word i in *bytes, and returns its length. */
static inline uint64_t akin_trie_word(const akin_trie_words *words, uint32_t i, const char **bytes)
{
    const uint64_t *at = words->column->offsets + words->rows[i];
    *bytes = words->column->bytes + at[0];
    return at[1] - at[0];
}

/* Returns the length of the longest common prefix of two words, in bytes. */
uint64_t akin_trie_words_common(const char *a, uint64_t a_length, const char *b, uint64_t b_length);

/*
 * Sorts the rows of a column, and leaves out nulls and duplicates. The function takes 20 bytes a row, and more for
 * equal beginnings, in arrays of the store. The caller clears *out in any case. Errors: AKIN_E_INPUT (a word has a NUL
 * byte, or 2^32 - 2 bytes), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_trie_words_sort(const akin_scope *scope, const akin_column *column, uint32_t rows, akin_store *store,
                                 akin_trie_words *out, akin_error *error);
void akin_trie_words_clear(akin_trie_words *words);

#endif
