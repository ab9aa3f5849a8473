/* The pairs of one selection after the other, on a GPU: screened, and scored. */
#ifndef AKIN_DEDUPE_GPU_PAIRS_H
#define AKIN_DEDUPE_GPU_PAIRS_H

#include "dedupe/gpu.h"
#include "dedupe/gpu_records.h"
#include "dedupe/scorer.h"

/* Buffers of a launch, and its results. */
typedef struct akin_gpu_launch {
    akin_device_buffer list, tally, pairs, each;
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

/* What the last launch told. Reads the tally, and waits. */
akin_status akin_gpu_tell(akin_gpu_run *run, akin_gpu_told *out, akin_error *error);

/* Scores the candidates that are listed, and keeps those that are found. */
akin_status akin_gpu_score_listed(akin_gpu_run *run, uint64_t count, akin_error *error);

/* The cheapest drivers, three at most, by what is drawn; 0: there are none. */
uint32_t akin_gpu_drivers(const akin_gpu_run *run);

/* Screens and scores all pairs, by groups. */
akin_status akin_gpu_meet_all(akin_gpu_run *run, akin_error *error);

/* Screens and scores the pairs of selector `screen.at`, by lists. */
akin_status akin_gpu_list_pairs(akin_gpu_run *run, akin_selected *selected, akin_error *error);

#endif
