/*
 * The screened prefix join, our own: the pairs that meet in a list of the prefix index are compared by their
 * signatures, as the bitmap join compares all pairs. Each token's list is a small bitmap join of its own:
 *
 *     token t    probing prefixes  | 3 17 20 21 40 ... |   narrow signatures gathered, probe rows against transposed
 *                indexed prefixes  | 3 17    21 40 ... |   strips (see tile.h); what they leave is verified if t is the
 *                                                          first token that the two sets share
 *
 * So no counters are kept a pair, a posting costs a fraction of a nanosecond, and lists are read once and in order. A
 * probe that holds t at position i needs |r| - i common tokens at most, which bounds the sizes of its partners in
 * this list.
 *
 * Lists do not depend on one another. Under a memory bound that has no room for the index, its tokens are cut into
 * blocks (token_blocks.h), and the lists of one block after the other are made and joined.
 */
#include "base/bits.h"
#include "join/prefix.h"
#include "join/progress.h"
#include "join/tile.h"
#include "join/token_blocks.h"

/* About how many pairs and postings make a task; the lists of frequent tokens are cut into several. */
#define TASK_WORK   2000000u
#define TASKS_LEAST 64
#define TASKS_MOST  16384 /* of one of several blocks of tokens: more of them become larger */
#define STRIP       (AKIN_SCREEN_STRIP * AKIN_SCREEN_GROUP)

static const char what[] = "the lists of the prefix index";

/* Postings of tokens [token, token_end), and if that is a single one, its probes [first, end) only. */
typedef struct task {
    uint64_t token, token_end;
    uint64_t first, end;
} task;

/* One thread's working memory. */
typedef struct scratch {
    akin_tile_work work;
    akin_tile_probes probes;
    uint64_t narrow[AKIN_SCREEN_PROBES * AKIN_PARITY_BITS_MOST / 64];
    uint64_t *strips; /* room for the narrow signatures of the longest list */
    int64_t *slack;   /* and for its slack; NULL where the threshold does not divide */
} scratch;

typedef struct screened {
    akin_tile_join tiles;
    akin_prefix_index probing, indexed;
    akin_token_blocks blocks;
    char *arena;        /* room for the lists of any block; NULL: there is one, whose lists are on the heap */
    scratch *scratches; /* one for each thread */
    task *tasks;
    uint64_t task_count, tasks_most;
    uint64_t task_work; /* about what a task is to have */
} screened;

static inline uint64_t list_length(const akin_prefix_index *index, uint64_t token)
{
    return index->start[token - index->first + 1] - index->start[token - index->first];
}

/* The first position at or after `at` in an ascending list whose entry is not below bound, for bounds that rise slowly.
 */
static inline uint32_t walk_lists_to(const uint32_t *list, uint32_t at, uint32_t count, uint32_t bound)
{
    while (at < count && list[at] < bound)
        at++;
    return at;
}

/* In a list this short it is cheaper to compare a probe with all sets than to find out which it could match. */
#define SHORT 64

/* What holds for the probes of one size while they run along a list: the bounds of their partners there. */
typedef struct bounds {
    uint32_t size;
    uint32_t low;  /* position of the first partner */
    uint32_t high; /* position after the last one that any probe of this size has; in a self-join before the probe */
    uint64_t unlimited; /* a probe that holds the token at a position below this has all of them as partners */
} bounds;

static void enter_size(const akin_join_job *job, const akin_tile_list *list, uint32_t size, bounds *reach)
{
    reach->size = size;
    reach->unlimited = UINT32_MAX;
    if (list->count <= SHORT) {
        reach->high = job->self ? reach->high : list->count;
        return;
    }
    uint64_t largest = job->self ? size : akin_threshold_largest(&job->threshold, size);
    uint64_t need = akin_join_need(job, size, largest);
    reach->unlimited = need <= size ? size - need + 1 : 0;
    reach->low = walk_lists_to(list->set, reach->low, list->count,
                               akin_ranked_first(job->indexed, akin_threshold_smallest(&job->threshold, size)));
    if (!job->self)
        reach->high = walk_lists_to(list->set, reach->high, list->count, akin_ranked_first(job->indexed, largest + 1));
}

/* The position after the last partner of a probe that holds the list's token at `position`. */
static inline uint32_t partners_end(const akin_join_job *job, const akin_tile_list *list, const bounds *reach,
                                    uint32_t position)
{
    if (position < reach->unlimited)
        return reach->high;
    uint64_t most = akin_threshold_largest_within(&job->threshold, reach->size, reach->size - position);
    uint32_t bound = akin_ranked_first(job->indexed, most + 1), low = reach->low;
    return low < reach->high ? low + (uint32_t)akin_lower_bound_u32(list->set + low, reach->high - low, bound) : low;
}

/* Joins the probes gathered so far with their partners, from position `first` of the list on, strip by strip. */
static akin_status run_windows(const screened *join, akin_join_worker *worker, scratch *scratch,
                               const akin_tile_list *list, uint32_t first, uint64_t token)
{
    const akin_tile_probes *probes = &scratch->probes;
    const akin_ranked *sets = join->tiles.job->indexed;
    akin_tile_limits limits;
    akin_status status = AKIN_OK;
    uint32_t end = 0;
    for (uint32_t p = 0; p < probes->count; p++)
        end = probes->end[p] > end ? probes->end[p] : end;
    while (first < end && status == AKIN_OK) {
        uint32_t next = (first / STRIP + 1) * STRIP;
        akin_tile_window window = {first, next < end ? next : end, 0, 0};
        window.smallest = akin_ranked_size(sets, list->set[window.first]);
        window.largest = akin_ranked_size(sets, list->set[window.end - 1]);
        akin_tile_limit(&join->tiles, probes, list, &window, &limits);
        if (limits.most >= 0)
            status = akin_tile_run(&join->tiles, worker, &scratch->work, probes, list, &window, &limits, token);
        first = window.end;
    }
    return status;
}

/* Joins the probes [first, end) of a token with its list. */
static akin_status join_list(const screened *join, akin_join_worker *worker, scratch *scratch, uint64_t token,
                             uint64_t first, uint64_t end)
{
    const akin_join_job *job = join->tiles.job;
    const uint64_t probing = join->probing.start[token - join->probing.first];
    const uint64_t indexed = join->indexed.start[token - join->indexed.first];
    const uint32_t *probe_sets = join->probing.entry + probing, *positions = join->probing.position + probing;
    akin_tile_list list = {join->indexed.entry + indexed, scratch->strips, NULL, scratch->slack,
                           (uint32_t)list_length(&join->indexed, token)};
    akin_tile_probes *probes = &scratch->probes;
    uint32_t narrow = join->tiles.narrow, stride = join->tiles.probes->stride, first_partner = 0;
    bounds reach = {0};
    akin_status status = AKIN_OK;
    akin_parity_strips(join->tiles.indexed, list.set, list.count, narrow, scratch->strips);
    if (scratch->slack)
        akin_tile_slack(job, list.set, list.count, scratch->slack);
    probes->narrow = scratch->narrow;
    probes->count = 0;
    for (; first < end && status == AKIN_OK; first++) {
        uint32_t probe = probe_sets[first], p = probes->count, size = akin_ranked_size(job->probes, probe);
        if (size != reach.size)
            enter_size(job, &list, size, &reach);
        if (job->self)
            reach.high = walk_lists_to(list.set, reach.high, list.count, probe);
        uint32_t high = partners_end(job, &list, &reach, positions[first]);
        if (high > reach.low) {
            probes->set[p] = probe;
            probes->end[p] = high;
            first_partner = p && first_partner < reach.low ? first_partner : reach.low;
            akin_parity_fold(join->tiles.probes->words + (uint64_t)probe * stride, stride,
                             scratch->narrow + (uint64_t)p * narrow, narrow);
            probes->count++;
        }
        if (probes->count == AKIN_SCREEN_PROBES) {
            status = run_windows(join, worker, scratch, &list, first_partner, token);
            probes->count = 0;
        }
    }
    if (probes->count && status == AKIN_OK)
        status = run_windows(join, worker, scratch, &list, first_partner, token);
    return status;
}

static akin_status join_task(void *argument, uint64_t number, uint32_t thread)
{
    const screened *join = argument;
    const akin_join_job *job = join->tiles.job;
    const task *task = &join->tasks[number];
    akin_status status = AKIN_OK;
    for (uint64_t token = task->token; token < task->token_end && status == AKIN_OK; token++) {
        uint64_t probes = list_length(&join->probing, token);
        if (list_length(&join->indexed, token) == 0 || probes == 0 || (job->self && probes == 1))
            continue;
        int whole = task->token_end - task->token > 1;
        status = join_list(join, &job->workers[thread], &join->scratches[thread], token, whole ? 0 : task->first,
                           whole ? probes : task->end);
    }
    return status;
}

/* Cuts the lists into tasks of about equal work; called once to count them and once to write them. */
static uint64_t cut_screened_tasks(const screened *join, task *tasks)
{
    const uint64_t most = join->task_work, first = join->probing.first, end = join->probing.end;
    uint64_t count = 0, work = 0, start = first;
    for (uint64_t token = first; token < end; token++) {
        uint64_t probes = list_length(&join->probing, token), sets = list_length(&join->indexed, token);
        uint64_t here = 16 * (probes + sets) + akin_min_u64(probes, most) * akin_min_u64(sets, most);
        if (work && work + here > most) {
            if (tasks)
                tasks[count] = (task){start, token, 0, list_length(&join->probing, start)};
            count++;
            start = token;
            work = 0;
        }
        work += here;
        if (here <= 2 * most)
            continue;
        uint64_t step = akin_max_u64(AKIN_SCREEN_PROBES, akin_ceil_div(probes, here / most));
        for (uint64_t probe = 0; probe < probes; probe += step, count++)
            if (tasks)
                tasks[count] = (task){token, token + 1, probe, akin_min_u64(probe + step, probes)};
        start = token + 1;
        work = 0;
    }
    if (work && tasks)
        tasks[count] = (task){start, end, 0, list_length(&join->probing, start)};
    return count + (work != 0);
}

/* ----------------------------------------------------------------------------------------------------------- blocks
 */

/*
 * The lists have their memory before the first pair is found. Several blocks have one arena, as large as the largest
 * needs it, which each of them divides anew:
 *
 *     block 0 | lists of the probes | lists of the indexed sets | strips, slack of thread 0 | of thread 1 | ...
 *     block 1 | lists ... | lists ...                | strips, slack of thread 0 | ...
 */

/* A list's postings, in whole groups of the screens. */
static uint64_t strip_length(uint64_t longest)
{
    return akin_ceil_div(longest, AKIN_SCREEN_GROUP) * AKIN_SCREEN_GROUP;
}

/* What a thread takes for its strips, and for the slack of these; multiples of 64, as groups are large. */
static uint64_t strips_bytes(const screened *join, uint64_t longest)
{
    return strip_length(longest) * join->tiles.narrow * sizeof(uint64_t);
}

static uint64_t slack_bytes(const screened *join, uint64_t longest)
{
    return akin_rule_divides(join->tiles.job->threshold.rule) ? strip_length(longest) * sizeof(int64_t) : 0;
}

static uint64_t block_bytes(const screened *join, const akin_token_block *block)
{
    const uint64_t tokens = block->end - block->first;
    return akin_prefix_bytes(tokens, block->probing, 1) + akin_prefix_bytes(tokens, block->indexed, 0) +
           join->tiles.job->threads * (strips_bytes(join, block->longest) + slack_bytes(join, block->longest));
}

/* Divides the arena among the arrays of a block. */
static void divide_arena(screened *join, const akin_token_block *block)
{
    const uint64_t tokens = block->end - block->first;
    char *at = join->arena;
    join->probing = akin_prefix_lend(at, tokens, block->probing, 1);
    at += akin_prefix_bytes(tokens, block->probing, 1);
    join->indexed = akin_prefix_lend(at, tokens, block->indexed, 0);
    at += akin_prefix_bytes(tokens, block->indexed, 0);
    for (uint32_t t = 0; t < join->tiles.job->threads; t++) {
        scratch *scratch = &join->scratches[t];
        const uint64_t slack = slack_bytes(join, block->longest);
        scratch->strips = (void *)at;
        at += strips_bytes(join, block->longest);
        scratch->slack = slack ? (void *)at : NULL;
        at += slack;
    }
}

/* Room for the strips of a single block's lists. */
static int make_strips(screened *join)
{
    akin_account *account = join->tiles.job->account;
    uint64_t longest = 0;
    for (uint64_t token = join->indexed.first; token < join->indexed.end; token++)
        longest = akin_max_u64(longest, list_length(&join->indexed, token));
    for (uint32_t t = 0; t < join->tiles.job->threads; t++) {
        scratch *scratch = &join->scratches[t];
        const uint64_t slack = slack_bytes(join, longest);
        scratch->strips = akin_alloc(account, strips_bytes(join, longest), 1);
        scratch->slack = slack ? akin_alloc(account, slack, 1) : NULL;
        if (!scratch->strips || (slack && !scratch->slack))
            return 0;
    }
    return 1;
}

/* Makes the arena, and room for the tasks of a block, if there are several. */
static int make_arena(screened *join)
{
    const akin_token_blocks *blocks = &join->blocks;
    akin_account *account = join->tiles.job->account;
    uint64_t most = 0;
    if (blocks->count == 1)
        return 1;
    for (uint32_t b = 0; b < blocks->count; b++)
        most = akin_max_u64(most, block_bytes(join, &blocks->list[b]));
    join->tasks_most = akin_max_u64(TASKS_LEAST, akin_min_u64(TASKS_MOST, blocks->bytes / sizeof *join->tasks));
    join->arena = akin_alloc(account, most, 1);
    join->tasks = akin_alloc(account, join->tasks_most, sizeof *join->tasks);
    return join->arena && join->tasks;
}

static akin_status prepare_screened(akin_join_job *job, screened *join, akin_error *error)
{
    akin_status status = akin_join_workers_make(job, error);
    if (status == AKIN_OK)
        status = akin_tile_prepare(job, &join->tiles, error);
    if (status == AKIN_OK)
        status = akin_token_blocks_make(job, akin_token_blocks_each(job->bits_screen), &join->blocks, error);
    if (status != AKIN_OK)
        return status;
    join->scratches = akin_alloc_zero(job->account, job->threads, sizeof *join->scratches);
    return join->scratches && make_arena(join) ? AKIN_OK : akin_fail_memory(error, what);
}

/* Cuts the lists of a block into tasks: of several blocks as few as there is room for. */
static akin_status make_tasks(screened *join, akin_error *error)
{
    join->task_work = TASK_WORK;
    join->task_count = cut_screened_tasks(join, NULL);
    for (; join->arena && join->task_count > join->tasks_most; join->task_count = cut_screened_tasks(join, NULL))
        join->task_work *= 2;
    if (!join->arena)
        join->tasks = akin_alloc(join->tiles.job->account, join->task_count, sizeof *join->tasks);
    if (!join->tasks)
        return akin_fail_memory(error, what);
    cut_screened_tasks(join, join->tasks);
    return AKIN_OK;
}

/* Makes the lists of a block, and cuts them into tasks. */
static akin_status enter_block(akin_join_job *job, screened *join, const akin_token_block *block, akin_error *error)
{
    const akin_prefix_groups probes = {NULL, job->probes->count}, indexed = {NULL, job->indexed->count};
    if (join->arena)
        divide_arena(join, block);
    join->probing.first = join->indexed.first = block->first;
    join->probing.end = join->indexed.end = block->end;
    akin_status status = akin_prefix_build(job, job->probes, AKIN_PREFIX_PROBING, &probes, 1, &join->probing, error);
    if (status == AKIN_OK)
        status = akin_prefix_build(job, job->indexed, AKIN_PREFIX_INDEXED, &indexed, 0, &join->indexed, error);
    if (status != AKIN_OK)
        return status;
    return join->arena || make_strips(join) ? make_tasks(join, error) : akin_fail_memory(error, what);
}

/* Joins the lists of a block. */
static akin_status join_block(akin_join_job *job, screened *join, const akin_token_block *block, akin_error *error)
{
    akin_status status = enter_block(job, join, block, error);
    return status == AKIN_OK ? akin_join_run(job, join->task_count, join_task, join, error) : status;
}

/* Joins block after block, and reports that as one join. */
static akin_status join_blocks(akin_join_job *job, screened *join, akin_error *error)
{
    const akin_token_blocks *blocks = &join->blocks;
    akin_join_progress progress;
    akin_status status = AKIN_OK;
    uint64_t total = 0;
    if (blocks->count == 1)
        return join_block(job, join, &blocks->list[0], error);
    for (uint32_t b = 0; b < blocks->count; b++)
        total += blocks->list[b].probing + blocks->list[b].indexed;
    akin_join_progress_begin(&progress, job->scope, total);
    job->scope = &progress.inner;
    for (uint32_t b = 0; b < blocks->count && status == AKIN_OK; b++) {
        progress.now = blocks->list[b].probing + blocks->list[b].indexed;
        status = join_block(job, join, &blocks->list[b], error);
        progress.done += progress.now;
    }
    job->scope = progress.outer;
    return status;
}

akin_status akin_join_screened(akin_join_job *job, akin_error *error)
{
    screened join = {0};
    akin_status status = prepare_screened(job, &join, error);
    if (status == AKIN_OK)
        status = join_blocks(job, &join, error);
    for (uint32_t t = 0; join.scratches && !join.arena && t < job->threads; t++) {
        akin_free(join.scratches[t].strips);
        akin_free(join.scratches[t].slack);
    }
    akin_free(join.scratches);
    akin_free(join.tasks);
    akin_free(join.arena);
    akin_free(join.blocks.list);
    akin_prefix_clear(&join.probing);
    akin_prefix_clear(&join.indexed);
    akin_tile_clear(&join.tiles);
    return status;
}
