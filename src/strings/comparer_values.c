/* Compares what strings say: numbers, dates, Soundex codes; and whether they have the same bytes. */
#include "strings/comparer_values.h"

#include "strings/date.h"
#include "strings/number.h"
#include "table/utf8.h"

#include <math.h>
#include <string.h>

static akin_status check_utf8(const akin_comparer *c, const char *text, uint32_t length)
{
    return akin_utf8_is_valid(text, length, c->cpu) ? AKIN_OK : AKIN_E_INPUT;
}

static akin_compared same_or_not(int same)
{
    return (akin_compared){same, !same};
}

/* ------------------------------------------------------------------------------------------------------------ bytes */

static akin_status take_bytes(akin_comparer *c, const char *text, uint32_t length)
{
    return check_utf8(c, text, length);
}

static akin_status compare_bytes(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    *out = same_or_not(c->length == length && (length == 0 || memcmp(c->text, text, length) == 0));
    return check_utf8(c, text, length);
}

const akin_comparer_functions akin_bytes_functions = {.take = take_bytes, .compare = compare_bytes};

/* ---------------------------------------------------------------------------------------------------------- Soundex */

static akin_status take_soundex(akin_comparer *c, const char *text, uint32_t length)
{
    c->value.is_there = akin_soundex(text, length, c->value.code);
    return check_utf8(c, text, length);
}

static akin_status compare_soundex(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    char code[AKIN_SOUNDEX_CODE];
    int both = akin_soundex(text, length, code) && c->value.is_there;
    *out = same_or_not(both && memcmp(c->value.code, code, sizeof code) == 0);
    return check_utf8(c, text, length);
}

const akin_comparer_functions akin_soundex_functions = {.take = take_soundex, .compare = compare_soundex};

/* ------------------------------------------------------------------------------------------------ numbers and dates */

akin_number_scale akin_number_scale_of(const akin_comparator_row *row, const akin_compare_options *options)
{
    const double given = (double)options->scale.num / options->scale.den;
    const int is_directed = (row->choice.capabilities & AKIN_IS_DIRECTED) != 0;
    return row->has_share ? (akin_number_scale){0, given / 100, is_directed}
                          : (akin_number_scale){given, 1, is_directed};
}

akin_compared akin_compare_numbers(const akin_comparer *comparer, double left, double right)
{
    return (akin_compared){akin_number_similarity(comparer->scale, left, right), fabs(left - right)};
}

static akin_status take_number(akin_comparer *c, const char *text, uint32_t length)
{
    c->value.is_there = akin_number_parse(text, length, &c->value.number);
    return check_utf8(c, text, length);
}

static akin_status compare_number(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    double number;
    int both = akin_number_parse(text, length, &number) && c->value.is_there;
    *out = both ? akin_compare_numbers(c, c->value.number, number) : (akin_compared){NAN, NAN};
    return check_utf8(c, text, length);
}

const akin_comparer_functions akin_number_functions = {
    .take = take_number, .compare = compare_number, .number = akin_number_parse};

static int number_of_date(const char *text, uint32_t length, double *out)
{
    int32_t days = 0;
    const int is_there = akin_date_parse(text, length, &days);
    *out = days;
    return is_there;
}

static akin_status take_date(akin_comparer *c, const char *text, uint32_t length)
{
    c->value.is_there = number_of_date(text, length, &c->value.number);
    return check_utf8(c, text, length);
}

static akin_status compare_date(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    double days;
    int both = number_of_date(text, length, &days) && c->value.is_there;
    *out = both ? akin_compare_numbers(c, c->value.number, days) : (akin_compared){NAN, NAN};
    return check_utf8(c, text, length);
}

const akin_comparer_functions akin_date_functions = {
    .take = take_date, .compare = compare_date, .number = number_of_date};
