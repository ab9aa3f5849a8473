/* A saved index that several threads use at once: each block is checked by the one that reads it first, the bits of
 * frequent terms are made by one of them, and all answers are those of the index that was saved. */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "test_base_files.h"
#include "test_rank_support.h"

#include <pthread.h>

enum { ROWS = 20000, LONGEST = 12, WORDS = 3000, QUERIES = 160, THREADS = 4, AT_ONCE = 5 };

/* What a thread ranks: its queries, a few in a call, and what it found. */
typedef struct ranker {
    const akin_rank_index *index;
    const akin_column *queries;
    hits found;
    uint32_t first;
    akin_status status;
} ranker;

/* The queries from `first` on, and then those before, so that threads do not meet at the same words. */
static void *rank_queries(void *argument)
{
    ranker *r = argument;
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    for (uint32_t i = 0; i < QUERIES && r->status == AKIN_OK; i += AT_ONCE) {
        akin_column some = *r->queries;
        some.offsets += (r->first + i) % QUERIES;
        r->status = akin_rank(&context, r->index, &some, 1, AT_ONCE, NULL, take, &r->found, NULL);
    }
    return NULL;
}

static void rank_at_once(const akin_rank_index *index, const akin_column *queries, ranker rankers[THREADS])
{
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        rankers[i] = (ranker){.index = index, .queries = queries, .first = i * (QUERIES / THREADS)};
        assert_int_equal(pthread_create(&threads[i], NULL, rank_queries, &rankers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void clear_rankers(ranker rankers[THREADS])
{
    for (uint32_t i = 0; i < THREADS; i++)
        free(rankers[i].found.list);
}

static void check_same(ranker a[THREADS], ranker b[THREADS])
{
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(a[i].status, AKIN_OK);
        assert_int_equal(b[i].status, AKIN_OK);
        assert_true(a[i].found.count > QUERIES);
        assert_int_equal(a[i].found.count, b[i].found.count);
        assert_memory_equal(a[i].found.list, b[i].found.list, a[i].found.count * sizeof *a[i].found.list);
    }
}

static akin_rank_index *make_index(akin_context *context)
{
    lines text;
    akin_rank_index *index = NULL;
    make_rows(&text, 5, ROWS, LONGEST, WORDS);
    const akin_column column = lines_column(&text);
    akin_weights *weights = weigh(context, &column, ROWS, AKIN_FORMULA_LUCENE);
    assert_int_equal(akin_rank_index_create(context, weights, NULL, &index, NULL), AKIN_OK);
    akin_weights_free(weights);
    lines_clear(&text);
    return index;
}

static void test_at_once(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    akin_rank_index *index = make_index(&context);
    ranker expected[THREADS], found[THREADS];
    lines text;
    make_rows(&text, 6, QUERIES, 6, WORDS);
    const akin_column queries = lines_column(&text);
    assert_int_equal(akin_rank_index_save(&context, index, scratch_path("index.akin"), NULL), AKIN_OK);
    rank_at_once(index, &queries, expected);
    for (int unmapped = 0; unmapped < 2; unmapped++) {
        akin_rank_index *opened = NULL;
        context.unmapped = unmapped;
        assert_int_equal(akin_rank_index_open(&context, scratch_path("index.akin"), &opened, NULL), AKIN_OK);
        rank_at_once(opened, &queries, found);
        check_same(expected, found);
        clear_rankers(found);
        akin_rank_index_free(opened);
    }
    clear_rankers(expected);
    lines_clear(&text);
    akin_rank_index_free(index);
}

/* Many blocks, one of them damaged: queries that read it fail, with its byte; others have their answers. */
static void test_damaged(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    akin_rank_index *index = make_index(&context), *opened = NULL;
    ranker found[THREADS];
    lines text;
    size_t length, failed = 0, ranked = 0;
    uint64_t at, bytes;
    make_rows(&text, 6, QUERIES, 2, WORDS);
    const akin_column queries = lines_column(&text);
    assert_int_equal(akin_rank_index_save(&context, index, scratch_path("index.akin"), NULL), AKIN_OK);
    akin_rank_index_free(index);
    char *image = scratch_read(scratch_path("index.akin"), &length);
    memcpy(&at, image + 32 + 24 * (AKIN_RANK_INDEX_LISTS + AKIN_LISTS_WORDS), sizeof at);
    memcpy(&bytes, image + 32 + 24 * (AKIN_RANK_INDEX_LISTS + AKIN_LISTS_WORDS) + 8, sizeof bytes);
    assert_true(bytes > 4 * AKIN_CONTAINER_BLOCK);
    image[at + 2 * AKIN_CONTAINER_BLOCK + 77] ^= 1;
    scratch_write("damaged.akin", image, length);
    assert_int_equal(akin_rank_index_open(&context, scratch_path("damaged.akin"), &opened, NULL), AKIN_OK);
    for (uint32_t i = 0; i < QUERIES; i++) {
        akin_column one = queries;
        akin_error error = {.message = ""};
        hits h = {0};
        char byte[64];
        one.offsets += i;
        const akin_status status = akin_rank(&context, opened, &one, 1, 1, NULL, take, &h, &error);
        snprintf(byte, sizeof byte, "damaged.akin: byte %llu:", (unsigned long long)at + 2 * AKIN_CONTAINER_BLOCK);
        assert_true(status == AKIN_OK || (status == AKIN_E_INPUT && strstr(error.message, byte) != NULL));
        failed += status != AKIN_OK;
        ranked += status == AKIN_OK;
        free(h.list);
    }
    assert_true(failed > 0 && ranked > 0);
    rank_at_once(opened, &queries, found);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(found[i].status, AKIN_E_INPUT);
    clear_rankers(found);
    akin_rank_index_free(opened);
    lines_clear(&text);
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_at_once), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
