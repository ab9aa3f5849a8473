/*
 * Times the kernels of the tensor join's filter on random signatures:
 *
 *     filter_bench [NUMBER [THOUSANDS]]
 *
 * NUMBER is the GPU (0), THOUSANDS the signatures in units of 1,000 (1,000). A line for each width and kernel: pairs a
 * second, the best of seven runs by the device's own clock, where no pair is taken and all is decided by the signs;
 * where half of them are taken and counted; and how many are taken where few are, which is the same for all kernels of
 * a width but the first, by popcounts, which gets a part of the pairs.
 */
#include "base/random.h"
#include "join/kernels.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 7, COLUMNS = 8192 };
#define PAIRS 1.5e11 /* of 256 bits, in a run */
#define ROOM  ((uint64_t)4 << 20)

typedef struct bench {
    akin_device *device;
    akin_device_stream *stream;
    akin_device_event *first, *last;
    uint32_t sets, padded, bits, tasks;
    double compared; /* pairs, in all tasks */
    akin_device_buffer set, signatures, slack, low, term, list, pairs, tally, resume;
    akin_tensor_side side;
} bench;

static akin_error failure;

static void must(akin_status status)
{
    if (status == AKIN_OK)
        return;
    fprintf(stderr, "filter_bench: %s\n", failure.message);
    exit(1);
}

static void reserve(bench *b, akin_device_buffer *buffer, uint64_t count, size_t size)
{
    must(akin_device_reserve(b->device, buffer, count, size, "the bench", &failure));
}

static void put(bench *b, akin_device_buffer *buffer, const void *items, uint64_t count, size_t size)
{
    reserve(b, buffer, count, size);
    must(akin_device_upload(b->stream, buffer->data, items, count * size, &failure));
}

/* Numbers all the same, or in order. */
static void put_numbers(bench *b, akin_device_buffer *buffer, uint64_t count, int32_t first, int32_t step)
{
    int32_t *numbers = malloc(count * sizeof *numbers);
    if (!numbers)
        exit(1);
    for (uint64_t i = 0; i < count; i++)
        numbers[i] = first + (int32_t)i * step;
    put(b, buffer, numbers, count, sizeof *numbers);
    free(numbers);
}

static void put_signatures(bench *b)
{
    akin_random random;
    akin_random_seed(&random, 1);
    uint64_t words = (uint64_t)b->padded * b->bits / 64, own = (uint64_t)b->sets * b->bits / 64;
    uint64_t *signatures = calloc(words, sizeof *signatures);
    if (!signatures)
        exit(1);
    for (uint64_t w = 0; w < own; w++)
        signatures[w] = akin_random_next(&random);
    put(b, &b->signatures, signatures, words, sizeof *signatures);
    free(signatures);
}

/* As the join cuts them: blocks of rows with runs of columns. */
static void put_tasks(bench *b)
{
    uint32_t rows = AKIN_TENSOR_ROWS(b->bits), most = (uint32_t)(PAIRS * 256 / b->bits / rows / COLUMNS);
    akin_tensor_task *tasks = malloc(most * sizeof *tasks);
    if (!tasks)
        exit(1);
    b->tasks = 0;
    b->compared = 0;
    for (uint32_t row = 0; row + rows <= b->sets && b->tasks < most; row += rows)
        for (uint32_t column = 0; column < b->sets && b->tasks < most; column += COLUMNS) {
            uint32_t end = column + COLUMNS < b->sets ? column + COLUMNS : b->sets;
            tasks[b->tasks++] = (akin_tensor_task){row, column, end, 0, 0};
            b->compared += (double)rows * (end - column);
        }
    put(b, &b->list, tasks, b->tasks, sizeof *tasks);
    reserve(b, &b->resume, (uint64_t)b->tasks * 32, sizeof *tasks);
    free(tasks);
}

/* What a pair needs to be taken: `bits` in common. */
static void need(bench *b, int32_t bits)
{
    put_numbers(b, &b->slack, b->padded, bits, 0);
    put_numbers(b, &b->low, b->padded / AKIN_TENSOR_STEP, bits, 0);
    put_numbers(b, &b->term, b->padded, 1, 0);
    b->side = (akin_tensor_side){b->sets, b->set.data, b->signatures.data, b->slack.data, b->low.data, b->term.data};
}

/* Popcounts are that much slower, and a launch is to be short. */
static uint32_t tasks_of(const bench *b, int kernel)
{
    return kernel == AKIN_TENSOR_PLAIN ? b->tasks / 16 + 1 : b->tasks;
}

/* The best time of a launch. *told receives its tally. */
static double run(bench *b, int way, akin_tensor_rule rule, akin_gpu_tally *told)
{
    akin_gpu_tally none = {.valid = UINT64_MAX};
    akin_tensor_side side = b->side;
    if (!rule.exact)
        side.term = side.slack;
    double best = -1, seconds = 0;
    const akin_tensor_taken taken = {.pairs = rule.exact ? NULL : b->pairs.data,
                                     .room = ROOM,
                                     .tally = b->tally.data,
                                     .resume = b->resume.data,
                                     .kernel = (akin_tensor_kernel)way};
    for (int i = 0; i < RUNS; i++) {
        put(b, &b->tally, &none, 1, sizeof none);
        must(akin_device_event_record(b->first, b->stream, &failure));
        if (akin_kernels(b->stream)->tensor->filter(b->stream, &side, &side, rule, 0, b->bits, b->list.data,
                                                    tasks_of(b, way), &taken, &failure) != AKIN_OK)
            return -1;
        must(akin_device_event_record(b->last, b->stream, &failure));
        must(akin_device_event_finish(b->last, &failure));
        must(akin_device_event_seconds(b->first, b->last, &seconds, &failure));
        if (i > 0 && (best < 0 || seconds < best))
            best = seconds;
    }
    must(akin_device_download(b->stream, told, b->tally.data, sizeof *told, &failure));
    return best;
}

static void time_width(bench *b, uint32_t bits)
{
    /* Random signatures share a quarter of the bits, give or take 0.43 sqrt(bits). */
    int32_t half = (int32_t)bits / 4, few = half;
    while ((few - half) * (few - half) < 25 * (int32_t)bits * 3 / 16)
        few++;
    b->bits = bits;
    put_signatures(b);
    put_tasks(b);
    static const akin_tensor_kernel ways[] = {AKIN_TENSOR_PLAIN, AKIN_TENSOR_MMA, AKIN_TENSOR_WGMMA};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const int way = (int)ways[w];
        akin_gpu_tally none, many, some;
        double compared = b->compared * tasks_of(b, way) / b->tasks;
        const akin_tensor_rule parity = {.factor = 2}, sets = {.exact = 1, .factor = 1, .extra = half};
        need(b, (int32_t)bits / 2);
        double signs = run(b, way, parity, &none);
        if (signs < 0)
            continue;
        need(b, half);
        double counted = run(b, way, sets, &many);
        need(b, few);
        double rare = run(b, way, parity, &some);
        printf("%4u bits, kernel %d: %9.3e pairs/s, none taken (%llu); %9.3e, half taken (%llu); %9.3e, few (%llu)\n",
               bits, way, compared / signs, none.count, compared / counted, many.found, compared / rare, some.count);
        fflush(stdout);
    }
}

int main(int count, char **arguments)
{
    bench b = {.sets = (count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 1000) * 1000};
    b.padded = (b.sets / AKIN_TENSOR_STEP + 1) * AKIN_TENSOR_STEP + AKIN_TENSOR_PADDING;
    must(akin_device_open(count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 0, 0, &b.device, &failure));
    must(akin_device_stream_create(b.device, &b.stream, &failure));
    must(akin_device_event_create(b.device, &b.first, &failure));
    must(akin_device_event_create(b.device, &b.last, &failure));
    reserve(&b, &b.pairs, ROOM, sizeof(akin_gpu_pair));
    reserve(&b, &b.tally, 1, sizeof(akin_gpu_tally));
    put_numbers(&b, &b.set, b.padded, 0, 1);
    printf("%s, %u signatures, best of %d\n", akin_device_properties(b.device)->name, b.sets, RUNS - 1);
    for (uint32_t bits = 256; bits <= 2048; bits *= 2)
        time_width(&b, bits);
    akin_device_buffer *buffers[] = {&b.set,  &b.signatures, &b.slack, &b.low,   &b.term,
                                     &b.list, &b.pairs,      &b.tally, &b.resume};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        akin_device_release(b.device, buffers[i]);
    akin_device_event_free(b.first);
    akin_device_event_free(b.last);
    akin_device_stream_free(b.stream);
    akin_device_close(b.device);
    return 0;
}
