/* Counts the values of a column in which a comparator finds nothing, such as texts that are no numbers. */
#include "base/bits.h"
#include "base/grouped.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "strings/alphabet.h"
#include "strings/comparators.h"
#include "text/fold.h"

#include <stdio.h>
#include <string.h>

#define TASK_ROWS 65536

typedef struct counting {
    const akin_comparator_row *comparator;
    uint32_t folds;
    const akin_column *column;
    uint32_t rows;
    akin_parsed *parts; /* of each task */
} counting;

static const char *text_of_row(const akin_column *column, uint32_t row, uint64_t *length)
{
    uint64_t begin = column->offsets[row];
    *length = column->offsets[row + (uint64_t)1] - begin;
    return column->bytes + begin;
}

static int is_missing(const akin_column *column, uint32_t row, uint64_t length)
{
    return length == 0 || (column->validity && !(column->validity[row / 8] >> row % 8 & 1));
}

/* Counts a value, as it is when it is compared: folded. What is not UTF-8 cannot be read. */
static akin_status count_value(const counting *c, akin_folder *folder, uint32_t row, akin_parsed *part)
{
    uint64_t length;
    const char *text = text_of_row(c->column, row, &length);
    akin_status status = AKIN_OK;
    if (is_missing(c->column, row, length))
        return AKIN_OK;
    if (c->folds) {
        status = akin_folder_take(folder, text, length);
        text = folder->text;
        length = folder->length;
    }
    if (status == AKIN_E_NOMEM || (status == AKIN_OK && length == 0))
        return status;
    part->values++;
    if (status == AKIN_OK && length <= UINT32_MAX && c->comparator->says(text, (uint32_t)length))
        return AKIN_OK;
    if (part->unparsed++ == 0)
        part->row = row;
    return AKIN_OK;
}

static akin_status count_rows(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    akin_parsed part = {.values = 0};
    uint64_t first = task * TASK_ROWS, end = akin_min_u64(first + TASK_ROWS, c->rows);
    akin_folder folder;
    akin_status status = AKIN_OK;
    (void)thread;
    akin_folder_begin(&folder, NULL, c->folds);
    for (uint64_t row = first; row < end && status == AKIN_OK; row++)
        status = count_value(c, &folder, (uint32_t)row, &part);
    akin_folder_clear(&folder);
    c->parts[task] = part;
    return status;
}

/* Copies a value, cut between two characters if there is no room for all of it. */
static void copy_text(const char *text, uint64_t length, char *to, size_t room)
{
    static const char more[] = "...";
    size_t kept = (size_t)akin_min_u64(length, room - 1);
    if (kept < length) {
        kept -= sizeof more - 1;
        while (kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80)
            kept--;
    }
    memcpy(to, text, kept);
    snprintf(to + kept, room - kept, "%s", kept < length ? more : "");
}

akin_status akin_compare_parse(akin_context *context, const akin_compare_options *options, const akin_column *column,
                               uint32_t rows, akin_parsed *out, akin_error *error)
{
    akin_compare_options own;
    akin_status status = akin_compare_options_read(options, &own, error);
    const akin_comparator_row *comparator = status == AKIN_OK ? akin_comparator_of(own.comparator) : NULL;
    *out = (akin_parsed){.values = 0};
    if (!comparator || !comparator->says || rows == 0)
        return status;
    status = akin_column_check(column, "compared", error);
    if (status != AKIN_OK)
        return status;
    const uint64_t tasks = akin_ceil_div(rows, TASK_ROWS);
    counting c = {comparator, own.folds, column, rows, akin_alloc(NULL, tasks, sizeof *c.parts)};
    if (!c.parts)
        return akin_fail_memory(error, "the values");
    status = akin_parallel(akin_scope_of(context), NULL, tasks, count_rows, &c);
    for (uint64_t task = 0; task < tasks && status == AKIN_OK; task++) {
        if (out->unparsed == 0)
            out->row = c.parts[task].row;
        out->values += c.parts[task].values;
        out->unparsed += c.parts[task].unparsed;
    }
    akin_free(c.parts);
    if (status == AKIN_OK && out->unparsed > 0) {
        uint64_t length;
        const char *text = text_of_row(column, out->row, &length);
        copy_text(text, length, out->text, sizeof out->text);
    }
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the values");
}

int akin_parsed_is_poor(const akin_parsed *parsed)
{
    const uint64_t found = parsed->values - parsed->unparsed;
    return parsed->values > 0 && found < akin_ceil_div(parsed->values, AKIN_PARSED_SHARE);
}

void akin_parsed_describe(const akin_compare_options *options, const akin_parsed *parsed, const char *where, char *text,
                          size_t room)
{
    const akin_comparator_row *comparator = akin_comparator_of(options->comparator);
    char a[AKIN_GROUPED], b[AKIN_GROUPED];
    if (!comparator || !comparator->says) {
        snprintf(text, room, "%s", "");
        return;
    }
    if (where)
        snprintf(text, room, "%s finds no %s in %s of %s values of %s; the first is '%s'; %s", comparator->choice.name,
                 comparator->noun, akin_grouped(a, parsed->unparsed), akin_grouped(b, parsed->values), where,
                 parsed->text, comparator->grammar);
    else
        snprintf(text, room, "%s finds no %s in '%s'; %s", comparator->choice.name, comparator->noun, parsed->text,
                 comparator->grammar);
}
