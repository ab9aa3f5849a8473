/* The files that the path of a table stands for: one file, or those of a folder, a pattern or a list. */
#ifndef AKIN_TABLE_FILES_H
#define AKIN_TABLE_FILES_H

#include "base/scope.h"

#include <stdint.h>

/* One that is all zeros has no files. */
typedef struct akin_files {
    char **names; /* each a path that can be opened, see akin_files_name */
    uint64_t count, capacity;
    uint64_t bytes;          /* of all files together, as stored; pipes and addresses count as 0 */
    const akin_scope *scope; /* which is asked whether to stop; NULL: none */
    uint64_t looked;         /* names that were added, those dropped again included */
} akin_files;

/* Finds the files, as akin_table_read describes. The scope may be NULL. Errors: AKIN_E_INPUT (a folder, a pattern or a
 * list without files; a folder or a list that cannot be read), AKIN_E_NOMEM, AKIN_E_CANCELLED. The caller clears the
 * files in any case. */
akin_status akin_files_find(const akin_scope *scope, const char *path, akin_files *files, akin_error *error);

/* Adds the files of one more path to those that were found, with the same errors. */
akin_status akin_files_add(const char *path, akin_files *files, akin_error *error);

/* What messages and results call a file of the list. */
const char *akin_files_name(const char *path);

void akin_files_clear(akin_files *files);

#endif
