/* Writes what thresholds would remove, estimated from a sample: a line for each threshold. */
#ifndef AKIN_CLI_ESTIMATE_H
#define AKIN_CLI_ESTIMATE_H

#include "writer.h"

/* Writes the columns threshold, share, low, high and documents. Errors: those of akin_output_write; AKIN_E_NOMEM. */
akin_status akin_cli_estimate_write(const akin_duplicates_estimate *estimate, akin_cli_format format,
                                    akin_output *output, akin_error *error);

#endif
