/* Vectors, and sets by MinHash, that are added to an index: the functions that it has sign them. */
#include "search/index_vectors.h"

#include "search/vectors.h"

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
            (akin_section){.data = of.matrix->numbers, .length = numbers * akin_number_bytes(of.matrix->number)};
    }
    return akin_search_index_end(more, status, out);
}

akin_status akin_more_minhash(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error)
{
    return make_signed(scope, index, (akin_signed){.sets = objects->sets}, names, out, error);
}

akin_status akin_more_vectors(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error)
{
    const akin_matrix *matrix = objects->matrix;
    akin_status status = akin_append_check_columns(matrix, index->lsh.family.dimensions, error);
    if (status != AKIN_OK)
        return status;
    if (matrix->number != (akin_number)index->lsh.number)
        return akin_fail(error, AKIN_E_OPTION, "an index of vectors of %s is extended by such alone",
                         index->lsh.number == AKIN_NUMBER_U8 ? "bytes" : "floats");
    return make_signed(scope, index, (akin_signed){.matrix = matrix}, names, out, error);
}

/* ------------------------------------------------------------------------------------------------------------ unite */

akin_status akin_unite_functions(akin_appending *a, akin_error *error)
{
    const akin_family_head *head = &a->of[0]->lsh.family;
    akin_status status = akin_append_functions(a, error);
    for (uint32_t f = 0; f < head->functions && status == AKIN_OK; f++)
        a->counts[f] = head->buckets;
    for (int i = AKIN_SEARCH_SCALE; i <= AKIN_SEARCH_SALT && status == AKIN_OK; i++)
        status = akin_append_copy(a, i, error);
    return status == AKIN_OK ? akin_append_join(a, AKIN_SEARCH_VECTORS, error) : status;
}
