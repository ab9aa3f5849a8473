/* Searches an index, call by call. It keeps what is made of the index once, above all its copy on a GPU. */
#ifndef AKIN_SEARCH_SEARCHER_H
#define AKIN_SEARCH_SEARCHER_H

#include "search/index.h"
#include "search/nearest_gpu.h"
#include "search/ranges.h"
#include "search/technique.h"

#define AKIN_SEARCH_FIGURES (sizeof(((akin_search_report *)0)->annex_figures) / sizeof(double))

struct akin_searcher {
    const akin_scope *scope;
    const akin_search_index *index;
    akin_ranges *ranges;       /* its objects on a GPU; NULL: not yet */
    akin_comparisons *strings; /* likewise its strings */
    akin_ranking *ranking;     /* of bm25: ranks the best `ranks` documents */
    uint32_t ranks;
    int gpu_failed; /* the GPU was not required, and is not tried again */
    /* The outcome of the call at hand. */
    uint32_t device;       /* that counted last: 0 the CPU, N + 1 GPU N */
    uint32_t parts;        /* in which that GPU had what it searched; 1: as a whole */
    uint32_t given_up;     /* 1 more than the number of a GPU that failed and was not required */
    double seconds_device; /* predicted of a GPU that might be taken */
    double times;          /* how many batches of queries like the one at hand are expected, with that one */
    const akin_search_technique_row *counts_by; /* candidates among strings */
    const void *annex_options;                  /* akin_search_options.annex, checked */
    double annex_figures[AKIN_SEARCH_FIGURES];  /* of a technique of an annex, as akin_search_report has them */
};

/* Brings the objects to the GPU, unless they are there, and notes that this GPU counts. Where no GPU works, and none
 * was required, searcher->ranges is NULL afterwards, without an error. Errors: those of akin_device_of and
 * akin_ranges_begin. */
akin_status akin_searcher_bring(akin_searcher *searcher, akin_error *error);

/* How techniques of the library count: akin_search_batch, or on a GPU akin_ranges_search, if a GPU is required, or is
 * predicted to be faster. If a GPU that is not required fails, the CPU counts. */
akin_search_counter akin_searcher_count;

/* Finds the most similar objects: akin_similar_search, or akin_similar_search_gpu, likewise. */
akin_status akin_searcher_similar(akin_searcher *searcher, const akin_similar *similar, akin_similar_found *out,
                                  akin_error *error);

/* Whether a GPU can find the k nearest of these strings by comparing all. */
int akin_searcher_compares(const akin_searcher *searcher, uint32_t k);

/* Compares all strings on a GPU, if one is required, or is predicted to be faster than a scan; *is_done says whether it
 * did. Otherwise as akin_comparisons_search. If a GPU that is not required fails, it is left. */
akin_status akin_searcher_compare(akin_searcher *searcher, const akin_column *queries, uint32_t count, uint32_t k,
                                  uint64_t *keys, uint32_t *found, uint8_t *is_left, int *is_done, akin_error *error);

#endif
