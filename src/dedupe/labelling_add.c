/* Answers of a table: ids become rows. */
#include "dedupe/labelling.h"

#include "base/context.h"
#include "dedupe/named_rows.h"

static akin_status read_answer(const akin_column *column, uint32_t at, akin_answer *out, akin_error *error)
{
    uint64_t length;
    const akin_choice *row;
    akin_error refused;
    const char *text = akin_named_rows_value(column, at, &length);
    if (length == 0)
        return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, at, column->name, " has no answer");
    if (akin_choice_parse(&akin_answers, text, length, 0, &row, &refused) != AKIN_OK)
        return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_UNKNOWN_CHOICE, at, column->name, ": %s",
                             refused.message);
    *out = (akin_answer)row->value;
    return AKIN_OK;
}

akin_status akin_labelling_add(akin_context *context, akin_labelling *labelling, const akin_column *const ids[2],
                               const uint32_t rows_of[2], const akin_column answers[3], uint32_t count,
                               akin_error *error)
{
    akin_named_rows named;
    akin_status status = akin_named_rows_make(akin_scope_of(context), ids, rows_of, &named, error);
    for (uint32_t at = 0; at < count && status == AKIN_OK; at++) {
        uint32_t rows[2] = {0, 0};
        akin_answer answer = AKIN_ANSWER_UNSURE;
        for (int side = 0; side < 2 && status == AKIN_OK; side++)
            status = akin_named_rows_find(&named, side, &answers[side], at, &rows[side], error);
        if (status == AKIN_OK)
            status = read_answer(&answers[2], at, &answer, error);
        if (status == AKIN_OK)
            status = akin_labelling_put(labelling, rows[0], rows[1], answer, error);
    }
    akin_labelling_drop(labelling);
    akin_named_rows_clear(&named);
    return status;
}
