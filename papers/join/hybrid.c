/*
 * The join that CPU and GPU do together (Bellas and Gounaris, section 3.2.1): the CPU finds candidates by a prefix
 * index, the GPU verifies them, and pairs are taken in by a thread of their own, each while the others are at it.
 *
 *     filter, on the job's threads    chunk 2   chunk 3   chunk 4   ...
 *     verify, a thread and the GPU              chunk 2   chunk 3   chunk 4   ...
 *     output, a thread                                    chunk 2   chunk 3   chunk 4   ...
 *
 * Each thread of the filter writes its candidates to a chunk of its own, pinned memory that goes to the GPU when it is
 * full (papers/join/hybrid.h draws it), and takes a free one; chunks go round (papers/join/stages.h). Two of them are
 * on the GPU at once, each in a lane of its own: one is copied there while the one before is verified.
 */
#include "papers/join/hybrid.h"

#include "base/context.h"
#include "base/bits.h"
#include "base/clock.h"
#include "base/thread.h"
#include "join/gpu.h"
#include "join/prefix.h"
#include "papers/join/options.h"
#include "papers/join/stages.h"
#include "papers/join/technique.h"
#include "papers/kernels.h"

#include <string.h>

#define WORDS       ((uint64_t)4 << 20) /* of all chunks together, */
#define WORDS_MOST  ((uint64_t)1 << 20) /* at most of one, */
#define WORDS_LEAST ((uint64_t)1 << 16) /* and at least */
#define WORDS_TEST  16                  /* the least that a test may ask for */
#define TOKENS      ((uint64_t)1 << 28) /* that verifying a chunk may have to look up: a launch is to end soon */
#define AHEAD       3                   /* chunks beyond those that are filled: one on its way, two on the GPU */
#define LANES       2

typedef struct chunk {
    uint32_t *words;
    uint32_t candidates, records;
    uint64_t tokens;
    uint64_t found;
    akin_gpu_pair *pairs; /* found; NULL unless pairs are kept */
    uint32_t *overlaps;
} chunk;

/* What a chunk needs on the GPU. */
typedef struct lane {
    akin_device_stream *stream;
    uint32_t *words;
    akin_gpu_pair *candidates, *pairs;
    uint32_t *overlaps;
    akin_gpu_tally *tally, *told; /* the latter on the host */
} lane;

/* A thread of the filter. */
typedef struct filler {
    _Alignas(64) uint32_t chunk; /* that it fills, or AKIN_STAGE_NONE */
    double waited;               /* seconds for a free one */
} filler;

typedef struct hybrid {
    akin_gpu_join gpu; /* its candidates, pairs and overlaps have room for both lanes */
    akin_stages stages;
    int staged;    /* stages are there */
    uint32_t room; /* words of a chunk */
    uint32_t count;
    chunk *chunks;
    filler *fillers; /* one for each thread */
    lane lanes[LANES];
    akin_device_stream *second;        /* of the second lane; the first has gpu.stream */
    akin_device_buffer words, tallies; /* of both lanes */
    akin_pinned told;                  /* tallies, on the host */
    akin_pinned pinned[3];             /* words, pairs and overlaps of all chunks */
    uint64_t candidates;
    double seconds_filter, seconds_verify, seconds_output;
} hybrid;

/* ------------------------------------------------------------------------------------------------------- preparing */

static akin_status make_lanes(hybrid *h, akin_error *error)
{
    static const char what[] = "the candidates";
    akin_gpu_join *gpu = &h->gpu;
    akin_status status = akin_device_stream_create(gpu->device, &h->second, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(gpu->device, &h->words, (uint64_t)LANES * h->room, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(gpu->device, &h->tallies, LANES, sizeof(akin_gpu_tally), what, error);
    if (status == AKIN_OK)
        status = akin_pinned_reserve(gpu->device, &h->told, LANES, sizeof(akin_gpu_tally), what, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(gpu->stream, error); /* the sets are there for the other stream, too */
    for (uint32_t k = 0; k < LANES && status == AKIN_OK; k++) {
        uint64_t first = (uint64_t)k * h->room;
        h->lanes[k] = (lane){.stream = k ? h->second : gpu->stream,
                             .words = (uint32_t *)h->words.data + first,
                             .candidates = (akin_gpu_pair *)gpu->candidates.data + first,
                             .tally = (akin_gpu_tally *)h->tallies.data + k,
                             .told = (akin_gpu_tally *)h->told.data + k};
        if (gpu->job->keep) {
            h->lanes[k].pairs = (akin_gpu_pair *)gpu->pairs.data + first;
            h->lanes[k].overlaps = (uint32_t *)gpu->overlaps.data + first;
        }
    }
    return status;
}

static akin_status make_chunks(hybrid *h, akin_error *error)
{
    static const char what[] = "the candidates";
    const akin_join_job *job = h->gpu.job;
    const size_t sizes[] = {sizeof *h->chunks->words, sizeof *h->chunks->pairs, sizeof *h->chunks->overlaps};
    akin_status status = AKIN_OK;
    h->chunks = akin_alloc_zero(job->account, h->count, sizeof *h->chunks);
    h->fillers = akin_alloc_zero(job->account, job->threads, sizeof *h->fillers);
    if (!h->chunks || !h->fillers)
        return akin_fail_memory(error, what);
    for (int i = 0; i < (job->keep ? 3 : 1) && status == AKIN_OK; i++)
        status = akin_pinned_reserve(h->gpu.device, &h->pinned[i], (uint64_t)h->count * h->room, sizes[i], what, error);
    for (uint32_t i = 0; i < h->count && status == AKIN_OK; i++) {
        uint64_t first = (uint64_t)i * h->room;
        h->chunks[i].words = (uint32_t *)h->pinned[0].data + first;
        if (job->keep) {
            h->chunks[i].pairs = (akin_gpu_pair *)h->pinned[1].data + first;
            h->chunks[i].overlaps = (uint32_t *)h->pinned[2].data + first;
        }
    }
    for (uint32_t t = 0; t < job->threads; t++)
        h->fillers[t].chunk = AKIN_STAGE_NONE;
    return status;
}

static akin_status prepare_hybrid(akin_join_job *job, hybrid *h, akin_error *error)
{
    h->count = job->threads + AHEAD;
    h->room = (uint32_t)akin_max_u64(WORDS_LEAST, akin_min_u64(WORDS_MOST, WORDS / h->count));
    if (akin_wishes_of(job->scope)->candidates)
        h->room = (uint32_t)akin_min_u64(h->room, akin_max_u64(WORDS_TEST, akin_wishes_of(job->scope)->candidates));
    job->verify_way = akin_papers_join_options_of(job->annex_options).sharing;
    akin_status status = akin_gpu_join_begin(job, (uint64_t)LANES * h->room, &h->gpu, error);
    job->chosen[AKIN_CHOSEN_SHARING] = h->gpu.way;
    if (status == AKIN_OK)
        status = make_lanes(h, error);
    if (status == AKIN_OK)
        status = make_chunks(h, error);
    if (status == AKIN_OK)
        status = akin_stages_make(&h->stages, job->account, h->count, error);
    h->staged = status == AKIN_OK;
    return status;
}

static void clear_hybrid(hybrid *h)
{
    akin_device *device = h->gpu.device;
    akin_device_stream_free(h->second);
    akin_gpu_join_clear(&h->gpu);
    akin_device_release(device, &h->words);
    akin_device_release(device, &h->tallies);
    akin_pinned_release(device, &h->told);
    for (int i = 0; i < 3; i++)
        akin_pinned_release(device, &h->pinned[i]);
    akin_free(h->chunks);
    akin_free(h->fillers);
    if (h->staged)
        akin_stages_clear(&h->stages);
}

/* ---------------------------------------------------------------------------------------------------------- filter */

/* Writes candidates of a probe of `size` tokens to a chunk until the chunk is full, and returns their number. */
static uint32_t put_candidates(const hybrid *h, chunk *c, uint32_t probe, uint32_t size, const uint32_t *list,
                               uint32_t count)
{
    uint32_t *record = c->words + h->room - (uint64_t)AKIN_HYBRID_RECORD * c->records; /* the last one */
    uint32_t another = c->records == 0 || record[0] != probe;
    uint32_t used = c->candidates + AKIN_HYBRID_RECORD * (c->records + another);
    if (used >= h->room)
        return 0;
    uint64_t most = akin_min_u64(h->room - used, (TOKENS - c->tokens) / size);
    if (most == 0 && c->candidates == 0)
        most = 1;
    count = (uint32_t)akin_min_u64(count, most);
    if (count == 0)
        return 0;
    memcpy(c->words + c->candidates, list, count * sizeof *list);
    if (another) {
        record -= AKIN_HYBRID_RECORD;
        record[0] = probe;
        c->records++;
    }
    c->candidates += count;
    record[1] = c->candidates;
    c->tokens = akin_min_u64(c->tokens + (uint64_t)count * size, TOKENS);
    return count;
}

/* Takes candidates from the prefix join. If there is no chunk, a stage has failed, and the stages keep its error. */
static akin_status fill_chunk(void *argument, uint32_t thread, uint32_t probe, const uint32_t *list, uint32_t count)
{
    hybrid *h = argument;
    akin_join_job *job = h->gpu.job;
    filler *own = &h->fillers[thread];
    uint32_t size = akin_ranked_size(job->probes, probe);
    for (uint32_t some; count > 0; list += some, count -= some) {
        if (own->chunk == AKIN_STAGE_NONE) {
            double start = akin_clock();
            own->chunk = akin_stages_take(&h->stages, AKIN_STAGE_FREE, thread == 0 ? job->scope : NULL);
            own->waited += akin_clock() - start;
            if (own->chunk == AKIN_STAGE_NONE)
                return AKIN_E_CANCELLED;
        }
        some = put_candidates(h, &h->chunks[own->chunk], probe, size, list, count);
        if (some > 0)
            continue;
        akin_stages_give(&h->stages, AKIN_STAGE_FILLED, own->chunk);
        own->chunk = AKIN_STAGE_NONE;
    }
    return AKIN_OK;
}

/* Finds all candidates, and lets go of the last chunks. */
static akin_status filter(hybrid *h, akin_error *error)
{
    akin_join_job *job = h->gpu.job;
    double start = akin_clock(), waited = 0;
    akin_status status = akin_prefix_join(job, (akin_technique)job->chosen[AKIN_CHOSEN_FILTER], fill_chunk, h, error);
    h->seconds_filter = akin_clock() - start;
    for (uint32_t t = 0; t < job->threads; t++) {
        waited += h->fillers[t].waited;
        if (h->fillers[t].chunk != AKIN_STAGE_NONE)
            akin_stages_give(&h->stages, AKIN_STAGE_FILLED, h->fillers[t].chunk);
    }
    h->seconds_filter -= waited / job->threads;
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- verify */

static akin_status submit(hybrid *h, const chunk *c, const lane *l, akin_error *error)
{
    const akin_gpu_join *gpu = &h->gpu;
    uint64_t records = (uint64_t)AKIN_HYBRID_RECORD * c->records, behind = h->room - records;
    akin_status status = akin_device_write(l->stream, l->words, c->words, c->candidates * sizeof *c->words, error);
    if (status == AKIN_OK)
        status = akin_device_write(l->stream, l->words + behind, c->words + behind, records * sizeof *c->words, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(l->stream)->hybrid->unpack(l->stream, l->words, h->room, c->candidates,
                                                                  c->records, l->candidates, l->tally, error);
    if (status == AKIN_OK)
        status = akin_kernels(l->stream)->sets->verify(l->stream, &gpu->probes->sets, &gpu->indexed->sets, gpu->rule,
                                                       gpu->way, l->candidates, c->candidates, l->tally, l->pairs,
                                                       l->overlaps, error);
    if (status == AKIN_OK)
        status = akin_device_read(l->stream, l->told, l->tally, sizeof *l->told, error);
    return status;
}

/* Waits for what was submitted, and gets the pairs found. */
static akin_status collect(hybrid *h, chunk *c, const lane *l, akin_error *error)
{
    akin_status status = akin_device_stream_finish(l->stream, error);
    if (status != AKIN_OK)
        return status;
    c->found = l->told->found;
    h->candidates += c->candidates;
    if (!h->gpu.job->keep || c->found == 0)
        return AKIN_OK;
    status = akin_device_read(l->stream, c->pairs, l->pairs, c->found * sizeof *c->pairs, error);
    if (status == AKIN_OK)
        status = akin_device_read(l->stream, c->overlaps, l->overlaps, c->found * sizeof *c->overlaps, error);
    return status == AKIN_OK ? akin_device_stream_finish(l->stream, error) : status;
}

/* A thread of its own, the only one that uses the GPU meanwhile. A chunk is waited for once the next one is on its way,
 * or there is none as yet. */
static void *verify_chunks(void *argument)
{
    hybrid *h = argument;
    akin_error error;
    akin_status status = AKIN_OK;
    uint32_t before = AKIN_STAGE_NONE, next;
    for (uint64_t turn = 0; status == AKIN_OK; turn++) {
        if (before == AKIN_STAGE_NONE)
            next = akin_stages_take(&h->stages, AKIN_STAGE_FILLED, NULL);
        else
            next = akin_stages_poll(&h->stages, AKIN_STAGE_FILLED);
        if (before == AKIN_STAGE_NONE && next == AKIN_STAGE_NONE)
            break;
        double start = akin_clock();
        if (next != AKIN_STAGE_NONE)
            status = submit(h, &h->chunks[next], &h->lanes[turn % LANES], &error);
        if (before != AKIN_STAGE_NONE && status == AKIN_OK)
            status = collect(h, &h->chunks[before], &h->lanes[(turn + 1) % LANES], &error);
        if (before != AKIN_STAGE_NONE && status == AKIN_OK)
            akin_stages_give(&h->stages, AKIN_STAGE_FOUND, before);
        h->seconds_verify += akin_clock() - start;
        before = next;
    }
    if (status != AKIN_OK)
        akin_stages_fail(&h->stages, &error);
    akin_stages_end(&h->stages, AKIN_STAGE_FOUND);
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------- output */

/* The first worker's pairs and count are this thread's, as the filter finds none. */
static int take_in(const hybrid *h, const chunk *c)
{
    const akin_join_job *job = h->gpu.job;
    akin_join_worker *worker = &job->workers[0];
    if (!job->keep)
        worker->count += c->found;
    for (uint64_t i = 0; job->keep && i < c->found; i++)
        if (!akin_join_emit(job, worker, (uint32_t)(c->pairs[i] >> 32), (uint32_t)c->pairs[i], c->overlaps[i]))
            return 0;
    return 1;
}

/* A thread of its own. */
static void *take_in_chunks(void *argument)
{
    hybrid *h = argument;
    uint32_t item;
    while ((item = akin_stages_take(&h->stages, AKIN_STAGE_FOUND, NULL)) != AKIN_STAGE_NONE) {
        chunk *c = &h->chunks[item];
        double start = akin_clock();
        if (!take_in(h, c)) {
            akin_error error;
            akin_fail_memory(&error, "the pairs found");
            akin_stages_fail(&h->stages, &error);
            break;
        }
        h->seconds_output += akin_clock() - start;
        c->candidates = c->records = 0;
        c->tokens = c->found = 0;
        akin_stages_give(&h->stages, AKIN_STAGE_FREE, item);
    }
    akin_stages_end(&h->stages, AKIN_STAGE_DONE);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------- all */

/* Runs the stages, each to its end. If several fail, it reports the first failure. */
static akin_status run_stages(hybrid *h, akin_error *error)
{
    pthread_t verifying, taking_in;
    akin_error own = {.code = AKIN_OK};
    int started = akin_thread_start(&verifying, verify_chunks, h);
    started += started && akin_thread_start(&taking_in, take_in_chunks, h);
    if (started == 2)
        filter(h, &own);
    else
        akin_fail(&own, AKIN_E_NOMEM, "hybrid needs two threads of its own, and the system starts no more");
    if (own.code != AKIN_OK)
        akin_stages_fail(&h->stages, &own);
    akin_stages_end(&h->stages, AKIN_STAGE_FILLED);
    if (started == 2)
        (void)akin_stages_take(&h->stages, AKIN_STAGE_DONE, h->gpu.job->scope); /* cancelled in between if need be */
    if (started > 0)
        pthread_join(verifying, NULL);
    if (started > 1)
        pthread_join(taking_in, NULL);
    const akin_error *first = &h->stages.error;
    return first->code == AKIN_OK ? AKIN_OK : akin_fail_again(error, first->code, first);
}

akin_status akin_join_hybrid(akin_join_job *job, akin_error *error)
{
    hybrid h = {.gpu = {.job = job, .device = job->device}};
    akin_join_worker *worker = &job->workers[0];
    akin_status status = prepare_hybrid(job, &h, error);
    if (status == AKIN_OK)
        status = run_stages(&h, error);
    worker->candidates += h.candidates;
    worker->figures[AKIN_FIGURE_FILTER] += h.seconds_filter;
    worker->figures[AKIN_FIGURE_VERIFY] += h.seconds_verify;
    worker->figures[AKIN_FIGURE_OUTPUT] += h.seconds_output;
    clear_hybrid(&h);
    return status;
}
