/* The request of akin compare, and the comparison of files. */
#ifndef AKIN_CLI_COMPARE_H
#define AKIN_CLI_COMPARE_H

#include "job.h"
#include "reading.h"
#include "writer.h"

/* The request of the command line. */
typedef struct akin_cli_compare_request {
    const char *sides[2]; /* strings, or the names of files */
    akin_compare_options compare;
    int distance, files, matrix, quiet;
    int once;   /* both columns are of one file, which is read once */
    int digits; /* behind the point; below 0: as few as read back */
    akin_cli_reading reading[2];
    akin_ratio cutoff;
    int has_cutoff;
    int trees, graphs; /* two trees, or two graphs, are compared */
    int mapping;       /* their mapping is printed */
    akin_tree_format tree_format;
    uint64_t budget; /* of states, for graphs */
    const char *output;
    akin_cli_format format;
    akin_cli_resources resources;
} akin_cli_compare_request;

/* Whether both sides are one column of one file. */
int akin_cli_compare_is_same(const akin_cli_compare_request *request);

/* Warns of values that the comparator cannot read, or that are too short for its tokens. `where` is that of
 * akin_compare_warn. Errors: those of akin_compare_parse. */
akin_status akin_cli_compare_warn(akin_context *context, const akin_cli_compare_request *request,
                                  const akin_column *column, uint32_t rows, const char *where, akin_error *error);

/* Compares the columns of files as the request says. Returns an exit status. */
int akin_cli_compare_files(const akin_cli_compare_request *request);

#endif
