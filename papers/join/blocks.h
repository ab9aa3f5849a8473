/* The kernels of the paper's joins, as C functions, under the rules of join/kernels.h; papers/join/blocks.c says what
 * they are for. */
#ifndef AKIN_PAPERS_JOIN_BLOCKS_H
#define AKIN_PAPERS_JOIN_BLOCKS_H

#include "join/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A side, and which of its tokens count: prefix[set + 1] - prefix[set] of each set, the first ones. `prefix` has
 * count + 1 numbers, and begins with 0. */
typedef struct akin_block_side {
    akin_gpu_sets sets;
    const uint64_t *prefix;
} akin_block_side;

/* Sets [first, first + count) of a side. */
typedef struct akin_block {
    uint32_t first, count;
} akin_block;

/* A block of probes and one of indexed sets, and a counter for each pair of them, row by row. */
typedef struct akin_block_pair {
    akin_block probes, indexed;
    int self;
    uint32_t *counters;
} akin_block_pair;

#define AKIN_BLOCK_STRIP    4096                /* counters that are looked at, and made room for, at once */
#define AKIN_BLOCK_POSTINGS ((uint64_t)1 << 24) /* postings that a launch looks at */

/*
 * Adds one to the counter of each pair that a posting is of. Of the postings of all looked up tokens, put behind each
 * other, these are `count` from `first` on (AKIN_BLOCK_POSTINGS at most): posting first + i is of lookup segment[i],
 * whose postings begin there at offsets[] and in the index at begin[]. In a self-join pairs of a set with those before
 * it alone.
 */
typedef struct akin_block_lookups {
    const uint32_t *probe, *begin, *segment;
    const uint64_t *offsets;
} akin_block_lookups;

/*
 * What is to be taken from the counters: with `exact` pairs whose count is enough, else pairs whose count is not 0.
 * `hits` receives their number for each strip, and tally->count grows by the number of counters that are not 0. take
 * writes those of strips [first, end), offsets being the sums of the hits before each strip, to `pairs`; with `exact`
 * their overlaps, too, else their number to tally->count.
 */
typedef struct akin_block_take {
    akin_gpu_sets probes, indexed;
    akin_measure_rule rule;
    int exact;
} akin_block_take;

/* The kernels of joins in blocks. */
typedef struct akin_block_kernels {
    /* Lists the tokens of a block of sets that count, `count` of them, and the set of each, from 0 on. */
    akin_status (*list)(akin_device_stream *stream, const akin_block_side *side, akin_block block, uint64_t count,
                        uint32_t *tokens, uint32_t *sets, akin_error *error);

    /* For each of `count` tokens, its postings in an index: `postings` tokens that ascend. */
    akin_status (*find)(akin_device_stream *stream, const uint32_t *tokens, uint64_t count, const uint32_t *index,
                        uint64_t postings, uint32_t *begin, uint32_t *length, akin_error *error);

    akin_status (*count)(akin_device_stream *stream, const akin_block_pair *pair, const akin_block_lookups *lookups,
                         const uint32_t *index_sets, uint64_t first, uint32_t count, akin_error *error);

    /* Parity signatures of `words` words of 32 bits of all sets, all of whose tokens count; `signatures` were
     * cleared. */
    akin_status (*sign)(akin_device_stream *stream, const akin_block_side *side, uint64_t tokens, uint32_t words,
                        uint32_t *signatures, akin_error *error);

    /* Sets the counters to 1 of those pairs whose signatures let them qualify (Bellas and Gounaris, equation 3.1). */
    akin_status (*screen)(akin_device_stream *stream, const akin_block_pair *pair, const akin_gpu_sets *probes,
                          const akin_gpu_sets *indexed, akin_measure_rule rule, uint32_t words,
                          const uint32_t *probe_signatures, const uint32_t *signatures, akin_error *error);

    akin_status (*hits)(akin_device_stream *stream, const akin_block_pair *pair, const akin_block_take *take,
                        uint32_t *hits, akin_gpu_tally *tally, akin_error *error);

    akin_status (*taken)(akin_device_stream *stream, const akin_block_pair *pair, const akin_block_take *take,
                         const uint64_t *offsets, uint32_t first, uint32_t end, akin_gpu_pair *pairs,
                         uint32_t *overlaps, akin_gpu_tally *tally, akin_error *error);
} akin_block_kernels;

extern const akin_block_kernels akin_cuda_block; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
