/* Types of columns, and values that were text in between. */
#define _GNU_SOURCE /* strtod_l */
#include "frame.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MOST 64 /* bytes of a number as text */

static const struct {
    const char *format;
    size_t width;
} types[] = {
    [AKIN_TYPE_U32] = {"I", 4},  [AKIN_TYPE_U64] = {"L", 8}, [AKIN_TYPE_F64] = {"g", 8}, [AKIN_TYPE_BOOL] = {"b", 1},
    [AKIN_TYPE_TEXT] = {"U", 0}, [AKIN_TYPE_I32] = {"i", 4}, [AKIN_TYPE_I64] = {"l", 8},
};

akin_type frame_type_of(const char *format)
{
    for (size_t type = 1; type < sizeof types / sizeof *types; type++)
        if (*types[type].format == *format)
            return (akin_type)type;
    return AKIN_TYPE_TEXT;
}

const char *frame_format_of(akin_type type)
{
    return types[type].format;
}

size_t frame_width_of(akin_type type)
{
    return types[type].width;
}

/* The bits of a whole number; those of a negative one are its complement. */
static uint64_t read_whole(const char *bytes, uint64_t length)
{
    const int is_negative = length > 0 && *bytes == '-';
    uint64_t value = 0;
    for (uint64_t i = (uint64_t)is_negative; i < length; i++)
        value = 10 * value + (uint64_t)(bytes[i] - '0');
    return is_negative ? 0 - value : value;
}

/* A double, whatever the locale of the program is. */
static double read_double(const char *bytes, uint64_t length)
{
    char text[NUMBER_MOST];
    const size_t used = length < NUMBER_MOST ? (size_t)length : NUMBER_MOST - 1;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* which is there already, and not made */
    memcpy(text, bytes, used);
    text[used] = '\0';
    const double value = plain ? strtod_l(text, NULL, plain) : strtod(text, NULL);
    if (plain)
        freelocale(plain);
    return value;
}

akin_status frame_put(akin_frame *made, uint32_t column, akin_type type, void *data, uint64_t i, uint64_t row,
                      const char *bytes, uint64_t length, akin_error *error)
{
    if (type == AKIN_TYPE_TEXT)
        return akin_frame_add_text(made, column, bytes, length, error);
    if (!bytes)
        return akin_frame_set_null(made, column, row, error);
    const uint64_t whole = type == AKIN_TYPE_F64 || type == AKIN_TYPE_BOOL ? 0 : read_whole(bytes, length);
    if (type == AKIN_TYPE_F64)
        ((double *)data)[i] = read_double(bytes, length);
    else if (type == AKIN_TYPE_BOOL)
        ((unsigned char *)data)[i] = length == strlen("true");
    else if (types[type].width == 4)
        ((uint32_t *)data)[i] = (uint32_t)whole;
    else
        ((uint64_t *)data)[i] = whole;
    return AKIN_OK;
}
