/*
 * Bounds by subsequences of one SIMD level in lanes of one width: to be included by nearest_level.h, which has defined WORD, what a lane is made
 * of; WORDS, how many; GROUPS of registers; NAME(x), a name of its own; NAME(popcounts)(x), the bits of each word;
 * NAME(within)(a, b, c, d), a bit for each word where a <= b and c <= d.
 */
#define VECTOR NAME(vector)

enum {
    NAME(WIDTH) = REGISTER / sizeof(WORD),
    NAME(LANES) = GROUPS * NAME(WIDTH),
    NAME(ROWS) = WORDS * 8 * sizeof(WORD), /* of the matrix: a bit for each byte of a query */
};

/* The bits of a row are clear where one more byte is in common than in the row before. */
typedef struct NAME(column) {
    VECTOR of[WORDS][GROUPS];
} NAME(column);

/* A byte further. */
INLINE void NAME(step)(NAME(column) * c, const VECTOR *places)
{
    for (int g = 0; g < GROUPS; g++) {
        VECTOR carry = {0};
        for (int w = 0; w < WORDS; w++) {
            const VECTOR before = c->of[w][g], same = before & places[w * GROUPS + g], sum = before + same - carry;
            c->of[w][g] = or_but(sum, before, same);
            if (w + 1 < WORDS)
                carry = (VECTOR)(sum < before);
        }
    }
}

/* What lanes want: so many rows may not be in common, and with the length of the string so many. */
typedef struct NAME(wanted) {
    VECTOR apart[GROUPS], with_length[GROUPS];
    uint64_t shortest, longest; /* strings that any lane may want */
} NAME(wanted);

/* Sets what lanes want by now. The rows behind the end of a query are not in common with anything. */
INLINE void NAME(want)(const akin_subsequence_job *job, NAME(wanted) * wanted)
{
    WORD apart[NAME(LANES)] = {0}, with_length[NAME(LANES)] = {0}; /* which a lane that is free never has */
    wanted->shortest = UINT64_MAX;
    wanted->longest = 0;
    for (uint32_t i = 0; i < NAME(LANES); i++) {
        const uint32_t length = job->lengths[i];
        if (length == UINT32_MAX)
            continue;
        const uint32_t most = job->lists[i].too_far - 1;
        with_length[i] = (WORD)most + NAME(ROWS);
        apart[i] = with_length[i] - (WORD)length;
        wanted->shortest = akin_min_u64(wanted->shortest, length > most ? length - most : 0);
        wanted->longest = akin_max_u64(wanted->longest, (uint64_t)length + most);
    }
    memcpy(wanted->apart, apart, sizeof apart);
    memcpy(wanted->with_length, with_length, sizeof with_length);
}

/* The lanes that may be as near as is wanted: the longer string has all but so many bytes in common with the other one. */
INLINE uint64_t NAME(near)(const NAME(wanted) * wanted, const NAME(column) * c, uint64_t length, VECTOR *apart)
{
    const VECTOR own = (VECTOR){0} + (WORD)length;
    uint64_t lanes = 0;
    for (int g = 0; g < GROUPS; g++) {
        apart[g] = NAME(popcounts)(c->of[0][g]);
        for (int w = 1; w < WORDS; w++)
            apart[g] += NAME(popcounts)(c->of[w][g]);
        lanes |= NAME(within)(apart[g], wanted->apart[g], apart[g] + own, wanted->with_length[g]) << g * NAME(WIDTH);
    }
    return lanes;
}

/* Lists a string for lanes; 0: that's it. */
INLINE int NAME(list)(const akin_subsequence_job *job, NAME(wanted) * wanted, uint64_t lanes, const VECTOR *apart,
                      uint32_t string, uint32_t length)
{
    WORD rows[NAME(LANES)];
    int is_changed = 0;
    memcpy(rows, apart, sizeof rows);
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(lanes), longer = akin_max_u32(length, job->lengths[lane]);
        akin_nearest_list *list = &job->lists[lane];
        list->keys[list->held++] = akin_nearest_key(longer + (uint32_t)rows[lane] - NAME(ROWS), string);
        if (list->held < list->stop)
            continue;
        if (!job->stop(job->user, lane))
            return 0;
        is_changed = 1;
    }
    if (is_changed)
        NAME(want)(job, wanted);
    return 1;
}

TARGET static int NAME(subsequences)(const akin_subsequence_job *job)
{
    const akin_sequences *s = job->sequences;
    const VECTOR *places = job->places;
    NAME(column) *kept = job->columns, c; /* kept[n]: behind n bytes of the last string that was compared */
    uint64_t valid = 0;                   /* so many are of the string at hand, too */
    NAME(wanted) wanted;
    VECTOR apart[GROUPS];
    NAME(want)(job, &wanted);
    memset(&kept[0], 255, sizeof kept[0]);
    for (uint32_t i = job->first; i < job->end; i++) {
        const uint8_t *bytes = s->bytes + s->begins[i];
        const uint64_t length = s->begins[i + UINT64_C(1)] - s->begins[i];
        valid = i > job->first ? akin_min_u64(valid, s->shared[i]) : 0;
        if (length < wanted.shortest || length > wanted.longest)
            continue;
        const uint64_t share = i + 1 < job->end ? s->shared[i + UINT64_C(1)] : 0; /* the next one */
        const uint64_t keep = akin_min_u64(share, AKIN_NEAREST_SHARED);
        uint64_t at = valid;
        c = kept[valid];
        for (; at < keep; valid = ++at, kept[at] = c)
            NAME(step)(&c, places + (size_t)bytes[at] * GROUPS * WORDS);
        for (; at < length; at++)
            NAME(step)(&c, places + (size_t)bytes[at] * GROUPS * WORDS);
        const uint64_t lanes = NAME(near)(&wanted, &c, length, apart);
        if (lanes && !NAME(list)(job, &wanted, lanes, apart, i, (uint32_t)length))
            return 0;
    }
    return 1;
}

#undef VECTOR
