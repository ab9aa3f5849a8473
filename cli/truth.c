/* Neighbours that are known, read from a matrix or a table, and what a search found of them. */
#include "truth.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "names.h"
#include "number.h"
#include "path.h"

int akin_cli_truth_check(const char *path)
{
    akin_matrix_format layout;
    akin_format format;
    if (akin_matrix_format_of_name(path, &layout, NULL) == AKIN_OK ||
        (akin_format_of_name(path, &format, NULL) == AKIN_OK && akin_cli_has_columns(format)))
        return AKIN_CLI_DONE;
    return akin_cli_refuse(
        "--truth %s: its name does not say what it is: expected a matrix, as .ivecs or .npy, or a "
        "table, as .tsv or .csv",
        akin_cli_word(path));
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static akin_status
fail_truth(const akin_cli_truth *truth, akin_error *error, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "--truth %.600s: %s", truth->path, message);
}

static akin_status fail_truth_memory(akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY,
                          "not enough memory for the neighbours that are known");
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static int by_number(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Reserves room for the neighbours; the file has enough of them. */
static akin_status reserve_neighbours(akin_cli_truth *truth, int has_distances, akin_error *error)
{
    const size_t rows = (size_t)truth->rows + 1, k = (size_t)truth->k + 1;
    truth->objects = calloc(rows, k * sizeof *truth->objects);
    truth->distances = has_distances ? calloc(rows, k * sizeof *truth->distances) : NULL;
    truth->near = calloc(2 * k, sizeof *truth->near);
    return truth->objects && truth->near && (!has_distances || truth->distances) ? AKIN_OK : fail_truth_memory(error);
}

static int64_t matrix_number(const akin_matrix *matrix, size_t at)
{
    return matrix->number == AKIN_NUMBER_U8    ? ((const uint8_t *)matrix->numbers)[at]
           : matrix->number == AKIN_NUMBER_I32 ? ((const int32_t *)matrix->numbers)[at]
                                               : ((const int64_t *)matrix->numbers)[at];
}

static akin_status take_matrix(akin_cli_truth *truth, const akin_matrix *matrix, uint32_t objects, akin_error *error)
{
    if (matrix->number == AKIN_NUMBER_F32)
        return fail_truth(truth, error, "is a matrix of floats; expected integers, the rows of neighbours");
    if (matrix->rows < truth->rows)
        return fail_truth(truth, error, "has neighbours of %" PRIu32 " queries, and there are %" PRIu32, matrix->rows,
                          truth->rows);
    if (truth->rows > 0 && matrix->columns < truth->k)
        return fail_truth(truth, error,
                          "has %" PRIu32 " neighbours of a query; expected %" PRIu32 ", as many as are looked for",
                          matrix->columns, truth->k);
    akin_status status = reserve_neighbours(truth, 0, error);
    for (uint32_t q = 0; q < truth->rows && status == AKIN_OK; q++)
        for (uint32_t i = 0; i < truth->k && status == AKIN_OK; i++) {
            const int64_t object = matrix_number(matrix, (size_t)q * matrix->columns + i);
            if (object < 0 || object >= objects)
                status = fail_truth(truth, error, "row %" PRIu32 ": %" PRId64 " is no object of the index", q, object);
            truth->objects[(size_t)q * truth->k + i] = (uint32_t)object;
        }
    return status;
}

enum { QUERY, RANK, OBJECT, DISTANCE, COLUMNS };

/* The numbers of a line, up to `most` each. */
static akin_status take_line(akin_cli_truth *truth, const akin_table *table, uint32_t row,
                             const akin_column columns[COLUMNS], const uint64_t most[COLUMNS],
                             uint64_t numbers[COLUMNS], akin_error *error)
{
    for (int c = 0; c < COLUMNS; c++) {
        char text[24] = "";
        if (!columns[c].offsets)
            continue;
        const uint64_t begin = columns[c].offsets[row], length = columns[c].offsets[(size_t)row + 1] - begin;
        if (length < sizeof text)
            memcpy(text, columns[c].bytes + begin, (size_t)length);
        if (akin_cli_read_u64(text, 0, most[c], &numbers[c]))
            continue;
        return fail_truth(truth, error, "%s: expected a whole number up to %" PRIu64 " in column '%s'",
                          akin_cli_where_is(table, row).text, most[c], columns[c].name);
    }
    return AKIN_OK;
}

/* Takes the first k lines of each query, whose ranks must rise. `seen`: how many there were, and the last rank. */
static akin_status take_lines(akin_cli_truth *truth, const akin_table *table, const akin_column columns[COLUMNS],
                              uint32_t objects, uint64_t (*seen)[2], akin_error *error)
{
    const uint64_t most[COLUMNS] = {UINT32_MAX, UINT32_MAX, (uint64_t)objects - 1, UINT32_MAX};
    uint64_t numbers[COLUMNS] = {0};
    for (uint32_t row = 0; row < akin_table_rows(table); row++) {
        akin_status status = take_line(truth, table, row, columns, most, numbers, error);
        if (status != AKIN_OK)
            return status;
        if (numbers[QUERY] >= truth->rows)
            continue;
        uint64_t *const of = seen[numbers[QUERY]], rank = numbers[RANK] + 1;
        const size_t at = (size_t)numbers[QUERY] * truth->k + (size_t)of[0];
        if (rank <= of[1])
            return fail_truth(truth, error, "%s: expected a rank above that of the query's line before",
                              akin_cli_where_is(table, row).text);
        of[1] = rank;
        if (of[0] == truth->k)
            continue;
        truth->objects[at] = (uint32_t)numbers[OBJECT];
        if (truth->distances)
            truth->distances[at] = (double)numbers[DISTANCE];
        of[0]++;
    }
    for (uint32_t q = 0; q < truth->rows; q++)
        if (seen[q][0] < truth->k)
            return fail_truth(truth, error,
                              "has too few neighbours of query %" PRIu32 ": %" PRIu64 "; expected %" PRIu32
                              ", as many as are looked for",
                              q, seen[q][0], truth->k);
    return AKIN_OK;
}

/* Finds the columns; that of the objects is called as in what akin search writes, if need be. */
static akin_status find_columns(akin_cli_truth *truth, const akin_table *table, akin_column columns[COLUMNS],
                                akin_error *error)
{
    static const char *const names[COLUMNS] = {"query", "rank", "row", "distance"};
    const char *name;
    size_t length;
    const int is_named = akin_search_index_name(truth->index, 0, &name, &length);
    akin_status status = AKIN_OK;
    for (int c = 0; c < COLUMNS && status == AKIN_OK; c++) {
        uint32_t index = 0;
        if (c == DISTANCE && !(truth->facts->values & AKIN_HIT_EDITS))
            continue;
        akin_error reason;
        status = akin_table_find(table, names[c], &index, &reason);
        if (status != AKIN_OK && c == OBJECT && !is_named)
            status = akin_table_find(table, "id", &index, NULL);
        columns[c].size = sizeof columns[c];
        if (status == AKIN_OK)
            status = akin_table_column(table, index, &columns[c], error);
        else if (c == DISTANCE)
            status = AKIN_OK;
        else
            akin_error_set(error, status, reason.reason, "--truth %.400s: %.600s", truth->path, reason.message);
    }
    return status;
}

static akin_status take_table(akin_cli_truth *truth, const akin_table *table, uint32_t objects, akin_error *error)
{
    akin_column columns[COLUMNS] = {{0}};
    if (akin_table_rows(table) < (uint64_t)truth->rows * truth->k)
        return fail_truth(truth, error,
                          "has %" PRIu32 " lines; expected %" PRIu32 " of each query, as many as are looked for",
                          akin_table_rows(table), truth->k);
    if ((uint64_t)truth->rows * truth->k == 0)
        return reserve_neighbours(truth, 0, error);
    akin_status status = find_columns(truth, table, columns, error);
    if (status == AKIN_OK)
        status = reserve_neighbours(truth, columns[DISTANCE].offsets != NULL, error);
    uint64_t(*seen)[2] = calloc((size_t)truth->rows + 1, sizeof *seen);
    if (status == AKIN_OK)
        status = seen ? take_lines(truth, table, columns, objects, seen, error) : fail_truth_memory(error);
    free(seen);
    return status;
}

/* Puts what is known of each query in order. */
static akin_status arrange_neighbours(akin_cli_truth *truth, akin_error *error)
{
    const size_t k = truth->k;
    for (size_t q = 0; q < truth->rows; q++) {
        uint32_t *objects = truth->objects + q * k;
        qsort(objects, k, sizeof *objects, by_number);
        for (size_t i = 1; i < k; i++)
            if (objects[i] == objects[i - 1])
                return fail_truth(truth, error, "query %zu has neighbour %" PRIu32 " twice", q, objects[i]);
        if (truth->distances)
            qsort(truth->distances + q * k, k, sizeof *truth->distances, by_size);
    }
    return AKIN_OK;
}

akin_status akin_cli_truth_read(akin_cli_job *job, const char *path, const akin_search_index *index,
                                const akin_cli_searched *queries, uint32_t k, akin_cli_truth *out, akin_error *error)
{
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    akin_search_statistics about = {.size = sizeof about};
    akin_matrix_format layout;
    akin_matrix *matrix = NULL;
    akin_table *table = NULL;
    *out = (akin_cli_truth){.path = akin_cli_path_name(path), .index = index, .rows = queries->rows};
    akin_status status = akin_search_index_describe(index, &about, error);
    if (status != AKIN_OK)
        return status;
    out->k = k < about.objects ? k : about.objects;
    out->facts = akin_search_facts_of(about.kind, about.functions > 0);
    out->queries = about.vectors > 0 ? queries->matrix : NULL;
    how.keep_lines = 1;
    if (akin_matrix_format_of_name(path, &layout, NULL) == AKIN_OK) {
        status = akin_matrix_read(job->context, path, layout, &matrix, error);
        if (status == AKIN_OK)
            status = take_matrix(out, matrix, about.objects, error);
    } else {
        status = akin_table_read(job->context, path, &how, &table, error);
        if (status == AKIN_OK)
            status = take_table(out, table, about.objects, error);
    }
    akin_matrix_free(matrix);
    akin_table_free(table);
    return status == AKIN_OK ? arrange_neighbours(out, error) : status;
}

/* ----------------------------------------------------------------------------------------------------------- rating */

/* The distances of what is known of a query, and of what was found, each rising. */
static akin_status measure_distances(akin_cli_truth *truth, const akin_search_hit *found, uint32_t count,
                                     akin_error *error)
{
    const uint32_t query = found->query, k = truth->k;
    const size_t first = (size_t)query * k;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < k && status == AKIN_OK; i++) {
        if (truth->queries)
            status = akin_search_distance(truth->index, truth->queries, query, truth->objects[first + i],
                                          &truth->near[i], error);
        else
            truth->near[i] = truth->distances[first + i];
    }
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        if (truth->queries)
            status =
                akin_search_distance(truth->index, truth->queries, query, found[i].object, &truth->near[k + i], error);
        else
            truth->near[k + i] = found[i].count; /* of strings */
    }
    qsort(truth->near, k, sizeof *truth->near, by_size);
    return status;
}

/* Equation 13, over the neighbours that were found. */
static void rate(akin_cli_truth *truth, uint32_t count)
{
    const double *far = truth->near + truth->k;
    uint32_t compared = 0;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double near = truth->near[i];
        if (near <= 0 && far[i] > 0) {
            truth->endless++;
            continue;
        }
        sum += near > 0 ? far[i] / near : 1;
        compared++;
    }
    truth->ratios += compared > 0 ? sum / compared : 0;
    truth->rated += compared > 0;
}

/* Counts what was found of one query. As near as the farthest that is known is as good. */
static akin_status add_query(akin_cli_truth *truth, const akin_search_hit *found, uint32_t count, akin_error *error)
{
    const int are_measured = truth->queries || truth->distances;
    const uint32_t *objects = truth->objects + (size_t)found->query * truth->k;
    double *far = truth->near + truth->k;
    akin_status status = are_measured ? measure_distances(truth, found, count, error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < count; i++)
        truth->right += bsearch(&found[i].object, objects, truth->k, sizeof *objects, by_number) ||
                        (are_measured && by_size(&far[i], &truth->near[truth->k - 1]) == 0);
    if (are_measured) {
        qsort(far, count, sizeof *far, by_size);
        rate(truth, count);
    }
    return AKIN_OK;
}

akin_status akin_cli_truth_add(akin_cli_truth *truth, const akin_search_hit *found, size_t count, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (size_t begin = 0, end; begin < count && status == AKIN_OK; begin = end) {
        for (end = begin + 1; end < count && found[end].query == found[begin].query;)
            end++;
        status = add_query(truth, found + begin, (uint32_t)(end - begin), error);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

void akin_cli_truth_print(const akin_cli_truth *truth)
{
    const double wanted = (double)truth->rows * truth->k;
    char name[32], number[AKIN_CLI_NUMBER];
    snprintf(name, sizeof name, "recall@%" PRIu32, truth->k);
    if (wanted > 0)
        fprintf(stderr, "%-11s %.4f, of %s %s\n", name, (double)truth->right / wanted,
                akin_cli_format_grouped(number, truth->rows), truth->rows == 1 ? "query" : "queries");
    else
        fprintf(stderr, "%-11s not known: nothing was looked for\n", name);
    fprintf(stderr, "%-11s ", "ratio");
    if (truth->rated > 0)
        fprintf(stderr, "%.4f", truth->ratios / (double)truth->rated);
    else
        fprintf(stderr, "not known%s",
                truth->queries || truth->distances               ? ""
                : akin_search_facts_take(truth->facts, "rerank") ? ": the index keeps no vectors"
                : truth->facts->values & AKIN_HIT_EDITS          ? ": the truth has no distances"
                                                                 : ": the index has no distances");
    if (truth->endless > 0)
        fprintf(stderr, ", without %s found where the true one is at no distance",
                akin_cli_format_grouped(number, truth->endless));
    fprintf(stderr, "\n");
}

void akin_cli_truth_clear(akin_cli_truth *truth)
{
    free(truth->objects);
    free(truth->distances);
    free(truth->near);
    *truth = (akin_cli_truth){0};
}
