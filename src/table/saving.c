/* Outputs of tables: files of the formats that akin writes, or what the saver of a context makes, such as Parquet. */
#include "base/context.h"
#include "base/output.h"
#include "base/remote.h"
#include "table/formats.h"

#include <string.h>

#define SHOWN 1000 /* bytes of an address */

static akin_status fail_no_saver(const char *name, const akin_format_row *row, akin_error *error)
{
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                          "%.300s: libakin does not write %s, which is %s%s%s", name, row->choice.name,
                          row->choice.help, row->pipe_to ? "; or pipe CSV: akin ... | " : "",
                          row->pipe_to ? row->pipe_to : "");
}

akin_status akin_output_open_table(akin_context *context, const char *path, int replaces, akin_output **out,
                                   akin_error *error)
{
    akin_saving saving = {.size = sizeof saving, .path = path, .descriptor = -1, .replaces = replaces};
    char name[SHOWN];
    const int has_format = akin_format_of_name(path, &saving.format, NULL) == AKIN_OK;
    const akin_choice *choice = has_format ? akin_choice_of(&akin_opened_formats, (int)saving.format) : NULL;
    const akin_format_row *row = (const akin_format_row *)choice;
    if (!row)
        return akin_output_open(context, path, out, error);
    akin_address_show(path, name, sizeof name);
    if (!context || !context->saver)
        return fail_no_saver(name, row, error);
    return akin_output_open_saved(akin_scope_of(context), context->saver, &saving,
                                  row->schemes[0] || akin_remote_of(path) ? name : NULL, out, error);
}
