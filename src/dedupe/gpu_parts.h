/*
 * More records than a GPU's memory holds, compared in parts. A part is some records of both tables, in their order,
 * with tables and selectors of their own:
 *
 *     window      places p to q of the order, and the window - 1 next ones, which are the first of the part after
 *     block       whole blocks
 *     similar     records, with their partners
 *     all         two ranges of records, each pair of ranges once: the paper's pivot and comparison block (section 4.1)
 */
#ifndef AKIN_DEDUPE_GPU_PARTS_H
#define AKIN_DEDUPE_GPU_PARTS_H

#include "dedupe/gpu.h"

/* Whether the GPU has room for all records at once, by an estimate. */
int akin_gpu_fits(const akin_gpu_job *job);

/* As akin_gpu_compare, part by part; all selectors are made. Errors: AKIN_E_NOMEM, too, if a window or a block is more
 * than a part. */
akin_status akin_gpu_compare_parts(akin_gpu_job *job, akin_error *error);

#endif
