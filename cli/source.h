/* What a job reads: sets of token ids as they stand, or columns of a table, whose text is made into sets or taken as
 * it is. */
#ifndef AKIN_CLI_SOURCE_H
#define AKIN_CLI_SOURCE_H

#include "job.h"
#include "names.h"

#define AKIN_CLI_COLUMNS 64

typedef struct akin_cli_shown_column akin_cli_shown_column; /* see shown.h */

/* How a file is to be read. */
typedef struct akin_cli_reading {
    int ids;       /* it holds sets of token ids; what follows means nothing then */
    int is_matrix; /* it holds a matrix of that layout; likewise */
    akin_matrix_format layout;
    int strings;                      /* no sets are made: columns are wanted as they are, several of them combined */
    akin_format format;               /* of a table; AKIN_FORMAT_AUTO: the one of its name */
    int by_name;                      /* each of several files is read in the format of its name */
    const char *on[AKIN_CLI_COLUMNS]; /* columns to compare, in `words`; none: the one of plain text */
    uint32_t on_count;
    int all; /* or all columns of the table */
    char *words;
    const char *id; /* the column with the names of the rows, perhaps in `id_words`, or NULL */
    char *id_words;
    akin_text_options text;
    const char *stop_words; /* a language, or a file of text that has them; or NULL */
    int lossy, keep_records;
    int keep_lines;          /* for messages about a row */
    int nameless;            /* rows need no names, as nothing shows them */
    const char *const *show; /* columns that results show, which the caller keeps */
    uint32_t show_count;
    const char *presumed; /* the option that names them, if it was not given and they have the usual name; NULL: else */
    const char *const *show_options; /* the options that name them; NULL: --show */
    uint64_t show_optional;          /* which of them it may lack, a bit for each */
    const char *const *more;         /* further paths, whose rows follow; the caller keeps them */
    uint32_t more_count;
} akin_cli_reading;

typedef struct akin_cli_source {
    uint32_t rows;
    akin_sets *sets;     /* NULL where strings are wanted */
    akin_column strings; /* the table's, or the combined one's, where they are */
    akin_table *combined;
    akin_text_counts counts;      /* of texts that were cut into tokens */
    akin_table *table;            /* if records are kept, strings wanted or columns shown; else NULL */
    akin_cli_shown_column *shown; /* columns that results show; NULL: there are none */
    akin_cli_names names;
} akin_cli_source;

/* Stop words: those of a language, or the lines of a file. All sources of a job share them: a file may be a pipe, and
 * is read once. */
typedef struct akin_cli_stop_words {
    const char *const *list;
    uint32_t count;
    char *text; /* of a file: its own, each with a NUL behind it, */
    const char **own;
} akin_cli_stop_words;

/* Refuses an empty word as the argument of --stop-words; NULL: there is none. Returns AKIN_CLI_DONE or
 * AKIN_CLI_USAGE. */
int akin_cli_stop_words_check(const char *name);

/* Reads those of the language of that name, or else the file; there are none if it is NULL. Errors: those of
 * akin_table_read; AKIN_E_OPTION (neither, and it has no character that names of files have). The caller clears them in
 * any case. */
akin_status akin_cli_stop_words_read(akin_cli_job *job, const char *name, int lossy, akin_cli_stop_words *words,
                                     akin_error *error);
void akin_cli_stop_words_clear(akin_cli_stop_words *words);

/*
 * Reads `path`; names are written as `format` does. The dictionary is shared by the sources of a job, and not needed
 * for strings. On failure *out is empty. Errors: those of akin_sets_read, akin_table_read, akin_sets_from_columns and
 * akin_cli_names_make.
 */
akin_status akin_cli_source_read(akin_cli_job *job, const akin_cli_reading *reading, const char *path,
                                 akin_cli_format format, const akin_cli_stop_words *words, akin_dictionary *dictionary,
                                 akin_cli_source *out, akin_error *error);

/* Warns of texts that are too short for their tokens. */
void akin_cli_source_warn(const akin_cli_reading *reading, const char *path, const akin_cli_source *source);

/* The place of a name among columns; `count`: it is not there. */
uint32_t akin_cli_place_of(const char *const *columns, uint32_t count, const char *name);

/* Reads a table alone: its first *compared columns are those wanted, and *id is the number of that with the names, if
 * one is wanted, which of all columns may be any. Errors: those of akin_table_read, and AKIN_E_OPTION (there is no
 * column with names). */
akin_status akin_cli_source_table(akin_cli_job *job, const akin_cli_reading *reading, const char *path,
                                  akin_table **out, uint32_t *compared, uint32_t *id, akin_error *error);

/* Finds the columns of source->table that results show. Those that `optional` has a bit for may be missing, or have
 * nulls alone: these have no offsets. Errors: AKIN_E_OPTION (there is no such column), AKIN_E_NOMEM. */
akin_status akin_cli_source_show(akin_cli_source *source, const char *const *names, uint32_t count, uint64_t optional,
                                 akin_error *error);

/* Begins a message about a column that is not there, which results show and nothing else needs, with its option
 * (`options` NULL: --show). `path` is NULL if the message has it. */
void akin_cli_source_blame_show(const char *const *names, const char *const *options, uint32_t count, const char *path,
                                akin_error *error);

/* The library knows rows: where a message begins with one, the file comes before it, or instead of it the line. */
void akin_cli_source_locate(const akin_table *table, const char *path, akin_error *error);

/* Adds to a message about what is not UTF-8 that --lossy replaces it. */
void akin_cli_source_advise_lossy(akin_error *error);
void akin_cli_source_clear(akin_cli_source *source);

#endif
