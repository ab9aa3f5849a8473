/* The options that tell how a file is to be read, checked. */
#include "reading.h"

#include <stdlib.h>
#include <string.h>

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
    if (akin_cli_path_is_directory(path))
        return akin_cli_refuse("%s: is a directory; expected a file", path);
    if (akin_cli_path_is_saved(path))
        return akin_cli_refuse("%s: is a file saved by akin; expected a table", path);
    return akin_cli_refuse("%s: what kind of table is it? say so by --input %s", akin_cli_path_name(path),
                           akin_cli_names_of("table-formats", AKIN_HAS_COLUMNS, &names));
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
static int check_kind(const akin_cli_reading_words *words, const char *path, akin_cli_reading *out)
{
    const char *option = text_option(words);
    if (!words->input) {
        if (akin_format_of_name(path, &out->format, NULL) != AKIN_OK)
            out->format = AKIN_FORMAT_TEXT;
        out->ids = out->format == AKIN_FORMAT_TEXT && !option;
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

/* Takes the first name off a list, which is NULL then if it was the last. One in quotes may hold commas, and quotes
 * that are doubled. NULL: it does not end as it began. */
static const char *take_name(char **list)
{
    char *name = *list, *from = name, *to = name, ending = *from == '"' ? '"' : ',';
    for (from += ending == '"'; *from; *to++ = *from++) {
        if (*from == ending && (ending == ',' || from[1] != '"'))
            break;
        from += *from == ending; /* a doubled quote */
    }
    if (ending == '"' && *from++ != '"')
        return NULL;
    if (*from && *from != ',')
        return NULL;
    *list = *from ? from + 1 : NULL;
    *to = '\0';
    return name;
}

int akin_cli_split_columns(const char *option, const char *text, char **words, const char *list[AKIN_CLI_COLUMNS],
                           uint32_t *count)
{
    size_t length = strlen(text) + 1;
    *words = malloc(length);
    if (!*words) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    memcpy(*words, text, length);
    for (char *next = *words; next;) {
        const char *word = take_name(&next);
        if (!word || !*word)
            return akin_cli_refuse(
                "--%s %s: expected names of columns, separated by single commas; one with a comma "
                "in it in quotes, as in CSV",
                option, akin_cli_word(text));
        if (*count == AKIN_CLI_COLUMNS)
            return akin_cli_refuse("--%s: more than %d columns", option, AKIN_CLI_COLUMNS);
        for (uint32_t i = 0; i < *count; i++)
            if (strcmp(list[i], word) == 0)
                return akin_cli_refuse("--%s %s: column '%s' is named twice", option, text, word);
        list[(*count)++] = word;
    }
    return AKIN_CLI_DONE;
}

/* The columns to compare, separated by commas. */
static int check_columns(const akin_cli_reading_words *words, const char *path, akin_cli_reading *out)
{
    out->id = words->id;
    if (!akin_cli_has_columns(out->format)) {
        akin_format told;
        int is_told = words->input || akin_format_of_name(path, &told, NULL) == AKIN_OK;
        if ((words->on || words->id) && akin_cli_path_is_directory(path))
            return akin_cli_refuse("%s: is a directory; expected a file", path);
        if ((words->on || words->id) && is_told)
            return akin_cli_refuse("--%s: %s is plain text, which has no columns",
                                   words->on ? on_option(words) : id_option(words), akin_cli_path_name(path));
        if (words->on || words->id)
            return akin_cli_reading_refuse_unknown(path);
        return AKIN_CLI_DONE;
    }
    if (!words->on && words->all) {
        out->all = 1;
        return AKIN_CLI_DONE;
    }
    if (!words->on)
        return akin_cli_refuse("%s: which column%s to be %s? expected --%s COLUMN%s", akin_cli_path_name(path),
                               words->strings ? " is" : "s are", words->purpose ? words->purpose : "compared",
                               on_option(words), words->strings ? "" : "[,COLUMN...]");
    int status = akin_cli_split_columns(on_option(words), words->on, &out->words, out->on, &out->on_count);
    if (status != AKIN_CLI_DONE)
        return status;
    if (words->strings && out->on_count > 1)
        return akin_cli_refuse("--%s %s: --%s compares strings, which are of one column, not of %u", on_option(words),
                               words->on, words->strings, out->on_count);
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
        status = check_kind(words, path, out);
    if (status == AKIN_CLI_DONE && !out->ids)
        status = check_columns(words, path, out);
    if (status == AKIN_CLI_DONE && !out->ids)
        status = check_text(words, out);
    return status;
}

void akin_cli_reading_clear(akin_cli_reading *reading)
{
    free(reading->words);
    reading->words = NULL;
}
