/* The sources of documents as numbers, by a dictionary. */
#include "corpus/sources.h"

#include "base/parallel.h"
#include "dict/dictionary.h"
#include "table/columns.h"

static const char what[] = "the sources of documents"; /* the memory is for */

akin_status akin_sources_number(const akin_scope *scope, const akin_column *column, uint32_t rows, akin_bulk *sources,
                                uint32_t *count, akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_bulk_reserve(sources, (uint64_t)rows * sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_dictionary_create_within(scope, &dictionary, error);
    uint32_t *numbers = sources->data;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        const uint64_t *at = column->offsets + row;
        uint32_t id = 0; /* of null; those of values come behind it */
        if (akin_is_stopped(scope, row))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        else if (akin_column_has(column, row)) {
            status = akin_dictionary_add(dictionary, column->bytes + at[0], at[1] - at[0], &id, error);
            id++;
        }
        numbers[row] = id;
    }
    *count = dictionary ? akin_dictionary_count(dictionary) + 1 : 1;
    akin_dictionary_free(dictionary);
    return status;
}
