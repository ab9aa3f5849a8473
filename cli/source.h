/* What a job reads: sets of token ids as they stand, or columns of a table, whose text is made into sets or taken as
 * it is. */
#ifndef AKIN_CLI_SOURCE_H
#define AKIN_CLI_SOURCE_H

#include "job.h"
#include "names.h"

#define AKIN_CLI_COLUMNS 64

/* How a file is to be read. */
typedef struct akin_cli_reading {
    int ids;       /* it holds sets of token ids; what follows means nothing then */
    int is_matrix; /* it holds a matrix of that layout; likewise */
    akin_matrix_format layout;
    int strings;                      /* no sets are made: the one column is wanted as it is */
    akin_format format;               /* of a table; AKIN_FORMAT_AUTO: as its name tells */
    const char *on[AKIN_CLI_COLUMNS]; /* columns to compare, in `words`; none: the one of plain text */
    uint32_t on_count;
    int all; /* or all columns of the table */
    char *words;
    const char *id; /* the column with the names of the rows, or NULL */
    akin_text_options text;
    const char *stop_words; /* a file of text that has them, or NULL */
    int lossy, keep_records;
    int keep_lines; /* for messages about a row */
} akin_cli_reading;

typedef struct akin_cli_source {
    uint32_t rows;
    akin_sets *sets;     /* NULL where strings are wanted */
    akin_column strings; /* the table's, where they are */
    akin_table *table;   /* if records are kept or strings wanted; else NULL */
    akin_cli_names names;
} akin_cli_source;

/* The lines of the file of stop words, which all sources of a job share: it may be a pipe, and is read once. */
typedef struct akin_cli_stop_words {
    char *text; /* each with a NUL behind it */
    const char **list;
    uint32_t count;
} akin_cli_stop_words;

/* Reads them; there are none if `reading` has no such file. Errors: those of akin_table_read. Whatever it returns, they
 * are to be cleared. */
akin_status akin_cli_stop_words_read(akin_cli_job *job, const akin_cli_reading *reading, akin_cli_stop_words *words,
                                     akin_error *error);
void akin_cli_stop_words_clear(akin_cli_stop_words *words);

/* The same of a list that is that of a language, or else a file: they are `text`'s then, as long as `words`. */
akin_status akin_cli_stop_words_named(akin_cli_job *job, const char *name, int lossy, akin_cli_stop_words *words,
                                      akin_text_options *text, akin_error *error);

/*
 * Reads `path`; names are written as `format` does. The dictionary is shared by the sources of a job, and not needed for
 * strings. On failure *out is empty. Errors: those of akin_sets_read, akin_table_read, akin_sets_from_columns and akin_cli_names_make.
 */
akin_status akin_cli_source_read(akin_cli_job *job, const akin_cli_reading *reading, const char *path,
                                 akin_cli_format format, const akin_cli_stop_words *words, akin_dictionary *dictionary,
                                 akin_cli_source *out, akin_error *error);

/* Reads a table alone: its first *compared columns are those wanted, and *id is the number of that with the names, if one is
 * wanted, which of all columns may be any. Errors: those of akin_table_read, and AKIN_E_OPTION (there is no column with names). */
akin_status akin_cli_source_table(akin_cli_job *job, const akin_cli_reading *reading, const char *path,
                                  akin_table **out, uint32_t *compared, uint32_t *id, akin_error *error);

/* The library knows rows: where a message begins with one, the file comes before it, or instead of it the line. */
void akin_cli_source_locate(const akin_table *table, const char *path, akin_error *error);

/* Adds to a message about what is not UTF-8 that --lossy replaces it. */
void akin_cli_source_advise_lossy(akin_error *error);
void akin_cli_source_clear(akin_cli_source *source);

#endif
