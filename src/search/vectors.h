/*
 * Vectors as objects of match-count search: their signatures by an LSH family, a dimension for each function, and the
 * value of a function as its code (Zhou et al., section IV). The number of functions that agree estimates how near
 * vectors are; the exact distance can be computed afterwards.
 */
#ifndef AKIN_SEARCH_VECTORS_H
#define AKIN_SEARCH_VECTORS_H

#include "search/query_batch.h"
#include "sets/sets.h"
#include "signature/family.h"
#include "table/matrix.h"

/* What is signed: vectors, which have the family's dimensions; or sets, if the family is of these. */
typedef struct akin_signed {
    const akin_matrix *matrix;
    const akin_sets *sets;
} akin_signed;

/* The signatures of `count` of them from `first` on, on all threads: values[i * functions + f]. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_vectors_sign(const akin_scope *scope, const akin_family *family, akin_signed of, uint32_t first,
                              uint32_t count, uint32_t *values, akin_error *error);

/* Inverts the signatures of all: keyword f * buckets + v is value v of function f. Takes 8 bytes for each value while
 * it runs; with a memory bound, temporary files hold what exceeds its share. Errors: AKIN_E_LIMIT (2^32 - 1 keywords),
 * AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_vectors_invert(const akin_scope *scope, const akin_family *family, akin_signed of, akin_objects *out,
                                akin_error *error);

/* Adds the items of a signature to a query, one for each function; an empty set has no items. 0: memory is short. */
int akin_vectors_add_query(const akin_family *family, const uint32_t *values, akin_query_batch *batch);

/* How far two vectors are apart, as the family has it: by L1 or L2, by L1 for LAPLACE, by the angle for COSINE (that of
 * nothing to anything is a right one). Doubles in a fixed order; of bytes it is exact but for the last step. */
double akin_vectors_distance(akin_family_kind kind, const akin_matrix *a, uint32_t i, const akin_matrix *b, uint32_t j);

/* How what was found is rated: by the share of functions that agree, and by distance. */
typedef struct akin_rating {
    const akin_search_index *index;
    double (*distance)(const akin_family_head *family, uint32_t agreed); /* that equal functions estimate; NULL: 0 */
    const akin_matrix *queries;                                          /* if it is reranked */
    uint32_t k;                                                          /* how many of a query remain then; */
    uint32_t rerank;                                                     /* 0: it is not */
} akin_rating;

/* Sets similarities and distances of what was found, *count hits, by query; with those reranked the nearest of each
 * query are left, in order: distances rising, objects rising. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_vectors_rate(const akin_scope *scope, const akin_rating *rating, akin_search_hit *hits,
                              uint64_t *count, akin_error *error);

#endif
