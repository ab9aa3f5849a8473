/*
 * Times the building blocks of GPU jobs:
 *
 *     device_bench [NUMBER [MILLIONS]]
 *
 * NUMBER is the GPU (0), MILLIONS the items of an array in units of 2^20 (256). One line for each block: the best of
 * nine runs, in seconds by the device's own clock (staged copies and launches: the host's), and what that is in items
 * or bytes a second. Arrays are larger than the GPU's caches, and filled with random numbers.
 */
#include "base/clock.h"
#include "base/random.h"
#include "device/primitives.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 9, LAUNCHES = 2000 };

typedef struct bench {
    akin_device *device;
    akin_device_stream *stream;
    akin_device_event *first, *last;
    uint64_t n;
    void *host;         /* 8 n bytes, random, not pinned */
    akin_pinned pinned; /* 8 n bytes */
    /* 8 n bytes each, but for the last two: offsets, and found */
    akin_device_buffer a, b, c, offsets, found;
} bench;

static akin_error failure;

static void must(akin_status status)
{
    if (status == AKIN_OK)
        return;
    fprintf(stderr, "device_bench: %s\n", failure.message);
    exit(1);
}

static void tell(const char *what, double seconds, double amount, const char *unit)
{
    printf("%-52s %10.3f ms %10.1f %s\n", what, seconds * 1e3, amount / seconds / 1e9, unit);
}

typedef void (*work)(bench *b);

/* The best time of a work that is put into the stream, after `before` (NULL: nothing), which is not timed. */
static double time_device(bench *b, work before, work timed)
{
    double best = 0, seconds;
    for (int run = 0; run <= RUNS; run++) { /* the first one warms up */
        if (before)
            before(b);
        must(akin_device_event_record(b->first, b->stream, &failure));
        timed(b);
        must(akin_device_event_record(b->last, b->stream, &failure));
        must(akin_device_event_finish(b->last, &failure));
        must(akin_device_event_seconds(b->first, b->last, &seconds, &failure));
        if (run == 1 || (run > 1 && seconds < best))
            best = seconds;
    }
    return best;
}

/* The same by the host's clock, until the stream is done. */
static double time_host(bench *b, work timed)
{
    double best = 0;
    for (int run = 0; run <= RUNS; run++) {
        double begin = akin_clock();
        timed(b);
        must(akin_device_stream_finish(b->stream, &failure));
        double seconds = akin_clock() - begin;
        if (run == 1 || (run > 1 && seconds < best))
            best = seconds;
    }
    return best;
}

/* ---------------------------------------------------------------------------------------------------------- copies */

static void write_pinned(bench *b)
{
    must(akin_device_write(b->stream, b->a.data, b->pinned.data, 8 * b->n, &failure));
}

static void read_pinned(bench *b)
{
    must(akin_device_read(b->stream, b->pinned.data, b->a.data, 8 * b->n, &failure));
}

static void copy(bench *b)
{
    must(akin_device_copy(b->stream, b->b.data, b->a.data, 8 * b->n, &failure));
}

static void upload(bench *b)
{
    must(akin_device_upload(b->stream, b->a.data, b->host, 8 * b->n, &failure));
}

static void download(bench *b)
{
    must(akin_device_download(b->stream, b->host, b->a.data, 8 * b->n, &failure));
}

/* What it takes to have pinned memory in place of copying through that of the stream. */
static void pin(bench *b)
{
    akin_pinned pinned = {0};
    must(akin_pinned_reserve(b->device, &pinned, b->n, 8, "memory to pin", &failure));
    akin_pinned_release(b->device, &pinned);
}

/* ------------------------------------------------------------------------------------------------------ primitives */

static void randomise(bench *b)
{
    must(akin_device_copy(b->stream, b->a.data, b->c.data, 8 * b->n, &failure));
}

static void sort32(bench *b)
{
    uint32_t *keys = b->a.data, *twin = b->b.data;
    must(akin_device_sort32(b->stream, &keys, &twin, b->n, 32, &failure));
}

static void sort64(bench *b)
{
    uint64_t *keys = b->a.data, *twin = b->b.data;
    must(akin_device_sort64(b->stream, &keys, &twin, b->n, 64, &failure));
}

static void sort_pairs32(bench *b)
{
    uint32_t *keys = b->a.data, *twin = b->b.data, *values = keys + b->n, *values_twin = twin + b->n;
    must(akin_device_sort_pairs32(b->stream, &keys, &twin, &values, &values_twin, b->n, 32, &failure));
}

/* half as many, as keys and values must fit the same arrays */
static void sort_pairs64(bench *b)
{
    uint64_t half = b->n / 2, *keys = b->a.data, *twin = b->b.data;
    uint32_t *values = (uint32_t *)(keys + half), *values_twin = (uint32_t *)(twin + half);
    must(akin_device_sort_pairs64(b->stream, &keys, &twin, &values, &values_twin, half, 64, &failure));
}

static void scan32(bench *b)
{
    must(akin_device_scan32(b->stream, b->c.data, b->n, b->a.data, &failure));
}

static void scan64(bench *b)
{
    must(akin_device_scan64(b->stream, b->c.data, b->n, b->a.data, &failure));
}

/* flags are random bytes: one in 256 is 0 */
static void select64(bench *b)
{
    must(akin_device_select64(b->stream, b->c.data, b->offsets.data, b->n, b->a.data, b->found.data, &failure));
}

static void count_runs(bench *b)
{
    must(akin_device_count_runs32(b->stream, b->a.data, b->n, b->b.data, (uint32_t *)b->b.data + b->n, b->found.data,
                                  &failure));
}

static void segments_of(bench *b)
{
    must(akin_device_segments_of(b->stream, b->offsets.data, b->n / 8, 0, b->n, b->a.data, &failure));
}

static void segment_sums(bench *b)
{
    must(akin_device_segment_sums(b->stream, b->c.data, b->offsets.data, b->n / 8, b->n, b->a.data, &failure));
}

/* -------------------------------------------------------------------------------------------------------- launches */

static void launch(bench *b)
{
    for (int i = 0; i < LAUNCHES; i++)
        must(akin_device_segments_of(b->stream, b->offsets.data, 1, 0, 1, b->a.data, &failure));
}

static void launch_and_wait(bench *b)
{
    for (int i = 0; i < LAUNCHES; i++) {
        must(akin_device_segments_of(b->stream, b->offsets.data, 1, 0, 1, b->a.data, &failure));
        must(akin_device_stream_finish(b->stream, &failure));
    }
}

static void sort_little(bench *b)
{
    uint32_t *keys = b->a.data, *twin = b->b.data;
    for (int i = 0; i < LAUNCHES; i++)
        must(akin_device_sort32(b->stream, &keys, &twin, 1000, 32, &failure));
}

/* ------------------------------------------------------------------------------------------------------------ main */

static void open_device(bench *b, uint32_t number)
{
    must(akin_device_open(number, 0, &b->device, &failure));
    must(akin_device_stream_create(b->device, &b->stream, &failure));
    must(akin_device_event_create(b->device, &b->first, &failure));
    must(akin_device_event_create(b->device, &b->last, &failure));
    akin_device_buffer *large[] = {&b->a, &b->b, &b->c, &b->offsets};
    for (int i = 0; i < 4; i++)
        must(akin_device_reserve(b->device, large[i], b->n + 1, 8, "an array", &failure));
    must(akin_device_reserve(b->device, &b->found, 1, 8, "a count", &failure));
    must(akin_pinned_reserve(b->device, &b->pinned, b->n, 8, "an array", &failure));
}

/* Random numbers in the arrays a and c, and on the host. */
static void fill(bench *b)
{
    akin_random random;
    akin_random_seed(&random, 1);
    b->host = malloc(8 * b->n);
    if (!b->host)
        exit(1);
    for (uint64_t i = 0; i < b->n; i++)
        ((uint64_t *)b->host)[i] = akin_random_next(&random);
    must(akin_device_upload(b->stream, b->c.data, b->host, 8 * b->n, &failure));
    must(akin_device_copy(b->stream, b->a.data, b->c.data, 8 * b->n, &failure));
    for (uint64_t i = 0; i < b->n; i++)
        ((uint64_t *)b->pinned.data)[i] = ((uint64_t *)b->host)[i];
}

/* The offsets of n / 8 segments of 0 to 16 items, 8 on average, which end at n. */
static void fill_offsets(bench *b)
{
    uint64_t segments = b->n / 8, *offsets = b->pinned.data;
    akin_random random;
    akin_random_seed(&random, 2);
    for (uint64_t s = 0; s <= segments; s++)
        offsets[s] = 8 * s + (s == 0 || s == segments ? 0 : akin_random_below(&random, 9));
    must(akin_device_write(b->stream, b->offsets.data, offsets, 8 * (segments + 1), &failure));
    must(akin_device_stream_finish(b->stream, &failure));
}

static void time_copies(bench *b)
{
    double bytes = 8 * (double)b->n;
    tell("host to device, pinned", time_device(b, NULL, write_pinned), bytes, "GB/s");
    tell("device to host, pinned", time_device(b, NULL, read_pinned), bytes, "GB/s");
    tell("host to device, staged by one thread", time_host(b, upload), bytes, "GB/s");
    tell("device to host, staged by one thread", time_host(b, download), bytes, "GB/s");
    tell("pinning host memory, and letting it go", time_host(b, pin), bytes, "GB/s");
    tell("device to device, bytes read and written", time_device(b, NULL, copy), 2 * bytes, "GB/s");
}

static void time_primitives(bench *b)
{
    double n = (double)b->n;
    must(akin_device_copy(b->stream, b->offsets.data, b->c.data, 8 * b->n, &failure));
    tell("select of 64-bit items, 255 of 256 kept", time_device(b, NULL, select64), n, "G items/s");
    tell("radix sort, 32-bit keys", time_device(b, randomise, sort32), n, "G keys/s");
    tell("run-length count, 32-bit keys just sorted", time_device(b, sort32, count_runs), n, "G keys/s");
    tell("radix sort, 64-bit keys", time_device(b, randomise, sort64), n, "G keys/s");
    tell("radix sort, 32-bit keys, 32-bit values", time_device(b, randomise, sort_pairs32), n, "G keys/s");
    tell("radix sort, 64-bit keys, 32-bit values", time_device(b, randomise, sort_pairs64), n / 2, "G keys/s");
    tell("exclusive scan, 32-bit counts to 32-bit offsets", time_device(b, NULL, scan32), n, "G items/s");
    tell("exclusive scan, 32-bit counts to 64-bit offsets", time_device(b, NULL, scan64), n, "G items/s");
    fill_offsets(b);
    tell("load-balancing search, segments of 8", time_device(b, NULL, segments_of), n, "G items/s");
    tell("segmented sum, segments of 8", time_device(b, NULL, segment_sums), n, "G items/s");
}

static void time_launches(bench *b)
{
    printf("%-52s %10.2f us\n", "launch of a small kernel, in sequence", time_host(b, launch) / LAUNCHES * 1e6);
    printf("%-52s %10.2f us\n", "launch of a small kernel, and the wait for it",
           time_host(b, launch_and_wait) / LAUNCHES * 1e6);
    printf("%-52s %10.2f us\n", "radix sort of 1,000 32-bit keys, one after the other",
           time_host(b, sort_little) / LAUNCHES * 1e6);
}

int main(int count, char **arguments)
{
    bench b = {.n = (count > 2 ? strtoull(arguments[2], NULL, 10) : 256) << 20};
    if (b.n == 0 || b.n > AKIN_DEVICE_ITEMS) {
        fprintf(stderr, "usage: device_bench [NUMBER [MILLIONS]], with 1 to 2047 millions\n");
        return 2;
    }
    open_device(&b, count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 0);
    fill(&b);
    printf("%s, arrays of %llu items, best of %d\n", akin_device_properties(b.device)->name, (unsigned long long)b.n,
           RUNS);
    time_copies(&b);
    time_primitives(&b);
    time_launches(&b);
    akin_device_buffer *buffers[] = {&b.a, &b.b, &b.c, &b.offsets, &b.found};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        akin_device_release(b.device, buffers[i]);
    akin_pinned_release(b.device, &b.pinned);
    akin_device_event_free(b.first);
    akin_device_event_free(b.last);
    akin_device_stream_free(b.stream);
    akin_device_close(b.device);
    free(b.host);
    return 0;
}
