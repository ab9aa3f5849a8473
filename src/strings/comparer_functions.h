/* The functions that compute a comparator, and what a thread has for them. */
#ifndef AKIN_STRINGS_COMPARER_FUNCTIONS_H
#define AKIN_STRINGS_COMPARER_FUNCTIONS_H

#include "strings/cutoff.h"
#include "strings/pairwise.h"
#include "strings/pattern.h"
#include "strings/soundex.h"
#include "strings/token_sets.h"
#include "text/fold.h"

/* What a text says, as a comparator sees it: a number, days, or a code. */
typedef struct akin_said {
    int is_there;
    double number;
    char code[AKIN_SOUNDEX_CODE];
} akin_said;

/*
 * A comparer takes a left string and compares it with any number of right ones. It prepares the left string once: its
 * symbols, its pattern when the first right string needs it, its tokens, its value.
 */
typedef struct akin_comparer {
    const struct akin_comparer_functions *functions; /* of its comparator; NULL: it compares no two strings */
    akin_account *account;
    akin_cpu cpu;
    akin_compare_options options;
    akin_cutoff cutoff;      /* ratio 0/1: none */
    akin_number_scale scale; /* of numbers and dates */
    akin_points points;      /* of the left string, and of the right one */
    akin_points points_right;
    akin_symbols left;
    akin_folder folders[2]; /* of the left string, and of the right one, if they are folded */
    const char *text;       /* the left string, borrowed */
    uint32_t length;
    int has_pattern;
    akin_pattern pattern;
    uint32_t *noted; /* of Jaro's matches */
    uint64_t room_noted;
    akin_said value; /* of the left string */
    akin_token_sets sets;
    akin_pairwise pairwise; /* pairs that are compared later */
    void *own;              /* what a comparator's functions keep besides; `clear` frees it */
    struct { /* of what was compared last: lengths or tokens, and edits, symbols of a prefix or tokens in common */
        uint32_t a, b, counted;
        akin_jaro jaro;
    } last;
} akin_comparer;

/*
 * How strings are compared by a comparator: functions of what a thread has for it.
 *
 *     begin     allocates nothing
 *     take      takes the left string
 *     compare   compares a right one with it. A similarity below the cutoff may be 0 already, and is made 0 if it is
 *               not.
 *     reaches   whether the last comparison reaches a ratio above 0, exactly
 *     take_pair takes a pair that is compared later, in lanes, as akin_pairwise_take does
 *     settle    what came of such pairs: writes it to out[number]
 *     number    reads the number that the comparator compares; returns 0 if the text has none
 *
 * begin and clear are NULL where there is nothing to do. reaches is NULL where similarities are compared with ratios in
 * units of 2^-40. take_pair and settle are NULL where all pairs are compared one by one, number where the comparator
 * does not compare numbers. Errors, of take and compare: see akin_comparer_take.
 */
typedef struct akin_comparer_functions {
    void (*begin)(akin_comparer *comparer);
    void (*clear)(akin_comparer *comparer);
    akin_status (*take)(akin_comparer *comparer, const char *text, uint32_t length);
    akin_status (*compare)(akin_comparer *comparer, const char *text, uint32_t length, akin_compared *out);
    int (*reaches)(const akin_comparer *comparer, akin_ratio ratio);
    int (*take_pair)(akin_comparer *comparer, const char *left, uint32_t left_length, const char *right,
                     uint32_t right_length, int is_kept, uint64_t number);
    void (*settle)(const akin_comparer *comparer, const akin_pairwise_found *found, uint32_t count, akin_compared *out);
    int (*number)(const char *text, uint32_t length, double *out);
} akin_comparer_functions;

#endif
