/* What all kinds take to extend an index: the index, the objects that are added, and the index of both in the
 * making. */
#ifndef AKIN_SEARCH_APPEND_H
#define AKIN_SEARCH_APPEND_H

#include "search/index.h"
#include "table/matrix.h"

typedef struct akin_appending {
    const akin_scope *scope;
    const akin_search_index *of[2]; /* what is there, and what is added */
    akin_search_index *all;
    akin_bulk arrays[2];
    uint32_t
        *places[2];   /* of each: the keyword of all that each of its keywords is, rising; NULL if they are the same */
    uint32_t count;   /* of the keywords of all, once these are united; or, of each dimension or function, */
    uint32_t *counts; /* a block to be freed */
    int is_stopped;   /* the caller has cancelled: the result is not whole */
} akin_appending;

/* Whether keywords are those that occur, so that others may be added; else they are those of functions, and stay. */
static inline int akin_append_is_united(const akin_search_index *index)
{
    return index->lsh.family.buckets == 0;
}

/* How entry i of one list compares with entry j of the other. */
typedef int (*akin_order)(const void *const lists[2], uint64_t i, uint64_t j);

/* Unites two lists that rise, without repetitions, of keywords from firsts[side] on, counts[side] of them: their places
 * are set, the first being `place`. Returns how many there are then; or it is stopped. */
uint64_t akin_unite(akin_appending *a, const void *const lists[2], akin_order order, const uint32_t firsts[2],
                    const uint32_t counts[2], uint64_t place);

/* akin_append_keywords unites all keywords of both sides, which these lists have, and sets a->count.
 * akin_append_numbers unites the numbers of a section, which are the keywords and have `size` bytes each, and writes
 * the section. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_append_keywords(akin_appending *a, const void *const lists[2], akin_order order, akin_error *error);
akin_status akin_append_numbers(akin_appending *a, int section, size_t size, akin_order order, akin_error *error);

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

/* Joins the section of one index and that of the other. The same of strings: a section of offsets, and the section of
 * bytes behind it. Or copies the section of the index that is there. Errors: AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
akin_status akin_append_join(akin_appending *a, int section, akin_error *error);
akin_status akin_append_strings(akin_appending *a, int section, akin_error *error);
akin_status akin_append_copy(akin_appending *a, int section, akin_error *error);

/* Gives all the functions of the index that is there, and makes room for a number of each in a->counts. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_append_functions(akin_appending *a, akin_error *error);

/* Checks that a matrix to be added has as many columns as the index. Errors: AKIN_E_OPTION. */
akin_status akin_append_check_columns(const akin_matrix *matrix, uint32_t columns, akin_error *error);

#endif
