/* The sources of documents as numbers: of values by a dictionary, or of files. */
#include "corpus/sources.h"

#include "base/parallel.h"
#include "dict/dictionary.h"
#include "strings/alphabet.h"
#include "table/columns.h"

static const char what[] = "the sources of documents"; /* the memory is for */

/* Numbers the values of a column. */
static akin_status number_values(const akin_scope *scope, const akin_column *column, uint32_t rows, uint32_t *numbers,
                                 uint32_t *count, akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_dictionary_create_within(scope, &dictionary, error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        const uint64_t *at = column->offsets + row;
        uint32_t id = 0; /* of null and the empty value; those of others come behind it */
        if (akin_is_stopped(scope, row))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        else if (akin_column_has_text(column, row)) {
            status = akin_dictionary_add(dictionary, column->bytes + at[0], at[1] - at[0], &id, error);
            id++;
        }
        numbers[row] = id;
    }
    *count = dictionary ? akin_dictionary_count(dictionary) + 1 : 1;
    akin_dictionary_free(dictionary);
    return status;
}

akin_status akin_sources_number(const akin_scope *scope, const akin_duplicates_options *options, uint32_t rows,
                                akin_bulk *sources, uint32_t *count, akin_error *error)
{
    const akin_status status = akin_bulk_reserve(sources, (uint64_t)rows * sizeof(uint32_t), what, error);
    uint32_t *numbers = sources->data;
    if (status != AKIN_OK)
        return status;
    if (options->sources)
        return number_values(scope, options->sources, rows, numbers, count, error);
    for (uint32_t row = 0; row < rows; row++)
        numbers[row] = akin_table_file_of(options->files, row);
    *count = akin_table_files(options->files);
    return AKIN_OK;
}
