/* Numbers as messages for people have them. */
#include "base/counted.h"

#include <stdio.h>
#include <string.h>

const char *akin_count(akin_counted *room, uint64_t count, const char *thing)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    char *to = room->text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    snprintf(to, sizeof room->text - (size_t)(to - room->text), " %.30s%s", thing, count == 1 ? "" : "s");
    return room->text;
}

const char *akin_count_bytes(akin_counted *room, double bytes)
{
    static const char *const units[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
    double value = bytes / 1000;
    size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1000;
    if (bytes < 1000)
        return akin_count(room, (uint64_t)bytes, "byte");
    snprintf(room->text, sizeof room->text, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
    return room->text;
}
