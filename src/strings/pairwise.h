/*
 * Pairs of strings that are compared in lanes, each with a pattern of its own: pairs are taken until there are enough,
 * and then compared in the order of their lengths, so that those in one register are about as long.
 */
#ifndef AKIN_STRINGS_PAIRWISE_H
#define AKIN_STRINGS_PAIRWISE_H

#include "strings/cutoff.h"
#include "strings/lanes.h"
#include "strings/symbols.h"

#define AKIN_PAIRWISE_MOST 1024 /* pairs at once */

/* What comes of a pair: its edits, or its matches. */
typedef struct akin_pairwise_found {
    uint64_t number; /* of the pair, as it was given */
    uint32_t a, b;   /* the lengths of its strings */
    uint32_t prefix; /* by matches: symbols that both begin with, up to AKIN_WINKLER_PREFIX */
    uint32_t edits;  /* by edits: AKIN_CUTOFF_NONE if they are more than the cutoff permits */
    akin_jaro jaro;  /* by matches: none if the lengths alone show that the cutoff is not reached */
} akin_pairwise_found;

typedef struct akin_pairwise {
    const akin_lanes *lanes; /* NULL: they do not serve here */
    const akin_cutoff *cutoff;
    akin_account *account;
    uint32_t count;
    struct akin_pairwise_room *room; /* NULL as long as nothing has been taken */
} akin_pairwise;

/* Begins, for a comparator of edits or of matches. Allocates nothing. */
void akin_pairwise_begin(akin_pairwise *pairwise, akin_cpu cpu, akin_account *account, const akin_cutoff *cutoff);
void akin_pairwise_clear(akin_pairwise *pairwise);

/* Takes a pair, whose bytes are borrowed until it has been compared if is_kept, and copied otherwise. Returns 0 if it
 * does not serve: a string is empty or longer than AKIN_LANES_LONGEST, has too many different symbols, or memory is
 * short. There must be room: fewer than AKIN_PAIRWISE_MOST pairs. */
int akin_pairwise_take(akin_pairwise *pairwise, const akin_symbols *left, const akin_symbols *right, int is_kept,
                       uint64_t number);

/* A column of strings that pairs have. */
typedef struct akin_pairwise_column {
    const akin_column *column;
    const uint32_t *rows;  /* of the pairs; NULL: a pair's number is the row */
    const char *limit;     /* the end of the strings of all pairs; NULL: not known */
    akin_ascii_span ascii; /* zero-initialised */
} akin_pairwise_column;

/* Takes pairs `first` to end - 1 of two columns as long as their strings are there and are ASCII, so that they are
 * borrowed as they are, and there is room. Returns the first one that it did not take, or end. */
uint64_t akin_pairwise_take_rows(akin_pairwise *pairwise, akin_pairwise_column columns[2], uint64_t first,
                                 uint64_t end);

/* Compares the pairs that were taken, and hands over what was found, in the order in which they were taken; none are
 * left then. */
void akin_pairwise_compare(akin_pairwise *pairwise,
                           void (*found)(void *user, const akin_pairwise_found *found, uint32_t count), void *user);

#endif
