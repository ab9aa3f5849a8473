/* The saved files that the command has mapped: whether others change them while it reads them. */
#ifndef AKIN_CLI_MAPPED_H
#define AKIN_CLI_MAPPED_H

#include "akin.h"

/* An akin_mapping_sink: keeps in mind which files are mapped. Mappings are made and undone by one thread. */
void akin_cli_mapped_note(void *user, const akin_mapping *mapping, int is_open);

/* From here on, a fault in one of these files ends the command with AKIN_CLI_USAGE and a message that names it: others
 * have shortened it. Other faults have their usual effect. */
void akin_cli_mapped_catch(void);

/* Checks all files that are mapped, and those that have been. Errors: those of akin_mapping_check. */
akin_status akin_cli_mapped_check(akin_error *error);

#endif
