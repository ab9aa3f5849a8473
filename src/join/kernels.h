/*
 * The kernels of the joins, as C functions. Pointers are to device memory, work is put into the stream and done later
 * (device/device.h); arrays are the caller's. Errors: AKIN_E_DEVICE.
 */
#ifndef AKIN_JOIN_KERNELS_H
#define AKIN_JOIN_KERNELS_H

#include "device/backend.h"
#include "sets/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A side of the join as in sets/ranked.h. Tokens of a small universe have 16 bits, which halves the copies. */
typedef struct akin_gpu_sets {
    uint32_t count, largest; /* sets, and the tokens that one of them has at most */
    int narrow;              /* tokens are uint16_t, else uint32_t; the same on both sides of a join */
    const uint64_t *offsets; /* count + 1 */
    const void *tokens;
} akin_gpu_sets;

/* Sets of one size, which are contiguous: the number of the first one, and where its tokens begin. */
typedef struct akin_gpu_class {
    uint64_t offset;
    uint32_t set, size;
} akin_gpu_class;

/* The bytes of a token there. */
static inline size_t akin_gpu_token_bytes(uint64_t universe)
{
    return universe <= (uint64_t)UINT16_MAX + 1 ? sizeof(uint16_t) : sizeof(uint32_t);
}

/* Two sets: the probe's number in the upper half, the other's in the lower. */
typedef uint64_t akin_gpu_pair;

/* Candidates of a filter, which appends where `count` says. Those at `valid` and beyond were not written: there was no
 * room for all that a warp found at once, and it is to go on from there once the buffer has been emptied. */
typedef struct akin_gpu_tally {
    unsigned long long count; /* candidates for which the filter wanted room */
    unsigned long long valid; /* UINT64_MAX: all of them are there */
    unsigned long long found; /* pairs that qualify */
    uint32_t resumed;         /* tasks to go on with */
    uint32_t open;            /* not 0: some candidates are still to be verified (the prefix index) */
    unsigned long long met;   /* pairs whose tokens were compared, at the first that they share (the prefix index) */
} akin_gpu_tally;

/* What a thread of a GPU verifies. The result is the same. */
typedef enum akin_verify_way {
    AKIN_VERIFY_AUTO = 0, /* what follows, by the average size of the sets */
    AKIN_VERIFY_MANY = 1, /* many pairs in sequence */
    AKIN_VERIFY_ONE = 2,  /* one pair */
    AKIN_VERIFY_PART = 3, /* its part of a pair that the threads of a warp share */
} akin_verify_way;

/* How threads share the candidates, by the average number of tokens of a set, unless the caller chooses a way. */
#define AKIN_VERIFY_MANY_MOST 8     /* tokens; up to here AKIN_VERIFY_MANY */
#define AKIN_VERIFY_ONE_MOST  256   /* tokens; up to here AKIN_VERIFY_ONE, beyond it AKIN_VERIFY_PART */
#define AKIN_VERIFY_PAIRS     8     /* pairs that a thread takes at once by AKIN_VERIFY_MANY */
#define AKIN_VERIFY_ALONE     32768 /* tokens of a pair that a thread verifies alone: a launch is to end soon */

/* ------------------------------------------------------------------------------------------------ the tensor filter */

/*
 * When the filter takes a pair whose signatures share n bits. With parity signatures the pair is then a candidate.
 * Where every token has a bit of its own, the signature is the set and n the overlap; then the pair qualifies:
 *
 *     candidates     2 n >= term of the row + term of the column + the task's extra
 *     exact          factor n >= share (r + s) + extra         r, s: the sizes
 *     squared        factor n^2 >= share r s, for cosine; exact as well
 *
 * No number exceeds 32 bits, and no square 64.
 */
typedef struct akin_tensor_rule {
    int exact, squared;
    uint32_t factor, share;
    int32_t extra; /* if exact */
} akin_tensor_rule;

/* Sets in the order of the filter: by size class, then by rising popcount of their signatures. */
typedef struct akin_tensor_side {
    uint32_t count;
    uint32_t *set;        /* by position: which set it is */
    uint32_t *signatures; /* by position: bits / 32 words; with AKIN_TENSOR_PADDING sets of zeros behind */
    int32_t *slack;       /* by position: popcount - what the pair's distance may grow by for this set */
    int32_t *low;         /* by AKIN_TENSOR_STEP positions: the least slack among them */
    int32_t *term;        /* by position, the term of the rule: slack; if exact share size, or the size if squared */
} akin_tensor_side;

#define AKIN_TENSOR_BITS_LEAST 256 /* what the matrix instruction takes at once; the most is AKIN_PARITY_BITS_MOST */

#define AKIN_TENSOR_STEP    32   /* columns that a warp looks at at once */
#define AKIN_TENSOR_PADDING 128  /* sets that may be read beyond the last */
#define AKIN_TENSOR_LEAST   8192 /* pairs that a buffer must have room for: more than a warp finds in a step */

/*
 * What a block of threads compares: AKIN_TENSOR_ROWS(bits) positions of the probes from `row` on (or only those of its
 * first warp) with columns [column, end). `column` is a multiple of AKIN_TENSOR_STEP. A pair may qualify if its
 * signatures have n bits in common with 2 n >= slack of the row + slack of the column + extra.
 */
typedef struct akin_tensor_task {
    uint32_t row, column, end;
    int32_t extra;
    uint32_t alone;
} akin_tensor_task;

/* Rows of a task, and of each of its AKIN_TENSOR_WARPS warps. */
#define AKIN_TENSOR_WARPS           4
#define AKIN_TENSOR_WARP_ROWS(bits) ((bits) <= 256 ? 128u : (bits) <= 1024 ? 64u : 32u)
#define AKIN_TENSOR_ROWS(bits)      (AKIN_TENSOR_WARPS * AKIN_TENSOR_WARP_ROWS(bits))

/* Bits that hold a popcount in a key. */
#define AKIN_TENSOR_KEY 12

/* By which instructions the filter counts: all take the same pairs. */
typedef enum akin_tensor_kernel {
    AKIN_TENSOR_BEST,  /* those of the others that the GPU is fastest with */
    AKIN_TENSOR_PLAIN, /* popcounts, one word at a time */
    AKIN_TENSOR_MMA,   /* binary tensor cores, from compute capability 8.0 on */
    AKIN_TENSOR_WGMMA  /* the same by warpgroups, 9.0 alone */
} akin_tensor_kernel;

/* Where the filter puts what it takes. */
typedef struct akin_tensor_taken {
    akin_gpu_pair *pairs; /* as numbers of sets; NULL (the rule is exact): they are counted only, in tally->found */
    uint32_t *overlaps;   /* exact: of the pairs */
    uint64_t room;        /* pairs that there is room for */
    akin_gpu_tally *tally;
    akin_tensor_task *resume;  /* tasks that found no room: at most one for each warp */
    akin_tensor_kernel kernel; /* not AKIN_TENSOR_BEST; tasks that are to go on are not for AKIN_TENSOR_WGMMA */
} akin_tensor_taken;

/* ------------------------------------------------------------------------------------------------ the prefix index */

/*
 * The postings of a side are the prefixes of all its sets, concatenated and numbered from 0. A posting is a token
 * together with its set and its position there. Sets of a class have prefixes of one length, so set and position follow
 * from the number.
 */
typedef struct akin_posting_class {
    uint32_t set;     /* the first set of that size */
    uint32_t posting; /* the first posting of that set */
    uint32_t length;  /* of a prefix; 0: such a set can have no partner */
    uint32_t bound;   /* which of the bounds is that of its first position */
    uint32_t least;   /* the first set of the other side that is large enough */
} akin_posting_class;

typedef struct akin_posting_side {
    akin_gpu_sets sets;
    const akin_posting_class *classes;
    const uint32_t *bounds; /* by class and position: the first set of the other side that is too large for a pair whose
                             * first common token is there, as too few tokens of this one are left */
    uint32_t class_count;
    uint32_t count; /* of postings, below 2^31 */
} akin_posting_side;

/* The postings of one token in the index; none if begin is not before end. */
typedef struct akin_posting_list {
    uint32_t begin, end;
} akin_posting_list;

/* Postings sorted by token, then by set. Pairs of posting k are with probes before reach[k]. */
typedef struct akin_posting_index {
    akin_posting_list *lists; /* by token */
    uint32_t *sets, *reach;
} akin_posting_index;

/* What a posting of a probe meets: postings of the index from `low` on. */
typedef struct akin_posting_run {
    uint32_t probe, position, low, reserved;
} akin_posting_run;

/* A range of the pairs of all runs, which are numbered run after run. */
typedef struct akin_posting_range {
    uint64_t first, end;
} akin_posting_range;

#define AKIN_POSTING_LEAST 32  /* candidates that a buffer must have room for: what a warp finds in a step */
#define AKIN_POSTING_STEPS 128 /* tokens at which one thread compares two sets, before it leaves them to a warp */

typedef struct akin_posting_join {
    akin_gpu_sets probes, indexed;
    akin_measure_rule rule;
    float share; /* roughly, what two sets need in common, as a part of the sum of their sizes; see akin_posting_need */
    int keep;    /* pairs are wanted, not only their number */
    uint32_t budget; /* steps of merging, after which a warp leaves the rest of its range to another launch */
    const akin_posting_run *runs;
    const uint64_t *offsets; /* sums of the runs' lengths; run_count + 1 */
    uint32_t run_count;      /* no run is empty */
    akin_posting_index index;
} akin_posting_join;

/* Where pairs go. A warp writes all pairs that it finds in a step. If there is no room, it puts the rest of its range
 * into `resume`. It does the same when its budget is used up. */
typedef struct akin_posting_out {
    akin_gpu_pair *candidates;
    uint32_t *overlaps; /* if they are kept */
    uint64_t room;
    akin_gpu_tally *tally;
    akin_posting_range *resume; /* at most one for each range */
} akin_posting_out;

/* The kernels on sets. */
typedef struct akin_sets_kernels {
    /* Writes the offsets of `sets` sets, and the end of the last one, from their classes. There is at least one
     * class. */
    akin_status (*write_offsets)(akin_device_stream *stream, const akin_gpu_class *classes, uint32_t count,
                                 uint32_t sets, uint64_t *offsets, akin_error *error);

    /* Counts the common tokens of the candidates of a tally. It counts those that qualify in tally->found, and (unless
     * pairs is NULL) writes each pair and its overlap, in no order. By AKIN_VERIFY_MANY and AKIN_VERIFY_ONE a thread
     * merges two sets. By AKIN_VERIFY_PART, and where two sets have more than AKIN_VERIFY_ALONE tokens, the lanes of a
     * warp look up the tokens of the smaller set in the larger one. Both stop when the remaining tokens cannot
     * suffice. */
    akin_status (*verify)(akin_device_stream *stream, const akin_gpu_sets *probes, const akin_gpu_sets *indexed,
                          akin_measure_rule rule, akin_verify_way way, const akin_gpu_pair *candidates, uint64_t room,
                          akin_gpu_tally *tally, akin_gpu_pair *pairs, uint32_t *overlaps, akin_error *error);
} akin_sets_kernels;

extern const akin_sets_kernels akin_cuda_sets; /* of a build with CUDA */

/* The kernels that make the sides of the tensor filter. */
typedef struct akin_tensor_side_kernels {
    /*  Makes the parity signatures of `bits` bits of all sets, in the order of the sets, and for each a key: its class
     * (of `classes`, which begin at class_first) above its popcount, to sort them by. */
    akin_status (*sign)(akin_device_stream *stream, const akin_gpu_sets *sets, uint32_t bits,
                        const uint32_t *class_first, uint32_t classes, uint32_t *signatures, uint32_t *keys,
                        uint32_t *numbers, akin_error *error);

    /* Arranges a side in the order of side->set, from what `sign` made; side->term is written if the rule that
     * decides is exact, and else the same array as side->slack. */
    akin_status (*arrange)(akin_device_stream *stream, const akin_gpu_sets *sets, akin_measure_rule rule,
                           akin_tensor_rule decides, uint32_t bits, const uint32_t *signatures,
                           const akin_tensor_side *side, akin_error *error);
} akin_tensor_side_kernels;

extern const akin_tensor_side_kernels akin_cuda_tensor_side; /* of a build with CUDA */

/* The tensor filter. */
typedef struct akin_tensor_kernels {
    /* The instructions that the filter uses on a GPU, with signatures of `bits` bits: the wanted ones, or the next
     * best. */
    akin_status (*kernel_of)(akin_device *device, uint32_t bits, akin_tensor_kernel wanted, akin_tensor_kernel *out,
                             akin_error *error);

    /* The filter: compares the signatures of all pairs of the tasks, of 256, 512, 1024 or 2048 bits, and takes the
     * pairs that the rule permits. With parity signatures these are the pairs that may qualify (|r n s| <= (|r| + |s| -
     * distance) / 2; Bellas and Gounaris, equation 3.1). In a self-join it takes only pairs whose column is before
     * their row. */
    akin_status (*filter)(akin_device_stream *stream, const akin_tensor_side *probes, const akin_tensor_side *indexed,
                          akin_tensor_rule rule, int self, uint32_t bits, const akin_tensor_task *tasks, uint32_t count,
                          const akin_tensor_taken *taken, akin_error *error);
} akin_tensor_kernels;

extern const akin_tensor_kernels akin_cuda_tensor; /* of a build with CUDA */

/* The kernels of the prefix index. */
typedef struct akin_posting_kernels {
    /* Writes the token and the number of each posting. */
    akin_status (*write)(akin_device_stream *stream, const akin_posting_side *side, uint32_t *tokens, uint32_t *numbers,
                         akin_error *error);

    /* Makes the index of postings that were sorted by token; its lists were cleared. */
    akin_status (*make_index)(akin_device_stream *stream, const akin_posting_side *side, const uint32_t *tokens,
                              const uint32_t *numbers, const akin_posting_index *index, akin_error *error);

    /* For each posting of the probes: where in the index those begin that it meets, how many there are, and whether
     * there are any. In a self-join a probe meets sets before it alone. */
    akin_status (*look_up)(akin_device_stream *stream, const akin_posting_side *probes, int self,
                           const uint32_t *tokens, const uint32_t *numbers, const akin_posting_index *index,
                           uint32_t *low, uint32_t *counts, uint8_t *any, akin_error *error);

    /* Makes runs of `count` of the probes' postings, and gathers what each of them meets. */
    akin_status (*gather)(akin_device_stream *stream, const akin_posting_side *probes, const uint32_t *numbers,
                          const uint32_t *low, const uint32_t *counts, const uint32_t *chosen, uint32_t count,
                          akin_posting_run *runs, uint32_t *lengths, akin_error *error);

    /* Looks at the pairs of `count` ranges. These are `ranges`; or, if that is NULL, ranges of `unit` pairs from
     * `first` to `end`. Pairs are compared in the run of their first common token. A pair that qualifies is appended to
     * the candidates, with its overlap, if pairs are kept; else it is counted (tally->found). A pair that a thread did
     * not finish is appended, too, and then tally->open is set. */
    akin_status (*compare)(akin_device_stream *stream, const akin_posting_join *join, uint64_t first, uint64_t end,
                           uint32_t unit, const akin_posting_range *ranges, uint32_t count, const akin_posting_out *out,
                           akin_error *error);
} akin_posting_kernels;

extern const akin_posting_kernels akin_cuda_posting; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
