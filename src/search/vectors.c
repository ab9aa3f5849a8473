/* Signatures of vectors, inverted and searched for, and true distances; see vectors.h. */
#include "search/vectors.h"

#include "base/parallel.h"
#include "search/apart.h"
#include "search/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK    128u            /* vectors that a thread signs at once */
#define SUMS     AKIN_APART_SUMS /* that distances are added up in */
#define AHEAD    4               /* hits whose vectors are expected so far ahead */
#define EXPECTED 16              /* lines of a cache of a vector, at most: the others follow by themselves */

static const char what[] = "signatures"; /* the memory is for */

typedef struct signing {
    const akin_family *family;
    akin_signed of;
    akin_family_sign sign;
    uint32_t first, count;
    uint32_t *values;   /* row by row, or */
    uint32_t **columns; /* function by function, UINT32_MAX where there is none */
} signing;

/* Signs some sets; `hashes` has room for the longest. */
static void sign_sets(const signing *s, uint32_t first, uint32_t count, uint64_t *hashes, uint32_t *values)
{
    const akin_sets *sets = s->of.sets;
    for (uint64_t row = first; row < (uint64_t)first + count; row++, values += s->family->head.functions) {
        const uint64_t begin = sets->offsets[row], size = sets->offsets[row + 1] - begin;
        for (uint64_t i = 0; i < size; i++)
            hashes[i] = akin_family_mix(sets->tokens[begin + i] + UINT64_C(0x9e3779b97f4a7c15));
        akin_family_sign_set(s->family, hashes, size, values);
    }
}

/* The bytes that signing some takes: of them as floats, or of the hashes of the longest set. */
static uint64_t scratch_bytes(const signing *s, uint32_t first, uint32_t count)
{
    uint64_t longest = 0;
    if (s->of.matrix)
        return (uint64_t)count * s->of.matrix->columns * sizeof(float);
    for (uint64_t row = first; row < (uint64_t)first + count; row++)
        longest = akin_max_u64(longest, s->of.sets->offsets[row + 1] - s->of.sets->offsets[row]);
    return longest * sizeof(uint64_t);
}

static void sign_block(const signing *s, uint32_t at, uint32_t count, void *scratch, uint32_t *values)
{
    const uint32_t functions = s->family->head.functions, buckets = s->family->head.buckets;
    uint32_t *to = s->columns ? values : s->values + (size_t)at * functions;
    if (s->of.matrix) {
        akin_matrix_floats(s->of.matrix, s->first + at, count, scratch);
        s->sign(s->family, scratch, count, to);
    } else {
        sign_sets(s, s->first + at, count, scratch, to);
    }
    for (uint32_t f = 0; f < functions && s->columns; f++)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t value = values[(size_t)i * functions + f];
            s->columns[f][at + i] = value < buckets ? value : UINT32_MAX;
        }
}

static akin_status sign_task(void *argument, uint64_t task, uint32_t thread)
{
    const signing *s = argument;
    const uint32_t at = (uint32_t)task * BLOCK, count = s->count - at < BLOCK ? s->count - at : BLOCK;
    void *scratch = akin_alloc(NULL, scratch_bytes(s, s->first + at, count), 1);
    uint32_t *values = akin_alloc(NULL, s->columns ? (uint64_t)count * s->family->head.functions : 0, sizeof *values);
    (void)thread;
    if (scratch && values)
        sign_block(s, at, count, scratch, values);
    akin_status status = scratch && values ? AKIN_OK : AKIN_E_NOMEM;
    akin_free(scratch);
    akin_free(values);
    return status;
}

static akin_status sign_rows(const akin_scope *scope, signing *s, akin_error *error)
{
    if (s->of.matrix)
        s->sign = akin_family_choose(scope->cpu, (akin_family_kind)s->family->head.kind);
    akin_status status = akin_parallel(scope, "signing", akin_ceil_div(s->count, BLOCK), sign_task, s);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_vectors_sign(const akin_scope *scope, const akin_family *family, akin_signed of, uint32_t first,
                              uint32_t count, uint32_t *values, akin_error *error)
{
    signing s = {.family = family, .of = of, .first = first, .count = count, .values = values};
    return sign_rows(scope, &s, error);
}

/* Signs all into `codes`, and inverts these. */
static akin_status invert_signed(const akin_scope *scope, signing *s, uint32_t *codes, uint32_t *counts,
                                 akin_objects *out, akin_error *error)
{
    const akin_family_head *head = &s->family->head;
    for (uint32_t f = 0; f < head->functions; f++) {
        s->columns[f] = s->count > 0 ? codes + (size_t)f * s->count : codes;
        counts[f] = head->buckets;
    }
    akin_status status = sign_rows(scope, s, error);
    const akin_objects_source source = {.objects = s->count,
                                        .keywords = head->functions * head->buckets,
                                        .dimensions = head->functions,
                                        .counts = counts,
                                        .codes = (const uint32_t *const *)s->columns};
    return status == AKIN_OK ? akin_objects_build(scope, &source, out, error) : status;
}

akin_status akin_vectors_invert(const akin_scope *scope, const akin_family *family, akin_signed of, akin_objects *out,
                                akin_error *error)
{
    const uint32_t functions = family->head.functions, rows = of.matrix ? of.matrix->rows : of.sets->rows;
    *out = (akin_objects){.head = {0}};
    if ((uint64_t)functions * family->head.buckets >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "%u hash functions of %u buckets have 2^32 - 1 values or more", functions,
                         family->head.buckets);
    akin_bulk codes;
    akin_status status = akin_search_scratch(scope, &codes, (uint64_t)functions * rows, sizeof(uint32_t), error);
    uint32_t *counts = akin_alloc(NULL, functions, sizeof *counts);
    signing s = {.family = family, .of = of, .count = rows};
    s.columns = akin_alloc(NULL, functions, sizeof *s.columns);
    if (status == AKIN_OK)
        status = s.columns && counts ? invert_signed(scope, &s, codes.data, counts, out, error)
                                     : akin_fail_memory(error, what);
    akin_free(counts);
    akin_free(s.columns);
    akin_bulk_clear(&codes);
    return status;
}

int akin_vectors_add_query(const akin_family *family, const uint32_t *values, akin_query_batch *batch)
{
    const uint32_t buckets = family->head.buckets;
    for (uint32_t f = 0; f < family->head.functions; f++)
        if (values[f] < buckets && !akin_query_batch_add(batch, f * buckets + values[f], f * buckets + values[f], 1))
            return 0;
    return 1;
}

/* -------------------------------------------------------------------------------------------------------- distances */

static double vector_number(const akin_matrix *matrix, size_t at)
{
    return matrix->number == AKIN_NUMBER_U8 ? ((const uint8_t *)matrix->numbers)[at]
                                            : (double)((const float *)matrix->numbers)[at];
}

static double line_distance(const akin_matrix *a, size_t i, const akin_matrix *b, size_t j, int squared)
{
    double sums[SUMS] = {0};
    if (a->number == b->number && a->number == AKIN_NUMBER_U8)
        return akin_apart_choose(AKIN_CPU_SCALAR, AKIN_APART_BYTES,
                                 squared)((const uint8_t *)a->numbers + i, (const uint8_t *)b->numbers + j, a->columns);
    for (uint32_t d = 0; d < a->columns; d++) {
        const double by = vector_number(a, i + d) - vector_number(b, j + d);
        sums[d % SUMS] += squared ? by * by : fabs(by);
    }
    return akin_apart_add_up(sums);
}

/* By what is between, and what is across, both of them at the same length, which is exact for small angles, too
 * (Kahan). */
static double angle_between(const akin_matrix *a, size_t i, const akin_matrix *b, size_t j)
{
    double of_a[SUMS] = {0}, of_b[SUMS] = {0}, between[SUMS] = {0}, across[SUMS] = {0};
    for (uint32_t d = 0; d < a->columns; d++) {
        const double x = vector_number(a, i + d), y = vector_number(b, j + d);
        of_a[d % SUMS] += x * x;
        of_b[d % SUMS] += y * y;
    }
    const double length_a = sqrt(akin_apart_add_up(of_a)), length_b = sqrt(akin_apart_add_up(of_b));
    if (!(length_a > 0 && length_b > 0))
        return acos(0);
    for (uint32_t d = 0; d < a->columns; d++) {
        const double x = vector_number(a, i + d) * length_b, y = vector_number(b, j + d) * length_a;
        between[d % SUMS] += (x - y) * (x - y);
        across[d % SUMS] += (x + y) * (x + y);
    }
    return 2 * atan2(sqrt(akin_apart_add_up(between)), sqrt(akin_apart_add_up(across)));
}

double akin_vectors_distance(akin_family_kind kind, const akin_matrix *a, uint32_t i, const akin_matrix *b, uint32_t j)
{
    const size_t at_a = (size_t)i * a->columns, at_b = (size_t)j * b->columns;
    if (kind == AKIN_FAMILY_COSINE)
        return angle_between(a, at_a, b, at_b);
    const double distance = line_distance(a, at_a, b, at_b, kind == AKIN_FAMILY_L2);
    return kind == AKIN_FAMILY_L2 ? sqrt(distance) : distance;
}

/* ----------------------------------------------------------------------------------------------------------- rating */

static int by_distance(const void *a, const void *b)
{
    const akin_search_hit *left = a, *right = b;
    if (left->distance < right->distance || left->distance > right->distance)
        return left->distance < right->distance ? -1 : 1;
    return (left->object > right->object) - (left->object < right->object);
}

/* Sets the results of counts, each distinct count once. */
static akin_status estimate_distances(const akin_rating *rating, akin_search_hit *hits, uint64_t count,
                                      akin_error *error)
{
    const akin_search_index *index = rating->index;
    const uint32_t functions = index->head.functions;
    double *distances = akin_alloc(NULL, (uint64_t)functions + 1, sizeof *distances);
    if (!distances)
        return akin_fail_memory(error, what);
    for (uint64_t i = 0; i <= functions; i++)
        distances[i] = -1;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t agreed = (uint32_t)akin_min_u64(hits[i].count, functions);
        if (distances[agreed] < 0)
            distances[agreed] = rating->distance ? rating->distance(&index->lsh.family, agreed) : 0;
        hits[i].similarity = (double)agreed / functions;
        hits[i].distance = distances[agreed];
    }
    akin_free(distances);
    return AKIN_OK;
}

typedef struct reranking {
    akin_family_kind family;
    akin_apart apart; /* of vectors of the same numbers by L1 or L2; NULL: akin_vectors_distance computes it */
    akin_matrix objects;
    uint32_t k;
    const akin_matrix *queries;
    akin_search_hit *hits;
    const uint64_t *begins; /* of each query among them, one more than there are */
} reranking;

/* Brings a vector from memory: the vectors of hits are anywhere. */
static void expect_vector(const reranking *r, const akin_search_hit *hit)
{
    const uint8_t *bytes = akin_matrix_vector(&r->objects, hit->object),
                  *end = akin_matrix_vector(&r->objects, hit->object + 1);
    for (uint32_t i = 0; i < EXPECTED && bytes < end; i++, bytes += 64)
        __builtin_prefetch(bytes);
}

static double distance_of(const reranking *r, const akin_search_hit *hit)
{
    if (!r->apart)
        return akin_vectors_distance(r->family, &r->objects, hit->object, r->queries, hit->query);
    const double apart = r->apart(akin_matrix_vector(&r->objects, hit->object),
                                  akin_matrix_vector(r->queries, hit->query), r->objects.columns);
    return r->family == AKIN_FAMILY_L2 ? sqrt(apart) : apart;
}

/* Puts the farthest of some hits, all others of which are in their places, into its place in the heap. */
static void sift_down(akin_search_hit *heap, size_t count)
{
    const akin_search_hit hit = heap[0];
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && by_distance(&heap[child], &heap[child + 1]) < 0;
        if (by_distance(&hit, &heap[child]) >= 0)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = hit;
}

/* Moves the k nearest hits to the front, in order: the first ones are a heap of the k nearest so far. */
static void choose_nearest(akin_search_hit *hits, size_t count, size_t k)
{
    if (k < count && k > 0) {
        qsort(hits, k, sizeof *hits, by_distance);
        for (size_t i = 0; i < k / 2; i++) { /* falling order is a heap */
            const akin_search_hit hit = hits[i];
            hits[i] = hits[k - 1 - i];
            hits[k - 1 - i] = hit;
        }
        for (size_t i = k; i < count; i++)
            if (by_distance(&hits[i], &hits[0]) < 0) {
                hits[0] = hits[i];
                sift_down(hits, k);
            }
    }
    qsort(hits, k < count ? k : count, sizeof *hits, by_distance);
}

static akin_status rerank_task(void *argument, uint64_t task, uint32_t thread)
{
    const reranking *r = argument;
    akin_search_hit *hits = r->hits + r->begins[task], *end = r->hits + r->begins[task + 1];
    (void)thread;
    for (akin_search_hit *hit = hits; hit < end; hit++) {
        if (end - hit > AHEAD)
            expect_vector(r, hit + AHEAD);
        hit->distance = distance_of(r, hit);
        hit->certificate = AKIN_CERTIFICATE_NONE;
    }
    choose_nearest(hits, (size_t)(end - hits), r->k);
    return AKIN_OK;
}

/* The function for distances by SIMD; NULL: there is none. */
static akin_apart apart_of(akin_cpu cpu, akin_family_kind kind, const akin_matrix *a, const akin_matrix *b)
{
    if (kind == AKIN_FAMILY_COSINE || a->number != b->number)
        return NULL;
    return akin_apart_choose(cpu, a->number == AKIN_NUMBER_U8 ? AKIN_APART_BYTES : AKIN_APART_FLOATS,
                             kind == AKIN_FAMILY_L2);
}

/* Puts those of each query in order, and moves the k nearest together. */
static akin_status rerank_hits(const akin_scope *scope, const akin_rating *rating, akin_search_hit *hits,
                               uint64_t *count, akin_error *error)
{
    uint64_t queries = 0, left = 0;
    uint64_t *begins = akin_alloc(NULL, *count + 1, sizeof *begins);
    if (!begins)
        return akin_fail_memory(error, what);
    for (uint64_t i = 0; i < *count; i++)
        if (i == 0 || hits[i].query != hits[i - 1].query)
            begins[queries++] = i;
    begins[queries] = *count;
    reranking r = {.family = (akin_family_kind)rating->index->lsh.family.kind,
                   .objects = akin_search_matrix(rating->index),
                   .k = rating->k,
                   .queries = rating->queries,
                   .hits = hits,
                   .begins = begins};
    r.apart = apart_of(scope->cpu, r.family, &r.objects, r.queries);
    akin_status status = akin_parallel(scope, NULL, queries, rerank_task, &r);
    for (uint64_t q = 0; q < queries && status == AKIN_OK; q++) {
        const uint64_t some = akin_min_u64(begins[q + 1] - begins[q], rating->k);
        memmove(hits + left, hits + begins[q], (size_t)some * sizeof *hits);
        left += some;
    }
    akin_free(begins);
    *count = left;
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_vectors_rate(const akin_scope *scope, const akin_rating *rating, akin_search_hit *hits,
                              uint64_t *count, akin_error *error)
{
    akin_status status = estimate_distances(rating, hits, *count, error);
    return status == AKIN_OK && rating->rerank > 0 ? rerank_hits(scope, rating, hits, count, error) : status;
}
