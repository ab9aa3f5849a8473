/* Bags of documents against sets of texts, also where hashes have few bits; and counters against plain counting. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/random.h"
#include "base/thread.h"
#include "corpus/frequencies.h"
#include "corpus/shingles.h"

#define DOCUMENTS 40
#define WORDS     200
#define SHINGLE   3
#define ROOM      2048

/* A document, and its distinct shingles by definition. */
typedef struct document {
    char text[ROOM];
    char shingles[WORDS][4 * SHINGLE + 1];
    uint32_t count, size;
    uint64_t hashes[WORDS];
} document;

static document documents[DOCUMENTS];

static void add_shingle(document *d, const char *shingle)
{
    uint32_t i = 0;
    while (i < d->count && strcmp(d->shingles[i], shingle) != 0)
        i++;
    if (i == d->count)
        snprintf(d->shingles[d->count++], sizeof d->shingles[0], "%s", shingle);
}

/* Words of one letter or two, of which many shingles are equal. */
static void make_document(akin_random *random, document *d, uint32_t words)
{
    char list[WORDS][3];
    size_t at = 0;
    d->count = 0;
    d->text[0] = 0;
    for (uint32_t i = 0; i < words; i++) {
        snprintf(list[i], sizeof list[i], akin_random_below(random, 4) ? "%c" : "%cx",
                 'a' + (int)akin_random_below(random, 4));
        at += (size_t)snprintf(d->text + at, sizeof d->text - at, "%s%s", akin_random_below(random, 3) ? " " : ", ",
                               list[i]);
    }
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t gap = words < SHINGLE ? words : SHINGLE;
        char shingle[4 * SHINGLE + 1] = "";
        size_t end = 0;
        for (uint32_t k = 0; k < gap && i + gap <= words; k++)
            end += (size_t)snprintf(shingle + end, sizeof shingle - end, "%s%s", k > 0 ? " " : "", list[i + k]);
        if (i + gap <= words)
            add_shingle(d, shingle);
    }
}

static akin_text_options options_of_test(void)
{
    akin_text_options own, given = AKIN_TEXT_OPTIONS_INIT;
    given.tokens = AKIN_TOKENS_SHINGLES;
    given.q = SHINGLE;
    assert_int_equal(akin_text_options_read(&given, &own, NULL), AKIN_OK);
    return own;
}

static int compare_hashes(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Equal hashes of a bag are next to one another. */
static void check_neighbours(const document *d)
{
    for (uint32_t k = 0; k < d->size; k++)
        for (uint32_t before = 0; before + 1 < k; before++)
            assert_true(d->hashes[before] != d->hashes[k] || d->hashes[k - 1] == d->hashes[k]);
}

static void make_documents(uint64_t seed, uint64_t mask, akin_cpu cpu)
{
    const akin_text_options options = options_of_test();
    akin_random random;
    akin_shingler shingler;
    akin_random_seed(&random, seed);
    akin_shingler_begin(&shingler, cpu, NULL, &options);
    shingler.mask = mask;
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        document *d = &documents[i];
        make_document(&random, d, (uint32_t)akin_random_below(&random, WORDS + 1));
        assert_int_equal(akin_shingler_take(&shingler, d->text, strlen(d->text), ROOM), AKIN_OK);
        d->size = shingler.size;
        assert_int_equal(d->size, d->count);
        if (d->size > 0)
            memcpy(d->hashes, shingler.hashes, d->size * sizeof *d->hashes);
        for (uint32_t k = 0; k < d->size; k++)
            assert_true((d->hashes[k] & ~mask) == 0);
        check_neighbours(d);
        qsort(d->hashes, d->size, sizeof *d->hashes, compare_hashes);
    }
    akin_shingler_clear(&shingler);
}

static uint32_t common_by_definition(const document *a, const document *b)
{
    uint32_t common = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            common += strcmp(a->shingles[i], b->shingles[k]) == 0;
    return common;
}

/* How many hashes two bags have in common, each as often as both have it. */
static uint32_t count_hashes(const uint64_t *left, uint32_t left_size, const uint64_t *right, uint32_t right_size)
{
    uint32_t common = 0;
    for (uint32_t a = 0, b = 0; a < left_size && b < right_size;) {
        const uint64_t x = left[a], y = right[b];
        common += x == y;
        a += x <= y;
        b += y <= x;
    }
    return common;
}

/* With few bits bags have more in common than sets, never less; with all bits as much. */
static void bags(void **state)
{
    static const uint64_t masks[] = {0, 3, 0xff, 0xffff, ~UINT64_C(0)};
    uint32_t more = 0;
    (void)state;
    for (uint32_t m = 0; m < sizeof masks / sizeof *masks; m++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            make_documents(seed, masks[m], akin_cpu_detect());
            for (uint32_t i = 0; i < DOCUMENTS; i++)
                for (uint32_t k = 0; k < DOCUMENTS; k++) {
                    const document *a = &documents[i], *b = &documents[k];
                    const uint32_t common = count_hashes(a->hashes, a->size, b->hashes, b->size);
                    const uint32_t expected = common_by_definition(a, b);
                    assert_true(common >= expected && common <= a->size && common <= b->size);
                    assert_true(masks[m] != ~UINT64_C(0) || common == expected);
                    more += common > expected;
                }
        }
    assert_true(more > 1000);
}

/* By their bytes documents have in common what sets have, whatever the hashes are. */
static void texts(void **state)
{
    static const uint64_t masks[] = {0, 3, 0xff, ~UINT64_C(0)};
    const akin_text_options options = options_of_test();
    uint32_t all = 0;
    (void)state;
    for (uint32_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        akin_shingler pair[2];
        make_documents(m, masks[m], akin_cpu_detect());
        for (int side = 0; side < 2; side++) {
            akin_shingler_begin(&pair[side], akin_cpu_detect(), NULL, &options);
            pair[side].mask = masks[m];
        }
        for (uint32_t i = 0; i < DOCUMENTS; i++)
            for (uint32_t k = 0; k < DOCUMENTS; k++) {
                const document *a = &documents[i], *b = &documents[k];
                assert_int_equal(akin_shingler_take(&pair[0], a->text, strlen(a->text), ROOM), AKIN_OK);
                assert_int_equal(akin_shingler_take(&pair[1], b->text, strlen(b->text), ROOM), AKIN_OK);
                assert_int_equal(akin_shingler_common(&pair[0], &pair[1]), common_by_definition(a, b));
                all += common_by_definition(a, b);
            }
        akin_shingler_clear(&pair[0]);
        akin_shingler_clear(&pair[1]);
    }
    assert_true(all > 10000);
}

/* The hashes are the same with every level of SIMD. */
static void levels(void **state)
{
    static document first[DOCUMENTS];
    (void)state;
    make_documents(9, ~UINT64_C(0), (akin_cpu)0);
    memcpy(first, documents, sizeof first);
    for (int cpu = 1; cpu <= (int)akin_cpu_detect(); cpu++) {
        make_documents(9, ~UINT64_C(0), (akin_cpu)cpu);
        for (uint32_t i = 0; i < DOCUMENTS; i++)
            assert_memory_equal(first[i].hashes, documents[i].hashes, first[i].size * sizeof(uint64_t));
    }
}

static void refused(void **state)
{
    const akin_text_options options = options_of_test();
    akin_account account = {.limit = 4096};
    akin_shingler shingler;
    char *text = calloc(1, 100000);
    (void)state;
    assert_non_null(text);
    akin_shingler_begin(&shingler, akin_cpu_detect(), &account, &options);
    assert_int_equal(akin_shingler_take(&shingler, "a\xff", 2, 2), AKIN_E_INPUT);
    assert_int_equal(akin_shingler_take(&shingler, "", 0, 0), AKIN_OK);
    assert_int_equal(shingler.size, 0);
    assert_int_equal(akin_shingler_take(&shingler, " ,.", 3, 3), AKIN_OK);
    assert_int_equal(shingler.size, 0);
    for (uint32_t i = 0; i < 50000; i++)
        text[2 * i] = (char)('a' + i % 7), text[2 * i + 1] = ' ';
    assert_int_equal(akin_shingler_take(&shingler, text, 99999, 99999), AKIN_E_NOMEM);
    akin_shingler_clear(&shingler);
    assert_int_equal(account.held, 0);
    free(text);
}

/* ------------------------------------------------------------------------------------------------------ frequencies */

#define HASHES  5000
#define THREADS 4

typedef struct adder {
    akin_frequencies *frequencies;
    uint32_t number;
} adder;

/* Hash i is in i % 23 documents; a thread adds those of every fourth document. */
static void *add_all(void *argument)
{
    const adder *a = argument;
    uint64_t hashes[2 * HASHES];
    for (uint32_t document = a->number; document < 23; document += THREADS) {
        uint32_t count = 0;
        for (uint64_t i = 0; i < HASHES; i++)
            if (i % 23 > document) {
                hashes[count++] = i << 40;
                if (i % 5 == 0)
                    hashes[count++] = i << 40; /* twice in the bag: counted once */
            }
        akin_frequencies_add(a->frequencies, hashes, count);
    }
    return NULL;
}

static void add_by(akin_frequencies *f, uint32_t threads)
{
    pthread_t list[THREADS];
    adder adders[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        adders[i] = (adder){f, i};
        if (threads == 1)
            add_all(&adders[i]);
        else
            assert_int_equal(pthread_create(&list[i], NULL, add_all, &adders[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS && threads > 1; i++)
        pthread_join(list[i], NULL);
}

static void frequencies(void **state)
{
    static const uint64_t most[] = {0, 300, 1 << 20};
    (void)state;
    for (uint32_t m = 0; m < 3; m++) {
        akin_frequencies f, g;
        uint32_t exact = 0;
        assert_int_equal(akin_frequencies_make(NULL, 40 * HASHES, most[m], &f), AKIN_OK);
        assert_int_equal(akin_frequencies_make(NULL, 40 * HASHES, most[m], &g), AKIN_OK);
        add_by(&f, 1);
        add_by(&g, THREADS);
        for (uint64_t i = 0; i < HASHES; i++) {
            const uint32_t documents_of = (uint32_t)(i % 23);
            const uint32_t truth = documents_of < AKIN_FREQUENCY_MOST ? documents_of : AKIN_FREQUENCY_MOST;
            uint8_t counted, again;
            const uint64_t hash = (uint64_t)i << 40;
            akin_frequencies_of(&f, &hash, 1, &counted);
            akin_frequencies_of(&g, &hash, 1, &again);
            assert_true(counted >= truth && counted <= AKIN_FREQUENCY_MOST);
            assert_int_equal(counted, again);
            exact += counted == truth;
        }
        assert_true(m < 2 || exact > HASHES * 9 / 10);
        akin_frequencies_clear(&f);
        akin_frequencies_clear(&g);
    }
    akin_account account = {.limit = 100};
    akin_frequencies f;
    assert_int_equal(akin_frequencies_make(&account, 1000, 1000, &f), AKIN_E_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bags), cmocka_unit_test(texts), cmocka_unit_test(levels),
                                       cmocka_unit_test(refused), cmocka_unit_test(frequencies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
