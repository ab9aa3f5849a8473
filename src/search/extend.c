/*
 * Extends an index: objects are indexed as those that are there, and put behind these. What keywords stand for, tokens,
 * words, values, bins or n-grams, is a rising list in both; the lists are united, each keyword gets its place among
 * all, and lists of objects are joined. Those of hash functions are the same in both.
 */
#include "search/append.h"
#include "search/kinds.h"
#include "table/columns.h"

/* Unites the index with the objects that are added. */
static akin_status unite_indexes(akin_appending *a, akin_error *error)
{
    const akin_search_head *head = &a->of[0]->head;
    const uint32_t dimensions = akin_max_u32(head->dimensions, head->functions);
    a->all->head.dimensions = head->dimensions;
    a->all->head.ngram = head->ngram;
    a->all->head.letters = head->letters;
    a->all->head.folds = head->folds;
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && akin_append_is_united(a->of[0]) && status == AKIN_OK; side++) {
        status = akin_search_scratch(a->scope, &a->arrays[side], a->of[side]->objects.head.keywords,
                                     sizeof *a->places[side], error);
        a->places[side] = a->arrays[side].data;
    }
    if (status == AKIN_OK && a->of[0]->sections[AKIN_SEARCH_NAME_OFFSETS].length > 0)
        status = akin_append_strings(a, AKIN_SEARCH_NAME_OFFSETS, error);
    if (status == AKIN_OK)
        status = akin_search_way_of(head)->unite(a, error);
    const akin_objects_part parts[2] = {{&a->of[0]->objects, a->places[0]}, {&a->of[1]->objects, a->places[1]}};
    if (status == AKIN_OK && akin_search_has_section(head, AKIN_SEARCH_OBJECTS))
        status = akin_objects_merge(a->scope, parts, 2, a->count, dimensions, a->counts, &a->all->objects, error);
    akin_free(a->counts);
    akin_bulk_clear(&a->arrays[0]);
    akin_bulk_clear(&a->arrays[1]);
    return status;
}

/* Whether names are there as the index has them. */
static akin_status check_appended_names(const akin_search_index *index, const akin_column *names, akin_error *error)
{
    const int named = index->sections[AKIN_SEARCH_NAME_OFFSETS].length > 0;
    if (named == (names != NULL))
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     named ? "the objects of the index have names: expected some for these, too"
                           : "the objects of the index have no names: expected none for these");
}

/* Makes an index of both; `more`, if it is there, is freed. */
static akin_status finish_append(const akin_scope *scope, const akin_search_index *index, akin_search_index *more,
                                 akin_status status, akin_search_index **out, akin_error *error)
{
    akin_appending a = {.scope = scope, .of = {index, more}};
    if (status != AKIN_OK || !more) {
        akin_search_index_free(more);
        return status;
    }
    if ((uint64_t)index->head.rows + more->head.rows >= UINT32_MAX)
        status = akin_fail(error, AKIN_E_LIMIT, "an index of 2^32 - 1 objects");
    if (status == AKIN_OK)
        status = akin_search_index_begin(scope, (akin_search_kind)index->head.kind, index->head.rows + more->head.rows,
                                         NULL, &a.all, error);
    if (status == AKIN_OK)
        status = unite_indexes(&a, error);
    if (status == AKIN_OK)
        a.all->texts = more->texts;
    akin_search_index_free(more);
    return akin_search_index_end(a.all, status, out);
}

/* -------------------------------------------------------------------------------------------------- mapped indexes */

static void free_copy(akin_search_index *copy)
{
    if (!copy)
        return;
    akin_objects_clear(&copy->objects);
    for (int i = 0; i < AKIN_SEARCH_SECTIONS; i++)
        akin_bulk_clear(&copy->own[i]);
    akin_free(copy);
}

/* Copies all sections of an index to memory, and checks what they say once more. Its words stay those of the index. */
static akin_status fill_copy(const akin_scope *scope, const akin_search_index *index, akin_search_index *copy,
                             akin_error *error)
{
    const char *name = akin_mapping_name(akin_search_index_mapping(index));
    akin_status status = AKIN_OK;
    *copy = *index;
    memset(copy->own, 0, sizeof copy->own);
    copy->objects = (akin_objects){0};
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++)
        if (index->objects.parts[i].length > 0)
            copy->sections[AKIN_SEARCH_OBJECTS + i] = index->objects.parts[i];
    for (int i = 0; i < AKIN_SEARCH_SECTIONS && status == AKIN_OK; i++)
        status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &copy->sections[i], 0, &copy->own[i], error);
    if (status == AKIN_OK && akin_search_has_section(&index->head, AKIN_SEARCH_OBJECTS))
        status = akin_objects_take(scope, name, copy->sections + AKIN_SEARCH_OBJECTS, &copy->objects, error);
    const akin_search_way *way = akin_search_way_of(&index->head);
    const char *why = status == AKIN_OK && way->check ? way->check(copy) : NULL;
    return why ? akin_search_refuse(name, why, error) : status;
}

/* Extending goes through the sections several times, and relies on finding the same: *copy becomes a copy of an index
 * whose file is mapped, for others may change that. It stays NULL if the index is no such one. */
static akin_status copy_mapped(const akin_scope *scope, const akin_search_index *index, akin_search_index **copy,
                               akin_error *error)
{
    if (!akin_search_index_mapping(index) || !akin_search_way_of(&index->head)->unite)
        return AKIN_OK;
    *copy = akin_alloc_zero(NULL, 1, sizeof **copy);
    return *copy ? fill_copy(scope, index, *copy, error) : akin_fail_memory(error, "a search index");
}

/* Extends an index by objects in one of the forms, `form` in words. */
static akin_status extend_index(const akin_scope *scope, const akin_search_index *index,
                                const akin_search_objects *objects, const char *form, const akin_column *names,
                                akin_search_index **out, akin_error *error)
{
    akin_search_index *more = NULL, *copy = NULL;
    if (!akin_search_is_given(index, akin_search_form_of(objects)))
        return akin_fail(error, AKIN_E_OPTION, "an index of %s is not extended by %s", akin_search_index_kind(index),
                         form);
    akin_status status = check_appended_names(index, names, error);
    if (status == AKIN_OK)
        status = copy_mapped(scope, index, &copy, error);
    index = copy ? copy : index;
    if (status == AKIN_OK)
        status = akin_search_way_of(&index->head)->more(scope, index, objects, names, &more, error);
    status = finish_append(scope, index, more, status, out, error);
    free_copy(copy);
    return status;
}

akin_status akin_search_index_append(akin_context *context, const akin_search_index *index, const akin_column *columns,
                                     uint32_t count, uint32_t rows, const akin_column *names, akin_text_counts *counts,
                                     akin_search_index **out, akin_error *error)
{
    const akin_search_objects objects = {.columns = columns, .column_count = count, .rows = rows};
    akin_status status = akin_table_columns_check(columns, count, rows, "extend an index by", error);
    if (status == AKIN_OK)
        status = extend_index(akin_scope_of(context), index, &objects, "columns", names, out, error);
    if (status == AKIN_OK)
        akin_text_counts_add(counts, &(*out)->texts);
    return status;
}

akin_status akin_search_index_append_sets(akin_context *context, const akin_search_index *index, const akin_sets *sets,
                                          const akin_column *names, akin_search_index **out, akin_error *error)
{
    const akin_search_objects objects = {.sets = sets};
    return extend_index(akin_scope_of(context), index, &objects, "sets", names, out, error);
}

akin_status akin_search_index_append_vectors(akin_context *context, const akin_search_index *index,
                                             const akin_matrix *vectors, const akin_column *names,
                                             akin_search_index **out, akin_error *error)
{
    const akin_search_objects objects = {.matrix = vectors};
    akin_status status = akin_matrix_check(vectors, "extend an index by", error);
    return status == AKIN_OK ? extend_index(akin_scope_of(context), index, &objects, "a matrix", names, out, error)
                             : status;
}
