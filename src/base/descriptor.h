/* Reads and writes file descriptors such that a wait, for a pipe that gives or takes nothing, can be cancelled. */
#ifndef AKIN_BASE_DESCRIPTOR_H
#define AKIN_BASE_DESCRIPTOR_H

#include "base/scope.h"

/*
 * Opens a file with these flags, into *fd. For the other end of a FIFO one waits like for what comes through it, see
 * below: one to be read is open at once, and what is read first waits for a writer.
 */
int akin_descriptor_open(const akin_scope *scope, const char *path, int flags, int *fd);

/* As open and fsync, but what a signal has interrupted is done again. */
int akin_descriptor_make(const char *path, int flags, unsigned mode);
int akin_descriptor_sync(int fd);

/*
 * Reads up to `room` bytes, but only those that are there; *got is 0 only at the end. Writes all of the bytes, however
 * the system cuts them. The descriptor may be blocking or not. While nothing moves, and during writes, the function
 * calls the context's cancel callback (context NULL: none) every 100 ms, and whenever a signal arrives. *reported_at is
 * the time of its last call, by akin_clock; the caller keeps it from write to write.
 *
 * Both return 0, or the errno value of the failure; ECANCELED means that the caller wants to stop.
 */
int akin_descriptor_read(const akin_scope *scope, int fd, void *to, size_t room, size_t *got);
int akin_descriptor_write(const akin_scope *scope, int fd, const void *data, size_t length, double *reported_at);

#endif
