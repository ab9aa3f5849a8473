/* A job of akin weigh: reads and weighs documents, and writes the results that the options name. */
#ifndef AKIN_CLI_WEIGHED_H
#define AKIN_CLI_WEIGHED_H

#include "source.h"

/* What is wanted. */
typedef struct akin_cli_weighed {
    const char *const *paths; /* of documents */
    int path_count;
    akin_cli_reading *readings; /* how each is to be read */
    akin_weigh_options weigh;   /* without what is read first */
    akin_text_options text;
    const char *stop_words; /* a language or a file; or NULL */
    const char *dictionary; /* or NULL */
    const char *output;     /* NULL: weights are not written */
    akin_weights_format format;
    const char *vocabulary;                   /* or NULL */
    const char *statistics, *save_statistics; /* files that are read and written; or NULL */
    char *beside[2]; /* the files of terms and of documents beside a matrix; each NULL if there is none */
    int lines;       /* nobody said that each line of text is a document */
    int sum;
    int safe; /* CSV is for spreadsheets: --safe-csv */
} akin_cli_weighed;

akin_status akin_cli_weighed_run(akin_cli_job *job, const akin_cli_weighed *request, akin_error *error);

/* Makes an index of the documents, which are weighed by term (request->weigh.order says so), to rank them by. */
akin_status akin_cli_weighed_index(akin_cli_job *job, const akin_cli_weighed *request, akin_rank_index **out,
                                   akin_error *error);

#endif
