/* What the caller wants of a text, read and checked. */
#ifndef AKIN_TEXT_OPTIONS_H
#define AKIN_TEXT_OPTIONS_H

#include "base/error.h"

#define AKIN_TEXT_Q_MOST 255

/* Reads the caller's options (NULL: the defaults) into *own, whose `fold` is then 0 or 1. The stop words stay the
 * caller's. Errors: AKIN_E_OPTION. */
akin_status akin_text_options_read(const akin_text_options *given, akin_text_options *own, akin_error *error);

#endif
