/*
 * The join of strings on a GPU: what its kernels work on. Strings lie as in a batch (strings/batch.h), in groups of up
 * to 32 of one length, whose symbols are interleaved, four in a word, so that the lanes of a warp read side by side:
 *
 *     group     | word 0 of strings 0 .. 31 | word 1 of strings 0 .. 31 | ...
 *
 * A block of threads meets one group of probes with many other groups. Its warps screen the bags of 32 strings at a
 * time against each probe in turn; the pairs that pass are queued, and compared 32 at a time.
 */
#ifndef AKIN_MATCH_KERNELS_H
#define AKIN_MATCH_KERNELS_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_STRINGS_GROUP    32
#define AKIN_STRINGS_PREFIXES 5
#define AKIN_STRINGS_LONGEST  512 /* symbols of a string that a kernel compares */

typedef struct akin_strings_group {
    uint64_t symbols; /* where its first string begins, in the batch */
    uint64_t words;   /* where its first word lies */
    uint32_t first;   /* the place of its first string */
    uint32_t filled, length, run;
} akin_strings_group;

/* A batch on the device. */
typedef struct akin_strings_side {
    const akin_strings_group *groups;
    uint32_t group_count;
    const uint8_t *symbols; /* as they lie in the batch */
    uint32_t *words;
    const uint64_t *bags[4];
    const uint32_t *heads;
} akin_strings_side;

/* What strings of a run may be apart from probes of another, by common prefix: see akin_scan_limits. */
typedef struct akin_strings_limits {
    int32_t apart[AKIN_STRINGS_PREFIXES];
    uint32_t bound[AKIN_STRINGS_PREFIXES];
    double each, rest[AKIN_STRINGS_PREFIXES];
} akin_strings_limits;

/* The groups that strings of a run of probes may be similar to: first to end - 1. */
typedef struct akin_strings_reach {
    uint32_t first, end;
} akin_strings_reach;

/* A pair: places, and the distance, or the matches. */
typedef struct akin_strings_found {
    uint32_t probe, other, value, apart;
} akin_strings_found;

/* The figures of a launch: pairs that qualify; those of them that were listed, or would have been if there had been
 * room; pairs that were candidates; pairs that were screened; when it began, by the clock of the device; and whether it
 * was given up. */
typedef struct akin_strings_tally {
    unsigned long long found, listed, candidates, screened, began, late;
} akin_strings_tally;

typedef struct akin_strings_work {
    akin_strings_side probes, others;
    const akin_strings_limits *limits; /* of probe run p and run r: limits[p * runs + r] */
    const akin_strings_reach *reach;   /* of each run of probes */
    uint32_t runs;
    int is_jaro, swaps, by_prefix, floored;
    int same;   /* probes and others are one side: probes meet those behind them */
    int count;  /* pairs that surely qualify are counted alone; those that are listed are for the host to decide */
    int unsure; /* of is_jaro: what qualifies is for the host to decide in any case */
    uint32_t probe_first, probe_end, other_first, other_end; /* groups of this launch */
    uint32_t longest_reach;                                  /* other groups that any of its probes meets, at most */
    uint32_t chunk;                                          /* other groups of a block of threads */
    uint32_t words; /* of 64 symbols: 1, 2, 4 or 8, enough for the longest string */
    akin_strings_tally *tally;
    akin_strings_found *list;
    uint64_t room;
    uint64_t patience; /* nanoseconds after which a launch is given up, and nothing it found holds; 0: never */
} akin_strings_work;

/* The kernels of the join of strings. */
typedef struct akin_strings_kernels {
    /* Later: interleaves the symbols of a side. */
    akin_status (*interleave)(akin_device_stream *stream, const akin_strings_side *side, akin_error *error);

    /* Later: joins, until patience is at an end. What runs on in any case is the comparison of 32 pairs by each warp,
     * and where there is no patience all that the groups are met for. */
    akin_status (*launch)(akin_device_stream *stream, const akin_strings_work *work, akin_error *error);
} akin_strings_kernels;

extern const akin_strings_kernels akin_cuda_strings; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
