/* What became of documents. */
#include "corpus/duplicates.h"

#include "base/options.h"

static const char what[] = "what became of the documents"; /* the memory is for */

akin_status akin_duplicates_make(const akin_scope *scope, uint32_t rows, akin_duplicates **out, akin_error *error)
{
    akin_duplicates *d = akin_alloc_zero(NULL, 1, sizeof *d);
    *out = d;
    if (!d)
        return akin_fail_memory(error, what);
    akin_status status = akin_store_begin(&d->store, scope, AKIN_BUDGET_DUPLICATES, what, error);
    d->found = akin_bulk_in(&d->store);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&d->found, (uint64_t)rows * sizeof(akin_duplicate), what, error);
    akin_duplicate *found = d->found.data;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++)
        found[row] = (akin_duplicate){AKIN_NO_ROW, AKIN_DUPLICATE_UNDECIDED, {0, 0}};
    return status;
}

void akin_duplicates_free(akin_duplicates *duplicates)
{
    if (!duplicates)
        return;
    akin_bulk_clear(&duplicates->found);
    akin_store_clear(&duplicates->store);
    akin_free(duplicates);
}

void akin_duplicates_row(const akin_duplicates *duplicates, uint32_t row, akin_duplicate *out)
{
    *out = ((const akin_duplicate *)duplicates->found.data)[row];
}

double akin_duplicates_similarity(const akin_duplicates *duplicates, uint32_t row)
{
    akin_duplicate d;
    akin_duplicates_row(duplicates, row, &d);
    return d.survivor == AKIN_NO_ROW ? 1 : akin_duplicate_similarity(duplicates->measure, &d);
}

akin_status akin_duplicates_describe(const akin_duplicates *duplicates, akin_duplicates_report *out, akin_error *error)
{
    return akin_options_write(&duplicates->report, sizeof duplicates->report, out, "akin_duplicates_report", error);
}
