/* Errors as values: formats messages into the caller's akin_error. */
#undef _GNU_SOURCE /* which would give strerror_r another type */
#define _POSIX_C_SOURCE 200809L

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A name or a word from the input may hold what would break the line, or be a terminal's command. */
static void make_printable(char *message)
{
    for (unsigned char *c = (unsigned char *)message; *c; c++)
        if (*c < ' ' || *c == 0x7f)
            *c = '?';
}

akin_status akin_fail(akin_error *error, akin_status code, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        make_printable(error->message);
        error->code = code;
        error->system = 0;
    }
    return code;
}

akin_status akin_fail_system(akin_error *error, akin_status code, int number, const char *format, ...)
{
    if (error) {
        char text[768], reason[128];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        if (strerror_r(number, reason, sizeof reason) != 0)
            snprintf(reason, sizeof reason, "error %d", number);
        akin_fail(error, code, "%s: %s", text, reason);
        error->system = number;
    }
    return code;
}

akin_status akin_fail_memory(akin_error *error, const char *what)
{
    return akin_fail(error, AKIN_E_NOMEM, "not enough memory for %s", what);
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
    return status == AKIN_E_NOMEM ? akin_fail_memory(error, what) : akin_fail(error, status, "cancelled");
}
