/* What the ending of a file's name means. */
#ifndef AKIN_CLI_PATH_H
#define AKIN_CLI_PATH_H

#include "akin.h"

#include <stddef.h>

/* What to do about more operands than there are tables, perhaps from a pattern that the shell replaced. */
#define AKIN_CLI_SEVERAL                                                                                               \
    "; several files are one table as a folder, as @LIST with a path on each line, or as a pattern in quotes, such "   \
    "as "                                                                                                              \
    "'data/*.csv'"

/* Whether path ends in `ending` (".gz"), in capital letters or not. */
int akin_cli_path_ends(const char *path, const char *ending);

/* Refuses as an output, given to the option of that name, an empty name and that of a compressed file, since none is
 * written; returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_path_check_output(const char *option, const char *path);

/* Refuses the name of a table or another file as that of a page, given to --report. */
int akin_cli_path_check_page(const char *path);

/* A file without the folders that it is in; "standard input". */
const char *akin_cli_path_last(const char *path);

/* Refuses a folder, a pattern or a list without files, or whose files' names do not say their formats. Returns
 * AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED. */
int akin_cli_path_check_files(const char *path);

/* Whether an output would replace a file that is read, one of those of a folder, a pattern or a list, too. */
int akin_cli_path_same(const char *input, const char *output);

/* Whether two outputs are one file, also where it is not there yet. */
int akin_cli_path_equal(const char *a, const char *b);

/* Whether a path is that of a folder, or below it. Links are followed as far as the paths are there. */
int akin_cli_path_is_below(const char *path, const char *folder);

/* Whether a path stands for standard input, by whichever name. */
int akin_cli_path_is_stdin(const char *path);

int akin_cli_path_is_directory(const char *path);

/* Whether a path is of a file that can be read more than once: not of standard input, a pipe or a device. */
int akin_cli_path_is_regular(const char *path);

/* Refuses what was given to the option of that name if it is there and no regular file, such as a pipe: what is read as
 * a whole, or written and read again, is a regular file. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_path_check_regular(const char *option, const char *path);

/* Whether that is the name of a saved collection. */
int akin_cli_path_is_saved(const char *path);

/* Whether a path is taken for that of a file saved by akin: by its name, or by its first bytes. What can be read only
 * once, such as a pipe or standard input, is taken for one, too. */
int akin_cli_path_holds_saved(const char *path);

/* What messages call the file of a path that is read. */
const char *akin_cli_path_name(const char *path);

/* Refuses a name with the ending of a table that is neither read nor written (the table "foreign-formats"), such as
 * .parquet. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_path_check_foreign(const char *path);

/* The bytes of the first character of a text; 0: what it begins with is not UTF-8, or the text is empty. */
size_t akin_cli_path_character(const char *text);

/* Refuses a path that is not UTF-8 and that results would contain. `advice` says what to do. Returns AKIN_OK or
 * AKIN_E_INPUT. */
akin_status akin_cli_path_check_text(const char *path, const char *advice, akin_error *error);

#endif
