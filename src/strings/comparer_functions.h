/* By which functions comparators are computed: one set of them for each way to compare two strings. */
#ifndef AKIN_STRINGS_COMPARER_FUNCTIONS_H
#define AKIN_STRINGS_COMPARER_FUNCTIONS_H

/* A struct akin_comparer_functions (comparer.h) each. */
extern const struct akin_comparer_functions akin_edits_functions;   /* comparer_symbols.c: edit distances */
extern const struct akin_comparer_functions akin_matches_functions; /* comparer_symbols.c: Jaro, Jaro-Winkler */
extern const struct akin_comparer_functions akin_bytes_functions;   /* comparer_values.c: the same bytes */
extern const struct akin_comparer_functions akin_soundex_functions; /* comparer_values.c: the same Soundex codes */
extern const struct akin_comparer_functions akin_number_functions;  /* comparer_values.c: the difference of numbers */
extern const struct akin_comparer_functions akin_date_functions;    /* comparer_values.c: the days between dates */
extern const struct akin_comparer_functions akin_token_sets_functions; /* comparer_tokens.c: sets of words or q-grams */
extern const struct akin_comparer_functions
    akin_monge_elkan_functions; /* monge_elkan.c: words, each with the nearest */

#endif
