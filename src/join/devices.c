/*
 * The join on GPUs, in one of three ways:
 *
 *     at once    by one GPU that has room for all sets. It is used if the GPU is alone, if the join is short, or if the
 *                transfer of the sets takes most of the time
 *     together   each of several GPUs has all sets, and they take tasks, or pairs of postings, from one list
 *                (job->turns); the number of GPUs is the one that pays
 *     in shares  any other join is cut (join/shares.h). GPUs take shares from one queue, the largest first: two takers
 *                for each GPU, a device and its twin with half of its memory each, so that one copies while the other
 *                computes. With "cuda:all" the CPU takes shares from the other end, as long as it is predicted to
 *                finish them before the GPUs finish the rest.
 *
 * Together, sets go over the bus once for each GPU. In shares they go several times, so a join is cut only if it must
 * be, or if the help of the CPU is worth more.
 */
#include "join/devices.h"

#include "base/annex.h"
#include "base/context.h"
#include "base/bits.h"
#include "device/devices.h"
#include "join/gpu.h"
#include "join/part.h"
#include "join/plan.h"
#include "join/price.h"
#include "join/takers.h"
#include "join/technique_rows.h"
#include "join/weigh.h"

#define TWIN_LEAST    ((uint64_t)32 << 20) /* bytes of each half; a GPU that has less has one taker */
#define SECONDS_LEAST 0.01 /* of a join that several GPUs share: a share takes some milliseconds at least */
#define BRING_AGAIN   0.45 /* what each further GPU adds to the time of bringing the sets, as a part of that for one */
#define SHARES        3    /* for each taker, so that all end at about the same time */
#define HELP_TO_CUT   0.25 /* the least part of the work that a join is cut for, so that the CPU does it */
#define HELP_LEAST    0.1  /* the same where it is cut anyway: bringing sets to the GPUs then lacks the CPU's threads */
#define TAKERS_MOST   (2 * AKIN_DEVICES_MOST + 1)

/* The techniques that are joined in shares, and what those take; the others, kept to be compared with, are not. */
static int is_shared(const akin_join_job *job)
{
    return job->technique->bounds != NULL;
}

static void bounds_of(const akin_join_job *job, uint64_t bytes, akin_share_bounds *out)
{
    *out = (akin_share_bounds){.tokens = akin_wishes_of(job->scope)->share_tokens};
    job->technique->bounds(job, bytes, out);
}

/* The GPUs that the job may use. */
static uint32_t count_of(const akin_join_job *job)
{
    return job->devices ? job->devices->count : 1;
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

/* Plans the sides that are set in a job of the CPU's. */
static akin_status plan_cpu_instead(akin_join_job *job, akin_join_part *part, akin_error *error)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    *part = akin_join_part_begin();
    return akin_join_part_plan(job, &options, NULL, part, NULL, error);
}

/* Whether a share is worth it for the CPU, with a part `left` of all pairs to be joined. */
static int is_worth_it(akin_join_job *job, void *user, double left)
{
    helper *h = user;
    const akin_join_step *step = &h->part.done;
    return plan_cpu_instead(job, &h->part, NULL) == AKIN_OK && step->technique != AKIN_AUTO &&
           (akin_wishes_of(job->scope)->share_all || step->predicted_seconds < h->seconds * left);
}

static uint32_t threads_of_cpu(const akin_join_job *job)
{
    return (job->threads + 1) / 2;
}

/* Finds out whether the CPU is to join in, with half of the threads: if it is predicted to do a large enough part of
 * the work while the GPUs do the rest. */
static akin_status weigh_cpu(const akin_join_job *job, const akin_join_step *step, int cut_anyway, int *help,
                             akin_error *error)
{
    akin_join_job cpu = *job;
    akin_join_part part;
    double gpus = step->predicted_seconds / count_of(job);
    *help = job->devices && job->scope->context->wish.all;
    if (!*help || akin_wishes_of(job->scope)->share_all)
        return AKIN_OK;
    cpu.device = NULL;
    cpu.devices = NULL;
    cpu.place = AKIN_JOIN_ON_CPU;
    cpu.threads = threads_of_cpu(job);
    akin_status status = plan_cpu_instead(&cpu, &part, error);
    *help = gpus / (gpus + part.done.predicted_seconds) >= (cut_anyway ? HELP_LEAST : HELP_TO_CUT);
    return status;
}

static akin_status join_planned(akin_join_job *job, void *user, akin_error *error)
{
    const akin_join_step *step = &((const helper *)user)->part.done;
    job->technique = akin_technique_of(akin_annex_of(job->scope), step->technique);
    job->bits = step->bits;
    job->bits_screen = step->bits_screen;
    return akin_join_by_technique(job, error);
}

/* --------------------------------------------------------------------------------------------------------------- GPU
 */

static akin_status join_on_one_gpu(akin_join_job *job, void *user, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    akin_status status = akin_join_by_technique(job, &own);
    (void)user;
    if (status == AKIN_E_DEVICE) {
        akin_fail(error, status, "cuda:%u: %s", akin_device_number(job->device), own.message);
        return akin_note_from(status, &own, error);
    }
    return status == AKIN_OK ? status : akin_fail_again(error, status, &own);
}

/* The memory of a GPU that the job may have, and its twin with it. */
static uint64_t memory_of(const akin_join_job *job, uint32_t at)
{
    const akin_device *twin = job->devices ? job->devices->twin[at] : NULL;
    return akin_device_limit(job->devices ? job->devices->device[at] : job->device) +
           (twin ? akin_device_limit(twin) : 0);
}

/* Whether so much memory of a GPU has room for all of the join. */
static int gpu_has_room(const akin_join_job *job, uint64_t memory, uint64_t pairs)
{
    akin_share_bounds bounds;
    uint64_t sets = (uint64_t)job->probes->count + (job->self ? 0 : job->indexed->count);
    uint64_t tokens = akin_ranked_tokens(job->probes) + (job->self ? 0 : akin_ranked_tokens(job->indexed));
    bounds_of(job, memory, &bounds);
    return akin_share_bytes(&bounds, tokens, sets, pairs) <= bounds.bytes &&
           (!bounds.tokens || tokens <= bounds.tokens);
}

/* Gives all of its memory to a device alone, or half of it to its twin. */
static akin_status divide_memory(akin_join_job *job, uint32_t at, int halves, akin_error *error)
{
    uint64_t whole = memory_of(job, at);
    if (!job->devices)
        return AKIN_OK;
    akin_device *device = job->devices->device[at];
    akin_status status = halves ? akin_devices_twin(job->devices, at, error) : AKIN_OK;
    akin_device *twin = job->devices->twin[at];
    if (status != AKIN_OK || !twin)
        return status;
    /* whichever gives comes first, so that both together never have more */
    uint64_t own = halves ? whole - whole / 2 : whole;
    if (own < akin_device_limit(device))
        akin_device_bound(device, own);
    akin_device_bound(twin, whole - own);
    akin_device_bound(device, own);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- takers
 */

typedef struct crew {
    akin_share_taker takers[TAKERS_MOST];
    uint32_t count;
    uint64_t memory; /* the least that a taker has, of a GPU's */
    int with_cpu;
    helper cpu;
} crew;

/* There are never more than workers for them. */
static void add_taker(const akin_join_job *job, crew *c, akin_device *device)
{
    if (c->count == job->slots)
        return;
    c->takers[c->count++] = (akin_share_taker){.join = join_on_one_gpu, .device = device, .threads = 1};
    c->memory = akin_min_u64(c->memory, akin_device_limit(device));
}

/* Makes takers for the first `gpus` GPUs, and for the CPU if it takes part, and gives each its threads. */
static akin_status gather_found(akin_join_job *job, crew *c, uint32_t gpus, int twins, akin_error *error)
{
    uint32_t threads = job->threads, cpu = c->with_cpu ? threads_of_cpu(job) : 0;
    for (uint32_t at = 0; at < gpus; at++) {
        int halves = twins && job->devices && memory_of(job, at) / 2 >= TWIN_LEAST;
        akin_status status = divide_memory(job, at, halves, error);
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

/* ----------------------------------------------------------------------------------------------------------- together
 */

/* How many GPUs finish soonest. They divide the join among them, except for the work that each must do for itself. The
 * sets for all of them come from one memory, so each further GPU costs transfer time. */
static uint32_t sharers_of(const akin_join_job *job, const akin_join_step *step)
{
    akin_gpu_alone alone = akin_plan_gpu_alone(job);
    double shared = step->predicted_seconds - alone.bring - alone.prepare, least = shared;
    uint32_t sharers = 1;
    if (akin_wishes_of(job->scope)->share_all)
        return count_of(job);
    for (uint32_t count = 2; count <= count_of(job) && step->predicted_seconds >= SECONDS_LEAST; count++) {
        double seconds = BRING_AGAIN * alone.bring * (count - 1) + shared / count;
        if (seconds < least) {
            least = seconds;
            sharers = count;
        }
    }
    return sharers;
}

/* Whether each of the first `count` GPUs has room for all. */
static int fits_each(const akin_join_job *job, uint32_t count, uint64_t pairs)
{
    int fits = 1;
    for (uint32_t at = 0; at < count && fits; at++)
        fits = gpu_has_room(job, memory_of(job, at), pairs);
    return fits;
}

/* Joins on the first `sharers` GPUs. Every GPU has all sets. A GPU without the memory for them takes no task, and the
 * others do all of them. step->gpus becomes the number of GPUs that took a task. */
static akin_status join_together(akin_join_job *job, uint32_t sharers, uint64_t pairs, akin_join_step *step,
                                 akin_error *error)
{
    crew c = {.memory = UINT64_MAX};
    akin_share list[AKIN_DEVICES_MOST];
    akin_shares shares = {.list = list, .count = sharers, .room = sharers, .pairs = pairs};
    akin_join_turns turns = {.gpus = sharers};
    for (uint32_t at = 0; at < shares.count; at++)
        list[at] = (akin_share){akin_piece_whole(job), pairs};
    akin_status status = gather_found(job, &c, sharers, 0, error);
    job->turns = &turns;
    if (status == AKIN_OK)
        status = akin_shares_join(job, &shares, c.takers, c.count, error);
    job->turns = NULL;
    step->gpus = 0;
    step->parts = 1;
    for (uint32_t t = 0; t < c.count; t++)
        step->gpus += c.takers[t].done > 0;
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- in shares
 */

/* What is left for tokens and sets must be worth it: else there would be shares without end. */
static akin_status check_room(const akin_share_bounds *bounds, uint64_t memory, akin_error *error)
{
    if (bounds->bytes >= 1.125 * bounds->fixed)
        return AKIN_OK;
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_DEVICE_MEMORY,
                          "%.1f MiB of GPU memory are too little: a join takes at least %.0f MiB",
                          (double)memory / (1 << 20), bounds->fixed * 1.5 / (1 << 20) + 1);
}

static akin_status join_in_shares(akin_join_job *job, uint64_t pairs, int with_cpu, akin_join_step *step,
                                  akin_error *error)
{
    crew c = {.memory = UINT64_MAX, .with_cpu = with_cpu, .cpu = {.seconds = step->predicted_seconds / count_of(job)}};
    akin_share_bounds bounds;
    akin_shares shares = {.list = NULL};
    akin_status status = gather_found(job, &c, count_of(job), 1, error);
    if (status != AKIN_OK)
        return status;
    bounds_of(job, c.memory, &bounds);
    bounds.pairs = count_of(job) > 1 || with_cpu ? pairs / (SHARES * akin_max_u64(1, c.count)) + 1 : 0;
    status = check_room(&bounds, c.memory, error);
    if (status == AKIN_OK)
        status = akin_shares_make(job, &bounds, &shares, error);
    if (status == AKIN_OK)
        status = akin_shares_join(job, &shares, c.takers, c.count, error);
    step->gpus = count_of(job);
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

static akin_status join_at_once(akin_join_job *job, akin_join_step *step, akin_error *error)
{
    akin_status status = divide_memory(job, 0, 0, error);
    step->parts = step->gpus = 1;
    return status == AKIN_OK ? akin_join_by_technique(job, error) : status;
}

/* The three ways, from the fastest to the one that needs the least memory: where one finds too little, before it finds
 * a pair, the last one is taken. */
akin_status akin_join_on_devices(akin_join_job *job, akin_join_step *step, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    akin_status status = AKIN_OK;
    uint64_t pairs = 0;
    if (!is_shared(job))
        return join_at_once(job, step, error);
    for (uint32_t c = 0; c < job->probes->classes; c++)
        pairs += akin_join_class_pairs(job, c);
    int is_short = step->predicted_seconds < SECONDS_LEAST && !akin_wishes_of(job->scope)->share_all, with_cpu = 0;
    uint32_t sharers = sharers_of(job, step);
    int at_once = sharers == 1 && gpu_has_room(job, memory_of(job, 0), pairs);
    int together = sharers > 1 && fits_each(job, sharers, pairs);
    if (!at_once || !is_short)
        status = weigh_cpu(job, step, !at_once && !together, &with_cpu, error);
    if (status != AKIN_OK)
        return status;
    step->gpus = 0;
    if (at_once && !with_cpu)
        status = join_at_once(job, step, &own);
    else if (together && !with_cpu)
        status = join_together(job, sharers, pairs, step, &own);
    if (status == AKIN_OK && step->gpus > 0)
        return status;
    if (status != AKIN_OK && (status != AKIN_E_NOMEM || akin_join_found(job) > 0))
        return akin_fail_again(error, status, &own);
    akin_join_recount(job);
    return join_in_shares(job, pairs, with_cpu, step, error);
}
