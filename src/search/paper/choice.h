/* Which searches the paper's techniques are for. */
#ifndef AKIN_SEARCH_PAPER_CHOICE_H
#define AKIN_SEARCH_PAPER_CHOICE_H

#include "base/error.h"

/* Those on a GPU, and those and CPU-Idx: for counts of keywords, and of the n-grams by which sequences become candidates. */
static inline int akin_search_is_gpu_paper(akin_search_technique technique)
{
    return technique == AKIN_SEARCH_CPQ || technique == AKIN_SEARCH_SPQ || technique == AKIN_SEARCH_SPQ_SCAN;
}

static inline int akin_search_is_paper(akin_search_technique technique)
{
    return technique == AKIN_SEARCH_CPU_IDX || akin_search_is_gpu_paper(technique);
}

/* Whether what is asked for can be done by a technique of the paper, if it is to be by one. What is counted are only
 * `is_of_candidates`; `is_gpu`: a GPU was asked for by name. Errors:
 * AKIN_E_OPTION. */
akin_status akin_paper_check(const akin_search_options *options, int is_of_candidates, int is_gpu, akin_error *error);

#endif
