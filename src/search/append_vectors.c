/* Vectors, sets by MinHash and signatures that are added to an index: the functions that it has sign them, and of
 * signatures as they are the values of each column are united. */
#include "search/append.h"

static const char what[] = "a search index"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------- make */

/* Makes an index by the functions that there are. */
static akin_status make_signed(const akin_scope *scope, const akin_search_index *index, akin_signed of,
                               const akin_column *names, akin_search_index **out, akin_error *error)
{
    const akin_family family = akin_search_family(index);
    const uint32_t rows = of.matrix ? of.matrix->rows : of.sets->rows;
    akin_search_index *more = NULL;
    akin_status status = akin_search_index_begin(scope, (akin_search_kind)index->head.kind, rows, names, &more, error);
    if (status == AKIN_OK)
        status = akin_vectors_invert(scope, &family, of, &more->objects, error);
    if (status == AKIN_OK && of.matrix && index->lsh.is_kept) { /* the caller's, for as long as this index lasts */
        const uint64_t numbers = (uint64_t)rows * of.matrix->columns;
        more->sections[AKIN_SEARCH_VECTORS] =
            (akin_section){of.matrix->numbers, numbers * akin_number_bytes(of.matrix->number)};
    }
    return akin_search_index_end(more, status, out);
}

akin_status akin_more_minhash(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error)
{
    return make_signed(scope, index, (akin_signed){.sets = objects->sets}, names, out, error);
}

static akin_status check_vector_columns(const akin_matrix *matrix, uint32_t columns, akin_error *error)
{
    return matrix->columns == columns ? AKIN_OK
                                      : akin_fail(error, AKIN_E_OPTION, "an index of %u columns is not extended by %u",
                                                  columns, matrix->columns);
}

akin_status akin_more_vectors(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error)
{
    const akin_matrix *matrix = objects->matrix;
    akin_status status = check_vector_columns(matrix, index->lsh.family.dimensions, error);
    if (status != AKIN_OK)
        return status;
    if (matrix->number != (akin_number)index->lsh.number)
        return akin_fail(error, AKIN_E_OPTION, "an index of vectors of %s is extended by such alone",
                         index->lsh.number == AKIN_NUMBER_U8 ? "bytes" : "floats");
    return make_signed(scope, index, (akin_signed){.matrix = matrix}, names, out, error);
}

akin_status akin_more_signatures(const akin_scope *scope, const akin_search_index *index,
                                 const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                                 akin_error *error)
{
    akin_signatures_options options = AKIN_SIGNATURES_OPTIONS_INIT;
    akin_status status = check_vector_columns(objects->matrix, index->head.functions, error);
    if (status != AKIN_OK)
        return status;
    options.buckets = index->lsh.family.buckets;
    options.seed = index->lsh.family.seed;
    return akin_search_index_of_signatures(scope->context, objects->matrix, &options, names, out, error);
}

/* ------------------------------------------------------------------------------------------------------------ unite */

static int order_values(const void *const lists[2], uint64_t i, uint64_t j)
{
    const int64_t a = ((const int64_t *)lists[0])[i], b = ((const int64_t *)lists[1])[j];
    return (a > b) - (a < b);
}

/* Where the values of a column begin, and how many there are. */
static uint32_t values_of(const akin_search_index *index, uint32_t column, uint32_t *count)
{
    const uint64_t *ends = index->sections[AKIN_SEARCH_VALUE_ENDS].data;
    const uint64_t begin = column > 0 ? ends[column - 1] : 0;
    *count = (uint32_t)(ends[column] - begin);
    return (uint32_t)begin;
}

/* Unites the values of all columns. */
static akin_status unite_values(akin_appending *a, uint32_t *counts, akin_error *error)
{
    const int64_t *values[2] = {a->of[0]->sections[AKIN_SEARCH_VALUES].data,
                                a->of[1]->sections[AKIN_SEARCH_VALUES].data};
    const uint32_t columns = a->all->head.functions;
    uint64_t total = 0;
    akin_status status =
        akin_search_section(a->scope, a->all, AKIN_SEARCH_VALUE_ENDS, columns, sizeof(uint64_t), error);
    uint64_t *ends = a->all->own[AKIN_SEARCH_VALUE_ENDS].data;
    for (uint32_t f = 0; f < columns && status == AKIN_OK; f++) {
        uint32_t firsts[2], sizes[2];
        for (int side = 0; side < 2; side++)
            firsts[side] = values_of(a->of[side], f, &sizes[side]);
        const void *const lists[2] = {values[0] + firsts[0], values[1] + firsts[1]};
        counts[f] = (uint32_t)akin_unite(a, lists, order_values, firsts, sizes, total);
        ends[f] = total += counts[f];
        if (a->is_stopped)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        if (total >= UINT32_MAX)
            return akin_fail(error, AKIN_E_LIMIT,
                             "the columns of signatures have 2^32 - 1 values or more: hash them into buckets");
    }
    if (status == AKIN_OK)
        status = akin_search_section(a->scope, a->all, AKIN_SEARCH_VALUES, total, sizeof(int64_t), error);
    int64_t *to = a->all->own[AKIN_SEARCH_VALUES].data;
    for (int side = 0; side < 2 && status == AKIN_OK; side++)
        for (uint64_t i = 0; i < a->of[side]->objects.head.keywords; i++)
            to[a->places[side][i]] = values[side][i];
    return status;
}

akin_status akin_unite_functions(akin_appending *a, akin_error *error)
{
    const akin_family_head *head = &a->of[0]->lsh.family;
    akin_status status = AKIN_OK;
    a->counts = akin_alloc(NULL, head->functions, sizeof *a->counts);
    if (!a->counts)
        return akin_fail_memory(error, what);
    a->all->lsh = a->of[0]->lsh;
    a->all->head.functions = head->functions;
    if (akin_append_is_united(a->of[0]))
        return unite_values(a, a->counts, error);
    for (uint32_t f = 0; f < head->functions; f++)
        a->counts[f] = head->buckets;
    for (int i = AKIN_SEARCH_SCALE; i <= AKIN_SEARCH_SALT && status == AKIN_OK; i++)
        status = akin_append_copy(a, i, error);
    return status == AKIN_OK ? akin_append_join(a, AKIN_SEARCH_VECTORS, error) : status;
}
