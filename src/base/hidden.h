/*
 * Hidden files: what a file is called that does not have its own name yet, .akin- and 16 digits. Half of the digits
 * follow from the other half, so that no file of somebody else has such a name. The process that makes one holds a lock
 * on it. So a hidden file without a lock was left by a process that was killed, and may be removed.
 */
#ifndef AKIN_BASE_HIDDEN_H
#define AKIN_BASE_HIDDEN_H

#include "akin.h"

/* The path of `name` in the directory that holds `path` (of `name` itself if that is absolute), to be freed with
 * akin_free; NULL: memory is short. */
char *akin_beside(const char *path, const char *name);

/*
 * Finds a fresh hidden name beside `path`: `make` makes a file of that name, and returns 0, or -1 with EEXIST in errno
 * if the name is taken. *out receives the name, to be freed with akin_free. Returns 0 or the errno value of what went
 * wrong, ENOMEM if memory is short.
 */
int akin_hidden_place(const char *path, int (*make)(void *user, const char *name), void *user, char **out);

/* Locks an open file, as long as one of its descriptors is open. Where the file system has no locks, nothing happens.
 * Returns 0, or -1 if another process removes the file. */
int akin_hidden_hold(int fd);

/* Opens a file under a hidden name that nobody else has, locked, to be written. Returns the descriptor, or -1 with the
 * reason in errno: EEXIST if the name is taken. */
int akin_hidden_open(const char *name);

/* Removes the hidden files beside `path` that no process holds, and tells `note` of each (NULL: nobody). */
void akin_hidden_sweep(const char *path, akin_warning_sink note, void *user);

#endif
