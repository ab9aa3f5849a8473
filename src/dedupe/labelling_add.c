/* Answers of a table: ids become rows. */
#include "dedupe/labelling.h"

#include "base/context.h"
#include "dict/dictionary.h"

#include <stdio.h>

/* What a column has in a row. *length 0: nothing. */
static const char *value_of(const akin_column *column, uint32_t row, uint64_t *length)
{
    const int is_there = !column->validity || (column->validity[row / 8] >> row % 8 & 1);
    *length = is_there ? column->offsets[row + (uint64_t)1] - column->offsets[row] : 0;
    return column->bytes + column->offsets[row];
}

/* The dictionary has the ids of rows 0, 1, ... in this order. */
static akin_status number_records(const akin_column *ids, uint32_t rows, const char *side, akin_dictionary *dictionary,
                                  akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        uint64_t length;
        uint32_t id = row;
        const char *text = value_of(ids, row, &length);
        if (length == 0)
            return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, row, ids->name, " of the %s table has no id",
                                 side);
        status = akin_dictionary_add(dictionary, text, length, &id, error);
        if (status == AKIN_OK && id != row)
            return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_REPEATED, row, ids->name,
                                 " of the %s table has the id of row %u", side, id);
    }
    return status;
}

/* A number of a row, written as akin writes it. */
static int read_row(const char *text, uint64_t length, uint32_t *row)
{
    uint64_t number = 0;
    if (length == 0 || length > 10 || (length > 1 && text[0] == '0'))
        return 0;
    for (uint64_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return 0;
        number = 10 * number + (uint64_t)(text[i] - '0');
    }
    *row = (uint32_t)number;
    return number < UINT32_MAX;
}

/* The row that has the id at that place of the answers. */
static akin_status find_row(const akin_column *answers, uint32_t at, const akin_dictionary *dictionary, uint32_t rows,
                            uint32_t *row, akin_error *error)
{
    uint64_t length;
    const char *text = value_of(answers, at, &length);
    if (length == 0)
        return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, at, answers->name, " has no id");
    const int is_known =
        dictionary ? akin_dictionary_find(dictionary, text, length, row) : read_row(text, length, row) && *row < rows;
    return is_known ? AKIN_OK
                    : akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_NONE, at, answers->name,
                                    ": no record has the id '%.*s'", length < 100 ? (int)length : 100, text);
}

static akin_status read_answer(const akin_column *column, uint32_t at, akin_answer *out, akin_error *error)
{
    uint64_t length;
    const akin_choice *row;
    akin_error refused;
    const char *text = value_of(column, at, &length);
    if (length == 0)
        return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, at, column->name, " has no answer");
    if (akin_choice_parse(&akin_answers, text, length, 0, &row, &refused) != AKIN_OK)
        return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_UNKNOWN_CHOICE, at, column->name, ": %s",
                             refused.message);
    *out = (akin_answer)row->value;
    return AKIN_OK;
}

static akin_status add_all(akin_labelling *labelling, akin_dictionary *const dictionaries[2], const uint32_t rows_of[2],
                           const akin_column answers[3], uint32_t count, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t at = 0; at < count && status == AKIN_OK; at++) {
        uint32_t rows[2] = {0, 0};
        akin_answer answer = AKIN_ANSWER_UNSURE;
        for (int side = 0; side < 2 && status == AKIN_OK; side++)
            status = find_row(&answers[side], at, dictionaries[side], rows_of[side], &rows[side], error);
        if (status == AKIN_OK)
            status = read_answer(&answers[2], at, &answer, error);
        if (status == AKIN_OK)
            status = akin_labelling_put(labelling, rows[0], rows[1], answer, error);
    }
    akin_labelling_drop(labelling);
    return status;
}

akin_status akin_labelling_add(akin_context *context, akin_labelling *labelling, const akin_column *const ids[2],
                               const uint32_t rows_of[2], const akin_column answers[3], uint32_t count,
                               akin_error *error)
{
    const int is_one = ids[0] == ids[1];
    akin_dictionary *made[2] = {NULL, NULL};
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        if (!ids[side] || (side == 1 && is_one))
            continue;
        status = akin_dictionary_create_within(akin_scope_of(context), &made[side], error);
        if (status == AKIN_OK)
            status = number_records(ids[side], rows_of[side], side ? "right" : "left", made[side], error);
    }
    akin_dictionary *const dictionaries[2] = {made[0], is_one ? made[0] : made[1]};
    if (status == AKIN_OK)
        status = add_all(labelling, dictionaries, rows_of, answers, count, error);
    akin_dictionary_free(made[0]);
    akin_dictionary_free(made[1]);
    return status;
}
