/* The table of measures, and how alike two sets are, from their sizes and what they have in common. */
#include "sets/measure.h"

#include <math.h>

#define EVERYWHERE (AKIN_FOR_JOIN | AKIN_FOR_SEARCH | AKIN_FOR_DEDUPE)

static const akin_measure_row rows[] = {
    {{"jaccard", "", "tokens in common / tokens in either set", AKIN_JACCARD, EVERYWHERE},
     .form = AKIN_FORM_SUM,
     .times = 1,
     .plus = 1},
    {{"cosine", "", "tokens in common / square root of (size x size)", AKIN_COSINE, EVERYWHERE},
     .form = AKIN_FORM_PRODUCT,
     .times = 1},
    {{"dice", "", "2 x tokens in common / (size + size)", AKIN_DICE, EVERYWHERE}, .form = AKIN_FORM_SUM, .times = 2},
    {{"overlap", "", "tokens in common", AKIN_OVERLAP, AKIN_FOR_JOIN | AKIN_TAKES_COUNT},
     .form = AKIN_FORM_CONSTANT,
     .times = 1},
    {{"overlap-coefficient", "", "tokens in common / the smaller size", AKIN_OVERLAP_COEFFICIENT, AKIN_FOR_JOIN},
     .form = AKIN_FORM_SMALLER,
     .times = 1},
    {{"containment", "", "tokens in common / size of the left row", AKIN_CONTAINMENT, AKIN_FOR_JOIN | AKIN_IS_DIRECTED},
     .form = AKIN_FORM_FIRST,
     .times = 1,
     .undirected = "overlap-coefficient"},
};
const akin_choice_table akin_measures = AKIN_CHOICE_TABLE("measure", rows);

const akin_measure_row *akin_measure_of(akin_measure measure)
{
    return (const akin_measure_row *)akin_choice_of(&akin_measures, (int)measure);
}

akin_measure_rule akin_measure_rule_of(const akin_measure_row *row, uint32_t num, uint32_t den)
{
    const uint64_t n = num, d = den;
    if (akin_form_is_squared(row->form))
        return (akin_measure_rule){row->form, d * d, n * n};
    return (akin_measure_rule){row->form, row->times * d + row->plus * n, n};
}

double akin_measure_value(akin_measure measure, uint32_t size_left, uint32_t size_right, uint32_t overlap)
{
    const akin_measure_row *row = akin_measure_of(measure);
    double n = overlap;
    if (n == 0 || !row)
        return 0;
    const double size = (double)akin_rule_size(row->form, size_left, size_right);
    return akin_form_is_squared(row->form) ? n / sqrt(size) : row->times * n / (size - row->plus * n);
}
