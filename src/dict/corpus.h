/* The statistics of a corpus: those that a caller gives, and those that are made of counts. */
#ifndef AKIN_DICT_CORPUS_H
#define AKIN_DICT_CORPUS_H

#include "base/scope.h"
#include "dict/dictionary.h"

/* What was counted of documents: how many there are, their tokens, and of each id in how many of them its term is. */
typedef struct akin_corpus_counts {
    uint32_t documents, count; /* count: of ids */
    uint64_t words;
    const uint32_t *df;
    void (*term)(const void *of, uint32_t id, const char **bytes, size_t *length);
    const void *of;
} akin_corpus_counts;

/* The terms of counts whose ids are those of a dictionary: a `term`. */
void akin_corpus_term_of_dictionary(const void *dictionary, uint32_t id, const char **bytes, size_t *length);

/* Reads and checks what the caller says of a corpus; NULL: *out has size 0. Errors: AKIN_E_OPTION, AKIN_E_INPUT. */
akin_status akin_corpus_read(const akin_corpus *given, akin_corpus *out, akin_error *error);

/* Sets df[id], which is 0, to the number of documents of the corpus that have the term. The dictionary has the ids of
 * the terms of `part`; `shared` is that of an empty term, or AKIN_ID_NONE. Errors: AKIN_E_INPUT (what was counted is no
 * part of the corpus, or a term is there twice), AKIN_E_CANCELLED. */
akin_status akin_corpus_find(const akin_scope *scope, const akin_corpus *corpus, const akin_corpus_counts *part,
                             const akin_dictionary *dictionary, uint32_t shared, uint32_t *df, akin_error *error);

/* The same for strings of which the corpus may lack some: their df[id] stays 0. Errors: AKIN_E_INPUT (a term is there
 * twice), AKIN_E_CANCELLED. */
akin_status akin_corpus_find_some(const akin_scope *scope, const akin_corpus *corpus, const akin_dictionary *dictionary,
                                  uint32_t *df, akin_error *error);

/* Makes statistics of the terms that a document has (corpus_make.c). Errors: AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
akin_status akin_statistics_make(const akin_scope *scope, const akin_corpus_counts *counts, akin_statistics **out,
                                 akin_error *error);

#endif
