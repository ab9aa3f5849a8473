/*
 * Match counts on a GPU by the methods of the paper (GENIE, section III, appendix), for comparisons:
 *
 *     cpq         one block for each item of a query goes through its lists; objects are counted in c-PQ (gpu_cpq.h)
 *     spq         the same into a count table; buckets select the best (gpu_spq.h): the paper's GEN-SPQ
 *     spq-scan    every object is held against every query, instead of the lists: its GPU-SPQ
 *
 * The index is that of the technique `ranges` (ranges.h). Its lists are cut into ranges, the paper's are not.
 */
#ifndef AKIN_PAPERS_SEARCH_PAPER_H
#define AKIN_PAPERS_SEARCH_PAPER_H

#include "papers/search/kernels.h"
#include "search/ranges.h"
#include "search/technique.h"

#define AKIN_PAPER_SUBLIST 4096u     /* objects of one, at most, where load is balanced, */
#define AKIN_PAPER_EACH    2u        /* and sublists of a block */
#define AKIN_SPQ_OBJECTS   67108864u /* most objects for a count table */

/* How a technique counts and selects: akin_search_technique_row.own. */
typedef struct akin_paper_way {
    int has_queue; /* objects are counted in a count priority queue, and queries in it may have to be counted again */
    int scans;     /* objects are held against queries; else lists are gone through, which may be split */
} akin_paper_way;

typedef struct akin_paper_options {
    int is_balanced; /* load is: lists are split, and a block has two of them */
} akin_paper_options;

/* What a search did beside finding. */
typedef struct akin_paper_report {
    uint64_t query_bytes; /* of the device's memory that a query took, at most */
    uint64_t again;       /* queries that were counted again, as their hash tables were full */
    double seconds_transfer, seconds_match, seconds_select; /* queries there; counting; selecting, and the best back */
} akin_paper_report;

/* The same as akin_ranges_search, and the same results, by a technique of the paper on a GPU. Errors, too:
 * AKIN_E_OPTION (c-PQ counts to AKIN_CPQ_MOST), AKIN_E_LIMIT (more than AKIN_SPQ_OBJECTS, AKIN_RANGES_K), AKIN_E_NOMEM
 * (a query does not fit). */
akin_status akin_paper_search(const akin_scope *scope, akin_ranges *ranges, const akin_queries *queries,
                              const akin_search_technique_row *technique, const akin_paper_options *options,
                              akin_search_results *out, akin_paper_report *report, akin_error *error);

#endif
