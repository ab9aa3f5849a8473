/* Term weights are written to a file: the formats. */
#ifndef AKIN_WEIGH_WRITE_H
#define AKIN_WEIGH_WRITE_H

#include "base/choice.h"

extern const akin_choice_table akin_weights_formats;

#endif
