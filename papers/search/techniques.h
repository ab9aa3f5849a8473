/* The rows of the paper's techniques of a search. */
#ifndef AKIN_PAPERS_SEARCH_TECHNIQUES_H
#define AKIN_PAPERS_SEARCH_TECHNIQUES_H

#include "search/techniques.h"

#define AKIN_PAPERS_SEARCH_TECHNIQUES 4
extern const akin_search_technique_row akin_papers_search_techniques[AKIN_PAPERS_SEARCH_TECHNIQUES];

#endif
