/* The second pass of near-duplicates: what becomes of documents. */
#ifndef AKIN_CORPUS_NEAR_SURVIVE_H
#define AKIN_CORPUS_NEAR_SURVIVE_H

#include "corpus/near_job.h"

/* Finds what becomes of each document, once hashes are counted. Errors: those of akin_near_count. */
akin_status akin_near_survive(akin_near_job *j, akin_survivors_report *report, akin_error *error);

#endif
