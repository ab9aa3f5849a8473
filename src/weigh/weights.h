/*
 * A sparse matrix of term weights, and its vocabulary.
 *
 *     offsets   lists + 1 numbers: list i is entries offsets[i] .. offsets[i + 1] - 1, ascending by id
 *     ids       by document terms, by term documents
 *     tf        how often the term is in the document
 *     values    the weights
 *     lengths   of each document, in tokens
 *     df        of each term
 *
 * Whoever makes one sees to these invariants; whoever uses one relies on them.
 */
#ifndef AKIN_WEIGH_WEIGHTS_H
#define AKIN_WEIGH_WEIGHTS_H

#include "base/bulk.h"
#include "base/container.h"
#include "dict/dictionary.h"
#include "sets/analysis.h"
#include "weigh/formula.h"

#define AKIN_WEIGHTS_SECTIONS 12 /* of a file */

#define AKIN_WEIGHTS_NONE UINT32_MAX /* the id of a term that there is not */

enum {
    AKIN_WEIGHTS_OFFSETS,
    AKIN_WEIGHTS_IDS,
    AKIN_WEIGHTS_TF,
    AKIN_WEIGHTS_VALUES,
    AKIN_WEIGHTS_LENGTHS,
    AKIN_WEIGHTS_DF,
    AKIN_WEIGHTS_ARRAYS
};

struct akin_weights {
    akin_formula_terms formula; /* with its parameters */
    akin_weights_order order;
    uint32_t documents;
    uint32_t ids_count; /* of terms, those that are in no document included */
    uint32_t terms;     /* that are in a document */
    uint32_t shared;    /* the id of unknown terms, or AKIN_WEIGHTS_NONE */
    uint64_t words, pairs;
    const uint64_t *offsets;
    const uint32_t *ids, *tf;
    const double *values;
    const uint32_t *lengths, *df;
    akin_bulk arrays[AKIN_WEIGHTS_ARRAYS]; /* what these are in */
    akin_dictionary *dictionary;           /* of the terms; NULL: they, and the names, are in a file: */
    akin_container *container;
    akin_bulk kept[AKIN_WEIGHTS_SECTIONS];       /* copies of its sections, if it is mapped */
    const uint64_t *term_offsets, *name_offsets; /* of strings in Arrow's layout; names NULL: there are none */
    const char *term_bytes, *name_bytes;
    akin_bulk image;         /* that the file was parsed from; or empty */
    akin_analysis *analysis; /* how text became terms */
    int is_part;             /* of a corpus, by whose statistics they are: */
    uint32_t corpus_documents;
    uint64_t corpus_words;
    const uint32_t *corpus_df; /* of each term */
    akin_bulk corpus;          /* that it is in */
};

/* The number of lists. */
static inline uint32_t akin_weights_lists(const akin_weights *weights)
{
    return weights->order == AKIN_WEIGHTS_BY_DOCUMENT ? weights->documents : weights->ids_count;
}

/* The number of documents that weights are computed with, N. */
static inline uint32_t akin_weights_all(const akin_weights *weights)
{
    return weights->is_part ? weights->corpus_documents : weights->documents;
}

/* In how many of these documents each term is. */
static inline const uint32_t *akin_weights_frequencies(const akin_weights *weights)
{
    return weights->is_part ? weights->corpus_df : weights->df;
}

/* The mean length of these documents. */
static inline double akin_weights_mean(const akin_weights *weights)
{
    const uint32_t documents = akin_weights_all(weights);
    const uint64_t words = weights->is_part ? weights->corpus_words : weights->words;
    return documents ? (double)words / (double)documents : 0;
}

#endif
