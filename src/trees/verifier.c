/* The distance of two trees: reduced, bounded, and found within bands that widen. */
#include "trees/verifier.h"

#include "base/bits.h"
#include "trees/sequence.h"

void akin_tree_verifier_begin(akin_tree_verifier *verifier, akin_account *account, akin_cancellation *cancellation)
{
    *verifier = (akin_tree_verifier){.account = account, .band = {.account = account, .cancellation = cancellation}};
}

akin_status akin_tree_verifier_failure(const akin_tree_verifier *verifier)
{
    return verifier->band.is_stopped ? AKIN_E_CANCELLED : AKIN_E_NOMEM;
}

/* A distance that the forests have at least, up to most + 1; 0 as *has_memory: memory is short. */
static uint32_t bound_forests(akin_tree_verifier *v, const akin_tree_forest forests[2], uint32_t most, int *has_memory)
{
    const uint32_t counts[2] = {akin_tree_forest_nodes(&forests[0]), akin_tree_forest_nodes(&forests[1])};
    int32_t *reach = akin_enlarge(v->account, v->reach, &v->reach_room, 2 * (2 * (uint64_t)most + 3), sizeof *v->reach);
    *has_memory = reach != NULL;
    if (!reach)
        return 0;
    v->reach = reach;
    const uint32_t post = akin_sequence_edits(forests[0].tree->label + forests[0].begin, counts[0],
                                              forests[1].tree->label + forests[1].begin, counts[1], most, reach);
    if (post > most)
        return post;
    const uint32_t pre = akin_sequence_edits(akin_tree_forest_pre(&forests[0]), counts[0],
                                             akin_tree_forest_pre(&forests[1]), counts[1], most, reach);
    return akin_max_u32(pre, post);
}

/* Widens the band from `least` on, until the distance is in it. */
static int find_distance(akin_tree_verifier *v, const akin_tree_forest forests[2], uint32_t least, uint32_t most,
                         uint32_t *distance)
{
    v->bounded++;
    if (!akin_band_take(&v->band, forests))
        return 0;
    for (uint32_t width = least;; width = akin_min_u32(most, 2 * width + 1)) {
        if (!akin_band_distance(&v->band, width, distance))
            return 0;
        if (*distance != AKIN_BAND_FAR || width == most)
            return 1;
    }
}

int akin_tree_verify(akin_tree_verifier *verifier, const akin_tree *left, const akin_tree *right, uint32_t most,
                     uint32_t *partners, uint32_t *distance)
{
    akin_tree_forest forests[2];
    int has_memory = 1;
    for (uint32_t i = 0; i < left->nodes && partners; i++)
        partners[i] = AKIN_TREE_NO_NODE;
    akin_tree_forests_reduce(left, right, forests, partners);
    const uint32_t a = akin_tree_forest_nodes(&forests[0]), b = akin_tree_forest_nodes(&forests[1]);
    most = akin_min_u32(most, a + b); /* deletes all nodes, and inserts the others */
    *distance = AKIN_BAND_FAR;
    if (a == 0 || b == 0) {
        *distance = a + b <= most ? a + b : AKIN_BAND_FAR;
        return 1;
    }
    const uint32_t least = bound_forests(verifier, forests, most, &has_memory);
    if (!has_memory || least > most)
        return has_memory;
    if (!find_distance(verifier, forests, least, most, distance))
        return 0;
    return *distance == AKIN_BAND_FAR || !partners || akin_band_trace(&verifier->band, partners);
}

void akin_tree_verifier_clear(akin_tree_verifier *verifier)
{
    akin_band_clear(&verifier->band);
    akin_free(verifier->reach);
    *verifier = (akin_tree_verifier){.account = verifier->account};
}
