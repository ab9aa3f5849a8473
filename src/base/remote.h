/* Files in stores of objects, by addresses such as "s3://BUCKET/KEY". An akin_opener reads their bytes. */
#ifndef AKIN_BASE_REMOTE_H
#define AKIN_BASE_REMOTE_H

#include <stddef.h>

/* A kind of store. */
typedef struct akin_remote {
    const char *scheme;    /* how its addresses begin */
    const char *get, *put; /* commands that print such a file, and that make it; NULL: none is known */
} akin_remote;

/* The store of an address; NULL: the path is that of a file of the system. */
const akin_remote *akin_remote_of(const char *path);

/* The bytes of a path that are its name: an address may have parameters behind it, "?region=...". */
size_t akin_remote_name_length(const char *path);

#endif
