/* A join of strings as a caller asks for it (base/pairs_call.h). */
#include "base/foreseen.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/pairs_call.h"
#include "match/match.h"
#include "strings/alphabet.h"

#include <string.h>

/* The strings of a sample. */
typedef struct drawn_strings {
    akin_column column;
    uint64_t *offsets;
    char *bytes;
    uint8_t *validity;
} drawn_strings;

static void clear_drawn(drawn_strings *drawn)
{
    akin_free(drawn->offsets);
    akin_free(drawn->bytes);
    akin_free(drawn->validity);
}

/* Draws the strings of a side; 0: memory is short. */
static int draw_strings(const akin_column *column, const akin_foreseen *foreseen, int side, drawn_strings *out)
{
    const uint32_t count = foreseen->drawn[side];
    uint64_t room = 0;
    *out = (drawn_strings){.column = AKIN_COLUMN_INIT};
    out->offsets = akin_alloc_zero(NULL, count + (uint64_t)1, sizeof *out->offsets);
    out->validity = akin_alloc_zero(NULL, count / 8 + (uint64_t)1, 1);
    out->bytes = akin_enlarge(NULL, NULL, &room, 1, 1);
    if (!out->offsets || !out->validity || !out->bytes)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = akin_foreseen_row(foreseen, side, i);
        const uint64_t begin = column->offsets[row], length = column->offsets[row + (uint64_t)1] - begin;
        char *larger = akin_enlarge(NULL, out->bytes, &room, out->offsets[i] + length, 1);
        if (!larger)
            return 0;
        out->bytes = larger;
        if (length > 0)
            memcpy(larger + out->offsets[i], column->bytes + begin, length);
        out->offsets[i + 1] = out->offsets[i] + length;
        const int is_valid = !column->validity || (column->validity[row / 8] >> row % 8 & 1);
        out->validity[i / 8] |= (uint8_t)(is_valid << i % 8);
        out->column.nulls += !is_valid;
    }
    out->column.offsets = out->offsets;
    out->column.bytes = out->bytes;
    out->column.validity = out->validity;
    return 1;
}

/* What akin_match is called with. */
typedef struct match_call {
    akin_match_strings both;
    const akin_match_options *options;
    uint64_t *count;
    akin_match_report *report;
} match_call;

static int are_checked(const akin_match_strings *both)
{
    return both->left && akin_column_check(both->left, "left", NULL) == AKIN_OK &&
           (!both->right || akin_column_check(both->right, "right", NULL) == AKIN_OK);
}

static void foresee_matched(const void *user, const akin_scope *scope)
{
    const match_call *c = user;
    const akin_column *const sides[] = {c->both.left, c->both.right};
    const uint32_t rows[] = {c->both.rows_left, c->both.rows_right};
    akin_foreseen foreseen;
    akin_match_options how = AKIN_MATCH_OPTIONS_INIT;
    akin_pair_limit none;
    akin_reporter reporter;
    uint64_t count = 0;
    if (akin_options_read(c->options, &how, sizeof how, sizeof how, "akin_match_options", NULL) != AKIN_OK ||
        how.top > 0 || how.connecting || !are_checked(&c->both) ||
        !akin_foreseen_begin(scope, !c->both.right, rows[0], rows[1], &foreseen))
        return;
    for (int s = 0; s < 2 && sides[s]; s++)
        akin_foreseen_limit(&foreseen, s, sides[s]->offsets[rows[s]] - sides[s]->offsets[0]);
    const akin_scope alone = akin_foreseen_scope(scope, &reporter);
    drawn_strings drawn[2] = {{.offsets = NULL}, {.offsets = NULL}};
    const akin_match_strings few = {&drawn[0].column, c->both.right ? &drawn[1].column : NULL, foreseen.drawn[0],
                                    foreseen.drawn[1]};
    how.technique = AKIN_MATCH_AUTO;
    akin_pair_limit_begin(&none, &alone, NULL, NULL, NULL);
    if (draw_strings(c->both.left, &foreseen, 0, &drawn[0]) &&
        (!c->both.right || draw_strings(c->both.right, &foreseen, 1, &drawn[1])) &&
        akin_match_within(&alone, &few, &how, &none, &count, NULL, NULL) == AKIN_OK)
        akin_foreseen_note(scope, &foreseen, AKIN_FORESEEN_WRITTEN, count);
    clear_drawn(&drawn[0]);
    clear_drawn(&drawn[1]);
}

static akin_status run_matched(const void *user, const akin_scope *scope, akin_pair_limit *limit, akin_error *error)
{
    const match_call *c = user;
    return akin_match_within(scope, &c->both, c->options, limit, c->count, c->report, error);
}

akin_status akin_match(akin_context *context, const akin_column *left, uint32_t rows_left, const akin_column *right,
                       uint32_t rows_right, const akin_match_options *options, akin_pair_sink sink, void *sink_user,
                       uint64_t *count, akin_match_report *report, akin_error *error)
{
    const match_call c = {{left, right, rows_left, rows_right}, options, count, report};
    const akin_pairs_call call = {foresee_matched, run_matched, &c};
    return akin_pairs_call_make(&call, akin_scope_of(context), sink, sink_user, error);
}
