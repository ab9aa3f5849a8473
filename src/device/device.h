/* The GPU as the rest of the library sees it. Without CUDA at build time cuda_absent.c answers for it. */
#ifndef AKIN_DEVICE_DEVICE_H
#define AKIN_DEVICE_DEVICE_H

#include "base/error.h"

/* The state of GPU support in words, static ("built without CUDA"). */
const char *akin_device_state(void);

/* Whether GPU `number` (0: the first) can be used by this process. Errors: AKIN_E_DEVICE says what is missing and what
 * to do. */
akin_status akin_device_require(uint32_t number, akin_error *error);

#endif
