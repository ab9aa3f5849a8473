/* Pairs of transitive closures, counted and not listed, as pairs come step by step. */
#ifndef AKIN_EVALUATE_CLOSED_PAIRS_H
#define AKIN_EVALUATE_CLOSED_PAIRS_H

#include "base/scope.h"
#include "base/memory.h"
#include "base/sort.h"

/* A pair has the step of the highest threshold that it reaches, from 1 on; step 0 reaches none. */
#define AKIN_STEPS (AKIN_CURVE_POINTS + 1)

/* The two nodes of a pair and its step, so that sorting brings the highest step first:
 *
 *     | AKIN_STEPS - 1 - step | left (32 bits) | right (32 bits) |
 */
typedef akin_u128 akin_stepped;

/* Two nodes as one number. */
static inline uint64_t akin_nodes(uint32_t left, uint32_t right)
{
    return (uint64_t)left << 32 | right;
}

/* What is counted. Nodes are rows of the clusters `gold`, as akin_clusters numbers them: left ones first. */
typedef struct akin_closure {
    const akin_scope *scope;
    akin_account *account;
    const akin_stepped *pairs; /* sorted */
    uint64_t count;
    const akin_clusters *gold; /* finished */
    uint32_t lefts;            /* the left nodes, if linked; else 0 */
    int linked;                /* only pairs of a left and a right node count */
} akin_closure;

/*
 * Counts in pairs[s] those pairs of nodes that are connected from step s on, and not at a higher one; in both[s] those
 * of them that are in one cluster of gold. What they hold for step 0 means nothing. *golds gets all pairs in clusters
 * of gold. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_closure_count(const akin_closure *closure, uint64_t pairs[AKIN_STEPS], uint64_t both[AKIN_STEPS],
                               uint64_t *golds, akin_error *error);

#endif
