/* Whether a file that a job writes is in the folder of the job. */
#ifndef AKIN_CLI_CONFINED_H
#define AKIN_CLI_CONFINED_H

typedef enum akin_cli_confinement {
    AKIN_CLI_OUTSIDE,
    AKIN_CLI_CONFINED,
    AKIN_CLI_NO_FOLDER /* the directory of a file is not there, and what is there of its path is in the folder */
} akin_cli_confinement;

/*
 * Whether what is written to `path`, a file, a folder or an address, is in the folder of the file `job`, or below it,
 * with links followed. A job from standard input, a pipe or a device has the working directory as its folder. Standard
 * output, standard error and /dev/null are in every folder; a store and a server of databases are in none.
 */
akin_cli_confinement akin_cli_confine(const char *job, const char *path);

#endif
