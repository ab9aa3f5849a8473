/* Sets and documents that are added to an index: their tokens are united with those that are there. */
#include "search/tokens.h"

#include <string.h>

static const char what[] = "a search index"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------- make */

/* Documents are cut as those that are there. Stop words are cut once more, which changes none that is a token. */
akin_status akin_more_documents(const akin_scope *scope, const akin_search_index *index,
                                const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                                akin_error *error)
{
    const akin_analysis *analysis = index->analysis;
    const akin_section *written = &index->sections[AKIN_SEARCH_ANALYSIS], *again;
    akin_text_options text = analysis->text;
    akin_text_counts counts = {0, 0};
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
    text.counts = &counts;
    if (bytes && stops)
        status = akin_search_index_of_documents_within(scope, objects->columns, objects->column_count, objects->rows,
                                                       &text, names, out, error);
    else
        akin_fail_memory(error, what);
    akin_free(bytes);
    akin_free((void *)stops);
    if (status != AKIN_OK)
        return status;
    (*out)->texts = counts;
    again = &(*out)->sections[AKIN_SEARCH_ANALYSIS];
    return again->length == written->length && memcmp(again->data, written->data, (size_t)written->length) == 0
               ? AKIN_OK
               : akin_fail(error, AKIN_E_INPUT, "the stop words of the index are no tokens");
}

akin_status akin_more_sets(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error)
{
    (void)index;
    return akin_search_index_of_sets_within(scope, objects->sets, names, out, error);
}

/* ------------------------------------------------------------------------------------------------------------ unite */

static int order_tokens(const void *const lists[2], uint64_t i, uint64_t j)
{
    const uint32_t a = ((const uint32_t *)lists[0])[i], b = ((const uint32_t *)lists[1])[j];
    return (a > b) - (a < b);
}

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
        status = akin_append_keywords(a, lists, order_words, error);
    if (status == AKIN_OK)
        status = build_trie(a, sides, a->count, error);
    for (int side = 0; side < 2; side++) {
        akin_bulk_clear(&sides[side].arrays[0]);
        akin_bulk_clear(&sides[side].arrays[1]);
    }
    return status;
}

static akin_status copy_analysis(akin_appending *a, akin_error *error)
{
    const akin_section *from = &a->of[0]->sections[AKIN_SEARCH_ANALYSIS];
    akin_status status = akin_append_copy(a, AKIN_SEARCH_ANALYSIS, error);
    return status == AKIN_OK ? akin_analysis_parse("a search index", from->data, from->length, &a->all->analysis, error)
                             : status;
}

akin_status akin_unite_sets(akin_appending *a, akin_error *error)
{
    akin_status status = akin_append_numbers(a, AKIN_SEARCH_TOKENS, sizeof(uint32_t), order_tokens, error);
    return status == AKIN_OK ? akin_append_join(a, AKIN_SEARCH_SIZES, error) : status;
}

akin_status akin_unite_documents(akin_appending *a, akin_error *error)
{
    akin_status status = copy_analysis(a, error);
    if (status == AKIN_OK)
        status = append_words(a, error);
    return status == AKIN_OK ? akin_append_join(a, AKIN_SEARCH_SIZES, error) : status;
}
