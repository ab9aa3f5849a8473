/* Sends what a GPU is to have, and brings what it has made. */
#include "device/bring.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/parallel.h"

#define PIECE ((uint64_t)32 << 20) /* bytes, */
#define LEAST ((uint64_t)1 << 16)  /* of a room */

#define LONG ((uint64_t)64 << 20) /* that are sent before it is asked whether to go on */

static const char what[] = "what a GPU is to have, or has made"; /* the memory is for */

/* The most that a piece takes, and so a room. */
static uint64_t most_of(const akin_scope *scope)
{
    return scope->memory ? akin_min_u64(PIECE, akin_budget(scope, AKIN_BUDGET_TO_GPU)) : PIECE;
}

/* Room for a piece, and mostly for those to come: pinned memory is slow to get. */
static akin_status reserve_pinned(akin_device *device, akin_pinned *room, uint64_t bytes, uint64_t most,
                                  akin_error *error)
{
    uint64_t more = LEAST;
    while (more < bytes)
        more *= 2;
    if (bytes <= room->bytes)
        return AKIN_OK;
    return akin_pinned_reserve(device, room, akin_max_u64(bytes, akin_min_u64(more, most)), 1, what, error);
}

/* By all threads. */
static akin_status copy_piece_by_threads(const akin_scope *scope, void *to, const void *from, uint64_t bytes,
                                         akin_error *error)
{
    akin_status status = akin_copy_long(scope, to, from, bytes);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

/* ---------------------------------------------------------------------------------------------------------- senders */

akin_status akin_device_sender_begin(akin_device_sender *sender, const akin_scope *scope, akin_device *device,
                                     akin_device_stream *stream, akin_error *error)
{
    akin_status status = AKIN_OK;
    *sender = (akin_device_sender){.scope = scope, .device = device, .stream = stream, .most = most_of(scope)};
    for (int i = 0; i < 2 && status == AKIN_OK; i++)
        status = akin_device_event_create(device, &sender->sent[i], error);
    return status;
}

void akin_device_sender_clear(akin_device_sender *sender)
{
    if (!sender->device)
        return;
    for (int i = 0; i < 2; i++) {
        akin_device_event_free(sender->sent[i]);
        akin_pinned_release(sender->device, &sender->rooms[i]);
    }
    *sender = (akin_device_sender){0};
}

akin_status akin_device_sender_room(akin_device_sender *sender, uint64_t bytes, void **room, akin_error *error)
{
    akin_device_sender *s = sender;
    akin_status status = akin_device_event_finish(s->sent[s->place], error);
    if (status == AKIN_OK)
        status = reserve_pinned(s->device, &s->rooms[s->place], bytes, s->most, error);
    *room = s->rooms[s->place].data;
    return status;
}

akin_status akin_device_sender_put(akin_device_sender *sender, void *to, uint64_t bytes, akin_error *error)
{
    akin_device_sender *s = sender;
    akin_status status = akin_device_write(s->stream, to, s->rooms[s->place].data, bytes, error);
    if (status == AKIN_OK)
        status = akin_device_event_record(s->sent[s->place], s->stream, error);
    s->place ^= 1;
    return status;
}

akin_status akin_device_sender_send(akin_device_sender *sender, void *to, const void *from, uint64_t bytes,
                                    akin_error *error)
{
    akin_status status = AKIN_OK;
    void *room = NULL;
    for (uint64_t at = 0, some; at < bytes && status == AKIN_OK; at += some) {
        some = akin_min_u64(sender->most, bytes - at);
        status = akin_device_sender_room(sender, some, &room, error);
        if (status == AKIN_OK)
            status = copy_piece_by_threads(sender->scope, room, (const char *)from + at, some, error);
        if (status == AKIN_OK)
            status = akin_device_sender_put(sender, (char *)to + at, some, error);
    }
    return status;
}

akin_status akin_device_send(const akin_scope *scope, akin_device_stream *stream, void *to, const void *from,
                             uint64_t bytes, const char *purpose, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t at = 0; at < bytes && status == AKIN_OK; at += LONG) {
        status =
            akin_device_upload(stream, (char *)to + at, (const char *)from + at, akin_min_u64(LONG, bytes - at), error);
        if (status == AKIN_OK && akin_scope_report(scope, NULL, 0, 0) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, purpose);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------------- bringers */

akin_status akin_device_bringer_begin(akin_device_bringer *bringer, const akin_scope *scope, akin_device *device,
                                      akin_error *error)
{
    akin_device_bringer *b = bringer;
    b->scope = scope;
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

/* Waits for the piece in a room, if there is one, and takes it to where it belongs. */
static akin_status take_piece(akin_device_bringer *b, int place, akin_error *error)
{
    akin_device_brought *piece = &b->pieces[place];
    const uint64_t bytes = piece->bytes;
    if (bytes == 0)
        return AKIN_OK;
    piece->bytes = 0;
    akin_status status = akin_device_event_finish(b->arrived[place], error);
    return status == AKIN_OK ? copy_piece_by_threads(b->scope, piece->to, b->rooms[place].data, bytes, error) : status;
}

akin_status akin_device_bring(akin_device_bringer *bringer, void *to, const void *from, uint64_t bytes,
                              akin_error *error)
{
    akin_device_bringer *b = bringer;
    const uint64_t most = most_of(b->scope);
    akin_status status = AKIN_OK;
    for (uint64_t at = 0, some; at < bytes && status == AKIN_OK; at += some) {
        const int place = b->place;
        some = akin_min_u64(most, bytes - at);
        status = take_piece(b, place, error);
        if (status == AKIN_OK)
            status = reserve_pinned(b->device, &b->rooms[place], some, most, error);
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
    akin_status status = take_piece(bringer, bringer->place, error); /* the older one */
    return status == AKIN_OK ? take_piece(bringer, bringer->place ^ 1, error) : status;
}
