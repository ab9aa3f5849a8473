/* The files that the paths of a command line stand for: files, and those of folders, patterns and lists. */
#ifndef AKIN_CLI_FILES_H
#define AKIN_CLI_FILES_H

#include "akin.h"

/* Names, in the order of reading; zeros: none. */
typedef struct akin_cli_files {
    char **names;
    uint64_t count, capacity;
} akin_cli_files;

/* Lists the files of `count` paths, one at least. Errors: those of akin_path_files; AKIN_E_NOMEM. The caller clears the
 * list in any case. */
akin_status akin_cli_files_list(const char *const *paths, int count, akin_cli_files *out, akin_error *error);
void akin_cli_files_clear(akin_cli_files *files);

#endif
