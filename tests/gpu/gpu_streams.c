/* Copies to a GPU and back, staged and pinned, on one stream and on two at a time, and what events order. */
#include "gpu/gpu.h"

#define STAGE ((uint64_t)4 << 20)

static unsigned char *random_bytes(gpu *g, uint64_t n)
{
    unsigned char *bytes = malloc(n + 8);
    assert_non_null(bytes);
    for (uint64_t i = 0; i < n; i += 8) {
        uint64_t next = akin_random_next(&g->random);
        memcpy(bytes + i, &next, 8);
    }
    return bytes;
}

static void staged_copies(void **state)
{
    gpu *g = *state;
    static const uint64_t sizes[] = {0,         1,         4095,          STAGE - 1,     STAGE,
                                     STAGE + 1, 2 * STAGE, 2 * STAGE + 1, 5 * STAGE - 3, 8 * STAGE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t n = sizes[i];
        unsigned char *bytes = random_bytes(g, n), *copy = malloc(n + 1);
        assert_non_null(copy);
        memcpy(copy, bytes, n);
        void *there = gpu_array(g, 0, n, 1), *other = gpu_array(g, 1, n, 1);
        OK(akin_device_upload(g->stream, there, copy, n, &gpu_error));
        memset(copy, 0, n); /* it has been read */
        OK(akin_device_copy(g->stream, other, there, n, &gpu_error));
        OK(akin_device_fill(g->stream, there, 7, n, &gpu_error));
        gpu_expect(g, other, bytes, n, 1);
        OK(akin_device_download(g->stream, copy, there, n, &gpu_error));
        for (uint64_t j = 0; j < n; j++)
            assert_int_equal(copy[j], 7);
        free(bytes);
        free(copy);
    }
}

enum { STREAMS = 2, ROUNDS = 24, WORDS = 1 << 20 };

/* Each round goes through one of two streams, which has buffers of its own: in, sorted, out, while the other one does
 * the same; the host waits only for the round before the last. */
static void overlapped(void **state)
{
    gpu *g = *state;
    akin_device_stream *streams[STREAMS];
    akin_device_event *done[STREAMS];
    akin_pinned pinned[STREAMS] = {{NULL, 0}, {NULL, 0}};
    for (int s = 0; s < STREAMS; s++) {
        OK(akin_device_stream_create(g->device, &streams[s], &gpu_error));
        OK(akin_device_event_create(g->device, &done[s], &gpu_error));
        OK(akin_pinned_reserve(g->device, &pinned[s], WORDS, 4, "a test", &gpu_error));
        gpu_array(g, 2 * s, WORDS, 4);
        gpu_array(g, 2 * s + 1, WORDS, 4);
    }
    OK(akin_device_stream_finish(g->stream, &gpu_error));
    for (int round = 0; round < ROUNDS + STREAMS; round++) {
        int s = round % STREAMS;
        uint32_t *words = pinned[s].data, *keys = g->buffers[2 * s].data, *twin = g->buffers[2 * s + 1].data;
        OK(akin_device_event_finish(done[s], &gpu_error));
        for (uint32_t i = 0; round >= STREAMS && i < WORDS; i++)
            if (words[i] != i * 2 + (uint32_t)(round - STREAMS))
                fail_msg("round %d: word %u is %u", round - STREAMS, i, words[i]);
        if (round >= ROUNDS)
            continue;
        for (uint32_t i = 0; i < WORDS; i++) /* in another order: 5 is prime to a power of two */
            words[i] = i * 5 % WORDS * 2 + (uint32_t)round;
        OK(akin_device_write(streams[s], keys, words, WORDS * 4, &gpu_error));
        OK(akin_device_sort32(streams[s], &keys, &twin, WORDS, 32, &gpu_error));
        OK(akin_device_read(streams[s], words, keys, WORDS * 4, &gpu_error));
        OK(akin_device_event_record(done[s], streams[s], &gpu_error));
    }
    for (int s = 0; s < STREAMS; s++) {
        akin_device_event_free(done[s]);
        akin_device_stream_free(streams[s]);
        akin_pinned_release(g->device, &pinned[s]);
    }
}

/* What one stream wrote, another reads, if it waits for the event. */
static void streams_wait(void **state)
{
    gpu *g = *state;
    akin_device_stream *other;
    akin_device_event *written, *last;
    const uint64_t n = (uint64_t)1 << 24;
    double seconds = -1;
    OK(akin_device_stream_create(g->device, &other, &gpu_error));
    OK(akin_device_event_create(g->device, &written, &gpu_error));
    OK(akin_device_event_create(g->device, &last, &gpu_error));
    void *from = gpu_array(g, 0, n, 1), *to = gpu_array(g, 1, n, 1);
    OK(akin_device_stream_finish(g->stream, &gpu_error));
    for (int round = 0; round < 20; round++) {
        OK(akin_device_fill(g->stream, from, (uint8_t)round, n, &gpu_error));
        OK(akin_device_event_record(written, g->stream, &gpu_error));
        OK(akin_device_stream_wait(other, written, &gpu_error));
        OK(akin_device_copy(other, to, from, n, &gpu_error));
        OK(akin_device_event_record(last, other, &gpu_error));
        OK(akin_device_stream_wait(g->stream, last, &gpu_error));
    }
    unsigned char *expected = malloc(n);
    assert_non_null(expected);
    memset(expected, 19, n);
    gpu_expect(g, to, expected, n, 1);
    OK(akin_device_event_finish(written, &gpu_error));
    OK(akin_device_event_finish(last, &gpu_error));
    OK(akin_device_event_seconds(written, last, &seconds, &gpu_error));
    assert_true(seconds >= 0);
    free(expected);
    akin_device_event_free(written);
    akin_device_event_free(last);
    akin_device_stream_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(staged_copies),
        cmocka_unit_test(overlapped),
        cmocka_unit_test(streams_wait),
    };
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, gpu_setup, gpu_teardown);
}
