/*
 * Moves large data between a GPU and host memory that is not pinned, through two rooms in pinned memory: the bus works
 * on one of them while all threads copy to or from the other. And sends less, so that it can be cancelled.
 *
 *     threads    piece 0   piece 1   piece 2                        a sender
 *     bus                  piece 0   piece 1   piece 2
 *
 *     bus        piece 0   piece 1   piece 2                        a bringer
 *     threads              piece 0   piece 1   piece 2
 */
#ifndef AKIN_DEVICE_BRING_H
#define AKIN_DEVICE_BRING_H

#include "base/scope.h"
#include "device/device.h"

/* Sends `bytes` bytes, as akin_device_upload does, and reports to the caller now and then, who may cancel. `purpose` is
 * for messages. Errors: those of device.h, AKIN_E_CANCELLED. */
akin_status akin_device_send(const akin_scope *scope, akin_device_stream *stream, void *to, const void *from,
                             uint64_t bytes, const char *purpose, akin_error *error);

/* ---------------------------------------------------------------------------------------------------------- senders */

/* Zeros at first; cleared by akin_device_sender_clear. */
typedef struct akin_device_sender {
    const akin_scope *scope; /* whose threads copy */
    akin_device *device;
    akin_device_stream *stream; /* borrowed: in which copies are */
    akin_device_event *sent[2]; /* in it, behind that of a room */
    akin_pinned rooms[2];
    uint64_t most; /* bytes of a piece that lies in memory */
    int place;     /* of the room for the next piece */
} akin_device_sender;

/* Errors, also of what follows: those of device.h, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_device_sender_begin(akin_device_sender *sender, const akin_scope *scope, akin_device *device,
                                     akin_device_stream *stream, akin_error *error);
void akin_device_sender_clear(akin_device_sender *sender);

/* Sends `bytes` bytes, which all threads copy. The source has been read when this returns; the bytes arrive *later*. */
akin_status akin_device_sender_send(akin_device_sender *sender, void *to, const void *from, uint64_t bytes,
                                    akin_error *error);

/* The same for bytes that are still to be written: returns room for `bytes` bytes, which nobody reads any more. What
 * the caller writes there arrives *later*. */
akin_status akin_device_sender_room(akin_device_sender *sender, uint64_t bytes, void **room, akin_error *error);
akin_status akin_device_sender_put(akin_device_sender *sender, void *to, uint64_t bytes, akin_error *error);

/* --------------------------------------------------------------------------------------------------------- bringers */

/* A piece that is on its way, or has come: where it belongs. */
typedef struct akin_device_brought {
    char *to;
    uint64_t bytes; /* 0: there is none */
} akin_device_brought;

/* Zeros at first; cleared by akin_device_bringer_clear. */
typedef struct akin_device_bringer {
    const akin_scope *scope; /* whose threads copy */
    akin_device *device;
    akin_device_stream *stream;    /* its own */
    akin_device_event *made;       /* in the stream that makes what is brought */
    akin_device_event *read;       /* in its own, */
    akin_device_event *arrived[2]; /* likewise, behind a piece */
    akin_pinned rooms[2];
    akin_device_brought pieces[2];
    int place; /* of the next piece; the one in that room is the older */
} akin_device_bringer;

/* Errors, also of what follows: those of device.h, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_device_bringer_begin(akin_device_bringer *bringer, const akin_scope *scope, akin_device *device,
                                      akin_error *error);
void akin_device_bringer_clear(akin_device_bringer *bringer);

/* The work that is in that stream now is done before later pieces are read. */
akin_status akin_device_bring_after(akin_device_bringer *bringer, akin_device_stream *stream, akin_error *error);

/* All that was brought so far is read before the stream does work that is put into it from now on. */
akin_status akin_device_bring_before(akin_device_bringer *bringer, akin_device_stream *stream, akin_error *error);

/* Brings `bytes` bytes to the host. The last pieces arrive with akin_device_bring_finish; until then both places must
 * stay as they are. */
akin_status akin_device_bring(akin_device_bringer *bringer, void *to, const void *from, uint64_t bytes,
                              akin_error *error);
akin_status akin_device_bring_finish(akin_device_bringer *bringer, akin_error *error);

#endif
