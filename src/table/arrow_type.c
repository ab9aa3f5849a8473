/* Types of Arrow columns, by the format strings of the C Data Interface. */
#include "table/arrow.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *format;
    akin_arrow_kind kind;
    akin_type type;
} kinds[] = {
    {"n", AKIN_ARROW_NULL, AKIN_TYPE_TEXT},       {"b", AKIN_ARROW_BOOL, AKIN_TYPE_BOOL},
    {"c", AKIN_ARROW_I8, AKIN_TYPE_I32},          {"C", AKIN_ARROW_U8, AKIN_TYPE_U32},
    {"s", AKIN_ARROW_I16, AKIN_TYPE_I32},         {"S", AKIN_ARROW_U16, AKIN_TYPE_U32},
    {"i", AKIN_ARROW_I32, AKIN_TYPE_I32},         {"I", AKIN_ARROW_U32, AKIN_TYPE_U32},
    {"l", AKIN_ARROW_I64, AKIN_TYPE_I64},         {"L", AKIN_ARROW_U64, AKIN_TYPE_U64},
    {"f", AKIN_ARROW_F32, AKIN_TYPE_F64},         {"g", AKIN_ARROW_F64, AKIN_TYPE_F64},
    {"tdD", AKIN_ARROW_DAYS, AKIN_TYPE_TEXT},     {"tdm", AKIN_ARROW_MILLISECONDS, AKIN_TYPE_TEXT},
    {"u", AKIN_ARROW_TEXT32, AKIN_TYPE_TEXT},     {"U", AKIN_ARROW_TEXT64, AKIN_TYPE_TEXT},
    {"vu", AKIN_ARROW_VIEW, AKIN_TYPE_TEXT},      {"tts", AKIN_ARROW_CLOCK_S, AKIN_TYPE_TEXT},
    {"ttm", AKIN_ARROW_CLOCK_MS, AKIN_TYPE_TEXT}, {"ttu", AKIN_ARROW_CLOCK_US, AKIN_TYPE_TEXT},
    {"ttn", AKIN_ARROW_CLOCK_NS, AKIN_TYPE_TEXT},
};

/* What a time stamp's format begins with; the zone follows. */
static const struct {
    const char *start;
    akin_arrow_kind kind;
} stamps[] = {
    {"tss:", AKIN_ARROW_TIME_S},
    {"tsm:", AKIN_ARROW_TIME_MS},
    {"tsu:", AKIN_ARROW_TIME_US},
    {"tsn:", AKIN_ARROW_TIME_NS},
};

/* Words for what is not taken, by the beginning of its format; the first that fits. */
static const struct {
    const char *start;
    const char *words;
} others[] = {
    {"z", "binary"},       {"Z", "large_binary"},
    {"vz", "binary_view"}, {"e", "halffloat"},
    {"d:", "decimal"},     {"w:", "fixed_size_binary"},
    {"tt", "time"},        {"tD", "duration"},
    {"ti", "interval"},    {"+s", "struct"},
    {"+l", "list"},        {"+L", "large_list"},
    {"+v", "list_view"},   {"+w", "fixed_size_list"},
    {"+m", "map"},         {"+r", "run_end_encoded"},
    {"+u", "union"},       {"+", "nested"},
};

/* Reads a number of a format, and moves to what follows it; returns 0 if there is none in these bounds. */
static int read_number(const char **at, long least, long most, long *out)
{
    char *end;
    const int begins = **at == '-' || (**at >= '0' && **at <= '9'); /* strtol would take blanks */
    *out = strtol(*at, &end, 10);
    const int is_there = begins && end > *at && *out >= least && *out <= most;
    *at = end;
    return is_there;
}

/* Reads the format of a decimal, "d:PRECISION,SCALE" or "d:PRECISION,SCALE,BITS". */
static int find_decimal(const char *format, akin_arrow_type *type)
{
    long precision, scale, bits = 128;
    const char *at = format + 2;
    if (strncmp(format, "d:", 2) != 0 || !read_number(&at, 1, AKIN_ARROW_SCALE, &precision) || *at++ != ',' ||
        !read_number(&at, -AKIN_ARROW_SCALE, AKIN_ARROW_SCALE, &scale) ||
        (*at == ',' && (at++, !read_number(&at, 32, 256, &bits))) || *at != '\0')
        return 0;
    type->type = AKIN_TYPE_TEXT;
    type->scale = (int)scale;
    type->is_decimal = 1;
    type->kind = bits % 8 == 0 ? akin_arrow_decimal_of((uint32_t)bits / 8, (uint32_t)precision) : AKIN_ARROW_NULL;
    return type->kind != AKIN_ARROW_NULL;
}

static int find_arrow_type(const char *format, akin_arrow_type *type)
{
    type->format = format;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(format, kinds[i].format) == 0) {
            type->kind = kinds[i].kind;
            type->type = kinds[i].type;
            return 1;
        }
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++)
        if (strncmp(format, stamps[i].start, strlen(stamps[i].start)) == 0) {
            type->kind = stamps[i].kind;
            type->type = AKIN_TYPE_TEXT;
            type->is_zoned = format[strlen(stamps[i].start)] != '\0';
            return 1;
        }
    return find_decimal(format, type);
}

static int is_integer(akin_type type)
{
    return type == AKIN_TYPE_I32 || type == AKIN_TYPE_U32 || type == AKIN_TYPE_I64 || type == AKIN_TYPE_U64;
}

static const char *words_of(const char *format)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(format, others[i].start, strlen(others[i].start)) == 0)
            return others[i].words;
    return "one that is not known";
}

static akin_status fail_type(const char *name, const char *format, akin_error *error)
{
    return akin_fail_column(
        error, AKIN_E_INPUT, AKIN_REASON_UNKNOWN_FORMAT, name,
        "column '%s': its type is %s ('%.40s' in Arrow's notation); expected text (utf8, large_utf8, utf8_view), "
        "integers, float, double, decimals, bool, dates, times, timestamps or null, or a dictionary of one of these: "
        "cast it "
        "to text",
        name, words_of(format), format);
}

akin_status akin_arrow_type_of(const struct ArrowSchema *schema, const char *name, akin_arrow_type *out,
                               akin_error *error)
{
    akin_arrow_type type = {0}, index = {0};
    const struct ArrowSchema *values = schema->dictionary ? schema->dictionary : schema;
    if (!schema->format || !values->format)
        return akin_fail_column(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, name,
                                "column '%s': its type is missing in the Arrow schema", name);
    if (schema->dictionary && (!find_arrow_type(schema->format, &index) || !is_integer(index.type)))
        return akin_fail_column(error, AKIN_E_INPUT, AKIN_REASON_UNKNOWN_FORMAT, name,
                                "column '%s': a dictionary by '%.40s'; expected one by integers", name, schema->format);
    if (values->dictionary && values != schema)
        return akin_fail_column(error, AKIN_E_INPUT, AKIN_REASON_UNKNOWN_FORMAT, name,
                                "column '%s': a dictionary of a dictionary; expected one of values", name);
    if (!find_arrow_type(values->format, &type))
        return fail_type(name, values->format, error);
    type.index = index.kind;
    *out = type;
    return AKIN_OK;
}
