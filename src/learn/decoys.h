/*
 * How probable it is that items are right, without labels: by items that are known to be wrong, which are called
 * decoys. Each item has measures, and a logistic model of their weighted sum tells the right ones of the items from the
 * others and from the decoys (L. Käll et al., Semi-supervised learning for peptide identification, 2007):
 *
 *     begin     all items are taken for right, all decoys are wrong
 *     rounds    the model is fitted to the probabilities of the items; then these follow from the model
 *
 * Wrong items are more like right ones than decoys are, so evidence is tempered. docs/how-fuzzy-join.md has the
 * formulas.
 */
#ifndef AKIN_LEARN_DECOYS_H
#define AKIN_LEARN_DECOYS_H

#include "base/memory.h"
#include "base/scope.h"

#define AKIN_DECOY_MEASURES 8 /* at most */

typedef struct akin_decoys {
    uint32_t measures;   /* of an item, 1 or more */
    const double *items; /* [item][measure] */
    uint64_t item_count;
    const double *decoys;
    uint64_t decoy_count;
} akin_decoys;

/* Finds the probabilities of all items; without decoys they are 0. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_decoys_run(const akin_scope *scope, akin_account *account, const akin_decoys *decoys,
                            double *probabilities, akin_error *error);

#endif
