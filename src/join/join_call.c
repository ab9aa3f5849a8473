/* A join as a caller asks for it: its pairs are foreseen and limited, and it begins again where memory is short. */
#include "base/ceiling.h"
#include "base/foreseen.h"
#include "base/options.h"
#include "base/pair_limit.h"
#include "join/join.h"
#include "sets/sets.h"

#include <string.h>

/* The sets of a sample. */
static akin_sets *draw_sets(const akin_sets *sets, const akin_foreseen *foreseen, int side)
{
    uint64_t *offsets = akin_alloc_zero(NULL, foreseen->drawn[side] + (uint64_t)1, sizeof *offsets);
    uint32_t *tokens = NULL, i;
    uint64_t room = 0;
    akin_sets *drawn = NULL;
    for (i = 0; offsets && i < foreseen->drawn[side]; i++) {
        const uint32_t *row;
        const uint32_t size = akin_sets_row(sets, akin_foreseen_row(foreseen, side, i), &row);
        offsets[i + 1] = offsets[i] + size;
        uint32_t *larger = akin_enlarge(NULL, tokens, &room, offsets[i + 1], sizeof *tokens);
        if (!larger)
            break;
        tokens = larger;
        memcpy(tokens + offsets[i], row, size * sizeof *tokens);
    }
    if (offsets && i == foreseen->drawn[side] && akin_sets_adopt(i, offsets, tokens, &drawn, NULL) == AKIN_OK)
        return drawn;
    akin_free(offsets);
    akin_free(tokens);
    return NULL;
}

/* Notes how many pairs a sample foretells. Where memory is short it says nothing: the join finds out. */
static void foresee_pairs(const akin_scope *scope, const akin_sets *left, const akin_sets *right,
                          const akin_join_options *options)
{
    akin_foreseen foreseen;
    akin_join_options given = AKIN_JOIN_OPTIONS_INIT, how = AKIN_JOIN_OPTIONS_INIT;
    akin_reporter reporter;
    uint64_t count = 0;
    if (akin_options_read(options, &given, sizeof given, sizeof given, "", NULL) != AKIN_OK || given.top > 0 ||
        given.connecting || !akin_foreseen_begin(scope, !right, left->rows, right ? right->rows : 0, &foreseen))
        return;
    akin_foreseen_limit(&foreseen, 0, left->offsets[left->rows]);
    if (right)
        akin_foreseen_limit(&foreseen, 1, right->offsets[right->rows]);
    const akin_scope alone = akin_foreseen_scope(scope, &reporter);
    akin_sets *drawn[] = {draw_sets(left, &foreseen, 0), right ? draw_sets(right, &foreseen, 1) : NULL};
    how.measure = given.measure;
    how.threshold = given.threshold;
    if (drawn[0] && (drawn[1] || !right) &&
        akin_join_within(&alone, drawn[0], drawn[1], &how, NULL, NULL, &count, NULL, NULL) == AKIN_OK)
        akin_foreseen_note(scope, &foreseen, count);
    akin_sets_free(drawn[0]);
    akin_sets_free(drawn[1]);
}

akin_status akin_join(akin_context *context, const akin_sets *left, const akin_sets *right,
                      const akin_join_options *options, akin_pair_sink sink, void *sink_user, uint64_t *count,
                      akin_join_report **report, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_pair_sink within = sink ? akin_pair_limit_sink : NULL;
    akin_error own = {.code = AKIN_OK};
    akin_pair_limit limit;
    akin_pair_limit_begin(&limit, scope, sink, NULL, sink_user);
    if (sink)
        foresee_pairs(scope, left, right, options);
    akin_status status = akin_join_within(scope, left, right, options, within, &limit, count, report, &own);
    if (akin_ceiling_is_met(status, &own) && limit.count == 0) {
        const akin_scope bounded = akin_ceiling_bound(scope, &own);
        akin_pair_limit_begin(&limit, scope, sink, NULL, sink_user);
        status = akin_join_within(&bounded, left, right, options, within, &limit, count, report, &own);
    }
    if (status != AKIN_OK)
        akin_fail_again(error, status, &own);
    return akin_pair_limit_end(&limit, status, error);
}
