/* The mapping of a saved file: made, told of, checked for changes, and undone. */
#ifndef AKIN_BASE_MAPPING_H
#define AKIN_BASE_MAPPING_H

#include "base/scope.h"

#include <sys/stat.h>

/* Maps all bytes of a regular file, which is not empty, and tells the context's sink. `about` is what fstat says of it,
 * `name` is copied. NULL: it cannot be mapped, or memory is short. */
akin_mapping *akin_mapping_make(const akin_scope *scope, int fd, const struct stat *about, const char *name);

/* The bytes of the file. */
const void *akin_mapping_bytes(const akin_mapping *mapping);

/* Accepts NULL. */
void akin_mapping_end(akin_mapping *mapping);

#endif
