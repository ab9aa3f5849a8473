/* Addresses of files with a scheme, such as "s3://BUCKET/KEY" and "file:///FOLDER/FILE": what they are called apart
 * from their spelling. */
#ifndef AKIN_CLI_OBJECT_H
#define AKIN_CLI_OBJECT_H

#define AKIN_CLI_OBJECT 4096 /* bytes of a path */

/* The path of a file:// address, in `room`, or the path itself if it is no such address. */
const char *akin_cli_object_local(const char *path, char room[AKIN_CLI_OBJECT]);

/* Whether an address is of a database, whose parameters name what it has. */
int akin_cli_object_is_database(const char *path);

/* The "table=" or "query=" of the address of a database: the rest of the address is the name of a table, or a query.
 * NULL: there is neither. */
const char *akin_cli_object_source(const char *address);

/* Whether one address of a store is the other, or is in the folder that the other names. */
int akin_cli_object_overlaps(const char *a, const char *b);

#endif
