/* The tables of a deduplication, with the columns that its plan names. */
#ifndef AKIN_CLI_DEDUPE_TABLES_H
#define AKIN_CLI_DEDUPE_TABLES_H

#include "dedupe.h"

/* A file: its table, its names, and the columns that the plan names. */
typedef struct akin_cli_side {
    akin_cli_source source;
    akin_cli_names pairs_names; /* as the file of pairs has them, if that is of another format */
    akin_column *columns, ids;  /* ids: size 0 if rows have numbers */
} akin_cli_side;

/* Whether the file of pairs is of another format than that of clusters. */
int akin_cli_pairs_differ(const akin_cli_dedupe_request *request);

/* Reads one of the files of a request, whose plan is finished. `optional`: the columns that are shown and may be
 * missing, a bit for each. The caller clears the side in any case. Errors: those of akin_table_read, and AKIN_E_OPTION
 * (a column that is not there). */
akin_status akin_cli_side_read(akin_cli_job *job, const akin_cli_dedupe_request *request, int which, uint64_t optional,
                               akin_cli_side *out, akin_error *error);
void akin_cli_side_clear(akin_cli_side *side);

/* What rows of the tables are called; NULL: by their numbers. */
void akin_cli_sides_ids(const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                        const akin_column *ids[2]);

#endif
