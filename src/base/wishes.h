/* What tests wish of a job: sizes so small that little data takes every path. A program has no way to set these. */
#ifndef AKIN_BASE_WISHES_H
#define AKIN_BASE_WISHES_H

#include <stdint.h>

struct akin_gpu_prices; /* join/price.h */
struct akin_top_way;    /* join/top.h */

/* 0, or NULL, leaves the choice to the job. */
typedef struct akin_wishes {
    uint64_t part_tokens; /* the most tokens, or rows, of two parts of a bounded job together */
    int parts_anew;       /* 1: the sets of each part of a join are ranked anew, wherever there is room */
    uint64_t
        block_postings;   /* the most postings of the probes in a block of tokens, unless a range of tokens has more */
    uint64_t pairs_a_run; /* the pairs that a thread keeps before it stores them as a run */
    uint32_t pairs_a_batch; /* of a deduplication that compares pairs as a join finds them */
    uint64_t runs_a_merge;  /* the runs that are merged at once */
    uint64_t sample_cells;  /* the work that measuring the pairs of a report's sample may take */
    uint64_t candidates;    /* the candidates that the buffer of a GPU holds; tasks of GPUs are small then, too */
    uint64_t share_tokens;  /* the most tokens of a GPU's share, both sides together */
    int share_all;          /* GPUs share short jobs too, and the CPU always takes a part */
    int kernel;             /* the akin_tensor_kernel of the tensor join (join/kernels.h) */
    int cut_all;            /* a join is cut into buckets wherever that is possible, cheaper or not */
    int equal_rows;         /* 1: a join always groups equal rows, -1: it never does */
    const struct akin_top_way *top_way;       /* that finds the best partners of sets (join/top.h) */
    const struct akin_gpu_prices *gpu_prices; /* in place of the built-in prices of a GPU */
    double gpu_opens;                         /* the seconds that opening a GPU takes */
    int gpu_always;                           /* `auto` takes a GPU, worth it or not */
    uint64_t gpu_objects;                     /* bytes that the objects of a search may take on a GPU */
    uint64_t gathered_keys;                   /* keys that a block of threads of a GPU puts together */
    uint32_t hash_slots;  /* of a table of c-PQ at first, a power of 2; queries that it has no room for are repeated */
    uint64_t block_bytes; /* of a file that a reader reads at once; at least 16 */
    uint64_t lines_bytes; /* of a piece of lines that a thread formats */
    uint64_t document_bytes; /* of documents that are compared at once, or go to a GPU together */
    uint64_t learnt_pairs;   /* pairs that weights are learnt from at most, before a sample is drawn */
} akin_wishes;

#endif
