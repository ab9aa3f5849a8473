/* Cuts and walks the pieces of a join. */
#include "join/pieces.h"

#include "base/error.h"

uint32_t akin_piece_cut(const akin_piece *piece, akin_piece_weight *weight, akin_piece_place *place, void *user,
                        akin_piece out[3])
{
    int cut_probes = piece->is_self || weight(&piece->probes) >= weight(&piece->indexed);
    uint32_t at = place(user, cut_probes ? &piece->probes : &piece->indexed);
    if (at == 0 && !piece->is_self) {
        cut_probes = !cut_probes;
        at = place(user, cut_probes ? &piece->probes : &piece->indexed);
    }
    if (at == 0)
        return 0;
    out[0] = out[1] = *piece;
    if (cut_probes)
        out[0].probes.end = out[1].probes.first = at;
    if (!cut_probes || piece->is_self)
        out[0].indexed.end = out[1].indexed.first = at;
    if (!piece->is_self)
        return 2;
    out[2] = (akin_piece){.probes = out[1].probes, .indexed = out[0].probes};
    return 3;
}

akin_status akin_pieces_walk(const akin_piece_policy *policy, akin_piece piece, akin_error *error)
{
    akin_piece pieces[3];
    int taken = 0;
    if (!policy->trim(policy->user, &piece))
        return AKIN_OK;
    akin_status status = policy->take(policy->user, &piece, &taken, error);
    if (status != AKIN_OK || taken)
        return status;
    const uint32_t count = akin_piece_cut(&piece, policy->weight, policy->place, policy->user, pieces);
    if (count == 0 && akin_piece_has_pairs(&piece))
        return akin_fail(error, AKIN_E_LIMIT, "a piece of %u with %u rows of a join is too large, and cannot be cut",
                         akin_piece_rows(&piece.probes), akin_piece_rows(&piece.indexed));
    for (uint32_t k = 0; k < count && status == AKIN_OK; k++)
        status = akin_pieces_walk(policy, pieces[k], error);
    return status;
}
