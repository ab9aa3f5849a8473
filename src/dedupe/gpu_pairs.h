/* The pairs of one selection after the other, on a GPU: screened, and scored. */
#ifndef AKIN_DEDUPE_GPU_PAIRS_H
#define AKIN_DEDUPE_GPU_PAIRS_H

#include "dedupe/gpu_run.h"

/* What the last launch reported. Reads the tally, and waits. */
akin_status akin_gpu_tell(akin_gpu_run *run, akin_gpu_told *out, akin_error *error);

/* Scores the candidates that are listed, and keeps those that are found. */
akin_status akin_gpu_score_listed(akin_gpu_run *run, uint64_t count, akin_error *error);

/* Screens and scores the pairs of selector `screen.at`, by lists. */
akin_status akin_gpu_list_pairs(akin_gpu_run *run, akin_selected *selected, akin_error *error);

#endif
