/* The techniques of a paper: their rows of the table "weigh-techniques". */
#ifndef AKIN_PAPERS_WEIGH_TECHNIQUES_H
#define AKIN_PAPERS_WEIGH_TECHNIQUES_H

#include "akin_papers.h"
#include "weigh/technique.h"

#define AKIN_PAPERS_WEIGH_TECHNIQUES 2
extern const akin_weigh_technique_row akin_papers_weigh_techniques[AKIN_PAPERS_WEIGH_TECHNIQUES];

#endif
