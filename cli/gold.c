/* How good the pairs are that were found, against a file of those that are known to be right. */
#include "gold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

int akin_cli_gold_add(akin_cli_gold *gold, const akin_scored_pair *pairs, size_t count)
{
    if (gold->count + count > gold->room) {
        size_t room = 2 * gold->room + count + 1024;
        for (int side = 0; side < 2; side++) {
            uint32_t *larger = realloc(gold->rows[side], room * sizeof *larger);
            if (!larger) {
                gold->failed = 1;
                return 0;
            }
            gold->rows[side] = larger;
        }
        gold->room = room;
    }
    for (size_t i = 0; i < count; i++) {
        gold->rows[0][gold->count] = pairs[i].left;
        gold->rows[1][gold->count++] = pairs[i].right;
    }
    return 1;
}

akin_status akin_cli_gold_fail(akin_error *error)
{
    snprintf(error->message, sizeof error->message, "not enough memory for the pairs to be evaluated");
    return error->code = AKIN_E_NOMEM;
}

/* The id of a row, in `number` if it is that. */
static const char *id_of(const akin_column *ids, uint32_t row, char number[AKIN_CLI_NUMBER], uint64_t *length)
{
    if (ids) {
        *length = ids->offsets[row + (uint64_t)1] - ids->offsets[row];
        return ids->bytes + ids->offsets[row];
    }
    *length = (uint64_t)(akin_cli_put_u32(number, row) - number);
    return number;
}

/* Writes a column of the ids of the rows on one side, whose arrays are the caller's to free. */
static akin_status make_column(const akin_cli_gold *gold, int side, const akin_column *ids, akin_column *out,
                               akin_error *error)
{
    char number[AKIN_CLI_NUMBER];
    uint64_t length, bytes = 0, *offsets = malloc((gold->count + 1) * sizeof *offsets);
    for (size_t i = 0; i < gold->count; i++) {
        id_of(ids, gold->rows[side][i], number, &length);
        bytes += length;
    }
    char *text = malloc(bytes + 1);
    *out = (akin_column){.size = sizeof *out, .name = "id", .offsets = offsets, .bytes = text};
    if (!offsets || !text)
        return akin_cli_gold_fail(error);
    offsets[0] = 0;
    for (size_t i = 0; i < gold->count; i++) {
        const char *id = id_of(ids, gold->rows[side][i], number, &length);
        memcpy(text + offsets[i], id, (size_t)length);
        offsets[i + 1] = offsets[i] + length;
    }
    return AKIN_OK;
}

akin_status akin_cli_gold_evaluate(akin_cli_job *job, akin_cli_gold *gold, const akin_column *const ids[2], int linked,
                                   akin_error *error)
{
    akin_evaluate_options how = AKIN_EVALUATE_OPTIONS_INIT;
    akin_column found[2] = {{0}, {0}};
    akin_status status = AKIN_OK;
    how.linked = (uint32_t)linked;
    for (int side = 0; side < 2 && status == AKIN_OK; side++)
        status = make_column(gold, side, ids[side], &found[side], error);
    if (status == AKIN_OK && gold->count > UINT32_MAX) {
        snprintf(error->message, sizeof error->message, "--gold: more than %u pairs were found", UINT32_MAX);
        status = error->code = AKIN_E_LIMIT;
    }
    if (status == AKIN_OK)
        status = akin_evaluate(job->context, found, (uint32_t)gold->count, gold->known.ids, gold->known.rows, &how,
                               &gold->evaluation, error);
    for (int side = 0; side < 2; side++) {
        free((void *)found[side].offsets);
        free((void *)found[side].bytes);
    }
    return status;
}

void akin_cli_gold_clear(akin_cli_gold *gold)
{
    akin_cli_id_pairs_clear(&gold->known);
    free(gold->rows[0]);
    free(gold->rows[1]);
    *gold = (akin_cli_gold){0};
}
