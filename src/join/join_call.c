/* A join as a caller asks for it: its pairs are foreseen and limited, and it begins again where memory is short. */
#include "base/ceiling.h"
#include "base/foreseen.h"
#include "base/options.h"
#include "base/pair_limit.h"
#include "join/join.h"
#include "sets/sets.h"

#include <string.h>

#define FORESEEN_TOKENS 400000 /* of the sets that are drawn, about: some milliseconds of work */

/* The sets of a sample: fewer than were to be drawn where they are large. */
static akin_sets *draw_sets(const akin_sets *sets, akin_foreseen *foreseen, int side)
{
    uint64_t *offsets = akin_alloc(NULL, foreseen->drawn[side] + (uint64_t)1, sizeof *offsets);
    uint32_t *tokens = NULL, i;
    uint64_t room = 0;
    akin_sets *drawn = NULL;
    const double mean = (double)sets->offsets[sets->rows] / foreseen->rows[side];
    foreseen->drawn[side] = (uint32_t)akin_min_u64(foreseen->drawn[side], (uint64_t)(FORESEEN_TOKENS / (mean + 1)) + 2);
    for (i = 0; offsets && i < foreseen->drawn[side]; i++) {
        const uint32_t *row;
        const uint32_t size = akin_sets_row(sets, akin_foreseen_row(foreseen, side, i), &row);
        offsets[0] = 0;
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
    uint64_t count = 0;
    if (akin_options_read(options, &given, sizeof given, sizeof given, "", NULL) != AKIN_OK || given.top > 0 ||
        given.connecting ||
        !akin_foreseen_begin(scope, akin_sets_rows(left), right ? akin_sets_rows(right) : 0, &foreseen))
        return;
    akin_scope alone = akin_scope_narrow(scope, (akin_narrowing){.on_cpu = 1, .reporter = &(akin_reporter){0}});
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
