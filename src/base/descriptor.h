/* Reads and writes file descriptors such that a wait, for a pipe that gives or takes nothing, can be cancelled. */
#ifndef AKIN_BASE_DESCRIPTOR_H
#define AKIN_BASE_DESCRIPTOR_H

#include "base/scope.h"

/*
 * Opens a file with these flags, into *fd. For the other end of a FIFO one waits like for what comes through it, see
 * below: one to be read is open at once, and what is read first waits for a writer.
 */
int akin_descriptor_open(const akin_scope *scope, const char *path, int flags, int *fd);

/*
 * Reads up to `room` bytes, as many as are there; *got is 0 only at the end. Writes all of the bytes, however the
 * system cuts them. The descriptor may be blocking or not. While nothing moves, and during writes, the context (NULL:
 * nobody) is asked every 100 ms, and whenever a signal arrives, whether to stop. *asked is when it last was, by
 * akin_clock, kept by the caller from write to write.
 *
 * Return 0, or the errno value of what went wrong; ECANCELED says that the caller asked to stop.
 */
int akin_descriptor_read(const akin_scope *scope, int fd, void *to, size_t room, size_t *got);
int akin_descriptor_write(const akin_scope *scope, int fd, const void *data, size_t length, double *reported_at);

#endif
