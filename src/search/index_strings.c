/* Indexes of strings: these as they are, put in order once more whenever they are opened. */
#include "base/options.h"
#include "search/grams.h"
#include "table/columns.h"

AKIN_OPTIONS_END(akin_strings_options, reserved);

static akin_status copy(akin_context *context, const akin_column *column, akin_search_index *index, akin_error *error)
{
    const uint64_t nulls = column->validity ? akin_ceil_div(index->head.rows, 8) : 0;
    akin_status status = akin_search_copy_strings(context, column, index, AKIN_SEARCH_STRING_OFFSETS, error);
    if (status == AKIN_OK)
        status = akin_search_section(context, index, AKIN_SEARCH_VALIDITY, nulls, 1, error);
    if (status == AKIN_OK && nulls > 0)
        memcpy(index->own[AKIN_SEARCH_VALIDITY].data, column->validity, (size_t)nulls);
    return status;
}

akin_status akin_search_index_of_strings(akin_context *context, const akin_column *column, uint32_t rows,
                                         const akin_strings_options *options, const akin_column *names,
                                         akin_search_index **out, akin_error *error)
{
    akin_strings_options own = AKIN_STRINGS_OPTIONS_INIT;
    akin_search_index *index = NULL;
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_strings_options", error);
    if (status == AKIN_OK && (own.ngram > AKIN_NGRAM_MOST || own.reserved != 0))
        status =
            akin_fail(error, AKIN_E_OPTION, "akin_strings_options: ngram is %u, reserved %u; expected 0 to %d, and 0",
                      own.ngram, own.reserved, AKIN_NGRAM_MOST);
    if (status == AKIN_OK)
        status = akin_table_columns_check(column, 1, rows, "index strings of", error);
    if (status == AKIN_OK)
        status = akin_search_index_begin(context, AKIN_KIND_STRINGS, rows, names, &index, error);
    if (status == AKIN_OK) {
        index->head.ngram = own.ngram;
        status = copy(context, column, index, error);
    }
    if (status == AKIN_OK) {
        const akin_column strings = akin_search_strings(index);
        status = akin_ordered_make(context, &strings, rows, &index->ordered, error);
    }
    if (status == AKIN_OK && own.ngram > 0)
        status = akin_grams_build(context, index, error);
    return akin_search_index_end(index, status, out);
}

/* ------------------------------------------------------------------------------------------------------------- checks */

static const char *check_grams(const akin_search_index *index)
{
    const akin_section *section = &index->sections[AKIN_SEARCH_GRAMS];
    const uint64_t *keys = section->data;
    if (section->length != index->objects.head.keywords * sizeof *keys)
        return "its n-grams are not as many as its keywords";
    for (uint64_t i = 1; i < index->objects.head.keywords; i++)
        if (keys[i] <= keys[i - 1])
            return "its n-grams are not rising";
    return NULL;
}

const char *akin_search_check_strings(const akin_search_index *index)
{
    const akin_section *sections = index->sections, *validity = &sections[AKIN_SEARCH_VALIDITY];
    const char *why = index->head.ngram > 0 ? check_grams(index) : NULL;
    if (why)
        return why;
    if (!akin_search_are_offsets(&sections[AKIN_SEARCH_STRING_OFFSETS], &sections[AKIN_SEARCH_STRINGS],
                                 index->head.rows))
        return "its strings are not those of its objects";
    return validity->length == 0 || validity->length == akin_ceil_div(index->head.rows, 8)
               ? NULL
               : "its nulls are not those of its objects";
}

akin_status akin_search_take_strings(akin_context *context, const char *name, akin_search_index *index,
                                     akin_error *error)
{
    const akin_column column = akin_search_strings(index);
    akin_status status = akin_ordered_make(context, &column, index->head.rows, &index->ordered, error);
    return status == AKIN_E_LIMIT ? akin_search_refuse(name, "it has a string of 2^31 bytes", error) : status;
}
