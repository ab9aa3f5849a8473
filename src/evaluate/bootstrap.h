/* Bootstrap intervals of an evaluation: entities are drawn again and again, with replacement. */
#ifndef AKIN_EVALUATE_BOOTSTRAP_H
#define AKIN_EVALUATE_BOOTSTRAP_H

#include "base/bits.h"
#include "base/memory.h"
#include "base/scope.h"

/* What an entity, a cluster of gold, adds to the sums of which an evaluation has its ratios. Quotients are whole
 * numbers of 2^-64, so that sums do not depend on their order. There are below 2^32 records, so the entities of a draw
 * have below 2^62 of them together, and a sum of quotients is below 2^126. */
typedef struct akin_entity {
    akin_u128 precision; /* B-cubed precision of its records, summed; a quotient */
    akin_u128 recall;    /* likewise */
    uint64_t records;
    uint64_t found; /* found pairs: 2 for one of its records, 1 for one that leads out */
    uint64_t both, gold;
} akin_entity;

/* Entities by kind: those that add the same are one kind. */
typedef struct akin_entities akin_entities;

/* Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_entities_create(const akin_scope *scope, akin_account *account, akin_entities **out,
                                 akin_error *error);
akin_status akin_entities_add(akin_entities *entities, const akin_entity *entity, akin_error *error);
void akin_entities_free(akin_entities *entities);

/* Draws `times` times, at least AKIN_BOOTSTRAP_LEAST, as many entities as there are, and writes the intervals. What is
 * drawn follows from the seed and from the order in which entities were added. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_entities_draw(akin_entities *entities, uint32_t times, uint64_t seed, akin_cluster_evaluation *out,
                               akin_error *error);

#endif
