/* Reads the statistics of a corpus, and finds in them the terms of a part. */
#include "dict/corpus.h"

#include "base/options.h"
#include "base/parallel.h"
#include "table/columns.h"

#include <inttypes.h>

AKIN_OPTIONS_END(akin_corpus, df);

static const char what[] = "the statistics of a corpus";

#define SHOWN 100 /* bytes of a term in a message */

static int shown_of(size_t length)
{
    return (int)(length < SHOWN ? length : SHOWN);
}

/* Term i of a corpus. */
static const char *term_of(const akin_corpus *corpus, uint32_t i, uint64_t *length)
{
    const uint64_t *offsets = corpus->terms->offsets;
    *length = offsets[i + UINT64_C(1)] - offsets[i];
    return corpus->terms->bytes + offsets[i];
}

void akin_corpus_term_of_dictionary(const void *dictionary, uint32_t id, const char **bytes, size_t *length)
{
    akin_dictionary_string(dictionary, id, bytes, length, NULL); /* of an id that there is */
}

static akin_status check_frequencies(const akin_corpus *corpus, akin_error *error)
{
    for (uint32_t i = 0; i < corpus->count; i++) {
        uint64_t length;
        const char *term = term_of(corpus, i, &length);
        if (corpus->df[i] < 1 || corpus->df[i] > corpus->documents)
            return akin_fail(error, AKIN_E_INPUT,
                             "statistics: term '%.*s' is in %" PRIu32 " of %" PRIu32 " documents; expected 1 to all",
                             shown_of(length), term, corpus->df[i], corpus->documents);
    }
    return AKIN_OK;
}

akin_status akin_corpus_read(const akin_corpus *given, akin_corpus *out, akin_error *error)
{
    *out = (akin_corpus){.size = 0};
    if (!given)
        return AKIN_OK;
    akin_status status = akin_options_read(given, out, sizeof *out, sizeof *out, "akin_corpus", error);
    if (status != AKIN_OK || out->count == 0)
        return status;
    if (!out->terms || !out->df)
        return akin_fail(error, AKIN_E_OPTION, "akin_corpus: there are no terms where terms and df point");
    status = akin_table_columns_check(out->terms, 1, out->count, "count terms of", error);
    return status == AKIN_OK ? check_frequencies(out, error) : status;
}

/* Sets the frequencies of the terms that the part has. */
static akin_status find_terms(const akin_scope *scope, const akin_corpus *corpus, const akin_dictionary *dictionary,
                              uint32_t shared, uint32_t *df, akin_error *error)
{
    for (uint32_t i = 0; i < corpus->count; i++) {
        uint64_t length;
        uint32_t id = shared;
        const char *term = term_of(corpus, i, &length);
        if (akin_is_stopped(scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        if (length > 0 ? !akin_dictionary_find(dictionary, term, length, &id) : id == AKIN_ID_NONE)
            continue;
        if (df[id] > 0)
            return akin_fail(error, AKIN_E_INPUT, "statistics: term '%.*s' is there twice", shown_of(length), term);
        df[id] = corpus->df[i];
    }
    return AKIN_OK;
}

akin_status akin_corpus_find_some(const akin_scope *scope, const akin_corpus *corpus, const akin_dictionary *dictionary,
                                  uint32_t *df, akin_error *error)
{
    return find_terms(scope, corpus, dictionary, AKIN_ID_NONE, df, error);
}

/* No part has more than the whole. */
static akin_status check_part(const akin_corpus *corpus, const akin_corpus_counts *part, const uint32_t *df,
                              akin_error *error)
{
    if (part->documents > corpus->documents || part->words > corpus->words)
        return akin_fail(error, AKIN_E_INPUT,
                         "statistics of %" PRIu32 " documents with %" PRIu64 " tokens; the documents to weigh, %" PRIu32
                         " with %" PRIu64 " tokens, are no part of them",
                         corpus->documents, corpus->words, part->documents, part->words);
    for (uint32_t id = 0; id < part->count; id++) {
        const char *term;
        size_t length;
        if (part->df[id] <= df[id])
            continue;
        part->term(part->of, id, &term, &length);
        if (df[id] == 0)
            return akin_fail(error, AKIN_E_INPUT, "statistics: term '%.*s' of the documents is not there",
                             shown_of(length), term);
        return akin_fail(error, AKIN_E_INPUT,
                         "statistics: term '%.*s' is in %" PRIu32 " documents, and in %" PRIu32
                         " of those to weigh, which are a part of them",
                         shown_of(length), term, df[id], part->df[id]);
    }
    return AKIN_OK;
}

akin_status akin_corpus_find(const akin_scope *scope, const akin_corpus *corpus, const akin_corpus_counts *part,
                             const akin_dictionary *dictionary, uint32_t shared, uint32_t *df, akin_error *error)
{
    akin_status status = find_terms(scope, corpus, dictionary, shared, df, error);
    return status == AKIN_OK ? check_part(corpus, part, df, error) : status;
}
