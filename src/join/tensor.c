/*
 * The join on binary tensor cores: signatures of all length-compatible pairs, as in the bitmap join, but compared by
 * matrix instructions of the GPU (join/tensor_cuda.cu), and candidates verified there.
 *
 * Sets are arranged by size, then by popcount, so that what neighbours need is about the same. Blocks of rows meet the
 * runs of columns whose sizes can match. A batch of such tasks is one launch; its candidates go to a buffer of fixed
 * size and are verified before the next one. Where the buffer is full, tasks stop, and go on in a launch of their own.
 */
#include "base/bits.h"
#include "device/primitives.h"
#include "join/gpu.h"

#include <string.h>

#define CANDIDATES    ((uint64_t)4 << 20) /* room for them */
#define COLUMNS       8192u               /* most of a task: a multiple of the step */
#define PAIRS_A_BATCH 5e10                /* of 256 bits: a launch takes some ms */

/* A side, arranged. */
typedef struct side {
    akin_device_buffer set, signatures, slack, low;
    akin_tensor_side arranged;
} side;

typedef struct tensor {
    akin_gpu_join gpu;
    side built[2];
    const side *probes, *indexed;
    akin_device_buffer tasks, resume[2]; /* those to go on with, of every other launch */
    uint64_t room_resume;
    akin_tensor_task *list; /* all tasks, on the host */
    uint64_t count;
} tensor;

static void side_clear(akin_device *device, side *side)
{
    akin_device_release(device, &side->set);
    akin_device_release(device, &side->signatures);
    akin_device_release(device, &side->slack);
    akin_device_release(device, &side->low);
}

/* Buffers that are needed while a side is arranged. */
typedef struct arranging {
    akin_device_buffer class_first, signatures, keys[2], numbers[2];
} arranging;

static akin_status arrange_with(tensor *t, arranging *a, const akin_ranked *ranked, const akin_gpu_side *gpu, side *out,
                                akin_error *error)
{
    static const char what[] = "the signatures";
    akin_device *device = t->gpu.device;
    akin_device_stream *stream = t->gpu.stream;
    uint32_t bits = t->gpu.job->bits, words = bits / 32, key_bits = AKIN_TENSOR_KEY;
    uint64_t count = ranked->count, padded = (count / AKIN_TENSOR_STEP + 1) * AKIN_TENSOR_STEP + AKIN_TENSOR_PADDING;
    struct {
        akin_device_buffer *buffer;
        uint64_t count;
    } const wanted[] = {{&a->class_first, ranked->classes},
                        {&a->signatures, count * words},
                        {&a->keys[0], count},
                        {&a->keys[1], count},
                        {&a->numbers[0], count},
                        {&a->numbers[1], count},
                        {&out->signatures, padded * words},
                        {&out->slack, padded},
                        {&out->low, padded / AKIN_TENSOR_STEP}};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == AKIN_OK; i++)
        status = akin_device_reserve(device, wanted[i].buffer, wanted[i].count, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_upload(stream, a->class_first.data, ranked->class_first,
                                    ranked->classes * sizeof(uint32_t), error);
    uint32_t *keys[2] = {a->keys[0].data, a->keys[1].data}, *numbers[2] = {a->numbers[0].data, a->numbers[1].data};
    if (status == AKIN_OK)
        status = akin_tensor_sign(stream, &gpu->sets, bits, a->class_first.data, ranked->classes, a->signatures.data,
                                  keys[0], numbers[0], error);
    while (key_bits < 32 && ranked->classes >> (key_bits - AKIN_TENSOR_KEY))
        key_bits++;
    if (status == AKIN_OK)
        status = akin_device_sort_pairs32(stream, &keys[0], &keys[1], &numbers[0], &numbers[1], count, key_bits, error);
    if (status != AKIN_OK)
        return status;
    int second = numbers[0] == a->numbers[1].data;
    out->set = a->numbers[second];
    a->numbers[second] = (akin_device_buffer){NULL, 0};
    out->arranged =
        (akin_tensor_side){ranked->count, out->set.data, out->signatures.data, out->slack.data, out->low.data};
    return akin_tensor_arrange(stream, &gpu->sets, t->gpu.rule, bits, a->signatures.data, &out->arranged, error);
}

static akin_status arrange(tensor *t, const akin_ranked *ranked, const akin_gpu_side *gpu, side *out, akin_error *error)
{
    akin_device *device = t->gpu.device;
    arranging a = {0};
    akin_status status = arrange_with(t, &a, ranked, gpu, out, error);
    akin_device_release(device, &a.class_first);
    akin_device_release(device, &a.signatures);
    for (int k = 0; k < 2; k++) {
        akin_device_release(device, &a.keys[k]);
        akin_device_release(device, &a.numbers[k]);
    }
    return status;
}

/* The size of the set at a position: positions keep the order of the classes. */
static uint32_t size_at(const akin_ranked *ranked, uint32_t position)
{
    return akin_ranked_size(ranked, position);
}

/* Cuts the join into tasks: called once to count them, once to write them. */
static uint64_t cut_tasks(const akin_join_job *job, akin_tensor_task *tasks)
{
    const akin_ranked *probes = job->probes, *indexed = job->indexed;
    uint32_t rows = AKIN_TENSOR_ROWS(job->bits);
    uint64_t count = 0;
    for (uint64_t row = 0; row < probes->count; row += rows) {
        uint32_t last = (uint32_t)akin_min_u64(row + rows, probes->count) - 1;
        uint32_t smallest = size_at(probes, (uint32_t)row);
        uint64_t least, most;
        akin_threshold_partners(&job->threshold, smallest, size_at(probes, last), &least, &most);
        uint32_t first = akin_ranked_first(indexed, least) / AKIN_TENSOR_STEP * AKIN_TENSOR_STEP;
        uint32_t end = job->self ? last + 1 : akin_ranked_first(indexed, most + 1);
        for (uint64_t column = first; column < end; column += COLUMNS, count++) {
            if (!tasks)
                continue;
            int32_t extra = -1;
            if (!akin_threshold_divides(&job->threshold))
                extra =
                    2 * (int32_t)akin_threshold_overlap(&job->threshold, smallest, size_at(indexed, (uint32_t)column));
            tasks[count] = (akin_tensor_task){(uint32_t)row, (uint32_t)column,
                                              (uint32_t)akin_min_u64(column + COLUMNS, end), extra, 0};
        }
    }
    return count;
}

/* How many tasks a launch may have. */
static uint64_t tasks_a_batch(const tensor *t)
{
    double pairs = (double)AKIN_TENSOR_ROWS(t->gpu.job->bits) * COLUMNS;
    return (uint64_t)(PAIRS_A_BATCH * 256 / t->gpu.job->bits / pairs) + 1;
}

/* Candidates to make room for on a device that has room for so many bytes. */
static uint64_t room_of(const akin_join_job *job, uint64_t bytes)
{
    uint64_t most = job->context->candidates ? job->context->candidates : CANDIDATES;
    return akin_max_u64(akin_min_u64(most, bytes / 8 / akin_gpu_join_bytes(job)), AKIN_TENSOR_LEAST);
}

#define SCRATCH ((double)(9 << 18)) /* bytes of the stream, and of blocks that are rounded up */

/* See prepare and arrange_with: a set has its offset, two signatures, keys and numbers while it is arranged, slack; a
 * task is a number of pairs, and may leave one for each warp to go on with, twice. */
void akin_tensor_bounds(const akin_join_job *job, uint64_t bytes, akin_share_bounds *out)
{
    double task = sizeof(akin_tensor_task) * (1 + 2 * AKIN_TENSOR_WARPS), rows = AKIN_TENSOR_ROWS(job->bits);
    double padding = 2 * (AKIN_TENSOR_STEP + AKIN_TENSOR_PADDING) * (job->bits / 8.0 + 8);
    out->bytes = 0.9 * (double)bytes;
    out->fixed = (double)(room_of(job, bytes) * akin_gpu_join_bytes(job)) + padding + SCRATCH;
    out->a_token = job->probes->universe <= (uint64_t)UINT16_MAX + 1 ? 2 : 4;
    out->a_set = 8 + job->bits / 4.0 + 28 + 2 * task / rows;
    out->a_pair = task / (rows * COLUMNS);
}

static akin_status prepare(akin_join_job *job, tensor *t, akin_error *error)
{
    akin_status status = akin_gpu_join_begin(job, room_of(job, akin_device_room(job->device)), &t->gpu, error);
    t->probes = t->indexed = &t->built[0];
    if (status == AKIN_OK)
        status = arrange(t, job->probes, t->gpu.probes, &t->built[0], error);
    if (status == AKIN_OK && !job->self) {
        t->indexed = &t->built[1];
        status = arrange(t, job->indexed, t->gpu.indexed, &t->built[1], error);
    }
    if (status != AKIN_OK)
        return status;
    t->count = cut_tasks(job, NULL);
    t->list = akin_alloc(job->account, t->count, sizeof *t->list);
    if (!t->list)
        return akin_fail_memory(error, "the tasks of the GPU");
    cut_tasks(job, t->list);
    t->room_resume = akin_min_u64(tasks_a_batch(t), t->count) * AKIN_TENSOR_WARPS;
    status = akin_device_reserve(t->gpu.device, &t->tasks, t->count, sizeof *t->list, "the tasks", error);
    for (int k = 0; k < 2 && status == AKIN_OK; k++)
        status = akin_device_reserve(t->gpu.device, &t->resume[k], t->room_resume, sizeof *t->list, "the tasks", error);
    if (status == AKIN_OK)
        status = akin_device_upload(t->gpu.stream, t->tasks.data, t->list, t->count * sizeof *t->list, error);
    return status;
}

/* Runs one launch of tasks that lie on the device, and then those that found no room, until there are none. */
static akin_status run_batch(tensor *t, const akin_tensor_task *tasks, uint64_t count, akin_error *error)
{
    akin_gpu_join *gpu = &t->gpu;
    const akin_join_job *job = gpu->job;
    akin_status status = AKIN_OK;
    for (int next = 0; count > 0 && status == AKIN_OK; next = !next) {
        akin_gpu_tally told = {0};
        status = akin_context_report(job->context, NULL, 0, 0);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, "the pairs found");
        status = akin_gpu_join_reset(gpu, error);
        if (status == AKIN_OK)
            status = akin_tensor_filter(gpu->stream, &t->probes->arranged, &t->indexed->arranged, job->self, job->bits,
                                        tasks, (uint32_t)count, gpu->candidates.data, gpu->room, gpu->tally.data,
                                        t->resume[next].data, error);
        if (status == AKIN_OK)
            status = akin_gpu_join_verify(gpu, &told, error);
        tasks = t->resume[next].data;
        count = told.resumed;
    }
    return status;
}

static akin_status run_all(tensor *t, akin_error *error)
{
    const akin_join_job *job = t->gpu.job;
    const akin_tensor_task *tasks = t->tasks.data;
    uint64_t batch = tasks_a_batch(t);
    for (uint64_t first = 0; first < t->count; first += batch) {
        uint64_t count = akin_min_u64(batch, t->count - first);
        akin_status status = akin_context_report(job->context, "joining", first, t->count);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, "the pairs found");
        status = run_batch(t, tasks + first, count, error);
        if (status != AKIN_OK)
            return status;
        for (uint64_t k = first; k < first + count; k++)
            job->workers[0].compared += (uint64_t)AKIN_TENSOR_ROWS(job->bits) * (t->list[k].end - t->list[k].column);
    }
    return AKIN_OK;
}

akin_status akin_join_tensor(akin_join_job *job, akin_error *error)
{
    tensor t = {.gpu = {.device = job->device}};
    akin_status status = prepare(job, &t, error);
    if (status == AKIN_OK)
        status = run_all(&t, error);
    akin_gpu_join_clear(&t.gpu);
    for (int s = 0; s < 2; s++) {
        side_clear(job->device, &t.built[s]);
        akin_device_release(job->device, &t.resume[s]);
    }
    akin_device_release(job->device, &t.tasks);
    akin_free(t.list);
    return status;
}
