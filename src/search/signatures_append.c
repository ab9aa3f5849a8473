/* Signatures that are added to an index: the values of each column are united, unless they are hashed. */
#include "search/signatures.h"

#include "base/parallel.h"
#include "search/index_vectors.h"

static const char what[] = "a search index"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------- make */

akin_status akin_more_signatures(const akin_scope *scope, const akin_search_index *index,
                                 const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                                 akin_error *error)
{
    akin_signatures_options options = AKIN_SIGNATURES_OPTIONS_INIT;
    akin_status status = akin_append_check_columns(objects->matrix, index->head.functions, error);
    if (status != AKIN_OK)
        return status;
    options.buckets = index->lsh.family.buckets;
    options.seed = index->lsh.family.seed;
    return akin_search_index_of_signatures_within(scope, objects->matrix, &options, names, out, error);
}

/* ------------------------------------------------------------------------------------------------------------ unite */

static int order_signature_values(const void *const lists[2], uint64_t i, uint64_t j)
{
    const int64_t a = ((const int64_t *)lists[0])[i], b = ((const int64_t *)lists[1])[j];
    return (a > b) - (a < b);
}

/* Where the values of a column begin, and how many there are. */
static uint32_t column_values(const akin_search_index *index, uint32_t column, uint32_t *count)
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
            firsts[side] = column_values(a->of[side], f, &sizes[side]);
        const void *const lists[2] = {values[0] + firsts[0], values[1] + firsts[1]};
        counts[f] = (uint32_t)akin_unite(a, lists, order_signature_values, firsts, sizes, total);
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

akin_status akin_unite_signatures(akin_appending *a, akin_error *error)
{
    if (!akin_append_is_united(a->of[0]))
        return akin_unite_functions(a, error);
    akin_status status = akin_append_functions(a, error);
    return status == AKIN_OK ? unite_values(a, a->counts, error) : status;
}
