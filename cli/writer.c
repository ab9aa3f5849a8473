/* How values are written in the formats of results. */
#include "writer.h"

#include <string.h>

#include "path.h"

static int is_plain(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (name[i] == '"' || name[i] == ',' || name[i] == '\n' || name[i] == '\r')
            return 0;
    return 1;
}

/* Writes a name at `to`, which has room for 6 bytes a byte and 2 more; returns where it ends. */
static char *write_quoted(char *to, const char *name, size_t length)
{
    *to++ = '"';
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '"')
            *to++ = '"';
        *to++ = name[i];
    }
    *to++ = '"';
    return to;
}

static char *write_plain(char *to, const char *name, size_t length)
{
    memcpy(to, name, length);
    return to + length;
}

static char *write_csv(char *to, const char *name, size_t length)
{
    return is_plain(name, length) ? write_plain(to, name, length) : write_quoted(to, name, length);
}

/* What is a formula has a byte at least, so the apostrophe has room. */
static char *write_safe_csv(char *to, const char *name, size_t length)
{
    if (!akin_is_formula(name, length))
        return write_csv(to, name, length);
    char *end = write_quoted(to + 1, name, length);
    to[0] = '"';
    to[1] = '\'';
    return end;
}

static char *write_json(char *to, const char *name, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    *to++ = '"';
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c == '"' || c == '\\') {
            *to++ = '\\';
            *to++ = (char)c;
        } else if (c < ' ') {
            memcpy(to, "\\u00", 4);
            to[4] = digits[c >> 4];
            to[5] = digits[c & 15];
            to += 6;
        } else {
            *to++ = (char)c;
        }
    }
    *to++ = '"';
    return to;
}

static const akin_cli_writer writers[] = {
    {",", "", write_csv, AKIN_FORMAT_CSV, 1, 0},         {"\t", "", write_plain, AKIN_FORMAT_TSV, 0, 0},
    {NULL, "null", write_json, AKIN_FORMAT_JSONL, 1, 0}, {"\t", "", write_plain, AKIN_FORMAT_TEXT, 1, 0},
    {",", "", write_safe_csv, AKIN_CLI_SAFE_CSV, 1, 0},
};

/* Of all "opened-formats". Text in quotes is not null, even if it is empty. */
static const akin_cli_writer saved = {",", "", write_quoted, AKIN_FORMAT_AUTO, 1, 1};

const akin_cli_writer *akin_cli_writer_of(akin_cli_format format)
{
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (writers[i].format == format)
            return &writers[i];
    return format == AKIN_FORMAT_AUTO ? writers : &saved; /* called for each name: no look at "opened-formats" */
}

const akin_choice *akin_cli_saved_of(const char *path)
{
    akin_format told;
    const int is_told = path && akin_format_of_name(path, &told, NULL) == AKIN_OK;
    return is_told ? akin_choice_of_value("opened-formats", (int)told) : NULL;
}

/* The format that a file's name ends in, if results are written in it. Returns AKIN_CLI_DONE, or AKIN_CLI_USAGE of a
 * format that is not written. */
static int guess(const char *path, akin_cli_format *out)
{
    akin_format told;
    if (akin_format_of_name(path, &told, NULL) != AKIN_OK)
        return akin_cli_path_check_foreign(path);
    if (akin_cli_format_row(told)->capabilities & AKIN_CAN_WRITE)
        *out = told;
    return AKIN_CLI_DONE;
}

/* Refuses a format that only the name of a file gives. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
static int check_word(const akin_cli_option *option, const char *word)
{
    const akin_choice *row = akin_cli_choice_find("opened-formats", word);
    if (!row)
        return AKIN_CLI_DONE;
    return akin_cli_refuse(
        "--%s %s: standard output and pipes cannot be %s: leave the option out, and name a file or "
        "an address of that format with -o",
        option->name, row->name, row->name);
}

int akin_cli_format_check(const akin_cli_option *option, const char *word, const char *path, const char *what,
                          akin_cli_format *out)
{
    char names[AKIN_CLI_HELP_BYTES];
    const akin_choice *row = akin_cli_saved_of(path);
    if (word && check_word(option, word) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (word && row)
        return akin_cli_refuse("--%s %s and %s: that is %s: leave out --%s, or name another file", option->name, word,
                               path, row->name, option->name);
    if (row) {
        *out = (akin_cli_format)row->value;
        return AKIN_CLI_DONE;
    }
    if (word)
        return akin_cli_option_format(option, word, out);
    if (!path)
        return AKIN_CLI_DONE;
    if (akin_cli_path_ends(path, ".json") || akin_cli_path_ends(path, ".akin"))
        return akin_cli_refuse("%s: %s are written as %s: name it so, or give --%s to write it there all the same",
                               path, what, akin_cli_option_names(option, 0, names), option->name);
    return guess(path, out);
}

int akin_cli_safe_check(const char *given, const char *path, akin_cli_format *format)
{
    if (!given)
        return AKIN_CLI_DONE;
    if (akin_cli_writer_of(*format)->write != write_csv)
        return akin_cli_refuse("--safe-csv: %s is not written as CSV: leave the option out, or write CSV",
                               path && strcmp(path, "-") != 0 ? path : "standard output");
    *format = AKIN_CLI_SAFE_CSV;
    return AKIN_CLI_DONE;
}

akin_cli_field akin_cli_field_of(const char *text)
{
    akin_cli_field field = {.length = strlen(text)};
    memcpy(field.text, text, field.length);
    return field;
}
