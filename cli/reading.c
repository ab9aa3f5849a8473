/* Checks the options that say how a file is read. */
#define _POSIX_C_SOURCE 200809L /* access */

#include "reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "number.h"
#include "path.h"

int akin_cli_table_format_parse(const char *name, akin_format *out)
{
    const akin_choice *row;
    if (akin_choice_find("table-formats", name, &row, NULL) != AKIN_OK || !(row->capabilities & AKIN_CAN_READ))
        return 0;
    *out = (akin_format)row->value;
    return 1;
}

int akin_cli_reading_refuse_unknown(const char *path)
{
    akin_cli_listed names;
    if (akin_cli_path_check_files(path) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (akin_cli_path_is_saved(path))
        return akin_cli_refuse("%s: is a file saved by akin; expected a table", path);
    if (!akin_cli_path_is_stdin(path) && access(path, R_OK) != 0)
        return akin_cli_refuse("%s: cannot be opened: %s", path, strerror(errno));
    return akin_cli_missing(&(akin_cli_option){.name = "input", .argument = "TABLE"}, "the format of %s: %s",
                            akin_cli_path_name(path), akin_cli_names_of("table-formats", AKIN_HAS_COLUMNS, &names));
}

/* What the options of columns are called. */
static const char *on_option(const akin_cli_reading_words *words)
{
    return words->on_option ? words->on_option : "on";
}

static const char *id_option(const akin_cli_reading_words *words)
{
    return words->id_option ? words->id_option : "id";
}

/* An option that only text has a use for, as it is named; NULL: none was given. */
static const char *text_option(const akin_cli_reading_words *words)
{
    return words->on           ? on_option(words)
           : words->id         ? id_option(words)
           : words->tokens     ? "tokens"
           : words->multiset   ? "multiset"
           : words->fold       ? words->fold
           : words->stop_words ? "stop-words"
           : words->lossy      ? "lossy"
           : words->strings    ? words->strings
                               : words->implied;
}

/* The kind of input: ids, or the format of a table. */
static int read_input_kind(const akin_cli_reading_words *words, const char *path, akin_cli_reading *out)
{
    const char *option = text_option(words);
    if (!words->input) {
        if (akin_format_of_name(path, &out->format, NULL) != AKIN_OK)
            out->format = AKIN_FORMAT_TEXT;
        out->ids = out->format == AKIN_FORMAT_TEXT && !option;
        out->by_name = akin_path_has_files(path);
        if (option && akin_cli_path_is_saved(path))
            return akin_cli_refuse("--%s: %s is a file saved by akin, which has no text", option, path);
        return AKIN_CLI_DONE;
    }
    const akin_cli_option input = {.name = "input",
                                   .choices = "table-formats",
                                   .capabilities = AKIN_CAN_READ,
                                   .other = words->strings ? NULL : "ids"};
    akin_cli_listed names;
    out->ids = strcmp(words->input, "ids") == 0;
    if (out->ids && option)
        return akin_cli_refuse("--%s: token ids have no text: expected --input %s", option,
                               akin_cli_names_of(input.choices, input.capabilities, &names));
    return out->ids ? AKIN_CLI_DONE : akin_cli_option_format(&input, words->input, &out->format);
}

/* Takes a name off *text, up to one of `ends`, which *end is then. One in quotes may hold these, and quotes that are
 * doubled. NULL: it does not end as it began. */
static const char *take_name(char **text, const char *ends, char *end)
{
    char *name = *text, *from = name, *to = name;
    const int quoted = *from == '"';
    for (from += quoted; *from; *to++ = *from++) {
        if (quoted ? *from == '"' && from[1] != '"' : strchr(ends, *from) != NULL)
            break;
        from += quoted && *from == '"'; /* a doubled quote */
    }
    if (quoted && *from++ != '"')
        return NULL;
    *end = *from;
    if (*end && !strchr(ends, *end))
        return NULL;
    *text = from + (*end != '\0');
    *to = '\0';
    return name;
}

/* Takes a column off a list: its name in each of two tables, with `is_sided` perhaps LEFT=RIGHT. *end is what follows
 * it. 0: it has none, or no end. */
static int take_column(char **text, int is_sided, const char *names[2], char *end)
{
    names[0] = names[1] = take_name(text, is_sided ? ",=" : ",", end);
    if (names[0] && *end == '=')
        names[1] = take_name(text, ",", end);
    return names[0] && *names[0] && names[1] && *names[1];
}

static int is_among(const char *name, const char *const *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return 1;
    return 0;
}

/* `right` is NULL of one list, whose names may hold an equals sign. */
static int split_columns(const char *option, const char *text, char **words, const char *left[AKIN_CLI_COLUMNS],
                         const char *right[AKIN_CLI_COLUMNS], uint32_t *count)
{
    size_t length = strlen(text) + 1;
    *words = malloc(length);
    if (!*words) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    char *next = memcpy(*words, text, length), end = ',';
    while (end) {
        const char *names[2];
        if (!take_column(&next, right != NULL, names, &end))
            return akin_cli_refuse(
                "--%s %s: expected names of columns, separated by single commas; one with a comma "
                "in it in quotes, as in CSV",
                option, akin_cli_word(text));
        if (*count == AKIN_CLI_COLUMNS)
            return akin_cli_refuse("--%s: more than %d columns", option, AKIN_CLI_COLUMNS);
        for (int side = 0; side < (right ? 2 : 1); side++)
            if (is_among(names[side], side ? right : left, *count))
                return akin_cli_refuse("--%s %s: column '%s' is named twice", option, text, names[side]);
        left[*count] = names[0];
        if (right)
            right[*count] = names[1];
        ++*count;
    }
    return AKIN_CLI_DONE;
}

int akin_cli_split_columns(const char *option, const char *text, char **words, const char *list[AKIN_CLI_COLUMNS],
                           uint32_t *count)
{
    return split_columns(option, text, words, list, NULL, count);
}

int akin_cli_split_sides(const char *option, const char *text, int two, char **words,
                         const char *lists[2][AKIN_CLI_COLUMNS], uint32_t *count)
{
    int status = split_columns(option, text, words, lists[0], lists[1], count);
    for (uint32_t i = 0; i < *count && status == AKIN_CLI_DONE && !two; i++)
        if (strcmp(lists[0][i], lists[1][i]) != 0)
            return akin_cli_refuse(
                "--%s %s: LEFT=RIGHT names a column of two tables, and there is one: a name with = "
                "in it stands in quotes",
                option, akin_cli_word(text));
    return status;
}

/* The column of plain text. */
static const char only_column[] = "text";

/* Takes names of columns of this file. */
static int take_columns(const akin_cli_reading_words *words, const char *option, const char *text, int tables,
                        char **own, const char *list[AKIN_CLI_COLUMNS], uint32_t *count)
{
    const char *lists[2][AKIN_CLI_COLUMNS];
    if (!tables)
        return akin_cli_split_columns(option, text, own, list, count);
    int status = akin_cli_split_sides(option, text, tables == 2, own, lists, count);
    if (status == AKIN_CLI_DONE)
        memcpy(list, lists[words->side], *count * sizeof *list);
    return status;
}

/* The column with the names of rows. Where it is of one file, the word is its name as it stands. */
static int take_id(const akin_cli_reading_words *words, akin_cli_reading *out)
{
    const char *list[AKIN_CLI_COLUMNS] = {NULL};
    uint32_t count = 0;
    out->id = words->id;
    if (!words->id || !words->id_tables)
        return AKIN_CLI_DONE;
    int status = take_columns(words, id_option(words), words->id, words->id_tables, &out->id_words, list, &count);
    if (status == AKIN_CLI_DONE && count > 1)
        return akin_cli_refuse("--%s %s: expected one column; a name with a comma stands in quotes", id_option(words),
                               words->id);
    if (status == AKIN_CLI_DONE)
        out->id = list[0];
    return status;
}

/* Refuses a column that plain text does not have. */
static int check_plain(const akin_cli_reading_words *words, const char *option, int tables, const char *given,
                       const char *name, const char *path)
{
    if (!name || strcmp(name, only_column) == 0)
        return AKIN_CLI_DONE;
    if (tables == 2 && strcmp(option, "on") == 0 && !strchr(given, '=') && strchr(given, ','))
        return akin_cli_refuse("--%s %s: %s is plain text, whose column is %s: expected --%s-on %s --%s-on %s", option,
                               given, akin_cli_path_name(path), only_column, words->side ? "right" : "left",
                               only_column, words->side ? "left" : "right", given);
    if (tables == 2 && !strpbrk(given, "=,"))
        return akin_cli_refuse("--%s %s: %s is plain text, whose column is %s: expected --%s %s=%s", option, given,
                               akin_cli_path_name(path), only_column, option, words->side ? name : only_column,
                               words->side ? only_column : name);
    return akin_cli_refuse("--%s %s: %s is plain text, whose column is %s, not '%s'", option, given,
                           akin_cli_path_name(path), only_column, name);
}

/* The columns to compare, separated by commas. */
static int read_compared_columns(const akin_cli_reading_words *words, const char *path, akin_cli_reading *out)
{
    const int is_plain = !akin_cli_has_columns(out->format);
    akin_format told;
    if (is_plain && (words->on || words->id)) {
        if (!words->input && akin_cli_path_check_files(path) != AKIN_CLI_DONE)
            return AKIN_CLI_USAGE;
        if (!words->input && akin_format_of_name(path, &told, NULL) != AKIN_OK)
            return akin_cli_reading_refuse_unknown(path);
    }
    int status = take_id(words, out);
    if (status == AKIN_CLI_DONE && words->on)
        status =
            take_columns(words, on_option(words), words->on, words->on_tables, &out->words, out->on, &out->on_count);
    for (uint32_t i = 0; i < out->on_count && status == AKIN_CLI_DONE && is_plain; i++)
        status = check_plain(words, on_option(words), words->on_tables, words->on, out->on[i], path);
    if (status == AKIN_CLI_DONE && is_plain)
        status = check_plain(words, id_option(words), words->id_tables, words->id, out->id, path);
    if (status != AKIN_CLI_DONE || is_plain)
        return status;
    out->all = !words->on && words->all;
    out->presumed = words->presumed ? on_option(words) : NULL;
    if (!words->on && !words->all)
        return akin_cli_missing(
            &(akin_cli_option){.name = on_option(words), .argument = words->single ? "COLUMN" : "COLUMN[,COLUMN...]"},
            "the column%s of %s to be %s", words->single ? "" : "s", akin_cli_path_name(path),
            words->purpose ? words->purpose : "compared");
    return AKIN_CLI_DONE;
}

static int check_text(const akin_cli_reading_words *words, akin_cli_reading *out)
{
    akin_text_options *text = &out->text;
    const char *tokens = words->tokens ? words->tokens : "words";
    *text = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    akin_error error;
    if (akin_tokens_parse(tokens, &text->tokens, &text->q, &error) != AKIN_OK)
        return akin_cli_refuse("--tokens: %s", error.message);
    text->multiset = words->multiset != NULL;
    text->fold = words->fold ? 1 : -1;
    out->stop_words = words->stop_words;
    out->lossy = words->lossy != NULL;
    return AKIN_CLI_DONE;
}

int akin_cli_reading_check(const akin_cli_reading_words *words, const char *path, akin_cli_reading *out)
{
    *out = (akin_cli_reading){.strings = words->strings != NULL};
    int status = words->input ? AKIN_CLI_DONE : akin_cli_path_check_foreign(path);
    if (status == AKIN_CLI_DONE)
        status = read_input_kind(words, path, out);
    if (status == AKIN_CLI_DONE && !out->ids)
        status = read_compared_columns(words, path, out);
    if (status == AKIN_CLI_DONE && !out->ids)
        status = check_text(words, out);
    return status;
}

void akin_cli_reading_clear(akin_cli_reading *reading)
{
    free(reading->words);
    free(reading->id_words);
    reading->words = reading->id_words = NULL;
}
