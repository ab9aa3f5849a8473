/* Rules that the command finds by itself, where none are given. */
#ifndef AKIN_CLI_SUGGESTED_H
#define AKIN_CLI_SUGGESTED_H

#include "dedupe.h"

/* Adds to the plan of a request the rules that it lacks: reads the files, whose columns are profiled. Columns of
 * `ignored` are left out, and those of the ids. It says on stderr which rules it adds, unless the request is quiet.
 * Returns AKIN_CLI_DONE, or what the command returns. */
int akin_cli_suggest(const akin_cli_dedupe_request *request, const char *const *ignored, size_t ignored_count);

#endif
