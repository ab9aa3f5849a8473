/* Tables that the opener of a context opens, such as Parquet files. */
#include "table/opened.h"

#include "base/context.h"
#include "table/arrow.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 300 /* bytes of a path that a message shows */

typedef struct shown_path {
    char text[SHOWN + 1];
} shown_path;

static shown_path show_path(const char *path)
{
    shown_path shown = {0};
    akin_address_show(path, shown.text, sizeof shown.text);
    return shown;
}

/* Puts the path before a message of the import, which knows no names of files. */
static akin_status name_file(const char *path, akin_status status, akin_error *error)
{
    if (!error)
        return status;
    const akin_error found = *error;
    snprintf(error->message, sizeof error->message, "%s: %.700s", show_path(path).text, found.message);
    error->rest = 0;
    return status;
}

akin_status akin_opened_read(const akin_scope *scope, const char *path, const akin_format_row *row,
                             const akin_table_options *options, akin_table **out, akin_error *error)
{
    const akin_opener *opener = scope->context->opener;
    struct ArrowArrayStream stream = {0};
    if (!opener)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                              "%s: libakin does not read %s, which is %s%s%s%s", show_path(path).text, row->choice.name,
                              row->choice.help, row->pipe ? "; or pipe it: " : "", row->pipe ? row->pipe : "",
                              row->pipe ? " | akin ... - --input csv" : "");
    const akin_opening opening = {.size = sizeof opening,
                                  .format = options->format,
                                  .path = path,
                                  .column_count = options->column_count,
                                  .columns = options->columns,
                                  .optional = options->optional,
                                  .keeps_records = options->keep_records};
    akin_table_options own = *options;
    own.keep_records = 0; /* they are the opener's, for akin_output_copy */
    akin_status status = opener->open(opener->user, &opening, &stream, error);
    if (status != AKIN_OK)
        return status;
    status = akin_arrow_import(scope, &stream, &own, out, error);
    return status == AKIN_OK || status == AKIN_E_CANCELLED ? status : name_file(path, status, error);
}
