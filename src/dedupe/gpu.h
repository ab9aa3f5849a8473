/* Selecting and comparing pairs on a GPU: the same pairs and similarities as on the CPU. */
#ifndef AKIN_DEDUPE_GPU_H
#define AKIN_DEDUPE_GPU_H

#include "dedupe/found.h"
#include "dedupe/selector.h"
#include "device/device.h"

typedef struct akin_gpu_job {
    const akin_scope *scope;
    akin_account *account;
    akin_device *device;
    const akin_dedupe_options *options; /* checked */
    const akin_records *records;
    uint32_t columns;
    const akin_selector
        *selectors; /* of each selection; those of akin_gpu_selects have no arrays, unless all are given */
    /* Of a part: all selectors are given, those before `first` by their places alone, and pairs of `first` are found,
     * of the first `lists` places of a window. */
    int given;
    uint32_t first, lists;
    akin_found *found;
    uint64_t selected, compared;    /* pairs, and pairs of values */
    uint64_t met, near, candidates; /* of all pairs, by groups: see akin_gpu_told; and pairs that were scored */
    double seconds_values, seconds_select;
    uint32_t unfit; /* AKIN_E_INPUT: 1 + the column of a value that is not for the GPU */
} akin_gpu_job;

/* Checks that the GPU has what the options ask for. Errors: AKIN_E_OPTION. */
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
