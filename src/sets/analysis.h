/*
 * How text becomes terms: it is cut into tokens, stop words are left out, and the rest is stemmed. An analysis has
 * these settings; it can be saved and read again, and threads share it. An analyser does the work, and each thread has
 * one.
 */
#ifndef AKIN_SETS_ANALYSIS_H
#define AKIN_SETS_ANALYSIS_H

#include "base/scope.h"
#include "text/tokenizer.h"

#define AKIN_STEM_NAME 32 /* bytes of a language's name, with its NUL */

/* A token that is left out. */
typedef struct akin_stop_token {
    uint64_t begin; /* in the bytes of all of them */
    uint32_t length;
} akin_stop_token;

typedef struct akin_analysis {
    akin_text_options text;    /* read; without its stop words */
    char stem[AKIN_STEM_NAME]; /* the algorithm; empty: none */
    uint32_t stop_count;
    akin_stop_token *stops; /* ascending, by bytes, each once */
    char *bytes;
    uint64_t used, capacity, stops_capacity;
} akin_analysis;

/* Reads options: of text (NULL: the defaults), and the name of a stemmer (NULL: none). Errors: AKIN_E_OPTION,
 * AKIN_E_INPUT (a stop word is not UTF-8), AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_analysis_create(const akin_text_options *text, const char *stem, akin_cpu cpu, akin_analysis **out,
                                 akin_error *error);
void akin_analysis_free(akin_analysis *analysis);

/* Writes an analysis down in *out, a block of *length bytes (see base/memory.h) that becomes the caller's, and makes
 * one of what was written, wherever it lies. Errors: AKIN_E_NOMEM; of the latter AKIN_E_INPUT, with `name`. */
akin_status akin_analysis_write(const akin_analysis *analysis, char **out, uint64_t *length, akin_error *error);
akin_status akin_analysis_parse(const char *name, const char *bytes, uint64_t length, akin_analysis **out,
                                akin_error *error);

/* What a thread has for it. */
typedef struct akin_analyser {
    const akin_analysis *analysis;
    akin_tokenizer tokenizer;
    struct sb_stemmer *stemmer; /* NULL: none */
    akin_spans spans;           /* those at hand */
    uint32_t next;              /* of them */
} akin_analyser;

/* The analyser is zeroed before, and cleared in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_analyser_begin(akin_analyser *analyser, const akin_analysis *analysis, akin_cpu cpu,
                                akin_account *account);
void akin_analyser_clear(akin_analyser *analyser);

/* What becomes of a token: AKIN_OK, and the term's bytes, valid until the next call (or as long as the token), and
 * *length 0 if it is a stop word. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_analyser_resolve(akin_analyser *analyser, const char *token, uint32_t size, const char **bytes,
                                  uint32_t *length);

/* Takes a text, as akin_tokenizer_take does, and gives its terms one by one: *length 0 after the last one. Errors,
 * without a message: AKIN_E_INPUT (it is not UTF-8), AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_analyser_take(akin_analyser *analyser, const char *text, uint64_t length, uint64_t readable);
akin_status akin_analyser_next(akin_analyser *analyser, const char **bytes, uint32_t *length);

#endif
