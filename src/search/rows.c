/*
 * Rows of a table, whose columns are dimensions: each column is numbered by one thread, its values by the order of
 * their bytes or its bins by their numbers; then the keywords of all columns are put together.
 */
#include "base/options.h"
#include "base/budget.h"
#include "dict/dictionary.h"
#include "base/parallel.h"
#include "dict/string_sort.h"
#include "search/index.h"
#include "search/rows.h"
#include "strings/number.h"
#include "table/columns.h"

AKIN_OPTIONS_END(akin_rows_options, bins);

#define OFTEN 16384 /* rows of a column between two checks for cancellation */

static const char what[] = "a search index"; /* the memory is for */

enum { CODES, VALUES, NUMBERS, BINS, PLACES, ARRAYS };

/* A column on its way to be a dimension. */
typedef struct column {
    akin_dimension dimension;
    akin_bulk arrays[ARRAYS]; /* of what follows */
    uint32_t *codes;          /* of each row; UINT32_MAX: none */
    uint32_t *values;         /* the first row of each; as they come, then in the order of their bytes */
    double *numbers;
    int32_t *bins; /* that are not empty, rising */
    int fixed;     /* the bins are those of an index that there is */
    akin_dictionary *dictionary;
    akin_cancellation *cancellations; /* of the thread that numbers it */
    akin_error error;
} column;

typedef struct numbering {
    const akin_scope *scope;
    akin_scope one;   /* the same, with the share of a column's dictionary */
    akin_store store; /* of the arrays of all columns */
    akin_search_index *index;
    const akin_column *texts;
    uint32_t rows;
    column *columns;
    akin_cancellation *cancellations; /* of each thread */
} numbering;

/* Whether to go on with a column, at its row, value or the like `i`. */
static int row_column_goes_on(const column *c, uint32_t i)
{
    return i % OFTEN != 0 || akin_goes_on(c->cancellations);
}

/* An array of a column. */
static akin_status reserve_row_column(numbering *n, column *c, int array, uint32_t count, size_t size)
{
    c->arrays[array] = akin_bulk_in(&n->store);
    return akin_bulk_reserve(&c->arrays[array], count * (uint64_t)size, what, &c->error);
}

static const char *row_field(const akin_column *text, uint32_t row, uint64_t *length)
{
    *length = text->offsets[row + UINT64_C(1)] - text->offsets[row];
    if (!akin_column_has(text, row))
        *length = 0;
    return text->bytes + text->offsets[row];
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* Makes the places of values in their order the codes. */
static akin_status number_in_order(const numbering *n, column *c)
{
    uint32_t *places = c->arrays[PLACES].data;
    for (uint32_t i = 0; i < c->dimension.count; i++) {
        if (!row_column_goes_on(c, i))
            return AKIN_E_CANCELLED;
        places[c->codes[c->values[i]]] = i;
    }
    for (uint32_t row = 0; row < n->rows; row++) {
        if (!row_column_goes_on(c, row))
            return AKIN_E_CANCELLED;
        if (c->codes[row] != UINT32_MAX)
            c->codes[row] = places[c->codes[row]];
    }
    return AKIN_OK;
}

/* Numbers values as they come, and lists where each is first. */
static akin_status list_row_values(numbering *n, const akin_column *text, column *c)
{
    akin_status status = akin_dictionary_create_within(&n->one, &c->dictionary, &c->error);
    for (uint32_t row = 0; row < n->rows && status == AKIN_OK; row++) {
        uint64_t length;
        const char *bytes = row_field(text, row, &length);
        c->codes[row] = UINT32_MAX;
        if (!row_column_goes_on(c, row))
            status = AKIN_E_CANCELLED;
        else if (length > 0)
            status = akin_dictionary_add(c->dictionary, bytes, (size_t)length, &c->codes[row], &c->error);
        if (status == AKIN_OK && c->codes[row] == c->dimension.count)
            c->values[c->dimension.count++] = row;
    }
    akin_dictionary_free(c->dictionary);
    c->dictionary = NULL;
    return status;
}

static akin_status number_values(numbering *n, const akin_column *text, column *c)
{
    akin_status status = reserve_row_column(n, c, VALUES, n->rows, sizeof *c->values);
    c->values = c->arrays[VALUES].data;
    if (status == AKIN_OK)
        status = list_row_values(n, text, c);
    if (status == AKIN_OK)
        status = reserve_row_column(n, c, PLACES, c->dimension.count, sizeof(uint32_t));
    if (status == AKIN_OK)
        status = akin_strings_sort(text, c->values, c->dimension.count, &n->store, c->cancellations, what, &c->error);
    if (status == AKIN_OK)
        status = number_in_order(n, c);
    akin_bulk_clear(&c->arrays[PLACES]);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- bins */

static akin_status fail_number(const akin_column *text, uint32_t row, akin_error *error)
{
    uint64_t length;
    const char *bytes = row_field(text, row, &length);
    akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_NOT_A_NUMBER, row, text->name,
                  ", column '%.200s': '%.*s' is no number", text->name, (int)akin_min_u64(length, 100), bytes);
    return akin_note_word(AKIN_E_INPUT, bytes, (size_t)length, error);
}

static akin_status parse_numbers(const numbering *n, const akin_column *text, column *c)
{
    akin_dimension *d = &c->dimension;
    int any = 0;
    for (uint32_t row = 0; row < n->rows; row++) {
        uint64_t length;
        const char *bytes = row_field(text, row, &length);
        c->codes[row] = UINT32_MAX;
        if (!row_column_goes_on(c, row))
            return AKIN_E_CANCELLED;
        if (length == 0)
            continue;
        if (length > UINT32_MAX || !akin_number_parse(bytes, (uint32_t)length, &c->numbers[row]))
            return fail_number(text, row, &c->error);
        c->codes[row] = 0;
        if (c->fixed)
            continue;
        if (!any || c->numbers[row] < d->low)
            d->low = c->numbers[row];
        if (!any || c->numbers[row] > d->high)
            d->high = c->numbers[row];
        any = 1;
    }
    return AKIN_OK;
}

static akin_status refuse_number(const column *c, const akin_column *text, uint32_t row, akin_error *error)
{
    const akin_dimension *d = &c->dimension;
    uint64_t length;
    const char *bytes = row_field(text, row, &length);
    return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_NONE, row, text->name,
                         ", column '%.200s': '%.*s' is too far from the numbers of the index, %.17g to %.17g: the "
                         "intervals of that width do not reach so far",
                         text->name, (int)akin_min_u64(length, 100), bytes, d->low, d->high);
}

/* Makes codes of numbers: their bins, for now; the least and the largest one. */
static akin_status find_bins(const numbering *n, const akin_column *text, column *c, int32_t *least, int32_t *most)
{
    const akin_dimension *d = &c->dimension;
    *least = INT32_MAX;
    *most = INT32_MIN;
    for (uint32_t row = 0; row < n->rows; row++) {
        if (!row_column_goes_on(c, row))
            return AKIN_E_CANCELLED;
        if (c->codes[row] == UINT32_MAX)
            continue;
        const double bin = akin_bin_of(d, c->numbers[row]);
        if (!(bin >= -AKIN_BINS_BEYOND && bin < (double)d->bins + AKIN_BINS_BEYOND))
            return refuse_number(c, text, row, &c->error);
        const int32_t whole = (int32_t)bin;
        *least = whole < *least ? whole : *least;
        *most = whole > *most ? whole : *most;
        c->codes[row] = (uint32_t)(whole + AKIN_BINS_BEYOND);
    }
    return AKIN_OK;
}

/* Makes codes of bins: which of those that are not empty. */
static akin_status number_bins(numbering *n, const akin_column *text, column *c)
{
    akin_dimension *d = &c->dimension;
    int32_t least, most;
    akin_status status = find_bins(n, text, c, &least, &most);
    if (status != AKIN_OK)
        return status;
    const int is_any = least <= most;
    const uint32_t first = is_any ? (uint32_t)(least + AKIN_BINS_BEYOND) : 0,
                   span = is_any ? (uint32_t)(most - least) + 1 : 0;
    status = reserve_row_column(n, c, PLACES, span, sizeof(uint32_t));
    if (status != AKIN_OK)
        return status;
    uint32_t *places = c->arrays[PLACES].data;
    memset(places, 0, span * sizeof *places);
    for (uint32_t row = 0; row < n->rows; row++)
        if (c->codes[row] != UINT32_MAX)
            d->count += places[c->codes[row] - first]++ == 0;
    status = reserve_row_column(n, c, BINS, d->count, sizeof *c->bins);
    if (status != AKIN_OK)
        return status;
    c->bins = c->arrays[BINS].data;
    for (uint32_t bin = 0, at = 0; bin < span; bin++)
        if (places[bin] > 0) {
            c->bins[at] = least + (int32_t)bin;
            places[bin] = at++;
        }
    for (uint32_t row = 0; row < n->rows; row++)
        if (c->codes[row] != UINT32_MAX)
            c->codes[row] = places[c->codes[row] - first];
    return AKIN_OK;
}

static akin_status number_numbers(numbering *n, const akin_column *text, column *c)
{
    akin_status status = reserve_row_column(n, c, NUMBERS, n->rows, sizeof *c->numbers);
    if (status != AKIN_OK)
        return status;
    c->numbers = c->arrays[NUMBERS].data;
    status = parse_numbers(n, text, c);
    if (status == AKIN_OK)
        status = number_bins(n, text, c);
    akin_bulk_clear(&c->arrays[PLACES]);
    akin_bulk_clear(&c->arrays[NUMBERS]);
    return status;
}

static akin_status number_row_column(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    const akin_column *text = akin_columns_at(n->texts, (uint32_t)task);
    column *c = &n->columns[task];
    akin_status status = reserve_row_column(n, c, CODES, n->rows, sizeof *c->codes);
    if (status != AKIN_OK)
        return status;
    c->codes = c->arrays[CODES].data;
    c->cancellations = &n->cancellations[thread];
    return c->dimension.bins > 0 ? number_numbers(n, text, c) : number_values(n, text, c);
}

/* ---------------------------------------------------------------------------------------------------------- options */

static const akin_column *column_named(const akin_column *columns, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *own = akin_columns_at(columns, i)->name;
        if (own && strcmp(own, name) == 0)
            return akin_columns_at(columns, i);
    }
    return NULL;
}

static akin_status refuse_numeric(const akin_column *columns, uint32_t count, const char *name, akin_error *error)
{
    char list[AKIN_ROWS_LIST] = "";
    akin_guess guess = {.word = name};
    for (uint32_t i = 0; i < count; i++) {
        const char *own = akin_columns_at(columns, i)->name;
        akin_rows_list_add(list, own ? own : "", own ? strlen(own) : 0);
        akin_guess_offer(&guess, own ? own : "");
    }
    akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, name,
                     "numeric %.200s: there is no such column%s%.100s%s; the columns are: %s", name,
                     guess.best ? " (did you mean '" : "", guess.best ? guess.best : "", guess.best ? "'?)" : "", list);
    return akin_note_meant(AKIN_E_OPTION, guess.best, error);
}

static akin_status check_rows_options(const akin_column *columns, uint32_t count, uint32_t rows,
                                      const akin_rows_options *options, akin_error *error)
{
    akin_status status = akin_table_columns_check(columns, count, rows, "index rows by", error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        const char *name = akin_columns_at(columns, i)->name;
        if (!name || !*name)
            status = akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_MISSING, "column %u has no name", i);
        else if (column_named(columns, i, name))
            status = akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_REPEATED, name,
                                      "column '%.200s' is there twice", name);
    }
    if (status == AKIN_OK && (options->bins == 0 || options->bins > AKIN_ROWS_BINS_MOST))
        return akin_fail(error, AKIN_E_OPTION, "akin_rows_options: bins is %u; expected 1 to %u", options->bins,
                         AKIN_ROWS_BINS_MOST);
    for (uint32_t i = 0; i < options->numeric_count && status == AKIN_OK; i++)
        if (!column_named(columns, count, options->numeric[i]))
            status = refuse_numeric(columns, count, options->numeric[i], error);
    return status;
}

static int is_numeric(const akin_rows_options *options, const char *name)
{
    for (uint32_t i = 0; i < options->numeric_count; i++)
        if (strcmp(options->numeric[i], name) == 0)
            return 1;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ build */

/* A string of a column: its name, or the value of that number - 1. */
static const char *column_string(const column *c, const akin_column *text, uint32_t number, uint64_t *length)
{
    if (number > 0)
        return row_field(text, c->values[number - 1], length);
    *length = strlen(text->name);
    return text->name;
}

/* Goes through the strings of all columns: their lengths are kept behind where each ends; with `to` they are written
 * there, where the one before ends. */
static akin_status go_through_strings(numbering *n, uint32_t count, uint64_t *offsets, char *to, akin_error *error)
{
    uint64_t at = 0;
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const column *c = &n->columns[i];
        const akin_column *text = akin_columns_at(n->texts, i);
        for (uint32_t j = 0; j <= (c->values ? c->dimension.count : 0); j++, at++) {
            uint64_t length;
            const char *string = column_string(c, text, j, &length);
            if (j % OFTEN == 0 && akin_scope_report(n->scope, NULL, 0, 0) != AKIN_OK)
                return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
            if (to)
                memcpy(to + offsets[at], string, (size_t)length);
            else
                offsets[at + 1] = offsets[at] + length;
        }
    }
    return AKIN_OK;
}

/* Writes the names of columns and their values as strings. */
static akin_status write_row_strings(numbering *n, uint32_t count, akin_error *error)
{
    uint64_t strings = 0;
    for (uint32_t i = 0; i < count; i++) {
        column *c = &n->columns[i];
        c->dimension.string = strings;
        strings += 1 + (c->values ? (uint64_t)c->dimension.count : 0);
    }
    akin_status status =
        akin_search_section(n->scope, n->index, AKIN_SEARCH_STRING_OFFSETS, strings + 1, sizeof(uint64_t), error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = n->index->own[AKIN_SEARCH_STRING_OFFSETS].data;
    status = go_through_strings(n, count, offsets, NULL, error);
    if (status == AKIN_OK)
        status = akin_search_section(n->scope, n->index, AKIN_SEARCH_STRINGS, offsets[strings], 1, error);
    return status == AKIN_OK ? go_through_strings(n, count, offsets, n->index->own[AKIN_SEARCH_STRINGS].data, error)
                             : status;
}

/* Writes dimensions, and the bins of those that have them. */
static akin_status write_dimensions(numbering *n, uint32_t count, akin_error *error)
{
    uint64_t keywords = 0, bins = 0;
    for (uint32_t i = 0; i < count; i++) {
        akin_dimension *d = &n->columns[i].dimension;
        d->first = (uint32_t)keywords;
        d->bin = bins;
        keywords += d->count;
        bins += d->bins > 0 ? d->count : 0;
        if (keywords >= UINT32_MAX)
            return akin_fail(error, AKIN_E_LIMIT, "rows have 2^32 - 1 distinct values or more");
    }
    akin_status status =
        akin_search_section(n->scope, n->index, AKIN_SEARCH_DIMENSIONS, count, sizeof(akin_dimension), error);
    if (status == AKIN_OK)
        status = akin_search_section(n->scope, n->index, AKIN_SEARCH_BINS, bins, sizeof(int32_t), error);
    if (status != AKIN_OK)
        return status;
    akin_dimension *to = n->index->own[AKIN_SEARCH_DIMENSIONS].data;
    int32_t *list = n->index->own[AKIN_SEARCH_BINS].data;
    for (uint32_t i = 0; i < count; i++) {
        const column *c = &n->columns[i];
        to[i] = c->dimension;
        if (c->bins && c->dimension.count > 0)
            memcpy(list + c->dimension.bin, c->bins, c->dimension.count * sizeof *list);
    }
    n->index->head.dimensions = count;
    return AKIN_OK;
}

static akin_status build_row_objects(numbering *n, uint32_t count, akin_error *error)
{
    uint32_t *counts = akin_alloc(NULL, count, sizeof *counts);
    const uint32_t **codes = akin_alloc(NULL, count, sizeof *codes);
    akin_status status = AKIN_E_NOMEM;
    if (counts && codes) {
        const akin_objects_source source = {.objects = n->rows, .dimensions = count, .counts = counts, .codes = codes};
        for (uint32_t i = 0; i < count; i++) {
            counts[i] = n->columns[i].dimension.count;
            codes[i] = n->columns[i].codes;
        }
        status = akin_objects_build(n->scope, &source, &n->index->objects, error);
    } else {
        akin_fail_memory(error, what);
    }
    akin_free(counts);
    akin_free((void *)codes);
    return status;
}

/* Which columns hold numbers, and in what bins. */
static void choose_bins(numbering *n, uint32_t count, const akin_rows_options *options, const akin_dimension *like)
{
    for (uint32_t i = 0; i < count; i++) {
        akin_dimension *d = &n->columns[i].dimension;
        if (like && like[i].bins > 0 && like[i].count > 0) {
            *d = (akin_dimension){.low = like[i].low, .high = like[i].high};
            n->columns[i].fixed = 1;
        }
        d->bins = like ? like[i].bins : is_numeric(options, akin_columns_at(n->texts, i)->name) ? options->bins : 0;
    }
}

static akin_status number_columns(numbering *n, uint32_t count, akin_error *error)
{
    atomic_int cancelled = 0;
    n->cancellations = akin_alloc(NULL, n->scope->threads, sizeof *n->cancellations);
    if (!n->cancellations)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < n->scope->threads; i++)
        n->cancellations[i] = (akin_cancellation){n->scope, &cancelled, i, 0};
    akin_status status = akin_parallel_long(n->scope, "numbering values", count, number_row_column, n, &cancelled);
    akin_free(n->cancellations);
    for (uint32_t i = 0; i < count && status != AKIN_OK && status != AKIN_E_CANCELLED; i++)
        if (n->columns[i].error.code == status)
            return akin_fail_again(error, status, &n->columns[i].error);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status build_row_keywords(numbering *n, uint32_t count, const akin_rows_options *options,
                                      const akin_dimension *like, akin_error *error)
{
    n->columns = akin_alloc_zero(NULL, count, sizeof *n->columns);
    if (!n->columns)
        return akin_fail_memory(error, what);
    choose_bins(n, count, options, like);
    akin_status status = number_columns(n, count, error);
    if (status == AKIN_OK)
        status = write_row_strings(n, count, error);
    if (status == AKIN_OK)
        status = write_dimensions(n, count, error);
    return status == AKIN_OK ? build_row_objects(n, count, error) : status;
}

akin_status akin_rows_make(const akin_scope *scope, const akin_column *columns, uint32_t count, uint32_t rows,
                           const akin_rows_options *options, const akin_dimension *like, const akin_column *names,
                           akin_search_index **out, akin_error *error)
{
    akin_status status = check_rows_options(columns, count, rows, options, error);
    if (status != AKIN_OK)
        return status;
    numbering n = {.scope = scope,
                   .one = akin_scope_narrow(scope, (akin_narrowing){.memory = akin_budget_each(scope, count)}),
                   .texts = columns,
                   .rows = rows};
    status = akin_search_index_begin(scope, AKIN_KIND_ROWS, rows, names, &n.index, error);
    if (status == AKIN_OK)
        status = akin_store_begin(&n.store, scope, AKIN_BUDGET_NUMBERING, what, error);
    if (status == AKIN_OK)
        status = build_row_keywords(&n, count, options, like, error);
    for (uint32_t i = 0; n.columns && i < count; i++) {
        for (int array = 0; array < ARRAYS; array++)
            akin_bulk_clear(&n.columns[i].arrays[array]);
        akin_dictionary_free(n.columns[i].dictionary);
    }
    akin_free(n.columns);
    akin_store_clear(&n.store);
    return akin_search_index_end(n.index, status, out);
}

akin_status akin_search_index_of_rows_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                             uint32_t rows, const akin_rows_options *options, const akin_column *names,
                                             akin_search_index **out, akin_error *error)
{
    akin_rows_options own = AKIN_ROWS_OPTIONS_INIT;
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_rows_options", error);
    return status == AKIN_OK ? akin_rows_make(scope, columns, count, rows, &own, NULL, names, out, error) : status;
}

akin_status akin_search_index_of_rows(akin_context *context, const akin_column *columns, uint32_t count, uint32_t rows,
                                      const akin_rows_options *options, const akin_column *names,
                                      akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_rows_within(akin_scope_of(context), columns, count, rows, options, names, out, error);
}
