/*
 * Near-duplicates on a GPU against an oracle that compares bits of words: random documents, measures, thresholds,
 * sources, hashes of few bits, threads and bounds of memory, and GPUs that have room for some of the documents.
 * Against the CPU with all kinds of tokens. Built with PROPERTY_HOST_GPU it runs on GPUs that the host plays, with
 * PROPERTY_DEVICE on a real one.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 60 if not given
 */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bits.h"
#include "base/context.h"
#include "base/random.h"
#include "corpus/near_duplicates.h"

#include "property/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PROPERTY_HOST_GPU
#include "property/host_device.h"
#else
#include "gpu/gpu.h"
#endif

#define ROWS  1500
#define KINDS 1024 /* of words */
#define WORDS 120  /* of a document, at most, but for a few */
#define LONG  700
#define LIMBS (KINDS / 64)

typedef struct document {
    uint64_t words[LIMBS]; /* a bit for each kind of word that it has */
    uint32_t size, source;
} document;

static document documents[ROWS];
static char text[ROWS * WORDS * 6 + 20 * LONG * 6], source_text[ROWS * 2];
static uint64_t offsets[ROWS + 1], source_offsets[ROWS + 1];
static uint32_t rows;
static akin_column column, sources;
static akin_duplicate expected[ROWS];

/* ----------------------------------------------------------------------------------------------------------- oracle */

static uint32_t common_of(const document *a, const document *b)
{
    uint32_t common = 0;
    for (int i = 0; i < LIMBS; i++)
        common += akin_popcount64(a->words[i] & b->words[i]);
    return common;
}

static int are_alike(const akin_duplicates_options *o, uint32_t row, uint32_t kept)
{
    const document *a = &documents[row], *b = &documents[kept];
    const uint64_t common = common_of(a, b);
    const uint64_t all = o->measure == AKIN_JACCARD ? a->size + b->size - common : a->size;
    if (o->comparing != AKIN_COMPARE_ALL && (a->source == b->source) != (o->comparing == AKIN_COMPARE_WITHIN))
        return 0;
    return a->size == 0 || b->size == 0 ? a->size == b->size : common * o->threshold.den >= all * o->threshold.num;
}

static void find_expected(const akin_duplicates_options *o)
{
    for (uint32_t row = 0; row < rows; row++) {
        expected[row] = (akin_duplicate){AKIN_NO_ROW, 0, {documents[row].size, 0}};
        for (uint32_t kept = 0; kept < row && expected[row].survivor == AKIN_NO_ROW; kept++)
            if (expected[kept].survivor == AKIN_NO_ROW && are_alike(o, row, kept))
                expected[row] = (akin_duplicate){
                    kept, common_of(&documents[row], &documents[kept]), {documents[row].size, documents[kept].size}};
    }
}

/* -------------------------------------------------------------------------------------------------------- documents */

/* A word is rare or frequent. */
static uint32_t draw_word(akin_random *random)
{
    const uint32_t below = (uint32_t)akin_random_below(random, 3);
    return (uint32_t)akin_random_below(random, below == 0 ? 20 : KINDS);
}

static void begin_document(uint32_t row, uint64_t at)
{
    offsets[row] = at;
    source_offsets[row] = row;
}

/* Writes the words of a document. */
static void put_document(uint32_t row, uint64_t *at)
{
    document *d = &documents[row];
    for (uint32_t word = 0; word < KINDS; word++)
        if (d->words[word / 64] >> word % 64 & 1) {
            *at += (uint64_t)snprintf(text + *at, 8, "w%u%s", word, word % 5 ? " " : word % 2 ? "\n" : "\n\n");
            d->size++;
        }
    assert_true(*at + LONG * 8 < sizeof text);
    source_text[row] = (char)('a' + d->source);
}

static void end_documents(uint64_t at)
{
    offsets[rows] = at;
    source_offsets[rows] = rows;
    column = (akin_column){.size = sizeof column, .name = "text", .offsets = offsets, .bytes = text};
    sources = (akin_column){.size = sizeof sources, .name = "source", .offsets = source_offsets, .bytes = source_text};
}

/* Half of the documents are others, with few words changed. */
static void draw_document(akin_random *random, uint32_t row, uint64_t *at)
{
    const int is_copy = row > 0 && akin_random_below(random, 2);
    const document *from = is_copy ? &documents[akin_random_below(random, row)] : NULL;
    const uint64_t length = akin_random_below(random, row % 100 == 50 ? LONG : row % 4 ? WORDS : 5);
    document *d = &documents[row];
    *d = (document){.source = (uint32_t)akin_random_below(random, 4)};
    for (uint64_t i = 0; i < length && !from; i++) {
        const uint32_t word = draw_word(random);
        d->words[word / 64] |= UINT64_C(1) << word % 64;
    }
    if (from) {
        memcpy(d->words, from->words, sizeof d->words);
        for (uint64_t i = akin_random_below(random, 4); i > 0; i--) {
            const uint32_t word = draw_word(random);
            d->words[word / 64] ^= UINT64_C(1) << word % 64;
        }
    }
    put_document(row, at);
}

static void draw_documents(akin_random *random)
{
    uint64_t at = 0;
    rows = 1 + (uint32_t)akin_random_below(random, ROWS);
    for (uint32_t row = 0; row < rows; row++) {
        begin_document(row, at);
        draw_document(random, row, &at);
    }
    end_documents(at);
}

/* Few documents of many words, each without one of them: a launch of a small GPU takes none of them, and yet it has
 * memory for all. */
static void make_long_documents(void)
{
    uint64_t at = 0;
    rows = 6;
    for (uint32_t row = 0; row < rows; row++) {
        documents[row] = (document){.source = 0};
        begin_document(row, at);
        for (uint32_t word = 0; word < LONG; word++)
            if (word != row)
                documents[row].words[word / 64] |= UINT64_C(1) << word % 64;
        put_document(row, &at);
    }
    end_documents(at);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

typedef struct setting_of_case {
    uint32_t threads, gpus; /* gpus: 0 on the CPU */
    uint64_t memory, device_memory;
    uint64_t mask;
    uint64_t bytes; /* of documents that are compared at once, or go to a GPU together; 0: as many as ever */
} setting_of_case;

static akin_context *create(const setting_of_case *s)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = s->threads;
    options.memory = s->memory;
    options.device = "cpu";
#ifdef PROPERTY_DEVICE
    if (s->gpus > 0) {
        options.device = PROPERTY_DEVICE;
        options.device_memory = s->device_memory;
    }
#endif
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
#ifdef PROPERTY_HOST_GPU
    if (s->gpus > 0) {
        context->backend = &host_backend;
        context->scope.device_choice = AKIN_DEVICE_CUDA;
        context->wish = (akin_device_wish){.choice = AKIN_DEVICE_CUDA, .count = s->gpus, .numbers = {0, 1, 2}};
        host_device_set(.limit = s->device_memory);
    }
#endif
    return context;
}

/* Returns how many documents a GPU kept. */
static uint64_t find(const akin_duplicates_options *options, const setting_of_case *s, akin_duplicate *out)
{
    akin_context *context = create(s);
    const akin_wishes wishes = {.document_bytes = s->bytes};
    akin_duplicates_report report = {.size = sizeof report};
    akin_duplicates *duplicates = NULL;
    akin_error error;
    context->wishes = &wishes;
    if (akin_duplicates_find_within(akin_scope_of(context), &column, rows, options, s->mask, &duplicates, &error) !=
        AKIN_OK)
        fail_msg("%s", error.message);
    for (uint32_t row = 0; row < rows; row++)
        akin_duplicates_row(duplicates, row, &out[row]);
    assert_int_equal(akin_duplicates_describe(duplicates, &report, NULL), AKIN_OK);
    assert_int_equal(report.device, s->gpus > 0);
    akin_duplicates_free(duplicates);
#ifdef PROPERTY_HOST_GPU
    assert_int_equal(host_device_holds(), 0);
#endif
    akin_context_free(context);
    return report.on_device;
}

/* The same, where the result is known. */
static uint64_t run(const akin_duplicates_options *options, const setting_of_case *s)
{
    static akin_duplicate found[ROWS];
    const uint64_t kept = find(options, s, found);
    for (uint32_t row = 0; row < rows; row++)
        if (memcmp(&expected[row], &found[row], sizeof *found) != 0)
            fail_msg("row %u: survivor %u, %u in common, instead of %u, %u", row, found[row].survivor,
                     found[row].common, expected[row].survivor, expected[row].common);
    return kept;
}

static void as_oracle(void **state)
{
    static const akin_ratio ratios[] = {{1, 2}, {4, 5}, {1, 1}, {1, 4}, {9, 10}};
    static const uint64_t masks[] = {UINT64_MAX, 0xffff, 0xff, 0};
    static const uint64_t rooms[] = {64 << 20, 1 << 20, 300 << 10, 0};
    const uint64_t cases = setting("AKIN_PROPERTY_CASES", 60);
    uint64_t kept_by_all = 0, kept_by_some = 0, several = 0;
    akin_text_options words = AKIN_TEXT_OPTIONS_INIT;
    akin_random random;
    (void)state;
    akin_random_seed(&random, setting("AKIN_PROPERTY_SEED", 1));
    for (uint64_t i = 0; i < cases; i++) {
        akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
        setting_of_case s = {1 + (uint32_t)(i % 4), 1 + (uint32_t)(i / 4 % 3), i % 5 == 4 ? 32 << 20 : 0,
                             rooms[i / 2 % 4],      masks[i / 3 % 4],          i / 2 % 3 * 5000};
        draw_documents(&random);
        options.text = &words;
        options.measure = i % 2 ? AKIN_CONTAINMENT : AKIN_JACCARD;
        options.threshold = ratios[i % 5];
        options.comparing = i % 3 == 2 ? (i / 3 % 2 ? AKIN_COMPARE_WITHIN : AKIN_COMPARE_ACROSS) : AKIN_COMPARE_ALL;
        options.sources = &sources;
        find_expected(&options);
        const uint64_t kept = run(&options, &s);
        uint64_t with_words = 0;
        for (uint32_t row = 0; row < rows; row++)
            with_words += documents[row].size > 0;
        assert_true(kept <= with_words);
        kept_by_all += kept == with_words;
        kept_by_some += kept > 0 && kept < with_words;
        several += s.gpus > 1;
    }
    assert_true(kept_by_all > cases / 4 && kept_by_some > cases / 20 && several > 0);
}

static void as_cpu(void **state)
{
    static const akin_tokens kinds[] = {AKIN_TOKENS_WORDS,     AKIN_TOKENS_WHITESPACE, AKIN_TOKENS_QGRAMS,
                                        AKIN_TOKENS_SHINGLES,  AKIN_TOKENS_CODES,      AKIN_TOKENS_LINES,
                                        AKIN_TOKENS_PARAGRAPHS};
    static const uint64_t masks[] = {0xff, UINT64_MAX, 0xffff};
    enum { KINDS_OF_TOKENS = sizeof kinds / sizeof *kinds };
    uint64_t kept[KINDS_OF_TOKENS] = {0}, removed[KINDS_OF_TOKENS] = {0};
    akin_random random;
    (void)state;
    akin_random_seed(&random, setting("AKIN_PROPERTY_SEED", 1) + 1);
    for (uint32_t i = 0; i < 2 * KINDS_OF_TOKENS; i++) {
        const uint32_t kind = i % KINDS_OF_TOKENS;
        akin_text_options tokens = AKIN_TEXT_OPTIONS_INIT;
        akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
        const setting_of_case cpu = {.threads = 1, .mask = UINT64_MAX},
                              gpu = {1 + i % 3, 1 + i % 2, 0, i % 4 ? 0 : 300 << 10, masks[i % 3], i % 2 * 5000};
        draw_documents(&random);
        tokens.tokens = kinds[kind];
        options.text = &tokens;
        options.measure = i % 3 ? AKIN_JACCARD : AKIN_CONTAINMENT;
        options.threshold = (akin_ratio){i % 2 ? 1 : 4, i % 2 ? 2 : 5};
        (void)find(&options, &cpu, expected);
        kept[kind] += run(&options, &gpu);
        for (uint32_t row = 0; row < rows; row++)
            removed[kind] += expected[row].survivor != AKIN_NO_ROW && expected[row].sizes[0] > 0;
    }
    for (uint32_t kind = 0; kind < KINDS_OF_TOKENS; kind++)
        assert_true(kept[kind] > 0 && removed[kind] > 0);
}

static void long_documents(void **state)
{
    akin_text_options words = AKIN_TEXT_OPTIONS_INIT;
    akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
    uint64_t all = 0, none = 0;
    (void)state;
    make_long_documents();
    options.text = &words;
    options.threshold = (akin_ratio){9, 10};
    options.sources = &sources;
    find_expected(&options);
    assert_int_equal(expected[1].survivor, 0);
    for (uint64_t room = 16 << 10; room <= 96 << 10; room += 4 << 10) {
        const setting_of_case s = {1 + (uint32_t)(room >> 12 & 1), 1, 0, room, UINT64_MAX, 0};
        const uint64_t kept = run(&options, &s);
        all += kept == rows;
        none += kept == 0;
    }
    assert_true(all > 0 && none > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_oracle), cmocka_unit_test(as_cpu),
                                       cmocka_unit_test(long_documents)};
#ifndef PROPERTY_HOST_GPU
    if (gpu_absent())
        return GPU_SKIPPED;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
