/* Draws the functions of LSH families, and signs with them one by one; see family.h. */
#include "signature/family.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <assert.h>
#include <string.h>

#define TARGET
#define INLINE static inline __attribute__((always_inline))
#define WIDTH  4

#include "signature/family_body.h"

static const char what[] = "hash functions";

static const akin_family_row rows[] = {
    {{"e2lsh-l1", "", "random projections for the L1 distance", AKIN_FAMILY_L1, 0},
     {AKIN_GIVEN_MATRIX, 67, 1, 0, 1, 0},
     0,
     akin_collision_l1,
     akin_distance_l1},
    {{"e2lsh-l2", "", "random projections for the L2 distance", AKIN_FAMILY_L2, AKIN_IS_DEFAULT},
     {AKIN_GIVEN_MATRIX, 67, 1, 0, 1, 0},
     0,
     akin_collision_l2,
     akin_distance_l2},
    {{"random-binning", "", "random grids for the Laplacian kernel", AKIN_FAMILY_LAPLACE, 0},
     {AKIN_GIVEN_MATRIX, 8192, 0, 1, 1, 0},
     1,
     akin_collision_laplace,
     akin_distance_laplace},
    {{"simhash", "", "random hyperplanes for the angle", AKIN_FAMILY_COSINE, 0},
     {AKIN_GIVEN_MATRIX, 2, 0, 0, 0, 0},
     0,
     akin_collision_cosine,
     akin_distance_cosine},
    {{"minhash", "", "random orders for the Jaccard similarity of sets", AKIN_FAMILY_JACCARD, 0},
     {AKIN_GIVEN_SETS, 8192, 0, 0, 1, 0},
     1,
     akin_collision_jaccard,
     akin_distance_jaccard},
};
const akin_choice_table akin_families = AKIN_CHOICE_TABLE("family", rows);

const akin_family_row *akin_family_row_of(akin_family_kind family)
{
    return (const akin_family_row *)akin_choice_of(&akin_families, (int)family);
}

const akin_family_facts *akin_family_facts_of(akin_family_kind family)
{
    const akin_family_row *row = akin_family_row_of(family);
    return row ? &row->facts : NULL;
}

int akin_family_takes(akin_family_kind family, const char *option)
{
    const akin_family_facts *facts = akin_family_facts_of(family);
    return (facts->has_width && strcmp(option, "width") == 0) || (facts->has_sigma && strcmp(option, "sigma") == 0) ||
           (facts->has_buckets && strcmp(option, "buckets") == 0);
}

const char *akin_family_name(akin_family_kind family)
{
    return akin_choice_name(&akin_families, (int)family);
}

akin_status akin_family_parse(const char *name, akin_family_kind *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_families, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_family_kind)value;
    return status;
}

/* --------------------------------------------------------------------------------------------------------- deviates */

/* -ln of a uniform number above 0: of mean 1. */
static double exponential(akin_random *random)
{
    return 53 * 0x1.62e42fefa39efp-1 - akin_logarithm((akin_random_next(random) >> 11) + 1);
}

/* A point of the unit circle, and the square of how far it is from the middle, which it is not (Marsaglia's polar
 * method). */
static double draw_point(akin_random *random, double *u, double *v)
{
    double square;
    do {
        *u = 2 * akin_random_unit(random) - 1;
        *v = 2 * akin_random_unit(random) - 1;
        square = *u * *u + *v * *v;
    } while (square >= 1 || square <= 0x1p-50);
    return square;
}

/* -ln of a number of (0, 1], to 2^-53. */
static double minus_log(double x)
{
    const double units = x * 0x1p53;
    return 53 * 0x1.62e42fefa39efp-1 - akin_logarithm(units < 1 ? 1 : (uint64_t)units);
}

static double normal(akin_random *random)
{
    double u, v, square = draw_point(random, &u, &v);
    return u * sqrt(2 * minus_log(square) / square);
}

static double cauchy(akin_random *random)
{
    double u, v;
    do
        draw_point(random, &u, &v);
    while (fabs(v) <= 1e-6); /* a millionth of them: single precision bears no larger ones */
    return u / v;
}

/* -------------------------------------------------------------------------------------------------------- functions */

akin_status akin_family_check(const akin_family_head *h, akin_error *error)
{
    const akin_family_facts *facts = akin_family_facts_of((akin_family_kind)h->kind);
    if (!facts)
        return akin_fail(error, AKIN_E_OPTION, "LSH family %u is none of those there are", h->kind);
    if (h->functions == 0)
        return akin_fail(error, AKIN_E_OPTION, "a signature of 0 hash functions: expected 1 or more");
    if (h->dimensions == 0 && facts->objects == AKIN_GIVEN_MATRIX)
        return akin_fail(error, AKIN_E_OPTION, "hash functions of vectors of 0 dimensions");
    if (h->buckets < 2 || h->buckets > INT32_MAX || (!facts->has_buckets && h->buckets != facts->buckets))
        return akin_fail(error, AKIN_E_OPTION, "%u buckets: expected %s", h->buckets,
                         facts->has_buckets ? "2 to 2^31 - 1" : "2, as a sign has");
    if (facts->has_width && !(h->width > 0 && h->width <= AKIN_FAMILY_WIDEST))
        return akin_fail(error, AKIN_E_OPTION, "a width of buckets of %g: expected more than 0, up to %g", h->width,
                         AKIN_FAMILY_WIDEST);
    if (facts->has_sigma && !(h->sigma > 0 && h->sigma <= AKIN_FAMILY_WIDEST))
        return akin_fail(error, AKIN_E_OPTION, "a sigma of %g: expected more than 0, up to %g", h->sigma,
                         AKIN_FAMILY_WIDEST);
    if ((uint64_t)h->functions * h->dimensions > UINT32_MAX || h->functions > UINT32_MAX - AKIN_FAMILY_LANES)
        return akin_fail(error, AKIN_E_LIMIT, "%u hash functions of %u dimensions are more than 2^32 numbers",
                         h->functions, h->dimensions);
    return AKIN_OK;
}

/* A pitch from Gamma(2, sigma), and where cells begin. */
static void draw_cells(akin_random *random, double sigma, float *scale, float *shift)
{
    const double pitch = sigma * (exponential(random) + exponential(random));
    *scale = (float)(1 / (pitch > 0x1p-100 ? pitch : 0x1p-100));
    *shift = (float)akin_random_unit(random);
}

static void draw_family(akin_family *f)
{
    const akin_family_head *h = &f->head;
    akin_random random;
    akin_random_seed(&random, h->seed);
    for (uint32_t i = 0; i < h->functions; i++) {
        f->salt[i] = akin_random_next(&random);
        if (h->kind == AKIN_FAMILY_L1 || h->kind == AKIN_FAMILY_L2)
            f->shift[i] = (float)akin_random_unit(&random);
    }
    for (uint32_t j = 0; j < h->dimensions; j++)
        for (uint32_t i = 0; i < h->functions; i++) {
            const size_t at = (size_t)j * f->stride + i;
            if (h->kind == AKIN_FAMILY_LAPLACE)
                draw_cells(&random, h->sigma, &f->scale[at], &f->shift[at]);
            else
                f->scale[at] = (float)(h->kind == AKIN_FAMILY_L1 ? cauchy(&random) : normal(&random));
        }
}

akin_status akin_family_draw(const akin_family_head *head, akin_family *out, akin_error *error)
{
    *out = (akin_family){.head = *head};
    akin_status status = akin_family_check(head, error);
    if (status != AKIN_OK)
        return status;
    out->stride = akin_family_stride(head->functions);
    const uint64_t numbers = (uint64_t)out->stride * head->dimensions;
    out->scale = akin_alloc_zero(NULL, numbers, sizeof *out->scale);
    out->shift = akin_alloc_zero(NULL, head->kind == AKIN_FAMILY_LAPLACE ? numbers : out->stride, sizeof *out->shift);
    out->salt = akin_alloc(NULL, head->functions, sizeof *out->salt);
    if (!out->scale || !out->shift || !out->salt)
        return akin_fail_memory(error, what);
    draw_family(out);
    return AKIN_OK;
}

void akin_family_clear(akin_family *family)
{
    akin_free(family->scale);
    akin_free(family->shift);
    akin_free(family->salt);
    *family = (akin_family){0};
}

/* Registers of NEON have the width of the portable version: a wider one takes more instructions there. */
akin_family_sign akin_family_choose(akin_cpu cpu, akin_family_kind kind)
{
    static akin_family_sign (*const by_level[])(akin_family_kind) =
        AKIN_CPU_ROW(sign_of, sign_of, akin_family_avx2, akin_family_avx512);
    return by_level[cpu](kind);
}

void akin_family_sign_set(const akin_family *family, const uint64_t *hashes, uint64_t count, uint32_t *values)
{
    const akin_family_head *h = &family->head;
    for (uint32_t f = 0; f < h->functions; f++) {
        uint64_t least = UINT64_MAX;
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t mixed = akin_family_mix(hashes[i] ^ family->salt[f]);
            least = mixed < least ? mixed : least;
        }
        /* The least value is small by its choice: mixed again, it is uniform. */
        values[f] = count > 0 ? akin_family_bucket(akin_family_mix(least + 1), h->buckets) : h->buckets;
    }
}

/* -------------------------------------------------------------------------------------------------------- estimates */

/* How far apart the vectors are, at most, as function f sees them. */
static double span_of(const akin_family *family, uint32_t f, const float *vectors, uint32_t count)
{
    const uint32_t dimensions = family->head.dimensions;
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < dimensions; j++)
            sum += (double)family->scale[(size_t)j * family->stride + f] * (double)vectors[(size_t)i * dimensions + j];
        low = sum < low ? sum : low;
        high = sum > high ? sum : high;
    }
    return high > low ? high - low : 0;
}

akin_status akin_family_width(akin_family_kind kind, uint32_t buckets, uint64_t seed, const float *vectors,
                              uint32_t count, uint32_t dimensions, double *out, akin_error *error)
{
    enum { TRIED = 63 };
    const akin_family_head head = {
        .kind = kind, .functions = TRIED, .dimensions = dimensions, .buckets = 2, .seed = seed, .width = 1};
    akin_family family;
    akin_status status = akin_family_draw(&head, &family, error);
    double spans[TRIED] = {0};
    for (uint32_t f = 0; f < TRIED && status == AKIN_OK; f++) {
        const double span = span_of(&family, f, vectors, count);
        uint32_t at = f;
        for (; at > 0 && spans[at - 1] > span; at--)
            spans[at] = spans[at - 1];
        spans[at] = span;
    }
    *out = spans[TRIED / 2] > 0 ? spans[TRIED / 2] / buckets : 1;
    akin_family_clear(&family);
    return status;
}

static double distance(akin_family_kind kind, const float *a, const float *b, uint32_t dimensions)
{
    double sum = 0;
    for (uint32_t j = 0; j < dimensions; j++) {
        const double by = (double)a[j] - (double)b[j];
        sum += kind == AKIN_FAMILY_L2 ? by * by : fabs(by);
    }
    return kind == AKIN_FAMILY_L2 ? sqrt(sum) : sum;
}

double akin_family_mean(akin_family_kind kind, uint64_t seed, const float *vectors, uint32_t count, uint32_t dimensions)
{
    enum { PAIRS = 10000 };
    double sum = 0;
    akin_random random;
    akin_random_seed(&random, seed);
    for (int i = 0; i < PAIRS && count > 1; i++) {
        const uint64_t a = akin_random_below(&random, count),
                       b = (a + 1 + akin_random_below(&random, count - 1)) % count;
        sum += distance(kind, vectors + a * dimensions, vectors + b * dimensions, dimensions);
    }
    return sum > 0 ? sum / PAIRS : 1;
}
