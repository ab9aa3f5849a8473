/* The requests of akin corpus: what its command line says, checked. */
#ifndef AKIN_CLI_CORPUS_H
#define AKIN_CLI_CORPUS_H

#include "job.h"
#include "source.h"
#include "writer.h"

/* Near-duplicates of a corpus. */
typedef struct akin_cli_near_request {
    const char *const *paths;
    int path_count;
    akin_cli_reading reading;
    akin_duplicates_options find;
    /* Columns beside text and ids, in this order: preference, source; with their places, or -1. */
    const char *columns[2], *column_options[2];
    int preference, source;
    int files_are_sources;
    char *words;         /* of the preference */
    const char *kept;    /* the file, or the folder, that gets the kept documents; NULL: none does */
    char *options;       /* for the manifest of a folder; NULL: it is a file */
    const char *removed; /* the file that gets the removed documents; NULL: none does */
    akin_cli_format removed_format;
    akin_cli_resources resources;
    int quiet;
} akin_cli_near_request;

void akin_cli_near_clear(akin_cli_near_request *request);

/* Finds the near-duplicates and writes what is wanted. Errors: those of the library. */
akin_status akin_cli_near_run(akin_cli_job *job, const akin_cli_near_request *request, akin_error *error);

#endif
