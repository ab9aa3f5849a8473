/* Counts the values of a column in which a comparator finds nothing, such as texts that are no numbers, and those that
 * are too short for its tokens. */
#include "strings/parsed.h"

#include "base/bits.h"
#include "base/grouped.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "strings/alphabet.h"
#include "strings/comparators.h"
#include "strings/token_sets.h"
#include "text/fold.h"
#include "text/options.h"
#include "text/tokenizer.h"

#include <stdio.h>
#include <string.h>

#define TASK_ROWS 65536
#define TEXT      1024 /* bytes of a warning */

typedef struct counting {
    const akin_comparator_row *comparator;
    const akin_text_options *text; /* how values are cut into tokens; NULL: they are not */
    uint32_t folds;
    akin_cpu cpu;
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

/* What a task has for itself. */
typedef struct reader {
    akin_folder folder;
    akin_tokenizer tokenizer;
} reader;

/* Cuts a value into tokens, as far as it takes to count it and to know whether it has one. What is not UTF-8 does not
 * count, and has none. */
static akin_status count_tokens(reader *r, const char *text, uint64_t length, int *has_token)
{
    akin_spans spans;
    const akin_status status = akin_tokenizer_take(&r->tokenizer, text, length, length);
    *has_token = status == AKIN_OK && akin_tokenizer_next(&r->tokenizer, &spans);
    return status == AKIN_E_NOMEM ? status : AKIN_OK;
}

/* Whether the comparator can read a value, which counts otherwise, too, if it is cut into tokens. */
static akin_status read_value(const counting *c, reader *r, const char *text, uint64_t length, int *is_read)
{
    if (c->text)
        return count_tokens(r, text, length, is_read);
    *is_read = length <= UINT32_MAX && c->comparator->says(text, (uint32_t)length);
    return AKIN_OK;
}

/* Counts a value, as it is when it is compared: folded. What is not UTF-8 cannot be read. */
static akin_status count_value(const counting *c, reader *r, uint32_t row, akin_parsed *part)
{
    uint64_t length;
    const char *text = text_of_row(c->column, row, &length);
    akin_status status = AKIN_OK;
    int is_read = 0;
    if (is_missing(c->column, row, length))
        return AKIN_OK;
    if (c->folds) {
        status = akin_folder_take(&r->folder, text, length);
        text = r->folder.text;
        length = r->folder.length;
    }
    if (status == AKIN_E_NOMEM || (status == AKIN_OK && length == 0))
        return status;
    if (status == AKIN_OK)
        status = read_value(c, r, text, length, &is_read);
    if (status == AKIN_E_NOMEM || !c->comparator->noun)
        return status == AKIN_E_NOMEM ? status : AKIN_OK;
    part->values++;
    if (!is_read && part->unparsed++ == 0)
        part->row = row;
    return AKIN_OK;
}

static akin_status count_rows(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    akin_parsed part = {.values = 0};
    uint64_t first = task * TASK_ROWS, end = akin_min_u64(first + TASK_ROWS, c->rows);
    reader r;
    akin_status status = AKIN_OK;
    (void)thread;
    akin_folder_begin(&r.folder, NULL, c->folds);
    if (c->text) {
        akin_tokenizer_begin(&r.tokenizer, c->cpu, NULL, c->text);
        r.tokenizer.counts = akin_tokens_facts_of(c->text->tokens)->takes_length ? &part.texts : NULL;
    }
    for (uint64_t row = first; row < end && status == AKIN_OK; row++)
        status = count_value(c, &r, (uint32_t)row, &part);
    akin_folder_clear(&r.folder);
    if (c->text)
        akin_tokenizer_clear(&r.tokenizer);
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

/* How the comparator cuts values into tokens that say something of them: tokens of a length, or some that may not be
 * there; returns 0 if it does not. */
static int cuts_tellingly(const akin_comparator_row *comparator, const akin_compare_options *options,
                          akin_text_options *text)
{
    return comparator->cuts_tokens && akin_compare_options_text(options, text, NULL) == AKIN_OK &&
           (comparator->is_none || akin_tokens_facts_of(text->tokens)->takes_length);
}

/* Adds up what tasks have counted. */
static void sum_parts(const counting *c, uint64_t tasks, akin_parsed *out)
{
    for (uint64_t task = 0; task < tasks; task++) {
        const akin_parsed *part = &c->parts[task];
        if (out->unparsed == 0)
            out->row = part->row;
        out->values += part->values;
        out->unparsed += part->unparsed;
        akin_text_counts_add(&out->texts, &part->texts);
    }
    if (out->unparsed > 0) {
        uint64_t length;
        const char *text = text_of_row(c->column, out->row, &length);
        copy_text(text, length, out->text, sizeof out->text);
    }
}

akin_status akin_compare_parse_within(const akin_scope *scope, const akin_compare_options *options,
                                      const akin_column *column, uint32_t rows, akin_parsed *out, akin_error *error)
{
    akin_compare_options own;
    akin_text_options text;
    akin_status status = akin_compare_options_read(options, &own, error);
    const akin_comparator_row *comparator = status == AKIN_OK ? akin_comparator_of(own.comparator) : NULL;
    *out = (akin_parsed){.values = 0};
    const int is_cut = comparator && cuts_tellingly(comparator, &own, &text);
    if (!comparator || !(comparator->says || is_cut) || rows == 0)
        return status;
    status = akin_column_check(column, "compared", error);
    if (status != AKIN_OK)
        return status;
    const uint64_t tasks = akin_ceil_div(rows, TASK_ROWS);
    counting c = {.comparator = comparator,
                  .text = is_cut ? &text : NULL,
                  .folds = own.folds,
                  .cpu = scope->cpu,
                  .column = column,
                  .rows = rows,
                  .parts = akin_alloc(NULL, tasks, sizeof *c.parts)};
    if (!c.parts)
        return akin_fail_memory(error, "the values");
    status = akin_parallel(scope, NULL, tasks, count_rows, &c);
    if (status == AKIN_OK)
        sum_parts(&c, tasks, out);
    akin_free(c.parts);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the values");
}

akin_status akin_compare_parse(akin_context *context, const akin_compare_options *options, const akin_column *column,
                               uint32_t rows, akin_parsed *out, akin_error *error)
{
    return akin_compare_parse_within(akin_scope_of(context), options, column, rows, out, error);
}

int akin_parsed_is_poor(const akin_parsed *parsed)
{
    return parsed->values > 0 && parsed->unparsed > (parsed->values - 1) / AKIN_PARSED_SHARE;
}

/* Whether a column is suspicious, in which the comparator finds nothing in some values, or in all. */
static int is_suspicious(const akin_comparator_row *comparator, const akin_parsed *parsed)
{
    if (comparator->is_rare)
        return parsed->values > 0 && parsed->unparsed == parsed->values;
    return akin_parsed_is_poor(parsed);
}

/* Writes what the comparator finds in the values. */
static void describe(const akin_comparator_row *comparator, const akin_parsed *parsed, const char *where, char *text,
                     size_t room)
{
    char a[AKIN_GROUPED], b[AKIN_GROUPED];
    if (where)
        snprintf(text, room, "%s finds no %s in %s of %s values of %s; the first is '%s'; %s", comparator->choice.name,
                 comparator->noun, akin_grouped(a, parsed->unparsed), akin_grouped(b, parsed->values), where,
                 parsed->text, comparator->grammar);
    else
        snprintf(text, room, "%s finds no %s in '%s'; %s", comparator->choice.name, comparator->noun, parsed->text,
                 comparator->grammar);
}

void akin_compare_warn(const akin_compare_options *options, const akin_parsed *parsed, const char *where,
                       akin_warning_sink sink, void *user)
{
    char sentence[TEXT];
    akin_compare_options own;
    akin_text_options text;
    akin_text_counts counts = parsed->texts;
    if (akin_compare_options_read(options, &own, NULL) != AKIN_OK)
        return;
    const akin_comparator_row *comparator = akin_comparator_of(own.comparator);
    if (comparator->noun && is_suspicious(comparator, parsed)) {
        describe(comparator, parsed, where, sentence, sizeof sentence);
        sink(user, sentence);
    }
    if (where && cuts_tellingly(comparator, &own, &text)) {
        text.counts = &counts;
        akin_text_warn(&text, where, sink, user);
    }
}
