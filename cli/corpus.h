/* The verbs of akin corpus, and what their command lines have in common. */
#ifndef AKIN_CLI_CORPUS_H
#define AKIN_CLI_CORPUS_H

#include "job.h"
#include "source.h"
#include "writer.h"

#define AKIN_CLI_CORPUS_TOKENS "words:5" /* the default */

/* A verb: it checks its command line, which makes a request, to be cleared in any case, and does what that asks for. */
typedef struct akin_cli_corpus_verb {
    int (*check)(const akin_cli_arguments *arguments, void **request);
    akin_status (*run)(akin_cli_job *job, const void *request, akin_error *error);
    void (*clear)(void *request);
} akin_cli_corpus_verb;

/* The documents of a corpus, and what is written of them. */
typedef struct akin_cli_documents {
    const char *const *paths;
    int path_count;
    akin_cli_reading reading;
    const char *kept; /* the file, or the folder, that gets the kept documents; NULL: none does */
    char *options;    /* for the manifest of a folder; NULL: it is a file */
} akin_cli_documents;

void akin_cli_documents_clear(akin_cli_documents *documents);

/* The row of an option, by its place. */
static inline const akin_cli_option *akin_cli_corpus_option(int option)
{
    return &akin_cli_corpus.options[option];
}

/* Where what is found goes. */
typedef struct akin_cli_findings {
    const char *path;  /* NULL: standard output */
    const char *shown; /* the format as it was given */
    akin_cli_format format;
} akin_cli_findings;

/* What the verb of a command line takes, such as "near-duplicates FILE...". */
const char *akin_cli_corpus_takes(const akin_cli_arguments *arguments);

/* Takes the operands behind the first `before` ones. These functions return AKIN_CLI_DONE or another exit status. */
int akin_cli_corpus_paths(const akin_cli_arguments *arguments, int before, akin_cli_documents *out);

/* How they are read. */
int akin_cli_corpus_reading(const akin_cli_arguments *arguments, akin_cli_documents *out);

/* Where kept documents go. */
int akin_cli_corpus_kept(const akin_cli_arguments *arguments, akin_cli_documents *out);

/* Whether a file can be written, the argument of an option: it is a fit name, and is not read. */
int akin_cli_corpus_target(const akin_cli_documents *documents, const akin_cli_option *option, const char *path);

/* Where what is found goes, and in which format; `what` is that, in the plural. */
int akin_cli_corpus_findings(const akin_cli_arguments *arguments, const akin_cli_documents *documents, const char *what,
                             akin_cli_findings *out);

/* Near-duplicates of a corpus. */
typedef struct akin_cli_near_request {
    akin_cli_documents documents;
    akin_duplicates_options find;
    /* Columns beside text and ids: that of the preference and that of sources, with their places, or -1. */
    const char *columns[2], *column_options[2];
    int preference, source;
    char *words;         /* of the preference */
    const char *removed; /* the file that gets the removed documents; NULL: none does */
    akin_cli_format removed_format;
    const char *report;          /* the page; NULL: none is wanted */
    const char *tokens;          /* as the page names them */
    int plan;                    /* nothing but what the job will take is wanted */
    uint32_t sample;             /* documents to draw, instead of all that; 0: none */
    akin_cli_findings estimates; /* where these go */
    int quiet;
} akin_cli_near_request;

int akin_cli_near_check(const akin_cli_arguments *arguments, void **out);
akin_status akin_cli_near_run(akin_cli_job *job, const void *asked, akin_error *error);
void akin_cli_near_clear(void *request);

int akin_cli_overlap_check(const akin_cli_arguments *arguments, void **out);
akin_status akin_cli_overlap_run(akin_cli_job *job, const void *asked, akin_error *error);
void akin_cli_overlap_clear(void *request);

int akin_cli_repeats_check(const akin_cli_arguments *arguments, void **out);
akin_status akin_cli_repeats_run(akin_cli_job *job, const void *asked, akin_error *error);
void akin_cli_repeats_clear(void *request);

#endif
