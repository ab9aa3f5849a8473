/* Rows that are added to an index: columns found by name, values and bins united, dimension by dimension. */
#include "search/rows.h"

#include "base/parallel.h"
#include "table/columns.h"

#include <stdio.h>

static const char what[] = "a search index"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------- make */

/* Finds the column of that name. */
static const akin_column *column_named(const akin_column *columns, uint32_t count, const char *name, uint64_t length)
{
    for (uint32_t i = 0; i < count; i++) {
        const akin_column *column = akin_columns_at(columns, i);
        if (column->name && strlen(column->name) == length && memcmp(column->name, name, (size_t)length) == 0)
            return column;
    }
    return NULL;
}

static akin_status fail_missing_column(const char *name, uint64_t length, akin_error *error)
{
    char own[201];
    snprintf(own, sizeof own, "%.*s", (int)akin_min_u64(length, sizeof own - 1), name);
    return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, own,
                            "there is no column '%s', which the rows of the index have, or it is the id", own);
}

/* Lists the columns in the order of the index, which has no others. */
static akin_status find_columns(const akin_search_index *index, const akin_column *columns, uint32_t count,
                                akin_column *out, akin_error *error)
{
    const akin_dimension *dimensions = index->sections[AKIN_SEARCH_DIMENSIONS].data;
    char list[AKIN_ROWS_LIST];
    akin_rows_list(index, list);
    for (uint32_t i = 0; i < index->head.dimensions; i++) {
        uint64_t length;
        const char *name = akin_search_string(index, dimensions[i].string, &length);
        const akin_column *column = column_named(columns, count, name, length);
        if (!column)
            return fail_missing_column(name, length, error);
        out[i] = *column;
        out[i].size = sizeof out[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const akin_column *column = akin_columns_at(columns, i);
        uint32_t known = 0;
        for (uint32_t j = 0; j < index->head.dimensions; j++)
            known += out[j].offsets == column->offsets && out[j].name == column->name;
        if (known == 0)
            return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, column->name,
                                    "the index has no column '%.200s'; its columns are: %s",
                                    column->name ? column->name : "", list);
    }
    return AKIN_OK;
}

akin_status akin_more_rows(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error)
{
    const akin_rows_options options = AKIN_ROWS_OPTIONS_INIT;
    akin_column *own = akin_alloc(NULL, index->head.dimensions, sizeof *own);
    if (!own)
        return akin_fail_memory(error, what);
    akin_status status = find_columns(index, objects->columns, objects->column_count, own, error);
    if (status == AKIN_OK)
        status = akin_rows_make(scope, own, index->head.dimensions, objects->rows, &options,
                                index->sections[AKIN_SEARCH_DIMENSIONS].data, names, out, error);
    akin_free(own);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ unite */

static int order_row_values(const void *const lists[2], uint64_t i, uint64_t j)
{
    uint64_t a_length, b_length;
    const char *a = akin_string_at(lists[0], i, &a_length), *b = akin_string_at(lists[1], j, &b_length);
    return akin_compare_values(a, a_length, b, b_length);
}

static int order_bins(const void *const lists[2], uint64_t i, uint64_t j)
{
    const int32_t a = ((const int32_t *)lists[0])[i], b = ((const int32_t *)lists[1])[j];
    return (a > b) - (a < b);
}

static const akin_dimension *dimension_of(const akin_search_index *index, uint32_t d)
{
    return (const akin_dimension *)index->sections[AKIN_SEARCH_DIMENSIONS].data + d;
}

/* The values of a dimension. */
static akin_string_list dimension_values(const akin_search_index *index, const akin_dimension *dimension)
{
    const uint64_t *offsets = index->sections[AKIN_SEARCH_STRING_OFFSETS].data;
    return (akin_string_list){offsets + dimension->string + 1, index->sections[AKIN_SEARCH_STRINGS].data};
}

static const int32_t *dimension_bins(const akin_search_index *index, const akin_dimension *dimension)
{
    return (const int32_t *)index->sections[AKIN_SEARCH_BINS].data + dimension->bin;
}

/* Unites a dimension of both, whose first keyword of all is `first`. */
static akin_dimension unite_dimension(akin_appending *a, uint32_t d, uint64_t first)
{
    const akin_dimension *sides[2] = {dimension_of(a->of[0], d), dimension_of(a->of[1], d)};
    const uint32_t firsts[2] = {sides[0]->first, sides[1]->first}, counts[2] = {sides[0]->count, sides[1]->count};
    const akin_string_list values[2] = {dimension_values(a->of[0], sides[0]), dimension_values(a->of[1], sides[1])};
    const int numeric = sides[0]->bins > 0;
    const void *const lists[2] = {numeric ? (const void *)dimension_bins(a->of[0], sides[0]) : &values[0],
                                  numeric ? (const void *)dimension_bins(a->of[1], sides[1]) : &values[1]};
    akin_dimension all = *sides[sides[0]->count == 0]; /* the bins of the first numbers that there were */
    all.first = (uint32_t)first;
    all.count = (uint32_t)akin_unite(a, lists, numeric ? order_bins : order_row_values, firsts, counts, first);
    return all;
}

/* Unites all dimensions; what they take is summed up. */
static akin_status unite_dimensions(akin_appending *a, uint32_t *counts, uint64_t *strings, uint64_t *bins,
                                    akin_error *error)
{
    const uint32_t count = a->of[0]->head.dimensions;
    uint64_t keywords = 0;
    akin_status status =
        akin_search_section(a->scope, a->all, AKIN_SEARCH_DIMENSIONS, count, sizeof(akin_dimension), error);
    akin_dimension *to = a->all->own[AKIN_SEARCH_DIMENSIONS].data;
    *strings = *bins = 0;
    for (uint32_t d = 0; d < count && status == AKIN_OK; d++) {
        to[d] = unite_dimension(a, d, keywords);
        to[d].string = *strings;
        to[d].bin = *bins;
        if (a->is_stopped)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        counts[d] = to[d].count;
        keywords += to[d].count;
        *strings += 1 + (to[d].bins > 0 ? 0 : (uint64_t)to[d].count);
        *bins += to[d].bins > 0 ? to[d].count : 0;
        if (keywords >= UINT32_MAX)
            return akin_fail(error, AKIN_E_LIMIT, "rows have 2^32 - 1 distinct values or more");
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ write */

static void write_bins(akin_appending *a, uint32_t d)
{
    const akin_dimension *all = dimension_of(a->all, d);
    int32_t *to = (int32_t *)a->all->own[AKIN_SEARCH_BINS].data + all->bin;
    for (int side = 0; side < 2; side++) {
        const akin_dimension *own = dimension_of(a->of[side], d);
        for (uint32_t i = 0; i < own->count; i++)
            to[a->places[side][own->first + i] - all->first] = dimension_bins(a->of[side], own)[i];
    }
}

/* Writes the lengths of strings, each in front of where it ends; or, with `bytes`, the strings. */
static akin_status write_appended_strings(akin_appending *a, uint32_t d, uint64_t *offsets, char *bytes,
                                          akin_error *error)
{
    const akin_dimension *all = dimension_of(a->all, d);
    for (int side = 0; side < 2; side++) {
        const akin_dimension *own = dimension_of(a->of[side], d);
        for (uint64_t i = 0; i <= (own->bins > 0 ? 0 : own->count); i++) { /* the name, then values */
            uint64_t length;
            if (akin_is_stopped(a->scope, i))
                return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
            const char *string = akin_search_string(a->of[side], own->string + i, &length);
            const uint64_t at =
                all->string + (i == 0 ? 0 : 1 + a->places[side][own->first + i - 1] - (uint64_t)all->first);
            if (bytes && length > 0)
                memcpy(bytes + offsets[at], string, (size_t)length);
            else if (!bytes)
                offsets[at + 1] = length;
        }
    }
    return AKIN_OK;
}

akin_status akin_unite_rows(akin_appending *a, akin_error *error)
{
    const uint32_t count = a->of[0]->head.dimensions;
    uint64_t strings, bins;
    a->counts = akin_alloc(NULL, count, sizeof *a->counts);
    if (!a->counts)
        return akin_fail_memory(error, what);
    akin_status status = unite_dimensions(a, a->counts, &strings, &bins, error);
    if (status == AKIN_OK)
        status = akin_search_section(a->scope, a->all, AKIN_SEARCH_BINS, bins, sizeof(int32_t), error);
    if (status == AKIN_OK)
        status =
            akin_search_section(a->scope, a->all, AKIN_SEARCH_STRING_OFFSETS, strings + 1, sizeof(uint64_t), error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = a->all->own[AKIN_SEARCH_STRING_OFFSETS].data;
    for (uint32_t d = 0; d < count && status == AKIN_OK; d++) {
        status = write_appended_strings(a, d, offsets, NULL, error);
        if (dimension_of(a->all, d)->bins > 0)
            write_bins(a, d);
    }
    if (status != AKIN_OK)
        return status;
    offsets[0] = 0;
    for (uint64_t i = 0; i < strings; i++)
        offsets[i + 1] += offsets[i];
    status = akin_search_section(a->scope, a->all, AKIN_SEARCH_STRINGS, offsets[strings], 1, error);
    if (status == AKIN_OK)
        status = akin_bulk_touch(a->scope, &a->all->own[AKIN_SEARCH_STRINGS], what, error);
    for (uint32_t d = 0; d < count && status == AKIN_OK; d++)
        status = write_appended_strings(a, d, offsets, a->all->own[AKIN_SEARCH_STRINGS].data, error);
    return status;
}
