/* Indexes of rows: the functions of their row in the table of kinds (way.h), the order of values, and bins. */
#ifndef AKIN_SEARCH_ROWS_H
#define AKIN_SEARCH_ROWS_H

#include "search/append.h"
#include "search/query_builder.h"

#include <math.h>

/* Bins may be that many below the first one, or beyond the last: of numbers that an index was extended by. */
#define AKIN_BINS_BEYOND AKIN_ROWS_BINS_MOST

/* Makes an index of rows. `like`, for each column: what its dimension is to be like, numeric with the same bins, or
 * not; NULL: as the options say, which are read. */
akin_status akin_rows_make(const akin_scope *scope, const akin_column *columns, uint32_t count, uint32_t rows,
                           const akin_rows_options *options, const akin_dimension *like, const akin_column *names,
                           akin_search_index **out, akin_error *error);

/* What is wrong with the sections of a file; NULL: nothing. */
const char *akin_search_check_rows(const akin_search_index *index);

/* Finds the dimensions of the columns of queries. Errors: AKIN_E_OPTION, AKIN_E_NOMEM. */
akin_status akin_find_query_dimensions(akin_query_source *source, akin_error *error);

/* Adds query `row`. Errors: AKIN_E_INPUT, AKIN_E_NOMEM. */
akin_status akin_build_row_query(akin_query_source *source, uint32_t row, akin_query_batch *batch, akin_error *error);

/* Makes an index of further rows, whose columns it finds by name. Errors: AKIN_E_OPTION (other columns), those of
 * akin_rows_make. */
akin_status akin_more_rows(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error);

/* Unites the keywords of each dimension. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_unite_rows(akin_appending *a, akin_error *error);

/* Adds a column to a list such as "name, age, town", which has room for AKIN_ROWS_LIST bytes and is empty at first; and
 * lists those of an index. */
#define AKIN_ROWS_LIST 512
void akin_rows_list_add(char *list, const char *name, uint64_t length);
void akin_rows_list(const akin_search_index *index, char list[AKIN_ROWS_LIST]);

/* How two values compare by their bytes, shorter ones first where one begins the other. */
static inline int akin_compare_values(const char *a, uint64_t a_length, const char *b, uint64_t b_length)
{
    const uint64_t most = akin_min_u64(a_length, b_length);
    const int order = most > 0 ? memcmp(a, b, (size_t)most) : 0;
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* The bin of a number, which for one that no row has may be below 0, or not below the number of bins. */
static inline double akin_bin_of(const akin_dimension *d, double x)
{
    /* Halves, where the whole range is more than a double holds. */
    const double by = isfinite(d->high - d->low) && isfinite(x - d->low) ? 1 : 0.5;
    const double width = d->high * by - d->low * by, from = x * by - d->low * by;
    if (x == d->high)
        return d->bins - 1;
    if (width == 0)
        return x < d->low ? -INFINITY : INFINITY; /* intervals of no width: none is near another */
    const double bin = floor(from / width * d->bins);
    return x < d->high && bin >= d->bins ? d->bins - 1 : bin; /* rounded up to what is beyond the last */
}

/* As the public function, within a scope. */
akin_status akin_search_index_of_rows_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                             uint32_t rows, const akin_rows_options *options, const akin_column *names,
                                             akin_search_index **out, akin_error *error);

#endif
