/* Errors as values: formats messages into the caller's akin_error, with what programs read beside them. */
#undef _GNU_SOURCE /* which would give strerror_r another type */
#define _POSIX_C_SOURCE 200809L

#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- fields */

/* How many bytes the character at `at` has; 0: only a part of it is there, as the message or a name in it was cut. */
static size_t character_bytes(const unsigned char *at)
{
    const size_t bytes = *at < 0xc2 || *at > 0xf4 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return bytes;
}

/* A name or a word from the input may hold what would break the line, or be a terminal's command: '?' takes its place.
 * Parts of characters are left out. */
static void make_printable(char *message)
{
    unsigned char *to = (unsigned char *)message;
    for (const unsigned char *from = to; *from;) {
        int is_shown;
        if (character_bytes(from) == 0) {
            for (from++; (*from & 0xc0) == 0x80;)
                from++;
            continue;
        }
        const size_t bytes = akin_character_shown((const char *)from, strnlen((const char *)from, 4), &is_shown);
        memmove(to, is_shown ? from : (const unsigned char *)"?", is_shown ? bytes : 1);
        to += is_shown ? bytes : 1;
        from += bytes;
    }
    *to = '\0';
}

/* Copies a name, or as much of it as has room, without a part of a character at the end. */
static void keep_name(char *to, size_t room, const char *text, size_t length)
{
    if (length >= room)
        for (length = room - 1; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    memcpy(to, text, length);
    to[length] = '\0';
}

/* Resets all fields. */
static void reset_error(akin_error *error, akin_status code, akin_reason reason)
{
    error->code = code;
    error->system = 0;
    error->reason = reason;
    error->row = AKIN_NO_ROW;
    error->rest = 0;
    error->line = 0;
    error->message[0] = error->column[0] = error->word[0] = error->meant[0] = '\0';
    error->option[0] = '\0';
}

akin_status akin_note_place(akin_status code, uint64_t row, const char *column, akin_error *error)
{
    if (error) {
        error->row = row < AKIN_NO_ROW ? (uint32_t)row : AKIN_NO_ROW;
        keep_name(error->column, sizeof error->column, column ? column : "", column ? strlen(column) : 0);
    }
    return code;
}

akin_status akin_note_word(akin_status code, const char *word, size_t length, akin_error *error)
{
    if (error)
        keep_name(error->word, sizeof error->word, word, length);
    return code;
}

akin_status akin_note_meant(akin_status code, const char *meant, akin_error *error)
{
    if (error && meant)
        keep_name(error->meant, sizeof error->meant, meant, strlen(meant));
    return code;
}

akin_status akin_note_from(akin_status code, const akin_error *from, akin_error *error)
{
    if (error) {
        error->system = from->system;
        error->reason = from->reason;
        error->row = from->row;
        error->line = from->line;
        memcpy(error->column, from->column, sizeof error->column);
        memcpy(error->word, from->word, sizeof error->word);
        memcpy(error->meant, from->meant, sizeof error->meant);
    }
    return code;
}

/* --------------------------------------------------------------------------------------------------------- messages */

/* Fills all fields of an error; `place` comes before the message. */
AKIN_PRINTF(5, 0)
static void fill_error(akin_error *error, akin_status code, akin_reason reason, const char *place, const char *format,
                       va_list arguments)
{
    if (!error)
        return;
    reset_error(error, code, reason);
    snprintf(error->message, sizeof error->message, "%s", place);
    make_printable(error->message);
    const size_t length = strlen(error->message);
    vsnprintf(error->message + length, sizeof error->message - length, format, arguments);
    make_printable(error->message + length);
    error->rest = (uint32_t)length;
}

akin_status akin_error_set(akin_error *error, akin_status code, akin_reason reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, code, reason, "", format, arguments);
    va_end(arguments);
    return code;
}

akin_status akin_fail(akin_error *error, akin_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, code, AKIN_REASON_NONE, "", format, arguments);
    va_end(arguments);
    return code;
}

akin_status akin_fail_line(akin_error *error, akin_status code, akin_reason reason, const char *name, uint64_t line,
                           const char *format, ...)
{
    char place[sizeof error->message];
    va_list arguments;
    snprintf(place, sizeof place, "%s:%llu: ", name, (unsigned long long)line);
    va_start(arguments, format);
    fill_error(error, code, reason, place, format, arguments);
    va_end(arguments);
    if (error)
        error->line = line;
    return code;
}

akin_status akin_fail_node(akin_error *error, akin_status code, const char *called, const akin_json_node *node,
                           const char *format, va_list arguments)
{
    char message[600], key[120] = "", name[251];
    vsnprintf(message, sizeof message, format, arguments);
    if (node->key)
        snprintf(key, sizeof key, "\"%.100s\": ", node->key);
    if (!called)
        return akin_error_set(error, code, AKIN_REASON_MALFORMED, "%s%s", key, message);
    snprintf(name, sizeof name, "%s", called);
    return akin_fail_line(error, code, AKIN_REASON_MALFORMED, name, node->line, "%s%s", key, message);
}

akin_status akin_fail_row(akin_error *error, akin_status code, akin_reason reason, uint64_t row, const char *column,
                          const char *format, ...)
{
    char place[32];
    va_list arguments;
    snprintf(place, sizeof place, "row %llu", (unsigned long long)row);
    va_start(arguments, format);
    fill_error(error, code, reason, place, format, arguments);
    va_end(arguments);
    if (error)
        error->rest += (uint32_t)strspn(error->message + error->rest, ":, ");
    return akin_note_place(code, row, column, error);
}

akin_status akin_fail_column(akin_error *error, akin_status code, akin_reason reason, const char *column,
                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, code, reason, "", format, arguments);
    va_end(arguments);
    return akin_note_place(code, AKIN_NO_ROW, column, error);
}

akin_status akin_fail_option(akin_error *error, akin_reason reason, const char *option, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, AKIN_E_OPTION, reason, option, format, arguments);
    va_end(arguments);
    if (error)
        keep_name(error->option, sizeof error->option, option, strlen(option));
    return AKIN_E_OPTION;
}

akin_status akin_fail_missing(akin_error *error, const char *options, const char *what)
{
    char place[sizeof error->message];
    akin_error whole;
    snprintf(place, sizeof place, "%s is missing: ", options);
    akin_fail_option(&whole, AKIN_REASON_MISSING, place, "%s", what);
    keep_name(whole.option, sizeof whole.option, options, strcspn(options, ", "));
    return akin_fail_again(error, AKIN_E_OPTION, &whole);
}

akin_status akin_fail_system(akin_error *error, akin_status code, akin_reason reason, int number, const char *format,
                             ...)
{
    if (error) {
        char text[768], why[128];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        if (strerror_r(number, why, sizeof why) != 0)
            snprintf(why, sizeof why, "error %d", number);
        if (reason == AKIN_REASON_FILE && number == ENOENT)
            reason = AKIN_REASON_NO_FILE;
        akin_error_set(error, code, reason, "%s: %s", text, why);
        error->system = number;
    }
    return code;
}

akin_status akin_fail_memory(akin_error *error, const char *what)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for %s", what);
}

akin_status akin_fail_again(akin_error *error, akin_status code, const akin_error *from)
{
    if (error) {
        *error = *from;
        error->code = code;
    }
    return code;
}

akin_status akin_fail_stopped(akin_error *error, akin_status status, const char *what)
{
    if (status == AKIN_E_NOMEM)
        return akin_fail_memory(error, what);
    return status == AKIN_E_CANCELLED ? akin_fail(error, status, "cancelled")
                                      : akin_fail(error, status, "%s: the job could not be finished", what);
}
