/* What extending an index works on: the index, what is added, and all of it, in the making. */
#ifndef AKIN_SEARCH_APPEND_H
#define AKIN_SEARCH_APPEND_H

#include "search/index.h"
#include "search/vectors.h"

typedef struct akin_appending {
    const akin_scope *scope;
    const akin_search_index *of[2]; /* what is there, and what is added */
    akin_search_index *all;
    akin_bulk arrays[2];
    uint32_t
        *places[2];   /* of each: the keyword of all that each of its keywords is, rising; NULL if they are the same */
    uint32_t count;   /* of the keywords of all, once these are united; or, of each dimension or function, */
    uint32_t *counts; /* a block to be freed */
    int is_stopped;   /* the caller has said so: what is at hand is not whole */
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

/* Joins the section of one index and that of the other; or copies the one that exists. Errors: AKIN_E_NOMEM,
 * AKIN_E_IO. */
akin_status akin_append_join(akin_appending *a, int section, akin_error *error);
akin_status akin_append_copy(akin_appending *a, int section, akin_error *error);

/* Unites the keywords of both sides, and writes what the kind has besides, as akin_search_way says. Functions stay,
 * values of signatures are united. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_unite_sets(akin_appending *a, akin_error *error);
akin_status akin_unite_documents(akin_appending *a, akin_error *error);
akin_status akin_unite_rows(akin_appending *a, akin_error *error);
akin_status akin_unite_strings(akin_appending *a, akin_error *error);
akin_status akin_unite_functions(akin_appending *a, akin_error *error);

/* Makes an index of objects, as those of an index are; vectors, which it borrows, by the functions that there are.
 * Columns of rows are found by their names. Errors: those of making such an index; AKIN_E_OPTION (other columns or
 * numbers). */
typedef akin_status (*akin_search_more)(const akin_scope *scope, const akin_search_index *index,
                                        const akin_search_objects *objects, const akin_column *names,
                                        akin_search_index **out, akin_error *error);
akin_status akin_more_sets(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error);
akin_status akin_more_minhash(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error);
akin_status akin_more_documents(const akin_scope *scope, const akin_search_index *index,
                                const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                                akin_error *error);
akin_status akin_more_rows(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error);
akin_status akin_more_strings(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error);
akin_status akin_more_vectors(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error);
akin_status akin_more_signatures(const akin_scope *scope, const akin_search_index *index,
                                 const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                                 akin_error *error);

akin_status akin_more_bm25(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error);

#endif
