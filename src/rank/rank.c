/*
 * Ranks documents for queries: text becomes lists, and each thread ranks some of the queries, or leaves them to a GPU.
 * There they go in batches, and while one is ranked the next is made:
 *
 *     threads    queries 0   queries 1            queries 2
 *     GPU                    rank 0      rank 1               rank 2
 *     sink                               found 0              found 1
 *
 * A query that is too long for a GPU is ranked by the thread that has it.
 */
#include "rank/rank.h"

#include "base/scope.h"
#include "base/budget.h"
#include "base/options.h"
#include "base/parallel.h"
#include "device/devices.h"
#include "device/worth.h"
#include "table/columns.h"
#include "rank/rank_index.h"
#include "rank/ranker.h"
#include "rank/ranker_gpu.h"

#define QUERIES 256                 /* at a time, for each thread */
#define FOUND   (UINT64_C(1) << 22) /* documents at a time, about */
#define HITS    (UINT64_C(1) << 16) /* documents that the sink is given at a time, unless one query has more */
#define MIB     1048576.
#define THERE   UINT32_MAX /* in place of how many documents were found: a GPU knows */

#define RANKED_A_SECOND 5000. /* queries, by a thread; these figures are rough */
#define SECONDS_ON_GPU  0.02  /* until a GPU that has the index has ranked them */

AKIN_OPTIONS_END(akin_rank_options, reserved);

/* What a thread has. */
typedef struct worker {
    akin_analyser analyser;
    akin_ranker ranker;
    akin_error error;
    uint64_t failed; /* the row that it is of */
} worker;

/* Queries at hand. */
typedef struct batch {
    uint32_t first, count;
    int is_pending;           /* it is to be delivered */
    akin_ranker_found *found; /* k for each query, */
    uint32_t *counts;         /* and how many there are */
} batch;

struct akin_ranking {
    const akin_scope *scope; /* the context's */
    akin_scope few;          /* the same, with as many threads as there is memory for */
    const akin_rank_index *index;
    uint32_t k;
    uint64_t at_once;     /* queries, at most */
    akin_account account; /* of workers, and of what is found */
    worker *workers;
    akin_gpu_ranker *gpu;
    int gpu_failed; /* the GPU is not required, and has failed */
    int gpu_ranked; /* for the last call */
};

/* A call. */
typedef struct run {
    akin_ranking *ranking;
    akin_gpu_ranker *gpu; /* NULL: the CPU ranks */
    const akin_column *queries;
    uint32_t columns, rows;
    akin_rank_sink sink;
    void *user;
    uint64_t at_once;    /* queries */
    uint32_t place;      /* of the batch at hand */
    uint32_t delivered;  /* queries */
    akin_status refused; /* what a worker has said */
    batch batches[AKIN_GPU_RANK_PLACES];
    akin_ranking_hit *hits; /* on their way to the sink, */
    uint64_t room, held;    /* the most of them; and now */
} run;

static const char what[] = "a ranking"; /* the memory is for */

/* ---------------------------------------------------------------------------------------------------------- a query */

/* Adds the tokens of a text to the query. If that is AKIN_E_INPUT, the worker has an error of the index, or the text is
 * not UTF-8. */
static akin_status add_query_text(const akin_rank_index *index, worker *w, const char *text, uint64_t length)
{
    akin_status status = akin_analyser_take(&w->analyser, text, length, length);
    while (status == AKIN_OK) {
        const char *term;
        uint32_t size, list;
        status = akin_analyser_next(&w->analyser, &term, &size);
        if (status != AKIN_OK || size == 0)
            break;
        status = akin_rank_index_find(index, term, size, &list, &w->error);
        if (status == AKIN_OK && list != AKIN_RANK_INDEX_NONE)
            status = akin_ranker_add(&w->ranker, list);
    }
    return status;
}

/* Makes a query of a row. */
static akin_status add_row(const run *r, worker *w, uint64_t row)
{
    akin_status status = AKIN_OK;
    akin_ranker_new(&w->ranker);
    for (uint32_t c = 0; c < r->columns && status == AKIN_OK; c++) {
        const akin_column *column = akin_columns_at(r->queries, c);
        uint64_t begin = column->offsets[row], length = column->offsets[row + 1] - begin;
        if (!column->validity || column->validity[row / 8] >> row % 8 & 1)
            status = add_query_text(r->ranking->index, w, column->bytes + begin, length);
        w->failed = row;
        if (status == AKIN_E_INPUT && w->error.code == AKIN_OK) {
            akin_error_set(&w->error, status, AKIN_REASON_NOT_UTF8, "query %llu, column %s: is not UTF-8",
                           (unsigned long long)row, column->name ? column->name : "");
            akin_note_place(status, row, column->name, &w->error);
        }
    }
    return status == AKIN_OK ? akin_ranker_settle(&w->ranker) : status;
}

static akin_status rank_query(void *argument, uint64_t task, uint32_t thread)
{
    run *r = argument;
    worker *w = &r->ranking->workers[thread];
    const batch *b = &r->batches[r->place];
    akin_status status = add_row(r, w, b->first + task);
    if (status != AKIN_OK)
        return status;
    if (r->gpu && akin_gpu_ranker_put(r->gpu, r->place, (uint32_t)task, &w->ranker)) {
        b->counts[task] = THERE;
        return AKIN_OK;
    }
    akin_ranker_run(&w->ranker);
    if (w->ranker.damaged > 0) {
        uint32_t number;
        akin_lists_number(w->ranker.lists, (uint32_t)(w->ranker.damaged - 1), &number, &w->error);
        return AKIN_E_INPUT;
    }
    b->counts[task] = w->ranker.found;
    if (w->ranker.found > 0)
        memcpy(b->found + task * r->ranking->k, w->ranker.heap, w->ranker.found * sizeof *b->found);
    return AKIN_OK;
}

/* Rows are begun in their order, so the first one that is wrong is among those that workers name. */
static akin_status say_why(const akin_ranking *ranking, akin_status status, akin_error *error)
{
    const worker *first = NULL;
    for (uint32_t i = 0; i < ranking->few.threads && status == AKIN_E_INPUT; i++) {
        const worker *w = &ranking->workers[i];
        if (w->error.code == status && (!first || w->failed < first->failed))
            first = w;
    }
    if (first)
        return akin_fail_again(error, status, &first->error);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "a query has more tokens, or bytes, than 32 bits can number");
    if (status == AKIN_E_NOMEM && ranking->account.refused > 0)
        return akin_fail(error, status, "a memory bound of %.0f MiB is too small for a query of this length",
                         (double)ranking->few.memory / MIB);
    return akin_fail_stopped(error, status, what);
}

/* ---------------------------------------------------------------------------------------------------------- batches */

static akin_status give(run *r, akin_error *error)
{
    const uint64_t held = r->held;
    r->held = 0;
    if (held > 0 && r->sink(r->user, r->hits, held) != 0)
        return akin_fail(error, AKIN_E_CANCELLED, "cancelled by the sink of a ranking");
    return AKIN_OK;
}

/* Hands on what was found for the queries of a batch. */
static akin_status deliver_batch(run *r, const batch *b, akin_error *error)
{
    const uint32_t k = r->ranking->k;
    akin_status status = AKIN_OK;
    for (uint32_t q = 0; q < b->count && status == AKIN_OK; q++) {
        uint32_t count = b->counts[q];
        const int is_there = count == THERE;
        const akin_ranker_found *found = b->found + (uint64_t)q * k;
        const akin_gpu_found *there = is_there ? akin_gpu_ranker_found(r->gpu, r->place, q, &count) : NULL;
        if (count > r->room - r->held)
            status = give(r, error);
        for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
            r->hits[r->held] = is_there ? (akin_ranking_hit){b->first + q, there[i].document, there[i].score}
                                        : (akin_ranking_hit){b->first + q, found[i].document, found[i].score};
            status = akin_rank_index_check_name(r->ranking->index, r->hits[r->held++].document, error);
        }
    }
    if (status == AKIN_OK)
        status = give(r, error);
    r->delivered = b->first + b->count;
    return status;
}

/* Waits for the batch at hand, if it is under way, and delivers it. */
static akin_status finish_batch(run *r, akin_error *error)
{
    batch *b = &r->batches[r->place];
    if (!b->is_pending)
        return AKIN_OK;
    b->is_pending = 0;
    akin_status status = r->gpu ? akin_gpu_ranker_take(r->gpu, r->place, error) : AKIN_OK;
    return status == AKIN_OK ? deliver_batch(r, b, error) : status;
}

/* Ranks `count` queries, or has them ranked. */
static akin_status begin_batch(run *r, uint32_t first, uint32_t count, akin_error *error)
{
    batch *b = &r->batches[r->place];
    const akin_scope *scope = &r->ranking->few;
    b->first = first;
    b->count = count;
    akin_status status = r->gpu ? akin_gpu_ranker_begin(r->gpu, r->place, count, error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    status = akin_scope_report(scope, "ranking", first, r->rows);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, count, rank_query, r);
    if (status != AKIN_OK)
        return say_why(r->ranking, r->refused = status, error);
    b->is_pending = 1;
    return r->gpu ? akin_gpu_ranker_send(r->gpu, r->place, error) : AKIN_OK;
}

/* Ranks all rows from the first that was not delivered on. */
static akin_status rank_rows(run *r, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t row = r->delivered, count; row < r->rows && status == AKIN_OK; row += count) {
        count = akin_min_u64(r->at_once, r->rows - row);
        status = finish_batch(r, error);
        if (status == AKIN_OK)
            status = begin_batch(r, (uint32_t)row, (uint32_t)count, error);
        if (status == AKIN_OK && !r->gpu)
            status = finish_batch(r, error);
        r->place ^= r->gpu != NULL;
    }
    for (int i = 0; i < AKIN_GPU_RANK_PLACES && status == AKIN_OK; i++) {
        status = finish_batch(r, error);
        r->place ^= 1;
    }
    return status;
}

/* Ranks with the GPU, if there is one, and by the CPU else. */
static akin_status rank(run *r, akin_gpu_ranker *gpu, akin_error *error)
{
    akin_ranking *ranking = r->ranking;
    akin_account *account = &ranking->account;
    const uint64_t k = ranking->k;
    akin_status status = AKIN_OK;
    r->gpu = gpu;
    r->place = 0;
    r->at_once = ranking->at_once;
    if (gpu) /* batches as large as one another */
        r->at_once = akin_ceil_div(r->rows, akin_max_u64(akin_ceil_div(r->rows, akin_gpu_ranker_batch(gpu)), 1));
    if (gpu && ranking->few.memory) /* the places of the GPU share the bound */
        r->at_once = akin_min_u64(r->at_once, akin_max_u64(ranking->at_once / AKIN_GPU_RANK_PLACES, 1));
    r->at_once = akin_min_u64(r->at_once, r->rows);
    r->room = akin_max_u64(k, akin_min_u64(r->at_once * k, HITS));
    r->held = 0;
    r->hits = akin_alloc(account, r->room, sizeof *r->hits);
    if (!r->hits)
        status = akin_fail_memory(error, what);
    for (int i = 0; i < (gpu ? AKIN_GPU_RANK_PLACES : 1) && status == AKIN_OK; i++) {
        batch *b = &r->batches[i];
        *b = (batch){.found = akin_alloc(account, r->at_once * k, sizeof *b->found),
                     .counts = akin_alloc(account, r->at_once, sizeof *b->counts)};
        if (!b->found || !b->counts)
            status = akin_fail_memory(error, what);
    }
    if (status == AKIN_OK)
        status = rank_rows(r, error);
    for (int i = 0; i < AKIN_GPU_RANK_PLACES; i++) {
        akin_free(r->batches[i].found);
        akin_free(r->batches[i].counts);
        r->batches[i] = (batch){0};
    }
    akin_free(r->hits);
    r->hits = NULL;
    return status;
}

/* -------------------------------------------------------------------------------------------------------- a ranking */

/* Brings the index to a GPU, if there is one: all of it is checked first, as kernels check nothing. A failure of the
 * GPU is an error only if one is required. */
static akin_status open_gpu(akin_ranking *ranking, akin_error *error)
{
    const akin_scope *scope = ranking->scope;
    const int requires_gpu = akin_device_is_required(scope);
    akin_device *device = NULL;
    akin_status status = akin_device_of(scope, &device, error);
    if (status == AKIN_OK && device) {
        status = akin_rank_index_check(scope, ranking->index, error);
        if (status == AKIN_E_INPUT)
            return status;
    }
    if (status == AKIN_OK && device)
        status = akin_gpu_ranker_create(scope, device, &ranking->index->lists, ranking->k, &ranking->gpu, error);
    ranking->gpu_failed = !ranking->gpu;
    return requires_gpu || status == AKIN_E_CANCELLED ? status : AKIN_OK;
}

/* Whether a GPU that can rank is predicted to save enough time. */
static int is_gpu_worth_it(const akin_ranking *ranking, uint32_t rows)
{
    const akin_scope *scope = ranking->scope;
    const double scale = akin_calibrated_scale(scope, AKIN_CALIBRATED_LISTS);
    double bytes = 0;
    for (int part = 0; part < AKIN_LISTS_PARTS && !ranking->gpu; part++)
        bytes += (double)ranking->index->lists.parts[part].length;
    const akin_device_estimate e = {.here = scale * rows / (RANKED_A_SECOND * scope->threads),
                                    .there = SECONDS_ON_GPU,
                                    .bring = akin_device_bringing(scope, bytes)};
    return !ranking->gpu_failed && ranking->k > 0 && ranking->k <= AKIN_GPU_RANK_MOST &&
           akin_device_is_worth(scope, &e);
}

/*
 * Decides how many threads rank how many queries at once. Under a memory bound half of the job's share is for what is
 * found, which each thread has once, each query at hand, and the sink: so
 *
 *     threads + queries + 1 <= room / the bytes of k documents
 */
static akin_status plan_threads(akin_ranking *ranking, akin_error *error)
{
    akin_scope *few = &ranking->few;
    const uint64_t k = akin_max_u64(ranking->k, 1), bytes = k * sizeof(akin_ranker_found);
    ranking->account.limit = akin_budget_job(few);
    const uint64_t room = few->memory ? akin_budget_part(ranking->account.limit, AKIN_JOB_RANKED) : UINT64_MAX,
                   most = room / bytes;
    if (most < 3)
        return akin_fail(
            error, AKIN_E_NOMEM,
            "a memory bound of %.0f MiB is too small for the best %u documents of a query: %.0f MiB would do, "
            "or a smaller k",
            (double)few->memory / MIB, ranking->k, akin_budget_for_part((double)bytes * 3, AKIN_JOB_RANKED) / MIB + 1);
    few->threads = (uint32_t)akin_min_u64(akin_scope_threads(few), (most - 1) / 2);
    ranking->at_once = akin_min_u64((uint64_t)few->threads * QUERIES, akin_max_u64(FOUND / k, (uint64_t)few->threads));
    if (few->memory)
        ranking->at_once = akin_min_u64(ranking->at_once, most - 1 - few->threads);
    return AKIN_OK;
}

static akin_status make_workers(akin_ranking *ranking, akin_error *error)
{
    const akin_scope *few = &ranking->few;
    const akin_rank_index *index = ranking->index;
    ranking->workers = akin_alloc_zero(NULL, few->threads, sizeof *ranking->workers);
    if (!ranking->workers)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < few->threads; i++) {
        worker *w = &ranking->workers[i];
        if (akin_ranker_begin(&w->ranker, &index->lists, NULL, ranking->k, &ranking->account) != AKIN_OK ||
            akin_analyser_begin(&w->analyser, index->analysis, few->cpu, &ranking->account) != AKIN_OK)
            return akin_fail_memory(error, what);
    }
    return AKIN_OK;
}

/* Leaves half of the threads, if a memory bound has not had room for the queries of all of them; 0: there is one, or
 * memory itself has run out. What was delivered stays. */
static int use_fewer(akin_ranking *ranking)
{
    const uint32_t before = ranking->few.threads;
    if (ranking->account.refused == 0 || before == 1)
        return 0;
    ranking->few.threads = (before + 1) / 2;
    for (uint32_t i = ranking->few.threads; i < before; i++) {
        akin_ranker_clear(&ranking->workers[i].ranker);
        akin_analyser_clear(&ranking->workers[i].analyser);
        ranking->workers[i] = (worker){0};
    }
    ranking->account.refused = 0;
    return 1;
}

akin_status akin_ranking_create_within(const akin_scope *scope, const akin_rank_index *index,
                                       const akin_rank_options *options, akin_ranking **out, akin_error *error)
{
    akin_rank_options own = AKIN_RANK_OPTIONS_INIT;
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_rank_options", error);
    if (status != AKIN_OK)
        return status;
    if (own.k == 0 || own.reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_rank_options: k is %u, reserved %u; expected at least 1, and 0",
                         own.k, own.reserved);
    const uint32_t k = own.k < index->lists.head.documents ? own.k : index->lists.head.documents;
    if (akin_device_is_required(scope) && k > AKIN_GPU_RANK_MOST)
        return akin_fail(error, AKIN_E_OPTION,
                         "a GPU finds up to %d documents for a query, not %u: let the CPU do it (device cpu)",
                         AKIN_GPU_RANK_MOST, k);
    akin_ranking *ranking = akin_alloc_zero(NULL, 1, sizeof *ranking);
    if (!ranking)
        return akin_fail_memory(error, what);
    *ranking = (akin_ranking){.scope = scope, .few = *scope, .index = index, .k = k};
    status = plan_threads(ranking, error);
    if (status == AKIN_OK)
        status = make_workers(ranking, error);
    if (status == AKIN_OK && akin_device_is_required(scope) && k > 0)
        status = open_gpu(ranking, error);
    if (status == AKIN_OK)
        *out = ranking;
    else
        akin_ranking_free(ranking);
    return status;
}

akin_status akin_ranking_create(akin_context *context, const akin_rank_index *index, const akin_rank_options *options,
                                akin_ranking **out, akin_error *error)
{
    return akin_ranking_create_within(akin_scope_of(context), index, options, out, error);
}

akin_status akin_ranking_run(akin_ranking *ranking, const akin_column *queries, uint32_t columns, uint32_t rows,
                             akin_rank_sink sink, void *user, akin_error *error)
{
    run r = {.ranking = ranking, .queries = queries, .columns = columns, .rows = rows, .sink = sink, .user = user};
    akin_status status = akin_table_columns_check(queries, columns, rows, "rank by", error);
    const int requires_gpu = akin_device_is_required(ranking->scope),
              is_used = requires_gpu || is_gpu_worth_it(ranking, rows);
    if (status == AKIN_OK && is_used && !requires_gpu && !ranking->gpu)
        status = open_gpu(ranking, error);
    if (status != AKIN_OK)
        return status;
    const akin_frequent *frequent = NULL;
    status = akin_rank_index_frequent(ranking->scope, ranking->index, rows, &frequent, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < ranking->few.threads; i++) {
        ranking->workers[i].error.code = AKIN_OK; /* of a call before */
        ranking->workers[i].ranker.frequent = frequent;
    }
    ranking->gpu_ranked = is_used && ranking->gpu;
    status = rank(&r, is_used ? ranking->gpu : NULL, error);
    while (!r.gpu && status == AKIN_E_NOMEM && use_fewer(ranking)) {
        r.refused = AKIN_OK;
        status = rank(&r, NULL, error);
    }
    const int is_gpu_to_blame = r.gpu && !requires_gpu && r.refused == AKIN_OK && status != AKIN_E_CANCELLED;
    if (status == AKIN_OK || !is_gpu_to_blame)
        return status;
    akin_gpu_ranker_free(ranking->gpu);
    ranking->gpu = NULL;
    ranking->gpu_failed = 1;
    ranking->gpu_ranked = 0;
    return rank(&r, NULL, error);
}

uint32_t akin_ranking_device(const akin_ranking *ranking)
{
    return ranking->gpu_ranked ? akin_device_number(akin_device_opened(ranking->scope)) + 1 : 0;
}

void akin_ranking_free(akin_ranking *ranking)
{
    if (!ranking)
        return;
    akin_gpu_ranker_free(ranking->gpu);
    for (uint32_t i = 0; ranking->workers && i < ranking->few.threads; i++) {
        akin_ranker_clear(&ranking->workers[i].ranker);
        akin_analyser_clear(&ranking->workers[i].analyser);
    }
    akin_free(ranking->workers);
    akin_free(ranking);
}

akin_status akin_rank(akin_context *context, const akin_rank_index *index, const akin_column *queries, uint32_t columns,
                      uint32_t rows, const akin_rank_options *options, akin_rank_sink sink, void *user,
                      akin_error *error)
{
    akin_ranking *ranking = NULL;
    akin_status status = akin_ranking_create(context, index, options, &ranking, error);
    if (status == AKIN_OK && ranking)
        status = akin_ranking_run(ranking, queries, columns, rows, sink, user, error);
    akin_ranking_free(ranking);
    return status;
}
