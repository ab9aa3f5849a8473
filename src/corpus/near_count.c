/* Counts the hashes of all documents. */
#include "corpus/near_count.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/context.h"
#include "sets/from_columns.h"
#include "text/options.h"

#define PORTION     (1 << 26) /* bytes of text whose bags go to a GPU together */
#define GUESSED     256       /* rows that the number of all hashes is guessed from */
#define WORD        7         /* bytes of text for a hash, in a guess without such rows */
#define THREAD_BITS 44        /* of a place in the bags of a thread; above them is the thread */

/* ------------------------------------------------------------------------------------------------------ frequencies */

static akin_status count_rows(void *argument, uint64_t task, uint32_t thread)
{
    akin_near_job *j = argument;
    akin_shingler *own = &j->workers[thread].own;
    const uint64_t begin = j->first + task * AKIN_NEAR_TASK, end = akin_min_u64(begin + AKIN_NEAR_TASK, j->rows);
    uint64_t empty = 0, tokens;
    for (uint64_t row = begin; row < end; row++) {
        const akin_status status =
            akin_shingler_count_row(own, j->column, j->rows, (uint32_t)row, &j->frequencies, &tokens);
        if (status != AKIN_OK) {
            akin_bad_row_note(&j->bad, row);
            return status;
        }
        empty += tokens == 0;
    }
    j->empty += empty;
    return AKIN_OK;
}

/* About how many hashes all documents have, by rows from all over. A row that cannot be cut is left to the pass. */
static akin_status guess_hashes(const akin_near_job *j, uint64_t *out)
{
    const uint64_t *offsets = j->column->offsets;
    const uint64_t bytes = offsets[j->rows] - offsets[0], rows = akin_min_u64(j->rows, GUESSED);
    uint64_t seen = 0, hashes = 0;
    for (uint64_t i = 0; i < rows; i++) {
        const uint64_t row = (uint64_t)((akin_u128)i * j->rows / rows);
        const akin_status status = akin_near_take_row(j, &j->workers[0].own, (uint32_t)row);
        if (status == AKIN_E_NOMEM)
            return status;
        seen += status == AKIN_OK ? offsets[row + 1] - offsets[row] : 0;
        hashes += status == AKIN_OK ? j->workers[0].own.size : 0;
    }
    *out = seen > 0 ? (uint64_t)((akin_u128)hashes * bytes / seen) : bytes / WORD;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- GPUs */

/* Makes the bags of rows, behind those that the thread made before. Their places are within these as yet. */
static akin_status make_rows(void *argument, uint64_t task, uint32_t thread)
{
    akin_near_job *j = argument;
    akin_near_worker *w = &j->workers[thread];
    const uint64_t begin = j->first + task * AKIN_NEAR_TASK, end = akin_min_u64(begin + AKIN_NEAR_TASK, j->rows);
    uint64_t empty = 0;
    for (uint64_t row = begin; row < end; row++) {
        akin_status status = akin_near_take_row(j, &w->own, (uint32_t)row);
        if (status == AKIN_OK)
            status = akin_near_put_bag(j, w);
        if (status != AKIN_OK) {
            akin_bad_row_note(&j->bad, row);
            return status;
        }
        ((uint64_t *)j->gpu_places.data)[row] = (uint64_t)thread << THREAD_BITS | (w->count - w->own.size);
        ((uint32_t *)j->gpu_sizes.data)[row] = w->own.size;
        w->longest = akin_max_u32(w->longest, w->own.size);
        empty += w->own.size == 0;
    }
    j->empty += empty;
    return AKIN_OK;
}

static akin_status send_portion(void *argument, akin_error *error)
{
    const akin_near_job *j = argument;
    return akin_bags_gpu_add(j->gpu, j->portion.made, j->scope->threads, error);
}

/* Waits until the GPUs have the portion before, and notes where its bags are. */
static akin_status end_portion(akin_near_job *j)
{
    const akin_near_portion *p = &j->portion;
    uint64_t *places = j->gpu_places.data;
    const akin_status status = akin_aside_end(&j->portion.aside, j->device_error);
    for (uint32_t row = p->begin; row < p->end && status == AKIN_OK; row++) {
        const uint64_t base = p->made[places[row] >> THREAD_BITS].place;
        const uint64_t within = places[row] & ((UINT64_C(1) << THREAD_BITS) - 1);
        places[row] = base == AKIN_NOT_ON_GPU ? base : base + within;
        j->on_device += base != AKIN_NOT_ON_GPU && ((const uint32_t *)j->gpu_sizes.data)[row] > 0;
    }
    j->portion.begin = j->portion.end = 0;
    return status;
}

/* Has the GPUs take the portion that was made. Meanwhile each thread makes the next one in its other array. */
static akin_status give_portion(akin_near_job *j, uint32_t end)
{
    const akin_status status = end_portion(j);
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < j->scope->threads; i++) {
        akin_near_worker *w = &j->workers[i];
        uint64_t *made = w->hashes;
        const uint64_t capacity = w->capacity;
        j->portion.made[i] = (akin_bag_rows){made, w->count, AKIN_NOT_ON_GPU, w->longest};
        w->hashes = w->sent;
        w->capacity = w->sent_capacity;
        w->sent = made;
        w->sent_capacity = capacity;
        w->count = 0;
        w->longest = 0;
    }
    j->portion.begin = j->first;
    j->portion.end = end;
    akin_aside_begin(&j->portion.aside, send_portion, j);
    return AKIN_OK;
}

/* Makes all bags, and gives them to the GPUs. The last portion has arrived, or is not read, when this returns. */
static akin_status give_all(akin_near_job *j, uint64_t bytes)
{
    j->portion.made = akin_alloc(&j->account, j->scope->threads, sizeof *j->portion.made);
    if (!j->portion.made)
        return akin_fail_memory(j->device_error, akin_near_what);
    akin_status status = akin_near_pass(j, "counting", bytes, make_rows, give_portion);
    const akin_status last = status == AKIN_OK ? end_portion(j) : akin_aside_end(&j->portion.aside, NULL);
    for (uint32_t i = 0; i < j->scope->threads; i++) {
        akin_free(j->workers[i].sent);
        j->workers[i].sent = NULL;
        j->workers[i].sent_capacity = 0;
    }
    akin_free(j->portion.made);
    j->portion = (akin_near_portion){.made = NULL};
    return status == AKIN_OK ? last : status;
}

/* Has GPUs count. */
static akin_status count_on_gpus(akin_near_job *j, akin_devices *devices, uint64_t hashes, akin_error *error)
{
    const uint64_t wished = akin_wishes_of(j->scope)->document_bytes,
                   most = j->account.limit ? akin_budget_left(&j->account, 0, AKIN_LEFT_BATCH) / 2 : PORTION,
                   bytes = akin_max_u64(1, akin_min_u64(PORTION, wished ? wished : most));
    j->device_error = error;
    akin_status status = akin_bulk_reserve_zeros(&j->gpu_places, j->rows * sizeof(uint64_t), akin_near_what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve_zeros(&j->gpu_sizes, j->rows * sizeof(uint32_t), akin_near_what, error);
    if (status == AKIN_OK)
        status = akin_bags_gpu_create(j->scope, &j->account, devices, &j->frequencies, hashes, &j->gpu, error);
    if (status != AKIN_OK)
        return status;
    status = give_all(j, bytes);
    return status == AKIN_OK ? akin_bags_gpu_finish(j->gpu, error) : status;
}

/* Whether the CPU may do what a GPU could not. Then nothing is counted. */
static int may_go_on_here(akin_near_job *j, akin_status status)
{
    if (akin_device_is_required(j->scope) || (status != AKIN_E_DEVICE && status != AKIN_E_NOMEM))
        return 0;
    akin_bags_gpu_free(j->gpu);
    j->gpu = NULL;
    j->on_device = 0;
    j->first = 0;
    j->empty = 0;
    akin_frequencies_forget(&j->frequencies);
    for (uint32_t i = 0; i < j->scope->threads; i++)
        j->workers[i].counts = (akin_text_counts){0, 0};
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ count */

/* Chooses GPUs, if some are wanted: *out is NULL if not. Which tokens are left out is known after counting, when GPUs
 * have all bags with them. */
static akin_status choose_gpus(const akin_near_job *j, akin_devices **out, akin_error *error)
{
    *out = NULL;
    return j->options.own.ignore_frequent > 0
               ? AKIN_OK
               : akin_bags_gpu_choose(j->scope, j->column->offsets[j->rows] - j->column->offsets[0], out, error);
}

/* From now on the workers count the texts that they cut, or no longer, and the caller gets the sums. */
static void count_texts(akin_near_job *j, int begins)
{
    for (uint32_t i = 0; i < j->scope->threads; i++) {
        akin_near_worker *w = &j->workers[i];
        if (begins)
            w->counts = (akin_text_counts){0, 0};
        else if (j->options.text.counts)
            akin_text_counts_add(j->options.text.counts, &w->counts);
        w->own.tokenizer.counts = begins ? &w->counts : NULL;
    }
}

akin_status akin_near_count(akin_near_job *j, akin_error *error)
{
    const uint64_t most = j->account.limit ? akin_budget_left(&j->account, 0, AKIN_LEFT_FREQUENCIES) : UINT64_MAX;
    uint64_t hashes = 0;
    akin_devices *devices = NULL;
    akin_status status = choose_gpus(j, &devices, error);
    if (status != AKIN_OK)
        return status;
    status = guess_hashes(j, &hashes);
    if (status == AKIN_OK)
        status = akin_frequencies_make(&j->account, hashes, most, &j->frequencies);
    count_texts(j, 1);
    int is_counted = 0;
    if (status == AKIN_OK && devices) {
        status = count_on_gpus(j, devices, hashes, error);
        is_counted = status == AKIN_OK || !may_go_on_here(j, status);
        status = is_counted ? status : AKIN_OK;
    }
    if (status == AKIN_OK && !is_counted)
        status = akin_near_pass(j, "counting", AKIN_NEAR_PORTION, count_rows, NULL);
    count_texts(j, 0);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT)
        return akin_sets_fail_text(j->column, 1, 0, (uint32_t)j->bad, status, error);
    return status == AKIN_OK || status == AKIN_E_DEVICE ? status : akin_near_fail(j, status, error);
}

/* --------------------------------------------------------------------------------------------------------- frequent */

/* A token that may be in too many documents is counted exactly. */
static akin_status count_token(void *user, const char *bytes, uint32_t length, uint64_t hash)
{
    akin_near_job *j = user;
    uint8_t frequency;
    akin_frequencies_of(&j->frequencies, &hash, 1, &frequency);
    return frequency > akin_min_u64(j->options.own.ignore_frequent, AKIN_FREQUENCY_MOST - 1)
               ? akin_frequent_add(j->frequent, bytes, length, hash)
               : AKIN_OK;
}

static akin_status count_tokens(void *argument, uint64_t task, uint32_t thread)
{
    akin_near_job *j = argument;
    akin_shingler *own = &j->workers[thread].own;
    const uint64_t begin = j->first + task * AKIN_NEAR_TASK, end = akin_min_u64(begin + AKIN_NEAR_TASK, j->rows);
    akin_status status = AKIN_OK;
    for (uint64_t row = begin; row < end && status == AKIN_OK; row++) {
        status = akin_near_take_row(j, own, (uint32_t)row);
        if (status == AKIN_OK)
            status = akin_shingler_visit(own, count_token, j);
    }
    return status;
}

akin_status akin_near_find_frequent(akin_near_job *j, akin_error *error)
{
    akin_status status = akin_frequent_create(&j->account, j->options.own.ignore_frequent, &j->frequent);
    if (status == AKIN_OK)
        status = akin_near_pass(j, "counting frequent", AKIN_NEAR_PORTION, count_tokens, NULL);
    if (status == AKIN_OK)
        status = akin_frequent_finish(j->frequent, &j->ignored);
    for (uint32_t i = 0; i < j->scope->threads && status == AKIN_OK; i++)
        j->workers[i].own.left_out = j->workers[i].other.left_out = j->frequent;
    return status == AKIN_OK ? AKIN_OK : akin_near_fail(j, status, error);
}
