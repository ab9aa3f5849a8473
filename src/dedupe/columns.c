/* Folds columns, gives words that count as equal one form, and makes those that are combined. */
#include "dedupe/columns.h"

#include "base/budget.h"
#include "dedupe/selections.h"
#include "strings/alphabet.h"
#include "strings/comparators.h"
#include "table/combine.h"

#include <string.h>

static const char what[] = "the columns";

/* ---------------------------------------------------------------------------------------------------------- options */

akin_status akin_columns_count(const akin_dedupe_options *options, uint32_t own, uint32_t *out, akin_error *error)
{
    uint64_t combined = options->combined_count;
    if (combined > UINT32_MAX - own)
        return akin_fail(error, AKIN_E_OPTION, "%llu combined columns: expected fewer", (unsigned long long)combined);
    if (combined > 0 && !options->combined)
        return akin_fail(error, AKIN_E_OPTION, "there are no combined columns where they should be");
    for (uint32_t i = 0; i < combined; i++) {
        const akin_combined *c = &options->combined[i];
        if (c->count == 0 || !c->columns || c->reserved != 0)
            return akin_fail(error, AKIN_E_OPTION, "combined column %u: %s", i,
                             c->reserved ? "reserved is not 0" : "expected one column or more");
        for (uint32_t part = 0; part < c->count; part++)
            if (c->columns[part] >= own)
                return akin_fail(error, AKIN_E_OPTION, "combined column %u: there is no column %u of %u", i,
                                 c->columns[part], own);
    }
    *out = own + (uint32_t)combined;
    return AKIN_OK;
}

/* What a column is folded by, and its synonyms; NULL: none. */
static uint32_t folds_of(const akin_dedupe_options *o, uint32_t column)
{
    return o->folds ? o->folds[column] : 0;
}

static const akin_synonyms *synonyms_of(const akin_dedupe_options *o, uint32_t column)
{
    return o->synonyms ? o->synonyms[column] : NULL;
}

akin_status akin_columns_check(const akin_dedupe_options *options, uint32_t count, akin_error *error)
{
    const akin_dedupe_options *o = options;
    akin_status status = AKIN_OK;
    if (!o->folds && !o->synonyms)
        return AKIN_OK;
    for (uint32_t c = 0; c < count; c++)
        if (folds_of(o, c) & ~(uint32_t)AKIN_FOLD_ALL)
            return akin_fail(error, AKIN_E_OPTION, "column %u: there is no way %u to fold it", c, o->folds[c]);
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++) {
        akin_compare_options compare;
        uint32_t column = o->attributes[i].column;
        status = akin_compare_options_read(o->attributes[i].compare, &compare, error);
        const akin_comparator_row *row = status == AKIN_OK ? akin_comparator_of(compare.comparator) : NULL;
        if (row && row->has_punctuation && synonyms_of(o, column))
            status = akin_fail(error, AKIN_E_OPTION,
                               "attribute %u: numbers and dates have no synonyms: expected column %u without them", i,
                               column);
        else if (row && row->has_punctuation && (folds_of(o, column) & AKIN_FOLD_PUNCTUATION))
            status = akin_fail(error, AKIN_E_OPTION,
                               "attribute %u: in numbers and dates punctuation means something: expected column %u "
                               "without AKIN_FOLD_PUNCTUATION",
                               i, column);
    }
    return status;
}

/* Whether one of the first `attributes` attributes compares a column. */
static int is_compared(const akin_dedupe_options *options, uint32_t attributes, uint32_t column)
{
    uint32_t i = 0;
    while (i < attributes && options->attributes[i].column != column)
        i++;
    return i < attributes;
}

int akin_columns_overlap(const akin_dedupe_options *options, uint32_t count, uint32_t column)
{
    const uint32_t own = count - (uint32_t)options->combined_count;
    for (uint32_t p = 0; column >= own && p < options->combined[column - own].count; p++)
        if (is_compared(options, options->attribute_count, options->combined[column - own].columns[p]))
            return 1;
    return 0;
}

uint32_t akin_columns_compared(const akin_dedupe_options *options, uint32_t count)
{
    uint32_t compared = 0;
    for (uint32_t i = 0; i < options->attribute_count; i++) {
        const uint32_t column = options->attributes[i].column;
        compared += !is_compared(options, i, column) && !akin_columns_overlap(options, count, column);
    }
    return compared;
}

uint32_t akin_columns_text(const akin_dedupe_options *options, uint32_t count)
{
    for (uint32_t i = 0; i < options->attribute_count; i++)
        if (akin_columns_overlap(options, count, options->attributes[i].column))
            return options->attributes[i].column;
    return akin_columns_compared(options, count) == 1 ? options->attributes[0].column : AKIN_NO_COLUMN;
}

/* ---------------------------------------------------------------------------------------------------------- columns */

/* Whether an attribute or a selection looks at a column. */
static int is_named(const akin_dedupe_options *o, uint32_t column)
{
    for (uint32_t i = 0; i < o->attribute_count; i++)
        if (o->attributes[i].column == column)
            return 1;
    for (uint32_t i = 0; i < o->selection_count; i++)
        for (uint32_t p = 0; p < akin_selection_parts(&o->selections[i]); p++)
            if (o->selections[i].parts[p].column == column)
                return 1;
    return 0;
}

/* Puts a folded and rewritten column in the place of one of a table, or of one that is combined. */
static akin_status replace(const akin_scope *scope, akin_account *account, uint32_t rows, uint32_t folds,
                           const akin_synonyms *synonyms, akin_column *column, akin_folded *made, akin_error *error)
{
    akin_folded before = {.offsets = {.data = NULL}};
    akin_forms forms = {.table = NULL};
    akin_status status = AKIN_OK;
    if (synonyms)
        status = akin_forms_make(account, synonyms, folds, &forms, error);
    if (status == AKIN_OK) {
        before = *made;
        status = akin_folded_make_forms(scope, account, akin_budget(scope, AKIN_BUDGET_FOLDED), folds,
                                        synonyms ? &forms : NULL, rows, column, made, error);
    }
    akin_forms_clear(&forms);
    akin_folded_clear(&before);
    column->validity = NULL; /* a null has no text */
    return status;
}

/* Makes the columns of a table. */
static akin_status make_side(const akin_scope *scope, akin_account *account, const akin_dedupe_options *options,
                             const akin_records *records, uint32_t side, akin_columns *out, akin_error *error)
{
    const akin_column *own = records->columns[side];
    akin_column *of = out->of[side];
    uint32_t rows = records->rows[side], count = out->count - (uint32_t)options->combined_count;
    akin_status status = AKIN_OK;
    for (uint32_t c = 0; c < out->count && rows > 0 && status == AKIN_OK; c++) {
        const akin_combined *combined = c < count ? NULL : &options->combined[c - count];
        akin_folded *made = &out->made[side][c];
        for (uint32_t part = 0; combined && part < combined->count && status == AKIN_OK; part++)
            status = akin_column_check(&own[combined->columns[part]], side ? "right" : "left", error);
        if (status == AKIN_OK && combined) {
            *made = (akin_folded){akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_FOLDED)),
                                  akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_FOLDED))};
            status = akin_columns_combine(scope, own, combined->columns, combined->count, rows, &made->offsets,
                                          &made->bytes, error);
            of[c] = (akin_column){.size = sizeof of[c], .offsets = made->offsets.data, .bytes = made->bytes.data};
        }
        const uint32_t folds = folds_of(options, c);
        const akin_synonyms *synonyms = synonyms_of(options, c);
        if (status != AKIN_OK || (!folds && !synonyms) || !is_named(options, c))
            continue;
        status = akin_column_check(&of[c], side ? "right" : "left", error);
        if (status == AKIN_OK)
            status = replace(scope, account, rows, folds, synonyms, &of[c], made, error);
    }
    return status;
}

akin_status akin_columns_make(const akin_scope *scope, akin_account *account, const akin_dedupe_options *options,
                              uint32_t count, akin_records *records, akin_columns *out, akin_error *error)
{
    uint32_t own = count - (uint32_t)options->combined_count;
    akin_status status = AKIN_OK;
    *out = (akin_columns){.count = count};
    if (!options->folds && !options->synonyms && own == count)
        return AKIN_OK;
    for (uint32_t c = 0; c < count; c++)
        if (synonyms_of(options, c) && synonyms_of(options, c)->is_awaited)
            return akin_fail(error, AKIN_E_OPTION, "column %u: its synonyms were not read (akin_dedupe_plan_load)", c);
    for (uint32_t side = 0; side < records->tables && status == AKIN_OK; side++) {
        static const uint64_t nothing[1] = {0};
        out->of[side] = akin_alloc(account, count, sizeof *out->of[side]);
        out->made[side] = akin_alloc_zero(account, count, sizeof *out->made[side]);
        if (!out->of[side] || !out->made[side])
            return akin_fail_memory(error, what);
        memcpy(out->of[side], records->columns[side], own * sizeof *out->of[side]);
        for (uint32_t c = own; c < count; c++)
            out->of[side][c] = (akin_column){.size = sizeof(akin_column), .offsets = nothing};
        status = make_side(scope, account, options, records, side, out, error);
    }
    for (uint32_t side = 0; side < records->tables && status == AKIN_OK; side++)
        records->columns[side] = out->of[side];
    return status;
}

void akin_columns_clear(akin_columns *columns)
{
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t c = 0; columns->made[side] && c < columns->count; c++)
            akin_folded_clear(&columns->made[side][c]);
        akin_free(columns->made[side]);
        akin_free(columns->of[side]);
    }
    *columns = (akin_columns){0};
}
