/* Whole numbers as people read them: 1,234,567. */
#ifndef AKIN_BASE_GROUPED_H
#define AKIN_BASE_GROUPED_H

#include <stdint.h>

#define AKIN_GROUPED 32 /* bytes: 20 digits, their commas and a NUL */

/* Writes a count with commas between its thousands; returns where it begins within `text`. */
static inline const char *akin_grouped(char text[AKIN_GROUPED], uint64_t count)
{
    char *at = text + AKIN_GROUPED - 1;
    *at = '\0';
    for (int digits = 0; digits == 0 || count > 0; digits++, count /= 10) {
        if (digits > 0 && digits % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + count % 10);
    }
    return at;
}

#endif
