/* Compares strings by one comparator, with all the memory that it takes: what a thread has for it, used again and
 * again. */
#ifndef AKIN_STRINGS_COMPARER_H
#define AKIN_STRINGS_COMPARER_H

#include "strings/comparer_functions.h"

/* Options as akin_compare_options_read gave them; cutoff NULL: none. Allocates nothing yet, and charges the account
 * (NULL: none) later. A comparer stays where it is: the tokenizer is large. */
void akin_comparer_begin(akin_comparer *comparer, akin_cpu cpu, akin_account *account,
                         const akin_compare_options *options, const akin_ratio *cutoff);
void akin_comparer_clear(akin_comparer *comparer);

/*
 * Takes the left string, and borrows it until there is another. Compares a right one with it; a similarity below the
 * cutoff is 0, and its distance INFINITY. Errors, without a message: AKIN_E_INPUT (that string is not UTF-8),
 * AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_CANCELLED (by the pattern's go_on, if the owner has set it). After an error a left
 * string must be taken first.
 */
akin_status akin_comparer_take(akin_comparer *comparer, const char *text, uint64_t length);
akin_status akin_comparer_compare(akin_comparer *comparer, const char *text, uint64_t length, akin_compared *out);

/*
 * Takes a pair of strings that is compared with others, in lanes, where that is faster: `number` is the pair's. The
 * strings are borrowed until then. Returns 0 if the pair is to be compared by itself. akin_comparer_settle compares the
 * pairs that were taken, and writes what comes of each to out[number]; it must be called before there are
 * AKIN_PAIRWISE_MOST, and at the end.
 */
int akin_comparer_take_pair(akin_comparer *comparer, const char *left, uint64_t left_length, const char *right,
                            uint64_t right_length, uint64_t number);

/* Takes pairs of two columns in the same way, as akin_pairwise_take_rows does: none if they are compared one by one. */
uint64_t akin_comparer_take_rows(akin_comparer *comparer, akin_pairwise_column columns[2], uint64_t first,
                                 uint64_t end);

void akin_comparer_settle(akin_comparer *comparer, akin_compared *out);

/* Compares two numbers, by a comparator that has `number`. No string need have been taken. */
akin_compared akin_comparer_compare_numbers(akin_comparer *comparer, double left, double right);

/* Whether what was compared last, and has that similarity, reaches a ratio, not below the cutoff: see
 * strings/decision.h. NAN reaches none. */
int akin_comparer_reaches(const akin_comparer *comparer, double similarity, akin_ratio ratio);

#endif
