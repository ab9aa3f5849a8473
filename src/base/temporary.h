/* Temporary files: they have no name, so nothing is left behind however the process ends. */
#ifndef AKIN_BASE_TEMPORARY_H
#define AKIN_BASE_TEMPORARY_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Opens a new file in the directory for reading and writing, to be closed with close. Returns 0 or, as what follows,
 * the errno value of what went wrong. */
int akin_temporary_open(const char *directory, int *fd);

/* Removes what killed processes have left in the directory, where the system cannot make files without a name, and
 * tells `note` of each file (NULL: nobody). */
void akin_temporary_sweep(const char *directory, akin_warning_sink note, void *user);

/* Makes a file of `before` bytes `size` bytes long. The disk then has room for all of it, so writing to a mapping of it
 * cannot fail. */
int akin_temporary_grow(int fd, uint64_t before, uint64_t size);

/* Write and read at a place, all of it (EIO: the file ends before). */
int akin_temporary_write(int fd, const void *data, size_t length, uint64_t at);
int akin_temporary_read(int fd, void *to, size_t length, uint64_t at);

/* The message for what went wrong with a temporary file, and its status: AKIN_E_IO, or AKIN_E_NOMEM. */
akin_status akin_temporary_fail(akin_error *error, int number, const char *directory);

#endif
