/* The reasons of errors, by name. */
#ifndef AKIN_BASE_REASONS_H
#define AKIN_BASE_REASONS_H

#include "base/choice.h"

/* Its values are akin_reason. AKIN_REASON_NONE has no row. */
extern const akin_choice_table akin_reasons;

#endif
