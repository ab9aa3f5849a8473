/*
 * The bitmap join (Bellas and Gounaris, section 3.2.3): no index, the signatures of all pairs that the cheaper filters leave
 * are compared, tile by tile. Sets are put into buckets of like size, and inside a bucket sorted by their projection:
 *
 *              bucket 0 (size 8)   bucket 1 (size 9)    ...    bucket 7 (size 14)
 *     block    .......[======]..   ......[=======]...          .....[=====]..      windows: |p(r) - p(s)| <= distance
 *     of probes
 *
 * So a block of probes meets one window of every bucket of compatible size, which is a run of positions. Where the universe
 * fits the width the signature is the set itself: its distance is exact and nothing is verified.
 */
#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "join/tile.h"
#include "signature/projection.h"

#include <string.h>

#define BUCKET_LEAST 512 /* sets; smaller size classes share a bucket */

typedef struct bucket {
    uint32_t first, end; /* positions */
    uint32_t smallest, largest;
} bucket;

/* One side of the join in the order of its buckets. */
typedef struct side {
    uint32_t *set;       /* by position */
    int32_t *projection; /* by position, rising inside a bucket; cut to 32 bits, which keeps distances from growing */
    uint64_t *narrow;    /* narrow signatures by position: rows for probes, transposed strips for indexed sets */
    uint64_t *wide;      /* and wide ones, if those are wider */
    int64_t *slack;      /* of indexed sets, by position; NULL where the threshold does not divide */
    bucket *buckets;
    uint32_t bucket_count;
} side;

typedef struct block {
    uint32_t first, count; /* positions of the probes */
    uint32_t bucket;
} block;

typedef struct bitmap_join {
    akin_tile_join tiles;
    side probes, indexed; /* in a self-join they share all but the narrow signatures */
    block *blocks;
    uint64_t block_count;
} bitmap_join;

/* ------------------------------------------------------------------------------------------------- putting sets in order */

static void find_buckets(const akin_ranked *ranked, side *side)
{
    for (uint32_t c = 0; c < ranked->classes; c++) {
        uint32_t first = ranked->class_first[c], end = ranked->class_first[c + 1], size = ranked->class_size[c];
        bucket *last = side->bucket_count ? &side->buckets[side->bucket_count - 1] : NULL;
        /* A wide range of sizes loosens the limit for all of a bucket, so small sets are kept apart even when they are few. */
        if (last && last->end - last->first < BUCKET_LEAST && size - last->smallest <= last->smallest / 32) {
            last->end = end;
            last->largest = size;
        } else {
            side->buckets[side->bucket_count++] = (bucket){first, end, size, size};
        }
    }
}

#define SETS_A_TASK 4096 /* a multiple of AKIN_SCREEN_GROUP */

typedef struct ordering {
    const akin_ranked *ranked;
    const int8_t *signs;
    uint64_t *keys, *scratch;
    side *side;
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
    const bucket *bucket = &job->side->buckets[task];
    (void)thread;
    akin_radix_sort_u64(job->keys + bucket->first, job->scratch + bucket->first, bucket->end - bucket->first);
    for (uint32_t i = bucket->first; i < bucket->end; i++) {
        job->side->set[i] = (uint32_t)job->keys[i];
        job->side->projection[i] = (int32_t)((int64_t)(job->keys[i] >> 32) - INT32_MAX);
    }
    return AKIN_OK;
}

static akin_status order_sets(const akin_join_job *job, const akin_ranked *ranked, const int8_t *signs, side *side)
{
    ordering order = {ranked, signs, akin_alloc(job->account, ranked->count, sizeof(uint64_t)),
                      akin_alloc(job->account, ranked->count, sizeof(uint64_t)), side};
    side->set = akin_alloc(job->account, ranked->count, sizeof *side->set);
    side->projection = akin_alloc(job->account, ranked->count, sizeof *side->projection);
    side->buckets = akin_alloc(job->account, ranked->classes, sizeof *side->buckets);
    akin_status status = AKIN_E_NOMEM;
    if (order.keys && order.scratch && side->set && side->projection && side->buckets) {
        find_buckets(ranked, side);
        status = akin_parallel(job->context, NULL, akin_ceil_div(ranked->count, SETS_A_TASK), project_some, &order);
        if (status == AKIN_OK)
            status = akin_parallel(job->context, NULL, side->bucket_count, sort_bucket, &order);
    }
    akin_free(order.keys);
    akin_free(order.scratch);
    return status;
}

/* Blocks of probes: each bucket is cut into equal parts. */
static uint64_t cut_blocks(const side *side, block *blocks)
{
    uint64_t count = 0;
    for (uint32_t b = 0; b < side->bucket_count; b++) {
        uint32_t first = side->buckets[b].first, sets = side->buckets[b].end - first;
        uint32_t parts = (uint32_t)akin_ceil_div(sets, AKIN_SCREEN_PROBES);
        for (uint32_t i = 0; i < parts; i++, count++) {
            uint32_t from = (uint32_t)((uint64_t)sets * i / parts), to = (uint32_t)((uint64_t)sets * (i + 1) / parts);
            if (blocks)
                blocks[count] = (block){first + from, to - from, b};
        }
    }
    return count;
}

/* ------------------------------------------------------------------------------------------------------------- joining */

/* The first position from `first` on whose projection is at least (or, if `above`, more than) p. */
static uint32_t project_bound(const side *side, uint32_t first, uint32_t end, int64_t p, int above)
{
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (side->projection[middle] < p || (above && side->projection[middle] == p))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static akin_status join_block(void *argument, uint64_t task, uint32_t thread)
{
    const bitmap_join *join = argument;
    const akin_join_job *job = join->tiles.job;
    const block *own = &join->blocks[task];
    const bucket *home = &join->probes.buckets[own->bucket];
    akin_tile_work work;
    akin_tile_probes probes = {.count = own->count,
                               .narrow = join->probes.narrow + (uint64_t)own->first * join->tiles.narrow};
    if (join->probes.wide)
        probes.wide = join->probes.wide + (uint64_t)own->first * join->tiles.probes.stride;
    const akin_tile_list list = {join->indexed.set, join->indexed.narrow, join->indexed.wide, join->indexed.slack,
                                 job->indexed->count};
    memcpy(probes.set, join->probes.set + own->first, own->count * sizeof *probes.set);
    /* By overlap the smallest of the bucket may be too small to match at all while the largest is not. */
    uint64_t least = akin_min_u64(akin_threshold_smallest(&job->threshold, home->smallest),
                                  akin_threshold_smallest(&job->threshold, home->largest));
    uint64_t most = akin_threshold_largest(&job->threshold, home->largest);
    int64_t low = join->probes.projection[own->first];
    int64_t high = join->probes.projection[own->first + own->count - 1];
    uint32_t last = job->self ? own->bucket + 1 : join->indexed.bucket_count;
    for (uint32_t b = 0; b < last; b++) {
        const bucket *bucket = &join->indexed.buckets[b];
        if (bucket->largest < least || bucket->smallest > most)
            continue;
        akin_tile_window window = {bucket->first, bucket->end, bucket->smallest, bucket->largest};
        int64_t distance = akin_tile_enter(&join->tiles, &work, &probes, &list, &window);
        if (distance < 0)
            continue;
        int same = job->self && b == own->bucket;
        for (uint32_t p = 0; p < probes.count; p++)
            probes.end[p] = same ? own->first + p : bucket->end;
        window.first = project_bound(&join->indexed, bucket->first, bucket->end, low - distance, 0);
        window.end = project_bound(&join->indexed, window.first, bucket->end, high + distance, 1);
        if (same && window.end > own->first + own->count)
            window.end = own->first + own->count;
        if (window.first >= window.end)
            continue;
        akin_status status =
            akin_tile_run(&join->tiles, &job->workers[thread], &work, &probes, &list, &window, AKIN_JOIN_ANY);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

/* Lays the signatures out by position, some of them. */
static akin_status lay_out_some(void *argument, uint64_t task, uint32_t thread)
{
    const bitmap_join *join = argument;
    const akin_tile_join *tiles = &join->tiles;
    const akin_join_job *job = tiles->job;
    uint64_t first = task * SETS_A_TASK;
    uint32_t narrow = tiles->narrow, wide = tiles->indexed.stride;
    (void)thread;
    if (first < job->probes->count) {
        uint64_t count = akin_min_u64(SETS_A_TASK, job->probes->count - first);
        const uint32_t *sets = join->probes.set + first;
        akin_parity_rows(&tiles->probes, sets, count, narrow, join->probes.narrow + first * narrow);
        if (join->probes.wide)
            akin_parity_rows(&tiles->probes, sets, count, wide, join->probes.wide + first * wide);
    }
    if (first < job->indexed->count) {
        uint64_t count = akin_min_u64(SETS_A_TASK, job->indexed->count - first);
        const uint32_t *sets = join->indexed.set + first;
        akin_parity_strips(&tiles->indexed, sets, count, narrow, join->indexed.narrow + first * narrow);
        if (join->indexed.wide)
            akin_parity_strips(&tiles->indexed, sets, count, wide, join->indexed.wide + first * wide);
        if (join->indexed.slack)
            akin_tile_slack(job, sets, count, join->indexed.slack + first);
    }
    return AKIN_OK;
}

static akin_status lay_out(bitmap_join *join)
{
    const akin_join_job *job = join->tiles.job;
    uint64_t probes = job->probes->count, indexed = job->indexed->count;
    uint64_t padded = akin_ceil_div(indexed, AKIN_SCREEN_GROUP) * AKIN_SCREEN_GROUP;
    uint32_t narrow = join->tiles.narrow, wide = join->tiles.indexed.stride;
    int widen = wide != narrow, divides = akin_threshold_divides(&job->threshold);
    join->probes.narrow = akin_alloc(job->account, probes * narrow, sizeof(uint64_t));
    join->indexed.narrow = akin_alloc(job->account, padded * narrow, sizeof(uint64_t));
    join->probes.wide = widen ? akin_alloc(job->account, probes * wide, sizeof(uint64_t)) : NULL;
    join->indexed.wide = widen ? akin_alloc(job->account, padded * wide, sizeof(uint64_t)) : NULL;
    join->indexed.slack = divides ? akin_alloc(job->account, padded, sizeof(int64_t)) : NULL;
    join->block_count = cut_blocks(&join->probes, NULL);
    join->blocks = akin_alloc(job->account, join->block_count, sizeof *join->blocks);
    if (!join->probes.narrow || !join->indexed.narrow || !join->blocks || (divides && !join->indexed.slack) ||
        (widen && (!join->probes.wide || !join->indexed.wide)))
        return AKIN_E_NOMEM;
    cut_blocks(&join->probes, join->blocks);
    uint64_t most = probes > indexed ? probes : indexed;
    return akin_parallel(job->context, NULL, akin_ceil_div(most, SETS_A_TASK), lay_out_some, join);
}

static akin_status prepare(akin_join_job *job, bitmap_join *join, akin_error *error)
{
    akin_status status = akin_join_workers_make(job, error);
    if (status == AKIN_OK)
        status = akin_tile_prepare(job, &join->tiles, error);
    if (status != AKIN_OK)
        return status;
    int8_t *signs = akin_projection_learn(job->account, job->indexed);
    status = signs ? order_sets(job, job->indexed, signs, &join->indexed) : AKIN_E_NOMEM;
    if (status == AKIN_OK && !job->self)
        status = order_sets(job, job->probes, signs, &join->probes);
    else if (job->self)
        join->probes = join->indexed;
    akin_free(signs);
    if (status == AKIN_OK)
        status = lay_out(join);
    if (status != AKIN_OK)
        akin_fail_stopped(error, status, "the signatures");
    return status;
}

static void side_clear(side *side)
{
    akin_free(side->set);
    akin_free(side->projection);
    akin_free(side->buckets);
}

akin_status akin_join_bitmap(akin_join_job *job, akin_error *error)
{
    bitmap_join join = {0};
    akin_status status = prepare(job, &join, error);
    if (status == AKIN_OK)
        status = akin_join_run(job, join.block_count, join_block, &join, error);
    if (!job->self)
        side_clear(&join.probes);
    side_clear(&join.indexed);
    akin_free(join.probes.narrow);
    akin_free(join.probes.wide);
    akin_free(join.indexed.narrow);
    akin_free(join.indexed.wide);
    akin_free(join.indexed.slack);
    akin_free(join.blocks);
    akin_tile_clear(&join.tiles);
    return status;
}
