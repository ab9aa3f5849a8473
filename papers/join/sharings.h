/* The table "sharings": how candidates are shared among the threads of a GPU. */
#ifndef AKIN_PAPERS_JOIN_SHARINGS_H
#define AKIN_PAPERS_JOIN_SHARINGS_H

#include "base/choice.h"

extern const akin_choice_table akin_papers_sharings; /* the value is an akin_sharing */

#endif
