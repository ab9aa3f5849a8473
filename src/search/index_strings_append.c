/* Strings that are added to an index: their code points get numbers behind those that are there, and the n-grams of
 * both are united. */
#include "search/index_strings.h"

#include "base/parallel.h"
#include "table/columns.h"

static const char what[] = "a search index"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------- make */

akin_status akin_more_strings(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error)
{
    const akin_strings_options options = {
        .size = sizeof options, .ngram = index->head.ngram, .bytes = !index->head.letters, .folds = index->head.folds};
    return akin_search_strings_make(scope, objects->columns, objects->column_count, objects->rows, &options,
                                    &index->letters, names, out, error);
}

/* ------------------------------------------------------------------------------------------------------------ unite */

static int order_grams(const void *const lists[2], uint64_t i, uint64_t j)
{
    const uint64_t a = ((const uint64_t *)lists[0])[i], b = ((const uint64_t *)lists[1])[j];
    return (a > b) - (a < b);
}

/* Bits, where either has any; all are set of one that has none. */
static akin_status join_validity(akin_appending *a, akin_error *error)
{
    const uint32_t rows = a->of[0]->head.rows, added = a->of[1]->head.rows;
    const akin_column sides[2] = {akin_search_strings(a->of[0]), akin_search_strings(a->of[1])};
    const int any = sides[0].validity || sides[1].validity;
    const uint64_t bytes = any ? akin_ceil_div((uint64_t)rows + added, 8) : 0;
    akin_status status = akin_search_section(a->scope, a->all, AKIN_SEARCH_VALIDITY, bytes, 1, error);
    uint8_t *to = a->all->own[AKIN_SEARCH_VALIDITY].data;
    if (status != AKIN_OK || !any)
        return status;
    memset(to, 0, (size_t)bytes);
    for (uint32_t i = 0; i < rows + added; i++)
        if (i < rows ? akin_column_has(&sides[0], i) : akin_column_has(&sides[1], i - rows))
            to[i / 8] = (uint8_t)(to[i / 8] | 1u << i % 8);
    return AKIN_OK;
}

/* The code points of both indexes, which the added index has all of; and the numbers of their symbols, if bytes do not
 * identify them. */
static akin_status join_letters(akin_appending *a, akin_error *error)
{
    const akin_section *points = &a->of[1]->sections[AKIN_SEARCH_TOKENS];
    akin_status status = akin_search_section(a->scope, a->all, AKIN_SEARCH_TOKENS, points->length, 1, error);
    if (status == AKIN_OK && points->length > 0)
        memcpy(a->all->own[AKIN_SEARCH_TOKENS].data, points->data, (size_t)points->length);
    if (status != AKIN_OK || !akin_letters_are_wide(&a->of[1]->letters))
        return status;
    const uint64_t counts[2] = {a->of[0]->sections[AKIN_SEARCH_STRINGS].length,
                                a->of[1]->sections[AKIN_SEARCH_STRINGS].length};
    status = akin_search_section(a->scope, a->all, AKIN_SEARCH_BINS, counts[0] + counts[1], sizeof(uint32_t), error);
    uint32_t *to = a->all->own[AKIN_SEARCH_BINS].data;
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        const uint32_t *numbers = a->of[side]->sections[AKIN_SEARCH_BINS].data;
        const uint8_t *bytes = a->of[side]->sections[AKIN_SEARCH_STRINGS].data;
        const int is_wide = a->of[side]->sections[AKIN_SEARCH_BINS].length > 0;
        for (uint64_t i = 0; i < counts[side]; i++) {
            if (akin_is_stopped(a->scope, i))
                return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
            *to++ = is_wide ? numbers[i] : bytes[i];
        }
    }
    return status;
}

akin_status akin_unite_strings(akin_appending *a, akin_error *error)
{
    akin_status status = akin_append_strings(a, AKIN_SEARCH_STRING_OFFSETS, error);
    if (status == AKIN_OK)
        status = join_validity(a, error);
    if (status != AKIN_OK)
        return status;
    if (a->all->head.letters)
        status = join_letters(a, error);
    if (status == AKIN_OK)
        status = akin_search_order_strings(a->scope, a->all, error);
    return status == AKIN_OK && a->all->head.ngram > 0
               ? akin_append_numbers(a, AKIN_SEARCH_GRAMS, sizeof(uint64_t), order_grams, error)
               : status;
}
