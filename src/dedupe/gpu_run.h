/* A job of selecting and comparing pairs on a GPU, and its state there. */
#ifndef AKIN_DEDUPE_GPU_RUN_H
#define AKIN_DEDUPE_GPU_RUN_H

#include "dedupe/found.h"
#include "dedupe/gathering.h"
#include "dedupe/gpu_records.h"
#include "dedupe/scorer.h"
#include "dedupe/selector.h"
#include "device/device.h"

/* The work that a job has done. */
typedef struct akin_gpu_figures {
    uint64_t compared;   /* pairs of values */
    uint64_t met, near;  /* of all pairs, by groups: see akin_gpu_told */
    uint64_t candidates; /* pairs that were scored */
} akin_gpu_figures;

typedef struct akin_gpu_job {
    const akin_scope *scope;
    akin_account *account;
    akin_device *device;
    const akin_dedupe_options *options; /* checked */
    const akin_records *records;
    uint32_t columns;
    const akin_gathering *gathering;
    const akin_selector *selectors; /* of each selection; without arrays where akin_gpu_selects, unless all are given */
    /* Of a part: all selectors are given, those before `first` by their places alone, and pairs of `first` are found,
     * of the first `lists` places of a window. */
    int given;
    uint32_t first, lists;
    akin_found *found;
    uint64_t selected; /* pairs */
    akin_gpu_figures figures;
    double seconds_values, seconds_select;
    uint32_t unfit; /* AKIN_E_INPUT: 1 + the column of a value that is not for the GPU */
} akin_gpu_job;

/* Buffers of a launch, and its results. */
typedef struct akin_gpu_launch {
    akin_device_buffer list, tally, pairs, kept; /* kept: similarities or levels of the pairs */
    akin_pinned told;
    uint64_t room, scored; /* candidates of a launch, and those that are scored at once */
} akin_gpu_launch;

typedef struct akin_gpu_run {
    akin_gpu_job *job;
    akin_gpu_records records;
    akin_scored scored[AKIN_GPU_ATTRIBUTES]; /* as on the CPU, without values */
    akin_device_buffer limits[AKIN_GPU_ATTRIBUTES], numbers[AKIN_GPU_ATTRIBUTES];
    akin_device_buffer order[AKIN_GPU_SELECTORS], places[AKIN_GPU_SELECTORS], starts[AKIN_GPU_SELECTORS];
    akin_selected known[AKIN_GPU_SELECTORS]; /* of a selection whose arrays are made here: see akin_selector */
    uint32_t passed[AKIN_GPU_ATTRIBUTES];    /* of AKIN_GPU_DRAWN pairs those that an attribute does not rule out */
    uint32_t drivers;                        /* bits of attributes; 0: there are none, and all pairs are met as lists */
    akin_gpu_screen screen;
    akin_gpu_launch launch;
} akin_gpu_run;

#define AKIN_GPU_DRAWN 65536

#endif
