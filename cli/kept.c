/* The rows of a table that are kept, and their records, written again. */
#include "kept.h"

#include <stdlib.h>

#include "command.h"
#include "path.h"
#include "rewriter.h"
#include "writer.h"

akin_status akin_cli_kept_begin(uint32_t rows, akin_cli_kept *out, akin_error *error)
{
    *out = (akin_cli_kept){.bits = calloc((size_t)rows / 8 + 1, 1), .rows = rows};
    return out->bits ? AKIN_OK
                     : akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the records");
}

akin_status akin_cli_kept_of_clusters(const akin_clusters *clusters, akin_cli_kept *out, akin_error *error)
{
    const akin_status status = akin_cli_kept_begin(akin_clusters_rows(clusters), out, error);
    for (uint32_t row = 0; row < out->rows && status == AKIN_OK; row++)
        if (akin_clusters_row(clusters, row) == row)
            akin_cli_kept_add(out, row);
    return status;
}

void akin_cli_kept_clear(akin_cli_kept *kept)
{
    free(kept->bits);
    *kept = (akin_cli_kept){0};
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static akin_status put_line(akin_output *output, const char *bytes, uint64_t length, akin_error *error)
{
    const akin_status status = akin_output_write(output, bytes, (size_t)length, error);
    return status == AKIN_OK ? akin_output_write(output, "\n", 1, error) : status;
}

/* Other texts of a file, whose rows are rows of the table from `first` on. */
typedef struct file_texts {
    const akin_cli_kept_texts *texts;
    uint32_t first;
} file_texts;

static akin_status text_of_file(void *user, uint32_t row, const char **text, uint64_t *length, akin_error *error)
{
    const file_texts *own = user;
    return own->texts->of(own->texts->user, own->first + row, text, length, error);
}

/* Copies the kept rows of a file that an opener has opened: rows first .. first + rows - 1 of the table. */
static akin_status copy_rows(const akin_cli_kept *kept, uint32_t first, uint32_t rows, const char *path,
                             akin_format format, akin_output *output, akin_error *error)
{
    akin_cli_kept own;
    file_texts file = {kept->texts, first};
    const akin_other_texts texts = {
        .size = sizeof texts, .column = kept->texts ? kept->texts->column : NULL, .of = text_of_file, .user = &file};
    akin_status status = akin_cli_kept_begin(rows, &own, error);
    for (uint32_t i = 0; i < rows && status == AKIN_OK; i++)
        if (akin_cli_kept_has(kept, first + i))
            akin_cli_kept_add(&own, i);
    if (status == AKIN_OK)
        status = akin_output_copy_texts(output, format, path, own.bits, rows, kept->texts ? &texts : NULL, error);
    akin_cli_kept_clear(&own);
    return status;
}

/* Writes a record, with another text if the rewriter is not NULL and the row has one. */
static akin_status put_record(const akin_cli_kept *kept, const akin_table *table, uint32_t row,
                              akin_cli_rewriter *rewriter, akin_output *output, akin_error *error)
{
    const char *bytes, *text = NULL;
    uint64_t length, text_length = 0;
    akin_status status = akin_table_record(table, row, &bytes, &length, error);
    if (status == AKIN_OK && rewriter)
        status = kept->texts->of(kept->texts->user, row, &text, &text_length, error);
    if (status != AKIN_OK)
        return status;
    return text ? akin_cli_rewriter_write(rewriter, bytes, length, text, text_length, output, error)
                : put_line(output, bytes, length, error);
}

/* Writes the kept records among some rows of a table, behind a header. */
static akin_status put_records(const akin_cli_kept *kept, const akin_table *table, uint32_t first, uint32_t rows,
                               akin_cli_rewriter *rewriter, akin_output *output, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = first; row < first + rows && status == AKIN_OK; row++)
        if (akin_cli_kept_has(kept, row))
            status = put_record(kept, table, row, rewriter, output, error);
    return status;
}

akin_status akin_cli_kept_write(const akin_cli_kept *kept, const akin_table *table, const char *path,
                                akin_format format, akin_output *output, akin_error *error)
{
    const char *bytes;
    uint64_t length = 0;
    if (akin_choice_of_value("opened-formats", (int)format))
        return akin_output_copy(output, format, path, kept->bits, kept->rows, error);
    akin_status status = akin_table_header(table, &bytes, &length, error);
    if (status == AKIN_OK && length > 0)
        status = put_line(output, bytes, length, error);
    return status == AKIN_OK ? put_records(kept, table, 0, kept->rows, NULL, output, error) : status;
}

akin_status akin_cli_kept_write_file(const akin_cli_kept *kept, const akin_table *table, const akin_table_file *file,
                                     const char *path, akin_output *output, akin_error *error)
{
    if (akin_choice_of_value("opened-formats", (int)file->format))
        return copy_rows(kept, file->first, file->rows, path, file->format, output, error);
    akin_cli_rewriter rewriter = {0};
    akin_status status = file->header_length > 0 ? put_line(output, file->header, file->header_length, error) : AKIN_OK;
    if (status == AKIN_OK && kept->texts)
        status = akin_cli_rewriter_begin(&rewriter, kept->texts->column, file->format, file->header,
                                         file->header_length, error);
    if (status == AKIN_OK)
        status = put_records(kept, table, file->first, file->rows, kept->texts ? &rewriter : NULL, output, error);
    akin_cli_rewriter_clear(&rewriter);
    return status;
}

int akin_cli_kept_can_rewrite(akin_format format)
{
    return akin_cli_rewriter_can(format) || akin_choice_of_value("opened-formats", (int)format) != NULL;
}

void akin_cli_kept_wrote(akin_cli_job *job, const char *path, const akin_cli_kept *kept)
{
    akin_cli_job_wrote_of(job, path, kept->count, kept->rows, "records");
}

int akin_cli_kept_check(const char *option, akin_format format, const char *path)
{
    const akin_choice *row = akin_cli_format_row(format);
    if (akin_choice_of_value("opened-formats", (int)format))
        return akin_cli_saved_of(path)
                   ? AKIN_CLI_DONE
                   : akin_cli_refuse(
                         "--%s %s: the input is %s, whose records keep their types: expected a "
                         "name such as FILE.parquet, FILE.arrow, or the address of a table in a database",
                         option, path, row->name);
    const char *name = !row ? "records" : row->capabilities & AKIN_HAS_COLUMNS ? row->name : "lines of text";
    akin_format told = AKIN_FORMAT_TEXT;
    int is_told = akin_format_of_name(path, &told, NULL) == AKIN_OK && told != AKIN_FORMAT_TEXT && told != format;
    if (is_told || akin_cli_path_ends(path, ".akin") ||
        (akin_cli_path_ends(path, ".json") && format != AKIN_FORMAT_JSONL))
        return akin_cli_refuse(
            "--%s %s: records are written as they stand in the input, which is %s: expected "
            "a name that says so",
            option, path, name);
    return AKIN_CLI_DONE;
}
