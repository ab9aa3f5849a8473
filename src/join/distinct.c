/* Makes collections of the distinct rows of others. */
#include "join/distinct.h"

#include <string.h>

static const char what[] = "the distinct rows";

static const void *bytes_of_set(const void *rows, uint32_t row, uint32_t part, uint64_t *length)
{
    const akin_sets *sets = rows;
    (void)part;
    const uint64_t begin = sets->offsets[row];
    *length = (sets->offsets[row + (uint64_t)1] - begin) * sizeof *sets->tokens;
    return sets->tokens + begin;
}

static akin_row_bytes rows_of(const akin_sets *sets)
{
    return (akin_row_bytes){sets, sets->rows, 1, bytes_of_set};
}

/* A set shares all its tokens with an equal one. */
static int is_set_paired(const void *task, uint32_t row, uint32_t *overlap)
{
    const akin_join_task *t = task;
    const uint64_t size = t->left->offsets[row + (uint64_t)1] - t->left->offsets[row];
    *overlap = (uint32_t)size;
    return akin_threshold_overlap(&t->threshold, size, size) <= size;
}

akin_status akin_distinct_pays(const akin_join_task *task, int *pays, akin_error *error)
{
    const akin_sets *const sets[2] = {task->left, task->right};
    akin_status status = AKIN_OK;
    *pays = 0;
    for (int s = 0; s < 2 && sets[s] && !*pays && status == AKIN_OK; s++) {
        const akin_row_bytes rows = rows_of(sets[s]);
        status = akin_equal_rows_abound(task->scope, &rows, pays, error);
    }
    return status;
}

/* Copies the first row of each group. */
static akin_status copy_first_rows(const akin_join_task *task, const akin_sets *sets, const akin_equal_rows *equal,
                                   akin_bulk room[2], akin_sets *out, akin_error *error)
{
    uint64_t count = 0;
    for (uint32_t group = 0; group < equal->groups; group++)
        count += sets->offsets[equal->first[group] + (uint64_t)1] - sets->offsets[equal->first[group]];
    room[0] = room[1] = akin_bulk_of(task->scope, task->account, akin_budget(task->scope, AKIN_BUDGET_EQUAL_ROWS));
    akin_status status = akin_bulk_reserve(&room[0], (equal->groups + (uint64_t)1) * sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&room[1], count * sizeof *sets->tokens, what, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = room[0].data;
    uint32_t *tokens = room[1].data;
    *out = (akin_sets){.rows = equal->groups, .offsets = offsets, .tokens = tokens};
    offsets[0] = 0;
    for (uint32_t group = 0; group < equal->groups; group++) {
        const uint64_t from = sets->offsets[equal->first[group]];
        const uint64_t size = sets->offsets[equal->first[group] + (uint64_t)1] - from;
        memcpy(tokens + offsets[group], sets->tokens + from, size * sizeof *tokens);
        offsets[group + (uint64_t)1] = offsets[group] + size;
    }
    return AKIN_OK;
}

akin_status akin_distinct_make(const akin_join_task *task, akin_distinct *out, akin_error *error)
{
    const akin_sets *const sets[2] = {task->left, task->right};
    const akin_expanded wanted = {.sink = task->sink,
                                  .user = task->user,
                                  .any_order = (int)task->options.any_order,
                                  .connecting = (int)task->options.connecting,
                                  .best = task->options.top,
                                  .is_pair = is_set_paired,
                                  .rows = task};
    akin_status status = AKIN_OK;
    *out = (akin_distinct){.expansion = {.found = 0}};
    for (int s = 0; s < 2 && sets[s] && status == AKIN_OK; s++) {
        const akin_row_bytes rows = rows_of(sets[s]);
        status = akin_equal_rows_make(task->scope, task->account, &rows, &out->expansion.sides[s], error);
        if (status == AKIN_OK)
            status = copy_first_rows(task, sets[s], &out->expansion.sides[s], out->room[s], &out->sets[s], error);
    }
    return status == AKIN_OK
               ? akin_expansion_begin(&out->expansion, task->scope, task->account, !task->right, &wanted, error)
               : status;
}

void akin_distinct_clear(akin_distinct *distinct)
{
    for (int s = 0; s < 2; s++) {
        akin_bulk_clear(&distinct->room[s][0]);
        akin_bulk_clear(&distinct->room[s][1]);
    }
    akin_expansion_clear(&distinct->expansion);
    *distinct = (akin_distinct){.expansion = {.found = 0}};
}

void akin_distinct_describe(const akin_join_task *task, const akin_distinct *distinct, akin_join_summary *summary)
{
    const akin_equal_rows *sides = distinct->expansion.sides;
    const uint64_t left = sides[0].begin[sides[0].groups], right = task->right ? sides[1].begin[sides[1].groups] : 0;
    summary->rows_left = (uint32_t)left;
    summary->rows_right = (uint32_t)right;
    summary->tokens_left = task->left->offsets[task->left->rows];
    summary->tokens_right = task->right ? task->right->offsets[task->right->rows] : 0;
    summary->pairs_all = task->right ? left * right : left * (left - (left > 0)) / (task->options.top ? 1 : 2);
    if (task->options.top > 0)
        summary->pairs_compatible = summary->pairs_all;
    summary->pairs_found = distinct->expansion.found;
}
