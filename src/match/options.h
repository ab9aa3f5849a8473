/* Reads the caller's options of a match. */
#ifndef AKIN_MATCH_OPTIONS_H
#define AKIN_MATCH_OPTIONS_H

#include "base/choice.h"
#include "strings/cutoff.h"

/* The techniques of strings, by name. */
extern const akin_choice_table akin_match_techniques;

/* Checks the options of a search or a join; *own, which may be NULL, receives them, *folds what strings are cleaned of.
 * Errors: AKIN_E_OPTION. */
akin_status akin_match_options_read(const akin_match_options *options, akin_match_options *own, akin_cutoff *cutoff,
                                    uint32_t *folds, akin_error *error);

#endif
