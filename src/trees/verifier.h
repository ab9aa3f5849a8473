/*
 * The edit distance of two trees if it is at most K, and a cheapest mapping:
 *
 *     reduce      equal parts at the ends are left out (reduce.h)
 *     bound       the labels in preorder and in postorder are at least L edits apart (sequence.h)
 *     band        L edits suffice? else 2 L + 1, and so on up to K (band.h)
 *
 * Most pairs that are near are as near as the bound says, and a narrow band is fast.
 */
#ifndef AKIN_TREES_VERIFIER_H
#define AKIN_TREES_VERIFIER_H

#include "trees/band.h"

/* All fields are zero at first but the accounts. A thread has its own. */
typedef struct akin_tree_verifier {
    akin_account *account;
    akin_band band;
    int32_t *reach;
    uint64_t reach_room;
    uint64_t bounded; /* pairs that the band was tried for */
} akin_tree_verifier;

/* cancellation: stops long comparisons; NULL: nothing does. Borrowed. */
void akin_tree_verifier_begin(akin_tree_verifier *verifier, akin_account *account, akin_cancellation *cancellation);

/* Why akin_tree_verify returned 0: AKIN_E_NOMEM, or AKIN_E_CANCELLED. */
akin_status akin_tree_verifier_failure(const akin_tree_verifier *verifier);

/* Sets *distance to that of two trees if it is at most `most`, else to AKIN_BAND_FAR. partners: NULL, or room for the
 * nodes of the left tree, which get the partners that a cheapest mapping gives them in the right one, by postorder
 * numbers, or AKIN_TREE_NO_NODE; if the distance is above `most`, their values mean nothing. Returns 0 if memory is
 * short, or the task should end. */
int akin_tree_verify(akin_tree_verifier *verifier, const akin_tree *left, const akin_tree *right, uint32_t most,
                     uint32_t *partners, uint32_t *distance);

void akin_tree_verifier_clear(akin_tree_verifier *verifier);

#endif
