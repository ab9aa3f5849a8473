/*
 * The GPU as the rest of the library sees it: whether there is one, its memory, and work in order.
 *
 *     akin_device          a GPU that was opened, and the account of its memory
 *     akin_device_buffer   a block of its memory
 *     akin_pinned          a block of host memory that the GPU reads and writes by itself, at the full rate of the bus
 *     akin_device_stream   work that is done in order, and the scratch memory of that work
 *     akin_device_event    a point in a stream, that another stream or the host waits for
 *
 * A stream does its work later, in the order in which it was put there, beside the work of other streams: two streams,
 * each with buffers of its own, overlap copies with kernels. Below, *later* means that a function returns before the
 * work is done: its errors may come from any later call for the same device, and its arguments must stay as they are
 * until the stream is done with them (akin_device_stream_finish, or an event).
 *
 * Addresses of device memory are plain pointers. Only kernels and the functions of this room may follow them. One
 * thread at a time uses a device and all that belongs to it. The caller frees all of it before it closes the device.
 * The functions leave the device current on the calling thread, in CUDA's sense.
 *
 * Errors: AKIN_E_DEVICE names the call and CUDA's words for the reason; AKIN_E_NOMEM: the account's limit, or the GPU's
 * or the host's memory. After an error that a process cannot recover from (a kernel followed a wild pointer, the GPU
 * fell off the bus) the device is *lost*: every call fails at once with AKIN_E_DEVICE and that reason, freeing is still
 * allowed, and the CPU works as before.
 *
 * A device has a table of functions, which backend.h declares and device.c calls. A build without CUDA has no such
 * table, so no device can be opened there.
 */
#ifndef AKIN_DEVICE_DEVICE_H
#define AKIN_DEVICE_DEVICE_H

#include "base/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------ discovery */

/* What this build and this machine offer. Versions are CUDA's numbers, 1000 * major + 10 * minor; 0: there is none. */
typedef struct akin_device_support {
    const char *state; /* as akin_info's `device`, static */
    uint32_t devices;
    uint32_t cuda;   /* the version that was built in */
    uint32_t driver; /* the newest version that the driver can run */
} akin_device_support;

/* Queries the driver. The first query of a process is slow, up to a second, since it wakes the driver. It takes no
 * memory of any device. */
akin_device_support akin_device_find(void);

/* Describes GPU `number`, 0 being the first; all of *out is written. Errors: AKIN_E_DEVICE says what is missing. */
akin_status akin_device_describe(uint32_t number, akin_device_info *out, akin_error *error);

/* --------------------------------------------------------------------------------------------------------- device */

typedef struct akin_device akin_device;

struct akin_device_backend; /* device/backend.h */

/* Whether the driver of a backend (NULL: of the one built in) is there; this takes no time. */
int akin_device_has_driver(const struct akin_device_backend *backend);

/* Opens GPU `number`. `limit` is the most that its buffers may hold together, in bytes; 0: 15/16 of what is free now.
 * Errors: AKIN_E_DEVICE says what is missing and what to do; AKIN_E_NOMEM. */
akin_status akin_device_open(uint32_t number, uint64_t limit, akin_device **out, akin_error *error);
/* The same by another backend (device/backend.h) than that of this build; NULL: by that of this build. */
akin_status akin_device_open_by(const struct akin_device_backend *backend, uint32_t number, uint64_t limit,
                                akin_device **out, akin_error *error);
/* Closes a device, all of whose buffers, streams and events were freed; NULL is allowed. */
void akin_device_close(akin_device *device);

/* The number by which a device was opened. */
uint32_t akin_device_number(const akin_device *device);
const akin_device_info *akin_device_properties(const akin_device *device);
/* The most that its buffers may hold together; akin_device_bound sets another such bound, but not below the bytes that
 * they hold. Kept memory beyond the bound goes back to the GPU. */
uint64_t akin_device_limit(const akin_device *device);
void akin_device_bound(akin_device *device, uint64_t limit);
/* Bytes that buffers may still take, that they hold, and that they held at most. */
uint64_t akin_device_room(const akin_device *device);
uint64_t akin_device_held(const akin_device *device);
uint64_t akin_device_peak(const akin_device *device);
/* Whether the device is lost. */
int akin_device_lost(const akin_device *device);

/* --------------------------------------------------------------------------------------------------------- memory */

/* A block of device memory, aligned to 256 bytes. Zero-initialised it is an empty one. */
typedef struct akin_device_buffer {
    void *data;
    uint64_t bytes;
} akin_device_buffer;

/* Makes room for count * size bytes at least. If the buffer has less, it is freed and allocated again: its contents are
 * lost, and the call waits for all work of the device. On failure it is empty. `what` names the purpose in messages
 * ("the signatures"). */
akin_status akin_device_reserve(akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
                                const char *what, akin_error *error);
/* Gives the block back, once all work of the device is done; the buffer is empty then. The device keeps it for others
 * of about its size, until it is closed or short of memory. */
void akin_device_release(akin_device *device, akin_device_buffer *buffer);

/* The same for pinned host memory. It is slow to allocate, and taken from all processes: some MiB, kept for long. */
typedef struct akin_pinned {
    void *data;
    uint64_t bytes;
} akin_pinned;

akin_status akin_pinned_reserve(akin_device *device, akin_pinned *pinned, uint64_t count, size_t size, const char *what,
                                akin_error *error);
void akin_pinned_release(akin_device *device, akin_pinned *pinned);

/* --------------------------------------------------------------------------------------------------------- streams */

typedef struct akin_device_stream akin_device_stream;
typedef struct akin_device_event akin_device_event;

akin_status akin_device_stream_create(akin_device *device, akin_device_stream **out, akin_error *error);
/* Waits for the stream's work, then frees it and its scratch; NULL is allowed. */
void akin_device_stream_free(akin_device_stream *stream);
akin_device *akin_device_stream_device(const akin_device_stream *stream);

/* Waits until all work of the stream is done: no longer than what was put there takes, at most 50 ms a kernel. */
akin_status akin_device_stream_finish(akin_device_stream *stream, akin_error *error);

/* Later: copies `bytes` from pinned memory to the device, from the device to pinned memory, within the device. */
akin_status akin_device_write(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                              akin_error *error);
akin_status akin_device_read(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error);
akin_status akin_device_copy(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error);
/* Later: sets every byte of `to` to `value`. */
akin_status akin_device_fill(akin_device_stream *stream, void *to, uint8_t value, uint64_t bytes, akin_error *error);

/*
 * The same for host memory that is not pinned, through two staging buffers of the stream: one is copied to or from by
 * the CPU while the bus works on the other. upload returns when `from` has been read, and may be changed, although
 * the last of it reaches the device later; download returns when all has arrived in `to`, and with it all work
 * of the stream before it is done.
 */
akin_status akin_device_upload(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                               akin_error *error);
akin_status akin_device_download(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                 akin_error *error);

/* ---------------------------------------------------------------------------------------------------------- events */

akin_status akin_device_event_create(akin_device *device, akin_device_event **out, akin_error *error);
void akin_device_event_free(akin_device_event *event);

/* Puts the event into the stream, behind the work that is there; one that was put elsewhere before is moved. */
akin_status akin_device_event_record(akin_device_event *event, akin_device_stream *stream, akin_error *error);
/* Later: work that is put into `stream` from now on waits until the event's stream has come to the event. */
akin_status akin_device_stream_wait(akin_device_stream *stream, akin_device_event *event, akin_error *error);
/* Waits, on the host, until the event's stream has come to it. An event that was never recorded is not waited for. */
akin_status akin_device_event_finish(akin_device_event *event, akin_error *error);
/* The seconds between two events that were both recorded and have been waited for, as the device measured them. */
akin_status akin_device_event_seconds(akin_device_event *first, akin_device_event *last, double *out,
                                      akin_error *error);

#ifdef __cplusplus
}
#endif

#endif
