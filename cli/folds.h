/* What the values of columns are cleaned of: what --fold was set to, read. */
#ifndef AKIN_CLI_FOLDS_H
#define AKIN_CLI_FOLDS_H

#include "rules.h"

/* Reads what was given each time, as `copies`, which are cut into fields, into rules->folds: of the columns that are named
 * by now. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_folds_read(akin_cli_rules *rules, const char *const *words, char *const *copies, uint32_t count);

#endif
