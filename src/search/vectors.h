/*
 * Vectors as objects of match-count search: their signatures by an LSH family, a dimension for each function, and the value of a
 * function as its code (Zhou et al., section IV). How many functions agree tells how near vectors are; how near they really are can be
 * found out afterwards.
 */
#ifndef AKIN_SEARCH_VECTORS_H
#define AKIN_SEARCH_VECTORS_H

#include "search/query.h"
#include "signature/family.h"
#include "table/matrix.h"

/* The signatures of `count` vectors from `first` on, on all threads: values[i * functions + f]. The matrix has the family's dimensions.
 * Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_vectors_sign(akin_context *context, const akin_family *family, const akin_matrix *matrix,
                              uint32_t first, uint32_t count, uint32_t *values, akin_error *error);

/* Inverts the signatures of all vectors: keyword f * buckets + v is value v of function f. Takes 4 bytes for each of them while it runs.
 * Errors: AKIN_E_LIMIT (2^32 - 1 keywords), AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_vectors_invert(akin_context *context, const akin_family *family, const akin_matrix *matrix,
                                akin_objects *out, akin_error *error);

/* The items of a signature, `functions` of them. */
void akin_vectors_ask(const akin_family *family, const uint32_t *values, akin_query_item *items);

/* How far two vectors are apart, as the family has it: by L1 or L2, by L1 for LAPLACE, by the angle for COSINE (that of nothing to anything is a
 * right one). Doubles in a fixed order; of bytes it is exact but for the last step. */
double akin_vectors_distance(akin_family_kind kind, const akin_matrix *a, uint32_t i, const akin_matrix *b, uint32_t j);

/* An object, and how far it is. */
typedef struct akin_vector_hit {
    double distance;
    uint32_t object, count;
} akin_vector_hit;

/* Sets the distances of what was found for vector `query` and puts it in order: distances rising, objects rising. */
void akin_vectors_rerank(akin_family_kind kind, const akin_matrix *objects, const akin_matrix *queries, uint32_t query,
                         akin_vector_hit *hits, uint64_t count);

#endif
