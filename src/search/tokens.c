/* Sets and documents, whose tokens are keywords: indexes of them, and their queries. */
#include "search/tokens.h"

#include "base/parallel.h"
#include "base/sort.h"
#include "dict/dictionary.h"
#include "sets/from_columns.h"
#include "sets/sets.h"
#include "table/columns.h"

#include <stdatomic.h>

/* Inverts sets of `count` tokens, `order`, all of them below `universe`; or, without an order, of keywords. */
static akin_status build_token_keywords(const akin_scope *scope, akin_search_index *index, const akin_sets *sets,
                                        const uint32_t *tokens, const uint32_t *order, uint32_t universe,
                                        uint32_t count, akin_error *error)
{
    akin_status status = akin_search_section(scope, index, AKIN_SEARCH_SIZES, sets->rows, sizeof(uint32_t), error);
    if (status != AKIN_OK)
        return status;
    uint32_t *sizes = index->own[AKIN_SEARCH_SIZES].data;
    for (uint32_t row = 0; row < sets->rows; row++)
        sizes[row] = (uint32_t)(sets->offsets[row + UINT64_C(1)] - sets->offsets[row]);
    const akin_objects_source source = {.objects = sets->rows,
                                        .keywords = count,
                                        .offsets = sets->offsets,
                                        .tokens = tokens,
                                        .order = order,
                                        .universe = universe};
    return akin_objects_build(scope, &source, &index->objects, error);
}

/* ------------------------------------------------------------------------------------------------------------- sets */

#define FEW  65536               /* counters */
#define TASK ((uint64_t)1 << 20) /* tokens */

/* Tokens that there are, each a bit, and how many are below the first one of each word. */
typedef struct present {
    const uint32_t *tokens; /* of all sets */
    uint64_t total;
    _Atomic uint32_t most; /* the largest of them */
    akin_bulk arrays[3];   /* of these: */
    uint64_t *words;
    uint32_t *before;
    uint32_t *keywords; /* of all sets, if tokens are to be renumbered */
    uint64_t count;     /* of words */
} present;

enum { WORDS, BEFORE, KEYWORDS };

static akin_status find_largest_token(void *argument, uint64_t task, uint32_t thread)
{
    present *p = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, p->total);
    uint32_t most = 0, known = atomic_load(&p->most);
    (void)thread;
    for (uint64_t i = task * TASK; i < end; i++)
        most = akin_max_u32(most, p->tokens[i]);
    while (known < most && !atomic_compare_exchange_weak(&p->most, &known, most))
        ;
    return AKIN_OK;
}

static akin_status mark_tokens(void *argument, uint64_t task, uint32_t thread)
{
    const present *p = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, p->total);
    (void)thread;
    for (uint64_t i = task * TASK; i < end; i++) {
        uint64_t *word = &p->words[p->tokens[i] / 64];
        const uint64_t bit = (uint64_t)1 << p->tokens[i] % 64;
        if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit)) /* mostly it is known */
            __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    }
    return AKIN_OK;
}

static akin_status renumber_tokens(void *argument, uint64_t task, uint32_t thread)
{
    const present *p = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, p->total);
    (void)thread;
    for (uint64_t i = task * TASK; i < end; i++) {
        const uint32_t token = p->tokens[i];
        const uint64_t below = p->words[token / 64] & (((uint64_t)1 << token % 64) - 1);
        p->keywords[i] = p->before[token / 64] + (uint32_t)akin_popcount64(below);
    }
    return AKIN_OK;
}

/* Has all tokens gone through, by all threads. */
static akin_status go_through_tokens(const akin_scope *scope, present *p, akin_task task, akin_error *error)
{
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(p->total, TASK), task, p);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "a search index");
}

static akin_status find_present(const akin_scope *scope, present *p, akin_search_index *index, akin_error *error)
{
    uint64_t distinct = 0;
    akin_status status = go_through_tokens(scope, p, find_largest_token, error);
    p->count = (uint64_t)p->most / 64 + 1;
    if (status == AKIN_OK)
        status = akin_search_scratch(scope, &p->arrays[WORDS], p->count, sizeof *p->words, error);
    if (status == AKIN_OK)
        status = akin_search_scratch(scope, &p->arrays[BEFORE], p->count, sizeof *p->before, error);
    if (status != AKIN_OK)
        return status;
    p->words = p->arrays[WORDS].data;
    p->before = p->arrays[BEFORE].data;
    memset(p->words, 0, p->count * sizeof *p->words);
    status = go_through_tokens(scope, p, mark_tokens, error);
    for (uint64_t i = 0; i < p->count && status == AKIN_OK; i++) {
        p->before[i] = (uint32_t)distinct;
        distinct += (uint64_t)akin_popcount64(p->words[i]);
    }
    if (distinct >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "sets have 2^32 - 1 distinct tokens or more");
    if (status == AKIN_OK)
        status = akin_search_section(scope, index, AKIN_SEARCH_TOKENS, distinct, sizeof(uint32_t), error);
    uint32_t *list = index->own[AKIN_SEARCH_TOKENS].data;
    for (uint64_t i = 0, at = 0; i < p->count && status == AKIN_OK; i++)
        for (uint64_t bits = p->words[i]; bits; bits &= bits - 1)
            list[at++] = (uint32_t)(64 * i + (uint64_t)__builtin_ctzll(bits));
    return status;
}

/* Inverts sets of few out of many tokens, by the places of these. */
static akin_status build_renumbered(const akin_scope *scope, akin_search_index *index, const akin_sets *sets,
                                    present *p, uint32_t count, akin_error *error)
{
    akin_status status = akin_search_scratch(scope, &p->arrays[KEYWORDS], p->total, sizeof *p->keywords, error);
    p->keywords = p->arrays[KEYWORDS].data;
    if (status == AKIN_OK)
        status = go_through_tokens(scope, p, renumber_tokens, error);
    return status == AKIN_OK ? build_token_keywords(scope, index, sets, p->keywords, NULL, 0, count, error) : status;
}

static akin_status build_sets(const akin_scope *scope, akin_search_index *index, const akin_sets *sets,
                              akin_error *error)
{
    present p = {.tokens = sets->tokens, .total = sets->offsets[sets->rows]};
    akin_status status = find_present(scope, &p, index, error);
    const uint64_t count = index->sections[AKIN_SEARCH_TOKENS].length / sizeof(uint32_t), universe = 64 * p.count;
    if (status == AKIN_OK)
        status = universe <= akin_max_u64(p.total / 2, FEW) &&
                         universe < UINT32_MAX /* a table of the universe takes less than tokens with new numbers */
                     ? build_token_keywords(scope, index, sets, sets->tokens, index->own[AKIN_SEARCH_TOKENS].data,
                                            (uint32_t)universe, (uint32_t)count, error)
                     : build_renumbered(scope, index, sets, &p, (uint32_t)count, error);
    for (int i = WORDS; i <= KEYWORDS; i++)
        akin_bulk_clear(&p.arrays[i]);
    return status;
}

akin_status akin_search_index_of_sets_within(const akin_scope *scope, const akin_sets *sets, const akin_column *names,
                                             akin_search_index **out, akin_error *error)
{
    akin_search_index *index = NULL;
    akin_status status = akin_search_index_begin(scope, AKIN_KIND_SETS, sets->rows, names, &index, error);
    if (status == AKIN_OK)
        status = build_sets(scope, index, sets, error);
    return akin_search_index_end(index, status, out);
}

akin_status akin_search_index_of_sets(akin_context *context, const akin_sets *sets, const akin_column *names,
                                      akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_sets_within(akin_scope_of(context), sets, names, out, error);
}

/* -------------------------------------------------------------------------------------------------------- documents */

/* The strings of a dictionary as a column, in two arrays. */
static akin_status list_dictionary(const akin_scope *scope, const akin_dictionary *dictionary, akin_bulk arrays[2],
                                   akin_column *out, akin_error *error)
{
    const uint32_t count = akin_dictionary_count(dictionary);
    const char *word = "";
    size_t length = 0;
    uint64_t total = 0;
    akin_status status = akin_search_scratch(scope, &arrays[0], (uint64_t)count + 1, sizeof total, error);
    uint64_t *offsets = arrays[0].data;
    for (uint32_t i = 0; status == AKIN_OK && i < count; i++) {
        offsets[i] = total;
        akin_dictionary_string(dictionary, i, &word, &length, NULL);
        total += length;
    }
    if (status == AKIN_OK)
        status = akin_search_scratch(scope, &arrays[1], total, 1, error);
    if (status != AKIN_OK)
        return status;
    char *bytes = arrays[1].data;
    offsets[count] = total;
    for (uint32_t i = 0; i < count; i++) {
        akin_dictionary_string(dictionary, i, &word, &length, NULL);
        memcpy(bytes + offsets[i], word, length);
    }
    *out = (akin_column){.size = sizeof *out, .name = "token", .offsets = offsets, .bytes = bytes};
    return AKIN_OK;
}

/* Makes a trie of the words; order[i] is the word that it calls i. */
static akin_status number_words(const akin_scope *scope, const akin_dictionary *dictionary, akin_search_index *index,
                                akin_bulk *order, akin_error *error)
{
    const uint32_t count = akin_dictionary_count(dictionary);
    akin_bulk arrays[2] = {0}, ids = {0};
    akin_column words;
    akin_status status = list_dictionary(scope, dictionary, arrays, &words, error);
    if (status == AKIN_OK)
        status = akin_trie_build_within(scope, &words, count, NULL, &index->trie, error);
    if (status == AKIN_E_INPUT)
        status = akin_fail(error, AKIN_E_INPUT, "a document has a token with a NUL byte");
    if (status == AKIN_OK)
        status = akin_search_scratch(scope, &ids, count, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_search_scratch(scope, order, count, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_trie_look_up_within(scope, index->trie, &words, count, ids.data, error);
    for (uint32_t i = 0; status == AKIN_OK && i < count; i++)
        ((uint32_t *)order->data)[((const uint32_t *)ids.data)[i]] = i;
    akin_bulk_clear(&ids);
    akin_bulk_clear(&arrays[0]);
    akin_bulk_clear(&arrays[1]);
    return status;
}

static akin_status write_analysis(const akin_scope *scope, const akin_text_options *options, akin_search_index *index,
                                  akin_error *error)
{
    char *written = NULL;
    uint64_t length = 0;
    akin_status status = akin_analysis_create(options, NULL, scope->cpu, &index->analysis, error);
    if (status == AKIN_OK)
        status = akin_analysis_write(index->analysis, &written, &length, error);
    if (status == AKIN_OK) {
        index->own[AKIN_SEARCH_ANALYSIS] = akin_bulk_adopt(written);
        index->sections[AKIN_SEARCH_ANALYSIS] = (akin_section){.data = written, .length = length};
    }
    return status;
}

akin_status akin_search_index_of_documents_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                                  uint32_t rows, const akin_text_options *options,
                                                  const akin_column *names, akin_search_index **out, akin_error *error)
{
    akin_search_index *index = NULL;
    akin_dictionary *dictionary = NULL;
    akin_bulk order = {0};
    akin_sets *sets = NULL;
    akin_status status = akin_search_index_begin(scope, AKIN_KIND_DOCUMENTS, rows, names, &index, error);
    if (status == AKIN_OK)
        status = write_analysis(scope, options, index, error);
    if (status == AKIN_OK)
        status = akin_dictionary_create_within(scope, &dictionary, error);
    if (status == AKIN_OK)
        status = akin_sets_from_columns_within(scope, columns, count, rows, options, dictionary, &sets, error);
    if (status == AKIN_OK)
        status = number_words(scope, dictionary, index, &order, error);
    if (status == AKIN_OK)
        status = build_token_keywords(scope, index, sets, sets->tokens, order.data, akin_dictionary_count(dictionary),
                                      akin_trie_count(index->trie), error);
    akin_bulk_clear(&order);
    akin_sets_free(sets);
    akin_dictionary_free(dictionary);
    return akin_search_index_end(index, status, out);
}

akin_status akin_search_index_of_documents(akin_context *context, const akin_column *columns, uint32_t count,
                                           uint32_t rows, const akin_text_options *options, const akin_column *names,
                                           akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_documents_within(akin_scope_of(context), columns, count, rows, options, names, out,
                                                 error);
}

/* ---------------------------------------------------------------------------------------------------------- queries */

/* Notes a keyword of the query at hand. */
static akin_status note_keyword(akin_query_source *q, uint64_t *count, uint64_t keyword)
{
    uint64_t *found = akin_enlarge(NULL, q->found, &q->found_room, *count + 1, sizeof *found);
    if (!found)
        return AKIN_E_NOMEM;
    q->found = found;
    found[(*count)++] = keyword;
    return AKIN_OK;
}

/* Makes items of the keywords, each once; those beyond all are counted only. */
static akin_status add_distinct(akin_query_source *q, uint64_t count, akin_query_batch *batch, akin_error *error)
{
    const uint32_t keywords = q->index->objects.head.keywords;
    akin_sort_u64(q->found, count);
    q->size = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0 && q->found[i] == q->found[i - 1])
            continue;
        q->size++;
        if (q->found[i] < keywords && !akin_query_batch_add(batch, (uint32_t)q->found[i], (uint32_t)q->found[i], 1))
            return akin_fail_memory(error, "queries");
    }
    return AKIN_OK;
}

akin_status akin_build_set_query(akin_query_source *source, uint32_t row, akin_query_batch *batch, akin_error *error)
{
    const akin_search_index *index = source->index;
    const uint32_t *tokens = index->sections[AKIN_SEARCH_TOKENS].data, *wanted;
    const uint32_t count = akin_sets_row(source->sets, row, &wanted);
    source->size = count;
    for (uint32_t i = 0, low = 0; i < count; i++) { /* both rise */
        uint32_t high = index->objects.head.keywords;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (tokens[middle] < wanted[i])
                low = middle + 1;
            else
                high = middle;
        }
        if (low < index->objects.head.keywords && tokens[low] == wanted[i] && !akin_query_batch_add(batch, low, low, 1))
            return akin_fail_memory(error, "queries");
    }
    return AKIN_OK;
}

/* Notes the keywords of a text. */
static akin_status note_text(akin_query_source *q, const char *text, uint64_t length, uint64_t *count)
{
    akin_status status = akin_analyser_take(&q->analyser, text, length, length);
    while (status == AKIN_OK) {
        const char *token;
        uint32_t size, id;
        status = akin_analyser_next(&q->analyser, &token, &size);
        if (status != AKIN_OK || size == 0)
            break;
        if (akin_trie_find(q->index->trie, token, size, &id)) {
            status = note_keyword(q, count, id);
        } else if (q->unknown) { /* numbered behind those that are known */
            status = akin_dictionary_add(q->unknown, token, size, &id, NULL);
            if (status == AKIN_OK)
                status = note_keyword(q, count, (uint64_t)q->index->objects.head.keywords + id);
        }
    }
    return status;
}

akin_status akin_build_document_query(akin_query_source *source, uint32_t row, akin_query_batch *batch,
                                      akin_error *error)
{
    uint64_t count = 0;
    for (uint32_t c = 0; c < source->column_count; c++) {
        const akin_column *column = akin_columns_at(source->columns, c);
        const uint64_t begin = column->offsets[row], length = column->offsets[row + UINT64_C(1)] - begin;
        if (!akin_column_has(column, row))
            continue;
        akin_status status = note_text(source, column->bytes + begin, length, &count);
        if (status == AKIN_E_NOMEM)
            return akin_fail_memory(error, "queries");
        if (status != AKIN_OK)
            return akin_columns_fail(
                source->columns, c, row, status,
                status == AKIN_E_INPUT ? "is not valid UTF-8" : "has more tokens than 32 bits number", error);
    }
    return add_distinct(source, count, batch, error);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

const char *akin_search_check_sizes(const akin_search_index *index)
{
    return index->sections[AKIN_SEARCH_SIZES].length == (uint64_t)index->head.rows * sizeof(uint32_t)
               ? NULL
               : "its sizes are not those of its objects";
}

const char *akin_search_check_sets(const akin_search_index *index)
{
    const akin_section *section = &index->sections[AKIN_SEARCH_TOKENS];
    const uint32_t *tokens = section->data;
    const char *why = akin_search_check_sizes(index);
    if (why)
        return why;
    if (section->length != (uint64_t)index->objects.head.keywords * sizeof *tokens)
        return "its tokens are not as many as its keywords";
    for (uint64_t i = 1; i < index->objects.head.keywords; i++)
        if (tokens[i] <= tokens[i - 1])
            return "its tokens are not rising";
    return NULL;
}

akin_status akin_search_take_documents(const akin_scope *scope, const char *name, akin_search_index *index,
                                       akin_error *error)
{
    const akin_section *written = &index->sections[AKIN_SEARCH_ANALYSIS];
    akin_status status = akin_trie_take(scope, name, index->sections + AKIN_SEARCH_TRIE, &index->trie, error);
    if (status == AKIN_OK && akin_trie_count(index->trie) != index->objects.head.keywords)
        return akin_search_refuse(name, "its words are not as many as its keywords", error);
    return status == AKIN_OK ? akin_analysis_parse(name, written->data, written->length, &index->analysis, error)
                             : status;
}
