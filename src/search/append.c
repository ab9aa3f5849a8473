/*
 * Extends an index: objects are indexed as those that are there, and put behind these. What keywords stand for, tokens,
 * words, values, bins or n-grams, is a rising list in both; the lists are united, each keyword gets its place among
 * all, and lists of objects are joined. Those of hash functions are the same in both.
 */
#include "base/parallel.h"
#include "search/kinds.h"

#include "table/columns.h"

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

static int order_tokens(const void *const lists[2], uint64_t i, uint64_t j)
{
    const uint32_t a = ((const uint32_t *)lists[0])[i], b = ((const uint32_t *)lists[1])[j];
    return (a > b) - (a < b);
}

static int order_grams(const void *const lists[2], uint64_t i, uint64_t j)
{
    const uint64_t a = ((const uint64_t *)lists[0])[i], b = ((const uint64_t *)lists[1])[j];
    return (a > b) - (a < b);
}

/* Unites all keywords of both. */
static akin_status unite_all(akin_appending *a, const void *const lists[2], akin_order order, akin_error *error)
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

/* Unites a section of numbers of that size. */
static akin_status append_numbers(akin_appending *a, int section, size_t size, akin_order order, akin_error *error)
{
    const void *const lists[2] = {a->of[0]->sections[section].data, a->of[1]->sections[section].data};
    akin_status status = unite_all(a, lists, order, error);
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

/* ------------------------------------------------------------------------------------------------------------ words */

/* The words of a trie, in the order of their ids. */
typedef struct words {
    akin_bulk arrays[2];
    uint64_t *offsets;
    char *bytes;
} words;

/* Words are sorted by their bytes from the last to the first. */
static int order_words(const void *const lists[2], uint64_t i, uint64_t j)
{
    const words *a = lists[0], *b = lists[1];
    const uint64_t a_length = a->offsets[i + 1] - a->offsets[i], b_length = b->offsets[j + 1] - b->offsets[j];
    const char *a_end = a->bytes + a->offsets[i + 1], *b_end = b->bytes + b->offsets[j + 1];
    for (uint64_t n = 1; n <= akin_min_u64(a_length, b_length); n++)
        if (a_end[-(ptrdiff_t)n] != b_end[-(ptrdiff_t)n])
            return (uint8_t)a_end[-(ptrdiff_t)n] < (uint8_t)b_end[-(ptrdiff_t)n] ? -1 : 1;
    return (a_length > b_length) - (a_length < b_length);
}

/* Makes a trie of the words of both. */
static akin_status build_trie(akin_appending *a, const words sides[2], uint32_t count, akin_error *error)
{
    words all = {0};
    akin_status status = akin_search_scratch(a->scope, &all.arrays[0], (uint64_t)count + 1, sizeof *all.offsets, error);
    if (status != AKIN_OK)
        return status;
    all.offsets = all.arrays[0].data;
    all.offsets[0] = 0;
    for (int side = 0; side < 2; side++)
        for (uint64_t i = 0; i < akin_trie_count(a->of[side]->trie); i++)
            all.offsets[a->places[side][i] + UINT64_C(1)] = sides[side].offsets[i + 1] - sides[side].offsets[i];
    for (uint64_t i = 0; i < count; i++)
        all.offsets[i + 1] += all.offsets[i];
    status = akin_search_scratch(a->scope, &all.arrays[1], all.offsets[count], 1, error);
    all.bytes = all.arrays[1].data;
    for (int side = 0; side < 2 && status == AKIN_OK; side++)
        for (uint64_t i = 0; i < akin_trie_count(a->of[side]->trie); i++)
            memcpy(all.bytes + all.offsets[a->places[side][i]], sides[side].bytes + sides[side].offsets[i],
                   (size_t)(sides[side].offsets[i + 1] - sides[side].offsets[i]));
    const akin_column column = {.size = sizeof column, .offsets = all.offsets, .bytes = all.bytes};
    if (status == AKIN_OK)
        status = akin_trie_build_within(a->scope, &column, count, NULL, &a->all->trie, error);
    akin_bulk_clear(&all.arrays[0]);
    akin_bulk_clear(&all.arrays[1]);
    return status;
}

static akin_status append_words(akin_appending *a, akin_error *error)
{
    words sides[2] = {{.offsets = NULL}, {.offsets = NULL}};
    const void *const lists[2] = {&sides[0], &sides[1]};
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        status = akin_trie_list(a->scope, a->of[side]->trie, sides[side].arrays, error);
        sides[side].offsets = sides[side].arrays[0].data;
        sides[side].bytes = sides[side].arrays[1].data;
    }
    if (status == AKIN_OK)
        status = unite_all(a, lists, order_words, error);
    if (status == AKIN_OK)
        status = build_trie(a, sides, a->count, error);
    for (int side = 0; side < 2; side++) {
        akin_bulk_clear(&sides[side].arrays[0]);
        akin_bulk_clear(&sides[side].arrays[1]);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------- what objects have each */

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

/* The same of offsets and the bytes that they are of. */
static akin_status join_strings(akin_appending *a, int section, akin_error *error)
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

akin_status akin_append_copy(akin_appending *a, int section, akin_error *error)
{
    const akin_section *from = &a->of[0]->sections[section];
    akin_status status = akin_search_section(a->scope, a->all, section, from->length, 1, error);
    if (status == AKIN_OK && from->length > 0)
        memcpy(a->all->own[section].data, from->data, (size_t)from->length);
    return status;
}

static akin_status copy_analysis(akin_appending *a, akin_error *error)
{
    const akin_section *from = &a->of[0]->sections[AKIN_SEARCH_ANALYSIS];
    akin_status status = akin_append_copy(a, AKIN_SEARCH_ANALYSIS, error);
    return status == AKIN_OK ? akin_analysis_parse("an index", from->data, from->length, &a->all->analysis, error)
                             : status;
}

akin_status akin_unite_sets(akin_appending *a, akin_error *error)
{
    akin_status status = append_numbers(a, AKIN_SEARCH_TOKENS, sizeof(uint32_t), order_tokens, error);
    return status == AKIN_OK ? akin_append_join(a, AKIN_SEARCH_SIZES, error) : status;
}

akin_status akin_unite_documents(akin_appending *a, akin_error *error)
{
    akin_status status = copy_analysis(a, error);
    if (status == AKIN_OK)
        status = append_words(a, error);
    return status == AKIN_OK ? akin_append_join(a, AKIN_SEARCH_SIZES, error) : status;
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
    akin_status status = join_strings(a, AKIN_SEARCH_STRING_OFFSETS, error);
    if (status == AKIN_OK)
        status = join_validity(a, error);
    if (status != AKIN_OK)
        return status;
    if (a->all->head.letters)
        status = join_letters(a, error);
    if (status == AKIN_OK)
        status = akin_search_order_strings(a->scope, a->all, error);
    return status == AKIN_OK && a->all->head.ngram > 0
               ? append_numbers(a, AKIN_SEARCH_GRAMS, sizeof(uint64_t), order_grams, error)
               : status;
}

/* ----------------------------------------------------------------------------------------------------------- append */

/* Puts what is there and what is added together. */
static akin_status put_together(akin_appending *a, akin_error *error)
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
        status = join_strings(a, AKIN_SEARCH_NAME_OFFSETS, error);
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
        status = put_together(&a, error);
    akin_search_index_free(more);
    return akin_search_index_end(a.all, status, out);
}

/* Documents are cut as those that are there. Stop words are cut once more, which changes none that is a token. */
akin_status akin_more_documents(const akin_scope *scope, const akin_search_index *index,
                                const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                                akin_error *error)
{
    const akin_analysis *analysis = index->analysis;
    const akin_section *written = &index->sections[AKIN_SEARCH_ANALYSIS], *again;
    akin_text_options text = analysis->text;
    char *bytes = akin_alloc(NULL, analysis->used + analysis->stop_count, 1), *at = bytes;
    const char **stops = akin_alloc(NULL, analysis->stop_count, sizeof *stops);
    akin_status status = AKIN_E_NOMEM;
    for (uint32_t i = 0; bytes && stops && i < analysis->stop_count; i++) {
        const akin_stop_token *stop = &analysis->stops[i];
        memcpy(at, analysis->bytes + stop->begin, stop->length);
        at[stop->length] = '\0';
        stops[i] = at;
        at += stop->length + UINT64_C(1);
    }
    text.stop_words = stops;
    text.stop_word_count = analysis->stop_count;
    if (bytes && stops)
        status = akin_search_index_of_documents(scope->context, objects->columns, objects->column_count, objects->rows,
                                                &text, names, out, error);
    else
        akin_fail_memory(error, what);
    akin_free(bytes);
    akin_free((void *)stops);
    if (status != AKIN_OK)
        return status;
    again = &(*out)->sections[AKIN_SEARCH_ANALYSIS];
    return again->length == written->length && memcmp(again->data, written->data, (size_t)written->length) == 0
               ? AKIN_OK
               : akin_fail(error, AKIN_E_INPUT, "the stop words of the index are no tokens");
}

akin_status akin_more_sets(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error)
{
    (void)index;
    return akin_search_index_of_sets(scope->context, objects->sets, names, out, error);
}

akin_status akin_more_strings(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error)
{
    const akin_strings_options options = {
        .size = sizeof options, .ngram = index->head.ngram, .bytes = !index->head.letters, .folds = index->head.folds};
    return akin_search_strings_make(scope, objects->columns, objects->column_count, objects->rows, &options,
                                    &index->letters, names, out, error);
}

/* Extends an index by objects in one of the forms, `form` in words. */
static akin_status extend(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                          const char *form, const akin_column *names, akin_search_index **out, akin_error *error)
{
    akin_search_index *more = NULL;
    if (!akin_search_is_given(index, akin_search_form_of(objects)))
        return akin_fail(error, AKIN_E_OPTION, "an index of %s is not extended by %s", akin_search_index_kind(index),
                         form);
    akin_status status = check_appended_names(index, names, error);
    if (status == AKIN_OK)
        status = akin_search_way_of(&index->head)->more(scope, index, objects, names, &more, error);
    return finish_append(scope, index, more, status, out, error);
}

akin_status akin_search_index_append(akin_context *context, const akin_search_index *index, const akin_column *columns,
                                     uint32_t count, uint32_t rows, const akin_column *names, akin_search_index **out,
                                     akin_error *error)
{
    const akin_search_objects objects = {.columns = columns, .column_count = count, .rows = rows};
    akin_status status = akin_table_columns_check(columns, count, rows, "extend an index by", error);
    return status == AKIN_OK ? extend(akin_scope_of(context), index, &objects, "columns", names, out, error) : status;
}

akin_status akin_search_index_append_sets(akin_context *context, const akin_search_index *index, const akin_sets *sets,
                                          const akin_column *names, akin_search_index **out, akin_error *error)
{
    const akin_search_objects objects = {.sets = sets};
    return extend(akin_scope_of(context), index, &objects, "sets", names, out, error);
}

akin_status akin_search_index_append_vectors(akin_context *context, const akin_search_index *index,
                                             const akin_matrix *vectors, const akin_column *names,
                                             akin_search_index **out, akin_error *error)
{
    const akin_search_objects objects = {.matrix = vectors};
    akin_status status = akin_matrix_check(vectors, "extend an index by", error);
    return status == AKIN_OK ? extend(akin_scope_of(context), index, &objects, "a matrix", names, out, error) : status;
}
