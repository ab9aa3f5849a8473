/* The joins of the papers: their rows of the table "techniques", and of the techniques of the library on a GPU. */
#ifndef AKIN_PAPERS_JOIN_TECHNIQUES_H
#define AKIN_PAPERS_JOIN_TECHNIQUES_H

#include "join/technique.h"

#define AKIN_PAPERS_TECHNIQUES     4
#define AKIN_PAPERS_GPU_TECHNIQUES 1
extern const akin_technique_row akin_papers_techniques[AKIN_PAPERS_TECHNIQUES];
extern const akin_technique_row akin_papers_gpu_techniques[AKIN_PAPERS_GPU_TECHNIQUES];

#endif
