/* The weigher of documents: the tables of its options. */
#ifndef AKIN_WEIGH_WEIGHER_H
#define AKIN_WEIGH_WEIGHER_H

#include "base/choice.h"

extern const akin_choice_table akin_weigh_techniques; /* an akin_weigh_technique_row each */
extern const akin_choice_table akin_weights_orders;
extern const akin_choice_table akin_unknown_ways;

#endif
