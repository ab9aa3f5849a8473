/* Finds what becomes of documents, a batch of them at a time. */
#include "corpus/near_survive.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/context.h"
#include "corpus/bag_prefix.h"
#include "corpus/duplicates.h"
#include "corpus/sources.h"

/* ------------------------------------------------------------------------------------------------------------ batch */

/* Makes the bag of a row of the batch. */
static akin_status make_bag(akin_near_job *j, uint32_t thread, uint32_t at)
{
    akin_near_worker *w = &j->workers[thread];
    const uint32_t row = akin_near_row_at(j, j->batch->places[at]);
    const akin_shingler *own = &w->own;
    akin_status status = akin_near_take_row(j, &w->own, row);
    w->own_row = row;
    if (status == AKIN_OK)
        status = akin_near_put_bag(j, w);
    if (status != AKIN_OK)
        return status;
    j->rooms[at] = (akin_near_room){w->count - own->size, thread};
    j->bags[at].size = own->size;
    j->bags[at].is_alone = own->is_emptied;
    return AKIN_OK;
}

/* Whether a GPU has found what is needed of a document. */
static int is_found(const akin_near_job *j, uint32_t at)
{
    return j->bags[at].rare != NULL;
}

static akin_status make_some_bags(void *argument, uint64_t task, uint32_t thread)
{
    akin_near_job *j = argument;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_NEAR_TASK, j->batch->count);
    akin_status status = AKIN_OK;
    for (uint64_t at = task * AKIN_NEAR_TASK; at < end && status == AKIN_OK; at++)
        if (!is_found(j, (uint32_t)at))
            status = make_bag(j, thread, (uint32_t)at);
    return status;
}

static akin_status find_on_gpus(void *argument, akin_error *error)
{
    const akin_near_batch *b = argument;
    return akin_bags_gpu_prefixes(b->gpu, b->side, b->wanted, b->wanted_count, error);
}

/* Asks the GPUs for the documents of a batch that they have. They answer while another batch is compared. */
static void ask_gpus(const akin_near_job *j, akin_near_batch *b)
{
    const uint64_t *places = j->gpu_places.data;
    const akin_threshold turned = akin_threshold_turn(&j->options.threshold);
    b->gpu = j->gpu;
    b->wanted_count = 0;
    for (uint32_t at = 0; at < b->count; at++) {
        const uint32_t row = akin_near_row_at(j, b->places[at]), size = ((const uint32_t *)j->gpu_sizes.data)[row];
        b->rare[at] = (akin_rare){.hashes = NULL};
        if (places[row] != AKIN_NOT_ON_GPU)
            b->wanted[b->wanted_count++] =
                (akin_bag_wanted){places[row], size,
                                  akin_max_u32(akin_bag_prefix_length(&j->options.threshold, size),
                                               akin_bag_prefix_length(&turned, size)),
                                  &b->rare[at]};
    }
    akin_aside_begin(&b->aside, find_on_gpus, b);
}

/* Waits for the answer. A GPU that fails and is not required is done without. */
static akin_status take_answer(akin_near_job *j, akin_error *error)
{
    akin_near_batch *b = j->batch;
    const akin_status status = akin_aside_end(&b->aside, error);
    if (status == AKIN_E_DEVICE && !akin_device_is_required(j->scope)) {
        akin_bags_gpu_free(j->gpu);
        j->gpu = NULL;
        j->on_device = 0;
        return AKIN_OK;
    }
    for (uint32_t at = 0; j->gpu && at < b->count && status == AKIN_OK; at++)
        if (b->rare[at].is_made) {
            j->bags[at].rare = &b->rare[at];
            j->bags[at].size = ((const uint32_t *)j->gpu_sizes.data)[akin_near_row_at(j, b->places[at])];
        }
    return status;
}

/* Makes the bags of the batch that no GPU has found what is needed of. */
static akin_status make_bags(akin_near_job *j, akin_error *error)
{
    for (uint32_t i = 0; i < j->scope->threads; i++)
        j->workers[i].count = 0;
    const akin_status status =
        akin_parallel(j->scope, NULL, akin_ceil_div(j->batch->count, AKIN_NEAR_TASK), make_some_bags, j);
    for (uint32_t at = 0; at < j->batch->count && status == AKIN_OK; at++)
        if (!is_found(j, at))
            j->bags[at].hashes = j->workers[j->rooms[at].thread].hashes + j->rooms[at].begin;
    return status == AKIN_OK ? AKIN_OK : akin_near_fail(j, status, error);
}

/* Documents are places of the order. */
static akin_status count_common(void *user, uint32_t thread, uint64_t document, uint64_t kept, uint32_t *common)
{
    const akin_near_job *j = user;
    akin_near_worker *w = &j->workers[thread];
    const uint32_t row = akin_near_row_at(j, document);
    akin_status status = w->own_row == row ? AKIN_OK : akin_near_take_row(j, &w->own, row);
    w->own_row = row;
    if (status == AKIN_OK)
        status = akin_near_take_row(j, &w->other, akin_near_row_at(j, kept));
    if (status == AKIN_OK)
        *common = akin_shingler_common(&w->own, &w->other);
    return status;
}

/* Gathers places for a batch from *place on, those that are undecided: one at least, if there is one. */
static void gather_batch(const akin_near_job *j, akin_near_batch *b, uint64_t *place, uint64_t bytes_most)
{
    uint64_t bytes = 0;
    for (b->count = 0; *place < j->rows && b->count < j->most && (b->count == 0 || bytes < bytes_most); ++*place) {
        const uint32_t row = akin_near_row_at(j, *place);
        if (j->found[row].common == AKIN_DUPLICATE_UNDECIDED) {
            b->places[b->count++] = (uint32_t)*place;
            bytes += j->column->offsets[row + UINT64_C(1)] - j->column->offsets[row];
        }
    }
    if (j->gpu && b->count > 0)
        ask_gpus(j, b);
}

/* Begins the batch: nothing is known of its documents. */
static void begin_batch(akin_near_job *j, akin_near_batch *b)
{
    j->batch = b;
    for (uint32_t at = 0; at < b->count; at++) {
        const uint32_t row = akin_near_row_at(j, b->places[at]);
        j->bags[at] = (akin_bag){.group = j->sources.data ? ((const uint32_t *)j->sources.data)[row] : 0,
                                 .document = b->places[at]};
    }
}

/* Takes the batch; returns in *undecided how many rows of it are left to the next round. */
static akin_status take_batch(akin_near_job *j, akin_survivors *survivors, uint64_t *undecided, akin_error *error)
{
    const akin_near_batch *b = j->batch;
    akin_status status = make_bags(j, error);
    if (status != AKIN_OK)
        return status;
    status = akin_survivors_add(j->scope, survivors, j->bags, b->count, j->verdicts, error);
    for (uint32_t i = 0; i < b->count && status == AKIN_OK; i++) {
        const akin_verdict *v = &j->verdicts[i];
        const int is_removed = v->survivor < AKIN_UNDECIDED, is_undecided = v->survivor == AKIN_UNDECIDED;
        *undecided += is_undecided ? 1 : 0;
        j->emptied += j->bags[i].is_alone ? 1 : 0;
        j->found[akin_near_row_at(j, b->places[i])] =
            (akin_duplicate){is_removed ? akin_near_row_at(j, v->survivor) : AKIN_NO_ROW,
                             is_undecided ? AKIN_DUPLICATE_UNDECIDED : v->common,
                             {j->bags[i].size, v->size}};
    }
    return status;
}

/* Takes all batches of a round. The next batch is gathered first: its documents are decided later. */
static akin_status take_round(akin_near_job *j, akin_survivors *survivors, uint64_t *undecided, akin_error *error)
{
    const uint64_t wished = akin_wishes_of(j->scope)->document_bytes;
    const uint64_t bytes_most = wished             ? wished
                                : j->account.limit ? akin_budget_left(&j->account, 0, AKIN_LEFT_BATCH)
                                                   : (uint64_t)AKIN_NEAR_BATCH_BYTES * j->scope->threads;
    akin_near_batch *own = &j->batches[0], *next = &j->batches[1];
    akin_status status = AKIN_OK;
    uint64_t looked = 0; /* bytes since documents were let go of */
    uint64_t place = 0;
    *undecided = 0;
    gather_batch(j, own, &place, bytes_most);
    while (own->count > 0 && status == AKIN_OK) {
        const uint64_t end = place;
        begin_batch(j, own);
        status = take_answer(j, error);
        if (status == AKIN_OK) {
            gather_batch(j, next, &place, bytes_most);
            status = take_batch(j, survivors, undecided, error);
        }
        akin_near_batch *const taken = own;
        own = next;
        next = taken;
        looked += bytes_most;
        if (looked > AKIN_NEAR_PORTION) {
            akin_near_release(j);
            looked = 0;
        }
        if (status == AKIN_OK && akin_scope_report(j->scope, "comparing", end, j->rows) != AKIN_OK)
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, akin_near_what);
    }
    (void)akin_aside_end(&own->aside, NULL); /* after an error */
    return status;
}

static akin_status reserve_batches(akin_near_job *j)
{
    int is_made = 1;
    j->most = (uint32_t)akin_min_u64((uint64_t)AKIN_NEAR_BATCH * j->scope->threads, j->rows);
    j->rooms = akin_alloc(&j->account, j->most, sizeof *j->rooms);
    j->bags = akin_alloc(&j->account, j->most, sizeof *j->bags);
    j->verdicts = akin_alloc(&j->account, j->most, sizeof *j->verdicts);
    for (uint32_t side = 0; side < 2; side++) {
        akin_near_batch *b = &j->batches[side];
        b->side = side;
        b->places = akin_alloc(&j->account, j->most, sizeof *b->places);
        if (j->gpu) {
            b->wanted = akin_alloc(&j->account, j->most, sizeof *b->wanted);
            b->rare = akin_alloc(&j->account, j->most, sizeof *b->rare);
        }
        is_made &= b->places && (!j->gpu || (b->wanted && b->rare));
    }
    return is_made && j->rooms && j->bags && j->verdicts ? AKIN_OK : AKIN_E_NOMEM;
}

akin_status akin_near_survive(akin_near_job *j, akin_survivors_report *report, akin_error *error)
{
    const akin_survivors_options options = {.threshold = j->options.threshold,
                                            .frequencies = &j->frequencies,
                                            .common = count_common,
                                            .user = j,
                                            .comparing = (akin_comparing)j->options.own.comparing,
                                            .cpu = j->scope->cpu,
                                            .groups = j->source_count};
    akin_survivors *survivors = NULL;
    uint64_t undecided = 0;
    if (reserve_batches(j) != AKIN_OK)
        return akin_fail_memory(error, akin_near_what);
    akin_status status = akin_survivors_create(&j->account, &options, &survivors, error);
    if (status == AKIN_OK)
        status = take_round(j, survivors, &undecided, error);
    while (status == AKIN_OK && undecided > 0) {
        akin_survivors_begin_round(survivors);
        status = take_round(j, survivors, &undecided, error);
    }
    if (status == AKIN_OK)
        akin_survivors_describe(survivors, report);
    akin_survivors_free(survivors);
    return status;
}
