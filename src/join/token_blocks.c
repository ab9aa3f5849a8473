/* Counts the postings of ranges of tokens, and cuts the tokens into blocks by these counts. */
#include "join/token_blocks.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/context.h"
#include "base/parallel.h"
#include "join/sample.h"

#include <math.h>

#define CELLS       16384 /* ranges of tokens that are counted, at most */
#define CELLS_LEAST 64
#define SETS_A_TASK 16384

/* Of a token, and of a posting on each side: an entry of akin_prefix_index, probing with positions. */
#define BYTES_A_TOKEN   (2 * sizeof(uint64_t))
#define BYTES_A_PROBING (2 * sizeof(uint32_t))
#define BYTES_A_INDEXED sizeof(uint32_t)

/* Postings of a range of tokens. */
typedef struct cell {
    uint64_t probing, indexed;
} cell;

typedef struct cells {
    const akin_join_job *job;
    const akin_ranked *sets;
    akin_prefix_side side; /* that is counted; a self-join counts both at once */
    uint64_t first, width; /* cell c is of `width` tokens from first + c * width on */
    uint64_t count;
    cell *list; /* of each thread */
} cells;

static double lists_bytes(double tokens, double probing, double indexed, double longest)
{
    return BYTES_A_TOKEN * tokens + BYTES_A_PROBING * probing + BYTES_A_INDEXED * indexed + longest;
}

double akin_token_blocks_bytes(const akin_join_job *job, uint64_t each)
{
    const akin_ranked *indexed = job->indexed;
    return lists_bytes(
        (double)(indexed->universe - indexed->once), akin_sample_postings(job, job->probes, AKIN_PREFIX_PROBING),
        akin_sample_postings(job, indexed, AKIN_PREFIX_INDEXED), (double)each * job->threads * indexed->count);
}

/* ---------------------------------------------------------------------------------------------------------- counting
 */

static akin_status count_some(void *argument, uint64_t task, uint32_t thread)
{
    const cells *c = argument;
    const akin_ranked *sets = c->sets;
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * SETS_A_TASK, sets->count);
    cell *own = c->list + thread * c->count;
    uint32_t size = 0, probing = 0, indexed = 0;
    for (uint32_t set = (uint32_t)task * SETS_A_TASK; set < end; set++) {
        const uint32_t *tokens = sets->tokens + sets->offsets[set];
        if (akin_ranked_size(sets, set) != size) {
            size = akin_ranked_size(sets, set);
            probing = c->job->self || c->side == AKIN_PREFIX_PROBING
                          ? akin_prefix_length(c->job, size, AKIN_PREFIX_PROBING)
                          : 0;
            indexed = c->job->self || c->side == AKIN_PREFIX_INDEXED
                          ? akin_prefix_length(c->job, size, AKIN_PREFIX_INDEXED)
                          : 0;
        }
        for (uint32_t i = 0; i < probing || i < indexed; i++)
            if (tokens[i] >= c->first) {
                cell *at = &own[(tokens[i] - c->first) / c->width];
                at->probing += i < probing;
                at->indexed += i < indexed;
            }
    }
    return AKIN_OK;
}

/* Counts the postings of all cells, in those of the first thread. */
static akin_status count_cells(cells *c)
{
    const akin_join_job *job = c->job;
    c->list = akin_alloc_zero(job->account, job->threads * c->count, sizeof *c->list);
    akin_status status = c->list ? AKIN_OK : AKIN_E_NOMEM;
    for (int side = 0; side < (job->self ? 1 : 2) && status == AKIN_OK; side++) {
        c->side = side ? AKIN_PREFIX_INDEXED : AKIN_PREFIX_PROBING;
        c->sets = side ? job->indexed : job->probes;
        status = akin_parallel(job->scope, NULL, akin_ceil_div(c->sets->count, SETS_A_TASK), count_some, c);
    }
    for (uint64_t i = c->count; i < job->threads * c->count && status == AKIN_OK; i++) {
        c->list[i % c->count].probing += c->list[i].probing;
        c->list[i % c->count].indexed += c->list[i].indexed;
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- cutting
 */

/* The cells from `at` on as a block, as many as fit it, but one at least. */
static akin_token_block next_block(const cells *c, uint64_t at, uint64_t each, double room, uint64_t most)
{
    akin_token_block block = {.first = c->first + at * c->width, .end = c->first + at * c->width};
    for (; at < c->count; at++) {
        const cell *next = &c->list[at];
        const akin_token_block more = {.first = block.first,
                                       .end = block.end + c->width,
                                       .probing = block.probing + next->probing,
                                       .indexed = block.indexed + next->indexed,
                                       .longest = akin_max_u64(block.longest, next->indexed)};
        const double bytes = lists_bytes((double)(more.end - more.first), (double)more.probing, (double)more.indexed,
                                         (double)each * c->job->threads * (double)more.longest);
        if (block.end > block.first && (bytes > room || (most && more.probing > most)))
            break;
        block = more;
    }
    return block;
}

/* Cuts the cells into blocks; called once to count them and once to write them. */
static uint32_t cut_cells(const cells *c, uint64_t each, double room, uint64_t most, akin_token_block *list)
{
    uint32_t count = 0;
    for (uint64_t at = 0; at < c->count; count++) {
        const akin_token_block block = next_block(c, at, each, room, most);
        at += (block.end - block.first) / c->width;
        if (list)
            list[count] = block;
    }
    if (list)
        list[count - 1].end = c->job->indexed->universe;
    return count;
}

static akin_status make_blocks(cells *c, uint64_t each, double room, uint64_t most, akin_token_blocks *out)
{
    akin_status status = count_cells(c);
    if (status != AKIN_OK)
        return status;
    out->count = cut_cells(c, each, room, most, NULL);
    out->list = akin_alloc(c->job->account, out->count, sizeof *out->list);
    if (!out->list)
        return AKIN_E_NOMEM;
    cut_cells(c, each, room, most, out->list);
    return AKIN_OK;
}

static akin_status one_block(const akin_join_job *job, akin_token_blocks *out)
{
    const akin_ranked *indexed = job->indexed;
    out->list = akin_alloc(job->account, 1, sizeof *out->list);
    if (!out->list)
        return AKIN_E_NOMEM;
    out->list[0] = (akin_token_block){.first = indexed->once, .end = indexed->universe};
    out->count = 1;
    return AKIN_OK;
}

/* Cells of about as many tokens each, as many as there is room for. */
static cells make_cells(const akin_join_job *job, uint64_t bytes)
{
    const uint64_t tokens = job->indexed->universe - job->indexed->once;
    const uint64_t count = akin_max_u64(CELLS_LEAST, akin_min_u64(CELLS, bytes / (job->threads * sizeof(cell))));
    cells c = {.job = job, .first = job->indexed->once, .width = akin_max_u64(1, akin_ceil_div(tokens, count))};
    c.count = akin_ceil_div(tokens, c.width);
    return c;
}

akin_status akin_token_blocks_make(const akin_join_job *job, uint64_t each, akin_token_blocks *out, akin_error *error)
{
    const akin_account *account = job->account;
    const uint64_t tokens = job->indexed->universe - job->indexed->once,
                   most = akin_wishes_of(job->scope)->block_postings;
    const uint64_t beside = account->limit ? akin_budget_left(account, 0, AKIN_LEFT_CUTTING) : UINT64_MAX;
    const double room = account->limit ? (double)akin_budget_lists(account, beside) : HUGE_VAL;
    cells c = make_cells(job, beside);
    *out = (akin_token_blocks){.bytes = beside};
    akin_status status = tokens == 0 || (!most && akin_token_blocks_bytes(job, each) <= room)
                             ? one_block(job, out)
                             : make_blocks(&c, each, room, most, out);
    akin_free(c.list);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "the lists of the prefix index");
}
