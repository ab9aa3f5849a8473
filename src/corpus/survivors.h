/*
 * Which documents of a corpus survive. Documents come in an order of preference. A document is removed if and only if a
 * kept document before it is alike; its survivor is the first such one. So no document is removed for one that is
 * removed itself, and pairs of removed documents are never made.
 *
 *     documents     0  1  2  3  4  5         1 and 4 are like 0, 5 is like 4 alone
 *     kept          0     2  3     5         4 is removed, so 5 is kept
 *     survivors        0        0
 *
 * Kept documents are found by the prefixes of their bags. A bag of r hashes that needs n in common with its partners
 * shares one of its first r - n + 1 hashes with each of them, in any order that is the same for all bags. Rare hashes
 * come first here. A hash that one document alone has is in no prefix of another, and is not indexed: documents without
 * duplicates are seldom looked up and seldom indexed (Chaudhuri et al. 2006; Bayardo et al. 2007).
 *
 * Documents are taken in batches. Threads compare a batch with the documents kept before it. Then the rest of the batch
 * is compared with what was kept of it, one after another.
 */
#ifndef AKIN_CORPUS_SURVIVORS_H
#define AKIN_CORPUS_SURVIVORS_H

#include "base/scope.h"
#include "corpus/frequencies.h"
#include "join/threshold.h"

#define AKIN_NO_SURVIVOR UINT64_MAX

/* A document, by its bag (shingles.h). */
typedef struct akin_bag {
    const uint64_t *hashes; /* ascending */
    uint32_t size;
    uint64_t document; /* its number, which rises from document to document */
} akin_bag;

/* What became of a document. */
typedef struct akin_verdict {
    uint64_t survivor; /* AKIN_NO_SURVIVOR: it is kept */
    uint32_t common;   /* shingles that both have */
    uint32_t size;     /* of the survivor */
} akin_verdict;

/* How many shingles a document of the batch and a kept one have in common, by their texts: no more than by hashes.
 * Threads, each with its number, call it at once. */
typedef akin_status (*akin_common_shingles)(void *user, uint32_t thread, uint64_t document, uint64_t kept,
                                            uint32_t *common);

typedef struct akin_survivors_report {
    uint64_t documents, kept, indexed; /* indexed: kept documents that can have a duplicate */
    uint64_t postings;                 /* hashes of their prefixes */
    uint64_t candidates, compared;     /* kept documents that share a hash of a prefix; those that were compared */
    uint64_t refuted;                  /* pairs that hashes took for alike, and texts did not */
} akin_survivors_report;

typedef struct akin_survivors akin_survivors;

/* `threshold` has the document as the first set, and the kept one as the second. `frequencies` are those of all
 * documents, and stay the caller's. `common` NULL: hashes decide. Memory is charged to `account` (NULL: none). Errors:
 * AKIN_E_NOMEM. */
akin_status akin_survivors_create(akin_account *account, const akin_threshold *threshold,
                                  const akin_frequencies *frequencies, akin_common_shingles common, void *user,
                                  akin_survivors **out, akin_error *error);
void akin_survivors_free(akin_survivors *survivors);

/* Takes the next documents, which are valid during the call, and fills in what became of each. Empty documents are like
 * one another. Verdicts do not depend on the threads or on batches. Errors: AKIN_E_NOMEM, AKIN_E_LIMIT (2^32 documents
 * are indexed), AKIN_E_CANCELLED, those of `common`; after an error only akin_survivors_free may follow. */
akin_status akin_survivors_add(const akin_scope *scope, akin_survivors *survivors, const akin_bag *bags, uint64_t count,
                               akin_verdict *verdicts, akin_error *error);

void akin_survivors_describe(const akin_survivors *survivors, akin_survivors_report *out);

#endif
