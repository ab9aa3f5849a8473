/* Addresses of files with a scheme, such as "s3://BUCKET/KEY" and "file:///FOLDER/FILE": what they are called apart
 * from their spelling. */
#ifndef AKIN_CLI_OBJECT_H
#define AKIN_CLI_OBJECT_H

#include <limits.h>

/* The path of a file:// address, in `room`, or the path itself if it is no such address. */
const char *akin_cli_object_local(const char *path, char room[PATH_MAX]);

/* Whether one address of a store is the other, or is in the folder that the other names. */
int akin_cli_object_overlaps(const char *a, const char *b);

#endif
