/* What a search for duplicates did, told to people. */
#ifndef AKIN_CLI_SUMMARY_H
#define AKIN_CLI_SUMMARY_H

#include "source.h"

typedef struct akin_cli_summary {
    const akin_dedupe_plan *plan;
    uint32_t tables, rows[2];
    const akin_dedupe_report *report;
    akin_clusters_shape shape;                  /* of the clusters */
    const akin_evaluation *evaluation, *closed; /* of pairs, and of clusters; NULL: there is no gold standard */
    double seconds_read, seconds_cluster;
} akin_cli_summary;

/* Warns, on stderr, of selections whose blocks are all too large, and of windows that are too small for their key. */
void akin_cli_summary_warn(const akin_dedupe_plan *plan);

/* Writes it to stderr. */
void akin_cli_summary_print(const akin_cli_summary *summary);

/* Warns, on stderr, where clusters have AKIN_CLUSTERS_CHAINED times as many pairs as were found. */
void akin_cli_summary_warn_of_chains(const akin_clusters_shape *shape, uint64_t found);

#endif
