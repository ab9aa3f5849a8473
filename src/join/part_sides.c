/* Finds the classes of both sides, counts their tokens, and ranks the sets. */
#include "join/part_sides.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/bulk.h"
#include "base/context.h"
#include "join/part_room.h"
#include "sets/bounded_ranking.h"
#include "sets/sets.h"

#include <string.h>

#define REPORT (1u << 20) /* tokens, or words, between two questions whether to stop */

/* -------------------------------------------------------------------------------------------------------------- side
 */

static void clear_part_side(akin_part_side *side)
{
    akin_ranked_store_clear(&side->store);
    akin_free(side->before);
    *side = (akin_part_side){.sets = NULL};
}

static akin_status make_part_side(const akin_join_job *job, const akin_sets *sets, akin_part_side *out,
                                  akin_error *error)
{
    const akin_ranked *classes = &out->store.ranked;
    out->sets = sets;
    akin_status status = akin_ranked_store_begin(job->scope, job->account, sets, &out->store, error);
    if (status != AKIN_OK)
        return status;
    out->before = akin_alloc(job->account, (uint64_t)classes->classes + 1, sizeof *out->before);
    if (!out->before)
        return akin_fail_memory(error, "the sizes of the sets");
    out->before[0] = 0;
    for (uint32_t c = 0; c < classes->classes; c++)
        out->before[c + 1] =
            out->before[c] + (uint64_t)(classes->class_first[c + 1] - classes->class_first[c]) * classes->class_size[c];
    return AKIN_OK;
}

static akin_piece_range range_of(const akin_part_side *side)
{
    return (akin_piece_range){&side->store.ranked, side->before, 0, side->store.ranked.count};
}

akin_piece akin_part_sides_whole(const akin_part_sides *sides)
{
    const int is_self = !sides->side[1].sets;
    return (akin_piece){range_of(&sides->side[0]), range_of(&sides->side[is_self ? 0 : 1]), is_self};
}

const akin_sets *akin_part_sides_sets(const akin_part_sides *sides, const akin_piece_range *range)
{
    return sides->side[range->side == &sides->side[1].store.ranked].sets;
}

/* ---------------------------------------------------------------------------------------------------------- counting
 */

/* Marks the tokens of a side in a bitmap. */
static akin_status mark_side_tokens(const akin_scope *scope, const akin_sets *sets, uint64_t *bits)
{
    uint64_t total = sets->offsets[sets->rows];
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < total && status == AKIN_OK; i++) {
        uint32_t token = sets->tokens[i];
        bits[token >> 6] |= UINT64_C(1) << (token & 63);
        if (i % REPORT == 0)
            status = akin_scope_report(scope, "counting", i, total);
    }
    return status;
}

/* Counts the distinct tokens of both sides in a bitmap, which need not be in memory. */
static akin_status count_in_bitmap(const akin_join_job *job, akin_part_sides *sides, akin_error *error)
{
    static const char what[] = "counting the tokens";
    const akin_scope *scope = job->scope;
    akin_bulk seen = akin_bulk_of(scope, job->account, akin_budget(scope, AKIN_BUDGET_PART_TOKENS));
    uint64_t words = akin_ceil_div(sides->bound, 64);
    akin_status status = akin_bulk_reserve(&seen, words * sizeof(uint64_t), what, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *bits = seen.data;
    if (!seen.mapped)
        memset(bits, 0, words * sizeof *bits);
    for (int s = 0; s < 2 && sides->side[s].sets && status == AKIN_OK; s++)
        status = mark_side_tokens(scope, sides->side[s].sets, bits);
    sides->universe = 0;
    for (uint64_t w = 0; w < words && status == AKIN_OK; w++) {
        sides->universe += akin_popcount64(bits[w]);
        if (w % REPORT == 0)
            status = akin_scope_report(scope, NULL, 0, 0);
    }
    akin_bulk_clear(&seen);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* ----------------------------------------------------------------------------------------------------------- ranking
 */

static void set_in_job(akin_part_sides *sides, akin_join_job *job)
{
    job->probes = &sides->side[0].store.ranked;
    job->indexed = &sides->side[sides->side[1].sets ? 1 : 0].store.ranked;
}

/* Whether all ranked sets stay on the heap, and are joined there whole. */
static int may_stay(const akin_join_job *job, const akin_join_options *options, akin_part_sides *sides)
{
    akin_join_job whole = *job;
    set_in_job(sides, &whole);
    for (int s = 0; s < 2; s++)
        sides->side[s].store.ranked.universe = sides->universe;
    whole.room = (double)akin_budget_left(job->account, 0, AKIN_LEFT_ALL);
    return akin_part_ranked_bytes(&whole, options) <= whole.room;
}

/* Ranks the sides by a ranking that has counted their tokens. */
static akin_status fill_sides(const akin_join_job *job, const akin_join_options *options, akin_part_sides *sides,
                              akin_bounded_ranking *ranking, akin_error *error)
{
    const uint64_t wish = akin_wishes_of(job->scope)->part_tokens;
    uint64_t tokens = 0;
    akin_status status = akin_ranking_number(job->scope, &ranking->ranking, error);
    for (int s = 0; s < 2 && sides->side[s].sets; s++)
        tokens += sides->side[s].sets->offsets[sides->side[s].sets->rows];
    const int stay = wish ? tokens <= wish : may_stay(job, options, sides);
    for (int s = 0; s < 2 && sides->side[s].sets && status == AKIN_OK; s++)
        status = akin_ranked_store_fill(job->scope, job->account, &ranking->ranking, sides->side[s].sets, wish, stay,
                                        &sides->side[s].store, error);
    return status;
}

/* Counts the distinct tokens of both sides, and ranks the sides if there is room for their counts, and for the largest
 * set while it is ranked. */
static akin_status rank_sides(const akin_join_job *job, const akin_join_options *options, akin_part_sides *sides,
                              akin_error *error)
{
    const uint64_t refusals = job->account->refused;
    akin_bounded_ranking ranking;
    akin_status status =
        akin_bounded_ranking_count(job->scope, job->account, sides->side[0].sets, sides->side[1].sets, &ranking, error);
    const int counted = status == AKIN_OK;
    sides->bound = ranking.ranking.bound;
    sides->universe = counted ? ranking.ranking.universe : 0;
    if (counted && akin_wishes_of(job->scope)->parts_anew <= 0) {
        status = fill_sides(job, options, sides, &ranking, error);
        sides->are_ranked = status == AKIN_OK;
    }
    akin_bounded_ranking_clear(&ranking);
    if (!akin_account_is_short(job->account, status, refusals))
        return status;
    status = counted ? AKIN_OK : count_in_bitmap(job, sides, error);
    for (int s = 0; s < 2 && sides->side[s].sets && status == AKIN_OK; s++) {
        const akin_sets *sets = sides->side[s].sets;
        clear_part_side(&sides->side[s]);
        status = make_part_side(job, sets, &sides->side[s], error);
    }
    return status;
}

akin_status akin_part_sides_make(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                                 const akin_join_options *options, akin_part_sides *out, akin_error *error)
{
    *out = (akin_part_sides){.bound = 0};
    akin_status status = make_part_side(job, left, &out->side[0], error);
    if (status == AKIN_OK && right)
        status = make_part_side(job, right, &out->side[1], error);
    if (status == AKIN_OK)
        status = rank_sides(job, options, out, error);
    set_in_job(out, job);
    return status;
}

void akin_part_sides_clear(akin_part_sides *sides)
{
    clear_part_side(&sides->side[0]);
    clear_part_side(&sides->side[1]);
}
