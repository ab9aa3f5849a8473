/* Weighs, trims and places cuts in pieces of ranked sets, and makes them the sides of a job. */
#include "join/ranked_pieces.h"

/* ------------------------------------------------------------------------------------------------------------ ranges
 */

static uint32_t size_at_place(const akin_ranked *side, uint32_t place)
{
    return side->class_size[akin_ranked_class_of(side, place)];
}

/* The tokens of all sets before a place. */
static uint64_t tokens_before(const akin_piece_range *r, uint32_t place)
{
    const akin_ranked *side = akin_piece_ranked(r);
    if (!r->sums)
        return side->offsets[place];
    if (place == side->count)
        return r->sums[side->classes];
    uint32_t c = akin_ranked_class_of(side, place);
    return r->sums[c] + (uint64_t)(place - side->class_first[c]) * side->class_size[c];
}

static uint64_t weight_until(const akin_piece_range *r, uint32_t place)
{
    return tokens_before(r, place) - tokens_before(r, r->first) + (uint64_t)3 * (place - r->first);
}

uint64_t akin_piece_range_tokens(const akin_piece_range *r)
{
    return tokens_before(r, r->end) - tokens_before(r, r->first);
}

uint64_t akin_piece_range_weight(const akin_piece_range *r)
{
    return weight_until(r, r->end);
}

uint64_t akin_piece_sets(const akin_piece *piece)
{
    return akin_piece_rows(&piece->probes) + (piece->is_self ? 0 : (uint64_t)akin_piece_rows(&piece->indexed));
}

uint64_t akin_piece_tokens(const akin_piece *piece)
{
    return akin_piece_range_tokens(&piece->probes) + (piece->is_self ? 0 : akin_piece_range_tokens(&piece->indexed));
}

/* ---------------------------------------------------------------------------------------------------------- trimming
 */

/* Leaves the sets of a range whose sizes those of the other one permit, whose sets are the threshold's first. */
static void trim_range(const akin_threshold *threshold, akin_piece_range *r, const akin_piece_range *other)
{
    uint64_t least, most;
    if (r->first >= r->end || other->first >= other->end)
        return;
    akin_threshold_partners(threshold, size_at_place(akin_piece_ranked(other), other->first),
                            size_at_place(akin_piece_ranked(other), other->end - 1), &least, &most);
    uint32_t first = akin_ranked_first(akin_piece_ranked(r), least),
             end = akin_ranked_first(akin_piece_ranked(r), most + 1);
    r->first = first > r->first ? first : r->first;
    r->end = end < r->end ? end : r->end;
    if (r->end < r->first)
        r->end = r->first;
}

int akin_piece_trim(const akin_threshold *threshold, akin_piece *piece)
{
    const akin_threshold turned = akin_threshold_turn(threshold);
    if (piece->is_self)
        return akin_piece_rows(&piece->probes) >= 2;
    trim_range(threshold, &piece->indexed, &piece->probes);
    trim_range(&turned, &piece->probes, &piece->indexed);
    return akin_piece_rows(&piece->probes) > 0 && akin_piece_rows(&piece->indexed) > 0;
}

uint32_t akin_piece_place_of(const akin_piece_range *range, double part, double whole)
{
    const uint64_t wanted = (uint64_t)((double)akin_piece_range_weight(range) * part / whole);
    if (akin_piece_rows(range) < 2)
        return 0;
    uint32_t low = range->first + 1, high = range->end - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (weight_until(range, middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ------------------------------------------------------------------------------------------------------------- views
 */

akin_status akin_piece_view_make(const akin_join_job *job, akin_piece_view *out, akin_error *error)
{
    *out = (akin_piece_view){.class_first = {NULL, NULL}};
    out->class_first[0] = akin_alloc(job->account, (uint64_t)job->probes->classes + 1, sizeof(uint32_t));
    out->class_first[1] = akin_alloc(job->account, (uint64_t)job->indexed->classes + 1, sizeof(uint32_t));
    return out->class_first[0] && out->class_first[1] ? AKIN_OK : akin_fail_memory(error, "the pieces of the join");
}

void akin_piece_view_clear(akin_piece_view *view)
{
    akin_free(view->class_first[0]);
    akin_free(view->class_first[1]);
}

void akin_piece_view_enter(akin_piece_view *view, const akin_piece *piece, akin_join_job *job)
{
    const akin_piece_range *probes = &piece->probes, *indexed = &piece->indexed;
    view->sides[0] = akin_ranked_range(akin_piece_ranked(probes), probes->first, probes->end, view->class_first[0]);
    if (!piece->is_self)
        view->sides[1] =
            akin_ranked_range(akin_piece_ranked(indexed), indexed->first, indexed->end, view->class_first[1]);
    job->self = piece->is_self;
    job->probes = &view->sides[0];
    job->indexed = &view->sides[piece->is_self ? 0 : 1];
}

akin_piece akin_piece_whole(const akin_join_job *job)
{
    return (akin_piece){.probes = {job->probes, NULL, 0, job->probes->count},
                        .indexed = {job->indexed, NULL, 0, job->indexed->count},
                        .is_self = job->self};
}
