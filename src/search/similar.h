/*
 * The objects that are most similar to a query by a measure (sets/measure.h), exactly: all that count enough are taken
 * as they are counted, and what is enough rises with the k-th best so far.
 *
 * An object that counts c has c keywords at least, so no object that counts c is more similar than one of c keywords.
 * With a query of a keywords that one has the similarity
 *
 *     Jaccard c / a      Dice 2 c / (a + c)      cosine sqrt(c / a)
 */
#ifndef AKIN_SEARCH_SIMILAR_H
#define AKIN_SEARCH_SIMILAR_H

#include "search/query.h"
#include "sets/measure.h"

/* What is wanted. */
typedef struct akin_similar {
    const akin_objects *objects;
    const uint32_t *sizes; /* keywords of each object */
    const akin_queries *queries;
    const uint32_t *query_sizes; /* keywords of each query, those included that no object has */
    akin_measure_form form;      /* of the measure; not CONSTANT */
    uint32_t k;                  /* at most the number of objects */
    uint32_t least;              /* objects that count less are not wanted */
} akin_similar;

/* The best of query i are best[i * k] .. best[i * k + found[i] - 1], as | count | object |, the best first; those that
 * count nothing are not among them. */
typedef struct akin_similar_found {
    uint64_t *best;
    uint32_t *found;
} akin_similar_found;

/* Searches with all queries, each on one of the threads. The caller clears *out in any case. Errors: those of
 * akin_search_batch. */
akin_status akin_similar_search(const akin_scope *scope, const akin_similar *similar, akin_similar_found *out,
                                akin_error *error);
void akin_similar_clear(akin_similar_found *found);

/* Puts the k best of `count` objects, as | count | object |, for a query into `best`, the best first; how many these
 * are. */
uint32_t akin_similar_best(const akin_similar *similar, uint32_t query, const uint64_t *keys, uint64_t count,
                           uint64_t *best);

#endif
