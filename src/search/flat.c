/* Looks at every object for every query. */
#include "search/flat.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "table/matrix.h"

#include <stdlib.h>
#include <string.h>

#define OBJECTS 32    /* of a tile */
#define TILES   8     /* of a task */
#define GROUP   6     /* queries whose products are computed together: 12 sums, in registers */
#define LONGEST 32768 /* dimensions whose squares of differences add up to less than 2^31 */

static const char what[] = "the nearest vectors";

/* The nearest of a query so far: a heap, the farthest first. */
typedef struct nearest {
    akin_flat_hit *heap;
    uint32_t count;
} nearest;

/* A tile of bytes: of each four dimensions those of all objects; objects that are not there, and dimensions behind the
 * last, are 0. */
typedef struct tile {
    uint8_t *bytes;
    int32_t rest[OBJECTS]; /* |y|^2 - 256 * the sum of y: products are with x - 128 */
} tile;

typedef struct flat_job {
    const akin_flat *flat;
    akin_apart apart;
    int by_products;
    uint32_t fours;   /* of dimensions */
    int8_t *queries;  /* x - 128 */
    int32_t *squares; /* |x|^2 */
    nearest *nearest; /* of each thread those of all queries */
    tile *tiles;      /* of each thread */
} flat_job;

/* ------------------------------------------------------------------------------------------------------------ heaps */

static int by_apart(const void *a, const void *b)
{
    const akin_flat_hit *x = a, *y = b;
    if (x->apart < y->apart || x->apart > y->apart)
        return x->apart < y->apart ? -1 : 1;
    return (x->object > y->object) - (x->object < y->object);
}

/* Puts a hit where the first one was, and then where it belongs. */
static void replace_first(nearest *n, akin_flat_hit hit)
{
    uint32_t at = 0;
    for (uint64_t child = 1; child < n->count; child = 2 * (uint64_t)at + 1) {
        child += child + 1 < n->count && by_apart(&n->heap[child], &n->heap[child + 1]) < 0;
        if (by_apart(&hit, &n->heap[child]) >= 0)
            break;
        n->heap[at] = n->heap[child];
        at = (uint32_t)child;
    }
    n->heap[at] = hit;
}

static void add_last(nearest *n, akin_flat_hit hit)
{
    uint32_t at = n->count++;
    for (; at > 0 && by_apart(&n->heap[(at - 1) / 2], &hit) < 0; at = (at - 1) / 2)
        n->heap[at] = n->heap[(at - 1) / 2];
    n->heap[at] = hit;
}

static inline void keep(nearest *n, uint32_t k, akin_flat_hit hit)
{
    if (n->count < k)
        add_last(n, hit);
    else if (by_apart(&hit, &n->heap[0]) < 0)
        replace_first(n, hit);
}

/* --------------------------------------------------------------------------------------------------------- products */

#if defined(__x86_64__)
#include <immintrin.h>

#define VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

static int has_products(akin_cpu cpu)
{
    return cpu >= AKIN_CPU_AVX512 && __builtin_cpu_supports("avx512vnni");
}

/* Products of some queries, at most GROUP, with a tile: sums[q][o]. */
VNNI static inline __attribute__((always_inline)) void multiply(const flat_job *job, const tile *t, uint32_t query,
                                                                uint32_t count, __m512i sums[GROUP][2])
{
    const int8_t *queries = job->queries + (size_t)query * job->fours * 4;
    for (uint32_t q = 0; q < count; q++)
        sums[q][0] = sums[q][1] = _mm512_setzero_si512();
    for (uint32_t f = 0; f < job->fours; f++) {
        const __m512i low = _mm512_loadu_si512(t->bytes + (size_t)f * 4 * OBJECTS);
        const __m512i high = _mm512_loadu_si512(t->bytes + (size_t)f * 4 * OBJECTS + 64);
        for (uint32_t q = 0; q < count; q++) {
            int32_t four;
            memcpy(&four, queries + ((size_t)q * job->fours + f) * 4, sizeof four);
            const __m512i x = _mm512_set1_epi32(four);
            sums[q][0] = _mm512_dpbusd_epi32(sums[q][0], low, x);
            sums[q][1] = _mm512_dpbusd_epi32(sums[q][1], high, x);
        }
    }
}

/* Keeps those of a tile that are near enough to a query. */
VNNI static void keep_near(const flat_job *job, nearest *n, uint32_t query, uint32_t first, uint32_t objects,
                           const tile *t, const __m512i sums[2])
{
    for (uint32_t half = 0; half < 2; half++) {
        int32_t each[16];
        const __m512i rest = _mm512_loadu_si512(t->rest + 16 * half);
        const __m512i apart = _mm512_sub_epi32(_mm512_add_epi32(rest, _mm512_set1_epi32(job->squares[query])),
                                               _mm512_slli_epi32(sums[half], 1));
        const int32_t most = n->count < job->flat->k ? INT32_MAX : (int32_t)n->heap[0].apart;
        const uint32_t there = objects > 16 * half ? akin_min_u32(16, objects - 16 * half) : 0;
        __mmask16 near = _mm512_cmple_epi32_mask(apart, _mm512_set1_epi32(most));
        near &= (__mmask16)((UINT32_C(1) << there) - 1);
        if (!near)
            continue;
        _mm512_storeu_si512(each, apart);
        for (uint32_t o = 0; o < 16; o++)
            if (near >> o & 1)
                keep(n, job->flat->k, (akin_flat_hit){each[o], first + 16 * half + o});
    }
}

VNNI static void look_by_products(const flat_job *job, nearest *of, const tile *t, uint32_t first, uint32_t objects)
{
    __m512i sums[GROUP][2];
    uint32_t q = 0;
    for (; q + GROUP <= job->flat->count; q += GROUP) {
        multiply(job, t, q, GROUP, sums);
        for (uint32_t i = 0; i < GROUP; i++)
            keep_near(job, &of[q + i], q + i, first, objects, t, sums[i]);
    }
    for (; q < job->flat->count; q++) {
        multiply(job, t, q, 1, sums);
        keep_near(job, &of[q], q, first, objects, t, sums[0]);
    }
}
#else
static int has_products(akin_cpu cpu)
{
    (void)cpu;
    return 0;
}

static void look_by_products(const flat_job *job, nearest *of, const tile *t, uint32_t first, uint32_t objects)
{
    (void)job, (void)of, (void)t, (void)first, (void)objects;
}
#endif

static void fill_tile(const flat_job *job, tile *t, uint32_t first, uint32_t objects)
{
    const uint32_t dimensions = job->flat->objects->columns;
    for (uint32_t o = 0; o < objects; o++) {
        const uint8_t *bytes = akin_matrix_vector(job->flat->objects, first + o);
        uint32_t squares = 0, sum = 0, d = 0;
        for (uint32_t i = 0; i < dimensions; i++) {
            squares += (uint32_t)bytes[i] * bytes[i];
            sum += bytes[i];
        }
        t->rest[o] = (int32_t)squares - 256 * (int32_t)sum;
        for (; d + 4 <= dimensions; d += 4)
            memcpy(t->bytes + (size_t)d * OBJECTS + (size_t)o * 4, bytes + d, 4);
        if (d < dimensions)
            memcpy(t->bytes + (size_t)d * OBJECTS + (size_t)o * 4, bytes + d, dimensions - d);
    }
}

static int prepare_products(flat_job *job, uint32_t threads)
{
    const akin_flat *f = job->flat;
    const uint32_t dimensions = f->objects->columns;
    job->fours = (uint32_t)akin_ceil_div(dimensions, 4);
    job->queries = akin_alloc_zero(NULL, (uint64_t)f->count * job->fours, 4);
    job->squares = akin_alloc_zero(NULL, f->count, sizeof *job->squares);
    job->tiles = akin_alloc_zero(NULL, threads, sizeof *job->tiles);
    int done = job->queries && job->squares && job->tiles;
    for (uint32_t t = 0; t < threads && done; t++) {
        job->tiles[t].bytes = akin_alloc_zero(NULL, (uint64_t)job->fours, 4 * OBJECTS);
        done = job->tiles[t].bytes != NULL;
    }
    for (uint32_t q = 0; q < f->count && done; q++) {
        const uint8_t *bytes = akin_matrix_vector(f->queries, f->first + q);
        for (uint32_t d = 0; d < dimensions; d++) {
            job->queries[(size_t)q * job->fours * 4 + d] = (int8_t)((int32_t)bytes[d] - 128);
            job->squares[q] += (int32_t)bytes[d] * bytes[d];
        }
    }
    return done;
}

/* ----------------------------------------------------------------------------------------------------------- search */

/* Vector by vector. */
static void look_at_tile(const flat_job *job, nearest *of, uint32_t first, uint32_t objects)
{
    const akin_flat *f = job->flat;
    for (uint32_t q = 0; q < f->count; q++)
        for (uint32_t o = first; o < first + objects; o++) {
            const double apart = job->apart(akin_matrix_vector(f->objects, o),
                                            akin_matrix_vector(f->queries, f->first + q), f->objects->columns);
            if (of[q].count < f->k || apart <= of[q].heap[0].apart)
                keep(&of[q], f->k, (akin_flat_hit){apart, o});
        }
}

static akin_status look_at_objects(void *argument, uint64_t task, uint32_t thread)
{
    const flat_job *job = argument;
    nearest *of = job->nearest + (size_t)thread * job->flat->count;
    const uint64_t begin = task * TILES * OBJECTS,
                   end = akin_min_u64(begin + TILES * OBJECTS, job->flat->objects->rows);
    for (uint64_t first = begin; first < end; first += OBJECTS) {
        const uint32_t objects = (uint32_t)akin_min_u64(OBJECTS, end - first);
        if (!job->by_products) {
            look_at_tile(job, of, (uint32_t)first, objects);
            continue;
        }
        fill_tile(job, &job->tiles[thread], (uint32_t)first, objects);
        look_by_products(job, of, &job->tiles[thread], (uint32_t)first, objects);
    }
    return AKIN_OK;
}

/* The k nearest of those that the threads kept, in order, in the heap of the first one. */
static void unite(const flat_job *job, uint32_t query, uint32_t threads, akin_flat_hit *hits)
{
    nearest *of = &job->nearest[query];
    for (uint32_t t = 1; t < threads; t++) {
        const nearest *more = &job->nearest[(size_t)t * job->flat->count + query];
        for (uint32_t i = 0; i < more->count; i++)
            keep(of, job->flat->k, more->heap[i]);
    }
    qsort(of->heap, of->count, sizeof *of->heap, by_apart);
    memcpy(hits + (size_t)query * job->flat->k, of->heap, of->count * sizeof *hits);
}

akin_status akin_flat_search(const akin_scope *scope, const akin_flat *flat, akin_flat_hit *hits, akin_error *error)
{
    const akin_matrix *objects = flat->objects;
    const int are_bytes = objects->number == AKIN_NUMBER_U8;
    const uint64_t tasks = akin_ceil_div(objects->rows, TILES * OBJECTS);
    const uint32_t threads = (uint32_t)akin_max_u64(1, akin_min_u64(scope->threads, tasks));
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = threads});
    flat_job job = {
        .flat = flat,
        .apart = akin_apart_choose(scope->cpu, are_bytes ? AKIN_APART_BYTES : AKIN_APART_FLOATS, flat->squared),
        .by_products = are_bytes && flat->squared && objects->columns <= LONGEST && has_products(scope->cpu)};
    akin_flat_hit *heaps = akin_alloc(NULL, (uint64_t)threads * flat->count * flat->k, sizeof *heaps);
    akin_status status = AKIN_E_NOMEM;
    job.nearest = akin_alloc(NULL, (uint64_t)threads * flat->count, sizeof *job.nearest);
    if (heaps && job.nearest && (!job.by_products || prepare_products(&job, threads))) {
        for (uint64_t i = 0; i < (uint64_t)threads * flat->count; i++)
            job.nearest[i] = (nearest){heaps + i * flat->k, 0};
        status = akin_parallel(&few, "searching", tasks, look_at_objects, &job);
    }
    for (uint32_t q = 0; q < flat->count && status == AKIN_OK; q++)
        unite(&job, q, threads, hits);
    for (uint32_t t = 0; job.tiles && t < threads; t++)
        akin_free(job.tiles[t].bytes);
    akin_free(job.tiles);
    akin_free(job.queries);
    akin_free(job.squares);
    akin_free(job.nearest);
    akin_free(heaps);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}
