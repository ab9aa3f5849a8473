/* Which searches the paper's techniques are for. */
#ifndef AKIN_SEARCH_PAPER_CHOICE_H
#define AKIN_SEARCH_PAPER_CHOICE_H

#include "search/index.h"

/* Those of the paper: for counts of keywords, and of the n-grams by which strings become candidates. */
static inline int akin_search_is_paper(akin_search_technique technique)
{
    return akin_search_technique_has(technique, AKIN_FROM_PAPER);
}

/* Those of them that run on a GPU. */
static inline int akin_search_is_gpu_paper(akin_search_technique technique)
{
    return akin_search_is_paper(technique) && !akin_search_technique_has(technique, AKIN_ON_CPU);
}

/* How a technique of the paper's on a GPU counts and selects. */
typedef struct akin_paper_way {
    akin_search_technique technique;
    int has_queue; /* objects are counted in a count priority queue, and queries in it may have to be counted again */
    int scans;     /* objects are held against queries; else lists are gone through, which may be split */
} akin_paper_way;

/* The way of a technique; NULL: it is not one of the paper's on a GPU. */
const akin_paper_way *akin_paper_way_of(akin_search_technique technique);

/* Whether what is asked for can be done by a technique of the paper, if it is to be by one. What is counted are only
 * `is_of_candidates`; `is_gpu`: a GPU was asked for by name. Errors:
 * AKIN_E_OPTION. */
akin_status akin_paper_check(const akin_search_options *options, int is_of_candidates, int is_gpu, akin_error *error);

#endif
