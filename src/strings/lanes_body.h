/*
 * The comparators in lanes, for one width: to be included by the file of a SIMD level, which has defined TARGET, its
 * attributes; WORD, what a lane is; LANES, how many there are; NAME(x), a name of its own; and, of vectors of its own
 *
 *     NAME(gather)(symbols, at)                  the bytes from at on that fill a lane, for each lane
 *     NAME(look_up)(table, index, is_frequent)   the words of a table at these places; is_frequent: those beyond
 *                                                AKIN_LANES_FREQUENT are 0
 *     NAME(any)(mask)                            whether any lane is not 0
 *
 * Vectors are GNU C's; what compares them gives lanes of all ones, or of zeros. The texts of a group run on until the
 * longest of them has ended: what comes behind the end of another one is masked out.
 */
#define VECTOR   NAME(vector)
#define BITS     (8 * sizeof(WORD))
#define ALL(w)   ((VECTOR){0} + (WORD)(w))
#define WHERE(c) ((VECTOR)(c))

/* LANES texts of a job, from text `first` on. */
typedef struct NAME(group) {
    VECTOR at, length, bound;
    const uint8_t *base;
    uint32_t longest;
} NAME(group);

INLINE NAME(group) NAME(group_of)(const akin_lanes_job *job, uint32_t first)
{
    NAME(group) g = {.base = job->symbols + job->at[first], .longest = job->lengths[first + LANES - 1]};
    WORD at[LANES], length[LANES], bound[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        at[lane] = (WORD)(job->at[first + lane] - job->at[first]);
        length[lane] = job->lengths[first + lane];
        bound[lane] = job->bound[first + lane];
    }
    memcpy(&g.at, at, sizeof at);
    memcpy(&g.length, length, sizeof length);
    memcpy(&g.bound, bound, sizeof bound);
    return g;
}

/* The distances of one group; swaps: neighbours may change places. See edit.c for the names. */
INLINE void NAME(edit_group)(const akin_lanes_job *job, const WORD *places, uint32_t first, int swaps, int is_frequent,
                             uint32_t *distances)
{
    NAME(group) g = NAME(group_of)(job, first);
    const uint32_t top = job->length - 1;
    VECTOR up = ALL(-1), down = ALL(0), distance = ALL(job->length), symbols = ALL(0);
    VECTOR last_diagonal = ALL(0), last_at = ALL(0);
    for (uint32_t j = 0; j < g.longest; j++) {
        if (j % sizeof(WORD) == 0) {
            /* no distance falls by more than there are symbols left */
            VECTOR left = (g.length - ALL(j)) & WHERE(g.length > ALL(j));
            if (!NAME(any)(WHERE(distance <= g.bound + left)))
                break;
            symbols = NAME(gather)(g.base + j, g.at);
        }
        VECTOR at = NAME(look_up)(places, symbols & ALL(255), is_frequent), live = WHERE(g.length > ALL(j));
        VECTOR diagonal = (((at & up) + up) ^ up) | at | down;
        symbols >>= 8;
        if (swaps) {
            diagonal |= ((~last_diagonal & at) << 1) & last_at;
            last_diagonal = diagonal;
            last_at = at;
        }
        VECTOR more = down | ~(diagonal | up), less = diagonal & up;
        distance += live & (((more >> top) & ALL(1)) - ((less >> top) & ALL(1)));
        more = more << 1 | ALL(1);
        less <<= 1;
        up = less | ~(diagonal | more);
        down = more & diagonal;
    }
    WORD result[LANES];
    memcpy(result, &distance, sizeof result);
    for (uint32_t lane = 0; lane < LANES; lane++)
        distances[first + lane] = (uint32_t)result[lane];
}

/* The places of the pattern that the first symbol of a text may match: 0 to window. */
INLINE VECTOR NAME(first_window)(VECTOR window)
{
    return WHERE(window >= ALL(BITS - 1)) | ((ALL(2) << (window & ALL(BITS - 1))) - ALL(1));
}

/* The next symbols of each text, with 255, which stands nowhere, for those behind its end. */
INLINE VECTOR NAME(symbols_at)(const NAME(group) * g, uint32_t j)
{
    VECTOR left = (g->length - ALL(j)) & WHERE(g->length > ALL(j)), has_all = WHERE(left >= ALL(sizeof(WORD)));
    return NAME(gather)(g->base + j, g->at) | (~has_all & (ALL(-1) << (8 * (left & ALL(sizeof(WORD) - 1)))));
}

INLINE uint32_t NAME(popcount)(WORD word)
{
    return (uint32_t)__builtin_popcountll(word);
}

/* The matches of one group. See jaro.c for the names. */
INLINE void NAME(jaro_group)(const akin_lanes_job *job, const WORD *places, uint32_t first, int is_frequent,
                             akin_jaro *matches)
{
    NAME(group) g = NAME(group_of)(job, first);
    VECTOR
    found[AKIN_LANES_LONGEST]; /* where in the pattern the symbols stand that matched; 0 for those that did not */
    VECTOR taken = ALL(0), missed = ALL(0), symbols = ALL(0), is_longer = WHERE(g.length > ALL(job->length));
    VECTOR window = ((g.length & is_longer) | (ALL(job->length) & ~is_longer)) >> 1;
    window -= ALL(1) & WHERE(window > ALL(0));
    VECTOR within = NAME(first_window)(window);
    for (uint32_t j = 0; j < g.longest; j++) {
        if (j % sizeof(WORD) == 0)
            symbols = NAME(symbols_at)(&g, j);
        VECTOR at = NAME(look_up)(places, symbols & ALL(255), is_frequent), open = at & within & ~taken;
        symbols >>= 8;
        taken |= open & -open;
        found[j] = at & WHERE(open != ALL(0));
        within = within << 1 | (ALL(1) & WHERE(window > ALL(j)));
    }
    WORD all[LANES], wrong[LANES];
    int is_any = 0;
    memcpy(all, &taken, sizeof all);
    for (uint32_t lane = 0; lane < LANES; lane++)
        is_any |= NAME(popcount)(all[lane]) >= job->bound[first + lane];
    /* the symbols that matched, in their order, beside the places taken, in theirs */
    for (uint32_t j = 0; j < g.longest && is_any; j++) {
        VECTOR lowest = taken & -taken & WHERE(found[j] != ALL(0));
        missed |= lowest & ~found[j];
        taken &= ~lowest;
    }
    memcpy(wrong, &missed, sizeof wrong);
    for (uint32_t lane = 0; lane < LANES; lane++)
        matches[first + lane] = (akin_jaro){NAME(popcount)(all[lane]), NAME(popcount)(wrong[lane])};
}

/* All groups of a job. */
INLINE void NAME(edit)(const akin_lanes_job *job, const WORD *places, int swaps, int is_frequent, uint32_t *distances)
{
    for (uint32_t first = 0; first < job->count; first += LANES)
        NAME(edit_group)(job, places, first, swaps, is_frequent, distances);
}

INLINE void NAME(jaro)(const akin_lanes_job *job, const WORD *places, int is_frequent, akin_jaro *matches)
{
    for (uint32_t first = 0; first < job->count; first += LANES)
        NAME(jaro_group)(job, places, first, is_frequent, matches);
}

#undef VECTOR
#undef BITS
#undef ALL
#undef WHERE
