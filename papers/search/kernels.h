/*
 * The kernels of the paper's techniques (GENIE, section III, appendix), under the rules of search/kernels.h.
 *
 *     count      lists --> counters            a block for each list: into a count table, or through c-PQ (gpu_cpq.h)
 *     scan       columns --> counters          every object held against every query: into a count table
 *     cpq        counters, tables --> keys     what passed the gate, and ties at it
 *     spq        count table --> keys          bucket k-selection (gpu_spq.h)
 *
 * Of each query there are, one query behind the other:
 *
 *     c-PQ       | bitmap counter: words | hash table: slots | ZipperArray: most + 2 | gate | overflow |
 *     SPQ        | count table: objects | ids: objects |
 *     both       | keys: k | found |
 */
#ifndef AKIN_PAPERS_SEARCH_KERNELS_H
#define AKIN_PAPERS_SEARCH_KERNELS_H

#include "search/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_PAPER_THREADS 256u   /* of a block */
#define AKIN_CPQ_MOST      65535u /* that an object may count in c-PQ */

/* The work of a block: the segments of keywords `first` to `last`, from `segment` to `end` - 1, and in each segment the
 * cells from `cell` to `cell_end` - 1, as far as it has them. */
typedef struct akin_paper_list {
    uint64_t segment, end;
    uint32_t first, last;
    uint32_t query, weight;
    uint32_t cell, cell_end;
} akin_paper_list;

/* Queries that are counted together; pointers that are not of the technique are NULL. */
typedef struct akin_paper_batch {
    uint32_t count, k;
    uint32_t objects;
    uint32_t most;              /* that an object can count for any of them, at least 1 */
    uint32_t bits, each;        /* of a counter; counters in a word */
    uint32_t slots, shift;      /* a power of 2, and 32 less its logarithm */
    uint64_t words;             /* of a bitmap counter */
    uint32_t *counters;         /* zeros at first, and so are the next four */
    uint64_t *tables;           /* entries, see gpu_cpq.h */
    uint32_t *reached;          /* the ZipperArrays: how many objects have reached a count */
    uint32_t *gates;            /* AuditThresholds, less 1: counts that k objects have reached */
    uint32_t *overflows;        /* not 0: the table had no room, and what was counted is of no use */
    uint32_t *counts, *ids;     /* count tables, zeros at first; and room for candidates */
    const akin_gpu_test *tests; /* of a scan, */
    const uint64_t *ends;       /* and where those of a query end */
    uint64_t *keys;             /* of the best, in no order */
    uint32_t *found;
} akin_paper_batch;

/* The kernels of the paper's techniques. */
typedef struct akin_match_count_kernels {
    /* Counts `count` lists. A block takes `each` of them, in turn. */
    akin_status (*count)(akin_device_stream *stream, const akin_gpu_objects *objects, const akin_paper_batch *batch,
                         const akin_paper_list *lists, uint32_t count, uint32_t each, akin_error *error);

    /* Counts queries `first` to `first + count` - 1 by their tests; count at most 65,535. */
    akin_status (*scan)(akin_device_stream *stream, const akin_gpu_objects *objects, const akin_paper_batch *batch,
                        uint32_t first, uint32_t count, akin_error *error);

    akin_status (*select_cpq)(akin_device_stream *stream, const akin_paper_batch *batch, akin_error *error);

    akin_status (*select_spq)(akin_device_stream *stream, const akin_paper_batch *batch, akin_error *error);
} akin_match_count_kernels;

extern const akin_match_count_kernels akin_cuda_match_count; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
