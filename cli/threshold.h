/* The threshold of a measure. */
#ifndef AKIN_CLI_THRESHOLD_H
#define AKIN_CLI_THRESHOLD_H

#include "akin.h"

/* Reads the argument of a measure's option. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_threshold_check(const akin_choice *measure, const char *text, akin_ratio *out);

#endif
