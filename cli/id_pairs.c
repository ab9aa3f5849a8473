/* Pairs of ids that are read from a table: those that were found, or those that are known to be right. */
#include "id_pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "names.h"
#include "path.h"
#include "reading.h"
#include "table.h"

int akin_cli_id_pairs_format(akin_format input, const char *path, akin_format *out)
{
    *out = input;
    if (!*path)
        return akin_cli_refuse("expected the name of a file, not an empty word");
    if (input == AKIN_FORMAT_AUTO && akin_format_of_name(path, out, NULL) != AKIN_OK)
        *out = AKIN_FORMAT_CSV;
    if (!akin_cli_has_columns(*out))
        return akin_cli_reading_refuse_unknown(path);
    return input == AKIN_FORMAT_AUTO ? akin_cli_path_check_foreign(path) : AKIN_CLI_DONE;
}

/* Where a row is, and what is wrong there. */
static akin_status fail_pair(const akin_cli_id_pairs *file, uint32_t row, const char *message, const char *name,
                             akin_error *error)
{
    akin_status status = akin_cli_fail_where(file->path, file->table, row, error);
    akin_cli_append(error, "%s '%.100s'", message, name);
    return status;
}

/* Refuses a row without an id. */
static akin_status check_ids(const akin_cli_id_pairs *file, const akin_column *ids, uint32_t rows, akin_error *error)
{
    for (uint32_t row = 0; row < rows; row++)
        if (ids->offsets[row] == ids->offsets[row + 1])
            return fail_pair(file, row, "there is no id in column", ids->name, error);
    return AKIN_OK;
}

static akin_status take_ids(akin_cli_id_pairs *file, akin_error *error)
{
    uint32_t columns = akin_table_columns(file->table);
    file->rows = akin_table_rows(file->table);
    if (file->rows == 0 && columns == 0) /* no lines of JSON */
        return AKIN_OK;
    if (columns < 2)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                              "%.600s: has %" PRIu32 " column, expected two of ids", akin_cli_path_name(file->path),
                              columns);
    akin_status status = AKIN_OK;
    for (uint32_t side = 0; side < 2 && status == AKIN_OK; side++) {
        akin_column *ids = &file->ids[side];
        ids->size = sizeof *ids;
        status = akin_table_column(file->table, side, ids, error);
        if (status == AKIN_OK)
            status = check_ids(file, ids, file->rows, error);
    }
    return status;
}

/* The first row that has neither left nor right; the number of rows if there is none. */
static uint32_t find_no_side(const akin_column *sides, uint32_t rows)
{
    uint32_t row = 0;
    for (; row < rows; row++) {
        const char *side = sides->bytes + sides->offsets[row];
        const uint64_t length = sides->offsets[row + 1] - sides->offsets[row];
        if (!(length == 4 && memcmp(side, "left", 4) == 0) && !(length == 5 && memcmp(side, "right", 5) == 0))
            break;
    }
    return row;
}

/* Every record of clusters has an id. */
static akin_status check_records(const akin_cli_id_pairs *file, akin_error *error)
{
    akin_column ids = AKIN_COLUMN_INIT;
    akin_status status = akin_table_column(file->table, file->columns.id, &ids, error);
    return status == AKIN_OK ? check_ids(file, &ids, akin_table_rows(file->table), error) : status;
}

/* Clusters of two tables begin with the sides of their rows. A column of that name elsewhere is of the table itself,
 * unless it looks like that of sides. */
static akin_status check_side_values(const akin_cli_id_pairs *file, akin_error *error)
{
    akin_column sides = AKIN_COLUMN_INIT;
    const uint32_t rows = akin_table_rows(file->table);
    uint32_t index = 0;
    if (akin_table_find(file->table, "side", &index, NULL) != AKIN_OK)
        return AKIN_OK;
    const akin_status status = akin_table_column(file->table, index, &sides, error);
    if (status != AKIN_OK)
        return status;
    const uint32_t wrong = find_no_side(&sides, rows);
    if (file->have_sides && wrong < rows)
        return fail_pair(file, wrong, "expected left or right in column", "side", error);
    if (!file->have_sides && wrong == rows && rows > 0)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                              "%.600s: the column 'side' has left and right, and is not the first one; expected the "
                              "columns side,id,cluster for clusters of two tables, or another name",
                              akin_cli_path_name(file->path));
    return AKIN_OK;
}

/* Reads a decimal number, with a sign, a point and an exponent if need be. */
static int read_similarity(const char *bytes, uint64_t length, double *out)
{
    char text[512], *end = text;
    if (length == 0 || length >= sizeof text)
        return 0;
    memcpy(text, bytes, (size_t)length);
    text[length] = '\0';
    if (strspn(text, "0123456789+-.eE") != length)
        return 0;
    *out = strtod(text, &end);
    return *end == '\0';
}

static akin_status take_similarities(akin_cli_id_pairs *file, const char *name, akin_error *error)
{
    akin_column column = AKIN_COLUMN_INIT;
    uint32_t index = 0;
    if (file->rows == 0)
        return AKIN_OK;
    akin_error reason;
    akin_status status = akin_table_find(file->table, name, &index, &reason);
    if (status != AKIN_OK)
        return akin_error_set(error, status, reason.reason, "%.400s: %.600s", akin_cli_path_name(file->path),
                              reason.message);
    file->similarities = malloc(file->rows * sizeof *file->similarities);
    if (!file->similarities)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the similarities");
    status = akin_table_column(file->table, index, &column, error);
    for (uint32_t row = 0; row < file->rows && status == AKIN_OK; row++) {
        uint64_t begin = column.offsets[row], length = column.offsets[row + 1] - begin;
        if (!read_similarity(column.bytes + begin, length, &file->similarities[row]))
            status = fail_pair(file, row, "expected a number in column", name, error);
    }
    return status;
}

akin_status akin_cli_id_pairs_read(akin_cli_job *job, const char *path, akin_format format, const char *similarity,
                                   akin_cli_id_pairs *out, akin_error *error)
{
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    *out = (akin_cli_id_pairs){.path = path};
    how.format = format;
    how.keep_lines = 1;
    akin_status status = akin_cli_table_read(job, path, &how, &out->table, error);
    if (status != AKIN_OK)
        return status;
    out->are_clusters = akin_cli_clusters_are(out->table, &out->columns);
    out->have_sides = out->are_clusters && out->columns.has_sides;
    if (out->are_clusters && similarity)
        return akin_error_set(
            error, AKIN_E_INPUT, AKIN_REASON_NONE,
            "%.600s: has clusters, which have no similarities; expected pairs, as --pairs writes them",
            akin_cli_path_name(path));
    if (out->are_clusters)
        status = check_side_values(out, error);
    if (status == AKIN_OK && out->are_clusters)
        status = check_records(out, error);
    if (status == AKIN_OK && out->are_clusters)
        return akin_cli_cluster_pairs(job, out->table, &out->columns, out->ids, &out->rows, error);
    if (status == AKIN_OK && !out->are_clusters)
        status = take_ids(out, error);
    if (status == AKIN_OK && similarity)
        status = take_similarities(out, similarity, error);
    return status;
}

akin_status akin_cli_id_pairs_check_sides(const akin_cli_id_pairs *pairs, akin_error *error)
{
    if (!pairs->are_clusters || pairs->have_sides)
        return AKIN_OK;
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                          "%.600s: clusters without 'side' as their first column have pairs within one table; expected "
                          "the columns side,id,cluster for pairs of two tables",
                          akin_cli_path_name(pairs->path));
}

/* Where the ids of one side go: their number and bytes, and the ids themselves if there is room. */
typedef struct gathered {
    uint64_t rows, bytes, *offsets; /* NULL: they are only counted */
    char *text;
} gathered;

static akin_status gather_records(const akin_cli_id_pairs *file, gathered to[2], akin_error *error)
{
    akin_column ids = AKIN_COLUMN_INIT, sides = AKIN_COLUMN_INIT;
    akin_status status = akin_table_column(file->table, file->columns.id, &ids, error);
    if (status == AKIN_OK && file->have_sides)
        status = akin_table_column(file->table, 0, &sides, error);
    for (uint32_t row = 0, rows = akin_table_rows(file->table); row < rows && status == AKIN_OK; row++) {
        const uint64_t begin = ids.offsets[row], length = ids.offsets[row + UINT64_C(1)] - begin;
        const int is_right = file->have_sides && sides.offsets[row + UINT64_C(1)] - sides.offsets[row] == 5;
        gathered *side = &to[is_right];
        if (side->offsets) {
            memcpy(side->text + side->bytes, ids.bytes + begin, (size_t)length);
            side->offsets[side->rows + 1] = side->bytes + length;
        }
        side->rows++;
        side->bytes += length;
    }
    return status;
}

akin_status akin_cli_id_pairs_records(const akin_cli_id_pairs files[2], akin_column records[2], uint32_t rows[2],
                                      akin_error *error)
{
    gathered counted[2] = {{0}, {0}}, to[2] = {{0}, {0}};
    akin_status status = AKIN_OK;
    for (int which = 0; which < 2 && status == AKIN_OK; which++)
        if (files[which].are_clusters)
            status = gather_records(&files[which], counted, error);
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        to[side].offsets = calloc(counted[side].rows + 1, sizeof *to[side].offsets);
        to[side].text = malloc(counted[side].bytes + 1);
        records[side] = (akin_column){
            .size = sizeof records[side], .name = "id", .offsets = to[side].offsets, .bytes = to[side].text};
        rows[side] = (uint32_t)counted[side].rows;
        if (counted[side].rows > UINT32_MAX)
            return akin_error_set(error, AKIN_E_LIMIT, AKIN_REASON_NONE, "the clusters have more than %u records",
                                  UINT32_MAX);
        if (!to[side].offsets || !to[side].text)
            return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the records");
    }
    for (int which = 0; which < 2 && status == AKIN_OK; which++)
        if (files[which].are_clusters)
            status = gather_records(&files[which], to, error);
    return status;
}

void akin_cli_id_pairs_clear(akin_cli_id_pairs *pairs)
{
    for (int side = 0; side < 2 && pairs->are_clusters; side++) {
        free((void *)pairs->ids[side].offsets);
        free((void *)pairs->ids[side].bytes);
    }
    akin_table_free(pairs->table);
    free(pairs->similarities);
    *pairs = (akin_cli_id_pairs){0};
}
