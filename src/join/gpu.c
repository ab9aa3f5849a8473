/* Brings the sets of a join to the GPU, verifies candidates there, and gets the pairs back. */
#include "join/gpu.h"

#include "base/context.h"
#include "base/bits.h"

#include <string.h>

#define STAGE        ((uint64_t)32 << 20) /* items that are put into pinned memory before they go to the GPU */
#define STAGE_A_TASK ((uint64_t)64 << 10)
#define PIECE        ((uint64_t)256 << 10) /* pairs that come back at once */
#define PIECE_TRIED  1000                  /* where tests want all to be small */

/* Numbers on their way into pinned memory, by all threads, as one alone is slower than the bus. */
typedef struct staging {
    void *to;
    const void *from;
    uint64_t count;
    size_t size; /* of each: 4, or 2 for those that have 4 where they come from */
} staging;

static akin_status stage_some(void *argument, uint64_t task, uint32_t thread)
{
    const staging *s = argument;
    uint64_t first = task * STAGE_A_TASK, count = akin_min_u64(STAGE_A_TASK, s->count - first);
    (void)thread;
    if (s->size == sizeof(uint16_t)) {
        const uint32_t *from = (const uint32_t *)s->from + first;
        uint16_t *to = (uint16_t *)s->to + first;
        for (uint64_t i = 0; i < count; i++)
            to[i] = (uint16_t)from[i];
    } else {
        memcpy((char *)s->to + first * s->size, (const char *)s->from + first * s->size, count * s->size);
    }
    return AKIN_OK;
}

static akin_status stage_array(akin_gpu_join *gpu, void *to, const void *from, uint64_t count, size_t size,
                               akin_error *error)
{
    size_t own = size == sizeof(uint16_t) ? sizeof(uint32_t) : size;
    akin_status status =
        akin_pinned_reserve(gpu->device, &gpu->staged, akin_min_u64(count, STAGE), size, "staging", error);
    for (uint64_t at = 0; at < count && status == AKIN_OK; at += STAGE) {
        staging s = {gpu->staged.data, (const char *)from + at * own, akin_min_u64(STAGE, count - at), size};
        status = akin_device_stream_finish(gpu->stream, error); /* the memory is filled anew */
        if (status != AKIN_OK)
            return status;
        status = akin_parallel(gpu->job->scope, NULL, akin_ceil_div(s.count, STAGE_A_TASK), stage_some, &s);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, "the sets");
        status = akin_device_write(gpu->stream, (char *)to + at * size, s.to, s.count * size, error);
    }
    return status;
}

/* Sets are sorted by size, so that their offsets follow from the classes: 8 bytes a set need not be brought. */
static akin_status write_offsets(akin_gpu_join *gpu, const akin_ranked *ranked, akin_gpu_side *side, akin_error *error)
{
    static const char what[] = "the sets";
    uint64_t bytes = ranked->classes * sizeof(akin_gpu_class);
    akin_gpu_class *classes = akin_alloc(gpu->job->account, ranked->classes, sizeof *classes);
    if (!classes)
        return akin_fail_memory(error, what);
    for (uint32_t c = 0; c < ranked->classes; c++) {
        uint32_t set = ranked->class_first[c];
        classes[c] = (akin_gpu_class){ranked->offsets[set], set, ranked->class_size[c]};
    }
    akin_status status = akin_device_reserve(gpu->device, &side->classes, bytes, 1, what, error);
    if (status == AKIN_OK)
        status = akin_device_upload(gpu->stream, side->classes.data, classes, bytes, error);
    if (status == AKIN_OK && ranked->classes > 0)
        status = akin_kernels(gpu->stream)
                     ->sets->write_offsets(gpu->stream, side->classes.data, ranked->classes, ranked->count,
                                           side->offsets.data, error);
    akin_free(classes);
    return status;
}

/* The sets of a view begin somewhere in the whole collection: their offsets are those there, and their tokens are taken
 * as if those before were there, too. */
static akin_status upload_side(akin_gpu_join *gpu, const akin_ranked *ranked, akin_gpu_side *side, akin_error *error)
{
    static const char what[] = "the sets";
    uint64_t tokens = akin_ranked_tokens(ranked), offsets = (uint64_t)ranked->count + 1;
    size_t size = akin_gpu_token_bytes(ranked->universe);
    akin_status status = akin_device_reserve(gpu->device, &side->offsets, offsets, sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(gpu->device, &side->tokens, tokens, size, what, error);
    if (status == AKIN_OK)
        status = stage_array(gpu, side->tokens.data, ranked->tokens + ranked->offsets[0], tokens, size, error);
    if (status == AKIN_OK)
        status = write_offsets(gpu, ranked, side, error);
    const char *first = side->tokens.data;
    side->sets = (akin_gpu_sets){.count = ranked->count,
                                 .largest = akin_ranked_largest(ranked),
                                 .narrow = size == sizeof(uint16_t),
                                 .offsets = side->offsets.data,
                                 .tokens = first - ranked->offsets[0] * size};
    return status;
}

static akin_verify_way way_of(const akin_join_job *job)
{
    uint64_t sets = (uint64_t)job->probes->count + job->indexed->count;
    uint64_t tokens = akin_ranked_tokens(job->probes) + akin_ranked_tokens(job->indexed);
    if (job->verify_way != AKIN_VERIFY_AUTO)
        return (akin_verify_way)job->verify_way;
    return tokens <= AKIN_VERIFY_MANY_MOST * sets  ? AKIN_VERIFY_MANY
           : tokens <= AKIN_VERIFY_ONE_MOST * sets ? AKIN_VERIFY_ONE
                                                   : AKIN_VERIFY_PART;
}

uint64_t akin_gpu_join_bytes(const akin_join_job *job)
{
    return sizeof(akin_gpu_pair) + (job->keep ? sizeof(akin_gpu_pair) + sizeof(uint32_t) : 0);
}

#define CANDIDATES ((uint64_t)4 << 20) /* room for candidates where memory permits */

uint64_t akin_gpu_join_room(const akin_join_job *job, uint64_t bytes, uint64_t least)
{
    uint64_t most = akin_wishes_of(job->scope)->candidates ? akin_wishes_of(job->scope)->candidates : CANDIDATES;
    return akin_max_u64(akin_min_u64(most, bytes / 8 / akin_gpu_join_bytes(job)), least);
}

#define SCRATCH ((double)(9 << 18)) /* bytes of the stream, and of blocks that are rounded up */

void akin_gpu_join_bounds(const akin_join_job *job, uint64_t bytes, uint64_t least, akin_share_bounds *out)
{
    out->bytes = 0.9 * (double)bytes;
    out->fixed = (double)(akin_gpu_join_room(job, bytes, least) * akin_gpu_join_bytes(job)) + SCRATCH;
    out->a_token = (double)akin_gpu_token_bytes(job->probes->universe);
    out->a_set = sizeof(uint64_t);
    out->a_pair = 0;
}

akin_status akin_gpu_join_begin(akin_join_job *job, uint64_t room, akin_gpu_join *out, akin_error *error)
{
    static const char what[] = "the candidates", found[] = "the pairs found";
    akin_device *device = job->device;
    *out = (akin_gpu_join){.job = job,
                           .device = device,
                           .room = room,
                           .piece = akin_wishes_of(job->scope)->candidates ? PIECE_TRIED : PIECE,
                           .way = way_of(job),
                           .rule = job->threshold.rule};
    akin_status status = akin_device_stream_create(device, &out->stream, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &out->candidates, room, sizeof(akin_gpu_pair), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &out->tally, 1, sizeof(akin_gpu_tally), what, error);
    if (status == AKIN_OK)
        status = akin_pinned_reserve(device, &out->told, 1, sizeof(akin_gpu_tally), what, error);
    if (status == AKIN_OK && job->keep)
        status = akin_device_reserve(device, &out->pairs, room, sizeof(akin_gpu_pair), what, error);
    if (status == AKIN_OK && job->keep)
        status = akin_device_reserve(device, &out->overlaps, room, sizeof(uint32_t), what, error);
    if (status == AKIN_OK && job->keep)
        status = akin_pinned_reserve(device, &out->found[0], 2 * out->piece, sizeof(akin_gpu_pair), found, error);
    if (status == AKIN_OK && job->keep)
        status = akin_pinned_reserve(device, &out->found[1], 2 * out->piece, sizeof(uint32_t), found, error);
    out->indexed = out->probes = &out->built[0];
    if (status == AKIN_OK)
        status = upload_side(out, job->probes, &out->built[0], error);
    if (status == AKIN_OK && !job->self) {
        out->indexed = &out->built[1];
        status = upload_side(out, job->indexed, &out->built[1], error);
    }
    return status;
}

void akin_gpu_join_clear(akin_gpu_join *gpu)
{
    akin_device_stream_free(gpu->stream);
    for (int s = 0; s < 2; s++) {
        akin_device_release(gpu->device, &gpu->built[s].offsets);
        akin_device_release(gpu->device, &gpu->built[s].tokens);
        akin_device_release(gpu->device, &gpu->built[s].classes);
        akin_pinned_release(gpu->device, &gpu->found[s]);
    }
    akin_device_release(gpu->device, &gpu->candidates);
    akin_device_release(gpu->device, &gpu->tally);
    akin_device_release(gpu->device, &gpu->pairs);
    akin_device_release(gpu->device, &gpu->overlaps);
    akin_pinned_release(gpu->device, &gpu->told);
    akin_pinned_release(gpu->device, &gpu->staged);
}

akin_status akin_gpu_tally_reset(akin_device_stream *stream, akin_gpu_tally *tally, akin_error *error)
{
    akin_status status = akin_device_fill(stream, tally, 0, sizeof *tally, error);
    if (status == AKIN_OK)
        status = akin_device_fill(stream, &tally->valid, 0xff, sizeof tally->valid, error);
    return status;
}

akin_status akin_gpu_join_reset(akin_gpu_join *gpu, akin_error *error)
{
    return akin_gpu_tally_reset(gpu->stream, gpu->tally.data, error);
}

#define PAIRS_A_TASK 16384

/* Pairs of one piece, which workers are to get. */
typedef struct emission {
    const akin_gpu_join *gpu;
    const akin_gpu_pair *pairs;
    const uint32_t *overlaps;
    uint64_t count;
} emission;

static akin_status emit_some(void *argument, uint64_t task, uint32_t thread)
{
    const emission *e = argument;
    akin_join_job *job = e->gpu->job;
    uint64_t end = akin_min_u64((task + 1) * PAIRS_A_TASK, e->count);
    for (uint64_t i = task * PAIRS_A_TASK; i < end; i++)
        if (!akin_join_emit(job, &job->workers[thread], (uint32_t)(e->pairs[i] >> 32), (uint32_t)e->pairs[i],
                            e->overlaps[i]))
            return AKIN_E_NOMEM;
    return AKIN_OK;
}

static akin_gpu_pair *piece_pairs(const akin_gpu_join *gpu, int piece)
{
    return (akin_gpu_pair *)gpu->found[0].data + (piece ? gpu->piece : 0);
}

static uint32_t *piece_overlaps(const akin_gpu_join *gpu, int piece)
{
    return (uint32_t *)gpu->found[1].data + (piece ? gpu->piece : 0);
}

/* Hands a piece that has arrived, if there is one, to the workers. */
static akin_status emit_piece(akin_gpu_join *gpu, int piece, akin_error *error)
{
    emission e = {gpu, piece_pairs(gpu, piece), piece_overlaps(gpu, piece), gpu->fetched[piece]};
    if (e.count == 0)
        return AKIN_OK;
    gpu->fetched[piece] = 0;
    akin_status status = akin_parallel(gpu->job->scope, NULL, akin_ceil_div(e.count, PAIRS_A_TASK), emit_some, &e);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "the pairs found");
}

/* One piece is copied while the workers get the one before. */
akin_status akin_gpu_join_fetch(akin_gpu_join *gpu, akin_device_stream *stream, const akin_gpu_pair *pairs,
                                const uint32_t *overlaps, uint64_t found, akin_error *error)
{
    akin_status status = akin_gpu_join_emit(gpu, error);
    for (uint64_t at = 0; at < found && status == AKIN_OK; at += gpu->piece) {
        int piece = at / gpu->piece % 2;
        uint64_t count = akin_min_u64(gpu->piece, found - at);
        status = akin_device_read(stream, piece_pairs(gpu, piece), pairs + at, count * sizeof *pairs, error);
        if (status == AKIN_OK)
            status =
                akin_device_read(stream, piece_overlaps(gpu, piece), overlaps + at, count * sizeof *overlaps, error);
        if (status == AKIN_OK)
            status = emit_piece(gpu, !piece, error);
        if (status == AKIN_OK)
            status = akin_device_stream_finish(stream, error);
        gpu->fetched[piece] = status == AKIN_OK ? count : 0;
    }
    return status;
}

akin_status akin_gpu_join_emit(akin_gpu_join *gpu, akin_error *error)
{
    akin_status status = emit_piece(gpu, 0, error);
    return status == AKIN_OK ? emit_piece(gpu, 1, error) : status;
}

akin_status akin_gpu_join_verify(akin_gpu_join *gpu, akin_gpu_tally *told, akin_error *error)
{
    akin_status status = akin_kernels(gpu->stream)
                             ->sets->verify(gpu->stream, &gpu->probes->sets, &gpu->indexed->sets, gpu->rule, gpu->way,
                                            gpu->candidates.data, gpu->room, gpu->tally.data, gpu->pairs.data,
                                            gpu->overlaps.data, error);
    if (status == AKIN_OK)
        status = akin_device_read(gpu->stream, gpu->told.data, gpu->tally.data, sizeof *told, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(gpu->stream, error);
    if (status != AKIN_OK)
        return status;
    memcpy(told, gpu->told.data, sizeof *told);
    akin_join_worker *worker = &gpu->job->workers[0];
    worker->candidates += akin_gpu_tally_appended(told, gpu->room);
    return akin_gpu_join_found(gpu, told->found, error);
}

akin_status akin_gpu_join_found(akin_gpu_join *gpu, uint64_t found, akin_error *error)
{
    if (!gpu->job->keep) {
        gpu->job->workers[0].count += found;
        return AKIN_OK;
    }
    if (found == 0)
        return AKIN_OK;
    akin_status status = akin_gpu_join_fetch(gpu, gpu->stream, gpu->pairs.data, gpu->overlaps.data, found, error);
    return status == AKIN_OK ? akin_gpu_join_emit(gpu, error) : status;
}
