/* The request of akin search, and its run. */
#ifndef AKIN_CLI_SEARCH_H
#define AKIN_CLI_SEARCH_H

#include "akin_papers.h"
#include "command.h"
#include "indexed.h"
#include "searched.h"

#define AKIN_CLI_WEIGHTS 128 /* times that --weight is given, at most */

typedef struct akin_cli_search_request {
    const akin_cli_arguments *arguments; /* for their queries, which are of that option */
    int query_option;
    const char *index, *queries; /* NULL: the queries are typed */
    const char *output, *truth;  /* NULL: it is not known */
    const char *shown[2];        /* output and format as they were given, for akin_cli_job_open */
    akin_cli_searched_words words;
    akin_search_options search;
    akin_papers_search_options papers; /* search.annex points here, if it is needed */
    akin_cli_format format;
    const char *show[AKIN_CLI_COLUMNS]; /* columns that results show, in `show_words` */
    char *show_words;
    uint32_t show_count;
    akin_cli_indexed indexed; /* files with those of the documents */
    int explain, tolerance;
    int digits;                            /* of similarities, behind the point; below 0: as few as read back */
    const char *weights[AKIN_CLI_WEIGHTS]; /* as given */
    uint32_t weight_count;
} akin_cli_search_request;

/* Searches; *refused becomes an exit status if the command line does not fit the index. Errors: those of reading,
 * akin_search and writing. */
akin_status akin_cli_search_run(akin_cli_job *job, const akin_cli_search_request *request, int *refused,
                                akin_error *error);

/* Explains on stderr what was chosen and done. The context may have used a GPU. */
void akin_cli_search_explain(const akin_context *context, const akin_search_statistics *index,
                             const akin_search_report *report);

#endif
