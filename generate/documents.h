/* Made-up documents: how frequent their words are. */
#ifndef AKIN_GENERATE_DOCUMENTS_H
#define AKIN_GENERATE_DOCUMENTS_H

#include "akin_generate.h"
#include "base/choice.h"

extern const akin_choice_table akin_distributions; /* the value is the option `uniform` */

#endif
