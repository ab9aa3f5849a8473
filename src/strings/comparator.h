/* A comparator: a row of the table in comparators.c. */
#ifndef AKIN_STRINGS_COMPARATOR_H
#define AKIN_STRINGS_COMPARATOR_H

#include "base/choice.h"

/* What a comparator decides by: for cutoffs, screens and kernels, which do not call its functions. */
typedef enum akin_comparator_form {
    AKIN_BY_FUNCTIONS, /* its functions alone */
    AKIN_BY_EDITS,     /* insertions, deletions, replacements of symbols */
    AKIN_BY_MATCHES,   /* symbols in common at about the same places, as Jaro counts them */
    AKIN_BY_BYTES,     /* all symbols being the same */
    AKIN_BY_CODES,     /* a code of a value being the same */
    AKIN_BY_NUMBERS,   /* the difference of two numbers */
    AKIN_BY_DAYS,      /* the days between two dates */
    AKIN_BY_WEIGHTS    /* tokens, weighed by the records that have them: see dedupe/tokens.h */
} akin_comparator_form;

struct akin_comparer_functions;

typedef struct akin_comparator_row {
    akin_choice choice; /* its value is an akin_comparator */
    akin_comparator_form form;
    akin_measure measure;    /* of AKIN_TOKEN_SETS; else 0 */
    uint8_t swaps;           /* neighbours that change places are one edit */
    uint8_t is_quadratic;    /* its time grows with the product of the lengths */
    uint8_t is_screened;     /* bags of symbols bound its similarity */
    uint8_t is_same_equal;   /* every value has similarity 1 with itself */
    uint8_t is_none;         /* values that it cannot read count as missing; if they are numbers or days, its functions
                              * have `number` */
    uint8_t has_punctuation; /* punctuation means something to it */
    uint8_t cuts_tokens;     /* it compares sets of tokens, which have in common what is the same in both */
    uint8_t is_rare;    /* that it finds nothing in some values is usual: only a column without any is suspicious */
    uint8_t has_share;  /* the scale is a percentage of the larger of two numbers */
    akin_tokens tokens; /* the kind of tokens that it always compares; 0: that of its options */
    uint32_t scale;     /* where none is given */
    /* Whether a text is a value that the comparator compares, such as a number; NULL: the comparator parses no values,
     * or, with is_none, those that have a token. Then the name of such values, and how they are written, for
     * messages. */
    int (*says)(const char *text, uint32_t length);
    const char *noun, *grammar;
    /* Reads what stands behind the slash; NULL: nothing may. */
    akin_status (*read)(const char *text, const char *value, akin_compare_options *own, akin_error *error);
    /* Checks the options that it looks at; NULL: it looks at none. */
    akin_status (*check)(const akin_compare_options *own, akin_error *error);
    const struct akin_comparer_functions
        *functions; /* by which it is computed; NULL: two strings alone have no such similarity */
} akin_comparator_row;

#endif
