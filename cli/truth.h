/* What a search finds, held against neighbours that are known: how many of them it found, and how much farther away it
 * went. */
#ifndef AKIN_CLI_TRUTH_H
#define AKIN_CLI_TRUTH_H

#include "searched.h"

typedef struct akin_cli_truth {
    const char *path;
    const akin_search_index *index;
    const akin_matrix *queries;     /* where vectors are kept, for distances; else NULL */
    const akin_search_facts *facts; /* of the index */
    uint32_t rows, k;               /* queries, and the neighbours that are known of each: */
    uint32_t *objects;              /* their numbers, rising, k of each query, */
    double *distances;              /* and their distances, rising; NULL if the file has none */
    double *near;                   /* room for distances of a query: of the k, and of as many that were found */
    uint64_t right;                 /* how many of them were found */
    uint64_t rated;                 /* queries that have a ratio; */
    double ratios;                  /* the sum of these */
    uint64_t endless;               /* what was found elsewhere, where the true neighbour is at no distance */
} akin_cli_truth;

/* Whether a file is a matrix or a table, by its name. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_truth_check(const char *path);

/* Reads the k nearest of each query, by the numbers of their rows. The caller clears *out in any case. Errors: those of
 * akin_matrix_read and akin_table_read; AKIN_E_INPUT (fewer neighbours or queries, or what is no object). */
akin_status akin_cli_truth_read(akin_cli_job *job, const char *path, const akin_search_index *index,
                                const akin_cli_searched *queries, uint32_t k, akin_cli_truth *out, akin_error *error);

/* Counts what was found, all of a query at once. */
akin_status akin_cli_truth_add(akin_cli_truth *truth, const akin_search_hit *found, size_t count, akin_error *error);

/* Prints recall and ratio to stderr. */
void akin_cli_truth_print(const akin_cli_truth *truth);
void akin_cli_truth_clear(akin_cli_truth *truth);

#endif
