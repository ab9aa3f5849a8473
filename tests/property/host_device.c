/* Memory, streams and events of the GPU that the host plays, and its backend. */
#include "property/host_kernel.h"

#include "papers/kernels.h"
#include "property/host_primitives.h"

#include <stdio.h>
#include <string.h>

#define FILLED ((uint64_t)64 << 10) /* bytes of a block, at most */
#define READS  8                    /* and writes, under way, of a device */

/* What is read or written, as it was then. */
typedef struct host_read {
    void *to; /* NULL: it is written */
    const void *from;
    void *data;
    uint64_t bytes, number; /* they are numbered */
    const akin_device_stream *stream;
} host_read;

typedef struct host_gpu_device {
    akin_device base;
    struct host_gpu_device *next; /* of those that are open */
    int blocks;                   /* that were not given back */
    uint64_t held;                /* bytes of them, of the device's memory */
    host_read reads[READS];
    uint32_t read_count;
    uint64_t numbered;
} host_gpu_device;

/* Reads and writes of the stream had these numbers then. */
typedef struct host_event {
    akin_device_event base;
    int recorded;
    const akin_device_stream *stream;
    uint64_t numbered;
} host_event;

host_device_state host_device;

static host_gpu_device *gpus; /* that are open */

static host_gpu_device *own(akin_device *device)
{
    return (host_gpu_device *)device;
}

akin_status host_enter(akin_error *error)
{
    uint64_t call = atomic_fetch_add(&host_device.calls, 1) + 1, failing = host_device.failing;
    if (failing == 0 || call < failing || (host_device.alone && call > failing))
        return AKIN_OK;
    return akin_fail(error, host_device.status, HOST_DEVICE_FAILED);
}

/* --------------------------------------------------------------------------------------------------------- devices */

/* Gives the memory of a GPU. Without a bound it is more than any job takes, for the GPU and its twin together. */
static void account(host_gpu_device *gpu)
{
    gpu->base.held = host_device.limit ? gpu->held : 0;
    gpu->base.limit = host_device.limit ? host_device.limit : host_device.room ? host_device.room : (uint64_t)1 << 40;
    if (gpu->base.held > gpu->base.limit)
        gpu->base.held = gpu->base.limit;
}

void host_device_give(uint64_t room, uint64_t limit)
{
    host_device.room = room;
    host_device.limit = limit;
    for (host_gpu_device *gpu = gpus; gpu; gpu = gpu->next)
        account(gpu);
}

void host_device_become(host_device_state state)
{
    host_device = state;
    host_device_give(state.room, state.limit);
}

int host_device_holds(void)
{
    int blocks = 0;
    for (const host_gpu_device *gpu = gpus; gpu; gpu = gpu->next)
        blocks += gpu->blocks;
    return blocks;
}

static akin_device_support find(void)
{
    return (akin_device_support){.state = "ready", .devices = 1};
}

static akin_status describe(uint32_t number, akin_device_info *out, akin_error *error)
{
    *out = (akin_device_info){.size = sizeof *out, .name = "played by the host", .multiprocessors = 1};
    return AKIN_OK;
}

static akin_device *make(uint32_t number)
{
    host_gpu_device *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return NULL;
    gpu->base = (akin_device){.backend = &host_backend, .number = number};
    gpu->base.info.multiprocessors = 1;
    gpu->next = gpus;
    gpus = gpu;
    account(gpu);
    return &gpu->base;
}

static akin_status open_gpu(uint32_t number, uint64_t limit, akin_device **out, akin_error *error)
{
    akin_status status = host_enter(error);
    host_device.opened++;
    if (status == AKIN_OK && host_device.is_absent)
        status = akin_fail(error, AKIN_E_DEVICE, "there is no GPU");
    if (status != AKIN_OK)
        return status;
    akin_device *made = make(number);
    if (!made)
        return akin_fail_memory(error, "a device");
    *out = made;
    return AKIN_OK;
}

/* The job before has given back all that it took. */
static void close_gpu(akin_device *device)
{
    host_gpu_device **link = &gpus;
    must(own(device)->blocks == 0 && own(device)->held == 0 && own(device)->read_count == 0);
    while (*link != own(device))
        link = &(*link)->next;
    *link = own(device)->next;
    free(own(device));
}

akin_device *host_gpu(void)
{
    static akin_device *gpu;
    if (!gpu)
        gpu = make(0);
    must(gpu != NULL);
    return gpu;
}

/* Nobody has less than is said in host_device. */
static void bound(akin_device *device, uint64_t limit)
{
}

/* ---------------------------------------------------------------------------------------------------------- copies */

/* What was written has arrived, and so must not have been changed. */
static void must_be_same(const host_read *read)
{
    if (read->bytes > 0 && memcmp(read->from, read->data, read->bytes) != 0) {
        fprintf(stderr, "what was written to a GPU has been changed before it was there\n");
        abort();
    }
}

/* What a stream has read arrives, of any stream if it is NULL, and up to read `end`. */
static void arrive_some(host_gpu_device *device, const akin_device_stream *stream, uint64_t end)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < device->read_count; i++) {
        host_read *read = &device->reads[i];
        if ((stream && read->stream != stream) || read->number >= end) {
            device->reads[left++] = *read;
            continue;
        }
        if (read->to)
            memcpy(read->to, read->data, read->bytes);
        else
            must_be_same(read);
        free(read->data);
    }
    device->read_count = left;
}

static void arrive(host_gpu_device *device)
{
    arrive_some(device, NULL, UINT64_MAX);
}

/* ---------------------------------------------------------------------------------------------------------- memory */

static void give_back(host_gpu_device *device, void **data, uint64_t *bytes)
{
    arrive(device);
    device->blocks -= *data != NULL;
    free(*data);
    *data = NULL;
    *bytes = 0;
}

/* Filled with something, as memory is that was used before. */
static akin_status take(host_gpu_device *device, void **data, uint64_t *bytes, uint64_t count, size_t size,
                        akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK || (*data && count * size <= *bytes))
        return status;
    give_back(device, data, bytes);
    uint64_t wanted = count * size;
    *data = malloc(wanted ? wanted : 1);
    if (!*data)
        return akin_fail_memory(error, "a block");
    *bytes = wanted;
    device->blocks++;
    memset(*data, 0xa5, *bytes < FILLED ? *bytes : FILLED);
    return AKIN_OK;
}

static void release(akin_device *device, akin_device_buffer *buffer)
{
    own(device)->held -= buffer->data ? buffer->bytes : 0;
    give_back(own(device), &buffer->data, &buffer->bytes);
    account(own(device));
}

static akin_status reserve(akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
                           const char *what, akin_error *error)
{
    uint64_t before = buffer->data ? buffer->bytes : 0, bytes = count * size;
    if (host_device.limit && bytes > before && own(device)->held - before + bytes > host_device.limit) {
        release(device, buffer);
        return akin_fail(error, AKIN_E_NOMEM, "not enough memory of the GPU that the host plays");
    }
    akin_status status = take(own(device), &buffer->data, &buffer->bytes, count, size, error);
    own(device)->held += (buffer->data ? buffer->bytes : 0) - before;
    account(own(device));
    return status;
}

static akin_status pinned_reserve(akin_device *device, akin_pinned *pinned, uint64_t count, size_t size,
                                  const char *what, akin_error *error)
{
    return take(own(device), &pinned->data, &pinned->bytes, count, size, error);
}

static void pinned_release(akin_device *device, akin_pinned *pinned)
{
    give_back(own(device), &pinned->data, &pinned->bytes);
}

/* --------------------------------------------------------------------------------------------------------- streams */

static akin_status stream_create(akin_device *device, akin_device_stream **out, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    akin_device_stream *stream = malloc(sizeof *stream);
    if (!stream)
        return akin_fail_memory(error, "a stream");
    host_device.streams++;
    stream->device = device;
    *out = stream;
    return AKIN_OK;
}

static void stream_free(akin_device_stream *stream)
{
    arrive(own(stream->device));
    free(stream);
}

static akin_status stream_finish(akin_device_stream *stream, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status == AKIN_OK)
        arrive(own(stream->device));
    return status;
}

static akin_status move(void *to, const void *from, uint64_t bytes, akin_error *error)
{
    akin_status status = host_enter(error);
    if (bytes && status == AKIN_OK)
        memcpy(to, from, bytes);
    return status;
}

static akin_status copy(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    return move(to, from, bytes, error);
}

/* Adds a read or a write to those under way; `way` says where it comes from, and where it is to arrive. */
static akin_status begin(const akin_device_stream *stream, host_read way, akin_error *error)
{
    host_gpu_device *device = own(stream->device);
    way.data = malloc(way.bytes ? way.bytes : 1);
    akin_status status =
        way.data ? move(way.data, way.from, way.bytes, error) : akin_fail_memory(error, "what is under way");
    if (status != AKIN_OK) {
        free(way.data);
        return status;
    }
    if (device->read_count == READS)
        arrive(device);
    way.number = device->numbered++;
    way.stream = stream;
    device->reads[device->read_count++] = way;
    return AKIN_OK;
}

static akin_status read_from(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    akin_status status = begin(stream, (host_read){.to = to, .from = from, .bytes = bytes}, error);
    if (status == AKIN_OK)
        memset(to, 0xa5, bytes);
    return status;
}

static akin_status write_to(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    akin_status status = begin(stream, (host_read){.from = from, .bytes = bytes}, error);
    if (status == AKIN_OK && bytes > 0)
        memcpy(to, from, bytes);
    return status;
}

static akin_status upload(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    return move(to, from, bytes, error);
}

static akin_status download(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    akin_status status = move(to, from, bytes, error);
    if (status == AKIN_OK)
        arrive(own(stream->device));
    return status;
}

static akin_status fill(akin_device_stream *stream, void *to, uint8_t value, uint64_t bytes, akin_error *error)
{
    akin_status status = host_enter(error);
    if (bytes && status == AKIN_OK)
        memset(to, value, bytes);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- events */

static akin_status event_create(akin_device *device, akin_device_event **out, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    host_event *event = calloc(1, sizeof *event);
    if (!event)
        return akin_fail_memory(error, "an event");
    event->base.device = device;
    *out = &event->base;
    return AKIN_OK;
}

static void event_free(akin_device_event *event)
{
    free(event);
}

static akin_status event_record(akin_device_event *event, akin_device_stream *stream, akin_error *error)
{
    host_event *recorded = (host_event *)event;
    recorded->recorded = 1;
    recorded->stream = stream;
    recorded->numbered = own(stream->device)->numbered;
    return host_enter(error);
}

static akin_status event_finish(akin_device_event *event, akin_error *error)
{
    const host_event *recorded = (const host_event *)event;
    akin_status status = host_enter(error);
    if (status == AKIN_OK && recorded->recorded)
        arrive_some(own(event->device), recorded->stream, recorded->numbered);
    return status;
}

/* Streams do their work at once, so none has to wait for another, */
static akin_status stream_wait(akin_device_stream *stream, akin_device_event *event, akin_error *error)
{
    return host_enter(error);
}

/* and nothing takes time. */
static akin_status event_seconds(akin_device_event *first, akin_device_event *last, double *out, akin_error *error)
{
    *out = 0;
    return host_enter(error);
}

/* --------------------------------------------------------------------------------------------------------- backend */

extern const struct akin_trie_kernels host_trie_kernels;
extern const struct akin_forest_kernels host_forest_kernels;
extern const struct akin_sets_kernels host_sets_kernels;
extern const struct akin_tensor_side_kernels host_tensor_side_kernels;
extern const struct akin_tensor_kernels host_tensor_kernels;
extern const struct akin_posting_kernels host_posting_kernels;
extern const struct akin_strings_kernels host_strings_kernels;
extern const struct akin_dedupe_texts_kernels host_dedupe_texts_kernels;
extern const struct akin_dedupe_screen_kernels host_dedupe_screen_kernels;
extern const struct akin_dedupe_score_kernels host_dedupe_score_kernels;
extern const struct akin_terms_look_kernels host_terms_look_kernels;
extern const struct akin_terms_tally_kernels host_terms_tally_kernels;
extern const struct akin_rank_kernels host_rank_kernels;
extern const struct akin_invert_kernels host_invert_kernels;
extern const struct akin_ranges_kernels host_ranges_kernels;
extern const struct akin_nearest_kernels host_nearest_kernels;
extern const struct akin_corpus_kernels host_corpus_kernels;
extern const struct akin_weigh_paper_kernels host_weigh_paper_kernels;
extern const struct akin_match_count_kernels host_match_count_kernels;
extern const struct akin_paper_trie_kernels host_paper_trie_kernels;

static const akin_annex_kernels annex = {
    .match_counts = &host_match_count_kernels, .weigh = &host_weigh_paper_kernels, .tries = &host_paper_trie_kernels};

/* Components and the tensor filter are tried on a real GPU alone (tests/gpu). */
static const akin_primitive_kernels primitives = {
    .sort32 = host_sort32,
    .sort64 = host_sort64,
    .sort_pairs32 = host_sort_pairs32,
    .sort_pairs64 = host_sort_pairs64,
    .scan32 = host_scan32,
    .scan64 = host_scan64,
    .select32 = host_select32,
    .select64 = host_select64,
    .select_positions = host_select_positions,
    .count_runs32 = host_count_runs32,
    .count_runs64 = host_count_runs64,
    .segments_of = host_segments_of,
    .segment_sums = host_segment_sums,
};

static const akin_device_kernels kernels = {
    .primitives = &primitives,
    .trie = &host_trie_kernels,
    .forest = &host_forest_kernels,
    .sets = &host_sets_kernels,
    .tensor_sides = &host_tensor_side_kernels,
    .tensor = &host_tensor_kernels,
    .postings = &host_posting_kernels,
    .strings = &host_strings_kernels,
    .dedupe_texts = &host_dedupe_texts_kernels,
    .dedupe_screens = &host_dedupe_screen_kernels,
    .dedupe_scores = &host_dedupe_score_kernels,
    .terms_look = &host_terms_look_kernels,
    .terms_tally = &host_terms_tally_kernels,
    .rank = &host_rank_kernels,
    .invert = &host_invert_kernels,
    .ranges = &host_ranges_kernels,
    .nearest = &host_nearest_kernels,
    .corpus = &host_corpus_kernels,
    .annex = &annex,
};

const akin_device_backend host_backend = {
    .find = find,
    .describe = describe,
    .open = open_gpu,
    .close = close_gpu,
    .bound = bound,
    .reserve = reserve,
    .release = release,
    .pinned_reserve = pinned_reserve,
    .pinned_release = pinned_release,
    .stream_create = stream_create,
    .stream_free = stream_free,
    .stream_finish = stream_finish,
    .stream_wait = stream_wait,
    .write = write_to,
    .read = read_from,
    .copy = copy,
    .fill = fill,
    .upload = upload,
    .download = download,
    .event_create = event_create,
    .event_free = event_free,
    .event_record = event_record,
    .event_finish = event_finish,
    .event_seconds = event_seconds,
    .kernels = &kernels,
};
