/*
 * Ranking on a GPU as the host sees it: the lists of an index as they lie there, batches of queries, and what is
 * launched.
 *
 *     once       documents of the first lists of terms, which have the term once; list behind list, nothing coded
 *     more       of the second lists, which have it more often,
 *     factors    and the factor of each of these entries
 *     ones       of documents: the factor of a term that is there once
 *     bits       of frequent terms: bit d % 64 of word 2 (d / 64) + i: list i of the two has document d
 *
 * A block of threads ranks a query; gpu_rank.h says how.
 */
#ifndef AKIN_RANK_KERNELS_H
#define AKIN_RANK_KERNELS_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_GPU_RANK_TERMS  32                  /* of a query, at most, */
#define AKIN_GPU_RANK_TOKENS 64                  /* tokens, */
#define AKIN_GPU_RANK_MOST   1024                /* and documents that are found for it */
#define AKIN_GPU_RANK_BATCH  4096                /* queries of a launch, at most */
#define AKIN_GPU_RANK_MARKS  ((uint64_t)1 << 25) /* documents of a launch */
#define AKIN_GPU_RANK_BLOCK  128                 /* entries with a bound in common: AKIN_BLOCK of src/index */
#define AKIN_GPU_RANK_NONE   UINT32_MAX

typedef struct akin_gpu_lists {
    const uint32_t *once, *more;
    const double *factors, *ones;
    const uint32_t *numbers; /* of documents: the caller's */
    const float *most;       /* of blocks, numbered as in the index: no factor is larger */
    uint64_t *bits;
    uint64_t words;     /* of each frequent term */
    uint32_t documents; /* those before `late` have no term more than once */
    uint32_t late;
} akin_gpu_lists;

/* A term of a query, and its two lists. */
typedef struct akin_gpu_rank_term {
    double scale;      /* of one token, */
    double all;        /* and of all that the query has of it */
    double most;       /* no document gets more by it, */
    double more;       /* nor one that is in its second list */
    uint64_t first[2]; /* entry */
    uint32_t count[2]; /* of entries */
    uint32_t block[2]; /* the first */
    uint32_t bits;     /* which of the frequent terms it is, or AKIN_GPU_RANK_NONE */
    uint32_t reserved;
} akin_gpu_rank_term;

/* A query; its terms are those that may add most first. One that has no terms finds nothing. */
typedef struct akin_gpu_rank_query {
    double slack; /* what rounding may do to a sum, at most */
    uint32_t first, terms, tokens;
    uint32_t reserved;
    uint8_t token[AKIN_GPU_RANK_TOKENS]; /* in the order of the query: which term */
} akin_gpu_rank_query;

/* How far a query has come: zeros at first. */
typedef struct akin_gpu_rank_state {
    uint32_t term, list, block;
    uint32_t found, done;
} akin_gpu_rank_state;

typedef struct akin_gpu_found {
    double score;
    uint32_t document; /* the caller's number */
    uint32_t reserved;
} akin_gpu_found;

typedef struct akin_gpu_rank_batch {
    const akin_gpu_rank_query *queries;
    const akin_gpu_rank_term *terms;
    akin_gpu_rank_state *states;
    akin_gpu_found *found; /* k of each query, best first */
    uint32_t k;            /* from 1 to AKIN_GPU_RANK_MOST */
    uint32_t count;        /* of the queries to be ranked, */
    const uint32_t *which; /* which they are; NULL: the first ones */
    uint32_t *left;        /* the number of those that are not done, 0 at first, and which */
    uint32_t budget;       /* what a launch may spend on a query, in steps: see gpu_rank.h */
} akin_gpu_rank_batch;

/* The kernels of rankings. */
typedef struct akin_rank_kernels {
    /* How many queries a device ranks at once, k documents for each: of those that are launched first, and of those
     * that are left. */
    akin_status (*at_once)(akin_device *device, uint32_t k, uint32_t at_once[2], akin_error *error);

    /* Ranks documents, as far as a launch may take: queries that are not done go on where they were. */
    akin_status (*best)(akin_device_stream *stream, const akin_gpu_lists *lists, const akin_gpu_rank_batch *batch,
                        akin_error *error);

    /* Sets the bits of `count` documents, at most AKIN_GPU_RANK_MARKS, in list `list` of the two of a frequent term,
     * whose words are these. */
    akin_status (*mark)(akin_device_stream *stream, const uint32_t *documents, uint64_t count, uint32_t list,
                        uint64_t *words, akin_error *error);
} akin_rank_kernels;

extern const akin_rank_kernels akin_cuda_rank; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
