/* Evaluation: how many of the pairs that were found are right, and how many of the right ones were found. */
#include "base/options.h"
#include "dedupe/closure.h"
#include "strings/alphabet.h"

#define REPORT 65536u /* rows after which the context is asked */

AKIN_OPTIONS_END(akin_evaluate_options, closed);

static const char *const names[2] = {"left", "right"};

/* Pairs as they are given. */
typedef struct source {
    const char *what; /* for messages */
    const akin_column *columns;
    const akin_column *sides[2]; /* the two of them: the caller's struct may be longer than ours */
    const double *similarities;  /* NULL: all reach every threshold */
    uint32_t rows;
} source;

/*
 * Pairs of the numbers of ids, sorted. Where closures are counted, the highest steps come first (akin_stepped), else
 * what is the same pair stands together, the highest step first:
 *
 *     | left (32 bits) | right (32 bits) | AKIN_STEPS - 1 - step (8 bits) |
 */
typedef struct list {
    akin_u128 *keys;
    uint64_t count;
} list;

typedef struct evaluation {
    akin_context *context;
    akin_account account;
    akin_evaluate_options options;
    uint32_t points;         /* thresholds */
    akin_dictionary *ids[2]; /* of the left and of the right side; the same unless linked */
    list pairs, gold;
    uint64_t found[AKIN_STEPS]; /* pairs by step, */
    uint64_t both[AKIN_STEPS];  /* and those of them that are in gold */
    uint64_t golds;
} evaluation;

/* ------------------------------------------------------------------------------------------------------------- pairs */

/* How many of the thresholds 0, 0.01, ... 1 a similarity reaches. */
static uint32_t step_of(double similarity)
{
    if (!(similarity >= 0)) /* NAN, too */
        return 0;
    if (similarity >= 1)
        return AKIN_STEPS - 1;
    uint32_t k = (uint32_t)(similarity * 100);
    while (k > 0 && similarity < k / 100.0) /* the product was rounded, and so is the quotient */
        k--;
    while (similarity >= (k + 1) / 100.0)
        k++;
    return k + 1;
}

/* The number of the id in a row of one of the two columns. */
static akin_status number_id(evaluation *e, const source *from, int side, uint32_t row, uint32_t *id, akin_error *error)
{
    const akin_column *column = from->sides[side];
    uint64_t begin = column->offsets[row], end = column->offsets[row + 1];
    if (end < begin)
        return akin_fail(error, AKIN_E_OPTION, "row %u of the %s, %s column: its offset is above the next one", row,
                         from->what, names[side]);
    if (begin == end || (column->validity && !(column->validity[row / 8] >> row % 8 & 1)))
        return akin_fail(error, AKIN_E_INPUT, "row %u of the %s has no %s id", row, from->what, names[side]);
    return akin_dictionary_add(e->ids[side], column->bytes + begin, (size_t)(end - begin), id, error);
}

static akin_u128 key_of(const evaluation *e, uint32_t left, uint32_t right, uint32_t step)
{
    akin_u128 late = AKIN_STEPS - 1 - step, nodes = akin_nodes(left, right);
    return e->options.closed ? late << 64 | nodes : nodes << 8 | late;
}

/* Lists the pairs of all rows; of an id with itself only where those are two things. */
static akin_status list_pairs(evaluation *e, const source *from, list *out, akin_error *error)
{
    int linked = e->options.linked != 0;
    out->keys = akin_alloc(&e->account, from->rows, sizeof *out->keys);
    if (!out->keys)
        return akin_fail_memory(error, "the pairs to evaluate");
    for (uint32_t row = 0; row < from->rows; row++) {
        uint32_t left = 0, right = 0, step = from->similarities ? step_of(from->similarities[row]) : 1;
        if (row % REPORT == 0 && akin_context_report(e->context, "numbering", row, from->rows) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        akin_status status = number_id(e, from, 0, row, &left, error);
        if (status == AKIN_OK)
            status = number_id(e, from, 1, row, &right, error);
        if (status != AKIN_OK)
            return status;
        if (!linked && left == right)
            continue;
        if (!linked && left > right)
            out->keys[out->count++] = key_of(e, right, left, step);
        else
            out->keys[out->count++] = key_of(e, left, right, step);
    }
    akin_sort_u128(out->keys, (size_t)out->count);
    return AKIN_OK;
}

/* Drops pairs that are there again: the first one has the highest step. */
static void drop_repeated(list *pairs)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < pairs->count; i++)
        if (i == 0 || pairs->keys[i] >> 8 != pairs->keys[i - 1] >> 8)
            pairs->keys[kept++] = pairs->keys[i];
    pairs->count = kept;
}

static void count_pairs(evaluation *e)
{
    const list *gold = &e->gold;
    uint64_t at = 0;
    drop_repeated(&e->pairs);
    drop_repeated(&e->gold);
    e->golds = gold->count;
    for (uint64_t i = 0; i < e->pairs.count; i++) {
        akin_u128 nodes = e->pairs.keys[i] >> 8;
        uint32_t step = AKIN_STEPS - 1 - (uint32_t)(e->pairs.keys[i] & 255);
        while (at < gold->count && gold->keys[at] >> 8 < nodes)
            at++;
        e->found[step]++;
        e->both[step] += at < gold->count && gold->keys[at] >> 8 == nodes;
    }
}

/* ---------------------------------------------------------------------------------------------------------- closures */

/* The clusters of gold, of all ids that there are. */
static akin_status cluster_gold(const evaluation *e, akin_clusters *clusters, akin_error *error)
{
    for (uint64_t i = 0; i < e->gold.count; i++) {
        uint64_t nodes = (uint64_t)e->gold.keys[i];
        akin_pair pair = {.left = (uint32_t)(nodes >> 32), .right = (uint32_t)nodes};
        akin_status status = akin_clusters_add(clusters, &pair, 1, error);
        if (status != AKIN_OK)
            return status;
    }
    akin_clusters_finish(clusters);
    return AKIN_OK;
}

static akin_status count_closures(evaluation *e, akin_error *error)
{
    uint32_t lefts = akin_dictionary_count(e->ids[0]), rights = akin_dictionary_count(e->ids[1]);
    int linked = e->options.linked != 0;
    akin_clusters *gold = NULL;
    akin_status status = akin_clusters_create(e->context, lefts, linked ? rights : 0, &gold, error);
    if (status == AKIN_OK)
        status = cluster_gold(e, gold, error);
    if (status == AKIN_OK) {
        const akin_closure closure = {.context = e->context,
                                      .account = &e->account,
                                      .pairs = e->pairs.keys,
                                      .count = e->pairs.count,
                                      .gold = gold,
                                      .lefts = linked ? lefts : 0,
                                      .linked = linked};
        status = akin_closure_count(&closure, e->found, e->both, &e->golds, error);
    }
    akin_clusters_free(gold);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ all */

static double quotient(uint64_t count, uint64_t of)
{
    return of == 0 ? 0 : (double)count / (double)of;
}

/* A threshold keeps the pairs of its own step and of those above. */
static void sum_up(const evaluation *e, akin_evaluation *out)
{
    uint64_t pairs = 0, both = 0;
    for (uint32_t point = AKIN_CURVE_POINTS; point-- > 0;) {
        pairs += e->found[point + 1];
        both += e->both[point + 1];
        if (point >= e->points)
            continue;
        out[point] = (akin_evaluation){.precision = quotient(both, pairs),
                                       .recall = quotient(both, e->golds),
                                       .f1 = quotient(2 * both, pairs + e->golds),
                                       .pairs = pairs,
                                       .gold = e->golds,
                                       .both = both};
    }
}

/* Whether the columns can be what they say, if there are rows. */
static akin_status check(source *from, akin_error *error)
{
    for (int side = 0; side < 2 && from->rows > 0; side++) {
        const akin_column *column = from->columns;
        if (column && side == 1)
            column = (const akin_column *)(const void *)((const char *)column + column->size);
        akin_status status = column ? akin_column_check(column, names[side], error) : AKIN_OK;
        if (status != AKIN_OK)
            return status;
        if (!column || !column->offsets) {
            akin_fail(error, AKIN_E_OPTION, "the %s have %u rows and no %s column", from->what, from->rows,
                      names[side]);
            return AKIN_E_OPTION; /* said here so that an analyser sees it */
        }
        from->sides[side] = column;
    }
    return AKIN_OK;
}

static akin_status begin(evaluation *e, akin_context *context, const akin_evaluate_options *options, akin_error *error)
{
    e->context = context;
    e->account.limit = context->memory ? akin_memory_job(context->memory) : 0;
    e->options = (akin_evaluate_options)AKIN_EVALUATE_OPTIONS_INIT;
    akin_status status =
        akin_options_read(options, &e->options, sizeof e->options, sizeof e->options, "akin_evaluate_options", error);
    if (status == AKIN_OK)
        status = akin_dictionary_create(context, &e->ids[0], error);
    if (status == AKIN_OK && e->options.linked)
        return akin_dictionary_create(context, &e->ids[1], error);
    e->ids[1] = e->ids[0];
    return status;
}

static void end(evaluation *e)
{
    if (e->ids[1] != e->ids[0])
        akin_dictionary_free(e->ids[1]);
    akin_dictionary_free(e->ids[0]);
    akin_free(e->pairs.keys);
    akin_free(e->gold.keys);
}

static akin_status evaluate(akin_context *context, source *pairs, source *gold, uint32_t points,
                            const akin_evaluate_options *options, akin_evaluation *out, akin_error *error)
{
    evaluation e = {.points = points};
    akin_status status = check(pairs, error);
    if (status == AKIN_OK)
        status = check(gold, error);
    if (status == AKIN_OK)
        status = begin(&e, context, options, error);
    if (status == AKIN_OK)
        status = list_pairs(&e, pairs, &e.pairs, error);
    if (status == AKIN_OK)
        status = list_pairs(&e, gold, &e.gold, error);
    if (status == AKIN_OK && e.options.closed)
        status = count_closures(&e, error);
    else if (status == AKIN_OK)
        count_pairs(&e);
    if (status == AKIN_OK)
        sum_up(&e, out);
    end(&e);
    return status;
}

akin_status akin_evaluate(akin_context *context, const akin_column *pairs, uint32_t pair_rows, const akin_column *gold,
                          uint32_t gold_rows, const akin_evaluate_options *options, akin_evaluation *out,
                          akin_error *error)
{
    source found = {.what = "pairs", .columns = pairs, .rows = pair_rows};
    source right = {.what = "gold pairs", .columns = gold, .rows = gold_rows};
    return evaluate(context, &found, &right, 1, options, out, error);
}

akin_status akin_evaluate_curve(akin_context *context, const akin_column *pairs, const double *similarities,
                                uint32_t pair_rows, const akin_column *gold, uint32_t gold_rows,
                                const akin_evaluate_options *options, akin_evaluation *out, akin_error *error)
{
    source found = {.what = "pairs", .columns = pairs, .similarities = similarities, .rows = pair_rows};
    source right = {.what = "gold pairs", .columns = gold, .rows = gold_rows};
    if (!similarities && pair_rows > 0)
        return akin_fail(error, AKIN_E_OPTION, "the pairs have %u rows and no similarities", pair_rows);
    return evaluate(context, &found, &right, AKIN_CURVE_POINTS, options, out, error);
}
