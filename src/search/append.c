/* What extending an index of any kind takes: lists of keywords are united, and sections joined. */
#include "search/append.h"

#include "base/parallel.h"

static const char what[] = "a search index"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------ unite */

uint64_t akin_unite(akin_appending *a, const void *const lists[2], akin_order order, const uint32_t firsts[2],
                    const uint32_t counts[2], uint64_t place)
{
    const uint64_t begin = place;
    for (uint32_t i = 0, j = 0; (i < counts[0] || j < counts[1]) && !a->is_stopped; place++) {
        a->is_stopped = akin_is_stopped(a->scope, place);
        const int comparison = i == counts[0] ? 1 : j == counts[1] ? -1 : order(lists, i, j);
        if (comparison <= 0)
            a->places[0][firsts[0] + i++] = (uint32_t)place;
        if (comparison >= 0)
            a->places[1][firsts[1] + j++] = (uint32_t)place;
    }
    return place - begin;
}

akin_status akin_append_keywords(akin_appending *a, const void *const lists[2], akin_order order, akin_error *error)
{
    const uint32_t firsts[2] = {0, 0};
    const uint32_t counts[2] = {a->of[0]->objects.head.keywords, a->of[1]->objects.head.keywords};
    const uint64_t total = akin_unite(a, lists, order, firsts, counts, 0);
    if (a->is_stopped)
        return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    if (total >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "an index of 2^32 - 1 keywords");
    a->count = (uint32_t)total;
    return AKIN_OK;
}

akin_status akin_append_numbers(akin_appending *a, int section, size_t size, akin_order order, akin_error *error)
{
    const void *const lists[2] = {a->of[0]->sections[section].data, a->of[1]->sections[section].data};
    akin_status status = akin_append_keywords(a, lists, order, error);
    if (status == AKIN_OK)
        status = akin_search_section(a->scope, a->all, section, a->count, size, error);
    if (status != AKIN_OK)
        return status;
    char *to = a->all->own[section].data;
    for (int side = 0; side < 2; side++)
        for (uint64_t i = 0; i < a->of[side]->objects.head.keywords && !a->is_stopped; i++) {
            a->is_stopped = akin_is_stopped(a->scope, i);
            memcpy(to + a->places[side][i] * size, (const char *)lists[side] + i * size, size);
        }
    return a->is_stopped ? akin_fail_stopped(error, AKIN_E_CANCELLED, what) : AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- join */

akin_status akin_append_join(akin_appending *a, int section, akin_error *error)
{
    const akin_section *first = &a->of[0]->sections[section], *second = &a->of[1]->sections[section];
    akin_status status = akin_search_section(a->scope, a->all, section, first->length + second->length, 1, error);
    char *to = a->all->own[section].data;
    if (status != AKIN_OK)
        return status;
    if (first->length > 0)
        status = akin_copy_long(a->scope, to, first->data, first->length);
    if (status == AKIN_OK && second->length > 0)
        status = akin_copy_long(a->scope, to + first->length, second->data, second->length);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_append_strings(akin_appending *a, int section, akin_error *error)
{
    const uint64_t *first = a->of[0]->sections[section].data, *second = a->of[1]->sections[section].data;
    const uint64_t rows = a->of[0]->head.rows, added = a->of[1]->head.rows;
    akin_status status = akin_search_section(a->scope, a->all, section, rows + added + 1, sizeof *first, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *to = a->all->own[section].data;
    memcpy(to, first, (size_t)(rows + 1) * sizeof *to);
    for (uint64_t i = 1; i <= added; i++)
        to[rows + i] = first[rows] + second[i];
    return akin_append_join(a, section + 1, error);
}

akin_status akin_append_copy(akin_appending *a, int section, akin_error *error)
{
    const akin_section *from = &a->of[0]->sections[section];
    akin_status status = akin_search_section(a->scope, a->all, section, from->length, 1, error);
    if (status == AKIN_OK && from->length > 0)
        memcpy(a->all->own[section].data, from->data, (size_t)from->length);
    return status;
}

akin_status akin_append_functions(akin_appending *a, akin_error *error)
{
    const akin_search_lsh *lsh = &a->of[0]->lsh;
    a->counts = akin_alloc(NULL, lsh->family.functions, sizeof *a->counts);
    if (!a->counts)
        return akin_fail_memory(error, what);
    a->all->lsh = *lsh;
    a->all->head.functions = lsh->family.functions;
    return AKIN_OK;
}

akin_status akin_append_check_columns(const akin_matrix *matrix, uint32_t columns, akin_error *error)
{
    return matrix->columns == columns ? AKIN_OK
                                      : akin_fail(error, AKIN_E_OPTION, "an index of %u columns is not extended by %u",
                                                  columns, matrix->columns);
}
