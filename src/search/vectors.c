/* Signatures of vectors, inverted and asked for, and true distances; see vectors.h. */
#include "search/vectors.h"

#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 128u /* vectors that a thread signs at once */
#define SUMS  8    /* that distances are added up in */

static const char what[] = "signatures of vectors"; /* the memory is for */

typedef struct signing {
    const akin_family *family;
    const akin_matrix *matrix;
    akin_family_sign sign;
    uint32_t first, count;
    uint32_t *values;   /* row by row, or */
    uint32_t **columns; /* function by function */
} signing;

static akin_status sign_block(const signing *s, uint32_t at, uint32_t count, float *vectors, uint32_t *values)
{
    const uint32_t functions = s->family->head.functions;
    akin_matrix_floats(s->matrix, s->first + at, count, vectors);
    s->sign(s->family, vectors, count, s->columns ? values : s->values + (size_t)at * functions);
    for (uint32_t f = 0; f < functions && s->columns; f++)
        for (uint32_t i = 0; i < count; i++)
            s->columns[f][at + i] = values[(size_t)i * functions + f];
    return AKIN_OK;
}

static akin_status sign_task(void *argument, uint64_t task, uint32_t thread)
{
    const signing *s = argument;
    const uint32_t at = (uint32_t)task * BLOCK, count = s->count - at < BLOCK ? s->count - at : BLOCK;
    float *vectors = akin_alloc(NULL, (uint64_t)count * s->matrix->dimensions, sizeof *vectors);
    uint32_t *values = akin_alloc(NULL, (uint64_t)count * s->family->head.functions, sizeof *values);
    (void)thread;
    akin_status status = vectors && values ? sign_block(s, at, count, vectors, values) : AKIN_E_NOMEM;
    akin_free(vectors);
    akin_free(values);
    return status;
}

static akin_status sign_all(akin_context *context, signing *s, akin_error *error)
{
    akin_status status = akin_parallel(context, "signing", akin_ceil_div(s->count, BLOCK), sign_task, s);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_vectors_sign(akin_context *context, const akin_family *family, const akin_matrix *matrix,
                              uint32_t first, uint32_t count, uint32_t *values, akin_error *error)
{
    signing s = {.family = family,
                 .matrix = matrix,
                 .sign = akin_family_choose(context->cpu, (akin_family_kind)family->head.kind),
                 .first = first,
                 .count = count,
                 .values = values};
    return sign_all(context, &s, error);
}

/* Signs all vectors into `codes`, and inverts these. */
static akin_status invert(akin_context *context, const akin_family *family, const akin_matrix *matrix, uint32_t *codes,
                          uint32_t **columns, uint32_t *counts, akin_objects *out, akin_error *error)
{
    const akin_family_head *head = &family->head;
    for (uint32_t f = 0; f < head->functions; f++) {
        columns[f] = codes + (size_t)f * matrix->rows;
        counts[f] = head->buckets;
    }
    signing s = {.family = family,
                 .matrix = matrix,
                 .sign = akin_family_choose(context->cpu, (akin_family_kind)head->kind),
                 .count = matrix->rows,
                 .columns = columns};
    akin_status status = sign_all(context, &s, error);
    const akin_objects_source source = {.objects = matrix->rows,
                                        .keywords = head->functions * head->buckets,
                                        .dimensions = head->functions,
                                        .counts = counts,
                                        .codes = (const uint32_t *const *)columns};
    return status == AKIN_OK ? akin_objects_build(context, &source, out, error) : status;
}

akin_status akin_vectors_invert(akin_context *context, const akin_family *family, const akin_matrix *matrix,
                                akin_objects *out, akin_error *error)
{
    const uint32_t functions = family->head.functions;
    *out = (akin_objects){.head = {0}};
    if ((uint64_t)functions * family->head.buckets >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "%u hash functions of %u buckets have 2^32 - 1 values or more", functions,
                         family->head.buckets);
    uint32_t *codes = akin_alloc(NULL, (uint64_t)functions * matrix->rows, sizeof *codes);
    uint32_t **columns = akin_alloc(NULL, functions, sizeof *columns);
    uint32_t *counts = akin_alloc(NULL, functions, sizeof *counts);
    akin_status status = codes && columns && counts
                             ? invert(context, family, matrix, codes, columns, counts, out, error)
                             : akin_fail_memory(error, what);
    akin_free(counts);
    akin_free(columns);
    akin_free(codes);
    return status;
}

void akin_vectors_ask(const akin_family *family, const uint32_t *values, akin_query_item *items)
{
    for (uint32_t f = 0; f < family->head.functions; f++) {
        const uint32_t keyword = f * family->head.buckets + values[f];
        items[f] = (akin_query_item){keyword, keyword, 1};
    }
}

/* ----------------------------------------------------------------------------------------------------------- distances */

static double number_of(const akin_matrix *matrix, size_t at)
{
    return matrix->is_bytes ? ((const uint8_t *)matrix->numbers)[at] : (double)((const float *)matrix->numbers)[at];
}

/* The sum of |a - b|, or of its squares, of bytes. */
static uint64_t apart(const uint8_t *a, const uint8_t *b, uint32_t dimensions, int squared)
{
    uint64_t sum = 0;
    for (uint32_t begin = 0; begin < dimensions; begin += 4096) { /* in which 32 bits do not overflow */
        const uint32_t end = dimensions - begin < 4096 ? dimensions : begin + 4096;
        uint32_t some = 0;
        for (uint32_t d = begin; d < end; d++) {
            const int32_t by = (int32_t)a[d] - (int32_t)b[d];
            some += (uint32_t)(squared ? by * by : abs(by));
        }
        sum += some;
    }
    return sum;
}

static double add_up(const double sums[SUMS])
{
    double sum = 0;
    for (int i = 0; i < SUMS; i++)
        sum += sums[i];
    return sum;
}

static double line_distance(const akin_matrix *a, size_t i, const akin_matrix *b, size_t j, int squared)
{
    const uint32_t dimensions = a->dimensions;
    double sums[SUMS] = {0};
    if (a->is_bytes && b->is_bytes)
        return (double)apart((const uint8_t *)a->numbers + i, (const uint8_t *)b->numbers + j, dimensions, squared);
    for (uint32_t d = 0; d < dimensions; d++) {
        const double by = number_of(a, i + d) - number_of(b, j + d);
        sums[d % SUMS] += squared ? by * by : fabs(by);
    }
    return add_up(sums);
}

static double angle(const akin_matrix *a, size_t i, const akin_matrix *b, size_t j)
{
    double products[SUMS] = {0}, of_a[SUMS] = {0}, of_b[SUMS] = {0};
    for (uint32_t d = 0; d < a->dimensions; d++) {
        const double x = number_of(a, i + d), y = number_of(b, j + d);
        products[d % SUMS] += x * y;
        of_a[d % SUMS] += x * x;
        of_b[d % SUMS] += y * y;
    }
    const double lengths = sqrt(add_up(of_a)) * sqrt(add_up(of_b));
    const double cosine = lengths > 0 ? add_up(products) / lengths : 0;
    return acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

double akin_vectors_distance(akin_family_kind kind, const akin_matrix *a, uint32_t i, const akin_matrix *b, uint32_t j)
{
    const size_t at_a = (size_t)i * a->dimensions, at_b = (size_t)j * b->dimensions;
    if (kind == AKIN_FAMILY_COSINE)
        return angle(a, at_a, b, at_b);
    const double distance = line_distance(a, at_a, b, at_b, kind == AKIN_FAMILY_L2);
    return kind == AKIN_FAMILY_L2 ? sqrt(distance) : distance;
}

static int by_distance(const void *a, const void *b)
{
    const akin_vector_hit *left = a, *right = b;
    if (left->distance < right->distance || left->distance > right->distance)
        return left->distance < right->distance ? -1 : 1;
    return (left->object > right->object) - (left->object < right->object);
}

void akin_vectors_rerank(akin_family_kind kind, const akin_matrix *objects, const akin_matrix *queries, uint32_t query,
                         akin_vector_hit *hits, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        hits[i].distance = akin_vectors_distance(kind, objects, hits[i].object, queries, query);
    qsort(hits, count, sizeof *hits, by_distance);
}
