/* What comes of a join: the number of pairs, the pairs, or the clusters, and beside them the records without
 * duplicates. */
#ifndef AKIN_CLI_RESULTS_H
#define AKIN_CLI_RESULTS_H

#include "clusters.h"
#include "scores.h"
#include "shards.h"
#include "show.h"

/* What is wanted. */
typedef struct akin_cli_wanted {
    const char *output, *deduplicated; /* deduplicated is NULL if it is not wanted */
    const char *input;                 /* that it has the records of, */
    akin_format input_format;          /* and what format that is */
    const char *sharded;               /* the input, if that has several files: deduplicated is a folder; or NULL */
    const char *options;               /* what its manifest has of the command line */
    const char *shown[2];              /* output and format as they were given, for akin_cli_job_open */
    akin_cli_format format;
    akin_cli_show show;              /* columns that results show */
    int digits;                      /* of similarities, behind the point; below 0: as few as read back */
    int count, clusters;             /* instead of pairs */
    uint32_t clusters_of;            /* rows of a cluster that is written, at least */
    akin_join_options sets;          /* how sets are joined, */
    akin_papers_join_options papers; /* and by techniques of the papers, if sets.annex points here, */
    akin_cli_strings strings;        /* unless strings are */
} akin_cli_wanted;

/* What the join did: `sets` is NULL if it was one of strings, trees or graphs, or failed. */
typedef struct akin_cli_report {
    akin_join_report *sets;
    akin_match_report strings;
    akin_trees_report trees;
    akin_graphs_report graphs;
} akin_cli_report;

typedef struct akin_cli_results {
    const akin_cli_wanted *wanted;
    akin_output *output, *records;
    akin_cli_shards shards; /* in place of the records */
    akin_cli_kept kept;     /* which records are written */
    akin_cli_scores *scores;
    akin_cli_pairs *pairs;
    akin_cli_shown shown; /* beside pairs */
    akin_clusters *grouped;
    akin_clusters_shape shape; /* of grouped, once it is finished */
    uint64_t count;            /* of pairs */
} akin_cli_results;

/* Opens the outputs: what cannot be written is better known before the work. On failure nothing is left open. */
akin_status akin_cli_results_open(akin_cli_job *job, const akin_cli_wanted *wanted, akin_cli_results *out,
                                  akin_error *error);

/* Joins two sources (right NULL: one with itself) and writes what is wanted, uncommitted. */
akin_status akin_cli_results_join(akin_cli_results *results, akin_cli_job *job, const akin_cli_source *left,
                                  const akin_cli_source *right, akin_cli_report *report, akin_error *error);

/* Commits the outputs if status is AKIN_OK, and shows what goes to a terminal; else discards them. Returns status, or
 * what went wrong. */
akin_status akin_cli_results_close(akin_cli_results *results, akin_cli_job *job, akin_status status, akin_error *error);

#endif
