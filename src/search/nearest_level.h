/*
 * What one SIMD level has: to be included by its file, which has defined INLINE and TARGET, its attributes; REGISTER, its bytes; of
 * vectors of its own, vector_8 and vector_64,
 *
 *     least(a, b), greatest(a, b)         of bytes
 *     bits_8(x)                           a bit for each byte of all ones
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

/* Adds two bits to one; what is to be carried. */
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

enum { BLOCK = AKIN_ORDERED_BLOCK, PARTS = BLOCK / REGISTER, QUERIES = AKIN_NEAREST_QUERIES };

/* Lists those strings from `first` on that are set, as far as they are still wanted; 0: that's it. */
INLINE int list(const akin_bags_job *job, uint32_t query, uint64_t set, vector_8 bounds, uint32_t first)
{
    akin_nearest_list *list = &job->lists[query];
    uint8_t bound[REGISTER];
    memcpy(bound, &bounds, sizeof bound);
    for (; set; set &= set - 1) {
        const uint32_t at = (uint32_t)__builtin_ctzll(set);
        if (bound[at] >= list->too_far)
            continue;
        list->keys[list->held++] = akin_nearest_key(bound[at], first + at);
        if (list->held == list->stop && !job->stop(job->user, query))
            return 0;
    }
    return 1;
}

/* A part of a block, which begins with string `first`. */
INLINE int list_part(const akin_bags_job *job, const vector_8 *own, uint32_t first)
{
    const vector_8 *counts = (const vector_8 *)(const void *)job->counts, *lengths = own + AKIN_ORDERED_KINDS * PARTS;
    const uint32_t left = job->ordered->count - first;
    const uint64_t valid = left < REGISTER ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0;
    const vector_8 zero = {0};
    vector_8 common[QUERIES] = {{0}};
    for (uint32_t kind = 0; kind < AKIN_ORDERED_KINDS; kind++) {
        const vector_8 has = own[kind * PARTS];
#pragma GCC unroll 8
        for (uint32_t i = 0; i < QUERIES; i++)
            common[i] += least(has, counts[(kind * QUERIES + i) * PARTS]);
    }
#pragma GCC unroll 8
    for (uint32_t i = 0; i < QUERIES; i++) {
        if (i >= job->queries)
            return 1;
        if (job->lists[i].too_far == 0)
            continue;
        const uint8_t most = (uint8_t)akin_min_u64(job->lists[i].too_far - 1, UINT8_MAX);
        const vector_8 bounds = greatest(*lengths, zero + job->lengths[i]) - common[i];
        const uint64_t set = bits_8((vector_8)(bounds <= zero + most)) & valid;
        if (set && !list(job, i, set, bounds, first))
            return 0;
    }
    return 1;
}

TARGET static int bags(const akin_bags_job *job)
{
    const akin_ordered *s = job->ordered;
    for (uint32_t block = job->first; block < job->end; block++) {
        const vector_8 *own = (const vector_8 *)(const void *)(s->bags + (uint64_t)block * AKIN_ORDERED_BAGS);
        for (uint32_t part = 0; part < PARTS && block * BLOCK + part * REGISTER < s->count; part++)
            if (!list_part(job, own + part, block * BLOCK + part * REGISTER))
                return 0;
    }
    return 1;
}

static const akin_nearest_level level = {REGISTER * 8, subsequences, find, bags};
