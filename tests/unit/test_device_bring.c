/* What a GPU has made comes to the host in pieces, and what it is to have goes there, on a GPU that the host plays: all
 * of it, where it belongs, once it is waited for. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "property/host_device.h"
#include "device/bring.h"
#include "device/devices.h"

#include <stdlib.h>
#include <string.h>

#define ROOM   ((uint64_t)1 << 19) /* of a piece, under this bound: */
#define MEMORY (32 * ROOM)
#define MOST   (5 * ROOM + 3)

static void bring(uint32_t threads, const uint64_t *sizes, size_t count, char *from, char *to)
{
    akin_context context = {
        .scope = {.context = &context, .threads = threads, .memory = MEMORY, .device_choice = AKIN_DEVICE_CUDA},
        .device = host_gpu()};
    akin_device_bringer bringer = {0};
    akin_device *device = NULL;
    uint64_t at = 0, all = 0;
    assert_int_equal(akin_device_of(akin_scope_of(&context), &device, NULL), AKIN_OK);
    assert_int_equal(akin_device_bringer_begin(&bringer, akin_scope_of(&context), device, NULL), AKIN_OK);
    for (size_t i = 0; i < count; i++)
        all += sizes[i];
    memset(to, 0x11, all + 1);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(akin_device_bring(&bringer, to + at, from + at, sizes[i], NULL), AKIN_OK);
        memset(from + at, 0x22, sizes[i]); /* the stream of this device has read it: it works at once */
        at += sizes[i];
    }
    assert_int_equal(akin_device_bring_finish(&bringer, NULL), AKIN_OK);
    assert_int_equal(to[all], 0x11);
    for (int i = 0; i < 2; i++)
        assert_true(bringer.rooms[i].bytes <= ROOM && bringer.pieces[i].bytes == 0);
    akin_device_bringer_clear(&bringer);
    assert_int_equal(host_device_holds(), 0);
}

/* Sends what lies in memory, but every other time what is written into a room. */
static void send(uint32_t threads, const uint64_t *sizes, size_t count, char *from, char *to)
{
    akin_context context = {
        .scope = {.context = &context, .threads = threads, .memory = MEMORY, .device_choice = AKIN_DEVICE_CUDA},
        .device = host_gpu()};
    akin_device_sender sender;
    akin_device_stream *stream = NULL;
    akin_device *device = NULL;
    void *room = NULL;
    uint64_t at = 0;
    assert_int_equal(akin_device_of(akin_scope_of(&context), &device, NULL), AKIN_OK);
    assert_int_equal(akin_device_stream_create(device, &stream, NULL), AKIN_OK);
    assert_int_equal(akin_device_sender_begin(&sender, akin_scope_of(&context), device, stream, NULL), AKIN_OK);
    for (size_t i = 0; i < 2 * count; i++) {
        const uint64_t bytes = sizes[i % count] / 2;
        if (i % 2) {
            assert_int_equal(akin_device_sender_room(&sender, bytes, &room, NULL), AKIN_OK);
            if (bytes > 0)
                memcpy(room, from + at, bytes);
            assert_int_equal(akin_device_sender_put(&sender, to + at, bytes, NULL), AKIN_OK);
        } else {
            assert_int_equal(akin_device_sender_send(&sender, to + at, from + at, bytes, NULL), AKIN_OK);
        }
        memset(from + at, 0x22, bytes); /* it has been read */
        at += bytes;
    }
    assert_int_equal(akin_device_stream_finish(stream, NULL), AKIN_OK);
    akin_device_sender_clear(&sender);
    akin_device_stream_free(stream);
    assert_int_equal(host_device_holds(), 0);
}

static void every_size(void **state)
{
    static const uint64_t sizes[][4] = {
        {0, 0, 0, 0},           {1, 0, 2, 3},    {ROOM - 1, 1, ROOM, 1},      {ROOM, ROOM + 1, 7, 0},
        {2 * ROOM, 5, 5, ROOM}, {MOST, 0, 0, 0}, {9, 3 * ROOM + 1, 100, ROOM}};
    char *from = malloc(MOST), *same = malloc(MOST), *to = malloc(MOST + 1);
    akin_random random;
    (void)state;
    assert_true(from && same && to);
    akin_random_seed(&random, 1);
    for (uint64_t i = 0; i < MOST; i++)
        same[i] = (char)akin_random_next(&random);
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            uint64_t all = sizes[i][0] + sizes[i][1] + sizes[i][2] + sizes[i][3];
            memcpy(from, same, MOST);
            bring(threads, sizes[i], 4, from, to);
            assert_memory_equal(to, same, all);
            memcpy(from, same, MOST);
            send(threads, sizes[i], 4, from, to);
            all = 2 * (sizes[i][0] / 2 + sizes[i][1] / 2 + sizes[i][2] / 2 + sizes[i][3] / 2);
            assert_memory_equal(to, same, all);
        }
    free(from);
    free(same);
    free(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
