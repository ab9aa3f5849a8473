/*
 * The scan of one SIMD level: to be included by its file, which has defined INLINE and TARGET, its attributes, WIDTH, the 64-bit
 * words of a register, popcounts(x), those of each word, and or_nor(a, b, c), a | ~(b | c).
 */

enum { GROUPS = AKIN_NEAREST_LANES / 8, LANES = WIDTH * GROUPS }; /* several, as a step waits for the one before */

typedef uint64_t words __attribute__((vector_size(8 * WIDTH)));

typedef struct column {
    words plus[GROUPS], minus[GROUPS]; /* where the matrix goes up by one, and down, from a row to the next */
} column;

/* A byte further: Hyyroe's D0, HP, HN, VP, VN. */
INLINE void step(column *c, const words *places)
{
    for (int g = 0; g < GROUPS; g++) {
        const words here = places[g], plus = c->plus[g], minus = c->minus[g];
        const words diagonal = (((here & plus) + plus) ^ plus) | (here | minus);
        const words up = or_nor(minus, diagonal, plus) << 1 | 1, down = (diagonal & plus) << 1;
        c->plus[g] = or_nor(down, diagonal, up);
        c->minus[g] = up & diagonal;
    }
}

/* What lanes want: at most `most` edits, compared within the bits of the query. */
typedef struct wanted {
    words mask[GROUPS], most[GROUPS];
    uint64_t shortest, longest; /* strings that any lane may want */
} wanted;

/* Sets what lanes want by now. */
INLINE void want(const akin_nearest_job *job, wanted *w)
{
    uint64_t most[LANES];
    w->shortest = UINT64_MAX;
    w->longest = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        const uint64_t length = job->lengths[i], edits = job->tops[i] ? UINT32_MAX - job->tops[i]->least : 0;
        most[i] = job->tops[i] ? edits : 0;
        if (!job->tops[i])
            continue;
        w->shortest = akin_min_u64(w->shortest, length > edits ? length - edits : 0);
        w->longest = akin_max_u64(w->longest, length + edits);
    }
    memcpy(w->most, most, sizeof most);
}

/* Adds the string to those lanes that want it; whether there were any. */
INLINE int take(const akin_nearest_job *job, const wanted *w, const column *c, uint32_t at, uint64_t length)
{
    words distance[GROUPS], near = {0};
    for (int g = 0; g < GROUPS; g++) {
        distance[g] = popcounts(c->plus[g] & w->mask[g]) - popcounts(c->minus[g] & w->mask[g]) + length;
        near |= (words)(distance[g] <= w->most[g]);
    }
    uint64_t any = 0, of[LANES];
    for (int i = 0; i < WIDTH; i++)
        any |= near[i];
    if (!any)
        return 0;
    memcpy(of, distance, sizeof of);
    for (uint32_t i = 0; i < LANES; i++)
        if (job->tops[i] && of[i] <= UINT32_MAX - job->tops[i]->least)
            akin_top_add(job->tops[i], akin_nearest_count((uint32_t)of[i]), job->sequences->rows[at]);
    return 1;
}

INLINE void scan_lanes(const akin_nearest_job *job)
{
    const akin_sequences *s = job->sequences;
    const words *places = (const words *)(const void *)job->places;
    column *kept = (column *)(void *)job->columns; /* kept[n]: behind n bytes of the last string that was compared */
    uint64_t mask[LANES], valid = 0;               /* so many are of the string at hand, too */
    wanted w;
    column c;
    for (uint32_t i = 0; i < LANES; i++)
        mask[i] = job->lengths[i] < 64 ? ((uint64_t)1 << job->lengths[i]) - 1 : ~(uint64_t)0;
    memcpy(w.mask, mask, sizeof mask);
    want(job, &w);
    for (int g = 0; g < GROUPS; g++) {
        kept[0].plus[g] = ~(words){0};
        kept[0].minus[g] = (words){0};
    }
    for (uint32_t i = job->first; i < job->end; i++) {
        const uint8_t *bytes = s->bytes + s->begins[i];
        const uint64_t length = s->begins[i + UINT64_C(1)] - s->begins[i];
        valid = i > job->first ? akin_min_u64(valid, s->shared[i]) : 0;
        if (length < w.shortest || length > w.longest)
            continue;
        const uint64_t share = i + 1 < job->end ? s->shared[i + UINT64_C(1)] : 0; /* the next one */
        const uint64_t keep = akin_min_u64(share, AKIN_NEAREST_SHARED);
        uint64_t at = valid;
        c = kept[valid];
        for (; at < keep; valid = ++at, kept[at] = c)
            step(&c, places + (size_t)bytes[at] * GROUPS);
        for (; at < length; at++)
            step(&c, places + (size_t)bytes[at] * GROUPS);
        if (take(job, &w, &c, i, length))
            want(job, &w);
    }
}

TARGET static void scan(const akin_nearest_job *job)
{
    scan_lanes(job);
}
