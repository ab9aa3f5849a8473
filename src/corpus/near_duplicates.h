/*
 * The near-duplicates of a column of documents:
 *
 *     1. frequencies   each document becomes a bag of hashes; in how many documents each hash is, about
 *     2. survivors     in the order of preference, a batch of bags at a time; texts decide where hashes say alike
 *
 * Bags are made twice and not kept, but for those of kept documents that can have a duplicate.
 */
#ifndef AKIN_CORPUS_NEAR_DUPLICATES_H
#define AKIN_CORPUS_NEAR_DUPLICATES_H

#include "corpus/survivors.h"
#include "text/options.h"

#define AKIN_NO_ROW UINT32_MAX

/* What became of a row. */
typedef struct akin_duplicate {
    uint32_t survivor; /* its row; AKIN_NO_ROW: the row is kept */
    uint32_t common;   /* distinct tokens that both have */
    uint32_t sizes[2]; /* distinct tokens: of the row, and of its survivor */
} akin_duplicate;

typedef struct akin_near_duplicates {
    akin_threshold threshold;      /* the row is the first set, its survivor the second */
    const akin_text_options *text; /* read; stop words and multisets are not used */
    const uint32_t *order;         /* rows, each once, the preferred ones first; NULL: as they are */
    uint64_t mask;                 /* the bits of hashes that count; 0: all */
} akin_near_duplicates;

/* Fills in what became of each row. A null is an empty document. The result depends neither on the threads nor on the
 * mask. Errors: AKIN_E_INPUT (a text that is not UTF-8, with its row), AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_near_duplicates_find(const akin_scope *scope, akin_account *account,
                                      const akin_near_duplicates *wanted, const akin_column *column, uint32_t rows,
                                      akin_duplicate *out, akin_survivors_report *report, akin_error *error);

#endif
