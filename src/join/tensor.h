/* The tensor join on a GPU: signatures of all sets, compared by its tensor cores. */
#ifndef AKIN_JOIN_TENSOR_H
#define AKIN_JOIN_TENSOR_H

#include "join/shares.h"

/* The technique. Errors: AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_join_technique akin_join_tensor;

/* What a share may have on a device that has room for this number of bytes: see akin_gpu_join_bounds. */
void akin_tensor_bounds(const akin_join_job *job, uint64_t bytes, akin_share_bounds *out);

#endif
