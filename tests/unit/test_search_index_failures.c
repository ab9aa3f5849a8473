/* Indexes for match-count search, made, saved, opened, extended and searched while memory runs out: every allocation
 * fails once, alone and with all that follow. Leaks show under the address sanitizer. */
#define _GNU_SOURCE

#include "unit/test_base_failing.h"
#include "unit/test_base_cancel.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "akin.h"
#include "base/context.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};
static char path[64];

static const uint64_t offsets[] = {0, 8, 16, 24};
static const akin_column texts = {
    .size = sizeof texts, .name = "text", .offsets = offsets, .bytes = "red boatblue seared seas"};
static const uint64_t tree_offsets[] = {0, 9, 15, 24};
static const akin_column trees = {
    .size = sizeof trees, .name = "tree", .offsets = tree_offsets, .bytes = "{a{b}{c}}{a{b}}{x{y}{z}}"};
static const uint64_t number_offsets[] = {0, 1, 2, 3};
static const akin_column numbers = {.size = sizeof numbers, .name = "age", .offsets = number_offsets, .bytes = "179"};

static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6};
static const akin_matrix vectors = {sizeof vectors, 3, 2, AKIN_NUMBER_U8, 0, bytes};
static int is_hashed; /* sets are, by MinHash */

static int count_hits(void *user, const akin_search_hit *found, size_t count)
{
    (void)found;
    *(size_t *)user += count;
    return 0;
}

static akin_status make(akin_search_kind kind, const akin_sets *sets, akin_search_index **out, akin_error *error)
{
    static const char *const numeric[] = {"age"};
    const akin_column columns[] = {texts, numbers};
    const akin_rows_options rows = {sizeof rows, numeric, 1, 4};
    const akin_strings_options strings = {.size = sizeof strings, .ngram = 2};
    akin_vectors_options functions = AKIN_VECTORS_OPTIONS_INIT;
    functions.functions = 9;
    functions.family = kind == AKIN_KIND_SETS ? AKIN_FAMILY_JACCARD : AKIN_FAMILY_L2;
    switch (kind) {
    case AKIN_KIND_SETS:
        return is_hashed ? akin_search_index_of_minhash(&context, sets, &functions, &numbers, out, error)
                         : akin_search_index_of_sets(&context, sets, &numbers, out, error);
    case AKIN_KIND_DOCUMENTS:
        return akin_search_index_of_documents(&context, columns, 1, 3, NULL, &numbers, out, error);
    case AKIN_KIND_ROWS:
        return akin_search_index_of_rows(&context, columns, 2, 3, &rows, &numbers, out, error);
    case AKIN_KIND_VECTORS:
        return akin_search_index_of_vectors(&context, &vectors, &functions, &numbers, out, error);
    case AKIN_KIND_SIGNATURES:
        return akin_search_index_of_signatures(&context, &vectors, NULL, &numbers, out, error);
    case AKIN_KIND_BM25: {
        const akin_search_objects objects = {.size = sizeof objects, .columns = columns, .column_count = 1, .rows = 3};
        return akin_search_index_make(&context, kind, &objects, NULL, &numbers, out, error);
    }
    case AKIN_KIND_TREES: {
        const akin_search_objects objects = {.size = sizeof objects, .columns = &trees, .column_count = 1, .rows = 3};
        return akin_search_index_make(&context, kind, &objects, NULL, &numbers, out, error);
    }
    case AKIN_KIND_STRINGS:
        break;
    }
    return akin_search_index_of_strings(&context, columns, 3, &strings, &numbers, out, error);
}

/* What an index of a kind is made of. */
static akin_given_form objects_of(akin_search_kind kind)
{
    const akin_search_facts *facts = akin_search_facts_of(kind, 0);
    return (facts ? facts : akin_search_facts_of(kind, 1))->objects;
}

static akin_status ask(akin_search_kind kind, const akin_sets *sets, uint32_t candidates, akin_measure measure,
                       akin_error *error)
{
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_index *made = NULL, *opened = NULL;
    size_t count = 0;
    akin_status status = make(kind, sets, &made, error);
    if (status == AKIN_OK)
        status = akin_search_index_save(&context, made, path, error);
    if (status == AKIN_OK)
        status = akin_search_index_open(&context, path, &opened, error);
    options.k = 3;
    options.candidates = candidates;
    options.measure = measure;
    options.rerank = kind == AKIN_KIND_VECTORS ? 3 : 0;
    if (status == AKIN_OK)
        status = objects_of(kind) == AKIN_GIVEN_MATRIX
                     ? akin_search_vectors(&context, opened, &vectors, &options, count_hits, &count, NULL, error)
                 : objects_of(kind) == AKIN_GIVEN_SETS
                     ? akin_search_sets(&context, opened, sets, &options, count_hits, &count, NULL, error)
                     : akin_search(&context, opened, kind == AKIN_KIND_TREES ? &trees : &texts, 1, 3, &options,
                                   count_hits, &count, NULL, error);
    akin_search_index_free(made);
    akin_search_index_free(opened);
    assert_true(status != AKIN_OK || count == (kind == AKIN_KIND_BM25 ? 5 : 9)); /* by which a document has a word */
    return status;
}

static void fail_each(akin_search_kind kind, const akin_sets *sets, uint32_t candidates, akin_measure measure)
{
    akin_error error;
    CANCEL_EACH(&context, error, ask(kind, sets, candidates, measure, &error));
    for (int alone = 0; alone < 2; alone++) {
        unsigned n = 0;
        do {
            begin_failing(n++, alone);
            akin_status status = ask(kind, sets, candidates, measure, &error);
            armed = 0;
            assert_true(status == AKIN_OK || (failed && status == AKIN_E_NOMEM));
            assert_true(status == AKIN_OK || strstr(error.message, "memory"));
        } while (failed);
        assert_true(n > 20);
    }
}

/* Makes an index and extends it by the same objects. */
static akin_status extend(akin_search_kind kind, const akin_sets *sets, akin_error *error)
{
    akin_search_index *made = NULL, *longer = NULL;
    akin_search_statistics about = {.size = sizeof about};
    const akin_column columns[] = {texts, numbers};
    akin_status status = make(kind, sets, &made, error);
    if (status == AKIN_OK)
        status = objects_of(kind) == AKIN_GIVEN_MATRIX
                     ? akin_search_index_append_vectors(&context, made, &vectors, &numbers, &longer, error)
                 : objects_of(kind) == AKIN_GIVEN_SETS
                     ? akin_search_index_append_sets(&context, made, sets, &numbers, &longer, error)
                     : akin_search_index_append(&context, made, columns, kind == AKIN_KIND_ROWS ? 2 : 1, 3, &numbers,
                                                NULL, &longer, error);
    if (status == AKIN_OK)
        status = akin_search_index_describe(longer, &about, error);
    akin_search_index_free(made);
    akin_search_index_free(longer);
    assert_true(status != AKIN_OK || about.objects == 6);
    return status;
}

static void fail_each_extension(akin_search_kind kind, const akin_sets *sets)
{
    akin_error error;
    CANCEL_EACH(&context, error, extend(kind, sets, &error));
    for (int alone = 0; alone < 2; alone++) {
        unsigned n = 0;
        do {
            begin_failing(n++, alone);
            akin_status status = extend(kind, sets, &error);
            armed = 0;
            assert_true(status == AKIN_OK || (failed && status == AKIN_E_NOMEM));
            assert_true(status == AKIN_OK || strstr(error.message, "memory"));
        } while (failed);
        assert_true(n > 30);
    }
}

static void every_extension(void **state)
{
    static const uint32_t tokens[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint64_t ends[] = {0, 3, 5, 8};
    akin_sets *sets = NULL;
    (void)state;
    assert_int_equal(akin_sets_from_arrays(&context, 3, ends, tokens, &sets, NULL), AKIN_OK);
    const akin_choice *kind;
    for (uint32_t i = 0; (kind = akin_choices("search-kinds", i)); i++)
        if (kind->value != AKIN_KIND_BM25 && kind->value != AKIN_KIND_TREES) /* whose indexes are not extended */
            fail_each_extension((akin_search_kind)kind->value, sets);
    is_hashed = 1;
    fail_each_extension(AKIN_KIND_SETS, sets);
    is_hashed = 0;
    akin_sets_free(sets);
}

static void every_allocation(void **state)
{
    static const uint32_t tokens[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint64_t ends[] = {0, 3, 5, 8};
    akin_sets *sets = NULL;
    char folder[] = "/tmp/akin-test-search-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/index.akin", folder);
    assert_int_equal(akin_sets_from_arrays(&context, 3, ends, tokens, &sets, NULL), AKIN_OK);
    const akin_choice *kind;
    for (uint32_t i = 0; (kind = akin_choices("search-kinds", i)); i++)
        fail_each((akin_search_kind)kind->value, sets, 0, AKIN_OVERLAP);
    is_hashed = 1;
    fail_each(AKIN_KIND_SETS, sets, 0, AKIN_OVERLAP);
    is_hashed = 0;
    fail_each(AKIN_KIND_STRINGS, sets, 2, AKIN_OVERLAP);
    fail_each(AKIN_KIND_SETS, sets, 0, AKIN_DICE);
    fail_each(AKIN_KIND_DOCUMENTS, sets, 0, AKIN_JACCARD);
    akin_sets_free(sets);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation), cmocka_unit_test(every_extension)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
