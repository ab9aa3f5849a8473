/* Checks the options that say how a file is read. */
#ifndef AKIN_CLI_READING_H
#define AKIN_CLI_READING_H

#include "source.h"

/* The format of that name, if tables are read in it; 0 if not. */
int akin_cli_table_format_parse(const char *name, akin_format *out);

/* Refuses a file whose name does not say what kind of table it is. Returns AKIN_CLI_USAGE. */
int akin_cli_reading_refuse_unknown(const char *path);

/* The row of this option, which means the same in every command. */
#define AKIN_CLI_READING_LOSSY .name = "lossy", .help = "replace bytes that are not UTF-8, instead of refusing them"

/* What was given on the command line; NULL: not given. */
typedef struct akin_cli_reading_words {
    const char *input, *on, *id, *tokens, *multiset, *stop_words, *lossy;
    const char *fold;                  /* the name of an option by which tokens ignore case */
    const char *on_option, *id_option; /* what `on` and `id` were given to; NULL: --on, --id */
    int presumed;                      /* `on` was not given: it is the usual name */
    const char *implied; /* an option of the other file by which this one is text, too; NULL: there is none */
    int on_tables,
        id_tables;       /* whose columns `on` and `id` name, which may be LEFT=RIGHT of 2; 0: such a word is a name */
    int side;            /* which of them the file is: 0 or 1 */
    const char *purpose; /* what is done with columns, for messages; NULL: they are compared */
    int all;             /* without `on`, all columns of a table */
    int single;          /* one column is wanted, not several */
    const char *strings; /* the name of an option for which strings are wanted, and not sets; NULL: sets are */
} akin_cli_reading_words;

/* How to read `path`. Without `input` the name of the file decides: it may name a table. Any other file holds token
 * ids, unless an option for text says otherwise. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED. */
int akin_cli_reading_check(const akin_cli_reading_words *words, const char *path, akin_cli_reading *out);
void akin_cli_reading_clear(akin_cli_reading *reading);

/* Takes a list of columns, given to the option of that name, apart: they are in *words, to be freed. Returns as
 * above. */
int akin_cli_split_columns(const char *option, const char *text, char **words, const char *list[AKIN_CLI_COLUMNS],
                           uint32_t *count);

/* The same of a list that may have LEFT=RIGHT, a column that two tables call differently; of one table this is refused.
 * A name with an equals sign stands in quotes. */
int akin_cli_split_sides(const char *option, const char *text, int two, char **words,
                         const char *lists[2][AKIN_CLI_COLUMNS], uint32_t *count);

#endif
