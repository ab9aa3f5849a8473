/* Makes columns of the distinct strings of others. */
#include "match/distinct_strings.h"

#include "base/budget.h"

#include <string.h>

static const char what[] = "the distinct strings";

static const void *bytes_of_string(const void *rows, uint32_t row, uint32_t part, uint64_t *length)
{
    const akin_match_side *side = rows;
    (void)part;
    const uint64_t begin = side->column->offsets[row];
    *length = side->lengths[row] > 0 ? side->column->offsets[row + (uint64_t)1] - begin : 0;
    return side->column->bytes + begin;
}

static akin_row_bytes strings_of(const akin_match_side *side)
{
    return (akin_row_bytes){side, side->rows, 1, bytes_of_string};
}

akin_status akin_distinct_strings_pay(const akin_scope *scope, const akin_match_side sides[2], int *pay,
                                      akin_error *error)
{
    akin_status status = AKIN_OK;
    *pay = 0;
    for (int s = 0; s < 2 && sides[s].column && !*pay && status == AKIN_OK; s++) {
        const akin_row_bytes rows = strings_of(&sides[s]);
        status = akin_equal_rows_abound(scope, &rows, pay, error);
    }
    return status;
}

/* Copies the first string of each group. */
static akin_status copy_first_strings(const akin_scope *scope, akin_account *account, const akin_match_side *side,
                                      const akin_equal_rows *equal, akin_distinct_strings *d, int s, akin_error *error)
{
    uint64_t count = 0, length;
    for (uint32_t group = 0; group < equal->groups; group++) {
        bytes_of_string(side, equal->first[group], 0, &length);
        count += length;
    }
    const uint64_t sizes[] = {(equal->groups + (uint64_t)1) * sizeof(uint64_t), count,
                              equal->groups * (uint64_t)sizeof(uint32_t)};
    akin_status status = AKIN_OK;
    for (int i = 0; i < 3 && status == AKIN_OK; i++) {
        d->room[s][i] = akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_EQUAL_ROWS));
        status = akin_bulk_reserve(&d->room[s][i], sizes[i], what, error);
    }
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = d->room[s][0].data;
    char *bytes = d->room[s][1].data;
    akin_column *column = &d->columns[s];
    akin_match_side *out = &d->sides[s];
    *column = (akin_column){.size = sizeof *column, .name = side->column->name, .offsets = offsets, .bytes = bytes};
    *out = (akin_match_side){.column = column, .rows = equal->groups, .there = equal->groups, .width = side->width};
    out->lengths = d->room[s][2].data;
    offsets[0] = 0;
    for (uint32_t group = 0; group < equal->groups; group++) {
        const void *text = bytes_of_string(side, equal->first[group], 0, &length);
        memcpy(bytes + offsets[group], text, length);
        offsets[group + (uint64_t)1] = offsets[group] + length;
        out->lengths[group] = side->lengths[equal->first[group]];
    }
    return AKIN_OK;
}

akin_status akin_distinct_strings_make(const akin_scope *scope, akin_account *account, const akin_match_side sides[2],
                                       const akin_expanded *wanted, akin_distinct_strings *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    *out = (akin_distinct_strings){.expansion = {.found = 0}};
    for (int s = 0; s < 2 && sides[s].column && status == AKIN_OK; s++) {
        const akin_row_bytes rows = strings_of(&sides[s]);
        akin_equal_rows *equal = &out->expansion.sides[s];
        status = akin_equal_rows_make(scope, account, &rows, equal, error);
        if (status == AKIN_OK)
            status = copy_first_strings(scope, account, &sides[s], equal, out, s, error);
    }
    return status == AKIN_OK
               ? akin_expansion_begin(&out->expansion, scope, account, sides[1].column == NULL, wanted, error)
               : status;
}

void akin_distinct_strings_clear(akin_distinct_strings *distinct)
{
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 3; i++)
            akin_bulk_clear(&distinct->room[s][i]);
    }
    akin_expansion_clear(&distinct->expansion);
    *distinct = (akin_distinct_strings){.expansion = {.found = 0}};
}
