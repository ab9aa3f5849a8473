/* Reads which columns are compared, and how: COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]]. */
#include "dedupe/plan_compare.h"

#include <string.h>

#include "dedupe/plan_columns.h"
#include "dedupe/plan_words.h"

#define COMPARE  "compare"
#define FIELDS   4
#define EXPECTED "expected COLUMN:COMPARATOR, or COLUMN:COMPARATOR:THRESHOLD:WEIGHT"

static int is_comparator(const char *text)
{
    akin_compare_options ignored = {.size = sizeof ignored};
    return akin_compare_options_parse(text, &ignored, NULL) == AKIN_OK;
}

/* What to do if a comparator stands in the place of a number, or behind all fields: if the column's name has a
 * colon. */
static const char *advise(char *const *fields, uint32_t count, const char *rest)
{
    int found = is_comparator(rest);
    for (uint32_t i = 2; i < count && !found; i++)
        found = is_comparator(fields[i]);
    return found ? AKIN_PLAN_IN_QUOTES("\"a:b\":exact") : "";
}

/* Whether an attribute before the last one is of the same column and comparator: results would have two of one name. */
static int is_twice(const akin_plan_made *made)
{
    const akin_attribute *attributes = made->attributes.rows;
    const char *const *comparators = made->comparators.rows;
    uint64_t at = made->attributes.count - 1, i = 0;
    while (i < at && (attributes[i].column != attributes[at].column || strcmp(comparators[i], comparators[at]) != 0))
        i++;
    return i < at;
}

static akin_status read_attribute_numbers(const char *word, char *const *fields, uint32_t count, akin_attribute *out,
                                          akin_error *error)
{
    akin_ratio threshold = {0, 1}, weight = {1, 1};
    if (count > 2 && (akin_ratio_parse(fields[2], &threshold, NULL) != AKIN_OK || threshold.num > threshold.den))
        return akin_plan_fail(error, AKIN_REASON_NOT_A_NUMBER, COMPARE, word, fields[2],
                              "threshold '%s': expected a number from 0 to 1, such as 0.8 or 2/3 (at most 9 digits)",
                              fields[2]);
    if (count > 3 && (akin_ratio_parse(fields[3], &weight, NULL) != AKIN_OK || weight.num == 0))
        return akin_plan_fail(error, AKIN_REASON_NOT_A_NUMBER, COMPARE, word, fields[3],
                              "weight '%s': expected a decimal number above 0 (at most 9 digits)", fields[3]);
    out->threshold = threshold;
    out->weight = weight;
    return AKIN_OK;
}

/* Adds what has been read. */
static akin_status add_attribute(akin_plan_made *made, const akin_attribute *attribute,
                                 const akin_compare_options *compare, const char *comparator, akin_error *error)
{
    akin_attribute *to = akin_plan_push(&made->attributes, sizeof *to, error);
    akin_compare_options *how = to ? akin_plan_push(&made->compare, sizeof *how, error) : NULL;
    const char **name = how ? akin_plan_push(&made->comparators, sizeof *name, error) : NULL;
    akin_parsed *parsed = name ? akin_plan_push(&made->parsed, sizeof *parsed, error) : NULL;
    parsed = parsed ? akin_plan_push(&made->parsed, sizeof *parsed, error) : NULL;
    if (!parsed)
        return AKIN_E_NOMEM;
    *to = *attribute;
    *how = *compare;
    *name = comparator;
    return AKIN_OK;
}

akin_status akin_plan_read_compare(akin_plan_made *made, const char *word, akin_error *error)
{
    akin_attribute attribute = {.column = 0};
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    akin_error refused;
    char *fields[FIELDS] = {NULL}, ended = ':', *text = akin_plan_copy(made, word, error);
    const char *right = NULL;
    uint32_t count = 1;
    if (!text)
        return AKIN_E_NOMEM;
    const char *left = akin_plan_take_column(&text, ":", &ended, &right);
    if (!left)
        return akin_plan_fail_column(error, COMPARE, word, right, EXPECTED);
    while (ended && count < FIELDS) {
        fields[count] = akin_plan_take(&text, ":", &ended);
        if (!fields[count++])
            return akin_plan_fail_quotes(error, COMPARE, word);
    }
    if (ended || count < 2)
        return akin_plan_fail(error, AKIN_REASON_MALFORMED, COMPARE, word, word, EXPECTED "%s",
                              advise(fields, count, text));
    akin_status status = akin_compare_options_parse(fields[1], &compare, &refused);
    if (status != AKIN_OK)
        return akin_plan_fail_from(error, COMPARE, word, &refused, advise(fields, count, text));
    akin_choice_respell(fields[1]);
    status = read_attribute_numbers(word, fields, count, &attribute, error);
    if (status == AKIN_OK)
        status = akin_plan_any_column(made, left, right, &attribute.column, error);
    if (status == AKIN_OK)
        status = add_attribute(made, &attribute, &compare, fields[1], error);
    if (status == AKIN_OK && is_twice(made))
        return akin_plan_fail(error, AKIN_REASON_REPEATED, COMPARE, word, word, "%s is compared by %s already", left,
                              fields[1]);
    return status;
}
