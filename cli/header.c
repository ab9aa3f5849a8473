/* The columns of results: what they are called, and their types. */
#include "header.h"

#include <stdlib.h>
#include <string.h>

void akin_cli_header_add(akin_cli_header *header, const char *prefix, const char *name, const char *type)
{
    const size_t before = strlen(prefix), after = strlen(name) + 1;
    akin_output_column *columns = realloc(header->columns, ((size_t)header->count + 1) * sizeof *columns);
    char *whole = malloc(before + after);
    if (columns)
        header->columns = columns;
    if (!columns || !whole) {
        header->failed = 1;
        free(whole);
        return;
    }
    memcpy(whole, prefix, before);
    memcpy(whole + before, name, after);
    columns[header->count++] = (akin_output_column){.name = whole, .type = type};
}

void akin_cli_header_add_all(akin_cli_header *header, const char *names, const char *type)
{
    char name[64];
    for (const char *at = names; *at;) {
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        akin_cli_header_add(header, "", name, type);
        at += length + (at[length] == ',');
    }
}

const char *akin_cli_type_of_both(const char *one, const char *other)
{
    return strcmp(one, other) == 0 ? one : AKIN_CLI_TEXT;
}

static akin_status write_names(const akin_cli_header *header, const akin_cli_writer *writer, akin_output *output,
                               akin_error *error)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < header->count; i++)
        longest = strlen(header->columns[i].name) > longest ? strlen(header->columns[i].name) : longest;
    char *text = malloc(6 * longest + 3); /* as akin_cli_writer says */
    akin_status status = AKIN_OK;
    if (!text)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the names of columns");
    for (uint32_t i = 0; i < header->count && status == AKIN_OK; i++) {
        const char *name = header->columns[i].name;
        char *end = writer->write(text, name, strlen(name));
        *end++ = i + 1 < header->count ? writer->separator[0] : '\n';
        status = akin_output_write(output, text, (size_t)(end - text), error);
    }
    free(text);
    return status;
}

void akin_cli_header_clear(akin_cli_header *header)
{
    for (uint32_t i = 0; i < header->count; i++)
        free((char *)header->columns[i].name);
    free(header->columns);
    *header = (akin_cli_header){0};
}

akin_status akin_cli_header_write(akin_cli_header *header, akin_cli_format format, akin_output *output,
                                  akin_error *error)
{
    const akin_cli_writer *writer = akin_cli_writer_of(format);
    akin_status status = AKIN_OK;
    if (header->failed)
        status = akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the columns");
    else if (writer->is_saved)
        status = akin_output_columns(output, header->columns, header->count, error);
    else if (writer->separator)
        status = write_names(header, writer, output, error);
    akin_cli_header_clear(header);
    return status;
}
