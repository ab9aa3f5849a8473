/*
 * The nearest vectors, exactly: every query with every object. Threads take tiles of objects, and each keeps the k
 * nearest of each query:
 *
 *     tile           OBJECTS objects, at which all queries are looked while they are in a cache
 *     bytes by L2    |x - y|^2 = |x|^2 + |y|^2 - 2 x y, and x y by VNNI: four dimensions of 16 objects an instruction
 *     others         search/apart.h
 */
#ifndef AKIN_SEARCH_FLAT_H
#define AKIN_SEARCH_FLAT_H

#include "base/scope.h"
#include "search/apart.h"

/* Queries `first` to first + count - 1, of which the k nearest of the objects are wanted. Both have the same numbers,
 * bytes or floats. */
typedef struct akin_flat {
    const akin_matrix *objects, *queries;
    uint32_t first, count, k; /* k: at most as many as there are objects, and 1 or more */
    int squared;              /* by L2, or else by L1 */
} akin_flat;

/* `apart` as akin_apart has it. */
typedef struct akin_flat_hit {
    double apart;
    uint32_t object;
} akin_flat_hit;

/* hits[q * k] and the next ones are those of query q: the nearest first, those as near in the order of their rows.
 * Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_flat_search(const akin_scope *scope, const akin_flat *flat, akin_flat_hit *hits, akin_error *error);

#endif
