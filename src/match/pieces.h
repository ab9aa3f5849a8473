/* The join of all pairs of strings that reach the cutoff. */
#ifndef AKIN_MATCH_PIECES_H
#define AKIN_MATCH_PIECES_H

#include "match/job.h"

/* Joins the sides, in pieces if that is necessary. Errors: AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED, AKIN_E_OPTION
 * (a GPU is required, and cannot join these strings); those of the delivery. */
akin_status akin_match_pieces(akin_match_job *job, akin_error *error);

#endif
