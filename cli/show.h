/* The columns that --show names, of one table or of two, and which table must have which. */
#ifndef AKIN_CLI_SHOW_H
#define AKIN_CLI_SHOW_H

#include "source.h"

/* What a column is called in each table: LEFT=RIGHT, or one name. Zeros: there are none. */
typedef struct akin_cli_show {
    uint32_t count;
    const char *names[2][AKIN_CLI_COLUMNS]; /* in `words` */
    char *words;
} akin_cli_show;

/* Takes the argument of --show, NULL: not given. The caller clears *out in any case. Returns AKIN_CLI_DONE,
 * AKIN_CLI_USAGE or AKIN_CLI_FAILED. */
int akin_cli_show_check(const char *text, int two, akin_cli_show *out);

/*
 * The columns that a table may lack, a bit for each. LEFT=RIGHT is in both tables; a column of one name is in one of
 * them at least. So the left table, which is read first (left NULL), may lack it, and then the right one may not.
 */
uint64_t akin_cli_show_optional(const akin_cli_show *show, int two, const akin_cli_source *left);

/* Adds to a message about a column that the right table lacks, and that only results need, that the left one lacks it,
 * too. */
void akin_cli_show_advise(const akin_cli_show *show, const char *left_path, akin_error *error);

void akin_cli_show_clear(akin_cli_show *show);

#endif
