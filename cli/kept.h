/* The rows of a table that are kept, and their records, written again. */
#ifndef AKIN_CLI_KEPT_H
#define AKIN_CLI_KEPT_H

#include "job.h"

/* Other texts that records get in one column. */
typedef struct akin_cli_kept_texts {
    const char *column;
    /* The text of a row; *text NULL: the record stays as it stands. */
    akin_status (*of)(void *user, uint32_t row, const char **text, uint64_t *length, akin_error *error);
    void *user;
} akin_cli_kept_texts;

/* A bit for each row; zeros: there is none. */
typedef struct akin_cli_kept {
    uint8_t *bits;
    uint32_t rows, count;             /* count: rows that are kept */
    const akin_cli_kept_texts *texts; /* NULL: all records stay as they stand */
} akin_cli_kept;

/* Begins without a kept row. Errors: AKIN_E_NOMEM. The caller clears it in any case. */
akin_status akin_cli_kept_begin(uint32_t rows, akin_cli_kept *out, akin_error *error);

/* The first row of each cluster. Errors: AKIN_E_NOMEM. */
akin_status akin_cli_kept_of_clusters(const akin_clusters *clusters, akin_cli_kept *out, akin_error *error);
void akin_cli_kept_clear(akin_cli_kept *kept);

static inline void akin_cli_kept_add(akin_cli_kept *kept, uint32_t row)
{
    kept->bits[row / 8] |= (uint8_t)(1u << row % 8);
    kept->count++;
}

static inline int akin_cli_kept_has(const akin_cli_kept *kept, uint32_t row)
{
    return kept->bits[row / 8] >> row % 8 & 1;
}

/* Writes the records as they stand in the file, behind the header line if there is one. Of a format of "opened-formats"
 * it copies them, with their types. `path` and `format` are those of the table, which is of one file. Errors: those of
 * akin_output_write and akin_output_copy; AKIN_E_NOMEM. */
akin_status akin_cli_kept_write(const akin_cli_kept *kept, const akin_table *table, const char *path,
                                akin_format format, akin_output *output, akin_error *error);

/* The same of one of the files of a table, whose path is that which was opened; with other texts, if there are some and
 * the format can be rewritten (akin_cli_kept_can_rewrite). */
akin_status akin_cli_kept_write_file(const akin_cli_kept *kept, const akin_table *table, const akin_table_file *file,
                                     const char *path, akin_output *output, akin_error *error);

/* Whether records of a format can be written with other texts: lines by themselves, other formats by a saver. */
int akin_cli_kept_can_rewrite(akin_format format);

/* Notes for the end of the job how many records were written. */
void akin_cli_kept_wrote(akin_cli_job *job, const char *path, const akin_cli_kept *kept);

/* Refuses a name for them, given to an option, that promises another format than that of the input, as they stand as
 * they do there; returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_kept_check(const char *option, akin_format format, const char *path);

#endif
