/* Results on a terminal: an aligned table, and below it the number of rows. */
#ifndef AKIN_CLI_SCREEN_H
#define AKIN_CLI_SCREEN_H

#include <stdio.h>

#include "akin.h"

/* A result is written as CSV to a temporary file, and shown once it is complete. Zeros at first. */
typedef struct akin_cli_screen {
    FILE *file;    /* NULL: nothing is to be shown */
    char path[24]; /* that of the file, for akin_output_open */
} akin_cli_screen;

/* Whether a result is shown on the screen: the command line names neither a file nor a format (NULL), and standard
 * output is a terminal. */
int akin_cli_screen_wanted(const char *output, const char *format);

/* Opens the temporary file of a context. Errors: those of akin_temporary_file, AKIN_E_IO. */
akin_status akin_cli_screen_open(akin_cli_screen *screen, const akin_context *context, akin_error *error);

/* Shows what the file holds, if it is open, and closes it. Errors: AKIN_E_IO, AKIN_E_NOMEM. */
akin_status akin_cli_screen_show(akin_cli_screen *screen, akin_error *error);
void akin_cli_screen_close(akin_cli_screen *screen);

#endif
