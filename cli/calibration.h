/* The calibration that `akin info --calibrate` keeps in the user's cache directory, one for each SIMD level. */
#ifndef AKIN_CLI_CALIBRATION_H
#define AKIN_CLI_CALIBRATION_H

#include "akin.h"

#define AKIN_CLI_CALIBRATION_PATH 4096

/* Where it is kept: calibration-LEVEL in akin's folder of $XDG_CACHE_HOME, or of ~/.cache. 0 if neither is known. */
int akin_cli_calibration_path(const akin_context *context, char path[AKIN_CLI_CALIBRATION_PATH]);

/* Uses the calibration that is kept, and returns whether there is one. A file with any other content is skipped with a
 * warning: a calibration changes no result, so a bad one must not stop a job. */
int akin_cli_calibration_use(akin_context *context);

/* Keeps it, making folders where there are none. Errors: AKIN_E_IO. */
akin_status akin_cli_calibration_keep(akin_context *context, const akin_calibration *measured, akin_error *error);

#endif
