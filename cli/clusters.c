/* Writes the clusters of a join: which row is in which, and the records without their duplicates. */
#include "clusters.h"

#include <string.h>

static akin_status put(akin_output *output, const char *text, akin_error *error)
{
    return akin_output_write(output, text, strlen(text), error);
}

/* What stands around the values of a line; where there is one file, none of the sides is told. */
typedef struct layout {
    const char *header, *side, *id, *cluster_side, *cluster, *end;
} layout;

static const layout layouts[2][3] = {
    {
        [AKIN_CLI_CSV] = {"id,cluster\n", "", "", "", ",", "\n"},
        [AKIN_CLI_TSV] = {"id\tcluster\n", "", "", "", "\t", "\n"},
        [AKIN_CLI_JSONL] = {"", "", "{\"id\":", "", ",\"cluster\":", "}\n"},
    },
    {
        [AKIN_CLI_CSV] = {"side,id,cluster_side,cluster\n", "", ",", ",", ",", "\n"},
        [AKIN_CLI_TSV] = {"side\tid\tcluster_side\tcluster\n", "", "\t", "\t", "\t", "\n"},
        [AKIN_CLI_JSONL] = {"", "{\"side\":\"", "\",\"id\":", ",\"cluster_side\":\"", "\",\"cluster\":", "}\n"},
    },
};

/* Writes which row that is: its side, if there are two files, and its name there. */
static akin_status put_row(akin_output *output, const akin_cli_source *left, const akin_cli_source *right, uint32_t row,
                           const char *before_side, const char *before_name, akin_error *error)
{
    char number[16];
    size_t length;
    int on_right = right && row >= left->rows;
    const char *name = on_right ? akin_cli_names_row(&right->names, row - left->rows, number, &length)
                                : akin_cli_names_row(&left->names, row, number, &length);
    akin_status status = put(output, before_side, error);
    if (status == AKIN_OK && right)
        status = put(output, on_right ? "right" : "left", error);
    if (status == AKIN_OK)
        status = put(output, before_name, error);
    return status == AKIN_OK ? akin_output_write(output, name, length, error) : status;
}

akin_status akin_cli_clusters_write(const akin_clusters *clusters, const akin_cli_source *left,
                                    const akin_cli_source *right, akin_cli_format format, akin_output *output,
                                    akin_error *error)
{
    const layout *l = &layouts[right != NULL][format];
    akin_status status = put(output, l->header, error);
    for (uint32_t row = 0; row < akin_clusters_rows(clusters) && status == AKIN_OK; row++) {
        status = put_row(output, left, right, row, l->side, l->id, error);
        if (status == AKIN_OK)
            status = put_row(output, left, right, akin_clusters_row(clusters, row), l->cluster_side, l->cluster, error);
        if (status == AKIN_OK)
            status = put(output, l->end, error);
    }
    return status;
}

akin_status akin_cli_clusters_deduplicate(const akin_clusters *clusters, const akin_table *table, akin_output *output,
                                          akin_error *error)
{
    const char *bytes;
    uint64_t length = 0;
    akin_status status = akin_table_header(table, &bytes, &length, error);
    if (status == AKIN_OK && length > 0) {
        status = akin_output_write(output, bytes, (size_t)length, error);
        if (status == AKIN_OK)
            status = put(output, "\n", error);
    }
    for (uint32_t row = 0; row < akin_clusters_rows(clusters) && status == AKIN_OK; row++) {
        if (akin_clusters_row(clusters, row) != row)
            continue;
        status = akin_table_record(table, row, &bytes, &length, error);
        if (status == AKIN_OK)
            status = akin_output_write(output, bytes, (size_t)length, error);
        if (status == AKIN_OK)
            status = put(output, "\n", error);
    }
    return status;
}
