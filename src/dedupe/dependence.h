/*
 * Finds comparisons that depend on one another among strangers, such as city and postcode. Each comparison gets one
 * parent at most, so that they are trees (Chow and Liu, Approximating discrete probability distributions with
 * dependence trees, 1968):
 *
 *     state <- postcode <- suburb      strangers of one suburb mostly have one postcode, and thus one state
 *     surname                          depends on none
 */
#ifndef AKIN_DEDUPE_DEPENDENCE_H
#define AKIN_DEDUPE_DEPENDENCE_H

#include "dedupe/training.h"

/* Sets the parents of the models, and the levels of pairs that agree in them. The models have u. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_training_find_dependence(akin_training *training, akin_error *error);

#endif
