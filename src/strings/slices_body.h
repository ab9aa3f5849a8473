/*
 * What one SIMD level has: to be included by its file, which has defined INLINE and TARGET, its attributes; REGISTER,
 * its bytes; of vectors of its own, vector_64,
 *
 *     differs(a, b, same)                 (a | same) & ~b, of bits
 *     parity(a, b, c), majority(a, b, c)  likewise
 */
enum { TILE = AKIN_SLICE_TILE, COUNTS = AKIN_SLICE_COUNTS };

/* Rows of a tile; those that are new have no differences yet. */
INLINE void add_rows(const akin_slice_job *job, const vector_64 *places, uint32_t first, uint32_t end, int is_new,
                     vector_64 *down)
{
    const vector_64 none = {0};
    vector_64 *rows = job->rows;
    for (uint32_t i = first; i < end; i++) {
        const vector_64 *same = places + (size_t)job->query[i] * TILE;
        vector_64 right = is_new ? none : rows[i];
#pragma GCC unroll 8
        for (int j = 0; j < TILE; j++) {
            const vector_64 before = right;
            right = differs(before, down[j], same[j]);
            down[j] = parity(right, before, down[j]); /* as right ^ down stays the same */
        }
        rows[i] = right;
    }
}

/* Adds two bits to one; returns the carry. */
INLINE vector_64 add_two(vector_64 *sum, vector_64 a, vector_64 b)
{
    const vector_64 carry = majority(*sum, a, b);
    *sum = parity(*sum, a, b);
    return carry;
}

/* Adds the differences of a tile below its last row, which are what its columns add to what is in common. */
INLINE void count(vector_64 *counts, const vector_64 *down)
{
    const vector_64 a = add_two(&counts[0], down[0], down[1]), b = add_two(&counts[0], down[2], down[3]);
    const vector_64 c = add_two(&counts[0], down[4], down[5]), d = add_two(&counts[0], down[6], down[7]);
    const vector_64 e = add_two(&counts[1], a, b), f = add_two(&counts[1], c, d);
    vector_64 carry = add_two(&counts[2], e, f);
#pragma GCC unroll 8
    for (int bit = 3; bit < COUNTS; bit++) {
        const vector_64 sum = counts[bit] ^ carry;
        carry &= counts[bit];
        counts[bit] = sum;
    }
}

TARGET static void subsequences(const akin_slice_job *job)
{
    const vector_64 *places = job->places;
    vector_64 counts[COUNTS] = {{0}};
    const int64_t length = job->length;
    uint32_t seen = 0; /* rows that are not new */
    for (int64_t column = 0; column < job->columns; column += TILE, places += (size_t)job->kinds * TILE) {
        const int64_t low = column + job->low, high = column + TILE + job->high;
        const uint32_t first = (uint32_t)(low < 0 ? 0 : low), end = (uint32_t)(high < length ? high : length);
        vector_64 down[TILE] = {{0}};
        if (low >= length || high <= 0)
            continue;
        add_rows(job, places, first, seen < end ? seen : end, 0, down);
        add_rows(job, places, first > seen ? first : seen, end, 1, down);
        seen = seen > end ? seen : end;
        count(counts, down);
    }
    memcpy(job->common, counts, sizeof counts);
}

TARGET static int find(const void *common, uint32_t least, uint32_t before, uint64_t *found)
{
    const vector_64 *counts = common, zero = {0};
    vector_64 enough = ~zero, more = ~zero;
    for (int bit = 0; bit < COUNTS; bit++) {
        enough = least >> bit & 1 ? enough & counts[bit] : enough | counts[bit];
        more = before >> bit & 1 ? more & counts[bit] : more | counts[bit];
    }
    if (before <= UINT8_MAX)
        enough &= ~more;
    memcpy(found, &enough, sizeof enough);
    uint64_t any = 0;
    for (size_t i = 0; i < sizeof enough / sizeof *found; i++)
        any |= found[i];
    return any != 0;
}
