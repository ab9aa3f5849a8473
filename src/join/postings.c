/*
 * The prefix index on a GPU. Postings are sorted by token. Each posting of a probe gets the piece of a list that it
 * meets, and the pairs of all pieces are dealt out evenly. join/postings_cuda.cu explains how pairs are looked at.
 *
 *     write, sort, make_index    the indexed sets'              16 bytes a posting, 8 a distinct token
 *     write, sort, look_up       the probes'                    17 bytes a posting
 *     select, gather, scan       those that meet anything       28 bytes each
 *     compare, verify            a part of the pairs at a time, into a buffer of fixed size
 *
 * When the buffer is full, or when long sets take too long, warps stop. Another launch continues their work. The host
 * decides once, for each class and position, what depends on sizes alone: see describe.
 */
#include "join/postings.h"

#include "base/bits.h"
#include "base/context.h"
#include "device/primitives.h"
#include "join/gpu.h"
#include "join/prefix.h"

#include <string.h>

#define PAIRS_A_BATCH ((uint64_t)1 << 26)  /* a launch takes a ms or two, and far below 50 where sets are long */
#define RANGE_MOST    ((uint64_t)1024)     /* pairs of a warp */
#define RANGES        ((uint64_t)64 << 10) /* that a launch has, of many pairs */
#define BUDGET        16384                /* steps of a warp: all that run at once take two or three ms */
#define RANGE_TRIED   160                  /* where tests want all to be small */
#define BATCH_TRIED   4000
#define BUDGET_TRIED  60

/* A side: its postings before and after they are sorted, and what decides on the sizes of partners. */
typedef struct side {
    akin_posting_class *classes;
    uint32_t *bounds;
    akin_device_buffer on_gpu[2]; /* the two */
    akin_device_buffer tokens[2], numbers[2];
    uint32_t *token, *number;           /* sorted */
    uint32_t *token_twin, *number_twin; /* room for as many */
    akin_posting_side postings;
} side;

typedef struct prefix {
    akin_gpu_join gpu;
    side probes, indexed;
    akin_device_buffer lists, any, found, runs, lengths, offsets, resume[2];
    akin_pinned number; /* a number that the GPU returns */
    akin_posting_join join;
    uint64_t total; /* pairs that meet */
    uint64_t batch; /* pairs of a launch */
    uint32_t range; /* of a warp */
} prefix;

/* ------------------------------------------------------------------------------------------------------- preparing */

/*
 * For each position of a set of the given size, the first set of `other` that is too large. The needed overlap grows
 * with the size of the other set. A set is too large if it needs more tokens than there are from the position on. So
 * the first such set only comes nearer as positions rise.
 */
static void bound_positions(const akin_join_job *job, const akin_threshold *threshold, uint32_t size, uint32_t length,
                            const akin_ranked *other, uint32_t *bounds)
{
    uint32_t end = akin_ranked_class(other, akin_threshold_largest(threshold, size) + 1);
    for (uint32_t i = 0; i < length; i++) {
        while (end > 0 && akin_join_need_by(job, threshold, size, other->class_size[end - 1]) > size - i)
            end--;
        bounds[i] = other->class_first[end];
    }
}

/* Fills in the classes of a side, and the bounds of their positions. */
static akin_status describe_sides(const akin_join_job *job, const akin_ranked *own, const akin_ranked *other,
                                  akin_prefix_side which, side *out, akin_error *error)
{
    const akin_threshold threshold =
        which == AKIN_PREFIX_INDEXED ? akin_threshold_turn(&job->threshold) : job->threshold;
    uint64_t postings = 0, bounds = 0;
    out->classes = akin_alloc(job->account, own->classes, sizeof *out->classes);
    if (!out->classes)
        return akin_fail_memory(error, "the prefix index");
    for (uint32_t c = 0; c < own->classes; c++) {
        uint32_t size = own->class_size[c], length = akin_prefix_length(job, size, which);
        uint64_t least = akin_threshold_smallest(&threshold, size);
        out->classes[c] = (akin_posting_class){own->class_first[c], (uint32_t)postings, length, (uint32_t)bounds,
                                               akin_ranked_first(other, least)};
        bounds += length;
        postings += (uint64_t)length * (own->class_first[c + 1] - own->class_first[c]);
        if (postings > AKIN_DEVICE_ITEMS)
            return akin_fail(error, AKIN_E_LIMIT,
                             "the prefixes have more than %llu tokens, which is too many for an index on a GPU: with a "
                             "bound of memory the join is done in parts",
                             (unsigned long long)AKIN_DEVICE_ITEMS);
    }
    out->bounds = akin_alloc(job->account, bounds, sizeof *out->bounds);
    if (!out->bounds)
        return akin_fail_memory(error, "the prefix index");
    for (uint32_t c = 0; c < own->classes; c++)
        bound_positions(job, &threshold, own->class_size[c], out->classes[c].length, other,
                        out->bounds + out->classes[c].bound);
    out->postings.class_count = own->classes;
    out->postings.count = (uint32_t)postings;
    return AKIN_OK;
}

/* How many bits a token has. */
static uint32_t bits_of_tokens(uint64_t universe)
{
    uint32_t bits = 0;
    while (bits < 32 && universe >> bits)
        bits++;
    return bits;
}

static akin_status bring_postings(prefix *p, akin_device_buffer *buffer, const void *from, uint64_t count, size_t size,
                                  akin_error *error)
{
    akin_status status = akin_device_reserve(p->gpu.device, buffer, count, size, "the prefix index", error);
    return status == AKIN_OK ? akin_device_upload(p->gpu.stream, buffer->data, from, count * size, error) : status;
}

/* Writes the postings of a side and sorts them by token; those of one token stay in the order of their sets. */
static akin_status sort_prefix_postings(prefix *p, const akin_ranked *ranked, const akin_gpu_side *gpu, side *side,
                                        akin_error *error)
{
    akin_device_stream *stream = p->gpu.stream;
    akin_posting_side *postings = &side->postings;
    uint64_t count = postings->count, bounds = 0;
    for (uint32_t c = 0; c < postings->class_count; c++)
        bounds += side->classes[c].length;
    akin_status status =
        bring_postings(p, &side->on_gpu[0], side->classes, ranked->classes, sizeof *side->classes, error);
    if (status == AKIN_OK)
        status = bring_postings(p, &side->on_gpu[1], side->bounds, bounds, sizeof *side->bounds, error);
    for (int k = 0; k < 2 && status == AKIN_OK; k++) {
        static const char what[] = "the prefix index";
        status = akin_device_reserve(p->gpu.device, &side->tokens[k], count, sizeof(uint32_t), what, error);
        if (status == AKIN_OK)
            status = akin_device_reserve(p->gpu.device, &side->numbers[k], count, sizeof(uint32_t), what, error);
    }
    if (status != AKIN_OK)
        return status;
    postings->sets = gpu->sets;
    postings->classes = side->on_gpu[0].data;
    postings->bounds = side->on_gpu[1].data;
    side->token = side->tokens[0].data;
    side->token_twin = side->tokens[1].data;
    side->number = side->numbers[0].data;
    side->number_twin = side->numbers[1].data;
    status = akin_kernels(stream)->postings->write(stream, postings, side->token, side->number, error);
    if (status == AKIN_OK)
        status = akin_device_sort_pairs32(stream, &side->token, &side->token_twin, &side->number, &side->number_twin,
                                          count, bits_of_tokens(ranked->universe), error);
    return status;
}

/* Gives back what the twins are not in. */
static void drop_sorted(prefix *p, side *side)
{
    akin_device_release(p->gpu.device, &side->tokens[side->token != side->tokens[0].data]);
    akin_device_release(p->gpu.device, &side->numbers[side->number != side->numbers[0].data]);
}

/* The index: sets and reach take the place of the twins. */
static akin_status make_index(prefix *p, akin_error *error)
{
    side *side = &p->indexed;
    uint64_t universe = p->gpu.job->indexed->universe;
    akin_status status = akin_device_reserve(p->gpu.device, &p->lists, universe, sizeof(akin_posting_list),
                                             "the lists of the prefix index", error);
    if (status == AKIN_OK)
        status = akin_device_fill(p->gpu.stream, p->lists.data, 0, universe * sizeof(akin_posting_list), error);
    p->join.index = (akin_posting_index){p->lists.data, side->token_twin, side->number_twin};
    if (status == AKIN_OK)
        status = akin_kernels(p->gpu.stream)
                     ->postings->make_index(p->gpu.stream, &side->postings, side->token, side->number, &p->join.index,
                                            error);
    drop_sorted(p, side);
    return status;
}

/* Gets a number from the GPU, once all work before is done. */
static akin_status ask_number(prefix *p, const uint64_t *from, uint64_t *out, akin_error *error)
{
    akin_status status = akin_device_read(p->gpu.stream, p->number.data, from, sizeof *from, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(p->gpu.stream, error);
    if (status == AKIN_OK)
        memcpy(out, p->number.data, sizeof *out);
    return status;
}

/* Looks up the postings of the probes, and makes runs of those that meet any. The numbers of these postings go into the
 * array of tokens; the begins and lengths of their runs go into the arrays of the twins. */
static akin_status make_posting_runs(prefix *p, akin_error *error)
{
    static const char what[] = "the postings that meet";
    akin_device *device = p->gpu.device;
    akin_device_stream *stream = p->gpu.stream;
    side *side = &p->probes;
    uint32_t *chosen = side->token, *low = side->token_twin, *counts = side->number_twin;
    uint64_t found = 0;
    akin_status status = akin_device_reserve(device, &p->any, side->postings.count, sizeof(uint8_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &p->found, 1, sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_pinned_reserve(device, &p->number, 1, sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_kernels(stream)->postings->look_up(stream, &side->postings, p->gpu.job->self, side->token,
                                                         side->number, &p->join.index, low, counts, p->any.data, error);
    if (status == AKIN_OK)
        status = akin_device_select_positions(stream, p->any.data, side->postings.count, chosen, p->found.data, error);
    if (status == AKIN_OK)
        status = ask_number(p, p->found.data, &found, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &p->runs, found, sizeof(akin_posting_run), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &p->lengths, found, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &p->offsets, found + 1, sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_kernels(stream)->postings->gather(stream, &side->postings, side->number, low, counts, chosen,
                                                        (uint32_t)found, p->runs.data, p->lengths.data, error);
    if (status == AKIN_OK)
        status = akin_device_scan64(stream, p->lengths.data, found, p->offsets.data, error);
    if (status == AKIN_OK)
        status = ask_number(p, (const uint64_t *)p->offsets.data + found, &p->total, error);
    p->join.runs = p->runs.data;
    p->join.offsets = p->offsets.data;
    p->join.run_count = (uint32_t)found;
    return status;
}

/* See akin_posting_need. */
static float share_of_pairs(const akin_threshold *threshold)
{
    double share = (double)threshold->rule.want / (double)threshold->rule.have;
    return (float)(akin_form_is_squared(threshold->rule.form) ? __builtin_sqrt(share) : share);
}

/* As drawn above, if all tokens were in prefixes. */
void akin_prefix_bounds(const akin_join_job *job, uint64_t bytes, akin_share_bounds *out)
{
    akin_gpu_join_bounds(job, bytes, AKIN_POSTING_LEAST, out);
    out->fixed += sizeof(akin_posting_list) * (double)job->indexed->universe;
    out->a_token += 16 + 17 + 28;
    if (!out->tokens || out->tokens > AKIN_DEVICE_ITEMS) /* the postings that a call sorts */
        out->tokens = AKIN_DEVICE_ITEMS;
}

static akin_status prepare_postings(akin_join_job *job, prefix *p, akin_error *error)
{
    akin_gpu_join *gpu = &p->gpu;
    uint64_t room = akin_gpu_join_room(job, akin_device_room(job->device), AKIN_POSTING_LEAST);
    akin_status status = describe_sides(job, job->probes, job->indexed, AKIN_PREFIX_PROBING, &p->probes, error);
    if (status == AKIN_OK)
        status = describe_sides(job, job->indexed, job->probes, AKIN_PREFIX_INDEXED, &p->indexed, error);
    if (status == AKIN_OK)
        status = akin_gpu_join_begin(job, room, gpu, error);
    if (status == AKIN_OK)
        status = sort_prefix_postings(p, job->indexed, gpu->indexed, &p->indexed, error);
    if (status == AKIN_OK)
        status = make_index(p, error);
    if (status == AKIN_OK)
        status = sort_prefix_postings(p, job->probes, gpu->probes, &p->probes, error);
    if (status == AKIN_OK)
        status = make_posting_runs(p, error);
    if (status != AKIN_OK)
        return status;
    p->join.probes = gpu->probes->sets;
    p->join.indexed = gpu->indexed->sets;
    p->join.rule = gpu->rule;
    p->join.share = share_of_pairs(&job->threshold);
    p->join.keep = job->keep;
    p->range = (uint32_t)akin_min_u64(RANGE_MOST, 32 * (p->total / (32 * RANGES) + 1));
    p->batch = akin_ceil_div(akin_join_batch(job, PAIRS_A_BATCH, p->total), p->range) * p->range;
    p->join.budget = BUDGET;
    if (akin_wishes_of(job->scope)->candidates) {
        p->range = RANGE_TRIED;
        p->batch = BATCH_TRIED;
        p->join.budget = BUDGET_TRIED;
    }
    for (int k = 0; k < 2 && status == AKIN_OK; k++)
        status = akin_device_reserve(gpu->device, &p->resume[k], RANGES, sizeof(akin_posting_range),
                                     "the postings that meet", error);
    return status;
}

static void clear_postings(prefix *p)
{
    akin_device *device = p->gpu.device;
    akin_device_buffer *buffers[] = {&p->lists,   &p->any,     &p->found,     &p->runs,
                                     &p->lengths, &p->offsets, &p->resume[0], &p->resume[1]};
    side *sides[] = {&p->probes, &p->indexed};
    akin_gpu_join_clear(&p->gpu);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        akin_device_release(device, buffers[i]);
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 2; k++) {
            akin_device_release(device, &sides[s]->on_gpu[k]);
            akin_device_release(device, &sides[s]->tokens[k]);
            akin_device_release(device, &sides[s]->numbers[k]);
        }
        akin_free(sides[s]->classes);
        akin_free(sides[s]->bounds);
    }
    akin_pinned_release(device, &p->number);
}

/* --------------------------------------------------------------------------------------------------------- joining */

/* Takes what a launch has found. Where all was decided, the candidates are the pairs; else they are verified, the
 * decided ones, too. */
static akin_status take_found(prefix *p, akin_gpu_tally *told, akin_error *error)
{
    akin_gpu_join *gpu = &p->gpu;
    akin_gpu_tally again;
    akin_status status = akin_device_read(gpu->stream, gpu->told.data, gpu->tally.data, sizeof *told, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(gpu->stream, error);
    if (status != AKIN_OK)
        return status;
    memcpy(told, gpu->told.data, sizeof *told);
    uint64_t appended = akin_gpu_tally_appended(told, gpu->room);
    gpu->job->workers[0].candidates += told->met;
    if (told->open) {
        gpu->job->workers[0].candidates -= appended; /* which verifying counts */
        return akin_gpu_join_verify(gpu, &again, error);
    }
    if (!gpu->job->keep)
        return akin_gpu_join_found(gpu, told->found, error);
    akin_device_buffer swap = gpu->pairs;
    gpu->pairs = gpu->candidates;
    gpu->candidates = swap;
    return akin_gpu_join_found(gpu, appended, error);
}

/* Looks at pairs [first, end), and then at those that warps left over, until no pair is left. */
static akin_status run_batch(prefix *p, uint64_t first, uint64_t end, akin_error *error)
{
    akin_gpu_join *gpu = &p->gpu;
    const akin_posting_range *ranges = NULL;
    uint64_t count = akin_ceil_div(end - first, p->range);
    akin_status status = AKIN_OK;
    for (int next = 0; count > 0 && status == AKIN_OK; next = !next) {
        akin_gpu_tally told = {0};
        status = akin_scope_report(gpu->job->scope, "joining", first, p->total);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, "the pairs found");
        const akin_posting_out out = {gpu->candidates.data, gpu->overlaps.data, gpu->room, gpu->tally.data,
                                      p->resume[next].data};
        status = akin_gpu_join_reset(gpu, error);
        if (status == AKIN_OK)
            status = akin_kernels(gpu->stream)
                         ->postings->compare(gpu->stream, &p->join, first, end, p->range, ranges, (uint32_t)count, &out,
                                             error);
        if (status == AKIN_OK)
            status = take_found(p, &told, error);
        ranges = p->resume[next].data;
        count = told.resumed;
    }
    return status;
}

static akin_status run_all_postings(prefix *p, akin_error *error)
{
    akin_join_job *job = p->gpu.job;
    akin_status status = AKIN_OK;
    uint64_t end = 0;
    for (uint64_t first; status == AKIN_OK && (first = akin_join_next(job, end, p->batch, p->total)) < p->total;) {
        end = akin_min_u64(first + p->batch, p->total);
        job->workers[0].compared += end - first;
        status = run_batch(p, first, end, error);
    }
    return status;
}

akin_status akin_join_prefix(akin_join_job *job, akin_error *error)
{
    prefix p = {.gpu = {.device = job->device}};
    akin_status status = prepare_postings(job, &p, error);
    if (status == AKIN_OK)
        status = run_all_postings(&p, error);
    clear_postings(&p);
    return status;
}
