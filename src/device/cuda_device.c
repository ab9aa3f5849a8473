/* Finds GPUs, opens and closes them. */
#include "device/cuda_device.h"

#include "base/memory.h"
#include "device/cuda_backend.h"
#include "device/cuda_handles.h"
#include "device/cuda_memory.h"
#include "device/kernel.h"
#include "device/probe.h"

#include <stdio.h>
#include <string.h>

#define BUILT_IN ((uint32_t)CUDART_VERSION)

/* The state, and what CUDA said of it. */
static akin_device_support find_state(cudaError_t *code)
{
    int driver = 0, devices = 0;
    akin_device_support support = {.cuda = BUILT_IN};
    if (cudaDriverGetVersion(&driver) == cudaSuccess)
        support.driver = (uint32_t)driver;
    *code = cudaGetDeviceCount(&devices);
    (void)cudaGetLastError();
    if (*code == cudaSuccess && devices > 0)
        support.devices = (uint32_t)devices;
    if (support.driver == 0)
        support.state = "no NVIDIA driver";
    else if (*code == cudaErrorInsufficientDriver)
        support.state = "driver too old";
    else if (*code == cudaErrorNoDevice || (*code == cudaSuccess && devices == 0))
        support.state = "no GPU";
    else
        support.state = *code == cudaSuccess ? "ready" : "failed";
    return support;
}

int akin_cuda_has_driver(void)
{
    int driver = 0;
    return cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
}

akin_device_support akin_cuda_find(void)
{
    cudaError_t code;
    return find_state(&code);
}

/* Says why there is no GPU `number`, or returns AKIN_OK. */
static akin_status look_for(uint32_t number, akin_error *error)
{
    cudaError_t code;
    akin_device_support support = find_state(&code);
    char why[256];
    if (number < support.devices)
        return AKIN_OK;
    if (support.devices == 1)
        snprintf(why, sizeof why, "the only one here is GPU 0");
    else if (support.devices > 1)
        snprintf(why, sizeof why, "those here are GPU 0 to %u", support.devices - 1);
    else if (support.driver == 0)
        snprintf(why, sizeof why, "there is no NVIDIA driver here");
    else if (code == cudaErrorInsufficientDriver)
        snprintf(why, sizeof why, "the NVIDIA driver is too old: it can run CUDA %u.%u, and %u.%u is built in",
                 support.driver / 1000, support.driver % 1000 / 10, BUILT_IN / 1000, BUILT_IN % 1000 / 10);
    else if (code == cudaSuccess || code == cudaErrorNoDevice)
        snprintf(why, sizeof why, "the NVIDIA driver finds no GPU here");
    else
        snprintf(why, sizeof why, "cudaGetDeviceCount: %.128s", cudaGetErrorString(code));
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE,
                          "GPU %u was asked for, but %s; use the device %s or auto", number, why,
                          support.devices > 0 ? "cuda:0" : "cpu");
}

akin_status akin_cuda_describe(uint32_t number, akin_device_info *out, akin_error *error)
{
    struct cudaDeviceProp found;
    akin_status status = look_for(number, error);
    if (status != AKIN_OK)
        return status;
    status = akin_device_check(NULL, cudaGetDeviceProperties(&found, (int)number), "cudaGetDeviceProperties", error);
    if (status != AKIN_OK)
        return status;
    *out = (akin_device_info){
        .size = sizeof *out,
        .memory = found.totalGlobalMem,
        .l2 = (uint64_t)found.l2CacheSize,
        .capability = (uint32_t)(10 * found.major + found.minor),
        .multiprocessors = (uint32_t)found.multiProcessorCount,
        .shared_memory = (uint32_t)found.sharedMemPerBlockOptin,
    };
    snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1, found.name);
    return AKIN_OK;
}

/* Makes the new device ready for work: CUDA's context on it exists from here on. */
static akin_status start_device(akin_device *device, akin_error *error)
{
    size_t free_bytes = 0, all = 0;
    akin_status status = akin_device_check(NULL, cudaSetDevice((int)device->number), "cudaSetDevice", error);
    if (status == AKIN_OK)
        status = akin_device_check(NULL, cudaMemGetInfo(&free_bytes, &all), "cudaMemGetInfo", error);
    if (status != AKIN_OK)
        return status;
    if (device->limit == 0)
        device->limit = free_bytes - free_bytes / 16;
    cudaError_t code = akin_cuda_try_kernels();
    if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorUnsupportedPtxVersion ||
        code == cudaErrorInvalidDeviceFunction) {
        (void)cudaGetLastError();
        return akin_fail(
            error, AKIN_E_DEVICE,
            "GPU %u, %s, has compute capability %u.%u, for which this akin was built without code; use the "
            "device cpu or auto",
            device->number, device->info.name, device->info.capability / 10, device->info.capability % 10);
    }
    return akin_device_check(NULL, code, "cudaFuncGetAttributes", error);
}

akin_status akin_cuda_open(uint32_t number, uint64_t limit, akin_device **out, akin_error *error)
{
    akin_device made = {.backend = &akin_cuda, .number = number, .limit = limit};
    akin_status status = akin_cuda_describe(number, &made.info, error);
    if (status == AKIN_OK)
        status = start_device(&made, error);
    if (status != AKIN_OK)
        return status;
    akin_cuda_device *device = akin_alloc_zero(NULL, 1, sizeof *device);
    if (!device)
        return akin_fail_memory(error, "a device");
    device->base = made;
    *out = &device->base;
    return AKIN_OK;
}

void akin_cuda_close(akin_device *device)
{
    akin_cuda_drop_spares(device);
    akin_free(akin_cuda_device_of(device));
}
