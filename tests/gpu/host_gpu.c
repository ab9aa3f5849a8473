/* The GPU that the host plays: memory is the heap's, and a stream is a list of work that is done when the host waits
 * for it. */
#include "gpu/host_gpu.h"

#include "join/kernels.h"
#include "papers/join/hybrid.h"
#include "papers/kernels.h"
#include "join/threshold.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

atomic_long host_gpu_calls_left = HOST_GPU_NEVER;
atomic_long host_gpu_held;
void (*host_gpu_kernel)(void);

static pthread_mutex_t used = PTHREAD_MUTEX_INITIALIZER;

static akin_device the_device = {.backend = &host_gpu_backend, .limit = (uint64_t)1 << 40};

#define STEPS 64 /* of a stream between two waits */

typedef struct step {
    enum { COPY, FILL, UNPACK, VERIFY } kind;
    void *to;
    const void *from;
    uint64_t bytes;
    uint8_t value;
    uint32_t room, candidates, records;
    akin_gpu_sets probes, indexed;
    akin_measure_rule rule;
    akin_gpu_tally *tally;
    akin_gpu_pair *pairs;
    uint32_t *overlaps;
} step;

typedef struct lazy_stream {
    akin_device_stream base;
    step steps[STEPS];
    int count;
    struct lazy_stream *next;
} lazy_stream;
static lazy_stream *streams; /* all there are */

static lazy_stream *own(akin_device_stream *stream)
{
    return (lazy_stream *)stream;
}

/* Every call goes through here, and back through leave. */
static akin_status enter(akin_error *error)
{
    if (pthread_mutex_trylock(&used) != 0) {
        fprintf(stderr, "the GPU is used by two threads at the same time\n");
        abort();
    }
    if (atomic_fetch_sub(&host_gpu_calls_left, 1) > 0)
        return AKIN_OK;
    atomic_store(&host_gpu_calls_left, 0);
    return akin_fail(error, AKIN_E_DEVICE, HOST_GPU_LOST);
}

static akin_status leave(akin_status status)
{
    pthread_mutex_unlock(&used);
    return status;
}

/* -------------------------------------------------------------------------------------------------- work in order */

static uint32_t token_of(const akin_gpu_sets *sets, uint64_t at)
{
    return sets->narrow ? ((const uint16_t *)sets->tokens)[at] : ((const uint32_t *)sets->tokens)[at];
}

static uint32_t common_tokens(const step *s, uint32_t probe, uint32_t set)
{
    uint32_t overlap = 0;
    uint64_t i = s->probes.offsets[probe], j = s->indexed.offsets[set];
    while (i < s->probes.offsets[probe + 1] && j < s->indexed.offsets[set + 1]) {
        uint32_t a = token_of(&s->probes, i), b = token_of(&s->indexed, j);
        overlap += a == b;
        i += a <= b;
        j += b <= a;
    }
    return overlap;
}

static void verify(const step *s)
{
    uint64_t count = s->tally->count < s->room ? s->tally->count : s->room;
    const akin_gpu_pair *candidates = s->from;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t probe = (uint32_t)(candidates[i] >> 32), set = (uint32_t)candidates[i];
        if (probe >= s->probes.count || set >= s->indexed.count)
            abort();
        uint64_t r = s->probes.offsets[probe + 1] - s->probes.offsets[probe];
        uint64_t t = s->indexed.offsets[set + 1] - s->indexed.offsets[set];
        uint32_t overlap = common_tokens(s, probe, set);
        if (!akin_rule_suffices(s->rule, overlap, r, t))
            continue;
        if (s->pairs) {
            s->pairs[s->tally->found] = candidates[i];
            s->overlaps[s->tally->found] = overlap;
        }
        s->tally->found++;
    }
}

static void unpack(const step *s)
{
    const uint32_t *words = s->from;
    uint32_t at = 0;
    for (uint32_t record = 0; record < s->records; record++) {
        const uint32_t *own = words + s->room - 2 * (record + 1);
        for (; at < own[1]; at++)
            s->pairs[at] = (akin_gpu_pair)own[0] << 32 | words[at];
    }
    if (at != s->candidates)
        abort();
    *s->tally = (akin_gpu_tally){.count = at, .valid = UINT64_MAX};
}

static void do_all(lazy_stream *stream)
{
    for (int i = 0; i < stream->count; i++) {
        const step *s = &stream->steps[i];
        if (s->kind >= UNPACK && host_gpu_kernel)
            host_gpu_kernel();
        if (s->kind == COPY)
            memcpy(s->to, s->from, s->bytes);
        else if (s->kind == FILL)
            memset(s->to, s->value, s->bytes);
        else if (s->kind == UNPACK)
            unpack(s);
        else
            verify(s);
    }
    stream->count = 0;
}

static akin_status put(akin_device_stream *to, step s, akin_error *error)
{
    lazy_stream *stream = own(to);
    akin_status status = enter(error);
    if (status == AKIN_OK && stream->count == STEPS)
        abort();
    if (status == AKIN_OK)
        stream->steps[stream->count++] = s;
    return leave(status);
}

/* ----------------------------------------------------------------------------------------------- the device */

static akin_status open_gpu(uint32_t number, uint64_t limit, akin_device **out, akin_error *error)
{
    akin_status status = enter(error);
    if (status == AKIN_OK)
        *out = &the_device;
    return leave(status);
}

static void close_gpu(akin_device *device)
{
}

static akin_status stream_create(akin_device *device, akin_device_stream **out, akin_error *error)
{
    akin_status status = enter(error);
    lazy_stream *stream = status == AKIN_OK ? calloc(1, sizeof *stream) : NULL;
    if (status == AKIN_OK && !stream)
        status = akin_fail_memory(error, "a stream");
    if (status == AKIN_OK && stream) {
        stream->base.device = device;
        stream->next = streams;
        streams = stream;
        *out = &stream->base;
        atomic_fetch_add(&host_gpu_held, 1);
    }
    return leave(status);
}

static void stream_free(akin_device_stream *stream)
{
    lazy_stream **link = &streams;
    while (*link != own(stream))
        link = &(*link)->next;
    *link = own(stream)->next;
    do_all(own(stream));
    free(stream);
    atomic_fetch_sub(&host_gpu_held, 1);
}

static akin_status stream_finish(akin_device_stream *stream, akin_error *error)
{
    akin_status status = enter(error);
    if (status == AKIN_OK)
        do_all(own(stream));
    return leave(status);
}

/* As on a GPU, memory is given back once all work is done. */
static void give_back(void *data)
{
    for (lazy_stream *stream = streams; data && stream; stream = stream->next)
        do_all(stream);
    if (data)
        atomic_fetch_sub(&host_gpu_held, 1);
    free(data);
}

/* Blocks are full of garbage, and have the requested size, so that sanitizers see accesses beyond it. */
static akin_status reserve(void **data, uint64_t *had, uint64_t count, size_t size, const char *what, akin_error *error)
{
    akin_status status = enter(error);
    uint64_t bytes = count * size > 0 ? count * size : 1;
    if (status != AKIN_OK || (*data && bytes <= *had))
        return leave(status);
    give_back(*data);
    *data = malloc(bytes);
    if (!*data)
        return leave(akin_fail_memory(error, what));
    memset(*data, 0xa5, bytes);
    *had = bytes;
    atomic_fetch_add(&host_gpu_held, 1);
    return leave(AKIN_OK);
}

static void release(void **data, uint64_t *had)
{
    give_back(*data);
    *data = NULL;
    *had = 0;
}

static akin_status device_reserve(akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
                                  const char *what, akin_error *error)
{
    return reserve(&buffer->data, &buffer->bytes, count, size, what, error);
}

static void device_release(akin_device *device, akin_device_buffer *buffer)
{
    release(&buffer->data, &buffer->bytes);
}

static akin_status pinned_reserve(akin_device *device, akin_pinned *pinned, uint64_t count, size_t size,
                                  const char *what, akin_error *error)
{
    return reserve(&pinned->data, &pinned->bytes, count, size, what, error);
}

static void pinned_release(akin_device *device, akin_pinned *pinned)
{
    release(&pinned->data, &pinned->bytes);
}

static akin_status write_to(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    return put(stream, (step){.kind = COPY, .to = to, .from = from, .bytes = bytes}, error);
}

static akin_status read_from(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    return put(stream, (step){.kind = COPY, .to = to, .from = from, .bytes = bytes}, error);
}

static akin_status fill(akin_device_stream *stream, void *to, uint8_t value, uint64_t bytes, akin_error *error)
{
    return put(stream, (step){.kind = FILL, .to = to, .value = value, .bytes = bytes}, error);
}

/* What follows reads what it is given at once: the memory may be freed then. */
static akin_status upload(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    akin_status status = enter(error);
    if (status == AKIN_OK) {
        do_all(own(stream));
        memcpy(to, from, bytes);
    }
    return leave(status);
}

static akin_status write_offsets(akin_device_stream *stream, const akin_gpu_class *classes, uint32_t count,
                                 uint32_t sets, uint64_t *offsets, akin_error *error)
{
    akin_status status = enter(error);
    if (status == AKIN_OK)
        do_all(own(stream));
    for (uint32_t set = 0, c = 0; status == AKIN_OK && set <= sets; set++) {
        while (c + 1 < count && classes[c + 1].set <= set)
            c++;
        offsets[set] = classes[c].offset + (uint64_t)(set - classes[c].set) * classes[c].size;
    }
    return leave(status);
}

static akin_status unpack_words(akin_device_stream *stream, const uint32_t *words, uint32_t room, uint32_t candidates,
                                uint32_t records, akin_gpu_pair *pairs, akin_gpu_tally *tally, akin_error *error)
{
    const step s = {.kind = UNPACK,
                    .from = words,
                    .room = room,
                    .candidates = candidates,
                    .records = records,
                    .pairs = pairs,
                    .tally = tally};
    return put(stream, s, error);
}

static akin_status verify_sets(akin_device_stream *stream, const akin_gpu_sets *probes, const akin_gpu_sets *indexed,
                               akin_measure_rule rule, akin_verify_way way, const akin_gpu_pair *candidates,
                               uint64_t room, akin_gpu_tally *tally, akin_gpu_pair *pairs, uint32_t *overlaps,
                               akin_error *error)
{
    const step s = {.kind = VERIFY,
                    .from = candidates,
                    .room = (uint32_t)room,
                    .probes = *probes,
                    .indexed = *indexed,
                    .rule = rule,
                    .tally = tally,
                    .pairs = pairs,
                    .overlaps = overlaps};
    if (way == AKIN_VERIFY_AUTO)
        abort();
    return put(stream, s, error);
}

/* --------------------------------------------------------------------------------------------------- the backend */

static const akin_sets_kernels sets = {write_offsets, verify_sets};
static const akin_hybrid_kernels hybrid = {unpack_words};
static const akin_annex_kernels annex = {.hybrid = &hybrid};
static const akin_device_kernels kernels = {.sets = &sets, .annex = &annex};

const akin_device_backend host_gpu_backend = {
    .open = open_gpu,
    .close = close_gpu,
    .reserve = device_reserve,
    .release = device_release,
    .pinned_reserve = pinned_reserve,
    .pinned_release = pinned_release,
    .stream_create = stream_create,
    .stream_free = stream_free,
    .stream_finish = stream_finish,
    .write = write_to,
    .read = read_from,
    .fill = fill,
    .upload = upload,
    .kernels = &kernels,
};
