/* Whether a file that a job writes is in the folder of the job. */
#ifndef AKIN_CLI_CONFINED_H
#define AKIN_CLI_CONFINED_H

/*
 * Whether what is written to `path`, a file, a folder or an address, is in the folder of the file `job`, or below it,
 * with links followed. A job from standard input, a pipe or a device has the working directory as its folder. Standard
 * output, standard error and /dev/null are in every folder; a store and a server of databases are in none, and neither
 * is a file whose directory is not there.
 */
int akin_cli_is_confined(const char *job, const char *path);

#endif
