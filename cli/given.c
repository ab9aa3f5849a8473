/* Reads the pairs to compare: ids become rows. */
#include "given.h"

#include <stdlib.h>

#include "command.h"
#include "id_pairs.h"
#include "path.h"
#include "table.h"

int akin_cli_given_check(akin_cli_dedupe_request *request, const char *job)
{
    const char *path = request->given = akin_dedupe_plan_word(request->plan, "given", 0);
    const char *const others[] = {request->inputs[0], request->inputs[1], request->gold, job};
    if (!path)
        return AKIN_CLI_DONE;
    for (int i = 0; i < 4; i++)
        if (others[i] && akin_cli_path_is_stdin(others[i]) && akin_cli_path_is_stdin(path))
            return akin_cli_refuse("--given %s: standard input can be read only once", path);
    for (int file = 0; file < AKIN_CLI_DEDUPE_FILES; file++)
        if (request->outputs[file] && akin_cli_path_same(path, request->outputs[file]))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->outputs[file]);
    return akin_cli_id_pairs_format(AKIN_FORMAT_AUTO, path, &request->given_format);
}

/* Takes the two columns of these names, if the file has both. */
static akin_status take_named(akin_cli_id_pairs *pairs, const char *const names[2], akin_error *error)
{
    uint32_t at[2];
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2; side++)
        if (akin_table_find(pairs->table, names[side], &at[side], NULL) != AKIN_OK)
            return AKIN_OK;
    for (int side = 0; side < 2 && status == AKIN_OK; side++)
        status = akin_table_column(pairs->table, at[side], &pairs->ids[side], error);
    return status;
}

/* The columns of ids or of row numbers; others stand beside them where Python has written the file. */
static akin_status choose_columns(akin_cli_id_pairs *pairs, int have_ids, akin_error *error)
{
    static const char *const ids[2] = {"left_id", "right_id"}, *const rows[2] = {"left", "right"};
    if (pairs->are_clusters || pairs->rows == 0)
        return AKIN_OK;
    const akin_status status = take_named(pairs, rows, error);
    return status == AKIN_OK && have_ids ? take_named(pairs, ids, error) : status;
}

static akin_status find_rows(akin_cli_job *job, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                             akin_cli_id_pairs *pairs, akin_cli_given *out, akin_error *error)
{
    const int right = request->inputs[1] != NULL;
    const uint32_t rows[2] = {sides[0].source.rows, sides[right].source.rows};
    const akin_column *ids[2];
    akin_cli_sides_ids(request, sides, ids);
    akin_status status = right ? akin_cli_id_pairs_check_sides(pairs, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = choose_columns(pairs, ids[0] || ids[1], error);
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        out->rows[side] = malloc((pairs->rows + (size_t)1) * sizeof *out->rows[side]);
        if (!out->rows[side])
            status =
                akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the pairs to compare");
    }
    if (status != AKIN_OK || pairs->rows == 0)
        return status;
    status = akin_rows_of_ids(job->context, ids, rows, pairs->ids, pairs->rows, out->rows[0], out->rows[1], error);
    if (status == AKIN_E_INPUT && !pairs->are_clusters)
        akin_cli_source_locate(pairs->table, request->given, error);
    if (status == AKIN_E_INPUT && !ids[0] && !ids[1])
        akin_cli_append(error, "; without --id COLUMN rows are called by their numbers, from 0 on");
    return status;
}

akin_status akin_cli_given_read(akin_cli_job *job, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                                akin_cli_given *out, akin_error *error)
{
    akin_cli_id_pairs pairs;
    if (!request->given)
        return AKIN_OK;
    for (int i = 0; i < 2; i++)
        if (sides[i].source.table && akin_table_files(sides[i].source.table) > 1 && !sides[i].ids.size)
            return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                                  "--given: of several files rows are known by their ids: add --id COLUMN");
    akin_status status = akin_cli_id_pairs_read(job, request->given, request->given_format, NULL, &pairs, error);
    if (status == AKIN_OK)
        status = find_rows(job, request, sides, &pairs, out, error);
    if (status == AKIN_OK)
        akin_dedupe_plan_give(request->plan, out->rows[0], out->rows[1], pairs.rows);
    akin_cli_id_pairs_clear(&pairs);
    return status;
}

void akin_cli_given_clear(akin_cli_given *given)
{
    for (int side = 0; side < 2; side++)
        free(given->rows[side]);
}
