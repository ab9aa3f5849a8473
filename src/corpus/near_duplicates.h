/*
 * The near-duplicates of a column of documents, the job of akin_duplicates_find:
 *
 *     1. frequencies   each document becomes a bag of hashes; in how many documents each hash is, about
 *     2. survivors     in the order of preference, a batch of bags at a time; texts decide where hashes say alike;
 *                      again for documents that are undecided, where the index of kept ones was full
 *
 * Bags are made twice and not kept.
 */
#ifndef AKIN_CORPUS_NEAR_DUPLICATES_H
#define AKIN_CORPUS_NEAR_DUPLICATES_H

#include "base/scope.h"

/* As akin_duplicates_find, within a scope. mask: the bits of hashes that count, all but for tests. */
akin_status akin_duplicates_find_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_options *options, uint64_t mask, akin_duplicates **out,
                                        akin_error *error);

#endif
