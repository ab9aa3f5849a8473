/* Queries of rows: fields become values, ranges of bins, or nothing. And the check of dimensions in a file. */
#include "search/rows.h"
#include "strings/number.h"
#include "table/columns.h"

#include <stdio.h>

/* ----------------------------------------------------------------------------------------------------------- checks */

/* Whether values, or bins, rise. */
static const char *check_values(const akin_search_index *index, const akin_dimension *d)
{
    const int32_t *bins = index->sections[AKIN_SEARCH_BINS].data;
    uint64_t length, before_length;
    for (uint64_t i = 1; i < d->count; i++) {
        if (d->bins > 0) {
            if (bins[d->bin + i] <= bins[d->bin + i - 1])
                return "the bins of a column are not rising";
            continue;
        }
        const char *before = akin_search_string(index, d->string + i, &before_length);
        const char *value = akin_search_string(index, d->string + i + 1, &length);
        if (akin_compare_values(before, before_length, value, length) >= 0)
            return "the values of a column are not rising";
    }
    if (d->bins > 0 && d->count > 0 &&
        (bins[d->bin] < -AKIN_BINS_BEYOND || bins[d->bin + d->count - 1] >= (int64_t)d->bins + AKIN_BINS_BEYOND))
        return "a bin of a column is none";
    return NULL;
}

const char *akin_search_check_rows(const akin_search_index *index)
{
    const akin_section *sections = index->sections;
    const akin_dimension *dimensions = sections[AKIN_SEARCH_DIMENSIONS].data;
    const uint64_t *offsets = sections[AKIN_SEARCH_STRING_OFFSETS].data;
    const uint64_t strings = sections[AKIN_SEARCH_STRING_OFFSETS].length / sizeof *offsets;
    const uint64_t bins = sections[AKIN_SEARCH_BINS].length / sizeof(int32_t);
    uint64_t keywords = 0, string = 0, bin = 0;
    if (sections[AKIN_SEARCH_DIMENSIONS].length != index->head.dimensions * sizeof *dimensions)
        return "its columns are not as many as it says";
    if (sections[AKIN_SEARCH_STRING_OFFSETS].length % sizeof *offsets != 0 || strings == 0 || offsets[0] != 0 ||
        offsets[strings - 1] != sections[AKIN_SEARCH_STRINGS].length)
        return "its strings are not in order";
    for (uint64_t i = 1; i < strings; i++)
        if (offsets[i] < offsets[i - 1])
            return "its strings are not in order";
    for (uint32_t i = 0; i < index->head.dimensions; i++) {
        const akin_dimension *d = &dimensions[i];
        if (d->string != string || d->bin != bin || d->first != keywords || d->reserved != 0 ||
            d->bins > AKIN_ROWS_BINS_MOST || !isfinite(d->low) || !isfinite(d->high) || d->low > d->high)
            return "its columns are not in order";
        string += 1 + (d->bins > 0 ? 0 : (uint64_t)d->count);
        bin += d->bins > 0 ? d->count : 0;
        keywords += d->count;
        if (string >= strings || bin > bins)
            return "its columns are not in order";
        const char *why = check_values(index, d);
        if (why)
            return why;
    }
    if (string != strings - 1 || bin != bins || sections[AKIN_SEARCH_BINS].length % sizeof(int32_t) != 0 ||
        keywords != index->objects.head.keywords)
        return "its keywords are not those of its columns";
    if (index->objects.head.dimensions == 0)
        return NULL;
    for (uint32_t i = 0; i < index->head.dimensions && index->objects.head.dimensions == index->head.dimensions; i++)
        if (index->objects.codes[i].first != dimensions[i].first ||
            index->objects.codes[i].count != dimensions[i].count)
            return "its keywords are not those of its columns";
    return index->objects.head.dimensions == index->head.dimensions ? NULL
                                                                    : "its keywords are not those of its columns";
}

/* ---------------------------------------------------------------------------------------------------------- queries */

void akin_rows_list_add(char *list, const char *name, uint64_t length)
{
    const size_t used = strlen(list);
    snprintf(list + used, AKIN_ROWS_LIST - used, "%s%.*s", used > 0 ? ", " : "", (int)akin_min_u64(length, 60), name);
}

void akin_rows_list(const akin_search_index *index, char list[AKIN_ROWS_LIST])
{
    const akin_dimension *dimensions = index->sections[AKIN_SEARCH_DIMENSIONS].data;
    *list = '\0';
    for (uint32_t i = 0; i < index->head.dimensions; i++) {
        uint64_t length;
        const char *name = akin_search_string(index, dimensions[i].string, &length);
        akin_rows_list_add(list, name, length);
    }
}

static const akin_dimension *dimension_named(const akin_search_index *index, const char *name)
{
    const akin_dimension *dimensions = index->sections[AKIN_SEARCH_DIMENSIONS].data;
    for (uint32_t i = 0; i < index->head.dimensions; i++) {
        uint64_t length;
        const char *own = akin_search_string(index, dimensions[i].string, &length);
        if (length == strlen(name) && memcmp(own, name, (size_t)length) == 0)
            return &dimensions[i];
    }
    return NULL;
}

static akin_status refuse_column(const akin_search_index *index, const char *name, akin_error *error)
{
    char list[AKIN_ROWS_LIST];
    akin_rows_list(index, list);
    return akin_fail_column(
        error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, name,
        "the index has no column '%.200s' to look for; its columns are: %s (leave it out, or let it be the id)",
        name ? name : "", list);
}

akin_status akin_find_query_dimensions(akin_query_source *source, akin_error *error)
{
    const uint32_t count = source->column_count;
    source->dimensions = akin_alloc(NULL, count, sizeof *source->dimensions);
    if (!source->dimensions)
        return akin_fail_memory(error, "queries");
    for (uint32_t i = 0; i < count; i++) {
        const char *name = akin_columns_at(source->columns, i)->name;
        source->dimensions[i] = name ? dimension_named(source->index, name) : NULL;
        if (!source->dimensions[i])
            return refuse_column(source->index, name, error);
        for (uint32_t j = 0; j < i; j++)
            if (source->dimensions[j] == source->dimensions[i])
                return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_REPEATED, name,
                                        "column '%.200s' is there twice", name);
    }
    return AKIN_OK;
}

/* Adds the item of a value, if a row has it. */
static int add_value(const akin_search_index *index, const akin_dimension *d, const char *text, uint64_t length,
                     uint32_t weight, akin_query_batch *batch)
{
    uint32_t low = 0, high = d->count;
    uint64_t own_length = 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const char *own = akin_search_string(index, d->string + 1 + middle, &own_length);
        if (akin_compare_values(own, own_length, text, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == d->count)
        return 1;
    const char *own = akin_search_string(index, d->string + 1 + low, &own_length);
    if (akin_compare_values(own, own_length, text, length) != 0)
        return 1;
    return akin_query_batch_add(batch, d->first + low, d->first + low, weight);
}

/* The first bin that is not empty, and not below a number. */
static uint32_t first_bin(const int32_t *bins, uint32_t count, double least)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (bins[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the item of the bins from one to another, if any of these is not empty. */
static int add_bins(const akin_search_index *index, const akin_dimension *d, double from, double to, uint32_t weight,
                    akin_query_batch *batch)
{
    const int32_t *bins = (const int32_t *)index->sections[AKIN_SEARCH_BINS].data + d->bin;
    const uint32_t first = first_bin(bins, d->count, from), end = first_bin(bins, d->count, to + 1);
    return first >= end || akin_query_batch_add(batch, d->first + first, d->first + end - 1, weight);
}

/* Reads one end of a range, which is infinite if it is not there. */
static int read_end(const char *text, uint32_t length, double *number)
{
    akin_trim(&text, &length);
    return length == 0 || akin_number_parse(text, length, number);
}

/* Reads a number, or a range of numbers, as bins. NULL, or what is wrong. */
static const char *read_bins(const akin_dimension *d, const char *text, uint32_t length, uint32_t tolerance,
                             double *from, double *to)
{
    static const char none[] = "is neither a number nor a range of numbers such as [20,30]";
    double low = -INFINITY, high = INFINITY;
    akin_trim(&text, &length);
    if (length > 0 && *text == '[') {
        const char *comma = memchr(text, ',', length);
        if (!comma || text[length - 1] != ']')
            return none;
        const uint32_t before = (uint32_t)(comma - text);
        if (!read_end(text + 1, before - 1, &low) || !read_end(comma + 1, length - before - 2, &high))
            return none;
        if (low > high)
            return "is a range that ends before it begins";
        *from = isfinite(low) ? akin_bin_of(d, low) : low;
        *to = isfinite(high) ? akin_bin_of(d, high) : high;
        return NULL;
    }
    if (!akin_number_parse(text, length, &low))
        return none;
    *from = akin_bin_of(d, low) - tolerance;
    *to = akin_bin_of(d, low) + tolerance;
    return NULL;
}

akin_status akin_build_row_query(akin_query_source *source, uint32_t row, akin_query_batch *batch, akin_error *error)
{
    for (uint32_t i = 0; i < source->column_count; i++) {
        const akin_column *column = akin_columns_at(source->columns, i);
        const akin_dimension *d = source->dimensions[i];
        const char *text = column->bytes + column->offsets[row];
        const uint64_t length = column->offsets[row + UINT64_C(1)] - column->offsets[row];
        const uint32_t weight = source->weights ? source->weights[i] : 1;
        double from = 0, to = 0;
        if (length == 0 || !akin_column_has(column, row))
            continue;
        const char *why = d->bins == 0          ? NULL
                          : length > UINT32_MAX ? "is no number"
                                                : read_bins(d, text, (uint32_t)length, source->tolerance, &from, &to);
        if (why) {
            akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_NOT_A_NUMBER, row, column->name,
                          ", column '%.200s': '%.*s' %s", column->name, (int)akin_min_u64(length, 100), text, why);
            return akin_note_word(AKIN_E_INPUT, text, (size_t)length, error);
        }
        if (!(d->bins > 0 ? add_bins(source->index, d, from, to, weight, batch)
                          : add_value(source->index, d, text, length, weight, batch)))
            return akin_fail_memory(error, "queries");
    }
    return AKIN_OK;
}
