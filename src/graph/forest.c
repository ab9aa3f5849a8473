/*
 * A spanning forest over ids: each component as a star around its smallest id.
 *
 *     number    equal ids get one number (pair_ids.c)
 *     link      pairs of numbers, by the union-find of components.c
 *     sort      the distinct ids; the first one of each component is its smallest
 *     put       a pair for each other id, in that order
 */
#include "base/bits.h"
#include "base/parallel.h"
#include "base/options.h"
#include "graph/components.h"
#include "graph/pair_ids.h"
#include "table/columns.h"

#include <inttypes.h>

#define PAIRS_MOST (UINT32_MAX / 2)    /* whose ends have numbers */
#define BATCH      ((uint64_t)1 << 20) /* pairs that are linked in one call */
#define ROWS       ((uint32_t)1 << 16) /* that are put at a time */
#define NEAR       16                  /* rows between prefetch and use */
#define NONE       AKIN_COMPONENTS_NONE

static const char what[] = "the forest"; /* the memory is for */

typedef struct job {
    akin_account account;
    akin_numbered_ids ids;
    uint32_t *labels; /* of numbers: the root of each */
    uint32_t *firsts; /* of roots: where in the order of ids the smallest is, once it has been met */
    uint64_t rows;    /* of the result */
    akin_bulk room[3];
} job;

/* ----------------------------------------------------------------------------------------------------------- checks */

static const char *name_of(const akin_pair_ids *ids, int side)
{
    static const char *const names[] = {"left", "right"};
    return ids->name ? ids->name : names[side];
}

static akin_status check_text(const akin_pair_ids *ids, const char *name, uint64_t count, akin_error *error)
{
    const akin_column *text = ids->text;
    if (!text || count > UINT32_MAX)
        return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NONE, name, "column '%s': expected %" PRIu64 " texts",
                                name, count);
    akin_status status = akin_table_columns_check(text, 1, (uint32_t)count, "connect", error);
    for (uint64_t row = 0; row < count && text->validity && status == AKIN_OK; row++)
        if (!akin_column_has(text, (uint32_t)row))
            return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, row, name, ", column '%s': there is no id",
                                 name);
    return status;
}

static akin_status check_ids(const akin_pair_ids *ids, int side, uint64_t count, akin_error *error)
{
    const char *name = name_of(ids, side);
    akin_status status = akin_options_check(ids, sizeof *ids, "akin_pair_ids", error);
    if (status != AKIN_OK)
        return status;
    switch (ids->type) {
    case AKIN_TYPE_TEXT:
        return check_text(ids, name, count, error);
    case AKIN_TYPE_U32:
    case AKIN_TYPE_U64:
    case AKIN_TYPE_I32:
    case AKIN_TYPE_I64:
        if (count == 0 || ids->numbers)
            return AKIN_OK;
        return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NONE, name,
                                "column '%s': its numbers are NULL, expected %" PRIu64, name, count);
    case AKIN_TYPE_F64:
    case AKIN_TYPE_BOOL:
        break;
    }
    return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NONE, name,
                            "column '%s': its type is %d; expected integers or text", name, (int)ids->type);
}

static akin_status check_pairs(const akin_pair_ids *left, const akin_pair_ids *right, uint64_t count, akin_error *error)
{
    if (count > PAIRS_MOST)
        return akin_fail(error, AKIN_E_LIMIT,
                         "%" PRIu64
                         " pairs; expected at most %u: the forests of parts of the pairs are pairs again, "
                         "whose forest is that of all; or a larger threshold leaves fewer pairs",
                         count, PAIRS_MOST);
    akin_status status = check_ids(left, 0, count, error);
    if (status == AKIN_OK)
        status = check_ids(right, 1, count, error);
    if (status == AKIN_OK && left->type != right->type)
        return akin_fail(error, AKIN_E_OPTION, "left and right ids are of types %d and %d; expected one type",
                         (int)left->type, (int)right->type);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- linking */

static akin_status reserve_array(const akin_scope *scope, job *j, int which, uint64_t bytes, akin_error *error)
{
    j->room[which] = akin_bulk_of(scope, &j->account, akin_budget(scope, AKIN_BUDGET_FOREST));
    return akin_bulk_reserve(&j->room[which], bytes, what, error);
}

static akin_status link_pairs(const akin_scope *scope, job *j, akin_components *components, akin_pair *batch,
                              akin_error *error)
{
    const uint32_t nodes = j->ids.numbers.count, *of = j->ids.numbers.of;
    akin_status status = AKIN_OK;
    for (uint64_t done = 0, now; done < j->ids.pairs && status == AKIN_OK; done += now) {
        now = akin_min_u64(BATCH, j->ids.pairs - done);
        for (uint64_t i = 0; i < now; i++)
            batch[i] = (akin_pair){of[2 * (done + i)], of[2 * (done + i) + 1], 0};
        const akin_edges edges = {.pairs = batch, .count = now, .lefts = nodes, .rights = nodes, .checked = 1};
        status = akin_components_link(scope, components, &edges, error);
    }
    if (status != AKIN_OK)
        return status;
    status = akin_components_settle(scope, components);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* Finds the components: labels. */
static akin_status connect(const akin_scope *scope, job *j, akin_error *error)
{
    const uint32_t nodes = j->ids.numbers.count;
    akin_components components;
    akin_pair *batch = akin_alloc(&j->account, akin_min_u64(BATCH, j->ids.pairs), sizeof *batch);
    if (!batch)
        return akin_fail_memory(error, what);
    akin_status status = reserve_array(scope, j, 0, nodes * UINT64_C(4), error);
    if (status == AKIN_OK)
        status = reserve_array(scope, j, 1, nodes * UINT64_C(4), error);
    if (status == AKIN_OK)
        status = reserve_array(scope, j, 2, (nodes / 32 + UINT64_C(1)) * 4, error);
    if (status == AKIN_OK) {
        j->labels = j->room[0].data;
        j->firsts = j->room[1].data;
        status = akin_components_begin(scope, &components, (_Atomic uint32_t *)j->room[0].data, j->room[2].data, nodes,
                                       NULL);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    if (status == AKIN_OK)
        status = link_pairs(scope, j, &components, batch, error);
    akin_free(batch);
    for (uint32_t number = 0; number < nodes && status == AKIN_OK; number++) {
        j->rows += j->labels[number] != number;
        j->firsts[number] = NONE;
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- putting */

/* The next pairs of a result, as places in the order of ids. */
typedef struct stars {
    uint32_t next;  /* the next place */
    uint32_t count; /* of the pairs */
    akin_pair pairs[ROWS];
} stars;

static void prefetch_star(const job *j, uint64_t place)
{
    const uint64_t count = j->ids.numbers.count;
    if (place + 2 * NEAR < count)
        __builtin_prefetch(&j->labels[j->ids.order[place + 2 * NEAR]]);
    if (place + NEAR < count)
        __builtin_prefetch(&j->firsts[j->labels[j->ids.order[place + NEAR]]], 1);
}

/* Goes on to the next ROWS pairs, or the last ones. */
static void find_stars(const job *j, stars *s)
{
    const uint32_t count = j->ids.numbers.count;
    for (s->count = 0; s->next < count && s->count < ROWS; s->next++) {
        prefetch_star(j, s->next);
        uint32_t *first = &j->firsts[j->labels[j->ids.order[s->next]]];
        if (*first == NONE)
            *first = s->next;
        else
            s->pairs[s->count++] = (akin_pair){*first, s->next, 0};
    }
}

static akin_status put_text(const job *j, akin_frame *frame, uint32_t column, uint32_t place, akin_error *error)
{
    const uint64_t *at = j->ids.texts.offsets + j->ids.order[place];
    return akin_frame_add_text(frame, column, at[0] < at[1] ? j->ids.texts.bytes + at[0] : "", at[1] - at[0], error);
}

/* Prefetches the text of a pair that comes soon. */
static void prefetch_text(const job *j, const stars *s, uint32_t i)
{
    const uint64_t *offsets = j->ids.texts.offsets;
    if (i + 2 * NEAR < s->count)
        __builtin_prefetch(&offsets[j->ids.order[s->pairs[i + 2 * NEAR].right]]);
    if (i + NEAR < s->count)
        __builtin_prefetch(j->ids.texts.bytes + offsets[j->ids.order[s->pairs[i + NEAR].right]]);
}

/* Puts pairs behind the `done` ones before; of integers, where the columns are. */
static akin_status put_stars(const job *j, const stars *s, uint64_t done, void *const data[2], akin_frame *frame,
                             akin_error *error)
{
    const akin_type type = j->ids.sides[0]->type;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < s->count && status == AKIN_OK; i++) {
        const akin_pair pair = s->pairs[i];
        if (type == AKIN_TYPE_TEXT) {
            prefetch_text(j, s, i);
            status = put_text(j, frame, 0, pair.left, error);
            if (status == AKIN_OK)
                status = put_text(j, frame, 1, pair.right, error);
            continue;
        }
        akin_pair_ids_put(type, j->ids.sorted[pair.left], data[0], done + i);
        akin_pair_ids_put(type, j->ids.sorted[pair.right], data[1], done + i);
    }
    return status;
}

static akin_status put_all(const akin_scope *scope, const job *j, akin_frame *frame, akin_error *error)
{
    stars *s = akin_alloc_zero(NULL, 1, sizeof *s);
    uint64_t done = 0;
    void *data[2];
    if (!s)
        return akin_fail_memory(error, what);
    akin_status status = akin_frame_extend(frame, j->rows, data, error);
    while (status == AKIN_OK && s->next < j->ids.numbers.count) {
        find_stars(j, s);
        status = put_stars(j, s, done, data, frame, error);
        done += s->count;
        if (status == AKIN_OK && akin_scope_report(scope, "writing", done, j->rows) != AKIN_OK)
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    akin_free(s);
    return status;
}

akin_status akin_forest(akin_context *context, const akin_pair_ids *left, const akin_pair_ids *right, uint64_t count,
                        akin_frame **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    job j = {.rows = 0};
    akin_frame *frame = NULL;
    akin_status status = check_pairs(left, right, count, error);
    if (status != AKIN_OK)
        return status;
    const akin_type types[] = {left->type, left->type};
    const char *const names[] = {name_of(left, 0), name_of(right, 1)};
    j.account.limit = akin_budget_job(scope);
    status = akin_pair_ids_number(scope, &j.account, left, right, count, &j.ids, error);
    if (status == AKIN_OK)
        status = connect(scope, &j, error);
    if (status == AKIN_OK)
        status = akin_pair_ids_sort(scope, &j.ids, error);
    if (status == AKIN_OK)
        status = akin_frame_create(context, 2, types, names, &frame, error);
    if (status == AKIN_OK)
        status = put_all(scope, &j, frame, error);
    for (int i = 0; i < 3; i++)
        akin_bulk_clear(&j.room[i]);
    akin_pair_ids_clear(&j.ids);
    if (status == AKIN_OK)
        *out = frame;
    else
        akin_frame_free(frame);
    return status;
}
