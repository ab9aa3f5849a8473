/* Messages of akin on stderr, and the exit status that goes with each. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

/* Prints a message as the library makes its own printable: without control characters and parts of characters. */
static void print_message(const char *kind, const char *message)
{
    akin_error printable;
    akin_error_set(&printable, AKIN_OK, AKIN_REASON_NONE, "%s", message);
    fprintf(stderr, "akin: %s%s\n", kind, printable.message);
}

static _Thread_local akin_cli_places *places_at_hand;

void akin_cli_places_use(akin_cli_places *places)
{
    places_at_hand = places;
}

/* Prints a message about an option of that name, of `length` bytes, with its place if a job says the option. */
static void print_about(const char *option, size_t length, const char *message)
{
    akin_cli_places *places = places_at_hand;
    char place[700] = "";
    for (size_t i = 0; places && length > 0 && i < places->count; i++) {
        const struct akin_cli_place *at = &places->list[i];
        if (strlen(at->option) != length || memcmp(at->option, option, length) != 0)
            continue;
        snprintf(place, sizeof place, "%.600s:%llu: ", places->file, (unsigned long long)at->line);
        places->named = 1;
        break;
    }
    print_message(place, message);
}

int akin_cli_refuse(const char *format, ...)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *option = strncmp(text, "--", 2) == 0 ? text + 2 : "";
    print_about(option, strspn(option, letters), text);
    return AKIN_CLI_USAGE;
}

void akin_cli_put_shown(FILE *to, const char *text, size_t length, char instead)
{
    int is_shown;
    for (size_t at = 0, bytes; at < length; at += bytes) {
        bytes = akin_character_shown(text + at, length - at, &is_shown);
        if (is_shown)
            fwrite(text + at, 1, bytes, to);
        else
            putc(instead, to);
    }
}

void akin_cli_put_text(FILE *to, const char *text)
{
    akin_cli_put_shown(to, text, strlen(text), '?');
}

const char *akin_cli_word(const char *word)
{
    return *word ? word : "''";
}

akin_status akin_cli_fail_option(akin_error *error, akin_reason reason, const char *option, const char *format, ...)
{
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    akin_error_set(error, AKIN_E_OPTION, reason, "--%s%s", option, text);
    snprintf(error->option, sizeof error->option, "%s", option);
    return AKIN_E_OPTION;
}

void akin_cli_append(akin_error *error, const char *format, ...)
{
    size_t length = strlen(error->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message + length, sizeof error->message - length, format, arguments);
    va_end(arguments);
}

void akin_cli_warn(const char *format, ...)
{
    char message[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    print_message("warning: ", message);
}

void akin_cli_warn_of(void *user, const char *text)
{
    (void)user;
    akin_cli_warn("%s", text);
}

int akin_cli_fail(const akin_error *error)
{
    const size_t length = error->code == AKIN_E_OPTION ? strlen(error->option) : 0;
    print_about(error->option, length, error->code == AKIN_E_CANCELLED ? "cancelled" : error->message);
    switch (error->code) {
    case AKIN_OK:
        return AKIN_CLI_DONE;
    case AKIN_E_OPTION:
    case AKIN_E_INPUT:
    case AKIN_E_LIMIT:
        return AKIN_CLI_USAGE;
    case AKIN_E_CANCELLED:
        return AKIN_CLI_CANCELLED;
    case AKIN_E_NOMEM:
    case AKIN_E_IO:
    case AKIN_E_DEVICE:
        break;
    }
    return AKIN_CLI_FAILED;
}

int akin_cli_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return AKIN_CLI_DONE;
    fprintf(stderr, "akin: standard output: cannot be written: %s\n", strerror(errno));
    return AKIN_CLI_FAILED;
}
