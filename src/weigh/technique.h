/* A technique of term weights: a row of the table in weigher.c. */
#ifndef AKIN_WEIGH_TECHNIQUE_H
#define AKIN_WEIGH_TECHNIQUE_H

#include "base/annex.h"

struct akin_analysis;
struct akin_gpu_way;
struct akin_gpu_weigher;

/* A technique; its value is an akin_weigh_technique. */
typedef struct akin_weigh_technique_row {
    akin_choice choice;
    /* Refuses options and devices that the technique does not take. NULL: it takes all. Errors: AKIN_E_OPTION. */
    akin_status (*check)(const akin_scope *scope, const akin_weigh_options *options,
                         const struct akin_analysis *analysis, akin_error *error);
    /* On a GPU: how it counts a batch (gpu.h), and all rows that a weigher is being given (gpu_weigher.h). */
    const struct akin_gpu_way *way;
    akin_status (*add)(struct akin_gpu_weigher *gpu, akin_error *error);
} akin_weigh_technique_row;

#endif
