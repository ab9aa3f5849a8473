/* Sends what a GPU is to have, and brings what it has made. */
#include "device/bring.h"

#include "base/bits.h"
#include "base/parallel.h"

#include <string.h>

#define PIECE ((uint64_t)32 << 20) /* bytes, */
#define SHARE 32                   /* but no more of a memory bound than one part in so many */
#define LEAST ((uint64_t)1 << 16)  /* of a room */
#define TASK  ((uint64_t)1 << 20)  /* bytes that a thread copies at a time */

#define LONG ((uint64_t)64 << 20) /* that are sent before it is asked whether to go on */

static const char what[] = "what a GPU has made";

akin_status akin_device_send(akin_context *context, akin_device_stream *stream, void *to, const void *from,
                             uint64_t bytes, const char *purpose, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t at = 0; at < bytes && status == AKIN_OK; at += LONG) {
        status =
            akin_device_upload(stream, (char *)to + at, (const char *)from + at, akin_min_u64(LONG, bytes - at), error);
        if (status == AKIN_OK && akin_context_report(context, NULL, 0, 0) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, purpose);
    }
    return status;
}

akin_status akin_device_bringer_begin(akin_device_bringer *bringer, akin_context *context, akin_device *device,
                                      akin_error *error)
{
    akin_device_bringer *b = bringer;
    b->context = context;
    b->device = device;
    akin_status status = akin_device_stream_create(device, &b->stream, error);
    if (status == AKIN_OK)
        status = akin_device_event_create(device, &b->made, error);
    if (status == AKIN_OK)
        status = akin_device_event_create(device, &b->read, error);
    for (int i = 0; i < 2 && status == AKIN_OK; i++)
        status = akin_device_event_create(device, &b->arrived[i], error);
    return status;
}

void akin_device_bringer_clear(akin_device_bringer *bringer)
{
    akin_device_bringer *b = bringer;
    if (!b->device)
        return;
    akin_device_stream_free(b->stream);
    akin_device_event_free(b->made);
    akin_device_event_free(b->read);
    for (int i = 0; i < 2; i++) {
        akin_device_event_free(b->arrived[i]);
        akin_pinned_release(b->device, &b->rooms[i]);
    }
    *b = (akin_device_bringer){0};
}

akin_status akin_device_bring_after(akin_device_bringer *bringer, akin_device_stream *stream, akin_error *error)
{
    akin_status status = akin_device_event_record(bringer->made, stream, error);
    return status == AKIN_OK ? akin_device_stream_wait(bringer->stream, bringer->made, error) : status;
}

akin_status akin_device_bring_before(akin_device_bringer *bringer, akin_device_stream *stream, akin_error *error)
{
    akin_status status = akin_device_event_record(bringer->read, bringer->stream, error);
    return status == AKIN_OK ? akin_device_stream_wait(stream, bringer->read, error) : status;
}

/* A piece that is copied. */
typedef struct copying {
    char *to;
    const char *from;
    uint64_t bytes;
} copying;

static akin_status copy_some(void *argument, uint64_t task, uint32_t thread)
{
    const copying *c = argument;
    const uint64_t at = task * TASK;
    (void)thread;
    memcpy(c->to + at, c->from + at, (size_t)akin_min_u64(TASK, c->bytes - at));
    return AKIN_OK;
}

/* Waits for the piece in a room, if there is one, and takes it to where it belongs. */
static akin_status take(akin_device_bringer *b, int place, akin_error *error)
{
    akin_device_brought *piece = &b->pieces[place];
    copying c = {piece->to, b->rooms[place].data, piece->bytes};
    if (piece->bytes == 0)
        return AKIN_OK;
    piece->bytes = 0;
    akin_status status = akin_device_event_finish(b->arrived[place], error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(b->context, NULL, akin_ceil_div(c.bytes, TASK), copy_some, &c);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* Room for a piece, and mostly for those to come: pinned memory is slow to get. */
static akin_status reserve(akin_device_bringer *b, int place, uint64_t bytes, uint64_t most, akin_error *error)
{
    uint64_t room = LEAST;
    while (room < bytes)
        room *= 2;
    if (bytes <= b->rooms[place].bytes)
        return AKIN_OK;
    return akin_pinned_reserve(b->device, &b->rooms[place], akin_max_u64(bytes, akin_min_u64(room, most)), 1, what,
                               error);
}

akin_status akin_device_bring(akin_device_bringer *bringer, void *to, const void *from, uint64_t bytes,
                              akin_error *error)
{
    akin_device_bringer *b = bringer;
    const uint64_t memory = b->context->memory, most = memory ? akin_min_u64(PIECE, memory / SHARE) : PIECE;
    akin_status status = AKIN_OK;
    for (uint64_t at = 0, some; at < bytes && status == AKIN_OK; at += some) {
        const int place = b->place;
        some = akin_min_u64(most, bytes - at);
        status = take(b, place, error);
        if (status == AKIN_OK)
            status = reserve(b, place, some, most, error);
        if (status == AKIN_OK)
            status = akin_device_read(b->stream, b->rooms[place].data, (const char *)from + at, some, error);
        if (status == AKIN_OK)
            status = akin_device_event_record(b->arrived[place], b->stream, error);
        if (status == AKIN_OK)
            b->pieces[place] = (akin_device_brought){(char *)to + at, some};
        b->place ^= 1;
    }
    return status;
}

akin_status akin_device_bring_finish(akin_device_bringer *bringer, akin_error *error)
{
    akin_status status = take(bringer, bringer->place, error); /* the older one */
    return status == AKIN_OK ? take(bringer, bringer->place ^ 1, error) : status;
}
