/* The GPUs of a context: which ones its caller wishes for, and those that are open. */
#ifndef AKIN_DEVICE_DEVICES_H
#define AKIN_DEVICE_DEVICES_H

#include "base/context.h"
#include "device/device.h"

/* Reads a wish for devices ("auto", "cpu", "cuda:0,1", ...; NULL: "auto"), and opens none. Errors:
 * AKIN_E_OPTION. */
akin_status akin_device_wish_read(const char *device, akin_device_wish *out, akin_error *error);

/* The device that a job may use: the context's first one, opened on first need and closed with the context. NULL: the
 * CPU does the job, since the context says "cpu", or "auto" and no GPU works. Errors: AKIN_E_DEVICE if a GPU is
 * required and cannot be used; AKIN_E_NOMEM. */
akin_status akin_device_of(const akin_scope *scope, akin_device **out, akin_error *error);

/* Whether the caller requires a GPU, so that its failure is the job's. */
static inline int akin_device_is_required(const akin_scope *scope)
{
    return scope->device_choice == AKIN_DEVICE_CUDA;
}

/*
 * Opens the GPUs that the context requires. CUDA takes some tenths of a second to start. A thread of its own waits for
 * it, so that the caller can read files meanwhile; the functions below wait for that thread. Without a driver the error
 * comes at once. A GPU that cannot be opened is an error of the first call that wants it. Errors: AKIN_E_DEVICE,
 * AKIN_E_NOMEM.
 */
akin_status akin_devices_start(akin_context *context, akin_error *error);

/* The context's first GPU if it is open; else NULL. */
akin_device *akin_device_opened(const akin_scope *scope);

/* Its number, whether it is open or not. */
uint32_t akin_device_first(const akin_scope *scope);

/*
 * All GPUs that a job may use, the context's first one first, each with a twin. The twin is a second device on the same
 * GPU, with an account of its own. Another thread uses it at the same time, so that the copies of one overlap the
 * kernels of the other. The caller bounds the two so that together they have the GPU's share.
 */
typedef struct akin_devices {
    uint32_t count;
    akin_device *device[AKIN_DEVICES_MOST];
    akin_device *twin[AKIN_DEVICES_MOST]; /* NULL: not made yet */
} akin_devices;

/* The same as akin_device_of, for all of them. What *out points to is the context's. Errors: those above. */
akin_status akin_devices_of(const akin_scope *scope, akin_devices **out, akin_error *error);
/* Closes all GPUs that a context has open. */
void akin_devices_close(akin_context *context);
/* Makes the twin of GPU `at` of the list, if it is not there, which may hold nothing at first. Errors: those of
 * akin_device_open. */
akin_status akin_devices_twin(akin_devices *devices, uint32_t at, akin_error *error);

#endif
