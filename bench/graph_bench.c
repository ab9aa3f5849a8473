/*
 * Times connected components of random graphs:
 *
 *     graph_bench [-t THREADS] [-g] [-c CLUSTERING] [-r RUNS] [-s SHAPE] NODES EDGES
 *
 * On the CPU, edges come in batches of 2^25. The time is that of akin_clusters_connect and akin_clusters_finish,
 * without the making of edges. With -g a GPU has all edges at once. One time is that from edges in device memory to
 * labels there, by the device's own clock; the other is that of akin_clusters_connect, from the host's memory and back.
 * NODES and EDGES are numbers like 1e8. With -c it is any clustering, such as average: akin_clusters_connect and
 * akin_clusters_close, of edges whose similarities are from 0.5 to 1, on the CPU or the GPU.
 *
 * SHAPE is random (default), path, which begins again at the first node, shuffled, a path whose edges come in no order,
 * groups, whose random edges are within groups of 32 nodes, or hub: node 0 has an edge to every odd node, which is
 * nearer to the next node. A line for each run (3), and the median.
 */
#define _POSIX_C_SOURCE 200809L

#include "akin_papers.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "device/devices.h"
#include "graph/components.h"
#include "timing.h"

#include <unistd.h>

#define BATCH ((uint64_t)1 << 25)
#define TASK  ((uint64_t)1 << 20)
#define GROUP 32

typedef struct bench {
    akin_context *context, *makers; /* the second has all threads, to make edges */
    uint32_t nodes;
    uint64_t edges, runs, first;
    enum { RANDOM, PATH, SHUFFLED, GROUPS, HUB } shape;
    akin_pair *pairs;
    double *similarities; /* of the pairs, if the clustering looks at them */
} bench;

static akin_error failure;

static void must(akin_status status)
{
    if (status == AKIN_OK)
        return;
    fprintf(stderr, "graph_bench: %s\n", failure.message);
    exit(1);
}

/* Edge i of a random graph is a hash of i (splitmix64). */
static akin_pair edge_of(const bench *b, uint64_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t node = (uint32_t)((b->shape == PATH ? i : i * UINT64_C(2654435761)) % (b->nodes - 1));
    if (b->shape == PATH || b->shape == SHUFFLED)
        return (akin_pair){.left = node, .right = node + 1};
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    if (b->shape == HUB) {
        const uint32_t odd = (uint32_t)(i / 2 % ((b->nodes - 1) / 2)) * 2 + 1;
        return (akin_pair){.left = i % 2 ? odd : 0, .right = i % 2 ? odd + 1 : odd};
    }
    if (b->shape == GROUPS) {
        const uint32_t first = (uint32_t)((z >> 32) * (b->nodes / GROUP) >> 32) * GROUP;
        return (akin_pair){.left = first + (uint32_t)(z % GROUP), .right = first + (uint32_t)(z / GROUP % GROUP)};
    }
    return (akin_pair){.left = (uint32_t)((z >> 32) * b->nodes >> 32),
                       .right = (uint32_t)((z & UINT32_MAX) * b->nodes >> 32)};
}

static akin_status make(void *argument, uint64_t task, uint32_t thread)
{
    const bench *b = argument;
    (void)thread;
    for (uint64_t i = task * TASK; i < (task + 1) * TASK; i++)
        b->pairs[i] = edge_of(b, b->first + i);
    for (uint64_t i = task * TASK; i < (task + 1) * TASK && b->similarities; i++)
        b->similarities[i] =
            b->shape == HUB ? 0.9 + 0.1 * (double)(i % 2) : 0.5 + (double)((b->first + i) * 2654435761 % 1024) / 2048;
    return AKIN_OK;
}

static void make_pairs(bench *b, uint64_t first, uint64_t count)
{
    b->first = first;
    must(akin_parallel(akin_scope_of(b->makers), NULL, (count + TASK - 1) / TASK, make, b));
}

static void report(const bench *b, const char *name, const double *seconds)
{
    double sorted[REPEATS_MOST];
    memcpy(sorted, seconds, b->runs * sizeof *sorted);
    qsort(sorted, b->runs, sizeof *sorted, rising);
    printf("%s: median %.4f s, %.3e edges/s\n", name, sorted[b->runs / 2], (double)b->edges / sorted[b->runs / 2]);
    fflush(stdout);
}

static double run_connect(bench *b, double *finish, uint32_t *count)
{
    akin_clusters *clusters = NULL;
    double seconds = 0;
    must(akin_clusters_create(NULL, b->nodes, 0, &clusters, &failure));
    for (uint64_t at = 0; at < b->edges; at += BATCH) {
        uint64_t some = b->edges - at < BATCH ? b->edges - at : BATCH;
        make_pairs(b, at, some);
        double begun = now();
        must(akin_clusters_connect(b->context, clusters, b->pairs, NULL, some, &failure));
        seconds += now() - begun;
    }
    double begun = now();
    akin_clusters_finish(clusters);
    *finish = now() - begun;
    *count = akin_clusters_count(clusters);
    akin_clusters_free(clusters);
    return seconds;
}

static void time_clustering(bench *b, const char *clustering)
{
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    double seconds[REPEATS_MOST], connected;
    must(akin_clusters_options_parse(akin_papers(), clustering, &options, &failure));
    must(akin_context_use(b->context, akin_papers(), &failure));
    make_pairs(b, 0, b->edges);
    for (uint64_t run = 0; run < b->runs; run++) {
        akin_clusters *clusters = NULL;
        must(akin_clusters_create_by(b->context, b->nodes, 0, &options, &clusters, &failure));
        double begun = now();
        must(akin_clusters_connect(b->context, clusters, b->pairs, b->similarities, b->edges, &failure));
        connected = now() - begun;
        must(akin_clusters_close(b->context, clusters, &failure));
        seconds[run] = now() - begun;
        printf("connect %.4f s, close %.4f s, %u clusters\n", connected, seconds[run] - connected,
               akin_clusters_count(clusters));
        akin_clusters_free(clusters);
    }
    report(b, clustering, seconds);
}

static void time_cpu(bench *b)
{
    double seconds[REPEATS_MOST], finish;
    uint32_t count;
    for (uint64_t run = 0; run < b->runs; run++) {
        seconds[run] = run_connect(b, &finish, &count);
        printf("connect %.3f s, finish %.3f s, %u components\n", seconds[run], finish, count);
        fflush(stdout);
        seconds[run] += finish;
    }
    report(b, "CPU", seconds);
}

/* All edges in device memory. */
static uint64_t *upload(const bench *b, akin_device *device, akin_device_stream *stream, akin_device_buffer *buffer)
{
    enum { PIECE = 1 << 20 };
    uint64_t *packed = malloc(PIECE * sizeof *packed);
    if (!packed)
        exit(1);
    must(akin_device_reserve(device, buffer, b->edges, sizeof *packed, "the edges", &failure));
    for (uint64_t at = 0; at < b->edges; at += PIECE) {
        uint64_t some = b->edges - at < PIECE ? b->edges - at : PIECE;
        for (uint64_t i = 0; i < some; i++)
            packed[i] = (uint64_t)b->pairs[at + i].left << 32 | b->pairs[at + i].right;
        must(akin_device_upload(stream, (uint64_t *)buffer->data + at, packed, some * sizeof *packed, &failure));
    }
    must(akin_device_stream_finish(stream, &failure));
    free(packed);
    return buffer->data;
}

static void time_device(const bench *b, akin_device *device)
{
    akin_device_stream *stream = NULL;
    akin_device_event *events[2] = {NULL, NULL};
    akin_device_buffer buffer = {0};
    double seconds[REPEATS_MOST];
    must(akin_device_stream_create(device, &stream, &failure));
    for (int i = 0; i < 2; i++)
        must(akin_device_event_create(device, &events[i], &failure));
    const uint64_t *edges = upload(b, device, stream, &buffer);
    for (uint64_t run = 0; run < b->runs; run++) {
        akin_gpu_components *components = NULL;
        must(akin_gpu_components_create(akin_scope_of(b->context), device, b->nodes, NULL, &components, &failure));
        akin_device_stream *own = akin_gpu_components_stream(components);
        must(akin_device_stream_finish(own, &failure));
        must(akin_device_event_record(events[0], own, &failure));
        must(akin_gpu_components_link(components, edges, b->edges, &failure));
        must(akin_gpu_components_settle(components, &failure));
        must(akin_device_event_record(events[1], own, &failure));
        must(akin_device_event_finish(events[1], &failure));
        must(akin_device_event_seconds(events[0], events[1], &seconds[run], &failure));
        printf("in device memory %.4f s\n", seconds[run]);
        akin_gpu_components_free(components);
    }
    report(b, "GPU, edges and labels in device memory", seconds);
    akin_device_release(device, &buffer);
    akin_device_stream_free(stream);
    akin_device_event_free(events[0]);
    akin_device_event_free(events[1]);
}

static void time_gpu(bench *b)
{
    akin_device *device = NULL;
    double seconds[REPEATS_MOST];
    must(akin_device_of(akin_scope_of(b->context), &device, &failure));
    printf("%s\n", akin_device_properties(device)->name);
    make_pairs(b, 0, b->edges);
    time_device(b, device);
    for (uint64_t run = 0; run < b->runs; run++) {
        akin_clusters *clusters = NULL;
        must(akin_clusters_create(NULL, b->nodes, 0, &clusters, &failure));
        double begun = now();
        must(akin_clusters_connect(b->context, clusters, b->pairs, NULL, b->edges, &failure));
        seconds[run] = now() - begun;
        begun = now();
        akin_clusters_finish(clusters);
        printf("from the host's memory and back %.4f s, finish %.3f s, %u components\n", seconds[run], now() - begun,
               akin_clusters_count(clusters));
        akin_clusters_free(clusters);
    }
    report(b, "GPU, pairs and labels in the host's memory", seconds);
}

int main(int count, char **arguments)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    bench b = {.runs = 3};
    const char *clustering = NULL;
    int option;
    options.threads = 1;
    options.device = "cpu";
    while ((option = getopt(count, arguments, "t:r:s:c:g")) != -1) {
        if (option == 't')
            options.threads = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'r')
            b.runs = strtoul(optarg, NULL, 10) % REPEATS_MOST;
        else if (option == 's')
            b.shape = strcmp(optarg, "path") == 0       ? PATH
                      : strcmp(optarg, "shuffled") == 0 ? SHUFFLED
                      : strcmp(optarg, "groups") == 0   ? GROUPS
                      : strcmp(optarg, "hub") == 0      ? HUB
                                                        : RANDOM;
        else if (option == 'c')
            clustering = optarg;
        else if (option == 'g')
            options.device = "cuda";
        else
            return 2;
    }
    if (optind + 2 != count || b.runs == 0) {
        fprintf(stderr, "usage: graph_bench [-t THREADS] [-g] [-c CLUSTERING] [-r RUNS] [-s SHAPE] NODES EDGES\n");
        return 2;
    }
    b.nodes = (uint32_t)strtod(arguments[optind], NULL);
    b.edges = (uint64_t)strtod(arguments[optind + 1], NULL);
    uint64_t most = strcmp(options.device, "cpu") == 0 && !clustering ? BATCH : b.edges;
    b.pairs = akin_alloc(NULL, (most + TASK - 1) / TASK * TASK, sizeof *b.pairs);
    if (clustering)
        b.similarities = akin_alloc(NULL, (most + TASK - 1) / TASK * TASK, sizeof *b.similarities);
    must(akin_context_create(&options, &b.context, &failure));
    options.threads = 0;
    options.device = "cpu";
    must(akin_context_create(&options, &b.makers, &failure));
    if (!b.pairs || (clustering && !b.similarities))
        return 1;
    printf("%u nodes, %llu edges\n", b.nodes, (unsigned long long)b.edges);
    if (clustering)
        time_clustering(&b, clustering);
    else if (akin_scope_of(b.context)->device_choice == AKIN_DEVICE_CPU)
        time_cpu(&b);
    else
        time_gpu(&b);
    akin_free(b.pairs);
    akin_free(b.similarities);
    akin_context_free(b.makers);
    akin_context_free(b.context);
    return 0;
}
