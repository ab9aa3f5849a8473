/* Evaluation: how many of the pairs that were found are right, and how many of the right ones were found; and how good
 * their clusters are. */
#include "base/grouped.h"
#include "base/options.h"
#include "base/budget.h"
#include "dict/dictionary.h"
#include "evaluate/agreement.h"
#include "strings/alphabet.h"

#include <stdio.h>
#include <string.h>

#define REPORT 65536u /* rows after which the caller is asked */

AKIN_OPTIONS_END(akin_evaluate_options, record_rows);
AKIN_OPTIONS_END(akin_cluster_evaluation, bcubed_high);

static const char *const names[2] = {"left", "right"};

/* Pairs as they are given. */
typedef struct source {
    const char *what; /* for messages */
    const akin_column *columns;
    const akin_column *sides[2]; /* the two of them: the caller's struct may be longer than ours */
    const double *similarities;  /* NULL: all reach every threshold */
    uint32_t rows;
} source;

typedef struct evaluation {
    const akin_scope *scope;
    akin_account account;
    akin_evaluate_options options;
    akin_dictionary *ids[2]; /* of the left and of the right side; the same unless linked */
    akin_tally tally;
    akin_cluster_evaluation *clusters; /* NULL: pairs alone are evaluated */
    uint32_t known[2];                 /* ids of the pairs; 0 until all of them are numbered */
    uint64_t shared[2];                /* ids of gold pairs that the pairs have, too */
} evaluation;

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* Whether a column of rows can be what it says. */
static akin_status check_column(const source *from, int side, akin_error *error)
{
    const akin_column *column = from->sides[side];
    akin_status status = column ? akin_column_check(column, names[side], error) : AKIN_OK;
    if (status == AKIN_OK && (!column || !column->offsets)) {
        akin_fail(error, AKIN_E_OPTION, "the %s have %u rows and no %s column", from->what, from->rows, names[side]);
        return AKIN_E_OPTION; /* said here so that an analyser sees it */
    }
    return status;
}

/* The number of the id in a row of one of the two columns. */
static akin_status number_id(evaluation *e, const source *from, int side, uint32_t row, uint32_t *id, akin_error *error)
{
    const akin_column *column = from->sides[side];
    const char *label = column->name ? column->name : names[side];
    uint64_t begin = column->offsets[row], end = column->offsets[row + 1];
    if (end < begin)
        return akin_fail_row(error, AKIN_E_OPTION, AKIN_REASON_NONE, row, label,
                             " of the %s, %s column: its offset is above the next one", from->what, names[side]);
    if (begin == end || (column->validity && !(column->validity[row / 8] >> row % 8 & 1)))
        return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, row, label, " of the %s has no %s id",
                             from->what, names[side]);
    akin_status status = akin_dictionary_add(e->ids[side], column->bytes + begin, (size_t)(end - begin), id, error);
    e->shared[side] += status == AKIN_OK && *id < e->known[side];
    return status;
}

/* Lists the pairs of all rows. */
static akin_status list_pairs(evaluation *e, const source *from, akin_pair_keys *out, akin_error *error)
{
    out->keys = akin_alloc(&e->account, from->rows, sizeof *out->keys);
    if (!out->keys)
        return akin_fail_memory(error, "the pairs to evaluate");
    for (uint32_t row = 0; row < from->rows; row++) {
        uint32_t left = 0, right = 0, step = 1;
        if (from->similarities)
            step = akin_step_of(from->similarities[row]);
        if (row % REPORT == 0 && akin_scope_report(e->scope, "numbering", row, from->rows) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        akin_status status = number_id(e, from, 0, row, &left, error);
        if (status == AKIN_OK)
            status = number_id(e, from, 1, row, &right, error);
        if (status != AKIN_OK)
            return status;
        akin_tally_add(&e->tally, out, left, right, step);
    }
    return AKIN_OK;
}

/* Numbers the ids of the records that the options have on a side. */
static akin_status number_records(evaluation *e, int side, akin_error *error)
{
    source from = {.what = "records", .rows = e->options.record_rows[side]};
    akin_status status = AKIN_OK;
    uint32_t id;
    from.sides[side] = e->options.records[side];
    if (from.rows > 0)
        status = check_column(&from, side, error);
    for (uint32_t row = 0; row < from.rows && status == AKIN_OK; row++) {
        if (row % REPORT == 0 && akin_scope_report(e->scope, "numbering", row, from.rows) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        status = number_id(e, &from, side, row, &id, error);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------------- relation */

#define EXAMPLE 40 /* bytes of an id that a message shows */

/* Appends an id in quotes; a carriage return, which would not be seen, as \r. */
static size_t show_id(const akin_column *column, uint32_t row, char *text, size_t room)
{
    const char *id = column->bytes + column->offsets[row];
    size_t bytes = (size_t)akin_min_u64(column->offsets[row + UINT64_C(1)] - column->offsets[row], EXAMPLE);
    while (bytes == EXAMPLE && bytes > 0 && ((unsigned char)id[bytes] & 0xc0) == 0x80)
        bytes--;
    const int returns = bytes > 0 && id[bytes - 1] == '\r';
    return (size_t)snprintf(text, room, "'%.*s%s'", (int)bytes - returns, id, returns ? "\\r" : "");
}

/* Writes the first id of a side and the last one: "'a1', 'a7'". */
static void show_ids(const source *from, int side, char text[2 * EXAMPLE + 16])
{
    const size_t room = 2 * EXAMPLE + 16;
    size_t length = show_id(from->sides[side], 0, text, room);
    if (from->rows > 1) {
        length += (size_t)snprintf(text + length, room - length, ", ");
        show_id(from->sides[side], from->rows - 1, text + length, room - length);
    }
}

/* Whether a side of the gold pairs has ids of the pairs' other side. */
static int is_of_other_side(const evaluation *e, const source *gold, int side)
{
    const akin_column *column = gold->sides[side];
    for (uint32_t row = 0; row < gold->rows; row++) {
        const size_t bytes = (size_t)(column->offsets[row + UINT64_C(1)] - column->offsets[row]);
        uint32_t id;
        if (akin_dictionary_find(e->ids[!side], column->bytes + column->offsets[row], bytes, &id) &&
            id < e->known[!side])
            return 1;
    }
    return 0;
}

/* Refuses gold pairs whose ids are not those of the pairs, if the options say so. */
static akin_status check_relation(const evaluation *e, const source *pairs, const source *gold, akin_error *error)
{
    char ours[2 * EXAMPLE + 16], theirs[2 * EXAMPLE + 16];
    const int linked = e->options.linked != 0;
    if (!e->options.related || pairs->rows == 0 || gold->rows == 0)
        return AKIN_OK;
    const int side = linked && e->shared[0] > 0;
    if (linked ? e->shared[side] > 0 : e->shared[0] + e->shared[1] > 0)
        return AKIN_OK;
    show_ids(pairs, side, ours);
    show_ids(gold, side, theirs);
    const char *which = !linked ? "" : side ? "right " : "left ";
    const int swapped =
        linked && e->shared[0] + e->shared[1] == 0 && is_of_other_side(e, gold, 0) && is_of_other_side(e, gold, 1);
    return akin_fail(
        error, AKIN_E_INPUT,
        "the pairs and the gold pairs have no %sid in common: %sids of the pairs are like %s, those of the gold "
        "pairs like %s%s",
        which, which, ours, theirs, swapped ? "; left and right of the gold pairs are swapped" : "");
}

/* -------------------------------------------------------------------------------------------------------------- all */

/* Whether the columns can be what they say, if there are rows. */
static akin_status check_source(source *from, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && from->rows > 0 && status == AKIN_OK; side++) {
        from->sides[side] = from->columns;
        if (from->columns && side == 1)
            from->sides[side] = (const akin_column *)(const void *)((const char *)from->columns + from->columns->size);
        status = check_column(from, side, error);
    }
    return status;
}

static akin_status begin_evaluation(evaluation *e, const akin_scope *scope, const akin_evaluate_options *options,
                                    akin_error *error)
{
    e->scope = scope;
    e->account.limit = akin_budget_job(scope);
    e->options = (akin_evaluate_options)AKIN_EVALUATE_OPTIONS_INIT;
    akin_status status =
        akin_options_read(options, &e->options, sizeof e->options, sizeof e->options, "akin_evaluate_options", error);
    if (status == AKIN_OK && e->clusters && e->options.bootstrap > 0 && e->options.bootstrap < AKIN_BOOTSTRAP_LEAST)
        return akin_fail(error, AKIN_E_OPTION, "bootstrap is %u; expected 0, or %d at least", e->options.bootstrap,
                         AKIN_BOOTSTRAP_LEAST);
    if (status == AKIN_OK)
        status = akin_dictionary_create_within(scope, &e->ids[0], error);
    if (status == AKIN_OK && e->options.linked)
        return akin_dictionary_create_within(scope, &e->ids[1], error);
    e->ids[1] = e->ids[0];
    return status;
}

static void end_evaluation(evaluation *e)
{
    if (e->ids[1] != e->ids[0])
        akin_dictionary_free(e->ids[1]);
    akin_dictionary_free(e->ids[0]);
    akin_free(e->tally.pairs.keys);
    akin_free(e->tally.gold.keys);
}

/* Counts numbered pairs, and where this is wanted evaluates their clusters. */
static akin_status count_all(evaluation *e, akin_evaluation *out, akin_error *error)
{
    const akin_drawing drawing = {e->options.bootstrap, e->options.seed};
    akin_tally *tally = &e->tally;
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && status == AKIN_OK && e->clusters; side++)
        status = number_records(e, side, error);
    tally->lefts = akin_dictionary_count(e->ids[0]);
    tally->rights = akin_dictionary_count(e->ids[1]);
    if (status == AKIN_OK)
        status = akin_tally_count(tally, out, error);
    if (status == AKIN_OK && e->clusters)
        status = akin_agreement_count(tally, &drawing, e->clusters, error);
    return status;
}

/* Evaluates pairs whose columns have been checked; `clusters` NULL: pairs alone. */
static akin_status evaluate_sides(const akin_scope *scope, const source *pairs, const source *gold, uint32_t points,
                                  const akin_evaluate_options *options, akin_evaluation *out,
                                  akin_cluster_evaluation *clusters, akin_error *error)
{
    evaluation e = {.clusters = clusters};
    akin_tally *tally = &e.tally;
    akin_status status = begin_evaluation(&e, scope, options, error);
    *tally = (akin_tally){.scope = scope,
                          .account = &e.account,
                          .linked = e.options.linked != 0,
                          .closed = e.options.closed != 0,
                          .points = points};
    if (status == AKIN_OK)
        status = list_pairs(&e, pairs, &tally->pairs, error);
    for (int side = 0; side < 2 && status == AKIN_OK; side++)
        e.known[side] = akin_dictionary_count(e.ids[side]);
    if (status == AKIN_OK)
        status = list_pairs(&e, gold, &tally->gold, error);
    if (status == AKIN_OK)
        status = check_relation(&e, pairs, gold, error);
    if (status == AKIN_OK)
        status = count_all(&e, out, error);
    end_evaluation(&e);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ swaps */

#define FAR_MORE 10 /* times as many pairs agree after a swap: left and right of the gold pairs are swapped */

/* How many linked pairs agree after a swap of left and right of the gold pairs; 0 if they cannot be far more. */
static akin_status count_swapped(const akin_scope *scope, const source *pairs, const source *gold,
                                 const akin_evaluate_options *how, const akin_evaluation *found, uint64_t *count,
                                 akin_error *error)
{
    source swapped = *gold;
    akin_evaluate_options options = *how;
    akin_evaluation other = {0};
    akin_status status = AKIN_OK;
    options.related = 0;
    swapped.sides[0] = gold->sides[1];
    swapped.sides[1] = gold->sides[0];
    if (how->linked && pairs->rows > 0 && found->gold >= FAR_MORE * found->both)
        status = evaluate_sides(scope, pairs, &swapped, 1, &options, &other, NULL, error);
    *count = other.both >= FAR_MORE * found->both ? other.both : 0;
    return status;
}

static void say_swapped(const akin_evaluation *found, uint64_t swapped, char *text, size_t room)
{
    char a[AKIN_GROUPED], b[AKIN_GROUPED], c[AKIN_GROUPED];
    snprintf(text, room,
             "left and right of the gold pairs seem swapped: %s of %s gold pairs are found, and %s after a swap",
             akin_grouped(a, found->both), akin_grouped(b, found->gold), akin_grouped(c, swapped));
}

/* Refuses gold pairs that many more of the linked pairs agree with after a swap, if the options say so. */
static akin_status check_sides(const akin_scope *scope, const source *pairs, const source *gold,
                               const akin_evaluate_options *options, const akin_evaluation *found, akin_error *error)
{
    akin_evaluate_options how = AKIN_EVALUATE_OPTIONS_INIT;
    uint64_t swapped = 0;
    char text[200];
    akin_status status = akin_options_read(options, &how, sizeof how, sizeof how, "akin_evaluate_options", error);
    if (status == AKIN_OK && how.related)
        status = count_swapped(scope, pairs, gold, &how, found, &swapped, error);
    if (status != AKIN_OK || swapped < FAR_MORE)
        return status;
    say_swapped(found, swapped, text, sizeof text);
    return akin_fail(error, AKIN_E_INPUT, "%s", text);
}

static akin_status evaluate_pairs(const akin_scope *scope, source *pairs, source *gold, uint32_t points,
                                  const akin_evaluate_options *options, akin_evaluation *out,
                                  akin_cluster_evaluation *clusters, akin_error *error)
{
    akin_evaluation found[AKIN_CURVE_POINTS];
    akin_status status = check_source(pairs, error);
    if (status == AKIN_OK)
        status = check_source(gold, error);
    if (status == AKIN_OK)
        status = evaluate_sides(scope, pairs, gold, points, options, found, clusters, error);
    if (status == AKIN_OK)
        status = check_sides(scope, pairs, gold, options, &found[0], error);
    if (status == AKIN_OK)
        memcpy(out, found, points * sizeof *out);
    return status;
}

akin_status akin_evaluate(akin_context *context, const akin_column *pairs, uint32_t pair_rows, const akin_column *gold,
                          uint32_t gold_rows, const akin_evaluate_options *options, akin_evaluation *out,
                          akin_error *error)
{
    source found = {.what = "pairs", .columns = pairs, .rows = pair_rows};
    source right = {.what = "gold pairs", .columns = gold, .rows = gold_rows};
    return evaluate_pairs(akin_scope_of(context), &found, &right, 1, options, out, NULL, error);
}

akin_status akin_evaluate_curve(akin_context *context, const akin_column *pairs, const double *similarities,
                                uint32_t pair_rows, const akin_column *gold, uint32_t gold_rows,
                                const akin_evaluate_options *options, akin_evaluation *out, akin_error *error)
{
    source found = {.what = "pairs", .columns = pairs, .similarities = similarities, .rows = pair_rows};
    source right = {.what = "gold pairs", .columns = gold, .rows = gold_rows};
    if (!similarities && pair_rows > 0)
        return akin_fail(error, AKIN_E_OPTION, "the pairs have %u rows and no similarities", pair_rows);
    return evaluate_pairs(akin_scope_of(context), &found, &right, AKIN_CURVE_POINTS, options, out, NULL, error);
}

akin_status akin_evaluate_clusters(akin_context *context, const akin_column *pairs, uint32_t pair_rows,
                                   const akin_column *gold, uint32_t gold_rows, const akin_evaluate_options *options,
                                   akin_cluster_evaluation *out, akin_error *error)
{
    source found = {.what = "pairs", .columns = pairs, .rows = pair_rows};
    source right = {.what = "gold pairs", .columns = gold, .rows = gold_rows};
    akin_cluster_evaluation made = {.size = sizeof made};
    akin_status status = akin_options_check(out, sizeof made, "akin_cluster_evaluation", error);
    if (status == AKIN_OK)
        status = evaluate_pairs(akin_scope_of(context), &found, &right, 1, options, &made.pairs, &made, error);
    return status == AKIN_OK ? akin_options_write(&made, sizeof made, out, "akin_cluster_evaluation", error) : status;
}

/* --------------------------------------------------------------------------------------------------------- warnings */

/* How many pairs are of an id with itself. */
static uint64_t count_equal(const source *from)
{
    const akin_column *left = from->sides[0], *right = from->sides[1];
    uint64_t count = 0;
    for (uint32_t row = 0; row < from->rows; row++) {
        const uint64_t bytes = left->offsets[row + UINT64_C(1)] - left->offsets[row];
        count += bytes == right->offsets[row + UINT64_C(1)] - right->offsets[row] &&
                 memcmp(left->bytes + left->offsets[row], right->bytes + right->offsets[row], (size_t)bytes) == 0;
    }
    return count;
}

void akin_evaluate_warn(const akin_column *pairs, uint32_t pair_rows, const akin_column *gold, uint32_t gold_rows,
                        const akin_evaluate_options *options, akin_warning_sink sink, void *user)
{
    source found = {.columns = pairs, .rows = pair_rows}, right = {.columns = gold, .rows = gold_rows};
    akin_evaluate_options how = AKIN_EVALUATE_OPTIONS_INIT;
    if (akin_options_read(options, &how, sizeof how, sizeof how, "akin_evaluate_options", NULL) != AKIN_OK ||
        how.linked || check_source(&found, NULL) != AKIN_OK || check_source(&right, NULL) != AKIN_OK)
        return;
    const uint64_t equal[2] = {count_equal(&found), count_equal(&right)};
    char text[200], a[AKIN_GROUPED], b[AKIN_GROUPED], c[AKIN_GROUPED], d[AKIN_GROUPED];
    if (equal[0] + equal[1] == 0)
        return;
    snprintf(text, sizeof text, "%s of %s pairs and %s of %s gold pairs are of an id with itself, and were left out",
             akin_grouped(a, equal[0]), akin_grouped(b, pair_rows), akin_grouped(c, equal[1]),
             akin_grouped(d, gold_rows));
    sink(user, text);
}

akin_status akin_evaluate_warn_swapped(akin_context *context, const akin_column *pairs, uint32_t pair_rows,
                                       const akin_column *gold, uint32_t gold_rows,
                                       const akin_evaluate_options *options, const akin_evaluation *found,
                                       akin_warning_sink sink, void *user, akin_error *error)
{
    source left = {.what = "pairs", .columns = pairs, .rows = pair_rows};
    source right = {.what = "gold pairs", .columns = gold, .rows = gold_rows};
    akin_evaluate_options how = AKIN_EVALUATE_OPTIONS_INIT;
    uint64_t swapped = 0;
    char text[200];
    akin_status status = akin_options_read(options, &how, sizeof how, sizeof how, "akin_evaluate_options", error);
    if (status == AKIN_OK)
        status = check_source(&left, error);
    if (status == AKIN_OK)
        status = check_source(&right, error);
    if (status == AKIN_OK)
        status = count_swapped(akin_scope_of(context), &left, &right, &how, found, &swapped, error);
    if (status != AKIN_OK || swapped < 2)
        return status;
    say_swapped(found, swapped, text, sizeof text);
    sink(user, text);
    return AKIN_OK;
}

void akin_evaluate_warn_apart(const akin_column *pairs, uint32_t pair_rows, const akin_column *gold, uint32_t gold_rows,
                              const akin_evaluation *found, akin_warning_sink sink, void *user)
{
    source sources[2] = {{.columns = pairs, .rows = pair_rows}, {.columns = gold, .rows = gold_rows}};
    char ids[2][2][EXAMPLE + 8], text[8 * EXAMPLE];
    if (found->both > 0 || found->pairs == 0 || found->gold == 0 || pair_rows == 0 || gold_rows == 0)
        return;
    for (int which = 0; which < 2; which++) {
        if (check_source(&sources[which], NULL) != AKIN_OK)
            return;
        for (int side = 0; side < 2; side++)
            show_id(sources[which].sides[side], 0, ids[which][side], sizeof ids[which][side]);
    }
    snprintf(
        text, sizeof text,
        "the pairs and the gold pairs have no pair in common: the first pair is %s, %s, the first gold pair %s, %s",
        ids[0][0], ids[0][1], ids[1][0], ids[1][1]);
    sink(user, text);
}
