/* Writes the clusters of a join: which row is in which, and the records without their duplicates. */
#include "clusters.h"

#include <string.h>

static akin_status put(akin_output *output, const char *text, akin_error *error)
{
    return akin_output_write(output, text, strlen(text), error);
}

static akin_status put_name(akin_output *output, const akin_cli_names *names, uint32_t row, akin_error *error)
{
    char number[16];
    size_t length;
    const char *name = akin_cli_names_row(names, row, number, &length);
    return akin_output_write(output, name, length, error);
}

akin_status akin_cli_clusters_write(const akin_clusters *clusters, const akin_cli_names *names, akin_cli_format format,
                                    akin_output *output, akin_error *error)
{
    static const struct {
        const char *header, *before, *middle, *end;
    } layouts[] = {
        [AKIN_CLI_CSV] = {"id,cluster\n", "", ",", "\n"},
        [AKIN_CLI_TSV] = {"id\tcluster\n", "", "\t", "\n"},
        [AKIN_CLI_JSONL] = {"", "{\"id\":", ",\"cluster\":", "}\n"},
    };
    akin_status status = put(output, layouts[format].header, error);
    for (uint32_t row = 0; row < akin_clusters_rows(clusters) && status == AKIN_OK; row++) {
        status = put(output, layouts[format].before, error);
        if (status == AKIN_OK)
            status = put_name(output, names, row, error);
        if (status == AKIN_OK)
            status = put(output, layouts[format].middle, error);
        if (status == AKIN_OK)
            status = put_name(output, names, akin_clusters_row(clusters, row), error);
        if (status == AKIN_OK)
            status = put(output, layouts[format].end, error);
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
