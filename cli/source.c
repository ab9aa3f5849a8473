/* What a job reads: sets of token ids as they stand, or columns of a table, whose text is made into sets or taken as
 * it is. */
#include "source.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "path.h"
#include "shown.h"
#include "table.h"

static akin_status list_stop_words(const akin_table *table, akin_cli_stop_words *words, akin_error *error)
{
    akin_column column = AKIN_COLUMN_INIT;
    akin_status status = akin_table_column(table, 0, &column, error);
    if (status != AKIN_OK)
        return status;
    uint32_t rows = akin_table_rows(table);
    words->text = malloc((size_t)(column.offsets[rows] + rows + 1));
    words->own = malloc(((size_t)rows + 1) * sizeof *words->own);
    if (!words->text || !words->own)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the stop words");
    char *to = words->text;
    for (uint32_t row = 0; row < rows; row++) {
        size_t length = (size_t)(column.offsets[row + 1] - column.offsets[row]);
        if (length == 0)
            continue;
        words->own[words->count++] = to;
        memcpy(to, column.bytes + column.offsets[row], length);
        to[length] = '\0';
        to += length + 1;
    }
    return AKIN_OK;
}

int akin_cli_stop_words_check(const char *name)
{
    return name && !*name ? akin_cli_refuse("--stop-words '': expected a language, such as english, or a file")
                          : AKIN_CLI_DONE;
}

static akin_status read_words(akin_cli_job *job, const char *path, int lossy, akin_cli_stop_words *words,
                              akin_error *error)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    options.format = AKIN_FORMAT_TEXT;
    options.lossy = lossy;
    akin_status status = akin_table_read(job->context, path, &options, &table, error);
    if (status == AKIN_OK)
        status = list_stop_words(table, words, error);
    akin_table_free(table);
    return status;
}

akin_status akin_cli_stop_words_read(akin_cli_job *job, const char *name, int lossy, akin_cli_stop_words *words,
                                     akin_error *error)
{
    akin_error read = {0};
    *words = (akin_cli_stop_words){0};
    if (!name || akin_stop_words(name, &words->list, &words->count, error) == AKIN_OK)
        return AKIN_OK;
    akin_status status = read_words(job, name, lossy, words, &read);
    if (status == AKIN_E_INPUT && !strpbrk(name, "./") && read.reason == AKIN_REASON_NO_FILE)
        return AKIN_E_OPTION; /* it was to be a language; the message is there */
    if (status != AKIN_OK)
        *error = read;
    words->list = words->own;
    return status;
}

void akin_cli_stop_words_clear(akin_cli_stop_words *words)
{
    free(words->text);
    free(words->own);
    *words = (akin_cli_stop_words){0};
}

static akin_status list_columns(const akin_table *table, uint32_t count, akin_column *columns, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        columns[i].size = sizeof columns[i];
        status = akin_table_column(table, i, &columns[i], error);
    }
    return status;
}

/* Makes sets of the first `count` columns of a table. */
static akin_status make_sets(akin_cli_job *job, const akin_cli_reading *reading, const akin_table *table,
                             uint32_t count, const akin_cli_stop_words *words, akin_dictionary *dictionary,
                             akin_cli_source *out, akin_error *error)
{
    akin_column columns[AKIN_CLI_COLUMNS];
    akin_text_options text = reading->text;
    akin_status status = list_columns(table, count, columns, error);
    text.stop_words = words->list;
    text.stop_word_count = words->count;
    text.counts = &out->counts;
    if (status == AKIN_OK)
        status = akin_sets_from_columns(job->context, columns, count, akin_table_rows(table), &text, dictionary,
                                        &out->sets, error);
    return status;
}

void akin_cli_source_warn(const akin_cli_reading *reading, const char *path, const akin_cli_source *source)
{
    akin_text_options text = reading->text;
    akin_text_counts counts = source->counts;
    text.counts = &counts;
    akin_text_warn(&text, akin_cli_path_name(path), akin_cli_warn_of, NULL);
}

uint32_t akin_cli_place_of(const char *const *columns, uint32_t count, const char *name)
{
    uint32_t at = 0;
    while (at < count && strcmp(columns[at], name) != 0)
        at++;
    return at;
}

/* Adds columns that results show to those that are read, unless all are: the optional ones, or the others. */
static void add_shown(const akin_cli_reading *reading, uint64_t optional, const char **columns, uint32_t *count)
{
    for (uint32_t i = 0; i < reading->show_count && reading->on_count > 0; i++)
        if ((reading->show_optional >> i & 1) == optional &&
            akin_cli_place_of(columns, *count, reading->show[i]) == *count)
            columns[(*count)++] = reading->show[i];
}

akin_status akin_cli_source_table(akin_cli_job *job, const akin_cli_reading *reading, const char *path,
                                  akin_table **out, uint32_t *compared, uint32_t *id, akin_error *error)
{
    const char *columns[2 * AKIN_CLI_COLUMNS + 1];
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    uint32_t count = 0;
    for (; count < reading->on_count; count++)
        columns[count] = reading->on[count];
    *compared = count ? count : 1; /* the only column of plain text */
    if (reading->id && !reading->all) {
        *id = akin_cli_place_of(columns, count, reading->id);
        if (*id == count)
            columns[count++] = reading->id;
    }
    const uint32_t wanted = count;
    add_shown(reading, 0, columns, &count);
    const uint32_t needed = count;
    add_shown(reading, 1, columns, &count);
    options.format = reading->by_name ? AKIN_FORMAT_AUTO : reading->format;
    options.column_count = count;
    options.columns = count ? columns : NULL;
    options.optional = count - needed;
    options.lossy = reading->lossy;
    options.keep_records = reading->keep_records;
    options.more = reading->more;
    options.more_count = reading->more_count;
    options.keep_lines = reading->id || reading->keep_lines; /* an error in an id is found later */
    akin_status status = akin_cli_table_read(job, path, &options, out, error);
    if (status == AKIN_E_OPTION && akin_cli_place_of(columns, wanted, error->column) == wanted)
        akin_cli_source_blame_show(reading->show, reading->show_options, reading->show_count, NULL, error);
    if (status == AKIN_E_OPTION && error->reason == AKIN_REASON_NO_COLUMN && reading->presumed &&
        strcmp(error->column, reading->on[0]) == 0)
        akin_cli_append(error, "; name the column of the text with --%s", reading->presumed);
    if (status != AKIN_OK || !reading->all)
        return status;
    *compared = akin_table_columns(*out);
    return reading->id ? akin_table_find(*out, reading->id, id, error) : AKIN_OK;
}

/* Finds a column that results show. One that is not there, or has nulls alone, has no offsets if it is optional. */
static akin_status find_shown(const akin_cli_source *source, const char *name, int is_optional,
                              akin_cli_shown_column *out, akin_error *error)
{
    static const uint64_t nothing[1] = {0};
    uint32_t index = 0;
    akin_column *column = &out->column;
    *out = (akin_cli_shown_column){.column = {.size = sizeof *column, .offsets = is_optional ? NULL : nothing},
                                   .type = AKIN_CLI_TEXT};
    akin_status status = akin_table_find(source->table, name, &index, error);
    if (status != AKIN_OK) /* of lines of JSON without a line there is no column */
        return is_optional || source->rows == 0 ? AKIN_OK : status;
    status = akin_table_column(source->table, index, column, error);
    out->type = akin_table_column_format(source->table, index);
    if (is_optional && source->rows > 0 && column->nulls == source->rows)
        column->offsets = NULL;
    return status;
}

akin_status akin_cli_source_show(akin_cli_source *source, const char *const *names, uint32_t count, uint64_t optional,
                                 akin_error *error)
{
    akin_status status = AKIN_OK;
    if (count == 0)
        return status;
    source->shown = calloc(count, sizeof *source->shown);
    if (!source->shown)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the columns");
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = find_shown(source, names[i], (int)(optional >> i & 1), &source->shown[i], error);
    return status;
}

void akin_cli_source_blame_show(const char *const *names, const char *const *options, uint32_t count, const char *path,
                                akin_error *error)
{
    const akin_error found = *error;
    uint32_t i = 0;
    while (i < count && strcmp(names[i], found.column) != 0)
        i++;
    if (found.reason == AKIN_REASON_NO_COLUMN && i < count)
        snprintf(error->message, sizeof error->message, "--%s %.100s: %.300s%s%.500s", options ? options[i] : "show",
                 found.column, path ? akin_cli_path_name(path) : "", path ? ": " : "", found.message);
}

void akin_cli_source_locate(const akin_table *table, const char *path, akin_error *error)
{
    const akin_error found = *error;
    const char *name = akin_cli_table_name(table, found.row, path);
    uint64_t line = 0;
    if (found.row == AKIN_NO_ROW || found.rest == 0 || found.line > 0)
        return;
    if (akin_table_line(table, found.row, &line, NULL) == AKIN_OK)
        snprintf(error->message, sizeof error->message, "%.600s:%" PRIu64 ": %.300s", name, line,
                 found.message + found.rest);
    else
        snprintf(error->message, sizeof error->message, "%.600s: %.300s", name, found.message);
    error->line = line;
    error->rest = 0;
}

void akin_cli_source_advise_lossy(akin_error *error)
{
    if (error->reason == AKIN_REASON_NOT_UTF8)
        akin_cli_append(error, "; --lossy replaces it");
}

/* Adds to a message about a file what an option would do about it. */
static void advise(const akin_cli_reading *reading, const char *path, akin_error *error)
{
    const char first = error->word[0];
    if (!reading->ids)
        akin_cli_source_advise_lossy(error);
    else if (error->reason == AKIN_REASON_NOT_A_TOKEN && akin_cli_path_is_saved(path))
        akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND, "%.600s: is no .akin file",
                       akin_cli_path_name(path));
    else if (error->reason != AKIN_REASON_NOT_A_TOKEN || error->line != 1)
        return;
    else if (first == '{' || first == '[')
        akin_cli_append(error, "; is it JSON lines? say so by --input jsonl");
    else if (isalpha((unsigned char)first))
        akin_cli_append(error, "; is it text? say so by --input text, or --tokens words");
}

/* The first columns of a table as they are, several of them combined. Of JSON lines without a line there is none. */
static akin_status take_strings(akin_cli_job *job, const akin_table *table, uint32_t count, akin_cli_source *out,
                                akin_error *error)
{
    static const uint64_t nothing[1] = {0};
    akin_column columns[AKIN_CLI_COLUMNS];
    const uint32_t rows = akin_table_rows(table);
    out->strings = (akin_column){.size = sizeof out->strings, .offsets = nothing};
    if (rows == 0)
        return AKIN_OK;
    akin_status status = list_columns(table, count, columns, error);
    if (status == AKIN_OK && count > 1)
        status = akin_table_combine(job->context, columns, count, rows, &out->combined, error);
    return status == AKIN_OK ? akin_table_column(count > 1 ? out->combined : table, 0, &out->strings, error) : status;
}

akin_status akin_cli_source_read(akin_cli_job *job, const akin_cli_reading *reading, const char *path,
                                 akin_cli_format format, const akin_cli_stop_words *words, akin_dictionary *dictionary,
                                 akin_cli_source *out, akin_error *error)
{
    akin_table *table = NULL;
    uint32_t compared = 0, id = 0;
    *out = (akin_cli_source){0};
    if (reading->ids && akin_path_has_files(path))
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "%.600s: token ids are read from one file; for text add --tokens words", path);
    akin_status status = reading->ids ? akin_sets_read(job->context, path, &out->sets, error)
                                      : akin_cli_source_table(job, reading, path, &table, &compared, &id, error);
    if (status == AKIN_E_INPUT)
        advise(reading, path, error);
    if (status == AKIN_OK)
        out->rows = reading->ids ? akin_sets_rows(out->sets) : akin_table_rows(table);
    if (reading->ids)
        return status;
    if (status == AKIN_OK && reading->strings)
        status = take_strings(job, table, compared, out, error);
    else if (status == AKIN_OK)
        status = make_sets(job, reading, table, compared, words, dictionary, out, error);
    if (status != AKIN_OK && table)
        akin_cli_source_locate(table, path, error);
    if (status == AKIN_OK && reading->id)
        status = akin_cli_names_make(job->context, path, table, id, format, &out->names, error);
    if (status == AKIN_OK && !reading->id && !reading->nameless && akin_table_files(table) > 1)
        status = akin_cli_names_by_file(job->context, table, format, &out->names, error);
    if (status == AKIN_OK && (reading->keep_records || reading->strings || reading->show_count > 0)) {
        out->table = table;
        table = NULL;
        status = akin_cli_source_show(out, reading->show, reading->show_count, reading->show_optional, error);
        if (status != AKIN_OK)
            akin_cli_source_blame_show(reading->show, reading->show_options, reading->show_count, path, error);
    }
    akin_table_free(table);
    if (status != AKIN_OK)
        akin_cli_source_clear(out);
    return status;
}

void akin_cli_source_clear(akin_cli_source *source)
{
    akin_sets_free(source->sets);
    akin_table_free(source->table);
    akin_table_free(source->combined);
    free(source->shown);
    akin_cli_names_clear(&source->names);
    *source = (akin_cli_source){0};
}
