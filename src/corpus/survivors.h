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
 * duplicates are seldom looked up and seldom indexed (Chaudhuri et al. 2006; Bayardo et al. 2007). Signatures refute
 * most of what is found (kept_index.h), and texts decide.
 *
 * Documents are taken in batches. Threads compare a batch with the documents kept before it. Then the rest of the batch
 * is compared with what was kept of it, one after another.
 *
 * The index may be smaller than all kept documents need. When it is full, documents are still compared with it. One
 * that it holds no survivor of is undecided, and comes again in the next round, which begins with an empty index:
 *
 *     round 1    0 1 2 3 | 4 5 6 7 8        the index is full after 3; 5 and 8 are like documents before it
 *     round 2            | 4   6 7          all of these come after what round 1 kept, so their survivors do, too
 */
#ifndef AKIN_CORPUS_SURVIVORS_H
#define AKIN_CORPUS_SURVIVORS_H

#include "base/scope.h"
#include "corpus/frequencies.h"
#include "corpus/kept_index.h"
#include "join/threshold.h"

#define AKIN_NO_SURVIVOR UINT64_MAX
#define AKIN_UNDECIDED   (UINT64_MAX - 1)

/* What is known of a document without its bag: at least the hashes of its prefix that have a count above 1. */
typedef struct akin_rare {
    const uint64_t *hashes; /* in any order, with their counts */
    const uint8_t *counts;
    const uint64_t *signature;       /* not there without hashes */
    uint64_t begin, signature_begin; /* places, for who makes it */
    uint32_t count;                  /* of these hashes */
    uint32_t alone;                  /* hashes with a count of 1 */
    int is_made;
} akin_rare;

/* A document, by its bag (shingles.h). */
typedef struct akin_bag {
    const uint64_t *hashes; /* equal ones are next to one another */
    const akin_rare *rare;  /* in place of hashes; NULL: these are there */
    uint32_t size;
    uint32_t group;    /* below the number of groups; 0 where all documents are compared */
    int is_alone;      /* it is compared with none, and kept */
    uint64_t document; /* its number, which rises from document to document of a round */
} akin_bag;

/* What became of a document. */
typedef struct akin_verdict {
    uint64_t survivor; /* AKIN_NO_SURVIVOR: it is kept; AKIN_UNDECIDED: the next round decides */
    uint32_t common;   /* shingles that both have */
    uint32_t size;     /* of the survivor */
} akin_verdict;

/* How many shingles a document of the batch and a kept one have in common, by their texts: no more than by hashes.
 * Threads, each with its number, call it at once. */
typedef akin_status (*akin_common_shingles)(void *user, uint32_t thread, uint64_t document, uint64_t kept,
                                            uint32_t *common);

typedef struct akin_survivors_options {
    akin_threshold threshold;            /* the document is the first set, and the kept one the second */
    const akin_frequencies *frequencies; /* those of all documents; they stay the caller's */
    akin_common_shingles common;
    void *user;
    akin_comparing comparing;
    akin_cpu cpu;
    uint32_t groups; /* their number, at least 1 */
} akin_survivors_options;

typedef struct akin_survivors_report {
    uint64_t kept, indexed;        /* indexed: kept documents that can have a duplicate */
    uint64_t postings;             /* hashes of their prefixes */
    uint64_t candidates, compared; /* pairs that share a hash of a prefix; those that signatures left */
    uint64_t refuted;              /* pairs that signatures took for alike, and texts did not */
    uint64_t rounds;
    uint64_t memory_peak; /* of the account */
} akin_survivors_report;

typedef struct akin_survivors akin_survivors;

/* Memory is charged to `account` (NULL: none). If it has a limit, the index may have half of what is left. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_survivors_create(akin_account *account, const akin_survivors_options *options, akin_survivors **out,
                                  akin_error *error);
void akin_survivors_free(akin_survivors *survivors);

/* Begins a round, of documents that are undecided. */
void akin_survivors_begin_round(akin_survivors *survivors);

/* Takes the next documents, which are valid during the call, and fills in what became of each. Empty documents are like
 * one another. What becomes of a document at last does not depend on threads, batches or rounds. Errors: AKIN_E_NOMEM,
 * AKIN_E_LIMIT (2^32 documents are indexed), AKIN_E_CANCELLED, those of `common`; after an error only
 * akin_survivors_free may follow. */
akin_status akin_survivors_add(const akin_scope *scope, akin_survivors *survivors, const akin_bag *bags, uint64_t count,
                               akin_verdict *verdicts, akin_error *error);

void akin_survivors_describe(const akin_survivors *survivors, akin_survivors_report *out);

#endif
