/* Models of learnt weights that the command keeps in files. */
#ifndef AKIN_CLI_MODEL_H
#define AKIN_CLI_MODEL_H

#include "akin.h"

/* Reads the model of a file; *out is NULL if there is no such file. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or
 * AKIN_CLI_FAILED. */
int akin_cli_model_read(const char *path, akin_dedupe_model **out);

#endif
