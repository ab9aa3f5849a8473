/* Survivors against brute force: measures, thresholds, hashes of few bits, threads, batches; documents of one template;
 * and memory that runs out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "corpus/survivors.h"

#define FEW    20000 /* hashes that there are counters for */
#define MOST   400   /* documents of a random corpus */
#define TOKENS 30

/* Documents as sets of tokens, which are numbers, and as bags of their hashes. */
typedef struct corpus {
    uint32_t tokens[MOST][TOKENS], sizes[MOST], count;
    uint64_t hashes[MOST][TOKENS];
    akin_bag bags[MOST];
} corpus;

static corpus documents;
static akin_context context;

static void begin_context(uint32_t threads)
{
    context = (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()}};
}

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t hash_of(uint32_t token, uint64_t mask)
{
    return (token + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 7 & mask;
}

static void finish_document(corpus *c, uint64_t mask)
{
    const uint32_t at = c->count++;
    for (uint32_t i = 0; i < c->sizes[at]; i++)
        c->hashes[at][i] = hash_of(c->tokens[at][i], mask);
    qsort(c->hashes[at], c->sizes[at], sizeof c->hashes[at][0], compare_hashes);
    c->bags[at] = (akin_bag){
        .hashes = c->hashes[at], .size = c->sizes[at], .group = at * 7 % 3, .document = 10 + 3 * (uint64_t)at};
}

static void add_token(corpus *c, uint32_t token)
{
    uint32_t *size = &c->sizes[c->count];
    for (uint32_t i = 0; i < *size; i++)
        if (c->tokens[c->count][i] == token)
            return;
    if (*size < TOKENS)
        c->tokens[c->count][(*size)++] = token;
}

/* Half of the documents are others with some tokens changed, added or left out. Some are empty. */
static void make_corpus(uint64_t seed, uint32_t count, uint32_t universe, uint64_t mask)
{
    corpus *c = &documents;
    akin_random random;
    akin_random_seed(&random, seed);
    c->count = 0;
    while (c->count < count) {
        const uint32_t from = (uint32_t)akin_random_below(&random, c->count + 1);
        c->sizes[c->count] = 0;
        if (c->count > 0 && from < c->count && akin_random_below(&random, 2)) {
            for (uint32_t i = 0; i < c->sizes[from]; i++)
                add_token(c, akin_random_below(&random, 8) ? c->tokens[from][i]
                                                           : (uint32_t)akin_random_below(&random, universe));
        } else {
            for (uint64_t i = akin_random_below(&random, TOKENS); i > 0; i--)
                add_token(c, (uint32_t)akin_random_below(&random, universe));
        }
        finish_document(c, mask);
    }
}

static uint32_t common_of(uint32_t a, uint32_t b)
{
    uint32_t common = 0;
    for (uint32_t i = 0; i < documents.sizes[a]; i++)
        for (uint32_t k = 0; k < documents.sizes[b]; k++)
            common += documents.tokens[a][i] == documents.tokens[b][k];
    return common;
}

static akin_status count_common(void *user, uint32_t thread, uint64_t document, uint64_t kept, uint32_t *common)
{
    (void)user;
    assert_true(thread < context.scope.threads);
    assert_true(document > kept);
    *common = common_of((uint32_t)((document - 10) / 3), (uint32_t)((kept - 10) / 3));
    return AKIN_OK;
}

/* Whether the document is like the kept one, with exact arithmetic. */
static int are_alike(akin_measure measure, akin_ratio t, uint32_t document, uint32_t kept, uint32_t common)
{
    const uint64_t r = documents.sizes[document], s = documents.sizes[kept];
    if (r == 0 || s == 0)
        return r == s;
    return (uint64_t)common * t.den >= t.num * (measure == AKIN_JACCARD ? r + s - common : r);
}

static int are_compared(akin_comparing comparing, uint32_t a, uint32_t b)
{
    const int are_of_one = documents.bags[a].group == documents.bags[b].group;
    return comparing == AKIN_COMPARE_ALL || are_of_one == (comparing == AKIN_COMPARE_WITHIN);
}

static void brute_force(akin_measure measure, akin_ratio t, akin_comparing comparing, akin_verdict *verdicts)
{
    for (uint32_t i = 0; i < documents.count; i++) {
        verdicts[i] = (akin_verdict){AKIN_NO_SURVIVOR, 0, 0};
        for (uint32_t k = 0; k < i && verdicts[i].survivor == AKIN_NO_SURVIVOR; k++) {
            const uint32_t common = common_of(i, k);
            if (verdicts[k].survivor == AKIN_NO_SURVIVOR && are_compared(comparing, i, k) &&
                are_alike(measure, t, i, k, common))
                verdicts[i] = (akin_verdict){documents.bags[k].document, common, documents.sizes[k]};
        }
    }
}

/* Adds documents from a place on that are undecided, a batch at a time, until all are decided. */
static akin_status add_all(akin_survivors *survivors, uint64_t batch, akin_verdict *verdicts, akin_error *error)
{
    static akin_bag bags[MOST];
    static akin_verdict found[MOST];
    uint32_t places[MOST], undecided = 0;
    akin_status status = AKIN_OK;
    for (uint32_t at = 0; at < documents.count && status == AKIN_OK;) {
        uint32_t count = 0;
        for (; at < documents.count && count < batch; at++)
            if (verdicts[at].survivor == AKIN_UNDECIDED) {
                bags[count] = documents.bags[at];
                places[count++] = at;
            }
        status = akin_survivors_add(&context.scope, survivors, bags, count, found, error);
        for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
            verdicts[places[i]] = found[i];
            undecided += found[i].survivor == AKIN_UNDECIDED;
        }
    }
    if (status == AKIN_OK && undecided > 0) {
        akin_survivors_begin_round(survivors);
        return add_all(survivors, batch, verdicts, error);
    }
    return status;
}

/* Finds survivors with counters of that many bytes. */
static akin_status find(akin_account *account, akin_survivors_options *options, uint64_t most, uint64_t batch,
                        akin_verdict *verdicts, akin_survivors_report *report)
{
    akin_frequencies frequencies;
    akin_survivors *survivors = NULL;
    akin_error error;
    assert_int_equal(akin_frequencies_make(NULL, most > FEW ? most : FEW, most, &frequencies), AKIN_OK);
    for (uint32_t i = 0; i < documents.count; i++) {
        akin_frequencies_add(&frequencies, documents.hashes[i], documents.sizes[i]);
        verdicts[i].survivor = AKIN_UNDECIDED;
    }
    options->frequencies = &frequencies;
    options->common = count_common;
    akin_status status = akin_survivors_create(account, options, &survivors, &error);
    if (status == AKIN_OK)
        status = add_all(survivors, batch, verdicts, &error);
    if (status == AKIN_OK && report)
        akin_survivors_describe(survivors, report);
    assert_true(status == AKIN_OK || strstr(error.message, "memory"));
    akin_survivors_free(survivors);
    akin_frequencies_clear(&frequencies);
    return status;
}

static akin_survivors_options options_of(akin_measure measure, akin_ratio t, akin_comparing comparing)
{
    akin_survivors_options options = {.comparing = comparing, .cpu = akin_cpu_detect(), .groups = 3};
    assert_int_equal(akin_threshold_make(measure, t, &options.threshold, NULL), AKIN_OK);
    return options;
}

static void assert_verdicts(const akin_verdict *expected, const akin_verdict *verdicts)
{
    for (uint32_t i = 0; i < documents.count; i++) {
        assert_true(expected[i].survivor == verdicts[i].survivor);
        assert_int_equal(expected[i].common, verdicts[i].common);
        assert_int_equal(expected[i].size, verdicts[i].size);
    }
}

static void as_brute_force(void **state)
{
    static const akin_measure measures[] = {AKIN_JACCARD, AKIN_CONTAINMENT};
    static const akin_ratio ratios[] = {{1, 2}, {4, 5}, {1, 1}, {1, 10}, {2, 3}};
    static const uint64_t masks[] = {0, 0xf, 0xff, ~UINT64_C(0)};
    static const uint64_t counters[] = {FEW, FEW / 8, 10};
    static akin_verdict expected[MOST], verdicts[MOST];
    uint64_t removed = 0, refuted = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 160; seed++) {
        const akin_measure measure = measures[seed % 2];
        const akin_ratio t = ratios[seed / 2 % 5];
        const akin_comparing comparing = (akin_comparing)(seed / 3 % 3);
        akin_survivors_options options = options_of(measure, t, comparing);
        akin_survivors_report report;
        begin_context(1 + (uint32_t)(seed % 3));
        make_corpus(seed, (uint32_t)(seed * 7 % MOST), seed % 4 ? 2000 : 50, masks[seed / 10 % 4]);
        brute_force(measure, t, comparing, expected);
        assert_int_equal(find(NULL, &options, counters[seed % 3], 1 + seed * 13 % 300, verdicts, &report), AKIN_OK);
        assert_verdicts(expected, verdicts);
        uint64_t kept = 0;
        for (uint32_t i = 0; i < documents.count; i++)
            kept += verdicts[i].survivor == AKIN_NO_SURVIVOR;
        assert_int_equal(report.kept, kept);
        assert_true(report.rounds == 1 && report.indexed <= kept && report.compared <= report.candidates);
        removed += documents.count - kept;
        refuted += report.refuted;
    }
    assert_true(removed > 5000 && refuted > 100);
}

/* Documents without a token in common are neither looked up nor indexed, with enough counters. */
static void documents_without_duplicates(void **state)
{
    static akin_verdict verdicts[MOST];
    akin_survivors_report report;
    (void)state;
    begin_context(2);
    documents.count = 0;
    for (uint32_t i = 0; i < MOST; i++) {
        documents.sizes[i] = 0;
        for (uint32_t k = 0; k < TOKENS; k++)
            add_token(&documents, i * TOKENS + k);
        finish_document(&documents, ~UINT64_C(0));
    }
    akin_survivors_options options = options_of(AKIN_JACCARD, (akin_ratio){4, 5}, AKIN_COMPARE_ALL);
    assert_int_equal(find(NULL, &options, 1 << 22, 100, verdicts, &report), AKIN_OK);
    assert_int_equal(report.kept, MOST);
    assert_int_equal(report.compared, 0);
    assert_true(report.indexed < MOST / 4);
}

static akin_status all_but_two(void *user, uint32_t thread, uint64_t document, uint64_t kept, uint32_t *common)
{
    (void)user, (void)thread, (void)document, (void)kept;
    *common = TOKENS - 2;
    return AKIN_OK;
}

/* Documents of one template are each compared with one kept document: the work grows with their number, not with its
 * square. */
static void one_template(void **state)
{
    enum { COPIES = 20000 };
    static uint64_t hashes[COPIES][TOKENS];
    static akin_bag bags[COPIES];
    static akin_verdict verdicts[COPIES];
    akin_frequencies frequencies;
    akin_survivors_options options = options_of(AKIN_JACCARD, (akin_ratio){4, 5}, AKIN_COMPARE_ALL);
    akin_survivors *survivors;
    akin_survivors_report report;
    (void)state;
    begin_context(2);
    assert_int_equal(akin_frequencies_make(NULL, 1 << 20, 1 << 20, &frequencies), AKIN_OK);
    options.frequencies = &frequencies;
    options.common = all_but_two;
    for (uint32_t i = 0; i < COPIES; i++) {
        for (uint32_t k = 0; k < TOKENS; k++)
            hashes[i][k] = hash_of(k > 1 ? k : 1000 + 2 * i + k, ~UINT64_C(0)); /* two of 30 tokens are its own */
        qsort(hashes[i], TOKENS, sizeof hashes[i][0], compare_hashes);
        bags[i] = (akin_bag){.hashes = hashes[i], .size = TOKENS, .document = i};
        akin_frequencies_add(&frequencies, hashes[i], TOKENS);
    }
    assert_int_equal(akin_survivors_create(NULL, &options, &survivors, NULL), AKIN_OK);
    assert_int_equal(akin_survivors_add(&context.scope, survivors, bags, COPIES, verdicts, NULL), AKIN_OK);
    akin_survivors_describe(survivors, &report);
    assert_int_equal(report.kept, 1);
    assert_int_equal(report.compared, COPIES - 1);
    for (uint32_t i = 1; i < COPIES; i++)
        assert_true(verdicts[i].survivor == 0 && verdicts[i].common == TOKENS - 2);
    akin_survivors_free(survivors);
    akin_frequencies_clear(&frequencies);
}

/* With less and less memory it takes more and more rounds, and then fails. */
static void short_of_memory(void **state)
{
    static akin_verdict expected[MOST], verdicts[MOST];
    akin_survivors_options options = options_of(AKIN_JACCARD, (akin_ratio){1, 2}, AKIN_COMPARE_ACROSS);
    akin_status status = AKIN_E_NOMEM;
    akin_survivors_report report = {0};
    uint64_t refused = 0, most = 0;
    (void)state;
    begin_context(1); /* what is charged depends on which thread prepares a document */
    make_corpus(5, 390, 2000, ~UINT64_C(0));
    brute_force(AKIN_JACCARD, (akin_ratio){1, 2}, AKIN_COMPARE_ACROSS, expected);
    for (uint64_t limit = 64; status != AKIN_OK || report.rounds > 1; limit += limit / 32 + 8) {
        akin_account account = {.limit = limit};
        status = find(&account, &options, FEW, 64, verdicts, &report);
        assert_true(status == AKIN_OK || status == AKIN_E_NOMEM);
        assert_int_equal(account.held, 0);
        refused += status != AKIN_OK;
        if (status == AKIN_OK) {
            assert_verdicts(expected, verdicts);
            most = report.rounds > most ? report.rounds : most;
        }
    }
    assert_true(refused > 10 && most > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_brute_force), cmocka_unit_test(documents_without_duplicates),
                                       cmocka_unit_test(one_template), cmocka_unit_test(short_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
