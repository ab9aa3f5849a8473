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

#include "corpus/survivors.h"

/* As akin_duplicates_find, within a scope. mask: the bits of hashes that count, all but for tests. */
akin_status akin_duplicates_find_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_options *options, uint64_t mask, akin_duplicates **out,
                                        akin_error *error);

/* What a plan learns of a job: it runs on documents that stand for more. */
typedef struct akin_near_trial {
    akin_duplicates_report report;
    akin_survivors_report survivors;
    uint64_t tokens, hashes;          /* of all documents, and about how many of these are in bags */
    uint64_t counters, counters_room; /* bytes of counters, and those that memory had room for */
} akin_near_trial;

/* The same job, for a plan. counters_most: bytes of counters; 0: as many as there are for. Errors: the same. */
akin_status akin_duplicates_try(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                const akin_duplicates_options *options, uint64_t counters_most, akin_near_trial *out,
                                akin_error *error);

#endif
