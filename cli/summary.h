/* Writes for people what a search for duplicates did. */
#ifndef AKIN_CLI_SUMMARY_H
#define AKIN_CLI_SUMMARY_H

#include "source.h"

typedef struct akin_cli_summary {
    const akin_dedupe_plan *plan;
    uint32_t tables, rows[2];
    const akin_dedupe_report *report;
    const char *model;                     /* the file of the learnt weights; NULL: none */
    akin_clusters_shape shape;             /* of the clusters */
    const akin_evaluation *evaluation;     /* of pairs; NULL: there is no gold standard */
    const akin_cluster_evaluation *closed; /* of clusters */
    double seconds_read, seconds_cluster;
} akin_cli_summary;

/* Prints the warnings of akin_dedupe_warn on stderr. */
void akin_cli_summary_warn(const akin_cli_summary *summary);

/* Writes it to stderr. */
void akin_cli_summary_print(const akin_cli_summary *summary);

#endif
