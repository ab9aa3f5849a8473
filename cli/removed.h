/* Writes the documents that were removed: a line for each, with its survivor. */
#ifndef AKIN_CLI_REMOVED_H
#define AKIN_CLI_REMOVED_H

#include "names.h"
#include "writer.h"

/* Writes the columns id, survivor, similarity and common, in the order of rows. `names` are those of rows. Errors:
 * those of akin_output_write; AKIN_E_NOMEM. */
akin_status akin_cli_removed_write(const akin_duplicates *duplicates, uint32_t rows, const akin_cli_names *names,
                                   akin_cli_format format, akin_output *output, akin_error *error);

#endif
