/*
 * How alike two texts are that differ by words: measures for a join with a reference table.
 *
 *     cosine       of their runs of 3 characters, weighed as tokens are
 *     words        the share of their words' weight that the other text has, too, or nearly: a word counts by its edits
 *     contrary     whether reference texts differ in the words in which these two do: "2007" and "2008"
 *     numbers      whether both have a word with a digit that the other one lacks
 *     similarity   the mean of the cosines of runs and of words, and of `words`, less what contradicts it
 *
 * The reference table has no duplicates. So if two of its texts are the same but for a word each, this difference tells
 * things apart, wherever it occurs.
 */
#ifndef AKIN_DEDUPE_LIKENESS_H
#define AKIN_DEDUPE_LIKENESS_H

#include "dedupe/tokens.h"
#include "strings/comparer.h"

/* The values of a column as texts. */
typedef struct akin_likeness_texts {
    const akin_values *values;
    akin_weighted runs, words;
    uint8_t *has_digit; /* of each word */
    uint64_t *contrary; /* differences of reference texts, ascending: lower word << 32 | higher word */
    uint64_t contrary_count;
} akin_likeness_texts;

typedef struct akin_likeness {
    double similarity, cosine, words, contrary, numbers;
} akin_likeness;

/* There are no differences yet; to be cleared in any case. Errors: those of akin_weighted_make. */
akin_status akin_likeness_texts_make(const akin_scope *scope, akin_account *account, const akin_values *values,
                                     akin_likeness_texts *out, akin_error *error);
void akin_likeness_texts_clear(akin_likeness_texts *texts);

/* The words in which two values differ, if each has one that the other lacks, and they have others; else 0. */
uint64_t akin_likeness_difference(const akin_likeness_texts *texts, uint32_t x, uint32_t y);

/* What a thread compares with. Texts as they are, to be cleared in any case. */
typedef struct akin_likeness_reader {
    const akin_likeness_texts *texts;
    akin_comparer comparer;
} akin_likeness_reader;

void akin_likeness_reader_begin(const akin_likeness_texts *texts, akin_cpu cpu, akin_account *account,
                                akin_likeness_reader *out);
void akin_likeness_reader_clear(akin_likeness_reader *reader);

/* Compares two values. `own`: the difference of these two is one of those of reference texts, which does not count.
 * Errors, without a message: those of akin_comparer_take. */
akin_status akin_likeness_compare(akin_likeness_reader *reader, uint32_t x, uint32_t y, int own, akin_likeness *out);

#endif
