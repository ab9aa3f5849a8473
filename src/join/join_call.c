/* A join as a caller asks for it (base/pairs_call.h). */
#include "base/foreseen.h"
#include "base/options.h"
#include "base/pairs_call.h"
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

void akin_join_foresee(const akin_scope *scope, const akin_sets *left, const akin_sets *right,
                       const akin_join_options *options, akin_foreseen_use use)
{
    const akin_sets *const sides[] = {left, right};
    akin_foreseen foreseen;
    akin_join_options given = AKIN_JOIN_OPTIONS_INIT, how = AKIN_JOIN_OPTIONS_INIT;
    akin_reporter reporter;
    uint64_t count = 0;
    if (akin_options_read(options, &given, sizeof given, sizeof given, "", NULL) != AKIN_OK || given.top > 0 ||
        given.connecting || !akin_foreseen_begin(scope, !right, left->rows, right ? right->rows : 0, &foreseen))
        return;
    for (int s = 0; s < 2 && sides[s]; s++)
        akin_foreseen_limit(&foreseen, s, sides[s]->offsets[sides[s]->rows]);
    const akin_scope alone = akin_foreseen_scope(scope, &reporter);
    akin_sets *drawn[] = {draw_sets(left, &foreseen, 0), right ? draw_sets(right, &foreseen, 1) : NULL};
    how.measure = given.measure;
    how.threshold = given.threshold;
    if (drawn[0] && (drawn[1] || !right) &&
        akin_join_within(&alone, drawn[0], drawn[1], &how, NULL, NULL, &count, NULL, NULL) == AKIN_OK)
        akin_foreseen_note(scope, &foreseen, use, count);
    akin_sets_free(drawn[0]);
    akin_sets_free(drawn[1]);
}

/* What akin_join is called with. */
typedef struct join_call {
    const akin_sets *left, *right;
    const akin_join_options *options;
    uint64_t *count;
    akin_join_report **report;
} join_call;

static void foresee_joined(const void *user, const akin_scope *scope)
{
    const join_call *c = user;
    akin_join_foresee(scope, c->left, c->right, c->options, AKIN_FORESEEN_WRITTEN);
}

static akin_status run_joined(const void *user, const akin_scope *scope, akin_pair_limit *limit, akin_error *error)
{
    const join_call *c = user;
    return akin_join_within(scope, c->left, c->right, c->options, limit->sink ? akin_pair_limit_sink : NULL, limit,
                            c->count, c->report, error);
}

akin_status akin_join(akin_context *context, const akin_sets *left, const akin_sets *right,
                      const akin_join_options *options, akin_pair_sink sink, void *sink_user, uint64_t *count,
                      akin_join_report **report, akin_error *error)
{
    const join_call c = {left, right, options, count, report};
    const akin_pairs_call call = {foresee_joined, run_joined, &c};
    return akin_pairs_call_make(&call, akin_scope_of(context), sink, sink_user, error);
}
