/*
 * The shingles of a document as hashes. A document is a set of tokens, as the tokenizer cuts them; equal tokens have
 * equal bytes. A bag has a hash for each distinct token. Different tokens of one document that have one hash are there
 * as often as there are such tokens:
 *
 *     tokens    the cat sat | cat sat on | sat on the | the cat sat      h("cat sat on") = h("sat on the")
 *     bag       h1  h2  h2                                               its size is that of the set: 3
 *     slots     | 0 | 3 | 1 | 0 | 2 | ...                                by a hash: a distinct token + 1; 0: free
 *
 * So the size of a bag is that of the set. Two bags have at least as many hashes in common, each as often as both have
 * it, as the sets have tokens. A filter by bags loses no pair of documents. Without counting, {x, y, z} and {x, y, w}
 * with h(x) = h(y) would have one common hash out of three, and their Jaccard similarity of 1/2 would be lost.
 */
#ifndef AKIN_CORPUS_SHINGLES_H
#define AKIN_CORPUS_SHINGLES_H

#include "base/memory.h"
#include "base/sort.h"
#include "corpus/frequencies.h"
#include "corpus/frequent.h"
#include "text/tokenizer.h"

#define AKIN_SHINGLER_PIECE (2 * AKIN_TEXT_Q_MOST + AKIN_PIECE + 2 * 64) /* as the bounds of the tokenizer */

typedef struct akin_shingler {
    akin_account *account;
    akin_tokenizer tokenizer;
    uint64_t mask;                 /* the bits of hashes that count: all, but for tests */
    const akin_frequent *left_out; /* tokens that no document has; NULL: there are none */
    int is_emptied;                /* all tokens of the document are left out */
    akin_u128 *tokens; /* the distinct ones of the document: hash, begin and length in the normalised text */
    uint32_t *slots;   /* of them: linear probing, at most half of the slots are taken */
    uint64_t *hashes;  /* the bag: equal hashes are next to one another */
    uint64_t capacity, slot_capacity, slot_count, hash_capacity;
    uint32_t size;                       /* of the bag, and the number of distinct tokens */
    int is_ambiguous;                    /* different tokens have one hash */
    uint64_t sums[AKIN_SHINGLER_PIECE];  /* of the words at hand */
    uint64_t piece[AKIN_SHINGLER_PIECE]; /* the hashes of the tokens at hand */
} akin_shingler;

/* Begins without memory. Options as akin_text_options_read gave them; stop words and multisets are not used. The
 * account (NULL: none) is charged later. */
void akin_shingler_begin(akin_shingler *shingler, akin_cpu cpu, akin_account *account,
                         const akin_text_options *options);
void akin_shingler_clear(akin_shingler *shingler);

/*
 * Makes the bag of a document: `hashes` and `size`, valid until the next call. A document without a token has an empty
 * bag. `readable`: how many bytes from `text` on can be read. Errors, without a message: AKIN_E_INPUT (not UTF-8),
 * AKIN_E_LIMIT (2^32 bytes of normalised text), AKIN_E_NOMEM.
 */
akin_status akin_shingler_take(akin_shingler *shingler, const char *text, uint64_t length, uint64_t readable);

/* The same of a row of a column of `rows` rows; a null has no token. */
akin_status akin_shingler_take_row(akin_shingler *shingler, const akin_column *column, uint32_t rows, uint32_t row);

/* Counts the tokens of a row, each as often as it is there, and makes no bag. *count is their number. Errors: as
 * above. */
akin_status akin_shingler_count_row(akin_shingler *shingler, const akin_column *column, uint32_t rows, uint32_t row,
                                    akin_frequencies *frequencies, uint64_t *count);

/* Calls `visit` with each distinct token of the document, and its hash, until that returns an error. Returns it. */
typedef akin_status (*akin_token_visit)(void *user, const char *bytes, uint32_t length, uint64_t hash);
akin_status akin_shingler_visit(const akin_shingler *shingler, akin_token_visit visit, void *user);

/* How many distinct tokens the documents that two shinglers took last have in common, by their bytes. */
uint32_t akin_shingler_common(const akin_shingler *left, const akin_shingler *right);

#endif
