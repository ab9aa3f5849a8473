/*
 * A column of records as sets of tokens, those of both tables from one dictionary; and how much a token weighs: the
 * fewer records have it, the more (K. Sparck Jones, A statistical interpretation of term specificity, 1972):
 *
 *     weight  round(1024 ln(1 + N / n)), of a token that n of the N records with a value have; where values without a
 *             token are missing, N are the records that have a token; n and N are those of a corpus, if one is given
 *
 *     sets      of record 0: 2 5 9     of record 1: 5 7     ...
 *     squares   of each token that of its weight
 *     lengths   of each value the sum of its tokens' squares
 *
 * Weights are integers, so sums are exact, and similarities the same everywhere.
 */
#ifndef AKIN_DEDUPE_TOKENS_H
#define AKIN_DEDUPE_TOKENS_H

#include "dedupe/values.h"
#include "dict/corpus.h"

/* What the jobs within a deduplication have, those that make sets and join them: a scope on the CPU, whose memory bound
 * is reserved in the account of the deduplication. */
typedef struct akin_tokens_share {
    akin_scope scope;
    akin_account *account;
    uint64_t reserved;
} akin_tokens_share;

/* To be ended in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_tokens_begin(const akin_scope *scope, akin_account *account, akin_tokens_share *out,
                              akin_error *error);
void akin_tokens_end(akin_tokens_share *share);

/* Keeps the reserve of what sets have on the heap, and releases the rest. */
void akin_tokens_keep(akin_tokens_share *share, akin_sets *const sets[2]);

/* Makes the sets of a column; sets[1] is for a right table. They are the caller's to free in any case. *count receives
 * the number of tokens in both, unless it is NULL. Errors: those of akin_sets_from_columns. */
akin_status akin_tokens_make(const akin_scope *scope, const akin_records *records, uint32_t column,
                             const akin_text_options *text, akin_sets *sets[2], uint32_t *count, akin_error *error);
/* The same; *dictionary receives that of the tokens, which the caller frees in any case. */
akin_status akin_tokens_name(const akin_scope *scope, const akin_records *records, uint32_t column,
                             const akin_text_options *text, akin_sets *sets[2], akin_dictionary **dictionary,
                             akin_error *error);

/* Adds to df, for each token, the number of records that have it, and returns how many records have a value, or with
 * `needs_tokens` a token. */
uint32_t akin_tokens_count(const akin_records *records, uint32_t column, akin_sets *const sets[2], int needs_tokens,
                           uint32_t *df);
/* The same as counts of a corpus, whose terms are the tokens. They borrow both. */
akin_corpus_counts akin_tokens_counts(const akin_dictionary *dictionary, uint32_t records, const uint32_t *df);

/* How the tokens of a column are weighed. */
typedef struct akin_token_weighing {
    const akin_text_options *text;
    int needs_tokens;          /* values without a token are missing */
    const akin_corpus *corpus; /* of which N and n are; NULL: of the records */
} akin_token_weighing;

/* The values of a column as weighted sets. */
typedef struct akin_weighted {
    const akin_values *values;
    akin_tokens_share share; /* of the sets */
    akin_sets *sets[2];
    uint32_t tokens; /* their number in both */
    uint32_t *squares;
    uint64_t *lengths;           /* 0: the value has no token */
    akin_dictionary *dictionary; /* what the tokens are; NULL: that is not kept */
} akin_weighted;

/* To be cleared in any case. Errors: as above, AKIN_E_OPTION and AKIN_E_INPUT (the corpus; the records are no part of
 * it), AKIN_E_CANCELLED. */
akin_status akin_weighted_make(const akin_scope *scope, akin_account *account, const akin_values *values,
                               const akin_token_weighing *how, akin_weighted *out, akin_error *error);
/* The same, and the dictionary is kept. */
akin_status akin_weighted_name(const akin_scope *scope, akin_account *account, const akin_values *values,
                               const akin_token_weighing *how, akin_weighted *out, akin_error *error);
void akin_weighted_clear(akin_weighted *weighted);

/* The tokens of a value, ascending. */
const uint32_t *akin_weighted_tokens(const akin_weighted *weighted, uint32_t value, uint64_t *count);

/* The cosine of two values' weights; 1 if neither has a token. */
double akin_weighted_cosine(const akin_weighted *weighted, uint32_t x, uint32_t y);

#endif
