/* The values of columns that stand beside the ids of rows in results: --show. */
#include "shown.h"

#include <stdlib.h>
#include <string.h>

#include "writer.h"

static const char what[] = "the values that are shown";

static size_t put_escaped(char *to, const char *text)
{
    const size_t length = strlen(text);
    memcpy(to, text, length);
    return length;
}

/* Makes room behind `used` bytes for one more text of `length` bytes. */
static akin_status reserve_shown(akin_cli_shown *shown, size_t used, size_t length, akin_error *error)
{
    return akin_cli_line_reserve(&shown->line, used / 6 + 1 + length, 16, what, error);
}

static int sides_of(const akin_cli_shown *shown)
{
    return shown->prefix[1] ? 2 : 1;
}

static int has_shown(const akin_cli_shown *shown, int side, uint32_t column)
{
    return shown->side[side] && shown->side[side][column].column.offsets;
}

/* Whether a line has a value of a column for that side: of one side always, and of two where the side has the
 * column. */
static int is_written(const akin_cli_shown *shown, int side, uint32_t column)
{
    return sides_of(shown) == 1 || has_shown(shown, side, column);
}

static const char *name_of_shown(const akin_cli_shown *shown, int side, uint32_t column)
{
    return side && shown->right ? shown->right[column] : shown->names[column];
}

/* Puts what a column is called, as the format writes it, behind `used` bytes, which grow. */
static akin_status put_shown_name(akin_cli_shown *shown, int side, uint32_t column, size_t *used, akin_error *error)
{
    const char *prefix = shown->prefix[side], *name = name_of_shown(shown, side, column);
    const size_t length = strlen(prefix) + strlen(name);
    char *whole = malloc(length + 1);
    if (!whole)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for %s", what);
    memcpy(whole + put_escaped(whole, prefix), name, strlen(name) + 1);
    akin_status status = reserve_shown(shown, *used, length, error);
    if (status == AKIN_OK)
        *used += akin_cli_name_write(shown->line.text + *used, whole, length, shown->format);
    free(whole);
    return status;
}

const char *akin_cli_shown_type(const akin_cli_shown_column *one, const akin_cli_shown_column *other)
{
    if (!one || !one->column.offsets)
        one = other;
    if (!other || !other->column.offsets)
        other = one;
    return one ? akin_cli_type_of_both(one->type, other->type) : AKIN_CLI_TEXT;
}

void akin_cli_shown_columns(const akin_cli_shown *shown, const akin_cli_shown_column *more, akin_cli_header *header)
{
    for (uint32_t column = 0; column < shown->count; column++)
        for (int side = 0; side < sides_of(shown); side++) {
            const akin_cli_shown_column *own = shown->side[side] ? &shown->side[side][column] : NULL;
            if (is_written(shown, side, column))
                akin_cli_header_add(header, shown->prefix[side], name_of_shown(shown, side, column),
                                    akin_cli_shown_type(own, more ? &more[column] : NULL));
        }
}

/* Puts what stands before a value: the separator, or its key. */
static akin_status put_before(akin_cli_shown *shown, int side, uint32_t column, size_t *used, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(shown->format);
    akin_status status = reserve_shown(shown, *used, 0, error);
    if (status != AKIN_OK)
        return status;
    *used += put_escaped(shown->line.text + *used, w->separator ? w->separator : ",");
    if (w->separator)
        return AKIN_OK;
    status = put_shown_name(shown, side, column, used, error);
    if (status == AKIN_OK)
        *used += put_escaped(shown->line.text + *used, ":");
    return status;
}

static akin_status put_shown_value(akin_cli_shown *shown, int side, uint32_t column, uint32_t row, size_t *used,
                                   akin_error *error)
{
    akin_status status = put_before(shown, side, column, used, error);
    if (status == AKIN_OK)
        status = reserve_shown(shown, *used, 0, error);
    if (status != AKIN_OK)
        return status;
    const akin_column *from = has_shown(shown, side, column) ? &shown->side[side][column].column : NULL;
    if (!from || (from->validity && !(from->validity[row / 8] >> row % 8 & 1))) {
        *used += put_escaped(shown->line.text + *used, akin_cli_writer_of(shown->format)->none);
        return AKIN_OK;
    }
    const uint64_t begin = from->offsets[row], length = from->offsets[row + UINT64_C(1)] - begin;
    const char *value = from->bytes + begin;
    status = reserve_shown(shown, *used, (size_t)length, error);
    if (status != AKIN_OK)
        return status;
    if (!akin_cli_name_fits(value, (size_t)length, shown->format))
        return akin_error_set(
            error, AKIN_E_INPUT, AKIN_REASON_NONE,
            "--show: column '%.100s' has a tab or a line end in row %u, which TSV cannot hold: write CSV "
            "or JSON lines",
            name_of_shown(shown, side, column), row);
    *used += akin_cli_name_write(shown->line.text + *used, value, (size_t)length, shown->format);
    return AKIN_OK;
}

akin_status akin_cli_shown_values(akin_cli_shown *shown, const uint32_t rows[2], const char **text, size_t *length,
                                  akin_error *error)
{
    akin_status status = reserve_shown(shown, 0, 0, error);
    size_t used = 0;
    for (uint32_t column = 0; column < shown->count; column++)
        for (int side = 0; side < sides_of(shown) && status == AKIN_OK; side++)
            if (is_written(shown, side, column))
                status = put_shown_value(shown, side, column, rows[side], &used, error);
    *text = shown->line.text;
    *length = used;
    return status;
}

akin_status akin_cli_shown_put(akin_cli_shown *shown, const uint32_t rows[2], akin_lines *lines, size_t more,
                               akin_error *error)
{
    const char *text;
    size_t length;
    akin_status status = akin_cli_shown_values(shown, rows, &text, &length, error);
    if (status != AKIN_OK)
        return status;
    char *at = akin_lines_reserve(lines, length + more);
    if (!at)
        return AKIN_E_NOMEM;
    memcpy(at, text, length);
    lines->length += length;
    return AKIN_OK;
}

void akin_cli_shown_clear(akin_cli_shown *shown)
{
    free(shown->line.text);
    *shown = (akin_cli_shown){0};
}
