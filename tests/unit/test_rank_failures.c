/* Indexes, rankings, their evaluation and made-up documents while memory runs out: every allocation fails once, alone
 * and with all that follow. Leaks show under the address sanitizer. */
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

#include "akin_generate.h"
#include "base/context.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static akin_weights *weigh(void)
{
    static const uint64_t offsets[] = {0, 9, 18, 27};
    akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = "red bluesred red redblues red"};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights *weights = NULL;
    options.order = AKIN_WEIGHTS_BY_TERM;
    assert_int_equal(akin_weigh(&context, &column, 1, 3, &options, &weights, NULL), AKIN_OK);
    return weights;
}

static int count_hits(void *user, const akin_ranking_hit *found, size_t count)
{
    (void)found;
    *(size_t *)user += count;
    return 0;
}

static int count_bytes(void *user, const char *bytes, uint64_t length)
{
    (void)bytes;
    *(size_t *)user += length;
    return 0;
}

/* What is made, used and left behind. */
typedef struct job {
    akin_weights *weights;
    char index[64], run[64], judgements[64];
    size_t count;
} job;

static akin_status create(job *j, akin_error *error)
{
    static const uint64_t offsets[] = {0, 1, 2, 3};
    akin_column names = {.size = sizeof names, .offsets = offsets, .bytes = "abc"};
    akin_rank_index *index = NULL;
    akin_status status = akin_rank_index_create(&context, j->weights, &names, &index, error);
    if (status == AKIN_OK)
        status = akin_rank_index_save(&context, index, j->index, error);
    akin_rank_index_free(index);
    return status;
}

static akin_status rank(job *j, akin_error *error)
{
    static const uint64_t offsets[] = {0, 8};
    akin_column query = {.size = sizeof query, .offsets = offsets, .bytes = "red blue"};
    akin_rank_index *index = NULL;
    akin_status status = akin_rank_index_open(&context, j->index, &index, error);
    j->count = 0;
    if (status == AKIN_OK)
        status = akin_rank(&context, index, &query, 1, 1, NULL, count_hits, &j->count, error);
    akin_rank_index_free(index);
    return status;
}

static akin_status evaluate(job *j, akin_error *error)
{
    akin_trec_evaluation found = {.size = sizeof found};
    akin_status status = akin_evaluate_trec(&context, j->run, j->judgements, &found, error);
    j->count = status == AKIN_OK ? found.queries : 0;
    return status;
}

static akin_status generate(job *j, akin_error *error)
{
    akin_documents_options options = AKIN_DOCUMENTS_OPTIONS_INIT;
    options.documents = 30;
    options.vocabulary = 100;
    j->count = 0;
    return akin_documents_generate(&context, &options, count_bytes, &j->count, error);
}

static void fail_each(akin_status (*run)(job *j, akin_error *error), job *j, int alone)
{
    akin_error error;
    unsigned n = 0;
    CANCEL_EACH(&context, error, run(j, &error));
    do {
        begin_failing(n++, alone);
        akin_status status = run(j, &error);
        armed = 0;
        assert_true(status == AKIN_OK || (failed && status == AKIN_E_NOMEM));
        assert_true(status == AKIN_OK || (error.code == AKIN_E_NOMEM && strstr(error.message, "memory")));
    } while (failed);
    assert_true(n > 5);
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void every_allocation(void **state)
{
    char folder[] = "/tmp/akin-test-rank-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    job j = {.weights = weigh()};
    snprintf(j.index, sizeof j.index, "%s/index.akin", folder);
    snprintf(j.run, sizeof j.run, "%s/run", folder);
    snprintf(j.judgements, sizeof j.judgements, "%s/qrels", folder);
    write_file(j.run, "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n");
    write_file(j.judgements, "1 0 a 1\n1 0 c 1\n");
    for (int alone = 0; alone < 2; alone++) {
        fail_each(create, &j, alone);
        fail_each(rank, &j, alone);
        assert_int_equal(j.count, 2);
        fail_each(evaluate, &j, alone);
        assert_int_equal(j.count, 1);
        fail_each(generate, &j, alone);
        assert_true(j.count > 1000);
    }
    akin_weights_free(j.weights);
    unlink(j.index);
    unlink(j.run);
    unlink(j.judgements);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
