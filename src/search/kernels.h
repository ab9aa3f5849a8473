/*
 * The kernels of this room as C functions: match counts of a batch of queries, range by range, in shared memory (the
 * technique `ranges`). They are *later* in the sense of device/device.h; pointers within structs are of device memory.
 * Errors: AKIN_E_DEVICE.
 *
 *     count      queries x units --> keys      the best objects of each unit, a range or a part of it, for each query
 *     compare    the same of strings, by their distances
 *     gather     keys --> best                 the best of some units, in no order; repeated until they are the best
 *                                              of all
 *     sort       best --> best                 in order, if they are not many
 */
#ifndef AKIN_SEARCH_KERNELS_H
#define AKIN_SEARCH_KERNELS_H

#include "device/backend.h"
#include "search/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_UNIT_WORDS                                                                                                \
    8192u /* of 32 bits, the counters of a unit: 32,768 of 8 bits, or half as many of 16, or of 32 a quarter */
#define AKIN_UNIT_THREADS 512u

#define AKIN_SHOWN(count, unit) ((uint64_t)(count) << 32 | (UINT32_MAX - (unit)))
#define AKIN_SHOWN_NONE         AKIN_SHOWN(1, UINT32_MAX)

/* Objects, or those of some ranges, as they lie in a file, without the heads of columns. */
typedef struct akin_gpu_objects {
    const akin_keyword *lists;
    const akin_segment *segments;
    const uint16_t *cells;
    const uint8_t *codes;
    uint32_t count;  /* objects are below */
    uint32_t ranges; /* that are there, from */
    uint32_t first;  /* on, whose first object has the first codes */
    uint32_t reserved;
} akin_gpu_objects;

typedef struct akin_gpu_item {
    uint64_t begin; /* keywords of the query's items before it */
    uint32_t first, last, weight;
    uint32_t reserved;
} akin_gpu_item;

/* Of a scan: codes from low to low + span count. */
typedef struct akin_gpu_test {
    uint64_t begin; /* the column's first code, among the bytes of all: a multiple of 64 */
    uint32_t low, span, weight, width;
} akin_gpu_test;

typedef struct akin_gpu_query {
    uint64_t part;     /* its first item, or test */
    uint64_t keywords; /* of all items; 0 of a scan */
    uint32_t parts;
    uint32_t most; /* that an object can count, at least 1 */
    uint32_t size; /* its keywords, where objects are ranked by similarity */
    uint32_t reserved;
} akin_gpu_query;

/*
 * Queries that are counted together. For each query and each unit there is room for the keys that are wanted of it:
 *
 *     keys       | query 0: unit 0 | unit 1 | .. | query 1: ..        found says how many are there
 */
typedef struct akin_gpu_batch {
    const akin_gpu_query *queries;
    const akin_gpu_item *items; /* NULL: it is a scan, */
    const akin_gpu_test *tests; /* by these */
    /* Of each query AKIN_SHOWN(count, unit): the greatest count, at least 1, that k objects of a unit have reached, and
     * the first unit with this count. */
    uint64_t *shown;
    uint64_t *keys;
    uint32_t *found;
    const uint32_t *sizes;   /* of each object; NULL: they are ranked by what they count. Else by similarity, whose */
    uint32_t is_cosine;      /* scores (search/score.h) stand where counts do, but in `most` of queries and in */
    uint32_t least;          /* which an object counts then */
    uint32_t count, k, room; /* queries; keys that are wanted; of a unit: no more than it has counters */
    uint32_t units;          /* of all that are there: ranges times counter_bytes */
    uint32_t counter_bytes;  /* 1, 2 or 4 */
    uint32_t reserved;
} akin_gpu_batch;

/*
 * Keys of `units` units for each of `count` queries, as a batch has them. The keys of every `group` units are put
 * together: the k best of them, or all, in no order.
 *
 *     best       | query 0: group 0 | group 1 | .. | query 1: ..      k each; best_found says how many are there
 */
typedef struct akin_gpu_groups {
    const uint64_t *keys;
    const uint32_t *found;
    uint64_t *best;
    uint32_t *best_found;
    uint32_t count, units, room;
    uint32_t k, group;
    uint32_t most;    /* that any of them counts */
    uint32_t objects; /* these are below */
    uint32_t reserved;
} akin_gpu_groups;

#define AKIN_RANGES_SORTED 2048u /* keys that a block sorts at most */

/*
 * Strings of bytes that are compared with queries. A unit has 32,768 rows; its strings are in the order of their
 * lengths, and each 32 of them are a group, whose words, of four bytes each, lie side by side:
 *
 *     words      | group 0: bytes 0-3 of string 0 | of 1 | .. | of 31 | bytes 4-7 of string 0 | .. | group 1: ..
 */
#define AKIN_COMPARE_FAR     255u  /* edits: what is as far counts nothing */
#define AKIN_COMPARE_BLOCKS  4u    /* words of 64 bits that a query takes, at most: */
#define AKIN_COMPARE_ROWS    256u  /* bytes of a query, at most; */
#define AKIN_COMPARE_LONGEST 1024u /* and a string has at most */
#define AKIN_COMPARE_NONE    UINT16_MAX

typedef struct akin_gpu_group {
    uint64_t word;              /* its first */
    uint32_t shortest, longest; /* bytes of its strings; if it has none, the first is the larger one */
} akin_gpu_group;

typedef struct akin_gpu_slot {
    uint16_t place, length; /* the row within the unit, or AKIN_COMPARE_NONE; bytes */
} akin_gpu_slot;

typedef struct akin_gpu_strings {
    const uint32_t *words;
    const akin_gpu_group *groups;
    const akin_gpu_slot *slots;
    /* Bytes of all queries. A query has `parts` from `part` on, and its `most` is AKIN_COMPARE_FAR. */
    const uint8_t *queries;
    uint32_t blocks; /* words that each of them takes: 1, 2 or 4 */
    uint32_t reserved;
} akin_gpu_strings;

/* The kernels that count matches in ranges. */
typedef struct akin_ranges_kernels {
    /* Counts the units from `first` to `first + count` - 1, of all queries. */
    akin_status (*count)(akin_device_stream *stream, const akin_gpu_objects *objects, const akin_gpu_batch *batch,
                         uint32_t first, uint32_t count, akin_error *error);

    akin_status (*gather)(akin_device_stream *stream, const akin_gpu_groups *groups, akin_error *error);

    /* Puts the keys of each query in order, when there is one group of them. */
    akin_status (*sort)(akin_device_stream *stream, const akin_gpu_groups *groups, akin_error *error);
} akin_ranges_kernels;

extern const akin_ranges_kernels akin_cuda_ranges; /* of a build with CUDA */

/* The kernel that compares strings. */
typedef struct akin_nearest_kernels {
    /* Compares the units from `first` to `first + count` - 1 with all queries: an object counts what its distance
     * leaves of AKIN_COMPARE_FAR. */
    akin_status (*compare)(akin_device_stream *stream, const akin_gpu_strings *strings, const akin_gpu_batch *batch,
                           uint32_t first, uint32_t count, akin_error *error);
} akin_nearest_kernels;

extern const akin_nearest_kernels akin_cuda_nearest; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
