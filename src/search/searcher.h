/* What searches an index, one call after the other: it has what is made of the index once, above all its copy on a GPU. */
#ifndef AKIN_SEARCH_SEARCHER_H
#define AKIN_SEARCH_SEARCHER_H

#include "search/index.h"
#include "search/nearest_gpu.h"
#include "search/paper/paper.h"
#include "search/ranges.h"

struct akin_searcher {
    const akin_scope *scope;
    const akin_search_index *index;
    akin_ranges *ranges;       /* its objects on a GPU; NULL: not yet */
    akin_comparisons *strings; /* likewise its strings */
    akin_ranking *ranking;     /* of bm25, what ranks the best so many documents */
    uint32_t ranks;
    int gpu_failed; /* it was not asked for, and is not asked again */
    int is_wanted;  /* for tests: auto takes it, worth it or not; */
    uint64_t room;  /* and bytes that objects may take there; 0: most of what there is */
    /* What the call at hand has come to. */
    uint32_t device;                 /* that counted last: 0 the CPU, N + 1 GPU N */
    uint32_t parts;                  /* in which that GPU had what it searched; 1: as a whole */
    uint32_t given_up;               /* 1 more than the number of a GPU that failed, though none was asked for */
    double seconds_device;           /* predicted of a GPU that might be taken */
    double times;                    /* so many batches of queries as the one at hand are to follow, with it */
    akin_search_technique counts_by; /* candidates among strings; */
    akin_paper_options paper;        /* and what techniques of the paper do, */
    akin_paper_report paper_report;  /* and did, in sum */
};

/* Whether a GPU was asked for by name. */
static inline int akin_searcher_is_asked(const akin_searcher *searcher)
{
    return searcher->scope->device_choice == AKIN_DEVICE_CUDA;
}

/*
 * Counts what the objects of the index have in common with queries, whose keywords it has: akin_search_batch, or on a GPU
 * akin_ranges_search, if that was asked for, or is predicted to be faster. One that was not asked for, and fails, is left, and the CPU does it.
 * `technique`, which may be one of the paper's, too, `out` and errors are as there.
 */
akin_status akin_searcher_count(akin_searcher *searcher, const akin_queries *queries, akin_search_technique technique,
                                akin_search_results *out, akin_error *error);

/* Finds the most similar objects: akin_similar_search, or akin_similar_search_gpu, likewise. */
akin_status akin_searcher_similar(akin_searcher *searcher, const akin_similar *similar, akin_similar_found *out,
                                  akin_error *error);

/* Whether a GPU can find the k nearest of these strings by comparing all. */
int akin_searcher_compares(const akin_searcher *searcher, uint32_t k);

/* Does so, if a GPU was asked for, or is predicted to be faster than a scan: *is_done says so. Otherwise as akin_comparisons_search; one that was
 * not asked for, and fails, is left. */
akin_status akin_searcher_compare(akin_searcher *searcher, const akin_column *queries, uint32_t count, uint32_t k,
                                  uint64_t *keys, uint32_t *found, uint8_t *is_left, int *is_done, akin_error *error);

#endif
