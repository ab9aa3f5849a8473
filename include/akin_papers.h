/*
 * akin_papers.h - the algorithms of the papers, to be compared with those of akin.
 *
 * This header is the manual of libakin_papers, an annex of libakin. Read akin.h first: its conventions hold here, too.
 *
 * The library has what the literature does, as the papers describe it. The results are those of akin's own algorithms,
 * which need less time or memory, so "auto" never chooses a row of the annex. To use the rows, link libakin_papers
 * besides libakin, and give the annex to each context that runs them:
 *
 *     akin_status status = akin_context_create(NULL, &context, &error);
 *     if (status == AKIN_OK)
 *         status = akin_context_use(context, akin_papers(), &error);
 *
 * Values of this header go where akin.h takes a value of the same enum. Both libraries have to be of one version.
 */
#ifndef AKIN_PAPERS_H
#define AKIN_PAPERS_H

#include "akin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The annex, a constant. akin_annex_choices lists its rows. Thread-safe. */
AKIN_API const akin_annex *akin_papers(void);

/* -------------------------------------------------------------------------------------------------- dictionaries */

/*
 * Kinds of akin_trie_build: other forms of the bit-vectors, which give the same ids. From: T. Wakatsuki, A. Keyaki and
 * J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs. akin_trie_open reads files of these kinds only in
 * a context that uses the annex. After that a trie does not need the context.
 */
/* RRR, section 3.1: compressed in blocks of 15 bits. */
#define AKIN_TRIE_RRR ((akin_trie_kind)(AKIN_ANNEX_FIRST + 0))
/* Table 1: a state-transition table, a hundred times as large, for comparison. */
#define AKIN_TRIE_STT ((akin_trie_kind)(AKIN_ANNEX_FIRST + 1))

/* ---------------------------------------------------------------------------------------------------------- join */

/*
 * Techniques of akin_join on a GPU. From: Bellas and Gounaris, section 3.2. All but the first and the last work in
 * blocks of sets. On the device "cuda" AKIN_BITMAP is one of them, too: it compares signatures in the blocks of
 * AKIN_FGSSJOIN. akin_join runs it there only with the annex. Each technique gives the same pairs.
 */
#define AKIN_GSSJOIN ((akin_technique)(AKIN_ANNEX_FIRST + 0)) /* counts the tokens in common with all sets, by probe */
#define AKIN_FGSSJOIN                                                                                                  \
    ((akin_technique)(AKIN_ANNEX_FIRST + 1)) /* counts common tokens of prefixes, verifies pairs with any */
#define AKIN_SF_GSSJOIN ((akin_technique)(AKIN_ANNEX_FIRST + 2)) /* counts all common tokens */
/* The CPU finds candidates by a prefix index while a GPU verifies others; there are no blocks. */
#define AKIN_HYBRID ((akin_technique)(AKIN_ANNEX_FIRST + 3))

/* What a thread of a GPU verifies: many pairs in sequence, one pair, or its part of a pair that the 32 threads of a
 * warp share. The result is the same. The table is "sharings". */
typedef enum akin_sharing {
    AKIN_SHARING_AUTO = 0, /* by the average size of the sets: many up to 8 tokens, one up to 256, else a part */
    AKIN_SHARING_MANY = 1,
    AKIN_SHARING_ONE = 2, /* with MANY and ONE, a warp still shares pairs of more than 32768 tokens */
    AKIN_SHARING_PART = 3,
} akin_sharing;

/* The name of a sharing, as --sharing takes it ("auto", "many", "one", "part"), static; NULL for an unknown value. */
AKIN_API const char *akin_sharing_name(akin_sharing sharing);

/* Sets *out to the sharing of that name. Errors: AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_sharing_parse(const char *name, akin_sharing *out, akin_error *error);

/* Options of these techniques: akin_join_options.annex points to them. */
typedef struct akin_papers_join_options {
    size_t size;
    /* Sets of a block, 1 to 65536, for AKIN_FGSSJOIN, AKIN_SF_GSSJOIN and, on a GPU, AKIN_BITMAP; 0: 15000. The
     * counters take 4 bytes times its square of the GPU's memory. */
    uint32_t block;
    /* How AKIN_HYBRID finds candidates: AKIN_ALLPAIRS, AKIN_PPJOIN or AKIN_GROUPJOIN; AKIN_AUTO: the one that is
     * predicted to be fastest. */
    akin_technique filter;
    /* How threads share candidates of AKIN_HYBRID and, on a GPU, AKIN_BITMAP. */
    akin_sharing sharing;
    uint32_t reserved; /* 0 */
} akin_papers_join_options;

#define AKIN_PAPERS_JOIN_OPTIONS_INIT                                                                                  \
    {                                                                                                                  \
        sizeof(akin_papers_join_options), 0, AKIN_AUTO, AKIN_SHARING_AUTO, 0                                           \
    }

/* What these techniques chose and counted in a step. */
typedef struct akin_papers_join_step {
    size_t size;
    /* AKIN_HYBRID: the technique that found candidates; AKIN_AUTO otherwise. */
    akin_technique filter;
    akin_sharing sharing; /* of a finished AKIN_HYBRID and, on a GPU, AKIN_BITMAP; AKIN_SHARING_AUTO otherwise */
    /* Where sets are joined in blocks, or one by one (AKIN_GSSJOIN): the pairs of blocks, the bytes of counters that
     * were cleared for them, and the seconds of clearing. */
    uint64_t block_pairs, cleared;
    double seconds_clearing;
    /* AKIN_HYBRID: the working time of each stage. The stages overlap: the filter on all threads of the job (without
     * waiting for the next stage), verification on the GPU, collecting the pairs. */
    double seconds_filter, seconds_verify, seconds_output;
} akin_papers_join_step;

/* Reads that from a step of a report. The caller first sets out->size. Errors: AKIN_E_OPTION. */
AKIN_API akin_status akin_papers_join_step_read(const akin_join_step *step, akin_papers_join_step *out,
                                                akin_error *error);

/* -------------------------------------------------------------------------------------------------------- search */

/*
 * Techniques of akin_search that count matches as the paper describes it. From: J. Zhou et al., A Generic Inverted
 * Index Framework for Similarity Search on the GPU. AKIN_SEARCH_CPU_IDX runs on the CPU, the others run if the device
 * "cuda" was asked for. They do not rank by a measure. For strings all but the last count the n-grams of candidates.
 */
/* CPU-Idx, section VI-A: lists, a counter for each object, a partial selection. */
#define AKIN_SEARCH_CPU_IDX ((akin_search_technique)(AKIN_ANNEX_FIRST + 0))
/* c-PQ, section III-C: the count priority queue; for counts of at most 65,535. */
#define AKIN_SEARCH_CPQ ((akin_search_technique)(AKIN_ANNEX_FIRST + 1))
/* GEN-SPQ, the appendix: a count table, and a selection of the best by buckets; for at most 67,108,864 objects. */
#define AKIN_SEARCH_SPQ ((akin_search_technique)(AKIN_ANNEX_FIRST + 2))
/* GPU-SPQ, the appendix: the same after a scan, with the limits of AKIN_SEARCH_SCAN, too. */
#define AKIN_SEARCH_SPQ_SCAN ((akin_search_technique)(AKIN_ANNEX_FIRST + 3))

/* Options of these techniques: akin_search_options.annex points to them. */
typedef struct akin_papers_search_options {
    size_t size;
    uint32_t load_balance; /* 1: AKIN_SEARCH_CPQ and AKIN_SEARCH_SPQ split lists that are longer than 4,096 */
    uint32_t reserved;     /* 0 */
} akin_papers_search_options;

#define AKIN_PAPERS_SEARCH_OPTIONS_INIT                                                                                \
    {                                                                                                                  \
        sizeof(akin_papers_search_options), 0, 0                                                                       \
    }

/* What the techniques on a GPU counted. */
typedef struct akin_papers_search_report {
    size_t size;
    uint64_t query_bytes; /* the most GPU memory of a query; 0 for other techniques */
    uint64_t again;       /* the queries that were counted again, in larger tables */
    /* The seconds of copying queries, of counting, and of selecting and copying the best. */
    double seconds_transfer, seconds_match, seconds_select;
} akin_papers_search_report;

/* Reads that from the report of a search. The caller first sets out->size. Errors: AKIN_E_OPTION. */
AKIN_API akin_status akin_papers_search_report_read(const akin_search_report *report, akin_papers_search_report *out,
                                                    akin_error *error);

/* --------------------------------------------------------------------------------------------------------- weigh */

/*
 * Techniques of akin_weigh, on a GPU alone. From: T. Wakatsuki, A. Keyaki and J. Miyazaki, A Case for Term Weighting
 * using a Dictionary on GPUs, section 3, by data-parallel primitives.
 */
#define AKIN_WEIGH_PRIMITIVES ((akin_weigh_technique)(AKIN_ANNEX_FIRST + 0)) /* PP: tokens are sorted as strings */
/* PPD: a frozen dictionary turns words into ids, which are sorted. The dictionary is the fixed vocabulary, with one id
 * for all unknown terms; without one it is built from the documents first, and a term with a NUL byte is AKIN_E_INPUT.
 * Without stems and stop words. */
#define AKIN_WEIGH_DICTIONARY ((akin_weigh_technique)(AKIN_ANNEX_FIRST + 1))

/* ------------------------------------------------------------------------------------------------------ clusters */

/*
 * Row "warshall" of the table "clusterings": connected components by Warshall's algorithm on a matrix of bits, in
 * tiles. From: B. Forchhammer et al., Duplicate Detection on GPUs, section 5.5.
 *
 * The clusters are those of AKIN_CLUSTERING_COMPONENTS. Pairs are kept, 8 bytes each. akin_clusters_close makes a
 * matrix of the n rows that occur in pairs, at most 2^20 (AKIN_E_LIMIT): n * n / 8 bytes, and up to n * n * n / 256
 * operations. With a memory bound, pairs beyond 1/32 of it and a matrix beyond a quarter are in temporary files. The
 * GPU is used if it was asked for, or if the matrix is large. A matrix that does not fit the GPU goes there in blocks,
 * three at a time, at least 24 KiB.
 */
#define AKIN_CLUSTERING_WARSHALL ((akin_clustering)(AKIN_ANNEX_FIRST + 0))

#ifdef __cplusplus
}
#endif

#endif
