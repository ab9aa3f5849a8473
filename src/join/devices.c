/*
 * The join on GPUs. What fits one GPU, and is short or has no other, is done there at once. All else is cut in shares
 * (join/shares.h), which the GPUs take from one queue, the largest first: two takers for each GPU, a device and its twin
 * with half of its memory each, so that one copies while the other computes. With "cuda:all" the CPU takes from the
 * other end what it is predicted to be done with before the GPUs are with the rest.
 */
#include "join/devices.h"

#include "base/bits.h"
#include "join/gpu.h"
#include "join/part.h"
#include "join/plan.h"

#define TWIN_LEAST    ((uint64_t)32 << 20) /* bytes of each half; a GPU that has less has one taker */
#define SECONDS_LEAST 0.01 /* of a join that several GPUs share: a share takes some milliseconds at least */
#define SHARES        3    /* for each taker, so that all end at about the same time */
#define TAKERS_MOST   (2 * AKIN_DEVICES_MOST + 1)

/* The techniques that are joined in shares, and what those take; the others, kept to be compared with, are not. */
static int is_shared(const akin_join_job *job)
{
    return job->technique == AKIN_TENSOR || job->technique == AKIN_PREFIX;
}

static void bounds_of(const akin_join_job *job, uint64_t bytes, akin_share_bounds *out)
{
    *out = (akin_share_bounds){.tokens = job->context->share_tokens};
    if (job->technique == AKIN_PREFIX)
        akin_prefix_bounds(job, bytes, out);
    else
        akin_tensor_bounds(job, bytes, out);
}

/* The GPUs that the job may use, and whether the CPU joins with them. */
static uint32_t count_of(const akin_join_job *job)
{
    return job->devices ? job->devices->count : 1;
}

static int with_cpu(const akin_join_job *job)
{
    return job->devices && job->context->device_all;
}

uint32_t akin_join_devices_slots(const akin_join_job *job)
{
    return job->threads + (job->place == AKIN_JOIN_ON_CPU ? 0 : 2 * count_of(job));
}

/* --------------------------------------------------------------------------------------------------------------- CPU
 */

/* What the CPU reckons with, and the share that it is to do. */
typedef struct helper {
    double seconds; /* that the GPUs are predicted to take for all */
    akin_join_part part;
} helper;

/* Plans a share for the CPU: whether it is worth it, with a part `left` of all pairs to be joined. */
static int is_worth_it(akin_join_job *job, void *user, double left)
{
    helper *h = user;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    h->part = akin_join_part_begin();
    return akin_join_part_plan(job, &options, NULL, &h->part, NULL, NULL) == AKIN_OK &&
           h->part.done.technique != AKIN_AUTO && h->part.done.predicted_seconds < h->seconds * left;
}

static akin_status join_planned(akin_join_job *job, void *user, akin_error *error)
{
    const akin_join_step *step = &((const helper *)user)->part.done;
    job->technique = step->technique;
    job->bits = step->bits;
    job->bits_screen = step->bits_screen;
    return akin_plan_technique(job)(job, error);
}

/* --------------------------------------------------------------------------------------------------------------- GPU
 */

static akin_status join_on_gpu(akin_join_job *job, void *user, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    akin_status status = akin_plan_technique(job)(job, &own);
    (void)user;
    if (status == AKIN_E_DEVICE)
        return akin_fail(error, status, "cuda:%u: %s", akin_device_number(job->device), own.message);
    return status == AKIN_OK ? status : akin_fail(error, status, "%s", own.message);
}

/* The memory of a GPU that the job may have, and its twin with it. */
static uint64_t memory_of(const akin_join_job *job, uint32_t at)
{
    const akin_device *twin = job->devices ? job->devices->twin[at] : NULL;
    return akin_device_limit(job->devices ? job->devices->device[at] : job->device) +
           (twin ? akin_device_limit(twin) : 0);
}

/* Gives all of its memory to a device alone, or half of it to its twin. */
static akin_status divide(akin_join_job *job, uint32_t at, int halves, akin_error *error)
{
    uint64_t memory = memory_of(job, at);
    if (!job->devices)
        return AKIN_OK;
    akin_device *device = job->devices->device[at];
    akin_status status = halves ? akin_devices_twin(job->devices, at, error) : AKIN_OK;
    akin_device *twin = job->devices->twin[at];
    if (status != AKIN_OK || !twin)
        return status;
    /* whichever gives comes first, so that both together never have more */
    uint64_t own = halves ? memory - memory / 2 : memory;
    if (own < akin_device_limit(device))
        akin_device_bound(device, own);
    akin_device_bound(twin, memory - own);
    akin_device_bound(device, own);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- shares
 */

typedef struct crew {
    akin_share_taker takers[TAKERS_MOST];
    uint32_t count;
    uint64_t memory; /* the least that a taker has, of a GPU's */
    helper cpu;
} crew;

/* There are never more than workers for them. */
static void add_taker(const akin_join_job *job, crew *c, akin_device *device)
{
    if (c->count == job->slots)
        return;
    c->takers[c->count++] = (akin_share_taker){.join = join_on_gpu, .device = device, .threads = 1};
    c->memory = akin_min_u64(c->memory, akin_device_limit(device));
}

/* Brings the takers together, and gives each its threads: the CPU half of them if it takes part. */
static akin_status gather(akin_join_job *job, crew *c, akin_error *error)
{
    uint32_t threads = job->threads, cpu = with_cpu(job) ? (threads + 1) / 2 : 0;
    for (uint32_t at = 0; at < count_of(job); at++) {
        int halves = job->devices && memory_of(job, at) / 2 >= TWIN_LEAST;
        akin_status status = divide(job, at, halves, error);
        if (status != AKIN_OK)
            return status;
        add_taker(job, c, job->devices ? job->devices->device[at] : job->device);
        if (halves && job->devices)
            add_taker(job, c, job->devices->twin[at]);
    }
    uint32_t each = (uint32_t)akin_max_u64(1, (threads - cpu) / akin_max_u64(1, c->count));
    for (uint32_t t = 0; t < c->count; t++)
        c->takers[t].threads = each;
    cpu = (uint32_t)akin_min_u64(cpu, job->slots - (uint64_t)c->count * each);
    if (cpu)
        c->takers[c->count++] =
            (akin_share_taker){.join = join_planned, .wants = is_worth_it, .user = &c->cpu, .threads = cpu};
    return AKIN_OK;
}

/* What is left for tokens and sets must be worth it: else there would be shares without end. */
static akin_status check_room(const akin_share_bounds *bounds, uint64_t memory, akin_error *error)
{
    if (bounds->bytes >= 1.125 * bounds->fixed)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_NOMEM, "%.1f MiB of GPU memory are too little: a join takes at least %.0f MiB",
                     (double)memory / (1 << 20), bounds->fixed * 1.5 / (1 << 20) + 1);
}

static akin_status join_shares(akin_join_job *job, uint64_t pairs, akin_join_step *step, akin_error *error)
{
    crew c = {.memory = UINT64_MAX, .cpu = {.seconds = step->predicted_seconds / count_of(job)}};
    akin_share_bounds bounds;
    akin_shares shares = {.list = NULL};
    akin_status status = gather(job, &c, error);
    if (status != AKIN_OK)
        return status;
    bounds_of(job, c.memory, &bounds);
    bounds.pairs = count_of(job) > 1 || with_cpu(job) ? pairs / (SHARES * akin_max_u64(1, c.count)) + 1 : 0;
    status = check_room(&bounds, c.memory, error);
    if (status == AKIN_OK)
        status = akin_shares_make(job, &bounds, &shares, error);
    if (status == AKIN_OK)
        status = akin_shares_join(job, &shares, c.takers, c.count, error);
    step->parts = 0;
    for (uint32_t t = 0; t < c.count; t++) {
        step->parts += c.takers[t].done;
        step->parts_cpu += c.takers[t].device ? 0 : c.takers[t].done;
    }
    akin_shares_clear(&shares);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- whole
 */

/* Whether the job is to be done by one GPU alone, for it fits there, and is short or has no other. */
static int is_for_one(const akin_join_job *job, const akin_join_step *step, uint64_t pairs)
{
    akin_share_bounds bounds;
    uint64_t sets = (uint64_t)job->probes->count + (job->self ? 0 : job->indexed->count);
    uint64_t tokens = akin_ranked_tokens(job->probes) + (job->self ? 0 : akin_ranked_tokens(job->indexed));
    int alone = count_of(job) == 1 && !with_cpu(job);
    bounds_of(job, memory_of(job, 0), &bounds);
    return akin_share_bytes(&bounds, tokens, sets, pairs) <= bounds.bytes &&
           (!bounds.tokens || tokens <= bounds.tokens) && (alone || step->predicted_seconds < SECONDS_LEAST);
}

static akin_status join_at_once(akin_join_job *job, akin_join_step *step, akin_error *error)
{
    akin_status status = divide(job, 0, 0, error);
    step->parts = step->gpus = 1;
    return status == AKIN_OK ? akin_plan_technique(job)(job, error) : status;
}

akin_status akin_join_on_devices(akin_join_job *job, akin_join_step *step, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    uint64_t pairs = 0;
    if (!is_shared(job))
        return join_at_once(job, step, error);
    for (uint32_t c = 0; c < job->probes->classes; c++)
        pairs += akin_join_class_pairs(job, c);
    if (is_for_one(job, step, pairs)) {
        akin_status status = join_at_once(job, step, &own);
        if (status == AKIN_OK)
            return status;
        if (status != AKIN_E_NOMEM || akin_join_found(job) > 0)
            return akin_fail(error, status, "%s", own.message);
    }
    step->gpus = count_of(job);
    return join_shares(job, pairs, step, error);
}
