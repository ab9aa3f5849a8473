/* Numbers as text: read from the command line, written to results and to reports. */
#include "number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

size_t akin_cli_format_double(char text[AKIN_CLI_NUMBER], double value)
{
    char *end = akin_digits_double(text, value);
    *end = '\0';
    return (size_t)(end - text);
}

/* Zeros behind the point are there anyway, so the fewest places are the fewest digits. */
const char *akin_cli_format_plain(char text[AKIN_CLI_PLAIN], double value)
{
    for (int places = 0; places <= 40; places++) {
        snprintf(text, AKIN_CLI_PLAIN, "%.*f", places, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

size_t akin_cli_format_rounded(char text[AKIN_CLI_NUMBER], double value, int digits)
{
    /* a larger value has fewer digits in a double than `digits` says, or exceeds the room */
    if (digits < 0 || value >= 1e9 || value <= -1e9)
        return akin_cli_format_double(text, value);
    size_t length = (size_t)snprintf(text, AKIN_CLI_NUMBER, "%.*f", digits, value);
    while (digits > 0 && text[length - 1] == '0')
        length--;
    length -= text[length - 1] == '.';
    if (length == 2 && text[0] == '-' && text[1] == '0') {
        text[0] = '0';
        length = 1;
    }
    text[length] = '\0';
    return length;
}

char *akin_cli_texts_put(akin_cli_texts *texts, char *at, double value, int digits)
{
    uint64_t key;
    memcpy(&key, &value, sizeof key);
    akin_cli_text *slot = &texts->slots[key * 0x9e3779b97f4a7c15u >> (64 - AKIN_CLI_TEXTS_BITS)];
    if (slot->key != key || slot->length == 0) {
        char text[AKIN_CLI_NUMBER];
        slot->key = key;
        slot->length = (uint8_t)akin_cli_format_rounded(text, value, digits);
        memcpy(slot->text, text, slot->length);
    }
    memcpy(at, slot->text, sizeof slot->text); /* a fixed length takes one or two moves; the rest is overwritten */
    return at + slot->length;
}

int akin_cli_read_digits(const char *text, int *digits)
{
    uint64_t number = 0;
    *digits = -1;
    if (text && !akin_cli_read_u64(text, 0, AKIN_CLI_DIGITS_MOST, &number))
        return 0;
    if (text)
        *digits = (int)number;
    return 1;
}

const char *akin_cli_format_grouped(char text[AKIN_CLI_NUMBER], uint64_t value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *at = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}

const char *akin_cli_format_amount(char text[AKIN_CLI_NUMBER], double value, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    while (value >= 999.5 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]) {
        value /= 1000;
        prefix++;
    }
    int decimals = prefix == 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    const char *blank = prefixes[prefix][0] || (unit[0] && unit[0] != ' ') ? " " : "";
    snprintf(text, AKIN_CLI_NUMBER, "%.*f%s%s%s", decimals, value, blank, prefixes[prefix], unit);
    return text;
}

int akin_cli_read_u64(const char *text, uint64_t low, uint64_t high, uint64_t *out)
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
    if (value < low || value > high)
        return 0;
    *out = value;
    return 1;
}

akin_status akin_cli_read_size(const char *option, const char *text, uint64_t low, const char *least, uint64_t *out,
                               akin_error *error)
{
    akin_error wrong = {.code = AKIN_OK};
    const akin_status status = akin_size_parse(text, out, &wrong);
    if (status == AKIN_OK && *out >= low)
        return AKIN_OK;
    if (status == AKIN_OK)
        return akin_cli_fail_option(error, AKIN_REASON_NONE, option, ": '%.60s' is too small; expected at least %s",
                                    text, least);
    return akin_cli_fail_option(error, wrong.reason, option, ": %s", wrong.message);
}

int akin_cli_read_double(const char *text, double *out)
{
    size_t whole = strspn(text, "0123456789");
    const char *rest = text + whole;
    size_t fraction = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
    if (*rest == '.')
        rest += 1 + fraction;
    if (*rest || whole + fraction == 0 || whole > 15)
        return 0;
    *out = strtod(text, NULL);
    return 1;
}
