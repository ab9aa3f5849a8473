/* Counts by document become weights by term. */
#ifndef AKIN_WEIGH_TURN_H
#define AKIN_WEIGH_TURN_H

#include "weigh/weights.h"

/* Puts counts by document in order by term, and weighs them; idf[i] is that of term i. What ids and tf are in stays
 * where it is, and values go to the array that there is room for. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_weights_turn(const akin_scope *scope, akin_weights *weights, const double *idf, akin_error *error);

#endif
