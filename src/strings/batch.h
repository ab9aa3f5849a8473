/*
 * Strings prepared to be compared with many: sorted by length, in symbols numbered by an alphabet, each with its bag of
 * characters and its first symbols.
 *
 *     starts    | 0 | 2 | 5 | ...          run r: the strings starts[r] .. starts[r + 1] - 1, all of lengths[r] symbols
 *     symbols   | ab | cd | xyz | ...      string by string; run r begins at symbol begins[r]
 *     bags      the words of the bags, each in an array of its own, as the screen reads them
 *     heads     the first 4 symbols, the first one in the highest byte; a string that is shorter has AKIN_HEAD_NONE
 *               there
 *     counts    those of strings from `counted` on, which are long: of string i counts[i - counted]
 *     rows      where each string stands in its column; those of one length in that order
 */
#ifndef AKIN_STRINGS_BATCH_H
#define AKIN_STRINGS_BATCH_H

#include "strings/alphabet.h"
#include "strings/counts.h"

#define AKIN_HEAD_NONE  255 /* in a batch; what a query that is short has instead is no string's */
#define AKIN_HEAD_QUERY 254
#define AKIN_HEAD       4
#define AKIN_BATCH_PAD  64 /* bytes behind the symbols that may be read */

typedef struct akin_strings_batch {
    uint32_t count, runs;
    int wide; /* symbols take 4 bytes, not 1 */
    uint32_t *rows, *starts, *lengths, *heads;
    uint64_t *begins, *bags[AKIN_BAG_WORDS];
    uint32_t counted;
    akin_counts *counts;
    void *symbols;
} akin_strings_batch;

/* Rows `first` to end - 1 of a column whose rows have these lengths. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_strings_batch_make(const akin_scope *scope, akin_account *account, const akin_column *column,
                                    const uint32_t *lengths, uint32_t first, uint32_t end,
                                    const akin_alphabet *alphabet, akin_strings_batch *out, akin_error *error);
void akin_strings_batch_clear(akin_strings_batch *batch);

/* The bytes that it takes for a string of that many symbols, which are left aside. */
static inline uint64_t akin_strings_batch_bytes(uint32_t length)
{
    return 40 + (length >= AKIN_COUNTS_LEAST ? sizeof(akin_counts) : 0);
}

/* String i of run r. */
static inline akin_symbols akin_strings_batch_at(const akin_strings_batch *batch, uint32_t run, uint32_t i)
{
    uint64_t at = batch->begins[run] + (uint64_t)(i - batch->starts[run]) * batch->lengths[run];
    akin_symbols symbols = {.length = batch->lengths[run]};
    if (batch->wide)
        symbols.points = (const uint32_t *)batch->symbols + at;
    else
        symbols.bytes = (const uint8_t *)batch->symbols + at;
    return symbols;
}

/* Writes the symbols of a text of UTF-8 in the alphabet, bytes or, if it is wide, words; what is not in it becomes a
 * number that no string of a batch has. Answers how many. */
uint32_t akin_strings_batch_write(const akin_alphabet *alphabet, const char *text, uint64_t length, void *symbols);

static inline int akin_alphabet_is_wide(const akin_alphabet *alphabet)
{
    return alphabet->count > AKIN_ALPHABET_BYTE;
}

/* The run that string i is of. */
static inline uint32_t akin_strings_batch_run(const akin_strings_batch *batch, uint32_t i)
{
    return (uint32_t)akin_lower_bound_u32(batch->starts + 1, batch->runs, (uint64_t)i + 1);
}

/* The counts of string i, with those behind it; NULL: it is short, and has none. */
static inline const akin_counts *akin_strings_batch_counts(const akin_strings_batch *batch, uint32_t i)
{
    return i < batch->counted ? NULL : batch->counts + (i - batch->counted);
}

/* The bag of string i. */
static inline akin_bag akin_strings_batch_bag(const akin_strings_batch *batch, uint32_t i)
{
    akin_bag bag;
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
        bag.words[w] = batch->bags[w][i];
    return bag;
}

/* How many of the first symbols two heads have in common. */
static inline uint32_t akin_head_prefix(uint32_t a, uint32_t b)
{
    uint32_t differs = a ^ b; /* compared, not counted, as no branch and no instruction of one CPU alone is wanted */
    return (uint32_t)(differs < 1u << 24) + (differs < 1u << 16) + (differs < 1u << 8) + (differs == 0);
}

/* The first symbols of a string, and `none` where it has none. */
uint32_t akin_strings_batch_head(const akin_symbols *symbols, uint32_t none);

#endif
