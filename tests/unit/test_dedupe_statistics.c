/* Parts of tables whose tokens are weighed by the statistics of the whole: pairs have the bits that they have there,
 * also while memory runs out. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"

#define RECORDS 48
#define WORDS   11

static akin_wishes wishes;
static akin_context context = {.wishes = &wishes};

/* A column of up to four words, some with a digit; some records have none. */
typedef struct table {
    uint64_t offsets[RECORDS + 1];
    char bytes[RECORDS * 16];
    akin_column column;
} table;

static void make_table(uint64_t seed, table *out)
{
    akin_random random;
    akin_random_seed(&random, seed);
    out->offsets[0] = 0;
    for (uint32_t i = 0; i < RECORDS; i++) {
        char *at = out->bytes + out->offsets[i];
        for (uint64_t k = akin_random_below(&random, 5); k > 0; k--) {
            const uint32_t word = (uint32_t)akin_random_below(&random, 1 + akin_random_below(&random, WORDS));
            *at++ = (char)('a' + word);
            *at++ = word % 2 ? '7' : 'x';
            *at++ = ' ';
        }
        out->offsets[i + 1] = (uint64_t)(at - out->bytes);
    }
    out->column = (akin_column)AKIN_COLUMN_INIT;
    out->column.name = "name";
    out->column.offsets = out->offsets;
    out->column.bytes = out->bytes;
}

/* The rows of a table from `first` on. */
static akin_column part_of(const table *t, uint32_t first)
{
    akin_column part = t->column;
    part.offsets += first;
    return part;
}

/* The similarity of each pair that was found, of rows of the whole; 0: it was not. */
typedef struct outcome {
    double of[RECORDS][RECORDS];
    uint32_t left, right; /* the first rows */
    uint64_t count;
} outcome;

static int receive(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    outcome *o = user;
    (void)each;
    for (size_t i = 0; i < count; i++)
        o->of[o->left + pairs[i].left][o->right + pairs[i].right] = pairs[i].similarity;
    o->count += count;
    return 0;
}

/* A question: one attribute, all pairs. */
typedef struct question {
    akin_compare_options compare;
    akin_attribute attribute;
    akin_selection selection;
    akin_dedupe_options options;
    const akin_corpus *statistics[1];
} question;

static void ask(uint32_t seed, question *q)
{
    *q = (question){.compare = AKIN_COMPARE_OPTIONS_INIT, .options = AKIN_DEDUPE_OPTIONS_INIT};
    q->compare.comparator = seed % 3 == 2 ? AKIN_CODES : AKIN_TFIDF;
    q->compare.tokens = seed % 3 == 1 ? AKIN_TOKENS_QGRAMS : AKIN_TOKENS_WORDS;
    q->compare.q = 2;
    q->attribute = (akin_attribute){.column = 0, .compare = &q->compare, .weight = {1, 1}};
    q->selection = (akin_selection){.kind = AKIN_SELECT_ALL};
    q->options.attributes = &q->attribute;
    q->options.attribute_count = 1;
    q->options.selections = &q->selection;
    q->options.selection_count = 1;
    q->options.threshold = (akin_ratio){1, 1000};
    q->options.missing = (akin_missing)(1 + seed / 3 % 3);
}

static akin_status count(const question *q, const akin_column *left, uint32_t rows, const akin_column *right,
                         uint32_t rows_right, akin_statistics **out, akin_error *error)
{
    return akin_statistics_of_records(&context, left, rows, right, rows_right, 1, &q->options, 0, out, error);
}

static void begin_context(uint32_t threads)
{
    context.scope = (akin_scope){.context = &context, .threads = threads, .cpu = akin_cpu_detect()};
}

/* Whether both have the same pairs of rows from `first` on, below `end`, of which some are on the right side. */
static void assert_same(const outcome *whole, const outcome *part, uint32_t first, uint32_t middle, uint32_t end)
{
    for (uint32_t a = first; a < middle; a++)
        for (uint32_t b = middle < end ? middle : a + 1; b < end; b++)
            assert_memory_equal(&whole->of[a][b], &part->of[a][b], sizeof(double));
}

static void parts_of_one_table(void **state)
{
    static outcome whole, part;
    static table t;
    question q;
    uint32_t apart = 0;
    (void)state;
    for (uint32_t seed = 0; seed < 90; seed++) {
        akin_statistics *counted = NULL;
        begin_context(1 + seed % 3);
        make_table(seed, &t);
        ask(seed, &q);
        memset(&whole, 0, sizeof whole);
        assert_int_equal(count(&q, &t.column, RECORDS, NULL, 0, &counted, NULL), AKIN_OK);
        assert_int_equal(
            akin_dedupe(&context, &t.column, RECORDS, NULL, 0, 1, &q.options, receive, &whole, NULL, NULL, NULL),
            AKIN_OK);
        for (int given = 0; given < 2; given++) {
            const uint32_t first = seed % 20, end = first + 5 + seed % 23;
            const akin_column rows = part_of(&t, first);
            memset(&part, 0, sizeof part);
            part.left = part.right = first;
            q.statistics[0] = given ? akin_statistics_corpus(counted) : NULL;
            q.options.statistics = given ? q.statistics : NULL;
            assert_int_equal(
                akin_dedupe(&context, &rows, end - first, NULL, 0, 1, &q.options, receive, &part, NULL, NULL, NULL),
                AKIN_OK);
            if (given)
                assert_same(&whole, &part, first, end, end);
            else
                for (uint32_t a = first; a < end; a++)
                    for (uint32_t b = a + 1; b < end; b++)
                        apart += whole.of[a][b] != part.of[a][b];
        }
        akin_statistics_free(counted);
    }
    assert_true(apart > 1000); /* without statistics a part has similarities of its own */
}

static void parts_of_two_tables(void **state)
{
    static outcome whole, part;
    static table t;
    question q;
    (void)state;
    for (uint32_t seed = 0; seed < 30; seed++) {
        akin_statistics *counted = NULL;
        const uint32_t border = 10 + seed % 20;
        begin_context(1 + seed % 2);
        make_table(seed, &t);
        const akin_column right = part_of(&t, border);
        ask(seed, &q);
        memset(&whole, 0, sizeof whole);
        memset(&part, 0, sizeof part);
        whole.right = border;
        part.left = 3;
        part.right = border;
        assert_int_equal(count(&q, &t.column, border, &right, RECORDS - border, &counted, NULL), AKIN_OK);
        assert_int_equal(akin_dedupe(&context, &t.column, border, &right, RECORDS - border, 1, &q.options, receive,
                                     &whole, NULL, NULL, NULL),
                         AKIN_OK);
        q.statistics[0] = akin_statistics_corpus(counted);
        q.options.statistics = q.statistics;
        const akin_column left = part_of(&t, 3);
        assert_int_equal(
            akin_dedupe(&context, &left, border - 3, &right, 9, 1, &q.options, receive, &part, NULL, NULL, NULL),
            AKIN_OK);
        assert_same(&whole, &part, 3, border, border + 9);
        assert_true(part.count > 0);
        akin_statistics_free(counted);
    }
}

/* Statistics against the definition: a record counts once for a word. */
static void counts(void **state)
{
    static table t;
    question q;
    (void)state;
    for (uint32_t seed = 0; seed < 30; seed += 3) {
        akin_statistics *counted = NULL;
        uint32_t documents = 0, df[WORDS] = {0};
        uint64_t words = 0;
        begin_context(2);
        make_table(seed, &t);
        ask(seed, &q);
        assert_int_equal(count(&q, &t.column, RECORDS, NULL, 0, &counted, NULL), AKIN_OK);
        const akin_corpus *c = akin_statistics_corpus(counted);
        for (uint32_t i = 0; i < RECORDS; i++) {
            int has[WORDS] = {0};
            for (uint64_t at = t.offsets[i]; at < t.offsets[i + 1]; at += 3)
                has[t.bytes[at] - 'a'] = 1;
            documents += t.offsets[i + 1] > t.offsets[i];
            for (int w = 0; w < WORDS; w++)
                df[w] += (uint32_t)has[w];
        }
        uint32_t at = 0;
        for (int w = 0; w < WORDS; w++) {
            words += df[w];
            if (df[w] == 0)
                continue;
            assert_true(at < c->count);
            assert_int_equal(c->terms->bytes[c->terms->offsets[at]], 'a' + w); /* they are sorted */
            assert_int_equal(c->df[at++], df[w]);
        }
        assert_int_equal(at, c->count);
        assert_int_equal(c->documents, documents);
        assert_int_equal(c->words, words);
        akin_statistics_free(counted);
    }
}

static void refused(void **state)
{
    static table t;
    static const uint64_t offsets[] = {0, 2};
    static const uint32_t df[] = {1};
    const akin_column terms = {.size = sizeof terms, .offsets = offsets, .bytes = "ax"};
    const akin_corpus small = {sizeof small, 1, 1, 1, &terms, df};
    akin_statistics *counted = NULL;
    akin_error error;
    question q;
    (void)state;
    begin_context(1);
    make_table(1, &t);
    ask(0, &q);
    q.statistics[0] = &small;
    q.options.statistics = q.statistics;
    assert_int_equal(akin_dedupe(&context, &t.column, RECORDS, NULL, 0, 1, &q.options, NULL, NULL, NULL, NULL, &error),
                     AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "column 'name': "));
    assert_string_equal(error.column, "name");
    q.compare.comparator = AKIN_EXACT;
    assert_int_equal(akin_dedupe_check("cpu", 1, &q.options, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "expected tfidf or codes"));
    assert_int_equal(count(&q, &t.column, RECORDS, NULL, 0, &counted, NULL), AKIN_OK);
    assert_null(counted); /* it weighs no tokens */
    assert_int_equal(
        akin_statistics_of_records(&context, &t.column, RECORDS, NULL, 0, 1, &q.options, 1, &counted, &error),
        AKIN_E_OPTION);
    q.attribute.column = 1;
    assert_int_equal(count(&q, &t.column, RECORDS, NULL, 0, &counted, &error), AKIN_E_OPTION);
    akin_statistics_free(NULL);
}

static void every_allocation(void **state)
{
    static outcome whole, part;
    static table t;
    question q;
    akin_error error;
    unsigned n = 0;
    (void)state;
    begin_context(1);
    make_table(4, &t);
    ask(1, &q);
    memset(&whole, 0, sizeof whole);
    assert_int_equal(
        akin_dedupe(&context, &t.column, RECORDS, NULL, 0, 1, &q.options, receive, &whole, NULL, NULL, NULL), AKIN_OK);
    do {
        akin_statistics *counted = NULL;
        memset(&part, 0, sizeof part);
        begin_failing(n, (int)(n / FAILING_STEP % 2));
        n += FAILING_STEP;
        akin_status status = count(&q, &t.column, RECORDS, NULL, 0, &counted, &error);
        if (status == AKIN_OK) {
            question with = q;
            with.statistics[0] = akin_statistics_corpus(counted);
            with.options.statistics = with.statistics;
            status =
                akin_dedupe(&context, &t.column, 30, NULL, 0, 1, &with.options, receive, &part, NULL, NULL, &error);
        }
        armed = 0;
        assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && failed && strstr(error.message, "memory")));
        if (status == AKIN_OK)
            assert_same(&whole, &part, 0, 30, 30);
        akin_statistics_free(counted);
    } while (failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_of_one_table), cmocka_unit_test(parts_of_two_tables),
                                       cmocka_unit_test(counts), cmocka_unit_test(refused),
                                       cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
