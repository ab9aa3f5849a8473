/*
 * The join on binary tensor cores: signatures of all length-compatible pairs, as in the bitmap join, but compared by
 * matrix instructions of the GPU (join/tensor_cuda.cu), and candidates verified there.
 *
 * Sets are arranged by size, then by popcount, so that neighbours need about the same number of common bits. Blocks of
 * rows meet the runs of columns whose sizes can match. A batch of such tasks is one launch; its candidates go to a
 * buffer of fixed size and are verified while the next batch is filtered (join/batches.h). When the buffer is full,
 * tasks stop, and another launch continues them.
 *
 * Where the signatures have a bit for each token of the universe, they are the sets, and the matrix instructions count
 * the overlap. Then the filter alone decides, and pairs that are only counted need no buffer.
 */
#include "join/tensor.h"

#include "base/bits.h"
#include "base/context.h"
#include "device/primitives.h"
#include "join/batches.h"

#include <string.h>

#define COLUMNS       8192u /* most of a task: a multiple of the step */
#define COLUMNS_TRIED 64u   /* where tests want all to be small: then a launch has two tasks */
#define PAIRS_A_BATCH 4e8   /* of 256 bits, for each multiprocessor: a launch takes some ms */

/* A side, arranged. */
typedef struct side {
    akin_device_buffer set, signatures, slack, low, term;
    akin_tensor_side arranged;
} side;

/* What a batch is at: tasks that lie on the device, and to where those are written that are to go on. */
typedef struct at_work {
    const akin_tensor_task *tasks;
    uint64_t count;               /* of them; 0: nothing is at work */
    uint64_t taken;               /* how many of the list these are, or began as */
    int resumed;                  /* they are those that were to go on */
    akin_device_buffer resume[2]; /* of every other launch */
    int turn;
} at_work;

typedef struct tensor {
    akin_gpu_join gpu;
    akin_gpu_batches batches;
    akin_tensor_rule rule;
    akin_tensor_kernel kernel;
    side built[2];
    const side *probes, *indexed;
    akin_device_buffer tasks;
    akin_tensor_task *list; /* all tasks, on the host */
    uint64_t count, next, done;
    uint64_t room; /* candidates to make room for, in all batches */
    at_work at[2]; /* for each batch */
} tensor;

static void clear_tensor_side(akin_device *device, side *side)
{
    akin_device_release(device, &side->set);
    akin_device_release(device, &side->signatures);
    akin_device_release(device, &side->slack);
    akin_device_release(device, &side->low);
    akin_device_release(device, &side->term);
}

/* The rule that decides about pairs of sets, or those that may qualify by their signatures. */
static akin_tensor_rule rule_of(const akin_join_job *job)
{
    akin_ratio small = akin_threshold_small(&job->threshold, job->bits);
    const akin_tensor_rule by_distance = {.factor = 2};
    if (job->indexed->universe > job->bits)
        return by_distance;
    switch (job->threshold.rule.form) { /* an exact rule has a term for each set */
    case AKIN_FORM_SUM:
        return (akin_tensor_rule){1, 0, small.den, small.num, 0};
    case AKIN_FORM_PRODUCT:
        return (akin_tensor_rule){1, 1, small.den, small.num, 0};
    case AKIN_FORM_CONSTANT:
        return (akin_tensor_rule){.exact = 1, .factor = 1, .extra = (int32_t)small.num};
    case AKIN_FORM_SMALLER:
    case AKIN_FORM_FIRST:
    case AKIN_FORM_SECOND:
        break;
    }
    return by_distance;
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
                        {&out->low, padded / AKIN_TENSOR_STEP},
                        {&out->term, t->rule.exact ? padded : 0}};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == AKIN_OK; i++)
        status = akin_device_reserve(device, wanted[i].buffer, wanted[i].count, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_upload(stream, a->class_first.data, ranked->class_first,
                                    ranked->classes * sizeof(uint32_t), error);
    uint32_t *keys[2] = {a->keys[0].data, a->keys[1].data}, *numbers[2] = {a->numbers[0].data, a->numbers[1].data};
    if (status == AKIN_OK)
        status =
            akin_kernels(stream)->tensor_sides->sign(stream, &gpu->sets, bits, a->class_first.data, ranked->classes,
                                                     a->signatures.data, keys[0], numbers[0], error);
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
        (akin_tensor_side){ranked->count,   out->set.data, out->signatures.data,
                           out->slack.data, out->low.data, t->rule.exact ? out->term.data : out->slack.data};
    return akin_kernels(stream)->tensor_sides->arrange(stream, &gpu->sets, t->gpu.rule, t->rule, bits,
                                                       a->signatures.data, &out->arranged, error);
}

static akin_status arrange_signatures(tensor *t, const akin_ranked *ranked, const akin_gpu_side *gpu, side *out,
                                      akin_error *error)
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
static uint32_t size_at_tile(const akin_ranked *ranked, uint32_t position)
{
    return akin_ranked_size(ranked, position);
}

static uint32_t columns_a_task(const akin_join_job *job)
{
    return akin_wishes_of(job->scope)->candidates ? COLUMNS_TRIED : COLUMNS;
}

/* Cuts the join into tasks: called once to count them, once to write them. */
static uint64_t cut_tensor_tasks(const akin_join_job *job, akin_tensor_task *tasks)
{
    const akin_ranked *probes = job->probes, *indexed = job->indexed;
    uint32_t rows = AKIN_TENSOR_ROWS(job->bits), columns = columns_a_task(job);
    uint64_t count = 0;
    for (uint64_t row = 0; row < probes->count; row += rows) {
        uint32_t last = (uint32_t)akin_min_u64(row + rows, probes->count) - 1;
        uint32_t smallest = size_at_tile(probes, (uint32_t)row);
        uint64_t least, most;
        akin_threshold_partners(&job->threshold, smallest, size_at_tile(probes, last), &least, &most);
        uint32_t first = akin_ranked_first(indexed, least) / AKIN_TENSOR_STEP * AKIN_TENSOR_STEP;
        uint32_t end = job->self ? last + 1 : akin_ranked_first(indexed, most + 1);
        for (uint64_t column = first; column < end; column += columns, count++) {
            if (!tasks)
                continue;
            int32_t extra = -1;
            if (!akin_rule_divides(job->threshold.rule))
                extra = 2 * (int32_t)akin_threshold_overlap(&job->threshold, smallest,
                                                            size_at_tile(indexed, (uint32_t)column));
            tasks[count] = (akin_tensor_task){(uint32_t)row, (uint32_t)column,
                                              (uint32_t)akin_min_u64(column + columns, end), extra, 0};
        }
    }
    return count;
}

/* How many tasks a launch may have. */
static uint64_t tasks_a_batch(const tensor *t)
{
    double pairs = (double)AKIN_TENSOR_ROWS(t->gpu.job->bits) * COLUMNS;
    if (akin_wishes_of(t->gpu.job->scope)->candidates)
        return 2;
    double most = (t->kernel == AKIN_TENSOR_PLAIN ? PAIRS_A_BATCH / 50 : PAIRS_A_BATCH) *
                  akin_device_properties(t->gpu.device)->multiprocessors;
    return akin_join_batch(t->gpu.job, (uint64_t)(most * 256 / t->gpu.job->bits / pairs) + 1, t->count);
}

/* Makes the tasks, and room for those to go on with. */
static akin_status prepare_tasks(tensor *t, akin_error *error)
{
    static const char what[] = "the tasks";
    const akin_join_job *job = t->gpu.job;
    t->count = cut_tensor_tasks(job, NULL);
    t->list = akin_alloc(job->account, t->count, sizeof *t->list);
    if (!t->list)
        return akin_fail_memory(error, "the tasks of the GPU");
    cut_tensor_tasks(job, t->list);
    uint64_t batch = tasks_a_batch(t), batches = t->count > batch ? 2 : 1;
    uint64_t room = akin_max_u64(t->room / batches, AKIN_TENSOR_LEAST);
    uint64_t resumed = t->rule.exact && !job->keep ? 0 : akin_min_u64(batch, t->count) * AKIN_TENSOR_WARPS;
    akin_status status = akin_device_reserve(t->gpu.device, &t->tasks, t->count, sizeof *t->list, what, error);
    for (uint64_t k = 0; k < 2 * batches && status == AKIN_OK; k++)
        status = akin_device_reserve(t->gpu.device, &t->at[k / 2].resume[k % 2], resumed, sizeof *t->list, what, error);
    if (status == AKIN_OK)
        status = akin_device_upload(t->gpu.stream, t->tasks.data, t->list, t->count * sizeof *t->list, error);
    if (status == AKIN_OK)
        status = akin_gpu_batches_begin(&t->gpu, (uint32_t)batches, t->rule.exact, room, AKIN_TENSOR_LEAST, &t->batches,
                                        error);
    return status;
}

/* See prepare and arrange_with. While a set is arranged, it has two signatures, keys and numbers, and a slack. A task
 * has a number of pairs, and may leave a task for each warp to continue, twice in each batch. */
void akin_tensor_bounds(const akin_join_job *job, uint64_t bytes, akin_share_bounds *out)
{
    double task = sizeof(akin_tensor_task) * (1 + 4 * AKIN_TENSOR_WARPS), rows = AKIN_TENSOR_ROWS(job->bits);
    akin_gpu_join_bounds(job, bytes, 2 * AKIN_TENSOR_LEAST, out);
    out->fixed += 2 * (AKIN_TENSOR_STEP + AKIN_TENSOR_PADDING) * (job->bits / 8.0 + 8);
    out->a_set += job->bits / 4.0 + 28 + 2 * task / rows;
    out->a_pair = task / (rows * COLUMNS);
}

/* Sizes, and sums of two of them twice, are 32-bit numbers with a sign. */
#define SIZE_MOST (1u << 27)

static akin_status prepare_tensor(akin_join_job *job, tensor *t, akin_error *error)
{
    uint32_t largest = akin_max_u32(job->probes->class_size[job->probes->classes - 1],
                                    job->indexed->class_size[job->indexed->classes - 1]);
    if (largest > SIZE_MOST)
        return akin_fail(error, AKIN_E_LIMIT, "tensor joins sets of up to %u tokens, and one has %u", SIZE_MOST,
                         largest);
    t->room = akin_gpu_join_room(job, akin_device_room(job->device), 2 * AKIN_TENSOR_LEAST);
    akin_status status = akin_gpu_join_begin(job, 0, &t->gpu, error); /* the batches have buffers of their own */
    akin_tensor_kernel wanted = (akin_tensor_kernel)akin_wishes_of(job->scope)->kernel;
    t->rule = rule_of(job);
    if (wanted == AKIN_TENSOR_BEST && t->rule.exact) /* where many pairs qualify, wgmma is the slower */
        wanted = AKIN_TENSOR_MMA;
    t->probes = t->indexed = &t->built[0];
    if (status == AKIN_OK)
        status = akin_kernels_of(job->device)->tensor->kernel_of(job->device, job->bits, wanted, &t->kernel, error);
    if (status == AKIN_OK)
        status = arrange_signatures(t, job->probes, t->gpu.probes, &t->built[0], error);
    if (status == AKIN_OK && !job->self) {
        t->indexed = &t->built[1];
        status = arrange_signatures(t, job->indexed, t->gpu.indexed, &t->built[1], error);
    }
    return status == AKIN_OK ? prepare_tasks(t, error) : status;
}

/* Gives a batch that is done the next tasks of the list, if there are any. */
static void go_on(tensor *t, at_work *at)
{
    akin_join_job *job = t->gpu.job;
    uint64_t batch = tasks_a_batch(t);
    t->done += at->taken;
    at->resumed = 0;
    t->next = akin_join_next(job, t->next, batch, t->count);
    at->taken = at->count = akin_min_u64(batch, t->count - t->next);
    at->tasks = (const akin_tensor_task *)t->tasks.data + t->next;
    for (uint64_t end = t->next + at->count; t->next < end; t->next++)
        job->workers[0].compared +=
            (uint64_t)AKIN_TENSOR_ROWS(job->bits) * (t->list[t->next].end - t->list[t->next].column);
}

/* Later: filters the tasks of a batch, and verifies what is found. */
static akin_status launch_tensor(tensor *t, uint32_t which, akin_error *error)
{
    const akin_join_job *job = t->gpu.job;
    const akin_gpu_batch *batch = &t->batches.batch[which];
    at_work *at = &t->at[which];
    int resumed = at->resumed && t->kernel == AKIN_TENSOR_WGMMA;
    const akin_tensor_taken taken = {.pairs = akin_gpu_batch_pairs(&t->batches, which),
                                     .overlaps = t->rule.exact ? batch->overlaps.data : NULL,
                                     .room = t->batches.room,
                                     .tally = batch->tally.data,
                                     .resume = at->resume[at->turn].data,
                                     .kernel = resumed ? AKIN_TENSOR_MMA : t->kernel};
    akin_status status = akin_gpu_batch_reset(&t->batches, which, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->gpu.stream)
                     ->tensor->filter(t->gpu.stream, &t->probes->arranged, &t->indexed->arranged, t->rule, job->self,
                                      job->bits, at->tasks, (uint32_t)at->count, &taken, error);
    return status == AKIN_OK ? akin_gpu_batch_verify(&t->batches, which, error) : status;
}

/* Takes the results of a batch, and starts it again, with the tasks that found no room or with the next ones. Then it
 * passes on the results. */
static akin_status turn_over(tensor *t, uint32_t which, akin_error *error)
{
    at_work *at = &t->at[which];
    const akin_join_job *job = t->gpu.job;
    akin_gpu_tally told = {0};
    uint64_t done = job->turns ? t->next : t->done;
    akin_status status = akin_scope_report(job->scope, "joining", done, t->count);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the pairs found");
    status = akin_gpu_batch_take(&t->batches, which, &told, error);
    if (status != AKIN_OK)
        return status;
    at->tasks = at->resume[at->turn].data;
    at->count = told.resumed;
    at->turn = !at->turn;
    at->resumed = 1;
    if (at->count == 0)
        go_on(t, at);
    if (at->count > 0)
        status = launch_tensor(t, which, error);
    return status == AKIN_OK ? akin_gpu_join_emit(&t->gpu, error) : status;
}

static akin_status run_all_tiles(tensor *t, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t which = 0; which < t->batches.count && status == AKIN_OK; which++) {
        go_on(t, &t->at[which]);
        if (t->at[which].count > 0)
            status = launch_tensor(t, which, error);
    }
    while (status == AKIN_OK && (t->at[0].count > 0 || t->at[1].count > 0))
        for (uint32_t which = 0; which < t->batches.count && status == AKIN_OK; which++)
            if (t->at[which].count > 0)
                status = turn_over(t, which, error);
    return status;
}

akin_status akin_join_tensor(akin_join_job *job, akin_error *error)
{
    tensor t = {.gpu = {.device = job->device}};
    akin_status status = prepare_tensor(job, &t, error);
    if (status == AKIN_OK)
        status = run_all_tiles(&t, error);
    akin_gpu_batches_clear(&t.batches);
    akin_gpu_join_clear(&t.gpu);
    for (int s = 0; s < 2; s++) {
        clear_tensor_side(job->device, &t.built[s]);
        akin_device_release(job->device, &t.at[s].resume[0]);
        akin_device_release(job->device, &t.at[s].resume[1]);
    }
    akin_device_release(job->device, &t.tasks);
    akin_free(t.list);
    return status;
}
