/*
 * The bitmap join (Bellas and Gounaris, section 3.2.3): no index, the signatures of all pairs that the cheaper
 * filters leave are compared, tile by tile. Sets are put into buckets of like size, and inside a bucket sorted by
 * their projection:
 *
 *              bucket 0 (size 8)   bucket 1 (size 9)    ...    bucket 7 (size 14)
 *     block    .......[======]..   ......[=======]...          .....[=====]..      windows: |p(r) - p(s)| <= distance
 *     of probes
 *
 * So a block of probes meets one window of every bucket of compatible size, which is a run of positions. Where the
 * universe fits the width the signature is the set itself: its distance is exact and nothing is verified.
 */
#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "join/tile.h"
#include "join/verify.h"
#include "signature/projection.h"

#include <string.h>

#define BUCKET_LEAST 512 /* sets; smaller size classes share a bucket */

typedef struct bucket {
    uint32_t first, end; /* positions */
    uint32_t smallest, largest;
} bucket;

/* The sets of one side in the order of their buckets; all arrays are by position. */
typedef struct order {
    uint32_t *set;
    int32_t *projection; /* rising inside a bucket; cut to 32 bits, which keeps distances from growing */
    bucket *buckets;
    uint32_t bucket_count;
} order;

/* One side of the join: an order, and what is laid out in it. */
typedef struct side {
    const akin_ranked *ranked;
    const akin_parity *parity;
    const order *order;
    uint64_t *narrow; /* narrow signatures: rows for probes, transposed strips for indexed sets */
    uint64_t *wide;   /* and wide ones, if those are wider */
    int64_t *slack;   /* of indexed sets; NULL where the threshold does not divide */
} side;

typedef struct block {
    uint32_t first, count; /* positions of the probes */
    uint32_t bucket;
} block;

typedef struct bitmap_join {
    akin_tile_join tiles;
    order orders[2]; /* of the indexed sets, and of the probes unless it is a self-join */
    side probes, indexed;
    block *blocks;
    uint64_t block_count;
} bitmap_join;

/* ------------------------------------------------------------------------------------------------- putting sets in
 * order */

static void find_buckets(const akin_ranked *ranked, order *order)
{
    for (uint32_t c = 0; c < ranked->classes; c++) {
        uint32_t first = ranked->class_first[c], end = ranked->class_first[c + 1], size = ranked->class_size[c];
        bucket *last = order->bucket_count ? &order->buckets[order->bucket_count - 1] : NULL;
        /* A wide range of sizes loosens the limit for all of a bucket, so small sets are kept apart even when they
         * are few. */
        if (last && last->end - last->first < BUCKET_LEAST && size - last->smallest <= last->smallest / 32) {
            last->end = end;
            last->largest = size;
        } else {
            order->buckets[order->bucket_count++] = (bucket){first, end, size, size};
        }
    }
}

#define SETS_A_TASK 4096 /* a multiple of AKIN_SCREEN_GROUP */

typedef struct ordering {
    const akin_ranked *ranked;
    const int8_t *signs;
    uint64_t *keys, *scratch;
    order *order;
} ordering;

/* Keys are the projection above the set's number. */
static akin_status project_some(void *argument, uint64_t task, uint32_t thread)
{
    const ordering *job = argument;
    const akin_ranked *ranked = job->ranked;
    (void)thread;
    uint64_t end = akin_min_u64((task + 1) * SETS_A_TASK, ranked->count);
    for (uint64_t set = task * SETS_A_TASK; set < end; set++) {
        uint32_t size = akin_ranked_size(ranked, (uint32_t)set);
        int64_t p = akin_projection(job->signs, ranked->tokens + ranked->offsets[set], size);
        p = p > INT32_MAX ? INT32_MAX : p < -INT32_MAX ? -INT32_MAX : p;
        job->keys[set] = (uint64_t)(p + INT32_MAX) << 32 | set;
    }
    return AKIN_OK;
}

static akin_status sort_bucket(void *argument, uint64_t task, uint32_t thread)
{
    const ordering *job = argument;
    const bucket *bucket = &job->order->buckets[task];
    (void)thread;
    akin_radix_sort_u64(job->keys + bucket->first, job->scratch + bucket->first, bucket->end - bucket->first);
    for (uint32_t i = bucket->first; i < bucket->end; i++) {
        job->order->set[i] = (uint32_t)job->keys[i];
        job->order->projection[i] = (int32_t)((int64_t)(job->keys[i] >> 32) - INT32_MAX);
    }
    return AKIN_OK;
}

static akin_status order_sets(const akin_join_job *job, const akin_ranked *ranked, const int8_t *signs, order *order)
{
    ordering ordering = {ranked, signs, akin_alloc(job->account, ranked->count, sizeof(uint64_t)),
                         akin_alloc(job->account, ranked->count, sizeof(uint64_t)), order};
    order->set = akin_alloc(job->account, ranked->count, sizeof *order->set);
    order->projection = akin_alloc(job->account, ranked->count, sizeof *order->projection);
    order->buckets = akin_alloc(job->account, ranked->classes, sizeof *order->buckets);
    akin_status status = AKIN_E_NOMEM;
    if (ordering.keys && ordering.scratch && order->set && order->projection && order->buckets) {
        find_buckets(ranked, order);
        status = akin_parallel(job->scope, NULL, akin_ceil_div(ranked->count, SETS_A_TASK), project_some, &ordering);
        if (status == AKIN_OK)
            status = akin_parallel(job->scope, NULL, order->bucket_count, sort_bucket, &ordering);
    }
    akin_free(ordering.keys);
    akin_free(ordering.scratch);
    return status;
}

/* Blocks of probes: each bucket is cut into equal parts. */
static uint64_t cut_blocks(const order *order, block *blocks)
{
    uint64_t count = 0;
    for (uint32_t b = 0; b < order->bucket_count; b++) {
        uint32_t first = order->buckets[b].first, sets = order->buckets[b].end - first;
        uint32_t parts = (uint32_t)akin_ceil_div(sets, AKIN_SCREEN_PROBES);
        for (uint32_t i = 0; i < parts; i++, count++) {
            uint32_t from = (uint32_t)((uint64_t)sets * i / parts), to = (uint32_t)((uint64_t)sets * (i + 1) / parts);
            if (blocks)
                blocks[count] = (block){first + from, to - from, b};
        }
    }
    return count;
}

/* ------------------------------------------------------------------------------------------------------------- joining
 */

/* The first position from `first` on whose projection is at least (or, if `above`, more than) p. */
static uint32_t project_bound(const order *order, uint32_t first, uint32_t end, int64_t p, int above)
{
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (order->projection[middle] < p || (above && order->projection[middle] == p))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static akin_status join_bitmap_block(void *argument, uint64_t task, uint32_t thread)
{
    const bitmap_join *join = argument;
    const akin_join_job *job = join->tiles.job;
    const block *own = &join->blocks[task];
    const order *mine = join->probes.order, *theirs = join->indexed.order;
    const bucket *home = &mine->buckets[own->bucket];
    akin_tile_work work;
    akin_tile_limits limits;
    akin_tile_probes probes = {.count = own->count,
                               .narrow = join->probes.narrow + (uint64_t)own->first * join->tiles.narrow};
    if (join->probes.wide)
        probes.wide = join->probes.wide + (uint64_t)own->first * join->tiles.probes->stride;
    const akin_tile_list list = {theirs->set, join->indexed.narrow, join->indexed.wide, join->indexed.slack,
                                 job->indexed->count};
    memcpy(probes.set, mine->set + own->first, own->count * sizeof *probes.set);
    uint64_t least, most;
    akin_threshold_partners(&job->threshold, home->smallest, home->largest, &least, &most);
    int64_t low = mine->projection[own->first];
    int64_t high = mine->projection[own->first + own->count - 1];
    uint32_t last = job->self ? own->bucket + 1 : theirs->bucket_count;
    for (uint32_t b = 0; b < last; b++) {
        const bucket *bucket = &theirs->buckets[b];
        if (bucket->largest < least || bucket->smallest > most)
            continue;
        akin_tile_window window = {bucket->first, bucket->end, bucket->smallest, bucket->largest};
        akin_tile_limit(&join->tiles, &probes, &list, &window, &limits);
        if (limits.most < 0)
            continue;
        int same = job->self && b == own->bucket;
        for (uint32_t p = 0; p < probes.count; p++)
            probes.end[p] = same ? own->first + p : bucket->end;
        window.first = project_bound(theirs, bucket->first, bucket->end, low - limits.most, 0);
        window.end = project_bound(theirs, window.first, bucket->end, high + limits.most, 1);
        if (same && window.end > own->first + own->count)
            window.end = own->first + own->count;
        if (window.first >= window.end)
            continue;
        akin_status status =
            akin_tile_run(&join->tiles, &job->workers[thread], &work, &probes, &list, &window, &limits, AKIN_JOIN_ANY);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------- laying signatures
 * out */

typedef void (*layout)(const akin_parity *parity, const uint32_t *sets, uint64_t count, uint32_t narrow, uint64_t *out);

/* Lays out what positions `first` to first + SETS_A_TASK - 1 of a side have. */
static void lay_out_side(const bitmap_join *join, const side *side, uint64_t first, layout layout)
{
    uint32_t narrow = join->tiles.narrow, wide = side->parity->stride;
    if (first >= side->ranked->count)
        return;
    uint64_t count = akin_min_u64(SETS_A_TASK, side->ranked->count - first);
    const uint32_t *sets = side->order->set + first;
    layout(side->parity, sets, count, narrow, side->narrow + first * narrow);
    if (side->wide)
        layout(side->parity, sets, count, wide, side->wide + first * wide);
    if (side->slack)
        akin_tile_slack(join->tiles.job, sets, count, side->slack + first);
}

static akin_status lay_out_some(void *argument, uint64_t task, uint32_t thread)
{
    const bitmap_join *join = argument;
    (void)thread;
    lay_out_side(join, &join->probes, task * SETS_A_TASK, akin_parity_rows);
    lay_out_side(join, &join->indexed, task * SETS_A_TASK, akin_parity_strips);
    return AKIN_OK;
}

static int reserve_bitmaps(const bitmap_join *join, side *side, int slack)
{
    akin_account *account = join->tiles.job->account;
    uint64_t padded = akin_ceil_div(side->ranked->count, AKIN_SCREEN_GROUP) * AKIN_SCREEN_GROUP;
    uint32_t narrow = join->tiles.narrow, wide = side->parity->stride;
    side->narrow = akin_alloc(account, padded * narrow, sizeof *side->narrow);
    side->wide = wide != narrow ? akin_alloc(account, padded * wide, sizeof *side->wide) : NULL;
    side->slack = slack ? akin_alloc(account, padded, sizeof *side->slack) : NULL;
    return side->narrow && (side->wide || wide == narrow) && (side->slack || !slack);
}

static akin_status lay_out(bitmap_join *join)
{
    const akin_join_job *job = join->tiles.job;
    join->indexed = (side){job->indexed, join->tiles.indexed, &join->orders[0], NULL, NULL, NULL};
    join->probes = (side){job->probes, join->tiles.probes, &join->orders[job->self ? 0 : 1], NULL, NULL, NULL};
    if (!reserve_bitmaps(join, &join->probes, 0) ||
        !reserve_bitmaps(join, &join->indexed, akin_rule_divides(job->threshold.rule)))
        return AKIN_E_NOMEM;
    join->block_count = cut_blocks(join->probes.order, NULL);
    join->blocks = akin_alloc(job->account, join->block_count, sizeof *join->blocks);
    if (!join->blocks)
        return AKIN_E_NOMEM;
    cut_blocks(join->probes.order, join->blocks);
    uint64_t most = akin_max_u64(job->probes->count, job->indexed->count);
    return akin_parallel(job->scope, NULL, akin_ceil_div(most, SETS_A_TASK), lay_out_some, join);
}

static akin_status prepare_bitmaps(akin_join_job *job, bitmap_join *join, akin_error *error)
{
    akin_status status = akin_join_workers_make(job, error);
    if (status == AKIN_OK)
        status = akin_tile_prepare(job, &join->tiles, error);
    if (status != AKIN_OK)
        return status;
    int8_t *signs = akin_projection_learn(job->account, job->indexed);
    status = signs ? order_sets(job, job->indexed, signs, &join->orders[0]) : AKIN_E_NOMEM;
    if (status == AKIN_OK && !job->self)
        status = order_sets(job, job->probes, signs, &join->orders[1]);
    akin_free(signs);
    if (status == AKIN_OK)
        status = lay_out(join);
    if (status != AKIN_OK)
        akin_fail_stopped(error, status, "the signatures");
    return status;
}

static void order_clear(order *order)
{
    akin_free(order->set);
    akin_free(order->projection);
    akin_free(order->buckets);
}

static void clear_bitmap_side(side *side)
{
    akin_free(side->narrow);
    akin_free(side->wide);
    akin_free(side->slack);
}

akin_status akin_join_bitmap(akin_join_job *job, akin_error *error)
{
    bitmap_join join = {0};
    akin_status status = prepare_bitmaps(job, &join, error);
    if (status == AKIN_OK)
        status = akin_join_run(job, join.block_count, join_bitmap_block, &join, error);
    order_clear(&join.orders[0]);
    order_clear(&join.orders[1]);
    clear_bitmap_side(&join.probes);
    clear_bitmap_side(&join.indexed);
    akin_free(join.blocks);
    akin_tile_clear(&join.tiles);
    return status;
}
