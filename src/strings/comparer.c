/* Compares strings by one comparator: what all comparators have in common. */
#include "strings/comparer.h"

#include "strings/comparators.h"
#include "strings/comparer_values.h"

#include <math.h>

void akin_comparer_begin(akin_comparer *comparer, akin_cpu cpu, akin_account *account,
                         const akin_compare_options *options, const akin_ratio *cutoff)
{
    akin_comparer *c = comparer;
    const akin_comparator_row *row = akin_comparator_of(options->comparator);
    *c = (akin_comparer){.account = account, .cpu = cpu, .options = *options};
    c->functions = row ? row->functions : NULL;
    c->points.account = c->points_right.account = c->pattern.account = account;
    c->cutoff = akin_cutoff_of(row, options, cutoff ? *cutoff : (akin_ratio){0, 1}, AKIN_CUTOFF_NONE - 1);
    for (int side = 0; side < 2 && options->folds; side++)
        akin_folder_begin(&c->folders[side], account, options->folds);
    if (c->functions && c->functions->number)
        c->scale = akin_number_scale_of(row, options);
    akin_pairwise_begin(&c->pairwise, cpu, account, &c->cutoff);
    if (c->functions && c->functions->begin)
        c->functions->begin(c);
}

void akin_comparer_clear(akin_comparer *comparer)
{
    akin_comparer *c = comparer;
    if (c->functions && c->functions->clear)
        c->functions->clear(c);
    for (int side = 0; side < 2 && c->options.folds; side++)
        akin_folder_clear(&c->folders[side]);
    akin_points_clear(&c->points);
    akin_points_clear(&c->points_right);
    akin_pattern_clear(&c->pattern);
    akin_pairwise_clear(&c->pairwise);
    akin_free(c->noted);
}

int akin_comparer_reaches(const akin_comparer *comparer, double similarity, akin_ratio ratio)
{
    const akin_comparer *c = comparer;
    if (ratio.num == 0 || isnan(similarity))
        return !isnan(similarity);
    if (c->functions->reaches)
        return c->functions->reaches(c, ratio);
    return akin_alike_of(similarity) >= akin_alike_of_ratio(ratio);
}

/* Puts a folded string in the place of one, if strings are folded. */
static akin_status fold_side(akin_comparer *c, int side, const char **text, uint64_t *length)
{
    akin_folder *folder = &c->folders[side];
    if (*length > UINT32_MAX)
        return AKIN_E_LIMIT;
    if (!c->options.folds)
        return AKIN_OK;
    akin_status status = akin_folder_take(folder, *text, *length);
    *text = folder->length > 0 ? folder->text : "";
    *length = folder->length;
    return status == AKIN_OK && *length > UINT32_MAX ? AKIN_E_LIMIT : status;
}

akin_status akin_comparer_take(akin_comparer *comparer, const char *text, uint64_t length)
{
    akin_comparer *c = comparer;
    akin_status status = fold_side(c, 0, &text, &length);
    if (status != AKIN_OK)
        return status;
    c->text = text;
    c->length = (uint32_t)length;
    return c->functions->take(c, text, c->length);
}

/* What was compared last, or nothing if it is below the cutoff. */
static akin_compared cut_off(const akin_comparer *c, akin_compared compared)
{
    const int stays = isnan(compared.similarity) || akin_comparer_reaches(c, compared.similarity, c->cutoff.ratio);
    return stays ? compared : (akin_compared){0.0, INFINITY};
}

akin_status akin_comparer_compare(akin_comparer *comparer, const char *text, uint64_t length, akin_compared *out)
{
    akin_comparer *c = comparer;
    akin_status status = fold_side(c, 1, &text, &length);
    if (status == AKIN_OK)
        status = c->functions->compare(c, text, (uint32_t)length, out);
    if (status == AKIN_OK)
        *out = cut_off(c, *out);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

int akin_comparer_take_pair(akin_comparer *comparer, const char *left, uint64_t left_length, const char *right,
                            uint64_t right_length, uint64_t number)
{
    akin_comparer *c = comparer;
    return c->functions->take_pair && c->pairwise.lanes && fold_side(c, 0, &left, &left_length) == AKIN_OK &&
           fold_side(c, 1, &right, &right_length) == AKIN_OK &&
           c->functions->take_pair(c, left, (uint32_t)left_length, right, (uint32_t)right_length, c->options.folds == 0,
                                   number);
}

uint64_t akin_comparer_take_rows(akin_comparer *comparer, akin_pairwise_column columns[2], uint64_t first, uint64_t end)
{
    const akin_comparer *c = comparer;
    if (!c->functions->take_pair || !c->pairwise.lanes || c->options.folds)
        return first;
    return akin_pairwise_take_rows(&comparer->pairwise, columns, first, end);
}

typedef struct settling {
    const akin_comparer *comparer;
    akin_compared *out;
} settling;

static void settle(void *user, const akin_pairwise_found *found, uint32_t count)
{
    const settling *s = user;
    s->comparer->functions->settle(s->comparer, found, count, s->out);
}

void akin_comparer_settle(akin_comparer *comparer, akin_compared *out)
{
    settling s = {comparer, out};
    akin_pairwise_compare(&comparer->pairwise, settle, &s);
}

akin_compared akin_comparer_compare_numbers(akin_comparer *comparer, double left, double right)
{
    return cut_off(comparer, akin_compare_numbers(comparer, left, right));
}
