/*
 * Signatures of one SIMD level: to be included by its file, which has defined INLINE and TARGET, its attributes, and
 * WIDTH, the numbers of 32 bits in a register. A tile is 8 vectors by a register of functions, whose sums stay in
 * registers while it goes through the dimensions, in their order: so all levels round alike.
 */

enum { ROWS = AKIN_FAMILY_ROWS };

typedef float reals __attribute__((vector_size(4 * WIDTH)));
typedef int32_t wholes __attribute__((vector_size(4 * WIDTH)));
typedef uint32_t naturals __attribute__((vector_size(4 * WIDTH)));

static_assert(AKIN_FAMILY_LANES % WIDTH == 0, "functions are padded to whole registers");

INLINE void load(const float *from, reals *to)
{
    memcpy(to, from, sizeof *to);
}

/* The largest whole numbers that are not above, within +-2^30. */
INLINE void floors(const reals *from, wholes *to)
{
    const reals most = (reals){0} + 0x1p30F;
    const wholes above = *from > most, below = *from < -most;
    const reals x = (reals)(((wholes)*from & ~above & ~below) | ((wholes)most & above) | ((wholes)-most & below));
    const wholes t = __builtin_convertvector(x, wholes);
    *to = t + (wholes)(__builtin_convertvector(t, reals) > x);
}

/* a x, for the functions from `first` on. */
INLINE void project(const akin_family *family, const float *const vectors[ROWS], uint32_t first, reals sums[ROWS])
{
    const float *scale = family->scale + first;
    for (int r = 0; r < ROWS; r++)
        sums[r] = (reals){0};
    for (uint32_t j = 0; j < family->head.dimensions; j++, scale += family->stride) {
        reals a;
        load(scale, &a);
        for (int r = 0; r < ROWS; r++)
            sums[r] += a * vectors[r][j];
    }
}

/* Hashes of the cells that vectors are in. */
INLINE void bin(const akin_family *family, const float *const vectors[ROWS], uint32_t first, naturals hashes[ROWS])
{
    const float *scale = family->scale + first, *shift = family->shift + first;
    for (int r = 0; r < ROWS; r++)
        hashes[r] = (naturals){0};
    for (uint32_t j = 0; j < family->head.dimensions; j++, scale += family->stride, shift += family->stride) {
        const uint32_t factor = akin_family_factor(j);
        reals a, b;
        load(scale, &a);
        load(shift, &b);
        for (int r = 0; r < ROWS; r++) {
            const reals x = a * vectors[r][j] - b;
            wholes cell;
            floors(&x, &cell);
            hashes[r] += (naturals)cell * factor;
        }
    }
}

/* Which of its buckets a sum is in. */
INLINE void write_buckets(const akin_family *family, uint32_t first, const reals *sums, uint32_t lanes, uint32_t *to)
{
    const int32_t buckets = (int32_t)family->head.buckets;
    reals shift;
    wholes cell;
    load(family->shift + first, &shift);
    const reals sum = *sums * (float)(1 / family->head.width) + shift;
    const reals x = (reals)((wholes)sum & (sum == sum)); /* what is no number becomes 0: architectures differ there */
    floors(&x, &cell);
    for (uint32_t l = 0; l < lanes; l++) {
        const int32_t rest = cell[l] % buckets;
        to[l] = (uint32_t)(rest < 0 ? rest + buckets : rest);
    }
}

INLINE void write_hashes(const akin_family *family, uint32_t first, const naturals *hashes, uint32_t lanes,
                         uint32_t *to)
{
    for (uint32_t l = 0; l < lanes; l++) {
        const uint64_t mixed = akin_family_mix((*hashes)[l] ^ family->salt[first + l]);
        to[l] = akin_family_bucket(mixed, family->head.buckets);
    }
}

/* A tile: the values of `rows` vectors by `lanes` functions from `first` on. */
INLINE void sign_tile(const akin_family *family, const float *const of[ROWS], uint32_t rows, uint32_t first,
                      uint32_t *values, akin_family_kind kind)
{
    const uint32_t functions = family->head.functions, lanes = functions - first < WIDTH ? functions - first : WIDTH;
    reals sums[ROWS];
    naturals hashes[ROWS];
    if (kind == AKIN_FAMILY_LAPLACE)
        bin(family, of, first, hashes);
    else
        project(family, of, first, sums);
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t *to = values + (size_t)r * functions + first;
        if (kind == AKIN_FAMILY_LAPLACE)
            write_hashes(family, first, &hashes[r], lanes, to);
        else if (kind == AKIN_FAMILY_COSINE)
            for (uint32_t l = 0; l < lanes; l++)
                to[l] = sums[r][l] >= 0;
        else
            write_buckets(family, first, &sums[r], lanes, to);
    }
}

/* Goes through all tiles. The last tile may have fewer vectors; one of them then fills the free places. */
INLINE void sign(const akin_family *family, const float *vectors, uint32_t count, uint32_t *values,
                 akin_family_kind kind)
{
    const akin_family_head *h = &family->head;
    for (uint32_t i = 0; i < count; i += ROWS) {
        const uint32_t rows = count - i < ROWS ? count - i : ROWS;
        const float *of[ROWS];
        for (uint32_t r = 0; r < ROWS; r++)
            of[r] = vectors + (size_t)(i + (r < rows ? r : 0)) * h->dimensions;
        for (uint32_t first = 0; first < h->functions; first += WIDTH)
            sign_tile(family, of, rows, first, values + (size_t)i * h->functions, kind);
    }
}

TARGET static void sign_projected(const akin_family *family, const float *vectors, uint32_t count, uint32_t *values)
{
    sign(family, vectors, count, values, AKIN_FAMILY_L2);
}

TARGET static void sign_binned(const akin_family *family, const float *vectors, uint32_t count, uint32_t *values)
{
    sign(family, vectors, count, values, AKIN_FAMILY_LAPLACE);
}

TARGET static void sign_turned(const akin_family *family, const float *vectors, uint32_t count, uint32_t *values)
{
    sign(family, vectors, count, values, AKIN_FAMILY_COSINE);
}

static akin_family_sign sign_of(akin_family_kind kind)
{
    return kind == AKIN_FAMILY_LAPLACE ? sign_binned : kind == AKIN_FAMILY_COSINE ? sign_turned : sign_projected;
}
