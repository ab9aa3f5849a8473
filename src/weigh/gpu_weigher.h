/* Weighing on a GPU, as weigher.c and count.c call it: batches are packed, sent, counted and brought back. */
#ifndef AKIN_WEIGH_GPU_WEIGHER_H
#define AKIN_WEIGH_GPU_WEIGHER_H

#include "device/device.h"
#include "weigh/gpu.h"
#include "weigh/weighing.h"

typedef struct akin_gpu_weigher akin_gpu_weigher;

/* Errors, also of what follows: those of gpu.h, and of akin_weigher_add. */
akin_status akin_gpu_weigher_create(akin_weigher *weigher, akin_device *device, akin_gpu_weigher **out,
                                    akin_error *error);
void akin_gpu_weigher_free(akin_gpu_weigher *gpu);

/* Counts the rows of the columns that the weigher is being given, by its technique. */
akin_status akin_gpu_weigher_add(akin_gpu_weigher *gpu, akin_error *error);
/* Makes the dictionary complete; then df, for which there must be room. */
akin_status akin_gpu_weigher_tell(akin_gpu_weigher *gpu, akin_error *error);
akin_status akin_gpu_weigher_df(akin_gpu_weigher *gpu, uint32_t *df, akin_error *error);
/* Weighs all pairs, if the device has them still; *done says whether it has. */
akin_status akin_gpu_weigher_weigh(akin_gpu_weigher *gpu, double *values, int *done, akin_error *error);

/* ------------------------------------------------------------------------------------------------ for techniques */

/* What a pass through these rows does with each batch that was sent, and the step that it reports. Once *is_taken is 1,
 * the batch cannot be taken again with fewer rows. */
typedef struct akin_gpu_pass {
    const char *step;
    akin_status (*take)(akin_gpu_weigher *gpu, uint32_t place, int *is_taken, akin_error *error);
} akin_gpu_pass;

akin_status akin_gpu_weigher_pass(akin_gpu_weigher *gpu, const akin_gpu_pass *pass, akin_error *error);
/* The pass that counts: akin_weigh_technique_row.add. */
akin_status akin_gpu_weigher_count(akin_gpu_weigher *gpu, akin_error *error);
akin_gpu_terms *akin_gpu_weigher_terms(akin_gpu_weigher *gpu);

#endif
