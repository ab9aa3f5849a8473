/*
 * What thresholds would remove of a column of documents, estimated from a sample, the job of akin_duplicates_sample:
 *
 *     1. draw      the documents whose rows have the least hashes
 *     2. index     their bags, by prefixes for the lowest threshold; hashes that are rare in the sample come first
 *     3. compare   all documents pass by, in the order of preference, with the drawn ones that come behind them
 *
 *     order    a  b [c] d  e [f] g        c is compared with a and b; f with a, b, c, d and e; g is not looked at
 *
 * For each drawn document it is known how many thresholds it reaches, which is all that the result needs. A pair counts
 * only if it reaches the next one. Sizes, signatures and bags refute; texts decide.
 */
#ifndef AKIN_CORPUS_NEAR_SAMPLE_H
#define AKIN_CORPUS_NEAR_SAMPLE_H

#include "base/scope.h"

/* As akin_duplicates_sample, within a scope. mask: the bits of hashes that count, all but for tests. */
akin_status akin_duplicates_sample_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                          const akin_duplicates_sample_options *options, uint64_t mask,
                                          akin_duplicates_estimate *out, akin_error *error);

#endif
