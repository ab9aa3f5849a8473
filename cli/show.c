/* The columns that --show names, of one table or of two, and which table must have which. */
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "path.h"
#include "reading.h"
#include "shown.h"

int akin_cli_show_check(const char *text, int two, akin_cli_show *out)
{
    *out = (akin_cli_show){0};
    return text ? akin_cli_split_sides("show", text, two, &out->words, out->names, &out->count) : AKIN_CLI_DONE;
}

static int has_one_name(const akin_cli_show *show, uint32_t column)
{
    return strcmp(show->names[0][column], show->names[1][column]) == 0;
}

uint64_t akin_cli_show_optional(const akin_cli_show *show, int two, const akin_cli_source *left)
{
    uint64_t optional = 0;
    for (uint32_t column = 0; column < show->count && two; column++)
        if (has_one_name(show, column) && (!left || left->shown[column].column.offsets))
            optional |= UINT64_C(1) << column;
    return optional;
}

void akin_cli_show_advise(const akin_cli_show *show, const char *left_path, akin_error *error)
{
    for (uint32_t column = 0; column < show->count && error->reason == AKIN_REASON_NO_COLUMN; column++)
        if (has_one_name(show, column) && strcmp(show->names[0][column], error->column) == 0)
            akin_cli_append(error, "; %.200s has none of that name, either", akin_cli_path_name(left_path));
}

void akin_cli_show_clear(akin_cli_show *show)
{
    free(show->words);
    *show = (akin_cli_show){0};
}
