/* How text becomes terms: tokens, stop words, stems. */
#include "sets/analysis.h"

#include "base/memory.h"
#include "sets/stops.h"
#include "text/options.h"

#include <libstemmer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEM_MOST 1000 /* bytes of a word that is stemmed; longer ones are none */

static const char what[] = "the analysis of text"; /* the memory is for */

const char *const *akin_stemmers(void)
{
    return (const char *const *)sb_stemmer_list();
}

/* ------------------------------------------------------------------------------------------------------- stop words */

/* How two strings compare by their bytes, shorter ones first where one begins the other. */
static int compare_terms(const char *a, uint32_t a_length, const char *b, uint32_t b_length)
{
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* The first of the stop words that is not below a token. */
static uint32_t place_term(const akin_analysis *a, const char *token, uint32_t length)
{
    uint32_t low = 0, high = a->stop_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_terms(a->bytes + a->stops[middle].begin, a->stops[middle].length, token, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_at(const akin_analysis *a, uint32_t at, const char *token, uint32_t length)
{
    return at < a->stop_count && a->stops[at].length == length &&
           memcmp(a->bytes + a->stops[at].begin, token, length) == 0;
}

/* Adds a token in its place, unless it is there. */
static akin_status add_stop(akin_analysis *a, const char *token, uint32_t length)
{
    uint32_t at = place_term(a, token, length);
    if (is_at(a, at, token, length))
        return AKIN_OK;
    if (a->stop_count == UINT32_MAX)
        return AKIN_E_LIMIT;
    akin_stop_token *stops =
        akin_enlarge(NULL, a->stops, &a->stops_capacity, (uint64_t)a->stop_count + 1, sizeof *stops);
    if (!stops)
        return AKIN_E_NOMEM;
    a->stops = stops;
    char *bytes = akin_enlarge(NULL, a->bytes, &a->capacity, a->used + length, 1);
    if (!bytes)
        return AKIN_E_NOMEM;
    a->bytes = bytes;
    memcpy(bytes + a->used, token, length);
    memmove(stops + at + 1, stops + at, (size_t)(a->stop_count - at) * sizeof *stops);
    stops[at] = (akin_stop_token){a->used, length};
    a->used += length;
    a->stop_count++;
    return AKIN_OK;
}

static int terms_rise(const void *a, const void *b)
{
    const akin_stop *left = a, *right = b;
    return compare_terms(left->bytes, left->length, right->bytes, right->length);
}

static akin_status read_stops(akin_analysis *a, const akin_text_options *text, akin_cpu cpu, akin_error *error)
{
    if (text->stop_word_count == 0)
        return AKIN_OK;
    akin_tokenizer *tokenizer = akin_alloc_zero(NULL, 1, sizeof *tokenizer);
    if (!tokenizer)
        return akin_fail_memory(error, what);
    akin_stops stops = {0};
    akin_tokenizer_begin(tokenizer, cpu, NULL, text);
    akin_status status = akin_stops_read(&stops, tokenizer, text, error);
    if (status == AKIN_OK && stops.count > 0)
        qsort(stops.list, stops.count, sizeof *stops.list, terms_rise);
    for (uint32_t i = 0; i < stops.count && status == AKIN_OK; i++)
        if (add_stop(a, stops.list[i].bytes, stops.list[i].length) != AKIN_OK)
            status = akin_fail_memory(error, what);
    akin_stops_clear(&stops);
    akin_tokenizer_clear(tokenizer);
    akin_free(tokenizer);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- analyses */

static akin_status read_stem(akin_analysis *a, const char *stem, akin_error *error)
{
    char list[512] = "";
    size_t length = 0;
    akin_guess guess = {.word = stem};
    for (const char **name = sb_stemmer_list(); *name; name++) {
        if (strcmp(*name, stem) == 0 && strlen(stem) < sizeof a->stem) {
            memcpy(a->stem, stem, strlen(stem) + 1);
            return AKIN_OK;
        }
        akin_guess_offer(&guess, *name);
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "", *name);
    }
    akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_CHOICE,
                   "there is no stemmer '%.100s'%s%s%s: expected one of %s", stem, guess.best ? " (did you mean '" : "",
                   guess.best ? guess.best : "", guess.best ? "'?)" : "", list);
    akin_note_meant(AKIN_E_OPTION, guess.best, error);
    return akin_note_word(AKIN_E_OPTION, stem, strlen(stem), error);
}

akin_status akin_analysis_create(const akin_text_options *text, const char *stem, akin_cpu cpu, akin_analysis **out,
                                 akin_error *error)
{
    akin_text_options own;
    akin_status status = akin_text_options_read(text, &own, error);
    if (status != AKIN_OK)
        return status;
    if (own.multiset)
        return akin_fail(error, AKIN_E_OPTION, "multiset is %d; expected 0: terms are counted", own.multiset);
    if (stem && !akin_tokens_facts_of(own.tokens)->has_stems)
        return akin_fail(error, AKIN_E_OPTION, "%s have no stems: expected words, or no stemmer",
                         akin_tokens_facts_of(own.tokens)->noun);
    akin_analysis *a = akin_alloc_zero(NULL, 1, sizeof *a);
    if (!a)
        return akin_fail_memory(error, what);
    a->text = own;
    a->text.stop_words = NULL;
    a->text.stop_word_count = 0;
    a->text.counts = NULL;
    if (stem)
        status = read_stem(a, stem, error);
    if (status == AKIN_OK)
        status = read_stops(a, &own, cpu, error);
    if (status == AKIN_OK)
        *out = a;
    else
        akin_analysis_free(a);
    return status;
}

void akin_analysis_free(akin_analysis *analysis)
{
    if (!analysis)
        return;
    akin_free(analysis->stops);
    akin_free(analysis->bytes);
    akin_free(analysis);
}

/* ----------------------------------------------------------------------------------------------------- written down */

/*
 *     numbers   4 uint32: tokens, q, fold, the number of stop words
 *     stem      32 bytes, zeros behind the name
 *     lengths   a uint32 for each stop word
 *     bytes     of the stop words, concatenated
 */
typedef struct header {
    uint32_t tokens, q, fold, stop_count;
    char stem[AKIN_STEM_NAME];
} header;

akin_status akin_analysis_write(const akin_analysis *analysis, char **out, uint64_t *length, akin_error *error)
{
    const akin_analysis *a = analysis;
    header h = {(uint32_t)a->text.tokens, a->text.q, (uint32_t)a->text.fold, a->stop_count, ""};
    memcpy(h.stem, a->stem, sizeof h.stem);
    uint64_t total = sizeof h + (uint64_t)a->stop_count * sizeof(uint32_t) + a->used;
    char *to = akin_alloc(NULL, total, 1);
    if (!to)
        return akin_fail_memory(error, what);
    memcpy(to, &h, sizeof h);
    char *lengths = to + sizeof h, *bytes = lengths + (size_t)a->stop_count * sizeof(uint32_t);
    for (uint32_t i = 0; i < a->stop_count; i++) {
        const akin_stop_token *stop = &a->stops[i];
        memcpy(lengths + i * sizeof(uint32_t), &stop->length, sizeof stop->length);
        memcpy(bytes, a->bytes + stop->begin, stop->length);
        bytes += stop->length;
    }
    *out = to;
    *length = total;
    return AKIN_OK;
}

/* Adds the stop words that are written there. */
static akin_status parse_stops(akin_analysis *a, uint32_t count, const char *from, uint64_t left)
{
    if (left / sizeof(uint32_t) < count)
        return AKIN_E_INPUT;
    const char *bytes = from + (size_t)count * sizeof(uint32_t), *end = from + left;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length;
        memcpy(&length, from + i * sizeof length, sizeof length);
        if (length == 0 || length > (uint64_t)(end - bytes))
            return AKIN_E_INPUT;
        if (place_term(a, bytes, length) < a->stop_count)
            return AKIN_E_INPUT; /* they ascend */
        akin_status status = add_stop(a, bytes, length);
        if (status != AKIN_OK)
            return status;
        bytes += length;
    }
    return bytes == end && a->stop_count == count ? AKIN_OK : AKIN_E_INPUT;
}

akin_status akin_analysis_parse(const char *name, const char *bytes, uint64_t length, akin_analysis **out,
                                akin_error *error)
{
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    header h;
    if (length < sizeof h)
        return akin_fail(error, AKIN_E_INPUT, "%s: how its text was cut takes %llu bytes; expected %zu or more", name,
                         (unsigned long long)length, sizeof h);
    memcpy(&h, bytes, sizeof h);
    if (!akin_tokens_facts_of((akin_tokens)h.tokens) || h.q == 0 || h.q > AKIN_TEXT_Q_MOST || h.fold > 1 ||
        !memchr(h.stem, '\0', sizeof h.stem))
        return akin_fail(error, AKIN_E_INPUT, "%s: how its text was cut is nothing that this version of akin knows",
                         name);
    text.tokens = (akin_tokens)h.tokens;
    text.q = h.q;
    text.fold = (int)h.fold;
    akin_analysis *a = NULL;
    akin_status status = akin_analysis_create(&text, *h.stem ? h.stem : NULL, AKIN_CPU_SCALAR, &a, error);
    if (status == AKIN_E_OPTION)
        return akin_fail(error, AKIN_E_INPUT, "%s: its words were stemmed by '%s', which this build of akin has not",
                         name, h.stem);
    if (status != AKIN_OK || !a)
        return status;
    status = parse_stops(a, h.stop_count, bytes + sizeof h, length - sizeof h);
    if (status == AKIN_OK) {
        *out = a;
        return status;
    }
    akin_analysis_free(a);
    return status == AKIN_E_NOMEM ? akin_fail_memory(error, what)
                                  : akin_fail(error, AKIN_E_INPUT, "%s: its stop words are damaged", name);
}

/* -------------------------------------------------------------------------------------------------------- analysers */

akin_status akin_analyser_begin(akin_analyser *analyser, const akin_analysis *analysis, akin_cpu cpu,
                                akin_account *account)
{
    analyser->analysis = analysis;
    akin_tokenizer_begin(&analyser->tokenizer, cpu, account, &analysis->text);
    if (!*analysis->stem)
        return AKIN_OK;
    analyser->stemmer = sb_stemmer_new(analysis->stem, NULL);
    return analyser->stemmer ? AKIN_OK : AKIN_E_NOMEM;
}

void akin_analyser_clear(akin_analyser *analyser)
{
    if (!analyser->analysis)
        return;
    akin_tokenizer_clear(&analyser->tokenizer);
    sb_stemmer_delete(analyser->stemmer);
    analyser->analysis = NULL;
    analyser->stemmer = NULL;
}

akin_status akin_analyser_resolve(akin_analyser *analyser, const char *token, uint32_t size, const char **bytes,
                                  uint32_t *length)
{
    const akin_analysis *a = analyser->analysis;
    *length = is_at(a, place_term(a, token, size), token, size) ? 0 : size;
    *bytes = token;
    if (*length == 0 || !analyser->stemmer || size > STEM_MOST)
        return AKIN_OK;
    const sb_symbol *stem = sb_stemmer_stem(analyser->stemmer, (const sb_symbol *)token, (int)size);
    if (!stem)
        return AKIN_E_NOMEM;
    int stemmed = sb_stemmer_length(analyser->stemmer);
    if (stemmed <= 0) /* all of the word was an ending */
        return AKIN_OK;
    *bytes = (const char *)stem;
    *length = (uint32_t)stemmed;
    return AKIN_OK;
}

akin_status akin_analyser_take(akin_analyser *analyser, const char *text, uint64_t length, uint64_t readable)
{
    analyser->spans.count = analyser->next = 0;
    return akin_tokenizer_take(&analyser->tokenizer, text, length, readable);
}

akin_status akin_analyser_next(akin_analyser *analyser, const char **bytes, uint32_t *length)
{
    *length = 0;
    for (;;) {
        akin_spans *spans = &analyser->spans;
        if (analyser->next == spans->count) {
            analyser->next = 0;
            if (!akin_tokenizer_next(&analyser->tokenizer, spans)) {
                spans->count = 0;
                return AKIN_OK;
            }
        }
        const uint32_t *bound = spans->bounds + (size_t)analyser->next++ * spans->step;
        akin_status status =
            akin_analyser_resolve(analyser, spans->text + *bound, bound[spans->gap] - *bound, bytes, length);
        if (status != AKIN_OK || *length > 0)
            return status;
    }
}
