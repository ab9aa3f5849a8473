/* What became of documents: the object that akin_duplicates_find makes. */
#ifndef AKIN_CORPUS_DUPLICATES_H
#define AKIN_CORPUS_DUPLICATES_H

#include "base/bulk.h"

#define AKIN_DUPLICATE_UNDECIDED UINT32_MAX /* `common` of a row that is yet to be decided */

struct akin_duplicates {
    akin_store store;
    akin_bulk found; /* an akin_duplicate for each row */
    akin_measure measure;
    akin_duplicates_report report;
};

/* The similarity of a document and its survivor. Empty ones are alike. */
static inline double akin_duplicate_similarity(akin_measure measure, const akin_duplicate *d)
{
    return d->sizes[0] == 0 && d->sizes[1] == 0 ? 1 : akin_measure_value(measure, d->sizes[0], d->sizes[1], d->common);
}

/* Makes room for what becomes of documents, all of them undecided. Errors: AKIN_E_NOMEM, AKIN_E_IO; the caller frees
 * *out in any case. */
akin_status akin_duplicates_make(const akin_scope *scope, uint32_t rows, akin_duplicates **out, akin_error *error);

#endif
