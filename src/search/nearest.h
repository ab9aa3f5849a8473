/*
 * The k nearest strings by edit distance (Levenshtein, of bytes), exactly: distances ascending, rows ascending.
 *
 * Queries are compared side by side, each in a lane of SIMD registers, with one string after the other: a column of Myers' matrix
 * (A fast bit-vector algorithm for approximate string matching, 1999; as Hyyroe has it, 2003) is computed for all lanes by one byte of
 * the string, whose places in all queries are read at once:
 *
 *     places[byte]    | of query 0 | 1 | .. |           bit i: the byte stands at i
 *
 * What lanes had behind each byte that the next string shares is kept, so that it begins there. Strings of which the length alone
 * says that they are too far for all lanes are left out.
 */
#ifndef AKIN_SEARCH_NEAREST_H
#define AKIN_SEARCH_NEAREST_H

#include "search/sequences.h"
#include "search/top.h"

#define AKIN_NEAREST_LANES   16   /* at most */
#define AKIN_NEAREST_SHARED  1024 /* bytes that are begun behind, at most */
#define AKIN_NEAREST_LONGEST 64   /* bytes of a query in a lane; longer ones are compared one by one */

typedef struct akin_nearest_job {
    const akin_sequences *sequences;
    uint32_t first, end;                  /* of them */
    const uint64_t *places;               /* of byte b in query i: places[b * lanes + i]; aligned to 64 bytes */
    uint32_t lengths[AKIN_NEAREST_LANES]; /* of the queries; a lane that is free has the length of another one, */
    akin_top *tops[AKIN_NEAREST_LANES];   /* and NULL here */
    uint64_t *columns; /* room for 2 * lanes words for each byte that may be shared, and once more; aligned likewise */
} akin_nearest_job;

/* A level: how many lanes it has, and what compares them. */
typedef struct akin_nearest_level {
    uint32_t lanes;
    void (*scan)(const akin_nearest_job *job);
} akin_nearest_level;

akin_nearest_level akin_nearest_choose(akin_cpu cpu);
akin_nearest_level akin_nearest_avx2(void);   /* no lanes where this build has none */
akin_nearest_level akin_nearest_avx512(void); /* likewise */

/* Distances in an akin_top, whose keys are then | distance | row |: the nearest first. */
static inline uint32_t akin_nearest_count(uint32_t distance)
{
    return UINT32_MAX - distance;
}

/* The nearest of `count` queries of a column: keys[i * k] .. keys[i * k + found[i] - 1]. *k becomes at most the number of sequences.
 * A query that is null has none. Both arrays become the caller's, to be freed by akin_free in any case. Errors: AKIN_E_OPTION (k is 0),
 * AKIN_E_LIMIT (a query of 2^31 bytes or more), AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_nearest_search(akin_context *context, const akin_sequences *sequences, const akin_column *queries,
                                uint32_t count, uint32_t *k, uint64_t **keys, uint32_t **found, akin_error *error);

#endif
