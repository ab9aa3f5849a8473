/*
 * LSH families: random functions that give two vectors, or two sets, the same value more often the more alike they are
 * (Zhou et al., A Generic Inverted Index Framework for Similarity Search on the GPU, section IV). The values of
 * `functions` functions are a signature. The number of values that two signatures have in common estimates how alike
 * the two are, see collision.h.
 *
 *     L1, L2     floor((a x + b) / width)                 a of Cauchy's or normal deviates, b uniform in [0, width)
 *                                                         (Datar et al. 2004); modulo `buckets`
 *     LAPLACE    a hash of floor((x_j - u_j) / p_j)       of all dimensions j, each with a pitch p_j from Gamma(2,
 *                                                         sigma), u_j uniform in [0, p_j) (random binning, Rahimi and
 *                                                         Recht 2007)
 *     COSINE     whether a x >= 0                         a of normal deviates (Charikar 2002)
 *     JACCARD    a hash of the token whose hash is least  (Broder 1997)
 *
 * Hashes are hashed once more, to 0 .. buckets - 1, so unlike ones share a value by a chance of 1 / buckets. All of it
 * is single precision in a fixed order: signatures are the same at every SIMD level and on every machine.
 *
 * The parameters of all functions are drawn once, dimension by dimension, and can be saved:
 *
 *     scale      | dimension 0: of function 0 | 1 | .. | padded to AKIN_FAMILY_LANES | dimension 1 ...   a, or 1 / p_j
 *     shift      | of function 0 | 1 | .. |                                                              b / width, or,
 *                | dimension 0: of function 0 | 1 | .. | padded | dimension 1 ...                        u_j / p_j
 *     salt       | of function 0 | 1 | .. |
 */
#ifndef AKIN_SIGNATURE_FAMILY_H
#define AKIN_SIGNATURE_FAMILY_H

#include "base/choice.h"
#include "base/scope.h"
#include "signature/law.h"

#define AKIN_FAMILY_LANES  16u
#define AKIN_FAMILY_ROWS   8u   /* vectors at a time */
#define AKIN_FAMILY_WIDEST 1e30 /* a width of buckets, or a sigma */

/* The families, by name. */
extern const akin_choice_table akin_families;

/* A family; its value is an akin_family_kind. */
typedef struct akin_family_row {
    akin_choice choice;
    akin_family_facts facts;
    int is_hashed; /* values are hashed into buckets, so that unlike ones agree by chance, too */
    double (*collision)(const akin_family_head *head, double distance); /* see law.h; of a distance above 0 */
    double (*distance)(const akin_family_head *head, double collision); /* its inverse, of a chance below 1 */
} akin_family_row;

/* The row of a family; NULL: there is none. */
const akin_family_row *akin_family_row_of(akin_family_kind family);

typedef struct akin_family {
    akin_family_head head;
    uint32_t stride; /* functions, padded */
    float *scale, *shift;
    uint64_t *salt;
} akin_family;

static inline uint32_t akin_family_stride(uint32_t functions)
{
    return (functions + AKIN_FAMILY_LANES - 1) / AKIN_FAMILY_LANES * AKIN_FAMILY_LANES;
}

/* Whether these can be drawn. Errors: AKIN_E_OPTION, AKIN_E_LIMIT, as follows. */
akin_status akin_family_check(const akin_family_head *head, akin_error *error);

/* Draws the functions. akin_family_clear may follow in any case. Errors: AKIN_E_OPTION (what head says is out of
 * bounds), AKIN_E_LIMIT (functions times dimensions beyond 2^32), AKIN_E_NOMEM. */
akin_status akin_family_draw(const akin_family_head *head, akin_family *out, akin_error *error);
void akin_family_clear(akin_family *family);

/* The signatures of `count` vectors. The vectors are contiguous, and all their dimensions are finite. values[i *
 * functions + f] is the value of function f. */
typedef void (*akin_family_sign)(const akin_family *family, const float *vectors, uint32_t count, uint32_t *values);

/* That of a SIMD level for a kind, not JACCARD; all do the same. */
akin_family_sign akin_family_choose(akin_cpu cpu, akin_family_kind kind);
akin_family_sign akin_family_avx2(akin_family_kind kind);
akin_family_sign akin_family_avx512(akin_family_kind kind);

/* The signature of a set by JACCARD, of its tokens' hashes in any order; without any, all values are `buckets`. */
void akin_family_sign_set(const akin_family *family, const uint64_t *hashes, uint64_t count, uint32_t *values);

/* The width for L1 or L2: the values of a function for these vectors then span all buckets, in the median of some
 * functions. This is the paper's rule (section VI-D1). It is above 0; 1 if all vectors are alike. */
akin_status akin_family_width(akin_family_kind kind, uint32_t buckets, uint64_t seed, const float *vectors,
                              uint32_t count, uint32_t dimensions, double *out, akin_error *error);

/* The mean distance of two of these vectors, drawn at random: by L2 for that family, else by L1, which is the paper's
 * sigma for LAPLACE (section VI-D1). Above 0; 1 if all vectors are alike. */
double akin_family_mean(akin_family_kind kind, uint64_t seed, const float *vectors, uint32_t count,
                        uint32_t dimensions);

/* Of hashed values: the 64 bits that they become, and the bucket of these. */
static inline uint64_t akin_family_mix(uint64_t value)
{
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    return value ^ value >> 32;
}

static inline uint32_t akin_family_bucket(uint64_t mixed, uint32_t buckets)
{
    return (uint32_t)((mixed >> 32) * buckets >> 32);
}

/* Hashes of a dimension's cell are added up, each times this, so that their order does not matter. */
static inline uint32_t akin_family_factor(uint32_t dimension)
{
    return (uint32_t)akin_family_mix(dimension + UINT64_C(0x9e3779b97f4a7c15)) | 1;
}

#endif
