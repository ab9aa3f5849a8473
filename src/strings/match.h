/* What a match asks for, read from the caller's options. */
#ifndef AKIN_STRINGS_MATCH_H
#define AKIN_STRINGS_MATCH_H

#include "strings/cutoff.h"

/* Checks the options of a search or a join; any_order may be NULL. Errors: AKIN_E_OPTION. */
akin_status akin_match_options_read(const akin_match_options *options, akin_cutoff *cutoff, uint32_t *any_order,
                                    akin_error *error);

#endif
