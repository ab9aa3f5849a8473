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

/* Makes room for what becomes of documents, all of them undecided. Errors: AKIN_E_NOMEM, AKIN_E_IO; the caller frees
 * *out in any case. */
akin_status akin_duplicates_make(const akin_scope *scope, uint32_t rows, akin_duplicates **out, akin_error *error);

#endif
