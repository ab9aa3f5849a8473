/* Weights by document become weights by term. */
#ifndef AKIN_WEIGH_TURN_H
#define AKIN_WEIGH_TURN_H

#include "weigh/weights.h"

/* Puts weights by document in order by term. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_weights_turn(const akin_scope *scope, akin_weights *weights, akin_error *error);

#endif
