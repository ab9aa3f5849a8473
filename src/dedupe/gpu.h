/* Selecting and comparing pairs on a GPU: the same pairs and similarities as on the CPU. */
#ifndef AKIN_DEDUPE_GPU_H
#define AKIN_DEDUPE_GPU_H

#include "dedupe/gpu_run.h"

/* Checks that the GPU can do the work of the options. Errors: AKIN_E_OPTION. */
akin_status akin_gpu_check(const akin_dedupe_options *options, akin_error *error);

/* Whether the GPU makes a selection itself, so that nothing is needed for it on the CPU. */
int akin_gpu_selects(const akin_selection *selection);
/* Whether it sorts records for that by the key of the first part, and so needs its column. */
int akin_gpu_sorts(const akin_selection *selection);

/*
 * Finds the pairs, in any order. Errors: AKIN_E_INPUT without a message, with job->unfit set: a value is not UTF-8, or
 * has more symbols than the GPU takes; AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. options->selected is filled in as
 * akin_dedupe does.
 */
akin_status akin_gpu_compare(akin_gpu_job *job, akin_error *error);

#endif
