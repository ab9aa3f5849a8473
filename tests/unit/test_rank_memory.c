/* Documents weighed, indexed and ranked under a memory bound: the same bytes, and a heap below the bound. */
#define _GNU_SOURCE

#include "base/context.h"
#include "unit/test_base_files.h"
#include "unit/test_base_heap.h"
#include "unit/test_rank_support.h"

#define MIB       ((uint64_t)1 << 20)
#define DOCUMENTS 60000
#define QUERIES   30

typedef struct outcome {
    uint64_t index, hits; /* hashes of what came of it */
    int64_t peak;
} outcome;

static akin_context context_of(akin_context *self, uint32_t threads, uint64_t memory)
{
    return (akin_context){.scope = {.context = self, .threads = threads, .cpu = akin_cpu_detect(), .memory = memory},
                          .cpu_best = akin_cpu_detect(),
                          .temporary = scratch};
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Documents with many words of their own, one with a word very often; and their names. */
static void make_documents(lines *texts, lines *names)
{
    akin_random random;
    akin_random_seed(&random, 3);
    lines_begin(texts, DOCUMENTS);
    lines_begin(names, DOCUMENTS);
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        for (uint32_t j = 0; j < 4; j++)
            fprintf(texts->out, "rare%u ", i * 4 + j);
        fprintf(names->out, "document number %u", i);
        lines_end_row(names);
        add_words(texts, &random, i == 7 ? 30000 : 25, i == 7 ? 3 : 3000);
    }
}

static int take_hits(void *user, const akin_ranking_hit *found, size_t count)
{
    outcome *o = user;
    o->hits = mix(o->hits, found, count * sizeof *found);
    return 0;
}

static void expect(akin_status status, const akin_error *error)
{
    if (status != AKIN_OK)
        fail_msg("%s", error->message);
}

static uint64_t hash_file(const char *path)
{
    static char bytes[1 << 16];
    uint64_t hash = 0;
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, in)) > 0;)
        hash = mix(hash, bytes, length);
    fclose(in);
    return hash;
}

static outcome run(uint64_t memory, uint32_t threads, const akin_column *texts, const akin_column *names,
                   const akin_column *queries)
{
    akin_context context = context_of(&context, threads, memory);
    akin_weigh_options weighing = AKIN_WEIGH_OPTIONS_INIT;
    akin_rank_options ranking = AKIN_RANK_OPTIONS_INIT;
    akin_weights *weights = NULL;
    akin_rank_index *index = NULL;
    akin_error error;
    outcome o = {0};
    atomic_store(&held, 0);
    atomic_store(&peak, 0);
    weighing.order = AKIN_WEIGHTS_BY_TERM;
    expect(akin_weigh(&context, texts, 1, DOCUMENTS, &weighing, &weights, &error), &error);
    expect(akin_rank_index_create(&context, weights, names, &index, &error), &error);
    akin_weights_free(weights);
    expect(akin_rank_index_save(&context, index, scratch_path("index.akin"), &error), &error);
    akin_rank_index_free(index);
    index = NULL;
    expect(akin_rank_index_open(&context, scratch_path("index.akin"), &index, &error), &error);
    ranking.k = DOCUMENTS; /* all of them */
    expect(akin_rank(&context, index, queries, 1, QUERIES, &ranking, take_hits, &o, &error), &error);
    akin_rank_index_free(index);
    o.peak = atomic_load(&peak);
    assert_int_equal(atomic_load(&held), 0);
    assert_int_equal(scratch_entries("."), 1); /* temporary files have no names */
    o.index = hash_file(scratch_path("index.akin"));
    return o;
}

static void bounds(void **state)
{
    (void)state;
    lines texts, names, asked;
    make_documents(&texts, &names);
    make_rows(&asked, 5, QUERIES, 6, 3000);
    const akin_column text = lines_column(&texts), name = lines_column(&names), queries = lines_column(&asked);
    const outcome whole = run(0, 2, &text, &name, &queries);
    assert_true(whole.peak > (int64_t)(64 * MIB));
    for (uint64_t memory = 16 * MIB; memory <= 64 * MIB; memory *= 2)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const outcome bounded = run(memory, threads, &text, &name, &queries);
            assert_int_equal(bounded.index, whole.index);
            assert_int_equal(bounded.hits, whole.hits);
            if (bounded.peak > (int64_t)memory)
                fail_msg("%lld bytes of heap with a bound of %llu", (long long)bounded.peak,
                         (unsigned long long)memory);
        }
    lines_clear(&texts);
    lines_clear(&names);
    lines_clear(&asked);
}

/* More results than there is room for: refused at once, and with the bound of the message the job runs. */
static void too_many(void **state)
{
    (void)state;
    enum { ROWS = 200000 };
    akin_context plain = context_of(&plain, 2, 0), context = context_of(&context, 3, 16 * MIB);
    akin_rank_options options = AKIN_RANK_OPTIONS_INIT;
    akin_ranking *ranking = NULL;
    akin_rank_index *index = NULL;
    akin_error error;
    outcome o = {0};
    lines texts;
    make_rows(&texts, 1, ROWS, 3, 50);
    const akin_column column = lines_column(&texts);
    akin_weights *weights = weigh(&plain, &column, ROWS, AKIN_FORMULA_PAPER);
    assert_int_equal(akin_rank_index_create(&plain, weights, NULL, &index, NULL), AKIN_OK);
    options.k = ROWS;
    assert_int_equal(akin_ranking_create(&context, index, &options, &ranking, &error), AKIN_E_NOMEM);
    assert_string_equal(error.message,
                        "a memory bound of 16 MiB is too small for the best 200000 documents of a query: "
                        "30 MiB would do, or a smaller k");
    context.scope.memory = 30 * MIB;
    atomic_store(&held, 0);
    atomic_store(&peak, 0);
    expect(akin_rank(&context, index, &column, 1, 3, &options, take_hits, &o, &error), &error);
    assert_in_range(atomic_load(&peak), 3 * 16 * ROWS, 30 * MIB);
    akin_rank_index_free(index);
    akin_weights_free(weights);
    lines_clear(&texts);
}

/* A query of more words than there is room for. */
static void long_query(void **state)
{
    (void)state;
    enum { WORDS = 20000 };
    akin_context plain = context_of(&plain, 1, 0), context = context_of(&context, 2, 16 * MIB);
    akin_rank_index *index = NULL;
    akin_error error;
    outcome o = {0};
    lines texts;
    lines_begin(&texts, 1);
    for (uint32_t i = 0; i < WORDS; i++)
        fprintf(texts.out, "word%u ", i);
    lines_end_row(&texts);
    const akin_column column = lines_column(&texts);
    akin_weights *weights = weigh(&plain, &column, 1, AKIN_FORMULA_LUCENE);
    assert_int_equal(akin_rank_index_create(&plain, weights, NULL, &index, NULL), AKIN_OK);
    assert_int_equal(akin_rank(&context, index, &column, 1, 1, NULL, take_hits, &o, &error), AKIN_E_NOMEM);
    assert_string_equal(error.message, "a memory bound of 16 MiB is too small for a query of this length");
    expect(akin_rank(&plain, index, &column, 1, 1, NULL, take_hits, &o, &error), &error);
    assert_true(o.hits != 0);
    akin_rank_index_free(index);
    akin_weights_free(weights);
    lines_clear(&texts);
}

/* Queries. There is room for one, but not for one on each thread: fewer threads rank them. */
static void long_queries(void **state)
{
    (void)state;
    enum { WORDS = 2500, ROWS = 16 };
    akin_context plain = context_of(&plain, 1, 0), context = context_of(&context, 8, 16 * MIB);
    akin_rank_index *index = NULL;
    akin_error error;
    outcome whole = {0}, bounded = {0};
    lines texts;
    lines_begin(&texts, ROWS);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t i = 0; i < WORDS; i++)
            fprintf(texts.out, "word%u ", row * 10 + i);
        lines_end_row(&texts);
    }
    const akin_column column = lines_column(&texts);
    akin_weights *weights = weigh(&plain, &column, ROWS, AKIN_FORMULA_LUCENE);
    assert_int_equal(akin_rank_index_create(&plain, weights, NULL, &index, NULL), AKIN_OK);
    expect(akin_rank(&plain, index, &column, 1, ROWS, NULL, take_hits, &whole, &error), &error);
    expect(akin_rank(&context, index, &column, 1, ROWS, NULL, take_hits, &bounded, &error), &error);
    assert_int_equal(bounded.hits, whole.hits);
    akin_rank_index_free(index);
    akin_weights_free(weights);
    lines_clear(&texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds),
        cmocka_unit_test(too_many),
        cmocka_unit_test(long_query),
        cmocka_unit_test(long_queries),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
