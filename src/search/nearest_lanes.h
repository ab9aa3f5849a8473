/*
 * Two lower bounds of the edit distance in SIMD, one version for each level. An edit touches at most one byte of either string, so with
 * d edits the longer one keeps all its bytes but d, in their order: d is at least its length without what both have in common, which
 * is counted
 *
 *     by bags           whatever the order: 64 strings with 8 queries at once;
 *     by subsequences   the longest common one: a string with the queries of all lanes.
 *
 * A column of the second one's matrix is computed for all lanes by one byte of the string, in three instructions (Hyyroe, Bit-parallel
 * LCS-length computation revisited, 2004), which is a fourth of what the edit distance takes. The places of the byte in all queries
 * are read at once:
 *
 *     places[byte]    | of query 0 | 1 | .. |           bit i: the byte stands at i
 *
 * What lanes had behind each byte that the next string shares is kept, so that it begins there. Strings of which the length alone
 * says that they are too far for all lanes are left out.
 */
#ifndef AKIN_SEARCH_NEAREST_LANES_H
#define AKIN_SEARCH_NEAREST_LANES_H

#include "base/context.h"
#include "search/sequences.h"

/* Lanes by how many bytes of a query they hold: the last have two words. */
enum { AKIN_NEAREST_32, AKIN_NEAREST_64, AKIN_NEAREST_128, AKIN_NEAREST_WIDTHS };

#define AKIN_NEAREST_LANES   64                                  /* at most */
#define AKIN_NEAREST_COLUMN  ((size_t)256)                       /* bytes of all lanes, at most */
#define AKIN_NEAREST_PLACES  ((size_t)256 * AKIN_NEAREST_COLUMN) /* of all places, likewise */
#define AKIN_NEAREST_SHARED  1024                                /* bytes that are begun behind, at most */
#define AKIN_NEAREST_QUERIES 8                                   /* of a screen */

/* Strings with their bounds, as keys | bound | string |. */
typedef struct akin_nearest_list {
    uint64_t *keys;
    uint32_t held, stop; /* so many are too many: somebody is to be asked */
    uint32_t too_far;    /* bounds are wanted that are below, by now; at most 2^31 */
} akin_nearest_list;

static inline uint64_t akin_nearest_key(uint32_t bound, uint32_t string)
{
    return (uint64_t)bound << 32 | string;
}

static inline uint32_t akin_nearest_bound(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

/* What is asked when list `i` holds as many as it may: afterwards it may hold more, and less may be wanted. 0: that's it. */
typedef int (*akin_nearest_stop)(void *user, uint32_t i);

/* Lists strings `first` to `end` - 1 by the longest common subsequence. */
typedef struct akin_subsequence_job {
    const akin_sequences *sequences;
    uint32_t first, end;
    const void *places;                   /* word w of byte b in lane i: places[(b * words + w) * lanes + i] */
    void *columns;                        /* AKIN_NEAREST_COLUMN for each byte that may be shared, and once more */
    uint32_t lengths[AKIN_NEAREST_LANES]; /* of the queries; UINT32_MAX: the lane is free */
    akin_nearest_list *lists;             /* of each lane */
    akin_nearest_stop stop;
    void *user;
} akin_subsequence_job;

/* Lists the strings of blocks `first` to `end` - 1 by their bags. */
typedef struct akin_bags_job {
    const akin_sequences *sequences;
    uint32_t first, end;
    const uint8_t *counts; /* bytes of kind c of query i: counts[(c * 8 + i) * 64] to .. + 63, all alike */
    uint32_t queries;      /* at most AKIN_NEAREST_QUERIES */
    uint8_t lengths[AKIN_NEAREST_QUERIES]; /* of these */
    akin_nearest_list *lists;              /* of each */
    akin_nearest_stop stop;
    void *user;
} akin_bags_job;

typedef struct akin_nearest_level {
    uint32_t lanes[AKIN_NEAREST_WIDTHS];
    int (*subsequences[AKIN_NEAREST_WIDTHS])(const akin_subsequence_job *job); /* 0: it was stopped */
    int (*bags)(const akin_bags_job *job);                                     /* likewise */
} akin_nearest_level;

const akin_nearest_level *akin_nearest_choose(akin_cpu cpu);
const akin_nearest_level *akin_nearest_avx2(void);   /* NULL where this build has none */
const akin_nearest_level *akin_nearest_avx512(void); /* likewise */

#endif
