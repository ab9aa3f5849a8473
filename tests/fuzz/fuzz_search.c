/*
 * Fuzzes the opening of indexes for match-count search: with the input as it is, which the checksums refuse nearly
 * always, and again with all checksums made right, so that everything behind them is reached. An index that opens is
 * searched, by every technique that it permits.
 */
#include "annex.h"
#include "base/context.h"
#include "base/memory.h"
#include "search/index_file.h"

#include "container.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* Objects are there, and have names that can be read. */
static int check_hits(void *user, const akin_search_hit *found, size_t count)
{
    const akin_search_index *index = user;
    for (size_t i = 0; i < count; i++) {
        const char *name;
        size_t length;
        require(found[i].object < index->head.rows);
        if (akin_search_index_name(index, found[i].object, &name, &length) && length > 0)
            (void)*(const volatile char *)(name + length - 1);
    }
    return 0;
}

/* Three queries: of what is likely to be there, of nothing, and of anything. */
static akin_column queries_named(const char *name)
{
    static const uint64_t offsets[] = {0, 3, 3, 9};
    return (akin_column){.size = sizeof(akin_column), .name = name, .offsets = offsets, .bytes = "red[1,99]"};
}

static void ask(const akin_search_index *index, const akin_column *queries, uint32_t columns, const akin_sets *sets)
{
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    void *const user = (void *)(uintptr_t)index;
    const akin_choice *technique;
    for (uint32_t i = 0; (technique = choice_of_both("search-techniques", i)); i++)
        for (uint32_t candidates = 0; candidates <= 4; candidates += 2) {
            options.technique = (akin_search_technique)technique->value;
            options.candidates = candidates == 2 ? 0 : candidates;
            options.measure = candidates == 2 ? AKIN_COSINE : AKIN_OVERLAP;
            options.k = 3;
            akin_status status =
                sets ? akin_search_sets(&context, index, sets, &options, check_hits, user, NULL, NULL)
                     : akin_search(&context, index, queries, columns, 3, &options, check_hits, user, NULL, NULL);
            require(status == AKIN_OK || status == AKIN_E_OPTION || status == AKIN_E_INPUT);
        }
}

/* Adds what is asked for to the index; what comes of it is asked again. */
static void grow(const akin_search_index *index, const akin_column *columns, uint32_t count, const akin_sets *sets)
{
    static const uint64_t offsets[] = {0, 1, 2, 3};
    const akin_column names = {.size = sizeof names, .name = "id", .offsets = offsets, .bytes = "xyz"};
    const akin_column *given = index->sections[AKIN_SEARCH_NAME_OFFSETS].length > 0 ? &names : NULL;
    akin_search_index *all = NULL;
    const akin_status status =
        sets ? akin_search_index_append_sets(&context, index, sets, given, &all, NULL)
             : akin_search_index_append(&context, index, columns, count, 3, given, NULL, &all, NULL);
    require(status == AKIN_OK || status == AKIN_E_OPTION || status == AKIN_E_INPUT || status == AKIN_E_LIMIT);
    require((status == AKIN_OK) == (all != NULL));
    if (all)
        ask(all, columns, count, sets);
    akin_search_index_free(all);
}

/* Searches by the first two columns, by their names. */
static void ask_rows(const akin_search_index *index)
{
    const akin_dimension *dimensions = index->sections[AKIN_SEARCH_DIMENSIONS].data;
    char names[2][64];
    akin_column columns[2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < index->head.dimensions && count < 2; i++) {
        uint64_t length;
        const char *name = akin_search_string(index, dimensions[i].string, &length);
        if (length >= sizeof names[0])
            continue;
        memcpy(names[count], name, (size_t)length);
        names[count][length] = '\0';
        columns[count] = queries_named(names[count]);
        count++;
    }
    if (count > 0)
        ask(index, columns, count, NULL);
    if (count > 0)
        grow(index, columns, count, NULL);
}

/* Asks by a matrix: by what its numbers are as bytes, and as many columns as the index has, if these are few. */
static void ask_matrix(const akin_search_index *index)
{
    static const uint8_t bytes[64] = {1, 0, 255, 7, 3, 3};
    const int of_signatures = index->head.kind == AKIN_KIND_SIGNATURES;
    const uint32_t columns = of_signatures ? index->head.functions : index->lsh.family.dimensions;
    const akin_matrix queries = {sizeof queries, 2, columns < 32 ? columns : 32, AKIN_NUMBER_U8, 0, bytes};
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    void *const user = (void *)(uintptr_t)index;
    const akin_choice *technique;
    options.k = 3;
    if (index->head.functions > 1000)
        return;
    for (uint32_t i = 0; (technique = choice_of_both("search-techniques", i)); i++)
        for (uint32_t rerank = 0; rerank <= 4; rerank += 4) {
            options.technique = (akin_search_technique)technique->value;
            options.rerank = rerank;
            akin_status status = akin_search_vectors(&context, index, &queries, &options, check_hits, user, NULL, NULL);
            require(status == AKIN_OK || status == AKIN_E_OPTION || status == AKIN_E_INPUT);
        }
}

static void use(const akin_search_index *index)
{
    static const uint64_t offsets[] = {0, 3, 3};
    static const uint32_t tokens[] = {1, 2, 700};
    const akin_column query = queries_named("text");
    akin_sets *sets = NULL;
    if (index->head.kind == AKIN_KIND_ROWS) {
        ask_rows(index);
    } else if (index->head.kind == AKIN_KIND_VECTORS || index->head.kind == AKIN_KIND_SIGNATURES) {
        ask_matrix(index);
    } else if (index->head.kind == AKIN_KIND_SETS) {
        require(akin_sets_from_arrays(&context, 2, offsets, tokens, &sets, NULL) == AKIN_OK);
        ask(index, NULL, 0, sets);
        grow(index, NULL, 0, sets);
    } else {
        ask(index, &query, 1, NULL);
        grow(index, &query, 1, NULL);
    }
    akin_sets_free(sets);
}

static void parse(const uint8_t *data, size_t size, int mended)
{
    akin_error error;
    akin_search_index *index = NULL;
    uint8_t *image = image_of(data, size, mended);
    akin_status status = akin_search_index_parse(akin_scope_of(&context), "input", image, size, &index, &error);
    require(status == AKIN_OK || status == AKIN_E_INPUT);
    if (status == AKIN_OK)
        use(index);
    akin_search_index_free(index);
    akin_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    context.annex = akin_papers();
    parse(data, size, 0);
    parse(data, size, 1);
    return 0;
}
