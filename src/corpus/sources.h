/* The sources of documents as numbers. */
#ifndef AKIN_CORPUS_SOURCES_H
#define AKIN_CORPUS_SOURCES_H

#include "base/bulk.h"

/* Numbers the sources of the documents, which the options have: *sources, an empty array, gets a uint32_t for each row,
 * below *count. Nulls are one source. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_LIMIT, AKIN_E_CANCELLED. */
akin_status akin_sources_number(const akin_scope *scope, const akin_duplicates_options *options, uint32_t rows,
                                akin_bulk *sources, uint32_t *count, akin_error *error);

/* Whether documents of two sources are compared. */
static inline int akin_sources_are_compared(akin_comparing comparing, uint32_t source, uint32_t other)
{
    switch (comparing) {
    case AKIN_COMPARE_ALL:
        break;
    case AKIN_COMPARE_WITHIN:
        return source == other;
    case AKIN_COMPARE_ACROSS:
        return source != other;
    }
    return 1;
}

#endif
