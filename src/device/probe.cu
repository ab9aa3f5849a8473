/* A kernel that does nothing, for finding out whether a GPU can run what was built. */
#include "device/probe.h"

static __global__ void probe_kernel(void)
{
}

cudaError_t akin_cuda_try_kernels(void)
{
    struct cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, probe_kernel);
}
