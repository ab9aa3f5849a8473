/* Words that are made of fields, such as "title:exact:0.8". */
#include "dedupe/plan_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_MOST 300 /* bytes of what was said that a message shows */

char *akin_plan_take(char **text, const char *ends, char *ended)
{
    char *field = *text, *from = field, *to = field;
    int quoted = *from == '"';
    for (from += quoted; *from && (quoted || !strchr(ends, *from)); *to++ = *from++) {
        if (quoted && *from == '"' && *++from != '"') {
            quoted = 0;
            if (*from && !strchr(ends, *from))
                return NULL;
            break;
        }
    }
    if (quoted)
        return NULL;
    *ended = *from;
    *text = from + (*from != '\0');
    *to = '\0';
    return field;
}

const char *akin_plan_take_column(char **text, const char *ends, char *ended, const char **right)
{
    char both[8];
    snprintf(both, sizeof both, "=%s", ends);
    const char *left = akin_plan_take(text, both, ended);
    *right = left;
    if (left && *ended == '=')
        *right = akin_plan_take(text, ends, ended);
    return left && *left && *right && **right ? left : NULL;
}

int akin_plan_needs_quotes(const char *field, const char *taken)
{
    return *field == '"' || strpbrk(field, ":+=") != NULL || (taken && strcmp(field, taken) == 0);
}

char *akin_plan_put(char *to, const char *field, const char *taken)
{
    int quoted = akin_plan_needs_quotes(field, taken);
    if (quoted)
        *to++ = '"';
    for (; *field; field++) {
        if (quoted && *field == '"')
            *to++ = '"';
        *to++ = *field;
    }
    if (quoted)
        *to++ = '"';
    return to;
}

int akin_plan_number(const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    uint64_t value = 0;
    if (!*text)
        return 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return 0;
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    *out = value;
    return value >= low && value <= high;
}

akin_status akin_plan_fail(akin_error *error, akin_reason reason, const char *option, const char *said,
                           const char *word, const char *format, ...)
{
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    akin_fail_option(error, reason, option, " %.*s: %s", SHOWN_MOST, *said ? said : "''", message);
    return word ? akin_note_word(AKIN_E_OPTION, word, strlen(word), error) : AKIN_E_OPTION;
}

akin_status akin_plan_fail_from(akin_error *error, const char *option, const char *said, const akin_error *refused,
                                const char *advice)
{
    akin_plan_fail(error, refused->reason, option, said, NULL, "%s%s", refused->message, advice);
    return akin_note_from(AKIN_E_OPTION, refused, error);
}

akin_status akin_plan_fail_quotes(akin_error *error, const char *option, const char *said)
{
    return akin_plan_fail(error, AKIN_REASON_MALFORMED, option, said, said,
                          "a quote is not closed, or something follows it");
}

akin_status akin_plan_fail_column(akin_error *error, const char *option, const char *said, const char *right,
                                  const char *expected)
{
    return right ? akin_plan_fail(error, AKIN_REASON_MALFORMED, option, said, said, "%s", expected)
                 : akin_plan_fail_quotes(error, option, said);
}
