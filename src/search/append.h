/* What extending an index works on: the index, what is added, and all of it, in the making. */
#ifndef AKIN_SEARCH_APPEND_H
#define AKIN_SEARCH_APPEND_H

#include "search/index.h"
#include "search/vectors.h"

typedef struct akin_appending {
    akin_context *context;
    const akin_search_index *of[2]; /* what is there, and what is added */
    akin_search_index *all;
    akin_bulk arrays[2];
    uint32_t
        *places[2]; /* of each: the keyword of all that each of its keywords is, rising; NULL if they are the same */
    int is_stopped; /* the caller has said so: what is at hand is not whole */
} akin_appending;

/* Whether keywords are those that there are, of which others may be added; else those of functions, which stay. */
static inline int akin_append_is_united(const akin_search_index *index)
{
    return index->head.functions == 0 || (index->head.kind == AKIN_KIND_SIGNATURES && index->lsh.family.buckets == 0);
}

/* How entry i of one list compares with entry j of the other. */
typedef int (*akin_order)(const void *const lists[2], uint64_t i, uint64_t j);

/* Unites two lists that rise, without repetitions, of keywords from firsts[side] on, counts[side] of them: their places are set, the first
 * being `place`. Returns how many there are then; or it is stopped. */
uint64_t akin_unite(akin_appending *a, const void *const lists[2], akin_order order, const uint32_t firsts[2],
                    const uint32_t counts[2], uint64_t place);

/* A list of strings: one of them, and where all of them lie. */
typedef struct akin_string_list {
    const uint64_t *offsets;
    const char *bytes;
} akin_string_list;

static inline const char *akin_string_at(const akin_string_list *list, uint64_t i, uint64_t *length)
{
    *length = list->offsets[i + 1] - list->offsets[i];
    return list->bytes + list->offsets[i];
}

/* Puts a section of both together, one behind the other; or copies that which there is. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_append_join(akin_appending *a, int section, akin_error *error);
akin_status akin_append_copy(akin_appending *a, int section, akin_error *error);

/* Unites the columns of rows, and writes their dimensions, bins and strings. *counts, a block to be freed, are the keywords of each.
 * Errors: AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_append_rows(akin_appending *a, uint32_t **counts, akin_error *error);

/* Makes an index of rows as that is which there is; their columns are found by name. Errors: those of akin_search_index_of_rows. */
akin_status akin_append_make_rows(akin_context *context, const akin_search_index *index, const akin_column *columns,
                                  uint32_t count, uint32_t rows, const akin_column *names, akin_search_index **out,
                                  akin_error *error);

/* Writes functions, which stay, vectors if they are kept, and values of signatures, which are united. *counts as above. Errors: likewise. */
akin_status akin_append_functions(akin_appending *a, uint32_t **counts, akin_error *error);

/* Makes an index of vectors, or of sets, by the functions that there are; of vectors, which it borrows, or signatures. Errors: AKIN_E_OPTION
 * (other columns or numbers), those of akin_search_index_of_vectors and .._of_signatures. */
akin_status akin_append_make_signed(akin_context *context, const akin_search_index *index, akin_signed of,
                                    const akin_column *names, akin_search_index **out, akin_error *error);
akin_status akin_append_make_matrix(akin_context *context, const akin_search_index *index, const akin_matrix *matrix,
                                    const akin_column *names, akin_search_index **out, akin_error *error);

#endif
