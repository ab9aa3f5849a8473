/* All pairs of records, compared in groups on a GPU. */
#ifndef AKIN_DEDUPE_GPU_GROUPS_H
#define AKIN_DEDUPE_GPU_GROUPS_H

#include "dedupe/gpu_run.h"

/* The bits of at most three attributes that screen the drawn pairs at the least cost; 0: none can. */
uint32_t akin_gpu_drivers(const akin_gpu_run *run);

/* Screens and scores all pairs, by groups. */
akin_status akin_gpu_meet_all(akin_gpu_run *run, akin_error *error);

#endif
