/*
 * What one SIMD level has: to be included by its file, which has defined INLINE and TARGET, its attributes; REGISTER,
 * its bytes; of vectors of its own, vector_8,
 *
 *     least(a, b), greatest(a, b)    of bytes
 *     bits_8(x)                      a bit for each byte of all ones
 */
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

TARGET static int screen(const akin_bags_job *job)
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
