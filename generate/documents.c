/*
 * Generates collections of documents: lengths from a lognormal distribution, words from a list with frequencies or from
 * a vocabulary of its own (the artificial texts of Wakatsuki, Keyaki and Miyazaki, A Case for Term Weighting using a
 * Dictionary on GPUs, section 4.1).
 *
 * Documents are made in blocks of BLOCK, each with a sequence of random numbers of its own that follows from the seed
 * and the block's number, by all threads, and handed on in their order. The normal deviate is the sum of 12 uniform
 * numbers less 6, as for sets, and the exponential is our own, so the result is the same with any number of threads and
 * on every machine.
 */
#include "generate/documents.h"

#include "base/annex.h"
#include "base/bits.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "sets/zipf.h"

#include <math.h>
#include <string.h>

AKIN_OPTIONS_END(akin_documents_options, seed);

static const akin_choice distributions[] = {
    {"frequency", "", "words have the frequencies that are given", 0, AKIN_IS_DEFAULT},
    {"uniform", "", "all words are equally frequent", 1, 0},
};
const akin_choice_table akin_distributions = AKIN_CHOICE_TABLE("distribution", distributions);

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define BLOCK        16        /* documents */
#define BLOCKS       4         /* for each thread at a time */
#define LENGTH_MOST  (1 << 24) /* words of a document */
#define LINE         72        /* a line ends with the word that reaches it */
#define MU_MOST      16
#define SIGMA_MOST   4
#define OWN_EXPONENT 1.07 /* with OWN_SHIFT and half a million words, texts are as diverse as English ones */
#define OWN_SHIFT    2
#define OWN_LONGEST  24        /* bytes of a word, more than any has */
#define OWN_MOST     10000000  /* words */
#define REPORT_WORDS (1 << 16) /* words that are made until the caller is asked whether to go on */

typedef struct text {
    char *bytes;
    uint64_t length, capacity;
} text;

typedef struct generation {
    const akin_scope *scope;
    akin_documents_options options;
    akin_column words;
    uint32_t count; /* of words */
    akin_zipf zipf;
    uint64_t *own_offsets; /* of a vocabulary of its own */
    char *own_bytes;
    uint64_t first; /* the first block of those at hand */
    uint64_t end;   /* documents, at most */
    text *texts;    /* one for each block at hand */
} generation;

/* ----------------------------------------------------------------------------------------------------- a vocabulary */

/*
 * Word `number` of our own: a word is syllables, each a beginning and a vowel, and an end, so that no two numbers make
 * the same. The first ones have one syllable, and among words of as many syllables the number is scrambled, so that
 * words of about the same frequency do not look alike.
 */
static size_t make_word(uint32_t number, char word[OWN_LONGEST])
{
    static const char begins[32][3] = {"",   "b",  "c",  "d",  "f",  "g",  "h",  "j",  "k",  "l",  "m",
                                       "n",  "p",  "r",  "s",  "t",  "v",  "w",  "y",  "z",  "br", "ch",
                                       "cl", "dr", "fr", "gr", "pl", "pr", "sh", "st", "th", "tr"};
    static const char vowels[] = "aeiou", ends[8][3] = {"", "n", "r", "s", "t", "l", "nd", "ng"};
    uint64_t of_length = UINT64_C(8) * 160, at = number, syllables = 1;
    for (; at >= of_length; syllables++) {
        at -= of_length;
        of_length *= 160;
    }
    at = (at * 7919 + 17) % of_length; /* 7919 is prime and of_length a product of 2 and 5 */
    size_t length = 0;
    const char *end = ends[at % 8];
    for (at /= 8; syllables > 0; syllables--) {
        const char *begin = begins[at % 160 / 5];
        memcpy(word + length, begin, strlen(begin));
        length += strlen(begin);
        word[length++] = vowels[at % 5];
        at /= 160;
    }
    memcpy(word + length, end, strlen(end));
    return length + strlen(end);
}

static akin_status make_words(generation *g, akin_error *error)
{
    char word[OWN_LONGEST];
    uint64_t bytes = 0;
    g->count = g->options.vocabulary;
    for (uint32_t i = 0; i < g->count; i++) {
        bytes += make_word(i, word);
        if (i % REPORT_WORDS == 0 && akin_scope_report(g->scope, "making words", i, 2 * (uint64_t)g->count) != AKIN_OK)
            return akin_fail(error, AKIN_E_CANCELLED, "cancelled while making words");
    }
    g->own_offsets = akin_alloc(NULL, (uint64_t)g->count + 1, sizeof *g->own_offsets);
    g->own_bytes = akin_alloc(NULL, bytes, 1);
    if (!g->own_offsets || !g->own_bytes)
        return akin_fail_memory(error, "made-up words");
    g->own_offsets[0] = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        size_t length = make_word(i, word);
        memcpy(g->own_bytes + g->own_offsets[i], word, length);
        g->own_offsets[i + 1] = g->own_offsets[i] + length;
        if (i % REPORT_WORDS == 0 &&
            akin_scope_report(g->scope, "making words", (uint64_t)g->count + i, 2 * (uint64_t)g->count) != AKIN_OK)
            return akin_fail(error, AKIN_E_CANCELLED, "cancelled while making words");
    }
    g->words = (akin_column){.size = sizeof g->words, .offsets = g->own_offsets, .bytes = g->own_bytes};
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------- documents */

static uint32_t draw_length(const generation *g, akin_random *random)
{
    double deviate = -6;
    for (int i = 0; i < 12; i++)
        deviate += akin_random_unit(random);
    double x = akin_exponential(g->options.length_mu + g->options.length_sigma * deviate);
    return x < 1 ? 1 : x + 0.5 >= LENGTH_MOST ? LENGTH_MOST : (uint32_t)(x + 0.5);
}

static akin_status reserve_text(text *t, uint64_t bytes)
{
    char *moved = akin_enlarge(NULL, t->bytes, &t->capacity, t->length + bytes, 1);
    if (!moved)
        return AKIN_E_NOMEM;
    t->bytes = moved;
    return AKIN_OK;
}

/* A document is lines of words; an empty line is before each but the very first. */
static akin_status make_document(const generation *g, akin_random *random, int very_first, text *t)
{
    uint32_t length = draw_length(g, random);
    uint64_t line = 0;
    akin_status status = reserve_text(t, 1);
    if (status == AKIN_OK && !very_first)
        t->bytes[t->length++] = '\n';
    for (uint32_t i = 0; i < length && status == AKIN_OK; i++) {
        uint32_t word = akin_zipf_draw(&g->zipf, random);
        uint64_t begin = g->words.offsets[word], bytes = g->words.offsets[word + 1] - begin;
        status = reserve_text(t, bytes + 1);
        if (status != AKIN_OK)
            break;
        memcpy(t->bytes + t->length, g->words.bytes + begin, bytes);
        t->length += bytes;
        line += bytes + 1;
        t->bytes[t->length++] = line >= LINE || i + 1 == length ? '\n' : ' ';
        line = line >= LINE ? 0 : line;
    }
    return status;
}

static akin_status make_block(void *argument, uint64_t task, uint32_t thread)
{
    generation *g = argument;
    text *t = &g->texts[task];
    uint64_t block = g->first + task, begin = block * BLOCK, end = akin_min_u64(begin + BLOCK, g->end);
    akin_random random;
    akin_status status = AKIN_OK;
    (void)thread;
    akin_random_seed(&random, g->options.seed);
    akin_random_seed(&random, akin_random_next(&random) ^ block * UINT64_C(0xd6e8feb86659fd93)); /* odd: all differ */
    t->length = 0;
    for (uint64_t document = begin; document < end && status == AKIN_OK; document++)
        status = make_document(g, &random, document == 0, t);
    return status;
}

/* Cuts a text so that it has at most `most` bytes, behind its last word that can stay. */
static void cut_text(text *t, uint64_t most)
{
    uint64_t end = akin_min_u64(most, t->length);
    while (end > 0 && !((t->bytes[end - 1] == ' ' || t->bytes[end - 1] == '\n') && end > 1 && t->bytes[end - 2] > ' '))
        end--;
    if (end > 0)
        t->bytes[end - 1] = '\n';
    t->length = end;
}

static akin_status make_all(generation *g, akin_documents_sink sink, void *user, akin_error *error)
{
    uint64_t most = g->options.bytes > 0 ? g->options.bytes : UINT64_MAX, done = 0;
    uint64_t blocks = (uint64_t)g->scope->threads * BLOCKS;
    g->end = g->options.documents > 0 ? g->options.documents : UINT64_MAX - BLOCK;
    for (; g->first * BLOCK < g->end && done < most; g->first += blocks) {
        uint64_t some = akin_min_u64(blocks, akin_ceil_div(g->end - g->first * BLOCK, BLOCK));
        akin_status status = most < UINT64_MAX ? akin_scope_report(g->scope, "generating", done, most)
                                               : akin_scope_report(g->scope, "generating", g->first * BLOCK, g->end);
        if (status == AKIN_OK)
            status = akin_parallel(g->scope, NULL, some, make_block, g);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, "made-up documents");
        for (uint64_t i = 0; i < some && done < most; i++) {
            text *t = &g->texts[i];
            int is_last = t->length >= most - done;
            if (is_last)
                cut_text(t, most - done);
            if (t->length > 0 && sink(user, t->bytes, t->length) != 0)
                return akin_fail(error, AKIN_E_CANCELLED, "cancelled by the sink of documents");
            done = is_last ? most : done + t->length;
        }
    }
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- options */

static akin_status check_words(const akin_documents_options *o, akin_error *error)
{
    double sum = 0;
    if (o->word_count == 0)
        return akin_fail_option(error, AKIN_REASON_NONE, "word_count", " is 0; expected at least one word");
    for (uint32_t i = 0; i < o->word_count; i++) {
        if (o->words->offsets[i] == o->words->offsets[i + 1])
            return akin_fail(error, AKIN_E_OPTION, "word %u is empty", i);
        double weight = o->weights ? o->weights[i] : 1;
        if (!(weight >= 0 && weight <= 1e300))
            return akin_fail(error, AKIN_E_OPTION, "the weight of word %u is %g; expected 0 to 1e300", i, weight);
        sum += weight;
    }
    if (!(sum > 0 && isfinite(sum)))
        return akin_fail(error, AKIN_E_OPTION, "the weights of the words add up to %g", sum);
    return AKIN_OK;
}

static akin_status check_documents_options(const akin_documents_options *o, akin_error *error)
{
    if (!(o->length_mu >= 0 && o->length_mu <= MU_MOST))
        return akin_fail_option(error, AKIN_REASON_NONE, "length_mu", " is %g; expected 0 to %d", o->length_mu,
                                MU_MOST);
    if (!(o->length_sigma >= 0 && o->length_sigma <= SIGMA_MOST))
        return akin_fail_option(error, AKIN_REASON_NONE, "length_sigma", " is %g; expected 0 to %d", o->length_sigma,
                                SIGMA_MOST);
    if (o->bytes == 0 && o->documents == 0)
        return akin_fail(error, AKIN_E_OPTION, "bytes and documents are both 0: expected how much text to make");
    if (o->documents > UINT32_MAX)
        return akin_fail_option(error, AKIN_REASON_NONE, "documents", " is %llu; expected at most 4294967295",
                                (unsigned long long)o->documents);
    if (o->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_documents_options: reserved is %u; expected 0", o->reserved);
    if (!o->words && o->vocabulary == 0)
        return akin_fail_option(error, AKIN_REASON_NONE, "vocabulary", " is 0; expected at least one word");
    if (!o->words && o->vocabulary > OWN_MOST)
        return akin_fail_option(error, AKIN_REASON_NONE, "vocabulary", " is %u; expected at most %d words",
                                o->vocabulary, OWN_MOST);
    return o->words ? check_words(o, error) : AKIN_OK;
}

static akin_status begin_documents(generation *g, akin_error *error)
{
    const akin_documents_options *o = &g->options;
    akin_status status = AKIN_OK;
    g->texts = akin_alloc_zero(NULL, (uint64_t)g->scope->threads * BLOCKS, sizeof *g->texts);
    if (!g->texts)
        return akin_fail_memory(error, "made-up documents");
    if (!o->words)
        status = make_words(g, error);
    else {
        g->words = *o->words;
        g->count = o->word_count;
    }
    if (status != AKIN_OK)
        return status;
    if (o->uniform || (o->words && !o->weights))
        return akin_zipf_build(g->count, 0, 0, &g->zipf, error);
    return o->words ? akin_zipf_build_of(o->weights, g->count, &g->zipf, error)
                    : akin_zipf_build(g->count, OWN_EXPONENT, OWN_SHIFT, &g->zipf, error);
}

akin_status akin_documents_generate(akin_context *context, const akin_documents_options *options,
                                    akin_documents_sink sink, void *user, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    generation g = {.scope = scope, .options = AKIN_DOCUMENTS_OPTIONS_INIT};
    akin_status status = akin_annex_check(AKIN_VERSION_STRING, error);
    if (status == AKIN_OK)
        status =
            akin_options_read(options, &g.options, sizeof g.options, sizeof g.options, "akin_documents_options", error);
    if (status == AKIN_OK)
        status = check_documents_options(&g.options, error);
    if (status == AKIN_OK)
        status = begin_documents(&g, error);
    if (status == AKIN_OK)
        status = make_all(&g, sink, user, error);
    for (uint64_t i = 0; g.texts && i < (uint64_t)scope->threads * BLOCKS; i++)
        akin_free(g.texts[i].bytes);
    akin_free(g.texts);
    akin_free(g.own_offsets);
    akin_free(g.own_bytes);
    akin_zipf_clear(&g.zipf);
    return status;
}
