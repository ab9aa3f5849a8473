/* Reads sizes in bytes, such as "512MiB". */
#include "base/error.h"

#include <string.h>

#define BLANKS " \t"

/* The power of 1024 or 1000 that a unit begins with: K is 1; 0: none. */
static int power_of(char unit)
{
    static const char prefixes[] = "KkMmGgTtPp";
    const char *prefix = unit ? strchr(prefixes, unit) : NULL;
    return prefix ? (int)(prefix - prefixes) / 2 + 1 : 0;
}

/* Whether a byte is that letter, of either case. */
static int is_letter(char c, char lower)
{
    return c == lower || c == lower - 'a' + 'A';
}

static akin_status refuse_size(const char *text, const char *what, akin_error *error)
{
    akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NOT_A_NUMBER, "'%.60s' is %s", text, what);
    return akin_note_word(AKIN_E_OPTION, text, strlen(text), error);
}

akin_status akin_size_parse(const char *text, uint64_t *out, akin_error *error)
{
    const char *c = text + strspn(text, BLANKS), *first = c;
    uint64_t value = 0;
    int is_large = 0, base = 1024;
    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        is_large |= value > (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    int has_digits = c > first, power;
    c += strspn(c, BLANKS);
    power = power_of(*c);
    c += power > 0;
    if (power > 0 && is_letter(*c, 'i'))
        c++;
    else if (power > 0 && is_letter(*c, 'b'))
        base = 1000;
    c += is_letter(*c, 'b');
    c += strspn(c, BLANKS);
    if (!has_digits || *c)
        return refuse_size(
            text, "no size; expected a whole number of bytes, or one with K, M, G, T or P, such as 512M, 512MiB or 2GB",
            error);
    for (; power > 0; power--) {
        is_large |= value > UINT64_MAX / (uint64_t)base;
        value *= (uint64_t)base;
    }
    if (is_large)
        return refuse_size(text, "too large; expected less than 16384P", error);
    *out = value;
    return AKIN_OK;
}
